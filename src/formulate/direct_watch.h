/* direct_watch.h - what the direct formulations notice of constraint levels that their rows do
 * not contain, and of ranks:
 * direct_levels.c warns once of levels that are off, direct_jumps.c ends a run behind a
 * constraint that jumps, direct_ranks.c one behind a singular position. theory 2.8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DIRECT_WATCH_H
#define CRANK_SRC_DIRECT_WATCH_H

#include "base/archive.h"
#include "base/arena.h"
#include "formulate/rank_turn.h"
#include "problem/problem.h"

#include <crank/eom.h>

typedef struct crank_direct crank_direct;

/* Residuals of the rows that are not enforced, over what the tolerances allow. */
typedef struct crank_direct_levels {
    bool *hidden;  /* m of the eom: a constraint that is not kept as it stands */
    double *limit; /* the same: sum of |dk_i/dx_j| times the tolerance of x_j */
    bool any;      /* there are some */
    bool told;
    bool restarted; /* and no step since */
    int since;      /* accepted steps since the last look */
    double t_last;  /* end of the last one */
    double *before; /* m: residuals at the last look */
} crank_direct_levels;

/* a level is off, a row has changed by more than this times what the tolerances allow */
#define CRANK_DIRECT_MOST 100.0
/* accepted points that are kept, the steps between which a jump is looked for in */
enum { CRANK_DIRECT_POINTS = 9 };

/* Constraints that jump between accepted points. */
typedef struct crank_direct_jumps {
    int points, first; /* the first one's place: they move along in twice their room */
    double t[2 * CRANK_DIRECT_POINTS], *x;
    double *point;               /* n of the eom: within a step */
    double *push;                /* np: what theta adds to positions in a step, */
    bool pushed;                 /* if that may be much */
    double least;                /* of the positions' tolerances; 0: not known yet */
    double *low, *middle, *high; /* m: rows at the beginning, the middle, the end of a step */
} crank_direct_jumps;

/* Gradients of the constraints from one look at them to the next. */
typedef struct crank_direct_ranks {
    crank_rank_turn turn;
    double *most; /* rows + 1: largest sizes of its pivots so far */
} crank_direct_ranks;

void crank_direct_levels_layout(crank_direct *s, crank_arena *arena);
void crank_direct_levels_create(crank_direct *s);
void crank_direct_levels_restart(crank_direct *s);
/* A step ended at (t, x), or a run starts there; last: no step follows. CRANK_ESTOP_EQUATIONS:
 * a constraint jumps. */
crank_status crank_direct_levels_look(crank_direct *s, double t, const double *x, bool last,
                                      crank_error *err);
void crank_direct_levels_archive(crank_direct *s, crank_archive *a);

/* atol + rtol |x| of an unknown of the eom */
double crank_direct_tolerance(const crank_direct *s, int column, const double *x);
/* Is it a row of g or n? */
bool crank_direct_is_position(const crank_eom *eom, int row);

void crank_direct_jumps_layout(crank_direct *s, crank_arena *arena);
void crank_direct_jumps_restart(crank_direct *s);
/* A step ended at (t, x), or a run starts there; how far theta moved positions is noted. */
void crank_direct_jumps_add(crank_direct *s, double t, const double *x);
/* Does theta or the length of the last step suggest a jump in it? x: of the problem. */
bool crank_direct_jumps_hinted(crank_direct *s, const double *x);
/* CRANK_ESTOP_EQUATIONS: in the last step, or in any of those kept, a constraint jumps. The
 * levels' limits are known. */
crank_status crank_direct_jumps_look(crank_direct *s, bool all, crank_error *err);
void crank_direct_jumps_archive(crank_direct *s, crank_archive *a);

/* Patterns and memory; the Jacobian and the mass are those of the start. */
crank_status crank_direct_ranks_create(crank_direct *s, crank_error *err);
void crank_direct_ranks_destroy(crank_direct *s);
void crank_direct_ranks_restart(crank_direct *s);
/* CRANK_ESINGULAR: the constraints have lost rank on the way to (t, x), and where, or as good
 * as that at a point of it. */
crank_status crank_direct_ranks_look(crank_direct *s, double t, const double *x, bool last,
                                     crank_error *err);
/* No step from (t, x) succeeds: CRANK_ESINGULAR if a singular position is to blame. */
crank_status crank_direct_ranks_blame(crank_problem *base, double t, const double *x,
                                      crank_error *err);
void crank_direct_ranks_archive(crank_direct *s, crank_archive *a);

#endif
