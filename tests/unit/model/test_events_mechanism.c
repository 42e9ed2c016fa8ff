/* test_events_mechanism.c - events of mechanisms at a state: impulses against formulas of rigid
 * bodies, momentum of the whole, redundant joints, parameters in laws. */
// SPDX-License-Identifier: BSD-3-Clause
#include "apply_events.h"
#include "one_state.h"

#include <stdio.h>

static const double round_off = 1e-13;

static double column(crank_state *model, const double *x, const char *name)
{
    const int count = crank_model_column_count(crank_state_model(model));
    double *values = calloc((size_t)count + 1, sizeof *values);
    double found = NAN;
    crank_error err = {0};
    assert_non_null(values);
    CHECK_OK(crank_state_columns(model, 0.0, x, values, &err), err);
    for (int i = 0; i < count; i++) {
        found = strcmp(crank_model_column_name(crank_state_model(model), i), name) == 0
                    ? values[i]
                    : found;
    }
    free(values);
    return found;
}

static void test_the_momentum_of_two_sliders_that_meet_stays(void **state)
{
    (void)state;
    crank_state *model = read_model(
        "crank: mechanism\n"
        "dimension: 2\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: 0.1, velocity: [3, 0]}\n"
        "  b: {mass: 5, inertia: 0.1, position: [1, 0], velocity: [-1, 0]}\n"
        "joints:\n"
        "  one: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}\n"
        "  two: {type: prismatic, between: [ground, b], at: [1, 0], axis: [1, 0]}\n"
        "events: {hit: {when: body.b.x - body.a.x - 0.2, actions: {impact: 0.6}}}\n");
    const signed char happened[] = {-1};
    double *x = start_of(model);
    (void)apply(model, happened, 0.0, x);
    const double a = column(model, x, "body.a.vx"), b = column(model, x, "body.b.vx");
    CHECK_NEAR(2.0 * a + 5.0 * b, 1.0, 10.0 * round_off);
    CHECK_NEAR(b - a, 0.6 * 4.0, round_off);
    CHECK_NEAR(column(model, x, "body.a.vy"), 0.0, round_off);
    CHECK_NEAR(column(model, x, "body.a.rate"), 0.0, round_off);
    check_residuals(model, 0.0, x);
    free(x);
    one_state_close(model);
}

/* Wheels on one axis, a with a rotor of 0.05*4^2 = 0.8 to the ground, b on a with one of 0.5.
 * Where a is stopped, what b has of momentum along the angle between them stays; where a meets
 * a stop that it rebounds from, the same. */
static void test_rotors_have_their_part_in_impacts(void **state)
{
    (void)state;
    static const double restitution[] = {0.0, 0.6};
    for (int i = 0; i < 2; i++) {
        char text[800];
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, -3]}\n"
            "  b: {mass: 1, inertia: [1, 1, 1.5], angular_velocity: [0, 0, -1]}\n"
            "joints:\n"
            "  h: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, "
            "1], rotor: {inertia: 0.05, ratio: 4}}\n"
            "  k: {type: revolute, between: [a, b], at: [0, 0, 0], axis: [0, 0, 1], "
            "rotor: 0.5}\n"
            "events: {hit: {when: joint.h.angle, actions: {impact: %g}}}\n",
            restitution[i]);
        crank_state *model = read_model(text);
        const signed char happened[] = {-1};
        double *x = start_of(model);
        (void)apply(model, happened, 0.0, x);
        const double a = column(model, x, "joint.h.angle_rate"),
                     k = column(model, x, "joint.k.angle_rate");
        const double after = 1.5 * (a + k) + 0.5 * k, before = 1.5 * -1.0 + 0.5 * 2.0;
        CHECK_NEAR(a, 3.0 * restitution[i], 10.0 * round_off);
        CHECK_NEAR(after, before, 10.0 * round_off);
        check_residuals(model, 0.0, x);
        free(x);
        one_state_close(model);
    }
}

/* Two wheels on axes of their own, the first with a rotor of 3 beside 1: momenta 4 w1 + 2 w2 */
static void test_a_wheel_with_a_rotor_meets_another(void **state)
{
    (void)state;
    crank_state *model = read_model(
        "crank: mechanism\n"
        "dimension: 2\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, rate: 2}\n"
        "  b: {mass: 1, inertia: 2, position: [1, 0], rate: -1}\n"
        "joints:\n"
        "  h: {type: revolute, between: [ground, a], at: [0, 0], rotor: {inertia: 0.75, ratio: "
        "-2}}\n"
        "  k: {type: revolute, between: [ground, b], at: [1, 0]}\n"
        "events: {hit: {when: joint.k.angle - joint.h.angle, actions: {impact: 1}}}\n");
    const signed char happened[] = {-1};
    double *x = start_of(model);
    const double energy = column(model, x, "energy.kinetic");
    (void)apply(model, happened, 0.0, x);
    const double a = column(model, x, "body.a.rate"), b = column(model, x, "body.b.rate");
    CHECK_NEAR(4.0 * a + 2.0 * b, 6.0, 10.0 * round_off);
    CHECK_NEAR(b - a, 3.0, 10.0 * round_off);
    CHECK_NEAR(column(model, x, "energy.kinetic"), energy, 10.0 * round_off * energy);
    free(x);
    one_state_close(model);
}

/* A rod that falls onto its end, at distance a from its centre: the impulse J = -(1 + e) u /
 * (1/m + a^2/I) changes velocity by J/m and rate by a J/I, with u the velocity of the end. */
static void test_a_free_rod_hits_with_its_end(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: mechanism\n"
                   "dimension: 2\n"
                   "bodies: {rod: {mass: 3, inertia: 0.7, angle: 0.4, position: [1, 2], "
                   "velocity: [0.5, -2], rate: 1.5}}\n"
                   "events: {floor: {when: body.rod.y - 0.9*sin(body.rod.angle), actions: "
                   "{impact: 0.3}}}\n");
    const signed char happened[] = {-1};
    double *x = start_of(model);
    const double a = -0.9 * cos(0.4), u = -2.0 + a * 1.5;
    const double J = -1.3 * u / (1.0 / 3.0 + a * a / 0.7);
    (void)apply(model, happened, 0.0, x);
    CHECK_NEAR(column(model, x, "body.rod.vx"), 0.5, round_off);
    CHECK_NEAR(column(model, x, "body.rod.vy"), -2.0 + J / 3.0, round_off);
    CHECK_NEAR(column(model, x, "body.rod.rate"), 1.5 + a * J / 0.7, round_off);
    free(x);
    one_state_close(model);
}

/* A mass on a hinge, without inertia about its centre, in units of length in which the arm is a
 * million: its rate is reversed. */
static void test_a_pendulum_without_inertia_hits_in_any_units(void **state)
{
    (void)state;
    static const double arms[] = {1.0, 1e6, 1e-6};
    for (int i = 0; i < 3; i++) {
        char text[400];
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\n"
            "dimension: 2\n"
            "bodies: {bob: {mass: 2, inertia: 0, position: [%.17g, 0], velocity: [0, "
            "%.17g], rate: -3}}\n"
            "joints: {hinge: {type: revolute, between: [ground, bob], at: [0, 0]}}\n"
            "events: {stop: {when: joint.hinge.angle, actions: {impact: 0.75}}}\n",
            arms[i], -3.0 * arms[i]);
        crank_state *model = read_model(text);
        const signed char happened[] = {-1};
        double *x = start_of(model);
        (void)apply(model, happened, 0.0, x);
        CHECK_NEAR(column(model, x, "body.bob.rate"), 2.25, 10.0 * round_off);
        CHECK_NEAR(column(model, x, "body.bob.vy"), 2.25 * arms[i], 10.0 * round_off * arms[i]);
        free(x);
        one_state_close(model);
    }
}

/* The same in space: turned by a quaternion, origin away from the centre of mass. One degree of
 * freedom is left by two hinges of which one is redundant: whatever the impulse, the rate of
 * the handle is reversed, and the hinges hold. */
static void test_a_door_on_two_hinges_hits_the_wall(void **state)
{
    (void)state;
    crank_state *model = read_model(
        "crank: mechanism\n"
        "bodies:\n"
        "  door:\n"
        "    mass: 20\n"
        "    inertia: [3, 2, 1.5]\n"
        "    center: [0.4, 0, 1]\n"
        "    orientation: {axis: [0, 0, 1], angle: 0.3}\n"
        "    angular_velocity: [0, 0, -1.2]\n"
        "joints:\n"
        "  low: {type: revolute, between: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1]}\n"
        "  high: {type: revolute, between: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}\n"
        "events:\n"
        "  wall: {when: joint.low.angle - 0.3, actions: {impact: 0.25}}\n"
        "  push: {when: t - 1, actions: {reset: {joint.high.angle_rate: 2}}}\n");
    const signed char wall[] = {-1, 0}, push[] = {0, 1};
    double *x = start_of(model);
    crank_error err = {0};
    crank_initial_options options = crank_initial_options_default();
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, NULL,
                                  (crank_log){0}, &err),
             err);
    CHECK_NEAR(column(model, x, "body.door.wz"), -1.2, 1e-12);
    (void)apply(model, wall, 0.0, x);
    CHECK_NEAR(column(model, x, "body.door.wz"), 0.3, 1e-12);
    check_residuals(model, 0.0, x);
    (void)apply(model, push, 0.0, x);
    CHECK_NEAR(column(model, x, "body.door.wz"), 2.0, 1e-12);
    CHECK_NEAR(column(model, x, "body.door.vx"), 0.0, 1e-12); /* of the hinge */
    check_residuals(model, 0.0, x);
    free(x);
    one_state_close(model);
}

static void test_a_parameter_in_a_law_and_variables_are_switched(void **state)
{
    (void)state;
    crank_state *model = read_model(
        "crank: mechanism\n"
        "dimension: 2\n"
        "parameters: {k: 10, rest: 0.5, half: k/2}\n"
        "bodies: {a: {type: point, mass: 2, position: [rest + 1, 0]}}\n"
        "forces: {s: {type: spring, between: [ground, a], at: [[0, 0], [1.5, 0]], law: "
        "half*(length - 0.5)}}\n"
        "dynamic: {wear: {start: k, rate: 1}}\n"
        "events: {soft: {when: body.a.vx, actions: {set: {k: 4}, reset: {wear: wear + "
        "k}}}}\n");
    const signed char happened[] = {1};
    double *x = start_of(model);
    crank_error err = {0};
    CHECK_NEAR(column(model, x, "force.s.force"), 5.0, round_off);
    CHECK_NEAR(column(model, x, "wear"), 10.0, 0.0);
    const crank_event_outcome outcome = apply(model, happened, 0.0, x);
    CHECK_NEAR(column(model, x, "force.s.force"), 2.0, round_off);
    CHECK_NEAR(column(model, x, "wear"), 20.0, 0.0);
    assert_string_equal(outcome.text, "event \"soft\": k = 4, wear = 20");
    check_residuals(model, 0.0, x); /* the acceleration follows the new force */
    CHECK_OK(crank_state_begin(model, 0.0, x, &err), err);
    CHECK_NEAR(column(model, x, "force.s.force"), 5.0, round_off);
    free(x);
    one_state_close(model);
}

static void test_events_are_repeated_with_their_bodies(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: mechanism\n"
                   "dimension: 2\n"
                   "parameters: {e: 0.5}\n"
                   "repeat:\n"
                   "  count: 3\n"
                   "  bodies:\n"
                   "    b{i}: {type: point, mass: i, position: [i, 0], velocity: [0, -i]}\n"
                   "  events:\n"
                   "    floor{i}:\n"
                   "      when: body.b{i}.y\n"
                   "      direction: falling\n"
                   "      actions: {impact: e*i}\n");
    const crank_events events = crank_state_events(model);
    const signed char happened[] = {0, -1, -1};
    double *x = start_of(model);
    assert_int_equal(events.count, 3);
    assert_string_equal(events.name[2], "floor3");
    (void)apply(model, happened, 0.0, x);
    CHECK_NEAR(column(model, x, "body.b1.vy"), -1.0, 0.0);
    CHECK_NEAR(column(model, x, "body.b2.vy"), 2.0, round_off);
    CHECK_NEAR(column(model, x, "body.b3.vy"), 4.5, round_off);
    free(x);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_momentum_of_two_sliders_that_meet_stays),
        cmocka_unit_test(test_rotors_have_their_part_in_impacts),
        cmocka_unit_test(test_a_wheel_with_a_rotor_meets_another),
        cmocka_unit_test(test_a_free_rod_hits_with_its_end),
        cmocka_unit_test(test_a_pendulum_without_inertia_hits_in_any_units),
        cmocka_unit_test(test_a_door_on_two_hinges_hits_the_wall),
        cmocka_unit_test(test_a_parameter_in_a_law_and_variables_are_switched),
        cmocka_unit_test(test_events_are_repeated_with_their_bodies),
    };
    return CHECK_RUN(argc, argv, tests);
}
