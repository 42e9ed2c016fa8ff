/* test_run_restart.c - behind an event, or a condition in time, that follows a calm stretch the
 * steps of before are far too long, and runs go on, theory 4.2, 8.3.
 *
 * A rotor with dry friction, smooth over the speeds e, rests until t = 5 s, and is driven then:
 *     J w' = T - F tanh(w/e)
 * For w >> e, t = int J dw/(T - F tanh(w/e)): with q = exp(-2 w/e) the integrand is less than
 * J/(T - F) by J 2 F q/((T - F) (T - F + (T + F) q)), so that
 *     w = (T - F) t/J + e F/(T + F) ln(2 T/(T - F)). */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <math.h>
#include <stdio.h>

static const double torque = 80.0, friction = 30.0, inertia = 0.02, width = 0.1, closes = 5.0,
                    ends = 10.0;

static const char rotor[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "parameters: {on: 0}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.03, position: [0, 0], rate: -40}\n"
    "  b: {mass: 1, inertia: 0.02, position: [1, 0]}\n"
    "joints:\n"
    "  ja: {type: revolute, between: [ground, a], at: [0, 0]}\n"
    "  jb: {type: revolute, between: [ground, b], at: [1, 0]}\n"
    "forces:\n"
    "  load: {type: torque, body: b, torque: '-30*tanh(body.b.rate/0.1) + 80*%s'}\n"
    "%s"
    "simulate: {t_end: 10}\n";

static const char by_event[] = "events: {close: {when: t - 5, actions: {set: {on: 1}}}}\n";

static const char *const methods[] = {"psf-radau", "psf-sdirk2", "index2-radau", "ggl-radau",
                                      "psf-bdf",   "ode-dopri8", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

/* the speed of the driven rotor at the end */
static double run_to_end(const char *method, const char *factor, const char *events,
                         const char *h_start)
{
    char text[2000];
    crank_model_options of_model = crank_model_options_default();
    crank_run_options options = crank_run_options_default();
    crank_model *model = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    const crank_setting settings[] = {{"rtol", "1e-6"}, {"atol", "1e-6"}, {"h_start", h_start}};
    (void)snprintf(text, sizeof text, rotor, factor, events);
    CHECK_OK(crank_model_read_text("rotor", text, strlen(text), &of_model, &model, &err), err);
    options.method = method;
    options.options = settings;
    options.option_count = 3;
    CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
    CHECK_OK(crank_run_advance(run, ends, &err), err);
    const double rate = crank_run_value(run, "body.b.rate");
    crank_run_close(run);
    crank_model_destroy(model);
    return rate;
}

static void check(const char *factor, const char *events, const char *h_start)
{
    const double least = torque - friction;
    const double exact = least * (ends - closes) / inertia +
                         width * friction / (torque + friction) * log(2.0 * torque / least);
    for (int i = 0; i < METHODS; i++) {
        const double rate = run_to_end(methods[i], factor, events, h_start);
        /* ten times the tolerance, which asks for 1e-6 of each step */
        assert_true(fabs(rate - exact) < 10.0 * 1e-6 * exact);
    }
}

static void runs_go_on_behind_an_event_after_a_calm_stretch(void **state)
{
    check("on", by_event, "0");
    check("on", by_event, "1e-6");
}

static void runs_go_on_behind_a_condition_in_time_after_a_calm_stretch(void **state)
{
    check("if(t < 5, 0, 1)", "", "0");
    check("if(t < 5, 0, 1)", "", "1e-6");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_go_on_behind_an_event_after_a_calm_stretch),
        cmocka_unit_test(runs_go_on_behind_a_condition_in_time_after_a_calm_stretch),
    };
    return CHECK_RUN(argc, argv, tests);
}
