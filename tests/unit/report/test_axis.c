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
    char all[512] = "", text[CRANK_AXIS_TEXT];
    for (int i = 0; i < axis->tick_count; i++) {
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s ",
                       crank_axis_label(axis, i, text));
    }
    assert_string_equal(all, expected);
}

static void linear_ticks_are_round(void **state)
{
    crank_axis axis;
    fit(&axis, false, 0.0, 10.0);
    check_labels(&axis, "0 2 4 6 8 10 ");
    fit(&axis, false, -0.3, 0.3);
    check_labels(&axis, "-0.3 -0.2 -0.1 0.0 0.1 0.2 0.3 ");
}

static void check_scale(const crank_axis *axis, const char *expected)
{
    char text[CRANK_AXIS_TEXT];
    assert_string_equal(crank_axis_scale(axis, text), expected);
}

static void labels_of_a_narrow_range_count_from_an_offset(void **state)
{
    crank_axis axis;
    fit(&axis, false, 1000.0, 1000.0005);
    check_labels(&axis, "0 100 200 300 400 500 ");
    check_scale(&axis, "\xc3\x97"
                       "10^-6 + 1000");
    fit(&axis, false, -6.8750000012, -6.8749999991);
    check_labels(&axis, "-1.0 -0.5 0.0 0.5 ");
    check_scale(&axis, "\xc3\x97"
                       "10^-9 - 6.875");
}

static void labels_of_large_and_small_values_have_a_common_power_of_ten(void **state)
{
    crank_axis axis;
    fit(&axis, false, 0.0, 2e6);
    check_labels(&axis, "0.0 0.5 1.0 1.5 2.0 ");
    check_scale(&axis, "\xc3\x97"
                       "10^6");
    fit(&axis, false, 0.0, 5e-4);
    check_labels(&axis, "0 100 200 300 400 500 ");
    check_scale(&axis, "\xc3\x97"
                       "10^-6");
    fit(&axis, false, 0.0, 50000.0);
    check_scale(&axis, "");
}

static void zeros_of_a_log_axis_have_a_place_below_the_rest(void **state)
{
    crank_axis axis;
    fit(&axis, true, 1e-8, 1.0);
    assert_false(crank_axis_admits(&axis, 0.0));
    axis.zero_share = 0.1;
    assert_true(crank_axis_admits(&axis, 0.0));
    assert_false(crank_axis_admits(&axis, -1.0));
    CHECK_NEAR(crank_axis_place(&axis, 0.0), 0.05, 1e-15);
    CHECK_NEAR(crank_axis_place(&axis, 1e-8), 0.1, 1e-15);
    CHECK_NEAR(crank_axis_place(&axis, 1.0), 1.0, 1e-15);
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
        assert_true(axis.low < axis.high);
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
    check_labels(&axis, "10^-4 10^-3 10^-2 10^-1 10^0 10^1 ");
    fit(&axis, true, 1e-3, 10.0);
    check_labels(&axis, "0.001 0.01 0.1 1 10 ");
    fit(&axis, true, 1e-12, 1.0);
    check_labels(&axis, "10^-12 10^-10 10^-8 10^-6 10^-4 10^-2 10^0 ");
}

static void log_ticks_fill_short_ranges(void **state)
{
    crank_axis axis;
    fit(&axis, true, 1.0, 100.0);
    check_labels(&axis, "1 2 5 10 20 50 100 ");
    fit(&axis, true, 1e-8, 1e-6);
    check_labels(&axis, "10^-8 2\xc2\xb7"
                        "10^-8 5\xc2\xb7"
                        "10^-8 10^-7 2\xc2\xb7"
                        "10^-7 5\xc2\xb7"
                        "10^-7 10^-6 ");
    fit(&axis, true, 3.0, 4.0);
    assert_true(axis.tick_count >= 3);
}

static void log_axis_admits_positive_values_only(void **state)
{
    const crank_axis log = {.log = true}, linear = {.log = false};
    assert_true(crank_axis_admits(&log, 1e-300));
    assert_false(crank_axis_admits(&log, 0.0));
    assert_false(crank_axis_admits(&log, -1.0));
    assert_false(crank_axis_admits(&linear, (double)NAN));
    assert_false(crank_axis_admits(&linear, (double)INFINITY));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_round),
        cmocka_unit_test(labels_of_a_narrow_range_count_from_an_offset),
        cmocka_unit_test(labels_of_large_and_small_values_have_a_common_power_of_ten),
        cmocka_unit_test(zeros_of_a_log_axis_have_a_place_below_the_rest),
        cmocka_unit_test(a_single_value_gets_a_range_around_it),
        cmocka_unit_test(extreme_ranges_have_few_ticks_inside),
        cmocka_unit_test(log_ticks_are_powers_of_ten),
        cmocka_unit_test(log_ticks_fill_short_ranges),
        cmocka_unit_test(log_axis_admits_positive_values_only),
    };
    return CHECK_RUN(argc, argv, tests);
}
