/* complex_lu.c - square complex LU with partial pivoting, as lu.c, two columns at a time.
 *
 * Pivots are chosen by |re| + |im|. Products are written out because C's complex multiplication
 * tests for NaN. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"

#include <float.h>
#include <math.h>

enum { PANEL = 2 };

static void swap(double *a, double *b)
{
    const double re = a[0], im = a[1];
    a[0] = b[0];
    a[1] = b[1];
    b[0] = re;
    b[1] = im;
}

static void exchange(int from, int end, const int *pivot, double *x)
{
    for (int k = from; k < end; k++) {
        swap(x + 2 * k, x + 2 * pivot[k]);
    }
}

/* (x + iy)/(a + ib) without squares, which might be out of range [Smith, Comm. ACM 5 (1962)
 * 435] */
static void divide(double a, double b, double *x, double *y)
{
    const double p = *x, q = *y;
    if (fabs(a) >= fabs(b)) {
        const double ratio = b / a, below = a + b * ratio;
        *x = (p + q * ratio) / below;
        *y = (q - p * ratio) / below;
    } else {
        const double ratio = a / b, below = b + a * ratio;
        *x = (p * ratio + q) / below;
        *y = (q * ratio - p) / below;
    }
}

/* t -= x a, rows first to n - 1 */
static void subtract(int first, int n, const double *restrict a, const double x[2],
                     double *restrict t)
{
    const double re = x[0], im = x[1], minus = -im;
    for (int i = first; i < n; i++) {
        const double u = a[2 * i], v = a[2 * i + 1];
        t[2 * i] -= u * re + v * minus;
        t[2 * i + 1] -= v * re + u * im;
    }
}

/* t -= x_0 a, t -= x_1 b, rows first to n - 1 */
static void subtract_two(int first, int n, const double *restrict a, const double *restrict b,
                         const double x[4], double *restrict t)
{
    const double ar = x[0], ai = x[1], am = -ai, br = x[2], bi = x[3], bm = -bi;
    for (int i = first; i < n; i++) {
        const double u = a[2 * i], v = a[2 * i + 1], p = b[2 * i], q = b[2 * i + 1];
        t[2 * i] = t[2 * i] - (u * ar + v * am) - (p * br + q * bm);
        t[2 * i + 1] = t[2 * i + 1] - (v * ar + u * ai) - (q * br + p * bi);
    }
}

/* column /= pivot, |re| + |im| of which is size, rows first to n - 1; a tiny pivot has no
 * reciprocal */
static void divide_column(int first, int n, double *column, const double pivot[2], double size)
{
    double re = 1.0, im = 0.0;
    if (size < 2.0 * DBL_MIN) {
        for (int i = first; i < n; i++) {
            divide(pivot[0], pivot[1], column + 2 * i, column + 2 * i + 1);
        }
        return;
    }
    divide(pivot[0], pivot[1], &re, &im);
    for (int i = first; i < n; i++) {
        const double x = column[2 * i], y = column[2 * i + 1];
        column[2 * i] = x * re - y * im;
        column[2 * i + 1] = x * im + y * re;
    }
}

/* columns from to end - 1 among themselves, rows from on */
static bool factor_panel(int n, int from, int end, double *A, int lda, int *pivot)
{
    for (int k = from; k < end; k++) {
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
        for (int j = from; j < end && best != k; j++) {
            swap(A + 2 * (k + (long)j * lda), A + 2 * (best + (long)j * lda));
        }
        divide_column(k + 1, n, column, column + 2 * k, size);
        for (int j = k + 1; j < end; j++) {
            double *target = A + 2 * (long)j * lda;
            subtract(k + 1, n, column, target + 2 * k, target);
        }
    }
    return true;
}

bool crank_zlu_factor(int n, double *A, int lda, int *pivot)
{
    for (int k = 0; k < n; k += PANEL) {
        const int end = k + PANEL < n ? k + PANEL : n;
        if (!factor_panel(n, k, end, A, lda, pivot)) {
            return false;
        }
        const double *first = A + 2 * (long)k * lda, *second = first + 2 * (long)lda;
        for (int j = 0; j < k; j++) {
            exchange(k, end, pivot, A + 2 * (long)j * lda);
        }
        for (int j = end; j < n; j++) {
            double *target = A + 2 * (long)j * lda;
            exchange(k, end, pivot, target);
            subtract(k + 1, end, first, target + 2 * k, target);
            subtract_two(end, n, first, second, target + 2 * k, target);
        }
    }
    return true;
}

void crank_zlu_solve(int n, const double *A, int lda, const int *pivot, double *b)
{
    exchange(0, n, pivot, b);
    for (int k = 0; k < n; k++) {
        subtract(k + 1, n, A + 2 * (long)k * lda, b + 2 * k, b);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = A + 2 * (long)k * lda;
        divide(column[2 * k], column[2 * k + 1], b + 2 * k, b + 2 * k + 1);
        subtract(0, k, column, b + 2 * k, b);
    }
}
