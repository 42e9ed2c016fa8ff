/* tops.c - models/spinning-top/spinning-top.yaml and models/free-chain/free-chain.yaml by hand,
 * on balls.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "balls.h"

#include <math.h>
#include <stdlib.h>

mechanics *spinning_top_create(void)
{
    const double l = 0.06, precession = -2, spin = 150, tilt = acos(-1) / 6;
    const double s = sin(tilt), c = cos(tilt);
    const ball_body top = {.mass = 0.5,
                           .inertia = {6e-4, 6e-4, 4e-4},
                           .x = {0, -l * s, l * c},
                           .q = {cos(tilt / 2), sin(tilt / 2), 0, 0},
                           .v = {precession * l * s, 0, 0},
                           .turn = {0, precession * s, spin}};
    const ball_joint tip = {-1, 0, {{0, 0, 0}, {0, 0, -l}}};
    return balls_create(&(ball_system){"spinning-top", 1, 1, &top, &tip, 9.81, 2});
}

/* of the joint after rod i, or of the chain's ends, at the start */
static void end_velocity(int i, double v[3])
{
    v[0] = 0.4;
    v[1] = 0.2 + 0.6 * sin(1.3 * i);
    v[2] = -0.1 + 0.5 * cos(2.1 * i);
}

mechanics *free_chain_create(int rods)
{
    const double length = 0.3, half = length / 2;
    ball_body *body = take(rods, sizeof *body);
    ball_joint *joint = take(rods, sizeof *joint);
    for (int i = 0; i < rods; i++) {
        double before[3], after[3];
        end_velocity(i, before);
        end_velocity(i + 1, after);
        body[i] = (ball_body){.mass = 0.6 * (1 + (i + 1) / 10.0),
                              .inertia = {5e-4, 4.6e-3, 5e-3},
                              .x = {(2 * i + 1) * half, 0, 0},
                              .q = {1, 0, 0, 0},
                              .turn = {4 * sin(i + 1), -(after[2] - before[2]) / length,
                                       (after[1] - before[1]) / length}};
        for (int k = 0; k < 3; k++)
            body[i].v[k] = (before[k] + after[k]) / 2;
        joint[i] = (ball_joint){i, i + 1, {{half, 0, 0}, {-half, 0, 0}}};
    }
    mechanics *self =
        balls_create(&(ball_system){"free-chain", rods, rods - 1, body, joint, 0, 2});
    free(body);
    free(joint);
    return self;
}
