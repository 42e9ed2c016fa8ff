/* test_sdirk4.c - SDIRK of order 4: order on ordinary and constrained equations,
 * stability where the step is long beside the fastest motion, the error estimate, rates that
 * jump. theory
 * 4.13. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/integrator.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

static const char *const methods[] = {"psf-sdirk415", "psf-sdirk416"};
enum { METHODS = sizeof methods / sizeof *methods };

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

/* ---- ordinary equations ---- */

/* x' = -2 t x^2, neither linear nor autonomous, and a double of it that is */
static const char plain[] = "crank: dae\nvariables: {x: 1, y: 1}\n"
                            "equations: [\"x' = -2*t*x^2\", \"y' = -x*y\"]\n";

static void exact(double t, double *x)
{
    x[0] = 1.0 / (1.0 + t * t);
    x[1] = exp(-atan(t));
}

static crank_state *open_model(const char *text)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    return model;
}

static double distance(const double *x, double t)
{
    double e[2];
    exact(t, e);
    return fmax(fabs(x[0] - e[0]), fabs(x[1] - e[1]));
}

static double error_of(const char *method, double h)
{
    crank_state *model = open_model(plain);
    const crank_options options = run_fixed_step(h);
    double x[2];
    exact(0.0, x);
    (void)run_whole(method, crank_state_eom(model), &options, 2.0, x);
    one_state_close(model);
    return distance(x, 2.0);
}

static void error_falls_with_the_fourth_power_of_the_step(void **state)
{
    for (int i = 0; i < METHODS; i++) {
        CHECK_NEAR(order(error_of(methods[i], 1.0 / 40), error_of(methods[i], 1.0 / 80)), 4.0,
                   0.2);
    }
}

/* of one step from t = 0.3, and its estimate */
static double error_of_step(const char *method, double h, double *estimate)
{
    const double t0 = 0.3;
    crank_state *model = open_model(plain);
    const crank_options options = run_fixed_step(h);
    double x[2];
    run r;
    exact(t0, x);
    run_begin(&r, method, crank_state_eom(model), &options, t0, x, t0 + 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    memcpy(x, crank_integrator_state(r.it), sizeof x);
    *estimate = crank_integrator_last_error(r.it);
    run_end(&r);
    one_state_close(model);
    return distance(x, t0 + h);
}

static void estimate_is_of_order_3(void **state)
{
    for (int i = 0; i < METHODS; i++) {
        double coarse, fine;
        const double error = error_of_step(methods[i], 0.05, &coarse);
        (void)error_of_step(methods[i], 0.025, &fine);
        CHECK_NEAR(order(coarse, fine), 4.0, 0.3);
        assert_true(coarse > error);
    }
}

/* ---- rates that jump ---- */

/* x' is 1 up to an edge, -1 behind it, beside a motion with a fast rate */
typedef struct edged {
    double edge, rate;
} edged;

static crank_status with_edge(double t, const double *x, double *k, void *user)
{
    const edged *data = user;
    k[0] = t < data->edge ? 1.0 : -1.0;
    k[1] = -data->rate * (x[1] - cos(t));
    return CRANK_OK;
}

/* of x at the end of a run whose first step has the length 1, over the tolerance */
static double error_behind_edge(const char *method, edged data, double tolerance)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_options options = run_tolerance(tolerance);
    const double t_end = 1.5;
    double x[2] = {0.0, 1.0};
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 2};
    d.evaluate = with_edge;
    d.user = &data;
    options.h_start = 1.0;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    (void)run_whole(method, eom, &options, t_end, x);
    crank_eom_destroy(eom);
    return fabs(x[0] - (2.0 * data.edge - t_end)) / tolerance;
}

/* In the end a step passes the edge: with half of the tolerance in each of two unknowns, and
 * 35 times the estimate where the edge lies between the third and fourth stage. Seen too late it
 * would be off by twice the time before it, 80 tolerances at least. */
static void check_jumps(double rate, double tolerance)
{
    for (int i = 0; i < METHODS; i++) {
        for (int k = 4; k < 25; k++) { /* the first node lies behind the edge */
            const edged data = {0.01 * k, rate};
            assert_true(error_behind_edge(methods[i], data, tolerance) < 60.0);
        }
    }
}

static void jumps_of_rates_before_the_first_stage_are_seen(void **state)
{
    check_jumps(0.0, 1e-3);
    check_jumps(0.0, 1e-6);
}

static void jumps_are_seen_beside_fast_motions_too(void **state)
{
    check_jumps(1e6, 1e-3);
}

/* ---- stiff equations ---- */

/* y'' + 10001 y' + 10000 y = 0 */
static const char stiff[] = "crank: dae\nvariables: {y: 1, v: 0}\n"
                            "equations: [\"y' = v\", \"v' = -10001*v - 10000*y\"]\n";

/* z = -400 a step: |R(z)| < 8/|z| for both, so that two steps leave 4e-4 of the fast motion */
static void fast_motions_are_damped_at_once(void **state)
{
    for (int i = 0; i < METHODS; i++) {
        crank_state *model = open_model(stiff);
        crank_options options = run_fixed_step(0.04);
        options.atol = 1e6; /* no error test fails */
        double x[2] = {1.0, 0.0};
        const crank_statistics s =
            run_whole(methods[i], crank_state_eom(model), &options, 0.08, x);
        assert_int_equal(s.steps, 2);
        CHECK_NEAR(x[1], -exp(-0.08), 1e-3);
        one_state_close(model);
    }
}

static void stiff_equations_take_the_steps_of_the_slow_motion(void **state)
{
    for (int i = 0; i < METHODS; i++) {
        crank_state *model = open_model(stiff);
        const crank_options options = run_tolerance(1e-6);
        double x[2] = {1.0, 0.0};
        const crank_statistics s =
            run_whole(methods[i], crank_state_eom(model), &options, 2.0, x);
        const double y = (10000.0 * exp(-2.0) - exp(-20000.0)) / 9999.0;
        assert_true(s.steps < 200); /* h L < 2.8, of explicit formulas, would be 7000 */
        CHECK_NEAR(x[0], y, (double)s.steps * 1e-6);
        one_state_close(model);
    }
}

/* ---- constraints ---- */

static void pendulum_at(const char *method, double h, double *x)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_fixed_step(h);
    test_pendulum_start(&data, 0.4, 3.0, x);
    (void)run_whole(method, eom, &options, 1.0, x);
    crank_eom_destroy(eom);
}

static void constrained_motions_have_order_4_in_all_unknowns(void **state)
{
    double fine[5], a[5], b[5];
    pendulum_at("psf", 1.0 / 1000.0, fine);
    for (int i = 0; i < METHODS; i++) {
        double coarse = 0.0, half = 0.0;
        pendulum_at(methods[i], 1.0 / 80.0, a);
        pendulum_at(methods[i], 1.0 / 160.0, b);
        for (int j = 0; j < 5; j++) {
            coarse = fmax(coarse, fabs(a[j] - fine[j]));
            half = fmax(half, fabs(b[j] - fine[j]));
        }
        CHECK_NEAR(order(coarse, half), 4.0, 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_with_the_fourth_power_of_the_step),
        cmocka_unit_test(estimate_is_of_order_3),
        cmocka_unit_test(jumps_of_rates_before_the_first_stage_are_seen),
        cmocka_unit_test(jumps_are_seen_beside_fast_motions_too),
        cmocka_unit_test(fast_motions_are_damped_at_once),
        cmocka_unit_test(stiff_equations_take_the_steps_of_the_slow_motion),
        cmocka_unit_test(constrained_motions_have_order_4_in_all_unknowns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
