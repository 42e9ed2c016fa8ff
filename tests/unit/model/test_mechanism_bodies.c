/* test_mechanism_bodies.c - mass and inertia of bodies: three ways to give a tensor, and solids
 * against known values and against integration over a grid of points. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_mechanism.h"

static const double pi = 3.14159265358979323846;
static const double exact = 2e-15; /* a few roundings, relative */

static sample *read_body(const char *keys)
{
    char text[400];
    (void)snprintf(text, sizeof text, "crank: mechanism\nbodies:\n  a: {%s}\n", keys);
    return read_mechanism(text);
}

static sample *read_planar(const char *keys)
{
    char text[400];
    (void)snprintf(text, sizeof text, "crank: mechanism\ndimension: 2\nbodies:\n  a: {%s}\n",
                   keys);
    return read_mechanism(text);
}

static void check_tensor(const sample *s, const double expected[9], double tolerance)
{
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(s->m.body[0].inertia[i], expected[i], tolerance);
    }
}

static void a_tensor_is_given_by_moments_or_by_rows(void **state)
{
    sample *s = read_body("mass: 2, inertia: [3, 4, 5]");
    check_tensor(s, (const double[9]){3, 0, 0, 0, 4, 0, 0, 0, 5}, 0.0);
    release(s);
    s = read_body("mass: 2, inertia: [[3, 1, 0], [1, 4, -0.5], [0, -0.5, 5]]");
    check_tensor(s, (const double[9]){3, 1, 0, 1, 4, -0.5, 0, -0.5, 5}, 0.0);
    release(s);
}

/* about a point d from the centre of mass: I + m (d.d E - d d^T) */
static void a_tensor_about_another_point_is_moved_to_the_centre_of_mass(void **state)
{
    /* center (1, 0, 0), point (1, 2, 3): d = (0, 2, 3), m = 2 */
    sample *s = read_body(
        "mass: 2, center: [1, 0, 0], inertia: {about: [1, 2, 3], tensor: [[29, 0, 0], [0, 22, "
        "-12], [0, -12, 13]]}");
    check_tensor(s, (const double[9]){3, 0, 0, 0, 4, 0, 0, 0, 5}, 32.0 * exact);
    CHECK_NEAR(s->m.body[0].center[0], 1.0, 0.0);
    release(s);
    s = read_body("mass: 2, center: [1, 0, 0], inertia: {tensor: [3, 4, 5]}");
    check_tensor(s, (const double[9]){3, 0, 0, 0, 4, 0, 0, 0, 5}, 0.0);
    release(s);
}

static void a_tensor_in_other_axes_is_turned(void **state)
{
    /* the tensor's x axis is the body's y axis */
    sample *s = read_body(
        "mass: 1, inertia: {axes: {axis: [0, 0, 1], angle: 90 deg}, tensor: [3, 4, 5]}");
    check_tensor(s, (const double[9]){4, 0, 0, 0, 3, 0, 0, 0, 5}, 8.0 * exact);
    release(s);
    /* 30 degrees about z: I_xx = 3 c^2 + 4 s^2, I_xy = (3 - 4) c s */
    s = read_body(
        "mass: 1, inertia: {axes: {axis: [0, 0, 1], angle: 30 deg}, tensor: [3, 4, 5]}");
    const double c = cos(pi / 6.0), n = sin(pi / 6.0);
    check_tensor(s,
                 (const double[9]){3 * c * c + 4 * n * n, -c * n, 0, -c * n,
                                   3 * n * n + 4 * c * c, 0, 0, 0, 5},
                 8.0 * exact);
    release(s);
}

static void planar_inertia_is_one_number_about_any_point(void **state)
{
    sample *s = read_planar("mass: 2, center: [1, 0], inertia: {about: [0, 0], tensor: 3}");
    CHECK_NEAR(s->m.body[0].inertia[8], 1.0, exact);
    release(s);
    s = read_planar("mass: 3, shape: {rod: 2}");
    CHECK_NEAR(s->m.body[0].inertia[8], 1.0, exact);
    release(s);
    s = read_planar("density: 3, shape: {box: [1, 2]}");
    CHECK_NEAR(s->m.body[0].mass, 6.0, 6.0 * exact);
    CHECK_NEAR(s->m.body[0].inertia[8], 2.5, 3.0 * exact);
    release(s);
    s = read_planar("mass: 2, shape: {cylinder: [3, 1]}");
    CHECK_NEAR(s->m.body[0].inertia[8], 9.0, 9.0 * exact);
    release(s);
}

static void solids_have_the_known_moments(void **state)
{
    const struct {
        const char *keys;
        double mass, xx, yy, zz;
    } list[] = {
        {"density: 2, shape: {box: [1, 2, 3]}", 12, 13, 10, 5},
        {"mass: 12, shape: {box: [1, 2, 3]}", 12, 13, 10, 5},
        {"mass: 12, shape: {cylinder: [1, 3]}", 12, 12, 12, 6},
        {"density: 1, shape: {cylinder: [1, 3]}", 3 * pi, 3 * pi, 3 * pi, 1.5 * pi},
        {"mass: 10, shape: {sphere: 2}", 10, 16, 16, 16},
        {"density: 3, shape: {sphere: 1}", 4 * pi, 1.6 * pi, 1.6 * pi, 1.6 * pi},
        {"mass: 80, shape: {cone: [1, 2]}", 80, 24, 24, 24},
        {"density: 3, shape: {cone: [1, 2]}", 2 * pi, 0.6 * pi, 0.6 * pi, 0.6 * pi},
        {"mass: 3, shape: {rod: 2}", 3, 1, 1, 0},
        {"density: 1.5, shape: {rod: 2}", 3, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        sample *s = read_body(list[i].keys);
        const crank_body_record *b = &s->m.body[0];
        CHECK_NEAR(b->mass, list[i].mass, exact * list[i].mass);
        CHECK_NEAR(b->inertia[0], list[i].xx, 2.0 * exact * b->inertia[0]);
        CHECK_NEAR(b->inertia[4], list[i].yy, 2.0 * exact * b->inertia[4]);
        CHECK_NEAR(b->inertia[8], list[i].zz, 2.0 * exact * b->inertia[8]);
        release(s);
    }
}

static void solids_lie_along_the_direction_they_are_given(void **state)
{
    /* I = I_across (E - a a^T) + I_own a a^T; 12 kg: across 12, own 6, a = (0.6, 0, 0.8) */
    sample *s = read_body("mass: 12, shape: {cylinder: [1, 3], along: [3, 0, 4]}");
    const double tensor[9] = {9.84, 0, -2.88, 0, 12, 0, -2.88, 0, 8.16};
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(s->m.body[0].inertia[i], tensor[i], 12.0 * 4.0 * exact);
    }
    release(s);
    s = read_body("mass: 3, shape: {along: [-1, 0, 0], rod: 2}");
    const double rod[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}; /* without rounding along an axis */
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(s->m.body[0].inertia[i], rod[i], 0.0);
    }
    release(s);
}

/* radius of a solid of revolution at height z from its lowest point */
typedef double radius_fn(double z, double r, double h);

static double cylinder_radius(double z, double r, double h)
{
    (void)z;
    (void)h;
    return r;
}

static double cone_radius(double z, double r, double h)
{
    return r * (1.0 - z / h);
}

static double capsule_radius(double z, double r, double h)
{
    const double below = r - z, above = z - r - h;
    const double d = below > 0.0 ? below : above > 0.0 ? above : 0.0;
    return sqrt(r * r - d * d);
}

static double sphere_radius(double z, double r, double h)
{
    (void)h;
    return sqrt(r * r - (z - r) * (z - r));
}

/* discs of radius R(z): dm = pi R^2 dz, dI_zz = R^2/2 dm, dI_xx = (R^2/4 + z^2) dm; midpoint
 * rule of second order:
 * n = 20000 discs leave an error below 1e-6 (square roots at the ends: n^-1.5) */
static void check_revolution(const char *keys, radius_fn *radius, double r, double h,
                             double length)
{
    enum { N = 20000 };
    double mass = 0.0, first = 0.0, xx = 0.0, zz = 0.0;
    for (int i = 0; i < N; i++) {
        const double z = (i + 0.5) * length / N;
        const double R = radius(z, r, h), dm = pi * R * R * length / N;
        mass += dm;
        first += z * dm;
        xx += (0.25 * R * R + z * z) * dm;
        zz += 0.5 * R * R * dm;
    }
    xx -= first * first / mass;
    sample *s = read_body(keys);
    const crank_body_record *b = &s->m.body[0];
    CHECK_NEAR(b->mass, mass, 1e-6 * mass);
    CHECK_NEAR(b->inertia[0], xx, 1e-6 * xx);
    CHECK_NEAR(b->inertia[4], xx, 1e-6 * xx);
    CHECK_NEAR(b->inertia[8], zz, 1e-6 * zz);
    release(s);
}

static void solids_agree_with_integration_over_discs(void **state)
{
    check_revolution("density: 1, shape: {cylinder: [0.7, 1.9]}", cylinder_radius, 0.7, 1.9,
                     1.9);
    check_revolution("density: 1, shape: {cone: [0.7, 1.9]}", cone_radius, 0.7, 1.9, 1.9);
    check_revolution("density: 1, shape: {capsule: [0.7, 1.9]}", capsule_radius, 0.7, 1.9, 3.3);
    check_revolution("density: 1, shape: {sphere: 0.7}", sphere_radius, 0.7, 0.0, 1.4);
}

static void thin_and_flat_bodies_are_allowed(void **state)
{
    sample *s = read_body("mass: 1, inertia: [1, 1, 0]");
    release(s);
    s = read_body("mass: 1, inertia: [1, 2, 3]");
    release(s);
    /* a flat body in general axes */
    s = read_body("mass: 1, inertia: {axes: [1, 2, 3, 4], tensor: [1, 2, 3]}");
    release(s);
    s = read_body("mass: 0");
    CHECK_NEAR(s->m.body[0].mass, 0.0, 0.0);
    release(s);
}

static void start_values_are_preferred_if_they_are_given_and_do_not_say_otherwise(void **state)
{
    sample *s = read_body("position: [1, 2, 3], velocity: [1, 0, 0]");
    const crank_body_record *b = &s->m.body[0];
    assert_int_equal(b->position_fixing, CRANK_PREFERRED);
    assert_int_equal(b->orientation_fixing, CRANK_PREFERRED); /* placed: not turned */
    assert_int_equal(b->velocity_fixing, CRANK_PREFERRED);
    assert_int_equal(b->angular_velocity_fixing, CRANK_FREE);
    release(s);
    s = read_body("mass: 0");
    assert_int_equal(s->m.body[0].position_fixing, CRANK_FREE);
    assert_int_equal(s->m.body[0].orientation_fixing, CRANK_FREE);
    release(s);
    s = read_body("fixed: [position, velocity], free: [orientation]");
    b = &s->m.body[0];
    assert_int_equal(b->position_fixing, CRANK_FIXED);
    assert_int_equal(b->velocity_fixing, CRANK_FIXED);
    assert_int_equal(b->orientation_fixing, CRANK_FREE);
    assert_int_equal(b->angular_velocity_fixing, CRANK_FREE);
    release(s);
    s = read_body("free: true, fixed: false");
    assert_int_equal(s->m.body[0].angular_velocity_fixing, CRANK_FREE);
    release(s);
}

static void an_orientation_is_made_a_unit_quaternion(void **state)
{
    sample *s = read_body("orientation: [2, 0, 0, 2], angular_velocity: [1, 2, 3]");
    CHECK_NEAR(s->m.body[0].orientation[0], sqrt(0.5), exact);
    CHECK_NEAR(s->m.body[0].orientation[3], sqrt(0.5), exact);
    CHECK_NEAR(s->m.body[0].angular_velocity[2], 3.0, 0.0);
    release(s);
    s = read_body("orientation: {axis: [0, 3, 0], angle: 60 deg}");
    CHECK_NEAR(s->m.body[0].orientation[0], cos(pi / 6.0), exact);
    CHECK_NEAR(s->m.body[0].orientation[2], 0.5, exact);
    release(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_is_given_by_moments_or_by_rows),
        cmocka_unit_test(a_tensor_about_another_point_is_moved_to_the_centre_of_mass),
        cmocka_unit_test(a_tensor_in_other_axes_is_turned),
        cmocka_unit_test(planar_inertia_is_one_number_about_any_point),
        cmocka_unit_test(solids_have_the_known_moments),
        cmocka_unit_test(solids_lie_along_the_direction_they_are_given),
        cmocka_unit_test(solids_agree_with_integration_over_discs),
        cmocka_unit_test(thin_and_flat_bodies_are_allowed),
        cmocka_unit_test(start_values_are_preferred_if_they_are_given_and_do_not_say_otherwise),
        cmocka_unit_test(an_orientation_is_made_a_unit_quaternion),
    };
    return CHECK_RUN(argc, argv, tests);
}
