/* algebraic_square.c - factors of the system for the algebraic unknowns, theory (9.2).
 *
 * F_z is mostly [M J^T; J 0], or G M^-1 G^T alone, or has explicit auxiliary unknowns in front:
 * its pivots can be chosen once, on the diagonal (recorded.h), and its symmetry be used if it
 * has it. Where a pivot is lost on the way, where the matrix needs pivots off the diagonal
 * (bodies without mass), with redundant rows and where `linear_algebra` names a solver with
 * pivoting it is that of solver.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/algebraic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sqrt(DBL_EPSILON): of the largest entry of a row, in units, theory (9.4) */
static const double least = 1.5e-8;

/* ---- pivots chosen once ---- */

/* theory (9.4) */
static bool counts(const crank_algebraic_square *q, const crank_recorded *factors)
{
    const double *inverse = crank_recorded_inverse_pivots(factors);
    for (int k = 0; k < q->doubtful_count; k++) {
        const int i = q->doubtful[k];
        if (!(fabs(inverse[i]) <= q->most[i])) {
            return false;
        }
    }
    return true;
}

bool crank_algebraic_square_factor(crank_algebraic *s)
{
    crank_algebraic_square *q = &s->square;
    q->ready = NULL;
    if (crank_algebraic_redundant(s)) {
        return false;
    }
    if (q->symmetric != NULL && crank_recorded_factor(q->symmetric, s->values)) {
        q->ready = counts(q, q->symmetric) ? q->symmetric : NULL;
    } else if (q->general != NULL && crank_recorded_factor(q->general, s->values)) {
        q->ready = counts(q, q->general) ? q->general : NULL;
    }
    return q->ready != NULL;
}

/* ---- pivoting ---- */

static void assemble(crank_algebraic *s, double *values)
{
    const crank_algebraic_square *q = &s->square;
    memset(values, 0, (size_t)q->start[q->n] * sizeof *values);
    for (int e = 0; e < s->entries.count; e++) {
        if (q->place[e] >= 0) {
            values[q->place[e]] = s->values[e];
        }
    }
}

/* the multiplier of a row that is left out stands alone in its row */
static void leave_out(crank_algebraic *s, const double *x, double *values)
{
    const crank_eom *eom = s->eom;
    const crank_algebraic_square *q = &s->square;
    const bool *fixed = crank_algebraic_redundant(s) ? s->left_out->fixed : NULL;
    const int first = eom->column[CRANK_LAMBDA], last = eom->column[CRANK_R];
    if (fixed == NULL) {
        return;
    }
    for (int e = 0; e < s->entries.count; e++) {
        const int i = crank_stage_equation(eom, s->entries.row[e]);
        if (q->place[e] >= 0 && i >= first && i < last && fixed[i]) {
            values[q->place[e]] = 0.0;
        }
    }
    for (int j = first; j < last; j++) {
        if (fixed[j]) {
            values[q->diagonal[j]] = 1.0;
            s->delta[j] = s->first_multiplier[j - first] - x[j];
        }
    }
}

crank_status crank_algebraic_square_solve(crank_algebraic *s, double t, const double *x,
                                          crank_error *err)
{
    crank_algebraic_square *q = &s->square;
    s->statistics->factorizations++;
    if (crank_algebraic_square_factor(s)) {
        crank_recorded_solve(q->ready, s->delta);
        return CRANK_OK;
    }
    double *values = crank_solver_values(q->solver, 0, false);
    const int64_t searches = crank_solver_pivot_searches(q->solver);
    assemble(s, values);
    leave_out(s, x, values);
    const crank_status status = crank_solver_factor(q->solver, 0, err);
    s->statistics->pivot_searches += crank_solver_pivot_searches(q->solver) - searches;
    if (status != CRANK_OK) {
        return status < CRANK_OK
                   ? status
                   : crank_fail(err, CRANK_RETRY,
                                "accelerations and multipliers are not determined at t = %.10g",
                                t);
    }
    crank_solver_solve(q->solver, 0, s->delta, NULL, s->delta, NULL);
    return CRANK_OK;
}

void crank_algebraic_square_again(crank_algebraic *s)
{
    crank_algebraic_square *q = &s->square;
    if (q->ready != NULL) {
        crank_recorded_solve(q->ready, s->delta);
        return;
    }
    const bool *fixed = crank_algebraic_redundant(s) ? s->left_out->fixed : NULL;
    for (int j = s->eom->column[CRANK_LAMBDA]; fixed != NULL && j < s->eom->column[CRANK_R];
         j++) {
        s->delta[j] = fixed[j] ? 0.0 : s->delta[j];
    }
    crank_solver_solve(q->solver, 0, s->delta, NULL, s->delta, NULL);
}

/* ---- patterns ---- */

/* Columns of the square; with redundant rows all multipliers get their diagonals. row NULL:
 * only counts. */
static int list_square(const crank_algebraic *s, crank_algebraic_square *q)
{
    const crank_eom *eom = s->eom;
    const crank_stage_entries *entries = &s->entries;
    int count = 0;
    for (int i = 0; i < q->n; i++) {
        bool due = crank_algebraic_redundant(s) && i >= eom->column[CRANK_LAMBDA] &&
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

static double unit_of(const crank_algebraic *s, int unknown)
{
    const crank_eom *eom = s->eom;
    const int s_first = eom->column[CRANK_R]; /* of unknowns: w, lambda, mu, s */
    return s->scale
        ->unit[unknown < s_first ? unknown : eom->column[CRANK_S] + unknown - s_first];
}

/* All unknowns without an entry on the diagonal, and what their pivots are compared with. */
static void find_doubtful(const crank_algebraic *s, crank_algebraic_square *q,
                          const double *values)
{
    q->doubtful_count = 0;
    for (int i = 0; i < q->n; i++) {
        bool own = false;
        double largest = 0.0;
        for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
            const int r = crank_stage_equation(s->eom, s->entries.row[e]);
            own = own || (r == i && values[e] != 0.0);
            largest = r >= 0 ? fmax(largest, fabs(values[e]) * unit_of(s, r)) : largest;
        }
        if (!own) {
            q->most[i] = unit_of(s, i) / (least * largest);
            q->doubtful[q->doubtful_count++] = i;
        }
    }
}

/* both forms of recorded.h, as far as they exist */
static crank_status choose_pivots(crank_algebraic *s, const double *values, crank_error *err)
{
    crank_algebraic_square *q = &s->square;
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
        status = crank_recorded_create(
            q->n, s->entries.count, row, column, values, s->eom->stage_constant,
            symmetric == 1 ? CRANK_RECORDED_SYMMETRIC : CRANK_RECORDED_ANY,
            symmetric == 1 ? &q->symmetric : &q->general, err);
    }
    free(row);
    free(column);
    return status < CRANK_OK
               ? crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers", q->n)
               : CRANK_OK;
}

crank_status crank_algebraic_square_create(crank_algebraic *s, crank_linear_algebra wish,
                                           const double *values, crank_error *err)
{
    crank_algebraic_square *q = &s->square;
    q->n = s->entries.unknowns;
    q->row = NULL;
    const size_t n = (size_t)q->n;
    const int count = list_square(s, q);
    q->start = take(n + 1, sizeof *q->start);
    q->row = take((size_t)count, sizeof *q->row);
    q->place = take((size_t)s->entries.count, sizeof *q->place);
    q->diagonal = take(n, sizeof *q->diagonal);
    q->doubtful = take(n, sizeof *q->doubtful);
    q->most = take(n, sizeof *q->most);
    if (q->start == NULL || q->row == NULL || q->place == NULL || q->diagonal == NULL ||
        q->doubtful == NULL || q->most == NULL) {
        return crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers", q->n);
    }
    if (values != NULL) {
        const crank_status status = choose_pivots(s, values, err);
        if (status != CRANK_OK) {
            return status;
        }
        find_doubtful(s, q, values);
    }
    (void)list_square(s, q);
    s->statistics->analyses += crank_solver_is_sparse(wish, q->n);
    return crank_solver_create(&(crank_solver_setup){.wish = wish,
                                                     .n = q->n,
                                                     .start = q->start,
                                                     .row = q->row,
                                                     .shifts = 1,
                                                     .real = true,
                                                     .reserve = true},
                               &q->solver, err);
}

void crank_algebraic_square_destroy(crank_algebraic_square *q)
{
    crank_recorded_destroy(q->symmetric);
    crank_recorded_destroy(q->general);
    crank_solver_destroy(q->solver);
    free(q->start);
    free(q->row);
    free(q->place);
    free(q->diagonal);
    free(q->doubtful);
    free(q->most);
}
