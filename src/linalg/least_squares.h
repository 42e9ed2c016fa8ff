/* least_squares.h - A x = b, A: m x n with m >= n, in the sense of least squares, by QR with column pivoting.
 *
 * Column-major. The factors tell how close A is to losing rank. Nothing allocates. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LEAST_SQUARES_H
#define CRANK_SRC_LEAST_SQUARES_H

#include <stdbool.h>

/* doubles of work for count right-hand sides at once */
int crank_least_squares_work_size(int m, int n, int count);
/* A P = Q R in place: R above, reflectors below the diagonal; order[k]: column of A that became column k; tau: n.
 * false: an entry is not finite. */
bool crank_least_squares_factor(int m, int n, double *A, int *order, double *tau, double *work,
                                int work_size);
/* |R_nn| / |R_11|: zero if A has lost rank; order[n - 1] is then a variable that is not determined. */
double crank_least_squares_margin(int m, int n, const double *A);
/* B (m x count) := solutions in its first n rows; the rows behind hold what is left of the residual (in terms of Q). */
void crank_least_squares_solve(int m, int n, const double *A, const int *order,
                               const double *tau, int count, double *B, double *work,
                               int work_size);
/* The sign of det(Q^T B), Q the n columns of Q that span the columns of a factored A, B: m x n (destroyed): that of
 * B = A changes along a path on which A loses rank once. pivot: n. */
int crank_least_squares_orientation(int m, int n, const double *A, const double *tau, double *B,
                                    int *pivot, double *work, int work_size);

#endif
