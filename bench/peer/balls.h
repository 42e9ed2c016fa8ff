/* balls.h - rigid bodies on ball joints in space, as a problem for the peers. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_BALLS_H
#define BENCH_BALLS_H

#include "mechanics.h"

typedef struct ball_body {
    double mass, inertia[3]; /* about the centre of mass, axes of the body */
    double x[3], q[4];       /* centre of mass and quaternion at the start */
    double v[3], turn[3];    /* velocity; angular velocity in axes of the body */
} ball_body;

/* Point at of body `first` (axes of the body, from its centre) and point at[1] of body `second`
 * stay together; a body -1 is the ground. */
typedef struct ball_joint {
    int first, second;
    double at[2][3];
} ball_joint;

typedef struct ball_system {
    const char *name;
    int bodies, joints;
    const ball_body *body;
    const ball_joint *joint; /* joint i and body i are neighbours in a chain */
    double grav;             /* along -z */
    double t_end;
} ball_system;

mechanics *balls_create(const ball_system *system);

#endif
