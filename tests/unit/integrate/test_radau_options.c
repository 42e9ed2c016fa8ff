/* test_radau_options.c - every option of the integrator does what it says: its counter or
 * its error changes, and the solution does not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "order/run.h"

/* A pendulum that rotates quickly: pivots change, Newton has work to do. */
typedef struct outcome {
    crank_statistics s;
    double x[5];
} outcome;

static double reference[5];

static outcome swing(const crank_options *options, double speed)
{
    outcome o;
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    test_pendulum_start(&data, 0.0, speed, o.x);
    o.s = run_whole("psf", eom, options, 3.0, o.x);
    crank_eom_destroy(eom);
    return o;
}

static outcome rotate(const crank_options *options)
{
    return swing(options, 8.0);
}

static int find_reference(void **state)
{
    const crank_options options = run_tolerance(1e-12);
    memcpy(reference, rotate(&options).x, sizeof reference);
    return 0;
}

static void check_solution(const outcome *o, double tolerance)
{
    for (int j = 0; j < 5; j++) {
        CHECK_NEAR(o->x[j], reference[j], tolerance * fmax(1.0, fabs(reference[j])));
    }
}

static const crank_options *base_options(void)
{
    static crank_options options;
    options = run_tolerance(1e-7);
    return &options;
}

static void negative_reuse_means_a_jacobian_per_step(void **state)
{
    crank_options options = *base_options();
    options.jacobian_reuse = -1.0;
    options.h_start = 1e-3;
    outcome o = rotate(&options);
    assert_int_equal(o.s.jacobians, o.s.steps);
    check_solution(&o, 1e-5);
    options.jacobian_reuse = 0.5;
    o = rotate(&options);
    assert_true((double)o.s.jacobians < 0.7 * (double)o.s.steps);
    check_solution(&o, 1e-5);
}

static void kept_steps_save_factorizations(void **state)
{
    crank_options options = *base_options();
    options.jacobian_reuse = 0.9;
    options.keep_low = 1.0;
    options.keep_high = 1.0;
    outcome never = rotate(&options);
    options.keep_low = 0.5;
    options.keep_high = 3.0;
    outcome often = rotate(&options);
    assert_true(often.s.factorizations < never.s.factorizations);
    check_solution(&never, 1e-5);
    check_solution(&often, 1e-5);
}

static void newton_updates_avoid_rejections(void **state)
{
    int64_t without = 0, with = 0;
    for (int exponent = 3; exponent <= 6; exponent++) {
        crank_options options = run_tolerance(pow(10.0, -exponent));
        options.newton_max = 5; /* make it hard */
        without += rotate(&options).s.rejected_convergence;
        options.newton_updates = 1;
        const outcome o = rotate(&options);
        with += o.s.rejected_convergence;
        check_solution(&o, 1000.0 * options.rtol);
    }
    assert_true(without > 0);
    assert_true(with < without);
}

static void newton_matrix_at_any_stage_gives_the_same_solution(void **state)
{
    for (int stage = 0; stage <= 3; stage++) {
        crank_options options = *base_options();
        options.newton_matrix = stage;
        const outcome o = rotate(&options);
        check_solution(&o, 1e-5);
    }
}

static void zero_starting_values_cost_iterations(void **state)
{
    crank_options options = *base_options();
    const outcome extrapolated = rotate(&options);
    options.newton_start = CRANK_START_ZERO;
    const outcome zero = rotate(&options);
    assert_true(zero.s.newton_iterations > extrapolated.s.newton_iterations);
    check_solution(&zero, 1e-5);
}

static void controllers_and_rules_give_the_same_solution_by_other_steps(void **state)
{
    int64_t steps[4];
    for (int i = 0; i < 4; i++) {
        crank_options options = *base_options();
        options.controller = i % 2 == 0 ? CRANK_CONTROL_PREDICTIVE : CRANK_CONTROL_CLASSICAL;
        options.control_rules = i < 2 ? CRANK_RULES_RADAU5 : CRANK_RULES_PUBLISHED;
        const outcome o = rotate(&options);
        check_solution(&o, 1e-5);
        steps[i] = swing(&options, 5.6).s.attempts; /* the step changes a lot */
    }
    assert_true(steps[0] != steps[1]);
    assert_true(steps[2] != steps[3]);
    assert_true(steps[0] != steps[2]);
}

static void smaller_safety_takes_more_steps(void **state)
{
    crank_options options = *base_options();
    const outcome normal = rotate(&options);
    options.safety = 0.5;
    const outcome careful = rotate(&options);
    assert_true((double)careful.s.steps > 1.3 * (double)normal.s.steps);
    assert_true(careful.s.rejected_error <= normal.s.rejected_error);
    check_solution(&careful, 1e-5);
}

/* ratios of successive steps, the last one left out */
static void step_ratios(const crank_options *options, double *smallest, double *largest)
{
    double x[5], before = 0.0;
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    run r;
    *smallest = (double)INFINITY;
    *largest = 0.0;
    test_pendulum_start(&data, 0.0, 8.0, x);
    run_begin(&r, "psf", eom, options, 0.0, x, 3.0);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        const double h = crank_integrator_last_step(r.it);
        if (before > 0.0 && !crank_integrator_finished(r.it)) {
            *smallest = fmin(*smallest, h / before);
            *largest = fmax(*largest, h / before);
        }
        before = h;
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

static void growth_is_limited(void **state)
{
    double smallest, largest;
    crank_options options = *base_options();
    options.h_start = 1e-6;
    step_ratios(&options, &smallest, &largest);
    CHECK_NEAR(largest, 8.0, 1e-3);
    options.growth_max = 2.0;
    step_ratios(&options, &smallest, &largest);
    CHECK_NEAR(largest, 2.0, 1e-3);
}

/* r' = pulse of a given width at t = 5, area one: long steps run into it */
static crank_status pulse(double t, const double *x, double *k, void *user)
{
    const double width = *(const double *)user, z = (t - 5.0) / width;
    (void)x;
    k[0] = exp(-z * z) / (width * sqrt(3.14159265358979323846));
    return CRANK_OK;
}

static crank_eom *pulse_create(double *width)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = pulse;
    d.user = width;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

static void shrinking_is_limited(void **state)
{
    double width = 0.05;
    int64_t rejected[2];
    crank_eom *eom = pulse_create(&width);
    for (int i = 0; i < 2; i++) {
        crank_options options = run_tolerance(1e-6);
        double x[1] = {0.0};
        options.h_max = 0.1;
        options.growth_min = i == 0 ? 0.01 : 0.95;
        rejected[i] = run_whole("psf", eom, &options, 10.0, x).rejected_error;
        CHECK_NEAR(x[0], 1.0, 1e-4);
    }
    assert_true(rejected[0] > 0);
    assert_true(rejected[1] > 2 * rejected[0]);
    crank_eom_destroy(eom);
}

static void few_newton_iterations_mean_more_rejections(void **state)
{
    crank_options options = run_tolerance(1e-5);
    const outcome normal = rotate(&options);
    options.newton_max = 3;
    const outcome few = rotate(&options);
    assert_true(few.s.rejected_convergence > normal.s.rejected_convergence);
    check_solution(&few, 1e-2);
}

static void tighter_newton_tolerance_costs_iterations(void **state)
{
    crank_options options = *base_options();
    const outcome normal = rotate(&options);
    options.newton_tolerance = 1e-7;
    const outcome tight = rotate(&options);
    assert_true((double)tight.s.newton_iterations / (double)tight.s.attempts >
                1.2 * (double)normal.s.newton_iterations / (double)normal.s.attempts);
    check_solution(&tight, 1e-5);
}

/* specification 1.6: twice to three times the steps without the transformation */
static void tolerance_transformation_saves_steps(void **state)
{
    crank_options options = *base_options();
    const outcome on = rotate(&options);
    options.tolerance_transform = false;
    const outcome off = rotate(&options);
    assert_true((double)off.s.steps > 1.7 * (double)on.s.steps);
    check_solution(&off, 1e-5);
}

static void selectors_in_every_step_are_counted(void **state)
{
    crank_options options = *base_options();
    options.jacobian_reuse = -1.0;
    const outcome adaptive = rotate(&options);
    options.selector_update = CRANK_SELECTOR_EVERY_STEP;
    const outcome every = rotate(&options);
    assert_true(every.s.selector_updates >= every.s.steps);
    assert_true(adaptive.s.selector_updates < adaptive.s.steps / 2);
    check_solution(&every, 1e-5);
}

/* feature list 10: the same solution to tolerance for all combinations */
static void decompositions_give_the_same_solution(void **state)
{
    for (int v = 0; v < 12; v++) {
        crank_options options = *base_options();
        options.algebraic = (crank_algebraic_decomposition)(CRANK_ALGEBRAIC_LU + v % 3);
        options.differential = v / 3 % 2 == 0 ? CRANK_DIFFERENTIAL_LU : CRANK_DIFFERENTIAL_QR;
        options.selector_source = v < 6 ? CRANK_SELECTOR_MASS : CRANK_SELECTOR_NEWTON_MATRIX;
        const outcome o = rotate(&options);
        check_solution(&o, 1e-5);
    }
}

/* the unit decides when a step has become too small: 0.1 h <= |t| unit */
static void rounding_unit_limits_the_step(void **state)
{
    double width = 0.01, x[1] = {0.0};
    crank_eom *eom = pulse_create(&width);
    crank_options options = run_tolerance(1e-3);
    run r;
    options.h_max = 0.01;
    (void)run_whole("psf", eom, &options, 10.0, x);
    CHECK_NEAR(x[0], 1.0, 1e-2);
    options.rounding_unit = 9.9e-5; /* at t = 5: steps below 5e-3 */
    x[0] = 0.0;
    run_begin(&r, "psf", eom, &options, 0.0, x, 10.0);
    CHECK_STATUS(run_to_end(&r), CRANK_ESTEP_TOO_SMALL);
    CHECK_CONTAINS(r.err.text, "too small at t = 4.9");
    run_end(&r);
    crank_eom_destroy(eom);
}

static void final_correction_makes_rows_exact(void **state)
{
    double worst[2] = {0.0, 0.0};
    for (int on = 0; on < 2; on++) {
        double x[5];
        test_pendulum data = test_pendulum_default();
        crank_eom *eom = test_pendulum_create(&data);
        crank_options options = run_tolerance(1e-4);
        run r;
        options.final_correction = on == 1;
        test_pendulum_start(&data, 0.0, 8.0, x);
        run_begin(&r, "psf", eom, &options, 0.0, x, 3.0);
        while (!crank_integrator_finished(r.it)) {
            double residual[3];
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_OK(crank_eom_residuals(eom, crank_integrator_time(r.it),
                                         crank_integrator_state(r.it), residual, &r.err),
                     r.err);
            worst[on] = fmax(worst[on], fmax(residual[0], fmax(residual[1], residual[2])));
        }
        assert_true((crank_integrator_statistics(r.it).constraint_evaluations > 0) ==
                    (on == 1));
        run_end(&r);
        crank_eom_destroy(eom);
    }
    assert_true(worst[0] > 1e-10);
    CHECK_NEAR(worst[1], 0.0, 1e-13);
}

/* nothing singular is near: the monitor must neither shorten nor stop */
static void singularity_monitor_leaves_regular_motion_alone(void **state)
{
    crank_options options = *base_options();
    const outcome watched = rotate(&options);
    options.singular = CRANK_SINGULAR_PASS;
    const outcome passed = rotate(&options);
    options.singular = CRANK_SINGULAR_STOP;
    options.singular_threshold = 0.0; /* not watched */
    const outcome unwatched = rotate(&options);
    assert_int_equal(unwatched.s.steps, passed.s.steps);
    assert_int_equal(watched.s.steps, passed.s.steps);
    assert_int_equal(passed.s.singular_passages, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negative_reuse_means_a_jacobian_per_step),
        cmocka_unit_test(kept_steps_save_factorizations),
        cmocka_unit_test(newton_updates_avoid_rejections),
        cmocka_unit_test(newton_matrix_at_any_stage_gives_the_same_solution),
        cmocka_unit_test(zero_starting_values_cost_iterations),
        cmocka_unit_test(controllers_and_rules_give_the_same_solution_by_other_steps),
        cmocka_unit_test(smaller_safety_takes_more_steps),
        cmocka_unit_test(growth_is_limited),
        cmocka_unit_test(shrinking_is_limited),
        cmocka_unit_test(few_newton_iterations_mean_more_rejections),
        cmocka_unit_test(tighter_newton_tolerance_costs_iterations),
        cmocka_unit_test(tolerance_transformation_saves_steps),
        cmocka_unit_test(selectors_in_every_step_are_counted),
        cmocka_unit_test(decompositions_give_the_same_solution),
        cmocka_unit_test(rounding_unit_limits_the_step),
        cmocka_unit_test(final_correction_makes_rows_exact),
        cmocka_unit_test(singularity_monitor_leaves_regular_motion_alone),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, find_reference, NULL);
}
