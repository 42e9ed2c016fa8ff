/* stage.c - what a stage of an explicit method needs of a mechanism in joint coordinates
 * (eom/stage.h): rows, and derivatives by accelerations a and by all other algebraic unknowns z
 * (multipliers, w, s), in one of two forms:
 *
 *     residual   d(a, z),          M in columns a,   d_z     M by composite bodies (inertia.c)
 *     explicit   M^-1 d(a, z),    1 in columns a,   M^-1 d_z  articulated bodies, theory (7.74)
 * The second leaves the solver nothing to do for trees and, with loops, W M^-1 W^T alone; each
 * column costs O(N). It is taken where it is faster (measured), unless something has no inertia
 * to push against (bodies without mass), or forces depend on accelerations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/compiled.h"
#include "mechanics/law.h"

#include <stdlib.h>
#include <string.h>

/* from how many velocities on the explicit form is faster, if it has no more columns than
 * these:
 * models/free-chain (15) took 0.94 of the instructions, andrews-mechanism (7) 1.22, chain-100
 * 0.15 */
enum { LEAST_EXPLICIT = 12 };

typedef struct pair {
    int from, to; /* raw entry and entry; or entry and velocity */
} pair;

/* a column z of d */
typedef struct column {
    int raw, raw_end; /* of stages->raw_d */
    int out, out_end; /* of stages->out_d */
    int body, body_end;
} column;

typedef struct crank_tree_stages {
    crank_stage_entries raw; /* of the residual form */
    int *map;                /* of the fill: into these */
    bool explicit;
    /* the explicit form: */
    crank_stage_entries entries;
    double *values, *r, *y; /* raw entries and one more; velocities */
    crank_articulation articulation;
    int same_count, column_count, *unit;
    pair *same, *raw_d, *out_d;
    column *column;
    int *body; /* bodies of the trees of each column, from the ground on */
} crank_tree_stages;

/* ---- evaluation ---- */

/* law: the one whose value is not finite, else NULL */
static void evaluate(crank_system *s, double t, const double *x, double *k, crank_fill *fill,
                     const crank_law **law)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    crank_inertia *inertia = tree->inertia;
    const bool forces = tree->pairs->calls[1].count > 0 || fill->recording;
    *law = NULL;
    crank_tree_rows_of(s, x, k);
    crank_tree_vanish_begin(tree);
    tree->call = 0;
    if (forces) {
        crank_tree_begin_blocks(tree);
    }
    if (!tree->compiled_point) {
        crank_system_balances(s, k);
    }
    crank_system_constraints(s, &(crank_wanted){.x = x, .k = k, .stage = fill});
    for (int i = 0; i < s->law_count; i++) {
        const bool finite = crank_law_stage(s->law[i], s, t, x, k, fill);
        *law = finite || *law != NULL ? *law : s->law[i];
    }
    crank_tree_end_rows(s, k);
    for (int v = 0; v < tree->shape->nv; v++) {
        crank_fill_add(fill, tree->row_dyn + v, tree->column_a + v, 1.0);
    }
    if (!tree->stages->explicit) {
        crank_inertia_set(tree, inertia);
        crank_inertia_compose(tree, inertia);
        crank_inertia_fill(tree, inertia, fill);
    }
    if (forces) {
        crank_tree_fill_blocks(tree, fill);
    }
}

static bool factor(crank_tree *tree)
{
    return tree->compiled_point ? crank_tree_compiled_factor(tree)
                                : crank_articulated_factor(tree, &tree->stages->articulation);
}

/* c: NULL: of all bodies */
static void solve(crank_tree *tree, const column *c, const double *r, double *y)
{
    crank_tree_stages *stage = tree->stages;
    if (tree->compiled_point) {
        crank_tree_compiled_solve(tree, r, y);
        return;
    }
    const int *body = c != NULL ? stage->body + c->body : tree->shape->order;
    const int count = c != NULL ? c->body_end - c->body : tree->shape->body_count;
    crank_articulated_solve(tree, &stage->articulation, body, count, r, y);
}

static crank_status solve_rows(crank_tree *tree, double *k, double *values, crank_error *err)
{
    crank_tree_stages *stage = tree->stages;
    const crank_tree_shape *shape = tree->shape;
    const size_t nv = (size_t)shape->nv;
    if (!factor(tree)) {
        return crank_articulated_fail(tree, &stage->articulation, err);
    }
    memcpy(stage->r, k + tree->row_d, nv * sizeof *stage->r);
    solve(tree, NULL, stage->r, k + tree->row_d);
    for (int i = 0; i < stage->same_count; i++) {
        values[stage->same[i].to] = stage->values[stage->same[i].from];
    }
    for (int v = 0; v < shape->nv; v++) {
        values[stage->unit[v]] = 1.0;
    }
    for (int i = 0; i < stage->column_count; i++) {
        const column *c = &stage->column[i];
        memset(stage->r, 0, nv * sizeof *stage->r);
        for (int e = c->raw; e < c->raw_end; e++) {
            stage->r[stage->raw_d[e].to] = stage->values[stage->raw_d[e].from];
        }
        solve(tree, c, stage->r, stage->y);
        for (int e = c->out; e < c->out_end; e++) {
            values[stage->out_d[e].from] = stage->y[stage->out_d[e].to];
        }
    }
    return CRANK_OK;
}

crank_status crank_tree_stage(void *self, double t, const double *x, double *k, double *values,
                              crank_error *err)
{
    crank_system *s = self;
    crank_tree *tree = crank_tree_of(&s->coordinates);
    crank_tree_stages *stage = tree->stages;
    double *raw = stage->explicit ? stage->values : values;
    crank_fill fill = {.map = stage->map, .values = raw};
    const crank_law *law;
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    memset(raw, 0, ((size_t)stage->raw.count + 1) * sizeof *raw);
    tree->stage = true;
    (void)crank_system_values_point(s, t, x);
    evaluate(s, t, x, k, &fill, &law);
    crank_tree_vanish_clear(tree, raw);
    tree->stage = false;
    if (law != NULL) {
        return crank_fail_place(err, CRANK_RETRY, crank_law_origin(law),
                                "%s: a value is not finite at t = %g", crank_law_label(law), t);
    }
    return stage->explicit ? solve_rows(tree, k, values, err) : CRANK_OK;
}

/* ---- places of the residual form ---- */

/* the order of additions, at a point that does not matter */
static bool record(crank_tree *tree, crank_fill *fill)
{
    crank_system *s = tree->s;
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    uint64_t seed = CRANK_RANDOM_SEED;
    double *point = calloc(n + m + 1, sizeof *point);
    const crank_law *law;
    if (point == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        point[i] = crank_random(&seed);
    }
    s->coordinates.kind->straighten(s, point);
    crank_system_point(s, 0.0, point);
    tree->stage = true;
    evaluate(s, 0.0, point, point + n, fill, &law);
    tree->stage = false;
    free(point);
    return !fill->failed;
}

static bool place_additions(crank_tree *tree)
{
    crank_tree_stages *stage = tree->stages;
    crank_store *store = &tree->s->store;
    crank_fill fill = {.recording = true};
    bool fine = record(tree, &fill);
    stage->map = crank_store_take(store, (size_t)fill.count, sizeof *stage->map);
    fine = fine && stage->map != NULL;
    for (int i = 0; i < fill.count && fine; i++) {
        stage->map[i] =
            crank_stage_entry_at(tree->s->eom, &stage->raw, fill.row[i], fill.column[i]);
    }
    free(fill.row);
    free(fill.column);
    free(fill.used);
    return fine;
}

/* ---- places of the explicit form ---- */

static bool is_tree_row(const crank_tree *tree, int row)
{
    return row >= tree->row_d && row < tree->row_d + tree->shape->nv;
}

static int root_of(const crank_tree_shape *shape, int body)
{
    while (shape->body[body].parent >= 0) {
        body = shape->body[body].parent;
    }
    return body;
}

/* where things go while they are listed; the first pass counts */
typedef struct listing {
    const crank_tree *tree;
    crank_tree_stages *out;
    bool counting;
    bool *touched; /* bodies: their tree is of this column */
    int *row_root; /* velocities: root of the link */
    int entries, same, raw_d, out_d, columns, bodies;
} listing;

static void add_entry(listing *l, int unknown, int row)
{
    if (!l->counting) {
        l->out->entries.row[l->entries] = row;
        l->out->entries.start[unknown + 1] = l->entries + 1;
    }
    l->entries++;
}

static void add_same(listing *l, int unknown, int raw)
{
    if (!l->counting) {
        l->out->same[l->same] = (pair){raw, l->entries};
    }
    l->same++;
    add_entry(l, unknown, l->out->raw.row[raw]);
}

/* the trees that the entries of a column act on; false: on none */
static bool touch(listing *l, int unknown)
{
    const crank_tree *tree = l->tree;
    const crank_stage_entries *raw = &l->out->raw;
    bool any = false;
    memset(l->touched, 0, (size_t)tree->shape->body_count * sizeof *l->touched);
    for (int e = raw->start[unknown]; e < raw->start[unknown + 1]; e++) {
        if (is_tree_row(tree, raw->row[e])) {
            l->touched[l->row_root[raw->row[e] - tree->row_d]] = true;
            any = true;
        }
    }
    return any;
}

/* rows d of a column z: what is gathered, on which bodies it acts, where the solution goes */
static void add_forces(listing *l, int unknown)
{
    const crank_tree_shape *shape = l->tree->shape;
    const crank_stage_entries *raw = &l->out->raw;
    column c = {.raw = l->raw_d, .out = l->out_d, .body = l->bodies};
    for (int e = raw->start[unknown]; e < raw->start[unknown + 1]; e++) {
        if (is_tree_row(l->tree, raw->row[e])) {
            if (!l->counting) {
                l->out->raw_d[l->raw_d] = (pair){e, raw->row[e] - l->tree->row_d};
            }
            l->raw_d++;
        }
    }
    for (int v = 0; v < shape->nv; v++) {
        if (l->touched[l->row_root[v]]) {
            if (!l->counting) {
                l->out->out_d[l->out_d] = (pair){l->entries, v};
            }
            l->out_d++;
            add_entry(l, unknown, l->tree->row_d + v);
        }
    }
    for (int k = 0; k < shape->body_count; k++) {
        if (l->touched[root_of(shape, shape->order[k])]) {
            if (!l->counting) {
                l->out->body[l->bodies] = shape->order[k];
            }
            l->bodies++;
        }
    }
    c.raw_end = l->raw_d;
    c.out_end = l->out_d;
    c.body_end = l->bodies;
    if (!l->counting) {
        l->out->column[l->columns] = c;
    }
    l->columns++;
}

/* rows rise: those before d, d of the tree, those behind */
static void list_column(listing *l, int unknown)
{
    const crank_tree *tree = l->tree;
    const crank_stage_entries *raw = &l->out->raw;
    const int a = crank_stage_column(tree->s->eom, unknown) - tree->column_a;
    const bool acceleration = a >= 0 && a < tree->shape->nv;
    bool done = false;
    if (!l->counting) {
        l->out->entries.start[unknown + 1] = l->entries;
    }
    for (int e = raw->start[unknown]; e <= raw->start[unknown + 1]; e++) {
        const bool last = e == raw->start[unknown + 1];
        if (!done && (last || raw->row[e] >= tree->row_d)) {
            done = true;
            if (acceleration) {
                if (!l->counting) {
                    l->out->unit[a] = l->entries;
                }
                add_entry(l, unknown, tree->row_d + a);
            } else if (touch(l, unknown)) {
                add_forces(l, unknown);
            }
        }
        if (!last && !is_tree_row(tree, raw->row[e])) {
            add_same(l, unknown, e);
        }
    }
}

static bool take_lists(crank_tree_stages *stage, const listing *l, crank_store *store)
{
    stage->entries = (crank_stage_entries){
        .unknowns = stage->raw.unknowns,
        .count = l->entries,
        .start = crank_store_take(store, (size_t)stage->raw.unknowns + 1, sizeof(int)),
        .row = crank_store_take(store, (size_t)l->entries, sizeof(int))};
    stage->same = crank_store_take(store, (size_t)l->same, sizeof *stage->same);
    stage->raw_d = crank_store_take(store, (size_t)l->raw_d, sizeof *stage->raw_d);
    stage->out_d = crank_store_take(store, (size_t)l->out_d, sizeof *stage->out_d);
    stage->column = crank_store_take(store, (size_t)l->columns, sizeof *stage->column);
    stage->body = crank_store_take(store, (size_t)l->bodies, sizeof *stage->body);
    stage->unit = crank_store_take(store, (size_t)l->tree->shape->nv, sizeof *stage->unit);
    stage->same_count = l->same;
    stage->column_count = l->columns;
    return !store->failed;
}

static bool list_explicit(crank_tree *tree)
{
    const crank_tree_shape *shape = tree->shape;
    crank_tree_stages *stage = tree->stages;
    crank_store *store = &tree->s->store;
    listing l = {.tree = tree,
                 .out = stage,
                 .counting = true,
                 .touched = crank_store_take(store, (size_t)shape->body_count, sizeof(bool)),
                 .row_root = crank_store_take(store, (size_t)shape->nv, sizeof(int))};
    if (store->failed) {
        return false;
    }
    for (int k = 0; k < shape->link_count; k++) {
        for (int i = 0; i < shape->link[k].nv; i++) {
            l.row_root[shape->link[k].v + i] = root_of(shape, shape->link[k].body);
        }
    }
    for (int u = 0; u < stage->raw.unknowns; u++) {
        list_column(&l, u);
    }
    if (!take_lists(stage, &l, store)) {
        return false;
    }
    l = (listing){.tree = tree, .out = stage, .touched = l.touched, .row_root = l.row_root};
    for (int u = 0; u < stage->raw.unknowns; u++) {
        list_column(&l, u);
    }
    return true;
}

/* ---- creation ---- */

static bool take_values(crank_tree *tree)
{
    crank_tree_stages *stage = tree->stages;
    crank_store *store = &tree->s->store;
    const size_t nv = (size_t)tree->shape->nv;
    stage->values =
        crank_store_take(store, (size_t)stage->raw.count + 1, sizeof *stage->values);
    stage->r = crank_store_take(store, nv, sizeof *stage->r);
    stage->y = crank_store_take(store, nv, sizeof *stage->y);
    return crank_articulation_take(store, tree->shape, &stage->articulation) && !store->failed;
}

crank_status crank_tree_stage_create(crank_tree *tree, crank_error *err)
{
    crank_system *s = tree->s;
    crank_tree_stages *stage = crank_store_take(&s->store, 1, sizeof *stage);
    if (stage == NULL) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    tree->stages = stage;
    const crank_status status =
        crank_stage_entries_create(s->eom, &s->eom->jacobian_pattern, &stage->raw, err);
    if (status != CRANK_OK) {
        return status;
    }
    bool fine = take_values(tree) && place_additions(tree);
    const bool faster = tree->shape->nv >= LEAST_EXPLICIT || tree->program != NULL;
    if (fine && tree->pairs->calls[1].count == 0 && faster) {
        /* at the point of the recording */
        fine = list_explicit(tree);
        stage->explicit = fine && stage->column_count <= tree->shape->nv &&
                          crank_articulated_is_regular(tree, &stage->articulation);
        fine = fine && (!stage->explicit || place_additions(tree));
    }
    fine = fine && crank_tree_vanish_create(tree, &stage->raw);
    tree->explicit = stage->explicit;
    /* entries other than those of dyn and M^-1 d by accelerations */
    tree->links = stage->column_count > 0 || stage->same_count > tree->shape->nv;
    if (fine && tree->program != NULL && !stage->explicit) {
        crank_tree_compiled_note(tree, "stages of explicit methods: something has no inertia, "
                                       "or loops have more equations than there are joints");
    }
    if (stage->explicit) {
        s->eom->stage_entries = &stage->entries;
    }
    return fine ? CRANK_OK : crank_fail(err, CRANK_EMEM, "stages of the mechanism");
}

bool crank_tree_stage_share(crank_tree *tree, const crank_tree *from)
{
    crank_tree_stages *stage = crank_store_take(&tree->s->store, 1, sizeof *stage);
    if (stage == NULL) {
        return false;
    }
    *stage = *from->stages;
    tree->stages = stage;
    return take_values(tree);
}

void crank_tree_stage_destroy(crank_tree *tree)
{
    if (tree->stages != NULL) {
        crank_stage_entries_destroy(&tree->stages->raw);
    }
}
