/* initial_jointly.c - all levels at once, where conditions on velocities, accelerations or
 * reactions have no solution level by level: from several beginnings, those first that change
 * least. Velocities stay as they are, then what is given of them does and the others change by
 * what torsion springs hold together (initial_ties.c), then one by one; at last what is given
 * changes in the same order. theory 5 */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <string.h>

/* by turns: each leaves a part as small as the forces of the motion are to those of springs */
enum { ROUNDS = 30 };

/* Where all levels at once begin, and what stays. */
typedef enum beginning {
    AS_GIVEN, /* positions and velocities */
    CLOSED,   /* positions w->x at which loops are closed, given velocities */
    MOVING,   /* positions and velocities w->x that hold */
    KEPT,     /* the same, and no velocity that is given changes */
    STILL,    /* the same, and no velocity changes */
    LAGGING   /* velocities follow positions as they do level by level */
} beginning;

/* All levels from w->x, followed or at once; search: elsewhere, too. */
static crank_status find_jointly(crank_initial *w, bool search, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_status status = CRANK_OK;
    crank_stage_end end;
    bool moved, found = false;
    if ((w->hold_motion || w->hold_given || w->know_motion) &&
        crank_initial_may_follow(w, CRANK_JOINT)) {
        status = crank_initial_follow(w, CRANK_JOINT, &found, err);
    }
    if (found || status != CRANK_OK) {
        return status;
    }
    memcpy(w->x, w->begin, size);
    if (search) {
        return crank_initial_find(w, CRANK_JOINT, &moved, err);
    }
    status = crank_initial_solve(w, CRANK_JOINT, &moved, &end, err);
    return status == CRANK_OK && end != CRANK_STAGE_SOLVED ? CRANK_EINIT_CONVERGENCE : status;
}

/* The same, as near to w->begin as it can be. */
static crank_status find_nearest(crank_initial *w, bool search, crank_error *err)
{
    memcpy(w->begin, w->x, (size_t)w->eom->n * sizeof *w->x);
    const crank_status status = find_jointly(w, search, err);
    return status == CRANK_OK ? crank_initial_nearest(w, CRANK_JOINT, err) : status;
}

/* Velocities as the file gives them lead to w->x at its positions; *change: by how much that is
 * other than before, of the fastest. before: n, work. */
static crank_status renew_velocities(crank_initial *w, double *before, double *change,
                                     crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int v = eom->column[CRANK_V];
    const size_t size = (size_t)eom->sizes.v * sizeof *w->x;
    double fastest = 0.0;
    bool moved, known;
    memcpy(before + v, w->x + v, size);
    memcpy(w->start + v, w->given + v, size);
    memcpy(w->x + v, w->given + v, size);
    crank_initial_keep_turning(w);
    const crank_status status = crank_initial_velocities(w, &moved, err);
    *change = 0.0;
    for (int j = v; j < eom->column[CRANK_S]; j++) {
        const double unit = crank_scale_unit(eom, j, &known);
        fastest = fmax(fastest, fabs(w->x[j]) / unit);
        *change = fmax(*change, fabs(w->x[j] - before[j]) / unit);
    }
    *change = fastest > 0.0 ? *change / fastest : 0.0;
    return status;
}

/* Positions at which accelerations and reactions are as conditions ask for with the velocities of
 * the round before, then velocities at these positions, by turns: where bodies turn the directions
 * of their velocities turn along, though nothing moves otherwise than it would. */
static crank_status lag(crank_initial *w, crank_error *err)
{
    double change = (double)INFINITY, before;
    crank_status status = CRANK_OK;
    int worst;
    for (int round = 0; round < ROUNDS && status == CRANK_OK; round++) {
        crank_error ignored = {0};
        crank_stage_end end;
        bool moved;
        before = change;
        w->hold_motion = w->lag_motion = true;
        status = find_nearest(w, false, err);
        w->hold_motion = w->lag_motion = false;
        CRANK_THEN(status, renew_velocities(w, w->lagging, &change, err));
        CRANK_THEN(status, crank_initial_solve(w, 2, &moved, &end, &ignored));
        if (status == CRANK_OK && crank_initial_excess(w, CRANK_JOINT, &worst) <= 1.0) {
            w->hold_motion = w->sharpen = true;
            status = crank_initial_solve(w, CRANK_JOINT, &moved, &end, err);
            w->hold_motion = w->sharpen = false;
            return status;
        }
        if (!(change < before)) {
            break;
        }
    }
    return status == CRANK_OK ? CRANK_EINIT_CONVERGENCE : status;
}

static crank_status solve_jointly(crank_initial *w, beginning begin, bool search,
                                  crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t size = (size_t)eom->n * sizeof *w->x;
    const int moving = begin == AS_GIVEN ? eom->n
                       : begin == CLOSED ? eom->column[CRANK_S]
                                         : eom->column[CRANK_V];
    memcpy(w->start, w->given, size);
    memcpy(w->x, w->start, (size_t)moving * sizeof *w->x);
    w->hold_motion = begin == STILL;
    w->hold_given = begin == KEPT;
    w->know_motion = begin == MOVING;
    crank_status status = begin == LAGGING ? lag(w, err) : find_nearest(w, search, err);
    w->hold_motion = w->hold_given = w->know_motion = false;
    CRANK_THEN(status, crank_initial_turn_joints(w, err));
    CRANK_THEN(status, crank_initial_motion(w, err));
    CRANK_THEN(status, crank_initial_jump(w, err));
    if (status == CRANK_OK) {
        crank_initial_warn_turned(w);
        crank_initial_warn_changed(w);
    }
    return status;
}

/* Does nothing move? */
static bool is_still(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    bool still = true;
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_S]; j++) {
        bool known;
        still = still &&
                fabs(w->x[j]) <= w->options.tolerance * crank_scale_unit(w->eom, j, &known);
    }
    return still;
}

/* A search that came to no end, or to a contradiction, may succeed elsewhere. */
static bool may_help(crank_status status)
{
    return status == CRANK_EINIT_CONTRADICTION || status == CRANK_EINIT_CONVERGENCE;
}

/* One way to satisfy them. */
typedef struct way {
    beginning begin;
    crank_hold ties;
    bool search;
} way;

static crank_status try_way(crank_initial *w, way its, crank_error *err)
{
    memcpy(w->x, w->levels, (size_t)w->eom->n * sizeof *w->x);
    crank_initial_hold_ties(w, its.ties);
    const crank_status status = solve_jointly(w, its.begin, its.search, err);
    crank_initial_hold_ties(w, CRANK_HOLD_NONE);
    return status;
}

crank_status crank_initial_jointly(crank_initial *w, int failed, crank_error *err)
{
    const crank_error first = err != NULL ? *err : (crank_error){0};
    memcpy(w->levels, w->x, (size_t)w->eom->n * sizeof *w->x);
    const bool still = is_still(w);
    const bool lags = !still && w->relative != NULL; /* bodies turn */
    const way ways[] = {{STILL, CRANK_HOLD_NONE, still},
                        {LAGGING, CRANK_HOLD_NONE, false},
                        {KEPT, CRANK_HOLD_ALL, false},
                        {KEPT, CRANK_HOLD_ROTATIONS, false},
                        {KEPT, CRANK_HOLD_NONE, false},
                        {MOVING, CRANK_HOLD_ALL, false},
                        {MOVING, CRANK_HOLD_ROTATIONS, false},
                        {failed == 2 ? MOVING : CLOSED, CRANK_HOLD_NONE, true},
                        {AS_GIVEN, CRANK_HOLD_NONE, true}};
    crank_status status = CRANK_EINIT_CONTRADICTION;
    for (int i = failed == 2 ? 0 : 7; i < (int)(sizeof ways / sizeof *ways); i++) {
        if (!crank_initial_has_ties(w, ways[i].ties) || (ways[i].begin == LAGGING && !lags) ||
            (still && ways[i].begin == KEPT)) { /* it is a later one */
            continue;
        }
        status = try_way(w, ways[i], err);
        if (status == CRANK_OK && failed == 2) {
            crank_initial_warn_wound(w, w->levels);
        }
        if (status == CRANK_OK || status == CRANK_EMEM) {
            return status;
        }
    }
    if (may_help(status) && w->eom->sizes.r > 0) { /* given dynamic variables last */
        w->dynamic = true;
        status = solve_jointly(w, AS_GIVEN, true, err);
    }
    if (may_help(status) && failed == 1 && err != NULL) { /* it is nearer to the cause */
        *err = first;
    }
    return status;
}
