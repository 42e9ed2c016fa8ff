/* structure_report.c - ranks, redundancy and the assumptions behind the equations of motion
 * at a point.
 *
 *     position rows  [c; g; n] over (s, p),      velocity rows  V = [gI_v; h_v] = [GZ; HZ]
 * and the bordered matrix (structure_regular.c). A multiplier is unique
 * iff it has no part in a left null vector of V. Up to 600 unknowns ranks come from singular
 * values of row-equilibrated blocks, beyond that from sparse elimination, and condition_g is
 * an estimate from pivots. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double contradiction = 1e-8; /* relative residual that dependent rows may leave */
static const double null_part =
    1e-10; /* squared component of a null vector that counts as zero */

static void layout(crank_structure *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    w->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    w->k = crank_arena_take(arena, m, sizeof(double));
    w->scale = crank_arena_take(arena, m, sizeof(double));
    w->mass =
        crank_arena_take(arena, (size_t)eom->mass_pattern.start[eom->sizes.v], sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->r = crank_arena_take(arena, m, sizeof(double));
    w->y = crank_arena_take(arena, n + m, sizeof(double));
    w->columns = crank_arena_take(arena, n + m, sizeof(double));
    w->kept = crank_arena_take(arena, m, sizeof(bool));
    w->reason = crank_arena_take(arena, m, sizeof(int));
}

/* Rows first .. last-1 over columns begin .. end-1. */
static crank_status range_block(crank_structure *w, int first, int last, int begin, int end,
                                crank_min_matrix *A, crank_error *err)
{
    return crank_structure_range(w->eom, w->values, (crank_range){first, last, begin, end},
                                 w->place, w->list, w->norm, w->columns, A, err);
}

static crank_status rank_of_range(crank_structure *w, int first, int last, int begin, int end,
                                  int *rank, double *ratio, crank_error *err)
{
    crank_min_matrix A;
    crank_status status = range_block(w, first, last, begin, end, &A, err);
    if (status == CRANK_OK) {
        status = crank_dense_null(&A, w->tolerance, rank, NULL, ratio, err);
        crank_min_free(&A);
    }
    return status;
}

/* Do residuals of rows first .. (those of A) stay when the unknowns do their best? What is left
 * is a projection, no longer than they are: at a consistent point there is nothing to find. */
static crank_status find_contradiction(crank_structure *w, const crank_min_matrix *A, int first,
                                       crank_error *err)
{
    double length = 0.0, coarsest = 0.0;
    for (int i = 0; i < A->rows; i++) {
        w->r[i] = w->k[first + i] / w->norm[i];
        length = hypot(length, w->r[i]);
        coarsest = fmax(coarsest, w->norm[i] / w->scale[first + i]);
    }
    if (length * coarsest <= contradiction) {
        return CRANK_OK;
    }
    const crank_status status = crank_minimum_norm(A, w->r, w->tolerance, 0.0, w->y, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            w->r[A->row[q]] += A->values[q] * w->y[j];
        }
    }
    for (int i = 0; i < A->rows; i++) {
        const double relative = fabs(w->r[i]) * w->norm[i] / w->scale[first + i];
        w->report->contradictory = w->report->contradictory || relative > contradiction;
    }
    return CRANK_OK;
}

static crank_status examine_position(crank_structure *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int c = eom->row[CRANK_ROW_C], g = eom->row[CRANK_ROW_G];
    const int last = eom->row[CRANK_ROW_B], s = eom->column[CRANK_S], ns = eom->sizes.s;
    crank_structure_report *report = w->report;
    crank_min_matrix A;
    int rank = 0, rank_c = 0;
    crank_status status = range_block(w, c, last, s, eom->n, &A, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = find_contradiction(w, &A, c, err);
    if (status == CRANK_OK && w->dense) {
        status = crank_dense_null(&A, w->tolerance, &rank, NULL, &report->smallest_ratio, err);
    } else if (status == CRANK_OK) {
        status = crank_independent_rows_sparse(&A, w->tolerance, ns, w->kept, w->reason, &rank,
                                               &report->smallest_ratio, err);
        for (int i = 0; i < g - c && status == CRANK_OK; i++) {
            rank_c += w->kept[i];
        }
    }
    crank_min_free(&A);
    if (status == CRANK_OK && w->dense) {
        status = rank_of_range(w, c, g, s, eom->n, &rank_c, NULL, err);
    }
    /* g_p may differ from G Z by what n makes up for: a quaternion's norm */
    report->rank_g = rank - rank_c - eom->sizes.n;
    report->freedom_position = ns + eom->sizes.p - rank;
    report->condition_g = 1.0 / report->smallest_ratio;
    return status;
}

/* Multipliers that take part in a left null vector of V: all null vectors by singular
 * values, or one random null vector: a combination of the dependent rows, continued to the
 * independent ones. */
static crank_status find_unique(crank_structure *w, const crank_min_matrix *V, crank_error *err)
{
    bool *unique = w->report->multiplier_unique;
    if (w->dense) {
        crank_min_matrix T;
        int rank;
        if (!crank_min_transpose(V, &T)) {
            return crank_fail(err, CRANK_EMEM, "transpose of %d rows", V->rows);
        }
        const crank_status status = crank_dense_null(&T, w->tolerance, &rank, w->r, NULL, err);
        for (int i = 0; i < V->rows; i++) {
            unique[i] = w->r[i] <= null_part;
        }
        crank_min_free(&T);
        return status;
    }
    crank_min_matrix I; /* the independent rows */
    if (!crank_min_allocate(&I, w->rank_v, V->columns, (size_t)V->start[V->columns])) {
        return crank_fail(err, CRANK_EMEM, "rows of %d constraints", V->rows);
    }
    int count = 0, entries = 0;
    for (int i = 0; i < V->rows; i++) {
        w->place[i] = w->kept[i] ? count++ : -1;
    }
    for (int j = 0; j < V->columns; j++) {
        w->y[j] = 0.0;
        for (int q = V->start[j]; q < V->start[j + 1]; q++) {
            const int i = V->row[q];
            if (w->kept[i]) {
                I.row[entries] = w->place[i];
                I.values[entries++] = V->values[q];
            } else {
                w->y[j] += V->values[q] * (1.0 + 0.37 * (i % 7)); /* any weights will do */
            }
        }
        I.start[j + 1] = entries;
    }
    const crank_status status = crank_row_combination(&I, w->y, w->r, err);
    for (int i = 0; i < V->rows; i++) {
        unique[i] = w->kept[i] && w->r[w->place[i]] * w->r[w->place[i]] <= null_part;
    }
    crank_min_free(&I);
    return status;
}

/* which rows of V are independent, and how many: rank_v */
static crank_status rank_velocity(crank_structure *w, const crank_min_matrix *V,
                                  crank_error *err)
{
    return w->dense ? crank_independent_rows_dense(V, w->tolerance, w->kept, w->reason,
                                                   &w->rank_v, err)
                    : crank_independent_rows_sparse(V, w->tolerance, 0, w->kept, w->reason,
                                                    &w->rank_v, NULL, err);
}

static crank_status examine_velocity(crank_structure *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int first = eom->row[CRANK_ROW_GI], last = eom->row[CRANK_ROW_E];
    const int nl = eom->sizes.lambda;
    crank_structure_report *report = w->report;
    crank_min_matrix V;
    crank_status status =
        range_block(w, first, last, eom->column[CRANK_V], eom->column[CRANK_S], &V, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = find_contradiction(w, &V, first, err);
    CRANK_THEN(status, rank_velocity(w, &V, err));
    for (int i = 0; i < V.rows && status == CRANK_OK; i++) {
        report->rank_h += w->kept[i] && i >= nl;
        report->multiplier_unique[i] = true;
        if (!w->kept[i]) {
            report->redundant[report->redundant_count] = i;
            report->depends_on[report->redundant_count++] = w->reason[i];
        }
    }
    report->freedom_velocity = eom->sizes.v - w->rank_v;
    if (status == CRANK_OK && report->redundant_count > 0) {
        status = find_unique(w, &V, err);
    }
    if (status == CRANK_OK && report->redundant_count > 0) {
        status = crank_structure_redundant_text(w, &V, err);
    }
    crank_min_free(&V);
    return status;
}

static crank_status look(crank_structure *w, double t, const double *x, crank_error *err)
{
    crank_eom *eom = w->eom;
    w->x = x;
    crank_status status = crank_eom_evaluate(eom, t, x, w->k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, x, NULL, w->values, err));
    CRANK_THEN(status, crank_eom_evaluate_mass(eom, t, x, w->mass, err));
    if (status == CRANK_OK) {
        crank_eom_row_scale(eom, w->values, x, w->scale);
    }
    return status;
}

static crank_status examine(crank_structure *w, double t, const double *x, crank_error *err)
{
    crank_status status = look(w, t, x, err);
    CRANK_THEN(status, examine_position(w, err));
    CRANK_THEN(status, examine_velocity(w, err));
    CRANK_THEN(status, crank_structure_regular(w, err));
    CRANK_THEN(status, crank_structure_bodies(w, err));
    return status;
}

/* of v; general DAEs have positions alone */
static crank_status find_freedom(crank_structure *w, int *freedom, crank_error *err)
{
    const crank_eom *eom = w->eom;
    crank_min_matrix V;
    if (eom->dae != NULL) {
        const crank_status status = examine_position(w, err);
        *freedom = w->report->freedom_position;
        return status;
    }
    crank_status status = range_block(w, eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                      eom->column[CRANK_V], eom->column[CRANK_S], &V, err);
    if (status == CRANK_OK) {
        status = rank_velocity(w, &V, err);
        crank_min_free(&V);
    }
    *freedom = eom->sizes.v - w->rank_v;
    return status;
}

crank_status crank_eom_freedom(crank_eom *eom, double t, const double *x, double rank_tolerance,
                               int *freedom, crank_error *err)
{
    crank_structure_report report = {0};
    crank_structure w = {.eom = eom,
                         .tolerance = rank_tolerance,
                         .report = &report,
                         .dense = eom->n <= CRANK_STRUCTURE_DENSE};
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "freedom of %d unknowns", eom->n);
    }
    layout(&w, &w.arena);
    crank_status status = look(&w, t, x, err);
    CRANK_THEN(status, find_freedom(&w, freedom, err));
    crank_arena_free(&w.arena);
    return status;
}

crank_status crank_eom_structure(crank_eom *eom, double t, const double *x,
                                 double rank_tolerance, crank_structure_report *report,
                                 crank_error *err)
{
    const size_t constraints = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    *report = (crank_structure_report){.loops = -1};
    if (!(rank_tolerance > 0.0 && rank_tolerance < 1.0)) {
        return crank_fail(err, CRANK_EARG, "rank_tolerance = %g, must lie between 0 and 1",
                          rank_tolerance);
    }
    report->redundant = calloc(constraints + 1, sizeof *report->redundant);
    report->depends_on = calloc(constraints + 1, sizeof *report->depends_on);
    report->multiplier_unique = calloc(constraints + 1, sizeof *report->multiplier_unique);
    crank_structure w = {.eom = eom,
                         .tolerance = rank_tolerance,
                         .report = report,
                         .dense = eom->n <= CRANK_STRUCTURE_DENSE};
    layout(&w, &w.arena);
    crank_status status = CRANK_OK;
    if (report->redundant == NULL || report->depends_on == NULL ||
        report->multiplier_unique == NULL || !crank_arena_allocate(&w.arena)) {
        status = crank_fail(err, CRANK_EMEM, "structure of %d unknowns", eom->n);
    }
    if (status == CRANK_OK) {
        layout(&w, &w.arena);
        status = examine(&w, t, x, err);
    }
    crank_arena_free(&w.arena);
    if (status == CRANK_OK && report->redundant_count > 0 && !report->contradictory) {
        status = crank_eom_degenerate(eom, t, x, &report->degenerate, report->degenerate_text,
                                      sizeof report->degenerate_text, err);
    }
    if (status > 0) {
        crank_error detail = {0};
        detail = err != NULL ? *err : detail;
        status = crank_fail(err, CRANK_ENOTFINITE, "structure report: %s", detail.text);
    }
    if (status != CRANK_OK) {
        crank_structure_report_free(report);
    }
    return status;
}

static void free_texts(char **text, int count)
{
    for (int i = 0; text != NULL && i < count; i++) {
        free(text[i]);
    }
    free(text);
}

void crank_structure_report_free(crank_structure_report *report)
{
    if (report != NULL) {
        free(report->redundant);
        free(report->depends_on);
        free(report->multiplier_unique);
        free_texts(report->redundant_text, report->redundant_count);
        free_texts(report->massless_text, report->massless_count);
        free_texts(report->open_text, report->open_count);
        *report = (crank_structure_report){0};
    }
}
