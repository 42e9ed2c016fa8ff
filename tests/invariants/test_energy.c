/* test_energy.c - stated invariants are kept: pendulum through its turning points, from
 * rest, dense and sparse, peom1; two invariants at once. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "invariants/models.h"
#include "order/run.h"

/* largest |energy - energy0| over all steps and over rows between them */
static double worst_energy(const char *formulation, const crank_options *options, double angle,
                           double speed, double t_end, crank_statistics *statistics)
{
    energy_pendulum data;
    double x[5], worst = 0.0;
    run r;
    energy_pendulum_start(&data, angle, speed, x);
    crank_eom *eom = energy_pendulum_create(&data);
    run_begin(&r, formulation, eom, options, 0.0, x, t_end);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        worst = fmax(worst,
                     fabs(energy_pendulum_energy(crank_integrator_state(r.it)) - data.energy));
        const double t = crank_integrator_time(r.it) - 0.4 * crank_integrator_last_step(r.it);
        CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
        worst = fmax(worst, fabs(energy_pendulum_energy(x) - data.energy));
    }
    *statistics = crank_integrator_statistics(r.it);
    run_end(&r);
    crank_eom_destroy(eom);
    return worst;
}

static crank_options energy_options(double tolerance, bool sparse)
{
    crank_options options = run_tolerance(tolerance);
    options.linear_algebra = sparse ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
    return options;
}

static void energy_is_kept_through_turning_points(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        for (int exponent = 4; exponent <= 8; exponent += 2) {
            const crank_options options = energy_options(pow(10.0, -exponent), sparse == 1);
            crank_statistics s;
            CHECK_NEAR(worst_energy("psf", &options, 0.0, 5.24411510858424, 100.0, &s), 0.0,
                       1e-11);
            assert_int_equal(s.invariants_dropped,
                             0); /* over v and p together there is always a pivot */
        }
    }
}

static void energy_is_kept_from_rest(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-6, sparse == 1);
        crank_statistics s;
        CHECK_NEAR(worst_energy("psf", &options, 1.0, 0.0, 20.0, &s), 0.0, 1e-11);
        assert_true(s.steps < 2000);
    }
}

static void energy_is_kept_by_rotations(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-6, sparse == 1);
        crank_statistics s;
        CHECK_NEAR(worst_energy("psf", &options, 0.0, 9.0, 20.0, &s), 0.0, 1e-11);
    }
}

/* hanging at rest: the energy says nothing at all (its gradient is that of the constraint)
 * and is left out */
static void equilibrium_drops_the_invariant_and_counts_it(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-6, sparse == 1);
        crank_statistics s;
        CHECK_NEAR(worst_energy("psf", &options, 0.0, 0.0, 5.0, &s), 0.0, 1e-12);
        assert_true(s.invariants_dropped > 0);
    }
}

/* next to equilibrium it says next to nothing: enforcing it would divide round-off by 1e-9 */
static void small_motion_about_equilibrium_is_not_disturbed(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-6, sparse == 1);
        energy_pendulum data;
        double x[5];
        run r;
        energy_pendulum_start(&data, 1e-9, 0.0, x);
        crank_eom *eom = energy_pendulum_create(&data);
        run_begin(&r, "psf", eom, &options, 0.0, x, 5.0);
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_NEAR(crank_integrator_state(r.it)[3], 0.0, 1e-8);
            CHECK_NEAR(crank_integrator_state(r.it)[1], 0.0, 1e-8);
        }
        assert_true(crank_integrator_statistics(r.it).invariants_dropped > 0);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

static void invariants_can_be_turned_off(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = energy_options(1e-4, sparse == 1);
        crank_statistics s;
        options.invariants = false;
        const double drift = worst_energy("psf", &options, 0.0, 5.0, 20.0, &s);
        assert_true(drift > 1e-8);
        CHECK_NEAR(drift, 0.0, 1.0);
    }
}

/* the lowest point: there the energy tells nothing about positions, so the kinematic row
 * must stay */
static void peom1_keeps_the_energy_through_the_lowest_point(void **state)
{
    const crank_options options = energy_options(1e-6, false);
    crank_statistics s;
    CHECK_NEAR(worst_energy("peom1", &options, 0.0, 3.0, 10.0, &s), 0.0, 1e-11);
    assert_true(s.steps < 2000);
}

/* the motion is that without the invariant, and the phase is right */
static void enforced_energy_does_not_bend_the_motion(void **state)
{
    energy_pendulum data;
    double x[5], reference[5];
    energy_pendulum_start(&data, 0.3, 3.0, x);
    crank_eom *eom = energy_pendulum_create(&data);
    crank_options tight = run_tolerance(1e-12);
    tight.invariants = false;
    memcpy(reference, x, sizeof x);
    (void)run_whole("psf", eom, &tight, 5.0, reference);
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-7, sparse == 1);
        double y[5];
        memcpy(y, x, sizeof y);
        (void)run_whole("psf", eom, &options, 5.0, y);
        for (int j = 0; j < 5; j++) {
            CHECK_NEAR(y[j], reference[j], 1e-5 * fmax(1.0, fabs(reference[j])));
        }
    }
    crank_eom_destroy(eom);
}

/* energy and angular momentum of an ellipse, eccentricity 0.6, period 2 pi */
static void two_invariants_are_kept_together(void **state)
{
    const double pi = 3.14159265358979323846;
    for (int sparse = 0; sparse < 2; sparse++) {
        const crank_options options = energy_options(1e-8, sparse == 1);
        planet data;
        double x[4], begin[4], k[6];
        run r;
        planet_start(&data, 0.4, 2.0, x);
        memcpy(begin, x, sizeof x);
        crank_eom *eom = planet_create(&data);
        run_begin(&r, "psf", eom, &options, 0.0, x, 4.0 * pi);
        while (!crank_integrator_finished(r.it)) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_OK(crank_eom_evaluate(eom, 0.0, crank_integrator_state(r.it), k, &r.err),
                     r.err);
            CHECK_NEAR(k[0], 0.0, 1e-12);
            CHECK_NEAR(k[1], 0.0, 1e-12);
        }
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(crank_integrator_state(r.it)[j], begin[j], 1e-5);
        }
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_kept_through_turning_points),
        cmocka_unit_test(energy_is_kept_from_rest),
        cmocka_unit_test(energy_is_kept_by_rotations),
        cmocka_unit_test(equilibrium_drops_the_invariant_and_counts_it),
        cmocka_unit_test(small_motion_about_equilibrium_is_not_disturbed),
        cmocka_unit_test(invariants_can_be_turned_off),
        cmocka_unit_test(peom1_keeps_the_energy_through_the_lowest_point),
        cmocka_unit_test(enforced_energy_does_not_bend_the_motion),
        cmocka_unit_test(two_invariants_are_kept_together),
    };
    return CHECK_RUN(argc, argv, tests);
}
