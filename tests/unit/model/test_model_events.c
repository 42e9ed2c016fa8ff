/* test_model_events.c - what events of an equations file do to velocities at a state: impulses
 * by two independent routes; without an integrator. */
// SPDX-License-Identifier: BSD-3-Clause
#include "apply_events.h"
#include "one_state.h"

#include <stdio.h>

/* Velocities are found by orthogonal transformations of matrices of small condition: some units
 * of the last place. */
static const double round_off = 1e-13;

/* two rods of length 1 with masses 2 and 1 at their ends: angles from below, and the same in
 * Cartesian coordinates */
static const char in_angles[] =
    "crank: equations\n"
    "parameters: {a: 0.7, b: -0.4, u: 1.3, w: -2.1, e: 0.35}\n"
    "positions: {p: a, q: b}\n"
    "velocities: {vp: {of: p, start: u}, vq: {of: q, start: w}}\n"
    "mass: [[3, cos(p - q)], [cos(p - q), 1]]\n"
    "forces: [-sin(p - q)*vq^2 - 3*9.81*sin(p), sin(p - q)*vp^2 - 9.81*sin(q)]\n"
    "events: {wall: {when: sin(p) + sin(q) - 0.2, actions: {impact: e}}}\n";
static const char cartesian[] =
    "crank: equations\n"
    "parameters: {a: 0.7, b: -0.4, u: 1.3, w: -2.1, e: 0.35}\n"
    "positions: {x1: sin(a), y1: -cos(a), x2: sin(a) + sin(b), y2: -cos(a) - cos(b)}\n"
    "velocities: {vx1: {of: x1, start: cos(a)*u}, vy1: {of: y1, start: sin(a)*u},\n"
    "  vx2: {of: x2, start: cos(a)*u + cos(b)*w}, vy2: {of: y2, start: sin(a)*u + sin(b)*w}}\n"
    "mass: {diagonal: [2, 2, 1, 1]}\n"
    "forces: [0, -2*9.81, 0, -9.81]\n"
    "holonomic: {first: x1^2 + y1^2 - 1, second: (x2 - x1)^2 + (y2 - y1)^2 - 1%s}\n"
    "events: {wall: {when: x2 - 0.2, actions: {impact: e}}}\n";

static void expect_angles(double out[4])
{
    crank_state *model = read_model(in_angles);
    const signed char happened[] = {-1};
    double *x = start_of(model);
    const double before = cos(0.7) * 1.3 + cos(-0.4) * -2.1;
    const crank_event_outcome outcome = apply(model, happened, 0.0, x);
    const double p = x[unknown(model, "vp")], q = x[unknown(model, "vq")];
    assert_true(outcome.changed);
    assert_false(outcome.stop);
    out[0] = cos(0.7) * p;
    out[1] = sin(0.7) * p;
    out[2] = cos(0.7) * p + cos(-0.4) * q;
    out[3] = sin(0.7) * p + sin(-0.4) * q;
    CHECK_NEAR(out[2], -0.35 * before, round_off);
    free(x);
    one_state_close(model);
}

static void compare_with_angles(const char *more, crank_accelerations accelerations)
{
    static const char *const names[] = {"vx1", "vy1", "vx2", "vy2"};
    crank_model_options options = crank_model_options_default();
    char text[1200];
    double expected[4];
    const signed char happened[] = {-1};
    options.accelerations = accelerations;
    (void)snprintf(text, sizeof text, cartesian, more);
    crank_state *model = read_with(text, &options);
    double *x = start_of(model);
    expect_angles(expected);
    (void)apply(model, happened, 0.0, x);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(x[unknown(model, names[i])], expected[i], round_off);
    }
    check_residuals(model, 0.0, x);
    free(x);
    one_state_close(model);
}

static void test_minimal_and_cartesian_coordinates_give_the_same_velocities(void **state)
{
    (void)state;
    compare_with_angles("", CRANK_ACCELERATIONS_ELIMINATE);
}

static void test_carried_accelerations_give_the_same_velocities(void **state)
{
    (void)state;
    compare_with_angles("", CRANK_ACCELERATIONS_CARRY);
}

static void test_redundant_constraints_give_the_same_velocities(void **state)
{
    (void)state;
    compare_with_angles(", third: 3*(x1^2 + y1^2 - 1)", CRANK_ACCELERATIONS_AUTO);
}

static void test_impacts_at_the_same_time_are_solved_together(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "positions: {x: 0, y: 0}\n"
                   "velocities: {vx: {of: x, start: -3}, vy: {of: y, start: -1}}\n"
                   "mass: [[2, 0.5], [0.5, 1]]\n"
                   "events:\n"
                   "  wall: {when: x, actions: {impact: 0.5}}\n"
                   "  floor: {when: y, actions: {impact: 0.25}}\n"
                   "  roof: {when: y - 9, actions: {impact: 7}}\n");
    const signed char happened[] = {-1, -1, 0};
    double *x = start_of(model);
    const crank_event_outcome outcome = apply(model, happened, 0.0, x);
    CHECK_NEAR(x[unknown(model, "vx")], 1.5, round_off);
    CHECK_NEAR(x[unknown(model, "vy")], 0.25, round_off);
    assert_string_equal(outcome.text, "event \"wall\": impact from -3 to 1.5; event \"floor\": "
                                      "impact from -1 to 0.25");
    free(x);
    one_state_close(model);
}

/* An obstacle that moves: the rate of `when` contains the derivative by t. */
static void test_an_impact_counts_relative_to_a_moving_obstacle(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "positions: {y: 2}\n"
                   "velocities: {v: {of: y, start: -3}}\n"
                   "mass: [[1]]\n"
                   "events: {table: {when: y - 0.5*t, actions: {impact: 0.8}}}\n");
    const signed char happened[] = {-1};
    double *x = start_of(model);
    (void)apply(model, happened, 4.0, x);
    CHECK_NEAR(x[unknown(model, "v")], 0.5 + 0.8 * 3.5, round_off);
    free(x);
    one_state_close(model);
}

/* 300 masses in a row, held together: 600 rows and columns are solved by sparse matrices. All
 * bounce as one. */
static void test_a_long_train_of_constraints_bounces_as_one(void **state)
{
    enum { N = 300 };
    (void)state;
    char *text = malloc(100 * N + 400);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "crank: equations\npositions: {");
    for (int i = 0; i < N; i++) {
        used += (size_t)sprintf(text + used, "x%d: %d, ", i, i);
    }
    used += (size_t)sprintf(text + used, "}\nvelocities: {");
    for (int i = 0; i < N; i++) {
        used += (size_t)sprintf(text + used, "v%d: {of: x%d, start: -2}, ", i, i);
    }
    used += (size_t)sprintf(text + used, "}\nmass: {diagonal: [");
    for (int i = 0; i < N; i++) {
        used += (size_t)sprintf(text + used, "%d, ", 1 + i % 7);
    }
    used += (size_t)sprintf(text + used, "]}\nholonomic: {");
    for (int i = 1; i < N; i++) {
        used += (size_t)sprintf(text + used, "c%d: x%d - x%d - 1, ", i, i, i - 1);
    }
    (void)sprintf(text + used, "}\nevents: {wall: {when: x0, actions: {impact: 0.6}}}\n");
    crank_state *model = read_model(text);
    const signed char happened[] = {-1};
    double *x = start_of(model);
    (void)apply(model, happened, 0.0, x);
    const int first = crank_eom_column(crank_state_eom(model), CRANK_V);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(x[first + i], 1.2, 1e-11); /* errors add up along the train */
    }
    free(x);
    free(text);
    one_state_close(model);
}

static void test_an_impact_that_constraints_forbid_is_refused(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "positions: {x: 0, y: 0}\n"
                   "velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 1}}\n"
                   "mass: {diagonal: [1, 1]}\n"
                   "holonomic: {track: y - x - 0*t}\n"
                   "events:\n"
                   "  apart: {when: t, actions: {reset: {vx: 2, vy: 3}}}\n"
                   "  both: {when: t, actions: {reset: {vx: 2, vy: 2}}}\n");
    const signed char apart[] = {1, 0}, both[] = {0, 1};
    double *x = start_of(model);
    fail_to_apply(model, apart, x, CRANK_EMODEL,
                  "event \"apart\" at t = 0: constraints, or other");
    CHECK_NEAR(x[unknown(model, "vx")], 1.0, 0.0);
    (void)apply(model, both, 0.0, x);
    CHECK_NEAR(x[unknown(model, "vy")], 2.0, round_off);
    free(x);
    one_state_close(model);
}

static void test_a_restitution_must_be_finite_and_not_negative(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "positions: {x: 0}\n"
                                    "velocities: {v: {of: x, start: 1}}\n"
                                    "mass: [[1]]\n"
                                    "events:\n"
                                    "  less: {when: x, actions: {impact: -v}}\n"
                                    "  more: {when: x, actions: {impact: 1/(v - 1)}}\n");
    const signed char less[] = {1, 0}, more[] = {0, 1};
    double *x = start_of(model);
    fail_to_apply(model, less, x, CRANK_EMODEL,
                  "event \"less\": the restitution is -1 at t = 0, must be 0 or more");
    fail_to_apply(model, more, x, CRANK_EMODEL,
                  "event \"more\": the restitution is inf at t = 0, must be finite");
    free(x);
    one_state_close(model);
}

static void test_functions_are_those_of_the_file(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {m: 3}\n"
                                    "positions: {x: 2}\n"
                                    "velocities: {v: {of: x, start: 3}}\n"
                                    "mass: [[m]]\n"
                                    "forces: [m*5*x]\n"
                                    "events:\n"
                                    "  a: {when: x - t, direction: rising}\n"
                                    "  b: {when: v^2, direction: falling, actions: stop}\n"
                                    "  c: {when: acceleration.v - 1, actions: []}\n");
    const crank_events events = crank_state_events(model);
    double *x = start_of(model), values[3];
    crank_error err = {0};
    assert_int_equal(events.count, 3);
    assert_string_equal(events.name[1], "b");
    assert_int_equal(events.direction[0], 1);
    assert_int_equal(events.direction[1], -1);
    assert_int_equal(events.direction[2], 0);
    CHECK_OK(events.evaluate(events.user, 0.5, x, values, &err), err);
    CHECK_NEAR(values[0], 1.5, 0.0);
    CHECK_NEAR(values[1], 9.0, 0.0);
    CHECK_NEAR(values[2], 9.0, 1e-14);
    const signed char happened[] = {1, 0, 0};
    const crank_event_outcome outcome = apply(model, happened, 0.0, x);
    assert_false(outcome.changed);
    assert_string_equal(outcome.text, "event \"a\"");
    free(x);
    one_state_close(model);
    model = read_model("crank: equations\ndynamic: {r: {rate: 1}}\nevents:\n");
    assert_int_equal(crank_state_events(model).count, 0);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal_and_cartesian_coordinates_give_the_same_velocities),
        cmocka_unit_test(test_carried_accelerations_give_the_same_velocities),
        cmocka_unit_test(test_redundant_constraints_give_the_same_velocities),
        cmocka_unit_test(test_impacts_at_the_same_time_are_solved_together),
        cmocka_unit_test(test_an_impact_counts_relative_to_a_moving_obstacle),
        cmocka_unit_test(test_a_long_train_of_constraints_bounces_as_one),
        cmocka_unit_test(test_an_impact_that_constraints_forbid_is_refused),
        cmocka_unit_test(test_a_restitution_must_be_finite_and_not_negative),
        cmocka_unit_test(test_functions_are_those_of_the_file),
    };
    return CHECK_RUN(argc, argv, tests);
}
