/* test_run_knots.c - steps end at the knots of a table in time where these matter, theory
 * (8.16). A body gets the acceleration table(t/span)/span^2, so that runs of different spans
 * are the same motion in other units of time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* one-step methods of orders that see what jumps in a spline */
static const char *const one_step[] = {"psf-radau", "ode-dopri5", "ode-dopri8", "auto"};
enum { METHODS = sizeof one_step / sizeof *one_step, LENGTH = 80000, KNOTS = 9 };

typedef struct drive {
    char text[LENGTH];
    int used, knots;
} drive;

static void add_knot(drive *d, double at, double value)
{
    d->used += snprintf(d->text + d->used, (size_t)(LENGTH - d->used), "%s[%.17g, %.17g]",
                        d->knots > 0 ? ", " : "", at, value);
    d->knots++;
}

static crank_run *open_run(const drive *d, const char *method, double span, crank_model **model)
{
    char atol_v[32];
    (void)snprintf(atol_v, sizeof atol_v, "%.17g", 1e-6 / span);
    const crank_setting tolerances[] = {{"rtol", "1e-6"}, {"atol", "1e-6"}, {"atol_v", atol_v}};
    static char text[LENGTH + 400];
    crank_model_options of_model = crank_model_options_default();
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    const int length = snprintf(text, sizeof text,
                                "crank: equations\n"
                                "parameters: {span: %.17g}\n"
                                "tables: {drive: [%s]}\n"
                                "positions: {x: {start: 0}}\n"
                                "velocities: {v: {of: x, start: 0}}\n"
                                "mass: [[1]]\n"
                                "forces: ['(drive(t/span) - x - v*span)/span^2']\n"
                                "simulate: {t_end: 8*span}\n",
                                span, d->text);
    CHECK_OK(crank_model_read_text("drive", text, (size_t)length, &of_model, model, &err), err);
    options.method = method;
    options.options = tolerances;
    options.option_count = 3;
    CHECK_OK(crank_run_open_model(*model, &options, &run, &err), err);
    return run;
}

/* Steps; ended[i] counts those that ended at i span. */
static crank_statistics run_to_end(const drive *d, const char *method, double span,
                                   int ended[KNOTS])
{
    crank_model *model = NULL;
    crank_run *run = open_run(d, method, span, &model);
    crank_error err = {0};
    while (!crank_run_finished(run)) {
        CHECK_OK(crank_run_step(run, &err), err);
        const double at = crank_integrator_time(crank_run_integrator(run)) / span;
        const int nearest = (int)lround(at);
        ended[nearest] += fabs(at - nearest) < 1e-12;
    }
    const crank_statistics statistics = crank_integrator_statistics(crank_run_integrator(run));
    crank_run_close(run);
    crank_model_destroy(model);
    return statistics;
}

/* third derivatives that jump by 10 and more at each knot */
static drive rough_drive(void)
{
    static const double value[KNOTS] = {0, 1, -1, 2, 0.5, -2, 1.5, 0, 1};
    drive d = {.used = 0};
    for (int i = 0; i < KNOTS; i++) {
        add_knot(&d, i, value[i]);
    }
    return d;
}

/* Each of the seven knots inside could cost several attempts; the first two do, of order 8,
 * which sees them best. Orders 5 may pass some unnoticed. */
static void steps_end_at_knots_once_these_have_cost_attempts(void **state)
{
    const drive d = rough_drive();
    for (int m = 0; m < METHODS; m++) {
        for (int u = -1; u <= 1; u++) {
            int ended[KNOTS] = {0}, met = 0;
            const crank_statistics statistics =
                run_to_end(&d, one_step[m], pow(10.0, 4 * u), ended);
            for (int i = 1; i < KNOTS - 1; i++) {
                met += ended[i] == 1;
            }
            const bool eight = strstr(one_step[m], "8") != NULL;
            if ((eight && met < KNOTS - 3) || statistics.rejected_error > KNOTS - 2) {
                fail_msg("%s, 1e%d: %d knots met, %d rejected", one_step[m], 4 * u, met,
                         (int)statistics.rejected_error);
            }
        }
    }
}

/* A sine in 1000 points: a knot every 1/125, at which nothing jumps by more than the tolerance
 * lets pass. Bound by knots there would be 1000 steps. */
static void dense_knots_bound_no_steps(void **state)
{
    drive d = {.used = 0};
    for (int i = 0; i <= 1000; i++) {
        add_knot(&d, i / 125.0, sin(i / 125.0));
    }
    for (int m = 0; m < METHODS; m++) {
        int ended[KNOTS] = {0};
        const crank_statistics statistics = run_to_end(&d, one_step[m], 1.0, ended);
        assert_true(statistics.steps < 120);
    }
}

/* The support of a swing follows 1000 points of a cosine: its acceleration jumps at each, by
 * less than the tolerance sees. */
static double follow_support(const char *method, const char *tolerance, int *steps)
{
    static char text[LENGTH + 400];
    const crank_setting tolerances[] = {{"rtol", tolerance}, {"atol", tolerance}};
    crank_model_options of_model = crank_model_options_default();
    crank_run_options options = crank_run_options_default();
    crank_model *model = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    drive d = {.used = 0};
    for (int i = 0; i <= 1000; i++) {
        add_knot(&d, i / 125.0, 1.0 - cos(2e-3 * acos(-1.0) * i));
    }
    const int length =
        snprintf(text, sizeof text,
                 "crank: equations\n"
                 "tables: {drive: {points: [%s], interpolation: monotone}}\n"
                 "positions: {x: {start: 0}, y: {start: 0.1}}\n"
                 "velocities: {u: {of: x, start: 0, free: true}, v: {of: y, start: 0}}\n"
                 "mass: [[2, 1], [1, 1]]\n"
                 "forces: [0, -4*y]\n"
                 "holonomic: {support: x - drive(t)}\n"
                 "simulate: {t_end: 8}\n",
                 d.text);
    CHECK_OK(crank_model_read_text("swing", text, (size_t)length, &of_model, &model, &err),
             err);
    options.method = method;
    options.options = tolerances;
    options.option_count = 2;
    CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
    while (!crank_run_finished(run)) {
        CHECK_OK(crank_run_step(run, &err), err);
    }
    *steps = (int)crank_integrator_statistics(crank_run_integrator(run)).steps;
    const double y = crank_integrator_state(crank_run_integrator(run))[4];
    crank_run_close(run);
    crank_model_destroy(model);
    return y;
}

static void methods_that_remember_pass_knots_whose_jumps_are_below_the_tolerance(void **state)
{
    static const char *const methods[] = {"psf-bdf", "index2-bdf", "ode-adams"};
    static const char *const tolerances[] = {"1e-2", "1e-3"};
    int steps = 0;
    const double exact = follow_support("psf-radau", "1e-10", &steps);
    for (int m = 0; m < 3; m++) {
        for (int i = 0; i < 2; i++) {
            const double off = fabs(follow_support(methods[m], tolerances[i], &steps) - exact);
            if (steps > 1500 || off > 50.0 * strtod(tolerances[i], NULL)) {
                fail_msg("%s at %s: %d steps, off by %g", methods[m], tolerances[i], steps,
                         off);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_end_at_knots_once_these_have_cost_attempts),
        cmocka_unit_test(dense_knots_bound_no_steps),
        cmocka_unit_test(methods_that_remember_pass_knots_whose_jumps_are_below_the_tolerance),
    };
    return CHECK_RUN(argc, argv, tests);
}
