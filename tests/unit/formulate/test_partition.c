/* test_partition.c - independent coordinates, and those of the tangent plane: which are chosen,
 * when they are chosen anew, the Jacobian of the reduced equations, orders, constraints over
 * long runs, what is refused. theory 2.10, 2.11. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/partition.h"
#include "formulate/reduction_dense.h"
#include "partition_runs.h"

static const char pendulum_file[] = "models/negrut-pendulum/negrut-pendulum.yaml",
                  gyroscope_file[] = "models/gyroscope-loop/gyroscope-loop.yaml";

/* a pendulum whose length changes, as equations: the constraint moves */
static const char swing[] =
    "crank: equations\n"
    "positions: {x: {start: 0.4}, y: {start: -0.9165151389911680, fixed: true}}\n"
    "velocities: {vx: {of: x, start: 1, fixed: true}, vy: {of: y}}\n"
    "mass: {diagonal: [1, 1]}\n"
    "forces: [-vx, -9.81]\n"
    "holonomic: {length: x^2 + y^2 - (1 + sin(2*t)/5)^2}\n";
/* a point that turns over and over */
static const char turning[] =
    "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {bob: {type: point, mass: 1, position: [0, -1], velocity: [8, 0]}}\n"
    "joints: {rod: {type: distance, between: [ground, bob], at: [[0, 0], [0, -1]], length: "
    "1}}\n";
/* left 2, coupler 2.5, right 2, ground 4: no link turns round, each stops at its dead points */
static const char four_bar[] =
    "crank: mechanism\ndimension: 2\n"
    "parameters: {yA: sqrt(3), xB: (22.25 + sqrt(32.3125))/8, yB: sqrt(3)*xB - "
    "14.25/sqrt(12)}\n"
    "bodies:\n"
    "  left: {mass: 1, shape: {rod: 2}, position: [0.5, yA/2], angle: 60 deg}\n"
    "  coupler: {mass: 1, shape: {rod: 2.5}, position: [(1 + xB)/2, (yA + yB)/2], "
    "angle: \"atan2(yB - yA, xB - 1)\"}\n"
    "  right: {mass: 1, shape: {rod: 2}, position: [(4 + xB)/2, yB/2], "
    "angle: \"atan2(yB, xB - 4)\"}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground, left], at: [0, 0]}\n"
    "  A: {type: revolute, between: [left, coupler], at: [1, yA]}\n"
    "  B: {type: revolute, between: [coupler, right], at: [xB, yB]}\n"
    "  C: {type: revolute, between: [ground, right], at: [4, 0]}\n"
    "initial: {joints: {O: {angle_rate: 3}}}\n";
/* a distance that the ball keeps as well: one of four rows is left out, by turns */
static const char redundant[] =
    "crank: mechanism\ngravity: [0, 0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: [0.2, 0.3, 0.25], position: [0.5, 0, 0], "
    "angular_velocity: [0, 2, 5]}}\n"
    "joints:\n"
    "  ball: {type: spherical, between: [ground, rod], at: [0, 0, 0]}\n"
    "  again: {type: distance, between: [ground, rod], at: [[0, 0, 0], [0.8, 0.1, 0.2]]}\n";

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

/* rosenbrock has no Newton */
static crank_options suited(crank_options options, const char *method)
{
    if (strstr(method, "rosenbrock") != NULL) {
        options.newton_tolerance = crank_options_default().newton_tolerance;
        options.newton_max = crank_options_default().newton_max;
        options.jacobian_reuse = crank_options_default().jacobian_reuse;
    }
    return options;
}

/* ---- the choice ---- */

/* [Neg98]: theta_1 and y_2 at the start */
static void the_double_pendulum_has_the_independent_coordinates_of_the_thesis(void **state)
{
    crank_state *model = open_model(pendulum_file, true, CRANK_ACCELERATIONS_CARRY);
    const crank_options options = run_tolerance(1e-4);
    double x[RUN_MAX];
    run r;
    start(model, x);
    run_begin(&r, "partition-sdirk415", crank_state_eom(model), &options, 0.0, x, 2.0);
    assert_string_equal(r.log, "independent velocities: th1d, y2d");
    run_end(&r);
    one_state_close(model);
}

/* What the condition grows by is bounded by its limit. */
static void coordinates_are_chosen_anew_as_the_condition_rises_and_that_is_told(void **state)
{
    int64_t changes[2];
    for (int i = 0; i < 2; i++) {
        crank_state *model = open_model(turning, false, CRANK_ACCELERATIONS_CARRY);
        crank_options options = run_tolerance(1e-5);
        double x[RUN_MAX];
        run r;
        options.partition_limit = i == 0 ? 1.25 : 1.05;
        options.jacobian_reuse = -1.0;
        start(model, x);
        run_begin(&r, "partition-sdirk415", crank_state_eom(model), &options, 0.0, x, 3.0);
        const crank_partition *s = (const crank_partition *)r.problem;
        while (crank_integrator_time(r.it) < 3.0) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            assert_true(s->choice.condition <=
                        options.partition_limit * s->choice.condition_chosen);
        }
        changes[i] = crank_integrator_statistics(r.it).selector_updates;
        assert_non_null(strstr(r.log, "in place of"));
        assert_non_null(strstr(r.log, "condition"));
        run_end(&r);
        one_state_close(model);
    }
    assert_true(changes[0] >= 8 && changes[1] >= changes[0]); /* four a turn */
}

/* ---- the Jacobian of the reduced equations ---- */

/* rows of the independent velocities, at the point whose independent coordinates are those of
 * base + part along */
static void rates_at(crank_problem *p, double t, const double *base, double part,
                     const double *along, double *k)
{
    double y[RUN_MAX];
    crank_error err = {0};
    for (int j = 0; j < p->n; j++) {
        y[j] = base[j] + (along != NULL ? part * along[j] : 0.0);
    }
    CHECK_OK(p->constraints->correct(p, t, y, &err), err);
    CHECK_OK(p->evaluate(p, 1, &t, y, k, &err), err);
}

/* rows of E y' = f that are used, each a sum over those of the velocities */
static int used_rows(const crank_partition *s, double *part)
{
    const crank_eom *eom = s->eom;
    const int nv = eom->sizes.v;
    int count = 0;
    if (!s->plane) {
        for (int j = 0; j < nv; j++) {
            if (!s->choice.dependent[eom->column[CRANK_V] + j]) {
                memset(part + (long)count * nv, 0, (size_t)nv * sizeof *part);
                part[j + (long)count++ * nv] = 1.0;
            }
        }
        return count;
    }
    const crank_dense *d = (const crank_dense *)s->psf->reduction;
    for (int i = 0; i < d->free_count; i++) {
        const int column = d->free_column[i];
        if (column >= eom->column[CRANK_V] && column < eom->column[CRANK_S]) {
            double largest = 0.0;
            for (int j = 0; j < nv; j++) {
                part[j + (long)count * nv] = d->S[i + (long)(eom->sizes.r + j) * d->free_count];
                largest = fmax(largest, fabs(part[j + (long)count * nv]));
            }
            for (int j = 0; j < nv; j++) {
                part[j + (long)count * nv] /= largest;
            }
            count++;
        }
    }
    return count;
}

/* (sigma E - J) delta = r against differences of the rates along delta, and k_t against those
 * in time; central ones of step e are off by e^2 and rounding/e */
static void check_jacobian(const char *text, const char *method, double tolerance)
{
    crank_state *model = open_model(text, is_path(text), CRANK_ACCELERATIONS_CARRY);
    crank_eom *eom = crank_state_eom(model);
    crank_options options = run_tolerance(1e-8);
    double x[RUN_MAX];
    run r;
    start(model, x);
    run_begin(&r, method, eom, &options, 0.0, x, 0.3);
    CHECK_OK(crank_integrator_solve_to(r.it, 0.1, &r.err), r.err);
    crank_problem *p = r.problem;
    const crank_partition *s = (const crank_partition *)p;
    const double t = r.it != NULL ? crank_integrator_time(r.it) : 0.0, sigma = 10.0, e = 1e-5,
                 none = 0.0;
    double y[RUN_MAX], rows[RUN_MAX], delta[RUN_MAX], plus[RUN_MAX], minus[RUN_MAX],
        kt[RUN_MAX], size = 0.0;
    memcpy(y, crank_integrator_state(r.it) + s->column, (size_t)p->n * sizeof *y);
    CHECK_OK(p->prepare(p, t, y, NULL, &r.err), r.err);
    CHECK_OK(p->factor(p, 1, &sigma, &none, &r.err), r.err);
    for (int i = 0; i < p->m; i++) {
        rows[i] = p->differential[i] ? sin(1.0 + 3.0 * i) : 0.0;
    }
    CHECK_OK(p->solve(p, 0, rows, NULL, delta, NULL, &r.err), r.err);
    CHECK_OK(p->time_derivative(p, t, y, kt, &r.err), r.err);
    const int v = eom->column[CRANK_V] - s->column, dyn = eom->row[CRANK_ROW_DYN] - s->row;
    rates_at(p, t, y, e, delta, plus);
    rates_at(p, t, y, -e, delta, minus);
    for (int j = 0; j < eom->sizes.v; j++) {
        size = fmax(size, fabs(plus[dyn + j]));
    }
    static double part[RUN_MAX * RUN_MAX];
    const int used = used_rows(s, part);
    assert_true(used > 0);
    for (int i = 0; i < used; i++) {
        double off = 0.0;
        for (int j = 0; j < eom->sizes.v; j++) {
            const double along = (plus[dyn + j] - minus[dyn + j]) / (2.0 * e);
            off += part[j + (long)i * eom->sizes.v] *
                   (sigma * delta[v + j] - along - rows[dyn + j]);
        }
        CHECK_NEAR(off, 0.0, tolerance * (1.0 + size));
    }
    const double times[2] = {t + e, t - e}; /* with y as it is, off the constraints or not */
    CHECK_OK(p->evaluate(p, 1, &times[0], y, plus, &r.err), r.err);
    CHECK_OK(p->evaluate(p, 1, &times[1], y, minus, &r.err), r.err);
    for (int i = 0; i < p->m; i++) {
        CHECK_NEAR(kt[i], (plus[i] - minus[i]) / (2.0 * e), tolerance * (1.0 + size));
    }
    run_end(&r);
    one_state_close(model);
}

static void the_matrix_is_that_of_the_equations_of_independent_coordinates(void **state)
{
    static const char *const methods[] = {"partition-radau", "tangent-plane-radau"};
    for (int i = 0; i < 2; i++) {
        check_jacobian(swing, methods[i], 1e-6);
        check_jacobian(pendulum_file, methods[i], 1e-5);
        check_jacobian(gyroscope_file, methods[i], 1e-5);
    }
}

static void a_rejected_step_is_made_again_without_new_derivatives(void **state)
{
    static const char *const methods[] = {"partition-sdirk415", "partition-rosenbrock",
                                          "partition-trapezoidal", "tangent-plane-sdirk415",
                                          "tangent-plane-trapezoidal"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const crank_options options = run_tolerance(1e-4);
        double x[RUN_MAX];
        const crank_statistics s = run_model(pendulum_file, methods[i], &options, 2.0, x);
        assert_true(s.rejected_error > 0);
        assert_true(s.jacobians <= s.steps);
    }
}

/* ---- orders ---- */

static double observed_order(const char *text, const char *method, double h, double t_end)
{
    static double fine[RUN_MAX], a[RUN_MAX], b[RUN_MAX];
    crank_state *model = open_model(text, is_path(text), CRANK_ACCELERATIONS_CARRY);
    const crank_eom *eom = crank_state_eom(model);
    const crank_options reference = run_tolerance(1e-13),
                        coarse = suited(run_fixed_step(h), method),
                        half = suited(run_fixed_step(h / 2.0), method);
    (void)run_model(text, "psf-radau", &reference, t_end, fine);
    (void)run_model(text, method, &coarse, t_end, a);
    (void)run_model(text, method, &half, t_end, b);
    const double result = order(distance(eom, a, fine), distance(eom, b, fine));
    one_state_close(model);
    return result;
}

static void orders_on_a_moving_constraint_are_those_of_the_formulas(void **state)
{
    CHECK_NEAR(observed_order(swing, "partition-trapezoidal", 1.0 / 80, 1.0), 2.0, 0.2);
    CHECK_NEAR(observed_order(swing, "partition-sdirk415", 1.0 / 40, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "partition-sdirk416", 1.0 / 40, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "partition-rosenbrock", 1.0 / 80, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "partition-radau", 1.0 / 20, 1.0), 5.0, 0.5);
    CHECK_NEAR(observed_order(swing, "descriptor-sdirk416", 1.0 / 40, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "descriptor-hht", 1.0 / 80, 1.0), 2.0, 0.2);
    CHECK_NEAR(observed_order(swing, "tangent-plane-trapezoidal", 1.0 / 80, 1.0), 2.0, 0.2);
    CHECK_NEAR(observed_order(swing, "tangent-plane-sdirk415", 1.0 / 40, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "tangent-plane-sdirk416", 1.0 / 40, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "tangent-plane-rosenbrock", 1.0 / 80, 1.0), 4.0, 0.3);
    CHECK_NEAR(observed_order(swing, "tangent-plane-radau", 1.0 / 20, 1.0), 5.0, 0.5);
}

static void orders_on_a_gyroscope_in_a_loop_are_those_of_the_formulas(void **state)
{
    CHECK_NEAR(observed_order(gyroscope_file, "partition-trapezoidal", 1.0 / 8000, 0.05), 2.0,
               0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "partition-sdirk415", 1.0 / 4000, 0.05), 4.0,
               0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "partition-sdirk416", 1.0 / 4000, 0.05), 4.0,
               0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "partition-rosenbrock", 1.0 / 8000, 0.05), 4.0,
               0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "descriptor-hht", 1.0 / 8000, 0.05), 2.0, 0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "tangent-plane-trapezoidal", 1.0 / 8000, 0.05),
               2.0, 0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "tangent-plane-sdirk415", 1.0 / 4000, 0.05), 4.0,
               0.3);
    CHECK_NEAR(observed_order(gyroscope_file, "tangent-plane-rosenbrock", 1.0 / 8000, 0.05),
               4.0, 0.3);
}

/* the same formulas for the same coordinates */
static void partition_and_descriptor_agree_to_what_iterations_leave(void **state)
{
    static const char *const methods[][2] = {
        {"partition-trapezoidal", "descriptor-trapezoidal"},
        {"partition-sdirk416", "descriptor-sdirk416"}};
    crank_state *model = open_model(gyroscope_file, true, CRANK_ACCELERATIONS_CARRY);
    for (int i = 0; i < 2; i++) {
        const crank_options options = run_fixed_step(1.0 / 2000);
        double a[RUN_MAX], b[RUN_MAX];
        (void)run_model(gyroscope_file, methods[i][0], &options, 0.05, a);
        (void)run_model(gyroscope_file, methods[i][1], &options, 0.05, b);
        /* rates of 200/s, of 100 steps whose iterations end at rounding */
        assert_true(distance(crank_state_eom(model), a, b) < 1e-9);
    }
    one_state_close(model);
}

static void linear_algebra_does_not_matter(void **state)
{
    static const crank_linear_algebra by[] = {CRANK_LINALG_DENSE, CRANK_LINALG_KLU,
                                              CRANK_LINALG_RECORDED};
    double x[3][RUN_MAX];
    crank_state *model = open_model(gyroscope_file, true, CRANK_ACCELERATIONS_CARRY);
    for (int i = 0; i < 3; i++) {
        crank_options options = run_fixed_step(1.0 / 2000);
        options.linear_algebra = by[i];
        (void)run_model(gyroscope_file, "partition-sdirk415", &options, 0.02, x[i]);
        assert_true(distance(crank_state_eom(model), x[i], x[0]) < 1e-9);
    }
    one_state_close(model);
}

/* ---- long runs ---- */

static void check_drift(const char *text, const char *method, double tolerance)
{
    crank_state *model = open_model(text, false, CRANK_ACCELERATIONS_CARRY);
    crank_eom *eom = crank_state_eom(model);
    const crank_options options = run_tolerance(tolerance);
    double x[RUN_MAX], residual[3], largest = 0.0;
    run r;
    start(model, x);
    run_begin(&r, method, eom, &options, 0.0, x, 1000.0);
    while (crank_integrator_time(r.it) < 1000.0) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_OK(crank_eom_residuals(eom, crank_integrator_time(r.it),
                                     crank_integrator_state(r.it), residual, &r.err),
                 r.err);
        largest = fmax(largest, fmax(residual[0], residual[1]));
    }
    assert_true(largest < 1e-14); /* rounding of a few terms */
    assert_true(crank_integrator_statistics(r.it).selector_updates > 500);
    run_end(&r);
    one_state_close(model);
}

static void a_pendulum_turning_over_keeps_its_constraints_for_1000_seconds(void **state)
{
    check_drift(turning, "partition-radau", 1e-4);
    check_drift(turning, "partition-rosenbrock", 1e-3);
    check_drift(turning, "partition-bdf", 1e-3); /* it keeps Jacobians */
    check_drift(turning, "tangent-plane-radau", 1e-4);
    check_drift(turning, "tangent-plane-rosenbrock", 1e-3);
    check_drift(turning, "tangent-plane-bdf", 1e-3);
}

static void a_four_bar_passes_its_dead_points_for_1000_seconds(void **state)
{
    check_drift(four_bar, "partition-radau", 1e-3);
    check_drift(four_bar, "partition-sdirk415", 1e-3);
    check_drift(four_bar, "tangent-plane-radau", 1e-3);
    check_drift(four_bar, "tangent-plane-sdirk415", 1e-3);
}

/* ---- what models have ---- */

static void check_model(const char *path, const char *method, double t_end, double limit)
{
    crank_state *model = open_model(path, is_path(path), CRANK_ACCELERATIONS_CARRY);
    const crank_options reference = run_tolerance(1e-9), options = run_tolerance(1e-7);
    double a[RUN_MAX], b[RUN_MAX];
    (void)run_model(path, "psf-radau", &reference, t_end, a);
    (void)run_model(path, method, &options, t_end, b);
    const double off = distance(crank_state_eom(model), a, b);
    if (!(off <= limit)) {
        print_error("%s by %s: off by %g\n", path, method, off);
    }
    assert_true(off <= limit);
    one_state_close(model);
}

/* redundant rows, quaternions; nonholonomic; moving; w, r; contact variables s; invariants.
 * Each of some hundred steps may be off by the tolerance times a size of 10. */
static void models_of_all_kinds_move_as_psf_radau_says(void **state)
{
    static const char *const paths[] = {"models/door-two-hinges/door-two-hinges.yaml",
                                        "models/slider-crank/redundant.yaml",
                                        "models/chaplygin-sleigh/chaplygin-sleigh.yaml",
                                        "models/bicycle/bicycle.yaml",
                                        "models/academic/academic.yaml",
                                        "models/lolly/lolly-energy.yaml",
                                        "models/bricard/bricard.yaml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        check_model(paths[i], "partition-radau", 0.5, 1e-4);
        check_model(paths[i], "partition-sdirk415", 0.5, 1e-4);
        check_model(paths[i], "partition-rosenbrock", 0.5, 1e-3);
        check_model(paths[i], "descriptor-sdirk416", 0.5, 1e-4);
        if (strstr(paths[i], "academic") == NULL) { /* it has contact variables */
            check_model(paths[i], "tangent-plane-radau", 0.5, 1e-4);
            check_model(paths[i], "tangent-plane-bdf", 0.5, 1e-3);
            check_model(paths[i], "tangent-plane-rosenbrock", 0.5, 1e-3);
        }
    }
}

/* The multiplier of the row that is left out is in no equation: extrapolated from step to step
 * it would grow without bound, and the others, which are unknowns of descriptor, with it. */
static void descriptor_holds_the_multiplier_of_whichever_row_is_left_out(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    double x[RUN_MAX];
    (void)state;
    check_model(redundant, "descriptor-sdirk416", 2.0, 1e-4);
    const long usual = run_model(redundant, "partition-trapezoidal", &options, 0.5, x).steps;
    const long steps = run_model(redundant, "descriptor-trapezoidal", &options, 0.5, x).steps;
    assert_true(steps <= 2 * usual);
}

/* Predicted stages and ends are off the constraints by h^2 and more, where those that are
 * redundant on them are not. */
static void ranks_are_those_of_points_on_the_constraints(void **state)
{
    static const char bricard[] = "models/bricard/bricard.yaml",
                      method[] = "partition-rosenbrock";
    const crank_options options = suited(run_tolerance(1e-3), method);
    double x[RUN_MAX];
    (void)state;
    (void)run_model(bricard, method, &options, 2.0, x);
    check_model(bricard, method, 2.0, 1e-3);
}

/* ---- the thesis ---- */

/* largest errors of theta_1 and its rate on rows of 2 s */
static void errors_of(const char *formulation_method, bool filter, double tolerance,
                      double error[2])
{
    enum { ROWS = 200 };
    static double reference[ROWS][2];
    static bool known;
    crank_state *model = open_model(pendulum_file, true, CRANK_ACCELERATIONS_CARRY);
    crank_eom *eom = crank_state_eom(model);
    const int at[2] = {eom->column[CRANK_P] + 2, eom->column[CRANK_V] + 2};
    error[0] = error[1] = 0.0;
    for (int pass = known ? 1 : 0; pass < 2; pass++) {
        crank_options options = run_tolerance(pass == 0 ? 1e-11 : tolerance);
        options.error_filter = pass == 0 || filter;
        double x[RUN_MAX];
        run r;
        start(model, x);
        run_begin(&r, pass == 0 ? "psf-radau" : formulation_method, eom, &options, 0.0, x, 2.0);
        for (int i = 0; i < ROWS; i++) {
            const double t = 2.0 * (i + 1) / ROWS;
            CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            for (int j = 0; j < 2 && pass == 0; j++) {
                reference[i][j] = x[at[j]];
            }
            for (int j = 0; j < 2 && pass == 1; j++) {
                error[j] = fmax(error[j], fabs(x[at[j]] - reference[i][j]));
            }
        }
        known = true;
        run_end(&r);
    }
    one_state_close(model);
}

/* tables 20 to 23 of [Neg98], tolerances 1e-2 to 1e-5 */
static void errors_are_of_the_order_of_those_of_the_thesis(void **state)
{
    static const double sdirk[4][2] = {
        {3.28e-2, 2.29e-1}, {3.79e-3, 3.13e-2}, {7.55e-4, 6.41e-3}, {1.71e-4, 1.49e-3}};
    static const double rosenbrock[4][2] = {
        {5.22e-3, 4.06e-2}, {4.20e-4, 3.79e-3}, {4.92e-5, 8.65e-4}, {1.90e-5, 2.34e-4}};
    double tolerance = 1e-2;
    for (int i = 0; i < 4; i++, tolerance *= 0.1) {
        double error[2];
        errors_of("partition-sdirk415", true, tolerance, error);
        assert_true(error[0] <= 5.0 * sdirk[i][0] && error[1] <= 5.0 * sdirk[i][1]);
        errors_of("partition-rosenbrock", false, tolerance, error);
        assert_true(error[0] <= 15.0 * rosenbrock[i][0] && error[1] <= 15.0 * rosenbrock[i][1]);
    }
}

/* within a tenth of what tables 20 to 23 have at 1e-2, all of them */
static void the_five_codes_and_the_plane_agree_within_the_tolerance(void **state)
{
    static const char *const codes[] = {"partition-trapezoidal",   "descriptor-trapezoidal",
                                        "descriptor-sdirk416",     "partition-sdirk415",
                                        "partition-rosenbrock",    "tangent-plane-sdirk415",
                                        "tangent-plane-rosenbrock"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        double error[2];
        errors_of(codes[i], true, 1e-4, error);
        assert_true(error[0] <= 3e-3 && error[1] <= 2e-2);
    }
}

/* ---- what is refused ---- */

static void check_refused(const char *path, crank_accelerations accelerations,
                          const char *method, const crank_options *options, const char *reason)
{
    crank_state *model = open_model(path, true, accelerations);
    double x[RUN_MAX];
    run r;
    start(model, x);
    CHECK_STATUS(run_try(&r, method, crank_state_eom(model), options, 0.0, x, 1.0),
                 CRANK_EREFUSED);
    assert_non_null(strstr(r.err.text, reason));
    run_end(&r);
    one_state_close(model);
}

static void what_has_no_diagonal_mass_matrix_is_refused_by_name(void **state)
{
    static const char *const methods[] = {"partition-radau", "tangent-plane-radau"};
    const crank_options options = run_tolerance(1e-4);
    for (int i = 0; i < 2; i++) {
        check_refused("models/slider-crank/slider-crank.yaml", CRANK_ACCELERATIONS_ELIMINATE,
                      methods[i], &options, "accelerations=carry");
    }
}

static void the_tangent_plane_refuses_what_it_does_not_have(void **state)
{
    crank_options options = run_tolerance(1e-4);
    check_refused("models/academic/academic.yaml", CRANK_ACCELERATIONS_CARRY,
                  "tangent-plane-radau", &options, "contact variables, as s1");
    options.linear_algebra = CRANK_LINALG_SPARSE;
    check_refused(pendulum_file, CRANK_ACCELERATIONS_CARRY, "tangent-plane-radau", &options,
                  "linear_algebra=sparse");
    options = run_tolerance(1e-4);
    options.algebraic = CRANK_ALGEBRAIC_SVD;
    check_refused(pendulum_file, CRANK_ACCELERATIONS_CARRY, "tangent-plane-radau", &options,
                  "algebraic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_double_pendulum_has_the_independent_coordinates_of_the_thesis),
        cmocka_unit_test(coordinates_are_chosen_anew_as_the_condition_rises_and_that_is_told),
        cmocka_unit_test(the_matrix_is_that_of_the_equations_of_independent_coordinates),
        cmocka_unit_test(a_rejected_step_is_made_again_without_new_derivatives),
        cmocka_unit_test(orders_on_a_moving_constraint_are_those_of_the_formulas),
        cmocka_unit_test(orders_on_a_gyroscope_in_a_loop_are_those_of_the_formulas),
        cmocka_unit_test(partition_and_descriptor_agree_to_what_iterations_leave),
        cmocka_unit_test(linear_algebra_does_not_matter),
        cmocka_unit_test(a_pendulum_turning_over_keeps_its_constraints_for_1000_seconds),
        cmocka_unit_test(a_four_bar_passes_its_dead_points_for_1000_seconds),
        cmocka_unit_test(models_of_all_kinds_move_as_psf_radau_says),
        cmocka_unit_test(descriptor_holds_the_multiplier_of_whichever_row_is_left_out),
        cmocka_unit_test(ranks_are_those_of_points_on_the_constraints),
        cmocka_unit_test(errors_are_of_the_order_of_those_of_the_thesis),
        cmocka_unit_test(the_five_codes_and_the_plane_agree_within_the_tolerance),
        cmocka_unit_test(what_has_no_diagonal_mass_matrix_is_refused_by_name),
        cmocka_unit_test(the_tangent_plane_refuses_what_it_does_not_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
