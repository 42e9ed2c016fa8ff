/* system_stage.c - what a stage of an explicit method needs of a mechanism (eom/stage.h): rows
 * d, gII, hI, c, b, f_dyn, f_kin, and of the Jacobian
 *
 *     d:  M by accelerations, J^T by multipliers      gII:  J by accelerations      f_dyn:  I      theory (7.11)
 * M is constant; J is there once the rows are evaluated; laws add what depends on
 * accelerations, w, s, multipliers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/stage.h"
#include "mechanics/law.h"
#include "mechanics/system_points.h"

#include <stdlib.h>
#include <string.h>

typedef struct crank_system_stage_data {
    crank_stage_entries entries;
    double *constant; /* entries, and one for what is never used */
    int *row_start;   /* row_count + 1: into place */
    /* of rows "primitive = constant": per component of J the entries in gII and d */
    int *place;
    int *map; /* of the laws' fill */
    crank_points points;
    bool *taken; /* row_count: the row is one of points */
    bool *fixed; /* entries that no evaluation fills, and one for what is never used */
} stage_data;

/* ---- evaluation ---- */

crank_status crank_system_stage(void *self, double t, const double *x, double *k,
                                double *values, crank_error *err)
{
    crank_system *s = self;
    const stage_data *stage = s->stage;
    const size_t count = (size_t)stage->entries.count;
    crank_fill fill = {.map = stage->map, .values = values};
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    memcpy(values, stage->constant, (count + 1) * sizeof *values);
    crank_system_rows_point(s, x);
    crank_system_body_rows(s, x, k);
    crank_points_evaluate(&stage->points, s, x, k, values);
    if (stage->points.row_count + 2 * stage->points.pair_count < s->row_count) {
        crank_system_constraints(s, &(crank_wanted){.x = x,
                                                    .k = k,
                                                    .entries = values,
                                                    .row_start = stage->row_start,
                                                    .place = stage->place,
                                                    .taken = stage->taken});
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

/* the stage entry (row, column); entries that are never used: behind the last */
static int find(const crank_system *s, int row, int column)
{
    const crank_stage_entries *entries = &s->stage->entries;
    const int unknown = crank_stage_unknown(s->eom, column);
    int low = entries->start[unknown], high = entries->start[unknown + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (entries->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < entries->start[unknown + 1] && entries->row[low] == row;
    return found ? low : entries->count;
}

static void place_bodies(const crank_system *s)
{
    double *constant = s->stage->constant;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        const int directions = crank_body_translations(b->kind);
        for (int j = 0; j < b->nv; j++) {
            constant[find(s, b->dyn + j, b->a + j)] = 1.0;
        }
        for (int j = 0; j < directions; j++) {
            constant[find(s, b->d + j, b->a + j)] = b->mass;
        }
        if (b->kind == CRANK_BODY_PLANAR) {
            constant[find(s, b->d + 2, b->a + 2)] = b->inertia[8];
        }
        for (int j = 0; b->kind == CRANK_BODY_SPATIAL && j < 9; j++) {
            constant[find(s, b->d + 3 + j / 3, b->a + 3 + j % 3)] = b->inertia[j];
        }
    }
}

static void place_constraints(const crank_system *s)
{
    const crank_eom *eom = s->eom;
    int at = 0;
    for (int i = 0; i < s->row_count; i++) {
        const crank_primitive *primitive = &s->primitive[s->row_primitive[i]];
        const int l = s->row_lambda[i];
        s->stage->row_start[i] = at;
        for (int j = 0; j < primitive->bodies; j++) {
            const crank_body *b = &s->body[primitive->body[j]];
            for (int c = 0; c < b->nv; c++) {
                int *place = s->stage->place + at;
                place[0] = find(s, eom->row[CRANK_ROW_GII] + l, b->a + c);
                place[1] = find(s, b->d + c, eom->column[CRANK_LAMBDA] + l);
                if (!s->stage->taken[i]) {
                    s->stage->fixed[place[0]] = s->stage->fixed[place[1]] = false;
                }
                at += 2;
            }
        }
    }
}

/* the order in which laws add their entries is recorded at a point that does not matter */
static crank_status place_laws(crank_system *s, crank_error *err)
{
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    crank_fill fill = {.recording = true};
    double *point = calloc(n + m + 1, sizeof *point);
    crank_status status = crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    for (int i = 0; i < s->law_count && point != NULL; i++) {
        (void)crank_law_stage(s->law[i], s, 0.0, point, point + n, &fill);
    }
    s->stage->map = crank_store_take(&s->store, (size_t)fill.count, sizeof *s->stage->map);
    if (point != NULL && !fill.failed && s->stage->map != NULL) {
        for (int i = 0; i < fill.count; i++) {
            s->stage->map[i] = find(s, fill.row[i], fill.column[i]);
            s->stage->fixed[s->stage->map[i]] = false;
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
        const crank_body *b = &s->body[i];
        if (b->kind == CRANK_BODY_PLANAR) {
            heavy[s->eom->stage_heavy_count] = find(s, b->d + 2, b->a + 2);
            s->stage->fixed[heavy[s->eom->stage_heavy_count++]] = false;
        }
    }
    return CRANK_OK;
}

crank_status crank_system_stage_create(crank_system *s, crank_error *err)
{
    s->stage = crank_store_take(&s->store, 1, sizeof *s->stage);
    if (s->stage == NULL) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    const crank_status status =
        crank_stage_entries_create(s->eom, &s->eom->jacobian_pattern, &s->stage->entries, err);
    if (status != CRANK_OK) {
        return status;
    }
    size_t places = 0;
    for (int i = 0; i < s->row_count; i++) {
        places += 2 * (size_t)s->primitive[s->row_primitive[i]].nv;
    }
    const size_t count = (size_t)s->stage->entries.count + 1;
    s->stage->constant = crank_store_take(&s->store, count, sizeof(double));
    s->stage->row_start = crank_store_take(&s->store, (size_t)s->row_count, sizeof(int));
    s->stage->place = crank_store_take(&s->store, places, sizeof(int));
    s->stage->fixed = crank_store_take(&s->store, count, sizeof(bool));
    s->stage->taken = crank_store_take(&s->store, (size_t)s->row_count, sizeof(bool));
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "stages of the mechanism");
    }
    place_bodies(s);
    for (size_t e = 0; e < count; e++) {
        s->stage->fixed[e] = true;
    }
    s->eom->stage_constant = s->stage->fixed;
    if (crank_points_create(s, find, s->stage->constant, s->stage->fixed, s->stage->taken,
                            &s->stage->points, err) != CRANK_OK) {
        return CRANK_EMEM;
    }
    place_constraints(s);
    s->stage->constant[s->stage->entries.count] = 0.0; /* that of no place */
    s->eom->stage_linear = s->eom->sizes.s == 0;
    s->eom->kinematics_constant = true;
    for (int i = 0; i < s->body_count; i++) {
        s->eom->kinematics_constant =
            s->eom->kinematics_constant && s->body[i].kind != CRANK_BODY_SPATIAL;
    }
    for (int i = 0; i < s->law_count; i++) {
        s->eom->stage_linear = s->eom->stage_linear && crank_law_is_linear(s->law[i]);
    }
    const crank_status placed = place_laws(s, err);
    return placed == CRANK_OK ? list_heavy(s, err) : placed;
}

/* the same places, points of its own */
bool crank_system_stage_share(crank_system *s, const crank_system *from)
{
    const crank_points *points = &from->stage->points;
    const size_t count = (size_t)points->moving_count;
    s->stage = crank_store_take(&s->store, 1, sizeof *s->stage);
    crank_moving *moving = crank_store_take(&s->store, count, sizeof *moving);
    if (s->store.failed) {
        return false;
    }
    *s->stage = *from->stage;
    if (count > 0) {
        memcpy(moving, points->moving, count * sizeof *moving);
    }
    s->stage->points.moving = moving;
    return true;
}

void crank_system_stage_destroy(crank_system *s)
{
    if (s->stage != NULL) {
        crank_stage_entries_destroy(&s->stage->entries);
    }
}
