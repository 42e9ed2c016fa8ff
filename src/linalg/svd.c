/* svd.c - singular values and vectors of a matrix that is made triangular twice.
 *
 *     A P = Q1 R,  R^T = Q2 R2,  R2^T = Ux diag(sigma) W^T:
 *     A = (Q1 Ux) diag(sigma) (P Q2 W)^T
 *
 * The first QR, with pivoting, takes away what the rank lacks exactly; both sort the matrix by
 * size and bring it close to a diagonal [Drmac and Veselic, SIAM J. Matrix Anal. Appl. 29
 * (2008) 1322-1362], so that bidiagonal.c, which does the rest, finds also small singular
 * values as accurately as the columns of A determine them, whatever the units of the
 * columns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/bidiagonal.h"
#include "linalg/dense.h"
#include "linalg/kernels.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { SAFE = 100 }; /* exponents of A up to which squares down to `nothing` are in range */
static const double nothing = 0x1p-300; /* what is less, beside the largest, is a zero */

/* arrays of the work array, and shapes once the rank is known */
typedef struct workspace {
    int m, n, steps, rank,
        height; /* steps: min(m, n); height: rank, or twice that with vectors */
    double *T;  /* n x rank: R^T, then Q2 and R2 */
    double *X;  /* rank columns: R2^T, then Ux; W below */
    double *tau1, *tau2, *exchange; /* steps each */
    double *sigma, *more;           /* steps, not sorted; 5 steps, for bidiagonal.h */
    double *norms;                  /* 2 n; later a column of V */
} workspace;

static size_t need(int m, int n)
{
    const size_t steps = (size_t)(m < n ? m : n), rows = (size_t)m, wide = (size_t)n;
    return wide * steps + 2 * steps * steps + 9 * steps + 2 * wide + rows + 1;
}

int crank_svd_work_size(int m, int n)
{
    return need(m, n) < INT_MAX ? (int)need(m, n) : INT_MAX;
}

static workspace lay_out(int m, int n, double *work)
{
    const long steps = m < n ? m : n;
    workspace w = {.m = m, .n = n, .steps = (int)steps, .T = work};
    w.X = w.T + n * steps;
    w.tau1 = w.X + 2 * steps * steps;
    w.tau2 = w.tau1 + steps;
    w.exchange = w.tau2 + steps;
    w.sigma = w.exchange + steps;
    w.more = w.sigma + steps;
    w.norms = w.more + 5 * steps;
    return w;
}

/* both QR, and R2^T */
static void triangularise(workspace *w, double *A, int lda, bool vectors)
{
    crank_qr_in_place(w->m, w->n, A, lda, w->tau1, w->exchange, w->norms);
    w->rank = 0;
    while (w->rank < w->steps &&
           fabs(A[w->rank + (long)w->rank * lda]) > nothing * fabs(A[0])) {
        w->rank++;
    }
    const int r = w->rank;
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < w->n; j++) {
            w->T[j + (long)i * w->n] = j < i ? 0.0 : A[i + (long)j * lda];
        }
    }
    crank_qr_in_place(w->n, r, w->T, w->n, w->tau2, NULL, NULL);
    w->height = vectors ? 2 * r : r;
    for (int k = 0; k < r; k++) {
        for (int i = 0; i < r; i++) {
            w->X[i + (long)k * w->height] = i < k ? 0.0 : w->T[k + (long)i * w->n];
        }
    }
}

/* x (n entries) := H_0 ... H_(r-1) times x, its first r entries those of start; or times unit
 * vector k */
static void transform(int n, int r, const double *A, int lda, const double *tau, int k,
                      const double *start, double *x)
{
    memset(x, 0, (size_t)n * sizeof *x);
    if (k < r) {
        memcpy(x, start, (size_t)r * sizeof *x);
    } else {
        x[k] = 1.0;
    }
    for (int i = r - 1; i >= 0; i--) {
        crank_reflect(n, i, A + (long)i * lda, tau[i], x);
    }
}

/* row k of VT := P v */
static void exchange_back(const workspace *w, int k, double *v, double *VT)
{
    for (int i = w->steps - 1; i >= 0; i--) {
        const int other = (int)w->exchange[i];
        const double keep = v[i];
        v[i] = v[other];
        v[other] = keep;
    }
    for (int j = 0; j < w->n; j++) {
        VT[k + (long)j * w->n] = v[j];
    }
}

/* column of X with the largest singular value that is not yet taken */
static int take_largest(const workspace *w, double *sigma)
{
    int best = 0;
    for (int k = 1; k < w->rank; k++) {
        best = w->sigma[k] > w->sigma[best] ? k : best;
    }
    *sigma = w->sigma[best];
    w->sigma[best] = -1.0;
    return best;
}

/* sigma falling, vectors in the same order */
static void collect(const workspace *w, const double *A, int lda, double *sigma, double *U,
                    double *VT)
{
    const int larger = w->m > w->n ? w->m : w->n;
    for (int k = 0; k < (U != NULL ? larger : w->steps); k++) {
        double value = 0.0;
        const int from = k < w->rank ? take_largest(w, &value) : 0;
        const double *x = w->X + (long)from * w->height;
        if (k < w->steps) {
            sigma[k] = value;
        }
        if (U != NULL && k < w->m) {
            transform(w->m, w->rank, A, lda, w->tau1, k, x, U + (long)k * w->m);
        }
        if (U != NULL && k < w->n) {
            transform(w->n, w->rank, w->T, w->n, w->tau2, k, x + w->rank, w->norms);
            exchange_back(w, k, w->norms, VT);
        }
    }
}

bool crank_svd(int m, int n, double *A, int lda, double *sigma, double *U, double *VT,
               double *work, int work_size)
{
    int exponent;
    if (work_size < 0 || (size_t)work_size < need(m, n) ||
        !crank_dense_exponent(m, n, A, lda, &exponent)) {
        return false;
    }
    workspace w = lay_out(m, n, work);
    const bool scaled = exponent > SAFE || exponent < -SAFE;
    if (scaled) {
        crank_dense_scale(m, n, A, lda, -exponent, false);
    }
    triangularise(&w, A, lda, U != NULL);
    if (!crank_bidiagonal_svd(w.rank, w.X, w.height, w.sigma, w.more)) {
        return false;
    }
    collect(&w, A, lda, sigma, U, VT);
    if (scaled) {
        crank_dense_scale(w.steps, 1, sigma, w.steps, exponent, false);
    }
    return true;
}
