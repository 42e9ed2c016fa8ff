/* test_run_jumps.c - a row at a time at which forces, or what drives prescribe, jump shows the
 * values behind the jump, with every method, theory 8.7: whether the jump is a condition in
 * time, on which steps end, however it is written, or a knot of a table, on which they do not,
 * or both. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <math.h>

/* Jumps at 1 (way), 2 (push, way), 2.1 (late), 3 (pull, way, side), 3.5 (speed of edge). */
static const char jumps[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "tables:\n"
    "  way: [[0, 0], [1, 0], [2, 1], [3, 1.5], [4, 1.5]]\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: 1, position: [0, 0]}\n"
    "  b: {mass: 3, inertia: 1, position: [0, 1]}\n"
    "  c: {mass: 4, inertia: 1, position: [0, 2]}\n"
    "joints:\n"
    "  free: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}\n"
    "  led: {type: prismatic, between: [ground, b], at: [0, 1], axis: [1, 0], drive: way(t)}\n"
    "  edge: {type: prismatic, between: [ground, c], at: [0, 2], axis: [1, 0],\n"
    "    drive: 'if(t < 3.5, 0, 2*(t - 3.5))'}\n"
    "forces:\n"
    "  push: {type: force, body: a, force: ['if(t < 2, 1, 5)', 0]}\n"
    "  pull: {type: force, body: a, force: [0, 'if(t > 3, 1, 7)']}\n"
    "  late: {type: force, body: b, force: [0, 'if(t <= 2.1, 2, 4)']}\n"
    "outputs:\n"
    "  side: {value: 'if(t <= 3, 0, 1)'}\n"
    "simulate: {t_end: 4}\n";

static const char *const methods[] = {"psf-radau", "psf-bdf", "psf-sdirk2", "index2-radau",
                                      "ggl-radau", "ggl-bdf", "ode-dopri5", "ode-dopri8",
                                      "ode-adams", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

/* the run of the model text by a method; its model is the caller's, too */
static crank_run *open_run(const char *method, double t_end, crank_model **model)
{
    crank_model_options of_model = crank_model_options_default();
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    CHECK_OK(crank_model_read_text("jumps", jumps, strlen(jumps), &of_model, model, &err), err);
    options.method = method;
    options.t_end = t_end;
    CHECK_OK(crank_run_open_model(*model, &options, &run, &err), err);
    return run;
}

static double value_at(const crank_table *table, int row, const char *name)
{
    for (int j = 0; j < table->columns; j++) {
        if (strcmp(table->names[j], name) == 0) {
            return table->values[(size_t)j * (size_t)table->rows + (size_t)row];
        }
    }
    fail_msg("no column %s", name);
    return (double)NAN;
}

/* Second derivatives of the cubic pieces of `way` behind its knots, in exact numbers: slopes
 * there are 0, 0, 2/3 (harmonic mean of 1 and 1/2), 0, 0, and a piece from y0 to y1 with slopes
 * m0, m1 over 1 s begins with 6 (y1 - y0) - 4 m0 - 2 m1. */
static void a_row_at_a_jump_shows_what_is_behind_it(void **state)
{
    static const struct {
        int row; /* at half of it, in s */
        const char *column;
        double value;
    } expected[] = {
        {2, "joint.led.effort", 3.0 * (6.0 - 4.0 / 3.0)},
        {4, "joint.led.effort", 3.0 * (3.0 - 8.0 / 3.0)},
        {6, "joint.led.effort", 0.0},
        {3, "force.push.fx", 1.0},
        {4, "force.push.fx", 5.0},
        {5, "joint.free.fy", -7.0},
        {6, "joint.free.fy", -1.0},
        {5, "side", 0.0},
        {6, "side", 1.0},
        {6, "joint.edge.length_rate", 0.0},
        {7, "joint.edge.length_rate", 2.0},
    };
    for (int i = 0; i < METHODS; i++) {
        crank_model *model = NULL;
        crank_run *run = open_run(methods[i], 4.0, &model);
        crank_table *table = NULL;
        crank_error err = {0};
        CHECK_OK(crank_run_table(run, 8, &table, &err), err);
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
            const double value = value_at(table, expected[k].row, expected[k].column);
            /* a jump is larger by far than the tolerance, 1e-6 or less, magnified */
            assert_true(fabs(value - expected[k].value) < 1e-3);
        }
        crank_table_destroy(table);
        crank_run_close(run);
        crank_model_destroy(model);
    }
}

/* 2.8 * 3/4 is less than 2.1 by rounding. */
static void a_row_off_a_jump_by_rounding_is_at_it(void **state)
{
    const double t_end = 2.8, t = t_end * 3.0 / 4.0;
    assert_true(t < 2.1);
    for (int i = 0; i < METHODS; i++) {
        crank_model *model = NULL;
        crank_run *run = open_run(methods[i], t_end, &model);
        crank_table *table = NULL;
        crank_error err = {0};
        CHECK_OK(crank_run_table(run, 4, &table, &err), err);
        assert_true(value_at(table, 3, "time") == t);
        assert_true(fabs(value_at(table, 3, "joint.led.fy") + 4.0) < 1e-3);
        crank_table_destroy(table);
        crank_run_close(run);
        crank_model_destroy(model);
    }
}

/* To the same time twice, and on. */
static void a_run_that_is_led_to_a_jump_shows_what_is_behind_it(void **state)
{
    static const double times[] = {1.5, 2.0, 2.0, 2.1, 2.1, 3.0, 3.0, 3.2};
    for (int i = 0; i < METHODS; i++) {
        crank_model *model = NULL;
        crank_run *run = open_run(methods[i], 4.0, &model);
        crank_error err = {0};
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            const double t = times[k];
            CHECK_OK(crank_run_advance(run, t, &err), err);
            assert_true(crank_run_time(run) == t);
            assert_true(crank_run_value(run, "force.push.fx") == (t < 2.0 ? 1.0 : 5.0));
            assert_true(fabs(crank_run_value(run, "joint.led.fy") + (t < 2.1 ? 2.0 : 4.0)) <
                        1e-3);
            assert_true(crank_run_value(run, "side") == (t < 3.0 ? 0.0 : 1.0));
        }
        crank_run_close(run);
        crank_model_destroy(model);
    }
}

/* The function is zero where the condition changes, and a step ends there. */
static void an_event_at_the_time_of_a_condition_happens(void **state)
{
    static const char text[] =
        "crank: mechanism\n"
        "dimension: 2\n"
        "parameters: {k: 0}\n"
        "bodies: {a: {mass: 2, inertia: 1, position: [0, 0]}}\n"
        "joints: {free: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}}\n"
        "forces: {push: {type: force, body: a, force: ['if(t < 2, 1, 5) + k', 0]}}\n"
        "events: {same: {when: t - 2, actions: {set: {k: 10}}}}\n"
        "simulate: {t_end: 4}\n";
    for (int i = 0; i < METHODS; i++) {
        crank_model_options of_model = crank_model_options_default();
        crank_run_options options = crank_run_options_default();
        crank_model *model = NULL;
        crank_run *run = NULL;
        crank_error err = {0};
        CHECK_OK(crank_model_read_text("same", text, strlen(text), &of_model, &model, &err),
                 err);
        options.method = methods[i];
        CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
        CHECK_OK(crank_run_advance(run, 4.0, &err), err);
        assert_int_equal(crank_integrator_statistics(crank_run_integrator(run)).events, 1);
        /* 2 v = 1 * 2 + 15 * 2: an event late by d s loses 5 d, the tolerance 1e-6 or less */
        assert_true(fabs(crank_run_value(run, "body.a.vx") - 16.0) < 1e-4);
        crank_run_close(run);
        crank_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_at_a_jump_shows_what_is_behind_it),
        cmocka_unit_test(a_row_off_a_jump_by_rounding_is_at_it),
        cmocka_unit_test(a_run_that_is_led_to_a_jump_shows_what_is_behind_it),
        cmocka_unit_test(an_event_at_the_time_of_a_condition_happens),
    };
    return CHECK_RUN(argc, argv, tests);
}
