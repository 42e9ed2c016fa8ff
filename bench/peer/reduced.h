/* reduced.h - the index-1 reduced equations of a problem and the projection onto its
 * constraints:
 *
 *     M a + G^T lambda = f,   G a = -c,   by   S lambda = G M^-1 f + c,
 *         S = G M^-1 G^T (Cholesky, banded). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_REDUCED_H
#define BENCH_REDUCED_H

#include "mechanics.h"

typedef struct reduced {
    mechanics *problem;
    double *mass;  /* diagonal: 1/M; else the dense Cholesky factor of M, by columns */
    double *g;     /* values of G */
    double *dense; /* full M only: G by rows */
    double *half;  /* full M only: L^-1 G^T, nq x nl */
    double *s;     /* factor of S, band + 1 numbers for each column */
    int products;  /* diagonal M: S[product_at] += G[first] G[second] / M[column] */
    int *product_at, *first, *second, *product_column;
    double *f, *c, *work; /* nq, nl, nq */
    double *values;       /* for Jacobians */
    double *a, *lambda;   /* of the last call */
} reduced;

reduced *reduced_create(mechanics *problem);
void reduced_destroy(reduced *self);
/* Decomposes at (t, q). false: G has lost its rank. */
bool reduced_factor(reduced *self, double t, const double *q);
/* M a + G^T lambda = f,  G a = -c at the place of the last decomposition. */
void reduced_solve(reduced *self, const double *f, const double *c, double *a, double *lambda);
bool reduced_accelerations(reduced *self, double t, const double *q, const double *v, double *a,
                           double *lambda);
/* Moves (q, v) onto 0 = g, 0 = G v + g_t; the smallest change in the norm of M. */
bool reduced_project(reduced *self, double t, double *q, double *v);
/* Takes from (dq, dv) what leads away from the constraints, with the last decomposition. */
void reduced_tangent(reduced *self, double *dq, double *dv);
/* da/dq and da/dv, nq x nq each, by columns. */
bool reduced_jacobian(reduced *self, double t, const double *q, const double *v, double *da_dq,
                      double *da_dv);

#endif
