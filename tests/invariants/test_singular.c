/* test_singular.c - the slider crank with equal lengths reaches p1 = p2 = -pi/2 at t =
 * 1.013884 (by quadrature): the rank of its constraint drops from one to zero there. The run
 * stops before it at every tolerance, with every decomposition, names the row and keeps what
 * it has computed. What `singular: pass` does is in test_pass.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/create.h"
#include "invariants/models.h"
#include "order/run.h"

static const double singular_time = 1.013884;

static void check_stops(const char *formulation, crank_eom *eom, const crank_options *options,
                        const double *x, int p)
{
    run r;
    run_begin(&r, formulation, eom, options, 0.0, x, 2.0);
    CHECK_STATUS(run_to_end(&r), CRANK_ESINGULAR);
    CHECK_CONTAINS(r.err.text, "\"loop\"");
    const double t = crank_integrator_time(r.it), *end = crank_integrator_state(r.it);
    CHECK_NEAR(t, singular_time, 2e-3);
    /* the point belongs to the time: p1 = p2 falls towards -pi/2 at about 7 rad/s */
    CHECK_NEAR(end[p], end[p + 1], 1e-6);
    CHECK_NEAR(end[p], -1.5707963 + 7.0 * (singular_time - t), 0.02);
    assert_true(crank_integrator_statistics(r.it).steps > 5);
    /* asking again gives the same answer */
    const crank_status again = crank_integrator_step(r.it, &r.err);
    CHECK_STATUS(again, CRANK_ESINGULAR);
    assert_true(crank_integrator_time(r.it) == t);
    run_end(&r);
}

static void run_stops_before_the_singular_position_at_every_tolerance(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    test_slider_crank_start(&data, x);
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        for (int method = 0; method < 4; method++) {
            crank_options options = run_tolerance(pow(10.0, -exponent));
            options.algebraic = (crank_algebraic_decomposition)method;
            check_stops("psf", eom, &options, x, 3);
        }
        crank_options options = run_tolerance(pow(10.0, -exponent));
        check_stops("peom1", eom, &options, x, 3);
        options.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
        check_stops("psf", eom, &options, x, 3);
    }
    crank_eom_destroy(eom);
}

static void published_options_detect_the_singular_position(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    test_slider_crank_start(&data, x);
    for (int exponent = 6; exponent <= 10; exponent += 2) {
        crank_options options = crank_options_geoms();
        options.rtol = options.atol = pow(10.0, -exponent);
        check_stops("psf", eom, &options, x, 3);
    }
    crank_eom_destroy(eom);
}

static void sparse_stops_before_the_singular_position(void **state)
{
    carried_crank data = {.l2 = 1.0, .rows = 1, .factor = {1.0}};
    crank_eom *eom = carried_crank_create(&data);
    double x[7];
    carried_crank_start(&data, x);
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        for (int sparse = 0; sparse < 2; sparse++) {
            crank_options options = run_tolerance(pow(10.0, -exponent));
            options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
            check_stops("psf", eom, &options, x, 5);
        }
    }
    crank_eom_destroy(eom);
}

/* redundant rows as well: the rank of three rows falls from one to zero */
static void redundant_rows_do_not_hide_the_singular_position(void **state)
{
    carried_crank data = {.l2 = 1.0, .rows = 2, .factor = {1.0, 2.0}};
    crank_eom *eom = carried_crank_create(&data);
    double x[8];
    carried_crank_start(&data, x);
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = run_tolerance(1e-6);
        run r;
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        run_begin(&r, "psf", eom, &options, 0.0, x, 2.0);
        CHECK_STATUS(run_to_end(&r), CRANK_ESINGULAR);
        CHECK_NEAR(crank_integrator_time(r.it), singular_time, 2e-3);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void a_lower_threshold_comes_closer(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5], time[3];
    for (int i = 0; i < 3; i++) {
        crank_options options = run_tolerance(1e-6);
        run r;
        options.singular_threshold = pow(10.0, -1 - i);
        test_slider_crank_start(&data, x);
        run_begin(&r, "psf", eom, &options, 0.0, x, 2.0);
        CHECK_STATUS(run_to_end(&r), CRANK_ESINGULAR);
        time[i] = crank_integrator_time(r.it);
        run_end(&r);
    }
    assert_true(time[0] < time[1] && time[1] < time[2] && time[2] < singular_time);
    crank_eom_destroy(eom);
}

/* l2 = 1: G = (cos p1, -cos p2); consistent points p1 = p2 at any distance from -pi/2. Rows
 * between steps, which are prepared without rates, are not watched. */
static void monitor_stops_below_the_threshold(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const double angle[] = {0.0, -1.57, -1.5706963, -1.5706, -1.2, -1.5706}, rate[5] = {0.0};
    const crank_options options = run_tolerance(1e-6);
    double x[5];
    crank_error err = {0};
    crank_problem *problem = NULL;
    test_slider_crank_start(&data, x);
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    for (int i = 0; i < 6; i++) {
        for (int row = 1; row >= 0; row--) {
            double h = 1e-9;
            x[3] = x[4] = row == 1 ? -1.5707 : angle[i];
            CHECK_OK(problem->prepare(problem, i, x, row == 1 && i > 0 ? NULL : rate, &err),
                     err);
            const crank_status status = problem->constraints->step_limit(problem, i, &h, &err);
            if (row == 0) {
                CHECK_STATUS(status, fabs(cos(angle[i])) < 1e-3 ? CRANK_ESINGULAR : CRANK_OK);
            }
        }
    }
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

/* The pivot falls from 1 to 0.36 in one second: a step of one second would pass its zero and
 * is shortened, unless nothing is watched (threshold zero). A step that ends before is left
 * alone. */
static void step_is_shortened_before_the_expected_singular_position(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const double zero = 1.0 + cos(1.2) / (1.0 - cos(1.2)); /* of the straight line */
    const double rate[5] = {0.0};
    for (int watched = 0; watched < 2; watched++) {
        crank_options options = run_tolerance(1e-6);
        crank_problem *problem = NULL;
        crank_error err = {0};
        double x[5], h = 0.5 * (zero - 1.0);
        options.singular_threshold = watched == 1 ? 1e-3 : 0.0;
        test_slider_crank_start(&data, x);
        CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
                 err);
        CHECK_OK(problem->prepare(problem, 0.0, x, NULL, &err), err);
        x[3] = x[4] = -1.2;
        CHECK_OK(problem->prepare(problem, 1.0, x, rate, &err), err);
        CHECK_OK(problem->constraints->step_limit(problem, 1.0, &h, &err), err);
        CHECK_NEAR(h, 0.5 * (zero - 1.0), 0.0);
        h = 1.0;
        CHECK_OK(problem->constraints->step_limit(problem, 1.0, &h, &err), err);
        if (watched == 1) {
            assert_true(1.0 + h < zero && h > 0.4 * (zero - 1.0));
        } else {
            CHECK_NEAR(h, 1.0, 0.0);
        }
        crank_problem_destroy(problem);
    }
    crank_eom_destroy(eom);
}

/* the regular crank passes its dead centres without a stop: cos(p1) = 0, but not both */
static void dead_centres_are_not_singular(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    for (int exponent = 3; exponent <= 9; exponent += 3) {
        const crank_options options = run_tolerance(pow(10.0, -exponent));
        double x[5];
        test_slider_crank_start(&data, x);
        (void)run_whole("psf", eom, &options, 20.0, x);
    }
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_stops_before_the_singular_position_at_every_tolerance),
        cmocka_unit_test(published_options_detect_the_singular_position),
        cmocka_unit_test(sparse_stops_before_the_singular_position),
        cmocka_unit_test(redundant_rows_do_not_hide_the_singular_position),
        cmocka_unit_test(a_lower_threshold_comes_closer),
        cmocka_unit_test(monitor_stops_below_the_threshold),
        cmocka_unit_test(step_is_shortened_before_the_expected_singular_position),
        cmocka_unit_test(dead_centres_are_not_singular),
    };
    return CHECK_RUN(argc, argv, tests);
}
