/* test_rotor.c - rotors that have inertia about their axis alone: the same motion as with the
 * rest of their inertia counted with the body that bears them, or with the rotor itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanism.h"

/* a gyro on an arm that hangs from a point; the arm and the rotor share 0.2 across the axis */
#define GYRO(arm, rotor, mass_arm, mass_rotor)                                                 \
    "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n"                                      \
    "  arm: {mass: " mass_arm ", inertia: " arm ", position: [0.3, 0, 0]}\n"                   \
    "  rotor: {mass: " mass_rotor ", inertia: " rotor ", position: [0.3, 0, 0],"               \
    " angular_velocity: [60, 0, 0]}\n"                                                         \
    "joints:\n"                                                                                \
    "  pivot: {type: spherical, between: [ground, arm], at: [0, 0, 0]}\n"                      \
    "  bearing: {type: revolute, between: [arm, rotor], at: [0.3, 0, 0], axis: [1, 0, 0]}\n"

static void run_gyro(const char *text, double out[4])
{
    static const char *const name[4] = {"body.arm.x", "body.arm.y", "body.arm.z",
                                        "joint.bearing.angle_rate"};
    mechanism m;
    mechanism_begin(&m, text);
    mechanism_run(&m, 0.7, 1e-10);
    for (int i = 0; i < 4; i++) {
        out[i] = mechanism_value(&m, name[i]);
    }
    mechanism_end(&m);
}

static void axial_rotor_moves_as_one_whose_arm_has_the_rest_of_its_inertia(void **state)
{
    double whole[4], axial[4], massless[4];
    run_gyro(GYRO("[0.1, 0.19, 0.19]", "[0.02, 0.01, 0.01]", "1", "0.5"), whole);
    run_gyro(GYRO("[0.1, 0.2, 0.2]", "[0.02, 0, 0]", "1", "0.5"), axial);
    run_gyro(GYRO("[0.1, 0.2, 0.2]", "[0.02, 0, 0]", "1.5", "0"), massless);
    for (int i = 0; i < 4; i++) { /* global errors of some hundred steps */
        CHECK_NEAR(axial[i], whole[i], 1e-7 * (1.0 + fabs(whole[i])));
        CHECK_NEAR(massless[i], whole[i], 1e-7 * (1.0 + fabs(whole[i])));
    }
    assert_true(fabs(whole[1]) > 0.05); /* it precesses: the gyroscopic torque is there */
}

static void axis_of_a_rotor_may_stand_anywhere_in_the_body(void **state)
{
    /* J n n^T with n = (0.6, 0.8, 0); and turned by `axes` */
    static const char *const inertia[] = {
        "[[0.0072, 0.0096, 0], [0.0096, 0.0128, 0], [0, 0, 0]]",
        "{tensor: [0.02, 0, 0], axes: {axis: [0, 0, 1], angle: acos(0.6)}}"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        mechanism m;
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\nbodies: {r: {mass: 1, inertia: %s}}\n"
            "joints: {b: {type: revolute, between: [ground, r], at: [0, 0, 0], axis: "
            "[0.6, 0.8, 0]}}\n"
            "forces: {f: {type: torque, body: r, torque: [0.6*0.04, 0.8*0.04, 0]}}\n",
            inertia[i]);
        mechanism_begin(&m, text);
        mechanism_run(&m, 1.5, 1e-9);
        CHECK_NEAR(mechanism_value(&m, "joint.b.angle_rate"), 3.0, 1e-8);
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axial_rotor_moves_as_one_whose_arm_has_the_rest_of_its_inertia),
        cmocka_unit_test(axis_of_a_rotor_may_stand_anywhere_in_the_body),
    };
    return CHECK_RUN(argc, argv, tests);
}
