/* test_spline.c - natural cubic splines: against splines that are known exactly, and their own
 * conditions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/spline.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ROWS = 60, SIZE = 5 * MAX_ROWS + 4 };

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
    assert_true(crank_spline_size(ROWS) <= SIZE);
    crank_spline_fit(ROWS, x, y, data);
    for (int i = -300; i <= 300; i++) {
        const double at = 0.01 * i + 0.0037; /* beyond both ends; never at a knot */
        CHECK_NEAR(crank_spline_evaluate(ROWS, data, 0, at), exact(at, 0), 1e-13);
        CHECK_NEAR(crank_spline_evaluate(ROWS, data, 1, at), exact(at, 1), 1e-12);
        CHECK_NEAR(crank_spline_evaluate(ROWS, data, 2, at), exact(at, 2), 1e-11);
        CHECK_NEAR(crank_spline_evaluate(ROWS, data, 3, at), exact(at, 3), 1e-9);
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
        crank_spline_fit(rows, x, y, data);
        for (double at = -20.0; at < 20.0; at += 0.7) {
            CHECK_NEAR(crank_spline_evaluate(rows, data, 0, at), 2.0 - 0.5 * at, 1e-13);
            CHECK_NEAR(crank_spline_evaluate(rows, data, 1, at), -0.5, 1e-13);
            CHECK_NEAR(crank_spline_evaluate(rows, data, 2, at), 0.0, 1e-13);
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
        crank_spline_fit(rows, x, y, data);
        for (int i = 0; i < rows; i++) {
            CHECK_NEAR(crank_spline_evaluate(rows, data, 0, x[i]), y[i], 0.0);
            for (int order = 0; order < 3; order++) {
                const double left =
                    crank_spline_evaluate(rows, data, order, nextafter(x[i], -1e9));
                const double right = crank_spline_evaluate(rows, data, order, x[i]);
                /* derivatives of order k are at most of size 1e3 with steps of 0.1 */
                CHECK_NEAR(left, right, 1e-10);
            }
        }
        for (int k = 0; k < 20; k++) {
            const double u =
                x[0] - 1.0 + (x[rows - 1] - x[0] + 2.0) * 0.5 * (1.0 + random_real(&r));
            for (int order = 0; order < 2; order++) { /* third derivatives jump: order 2 not */
                const double h = 1e-5;
                const double difference = (crank_spline_evaluate(rows, data, order, u + h) -
                                           crank_spline_evaluate(rows, data, order, u - h)) /
                                          (2.0 * h);
                /* h times half the largest third derivative (about 6e3), where u is next to a
                 * knot */
                CHECK_NEAR(crank_spline_evaluate(rows, data, order + 1, u), difference, 5e-2);
            }
        }
        CHECK_NEAR(crank_spline_evaluate(rows, data, 2, x[0]), 0.0, 0.0);
        CHECK_NEAR(crank_spline_evaluate(rows, data, 2, x[rows - 1]), 0.0, 0.0);
    }
}

static void not_a_number_goes_through(void **state)
{
    static const double x[] = {0.0, 1.0, 2.0};
    double data[SIZE];
    crank_spline_fit(3, x, x, data);
    assert_true(isnan(crank_spline_evaluate(3, data, 0, (double)NAN)));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spline_with_natural_ends_is_reproduced_exactly),
        cmocka_unit_test(points_on_a_line_give_the_line),
        cmocka_unit_test(random_splines_meet_their_points_and_are_smooth),
        cmocka_unit_test(not_a_number_goes_through),
    };
    return CHECK_RUN(argc, argv, tests);
}
