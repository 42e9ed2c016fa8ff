/* rowspace_inside.h - the inside of a row space: rowspace.c eliminates, rowspace_order.c finds
 * the order. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROWSPACE_INSIDE_H
#define CRANK_SRC_ROWSPACE_INSIDE_H

#include "linalg/rowspace.h"

struct crank_rowspace {
    int rows, columns, own_rows, own_columns;
    int *start, *column; /* pattern of the matrix */
    int *order;          /* order of elimination */
    int *waiting;        /* rows: those still to be eliminated */
    int *pivot;          /* rows: pivot column or -1 */
    int *previous;       /* rows: pivot of the elimination before */
    int *reason;         /* rows */
    int *owner;          /* columns: step whose pivot it is, or -1 */
    int *left;           /* columns: entries in rows that are still to come */
    bool *pivot_set;     /* columns: is a pivot now, and was one before */
    bool *last_set;
    /* reduced rows, by step */
    int *step_row, *reduced_start;
    int *reduced_column;
    double *reduced_value;
    int capacity;
    /* work */
    double *dense;                       /* columns */
    int *mark;                           /* columns: stamp of the row being reduced */
    int *touched;                        /* columns with an entry */
    int *visited;                        /* rows (steps): stamp */
    int *stack, *position, *topological; /* rows */
    int stamp, steps, last_rank;
    double smallest;
    int smallest_row;
    bool changed, any, natural;
};

/* count zeros, at least one; NULL: out of memory */
int *crank_rowspace_ints(int count);
/* The order of elimination, once the pattern is known. false: out of memory. */
bool crank_rowspace_order(crank_rowspace *s, bool natural);

#endif
