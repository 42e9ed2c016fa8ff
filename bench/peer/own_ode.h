/* own_ode.h - the underlying ordinary differential equation of a model, for peers:
 *
 *     y = (p, v, r),   y' = E^-1 k_d(t, y, z),   0 = k_a(t, y, z)
 *
 * with z = (w, lambda, mu, s) by crank's explicit interface (the formulation ode, theory 9.1),
 * as ode-dopri8 has it, and
 *
 *     J = dy'/dy = E^-1 (k_dy - d(E y')/dy - k_dz k_az^-1 k_ay)
 *
 * from the rows of index1 (own_rows.h). J is dense; who can take factors from outside solves
 * (I - gamma J) delta = b by those of the sparse matrix
 *
 *     [ E - gamma (k_dy - d(E y')/dy)   -gamma k_dz ] [ delta ]   [ E b ]
 *     [          -k_ay                    -k_az     ] [ zeta  ] = [  0  ]
 *
 * by KLU. Nothing is projected. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_OWN_ODE_H
#define BENCH_OWN_ODE_H

#include "own_rows.h"

#include <klu.h>

typedef struct own_ode {
    own_rows rows; /* of index1 */
    crank_ode *ode;
    int n; /* unknowns of the eom */
    /* The sparse matrix by columns: entries of the form's, without what keeps norms of
     * quaternions (index1 has a multiplier for each), which the ode has not. */
    int *start, *row, *entry;
    bool *differential; /* n: its rows */
    int count;          /* of y */
    int *column;        /* count: unknown of the eom */
    bool second_order;  /* y' = v of the first half of y, in the order of these */
    int half;
    double *x, *xdot, *right; /* of the eom */
    double *block;            /* right-hand sides of all columns of J */
    double *y;                /* at the start */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *value;
    long evaluations, jacobians;
} own_ode;

void own_ode_open(own_ode *s, crank_run *run, double rtol);
void own_ode_close(own_ode *s);

int own_ode_rates(own_ode *s, double t, const double *y, double *ydot);
/* x of the eom, with algebraic unknowns */
int own_ode_complete(own_ode *s, double t, const double *y, double *x);
/* Derivatives of the rows there, which the next ones take. */
int own_ode_prepare(own_ode *s, double t, const double *y);
/* Factors for gamma; then b (count) := delta. */
int own_ode_factor(own_ode *s, double gamma);
int own_ode_solve(own_ode *s, double *b);
/* J by columns, rows from first on, each column so many numbers behind the one before. */
int own_ode_dense(own_ode *s, int first, double *out, int apart);

#endif
