/* rank.h - ranks, kernels and independent rows of small dense matrices by singular values. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_RANK_H
#define CRANK_SRC_DAE_RANK_H

#include <crank/base.h>

/* A: rows x columns, column-major. Singular values above CRANK_DAE_RANK_TOLERANCE count: scale before. */
typedef struct crank_dae_svd {
    int rows, columns, rank;
    double *sigma;  /* min(rows, columns) */
    double *U, *VT; /* rows x rows, columns x columns */
    double gap; /* smallest that counts / largest that does not; INFINITY if there is none */
} crank_dae_svd;

/* A is not changed. Destroy also on failure. */
crank_status crank_dae_svd_create(int rows, int columns, const double *A, crank_dae_svd *svd,
                                  crank_error *err);
void crank_dae_svd_destroy(crank_dae_svd *svd);
/* Without vectors, which is faster; gap as above. */
crank_status crank_dae_rank_gap(int rows, int columns, const double *A, int *rank, double *gap,
                                crank_error *err);
crank_status crank_dae_rank_of(int rows, int columns, const double *A, int *rank,
                               crank_error *err);
/* count rows of A that span its row space well (QR with column pivoting of A^T), rising. */
crank_status crank_dae_choose_rows(int rows, int columns, const double *A, int count,
                                   int *chosen, crank_error *err);

#endif
