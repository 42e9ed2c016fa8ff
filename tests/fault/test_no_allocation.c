/* test_no_allocation.c - after start nothing allocates: neither steps nor rows between them,
 * with any dense decomposition; on the sparse path only steps that choose selectors anew (a
 * new analysis) do. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "fault/allocation_counter.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

#include <string.h>

/* steps and rows between them to the end; the number of allocations */
static int64_t allocations(run *r)
{
    double x[RUN_MAX];
    crank_status status = CRANK_OK;
    allocation_counter_arm();
    while (status == CRANK_OK && !crank_integrator_finished(r->it)) {
        status = crank_integrator_step(r->it, &r->err);
        const double t = crank_integrator_time(r->it) - 0.3 * crank_integrator_last_step(r->it);
        if (status == CRANK_OK) {
            status = crank_integrator_interpolate(r->it, t, x, &r->err);
        }
    }
    (void)crank_integrator_statistics(r->it);
    const int64_t count = allocation_counter_disarm();
    CHECK_OK(status, r->err);
    return count;
}

static void check_quiet(const char *formulation, crank_eom *eom, const crank_options *options,
                        const double *x, double t_end)
{
    run r;
    run_begin(&r, formulation, eom, options, 0.0, x, t_end);
    assert_int_equal(allocations(&r), 0);
    allocation_counter_arm(); /* neither does a second start */
    const crank_status status = crank_integrator_start(r.it, 0.0, x, t_end, &r.err);
    assert_int_equal(allocation_counter_disarm(), 0);
    CHECK_OK(status, r.err);
    assert_int_equal(allocations(&r), 0);
    run_end(&r);
}

static void dense_decompositions_do_not_allocate(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.0, 8.0, x); /* rotates: pivots and selectors change */
    for (int v = 0; v < 8; v++) {
        crank_options options = run_tolerance(1e-5);
        options.algebraic = (crank_algebraic_decomposition)(v % 4);
        options.differential = v < 4 ? CRANK_DIFFERENTIAL_LU : CRANK_DIFFERENTIAL_QR;
        options.newton_updates = 1;
        check_quiet("psf", eom, &options, x, 2.0);
        check_quiet("peom1", eom, &options, x, 2.0);
    }
    crank_eom_destroy(eom);
}

static void gmkssol_does_not_allocate(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    const crank_options options = run_tolerance(1e-5);
    double x[5];
    test_slider_crank_start(&data, x);
    check_quiet("gmkssol", eom, &options, x, 2.0);
    crank_eom_destroy(eom);
}

static void bdf_and_rows_as_they_are_do_not_allocate(void **state)
{
    static const char *const methods[] = {"psf-bdf",    "gmkssol-bdf",   "index1-radau",
                                          "index2-bdf", "index3-radau",  "ggl-radau",
                                          "ggl-bdf",    "baumgarte-bdf", "psf-sdirk2",
                                          "ggl-sdirk2", "psf-sdirk415",  "psf-trapezoidal"};
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    crank_options options = run_tolerance(1e-5);
    double x[13];
    test_slider_crank_start(&data, x);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        check_quiet(methods[i], eom, &options, x, 1.0);
    }
    crank_eom_destroy(eom);
    test_academic academic = test_academic_default();
    eom = test_academic_create(&academic);
    test_academic_exact(0.0, x);
    check_quiet("ggl-bdf", eom, &options, x, 1.0);
    crank_eom_destroy(eom);
}

static void state_dependent_mass_redundancy_and_all_groups_do_not_allocate(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_options options = run_tolerance(1e-5);
    double x[13];
    data.rows = 2;
    data.factor[1] = 2.0;
    crank_eom *eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, x);
    check_quiet("psf", eom, &options, x, 2.0);
    crank_eom_destroy(eom);
    test_academic academic = test_academic_default();
    eom = test_academic_create(&academic);
    test_academic_exact(0.0, x);
    options.linear_algebra = CRANK_LINALG_DENSE; /* sparse: where it analyses, below */
    check_quiet("psf", eom, &options, x, 1.5);
    crank_eom_destroy(eom);
}

static void explicit_methods_do_not_allocate(void **state)
{
    crank_options options = run_tolerance(1e-5);
    test_pendulum pendulum = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&pendulum);
    double x[13];
    test_pendulum_start(&pendulum, 0.0, 8.0, x);
    check_quiet("ode-dopri8", eom, &options, x, 2.0);
    check_quiet("ode-dopri5", eom, &options, x, 2.0);
    check_quiet("ode-herk5", eom, &options, x, 2.0);
    check_quiet("ode-adams", eom, &options, x, 2.0);
    crank_eom_destroy(eom);
    test_slider_crank data = test_slider_crank_default();
    eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, x);
    check_quiet("ode-dopri8", eom, &options, x, 2.0);
    crank_eom_destroy(eom);
    test_academic academic = test_academic_default();
    eom = test_academic_create(&academic);
    test_academic_exact(0.0, x);
    options.linear_algebra = CRANK_LINALG_DENSE;
    check_quiet("ode-dopri8", eom, &options, x, 1.5);
    crank_eom_destroy(eom);
}

/* 30 masses by dense LU */
static void large_dense_systems_do_not_allocate(void **state)
{
    test_chain data = {.count = 30, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    crank_options options = run_tolerance(1e-4);
    static double x[RUN_MAX];
    options.linear_algebra = CRANK_LINALG_DENSE;
    test_chain_start(&data, x);
    check_quiet("psf", eom, &options, x, 0.05);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

/* neither LU of a band nor a recorded elimination of few rows */
static void rows_as_they_are_do_not_allocate_with_sparse_matrices(void **state)
{
    static const struct {
        crank_linear_algebra solver;
        int masses;
    } cases[] = {{CRANK_LINALG_BANDED, 30}, {CRANK_LINALG_RECORDED, 4}};
    static const char *const methods[] = {"ggl-bdf", "index1-radau"};
    for (int i = 0; i < 4; i++) {
        test_chain data = {.count = cases[i / 2].masses, .m = 1.0, .L = 0.5, .g = 9.81};
        crank_eom *eom = test_chain_create(&data);
        crank_options options = run_tolerance(1e-4);
        static double x[RUN_MAX];
        options.linear_algebra = cases[i / 2].solver;
        test_chain_start(&data, x);
        check_quiet(methods[i % 2], eom, &options, x, 0.05);
        crank_eom_destroy(eom);
        test_chain_free(&data);
    }
}

static void sparse_allocates_only_where_it_analyses(void **state)
{
    test_chain data = {.count = 30, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    crank_options options = run_tolerance(1e-5);
    static double x[RUN_MAX];
    run r;
    int quiet = 0;
    options.linear_algebra = CRANK_LINALG_SPARSE;
    test_chain_start(&data, x);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    int64_t analyses = crank_integrator_statistics(r.it).analyses;
    bool fresh =
        true; /* factors of the last analysis are made in the next step at the latest */
    while (!crank_integrator_finished(r.it)) {
        allocation_counter_arm();
        const crank_status status = crank_integrator_step(r.it, &r.err);
        const double t = crank_integrator_time(r.it) - 0.3 * crank_integrator_last_step(r.it);
        const crank_status between = crank_integrator_interpolate(r.it, t, x, &r.err);
        const int64_t count = allocation_counter_disarm();
        CHECK_OK(status, r.err);
        CHECK_OK(between, r.err);
        const int64_t now = crank_integrator_statistics(r.it).analyses;
        if (now == analyses && !fresh && count > 0) {
            fail_msg("%d allocations at t = %g without an analysis", (int)count, t);
        }
        fresh = now != analyses;
        quiet += !fresh;
        analyses = now;
    }
    assert_true(quiet > crank_integrator_statistics(r.it).steps / 2);
    run_end(&r);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

/* laws, tables, continued angles, contact variables, states and a rolling disc */
static const char *const mechanisms[] = {
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies: {a: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
    "joints: {j: {type: revolute, between: [ground, a], at: [0, 0]}}\n"
    "forces:\n"
    "  s: {type: spring, between: [ground, a], at: [[1, 1], [0.5, 0]], law: 30*(length - 1) + "
    "rate}\n"
    "  f: {type: friction, joint: j, level: 0.2, slip: 0.1}\n"
    "  c: {type: actuator, joint: j, command: sin(5*t), lag: 0.1}\n"
    "outputs: {a: body.a.ax + joint.j.angle}\n",
    "crank: mechanism\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {w: {mass: 1, shape: {cylinder: [0.3, 0.1]}, position: [0, 0, 0.3], "
    "orientation: {axis: [1, 0, 0], angle: 90 deg}, velocity: [1, 0, 0], "
    "angular_velocity: [0, 3.3333333333333335, 0]}}\n"
    "joints: {r: {type: rolling_disc, between: [ground, w], radius: 0.3, axis: [0, 1, 0], "
    "plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}\n",
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies: {a: {type: point, mass: 1, position: [0.5, 0.25]}}\n"
    "joints: {k: {type: curve, between: [ground, a], curve: [s, s^2], start: 0.5}}\n",
};

static void mechanisms_do_not_allocate(void **state)
{
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        crank_state *model = NULL;
        crank_error err = {0};
        CHECK_OK(
            one_state_read_text("m", mechanisms[i], strlen(mechanisms[i]), NULL, &model, &err),
            err);
        crank_eom *eom = crank_state_eom(model);
        const int n = crank_eom_unknowns(eom),
                  columns = crank_model_column_count(crank_state_model(model));
        double x[RUN_MAX], values[RUN_MAX];
        assert_true(n <= RUN_MAX && columns <= RUN_MAX);
        memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
        crank_initial_options initial = crank_initial_options_default();
        initial.fixing = crank_model_fixing(crank_state_model(model));
        CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
        crank_options options = run_tolerance(1e-5);
        options.linear_algebra = CRANK_LINALG_DENSE;
        check_quiet("psf", eom, &options, x, 1.0);
        check_quiet("ode-dopri8", eom, &options, x, 1.0);
        allocation_counter_arm();
        const crank_status status = crank_state_columns(model, 0.0, x, values, &err);
        assert_int_equal(allocation_counter_disarm(), 0);
        CHECK_OK(status, err);
        one_state_close(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_decompositions_do_not_allocate),
        cmocka_unit_test(gmkssol_does_not_allocate),
        cmocka_unit_test(bdf_and_rows_as_they_are_do_not_allocate),
        cmocka_unit_test(state_dependent_mass_redundancy_and_all_groups_do_not_allocate),
        cmocka_unit_test(explicit_methods_do_not_allocate),
        cmocka_unit_test(large_dense_systems_do_not_allocate),
        cmocka_unit_test(rows_as_they_are_do_not_allocate_with_sparse_matrices),
        cmocka_unit_test(sparse_allocates_only_where_it_analyses),
        cmocka_unit_test(mechanisms_do_not_allocate),
    };
    return CHECK_RUN(argc, argv, tests);
}
