/* initial.h - the parts of the search for consistent initial values. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_INITIAL_H
#define CRANK_SRC_EOM_INITIAL_H

#include "eom/eom.h"
#include "eom/scale.h"
#include "linalg/minimum_norm.h"

enum { CRANK_JOINT = 3 }; /* "level" of a stage that solves all levels at once */

typedef struct crank_relative crank_relative; /* initial_relative.h */

/* The constraints of a joint, or those of its drive. */
typedef struct crank_released {
    int joint; /* -1: of none */
    bool drive;
    bool contacts; /* rows of contacts, all of them */
} crank_released;

/* A component of how bodies move against each other that a spring or a bushing holds, of velocities:
 * sum of factor[i] x[column[i]] = value. */
typedef struct crank_tie_row {
    int tie, count;
    int column[12];
    double factor[12], value;
} crank_tie_row;

/* Equations are numbered: the algebraic rows of the eom (0 .. algebraic-1), then the extra
 * initial conditions, then those of ties. Everything below refers to the point x. */
typedef struct crank_initial {
    crank_eom *eom;
    crank_initial_options options;
    crank_log log;
    double t;
    int algebraic, conditions, ties, equations;
    crank_tie_row *tie;  /* ties */
    const double *given; /* n */
    double *start, *x,
        *trial;            /* n: as given, velocities for the positions found; present; tried */
    double *found;         /* n: a solution, while a better one is tried */
    double *loose_found;   /* n: velocities with which free bodies do not turn */
    double *unturned;      /* n: velocities before bodies turn with others */
    double *begin, *stuck; /* n: where a stage began; where it got stuck first */
    double *away;          /* n: a solution that a search found too far from what is placed */
    double *nearest;       /* n: the least minimum of all attempts */
    double *levels;        /* n: where levels begin; where they, one by one, have come to */
    double *lagging;       /* n: velocities of the round before */
    double *k;             /* m */
    double *residual;      /* equations */
    double *kept;          /* equations: residuals of the last point that was accepted */
    double *scale;         /* equations: 1 + sum_j |d residual_i / dx_j| |x_j| */
    double *values;        /* Jacobian of the eom */
    double *condition_values; /* conditions x n */
    double *side[2];          /* conditions */
    double *lift;             /* conditions: what they are where they are followed from */
    double lifted;            /* share of lift that is taken off the conditions */
    double left;              /* share that could not be followed; -1: nothing to follow */
    bool *touches;            /* conditions x n: the condition depends on the unknown */
    int *level;               /* equations: 0, 1, 2, or -1: left out */
    crank_fixing *fixing;     /* n */
    bool *anchor;             /* n: a guess that is as good as placed while loops close */
    bool anchors;             /* the stage at hand has them */
    bool yield;               /* they give way to what is placed, as any guess */
    bool *loose;              /* n: how a body turns that nothing holds against the ground */
    bool hold_loose;          /* it does not */
    bool hold_contacts;       /* no parameter of a curve changes */
    bool *touching;           /* equations: of a contact, with parameters of curves */
    bool hold_motion;         /* no velocity changes */
    bool lag_motion;          /* nor need they hold */
    bool hold_given;          /* none that is given does */
    bool know_motion;         /* velocities hold: guesses move no more readily than others */
    bool sharpen;             /* where all holds to the tolerance: one more step */
    bool *turned;             /* n: how a body turns that springs hold to another that does */
    bool *were_turned;        /* n: before the springs at hand */
    bool *led;                /* n: a velocity taken over from what carries or holds its body */
    crank_relative *relative; /* bodies; NULL: there are none */
    int *group, *heaviest;    /* bodies: of those that are tied together; work */
    bool *tied;               /* bodies: to the ground or to what is placed; work */
    /* the stage at hand */
    int level_at_hand;
    int rows, columns;
    int *row;    /* equations of the stage */
    int *place;  /* equations: place in row, or -1 */
    int *column; /* unknowns that may move */
    crank_min_matrix A;
    crank_scale units;    /* of the unknowns of mechanisms */
    double *move;         /* n: how far an unknown moves for a step of one */
    double *r, *y, *norm; /* scaled residuals; the step; norms of the rows before scaling */
    double *first_y, *first_r; /* a step and its residuals while it is corrected */
    double step;     /* the last one accepted, relative to 1 + largest |x| of its group */
    bool step_full;  /* it was neither damped nor cut */
    int step_column; /* the unknown that it moved most */
    int iterations;
    double longest;      /* step of a position that is not free, in units of move */
    bool hold_preferred; /* only free unknowns move */
    bool hold_placed;    /* what the file places does not, be it not fixed */
    bool searching;      /* an attempt after the first one got stuck */
    bool sparse;         /* steps by sparse factors, however few unknowns there are */
    bool dynamic;        /* preferred dynamic variables move where rows beside conditions do */
    bool searched;       /* the equations are not linear: what was not found may exist */
    bool careful;        /* free orientations turn by short steps, too */
    bool alike;          /* preferred unknowns move as readily as free ones */
    bool plain;          /* states count by their own moves, also beside accelerations */
    bool trust;          /* damp long steps, do not cut them: near a singular position */
    bool under_way;      /* not at the start: extra conditions are left out */
    bool assembling;     /* positions alone */
    crank_released soft; /* what counts little */
    crank_arena arena;
} crank_initial;

/* initial_anchor.c */
void crank_initial_find_anchors(crank_initial *w);
/* What moves first in the stage at hand. */
static inline bool crank_initial_is_guess(const crank_initial *w, int column)
{
    return w->fixing[column] == CRANK_FREE && !(w->anchors && !w->yield && w->anchor[column]);
}

/* initial_relative.c: velocities of bodies by relative motions. Columns of A, counted before:
 * of the velocity of a body (-1: it is none), at most so many entries; trial += damping times
 * the step y. */
crank_status crank_initial_relative_create(crank_initial *w, crank_error *err);
void crank_initial_relative_destroy(crank_initial *w);
crank_status crank_initial_relative_begin(crank_initial *w, crank_error *err);
bool crank_initial_relative_loose(crank_initial *w); /* w->loose; is there any? */
int crank_initial_relative_body(const crank_initial *w, int column);
int crank_initial_relative_entries(const crank_initial *w, int column);
int crank_initial_relative_column(const crank_initial *w, int column, int *row, double *value);
void crank_initial_relative_step(crank_initial *w, double damping);

/* initial_carry.c: bodies of whose velocities nothing is given move with those that carry them;
 * false: nothing changes. */
bool crank_initial_carry(crank_initial *w);
/* Where velocities hold: bodies that springs hold turn with others, w->turned; false: there are
 * none, or that cannot be. Velocities have changed in either case. */
bool crank_initial_turn_along(crank_initial *w);
/* May the body at one side of a spring be turned with the other, since it turns otherwise (rests:
 * or not at all)? *known: how the other turns is given. Does so; false: other springs hold it. Taken
 * back: it may turn again as it likes, velocities are the caller's. */
bool crank_initial_may_turn_tie(crank_initial *w, int tie, int side, bool rests, bool *known);
bool crank_initial_turn_tie(crank_initial *w, int tie, int side);
void crank_initial_unturn(crank_initial *w, int body);
/* initial_velocities.c */
crank_status crank_initial_velocities(crank_initial *w, bool *moved, crank_error *err);
/* Would velocities of bodies that hold as they are change all the same? w->x stays. */
bool crank_initial_is_carried(crank_initial *w);
/* initial_forward.c: is M of a tree definite at w->x, by its recursion, so that no acceleration is
 * open? false: it is not, or that is not known so. Then accelerations and multipliers of level 2,
 * into w->x; nothing is done where they hold or the recursion does not tell. */
bool crank_initial_definite(const crank_initial *w);
crank_status crank_initial_forward(crank_initial *w, crank_error *err);
/* initial.c: given velocities that are of bodies where they have been moved to, theory (5.11). */
void crank_initial_keep_turning(crank_initial *w);
/* A level by itself, what is given put back where guesses can do it. */
crank_status crank_initial_level(crank_initial *w, int level, bool *moved, crank_error *err);
/* initial_carry.c: names bodies at rest that springs and bushings hold to moving ones. */
void crank_initial_warn_left(const crank_initial *w);

/* initial_jointly.c: all levels at once, from w->x, where one of them (1 or 2) has no solution
 * by itself, for which err is kept if there is none at all. */
crank_status crank_initial_jointly(crank_initial *w, int failed, crank_error *err);
/* initial_ties.c: their rows; whether they count, from the velocities w->x on; their residuals;
 * the entries of a column, which are returned by number. */
int crank_initial_count_ties(const crank_initial *w);
typedef enum crank_hold { CRANK_HOLD_NONE, CRANK_HOLD_ROTATIONS, CRANK_HOLD_ALL } crank_hold;
void crank_initial_hold_ties(crank_initial *w, crank_hold hold);
/* Names a torsion spring whose ends turn otherwise at w->x than at begin (n). */
void crank_initial_warn_wound(crank_initial *w, double *begin);
/* Are there any to be held, other than by another kind? */
bool crank_initial_has_ties(const crank_initial *w, crank_hold hold);
void crank_initial_tie_residuals(const crank_initial *w, const double *x, double *residual);
int crank_initial_tie_entries(const crank_initial *w, int column, int *place, double *value);

/* initial_equations.c: residuals, derivatives, levels. */
crank_status crank_initial_levels(crank_initial *w, crank_error *err);
crank_status crank_initial_evaluate(crank_initial *w, const double *x, crank_error *err);
crank_status crank_initial_linearise(crank_initial *w, crank_error *err); /* at w->x */
/* Is the equation one of the stage of that level? */
static inline bool crank_initial_is_in(const crank_initial *w, int equation, int level)
{
    const int own = w->level[equation];
    return own >= 0 && (level == CRANK_JOINT ? !(w->lag_motion && own == 1) : own == level);
}
/* Largest residual of a level (CRANK_JOINT: of all), relative to scale and in units of the
 * tolerance; *worst is its equation, -1 if there is none. */
double crank_initial_excess(const crank_initial *w, int level, int *worst);
const char *crank_initial_name(const crank_initial *w, int equation, char *text, size_t size);
static inline crank_place crank_initial_place(const crank_initial *w, int equation)
{
    const int row = equation < w->algebraic ? equation : w->eom->m + equation - w->algebraic;
    return equation < w->algebraic + w->conditions ? crank_eom_row_place(w->eom, row)
                                                   : (crank_place){0};
}
static inline double crank_initial_tolerance(const crank_initial *w, int equation)
{
    const crank_eom *eom = w->eom;
    const bool made = equation >= eom->row[CRANK_ROW_GII] && equation < eom->row[CRANK_ROW_H];
    return made && eom->noise > w->options.tolerance ? eom->noise : w->options.tolerance;
}

/* initial_stage.c: solves one level, or all of them, by Gauss-Newton steps of smallest
 * weighted size. Starts at w->x, which it moves; *moved tells whether it had to, *end how it
 * ended where nothing failed. */
typedef enum crank_stage_end {
    CRANK_STAGE_SOLVED,
    CRANK_STAGE_MINIMUM,   /* the residual can fall no further */
    CRANK_STAGE_SLOW,      /* it could, but no step was found */
    CRANK_STAGE_RUNS_AWAY, /* it falls only because unknowns run away */
} crank_stage_end;
crank_status crank_initial_solve(crank_initial *w, int level, bool *moved, crank_stage_end *end,
                                 crank_error *err);
/* From the minimum of the residual at which a stage got stuck to the one where all of it is at
 * one joint or drive. Moves w->x. */
crank_status crank_initial_open(crank_initial *w, crank_released part, crank_error *err);
/* Is the constraint (of lambda) one of these? */
bool crank_initial_is_of(const crank_eom *eom, crank_released part, int constraint);
/* Makes all that a stage keeps of its last point, at w->x. */
crank_status crank_initial_look(crank_initial *w, int level, crank_error *err);
/* Is the unknown one of the stage at hand, and how much more readily than a preferred one does
 * it move? */
bool crank_initial_moves(const crank_initial *w, int column);
double crank_initial_ease(const crank_initial *w, int column);
/* The same, also where preferred unknowns move as readily as free ones. */
double crank_initial_own_ease(const crank_initial *w, int column);
/* How far the unknown of a stage moves for a step of one, whether it is free or not. */
double crank_initial_plain_move(const crank_initial *w, int column);

/* initial_search.c: the same, begun again elsewhere where it got stuck, and explained if that
 * does not help. */
crank_status crank_initial_find(crank_initial *w, int level, bool *moved, crank_error *err);
/* In [-1, 1], from the numbers of an attempt and an unknown alone. */
double crank_initial_number(int attempt, int column);
/* Moves w->x, whose moves are known, by the disturbance of an attempt. */
void crank_initial_disturb(crank_initial *w, int attempt);
/* Without explanations; *solved: and without moving what is placed too far. */
crank_status crank_initial_close(crank_initial *w, int level, bool *solved, crank_error *err);

/* initial_contacts.c: from w->begin, where positions do not hold, to where the joints close
 * without contacts and bodies that are guesses touch as nearly as they can where the file says;
 * *moved: w->x is there, else where it was. */
crank_status crank_initial_touch(crank_initial *w, bool *moved, crank_error *err);

/* initial_near.c: from a solution w->x of the stage to one in which preferred unknowns are
 * nearer to what is given, if there is one. */
crank_status crank_initial_near(crank_initial *w, int level, crank_error *err);
/* From a solution of positions to the nearest one beside it. */
crank_status crank_initial_settle(crank_initial *w, crank_error *err);
/* How far x is from what is given, over preferred unknowns of the stage and of those behind it,
 * in units of their moves. */
double crank_initial_distance(const crank_initial *w, const double *x);

/* initial_shared.c: conditions of lower levels that do not hold any more at w->x, looked at last,
 * since this one has moved dynamic variables that they read, join it; false: there are none. */
bool crank_initial_share(crank_initial *w, int level);

/* initial_nearest.c: from a solution w->x of the stage to the one nearest to w->begin, where
 * the stage began. */
crank_status crank_initial_nearest(crank_initial *w, int level, crank_error *err);

/* initial_sides.c: from a solution w->x of positions to the way of closing loops nearest to
 * w->begin. Names a body that nothing tells apart. */
crank_status crank_initial_sides(crank_initial *w, crank_error *err);
/* initial_curve.c: y of smallest norm with A y = -right at the point looked at last, into w->y;
 * A times t (n, by unknown) into product (equations). */
crank_status crank_initial_direction(crank_initial *w, const double *right, crank_error *err);
void crank_initial_rates(const crank_initial *w, const double *t, double *product);
/* initial_swinging.c: bodies that can move while all others stay, at the point of the last look
 * at positions. */
crank_status crank_initial_find_swinging(const crank_initial *w, bool *swinging,
                                         crank_error *err);

/* initial_follow.c: conditions on positions, followed from where the joints close without
 * them. Begins at w->begin; uses w->stuck. */
bool crank_initial_may_follow(const crank_initial *w, int level);
crank_status crank_initial_follow(crank_initial *w, int level, bool *found, crank_error *err);
/* How far from a point to w->x, as steps count it; the longest move of a position. */
double crank_initial_cost(const crank_initial *w, const double *from);
double crank_initial_longest_move(const crank_initial *w, const double *from);
/* How near the conditions of a mechanism came; CRANK_OK: they were not followed. */
crank_status crank_initial_not_followed(crank_initial *w, crank_error *err);

/* initial_prescribed.c: at w->x, where a search got stuck and which stays: a condition on what a
 * drive determines, or CRANK_OK. */
crank_status crank_initial_prescribed(crank_initial *w, int level, crank_error *err);

/* initial_speed.c: warns of free velocities that are out of all proportion. */
crank_status crank_initial_warn_speeds(crank_initial *w, crank_error *err);
/* Names the body of which a given velocity has changed most, so that conditions on accelerations
 * or reactions hold. */
void crank_initial_warn_changed(const crank_initial *w);

/* initial_turns.c: free planar angles back to the turn in which they started. */
crank_status crank_initial_turn_back(crank_initial *w, crank_error *err);
/* The same, and then bodies of which nothing is given to the turn of the joint that carries
 * them. */
crank_status crank_initial_turn_joints(crank_initial *w, crank_error *err);

/* initial_jump.c: has a position that is given moved too far? */
bool crank_initial_is_far(const crank_initial *w);
bool crank_initial_is_drive(const crank_eom *eom, int constraint);
/* EINCONSISTENT with its name and what asks for it, or CRANK_OK. w->x stays. */
crank_status crank_initial_jump(crank_initial *w, crank_error *err);

/* Names what is placed and has turned by more than a right angle, so that conditions on
 * accelerations or reactions hold. */
void crank_initial_warn_turned(const crank_initial *w);

/* initial_explain.c: why a stage cannot be solved. */
crank_status crank_initial_contradiction(crank_initial *w, crank_error *err);
crank_status crank_initial_no_convergence(crank_initial *w, int level, crank_error *err);
/* A root that the residual only approaches as unknowns run away. */
crank_status crank_initial_runs_away(const crank_initial *w, int level, crank_error *err);

/* initial_open.c: a mechanism whose loop cannot close, at w->x, where a search of positions got
 * stuck and which stays: at which joint, and how far off. CRANK_OK: it is nothing of the kind.
 */
crank_status crank_initial_open_loop(crank_initial *w, crank_error *err);

/* initial_held.c: joints whose velocities are all fixed in a stage that moves positions, as a
 * part of a message or empty; work: equations. */
const char *crank_initial_held(const crank_initial *w, double *work, char *text, size_t size);

/* initial_determined.c: accelerations that neither mass nor constraints determine, at the point
 * linearised last, or CRANK_OK. */
crank_status crank_initial_motion(const crank_initial *w, crank_error *err);
/* Unknowns s (level 0) or w (level 2) that their equations do not determine, or CRANK_OK. */
crank_status crank_initial_determined(crank_initial *w, int level, crank_error *err);

#endif
