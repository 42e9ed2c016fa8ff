/* test_rosenbrock.c - the linearly implicit method: order on moving and constrained equations,
 * the error estimate, stability where the step is long beside the fastest motion, what it
 * needs. theory 4.14. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/integrator.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

enum { WIDTH = 16 };
static const char method[] = "psf-rosenbrock";

/* x = 1/(1 + t^2): forces read all of x, v, t */
static const char moving[] = "crank: equations\n"
                             "positions: {x: 1}\n"
                             "velocities: {v: {of: x, start: 0}}\n"
                             "mass: {diagonal: [1]}\n"
                             "forces: [-2*x^2 - 4*t*x*v]\n";
/* y'' + 10001 y' + 10000 y = 0, from rest */
static const char stiff[] = "crank: equations\n"
                            "positions: {y: 1}\n"
                            "velocities: {v: {of: y, start: 0}}\n"
                            "mass: {diagonal: [1]}\n"
                            "forces: [-10001*v - 10000*y]\n";
/* a pendulum whose length changes: the constraint moves */
static const char swing[] =
    "crank: equations\n"
    "positions: {x: {start: 0.4}, y: {start: -0.9165151389911680, fixed: true}}\n"
    "velocities: {vx: {of: x, start: 1, fixed: true}, vy: {of: y}}\n"
    "mass: {diagonal: [1, 1]}\n"
    "forces: [-vx, -9.81]\n"
    "holonomic: {length: x^2 + y^2 - (1 + sin(2*t)/5)^2}\n";

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

static crank_options suited(crank_options options)
{
    options.linear_algebra = CRANK_LINALG_SPARSE;
    options.newton_tolerance = crank_options_default().newton_tolerance;
    options.newton_max = crank_options_default().newton_max;
    options.jacobian_reuse = crank_options_default().jacobian_reuse;
    return options;
}

static crank_state *open_model(const char *text)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    return model;
}

static void start(crank_state *model, double *x)
{
    crank_eom *eom = crank_state_eom(model);
    crank_initial_options initial = crank_initial_options_default();
    crank_error err = {0};
    memcpy(x, crank_state_start(model), (size_t)crank_eom_unknowns(eom) * sizeof *x);
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
}

static crank_statistics run_model(const char *text, const char *by,
                                  const crank_options *options, double t_end, double *x)
{
    crank_state *model = open_model(text);
    start(model, x);
    const crank_statistics s = run_whole(by, crank_state_eom(model), options, t_end, x);
    one_state_close(model);
    return s;
}

/* ---- order ---- */

static double error_of_moving(double h)
{
    const crank_options options = suited(run_fixed_step(h));
    double x[WIDTH];
    (void)run_model(moving, method, &options, 1.0, x);
    return fmax(fabs(x[0] + 0.5), fabs(x[1] - 0.5)); /* v, x */
}

static void error_falls_with_the_fourth_power_of_the_step(void **state)
{
    CHECK_NEAR(order(error_of_moving(1.0 / 40), error_of_moving(1.0 / 80)), 4.0, 0.2);
}

static double error_of_swing(double h, const double *exact)
{
    const crank_options options = suited(run_fixed_step(h));
    double x[WIDTH], error = 0.0;
    (void)run_model(swing, method, &options, 1.0, x);
    for (int j = 0; j < 5; j++) { /* lambda, v, p */
        error = fmax(error, fabs(x[j] - exact[j]));
    }
    return error;
}

static void motions_on_moving_constraints_have_order_4_in_all_unknowns(void **state)
{
    const crank_options fine = run_fixed_step(1.0 / 1000);
    double exact[WIDTH];
    (void)run_model(swing, "psf-radau", &fine, 1.0, exact);
    CHECK_NEAR(order(error_of_swing(1.0 / 40, exact), error_of_swing(1.0 / 80, exact)), 4.0,
               0.3);
}

static double estimate_of_step(double h, double *error)
{
    crank_state *model = open_model(moving);
    const crank_options options = suited(run_fixed_step(h));
    const double t0 = 0.3, end = t0 + h, there = 1.0 / (1.0 + end * end);
    double x[2] = {-2.0 * t0 / pow(1.0 + t0 * t0, 2.0), 1.0 / (1.0 + t0 * t0)};
    run r;
    run_begin(&r, method, crank_state_eom(model), &options, t0, x, t0 + 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    const double estimate = crank_integrator_last_error(r.it);
    *error = fabs(crank_integrator_state(r.it)[1] - there);
    run_end(&r);
    one_state_close(model);
    return estimate;
}

static void estimate_is_of_order_3(void **state)
{
    double error, of_half;
    const double coarse = estimate_of_step(0.05, &error),
                 fine = estimate_of_step(0.025, &of_half);
    CHECK_NEAR(order(coarse, fine), 4.0, 0.3);
    assert_true(coarse > error);
}

/* the row in the middle of a first step, before it is made by a step of its own */
static double error_of_first_row(double h)
{
    crank_state *model = open_model(moving);
    const crank_options options = suited(run_fixed_step(h));
    const double t0 = 0.3, middle = t0 + 0.5 * h;
    double x[2] = {-2.0 * t0 / pow(1.0 + t0 * t0, 2.0), 1.0 / (1.0 + t0 * t0)}, row[2];
    run r;
    run_begin(&r, method, crank_state_eom(model), &options, t0, x, t0 + 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    r.it->method->interpolate(r.it, middle, row);
    run_end(&r);
    one_state_close(model);
    return fabs(row[1] - 1.0 / (1.0 + middle * middle));
}

static void first_rows_are_of_order_2(void **state)
{
    CHECK_NEAR(order(error_of_first_row(0.05), error_of_first_row(0.025)), 3.0, 0.2);
}

/* ---- stiff equations ---- */

/* z = -400 a step: R(z) is about 1/z, so that two steps leave 1e-5 of the fast motion */
static void fast_motions_are_damped_at_once(void **state)
{
    crank_options options = suited(run_fixed_step(0.04));
    double x[WIDTH];
    options.atol = 1e6; /* no error test fails */
    const crank_statistics s = run_model(stiff, method, &options, 0.08, x);
    assert_int_equal(s.steps, 2);
    CHECK_NEAR(x[0], -exp(-0.08), 1e-3);
}

static void a_step_takes_one_jacobian_four_solutions_and_no_iteration(void **state)
{
    const crank_options options = suited(run_tolerance(1e-6));
    double x[WIDTH];
    const crank_statistics s = run_model(stiff, method, &options, 2.0, x);
    assert_true(s.steps < 300); /* h L < 2.8, of explicit formulas, would be 7000 */
    CHECK_NEAR(x[1], (10000.0 * exp(-2.0) - exp(-20000.0)) / 9999.0, (double)s.steps * 1e-6);
    const int64_t tries = s.steps + s.rejected_error;
    assert_int_equal(s.newton_iterations, 0);
    assert_int_equal(s.solves, 4 * tries);
    assert_int_equal(s.jacobians, s.steps);
}

/* ---- what it needs ---- */

static void a_dense_decomposition_is_refused_by_name(void **state)
{
    crank_state *model = open_model(swing);
    crank_options options = crank_options_default();
    double x[WIDTH];
    run r;
    options.linear_algebra = CRANK_LINALG_DENSE;
    start(model, x);
    CHECK_STATUS(run_try(&r, method, crank_state_eom(model), &options, 0.0, x, 1.0),
                 CRANK_EREFUSED);
    assert_non_null(strstr(r.err.text, "linear_algebra=sparse"));
    run_end(&r);
    one_state_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_with_the_fourth_power_of_the_step),
        cmocka_unit_test(motions_on_moving_constraints_have_order_4_in_all_unknowns),
        cmocka_unit_test(estimate_is_of_order_3),
        cmocka_unit_test(first_rows_are_of_order_2),
        cmocka_unit_test(fast_motions_are_damped_at_once),
        cmocka_unit_test(a_step_takes_one_jacobian_four_solutions_and_no_iteration),
        cmocka_unit_test(a_dense_decomposition_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
