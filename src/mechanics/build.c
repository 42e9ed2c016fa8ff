/* build.c - a mechanism's records become what system.h collects: start states of the bodies,
 * then joints, forces and the user's own equations.
 *
 * Joints and forces are built in the order of the file; one that is asked for a coordinate or a
 * quantity before its turn is built then. Everything is found again through hash tables, so
 * that the whole is linear in the size of the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"

#include "linalg/rotation.h"
#include "mechanics/law.h"
#include "mechanics/law_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 }; /* joints and forces that are built because others ask for them */

crank_status crank_build_memory(const crank_builder *b, crank_error *err)
{
    if (b->failed || b->store->failed || crank_pool_status(b->pool) != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    return CRANK_OK;
}

const crank_mechanism *crank_build_mechanism(const crank_builder *b)
{
    return b->mechanism;
}

crank_pool *crank_build_pool(crank_builder *b)
{
    return b->pool;
}

const crank_body_state *crank_build_body(const crank_builder *b, int body)
{
    static const crank_body_state ground = {.kind = CRANK_BODY_SPATIAL,
                                            .q = {1.0, 0.0, 0.0, 0.0},
                                            .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    return body < 0 ? &ground : &b->start[body];
}

/* ---- symbols ---- */

crank_symbol crank_build_symbol(const crank_builder *b, crank_ex ex)
{
    return ex < b->symbol.count ? b->symbol.item[ex] : (crank_symbol){CRANK_SYMBOL_OTHER, -1};
}

void crank_build_set_symbol(crank_builder *b, crank_ex ex, crank_symbol_kind kind, int index)
{
    while (b->symbol.count <= ex) {
        if (!CRANK_BUILD_PUSH(b, b->symbol, (crank_symbol){CRANK_SYMBOL_OTHER, -1})) {
            return;
        }
    }
    b->symbol.item[ex] = (crank_symbol){kind, index};
}

crank_ex *crank_build_symbols(crank_builder *b, crank_ex ex, int *count)
{
    *count = crank_ex_symbols(b->pool, ex, NULL, 0);
    crank_ex *symbol = malloc(((size_t)*count + 1) * sizeof *symbol);
    if (symbol == NULL) {
        b->failed = true;
        *count = 0;
        return NULL;
    }
    (void)crank_ex_symbols(b->pool, ex, symbol, *count);
    return symbol;
}

/* ---- messages ---- */

const char *crank_build_record_kind(const crank_record *record)
{
    for (int i = 0; crank_joint_types[i] != NULL; i++) {
        if (&crank_joint_types[i]->record == record->type) {
            return "joint";
        }
    }
    return "force";
}

crank_status crank_build_fail(const crank_record *record, const char *key, crank_error *err,
                              const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const crank_field *field = key != NULL ? crank_record_find(record, key) : NULL;
    const crank_node *place = field != NULL ? field->node : record->key;
    return crank_fail_node(err, CRANK_EMODEL, place, "%s \"%.80s\": %s",
                           crank_build_record_kind(record), record->name, text);
}

crank_build_label crank_build_label_of(const char *kind, const char *name,
                                       const crank_node *place)
{
    crank_build_label label = {.place = place};
    (void)snprintf(label.text, sizeof label.text, "%s \"%.80s\"", kind, name);
    return label;
}

crank_build_label crank_build_expression_label(const char *kind,
                                               const crank_expression_record *record)
{
    return crank_build_label_of(kind, record->name,
                                record->node != NULL ? record->node : record->key);
}

const crank_expression_record *crank_build_equation(const crank_builder *b, crank_owner owner)
{
    return owner.index < b->inside->equation.count ? b->inside->equation.item[owner.index]
                                                   : NULL;
}

crank_build_label crank_build_owner_label(const crank_builder *b, crank_owner owner)
{
    const crank_mechanism *m = b->mechanism;
    if (owner.kind == CRANK_OWNER_JOINT) {
        return crank_build_label_of("joint", m->joint[owner.index].name,
                                    m->joint[owner.index].key);
    }
    if (owner.kind == CRANK_OWNER_FORCE) {
        return crank_build_label_of("force", m->force[owner.index].name,
                                    m->force[owner.index].key);
    }
    const crank_expression_record *record = crank_build_equation(b, owner);
    return record != NULL ? crank_build_expression_label(
                                b->inside->equation_kind.item[owner.index], record)
                          : (crank_build_label){.text = "mechanism"};
}

/* ---- bodies ---- */

static crank_body_kind kind_of(const crank_mechanism *m, const crank_body_record *record)
{
    if (m->dimension == 2) {
        return record->point ? CRANK_BODY_PLANAR_POINT : CRANK_BODY_PLANAR;
    }
    return record->point ? CRANK_BODY_POINT : CRANK_BODY_SPATIAL;
}

/* The velocity of its origin there: theory (5.11). */
static void record_velocity(const crank_body_record *record, const double origin[3],
                            double v[3])
{
    double way[3], turn[3];
    for (int i = 0; i < 3; i++) {
        way[i] = origin[i] - record->turning_at[i];
    }
    crank_cross3(turn, record->turning, way);
    for (int i = 0; i < 3; i++) {
        v[i] = record->velocity[i] + turn[i];
    }
}

/* From the user's origin to the centre of mass: x = origin + R c, x' = origin' + omega x R
 * c. */
void crank_build_start_body(crank_body_state *state, crank_body_kind kind,
                            const crank_body_record *record)
{
    const double *w = record->angular_velocity;
    double p[CRANK_BODY_MAX_P] = {record->position[0], record->position[1],
                                  record->position[2]};
    double v[CRANK_BODY_MAX_V];
    record_velocity(record, record->position, v);
    if (kind == CRANK_BODY_PLANAR) {
        p[2] = record->angle;
        v[2] = w[2];
    } else if (kind == CRANK_BODY_SPATIAL) {
        memcpy(p + 3, record->orientation, sizeof record->orientation);
    }
    crank_body_state_set(state, kind, p, v, NULL); /* for R */
    double arm[3], turn[3];
    crank_mat3_times(arm, state->R, record->center);
    crank_cross3(turn, w, arm);
    const int axes = crank_body_translations(kind);
    for (int i = 0; i < axes; i++) {
        p[i] += arm[i];
        v[i] += turn[i];
    }
    if (kind == CRANK_BODY_SPATIAL) {
        crank_mat3_transposed_times(v + 3, state->R, w);
    }
    crank_body_state_set(state, kind, p, v, NULL);
}

static void start_bodies(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < m->body_count; i++) {
        b->kind[i] = kind_of(m, &m->body[i]);
        crank_build_start_body(&b->start[i], b->kind[i], &m->body[i]);
    }
}

/* ---- joints and forces ---- */

static crank_status begin(crank_builder *b, unsigned char *stage, const crank_record *record,
                          crank_error *err)
{
    if (*stage == CRANK_BUILD_NOW) {
        return crank_build_fail(record, NULL, err,
                                "it is defined in a circle: what it refers to refers to it");
    }
    if (b->inside->depth >= DEEPEST) {
        return crank_build_fail(record, NULL, err,
                                "more than %d definitions that each need the next one; write "
                                "them in the opposite order",
                                DEEPEST);
    }
    *stage = CRANK_BUILD_NOW;
    b->inside->depth++;
    return CRANK_OK;
}

/* what failed on demand goes before what followed from it */
static crank_status end(crank_builder *b, unsigned char *stage, crank_status status,
                        crank_error *err)
{
    b->inside->depth--;
    *stage = CRANK_BUILD_DONE;
    if (b->inside->status != CRANK_OK) {
        if (err != NULL) {
            *err = b->inside->error;
        }
        return b->inside->status;
    }
    /* without memory, numbers are missing that a joint or force may complain about */
    const crank_status memory = crank_build_memory(b, err);
    return memory != CRANK_OK ? memory : status;
}

static crank_status build_element(crank_builder *b, crank_owner owner,
                                  const crank_record *record, unsigned char *stage,
                                  crank_error *err)
{
    if (*stage == CRANK_BUILD_DONE) {
        return CRANK_OK;
    }
    crank_status status = begin(b, stage, record, err);
    if (status == CRANK_OK) {
        const crank_element_type *type = (const crank_element_type *)(const void *)record->type;
        const crank_owner before = b->inside->current;
        b->inside->current = owner;
        status = type->build(b, record, owner, err);
        status = end(b, stage, status, err);
        b->inside->current = before;
    }
    return status;
}

crank_status crank_build_joint(crank_builder *b, int joint, crank_error *err)
{
    return build_element(b, (crank_owner){CRANK_OWNER_JOINT, joint},
                         &b->mechanism->joint[joint], &b->inside->joint_stage[joint], err);
}

crank_status crank_build_force(crank_builder *b, int force, crank_error *err)
{
    return build_element(b, (crank_owner){CRANK_OWNER_FORCE, force},
                         &b->mechanism->force[force], &b->inside->force_stage[force], err);
}

/* ---- the builder ---- */

crank_status crank_builder_init(crank_builder *b, crank_mechanism *m, crank_error *err)
{
    *b = (crank_builder){.mechanism = m,
                         .pool = m->pool,
                         .store = m->store,
                         .pace = -1,
                         .coordinates = &crank_absolute_coordinates};
    const size_t bodies = (size_t)m->body_count;
    const size_t joints = (size_t)m->joint_count;
    b->kind = crank_store_take(b->store, bodies, sizeof *b->kind);
    b->start = crank_store_take(b->store, bodies, sizeof *b->start);
    b->placed = crank_store_take(b->store, bodies, sizeof *b->placed);
    b->stands = crank_store_take(b->store, bodies, sizeof *b->stands);
    b->place = crank_store_take(b->store, joints + (size_t)m->force_count, sizeof *b->place);
    b->reaction = crank_store_take(b->store, joints, sizeof *b->reaction);
    b->drawing =
        crank_store_take(b->store, joints + (size_t)m->force_count, sizeof *b->drawing);
    b->inside = crank_store_take(b->store, 1, sizeof *b->inside);
    if (b->inside == NULL || b->store->failed) {
        b->inside = NULL;
        b->failed = true;
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    crank_build_inside *inside = b->inside;
    inside->last_row = crank_store_take(b->store, joints, sizeof *inside->last_row);
    inside->last_coordinate =
        crank_store_take(b->store, joints, sizeof *inside->last_coordinate);
    inside->joint_stage = crank_store_take(b->store, joints, 1);
    inside->force_stage = crank_store_take(b->store, (size_t)m->force_count, 1);
    const int constraints[2] = {m->holonomic_count, m->nonholonomic_count};
    for (int k = 0; k < 2; k++) {
        crank_ex *multiplier =
            crank_store_take(b->store, (size_t)constraints[k], sizeof *multiplier);
        for (int i = 0; multiplier != NULL && i < constraints[k]; i++) {
            multiplier[i] = -1;
        }
        inside->multiplier[k] = multiplier;
    }
    inside->work = crank_law_work_create();
    b->failed = inside->work == NULL;
    if (crank_build_memory(b, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    for (size_t i = 0; i < joints; i++) {
        inside->last_row[i] = -1;
        inside->last_coordinate[i] = -1;
    }
    crank_build_set_symbol(b, m->t, CRANK_SYMBOL_TIME, 0);
    for (int i = 0; i < m->switched_count; i++) { /* parameters that events set come first */
        crank_build_set_symbol(b, m->switched[i].symbol, CRANK_SYMBOL_MEMORY, b->memory.count);
        (void)CRANK_BUILD_PUSH(b, b->memory, m->switched[i].start);
    }
    start_bodies(b);
    return crank_build_memory(b, err);
}

crank_status crank_builder_run(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_status status = crank_build_declare_equations(b, err);
    for (int i = 0; i < m->joint_count && status == CRANK_OK; i++) {
        status = crank_build_joint(b, i, err);
    }
    for (int i = 0; i < m->force_count && status == CRANK_OK; i++) {
        status = crank_build_force(b, i, err);
    }
    CRANK_THEN(status, crank_build_state_equations(b, err));
    b->moving = b->primitive.count;
    CRANK_THEN(status, crank_build_conditions(b, err));
    CRANK_THEN(status, crank_build_point_columns(b, err));
    CRANK_THEN(status, crank_build_check_world(b, err));
    CRANK_THEN(status, crank_build_check_unplaced(b, err));
    CRANK_THEN(status, crank_build_check_bars(b, err));
    if (status == CRANK_OK) {
        (void)crank_build_place(b);
    }
    return status == CRANK_OK ? crank_build_memory(b, err) : status;
}

static void free_inside(crank_build_inside *inside)
{
    crank_index_free(&inside->primitive);
    free(inside->symbols.item);
    free(inside->contact_rate.item);
    free(inside->row_before.item);
    free(inside->coordinate_before.item);
    free(inside->equation.item);
    free(inside->equation_kind.item);
    for (int list = 0; list < CRANK_OWNED_LISTS; list++) {
        free(inside->owned[list].start);
        free(inside->owned[list].item);
    }
    crank_law_work_release(inside->work);
}

void crank_builder_free(crank_builder *b)
{
    if (b == NULL || b->mechanism == NULL) {
        return;
    }
    free(b->symbol.item);
    free(b->primitive.item);
    free(b->holonomic.item);
    free(b->nonholonomic.item);
    free(b->dynamic.item);
    free(b->auxiliary.item);
    free(b->contact.item);
    free(b->effort.item);
    free(b->rotor.item);
    free(b->pole.item);
    free(b->friction.item);
    free(b->tread.item);
    free(b->watch.item);
    free(b->work.item);
    free(b->angle.item);
    free(b->led.item);
    free(b->wheel.item);
    free(b->name.item);
    free(b->coordinate.item);
    free(b->condition.item);
    free(b->memory.item);
    free(b->asked.item);
    free(b->filter.item);
    free(b->bound.item);
    if (b->inside != NULL) {
        free_inside(b->inside);
    }
    *b = (crank_builder){0};
}
