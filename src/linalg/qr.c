/* qr.c - QR by Householder's reflections, with and without column pivoting [GVL13, 5.2, 5.4].
 *
 * Reflectors H = I - tau u u^T, u_k = 1, as LAPACK stores them. With pivoting the norms of what
 * is left of the columns are carried from step to step, and computed anew where that has
 * cancelled [Drmac and Bujanovic, ACM TOMS 35 (2008) 12]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"
#include "linalg/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool crank_dense_exponent(int m, int n, const double *A, int lda, int *exponent)
{
    double largest = 0.0, bad = 0.0;
    for (int j = 0; j < n; j++) {
        const double *column = A + (long)j * lda;
        for (int i = 0; i < m; i++) {
            const double size = fabs(column[i]);
            largest = size > largest ? size : largest;
            bad += size * 0.0; /* NaN where an entry is not finite */
        }
    }
    (void)frexp(largest, exponent);
    return bad == 0.0;
}

void crank_dense_scale(int m, int n, double *A, int lda, int exponent, bool upper)
{
    /* in two steps, since 2^exponent itself may be out of range */
    const double half = ldexp(1.0, exponent / 2), rest = ldexp(1.0, exponent - exponent / 2);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m && (!upper || i <= j); i++) {
            A[i + (long)j * lda] = A[i + (long)j * lda] * half * rest;
        }
    }
}

/* entries whose squares lose digits below the range of numbers: up and down again */
static double make_tiny_reflector(int m, int k, double *a)
{
    bool zero = true;
    for (int i = k + 1; i < m; i++) {
        zero = zero && a[i] == 0.0;
    }
    if (zero) {
        return 0.0;
    }
    crank_dense_scale(m - k, 1, a + k, m, 500, false);
    const double tau = crank_make_reflector(m, k, a);
    crank_dense_scale(1, 1, a + k, 1, -500, false);
    return tau;
}

double crank_make_reflector(int m, int k, double *a)
{
    const double below = crank_dot(m - k - 1, a + k + 1, a + k + 1);
    const double square = a[k] * a[k] + below;
    if (!(square >= CRANK_TINY_SQUARE)) {
        return make_tiny_reflector(m, k, a);
    }
    if (!(below > 0.0)) {
        return 0.0;
    }
    const double norm = sqrt(square), beta = a[k] > 0.0 ? -norm : norm;
    const double tau = (beta - a[k]) / beta, inverse = 1.0 / (a[k] - beta);
    for (int i = k + 1; i < m; i++) {
        a[i] *= inverse;
    }
    a[k] = beta;
    return tau;
}

static int largest_of(int first, int n, const double *norm)
{
    int best = first;
    for (int j = first + 1; j < n; j++) {
        best = norm[j] > norm[best] ? j : best;
    }
    return best;
}

static void swap_columns(int m, double *restrict a, double *restrict b)
{
    for (int i = 0; i < m; i++) {
        const double keep = a[i];
        a[i] = b[i];
        b[i] = keep;
    }
}

/* row k of column a is done: the norm of the rows below; reference: the norm when it was last
 * computed from entries */
static void downdate(int m, int k, const double *a, double *norm, double *reference)
{
    static const double cancelled = 1.5e-8; /* sqrt(eps): no digit is lost down to there */
    if (!(*norm > 0.0)) {
        return;
    }
    const double ratio = fabs(a[k]) / *norm, against = *norm / *reference;
    const double left = fmax((1.0 + ratio) * (1.0 - ratio), 0.0);
    if (left * against * against <= cancelled) {
        *norm = sqrt(crank_dot(m - k - 1, a + k + 1, a + k + 1));
        *reference = *norm;
    } else {
        *norm *= sqrt(left);
    }
}

void crank_qr_in_place(int m, int n, double *A, int lda, double *tau, double *exchange,
                       double *norms)
{
    const int steps = m < n ? m : n;
    double *norm = norms, *reference = norms != NULL ? norms + n : NULL;
    for (int j = 0; j < n && exchange != NULL; j++) {
        const double *a = A + (long)j * lda;
        norm[j] = reference[j] = sqrt(crank_dot(m, a, a));
    }
    for (int k = 0; k < steps; k++) {
        double *a = A + (long)k * lda;
        if (exchange != NULL) {
            const int best = largest_of(k, n, norm);
            exchange[k] = best;
            if (best != k) {
                swap_columns(m, a, A + (long)best * lda);
                norm[best] = norm[k];
                reference[best] = reference[k];
            }
        }
        tau[k] = crank_make_reflector(m, k, a);
        for (int j = k + 1; j < n; j++) {
            double *b = A + (long)j * lda;
            if (tau[k] != 0.0) {
                crank_reflect(m, k, a, tau[k], b);
            }
            if (exchange != NULL) {
                downdate(m, k, b, &norm[j], &reference[j]);
            }
        }
    }
}

int crank_qr_work_size(int m, int n)
{
    return m + 2 * n + 1;
}

bool crank_qr_factor(int m, int n, double *A, int lda, int *order, double *tau, double *work)
{
    enum { SAFE = 300 }; /* squares of 2^300 and their sums are in range */
    const int steps = m < n ? m : n;
    int exponent;
    if (!crank_dense_exponent(m, n, A, lda, &exponent)) {
        return false;
    }
    const bool scaled = exponent > SAFE || exponent < -SAFE;
    if (scaled) {
        crank_dense_scale(m, n, A, lda, -exponent, false);
    }
    crank_qr_in_place(m, n, A, lda, tau, order != NULL ? work : NULL, work + steps);
    if (scaled) {
        crank_dense_scale(m, n, A, lda, exponent, true);
    }
    for (int j = 0; j < n && order != NULL; j++) {
        order[j] = j;
    }
    for (int k = 0; k < steps && order != NULL; k++) {
        const int other = (int)work[k], keep = order[k];
        order[k] = order[other];
        order[other] = keep;
    }
    return true;
}

bool crank_qr(int m, int n, double *A, int lda, int *order, double *Q, double *tau,
              double *work, int work_size)
{
    const int steps = m < n ? m : n;
    assert(work_size >= crank_qr_work_size(m, n));
    (void)work_size;
    if (!crank_qr_factor(m, n, A, lda, order, tau, work)) {
        return false;
    }
    memset(Q, 0, (size_t)m * (size_t)m * sizeof *Q);
    for (int j = 0; j < m; j++) {
        double *q = Q + (long)j * m;
        q[j] = 1.0;
        for (int k = j < steps ? j : steps - 1; k >= 0; k--) {
            crank_reflect(m, k, A + (long)k * lda, tau[k], q);
        }
    }
    return true;
}
