/* initial_near.c - what is preferred ends as near to its given value as the equations allow.
 *
 * Guesses that are far from a solution drag preferred unknowns with them on their way, also
 * where in the end they could do it alone, or nearly so. So from a solution preferred ones
 * are put back,
 *     x_j := given value,
 * free ones follow alone, until the residual vanishes or is as small as they can make it; what
 * is left is then closed by all of them, which is a short way. Of the two solutions the one
 * with the smaller sum of ((x_j - given)/d_j)^2 over preferred unknowns stays. Guesses that
 * the file gives (initial_anchor.c) choose the side on which a loop closes and are preferred
 * in this; then the same is done once more with them among the free ones, so that they do not
 * move what is placed.
 *
 * Loops that guesses close on another side may still keep preferred ones far away. If one of
 * them is farther away than the digits of a file explain, or a guess that the file gives than
 * a sketch does, other guesses begin again elsewhere, theory (5.4), with what is preferred put
 * back and held first.
 *
 * All that leaves a solution that steps have led to. At the end it becomes the nearest one beside it,
 * theory (5.6): to what is placed, whatever guesses do for it, then, with that held, to guesses that
 * the file gives. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Changes that are smaller stay where the tolerance would do without them: what was solved has
 * been polished to rounding. */
static const double little = 1e-6;
/* nearer by less is no reason to leave it, either */
static const double clearly = 0.9;

/* of the unknowns' moves: half a unit of the third digit, with which files place bodies */
static const double nearby = 5e-4;
/* the same of guesses that the file gives: 3 degrees */
static const double rough = 0.05;
/* begun elsewhere: attempts, from a disturbance on that leaves the side of a loop, until as
 * many rows have been looked at in steps */
enum { FIRST_ATTEMPT = 3, ATTEMPTS = 64, ROWS = 60000 };

static bool is_given(const crank_initial *w, int j)
{
    return w->fixing[j] != CRANK_FIXED && !crank_initial_is_guess(w, j);
}

/* Are there free unknowns in the stage just solved? */
static bool has_guesses(const crank_initial *w)
{
    bool any = false;
    for (int l = 0; l < w->columns; l++) {
        any = any || crank_initial_is_guess(w, w->column[l]);
    }
    return any;
}

double crank_initial_distance(const crank_initial *w, const double *x)
{
    const crank_eom *eom = w->eom;
    double sum = 0.0;
    /* positions that have moved before say nothing of velocities, nor these of forces */
    const int end = w->level_at_hand == 1   ? eom->column[CRANK_S]
                    : w->level_at_hand == 2 ? eom->column[CRANK_V]
                                            : eom->n;
    for (int j = 0; j < end; j++) {
        if (is_given(w, j) && x[j] != w->start[j]) {
            sum += pow((x[j] - w->start[j]) / crank_initial_plain_move(w, j), 2);
        }
    }
    return sqrt(sum);
}

/* Is an unknown that is preferred, and that no condition moves, farther from what is given than
 * it would be by its digits? */
static bool is_far(const crank_initial *w, const double *x)
{
    for (int j = w->eom->column[CRANK_P]; j < w->eom->n; j++) {
        const double move = fabs(x[j] - w->start[j]);
        const bool guess = w->fixing[j] == CRANK_FREE && w->anchor[j];
        if ((w->fixing[j] != CRANK_PREFERRED && !guess) ||
            move <= (guess ? rough : nearby) * crank_initial_plain_move(w, j)) {
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

/* Where guesses alone can do no more, A^T r = 0 over their columns, given unknowns must move by
 * y with r^T A y = -|r|^2 to close what is left, to first order: at least |r|^2/|A^T r|. */
static double least_move(const crank_initial *w)
{
    double rest = 0.0, slope = 0.0;
    for (int i = 0; i < w->rows; i++) {
        rest += w->r[i] * w->r[i];
    }
    for (int l = 0; l < w->columns; l++) {
        double sum = 0.0;
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            sum += w->A.values[q] * w->r[w->A.row[q]];
        }
        slope = is_given(w, w->column[l]) ? hypot(slope, sum) : slope;
    }
    return slope > 0.0 ? rest / slope : (double)INFINITY;
}

/* From w->x: free unknowns alone, then, if that is not enough, all, unless given ones would
 * then be farther away than most. *moved: steps were made. */
static bool close(crank_initial *w, int level, double most, bool *moved)
{
    crank_stage_end end = CRANK_STAGE_SOLVED;
    crank_error ignored = {0};
    w->hold_preferred = true;
    crank_status status = crank_initial_solve(w, level, moved, &end, &ignored);
    w->hold_preferred = false;
    if (status == CRANK_OK && end != CRANK_STAGE_SOLVED) {
        status = crank_initial_look(w, level, &ignored);
        if (status == CRANK_OK && least_move(w) > most) {
            return false;
        }
        CRANK_THEN(status, crank_initial_solve(w, level, moved, &end, &ignored));
    }
    return status == CRANK_OK && end == CRANK_STAGE_SOLVED;
}

/* Velocities of bodies that are carried go back to where they began, with those of what carries
 * them. */
static void put_back(crank_initial *w, int level)
{
    const bool carried = level == 1 && w->relative != NULL;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        w->x[j] = is_given(w, j) ? w->start[j] : carried ? w->begin[j] : w->x[j];
    }
}

/* How far what is placed is away, guesses that the file gives left out. */
static double placed_distance(crank_initial *w, const double *x)
{
    w->yield = true;
    const double distance = crank_initial_distance(w, x);
    w->yield = false;
    return distance;
}

/* Is w->x nearer than w->found, at a distance of best, and what is placed no farther? If it is
 * farther guesses of the file give way to it first. */
static bool is_nearer(crank_initial *w, int level, double best)
{
    const double placed = placed_distance(w, w->found) + little;
    bool moved, good = crank_initial_distance(w, w->x) < clearly * best;
    if (good && placed_distance(w, w->x) > placed) {
        w->yield = true;
        crank_error ignored = {0};
        good = crank_initial_look(w, level, &ignored) == CRANK_OK;
        put_back(w, level);
        good = good && close(w, level, (double)INFINITY, &moved);
        w->yield = false;
        good = good && placed_distance(w, w->x) <= placed &&
               crank_initial_distance(w, w->x) < clearly * best;
    }
    return good;
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
        put_back(w, level);
        w->hold_preferred = true;
        if (crank_initial_look(w, level, &ignored) == CRANK_OK) {
            crank_initial_disturb(w, attempt);
            w->searching = true;
            w->careful = attempt % 2 == 0;
            if (close(w, level, *best, &moved) && is_nearer(w, level, *best)) {
                memcpy(w->found, w->x, size);
                *best = crank_initial_distance(w, w->x);
            }
        }
        w->searching = w->careful = w->hold_preferred = false;
    }
    return CRANK_OK;
}

/* Has a guess that the file gives moved, in the stage just solved? */
static bool has_anchors(const crank_initial *w)
{
    bool any = false;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        any = any || (w->fixing[j] == CRANK_FREE && !crank_initial_is_guess(w, j) &&
                      w->x[j] != w->start[j]);
    }
    return any;
}

/* From w->x to what is nearer; *best: its distance. */
static crank_status come_nearer(crank_initial *w, int level, double *best, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const double before = crank_initial_distance(w, w->x);
    bool moved = false;
    *best = before;
    memcpy(w->found, w->x, size);
    if (!has_guesses(w) || before == 0.0) {
        return CRANK_OK;
    }
    put_back(w, level);
    if (close(w, level, (double)INFINITY, &moved) &&
        crank_initial_distance(w, w->x) < clearly * before && (moved || before > little)) {
        *best = crank_initial_distance(w, w->x);
        memcpy(w->found, w->x, size);
    }
    memcpy(w->x, w->found, size);
    return crank_initial_look(w, level, err);
}

crank_status crank_initial_near(crank_initial *w, int level, crank_error *err)
{
    double best, placed;
    crank_status status = come_nearer(w, level, &best, err);
    if (status == CRANK_OK && best > 0.0 && has_anchors(w)) {
        w->yield = true;
        status = crank_initial_look(w, level, err);
        CRANK_THEN(status, come_nearer(w, level, &placed, err));
        w->yield = false;
        CRANK_THEN(status, crank_initial_look(w, level, err));
    }
    if (level == 0 && status == CRANK_OK && w->options.max_change > 0.0 && has_guesses(w) &&
        is_far(w, w->x)) {
        memcpy(w->found, w->x, (size_t)w->eom->n * sizeof *w->x);
        best = crank_initial_distance(w, w->x);
        status = begin_elsewhere(w, level, &best, err);
        memcpy(w->x, w->found, (size_t)w->eom->n * sizeof *w->x);
        CRANK_THEN(status, crank_initial_look(w, level, err));
    }
    return status;
}

crank_status crank_initial_settle(crank_initial *w, crank_error *err)
{
    crank_status status = CRANK_OK;
    if (placed_distance(w, w->x) > little) {
        w->yield = true;
        status = crank_initial_nearest(w, 0, err);
        w->yield = false;
    }
    if (status == CRANK_OK && has_anchors(w)) {
        w->hold_placed = true;
        status = crank_initial_nearest(w, 0, err);
        w->hold_placed = false;
    }
    return status == CRANK_OK ? crank_initial_look(w, 0, err) : status;
}
