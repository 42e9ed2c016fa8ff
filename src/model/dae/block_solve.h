/* block_solve.h - A x = b for a sparse matrix of expressions that falls into small blocks. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BLOCK_SOLVE_H
#define CRANK_SRC_BLOCK_SOLVE_H

#include "model/equations/equations.h"

enum { CRANK_BLOCK_POINTS = 2 }; /* points at which pivots are judged, the better one first */

typedef struct crank_blocks {
    int n;
    int count;      /* blocks */
    int largest;    /* rows of the largest block */
    bool square;    /* every block has as many rows as columns */
    int *row_block; /* n: block of each row */
    int *column_block;
    int singular; /* a row that finds no pivot, or is in a block that is not square; -1: none */
} crank_blocks;

/* Connected components of the pattern of an n x n matrix. Arrays live in store. */
crank_status crank_blocks_find(crank_store *store, int n, const crank_entries *a,
                               crank_blocks *out, crank_error *err);

/* x = A^-1 b by Gaussian elimination within each block. value[q]: entries of A at point q, for
 * the first `points` points. The pivot of a column is taken where the entry is not zero at the
 * first point, else at the next. If none is found blocks->singular is set and x is not
 * complete. */
crank_status crank_blocks_solve(crank_pool *pool, crank_blocks *blocks, const crank_entries *a,
                                double *const value[CRANK_BLOCK_POINTS], int points,
                                const crank_ex *b, crank_ex *x, crank_error *err);

#endif
