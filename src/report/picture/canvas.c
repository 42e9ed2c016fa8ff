/* canvas.c - solids into lists of flat items: placing, light, projection.
 *
 * The light is that of the page (viewer/src/scene/light.ts, batch.ts): a part from everywhere,
 * a part by the angle to a lamp above the viewer's left shoulder, a tenth by the angle to up.
 * Planar solids lie flat in layers above each other. Shadows fall straight down. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static const double farthest = 1e30;

bool crank_item_append(crank_item_list *list, const crank_item *item)
{
    crank_item *more = crank_grow(list->item, list->count, &list->capacity, sizeof *list->item);

    if (more == NULL) {
        return false;
    }
    list->item = more;
    list->item[list->count] = *item;
    list->item[list->count].order = list->count;
    list->count++;
    return true;
}

static void append(crank_canvas *c, crank_item_list *list, const crank_item *item)
{
    c->failed = !crank_item_append(list, item) || c->failed;
}

void crank_canvas_free(crank_canvas *c)
{
    free(c->lines.item);
    free(c->shadow.item);
    free(c->solid.item);
    free(c->clear.item);
}

void crank_canvas_begin(crank_canvas *c)
{
    const crank_picture_camera *v = &c->camera;

    c->lines.count = c->shadow.count = c->solid.count = c->clear.count = 0;
    crank_picture_plus(v->forward, -0.35, v->side, c->key);
    crank_picture_plus(c->key, 0.55, v->above, c->key);
    crank_picture_unit(c->key);
}

static double focal(const crank_canvas *c)
{
    return 0.5 * c->height / c->camera.half_height;
}

/* Distance in front of the eye's plane. */
static double ahead(const crank_canvas *c, const double at[3])
{
    const double d[3] = {at[0] - c->camera.eye[0], at[1] - c->camera.eye[1],
                         at[2] - c->camera.eye[2]};

    return -crank_picture_dot(d, c->camera.forward);
}

/* Pixels for each unit of length at a point; 0: behind the eye. */
static double scale_at(const crank_canvas *c, const double at[3])
{
    const double w = ahead(c, at);

    return c->camera.parallel ? focal(c) : w > 0.0 ? focal(c) / w : 0.0;
}

/* Corner k of the item; false: behind the eye, or nowhere. */
static bool project(const crank_canvas *c, const double at[3], crank_item *item, int k)
{
    const crank_picture_camera *v = &c->camera;
    const double d[3] = {at[0] - v->eye[0], at[1] - v->eye[1], at[2] - v->eye[2]};
    const double w = -crank_picture_dot(d, v->forward);
    const double scale = v->parallel ? focal(c) : focal(c) / w;

    if (!(fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < farthest) ||
        (!v->parallel && !(w > 0.5 * crank_clip_nearest(c)))) { /* rounding of clip.c */
        return false;
    }
    item->x[k] = 0.5 * c->width + scale * crank_picture_dot(d, v->side);
    item->y[k] = 0.5 * c->height - scale * crank_picture_dot(d, v->above);
    item->depth[k] = v->parallel ? w : -1.0 / w;
    return true;
}

/* The light on a corner. */
static double light_on(const crank_canvas *c, const double normal[3])
{
    const double ambient = c->planar ? 0.72 : 0.58, direct = c->planar ? 0.28 : 0.42;

    return ambient + fmax(direct * crank_picture_dot(normal, c->key), 0.0) +
           0.1 * crank_picture_dot(normal, c->up);
}

/* Twice the area, by which way the corners turn; y points down. */
static double turn(const crank_item *item)
{
    double sum = 0.0;

    for (int k = 0; k < item->corners; k++) {
        const int next = (k + 1) % item->corners;
        sum += item->x[k] * item->y[next] - item->x[next] * item->y[k];
    }
    return sum;
}

/* Some corners of a face onto the list. color: NULL: by the light. */
static void put_corners(crank_canvas *c, crank_item_list *list, const crank_world_face *f,
                        const int *corner, int count, const crank_paint *paint)
{
    crank_item item = {.corners = count, .opacity = (float)paint->opacity};
    double light = 0.0;

    for (int k = 0; k < count; k++) {
        double at[3] = {f->at[corner[k]][0], f->at[corner[k]][1], f->at[corner[k]][2]};
        if (c->planar) { /* nearly flat, in its layer */
            at[2] = 1e-4 * at[2] + 1e-3 * c->size * paint->layer;
        }
        if (!project(c, at, &item, k)) {
            return;
        }
        light += light_on(c, f->normal[corner[k]]) / count;
    }
    for (int k = 0; k < 3; k++) {
        const double lit = c->painted || k >= count ? light : light_on(c, f->normal[corner[k]]);
        for (int i = 0; i < 3; i++) {
            item.color[k][i] = (float)fmin(fmax(lit * paint->color[i], 0.0), 1.0);
        }
    }
    /* what turns to the left seen from outside turns to the right here */
    const double area = turn(&item);
    if (area < 0.0 || (f->both && area > 0.0)) {
        append(c, list, &item);
    }
}

/* The face straight down on the floor, if it looks up. */
static void drop_shadow(crank_canvas *c, const crank_world_face *f)
{
    crank_item item = {.opacity = 1.0F};
    double up = 0.0;

    for (int k = 0; k < f->count; k++) {
        up += crank_picture_dot(f->normal[k], c->up);
    }
    if (!(up > 0.0) && !f->both) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        memcpy(item.color[k], c->shade, sizeof item.color[k]);
    }
    crank_world_face flat = *f;
    for (int k = 0; k < f->count; k++) {
        const double *from = f->at[k];
        crank_picture_plus(from, c->floor - crank_picture_dot(from, c->up), c->up, flat.at[k]);
    }
    crank_clip_face(c, &flat);
    for (int first = 0; first + 2 < flat.count; first++) {
        const int corner[3] = {0, first + 1, first + 2};
        item.corners = 3;
        for (int k = 0; k < 3; k++) {
            if (!project(c, flat.at[corner[k]], &item, k)) {
                return;
            }
        }
        append(c, &c->shadow, &item);
    }
}

/* Cuts the face at the eye. */
static void put_face(crank_canvas *c, crank_world_face *f, const crank_paint *paint)
{
    crank_item_list *list = paint->opacity < 1.0 ? &c->clear : &c->solid;
    static const int all[CRANK_ITEM_MOST] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                             12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

    if (c->shadows && !c->planar && paint->opacity >= 0.5) {
        drop_shadow(c, f);
    }
    crank_clip_face(c, f);
    if (c->painted && f->count <= CRANK_ITEM_MOST) {
        put_corners(c, list, f, all, f->count, paint);
        return;
    }
    for (int first = 0; first + 2 < f->count; first++) {
        const int corner[3] = {0, first + 1, first + 2};
        put_corners(c, list, f, corner, 3, paint);
    }
}

/* Makes a column at least so long, for thin bars not to vanish; returns its length. */
static double thicken(double column[3], double least)
{
    const double length = crank_picture_norm(column);

    if (!(length > 0.0) || length >= least) {
        return length > 0.0 ? length : 1.0;
    }
    for (int k = 0; k < 3; k++) {
        column[k] *= least / length;
    }
    return least;
}

void crank_canvas_put(crank_canvas *c, crank_unit_kind kind, const double map[12], double wire,
                      crank_paint paint)
{
    const crank_unit *u = &c->units[kind];
    const double scale = scale_at(c, map + 9);
    const double least = scale > 0.0 ? 0.7 / scale : 0.0; /* most of a pixel */
    double m[12], length[3];

    if (!(fabs(map[9]) + fabs(map[10]) + fabs(map[11]) < farthest)) {
        return;
    }
    memcpy(m, map, sizeof m);
    for (int k = 0; k < 3; k++) {
        length[k] = thicken(m + (size_t)(3 * k), least);
    }
    wire = kind >= CRANK_UNIT_RING ? fmax(wire, least) : 0.0;
    for (int i = 0; i < u->faces; i++) {
        crank_world_face f = {.count = u->first[i + 1] - u->first[i]};
        for (int k = 0; k < f.count; k++) {
            const int from = u->index[u->first[i] + k];
            for (int a = 0; a < 3; a++) {
                f.at[k][a] = m[9 + a];
                for (int b = 0; b < 3; b++) {
                    const double n = u->normal[from][b] / length[b];
                    f.at[k][a] += m[3 * b + a] * (u->position[from][b] + wire * n);
                    f.normal[k][a] += m[3 * b + a] * n;
                }
            }
        }
        put_face(c, &f, &paint);
    }
}

void crank_canvas_mesh(crank_canvas *c, const crank_picture_shape *mesh, const double map[12],
                       crank_paint paint)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        crank_world_face f = {.count = 3, .both = true};
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            const double *v = mesh->vertices + (size_t)(3 * mesh->triangles[3 * t + k]);
            for (int i = 0; i < 3; i++) {
                f.at[k][i] = map[i] * v[0] + map[3 + i] * v[1] + map[6 + i] * v[2] + map[9 + i];
            }
        }
        crank_picture_plus(f.at[1], -1.0, f.at[0], a);
        crank_picture_plus(f.at[2], -1.0, f.at[0], b);
        crank_picture_cross(a, b, f.normal[0]);
        crank_picture_unit(f.normal[0]);
        for (int k = 1; k < 3; k++) {
            memcpy(f.normal[k], f.normal[0], sizeof f.normal[k]);
        }
        put_face(c, &f, &paint);
    }
}

void crank_canvas_line(crank_canvas *c, crank_item_list *list, const double from[3],
                       const double to[3], const double color[3], float width, float opacity)
{
    crank_item item = {.corners = 2, .width = width, .opacity = opacity};
    crank_world_face f = {.count = 2};

    memcpy(f.at[0], from, sizeof f.at[0]);
    memcpy(f.at[1], to, sizeof f.at[1]);
    crank_clip_face(c, &f);
    if (f.count < 2 || !project(c, f.at[0], &item, 0) || !project(c, f.at[1], &item, 1)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            item.color[k][i] = (float)color[i];
        }
    }
    append(c, list, &item);
}

static double mean_depth(const crank_item *item)
{
    double sum = 0.0;

    for (int k = 0; k < item->corners; k++) {
        sum += item->depth[k];
    }
    return sum / item->corners;
}

static int compare(const void *a, const void *b)
{
    const crank_item *left = a, *right = b;
    const double l = mean_depth(left), r = mean_depth(right);

    return l > r ? -1 : l < r ? 1 : left->order - right->order;
}

void crank_items_sort(crank_item_list *list)
{
    qsort(list->item, (size_t)list->count, sizeof *list->item, compare);
}
