/* ode_square.c - factors of the system for the algebraic unknowns at a stage, theory (9.2).
 *
 * F_z is mostly [M J^T; J 0], or G M^-1 G^T alone, or has explicit auxiliary unknowns in front: its pivots can be chosen once,
 * on the diagonal (frozen.h), and its symmetry be used if it has it. Where a pivot is lost on the way, where the matrix needs
 * pivots off the diagonal (bodies without mass), with redundant rows and with `linear_algebra: dense` it is LU with pivoting,
 * by KLU or dense. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/ode.h"

#include "linalg/dense.h"

#include <stdlib.h>
#include <string.h>

/* ---- pivots chosen once ---- */

bool crank_ode_square_factor(crank_ode *s)
{
    crank_ode_square *q = &s->square;
    q->ready = NULL;
    if (s->psf->reduction->state.redundant) {
        return false;
    }
    if (q->symmetric != NULL && crank_frozen_factor(q->symmetric, s->values)) {
        q->ready = q->symmetric;
    } else if (q->general != NULL && crank_frozen_factor(q->general, s->values)) {
        q->ready = q->general;
    }
    return q->ready != NULL;
}

/* ---- pivoting ---- */

static void assemble(crank_ode *s)
{
    crank_ode_square *q = &s->square;
    const size_t size =
        q->sparse != NULL ? (size_t)q->start[q->n] : (size_t)q->n * (size_t)q->n;
    memset(q->values, 0, size * sizeof *q->values);
    for (int e = 0; e < s->entries.count; e++) {
        if (q->place[e] >= 0) {
            q->values[q->place[e]] = s->values[e];
        }
    }
}

/* the multiplier of a row that is left out stands alone in its row */
static void leave_out(crank_ode *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_ode_square *q = &s->square;
    const bool *fixed = s->psf->reduction->state.fixed;
    const int first = eom->column[CRANK_LAMBDA], last = eom->column[CRANK_R];
    if (fixed == NULL || !s->psf->reduction->state.redundant) {
        return;
    }
    for (int e = 0; e < s->entries.count; e++) {
        const int i = crank_stage_equation(eom, s->entries.row[e]);
        if (q->place[e] >= 0 && i >= first && i < last && fixed[i]) {
            q->values[q->place[e]] = 0.0;
        }
    }
    for (int j = first; j < last; j++) {
        if (fixed[j]) {
            q->values[q->diagonal[j]] = 1.0;
            s->delta[j] = s->psf->first_multiplier[j - first] - x[j];
        }
    }
}

static crank_status factor(crank_ode *s, bool *regular, crank_error *err)
{
    crank_ode_square *q = &s->square;
    if (q->sparse == NULL) {
        *regular = crank_lu_factor(q->n, q->values, q->n, q->pivot);
        return CRANK_OK;
    }
    const int64_t searches = crank_sparse_pivot_searches(q->sparse);
    const crank_status status = crank_sparse_factor(q->sparse, q->values, err);
    s->psf->statistics.pivot_searches += crank_sparse_pivot_searches(q->sparse) - searches;
    *regular = status == CRANK_OK;
    return status < CRANK_OK ? status : CRANK_OK;
}

crank_status crank_ode_square_solve(crank_ode *s, double t, const double *x, crank_error *err)
{
    crank_ode_square *q = &s->square;
    bool regular = true;
    s->psf->statistics.factorizations++;
    if (crank_ode_square_factor(s)) {
        crank_ode_quick_see(s);
        crank_frozen_solve(q->ready, s->delta);
        return CRANK_OK;
    }
    assemble(s);
    leave_out(s, x);
    const crank_status status = factor(s, &regular, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!regular) {
        return crank_fail(err, CRANK_RETRY,
                          "accelerations and multipliers are not determined at t = %.10g", t);
    }
    if (q->sparse != NULL) {
        crank_sparse_solve(q->sparse, s->delta);
    } else {
        crank_lu_solve(q->n, q->values, q->n, q->pivot, s->delta);
    }
    return CRANK_OK;
}

/* ---- patterns ---- */

/* Columns of the square; with redundant rows all multipliers get their diagonals. row NULL: only counts. */
static int list_square(const crank_ode *s, crank_ode_square *q)
{
    const crank_eom *eom = s->eom;
    const crank_stage_entries *entries = &s->entries;
    int count = 0;
    for (int i = 0; i < q->n; i++) {
        bool due = s->psf->reduction->state.redundant && i >= eom->column[CRANK_LAMBDA] &&
                   i < eom->column[CRANK_R];
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            const int r = crank_stage_equation(eom, entries->row[e]);
            if (q->row != NULL) {
                q->place[e] = r >= 0 ? count : -1;
                q->diagonal[i] = r == i ? count : q->diagonal[i];
            }
            if (q->row != NULL && r >= 0) {
                q->row[count] = r;
            }
            due = due && r != i;
            count += r >= 0;
        }
        if (due && q->row != NULL) {
            q->row[count] = i;
            q->diagonal[i] = count;
        }
        count += due;
        if (q->row != NULL) {
            q->start[i + 1] = count;
        }
    }
    return count;
}

static void *take(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

static void place_dense(const crank_ode *s, crank_ode_square *q)
{
    for (int i = 0; i < q->n; i++) {
        q->diagonal[i] = i + i * q->n;
        for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
            const int r = crank_stage_equation(s->eom, s->entries.row[e]);
            q->place[e] = r >= 0 ? r + i * q->n : -1;
        }
    }
}

/* both forms of frozen.h, as far as they are to be had */
static crank_status choose_pivots(crank_ode *s, const double *values, crank_error *err)
{
    crank_ode_square *q = &s->square;
    const size_t count = (size_t)s->entries.count;
    int *row = take(count, sizeof *row), *column = take(count, sizeof *column);
    crank_status status = row != NULL && column != NULL ? CRANK_OK : CRANK_EMEM;
    for (int i = 0; i < q->n && status == CRANK_OK; i++) {
        for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
            row[e] = crank_stage_equation(s->eom, s->entries.row[e]);
            column[e] = i;
        }
    }
    for (int symmetric = 0; symmetric < 2 && status >= CRANK_OK; symmetric++) {
        status = crank_frozen_create(q->n, s->entries.count, row, column, values,
                                     s->eom->stage_constant, symmetric == 1,
                                     symmetric == 1 ? &q->symmetric : &q->general, err);
    }
    free(row);
    free(column);
    return status < CRANK_OK
               ? crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers", q->n)
               : CRANK_OK;
}

crank_status crank_ode_square_create(crank_ode *s, bool sparse, const double *values,
                                     crank_error *err)
{
    crank_ode_square *q = &s->square;
    q->n = s->entries.unknowns;
    q->row = NULL;
    const size_t n = (size_t)q->n;
    const int count = sparse ? list_square(s, q) : q->n * q->n;
    q->start = take(n + 1, sizeof *q->start);
    q->row = take(sparse ? (size_t)count : 0, sizeof *q->row);
    q->place = take((size_t)s->entries.count, sizeof *q->place);
    q->diagonal = take(n, sizeof *q->diagonal);
    q->values = take((size_t)count, sizeof *q->values);
    q->pivot = take(n, sizeof *q->pivot);
    if (q->start == NULL || q->row == NULL || q->place == NULL || q->diagonal == NULL ||
        q->values == NULL || q->pivot == NULL) {
        return crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers", q->n);
    }
    if (values != NULL) {
        const crank_status status = choose_pivots(s, values, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    if (!sparse) {
        place_dense(s, q);
        return CRANK_OK;
    }
    (void)list_square(s, q);
    s->psf->statistics.analyses++;
    return crank_sparse_create(q->n, q->start, q->row, &q->sparse, err);
}

void crank_ode_square_destroy(crank_ode_square *q)
{
    crank_frozen_destroy(q->symmetric);
    crank_frozen_destroy(q->general);
    crank_sparse_destroy(q->sparse);
    free(q->start);
    free(q->row);
    free(q->place);
    free(q->diagonal);
    free(q->values);
    free(q->pivot);
}
