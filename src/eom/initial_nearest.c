/* initial_nearest.c - of the solutions beside one that was found the one nearest to where the
 * stage began.
 *
 * Gauss-Newton steps are short each, but not their sum: where the equations leave something
 * open (how far a wheel has turned) that drifts on the way. The smallest change y = (x - x_0)/d
 * with F = 0 satisfies, to first order about a solution,
 *     A y_new = A y - r,     y_new of smallest norm                             theory (5.6)
 * which is repeated, each time closed by the stage itself, while the change becomes clearly
 * smaller. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/initial.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 10 };
static const double clearly = 0.99; /* of the change before: nearer by less is not worth it */

/* How far x is from where the stage began, over states that may move in it. */
static double change(const crank_initial *w, const double *x)
{
    double sum = 0.0;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        sum += j < w->eom->column[CRANK_R] ? 0.0 : pow((x[j] - w->begin[j]) / w->move[j], 2);
    }
    return sqrt(sum);
}

/* w->x := begin + d y_new, with A, r and d of w->x. */
static crank_status approach(crank_initial *w, crank_error *err)
{
    crank_min_solver solver = {0};
    for (int l = 0; l < w->columns; l++) { /* r - A y */
        const int j = w->column[l];
        const double y = (w->x[j] - w->begin[j]) / w->move[j];
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            w->r[w->A.row[q]] -= w->A.values[q] * y;
        }
    }
    crank_status status = crank_min_solver_create(&w->A, CRANK_STEP_TOLERANCE, &solver, err);
    CRANK_THEN(status, crank_min_solver_step(&solver, w->r, 0.0, w->y, err));
    crank_min_solver_destroy(&solver);
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        const int j = w->column[l];
        w->x[j] = w->begin[j] + w->move[j] * w->y[l];
    }
    return status;
}

crank_status crank_initial_nearest(crank_initial *w, int level, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_status status = crank_initial_look(w, level, err);
    bool nearer = status == CRANK_OK && w->columns > 0;
    for (int round = 0; round < ROUNDS && nearer; round++) {
        crank_stage_end end = CRANK_STAGE_SLOW;
        crank_error ignored = {0};
        bool moved;
        /* accelerations and multipliers follow; they have no place of their own */
        memcpy(w->begin, w->x, (size_t)w->eom->column[CRANK_R] * sizeof *w->x);
        const double before = change(w, w->x);
        memcpy(w->found, w->x, size);
        status = approach(w, &ignored);
        CRANK_THEN(status, crank_initial_solve(w, level, &moved, &end, &ignored));
        if (status == CRANK_EMEM) {
            return crank_fail(err, status, "%s", ignored.text);
        }
        nearer = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
                 change(w, w->x) < clearly * before;
        if (!nearer) {
            memcpy(w->x, w->found, size);
        }
        status = crank_initial_look(w, level, err);
        nearer = nearer && status == CRANK_OK;
    }
    return status;
}
