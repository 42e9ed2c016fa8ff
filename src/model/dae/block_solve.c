/* block_solve.c - Gaussian elimination on the connected blocks of a matrix of expressions.
 *
 * Blocks are the connected components of the bipartite graph of rows and columns (union-find).
 * Each is copied into a small dense matrix of expressions with shadows of its values at given
 * points; rows are eliminated in the expressions and in the shadows alike, and the shadows say
 * which entry may be divided by. Equal subexpressions are one node of the pool, so the result
 * stays O(k^3) for a block of k rows. The diagonal is preferred as long as it is not small: it
 * keeps symmetric systems short. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/block_solve.h"

#include <math.h>
#include <stdlib.h>

static const double negligible =
    1e-12; /* a pivot this small beside the block's entries is zero */
static const double good_enough =
    0.1; /* the diagonal is taken if it reaches this part of the largest */

static int find(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

crank_status crank_blocks_find(crank_store *store, int n, const crank_entries *a,
                               crank_blocks *out, crank_error *err)
{
    const size_t size = (size_t)n;
    int *parent = crank_store_take(store, 2 * size, sizeof *parent); /* rows, then columns */
    int *number = crank_store_take(store, 2 * size, sizeof *number);
    int *rows = crank_store_take(store, 2 * size, sizeof *rows);
    int *columns = crank_store_take(store, 2 * size, sizeof *columns);
    *out = (crank_blocks){.n = n, .square = true, .singular = -1};
    out->row_block = crank_store_take(store, size, sizeof *out->row_block);
    out->column_block = crank_store_take(store, size, sizeof *out->column_block);
    if (parent == NULL || number == NULL || rows == NULL || columns == NULL ||
        out->row_block == NULL || out->column_block == NULL) {
        return crank_fail(err, CRANK_EMEM, "blocks of a matrix");
    }
    for (int i = 0; i < 2 * n; i++) {
        parent[i] = i;
        number[i] = -1;
    }
    for (int k = 0; k < a->count; k++) {
        parent[find(parent, a->entry[k].row)] = find(parent, n + a->entry[k].column);
    }
    for (int i = 0; i < 2 * n; i++) {
        const int root = find(parent, i);
        if (number[root] < 0) {
            number[root] = out->count++;
        }
        if (i < n) {
            out->row_block[i] = number[root];
            rows[number[root]]++;
        } else {
            out->column_block[i - n] = number[root];
            columns[number[root]]++;
        }
    }
    for (int i = 0; i < n; i++) {
        const int b = out->row_block[i];
        out->largest = rows[b] > out->largest ? rows[b] : out->largest;
        if (rows[b] != columns[b]) {
            out->square = false;
            out->singular = out->singular < 0 ? i : out->singular;
        }
    }
    return CRANK_OK;
}

/* one block as a dense matrix, by rows */
typedef struct block {
    int k;
    int *row, *column; /* k: global indices */
    crank_ex *a, *b;   /* k x k, k */
    double *shadow[CRANK_BLOCK_POINTS];
    double scale[CRANK_BLOCK_POINTS]; /* largest entry */
} block;

/* the row, not above the diagonal, whose entry in this column is the best pivot; -1: all are
 * zero */
static int choose_pivot(const block *s, int column, int points)
{
    for (int q = 0; q < points; q++) {
        const double *a = s->shadow[q];
        int best = -1;
        double largest = negligible * s->scale[q];
        for (int i = column; i < s->k; i++) {
            const double size = fabs(a[i * s->k + column]);
            if (isfinite(size) && size > largest) {
                largest = size;
                best = i;
            }
        }
        if (best >= 0) {
            const double diagonal = fabs(a[column * s->k + column]);
            return diagonal >= good_enough * largest ? column : best;
        }
    }
    return -1;
}

static void swap_rows(block *s, int i, int j)
{
    const crank_ex b = s->b[i];
    const int row = s->row[i];
    s->b[i] = s->b[j];
    s->b[j] = b;
    s->row[i] = s->row[j];
    s->row[j] = row;
    for (int c = 0; c < s->k; c++) {
        const crank_ex a = s->a[i * s->k + c];
        s->a[i * s->k + c] = s->a[j * s->k + c];
        s->a[j * s->k + c] = a;
        for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
            double *v = s->shadow[q];
            const double x = v[i * s->k + c];
            v[i * s->k + c] = v[j * s->k + c];
            v[j * s->k + c] = x;
        }
    }
}

/* row i minus its multiple of row `column`, so that its entry in that column vanishes */
static void eliminate_row(crank_pool *pool, block *s, int i, int column)
{
    const int k = s->k;
    if (crank_ex_is_value(pool, s->a[i * k + column], 0.0)) {
        return;
    }
    const crank_ex factor = crank_ex_div(pool, s->a[i * k + column], s->a[column * k + column]);
    for (int j = column + 1; j < k; j++) {
        s->a[i * k + j] = crank_ex_sub(pool, s->a[i * k + j],
                                       crank_ex_mul(pool, factor, s->a[column * k + j]));
    }
    s->b[i] = crank_ex_sub(pool, s->b[i], crank_ex_mul(pool, factor, s->b[column]));
    for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
        double *v = s->shadow[q];
        const double f = v[i * k + column] / v[column * k + column];
        for (int j = column + 1; j < k; j++) {
            v[i * k + j] -= f * v[column * k + j];
        }
    }
}

/* -1, or the global row that found no pivot */
static int solve_block(crank_pool *pool, block *s, int points, crank_ex *x)
{
    const int k = s->k;
    for (int c = 0; c < k; c++) {
        const int pivot = choose_pivot(s, c, points);
        if (pivot < 0) {
            return s->row[c];
        }
        if (pivot != c) {
            swap_rows(s, pivot, c);
        }
        for (int i = c + 1; i < k; i++) {
            eliminate_row(pool, s, i, c);
        }
    }
    for (int i = k - 1; i >= 0; i--) {
        crank_ex sum = s->b[i];
        for (int j = i + 1; j < k; j++) {
            sum = crank_ex_sub(pool, sum, crank_ex_mul(pool, s->a[i * k + j], x[s->column[j]]));
        }
        x[s->column[i]] = crank_ex_div(pool, sum, s->a[i * k + i]);
    }
    return -1;
}

/* members of each block, one after the other: first[b] .. first[b + 1] - 1 in order */
static void group_by_block(int n, int blocks, const int *block_of, int *first, int *order)
{
    for (int b = 0; b <= blocks; b++) {
        first[b] = 0;
    }
    for (int i = 0; i < n; i++) {
        first[block_of[i] + 1]++;
    }
    for (int b = 0; b < blocks; b++) {
        first[b + 1] += first[b];
    }
    for (int i = n - 1; i >= 0; i--) { /* uses first as cursors from the end, then restores */
        order[--first[block_of[i] + 1]] = i;
    }
    for (int b = 0; b < blocks; b++) {
        first[b] = first[b + 1];
    }
    first[blocks] = n;
}

/* fills the dense block from the entries of its rows */
static void load_block(crank_pool *pool, block *s, const crank_entries *a, const int *row_first,
                       const int *position, double *const value[], const crank_ex *b)
{
    const int k = s->k;
    const crank_ex zero = crank_ex_number(pool, 0.0);
    for (int i = 0; i < k * k; i++) {
        s->a[i] = zero;
        for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
            s->shadow[q][i] = 0.0;
        }
    }
    s->scale[0] = s->scale[1] = 0.0;
    for (int i = 0; i < k; i++) {
        s->b[i] = b[s->row[i]];
        for (int e = row_first[s->row[i]]; e < row_first[s->row[i] + 1]; e++) {
            const int at = i * k + position[a->entry[e].column];
            s->a[at] = a->entry[e].ex;
            for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
                const double v = value[q][e];
                s->shadow[q][at] = v;
                s->scale[q] = isfinite(v) ? fmax(s->scale[q], fabs(v)) : s->scale[q];
            }
        }
    }
}

crank_status crank_blocks_solve(crank_pool *pool, crank_blocks *blocks, const crank_entries *a,
                                double *const value[CRANK_BLOCK_POINTS], int points,
                                const crank_ex *b, crank_ex *x, crank_error *err)
{
    const int n = blocks->n, largest = blocks->largest;
    const size_t square = (size_t)largest * (size_t)largest;
    crank_store store = {0};
    const size_t sizes = (size_t)n + 2;
    int *first = crank_store_take(&store, 2 * sizes, sizeof *first);
    int *row_order = crank_store_take(&store, sizes, sizeof *row_order);
    int *column_order = crank_store_take(&store, sizes, sizeof *column_order);
    int *position = crank_store_take(&store, sizes, sizeof *position);
    int *row_first = crank_store_take(&store, sizes, sizeof *row_first);
    block s = {.a = crank_store_take(&store, square, sizeof *s.a),
               .b = crank_store_take(&store, (size_t)largest, sizeof *s.b),
               .shadow = {crank_store_take(&store, square, sizeof(double)),
                          crank_store_take(&store, square, sizeof(double))}};
    if (store.failed) {
        crank_store_free(&store);
        return crank_fail(err, CRANK_EMEM, "elimination");
    }
    if (blocks->square) {
        group_by_block(n, blocks->count, blocks->column_block, first, column_order);
        for (int c = 0, k = 0; k < n; k++) { /* index of each column within its block */
            c = k > 0 && blocks->column_block[column_order[k]] ==
                             blocks->column_block[column_order[k - 1]]
                    ? c + 1
                    : 0;
            position[column_order[k]] = c;
        }
        group_by_block(n, blocks->count, blocks->row_block, first, row_order);
        for (int e = 0; e < a->count; e++) { /* entries are sorted by row */
            row_first[a->entry[e].row + 1]++;
        }
        for (int i = 0; i < n; i++) {
            row_first[i + 1] += row_first[i];
        }
    }
    for (int c = 0; blocks->square && c < blocks->count && blocks->singular < 0; c++) {
        s.k = first[c + 1] - first[c];
        s.row = row_order + first[c];
        s.column = column_order + first[c];
        load_block(pool, &s, a, row_first, position, value, b);
        blocks->singular = solve_block(pool, &s, points, x);
    }
    crank_store_free(&store);
    return crank_pool_status(pool) == CRANK_OK ? CRANK_OK
                                               : crank_fail(err, CRANK_EMEM, "elimination");
}
