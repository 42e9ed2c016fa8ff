/* tabulated_fit.c - derivatives of functions through given points.
 *
 * With steps h_i = x_i+1 - x_i and slopes d_i = (y_i+1 - y_i)/h_i:
 *
 * Splines. The second derivatives m_i at the knots satisfy
 *     h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i m_i+1 = 6 (d_i - d_i-1)
 * (de Boor, A Practical Guide to Splines, chapter IV) and at the ends
 *     natural:        m_0 = m_last = 0
 *     held outside:   2 h_0 m_0 + h_0 m_1 = 6 d_0, the first derivative is zero;
 *                     alike at the last knot
 *     repeated:       m_last = m_0, and the equation of knot 0 with h_last-1
 *                     and d_last-1 before it
 * The matrix is diagonally dominant: elimination from the top needs no pivots. The corners of
 * the periodic one are a change of rank one (Sherman and Morrison). Piece i is
 *     y_i + b_i u + m_i u^2/2 + c_i u^3/6,   u = x - x_i,   b_i = d_i - h_i (2 m_i + m_i+1)/6,
 *         c_i = (m_i+1 - m_i)/h_i
 *
 * Monotone. Slopes s_i at the knots: where d_i-1 and d_i differ in sign or one is zero, s_i =
 * 0; else the harmonic mean with weights 2 h_i + h_i-1 of d_i-1 and h_i + 2 h_i-1 of d_i. At
 * the ends the parabola through three points, cut to 0 if its sign is not that of d, to 3 d if
 * d changes its sign next to it, theory (6.3) [FC80] [FB84]: |s_i| <= 3
 * min(|d_i-1|, |d_i|) is sufficient for pieces that rise or fall throughout. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tabulated.h"

#include <math.h>

static double *piece_of(int rows, double *data, int i)
{
    return crank_tabulated_piece(rows, data, i);
}

static double step(const double *x, int i)
{
    return x[i + 1] - x[i];
}

static double slope(int rows, const double *x, double *data, int i)
{
    return (piece_of(rows, data, i + 1)[0] - piece_of(rows, data, i)[0]) / step(x, i);
}

/* ---- splines ---- */

/* one row of the equations for m: before m_i-1 + here m_i + after m_i+1 = right */
typedef struct spline_row {
    double before, here, after, right;
} spline_row;

static spline_row inner_row(int rows, const double *x, double *data, int i)
{
    const double h0 = step(x, i - 1);
    const double h1 = step(x, i);
    return (spline_row){h0, 2.0 * (h0 + h1), h1,
                        6.0 * (slope(rows, x, data, i) - slope(rows, x, data, i - 1))};
}

static spline_row end_row(int rows, const double *x, double *data, crank_outside outside,
                          bool last)
{
    if (outside != CRANK_HOLD) {
        return (spline_row){0.0, 1.0, 0.0, 0.0};
    }
    const int i = last ? rows - 2 : 0;
    const double h = step(x, i);
    const double d = slope(rows, x, data, i);
    return (spline_row){last ? h : 0.0, 2.0 * h, last ? 0.0 : h, last ? -6.0 * d : 6.0 * d};
}

/* m of natural and level ends; third derivatives are used as work */
static void solve_open(crank_outside outside, int rows, const double *x, double *data)
{
    double above = 0.0, factor = 0.0; /* m_i-1 = above - factor m_i */
    for (int i = 0; i < rows; i++) {
        const bool end = i == 0 || i == rows - 1;
        const spline_row r =
            end ? end_row(rows, x, data, outside, i > 0) : inner_row(rows, x, data, i);
        const double pivot = r.here - r.before * factor;
        above = (r.right - r.before * above) / pivot;
        factor = r.after / pivot;
        piece_of(rows, data, i)[2] = above;
        piece_of(rows, data, i)[3] = factor;
    }
    for (int i = rows - 2; i >= 0; i--) {
        double *at = piece_of(rows, data, i);
        at[2] -= at[3] * piece_of(rows, data, i + 1)[2];
    }
}

/* m of a function that repeats: count = rows - 1 different knots. First and third derivatives
 * are used as work: A = T + u v^T with u = (-a, 0, ..., 0, c), v = (1, 0, ..., 0, -c/a), a the
 * first diagonal entry and c both corners. */
static void solve_periodic(int rows, const double *x, double *data)
{
    const int count = rows - 1;
    const double corner = step(x, count - 1);
    const double jump = slope(rows, x, data, 0) - slope(rows, x, data, count - 1);
    double above = 0.0, along = 0.0, factor = 0.0;
    double *first = piece_of(rows, data, 0), *last = piece_of(rows, data, count - 1);
    if (count <= 2) { /* corners are off-diagonal entries, too: m_1 = -m_0 */
        first[2] = count == 1 ? 0.0 : 6.0 * jump / (step(x, 0) + step(x, 1));
        last[2] = count == 1 ? 0.0 : -first[2];
        piece_of(rows, data, count)[2] = first[2];
        return;
    }
    const double a = 2.0 * (corner + step(x, 0));
    for (int i = 0; i < count; i++) {
        spline_row r = i > 0 ? inner_row(rows, x, data, i)
                             : (spline_row){0.0, 2.0 * a, step(x, 0), 6.0 * jump};
        if (i == count - 1) {
            r.here += corner * corner / a;
            r.after = 0.0;
        }
        const double u = i == 0 ? -a : i == count - 1 ? corner : 0.0;
        const double pivot = r.here - r.before * factor;
        double *at = piece_of(rows, data, i);
        above = (r.right - r.before * above) / pivot;
        along = (u - r.before * along) / pivot;
        factor = r.after / pivot;
        at[1] = along;
        at[2] = above;
        at[3] = factor;
    }
    for (int i = count - 2; i >= 0; i--) {
        double *at = piece_of(rows, data, i);
        const double *next = piece_of(rows, data, i + 1);
        at[1] -= at[3] * next[1];
        at[2] -= at[3] * next[2];
    }
    const double share =
        (first[2] - corner * last[2] / a) / (1.0 + first[1] - corner * last[1] / a);
    for (int i = 0; i < count; i++) {
        double *at = piece_of(rows, data, i);
        at[2] -= share * at[1];
    }
    piece_of(rows, data, count)[2] = first[2];
}

void crank_tabulated_spline(crank_outside outside, int rows, const double *x, double *data)
{
    if (outside == CRANK_REPEAT) {
        solve_periodic(rows, x, data);
    } else {
        solve_open(outside, rows, x, data);
    }
    for (int i = 0; i < rows - 1; i++) {
        double *at = piece_of(rows, data, i);
        const double *next = piece_of(rows, data, i + 1);
        const double h = step(x, i);
        at[1] = slope(rows, x, data, i) - h * (2.0 * at[2] + next[2]) / 6.0;
        at[3] = (next[2] - at[2]) / h;
    }
    double *last = piece_of(rows, data, rows - 1);
    const double *at = piece_of(rows, data, rows - 2);
    const double h = step(x, rows - 2);
    last[1] = slope(rows, x, data, rows - 2) + h * (at[2] + 2.0 * last[2]) / 6.0;
    last[3] = 0.0;
}

/* ---- monotone ---- */

/* h0, d0: of the piece before the knot; h1, d1: behind it */
static double mean_slope(double h0, double d0, double h1, double d1)
{
    const double w0 = 2.0 * h1 + h0;
    const double w1 = h1 + 2.0 * h0;
    return (d0 > 0.0 && d1 > 0.0) || (d0 < 0.0 && d1 < 0.0) ? (w0 + w1) / (w0 / d0 + w1 / d1)
                                                            : 0.0;
}

/* h0, d0: of the piece at the end; h1, d1: of the one next to it */
static double end_slope(double h0, double d0, double h1, double d1)
{
    const double s = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if ((s > 0.0) != (d0 > 0.0) || d0 == 0.0) {
        return 0.0;
    }
    return (d0 > 0.0) != (d1 > 0.0) && fabs(s) > 3.0 * fabs(d0) ? 3.0 * d0 : s;
}

static double knot_slope(crank_outside outside, int rows, const double *x, double *data, int i)
{
    const int last = rows - 2; /* piece */
    if (rows == 2) {
        return slope(rows, x, data, 0);
    }
    if (i > 0 && i <= last) {
        return mean_slope(step(x, i - 1), slope(rows, x, data, i - 1), step(x, i),
                          slope(rows, x, data, i));
    }
    if (outside == CRANK_REPEAT) {
        return mean_slope(step(x, last), slope(rows, x, data, last), step(x, 0),
                          slope(rows, x, data, 0));
    }
    const int at = i == 0 ? 0 : last;
    const int next = i == 0 ? 1 : last - 1;
    return end_slope(step(x, at), slope(rows, x, data, at), step(x, next),
                     slope(rows, x, data, next));
}

void crank_tabulated_monotone(crank_outside outside, int rows, const double *x, double *data)
{
    for (int i = 0; i < rows; i++) {
        piece_of(rows, data, i)[1] = knot_slope(outside, rows, x, data, i);
    }
    for (int i = 0; i < rows - 1; i++) {
        double *at = piece_of(rows, data, i);
        const double after = piece_of(rows, data, i + 1)[1];
        const double h = step(x, i);
        const double d = slope(rows, x, data, i);
        at[2] = 2.0 * (3.0 * d - 2.0 * at[1] - after) / h;
        at[3] = 6.0 * (at[1] + after - 2.0 * d) / (h * h);
    }
    double *last = piece_of(rows, data, rows - 1);
    last[2] = last[3] = 0.0;
}

/* ---- linear ---- */

void crank_tabulated_linear(int rows, const double *x, double *data)
{
    for (int i = 0; i < rows; i++) {
        double *at = piece_of(rows, data, i);
        at[1] = slope(rows, x, data, i < rows - 1 ? i : rows - 2);
        at[2] = at[3] = 0.0;
    }
}
