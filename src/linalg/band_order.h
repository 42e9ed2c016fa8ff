/* band_order.h - an order of rows and columns that brings the entries of a square sparse matrix
 * near the diagonal. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BAND_ORDER_H
#define CRANK_SRC_BAND_ORDER_H

#include <stdbool.h>

typedef struct crank_band {
    int *row_place, *column_place; /* n: of the caller */
    int lower, upper;              /* diagonals with entries below and above the main one */
} crank_band;

/* Compressed columns. lower <= upper. false: out of memory. */
bool crank_band_order(int n, const int *start, const int *row, crank_band *band);

#endif
