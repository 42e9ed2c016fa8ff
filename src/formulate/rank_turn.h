/* rank_turn.h - have the constraints lost rank between two points of a motion? Shared by the
 * direct formulations, psf and ode.
 *
 *     C = V(t_1) W V(t_2)^T,   V = (gI, h)_v,   W > 0 diagonal                    theory (2.17)
 *
 * Where V changes little from t_1 to t_2, C is close to a definite matrix and all its pivots on
 * the diagonal are positive. On the other side of a singular position the rows that vanish
 * there have turned round: a pivot is negative. So it is, too, where rows turn by a right
 * angle, for which there are points between; and at contact variables' folds, where c_s changes
 * its sign as well. A change that shows between any two points of the way, however close, is a
 * singular position.
 *
 * Freedoms without mass are determined by constraints alone: their columns V_0 of V must be
 * independent. The same is asked of
 *
 *     K = V_0(t_1)^T V_0(t_2),   rows over their largest sizes so far             theory (2.18)
 *
 * and, in joint coordinates, of what has inertia, theory (2.18). A motion that is damped where
 * it loses its inertia goes on.
 */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RANK_TURN_H
#define CRANK_SRC_RANK_TURN_H

#include "base/archive.h"
#include "eom/eom.h"
#include "formulate/mass.h"
#include "linalg/recorded.h"

/* accepted points between two looks, at least; integrators keep a Jacobian for 20 steps */
enum { CRANK_TURN_POINTS = 24 };

/* Pulls a point within a step onto the constraints; may be refused, then it stays as it is. */
typedef struct crank_turn_projection {
    void *self;
    void (*project)(void *self, double t, double *x);
} crank_turn_projection;

typedef struct crank_rank_turn {
    crank_eom *eom;
    crank_turn_projection projection; /* NULL: none */
    const double *unit; /* n: of unknowns, for how far positions move; NULL: not known */
    bool any; /* damped motions that lose their inertia count as well: there are no steps */
    double closest; /* way, in units, in which rows that turn round are as good as singular */
    int rows, entries;    /* of V; no rows and nothing without mass: nothing is watched */
    int rank;             /* of V: less than its rows if they are redundant */
    int *start;           /* rows + 1: entries of each constraint, */
    int *entry, *column;  /* of the Jacobian, velocity; */
    int *first, *list;    /* nv + 1; these by velocity */
    double *weight;       /* nv: W */
    double *before, *now; /* V at the last look, and here */
    bool known;           /* V at the last look is; else it is found if it is needed */
    int *slot;  /* in C, of each product of C = V_before W V_now^T in the order of rows */
    int places; /* of C: entries of its pattern; dense: rows x rows */
    double *C;
    crank_recorded *recorded; /* NULL: dense */
    double *most; /* rows: largest sizes so far, where rows are redundant or mass is missing */
    /* redundant rows: places of C's entries in a dense matrix, and this */
    int *dense_place;
    double *dense;
    int *order;       /* rows */
    int massless;     /* velocities without mass; 0: none, or too many to be watched */
    int *loose;       /* massless: these velocities */
    int *loose_place; /* nv: place among them, or -1 */
    double *K;        /* massless x massless */
    double *motion;   /* massless: that loosens */
    double *moved[2]; /* the supplier's motions at the last look, and here */
    double *calm[2];  /* the same at the last accepted point, and at calm_t */
    double calm_t;
    bool calm_known;  /* calm[0] is */
    bool calm_held;   /* constraints determine what motions alone do not */
    int *loose_order; /* massless */
    double *contact;  /* ns x ns, and sizes of its rows */
    int side;         /* sign of det c_s at the last look */
    double *size;     /* rows + 1: roots of the pivots of C; of c_s the smallest one */
    double *jacobian; /* of the eom, wherever it is needed */
    double *point;    /* n of the eom */
    double *slope
        [2]; /* m of the eom: its rows at both ends of a step, rates of positions among them */
    /* accepted points since the last look, which was at the first of them */
    int points;
    double t[CRANK_TURN_POINTS], *x;
} crank_rank_turn;

/* What a look finds: nothing due, nothing, a change in the step that is tried, one behind
 * accepted points. */
typedef enum crank_turn_found {
    CRANK_TURN_NONE,
    CRANK_TURN_LOOKED,
    CRANK_TURN_TRIED,
    CRANK_TURN_PASSED
} crank_turn_found;

/* What changes, where it is no constraint: contact equations; from there down velocities
 * without mass */
enum { CRANK_TURN_CONTACT = -1, CRANK_TURN_LOOSE = -2 };

/* A point at which the Jacobian may be known. */
typedef struct crank_turn_point {
    double t;
    const double *x;
    double prepared_t;      /* of this Jacobian */
    const double *jacobian; /* of the eom */
    /* n: multipliers of redundant rows that are left out there; NULL: not known */
    const bool *left_out;
} crank_turn_point;

/* rank_turn_create.c. Patterns, weights and memory; Jacobian and mass are those of the start.
 * rank: of V; left_out: as in a point, at the start. */
crank_status crank_rank_turn_create(crank_rank_turn *turn, crank_eom *eom,
                                    const double *jacobian, const crank_mass *mass, int rank,
                                    const bool *left_out, crank_error *err);
void crank_rank_turn_destroy(crank_rank_turn *turn);

/* Do looks need the Jacobian? Not so where only what has inertia is watched. */
bool crank_rank_turn_needs_jacobian(const crank_rank_turn *turn);
void crank_rank_turn_restart(crank_rank_turn *turn);
/* A step was accepted. Looks from the last look to the last prepared point of the way; at the
 * last step, and where positions have moved so far that rows may have turned twice, in any
 * case. PASSED: *t, and *at, a constraint, CRANK_TURN_CONTACT or CRANK_TURN_LOOSE - j: of
 * velocity j. */
crank_turn_found crank_rank_turn_accepted(crank_rank_turn *turn, const crank_turn_point *point,
                                          bool last, double *t, int *at);
/* A step may be accepted, and the Jacobian at its end is known. TRIED: there is a change in it,
 * and it should be shorter. */
crank_turn_found crank_rank_turn_try(crank_rank_turn *turn, const crank_turn_point *point,
                                     double *t, int *at);
/* A step that was tried, or at whose end nothing hinted at anything, was accepted: the way
 * begins there. */
void crank_rank_turn_go_on(crank_rank_turn *turn, const crank_turn_point *point);
/* Is there a change ahead of (t, x), which was accepted last, along its velocities? *zero, *at:
 * as above. */
bool crank_rank_turn_ahead(crank_rank_turn *turn, double t, const double *x, double reach,
                           double *zero, int *at);
/* Time in which accelerations, carried, bend the way of positions by `closest`. */
double crank_rank_turn_straight(const crank_rank_turn *turn, const double *x);
/* size at (t, x), of V beside itself; the way begins anew. false: it cannot be evaluated. */
bool crank_rank_turn_measure(crank_rank_turn *turn, double t, const double *x);
/* rank_turn_signs.c. Does the rank seem to be lost between the last look and this point, whose
 * Jacobian is known? *side: of det c_s there. *at: a constraint, or as in CRANK_TURN_CONTACT. */
bool crank_rank_turn_changes(crank_rank_turn *turn, const crank_turn_point *point, int *side,
                             int *at);
/* The point of the last crank_rank_turn_changes is the one to look from. */
void crank_rank_turn_look_from(crank_rank_turn *turn, int side);
/* The last look was at this point. */
void crank_rank_turn_begin_at(crank_rank_turn *turn, const crank_turn_point *point);
/* rank_turn_loose.c. Velocities without mass, and the memory of their test; false: none. */
bool crank_rank_turn_loose_create(crank_rank_turn *turn, const double *jacobian);
void crank_rank_turn_loose_destroy(crank_rank_turn *turn);
/* May velocities without mass have become undetermined since the last accepted point? Not so
 * where motions alone determine them on the way from there; where constraints do, which would
 * take a Jacobian at each step, nobody looks. */
bool crank_rank_turn_may_loosen(crank_rank_turn *turn, double t, const double *x);
/* The supplier's motions at the last look (0), or here (1). */
void crank_rank_turn_take_motions(crank_rank_turn *turn, double t, const double *x, int at);
/* Do velocities without mass seem to be undetermined between `before` and `now`? *at: which. */
bool crank_rank_turn_loosens(crank_rank_turn *turn, int *at);
/* Is the motion that loosened last, by *at, damped at the point of `jacobian`? Then a balance of
 * forces determines it where its inertia is lost. *at becomes the velocity to call it by. */
bool crank_rank_turn_is_damped(crank_rank_turn *turn, int *at);
/* ESINGULAR with the body of *at that lost its inertia at t, or will lose it; CRANK_OK: it is
 * none. */
crank_status crank_rank_turn_loss(const crank_rank_turn *turn, double t, bool ahead, int at,
                                  crank_error *err);
/* of a constraint, or of the contact equations */
const char *crank_rank_turn_name(const crank_rank_turn *turn, int at, char *text, size_t size);
void crank_rank_turn_archive(crank_rank_turn *turn, crank_archive *archive);

#endif
