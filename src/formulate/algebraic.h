/* algebraic.h - the algebraic unknowns z = (w, lambda, mu, s) from the others: at stages of
 * explicit methods (ode), and at rows of formulations whose error test does not see them
 * (direct).
 *
 *     0 = F(z) = (d, gII, hI, c)                                                   theory (9.1)
 *
 * algebraic.c (Newton's iteration, memory), algebraic_square.c (factors of F_z). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ALGEBRAIC_H
#define CRANK_SRC_ALGEBRAIC_H

#include "base/arena.h"
#include "eom/scale.h"
#include "eom/stage.h"
#include "formulate/reduction.h"
#include "linalg/recorded.h"
#include "linalg/solver.h"

/* The square system: rows d, gII, hI, c, columns w, lambda, mu, s. Factored with pivots chosen
 * once where possible (recorded.h), else with pivoting (solver.h). */
typedef struct crank_algebraic_square {
    int n;
    crank_recorded *symmetric, *general; /* NULL: there are no such pivots */
    crank_recorded *ready; /* the one of them whose factors are at hand; NULL: none */
    int doubtful_count;    /* unknowns whose pivots may be rounding alone, theory (9.4) */
    int *doubtful;
    double *most;         /* n: one over the least pivot that counts */
    crank_solver *solver; /* with pivoting */
    int *start, *row;     /* its pattern */
    int *place;           /* per stage entry: into its values, -1: a differential row */
    int *diagonal;        /* n: of multipliers, into its values; -1 */
} crank_algebraic_square;

/* an entry of a sparse matrix that is applied to a vector */
typedef struct crank_algebraic_term {
    int row, column;
    int entry;    /* stage entry that is its value */
    double value; /* of constant ones */
} crank_algebraic_term;

typedef struct crank_algebraic {
    /* set by the owner */
    crank_eom *eom;
    const crank_scale *scale;
    crank_statistics *statistics;
    double rtol;                           /* 0: as exact as rounding allows */
    const crank_reduction_state *left_out; /* redundant rows; NULL: there are none */
    const double *first_multiplier;        /* of such rows; lambda, then mu */
    /* the rest by crank_algebraic_create */
    crank_arena arena;
    crank_stage_entries entries;
    crank_algebraic_square square;
    int rate_count; /* differential rows by algebraic unknowns */
    crank_algebraic_term *rate;
    double *k, *values; /* rows of a stage, and behind them its entries */
    double *work, *delta;
} crank_algebraic;

static inline bool crank_algebraic_redundant(const crank_algebraic *s)
{
    return s->left_out != NULL && s->left_out->redundant;
}

/* May pivots be chosen once, or does a solver with pivoting answer? */
static inline bool crank_algebraic_once(crank_linear_algebra wish)
{
    return wish == CRANK_LINALG_AUTO || wish == CRANK_LINALG_SPARSE ||
           wish == CRANK_LINALG_RECORDED;
}

/* Patterns, memory, and pivots chosen once from the point (t0, x0), unless x0 is NULL or cannot
 * be evaluated (it may be rough). */
crank_status crank_algebraic_create(crank_algebraic *s, crank_linear_algebra wish, double t0,
                                    const double *x0, crank_error *err);
void crank_algebraic_destroy(crank_algebraic *s);
/* The algebraic unknowns of x, and the differential rows of s->k there. CRANK_RETRY: not
 * determined, or not found. */
crank_status crank_algebraic_solve(crank_algebraic *s, double t, double *x, crank_error *err);
/* The largest increment s->delta relative to the size of its group's unknowns; NaN stays. */
double crank_algebraic_relative_size(const crank_algebraic *s, const double *x);
/* z of x += s->delta, and the differential rows of s->k with it. */
void crank_algebraic_apply(crank_algebraic *s, double *x);
/* Checkpoints: factors that are kept. */
void crank_algebraic_archive(crank_algebraic *s, crank_archive *archive);

/* algebraic_square.c. values: of the stage entries at the start, from which pivots are chosen
 * once; NULL: they are not. */
crank_status crank_algebraic_square_create(crank_algebraic *s, crank_linear_algebra wish,
                                           const double *values, crank_error *err);
void crank_algebraic_square_destroy(crank_algebraic_square *square);
/* Factors of s->values with pivots chosen once; false: there are none here. */
bool crank_algebraic_square_factor(crank_algebraic *s);
/* s->delta := F_z^-1 s->delta; multipliers of rows left out come from x. CRANK_RETRY:
 * singular. */
crank_status crank_algebraic_square_solve(crank_algebraic *s, double t, const double *x,
                                          crank_error *err);
/* The same with the factors of its last call; multipliers of rows left out stay. */
void crank_algebraic_square_again(crank_algebraic *s);

#endif
