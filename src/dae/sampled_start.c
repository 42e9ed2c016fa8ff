/* sampled_start.c - the analysis of sampled.h at a start: pivots level by level, each at a point
 * that satisfies the levels before, theory (10.14); consistent values.
 *
 * Consistent values: Gauss-Newton on the constraints found so far, first in directions of the null
 * space of E alone, in which solutions may jump (a multiplier that was guessed); where that is not
 * enough in all, with steps of least norm over sizes, in which what E multiplies counts 1000
 * times as much. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/sampled.h"

#include "base/then.h"
#include "linalg/minimum_norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is no pivot beside the size of its row: E is given, derivatives of levels 0, 1 and 2 are
 * good to about 1e-10, 1e-8 and 1e-6. */
static const double rank_limit[CRANK_SAMPLED_INDEX + 1] = {1e-11, 1e-7, 1e-6, 1e-4};
/* lengths of differences: the longest, and how often a quarter of it is tried */
static const double longest = 4e-3;
enum { LENGTHS = 7, ITERATIONS = 30, HALVES = 8 };
static const double dear = 1e-3;     /* what E multiplies */
static const double settled = 1e-12; /* a step that is none */
static const double stalled = 1e-7;  /* a step that is none, if it does not become shorter */

/* ---- lengths of differences ---- */

/* The length at which the formula of fourth order is most accurate in these directions (n x count;
 * rate: with time): its error is about the square of what the formula of second order is off. */
static crank_status find_length(crank_sampled *s, int i, double t, const double *y,
                                const double *v, int count, double rate, double *length,
                                crank_error *err)
{
    const int rows = crank_sampled_constraints(s, i);
    double *high = calloc(2 * (size_t)rows + 1, sizeof *high), *low = high + rows;
    double best = INFINITY, step = longest;
    crank_status status =
        high != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "differences of %d rows", rows);
    *length = longest;
    for (int k = 0; k < LENGTHS && status == CRANK_OK; k++, step /= 4.0) {
        double off = 0.0;
        for (int q = 0; q < count && status == CRANK_OK; q++) {
            status = crank_sampled_derivative(s, i, t, y, v + (long)q * s->n, rate, step, high,
                                              low, err);
            const double extent =
                fmax(crank_sampled_extent(s, v + (long)q * s->n), rate / s->span);
            for (int r = 0; r < rows; r++) {
                off = fmax(off, fabs(high[r] - low[r]) / extent /
                                    (s->level[i].size[r] > 0.0 ? s->level[i].size[r] : 1.0));
            }
        }
        off = off * off + s->level[i].noise / step; /* error of fourth order, and rounding */
        if (status > CRANK_OK) {
            status = CRANK_OK;
        } else if (status == CRANK_OK && off < 0.5 * best) {
            best = off;
            *length = step;
        }
    }
    free(high);
    return status;
}

/* size of the constraints of level i: what unknowns change them by, over their sizes */
static crank_status find_sizes(crank_sampled *s, int i, double t, const double *y,
                               crank_error *err)
{
    const int rows = crank_sampled_constraints(s, i), n = s->n;
    double *v = calloc((size_t)n + (size_t)rows + 1, sizeof *v), *change = v + n;
    crank_status status =
        v != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "differences of %d rows", rows);
    memset(s->level[i].size, 0, (size_t)rows * sizeof(double));
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        v[j] = s->size[j];
        status =
            crank_sampled_derivative(s, i, t, y, v, 0.0, longest / 16.0, change, NULL, err);
        v[j] = 0.0;
        for (int r = 0; r < rows && status == CRANK_OK; r++) {
            s->level[i].size[r] = fmax(s->level[i].size[r], fabs(change[r]));
        }
    }
    free(v);
    return status;
}

/* what the next level needs to know of the constraints of level i */
static crank_status measure(crank_sampled *s, int i, double t, const double *y,
                            crank_error *err)
{
    crank_sampled_level *l = &s->level[i], *next = &s->level[i + 1];
    const size_t n = (size_t)s->n, open = (size_t)crank_sampled_constraints(s, i);
    crank_status status = crank_sampled_evaluate(s, i, t, y, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(next->before_c, l->c, open * sizeof(double));
    memcpy(next->before_d, l->d, n * sizeof(double));
    memcpy(next->before_N, l->N, n * open * sizeof(double));
    l->noise = i > 0
                   ? s->level[i - 1].noise / fmin(s->level[i - 1].along, s->level[i - 1].across)
                   : DBL_EPSILON;
    status = find_sizes(s, i, t, y, err);
    CRANK_THEN(status,
               find_length(s, i, t, y, next->before_N, (int)open, 0.0, &l->across, err));
    CRANK_THEN(status, find_length(s, i, t, y, next->before_d, 1, 1.0, &l->along, err));
    return status;
}

/* ---- pivots ---- */

/* B over sizes of rows and of directions: W (open x open) */
static void scale(const crank_sampled *s, int i, double *W)
{
    const crank_sampled_level *l = &s->level[i];
    const int open = l->open;
    for (int q = 0; q < open; q++) {
        const double extent =
            i > 0 ? crank_sampled_extent(s, l->before_N + (long)q * s->n) : 1.0 / s->size[q];
        for (int r = 0; r < open; r++) {
            W[r + q * open] = l->B[r + q * open] / extent;
        }
    }
    for (int r = 0; r < open; r++) {
        double most = i > 0 ? s->level[i - 1].size[r] : 0.0;
        for (int q = 0; q < open && i == 0; q++) {
            most = fmax(most, fabs(W[r + q * open]));
        }
        for (int q = 0; q < open; q++) {
            W[r + q * open] = most > 0.0 ? W[r + q * open] / most : 0.0;
        }
    }
}

static void exchange(int *list, int a, int b)
{
    const int kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

/* Gauss' elimination with full pivoting: row, column and rank of level i. */
static void pivot(crank_sampled *s, int i, double *W)
{
    crank_sampled_level *l = &s->level[i];
    const int open = l->open;
    for (int k = 0; k < open; k++) {
        l->row[k] = l->column[k] = k;
    }
    for (l->rank = 0; l->rank < open; l->rank++) {
        const int k = l->rank;
        int at_row = k, at_column = k;
        double most = 0.0;
        for (int q = k; q < open; q++) {
            for (int r = k; r < open; r++) {
                const double size = fabs(W[l->row[r] + l->column[q] * open]);
                if (size > most) {
                    most = size;
                    at_row = r;
                    at_column = q;
                }
            }
        }
        if (!(most > rank_limit[i])) {
            return;
        }
        exchange(l->row, k, at_row);
        exchange(l->column, k, at_column);
        for (int r = k + 1; r < open; r++) {
            const double factor =
                W[l->row[r] + l->column[k] * open] / W[l->row[k] + l->column[k] * open];
            for (int q = k; q < open; q++) {
                W[l->row[r] + l->column[q] * open] -=
                    factor * W[l->row[k] + l->column[q] * open];
            }
        }
    }
}

static crank_status find_pivots(crank_sampled *s, int i, double t, const double *y,
                                crank_error *err)
{
    const size_t open = (size_t)s->level[i].open;
    double *W = calloc(open * open + 1, sizeof *W);
    crank_status status =
        W != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "pivots of %d equations", s->n);
    if (i > 0) {
        CRANK_THEN(status, measure(s, i - 1, t, y, err));
    }
    CRANK_THEN(status, crank_sampled_rows(s, i, t, y, err));
    if (status == CRANK_OK) {
        scale(s, i, W);
        pivot(s, i, W);
    }
    free(W);
    return status;
}

/* ---- consistent values ---- */

typedef struct search {
    crank_sampled *s;
    int levels;    /* constraints of levels below this one */
    int rows;      /* of all these */
    int first_all; /* directions of the null space of E; then the others */
    double *basis; /* n x n: directions */
    double *residual, *trial, *change, *y, *row;
} search;

/* residuals of all constraints, over their sizes; *norm: the largest */
static crank_status look(search *w, double t, const double *y, double *out, double *norm,
                         crank_error *err)
{
    crank_sampled *s = w->s;
    crank_status status = CRANK_OK;
    int row = 0;
    *norm = 0.0;
    for (int i = 0; i < w->levels && status == CRANK_OK; i++) {
        status = crank_sampled_evaluate(s, i, t, y, err);
        for (int r = 0; r < crank_sampled_constraints(s, i) && status == CRANK_OK; r++, row++) {
            out[row] = s->level[i].size[r] > 0.0 ? s->level[i].c[r] / s->level[i].size[r] : 0.0;
            *norm = fmax(*norm, fabs(out[row]));
        }
    }
    return status;
}

/* directions at y: the null space of E, then unknowns that it leaves */
static crank_status find_basis(search *w, double t, const double *y, crank_error *err)
{
    crank_sampled *s = w->s;
    const crank_sampled_level *l = &s->level[0];
    const int n = s->n, open = n - l->rank;
    const crank_status status = crank_sampled_evaluate(s, 0, t, y, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(w->basis, 0, (size_t)n * (size_t)n * sizeof *w->basis);
    for (int q = 0; q < n; q++) {
        double *v = w->basis + (long)q * n;
        if (q < open) {
            const double extent = crank_sampled_extent(s, l->N + (long)q * n);
            for (int j = 0; j < n; j++) {
                v[j] = l->N[j + q * n] / extent;
            }
        } else {
            v[l->column[q - open]] = dear * s->size[l->column[q - open]];
        }
    }
    return CRANK_OK;
}

/* A (rows x columns): derivatives of the residuals in the basis' first columns */
static crank_status differentiate(search *w, double t, const double *y, int columns,
                                  crank_min_matrix *A, crank_error *err)
{
    crank_sampled *s = w->s;
    crank_status status = CRANK_OK;
    int first = 0;
    for (int i = 0; i < w->levels && status == CRANK_OK; i++) {
        const int rows = crank_sampled_constraints(s, i);
        status = crank_sampled_evaluate(s, i, t, y, err);
        memcpy(s->level[i + 1].before_c, s->level[i].c, (size_t)rows * sizeof(double));
        for (int q = 0; q < columns && status == CRANK_OK; q++) {
            status = crank_sampled_derivative(s, i, t, y, w->basis + (long)q * s->n, 0.0,
                                              s->level[i].across, w->row, NULL, err);
            for (int r = 0; r < rows; r++) {
                const double size = s->level[i].size[r];
                A->row[q * w->rows + first + r] = first + r;
                A->values[q * w->rows + first + r] = size > 0.0 ? w->row[r] / size : 0.0;
            }
        }
        first += rows;
    }
    for (int q = 0; q <= columns; q++) {
        A->start[q] = q * w->rows;
    }
    return status;
}

/* y := y + the part of the step that makes residuals smaller; *step: its size, 0: none does */
static crank_status take_step(search *w, double t, double *y, int columns, double norm,
                              const double *z, double *step, crank_error *err)
{
    const crank_sampled *s = w->s;
    double part = 1.0, after = INFINITY;
    memset(w->change, 0, (size_t)s->n * sizeof(double));
    for (int q = 0; q < columns; q++) {
        for (int j = 0; j < s->n; j++) {
            w->change[j] += z[q] * w->basis[j + q * s->n];
        }
    }
    *step = crank_sampled_extent(s, w->change);
    for (int k = 0; k < HALVES; k++, part /= 2.0) {
        for (int j = 0; j < s->n; j++) {
            w->y[j] = y[j] + part * w->change[j];
        }
        const crank_status status = look(w, t, w->y, w->trial, &after, err);
        if (status < CRANK_OK) {
            return status;
        }
        if (status == CRANK_OK && (after < norm || *step < stalled)) {
            memcpy(y, w->y, (size_t)s->n * sizeof *y);
            return CRANK_OK;
        }
    }
    *step = *step < stalled ? *step : (double)INFINITY;
    return CRANK_OK;
}

/* Gauss-Newton in the basis' first columns; *found: the constraints hold. y is what it comes to. */
static crank_status solve(search *w, double t, double *y, int columns, bool *found,
                          crank_error *err)
{
    crank_min_matrix A = {0};
    double *z = calloc((size_t)columns + 1, sizeof *z), norm = 0.0, before = INFINITY;
    crank_status status =
        z != NULL && crank_min_allocate(&A, w->rows, columns, (size_t)w->rows * (size_t)columns)
            ? CRANK_OK
            : crank_fail(err, CRANK_EMEM, "consistent values of %d unknowns", w->s->n);
    *found = false;
    for (int k = 0; k < ITERATIONS && status == CRANK_OK && !*found; k++) {
        double step = 0.0;
        status = find_basis(w, t, y, err);
        CRANK_THEN(status, look(w, t, y, w->residual, &norm, err));
        CRANK_THEN(status, differentiate(w, t, y, columns, &A, err));
        CRANK_THEN(status, crank_minimum_norm(&A, w->residual, 1e-7, 0.0, z, err));
        CRANK_THEN(status, take_step(w, t, y, columns, norm, z, &step, err));
        *found = status == CRANK_OK && norm < 1e-4 &&
                 (step < settled || (step < stalled && step > 0.3 * before)) &&
                 norm < 1e3 * fmax(step, settled);
        if (!isfinite(step) || (step < settled && !*found)) {
            break;
        }
        before = step;
    }
    crank_min_free(&A);
    free(z);
    return status > CRANK_OK ? CRANK_OK : status;
}

/* y onto the constraints of the levels below `levels` */
static crank_status project(crank_sampled *s, int levels, double t, double *y, crank_error *err)
{
    const size_t n = (size_t)s->n;
    search w = {.s = s, .levels = levels};
    for (int i = 0; i < levels; i++) {
        w.rows += crank_sampled_constraints(s, i);
    }
    double *room = calloc(n * n + 3 * (size_t)w.rows + 3 * n, sizeof *room);
    if (room == NULL) {
        return crank_fail(err, CRANK_EMEM, "consistent values of %d unknowns", s->n);
    }
    w.basis = room;
    w.residual = w.basis + n * n;
    w.trial = w.residual + w.rows;
    w.row = w.trial + w.rows;
    w.change = w.row + w.rows;
    w.y = w.change + n;
    double *given = w.y + n;
    bool found = false;
    memcpy(given, y, n * sizeof *y);
    crank_status status = solve(&w, t, y, s->n - s->level[0].rank, &found, err);
    if (status == CRANK_OK && !found) {
        memcpy(y, given, n * sizeof *y);
        status = solve(&w, t, y, s->n, &found, err);
        s->moved = true;
    }
    free(room);
    return status == CRANK_OK && !found
               ? crank_fail(err, CRANK_EINIT_CONVERGENCE,
                            "no consistent initial values were found: the constraints of level "
                            "%d cannot be met near the values given",
                            levels - 1)
               : status;
}

/* ---- the analysis ---- */

crank_status crank_sampled_analyse(crank_sampled *s, double t, double *y, crank_error *err)
{
    crank_status status = find_pivots(s, 0, t, y, err);
    for (int i = 0; status == CRANK_OK; i++) {
        const int open = crank_sampled_constraints(s, i);
        if (open == 0) {
            s->index = i;
            return crank_sampled_evaluate(s, i, t, y, err);
        }
        if (i == CRANK_SAMPLED_INDEX) {
            return crank_fail(err, CRANK_EREFUSED,
                              "the equations have an index above 3, or do not determine all "
                              "unknowns: after three differentiations %d rate%s still open",
                              open, open > 1 ? "s are" : " is");
        }
        s->level[i + 1].open = open;
        status = measure(s, i, t, y, err);
        CRANK_THEN(status, project(s, i + 1, t, y, err));
        CRANK_THEN(status, find_pivots(s, i + 1, t, y, err));
    }
    if (status <= CRANK_OK) {
        return status;
    }
    const crank_error before = err != NULL ? *err : (crank_error){0};
    return crank_fail(err, CRANK_EINIT_CONVERGENCE,
                      "the equations cannot be evaluated near the initial values%s%s",
                      before.text[0] != '\0' ? ": " : "", before.text);
}
