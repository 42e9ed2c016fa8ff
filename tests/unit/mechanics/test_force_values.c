/* test_force_values.c - forces whose values can be worked out by hand. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "unit/mechanics/mechanism.h"

#include <float.h>
#include <math.h>

#define FREE_PLANAR                                                                            \
    "crank: mechanism\ndimension: 2\nbodies:\n"                                                \
    "  a: {mass: 2, inertia: 0.5, position: [3, 4], angle: 90 deg}\n"
#define FREE_SPATIAL                                                                           \
    "crank: mechanism\nbodies:\n"                                                              \
    "  a: {mass: 2, inertia: [1, 2, 2.5], position: [0, 3, 4], orientation: {axis: [0, 0, 1]," \
    " angle: 90 deg}}\n"

static double acceleration(mechanism *m, const char *of)
{
    char name[80];
    (void)snprintf(name, sizeof name, "acceleration.body.a.%s", of);
    return m->x[mechanism_column(m, name)];
}

static void a_spring_pulls_along_its_line(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, FREE_PLANAR "forces: {f: {type: spring, between: [ground, a], at: [[0, "
                                    "0], [3, 4]], stiffness: 10, length: 3}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.length"), 5.0, 1e-14);
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 20.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "vx"), -6.0, 1e-13); /* 20 * 3/5 / 2 */
    CHECK_NEAR(acceleration(&m, "vy"), -8.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "rate"), 0.0, 1e-13);
    CHECK_NEAR(mechanism_value(&m, "energy.potential"), 20.0, 1e-13); /* 10/2 * 2^2 */
    mechanism_end(&m);

    mechanism_begin(&m, FREE_SPATIAL
                    "forces: {f: {type: spring, between: [ground, a], at: [[0, 0, 0], [0, 3, "
                    "4]], law: 2*length}}\n");
    CHECK_NEAR(acceleration(&m, "vx"), 0.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "vy"), -3.0, 1e-13); /* 10 * 3/5 / 2 */
    CHECK_NEAR(acceleration(&m, "vz"), -4.0, 1e-13);
    mechanism_end(&m);

    /* rest length zero: harmless where its ends meet */
    mechanism_begin(&m, FREE_PLANAR "forces: {f: {type: spring, between: [ground, a], at: [[3, "
                                    "4], [3, 4]], stiffness: 10, length: 0}}\n");
    CHECK_NEAR(acceleration(&m, "vx"), 0.0, 0.0);
    mechanism_end(&m);
}

static void forces_and_torques_act_in_the_axes_asked_for(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, FREE_PLANAR "forces:\n"
                                    "  f: {type: force, body: a, at: [3, 5], force: [4, 0]}\n"
                                    "  g: {type: force, body: a, force: [6, 0], axes: body}\n"
                                    "  h: {type: torque, body: a, torque: 7}\n");
    CHECK_NEAR(acceleration(&m, "vx"), 2.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "vy"), 3.0, 1e-13); /* body x points to world y */
    CHECK_NEAR(acceleration(&m, "rate"), (7.0 - 4.0) / 0.5, 1e-13);
    CHECK_NEAR(mechanism_value(&m, "force.g.fx"), 6.0, 0.0);
    mechanism_end(&m);

    mechanism_begin(&m, FREE_SPATIAL
                    "forces:\n"
                    "  f: {type: force, body: a, local: [0, 0, 2], force: [0, 6, 0]}\n"
                    "  g: {type: torque, body: a, torque: [4, 0, 0]}\n"
                    "  h: {type: torque, body: a, torque: [0, 5, 0], axes: body}\n");
    CHECK_NEAR(acceleration(&m, "vy"), 3.0, 1e-13);
    /* world x is body -y: (-12 + 4) about world x is 8 about body y */
    CHECK_NEAR(acceleration(&m, "omega_x"), 0.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "omega_y"), (8.0 + 5.0) / 2.0, 1e-13);
    CHECK_NEAR(acceleration(&m, "omega_z"), 0.0, 1e-13);
    mechanism_end(&m);
}

static void torsion_turns_back(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m,
                    FREE_PLANAR "joints: {j: {type: revolute, between: [ground, a], at: "
                                "[3, 4]}}\n"
                                "forces: {f: {type: torsion, joint: j, stiffness: 3, angle: "
                                "-0.5}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.torque"), 1.5, 1e-14);
    CHECK_NEAR(acceleration(&m, "rate"), -3.0, 1e-13);
    mechanism_end(&m);
    mechanism_begin(&m, FREE_SPATIAL "forces: {f: {type: torsion, between: [ground, a], axis: "
                                     "[0, 0, 1], stiffness: 3, angle: 0.5}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.angle"), 0.0, 1e-14);
    CHECK_NEAR(acceleration(&m, "omega_z"), 1.5 / 2.5, 1e-13);
    mechanism_end(&m);
}

static void the_angle_about_an_axis_is_that_of_the_quaternion(void **state)
{
    (void)state;
    /* of a rotation about any other axis, too: 2 atan(q.n/q0), whichever axes across n are
     * used */
    mechanism m;
    random_source r = {12};
    mechanism_begin(&m, "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                        "forces: {f: {type: torsion, between: [ground, a], axis: [1, 2, 2],"
                        " stiffness: 3}}\n");
    for (int i = 0; i < 50; i++) {
        mechanism_random(&m, &r);
        const double *q = m.x + mechanism_column(&m, "body.a.q0");
        const double angle = 2.0 * atan2((q[1] + 2.0 * q[2] + 2.0 * q[3]) / 3.0, q[0]);
        const double found = mechanism_value(&m, "force.f.angle");
        CHECK_NEAR(sin(0.5 * (found - angle)), 0.0, 1e-13); /* up to whole turns */
    }
    mechanism_end(&m);
}

static void the_rate_about_an_axis_keeps_its_digits_near_half_a_turn_across_it(void **state)
{
    (void)state;
    /* turned by pi - 2 d about x, turning by 1 about y: with the axis z the sum s of both axes
     * is 2 sin d (0, -cos d, sin d), so that the rate is -cot d. A last digit of the quaternion
     * is eps/d of s, and of the rate. */
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                        "forces: {f: {type: torsion, between: [ground, a], axis: [0, 0, 1],"
                        " damping: 3}}\n");
    for (double d = 0.5; d > 1e-7; d *= 0.1) {
        m.x[mechanism_column(&m, "body.a.q0")] = sin(d);
        m.x[mechanism_column(&m, "body.a.q1")] = cos(d);
        m.x[mechanism_column(&m, "body.a.omega_y")] = -cos(2.0 * d);
        m.x[mechanism_column(&m, "body.a.omega_z")] = -sin(2.0 * d);
        const double limit = 8.0 * DBL_EPSILON / d;
        CHECK_NEAR(mechanism_value(&m, "force.f.angle_rate") * tan(d), -1.0, limit);
        CHECK_NEAR(mechanism_value(&m, "force.f.torque") * tan(d), -3.0, 3.0 * limit);
    }
    mechanism_end(&m);
}

static void a_bushing_measures_in_its_own_axes(void **state)
{
    (void)state;
    /* axes turned by 30 degrees about z; the body then moved along x and turned by 0.4 about
     * z */
    static const char *const name[6] = {"force.f.x",  "force.f.y",  "force.f.z",
                                        "force.f.rx", "force.f.ry", "force.f.rz"};
    const double value[6] = {0.2 * sqrt(0.75), -0.1, 0.0, 0.0, 0.0, 0.4};
    double energy = 0.0;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\n"
                        "forces: {f: {type: bushing, between: [ground, a], at: [0, 0, 0],"
                        " orientation: {axis: [0, 0, 1], angle: 30 deg},"
                        " stiffness: [1, 2, 3, 4, 5, 6]}}\n");
    m.x[mechanism_column(&m, "body.a.x")] = 0.2;
    m.x[mechanism_column(&m, "body.a.q0")] = cos(0.2);
    m.x[mechanism_column(&m, "body.a.q3")] = sin(0.2);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(mechanism_value(&m, name[i]), value[i], 1e-14);
        energy += 0.5 * (i + 1) * value[i] * value[i];
    }
    CHECK_NEAR(mechanism_value(&m, "energy.potential"), energy, 1e-14);
    mechanism_end(&m);
}

static void what_is_not_given_has_its_documented_value(void **state)
{
    (void)state;
    mechanism m;
    /* at 10 slip the static part of friction has fallen to 1/e */
    mechanism_begin(
        &m, "crank: mechanism\ndimension: 2\nbodies: {a: {mass: 2, inertia: 1, rate: 2}}\n"
            "joints: {j: {type: revolute, between: [ground, a], at: [0, 0]}}\n"
            "forces: {f: {type: friction, joint: j, level: 3, static: 4, slip: 0.2}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.torque"), (3.0 + exp(-1.0)) * tanh(10.0), 1e-13);
    mechanism_end(&m);
    /* the filter of a controller starts at the difference: no kick */
    mechanism_begin(&m, FREE_PLANAR
                    "joints: {j: {type: revolute, between: [ground, a], at: [3, 4]}}\n"
                    "forces: {f: {type: actuator, joint: j, reference: 2, kp: 5, kd: 3,"
                    " filter: 0.1}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.filter"), 2.0, 1e-14);
    CHECK_NEAR(mechanism_value(&m, "force.f.torque"), 10.0, 1e-13);
    mechanism_end(&m);
}

static void friction_under_load_follows_the_normal_force(void **state)
{
    (void)state;
    /* a block slides down a slope of 30 degrees: a = g (sin - mu cos) */
    mechanism m;
    mechanism_begin(&m,
                    "crank: mechanism\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
                    "  a: {mass: 2, inertia: 1, velocity: [-sqrt(3), -1]}\n"
                    "joints: {j: {type: prismatic, between: [ground, a], at: [0, 0], axis: "
                    "[sqrt(3), 1]}}\n"
                    "forces: {f: {type: friction, joint: j, coefficient: 0.2, slip: 0.01}}\n");
    const double across = sqrt(3.0) / 2.0;
    const double a = -10.0 * (0.5 - 0.2 * across);
    CHECK_NEAR(mechanism_value(&m, "force.f.load"), 20.0 * across, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), -4.0 * across, 1e-12);
    CHECK_NEAR(acceleration(&m, "vx"), a * across, 1e-12);
    CHECK_NEAR(acceleration(&m, "vy"), a * 0.5, 1e-12);
    mechanism_end(&m);

    /* a bearing that carries a weight: torque mu r N, static level at small rates */
    mechanism_begin(&m, "crank: mechanism\ngravity: [0, 0, -10]\nbodies:\n"
                        "  a: {mass: 2, inertia: [1, 1, 1], angular_velocity: [0, 3, 0]}\n"
                        "joints: {j: {type: revolute, between: [ground, a], at: [0, 0, 0], "
                        "axis: [0, 1, 0]}}\n"
                        "forces: {f: {type: friction, joint: j, coefficient: 0.2, radius: 0.1, "
                        "slip: 1e-3, static: 0.5, stribeck: 3}}\n");
    CHECK_NEAR(acceleration(&m, "omega_y"), -(0.2 + 0.3 * exp(-1.0)) * 0.1 * 20.0, 1e-12);
    mechanism_end(&m);
}

static void a_tyre_pushes_and_never_pulls(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m,
                    FREE_PLANAR "forces: {f: {type: tyre, body: a, stiffness: 100, damping: "
                                "5, radius: 0.5, road: '4 + x - 3'}}\n");
    const int y = mechanism_column(&m, "body.a.y");
    const int vy = mechanism_column(&m, "body.a.vy");
    CHECK_NEAR(mechanism_value(&m, "force.f.deflection"), 0.5, 1e-14);
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 50.0, 50.0 * 2e-6); /* rounded by 1e-6 */
    m.x[vy] = 20.0; /* leaves faster than the damper allows: 50 - 5*20 < 0 */
    assert_true(mechanism_value(&m, "force.f.force") > 0.0);
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 0.0, 1e-3);
    m.x[vy] = -20.0;
    m.x[y] += 1.0; /* in the air */
    assert_true(mechanism_value(&m, "force.f.force") >= 0.0);
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 0.0, 1e-5);
    mechanism_end(&m);
    mechanism_begin(&m,
                    FREE_PLANAR "forces: {f: {type: tyre, body: a, stiffness: 100, damping: "
                                "5, radius: 0.5, road: '4 + x - 3', lift: false}}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 50.0, 1e-12); /* and this one does pull */
    m.x[vy] = -20.0;
    m.x[y] += 3.0;
    CHECK_NEAR(mechanism_value(&m, "force.f.force"), 100.0 * (0.5 - 3.0) + 5.0 * 20.0, 1e-11);
    mechanism_end(&m);
}

/* Without weight the corner of contact is rounded over 1e-4 radii, whatever the units: at no
 * deflection p is half of that. */
static void contact_of_a_tyre_without_weight_begins_over_a_part_of_its_radius(void **state)
{
    (void)state;
    static const double lengths[] = {1.0, 1e6, 1e-3};
    for (int i = 0; i < 3; i++) {
        char text[300];
        mechanism m;
        (void)snprintf(text, sizeof text,
                       "crank: mechanism\ndimension: 2\n"
                       "bodies: {c: {type: point, mass: 1, position: [0, %.17g]}}\n"
                       "forces: {f: {type: tyre, body: c, stiffness: 7, lift: true, radius: "
                       "%.17g}}\n",
                       0.5 * lengths[i], 0.5 * lengths[i]);
        mechanism_begin(&m, text);
        const double expected = 7.0 * 0.5e-4 * 0.5 * lengths[i];
        CHECK_NEAR(mechanism_value(&m, "force.f.force"), expected, 1e-12 * expected);
        mechanism_end(&m);
    }
}

/* A wheel at its static deflection: the corner, rounded over 1e-3 of it, adds 1e-6/4 of the
 * weight, at any speed of travel and of rotation. */
static void the_force_of_a_tyre_does_not_depend_on_the_speed_of_travel(void **state)
{
    (void)state;
    static const double speeds[] = {0.0, 10.0, 300.0};
    for (int i = 0; i < 3; i++) {
        char text[400];
        mechanism m;
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\ngravity: [0, 0, -9.81]\n"
            "bodies: {w: {mass: 386, inertia: [1, 1, 1], velocity: [%g, 0, 0],\n"
            "  position: [0, 0, 0.31 - 386*9.81/220000], angular_velocity: [0, %g, 0]}}\n"
            "forces: {f: {type: tyre, body: w, stiffness: 220000, radius: 0.31,"
            " lift: true}}\n",
            speeds[i], speeds[i] / 0.31);
        mechanism_begin(&m, text);
        const double weight = 386.0 * 9.81;
        CHECK_NEAR(mechanism_value(&m, "force.f.force"), weight * (1.0 + 0.25e-6),
                   1e-11 * weight); /* fourth order of 1e-3, rounding of 0.31 - 0.017 */
        mechanism_end(&m);
    }
}

static void actuators_lag_and_saturate(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, FREE_PLANAR
                    "joints: {j: {type: revolute, between: [ground, a], at: [3, 4]}}\n"
                    "forces:\n"
                    "  f: {type: actuator, joint: j, command: 3, lag: 0.5}\n"
                    "  g: {type: actuator, joint: j, command: 100, limit: 7, saturation: "
                    "smooth}\n"
                    "  h: {type: actuator, joint: j, reference: 2, of: t, ki: 4, kp: 1}\n");
    CHECK_NEAR(mechanism_value(&m, "force.g.torque"), 7.0 * tanh(100.0 / 7.0), 1e-12);
    CHECK_NEAR(mechanism_value(&m, "force.h.torque"), 2.0, 1e-12);
    CHECK_NEAR(acceleration(&m, "rate"), (7.0 + 2.0) / 0.5, 1e-9);
    mechanism_run(&m, 0.5, 1e-10);
    CHECK_NEAR(mechanism_value(&m, "force.f.torque"), 3.0 * (1.0 - exp(-1.0)), 1e-8);
    CHECK_NEAR(m.x[mechanism_column(&m, "force.h.integral")], 1.0 - 0.125, 1e-9);
    CHECK_NEAR(mechanism_value(&m, "force.h.torque"), 1.5 + 4.0 * 0.875, 1e-8);
    mechanism_end(&m);
}

/* up to its limit a command passes as it is, beyond it the limit does */
static void sharp_limits_change_nothing_within_them(void **state)
{
    (void)state;
    static const double command[] = {-9.0, -7.0, -6.9, 0.0, 3.5, 6.99, 7.01, 100.0};
    for (int i = 0; i < (int)(sizeof command / sizeof command[0]); i++) {
        mechanism m;
        char text[800];
        (void)snprintf(text, sizeof text,
                       FREE_PLANAR "joints: {j: {type: revolute, between: [ground, a], at: [3, "
                                   "4]}}\n"
                                   "forces: {g: {type: actuator, joint: j, command: %g, limit: "
                                   "7}}\n",
                       command[i]);
        mechanism_begin(&m, text);
        CHECK_NEAR(mechanism_value(&m, "force.g.torque"), fmax(fmin(command[i], 7.0), -7.0),
                   1e-12);
        mechanism_end(&m);
    }
}

/* 1 kg, force 40 (1 - x) up to 5: by constant force to 1 - 5/40, then a harmonic motion about 1
 * until 1 + 5/40, by constant force again. By every kind of method steps find the corners. */
static void motions_with_a_sharp_limit_are_those_of_their_pieces(void **state)
{
    (void)state;
    static const char *const methods[] = {"psf-radau", "psf-bdf", "ggl-radau", "ode-dopri8",
                                          "ode-adams"};
    const double w = sqrt(40.0), near = 5.0 / 40.0, first = sqrt(2.0 * (1.0 - near) / 5.0);
    const double speed = 5.0 * first, inside = 2.0 * atan2(near, speed / w) / w, last = 0.2;
    for (int i = 0; i < 5; i++) {
        mechanism m;
        mechanism_begin(&m, "crank: mechanism\ndimension: 2\nbodies: {m: {mass: 1, inertia: "
                            "1}}\njoints: {s: {type: prismatic, between: [ground, m], at: [0, "
                            "0], axis: [1, 0]}}\nforces: {a: {type: actuator, joint: s, "
                            "reference: 1, kp: 40, limit: 5}}\n");
        mechanism_run_by(&m, methods[i], NULL, first + inside + last, 1e-9);
        /* two corners, each found as well as a step is: some hundred tolerances */
        CHECK_NEAR(mechanism_value(&m, "body.m.x"),
                   1.0 + near + speed * last - 2.5 * last * last, 1e-6);
        CHECK_NEAR(mechanism_value(&m, "body.m.vx"), speed - 5.0 * last, 1e-6);
        mechanism_end(&m);
    }
}

/* what hangs by its preload stays where it is placed, and the stiffness is that about there */
static void preload_carries_a_body_where_it_is_placed(void **state)
{
    (void)state;
#define HANGING                                                                                \
    "crank: mechanism\ngravity: [0, 0, -10]\nbodies: {m: {mass: 2, inertia: [1, 1, 1], "       \
    "velocity: [0, 0, %g]}}\n"                                                                 \
    "joints: {s: {type: prismatic, between: [ground, m], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    static const char *const force[] = {
        HANGING "forces: {f: {type: spring, between: [ground, m], at: [[0, 0, 1], [0, 0, 0]], "
                "stiffness: 32, preload: 20}}\n",
        HANGING "forces: {f: {type: spring, between: [ground, m], at: [[0, 0, -1], [0, 0, 0]], "
                "stiffness: 32, length: 0.5, preload: -36}}\n",
        HANGING "forces: {f: {type: bushing, between: [ground, m], at: [0, 0, 0], stiffness: "
                "[0, 0, 32, 0, 0, 0], preload: [0, 0, 20, 0, 0, 0]}}\n",
        HANGING "forces: {f: {type: bushing, between: [m, ground], at: [0, 0, 0], stiffness: "
                "[0, 0, 32, 0, 0, 0], preload: [0, 0, -20, 0, 0, 0]}}\n"};
    for (int i = 0; i < 8; i++) { /* at rest, and with 3 m/s: z = 3/4 sin 4t */
        mechanism m;
        char text[800];
        const double v = i < 4 ? 0.0 : 3.0;
        (void)snprintf(text, sizeof text, force[i % 4], v);
        mechanism_begin(&m, text);
        const double energy =
            mechanism_value(&m, "energy.kinetic") + mechanism_value(&m, "energy.potential");
        mechanism_run(&m, 0.3, 1e-10);
        CHECK_NEAR(mechanism_value(&m, "body.m.z"), v / 4.0 * sin(1.2), 1e-8);
        CHECK_NEAR(mechanism_value(&m, "energy.kinetic") +
                       mechanism_value(&m, "energy.potential"),
                   energy, 1e-7);
        mechanism_end(&m);
    }
}

/* 3 Nm against a growing angle, at the start; a bushing's is on its second body */
static void preload_turns(void **state)
{
    (void)state;
#define WHEEL  "crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 0.5}}\n"
#define HINGED "joints: {h: {type: revolute, between: [ground, a], at: [0, 0]}}\n"
    static const char *const force[] = {
        WHEEL HINGED "forces: {f: {type: torsion, joint: h, stiffness: 5, preload: 3}}\n",
        WHEEL "forces: {f: {type: bushing, between: [ground, a], at: [0, 0], stiffness: [1, 1, "
              "5], preload: [0, 0, -3]}}\n"};
    for (int i = 0; i < 2; i++) {
        mechanism m;
        mechanism_begin(&m, force[i]);
        CHECK_NEAR(acceleration(&m, "rate"), -6.0, 1e-12);
        CHECK_NEAR(mechanism_value(&m, i == 0 ? "force.f.torque" : "force.f.tz"),
                   i == 0 ? 3.0 : -3.0, 1e-12);
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_pulls_along_its_line),
        cmocka_unit_test(forces_and_torques_act_in_the_axes_asked_for),
        cmocka_unit_test(torsion_turns_back),
        cmocka_unit_test(the_rate_about_an_axis_keeps_its_digits_near_half_a_turn_across_it),
        cmocka_unit_test(a_bushing_measures_in_its_own_axes),
        cmocka_unit_test(what_is_not_given_has_its_documented_value),
        cmocka_unit_test(the_angle_about_an_axis_is_that_of_the_quaternion),
        cmocka_unit_test(friction_under_load_follows_the_normal_force),
        cmocka_unit_test(a_tyre_pushes_and_never_pulls),
        cmocka_unit_test(contact_of_a_tyre_without_weight_begins_over_a_part_of_its_radius),
        cmocka_unit_test(the_force_of_a_tyre_does_not_depend_on_the_speed_of_travel),
        cmocka_unit_test(actuators_lag_and_saturate),
        cmocka_unit_test(preload_carries_a_body_where_it_is_placed),
        cmocka_unit_test(preload_turns),
        cmocka_unit_test(sharp_limits_change_nothing_within_them),
        cmocka_unit_test(motions_with_a_sharp_limit_are_those_of_their_pieces),
    };
    return CHECK_RUN(argc, argv, tests);
}
