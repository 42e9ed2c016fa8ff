/* spline.h - the natural cubic spline through given points, with its derivatives.
 *
 * A spline is rows knots and an array of crank_spline_size(rows) numbers: the knots x, then for
 * each piece the value and three derivatives at the knot where it begins. Piece 0 lies before
 * the first knot, piece rows after the last one; both are straight, which keeps the second
 * derivative continuous. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SPLINE_H
#define CRANK_SRC_SPLINE_H

#include <stddef.h>

static inline size_t crank_spline_size(int rows)
{
    return 5 * (size_t)rows + 4;
}

/* rows >= 2, x rises strictly. data: crank_spline_size(rows) numbers, written. */
void crank_spline_fit(int rows, const double *x, const double *y, double *data);
/* The derivative of order 0 to 3 at x; at a knot the third one is that of the piece on the
 * right. */
double crank_spline_evaluate(int rows, const double *data, int order, double x);

#endif
