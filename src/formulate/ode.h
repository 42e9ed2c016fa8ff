/* ode.h - the object behind the formulation ode: ode.c (the problem), ode_stage.c (algebraic unknowns at a stage),
 * ode_square.c (factors of their system), ode_project.c (projection with the same factors). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ODE_H
#define CRANK_SRC_ODE_H

#include "eom/stage.h"
#include "formulate/psf.h"
#include "linalg/frozen.h"
#include "linalg/sparse.h"

/* The square system of a stage: rows d, gII, hI, c, columns w, lambda, mu, s. Factored with pivots chosen once where
 * that goes (frozen.h), else dense or sparse with pivoting. */
typedef struct crank_ode_square {
    int n;
    crank_frozen *symmetric, *general; /* NULL: such pivots are not to be had */
    crank_frozen *ready;  /* the one of them whose factors are at hand; NULL: none */
    crank_sparse *sparse; /* NULL: dense */
    int *start, *row;     /* its pattern */
    int *place;           /* per stage entry: into values, -1: a differential row */
    int *diagonal;        /* n: of multipliers, into values; -1 */
    double *values;       /* n x n, or per entry of the pattern */
    int *pivot;
} crank_ode_square;

/* an entry of a sparse matrix that is applied to a vector */
typedef struct crank_ode_term {
    int row, column;
    int entry;    /* stage entry that is its value */
    double value; /* of constant ones */
} crank_ode_term;

/* Projection with the factors of a stage, theory 9.1. */
typedef struct crank_ode_quick {
    bool possible; /* by the kind of the equations */
    bool chosen;   /* the last call of prepare left it at that */
    int looks;     /* decompositions of psf since the start */
    int blind;     /* steps since the last of them, as far as that matters */
    bool look_due; /* the monitor of singular positions asks for one */
    double *most,
        *most_at_look; /* of each multiplier: largest pivot so far, and at the last decomposition */
    /* least pivot over its largest value: at the last look, at that before, in stages since */
    double least, least_before, least_within;
    crank_singular monitor,
        before;     /* of singular positions, by pivots of multipliers; before its last look */
    int term_count; /* of Z */
    crank_ode_term *term;
    double *point, *step, *force;
    bool known; /* s->k are the rows at (known_t, known_x), algebraic unknowns found */
    double known_t;
    double *known_x;
} crank_ode_quick;

typedef struct crank_ode {
    crank_problem base;
    crank_psf *psf; /* corrections onto the constraints, singular positions, redundant rows */
    crank_eom *eom;
    crank_arena arena;
    crank_stage_entries entries;
    crank_ode_square square;
    crank_frozen *mass; /* NULL: M is diagonal, or needs pivoting */
    bool mass_ready;    /* it has factors of the values at hand */
    crank_ode_quick quick;
    int rate_count; /* differential rows by algebraic unknowns */
    crank_ode_term *rate;
    bool *tested;
    double *k, *values; /* rows of a stage, and behind them its entries */
    double *work, *delta;
} crank_ode;

static inline size_t crank_ode_multipliers(const crank_eom *eom)
{
    return (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
}

/* ode_square.c. Patterns and memory of the square system; values: of the stage entries at the start, from which pivots are
 * chosen once; NULL: they are not. */
crank_status crank_ode_square_create(crank_ode *s, bool sparse, const double *values,
                                     crank_error *err);
void crank_ode_square_destroy(crank_ode_square *square);
/* Factors of s->values with pivots chosen once; false: not to be had here. */
bool crank_ode_square_factor(crank_ode *s);
/* s->delta := F_z^-1 s->delta; multipliers of rows left out come from x. CRANK_RETRY: singular. */
crank_status crank_ode_square_solve(crank_ode *s, double t, const double *x, crank_error *err);

/* ode_stage.c. The algebraic unknowns of x, and the differential rows of s->k there. */
crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err);
/* M at (t, x); then a := M^-1 a */
crank_status crank_ode_update_mass(crank_ode *s, double t, const double *x, crank_error *err);
crank_status crank_ode_solve_mass(crank_ode *s, double *a, crank_error *err);

/* ode_project.c. Prepares its lists; the pieces of memory are laid out by ode.c. */
void crank_ode_quick_create(crank_ode *s);
void crank_ode_quick_restart(crank_ode *s);
/* Looks at the pivots of a stage. */
void crank_ode_quick_see(crank_ode *s);
/* Looks at the pivots of the last factors, which belong to time t. Is a decomposition of psf due? */
bool crank_ode_quick_look(crank_ode *s, double t);
/* Shortens a step *h from t that would reach a singular position which pivots foretell. */
void crank_ode_quick_limit(crank_ode *s, double t, double *h);
/* x onto g, gI, h, with algebraic unknowns. CRANK_RETRY: not this way. */
crank_status crank_ode_quick_correct(crank_ode *s, double t, double *x, crank_error *err);

#endif
