/* frozen.h - LU of a square matrix whose pattern stays and whose pivots are chosen once, on the diagonal:
 *
 *     A = L D U,   l_ik = a_ik / a_kk,   a_ij := a_ij - l_ik a_kj,   u_kj = a_kj / a_kk
 *
 * The order is that of least degree among acceptable pivots [Dav06, 7.1], found with the values at hand at creation; after
 * that the elimination is a list of places in one array, without searches. In the symmetric form (A = A^T in every bit)
 * only one half is computed, A = L D L^T. Unknowns with constant entries alone are eliminated once for all. Suits [M J^T; J 0] with M definite, and triangular parts, whose pivots are ones;
 * a matrix that needs pivots off the diagonal is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FROZEN_H
#define CRANK_SRC_FROZEN_H

#include <crank/base.h>

typedef struct crank_frozen crank_frozen;

/* Entries (row[e], column[e]), each place once; those with a negative row are none of A's. constant: entries whose values
 * never change; NULL: none. CRANK_RETRY: no such pivots, or A is not symmetric though asked for, or the
 * elimination takes so much arithmetic that dense blocks are better. */
crank_status crank_frozen_create(int n, int count, const int *row, const int *column,
                                 const double *values, const bool *constant, bool symmetric,
                                 crank_frozen **out, crank_error *err);
void crank_frozen_destroy(crank_frozen *f);

/* values: per entry of create. false: a pivot is lost in cancellation or not finite, or A is not symmetric. */
bool crank_frozen_factor(crank_frozen *f, const double *values);
/* b := A^-1 b */
void crank_frozen_solve(const crank_frozen *f, double *b);
/* By unknown: one over its pivot. */
const double *crank_frozen_inverse_pivots(const crank_frozen *f);

#endif
