/* test_tabulated.c - functions through points: against functions that are known exactly, and
 * their own conditions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/tabulated.h"
#include "random.h"

#include <float.h>
#include <math.h>

enum { MAX_ROWS = 60, SIZE = 5 * MAX_ROWS + 5 };

static const crank_table_way natural = {CRANK_SPLINE, CRANK_EXTRAPOLATE};

/* s = |x|^3 - 3 x^2 + 1 between -1 and 1: s'' = 6 |x| - 6 is continuous and vanishes at the
 * ends, so that s is a natural spline of its own; straight beyond. */
static double exact(double x, int order)
{
    const double a = fabs(x);
    switch (order) {
    case 0:
        return a < 1.0 ? a * a * a - 3.0 * x * x + 1.0 : -1.0 - 3.0 * (a - 1.0);
    case 1:
        return a < 1.0 ? x * (3.0 * a - 6.0) : x > 0.0 ? -3.0 : 3.0;
    case 2:
        return a < 1.0 ? 6.0 * a - 6.0 : 0.0;
    default:
        return a >= 1.0 ? 0.0 : x < 0.0 ? -6.0 : 6.0;
    }
}

static void spline_with_natural_ends_is_reproduced_exactly(void **state)
{
    /* any knots that contain -1, 0 and 1 */
    static const double x[] = {-1.0, -0.7, -0.1, 0.0, 0.35, 0.4, 1.0};
    enum { ROWS = 7 };
    double y[ROWS];
    double data[SIZE];
    for (int i = 0; i < ROWS; i++) {
        y[i] = exact(x[i], 0);
    }
    assert_true(crank_tabulated_size(ROWS) <= SIZE);
    crank_tabulated_fit(natural, ROWS, x, y, data);
    for (int i = -300; i <= 300; i++) {
        const double at = 0.01 * i + 0.0037; /* beyond both ends; never at a knot */
        CHECK_NEAR(crank_tabulated_evaluate(ROWS, data, 0, at), exact(at, 0), 1e-13);
        CHECK_NEAR(crank_tabulated_evaluate(ROWS, data, 1, at), exact(at, 1), 1e-12);
        CHECK_NEAR(crank_tabulated_evaluate(ROWS, data, 2, at), exact(at, 2), 1e-11);
        CHECK_NEAR(crank_tabulated_evaluate(ROWS, data, 3, at), exact(at, 3), 1e-9);
    }
}

static void points_on_a_line_give_the_line(void **state)
{
    static const double x[] = {-3.0, 1.0, 1.5, 9.0};
    double y[4];
    double data[SIZE];
    for (int rows = 2; rows <= 4; rows++) {
        for (int i = 0; i < rows; i++) {
            y[i] = 2.0 - 0.5 * x[i];
        }
        crank_tabulated_fit(natural, rows, x, y, data);
        for (double at = -20.0; at < 20.0; at += 0.7) {
            CHECK_NEAR(crank_tabulated_evaluate(rows, data, 0, at), 2.0 - 0.5 * at, 1e-13);
            CHECK_NEAR(crank_tabulated_evaluate(rows, data, 1, at), -0.5, 1e-13);
            CHECK_NEAR(crank_tabulated_evaluate(rows, data, 2, at), 0.0, 1e-13);
        }
    }
}

/* Values are met, value and two derivatives are continuous at every knot, ends are straight. */
static void random_splines_meet_their_points_and_are_smooth(void **state)
{
    random_source r = {5};
    for (int round = 0; round < 100; round++) {
        const int rows = 2 + random_int(&r, MAX_ROWS - 2);
        double x[MAX_ROWS];
        double y[MAX_ROWS];
        double data[SIZE];
        double at = 5.0 * random_real(&r);
        for (int i = 0; i < rows; i++) {
            x[i] = at;
            y[i] = random_real(&r);
            at += 0.6 + 0.5 * random_real(&r);
        }
        crank_tabulated_fit(natural, rows, x, y, data);
        for (int i = 0; i < rows; i++) {
            CHECK_NEAR(crank_tabulated_evaluate(rows, data, 0, x[i]), y[i], 0.0);
            for (int order = 0; order < 3; order++) {
                const double left =
                    crank_tabulated_evaluate(rows, data, order, nextafter(x[i], -1e9));
                const double right = crank_tabulated_evaluate(rows, data, order, x[i]);
                /* derivatives of order k are at most of size 1e3 with steps of 0.1 */
                CHECK_NEAR(left, right, 1e-10);
            }
        }
        for (int k = 0; k < 20; k++) {
            const double u =
                x[0] - 1.0 + (x[rows - 1] - x[0] + 2.0) * 0.5 * (1.0 + random_real(&r));
            for (int order = 0; order < 2; order++) { /* third derivatives jump: order 2 not */
                const double h = 1e-5;
                const double difference = (crank_tabulated_evaluate(rows, data, order, u + h) -
                                           crank_tabulated_evaluate(rows, data, order, u - h)) /
                                          (2.0 * h);
                /* h times half the largest third derivative (about 6e3), where u is next to a
                 * knot */
                CHECK_NEAR(crank_tabulated_evaluate(rows, data, order + 1, u), difference,
                           5e-2);
            }
        }
        CHECK_NEAR(crank_tabulated_evaluate(rows, data, 2, x[0]), 0.0, 0.0);
        CHECK_NEAR(crank_tabulated_evaluate(rows, data, 2, x[rows - 1]), 0.0, 0.0);
    }
}

static void not_a_number_goes_through(void **state)
{
    static const double x[] = {0.0, 1.0, 2.0};
    double data[SIZE];
    crank_tabulated_fit(natural, 3, x, x, data);
    assert_true(isnan(crank_tabulated_evaluate(3, data, 0, (double)NAN)));
}

/* ---- other ways ---- */

static double at_order(int rows, const double *data, int order, double x)
{
    return crank_tabulated_evaluate(rows, data, order, x);
}

static const crank_table_way all_ways[] = {
    {CRANK_SPLINE, CRANK_EXTRAPOLATE},   {CRANK_SPLINE, CRANK_HOLD},
    {CRANK_SPLINE, CRANK_REPEAT},        {CRANK_SPLINE, CRANK_NOT_OUTSIDE},
    {CRANK_MONOTONE, CRANK_EXTRAPOLATE}, {CRANK_MONOTONE, CRANK_HOLD},
    {CRANK_MONOTONE, CRANK_REPEAT},      {CRANK_MONOTONE, CRANK_NOT_OUTSIDE},
    {CRANK_LINEAR, CRANK_EXTRAPOLATE},   {CRANK_LINEAR, CRANK_HOLD},
    {CRANK_LINEAR, CRANK_REPEAT},        {CRANK_LINEAR, CRANK_NOT_OUTSIDE},
};
enum { WAYS = sizeof all_ways / sizeof *all_ways };

static int random_points(random_source *r, bool periodic, double *x, double *y)
{
    const int rows = 2 + random_int(r, MAX_ROWS - 2);
    double at = 5.0 * random_real(r);
    for (int i = 0; i < rows; i++) {
        x[i] = at;
        y[i] = random_real(r);
        at += 0.6 + 0.5 * random_real(r);
    }
    y[rows - 1] = periodic ? y[0] : y[rows - 1];
    return rows;
}

/* The points are met, and each derivative that is promised is continuous there, from both
 * sides; between them derivatives are those of differences. */
static void every_way_meets_its_points_as_smoothly_as_it_says(void **state)
{
    random_source r = {11};
    for (int round = 0; round < 40 * WAYS; round++) {
        const crank_table_way way = all_ways[round % WAYS];
        const bool inside = way.outside == CRANK_NOT_OUTSIDE;
        double x[MAX_ROWS], y[MAX_ROWS], data[SIZE];
        const int rows = random_points(&r, way.outside == CRANK_REPEAT, x, y);
        crank_tabulated_fit(way, rows, x, y, data);
        for (int i = 0; i < rows; i++) {
            /* a period is subtracted: rounding times the largest slope */
            CHECK_NEAR(at_order(rows, data, 0, x[i]), y[i], 1e-12);
            for (int k = 0; k <= crank_tabulated_smoothness(way); k++) {
                if (inside && (i == 0 || i == rows - 1)) {
                    continue;
                }
                const double left = at_order(rows, data, k, x[i] - 1e-13);
                const double right = at_order(rows, data, k, x[i] + 1e-13);
                CHECK_NEAR(left, right, 1e-8); /* third derivatives are below 1e4 */
            }
        }
        for (int i = 0; i < rows - 1; i++) {
            const double u = x[i] + (x[i + 1] - x[i]) * (0.5 + 0.45 * random_real(&r));
            const double h = 1e-4 * (x[i + 1] - x[i]);
            for (int k = 0; k < 3; k++) { /* exact for order 1 on, but for rounding */
                const double difference =
                    (at_order(rows, data, k, u + h) - at_order(rows, data, k, u - h)) /
                    (2.0 * h);
                const double third = fabs(at_order(rows, data, 3, u));
                const double exact_slope = at_order(rows, data, k + 1, u);
                /* knots, u and h are rounded, and so are values of size one to 1e3 */
                const double rounding =
                    8.0 * DBL_EPSILON / h * (1.0 + fabs(u)) * (fabs(exact_slope) + third + 1.0);
                CHECK_NEAR(exact_slope, difference, h * h * third + rounding);
            }
        }
    }
}

static void beyond_the_ends_each_way_does_what_it_says(void **state)
{
    random_source r = {3};
    for (int round = 0; round < 20 * WAYS; round++) {
        const crank_table_way way = all_ways[round % WAYS];
        double x[MAX_ROWS], y[MAX_ROWS], data[SIZE];
        const int rows = random_points(&r, way.outside == CRANK_REPEAT, x, y);
        const double period = x[rows - 1] - x[0];
        crank_tabulated_fit(way, rows, x, y, data);
        for (int side = 0; side < 2; side++) {
            const double end = side == 0 ? x[0] : x[rows - 1];
            const double out = (side == 0 ? -1.0 : 1.0) * (0.1 + fabs(random_real(&r)));
            const double inner = end - 1e-12 * out;
            const double slope = at_order(rows, data, 1, inner);
            const double value = at_order(rows, data, 0, end + out);
            const double back = side == 0 ? 3.0 * period : -5.0 * period;
            switch (way.outside) {
            case CRANK_EXTRAPOLATE:
                CHECK_NEAR(value, y[side == 0 ? 0 : rows - 1] + slope * out, 1e-7);
                break;
            case CRANK_HOLD:
                CHECK_NEAR(value, y[side == 0 ? 0 : rows - 1], 0.0);
                CHECK_NEAR(at_order(rows, data, 1, end + out), 0.0, 0.0);
                break;
            case CRANK_REPEAT:
                for (int k = 0; k < 3; k++) { /* rounding of x times the next derivative */
                    CHECK_NEAR(at_order(rows, data, k, end - out + back),
                               at_order(rows, data, k, end - out), 1e-8);
                }
                break;
            case CRANK_NOT_OUTSIDE:
                assert_true(isnan(value));
                assert_true(isnan(at_order(rows, data, 1, end + out)));
                CHECK_NEAR(at_order(rows, data, 0, nextafter(end, end + out)),
                           y[side == 0 ? 0 : rows - 1], 1e-12);
                break;
            }
        }
    }
}

static void spline_that_is_held_ends_level(void **state)
{
    static const double x[] = {0.0, 1.0}, y[] = {0.0, 1.0};
    double data[SIZE];
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_HOLD}, 2, x, y, data);
    for (double u = 0.0; u < 1.0; u += 0.01) {
        CHECK_NEAR(at_order(2, data, 0, u), u * u * (3.0 - 2.0 * u), 1e-15);
    }
}

/* the largest error of the repeated spline through count points of a sine with two tones */
static double periodic_error(int count)
{
    double x[MAX_ROWS], y[MAX_ROWS], data[SIZE], largest = 0.0;
    for (int i = 0; i <= count; i++) { /* knots at unequal distances */
        const double u = 2.0 * acos(-1.0) * i / count;
        x[i] = u + 0.2 * sin(u);
        y[i] = sin(x[i]) + 0.3 * cos(2.0 * x[i]);
    }
    y[count] = y[0];
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_REPEAT}, count + 1, x, y, data);
    for (double u = -20.0; u < 20.0; u += 0.0137) {
        largest = fmax(largest,
                       fabs(at_order(count + 1, data, 0, u) - (sin(u) + 0.3 * cos(2.0 * u))));
    }
    return largest;
}

static void repeated_splines_are_of_order_four(void **state)
{
    const double ratio = periodic_error(24) / periodic_error(48);
    assert_true(ratio > 13.0 && ratio < 20.0);
    assert_true(periodic_error(48) < 1e-4);
}

/* with two pieces: by symmetry the cubic spline 1 - 3 u^2 + 2 |u|^3 times -1 ... 1 */
static void repeated_spline_of_three_points(void **state)
{
    static const double x[] = {-1.0, 0.0, 1.0}, y[] = {0.0, 1.0, 0.0};
    double data[SIZE];
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_REPEAT}, 3, x, y, data);
    for (double u = -1.0; u < 1.0; u += 0.03) {
        const double a = fabs(u);
        CHECK_NEAR(at_order(3, data, 0, u), 1.0 - 3.0 * a * a + 2.0 * a * a * a, 1e-15);
    }
}

static void monotone_slopes_are_the_published_ones(void **state)
{
    /* equal steps, slopes 1 and 3: harmonic mean 1.5; ends from the parabola: 0 and 4 */
    static const double x[] = {0.0, 1.0, 2.0}, y[] = {0.0, 1.0, 4.0};
    double data[SIZE];
    crank_tabulated_fit((crank_table_way){CRANK_MONOTONE, CRANK_EXTRAPOLATE}, 3, x, y, data);
    CHECK_NEAR(at_order(3, data, 1, 0.0), 0.0, 1e-15);
    CHECK_NEAR(at_order(3, data, 1, 1.0), 1.5, 1e-15);
    CHECK_NEAR(at_order(3, data, 1, 2.0), 4.0, 1e-15);
    /* steps 1 and 2, slopes 1 and 2: weights 5 and 4, 9/(5 + 2) */
    static const double x2[] = {0.0, 1.0, 3.0}, y2[] = {0.0, 1.0, 5.0};
    crank_tabulated_fit((crank_table_way){CRANK_MONOTONE, CRANK_EXTRAPOLATE}, 3, x2, y2, data);
    CHECK_NEAR(at_order(3, data, 1, 1.0), 9.0 / 7.0, 1e-15);
}

/* of all pieces */
static void range_of(int rows, const double *data, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int i = 0; i < rows - 1; i++) {
        double piece[2];
        crank_tabulated_range(rows, data, i, piece);
        range[0] = fmin(range[0], piece[0]);
        range[1] = fmax(range[1], piece[1]);
    }
}

static void monotone_pieces_stay_between_their_points(void **state)
{
    random_source r = {23};
    for (int round = 0; round < 400; round++) {
        double x[MAX_ROWS], y[MAX_ROWS], data[SIZE], range[2];
        const crank_outside outside = (crank_outside)(round % 4);
        const int rows = random_points(&r, outside == CRANK_REPEAT, x, y);
        for (int i = 1; i < rows - 1 && round % 3 == 0; i++) { /* flat parts, too */
            y[i] = random_int(&r, 3) == 0 ? y[i - 1] : y[i];
        }
        y[rows - 1] = outside == CRANK_REPEAT ? y[0] : y[rows - 1];
        crank_tabulated_fit((crank_table_way){CRANK_MONOTONE, outside}, rows, x, y, data);
        double low = y[0], high = y[0];
        for (int i = 0; i < rows - 1; i++) {
            const double sign = y[i + 1] > y[i] ? 1.0 : y[i + 1] < y[i] ? -1.0 : 0.0;
            for (int k = 1; k < 50; k++) {
                const double slope =
                    at_order(rows, data, 1, x[i] + 0.02 * k * (x[i + 1] - x[i]));
                /* rounding where the slope is zero at a knot */
                assert_true(sign == 0.0 ? fabs(slope) < 1e-13 : sign * slope > -1e-12);
            }
            low = fmin(low, y[i + 1]);
            high = fmax(high, y[i + 1]);
        }
        range_of(rows, data, range);
        /* ends that nothing is outside of are longer by 64 roundings of x; slopes are at most 3
         * * 2/0.1 */
        const double more = 64.0 * DBL_EPSILON * 50.0 * 60.0;
        CHECK_NEAR(range[0], low, more);
        CHECK_NEAR(range[1], high, more);
    }
}

static void range_is_that_of_many_samples(void **state)
{
    random_source r = {29};
    for (int round = 0; round < 100; round++) {
        double x[MAX_ROWS], y[MAX_ROWS], data[SIZE], range[2];
        const int rows = random_points(&r, false, x, y);
        double low = y[0], high = y[0], third = 0.0;
        crank_tabulated_fit(natural, rows, x, y, data);
        range_of(rows, data, range);
        const double step = (x[rows - 1] - x[0]) / 20000.0;
        for (int k = 0; k <= 20000; k++) {
            const double value = at_order(rows, data, 0, x[0] + k * step);
            low = fmin(low, value);
            high = fmax(high, value);
            third = fmax(third, fabs(at_order(rows, data, 2, x[0] + k * step)));
        }
        /* a sample is within half a step of the extremum, which is a parabola there */
        CHECK_NEAR(range[0], low, third * step * step / 8.0 + 1e-12);
        CHECK_NEAR(range[1], high, third * step * step / 8.0 + 1e-12);
        assert_true(range[0] <= low + 1e-12 && range[1] >= high - 1e-12);
    }
}

static void jumps_of_the_second_derivative_are_found(void **state)
{
    static const double x[] = {0.0, 1.0, 2.0, 3.0}, y[] = {0.0, 0.0, 1.0, 0.0};
    double data[SIZE], steps[SIZE];
    (void)state;
    crank_tabulated_fit(natural, 4, x, y, data);
    assert_int_equal(crank_tabulated_steps(4, data, 2, steps), 0);
    /* a spline that ends level bends there; one that repeats nowhere */
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_HOLD}, 4, x, y, data);
    assert_int_equal(crank_tabulated_steps(4, data, 2, steps), 2);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, -0.1), 0.0, 0.0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 0.0), 1.0, 0.0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 2.9), 1.0, 0.0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 3.0), 2.0, 0.0);
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_REPEAT}, 4, x, y, data);
    assert_int_equal(crank_tabulated_steps(4, data, 2, steps), 0);
    /* flat before 1, no slope at 1 and 2, one at 3 */
    crank_tabulated_fit((crank_table_way){CRANK_MONOTONE, CRANK_HOLD}, 4, x, y, data);
    assert_int_equal(crank_tabulated_steps(4, data, 2, steps), 3);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 0.9), 0.0, 0.0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 1.0), 1.0, 0.0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 3.0), 3.0, 0.0);
    /* one that repeats has them in each period */
    crank_tabulated_fit((crank_table_way){CRANK_MONOTONE, CRANK_REPEAT}, 4, x, y, data);
    assert_true(crank_tabulated_steps(4, data, 2, steps) > 0);
    CHECK_NEAR(crank_tabulated_evaluate(4, steps, 0, 1.5),
               crank_tabulated_evaluate(4, steps, 0, 4.5), 0.0);
}

static void corners_are_found(void **state)
{
    static const double x[] = {0.0, 1.0, 3.0}, y[] = {0.0, 1.0, 5.0};
    double data[SIZE], at;
    crank_tabulated_fit((crank_table_way){CRANK_LINEAR, CRANK_EXTRAPOLATE}, 3, x, y, data);
    CHECK_NEAR(crank_tabulated_corner(3, data, &at), 1.0, 1e-15);
    CHECK_NEAR(at, 1.0, 0.0);
    crank_tabulated_fit((crank_table_way){CRANK_LINEAR, CRANK_HOLD}, 3, x, y, data);
    CHECK_NEAR(crank_tabulated_corner(3, data, &at), 2.0, 1e-15);
    CHECK_NEAR(at, 3.0, 0.0);
    crank_tabulated_fit((crank_table_way){CRANK_SPLINE, CRANK_HOLD}, 3, x, y, data);
    CHECK_NEAR(crank_tabulated_corner(3, data, &at), 0.0, 0.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spline_with_natural_ends_is_reproduced_exactly),
        cmocka_unit_test(points_on_a_line_give_the_line),
        cmocka_unit_test(random_splines_meet_their_points_and_are_smooth),
        cmocka_unit_test(not_a_number_goes_through),
        cmocka_unit_test(every_way_meets_its_points_as_smoothly_as_it_says),
        cmocka_unit_test(beyond_the_ends_each_way_does_what_it_says),
        cmocka_unit_test(spline_that_is_held_ends_level),
        cmocka_unit_test(repeated_splines_are_of_order_four),
        cmocka_unit_test(repeated_spline_of_three_points),
        cmocka_unit_test(monotone_slopes_are_the_published_ones),
        cmocka_unit_test(monotone_pieces_stay_between_their_points),
        cmocka_unit_test(range_is_that_of_many_samples),
        cmocka_unit_test(jumps_of_the_second_derivative_are_found),
        cmocka_unit_test(corners_are_found),
    };
    return CHECK_RUN(argc, argv, tests);
}
