/* initial_velocities.c - the level of velocities: bodies of which nothing is given are carried
 * (initial_carry.c), joints are closed with what is given, then torsion springs take bodies
 * along. Bodies that nothing holds against the ground turn only if given velocities are kept
 * better so. theory (5.12) and below */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <string.h>

/* Bodies that nothing holds against the ground do not turn; *held: that does, and given
 * velocities change by *distance. Ends at w->stuck, else where it began. */
static crank_status try_loose(crank_initial *w, bool *held, double *distance, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_error ignored = {0};
    crank_stage_end end = CRANK_STAGE_SLOW;
    bool moved;
    memcpy(w->begin, w->x, size);
    w->hold_loose = true;
    crank_status status = crank_initial_solve(w, 1, &moved, &end, &ignored);
    CRANK_THEN(status, crank_initial_near(w, 1, &ignored));
    w->hold_loose = false;
    *held = status == CRANK_OK && end == CRANK_STAGE_SOLVED;
    *distance = *held ? crank_initial_distance(w, w->x) : 0.0;
    memcpy(w->stuck, w->x, size);
    memcpy(w->x, w->begin, size);
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

/* Bodies that are free turn only if given velocities are kept better so. */
static crank_status solve_carried(crank_initial *w, bool *moved, crank_error *err)
{
    static const double alike = 0.999; /* guesses move 1000 times as readily as what is given */
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    bool held = false;
    double distance = 0.0;
    int worst;
    crank_status status = crank_initial_look(w, 1, err);
    if (status != CRANK_OK || crank_initial_excess(w, 1, &worst) <= 1.0) {
        return status == CRANK_OK ? crank_initial_level(w, 1, moved, err) : status;
    }
    if (crank_initial_relative_loose(w)) {
        status = try_loose(w, &held, &distance, err);
    }
    *moved = true;
    if (status == CRANK_OK && held && distance <= w->options.tolerance) { /* rounding */
        memcpy(w->x, w->stuck, size);
        return crank_initial_look(w, 1, err);
    }
    if (held) {
        memcpy(w->loose_found, w->stuck, size);
    }
    CRANK_THEN(status, crank_initial_level(w, 1, moved, err));
    if (status == CRANK_OK && held && crank_initial_distance(w, w->x) >= alike * distance) {
        memcpy(w->x, w->loose_found, size);
        status = crank_initial_look(w, 1, err);
    }
    return status;
}

/* Closes joints behind bodies that have been turned, *closed: that can be. Bodies that nothing
 * holds against the ground do not turn for it, if it can be without. */
static crank_status close_turned(crank_initial *w, bool *closed, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_status status = CRANK_OK;
    memcpy(w->loose_found, w->x, size);
    memcpy(w->begin, w->x, size);
    *closed = false;
    for (int held = crank_initial_relative_loose(w) ? 1 : 0;
         held >= 0 && !*closed && status != CRANK_EMEM; held--) {
        crank_error ignored = {0};
        crank_stage_end end = CRANK_STAGE_SLOW;
        bool moved;
        int worst;
        memcpy(w->x, w->loose_found, size);
        w->hold_loose = held == 1;
        status = crank_initial_solve(w, 1, &moved, &end, &ignored);
        CRANK_THEN(status,
                   end == CRANK_STAGE_SOLVED ? crank_initial_near(w, 1, &ignored) : CRANK_OK);
        w->hold_loose = false;
        CRANK_THEN(status, crank_initial_look(w, 1, &ignored));
        *closed = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
                  crank_initial_excess(w, 1, &worst) <= 1.0;
        status = status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    return status;
}

/* Turns the body at one side of a spring with the other if nothing that is given changes; keep:
 * and it stays so. */
static crank_status try_tie(crank_initial *w, int tie, int side, bool keep, bool *closed,
                            crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_status status = CRANK_OK;
    memcpy(w->unturned, w->x, size);
    *closed = false;
    if (crank_initial_turn_tie(w, tie, side)) {
        w->hold_given = true;
        status = close_turned(w, closed, err);
        w->hold_given = false;
    }
    if (!*closed || !keep) {
        memcpy(w->x, w->unturned, size);
        crank_initial_unturn(w, w->eom->parts->tie[side][tie]);
    }
    return status;
}

/* Bodies that turn otherwise, spring by spring, as long as nothing that is given changes: with one
 * of which the file gives how it turns, or with one that cannot turn as they do, since conditions
 * and joints determine it. */
static crank_status turn_by_ties(crank_initial *w, bool rests, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < w->eom->parts->tie_count && status == CRANK_OK; i++) {
        bool may[2], known[2] = {false, false}, closed;
        for (int side = 0; side < 2; side++) {
            may[side] = crank_initial_may_turn_tie(w, i, side, rests, &known[side]);
        }
        const bool both = may[0] && may[1] && !known[0] && !known[1];
        for (int side = 0; side < 2 && both && status == CRANK_OK; side++) {
            status = try_tie(w, i, side, false, &closed, err);
            known[1 - side] = !closed; /* it cannot turn as the other does */
        }
        for (int side = 0; side < 2 && status == CRANK_OK; side++) {
            if (may[side] && known[side] && !(both && known[1 - side])) {
                status = try_tie(w, i, side, true, &closed, err);
                if (closed) {
                    break;
                }
            }
        }
    }
    return status;
}

/* From a solution: bodies that springs hold turn with others, and carry what hangs on them, if
 * that can be. */
static crank_status turn_along(crank_initial *w, crank_error *err)
{
    const size_t n = (size_t)w->eom->n;
    crank_status status = turn_by_ties(w, false, err);
    bool more = true;
    while (more && status == CRANK_OK) {
        memcpy(w->unturned, w->x, n * sizeof *w->x);
        memcpy(w->were_turned, w->turned, n * sizeof *w->turned);
        more = crank_initial_turn_along(w);
        if (more) {
            (void)crank_initial_carry(w);
            status = close_turned(w, &more, err);
        }
        if (!more) {
            memcpy(w->x, w->unturned, n * sizeof *w->x);
            memcpy(w->turned, w->were_turned, n * sizeof *w->turned);
        }
    }
    CRANK_THEN(status, turn_by_ties(w, true, err));
    memset(w->turned, 0, n * sizeof *w->turned);
    return status == CRANK_OK ? crank_initial_look(w, 1, err) : status;
}

crank_status crank_initial_velocities(crank_initial *w, bool *moved, crank_error *err)
{
    if (w->relative == NULL) {
        return crank_initial_level(w, 1, moved, err);
    }
    *moved = crank_initial_carry(w);
    const crank_status status = solve_carried(w, moved, err);
    return status == CRANK_OK ? turn_along(w, err) : status;
}

bool crank_initial_is_carried(crank_initial *w)
{
    const size_t n = (size_t)w->eom->n;
    if (w->relative == NULL || w->options.check_only) {
        return false;
    }
    memcpy(w->unturned, w->x, n * sizeof *w->x);
    const bool carried = crank_initial_carry(w) || crank_initial_turn_along(w);
    memcpy(w->x, w->unturned, n * sizeof *w->x);
    memset(w->turned, 0, n * sizeof *w->turned);
    return carried;
}
