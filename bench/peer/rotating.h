/* rotating.h - closed loops in the plane: pairs of constraints that are sums of turned vectors,
 *
 *     g_pair = constant + sum over coordinates +-e_x or +-e_y q_j
 *         + sum over vectors R(A) (c, s),
 *
 * where A is one coordinate or the sum of two. R(A) turns by A, so that each derivative with
 * respect to A turns by a right angle more. */
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

/* Gives a problem whose own begins with a rotating the places of G and of the Hessian and all
 * functions of constraints. */
void rotating_attach(mechanics *self);
/* Turns the vectors to the position q, which the caller has stored. */
void rotating_place(const rotating *loops);

#endif
