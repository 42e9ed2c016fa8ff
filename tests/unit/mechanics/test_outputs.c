/* test_outputs.c - what mechanisms show: reactions, angles, energies, names; what they
 * refuse. */
// SPDX-License-Identifier: BSD-3-Clause
#include "motion.h"
#include "one_state.h"

#include <stdio.h>

static void reactions_are_forces_on_the_second_body(void **state)
{
    /* a beam of weight 20 N hangs from one hinge, horizontal, held by a fixed joint: m g and m
     * g l/2 */
    motion m = begin("crank: mechanism\n"
                     "gravity: [0, 0, -10]\n"
                     "bodies: {beam: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                     "joints: {wall: {type: fixed, between: [ground, beam], at: [0, 0, 0]}}\n",
                     0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.wall.fz"), 20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.ty"), -20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.fx"), 0.0, 1e-12);
    end(&m);
    m = begin("crank: mechanism\n" /* the same, ground second: the opposite */
              "gravity: [0, 0, -10]\n"
              "bodies: {beam: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
              "joints: {wall: {type: fixed, between: [beam, ground], at: [0, 0, 0]}}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.wall.fz"), -20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.ty"), 20.0, 1e-12);
    end(&m);
    m = begin("crank: mechanism\n" /* joint axes: z along the axis */
              "reactions: joint\n"
              "gravity: [0, 0, -10]\n"
              "bodies: {beam: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
              "joints: {wall: {type: prismatic, between: [ground, beam], at: [0, 0, 0], axis: "
              "[0, 1, 0]}}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.wall.fz"), 0.0, 1e-12);
    CHECK_NEAR(hypot(column(&m, "joint.wall.fx"), column(&m, "joint.wall.fy")), 20.0, 1e-12);
    CHECK_NEAR(fabs(column(&m, "joint.wall.tz")), 20.0, 1e-12);
    end(&m);
}

static void reactions_of_turned_bodies_are_in_world_or_joint_axes(void **state)
{
    /* the beam of before in a body turned about z: m g upwards, m g l/2 about x, and a torque
     * is met */
    motion m = begin("crank: mechanism\n"
                     "gravity: [0, 0, -10]\n"
                     "bodies: {beam: {mass: 2, inertia: [1, 1, 1], center: [1, 0, 0],"
                     " orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
                     "joints: {wall: {type: fixed, between: [ground, beam], at: [0, 0, 0]}}\n"
                     "forces: {f: {type: torque, body: beam, torque: [0, 5, 0]}}\n",
                     0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.wall.fz"), 20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.tx"), 20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.ty"), -5.0, 1e-12);
    end(&m);
    /* planar, a block on a slope of 30 degrees: x along the axis, y to its left */
    m = begin("crank: mechanism\n"
              "dimension: 2\n"
              "reactions: joint\n"
              "gravity: [0, -10]\n"
              "bodies: {block: {mass: 2, inertia: 1}}\n"
              "joints: {slope: {type: prismatic, between: [ground, block], at: [0, 0], axis: "
              "[sqrt(3), 1]}}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.slope.fx"), 0.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.slope.fy"), 10.0 * sqrt(3.0), 1e-12);
    end(&m);
}

/* A weight of 20 N that hangs on a joint without an axis, in a body turned by 90 degrees about
 * x, whose y is the world's z: the second body's axes have it in fy, whatever the joint. */
static void joints_without_an_axis_have_the_axes_of_the_second_body(void **state)
{
    static const char *const joint[] = {
        "{type: spherical, between: [ground, a], at: [0, 0, 0]}",
        "{type: fixed, between: [ground, a], at: [0, 0, 0]}",
        "{type: fixed, between: [ground, a], at: {first: [0, 0, 0], second: [0, 0, 0]}}",
        "{type: distance, between: [ground, a], at: {first: [0, 0, 1], second: [0, 0, 0]}}",
        "{type: curve, between: [ground, a], curve: [s, 0, 0], start: 0}",
        "{type: surface, between: [ground, a], surface: [s1, s2, 0], start: [0, 0]}",
        "{type: point_driver, body: a, path: [0, 0, 0]}",
        "{type: point_driver, body: a, along: [0, 0, 1], is: 0}"};
    for (size_t i = 0; i < sizeof joint / sizeof joint[0]; i++) {
        char text[640];
        (void)snprintf(text, sizeof text,
                       "crank: mechanism\n"
                       "reactions: joint\n"
                       "gravity: [0, 0, -10]\n"
                       "bodies: {a: {mass: 2, inertia: [1, 2, 3],"
                       " position: [0, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}}\n"
                       "joints: {hold: %s}\n"
                       "outputs: {weight: joint.hold.fy}\n",
                       joint[i]);
        motion m = begin(text, 0.0, 0.0);
        CHECK_NEAR(column(&m, "joint.hold.fx"), 0.0, 1e-12);
        CHECK_NEAR(column(&m, "joint.hold.fy"), 20.0, 1e-12);
        CHECK_NEAR(column(&m, "joint.hold.fz"), 0.0, 1e-12);
        CHECK_NEAR(column(&m, "weight"), 20.0, 1e-12);
        end(&m);
    }
    /* in the plane: the world's at the start, wherever body axes point */
    motion m = begin("crank: mechanism\n"
                     "dimension: 2\n"
                     "reactions: joint\n"
                     "gravity: [0, -10]\n"
                     "bodies: {a: {mass: 1, inertia: 1, angle: 30 deg},"
                     " b: {mass: 2, inertia: 1, angle: 90 deg}}\n"
                     "joints:\n"
                     "  wall: {type: fixed, between: [ground, a], at: [0, 0]}\n"
                     "  hold: {type: revolute, between: [a, b],"
                     " at: {first: [0, 0], second: [0, 0]}}\n",
                     0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.hold.fx"), 0.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.hold.fy"), 20.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.wall.fy"), 30.0, 1e-12);
    end(&m);
}

static void reactions_of_two_hinges_are_marked_as_not_unique(void **state)
{
    motion m = begin(
        "crank: mechanism\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {door: {mass: 30, inertia: [10, 12, 3], position: [0.5, 0, 1]}}\n"
        "joints:\n"
        "  low: {type: revolute, between: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  high: {type: revolute, between: [ground, door], at: [0, 0, 2], axis: [0, 0, 1]}\n",
        0.0, 0.0);
    static const char *const open[] = {"fx", "fy", "fz", "tx", "ty"};
    for (int i = 0; i < 5; i++) {
        char low[40], high[40];
        (void)snprintf(low, sizeof low, "joint.low.unique.%s", open[i]);
        (void)snprintf(high, sizeof high, "joint.high.unique.%s", open[i]);
        CHECK_NEAR(column(&m, low), 0.0, 0.0);
        CHECK_NEAR(column(&m, high), 0.0, 0.0);
    }
    CHECK_NEAR(column(&m, "joint.low.unique.tz"), 1.0, 0.0);
    CHECK_NEAR(column(&m, "joint.low.fz") + column(&m, "joint.high.fz"), 300.0, 1e-10);
    end(&m);
    /* a ball below and a guide above: nothing is redundant, no such columns */
    m = begin("crank: mechanism\n"
              "gravity: [0, 0, -10]\n"
              "bodies: {door: {mass: 30, inertia: [10, 12, 3], position: [0.5, 0, 1]}}\n"
              "joints:\n"
              "  low: {type: spherical, between: [ground, door], at: [0, 0, 0]}\n"
              "  high: {type: point_on_line, between: [ground, door], at: [0, 0, 2], axis: [0, "
              "0, 1]}\n",
              0.0, 0.0);
    assert_int_equal(crank_run_find(m.run, "joint.low.unique.fx"), -1);
    CHECK_NEAR(column(&m, "joint.low.fz"), 300.0, 1e-10);
    CHECK_NEAR(column(&m, "joint.high.fx"), -75.0, 1e-10); /* 300 N x 0.5 m / 2 m */
    end(&m);
    /* two balls on a line: only the force along the line is open */
    m = begin("crank: mechanism\n"
              "gravity: [0, 0, -10]\n"
              "bodies: {door: {mass: 30, inertia: [10, 12, 3], position: [0.5, 0, 1]}}\n"
              "joints:\n"
              "  low: {type: spherical, between: [ground, door], at: [0, 0, 0]}\n"
              "  high: {type: spherical, between: [ground, door], at: [0, 0, 2]}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.low.unique.fx"), 1.0, 0.0);
    CHECK_NEAR(column(&m, "joint.low.unique.fz"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.high.unique.fz"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.high.fx"), -75.0, 1e-10);
    end(&m);
}

/* forces in newtons beside moments of nanometres: which are open is no matter of units */
static void reactions_are_marked_alike_in_all_units(void **state)
{
    (void)state;
    static const char *const open[] = {"fx", "fy", "fz", "tx", "ty"}, *const coordinates[] = {
                                                                          "absolute", "joint"};
    for (int c = 0; c < 2; c++) {
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\n"
            "gravity: [0, 0, -1e10]\n"
            "bodies:\n"
            "  door: {mass: 30, inertia: [1e19, 1.2e19, 3e18], position: [5e8, 0, 1e9]}\n"
            "joints:\n"
            "  low: {type: revolute, between: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}\n"
            "  high: {type: revolute, between: [ground, door], at: [0, 0, 2e9], axis: [0, 0, "
            "1]}\n"
            "simulate: {coordinates: %s}\n",
            coordinates[c]);
        motion m = begin(text, 0.0, 0.0);
        for (int i = 0; i < 5; i++) {
            char name[40];
            (void)snprintf(name, sizeof name, "joint.high.unique.%s", open[i]);
            CHECK_NEAR(column(&m, name), 0.0, 0.0);
        }
        CHECK_NEAR(column(&m, "joint.high.unique.tz"), 1.0, 0.0);
        end(&m);
    }
}

/* The effort that the gears share is open, no reaction is: nothing but rounding is left of what
 * is to be zero. */
static void gears_that_repeat_each_other_leave_reactions_unique(void **state)
{
    motion m = begin(
        "crank: mechanism\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  b1: {mass: 2, inertia: [0.2, 0.2, 0.2], position: [1, 1, 0.5]}\n"
        "  b3: {mass: 1, inertia: [0.3, 0.7, 1], position: [-1, 0, 0], center: [0, 0.2, "
        "-0.2]}\n"
        "  b5: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [-1, -0.5, -0.5],\n"
        "    angular_velocity: [0, 0, 3]}\n"
        "joints:\n"
        "  j2: {type: revolute, between: [ground, b1], at: [0.25, -0.25, 0.25], axis: [1, 0, "
        "0]}\n"
        "  j4: {type: prismatic, between: [ground, b3], at: [0, -0.5, 0], axis: [0, 0, 1]}\n"
        "  j6: {type: revolute, between: [b3, b5], at: [-1, 0, 0], axis: [0, 0, 1]}\n"
        "  g9: {type: gear, joints: [j6, j2], ratio: -1}\n"
        "  g10: {type: gear, joints: [j6, j2], ratio: -1}\n",
        1e-8, 0.5);
    static const char *const parts[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
    static const char *const joints[] = {"j2", "j4", "j6"};
    for (int k = 0; k <= 10; k++) {
        if (k > 0) {
            go(&m, 0.05 * k);
        }
        for (int i = 0; i < 18; i++) {
            char name[40];
            (void)snprintf(name, sizeof name, "joint.%s.unique.%s", joints[i / 6],
                           parts[i % 6]);
            CHECK_NEAR(column(&m, name), 1.0, 0.0);
        }
        CHECK_NEAR(column(&m, "joint.g9.unique.effort"), 0.0, 0.0);
        CHECK_NEAR(column(&m, "joint.g10.unique.effort"), 0.0, 0.0);
    }
    end(&m);
}

/* What two gears share is open, what a third shaft's gear and its drive exert is not. */
static void efforts_of_gears_and_drives_are_marked_where_they_repeat_others(void **state)
{
    static const char *const text =
        "crank: mechanism\n"
        "dimension: 2\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.1}\n"
        "  b: {mass: 1, inertia: 0.4, position: [0.3, 0]}\n"
        "  c: {mass: 1, inertia: 0.4, position: [0.6, 0]}\n"
        "  d: {mass: 1, inertia: 0.4, position: [0.9, 0]}\n"
        "joints:\n"
        "  ha: {type: revolute, between: [ground, a], at: [0, 0]}\n"
        "  hb: {type: revolute, between: [ground, b], at: [0.3, 0]}\n"
        "  hc: {type: revolute, between: [ground, c], at: [0.6, 0]}\n"
        "  hd: {type: revolute, between: [ground, d], at: [0.9, 0], drive: 0.5*t^2}\n"
        "  g1: {type: gear, joints: [ha, hb], ratio: -0.5}\n"
        "  g2: {type: gear, joints: [ha, hb], ratio: -0.5}\n"
        "  g3: {type: gear, joints: [hb, hc], ratio: 2}\n"
        "%s"
        "forces: {motor: {type: torque, body: a, torque: 10}}\n";
    char whole[1200];
    (void)snprintf(whole, sizeof whole, text, "");
    motion m = begin(whole, 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.g1.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.g2.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.g3.unique.effort"), 1.0, 0.0);
    CHECK_NEAR(column(&m, "joint.hd.unique.effort"), 1.0, 0.0);
    CHECK_NEAR(column(&m, "joint.hd.effort"), 0.4, 1e-12); /* inertia times acceleration */
    end(&m);
    (void)snprintf(whole, sizeof whole, text,
                   "  again: {type: driver, of: 2*joint.hd.angle, is: t^2}\n");
    m = begin(whole, 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.hd.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.again.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.g3.unique.effort"), 1.0, 0.0);
    end(&m);
    m = begin("crank: mechanism\n" /* drives alone: there is no reaction to compare with */
              "bodies: {a: {type: point, mass: 2}}\n"
              "joints:\n"
              "  x: {type: driver, of: body.a.x, is: t^2}\n"
              "  y: {type: driver, of: body.a.y, is: t^2}\n"
              "  y_again: {type: driver, of: 3*body.a.y, is: 3*t^2}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.x.unique.effort"), 1.0, 0.0);
    CHECK_NEAR(column(&m, "joint.y.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.y_again.unique.effort"), 0.0, 0.0);
    end(&m);
}

/* Two planets share what they carry between sun and ring; the ring's other wheel does not. */
static void efforts_of_teeth_are_marked_where_they_repeat_others(void **state)
{
    motion m = begin(
        "crank: mechanism\n"
        "bodies:\n"
        "  sun: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}\n"
        "  p: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.063, 0, 0]}\n"
        "  q: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [-0.063, 0, 0]}\n"
        "  ring: {mass: 4, inertia: [0.04, 0.04, 0.04]}\n"
        "  out: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0.13, 0]}\n"
        "joints:\n"
        "  s: {type: revolute, between: [ground, sun], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  r: {type: revolute, between: [ground, ring], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  a: {type: revolute, between: [ground, p], at: [0.063, 0, 0], axis: [0, 0, 1]}\n"
        "  b: {type: revolute, between: [ground, q], at: [-0.063, 0, 0], axis: [0, 0, 1]}\n"
        "  o: {type: revolute, between: [ground, out], at: [0, 0.13, 0], axis: [0, 0, 1]}\n"
        "  sp: {type: teeth, between: [sun, p], at: [0.036, 0, 0], line: [0.36, 1, 0]}\n"
        "  pr: {type: teeth, between: [p, ring], at: [0.09, 0, 0], line: [0.36, -1, 0]}\n"
        "  sq: {type: teeth, between: [sun, q], at: [-0.036, 0, 0], line: [-0.36, -1, 0]}\n"
        "  qr: {type: teeth, between: [q, ring], at: [-0.09, 0, 0], line: [-0.36, 1, 0]}\n"
        "  ro: {type: teeth, between: [ring, out], at: [0, 0.1, 0], line: [-1, 0.36, 0]}\n"
        "forces: {motor: {type: torque, body: sun, torque: [0, 0, 50]}}\n",
        0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.sp.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.pr.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.sq.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.qr.unique.effort"), 0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.ro.unique.effort"), 1.0, 0.0);
    end(&m);
}

/* A beam of weight 20 N that stands on points which hold it up, its centre at x = 0.5. The
 * rows hold it at x_i: W_i = (0, 1, x_i - 0.5), so that f = -lambda_i up, with the sizes
 * s_i^2 ~ L^2 + (x_i - 0.5)^2 of (7.27), L the natural length. */
#define BEAM(unit)                                                                             \
    "crank: mechanism\n"                                                                       \
    "dimension: 2\n"                                                                           \
    "parameters: {m: " unit "}\n"                                                              \
    "gravity: [0, -10*m]\n"                                                                    \
    "bodies: {beam: {mass: 2, inertia: m^2, position: [0.5*m, 0]}}\n"                          \
    "joints:\n"                                                                                \
    "  push: {type: driver, of: body.beam.x, is: m*(0.5 + t^2)}\n"
#define STANDS(name, x)                                                                        \
    "  " name ": {type: point_driver, body: beam, at: [" x "*m, 0], along: [0, 1], is: 0}\n"

static void redundant_constraints_share_by_least_norm_in_every_row(void **state)
{
    /* two and two alike: 20 N/4 (1 +- 0.5/2) */
    motion m =
        begin(BEAM("1") STANDS("a", "-2") STANDS("b", "-2") STANDS("c", "2") STANDS("d", "2"),
              1e-8, 2.0);
    for (int k = 0; k < 5; k++) {
        if (k > 0) {
            go(&m, 0.4 * k);
        }
        CHECK_NEAR(column(&m, "joint.a.effort"), 3.75, 1e-12);
        CHECK_NEAR(column(&m, "joint.b.effort"), 3.75, 1e-12);
        CHECK_NEAR(column(&m, "joint.c.effort"), 6.25, 1e-12);
        CHECK_NEAR(column(&m, "joint.d.effort"), 6.25, 1e-12);
        CHECK_NEAR(column(&m, "joint.push.effort"), 4.0, 1e-8);
        CHECK_NEAR(column(&m, "joint.a.unique.effort"), 0.0, 0.0);
    }
    end(&m);
    /* what is stated three times as large carries the same: forces 2 and 3 2/3 */
    m = begin("crank: mechanism\n"
              "bodies: {a: {type: point, mass: 2}}\n"
              "joints:\n"
              "  y: {type: driver, of: body.a.y, is: t^2}\n"
              "  y_again: {type: driver, of: 3*body.a.y, is: 3*t^2}\n",
              0.0, 0.0);
    CHECK_NEAR(column(&m, "joint.y.effort"), 2.0, 1e-12);
    CHECK_NEAR(column(&m, "joint.y_again.effort"), 2.0 / 3.0, 1e-12);
    end(&m);
}

static void shares_are_least_in_natural_sizes_and_the_same_in_all_units(void **state)
{
    static const char *const text[2] = {
        BEAM("1") STANDS("a", "0") STANDS("b", "1") STANDS("c", "3"),
        BEAM("1000") STANDS("a", "0") STANDS("b", "1") STANDS("c", "3")};
    const double unit[2] = {1.0, 1000.0};
    double first[3] = {0.0};
    for (int k = 0; k < 2; k++) {
        motion m = begin(text[k], 0.0, 0.0);
        const double force[3] = {column(&m, "joint.a.effort"), column(&m, "joint.b.effort"),
                                 column(&m, "joint.c.effort")};
        const double L = m.eom->parts->length / unit[k];
        /* up, about the centre, and orthogonal to (-2, 3, -1), which moves nothing */
        CHECK_NEAR(force[0] + force[1] + force[2], 20.0 * unit[k], 1e-12 * unit[k]);
        CHECK_NEAR(-0.5 * force[0] + 0.5 * force[1] + 2.5 * force[2], 0.0, 1e-12 * unit[k]);
        CHECK_NEAR(-2.0 * (L * L + 0.25) * force[0] + 3.0 * (L * L + 0.25) * force[1] -
                       (L * L + 6.25) * force[2],
                   0.0, 1e-10 * unit[k]);
        for (int i = 0; i < 3; i++) {
            first[i] = k == 0 ? force[i] : first[i];
            CHECK_NEAR(force[i], first[i] * unit[k], 1e-10 * unit[k]);
        }
        end(&m);
    }
}

/* Friction reads the load of one of two hinges: what the motion goes on with is not shared out
 * again, or the friction shown would not be what brakes the door. */
static void loads_that_the_motion_reads_are_shown_as_they_are(void **state)
{
    motion m = begin("crank: mechanism\n"
                     "gravity: [0, 0, -10]\n"
                     "bodies: {door: {mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0],"
                     " angular_velocity: [0, 0, 3], velocity: [0, 1.5, 0]}}\n"
                     "joints:\n"
                     "  low: {type: revolute, between: [ground, door], at: [0, 0, -1], axis: "
                     "[0, 0, 1]}\n"
                     "  high: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: "
                     "[0, 0, 1]}\n"
                     "forces: {rub: {type: friction, joint: low, coefficient: 0.3, radius: 0.1,"
                     " slip: 0.01}}\n"
                     "outputs: {braked: -1.5*joint.low.angle_acceleration}\n",
                     1e-8, 0.4);
    for (int k = 1; k <= 4; k++) {
        go(&m, 0.1 * k);
        assert_true(fabs(column(&m, "braked")) > 0.05);
        CHECK_NEAR(fabs(column(&m, "force.rub.torque")), fabs(column(&m, "braked")), 1e-9);
    }
    end(&m);
}

static void angles_count_full_turns(void **state)
{
    const char *text =
        "crank: mechanism\n"
        "bodies: {wheel: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 7]}}\n"
        "joints: {axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0],\n"
        "  axis: [0, 0, 1]}}\n";
    motion m = begin(text, 1e-9, 3.0);
    for (int i = 1; i <= 12; i++) {
        go(&m, 0.25 * i);
        CHECK_NEAR(column(&m, "joint.axle.angle"), 7.0 * 0.25 * i, 1e-7);
        CHECK_NEAR(column(&m, "joint.axle.angle_rate"), 7.0, 1e-9);
    }
    /* a new run of the same model counts from its start again */
    crank_error err = {0};
    double values[100];
    const double *x = crank_state_start(m.model);
    assert_true(crank_run_column_count(m.run) <= 100);
    CHECK_OK(crank_state_begin(m.model, 0.0, x, &err), err);
    CHECK_OK(crank_state_columns(m.model, 0.0, x, values, &err), err);
    CHECK_NEAR(values[crank_run_find(m.run, "joint.axle.angle")], 0.0, 1e-15);
    end(&m);
}

static void a_drive_supplies_the_energy_that_appears(void **state)
{
    motion m = begin("crank: mechanism\n"
                     "gravity: [0, -9.81, 0]\n"
                     "energy: true\n"
                     "bodies: {arm: {mass: 2, inertia: [0.1, 0.2, 0.3], center: [0.5, 0, 0]}}\n"
                     "joints: {motor: {type: revolute, between: [ground, arm], at: [0, 0, 0],\n"
                     "  axis: [0, 0, 1], drive: t^2 + sin(t)}}\n",
                     1e-10, 2.0);
    const double e0 = energy(&m);
    go(&m, 2.0);
    CHECK_NEAR(column(&m, "joint.motor.angle"), 4.0 + sin(2.0), 1e-13);
    assert_true(fabs(column(&m, "energy.supplied")) > 1.0);
    CHECK_NEAR(energy(&m) - column(&m, "energy.supplied"), e0, 1e-8);
    CHECK_NEAR(column(&m, "energy.dissipated"), 0.0, 0.0);
    end(&m);
}

static void rows_are_called_by_joint_and_direction(void **state)
{
    crank_state *model = read_text(DOUBLE_SPATIAL);
    const crank_eom *eom = crank_state_eom(model);
    char text[160];
    assert_string_equal(crank_eom_row_name(eom, eom->row[CRANK_ROW_GI], text, sizeof text),
                        "joint \"hip\", translation along x, velocity level");
    assert_string_equal(crank_eom_row_name(eom, eom->row[CRANK_ROW_D] + 7, text, sizeof text),
                        "dynamic equation of body.lower.vy");
    assert_string_equal(crank_eom_column_name(eom, eom->column[CRANK_P] + 3), "body.upper.q0");
    assert_int_equal(eom->row_place[eom->row[CRANK_ROW_G] + 5].line, 10);
    assert_int_equal(eom->column_place[eom->column[CRANK_V]].line, 4);
    one_state_close(model);
}

static void what_is_fixed_is_of_the_origin_and_in_world_axes(void **state)
{
    /* the tip must go up by turning about the origin, which is not the centre of mass */
    motion m = begin("crank: mechanism\n"
                     "bodies: {rod: {mass: 1, inertia: [1, 1, 1], center: [0.5, 0.1, 0],\n"
                     "  velocity: [0.3, 0, 0], angular_velocity: [0.1, 0.2, 0],\n"
                     "  fixed: [position, velocity, angular_velocity]}}\n"
                     "joints: {tip: {type: point_in_plane, between: [ground, rod],\n"
                     "  at: {first: [0, 0.2, 0], second: [1, 0, 0]}, axis: [0, 1, 0]}}\n"
                     "nonholonomic: {still: body.rod.vx - 0.3}\n",
                     0.0, 0.0);
    CHECK_NEAR(column(&m, "body.rod.x"), 0.0, 1e-12);
    CHECK_NEAR(column(&m, "body.rod.y"), 0.0, 1e-12);
    CHECK_NEAR(column(&m, "body.rod.vx"), 0.3, 1e-12);
    CHECK_NEAR(column(&m, "body.rod.vy"), 0.0, 1e-12);
    CHECK_NEAR(column(&m, "body.rod.vz"), 0.0, 1e-12); /* of the centre of mass it is not */
    CHECK_NEAR(column(&m, "body.rod.wx"), 0.1, 1e-12);
    CHECK_NEAR(column(&m, "body.rod.wy"), 0.2, 1e-12);
    CHECK_NEAR(2.0 * column(&m, "body.rod.q0") * column(&m, "body.rod.q3"), 0.2, 1e-12);
    end(&m);
}

static void refuse(const char *text, bool compile, crank_accelerations accelerations,
                   crank_status expected, const char *part)
{
    crank_state *model = NULL;
    crank_error err = {0};
    crank_model_options options = crank_model_options_default();
    options.compile = compile;
    options.accelerations = accelerations;
    const crank_status status =
        one_state_read_text("test", text, strlen(text), &options, &model, &err);
    if (status != expected) {
        print_error("%s\n", err.text);
    }
    assert_int_equal(status, expected);
    CHECK_CONTAINS(err.text, part);
    assert_null(model);
}

/* a rod of length 1 and mass 2, hinged at its end, at rest 120 deg away from hanging down */
static const char planar_pendulum[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {a: 30 deg}\n"
    "bodies: {rod: {mass: 2, inertia: 2/12, center: [0.5, 0], angle: a}}\n"
    "joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 0]}}\n";

static void what_mechanisms_cannot_do_is_refused(void **state)
{
    refuse(planar_pendulum, true, CRANK_ACCELERATIONS_AUTO, CRANK_EREFUSED, "--compile");
    refuse(planar_pendulum, false, CRANK_ACCELERATIONS_ELIMINATE, CRANK_EREFUSED,
           "accelerations=eliminate");
    refuse("crank: mechanism\n"
           "bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\n"
           "outputs: {h: body.rod.vxx}\n",
           false, CRANK_ACCELERATIONS_AUTO, CRANK_EMODEL, "did you mean \"vx\"?");
    refuse("crank: mechanism\n"
           "bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}\n"
           "outputs: {h: body.rid.x}\n",
           false, CRANK_ACCELERATIONS_AUTO, CRANK_EMODEL, "rod");
}

static void expect_column(const crank_state *model, const char *name, const char *unit,
                          const char *text)
{
    for (int i = 0; i < crank_model_column_count(crank_state_model(model)); i++) {
        if (strcmp(crank_model_column_name(crank_state_model(model), i), name) == 0) {
            assert_string_equal(crank_model_column_unit(crank_state_model(model), i), unit);
            assert_string_equal(crank_model_column_description(crank_state_model(model), i),
                                text);
            return;
        }
    }
    fail_msg("no column %s", name);
}

static void columns_have_units_and_descriptions(void **state)
{
    motion m =
        begin("crank: mechanism\n"
              "bodies: {rod: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
              "joints: {A: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: "
              "[0, 0, 1]}}\n"
              "forces: {leg: {type: spring, between: [ground, rod], stiffness: 1, length: 1,"
              " at: [[0, 2, 0], [1, 0, 0]]}}\n"
              "dynamic: {r: {rate: -r}}\n"
              "outputs: {h: body.rod.x + 1}\n",
              0.0, 0.0);
    const crank_state *model = m.model;
    expect_column(model, "body.rod.x", "m", "x of the origin of body rod");
    expect_column(model, "body.rod.q2", "1", "Euler parameter q2 of body rod");
    expect_column(model, "body.rod.wz", "rad/s",
                  "angular velocity about z of body rod, world axes");
    expect_column(model, "joint.A.angle_rate", "rad/s", "rate of the angle of joint A");
    expect_column(model, "joint.A.fx", "N", "force of joint A on body rod along x, world axes");
    expect_column(
        model, "joint.A.tz", "N m",
        "torque of joint A on body rod about z, about the joint's point on it, world axes");
    expect_column(model, "force.leg.length", "m", "length of force element leg");
    expect_column(model, "force.leg.force", "N", "force of force element leg");
    expect_column(model, "r", "", "dynamic variable");
    expect_column(model, "h", "", "body.rod.x + 1");
    expect_column(model, "energy.kinetic", "J", "kinetic energy");
    for (int i = 0; i < crank_model_column_count(crank_state_model(model)); i++) {
        assert_non_null(crank_model_column_unit(crank_state_model(model), i));
        assert_non_null(crank_model_column_description(crank_state_model(model), i));
    }
    end(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_are_forces_on_the_second_body),
        cmocka_unit_test(reactions_of_turned_bodies_are_in_world_or_joint_axes),
        cmocka_unit_test(joints_without_an_axis_have_the_axes_of_the_second_body),
        cmocka_unit_test(reactions_of_two_hinges_are_marked_as_not_unique),
        cmocka_unit_test(reactions_are_marked_alike_in_all_units),
        cmocka_unit_test(gears_that_repeat_each_other_leave_reactions_unique),
        cmocka_unit_test(efforts_of_gears_and_drives_are_marked_where_they_repeat_others),
        cmocka_unit_test(efforts_of_teeth_are_marked_where_they_repeat_others),
        cmocka_unit_test(angles_count_full_turns),
        cmocka_unit_test(redundant_constraints_share_by_least_norm_in_every_row),
        cmocka_unit_test(shares_are_least_in_natural_sizes_and_the_same_in_all_units),
        cmocka_unit_test(loads_that_the_motion_reads_are_shown_as_they_are),
        cmocka_unit_test(a_drive_supplies_the_energy_that_appears),
        cmocka_unit_test(what_is_fixed_is_of_the_origin_and_in_world_axes),
        cmocka_unit_test(rows_are_called_by_joint_and_direction),
        cmocka_unit_test(what_mechanisms_cannot_do_is_refused),
        cmocka_unit_test(columns_have_units_and_descriptions),
    };
    return CHECK_RUN(argc, argv, tests);
}
