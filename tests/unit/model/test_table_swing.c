/* test_table_swing.c - which splines are told to leave their data, theory 6.2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "model/table.h"

#include <math.h>

enum { MAX_ROWS = 64, SIZE = 5 * MAX_ROWS + 5 };

static const double pi = 3.14159265358979324;

/* the number of the piece that is told, -1: none */
static int swing(crank_outside outside, int rows, const double *x, const double *y,
                 double range[2])
{
    double own_x[MAX_ROWS], own_y[MAX_ROWS], data[SIZE];
    crank_table_data t = {.way = {CRANK_SPLINE, outside}, .rows = rows, .x = own_x, .y = own_y};
    crank_table_swing out = {-1, {0.0, 0.0}};
    for (int i = 0; i < rows; i++) {
        own_x[i] = x[i];
        own_y[i] = y[i];
    }
    crank_tabulated_fit(t.way, rows, own_x, own_y, data);
    const bool found = crank_table_find_swing(&t, data, &out);
    assert_int_equal(found, out.piece >= 0);
    for (int k = 0; k < 2 && range != NULL; k++) {
        range[k] = out.range[k];
    }
    return out.piece;
}

static void rest_that_the_spline_does_not_keep_is_told_in_all_units(void **state)
{
    static const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {0, 0, 0.02, -0.02, 0, 0};
    static const double ramp_x[] = {0, 1, 8, 10}, ramp_y[] = {0, 0, 1, 1};
    for (int unit = -9; unit <= 9; unit += 3) {
        double sx[6], sy[6], range[2];
        const double scale = pow(10.0, unit);
        for (int i = 0; i < 6; i++) {
            sx[i] = x[i] / scale;
            sy[i] = y[i] * scale;
        }
        assert_int_equal(swing(CRANK_EXTRAPOLATE, 6, sx, sy, range), 0);
        assert_true(range[0] < -0.002 * scale && fabs(range[1]) < 1e-12 * scale);
        for (int i = 0; i < 4; i++) {
            sy[i] = 5.0 + ramp_y[i] * scale; /* beside a large number, too */
        }
        assert_true(swing(CRANK_EXTRAPOLATE, 4, ramp_x, sy, NULL) >= 0);
    }
    /* held ends are level, and the rest swings all the same */
    assert_true(swing(CRANK_HOLD, 4, ramp_x, ramp_y, NULL) >= 0);
}

static void rest_between_two_motions_is_told(void **state)
{
    static const double x[] = {0, 1, 2, 3, 4, 5}, lift[] = {0, 0, 1, 1, 0, 0};
    static const double stairs[] = {0, 0.5, 1, 1, 1.5, 2};
    assert_true(swing(CRANK_EXTRAPOLATE, 6, x, lift, NULL) >= 0);
    assert_int_equal(swing(CRANK_EXTRAPOLATE, 6, x, stairs, NULL), 2);
    assert_true(swing(CRANK_REPEAT, 6, x, lift, NULL) >= 0);
}

static void waves_with_six_points_a_turn_are_not_told(void **state)
{
    double x[MAX_ROWS], y[MAX_ROWS];
    for (int turn = 6; turn <= 40; turn++) {
        for (int k = 0; k < 12; k++) { /* begun anywhere, also between two equal points */
            for (int i = 0; i <= turn; i++) {
                x[i] = i;
                y[i] = cos(2.0 * pi * (i + (k - 0.5) / 11.0) / turn);
            }
            y[turn] = y[0];
            assert_int_equal(swing(CRANK_REPEAT, turn + 1, x, y, NULL), -1);
        }
    }
}

static void pieces_of_waves_and_straight_lines_are_not_told(void **state)
{
    double x[MAX_ROWS], y[MAX_ROWS];
    for (int turn = 12; turn <= 40; turn++) {
        for (int i = 0; i < 40; i++) { /* from the highest place on, between two points */
            x[i] = i;
            y[i] = cos(2.0 * pi * (i - 0.5) / turn);
        }
        assert_int_equal(swing(CRANK_EXTRAPOLATE, 40, x, y, NULL), -1);
    }
    for (int i = 0; i < 40; i++) {
        y[i] = 3.0 + 0.1 * i;
    }
    assert_int_equal(swing(CRANK_EXTRAPOLATE, 40, x, y, NULL), -1);
    for (int i = 0; i < 40; i++) {
        y[i] = 0.1;
    }
    assert_int_equal(swing(CRANK_EXTRAPOLATE, 40, x, y, NULL), -1);
    assert_int_equal(swing(CRANK_REPEAT, 2, x, y, NULL), -1);
}

static void data_of_three_digits_are_not_told_for_their_last_one(void **state)
{
    double x[MAX_ROWS], y[MAX_ROWS];
    for (int i = 0; i < 60; i++) {
        x[i] = i;
        y[i] = round(1000.0 * (0.5 + 0.5 * sin(0.11 * i + 0.003 * i * i))) / 1000.0;
    }
    assert_int_equal(swing(CRANK_EXTRAPOLATE, 60, x, y, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_that_the_spline_does_not_keep_is_told_in_all_units),
        cmocka_unit_test(rest_between_two_motions_is_told),
        cmocka_unit_test(waves_with_six_points_a_turn_are_not_told),
        cmocka_unit_test(pieces_of_waves_and_straight_lines_are_not_told),
        cmocka_unit_test(data_of_three_digits_are_not_told_for_their_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
