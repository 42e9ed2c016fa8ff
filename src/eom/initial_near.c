/* initial_near.c - what is preferred ends as near to its given value as the equations allow.
 *
 * Guesses that are far from a solution drag preferred unknowns with them on their way, also
 * where in the end they could do it alone, or nearly so. So from a solution preferred ones
 * are put back,
 *     x_j := given value,
 * free ones follow alone, until the residual vanishes or is as small as they can make it; what
 * is left is then closed by all of them, which is a short way. Of the two solutions the one
 * with the smaller sum of ((x_j - given)/d_j)^2 over preferred unknowns stays.
 *
 * Loops that guesses close on another side may still keep preferred ones far away. If one of
 * them is farther than a placed unknown is ever disturbed, guesses begin again elsewhere,
 * theory (5.4), with what is preferred put back and held first. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Changes that are smaller stay where the tolerance would do without them: what was solved has been
 * polished to rounding. */
static const double little = 1e-6;
/* nearer by less is no reason to leave it, either */
static const double clearly = 0.9;

/* begun elsewhere: attempts, from a disturbance on that leaves the side of a loop, until as many
 * rows have been looked at in steps */
enum { FIRST_ATTEMPT = 3, ATTEMPTS = 32, ROWS = 20000 };

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

/* Is an unknown that is preferred, and that no condition moves, farther from what is given than
 * disturbances go? */
static bool is_far(const crank_initial *w, const double *x)
{
    for (int j = w->eom->column[CRANK_P]; j < w->eom->n; j++) {
        const double move = fabs(x[j] - w->start[j]);
        if (w->fixing[j] != CRANK_PREFERRED ||
            move <= CRANK_MOST_PLACED * crank_initial_plain_move(w, j)) {
            continue;
        }
        bool asked = false;
        for (int i = 0; i < w->conditions; i++) {
            asked = asked || w->touches[i + j * w->conditions];
        }
        if (!asked) {
            return true;
        }
    }
    return false;
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

static void put_back(crank_initial *w)
{
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        w->x[j] = w->fixing[j] == CRANK_PREFERRED ? w->start[j] : w->x[j];
    }
}

/* From w->found, with what is preferred put back, guesses begin elsewhere. *best: the distance
 * of w->found, which becomes what is nearer. */
static crank_status begin_elsewhere(crank_initial *w, int level, double *best, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const int steps = w->iterations;
    for (int attempt = FIRST_ATTEMPT; attempt < ATTEMPTS && is_far(w, w->found) &&
                                      (int64_t)(w->iterations - steps) * w->rows < ROWS;
         attempt++) {
        crank_error ignored = {0}; /* there may be outside the domain */
        bool moved;
        memcpy(w->x, w->found, size);
        const crank_status status = crank_initial_look(w, level, err);
        if (status != CRANK_OK) {
            return status;
        }
        put_back(w);
        w->hold_preferred = true;
        if (crank_initial_look(w, level, &ignored) == CRANK_OK) {
            crank_initial_disturb(w, attempt);
            w->searching = true;
            w->careful = attempt % 2 == 0;
            if (close(w, level, &moved) && distance(w, w->x) < clearly * *best) {
                memcpy(w->found, w->x, size);
                *best = distance(w, w->x);
            }
        }
        w->searching = w->careful = w->hold_preferred = false;
    }
    return CRANK_OK;
}

crank_status crank_initial_near(crank_initial *w, int level, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const double before = distance(w, w->x);
    double best = before;
    bool moved = false;
    if (!has_guesses(w) || before == 0.0) {
        return CRANK_OK;
    }
    memcpy(w->found, w->x, size);
    put_back(w);
    if (close(w, level, &moved) && distance(w, w->x) < clearly * before &&
        (moved || before > little)) {
        best = distance(w, w->x);
        memcpy(w->found, w->x, size);
    }
    if (level == 0 && w->options.max_change > 0.0 && is_far(w, w->found)) {
        const crank_status status = begin_elsewhere(w, level, &best, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    memcpy(w->x, w->found, size);
    return crank_initial_look(w, level, err);
}
