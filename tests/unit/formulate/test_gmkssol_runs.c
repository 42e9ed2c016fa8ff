/* test_gmkssol_runs.c - gmkssol run by Radau: against psf, reference values and exact
 * solutions; its three branches; selectors renewed at every step, seldom, never; ranks that
 * change. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "gmkssol_models.h"

#include "integrate/create.h"

enum { MAX = 16 }; /* unknowns of the models, at most */

typedef struct run {
    crank_statistics statistics;
    crank_status status;
    crank_error err;
    double t, worst[3]; /* residuals over all steps */
} run;

/* x from 0 to t_end in place; where it stops if it fails */
static run run_to(const char *formulation, crank_eom *eom, const crank_options *options,
                  double t_end, double *x)
{
    run r = {0};
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    CHECK_OK(
        crank_formulate(formulation, eom, options, 0.0, x, (crank_log){0}, &problem, &r.err),
        r.err);
    CHECK_OK(crank_integrator_create("radau", problem, options, &it, &r.err), r.err);
    CHECK_OK(crank_integrator_start(it, 0.0, x, t_end, &r.err), r.err);
    while (r.status == CRANK_OK && !crank_integrator_finished(it)) {
        double residual[3];
        r.status = crank_integrator_step(it, &r.err);
        const double *now = crank_integrator_state(it);
        CHECK_OK(problem->report->residuals(problem, crank_integrator_time(it), now, residual,
                                            &r.err),
                 r.err);
        for (int i = 0; i < 3; i++) {
            r.worst[i] = fmax(r.worst[i], residual[i]);
        }
    }
    memcpy(x, crank_integrator_state(it), (size_t)problem->n * sizeof *x);
    r.t = crank_integrator_time(it);
    r.statistics = crank_integrator_statistics(it);
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    return r;
}

static crank_options tolerance(double tol)
{
    crank_options options = crank_options_default();
    options.rtol = options.atol = tol;
    return options;
}

static void check_round_off(const run *r)
{
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(r->worst[i], 0.0, 1e-13);
    }
}

static void pendulum_moves_as_with_psf_for_every_selector_period(void **state)
{
    static const int periods[] = {0, 10, -1};
    double reference[MAX], x[MAX];
    crank_options options = tolerance(1e-9);
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    test_pendulum_start(&data, 0.5, 0.0, reference);
    run r = run_to("psf", eom, &options, 5.0, reference);
    CHECK_OK(r.status, r.err);
    for (int i = 0; i < 3; i++) {
        options.selector_period = periods[i];
        test_pendulum_start(&data, 0.5, 0.0, x);
        r = run_to("gmkssol", eom, &options, 5.0, x);
        CHECK_OK(r.status, r.err);
        check_round_off(&r);
        for (int j = 0; j < 5; j++) {
            CHECK_NEAR(x[j], reference[j],
                       100.0 * options.rtol * fmax(1.0, fabs(reference[j])));
        }
        if (periods[i] == 0) {
            assert_true(r.statistics.selector_updates >= r.statistics.steps - 1);
        } else if (periods[i] > 0) {
            assert_true(r.statistics.selector_updates <= r.statistics.steps / 10 + 2);
            assert_true(r.statistics.selector_updates >= r.statistics.steps / 20);
        } else {
            assert_true(r.statistics.selector_updates == 1);
        }
    }
    crank_eom_destroy(eom);
}

static void rotating_pendulum_renews_old_selectors_early(void **state)
{
    double reference[MAX], x[MAX];
    crank_options options = tolerance(1e-8);
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    test_pendulum_start(&data, 0.0, 9.0, reference);
    run r = run_to("psf", eom, &options, 5.0, reference);
    CHECK_OK(r.status, r.err);
    options.selector_period = 1000000;
    test_pendulum_start(&data, 0.0, 9.0, x);
    r = run_to("gmkssol", eom, &options, 5.0, x);
    CHECK_OK(r.status, r.err);
    assert_true(r.statistics.selector_updates >= 4);
    for (int j = 1; j < 5; j++) {
        CHECK_NEAR(x[j], reference[j], 1e4 * options.rtol);
    }
    crank_eom_destroy(eom);
}

/* specification 3.4: values at t = 10 agree at two tolerances to all digits */
static void slider_crank_reaches_reference_values(void **state)
{
    const double reference[] = {-15.703748938, -2.778782550, 0.827300180, -2.6510555480,
                                -0.1576859027};
    double x[MAX];
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    for (int exponent = 5; exponent <= 11; exponent += 3) {
        const crank_options options = tolerance(pow(10.0, -exponent));
        test_slider_crank_start(&data, x);
        const run r = run_to("gmkssol", eom, &options, 10.0, x);
        CHECK_OK(r.status, r.err);
        check_round_off(&r);
        for (int j = 0; j < 5; j++) {
            CHECK_NEAR(x[j], reference[j], 1000.0 * options.rtol + 1e-9 * fabs(reference[j]));
        }
    }
    crank_eom_destroy(eom);
}

static void redundant_slider_crank_moves_like_the_regular_one(void **state)
{
    double reference[MAX], x[MAX];
    const crank_options options = tolerance(1e-9);
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, reference);
    run r = run_to("gmkssol", eom, &options, 5.0, reference);
    CHECK_OK(r.status, r.err);
    crank_eom_destroy(eom);
    for (int variant = 0; variant < 2; variant++) {
        data.rows = 3;
        data.factor[1] = variant * 2.0;
        data.factor[2] = variant * -0.5;
        eom = test_slider_crank_create(&data);
        test_slider_crank_start(&data, x);
        r = run_to("gmkssol", eom, &options, 5.0, x);
        CHECK_OK(r.status, r.err);
        check_round_off(&r);
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(x[3 + j], reference[1 + j], 1e-6);
        }
        /* the generalised force G^T lambda is unique, the multipliers are not */
        CHECK_NEAR(x[0] + data.factor[1] * x[1] + data.factor[2] * x[2], reference[0], 1e-6);
        crank_eom_destroy(eom);
    }
}

static void singular_slider_crank_stops_at_its_singular_position(void **state)
{
    double x[MAX];
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        crank_options options = tolerance(pow(10.0, -exponent));
        for (int period = 0; period <= 10; period += 10) {
            options.selector_period = period;
            test_slider_crank_start(&data, x);
            const run r = run_to("gmkssol", eom, &options, 2.0, x);
            CHECK_STATUS(r.status, CRANK_ESINGULAR);
            CHECK_CONTAINS(r.err.text, "holonomic");
            CHECK_NEAR(r.t, 1.013884, 2e-3); /* by quadrature, specification 3.4 */
        }
    }
    crank_eom_destroy(eom);
}

static void rising_rank_stops_the_run_and_names_the_row(void **state)
{
    double x[MAX] = {0.0};
    const crank_options options = tolerance(1e-6);
    gmkssol_fading kind = GMKSSOL_RISING;
    crank_eom *eom = gmkssol_fading_create(&kind);
    const run r = run_to("gmkssol", eom, &options, 2.0, x);
    CHECK_STATUS(r.status, CRANK_ERANK_CHANGED);
    CHECK_CONTAINS(r.err.text, "exceeds 1");
    CHECK_CONTAINS(r.err.text, crank_eom_column_name(eom, 1) + strlen("lambda."));
    crank_eom_destroy(eom);
}

static void constant_selectors_give_the_remedy_when_they_fail(void **state)
{
    double x[MAX];
    crank_options options = tolerance(1e-8);
    options.selector_period = -1;
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    test_pendulum_start(&data, 0.0, 9.0, x);
    const run r = run_to("gmkssol", eom, &options, 5.0, x);
    CHECK_STATUS(r.status, CRANK_ESINGULAR);
    CHECK_CONTAINS(r.err.text, "selector_period=0");
    /* x' is all that S_p sees, and the rod is about horizontal */
    CHECK_NEAR(x[4], 0.0, 0.1);
    crank_eom_destroy(eom);
}

/* 10 masses, 50 unknowns */
static void chain_moves_as_with_psf(void **state)
{
    double x[2][50];
    crank_error err = {0};
    crank_problem *problem = NULL;
    crank_options options = tolerance(1e-8), trusting = options;
    trusting.check_initial = false;
    test_chain data = {.count = 10, .m = 1.0, .L = 1.0, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    test_chain_start(&data, x[0]);
    CHECK_OK(
        crank_formulate("gmkssol", eom, &trusting, 0.0, x[0], (crank_log){0}, &problem, &err),
        err);
    CHECK_OK(problem->constraints->correct(problem, 0.0, x[0], &err), err);
    crank_problem_destroy(problem);
    memcpy(x[1], x[0], sizeof x[0]);
    for (int i = 0; i < 2; i++) {
        const run r = run_to(i == 0 ? "psf" : "gmkssol", eom, &options, 0.5, x[i]);
        CHECK_OK(r.status, r.err);
        check_round_off(&r);
    }
    for (int j = 10; j < 50; j++) {
        CHECK_NEAR(x[1][j], x[0][j], 100.0 * options.rtol * fmax(1.0, fabs(x[0][j])));
    }
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

static void hidden_constraints_by_differences_are_good_enough(void **state)
{
    double reference[MAX], x[MAX];
    const crank_options options = tolerance(1e-8);
    test_pendulum data = test_pendulum_default();
    for (int i = 0; i < 2; i++) {
        data.supply.levels = i == 0 ? CRANK_LEVELS_ALL : CRANK_LEVELS_POSITION;
        data.supply.no_jacobian = i == 1;
        crank_eom *eom = test_pendulum_create(&data);
        double *y = i == 0 ? reference : x;
        test_pendulum_start(&data, 0.5, 0.0, y);
        const run r = run_to("gmkssol", eom, &options, 5.0, y);
        CHECK_OK(r.status, r.err);
        crank_eom_destroy(eom);
    }
    for (int j = 1; j < 5; j++) {
        CHECK_NEAR(x[j], reference[j], 10.0 * options.rtol);
    }
}

static void unconstrained_system_is_a_plain_stiff_ode(void **state)
{
    double x[MAX] = {0.0, 0.0, 1.0, 1.0};
    const crank_options options = tolerance(1e-8);
    crank_eom *eom = gmkssol_plain_create(gmkssol_oscillators_rows, 2, NULL);
    const run r = run_to("gmkssol", eom, &options, 10.0, x);
    CHECK_OK(r.status, r.err);
    CHECK_NEAR(x[2], cos(10.0), 1000.0 * options.rtol);
    CHECK_NEAR(x[0], -sin(10.0), 1000.0 * options.rtol);
    /* particular solution of the stiff one: 1e6 / (1e6 - 1 + 2e3 i) e^(it) */
    const double a = 1e6 - 1.0, b = 2e3, square = (a * a + b * b) / 1e6;
    CHECK_NEAR(x[3], (a * cos(10.0) + b * sin(10.0)) / square, 1000.0 * options.rtol);
    assert_true(r.statistics.steps < 500); /* the fast rate 1e3 is not resolved */
    crank_eom_destroy(eom);
}

/* rows between steps and at steps, all solved from the constraints */
static void forced_system_is_exact_at_every_output(void **state)
{
    double x[MAX], exact[MAX];
    crank_error err = {0};
    const crank_options options = tolerance(1e-4);
    crank_eom *eom = gmkssol_led_create();
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    gmkssol_led_exact(0.0, x);
    CHECK_OK(crank_formulate("gmkssol", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    CHECK_OK(crank_integrator_create("radau", problem, &options, &it, &err), err);
    CHECK_OK(crank_integrator_start(it, 0.0, x, 20.0, &err), err);
    for (int i = 0; i <= 200; i++) {
        const double t = 0.1 * i;
        CHECK_OK(crank_integrator_solve_to(it, t, &err), err);
        CHECK_OK(crank_integrator_interpolate(it, t, x, &err), err);
        gmkssol_led_exact(t, exact);
        for (int j = 0; j < 7; j++) {
            if (j == 2) {
                CHECK_NEAR(x[2], exact[2], 100.0 * options.rtol); /* r is integrated */
            } else {
                CHECK_NEAR(x[j], exact[j], 1e-12);
            }
        }
    }
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

static void driven_four_bar_stays_on_its_branch(void **state)
{
    double x[MAX] = {0.0}, p[3];
    crank_error err = {0};
    const crank_options options = tolerance(1e-3);
    crank_options trusting = options;
    crank_eom *eom = gmkssol_four_bar_create();
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    gmkssol_four_bar_exact(0.0, x + 6);
    x[3] = 2.0; /* the other velocities and the multipliers by correction */
    trusting.check_initial = false;
    CHECK_OK(crank_formulate("gmkssol", eom, &trusting, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    CHECK_OK(problem->constraints->correct(problem, 0.0, x, &err), err);
    crank_problem_destroy(problem);
    CHECK_OK(crank_formulate("gmkssol", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    CHECK_OK(crank_integrator_create("radau", problem, &options, &it, &err), err);
    CHECK_OK(crank_integrator_start(it, 0.0, x, 50.0, &err), err);
    for (int i = 0; i <= 1000; i++) {
        const double t = 0.05 * i;
        CHECK_OK(crank_integrator_solve_to(it, t, &err), err);
        CHECK_OK(crank_integrator_interpolate(it, t, x, &err), err);
        gmkssol_four_bar_exact(t, p);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(sin(x[6 + j]), sin(p[j]), 1e-12);
            CHECK_NEAR(cos(x[6 + j]), cos(p[j]), 1e-12);
        }
    }
    assert_true(crank_integrator_statistics(it).steps < 1000);
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_moves_as_with_psf_for_every_selector_period),
        cmocka_unit_test(rotating_pendulum_renews_old_selectors_early),
        cmocka_unit_test(slider_crank_reaches_reference_values),
        cmocka_unit_test(redundant_slider_crank_moves_like_the_regular_one),
        cmocka_unit_test(singular_slider_crank_stops_at_its_singular_position),
        cmocka_unit_test(unconstrained_system_is_a_plain_stiff_ode),
        cmocka_unit_test(rising_rank_stops_the_run_and_names_the_row),
        cmocka_unit_test(constant_selectors_give_the_remedy_when_they_fail),
        cmocka_unit_test(chain_moves_as_with_psf),
        cmocka_unit_test(hidden_constraints_by_differences_are_good_enough),
        cmocka_unit_test(forced_system_is_exact_at_every_output),
        cmocka_unit_test(driven_four_bar_stays_on_its_branch),
    };
    return CHECK_RUN(argc, argv, tests);
}
