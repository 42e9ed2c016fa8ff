/* recorded_factor.c - behind recorded.h: factors by the recorded list of places, and solutions
 * with them, theory (3.18), (9.2).
 *
 * Step k divides L's column by the pivot and subtracts the products of that column and U's row
 * where the list says. A pivot on the diagonal is compared with the terms that it is a sum of;
 * pivots found by search by the sum of all |l|. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/recorded_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a pivot is lost if less than this is left of the sum that it is */
static const double lost = 1e-11;
/* Sum of all |l|, in scaled rows, beyond which pivots are searched anew, and for each l: after a
 * search each is at most 10, however many there are. */
static const double largest_sum = 1e5, largest_mean = 100.0;

/* ---- factors ---- */

static bool load(crank_recorded *r, const double *values)
{
    double *W = r->W;
    const struct crank_recorded_source *from = r->load, *off = from + r->on_diagonal,
                                       *end = from + r->load_count;
    bool equal = true;
    const int changing = r->order.n + r->order.l_start[r->order.constant]; /* places of L */
    memcpy(W, r->W_constant, (size_t)r->order.n * sizeof *W);
    memcpy(W + changing, r->W_constant + changing, (size_t)(r->slots - changing) * sizeof *W);
    memcpy(r->size, r->size_constant, (size_t)r->order.n * sizeof *r->size);
    for (; from < off; from++) {
        W[from->place] += values[from->entry];
        r->size[from->place] += fabs(values[from->entry]);
    }
    if (!r->symmetric) {
        for (; from < end; from++) {
            W[from->place] += values[from->entry];
        }
    }
    for (; from < end; from++) {
        const double value = values[from->entry];
        W[from->place] += value;
        equal &= value == values[from->mirror];
    }
    return equal;
}

/* the inverse of the pivot of unknown i into its place; 0: lost */
static inline double invert_pivot(crank_recorded *r, int i)
{
    const double pivot = r->W[i], left = fabs(pivot), size = r->size[i];
    if (!(left > lost * size) || !(left <= DBL_MAX)) {
        return 0.0;
    }
    return r->W[i] = 1.0 / pivot;
}

/* the same without a size */
static inline double invert_any_pivot(crank_recorded *r, int i)
{
    const double inverse = 1.0 / r->W[i];
    r->W[i] = inverse;
    return fabs(inverse) <= DBL_MAX ? inverse : 0.0;
}

/* W[target[b]] -= factor other[b] */
static inline void subtract(double *W, int count, double factor, const double *other,
                            const int *target)
{
    for (int b = 0; b < count; b++) {
        W[target[b]] -= factor * other[b];
    }
}

/* steps from..to - 1, whose products begin at target; returns the end of these, NULL: a pivot
 * is lost */
static const int *eliminate_symmetric(crank_recorded *r, int from, int to, const int *target)
{
    const crank_recorded_order *o = &r->order;
    double *W = r->W, *l = W + o->n + o->l_start[from], *size = r->size;
    const int *row = o->l != NULL ? o->l + o->l_start[from] : NULL; /* a diagonal has none */
    for (int k = from; k < to; k++) {
        const double inverse = invert_pivot(r, o->pivot[k]);
        if (inverse == 0.0) {
            return NULL;
        }
        for (int rest = o->l_start[k + 1] - o->l_start[k] - 1; rest >= 0; rest--) {
            const int i = *row++;
            const double value = *l, factor = value * inverse, change = factor * value;
            *l++ = factor;
            W[i] -= change;
            size[i] += fabs(change);
            subtract(W, rest, factor, l, target);
            target += rest;
        }
    }
    return target;
}

/* sum: of |l| weight, instead of the sizes of pivots, which belong to those on the diagonal; or
 * NULL */
static inline const int *eliminate_general(crank_recorded *r, int from, int to,
                                           const int *target, double *sum)
{
    const crank_recorded_order *o = &r->order;
    double *W = r->W, *l = W + o->n + o->l_start[from],
           *u = W + o->n + o->l_start[o->n] + o->u_start[from];
    const int *row = o->l != NULL ? o->l + o->l_start[from] : NULL; /* a diagonal has none */
    const int *across = sum == NULL && r->across != NULL ? r->across + o->l_start[from] : NULL;
    const double *weight = r->weight;
    double total = 0.0;
    for (int k = from; k < to; k++) {
        const double inverse =
            sum != NULL ? invert_any_pivot(r, k) : invert_pivot(r, o->pivot[k]);
        const int count = o->u_start[k + 1] - o->u_start[k];
        if (inverse == 0.0) {
            return NULL;
        }
        for (int left = o->l_start[k + 1] - o->l_start[k]; left > 0; left--) {
            const double factor = *l * inverse;
            *l++ = factor;
            if (sum != NULL) {
                total += fabs(factor) * *weight++;
            } else {
                if (*across >= 0) {
                    r->size[*row] += fabs(factor * W[*across]);
                }
                row++;
                across++;
            }
            subtract(W, count, factor, u, target);
            target += count;
        }
        u += count;
    }
    if (sum != NULL) {
        *sum = total;
    }
    return target;
}

static const int *eliminate(crank_recorded *r, int from, int to, const int *target)
{
    return r->symmetric ? eliminate_symmetric(r, from, to, target)
                        : eliminate_general(r, from, to, target, NULL);
}

/* ---- the same with pivots by search ---- */

/* to -= (x + i y) (u[0] + i u[1]). With minus_y = -y both parts are the same sum of products,
 * which compilers take side by side. */
static inline void subtract_product(double *to, double x, double y, double minus_y,
                                    const double *u)
{
    const double re = u[0], im = u[1];
    const double first = x * re + minus_y * im, second = x * im + y * re;
    to[0] -= first;
    to[1] -= second;
}

/* pairs; the sum of |l| weight, NAN: a pivot is zero or not finite */
static double eliminate_complex(crank_recorded *r)
{
    const crank_recorded_order *o = &r->order;
    double *W = r->W, *l = W + 2L * o->n, *u = l + 2L * o->l_start[o->n], sum = 0.0;
    const double *weight = r->weight;
    const int *target = r->target;
    for (int k = 0; k < o->n; k++) {
        const double a = W[2 * k], b = W[2 * k + 1], square = 1.0 / (a * a + b * b);
        const double re = W[2 * k] = a * square, im = W[2 * k + 1] = -b * square;
        const int count = o->u_start[k + 1] - o->u_start[k];
        if (!isfinite(square) || square == 0.0) {
            return (double)NAN;
        }
        for (int left = o->l_start[k + 1] - o->l_start[k]; left > 0; left--, l += 2) {
            const double x = l[0] * re - l[1] * im, y = l[0] * im + l[1] * re;
            l[0] = x;
            l[1] = y;
            sum += (fabs(x) + fabs(y)) * *weight++;
            for (int c = 0; c < count; c++) {
                subtract_product(W + 2L * *target++, x, y, -y, u + 2L * c);
            }
        }
        u += 2L * count;
    }
    return sum;
}

static double magnitude(const crank_recorded *r, const double *values, int k)
{
    return r->stride == 1 ? fabs(values[k]) : fabs(values[2 * k]) + fabs(values[2 * k + 1]);
}

static void set_weights(crank_recorded *r)
{
    const crank_recorded_order *o = &r->order;
    for (int e = 0; e < o->l_start[o->n]; e++) {
        r->weight[e] = r->scale[r->l_of[e]] / r->scale[o->l[e]];
    }
}

void crank_recorded_measure(crank_recorded *r, const double *values)
{
    memset(r->scale, 0, (size_t)r->order.n * sizeof *r->scale);
    for (int k = 0; k < r->start[r->order.n]; k++) {
        double *largest = &r->scale[r->row_step[r->row[k]]];
        const double size = magnitude(r, values, k);
        *largest = size > *largest ? size : *largest;
    }
    set_weights(r);
}

void crank_recorded_archive(crank_recorded *r, crank_archive *archive)
{
    crank_archive_doubles(archive, r->scale, (size_t)r->order.n);
    set_weights(r);
}

static double sum_multipliers(const crank_recorded *r)
{
    const crank_recorded_order *o = &r->order;
    double sum = 0.0;
    for (int e = 0; e < o->l_start[o->n]; e++) {
        sum += magnitude(r, r->W + (long)r->stride * o->n, e) * r->weight[e];
    }
    return sum;
}

static bool factor_searched(crank_recorded *r, const double *values)
{
    const int entries = r->start[r->order.n], n = r->order.n;
    const double largest = fmax(largest_sum, largest_mean * r->order.l_start[n]);
    double sum = (double)NAN;
    if (r->stride == 1) {
        for (int k = 0; k < r->fill_count; k++) {
            r->W[r->fill[k]] = 0.0;
        }
        for (int k = 0; k < entries; k++) {
            r->W[r->place[k]] = values[k];
        }
        (void)eliminate_general(r, 0, n, r->target, &sum);
    } else {
        for (int k = 0; k < r->fill_count; k++) {
            r->W[2 * r->fill[k]] = r->W[2 * r->fill[k] + 1] = 0.0;
        }
        for (int k = 0; k < entries; k++) {
            r->W[2 * r->place[k]] = values[2 * k];
            r->W[2 * r->place[k] + 1] = values[2 * k + 1];
        }
        sum = eliminate_complex(r);
    }
    if (sum > largest) { /* perhaps rows have grown or shrunk as a whole, with the step size */
        crank_recorded_measure(r, values);
        sum = sum_multipliers(r);
    }
    return sum <= largest;
}

/* ---- both ---- */

bool crank_recorded_factor(crank_recorded *r, const double *values)
{
    if (r->searching) {
        return factor_searched(r, values);
    }
    const crank_recorded_order *o = &r->order;
    return load(r, values) && eliminate(r, o->constant, o->n, r->target + r->done) != NULL;
}

bool crank_recorded_do_constant_steps(crank_recorded *r)
{
    const crank_recorded_order *o = &r->order;
    const size_t bytes = (size_t)r->slots * sizeof(double);
    memcpy(r->W, r->W_constant, bytes);
    for (int i = 0; i < o->n; i++) {
        r->size[i] = fabs(r->W[i]);
    }
    const int *end = eliminate(r, 0, o->constant, r->target);
    if (end == NULL) {
        return false;
    }
    r->done = (int)(end - r->target);
    memcpy(r->W_constant, r->W, bytes);
    memcpy(r->size_constant, r->size, (size_t)o->n * sizeof *r->size);
    return true;
}

const double *crank_recorded_inverse_pivots(const crank_recorded *r)
{
    return r->W;
}

/* ---- solutions ---- */

/* b[to[e]] -= l[e] b[from[e]], one after the other */
static inline void substitute(double *b, int count, const double *l, const int *to,
                              const int *from)
{
    int e = 0;
    for (; e + 2 <= count; e += 2) {
        b[to[e]] -= l[e] * b[from[e]];
        b[to[e + 1]] -= l[e + 1] * b[from[e + 1]];
    }
    if (e < count) {
        b[to[e]] -= l[e] * b[from[e]];
    }
}

/* b[i] := (b[i] - sum u b of its row) inverse[i], or without the inverse, from the last step to
 * the first; sums stay in registers */
static inline void substitute_back(const crank_recorded *r, double *b, const double *u,
                                   const int *start, const int *column, const double *inverse)
{
    const int *pivot = r->order.pivot;
    for (int k = r->order.n - 1; k >= 0; k--) {
        double sum = b[pivot[k]];
        for (int e = start[k]; e < start[k + 1]; e++) {
            sum -= u[e] * b[column[e]];
        }
        b[pivot[k]] = inverse != NULL ? sum * inverse[pivot[k]] : sum;
    }
}

void crank_recorded_solve(const crank_recorded *r, double *b)
{
    const crank_recorded_order *o = &r->order;
    const int lower = o->l_start[o->n];
    const double *l = r->W + o->n;
    substitute(b, lower, l, o->l, r->l_of);
    if (!r->symmetric) {
        substitute_back(r, b, l + lower, o->u_start, o->u, r->W);
        return;
    }
    for (int i = 0; i < o->n; i++) {
        b[i] *= r->W[i];
    }
    substitute_back(r, b, l, o->l_start, o->l, NULL);
}

void crank_recorded_solve_from(const crank_recorded *r, const double *b, double *x)
{
    const int n = r->order.n;
    double *y = r->vector;
    for (int k = 0; k < n; k++) {
        y[k] = b[r->pivot_row[k]];
    }
    crank_recorded_solve(r, y);
    for (int k = 0; k < n; k++) {
        x[r->pivot_column[k]] = y[k];
    }
}

/* A^T = U^T L^T */
void crank_recorded_solve_transposed(const crank_recorded *r, double *b)
{
    const crank_recorded_order *o = &r->order;
    const int n = o->n, lower = o->l_start[n];
    const double *l = r->W + n;
    double *y = r->vector;
    for (int k = 0; k < n; k++) {
        y[k] = b[r->pivot_column[k]];
    }
    for (int k = 0; k < n; k++) {
        y[k] *= r->W[k];
        for (int e = o->u_start[k]; e < o->u_start[k + 1]; e++) {
            y[o->u[e]] -= l[lower + e] * y[k];
        }
    }
    substitute_back(r, y, l, o->l_start, o->l, NULL);
    for (int k = 0; k < n; k++) {
        b[r->pivot_row[k]] = y[k];
    }
}

void crank_recorded_solve_complex(const crank_recorded *r, const double *b_real,
                                  const double *b_imag, double *x_real, double *x_imag)
{
    const crank_recorded_order *o = &r->order;
    const int n = o->n, lower = o->l_start[n];
    const double *l = r->W + 2L * n, *u = l + 2L * lower;
    double *y = r->vector;
    for (int k = 0; k < n; k++) {
        y[2 * k] = b_real[r->pivot_row[k]];
        y[2 * k + 1] = b_imag[r->pivot_row[k]];
    }
    for (int k = 0, e = 0; e < lower; k++) {
        const double re = y[2 * k], im = y[2 * k + 1];
        for (const int end = o->l_start[k + 1]; e < end; e++) {
            double *to = y + 2L * o->l[e];
            to[0] -= l[2 * e] * re - l[2 * e + 1] * im;
            to[1] -= l[2 * e] * im + l[2 * e + 1] * re;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double re = y[2 * k], im = y[2 * k + 1];
        for (int e = o->u_start[k]; e < o->u_start[k + 1]; e++) {
            const double *z = y + 2L * o->u[e];
            re -= u[2 * e] * z[0] - u[2 * e + 1] * z[1];
            im -= u[2 * e] * z[1] + u[2 * e + 1] * z[0];
        }
        const double *d = r->W + 2L * k;
        x_real[r->pivot_column[k]] = y[2 * k] = re * d[0] - im * d[1];
        x_imag[r->pivot_column[k]] = y[2 * k + 1] = re * d[1] + im * d[0];
    }
}
