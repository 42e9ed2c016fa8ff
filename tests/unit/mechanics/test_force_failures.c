/* test_force_failures.c - forces that have no value or no meaning are named, with a remedy. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "unit/mechanics/mechanism.h"

#include <math.h>

#define FREE_PLANAR                                                                            \
    "crank: mechanism\ndimension: 2\nbodies:\n"                                                \
    "  a: {mass: 2, inertia: 0.5, position: [3, 4], angle: 90 deg}\n"

static void a_spring_of_length_zero_is_named(void **state)
{
    (void)state;
    mechanism m;
    double k[MECHANISM_MAX];
    mechanism_begin(&m, FREE_PLANAR "forces: {f: {type: spring, between: [ground, a], at: [[0, "
                                    "0], [3, 4]], stiffness: 10, length: 3}}\n");
    m.x[mechanism_column(&m, "body.a.x")] = 0.0;
    m.x[mechanism_column(&m, "body.a.y")] = 0.0;
    CHECK_STATUS(crank_eom_evaluate(m.eom, 1.5, m.x, k, &m.err), CRANK_RETRY);
    assert_string_equal(m.err.text, "force \"f\": a value is not finite at t = 1.5");
    mechanism_end(&m);
}

/* hypot(0, 0) is fine, its derivatives are not */
static void a_force_without_derivatives_is_named(void **state)
{
    (void)state;
    mechanism m;
    double values[10 * MECHANISM_MAX];
    CHECK_OK(mechanism_try(&m, FREE_PLANAR
                           "forces:\n"
                           "  e: {type: force, body: a, force: [1, 2]}\n"
                           "  f: {type: force, body: a, force: [0, 'hypot(body.a.vx, "
                           "body.a.vy)']}\n"),
             m.err);
    m.eom = crank_state_eom(m.model);
    CHECK_STATUS(crank_eom_evaluate_jacobian(m.eom, 0.0, crank_state_start(m.model), NULL,
                                             values, &m.err),
                 CRANK_RETRY);
    assert_non_null(strstr(m.err.text, "force \"f\": the derivative of dynamic equation of "
                                       "body.a."));
    assert_non_null(strstr(m.err.text, "is not finite at t = 0; roots, hypot and atan2 of "
                                       "zeros have none"));
    assert_int_equal(m.err.line, 7);
    mechanism_end(&m);
}

static void forces_near_their_poles_are_named_with_the_distance(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, FREE_PLANAR "forces: {f: {type: spring, between: [ground, a], at: [[0, "
                                    "0], [3, 4]], stiffness: 10, length: 3}}\n");
    const int x = mechanism_column(&m, "body.a.x"), y = mechanism_column(&m, "body.a.y");
    CHECK_OK(crank_eom_find_pole(m.eom, 1.5, m.x, &m.err), m.err);
    m.x[x] = 3e-6;
    m.x[y] = -4e-6;
    CHECK_STATUS(crank_eom_find_pole(m.eom, 1.5, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    assert_string_equal(m.err.text,
                        "force \"f\": no step succeeds at t = 1.5, 5e-06 from where "
                        "its ends meet and it has no direction");
    mechanism_end(&m);
    /* without rest length and damping the force is a product of the distance: no pole */
    mechanism_begin(&m, FREE_PLANAR "forces: {f: {type: spring, between: [ground, a], at: [[0, "
                                    "0], [3, 4]], stiffness: 10, length: 0}}\n");
    m.x[x] = m.x[y] = 0.0;
    CHECK_OK(crank_eom_find_pole(m.eom, 1.5, m.x, &m.err), m.err);
    mechanism_end(&m);
    mechanism_begin(&m, "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                        "forces: {f: {type: torsion, between: [ground, a], axis: [0, 0, 1],"
                        " stiffness: 3}}\n");
    m.x[mechanism_column(&m, "body.a.q0")] = sin(1e-4); /* turned by pi - 2e-4 about x */
    m.x[mechanism_column(&m, "body.a.q1")] = cos(1e-4);
    CHECK_STATUS(crank_eom_find_pole(m.eom, 0.0, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    assert_string_equal(
        m.err.text, "force \"f\": no step succeeds at t = 0, 0.0002 from half a turn across "
                    "its axis, where its angle has no value and its torque no bound");
    /* a step from there to the other side; the angle's sine and cosine are the same */
    CHECK_OK(crank_eom_accepted(m.eom, 0.0, m.x, &m.err), m.err);
    m.x[mechanism_column(&m, "body.a.q0")] = -sin(1e-4);
    CHECK_STATUS(crank_eom_accepted(m.eom, 0.5, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    assert_string_equal(
        m.err.text, "force \"f\": at t = 0.5 the motion is led across half a turn across its "
                    "axis, where its angle has no value and its torque no bound");
    m.x[mechanism_column(&m, "body.a.q0")] = sin(1e-8); /* no digit of the angle is left */
    CHECK_STATUS(crank_eom_accepted(m.eom, 0.5, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    assert_non_null(strstr(m.err.text, "at t = 0.5 the motion reaches half a turn"));
    m.x[mechanism_column(&m, "body.a.q0")] = 0.0; /* half a turn about the axis itself */
    m.x[mechanism_column(&m, "body.a.q1")] = 0.0;
    m.x[mechanism_column(&m, "body.a.q3")] = 1.0;
    CHECK_OK(crank_eom_find_pole(m.eom, 0.0, m.x, &m.err), m.err);
    mechanism_end(&m);
}

static void refuse(const char *text, int line, const char *message)
{
    mechanism m;
    const crank_status status = mechanism_try(&m, text);
    if (status == CRANK_OK) {
        print_error("accepted:\n%s", text);
    }
    CHECK_STATUS(status, CRANK_EMODEL);
    if (strcmp(m.err.text, message) != 0 || m.err.line != line) {
        print_error("expected %d: %s\ngot      %d: %s\n", line, message, m.err.line,
                    m.err.text);
        fail();
    }
}

static void wrong_forces_are_refused_with_a_remedy(void **state)
{
    (void)state;
#define BODIES                                                                                 \
    "crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}, c: {type: point, "     \
    "mass: 1}}\njoints: {j: {type: revolute, between: [ground, a], at: [0, 0]}}\n"
    refuse(BODIES "forces: {f: {type: spring, between: [ground, a], at: [[1, 0], [0, 0]]}}\n",
           5, "force \"f\": one of \"stiffness\", \"law\", \"table\" is missing");
    refuse(BODIES "forces: {f: {type: spring, between: [ground, a], at: [[1, 0], [0, 0]], "
                  "stiffness: 1, law: length}}\n",
           5, "force \"f\": both \"stiffness\" and \"law\" are given, only one is possible");
    refuse(BODIES "forces: {f: {type: spring, between: [ground, a], at: [[1, 0], [0, 0]], "
                  "stiffness: 1, damping: -1}}\n",
           5, "force \"f\": damping is -1, must be zero or more");
    refuse(
        BODIES "forces: {f: {type: torque, body: c, torque: 1}}\n", 5,
        "force \"f\": body \"c\" is a point, which has no rotation; \"type: rigid\" has one");
    refuse(BODIES "forces: {f: {type: force, body: a, force: [1, 2, 3]}}\n", 5,
           "force \"f\": 3 components where 2 are expected");
    refuse(
        BODIES "forces: {f: {type: friction, joint: j, coefficient: 0.1, slip: 1}}\n", 5,
        "force \"f\": \"radius\" is missing: friction under load of an angle needs the radius "
        "of the bearing");
    refuse(BODIES "forces: {f: {type: actuator, joint: j, kp: 1}}\n", 5,
           "force \"f\": \"kp\" belongs to a controller, which needs \"reference\"");
    refuse(BODIES
           "forces: {f: {type: actuator, joint: j, reference: 1, kd: 1, of: body.a.ax}}\n",
           5,
           "force \"f\": an expression must be differentiated by time that contains an "
           "acceleration, an auxiliary variable or a constraint force");
    refuse(BODIES "forces: {f: {type: actuator, joint: j, reference: 1}}\n", 5,
           "force \"f\": a controller needs \"kp\", \"ki\" or \"kd\"");
    refuse(BODIES "forces: {f: {type: torsion, joint: j, axis: [1, 0], stiffness: 1}}\n", 5,
           "force \"f\": \"axis\" is only for \"between\" in models of dimension 3");
    refuse(BODIES "forces: {f: {type: torsion, joint: j, law: angle, angle: 1}}\n", 5,
           "force \"f\": \"angle\" is only for \"stiffness\"");
    refuse(BODIES
           "forces: {f: {type: torsion, between: [ground, a], damping: 1, preload: 1}}\n",
           5, "force \"f\": \"preload\" is only for \"stiffness\"");
    refuse(BODIES
           "forces: {f: {type: bushing, between: [ground, a], at: [0, 0], stiffness: [1, 1, "
           "1], preload: 3}}\n",
           5, "force \"f\": 1 entry where 3 are expected, [x, y, angle]");
    refuse(BODIES
           "forces: {f: {type: actuator, between: [ground, a], at: [[0, 0], [1, 0]], command: "
           "1, saturation: sharp}}\n",
           5, "force \"f\": \"saturation\" is only for \"limit\"");
    refuse(BODIES
           "forces: {f: {type: tyre, body: a, stiffness: 1, lift: false, smoothing: 1}}\n",
           5, "force \"f\": \"smoothing\" is only for \"lift: true\"");
    refuse("crank: mechanism\ndimension: 2\nbodies: {c: {type: point, mass: 1}}\n"
           "forces: {f: {type: tyre, body: c, stiffness: 1, lift: true}}\n",
           4,
           "force \"f\": \"smoothing\" is missing: without weight, radius and other bodies "
           "nothing "
           "tells over which deflection contact begins");
    refuse(BODIES "forces: {f: {type: tyre, body: a, stiffness: 1, road: y}}\n", 5,
           "force \"f\": \"y\" has no meaning here");
    refuse(
        BODIES "forces: {f: {type: torsion, joint: j, coordinate: angle2, stiffness: 1}}\n", 5,
        "force \"f\": joint \"j\" (revolute) has no coordinate \"angle2\"; it has \"angle\"");
    refuse(BODIES
           "forces: {f: {type: bushing, between: [a, c], at: [0, 0], stiffness: [1, 1]}}\n",
           5, "force \"f\": 2 entries where 3 are expected, [x, y, angle]");
    refuse(BODIES "forces: {f: {type: force, body: a, force: [joint.j.angel, 0]}}\n", 5,
           "force \"f\": joint \"j\" has no quantity \"angel\"; did you mean \"angle\"?");
    refuse(BODIES "forces: {f: {type: force, body: a, force: [body.a.q0, 0]}}\n", 5,
           "force \"f\": body \"a\" has no quantity \"q0\"; it has x, y, angle, vx, vy, rate, "
           "ax, ay, angle_acceleration");
}

/* Slip forces of a tyre: what they need, and where they make no sense. */
static void slip_of_a_tyre_that_cannot_be_is_refused(void **state)
{
    (void)state;
#define WHEEL                                                                                  \
    "crank: mechanism\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"                           \
    "forces: {f: {type: tyre, body: a, stiffness: 1, smoothing: 1, radius: 1, "
#define SLIP "axis: [0, 1, 0], friction: 1, cornering: 9, relaxation: 1"
    refuse(WHEEL "friction: 1}}\n", 3, "force \"f\": \"friction\" is only for \"axis\"");
    refuse(WHEEL "axis: [0, 1, 0], friction: 1, cornering: 9}}\n", 3,
           "force \"f\": \"relaxation\" is missing: slip forces need it");
    refuse(WHEEL SLIP "}}\n", 3,
           "force \"f\": \"slow\" is missing: without gravity nothing tells which "
           "speed of travel is slow");
    refuse(WHEEL SLIP ", slow: 1, shape: 2.5}}\n", 3,
           "force \"f\": shape is 2.5, must be from 1 to 2");
    refuse(WHEEL SLIP ", slow: 1, traction_relaxation: 1}}\n", 3,
           "force \"f\": \"traction_relaxation\" is only for \"traction\"");
    refuse(
        "crank: mechanism\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
        "forces: {f: {type: tyre, body: a, stiffness: 1, radius: 1, lift: false, slow: 1, " SLIP
        "}}\n",
        3, "force \"f\": \"axis\" is only for \"lift: true\"");
    refuse(
        "crank: mechanism\nbodies: {a: {type: point, mass: 1}}\n"
        "forces: {f: {type: tyre, body: a, stiffness: 1, smoothing: 1, radius: 1, slow: "
        "1, " SLIP "}}\n",
        3,
        "force \"f\": body \"a\" is a point, which has no rotation; \"type: rigid\" has one");
#undef WHEEL
#undef SLIP
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_of_length_zero_is_named),
        cmocka_unit_test(a_force_without_derivatives_is_named),
        cmocka_unit_test(forces_near_their_poles_are_named_with_the_distance),
        cmocka_unit_test(wrong_forces_are_refused_with_a_remedy),
        cmocka_unit_test(slip_of_a_tyre_that_cannot_be_is_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
