/* rotating.h - closed loops in the plane: pairs of constraints that are sums of turned vectors,
 *
 *     g_pair = constant + sum over coordinates +-e_x or +-e_y q_j + sum over vectors R(A) (c, s),
 *
 * where A is one coordinate or the sum of two. R(A) turns by A, so that each derivative with respect to A turns by a
 * right angle more. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_ROTATING_H
#define BENCH_ROTATING_H

#include "mechanics.h"

typedef struct rotating_vector {
    int pair;
    int first, second; /* coordinates of A; second -1: none */
    double c, s;
} rotating_vector;

typedef struct rotating_line { /* row += factor * q[coordinate] */
    int row, coordinate;
    double factor;
} rotating_line;

typedef struct rotating {
    int vectors, lines, rows;
    const rotating_vector *vector;
    const rotating_line *line;
    const double *constant; /* rows */
    double *turned;         /* vectors x 2: R(A) (c, s) */
    double *q;              /* the position; kept by the caller */
} rotating;

void rotating_places(const rotating *loops, places *jacobian, places *hessian);
void rotating_place(const rotating *loops);
void rotating_constraint(const rotating *loops, double *g);
void rotating_jacobian(const rotating *loops, double *values);
void rotating_curvature(const rotating *loops, const double *v, double *c);
void rotating_rows(const rotating *loops, const double *v, double *values);
void rotating_sum(const rotating *loops, const double *mu, double *values);
void rotating_third(const rotating *loops, const double *v, double *values);

#endif
