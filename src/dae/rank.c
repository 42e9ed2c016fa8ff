/* rank.c - singular values of small dense matrices, and what is read from them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/rank.h"

#include "dae/system.h"
#include "linalg/dense.h"

#include <math.h>
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

/* sigma falls */
static void count_rank(crank_dae_svd *svd)
{
    const int small = svd->rows < svd->columns ? svd->rows : svd->columns;
    svd->rank = 0;
    while (svd->rank < small && svd->sigma[svd->rank] > CRANK_DAE_RANK_TOLERANCE) {
        svd->rank++;
    }
    svd->gap = svd->rank == 0 || svd->rank == small || !(svd->sigma[svd->rank] > 0.0)
                   ? (double)INFINITY
                   : svd->sigma[svd->rank - 1] / svd->sigma[svd->rank];
}

static void identity(int n, double *A)
{
    for (int i = 0; i < n; i++) {
        A[area(i, n + 1)] = 1.0;
    }
}

/* sigma, U and VT of svd; the latter may be NULL */
static crank_status decompose(int rows, int columns, const double *A, crank_dae_svd *svd,
                              crank_error *err)
{
    const int size = crank_svd_work_size(rows, columns);
    double *copy = malloc((area(rows, columns) + (size_t)size) * sizeof *copy);
    if (copy == NULL) {
        return no_memory(rows, columns, err);
    }
    memcpy(copy, A, area(rows, columns) * sizeof *copy);
    const bool done = crank_svd(rows, columns, copy, rows, svd->sigma, svd->U, svd->VT,
                                copy + area(rows, columns), size);
    free(copy);
    return done ? CRANK_OK
                : crank_fail(err, CRANK_EDECOMPOSITION,
                             "singular values of a %d x %d matrix were not found", rows,
                             columns);
}

crank_status crank_dae_svd_create(int rows, int columns, const double *A, crank_dae_svd *svd,
                                  crank_error *err)
{
    *svd = (crank_dae_svd){.rows = rows, .columns = columns, .gap = (double)INFINITY};
    svd->sigma = calloc((size_t)rows + (size_t)columns + 1, sizeof *svd->sigma);
    svd->U = calloc(area(rows, rows) + 1, sizeof *svd->U);
    svd->VT = calloc(area(columns, columns) + 1, sizeof *svd->VT);
    if (svd->sigma == NULL || svd->U == NULL || svd->VT == NULL) {
        return no_memory(rows, columns, err);
    }
    crank_status status = CRANK_OK;
    if (rows > 0 && columns > 0) {
        status = decompose(rows, columns, A, svd, err);
    } else {
        identity(rows, svd->U);
        identity(columns, svd->VT);
    }
    if (status == CRANK_OK) {
        count_rank(svd);
    }
    return status;
}

void crank_dae_svd_destroy(crank_dae_svd *svd)
{
    free(svd->sigma);
    free(svd->U);
    free(svd->VT);
    *svd = (crank_dae_svd){0};
}

crank_status crank_dae_rank_gap(int rows, int columns, const double *A, int *rank, double *gap,
                                crank_error *err)
{
    crank_dae_svd svd = {.rows = rows, .columns = columns};
    svd.sigma = calloc((size_t)rows + (size_t)columns + 1, sizeof *svd.sigma);
    crank_status status = svd.sigma == NULL ? no_memory(rows, columns, err) : CRANK_OK;
    if (status == CRANK_OK && rows > 0 && columns > 0) {
        status = decompose(rows, columns, A, &svd, err);
    }
    if (status == CRANK_OK) {
        count_rank(&svd);
    }
    *rank = svd.rank;
    *gap = svd.gap;
    crank_dae_svd_destroy(&svd);
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
