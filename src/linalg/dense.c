/* dense.c - square LU with partial pivoting, real and complex; wrappers of LAPACK's SVD and QR.
 *
 * The small kernels are right-looking Gaussian elimination, column by column [Dav06, ch. 6 for the
 * sparse cousin]; complex products are written out because C's complex multiplication tests for NaN. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 24 }; /* rows up to which the loops below are faster than LAPACK */

static void swap_rows(int n, double *A, int lda, int a, int b)
{
    for (int j = 0; j < n; j++) {
        const double keep = A[a + (long)j * lda];
        A[a + (long)j * lda] = A[b + (long)j * lda];
        A[b + (long)j * lda] = keep;
    }
}

/* LAPACK lets NaN pass: look at the pivots; stride: doubles per entry */
static bool pivots_are_finite(int n, const double *A, int lda, int stride)
{
    for (int k = 0; k < n; k++) {
        for (int part = 0; part < stride; part++) {
            if (!isfinite(A[stride * (k + (long)k * lda) + part])) {
                return false;
            }
        }
    }
    return true;
}

bool crank_lu_factor(int n, double *A, int lda, int *pivot)
{
    if (n > SMALL) {
        return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, lda, pivot) == 0 &&
               pivots_are_finite(n, A, lda, 1);
    }
    for (int k = 0; k < n; k++) {
        double *column = A + (long)k * lda;
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(column[i]) > fabs(column[best])) {
                best = i;
            }
        }
        pivot[k] = best;
        if (!(fabs(column[best]) > 0.0) || !isfinite(column[best])) {
            return false;
        }
        if (best != k) {
            swap_rows(n, A, lda, k, best);
        }
        const double inverse = 1.0 / column[k];
        for (int i = k + 1; i < n; i++) {
            column[i] *= inverse;
        }
        for (int j = k + 1; j < n; j++) {
            double *target = A + (long)j * lda;
            const double factor = target[k];
            for (int i = k + 1; i < n; i++) {
                target[i] -= column[i] * factor;
            }
        }
    }
    return true;
}

void crank_lu_solve(int n, const double *A, int lda, const int *pivot, double *b)
{
    if (n > SMALL) {
        (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, A, lda, pivot, b, n);
        return;
    }
    for (int k = 0; k < n; k++) {
        const double keep = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = keep;
    }
    for (int k = 0; k < n; k++) {
        const double *column = A + (long)k * lda;
        for (int i = k + 1; i < n; i++) {
            b[i] -= column[i] * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = A + (long)k * lda;
        b[k] /= column[k];
        for (int i = 0; i < k; i++) {
            b[i] -= column[i] * b[k];
        }
    }
}

static void swap_complex(double *a, double *b)
{
    const double re = a[0], im = a[1];
    a[0] = b[0];
    a[1] = b[1];
    b[0] = re;
    b[1] = im;
}

/* target -= factor * column over rows first..n-1, complex */
static void subtract_multiple(int first, int n, const double *column, double re, double im,
                              double *target)
{
    for (int i = first; i < n; i++) {
        const double x = column[2 * i], y = column[2 * i + 1];
        target[2 * i] -= x * re - y * im;
        target[2 * i + 1] -= x * im + y * re;
    }
}

bool crank_zlu_factor(int n, double *A, int lda, int *pivot)
{
    if (n > SMALL) {
        return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, (lapack_complex_double *)(void *)A,
                                   lda, pivot) == 0 &&
               pivots_are_finite(n, A, lda, 2);
    }
    for (int k = 0; k < n; k++) {
        double *column = A + 2 * (long)k * lda;
        int best = k;
        double size = 0.0;
        for (int i = k; i < n; i++) {
            const double candidate = fabs(column[2 * i]) + fabs(column[2 * i + 1]);
            if (candidate > size) {
                size = candidate;
                best = i;
            }
        }
        pivot[k] = best;
        if (!(size > 0.0) || !isfinite(size)) {
            return false;
        }
        if (best != k) {
            for (int j = 0; j < n; j++) {
                double *other = A + 2 * (long)j * lda;
                swap_complex(other + 2 * k, other + 2 * best);
            }
        }
        const double a = column[2 * k], b = column[2 * k + 1], square = a * a + b * b;
        const double re = a / square, im = -b / square;
        for (int i = k + 1; i < n; i++) {
            const double x = column[2 * i], y = column[2 * i + 1];
            column[2 * i] = x * re - y * im;
            column[2 * i + 1] = x * im + y * re;
        }
        for (int j = k + 1; j < n; j++) {
            double *target = A + 2 * (long)j * lda;
            subtract_multiple(k + 1, n, column, target[2 * k], target[2 * k + 1], target);
        }
    }
    return true;
}

void crank_zlu_solve(int n, const double *A, int lda, const int *pivot, double *b)
{
    if (n > SMALL) {
        (void)LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1,
                                  (const lapack_complex_double *)(const void *)A, lda, pivot,
                                  (lapack_complex_double *)(void *)b, n);
        return;
    }
    for (int k = 0; k < n; k++) {
        swap_complex(b + 2 * k, b + 2 * pivot[k]);
    }
    for (int k = 0; k < n; k++) {
        subtract_multiple(k + 1, n, A + 2 * (long)k * lda, b[2 * k], b[2 * k + 1], b);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = A + 2 * (long)k * lda;
        const double x = column[2 * k], y = column[2 * k + 1], square = x * x + y * y;
        const double re = (b[2 * k] * x + b[2 * k + 1] * y) / square;
        const double im = (b[2 * k + 1] * x - b[2 * k] * y) / square;
        b[2 * k] = re;
        b[2 * k + 1] = im;
        subtract_multiple(0, k, column, re, im, b);
    }
}

void crank_lu_archive(crank_archive *archive, int n, double *A, int stride, int *pivot)
{
    const int first = n > SMALL ? 1 : 0; /* LAPACK counts from one */
    crank_archive_doubles(archive, A, (size_t)stride * (size_t)n * (size_t)n);
    crank_archive_ints(archive, pivot, (size_t)n, first, first + n - 1);
}

void crank_gemm(bool transpose_a, int m, int n, int k, const double *A, int lda,
                const double *B, int ldb, double *C, int ldc)
{
    if (m == 0 || n == 0) {
        return;
    }
    cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, CblasNoTrans, m, n, k,
                1.0, A, lda > 0 ? lda : 1, B, ldb > 0 ? ldb : 1, 0.0, C, ldc);
}

int crank_svd_work_size(int m, int n)
{
    const int small = m < n ? m : n, large = m < n ? n : m;
    return 8 * small + 4 * large + 64 * (m + n) + 64;
}

int crank_qr_work_size(int m, int n)
{
    return 64 * (m + n + 2);
}

/* LAPACK's iteration for singular values need not end for entries that are not finite */
static bool all_finite(int m, int n, const double *A, int lda)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            if (!isfinite(A[i + (long)j * lda])) {
                return false;
            }
        }
    }
    return true;
}

bool crank_svd(int m, int n, double *A, int lda, double *sigma, double *U, double *VT,
               double *work, int work_size)
{
    return all_finite(m, n, A, lda) &&
           LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', m, n, A, lda, sigma, U, m, VT, n,
                               work, work_size) == 0;
}

bool crank_qr(int m, int n, double *A, int lda, int *order, double *Q, double *tau,
              double *work, int work_size)
{
    int info = 0;
    if (order != NULL) {
        memset(order, 0, (size_t)n * sizeof *order);
        info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, A, lda, order, tau, work, work_size);
        for (int j = 0; j < n; j++) {
            order[j] -= 1;
        }
    } else {
        info = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, A, lda, tau, work, work_size);
    }
    if (info != 0) {
        return false;
    }
    const int reflectors = m < n ? m : n;
    for (int j = 0; j < reflectors; j++) {
        memcpy(Q + (long)j * m, A + (long)j * lda, (size_t)m * sizeof *Q);
    }
    for (int j = reflectors; j < m; j++) {
        memset(Q + (long)j * m, 0, (size_t)m * sizeof *Q);
    }
    return LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m, m, reflectors, Q, m, tau, work,
                               work_size) == 0;
}
