/* elimination_search.c - the pivots of elimination.c, and the record of its operations.
 *
 * A pivot has the fewest (entries of its row - 1)(entries of its column - 1) [Mar57] among those of the shortest columns
 * that are at least a tenth of the largest in their columns, rows being measured by their largest entry, theory 3.10.
 * Patterns count, not values: an entry that is zero now need not be so later. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/elimination_inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double threshold = 0.1;
/* columns from which a pivot is chosen */
enum { MOST_LOOKED = 6 };

typedef crank_elimination_work work;

void crank_elimination_free_work(crank_elimination *e)
{
    work *w = &e->work;
    free(w->value);
    free(w->there);
    free(w->list);
    free(w->in_row);
    free(w->in_column);
    free(w->scale);
    free(w->inverse);
    free(w->row_done);
    free(w->column_done);
    free(w->entry);
    *w = (work){0};
}

bool crank_elimination_take_work(crank_elimination *e)
{
    const size_t n = (size_t)e->n + 1, square = n * n;
    work *w = &e->work;
    w->n = e->n;
    w->stride = e->stride;
    w->value = calloc(square * (size_t)w->stride, sizeof *w->value);
    w->there = calloc(square, sizeof *w->there);
    w->list = calloc(square, sizeof *w->list);
    w->in_row = calloc(n, sizeof *w->in_row);
    w->in_column = calloc(n, sizeof *w->in_column);
    w->scale = calloc(n, sizeof *w->scale);
    w->inverse = calloc(n, sizeof *w->inverse);
    w->row_done = calloc(n, sizeof *w->row_done);
    w->column_done = calloc(n, sizeof *w->column_done);
    w->entry = calloc(square, sizeof *w->entry);
    return w->value != NULL && w->there != NULL && w->list != NULL && w->in_row != NULL &&
           w->in_column != NULL && w->scale != NULL && w->inverse != NULL &&
           w->row_done != NULL && w->column_done != NULL && w->entry != NULL;
}

static void clear(work *w)
{
    const size_t n = (size_t)w->n, square = n * n;
    memset(w->value, 0, square * (size_t)w->stride * sizeof *w->value);
    memset(w->there, 0, square * sizeof *w->there);
    memset(w->in_row, 0, n * sizeof *w->in_row);
    memset(w->in_column, 0, n * sizeof *w->in_column);
    memset(w->scale, 0, n * sizeof *w->scale);
    memset(w->row_done, 0, n * sizeof *w->row_done);
    memset(w->column_done, 0, n * sizeof *w->column_done);
}

static double magnitude(const work *w, int i, int j)
{
    const double *a = w->value + (long)w->stride * (i + (long)j * w->n);
    return w->stride == 1 ? fabs(a[0]) : fabs(a[0]) + fabs(a[1]);
}

static void add_entry(work *w, int i, int j)
{
    w->there[i + (long)j * w->n] = true;
    w->list[w->in_column[j]++ + (long)j * w->n] = i;
    w->in_row[i]++;
}

static void fill(work *w, const crank_elimination *e, const double *values)
{
    clear(w);
    for (int j = 0; j < e->n; j++) {
        for (int k = e->start[j]; k < e->start[j + 1]; k++) {
            const int i = e->row[k];
            memcpy(w->value + (long)w->stride * (i + (long)j * w->n),
                   values + (long)w->stride * k, (size_t)w->stride * sizeof *values);
            add_entry(w, i, j);
            const double size = magnitude(w, i, j);
            w->scale[i] = size > w->scale[i] ? size : w->scale[i];
        }
    }
    for (int i = 0; i < w->n; i++) {
        w->inverse[i] = w->scale[i] > 0.0 ? 1.0 / w->scale[i] : 0.0;
    }
}

/* the entry of a column that is large enough and has the shortest row, if it costs less than *least; -1: none */
static int find_in_column(const work *w, int j, long *least, double *best)
{
    const int *list = w->list + (long)j * w->n, count = w->in_column[j];
    double largest = 0.0;
    int row = -1;
    for (int k = 0; k < count; k++) {
        const double size = magnitude(w, list[k], j) * w->inverse[list[k]];
        largest = size > largest ? size : largest;
    }
    for (int k = 0; k < count && largest > 0.0; k++) {
        const double size = magnitude(w, list[k], j) * w->inverse[list[k]];
        const long cost = (w->in_row[list[k]] - 1) * (long)(count - 1);
        if (size >= threshold * largest &&
            (*least < 0 || cost < *least || (cost == *least && size > *best * largest))) {
            *least = cost;
            *best = size / largest;
            row = list[k];
        }
    }
    return row;
}

/* Short columns first; the search ends with a few of them. false: there is no pivot. */
static bool find_pivot(const work *w, int *row, int *column)
{
    long least = -1;
    double best = 0.0;
    int looked = 0, shortest = w->n;
    for (int j = 0; j < w->n; j++) {
        shortest =
            !w->column_done[j] && w->in_column[j] < shortest ? w->in_column[j] : shortest;
    }
    for (int length = shortest > 0 ? shortest : 1; length <= w->n; length++) {
        for (int j = 0; j < w->n && (least < 0 || looked < MOST_LOOKED); j++) {
            if (w->column_done[j] || w->in_column[j] != length) {
                continue;
            }
            const int found = find_in_column(w, j, &least, &best);
            looked++;
            if (found >= 0) {
                *row = found;
                *column = j;
            }
        }
        if (least >= 0 && (looked >= MOST_LOOKED || least <= (length - 1L) * (length - 1L))) {
            break;
        }
    }
    return least >= 0 && isfinite(magnitude(w, *row, *column));
}

/* value(i, j) -= value(i, column) / pivot value(row, j) */
static void subtract(work *w, int i, int j, int row, int column)
{
    const long n = w->n, s = w->stride;
    double *target = w->value + s * (i + j * n);
    const double *a = w->value + s * (i + column * n), *b = w->value + s * (row + j * n),
                 *pivot = w->value + s * (row + column * n);
    if (s == 1) {
        *target -= *a / *pivot * *b;
        return;
    }
    const double square = pivot[0] * pivot[0] + pivot[1] * pivot[1];
    const double re = (a[0] * pivot[0] + a[1] * pivot[1]) / square,
                 im = (a[1] * pivot[0] - a[0] * pivot[1]) / square;
    target[0] -= re * b[0] - im * b[1];
    target[1] -= re * b[1] + im * b[0];
}

static void remove_row(work *w, int row, int column)
{
    int *list = w->list + (long)column * w->n;
    int at = 0;
    while (list[at] != row) {
        at++;
    }
    list[at] = list[--w->in_column[column]];
}

/* Returns how many products it makes. */
static int eliminate(work *w, int row, int column)
{
    const long n = w->n;
    int *others = w->entry, count = 0; /* columns of the row; entries are numbered later */
    w->row_done[row] = w->column_done[column] = true;
    for (int j = 0; j < n; j++) {
        if (w->there[row + j * n] && (!w->column_done[j] || j == column)) {
            remove_row(w, row, j);
            if (j != column) {
                others[count++] = j;
            }
        }
    }
    for (int k = 0; k < w->in_column[column]; k++) {
        const int i = w->list[k + column * n];
        w->in_row[i]--;
        for (int c = 0; c < count; c++) {
            const int j = others[c];
            if (!w->there[i + j * n]) {
                add_entry(w, i, j);
            }
            subtract(w, i, j, row, column);
        }
    }
    return count * w->in_column[column];
}

/* ---- the record ---- */

/* row by row; how many. Lists of columns left of the pivots take the place of the search's lists. */
static int number_entries(crank_elimination *e, work *w)
{
    const long n = w->n;
    int entries = 0;
    for (int i = 0; i < n; i++) {
        e->first[i] = entries;
        for (int j = 0; j < n; j++) {
            const bool there = w->there[e->pivot_row[i] + e->pivot_column[j] * n];
            w->entry[i + j * n] = there ? entries : -1;
            if (there && j < i) {
                w->list[entries - e->first[i] + i * n] = j;
            }
            e->diagonal[i] = j == i ? entries : e->diagonal[i];
            entries += there;
        }
        w->in_row[i] = e->diagonal[i] - e->first[i];
    }
    e->first[n] = entries;
    return entries;
}

/* products of the entry of row i in column j, written to out; how many */
static int list_products(const crank_elimination *e, const work *w, int i, int j,
                         crank_product *out)
{
    const long n = w->n;
    int count = 0;
    for (int l = 0; l < w->in_row[i]; l++) {
        const int m = w->list[l + i * n], u = m < j ? w->entry[m + j * n] : -1;
        if (u >= 0) {
            out[count++] = (crank_product){e->first[i] + l, u};
        }
    }
    return count;
}

bool crank_elimination_make_room(crank_elimination *e, int entries, int products)
{
    const size_t count = (size_t)entries + 1;
    if (entries > e->entry_room || e->lu == NULL) {
        free(e->column);
        free(e->last);
        free(e->fill);
        free(e->changed);
        free(e->lu);
        free(e->weight);
        e->column = calloc(count, sizeof *e->column);
        e->last = calloc(count, sizeof *e->last);
        e->fill = calloc(count, sizeof *e->fill);
        e->changed = calloc(count, sizeof *e->changed);
        e->lu = calloc(count * (size_t)e->stride, sizeof *e->lu);
        e->weight = calloc(count, sizeof *e->weight);
        e->entry_room = entries;
    }
    if (products > e->product_room || e->product == NULL) {
        free(e->product);
        e->product = calloc((size_t)products + 1, sizeof *e->product);
        e->product_room = products;
    }
    return e->column != NULL && e->last != NULL && e->fill != NULL && e->changed != NULL &&
           e->product != NULL && e->lu != NULL && e->weight != NULL;
}

static bool write_record(crank_elimination *e, work *w, int products)
{
    const long n = w->n;
    if (!crank_elimination_make_room(e, number_entries(e, w), products)) {
        return false;
    }
    int at = 0, changed = 0;
    for (int i = 0; i < n; i++) {
        e->changed_first[i] = changed;
        for (int j = 0; j < n; j++) {
            const int entry = w->entry[i + j * n];
            if (entry < 0) {
                continue;
            }
            const int count = list_products(e, w, i, j, e->product + at);
            e->column[entry] = j;
            e->last[entry] = at += count;
            if (j >= i && count > 0) {
                e->changed[changed++] = entry;
            }
        }
    }
    e->changed_first[n] = changed;
    return true;
}

/* where the matrix goes, and where it does not */
static void write_places(crank_elimination *e, const work *w)
{
    const long n = w->n;
    int *row_number = w->in_row, *column_number = w->in_column; /* no longer needed */
    for (int k = 0; k < n; k++) {
        row_number[e->pivot_row[k]] = k;
        column_number[e->pivot_column[k]] = k;
    }
    for (int j = 0; j < n; j++) {
        for (int k = e->start[j]; k < e->start[j + 1]; k++) {
            int *entry = &w->entry[row_number[e->row[k]] + column_number[j] * n];
            assert(*entry >= 0); /* each place once */
            e->place[k] = *entry;
            *entry = -1;
        }
    }
    e->fill_count = 0;
    for (long k = 0; k < n * n; k++) {
        if (w->entry[k] >= 0) {
            e->fill[e->fill_count++] = w->entry[k];
        }
    }
}

static crank_status search(crank_elimination *e, const double *values)
{
    work *w = &e->work;
    int products = 0;
    fill(w, e, values);
    for (int k = 0; k < e->n; k++) {
        if (!find_pivot(w, &e->pivot_row[k], &e->pivot_column[k])) {
            return CRANK_RETRY;
        }
        products += eliminate(w, e->pivot_row[k], e->pivot_column[k]);
    }
    if (!write_record(e, w, products)) {
        return CRANK_EMEM;
    }
    write_places(e, w);
    crank_elimination_measure(e, values);
    return crank_elimination_repeat(e, values) ? CRANK_OK : CRANK_RETRY;
}

crank_status crank_elimination_search(crank_elimination *e, const double *values)
{
    const bool ready = e->work.value != NULL || crank_elimination_take_work(e);
    const crank_status status = ready ? search(e, values) : CRANK_EMEM;
    if (!e->reserved) {
        crank_elimination_free_work(e);
    }
    return status;
}
