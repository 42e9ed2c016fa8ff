/* system.c - a `crank: mechanism` file as a running system with its eom: its records are read,
 * resolved by a builder, and taken over.
 *
 * Unknowns and rows of bodies, of rows "primitive = constant" and of laws get their places
 * here; evaluation is in system_rows.c and system_jacobian.c, names in system_names.c, the
 * pattern in system_pattern.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/assembly.h"
#include "mechanics/build_inside.h"
#include "mechanics/coupled_start.h"
#include "mechanics/events.h"
#include "mechanics/law.h"
#include "mechanics/mechanism_model.h"
#include "mechanics/rolling_start.h"
#include "mechanics/start_values.h"
#include "mechanics/told_turns.h"

#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "equations of motion of the mechanism");
}

static void move(void *self, double *x, const double *step)
{
    const crank_system *s = self;
    s->coordinates.kind->move(s, x, step);
}

static void destroy(void *self)
{
    crank_system *s = self;
    crank_output_destroy(s->output);
    crank_mechanism_events_destroy(s->events);
    crank_assembly_destroy(s->assembly);
    if (!s->shared) {
        for (int i = 0; i < s->law_count; i++) {
            crank_law_destroy(s->law[i]);
        }
        crank_expressions_destroy(s->angle);
        crank_expressions_destroy(s->told);
        crank_told_turns_destroy(s->told_turns);
        crank_expressions_destroy(s->initial);
        crank_expressions_destroy(s->watched);
        crank_expressions_destroy(s->sliding);
        crank_expressions_destroy(s->twist);
        crank_expressions_destroy(s->filtered);
        crank_expressions_destroy(s->pole_scales);
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

static crank_status make_coordinates(crank_system *s, crank_builder *b, crank_error *err)
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

static crank_status make_conditions(crank_system *s, crank_builder *b, crank_error *err)
{
    crank_ex *ex = crank_store_take(b->store, (size_t)b->condition.count, sizeof *ex);
    if (ex == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < b->condition.count; i++) {
        ex[i] = b->condition.item[i].ex;
    }
    return b->condition.count == 0 || b->coordinates->assembled
               ? CRANK_OK
               : crank_expressions_create(b, b->condition.count, ex, &s->initial, err);
}

/* ---- the whole ---- */

static void find_linear(crank_system *s)
{
    s->eom->stage_linear = s->eom->sizes.s == 0;
    for (int i = 0; i < s->law_count; i++) {
        s->eom->stage_linear = s->eom->stage_linear && crank_law_is_linear(s->law[i]);
        if (!crank_law_is_exact(s->law[i])) {
            s->eom->inexact = crank_law_label(s->law[i]);
        }
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
        !crank_system_take_poles(s, b) || !crank_system_take_conditions(s, b) ||
        !crank_system_take_turning(s, b) || !crank_system_take_struts(s, b) ||
        !crank_system_take_mounts(s, b) || !crank_system_take_axes(s, b)) {
        return no_memory(err);
    }
    crank_status status = crank_system_names(s, b, &sizes, err);
    CRANK_THEN(status, make_coordinates(s, b, err));
    CRANK_THEN(status, crank_system_take_unguided(s, b) ? CRANK_OK : no_memory(err));
    CRANK_THEN(status, crank_system_places(s, b, err));
    CRANK_THEN(status, crank_system_parts(s, b, err));
    CRANK_THEN(status, crank_system_make_angles(s, b, err));
    CRANK_THEN(status, make_conditions(s, b, err));
    CRANK_THEN(status, crank_system_take_watches(s, b, err));
    CRANK_THEN(status, crank_system_take_wheels(s, b, err));
    CRANK_THEN(status, crank_system_take_couplings(s, b, err));
    CRANK_THEN(status, crank_system_take_filters(s, b, err));
    CRANK_THEN(status, crank_system_take_bounds(s, b, err));
    CRANK_THEN(status, crank_system_take_first(s, b, err));
    CRANK_THEN(status, crank_system_take_pole_scales(s, b, err));
    CRANK_THEN(status, make_laws(s, b, err));
    CRANK_THEN(status,
               find_needed(s) ? crank_system_find_autonomous(s, b, err) : no_memory(err));
    CRANK_THEN(status, crank_system_patterns(s, err));
    if (b->coordinates->compile != NULL && b->mechanism->options->compile) {
        CRANK_THEN(status, b->coordinates->compile(s, b, err));
    }
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
                             .carry = s->turning_count > 0 ? crank_system_carry : NULL,
                             .accepted = crank_system_accepted,
                             .stand = crank_system_stand,
                             .archive = crank_system_archive,
                             .stage = s->coordinates.kind->stage,
                             .inertia = s->coordinates.kind->inertia,
                             .accelerate = s->coordinates.kind->accelerate,
                             .definite = s->coordinates.kind->definite,
                             .recursion = s->coordinates.kind->recursion,
                             .motions = s->coordinates.kind->motions,
                             .move = s->coordinates.kind->move != NULL ? move : NULL,
                             .pole = crank_system_find_pole,
                             .look = crank_system_look,
                             .looks_at_state = crank_system_looks_at_state,
                             .culprit = crank_system_culprit,
                             .destroy = destroy};
    eom->self = s;
    *out = s;
    return CRANK_OK;
}

/* ---- of a file ---- */

static crank_status read_mechanism(crank_mechanism *m, const crank_model_source *source,
                                   crank_error *err)
{
    const crank_record_type *const *joints, *const *forces;
    return crank_types_list(m->store, &joints, &forces)
               ? crank_mechanism_read(m, source->document, source->path, joints, forces, err)
               : no_memory(err);
}

static crank_status make_system(crank_model *model, crank_builder *b, crank_error *err)
{
    crank_energy_work work;
    crank_system *s = NULL;
    crank_status status = crank_builder_run(b, err);
    CRANK_THEN(status, crank_energy_build(b, &work, err));
    CRANK_THEN(status, crank_output_resolve(b, err));
    CRANK_THEN(status, crank_mechanism_events_resolve(b, err));
    crank_assembly *assembly = NULL;
    const crank_coordinates_choice choice = b->mechanism->treatment.coordinates;
    bool joint = choice == CRANK_COORDINATES_JOINT;
    if (status == CRANK_OK && choice == CRANK_COORDINATES_AUTO) {
        status = crank_assembly_is_cheaper(b, &joint, err);
    }
    if (status == CRANK_OK && !joint &&
        b->mechanism->treatment.orientation == CRANK_ORIENTATION_CARDAN) {
        status =
            crank_fail(err, CRANK_EREFUSED,
                       "orientation=cardan: bodies have Cardan angles in joint coordinates "
                       "only; use coordinates=joint");
    }
    if (status == CRANK_OK && !joint && b->mechanism->options->compile) {
        status = crank_fail(err, CRANK_EREFUSED,
                            "mechanisms are compiled in joint coordinates; use --coordinates "
                            "joint, or leave out --compile");
    }
    if (status == CRANK_OK && joint) {
        status = crank_assembly_create(b, &assembly, err);
    }
    CRANK_THEN(status, crank_system_create(b, &s, err));
    if (status != CRANK_OK) {
        crank_assembly_destroy(assembly);
        return status;
    }
    s->assembly = assembly;
    return crank_mechanism_keep(model, b, s, &work, err);
}

crank_status crank_mechanism_make(crank_model *model, const crank_model_source *source,
                                  crank_error *err)
{
    crank_store store = {0};
    crank_mechanism m = {.store = &store,
                         .options = source->options,
                         .files = source->files,
                         .pool = crank_pool_create()};
    crank_builder b = {0};
    crank_start_values start = {0};
    crank_status status = m.pool != NULL ? read_mechanism(&m, source, err) : no_memory(err);
    CRANK_THEN(status, crank_mechanism_check(&m, source->document, err));
    CRANK_THEN(status, crank_start_values_find(&m, &start, err));
    if (status == CRANK_OK) {
        status = crank_builder_init(&b, &m, err);
        b.known = &start;
        CRANK_THEN(status, make_system(model, &b, err));
        crank_builder_free(&b);
    }
    if (m.pool != NULL) {
        crank_pool_destroy(m.pool);
    }
    crank_store_free(&store);
    return status;
}
