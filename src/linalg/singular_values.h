/* singular_values.h - singular values of larger dense matrices: divide and conquer. Column-major; these allocate. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SINGULAR_VALUES_H
#define CRANK_SRC_SINGULAR_VALUES_H

#include <crank/base.h>

/* A (m x n, destroyed) = U diag(sigma) VT; U m x m, VT n x n, or both NULL: only sigma, min(m,n), falling.
 * CRANK_EMEM, CRANK_EDECOMPOSITION; A must be finite. */
crank_status crank_singular_values(int m, int n, double *A, double *sigma, double *U,
                                   double *VT, crank_error *err);

#endif
