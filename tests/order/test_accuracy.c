/* test_accuracy.c - the error follows the tolerance: linear index-1 system, stiff equations,
 * the academic example, the slider crank's reference values, very small and large masses. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "order/run.h"

/* ---- systems without mechanics: groups r and w only ---- */

static crank_eom *plain(int r, int w, crank_eom_evaluate_fn *rows)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = r, .w = w};
    d.evaluate = rows;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* x = [w | r], k = [d | b]: r' = w - r, 0 = w - r - cos t; r = sin t, w = sin t + cos t */
static crank_status index_one(double t, const double *x, double *k, void *user)
{
    (void)user;
    k[0] = x[0] - x[1] - cos(t);
    k[1] = x[0] - x[1];
    return CRANK_OK;
}

static void linear_index_one_system_has_order_five(void **state)
{
    crank_eom *eom = plain(1, 1, index_one);
    double error[2];
    for (int i = 0; i < 2; i++) {
        const crank_options options = run_fixed_step(i == 0 ? 0.25 : 0.125);
        double x[2] = {1.0, 0.0};
        (void)run_whole("psf", eom, &options, 2.0, x);
        error[i] = hypot(x[0] - sin(2.0) - cos(2.0), x[1] - sin(2.0));
    }
    CHECK_NEAR(log2(error[0] / error[1]), 5.0, 0.3);
    crank_eom_destroy(eom);
}

/* r' = -1e6 (r - cos t) - sin t [HW96, IV.15]: the fast rate must not be resolved. Orders
 * fall on such equations: the error is that of the transformed tolerance, 0.1 (1e-8)^(2/3) =
 * 5e-7, not far below. */
static crank_status stiff_linear(double t, const double *x, double *k, void *user)
{
    (void)user;
    k[0] = -1e6 * (x[0] - cos(t)) - sin(t);
    return CRANK_OK;
}

static void stiff_linear_equation_takes_few_steps(void **state)
{
    crank_eom *eom = plain(1, 0, stiff_linear);
    for (int off = 0; off < 2;
         off++) { /* on the slow solution, and away from it: a layer first */
        const crank_options options = run_tolerance(1e-8);
        double x[1] = {1.0 + off};
        const crank_statistics s = run_whole("psf", eom, &options, 10.0, x);
        CHECK_NEAR(x[0], cos(10.0), 2e-6);
        assert_true(s.steps < 300);
    }
    crank_eom_destroy(eom);
}

static crank_status van_der_pol(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = x[1];
    k[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
    return CRANK_OK;
}

/* epsilon = 1e-6, start (2, 0): the published value at t = 2 of this widely used test
 * problem */
static void van_der_pol_oscillator_follows_its_tolerance(void **state)
{
    crank_eom *eom = plain(2, 0, van_der_pol);
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        const crank_options options = run_tolerance(pow(10.0, -exponent));
        double x[2] = {2.0, 0.0};
        const crank_statistics s = run_whole("psf", eom, &options, 2.0, x);
        CHECK_NEAR(x[0], 1.706167732170469, 100.0 * options.rtol);
        CHECK_NEAR(x[1], -0.8928097010248125, 100.0 * options.rtol);
        assert_true(s.steps < 3000);
    }
    crank_eom_destroy(eom);
}

/* ---- mechanics ---- */

static void academic_example_follows_its_tolerance(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    double exact[13];
    test_academic_exact(1.5, exact);
    for (int exponent = 3; exponent <= 11; exponent += 2) {
        for (int sparse = 0; sparse < 2; sparse++) {
            crank_options options = run_tolerance(pow(10.0, -exponent));
            options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
            double x[13];
            test_academic_exact(0.0, x);
            (void)run_whole("psf", eom, &options, 1.5, x);
            for (int j = 0; j < 13; j++) {
                CHECK_NEAR(x[j], exact[j], 1000.0 * options.rtol * fmax(1.0, fabs(exact[j])));
            }
        }
    }
    crank_eom_destroy(eom);
}

/* specification 3.4: all digits shown agree between two tolerances */
static void slider_crank_reaches_its_reference_values(void **state)
{
    const double reference[] = {-15.703748938, -2.778782550, 0.827300180, -2.6510555480,
                                -0.1576859027};
    static const char *const formulations[] = {"psf", "peom1"};
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    for (int exponent = 5; exponent <= 11; exponent += 2) {
        for (int f = 0; f < 2; f++) {
            const crank_options options = run_tolerance(pow(10.0, -exponent));
            double x[5];
            test_slider_crank_start(&data, x);
            (void)run_whole(formulations[f], eom, &options, 10.0, x);
            for (int j = f; j < 5; j++) { /* peom1: multipliers are of low order */
                CHECK_NEAR(x[j], reference[j],
                           1000.0 * options.rtol + 1e-9 * fabs(reference[j]));
            }
        }
    }
    crank_eom_destroy(eom);
}

/* M at the start of the step, not of an old Jacobian, in the error estimate: else steps
 * become tiny */
static void state_dependent_mass_does_not_spoil_the_estimate(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    for (int reuse = 0; reuse < 2; reuse++) {
        crank_options options = run_tolerance(1e-9);
        double x[5];
        options.jacobian_reuse = reuse == 1 ? 0.1 : -1.0;
        test_slider_crank_start(&data, x);
        const crank_statistics s = run_whole("psf", eom, &options, 10.0, x);
        assert_true(s.steps <
                    1000); /* specification 1.17: 614, and more than 1e5 with an old M */
    }
    crank_eom_destroy(eom);
}

/* The motion of a pendulum does not depend on its mass. Choosing rows by absolute size would
 * take both kinematic rows for m = 1e-4 and both dynamic ones for m = 1e4. */
static void masses_of_any_size_give_the_same_motion(void **state)
{
    const double masses[] = {1.0, 1e-4, 1e4};
    double reference[5], x[5];
    test_pendulum data = test_pendulum_default();
    crank_options options = run_fixed_step(0.01875);
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options tight = run_tolerance(1e-12);
    test_pendulum_start(&data, 0.3, 2.0, reference);
    (void)run_whole("psf", eom, &tight, 40 * 0.01875, reference);
    crank_eom_destroy(eom);
    for (int i = 0; i < 3; i++) {
        data.m = masses[i];
        eom = test_pendulum_create(&data);
        test_pendulum_start(&data, 0.3, 2.0, x);
        options.atol_lambda = fmax(1.0, data.m);
        const crank_statistics s = run_whole("psf", eom, &options, 40 * 0.01875, x);
        assert_int_equal(s.steps, 40);
        CHECK_NEAR(x[0] / data.m, reference[0], 1e-7);
        for (int j = 1; j < 5; j++) {
            CHECK_NEAR(x[j], reference[j], 1e-7);
        }
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_index_one_system_has_order_five),
        cmocka_unit_test(stiff_linear_equation_takes_few_steps),
        cmocka_unit_test(van_der_pol_oscillator_follows_its_tolerance),
        cmocka_unit_test(academic_example_follows_its_tolerance),
        cmocka_unit_test(slider_crank_reaches_its_reference_values),
        cmocka_unit_test(state_dependent_mass_does_not_spoil_the_estimate),
        cmocka_unit_test(masses_of_any_size_give_the_same_motion),
    };
    return CHECK_RUN(argc, argv, tests);
}
