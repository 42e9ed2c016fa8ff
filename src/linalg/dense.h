/* dense.h - all dense linear algebra: LU real and complex, products, QR, least squares,
 * singular values.
 *
 * Column-major, entry (i, j) of A at A[i + j*lda]; complex entries are pairs (re, im). Plain
 * loops in one fixed order, compiled for the processor that all have: no library that picks its
 * kernels, no threads, so equal runs give equal bits wherever they run. Nothing allocates. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DENSE_H
#define CRANK_SRC_DENSE_H

#include "base/archive.h"

/* ---- square systems: lu.c, complex_lu.c ---- */

/* A = P L U in place. false: a pivot is zero or not finite. pivot[k]: row that changed places
 * with row k. */
bool crank_lu_factor(int n, double *A, int lda, int *pivot);
/* b := A^-1 b with the factors. */
void crank_lu_solve(int n, const double *A, int lda, const int *pivot, double *b);
/* b := A^-T b */
void crank_lu_solve_transposed(int n, const double *A, int lda, const int *pivot, double *b);
/* The same for complex A (2 doubles per entry, lda counts entries) and b. */
bool crank_zlu_factor(int n, double *A, int lda, int *pivot);
void crank_zlu_solve(int n, const double *A, int lda, const int *pivot, double *b);

/* Checkpoints: the factors of either, n x n, stride doubles per entry. */
void crank_lu_archive(crank_archive *archive, int n, double *A, int stride, int *pivot);

/* ---- products: product.c ---- */

/* C (m x n) = A (m x k) B (k x n); transpose_a: A is stored k x m. */
void crank_gemm(bool transpose_a, int m, int n, int k, const double *A, int lda,
                const double *B, int ldb, double *C, int ldc);

/* ---- orthogonal decompositions: qr.c, svd.c with bidiagonal.c; false: an entry is not finite
 * ---- */

/* Sizes of the work array (doubles) that the two calls below need for an m x n matrix. */
int crank_svd_work_size(int m, int n);
int crank_qr_work_size(int m, int n);
/* A (m x n, destroyed) = U diag(sigma) VT; U m x m, VT n x n, or both NULL: only sigma,
 * min(m,n), falling. */
bool crank_svd(int m, int n, double *A, int lda, double *sigma, double *U, double *VT,
               double *work, int work_size);
/* A P = Q R with column pivoting if order != NULL (order[k]: 0-based column of A that became
 * column k), without pivoting else. R stays in A's upper triangle, Q (m x m) is formed. tau:
 * min(m,n). */
bool crank_qr(int m, int n, double *A, int lda, int *order, double *Q, double *tau,
              double *work, int work_size);

/* ---- A x = b, m x n with m >= n, in the sense of least squares: least_squares.c ---- */

/* doubles of work for count right-hand sides at once */
int crank_least_squares_work_size(int m, int n, int count);
/* A P = Q R in place: R above, reflectors below the diagonal; order[k]: column of A that became
 * column k; tau: n. false: an entry is not finite. */
bool crank_least_squares_factor(int m, int n, double *A, int *order, double *tau, double *work,
                                int work_size);
/* |R_nn| / |R_11|: zero if A has lost rank; order[n - 1] is then a variable that is not
 * determined. */
double crank_least_squares_margin(int m, int n, const double *A);
/* B (m x count) := solutions in its first n rows; the rows behind hold what is left of the
 * residual (in terms of Q). */
void crank_least_squares_solve(int m, int n, const double *A, const int *order,
                               const double *tau, int count, double *B, double *work,
                               int work_size);
/* The sign of det(Q^T B), Q the n columns of Q that span the columns of a factored A, B: m x n
 * (destroyed): that of B = A changes along a path on which A loses rank once. pivot: n. */
int crank_least_squares_orientation(int m, int n, const double *A, const double *tau, double *B,
                                    int *pivot, double *work, int work_size);

#endif
