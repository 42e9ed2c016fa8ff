/* balls.h - rigid bodies on ball joints in space, as a problem for the peers; axes that stay
 * across axes of the ground (universal joints), and forces at points of bodies. */
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

/* Direction `own` of a body stays across coordinate axis `ground` of the world. */
typedef struct ball_axis {
    int body, ground;
    double own[3];
} ball_axis;

/* A force F(t, P, P') at the point P of a body; its derivatives by rows. */
typedef struct ball_force {
    double f[3], f_p[3][3], f_v[3][3];
} ball_force;
typedef void ball_law(const void *data, int i, double t, const double p[3], const double v[3],
                      ball_force *out);
typedef struct ball_point {
    int body;
    double at[3];
} ball_point;

typedef struct ball_system {
    const char *name;
    int bodies, joints, axes, points;
    const ball_body *body;
    const ball_joint *joint; /* joint i and body i are neighbours in a chain */
    const ball_axis *axis;   /* their rows come last; of one body alone, or the band is wider */
    const ball_point *point;
    ball_law *law; /* of point i */
    void *data;    /* the law's; becomes the problem's, which frees it */
    double grav;   /* along -z */
    double t_end;
} ball_system;

mechanics *balls_create(const ball_system *system);

#endif
