/* solver_banded.c - banded LU with row pivoting behind solver.h, theory 3.12, (3.24)-(3.26),
 * [GVL13, 4.3.3].
 *
 * With rows and columns in the order of band_order.h, and rows divided by their largest
 * entries, entry (i, j) lies at place l + u + i - j of column j: l diagonals below the main
 * one, u above, and room above for l more, since the pivot of a column is looked for in the l
 * rows below. Exchanges of rows leave L as it is: they are repeated one by one in solutions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/band_order.h"
#include "linalg/kernels.h"
#include "linalg/solver_type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct banded {
    crank_band band;
    long height;   /* of a column: 2 l + u + 1 */
    size_t *place; /* of each entry of the pattern in the band */
    double *y;     /* 2 n */
    struct {
        double *A;     /* the band, pairs if complex: factors */
        double *scale; /* n: one over the largest entry of each row */
        int *pivot;    /* n: rows below the diagonal */
    } shift[CRANK_MAX_SHIFTS];
} banded;

/* ---- create ---- */

static bool take_shifts(crank_solver *s, banded *b)
{
    const size_t n = (size_t)s->n + 1, stride = s->real ? 1 : 2;
    bool fine = true;
    b->height = 2L * b->band.lower + b->band.upper + 1;
    for (int i = 0; i < s->shifts; i++) {
        b->shift[i].A = calloc(n * (size_t)b->height, stride * sizeof(double));
        b->shift[i].scale = calloc(n, sizeof(double));
        b->shift[i].pivot = calloc(n, sizeof(int));
        fine = fine && b->shift[i].A != NULL && b->shift[i].scale != NULL &&
               b->shift[i].pivot != NULL;
    }
    return fine;
}

static bool create_band(crank_solver *s, banded *b)
{
    const size_t n = (size_t)s->n + 1;
    b->band.row_place = calloc(n, sizeof(int));
    b->band.column_place = calloc(n, sizeof(int));
    b->place = calloc((size_t)s->entries + 1, sizeof *b->place);
    b->y = calloc(2 * n, sizeof *b->y);
    if (b->band.row_place == NULL || b->band.column_place == NULL || b->place == NULL ||
        b->y == NULL || !crank_band_order(s->n, s->start, s->row, &b->band) ||
        !take_shifts(s, b)) {
        return false;
    }
    const long diagonal = b->band.lower + (long)b->band.upper;
    for (int c = 0; c < s->n; c++) {
        for (int e = s->start[c]; e < s->start[c + 1]; e++) {
            const long i = b->band.row_place[s->row[e]], j = b->band.column_place[c];
            b->place[e] = (size_t)(diagonal + i - j + j * b->height);
        }
    }
    return true;
}

static crank_status create(crank_solver *s, crank_error *err)
{
    banded *b = s->own = calloc(1, sizeof *b);
    return b != NULL && create_band(s, b)
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "banded matrix of %d rows", s->n);
}

static void destroy(crank_solver *s)
{
    banded *b = s->own;
    if (b == NULL) {
        return;
    }
    for (int i = 0; i < s->shifts; i++) {
        free(b->shift[i].A);
        free(b->shift[i].scale);
        free(b->shift[i].pivot);
    }
    free(b->band.row_place);
    free(b->band.column_place);
    free(b->place);
    free(b->y);
    free(b);
}

/* ---- factors ---- */

/* the diagonal entry of column k; from there rows are stride apart, and entries of a row stride
 * (height - 1) */
static double *diagonal(const banded *b, int stride, double *A, int k)
{
    return A + stride * (b->band.lower + b->band.upper + k * b->height);
}

static void exchange(double *one, double *other, long step, int count, int stride)
{
    for (int j = 0; j < count; j++) {
        for (long k = j * step; k < j * step + stride; k++) {
            const double keep = one[k];
            one[k] = other[k];
            other[k] = keep;
        }
    }
}

/* rows below the diagonal of column k, as far as there are any */
static int rows_below(const banded *b, int n, int k)
{
    return n - 1 - k < b->band.lower ? n - 1 - k : b->band.lower;
}

/* the row of the largest entry of a column, from its diagonal on; -1: all are zero, or one is
 * not finite */
static int find_pivot(const double *column, int rows, int stride)
{
    double size = 0.0;
    int best = -1;
    for (int i = 0; i <= rows; i++) {
        const double entry =
            stride == 1 ? fabs(column[i]) : fabs(column[2 * i]) + fabs(column[2 * i + 1]);
        if (!isfinite(entry)) {
            return -1;
        }
        best = entry > size ? i : best;
        size = entry > size ? entry : size;
    }
    return best;
}

/* t -= f column, rows first to end - 1, pairs */
static void subtract_complex(int first, int end, const double *restrict column,
                             const double f[2], double *restrict t)
{
    const double re = f[0], im = f[1];
    for (int i = first; i < end; i++) {
        const double u = column[2 * i], v = column[2 * i + 1];
        t[2 * i] -= u * re - v * im;
        t[2 * i + 1] -= v * re + u * im;
    }
}

/* 1 / (a + ib) without squares, which might be out of range */
static void invert(const double z[2], double out[2])
{
    const bool swap = fabs(z[0]) < fabs(z[1]);
    const double large = swap ? z[1] : z[0], ratio = (swap ? z[0] : z[1]) / large,
                 below = 1.0 / (large * (1.0 + ratio * ratio));
    out[0] = swap ? ratio * below : below;
    out[1] = swap ? -below : -ratio * below;
}

/* column := multipliers, the columns behind it up to last reduced */
static void eliminate(const banded *b, int stride, int rows, int behind, double *column)
{
    const long step = stride * (b->height - 1);
    if (stride == 1) {
        const double inverse = 1.0 / column[0];
        for (int i = 1; i <= rows; i++) {
            column[i] *= inverse;
        }
        for (int j = 1; j <= behind; j++) {
            crank_subtract(1, rows + 1, column, column[j * step], column + j * step);
        }
        return;
    }
    double inverse[2];
    invert(column, inverse);
    for (int i = 1; i <= rows; i++) {
        const double u = column[2 * i], v = column[2 * i + 1];
        column[2 * i] = u * inverse[0] - v * inverse[1];
        column[2 * i + 1] = u * inverse[1] + v * inverse[0];
    }
    for (int j = 1; j <= behind; j++) {
        const double f[2] = {column[j * step], column[j * step + 1]};
        subtract_complex(1, rows + 1, column, f, column + j * step);
    }
}

static bool factor_band(const banded *b, int n, int stride, double *A, int *pivot)
{
    const long step = stride * (b->height - 1);
    int last = 0; /* the last column that the rows so far reach */
    for (int k = 0; k < n; k++) {
        double *column = diagonal(b, stride, A, k);
        const int rows = rows_below(b, n, k), p = find_pivot(column, rows, stride);
        if (p < 0) {
            return false;
        }
        const int reach = k + p + b->band.upper;
        last = reach > last ? reach : last;
        last = last < n ? last : n - 1;
        pivot[k] = p;
        if (p > 0) {
            exchange(column, column + (long)stride * p, step, last - k + 1, stride);
        }
        eliminate(b, stride, rows, last - k, column);
    }
    return true;
}

static crank_status factor(crank_solver *s, int i, const double *values, crank_error *err)
{
    banded *b = s->own;
    const int stride = crank_solver_stride(s, i), n = s->n;
    double *A = b->shift[i].A, *scale = b->shift[i].scale;
    bool regular = crank_solver_row_sizes(s, i, values, scale);
    for (int k = 0; k < n && regular; k++) {
        scale[k] = 1.0 / scale[k];
    }
    if (regular) {
        memset(A, 0, (size_t)stride * (size_t)n * (size_t)b->height * sizeof *A);
        for (int e = 0; e < s->entries; e++) {
            double *to = A + (size_t)stride * b->place[e];
            for (int part = 0; part < stride; part++) {
                to[part] = values[stride * e + part] * scale[s->row[e]];
            }
        }
        regular = factor_band(b, n, stride, A, b->shift[i].pivot);
    }
    return regular ? CRANK_OK
                   : crank_fail(err, CRANK_RETRY, "a banded matrix of %d rows is singular", n);
}

/* ---- solutions ---- */

static void solve(crank_solver *s, int i, const double *given, double *x)
{
    const banded *b = s->own;
    const int n = s->n, *pivot = b->shift[i].pivot,
              above = b->band.lower + b->band.upper; /* entries of U over the diagonal */
    double *y = b->y;
    for (int k = 0; k < n; k++) {
        y[b->band.row_place[k]] = given[k] * b->shift[i].scale[k];
    }
    for (int k = 0; k < n; k++) {
        exchange(y + k, y + k + pivot[k], 0, pivot[k] > 0, 1);
        crank_subtract(1, rows_below(b, n, k) + 1, diagonal(b, 1, b->shift[i].A, k), y[k],
                       y + k);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = diagonal(b, 1, b->shift[i].A, k);
        const int rows = k < above ? k : above;
        y[k] /= column[0];
        crank_subtract(0, rows, column - rows, y[k], y + k - rows);
    }
    for (int k = 0; k < n; k++) {
        x[k] = y[b->band.column_place[k]];
    }
}

/* U^T, then L^T with the exchanges in the opposite order */
static void solve_transposed(crank_solver *s, int i, double *x)
{
    const banded *b = s->own;
    const int n = s->n, *pivot = b->shift[i].pivot, above = b->band.lower + b->band.upper;
    double *y = b->y;
    for (int k = 0; k < n; k++) {
        y[b->band.column_place[k]] = x[k];
    }
    for (int k = 0; k < n; k++) {
        const double *column = diagonal(b, 1, b->shift[i].A, k);
        const int rows = k < above ? k : above;
        y[k] = (y[k] - crank_dot(rows, column - rows, y + k - rows)) / column[0];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = diagonal(b, 1, b->shift[i].A, k);
        y[k] -= crank_dot(rows_below(b, n, k), column + 1, y + k + 1);
        exchange(y + k, y + k + pivot[k], 0, pivot[k] > 0, 1);
    }
    for (int k = 0; k < n; k++) {
        x[k] = y[b->band.row_place[k]] * b->shift[i].scale[k];
    }
}

static void solve_complex(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag)
{
    const banded *b = s->own;
    const int n = s->n, *pivot = b->shift[i].pivot, above = b->band.lower + b->band.upper;
    double *y = b->y;
    for (int k = 0; k < n; k++) {
        double *to = y + 2L * b->band.row_place[k];
        to[0] = b_real[k] * b->shift[i].scale[k];
        to[1] = b_imag[k] * b->shift[i].scale[k];
    }
    for (int k = 0; k < n; k++) {
        double *at = y + 2L * k;
        exchange(at, at + 2L * pivot[k], 0, pivot[k] > 0, 2);
        const double f[2] = {at[0], at[1]};
        subtract_complex(1, rows_below(b, n, k) + 1, diagonal(b, 2, b->shift[i].A, k), f, at);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = diagonal(b, 2, b->shift[i].A, k);
        const int rows = k < above ? k : above;
        double inverse[2], *at = y + 2L * k;
        invert(column, inverse);
        const double f[2] = {at[0] * inverse[0] - at[1] * inverse[1],
                             at[0] * inverse[1] + at[1] * inverse[0]};
        at[0] = f[0];
        at[1] = f[1];
        subtract_complex(0, rows, column - 2L * rows, f, at - 2L * rows);
    }
    for (int k = 0; k < n; k++) {
        x_real[k] = y[2L * b->band.column_place[k]];
        x_imag[k] = y[2L * b->band.column_place[k] + 1];
    }
}

const crank_solver_type crank_solver_banded = {
    .name = "banded",
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_complex = solve_complex,
    .solve_transposed = solve_transposed,
};
