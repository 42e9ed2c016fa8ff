/* put_forces.c - springs, dampers, arrows, torques and contacts, as the page draws them
 * (viewer/src/scene/forces.ts, arrow.ts). */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include <stdlib.h>
#include <string.h>

enum { SPRING_LAYER = 50000, ARROW_LAYER = 200000, SAMPLES = 400 };

static const double spring_color[3] = {0.25, 0.6, 0.45}, damper_color[3] = {0.45, 0.5, 0.58},
                    pin[3] = {0.92, 0.93, 0.95}, force_color[3] = {0.86, 0.26, 0.22},
                    torque_color[3] = {0.8, 0.45, 0.1}, contact_color[3] = {0.95, 0.75, 0.1},
                    actuator_color[3] = {0.75, 0.55, 0.2};

typedef struct drawer {
    crank_canvas *c;
    const crank_picture_scene *s;
    const crank_picture_link *force;
    double g;
    int row;
    double part;
} drawer;

static bool is(const crank_picture_link *force, const char *glyph)
{
    return strcmp(force->glyph, glyph) == 0;
}

static double ends(const drawer *d, double a[3], double b[3])
{
    crank_picture_point(d->s, d->force->body[0], d->force->point[0], a);
    crank_picture_point(d->s, d->force->body[1], d->force->point[1], b);
    return crank_picture_distance(a, b);
}

/* The distance of the ends at the start. */
static double rest_length(const drawer *d)
{
    double a[3], b[3];

    for (int k = 0; k < 2; k++) {
        if (d->force->body[k] >= 0) {
            crank_picture_move_body(d->s, d->force->body[k], 0, 0.0);
        }
    }
    const double rest = ends(d, a, b);
    for (int k = 0; k < 2; k++) {
        if (d->force->body[k] >= 0) {
            crank_picture_move_body(d->s, d->force->body[k], d->row, d->part);
        }
    }
    return rest > 0.0 ? rest : d->s->scale;
}

static void put_spring(const drawer *d)
{
    const crank_paint paint = {.color = spring_color, .opacity = 1.0, .layer = SPRING_LAYER};
    const double width = fmin(0.24 * rest_length(d), fmin(0.1 * d->s->scale, 4.0 * d->g));
    double a[3], b[3];

    (void)ends(d, a, b);
    crank_put_coil(d->c, a, b, width, paint);
}

/* A cylinder fixed to the first end and a thinner rod fixed to the second. */
static void put_damper(const drawer *d)
{
    const crank_paint tube = {.color = is(d->force, "actuator") ? actuator_color : damper_color,
                              .opacity = 1.0,
                              .layer = SPRING_LAYER};
    const crank_paint rod = {.color = pin, .opacity = 1.0, .layer = SPRING_LAYER - 1};
    const double rest = rest_length(d), radius = fmin(0.07 * rest, 0.8 * d->g);
    double a[3], b[3], axis[3], end[3], map[12];
    const double length = ends(d, a, b);

    if (!(length > 0.0)) {
        return;
    }
    crank_picture_plus(b, -1.0, a, axis);
    crank_picture_plus(a, fmin(0.55 * rest / length, 1.0), axis, end);
    crank_picture_between(a, end, radius, map);
    crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, tube);
    crank_picture_between(a, b, 0.4 * radius, map);
    crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, rod);
}

/* A thin line from end to end. */
static void put_rope(const drawer *d)
{
    const crank_paint paint = {.color = damper_color, .opacity = 1.0, .layer = SPRING_LAYER};
    double a[3], b[3], map[12];

    if (ends(d, a, b) > 0.0) {
        crank_picture_between(a, b, fmin(0.15 * d->g, 0.02 * d->s->scale), map);
        crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    }
}

static void put_ball(const drawer *d, const double at[3], double radius, const double color[3])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const crank_paint paint = {.color = color, .opacity = 1.0, .layer = SPRING_LAYER};
    double map[12];

    crank_picture_placed(at, none, radius, radius, radius, map);
    crank_canvas_put(d->c, CRANK_UNIT_SPHERE, map, 0.0, paint);
}

/* ---- arrows ---- */

/* The force or torque in axes of its own: by components, or a value along a direction. */
static double magnitude(const crank_picture_scene *s, const crank_picture_link *f, int row,
                        double part, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = f->has_components ? crank_picture_value(s, &f->component[k], row, part)
                 : f->has_direction
                     ? f->direction[k] * crank_picture_value(s, &f->value, row, part)
                     : 0.0;
    }
    return crank_picture_norm(out);
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right ? 1 : 0;
}

/* As large as a force or torque is, whether or not it has a direction to be drawn in. */
static double load_size(const crank_picture_scene *s, const crank_picture_link *f, int row)
{
    double v[3];

    return f->has_components || f->has_direction
               ? magnitude(s, f, row, 0.0, v)
               : fabs(crank_picture_value(s, &f->value, row, 0.0));
}

/* A typical large magnitude of all forces of a glyph (NULL: of all but torques): the largest
 * but for a few, so that impacts do not make all else invisible. */
static double reference(crank_canvas *c, const crank_picture_scene *s, const char *glyph)
{
    const int rows = s->table->rows, step = rows > SAMPLES ? rows / SAMPLES : 1;
    double *found = NULL;
    int count = 0;
    const size_t room = (size_t)s->force_count * (size_t)(rows / step + 1);

    found = malloc((room > 0 ? room : 1) * sizeof *found);
    c->failed = c->failed || found == NULL;
    for (int i = 0; i < s->force_count && found != NULL; i++) {
        const crank_picture_link *f = &s->forces[i];
        const bool counts = glyph != NULL ? is(f, glyph) : !is(f, "torque");
        for (int row = 0; counts && row < rows; row += step) {
            const double size = load_size(s, f, row);
            if (size > 0.0 && isfinite(size)) {
                found[count++] = size;
            }
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare);
    const double size = count > 0 ? found[(int)(0.97 * (count - 1))] : 0.0;
    free(found);
    return size;
}

/* References of arrows, torques and contacts; 0 where these are nothing beside other loads (a
 * torque counts as a force at the mechanism's size): errors of a run that should be zeros. */
static void find_references(crank_canvas *c, const crank_picture_scene *s,
                            const char *const glyphs[3], double references[3])
{
    static const double nothing = 1e-6;
    double largest = reference(c, s, NULL);

    for (int k = 0; k < 3; k++) {
        references[k] = reference(c, s, glyphs[k]);
    }
    for (int k = 0; k < 3; k++) {
        const double arm = strcmp(glyphs[k], "torque") == 0 ? s->scale : 1.0;
        largest = fmax(largest, references[k] / arm);
    }
    for (int k = 0; k < 3; k++) {
        const double arm = strcmp(glyphs[k], "torque") == 0 ? s->scale : 1.0;
        references[k] = references[k] > nothing * largest * arm ? references[k] : 0.0;
    }
}

static void put_arrow(const drawer *d, const double at[3], const double v[3])
{
    const double width = 0.4 * d->g, length = crank_picture_norm(v);
    const crank_paint paint = {.color = force_color, .opacity = 1.0, .layer = ARROW_LAYER};
    const double head = fmin(5.0 * width, 0.5 * length), r = fmin(width, 0.2 * length);
    double neck[3], middle[3], map[12];

    if (!(length > 0.4 * width)) {
        return;
    }
    crank_picture_plus(at, 1.0 - head / length, v, neck);
    crank_picture_between(at, neck, 0.5 * r, map);
    crank_canvas_put(d->c, CRANK_UNIT_CYLINDER, map, 0.0, paint);
    crank_picture_plus(at, 1.0 - 0.5 * head / length, v, middle);
    crank_picture_along(middle, v, 1.7 * r, head, map);
    crank_canvas_put(d->c, CRANK_UNIT_CONE, map, 0.0, paint);
}

/* An arc with a head around a direction; it ends at three quarters of a turn, on -y. */
static void put_turn(const drawer *d, const double at[3], const double v[3])
{
    const double width = 0.4 * d->g, radius = 0.5 * crank_picture_norm(v);
    const crank_paint paint = {.color = torque_color, .opacity = 1.0, .layer = ARROW_LAYER};
    const double r = fmin(1.7 * width, 0.35 * radius);
    double frame[12], tip[3], map[12];

    if (!(radius > 0.4 * width)) {
        return;
    }
    crank_picture_along(at, v, radius, radius, frame);
    crank_canvas_put(d->c, CRANK_UNIT_ARC, frame, 0.07 * radius, paint);
    crank_picture_plus(at, -1.0, frame + 3, tip);
    crank_picture_plus(tip, 0.8 * r / radius, frame, tip);
    crank_picture_along(tip, frame, r, 2.4 * r, map);
    crank_canvas_put(d->c, CRANK_UNIT_CONE, map, 0.0, paint);
}

/* At the last point. The reference is a quarter of the mechanism's size; of torques an eighth,
 * the width of the arc, so that it does not hide what it turns. */
static void put_load(const drawer *d, double reference_size)
{
    static const double most = 2.5, most_turn = 1.5;
    const crank_picture_link *f = d->force;
    const int body = f->in_body ? f->body[1] : -1;
    double at[3], v[3], local[3], down[3];
    const double size = magnitude(d->s, f, d->row, d->part, local);

    crank_picture_point(d->s, f->body[1], f->point[1], at);
    if (f->radius > 0.0 && f->has_direction) { /* a tyre: the foot below its centre */
        crank_picture_direction(d->s, body, f->direction, down);
        crank_picture_plus(at, -f->radius, down, at);
    }
    if (is(f, "contact")) {
        put_ball(d, at, (size > 0.0 ? 0.7 : 0.35) * d->g, contact_color);
    }
    if (!(size > 0.0) || !(reference_size > 0.0)) {
        return;
    }
    const bool turn = is(f, "torque");
    const double length = (turn ? 0.125 : 0.25) * d->s->scale *
                          fmin(turn ? most_turn : most, size / reference_size);
    crank_picture_direction(d->s, body, local, v);
    for (int k = 0; k < 3; k++) {
        v[k] *= length / size;
    }
    if (turn) {
        put_turn(d, at, v);
    } else {
        put_arrow(d, at, v);
    }
}

void crank_put_forces(crank_canvas *c, const crank_picture_scene *s, double glyph, int row,
                      double part)
{
    static const char *const loads[] = {"arrow", "torque", "contact"};
    double references[3];

    find_references(c, s, loads, references);
    for (int i = 0; i < s->force_count; i++) {
        const drawer d = {
            .c = c, .s = s, .force = &s->forces[i], .g = glyph, .row = row, .part = part};
        double at[3];
        if (is(d.force, "spring")) {
            put_spring(&d);
        } else if (is(d.force, "damper") || is(d.force, "actuator")) {
            put_damper(&d);
        } else if (is(d.force, "rope")) {
            put_rope(&d);
        } else if (is(d.force, "bushing")) {
            crank_picture_point(s, d.force->body[1], d.force->point[1], at);
            put_ball(&d, at, 1.1 * glyph, spring_color);
        }
        for (int k = 0; k < 3; k++) {
            if (is(d.force, loads[k])) {
                put_load(&d, references[k]);
            }
        }
    }
}
