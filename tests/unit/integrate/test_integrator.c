/* test_integrator.c - create, start, step, end: times that are hit exactly, tolerances per
 * group and unknown, limits and how to go on after them, callbacks that fail. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/create.h"
#include "order/run.h"

static test_pendulum pendulum;

static crank_eom *make_pendulum(double *x)
{
    pendulum = test_pendulum_default();
    test_pendulum_start(&pendulum, 0.4, 2.0, x);
    return test_pendulum_create(&pendulum);
}

/* ---- times ---- */

static void last_step_ends_exactly_at_the_end(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const double ends[] = {1e-6, 0.1, 1.0 / 3.0, 1.0, 7.3};
    for (size_t i = 0; i < 5; i++) {
        run r;
        const crank_options options = run_tolerance(1e-6);
        run_begin(&r, "psf", eom, &options, 0.0, x, ends[i]);
        double last = 0.0;
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            assert_true(crank_integrator_time(r.it) > last);
            CHECK_NEAR(crank_integrator_last_step(r.it), crank_integrator_time(r.it) - last,
                       0.0);
            last = crank_integrator_time(r.it);
        }
        assert_true(crank_integrator_time(r.it) == ends[i]);
        /* further calls change nothing */
        const crank_statistics before = crank_integrator_statistics(r.it);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_OK(crank_integrator_solve_to(r.it, 100.0, &r.err), r.err);
        assert_true(crank_integrator_time(r.it) == ends[i]);
        assert_int_equal(crank_integrator_statistics(r.it).attempts, before.attempts);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void start_and_end_may_coincide(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-6);
    run r;
    run_begin(&r, "psf", eom, &options, 2.0, x, 2.0);
    assert_true(crank_integrator_finished(r.it));
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    assert_memory_equal(crank_integrator_state(r.it), x, sizeof x);
    assert_int_equal(crank_integrator_statistics(r.it).steps, 0);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void impossible_times_are_refused(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-6);
    run r;
    CHECK_STATUS(run_try(&r, "psf", eom, &options, 1.0, x, 0.5), CRANK_ETIME);
    CHECK_CONTAINS(r.err.text, "before");
    run_end(&r);
    CHECK_STATUS(run_try(&r, "psf", eom, &options, 0.0, x, (double)NAN), CRANK_EARG);
    run_end(&r);
    CHECK_STATUS(run_try(&r, "psf", eom, &options, 0.0, x, (double)INFINITY), CRANK_EARG);
    run_end(&r);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    x[3] = (double)NAN;
    CHECK_STATUS(crank_integrator_start(r.it, 0.0, x, 1.0, &r.err), CRANK_ENOTFINITE);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void nothing_happens_before_start(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-6);
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    CHECK_STATUS(crank_integrator_create("radua", problem, &options, &it, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "did you mean radau");
    assert_null(it);
    CHECK_OK(crank_integrator_create("radau", problem, &options, &it, &err), err);
    CHECK_STATUS(crank_integrator_step(it, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "start");
    CHECK_STATUS(crank_integrator_solve_to(it, 1.0, &err), CRANK_EARG);
    CHECK_STATUS(crank_integrator_interpolate(it, 0.0, x, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "start");
    crank_integrator_destroy(it);
    crank_integrator_destroy(NULL);
    crank_problem_destroy(problem);
    crank_problem_destroy(NULL);
    crank_eom_destroy(eom);
}

/* neither the time to go to nor that of a row; nothing moves, and the run goes on */
static void a_time_that_is_no_number_is_refused_on_the_way(void **state)
{
    double x[5], row[5] = {7.0, 7.0, 7.0, 7.0, 7.0};
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-6);
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_start(r.it, 0.0, x, 1.0, &r.err), r.err);
    for (int at = 0; at < 3; at++) { /* before the first step, on the way, at the end */
        const double t = crank_integrator_time(r.it);
        CHECK_STATUS(crank_integrator_solve_to(r.it, (double)NAN, &r.err), CRANK_EARG);
        CHECK_CONTAINS(r.err.text, "not a number");
        CHECK_STATUS(crank_integrator_interpolate(r.it, (double)NAN, row, &r.err), CRANK_EARG);
        CHECK_NEAR(crank_integrator_time(r.it), t, 0.0);
        CHECK_NEAR(row[0], 7.0, 0.0);
        CHECK_OK(crank_integrator_solve_to(r.it, at == 0 ? 0.5 : 1.0, &r.err), r.err);
    }
    assert_true(crank_integrator_finished(r.it));
    run_end(&r);
    crank_eom_destroy(eom);
}

static void starting_late_makes_no_difference_to_an_autonomous_system(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-9);
    double from_zero[5];
    run r;
    memcpy(from_zero, x, sizeof x);
    (void)run_whole("psf", eom, &options, 2.0, from_zero);
    run_begin(&r, "psf", eom, &options, -1.0, x, 1.0);
    CHECK_OK(run_to_end(&r), r.err);
    for (int j = 0; j < 5; j++) {
        CHECK_NEAR(crank_integrator_state(r.it)[j], from_zero[j], 1e-7);
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

/* a second start forgets the first run: step-size history, counters of consecutive failures,
 * reasons to stop */
static void restart_repeats_the_first_run(void **state)
{
    double x[5], first[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-7);
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    CHECK_OK(run_to_end(&r), r.err);
    memcpy(first, crank_integrator_state(r.it), sizeof first);
    const int64_t steps = crank_integrator_statistics(r.it).steps;
    CHECK_OK(crank_integrator_start(r.it, 0.0, x, 1.0, &r.err), r.err);
    assert_true(crank_integrator_time(r.it) == 0.0);
    CHECK_OK(run_to_end(&r), r.err);
    assert_int_equal(crank_integrator_statistics(r.it).steps, 2 * steps);
    for (int j = 0; j < 5; j++) { /* the choice of pivots may differ */
        CHECK_NEAR(crank_integrator_state(r.it)[j], first[j], 1e-6);
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

/* ---- limits ---- */

static void step_limit_stops_and_the_run_can_be_continued(void **state)
{
    double x[5], whole[5];
    crank_eom *eom = make_pendulum(x);
    crank_options options = run_tolerance(1e-8);
    memcpy(whole, x, sizeof x);
    (void)run_whole("psf", eom, &options, 3.0, whole);
    options.max_steps = 20;
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x, 3.0);
    CHECK_STATUS(run_to_end(&r), CRANK_EMAX_STEPS);
    CHECK_CONTAINS(r.err.text, "max_steps = 20");
    assert_int_equal(crank_integrator_statistics(r.it).steps +
                         crank_integrator_statistics(r.it).rejected_error +
                         crank_integrator_statistics(r.it).rejected_convergence,
                     20);
    for (int i = 0; i < 100 && r.status == CRANK_EMAX_STEPS;
         i++) { /* on from where it stopped */
        double at[5];
        const double t = crank_integrator_time(r.it);
        memcpy(at, crank_integrator_state(r.it), sizeof at);
        CHECK_OK(crank_integrator_start(r.it, t, at, 3.0, &r.err), r.err);
        (void)run_to_end(&r);
        assert_true(crank_integrator_time(r.it) > t); /* every start allows for 20 more */
    }
    CHECK_OK(r.status, r.err);
    for (int j = 0; j < 5; j++) {
        CHECK_NEAR(crank_integrator_state(r.it)[j], whole[j], 1e-6);
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

static void longest_step_is_honoured(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    crank_options options = run_tolerance(1e-3);
    run r;
    options.h_max = 0.013;
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        assert_true(crank_integrator_last_step(r.it) <= 0.013 * 1.001);
    }
    assert_true(crank_integrator_statistics(r.it).steps >= 76);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void first_step_is_the_given_one(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    crank_options options = run_tolerance(1e-4);
    run r;
    options.h_start = 1.25e-4;
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    CHECK_NEAR(crank_integrator_time(r.it), 1.25e-4, 0.0);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* without h_start: no rejected first step on smooth problems, and not absurdly short */
static void first_step_is_chosen_sensibly(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    for (int exponent = 2; exponent <= 12; exponent += 2) {
        const crank_options options = run_tolerance(pow(10.0, -exponent));
        run r;
        run_begin(&r, "psf", eom, &options, 0.0, x, 10.0);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        assert_int_equal(crank_integrator_statistics(r.it).attempts, 1);
        assert_true(crank_integrator_time(r.it) > 1e-7 && crank_integrator_time(r.it) < 0.5);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* ---- tolerances ---- */

enum { UNKNOWNS_MAX = 16 };

/* Steps to the end with atol of one group (CRANK_GROUPS: of none) tight, set by its option or
 * by hand for the unknowns of the group; the end values go to x. */
static int64_t steps_with(crank_eom *eom, const double *x0, crank_group group, bool by_hand,
                          double *x)
{
    static const size_t option[CRANK_GROUPS] = {[CRANK_W] = offsetof(crank_options, atol_w),
                                                [CRANK_LAMBDA] =
                                                    offsetof(crank_options, atol_lambda),
                                                [CRANK_MU] = offsetof(crank_options, atol_mu),
                                                [CRANK_R] = offsetof(crank_options, atol_r),
                                                [CRANK_V] = offsetof(crank_options, atol_v),
                                                [CRANK_S] = offsetof(crank_options, atol_s),
                                                [CRANK_P] = offsetof(crank_options, atol_p)};
    const double tight = 1e-9;
    double rtol[UNKNOWNS_MAX], atol[UNKNOWNS_MAX];
    crank_options options = run_tolerance(1e-3);
    options.rtol = 1e-8; /* small beside atol */
    if (group != CRANK_GROUPS && !by_hand) {
        memcpy((char *)&options + option[group], &tight, sizeof tight);
    }
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x0, 1.4);
    for (int j = 0; j < r.problem->n && by_hand; j++) {
        rtol[j] = 1e-8;
        atol[j] = r.problem->group[j] == group ? tight : 1e-3;
    }
    if (by_hand) {
        CHECK_OK(crank_integrator_set_tolerances(r.it, rtol, atol, &r.err), r.err);
        CHECK_OK(crank_integrator_start(r.it, 0.0, x0, 1.4, &r.err), r.err);
    }
    CHECK_OK(run_to_end(&r), r.err);
    memcpy(x, crank_integrator_state(r.it), (size_t)r.problem->n * sizeof *x);
    const int64_t steps = crank_integrator_statistics(r.it).steps;
    run_end(&r);
    return steps;
}

/* The option of a group that the model has makes steps shorter, exactly as tolerances by hand
 * for the unknowns of that group do; that of a group it has not changes nothing. Returns the
 * number of groups. */
static int check_groups(crank_eom *eom, const double *x0)
{
    double loose[UNKNOWNS_MAX] = {0.0}, x[UNKNOWNS_MAX] = {0.0}, y[UNKNOWNS_MAX] = {0.0};
    const int64_t steps = steps_with(eom, x0, CRANK_GROUPS, false, loose);
    const size_t size = (size_t)crank_eom_unknowns(eom) * sizeof *x;
    int count = 0;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        const int end = g + 1 < CRANK_GROUPS ? crank_eom_column(eom, (crank_group)(g + 1))
                                             : crank_eom_unknowns(eom);
        const int64_t by_option = steps_with(eom, x0, (crank_group)g, false, x);
        if (crank_eom_column(eom, (crank_group)g) == end) {
            assert_int_equal(by_option, steps);
            assert_memory_equal(x, loose, size);
            continue;
        }
        count++;
        assert_true(by_option > steps);
        assert_int_equal(steps_with(eom, x0, (crank_group)g, true, y), by_option);
        assert_memory_equal(x, y, size);
    }
    return count;
}

static void tolerance_of_a_group_counts(void **state)
{
    double x[UNKNOWNS_MAX];
    test_academic all = test_academic_default();
    crank_eom *eom = test_academic_create(&all); /* all groups but mu */
    test_academic_exact(0.0, x);
    assert_int_equal(check_groups(eom, x), 6);
    crank_eom_destroy(eom);
    test_skate skate = test_skate_default(); /* mu, v, p */
    eom = test_skate_create(&skate);
    test_skate_exact(&skate, 0.0, x);
    assert_int_equal(check_groups(eom, x), 3);
    crank_eom_destroy(eom);
}

static void tolerances_per_unknown_replace_those_of_the_options(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    const crank_options options = run_tolerance(1e-4), tight = run_tolerance(1e-8);
    double rtol[5], atol[5];
    run r;
    double reference[5];
    memcpy(reference, x, sizeof x);
    const crank_statistics by_options = run_whole("psf", eom, &tight, 1.0, reference);
    for (int j = 0; j < 5; j++) {
        rtol[j] = atol[j] = 1e-8;
    }
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_set_tolerances(r.it, rtol, atol, &r.err), r.err);
    CHECK_OK(crank_integrator_start(r.it, 0.0, x, 1.0, &r.err), r.err);
    CHECK_OK(run_to_end(&r), r.err);
    assert_int_equal(crank_integrator_statistics(r.it).steps, by_options.steps);
    rtol[2] = 0.0;
    CHECK_STATUS(crank_integrator_set_tolerances(r.it, rtol, atol, &r.err), CRANK_EARG);
    CHECK_CONTAINS(r.err.text, "unknown 3");
    rtol[2] = 1e-8;
    atol[4] = (double)NAN;
    CHECK_STATUS(crank_integrator_set_tolerances(r.it, rtol, atol, &r.err), CRANK_EARG);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void options_out_of_range_are_refused(void **state)
{
    double x[5];
    crank_eom *eom = make_pendulum(x);
    crank_options options = run_tolerance(1e-6);
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    options.h_max = -1.0;
    CHECK_STATUS(crank_integrator_create("radau", problem, &options, &it, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "h_max");
    assert_null(it);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

/* of auto, whose parts count, too, and of methods with cheap updates of their matrices */
static void counts_of_steps_are_those_of_the_statistics(void **state)
{
    static const char *const methods[] = {"auto-auto", "psf-radau", "ggl-bdf", "ode-dopri8"};
    test_pendulum data = test_pendulum_default();
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        crank_eom *eom = test_pendulum_create(&data);
        crank_options options = run_tolerance(1e-7);
        double x[20] = {0.0};
        run r;
        options.jacobian = methods[i][0] == 'g' ? CRANK_JACOBIAN_PARTITIONED : options.jacobian;
        test_pendulum_start(&data, 0.0, 2.8, x);
        run_begin(&r, methods[i], eom, &options, 0.0, x, 3.0);
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            const crank_statistics all = crank_integrator_statistics(r.it);
            const crank_step_counts some = crank_integrator_counts(r.it);
            assert_int_equal(some.rejected, all.rejected_error + all.rejected_convergence);
            assert_int_equal(some.newton_iterations, all.newton_iterations);
            assert_int_equal(some.jacobians, all.jacobians);
            assert_int_equal(some.jacobian_updates, all.jacobian_updates);
        }
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_steps_are_those_of_the_statistics),
        cmocka_unit_test(last_step_ends_exactly_at_the_end),
        cmocka_unit_test(start_and_end_may_coincide),
        cmocka_unit_test(impossible_times_are_refused),
        cmocka_unit_test(nothing_happens_before_start),
        cmocka_unit_test(a_time_that_is_no_number_is_refused_on_the_way),
        cmocka_unit_test(starting_late_makes_no_difference_to_an_autonomous_system),
        cmocka_unit_test(restart_repeats_the_first_run),
        cmocka_unit_test(step_limit_stops_and_the_run_can_be_continued),
        cmocka_unit_test(longest_step_is_honoured),
        cmocka_unit_test(first_step_is_the_given_one),
        cmocka_unit_test(first_step_is_chosen_sensibly),
        cmocka_unit_test(tolerance_of_a_group_counts),
        cmocka_unit_test(tolerances_per_unknown_replace_those_of_the_options),
        cmocka_unit_test(options_out_of_range_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
