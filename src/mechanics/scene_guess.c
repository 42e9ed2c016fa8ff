/* scene_guess.c - shapes of bodies that the file does not describe, so that every mechanism
 * looks like something.
 *
 * A body is drawn by its points, where joints and forces act, and its centre of mass: one bar
 * if they are in line, else a bar from the centre to each point. Points that the file names (the
 * tip of a bucket) belong to these, but make no bars of compact bodies and wheels. A body whose points are all at
 * its centre is a disc about its hinge with the radius sqrt(2 I/m), a block on its slider (a
 * small ball if it is the barrel or the rod of a cylinder), or the box of its inertia, whose
 * edges are a_x^2 = 6 (I_yy + I_zz - I_xx)/m. What rolls is a disc or a ball; gears are discs
 * of their pitch circles, internal ones rings. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/scene.h"

#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

enum { MOST = 48 };              /* points of a body that count */
static const double near = 1e-3; /* in parts of the scale */

typedef struct guess {
    const crank_scene *scene;
    crank_scene_body *body;
    double center[3];
    int count;
    double at[MOST][3]; /* points that differ */
} guess;

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return crank_norm3(d);
}

static crank_scene_shape *add(guess *g, crank_solid_kind kind, const double at[3])
{
    crank_scene_shape *s = &g->body->shape[g->body->shape_count++];
    *s =
        (crank_scene_shape){.kind = kind, .orientation = {1.0, 0.0, 0.0, 0.0}, .guessed = true};
    memcpy(s->at, at, sizeof s->at);
    return s;
}

static void add_ball(guess *g, const double at[3], double radius)
{
    add(g, CRANK_SOLID_SPHERE, at)->size[0] = radius;
}

static void add_bar(guess *g, const double from[3], const double to[3])
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const double length = distance(from, to);
    if (!(length > near * g->scene->scale)) {
        return;
    }
    crank_scene_shape *s = add(g, CRANK_SOLID_TUBE, origin);
    memcpy(s->end[0], from, sizeof s->end[0]);
    memcpy(s->end[1], to, sizeof s->end[1]);
    s->size[0] = fmin(CRANK_SCENE_TUBE * g->scene->scale, 0.1 * length);
}

/* the shortest rotation that turns z into the axis */
static void turn_z(const double axis[3], double q[4])
{
    const double w = 1.0 + axis[2];
    if (w < 1e-9) {
        q[0] = q[2] = q[3] = 0.0;
        q[1] = 1.0;
        return;
    }
    const double size = sqrt(w * w + axis[0] * axis[0] + axis[1] * axis[1]);
    q[0] = w / size;
    q[1] = -axis[1] / size;
    q[2] = axis[0] / size;
    q[3] = 0.0;
}

static void add_disc(guess *g, const double at[3], const double axis[3], double radius,
                     double width)
{
    crank_scene_shape *s = add(g, CRANK_SOLID_CYLINDER, at);
    s->size[0] = radius;
    s->size[1] = width;
    turn_z(axis, s->orientation);
}

/* ---- compact bodies ---- */

/* between 0.04 and most, in parts of the scale */
static double limited(const guess *g, double length, double most)
{
    const double scale = g->scene->scale;
    return length > 0.04 * scale ? fmin(length, most * scale) : 0.04 * scale;
}

/* Inertia alone says little of how a body looks: small, not to hide what is drawn by more. */
static void add_inertia_box(guess *g, const crank_body_record *r, bool planar)
{
    static const double small = 0.12;
    const double *I = r->inertia;
    crank_scene_shape *s = add(g, CRANK_SOLID_BOX, g->center);
    const double m = r->mass > 0.0 ? r->mass : 1.0;
    if (planar) { /* a square plate */
        s->size[0] = s->size[1] = limited(g, sqrt(6.0 * I[8] / m), small);
        s->size[2] = 0.25 * s->size[0];
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double square =
            6.0 * (I[4 * ((i + 1) % 3)] + I[4 * ((i + 2) % 3)] - I[4 * i]) / m;
        s->size[i] = limited(g, square > 0.0 ? sqrt(square) : 0.0, small);
    }
}

/* what may hold the end of a cylinder */
static bool is_pin(const crank_scene_point *point)
{
    return !point->force &&
           (strcmp(point->glyph, "hinge") == 0 || strcmp(point->glyph, "ball") == 0 ||
            strcmp(point->glyph, "universal") == 0);
}

/* all points at the centre of mass */
static void guess_compact(guess *g, const crank_body_record *r, bool planar,
                          const crank_scene_point *point, int count)
{
    const double scale = g->scene->scale;
    const crank_scene_point *hinge = NULL, *slider = NULL;
    bool held = false;
    for (int i = 0; i < count; i++) {
        const bool slides =
            strcmp(point[i].glyph, "slider") == 0 || strcmp(point[i].glyph, "cylinder") == 0;
        held = held || is_pin(&point[i]);
        if (slides && point[i].has_axis) {
            slider = &point[i];
        } else if (strcmp(point[i].glyph, "hinge") == 0 && !point[i].force) {
            hinge = &point[i];
        }
    }
    if (r->point) {
        add_ball(g, g->center, CRANK_SCENE_BALL * scale);
    } else if (slider != NULL && slider->paired && held) { /* the joint is drawn as a strut */
        add_ball(g, g->center, CRANK_SCENE_BALL * scale);
    } else if (slider != NULL) {
        crank_scene_shape *s = add(g, CRANK_SOLID_BOX, g->center);
        s->size[0] = s->size[1] = 0.07 * scale;
        s->size[2] = 0.11 * scale;
        turn_z(slider->axis, s->orientation);
    } else if (hinge != NULL && r->mass > 0.0) {
        static const double z[3] = {0.0, 0.0, 1.0};
        const double *axis = hinge->has_axis ? hinge->axis : z;
        double Ia[3];
        crank_mat3_times(Ia, r->inertia, axis);
        const double radius =
            limited(g, sqrt(fmax(2.0 * crank_dot3(axis, Ia) / r->mass, 0.0)), 0.5);
        add_disc(g, g->center, axis, radius, 0.2 * radius);
    } else {
        add_inertia_box(g, r, planar);
    }
}

/* ---- bars ---- */

/* distance of p from the line through a along the unit vector u */
static double off_line(const double p[3], const double a[3], const double u[3])
{
    const double d[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    double c[3];
    crank_cross3(c, d, u);
    return crank_norm3(c);
}

static const double *farthest(const guess *g, const double from[3])
{
    const double *best = g->center;
    for (int i = 0; i < g->count; i++) {
        best = distance(from, g->at[i]) > distance(from, best) ? g->at[i] : best;
    }
    return best;
}

static void guess_bars(guess *g)
{
    const double *a = farthest(g, g->center);
    const double *b = farthest(g, a);
    const double length = distance(a, b);
    double u[3];
    bool line = true;
    for (int i = 0; i < 3; i++) {
        u[i] = (b[i] - a[i]) / length;
    }
    for (int i = 0; i < g->count; i++) {
        line = line && off_line(g->at[i], a, u) < 0.02 * length;
    }
    if (line && off_line(g->center, a, u) < 0.1 * length) {
        add_bar(g, a, b);
    } else {
        for (int i = 0; i < g->count; i++) {
            add_bar(g, g->center, g->at[i]);
        }
    }
    if (b == g->center) { /* a pendulum: its mass is at the end */
        add_ball(g, g->center, fmin(CRANK_SCENE_BALL * g->scene->scale, 0.2 * length));
    }
}

/* ---- all of it ---- */

static void take_point(guess *g, const double at[3])
{
    bool known = g->count == MOST;
    for (int k = 0; k < g->count && !known; k++) {
        known = distance(at, g->at[k]) < near * g->scene->scale;
    }
    if (!known) {
        memcpy(g->at[g->count++], at, sizeof g->at[0]);
    }
}

/* what rolls; returns whether anything does */
static bool guess_wheels(guess *g, const crank_scene_point *point, int count, bool planar)
{
    bool any = false;
    static const double y[3] = {0.0, 1.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    for (int i = 0; i < count && !any; i++) {
        const crank_scene_point *p = &point[i];
        if (!(p->radius > 0.0) || !p->second || strcmp(p->glyph, "gear") == 0) {
            continue;
        }
        any = true;
        if (p->force) { /* a tyre: forward is x */
            add_disc(g, p->at, planar ? z : y, p->radius, 0.4 * p->radius);
        } else if (p->has_axis) {
            add_disc(g, p->at, p->axis, p->radius, 0.12 * p->radius);
        } else {
            add_ball(g, p->at, p->radius);
        }
    }
    return any;
}

/* the largest of a body's gears; returns whether it has any */
static bool guess_gear(guess *g, const crank_scene_point *point, int count)
{
    const crank_scene_point *gear = NULL;
    for (int i = 0; i < count; i++) {
        if (point[i].pitch != 0.0 &&
            (gear == NULL || fabs(point[i].pitch) > fabs(gear->pitch))) {
            gear = &point[i];
        }
    }
    if (gear != NULL && gear->pitch > 0.0) {
        add_disc(g, gear->at, gear->axis, gear->pitch, 0.2 * gear->pitch);
    } else if (gear != NULL) {
        static const double part = 0.05; /* its wire lies outside of the teeth */
        crank_scene_shape *s = add(g, CRANK_SOLID_RING, gear->at);
        s->size[0] = -(1.0 + part) * gear->pitch;
        s->size[1] = -part * gear->pitch;
        turn_z(gear->axis, s->orientation);
    }
    return gear != NULL;
}

double crank_scene_reach(const crank_body_record *record, const crank_scene_body *body,
                         const crank_scene_point *point, int count)
{
    double reach = 0.0;
    for (int i = 0; i < count; i++) {
        reach = fmax(reach, distance(record->center, point[i].at));
        reach = fmax(reach, point[i].second ? point[i].radius : 0.0);
        reach = fmax(reach, fabs(point[i].pitch));
    }
    crank_scene_box box = {0};
    crank_scene_extend_body(&box, body);
    return box.any ? fmax(reach, 0.5 * distance(box.low, box.high)) : reach;
}

bool crank_scene_guess(const crank_scene *scene, const crank_body_record *record, bool planar,
                       const crank_scene_point *point, int count, crank_store *store,
                       crank_scene_body *body)
{
    guess g = {.scene = scene, .body = body};
    double spread = 0.0;
    memcpy(g.center, record->center, sizeof g.center);
    for (int i = 0; i < count; i++) {
        take_point(&g, point[i].at);
    }
    body->shape =
        crank_store_take(store, (size_t)(g.count + record->points) + 3, sizeof *body->shape);
    if (body->shape == NULL) {
        return false;
    }
    if (record->mass == 0.0 && g.count > 1) { /* no mass, no centre */
        for (int k = 0; k < 3; k++) {
            g.center[k] = 0.0;
            for (int i = 0; i < g.count; i++) {
                g.center[k] += g.at[i][k] / g.count;
            }
        }
    }
    for (int i = 0; i < g.count; i++) {
        spread = fmax(spread, distance(g.center, g.at[i]));
    }
    const bool gear = guess_gear(&g, point, count);
    const bool wheel = guess_wheels(&g, point, count, planar) || gear;
    if (spread > near * scene->scale) {
        for (int i = 0; i < record->points && !wheel; i++) {
            take_point(&g, record->fixed_point[i].at);
        }
        guess_bars(&g);
    } else if (!wheel) {
        guess_compact(&g, record, planar, point, count);
    }
    return true;
}
