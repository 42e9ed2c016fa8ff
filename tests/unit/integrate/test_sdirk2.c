/* test_sdirk2.c - SDIRK of order 2: order on ordinary, stiff and constrained equations,
 * stability where the step is long beside the fastest motion, the error estimate, rows
 * between steps, options. theory 4.12. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/integrator.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

enum { WIDTH = 13 };

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

/* ---- ordinary and stiff equations, as dae files ---- */

typedef struct equations {
    const char *text;
    void (*exact)(double t, double *x);
    int n;
} equations;

/* x' = -2 t x^2: neither linear nor autonomous */
static void rational(double t, double *x)
{
    x[0] = 1.0 / (1.0 + t * t);
}

/* y'' + 10001 y' + 10000 y = 0 on its slow motion */
static void slow(double t, double *x)
{
    x[0] = exp(-t);
    x[1] = -exp(-t);
}

/* the same, from rest: the fast motion dies out within 1e-3 */
static void from_rest(double t, double *x)
{
    x[0] = (10000.0 * exp(-t) - exp(-10000.0 * t)) / 9999.0;
    x[1] = -10000.0 * (exp(-t) - exp(-10000.0 * t)) / 9999.0;
}

#define STIFF "equations: [\"y' = v\", \"v' = -10001*v - 10000*y\"]\n"
static const equations
    plain = {"crank: dae\nvariables: {x: 1}\nequations: [\"x' = -2*t*x^2\"]\n", rational, 1},
    on_slow = {"crank: dae\nvariables: {y: 1, v: -1}\n" STIFF, slow, 2},
    rests = {"crank: dae\nvariables: {y: 1, v: 0}\n" STIFF, from_rest, 2};

static crank_state *open_model(const char *text)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    return model;
}

/* largest error at t_end */
static double error_of(const equations *e, const crank_options *options, double t_end,
                       crank_statistics *statistics)
{
    crank_state *model = open_model(e->text);
    double x[WIDTH], exact[WIDTH], error = 0.0;
    e->exact(0.0, x);
    *statistics = run_whole("psf-sdirk2", crank_state_eom(model), options, t_end, x);
    e->exact(t_end, exact);
    for (int j = 0; j < e->n; j++) {
        error = fmax(error, fabs(x[j] - exact[j]));
    }
    one_state_close(model);
    return error;
}

static void error_falls_with_the_second_power_of_the_step(void **state)
{
    const equations *const all[] = {&plain, &on_slow};
    for (int i = 0; i < 2; i++) {
        crank_statistics s;
        const crank_options a = run_fixed_step(1.0 / 40), b = run_fixed_step(1.0 / 80);
        const double coarse = error_of(all[i], &a, 2.0, &s),
                     fine = error_of(all[i], &b, 2.0, &s);
        assert_int_equal(s.steps, 160);
        CHECK_NEAR(order(coarse, fine), 2.0, 0.1);
    }
}

/* z = -400 a step: x_new = R(z) x with |R(z)| about (2 gamma - 1)/(gamma^2 |z|) < 0.013; a
 * step of the trapezoidal rule would keep 0.99 of the fast motion */
static void fast_motions_are_damped_at_once(void **state)
{
    crank_statistics s;
    crank_options options = run_fixed_step(0.04);
    options.atol = 1e4; /* no error test fails */
    const double slow_alone = error_of(&on_slow, &options, 0.08, &s);
    const double both = error_of(&rests, &options, 0.08, &s);
    assert_int_equal(s.steps, 2);
    /* v begins 1 beside the slow motion; two steps take off the square of the factor */
    CHECK_NEAR(both, 0.0, 0.013 * 0.013 + 2.0 * slow_alone);
}

/* Steps are as long as the slow motion allows once the fast one has died out: (t/h)^3 of
 * them would add up to tol if each were h^3/50, and some more for the start. */
static void stiff_equations_take_the_steps_of_the_slow_motion(void **state)
{
    for (int exponent = 4; exponent <= 7; exponent++) {
        const double tolerance = pow(10.0, -exponent);
        const crank_options options = run_tolerance(tolerance);
        crank_statistics s;
        const double error = error_of(&rests, &options, 2.0, &s);
        const double needed = 2.0 * pow(0.04 / tolerance, 1.0 / 3.0);
        assert_true((double)s.steps < 60.0 + 4.0 * needed);
        assert_true(error < (double)s.steps * tolerance);
    }
}

/* ---- the error estimate ---- */

/* of the first step from t0, over its error: theory (4.41) is asymptotically right */
static void check_first_estimate(const equations *e, double t0, double h)
{
    crank_state *model = open_model(e->text);
    const crank_options options = run_fixed_step(h);
    double x[WIDTH], exact[WIDTH], sum = 0.0;
    run r;
    e->exact(t0, x);
    run_begin(&r, "psf-sdirk2", crank_state_eom(model), &options, t0, x, t0 + 1.0);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    e->exact(t0 + h, exact);
    const double *found = crank_integrator_state(r.it);
    for (int j = 0; j < e->n; j++) { /* tolerances are 1 */
        const double part = (found[j] - exact[j]) / (1.0 + fabs(x[j]));
        sum += part * part / e->n;
    }
    CHECK_NEAR(crank_integrator_last_error(r.it) / sqrt(sum), 1.0, 0.05);
    run_end(&r);
    one_state_close(model);
}

static void estimate_is_the_error_of_a_short_first_step(void **state)
{
    check_first_estimate(&plain, 0.3, 0.01);
    check_first_estimate(&on_slow, 0.0, 0.02);
}

/* the rational function through (t, x): the exact motion from where a step begins */
static double rational_from(double t, double x, double end)
{
    return 1.0 / (1.0 / x + end * end - t * t);
}

/* Of later steps, of whatever length beside the one before: theory (4.39) is asymptotically
 * right, terms of the next order are a few per cent. */
static void estimate_is_the_error_of_a_short_step(void **state)
{
    static const double lengths[] = {0.01, 0.01, 0.005, 0.005, 0.01, 0.01};
    crank_state *model = open_model(plain.text);
    crank_options options = run_fixed_step(0.01);
    double x = 0.0;
    run r;
    rational(0.3, &x);
    run_begin(&r, "psf-sdirk2", crank_state_eom(model), &options, 0.3, &x, 1.0);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const double t = crank_integrator_time(r.it), begin = *crank_integrator_state(r.it);
        r.it->h = lengths[i];
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        const double end = crank_integrator_time(r.it);
        const double error =
            (*crank_integrator_state(r.it) - rational_from(t, begin, end)) / (1.0 + begin);
        CHECK_NEAR(end - t, lengths[i], 1e-12);
        CHECK_NEAR(crank_integrator_last_error(r.it) / fabs(error), 1.0, 0.1);
    }
    run_end(&r);
    one_state_close(model);
}

/* ---- constraints ---- */

typedef struct errors {
    double p, v, lambda;
} errors;

static errors pendulum_errors(const char *method, int steps, double *x, const double *exact)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_fixed_step(1.0 / steps);
    test_pendulum_start(&data, 0.4, 3.0, x);
    (void)run_whole(method, eom, &options, 1.0, x);
    crank_eom_destroy(eom);
    return (errors){fmax(fabs(x[3] - exact[3]), fabs(x[4] - exact[4])),
                    fmax(fabs(x[1] - exact[1]), fabs(x[2] - exact[2])), fabs(x[0] - exact[0])};
}

/* Multipliers of index 2 have the stage order 2, in index 3 velocities have it and multipliers
 * one less [HW96, VII.4, VII.6]; rows of these forms have those that belong to p and v. */
static void constrained_motions_have_the_orders_of_the_index(void **state)
{
    static const struct {
        const char *method;
        double p, v, lambda;
    } table[] = {{"psf-sdirk2", 2, 2, 2},       {"overdetermined-sdirk2", 2, 2, 2},
                 {"gmkssol-sdirk2", 2, 2, 2},   {"index1-sdirk2", 2, 2, 2},
                 {"baumgarte-sdirk2", 2, 2, 2}, {"ude-sdirk2", 2, 2, 2},
                 {"peom1-sdirk2", 2, 2, 2},     {"ggl-sdirk2", 2, 2, 2},
                 {"index2-sdirk2", 2, 2, 2},    {"index3-sdirk2", 2, 2, 1}};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double exact[5], x[5];
    const crank_options fine = run_fixed_step(1.0 / 1000.0);
    test_pendulum_start(&data, 0.4, 3.0, exact);
    (void)run_whole("psf", eom, &fine, 1.0, exact);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const errors a = pendulum_errors(table[i].method, 160, x, exact);
        const errors b = pendulum_errors(table[i].method, 320, x, exact);
        CHECK_NEAR(order(a.p, b.p), table[i].p, 0.25);
        CHECK_NEAR(order(a.v, b.v), table[i].v, 0.25);
        CHECK_NEAR(order(a.lambda, b.lambda), table[i].lambda, 0.25);
    }
    crank_eom_destroy(eom);
}

/* Two rods with a damper of rate 1e5/s between them: h L = 125 and 62. Slow motions have
 * th2d = th1d, which is not linear in the velocities that psf takes rates of. */
static const char damped_rods[] =
    "crank: equations\n"
    "positions: {x1: 1, y1: 0, th1: {start: 0, fixed: true},"
    " x2: 3.45, y2: -0.39, th2: {start: -0.2617993877991494, fixed: true}}\n"
    "velocities: {x1d: {of: x1}, y1d: {of: y1}, th1d: {of: th1},"
    " x2d: {of: x2}, y2d: {of: y2}, th2d: {of: th2}}\n"
    "mass: {diagonal: [3, 3, 1, 0.3, 0.3, 0.225]}\n"
    "forces: [0, -29.43, -400*(th1 + pi/2) - 15*th1d + 3e5*(th2 - th1) + 5e4*(th2d - th1d),"
    " 0, -2.943, -3e5*(th2 - th1) - 5e4*(th2d - th1d)]\n"
    "holonomic: {a: x1 - cos(th1), b: y1 - sin(th1),"
    " c: x2 - x1 - cos(th1) - 1.5*cos(th2), d: y2 - y1 - sin(th1) - 1.5*sin(th2)}\n";

enum { RODS = 16, ROD_MULTIPLIERS = 4, ROD_VELOCITIES = 6 };

static void start_consistently(crank_state *model, int n, double *x)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_error err = {0};
    memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &initial, NULL,
                                  (crank_log){0}, &err),
             err);
}

static errors rods_errors(crank_state *model, const char *method, double h, const double *start,
                          const double *exact)
{
    const crank_options options = run_fixed_step(h);
    errors e = {0};
    double x[RODS];
    memcpy(x, start, sizeof x);
    (void)run_whole(method, crank_state_eom(model), &options, 0.125, x);
    for (int j = 0; j < RODS; j++) {
        double *of = j < ROD_MULTIPLIERS                    ? &e.lambda
                     : j < ROD_MULTIPLIERS + ROD_VELOCITIES ? &e.v
                                                            : &e.p;
        *of = fmax(*of, fabs(x[j] - exact[j]));
    }
    return e;
}

/* Stages of order 1 would leave multipliers of order 1: damper rates times velocities that are
 * off by h/L. */
static void multipliers_of_stiff_motions_have_order_2(void **state)
{
    static const char *const methods[] = {"psf-sdirk2", "gmkssol-sdirk2",
                                          "overdetermined-sdirk2", "peom1-sdirk2"};
    crank_state *model = open_model(damped_rods);
    const crank_options fine = run_tolerance(1e-11);
    double start[RODS], exact[RODS];
    start_consistently(model, RODS, start);
    /* until the fast motion of the start has died out */
    (void)run_whole("psf", crank_state_eom(model), &fine, 0.01, start);
    memcpy(exact, start, sizeof exact);
    (void)run_whole("psf", crank_state_eom(model), &fine, 0.125, exact);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const errors coarse = rods_errors(model, methods[i], 1.0 / 800, start, exact);
        const errors half = rods_errors(model, methods[i], 1.0 / 1600, start, exact);
        CHECK_NEAR(order(coarse.p, half.p), 2.0, 0.25);
        CHECK_NEAR(order(coarse.v, half.v), 2.0, 0.25);
        CHECK_NEAR(order(coarse.lambda, half.lambda), 2.0, 0.25);
    }
    one_state_close(model);
}

/* Multipliers of index 3 are off by rounding over h^2, and works along drives by rounding over
 * h: tested as they are, steps became shorter without end. 3 s of at most 1e3 steps a
 * second. */
static void works_along_drives_do_not_stop_index3(void **state)
{
    static const char *const methods[] = {"index3-sdirk2", "index3-bdf", "index3-radau"};
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read("models/quarter-car/quarter-car.yaml", NULL, &model, &err), err);
    double start[60], x[60];
    const int n = crank_eom_unknowns(crank_state_eom(model));
    assert_true(n <= 60);
    start_consistently(model, n, start);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        crank_options options = run_tolerance(1e-8);
        options.max_steps = 3000;
        memcpy(x, start, sizeof x);
        (void)run_whole(methods[i], crank_state_eom(model), &options, 3.0, x);
    }
    one_state_close(model);
}

/* Multipliers of ude have rates that nobody knows at the start: theory (4.36), (4.42). The
 * estimate is asymptotically right. */
static void first_steps_without_rates_are_of_order_2(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const double h = 0.004;
    const crank_options one = run_fixed_step(h), fine = run_tolerance(1e-13);
    double start[5], exact[5], error[2] = {0.0, 0.0};
    test_pendulum_start(&data, 0.4, 3.0, start);
    for (int i = 0; i < 2; i++) {
        const double t = i == 0 ? h : 0.5 * h;
        run r;
        memcpy(exact, start, sizeof exact);
        (void)run_whole("psf", eom, &fine, t, exact);
        run_begin(&r, "ude-sdirk2", eom, &one, 0.0, start, t);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        for (int j = 0; j < 5; j++) { /* tolerances are 1 */
            const double part =
                (crank_integrator_state(r.it)[j] - exact[j]) / (1.0 + fabs(start[j]));
            error[i] += part * part / 5.0;
        }
        error[i] = sqrt(error[i]);
        CHECK_NEAR(crank_integrator_last_error(r.it) / error[i], 1.0, 0.05);
        run_end(&r);
    }
    CHECK_NEAR(order(error[0], error[1]), 3.0, 0.1); /* of one step */
    crank_eom_destroy(eom);
}

/* all groups of unknowns, explicit time */
static double academic_error(const char *method, int steps, bool between)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    const crank_options options = run_fixed_step(1.0 / steps);
    double x[WIDTH], exact[WIDTH], error = 0.0;
    run r;
    test_academic_exact(0.0, x);
    run_begin(&r, method, eom, &options, 0.0, x, 1.0);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        for (int i = 0; i < 4; i++) {
            const double part = between ? 0.2 + 0.2 * i : 0.0;
            const double t =
                crank_integrator_time(r.it) - part * crank_integrator_last_step(r.it);
            CHECK_OK(crank_integrator_interpolate(r.it, t, x, &r.err), r.err);
            test_academic_exact(t, exact);
            for (int j = 0; j < WIDTH; j++) {
                error = fmax(error, fabs(x[j] - exact[j]));
            }
        }
    }
    run_end(&r);
    crank_eom_destroy(eom);
    return error;
}

static void rows_are_as_accurate_as_steps(void **state)
{
    for (int between = 0; between < 2; between++) {
        const double a = academic_error("psf-sdirk2", 40, between == 1);
        const double b = academic_error("psf-sdirk2", 80, between == 1);
        CHECK_NEAR(order(a, b), 2.0, 0.2);
    }
    const double steps = academic_error("psf-sdirk2", 80, false),
                 rows = academic_error("psf-sdirk2", 80, true);
    assert_true(rows < 1.1 * steps);
}

/* ---- control ---- */

static void error_follows_the_tolerance(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options fine = run_fixed_step(1e-3);
    double exact[5], before = 0.0;
    test_pendulum_start(&data, 0.4, 3.0, exact);
    (void)run_whole("psf", eom, &fine, 1.0, exact);
    for (int exponent = 3; exponent <= 7; exponent++) {
        const crank_options options = run_tolerance(pow(10.0, -exponent));
        double x[5], error = 0.0;
        test_pendulum_start(&data, 0.4, 3.0, x);
        const crank_statistics s = run_whole("psf-sdirk2", eom, &options, 1.0, x);
        for (int j = 1; j < 5; j++) {
            error = fmax(error, fabs(x[j] - exact[j]));
        }
        /* N errors of the tolerance add up, and N grows with its third root */
        assert_true(error < (double)s.steps * options.rtol * 5.0);
        assert_true(exponent == 3 || (before / error > 2.5 && before / error < 9.0));
        assert_true(s.rejected_error * 10 <= s.steps + 20);
        before = error;
    }
    crank_eom_destroy(eom);
}

static void options_that_it_does_not_have_are_refused(void **state)
{
    static const char *const options[][2] = {{"max_order", "2"},
                                             {"newton_matrix", "1"},
                                             {"newton_updates", "1"},
                                             {"control_rules", "published"}};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.4, 3.0, x);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        run r;
        crank_error err = {0};
        crank_options o = crank_options_default();
        CHECK_OK(crank_options_set(&o, options[i][0], options[i][1], &err), err);
        CHECK_STATUS(run_try(&r, "psf-sdirk2", eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, options[i][0]);
        run_end(&r);
    }
    crank_options pass = crank_options_default();
    run r;
    pass.singular = CRANK_SINGULAR_PASS;
    CHECK_STATUS(run_try(&r, "psf-sdirk2", eom, &pass, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "does not pass singular positions");
    run_end(&r);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_with_the_second_power_of_the_step),
        cmocka_unit_test(fast_motions_are_damped_at_once),
        cmocka_unit_test(stiff_equations_take_the_steps_of_the_slow_motion),
        cmocka_unit_test(estimate_is_the_error_of_a_short_first_step),
        cmocka_unit_test(estimate_is_the_error_of_a_short_step),
        cmocka_unit_test(constrained_motions_have_the_orders_of_the_index),
        cmocka_unit_test(multipliers_of_stiff_motions_have_order_2),
        cmocka_unit_test(works_along_drives_do_not_stop_index3),
        cmocka_unit_test(first_steps_without_rates_are_of_order_2),
        cmocka_unit_test(rows_are_as_accurate_as_steps),
        cmocka_unit_test(error_follows_the_tolerance),
        cmocka_unit_test(options_that_it_does_not_have_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
