/* test_trapezoidal.c - the trapezoidal rule, and that of Hilber, Hughes and Taylor: order on
 * ordinary and constrained equations, on a gyroscope in a loop, the error estimate, damping.
 * theory 4.15, 4.16. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/integrator.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

/* x' = -2 t x^2, neither linear nor autonomous, and a double of it that is */
static const char plain[] = "crank: dae\nvariables: {x: 1, y: 1}\n"
                            "equations: [\"x' = -2*t*x^2\", \"y' = -x*y\"]\n";

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

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

/* ---- order ---- */

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

static void error_falls_with_the_square_of_the_step(void **state)
{
    CHECK_NEAR(
        order(error_of("psf-trapezoidal", 1.0 / 40), error_of("psf-trapezoidal", 0.0125)), 2.0,
        0.1);
}

static void pendulum_at(const char *method, double h, double *x)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_fixed_step(h);
    test_pendulum_start(&data, 0.4, 3.0, x);
    (void)run_whole(method, eom, &options, 1.0, x);
    crank_eom_destroy(eom);
}

/* In ude multipliers have rates, too, which are not known where the run begins: its first step
 * is one of implicit Euler, whose error is of order 2 as that of the whole. */
static void constrained_motions_have_order_2_in_all_unknowns(void **state)
{
    static const char *const methods[] = {"psf-trapezoidal", "ggl-trapezoidal",
                                          "index1-trapezoidal", "ude-trapezoidal"};
    double fine[5], a[5], b[5];
    pendulum_at("psf", 1.0 / 1000.0, fine);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double coarse = 0.0, half = 0.0;
        pendulum_at(methods[i], 1.0 / 80.0, a);
        pendulum_at(methods[i], 1.0 / 160.0, b);
        for (int j = 0; j < 5; j++) {
            coarse = fmax(coarse, fabs(a[j] - fine[j]));
            half = fmax(half, fabs(b[j] - fine[j]));
        }
        CHECK_NEAR(order(coarse, half), 2.0, 0.2);
    }
}

static void gyroscope_at(const char *method, double h, double *x)
{
    crank_state *model = NULL;
    crank_error err = {0};
    const crank_options options = run_fixed_step(h);
    CHECK_OK(one_state_read("models/gyroscope-loop/gyroscope-loop.yaml", NULL, &model, &err),
             err);
    crank_eom *eom = crank_state_eom(model);
    crank_initial_options initial = crank_initial_options_default();
    memcpy(x, crank_state_start(model), (size_t)crank_eom_unknowns(eom) * sizeof *x);
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
    (void)run_whole(method, eom, &options, 0.05, x);
    one_state_close(model);
}

static void a_gyroscope_in_a_loop_has_order_2_in_positions_and_velocities(void **state)
{
    static const char *const methods[] = {"psf-trapezoidal", "ggl-trapezoidal"};
    static double fine[RUN_MAX], a[RUN_MAX], b[RUN_MAX];
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read("models/gyroscope-loop/gyroscope-loop.yaml", NULL, &model, &err),
             err);
    const int first = crank_eom_column(crank_state_eom(model), CRANK_V),
              n = crank_eom_unknowns(crank_state_eom(model));
    one_state_close(model);
    assert_true(n <= RUN_MAX);
    gyroscope_at("psf", 1.0 / 4000.0, fine);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double coarse = 0.0, half = 0.0;
        gyroscope_at(methods[i], 1.0 / 2000.0, a);
        gyroscope_at(methods[i], 1.0 / 4000.0, b);
        for (int j = first; j < n; j++) {
            coarse = fmax(coarse, fabs(a[j] - fine[j]));
            half = fmax(half, fabs(b[j] - fine[j]));
        }
        CHECK_NEAR(order(coarse, half), 2.0, 0.1);
    }
}

/* On index3 multipliers are of order 1: positions and velocities count. Its first steps, from
 * rates that index 3 does not ask for, leave an error of order 2. */
static void the_formula_of_hilber_hughes_and_taylor_has_order_2(void **state)
{
    static const char *const methods[] = {"index3-hht", "psf-hht"};
    static double fine[RUN_MAX], a[RUN_MAX], b[RUN_MAX];
    double x[3][5];
    pendulum_at("psf", 1.0 / 1000.0, x[0]);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double coarse = 0.0, half = 0.0;
        pendulum_at(methods[i], 1.0 / 160.0, x[1]);
        pendulum_at(methods[i], 1.0 / 320.0, x[2]);
        for (int j = 1; j < 5; j++) {
            coarse = fmax(coarse, fabs(x[1][j] - x[0][j]));
            half = fmax(half, fabs(x[2][j] - x[0][j]));
        }
        CHECK_NEAR(order(coarse, half), 2.0, 0.2);
    }
    gyroscope_at("psf", 1.0 / 4000.0, fine);
    gyroscope_at("psf-hht", 1.0 / 4000.0, a);
    gyroscope_at("psf-hht", 1.0 / 8000.0, b);
    double coarse = 0.0, half = 0.0;
    for (int j = 0; j < RUN_MAX; j++) {
        coarse = fmax(coarse, fabs(a[j] - fine[j]));
        half = fmax(half, fabs(b[j] - fine[j]));
    }
    CHECK_NEAR(order(coarse, half), 2.0, 0.2);
}

/* ---- the error estimate ---- */

/* of one step from t = 0.3 */
static double estimate_of_step(double h, double *error)
{
    const double t0 = 0.3;
    crank_state *model = open_model(plain);
    const crank_options options = run_fixed_step(h);
    double x[2];
    run r;
    exact(t0, x);
    run_begin(&r, "psf-trapezoidal", crank_state_eom(model), &options, t0, x, t0 + 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    *error = distance(crank_integrator_state(r.it), t0 + h);
    const double estimate = crank_integrator_last_error(r.it);
    run_end(&r);
    one_state_close(model);
    return estimate;
}

static void estimate_is_of_order_1_and_above_the_error(void **state)
{
    double error, of_half;
    const double coarse = estimate_of_step(0.05, &error),
                 fine = estimate_of_step(0.025, &of_half);
    CHECK_NEAR(order(coarse, fine), 2.0, 0.1);
    assert_true(coarse > error && fine > of_half);
}

/* h/2 (K_0 - K_1) over 1 - h L/2 of x' = L x: with z = h L, K_1 = L R, R = (1+z/2)/(1-z/2), it
 * is -z^2/2 / (1-z/2)^2 of x, over atol + rtol |x| = 2 */
static void estimate_is_the_filtered_difference_to_implicit_euler(void **state)
{
    static const char text[] = "crank: dae\nvariables: {x: 1}\nequations: [\"x' = -50*x\"]\n";
    crank_state *model = open_model(text);
    const double h = 0.1, z = -50.0 * h;
    const crank_options options = run_fixed_step(h);
    const double x = 1.0;
    run r;
    run_begin(&r, "psf-trapezoidal", crank_state_eom(model), &options, 0.0, &x, 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    CHECK_NEAR(*crank_integrator_state(r.it), (1.0 + z / 2.0) / (1.0 - z / 2.0), 1e-13);
    CHECK_NEAR(crank_integrator_last_error(r.it), 0.25 * z * z / pow(1.0 - z / 2.0, 2.0),
               1e-12);
    run_end(&r);
    one_state_close(model);
}

/* ---- stability ---- */

/* y'' + 10001 y' + 10000 y = 0: parts with L = -1 and -10000, of which each step leaves R(h L);
 * y = (10000 e^-t - e^-10000t)/9999 */
static void fast_motions_are_not_damped(void **state)
{
    static const char stiff[] = "crank: dae\nvariables: {y: 1, v: 0}\n"
                                "equations: [\"y' = v\", \"v' = -10001*v - 10000*y\"]\n";
    crank_state *model = open_model(stiff);
    crank_options options = run_fixed_step(0.04);
    options.atol = 1e6; /* no error test fails */
    double x[2] = {1.0, 0.0};
    const crank_statistics s =
        run_whole("psf-trapezoidal", crank_state_eom(model), &options, 0.12, x);
    const double slow = pow(0.98 / 1.02, 3.0), fast = pow(-199.0 / 201.0, 3.0);
    assert_int_equal(s.steps, 3);
    CHECK_NEAR(x[0], (10000.0 * slow - fast) / 9999.0, 1e-10);
    CHECK_NEAR(x[1], 10000.0 * (fast - slow) / 9999.0, 1e-8);
    one_state_close(model);
}

/* K_1 = L ((1 + alpha) x_1 - alpha x_0), x_1 = x_0 + h (0.2 K_0 + 0.8 K_1), K_0 = L x_0 at
 * first: with z = h L, x_1 (1 - 0.56 z) = x_0 (1 + 0.24 z) + 0.2 h K_0; z = -400 leaves 0.43 */
static void hht_damps_fast_motions_by_half_a_step(void **state)
{
    static const char text[] =
        "crank: dae\nvariables: {x: 1}\nequations: [\"x' = -10000*x\"]\n";
    crank_state *model = open_model(text);
    const double h = 0.04, L = -10000.0, z = h * L;
    crank_options options = run_fixed_step(h);
    double x = 1.0, expected = 1.0, K = L;
    options.atol = 1e6;
    (void)run_whole("psf-hht", crank_state_eom(model), &options, 10.0 * h, &x);
    for (int i = 0; i < 10; i++) {
        const double next = (expected * (1.0 + 0.24 * z) + 0.2 * h * K) / (1.0 - 0.56 * z);
        K = L * (0.7 * next + 0.3 * expected);
        expected = next;
    }
    CHECK_NEAR(x, expected, 1e-12);
    assert_true(fabs(x) < 1e-3); /* 0.43^10 */
    one_state_close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formula_of_hilber_hughes_and_taylor_has_order_2),
        cmocka_unit_test(hht_damps_fast_motions_by_half_a_step),
        cmocka_unit_test(error_falls_with_the_square_of_the_step),
        cmocka_unit_test(constrained_motions_have_order_2_in_all_unknowns),
        cmocka_unit_test(a_gyroscope_in_a_loop_has_order_2_in_positions_and_velocities),
        cmocka_unit_test(estimate_is_of_order_1_and_above_the_error),
        cmocka_unit_test(estimate_is_the_filtered_difference_to_implicit_euler),
        cmocka_unit_test(fast_motions_are_not_damped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
