/* test_explicit.c - dopri8 and dopri5 on equations in C: observed orders at steps and between
 * them, constraints kept at every row, energy, step control, what is told and what is
 * refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "energy_drift.h"
#include "eoms.h"
#include "order/run.h"

static const char *const methods[] = {"ode-dopri8", "ode-dopri5", "ode-adams", "ode-herk5"};

static crank_eom *make_pendulum(test_pendulum *data, double *x)
{
    *data = test_pendulum_default();
    test_pendulum_start(data, 0.4, 2.0, x);
    return test_pendulum_create(data);
}

/* ---- orders ---- */

/* steps of one length: a tolerance that accepts everything */
static crank_options fixed_steps(double h)
{
    crank_options options = run_tolerance(1.0);
    options.atol = 1e4;
    options.h_start = options.h_max = h;
    return options;
}

/* largest error of positions and velocities at the end, or at rows inside the steps */
static double error_of_steps(const char *method, double h, bool rows)
{
    test_pendulum data;
    double x[5], exact[5], row[5], largest = 0.0;
    crank_eom *eom = make_pendulum(&data, x);
    const crank_options options = fixed_steps(h), fine = run_tolerance(1e-13);
    run r, reference;
    run_begin(&r, method, eom, &options, 0.0, x, 1.0);
    run_begin(&reference, "ode-dopri8", eom, &fine, 0.0, x, 1.0);
    for (int i = 1; i <= 20; i++) {
        const double t = rows ? (i - 0.37 - 0.3 * sin(i)) / 20.0 : 1.0;
        CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
        CHECK_OK(crank_integrator_interpolate(r.it, t, row, &r.err), r.err);
        CHECK_OK(crank_integrator_solve_to(reference.it, t, &reference.err), reference.err);
        CHECK_OK(crank_integrator_interpolate(reference.it, t, exact, &r.err), r.err);
        for (int j = 1; j < 5; j++) {
            largest = fmax(largest, fabs(row[j] - exact[j]));
        }
    }
    CHECK_OK(run_to_end(&r), r.err);
    assert_int_equal(crank_integrator_statistics(r.it).steps, lround(1.0 / h));
    run_end(&r);
    run_end(&reference);
    crank_eom_destroy(eom);
    return largest;
}

/* over two halvings */
static double observed_order(const char *method, double h, bool rows)
{
    return 0.5 * log2(error_of_steps(method, h, rows) / error_of_steps(method, 0.25 * h, rows));
}

static void observed_orders_are_eight_and_five(void **state)
{
    const double eight = observed_order(methods[0], 0.2, false);
    const double five = observed_order(methods[1], 0.1, false);
    print_message("observed orders %.2f and %.2f\n", eight, five);
    /* nearer to their orders than to the next lower; at these steps more is no fault */
    assert_true(eight > 7.5);
    assert_true(five > 4.5);
}

/* polynomials of order 7 and 4 are wrong by h^8 and h^5 */
static void rows_between_steps_are_as_accurate(void **state)
{
    const double eight = observed_order(methods[0], 0.2, true);
    const double five = observed_order(methods[1], 0.1, true);
    const double half = observed_order(methods[3], 0.05, true);
    print_message("observed orders between steps %.2f, %.2f, %.2f\n", eight, five, half);
    CHECK_NEAR(eight, 8.0, 0.5);
    CHECK_NEAR(five, 5.0, 0.5);
    CHECK_NEAR(half, 5.0, 0.5);
}

/* ---- corners ---- */

/* A swing, or something at rest, that meets a ramp with a round edge: p'' = -p + 300 w log(1 + exp((t - s)/w)). x = [v | p],
 * user = {s, w}. */
static crank_status ramp(double t, const double *x, double *k, void *user)
{
    const double *edge = user, u = (t - edge[0]) / edge[1];
    k[0] = -x[1] + 300.0 * edge[1] * (u > 30.0 ? u : log1p(exp(u)));
    k[1] = x[0];
    return CRANK_OK;
}

/* v at t_end, off by so many tolerances */
static double error_behind_ramp(crank_eom *eom, double speed, double tolerance, double t_end)
{
    const double x[2] = {speed, 0.0};
    crank_options options = run_tolerance(tolerance), fine = run_tolerance(1e-12);
    double end[2], exact[2];
    fine.h_max = 0.01;
    run r;
    run_begin(&r, "ode-dopri8", eom, &options, 0.0, x, t_end);
    CHECK_OK(run_to_end(&r), r.err);
    CHECK_OK(crank_integrator_interpolate(r.it, t_end, end, &r.err), r.err);
    run_end(&r);
    run_begin(&r, "ode-dopri8", eom, &fine, 0.0, x, t_end);
    CHECK_OK(run_to_end(&r), r.err);
    CHECK_OK(crank_integrator_interpolate(r.it, t_end, exact, &r.err), r.err);
    run_end(&r);
    return fabs(end[0] - exact[0]) / (tolerance * (1.0 + fabs(exact[0])));
}

/* Steps before the ramp are long, and meet its edge with any of their stages: an estimate of
 * order 5 vanishes at some of these, theory (9.8). */
static void a_corner_is_seen_wherever_a_step_meets_it(void **state)
{
    double edge[2] = {0.0, 0.002}, worst = 0.0;
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1};
    d.evaluate = ramp;
    d.user = edge;
    crank_eom *eom;
    crank_error err;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    for (int i = 0; i < 150; i++) {
        edge[0] = 1.0 + 0.006 * i;
        worst = fmax(worst, error_behind_ramp(eom, i % 3 > 0, 1e-6, edge[0] + 0.05));
    }
    print_message("at most %.1f tolerances\n", worst);
    assert_true(worst < 20.0); /* 5 for the corner, twice that for two steps, the norm's root */
    crank_eom_destroy(eom);
}

/* ---- what is kept ---- */

static void every_row_satisfies_all_levels(void **state)
{
    for (int m = 0; m < 4; m++) {
        test_pendulum data;
        double x[5], row[5], residual[3];
        crank_eom *eom = make_pendulum(&data, x);
        const crank_options options = run_tolerance(1e-5);
        run r;
        run_begin(&r, methods[m], eom, &options, 0.0, x, 10.0);
        for (int i = 1; i <= 300; i++) {
            const double t = i / 30.0;
            CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
            CHECK_OK(crank_integrator_interpolate(r.it, t, row, &r.err), r.err);
            CHECK_OK(crank_eom_residuals(eom, t, row, residual, &r.err), r.err);
            assert_true(residual[0] < 1e-14 && residual[1] < 1e-14 && residual[2] < 1e-13);
        }
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

/* positions drift off the circle if nobody corrects them; multipliers still belong to them */
static void without_correction_the_constraints_drift(void **state)
{
    test_pendulum data;
    double x[5], row[5], residual[3];
    crank_eom *eom = make_pendulum(&data, x);
    crank_options options = run_tolerance(1e-5);
    options.final_correction = false;
    run r;
    run_begin(&r, methods[1], eom, &options, 0.0, x, 10.0);
    CHECK_OK(crank_integrator_solve_to(r.it, 9.0, &r.err), r.err);
    CHECK_OK(crank_integrator_interpolate(r.it, 9.0, row, &r.err), r.err);
    CHECK_OK(crank_eom_residuals(eom, 9.0, row, residual, &r.err), r.err);
    assert_true(residual[0] > 1e-7 && residual[0] < 1e-2);
    assert_true(residual[2] < 1e-12);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void invariants_hold_where_they_are_enforced(void **state)
{
    assert_true(energy_drift(methods[0], true) < 1e-12);
    assert_true(energy_drift(methods[0], false) > 1e-8);
}

/* 1000 s are about 560 periods; the error grows with the square of time at first, as that of
 * the period adds up */
static void a_long_swing_stays_accurate(void **state)
{
    static const double tolerance[] = {1e-6, 1e-8, 1e-10};
    static const double allowed[] = {1e-1, 1e-3, 1e-5};
    test_pendulum data;
    double x[5], exact[5];
    crank_eom *eom = make_pendulum(&data, exact);
    const crank_options fine = run_tolerance(1e-13);
    memcpy(x, exact, sizeof x);
    (void)run_whole(methods[0], eom, &fine, 1000.0, exact);
    for (int i = 0; i < 3; i++) {
        double end[5];
        const crank_options options = run_tolerance(tolerance[i]);
        memcpy(end, x, sizeof x);
        (void)run_whole(methods[0], eom, &options, 1000.0, end);
        const double error = hypot(end[3] - exact[3], end[4] - exact[4]);
        print_message("tolerance %.0e: error %.1e after 1000 s\n", tolerance[i], error);
        assert_true(error < allowed[i]);
    }
    crank_eom_destroy(eom);
}

/* hidden levels known to 1e-9, the Jacobian by differences: accuracies beyond that are not to
 * be had */
static void derivatives_by_differences_will_do(void **state)
{
    static const crank_eom_levels levels[] = {CRANK_LEVELS_ALL, CRANK_LEVELS_VELOCITY,
                                              CRANK_LEVELS_POSITION};
    const crank_options options = run_tolerance(1e-6), fine = run_tolerance(1e-12);
    test_pendulum data;
    double start[5], exact[5];
    crank_eom *eom = make_pendulum(&data, start);
    memcpy(exact, start, sizeof exact);
    (void)run_whole(methods[0], eom, &fine, 5.0, exact);
    crank_eom_destroy(eom);
    for (int i = 0; i < 3; i++) {
        double x[5];
        data.supply.levels = levels[i];
        data.supply.no_jacobian = true;
        eom = test_pendulum_create(&data);
        memcpy(x, start, sizeof x);
        (void)run_whole(methods[0], eom, &options, 5.0, x);
        for (int j = 1; j < 5; j++) {
            CHECK_NEAR(x[j], exact[j], 1e-4);
        }
        crank_eom_destroy(eom);
    }
}

/* ---- steps ---- */

static void last_step_ends_exactly_at_the_end(void **state)
{
    const double ends[] = {1e-6, 0.1, 1.0 / 3.0, 7.3};
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    const crank_options options = run_tolerance(1e-6);
    for (int i = 0; i < 8; i++) {
        run r;
        run_begin(&r, methods[i % 2], eom, &options, 0.0, x, ends[i / 2]);
        CHECK_OK(run_to_end(&r), r.err);
        assert_true(crank_integrator_time(r.it) == ends[i / 2]);
        assert_true(crank_integrator_last_error(r.it) <= 1.0);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void start_and_end_may_coincide(void **state)
{
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    const crank_options options = run_tolerance(1e-6);
    run r;
    run_begin(&r, methods[0], eom, &options, 2.0, x, 2.0);
    assert_true(crank_integrator_finished(r.it));
    assert_memory_equal(crank_integrator_state(r.it), x, sizeof x);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void steps_respect_their_limits(void **state)
{
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    crank_options options = run_tolerance(1e-6);
    options.h_max = 0.03;
    options.max_steps = 10;
    run r;
    run_begin(&r, methods[0], eom, &options, 0.0, x, 1.0);
    CHECK_STATUS(run_to_end(&r), CRANK_EMAX_STEPS);
    CHECK_CONTAINS(r.err.text, "max_steps = 10");
    int legs = 1;
    while (run_to_end(&r) == CRANK_EMAX_STEPS) { /* the limit counts anew */
        assert_true(crank_integrator_last_step(r.it) <= 0.03 * (1.0 + 1e-12));
        legs++;
    }
    CHECK_OK(r.status, r.err);
    assert_int_equal(legs, 3); /* 34 steps or a few more, as the first may be short */
    run_end(&r);
    crank_eom_destroy(eom);
}

/* 12 stages and the rates at the end; the end of an attempt that fails is not evaluated */
static void statistics_count_the_stages(void **state)
{
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    crank_options options = run_tolerance(1e-6);
    options.h_start = 0.01;
    const crank_statistics s = run_whole(methods[0], eom, &options, 5.0, x);
    assert_true(s.steps > 10 &&
                s.attempts == s.steps + s.rejected_error + s.rejected_convergence);
    assert_int_equal(s.solves, 11 * s.attempts + s.steps);
    /* Nobody says that these equations are linear, so a second iteration confirms each stage;
     * at step ends, and at the start, the multiplier is already right. */
    assert_int_equal(s.evaluations, 22 * s.attempts + s.steps + 1);
    assert_int_equal(s.factorizations, s.evaluations);
    assert_true(s.jacobians >= s.steps);
    crank_eom_destroy(eom);
}

/* ---- refused ---- */

static void check_refused(const char *method, crank_eom *eom, const crank_options *options,
                          const double *x, const char *reason)
{
    run r;
    CHECK_STATUS(run_try(&r, method, eom, options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, reason);
    run_end(&r);
}

static void what_it_cannot_do_is_refused(void **state)
{
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    crank_options options = run_tolerance(1e-6);
    check_refused("psf-dopri8", eom, &options, x, "needs formulation ode");
    check_refused("ode-radau", eom, &options, x, "for dopri8, dopri5, herk5 and adams");
    options.singular = CRANK_SINGULAR_PASS;
    check_refused("ode-dopri8", eom, &options, x, "use psf-radau, or singular=stop");
    options = run_tolerance(1e-6);
    options.newton_max = 7;
    check_refused("ode-dopri5", eom, &options, x, "newton_max");
    options = run_tolerance(1e-6);
    options.jacobian_reuse = 0.1;
    check_refused("ode-dopri8", eom, &options, x, "jacobian_reuse");
    crank_eom_destroy(eom);
}

/* M of the slider crank is full: redundant rows cannot be left out one by one */
static void redundant_rows_need_sparse_algebra(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    double x[8] = {0};
    data.rows = 2;
    data.factor[1] = 2.0;
    crank_eom *eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, x);
    const crank_options options = run_tolerance(1e-6);
    check_refused("ode-dopri8", eom, &options, x, "accelerations=carry");
    crank_eom_destroy(eom);
}

static void failing_equations_end_the_run(void **state)
{
    test_pendulum data;
    double x[5];
    crank_eom *eom = make_pendulum(&data, x);
    const crank_options options = run_tolerance(1e-6);
    run r;
    run_begin(&r, methods[0], eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    data.supply.fail = CRANK_RETRY; /* at every point: the step shrinks to nothing */
    CHECK_STATUS(run_to_end(&r), CRANK_ESTEP_TOO_SMALL);
    CHECK_CONTAINS(r.err.text, "cannot be evaluated");
    run_end(&r);
    data.supply.fail = CRANK_OK;
    run_begin(&r, methods[0], eom, &options, 0.0, x, 1.0);
    data.supply.fail = CRANK_EARG;
    CHECK_STATUS(run_to_end(&r), CRANK_ESTOP_EQUATIONS);
    run_end(&r);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(observed_orders_are_eight_and_five),
        cmocka_unit_test(rows_between_steps_are_as_accurate),
        cmocka_unit_test(a_corner_is_seen_wherever_a_step_meets_it),
        cmocka_unit_test(every_row_satisfies_all_levels),
        cmocka_unit_test(without_correction_the_constraints_drift),
        cmocka_unit_test(invariants_hold_where_they_are_enforced),
        cmocka_unit_test(a_long_swing_stays_accurate),
        cmocka_unit_test(derivatives_by_differences_will_do),
        cmocka_unit_test(last_step_ends_exactly_at_the_end),
        cmocka_unit_test(start_and_end_may_coincide),
        cmocka_unit_test(steps_respect_their_limits),
        cmocka_unit_test(statistics_count_the_stages),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(redundant_rows_need_sparse_algebra),
        cmocka_unit_test(failing_equations_end_the_run),
    };
    return CHECK_RUN(argc, argv, tests);
}
