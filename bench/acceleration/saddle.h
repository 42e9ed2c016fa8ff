/* saddle.h - algorithm 3 of [Neg98], to compare with: accelerations and multipliers by the
 * reduced system along the joint graph,
 *
 *     [M G^T; G 0] (a, lambda) = (f, c):   B = G M^-1 G^T,   B lambda = G M^-1 f - c,
 *                                          a = M^-1 (f - G^T lambda)
 *
 * M consists of small blocks (bodies), rows of G between the same bodies make a joint. B has a
 * block where two joints share a body; joints are put into an order of small profile once
 * (joint_graph.h), and B = L L^T keeps its envelope. No pivoting: B is definite if rows of G
 * are independent. Inverses of constant blocks of M are made once. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BENCH_SADDLE_H
#define CRANK_BENCH_SADDLE_H

#include "joint_graph.h"

#include <crank/base.h>

typedef struct crank_saddle crank_saddle;

typedef struct crank_saddle_counts {
    int bodies, joints, multipliers;
    crank_envelope envelope; /* of blocks */
    long products;           /* of a factorisation: B, then L */
    long solve_products;
} crank_saddle_counts;

enum { CRANK_SADDLE_MOST = 6 };

typedef struct crank_saddle_setup {
    int n, count;
    /* Entries (row[e], column[e]), each place once; those with a negative row are none of the
     * matrix. */
    const int *row, *column;
    const double *values;
    const bool *constant; /* entries whose values never change; NULL: none */
    const int *body;  /* n: unknowns with the same number, not negative, are those of a body;
                      * NULL: connected ones alone */
    bool given_order; /* joints stay in the order of their multipliers */
} crank_saddle_setup;

/* CRANK_RETRY: not such a matrix (a multiplier with an entry of its own or with another, a body
 * of more than CRANK_SADDLE_MOST unknowns, M singular, no multipliers). */
crank_status crank_saddle_create(const crank_saddle_setup *setup, crank_saddle **out,
                                 crank_error *err);
void crank_saddle_destroy(crank_saddle *s);
/* false: M or B is not definite with what rounding leaves, or the matrix is not symmetric in
 * every bit. */
bool crank_saddle_factor(crank_saddle *s, const double *values);
/* b := A^-1 b */
void crank_saddle_solve(crank_saddle *s, double *b);
/* By unknown: of multipliers one over the pivot of B, else zero. */
const double *crank_saddle_inverse_pivots(const crank_saddle *s);
crank_saddle_counts crank_saddle_get_counts(const crank_saddle *s);

#endif
