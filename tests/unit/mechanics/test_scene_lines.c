/* test_scene_lines.c - lines that mechanisms draw by themselves: curves of joints, roads. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/scene_text.h"

/* A point of line i of the scene. */
static void line_point(const char *s, int i, int k, double out[3])
{
    char path[64];
    (void)snprintf(path, sizeof path, "lines.%d.points.%d", i, k);
    vector(s, path, out);
}

static void curves_are_drawn_in_axes_of_the_body_that_carries_them(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m, "crank: mechanism\n"
            "dimension: 2\n"
            "bodies:\n"
            "  cam: {mass: 1, inertia: 1, position: [1, 2]}\n"
            "  pin: {mass: 1, inertia: 1, position: [3, 2]}\n"
            "joints:\n"
            "  on: {type: curve, between: [cam, pin], curve: [2*cos(s), sin(s)], start: 0}\n"
            "  open: {type: curve, between: [ground, cam], curve: [s, 1 + s^2], start: 1}\n");
    char *s = scene_of(&m);
    double p[3] = {0.0, 0.0, 0.0};
    assert_true(json_is(s, "lines.0.name", "\"on\""));
    assert_true(json_is(s, "lines.0.body", "0"));
    assert_true(json_is(s, "lines.0.around", "true"));
    const int count = json_count(s, "lines.0.points");
    for (int k = 0; k < count; k++) {
        line_point(s, 0, k, p);
        CHECK_NEAR(p[0] * p[0] / 4.0 + p[1] * p[1], 1.0, exact);
    }
    double first[3];
    line_point(s, 0, 0, first);
    CHECK_NEAR(p[0], first[0], exact); /* it closes */
    assert_null(json_at(s, "lines.1.body"));
    for (int k = 0; k < json_count(s, "lines.1.points"); k++) {
        line_point(s, 1, k, p);
        CHECK_NEAR(p[1], 1.0 + p[0] * p[0], exact * fmax(1.0, p[1]));
    }
    free(s);
    mechanism_end(&m);
}

static void roads_are_drawn_as_far_as_wheels_go_unless_they_move(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m,
        "crank: mechanism\n"
        "dimension: 2\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, position: [5, 1], velocity: [10, 0]}\n"
        "forces:\n"
        "  bump: {type: tyre, body: a, stiffness: 1, radius: 1, road: 0.1*exp(-(x - 20)^2)}\n"
        "  wave: {type: tyre, body: a, stiffness: 1, radius: 1, road: 0.1*sin(x - t)}\n"
        "  own: {type: tyre, body: a, stiffness: 1, radius: 1, road: 0.2*x}\n"
        "simulate: {t_end: 3}\n"
        "view: {lines: {own: {points: [[0, 0], [1, 1]]}}}\n");
    char *s = scene_of(&m);
    double p[3], low, high;
    assert_int_equal(json_count(s, "lines"), 2);
    assert_true(json_is(s, "lines.0.name", "\"own\""));
    assert_int_equal(json_count(s, "lines.0.points"), 2);
    assert_true(json_is(s, "lines.1.name", "\"bump\""));
    const int count = json_count(s, "lines.1.points");
    line_point(s, 1, 0, p);
    low = p[0];
    for (int k = 0; k < count; k++) {
        line_point(s, 1, k, p);
        CHECK_NEAR(p[1], 0.1 * exp(-(p[0] - 20.0) * (p[0] - 20.0)), 1e-7); /* of x: 9 digits */
    }
    high = p[0];
    assert_true(low < 5.0 && high > 5.0 + 10.0 * 3.0);
    free(s);
    mechanism_end(&m);
}

/* The height of line i of the scene over x; its points come by rising x. */
static double line_height(const char *s, int i, double x)
{
    char path[64];
    double p[3], before[3];
    (void)snprintf(path, sizeof path, "lines.%d.points", i);
    const int count = json_count(s, path);
    line_point(s, i, 0, before);
    for (int k = 1; k < count; k++, memcpy(before, p, sizeof p)) {
        line_point(s, i, k, p);
        if (x >= before[0] && x <= p[0]) {
            return before[2] + (p[2] - before[2]) * (x - before[0]) / (p[0] - before[0]);
        }
    }
    return (double)NAN;
}

/* The file says of the wheel neither where it is nor how fast: its joint and the hull do. */
static void a_road_is_where_the_joints_put_the_wheel_with_its_narrow_bumps(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "bodies:\n"
                        "  hull: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 1], "
                        "velocity: [20, 0, 0]}\n"
                        "  wheel: {mass: 1, inertia: [1, 1, 1]}\n"
                        "joints:\n"
                        "  hub: {type: revolute, between: [hull, wheel], axis: [0, 1, 0], "
                        "at: {first: [0.5, 0.76, -0.7], second: [0, 0, 0]}}\n"
                        "forces:\n"
                        "  bump: {type: tyre, body: wheel, stiffness: 1, radius: 0.3, road: "
                        "\"0.05*if(x > 40 and x < 40.5, (1 - cos(4*pi*(x - 40)))/2, 0)\"}\n"
                        "  table: {type: tyre, body: wheel, stiffness: 1, radius: 0.3, "
                        "table: [[0, 0], [5, 0], [5.5, 0.05], [6, 0]]}\n"
                        "simulate: {t_end: 4}\n");
    static const double h = 0.05;
    const double pi = acos(-1.0);
    char *s = scene_of(&m);
    double p[3];
    assert_int_equal(json_count(s, "lines"), 2);
    assert_in_range(json_count(s, "lines.0.points"), 10, 100);
    for (int i = 0; i < 2; i++) {
        line_point(s, i, 0, p);
        CHECK_NEAR(p[1], 0.76, exact);
    }
    /* a thousandth of the height, and as much for what is between samples of 1/8192 */
    for (double x = 1.5; x<81.5; x += x> 39.0 && x < 41.0 ? 0.0137 : 1.1) {
        const double high =
            x > 40.0 && x < 40.5 ? 0.5 * h * (1.0 - cos(4.0 * pi * (x - 40.0))) : 0.0;
        CHECK_NEAR(line_height(s, 0, x), high, 2e-3 * h);
    }
    CHECK_NEAR(line_height(s, 1, 4.9), 0.0, 2e-3 * h);
    CHECK_NEAR(line_height(s, 1, 5.5), h, 2e-2 * h); /* a corner: slope times half a sample */
    free(s);
    mechanism_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_drawn_in_axes_of_the_body_that_carries_them),
        cmocka_unit_test(roads_are_drawn_as_far_as_wheels_go_unless_they_move),
        cmocka_unit_test(a_road_is_where_the_joints_put_the_wheel_with_its_narrow_bumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
