/* pose.c - where the bodies of a scene are. Between two rows positions go straight and
 * quaternions by normalised linear interpolation on the shorter arc; at a row the recorded
 * numbers are taken as they are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/vector.h"

#include <math.h>
#include <string.h>

double crank_picture_value(const crank_picture_scene *s, const crank_picture_ref *ref, int row,
                           double part)
{
    if (ref->column < 0) {
        return ref->number;
    }
    const double *column = s->table->values + (size_t)ref->column * (size_t)s->table->rows;
    return part > 0.0 && row + 1 < s->table->rows
               ? column[row] + (column[row + 1] - column[row]) * part
               : column[row];
}

static void quaternion_at(const crank_picture_scene *s, const crank_picture_body *b, int row,
                          double part, double q[4])
{
    double next[4], dot = 0.0;

    for (int k = 0; k < 4; k++) {
        q[k] = crank_picture_value(s, &b->q[k], row, 0.0);
    }
    if (!(part > 0.0) || row + 1 >= s->table->rows) {
        return;
    }
    for (int k = 0; k < 4; k++) {
        next[k] = crank_picture_value(s, &b->q[k], row + 1, 0.0);
        dot += q[k] * next[k];
    }
    for (int k = 0; k < 4; k++) {
        q[k] += part * ((dot < 0.0 ? -next[k] : next[k]) - q[k]);
    }
}

void crank_picture_move_body(const crank_picture_scene *s, int body, int row, double part)
{
    const crank_picture_body *b = &s->bodies[body];
    double *world = s->worlds[body], q[4];

    if (b->turned) {
        quaternion_at(s, b, row, part, q);
    } else {
        const double half = 0.5 * crank_picture_value(s, &b->angle, row, part);
        q[0] = cos(half);
        q[1] = q[2] = 0.0;
        q[3] = sin(half);
    }
    crank_picture_rotation(q, world);
    for (int k = 0; k < 3; k++) {
        world[9 + k] = crank_picture_value(s, &b->x[k], row, part);
    }
}

void crank_picture_move(const crank_picture_scene *s, int row, double part)
{
    for (int i = 0; i < s->body_count; i++) {
        crank_picture_move_body(s, i, row, part);
    }
}

void crank_picture_direction(const crank_picture_scene *s, int body, const double a[3],
                             double out[3])
{
    if (body < 0) {
        memmove(out, a, 3 * sizeof *out);
        return;
    }
    const double *w = s->worlds[body], v[3] = {a[0], a[1], a[2]};
    for (int k = 0; k < 3; k++) {
        out[k] = w[k] * v[0] + w[3 + k] * v[1] + w[6 + k] * v[2];
    }
}

void crank_picture_point(const crank_picture_scene *s, int body, const double at[3],
                         double out[3])
{
    crank_picture_direction(s, body, at, out);
    for (int k = 0; k < 3 && body >= 0; k++) {
        out[k] += s->worlds[body][9 + k];
    }
}

void crank_picture_line_point(const crank_picture_scene *s, const crank_picture_line *line,
                              int i, int row, double part, double out[3])
{
    double at[3];

    for (int k = 0; k < 3; k++) {
        at[k] = crank_picture_value(s, &line->points[i][k], row, part);
    }
    crank_picture_point(s, line->body, at, out);
}

/* How far the centre of a body gets from where it starts, over at most 60 rows. */
static double travel(const crank_picture_scene *s, int body)
{
    enum { ROWS = 60 };
    const crank_picture_body *b = &s->bodies[body];
    double start[3], now[3], farthest = 0.0;

    crank_picture_move_body(s, body, 0, 0.0);
    crank_picture_point(s, body, b->center, start);
    for (int i = 1; i < ROWS; i++) {
        crank_picture_move_body(s, body, (int)((double)i * (s->table->rows - 1) / (ROWS - 1)),
                                0.0);
        crank_picture_point(s, body, b->center, now);
        farthest = fmax(farthest, crank_picture_distance(now, start));
    }
    return farthest;
}

int crank_picture_traveller(const crank_picture_scene *s)
{
    static const double far = 5.0; /* times the size: more than a swing or a stroke */
    double largest = 0.0;
    int best = -1;

    if (s->trace_count > 0) { /* paths are to be seen as a whole */
        return -1;
    }
    for (int i = 0; i < s->body_count; i++) {
        const crank_picture_body *b = &s->bodies[i];
        double reach = 0.0;
        if (!b->moves) {
            continue;
        }
        if (!(travel(s, i) > far * s->size)) {
            return -1;
        }
        for (int k = 0; k < b->shape_count; k++) {
            reach = fmax(reach, crank_picture_reach(&b->shapes[k]));
        }
        if (best < 0 || reach > largest) {
            best = i;
            largest = reach;
        }
    }
    return best;
}
