/* test_rotor_keys.c - the key `rotor` of joints and actuators, J n^2 along a coordinate, theory
 * (7.44): exact motions, the same motion as with rotors that are bodies behind gears, the mass
 * matrix, impacts. Derivatives and energy balances: test_joints.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "exact_motion.h"

/* J n^2 = 0.02*100 = 2 beside 1: a constant torque of 6 gives 2 rad/s^2; and the drive that
 * makes this motion takes that torque */
static void rotor_takes_part_of_a_torque(void **state)
{
#define WHEEL "bodies: {w: {mass: 1, inertia: [5, 5, 1]}}\n"
#define WHEEL_HINGE                                                                            \
    "joints: {h: {type: revolute, between: [ground, w], at: [0, 0, 0], axis: [0, 0, 1], "      \
    "rotor: {inertia: 0.02, ratio: -10}"
    CHECK_MOTION(
        HEAD WHEEL WHEEL_HINGE "}}\nforces: {m: {type: torque, body: w, torque: [0, 0, 6]}}\n",
        1.5, {"joint.h.angle_rate", 3.0}, {"joint.h.angle", 2.25}, {"energy.kinetic", 13.5});
    CHECK_MOTION(HEAD WHEEL WHEEL_HINGE ", drive: t^2}}\n", 1.5, {"joint.h.effort", 6.0},
                 {"joint.h.power", 18.0}, {"energy.kinetic", 13.5});
    CHECK_MOTION(HEAD WHEEL
                 "joints: {h: {type: revolute, between: [ground, w], at: [0, 0, 0], axis: [0, "
                 "0, 1]}}\nforces: {m: {type: actuator, joint: h, command: 6, rotor: {inertia: "
                 "0.02, ratio: 10}}}\n",
                 1.5, {"joint.h.angle_rate", 3.0}, {"energy.kinetic", 13.5});
}

/* m = 2 falls with a mass of 3 along: 0.4 g; the rotor 0.03*10^2 = 3 is the same */
static void mass_along_a_slider_falls_with_it_but_has_no_weight(void **state)
{
    static const char *const rotor[] = {"3", "{inertia: 0.03, ratio: 10}"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       HEAD GRAVITY_2 "bodies: {m: {mass: 2, inertia: 1}}\n"
                                      "joints: {s: {type: prismatic, between: [ground, m], "
                                      "at: [0, 0], axis: [0, 1], rotor: %s}}\n",
                       rotor[i]);
        CHECK_MOTION(text, 0.5, {"body.m.vy", -0.4 * g * 0.5},
                     {"energy.kinetic", 0.5 * 5.0 * 0.04 * g * g});
    }
    CHECK_MOTION(HEAD "bodies: {m: {type: point, mass: 2, position: [1, 0, 0]}}\n"
                      "forces: {p: {type: actuator, between: [ground, m], at: [[0, 0, 0], [1, "
                      "0, 0]], command: 10, rotor: 3}}\n",
                 0.5, {"body.m.vx", 1.0}, {"body.m.x", 1.25});
}

/* two columns of two runs are the same */
static void compare(const char *one, const char *other, double t, const char *const *columns)
{
    mechanism m[2];
    mechanism_begin(&m[0], one);
    mechanism_begin(&m[1], other);
    for (int k = 0; k < 2; k++) {
        mechanism_run(&m[k], t, tolerance);
    }
    for (; *columns != NULL; columns++) {
        const double a = mechanism_value(&m[0], *columns), b = mechanism_value(&m[1], *columns);
        if (!(fabs(a - b) <= 10.0 * global * (1.0 + fabs(b)))) {
            fail_msg("%s is %.12g instead of %.12g in\n%s", *columns, a, b, one);
        }
    }
    mechanism_end(&m[0]);
    mechanism_end(&m[1]);
}

/* while its axis stands still a rotor is a body behind a gear */
static void rotor_moves_as_a_body_behind_a_gear(void **state)
{
    static const char *const columns[] = {"joint.h.angle",    "joint.h.angle_rate",
                                          "joint.k.angle",    "energy.kinetic",
                                          "energy.potential", NULL};
#define ARMS(hinge, rest)                                                                      \
    HEAD GRAVITY "bodies:\n"                                                                   \
                 "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}\n"           \
                 "  b: {mass: 2, inertia: [0.2, 0.1, 0.15], position: [1.2, 0, 0.1]}\n" rest   \
                 "  h: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, "    \
                 "0]" hinge "}\n"                                                              \
                 "  k: {type: revolute, between: [a, b], at: [1, 0, 0], axis: [1, 2, 0]}\n"
    compare(ARMS(", rotor: {inertia: 0.03, ratio: 8}", "joints:\n"),
            ARMS("", "  r: {mass: 0, inertia: [0, 0.03, 0]}\njoints:\n"
                     "  i: {type: revolute, between: [ground, r], at: [0, 0, 0], axis: [0, 1, "
                     "0]}\n  g: {type: gear, joints: [h, i], ratio: 8}\n"),
            0.8, columns);
    compare(ARMS("", "  r: {mass: 0, inertia: [0, 0.01, 0]}\njoints:\n"
                     "  i: {type: revolute, between: [ground, r], at: [0, 0, 0], axis: [0, 1, "
                     "0]}\n  g: {type: gear, joints: [h, i], ratio: 8, rotor: {inertia: 0.02, "
                     "ratio: 8}}\n"),
            ARMS(", rotor: {inertia: 0.03, ratio: 8}", "joints:\n"), 0.8, columns);
}

/* a universal joint is two hinges with a cross between them, which turns by angle1 alone while
 * the first body stands still; and angle2 is the second hinge's */
static void rotors_of_a_universal_joint_turn_by_its_angles(void **state)
{
    static const char *const columns[] = {"body.a.x", "body.a.y", "body.a.z", "energy.kinetic",
                                          NULL};
#define SWING                                                                                  \
    HEAD GRAVITY                                                                               \
        "bodies:\n  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.3, 0.4, -0.2]}\n"
    compare(SWING "joints: {u: {type: universal, between: [ground, a], at: [0, 0, 0], axes: "
                  "[[1, 0, 0], [0, 1, 0]], rotor_angle1: {inertia: 0.02, ratio: 5}, "
                  "rotor_angle2: 0.25}}\n",
            SWING "  c: {mass: 0, inertia: [0.5, 0, 0]}\njoints:\n"
                  "  u: {type: revolute, between: [ground, c], at: [0, 0, 0], axis: [1, 0, "
                  "0]}\n  v: {type: revolute, between: [c, a], at: [0, 0, 0], axis: [0, 1, 0], "
                  "rotor: 0.25}\n",
            0.7, columns);
}

/* free bodies: what a rotor exerts is a pair, so that the momentum stays, and it does no
 * work */
static void free_bodies_keep_their_momentum_with_a_rotor_between_them(void **state)
{
    mechanism m;
    mechanism_begin(&m, HEAD
                    "bodies:\n"
                    "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], angular_velocity: [0, 1, 2]}\n"
                    "  b: {mass: 2, inertia: [0.2, 0.1, 0.15], position: [1, 0, 0], "
                    "velocity: [0.3, 0.1, 0], angular_velocity: [3, -1, 0.5]}\n"
                    "joints: {j: {type: revolute, between: [a, b], at: [0.4, 0, 0.2], axis: "
                    "[1, 2, 2], rotor: {inertia: 0.01, ratio: 7}}}\n"
                    "outputs: {px: body.a.vx + 2*body.b.vx}\n");
    const double before = mechanism_value(&m, "px"),
                 energy = mechanism_value(&m, "energy.kinetic");
    mechanism_run(&m, 1.0, tolerance);
    CHECK_NEAR(mechanism_value(&m, "px"), before, global);
    CHECK_NEAR(mechanism_value(&m, "energy.kinetic"), energy, 10.0 * global * energy);
    mechanism_end(&m);
}

/* entry (balance of forces i, acceleration j) of the Jacobian at m->x by differences, which are
 * exact: the balance is linear in accelerations */
static double mass(mechanism *m, int i, int j)
{
    double k[2][MECHANISM_MAX];
    const int nv = crank_eom_get_sizes(m->eom).v;
    const int last = crank_eom_column(m->eom, CRANK_W) + crank_eom_get_sizes(m->eom).w;
    double *a = &m->x[last - nv + j];
    for (int side = 0; side < 2; side++) {
        *a += side == 0 ? 1.0 : -2.0;
        CHECK_OK(crank_eom_evaluate(m->eom, 0.0, m->x, k[side], &m->err), m->err);
    }
    *a += 1.0;
    const int row = crank_eom_row(m->eom, CRANK_ROW_D) + crank_eom_get_sizes(m->eom).w - nv + i;
    return 0.5 * (k[0][row] - k[1][row]);
}

/* T = 1/2 v^T M v with all of v, also where no joint holds */
static void mass_matrix_is_symmetric_and_that_of_the_kinetic_energy(void **state)
{
    random_source r = {UINT64_C(5)};
    mechanism m;
    mechanism_begin(&m, HEAD
                    "bodies:\n"
                    "  a: {mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
                    "  b: {mass: 2, inertia: [0.2, 0.1, 0.15], position: [1, 0, 0]}\n"
                    "joints:\n"
                    "  j: {type: cylindrical, between: [a, b], at: [0.4, 0, 0.2], axis: [1, 2, "
                    "2], rotor_angle: {inertia: 0.01, ratio: 7}, rotor_length: 3}\n");
    for (int state_number = 0; state_number < 10; state_number++) {
        mechanism_random(&m, &r);
        const double *v = m.x + crank_eom_column(m.eom, CRANK_V);
        double twice = 0.0;
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < 12; j++) {
                const double entry = mass(&m, i, j);
                twice += v[i] * entry * v[j];
                CHECK_NEAR(entry, mass(&m, j, i), 1e-13);
            }
        }
        CHECK_NEAR(mechanism_value(&m, "energy.kinetic"), 0.5 * twice, 1e-12 * (1.0 + twice));
    }
    mechanism_end(&m);
}

static void every_method_moves_a_rotor_alike(void **state)
{
    static const char *const methods[] = {"psf-bdf",     "ggl-radau",          "ode-dopri8",
                                          "ode-adams",   "index1-radau",       "index2-radau",
                                          "peom1-radau", "overdetermined-bdf", "ude-radau",
                                          "psf-sdirk2",  "baumgarte-radau",    "auto"};
    double first = 0.0;
    mechanism m;
    for (int i = -1; i < (int)(sizeof methods / sizeof methods[0]); i++) {
        mechanism_begin(&m, ARMS(", rotor: {inertia: 0.03, ratio: 8}", "joints:\n"));
        if (i < 0) {
            mechanism_run(&m, 0.6, tolerance);
            first = mechanism_value(&m, "joint.k.angle");
        } else {
            mechanism_run_by(&m, methods[i], NULL, 0.6, 1e-8);
            CHECK_NEAR(mechanism_value(&m, "joint.k.angle"), first, 1e-5);
        }
        mechanism_end(&m);
    }
}

static void rotors_without_sense_are_refused(void **state)
{
    static const char *const refused[][2] = {
        {"-1", "joint \"h\": the inertia is -1, must be zero or more"},
        {"{inertia: 1, ratio: 0}", "joint \"h\": the ratio is 0, it must not be zero"},
        {"{ratio: 2}", "joint \"h\", rotor: \"inertia\" is missing"},
        {"{inertia: 1, gear: 2}", "unknown key \"gear\""},
    };
    for (int i = 0; i < 4; i++) {
        mechanism m;
        char text[400];
        (void)snprintf(text, sizeof text,
                       HEAD WHEEL "joints: {h: {type: revolute, between: [ground, w], at: [0, "
                                  "0, 0], axis: [0, 0, 1], rotor: %s}}\n",
                       refused[i][0]);
        assert_true(mechanism_try(&m, text) != CRANK_OK);
        if (strstr(m.err.text, refused[i][1]) == NULL) {
            fail_msg("%s", m.err.text);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotor_takes_part_of_a_torque),
        cmocka_unit_test(mass_along_a_slider_falls_with_it_but_has_no_weight),
        cmocka_unit_test(rotor_moves_as_a_body_behind_a_gear),
        cmocka_unit_test(rotors_of_a_universal_joint_turn_by_its_angles),
        cmocka_unit_test(free_bodies_keep_their_momentum_with_a_rotor_between_them),
        cmocka_unit_test(mass_matrix_is_symmetric_and_that_of_the_kinetic_energy),
        cmocka_unit_test(every_method_moves_a_rotor_alike),
        cmocka_unit_test(rotors_without_sense_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
