/* tabulated.h - functions through given points, piece by piece cubic, with their derivatives.
 *
 * A function is rows knots and an array of crank_tabulated_size(rows) numbers: the knots x,
 * then for each piece the value and three derivatives at the knot where it begins, then the
 * period (0: none). Piece 0 lies before the first knot, piece rows after the last one. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TABULATED_H
#define CRANK_SRC_TABULATED_H

#include <stdbool.h>
#include <stddef.h>

typedef enum crank_interpolation {
    CRANK_SPLINE,   /* cubic spline, twice continuously differentiable */
    CRANK_MONOTONE, /* between two points never above or below both, once differentiable */
    CRANK_LINEAR    /* straight from point to point */
} crank_interpolation;

typedef enum crank_outside {
    CRANK_EXTRAPOLATE, /* straight on, as steep as at the end */
    CRANK_HOLD,        /* the value of the end */
    CRANK_REPEAT,      /* from the other end; the first and the last value are the same */
    CRANK_NOT_OUTSIDE  /* NaN */
} crank_outside;

typedef struct crank_table_way {
    crank_interpolation interpolation;
    crank_outside outside;
} crank_table_way;

/* What a model file says of a table. */
typedef struct crank_table_data {
    crank_table_way way;
    int rows;
    double *x, *y;
    bool outside_given; /* it says what is outside; else that is the rule */
    const char *name;   /* by which expressions call it; NULL: it belongs to one element */
} crank_table_data;

static inline size_t crank_tabulated_size(int rows)
{
    return 5 * (size_t)rows + 5;
}

/* rows >= 2, x rises strictly. data: crank_tabulated_size(rows) numbers, written. */
void crank_tabulated_fit(crank_table_way way, int rows, const double *x, const double *y,
                         double *data);
/* The derivative of order 0 to 3 at x; where it jumps at a knot, that of the piece on the
 * right. */
double crank_tabulated_evaluate(int rows, const double *data, int order, double x);
/* How many derivatives are continuous everywhere: 2, 1 or 0. */
int crank_tabulated_smoothness(crank_table_way way);
/* The lowest and the highest value between the knots i and i + 1. */
void crank_tabulated_range(int rows, const double *data, int i, double range[2]);
/* The largest jump of the first derivative, at *x: 0 if there is none but for rounding, which
 * data of a straight line have. */
double crank_tabulated_corner(int rows, const double *data, double *x);
/* Data of a function that is constant but for steps where the derivative of this order jumps by
 * more than rounding, with the same period; returns their number. Without a period it rises. */
int crank_tabulated_steps(int rows, const double *data, int order, double *steps);

/* ---- tabulated_fit.c: derivatives at the knots, in the pieces that begin there ---- */

/* The four numbers of the piece that begins at knot i; i = -1: before the first knot. */
static inline double *crank_tabulated_piece(int rows, double *data, int i)
{
    return data + rows + 4 * ((ptrdiff_t)i + 1);
}

/* Values are there; the other derivatives of the pieces between the points. */
void crank_tabulated_spline(crank_outside outside, int rows, const double *x, double *data);
void crank_tabulated_monotone(crank_outside outside, int rows, const double *x, double *data);
void crank_tabulated_linear(int rows, const double *x, double *data);

#endif
