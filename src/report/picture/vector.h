/* vector.h - vectors and affine maps of pictures. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PICTURE_VECTOR_H
#define CRANK_SRC_PICTURE_VECTOR_H

#include "report/picture/scene.h"

#include <math.h>

static inline double crank_picture_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double crank_picture_norm(const double a[3])
{
    return sqrt(crank_picture_dot(a, a));
}

static inline double crank_picture_distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return crank_picture_norm(d);
}

/* out = a + s b; out may be a. */
static inline void crank_picture_plus(const double a[3], double s, const double b[3],
                                      double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] + s * b[k];
    }
}

static inline void crank_picture_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Scaled to length 1; the third axis if it has none. */
void crank_picture_unit(double a[3]);
/* Three columns of the rotation of a quaternion of any length. */
void crank_picture_rotation(const double q[4], double out[9]);
/* The map of a unit shape: its place, orientation and scale. */
void crank_picture_placed(const double at[3], const double q[4], double sx, double sy,
                          double sz, double map[12]);
/* Its z along an axis, radius across it. */
void crank_picture_along(const double at[3], const double axis[3], double radius, double length,
                         double map[12]);
/* From one point to another. */
void crank_picture_between(const double from[3], const double to[3], double radius,
                           double map[12]);
/* out = world times local. */
void crank_picture_times(const double world[12], const double local[12], double out[12]);
/* Largest distance of a shape's points from its middle (tubes, meshes: from the origin). */
double crank_picture_reach(const crank_picture_shape *shape);

#endif
