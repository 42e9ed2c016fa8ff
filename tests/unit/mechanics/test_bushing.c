/* test_bushing.c - spatial bushings at rotations of any size: torques against the rotation
 * vector and against differences of the energy, both sides of where formulas change, motions,
 * half a turn. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanism.h"

#include "eom/eom.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

#define BODY "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 1.5, 2]}}\n"
#define BUSHING(stiffness)                                                                     \
    BODY "forces: {f: {type: bushing, between: [ground, a], at: [0, 0, 0], stiffness: [0, 0, " \
         "0, " stiffness "]}}\n"

/* turns: the smallest, both sides of tan(turn) = 1/8 where the series ends, a right angle, and
 * close to half a turn */
static const double turns[] = {0.0,   1e-12, 1e-6, 0.01,     0.1243549, 0.1243550,
                               0.125, 0.7,   1.57, pi / 2.0, 2.4,       3.1};
enum { TURNS = sizeof turns / sizeof *turns };

static void unit_vector(random_source *r, double n[3])
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        n[i] = random_real(r);
        size += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++) {
        n[i] /= sqrt(size);
    }
}

static double *orientation_of(mechanism *m)
{
    return m->x + mechanism_column(m, "body.a.q0");
}

static void turn_by(double q[4], double turn, const double n[3])
{
    q[0] = cos(turn / 2.0);
    for (int i = 0; i < 3; i++) {
        q[1 + i] = sin(turn / 2.0) * n[i];
    }
}

/* q o (turn by e about body axis i) */
static void nudge(double q[4], int i, double e)
{
    const double c = cos(e / 2.0), s = sin(e / 2.0);
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double p[4] = {q[0], q[1], q[2], q[3]};
    q[0] = c * p[0] - s * p[1 + i];
    q[1 + i] = c * p[1 + i] + s * p[0];
    q[1 + j] = c * p[1 + j] + s * p[1 + k];
    q[1 + k] = c * p[1 + k] - s * p[1 + j];
}

/* torque in body axes, of a body at rest without accelerations: rows J omega' - T */
static void torque_of(mechanism *m, double torque[3])
{
    double k[MECHANISM_MAX];
    CHECK_OK(crank_eom_evaluate(m->eom, 0.0, m->x, k, &m->err), m->err);
    for (int i = 0; i < 3; i++) {
        torque[i] = -k[m->eom->row[CRANK_ROW_D] + 3 + i];
    }
}

static void rest(mechanism *m)
{
    memset(m->x, 0, (size_t)m->n * sizeof *m->x);
    orientation_of(m)[0] = 1.0;
}

static void torque_is_stiffness_times_the_rotation_vector(void **state)
{
    random_source r = {3};
    mechanism m;
    mechanism_begin(&m, BUSHING("7, 7, 7"));
    for (int i = 0; i < 20 * TURNS; i++) {
        const double turn = turns[i % TURNS];
        double n[3], torque[3];
        rest(&m);
        unit_vector(&r, n);
        turn_by(orientation_of(&m), turn, n);
        torque_of(&m, torque);
        for (int k = 0; k < 3; k++) { /* the axis is known to eps/sin(turn) near half a turn */
            CHECK_NEAR(torque[k], -7.0 * turn * n[k],
                       7.0 * 64.0 * DBL_EPSILON / fmax(sin(turn), 0.04));
        }
    }
    mechanism_end(&m);
}

static void torque_is_the_derivative_of_the_energy_in_all_directions(void **state)
{
    random_source r = {5};
    mechanism m;
    mechanism_begin(&m, BUSHING("3, 5, 11"));
    for (int i = 0; i < 20 * TURNS; i++) {
        const double turn = turns[i % TURNS], e = 1e-4;
        double n[3], q[4], torque[3];
        rest(&m);
        unit_vector(&r, n);
        turn_by(q, turn, n);
        memcpy(orientation_of(&m), q, sizeof q);
        torque_of(&m, torque);
        double exact = 0.0;
        for (int k = 0; k < 3; k++) {
            const double stiffness[3] = {3.0, 5.0, 11.0};
            exact += 0.5 * stiffness[k] * turn * turn * n[k] * n[k];
        }
        CHECK_NEAR(mechanism_value(&m, "energy.potential"), exact, 1e-12 * (1.0 + exact));
        for (int k = 0; k < 3; k++) {
            double energy[2];
            for (int side = 0; side < 2; side++) {
                memcpy(orientation_of(&m), q, sizeof q);
                nudge(orientation_of(&m), k, side == 0 ? e : -e);
                energy[side] = mechanism_value(&m, "energy.potential");
            }
            /* e^2 times third derivatives, which are below 1e4 at turns up to 3.1, and rounding
             * of the energy over e */
            CHECK_NEAR(torque[k], -(energy[0] - energy[1]) / (2.0 * e), 1e4 * e * e / 6.0);
        }
    }
    mechanism_end(&m);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* R u, or R^T u, of a quaternion */
static void rotate(const double q[4], bool back, const double u[3], double out[3])
{
    const double v[3] = {back ? -q[1] : q[1], back ? -q[2] : q[2], back ? -q[3] : q[3]};
    double once[3], twice[3];
    cross(v, u, once);
    cross(v, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = u[i] + 2.0 * (q[0] * once[i] + twice[i]);
    }
}

static void read_vector(mechanism *m, const char *head, double out[3])
{
    for (int i = 0; i < 3; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "force.f.%s%c", head, 'x' + i);
        out[i] = mechanism_value(m, name);
    }
}

/* Force and torque on the second body, in the bushing's axes on the first, against what the
 * equations of motion of the body feel, which is the second or the first. */
static void forces_that_are_reported_are_those_that_act(void **state)
{
    static const double inertia[3] = {1.0, 1.5, 2.0};
    static const char *const text[2] = {
        BODY "forces: {f: {type: bushing, between: [ground, a], at: [0, 0, 0], orientation: "
             "{axis: [1, 2, 3], angle: 0.4}, stiffness: [50, 80, 60, 3, 5, 11], damping: "
             "[1, 2, 3, 0.3, 0.2, 0.1]}}\n",
        BODY "forces: {f: {type: bushing, between: [a, ground], at: [0, 0, 0], orientation: "
             "{axis: [1, 2, 3], angle: 0.4}, stiffness: [50, 80, 60, 3, 5, 11], damping: "
             "[1, 2, 3, 0.3, 0.2, 0.1]}}\n"};
    const double n[3] = {1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0)};
    random_source r = {11};
    double q0[4];
    turn_by(q0, 0.4, n);
    for (int round = 0; round < 40; round++) {
        const bool first = round % 2 == 1;
        double f[3], T[3], local[3], k[MECHANISM_MAX], moment[3], spin[3], axis[3];
        mechanism m;
        mechanism_begin(&m, text[round % 2]);
        mechanism_random(&m, &r);
        unit_vector(&r, axis);
        turn_by(orientation_of(&m), turns[round / 2 % TURNS], axis);
        const double *q = orientation_of(&m);
        const double *x = m.x + mechanism_column(&m, "body.a.x");
        const double *v = m.x + mechanism_column(&m, "body.a.vx");
        const double *w = m.x + mechanism_column(&m, "body.a.omega_x");
        for (int i = 0; i < 6; i++) { /* accelerations: rows are minus what acts */
            m.x[m.eom->column[CRANK_W] + i] = 0.0;
        }
        read_vector(&m, "f", local);
        rotate(q0, false, local, f);
        read_vector(&m, "t", local);
        rotate(q0, false, local, T);
        if (first) { /* from the body's axes into the world, and onto the body */
            const double arm[3] = {-x[0], -x[1], -x[2]}; /* the ground's end is the origin */
            rotate(q, false, (double[3]){f[0], f[1], f[2]}, f);
            rotate(q, false, (double[3]){T[0], T[1], T[2]}, T);
            cross(arm, f, moment);
            for (int i = 0; i < 3; i++) {
                T[i] = -T[i] - moment[i];
                f[i] = -f[i];
            }
        }
        CHECK_OK(crank_eom_evaluate(m.eom, 0.0, m.x, k, &m.err), m.err);
        const double *row = k + m.eom->row[CRANK_ROW_D];
        const double Jw[3] = {inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]};
        cross(w, Jw, spin);
        rotate(q, true, T, local);
        double power = 0.0, wide[3];
        rotate(q, false, w, wide);
        for (int i = 0; i < 3; i++) {
            /* at 3.1 the axis of the turn is known to eps/sin, which stiffness amplifies */
            CHECK_NEAR(-row[i], f[i], 1e-11);
            CHECK_NEAR(-row[3 + i] + spin[i], local[i], 1e-11);
            power += f[i] * v[i] + T[i] * wide[i];
        }
        CHECK_NEAR(mechanism_value(&m, "force.f.power"), power, 1e-10);
        mechanism_end(&m);
    }
}

static void planar_bushings_report_two_forces_and_a_torque(void **state)
{
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\ndimension: 2\n"
                        "bodies: {a: {mass: 1, inertia: 1}}\n"
                        "forces: {f: {type: bushing, between: [ground, a], at: [0, 0], "
                        "stiffness: [3, 5, 7], damping: [0.1, 0.2, 0.3]}}\n");
    m.x[mechanism_column(&m, "body.a.x")] = 0.5;
    m.x[mechanism_column(&m, "body.a.angle")] = 0.25;
    m.x[mechanism_column(&m, "body.a.vy")] = 2.0;
    m.x[mechanism_column(&m, "body.a.rate")] = 4.0;
    CHECK_NEAR(mechanism_value(&m, "force.f.fx"), -1.5, 1e-15);
    CHECK_NEAR(mechanism_value(&m, "force.f.fy"), -0.4, 1e-15);
    CHECK_NEAR(mechanism_value(&m, "force.f.tz"), -1.75 - 1.2, 1e-15);
    CHECK_NEAR(mechanism_value(&m, "force.f.power"), -0.8 - 4.0 * 2.95, 1e-14);
    mechanism_end(&m);
}

static void small_turns_feel_sin_times_cos(void **state)
{
    /* what a potential k sin^2/2 gives: the difference is of third order */
    mechanism m;
    mechanism_begin(&m, BUSHING("3, 5, 11"));
    for (double turn = 0.3; turn > 1e-8; turn *= 0.3) {
        static const double z[3] = {0.0, 0.0, 1.0};
        double torque[3];
        rest(&m);
        turn_by(orientation_of(&m), turn, z);
        torque_of(&m, torque);
        CHECK_NEAR(torque[2], -11.0 * sin(turn) * cos(turn), 11.0 * turn * turn * turn);
        CHECK_NEAR(torque[2], -11.0 * turn, 1e-14 * turn * 11.0);
    }
    mechanism_end(&m);
}

static void derivatives_are_those_of_differences(void **state)
{
    random_source r = {7};
    mechanism m;
    mechanism_begin(&m,
                    BODY "forces: {f: {type: bushing, between: [ground, a], at: [0.1, 0.2, 0],"
                         " orientation: {axis: [1, 2, 3], angle: 0.4}, stiffness: [50, 80, "
                         "60, 3, 5, 11], damping: [1, 2, 3, 0.3, 0.2, 0.1]}}\n");
    for (int i = 0; i < 10 * TURNS; i++) {
        double n[3], deviation = 1.0;
        char text[300] = "";
        const double turn = turns[i % TURNS];
        if (turn > 3.0 || (turn > 0.12 && turn < 0.1245)) {
            continue; /* differences would reach across */
        }
        mechanism_random(&m, &r);
        unit_vector(&r, n);
        turn_by(orientation_of(&m), turn, n);
        CHECK_OK(
            crank_eom_check_derivatives(m.eom, 0.0, m.x, &deviation, text, sizeof text, &m.err),
            m.err);
        if (!(deviation < 1e-6)) {
            print_error("turn %g: %g, %s\n", turn, deviation, text);
            fail();
        }
    }
    mechanism_end(&m);
}

static void energy_is_kept_where_the_body_swings_by_130_degrees(void **state)
{
    const double tolerance = 1e-9;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\nbodies: {a: {mass: 2, inertia: [1, 1.5, 2], "
                        "angular_velocity: [4, 0.3, -0.2]}}\n"
                        "forces: {f: {type: bushing, between: [ground, a], at: [0.1, 0, 0], "
                        "stiffness: [100, 80, 120, 3, 4, 5]}}\n");
    const double start =
        mechanism_value(&m, "energy.kinetic") + mechanism_value(&m, "energy.potential");
    double largest = 0.0;
    for (int i = 1; i <= 50; i++) {
        mechanism_run(&m, 0.1 * i, tolerance);
        const double now =
            mechanism_value(&m, "energy.kinetic") + mechanism_value(&m, "energy.potential");
        largest = fmax(largest, fabs(mechanism_value(&m, "force.f.rx")));
        CHECK_NEAR(now, start, 1000.0 * tolerance * start); /* some 400 steps */
    }
    assert_true(largest > 2.0);
    mechanism_end(&m);
}

static void half_a_turn_is_a_pole_with_a_name(void **state)
{
    static const double x[3] = {1.0, 0.0, 0.0};
    const crank_log silent = {0};
    mechanism m;
    mechanism_begin(&m, BUSHING("3, 5, 11"));
    turn_by(orientation_of(&m), pi - 2e-4, x);
    CHECK_STATUS(crank_eom_find_pole(m.eom, 0.0, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    assert_string_equal(
        m.err.text, "force \"f\": no step succeeds at t = 0, 0.0002 from half a turn of its "
                    "ends against each other, where its torque turns round");
    assert_int_equal(m.err.line, 3);
    /* a step that leads across it, whatever its length is, and one that does not */
    CHECK_OK(crank_eom_look(m.eom, 0.0, m.x, &silent, &m.err), m.err);
    turn_by(orientation_of(&m), pi + 0.3, x);
    CHECK_STATUS(crank_eom_look(m.eom, 1.0, m.x, &silent, &m.err), CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(m.err.text, "force \"f\": the step to t = 1 leads across half a turn");
    turn_by(orientation_of(&m), 0.2, x);
    CHECK_OK(crank_eom_look(m.eom, 0.0, m.x, &silent, &m.err), m.err);
    turn_by(orientation_of(&m), -0.2, x);
    CHECK_OK(crank_eom_look(m.eom, 0.0, m.x, &silent, &m.err), m.err);
    turn_by(orientation_of(&m), -2.2, x);
    CHECK_OK(crank_eom_look(m.eom, 0.0, m.x, &silent, &m.err), m.err);
    mechanism_end(&m);
    /* nothing measures the rotation */
    mechanism_begin(&m, BODY "forces: {f: {type: bushing, between: [ground, a], at: [0, 0, 0], "
                             "stiffness: [1, 2, 3, 0, 0, 0]}}\n");
    turn_by(orientation_of(&m), pi, x);
    CHECK_OK(crank_eom_find_pole(m.eom, 0.0, m.x, &m.err), m.err);
    mechanism_end(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_is_stiffness_times_the_rotation_vector),
        cmocka_unit_test(torque_is_the_derivative_of_the_energy_in_all_directions),
        cmocka_unit_test(forces_that_are_reported_are_those_that_act),
        cmocka_unit_test(planar_bushings_report_two_forces_and_a_torque),
        cmocka_unit_test(small_turns_feel_sin_times_cos),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(energy_is_kept_where_the_body_swings_by_130_degrees),
        cmocka_unit_test(half_a_turn_is_a_pole_with_a_name),
    };
    return CHECK_RUN(argc, argv, tests);
}
