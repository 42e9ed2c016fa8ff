/* least_squares.c - least squares by QR with column pivoting (qr.c): Q^T b, then the
 * triangle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"
#include "linalg/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int crank_least_squares_work_size(int m, int n, int count)
{
    (void)count; /* one at a time */
    return crank_qr_work_size(m, n);
}

bool crank_least_squares_factor(int m, int n, double *A, int *order, double *tau, double *work,
                                int work_size)
{
    assert(work_size >= crank_qr_work_size(m, n));
    (void)work_size;
    return crank_qr_factor(m, n, A, m, order, tau, work);
}

double crank_least_squares_margin(int m, int n, const double *A)
{
    const double first = fabs(A[0]), last = fabs(A[n - 1 + (long)(n - 1) * m]);
    return first > 0.0 ? last / first : 0.0;
}

/* b := Q^T b */
static void rotate(int m, int n, const double *A, const double *tau, double *b)
{
    for (int k = 0; k < n; k++) {
        crank_reflect(m, k, A + (long)k * m, tau[k], b);
    }
}

int crank_least_squares_orientation(int m, int n, const double *A, const double *tau, double *B,
                                    int *pivot, double *work, int work_size)
{
    (void)work;
    (void)work_size;
    for (int c = 0; c < n; c++) {
        rotate(m, n, A, tau, B + (long)c * m);
    }
    if (!crank_lu_factor(n, B, m, pivot)) {
        return 0;
    }
    int sign = 1;
    for (int k = 0; k < n; k++) {
        sign = (pivot[k] != k) != (B[k + (long)k * m] < 0.0) ? -sign : sign;
    }
    return sign;
}

void crank_least_squares_solve(int m, int n, const double *A, const int *order,
                               const double *tau, int count, double *B, double *work,
                               int work_size)
{
    assert(work_size >= n);
    (void)work_size;
    for (int c = 0; c < count; c++) {
        double *b = B + (long)c * m;
        rotate(m, n, A, tau, b);
        for (int j = n - 1; j >= 0; j--) {
            const double *column = A + (long)j * m;
            b[j] /= column[j];
            crank_subtract(0, j, column, b[j], b);
        }
        for (int j = 0; j < n; j++) {
            work[order[j]] = b[j];
        }
        memcpy(b, work, (size_t)n * sizeof *b);
    }
}
