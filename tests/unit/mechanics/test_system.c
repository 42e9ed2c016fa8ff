/* test_system.c - mechanisms as equations of motion: closed forms, invariants, derivatives.
 *
 * Tolerances of runs are ten to a hundred times those of the integrator; what is exact is
 * compared to rounding. */
// SPDX-License-Identifier: BSD-3-Clause
#include "motion.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- pendulums ---- */

/* a rod of length 1 and mass 2, hinged at its end, at rest 120 deg away from hanging down */
static const char planar_pendulum[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {a: 30 deg}\n"
    "bodies: {rod: {mass: 2, inertia: 2/12, center: [0.5, 0], angle: a}}\n"
    "joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 0]}}\n";

/* complete elliptic integral K(k) by the arithmetic-geometric mean */
static double elliptic(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 30; i++) {
        const double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    return acos(-1.0) / (2.0 * a);
}

static void a_planar_pendulum_hangs_down_after_a_quarter_of_its_period(void **state)
{
    const double pi = acos(-1.0), frequency = sqrt(1.5 * 9.81);
    const double quarter = elliptic(sin(pi / 3.0)) / frequency; /* amplitude 120 deg */
    motion m = begin(planar_pendulum, 1e-11, quarter);
    const double e0 = energy(&m);
    go(&m, quarter);
    CHECK_NEAR(column(&m, "body.rod.angle"), -0.5 * pi, 1e-9);
    CHECK_NEAR(column(&m, "joint.hinge.angle"), -0.5 * pi - pi / 6.0, 1e-9);
    CHECK_NEAR(column(&m, "body.rod.rate"), -2.0 * frequency * sin(pi / 3.0), 1e-9);
    CHECK_NEAR(column(&m, "body.rod.x"), 0.0, 1e-14); /* of the origin: the hinge */
    CHECK_NEAR(column(&m, "body.rod.vx"), 0.0, 1e-13);
    CHECK_NEAR(energy(&m), e0, 1e-9);
    const double rate = column(&m, "body.rod.rate"); /* m g + m omega^2 l/2 */
    CHECK_NEAR(column(&m, "joint.hinge.fy"), 2.0 * 9.81 + rate * rate, 1e-7);
    CHECK_NEAR(column(&m, "joint.hinge.tz"), 0.0, 1e-12);
    end(&m);
}

static void a_spatial_pendulum_moves_as_the_planar_one(void **state)
{
    char text[1024];
    /* everything turned by a quaternion */
    static const double q[4] = {0.5, -0.1, 0.7, 0.5};
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w = q[0] / size, x = q[1] / size, y = q[2] / size, z = q[3] / size;
    const double R[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    (void)snprintf(text, sizeof text,
                   "crank: mechanism\n"
                   "gravity: [%.17g, %.17g, %.17g]\n"
                   "bodies:\n"
                   "  rod: {mass: 2, inertia: [0.2, 0.3, 2/12], center: [0.5, 0, 0],\n"
                   "    orientation: [%.17g, %.17g, %.17g, %.17g]}\n"
                   "joints:\n"
                   "  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0],\n"
                   "    axis: [%.17g, %.17g, %.17g]}\n",
                   -9.81 * R[1], -9.81 * R[4], -9.81 * R[7],
                   /* q times the turn by 30 deg about z */
                   w * cos(acos(-1.0) / 12) - z * sin(acos(-1.0) / 12),
                   x * cos(acos(-1.0) / 12) + y * sin(acos(-1.0) / 12),
                   y * cos(acos(-1.0) / 12) - x * sin(acos(-1.0) / 12),
                   z * cos(acos(-1.0) / 12) + w * sin(acos(-1.0) / 12), R[2], R[5], R[8]);
    motion planar = begin(planar_pendulum, 1e-10, 3.0), spatial = begin(text, 1e-10, 3.0);
    for (int i = 1; i <= 3; i++) {
        go(&planar, i);
        go(&spatial, i);
        CHECK_NEAR(column(&spatial, "joint.hinge.angle"), column(&planar, "joint.hinge.angle"),
                   1e-7);
        CHECK_NEAR(column(&spatial, "joint.hinge.angle_rate"),
                   column(&planar, "joint.hinge.angle_rate"), 1e-6);
        CHECK_NEAR(energy(&spatial), energy(&planar), 1e-7);
        const double force =
            hypot(hypot(column(&spatial, "joint.hinge.fx"), column(&spatial, "joint.hinge.fy")),
                  column(&spatial, "joint.hinge.fz"));
        CHECK_NEAR(force,
                   hypot(column(&planar, "joint.hinge.fx"), column(&planar, "joint.hinge.fy")),
                   1e-5);
    }
    end(&planar);
    end(&spatial);
}

static const char double_planar[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  upper: {mass: 1, shape: {rod: 1}, position: [0.5, 0]}\n"
    "  lower: {mass: 0.7, shape: {rod: 0.8}, position: [1, 0.4], angle: 90 deg}\n"
    "joints:\n"
    "  hip: {type: revolute, between: [ground, upper], at: [0, 0]}\n"
    "  knee: {type: revolute, between: [upper, lower], at: [1, 0]}\n";

static void a_double_pendulum_is_the_same_in_the_plane_and_in_space(void **state)
{
    motion planar = begin(double_planar, 1e-11, 2.0),
           spatial = begin(DOUBLE_SPATIAL, 1e-11, 2.0);
    const double e0 = energy(&planar);
    CHECK_NEAR(energy(&spatial), e0, 1e-13);
    for (int i = 1; i <= 2; i++) {
        go(&planar, i);
        go(&spatial, i);
        CHECK_NEAR(energy(&planar), e0, 1e-9);
        CHECK_NEAR(energy(&spatial), e0, 1e-9);
        CHECK_NEAR(column(&spatial, "joint.hip.angle"), column(&planar, "joint.hip.angle"),
                   1e-8);
        CHECK_NEAR(column(&spatial, "joint.knee.angle"), column(&planar, "joint.knee.angle"),
                   1e-8);
        CHECK_NEAR(column(&spatial, "joint.knee.fx"), column(&planar, "joint.knee.fx"), 1e-6);
        CHECK_NEAR(column(&spatial, "joint.knee.fy"), column(&planar, "joint.knee.fy"), 1e-6);
        CHECK_NEAR(column(&spatial, "joint.knee.tx"), 0.0, 1e-9);
    }
    end(&planar);
    end(&spatial);
}

/* ---- free bodies ---- */

/* J omega in world axes from the columns of a body with diagonal inertia */
static void angular_momentum(const motion *m, const double inertia[3], double out[3])
{
    const double w = column(m, "body.top.q0"), x = column(m, "body.top.q1"),
                 y = column(m, "body.top.q2"), z = column(m, "body.top.q3");
    const double R[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    const double o[3] = {column(m, "body.top.wx"), column(m, "body.top.wy"),
                         column(m, "body.top.wz")};
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            const double local = R[k] * o[0] + R[3 + k] * o[1] + R[6 + k] * o[2];
            out[i] += R[3 * i + k] * inertia[k] * local;
        }
    }
}

static void a_free_body_keeps_energy_and_angular_momentum(void **state)
{
    /* near the middle axis, where it tumbles */
    motion m = begin("crank: mechanism\n"
                     "bodies: {top: {mass: 3, inertia: [1, 2, 2.5], velocity: [1, 2, 3],\n"
                     "  angular_velocity: [0.01, 3, 0.02]}}\n",
                     1e-12, 10.0);
    static const double inertia[3] = {1.0, 2.0, 2.5};
    double before[3], after[3];
    const double e0 = energy(&m);
    angular_momentum(&m, inertia, before);
    go(&m, 10.0);
    angular_momentum(&m, inertia, after);
    CHECK_NEAR(energy(&m), e0, 1e-9);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(after[i], before[i], 1e-9);
    }
    CHECK_NEAR(column(&m, "body.top.x"), 10.0, 1e-11);
    CHECK_NEAR(column(&m, "body.top.z"), 30.0, 1e-11);
    const double q2 = pow(column(&m, "body.top.q0"), 2) + pow(column(&m, "body.top.q1"), 2) +
                      pow(column(&m, "body.top.q2"), 2) + pow(column(&m, "body.top.q3"), 2);
    CHECK_NEAR(q2, 1.0, 1e-14); /* position invariant: kept to rounding */
    end(&m);
}

static void a_symmetric_top_precesses_at_its_exact_rate(void **state)
{
    /* omega in body axes turns about the axis with (I1 - I3)/I1 omega3; the axis goes round L
     * with |L|/I1 */
    motion m =
        begin("crank: mechanism\n"
              "bodies: {top: {mass: 1, inertia: [2, 2, 3], angular_velocity: [0.5, 0, 4]}}\n",
              1e-12, 5.0);
    go(&m, 5.0);
    const double spin = (2.0 - 3.0) / 2.0 * 4.0;
    const double *omega = m.x + m.eom->column[CRANK_V] + 3;
    CHECK_NEAR(omega[0], 0.5 * cos(spin * 5.0), 1e-9);
    CHECK_NEAR(omega[1], -0.5 * sin(spin * 5.0), 1e-9);
    CHECK_NEAR(omega[2], 4.0, 1e-10);
    /* world: omega = L/I1 + (1 - I3/I1) omega3 axis; L = (1, 0, 12) stays */
    const double L[3] = {1.0, 0.0, 12.0}, size = sqrt(145.0);
    const double e[3] = {L[0] / size, 0.0, L[2] / size};
    const double turn = size / 2.0 * 5.0, c = cos(turn), s = sin(turn);
    /* axis at the start: z; Rodrigues */
    const double axis[3] = {(1 - c) * e[2] * e[0], -s * e[0], c + (1 - c) * e[2] * e[2]};
    CHECK_NEAR(column(&m, "body.top.wx"), L[0] / 2.0 - 0.5 * 4.0 * axis[0], 1e-8);
    CHECK_NEAR(column(&m, "body.top.wy"), L[1] / 2.0 - 0.5 * 4.0 * axis[1], 1e-8);
    CHECK_NEAR(column(&m, "body.top.wz"), L[2] / 2.0 - 0.5 * 4.0 * axis[2], 1e-8);
    end(&m);
}

static void a_thrown_body_flies_a_parabola_of_its_centre_of_mass(void **state)
{
    /* the origin is not the centre of mass; the centre is reported through outputs */
    motion m = begin("crank: mechanism\n"
                     "gravity: [0, 0, -10]\n"
                     "bodies: {stone: {mass: 2, inertia: [1, 2, 3], center: [1, 0.5, -2],\n"
                     "  angular_velocity: [0, 0, 2]}}\n",
                     1e-11, 1.0);
    CHECK_NEAR(column(&m, "body.stone.vx"), 0.0, 1e-15);
    const double *p = m.x + m.eom->column[CRANK_P], *v = m.x + m.eom->column[CRANK_V];
    CHECK_NEAR(v[0], -1.0, 1e-15); /* omega x c */
    CHECK_NEAR(v[1], 2.0, 1e-15);
    go(&m, 1.0);
    CHECK_NEAR(p[0], 0.0, 1e-12);
    CHECK_NEAR(p[1], 2.5, 1e-12);
    CHECK_NEAR(p[2], -7.0, 1e-12);
    CHECK_NEAR(column(&m, "energy.potential"), 2.0 * 10.0 * -7.0, 1e-10);
    /* about a principal axis: the origin is at centre - R c */
    CHECK_NEAR(column(&m, "body.stone.x"), 0.0 - (cos(2.0) - 0.5 * sin(2.0)), 1e-9);
    CHECK_NEAR(column(&m, "body.stone.y"), 2.5 - (sin(2.0) + 0.5 * cos(2.0)), 1e-9);
    CHECK_NEAR(column(&m, "body.stone.z"), -5.0, 1e-9);
    end(&m);
}

/* ---- derivatives ---- */

static const char *const zoo[] = {
    double_planar,
    DOUBLE_SPATIAL,
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [1, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 0.2, center: [0.1, 0.3], position: [1, 2], angle: 0.4}\n"
    "  b: {mass: 2, inertia: 0.3, position: [2, -1], angle: -1}\n"
    "  c: {type: point, mass: 1.5, position: [0, 3]}\n"
    "joints:\n"
    "  slide: {type: prismatic, between: [ground, a], at: [1, 1], axis: [1, 2]}\n"
    "  rod: {type: distance, between: [a, c], at: [[1, 1], [0, 3]]}\n"
    "  weld: {type: revolute, between: [a, b], at: [1.5, 0]}\n"
    "dynamic: {r: {start: 1, rate: -r + body.c.vx*joint.weld.angle + t}}\n"
    "auxiliary: {w: {start: 0, equation: w - body.a.x^2 - body.b.rate}}\n"
    "holonomic: {tie: body.c.x^2 + body.b.y - 0.3*t}\n"
    "nonholonomic: {roll: body.b.vx - 0.5*body.a.rate}\n",
    "crank: mechanism\n"
    "gravity: [0.5, -0.3, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [[1, 0.1, 0.2], [0.1, 1.5, 0.05], [0.2, 0.05, 1.2]],\n"
    "      center: [0.1, 0.3, -0.2], position: [1, 2, 3], orientation: [1, 2, 3, 4]}\n"
    "  b: {mass: 2, inertia: [0.3, 0.4, 0.5], position: [2, -1, 1], orientation: [1, -1, 0.5, "
    "0]}\n"
    "  c: {type: point, mass: 1.5, position: [0, 3, 1]}\n"
    "joints:\n"
    "  screw: {type: cylindrical, between: [ground, a], at: [1, 1, 1], axis: [1, 2, 3]}\n"
    "  rod: {type: distance, between: [b, c], at: [[2, -1, 1], [0, 3, 1]]}\n"
    "  cross: {type: universal, between: [a, b], at: [1.5, 0, 1], axes: [[1, 0, 0], [0, 1, "
    "0]]}\n"
    "nonholonomic: {slip: body.c.vx - body.b.wx*body.c.y}\n"
    "outputs: {q: body.a.q1}\n",
};

static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static void derivatives_agree_with_differences_at_random_states(void **state)
{
    for (size_t i = 0; i < sizeof zoo / sizeof zoo[0]; i++) {
        crank_state *model = read_text(zoo[i]);
        crank_eom *eom = crank_state_eom(model);
        double *x = calloc((size_t)eom->n, sizeof *x);
        uint64_t seed = 1 + i;
        assert_non_null(x);
        for (int trial = 0; trial < 100; trial++) {
            crank_error err = {0};
            char text[320];
            double deviation;
            for (int j = 0; j < eom->n; j++) {
                x[j] = next_random(&seed); /* quaternions of any length: (7.4) holds for all */
            }
            CHECK_OK(
                crank_eom_check_derivatives(eom, 0.3, x, &deviation, text, sizeof text, &err),
                err);
            if (!(deviation < 1e-5)) {
                print_error("model %zu, trial %d: %s\n", i, trial, text);
            }
            CHECK_NEAR(deviation, 0.0, 1e-5); /* of differences */
        }
        free(x);
        one_state_close(model);
    }
}

static void the_pattern_holds_no_entry_that_is_always_zero(void **state)
{
    crank_state *model = read_text(double_planar);
    const crank_eom *eom = crank_state_eom(model);
    /* per row of a planar hinge and body: g 2, gI 4, gII 2 + 2 + 2..., counted by hand for two
     * bodies:
     * M 6, dyn 6, kin 6; hip: per row  g (x, theta) 2, gI_p 1, gI_v 2, gII_p 1, gII_v 1, gII_a
     * 2, d_lambda 2, d_p 1 (theta, theta) = 12; knee the same for both bodies = 24; twice (x
     * and y); d_p of one body are shared between its rows: 6 entries in 2 places */
    assert_int_equal(eom->jacobian_pattern.start[eom->n], 18 + 2 * 12 + 2 * 24 - 4);
    assert_true(eom->autonomous);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planar_pendulum_hangs_down_after_a_quarter_of_its_period),
        cmocka_unit_test(a_spatial_pendulum_moves_as_the_planar_one),
        cmocka_unit_test(a_double_pendulum_is_the_same_in_the_plane_and_in_space),
        cmocka_unit_test(a_free_body_keeps_energy_and_angular_momentum),
        cmocka_unit_test(a_symmetric_top_precesses_at_its_exact_rate),
        cmocka_unit_test(a_thrown_body_flies_a_parabola_of_its_centre_of_mass),
        cmocka_unit_test(derivatives_agree_with_differences_at_random_states),
        cmocka_unit_test(the_pattern_holds_no_entry_that_is_always_zero),
    };
    return CHECK_RUN(argc, argv, tests);
}
