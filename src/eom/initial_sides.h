/* initial_sides.h - the ways in which loops close, while the nearest is searched. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_INITIAL_SIDES_H
#define CRANK_SRC_EOM_INITIAL_SIDES_H

#include "eom/initial.h"

#include <stdint.h>

enum { CRANK_SIDE_ROWS = 16, CRANK_SIDES_KEPT = 16 }; /* rows to release; sides kept */

/* A guess tells two sides apart if it is twice as near to one as to the other. */
#define CRANK_SIDES_APART 2.0

typedef struct crank_side {
    double *x; /* n */
    double cost;
    int row; /* that was released to come here, -1: the first */
    bool explored;
} crank_side;

typedef struct crank_side_search {
    crank_side found[CRANK_SIDES_KEPT];
    int sides;
    const double *origin; /* n: the side that is explored */
    bool holds;           /* what is given is as given there, and stays so */
    double least;         /* cost of the nearest */
    double reach;         /* as far as sides count, on the way to others: times least */
    double *from;         /* n: where a step begins */
    double *tangent;      /* n, in units of move, by column */
    double *earlier;      /* 2 CRANK_SIDE_ROWS x n: tangents at the origin */
    int tangents;         /* of these */
    double *product;      /* equations */
    int candidate[CRANK_SIDE_ROWS]; /* rows to release */
    int count, given;               /* all; conditions and drives, which come first */
    int64_t rows_before;
} crank_side_search;

/* The joint of an equation, or what stands for a condition: below -1. */
int crank_initial_owner(const crank_initial *w, int equation);

/* initial_curve.c: from search->origin with F_i growing (sign 1) or falling, *found: w->x is
 * another side. */
crank_status crank_initial_trace(crank_initial *w, crank_side_search *search, int i,
                                 double sign, bool *found, crank_error *err);
bool crank_initial_has_time(const crank_initial *w, const crank_side_search *search);

/* initial_undecided.c: names the body that nothing tells apart, if there is one. */
crank_status crank_initial_warn_undecided(crank_initial *w, const crank_side_search *search,
                                          int taken, crank_error *err);

#endif
