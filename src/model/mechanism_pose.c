/* mechanism_pose.c - rotations by unit quaternions, and the pose of an assembly.
 *
 * world = x + R(q) inside; products of quaternions are Hamilton's, so that R(a o b) = R(a) R(b). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism_read.h"

#include <math.h>
#include <string.h>

void crank_quaternion_product(double out[4], const double a[4], const double b[4])
{
    const double c[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    };
    memcpy(out, c, sizeof c);
}

void crank_quaternion_matrix(double R[9], const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
        2 * (x * z + w * y),           2 * (x * y + w * z),
        w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y),           2 * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    };
    memcpy(R, m, sizeof m);
}

void crank_pose_set(crank_instance *instance, const double x[3], const double q[4])
{
    memcpy(instance->x, x, sizeof instance->x);
    memcpy(instance->q, q, sizeof instance->q);
    crank_quaternion_matrix(instance->R, q);
    instance->angle = 2.0 * atan2(q[3], q[0]);
}

void crank_pose_direction(const crank_instance *instance, const double inside[3],
                          double world[3])
{
    double sum[3];
    for (int i = 0; i < 3; i++) {
        const double *row = instance->R + 3 * i;
        sum[i] = row[0] * inside[0] + row[1] * inside[1] + row[2] * inside[2];
    }
    memcpy(world, sum, sizeof sum);
}

void crank_pose_point(const crank_instance *instance, const double inside[3], double world[3])
{
    crank_pose_direction(instance, inside, world);
    for (int i = 0; i < 3; i++) {
        world[i] += instance->x[i];
    }
}
