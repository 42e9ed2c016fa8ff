/* stage.c - what a stage of an explicit method needs of a mechanism in absolute coordinates
 * (eom/stage.h): rows d, gII, hI, c, b, f_dyn, f_kin, and of the Jacobian
 *
 *     d:  M by accelerations, J^T by multipliers      gII:  J by accelerations
 *     f_dyn:  I                                                                   theory (7.11)
 * M is constant; J is there once the rows are evaluated; laws add what depends on
 * accelerations, w, s, multipliers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/stage.h"
#include "mechanics/absolute/absolute.h"
#include "mechanics/absolute/points.h"
#include "mechanics/law.h"

#include <stdlib.h>
#include <string.h>

typedef struct stage_data {
    crank_stage_entries entries;
    double *constant; /* entries, and one for what is never used */
    int *map;         /* of the fill of constraints and laws */
    crank_points points;
    bool *taken; /* row_count: the row is one of points */
    bool *fixed; /* entries that no evaluation fills, and one for what is never used */
} stage_data;

static stage_data *stage_of(const crank_system *s)
{
    return s->coordinates.self;
}

/* ---- evaluation ---- */

crank_status crank_absolute_stage(void *self, double t, const double *x, double *k,
                                  double *values, crank_error *err)
{
    crank_system *s = self;
    const stage_data *stage = stage_of(s);
    const size_t count = (size_t)stage->entries.count;
    crank_fill fill = {.map = stage->map, .values = values};
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    memcpy(values, stage->constant, (count + 1) * sizeof *values);
    crank_system_rows_point(s, t, x);
    crank_absolute_rows(s, x, k);
    crank_system_balances(s, k);
    crank_points_evaluate(&stage->points, s, x, k, values);
    if (stage->points.row_count + 2 * stage->points.pair_count < s->row_count) {
        crank_system_constraints(
            s, &(crank_wanted){.x = x, .k = k, .stage = &fill, .taken = stage->taken});
    }
    for (int i = 0; i < s->law_count; i++) {
        if (!crank_law_stage(s->law[i], s, t, x, k, &fill)) {
            return crank_fail_place(err, CRANK_RETRY, crank_law_origin(s->law[i]),
                                    "%s: a value is not finite at t = %g",
                                    crank_law_label(s->law[i]), t);
        }
    }
    return CRANK_OK;
}

/* ---- places ---- */

static int find(const crank_system *s, int row, int column)
{
    return crank_stage_entry_at(s->eom, &stage_of(s)->entries, row, column);
}

static void place_bodies(const crank_system *s)
{
    double *constant = stage_of(s)->constant;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *body = &s->body[i];
        const crank_absolute_body *b = crank_absolute_of(s, i);
        const int directions = crank_body_translations(body->kind);
        for (int j = 0; j < b->nv; j++) {
            constant[find(s, b->dyn + j, b->a + j)] = 1.0;
        }
        for (int j = 0; j < directions; j++) {
            constant[find(s, b->d + j, b->a + j)] = body->mass;
        }
        if (body->kind == CRANK_BODY_PLANAR) {
            constant[find(s, b->d + 2, b->a + 2)] = body->inertia[8];
        }
        for (int j = 0; body->kind == CRANK_BODY_SPATIAL && j < 9; j++) {
            constant[find(s, b->d + 3 + j / 3, b->a + 3 + j % 3)] = body->inertia[j];
        }
    }
}

/* the order in which constraints and laws add their entries is recorded at a point that does
 * not matter */
static crank_status place_additions(crank_system *s, crank_error *err)
{
    stage_data *stage = stage_of(s);
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    crank_fill fill = {.recording = true};
    double *point = calloc(n + m + 1, sizeof *point);
    crank_status status = crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    if (point != NULL) {
        crank_system_constraints(
            s, &(crank_wanted){.x = point, .stage = &fill, .taken = stage->taken});
    }
    for (int i = 0; i < s->law_count && point != NULL; i++) {
        (void)crank_law_stage(s->law[i], s, 0.0, point, point + n, &fill);
    }
    stage->map = crank_store_take(&s->store, (size_t)fill.count, sizeof *stage->map);
    if (point != NULL && !fill.failed && stage->map != NULL) {
        for (int i = 0; i < fill.count; i++) {
            stage->map[i] = find(s, fill.row[i], fill.column[i]);
            stage->fixed[stage->map[i]] = false;
        }
        status = CRANK_OK;
    }
    free(point);
    free(fill.row);
    free(fill.column);
    free(fill.used);
    return status;
}

/* Inertias of planar bodies: angles are smoother functions of time than the positions that go
 * round with them, so that projections had better move the latter, theory 9.1. */
static crank_status list_heavy(crank_system *s, crank_error *err)
{
    int *heavy = crank_store_take(&s->store, (size_t)s->body_count + 1, sizeof *heavy);
    if (heavy == NULL) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    s->eom->stage_heavy = heavy;
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        if (s->body[i].kind == CRANK_BODY_PLANAR) {
            heavy[s->eom->stage_heavy_count] = find(s, b->d + 2, b->a + 2);
            stage_of(s)->fixed[heavy[s->eom->stage_heavy_count++]] = false;
        }
    }
    return CRANK_OK;
}

crank_status crank_absolute_stage_create(crank_system *s, crank_error *err)
{
    stage_data *stage = crank_store_take(&s->store, 1, sizeof *stage);
    if (stage == NULL) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    s->coordinates.self = stage;
    const crank_status status =
        crank_stage_entries_create(s->eom, &s->eom->jacobian_pattern, &stage->entries, err);
    if (status != CRANK_OK) {
        return status;
    }
    const size_t count = (size_t)stage->entries.count + 1;
    stage->constant = crank_store_take(&s->store, count, sizeof(double));
    stage->fixed = crank_store_take(&s->store, count, sizeof(bool));
    stage->taken = crank_store_take(&s->store, (size_t)s->row_count, sizeof(bool));
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    place_bodies(s);
    for (size_t e = 0; e < count; e++) {
        stage->fixed[e] = true;
    }
    s->eom->stage_constant = stage->fixed;
    if (crank_points_create(s, find, stage->constant, stage->fixed, stage->taken,
                            &stage->points, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    stage->constant[stage->entries.count] = 0.0; /* that of no place */
    const crank_status placed = place_additions(s, err);
    return placed == CRANK_OK ? list_heavy(s, err) : placed;
}

/* the same places, points of its own */
bool crank_absolute_stage_share(crank_system *s, const crank_system *from)
{
    const crank_points *points = &stage_of(from)->points;
    const size_t count = (size_t)points->moving_count;
    stage_data *stage = crank_store_take(&s->store, 1, sizeof *stage);
    crank_moving *moving = crank_store_take(&s->store, count, sizeof *moving);
    if (s->store.failed) {
        return false;
    }
    *stage = *stage_of(from);
    if (count > 0) {
        memcpy(moving, points->moving, count * sizeof *moving);
    }
    stage->points.moving = moving;
    s->coordinates.self = stage;
    return true;
}

void crank_absolute_stage_destroy(crank_system *s)
{
    if (stage_of(s) != NULL) {
        crank_stage_entries_destroy(&stage_of(s)->entries);
    }
}
