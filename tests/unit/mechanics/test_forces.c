/* test_forces.c - every type of force: derivatives at random states, the energy balance over a
 * run, and values that can be worked out by hand. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "unit/mechanics/mechanism.h"

#include <float.h>
#include <math.h>

#define PLANAR                                                                                 \
    "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nenergy: true\n"                      \
    "bodies:\n"                                                                                \
    "  a: {mass: 2, inertia: 0.3, center: [0.1, 0.05], position: [0.2, 0.4], angle: 0.3,"      \
    " velocity: [0.3, -0.2], rate: 0.7}\n"                                                     \
    "  b: {mass: 1.5, inertia: 0.2, position: [1.3, 0.6], angle: -0.4, velocity: [0, 0.5],"    \
    " rate: -0.3}\n"                                                                           \
    "  c: {type: point, mass: 0.7, position: [-0.8, 1.1]}\n"
#define SPATIAL                                                                                \
    "crank: mechanism\ngravity: [0, 0, -9.81]\nenergy: true\n"                                 \
    "bodies:\n"                                                                                \
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], center: [0.1, 0.05, -0.1],"                      \
    " position: [0.2, 0.4, 0.1], orientation: {axis: [1, 2, 3], angle: 0.5},"                  \
    " velocity: [0.3, -0.2, 0.1], angular_velocity: [0.4, -0.5, 0.6]}\n"                       \
    "  b: {mass: 1.5, inertia: [0.2, 0.2, 0.3], position: [1.3, 0.6, -0.2],"                   \
    " angular_velocity: [0.3, 0.2, -0.4]}\n"                                                   \
    "  c: {type: point, mass: 0.7, position: [-0.8, 1.1, 0.3]}\n"
#define HINGES                                                                                 \
    "joints:\n"                                                                                \
    "  hinge: {type: revolute, between: [ground, a], at: [0, 0]}\n"                            \
    "  slide: {type: prismatic, between: [ground, b], at: [1.3, 0.6], axis: [1, 0.5]}\n"
#define HINGES_3D                                                                              \
    "joints:\n"                                                                                \
    "  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0.1], axis: [0, 1, 0.2]}\n"    \
    "  slide: {type: prismatic, between: [ground, b], at: [1.3, 0.6, 0], axis: [1, 0.5, 1]}\n"

typedef struct sample {
    const char *name, *text;
    double balance; /* largest change of the energy balance in one second */
} sample;

static const sample samples[] = {
    {"force, planar",
     PLANAR "forces:\n"
            "  f: {type: force, body: a, at: [0.5, 0.9], force: [1 + t, 2*body.b.x]}\n"
            "  g: {type: force, body: a, local: [0.2, 0.1], force: [sin(t), body.a.rate],"
            " axes: body}\n"
            "  h: {type: force, body: c, force: [body.a.vx - body.c.vx, 3*body.a.angle]}\n",
     1e-7},
    {"force, spatial",
     SPATIAL "forces:\n"
             "  f: {type: force, body: a, at: [0.5, 0.9, 0], force: [1 + t, 2*body.b.x,"
             " body.a.vz]}\n"
             "  g: {type: force, body: a, local: [0.2, 0.1, -0.3], force: [sin(t),"
             " body.a.wx*body.b.wy, 1], axes: body}\n"
             "  h: {type: force, body: c, force: [0, body.b.ax, 0.2*body.a.dwz]}\n",
     1e-7},
    {"torque, planar",
     PLANAR "forces:\n"
            "  f: {type: torque, body: a, torque: cos(t) - body.a.rate}\n"
            "  g: {type: torque, between: [a, b], torque: [body.a.angle - body.b.angle]}\n",
     1e-7},
    {"torque, spatial",
     SPATIAL
     "forces:\n"
     "  f: {type: torque, body: a, torque: [cos(t), -body.a.wy, body.a.x]}\n"
     "  g: {type: torque, between: [a, b], torque: [0.1, body.a.wx, 0.2*t], axes: body}\n"
     "  h: {type: torque, between: [ground, b], torque: [0, 0.3, body.b.z]}\n",
     1e-7},
    {"spring, planar",
     PLANAR "forces:\n"
            "  f: {type: spring, between: [a, b], at: [[0.5, 0.5], [1, 0.7]], stiffness: 30,"
            " damping: 2, length: 0.4}\n"
            "  g: {type: spring, between: [ground, a], at: {first: [0, 1], second: [0.1, 0]},"
            " law: '20*(length - 0.5)^3 + 0.4*rate'}\n"
            "  h: {type: spring, between: [c, b], at: [[-0.8, 1.1], [1.3, 0.6]],"
            " table: [[0.5, -3], [1, 0], [2, 5], [4, 30]]}\n"
            "  i: {type: spring, between: [ground, c], at: [[0, 0], [-0.8, 1.1]], stiffness: 9,"
            " length: 0}\n",
     1e-7},
    {"spring, spatial",
     SPATIAL "forces:\n"
             "  f: {type: spring, between: [a, b], at: [[0.5, 0.5, 0.2], [1, 0.7, 0.1]],"
             " stiffness: 30, damping: 2}\n"
             "  g: {type: spring, between: [ground, c], at: [[0, 0, 1], [-0.8, 1.1, 0.3]],"
             " damping: 3}\n"
             "  h: {type: spring, between: [c, b], at: [[-0.8, 1.1, 0.3], [1, 0.6, 0.1]],"
             " law: 'exp(length)*(1 + 0.1*rate + 0.01*force.f.force)'}\n",
     1e-7},
    {"torsion, planar",
     PLANAR HINGES
     "forces:\n"
     "  f: {type: torsion, joint: hinge, stiffness: 7, damping: 0.3, angle: 0.2}\n"
     "  g: {type: torsion, between: [a, b], stiffness: 2}\n"
     "  h: {type: torsion, between: [ground, b], law: angle + rate*angle^2}\n",
     1e-7},
    {"torsion, spatial",
     SPATIAL HINGES_3D
     "  pair: {type: universal, between: [a, b], at: [0.6, 0.5, 0], axes: [[1, 0, 0],"
     " [0, 1, 0]]}\n"
     "forces:\n"
     "  f: {type: torsion, joint: hinge, stiffness: 7, damping: 0.3, angle: 30 deg}\n"
     "  g: {type: torsion, joint: pair, coordinate: angle2, table: [[-3, -9], [0, 0], [3, "
     "9]]}\n",
     1e-6},
    {"torsion about an axis",
     SPATIAL
     "forces:\n"
     "  g: {type: torsion, between: [a, b], axis: [1, 1, 0], stiffness: 2, damping: 0.1}\n",
     1e-6},
    {"bushing, planar",
     PLANAR
     "forces:\n"
     "  f: {type: bushing, between: [a, b], at: [0.8, 0.5], stiffness: [50, 80, 3],"
     " damping: [1, 2, 0.1], orientation: 20 deg}\n"
     "  g: {type: bushing, between: [ground, c], at: [-0.8, 1.1], stiffness: [5, 8, 0]}\n",
     1e-7},
    {"bushing, spatial",
     SPATIAL
     "forces:\n"
     "  f: {type: bushing, between: [a, b], at: [0.8, 0.5, 0], stiffness: [50, 80, 60, 3,"
     " 4, 5], damping: [1, 2, 3, 0.1, 0.2, 0.3], orientation: {axis: [1, 1, 0],"
     " angle: 0.6}}\n"
     "  g: {type: bushing, between: [ground, a], at: {first: [0, 0, 1], second:"
     " [0, 0, 0.1]}, stiffness: [50, 80, 60, 3, 4, 5]}\n",
     1e-7},
    {"friction, planar",
     PLANAR HINGES
     "forces:\n"
     "  f: {type: friction, joint: hinge, level: 0.4, static: 0.6, slip: 0.2, viscous: 0.1}\n"
     "  g: {type: friction, joint: slide, coefficient: 0.2, slip: 0.3}\n",
     1e-6},
    {"friction, spatial",
     SPATIAL HINGES_3D
     "forces:\n"
     "  f: {type: friction, joint: hinge, coefficient: 0.1, radius: 0.05, slip: 0.2,"
     " static: 0.15, stribeck: 0.7}\n"
     "  g: {type: friction, joint: slide, level: 2, slip: 0.3, viscous: 0.2}\n",
     1e-6},
    {"tyre, planar",
     PLANAR
     "forces:\n"
     "  f: {type: tyre, body: a, stiffness: 300, damping: 9, radius: 0.45, road:"
     " '0.1*sin(3*x + t)'}\n"
     "  g: {type: tyre, body: b, at: [1.3, 0.5], stiffness: 200, damping: 5, radius: 0.3,"
     " lift: true, smoothing: 0.05}\n"
     "  h: {type: tyre, body: c, stiffness: 90, lift: true, smoothing: 0.1, table:"
     " [[-1, 0.2], [0, 0.1], [1, 0.4]]}\n",
     1e-6},
    {"tyre, spatial",
     SPATIAL
     "forces:\n"
     "  f: {type: tyre, body: a, local: [0.1, 0, 0], stiffness: 300, damping: 9, radius:"
     " 0.4, road: '0.1*sin(3*x + y + t)'}\n"
     "  g: {type: tyre, body: b, stiffness: 200, damping: 5, radius: 0.3, lift: true,"
     " smoothing: 0.05, road: 0.1*t}\n",
     1e-6},
    {"actuator, planar",
     PLANAR HINGES
     "forces:\n"
     "  f: {type: actuator, joint: hinge, command: 3*sin(t), lag: 0.2}\n"
     "  g: {type: actuator, joint: slide, reference: 0.3, kp: 9, ki: 2, kd: 3, limit: 7}\n"
     "  h: {type: actuator, between: [a, b], at: [[0.5, 0.5], [1, 0.7]], command: '1 +"
     " body.c.y - 0.1*force.h.force', start: 0.5}\n",
     1e-6},
    {"actuator, spatial",
     SPATIAL HINGES_3D
     "forces:\n"
     "  f: {type: actuator, joint: hinge, reference: sin(t), of: joint.hinge.angle, kp: 9, ki: "
     "2,"
     " kd: 3, filter: 0.1, lag: 0.05}\n"
     "  g: {type: actuator, between: [a, c], at: [[0.5, 0.5, 0], [-0.8, 1.1, 0.3]], reference:"
     " 2, kp: 3, kd: 1}\n",
     1e-6},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void derivatives_agree_with_differences_at_random_states(void **state)
{
    (void)state;
    random_source r = {7};
    for (int k = 0; k < SAMPLES; k++) {
        mechanism m;
        CHECK_OK(mechanism_try(&m, samples[k].text), m.err);
        m.eom = crank_state_eom(m.model);
        m.n = crank_eom_unknowns(m.eom);
        for (int i = 0; i < 100; i++) {
            double deviation = 1.0;
            char text[300] = "";
            mechanism_random(&m, &r);
            CHECK_OK(crank_eom_check_derivatives(m.eom, 0.1 * i, m.x, &deviation, text,
                                                 sizeof text, &m.err),
                     m.err);
            if (!(deviation < 1e-6)) {
                print_error("%s, state %d: %g, %s\n", samples[k].name, i, deviation, text);
                fail();
            }
        }
        mechanism_end(&m);
    }
}

static void the_energy_balance_holds_over_a_run(void **state)
{
    (void)state;
    for (int k = 0; k < SAMPLES; k++) {
        mechanism m;
        mechanism_begin(&m, samples[k].text);
        double sum[2];
        for (int i = 0; i < 2; i++) {
            sum[i] = mechanism_value(&m, "energy.kinetic") +
                     mechanism_value(&m, "energy.potential") +
                     mechanism_value(&m, "energy.dissipated") -
                     mechanism_value(&m, "energy.supplied");
            if (i == 0) {
                mechanism_run(&m, 1.0, 1e-9);
            }
        }
        if (!(fabs(sum[1] - sum[0]) < samples[k].balance)) {
            print_error("%s: the balance changes by %g\n", samples[k].name, sum[1] - sum[0]);
            fail();
        }
        mechanism_end(&m);
    }
}

/* ---- values by hand ---- */

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
                                "5, radius: 0.5, road: '4 + x - 3', lift: true}}\n");
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
                    "  g: {type: actuator, joint: j, command: 100, limit: 7}\n"
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

/* what forces between bodies add to the rows d, in the world: sums of forces and of moments
 * about the origin */
static void add_wrench(const mechanism *m, const double *d, const double *x, double sum[6])
{
    for (int b = 0; b < 2; b++) {
        const double *f = d + 6 * b;
        const double *p = x + crank_eom_column(m->eom, CRANK_P) + 7 * b;
        const double *q = p + 3;
        const double *c = f + 3; /* body axes: to the world by q o c o q* */
        const double u[3] = {q[2] * c[2] - q[3] * c[1] + q[0] * c[0],
                             q[3] * c[0] - q[1] * c[2] + q[0] * c[1],
                             q[1] * c[1] - q[2] * c[0] + q[0] * c[2]};
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            const int k = (i + 2) % 3;
            sum[i] += f[i];
            sum[3 + i] +=
                c[i] + 2.0 * (q[1 + j] * u[k] - q[1 + k] * u[j]) + p[j] * f[k] - p[k] * f[j];
        }
    }
}

static void forces_between_bodies_cancel(void **state)
{
    (void)state;
    static const char *const bodies =
        "crank: mechanism\nbodies:\n"
        "  a: {mass: 2, inertia: [1, 2, 2], position: [0, 0.4, 0.1]}\n"
        "  b: {mass: 2, inertia: [1, 2, 2], position: [1, 0.1, 0.3]}\n";
    static const char *const forces[] = {
        "forces: {f: {type: spring, between: [a, b], at: [[0.1, 0.3, 0], [0.9, 0, 0.3]],"
        " stiffness: 3, damping: 2, length: 0.1}}\n",
        "forces: {f: {type: bushing, between: [a, b], at: [0.4, 0, 0.1], stiffness: [1, 2, 3, "
        "4,"
        " 5, 6], damping: [6, 5, 4, 3, 2, 1]}}\n",
        "forces: {f: {type: torque, between: [a, b], torque: [1, 2, 3], axes: body}}\n",
        "forces: {f: {type: torsion, between: [a, b], axis: [1, 1, 1], stiffness: 3,"
        " damping: 1, angle: 1}}\n"};
    random_source r = {11};
    for (size_t k = 0; k < sizeof forces / sizeof forces[0]; k++) {
        char text[600];
        mechanism with;
        mechanism without;
        (void)snprintf(text, sizeof text, "%s%s", bodies, forces[k]);
        mechanism_begin(&with, text);
        mechanism_begin(&without, bodies);
        for (int i = 0; i < 20; i++) {
            double full[MECHANISM_MAX];
            double none[MECHANISM_MAX];
            double sum[6] = {0.0};
            double size = 0.0;
            mechanism_random(&with, &r);
            CHECK_OK(crank_eom_evaluate(with.eom, 0.0, with.x, full, &with.err), with.err);
            CHECK_OK(crank_eom_evaluate(without.eom, 0.0, with.x, none, &with.err), with.err);
            for (int j = 0; j < 12; j++) {
                full[j] -= none[j];
                size = fmax(size, fabs(full[j]));
            }
            add_wrench(&with, full, with.x, sum);
            assert_true(size > 1e-3);
            for (int j = 0; j < 6; j++) {
                CHECK_NEAR(sum[j], 0.0, 1e-13 * (1.0 + size));
            }
        }
        mechanism_end(&with);
        mechanism_end(&without);
    }
}

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

/* ---- refusals ---- */

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
    refuse(BODIES "forces: {f: {type: tyre, body: a, stiffness: 1, smoothing: 1}}\n", 5,
           "force \"f\": \"smoothing\" is only for \"lift: true\"");
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences_at_random_states),
        cmocka_unit_test(the_energy_balance_holds_over_a_run),
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
        cmocka_unit_test(forces_between_bodies_cancel),
        cmocka_unit_test(a_spring_of_length_zero_is_named),
        cmocka_unit_test(forces_near_their_poles_are_named_with_the_distance),
        cmocka_unit_test(wrong_forces_are_refused_with_a_remedy),
    };
    return CHECK_RUN(argc, argv, tests);
}
