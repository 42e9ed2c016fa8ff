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
static const double as_far = 1e-6;  /* two changes that are one but for what a stage leaves */
static const double rounding =
    1e-12; /* a change that is less by more is less: places count by squares */
static const double turned_back = 1e-3; /* rad, or of lengths: seen in a picture */

/* How far x is from where the stage began, over states that may move in it: of guesses, of what is
 * given, and of both as a step counts them. */
typedef struct change {
    double guess, given, step;
} change;

static change find_change(const crank_initial *w)
{
    change sum = {0.0, 0.0, 0.0};
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        const double moved = j < w->eom->column[CRANK_R] ? 0.0 : w->x[j] - w->begin[j];
        double *own = crank_initial_is_guess(w, j) ? &sum.guess : &sum.given;
        *own = hypot(*own, moved / crank_initial_plain_move(w, j));
        sum.step = hypot(sum.step, moved / w->move[j]);
    }
    return sum;
}

/* How much less a change must be: positions end where they are nearest, to the digits of a file;
 * more rounds have to be worth it. */
static bool is_less(double now, double before)
{
    return now < before * (1.0 - rounding);
}

/* What is given counts first. Beside it guesses, which move so much more readily, are next to
 * nothing in a sum (or all of it, where they turn far), and with all levels at once one of these, a
 * wheel that has turned by itself, is little beside the others. */
static bool is_nearer(change now, change before, int level)
{
    const double back = before.guess > now.guess
                            ? sqrt((before.guess - now.guess) * (before.guess + now.guess))
                            : 0.0;
    return level == CRANK_JOINT
               ? now.given < clearly * before.given ||
                     (now.given <= before.given * (1.0 + as_far) && back > turned_back)
               : is_less(now.given, before.given) ||
                     (now.given <= before.given * (1.0 + as_far) &&
                      is_less(now.step, before.step));
}

static bool is_worth_more(change now, change before)
{
    return now.given < clearly * before.given || now.step < clearly * before.step;
}

/* w->y := y_new, with A, r and d of w->x; *farthest: the longest move that it asks for, in moves. */
static crank_status find_step(crank_initial *w, double *farthest, crank_error *err)
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
    *farthest = 0.0;
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        const int j = w->column[l];
        w->away[j] = w->begin[j] + w->move[j] * w->y[l] - w->x[j];
        *farthest = fmax(*farthest, fabs(w->away[j]) / crank_initial_plain_move(w, j));
    }
    return status;
}

/* With moves of states that measure how far these are, not how much equations feel them: spin of a
 * wheel that its own equations hardly feel would be as good as none. */
static crank_status look(crank_initial *w, int level, crank_error *err)
{
    w->plain = true;
    const crank_status status = crank_initial_look(w, level, err);
    w->plain = false;
    return status;
}

/* From w->found, a part of the step in w->away, closed by the stage: *nearer, or back. */
static crank_status try_step(crank_initial *w, int level, double part, change before,
                             bool *nearer, crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    for (int l = 0; l < w->columns; l++) {
        w->x[w->column[l]] += part * w->away[w->column[l]];
    }
    crank_status status = crank_initial_solve(w, level, &moved, &end, &ignored);
    if (status == CRANK_EMEM) {
        return crank_fail(err, status, "%s", ignored.text);
    }
    if (status == CRANK_OK && level == CRANK_JOINT) { /* the stage has had moves of its own */
        status = look(w, level, &ignored);
    }
    *nearer = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
              is_nearer(find_change(w), before, level);
    if (!*nearer) {
        memcpy(w->x, w->found, (size_t)w->eom->n * sizeof *w->x);
    }
    return look(w, level, err);
}

crank_status crank_initial_nearest(crank_initial *w, int level, crank_error *err)
{
    crank_status status = look(w, level, err);
    bool nearer = status == CRANK_OK && w->columns > 0;
    for (int round = 0; round < ROUNDS && nearer; round++) {
        crank_error ignored = {0};
        double farthest;
        /* accelerations and multipliers follow; they have no place of their own */
        memcpy(w->begin, w->x, (size_t)w->eom->column[CRANK_R] * sizeof *w->x);
        const change before = find_change(w);
        memcpy(w->found, w->x, (size_t)w->eom->n * sizeof *w->x);
        if (find_step(w, &farthest, &ignored) != CRANK_OK) {
            return look(w, level, err);
        }
        status = try_step(w, level, 1.0, before, &nearer, err);
        const bool cut = !nearer && status == CRANK_OK && level == 0 && farthest > w->longest;
        CRANK_THEN(status, cut ? try_step(w, level, w->longest / farthest, before, &nearer, err)
                               : CRANK_OK);
        nearer = nearer && status == CRANK_OK &&
                 (level == CRANK_JOINT || cut || is_worth_more(find_change(w), before));
    }
    return status;
}
