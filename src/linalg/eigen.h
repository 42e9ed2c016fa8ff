/* eigen.h - eigenvalues and eigenvectors of a general real matrix, for set-up analyses
 * (linearisation, stability): allocates, and is not made for speed. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LINALG_EIGEN_H
#define CRANK_SRC_LINALG_EIGEN_H

#include <crank/base.h>

/* A (n x n, column-major, destroyed) u = lambda u. real, imag: n, pairs of conjugates beside
 * each other, that of positive imaginary part first. vectors: n columns of n complex numbers
 * (re, im) of norm one, their largest component real; NULL: none. EDECOMPOSITION: an entry is
 * not finite, or the iteration does not end. */
crank_status crank_eigen(int n, double *A, double *real, double *imag, double *vectors,
                         crank_error *err);
/* The invariant subspace of the eigenvalues of largest modulus, at least `wanted` of them, not cut
 * between moduli that differ by less than 1e-5: its dimension *count, a basis (n x *count, room
 * for n x n, real, orthonormal); size (n): all moduli, the largest first. A is destroyed. */
crank_status crank_eigen_leading(int n, double *A, int wanted, double *size, double *basis,
                                 int *count, crank_error *err);

#endif
