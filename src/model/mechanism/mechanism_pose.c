/* mechanism_pose.c - the pose of an assembly: world = x + R(q) inside; and its motion at the
 * start, velocity + spin x (world - x). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "linalg/rotation.h"

#include <string.h>

void crank_pose_set(crank_instance *instance, const double x[3], const double q[4])
{
    memcpy(instance->x, x, sizeof instance->x);
    memcpy(instance->q, q, sizeof instance->q);
    crank_quaternion_matrix(instance->R, q);
    instance->angle = crank_quaternion_angle(q);
}

void crank_pose_direction(const crank_instance *instance, const double inside[3],
                          double world[3])
{
    double sum[3];
    crank_mat3_times(sum, instance->R, inside); /* world may be inside */
    memcpy(world, sum, sizeof sum);
}

void crank_pose_point(const crank_instance *instance, const double inside[3], double world[3])
{
    crank_pose_direction(instance, inside, world);
    crank_add3(world, 1.0, instance->x);
}

void crank_pose_velocity(const crank_instance *instance, const double world[3],
                         double velocity[3])
{
    const double arm[3] = {world[0] - instance->x[0], world[1] - instance->x[1],
                           world[2] - instance->x[2]};
    crank_cross3(velocity, instance->spin, arm);
    crank_add3(velocity, 1.0, instance->velocity);
}
