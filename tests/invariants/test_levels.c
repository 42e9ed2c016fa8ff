/* test_levels.c - all constraint levels hold at round-off at every step and between steps,
 * whatever the tolerance; redundant constraints move like independent ones; dense and sparse
 * agree. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "invariants/models.h"
#include "order/run.h"

/* residuals of all levels over steps and two rows between each; the sizes of the levels in
 * worst */
static void watch(const char *formulation, crank_eom *eom, const crank_options *options,
                  const double *x0, double t_end, double worst[3])
{
    double x[RUN_MAX], residual[3];
    run r;
    worst[0] = worst[1] = worst[2] = 0.0;
    run_begin(&r, formulation, eom, options, 0.0, x0, t_end);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        for (int i = 0; i < 3; i++) {
            const double t =
                crank_integrator_time(r.it) - 0.4 * i * crank_integrator_last_step(r.it);
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            CHECK_OK(crank_eom_residuals(eom, t, x, residual, &r.err), r.err);
            for (int level = 0; level < 3; level++) {
                worst[level] = fmax(worst[level], residual[level]);
            }
        }
    }
    run_end(&r);
}

static void check_levels(crank_eom *eom, const double *x0, double t_end)
{
    for (int exponent = 3; exponent <= 9; exponent += 3) {
        const crank_options options = run_tolerance(pow(10.0, -exponent));
        double worst[3];
        watch("psf", eom, &options, x0, t_end, worst);
        CHECK_NEAR(worst[0], 0.0, 1e-13);
        CHECK_NEAR(worst[1], 0.0, 1e-13);
        CHECK_NEAR(worst[2], 0.0, 1e-12);
        watch("peom1", eom, &options, x0, t_end, worst);
        CHECK_NEAR(worst[0], 0.0, 1e-13);
        CHECK_NEAR(worst[1], 0.0, 1e-13);
    }
}

static void pendulum_holds_all_levels(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    const double speeds[] = {2.0, 5.24411510858424, 9.0};
    for (int i = 0; i < 3; i++) {
        test_pendulum_start(&data, 0.0, speeds[i], x);
        check_levels(eom, x, 20.0);
    }
    crank_eom_destroy(eom);
}

/* over the horizontal, not to the top: lambda passes zero twice a swing */
static void pendulum_whose_multiplier_passes_zero_holds_all_levels(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.0, 7.0, x);
    check_levels(eom, x, 50.0);
    crank_eom_destroy(eom);
}

static void slider_crank_holds_all_levels(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    test_slider_crank_start(&data, x);
    check_levels(eom, x, 10.0);
    crank_eom_destroy(eom);
}

static void skate_and_academic_example_hold_all_levels(void **state)
{
    test_skate skate = test_skate_default();
    crank_eom *eom = test_skate_create(&skate);
    double x[13];
    test_skate_exact(&skate, 0.0, x);
    check_levels(eom, x, 5.0);
    crank_eom_destroy(eom);
    test_academic academic = test_academic_default();
    eom = test_academic_create(&academic);
    test_academic_exact(0.0, x);
    check_levels(eom, x, 1.5);
    crank_eom_destroy(eom);
}

/* ---- redundant constraints ---- */

static void redundant_crank_moves_like_the_regular_one(void **state)
{
    static const double factors[][3] = {{1.0, 0.0, 0.0}, {1.0, 2.0, -0.5}};
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    const crank_options options = run_tolerance(1e-9);
    double reference[5], x[7];
    test_slider_crank_start(&data, reference);
    (void)run_whole("psf", eom, &options, 5.0, reference);
    crank_eom_destroy(eom);
    data.rows = 3;
    for (int i = 0; i < 2; i++) {
        double worst[3];
        memcpy(data.factor, factors[i], sizeof factors[i]);
        eom = test_slider_crank_create(&data);
        test_slider_crank_start(&data, x);
        watch("psf", eom, &options, x, 5.0, worst);
        for (int level = 0; level < 3; level++) {
            CHECK_NEAR(worst[level], 0.0, 1e-12);
        }
        (void)run_whole("psf", eom, &options, 5.0, x);
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(x[3 + j], reference[1 + j], 1e-6);
        }
        /* the force is unique, the multipliers are not */
        CHECK_NEAR(x[0] * factors[i][0] + x[1] * factors[i][1] + x[2] * factors[i][2],
                   reference[0], 1e-6);
        crank_eom_destroy(eom);
    }
}

static void redundant_crank_moves_alike_dense_and_sparse(void **state)
{
    carried_crank data = {.l2 = 3.0, .rows = 1, .factor = {1.0, 2.0, -0.5}};
    double reference[7], x[9];
    crank_options options = run_tolerance(1e-9);
    crank_eom *eom = carried_crank_create(&data);
    carried_crank_start(&data, reference);
    (void)run_whole("psf", eom, &options, 5.0, reference);
    crank_eom_destroy(eom);
    data.rows = 3;
    eom = carried_crank_create(&data);
    for (int sparse = 0; sparse < 2; sparse++) {
        run r;
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        carried_crank_start(&data, x);
        run_begin(&r, "psf", eom, &options, 0.0, x, 5.0);
        CHECK_CONTAINS(r.log, "redundant");
        CHECK_OK(run_to_end(&r), r.err);
        memcpy(x, crank_integrator_state(r.it), sizeof x);
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(x[5 + j], reference[3 + j], 1e-6);
        }
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* ---- dense against sparse ---- */

/* a chain of rods falls from the horizontal; lambda by crank's own correction at the start */
static void chain_moves_alike_dense_and_sparse(void **state)
{
    enum { N = 8 };
    test_chain data = {.count = N, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    double x0[5 * N], x[2][5 * N];
    test_chain_start(&data, x0);
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = run_tolerance(1e-9);
        double worst[3];
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        memcpy(x[sparse], x0, sizeof x0);
        (void)run_whole("psf", eom, &options, 0.8, x[sparse]);
        watch("psf", eom, &options, x0, 0.8, worst);
        for (int level = 0; level < 3; level++) {
            CHECK_NEAR(worst[level], 0.0, 1e-12);
        }
    }
    for (int j = 0; j < 5 * N; j++) {
        CHECK_NEAR(x[0][j], x[1][j], 1e-5 * fmax(1.0, fabs(x[1][j])));
    }
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_holds_all_levels),
        cmocka_unit_test(pendulum_whose_multiplier_passes_zero_holds_all_levels),
        cmocka_unit_test(slider_crank_holds_all_levels),
        cmocka_unit_test(skate_and_academic_example_hold_all_levels),
        cmocka_unit_test(redundant_crank_moves_like_the_regular_one),
        cmocka_unit_test(redundant_crank_moves_alike_dense_and_sparse),
        cmocka_unit_test(chain_moves_alike_dense_and_sparse),
    };
    return CHECK_RUN(argc, argv, tests);
}
