/* put_bodies.c - shapes of bodies, lines, paths and the grid onto a canvas. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include <string.h>

/* ---- bodies ---- */

static void put(crank_canvas *c, const double world[12], crank_unit_kind kind,
                const double local[12], double wire, crank_paint paint)
{
    double map[12];

    crank_picture_times(world, local, map);
    crank_canvas_put(c, kind, map, wire, paint);
}

static void put_capsule(crank_canvas *c, const double world[12], const crank_picture_shape *s,
                        crank_paint paint)
{
    double map[12], end[12];

    crank_picture_placed(s->at, s->orientation, s->radius, s->radius, s->length, map);
    put(c, world, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    for (int side = -1; side <= 1; side += 2) {
        double at[3];
        crank_picture_plus(s->at, 0.5 * side, map + 6, at);
        crank_picture_placed(at, s->orientation, s->radius, s->radius, s->radius, end);
        put(c, world, CRANK_UNIT_SPHERE, end, 0.0, paint);
    }
}

/* A tube is placed by its ends; at and orientation move both. */
static void put_tube(crank_canvas *c, const double world[12], const crank_picture_shape *s,
                     crank_paint paint)
{
    double map[12], local[12], whole[12];

    crank_picture_placed(s->at, s->orientation, 1.0, 1.0, 1.0, map);
    crank_picture_between(s->from, s->to, s->radius, local);
    crank_picture_times(map, local, whole);
    put(c, world, CRANK_UNIT_CYLINDER, whole, 0.0, paint);
}

static void put_shape(crank_canvas *c, const double world[12], const crank_picture_shape *s,
                      int layer)
{
    const crank_paint paint = {.color = s->color, .opacity = s->opacity, .layer = layer};
    static const crank_unit_kind units[] = {[CRANK_PICTURE_BOX] = CRANK_UNIT_BOX,
                                            [CRANK_PICTURE_CYLINDER] = CRANK_UNIT_CYLINDER,
                                            [CRANK_PICTURE_CONE] = CRANK_UNIT_CONE,
                                            [CRANK_PICTURE_SPHERE] = CRANK_UNIT_SPHERE,
                                            [CRANK_PICTURE_RING] = CRANK_UNIT_RING};
    const bool long_one = s->kind == CRANK_PICTURE_CYLINDER || s->kind == CRANK_PICTURE_CONE;
    double local[12], map[12];

    if (s->kind == CRANK_PICTURE_CAPSULE) {
        put_capsule(c, world, s, paint);
    } else if (s->kind == CRANK_PICTURE_TUBE) {
        put_tube(c, world, s, paint);
    } else if (s->kind == CRANK_PICTURE_MESH) {
        crank_picture_placed(s->at, s->orientation, 1.0, 1.0, 1.0, local);
        crank_picture_times(world, local, map);
        crank_canvas_mesh(c, s, map, paint);
    } else if (s->kind == CRANK_PICTURE_BOX) {
        crank_picture_placed(s->at, s->orientation, s->size[0], s->size[1], s->size[2], local);
        put(c, world, CRANK_UNIT_BOX, local, 0.0, paint);
    } else if (s->kind < CRANK_PICTURE_CAPSULE) {
        crank_picture_placed(s->at, s->orientation, s->radius, s->radius,
                             long_one ? s->length : s->radius, local);
        put(c, world, units[s->kind], local, s->wire, paint);
    }
}

/* The radius of a body that is drawn as a disc because the file says nothing better; 0: it is
 * not. */
static double guessed_disc(const crank_picture_body *body)
{
    const crank_picture_shape *s = body->shapes;
    return body->shape_count == 1 && s->guessed && s->kind == CRANK_PICTURE_CYLINDER ? s->radius
                                                                                     : 0.0;
}

/* Bodies lie above those before them; guessed discs below all others, the larger ones deeper,
 * so that wheels on one axle do not hide each other. */
static int layer_of(const crank_picture_scene *s, int body)
{
    const double radius = guessed_disc(&s->bodies[body]);
    int layer = radius > 0.0 ? -1 : body;
    for (int i = 0; i < s->body_count && radius > 0.0; i++) {
        const double other = guessed_disc(&s->bodies[i]);
        layer -= other > 0.0 && (other < radius || (other == radius && i > body)) ? 1 : 0;
    }
    return layer;
}

void crank_put_bodies(crank_canvas *c, const crank_picture_scene *s)
{
    for (int i = 0; i < s->body_count; i++) {
        const int layer = layer_of(s, i);
        for (int k = 0; k < s->bodies[i].shape_count; k++) {
            put_shape(c, s->worlds[i], &s->bodies[i].shapes[k], layer);
        }
    }
}

/* ---- lines ---- */

void crank_put_coil(crank_canvas *c, const double from[3], const double to[3], double width,
                    crank_paint paint)
{
    static const double straight = 0.1, wire = 0.16; /* of the length, of the coil's radius */
    const double radius = 0.5 * width;
    double axis[3], a[3], b[3], map[12];

    crank_picture_plus(to, -1.0, from, axis);
    const double length = crank_picture_norm(axis);
    if (!(length > 0.0)) {
        return;
    }
    crank_picture_plus(from, straight, axis, a);
    crank_picture_plus(to, -straight, axis, b);
    crank_picture_along(a, axis, radius, length * (1.0 - 2.0 * straight), map);
    crank_canvas_put(c, CRANK_UNIT_COIL, map, wire * radius, paint);
    crank_picture_between(from, a, wire * radius, map);
    crank_canvas_put(c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    crank_picture_between(b, to, wire * radius, map);
    crank_canvas_put(c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
}

/* A straight part of a line. A long one is put in pieces: what is thin far away is drawn as
 * wide as is seen there, which would be wide near by. */
static void put_bar(crank_canvas *c, const double from[3], const double to[3], double radius,
                    crank_paint paint)
{
    enum { PIECES = 60 };
    const double length = crank_picture_distance(from, to);
    const double many = c->camera.parallel ? 1.0 : ceil(4.0 * length / c->size);
    const int count = many < PIECES ? (int)many : PIECES;
    double way[3], a[3], b[3], map[12];

    crank_picture_plus(to, -1.0, from, way);
    for (int i = 0; i < count; i++) {
        crank_picture_plus(from, (double)i / count, way, a);
        crank_picture_plus(from, (i + 1.0) / count, way, b);
        crank_picture_between(a, b, radius, map);
        crank_canvas_put(c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    }
}

void crank_put_lines(crank_canvas *c, const crank_picture_scene *s, int row, double part)
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};

    for (int i = 0; i < s->line_count; i++) {
        const crank_picture_line *line = &s->lines[i];
        const crank_paint paint = {
            .color = line->color, .opacity = 1.0, .layer = s->body_count + i};
        const double radius = line->width > 0.0 ? 0.5 * line->width : 0.006 * s->scale;
        double before[3], p[3], map[12];
        for (int k = 0; k < line->count; k++) {
            crank_picture_line_point(s, line, k, row, part, p);
            if (k > 0 && line->spring) {
                const double width = line->width > 0.0 ? line->width : 0.05 * s->scale;
                crank_put_coil(c, before, p, width, paint);
            } else if (k > 0 && crank_picture_distance(before, p) > 0.0) {
                put_bar(c, before, p, radius, paint);
            }
            if (!line->spring && line->count <= 12) { /* many short pieces need no knots */
                crank_picture_placed(p, none, radius, radius, radius, map);
                crank_canvas_put(c, CRANK_UNIT_SPHERE, map, 0.0, paint);
            }
            memcpy(before, p, sizeof p);
        }
    }
}

/* ---- paths ---- */

void crank_put_traces(crank_canvas *c, const crank_picture_scene *s, int row, double part)
{
    enum { SEGMENTS = 800 };
    const int rows = s->table->rows, count = rows < SEGMENTS + 1 ? rows : SEGMENTS + 1;
    const double now = row + part;

    for (int i = 0; i < s->trace_count; i++) {
        const crank_picture_line *trace = &s->traces[i];
        double before[3], p[3], faint[3]; /* mixed with the background, not laid over it */
        for (int k = 0; k < 3; k++) {
            faint[k] = 0.6 * (double)c->background[k] + 0.4 * trace->color[k];
        }
        for (int k = 0; k < count; k++) {
            const int at = count > 1 ? (int)lround((double)k * (rows - 1) / (count - 1)) : 0;
            if (trace->body >= 0) {
                crank_picture_move_body(s, trace->body, at, 0.0);
            }
            crank_picture_line_point(s, trace, 0, at, 0.0, p);
            p[2] = s->planar ? -0.1 * s->size : p[2];
            if (k > 0) {
                const bool late = at > now;
                crank_canvas_line(c, &c->solid, before, p, late ? faint : trace->color,
                                  late ? 1.4F : 2.4F, 1.0F);
            }
            memcpy(before, p, sizeof p);
        }
    }
    crank_picture_move(s, row, part);
}

/* ---- the grid ---- */

/* 1, 2 or 5 times a power of ten, not above x. */
static double round_down(double x)
{
    const double power = pow(10.0, floor(log10(x))), lead = x / power;

    return (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0) * power;
}

/* Lines fade towards the edge of what they cover. */
static void put_grid_line(crank_canvas *c, const double from[3], const double to[3],
                          const double middle[3], double reach)
{
    static const double color[3] = {0.604, 0.655, 0.722};
    enum { PIECES = 40 };
    double a[3], d[3], p[3], q[3];

    crank_picture_plus(to, -1.0, from, d);
    memcpy(a, from, sizeof a);
    const int pieces = c->planar ? 1 : PIECES;
    for (int i = 0; i < pieces; i++) {
        crank_picture_plus(a, (double)i / pieces, d, p);
        crank_picture_plus(a, (i + 1.0) / pieces, d, q);
        double x = 0.5 *
                   (crank_picture_distance(p, middle) + crank_picture_distance(q, middle)) /
                   reach;
        x = fmin(fmax((x - 0.35) / 0.65, 0.0), 1.0);
        const double strength = c->planar ? 0.55 : 0.55 * (1.0 - x * x * (3.0 - 2.0 * x));
        if (strength > 0.01) {
            crank_canvas_line(c, &c->lines, p, q, color, 1.0F, (float)strength);
        }
    }
}

void crank_put_grid(crank_canvas *c, const double box[2][3])
{
    const double largest =
        fmax(box[1][0] - box[0][0], fmax(box[1][1] - box[0][1], box[1][2] - box[0][2]));
    const double step =
        round_down(c->planar ? c->camera.half_height / 3.0 : fmax(largest, 1e-9) / 5.0);
    double up[3] = {0.0, 0.0, 1.0}, right[3] = {1.0, 0.0, 0.0}, ahead[3], middle[3];
    const double low = fmin(crank_picture_dot(box[0], c->up), crank_picture_dot(box[1], c->up));

    memcpy(up, c->planar ? up : c->up, sizeof up);
    if (fabs(up[0]) > 0.9) {
        right[0] = 0.0;
        right[1] = 1.0;
    }
    crank_picture_plus(right, -crank_picture_dot(right, up), up, right);
    crank_picture_unit(right);
    crank_picture_cross(up, right, ahead);
    c->floor = c->planar             ? -300.0 * c->size
               : low >= -0.25 * step ? 0.0
                                     : floor(low / step) * step;
    const double u0 = round(crank_picture_dot(c->camera.target, right) / step);
    const double v0 = round(crank_picture_dot(c->camera.target, ahead) / step);
    const int n = c->planar ? 40 : 20;
    for (int k = 0; k < 3; k++) {
        middle[k] = c->floor * up[k] + step * (u0 * right[k] + v0 * ahead[k]);
    }
    for (int i = -n; i <= n; i++) {
        double p[3], q[3];
        crank_picture_plus(middle, i * step, right, p);
        crank_picture_plus(p, -n * step, ahead, p);
        crank_picture_plus(p, 2.0 * n * step, ahead, q);
        put_grid_line(c, p, q, middle, 0.75 * n * step);
        crank_picture_plus(middle, i * step, ahead, p);
        crank_picture_plus(p, -n * step, right, p);
        crank_picture_plus(p, 2.0 * n * step, right, q);
        put_grid_line(c, p, q, middle, 0.75 * n * step);
    }
}
