/* bidiagonal.c - Golub's and Kahan's way to singular values: reflections from both sides make
 * the matrix upper bidiagonal [GVL13, 5.4.8], implicit QR steps make that diagonal. Shifts,
 * steps without shift and what counts as zero are Demmel's and Kahan's, which keep small
 * singular values of a bidiagonal matrix to their own digits [SIAM J. Sci. Stat. Comput. 11
 * (1990) 873-912]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/bidiagonal.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 60 };                                /* a singular value; about two do */
static const double tolerance = 10.0 * DBL_EPSILON; /* of an entry beside the diagonal */

typedef struct matrix {
    int r, height;
    bool vectors;
    double *X, *d, *e; /* U over W; diagonal; entries to its right */
} matrix;

/* rows k + 1 on of the columns k + 1 on, times I - tau v v^T from the right, v_(k+1) = 1; sums:
 * r */
static void reflect_rows(const matrix *b, int k, const double *v, double tau, double *sums)
{
    const int r = b->r;
    double *const first = b->X + (long)(k + 1) * b->height;
    memcpy(sums + k + 1, first + k + 1, (size_t)(r - k - 1) * sizeof *sums);
    int j = k + 2;
    for (; j + 3 < r; j += 4) {
        const double minus[4] = {-v[j], -v[j + 1], -v[j + 2], -v[j + 3]};
        crank_subtract_four(k + 1, r, b->X + (long)j * b->height, b->height, minus, sums);
    }
    for (; j < r; j++) {
        crank_subtract(k + 1, r, b->X + (long)j * b->height, -v[j], sums);
    }
    crank_subtract(k + 1, r, sums, tau, first);
    for (j = k + 2; j < r; j++) {
        crank_subtract(k + 1, r, sums, tau * v[j], b->X + (long)j * b->height);
    }
}

/* a reflection, or none if the entries behind a[k] are nothing beside size: to drop them
 * changes no singular value by more than rounding of its column or row does, while a reflection
 * would turn large and small ones into each other */
static double reflect_unless_nothing(int r, int k, double size, int behind, double *a)
{
    const double limit = DBL_EPSILON / r * fabs(size);
    if (crank_dot(r - behind, a + behind, a + behind) <= limit * limit) {
        memset(a + behind, 0, (size_t)(r - behind) * sizeof *a);
        return 0.0;
    }
    return crank_make_reflector(r, k, a);
}

/* reflectors from the left stay below X's diagonal, those from the right in W, each a column
 * further */
static void make_bidiagonal(const matrix *b, double *left, double *right, double *row,
                            double *sums)
{
    const int r = b->r;
    for (int k = 0; k < r; k++) {
        double *a = b->X + (long)k * b->height;
        left[k] = reflect_unless_nothing(r, k, a[k], k + 1, a);
        b->d[k] = a[k];
        for (int j = k + 1; j < r && left[k] != 0.0; j++) {
            crank_reflect(r, k, a, left[k], b->X + (long)j * b->height);
        }
        if (k + 1 == r) {
            break;
        }
        for (int j = k + 1; j < r; j++) {
            row[j] = b->X[k + (long)j * b->height];
        }
        right[k + 1] = reflect_unless_nothing(r, k + 1, b->d[k], k + 1, row);
        b->e[k] = row[k + 1];
        if (right[k + 1] != 0.0) {
            reflect_rows(b, k, row, right[k + 1], sums);
        }
        if (b->vectors) {
            memcpy(b->X + r + (long)(k + 1) * b->height + k + 1, row + k + 1,
                   (size_t)(r - k - 1) * sizeof *row);
        }
    }
}

/* the product of the reflections whose vectors are A's columns, in place */
static void multiply_out(int r, double *A, int height, const double *tau)
{
    for (int k = r - 1; k >= 0; k--) {
        double *a = A + (long)k * height;
        for (int j = k + 1; j < r && tau[k] != 0.0; j++) {
            crank_reflect(r, k, a, tau[k], A + (long)j * height);
        }
        memset(a, 0, (size_t)k * sizeof *a);
        a[k] = 1.0 - tau[k];
        for (int i = k + 1; i < r; i++) {
            /* there may be nothing where there is no reflection */
            a[i] = tau[k] != 0.0 ? -tau[k] * a[i] : 0.0;
        }
    }
}

/* c f + s g = result, c g - s f = 0 */
static double givens(double f, double g, double *c, double *s)
{
    if (g == 0.0) {
        *c = 1.0;
        *s = 0.0;
        return f;
    }
    if (f * f + g * g < CRANK_TINY_SQUARE) { /* twice that much is in range for all numbers */
        return givens(f * 0x1p500, g * 0x1p500, c, s) * 0x1p-500;
    }
    const double size = sqrt(f * f + g * g);
    *c = f / size;
    *s = g / size;
    return size;
}

/* columns k and k + 1, part 0: of U, 1: of W */
static void turn(const matrix *b, int part, int k, double c, double s)
{
    if (b->vectors) {
        double *a = b->X + (long)k * b->height + (long)part * b->r;
        crank_rotate(b->r, c, -s, a, a + b->height);
    }
}

/* one step without shift on rows first to last, its entries by products alone */
static void step_unshifted(const matrix *b, int first, int last)
{
    double c = 1.0, s = 0.0, old_c = 1.0, old_s = 0.0, *d = b->d, *e = b->e;
    for (int i = first; i < last; i++) {
        const double along = givens(d[i] * c, e[i], &c, &s);
        if (i > first) {
            e[i - 1] = old_s * along;
        }
        d[i] = givens(old_c * along, d[i + 1] * s, &old_c, &old_s);
        turn(b, 1, i, c, s);
        turn(b, 0, i, old_c, old_s);
    }
    const double h = d[last] * c;
    d[last] = h * old_c;
    e[last - 1] = h * old_s;
}

static void step_shifted(const matrix *b, int first, int last, double shift)
{
    double *d = b->d, *e = b->e, c, s;
    double f = (fabs(d[first]) - shift) * (copysign(1.0, d[first]) + shift / d[first]);
    double g = e[first];
    for (int i = first; i < last; i++) {
        const double before = givens(f, g, &c, &s);
        if (i > first) {
            e[i - 1] = before;
        }
        f = c * d[i] + s * e[i];
        e[i] = c * e[i] - s * d[i];
        g = s * d[i + 1];
        d[i + 1] *= c;
        turn(b, 1, i, c, s);
        d[i] = givens(f, g, &c, &s);
        f = c * e[i] + s * d[i + 1];
        d[i + 1] = c * d[i + 1] - s * e[i];
        if (i + 1 < last) {
            g = s * e[i + 1];
            e[i + 1] *= c;
        }
        turn(b, 0, i, c, s);
    }
    e[last - 1] = f;
}

/* the smaller singular value of [f g; 0 h] */
static double smaller(double f, double g, double h)
{
    const double low = fmin(fabs(f), fabs(h)), high = fmax(fabs(f), fabs(h)), across = fabs(g);
    if (low == 0.0) {
        return 0.0;
    }
    if (across <= high) {
        const double sum = 1.0 + low / high, difference = (high - low) / high,
                     square = (across / high) * (across / high);
        return low *
               (2.0 / (sqrt(sum * sum + square) + sqrt(difference * difference + square)));
    }
    const double ratio = high / across;
    const double a = (1.0 + low / high) * ratio, c = (high - low) / high * ratio;
    return 2.0 * (low * (1.0 / (sqrt(1.0 + a * a) + sqrt(1.0 + c * c)))) * ratio;
}

/* zeros what is negligible between first and last; least: a lower bound of the block's singular
 * values, about */
static bool split(const matrix *b, int first, int last, double *least)
{
    double mu = fabs(b->d[first]);
    *least = mu;
    if (fabs(b->e[last - 1]) <= tolerance * fabs(b->d[last])) {
        b->e[last - 1] = 0.0;
        return true;
    }
    for (int i = first; i < last; i++) {
        if (fabs(b->e[i]) <= tolerance * mu) {
            b->e[i] = 0.0;
            return true;
        }
        mu = fabs(b->d[i + 1]) * (mu / (mu + fabs(b->e[i])));
        *least = fmin(*least, mu);
    }
    return false;
}

static void step(const matrix *b, int first, int last, double least)
{
    double largest = fabs(b->d[last]);
    for (int i = first; i < last; i++) {
        largest = fmax(largest, fmax(fabs(b->d[i]), fabs(b->e[i])));
    }
    const double shift = smaller(b->d[last - 1], b->e[last - 1], b->d[last]);
    const double ratio = shift / fabs(b->d[first]);
    /* a shift would cost the smallest their digits, or is lost in rounding */
    if (b->r * tolerance * (least / largest) <= DBL_EPSILON ||
        !(ratio * ratio >= DBL_EPSILON)) {
        step_unshifted(b, first, last);
    } else {
        step_shifted(b, first, last, shift);
    }
}

static void make_positive(const matrix *b)
{
    for (int k = 0; k < b->r; k++) {
        double *w = b->X + (long)k * b->height + b->r;
        for (int i = 0; i < b->r && b->vectors && b->d[k] < 0.0; i++) {
            w[i] = -w[i];
        }
        b->d[k] = fabs(b->d[k]);
    }
}

bool crank_bidiagonal_svd(int r, double *X, int height, double *sigma, double *work)
{
    double *left = work, *right = left + r, *row = right + r, *sums = row + r, *e = sums + r;
    const matrix b = {r, height, height == 2 * r, X, sigma, e};
    make_bidiagonal(&b, left, right, row, sums);
    right[0] = 0.0;
    if (b.vectors) {
        multiply_out(r, X, height, left);
        multiply_out(r, X + r, height, right);
    }
    long steps = 0;
    for (int last = r - 1; last > 0;) {
        int first = last - 1;
        double least;
        if (e[first] == 0.0) {
            last--;
            continue;
        }
        while (first > 0 && e[first - 1] != 0.0) {
            first--;
        }
        if (split(&b, first, last, &least)) {
            continue;
        }
        if (++steps > (long)STEPS * r) {
            return false;
        }
        step(&b, first, last, least);
    }
    make_positive(&b);
    return true;
}
