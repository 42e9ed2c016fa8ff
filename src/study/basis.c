/* basis.c - a basis of the null space of constraints by QR with column exchanges [GVL13,
 * 5.4.2]:
 *
 *     W P = Q [R1 R2],   delta_D = -R1^-1 R2 delta_I
 *
 * so that the coordinates are some of the columns themselves, and have their names. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/basis.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* columns in units, rows of norm one, or less where that is below least; rows that vanish
 * stay */
static void equilibrate(int rows, int columns, double *W, const double *unit,
                        const double *least)
{
    for (int i = 0; i < rows; i++) {
        double norm = 0.0;
        for (int j = 0; j < columns; j++) {
            double *entry = &W[i + (long)j * rows];
            *entry *= unit[j];
            norm = hypot(norm, *entry);
        }
        for (int j = 0; j < columns && norm > 0.0; j++) {
            W[i + (long)j * rows] /= fmax(norm, least[i]);
        }
    }
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* N of the dependent columns from R, and the identity */
static void fill(crank_basis *b, int rows, const double *R, const int *order,
                 const double *unit)
{
    const int rank = b->rank, columns = b->columns;
    for (int f = 0; f < b->free; f++) {
        b->independent[f] = order[rank + f];
    }
    qsort(b->independent, (size_t)b->free, sizeof *b->independent, compare);
    for (int f = 0; f < b->free; f++) {
        double *N = b->N + (long)f * columns;
        int at = rank; /* where QR has put it */
        while (order[at] != b->independent[f]) {
            at++;
        }
        N[b->independent[f]] = 1.0;
        for (int i = rank - 1; i >= 0; i--) {
            double sum = -R[i + (long)at * rows] / unit[b->independent[f]];
            for (int j = i + 1; j < rank; j++) {
                sum -= R[i + (long)j * rows] * N[order[j]] / unit[order[j]];
            }
            N[order[i]] = sum / R[i + (long)i * rows] * unit[order[i]];
        }
    }
}

crank_status crank_basis_create(int rows, int columns, double *W, const double *unit,
                                const double *least_norm, double tolerance, crank_basis *b,
                                crank_error *err)
{
    const size_t n = (size_t)columns, m = (size_t)rows;
    const int least = rows < columns ? rows : columns;
    const int size = crank_qr_work_size(rows, columns);
    int *order = calloc(n + 1, sizeof *order);
    double *Q = calloc(m * m + n + (size_t)size + 1, sizeof *Q);
    *b = (crank_basis){.columns = columns};
    b->independent = calloc(n + 1, sizeof *b->independent);
    crank_status status = CRANK_OK;
    if (order == NULL || Q == NULL || b->independent == NULL) {
        status = crank_fail(err, CRANK_EMEM, "a basis of %d motions", columns);
    }
    if (status == CRANK_OK) {
        double *tau = Q + m * m;
        equilibrate(rows, columns, W, unit, least_norm);
        for (int j = 0; j < columns; j++) {
            order[j] = j;
        }
        if (least > 0 && !crank_qr(rows, columns, W, rows, order, Q, tau, tau + n, size)) {
            status = crank_fail(err, CRANK_ENOTFINITE, "gradients of constraints");
        }
        while (status == CRANK_OK && b->rank < least &&
               fabs(W[b->rank + (long)b->rank * rows]) > tolerance) {
            b->rank++;
        }
        b->free = columns - b->rank;
        b->N = calloc(n * (size_t)b->free + 1, sizeof *b->N);
        if (b->N == NULL) {
            status = crank_fail(err, CRANK_EMEM, "a basis of %d motions", columns);
        } else if (status == CRANK_OK) {
            fill(b, rows, W, order, unit);
        }
    }
    free(order);
    free(Q);
    return status;
}

void crank_basis_destroy(crank_basis *b)
{
    free(b->independent);
    free(b->N);
    *b = (crank_basis){0};
}
