/* load_loop.c - see load_loop.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/load_loop.h"

#include "base/then.h"
#include "eom/scale.h"
#include "linalg/solver.h"

#include <math.h>
#include <string.h>

static const double vanishing = 1e-10; /* of the terms of a difference: rounding */

static int multipliers(const crank_eom *eom)
{
    return eom->sizes.lambda + eom->sizes.mu;
}

static void layout(crank_load_loop *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, rows = (size_t)multipliers(eom);
    w->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->columns = crank_arena_take(arena, n + m, sizeof(double));
    w->kept = crank_arena_take(arena, rows, sizeof(bool));
    w->reason = crank_arena_take(arena, rows, sizeof(int));
    w->number = crank_arena_take(arena, n, sizeof(int));
    w->read = crank_arena_take(arena, rows, sizeof(bool));
    w->load = crank_arena_take(arena, rows, sizeof(int));
    w->force = crank_arena_take(arena, n, sizeof(double));
    w->total = crank_arena_take(arena, 2 * n, sizeof(double));
    w->work = crank_arena_take(arena, 4 * n, sizeof(double));
    w->y = crank_arena_take(arena, n, sizeof(double));
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->k = crank_arena_take(arena, m, sizeof(double));
    const size_t loads = (size_t)eom->parts->reader_start[eom->parts->reader_count];
    w->gain = crank_arena_take(arena, loads * loads, sizeof(double));
}

/* ---- the matrices ---- */

/* V, its rows as they are, and which of them are independent */
static crank_status read_constraints(crank_load_loop *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range range = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                               eom->column[CRANK_V], eom->column[CRANK_V + 1]};
    int rank;
    crank_status status = crank_structure_range(eom, w->values, range, w->place, w->list,
                                                w->norm, w->columns, &w->V, err);
    CRANK_THEN(status, crank_independent_rows_sparse(&w->V, CRANK_RANK_TOLERANCE, 0, w->kept,
                                                     w->reason, &rank, NULL, err));
    for (int j = 0; j < w->V.columns && status == CRANK_OK; j++) {
        for (int q = w->V.start[j]; q < w->V.start[j + 1]; q++) {
            w->V.values[q] *= w->norm[w->V.row[q]] / w->columns[j];
        }
    }
    if (status == CRANK_OK && !crank_min_transpose(&w->V, &w->T)) {
        status = crank_fail(err, CRANK_EMEM, "forces of %d constraints", w->V.rows);
    }
    return status;
}

/* Constraints at x; rows and columns of K_0 are all auxiliary ones, independent constraints. */
static crank_status prepare(crank_load_loop *w, double t, const double *x, crank_error *err)
{
    const crank_eom_parts *parts = w->eom->parts;
    const int nw = w->eom->sizes.w;
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    CRANK_THEN(status, read_constraints(w, err));
    memset(w->read, 0, (size_t)multipliers(w->eom) * sizeof *w->read);
    for (int q = 0; q < parts->reader_start[parts->reader_count]; q++) {
        w->read[parts->reader_multiplier[q]] = true;
    }
    w->size = 0;
    for (int j = 0; j < w->eom->column[CRANK_R] && status == CRANK_OK; j++) {
        w->number[j] = j < nw || w->kept[j - nw] ? w->size++ : -1;
    }
    return status;
}

static void put(crank_load_loop *w, int *count, int row, double value)
{
    if (w->number[row] >= 0 && value != 0.0) {
        w->K.row[*count] = w->number[row];
        w->K.values[(*count)++] = value;
    }
}

/* w->force := the force of constraint i on all rows of d, theory (1.10); its size */
static double force_of(crank_load_loop *w, int i)
{
    const int nw = w->eom->sizes.w, first = nw - w->eom->sizes.v;
    double size = 0.0;
    memset(w->force, 0, (size_t)nw * sizeof *w->force);
    for (int q = w->T.start[i]; q < w->T.start[i + 1]; q++) {
        w->force[first + w->T.row[q]] = w->T.values[q];
        size = fmax(size, fabs(w->T.values[q]));
    }
    return size;
}

/* A column of F: what the rows d have of multiplier i besides the force of its constraint;
 * false: nothing. */
static bool put_friction(crank_load_loop *w, int i, int *count)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    const int nw = w->eom->sizes.w, j = nw + i, before = *count;
    const double size = force_of(w, i);
    for (int q = J->start[j]; q < J->start[j + 1]; q++) {
        const int row = J->row[q];
        if (row < nw) {
            const double difference = w->values[q] - w->force[row];
            put(w, count, row, fabs(difference) > vanishing * size ? difference : 0.0);
        }
    }
    return *count > before;
}

/* K_0, then F or, if there are residuals k, these */
static bool make_matrix(crank_load_loop *w, const double *k)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int nw = eom->sizes.w, nc = multipliers(eom);
    int column = 0, count = 0;
    const size_t room =
        2 * (size_t)J->start[eom->column[CRANK_R]] + (size_t)w->T.start[w->T.columns] + 1;
    crank_min_free(&w->K);
    if (!crank_min_allocate(&w->K, w->size, w->size + nc + 1, room + (size_t)w->size)) {
        return false;
    }
    for (int j = 0; j < nw; j++) { /* d, gII, hI come first */
        for (int q = J->start[j]; q < J->start[j + 1]; q++) {
            if (J->row[q] < eom->column[CRANK_R]) {
                put(w, &count, J->row[q], w->values[q]);
            }
        }
        w->K.start[++column] = count;
    }
    for (int i = 0; i < nc; i++) {
        if (w->kept[i]) {
            for (int q = w->T.start[i]; q < w->T.start[i + 1]; q++) {
                put(w, &count, nw - eom->sizes.v + w->T.row[q], w->T.values[q]);
            }
            w->K.start[++column] = count;
        }
    }
    for (int i = 0; i < nc && k == NULL; i++) {
        if (w->kept[i] && w->read[i] && put_friction(w, i, &count)) {
            w->load[w->loads++] = i;
            w->K.start[++column] = count;
        }
    }
    for (int i = 0; i < eom->column[CRANK_R] && k != NULL; i++) {
        put(w, &count, i, k[i]);
    }
    w->K.start[column + 1] = count;
    w->K.columns = k != NULL ? column + 1 : column;
    return true;
}

/* K_0 y = the column c behind K_0, whose scales of rows are the same; scales of columns are
 * taken off */
static void solve_column(crank_load_loop *w, crank_solver *solver, int c)
{
    const crank_min_matrix *K = &w->K;
    memset(w->y, 0, (size_t)w->size * sizeof *w->y);
    for (int q = K->start[w->size + c]; q < K->start[w->size + c + 1]; q++) {
        w->y[K->row[q]] = K->values[q];
    }
    crank_solver_solve(solver, 0, w->y, NULL, w->y, NULL);
    for (int i = 0; i < w->size; i++) {
        w->y[i] *= w->total[i] / w->total[w->size + c];
    }
}

static crank_status factor(crank_load_loop *w, crank_solver **out, crank_error *err)
{
    const crank_min_matrix *K = &w->K;
    for (int l = 0; l < K->columns; l++) {
        w->total[l] = 1.0;
    }
    crank_structure_equilibrate(&w->K, w->work, w->work + w->size, w->total);
    crank_status status = crank_solver_create(&(crank_solver_setup){.n = w->size,
                                                                    .start = K->start,
                                                                    .row = K->row,
                                                                    .shifts = 1,
                                                                    .real = true,
                                                                    .short_lived = true},
                                              out, err);
    if (status == CRANK_OK) {
        memcpy(crank_solver_values(*out, 0, false), K->values,
               (size_t)K->start[w->size] * sizeof *K->values);
        status = crank_solver_factor(*out, 0, err);
    }
    return status;
}

crank_status crank_load_loop_find(crank_load_loop *w, double t, const double *x,
                                  crank_error *err)
{
    crank_solver *solver = NULL;
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    w->loads = 0;
    if (status == CRANK_OK && !make_matrix(w, NULL)) {
        status = crank_fail(err, CRANK_EMEM, "loads of %d constraints", multipliers(w->eom));
    }
    if (status != CRANK_OK || w->loads == 0) {
        return status;
    }
    status = factor(w, &solver, err);
    for (int c = 0; c < w->loads && status == CRANK_OK; c++) {
        solve_column(w, solver, c);
        for (int i = 0; i < w->loads; i++) {
            w->gain[i + (long)c * w->loads] = -w->y[w->number[w->eom->sizes.w + w->load[i]]];
        }
    }
    crank_solver_destroy(solver);
    return status;
}

/* d, gII and hI are linear in w, lambda and mu then */
crank_status crank_load_loop_unload(crank_load_loop *w, double t, const double *x,
                                    crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int count = eom->column[CRANK_R];
    crank_solver *solver = NULL;
    memcpy(w->x, x, (size_t)eom->n * sizeof *x);
    memset(w->x + eom->sizes.w, 0, (size_t)multipliers(eom) * sizeof *x);
    crank_status status = crank_eom_evaluate(w->eom, t, w->x, w->k, err);
    if (status == CRANK_OK && !make_matrix(w, w->k)) {
        status = crank_fail(err, CRANK_EMEM, "loads of %d constraints", multipliers(eom));
    }
    CRANK_THEN(status, factor(w, &solver, err));
    if (status == CRANK_OK) {
        solve_column(w, solver, 0);
    }
    for (int j = 0; j < count && status == CRANK_OK; j++) {
        w->x[j] -= w->number[j] >= 0 ? w->y[w->number[j]] : 0.0;
    }
    crank_solver_destroy(solver);
    return status;
}

bool crank_load_loop_exists(const crank_eom *eom)
{
    return eom->parts != NULL && eom->parts->reader_count > 0 && multipliers(eom) > 0 &&
           eom->has_acceleration_level;
}

crank_status crank_load_loop_create(crank_load_loop *w, crank_eom *eom, double t,
                                    const double *x, crank_error *err)
{
    *w = (crank_load_loop){.eom = eom};
    layout(w, &w->arena);
    if (!crank_arena_allocate(&w->arena)) {
        return crank_fail(err, CRANK_EMEM, "loads of %d constraints", multipliers(eom));
    }
    layout(w, &w->arena);
    return prepare(w, t, x, err);
}

void crank_load_loop_destroy(crank_load_loop *w)
{
    crank_min_free(&w->V);
    crank_min_free(&w->T);
    crank_min_free(&w->K);
    crank_arena_free(&w->arena);
}
