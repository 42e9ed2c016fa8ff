/* stage.c - what a stage of an explicit method needs of a mechanism in joint coordinates
 * (eom/stage.h): rows, and of the Jacobian the mass matrix in d by accelerations, W in gII and hI,
 * W^T in d by multipliers.
 *
 * The mass matrix by composite bodies, theory (7.129): the inertia I_i of all that hangs behind
 * link i, as mass m, m c and moments about O,
 *     F = I_i S_i,   M_ij = M_ji = S_j.F  for links j before i,  F past balls as in chain.c
 * Behind a ball all moves along with its point P: the links before it see a mass m at P. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"
#include "mechanics/law.h"

#include <stdlib.h>
#include <string.h>

/* about O: mass, first moments, second ones xx, xy, xz, yy, yz, zz of the inertia tensor */
typedef struct inertia {
    double m, h[3], J[6];
} inertia;

typedef struct crank_tree_stages {
    crank_stage_entries entries;
    int *map;         /* of the fill */
    inertia *inertia; /* bodies */
} crank_tree_stages;

/* ---- inertia ---- */

/* of a mass at c */
static void add_point(inertia *I, double m, const double c[3])
{
    I->m += m;
    crank_add3(I->h, m, c);
    I->J[0] += m * (c[1] * c[1] + c[2] * c[2]);
    I->J[1] -= m * c[0] * c[1];
    I->J[2] -= m * c[0] * c[2];
    I->J[3] += m * (c[0] * c[0] + c[2] * c[2]);
    I->J[4] -= m * c[1] * c[2];
    I->J[5] += m * (c[0] * c[0] + c[1] * c[1]);
}

static void set_inertia(const crank_tree *tree, int i, inertia *I)
{
    const crank_body *body = &tree->s->body[i];
    const double *R = tree->s->state[i].R;
    memset(I, 0, sizeof *I);
    add_point(I, body->mass, tree->body[i].c);
    if (body->kind == CRANK_BODY_PLANAR) {
        I->J[5] += body->inertia[8];
    } else if (body->kind == CRANK_BODY_SPATIAL) {
        double RJ[9];
        crank_mat3_multiply(RJ, R, body->inertia);
        I->J[0] += crank_dot3(RJ, R);
        I->J[1] += crank_dot3(RJ, R + 3);
        I->J[2] += crank_dot3(RJ, R + 6);
        I->J[3] += crank_dot3(RJ + 3, R + 3);
        I->J[4] += crank_dot3(RJ + 3, R + 6);
        I->J[5] += crank_dot3(RJ + 6, R + 6);
    }
}

/* the body before gets what hangs on it */
static void hand_on(const crank_tree *tree, int i, inertia *all)
{
    const crank_tree_body *body = &tree->shape->body[i];
    const inertia *I = &all[i];
    inertia *on = &all[body->parent];
    if (body->count > 0 && tree->shape->link[body->first].apart) {
        add_point(on, I->m, tree->link[body->first].P);
        return;
    }
    on->m += I->m;
    crank_add3(on->h, 1.0, I->h);
    crank_add6(on->J, 1.0, I->J);
}

/* F = I S: moment J omega + h x v, force m v - h x omega */
static void momentum(const inertia *I, const double S[6], double F[6])
{
    const double *w = S, *v = S + 3, *J = I->J;
    F[0] = J[0] * w[0] + J[1] * w[1] + J[2] * w[2] + I->h[1] * v[2] - I->h[2] * v[1];
    F[1] = J[1] * w[0] + J[3] * w[1] + J[4] * w[2] + I->h[2] * v[0] - I->h[0] * v[2];
    F[2] = J[2] * w[0] + J[4] * w[1] + J[5] * w[2] + I->h[0] * v[1] - I->h[1] * v[0];
    F[3] = I->m * v[0] - I->h[1] * w[2] + I->h[2] * w[1];
    F[4] = I->m * v[1] - I->h[2] * w[0] + I->h[0] * w[2];
    F[5] = I->m * v[2] - I->h[0] * w[1] + I->h[1] * w[0];
}

static void fill_mass_row(const crank_tree *tree, int l, int k, double F[6], crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const int d = tree->row_d, a = tree->column_a, own = link->v + k;
    for (int i = 0; i < link->nv; i++) {
        crank_fill_add(fill, d + link->v + i, a + own, crank_dot6(tree->link[l].S[i], F));
    }
    for (int j = l; link->before >= 0;) {
        crank_tree_pass_force(tree, j, F);
        j = tree->shape->link[j].before;
        const crank_link *other = &tree->shape->link[j];
        for (int i = 0; i < other->nv; i++) {
            const double M = crank_dot6(tree->link[j].S[i], F);
            crank_fill_add(fill, d + other->v + i, a + own, M);
            crank_fill_add(fill, d + own, a + other->v + i, M);
        }
        if (other->before < 0) {
            break;
        }
    }
}

static void fill_mass(const crank_tree *tree, crank_fill *fill)
{
    inertia *all = tree->stages->inertia;
    const crank_tree_shape *shape = tree->shape;
    for (int i = 0; i < shape->body_count; i++) {
        set_inertia(tree, i, &all[i]);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        if (shape->body[shape->order[k]].parent >= 0) {
            hand_on(tree, shape->order[k], all);
        }
    }
    for (int l = 0; l < shape->link_count; l++) {
        const crank_link *link = &shape->link[l];
        for (int k = 0; k < link->nv; k++) {
            double F[6];
            momentum(&all[link->body], tree->link[l].S[k], F);
            fill_mass_row(tree, l, k, F, fill);
            crank_fill_add(fill, tree->row_dyn + link->v + k, tree->column_a + link->v + k,
                           1.0);
        }
    }
}

/* ---- evaluation ---- */

/* law: the one whose value is not finite, else NULL */
static void evaluate(crank_system *s, double t, const double *x, double *k, crank_fill *fill,
                     const crank_law **law)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    const bool forces = tree->pairs->calls[1].count > 0 || fill->recording;
    *law = NULL;
    crank_tree_rows_of(s, x, k);
    crank_tree_vanish_begin(tree);
    tree->call = 0;
    if (forces) {
        crank_tree_begin_blocks(tree);
        memset(tree->own, 0, (size_t)s->body_count * sizeof *tree->own);
    }
    crank_system_balances(s, k);
    crank_system_constraints(s, &(crank_wanted){.x = x, .k = k, .stage = fill});
    for (int i = 0; i < s->law_count; i++) {
        const bool finite = crank_law_stage(s->law[i], s, t, x, k, fill);
        *law = finite || *law != NULL ? *law : s->law[i];
    }
    crank_tree_end_rows(s, k);
    fill_mass(tree, fill);
    if (forces) {
        crank_tree_fill_blocks(tree, fill);
    }
}

crank_status crank_tree_stage(void *self, double t, const double *x, double *k, double *values,
                              crank_error *err)
{
    crank_system *s = self;
    crank_tree *tree = crank_tree_of(&s->coordinates);
    const size_t count = (size_t)tree->stages->entries.count;
    crank_fill fill = {.map = tree->stages->map, .values = values};
    const crank_law *law;
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    memset(values, 0, (count + 1) * sizeof *values);
    crank_system_rows_point(s, t, x);
    tree->stage = true;
    evaluate(s, t, x, k, &fill, &law);
    crank_tree_vanish_clear(tree, values);
    tree->stage = false;
    return law == NULL ? CRANK_OK
                       : crank_fail_place(err, CRANK_RETRY, crank_law_origin(law),
                                          "%s: a value is not finite at t = %g",
                                          crank_law_label(law), t);
}

/* ---- places ---- */

/* the order of additions, at the point at which patterns were recorded last */
static bool record(crank_tree *tree, crank_fill *fill)
{
    crank_system *s = tree->s;
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    double *point = calloc(n + m + 1, sizeof *point);
    const crank_law *law;
    if (point == NULL) {
        return false;
    }
    s->coordinates.kind->straighten(s, point);
    crank_system_point(s, 0.0, point);
    tree->stage = true;
    evaluate(s, 0.0, point, point + n, fill, &law);
    tree->stage = false;
    free(point);
    return !fill->failed;
}

crank_status crank_tree_stage_create(crank_tree *tree, crank_error *err)
{
    crank_system *s = tree->s;
    crank_tree_stages *stage = crank_store_take(&s->store, 1, sizeof *stage);
    if (stage == NULL) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    tree->stages = stage;
    stage->inertia = crank_store_take(&s->store, (size_t)s->body_count, sizeof(inertia));
    crank_status status =
        crank_stage_entries_create(s->eom, &s->eom->jacobian_pattern, &stage->entries, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_fill fill = {.recording = true};
    status = CRANK_EMEM;
    if (stage->inertia != NULL && record(tree, &fill)) {
        stage->map = crank_store_take(&s->store, (size_t)fill.count, sizeof *stage->map);
        for (int i = 0; i < fill.count && stage->map != NULL; i++) {
            stage->map[i] =
                crank_stage_entry_at(s->eom, &stage->entries, fill.row[i], fill.column[i]);
        }
        status = stage->map != NULL && crank_tree_vanish_create(tree, &stage->entries)
                     ? CRANK_OK
                     : CRANK_EMEM;
    }
    free(fill.row);
    free(fill.column);
    free(fill.used);
    return status == CRANK_OK ? CRANK_OK
                              : crank_fail(err, CRANK_EMEM, "stages of the mechanism");
}

bool crank_tree_stage_share(crank_tree *tree, const crank_tree *from)
{
    crank_tree_stages *stage = crank_store_take(&tree->s->store, 1, sizeof *stage);
    if (stage == NULL) {
        return false;
    }
    *stage = *from->stages;
    stage->inertia =
        crank_store_take(&tree->s->store, (size_t)tree->s->body_count, sizeof(inertia));
    tree->stages = stage;
    return stage->inertia != NULL;
}

void crank_tree_stage_destroy(crank_tree *tree)
{
    if (tree->stages != NULL) {
        crank_stage_entries_destroy(&tree->stages->entries);
    }
}
