/* dense.h - square LU with partial pivoting, real and complex, and what LAPACK does better.
 *
 * Column-major, leading dimension lda. Complex entries are pairs (re, im). Below about 24 rows plain
 * loops beat the library's overhead; above, LAPACK is called (its *_work forms allocate nothing). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DENSE_H
#define CRANK_SRC_DENSE_H

#include "base/archive.h"

/* A = P L U in place. false: a pivot is zero or not finite. pivot: n. */
bool crank_lu_factor(int n, double *A, int lda, int *pivot);
/* b := A^-1 b with the factors. */
void crank_lu_solve(int n, const double *A, int lda, const int *pivot, double *b);
/* The same for complex A (2 doubles per entry, lda counts entries) and b. */
bool crank_zlu_factor(int n, double *A, int lda, int *pivot);
void crank_zlu_solve(int n, const double *A, int lda, const int *pivot, double *b);

/* Checkpoints: the factors of either, n x n, stride doubles per entry. */
void crank_lu_archive(crank_archive *archive, int n, double *A, int stride, int *pivot);

/* C (m x n) = A (m x k) B (k x n); transpose_a: A is stored k x m. */
void crank_gemm(bool transpose_a, int m, int n, int k, const double *A, int lda,
                const double *B, int ldb, double *C, int ldc);

/* Sizes of the work array (doubles) that the two calls below need for an m x n matrix. */
int crank_svd_work_size(int m, int n);
int crank_qr_work_size(int m, int n);
/* A (m x n, destroyed) = U diag(sigma) VT; U m x m, VT n x n, sigma min(m,n), falling. */
bool crank_svd(int m, int n, double *A, int lda, double *sigma, double *U, double *VT,
               double *work, int work_size);
/* A P = Q R with column pivoting if order != NULL (order[k]: 0-based column of A that became column k),
 * without pivoting else. R stays in A's upper triangle, Q (m x m) is formed. */
bool crank_qr(int m, int n, double *A, int lda, int *order, double *Q, double *tau,
              double *work, int work_size);

#endif
