/* joint_examples.h - every joint in a small mechanism, for tests that treat all alike. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_JOINT_EXAMPLES_H
#define CRANK_TESTS_JOINT_EXAMPLES_H

static const char spatial[] =
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "energy: true\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], center: [0.1, -0.05, 0.2],\n"
    "      position: [0.1, 0.2, -0.1], orientation: {axis: [1, 2, 3], angle: 0.4},\n"
    "      velocity: [0.3, -0.2, 0.5], angular_velocity: [0.5, -0.6, 0.7]}\n"
    "  b: {mass: 1.5, inertia: [0.2, 0.25, 0.15], center: [-0.1, 0.15, 0.05],\n"
    "      position: [0.4, -0.3, 0.5], orientation: {axis: [2, -1, 1], angle: 0.7},\n"
    "      velocity: [-0.1, 0.4, 0.2], angular_velocity: [-0.4, 0.3, 0.8]}\n"
    "joints:\n";

static const char planar[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0.3, -9.81]\n"
    "energy: true\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: 0.3, center: [0.1, -0.05], position: [0.1, 0.2], angle: 0.4,\n"
    "      velocity: [0.3, -0.2], rate: 0.7}\n"
    "  b: {mass: 1.5, inertia: 0.2, center: [-0.1, 0.15], position: [0.4, -0.3], angle: -0.7,\n"
    "      velocity: [-0.1, 0.4], rate: -1.1}\n"
    "joints:\n";

typedef struct example {
    const char *name;
    const char *head, *joints;
    int holonomic, nonholonomic, contact, freedom; /* freedom: of velocities */
} example;

static const example examples[] = {
    {"revolute", spatial,
     "  j: {type: revolute, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n", 5, 0, 0,
     7},
    {"revolute by axes of the bodies", spatial,
     "  j: {type: revolute, between: [a, b], at: {first: [0.1, 0.2, 0.3], second: [0, 0.2, "
     "-0.1]}, axis: {first: [1, 0, 0], second: [0.8, 0, 0.6]}}\n",
     5, 0, 0, 7},
    {"driven revolute", spatial,
     "  j: {type: revolute, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, 2, 2], drive: "
     "0.3*sin(2*t)}\n",
     6, 0, 0, 6},
    {"prismatic", spatial,
     "  j: {type: prismatic, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, -1, 0.5]}\n", 5, 0,
     0, 7},
    {"driven prismatic", spatial,
     "  j: {type: prismatic, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, -1, 0.5], drive: "
     "t^2/2}\n",
     6, 0, 0, 6},
    {"cylindrical", spatial,
     "  j: {type: cylindrical, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.5]}\n", 4,
     0, 0, 8},
    {"driven cylindrical", spatial,
     "  j: {type: cylindrical, between: [b, a], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.5], "
     "drive_angle: t, drive_length: sin(t)}\n",
     6, 0, 0, 6},
    {"screw", spatial,
     "  j: {type: screw, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.5], pitch: "
     "0.4}\n",
     5, 0, 0, 7},
    {"spherical", spatial, "  j: {type: spherical, between: [a, b], at: [0.3, 0.1, 0.2]}\n", 3,
     0, 0, 9},
    {"universal", spatial,
     "  j: {type: universal, between: [a, b], at: [0.3, 0.1, 0.2], axes: [[1, 0, 0.5], [0.5, "
     "1, "
     "-1]]}\n",
     4, 0, 0, 8},
    {"universal by axes in its bodies", spatial,
     "  j: {type: universal, between: [a, b], at: {first: [0.3, 0.1, 0.2], second: [0, 0.2, "
     "0]}, axes: {first: [1, 2, 2], second: [2, 1, -2]}}\n",
     4, 0, 0, 8},
    {"planar", spatial,
     "  j: {type: planar, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n", 3, 0, 0,
     9},
    {"fixed", spatial, "  j: {type: fixed, between: [a, b], at: [0.3, 0.1, 0.2]}\n", 6, 0, 0,
     6},
    {"distance", spatial,
     "  j: {type: distance, between: [a, b], at: [[0.3, 0.1, 0.2], [0.5, 0, 0.9]]}\n", 1, 0, 0,
     11},
    {"distance with another length", spatial,
     "  j: {type: distance, between: [a, b], at: {first: [0.1, 0, 0], second: [0, 0.2, 0]}, "
     "length: 0.8}\n",
     1, 0, 0, 11},
    {"distance of a driven length", spatial,
     "  j: {type: distance, between: [a, b], at: {first: [0.1, 0, 0], second: [0, 0.2, 0]}, "
     "length: 0.8 + 0.1*sin(3*t) + t^3/5}\n",
     1, 0, 0, 11},
    {"revolute_spherical", spatial,
     "  j: {type: revolute_spherical, between: [a, b], at: [[0.3, 0.1, 0.2], [0.5, 0, 0.9]], "
     "axis: [0, 1, 0.2]}\n",
     2, 0, 0, 10},
    {"point_on_line", spatial,
     "  j: {type: point_on_line, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.2]}\n", 2,
     0, 0, 10},
    {"point_in_plane", spatial,
     "  j: {type: point_in_plane, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.2]}\n",
     1, 0, 0, 11},
    {"parallel_axes", spatial,
     "  j: {type: parallel_axes, between: [a, b], axis: [0, 1, 0.2]}\n", 2, 0, 0, 10},
    {"gear", spatial,
     "  g: {type: gear, joints: [j, k], ratio: -2.5}\n" /* before what it couples */
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
     "  k: {type: cylindrical, between: [a, b], at: [0.5, 0.1, 0.2], axis: [0, 2, 1]}\n",
     10, 0, 0, 2},
    {"rack_and_pinion", spatial,
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
     "  k: {type: prismatic, between: [ground, b], at: [0.5, 0.1, 0.2], axis: [0, 2, 1]}\n"
     "  g: {type: rack_and_pinion, joints: [j, k], radius: 0.2}\n",
     11, 0, 0, 1},
    {"coupler", spatial,
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
     "  k: {type: prismatic, between: [ground, b], at: [0.5, 0.1, 0.2], axis: [0, 2, 1]}\n"
     "  g: {type: coupler, joints: [j, k], factors: [1, -3]}\n",
     11, 0, 0, 1},
    {"driver of a joint", spatial,
     "  j: {type: cylindrical, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
     "  d: {type: driver, of: joint.j.angle + joint.j.length/2, is: 0.2*t}\n",
     5, 0, 0, 7},
    {"driver of a body by a table", spatial,
     "  d: {type: driver, of: body.a.x, table: [[0, 0.1], [0.3, 0.2], [0.7, 0], [1.2, 0.4]]}\n",
     1, 0, 0, 11},
    {"point_driver on a path", spatial,
     "  d: {type: point_driver, body: a, at: [0.3, 0.1, 0.2], path: [sin(t), 0.1*t^2, 0.2]}\n",
     3, 0, 0, 9},
    {"point_driver along a direction by a table", spatial,
     "  d: {type: point_driver, body: a, at: [0.3, 0.1, 0.2], along: [1, 2, 2], table: [[0, "
     "0.1], [0.3, 0.2], [0.7, 0], [1.2, 0.4]]}\n",
     1, 0, 0, 11},
    {"rolling_disc", spatial,
     "  j: {type: rolling_disc, between: [a, b], radius: 0.6, axis: [1, 2, 0.4], plane: {at: "
     "[0, 0, 0], normal: [0.1, 0, 1]}}\n",
     1, 2, 0, 9},
    {"rolling_sphere", spatial,
     "  j: {type: rolling_sphere, between: [a, b], radius: 0.6, at: [0.4, -0.2, 0.6], plane: "
     "{at: [0, 0, 0], normal: [0.1, 0, 1]}}\n",
     1, 2, 0, 9},
    {"skate", spatial,
     "  j: {type: skate, between: [a, b], at: [0.4, -0.2, 0.1], axis: [1, 0.4, 0], plane: {at: "
     "[0, 0, 0], normal: [0.1, 0, 1]}}\n",
     0, 1, 0, 11},
    {"curve", spatial,
     "  j: {type: curve, between: [a, b], curve: [cos(s), sin(s), 0.3*s], start: 0.4}\n", 2, 0,
     1, 10},
    {"curve that moves", spatial,
     "  j: {type: curve, between: [ground, b], curve: [cos(s) + 0.1*t, sin(s), 0.3*s + "
     "0.2*t^2], start: -0.5}\n",
     2, 0, 1, 10},
    {"surface", spatial,
     "  j: {type: surface, between: [a, b], surface: [s1, s2, 0.4 + s1*s2/3 + s1^2/4], start: "
     "[0.3, -0.4]}\n",
     1, 0, 2, 11},
    {"free", spatial, "  j: {type: free, between: [a, b], at: [0.3, 0.1, 0.2]}\n", 0, 0, 0, 12},
    {"free, held along two axes", spatial,
     "  j: {type: free, between: [a, b], at: {first: [0.1, 0, 0.3], second: [0, 0.2, 0]}, "
     "hold_x: true, hold_z: true}\n",
     2, 0, 0, 10},
    {"track", spatial,
     "  j: {type: track, body: b, path: [s, 0.3*sin(s)], along: 0.4*t + t^2/5, height: 0.1}\n",
     6, 0, 0, 6},
    {"wheel_rail", spatial,
     "  j: {type: wheel_rail, between: [a, b], at: [[0.3, 0.1, 0.2], [0.5, 0.3, 0.9]], radius: "
     "0.6, conicity: 0.1, clearance: 0.05, friction: 0.3, creep: [20, 15]}\n",
     1, 0, 0, 11},
    {"planar revolute", planar, "  j: {type: revolute, between: [a, b], at: [0.3, 0.1]}\n", 2,
     0, 0, 4},
    {"driven planar revolute", planar,
     "  j: {type: revolute, between: [a, b], at: [0.3, 0.1], drive: sin(t)}\n", 3, 0, 0, 3},
    {"planar prismatic", planar,
     "  j: {type: prismatic, between: [a, b], at: [0.3, 0.1], axis: [1, 0.4]}\n", 2, 0, 0, 4},
    {"planar prismatic by axes of the bodies", planar,
     "  j: {type: prismatic, between: [a, b], at: {first: [0.1, 0.2], second: [0, 0.1]}, axis: "
     "{first: [1, 0.4], second: [0.2, 1]}, drive: t/3}\n",
     3, 0, 0, 3},
    {"planar fixed", planar, "  j: {type: fixed, between: [a, b], at: [0.3, 0.1]}\n", 3, 0, 0,
     3},
    {"planar distance", planar,
     "  j: {type: distance, between: [a, b], at: [[0.3, 0.1], [0.8, 0.4]]}\n", 1, 0, 0, 5},
    {"planar distance of a driven length", planar,
     "  j: {type: distance, between: [a, b], at: [[0.3, 0.1], [0.8, 0.4]], length: "
     "0.5*exp(t/2)}\n",
     1, 0, 0, 5},
    {"planar point_on_line", planar,
     "  j: {type: point_on_line, between: [a, b], at: [0.3, 0.1], axis: [1, 0.4]}\n", 1, 0, 0,
     5},
    {"planar gear", planar,
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1]}\n"
     "  k: {type: revolute, between: [a, b], at: [0.5, 0.1]}\n"
     "  g: {type: gear, joints: [j, k], ratio: 3}\n",
     5, 0, 0, 1},
    {"teeth", spatial,
     "  j: {type: teeth, between: [a, b], at: [0.3, 0.1, 0.2], line: [1, 2, 2]}\n", 0, 1, 0,
     11},
    {"teeth on a carrier", spatial,
     "  j: {type: teeth, between: [ground, b], carrier: a, local: [0.3, 0.1, 0.2], line: [1, "
     "2, "
     "2]}\n",
     0, 1, 0, 11},
    {"mesh", planar, "  j: {type: mesh, between: [a, b], radii: [0.02, 0.05]}\n", 1, 0, 0, 5},
    {"mesh with an internal gear by the other flank", planar,
     "  j: {type: mesh, between: [a, b], at: [[0.2, 0.1], [0.5, -0.2]], radii: [0.02, -0.08], "
     "pressure_angle: 25 deg, flank: cw}\n",
     1, 0, 0, 5},
    {"planar rolling_disc", planar,
     "  j: {type: rolling_disc, between: [a, b], radius: 0.2, plane: {at: [0.3, -0.5], normal: "
     "[0.2, 1]}}\n",
     1, 1, 0, 4},
    {"planar skate", planar,
     "  j: {type: skate, between: [a, b], at: [0.2, -0.2], axis: [1, 0.5]}\n", 0, 1, 0, 5},
    {"planar curve", planar,
     "  j: {type: curve, between: [a, b], at: [0.4, -0.1], curve: [2*cos(s), sin(s)], start: "
     "-1}\n",
     1, 0, 1, 5},
    {"profile", planar,
     "  j: {type: profile, between: [a, b], profiles: [[0.4*cos(s1), 0.3*sin(s1)], "
     "[0.2*cos(s2), 0.25*sin(s2)]], start: [-1.4, 2.8]}\n",
     1, 0, 2, 5},
    {"revolute with a rotor", spatial,
     "  j: {type: revolute, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, 2, 2], rotor: "
     "{inertia: 0.004, ratio: -12}}\n",
     5, 0, 0, 7},
    {"prismatic with a rotor", spatial,
     "  j: {type: prismatic, between: [a, b], at: [0.3, 0.1, 0.2], axis: [1, -1, 0.5], rotor: "
     "3}\n",
     5, 0, 0, 7},
    {"cylindrical with rotors", spatial,
     "  j: {type: cylindrical, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.5], "
     "rotor_angle: 0.4, rotor_length: {inertia: 0.02, ratio: 10}}\n",
     4, 0, 0, 8},
    {"screw with a rotor", spatial,
     "  j: {type: screw, between: [a, b], at: [0.3, 0.1, 0.2], axis: [0, 1, 0.5], pitch: 0.4, "
     "rotor: 0.3}\n",
     5, 0, 0, 7},
    {"universal with rotors", spatial,
     "  j: {type: universal, between: [a, b], at: [0.3, 0.1, 0.2], axes: [[1, 0, 0.5], [0.5, "
     "1, -1]], rotor_angle1: 0.3, rotor_angle2: 0.2}\n",
     4, 0, 0, 8},
    {"gear with a rotor", spatial,
     "  g: {type: gear, joints: [j, k], ratio: -2.5, rotor: {inertia: 0.1, ratio: 2}}\n"
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
     "  k: {type: cylindrical, between: [a, b], at: [0.5, 0.1, 0.2], axis: [0, 2, 1]}\n",
     10, 0, 0, 2},
    {"planar hinge and slider with rotors", planar,
     "  j: {type: revolute, between: [ground, a], at: [0.3, 0.1], rotor: 0.5}\n"
     "  k: {type: prismatic, between: [a, b], at: [0.3, 0.1], axis: [1, 2], rotor: 2}\n",
     4, 0, 0, 2},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

#endif
