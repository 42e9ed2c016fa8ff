/* test_pass.c - singular: pass. Motions that are smooth across a singular position go on as if
 * it were not there: the slider crank with equal lengths folds and unfolds with p1 = p2,
 * rockers coupled by bars keep turning in parallel. Both are pendulums of one degree of freedom
 * then, whose solutions are known. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "invariants/four_bar.h"
#include "invariants/models.h"
#include "one_state.h"
#include "order/run.h"

#include <stdlib.h>

static const double singular_time = 1.013884; /* of the slider crank, by quadrature */

static crank_options passing(double tolerance)
{
    crank_options options = run_tolerance(tolerance);
    options.singular = CRANK_SINGULAR_PASS;
    return options;
}

/* energy of the slider crank with p1 = p2 = p at rest at p = 0, over what it is in the lowest
 * position */
static double crank_energy(const test_slider_crank *d, const double *v, const double *p)
{
    const double kinetic = 0.5 * (d->m1 + d->m2) * v[0] * v[0] -
                           d->m2 * d->l2 * cos(p[0] + p[1]) * v[0] * v[1] +
                           0.5 * d->m2 * d->l2 * d->l2 * v[1] * v[1];
    const double potential =
        d->g * ((d->m1 + d->m2) * d->l1 * sin(p[0]) - d->m2 * d->l2 * sin(p[1]));
    return (kinetic + potential) / (d->g * (d->m1 + d->m2));
}

static void check_crank(const char *formulation, const crank_options *options, double tolerance)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    run r;
    test_slider_crank_start(&data, x);
    run_begin(&r, formulation, eom, options, 0.0, x, 6.0);
    CHECK_OK(run_to_end(&r), r.err);
    const double *end = crank_integrator_state(r.it);
    CHECK_NEAR(end[3], end[4], 1e-9);
    CHECK_NEAR(end[1], end[2], 1e-8);
    CHECK_NEAR(crank_energy(&data, end + 1, end + 3), 0.0, 300.0 * tolerance);
    /* at 1.014 and two turns of 2.028 later */
    assert_int_equal(crank_integrator_statistics(r.it).singular_passages, 3);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void slider_crank_folds_at_every_tolerance_with_every_decomposition(void **state)
{
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        crank_options options = passing(pow(10.0, -exponent));
        for (int method = 0; method < 4; method++) {
            options.algebraic = (crank_algebraic_decomposition)method;
            check_crank("psf", &options, options.rtol);
        }
        options.algebraic = CRANK_ALGEBRAIC_AUTO;
        check_crank("gmkssol", &options, options.rtol);
    }
}

/* also without the correction at the end of each step, and with the selectors as published */
static void published_options_pass_too(void **state)
{
    crank_options options = crank_options_geoms();
    options.rtol = options.atol = 1e-8;
    options.singular = CRANK_SINGULAR_PASS;
    check_crank("psf", &options, 1e-6); /* the constraints drift a little */
}

static void passage_is_reported_with_its_time_and_rows(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const crank_options options = passing(1e-8);
    double x[5];
    run r;
    test_slider_crank_start(&data, x);
    run_begin(&r, "psf", eom, &options, 0.0, x, 2.0);
    CHECK_OK(run_to_end(&r), r.err);
    assert_int_equal(r.messages, 1);
    CHECK_CONTAINS(r.log, "t = 1.01");
    CHECK_CONTAINS(r.log, "singular position passed on the smooth branch");
    CHECK_CONTAINS(r.log, "\"loop\"");
    run_end(&r);
    crank_eom_destroy(eom);
}

/* rows every 1 ms across the position: p1 = p2, and the energy is what it was, up to the
 * tolerance; the constraint holds to round-off, its multiplier has a pole */
static void rows_inside_the_passage_are_as_good_as_others(void **state)
{
    carried_crank data = {.l2 = 1.0, .rows = 1, .factor = {1.0}};
    const test_slider_crank same = {.m1 = 1.0, .m2 = 1.8, .l1 = 1.0, .l2 = 1.0, .g = 9.81};
    crank_eom *eom = carried_crank_create(&data);
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = passing(1e-8);
        double x[7], row[7], residual[3];
        int inside = 0;
        run r;
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        carried_crank_start(&data, x);
        run_begin(&r, "psf", eom, &options, 0.0, x, 1.3);
        for (int i = 0; i < 450; i++) {
            const double t = 0.8 + 1e-3 * i;
            CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
            CHECK_OK(crank_integrator_interpolate(r.it, t, row, &r.err), r.err);
            const double *v = row + 3, *p = row + 5;
            const bool passage = crank_integrator_last_step(r.it) > 0.05;
            CHECK_NEAR(p[0], p[1], 1e-7);
            CHECK_NEAR(v[0], v[1], 1e-6);
            CHECK_NEAR(crank_energy(&same, v, p), 0.0, 1e-6);
            CHECK_OK(crank_eom_residuals(eom, t, row, residual, &r.err), r.err);
            CHECK_NEAR(residual[0], 0.0, 1e-13);
            CHECK_NEAR(residual[1], 0.0, 1e-10);
            inside += passage;
        }
        assert_true(inside > 30);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* the run may end before, at and behind the position, at any distance */
static void run_may_end_near_the_singular_position(void **state)
{
    static const double distance[] = {-2e-2, -1e-3, -1e-5, 0.0, 1e-6, 1e-4, 1e-2, 5e-2};
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    for (int i = 0; i < 8; i++) {
        const double t_end = singular_time + distance[i];
        for (int exponent = 5; exponent <= 9; exponent += 2) {
            const crank_options options = passing(pow(10.0, -exponent));
            double x[5];
            run r;
            test_slider_crank_start(&data, x);
            run_begin(&r, "psf", eom, &options, 0.0, x, t_end);
            CHECK_OK(run_to_end(&r), r.err);
            const double *end = crank_integrator_state(r.it);
            CHECK_NEAR(crank_integrator_time(r.it), t_end, 0.0);
            CHECK_NEAR(end[3], end[4], 1e-5);
            CHECK_NEAR(crank_energy(&data, end + 1, end + 3), 0.0, 300.0 * options.rtol);
            run_end(&r);
        }
    }
    crank_eom_destroy(eom);
}

/* l2 = 1.01: p2 turns back shortly before p1 reaches -pi/2, the pivot falls to 0.14 and rises
 * again. There is nothing to pass, and the motion is the same as without the option. */
static void near_miss_is_not_passed(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.01;
    crank_eom *eom = test_slider_crank_create(&data);
    for (int exponent = 4; exponent <= 8; exponent += 2) {
        crank_options options = passing(pow(10.0, -exponent));
        double x[5], y[5];
        test_slider_crank_start(&data, x);
        test_slider_crank_start(&data, y);
        const crank_statistics statistics = run_whole("psf", eom, &options, 2.0, x);
        options.singular = CRANK_SINGULAR_STOP;
        (void)run_whole("psf", eom, &options, 2.0, y);
        assert_int_equal(statistics.singular_passages, 0);
        for (int j = 1; j < 5; j++) {
            CHECK_NEAR(x[j], y[j], 1e3 * options.rtol);
        }
    }
    crank_eom_destroy(eom);
}

/* runs to 4 s, through four positions, with rows in between */
static void check_four_bar(four_bar_kind kind, int count, crank_accelerations accelerations,
                           crank_options options)
{
    double *x = NULL, residual[3], a, rate;
    crank_state *model = four_bar_create(kind, count, accelerations, &x);
    crank_eom *eom = crank_state_eom(model);
    const double k = four_bar_gravity(kind, count);
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x, 4.0);
    for (int i = 1; i <= 40; i++) {
        const double t = 0.1 * i - 0.03; /* 20 ms from the positions of the redundant one */
        CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
        CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
        four_bar_exact(k, t, &a, &rate);
        for (int j = 0; j <= count;
             j++) { /* errors grow with the motion, at most tenfold per turn */
            CHECK_NEAR(x[four_bar_angle(eom, j)], -a, 2e3 * options.rtol);
            CHECK_NEAR(x[four_bar_rate(eom, j)], -rate, 1e4 * options.rtol);
        }
        CHECK_OK(crank_eom_residuals(eom, t, x, residual, &r.err), r.err);
        CHECK_NEAR(residual[0], 0.0, 1e-13);
        CHECK_NEAR(residual[1], 0.0, 1e-11);
        CHECK_NEAR(residual[2], 0.0, 1e-8);
    }
    assert_int_equal(crank_integrator_statistics(r.it).singular_passages, 4);
    assert_true(crank_integrator_statistics(r.it).attempts < 600);
    run_end(&r);
    free(x);
    one_state_close(model);
}

static void parallel_rockers_turn_through_the_line(void **state)
{
    for (int count = 1; count <= 3; count++) {
        for (int exponent = 4; exponent <= 10; exponent += 3) {
            crank_options options = passing(pow(10.0, -exponent));
            options.linear_algebra = CRANK_LINALG_SPARSE;
            check_four_bar(FOUR_BAR_CHAIN, count, CRANK_ACCELERATIONS_CARRY, options);
        }
    }
    crank_options options = passing(1e-8);
    options.linear_algebra = CRANK_LINALG_DENSE;
    check_four_bar(FOUR_BAR_CHAIN, 2, CRANK_ACCELERATIONS_CARRY, options);
    check_four_bar(FOUR_BAR_CHAIN, 2, CRANK_ACCELERATIONS_ELIMINATE, options);
}

/* one redundant row; where the mechanism hangs straight down other rows are the dependent ones,
 * which is not a singular position */
static void redundant_rocker_turns_through_the_line(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = passing(1e-7);
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        check_four_bar(FOUR_BAR_COUPLER, 2, CRANK_ACCELERATIONS_CARRY, options);
    }
}

/* Multipliers of redundant constraints have a part that is in no equation. It does not grow,
 * although the rows that are left out change twice per swing. Released 0.7 rad from the lowest
 * position; the forces are of the order of the weights, 40 N. */
static void undetermined_multipliers_do_not_grow(void **state)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        crank_options options = run_tolerance(1e-7);
        double *x = NULL;
        crank_state *model =
            four_bar_create(FOUR_BAR_COUPLER, 2, CRANK_ACCELERATIONS_CARRY, &x);
        crank_eom *eom = crank_state_eom(model);
        const crank_initial_options initial = crank_initial_options_default();
        const int v = crank_eom_column(eom, CRANK_V), p = crank_eom_column(eom, CRANK_P);
        crank_error err = {0};
        for (int j = v; j < p; j++) {
            x[j] = 0.0;
        }
        for (int i = 0; i < 3; i++) {
            const double angle = 2.4;
            x[p + 3 * i] += -0.5 * sin(angle);
            x[p + 3 * i + 1] = 0.5 * cos(angle);
            x[p + 3 * i + 2] = angle;
        }
        x[p + 9] -= sin(2.4);
        x[p + 10] = cos(2.4);
        CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
        options.linear_algebra = sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
        const crank_statistics statistics = run_whole("psf", eom, &options, 20.0, x);
        for (int j = crank_eom_column(eom, CRANK_LAMBDA); j < v; j++) {
            CHECK_NEAR(x[j], 0.0, 100.0);
        }
        assert_true(statistics.attempts < 1200);
        free(x);
        one_state_close(model);
    }
}

static void peom1_refuses_to_pass(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    const crank_options options = passing(1e-6);
    double x[5];
    run r;
    test_slider_crank_start(&data, x);
    CHECK_STATUS(run_try(&r, "peom1", eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "singular=pass");
    run_end(&r);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_folds_at_every_tolerance_with_every_decomposition),
        cmocka_unit_test(published_options_pass_too),
        cmocka_unit_test(passage_is_reported_with_its_time_and_rows),
        cmocka_unit_test(rows_inside_the_passage_are_as_good_as_others),
        cmocka_unit_test(run_may_end_near_the_singular_position),
        cmocka_unit_test(near_miss_is_not_passed),
        cmocka_unit_test(parallel_rockers_turn_through_the_line),
        cmocka_unit_test(redundant_rocker_turns_through_the_line),
        cmocka_unit_test(undetermined_multipliers_do_not_grow),
        cmocka_unit_test(peom1_refuses_to_pass),
    };
    return CHECK_RUN(argc, argv, tests);
}
