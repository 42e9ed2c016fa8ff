/* test_forces.c - what holds for every type of force: derivatives at random states, the energy
 * balance over a run, no net force and moment between bodies. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "unit/mechanics/mechanism.h"

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
     "  f: {type: torsion, joint: hinge, stiffness: 7, damping: 0.3, angle: 30 deg, preload: "
     "-2}\n"
     "  g: {type: torsion, joint: pair, coordinate: angle2, table: [[-3, -9], [0, 0], [3, "
     "9]]}\n",
     1e-6},
    {"torsion about an axis",
     SPATIAL "forces:\n"
             "  g: {type: torsion, between: [a, b], axis: [1, 1, 0], stiffness: 2, damping: "
             "0.1, preload: "
             "0.7}\n",
     1e-6},
    {"bushing, planar",
     PLANAR "forces:\n"
            "  f: {type: bushing, between: [a, b], at: [0.8, 0.5], preload: [1, 2, -0.5], "
            "stiffness: [50, 80, 3],"
            " damping: [1, 2, 0.1], orientation: 20 deg}\n"
            "  g: {type: bushing, between: [ground, c], at: [-0.8, 1.1], stiffness: [5, 8, 0], "
            "preload: [3, -2, 0]}\n",
     1e-7},
    {"bushing, spatial",
     SPATIAL
     "forces:\n"
     "  f: {type: bushing, between: [a, b], at: [0.8, 0.5, 0], stiffness: [50, 80, 60, 3,"
     " 4, 5], damping: [1, 2, 3, 0.1, 0.2, 0.3], orientation: {axis: [1, 1, 0],"
     " angle: 0.6}}\n"
     "  g: {type: bushing, between: [ground, a], at: {first: [0, 0, 1], second:"
     " [0, 0, 0.1]}, stiffness: [50, 80, 60, 3, 4, 0], preload: [3, -2, 5, 0.4, 0.3, -1]}\n",
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
     "  f: {type: tyre, body: a, stiffness: 300, damping: 9, lift: false, radius: 0.45, road:"
     " '0.1*sin(3*x + t)'}\n"
     "  g: {type: tyre, body: b, at: [1.3, 0.5], stiffness: 200, damping: 5, radius: 0.3,"
     " lift: true, smoothing: 0.05}\n"
     "  h: {type: tyre, body: c, stiffness: 90, lift: true, smoothing: 0.1, table:"
     " [[-1, 0.2], [0, 0.1], [1, 0.4]]}\n",
     1e-6},
    {"tyre, spatial",
     SPATIAL "forces:\n"
             "  f: {type: tyre, body: a, local: [0.1, 0, 0], stiffness: 300, damping: 9, lift: "
             "false, radius:"
             " 0.4, road: '0.1*sin(3*x + y + t)'}\n"
             "  g: {type: tyre, body: b, stiffness: 200, damping: 5, radius: 0.3, lift: true,"
             " smoothing: 0.05, road: 0.1*t}\n",
     1e-6},
    {"tyre with slip",
     SPATIAL
     "forces:\n"
     "  f: {type: tyre, body: a, local: [0.1, 0, 0], stiffness: 300, damping: 9, radius:"
     " 0.6, road: '0.1*sin(3*x + y + t)', axis: [0.2, 1, 0.1], friction: 0.8, cornering:"
     " 9, traction: 14, relaxation: 3, traction_relaxation: 2, slow: 0.2}\n"
     "  g: {type: tyre, body: b, stiffness: 200, damping: 5, radius: 0.5, smoothing:"
     " 0.05, axis: [1, 0, 0], friction: 0.8, cornering: 9, relaxation: 3}\n",
     1e-6},
    {"actuator, planar",
     PLANAR HINGES
     "forces:\n"
     "  f: {type: actuator, joint: hinge, command: 3*sin(t), limit: 2.5, lag: 0.2}\n"
     "  g: {type: actuator, joint: slide, reference: 0.3, kp: 9, ki: 2, kd: 3, limit: 7, "
     "saturation: "
     "smooth, rotor: {inertia: 0.1, ratio: 2}}\n"
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences_at_random_states),
        cmocka_unit_test(the_energy_balance_holds_over_a_run),
        cmocka_unit_test(forces_between_bodies_cancel),
    };
    return CHECK_RUN(argc, argv, tests);
}
