/* tabulated.c - functions through given points: pieces beyond the ends, evaluation, and what
 * they do between their points. Theory 6.2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tabulated.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* the derivatives 0 to 3 at distance u from where a piece begins */
static void move_piece(double out[4], const double c[4], double u)
{
    out[0] = c[0] + u * (c[1] + u * (0.5 * c[2] + u * c[3] / 6.0));
    out[1] = c[1] + u * (c[2] + u * 0.5 * c[3]);
    out[2] = c[2] + u * c[3];
    out[3] = c[3];
}

/* The pieces before the first and after the last point. Where nothing is outside, the first and
 * the last piece are longer by the rounding of the ends, so that a motion may stop there. */
static void fit_outside(crank_outside outside, int rows, const double *x, double *data)
{
    double *before = crank_tabulated_piece(rows, data, -1);
    double *after = crank_tabulated_piece(rows, data, rows - 1);
    double *first = crank_tabulated_piece(rows, data, 0);
    const double value[2] = {first[0], after[0]};
    const double slack = 64.0 * DBL_EPSILON * fmax(fabs(x[0]), fabs(x[rows - 1]));
    switch (outside) {
    case CRANK_EXTRAPOLATE:
    case CRANK_HOLD:
        memset(before, 0, 4 * sizeof *before);
        before[0] = value[0];
        before[1] = outside == CRANK_HOLD ? 0.0 : first[1];
        after[1] = outside == CRANK_HOLD ? 0.0 : after[1];
        after[2] = after[3] = 0.0;
        break;
    case CRANK_REPEAT:
        data[crank_tabulated_size(rows) - 1] = x[rows - 1] - x[0];
        memcpy(before, first, 4 * sizeof *before);
        memcpy(after, first, 4 * sizeof *after);
        break;
    case CRANK_NOT_OUTSIDE:
        for (int k = 0; k < 4; k++) {
            before[k] = after[k] = (double)NAN;
        }
        move_piece(first, (double[4]){first[0], first[1], first[2], first[3]}, -slack);
        data[0] -= slack;
        data[rows - 1] += slack;
        break;
    }
}

void crank_tabulated_fit(crank_table_way way, int rows, const double *x, const double *y,
                         double *data)
{
    assert(rows >= 2);
    memcpy(data, x, (size_t)rows * sizeof *x);
    data[crank_tabulated_size(rows) - 1] = 0.0;
    for (int i = 0; i < rows; i++) {
        crank_tabulated_piece(rows, data, i)[0] = y[i];
    }
    switch (way.interpolation) {
    case CRANK_SPLINE:
        crank_tabulated_spline(way.outside, rows, x, data);
        break;
    case CRANK_MONOTONE:
        crank_tabulated_monotone(way.outside, rows, x, data);
        break;
    case CRANK_LINEAR:
        crank_tabulated_linear(rows, x, data);
        break;
    }
    fit_outside(way.outside, rows, x, data);
}

double crank_tabulated_evaluate(int rows, const double *data, int order, double x)
{
    const double period = data[5 * (ptrdiff_t)rows + 4];
    if (period > 0.0) {
        x -= period * floor((x - data[0]) / period);
    }
    int piece = 0; /* number of knots that are not above x */
    int above = rows;
    while (piece < above) {
        const int middle = piece + (above - piece) / 2;
        if (data[middle] <= x) {
            piece = middle + 1;
        } else {
            above = middle;
        }
    }
    const double *c = data + rows + 4 * (ptrdiff_t)piece;
    const double u = x - data[piece > 0 ? piece - 1 : 0];
    switch (order) {
    case 0:
        return c[0] + u * (c[1] + u * (0.5 * c[2] + u * c[3] / 6.0));
    case 1:
        return c[1] + u * (c[2] + u * 0.5 * c[3]);
    case 2:
        return c[2] + u * c[3];
    default:
        return c[3];
    }
}

int crank_tabulated_smoothness(crank_table_way way)
{
    const int inside = way.interpolation == CRANK_SPLINE     ? 2
                       : way.interpolation == CRANK_MONOTONE ? 1
                                                             : 0;
    /* a natural spline goes on straight with its second derivative, 0; one that ends level is
     * held with its first */
    const bool natural = way.outside != CRANK_HOLD || inside == 0;
    return natural ? inside : inside - 1;
}

/* ---- between the points ---- */

void crank_tabulated_range(int rows, const double *data, int i, double range[2])
{
    const double *c = data + rows + 4 * ((ptrdiff_t)i + 1);
    const double h = data[i + 1] - data[i];
    double at[4];
    move_piece(at, c, h);
    range[0] = fmin(c[0], at[0]);
    range[1] = fmax(c[0], at[0]);
    /* zeros of c_1 + c_2 u + c_3 u^2/2, without cancellation */
    const double root = c[2] * c[2] - 2.0 * c[1] * c[3];
    const double q = -(c[2] + copysign(sqrt(fmax(root, 0.0)), c[2]));
    const double zero[2] = {q / c[3], 2.0 * c[1] / q};
    for (int k = 0; k < 2 && root >= 0.0; k++) {
        if (zero[k] > 0.0 && zero[k] < h) {
            move_piece(at, c, zero[k]);
            range[0] = fmin(range[0], at[0]);
            range[1] = fmax(range[1], at[0]);
        }
    }
}

/* ---- where derivatives jump ---- */

/* of the largest value: what rounding of differences leaves */
static const double rounding = 1e-9;

/* The derivative at the end of the piece that ends at knot i; where it repeats, at i = 0 that of
 * the last one. */
static double end_of(int rows, const double *data, int order, int i)
{
    const bool repeats = data[crank_tabulated_size(rows) - 1] > 0.0;
    const int piece = repeats && i == 0 ? rows - 1 : i;
    double end[4];
    move_piece(end, data + rows + 4 * (ptrdiff_t)piece,
               piece > 0 ? data[piece] - data[piece - 1] : 0.0);
    return end[order];
}

/* ... at the beginning of the piece behind it */
static double begin_of(int rows, const double *data, int order, int i)
{
    return data[rows + 4 * ((ptrdiff_t)i + 1) + order];
}

int crank_tabulated_steps(int rows, const double *data, int order, double *steps)
{
    const double period = data[crank_tabulated_size(rows) - 1];
    const int first = period > 0.0 ? 1 : 0, last = period > 0.0 ? rows - 1 : rows;
    double largest = 0.0;
    int count = 0;
    for (int i = 0; i < rows; i++) { /* NaN outside does not count */
        largest = fmax(largest, fabs(end_of(rows, data, order, i)));
        largest = fmax(largest, fabs(begin_of(rows, data, order, i)));
    }
    const double least = rounding * largest;
    memset(steps, 0, crank_tabulated_size(rows) * sizeof *steps);
    memcpy(steps, data, (size_t)rows * sizeof *steps);
    steps[crank_tabulated_size(rows) - 1] = period;
    for (int i = first; i < last; i++) {
        count += fabs(begin_of(rows, data, order, i) - end_of(rows, data, order, i)) > least;
        crank_tabulated_piece(rows, steps, i)[0] = count;
    }
    /* two steps or more: the last piece goes on in the first where nothing jumps between */
    const double around = begin_of(rows, data, order, 0) - end_of(rows, data, order, 0);
    const bool closed = period > 0.0 && count > 1 && !(fabs(around) > least);
    for (int i = first; i < last && closed; i++) {
        double *piece = crank_tabulated_piece(rows, steps, i);
        piece[0] = piece[0] == count ? 0.0 : piece[0];
    }
    return count;
}

double crank_tabulated_corner(int rows, const double *data, double *x)
{
    double largest = 0.0, steepest = 0.0;
    *x = data[0];
    for (int i = 0; i < rows; i++) {
        const double *c = data + rows + 4 * (ptrdiff_t)i; /* the piece that ends at knot i */
        const double *next = c + 4;
        const double h = i > 0 ? data[i] - data[i - 1] : 0.0;
        const double jump = fabs(next[1] - (c[1] + h * (c[2] + h * 0.5 * c[3])));
        steepest = i > 0 ? fmax(steepest, fabs((next[0] - c[0]) / h)) : 0.0;
        if (jump > largest) {
            largest = jump;
            *x = data[i];
        }
    }
    return largest > 1e-9 * steepest ? largest : 0.0;
}
