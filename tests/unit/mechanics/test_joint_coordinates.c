/* test_joint_coordinates.c - coordinates of joints against placements made by hand, and names
 * of their rows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanism.h"

/* largest residual of the rows g */
static double closure(mechanism *m)
{
    double k[MECHANISM_MAX], worst = 0.0;
    CHECK_OK(crank_eom_evaluate(m->eom, 0.0, m->x, k, &m->err), m->err);
    int row = crank_eom_row(m->eom, CRANK_ROW_G);
    for (int i = 0; i < crank_eom_get_sizes(m->eom).lambda; i++) {
        worst = fmax(worst, fabs(k[row + i]));
    }
    return worst;
}

static const double start_x[3] = {0.4, -0.3, 0.5}, centre[3] = {0.3, 0.1, 0.2};

/* Body b: turned by q about the centre from its start, then moved. */
static void place(mechanism *m, const double q[4], const double move[3])
{
    const double axis[3] = {2.0 / sqrt(6.0), -1.0 / sqrt(6.0), 1.0 / sqrt(6.0)};
    double q0[4], turned[4], R[9], d[3], Rd[3];
    int x = mechanism_column(m, "body.b.x"), orientation = mechanism_column(m, "body.b.q0");
    crank_quaternion_of_axis(q0, axis, 0.7);
    crank_quaternion_multiply(turned, q, q0);
    crank_quaternion_matrix(R, q);
    for (int k = 0; k < 3; k++) {
        d[k] = start_x[k] - centre[k];
    }
    crank_mat3_times(Rd, R, d);
    for (int k = 0; k < 3; k++) {
        m->x[x + k] = centre[k] + Rd[k] + move[k];
    }
    memcpy(m->x + orientation, turned, sizeof turned);
}

#define PLACED                                                                                 \
    "crank: mechanism\n"                                                                       \
    "bodies:\n"                                                                                \
    "  b: {mass: 1, inertia: [1, 1, 1], position: [0.4, -0.3, 0.5], orientation: {axis: "      \
    "[2, -1, 1], angle: 0.7}}\n"                                                               \
    "joints:\n"

static void coordinates_are_zero_at_the_start_and_as_placed(void **state)
{
    static const char *const texts[4] = {
        PLACED "  j: {type: revolute, between: [ground, b], at: [0.3, 0.1, 0.2], axis: [1, 2, "
               "2]}\n",
        PLACED "  j: {type: prismatic, between: [ground, b], at: [0.3, 0.1, 0.2], axis: [1, 2, "
               "2]}\n",
        PLACED "  j: {type: cylindrical, between: [ground, b], at: [0.3, 0.1, 0.2], axis: [1, "
               "2, 2]}\n",
        PLACED "  j: {type: planar, between: [ground, b], at: [0.3, 0.1, 0.2], axis: [1, 2, "
               "2]}\n"};
    const double axis[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    const double across[3] = {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0};
    const double rounding = 1e-14;
    random_source r = {UINT64_C(5)};
    for (int i = 0; i < 4; i++) {
        mechanism m;
        mechanism_begin(&m, texts[i]);
        bool turns = i != 1, slides = i == 1 || i == 2;
        if (turns) {
            CHECK_NEAR(mechanism_value(&m, "joint.j.angle"), 0.0, rounding);
        }
        if (slides) {
            CHECK_NEAR(mechanism_value(&m, "joint.j.length"), 0.0, rounding);
        }
        for (int n = 0; n < 100; n++) {
            double angle = turns ? 3.0 * random_real(&r) : 0.0, q[4], move[3] = {0.0, 0.0, 0.0};
            double length = i == 0 ? 0.0 : random_real(&r);
            crank_add3(move, length, slides ? axis : across);
            crank_quaternion_of_axis(q, axis, angle);
            place(&m, q, move);
            CHECK_NEAR(closure(&m), 0.0, 10.0 * rounding);
            if (turns) {
                CHECK_NEAR(mechanism_value(&m, "joint.j.angle"), angle, 10.0 * rounding);
            }
            if (slides) {
                CHECK_NEAR(mechanism_value(&m, "joint.j.length"), length, 10.0 * rounding);
            }
            if (i == 3) {
                CHECK_NEAR(hypot(mechanism_value(&m, "joint.j.length1"),
                                 mechanism_value(&m, "joint.j.length2")),
                           fabs(length), 10.0 * rounding);
            }
        }
        mechanism_end(&m);
    }
}

static void lengths_in_a_plane_are_along_two_axes_across_the_normal(void **state)
{
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "joints: {j: {type: planar, between: [ground, b], at: [0, 0, 0], axis: "
                        "[0, 0, 1]}}\n");
    m.x[mechanism_column(&m, "body.b.x")] = 0.3;
    m.x[mechanism_column(&m, "body.b.y")] = -0.7;
    CHECK_NEAR(mechanism_value(&m, "joint.j.length1"), 0.3, 1e-15);
    CHECK_NEAR(mechanism_value(&m, "joint.j.length2"), -0.7, 1e-15);
    mechanism_end(&m);
}

static void angles_of_a_cross_are_those_about_its_arms(void **state)
{
    const double a1[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    const double a2[3] = {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0};
    const double none[3] = {0.0, 0.0, 0.0}, rounding = 1e-13;
    random_source r = {UINT64_C(6)};
    mechanism m;
    mechanism_begin(&m, PLACED "  j: {type: universal, between: [ground, b], at: [0.3, 0.1, "
                               "0.2], axes: [[1, 2, 2], [2, 1, -2]]}\n");
    for (int n = 0; n < 100; n++) {
        double q1[4], q2[4], q[4], angle1 = 3.0 * random_real(&r),
                                   angle2 = 3.0 * random_real(&r);
        crank_quaternion_of_axis(q1, a1, angle1);
        crank_quaternion_of_axis(q2, a2, angle2);
        crank_quaternion_multiply(q, q1, q2); /* about the arm of the body first */
        place(&m, q, none);
        CHECK_NEAR(closure(&m), 0.0, rounding);
        CHECK_NEAR(mechanism_value(&m, "joint.j.angle1"), angle1, rounding);
        CHECK_NEAR(mechanism_value(&m, "joint.j.angle2"), angle2, rounding);
    }
    mechanism_end(&m);
}

static void angles_of_a_cross_in_body_axes_are_zero_where_the_bodies_are_parallel(void **state)
{
    const double a1[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
    const double a2[3] = {2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0};
    double q[4], q1[4], q2[4];
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "joints: {j: {type: universal, between: [ground, b], at: {first: "
                        "[1, 2, 3], second: [0, 0, 0]}, axes: {first: [1, 2, 2], second: "
                        "[2, 1, -2]}}}\n");
    /* a body without a place is put there */
    CHECK_NEAR(mechanism_value(&m, "body.b.y"), 2.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "body.b.q0"), 1.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "joint.j.angle1"), 0.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "joint.j.angle2"), 0.0, 1e-12);
    crank_quaternion_of_axis(q1, a1, 0.8);
    crank_quaternion_of_axis(q2, a2, -0.3);
    crank_quaternion_multiply(q, q1, q2);
    memcpy(m.x + mechanism_column(&m, "body.b.q0"), q, sizeof q);
    CHECK_NEAR(mechanism_value(&m, "joint.j.angle1"), 0.8, 1e-13);
    CHECK_NEAR(mechanism_value(&m, "joint.j.angle2"), -0.3, 1e-13);
    mechanism_end(&m);
}

/* ---- axes given in the bodies ---- */

static void orientation_of(mechanism *m, const char *body, double R[9])
{
    double q[4];
    for (int k = 0; k < 4; k++) {
        char name[40];
        (void)snprintf(name, sizeof name, "body.%s.q%d", body, k);
        q[k] = mechanism_value(m, name);
    }
    crank_quaternion_matrix(R, q);
}

static void axes_given_in_the_bodies_are_brought_together(void **state)
{
    const double first[3] = {0.8, 0.0, 0.6}, second[3] = {1.0, 0.0, 0.0}, rounding = 1e-11;
    mechanism m;
    double A[9], B[9], one[3], other[3];
    mechanism_begin(&m, "crank: mechanism\n"
                        "bodies:\n"
                        "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                        "  b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 2, -1], "
                        "angle: 0.3}}\n"
                        "joints:\n"
                        "  j: {type: revolute, between: [a, b], at: {first: [0, 0, 1], second: "
                        "[0, 1, 0]}, axis: {first: [0.8, 0, 0.6], second: [1, 0, 0]}}\n");
    orientation_of(&m, "a", A);
    orientation_of(&m, "b", B);
    crank_mat3_times(one, A, first);
    crank_mat3_times(other, B, second);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(one[k], other[k], rounding);
    }
    mechanism_end(&m);
    mechanism_begin(&m, "crank: mechanism\n"
                        "dimension: 2\n"
                        "bodies:\n"
                        "  a: {mass: 1, inertia: 1, angle: 0.2}\n"
                        "  b: {mass: 1, inertia: 1, angle: -0.1}\n"
                        "joints:\n"
                        "  j: {type: prismatic, between: [a, b], at: {first: [0, 0], second: "
                        "[0, 1]}, axis: {first: [0.8, 0.6], second: [1, 0]}}\n");
    /* a's axis is turned by atan(3/4) in it */
    CHECK_NEAR(mechanism_value(&m, "body.b.angle"),
               mechanism_value(&m, "body.a.angle") + atan(0.75), rounding);
    mechanism_end(&m);
}

/* ---- names of rows ---- */

/* the rows of the only joint, in order; the list ends with NULL */
static void check_rows(const char *text, const char *const *rows)
{
    mechanism m;
    mechanism_begin(&m, text);
    int count = crank_eom_get_sizes(m.eom).lambda + crank_eom_get_sizes(m.eom).mu;
    for (int i = 0; i < count; i++) {
        const char *direction = NULL;
        assert_string_equal(crank_eom_constraint_joint(m.eom, i, &direction), "joint \"j\"");
        assert_non_null(rows[i]);
        assert_string_equal(direction, rows[i]);
    }
    assert_null(rows[count]);
    mechanism_end(&m);
}
#define CHECK_ROWS(text, ...)                                                                  \
    do {                                                                                       \
        const char *const rows[] = {__VA_ARGS__, NULL};                                        \
        check_rows(text, rows);                                                                \
    } while (0)

static void rows_are_named_after_world_axes(void **state)
{
    CHECK_ROWS(PLACED "  j: {type: revolute, between: [ground, b], at: [0.3, 0.1, 0.2], axis: "
                      "[0, 1, 0], drive: t}\n",
               "translation along x", "translation along y", "translation along z",
               "rotation about x", "rotation about z", "drive of angle");
    CHECK_ROWS(PLACED "  j: {type: prismatic, between: [ground, b], at: [0.3, 0.1, 0.2], axis: "
                      "[0, 0, -1], drive: t}\n",
               "translation along x", "translation along y", "rotation about y",
               "rotation about x", "rotation about z", "drive of length");
    CHECK_ROWS(PLACED "  j: {type: universal, between: [ground, b], at: [0.3, 0.1, 0.2], axes: "
                      "[[1, 0, 0], [0, 0, 1]]}\n",
               "translation along x", "translation along y", "translation along z",
               "rotation about y");
    CHECK_ROWS(PLACED "  j: {type: point_in_plane, between: [ground, b], at: [0.3, 0.1, 0.2], "
                      "axis: [3, 0, -4]}\n",
               "translation along (-0.6, 0, 0.8)");
    CHECK_ROWS(PLACED "  j: {type: rolling_sphere, between: [ground, b], radius: 0.5, plane: "
                      "{at: [0, 0, 0], normal: [0, 0, 1]}}\n",
               "contact", "rolling along x", "rolling along y");
}

/* along y; in the axes of the second body it has been computed */
static void rounding_of_an_axis_does_not_turn_frames(void **state)
{
    static const char *const texts[2] = {
        "joints: {j: {type: prismatic, between: [a, b], at: {first: [0, 0, 0], second: [0, 0, "
        "0]}, axis: {first: [0, 1, 0], second: [6.9e-17, 1, 8.3e-17]}}}\n",
        "joints: {j: {type: revolute, between: [a, b], at: {first: [0, 0, 0], second: [0, 0, "
        "0]}, axis: {first: [0, 1, 0], second: [6.9e-17, 1, 8.3e-17]}}}\n"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        mechanism m;
        snprintf(text, sizeof text, "%s%s",
                 "crank: mechanism\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
                 "  b: {mass: 1, inertia: [1, 1, 1]}\n",
                 texts[i]);
        mechanism_begin(&m, text);
        CHECK_NEAR(m.x[mechanism_column(&m, "body.b.q0")], 1.0, 1e-15); /* put parallel */
        CHECK_NEAR(closure(&m), 0.0, 1e-15);
        if (i == 1) {
            CHECK_NEAR(mechanism_value(&m, "joint.j.angle"), 0.0, 1e-15);
        }
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_zero_at_the_start_and_as_placed),
        cmocka_unit_test(lengths_in_a_plane_are_along_two_axes_across_the_normal),
        cmocka_unit_test(angles_of_a_cross_are_those_about_its_arms),
        cmocka_unit_test(angles_of_a_cross_in_body_axes_are_zero_where_the_bodies_are_parallel),
        cmocka_unit_test(axes_given_in_the_bodies_are_brought_together),
        cmocka_unit_test(rounding_of_an_axis_does_not_turn_frames),
        cmocka_unit_test(rows_are_named_after_world_axes),
    };
    return CHECK_RUN(argc, argv, tests);
}
