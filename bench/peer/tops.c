/* tops.c - models spinning-top, free-chain, universal-pendulum and stewart-platform by hand, on
 * balls.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "balls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return balls_create(&(ball_system){.name = "spinning-top",
                                       .bodies = 1,
                                       .joints = 1,
                                       .body = &top,
                                       .joint = &tip,
                                       .grav = 9.81,
                                       .t_end = 2});
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
    mechanics *self = balls_create(&(ball_system){.name = "free-chain",
                                                  .bodies = rods,
                                                  .joints = rods - 1,
                                                  .body = body,
                                                  .joint = joint,
                                                  .t_end = 2});
    free(body);
    free(joint);
    return self;
}

mechanics *universal_pendulum_create(void)
{
    const double l = 0.4, rate1 = 6, rate2 = 3;
    const ball_body plate = {.mass = 2,
                             .inertia = {0.05, 0.02, 0.06},
                             .x = {0, 0, -l},
                             .q = {1, 0, 0, 0},
                             .v = {-rate2 * l, rate1 * l, 0},
                             .turn = {rate1, rate2, 0}};
    const ball_joint cross = {-1, 0, {{0, 0, 0}, {0, 0, l}}};
    const ball_axis axis = {0, 0, {0, 1, 0}};
    return balls_create(&(ball_system){.name = "universal-pendulum",
                                       .bodies = 1,
                                       .joints = 1,
                                       .axes = 1,
                                       .body = &plate,
                                       .joint = &cross,
                                       .axis = &axis,
                                       .grav = 9.81,
                                       .t_end = 10});
}

/* ---- platform on six springs with dampers ---- */

enum { LEGS = 6 };
typedef struct leg {
    double foot[3], rest;
} leg;

/* F = -(k (l - rest) + d n.P') n with l n = P - foot. With s = k (l - rest) + d n.P',
 *     F_P = -s/l (1 - n n^T) - n (k n + d/l (P' - n n.P'))^T,    F_P' = -d n n^T. */
static void leg_force(const leg *of, const double p[3], const double v[3], ball_force *out)
{
    const double stiffness = 1e4, damping = 5e3;
    double n[3], l = 0, rate = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = p[k] - of->foot[k];
        l += n[k] * n[k];
    }
    l = sqrt(l);
    for (int k = 0; k < 3; k++) {
        n[k] /= l;
        rate += n[k] * v[k];
    }
    const double pull = stiffness * (l - of->rest) + damping * rate;
    for (int i = 0; i < 3; i++) {
        out->f[i] = -pull * n[i];
        for (int j = 0; j < 3; j++) {
            const double across = (i == j) - n[i] * n[j];
            out->f_p[i][j] = -pull / l * across -
                             n[i] * (stiffness * n[j] + damping / l * (v[j] - n[j] * rate));
            out->f_v[i][j] = -damping * n[i] * n[j];
        }
    }
}

/* the legs, then the load that goes round */
static void platform_law(const void *data, int i, double t, const double p[3],
                         const double v[3], ball_force *out)
{
    if (i < LEGS)
        leg_force((const leg *)data + i, p, v, out);
    else
        *out = (ball_force){.f = {600 * cos(4 * t), 600 * sin(4 * t), -800}};
}

mechanics *stewart_platform_create(void)
{
    const double pi = acos(-1), h = 0.6, base = 0.8, r = 0.5;
    const ball_body platform = {.mass = 50,
                                .inertia = {4, 4, 7},
                                .x = {0, 0, h},
                                .q = {1, 0, 0, 0},
                                .v = {1, -2, 0.5},
                                .turn = {4, 2, 6}};
    ball_point point[LEGS + 1] = {[LEGS] = {0, {r, 0, 0.1}}};
    leg *legs = take(LEGS, sizeof *legs);
    for (int i = 0; i < LEGS; i++) {
        const double side = i % 2 ? -1 : 1, middle = 2 * pi * (i / 2 + 1) / 3;
        const double below = middle + side * pi / 12, above = middle + side * 2 * pi / 9;
        const double foot[3] = {base * cos(below), base * sin(below), 0};
        point[i] = (ball_point){0, {r * cos(above), r * sin(above), 0}};
        memcpy(legs[i].foot, foot, sizeof foot);
        legs[i].rest =
            sqrt(pow(point[i].at[0] - foot[0], 2) + pow(point[i].at[1] - foot[1], 2) + h * h);
    }
    return balls_create(&(ball_system){.name = "stewart-platform",
                                       .bodies = 1,
                                       .points = LEGS + 1,
                                       .body = &platform,
                                       .point = point,
                                       .law = platform_law,
                                       .data = legs,
                                       .grav = 9.81,
                                       .t_end = 2});
}
