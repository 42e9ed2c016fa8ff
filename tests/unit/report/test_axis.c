/* test_axis.c - ticks at round numbers inside the range, whatever the range. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "report/axis.h"

#include <stdio.h>

static void fit(crank_axis *axis, bool log, double low, double high)
{
    crank_axis_fit(axis, log, low, high, 0.0);
    crank_axis_choose_ticks(axis, 6);
}

static void check_labels(const crank_axis *axis, const char *expected)
{
    char all[512] = "", text[64];
    for (int i = 0; i < axis->tick_count; i++) {
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s ",
                       crank_axis_label(axis, i, text, sizeof text));
    }
    assert_string_equal(all, expected);
}

static void linear_ticks_are_round(void **state)
{
    crank_axis axis;
    fit(&axis, false, 0.0, 10.0);
    check_labels(&axis, "0 2 4 6 8 10 ");
    fit(&axis, false, -0.3, 0.3);
    check_labels(&axis, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3 ");
}

static void labels_tell_ticks_of_a_narrow_range_apart(void **state)
{
    crank_axis axis;
    fit(&axis, false, 1000.0, 1000.0005);
    check_labels(&axis, "1000 1000.0001 1000.0002 1000.0003 1000.0004 1000.0005 ");
}

static void a_single_value_gets_a_range_around_it(void **state)
{
    crank_axis axis;
    fit(&axis, false, 2.0, 2.0);
    assert_true(axis.low < 2.0 && axis.high > 2.0);
    assert_true(axis.tick_count >= 2);
    CHECK_NEAR(crank_axis_place(&axis, 2.0), 0.5, 1e-15);
    fit(&axis, false, 0.0, 0.0);
    CHECK_NEAR(crank_axis_place(&axis, 0.0), 0.5, 1e-15);
}

static void extreme_ranges_have_few_ticks_inside(void **state)
{
    const double range[][2] = {
        {-1e300, 1e300}, {0.0, 5e-324}, {-1e-310, 1e-310}, {1e16, 1e16 + 4}};
    for (size_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        crank_axis axis;
        fit(&axis, false, range[i][0], range[i][1]);
        assert_true(axis.tick_count <= CRANK_AXIS_TICKS);
        for (int k = 0; k < axis.tick_count; k++) {
            const double place = crank_axis_place(&axis, axis.tick[k]);
            assert_true(place >= -1e-6 && place <= 1.0 + 1e-6);
        }
    }
}

static void log_ticks_are_powers_of_ten(void **state)
{
    crank_axis axis;
    fit(&axis, true, 1e-4, 10.0);
    check_labels(&axis, "0.0001 0.001 0.01 0.1 1 10 ");
    fit(&axis, true, 1e-12, 1.0);
    check_labels(&axis, "1e-12 1e-10 1e-08 1e-06 0.0001 0.01 1 ");
}

static void log_ticks_fill_short_ranges(void **state)
{
    crank_axis axis;
    fit(&axis, true, 1.0, 100.0);
    check_labels(&axis, "1 2 5 10 20 50 100 ");
    fit(&axis, true, 3.0, 4.0);
    assert_true(axis.tick_count >= 3);
}

static void log_axis_admits_positive_values_only(void **state)
{
    assert_true(crank_axis_admits(true, 1e-300));
    assert_false(crank_axis_admits(true, 0.0));
    assert_false(crank_axis_admits(true, -1.0));
    assert_false(crank_axis_admits(false, (double)NAN));
    assert_false(crank_axis_admits(false, (double)INFINITY));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_round),
        cmocka_unit_test(labels_tell_ticks_of_a_narrow_range_apart),
        cmocka_unit_test(a_single_value_gets_a_range_around_it),
        cmocka_unit_test(extreme_ranges_have_few_ticks_inside),
        cmocka_unit_test(log_ticks_are_powers_of_ten),
        cmocka_unit_test(log_ticks_fill_short_ranges),
        cmocka_unit_test(log_axis_admits_positive_values_only),
    };
    return CHECK_RUN(argc, argv, tests);
}
