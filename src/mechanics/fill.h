/* fill.h - entries of a Jacobian, which are added in the same order each time. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FILL_H
#define CRANK_SRC_FILL_H

#include <crank/base.h>

/* The first passes record which (row, column) each addition means and whether it is ever
 * different from zero; later ones add through the map. system_pattern.c */
typedef struct crank_fill {
    bool recording;
    bool laws_alone; /* recording: without inertia, in which derivatives of laws may drown */
    int at, count, capacity;
    int *row, *column; /* recording */
    bool *used;
    /* addition -> index of values; entries that are never used go to values[dummy] */
    const int *map;
    double *values;
    bool failed;
} crank_fill;

void crank_fill_record(crank_fill *fill, int row, int column, double value);

static inline void crank_fill_add(crank_fill *fill, int row, int column, double value)
{
    if (fill->recording) {
        crank_fill_record(fill, row, column, value);
    } else {
        fill->values[fill->map[fill->at++]] += value;
    }
}

/* the next n values of the pattern */
static inline void crank_fill_next(crank_fill *fill, int n, double factor, const double *value)
{
    const int *map = fill->map + fill->at;
    double *values = fill->values;
    for (int i = 0; i < n; i++) {
        values[map[i]] += factor * value[i];
    }
    fill->at += n;
}

/* factor times n values into neighbouring columns of a row. */
static inline void crank_fill_row(crank_fill *fill, int row, int column, int n, double factor,
                                  const double *value)
{
    if (fill->recording) {
        for (int i = 0; i < n; i++) {
            crank_fill_record(fill, row, column + i, factor * value[i]);
        }
        return;
    }
    crank_fill_next(fill, n, factor, value);
}

/* The same into neighbouring rows of a column. */
static inline void crank_fill_column(crank_fill *fill, int row, int column, int n,
                                     double factor, const double *value)
{
    if (fill->recording) {
        for (int i = 0; i < n; i++) {
            crank_fill_record(fill, row + i, column, factor * value[i]);
        }
        return;
    }
    crank_fill_next(fill, n, factor, value);
}

#endif
