/* composite.h - algorithm 4 of [Neg98]: accelerations and multipliers in joint coordinates by
 * Cholesky factors of the composite inertia matrix, which have no fill-in with children before
 * their parents.
 *
 *     [M P^T; P 0] (q, l) = (f, c):   M = L L^T,   L T = P^T,   L z = f,
 *     T^T T l = T^T z - c,   L^T q = z - T l */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BENCH_COMPOSITE_H
#define CRANK_BENCH_COMPOSITE_H

#include <stdbool.h>

enum { COMPOSITE_MOST = 32, COMPOSITE_LOOPS = 20 };

/* Unknowns are numbered children first. */
typedef struct composite {
    int n, m;
    int below[COMPOSITE_MOST][COMPOSITE_MOST], below_count[COMPOSITE_MOST]; /* rows of L */
    int rows[COMPOSITE_LOOPS][COMPOSITE_MOST], row_count[COMPOSITE_LOOPS];  /* of T, rising */
    /* rows that two columns of T share */
    int shared[COMPOSITE_LOOPS][COMPOSITE_LOOPS][COMPOSITE_MOST],
        shared_count[COMPOSITE_LOOPS][COMPOSITE_LOOPS];
    double M[COMPOSITE_MOST][COMPOSITE_MOST], P[COMPOSITE_LOOPS][COMPOSITE_MOST];
    double L[COMPOSITE_MOST][COMPOSITE_MOST], T[COMPOSITE_LOOPS][COMPOSITE_MOST];
    double C[COMPOSITE_LOOPS][COMPOSITE_LOOPS];
} composite;

/* multiplications of steps 1, 2, 3.1, 3.3, 3.4 */
typedef struct composite_counts {
    int L, T; /* entries off the diagonal of L; of T */
    int factor, forward, loops, products, dense;
} composite_counts;

/* The vehicle of [Neg98]: 14 bodies, 27 coordinates, 16 constraints; random values. */
void composite_vehicle(composite *c);
/* The same without its zeros: variant D of the algorithm; S is the one with them. */
void composite_densify(composite *c);
composite_counts composite_count(const composite *c);
/* b (n + m) := solution; false: not definite. */
bool composite_solve(composite *c, double *b);

#endif
