/* vector.c - see vector.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/vector.h"

#include <string.h>

void crank_picture_unit(double a[3])
{
    const double size = crank_picture_norm(a);

    if (!(size > 0.0)) {
        a[0] = a[1] = 0.0;
        a[2] = 1.0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        a[k] /= size;
    }
}

void crank_picture_rotation(const double q[4], double out[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double norm = w * w + x * x + y * y + z * z, s = norm > 0.0 ? 2.0 / norm : 0.0;

    out[0] = 1.0 - s * (y * y + z * z);
    out[1] = s * (x * y + w * z);
    out[2] = s * (x * z - w * y);
    out[3] = s * (x * y - w * z);
    out[4] = 1.0 - s * (x * x + z * z);
    out[5] = s * (y * z + w * x);
    out[6] = s * (x * z + w * y);
    out[7] = s * (y * z - w * x);
    out[8] = 1.0 - s * (x * x + y * y);
}

static void finish(double map[12], const double at[3], const double scale[3])
{
    for (int c = 0; c < 9; c++) {
        map[c] *= scale[c / 3];
    }
    memcpy(map + 9, at, 3 * sizeof *map);
}

void crank_picture_placed(const double at[3], const double q[4], double sx, double sy,
                          double sz, double map[12])
{
    const double scale[3] = {sx, sy, sz};

    crank_picture_rotation(q, map);
    finish(map, at, scale);
}

void crank_picture_along(const double at[3], const double axis[3], double radius, double length,
                         double map[12])
{
    const double scale[3] = {radius, radius, length};
    double z[3] = {axis[0], axis[1], axis[2]}, help[3] = {0.0, 0.0, 0.0};

    crank_picture_unit(z);
    help[fabs(z[2]) < 0.9 ? 2 : 0] = 1.0;
    crank_picture_cross(help, z, map);
    crank_picture_unit(map);
    crank_picture_cross(z, map, map + 3);
    memcpy(map + 6, z, sizeof z);
    finish(map, at, scale);
}

void crank_picture_between(const double from[3], const double to[3], double radius,
                           double map[12])
{
    double axis[3], middle[3];

    crank_picture_plus(to, -1.0, from, axis);
    crank_picture_plus(from, 0.5, axis, middle);
    crank_picture_along(middle, axis, radius, crank_picture_norm(axis), map);
}

void crank_picture_times(const double world[12], const double local[12], double out[12])
{
    for (int c = 0; c < 12; c++) {
        const double *v = local + c / 3 * 3;
        const int k = c % 3;
        out[c] = world[k] * v[0] + world[3 + k] * v[1] + world[6 + k] * v[2] +
                 (c >= 9 ? world[9 + k] : 0.0);
    }
}

double crank_picture_reach(const crank_picture_shape *s)
{
    double reach = 0.0;

    switch (s->kind) {
    case CRANK_PICTURE_BOX:
        return 0.5 * fmax(s->size[0], fmax(s->size[1], s->size[2]));
    case CRANK_PICTURE_CYLINDER:
    case CRANK_PICTURE_CONE:
        return fmax(s->radius, 0.5 * s->length);
    case CRANK_PICTURE_CAPSULE:
        return s->radius + 0.5 * s->length;
    case CRANK_PICTURE_TUBE:
        return 0.5 * crank_picture_distance(s->from, s->to);
    case CRANK_PICTURE_MESH:
        for (int i = 0; i < s->vertex_count; i++) {
            reach = fmax(reach, crank_picture_norm(s->vertices + 3 * i));
        }
        return reach;
    case CRANK_PICTURE_SPHERE:
    case CRANK_PICTURE_RING:
    case CRANK_PICTURE_KINDS:
        break;
    }
    return s->radius + s->wire;
}
