/* elimination.c - behind elimination.h: repeating a recorded LU, and solving with it.
 *
 * With rows and columns in the order of the pivots, row by row, theory (3.15):
 *     l_ij = (a_ij - sum_m<j l_im u_mj) / u_jj,  j < i;     u_ij = a_ij - sum_m<i l_im u_mj,  j >= i
 * The record has one entry per l and u, and for each the products of its sum. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/elimination_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sum of all |l|, in scaled rows, beyond which pivots are searched anew. After a search each is at most 1/threshold. */
static const double largest_sum = 1e5;

crank_elimination *crank_elimination_create(int n, const int *start, const int *row, int stride,
                                            bool reserve)
{
    crank_elimination *e = calloc(1, sizeof *e);
    const size_t rows = (size_t)n + 1, width = (size_t)stride;
    if (e == NULL) {
        return NULL;
    }
    e->n = n;
    e->stride = stride;
    e->start = start;
    e->row = row;
    e->pivot_row = calloc(rows, sizeof *e->pivot_row);
    e->pivot_column = calloc(rows, sizeof *e->pivot_column);
    e->first = calloc(rows, sizeof *e->first);
    e->diagonal = calloc(rows, sizeof *e->diagonal);
    e->changed_first = calloc(rows, sizeof *e->changed_first);
    e->place = calloc((size_t)start[n] + 1, sizeof *e->place);
    e->inverse = calloc(rows * width, sizeof *e->inverse);
    e->vector = calloc(rows * width, sizeof *e->vector);
    e->scale = calloc(rows, sizeof *e->scale);
    if (e->pivot_row == NULL || e->pivot_column == NULL || e->first == NULL ||
        e->diagonal == NULL || e->changed_first == NULL || e->place == NULL ||
        e->inverse == NULL || e->vector == NULL || e->scale == NULL) {
        crank_elimination_destroy(e);
        return NULL;
    }
    e->reserved = reserve && n <= CRANK_ELIMINATION_RESERVED;
    if (e->reserved && /* as many as a full matrix has */
        (!crank_elimination_take_work(e) ||
         !crank_elimination_make_room(e, n * n, n * (n - 1) * (2 * n - 1) / 6))) {
        crank_elimination_destroy(e);
        return NULL;
    }
    return e;
}

void crank_elimination_destroy(crank_elimination *e)
{
    if (e == NULL) {
        return;
    }
    crank_elimination_free_work(e);
    free(e->pivot_row);
    free(e->pivot_column);
    free(e->first);
    free(e->diagonal);
    free(e->place);
    free(e->inverse);
    free(e->vector);
    free(e->column);
    free(e->last);
    free(e->fill);
    free(e->changed);
    free(e->changed_first);
    free(e->product);
    free(e->lu);
    free(e->weight);
    free(e->scale);
    free(e);
}

/* ---- real ---- */

/* the sum of |l|; NAN: a pivot is zero or not finite */
static double repeat_real(crank_elimination *e)
{
    double *restrict lu = e->lu, *restrict inverse = e->inverse;
    const crank_product *product = e->product;
    double sum = 0.0;
    int at = 0;
    for (int i = 0; i < e->n; i++) {
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            double value = lu[entry];
            for (; at < e->last[entry]; at++) {
                value -= lu[product[at].l] * lu[product[at].u];
            }
            value *= inverse[e->column[entry]];
            lu[entry] = value;
            sum += fabs(value) * e->weight[entry];
        }
        for (int k = e->changed_first[i]; k < e->changed_first[i + 1]; k++) {
            const int entry = e->changed[k];
            double value = lu[entry];
            for (; at < e->last[entry]; at++) {
                value -= lu[product[at].l] * lu[product[at].u];
            }
            lu[entry] = value;
        }
        inverse[i] = 1.0 / lu[e->diagonal[i]];
        if (!isfinite(inverse[i]) || inverse[i] == 0.0) {
            return (double)NAN;
        }
    }
    return sum;
}

void crank_elimination_solve(const crank_elimination *e, const double *b, double *x)
{
    const double *lu = e->lu;
    const int *column = e->column;
    double *y = e->vector;
    for (int i = 0; i < e->n; i++) {
        double value = b[e->pivot_row[i]];
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            value -= lu[entry] * y[column[entry]];
        }
        y[i] = value;
    }
    for (int i = e->n - 1; i >= 0; i--) {
        double value = y[i];
        for (int entry = e->diagonal[i] + 1; entry < e->first[i + 1]; entry++) {
            value -= lu[entry] * y[column[entry]];
        }
        y[i] = value * e->inverse[i];
        x[e->pivot_column[i]] = y[i];
    }
}

void crank_elimination_solve_transposed(const crank_elimination *e, double *b)
{
    const double *lu = e->lu;
    double *y = e->vector;
    for (int i = 0; i < e->n; i++) {
        y[i] = b[e->pivot_column[i]];
    }
    for (int i = 0; i < e->n; i++) {
        y[i] *= e->inverse[i];
        for (int entry = e->diagonal[i] + 1; entry < e->first[i + 1]; entry++) {
            y[e->column[entry]] -= lu[entry] * y[i];
        }
    }
    for (int i = e->n - 1; i >= 0; i--) {
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            y[e->column[entry]] -= lu[entry] * y[i];
        }
        b[e->pivot_row[i]] = y[i];
    }
}

/* ---- complex, pairs of real and imaginary part ---- */

static inline void subtract_products(const double *lu, const crank_product *product, int *at,
                                     int last, int entry, double *value)
{
    double re = lu[2 * entry], im = lu[2 * entry + 1];
    for (; *at < last; (*at)++) {
        const double *l = lu + 2 * (long)product[*at].l, *u = lu + 2 * (long)product[*at].u;
        re -= l[0] * u[0] - l[1] * u[1];
        im -= l[0] * u[1] + l[1] * u[0];
    }
    value[0] = re;
    value[1] = im;
}

static double repeat_complex(crank_elimination *e)
{
    double *restrict lu = e->lu, *restrict inverse = e->inverse;
    const crank_product *product = e->product;
    double sum = 0.0;
    int at = 0;
    for (int i = 0; i < e->n; i++) {
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            double value[2];
            subtract_products(lu, product, &at, e->last[entry], entry, value);
            const double *d = inverse + 2 * (long)e->column[entry];
            const double re = value[0] * d[0] - value[1] * d[1],
                         im = value[0] * d[1] + value[1] * d[0];
            lu[2 * entry] = re;
            lu[2 * entry + 1] = im;
            sum += (fabs(re) + fabs(im)) * e->weight[entry];
        }
        for (int k = e->changed_first[i]; k < e->changed_first[i + 1]; k++) {
            const int entry = e->changed[k];
            double value[2];
            subtract_products(lu, product, &at, e->last[entry], entry, value);
            lu[2 * entry] = value[0];
            lu[2 * entry + 1] = value[1];
        }
        const double a = lu[2 * e->diagonal[i]], b = lu[2 * e->diagonal[i] + 1];
        const double square = 1.0 / (a * a + b * b);
        inverse[2 * i] = a * square;
        inverse[2 * i + 1] = -b * square;
        if (!isfinite(square) || square == 0.0) {
            return (double)NAN;
        }
    }
    return sum;
}

void crank_elimination_solve_complex(const crank_elimination *e, int step, const double *b_real,
                                     const double *b_imag, double *x_real, double *x_imag)
{
    const double *lu = e->lu;
    double *y = e->vector;
    for (int i = 0; i < e->n; i++) {
        double re = b_real[step * e->pivot_row[i]], im = b_imag[step * e->pivot_row[i]];
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            const double *l = lu + 2 * (long)entry, *z = y + 2 * (long)e->column[entry];
            re -= l[0] * z[0] - l[1] * z[1];
            im -= l[0] * z[1] + l[1] * z[0];
        }
        y[2 * i] = re;
        y[2 * i + 1] = im;
    }
    for (int i = e->n - 1; i >= 0; i--) {
        double re = y[2 * i], im = y[2 * i + 1];
        for (int entry = e->diagonal[i] + 1; entry < e->first[i + 1]; entry++) {
            const double *u = lu + 2 * (long)entry, *z = y + 2 * (long)e->column[entry];
            re -= u[0] * z[0] - u[1] * z[1];
            im -= u[0] * z[1] + u[1] * z[0];
        }
        const double *d = e->inverse + 2 * (long)i;
        const int place = step * e->pivot_column[i];
        x_real[place] = y[2 * i] = re * d[0] - im * d[1];
        x_imag[place] = y[2 * i + 1] = re * d[1] + im * d[0];
    }
}

/* ---- both ---- */

static double magnitude(const crank_elimination *e, const double *values, int k)
{
    return e->stride == 1 ? fabs(values[k]) : fabs(values[2 * k]) + fabs(values[2 * k + 1]);
}

static void set_weights(crank_elimination *e)
{
    for (int i = 0; i < e->n; i++) {
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            e->weight[entry] =
                e->scale[e->pivot_row[e->column[entry]]] / e->scale[e->pivot_row[i]];
        }
    }
}

void crank_elimination_measure(crank_elimination *e, const double *values)
{
    memset(e->scale, 0, (size_t)e->n * sizeof *e->scale);
    for (int k = 0; k < e->start[e->n]; k++) {
        double *largest = &e->scale[e->row[k]];
        const double size = magnitude(e, values, k);
        *largest = size > *largest ? size : *largest;
    }
    set_weights(e);
}

static double sum_multipliers(const crank_elimination *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->n; i++) {
        for (int entry = e->first[i]; entry < e->diagonal[i]; entry++) {
            sum += magnitude(e, e->lu, entry) * e->weight[entry];
        }
    }
    return sum;
}

bool crank_elimination_repeat(crank_elimination *e, const double *values)
{
    const int entries = e->start[e->n];
    double sum = 0.0;
    if (e->stride == 1) {
        for (int k = 0; k < e->fill_count; k++) {
            e->lu[e->fill[k]] = 0.0;
        }
        for (int k = 0; k < entries; k++) {
            e->lu[e->place[k]] = values[k];
        }
        sum = repeat_real(e);
    } else {
        for (int k = 0; k < e->fill_count; k++) {
            e->lu[2 * e->fill[k]] = e->lu[2 * e->fill[k] + 1] = 0.0;
        }
        for (int k = 0; k < entries; k++) {
            e->lu[2 * e->place[k]] = values[2 * k];
            e->lu[2 * e->place[k] + 1] = values[2 * k + 1];
        }
        sum = repeat_complex(e);
    }
    if (sum >
        largest_sum) { /* perhaps rows have grown or shrunk as a whole, with the step size */
        crank_elimination_measure(e, values);
        sum = sum_multipliers(e);
    }
    return sum <= largest_sum;
}

void crank_elimination_archive(crank_elimination *e, crank_archive *archive)
{
    crank_archive_doubles(archive, e->scale, (size_t)e->n);
    set_weights(e);
}
