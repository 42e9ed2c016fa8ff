/* recorded_inside.h - the object of recorded.h: recorded.c (places), recorded_diagonal.c and
 * recorded_search.c (choice of pivots), recorded_factor.c (factors, solutions). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RECORDED_INSIDE_H
#define CRANK_SRC_RECORDED_INSIDE_H

#include "linalg/recorded.h"

/* What the order of elimination leaves: of step k the unknowns below the pivot (L) and right of
 * it (U). By search, rows and columns of A have the numbers of the steps that they are the
 * pivots of. */
typedef struct crank_recorded_order {
    int n;
    int *pivot;             /* n: unknown of step k */
    int *step;              /* n: step of an unknown */
    int *l_start, *u_start; /* n + 1 */
    int *l, *u;
    int l_capacity, u_capacity;
    long operations; /* sum of |L| |U| */
    int constant;    /* first steps that constant entries alone take part in */
} crank_recorded_order;

/* of the search; n x n, by columns unless said otherwise */
typedef struct crank_recorded_work {
    int n, stride;
    double *value; /* stride doubles an entry */
    bool *there;   /* the entry is in the pattern of matrix or factors */
    int *list;     /* per column: rows in which it has entries that are not eliminated */
    int *in_row, *in_column; /* n: how many there are */
    double *scale, *inverse; /* n: largest entry of each row, and one over it */
    int *place; /* by steps: of the entry in W; while pivots are searched, the columns left */
} crank_recorded_work;

struct crank_recorded {
    crank_recorded_order order;
    int stride; /* doubles per value */
    /* One array: inverse pivots (by unknown), then L by columns, then U by rows; of step k all
     * of L's column and U's row lie together, and target says where each product l_ik u_kj
     * belongs. Symmetric: U is not stored, products of the lower half alone are made. */
    double *W;
    int slots;
    int *target;
    int *l_of; /* by entry of L: the unknown of its step */
    /* pivots on the diagonal */
    bool symmetric;
    int load_count;  /* entries of A that are used and change: those on the diagonal first */
    int on_diagonal; /* as many */
    struct crank_recorded_source {
        int entry, place; /* place: in W */
        int mirror;       /* symmetric: the entry across the diagonal, which must be equal */
    } * load;
    int done;                           /* products of constant steps */
    int *across;                        /* of U, by entry of L: its place in W, -1: none */
    double *size;                       /* n: sum of the sizes of the terms of a pivot */
    double *W_constant, *size_constant; /* both after the constant steps */
    /* pivots by search */
    bool searching, reserved;
    const int *start, *row;        /* the matrix */
    int *pivot_row, *pivot_column; /* n: of each step */
    int *row_step;                 /* n: of each row */
    int *place;                    /* of each entry of the matrix in W */
    int *fill, fill_count;         /* places that are not of the matrix */
    double *scale;  /* n: largest entry of each row when this was last looked at, by steps */
    double *weight; /* of an entry of L: |l| in rows scaled by it is |l| weight */
    double *vector; /* n: work of solutions */
    crank_recorded_work work; /* empty between searches unless reserved */
    int entry_room, product_room;
};

/* recorded_diagonal.c. CRANK_RETRY: no acceptable pivots on the diagonal, or too many
 * operations. Destroy in any case. */
crank_status crank_recorded_order_find(int n, int count, const int *row, const int *column,
                                       const double *values, const bool *constant,
                                       crank_recorded_form form, crank_recorded_order *out);
void crank_recorded_order_destroy(crank_recorded_order *order);

/* recorded_search.c: memory that only searching takes */
void crank_recorded_free_searching(crank_recorded *r);

/* recorded_factor.c. From W_constant = the constant entries to what is left after their
 * steps. */
bool crank_recorded_do_constant_steps(crank_recorded *r);
/* By search: scale and weight from the matrix. */
void crank_recorded_measure(crank_recorded *r, const double *values);

#endif
