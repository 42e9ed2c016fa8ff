/* scene_read.c - a scene's JSON as records. What is missing or of another kind counts as what
 * docs/develop/page.md says of missing values. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.h"
#include "report/picture/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    crank_picture_scene *scene;
    crank_store *store;
    bool failed; /* out of memory */
} reader;

static void *take(reader *r, int count, size_t size)
{
    void *memory = crank_store_take(r->store, (size_t)(count > 0 ? count : 1), size);

    r->failed = r->failed || memory == NULL;
    return memory;
}

static const char *keep(reader *r, const char *text)
{
    char *copy = text != NULL ? take(r, (int)strlen(text) + 1, 1) : NULL;

    return copy != NULL ? strcpy(copy, text) : "";
}

static crank_picture_ref ref_of(const reader *r, const crank_json_value *v, double other)
{
    crank_picture_ref ref = {.column = -1, .number = other};

    if (v != NULL && v->text != NULL) {
        ref.column = crank_table_find(r->scene->table, v->text);
    } else if (v != NULL && !isnan(v->number)) {
        ref.number = v->number;
    }
    return ref;
}

/* Colour number i of bodies that have none. */
static void palette_color(int i, double color[3])
{
    static const unsigned long colors[] = {0x4c78a8, 0xe4843a, 0x54a24b, 0xb279a2, 0x72a8a6,
                                           0xd6604d, 0xc9a227, 0x8c6bb1, 0x6b8e9f, 0x9d755d};
    const unsigned long rgb = colors[i % (int)(sizeof colors / sizeof colors[0])];

    color[0] = (double)(rgb >> 16 & 255) / 255.0;
    color[1] = (double)(rgb >> 8 & 255) / 255.0;
    color[2] = (double)(rgb & 255) / 255.0;
}

/* "#rrggbb" or "#rgb"; anything else leaves out as it is. */
static void color_of(const char *text, double out[3])
{
    char *end;
    const size_t length = text != NULL ? strlen(text) : 0;

    if (text == NULL || text[0] != '#' || (length != 4 && length != 7)) {
        return;
    }
    const unsigned long value = strtoul(text + 1, &end, 16);
    for (int k = 0; k < 3 && *end == '\0'; k++) {
        out[k] = length == 7 ? (double)(value >> (16 - 8 * k) & 255) / 255.0
                             : (double)(value >> (8 - 4 * k) & 15) / 15.0;
    }
}

/* ---- bodies ---- */

static void read_mesh(reader *r, const crank_json_value *v, crank_picture_shape *s)
{
    const crank_json_value *vertices = crank_json_get(v, "vertices");
    const crank_json_value *triangles = crank_json_get(v, "triangles");
    const int corners = triangles != NULL ? triangles->count / 3 * 3 : 0;

    s->vertex_count = vertices != NULL ? vertices->count / 3 : 0;
    s->vertices = take(r, 3 * s->vertex_count, sizeof *s->vertices);
    s->triangles = take(r, corners, sizeof *s->triangles);
    if (r->failed) {
        return;
    }
    crank_json_vector(vertices, 3 * s->vertex_count, s->vertices);
    const crank_json_value *c = corners > 0 ? triangles->first : NULL;
    for (int t = 0; t < corners / 3; t++) {
        int *corner = s->triangles + 3 * s->triangle_count;
        bool known = true;
        for (int k = 0; k < 3; k++, c = c->next) {
            known = known && c->number >= 0.0 && c->number < s->vertex_count;
            corner[k] = known ? (int)c->number : 0;
        }
        s->triangle_count += known ? 1 : 0;
    }
}

static void read_shape(reader *r, const crank_json_value *v, const crank_picture_body *body,
                       double opacity, crank_picture_shape *s)
{
    static const char *const kinds[CRANK_PICTURE_KINDS] = {"box",  "cylinder", "cone", "sphere",
                                                           "ring", "capsule",  "tube", "mesh"};
    const char *kind = crank_json_text(v, "kind");

    *s = (crank_picture_shape){.kind = CRANK_PICTURE_KINDS, .orientation = {1.0}};
    for (int k = 0; k < CRANK_PICTURE_KINDS; k++) {
        s->kind = kind != NULL && strcmp(kind, kinds[k]) == 0 ? (crank_picture_kind)k : s->kind;
    }
    crank_json_vector(crank_json_get(v, "size"), 3, s->size);
    crank_json_vector(crank_json_get(v, "from"), 3, s->from);
    crank_json_vector(crank_json_get(v, "to"), 3, s->to);
    crank_json_vector(crank_json_get(v, "at"), 3, s->at);
    crank_json_vector(crank_json_get(v, "orientation"), 4, s->orientation);
    s->radius = crank_json_number(v, "radius", 0.0);
    s->length = crank_json_number(v, "length", 0.0);
    s->wire = crank_json_number(v, "wire", 0.0);
    s->opacity = crank_json_number(v, "opacity", opacity);
    s->guessed = crank_json_number(v, "guessed", 0.0) != 0.0;
    memcpy(s->color, body->color, sizeof s->color);
    color_of(crank_json_text(v, "color"), s->color);
    if (s->kind == CRANK_PICTURE_MESH) {
        read_mesh(r, v, s);
    }
}

static void read_body(reader *r, const crank_json_value *v, int number, crank_picture_body *b)
{
    static const char *const places[] = {"x", "y", "z"}, *const turns[] = {"q0", "q1", "q2",
                                                                           "q3"};
    const crank_json_value *pose = crank_json_get(v, "pose");
    const double opacity = crank_json_number(v, "opacity", 1.0);

    for (int k = 0; k < 3; k++) {
        b->x[k] = ref_of(r, crank_json_get(pose, places[k]), 0.0);
        b->moves = b->moves || b->x[k].column >= 0;
    }
    b->angle = ref_of(r, crank_json_get(pose, "angle"), 0.0);
    b->moves = b->moves || b->angle.column >= 0;
    for (int k = 0; k < 4; k++) {
        const crank_json_value *q = crank_json_get(pose, turns[k]);
        b->q[k] = ref_of(r, q, k == 0 ? 1.0 : 0.0);
        b->turned = b->turned || q != NULL;
        b->moves = b->moves || b->q[k].column >= 0;
    }
    crank_json_vector(crank_json_get(v, "center"), 3, b->center);
    palette_color((int)crank_json_number(v, "part", number), b->color);
    color_of(crank_json_text(v, "color"), b->color);
    b->shapes = take(r, crank_json_count(v, "shapes"), sizeof *b->shapes);
    const crank_json_value *list = crank_json_get(v, "shapes");
    for (const crank_json_value *s = list != NULL ? list->first : NULL; s != NULL && !r->failed;
         s = s->next) {
        read_shape(r, s, b, opacity, &b->shapes[b->shape_count++]);
    }
}

/* ---- joints, forces, lines ---- */

static int body_of(const reader *r, double number)
{
    return number >= 0.0 && number < r->scene->body_count ? (int)number : -1;
}

static void read_pair(const crank_json_value *list, double out[2][3])
{
    const crank_json_value *v = list != NULL ? list->first : NULL;

    for (int k = 0; k < 2 && v != NULL; k++, v = v->next) {
        crank_json_vector(v, 3, out[k]);
    }
}

static void read_link(reader *r, const crank_json_value *v, crank_picture_link *l)
{
    const crank_json_value *components = crank_json_get(v, "components");
    const char *in = crank_json_text(v, "direction_in");
    double bodies[2] = {-1.0, -1.0};

    l->type = keep(r, crank_json_text(v, "type"));
    l->glyph = keep(r, crank_json_text(v, "glyph"));
    crank_json_vector(crank_json_get(v, "bodies"), 2, bodies);
    read_pair(crank_json_get(v, "points"), l->point);
    read_pair(crank_json_get(v, "axes"), l->axis);
    l->has_axis = crank_json_count(v, "axes") == 2;
    l->radius = crank_json_number(v, "radius", 0.0);
    crank_json_vector(crank_json_get(v, "radii"), 2, l->pitch);
    l->value = ref_of(r, crank_json_get(v, "value"), 0.0);
    l->has_direction = crank_json_count(v, "direction") == 3;
    crank_json_vector(crank_json_get(v, "direction"), 3, l->direction);
    l->in_body = in != NULL && strcmp(in, "body") == 0;
    l->has_components = components != NULL && components->count == 3;
    const crank_json_value *c = l->has_components ? components->first : NULL;
    for (int k = 0; k < 3; k++) {
        l->component[k] = ref_of(r, c, 0.0);
        c = c != NULL ? c->next : NULL;
    }
    for (int k = 0; k < 2; k++) {
        l->body[k] = body_of(r, bodies[k]);
    }
}

static void read_point(const reader *r, const crank_json_value *list, crank_picture_ref out[3])
{
    const crank_json_value *v = list != NULL ? list->first : NULL;

    for (int k = 0; k < 3; k++) {
        out[k] = ref_of(r, v, 0.0);
        v = v != NULL ? v->next : NULL;
    }
}

static void read_line(reader *r, const crank_json_value *v, int number, bool trace,
                      crank_picture_line *line)
{
    static const double spring[3] = {0.25, 0.6, 0.45};
    const crank_json_value *points = crank_json_get(v, "points");
    const int bodies = r->scene->body_count;

    line->trace = trace;
    line->body = body_of(r, crank_json_number(v, "body", -1.0));
    line->width = crank_json_number(v, "width", 0.0);
    line->spring = crank_json_number(v, "spring", 0.0) != 0.0;
    line->around = crank_json_number(v, "around", 0.0) != 0.0;
    palette_color(trace && line->body >= 0 ? line->body : bodies + number, line->color);
    if (trace && line->body >= 0) {
        memcpy(line->color, r->scene->bodies[line->body].color, sizeof line->color);
    } else if (line->spring) {
        memcpy(line->color, spring, sizeof line->color);
    }
    color_of(crank_json_text(v, "color"), line->color);
    line->count = trace ? 1 : points != NULL ? points->count : 0;
    line->points = take(r, line->count, sizeof *line->points);
    if (r->failed) {
        return;
    }
    if (trace) {
        read_point(r, crank_json_get(v, "point"), line->points[0]);
        return;
    }
    const crank_json_value *p = line->count > 0 ? points->first : NULL;
    for (int i = 0; i < line->count; i++, p = p->next) {
        read_point(r, p, line->points[i]);
    }
}

/* ---- all of it ---- */

static void read_lists(reader *r, const crank_json_value *root)
{
    crank_picture_scene *s = r->scene;
    const crank_json_value *v, *list = crank_json_get(root, "bodies");
    int i = 0;

    s->body_count = list != NULL ? list->count : 0;
    s->bodies = take(r, s->body_count, sizeof *s->bodies);
    s->worlds = take(r, s->body_count, sizeof *s->worlds);
    for (v = list != NULL ? list->first : NULL; v != NULL && !r->failed; v = v->next) {
        read_body(r, v, i, &s->bodies[i]);
        i++;
    }
    s->joints = take(r, crank_json_count(root, "joints"), sizeof *s->joints);
    s->forces = take(r, crank_json_count(root, "forces"), sizeof *s->forces);
    s->lines = take(r, crank_json_count(root, "lines"), sizeof *s->lines);
    s->traces = take(r, crank_json_count(root, "traces"), sizeof *s->traces);
    list = crank_json_get(root, "joints");
    for (v = list != NULL ? list->first : NULL; v != NULL && !r->failed; v = v->next) {
        read_link(r, v, &s->joints[s->joint_count++]);
    }
    list = crank_json_get(root, "forces");
    for (v = list != NULL ? list->first : NULL; v != NULL && !r->failed; v = v->next) {
        read_link(r, v, &s->forces[s->force_count++]);
    }
    list = crank_json_get(root, "lines");
    for (v = list != NULL ? list->first : NULL; v != NULL && !r->failed; v = v->next) {
        read_line(r, v, s->line_count, false, &s->lines[s->line_count]);
        s->line_count++;
    }
    list = crank_json_get(root, "traces");
    for (v = list != NULL ? list->first : NULL; v != NULL && !r->failed; v = v->next) {
        read_line(r, v, s->trace_count, true, &s->traces[s->trace_count]);
        s->trace_count++;
    }
}

crank_status crank_picture_scene_read(const char *text, const crank_table *table,
                                      crank_store *store, crank_picture_scene *out,
                                      crank_error *err)
{
    crank_json_tree tree;
    *out = (crank_picture_scene){.table = table, .up = {0.0, 0.0, 1.0}};
    reader r = {.scene = out, .store = store};
    crank_status status = crank_json_tree_read(text, &tree, err);

    if (status != CRANK_OK) {
        return status;
    }
    const crank_json_value *root = tree.values, *camera = crank_json_get(root, "camera");
    out->planar = crank_json_number(root, "dimension", 3.0) == 2.0;
    crank_json_vector(crank_json_get(root, "up"), 3, out->up);
    crank_json_vector(crank_json_get(root, "center"), 3, out->center);
    out->size = crank_json_number(root, "size", 1.0);
    out->size = out->size > 0.0 ? out->size : 1.0;
    out->scale = crank_json_number(root, "scale", out->size);
    out->scale = out->scale > 0.0 ? out->scale : out->size;
    read_lists(&r, root);
    const char *preset = crank_json_text(camera, "preset");
    out->preset = preset != NULL ? keep(&r, preset) : NULL;
    out->has_camera = crank_json_count(camera, "from") == 3 && !out->planar;
    crank_json_vector(crank_json_get(camera, "from"), 3, out->from);
    crank_json_vector(crank_json_get(camera, "to"), 3, out->to);
    out->follow = body_of(&r, crank_json_number(root, "follow", -1.0));
    crank_json_tree_free(&tree);
    return r.failed ? crank_fail(err, CRANK_EMEM, "the scene of the picture") : CRANK_OK;
}
