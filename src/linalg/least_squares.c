/* least_squares.c - QR with column pivoting, plain loops for few rows, LAPACK above.
 *
 * Householder reflectors H = I - tau u u^T with u_1 = 1 as LAPACK stores them; the loops compute the norms of the
 * columns that are left anew at each step. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/least_squares.h"

#include "linalg/dense.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24 }; /* rows up to which loops are faster than LAPACK */

int crank_least_squares_work_size(int m, int n, int count)
{
    const int factor = 2 * n + (n + 1) * 32, solve = count * 64 + 65 * 64;
    return m > factor ? m + solve : factor + solve;
}

static double norm_below(int m, int k, const double *a)
{
    double sum = 0.0;
    for (int i = k; i < m; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

/* b := H b, u below entry k of a */
static void reflect(int m, int k, const double *a, double tau, double *b)
{
    double sum = b[k];
    for (int i = k + 1; i < m; i++) {
        sum += a[i] * b[i];
    }
    sum *= tau;
    b[k] -= sum;
    for (int i = k + 1; i < m; i++) {
        b[i] -= sum * a[i];
    }
}

static void swap_columns(int m, double *A, int a, int b, int *order)
{
    const int keep_order = order[a];
    order[a] = order[b];
    order[b] = keep_order;
    for (int i = 0; i < m; i++) {
        const double keep = A[i + (long)a * m];
        A[i + (long)a * m] = A[i + (long)b * m];
        A[i + (long)b * m] = keep;
    }
}

static void factor_small(int m, int n, double *A, int *order, double *tau)
{
    for (int j = 0; j < n; j++) {
        order[j] = j;
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        double largest = -1.0;
        for (int j = k; j < n; j++) {
            const double norm = norm_below(m, k, A + (long)j * m);
            best = norm > largest ? j : best;
            largest = norm > largest ? norm : largest;
        }
        if (best != k) {
            swap_columns(m, A, k, best, order);
        }
        double *a = A + (long)k * m;
        tau[k] = 0.0;
        if (largest > 0.0 && norm_below(m, k + 1, a) > 0.0) {
            const double beta = a[k] > 0.0 ? -largest : largest;
            tau[k] = (beta - a[k]) / beta;
            for (int i = k + 1; i < m; i++) {
                a[i] /= a[k] - beta;
            }
            a[k] = beta;
        }
        for (int j = k + 1; j < n; j++) {
            reflect(m, k, a, tau[k], A + (long)j * m);
        }
    }
}

bool crank_least_squares_factor(int m, int n, double *A, int *order, double *tau, double *work,
                                int work_size)
{
    for (long i = 0; i < (long)m * n; i++) {
        if (!isfinite(A[i])) {
            return false;
        }
    }
    if (m <= SMALL) {
        factor_small(m, n, A, order, tau);
        return true;
    }
    memset(order, 0, (size_t)n * sizeof *order);
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, A, m, order, tau, work, work_size) != 0) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        order[j] -= 1;
    }
    return true;
}

double crank_least_squares_margin(int m, int n, const double *A)
{
    const double first = fabs(A[0]), last = fabs(A[n - 1 + (long)(n - 1) * m]);
    return first > 0.0 ? last / first : 0.0;
}

static void substitute_back(int m, int n, const double *A, double *b)
{
    for (int j = n - 1; j >= 0; j--) {
        b[j] /= A[j + (long)j * m];
        for (int i = 0; i < j; i++) {
            b[i] -= A[i + (long)j * m] * b[j];
        }
    }
}

/* B := Q^T B */
static void rotate(int m, int n, const double *A, const double *tau, int count, double *B,
                   double *work, int work_size)
{
    if (m > SMALL) { /* the arguments are ours and right: no status to tell */
        (void)LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, count, n, A, m, tau, B, m,
                                  work, work_size);
        return;
    }
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < n; k++) {
            reflect(m, k, A + (long)k * m, tau[k], B + (long)c * m);
        }
    }
}

int crank_least_squares_orientation(int m, int n, const double *A, const double *tau, double *B,
                                    int *pivot, double *work, int work_size)
{
    rotate(m, n, A, tau, n, B, work, work_size);
    if (!crank_lu_factor(n, B, m, pivot)) {
        return 0;
    }
    const int first = n > SMALL ? 1 : 0; /* LAPACK counts from one */
    int sign = 1;
    for (int k = 0; k < n; k++) {
        sign = (pivot[k] != k + first) != (B[k + (long)k * m] < 0.0) ? -sign : sign;
    }
    return sign;
}

void crank_least_squares_solve(int m, int n, const double *A, const int *order,
                               const double *tau, int count, double *B, double *work,
                               int work_size)
{
    rotate(m, n, A, tau, count, B, work, work_size);
    if (m <= SMALL) {
        for (int c = 0; c < count; c++) {
            substitute_back(m, n, A, B + (long)c * m);
        }
    } else {
        (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, count, A, m, B, m);
    }
    for (int c = 0; c < count; c++) {
        double *b = B + (long)c * m;
        for (int j = 0; j < n; j++) {
            work[order[j]] = b[j];
        }
        memcpy(b, work, (size_t)n * sizeof *b);
    }
}
