/* test_singular_monitor.c - what the monitor of singular positions makes of a pivot that falls
 * along a line, q = 1 - t, and so vanishes at t = 1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/singular.h"

#include <float.h>
#include <math.h>

static crank_singular line_until(double t)
{
    crank_singular m;
    crank_singular_reset(&m);
    crank_singular_look(&m, 0.0, 1.0);
    crank_singular_look(&m, 0.5 * t, 1.0 - 0.5 * t);
    crank_singular_look(&m, t, 1.0 - t);
    return m;
}

static crank_options options_with(crank_singular_action action)
{
    crank_options options = crank_options_default();
    options.singular = action;
    return options;
}

static void zero_of_the_line_is_foreseen(void **state)
{
    crank_singular m = line_until(0.8);
    CHECK_NEAR(m.zero, 1.0, 4.0 * DBL_EPSILON);
    CHECK_NEAR(m.slope, -1.0, 4.0 * DBL_EPSILON);
}

static void stop_shortens_steps_that_would_reach_it(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_STOP);
    crank_singular m = line_until(0.8);
    double h = 0.1;
    CHECK_STATUS(crank_singular_limit(&m, &options, 0.8, &h), CRANK_OK);
    CHECK_NEAR(h, 0.1, 0.0);
    h = 0.3;
    CHECK_STATUS(crank_singular_limit(&m, &options, 0.8, &h), CRANK_OK);
    CHECK_NEAR(h, 0.1001, 1e-12); /* half the way, and a tenth of the threshold */
    h = 0.3;                      /* the last look was before: look again */
    CHECK_STATUS(crank_singular_limit(&m, &options, 0.85, &h), CRANK_RETRY);
    crank_singular below = line_until(0.9995);
    CHECK_STATUS(crank_singular_limit(&below, &options, 0.9995, &h), CRANK_ESINGULAR);
    h = 0.3; /* the step to it was not accepted */
    CHECK_STATUS(crank_singular_limit(&below, &options, 0.9, &h), CRANK_RETRY);
}

/* theory (3.23): at the end of a shortened step q has not fallen as the forecast says, so that
 * the next ones may double */
static void forecast_that_is_not_confirmed_is_dropped(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_STOP);
    crank_singular m = line_until(0.8);
    double t = 0.8, q = 0.2, last = 0.0;
    for (int i = 0; i < 20;
         i++) { /* q falls by one per mille of the way only, on ever shorter steps */
        double h = 1.0;
        CHECK_STATUS(crank_singular_limit(&m, &options, t, &h), CRANK_OK);
        assert_true(i < 2 ? h >= last : h >= 2.0 * last - DBL_EPSILON || h == 1.0);
        last = h;
        t += h;
        q *= 0.999;
        crank_singular_look(&m, t, q);
    }
    assert_true(t > 1.5); /* beyond what was foreseen */
}

static void forecast_that_is_confirmed_leads_to_the_threshold(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_STOP);
    static const double powers[] = {1.0, 0.75, 0.5}; /* of the way that is left */
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        crank_singular m;
        double t = 0.0;
        int steps = 0;
        crank_status status = CRANK_OK;
        crank_singular_reset(&m);
        while (status != CRANK_ESINGULAR && steps < 200) {
            double h = 0.1;
            crank_singular_look(&m, t, pow(1.0 - t, powers[k]));
            status = crank_singular_limit(&m, &options, t, &h);
            t += h;
            assert_true(t < 1.0 || status == CRANK_ESINGULAR);
            steps++;
        }
        CHECK_STATUS(status, CRANK_ESINGULAR);
    }
}

static void pass_approaches_in_parts_of_the_way(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_PASS);
    crank_singular m = line_until(0.8);
    double h = 0.3;
    CHECK_STATUS(crank_singular_limit(&m, &options, 0.8, &h), CRANK_OK);
    assert_true(h < 0.5 * 0.2 && h > 0.1 * 0.2);
    h = 0.3;
    CHECK_STATUS(crank_singular_limit(&m, &options, 0.82, &h), CRANK_RETRY);
    /* so near that it is given up */
    crank_singular below = line_until(0.9995);
    CHECK_STATUS(crank_singular_limit(&below, &options, 0.9995, &h), CRANK_ESINGULAR);
    /* not watched */
    crank_options off = options;
    off.singular_threshold = 0.0;
    h = 0.3;
    CHECK_STATUS(crank_singular_limit(&below, &off, 0.9995, &h), CRANK_OK);
    CHECK_NEAR(h, 0.3, 0.0);
}

static void passage_is_tried_near_a_forecast_that_holds(void **state)
{
    const crank_options pass = options_with(CRANK_SINGULAR_PASS),
                        stop = options_with(CRANK_SINGULAR_STOP);
    const crank_singular far = line_until(0.4);
    crank_singular near = line_until(0.8);
    double zero = 0.0;
    assert_false(crank_singular_ahead(&far, &pass, 0.4, &zero));
    assert_true(crank_singular_ahead(&near, &pass, 0.8, &zero));
    CHECK_NEAR(zero, 1.0, 4.0 * DBL_EPSILON);
    assert_false(crank_singular_ahead(&near, &stop, 0.8, &zero));
    assert_false(crank_singular_ahead(&near, &pass, 0.81, &zero)); /* not looked at */
    crank_singular_look(&near, 0.85, 0.19); /* the pivot hardly falls any more */
    assert_false(crank_singular_ahead(&near, &pass, 0.85, &zero));
}

static void behind_it_steps_grow_with_the_distance(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_PASS);
    const crank_singular before = line_until(0.8);
    crank_singular now = before;
    double h = 1.0;
    crank_singular_look(&now, 1.2, 0.01);
    assert_false(crank_singular_behind(&now, &before));
    now = before;
    crank_singular_look(&now, 1.2, 0.2);
    assert_true(crank_singular_behind(&now, &before));
    crank_singular_pass(&now, &before, 1.0, "rows", &(crank_log){0});
    assert_true(now.slope > 0.0);
    CHECK_STATUS(crank_singular_limit(&now, &options, 1.2, &h), CRANK_OK);
    assert_true(h < 0.2 && h > 0.02);
    h = 1.0;
    CHECK_STATUS(crank_singular_limit(&now, &options, 6.0, &h), CRANK_OK);
    CHECK_NEAR(h, 1.0, 0.0);
}

/* an attempt is looked at, taken back by half, and its end is looked at once more, where the
 * pivot differs by rounding: so the first of three points is the last */
static void looks_at_attempts_that_were_taken_back_foresee_nothing(void **state)
{
    const crank_options options = options_with(CRANK_SINGULAR_STOP);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int same = 0; same < 2; same++) {
            crank_singular m;
            double h = 0.1;
            crank_singular_reset(&m);
            crank_singular_look(&m, 0.2, 0.96);
            crank_singular_look(&m, 0.3, 0.98);
            crank_singular_look(&m, 0.25, 0.97);
            const double t = same ? 0.3 : nextafter(0.3, 1.0);
            crank_singular_look(&m, t, 0.98 + sign * 1e-10);
            CHECK_STATUS(crank_singular_limit(&m, &options, t, &h), CRANK_OK);
            CHECK_NEAR(h, 0.1, 0.0);
            crank_singular_look(&m, nextafter(t, 1.0), 0.98 - sign * 1e-10);
            CHECK_STATUS(crank_singular_limit(&m, &options, m.t, &h), CRANK_OK);
            CHECK_NEAR(h, 0.1, 0.0);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_of_the_line_is_foreseen),
        cmocka_unit_test(stop_shortens_steps_that_would_reach_it),
        cmocka_unit_test(forecast_that_is_not_confirmed_is_dropped),
        cmocka_unit_test(looks_at_attempts_that_were_taken_back_foresee_nothing),
        cmocka_unit_test(forecast_that_is_confirmed_leads_to_the_threshold),
        cmocka_unit_test(pass_approaches_in_parts_of_the_way),
        cmocka_unit_test(passage_is_tried_near_a_forecast_that_holds),
        cmocka_unit_test(behind_it_steps_grow_with_the_distance),
    };
    return CHECK_RUN(argc, argv, tests);
}
