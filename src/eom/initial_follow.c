/* initial_follow.c - conditions on positions (the stroke of a cylinder within a loop), followed
 * from where the joints close without them.
 *
 * Bodies that the file does not place stand along their joints, loops are open, and a
 * condition c(p) = 0 besides lets the search end in a minimum, or on another side of a
 * loop. The joints alone close more readily, and from there the condition is led to zero,
 *     g(p) = 0,   c(p) - a c(p_0) = 0,   a: 1 -> 0,   p_0: closed without it    theory (5.5)
 * in steps that are halved until no body moves farther than a short way, so that the loop stays
 * on its side. Where a can fall no further, it tells how near the condition comes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include "base/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double first_step = 0.25, shortest_step = 1.0 / 512.0;
static const double farthest = 0.5; /* of the unknowns' moves, in a step; half a radian */

/* Is it a condition of that level? CRANK_JOINT: of accelerations. */
static bool is_of_level(const crank_initial *w, int condition, int level)
{
    return w->level[w->algebraic + condition] == (level == CRANK_JOINT ? 2 : level);
}

bool crank_initial_may_follow(const crank_initial *w, int level)
{
    bool any = false;
    for (int i = 0; i < w->conditions; i++) {
        any = any || is_of_level(w, i, level);
    }
    return any && (level == 0 || level == CRANK_JOINT) && !w->under_way;
}

double crank_initial_longest_move(const crank_initial *w, const double *from)
{
    double longest = 0.0;
    for (int j = w->eom->column[CRANK_S]; j < w->eom->n; j++) {
        longest = fmax(longest, fabs(w->x[j] - from[j]) / crank_initial_plain_move(w, j));
    }
    return longest;
}

double crank_initial_cost(const crank_initial *w, const double *from)
{
    double sum = 0.0;
    for (int j = w->eom->column[CRANK_S]; j < w->eom->n; j++) {
        const double move = crank_initial_plain_move(w, j) * crank_initial_own_ease(w, j);
        sum += pow((w->x[j] - from[j]) / move, 2);
    }
    return sqrt(sum);
}

/* Solves the level, from w->x, without its conditions, which are lifted by what they are there.
 */
static crank_status close_without(crank_initial *w, int level, bool *closed, crank_error *err)
{
    const int own = level == CRANK_JOINT ? 2 : level;
    for (int i = 0; i < w->conditions; i++) {
        w->lift[i] = is_of_level(w, i, own) ? 1.0 : 0.0; /* left out while the rest closes */
        w->level[w->algebraic + i] = w->lift[i] > 0.0 ? -1 : w->level[w->algebraic + i];
    }
    const crank_status status = crank_initial_close(w, own, closed, err);
    for (int i = 0; i < w->conditions; i++) {
        int *of = &w->level[w->algebraic + i];
        *of = w->lift[i] > 0.0 ? own : *of;
        w->lift[i] = w->lift[i] > 0.0 ? w->residual[w->algebraic + i] : 0.0;
    }
    return status;
}

/* From w->x with w->lifted to the next, *ok: it was found nearby. */
static crank_status follow_step(crank_initial *w, int level, bool *ok, crank_error *err)
{
    bool moved;
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    memcpy(w->stuck, w->x, (size_t)w->eom->n * sizeof *w->x);
    w->careful = true;
    const crank_status status = crank_initial_solve(w, level, &moved, &end, &ignored);
    w->careful = false;
    *ok = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
          crank_initial_longest_move(w, w->stuck) <= farthest;
    if (!*ok) {
        memcpy(w->x, w->stuck, (size_t)w->eom->n * sizeof *w->x);
    }
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

crank_status crank_initial_follow(crank_initial *w, int level, bool *found, crank_error *err)
{
    bool closed = false, ok;
    double left = 1.0, step = first_step;
    *found = false;
    w->left = -1.0;
    memcpy(w->x, w->begin, (size_t)w->eom->n * sizeof *w->x);
    crank_status status = close_without(w, level, &closed, err);
    if (status != CRANK_OK || !closed) {
        return status;
    }
    while (status == CRANK_OK && left > 0.0 && step >= shortest_step) {
        w->lifted = left > step ? left - step : 0.0;
        status = follow_step(w, level, &ok, err);
        left = ok ? w->lifted : left;
        step = ok ? 2.0 * step : 0.5 * step;
    }
    w->lifted = 0.0;
    w->left = left;
    *found = status == CRANK_OK && left == 0.0;
    return status;
}

/* "; 4 conditions on positions are given, ...": if there are more than degrees of freedom */
static void count_conditions(const crank_initial *w, char *text, size_t size)
{
    crank_structure_report report = {0};
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < w->conditions; i++) {
        count += is_of_level(w, i, 0) ? 1 : 0;
    }
    if (crank_eom_structure(w->eom, w->t, w->x, CRANK_RANK_TOLERANCE, &report, NULL) ==
            CRANK_OK &&
        report.freedom_position < count) {
        (void)snprintf(text, size,
                       "; %d condition%s on positions %s given where the joints leave %d "
                       "degree%s of freedom%s",
                       count, count == 1 ? "" : "s", count == 1 ? "is" : "are",
                       report.freedom_position, report.freedom_position == 1 ? "" : "s",
                       report.freedom_position > 0
                           ? ""
                           : " (a loop that moves by its dimensions needs them exactly: "
                             "sqrt(3)/2, not 0.866)");
    }
    crank_structure_report_free(&report);
}

/* The condition without which the others hold, and how far it is off then; -1: there is none,
 * there are several, or no others. */
static crank_status find_culprit(crank_initial *w, int *culprit, double *off, crank_error *err)
{
    crank_status status = CRANK_OK;
    int count = 0, culprits = 0;
    *culprit = -1;
    for (int i = 0; i < w->conditions; i++) {
        count += is_of_level(w, i, 0) ? 1 : 0;
    }
    for (int i = 0; i < w->conditions && count > 1 && status == CRANK_OK; i++) {
        int *level = &w->level[w->algebraic + i];
        bool found = false;
        if (*level != 0) {
            continue;
        }
        *level = -1;
        status = crank_initial_follow(w, 0, &found, err);
        *level = 0;
        const double size = found ? fabs(w->residual[w->algebraic + i]) : 0.0;
        if (found && size > 0.0) {
            culprits++;
            *culprit = culprits > 1 ? -1 : i;
            *off = size;
        }
    }
    return status;
}

/* With what is left of the conditions in all, it follows who is to blame. */
static crank_status blame(crank_initial *w, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const double left = w->left;
    int culprit;
    double off;
    char name[160];
    memcpy(w->unturned, w->stuck, size);
    crank_status status = find_culprit(w, &culprit, &off, err);
    memcpy(w->stuck, w->unturned, size);
    w->left = left;
    if (status == CRANK_OK && culprit >= 0) {
        const int equation = w->algebraic + culprit;
        status = crank_fail_place(
            err, CRANK_EINIT_CONTRADICTION, crank_initial_place(w, equation),
            "%s: no state was found in which it holds while all joints are closed; without it "
            "they close and the other conditions hold, it is off by %.4g there; change it, or "
            "the "
            "start values",
            crank_initial_name(w, equation, name, sizeof name), off);
    }
    return status;
}

crank_status crank_initial_not_followed(crank_initial *w, crank_error *err)
{
    int worst = -1;
    double most = 0.0;
    char name[160], many[200];
    for (int i = 0; i < w->conditions; i++) {
        const double size = fabs(w->lift[i]) / w->scale[w->algebraic + i];
        if (size > most) {
            most = size;
            worst = i;
        }
    }
    /* joints were not closed without conditions, either, or there are none: rows are named */
    if (w->left <= 0.0 || worst < 0 || w->eom->parts == NULL) {
        return CRANK_OK;
    }
    const int equation = w->algebraic + worst;
    count_conditions(w, many, sizeof many);
    const double lift = w->lift[worst];
    const crank_status known = many[0] == '\0' ? blame(w, err) : CRANK_OK;
    if (known != CRANK_OK) {
        return known;
    }
    return crank_fail_place(
        err, CRANK_EINIT_CONTRADICTION, crank_initial_place(w, equation),
        "%s: no state was found in which it holds while all joints are closed; without it they "
        "close, it is off by %.4g there, and followed from there it comes as near as %.4g; "
        "change it, or the start values%s",
        crank_initial_name(w, equation, name, sizeof name), fabs(lift), w->left * fabs(lift),
        many);
}
