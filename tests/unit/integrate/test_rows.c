/* test_rows.c - which rows between steps are refined, and what they are then, in closed form:
 * Radau's estimate of what a row is off, theory (4.10), on r' = 5 C t^4, whose steps are exact
 * and whose rows are not; BDF's row by the corrector, theory (4.33), on a linear equation at
 * order 1; residuals that fade in a shorter step of the index 3 form, theory (4.12). */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "order/run.h"

#include <float.h>

/* ---- theory (4.10) ---- */

/* Steps are equal, h = STEP, and [0, 1] in theta. The fifth power is exact at their ends, since
 * quadrature by Radau's nodes is for degree 4; and so are rows that are ends of shorter
 * steps. */
static const double step = 0.125;

/* x = [r], user: C. r' = 5 C t^4, r = C t^5 */
static crank_status fifth_power(double t, const double *x, double *k, void *user)
{
    (void)x;
    k[0] = 5.0 * *(const double *)user * t * t * t * t;
    return CRANK_OK;
}

static double node(int i)
{
    return (4.0 + (i == 0 ? -1.0 : 1.0) * sqrt(6.0)) / 10.0;
}

static double omega(double theta)
{
    return theta * (theta - node(0)) * (theta - node(1)) * (theta - 1.0);
}

/* kappa/gamma */
static double kappa(double theta)
{
    return 0.75 * theta * (1.0 - theta) * (1.0 - 2.0 * theta);
}

/* with what it changes in D, so that it is zero at theta = -1, too */
static double bent(double theta)
{
    return kappa(theta) - omega(theta) * kappa(-1.0) / omega(-1.0);
}

/* What (4.9) is off, over C h^5: theta^5 + ..., zero at -1, 0 and 1; at the stages 5 int_0^c
 * theta N of what the error estimate does not see, N = (theta - c_1)(theta - c_2)(theta - 1) =
 * theta^3 - 1.8 theta^2 + 0.9 theta - 0.1. */
static void error_shape(double *a, double *b)
{
    double y[2];
    for (int i = 0; i < 2; i++) {
        const double c = node(i);
        const double stage = pow(c, 5) - 2.25 * pow(c, 4) + 1.5 * pow(c, 3) - 0.25 * c * c;
        y[i] = stage / (c * (c * c - 1.0)) - c * c;
    }
    *a = (y[1] - y[0]) / (node(1) - node(0));
    *b = y[0] - *a * node(0);
}

static double error_of_row(double theta)
{
    double a, b;
    error_shape(&a, &b);
    return theta * (theta * theta - 1.0) * (theta * theta + a * theta + b);
}

/* What (4.10) says that the row is off in step 1, 2 or a later one, over C h^5. D = 5 T - a
 * with the step beginning at T h; by the estimate 5 T + 9/4, a quarter of 5 (4 T + c_1 + c_2 +
 * c_3). */
static double estimate(int number, double theta)
{
    double a, b;
    error_shape(&a, &b);
    if (number == 1) {
        return 0.0185 * 2.25;
    }
    if (number == 2) {
        const double of_stages = bent(theta) / (2.5 - kappa(-1.0) / omega(-1.0));
        return fabs(a + 2.25) * fmax(fabs(omega(theta)), fabs(of_stages));
    }
    const double next = omega(theta) * (theta + 1.0) / omega(-2.0);
    return fabs(error_of_row(-2.0)) * fmax(fabs(next), fabs(bent(theta) / bent(-2.0)));
}

/* The row at theta of step `number` with a tolerance of 1: error, and whether it was
 * refined. */
static bool row_error(int number, double theta, double C, double *error)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_options options = run_fixed_step(step);
    crank_eom *eom = NULL;
    crank_error err = {0};
    double x[1] = {0.0};
    run r;
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = fifth_power;
    d.user = &C;
    options.rtol = 1e-12; /* steps have 0.1 rtol^-1/3 of the tolerance of rows */
    options.atol = 1.0;
    options.tolerance_transform = true;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    for (int i = 0; i < number; i++) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_NEAR(crank_integrator_last_step(r.it), step, DBL_EPSILON);
    }
    const crank_statistics before = crank_integrator_statistics(r.it);
    const double t = crank_integrator_time(r.it) - (1.0 - theta) * step;
    CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
    const crank_statistics after = crank_integrator_statistics(r.it);
    *error = C * pow(t, 5) - x[0];
    run_end(&r);
    crank_eom_destroy(eom);
    return after.newton_iterations > before.newton_iterations;
}

static const double places[] = {0.04, 0.3, 0.5, 0.75, 0.96};
enum { PLACES = sizeof places / sizeof *places };

/* a fifth below the limit rows are interpolated, a fifth above refined: a constant wrong by a
 * factor of 2 would show */
static void radau_rows_are_refined_only_beyond_the_limit(void **state)
{
    for (int number = 1; number <= 4; number++) {
        for (int i = 0; i < PLACES; i++) {
            const double limit = 1.0 / estimate(number, places[i]) / pow(step, 5);
            double error;
            assert_false(row_error(number, places[i], 0.8 * limit, &error));
            assert_true(row_error(number, places[i], 1.25 * limit, &error));
            /* exact: five units of rounding in r at its end, and in h k */
            const double size = 1.25 * limit * pow((number + 0.5) * step, 5);
            CHECK_NEAR(error, 0.0, 100.0 * DBL_EPSILON * size);
        }
    }
}

static void radau_rows_that_are_not_refined_are_off_as_theory_says(void **state)
{
    for (int number = 2; number <= 4; number++) {
        for (int i = 0; i < PLACES; i++) {
            const double C = 0.8 / estimate(number, places[i]) / pow(step, 5);
            const double expected = C * pow(step, 5) * error_of_row(places[i]);
            double error;
            assert_false(row_error(number, places[i], C, &error));
            CHECK_NEAR(error, expected, 1e-9 * fabs(expected));
        }
    }
}

/* ---- theory (4.33) ---- */

/* x = [w | r], user: L. r' = -w, w = L (r - t^2): steps of BDF's order 1 are r_1 = (r_0 + h L
 * t_1^2)/(1 + h L) */
static crank_status follower(double t, const double *x, double *k, void *user)
{
    const double rate = *(const double *)user;
    k[0] = rate * (x[1] - t * t) - x[0];
    k[1] = -x[0];
    return CRANK_OK;
}

typedef struct bdf_row {
    double q, slope, t; /* linear interpolation of r, at t */
    double x[2];        /* the row */
    bool refined;
} bdf_row;

static bdf_row follow(double rate, double h, double theta, double atol_w)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_options options = run_fixed_step(h);
    crank_eom *eom = NULL;
    crank_error err = {0};
    double x[2] = {2.0 / rate, 2.0 / (rate * rate)}, before[2];
    const double rtol[2] = {1e-12, 1e-12}, atol[2] = {atol_w, 1.0};
    bdf_row row = {0};
    run r;
    d.sizes = (crank_eom_sizes){.r = 1, .w = 1};
    d.evaluate = follower;
    d.user = &rate;
    options.max_order = 1;
    options.tolerance_transform = true; /* Radau's, as it was */
    options.jacobian_reuse = crank_options_default().jacobian_reuse;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    r = (run){0};
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &r.problem, &r.err),
             r.err);
    CHECK_OK(crank_integrator_create("bdf", r.problem, &options, &r.it, &r.err), r.err);
    CHECK_OK(crank_integrator_set_tolerances(r.it, rtol, atol, &r.err), r.err);
    CHECK_OK(crank_integrator_start(r.it, 0.0, x, 20.0 * h, &r.err), r.err);
    for (int i = 0; i < 8; i++) {
        memcpy(before, crank_integrator_state(r.it), sizeof before);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_NEAR(crank_integrator_last_step(r.it), h, 4.0 * DBL_EPSILON);
    }
    const double *end = crank_integrator_state(r.it);
    row.t = crank_integrator_time(r.it) - (1.0 - theta) * h;
    row.slope = (end[1] - before[1]) / h;
    row.q = end[1] - (1.0 - theta) * h * row.slope;
    const crank_statistics sofar = crank_integrator_statistics(r.it);
    CHECK_OK(crank_integrator_interpolate(r.it, row.t, row.x, &r.err), r.err);
    row.refined = crank_integrator_statistics(r.it).newton_iterations > sofar.newton_iterations;
    run_end(&r);
    crank_eom_destroy(eom);
    return row;
}

/* Rows have w = L (q - t^2), the polynomial through step ends has L h^2 theta (1 - theta) less:
 * where that is beyond the tolerance r is what q' + (r - q)/h = -L (r - t^2) gives. */
static void bdf_rows_are_refined_only_beyond_the_limit_and_then_by_the_corrector(void **state)
{
    const double h = 0.03125, rate = 100.0 / h, cj = 1.0 / h;
    for (int i = 1; i < PLACES; i++) {
        const double theta = places[i], apart = rate * h * h * theta * (1.0 - theta);
        const bdf_row plain = follow(rate, h, theta, apart / 0.8),
                      refined = follow(rate, h, theta, apart / 1.25);
        assert_false(plain.refined);
        CHECK_NEAR(plain.x[1], plain.q, 1e-14);
        CHECK_NEAR(plain.x[0], rate * (plain.q - plain.t * plain.t), 1e-10);
        assert_true(refined.refined);
        const double square = refined.t * refined.t;
        const double solved = (cj * refined.q - refined.slope + rate * square) / (cj + rate);
        CHECK_NEAR(refined.x[1], solved, 1e-14);
        CHECK_NEAR(refined.x[0], rate * (solved - square), 1e-10);
    }
}

/* ---- theory (4.12) ---- */

/* x = [lambda | v | p], user: what the drive p = t^2 + user is off */
static crank_status driven(double t, const double *x, double *k, void *user)
{
    k[0] = -x[0] - 2.0; /* gII */
    k[1] = x[1] - 2.0 * t;
    k[2] = x[2] - t * t - *(const double *)user;
    k[3] = -x[0];
    k[4] = x[1];
    return CRANK_OK;
}

/* In the fourth step positions, off by delta where it begins, are brought onto the drive: at
 * its end velocities are off by 3 delta/h, since all stages are on it. A shorter step, theta h,
 * would make that 3 delta/(theta h); with residuals that fade it is delta/h at every row. */
static void rows_of_index3_have_velocities_as_accurate_as_steps(void **state)
{
    const double delta = 2e-5;
    for (int i = 0; i < PLACES; i++) {
        crank_eom_definition d = crank_eom_definition_default();
        crank_options options = run_fixed_step(step);
        crank_eom *eom = NULL;
        crank_error err = {0};
        double x[3] = {-2.0, 0.0, 0.0}, offset = 0.0;
        run r;
        d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1};
        d.evaluate = driven;
        d.user = &offset;
        options.rtol = 1e-12;
        options.atol = 1e-6;
        options.tolerance_transform = true;
        CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
        run_begin(&r, "index3", eom, &options, 0.0, x, 1.0);
        for (int n = 0; n < 4; n++) {
            offset = n < 3 ? 0.0 : delta;
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_NEAR(crank_integrator_last_step(r.it), step, DBL_EPSILON);
        }
        const double t = crank_integrator_time(r.it) - (1.0 - places[i]) * step;
        CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
        CHECK_NEAR(x[2], t * t + places[i] * delta, 1e-13);
        CHECK_NEAR(x[1], 2.0 * t + delta / step, 1e-11);
        CHECK_NEAR(crank_integrator_state(r.it)[1], 1.0 + 3.0 * delta / step, 1e-11);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radau_rows_are_refined_only_beyond_the_limit),
        cmocka_unit_test(radau_rows_that_are_not_refined_are_off_as_theory_says),
        cmocka_unit_test(bdf_rows_are_refined_only_beyond_the_limit_and_then_by_the_corrector),
        cmocka_unit_test(rows_of_index3_have_velocities_as_accurate_as_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
