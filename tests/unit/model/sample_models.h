/* sample_models.h - small models that together use every group of unknowns and rows. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SAMPLE_MODELS_H
#define CRANK_TESTS_SAMPLE_MODELS_H

/* specs of GEOMS, experiments: a point on a massless rod */
static const char pendulum_model[] =
    "crank: equations\n"
    "parameters: {m: 1.5, L: 1, grav: 13.75}\n"
    "positions:  {x: 0.6, y: -0.8}\n"
    "velocities: {vx: {of: x, start: 0.8}, vy: {of: y, start: 0.6}}\n"
    "mass: {diagonal: [m, m]}\n"
    "forces: [0, -m*grav]\n"
    "holonomic: {length: x^2 + y^2 - L^2}\n"
    "invariants: {energy: m/2*(vx^2 + vy^2) + m*grav*y}\n";

/* a crank and a rod, by their angles; M depends on the position */
static const char slider_crank_model[] =
    "crank: equations\n"
    "parameters: {m1: 1, m2: 1.8, l1: 1, l2: 3, grav: 9.81}\n"
    "positions:  {p1: 0.3, p2: 0.1}\n"
    "velocities: {v1: {of: p1, start: 0.7}, v2: {of: p2, start: -0.4}}\n"
    "mass:\n"
    "  - [(m1 + m2)*l1^2, -m2*l1*l2*cos(p1 + p2)]\n"
    "  - [-m2*l1*l2*cos(p1 + p2), m2*l2^2]\n"
    "forces:\n"
    "  - -(m1 + m2)*grav*l1*cos(p1) - m2*l1*l2*v2^2*sin(p1 + p2)\n"
    "  - m2*grav*l2*cos(p2) - m2*l1*l2*v1^2*sin(p1 + p2)\n"
    "holonomic: {slider: l1*sin(p1) - l2*sin(p2)}\n";

/* all groups, with a known solution: p = ((1+t)cos t, sin t, cos t) */
static const char academic_model[] =
    "crank: equations\n"
    "positions:  {p1: 1, p2: 0, p3: 1}\n"
    "velocities: {v1: {of: p1, start: 1}, v2: {of: p2, start: 1}, v3: {of: p3, start: 0}}\n"
    "mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
    "forces: [-2*p2, 2*v1 + p2 + w, r1 + r2*p3]\n"
    "dynamic: {r1: {start: -2, rate: 2*p2}, r2: {start: 0, rate: -2 - 2*s1}}\n"
    "auxiliary: {w: {start: -2, equation: w + 2*p3}}\n"
    "contact:\n"
    "  s1: {start: 1, equation: s1*p3 - p1}\n"
    "  s2: {start: 0, equation: p1 - s2 - p3}\n"
    "holonomic: {g1: s1*s2 - t*p1, g2: p2^2 + p3^2 - 1}\n";

/* a skate on an inclined plane: it cannot slip sideways */
static const char skate_model[] = "crank: equations\n"
                                  "parameters: {m: 2, J: 0.3, grav: 9.81, slope: 0.2}\n"
                                  "positions:  {x: 0, y: 0, phi: 0.4}\n"
                                  "velocities: {vx: {of: x, start: 1}, vy: {of: y, start: "
                                  "0.42}, omega: {of: phi, start: 2}}\n"
                                  "mass: {diagonal: [m, m, J]}\n"
                                  "forces: [m*grav*sin(slope), 0, 0]\n"
                                  "nonholonomic: {blade: vx*sin(phi) - vy*cos(phi)}\n"
                                  "invariants: {spin: J*omega}\n";

/* a free rigid body with a quaternion: four positions, three velocities */
static const char rotor_model[] =
    "crank: equations\n"
    "parameters: {A: 1, B: 2, C: 3}\n"
    "positions:  {q0: 0.8, q1: 0.1, q2: -0.5, q3: 0.3}\n"
    "velocities: {w1: 0.5, w2: -1, w3: 2}\n"
    "kinematics:\n"
    "  - [-q1/2, -q2/2, -q3/2]\n"
    "  - [q0/2, -q3/2, q2/2]\n"
    "  - [q3/2, q0/2, -q1/2]\n"
    "  - [-q2/2, q1/2, q0/2]\n"
    "mass: {diagonal: [A, B, C]}\n"
    "forces: [(B - C)*w2*w3, (C - A)*w3*w1, (A - B)*w1*w2]\n"
    "invariants: {norm: q0^2 + q1^2 + q2^2 + q3^2, energy: A*w1^2 + B*w2^2 + C*w3^2}\n";

/* forces with a multiplier (friction) and a driven support: time in g, M of time */
static const char driven_model[] =
    "crank: equations\n"
    "parameters: {m: 1, L: 2}\n"
    "inputs: {u: 0.1*sin(3*t)}\n"
    "positions:  {x: 0.5, y: -1.9}\n"
    "velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 0.3}}\n"
    "mass: {diagonal: [m*(1 + t^2), m + 0.1*exp(x)]}\n"
    "forces: [-0.1*lambda.rod*vx, -m*9.81 - 0.2*mu.roll]\n"
    "holonomic: {rod: (x - u)^2 + y^2 - L^2}\n"
    "nonholonomic: {roll: vx*cos(y) + x*vy - t}\n"
    "initial: {first: x - 0.5, second: vx*vy}\n"
    "title: driven\n"
    "view: {bodies: {bob: {x: x - u, y: y, shapes: [{sphere: 0.1}, {tube: [[0, 0], [0, "
    "L]]}]}},\n"
    "  lines: {rod: {points: [[u, 0], [x, y]]}}, traces: {path: {point: [x, y + u]}},\n"
    "  plots: [[x, y]], phase: [[x, vx]], follow: bob}\n";

/* parameters that events set: in forces, mass, a constraint and an output */
static const char switched_model[] =
    "crank: equations\n"
    "parameters: {m: 1.5, L: 1, k: 2*m, twice: 2*k}\n"
    "positions:  {x: 0.6, y: -0.8}\n"
    "velocities: {vx: {of: x, start: 0.8}, vy: {of: y, start: 0.6}}\n"
    "mass: {diagonal: [m, k]}\n"
    "forces: [-twice*x, -m*9.81]\n"
    "holonomic: {length: x^2 + y^2 - L^2}\n"
    "invariants: {energy: m/2*vx^2 + k/2*vy^2 + m*9.81*y + k*x^2}\n"
    "outputs: {a: k*acceleration.vx}\n"
    "dynamic: {r: {start: k, rate: -twice*r}}\n"
    "events:\n"
    "  wall: {when: x - 0.1, direction: falling, actions: [impact: 0.5, set: {k: 2*k, L: L}]}\n"
    "  rest: {when: acceleration.vy, actions: [reset: {vx: -vx, r: twice}, message: turns, "
    "stop]}\n";

static const char *const sample_models[] = {pendulum_model, slider_crank_model, academic_model,
                                            skate_model,    rotor_model,        driven_model,
                                            switched_model};
enum { SAMPLE_MODELS = sizeof sample_models / sizeof sample_models[0] };

#endif
