/* spline.c - natural cubic spline.
 *
 * With steps h_i = x_i+1 - x_i, slopes d_i = (y_i+1 - y_i)/h_i and second derivatives m_i at
 * the knots,
 *     h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i m_i+1 = 6 (d_i - d_i-1),    m_0 = m_last = 0
 * makes the first derivative continuous (de Boor, A Practical Guide to Splines, chapter IV).
 * The matrix is diagonally dominant: elimination from the top needs no pivots. Piece i is
 *     y_i + b_i u + m_i u^2/2 + c_i u^3/6,   u = x - x_i,   b_i = d_i - h_i (2 m_i + m_i+1)/6,   c_i = (m_i+1 - m_i)/h_i */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/spline.h"

#include <assert.h>
#include <string.h>

/* The four numbers of the piece that begins at knot i. */
static double *piece_of(int rows, double *data, int i)
{
    return data + rows + 4 * ((ptrdiff_t)i + 1);
}

/* Second derivatives at all knots; the third ones are used as work. */
static void solve_second(int rows, const double *x, double *data)
{
    double before = 0.0; /* m_i-1 = work_i-1 - before m_i, of the row above */
    piece_of(rows, data, 0)[2] = 0.0;
    piece_of(rows, data, 0)[3] = 0.0;
    for (int i = 1; i < rows - 1; i++) {
        const double *above = piece_of(rows, data, i - 1);
        double *at = piece_of(rows, data, i);
        const double *below = piece_of(rows, data, i + 1);
        const double h0 = x[i] - x[i - 1];
        const double h1 = x[i + 1] - x[i];
        const double jump = (below[0] - at[0]) / h1 - (at[0] - above[0]) / h0;
        const double pivot = 2.0 * (h0 + h1) - h0 * before;
        at[2] = (6.0 * jump - h0 * above[2]) / pivot;
        before = h1 / pivot;
        at[3] = before;
    }
    piece_of(rows, data, rows - 1)[2] = 0.0;
    for (int i = rows - 2; i > 0; i--) {
        double *at = piece_of(rows, data, i);
        at[2] -= at[3] * piece_of(rows, data, i + 1)[2];
    }
}

void crank_spline_fit(int rows, const double *x, const double *y, double *data)
{
    assert(rows >= 2);
    memcpy(data, x, (size_t)rows * sizeof *x);
    for (int i = 0; i < rows; i++) {
        piece_of(rows, data, i)[0] = y[i];
    }
    solve_second(rows, x, data);
    for (int i = 0; i < rows - 1; i++) {
        double *at = piece_of(rows, data, i);
        const double *next = piece_of(rows, data, i + 1);
        const double h = x[i + 1] - x[i];
        at[1] = (next[0] - at[0]) / h - h * (2.0 * at[2] + next[2]) / 6.0;
        at[3] = (next[2] - at[2]) / h;
    }
    double *last = piece_of(rows, data, rows - 1);
    const double *at = piece_of(rows, data, rows - 2);
    const double h = x[rows - 1] - x[rows - 2];
    last[1] = (last[0] - at[0]) / h + h * at[2] / 6.0;
    last[3] = 0.0;
    double *first = piece_of(rows, data, -1);
    first[0] = y[0];
    first[1] = piece_of(rows, data, 0)[1];
    first[2] = 0.0;
    first[3] = 0.0;
}

double crank_spline_evaluate(int rows, const double *data, int order, double x)
{
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
