/* ode.h - the object behind the formulation ode: ode.c (the problem), ode_project.c (projection
 * with the factors of the system for the algebraic unknowns), ode_reach.c (half-explicit
 * stages). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ODE_H
#define CRANK_SRC_ODE_H

#include "formulate/algebraic.h"
#include "formulate/psf.h"

/* times of stages that are kept */
enum { CRANK_ODE_STAGES = 24 };

/* Projection with the factors of a stage, theory 9.1. */
typedef struct crank_ode_quick {
    bool idle;     /* there is nothing to project */
    bool possible; /* by the kind of the equations */
    bool moves;    /* positions move along velocities by the supplier's function */
    bool chosen;   /* the last call of prepare left it at that */
    int looks;     /* decompositions of psf since the start */
    int blind;     /* steps since the last of them, as far as that matters */
    bool look_due; /* the monitor of singular positions asks for one */
    bool glance;   /* the last step may have led across one: gradients at its ends tell */
    double *most,
        /* of each multiplier: largest pivot so far, and at the last decomposition */
        *most_at_look;
    /* Stages since the last look, by their times: the least pivot over its largest value, at
     * each, and lowest in all; dropped: so many there was no room for. */
    int stages, dropped;
    double stage[CRANK_ODE_STAGES], least[CRANK_ODE_STAGES];
    double lowest;
    crank_singular monitor,
        before;     /* of singular positions, by pivots of multipliers; before its last look */
    int term_count; /* of Z */
    crank_algebraic_term *term;
    double *point, *step, *force, *jacobian;
    bool known; /* algebraic.k are the rows at (known_t, known_x), algebraic unknowns found */
    double known_t;
    double *known_x;
} crank_ode_quick;

/* Half-explicit stages, ode_reach.c. */
typedef struct crank_ode_reach {
    crank_arena arena;
    bool exact;         /* derivatives at the point ahead are stage entries there */
    bool stays;         /* the last two points ahead have the same velocities */
    double *k, *values; /* rows and stage entries at the point ahead */
    double *point;      /* n: that point */
    double *rate;       /* n */
    double *residual;   /* of the square system, times the inverse of its matrix */
    double *whole;      /* the same: a way before it is made shorter */
    double *way, *gain; /* CRANK_REACH_WAYS x square.n: increments, and what they take off */
} crank_ode_reach;

enum { CRANK_REACH_WAYS = 8 };

typedef struct crank_ode {
    crank_problem base;
    crank_psf *psf; /* corrections onto the constraints, singular positions, redundant rows */
    crank_eom *eom;
    crank_arena arena;
    crank_algebraic algebraic;
    crank_recorded *mass; /* NULL: M is diagonal, or needs pivoting */
    bool mass_ready;      /* it has factors of the values at hand */
    int steps;            /* since the last look ahead, at time `looked`: ode.c */
    double looked;
    crank_ode_quick quick;
    crank_ode_reach reach;
    bool *tested;
} crank_ode;

static inline size_t crank_ode_multipliers(const crank_eom *eom)
{
    return (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
}

/* ode.c. The algebraic unknowns of x, and the differential rows of algebraic.k there. */
crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err);
/* x' of the differential unknowns from algebraic.k at (t, x). */
crank_status crank_ode_rates(crank_ode *s, double t, const double *x, double *xdot,
                             crank_error *err);
/* M at (t, x); then a := M^-1 a */
crank_status crank_ode_update_mass(crank_ode *s, double t, const double *x, crank_error *err);
crank_status crank_ode_solve_mass(crank_ode *s, double *a, crank_error *err);

/* ode_project.c. Prepares its lists; the pieces of memory are laid out by ode.c. */
void crank_ode_quick_create(crank_ode *s);
void crank_ode_quick_restart(crank_ode *s);
/* Looks at the pivots of a stage at time t. */
void crank_ode_quick_see(crank_ode *s, double t);
/* Looks at the pivots of the last factors, which belong to time t. Is a decomposition of psf
 * due? */
bool crank_ode_quick_look(crank_ode *s, double t);
/* Shortens a step *h from t that would reach a singular position forecast by pivots. */
void crank_ode_quick_limit(crank_ode *s, double t, double *h);
/* x onto g, gI, h, with algebraic unknowns. CRANK_RETRY: not this way. */
crank_status crank_ode_quick_correct(crank_ode *s, double t, double *x, crank_error *err);

/* ode_reach.c: problem->reach. */
crank_status crank_ode_reach_create(crank_ode *s, crank_error *err);
void crank_ode_reach_destroy(crank_ode *s);
crank_status crank_ode_reach_stage(crank_problem *base, const crank_reach *ask, double *x,
                                   double *xdot, crank_error *err);

#endif
