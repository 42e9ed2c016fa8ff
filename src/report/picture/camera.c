/* camera.c - the view that the page shows first (viewer/src/scene/camera.ts, extent.ts): from a
 * preset's direction at the middle of all that moves, as near as that allows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 60, BODIES = 300 };
static const double field_of_view = 35.0, margin = 1.12;
static const double pi = 3.14159265358979323846;

/* Points that the picture is to hold, and the box around all. */
typedef struct extent {
    int count, capacity;
    double (*point)[3];
    double low[3], high[3];
    double origin[3]; /* points count from there */
    bool failed;
} extent;

static void grow(extent *e, const double p[3], bool counts)
{
    if (!(fabs(p[0]) + fabs(p[1]) + fabs(p[2]) < 1e30)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        e->low[k] = fmin(e->low[k], p[k]);
        e->high[k] = fmax(e->high[k], p[k]);
    }
    if (!counts) {
        return;
    }
    void *more = crank_grow(e->point, e->count, &e->capacity, sizeof *e->point);
    if (more == NULL) {
        e->failed = true;
        return;
    }
    e->point = more;
    crank_picture_plus(p, -1.0, e->origin, e->point[e->count++]);
}

/* Points on the outline of a shape in body axes, roughly, none of them outside of what is
 * round; returns how many. */
static int outline(const crank_picture_shape *s, double out[16][3])
{
    enum { CORNERS = 8 };
    const bool box = s->kind == CRANK_PICTURE_BOX, tube = s->kind == CRANK_PICTURE_TUBE;
    const double half =
        s->kind == CRANK_PICTURE_SPHERE || s->kind == CRANK_PICTURE_RING
            ? 0.0
            : 0.5 * s->length + (s->kind == CRANK_PICTURE_CAPSULE ? s->radius : 0.0);
    double frame[12];

    crank_picture_placed(s->at, s->orientation, 1.0, 1.0, 1.0, frame);
    for (int i = 0; i < 2 * CORNERS; i++) {
        const double a = 2.0 * pi * (i / 2) / CORNERS, side = i % 2 == 0 ? -1.0 : 1.0;
        const double *end = i % 2 == 0 ? s->from : s->to;
        const double r = s->radius + s->wire;
        const double local[3] = {tube  ? end[0]
                                 : box ? 0.5 * s->size[0] * (i & 4 ? 1.0 : -1.0)
                                       : r * cos(a),
                                 tube  ? end[1]
                                 : box ? 0.5 * s->size[1] * (i & 2 ? 1.0 : -1.0)
                                       : r * sin(a),
                                 tube  ? end[2]
                                 : box ? 0.5 * s->size[2] * side
                                       : half * side};
        for (int k = 0; k < 3; k++) {
            out[i][k] = frame[9 + k] + frame[k] * local[0] + frame[3 + k] * local[1] +
                        frame[6 + k] * local[2];
        }
    }
    if (s->kind == CRANK_PICTURE_SPHERE) { /* and its poles */
        for (int side = -1; side <= 1; side += 2) {
            crank_picture_plus(s->at, side * s->radius, frame + 6, out[side + 1]);
        }
    }
    return tube ? 2 : box ? 8 : 2 * CORNERS;
}

static void grow_mesh(extent *e, const crank_picture_scene *s, int body,
                      const crank_picture_shape *mesh, bool counts)
{
    const int step = 1 + mesh->vertex_count / 200;
    double frame[12], at[3], p[3];

    crank_picture_placed(mesh->at, mesh->orientation, 1.0, 1.0, 1.0, frame);
    for (int i = 0; i < mesh->vertex_count; i += step) {
        const double *v = mesh->vertices + (size_t)(3 * i);
        for (int k = 0; k < 3; k++) {
            at[k] = frame[9 + k] + frame[k] * v[0] + frame[3 + k] * v[1] + frame[6 + k] * v[2];
        }
        crank_picture_point(s, body, at, p);
        grow(e, p, counts);
    }
}

static void grow_body(extent *e, const crank_picture_scene *s, int body, bool counts)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const crank_picture_body *b = &s->bodies[body];
    double p[3], at[16][3];

    crank_picture_point(s, body, origin, p);
    grow(e, p, counts);
    crank_picture_point(s, body, b->center, p);
    grow(e, p, counts);
    for (int i = 0; i < b->shape_count; i++) {
        if (b->shapes[i].kind == CRANK_PICTURE_MESH) {
            grow_mesh(e, s, body, &b->shapes[i], counts);
            continue;
        }
        const int count = outline(&b->shapes[i], at);
        for (int k = 0; k < count; k++) {
            crank_picture_point(s, body, at[k], p);
            grow(e, p, counts);
        }
    }
}

/* Where joints and forces act; on the ground: only where these stand still. */
static void grow_links(extent *e, const crank_picture_scene *s, const crank_picture_link *links,
                       int count, bool ground, bool counts)
{
    double p[3];

    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            const int body = links[i].body[k];
            if (strcmp(links[i].glyph, "none") == 0 || (body < 0) != ground ||
                (ground && strcmp(links[i].glyph, "wheel") == 0)) {
                continue;
            }
            crank_picture_point(s, body, links[i].point[k], p);
            grow(e, p, counts);
        }
    }
}

static bool line_moves(const crank_picture_scene *s, const crank_picture_line *line)
{
    bool moves = line->body >= 0 && s->bodies[line->body].moves;

    for (int i = 0; i < line->count; i++) {
        for (int k = 0; k < 3; k++) {
            moves = moves || line->points[i][k].column >= 0;
        }
    }
    return moves;
}

static void grow_lines(extent *e, const crank_picture_scene *s, int row, bool following)
{
    double p[3];

    for (int i = 0; i < s->line_count; i++) {
        const bool counts = !following || line_moves(s, &s->lines[i]);
        for (int k = 0; k < s->lines[i].count && !s->lines[i].around; k++) {
            crank_picture_line_point(s, &s->lines[i], k, row, 0.0, p);
            grow(e, p, counts);
        }
    }
    for (int i = 0; i < s->trace_count; i++) {
        crank_picture_line_point(s, &s->traces[i], 0, row, 0.0, p);
        grow(e, p, true);
    }
}

static bool find_extent(const crank_picture_scene *s, int following, extent *e)
{
    const int rows = s->table->rows, frames = rows < FRAMES ? rows : FRAMES;
    const int step = 1 + (s->body_count - 1) / BODIES;

    *e = (extent){0};
    for (int k = 0; k < 3; k++) {
        e->low[k] = (double)INFINITY;
        e->high[k] = -(double)INFINITY;
    }
    for (int n = 0; n < frames; n++) {
        const int row = frames > 1 ? (int)lround((double)n * (rows - 1) / (frames - 1)) : 0;
        crank_picture_move(s, row, 0.0);
        if (following >= 0) {
            crank_picture_point(s, following, s->bodies[following].center, e->origin);
        }
        for (int i = 0; i < s->body_count; i += step) {
            grow_body(e, s, i, following < 0 || s->bodies[i].moves);
        }
        if (s->body_count <= BODIES) {
            grow_links(e, s, s->joints, s->joint_count, false, true);
            grow_links(e, s, s->forces, s->force_count, false, true);
        }
        grow_lines(e, s, row, following >= 0);
    }
    grow_links(e, s, s->joints, s->joint_count, true, following < 0);
    grow_links(e, s, s->forces, s->force_count, true, following < 0);
    if (!(e->low[0] <= e->high[0])) {
        grow(e, s->center, true);
    }
    if (!(crank_picture_distance(e->low, e->high) > 0.02 * s->size)) { /* a point */
        for (int k = 0; k < 3; k++) {
            e->low[k] -= 0.5 * s->size;
            e->high[k] += 0.5 * s->size;
        }
        grow(e, e->low, true);
        grow(e, e->high, true);
    }
    return !e->failed;
}

/* From where a preset looks; up is a unit vector. */
static void preset_direction(const crank_picture_scene *s, const double up[3], double out[3])
{
    const char *name = s->preset != NULL ? s->preset : "iso";
    double right[3] = {1.0, 0.0, 0.0}, away[3];
    static const double zero[3] = {0.0, 0.0, 0.0};

    if (s->planar) {
        out[0] = out[1] = 0.0;
        out[2] = 1.0;
        return;
    }
    if (fabs(up[0]) > 0.9) {
        right[0] = 0.0;
        right[1] = 1.0;
    }
    crank_picture_plus(right, -crank_picture_dot(right, up), up, right);
    crank_picture_unit(right);
    crank_picture_cross(up, right, away);
    if (strcmp(name, "front") == 0) {
        crank_picture_plus(zero, -1.0, away, out);
    } else if (strcmp(name, "side") == 0) {
        memcpy(out, right, sizeof right);
    } else if (strcmp(name, "top") == 0) {
        crank_picture_plus(up, -1e-4, away, out);
    } else {
        for (int k = 0; k < 3; k++) {
            out[k] = 0.62 * right[k] - 0.9 * away[k] + 0.5 * up[k];
        }
    }
}

/* side and above from forward; forward may have any length */
static void look(crank_picture_camera *c, const double up[3], const double forward[3])
{
    memcpy(c->forward, forward, sizeof c->forward);
    crank_picture_unit(c->forward);
    crank_picture_cross(up, c->forward, c->side);
    crank_picture_unit(c->side);
    crank_picture_cross(c->forward, c->side, c->above);
}

/* Looks at the middle of the points, as near as they all allow. */
static void fit(crank_picture_camera *c, const extent *e, double aspect)
{
    const double *axes[3] = {c->side, c->above, c->forward};
    const double tangent = tan(field_of_view * pi / 360.0) / margin;
    double low[3], high[3], middle[3], distance = 0.0, height = 1e-9;

    for (int k = 0; k < 3; k++) {
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (int i = 0; i < e->count; i++) {
            const double x = crank_picture_dot(e->point[i], axes[k]);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
        middle[k] = 0.5 * low[k] + 0.5 * high[k];
    }
    for (int i = 0; i < e->count; i++) {
        const double *p = e->point[i];
        const double x = crank_picture_dot(p, axes[0]) - middle[0];
        const double y = crank_picture_dot(p, axes[1]) - middle[1];
        const double z = crank_picture_dot(p, axes[2]) - middle[2];
        const double half = fmax(fabs(y), fabs(x) / aspect);
        distance = fmax(distance, half / tangent + z);
        height = fmax(height, margin * half);
    }
    for (int k = 0; k < 3; k++) {
        c->target[k] =
            middle[0] * c->side[k] + middle[1] * c->above[k] + middle[2] * c->forward[k];
    }
    crank_picture_plus(c->target, distance, c->forward, c->eye);
    c->half_height = c->parallel ? height : tan(field_of_view * pi / 360.0);
}

bool crank_camera_make(const crank_picture_scene *s, int following, double aspect,
                       crank_picture_camera *camera, double box[2][3])
{
    extent e;
    double up[3] = {s->up[0], s->up[1], s->up[2]}, direction[3];
    const bool found = find_extent(s, following, &e);

    *camera = (crank_picture_camera){.parallel = s->planar};
    crank_picture_unit(up);
    if (found && s->has_camera) {
        crank_picture_plus(s->from, -1.0, s->to, direction);
        look(camera, up, direction);
        memcpy(camera->eye, s->from, sizeof camera->eye);
        memcpy(camera->target, s->to, sizeof camera->target);
        camera->half_height = tan(field_of_view * pi / 360.0);
    } else if (found) {
        preset_direction(s, up, direction);
        look(camera, up, direction);
        fit(camera, &e, aspect);
    }
    memcpy(box[0], e.low, sizeof e.low);
    memcpy(box[1], e.high, sizeof e.high);
    free(e.point);
    return found;
}

/* ---- glyphs ---- */

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right ? 1 : 0;
}

double crank_glyph_size(const crank_picture_scene *s, crank_store *store)
{
    enum { MOST = 7 }; /* lengths of one body */
    const size_t bodies = (size_t)s->body_count;
    double *length = crank_store_take(store, 2 * (size_t)s->joint_count, sizeof *length);
    const double **last = crank_store_take(store, bodies, sizeof *last);
    int *seen = crank_store_take(store, bodies, sizeof *seen), count = 0;

    if (length == NULL || last == NULL || seen == NULL) {
        return 0.0;
    }
    for (int i = 0; i < s->joint_count; i++) {
        for (int k = 0; k < 2; k++) {
            const int body = s->joints[i].body[k];
            const double *at = s->joints[i].point[k];
            if (body < 0) {
                continue;
            }
            const double d = last[body] != NULL ? crank_picture_distance(last[body], at) : 0.0;
            if (last[body] != NULL && seen[body]++ < MOST && d > 1e-6 * s->scale) {
                length[count++] = d;
            }
            last[body] = at;
        }
    }
    qsort(length, (size_t)count, sizeof *length, compare);
    return fmin(0.025 * s->scale, count > 0 ? 0.13 * length[count / 4] : (double)INFINITY);
}
