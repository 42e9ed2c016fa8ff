/* test_rolling_motions.c - what rolls, slides on an edge or touches curves moves as an exact
 * solution says. */
// SPDX-License-Identifier: BSD-3-Clause
#include "exact_motion.h"

static void wheels_and_balls_roll_down_a_slope(void **state)
{
    /* gravity turned by 0.3: a = g sin(0.3)/(1 + I/(m r^2)) */
    const double disc = g * sin(0.3) / (1.0 + 0.5), ball = g * sin(0.3) / 1.4;
    CHECK_MOTION(
        HEAD "gravity: [9.81*sin(0.3), 0, -9.81*cos(0.3)]\n"
             "bodies:\n"
             "  a: {mass: 2, inertia: [0.045, 0.09, 0.045], position: [0, 0, 0.3]}\n"
             "joints:\n"
             "  j: {type: rolling_disc, between: [ground, a], radius: 0.3, axis: [0, 1, 0], "
             "plane: {at: [0, 0, 0], normal: [0, 0, 1]}}\n",
        1.0, {"body.a.x", 0.5 * disc}, {"body.a.wy", disc / 0.3}, {"body.a.z", 0.3});
    CHECK_MOTION(HEAD
                 "gravity: [9.81*sin(0.3), 0, -9.81*cos(0.3)]\n"
                 "bodies:\n"
                 "  a: {mass: 2, shape: {sphere: 0.3}, position: [0, 0, 0.3], velocity: [0, 1, "
                 "0], angular_velocity: [-1/0.3, 0, 0.7]}\n"
                 "joints:\n"
                 "  j: {type: rolling_sphere, between: [ground, a], radius: 0.3, plane: {at: "
                 "[0, 0, 0], normal: [0, 0, 1]}}\n",
                 1.0, {"body.a.x", 0.5 * ball}, {"body.a.y", 1.0}, {"body.a.wy", ball / 0.3},
                 {"body.a.wz", 0.7});
    CHECK_MOTION(HEAD
                 "dimension: 2\n"
                 "gravity: [9.81*sin(0.3), -9.81*cos(0.3)]\n"
                 "bodies:\n"
                 "  a: {mass: 2, inertia: 0.09, position: [0, 0.3]}\n"
                 "joints:\n"
                 "  j: {type: rolling_disc, between: [ground, a], radius: 0.3, plane: {at: [0, "
                 "0], normal: [0, 1]}}\n",
                 1.0, {"body.a.x", 0.5 * disc}, {"body.a.angle", -0.5 * disc / 0.3});
}

static void what_rolls_and_slides_is_carried_by_a_moving_floor(void **state)
{
    /* a ball on a turntable runs on a circle with 2/7 of its rate */
    const double rate = 2.0 / 7.0 * 3.0, t = 2.0;
    CHECK_MOTION(
        HEAD GRAVITY
        "bodies:\n"
        "  table: {mass: 5, inertia: [1, 1, 2]}\n"
        "  ball: {mass: 2, shape: {sphere: 0.1}, position: [0.5, 0, 0.1], velocity: [0, "
        "0.4, 0], fixed: [position, velocity]}\n"
        "joints:\n"
        "  j: {type: revolute, between: [ground, table], at: [0, 0, 0], axis: [0, 0, "
        "1], drive: 3*t}\n"
        "  k: {type: rolling_sphere, between: [table, ball], radius: 0.1, plane: {at: "
        "[0, 0, 0], normal: [0, 0, 1]}}\n",
        t, {"body.ball.x", 0.5 + 0.4 / rate * (cos(rate * t) - 1.0)},
        {"body.ball.y", 0.4 / rate * sin(rate * t)}, {"body.ball.z", 0.1});
    /* a wheel on an accelerated belt: a third of the acceleration; a skate is taken along
     * sideways */
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  belt: {mass: 5, inertia: [1, 1, 2]}\n"
                 "  wheel: {mass: 2, inertia: [0.045, 0.09, 0.045], position: [0, 0, 0.3]}\n"
                 "joints:\n"
                 "  j: {type: prismatic, between: [ground, belt], at: [0, 0, 0], axis: [1, 0, "
                 "0], drive: 3*t^2/2}\n"
                 "  k: {type: rolling_disc, between: [belt, wheel], radius: 0.3, axis: [0, 1, "
                 "0], plane: {at: [0, 0, 0], normal: [0, 0, 1]}}\n",
                 1.0, {"body.wheel.x", 0.5}, {"body.wheel.wy", -2.0 / 0.3});
    CHECK_MOTION(HEAD
                 "dimension: 2\n"
                 "bodies:\n"
                 "  belt: {mass: 5, inertia: 1}\n"
                 "  skate: {mass: 2, inertia: 1, velocity: [0.5, 0]}\n"
                 "joints:\n"
                 "  j: {type: prismatic, between: [ground, belt], at: [0, 0], axis: [0, 1], "
                 "drive: 3*t^2/2}\n"
                 "  k: {type: skate, between: [belt, skate], at: [0, 0], axis: [1, 0]}\n",
                 1.0, {"body.skate.x", 0.5}, {"body.skate.y", 1.5});
}

static void tilted_disc_keeps_its_steady_precession(void **state)
{
    /* Moments about the contact point: with tilt a between axis and vertical, precession W and
     * own spin, w3 = spin + W cos a:  (I3 + m r^2) w3 W sin a - I1 W^2 sin a cos a + m g r cos
     * a = 0. The centre runs on a circle with the speed r |w3|, turning with W. */
    const double a = 1.0471975511965976, W = 2.0, r = 0.5, I1 = 0.0625, I3 = 0.125;
    const double w3 = (I1 * W * W * sin(a) - g * r) * cos(a) / ((I3 + r * r) * W * sin(a));
    const double radius = r * w3 / W; /* the centre goes to -x for w3 > 0 */
    const double t = 1.3;
    CHECK_MOTION(HEAD GRAVITY
                 "parameters: {a: pi/3, W: 2, r: 0.5, w3: (0.0625*W^2*sin(a) - 9.81*r)*cos(a)/"
                 "(0.375*W*sin(a)), own: w3 - W*cos(a)}\n"
                 "bodies:\n"
                 "  d: {mass: 1, inertia: [0.0625, 0.0625, 0.125], position: [0, r*cos(a), "
                 "r*sin(a)], orientation: {axis: [1, 0, 0], angle: a},\n"
                 "      velocity: [-r*w3, 0, 0], angular_velocity: [0, -own*sin(a), W + "
                 "own*cos(a)]}\n"
                 "joints:\n"
                 "  j: {type: rolling_disc, between: [ground, d], radius: r, axis: {first: [0, "
                 "0, 1], second: [0, 0, 1]}, plane: {at: [0, 0, 0], normal: [0, 0, 1]}}\n",
                 t, {"body.d.z", r * sin(a)}, {"body.d.x", -radius * sin(W * t)},
                 {"body.d.y", r * cos(a) - radius * (1.0 - cos(W * t))});
}

static void skate_runs_across_the_slope(void **state)
{
    const double rate = 2.0, t = 1.4, size = g * sin(0.8) / (2.0 * rate * rate);
    const double x = size * pow(sin(rate * t), 2.0);
    const double y = size * (rate * t - 0.5 * sin(2.0 * rate * t));
    CHECK_MOTION(HEAD "dimension: 2\n"
                      "gravity: [9.81*sin(0.8), 0]\n"
                      "bodies:\n"
                      "  a: {mass: 3, inertia: 0.5, rate: 2}\n"
                      "joints:\n"
                      "  j: {type: skate, between: [ground, a], at: [0, 0], axis: [1, 0]}\n",
                 t, {"body.a.x", x}, {"body.a.y", y});
    CHECK_MOTION(HEAD "gravity: [9.81*sin(0.8), 0, -9.81*cos(0.8)]\n"
                      "bodies:\n"
                      "  a: {mass: 3, inertia: [0.3, 0.4, 0.5], angular_velocity: [0, 0, 2]}\n"
                      "joints:\n"
                      "  i: {type: planar, between: [ground, a], at: [0, 0, 0], axis: [0, 0, "
                      "1]}\n"
                      "  j: {type: skate, between: [ground, a], axis: [1, 0, 0], plane: {at: "
                      "[0, 0, -1], normal: [0, 0, 1]}}\n",
                 t, {"body.a.x", x}, {"body.a.y", y}, {"joint.j.height", 1.0});
}

static void beads_on_curves_and_surfaces(void **state)
{
    /* cycloid: the arc length from the bottom, 4 a sin(s/2), swings harmonically */
    const double a = 0.7, rate = sqrt(g / (4.0 * a));
    const double s = 2.0 * asin(sin(0.6) * cos(1.7 * rate));
    CHECK_MOTION(HEAD GRAVITY_2 "bodies:\n"
                                "  p: {type: point, mass: 2, position: [0.7*(1.2 + sin(1.2)), "
                                "0.7*(1 - cos(1.2))]}\n"
                                "joints:\n"
                                "  j: {type: curve, between: [ground, p], curve: [0.7*(s + "
                                "sin(s)), 0.7*(1 - cos(s))], start: 1.2}\n",
                 1.7, {"body.p.x", a * (s + sin(s))}, {"body.p.y", a * (1.0 - cos(s))});
    /* helix: s'' = -g k/(r^2 + k^2) */
    const double end = -0.5 * g * 0.3 / (1.0 + 0.09) * 4.0;
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  p: {type: point, mass: 2, position: [1, 0, 0]}\n"
                 "joints:\n"
                 "  j: {type: curve, between: [ground, p], curve: [cos(s), sin(s), 0.3*s], "
                 "start: 0}\n",
                 2.0, {"body.p.x", cos(end)}, {"body.p.y", sin(end)}, {"body.p.z", 0.3 * end});
    /* twice round a tilted circle */
    CHECK_MOTION(HEAD "bodies:\n"
                      "  p: {type: point, mass: 2, position: [1, 0, 0], velocity: [0, 4.8, "
                      "-3.6]}\n"
                      "joints:\n"
                      "  j: {type: curve, between: [ground, p], curve: [cos(s), 0.8*sin(s), "
                      "-0.6*sin(s)], start: 0}\n",
                 2.0, {"body.p.x", cos(12.0)}, {"body.p.y", 0.8 * sin(12.0)});
    /* paraboloid z = c r^2: circles with the rate sqrt(2 g c) at every height */
    const double turn = sqrt(2.0 * g * 0.4) * 1.5;
    CHECK_MOTION(
        HEAD GRAVITY "bodies:\n"
                     "  p: {type: point, mass: 2, position: [0.8, 0, 0.256], velocity: [0, "
                     "0.8*sqrt(0.8*9.81), 0]}\n"
                     "joints:\n"
                     "  j: {type: surface, between: [ground, p], surface: [s1, s2, 0.4*(s1^2 + "
                     "s2^2)], start: [0.8, 0]}\n",
        1.5, {"body.p.x", 0.8 * cos(turn)}, {"body.p.y", 0.8 * sin(turn)}, {"body.p.z", 0.256});
}

static void outlines_slide_on_each_other(void **state)
{
    /* a smooth disc on a slope does not turn */
    CHECK_MOTION(HEAD GRAVITY_2
                 "bodies:\n"
                 "  a: {mass: 2, inertia: 0.1, position: [0.3*sin(0.5), 0.3*cos(0.5)]}\n"
                 "joints:\n"
                 "  j: {type: profile, between: [ground, a], profiles: [[s1*cos(0.5), "
                 "-s1*sin(0.5)], [0.3*cos(s2), 0.3*sin(s2)]], start: [0, -pi/2 - 0.5]}\n",
                 1.0, {"body.a.angle", 0.0},
                 {"body.a.x", 0.3 * sin(0.5) + 0.5 * g * sin(0.5) * cos(0.5)},
                 {"body.a.y", 0.3 * cos(0.5) - 0.5 * g * sin(0.5) * sin(0.5)});
    /* an eccentric cam lifts a flat follower: y = r + e sin(angle) */
    CHECK_MOTION(
        HEAD GRAVITY_2
        "bodies:\n"
        "  cam: {mass: 1, inertia: 0.1}\n"
        "  follower: {mass: 1, inertia: 0.1, position: [0, 0.5]}\n"
        "joints:\n"
        "  j: {type: revolute, between: [ground, cam], at: [0, 0], drive: 3*t}\n"
        "  k: {type: prismatic, between: [ground, follower], at: [0, 0.5], axis: [0, "
        "1]}\n"
        "  c: {type: profile, between: [cam, follower], profiles: [[0.2 + 0.5*cos(s1), "
        "0.5*sin(s1)], [s2, 0]], start: [pi/2, 0.2]}\n",
        1.5, {"body.follower.y", 0.5 + 0.2 * sin(4.5)}, {"body.follower.vy", 0.6 * cos(4.5)});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_and_balls_roll_down_a_slope),
        cmocka_unit_test(what_rolls_and_slides_is_carried_by_a_moving_floor),
        cmocka_unit_test(tilted_disc_keeps_its_steady_precession),
        cmocka_unit_test(skate_runs_across_the_slope),
        cmocka_unit_test(beads_on_curves_and_surfaces),
        cmocka_unit_test(outlines_slide_on_each_other),
    };
    return CHECK_RUN(argc, argv, tests);
}
