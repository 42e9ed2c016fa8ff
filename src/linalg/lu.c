/* lu.c - square LU with partial pivoting.
 *
 * Gaussian elimination, four columns at a time [GVL13, 3.2.11]: the four are eliminated among
 * themselves, then subtracted together from each column behind. Each entry sees the same
 * operations in the same order as one column at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>

enum { PANEL = 4 };

static void swap(double *a, double *b)
{
    const double keep = *a;
    *a = *b;
    *b = keep;
}

static void exchange(int from, int end, const int *pivot, double *x)
{
    for (int k = from; k < end; k++) {
        swap(x + k, x + pivot[k]);
    }
}

/* a tiny pivot has no reciprocal */
static void divide(int first, int n, double *column, double pivot)
{
    if (fabs(pivot) >= DBL_MIN) {
        const double inverse = 1.0 / pivot;
        for (int i = first; i < n; i++) {
            column[i] *= inverse;
        }
    } else {
        for (int i = first; i < n; i++) {
            column[i] /= pivot;
        }
    }
}

/* columns from to end - 1 among themselves, rows from on */
static bool factor_panel(int n, int from, int end, double *A, int lda, int *pivot)
{
    for (int k = from; k < end; k++) {
        double *column = A + (long)k * lda;
        int best = k;
        double size = fabs(column[k]);
        for (int i = k + 1; i < n; i++) {
            const double candidate = fabs(column[i]);
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
            for (int j = from; j < end; j++) {
                swap(A + k + (long)j * lda, A + best + (long)j * lda);
            }
        }
        divide(k + 1, n, column, column[k]);
        for (int j = k + 1; j < end; j++) {
            double *target = A + (long)j * lda;
            crank_subtract(k + 1, n, column, target[k], target);
        }
    }
    return true;
}

/* the first rows of a column behind the panel, L of the panel's unit triangle: x := L^-1 x */
static void solve_corner(const double *L, long lda, double *x)
{
    x[1] -= L[1] * x[0];
    x[2] = x[2] - L[2] * x[0] - L[2 + lda] * x[1];
    x[3] = x[3] - L[3] * x[0] - L[3 + lda] * x[1] - L[3 + 2 * lda] * x[2];
}

bool crank_lu_factor(int n, double *A, int lda, int *pivot)
{
    for (int k = 0; k < n; k += PANEL) {
        const int end = k + PANEL < n ? k + PANEL : n;
        if (!factor_panel(n, k, end, A, lda, pivot)) {
            return false;
        }
        const double *panel = A + (long)k * lda;
        for (int j = 0; j < k; j++) {
            exchange(k, end, pivot, A + (long)j * lda);
        }
        for (int j = end; j < n; j++) { /* the panel is full: there are columns behind it */
            double *target = A + (long)j * lda;
            exchange(k, end, pivot, target);
            solve_corner(panel + k, lda, target + k);
            crank_subtract_four(end, n, panel, lda, target + k, target);
        }
    }
    return true;
}

void crank_lu_solve(int n, const double *A, int lda, const int *pivot, double *b)
{
    int k = 0;
    exchange(0, n, pivot, b);
    for (; k + PANEL < n; k += PANEL) {
        const double *panel = A + (long)k * lda;
        solve_corner(panel + k, lda, b + k);
        crank_subtract_four(k + PANEL, n, panel, lda, b + k, b);
    }
    for (; k < n; k++) {
        crank_subtract(k + 1, n, A + (long)k * lda, b[k], b);
    }
    for (k = n - 1; k >= PANEL; k -= PANEL) {
        const double *panel = A + (long)(k - 3) * lda; /* columns k - 3 to k */
        for (int j = PANEL - 1; j >= 0; j--) {
            const double *column = panel + (long)j * lda;
            b[k - 3 + j] /= column[k - 3 + j];
            crank_subtract(k - 3, k - 3 + j, column, b[k - 3 + j], b);
        }
        const double last_first[PANEL] = {b[k], b[k - 1], b[k - 2], b[k - 3]};
        crank_subtract_four(0, k - 3, A + (long)k * lda, -(long)lda, last_first, b);
    }
    for (; k >= 0; k--) {
        const double *column = A + (long)k * lda;
        b[k] /= column[k];
        crank_subtract(0, k, column, b[k], b);
    }
}

/* A = P L U: U^T y = b, L^T z = y, P z */
void crank_lu_solve_transposed(int n, const double *A, int lda, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double *column = A + (long)k * lda;
        b[k] = (b[k] - crank_dot(k, column, b)) / column[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = A + (long)k * lda;
        b[k] -= crank_dot(n - k - 1, column + k + 1, b + k + 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        swap(b + k, b + pivot[k]);
    }
}

void crank_lu_archive(crank_archive *archive, int n, double *A, int stride, int *pivot)
{
    crank_archive_doubles(archive, A, (size_t)stride * (size_t)n * (size_t)n);
    crank_archive_ints(archive, pivot, (size_t)n, 0, n - 1);
}
