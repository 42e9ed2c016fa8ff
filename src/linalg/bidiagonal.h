/* bidiagonal.h - singular values and vectors of square matrices by way of a bidiagonal one. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BIDIAGONAL_H
#define CRANK_SRC_BIDIAGONAL_H

#include <stdbool.h>

/* X (r x r, in the first r rows of columns of height entries) = U diag(sigma) W^T: U takes X's
 * place, W the r rows below if height is 2 r; height r: sigma alone, X is destroyed. sigma: r,
 * not sorted. work: 5 r. Squares of entries must be in range. false: it does not converge,
 * which finite matrices do. */
bool crank_bidiagonal_svd(int r, double *X, int height, double *sigma, double *work);

#endif
