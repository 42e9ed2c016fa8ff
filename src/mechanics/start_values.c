/* start_values.c - see start_values.h.
 *
 * A spring without a length has the one that it has at the start, and so have torsion springs
 * their angle and rods (`distance`) their length. Where the start is, is a matter of all joints:
 * bodies without a position are put along them, loops are closed, what `initial` says of
 * positions is met. So the mechanism is built and assembled twice. The first time
 *     what is left to the start is a number in memory, of which positions know nothing,
 *     rods that are as long as they happen to be are no constraints,
 *     conditions on what is left to the start, and on what only forces tell (accelerations,
 *     reactions, dynamic variables), are left out: a spring sags from where it is force-free.
 * The values that are found are constants of the second one, whose positions meet the same
 * constraints, and for each rod one more that holds where the first one stands: there the second
 * one begins, and stays. A value that is the file's but for rounding is the file's to the last bit,
 * and so is all that is closed where the file places it.
 *
 * Parameters that vary and that the start depends on are numbers then: states that set them
 * become models of their own. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/start_values.h"

#include "base/disjoint.h"
#include "base/then.h"
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"
#include "mechanics/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-9; /* of a value, of the mechanism's length, rad */

static int slot_of(const crank_mechanism *m, crank_owner owner)
{
    return owner.index + (owner.kind == CRANK_OWNER_FORCE ? m->joint_count : 0);
}

/* ---- asking ---- */

crank_ex crank_build_at_start(crank_builder *b, crank_owner owner, crank_ex y)
{
    const double given = crank_build_start(b, y);
    if (!b->seeks) {
        const double *value = b->known != NULL ? b->known->value : NULL;
        return crank_ex_number(b->pool,
                               value != NULL ? value[slot_of(b->mechanism, owner)] : given);
    }
    const char *name = crank_store_print(b->store, "#start %d", b->memory.count);
    const crank_asked asked = {.owner = owner, .y = y, .given = given};
    if (name == NULL) {
        b->failed = true;
        return crank_ex_number(b->pool, given);
    }
    const crank_ex symbol = crank_ex_symbol(b->pool, name); /* no user's name has a # */
    crank_build_set_symbol(b, symbol, CRANK_SYMBOL_MEMORY, b->memory.count);
    (void)CRANK_BUILD_PUSH(b, b->memory, isfinite(given) ? given : 0.0);
    (void)CRANK_BUILD_PUSH(b, b->asked, asked);
    return symbol;
}

bool crank_build_seeks(const crank_builder *b)
{
    return b->seeks;
}

/* The key that a record leaves to the start, as its type has it; NULL: none. */
static const char *left_open(const crank_record *record)
{
    const bool rod = strcmp(record->type->name, "distance") == 0;
    const char *key = rod || strcmp(record->type->name, "spring") == 0 ? "length"
                      : strcmp(record->type->name, "torsion") == 0     ? "angle"
                                                                       : NULL;
    return key != NULL && crank_record_find(record, key) == NULL &&
                   (rod || crank_record_find(record, "stiffness") != NULL)
               ? key
               : NULL;
}

static bool leaves_open(const crank_mechanism *m)
{
    bool any = false;
    for (int i = 0; i < m->joint_count && !any; i++) {
        any = left_open(&m->joint[i]) != NULL;
    }
    for (int i = 0; i < m->force_count && !any; i++) {
        any = left_open(&m->force[i]) != NULL;
    }
    return any;
}

/* ---- is all as the file places it? ---- */

/* Of a primitive's vector, what its length is made of. */
static double size_of(const crank_builder *b, const crank_vector *v)
{
    double size = 0.0;
    for (int i = 0; i < v->count; i++) {
        const crank_marker *m = &v->marker[i];
        size += crank_norm3(m->u);
        size += m->point && m->body >= 0 ? crank_norm3(b->start[m->body].x) : 0.0;
    }
    return size;
}

static bool holds(const crank_builder *b, const crank_constraint *c)
{
    double J[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V];
    const crank_primitive *p = &b->primitive.item[c->primitive];
    crank_local local = {.J = J};
    crank_primitive_values(p, b->start, &local);
    const double size = p->kind == CRANK_PRODUCT ? size_of(b, &p->a) * size_of(b, &p->b) : 1.0;
    return fabs(local.y - c->constant) <= rounding * size;
}

/* No body is moved, by joints or by conditions, and no rod is missing. */
static bool is_settled(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    bool settled = m->initial_count + m->initial_joint_count == 0;
    for (int i = 0; i < m->body_count && settled; i++) {
        const crank_body_state *from = &b->start[i], *to = &b->placed[i];
        settled = memcmp(from->x, to->x, sizeof to->x) == 0 &&
                  memcmp(from->R, to->R, sizeof to->R) == 0 && from->angle == to->angle;
    }
    for (int i = 0; i < b->holonomic.count && settled; i++) {
        const crank_constraint *c = &b->holonomic.item[i];
        settled = c->primitive >= 0 ? holds(b, c) : crank_build_start(b, c->ex) == 0.0;
    }
    return settled;
}

/* ---- what tells where bodies stand ---- */

/* Does it speak of positions, and of nothing that is left to the start? */
static bool tells_place(crank_builder *b, crank_ex ex)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    bool tells = symbol != NULL;
    for (int i = 0; i < count && tells; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        tells = s.kind == CRANK_SYMBOL_TIME || s.kind == CRANK_SYMBOL_VALUE ||
                s.kind == CRANK_SYMBOL_RATE || s.kind == CRANK_SYMBOL_S ||
                (s.kind == CRANK_SYMBOL_MEMORY && s.index < b->mechanism->switched_count);
        for (int k = 0; k < b->angle.count; k++) { /* turns are told by memory, too */
            tells =
                tells || (s.kind == CRANK_SYMBOL_MEMORY && s.index >= b->angle.item[k].memory &&
                          s.index < b->angle.item[k].memory + 3);
        }
    }
    free(symbol);
    return tells;
}

/* Conditions that do not are left out; parameters in those that do are numbers. */
static void keep_places(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    int kept = 0;
    for (int i = 0; i < b->condition.count; i++) {
        if (tells_place(b, b->condition.item[i].ex)) {
            b->condition.item[kept++] = b->condition.item[i];
        }
    }
    b->condition.count = kept;
    for (int k = 0; k < m->switched_count; k++) {
        crank_switched *s = &m->switched[k];
        for (int i = 0; i < kept; i++) {
            s->baked =
                s->baked || crank_ex_depends(b->pool, b->condition.item[i].ex, s->symbol);
        }
        for (int i = 0; i < b->holonomic.count; i++) {
            const crank_constraint *c = &b->holonomic.item[i];
            s->baked =
                s->baked || (c->primitive < 0 && crank_ex_depends(b->pool, c->ex, s->symbol));
        }
    }
}

/* Bodies that a primitive reads are of one group; *first: of those before, -1: none. Points that
 * count from the world's origin, or from a point of the ground, tie to the ground; its axes do
 * not. */
static void join_primitive(const crank_builder *b, const crank_primitive *p, int *group,
                           int *first)
{
    int body[6] = {p->first, p->second, -1, -1, -1, -1};
    for (int k = 0; k < 2; k++) {
        const crank_vector *v = k == 0 ? &p->a : &p->b;
        for (int i = 0; i < v->count; i++) {
            const crank_marker *m = &v->marker[i];
            body[2 + 2 * k + i] = m->body < 0 && m->point ? b->mechanism->body_count : m->body;
        }
        if (v->count == 1 && v->marker[0].point) {
            body[3 + 2 * k] = b->mechanism->body_count;
        }
    }
    for (int i = 0; i < 6; i++) {
        if (body[i] >= 0 && *first >= 0) {
            (void)crank_disjoint_join(group, body[i], *first);
        }
        *first = body[i] >= 0 ? body[i] : *first;
    }
}

/* Groups of bodies whose places hang together: by what is a constraint, and by bushings. */
static void find_groups(crank_builder *b, int *group)
{
    const crank_mechanism *m = b->mechanism;
    const int ground = m->body_count;
    for (int i = 0; i <= ground; i++) {
        group[i] = i;
    }
    for (int i = 0; i < m->body_count; i++) {
        if (m->body[i].position_fixing != CRANK_FREE || m->body[i].position_said) {
            (void)crank_disjoint_join(group, i, ground);
        }
    }
    for (int j = 0; j < m->force_count; j++) {
        const crank_joint_place *p = &b->place[m->joint_count + j];
        if (p->given) {
            (void)crank_disjoint_join(group, p->at[0].body < 0 ? ground : p->at[0].body,
                                      p->at[1].body < 0 ? ground : p->at[1].body);
        }
    }
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_constraint *c = &b->holonomic.item[i];
        int first = -1, count = 0;
        if (c->primitive >= 0) {
            join_primitive(b, &b->primitive.item[c->primitive], group, &first);
            continue;
        }
        crank_ex *symbol = crank_build_symbols(b, c->ex, &count);
        for (int k = 0; k < count; k++) {
            const crank_symbol s = crank_build_symbol(b, symbol[k]);
            if (s.kind == CRANK_SYMBOL_VALUE) {
                join_primitive(b, &b->primitive.item[s.index], group, &first);
            }
        }
        free(symbol);
    }
}

/* The body of a rod without a length of which nothing else tells where it stands to the other
 * one; -1: none. */
static int loose_body(const crank_builder *b, crank_owner owner, int *group)
{
    const crank_mechanism *m = b->mechanism;
    const int ground = m->body_count;
    if (owner.kind != CRANK_OWNER_JOINT) {
        return -1;
    }
    const int *between = crank_record_find(&m->joint[owner.index], "between")->index;
    const int first = crank_disjoint_root(group, between[0] < 0 ? ground : between[0]);
    const int second = crank_disjoint_root(group, between[1] < 0 ? ground : between[1]);
    return first == second                                ? -1
           : second != crank_disjoint_root(group, ground) ? between[1]
                                                          : between[0];
}

/* Are there any? loose: joints */
static bool find_loose(crank_builder *b, int *loose)
{
    const crank_mechanism *m = b->mechanism;
    int *group = crank_store_take(b->store, (size_t)m->body_count + 1, sizeof *group);
    bool any = false;
    if (group == NULL) {
        b->failed = true;
        return false;
    }
    find_groups(b, group);
    for (int j = 0; j < m->joint_count; j++) {
        loose[j] = -1;
    }
    for (int i = 0; i < b->asked.count; i++) {
        const int body = loose_body(b, b->asked.item[i].owner, group);
        if (body >= 0) {
            loose[b->asked.item[i].owner.index] = body;
            any = true;
        }
    }
    return any;
}

/* ---- the first assembly ---- */

static crank_status evaluate(crank_builder *b, crank_system *s, double t, const double *x,
                             crank_start_values *out, crank_error *err)
{
    const size_t count = (size_t)b->asked.count;
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    double *y = crank_store_take(b->store, count, sizeof *y);
    crank_expressions *e = NULL;
    if (b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (size_t i = 0; i < count; i++) {
        ex[i] = b->asked.item[i].y;
    }
    const crank_status status = crank_expressions_create(b, (int)count, ex, &e, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_error ignored = {0}; /* a pole is told by the run that begins there */
    crank_system_rewind(s);
    (void)crank_system_accepted(s, t, x, &ignored);
    crank_system_point(s, t, x);
    crank_expressions_evaluate(e, s, t, x, y);
    crank_expressions_destroy(e);
    for (size_t i = 0; i < count; i++) {
        const crank_asked *asked = &b->asked.item[i];
        const bool same = fabs(y[i] - asked->given) <= rounding * fabs(asked->given);
        out->value[slot_of(b->mechanism, asked->owner)] = same ? asked->given : y[i];
    }
    return CRANK_OK;
}

enum { MESSAGES = 16 }; /* as known_start.c keeps */

typedef struct message_list {
    crank_first_start *first;
    crank_store *store;
} message_list;

static void keep_message(crank_level level, const char *text, void *user)
{
    const message_list *l = user;
    if (l->first->messages < MESSAGES) {
        l->first->level[l->first->messages] = level;
        l->first->text[l->first->messages++] = crank_store_copy(l->store, text, strlen(text));
    }
}

static bool asks_rod(const crank_builder *b)
{
    bool rod = false;
    for (int i = 0; i < b->asked.count; i++) {
        rod = rod || b->asked.item[i].owner.kind == CRANK_OWNER_JOINT;
    }
    return rod;
}

static bool take_first(crank_first_start *f, int count, crank_store *store)
{
    f->given = crank_store_take(store, (size_t)count, sizeof *f->given);
    f->found = crank_store_take(store, (size_t)count, sizeof *f->found);
    f->level = crank_store_take(store, MESSAGES, sizeof *f->level);
    f->text = crank_store_take(store, MESSAGES, sizeof *f->text);
    return !store->failed;
}

/* x: n, from the file; *found: where it ended */
static crank_status search(crank_builder *b, crank_system *s, const crank_fixing *fixing,
                           double *x, crank_start_values *out, double **found)
{
    const size_t count = (size_t)(s->eom->n - s->eom->column[CRANK_S]);
    const double *positions = x + s->eom->column[CRANK_S];
    crank_first_start f = {.t = b->mechanism->simulate.t_start};
    double *reached = crank_store_take(b->store, (size_t)s->eom->n, sizeof *reached);
    crank_error ignored = {0};
    if (b->store->failed || !take_first(&f, (int)count, b->store)) {
        return CRANK_EMEM;
    }
    message_list list = {&f, b->store};
    memcpy(f.given, positions, count * sizeof *f.given);
    const crank_status status = crank_system_find_start(
        s, f.t, x, fixing, reached, &f.report, (crank_log){keep_message, &list}, &ignored);
    memcpy(f.found, positions, count * sizeof *f.found);
    /* what does not close is told by the second search; forces may not be found here */
    *found = status == CRANK_OK ? x : reached;
    if (status == CRANK_OK && asks_rod(b)) {
        out->first = f;
        out->first.count = (int)count;
    }
    return status == CRANK_EMEM || b->store->failed ? CRANK_EMEM : CRANK_OK;
}

static crank_status assemble(crank_builder *b, crank_start_values *out, crank_error *err)
{
    crank_system *s = NULL;
    keep_places(b);
    b->first_work = b->dynamic.count;
    crank_status status = crank_system_create(b, &s, err);
    if (status != CRANK_OK) {
        return status;
    }
    const size_t n = (size_t)s->eom->n;
    double *x = crank_store_take(b->store, n, sizeof *x), *found = x;
    crank_fixing *fixing = crank_store_take(b->store, n, sizeof *fixing);
    status = b->store->failed ? CRANK_EMEM : CRANK_OK;
    if (status == CRANK_OK) {
        crank_system_start(s, b, x, fixing);
        status = search(b, s, fixing, x, out, &found);
    }
    if (status != CRANK_OK) {
        (void)crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    CRANK_THEN(status, evaluate(b, s, b->mechanism->simulate.t_start, found, out, err));
    crank_eom_destroy(s->eom);
    return status;
}

static crank_status find(crank_builder *b, crank_start_values *out, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const size_t joints = (size_t)m->joint_count;
    int *loose = crank_store_take(b->store, joints, sizeof *loose);
    double *value = crank_store_take(b->store, joints + (size_t)m->force_count, sizeof *value);
    if (b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    const bool any = find_loose(b, loose);
    if (b->failed || (!any && is_settled(b))) {
        return crank_build_memory(b, err);
    }
    out->value = value;
    out->loose = any ? loose : NULL;
    return any ? CRANK_OK : assemble(b, out, err); /* it is refused */
}

crank_status crank_start_values_find(crank_mechanism *m, crank_start_values *out,
                                     crank_error *err)
{
    const crank_model_options *options = m->options;
    crank_model_options quiet = *options;
    crank_builder b = {0};
    *out = (crank_start_values){0};
    if (!leaves_open(m)) {
        return CRANK_OK;
    }
    quiet.log = (crank_log){0};
    m->options = &quiet;
    crank_status status = crank_builder_init(&b, m, err);
    b.seeks = true;
    CRANK_THEN(status, crank_builder_run(&b, err));
    CRANK_THEN(status, find(&b, out, err));
    crank_builder_free(&b);
    m->options = options;
    return status;
}

const char *crank_build_loose(const crank_builder *b, crank_owner owner)
{
    const int *loose = b->known != NULL ? b->known->loose : NULL;
    return loose != NULL && loose[owner.index] >= 0
               ? b->mechanism->body[loose[owner.index]].name
               : NULL;
}

/* ---- the second search ---- */

crank_status crank_system_take_first(crank_system *s, const crank_builder *b, crank_error *err)
{
    const crank_first_start *from = b->known != NULL ? &b->known->first : NULL;
    if (from == NULL || from->count == 0 || b->coordinates->assembled) {
        return CRANK_OK;
    }
    crank_first_start *f = crank_store_take(&s->store, 1, sizeof *f);
    if (f == NULL || !take_first(f, from->count, &s->store)) {
        return crank_fail(err, CRANK_EMEM, "start values of the mechanism");
    }
    memcpy(f->given, from->given, (size_t)from->count * sizeof *f->given);
    memcpy(f->found, from->found, (size_t)from->count * sizeof *f->found);
    for (int i = 0; i < from->messages; i++) {
        f->level[i] = from->level[i];
        f->text[i] = crank_store_print(&s->store, "%s", from->text[i]);
    }
    f->t = from->t;
    f->count = from->count;
    f->messages = from->messages;
    f->report = from->report;
    s->first = f;
    return s->store.failed ? crank_fail(err, CRANK_EMEM, "start values of the mechanism")
                           : CRANK_OK;
}

const crank_first_start *crank_system_begin_first(crank_system *s, double t, double *x,
                                                  crank_log log)
{
    const crank_first_start *f = s->first;
    const size_t n = (size_t)s->eom->n, count = f != NULL ? (size_t)f->count : 0;
    double *from = count > 0 ? malloc(n * sizeof *from) : NULL;
    if (from == NULL || f->t != t ||
        memcmp(x + (n - count), f->given, count * sizeof *x) != 0) {
        free(from);
        return NULL;
    }
    memcpy(from, x, n * sizeof *x);
    memcpy(x + (n - count), f->found, count * sizeof *x);
    if (s->eom->supplier.carry != NULL) { /* velocities of what turns, theory (5.11) */
        s->eom->supplier.carry(s, t, from, x);
    }
    free(from);
    s->stays = true;
    for (int i = 0; i < f->messages; i++) {
        crank_log_write(&log, f->level[i], "%s", f->text[i]);
    }
    return f;
}
