/* rank.h - ranks, kernels and independent rows of small dense matrices by singular values. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_RANK_H
#define CRANK_SRC_DAE_RANK_H

#include "linalg/singular.h"

/* A: rows x columns, column-major, not changed. Singular values above CRANK_RANK_TOLERANCE
 * count: scale before. Destroy *svd also on failure. */
crank_status crank_dae_singular(int rows, int columns, const double *A, crank_singular *svd,
                                crank_error *err);
/* Without vectors, which is faster; gap as in singular.h. */
crank_status crank_dae_rank_gap(int rows, int columns, const double *A, int *rank, double *gap,
                                crank_error *err);
crank_status crank_dae_rank_of(int rows, int columns, const double *A, int *rank,
                               crank_error *err);
/* count rows of A that span its row space well (QR with column pivoting of A^T), rising. */
crank_status crank_dae_choose_rows(int rows, int columns, const double *A, int count,
                                   int *chosen, crank_error *err);

#endif
