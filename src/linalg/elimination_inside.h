/* elimination_inside.h - the record of elimination.c, written by elimination_search.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ELIMINATION_INSIDE_H
#define CRANK_SRC_ELIMINATION_INSIDE_H

#include "linalg/elimination.h"

typedef struct crank_product {
    int l, u; /* entries */
} crank_product;

/* of the search; n x n, by columns unless said otherwise */
typedef struct crank_elimination_work {
    int n, stride;
    double *value; /* stride doubles an entry */
    bool *there;   /* the entry is in the pattern of matrix or factors */
    int *list;     /* per column: rows in which it has entries that are not eliminated */
    int *in_row, *in_column; /* n: how many there are */
    double *scale, *inverse; /* n: largest entry of each row, and one over it */
    bool *row_done, *column_done;
    int *entry; /* by pivots: number of the entry in the record, -1: none */
} crank_elimination_work;

struct crank_elimination {
    int n, stride;
    bool reserved;
    crank_elimination_work work; /* empty between searches unless reserved */
    int entry_room, product_room;
    const int *start, *row;        /* the matrix */
    int *pivot_row, *pivot_column; /* n: of each pivot */
    /* factors, row by row in the order of the pivots */
    int *first, *diagonal; /* n + 1, n: entries of each row, and its pivot */
    int *column;           /* of each entry, as a number of a pivot */
    int *last;             /* of each entry: the end of its products */
    crank_product *product;
    int *changed_first,
        *changed;          /* n + 1: entries from the pivot on that have products, by rows */
    int *fill, fill_count; /* entries that are not of the matrix */
    int *place;            /* of each entry of the matrix: its entry here */
    double *lu;            /* values */
    double *scale;         /* n: largest entry of each row when this was last looked at */
    double *weight; /* of an entry left of the pivot: |l| in rows scaled by it is |l| weight */
    double *inverse, *vector; /* n: of the pivots; work */
};

/* elimination.c: scale and weight from the matrix */
void crank_elimination_measure(crank_elimination *e, const double *values);

/* elimination_search.c. false: out of memory. */
bool crank_elimination_take_work(crank_elimination *e);
void crank_elimination_free_work(crank_elimination *e);
bool crank_elimination_make_room(crank_elimination *e, int entries, int products);

#endif
