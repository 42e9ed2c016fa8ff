/* rowspace.h - sparse elimination of a wide matrix row by row: which rows are independent, and
 * a pivot column for each of them.
 *
 * Left-looking LU after Gilbert and Peierls [GP88] on the transpose: row i is reduced by the
 * earlier pivot rows that its pattern reaches, in topological order; the pivot is the row's
 * last one if it is not too small, else a sparse column of acceptable size. A row that vanishes
 * is dependent and skipped. The cost is proportional to the arithmetic. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROWSPACE_H
#define CRANK_SRC_ROWSPACE_H

#include "base/archive.h"

typedef struct crank_rowspace crank_rowspace;

/* rows x columns, compressed rows (start: rows + 1; column: indices). The pattern is copied.
 * The first own_rows rows must find their pivots among the first own_columns columns (contact
 * parameters). Rows with a column of their own come first; natural: the others in the given
 * order, so that of dependent rows the last is found dependent, else in a fill-reducing one
 * [COLAMD]. */
crank_status crank_rowspace_create(int rows, int columns, const int *start, const int *column,
                                   int own_rows, int own_columns, bool natural,
                                   crank_rowspace **out, crank_error *err);
void crank_rowspace_destroy(crank_rowspace *space);

/* values: per entry of the pattern; scale: rows, what counts as size one in each row; weight:
 * columns, how welcome each is as a pivot, or NULL: all alike. Rows whose unweighted remainder
 * is below tolerance are dependent. Returns the rank; memory grows if fill demands it (-1: out
 * of memory). preference < 1: a row's last pivot is kept if it is at least this fraction of the
 * largest entry; 1: chosen anew. If there were dependent rows last time (and the order is not
 * natural) these are left out again while the others stay well independent. */
int crank_rowspace_eliminate(crank_rowspace *space, const double *values, const double *scale,
                             const double *weight, double tolerance, double preference);

/* rows: pivot column, -1: dependent */
const int *crank_rowspace_pivot(const crank_rowspace *space);
/* rows: for dependent rows, the row with the largest coefficient, else -1 */
const int *crank_rowspace_reason(const crank_rowspace *space);
/* smallest over the rows of the largest scaled candidate, and its row; INFINITY, -1 if there is
 * none */
double crank_rowspace_smallest(const crank_rowspace *space, int *row);
/* true if the set of pivot columns or of dependent rows differs from that of the elimination
 * before */
bool crank_rowspace_changed(const crank_rowspace *space);

/* Checkpoints: what later eliminations depend on. */
void crank_rowspace_archive(crank_rowspace *space, crank_archive *archive);

#endif
