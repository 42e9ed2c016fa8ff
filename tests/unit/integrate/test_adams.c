/* test_adams.c - Adams formulas with projection: what is kept, rows between steps, what a step
 * costs, what is refused and what ends a run. theory 9.5. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "energy_drift.h"
#include "eoms.h"
#include "order/run.h"

static const char adams[] = "ode-adams";

/* ---- what is kept ---- */

/* 1000 s are about 560 periods; errors as for dopri8 (test_explicit.c), constraints at every
 * step */
static void a_long_swing_stays_accurate(void **state)
{
    static const double tolerance[] = {1e-6, 1e-8, 1e-10};
    static const double allowed[] = {1e-1, 1e-3, 1e-5};
    test_pendulum data = test_pendulum_default();
    double start[5], exact[5], residual[3];
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options fine = run_tolerance(1e-13);
    test_pendulum_start(&data, 0.4, 2.0, start);
    memcpy(exact, start, sizeof start);
    (void)run_whole("ode-dopri8", eom, &fine, 1000.0, exact);
    for (int i = 0; i < 3; i++) {
        const crank_options options = run_tolerance(tolerance[i]);
        run r;
        run_begin(&r, adams, eom, &options, 0.0, start, 1000.0);
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_OK(crank_eom_residuals(eom, crank_integrator_time(r.it),
                                         crank_integrator_state(r.it), residual, &r.err),
                     r.err);
            assert_true(residual[0] < 1e-14 && residual[1] < 1e-14 && residual[2] < 1e-13);
        }
        const double *x = crank_integrator_state(r.it);
        const double error = hypot(x[3] - exact[3], x[4] - exact[4]);
        print_message("tolerance %.0e: error %.1e after 1000 s\n", tolerance[i], error);
        assert_true(error < allowed[i]);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* positions drift off the circle if nobody corrects them; multipliers still belong to them */
static void without_correction_the_constraints_drift(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5], residual[3];
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-5);
    options.final_correction = false;
    test_pendulum_start(&data, 0.4, 2.0, x);
    (void)run_whole(adams, eom, &options, 10.0, x);
    crank_error err = {0};
    CHECK_OK(crank_eom_residuals(eom, 10.0, x, residual, &err), err);
    assert_true(residual[0] > 1e-7 && residual[0] < 1e-2);
    assert_true(residual[2] < 1e-12);
    crank_eom_destroy(eom);
}

static void invariants_hold_where_they_are_enforced(void **state)
{
    assert_true(energy_drift(adams, true) < 1e-12);
    assert_true(energy_drift(adams, false) > 1e-8);
}

/* what correction and projection move at the beginning of a step does not show as a jump */
static void rows_are_continuous_across_steps(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5], before[5], after[5];
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-3);
    options.final_correction = false; /* rows as the method makes them */
    run r;
    test_pendulum_start(&data, 0.4, 2.0, x);
    run_begin(&r, adams, eom, &options, 0.0, x, 5.0);
    memcpy(before, x, sizeof x);
    while (!crank_integrator_finished(r.it)) {
        const double t = crank_integrator_time(r.it);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_OK(crank_integrator_interpolate(r.it, t, after, &r.err), r.err);
        for (int j = 1; j < 5; j++) {
            CHECK_NEAR(after[j], before[j], 1e-13 * (1.0 + fabs(before[j])));
        }
        memcpy(before, crank_integrator_state(r.it), sizeof before);
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

/* ---- cost, steps ---- */

/* one evaluation at the predicted end of each attempt, one at the projected end of each step */
static void two_evaluations_a_step(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5];
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-7);
    test_pendulum_start(&data, 0.4, 2.0, x);
    const crank_statistics s = run_whole(adams, eom, &options, 5.0, x);
    assert_true(s.steps > 100);
    assert_int_equal(s.attempts, s.steps + s.rejected_error + s.rejected_convergence);
    assert_int_equal(s.solves, s.attempts + s.steps);
    crank_eom_destroy(eom);
}

/* with an invariant psf projects, whose decompositions serve several steps each */
static void decompositions_serve_several_steps(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5];
    test_pendulum_start(&data, 0.4, 2.0, x);
    data.invariant = true;
    data.energy = 0.5 * data.m * (x[1] * x[1] + x[2] * x[2]) + data.m * data.g * x[4];
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-8);
    const crank_statistics s = run_whole(adams, eom, &options, 5.0, x);
    assert_true(s.jacobians * 3 < s.steps && s.jacobians * 20 > s.steps);
    assert_true(s.constraint_evaluations < 6 * s.steps);
    crank_eom_destroy(eom);
}

static void last_step_ends_exactly_at_the_end(void **state)
{
    const double ends[] = {1e-6, 0.1, 1.0 / 3.0, 7.3};
    test_pendulum data = test_pendulum_default();
    double x[5];
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-6);
    test_pendulum_start(&data, 0.4, 2.0, x);
    for (int i = 0; i < 4; i++) {
        run r;
        run_begin(&r, adams, eom, &options, 0.0, x, ends[i]);
        assert_true(isnan(crank_integrator_last_error(r.it)));
        CHECK_OK(run_to_end(&r), r.err);
        assert_true(crank_integrator_time(r.it) == ends[i]);
        assert_true(crank_integrator_last_error(r.it) <= 1.0);
        run_end(&r);
    }
    run r;
    run_begin(&r, adams, eom, &options, 2.0, x, 2.0);
    assert_true(crank_integrator_finished(r.it));
    assert_memory_equal(crank_integrator_state(r.it), x, sizeof x);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void steps_respect_their_limits(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5];
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-4);
    options.h_start = options.h_max = 0.01;
    options.max_steps = 30;
    run r;
    test_pendulum_start(&data, 0.4, 2.0, x);
    run_begin(&r, adams, eom, &options, 0.0, x, 1.0);
    int legs = 1;
    while (run_to_end(&r) == CRANK_EMAX_STEPS) { /* the limit counts anew */
        assert_true(crank_integrator_last_step(r.it) <= 0.01 * (1.0 + 1e-12));
        legs++;
    }
    CHECK_OK(r.status, r.err);
    assert_int_equal(legs, 4); /* 100 steps */
    run_end(&r);
    crank_eom_destroy(eom);
}

/* ---- refused, failed ---- */

static void what_it_cannot_do_is_refused(void **state)
{
    static const struct {
        const char *method, *option, *value, *reason;
    } cases[] = {{"psf-adams", NULL, NULL, "needs formulation ode"},
                 {adams, "singular", "pass", "use psf-radau, or singular=stop"},
                 {adams, "newton_max", "7", "adams has no option newton_max"},
                 {adams, "controller", "classical", "adams has no option controller"},
                 {adams, "growth_max", "4", "adams has no option growth_max"},
                 {"psf-bdf", "max_order", "7", "bdf has orders up to 6"},
                 {"ode-dopri8", "max_order", "7", "dopri8 has no option max_order"}};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.4, 2.0, x);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        crank_options options = crank_options_default();
        run r = {0};
        if (cases[i].option != NULL) {
            CHECK_OK(crank_options_set(&options, cases[i].option, cases[i].value, &r.err),
                     r.err);
        }
        CHECK_STATUS(run_try(&r, cases[i].method, eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, cases[i].reason);
        run_end(&r);
    }
    crank_options options = crank_options_default();
    crank_error err = {0};
    CHECK_STATUS(crank_options_set(&options, "max_order", "13", &err), CRANK_EARG);
    crank_eom_destroy(eom);
}

static void failing_equations_end_the_run(void **state)
{
    test_pendulum data = test_pendulum_default();
    double x[5];
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-6);
    run r;
    test_pendulum_start(&data, 0.4, 2.0, x);
    run_begin(&r, adams, eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    data.supply.fail = CRANK_RETRY; /* at every point: the step shrinks to nothing */
    CHECK_STATUS(run_to_end(&r), CRANK_ESTEP_TOO_SMALL);
    CHECK_CONTAINS(r.err.text, "cannot be evaluated");
    run_end(&r);
    data.supply.fail = CRANK_OK;
    run_begin(&r, adams, eom, &options, 0.0, x, 1.0);
    data.supply.fail = CRANK_EARG;
    CHECK_STATUS(run_to_end(&r), CRANK_ESTOP_EQUATIONS);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void run_stops_before_the_singular_position(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    test_slider_crank_start(&data, x);
    for (int i = 0; i < 3; i++) {
        const crank_options options = run_tolerance(pow(10.0, -4 - 2 * i));
        run r;
        run_begin(&r, adams, eom, &options, 0.0, x, 2.0);
        CHECK_STATUS(run_to_end(&r), CRANK_ESINGULAR);
        CHECK_NEAR(crank_integrator_time(r.it), 1.013884, 5e-3);
        CHECK_CONTAINS(r.err.text, "loop");
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_swing_stays_accurate),
        cmocka_unit_test(without_correction_the_constraints_drift),
        cmocka_unit_test(invariants_hold_where_they_are_enforced),
        cmocka_unit_test(rows_are_continuous_across_steps),
        cmocka_unit_test(two_evaluations_a_step),
        cmocka_unit_test(decompositions_serve_several_steps),
        cmocka_unit_test(last_step_ends_exactly_at_the_end),
        cmocka_unit_test(steps_respect_their_limits),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(failing_equations_end_the_run),
        cmocka_unit_test(run_stops_before_the_singular_position),
    };
    return CHECK_RUN(argc, argv, tests);
}
