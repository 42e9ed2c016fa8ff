/* rank.c - singular values of small dense matrices, and what is read from them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/rank.h"

#include "dae/system.h"
#include "linalg/dense.h"

#include <stdlib.h>
#include <string.h>

static size_t area(int rows, int columns)
{
    return (size_t)rows * (size_t)columns;
}

static crank_status no_memory(int rows, int columns, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "singular values of a %d x %d matrix", rows, columns);
}

static crank_status decompose(int rows, int columns, const double *A, bool vectors,
                              crank_singular *svd, crank_error *err)
{
    crank_status status = crank_singular_create(rows, columns, vectors, svd, err);
    if (status == CRANK_OK) {
        memcpy(svd->A, A, area(rows, columns) * sizeof *A);
        status = crank_singular_decompose(svd, err);
    }
    if (status == CRANK_OK) {
        crank_singular_count(svd, CRANK_RANK_TOLERANCE);
    }
    return status;
}

crank_status crank_dae_singular(int rows, int columns, const double *A, crank_singular *svd,
                                crank_error *err)
{
    return decompose(rows, columns, A, true, svd, err);
}

crank_status crank_dae_rank_gap(int rows, int columns, const double *A, int *rank, double *gap,
                                crank_error *err)
{
    crank_singular svd;
    const crank_status status = decompose(rows, columns, A, false, &svd, err);
    *rank = svd.rank;
    *gap = svd.gap;
    crank_singular_destroy(&svd);
    return status;
}

crank_status crank_dae_rank_of(int rows, int columns, const double *A, int *rank,
                               crank_error *err)
{
    double gap;
    return crank_dae_rank_gap(rows, columns, A, rank, &gap, err);
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

crank_status crank_dae_choose_rows(int rows, int columns, const double *A, int count,
                                   int *chosen, crank_error *err)
{
    if (count == 0) {
        return CRANK_OK;
    }
    const int size = crank_qr_work_size(columns, rows);
    const size_t need = area(rows, columns) + area(columns, columns) + (size_t)rows +
                        (size_t)columns + (size_t)size;
    double *work = calloc(need, sizeof *work);
    int *order = calloc((size_t)rows, sizeof *order);
    bool done = work != NULL && order != NULL;
    crank_status status = done ? CRANK_OK : no_memory(rows, columns, err);
    if (done) {
        double *At = work, *Q = At + area(rows, columns), *tau = Q + area(columns, columns);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                At[(size_t)j + area(i, columns)] = A[(size_t)i + area(j, rows)];
            }
        }
        done = crank_qr(columns, rows, At, columns, order, Q, tau, tau + rows + columns, size);
        status =
            done ? CRANK_OK
                 : crank_fail(err, CRANK_EDECOMPOSITION,
                              "the QR decomposition of a %d x %d matrix failed", columns, rows);
    }
    if (done) {
        memcpy(chosen, order, (size_t)count * sizeof *chosen);
        qsort(chosen, (size_t)count, sizeof *chosen, by_size);
    }
    free(work);
    free(order);
    return status;
}
