/* slope.h - derivatives along a line of what can only be evaluated, by differences whose steps are
 * chosen by what they say: slope.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_SLOPE_H
#define CRANK_SRC_STUDY_SLOPE_H

#include <crank/base.h>

typedef struct crank_slope {
    int count;
    double h; /* the longest step */
    /* values (count) at s; s = 0 is the point. A failure, but for CRANK_EMEM: not there. */
    crank_status (*at)(void *user, double s, double *values, crank_error *err);
    void *user;
    const double *size;  /* count: of the terms that values are sums of; NULL: of the values */
    const double *least; /* count: derivatives to both sides that differ by less have no corner
                          * between them; NULL: 0 */
    /* found: the first component that has no derivative, since steps do not agree, however short,
     * or since those to both sides lead to different ones (-1: all have one), and these */
    int rough;
    double side[2];
} crank_slope;

/* derivative (count). A failure: the point cannot be evaluated, or no step to both sides. */
crank_status crank_slope_find(crank_slope *s, double *derivative, crank_error *err);

#endif
