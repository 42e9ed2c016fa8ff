/* put_joints.c - joints drawn as what they are, as the page does (viewer/src/scene/joints.ts):
 * pins, rails, balls, crosses, wheels. Joints with the ground get a small support. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include <string.h>

enum { ON_TOP = 100000, SUPPORTS = 150, FRAMES = 60 };

static const double metal[3] = {0.42, 0.46, 0.52}, pin[3] = {0.92, 0.93, 0.95},
                    ground[3] = {0.55, 0.58, 0.62};
static const double pi = 3.14159265358979323846;

typedef struct drawer {
    crank_canvas *c;
    const crank_picture_scene *s;
    const crank_picture_link *joint;
    double g;        /* size of glyphs */
    int side, other; /* side: the last that is no ground */
    double axis[2][3];
    double end[2][3]; /* of a strut, in axes of the bodies */
} drawer;

/* A box has its scale across; other shapes their radius. */
static void put(const drawer *d, crank_unit_kind kind, int side, double offset, double across,
                double length, const double color[3], int top)
{
    const int body = d->joint->body[side];
    const crank_paint paint = {.color = color, .opacity = 1.0, .layer = ON_TOP + top};
    double at[3], world[3], axis[3], map[12];

    crank_picture_plus(d->joint->point[side], offset * d->g, d->axis[side], at);
    crank_picture_point(d->s, body, at, world);
    crank_picture_direction(d->s, body, d->axis[side], axis);
    crank_picture_along(world, axis, across * d->g, length * d->g, map);
    crank_canvas_put(d->c, kind, map, 0.0, paint);
}

/* A stand under a joint with the ground: tip at the joint, against up. */
static void put_support(const drawer *d)
{
    const int side = d->joint->body[0] < 0 ? 0 : d->joint->body[1] < 0 ? 1 : -1;
    const crank_paint paint = {.color = ground, .opacity = 1.0, .layer = -ON_TOP / 2};
    const double g = d->g;
    double at[3], map[12];

    if (side < 0 || d->s->joint_count > SUPPORTS) {
        return;
    }
    crank_picture_plus(d->joint->point[side], -g, d->c->up, at);
    crank_picture_along(at, d->c->up, 1.15 * g, 2.0 * g, map);
    crank_canvas_put(d->c, CRANK_UNIT_CONE, map, 0.0, paint);
    crank_picture_plus(d->joint->point[side], -2.1 * g, d->c->up, at);
    crank_picture_along(at, d->c->up, (d->s->planar ? 3.2 : 1.7) * g,
                        (d->s->planar ? 0.35 : 0.3) * g, map);
    crank_canvas_put(d->c, d->s->planar ? CRANK_UNIT_BOX : CRANK_UNIT_CYLINDER, map, 0.0,
                     paint);
}

static bool hidden(const drawer *d, int side)
{
    const int body = d->joint->body[side];

    return body >= 0 && d->s->bodies[body].shape_count == 0;
}

/* Where a carriage is along its rail. */
static double find_place(const drawer *d)
{
    const int *body = d->joint->body;
    double at[3], from[3], axis[3];

    crank_picture_point(d->s, body[d->side], d->joint->point[d->side], at);
    crank_picture_point(d->s, body[d->other], d->joint->point[d->other], from);
    crank_picture_direction(d->s, body[d->other], d->axis[d->other], axis);
    crank_picture_plus(at, -1.0, from, at);
    return crank_picture_dot(at, axis);
}

/* The ends of a strut, and how far they are apart. */
static double find_ends(const drawer *d, double a[3], double b[3])
{
    crank_picture_point(d->s, d->joint->body[0], d->end[0], a);
    crank_picture_point(d->s, d->joint->body[1], d->end[1], b);
    return crank_picture_distance(a, b);
}

static double find_length(const drawer *d)
{
    double a[3], b[3];

    return find_ends(d, a, b);
}

/* Least and largest value of the motion; returns the first one. */
static double find_range(const drawer *d, double value(const drawer *d), double range[2])
{
    const int *body = d->joint->body, rows = d->s->table->rows;
    double world[2][12], start = 0.0;

    range[0] = (double)INFINITY;
    range[1] = -(double)INFINITY;
    for (int k = 0; k < 2; k++) {
        if (body[k] >= 0) {
            memcpy(world[k], d->s->worlds[body[k]], sizeof world[k]);
        }
    }
    for (int i = 0; i < FRAMES; i++) {
        for (int k = 0; k < 2; k++) {
            if (body[k] >= 0) {
                crank_picture_move_body(
                    d->s, body[k], (int)lround((double)i * (rows - 1) / (FRAMES - 1)), 0.0);
            }
        }
        const double now = value(d);
        start = i == 0 ? now : start;
        range[0] = fmin(range[0], now);
        range[1] = fmax(range[1], now);
    }
    for (int k = 0; k < 2; k++) {
        if (body[k] >= 0) {
            memcpy(d->s->worlds[body[k]], world[k], sizeof world[k]);
        }
    }
    return start;
}

/* From where to where a carriage goes along its rail, within the scene; where it is at the
 * start if it goes farther. */
static void find_travel(const drawer *d, double range[2])
{
    const double start = find_range(d, find_place, range);

    if (!(range[1] - range[0] < d->s->size)) {
        range[0] = range[1] = isfinite(start) ? start : 0.0;
    }
}

/* A rail as long as the travel and so much more, in glyph sizes; returns its middle. */
static double put_rail(const drawer *d, crank_unit_kind kind, double across, double more,
                       const double color[3], int top)
{
    double range[2];

    find_travel(d, range);
    const double middle = 0.5 * (range[0] + range[1]) / d->g;
    put(d, kind, d->other, middle, across, (range[1] - range[0]) / d->g + more, color, top);
    return middle;
}

/* Has the body a shape of the file? */
static bool is_given(const drawer *d, int side)
{
    const int body = d->joint->body[side];
    bool given = false;

    for (int i = 0; body >= 0 && i < d->s->bodies[body].shape_count; i++) {
        given = given || !d->s->bodies[body].shapes[i].guessed;
    }
    return given;
}

/* The pin of a body on the axis of the joint, the farthest: where a cylinder is held. */
static bool find_pin(drawer *d, int side)
{
    static const double beside = 0.02; /* part of the mechanism's size */
    const double *from = d->joint->point[side], *u = d->axis[side];
    double reach = -1.0;

    for (int i = 0; i < d->s->joint_count; i++) {
        const crank_picture_link *other = &d->s->joints[i];
        const bool holds = strcmp(other->glyph, "hinge") == 0 ||
                           strcmp(other->glyph, "ball") == 0 ||
                           strcmp(other->glyph, "universal") == 0;
        for (int k = 0; k < 2 && holds; k++) {
            double way[3];
            crank_picture_plus(other->point[k], -1.0, from, way);
            const double along = crank_picture_dot(way, u);
            crank_picture_plus(way, -along, u, way);
            if (other->body[k] == d->joint->body[side] && fabs(along) > reach &&
                crank_picture_norm(way) <= beside * d->s->scale) {
                reach = fabs(along);
                memcpy(d->end[side], other->point[k], sizeof d->end[side]);
            }
        }
    }
    return reach >= 0.0;
}

/* Two bodies that slide along each other and are held by pins on the axis: barrel and rod of a
 * cylinder. The barrel is as long as the shortest length of the motion lets it be. */
static bool put_strut(drawer *d)
{
    const int *body = d->joint->body;
    const crank_paint tube = {.color = metal, .opacity = 1.0, .layer = ON_TOP - 2};
    const crank_paint rod = {.color = pin, .opacity = 1.0, .layer = ON_TOP - 3};
    double range[2], a[3], b[3], axis[3], end[3], map[12];

    if (body[0] < 0 || body[1] < 0 || is_given(d, 0) || is_given(d, 1) || !find_pin(d, 0) ||
        !find_pin(d, 1)) {
        return false;
    }
    (void)find_range(d, find_length, range);
    const double length = find_ends(d, a, b);
    const double barrel = fmin(0.9 * range[0], 0.6 * range[1]);
    const double radius = fmin(0.07 * range[1], 0.8 * d->g);
    if (!(length > 0.0) || !(barrel > 0.0)) {
        return false;
    }
    crank_picture_plus(b, -1.0, a, axis);
    crank_picture_plus(a, barrel / length, axis, end);
    crank_picture_between(a, end, radius, map);
    crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, tube);
    crank_picture_between(a, b, 0.4 * radius, map);
    crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, rod);
    return true;
}

/* A rail with a carriage; a body that the file gives a shape is the carriage itself. */
static void put_slider(const drawer *d)
{
    if (hidden(d, d->side) || hidden(d, d->other)) {
        return;
    }
    if (is_given(d, d->side)) {
        (void)put_rail(d, CRANK_UNIT_BOX, 0.3, 5.0, ground, -2 * ON_TOP);
        return;
    }
    (void)put_rail(d, CRANK_UNIT_BOX, 0.5, 7.0, metal, 0);
    put(d, CRANK_UNIT_BOX, d->side, 0.0, 1.3, 1.8, pin, -1);
}

static void put_ring(const drawer *d, int side, const double axis[3], double r, double wire,
                     const double color[3])
{
    const crank_paint paint = {.color = color, .opacity = 1.0, .layer = ON_TOP};
    double at[3], world[3], map[12];

    crank_picture_point(d->s, d->joint->body[side], d->joint->point[side], at);
    crank_picture_direction(d->s, d->joint->body[side], axis, world);
    crank_picture_along(at, world, r, r, map);
    crank_canvas_put(d->c, CRANK_UNIT_RING, map, wire, paint);
}

/* A toothed wheel on each axis; where radii are known, small ones and the pitch circles. */
static void put_gears(const drawer *d)
{
    const double r = d->joint->radius > 0.0 ? d->joint->radius / d->g : 2.5;

    for (int side = 0; side < 2 && d->joint->has_axis; side++) {
        const bool rack = strcmp(d->joint->type, "rack_and_pinion") == 0 && side == 1;
        const double pitch = d->joint->pitch[side];
        const double hub = pitch > 0.0 ? fmin(r, 0.4 * pitch / d->g) : r;
        if (pitch != 0.0) {
            put_ring(d, side, d->axis[side], fabs(pitch), 0.1 * d->g, metal);
        }
        if (d->joint->body[side] >= 0 && !rack && !(pitch < 0.0)) {
            put(d, CRANK_UNIT_GEAR, side, 0.0, hub, 0.7, metal, -ON_TOP / 2);
        }
    }
}

/* A rim with spokes, so that its turning is seen; of a ball that rolls three circles. */
static void put_wheel(const drawer *d)
{
    const double r = d->joint->radius > 0.0 ? d->joint->radius : 3.0 * d->g;
    const crank_paint paint = {.color = metal, .opacity = 1.0, .layer = ON_TOP};
    const int body = d->joint->body[d->side];
    static const double origin[3] = {0.0, 0.0, 0.0};
    double frame[12], from[3], to[3], map[12];

    if (!d->joint->has_axis) {
        for (int k = 0; k < 3; k++) {
            double axis[3] = {0.0, 0.0, 0.0};
            axis[k] = 1.0;
            put_ring(d, d->side, axis, r, 0.06 * r, pin);
        }
        return;
    }
    put_ring(d, d->side, d->axis[d->side], r, 0.06 * r, metal);
    put(d, CRANK_UNIT_CYLINDER, d->side, 0.0, 0.12 * r / d->g, 0.2 * r / d->g, pin, 1);
    crank_picture_along(origin, d->axis[d->side], 1.0, 1.0, frame);
    for (int i = 0; i < 3; i++) {
        double spoke[3], at[3];
        crank_picture_plus(origin, cos(pi * i / 3.0), frame, spoke);
        crank_picture_plus(spoke, sin(pi * i / 3.0), frame + 3, spoke);
        crank_picture_plus(d->joint->point[d->side], -r, spoke, at);
        crank_picture_point(d->s, body, at, from);
        crank_picture_plus(d->joint->point[d->side], r, spoke, at);
        crank_picture_point(d->s, body, at, to);
        crank_picture_between(from, to, 0.025 * r, map);
        crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    }
}

static void put_link(const drawer *d)
{
    const crank_paint paint = {.color = metal, .opacity = 1.0, .layer = ON_TOP};
    double a[3], b[3], map[12];

    crank_picture_point(d->s, d->joint->body[0], d->joint->point[0], a);
    crank_picture_point(d->s, d->joint->body[1], d->joint->point[1], b);
    if (crank_picture_distance(a, b) > 0.0) {
        crank_picture_between(a, b, 0.35 * d->g, map);
        crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    }
}

/* ---- glyphs that are a few solids at the joint's points ---- */

typedef struct piece {
    const char *glyph;
    crank_unit_kind kind;
    bool on_other;
    double across, length; /* in glyph sizes */
    const double *color;
    int top;
    bool few; /* not where there are many joints */
} piece;

static const piece pieces[] = {
    {"hinge", CRANK_UNIT_CYLINDER, false, 0.62, 1.5, metal, 0, false},
    {"hinge", CRANK_UNIT_CYLINDER, false, 0.34, 1.6, pin, 1, true},
    {"cylinder", CRANK_UNIT_CYLINDER, false, 0.7, 1.8, pin, -1, false},
    {"screw", CRANK_UNIT_CYLINDER, false, 0.75, 1.2, pin, -1, false},
    {"ball", CRANK_UNIT_SPHERE, false, 0.75, 0.75, metal, 0, false},
    {"universal", CRANK_UNIT_CYLINDER, false, 0.3, 2.2, metal, 0, false},
    {"universal", CRANK_UNIT_CYLINDER, true, 0.3, 2.2, metal, 0, false},
    {"universal", CRANK_UNIT_SPHERE, false, 0.55, 0.55, pin, 1, false},
    {"weld", CRANK_UNIT_BOX, false, 0.9, 0.9, metal, 0, false},
    {"plane", CRANK_UNIT_BOX, true, 5.0, 0.1, metal, -2 * ON_TOP, false},
    {"plane", CRANK_UNIT_SPHERE, false, 0.4, 0.4, pin, 0, false},
    {"point", CRANK_UNIT_SPHERE, false, 0.4, 0.4, metal, 0, false},
};

static bool stands(const char *glyph)
{
    return strcmp(glyph, "hinge") == 0 || strcmp(glyph, "ball") == 0 ||
           strcmp(glyph, "universal") == 0 || strcmp(glyph, "weld") == 0;
}

static void put_joint(drawer *d)
{
    const char *glyph = d->joint->glyph;

    if ((strcmp(glyph, "slider") == 0 || strcmp(glyph, "cylinder") == 0) && put_strut(d)) {
        return;
    }
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const piece *p = &pieces[i];
        if (strcmp(p->glyph, glyph) == 0 && !(p->few && d->s->joint_count > SUPPORTS)) {
            put(d, p->kind, p->on_other ? d->other : d->side, 0.0, p->across, p->length,
                p->color, p->top);
        }
    }
    if (stands(glyph)) {
        put_support(d);
    } else if (strcmp(glyph, "cylinder") == 0) {
        (void)put_rail(d, CRANK_UNIT_CYLINDER, 0.3, 7.0, metal, 0);
    } else if (strcmp(glyph, "screw") == 0) {
        const double middle = put_rail(d, CRANK_UNIT_CYLINDER, 0.3, 7.0, metal, 0);
        for (int i = -5; i <= 5; i++) {
            put(d, CRANK_UNIT_CYLINDER, d->other, middle + 0.6 * i, 0.5, 0.18, metal, 0);
        }
    } else if (strcmp(glyph, "slider") == 0) {
        put_slider(d);
    } else if (strcmp(glyph, "gear") == 0) {
        put_gears(d);
    } else if (strcmp(glyph, "wheel") == 0) {
        put_wheel(d);
    } else if (strcmp(glyph, "link") == 0) {
        put_link(d);
    }
}

void crank_put_joints(crank_canvas *c, const crank_picture_scene *s, double glyph)
{
    for (int i = 0; i < s->joint_count; i++) {
        const crank_picture_link *joint = &s->joints[i];
        const int side = joint->body[1] >= 0 || joint->body[0] < 0 ? 1 : 0;
        drawer d = {
            .c = c, .s = s, .joint = joint, .g = glyph, .side = side, .other = 1 - side};
        for (int k = 0; k < 2; k++) {
            memcpy(d.axis[k], joint->axis[k], sizeof d.axis[k]);
            crank_picture_unit(d.axis[k]);
        }
        put_joint(&d);
    }
}
