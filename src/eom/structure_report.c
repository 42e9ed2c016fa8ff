/* structure_report.c - ranks, redundancy and the assumptions behind the equations of motion
 * at a point.
 *
 *     position rows  [c; g; n] over (s, p),      velocity rows  V = [gI_v; h_v] = [GZ; HZ],
 *     bordered matrix, theory (1.12), with the auxiliary unknowns kept:
 *         [ M  -f_w  -f_lambda  -f_mu ]
 *         [ 0   d_w   d_lambda   d_mu ]   over (v', w, lambda, mu)
 *         [ V   0     0          0    ]
 * Redundant rows of V and their multipliers are taken out of the latter; what is left must
 * be regular for the motion to be determined [Ste06, 4.2.1]. With carried accelerations M is
 * I here and the mass matrix stands in d_w: the same matrix serves. A multiplier is unique
 * iff it has no part in a left null vector of V. Up to 600 unknowns ranks come from singular
 * values of row-equilibrated blocks, beyond that from sparse elimination, and condition_g is
 * an estimate from pivots. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double contradiction = 1e-8; /* relative residual that dependent rows may leave */
static const double null_part =
    1e-10; /* squared component of a null vector that counts as zero */

typedef struct work {
    crank_eom *eom;
    double tolerance;
    bool dense;
    crank_structure_report *report;
    double *values, *k, *scale, *mass; /* at the point */
    int *place, *list;                 /* m, n: rows and columns of a block */
    double *norm, *r;                  /* m */
    double *y;                         /* n + m */
    bool *kept;                        /* m; of V afterwards */
    int *reason;                       /* m */
    int rank_v;
    crank_arena arena;
} work;

static void layout(work *w, crank_arena *arena)
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
    w->kept = crank_arena_take(arena, m, sizeof(bool));
    w->reason = crank_arena_take(arena, m, sizeof(int));
}

/* Rows first .. last-1 over columns begin .. end-1. */
static crank_status range_block(work *w, int first, int last, int begin, int end,
                                crank_min_matrix *A, crank_error *err)
{
    return crank_structure_range(w->eom, w->values, (crank_range){first, last, begin, end},
                                 w->place, w->list, w->norm, A, err);
}

static crank_status rank_of_range(work *w, int first, int last, int begin, int end, int *rank,
                                  double *ratio, crank_error *err)
{
    crank_min_matrix A;
    crank_status status = range_block(w, first, last, begin, end, &A, err);
    if (status == CRANK_OK) {
        status = crank_dense_null(&A, w->tolerance, rank, NULL, ratio, err);
        crank_min_free(&A);
    }
    return status;
}

/* What is left of the residuals of rows first .. (those of A) when the unknowns do their
 * best. */
static crank_status find_contradiction(work *w, const crank_min_matrix *A, int first,
                                       crank_error *err)
{
    for (int i = 0; i < A->rows; i++) {
        w->r[i] = w->k[first + i] / w->norm[i];
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

static crank_status examine_position(work *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int c = eom->row[CRANK_ROW_C], g = eom->row[CRANK_ROW_G], n = eom->row[CRANK_ROW_N];
    const int last = eom->row[CRANK_ROW_B], s = eom->column[CRANK_S], ns = eom->sizes.s;
    crank_structure_report *report = w->report;
    crank_min_matrix A;
    int rank = 0, rank_c = 0, rank_cg = 0;
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
        for (int i = 0; i < n - c && status == CRANK_OK; i++) {
            rank_c += w->kept[i] && i < ns;
            rank_cg += w->kept[i];
        }
    }
    crank_min_free(&A);
    if (status == CRANK_OK && w->dense) {
        status = rank_of_range(w, c, g, s, eom->n, &rank_c, NULL, err);
    }
    if (status == CRANK_OK && w->dense) {
        status = rank_of_range(w, c, n, s, eom->n, &rank_cg, NULL, err);
    }
    report->rank_g = rank_cg - rank_c;
    report->freedom_position = ns + eom->sizes.p - rank;
    report->condition_g = 1.0 / report->smallest_ratio;
    return status;
}

/* Multipliers that take part in a left null vector of V: all null vectors by singular
 * values, or one random null vector: a combination of the dependent rows, continued to the
 * independent ones. */
static crank_status find_unique(work *w, const crank_min_matrix *V, crank_error *err)
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

static crank_status examine_velocity(work *w, crank_error *err)
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
    if (status == CRANK_OK) {
        status = w->dense ? crank_independent_rows_dense(&V, w->tolerance, w->kept, w->reason,
                                                         &w->rank_v, err)
                          : crank_independent_rows_sparse(&V, w->tolerance, 0, w->kept,
                                                          w->reason, &w->rank_v, NULL, err);
    }
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
    crank_min_free(&V);
    return status;
}

static crank_status find_regular(const work *w, const crank_min_matrix *A, bool *regular,
                                 crank_error *err)
{
    int rank;
    if (!w->dense) {
        return crank_sparse_regular(A, regular, err);
    }
    const crank_status status = crank_dense_null(A, w->tolerance, &rank, NULL, NULL, err);
    *regular = rank == A->columns;
    return status;
}

/* Rows first + i and columns begin + i for those i < count with carried (of column begin +
 * i) as asked; carried == NULL: all. */
static crank_status square_regular(work *w, int first, int begin, int count,
                                   const bool *carried, bool asked, bool *regular,
                                   crank_error *err)
{
    crank_min_matrix A;
    int size = 0;
    for (int i = 0; i < w->eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        if (carried == NULL || carried[begin + i] == asked) {
            w->list[size] = begin + i;
            w->place[first + i] = size++;
        }
    }
    if (!crank_structure_block(w->eom, w->values, w->place, size, w->list, size, &A, w->norm)) {
        return crank_fail(err, CRANK_EMEM, "block of %d rows", size);
    }
    const crank_status status = find_regular(w, &A, regular, err);
    crank_min_free(&A);
    return status;
}

static crank_status mass_regular(work *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *pattern = &eom->mass_pattern;
    const int nv = eom->sizes.v;
    crank_min_matrix M;
    bool carried = false;
    for (int j = 0; j < eom->n; j++) {
        carried = carried || eom->carried[j];
    }
    if (carried) { /* M stands in d_w */
        return square_regular(w, eom->row[CRANK_ROW_D], eom->column[CRANK_W], eom->sizes.w,
                              eom->carried, true, &w->report->mass_regular, err);
    }
    if (!crank_min_allocate(&M, nv, nv, (size_t)pattern->start[nv])) {
        return crank_fail(err, CRANK_EMEM, "mass matrix of %d rows", nv);
    }
    memcpy(M.start, pattern->start, ((size_t)nv + 1) * sizeof *M.start);
    for (int q = 0; q < pattern->start[nv]; q++) {
        M.row[q] = pattern->row[q];
        M.values[q] = w->mass[q];
    }
    crank_structure_equilibrate(&M, w->r, w->y);
    const crank_status status = find_regular(w, &M, &w->report->mass_regular, err);
    crank_min_free(&M);
    return status;
}

/* Appends to the last column of B the entries of Jacobian column j that have a place. */
static void append_column(const work *w, int j, double sign, crank_min_matrix *B, int *count)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    const int dynamic = w->eom->row[CRANK_ROW_DYN];
    for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
        const int i = pattern->row[q];
        if (w->place[i] >= 0) {
            B->row[*count] = w->place[i];
            B->values[(*count)++] = i >= dynamic ? sign * w->values[q] : w->values[q];
        }
    }
}

static crank_status bordered_regular(work *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int nv = eom->sizes.v, nw = eom->sizes.w, nc = eom->sizes.lambda + eom->sizes.mu;
    const int size = nv + nw + w->rank_v, v = eom->column[CRANK_V],
              y = eom->column[CRANK_LAMBDA];
    crank_min_matrix B;
    const size_t room =
        (size_t)eom->jacobian_pattern.start[eom->n] + (size_t)eom->mass_pattern.start[nv];
    if (!crank_min_allocate(&B, size, size, room)) {
        return crank_fail(err, CRANK_EMEM, "bordered matrix of %d rows", size);
    }
    int count = 0, column = 0, next = nv + nw;
    for (int i = 0; i < eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < nc; i++) {
        w->place[eom->row[CRANK_ROW_GI] + i] = w->kept[i] ? next++ : -1;
    }
    for (int j = 0; j < nv; j++) { /* v': M and V */
        for (int q = eom->mass_pattern.start[j]; q < eom->mass_pattern.start[j + 1]; q++) {
            B.row[count] = eom->mass_pattern.row[q];
            B.values[count++] = w->mass[q];
        }
        append_column(w, v + j, 1.0, &B, &count);
        B.start[++column] = count;
    }
    for (int i = 0; i < eom->m; i++) {
        w->place[i] = -1;
    }
    for (int i = 0; i < nv; i++) {
        w->place[eom->row[CRANK_ROW_DYN] + i] = i;
    }
    for (int i = 0; i < nw; i++) {
        w->place[eom->row[CRANK_ROW_D] + i] = nv + i;
    }
    for (int j = 0; j < nw + nc; j++) { /* w, lambda, mu: -f_dyn and d */
        if (j < nw || w->kept[j - nw]) {
            append_column(w, j < nw ? eom->column[CRANK_W] + j : y + j - nw, -1.0, &B, &count);
            B.start[++column] = count;
        }
    }
    for (int j = 0; j < size;
         j++) { /* rows rise: d stands before f_dyn in the Jacobian, not here */
        for (int q = B.start[j] + 1; q < B.start[j + 1]; q++) {
            for (int p = q; p > B.start[j] && B.row[p - 1] > B.row[p]; p--) {
                const int row = B.row[p];
                const double value = B.values[p];
                B.row[p] = B.row[p - 1];
                B.values[p] = B.values[p - 1];
                B.row[p - 1] = row;
                B.values[p - 1] = value;
            }
        }
    }
    crank_structure_equilibrate(&B, w->r, w->y);
    const crank_status status = find_regular(w, &B, &w->report->bordered_regular, err);
    crank_min_free(&B);
    return status;
}

static crank_status examine(work *w, double t, const double *x, crank_error *err)
{
    crank_eom *eom = w->eom;
    crank_structure_report *report = w->report;
    crank_status status = crank_eom_evaluate(eom, t, x, w->k, err);
    if (status == CRANK_OK) {
        status = crank_eom_evaluate_jacobian(eom, t, x, NULL, w->values, err);
    }
    if (status == CRANK_OK) {
        status = crank_eom_evaluate_mass(eom, t, x, w->mass, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(eom, w->values, x, w->scale);
    status = examine_position(w, err);
    if (status == CRANK_OK) {
        status = examine_velocity(w, err);
    }
    if (status == CRANK_OK) {
        status = bordered_regular(w, err);
    }
    if (status == CRANK_OK) {
        status = mass_regular(w, err);
    }
    if (status == CRANK_OK) {
        status = square_regular(w, eom->row[CRANK_ROW_D], eom->column[CRANK_W], eom->sizes.w,
                                eom->carried, false, &report->auxiliary_regular, err);
    }
    if (status == CRANK_OK) {
        status = square_regular(w, eom->row[CRANK_ROW_C], eom->column[CRANK_S], eom->sizes.s,
                                NULL, false, &report->contact_regular, err);
    }
    return status;
}

crank_status crank_eom_structure(crank_eom *eom, double t, const double *x,
                                 double rank_tolerance, crank_structure_report *report,
                                 crank_error *err)
{
    const size_t constraints = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    *report = (crank_structure_report){0};
    if (!(rank_tolerance > 0.0 && rank_tolerance < 1.0)) {
        return crank_fail(err, CRANK_EARG, "rank_tolerance = %g, must lie between 0 and 1",
                          rank_tolerance);
    }
    report->redundant = calloc(constraints + 1, sizeof *report->redundant);
    report->depends_on = calloc(constraints + 1, sizeof *report->depends_on);
    report->multiplier_unique = calloc(constraints + 1, sizeof *report->multiplier_unique);
    work w = {.eom = eom,
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

void crank_structure_report_free(crank_structure_report *report)
{
    if (report != NULL) {
        free(report->redundant);
        free(report->depends_on);
        free(report->multiplier_unique);
        *report = (crank_structure_report){0};
    }
}
