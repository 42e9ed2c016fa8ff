/* view_shapes.c - shapes of a body in `view:`: solids, tubes, and meshes from files that stand
 * beside the model file. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/view/mesh.h"
#include "model/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000 };

static const struct {
    const char *key;
    crank_solid_kind kind;
    int numbers;
} solids[] = {
    {"box", CRANK_SOLID_BOX, 3},       {"cylinder", CRANK_SOLID_CYLINDER, 2},
    {"sphere", CRANK_SOLID_SPHERE, 1}, {"capsule", CRANK_SOLID_CAPSULE, 2},
    {"cone", CRANK_SOLID_CONE, 2},     {"tube", CRANK_SOLID_TUBE, 0},
    {"mesh", CRANK_SOLID_MESH, 0},     {"ring", CRANK_SOLID_RING, 2},
};
enum { SOLIDS = sizeof solids / sizeof solids[0] };

static crank_status read_length(const crank_view_work *w, const crank_node *node,
                                const char *object, const char *key, double *out)
{
    const crank_status status = crank_view_number(w, node, object, key, out);
    return status != CRANK_OK || *out > 0.0
               ? status
               : crank_view_fail(w, node, object, key, "%g, must be positive", *out);
}

/* a box of planar pictures may have two edges: it is thin then */
static crank_status read_lengths(const crank_view_work *w, const crank_node *node,
                                 const char *object, const char *key, int count, double *out)
{
    const bool box = count == 3 && w->reader->dimension != 3;
    if (count == 1 && node->kind == CRANK_NODE_SCALAR) {
        return read_length(w, node, object, key, out);
    }
    crank_status status = crank_view_list(w, node, object, key, box ? 2 : count, count);
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = read_length(w, node->item[i], object, key, &out[i]);
    }
    if (status == CRANK_OK && node->count < count) {
        out[2] = 0.25 * (out[0] < out[1] ? out[0] : out[1]);
    }
    return status;
}

/* ---- meshes ---- */

static crank_status read_mesh(const crank_view_work *w, const crank_node *node,
                              const char *object, double scale, crank_scene_shape *s)
{
    crank_store *store = w->reader->store;
    const crank_named_file *file = NULL;
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node) || node->text[0] == '\0') {
        return crank_view_fail(w, node, object, "mesh",
                               "%s where the name of a file is expected",
                               crank_node_describe(node));
    }
    const char *path = crank_named_file_path(store, w->reader->path, node->text);
    crank_mesh *mesh = crank_store_take(store, 1, sizeof *mesh);
    if (path == NULL || mesh == NULL) {
        return crank_view_no_memory(w);
    }
    crank_error why = {0};
    crank_status status = crank_files_load(w->reader->files, path, &file, &why);
    CRANK_THEN(status,
               crank_mesh_parse(path, file->text, file->length, scale, store, mesh, &why));
    s->mesh = mesh;
    return status == CRANK_OK ? CRANK_OK
           : status == CRANK_EMEM
               ? crank_view_no_memory(w)
               : crank_view_fail(w, node, object, "mesh", "%.300s", why.text);
}

/* ---- shapes ---- */

static crank_status read_tube(const crank_view_work *w, const crank_node *node,
                              const char *object, crank_scene_shape *s)
{
    crank_status status = crank_view_list(w, node, object, "tube", 2, 2);
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        status = crank_view_vector(w, node->item[i], object, "tube", s->end[i]);
    }
    const double *a = s->end[0], *b = s->end[1];
    return status != CRANK_OK || a[0] != b[0] || a[1] != b[1] || a[2] != b[2]
               ? status
               : crank_view_fail(w, node, object, "tube", "its ends are the same point");
}

/* which solid it is; the keys of others are refused */
static crank_status find_solid(const crank_view_work *w, const crank_node *node,
                               const char *object, int *out)
{
    *out = -1;
    for (int i = 0; i < SOLIDS; i++) {
        const crank_node *value = crank_node_find(node, solids[i].key);
        if (value != NULL && *out >= 0) {
            return crank_view_fail(w, value, object, NULL,
                                   "\"%s\" and \"%s\": a shape is one of them",
                                   solids[*out].key, solids[i].key);
        }
        *out = value != NULL ? i : *out;
    }
    if (*out < 0) {
        return crank_view_fail(
            w, node, object, NULL,
            "a shape is one of box, cylinder, sphere, capsule, cone, ring, tube and mesh");
    }
    const bool tube = solids[*out].kind == CRANK_SOLID_TUBE;
    const bool mesh = solids[*out].kind == CRANK_SOLID_MESH;
    const struct {
        const char *key, *with;
        bool fits;
    } others[] = {{"radius", "a tube", tube},
                  {"scale", "a mesh", mesh},
                  {"at", "shapes other than tubes", !tube},
                  {"orientation", "shapes other than tubes", !tube}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const crank_node *value = crank_node_find(node, others[i].key);
        if (value != NULL && !others[i].fits) {
            return crank_view_fail(w, value, object, NULL, "\"%s\" is only for %s",
                                   others[i].key, others[i].with);
        }
    }
    return CRANK_OK;
}

static crank_status read_shape(const crank_view_work *w, const crank_node *node,
                               const char *object, crank_scene_shape *s)
{
    int solid = -1;
    double scale = 1.0;
    *s = (crank_scene_shape){.orientation = {1.0, 0.0, 0.0, 0.0}};
    crank_status status = crank_view_keys(w, node, object, crank_keys_view_shape);
    CRANK_THEN(status, find_solid(w, node, object, &solid));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *value = crank_node_find(node, solids[solid].key);
    const crank_node *radius = crank_node_find(node, "radius");
    const crank_node *factor = crank_node_find(node, "scale");
    const crank_node *at = crank_node_find(node, "at");
    const crank_node *orientation = crank_node_find(node, "orientation");
    const crank_node *color = crank_node_find(node, "color");
    const crank_node *opacity = crank_node_find(node, "opacity");
    s->kind = solids[solid].kind;
    if (factor != NULL) {
        status = read_length(w, factor, object, "scale", &scale);
    }
    CRANK_THEN(status, s->kind == CRANK_SOLID_TUBE ? read_tube(w, value, object, s)
                       : s->kind == CRANK_SOLID_MESH
                           ? read_mesh(w, value, object, scale, s)
                           : read_lengths(w, value, object, solids[solid].key,
                                          solids[solid].numbers, s->size));
    if (status == CRANK_OK && radius != NULL) {
        status = read_length(w, radius, object, "radius", &s->size[0]);
    }
    if (status == CRANK_OK && at != NULL) {
        status = crank_view_vector(w, at, object, "at", s->at);
    }
    if (status == CRANK_OK && orientation != NULL) {
        status = crank_view_orientation(w, orientation, object, "orientation", s->orientation);
    }
    if (status == CRANK_OK && opacity != NULL) {
        status = crank_view_opacity(w, opacity, object, &s->opacity);
    }
    return status == CRANK_OK && color != NULL ? crank_view_color(w, color, object, &s->color)
                                               : status;
}

crank_status crank_view_shapes(const crank_view_work *w, const crank_node *node,
                               const char *object, crank_scene_body *body)
{
    crank_status status = crank_view_list(w, node, object, "shapes", 0, MOST);
    if (status != CRANK_OK) {
        return status;
    }
    body->has_shapes = true;
    body->shape_count = node->count;
    body->shape = crank_store_take(w->reader->store, (size_t)node->count, sizeof *body->shape);
    if (body->shape == NULL) {
        return crank_view_no_memory(w);
    }
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        char where[160];
        (void)snprintf(where, sizeof where, "%.120s, shape %d", object, i + 1);
        status = read_shape(w, node->item[i], where, &body->shape[i]);
    }
    return status;
}
