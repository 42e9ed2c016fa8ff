/* kernels.h - the loops that dense algebra is made of, and Householder's QR that its parts
 * share.
 *
 * Sums are taken in the order written here. Compilers make two operations at a time of them,
 * which changes no bit. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_KERNELS_H
#define CRANK_SRC_KERNELS_H

#include <stdbool.h>

#define CRANK_TINY_SQUARE 0x1p-900 /* squares below have lost digits, or soon will */

/* sum of a_i b_i, in four interleaved sums */
static inline double crank_dot(int n, const double *a, const double *b)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) {
        s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
}

/* t -= x a, rows first to n - 1 */
static inline void crank_subtract(int first, int n, const double *restrict a, double x,
                                  double *restrict t)
{
    for (int i = first; i < n; i++) {
        t[i] -= a[i] * x;
    }
}

/* t -= the four columns from L on, times x, one after the other; rows first to n - 1 */
static inline void crank_subtract_four(int first, int n, const double *restrict L, long lda,
                                       const double x[4], double *restrict t)
{
    const double *a = L, *b = L + lda, *c = L + 2 * lda, *d = L + 3 * lda;
    const double p = x[0], q = x[1], r = x[2], s = x[3];
    for (int i = first; i < n; i++) {
        t[i] = t[i] - a[i] * p - b[i] * q - c[i] * r - d[i] * s;
    }
}

/* p := c p - s q, q := s p + c q */
static inline void crank_rotate(int n, double c, double s, double *restrict p,
                                double *restrict q)
{
    for (int i = 0; i < n; i++) {
        const double x = p[i], y = q[i];
        p[i] = c * x - s * y;
        q[i] = s * x + c * y;
    }
}

/* b := (I - tau u u^T) b, u_k = 1 and its further entries those of a behind k */
static inline void crank_reflect(int m, int k, const double *a, double tau, double *b)
{
    const double sum = tau * (b[k] + crank_dot(m - k - 1, a + k + 1, b + k + 1));
    b[k] -= sum;
    crank_subtract(k + 1, m, a, sum, b);
}

/* The reflection that leaves of a, from entry k on, its first entry: a[k]; u replaces what is
 * behind. Returns tau. */
double crank_make_reflector(int m, int k, double *a);

/* The largest |a_ij| as 2^exponent times [1/2, 1), 0 for a zero matrix; false: an entry is not
 * finite. */
bool crank_dense_exponent(int m, int n, const double *A, int lda, int *exponent);
/* A := 2^exponent A, or only its entries with row <= column */
void crank_dense_scale(int m, int n, double *A, int lda, int exponent, bool upper);

/* The first min(m, n) steps of A P = Q R: R above, reflectors below the diagonal. exchange[k]:
 * the column that changed places with column k (whole numbers), of largest norm in rows k to m
 * - 1; NULL: none do. norms: 2 n, unused without exchange. Squares of entries must be in
 *   range. */
void crank_qr_in_place(int m, int n, double *A, int lda, double *tau, double *exchange,
                       double *norms);
/* The same for any finite A (false: it is not), with order[k]: the column of A that became
 * column k, or NULL: no pivoting. work:
 * crank_qr_work_size. */
bool crank_qr_factor(int m, int n, double *A, int lda, int *order, double *tau, double *work);

#endif
