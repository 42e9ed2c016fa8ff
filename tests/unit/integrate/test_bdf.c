/* test_bdf.c - BDF: coefficients on steps of changing length, orders 1 to 6, tolerance and
 * error, what it refuses, singular positions, redundant constraints, jumps, the end time.
 * theory 4.11. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/bdf.h"
#include "integrate/create.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

/* ---- coefficients ---- */

/* one unknown, driven by hand through steps along x(t) = t^degree */
typedef struct track {
    crank_integrator it;
    crank_problem problem;
    crank_bdf s;
    double phi[CRANK_BDF_DIFFERENCES], predicted, slope, x, e;
} track;

static double power(double t, int degree)
{
    return degree == 0 ? 1.0 : pow(t, degree);
}

/* differences of order k at t from points of the polynomial, on steps of the lengths below */
static const double lengths[] = {0.10, 0.13, 0.11, 0.08, 0.16, 0.12, 0.12, 0.07, 0.14, 0.10};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void begin(track *d, int degree)
{
    *d = (track){.it = {.n = 1}, .s = {.psi = {lengths[0]}}};
    d->it.options = crank_options_default();
    d->s.max_order = CRANK_BDF_ORDER;
    d->it.problem = &d->problem;
    d->it.state = &d->s;
    d->it.x = &d->x;
    d->s.phi = d->phi;
    d->s.predicted = &d->predicted;
    d->s.slope = &d->slope;
    d->s.e = &d->e;
    d->it.t = 0.3;
    d->phi[0] = power(d->it.t, degree);
    d->phi[1] = lengths[0] * degree * power(d->it.t, degree - 1 > 0 ? degree - 1 : 0);
    d->s.order = 1;
}

/* one step of length h at the order, onto the polynomial */
static void advance(track *d, int degree, int order, double h)
{
    crank_bdf *s = &d->s;
    s->order = order;
    d->it.h = h;
    crank_bdf_begin(&d->it, s);
    crank_bdf_predict(&d->it, s);
    d->it.t_old = d->it.t;
    d->it.t += h;
    d->x = power(d->it.t, degree);
    d->e = d->x - d->predicted;
    s->h_used = h;
    s->order_used = order;
    crank_bdf_update(&d->it, s);
}

/* order k differentiates, and its differences interpolate, polynomials of degree k exactly,
 * once k steps were made */
static void formulas_are_exact_for_polynomials_of_their_order(void **state)
{
    for (int order = 1; order <= CRANK_BDF_ORDER; order++) {
        for (int degree = 0; degree <= order; degree++) {
            track d;
            begin(&d, degree);
            for (int i = 0; i < LENGTHS; i++) {
                const int now = i + 1 < order ? i + 1 : order; /* rises by one a step */
                advance(&d, degree, now, lengths[i]);
                if (i <= order) {
                    continue;
                }
                const double derivative = d.slope + d.s.cj * d.e,
                             middle = d.it.t - 0.4 * d.it.h;
                const double exact = degree * power(d.it.t, degree > 0 ? degree - 1 : 0);
                double between = 0.0;
                crank_bdf_interpolate(&d.it, middle, &between);
                CHECK_NEAR(derivative, exact, 1e-11);
                CHECK_NEAR(between, power(middle, degree), 1e-12);
            }
        }
    }
}

/* and not for the next one: the test above is no tautology */
static void formulas_are_not_exact_beyond_their_order(void **state)
{
    for (int order = 1; order <= CRANK_BDF_ORDER; order++) {
        track d;
        begin(&d, order + 1);
        for (int i = 0; i < LENGTHS; i++) {
            advance(&d, order + 1, i + 1 < order ? i + 1 : order, lengths[i]);
        }
        const double exact = (order + 1) * power(d.it.t, order);
        assert_true(fabs(d.slope + d.s.cj * d.e - exact) > 1e-7);
    }
}

/* a failed attempt leaves differences and steps as they were, up to rounding */
static void restoring_undoes_an_attempt(void **state)
{
    track d;
    begin(&d, 4);
    for (int i = 0; i < 6; i++) {
        advance(&d, 4, i < 2 ? i + 1 : 3, lengths[i]);
    }
    const track before = d;
    d.it.h = 0.05;
    crank_bdf_begin(&d.it, &d.s);
    crank_bdf_restore(&d.it, &d.s);
    for (int i = 0; i <= 3; i++) {
        CHECK_NEAR(d.phi[i], before.phi[i], 1e-15);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(d.s.psi[i], before.s.psi[i], 1e-15);
    }
}

/* ---- what algebraic unknowns are off ---- */

/* r' = -rate r, w = factor r, a first step of length h from r = 1 (and its error over the
 * tolerance) */
static double first_error(double rate, double factor, double h)
{
    char text[300];
    (void)snprintf(text, sizeof text,
                   "crank: equations\n"
                   "positions: {p: {start: 0}}\n"
                   "velocities: {v: {of: p, start: 0}}\n"
                   "mass: {diagonal: [1]}\n"
                   "forces: [0]\n"
                   "dynamic: {r: {start: 1, rate: -%.17g*r}}\n"
                   "auxiliary: {w: {start: %.17g, equation: w - %.17g*r}}\n",
                   rate, factor, factor);
    crank_state *model = NULL;
    crank_error err = {0};
    double x[4];
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    memcpy(x, crank_state_start(model), sizeof x);
    crank_options options = run_tolerance(100.0);
    options.rtol = 1e-12; /* so that all unknowns have the same tolerance */
    options.h_start = h;
    run r;
    run_begin(&r, "index1-bdf", crank_state_eom(model), &options, 0.0, x, 10.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    const double error = crank_integrator_last_error(r.it);
    assert_true(crank_integrator_time(r.it) == h);
    run_end(&r);
    one_state_close(model);
    return error;
}

/* Theory (4.30), (4.31): with c_j = 1/h the error l of r leaves factor l/(1 + rate h) in w,
 * whatever w itself has done in the step. */
static void algebraic_unknowns_are_off_by_what_the_others_leave_in_them(void **state)
{
    static const double rates[] = {0.1, 1.0, 100.0}, factors[] = {0.5, 3.0};
    const double h = 0.1;
    for (int i = 0; i < 3; i++) {
        const double alone = first_error(rates[i], 0.0, h);
        assert_true(alone > 1e-9);
        for (int k = 0; k < 2; k++) {
            const double followed = factors[k] / (1.0 + rates[i] * h);
            const double error = first_error(rates[i], factors[k], h);
            CHECK_NEAR(error / alone, sqrt(1.0 + followed * followed), 1e-9);
        }
    }
}

/* A body that is driven at a rate that begins to change at once: its torque jumps, and no step
 * is so short that it is extrapolated. What is integrated is not off by that. */
static void multipliers_that_jump_are_passed(void **state)
{
    static const char text[] = "crank: mechanism\n"
                               "dimension: 2\n"
                               "bodies: {a: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
                               "joints: {j: {type: revolute, between: [ground, a], at: [0, 0], "
                               "drive: \"t + if(t < 0.3, 0, 5*(t - 0.3)^2)\"}}\n";
    static const char *const methods[] = {"psf-bdf", "overdetermined-bdf", "index1-bdf",
                                          "baumgarte-bdf", "ggl-bdf"};
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    crank_eom *eom = crank_state_eom(model);
    double start[40], x[40];
    const int n = crank_eom_unknowns(eom);
    assert_true(n <= 40);
    memcpy(start, crank_state_start(model), (size_t)n * sizeof *start);
    crank_initial_options initial = crank_initial_options_default();
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, start, &initial, NULL, (crank_log){0}, &err), err);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const crank_options options = run_tolerance(1e-6);
        memcpy(x, start, sizeof x);
        const crank_statistics s = run_whole(methods[i], eom, &options, 1.0, x);
        /* a short step at the jump, from which order and step grow again: log2 of their ratio,
         * some steps at each order, twice */
        assert_true(s.steps < 200);
        /* the body's angle is its last position; 1 s, errors of steps add up */
        CHECK_NEAR(x[n - 1], 1.0 + 5.0 * 0.7 * 0.7, (double)s.steps * 3e-6);
    }
    one_state_close(model);
}

/* ---- runs ---- */

typedef struct outcome {
    double error; /* of positions and velocities */
    crank_statistics statistics;
} outcome;

/* the pendulum to t = 2 against a run of Radau with much smaller errors */
static outcome pendulum_run(const char *method, const crank_options *options)
{
    static double exact[5];
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    outcome result = {0};
    if (exact[4] == 0.0) {
        const crank_options fine = run_fixed_step(1e-3);
        test_pendulum_start(&data, 0.4, 3.0, exact);
        (void)run_whole("psf", eom, &fine, 2.0, exact);
    }
    test_pendulum_start(&data, 0.4, 3.0, x);
    result.statistics = run_whole(method, eom, options, 2.0, x);
    for (int j = 1; j < 5; j++) {
        result.error = fmax(result.error, fabs(x[j] - exact[j]));
    }
    crank_eom_destroy(eom);
    return result;
}

/* With the order limited to k the error falls like the k-th power of the number of steps: slope
 * of the line through their logarithms at five tolerances, to tell neighbouring orders. */
static void error_falls_with_the_order(void **state)
{
    enum { RUNS = 5 };
    static const double first[CRANK_BDF_ORDER] = {1e-4, 1e-5, 1e-6, 1e-6, 1e-6, 1e-8};
    static const double factor[CRANK_BDF_ORDER] = {0.2, 0.1, 0.1, 0.1, 0.1, 0.1};
    for (int order = 1; order <= CRANK_BDF_ORDER; order++) {
        double x[RUNS], y[RUNS], mean_x = 0.0, mean_y = 0.0, above = 0.0, below = 0.0;
        for (int i = 0; i < RUNS; i++) {
            crank_options options = run_tolerance(first[order - 1] * pow(factor[order - 1], i));
            options.max_order = order;
            const outcome r = pendulum_run("psf-bdf", &options);
            mean_x += (x[i] = log((double)r.statistics.steps)) / RUNS;
            mean_y += (y[i] = -log(r.error)) / RUNS;
        }
        for (int i = 0; i < RUNS; i++) {
            above += (x[i] - mean_x) * (y[i] - mean_y);
            below += (x[i] - mean_x) * (x[i] - mean_x);
        }
        /* order 6 is reached late: the mean order rises with the number of steps */
        CHECK_NEAR(above / below, order < 6 ? order : 6.75, order < 6 ? 0.5 : 1.0);
    }
}

static void error_is_proportional_to_the_tolerance(void **state)
{
    for (int exponent = 4; exponent <= 10; exponent += 2) {
        const double tolerance = pow(10.0, -exponent);
        const crank_options options = run_tolerance(tolerance);
        const outcome r = pendulum_run("psf-bdf", &options);
        assert_true(r.error < 100.0 * tolerance && r.error > 0.1 * tolerance);
        assert_true(r.statistics.rejected_error * 20 <= r.statistics.steps);
        /* one matrix serves many steps */
        assert_true(r.statistics.jacobians * 5 <= r.statistics.steps);
    }
}

/* Theory (4.27). A matrix made at the prediction converges at once, and says nothing of how it
 * does ten steps later: what that left (of multipliers, too, where points are not corrected)
 * made one step in ten fail. */
static void rates_of_new_matrices_are_not_those_of_old_ones(void **state)
{
    static const char *const methods[] = {"psf-bdf", "ggl-bdf", "index1-bdf", "index2-bdf"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (int exponent = 5; exponent <= 8; exponent++) {
            const crank_options options = run_tolerance(pow(10.0, -exponent));
            const crank_statistics s = pendulum_run(methods[i], &options).statistics;
            assert_true(s.rejected_error * 50 <= s.steps);
        }
    }
}

static void safety_shortens_steps(void **state)
{
    crank_options options = run_tolerance(1e-6);
    const outcome usual = pendulum_run("psf-bdf", &options);
    options.safety = 0.5;
    const outcome careful = pendulum_run("psf-bdf", &options);
    assert_true(careful.statistics.steps > usual.statistics.steps * 5 / 4);
    assert_true(careful.error < usual.error);
}

/* ---- options ---- */

static void options_that_it_does_not_have_are_refused(void **state)
{
    static const char *const options[][2] = {
        {"controller", "classical"}, {"control_rules", "published"}, {"growth_max", "4"},
        {"keep_high", "2"},          {"newton_start", "zero"},       {"newton_matrix", "1"},
        {"newton_updates", "1"},     {"jacobian_reuse", "0.1"}};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.4, 3.0, x);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        run r;
        crank_options o = crank_options_default();
        CHECK_OK(crank_options_set(&o, options[i][0], options[i][1], &r.err), r.err);
        CHECK_STATUS(run_try(&r, "psf-bdf", eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, "bdf has no option");
        CHECK_CONTAINS(r.err.text, options[i][0]);
        run_end(&r);
        CHECK_OK(run_try(&r, "psf-radau", eom, &o, 0.0, x, 1.0), r.err);
        run_end(&r);
    }
    run r;
    crank_options o = crank_options_default();
    o.max_order = 3;
    CHECK_STATUS(run_try(&r, "psf-radau", eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "radau has no option max_order");
    run_end(&r);
    crank_eom_destroy(eom);
}

static void passing_singular_positions_is_refused(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = crank_options_default();
    double x[5];
    run r;
    options.singular = CRANK_SINGULAR_PASS;
    test_pendulum_start(&data, 0.4, 3.0, x);
    CHECK_STATUS(run_try(&r, "psf-bdf", eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "psf-radau");
    run_end(&r);
    crank_eom_destroy(eom);
}

/* ---- what happens on the way ---- */

static void run_stops_before_the_singular_position(void **state)
{
    static const char *const methods[] = {"psf-bdf", "peom1-bdf", "gmkssol-bdf"};
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5];
    test_slider_crank_start(&data, x);
    for (int i = 0; i < 9; i++) {
        const crank_options options = run_tolerance(pow(10.0, -4 - 2 * (i / 3)));
        run r;
        run_begin(&r, methods[i % 3], eom, &options, 0.0, x, 2.0);
        CHECK_STATUS(run_to_end(&r), CRANK_ESINGULAR);
        CHECK_NEAR(crank_integrator_time(r.it), 1.013884, 5e-3);
        CHECK_CONTAINS(r.err.text, "loop");
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* p and v as without the second row; multipliers that no equation determines do not wander
 * off */
static void redundant_constraints_move_like_independent_ones(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    const crank_options options = run_tolerance(1e-8);
    double single[5], twice[6];
    crank_eom *eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, single);
    (void)run_whole("psf-bdf", eom, &options, 5.0, single);
    crank_eom_destroy(eom);
    data.rows = 2;
    data.factor[1] = 2.0;
    eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, twice);
    (void)run_whole("psf-bdf", eom, &options, 5.0, twice);
    crank_eom_destroy(eom);
    for (int j = 1; j < 5; j++) { /* 5 s, 160 times the tolerance in each of them alone */
        CHECK_NEAR(twice[j + 1], single[j], 3e-5);
    }
    CHECK_NEAR(twice[0] + 2.0 * twice[1], single[0], 3e-4);
    assert_true(fabs(twice[0]) < 50.0 && fabs(twice[1]) < 50.0);
}

static void end_time_is_hit_and_rows_between_steps_hold_the_constraints(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-6);
    double x[5], residual[3];
    run r;
    test_pendulum_start(&data, 0.4, 3.0, x);
    run_begin(&r, "psf-bdf", eom, &options, 0.0, x, 0.7);
    assert_true(isnan(crank_integrator_last_error(r.it)));
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        assert_true(crank_integrator_last_error(r.it) <= 1.0);
        const double t = crank_integrator_time(r.it) - 0.6 * crank_integrator_last_step(r.it);
        CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
        CHECK_OK(crank_eom_residuals(eom, t, x, residual, &r.err), r.err);
        for (int level = 0; level < 3; level++) {
            CHECK_NEAR(residual[level], 0.0, 1e-13);
        }
    }
    assert_true(crank_integrator_time(r.it) == 0.7);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* a drive that jumps: the prediction misses it however short the step is */
static void constraints_that_jump_end_the_run(void **state)
{
    static const char text[] = "crank: mechanism\n"
                               "dimension: 2\n"
                               "bodies: {a: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
                               "joints: {j: {type: revolute, between: [ground, a], at: [0, 0], "
                               "drive: \"if(t < 0.5, t, t + 0.3)\"}}\n";
    static const char *const methods[] = {"psf-radau",  "peom1-radau",        "psf-bdf",
                                          "peom1-bdf",  "overdetermined-bdf", "ggl-bdf",
                                          "index3-bdf", "psf-sdirk2",         "peom1-sdirk2",
                                          "ggl-sdirk2", "index3-sdirk2"};
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    crank_eom *eom = crank_state_eom(model);
    double x[40];
    const int n = crank_eom_unknowns(eom);
    assert_true(n <= 40);
    memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
    crank_initial_options initial = crank_initial_options_default();
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const crank_options options = run_tolerance(1e-6);
        run r;
        run_begin(&r, methods[i], eom, &options, 0.0, x, 1.0);
        CHECK_STATUS(run_to_end(&r), CRANK_ESTOP_EQUATIONS);
        CHECK_CONTAINS(r.err.text, "not continuous");
        CHECK_NEAR(crank_integrator_time(r.it), 0.5, 1e-9);
        run_end(&r);
    }
    one_state_close(model);
}

static void limits_on_steps_and_failures_hold(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-6);
    double x[5];
    run r;
    options.max_steps = 10;
    test_pendulum_start(&data, 0.4, 3.0, x);
    run_begin(&r, "psf-bdf", eom, &options, 0.0, x, 1.0);
    CHECK_STATUS(run_to_end(&r), CRANK_EMAX_STEPS);
    assert_int_equal(crank_integrator_statistics(r.it).attempts, 10);
    CHECK_STATUS(run_to_end(&r), CRANK_EMAX_STEPS); /* the limit counts anew */
    assert_int_equal(crank_integrator_statistics(r.it).attempts, 20);
    run_end(&r);
    /* an iteration that may not iterate fails; the run says so after as many failures as are
     * allowed */
    options = run_tolerance(1e-10);
    options.newton_max = 1;
    options.newton_tolerance = 1e-12;
    options.failures_max = 4;
    run_begin(&r, "psf-bdf", eom, &options, 0.0, x, 1.0);
    CHECK_STATUS(run_to_end(&r), CRANK_ENEWTON);
    CHECK_CONTAINS(r.err.text, "4 times in a row");
    run_end(&r);
    crank_eom_destroy(eom);
}

/* 500 swings: energy is not enforced, but the error stays where the tolerance puts it */
static void long_runs_keep_all_levels(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-8);
    double x[5], residual[3];
    crank_error err = {0};
    test_pendulum_start(&data, 0.0, 5.2, x);
    const crank_statistics s = run_whole("psf-bdf", eom, &options, 1000.0, x);
    CHECK_OK(crank_eom_residuals(eom, 1000.0, x, residual, &err), err);
    for (int level = 0; level < 3; level++) {
        CHECK_NEAR(residual[level], 0.0, 1e-12);
    }
    const double energy = 0.5 * (x[1] * x[1] + x[2] * x[2]) + data.g * x[4];
    CHECK_NEAR(energy, 0.5 * 5.2 * 5.2 - data.g, 5e-3);
    assert_true(s.rejected_error * 20 < s.steps);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_exact_for_polynomials_of_their_order),
        cmocka_unit_test(formulas_are_not_exact_beyond_their_order),
        cmocka_unit_test(restoring_undoes_an_attempt),
        cmocka_unit_test(algebraic_unknowns_are_off_by_what_the_others_leave_in_them),
        cmocka_unit_test(multipliers_that_jump_are_passed),
        cmocka_unit_test(error_falls_with_the_order),
        cmocka_unit_test(error_is_proportional_to_the_tolerance),
        cmocka_unit_test(rates_of_new_matrices_are_not_those_of_old_ones),
        cmocka_unit_test(safety_shortens_steps),
        cmocka_unit_test(options_that_it_does_not_have_are_refused),
        cmocka_unit_test(passing_singular_positions_is_refused),
        cmocka_unit_test(run_stops_before_the_singular_position),
        cmocka_unit_test(redundant_constraints_move_like_independent_ones),
        cmocka_unit_test(end_time_is_hit_and_rows_between_steps_hold_the_constraints),
        cmocka_unit_test(constraints_that_jump_end_the_run),
        cmocka_unit_test(limits_on_steps_and_failures_hold),
        cmocka_unit_test(long_runs_keep_all_levels),
    };
    return CHECK_RUN(argc, argv, tests);
}
