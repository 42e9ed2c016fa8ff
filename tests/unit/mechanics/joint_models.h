/* joint_models.h - mechanisms with every joint that a tree can have, as texts. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_JOINT_MODELS_H
#define CRANK_TESTS_JOINT_MODELS_H

/* every type of joint of a tree, one behind the other and beside it, forces across */
static const char *const tree =
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [1, 0, 0]}\n"
    "  b: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [2, 0.3, 0]}\n"
    "  c: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [3, 0, 0.2]}\n"
    "  d: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [3, 1, 0]}\n"
    "  e: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [4, 0, 0]}\n"
    "  f: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [5, 0.2, 0.1]}\n"
    "  g: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [1, 1, 1]}\n"
    "  h: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [2, 2, 2]}\n"
    "  i: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [2.5, 2, 2]}\n"
    "  k: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [3, 2, 2]}\n"
    "  l: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [3.5, 2.1, 2]}\n"
    "joints:\n"
    "  ja: {type: revolute, between: [ground, a], at: [0.5, 0, 0], axis: [0, 1, 2]}\n"
    "  jb: {type: universal, between: [a, b], at: [1.5, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}\n"
    "  jc: {type: cylindrical, between: [c, b], at: [2.5, 0, 0], axis: [1, 1, 0]}\n"
    "  jd: {type: spherical, between: [c, d], at: [3, 0.5, 0]}\n"
    "  je: {type: prismatic, between: [c, e], at: [3.5, 0, 0], axis: [1, 0, 1]}\n"
    "  jf: {type: planar, between: [e, f], at: [4.5, 0, 0], axis: [0, 1, 1]}\n"
    "  jg: {type: fixed, between: [a, g], at: [1, 0.5, 0.5]}\n"
    "  jh: {type: spherical, between: [h, i], at: [2.2, 2, 2]}\n"
    "  jk: {type: revolute, between: [i, k], at: [2.7, 2, 2], axis: [0, 1, 1]}\n"
    "  jl: {type: spherical, between: [k, l], at: [3.2, 2, 2]}\n"
    "forces:\n"
    "  s1: {type: spring, between: [g, f], at: [[1, 1, 1.2], [5, 0, 0]],\n"
    "    stiffness: 20, length: 3, damping: 0.7}\n"
    "  s2: {type: spring, between: [d, h], at: [[3, 1, 0.2], [2, 2.1, 2]],\n"
    "    stiffness: 30, length: 1, damping: 0.4}\n"
    "  s3: {type: spring, between: [ground, b], at: [[2, 3, 0], [2, 0.4, 0]],\n"
    "    stiffness: 10, length: 2, damping: 0.3}\n"
    "  s4: {type: spring, between: [l, d], at: [[3.5, 2, 2.1], [3, 1.1, 0]],\n"
    "    stiffness: 10, length: 2, damping: 0.3}\n"
    "  s5: {type: spring, between: [l, h], at: [[3.4, 2, 2.1], [2, 1.8, 2]],\n"
    "    stiffness: 10, length: 2, damping: 0.3}\n"
    "  f1: {type: force, body: i, at: [2.5, 2.1, 2], force: [1, sin(t), body.e.vx], axes: body}\n"
    "  t1: {type: torque, body: d, torque: [0.1, 0.2*body.a.wz, 0.3]}\n";

/* a ball, a cross and a free body inside loops, with laws */
static const char *const loops =
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0.1]}\n"
    "  b: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [1, 0.5, 0]}\n"
    "  c: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 1, 0]}\n"
    "  d: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0, 0, 1]}\n"
    "dynamic: {heat: {start: 0.1, rate: body.b.vx^2}}\n"
    "auxiliary: {pull: {equation: pull - 3*body.c.vy - heat}}\n"
    "holonomic: {track: body.d.y - sin(body.d.x)*body.c.x}\n"
    "nonholonomic: {drag: body.d.vz*(1 + body.b.x^2) - 0.3*body.c.vy}\n"
    "joints:\n"
    "  ja: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  jb: {type: universal, between: [a, b], at: [1, 0, 0], axes: [[0, 0, 1], [0, 1, 0]]}\n"
    "  jc: {type: spherical, between: [b, c], at: [1, 1, 0]}\n"
    "  jd: {type: cylindrical, between: [ground, c], at: [0, 1, 0], axis: [0, 0, 1]}\n"
    "  je: {type: distance, between: [d, b], at: [[0, 0.1, 1], [1, 0.5, 0.1]]}\n"
    "forces:\n"
    "  f: {type: force, body: d, at: [0, 0.1, 1], force: [2*pull, cos(t), 1], axes: body}\n"
    "  r: {type: spring, between: [a, c], at: [[0.5, 0, 0.2], [0.5, 1, 0.1]],\n"
    "    stiffness: 40, length: 1, damping: 0.8}\n";

/* a drive, a slider under friction, which stays a constraint, a body and a point that are free */
static const char *const planar =
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.2, position: [0.3, 0.4], angle: 0.9}\n"
    "  plate: {mass: 2, inertia: 0.3, position: [1.2, 1.0], angle: 0.3}\n"
    "  rider: {mass: 0.7, inertia: 0.1, position: [1.8, 1.5], angle: -0.4}\n"
    "  slider: {mass: 1.5, inertia: 0.25, position: [2.2, 0.9], angle: 1.8}\n"
    "  loose: {mass: 0.5, inertia: 0.05, position: [3, 1], angle: 0.4}\n"
    "  bead: {type: point, mass: 0.5, position: [3, 2]}\n"
    "joints:\n"
    "  a: {type: revolute, between: [ground, crank], at: [0, 0]}\n"
    "  b: {type: revolute, between: [plate, crank], at: [0.6, 0.8], drive: 0.3*sin(2*t)}\n"
    "  c: {type: fixed, between: [plate, rider], at: [1.5, 1.2]}\n"
    "  d: {type: prismatic, between: [rider, slider], at: [2, 1.6], axis: [1, 0.5]}\n"
    "  e: {type: distance, between: [loose, bead], at: [[3, 1.2], [3, 2]]}\n"
    "forces:\n"
    "  s: {type: spring, between: [crank, rider], at: [[0.5, 0], [1.9, 1.2]],\n"
    "    stiffness: 40, length: 1, damping: 0.8}\n"
    "  u: {type: spring, between: [loose, slider], at: [[3, 0.9], [2.2, 1.1]],\n"
    "    stiffness: 40, length: 1, damping: 0.8}\n"
    "  t: {type: torque, body: rider, torque: 1 + t}\n"
    "  r: {type: friction, joint: d, coefficient: 0.2, slip: 0.05}\n";

/* a four-bar in space, 5 rows of rank 2, and a door on two hinges, 5 rows of rank 0 */
static const char *const redundant =
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0.5]}\n"
    "  coupler: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [1, 0, 1]}\n"
    "  rocker: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [2, 0, 0.5]}\n"
    "  door: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [4, 0.5, 0]}\n"
    "joints:\n"
    "  o: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  a: {type: revolute, between: [crank, coupler], at: [0, 0, 1], axis: [0, 1, 0]}\n"
    "  b: {type: revolute, between: [rocker, coupler], at: [2, 0, 1], axis: [0, 1, 0]}\n"
    "  c: {type: revolute, between: [ground, rocker], at: [2, 0, 0.3], axis: [0, 1, 0]}\n"
    "  low: {type: revolute, between: [ground, door], at: [4, 0, -1], axis: [0, 0.1, 1]}\n"
    "  high: {type: revolute, between: [ground, door], at: [4, 0.2, 1], axis: [0, 0.1, 1]}\n";

#endif
