/* system.c - from a finished builder to the running system and its eom.
 *
 * Unknowns and rows of bodies, of rows "primitive = constant" and of laws get their places
 * here; evaluation is in system_rows.c and system_jacobian.c, names in system_names.c, the
 * pattern in system_pattern.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"
#include "mechanics/events.h"
#include "mechanics/law.h"
#include "mechanics/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of motion of the mechanism");
}

static void destroy(void *self)
{
    crank_system *s = self;
    crank_output_destroy(s->output);
    crank_mechanism_events_destroy(s->events);
    if (!s->shared) {
        for (int i = 0; i < s->law_count; i++) {
            crank_law_destroy(s->law[i]);
        }
        crank_expressions_destroy(s->angle);
        crank_expressions_destroy(s->initial);
        crank_expressions_destroy(s->watched);
        crank_system_free_features(s);
        if (s->coordinates.kind != NULL && s->coordinates.kind->destroy != NULL) {
            s->coordinates.kind->destroy(s);
        }
    }
    crank_law_work_release(s->law_work);
    crank_store_free(&s->store);
    free(s);
}

/* ---- bodies ---- */

static crank_eom_sizes count_unknowns(const crank_builder *b)
{
    crank_eom_sizes sizes = {.r = b->dynamic.count,
                             .w = b->auxiliary.count,
                             .s = b->contact.count,
                             .lambda = b->holonomic.count,
                             .mu = b->nonholonomic.count,
                             .initial = crank_system_conditions(b)};
    b->coordinates->count(b, &sizes);
    return sizes;
}

static bool take_bodies(crank_system *s, const crank_builder *b)
{
    const size_t count = (size_t)b->mechanism->body_count;
    s->body_count = b->mechanism->body_count;
    s->body = crank_store_take(&s->store, count, sizeof *s->body);
    s->state = crank_store_take(&s->store, count, sizeof *s->state);
    for (int i = 0; i < s->body_count && !s->store.failed; i++) {
        const crank_body_record *record = &b->mechanism->body[i];
        crank_body *body = &s->body[i];
        body->kind = b->kind[i];
        body->mass = record->mass;
        memcpy(body->inertia, record->inertia, sizeof body->inertia);
        memcpy(body->center, record->center, sizeof body->center);
        body->np = crank_body_positions(body->kind);
        body->nv = crank_body_velocities(body->kind);
    }
    return !s->store.failed;
}

static crank_status make_coordinates(crank_system *s, const crank_builder *b, crank_error *err)
{
    s->coordinates = (crank_coordinates){.kind = b->coordinates,
                                         .chain = b->coordinates->chain,
                                         .first_velocity = s->eom->column[CRANK_V]};
    return b->coordinates->create(s, b, err);
}

/* ---- primitives and rows ---- */

bool crank_system_take_local(crank_system *s)
{
    const size_t count = (size_t)s->primitive_count;
    size_t row = 0, np = 0, nv = 0;
    s->local = crank_store_take(&s->store, count, sizeof *s->local);
    for (size_t i = 0; i < count; i++) {
        const size_t ip = (size_t)s->primitive[i].np, iv = (size_t)s->primitive[i].nv;
        row += iv;
        np = ip > np ? ip : np;
        nv = iv > nv ? iv : nv;
    }
    double *J = crank_store_take(&s->store, row, sizeof *J);
    s->scratch = crank_store_take(&s->store, np * nv + 2 * np, sizeof *s->scratch);
    if (s->store.failed) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        s->local[i] = (crank_local){
            .J = J, .Y = s->scratch, .bias_p = s->scratch + np, .K = s->scratch + 2 * np};
        J += s->primitive[i].nv;
    }
    return true;
}

static bool take_primitives(crank_system *s, const crank_builder *b)
{
    s->primitive_count = b->primitive.count;
    s->primitive =
        crank_store_take(&s->store, (size_t)b->primitive.count, sizeof *s->primitive);
    for (int i = 0; i < b->primitive.count && s->primitive != NULL; i++) {
        s->primitive[i] = b->primitive.item[i];
    }
    return s->primitive != NULL && crank_system_take_local(s);
}

static bool take_rows(crank_system *s, const crank_builder *b)
{
    const size_t count = (size_t)b->holonomic.count;
    s->row_primitive = crank_store_take(&s->store, count, sizeof *s->row_primitive);
    s->row_lambda = crank_store_take(&s->store, count, sizeof *s->row_lambda);
    s->row_constant = crank_store_take(&s->store, count, sizeof *s->row_constant);
    for (int i = 0; !s->store.failed && i < b->holonomic.count; i++) {
        const crank_constraint *c = &b->holonomic.item[i];
        if (c->primitive >= 0) {
            s->row_primitive[s->row_count] = c->primitive;
            s->row_lambda[s->row_count] = i;
            s->row_constant[s->row_count++] = c->constant;
        }
    }
    return !s->store.failed;
}

/* ---- laws ---- */

static crank_status make_laws(crank_system *s, crank_builder *b, crank_error *err)
{
    const int count[] = {[CRANK_OWNER_JOINT] = b->mechanism->joint_count,
                         [CRANK_OWNER_FORCE] = b->mechanism->force_count,
                         [CRANK_OWNER_EQUATION] = b->equation_count};
    const size_t owners = (size_t)count[0] + (size_t)count[1] + (size_t)count[2];
    s->law = crank_store_take(&s->store, owners, sizeof(crank_law *));
    if (s->law == NULL) {
        return no_memory(err);
    }
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < count[kind]; i++) {
            const crank_owner owner = {.kind = (crank_owner_kind)kind, .index = i};
            crank_law *law = NULL;
            const crank_status status = crank_law_create(b, owner, &law, err);
            if (status != CRANK_OK) {
                return status;
            }
            if (law != NULL) {
                s->law[s->law_count++] = law;
            }
        }
    }
    return CRANK_OK;
}

/* ---- continued angles ---- */

static crank_status make_angles(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t memory = (size_t)b->memory.count, count = (size_t)b->angle.count;
    s->memory_count = b->memory.count;
    s->memory = crank_store_take(&s->store, memory, sizeof *s->memory);
    s->memory_start = crank_store_take(&s->store, memory, sizeof *s->memory_start);
    s->angle_value = crank_store_take(&s->store, count, sizeof *s->angle_value);
    s->angle_memory = crank_store_take(&s->store, count, sizeof *s->angle_memory);
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    if (s->store.failed || ex == NULL) {
        return no_memory(err);
    }
    for (size_t i = 0; i < memory; i++) {
        s->memory[i] = s->memory_start[i] = b->memory.item[i];
    }
    for (size_t i = 0; i < count; i++) {
        ex[i] = b->angle.item[i].ex;
        s->angle_memory[i] = b->angle.item[i].memory;
    }
    s->angle_count = b->angle.count;
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, b->angle.count, ex, &s->angle, err);
}

static crank_status make_conditions(crank_system *s, crank_builder *b, crank_error *err)
{
    crank_ex *ex = crank_store_take(b->store, (size_t)b->condition.count, sizeof *ex);
    if (ex == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < b->condition.count; i++) {
        ex[i] = b->condition.item[i].ex;
    }
    return b->condition.count == 0
               ? CRANK_OK
               : crank_expressions_create(b, b->condition.count, ex, &s->initial, err);
}

crank_status crank_system_accepted(void *self, double t, const double *x, crank_error *err)
{
    crank_system *s = self;
    if (s->angle_count == 0) {
        return CRANK_OK;
    }
    crank_system_point(s, t, x);
    crank_expressions_evaluate(s->angle, s, t, x, s->angle_value);
    for (int i = 0; i < s->angle_count; i++) {
        double *m = s->memory + s->angle_memory[i];
        if (isfinite(s->angle_value[i])) {
            m[0] = s->angle_value[i];
            m[1] = cos(m[0]);
            m[2] = sin(m[0]);
        }
    }
    return crank_system_watch_poles(s, t, err);
}

void crank_system_rewind(crank_system *s)
{
    if (s->memory_count > 0) {
        memcpy(s->memory, s->memory_start, (size_t)s->memory_count * sizeof *s->memory);
    }
}

/* ---- checkpoints ---- */

static void archive(void *self, crank_archive *a)
{
    crank_system *s = self;
    crank_archive_check(a, "continued angles", s->memory_count);
    crank_archive_doubles(a, s->memory, (size_t)s->memory_count);
    if (s->output != NULL) {
        crank_output_archive(s->output, a);
    }
}

/* ---- does anything depend on t? ---- */

static bool depends(const bool *on_t, crank_ex e)
{
    return e >= 0 && on_t[e];
}

static bool any_depends(const crank_builder *b, const bool *on_t)
{
    bool any = false;
    for (int i = 0; i < b->holonomic.count; i++) {
        any = any ||
              (b->holonomic.item[i].primitive < 0 && depends(on_t, b->holonomic.item[i].ex));
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        any = any || depends(on_t, b->nonholonomic.item[i].ex);
    }
    for (int i = 0; i < b->dynamic.count; i++) {
        any = any || depends(on_t, b->dynamic.item[i].equation);
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        any = any || depends(on_t, b->auxiliary.item[i].equation);
    }
    for (int i = 0; i < b->contact.count; i++) {
        any = any || depends(on_t, b->contact.item[i].equation);
    }
    for (int i = 0; i < b->effort.count; i++) {
        any = any || depends(on_t, b->effort.item[i].ex);
    }
    return any;
}

/* Operands come before what is made of them, so that one pass over the pool
 * answers for all expressions. */
static crank_status find_autonomous(crank_system *s, const crank_builder *b, crank_error *err)
{
    const int count = crank_pool_size(b->pool);
    bool *on_t = calloc((size_t)count + 1, sizeof *on_t);
    if (on_t == NULL) {
        return no_memory(err);
    }
    for (crank_ex e = 0; e < count; e++) {
        const crank_ex_op op = crank_ex_get_op(b->pool, e);
        on_t[e] = e == b->mechanism->t;
        for (int i = 0; op != CRANK_EX_NUMBER && op != CRANK_EX_SYMBOL && i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(b->pool, e, i);
            on_t[e] = on_t[e] || (operand >= 0 && on_t[operand]);
        }
    }
    s->eom->autonomous = !any_depends(b, on_t);
    free(on_t);
    return CRANK_OK;
}

/* ---- the whole ---- */

static void find_linear(crank_system *s)
{
    s->eom->stage_linear = s->eom->sizes.s == 0;
    for (int i = 0; i < s->law_count; i++) {
        s->eom->stage_linear = s->eom->stage_linear && crank_law_is_linear(s->law[i]);
    }
}

static bool find_needed(crank_system *s)
{
    bool *is_needed = crank_store_take(&s->store, (size_t)s->primitive_count, sizeof(bool));
    s->needed = crank_store_take(&s->store, (size_t)s->primitive_count, sizeof *s->needed);
    if (s->store.failed) {
        return false;
    }
    for (int i = 0; i < s->law_count; i++) {
        crank_law_mark(s->law[i], is_needed);
    }
    for (int i = 0; i < s->primitive_count; i++) {
        if (is_needed[i]) {
            s->needed[s->needed_count++] = i;
        }
    }
    return true;
}

static crank_status fill_system(crank_system *s, crank_builder *b, crank_error *err)
{
    const crank_eom_sizes sizes = count_unknowns(b);
    s->law_work = b->inside->work;
    s->law_work->references++;
    memcpy(s->gravity, b->mechanism->gravity, sizeof s->gravity);
    if (b->failed || !take_bodies(s, b) || !take_primitives(s, b) || !take_rows(s, b) ||
        !crank_system_take_poles(s, b) || !crank_system_take_conditions(s, b)) {
        return no_memory(err);
    }
    crank_status status = crank_system_names(s, b, &sizes, err);
    CRANK_THEN(status, make_coordinates(s, b, err));
    CRANK_THEN(status, crank_system_places(s, b, err));
    CRANK_THEN(status, crank_system_parts(s, b, err));
    CRANK_THEN(status, make_angles(s, b, err));
    CRANK_THEN(status, make_conditions(s, b, err));
    CRANK_THEN(status, crank_system_take_watches(s, b, err));
    CRANK_THEN(status, make_laws(s, b, err));
    CRANK_THEN(status, find_needed(s) ? find_autonomous(s, b, err) : no_memory(err));
    CRANK_THEN(status, crank_system_patterns(s, err));
    if (status != CRANK_OK) {
        return status;
    }
    find_linear(s);
    return s->coordinates.kind->finish != NULL ? s->coordinates.kind->finish(s, err) : CRANK_OK;
}

crank_status crank_system_create(crank_builder *b, crank_system **out, crank_error *err)
{
    crank_system *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return no_memory(err);
    }
    const crank_status status = fill_system(s, b, err);
    crank_eom *eom = s->eom;
    if (status != CRANK_OK) {
        crank_eom_destroy(eom); /* has no supplier yet */
        destroy(s);
        return status;
    }
    eom->mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    eom->mass_is_identity = true;
    eom->has_acceleration_level = true;
    eom->invariants_absolute = true;
    eom->supplier =
        (crank_eom_supplier){.evaluate = crank_system_evaluate,
                             .jacobian = crank_system_jacobian,
                             .initial = eom->sizes.initial > 0 ? crank_system_initial : NULL,
                             .accepted = crank_system_accepted,
                             .archive = archive,
                             .stage = s->coordinates.kind->stage,
                             .pole = crank_system_find_pole,
                             .look = crank_system_look,
                             .destroy = destroy};
    eom->self = s;
    *out = s;
    return CRANK_OK;
}

/* ---- start values ---- */

void crank_system_start(const crank_system *s, const crank_builder *b, double *x,
                        crank_fixing *fixing)
{
    const crank_eom *eom = s->eom;
    for (int j = 0; j < eom->n; j++) {
        x[j] = 0.0;
        fixing[j] = CRANK_FREE;
    }
    s->coordinates.kind->start(s, b->mechanism->body, b->placed, x, fixing);
    crank_system_release_fixing(s, fixing);
    for (int i = 0; i < b->dynamic.count; i++) {
        x[eom->column[CRANK_R] + i] = b->dynamic.item[i].start;
        fixing[eom->column[CRANK_R] + i] = b->dynamic.item[i].fixing;
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        x[eom->column[CRANK_W] + i] = b->auxiliary.item[i].start;
        fixing[eom->column[CRANK_W] + i] = b->auxiliary.item[i].fixing;
    }
    for (int i = 0; i < b->contact.count; i++) {
        x[eom->column[CRANK_S] + i] = b->contact.item[i].start;
        fixing[eom->column[CRANK_S] + i] = b->contact.item[i].fixing;
    }
}
