/* test_joint_motions.c - joints and drives move as an exact solution says; what rolls and
 * touches:
 * test_rolling_motions.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "exact_motion.h"

static void hinge_counts_full_turns(void **state)
{
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 2, 2.5], angular_velocity: [3, 0, 4]}\n"
                      "joints:\n"
                      "  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0.6, "
                      "0, 0.8]}\n",
                 3.0, {"joint.j.angle", 15.0}, {"joint.j.angle_rate", 5.0});
    CHECK_MOTION(HEAD "dimension: 2\n"
                      "bodies:\n"
                      "  a: {mass: 2, inertia: 1, angle: 0.5, rate: -5}\n"
                      "joints:\n"
                      "  j: {type: revolute, between: [ground, a], at: [0, 0]}\n",
                 3.0, {"joint.j.angle", -15.0}, {"body.a.angle", -14.5});
}

static void slider_runs_down_its_axis(void **state)
{
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 2.5], position: [1, 2, 3], center: [0.1, 0.2, "
                 "0]}\n"
                 "joints:\n"
                 "  j: {type: prismatic, between: [ground, a], at: [1, 1, 0], axis: [0.6, 0, "
                 "-0.8]}\n",
                 1.0, {"joint.j.length", 0.4 * g}, {"joint.j.length_rate", 0.8 * g},
                 {"body.a.x", 1.0 + 0.24 * g}, {"body.a.q0", 1.0});
    CHECK_MOTION(HEAD GRAVITY_2
                 "bodies:\n"
                 "  a: {mass: 2, inertia: 1, angle: 0.3}\n"
                 "joints:\n"
                 "  j: {type: prismatic, between: [ground, a], at: [1, 1], axis: "
                 "[0.6, -0.8]}\n",
                 1.0, {"joint.j.length", 0.4 * g}, {"body.a.angle", 0.3});
}

static void cylinders_fall_freely_and_screws_as_their_thread_allows(void **state)
{
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 2.5], angular_velocity: [0, 0, 2]}\n"
                 "joints:\n"
                 "  j: {type: cylindrical, between: [ground, a], at: [0, 0, 0], axis: [0, 0, "
                 "1]}\n",
                 1.0, {"joint.j.angle", 2.0}, {"joint.j.length", -0.5 * g},
                 {"joint.j.length_rate", -g});
    const double lead = 0.3, a = -g / (1.0 + 0.5 / (2.0 * lead * lead));
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [0.4, 0.4, 0.5]}\n"
                 "joints:\n"
                 "  j: {type: screw, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], "
                 "pitch: 0.6*pi}\n",
                 2.0, {"joint.j.length", 2.0 * a}, {"joint.j.angle", 2.0 * a / lead});
}

static void ball_joint_lets_a_round_body_turn_evenly(void **state)
{
    const double rate = sqrt(14.0);
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 1, 1], angular_velocity: [1, 2, 3]}\n"
                      "joints:\n"
                      "  j: {type: spherical, between: [ground, a], at: [0, 0, 0]}\n",
                 1.0, {"body.a.q0", cos(0.5 * rate)},
                 {"body.a.q2", 2.0 / rate * sin(0.5 * rate)}, {"body.a.wz", 3.0},
                 {"body.a.x", 0.0});
}

static void cross_transmits_as_a_cardan_joint(void **state)
{
    /* shafts that enclose the angle 0.5; the first fork stands out of their plane at the
     * start */
    CHECK_MOTION(HEAD
                 "bodies:\n"
                 "  a: {mass: 1, inertia: [1, 2, 2]}\n"
                 "  b: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: "
                 "0.5}}\n"
                 "joints:\n"
                 "  in: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [1, 0, "
                 "0], drive: t}\n"
                 "  cross: {type: universal, between: [a, b], at: [0, 0, 0], axes: [[0, 0, "
                 "1], [-sin(0.5), cos(0.5), 0]]}\n"
                 "  out: {type: parallel_axes, between: [ground, b], axis: [cos(0.5), "
                 "sin(0.5), 0]}\n",
                 1.2, {"joint.in.angle", 1.2}, {"joint.out.angle", atan(tan(1.2) * cos(0.5))});
}

static void planes_give_way_along_themselves(void **state)
{
    /* normal (0, 0.6, 0.8): what is left of gravity is g (0, 0.48, -0.36) */
    CHECK_MOTION(
        HEAD GRAVITY
        "bodies:\n"
        "  a: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0], angular_velocity: [0, "
        "1.8, 2.4]}\n"
        "joints:\n"
        "  j: {type: planar, between: [ground, a], at: [0, 0, 0], axis: [0, 0.6, "
        "0.8]}\n",
        1.0, {"body.a.x", 1.0}, {"body.a.y", 0.24 * g}, {"body.a.z", -0.18 * g},
        {"joint.j.angle", 3.0});
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {type: point, mass: 2, velocity: [1, 0, 0]}\n"
                 "joints:\n"
                 "  j: {type: point_in_plane, between: [ground, a], at: [0, 0, 0], axis: [0, "
                 "0.6, 0.8]}\n",
                 1.0, {"body.a.x", 1.0}, {"body.a.y", 0.24 * g}, {"body.a.z", -0.18 * g});
}

static void welded_bodies_turn_as_one(void **state)
{
    /* two masses on a line, in free fall, turning about their common centre (0.5, 0, 0) */
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 1, 1], velocity: [0, -1, 0], angular_velocity: "
                 "[0, 0, 2]}\n"
                 "  b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 1, 0], "
                 "angular_velocity: [0, 0, 2]}\n"
                 "joints:\n"
                 "  j: {type: fixed, between: [a, b], at: [0.3, 0.2, 0.1]}\n",
                 1.0, {"body.b.x", 0.5 + 0.5 * cos(2.0)}, {"body.b.y", 0.5 * sin(2.0)},
                 {"body.b.z", -0.5 * g}, {"body.a.q3", sin(1.0)}, {"body.b.q3", sin(1.0)});
}

static void rod_carries_a_conical_pendulum(void **state)
{
    const double rate = sqrt(g / (2.0 * cos(0.6))), radius = 2.0 * sin(0.6);
    CHECK_MOTION(
        HEAD GRAVITY
        "bodies:\n"
        "  a: {type: point, mass: 2, position: [2*sin(0.6), 0, -2*cos(0.6)], velocity: "
        "[0, 2*sin(0.6)*sqrt(9.81/(2*cos(0.6))), 0]}\n"
        "joints:\n"
        "  j: {type: distance, between: [ground, a], at: [[0, 0, 0], [2*sin(0.6), 0, "
        "-2*cos(0.6)]]}\n"
        "outputs: {pull: -joint.j.effort}\n",
        1.0, {"pull", 2.0 * g / cos(0.6)}, {"body.a.x", radius * cos(rate)},
        {"body.a.y", radius * sin(rate)}, {"body.a.z", -2.0 * cos(0.6)});
    /* on a hinge at half the height: it keeps its height without gravity, too */
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {type: point, mass: 2, position: [1, 0, 1], velocity: [0, 3, 0]}\n"
                      "joints:\n"
                      "  j: {type: revolute_spherical, between: [ground, a], at: [[0, 0, 0], "
                      "[1, 0, 1]], axis: [0, 0, 1]}\n",
                 3.0, {"joint.j.angle", 9.0}, {"body.a.x", cos(9.0)}, {"body.a.z", 1.0});
}

static void bead_runs_down_a_wire(void **state)
{
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {type: point, mass: 2, position: [1, 2, 3]}\n"
                 "joints:\n"
                 "  j: {type: point_on_line, between: [ground, a], at: [1, 2, 3], axis: [0.6, "
                 "0, -0.8]}\n",
                 1.0, {"joint.j.length", 0.4 * g}, {"body.a.y", 2.0});
    CHECK_MOTION(HEAD GRAVITY_2 "bodies:\n"
                                "  a: {mass: 2, inertia: 1, rate: 4}\n"
                                "joints:\n"
                                "  j: {type: point_on_line, between: [ground, a], at: [0, 0], "
                                "axis: [0.6, -0.8]}\n",
                 1.0, {"joint.j.length", 0.4 * g}, {"body.a.angle", 4.0});
}

static void parallel_axes_leave_all_translations(void **state)
{
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 2.5], velocity: [1, 0, 0], angular_velocity: "
                 "[0, 2, 0]}\n"
                 "joints:\n"
                 "  j: {type: parallel_axes, between: [ground, a], axis: [0, 1, 0]}\n",
                 2.0, {"joint.j.angle", 4.0}, {"body.a.x", 2.0}, {"body.a.z", -2.0 * g});
}

static void gears_racks_and_couplers_share_the_motion(void **state)
{
    /* a weight of 2 kg at the radius 0.3 of a pinion with inertia 0.5 */
    const double rack = -g / (1.0 + 0.5 / (2.0 * 0.09));
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [0.5, 0.5, 0.5]}\n"
                 "  b: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}\n"
                 "joints:\n"
                 "  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
                 "  k: {type: prismatic, between: [ground, b], at: [0.3, 0, 0], axis: [0, 0, "
                 "1]}\n"
                 "  g: {type: rack_and_pinion, joints: [j, k], radius: -0.3}\n",
                 2.0, {"joint.k.length", 2.0 * rack}, {"joint.j.angle", -2.0 * rack / 0.3},
                 {"joint.g.effort", 2.0 * (rack + g)});
    /* the same weight drives a second wheel through a gear: inertia 0.5 + 4 0.2 */
    const double geared = -g / (1.0 + (0.5 + 4.0 * 0.2) / (2.0 * 0.09));
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [0.5, 0.5, 0.5]}\n"
                 "  b: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}\n"
                 "  c: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1, 0, 0]}\n"
                 "joints:\n"
                 "  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
                 "  k: {type: prismatic, between: [ground, b], at: [0.3, 0, 0], axis: [0, 0, "
                 "1]}\n"
                 "  l: {type: revolute, between: [ground, c], at: [1, 0, 0], axis: [0, 1, 0]}\n"
                 "  g: {type: rack_and_pinion, joints: [j, k], radius: -0.3}\n"
                 "  h: {type: gear, joints: [j, l], ratio: -2}\n",
                 2.0, {"joint.k.length", 2.0 * geared}, {"joint.l.angle", 4.0 * geared / 0.3},
                 {"joint.h.effort", 0.2 * 2.0 * geared / 0.3});
    /* two weights over pulleys: q2 = -2 q1 and (m1 + 4 m2) q1'' = (2 m2 - m1) g */
    CHECK_MOTION(HEAD GRAVITY_2
                 "bodies:\n"
                 "  a: {mass: 1, inertia: 1}\n"
                 "  b: {mass: 3, inertia: 1, position: [1, 0]}\n"
                 "joints:\n"
                 "  j: {type: prismatic, between: [ground, a], at: [0, 0], axis: "
                 "[0, 1]}\n"
                 "  k: {type: prismatic, between: [ground, b], at: [1, 0], axis: "
                 "[0, 1]}\n"
                 "  g: {type: coupler, joints: [j, k], factors: [2, 1]}\n",
                 2.0, {"joint.j.length", 10.0 / 13.0 * g}, {"joint.k.length", -20.0 / 13.0 * g},
                 {"joint.g.effort", 9.0 / 13.0 * g});
}

#define WHEELS                                                                                 \
    "dimension: 2\n"                                                                           \
    "bodies: {a: {mass: 1, inertia: 0.3}, b: {mass: 2, inertia: 0.8, position: [0.3, 0]}}\n"   \
    "forces: {motor: {type: torque, body: a, torque: 5}}\n"                                    \
    "joints:\n"                                                                                \
    "  ha: {type: revolute, between: [ground, a], at: [0, 0]}\n"                               \
    "  hb: {type: revolute, between: [ground, b], at: [0.3, 0]}\n"

/* Wheels of radii 0.1 and 0.2 by a torque of 5 N m: acceleration 5/(0.3 + 0.8/4) = 10, the
 * other has -5. The teeth give it 4 N m: along the line of action 4/(0.2 cos 20 deg), which
 * the bearings carry, too. */
static void teeth_press_along_their_line_of_action_on_the_bearings(void **state)
{
    const double f = 4.0 / (0.2 * cos(20.0 * acos(-1.0) / 180.0)), across = 4.0 / 0.2,
                 radial = across * tan(20.0 * acos(-1.0) / 180.0);
    CHECK_MOTION(HEAD WHEELS "  m: {type: mesh, between: [a, b], radii: [0.1, 0.2]}\n", 1.0,
                 {"body.a.angle", 5.0}, {"body.b.angle", -2.5}, {"joint.m.effort", f},
                 {"joint.m.separation", radial}, {"joint.m.fx", radial}, {"joint.m.fy", across},
                 {"joint.m.tz", -4.0}, {"joint.hb.fx", -radial}, {"joint.hb.fy", -across},
                 {"joint.ha.fx", radial}, {"joint.ha.fy", across});
    /* flanks that would have to pull */
    CHECK_MOTION(HEAD WHEELS
                 "  m: {type: mesh, between: [a, b], radii: [0.1, 0.2], flank: cw}\n",
                 1.0, {"body.b.angle", -2.5}, {"joint.m.separation", -radial},
                 {"joint.hb.fx", radial}, {"joint.hb.fy", -across});
    /* an internal gear of radius 0.4 turns along: 5/(0.3 + 0.8/16) = 100/7, its torque is 0.8
     * times a quarter of it; the first lies to the left of its centre and presses to the
     * left */
    const double a = 100.0 / 7.0, ring = 0.8 * a / 4.0;
    CHECK_MOTION(HEAD WHEELS "  m: {type: mesh, between: [a, b], radii: [0.1, -0.4]}\n", 1.0,
                 {"body.a.angle", 0.5 * a}, {"body.b.angle", 0.125 * a}, {"joint.m.tz", ring},
                 {"joint.m.fy", -ring / 0.4},
                 {"joint.m.fx", -ring / 0.4 * tan(20.0 * acos(-1.0) / 180.0)},
                 {"joint.m.separation", ring / 0.4 * tan(20.0 * acos(-1.0) / 180.0)});
}

/* Sun of radius 0.1, planet of 0.05 in a fixed ring of 0.2: the sun turns three times as fast
 * as the carrier, the planet -3 times. Inertia by the carrier: 0.2 + 2 0.15^2 + 0.01 9 + 0.04
 * 9. */
static void a_planet_between_sun_and_ring_turns_the_carrier(void **state)
{
    const double inertia = 0.2 + 2.0 * 0.0225 + 0.09 + 0.36, rate = 2.0 * 3.0 / inertia;
    CHECK_MOTION(HEAD "dimension: 2\n"
                      "bodies:\n"
                      "  sun: {mass: 1, inertia: 0.04}\n"
                      "  carrier: {mass: 1, inertia: 0.2}\n"
                      "  planet: {mass: 2, inertia: 0.01, position: [0.15, 0]}\n"
                      "joints:\n"
                      "  hs: {type: revolute, between: [ground, sun], at: [0, 0]}\n"
                      "  hc: {type: revolute, between: [ground, carrier], at: [0, 0]}\n"
                      "  pin: {type: revolute, between: [carrier, planet], at: [0.15, 0]}\n"
                      "  inner: {type: mesh, between: [sun, planet], radii: [0.1, 0.05]}\n"
                      "  outer: {type: mesh, between: [planet, ground], radii: [0.05, -0.2]}\n"
                      "forces: {motor: {type: torque, body: sun, torque: 2}}\n",
                 2.0, {"body.carrier.rate", 2.0 * rate}, {"body.carrier.angle", 2.0 * rate},
                 {"body.sun.angle", 6.0 * rate}, {"body.planet.angle", -6.0 * rate});
}

static void drives_prescribe_the_motion_and_supply_its_energy(void **state)
{
    const double speed = 0.6 * cos(2.0);
    CHECK_MOTION(HEAD "energy: true\n"
                      "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                      "joints:\n"
                      "  d: {type: driver, of: body.a.x, is: 0.3*sin(2*t)}\n",
                 1.0, {"body.a.x", 0.3 * sin(2.0)}, {"energy.kinetic", speed * speed},
                 {"energy.supplied", speed * speed - 0.36}, {"joint.d.effort", -2.4 * sin(2.0)},
                 {"joint.d.power", -2.4 * sin(2.0) * speed});
    /* a spline through points of a line is the line, also beyond its ends */
    CHECK_MOTION(HEAD
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                 "joints:\n"
                 "  d: {type: driver, of: body.a.z, table: [[0, 1], [0.4, 1.8], [1, 3]]}\n",
                 1.5, {"body.a.z", 4.0}, {"body.a.vz", 2.0});
    /* a spline that is held ends level: 3 u^2 - 2 u^3, 6 u - 6 u^2, then it stays */
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                      "joints:\n"
                      "  d: {type: driver, of: body.a.z, table: {points: [[0, 0], [1, 1]], "
                      "outside: hold}}\n",
                 0.25, {"body.a.z", 0.15625}, {"body.a.vz", 1.125},
                 {"joint.d.effort", 2.0 * (6.0 - 12.0 * 0.25)});
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                      "joints:\n"
                      "  d: {type: driver, of: body.a.z, table: {points: [[0, 0], [1, 1]], "
                      "outside: hold}}\n",
                 1.5, {"body.a.z", 1.0}, {"body.a.vz", 0.0}, {"joint.d.effort", 0.0});
    /* to and fro for ever: by symmetry -cos with pieces 1 - 3 u^2 + 2 u^3 */
    CHECK_MOTION(HEAD
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                 "joints:\n"
                 "  d: {type: driver, of: body.a.z, table: {points: [[-1, 0], [0, 1], [1, 0]], "
                 "outside: repeat}}\n",
                 4.25, {"body.a.z", 1.0 - 0.15625}, {"body.a.vz", -1.125});
    /* a hinge driven through more than a full turn */
    CHECK_MOTION(HEAD GRAVITY
                 "energy: true\n"
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 3], position: [0.5, 0, 0]}\n"
                 "joints:\n"
                 "  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0], "
                 "drive: 4*t^2}\n",
                 1.5, {"joint.j.angle", 9.0}, {"body.a.x", 0.5 * cos(9.0)},
                 {"body.a.z", -0.5 * sin(9.0)},
                 /* 1/2 (I + m r^2) rate^2 + m g z */
                 {"energy.supplied", 0.5 * 2.5 * 144.0 - 2.0 * g * 0.5 * sin(9.0)},
                 /* its rate: (I + m r^2) rate acceleration - m g r cos(angle) rate */
                 {"joint.j.effort", 2.5 * 8.0 - 2.0 * g * 0.5 * cos(9.0)},
                 {"joint.j.power", (2.5 * 8.0 - 2.0 * g * 0.5 * cos(9.0)) * 12.0});
    /* both coordinates of a cylinder: I + m r^2 = 3.5 about z */
    CHECK_MOTION(
        HEAD GRAVITY
        "bodies:\n"
        "  a: {mass: 2, inertia: [1, 2, 3], position: [0.5, 0, 0]}\n"
        "joints:\n"
        "  j: {type: cylindrical, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], "
        "drive_angle: sin(2*t), drive_length: 0.2*t^2}\n",
        0.5, {"joint.j.effort_angle", -14.0 * sin(1.0)},
        {"joint.j.power_angle", -14.0 * sin(1.0) * 2.0 * cos(1.0)},
        {"joint.j.effort_length", 2.0 * (0.4 + g)},
        {"joint.j.power_length", 2.0 * (0.4 + g) * 0.2});
    /* a point along one direction, and along a path */
    CHECK_MOTION(
        HEAD GRAVITY "bodies:\n"
                     "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                     "joints:\n"
                     "  d: {type: point_driver, body: a, along: [0, 0, 1], is: 0.2*t^2}\n",
        0.5, {"joint.d.effort", 2.0 * (0.4 + g)}, {"joint.d.power", 2.0 * (0.4 + g) * 0.2});
    CHECK_MOTION(HEAD GRAVITY
                 "bodies:\n"
                 "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                 "joints:\n"
                 "  d: {type: point_driver, body: a, path: [0.3*t^2, t, 0.2*t^2]}\n",
                 0.5, {"joint.d.power", 2.0 * (0.4 + g) * 0.2 + 2.0 * 0.6 * 0.3});
}

/* A mass on a rod of length L = sqrt(1 + t^2), free to swing: L^2 angle' = h stays, so that
 * angle = h atan(t), and the rod pushes with m (L'' - h^2/L^3) = m (1 - h^2)/L^3 */
static void a_rod_of_driven_length_keeps_the_angular_momentum(void **state)
{
    const double h = 2.0, mass = 3.0, angle = h * atan(1.5), L = sqrt(3.25);
    const double effort = mass * (1.0 - h * h) / (L * L * L), rate = 1.5 / L;
    const double supplied = 0.5 * mass * (rate * rate + h * h / (L * L) - h * h);
    CHECK_MOTION(
        HEAD "energy: true\n"
             "bodies: {a: {type: point, mass: 3, position: [1, 0, 0], velocity: [0, 2, 0]}}\n"
             "joints:\n"
             "  rod: {type: distance, between: [ground, a], at: [[0, 0, 0], [1, 0, "
             "0]], length: sqrt(1 + t^2)}\n",
        1.5, {"body.a.x", L * cos(angle)}, {"body.a.y", L * sin(angle)},
        {"joint.rod.effort", effort}, {"joint.rod.power", effort * rate},
        {"joint.rod.fx", effort * cos(angle)}, {"joint.rod.fy", effort * sin(angle)},
        {"energy.supplied", supplied});
    CHECK_MOTION(HEAD
                 "dimension: 2\n"
                 "parameters: {one: 1}\n"
                 "bodies: {a: {type: point, mass: 3, position: [1, 0], velocity: [0, 2]}}\n"
                 "joints:\n"
                 "  rod: {type: distance, between: [a, ground], at: [[1, 0], [0, 0]], "
                 "length: sqrt(one + t^2)}\n",
                 1.5, {"body.a.x", L * cos(angle)}, {"body.a.y", L * sin(angle)},
                 {"joint.rod.effort", effort}, {"joint.rod.power", effort * rate});
}

static void a_driven_point_follows_its_path(void **state)
{
    /* a body swings about a point that moves uniformly: 0.5 from its centre, 2 rad/s about z */
    CHECK_MOTION(
        HEAD "bodies:\n"
             "  a: {mass: 2, inertia: [1, 2, 3], velocity: [0.3, -1, 0], "
             "angular_velocity: [0, 0, 2]}\n"
             "joints:\n"
             "  d: {type: point_driver, body: a, at: [0.5, 0, 0], path: [0.5 + 0.3*t, 0, 0]}\n",
        1.0, {"body.a.x", 0.5 + 0.3 - 0.5 * cos(2.0)}, {"body.a.y", -0.5 * sin(2.0)},
        {"joint.d.fx", 2.0 * 2.0 * cos(2.0)}, {"joint.d.fy", 2.0 * 2.0 * sin(2.0)});
    /* along one direction, the body pushed by it: m x'' = f */
    CHECK_MOTION(HEAD "bodies:\n"
                      "  a: {mass: 2, inertia: [1, 2, 3]}\n"
                      "joints:\n"
                      "  d: {type: point_driver, body: a, along: [0, 1, 0], is: 0.25*t^2}\n",
                 1.0, {"body.a.y", 0.25}, {"joint.d.fy", 1.0});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinge_counts_full_turns),
        cmocka_unit_test(slider_runs_down_its_axis),
        cmocka_unit_test(cylinders_fall_freely_and_screws_as_their_thread_allows),
        cmocka_unit_test(ball_joint_lets_a_round_body_turn_evenly),
        cmocka_unit_test(cross_transmits_as_a_cardan_joint),
        cmocka_unit_test(planes_give_way_along_themselves),
        cmocka_unit_test(welded_bodies_turn_as_one),
        cmocka_unit_test(rod_carries_a_conical_pendulum),
        cmocka_unit_test(bead_runs_down_a_wire),
        cmocka_unit_test(parallel_axes_leave_all_translations),
        cmocka_unit_test(gears_racks_and_couplers_share_the_motion),
        cmocka_unit_test(teeth_press_along_their_line_of_action_on_the_bearings),
        cmocka_unit_test(a_planet_between_sun_and_ring_turns_the_carrier),
        cmocka_unit_test(drives_prescribe_the_motion_and_supply_its_energy),
        cmocka_unit_test(a_rod_of_driven_length_keeps_the_angular_momentum),
        cmocka_unit_test(a_driven_point_follows_its_path),
    };
    return CHECK_RUN(argc, argv, tests);
}
