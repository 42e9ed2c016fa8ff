/* test_dense_output.c - rows between steps: order of the interpolation, agreement with the
 * ends of the step, corrections onto the constraints, stiff equations. The academic example has
 * an exact solution at every time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "order/run.h"

/* largest error between steps of size h over [0, 1]; worst: largest residual there */
static double interpolation_error(crank_eom *eom, const crank_options *base, double h,
                                  double *worst)
{
    static const double inside[] = {0.05, 0.3, 0.5, 0.8, 0.95};
    crank_options options = *base;
    double x[13], exact[13], error = 0.0;
    run r;
    options.h_start = options.h_max = h;
    test_academic_exact(0.0, x);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    *worst = 0.0;
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        for (size_t i = 0; i < 5; i++) {
            const double t =
                crank_integrator_time(r.it) - inside[i] * crank_integrator_last_step(r.it);
            double residual[3];
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            test_academic_exact(t, exact);
            for (int j = 0; j < 13; j++) {
                error = fmax(error, fabs(x[j] - exact[j]));
            }
            CHECK_OK(crank_eom_residuals(eom, t, x, residual, &r.err), r.err);
            *worst = fmax(*worst, fmax(residual[0], fmax(residual[1], residual[2])));
        }
    }
    run_end(&r);
    return error;
}

static void interpolation_has_at_least_order_three(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    crank_options options = run_fixed_step(1.0);
    for (int corrected = 0; corrected < 2; corrected++) {
        double worst[2];
        options.final_correction = corrected == 1;
        const double a = interpolation_error(eom, &options, 0.05, &worst[0]);
        const double b = interpolation_error(eom, &options, 0.025, &worst[1]);
        assert_true(log2(a / b) > 3.0);
        if (corrected == 1) { /* every row is consistent, not only those at steps */
            CHECK_NEAR(worst[0], 0.0, 1e-13);
            CHECK_NEAR(worst[1], 0.0, 1e-13);
        } else {
            assert_true(worst[1] > 1e-10);
        }
    }
    crank_eom_destroy(eom);
}

static void interpolation_meets_the_ends_of_the_step(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    crank_options options = run_fixed_step(0.05);
    double x[13], before[13];
    run r;
    for (int corrected = 0; corrected < 2; corrected++) {
        options.final_correction = corrected == 1;
        test_academic_exact(0.0, x);
        run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
        while (!crank_integrator_finished(r.it)) {
            memcpy(before, crank_integrator_state(r.it), sizeof before);
            const double t_before = crank_integrator_time(r.it);
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_OK(crank_integrator_interpolate(r.it, crank_integrator_time(r.it), x, &r.err),
                     r.err);
            assert_memory_equal(x, crank_integrator_state(r.it), sizeof x);
            CHECK_OK(crank_integrator_interpolate(r.it, t_before, x, &r.err), r.err);
            for (int j = 0; j < 13; j++) {
                CHECK_NEAR(x[j], before[j], 1e-12);
            }
        }
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void interpolation_outside_the_last_step_is_refused(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    const crank_options options = run_fixed_step(0.1);
    double x[13];
    run r;
    test_academic_exact(0.0, x);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    CHECK_OK(crank_integrator_interpolate(r.it, 0.0, x, &r.err),
             r.err); /* the start is known */
    CHECK_STATUS(crank_integrator_interpolate(r.it, 0.05, x, &r.err), CRANK_EARG);
    CHECK_OK(crank_integrator_solve_to(r.it, 0.25, &r.err), r.err);
    CHECK_STATUS(crank_integrator_interpolate(r.it, 0.15, x, &r.err), CRANK_EARG);
    CHECK_CONTAINS(r.err.text, "outside the last step");
    CHECK_STATUS(crank_integrator_interpolate(r.it, 0.35, x, &r.err), CRANK_EARG);
    CHECK_STATUS(crank_integrator_interpolate(r.it, (double)NAN, x, &r.err), CRANK_EARG);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* asking for rows between steps does not change the steps */
static void interpolation_does_not_disturb_the_run(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    const crank_options options = run_tolerance(1e-7);
    double x[13], quiet[13];
    run r;
    test_academic_exact(0.0, x);
    memcpy(quiet, x, sizeof quiet);
    (void)run_whole("psf", eom, &options, 1.0, quiet);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    for (int i = 1; i <= 1000; i++) {
        CHECK_OK(crank_integrator_solve_to(r.it, 0.001 * i, &r.err), r.err);
        CHECK_OK(crank_integrator_interpolate(
                     r.it, fmin(0.001 * i, crank_integrator_time(r.it)), x, &r.err),
                 r.err);
    }
    assert_memory_equal(crank_integrator_state(r.it), quiet, sizeof quiet);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* From the third step on rows between steps are as accurate as the steps themselves: compared
 * with a much tighter run in lockstep, through many changes of the selected rows. The
 * polynomial alone is ten times worse. */
static void rows_between_steps_are_as_accurate_as_steps(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data), *other = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-9);
    crank_options tight = run_tolerance(1e-13);
    double x[5], y[5], start[5], at_steps = 0.0, between = 0.0;
    run r, reference;
    tight.tolerance_transform = false;
    test_pendulum_start(&data, 0.0, 5.2, start);
    run_begin(&r, "psf", eom, &options, 0.0, start, 5.0);
    run_begin(&reference, "psf", other, &tight, 0.0, start, 5.0);
    for (int step = 0; !crank_integrator_finished(r.it); step++) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        const double end = crank_integrator_time(r.it), h = crank_integrator_last_step(r.it);
        for (int i = 1; i <= 5 && step >= 2; i++) {
            const double t = i == 5 ? end : end - h * (5 - i) / 5.0;
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            CHECK_OK(crank_integrator_solve_to(reference.it, t, &reference.err), reference.err);
            CHECK_OK(crank_integrator_interpolate(reference.it, t, y, &reference.err),
                     reference.err);
            for (int j = 1; j < 5; j++) {
                double *worst = i == 5 ? &at_steps : &between;
                *worst = fmax(*worst, fabs(x[j] - y[j]));
            }
        }
    }
    assert_true(at_steps > 1e-10);
    CHECK_NEAR(between, 0.0, 1.5 * at_steps);
    run_end(&r);
    run_end(&reference);
    crank_eom_destroy(eom);
    crank_eom_destroy(other);
}

/* ---- one equation with an exact solution ---- */

/* x = [r], user: the rate L. r' = -L (r - cos t) - sin t, r = cos t [HW96, IV.15] */
static crank_status slow_motion(double t, const double *x, double *k, void *user)
{
    const double rate = *(const double *)user;
    k[0] = -rate * (x[0] - cos(t)) - sin(t);
    return CRANK_OK;
}

static crank_eom *create_slow_motion(double *rate)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = slow_motion;
    d.user = rate;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

typedef struct largest {
    double at_steps, between;
} largest;

/* over [0, t_end], of steps that begin at t_first or later */
static largest errors_of(const char *method, double rate, const crank_options *options,
                         double t_first, double t_end)
{
    crank_eom *eom = create_slow_motion(&rate);
    largest error = {0.0, 0.0};
    double x[1] = {1.0};
    run r;
    run_begin(&r, method, eom, options, 0.0, x, t_end);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        const double end = crank_integrator_time(r.it), h = crank_integrator_last_step(r.it);
        for (int i = 1; i <= 10 && end - h >= t_first; i++) {
            const double t = i == 10 ? end : end - h * (10 - i) / 10.0;
            double *worst = i == 10 ? &error.at_steps : &error.between;
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            *worst = fmax(*worst, fabs(x[0] - cos(t)));
        }
    }
    run_end(&r);
    crank_eom_destroy(eom);
    return error;
}

/* Stages corrected by the error estimate, and the fourth derivative from the step end before:
 * the error falls with h^5 from the second step on (that of the polynomial with h^4). */
static void rows_of_smooth_motions_are_of_order_four(void **state)
{
    const double h = 0.1;
    double error[2];
    for (int i = 0; i < 2; i++) {
        const crank_options options = run_fixed_step(i == 0 ? h : 0.5 * h);
        error[i] = errors_of("psf", 0.5, &options, 0.99 * h, 2.0).between;
    }
    CHECK_NEAR(log2(error[0] / error[1]), 5.0, 0.3);
}

/* In the first step, too, the estimate corrects the stages and tells the fourth derivative. */
static void rows_of_the_first_step_are_of_order_four(void **state)
{
    double error[2];
    for (int i = 0; i < 2; i++) {
        const double h = i == 0 ? 0.1 : 0.05;
        const crank_options options = run_fixed_step(h);
        error[i] = errors_of("psf", 0.5, &options, 0.0, h).between;
    }
    CHECK_NEAR(log2(error[0] / error[1]), 5.0, 0.3);
}

/* However stiff the equation is: explicit methods as far as they get on, Radau also where L is
 * so large that its error estimate no longer sees its steps, which then are longer than any
 * polynomial could follow cos t. */
static void rows_of_stiff_equations_are_as_accurate_as_steps(void **state)
{
    static const char *const method[] = {"psf-radau",  "psf-bdf",    "overdetermined-radau",
                                         "ode-dopri8", "ode-dopri5", "ode-adams",
                                         "ode-herk5"};
    static const double rates[] = {0.5, 1e2, 1e4, 1e6, 1e8};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        const bool is_explicit = strncmp(method[i], "ode", 3) == 0;
        for (size_t j = 0; j < (is_explicit ? 3U : 5U); j++) {
            for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance *= 1e-2) {
                const crank_options options = run_tolerance(tolerance);
                const largest e = errors_of(method[i], rates[j], &options, 0.0, 2.0);
                CHECK_NEAR(e.between, 0.0, 10.0 * fmax(e.at_steps, tolerance));
            }
        }
    }
}

/* x = [r, c], user: L. A creep c' = r - L c under the force r = cos t, r' = -sin t: L c is cos
 * t up to 1/L */
static crank_status creep(double t, const double *x, double *k, void *user)
{
    const double rate = *(const double *)user;
    k[0] = -sin(t);
    k[1] = x[0] - rate * x[1];
    return CRANK_OK;
}

/* The force L c holds at steps to the error of r; what slopes at step ends would make of it is
 * L h as much. */
static void forces_of_stiff_equations_are_as_accurate_as_steps(void **state)
{
    for (double rate = 1e2; rate < 1e7; rate *= 1e2) {
        const crank_options options = run_tolerance(1e-6);
        const double scale = 1.0 + rate * rate;
        double x[2] = {1.0, rate / scale}, at_steps = 0.0, between = 0.0;
        crank_eom_definition d = crank_eom_definition_default();
        crank_eom *eom = NULL;
        run r;
        d.sizes = (crank_eom_sizes){.r = 2};
        d.evaluate = creep;
        d.user = &rate;
        CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &r.err), r.err);
        run_begin(&r, "psf", eom, &options, 0.0, x, 5.0);
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            const double end = crank_integrator_time(r.it),
                         h = crank_integrator_last_step(r.it);
            for (int i = 1; i <= 10; i++) {
                const double t = i == 10 ? end : end - h * (10 - i) / 10.0;
                const double exact = (rate * cos(t) + sin(t)) / scale;
                double *worst = i == 10 ? &at_steps : &between;
                CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
                *worst = fmax(*worst, rate * fabs(x[1] - exact));
            }
        }
        CHECK_NEAR(between, 0.0, 10.0 * fmax(at_steps, options.rtol));
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolation_has_at_least_order_three),
        cmocka_unit_test(rows_between_steps_are_as_accurate_as_steps),
        cmocka_unit_test(rows_of_smooth_motions_are_of_order_four),
        cmocka_unit_test(rows_of_the_first_step_are_of_order_four),
        cmocka_unit_test(rows_of_stiff_equations_are_as_accurate_as_steps),
        cmocka_unit_test(forces_of_stiff_equations_are_as_accurate_as_steps),
        cmocka_unit_test(interpolation_meets_the_ends_of_the_step),
        cmocka_unit_test(interpolation_outside_the_last_step_is_refused),
        cmocka_unit_test(interpolation_does_not_disturb_the_run),
    };
    return CHECK_RUN(argc, argv, tests);
}
