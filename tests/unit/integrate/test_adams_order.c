/* test_adams_order.c - Adams formulas: coefficients on steps of changing length, orders,
 * tolerance and error, choice of the order. theory 9.5. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/adams.h"
#include "integrate/create.h"
#include "order/run.h"

static const char adams[] = "ode-adams";

/* ---- coefficients ---- */

/* one unknown x = t^degree with the rate degree t^(degree - 1), driven by hand */
typedef struct track {
    crank_integrator it;
    crank_problem problem;
    crank_adams s;
    double phi[2 * CRANK_ADAMS_DIFFERENCES];
    double x, X, f, e, end, begin, rate, work, scale;
    bool tested;
    unsigned char group, scaling;
    crank_norm_run run;
} track;

static const double lengths[] = {0.10, 0.13, 0.11, 0.08, 0.16, 0.12, 0.12, 0.07, 0.14,
                                 0.10, 0.09, 0.11, 0.11, 0.13, 0.10, 0.12, 0.09};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static double power(double t, int degree)
{
    return degree <= 0 ? (degree == 0) : pow(t, degree);
}

static crank_status no_derivative(crank_problem *self, double t, double *x, double *xdot,
                                  crank_error *err)
{
    (void)self, (void)t, (void)x, (void)xdot, (void)err;
    return CRANK_OK;
}

static void begin(track *d, int degree)
{
    *d = (track){.it = {.n = 1, .tested = 1}, .scale = 1.0, .tested = true, .group = CRANK_P};
    crank_adams *s = &d->s;
    d->it.options = crank_options_default();
    d->it.problem = &d->problem;
    d->problem.tested = &d->tested;
    d->problem.scaling = &d->scaling;
    d->problem.group = &d->group;
    d->problem.derivative = no_derivative;
    d->it.state = s;
    d->it.x = &d->x;
    d->it.scale = &d->scale;
    d->run = (crank_norm_run){.first = 0, .last = 1};
    d->it.runs = (crank_norm_runs){.count = 1, .list = &d->run};
    s->phi = d->phi;
    s->next = d->phi + CRANK_ADAMS_DIFFERENCES;
    s->X = &d->X;
    s->f = &d->f;
    s->e = &d->e;
    s->end = &d->end;
    s->begin = &d->begin;
    s->rate = &d->rate;
    s->work = &d->work;
    s->max_order = CRANK_ADAMS_ORDER;
    d->it.t = 0.3;
    d->x = power(d->it.t, degree);
    d->phi[0] = degree * power(d->it.t, degree - 1);
}

/* one step at the order with exact rates; the error of the corrected end comes back */
static double advance(track *d, int degree, int order, double h)
{
    crank_adams *s = &d->s;
    crank_integrator *it = &d->it;
    s->order = order;
    it->h = h;
    crank_adams_predict(it, s);
    it->t_old = it->t;
    it->t += h;
    d->f = d->rate = degree * power(it->t, degree - 1);
    (void)crank_adams_error(it, s);
    crank_adams_correct(it, s);
    d->begin = d->x;
    d->x = power(it->t, degree);
    crank_adams_update(it, s);
    s->h_used = h;
    s->order_used = order;
    return d->end - d->x;
}

/* order k: predictor, corrector and rows between steps integrate polynomials of degrees k, k +
 * 1, k + 1 */
static void formulas_are_exact_for_polynomials_of_their_order(void **state)
{
    for (int order = 1; order <= CRANK_ADAMS_ORDER; order++) {
        for (int degree = 0; degree <= order + 1; degree++) {
            track d;
            begin(&d, degree);
            for (int i = 0; i < LENGTHS; i++) {
                const int now = i + 1 < order ? i + 1 : order; /* rises by one a step */
                const double error = advance(&d, degree, now, lengths[i]);
                if (i < order) {
                    continue;
                }
                const double middle = d.it.t - 0.4 * lengths[i], size = power(d.it.t, degree);
                double between = 0.0;
                crank_adams_interpolate(&d.it, middle, &between);
                CHECK_NEAR(error, 0.0, 1e-13 * (1.0 + size));
                CHECK_NEAR(between, power(middle, degree), 1e-13 * (1.0 + size));
                if (degree <= order) {
                    CHECK_NEAR(d.X, size, 1e-13 * (1.0 + size));
                }
            }
        }
    }
}

/* and not for the next one: the test above is no tautology */
static void formulas_are_not_exact_beyond_their_order(void **state)
{
    for (int order = 1; order <= CRANK_ADAMS_ORDER; order++) {
        track d;
        double error = 0.0, between = 0.0;
        begin(&d, order + 2);
        for (int i = 0; i < LENGTHS; i++) {
            error = advance(&d, order + 2, i + 1 < order ? i + 1 : order, lengths[i]);
        }
        const double size = power(d.it.t, order + 2);
        for (int i = 1; i < 10; i++) { /* its error may vanish at one of them */
            const double middle = d.it.t - 0.1 * i * d.it.h;
            double x = 0.0;
            crank_adams_interpolate(&d.it, middle, &x);
            between = fmax(between, fabs(x - power(middle, order + 2)));
        }
        assert_true(fabs(error) > 1e-11 * size);
        assert_true(order == 1 || between > 1e-12 * size); /* order 1: cubic Hermite */
        assert_true(fabs(d.X - size) > 1e-8 * size);
    }
}

/* steps of length h along x' = -x, from 1; the last |x| */
static double decay(int order, double h)
{
    track d;
    begin(&d, 0);
    d.x = 1.0;
    d.phi[0] = -1.0;
    for (int i = 0; i < 400; i++) {
        crank_adams *s = &d.s;
        s->order = i + 1 < order ? i + 1 : order;
        d.it.h = h;
        crank_adams_predict(&d.it, s);
        d.f = -d.X;
        (void)crank_adams_error(&d.it, s);
        crank_adams_correct(&d.it, s);
        d.x = d.end;
        d.rate = -d.x;
        crank_adams_update(&d.it, s);
        s->h_used = h;
        s->order_used = s->order;
    }
    return fabs(d.x);
}

/* the limits by which stiffness is told */
static void stability_ends_where_theory_says(void **state)
{
    static const double limit[] = {2.0, 2.4, 1.92, 1.4};
    for (int order = 1; order <= 4; order++) {
        assert_true(decay(order, 0.97 * limit[order - 1]) < 1e-2);
        assert_true(decay(order, 1.03 * limit[order - 1]) > 1e2);
    }
}

/* ---- runs ---- */

enum { ROWS = 20 };
static const double t_end = 4.0;

typedef struct outcome {
    double error; /* of positions and velocities, root of the mean square over rows */
    crank_statistics statistics;
} outcome;

/* rows of positions and velocities of the pendulum, between steps as they come */
static crank_statistics pendulum_rows(const char *method, const crank_options *options,
                                      double rows[ROWS][5])
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    run r;
    test_pendulum_start(&data, 0.4, 3.0, x);
    run_begin(&r, method, eom, options, 0.0, x, t_end);
    for (int i = 0; i < ROWS; i++) {
        const double t = t_end * (i + 1) / ROWS;
        CHECK_OK(crank_integrator_solve_to(r.it, t, &r.err), r.err);
        CHECK_OK(crank_integrator_interpolate(r.it, t, rows[i], &r.err), r.err);
    }
    const crank_statistics statistics = crank_integrator_statistics(r.it);
    run_end(&r);
    crank_eom_destroy(eom);
    return statistics;
}

static outcome pendulum_run(const crank_options *options, double exact[ROWS][5])
{
    double rows[ROWS][5];
    outcome result = {.statistics = pendulum_rows(adams, options, rows)};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 1; j < 5; j++) {
            result.error += pow(rows[i][j] - exact[i][j], 2) / (4 * ROWS);
        }
    }
    result.error = sqrt(result.error);
    return result;
}

/* With the order limited to k the error falls like the (k+1)-th power of the number of steps,
 * because the corrector is of order k + 1: slope of the line through their logarithms at eight
 * tolerances. */
static void error_falls_with_the_order(void **state)
{
    enum { RUNS = 8, ORDERS = 6 };
    static const double first[ORDERS] = {1e-4, 1e-5, 1e-5, 1e-6, 1e-6, 1e-7};
    static const double factor[ORDERS] = {0.3, 0.3, 0.2, 0.2, 0.2, 0.2};
    const crank_options fine = run_tolerance(1e-13);
    double exact[ROWS][5];
    (void)pendulum_rows("ode-dopri8", &fine, exact);
    for (int order = 1; order <= ORDERS; order++) {
        double x[RUNS], y[RUNS], mean_x = 0.0, mean_y = 0.0, above = 0.0, below = 0.0;
        for (int i = 0; i < RUNS; i++) {
            crank_options options = run_tolerance(first[order - 1] * pow(factor[order - 1], i));
            options.max_order = order;
            const outcome r = pendulum_run(&options, exact);
            mean_x += (x[i] = log((double)r.statistics.steps)) / RUNS;
            mean_y += (y[i] = -log(r.error)) / RUNS;
        }
        for (int i = 0; i < RUNS; i++) {
            above += (x[i] - mean_x) * (y[i] - mean_y);
            below += (x[i] - mean_x) * (x[i] - mean_x);
        }
        print_message("order %d: slope %.2f\n", order, above / below);
        CHECK_NEAR(above / below, order + 1, 0.5);
    }
}

static void error_is_proportional_to_the_tolerance(void **state)
{
    const crank_options fine = run_tolerance(1e-13);
    double exact[ROWS][5];
    (void)pendulum_rows("ode-dopri8", &fine, exact);
    for (int exponent = 3; exponent <= 12; exponent++) {
        const double tolerance = pow(10.0, -exponent);
        const crank_options options = run_tolerance(tolerance);
        const outcome r = pendulum_run(&options, exact);
        print_message("%.0e: error %.1e steps %d rejected %d\n", tolerance, r.error,
                      (int)r.statistics.steps, (int)r.statistics.rejected_error);
        assert_true(r.error < 30.0 * tolerance && r.error > 0.01 * tolerance);
        assert_true(r.statistics.rejected_error * 20 <= r.statistics.steps);
    }
}

/* high orders pay: at 1e-10, order 4 needs many times the steps */
static void order_rises_as_far_as_it_may(void **state)
{
    crank_options options = run_tolerance(1e-10);
    double rows[ROWS][5];
    const crank_statistics all = pendulum_rows(adams, &options, rows);
    options.max_order = 12;
    assert_int_equal(pendulum_rows(adams, &options, rows).steps, all.steps);
    options.max_order = 4;
    assert_true(pendulum_rows(adams, &options, rows).steps > 3 * all.steps);
}

static void safety_shortens_steps(void **state)
{
    crank_options options = run_tolerance(1e-6);
    double rows[ROWS][5];
    const crank_statistics usual = pendulum_rows(adams, &options, rows);
    options.safety = 0.45;
    assert_true(pendulum_rows(adams, &options, rows).steps > usual.steps * 4 / 3);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_exact_for_polynomials_of_their_order),
        cmocka_unit_test(formulas_are_not_exact_beyond_their_order),
        cmocka_unit_test(stability_ends_where_theory_says),
        cmocka_unit_test(error_falls_with_the_order),
        cmocka_unit_test(error_is_proportional_to_the_tolerance),
        cmocka_unit_test(order_rises_as_far_as_it_may),
        cmocka_unit_test(safety_shortens_steps),
    };
    return CHECK_RUN(argc, argv, tests);
}
