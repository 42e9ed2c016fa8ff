/* frozen_inside.h - the object of frozen.h: frozen_order.c (choice of pivots), frozen.c (places, factors, solutions). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FROZEN_INSIDE_H
#define CRANK_SRC_FROZEN_INSIDE_H

#include "linalg/frozen.h"

/* What the order of elimination leaves: of step k the unknowns below the pivot (L) and right of it (U). */
typedef struct crank_frozen_order {
    int n;
    int *pivot;             /* n: unknown of step k */
    int *step;              /* n: step of an unknown */
    int *l_start, *u_start; /* n + 1 */
    int *l, *u;
    int l_capacity, u_capacity;
    long operations; /* sum of |L| |U| */
    int constant;    /* first steps that constant entries alone take part in */
} crank_frozen_order;

/* CRANK_RETRY: no acceptable pivots on the diagonal, or more than most operations. Destroy in any case. */
crank_status crank_frozen_order_find(int n, int count, const int *row, const int *column,
                                     const double *values, const bool *constant, long most,
                                     crank_frozen_order *out);
void crank_frozen_order_destroy(crank_frozen_order *order);

#endif
