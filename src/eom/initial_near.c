/* initial_near.c - what is preferred ends as near to its given value as the equations allow.
 *
 * Guesses that are far from a solution drag preferred unknowns with them on their way, also
 * where in the end they could do it alone, or nearly so. So from a solution preferred ones
 * are put back,
 *     x_j := given value,
 * free ones follow alone, until the residual vanishes or is as small as they can make it; what
 * is left is then closed by all of them, which is a short way. Of the two solutions the one
 * with the smaller sum of ((x_j - given)/d_j)^2 over preferred unknowns stays. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <string.h>

/* Changes that are smaller stay where the tolerance would do without them: what was solved has been
 * polished to rounding. */
static const double little = 1e-6;
/* nearer by less is no reason to leave it, either */
static const double clearly = 0.9;

/* Are there free unknowns in the stage just solved? */
static bool has_guesses(const crank_initial *w)
{
    bool any = false;
    for (int l = 0; l < w->columns; l++) {
        any = any || w->fixing[w->column[l]] == CRANK_FREE;
    }
    return any;
}

/* How far x is from what is given, over preferred unknowns, in units of their moves. */
static double distance(const crank_initial *w, const double *x)
{
    double sum = 0.0;
    for (int j = 0; j < w->eom->n; j++) {
        if (w->fixing[j] == CRANK_PREFERRED && x[j] != w->start[j]) {
            sum += pow((x[j] - w->start[j]) / crank_initial_plain_move(w, j), 2);
        }
    }
    return sqrt(sum);
}

/* From w->x: free unknowns alone, then, if that is not enough, all. *moved: steps were made. */
static bool close(crank_initial *w, int level, bool *moved)
{
    crank_stage_end end = CRANK_STAGE_SOLVED;
    crank_error ignored = {0};
    w->hold_preferred = true;
    crank_status status = crank_initial_solve(w, level, moved, &end, &ignored);
    w->hold_preferred = false;
    if (status == CRANK_OK && end != CRANK_STAGE_SOLVED) {
        status = crank_initial_solve(w, level, moved, &end, &ignored);
    }
    return status == CRANK_OK && end == CRANK_STAGE_SOLVED;
}

crank_status crank_initial_near(crank_initial *w, int level, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const double before = distance(w, w->x);
    bool moved = false;
    if (!has_guesses(w) || before == 0.0) {
        return CRANK_OK;
    }
    memcpy(w->found, w->x, size);
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        w->x[j] = w->fixing[j] == CRANK_PREFERRED ? w->start[j] : w->x[j];
    }
    if (close(w, level, &moved) && distance(w, w->x) < clearly * before &&
        (moved || before > little)) {
        return CRANK_OK;
    }
    memcpy(w->x, w->found, size);
    return crank_initial_look(w, level, err);
}
