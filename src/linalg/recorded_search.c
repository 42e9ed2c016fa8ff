/* recorded_search.c - pivots among all entries, behind recorded.h, and the record of their
 * elimination.
 *
 * A pivot has the fewest (entries of its row - 1)(entries of its column - 1) [Mar57] among
 * those of the shortest columns that are at least a tenth of the largest in their columns, rows
 * being measured by their largest entry, theory 3.10. Patterns count, not values: an entry that
 * is zero now need not be so later. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/recorded_inside.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double threshold = 0.1;
/* columns from which a pivot is chosen */
enum { MOST_LOOKED = 6 };

typedef crank_recorded_work work;

/* ---- memory ---- */

static void free_work(work *w)
{
    free(w->value);
    free(w->there);
    free(w->list);
    free(w->in_row);
    free(w->in_column);
    free(w->scale);
    free(w->inverse);
    free(w->place);
    *w = (work){0};
}

void crank_recorded_free_searching(crank_recorded *r)
{
    free_work(&r->work);
    free(r->pivot_row);
    free(r->pivot_column);
    free(r->row_step);
    free(r->place);
    free(r->fill);
    free(r->scale);
    free(r->weight);
    free(r->vector);
}

static bool take_work(crank_recorded *r)
{
    const size_t n = (size_t)r->order.n + 1, square = n * n;
    work *w = &r->work;
    w->n = r->order.n;
    w->stride = r->stride;
    w->value = malloc(square * (size_t)w->stride * sizeof *w->value);
    w->there = malloc(square * sizeof *w->there);
    w->list = malloc(square * sizeof *w->list);
    w->in_row = calloc(n, sizeof *w->in_row);
    w->in_column = calloc(n, sizeof *w->in_column);
    w->scale = calloc(n, sizeof *w->scale);
    w->inverse = calloc(n, sizeof *w->inverse);
    w->place = malloc(square * sizeof *w->place);
    return w->value != NULL && w->there != NULL && w->list != NULL && w->in_row != NULL &&
           w->in_column != NULL && w->scale != NULL && w->inverse != NULL && w->place != NULL;
}

/* for as many entries of L, and of U, and so many products; what was there is lost */
static bool make_room(crank_recorded *r, int entries, long products)
{
    crank_recorded_order *o = &r->order;
    const size_t count = (size_t)entries + 1;
    if (entries > r->entry_room || r->W == NULL) {
        free(r->l_of);
        free(r->fill);
        free(r->weight);
        free(r->W);
        r->l_of = calloc(count, sizeof *r->l_of);
        r->fill = calloc((size_t)o->n + 2 * count, sizeof *r->fill);
        r->weight = calloc(count, sizeof *r->weight);
        r->W = calloc((size_t)o->n + 2 * count, (size_t)r->stride * sizeof *r->W);
        r->entry_room = entries;
    }
    if (products > r->product_room || r->target == NULL) {
        free(r->target);
        r->target = calloc((size_t)products + 1, sizeof *r->target);
        r->product_room = (int)products;
    }
    return r->l_of != NULL && r->fill != NULL && r->weight != NULL && r->W != NULL &&
           r->target != NULL;
}

static bool allocate(crank_recorded *r)
{
    crank_recorded_order *o = &r->order;
    const size_t n = (size_t)o->n + 1, full = n * n / 2 + 1;
    const int rows = o->n;
    o->pivot = calloc(n, sizeof(int));
    o->step = calloc(n, sizeof(int));
    o->l_start = calloc(n, sizeof(int));
    o->u_start = calloc(n, sizeof(int));
    o->l = calloc(full, sizeof(int));
    o->u = calloc(full, sizeof(int));
    r->pivot_row = calloc(n, sizeof(int));
    r->pivot_column = calloc(n, sizeof(int));
    r->row_step = calloc(n, sizeof(int));
    r->place = calloc((size_t)r->start[rows] + 1, sizeof(int));
    r->scale = calloc(n, sizeof(double));
    r->vector = calloc(n * (size_t)r->stride, sizeof(double));
    const bool fine = o->pivot != NULL && o->step != NULL && o->l_start != NULL &&
                      o->u_start != NULL && o->l != NULL && o->u != NULL &&
                      r->pivot_row != NULL && r->pivot_column != NULL && r->row_step != NULL &&
                      r->place != NULL && r->scale != NULL && r->vector != NULL;
    return fine && (!r->reserved || /* as many as a full matrix has */
                    (take_work(r) && make_room(r, rows * (rows - 1) / 2,
                                               rows * (rows - 1L) * (2 * rows - 1) / 6)));
}

crank_recorded *crank_recorded_create_searching(int n, const int *start, const int *row,
                                                int stride, bool reserve)
{
    crank_recorded *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->order.n = n;
    r->stride = stride;
    r->start = start;
    r->row = row;
    r->searching = true;
    r->reserved = reserve && n <= CRANK_RECORDED_RESERVED;
    if (!allocate(r)) {
        crank_recorded_destroy(r);
        return NULL;
    }
    return r;
}

/* ---- pivots ---- */

static void clear(work *w)
{
    const size_t n = (size_t)w->n, square = n * n;
    memset(w->there, 0, square * sizeof *w->there);
    memset(w->in_row, 0, n * sizeof *w->in_row);
    memset(w->in_column, 0, n * sizeof *w->in_column);
    memset(w->scale, 0, n * sizeof *w->scale);
}

static double magnitude(const work *w, int i, int j)
{
    const double *a = w->value + (long)w->stride * (i + (long)j * w->n);
    return w->stride == 1 ? fabs(a[0]) : fabs(a[0]) + fabs(a[1]);
}

/* its value is the caller's */
static void add_entry(work *w, int i, int j)
{
    w->there[i + (long)j * w->n] = true;
    w->list[w->in_column[j]++ + (long)j * w->n] = i;
    w->in_row[i]++;
}

static void fill(work *w, const crank_recorded *r, const double *values)
{
    clear(w);
    for (int j = 0; j < w->n; j++) {
        for (int k = r->start[j]; k < r->start[j + 1]; k++) {
            const int i = r->row[k];
            memcpy(w->value + (long)w->stride * (i + (long)j * w->n),
                   values + (long)w->stride * k, (size_t)w->stride * sizeof *values);
            add_entry(w, i, j);
            const double size = magnitude(w, i, j);
            w->scale[i] = size > w->scale[i] ? size : w->scale[i];
        }
    }
    for (int i = 0; i < w->n; i++) {
        w->inverse[i] = w->scale[i] > 0.0 ? 1.0 / w->scale[i] : 0.0;
        w->place[i] = i;
    }
}

/* the entry of a column that is large enough and has the shortest row, if it costs less than
 * *least, or as much and is larger than *best */
static void look_into(const work *w, int j, long *least, double *best, int *row, int *column)
{
    const int *list = w->list + (long)j * w->n, count = w->in_column[j];
    double largest = 0.0;
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
            *row = list[k];
            *column = j;
        }
    }
}

/* The columns with the fewest entries that are left, in the order of these and of their
 * numbers: all those that a search can look at, unless none of them has a pivot. */
static int find_short(const work *w, int left, int column[MOST_LOOKED])
{
    int count = 0, longest = INT_MAX; /* of the last one in a full list */
    for (int a = 0; a < left; a++) {
        const int j = w->place[a], length = w->in_column[j];
        if (length >= longest || length == 0) {
            continue;
        }
        int at = count < MOST_LOOKED ? count++ : MOST_LOOKED - 1;
        for (; at > 0 && w->in_column[column[at - 1]] > length; at--) {
            column[at] = column[at - 1];
        }
        column[at] = j;
        longest = count == MOST_LOOKED ? w->in_column[column[count - 1]] : INT_MAX;
    }
    return count;
}

/* Short columns first; the search ends with a few of them, or where longer ones cannot be
 * cheaper. false: there is no pivot. */
static bool find_pivot(const work *w, int left, int *row, int *column)
{
    long least = -1;
    double best = 0.0;
    int few[MOST_LOOKED];
    const int count = find_short(w, left, few);
    for (int a = 0; a < count; a++) {
        const long shorter = w->in_column[few[a]] - 2L;
        if (least >= 0 && w->in_column[few[a]] > w->in_column[few[a - 1]] &&
            least <= shorter * shorter) {
            break;
        }
        look_into(w, few[a], &least, &best, row, column);
    }
    const bool found = least >= 0;
    for (int a = 0; a < left && !found; a++) { /* zeros in the short ones: any other */
        look_into(w, w->place[a], &least, &best, row, column);
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

/* Step k: rows of its column and columns of its row into the order. */
static void eliminate(work *w, crank_recorded_order *o, int k, int row, int column)
{
    const long n = w->n;
    const int left = w->n - k;
    int nl = o->l_start[k], nu = o->u_start[k], at = 0;
    for (int a = 0; a < left; a++) {
        const int j = w->place[a];
        at = j == column ? a : at;
        if (w->there[row + j * n]) {
            remove_row(w, row, j);
            if (j != column) {
                o->u[nu++] = j;
            }
        }
    }
    memmove(w->place + at, w->place + at + 1, (size_t)(left - at - 1) * sizeof *w->place);
    for (int a = 0; a < w->in_column[column]; a++) {
        const int i = o->l[nl++] = w->list[a + column * n];
        w->in_row[i]--;
        for (int c = o->u_start[k]; c < nu; c++) {
            const int j = o->u[c];
            if (!w->there[i + j * n]) {
                memset(w->value + w->stride * (i + j * n), 0,
                       (size_t)w->stride * sizeof *w->value);
                add_entry(w, i, j);
            }
            subtract(w, i, j, row, column);
        }
    }
    o->l_start[k + 1] = nl;
    o->u_start[k + 1] = nu;
    o->operations += (long)(nl - o->l_start[k]) * (nu - o->u_start[k]);
}

/* ---- the record ---- */

/* rows and columns by the numbers of their steps */
static void number(crank_recorded *r, work *w)
{
    crank_recorded_order *o = &r->order;
    int *column_step = w->in_column; /* no longer needed */
    for (int k = 0; k < o->n; k++) {
        o->pivot[k] = o->step[k] = k;
        r->row_step[r->pivot_row[k]] = k;
        column_step[r->pivot_column[k]] = k;
    }
    for (int k = 0; k < o->n; k++) {
        for (int e = o->l_start[k]; e < o->l_start[k + 1]; e++) {
            o->l[e] = r->row_step[o->l[e]];
            r->l_of[e] = k;
        }
        for (int e = o->u_start[k]; e < o->u_start[k + 1]; e++) {
            o->u[e] = column_step[o->u[e]];
        }
    }
}

static void write_record(crank_recorded *r, work *w)
{
    const crank_recorded_order *o = &r->order;
    const long n = o->n;
    const int lower = o->l_start[n];
    int *target = r->target;
    for (int k = 0; k < n; k++) {
        w->place[k + k * n] = k;
        for (int e = o->l_start[k]; e < o->l_start[k + 1]; e++) {
            w->place[o->l[e] + k * n] = o->n + e;
        }
        for (int e = o->u_start[k]; e < o->u_start[k + 1]; e++) {
            w->place[k + o->u[e] * n] = o->n + lower + e;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int a = o->l_start[k]; a < o->l_start[k + 1]; a++) {
            for (int b = o->u_start[k]; b < o->u_start[k + 1]; b++) {
                *target++ = w->place[o->l[a] + o->u[b] * n];
            }
        }
    }
}

/* where the matrix goes, and where it does not */
static void write_places(crank_recorded *r, work *w)
{
    const long n = r->order.n;
    int *taken = w->list; /* by places, of which there are n n at most */
    memset(taken, 0, (size_t)r->slots * sizeof *taken);
    for (int j = 0; j < n; j++) {
        for (int e = r->start[j]; e < r->start[j + 1]; e++) {
            r->place[e] = w->place[r->row_step[r->row[e]] + w->in_column[j] * n];
            assert(taken[r->place[e]] == 0); /* each place once */
            taken[r->place[e]] = 1;
        }
    }
    r->fill_count = 0;
    for (int place = 0; place < r->slots; place++) {
        if (taken[place] == 0) {
            r->fill[r->fill_count++] = place;
        }
    }
}

static crank_status search(crank_recorded *r, const double *values)
{
    work *w = &r->work;
    crank_recorded_order *o = &r->order;
    fill(w, r, values);
    o->operations = 0;
    for (int k = 0; k < o->n; k++) {
        if (!find_pivot(w, o->n - k, &r->pivot_row[k], &r->pivot_column[k])) {
            return CRANK_RETRY;
        }
        eliminate(w, o, k, r->pivot_row[k], r->pivot_column[k]);
    }
    const int lower = o->l_start[o->n], upper = o->u_start[o->n];
    if (!make_room(r, lower > upper ? lower : upper, o->operations)) {
        return CRANK_EMEM;
    }
    r->slots = o->n + lower + upper;
    number(r, w);
    write_record(r, w);
    write_places(r, w);
    crank_recorded_measure(r, values);
    return crank_recorded_factor(r, values) ? CRANK_OK : CRANK_RETRY;
}

crank_status crank_recorded_search(crank_recorded *r, const double *values)
{
    const bool ready = r->work.value != NULL || take_work(r);
    const crank_status status = ready ? search(r, values) : CRANK_EMEM;
    if (!r->reserved) {
        free_work(&r->work);
    }
    return status;
}
