/* table_swing.c - where a spline leaves its data between two neighbouring points. See table.h.
 *
 * A piece swings out if it passes both of its points by more than a tenth of what all points
 * span, which a wave with six points a turn does not; and, where both points have the same
 * value, by more than a thousandth, as the last digit of data with three digits does: somebody
 * who writes a value twice means that it stays. The peak of a wave may have two points of the
 * same value, too. It is known by its curvature, theory 6.2: the divided differences
 *     c_k = (d_k - d_k-1)/(x_k+1 - x_k-1)
 * of the knots next to the piece agree within a factor of 2, and those of the knots beyond
 * these have no other sign. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/table.h"

#include <float.h>
#include <math.h>

/* a wave with six points a turn: 0.077 */
static const double part_of_range = 0.1;
/* at most half of the last of three digits, between points that such digits cannot tell apart */
static const double part_where_level = 1e-3;

/* of curvatures that are zero, of ways that are the same */
static const double rounding = 1e-9;

/* knot k of a table that repeats is knot k - (rows - 1), a turn later */
static double slope(const crank_table_data *t, int piece)
{
    const int pieces = t->rows - 1;
    const int i = (piece + pieces) % pieces;
    return (t->y[i + 1] - t->y[i]) / (t->x[i + 1] - t->x[i]);
}

static double step(const crank_table_data *t, int piece)
{
    const int pieces = t->rows - 1;
    const int i = (piece + pieces) % pieces;
    return t->x[i + 1] - t->x[i];
}

/* c_k; false: the table ends there */
static bool curvature(const crank_table_data *t, int k, double *c)
{
    if (t->way.outside != CRANK_REPEAT && (k <= 0 || k >= t->rows - 1)) {
        return false;
    }
    *c = (slope(t, k) - slope(t, k - 1)) / (step(t, k) + step(t, k - 1));
    return true;
}

/* The piece from knot i to i + 1 is the peak of a wave that its points follow. */
static bool is_peak(const crank_table_data *t, int i)
{
    double c[4];
    int count = 0, first = -1; /* the two nearest knots: first, first + 1 */
    for (int k = i - 1; k <= i + 2; k++) {
        if (curvature(t, k, &c[count])) {
            first = first < 0 && k >= i ? count : first;
            count++;
        }
    }
    if (first < 0 || count < 2) {
        return false;
    }
    first = first + 1 < count ? first : count - 2;
    const double near = c[first], next = c[first + 1];
    bool same =
        near * next > 0.0 && fabs(near) <= 2.0 * fabs(next) && fabs(next) <= 2.0 * fabs(near);
    for (int k = 0; k < count && same; k++) {
        same = c[k] / near >= -rounding;
    }
    return same;
}

bool crank_table_find_swing(const crank_table_data *t, const double *data,
                            crank_table_swing *out)
{
    double low = t->y[0], high = t->y[0], largest = 0.0;
    for (int i = 0; i < t->rows; i++) {
        low = fmin(low, t->y[i]);
        high = fmax(high, t->y[i]);
    }
    const double same = 8.0 * DBL_EPSILON * fmax(fabs(low), fabs(high));
    for (int i = 0; i < t->rows - 1; i++) {
        const double a = t->y[i], b = t->y[i + 1];
        double range[2];
        crank_tabulated_range(t->rows, data, i, range);
        const double beyond = fmax(fmin(a, b) - range[0], range[1] - fmax(a, b));
        const bool level = fabs(a - b) <= same && !is_peak(t, i);
        if (beyond > (level ? part_where_level : part_of_range) * (high - low) &&
            beyond > (1.0 + rounding) * largest) { /* the first of equal ones */
            largest = beyond;
            *out = (crank_table_swing){i, {range[0], range[1]}};
        }
    }
    return largest > 0.0;
}
