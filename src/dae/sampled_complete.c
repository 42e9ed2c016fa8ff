/* sampled_complete.c - unknowns that E does not multiply from the others, at any point of a motion:
 * c = 0 of all levels in directions of the null space of E, in the sense of least squares,
 * theory (10.14). Newton's iteration, the derivatives of which are kept from row to row while it
 * contracts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/sampled.h"

#include "base/then.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 10 };
static const double slow = 0.3;      /* contraction above which derivatives are made anew */
static const double settled = 1e-13; /* of sizes */
static const double stalled = 1e-9;  /* of sizes: rounding of differences */
static const double regular = 1e-12; /* pivots */

static int all_constraints(const crank_sampled *s)
{
    int rows = 0;
    for (int i = 0; i < s->index; i++) {
        rows += crank_sampled_constraints(s, i);
    }
    return rows;
}

void crank_sampled_complete_layout(crank_sampled *s, crank_arena *arena)
{
    crank_sampled_completion *w = &s->completion;
    const size_t n = (size_t)s->n, rows = CRANK_SAMPLED_INDEX * n;
    w->work_size = crank_least_squares_work_size((int)rows, s->n, 1);
    w->A = crank_arena_take(arena, rows * n, sizeof(double));
    w->basis = crank_arena_take(arena, n * n, sizeof(double));
    w->residual = crank_arena_take(arena, rows, sizeof(double));
    w->change = crank_arena_take(arena, n, sizeof(double));
    w->y = crank_arena_take(arena, n, sizeof(double));
    w->tau = crank_arena_take(arena, n, sizeof(double));
    w->work = crank_arena_take(arena, (size_t)w->work_size, sizeof(double));
    w->order = crank_arena_take(arena, n, sizeof(int));
}

/* residuals of all levels over their sizes */
static crank_status look(crank_sampled *s, double t, const double *y, crank_error *err)
{
    crank_status status = CRANK_OK;
    int row = 0;
    for (int i = 0; i < s->index && status == CRANK_OK; i++) {
        status = crank_sampled_evaluate(s, i, t, y, err);
        for (int r = 0; r < crank_sampled_constraints(s, i); r++, row++) {
            const double size = s->level[i].size[r];
            s->completion.residual[row] = size > 0.0 ? s->level[i].c[r] / size : 0.0;
        }
    }
    return status;
}

/* derivatives of the residuals in the basis, decomposed */
static crank_status prepare(crank_sampled *s, double t, const double *y, crank_error *err)
{
    crank_sampled_completion *w = &s->completion;
    const int rows = all_constraints(s), columns = crank_sampled_constraints(s, 0);
    crank_status status = CRANK_OK;
    int first = 0;
    w->known = false;
    for (int i = 0; i < s->index && status == CRANK_OK; i++) {
        const int count = crank_sampled_constraints(s, i);
        status = crank_sampled_evaluate(s, i, t, y, err);
        memcpy(s->level[i + 1].before_c, s->level[i].c, (size_t)count * sizeof(double));
        for (int q = 0; q < columns && status == CRANK_OK; q++) {
            double *out = w->A + first + (long)q * rows;
            status = crank_sampled_derivative(s, i, t, y, w->basis + (long)q * s->n, 0.0,
                                              s->level[i].across, out, NULL, err);
            for (int r = 0; r < count; r++) {
                const double size = s->level[i].size[r];
                out[r] = size > 0.0 ? out[r] / size : 0.0;
            }
        }
        first += count;
    }
    if (status == CRANK_OK && (!crank_least_squares_factor(rows, columns, w->A, w->order,
                                                           w->tau, w->work, w->work_size) ||
                               !(crank_least_squares_margin(rows, columns, w->A) > regular))) {
        return crank_fail(err, CRANK_RETRY,
                          "the equations do not determine all unknowns at t = %g", t);
    }
    w->known = status == CRANK_OK;
    return status;
}

/* y += a step; *step: its size */
static void take_step(crank_sampled *s, double *y, double *step)
{
    crank_sampled_completion *w = &s->completion;
    const int rows = all_constraints(s), columns = crank_sampled_constraints(s, 0);
    crank_least_squares_solve(rows, columns, w->A, w->order, w->tau, 1, w->residual, w->work,
                              w->work_size);
    memset(w->change, 0, (size_t)s->n * sizeof(double));
    for (int q = 0; q < columns; q++) {
        for (int j = 0; j < s->n; j++) {
            w->change[j] -= w->residual[q] * w->basis[j + q * s->n];
        }
    }
    *step = crank_sampled_extent(s, w->change);
    for (int j = 0; j < s->n; j++) {
        y[j] += w->change[j];
    }
}

crank_status crank_sampled_complete(crank_sampled *s, double t, double *y, crank_error *err)
{
    crank_sampled_completion *w = &s->completion;
    const size_t n = (size_t)s->n, columns = (size_t)crank_sampled_constraints(s, 0);
    double before = INFINITY, step = INFINITY;
    memcpy(w->y, y, n * sizeof *y);
    crank_status status = crank_sampled_evaluate(s, 0, t, w->y, err);
    memcpy(w->basis, s->level[0].N, n * columns * sizeof(double));
    for (int k = 0; k < ITERATIONS && status == CRANK_OK; k++) {
        if (!w->known || (k > 0 && !(step < slow * before))) {
            status = prepare(s, t, w->y, err);
        }
        before = step;
        CRANK_THEN(status, look(s, t, w->y, err));
        if (status == CRANK_OK) {
            take_step(s, w->y, &step);
        }
        if (status == CRANK_OK &&
            (step < settled || (step < stalled && !(step < slow * before)))) {
            memcpy(y, w->y, n * sizeof *y);
            return CRANK_OK;
        }
    }
    w->known = false;
    return status != CRANK_OK
               ? status
               : crank_fail(err, CRANK_RETRY, "algebraic unknowns at t = %g were not found", t);
}
