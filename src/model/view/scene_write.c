/* scene_write.c - a scene as JSON in one line, docs/develop/page.md. Numbers have nine
 * significant digits or fewer and always a decimal point; what is not finite is zero. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.h"
#include "model/view/scene.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9 };

/* ---- values ---- */

static void put(void *to, const char *piece)
{
    crank_text_append(to, "%s", piece);
}

static void write_number(crank_json *j, const char *key, double value)
{
    crank_json_real(j, key, isfinite(value) ? value : 0.0);
}

static void write_numbers(crank_json *j, const char *key, const double *value, int count)
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        write_number(j, NULL, value[i]);
    }
    crank_json_close(j);
}

/* left out if zero */
static void write_size(crank_json *j, const char *key, double value)
{
    if (value > 0.0) {
        write_number(j, key, value);
    }
}

static void write_value(crank_json *j, const char *key, const crank_view_value *value)
{
    if (value->column != NULL) {
        crank_json_string(j, key, value->column);
    } else {
        write_number(j, key, value->number);
    }
}

static void write_values(crank_json *j, const char *key, const crank_view_value value[3])
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < 3; i++) {
        write_value(j, NULL, &value[i]);
    }
    crank_json_close(j);
}

/* ---- bodies ---- */

static void write_mesh(crank_json *j, const crank_mesh *mesh)
{
    write_numbers(j, "vertices", &mesh->vertex[0][0], 3 * mesh->vertex_count);
    crank_json_open(j, "triangles", '[');
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        crank_json_int(j, NULL, mesh->triangle[i / 3][i % 3]);
    }
    crank_json_close(j);
}

static void write_shape(crank_json *j, const crank_scene_shape *s)
{
    static const char *const kinds[] = {"box",    "cylinder", "cone", "capsule",
                                        "sphere", "tube",     "mesh", "ring"};
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "kind", kinds[s->kind]);
    if (s->kind == CRANK_SOLID_BOX) {
        write_numbers(j, "size", s->size, 3);
    } else if (s->kind == CRANK_SOLID_MESH) {
        write_mesh(j, s->mesh);
    } else {
        write_number(j, "radius", s->size[0]);
    }
    if (s->kind >= CRANK_SOLID_CYLINDER && s->kind <= CRANK_SOLID_CAPSULE) {
        write_number(j, "length", s->size[1]);
    }
    if (s->kind == CRANK_SOLID_RING) {
        write_number(j, "wire", s->size[1]);
    }
    if (s->kind == CRANK_SOLID_TUBE) {
        write_numbers(j, "from", s->end[0], 3);
        write_numbers(j, "to", s->end[1], 3);
    }
    if (s->at[0] != 0.0 || s->at[1] != 0.0 || s->at[2] != 0.0) {
        write_numbers(j, "at", s->at, 3);
    }
    if (s->kind != CRANK_SOLID_TUBE && s->orientation[0] != 1.0) {
        write_numbers(j, "orientation", s->orientation, 4);
    }
    if (s->color != NULL) {
        crank_json_string(j, "color", s->color);
    }
    write_size(j, "opacity", s->opacity);
    if (s->guessed) {
        crank_json_bool(j, "guessed", true);
    }
    crank_json_close(j);
}

static void write_body(crank_json *j, const crank_scene_body *b, int number)
{
    static const char *const names[CRANK_POSES] = {"x",  "y",  "z",  "angle",
                                                   "q0", "q1", "q2", "q3"};
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "name", b->name);
    crank_json_open(j, "pose", '{');
    for (int i = 0; i < CRANK_POSES; i++) {
        if (b->placed[i]) {
            write_value(j, names[i], &b->pose[i]);
        }
    }
    crank_json_close(j);
    write_numbers(j, "center", b->center, 3);
    crank_json_string(j, "color", b->color);
    if (b->part != number) {
        crank_json_int(j, "part", b->part);
    }
    write_size(j, "opacity", b->opacity);
    crank_json_open(j, "shapes", '[');
    for (int i = 0; i < b->shape_count && !b->hide; i++) {
        write_shape(j, &b->shape[i]);
    }
    crank_json_close(j);
    crank_json_close(j);
}

/* ---- joints and forces ---- */

/* opens an object that the caller closes */
static void write_place(crank_json *j, const char *name, const char *type, const char *glyph,
                        const int body[2], const double point[2][3])
{
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "name", name);
    crank_json_string(j, "type", type);
    crank_json_string(j, "glyph", glyph);
    crank_json_open(j, "bodies", '[');
    crank_json_int(j, NULL, body[0]);
    crank_json_int(j, NULL, body[1]);
    crank_json_close(j);
    crank_json_open(j, "points", '[');
    write_numbers(j, NULL, point[0], 3);
    write_numbers(j, NULL, point[1], 3);
    crank_json_close(j);
}

/* "joint.NAME.fx" ... of three components; planar: those that it has */
static void write_components(crank_json *j, const char *key, const char *joint,
                             const char *components)
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < 3; i++) {
        const char c = components[2 * i + 1];
        crank_text name = {0}, *out = j->to;
        crank_text_append(&name, "joint.%s.%c%c", joint, components[2 * i], c);
        out->failed = out->failed || name.failed;
        crank_json_string(j, NULL, c == '-' ? NULL : name.data);
        crank_text_free(&name);
    }
    crank_json_close(j);
}

static void write_reaction(crank_json *j, const crank_scene_joint *joint, int dimension)
{
    crank_json_open(j, "reaction", '{');
    write_components(j, "force", joint->name, dimension == 2 ? "fxfyf-" : "fxfyfz");
    write_components(j, "torque", joint->name, dimension == 2 ? "t-t-tz" : "txtytz");
    crank_json_int(j, "on", 1);
    crank_json_string(j, "axes", joint->joint_axes ? "joint" : "world");
    if (joint->joint_axes) {
        write_numbers(j, "frame", joint->frame, 4);
    }
    crank_json_close(j);
}

static void write_joint(crank_json *j, const crank_scene_joint *joint, int dimension)
{
    write_place(j, joint->name, joint->type, joint->glyph, joint->body, joint->point);
    if (joint->has_axis) {
        crank_json_open(j, "axes", '[');
        write_numbers(j, NULL, joint->axis[0], 3);
        write_numbers(j, NULL, joint->axis[1], 3);
        crank_json_close(j);
    } else {
        crank_json_null(j, "axes");
    }
    write_size(j, "radius", joint->radius);
    if (joint->pitch[0] != 0.0) {
        write_numbers(j, "radii", joint->pitch, 2);
    }
    if (joint->has_reaction) {
        write_reaction(j, joint, dimension);
    } else {
        crank_json_null(j, "reaction");
    }
    crank_json_close(j);
}

static void write_force(crank_json *j, const crank_scene_force *f)
{
    write_place(j, f->name, f->type, f->glyph, f->body, f->point);
    crank_json_string(j, "value", f->value);
    if (f->component[0] != NULL || f->component[2] != NULL) {
        crank_json_open(j, "components", '[');
        for (int i = 0; i < 3; i++) {
            crank_json_string(j, NULL, f->component[i]);
        }
        crank_json_close(j);
    } else {
        crank_json_null(j, "components");
    }
    if (f->has_direction) {
        write_numbers(j, "direction", f->direction, 3);
    } else {
        crank_json_null(j, "direction");
    }
    crank_json_string(j, "direction_in", f->in_body ? "body" : "world");
    write_size(j, "radius", f->radius);
    crank_json_close(j);
}

/* ---- lines, traces, plots ---- */

static void write_line(crank_json *j, const crank_view_line *line)
{
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "name", line->name);
    crank_json_open(j, "points", '[');
    for (int i = 0; i < line->count; i++) {
        write_values(j, NULL, line->point[i]);
    }
    crank_json_close(j);
    crank_json_string(j, "color", line->color);
    if (line->width > 0.0) {
        write_number(j, "width", line->width);
    } else {
        crank_json_null(j, "width");
    }
    crank_json_bool(j, "spring", line->spring);
    if (line->body >= 0) {
        crank_json_int(j, "body", line->body);
    }
    if (line->around) {
        crank_json_bool(j, "around", true);
    }
    crank_json_close(j);
}

static void write_trace(crank_json *j, const crank_view_trace *trace)
{
    crank_json_open(j, NULL, '{');
    crank_json_string(j, "name", trace->name);
    if (trace->body >= 0) {
        crank_json_int(j, "body", trace->body);
    }
    write_values(j, "point", trace->point);
    crank_json_string(j, "color", trace->color);
    crank_json_close(j);
}

static void write_panels(crank_json *j, const char *key, int count,
                         const crank_view_panel *panel)
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        crank_json_open(j, NULL, '[');
        for (int k = 0; k < panel[i].count; k++) {
            crank_json_string(j, NULL, panel[i].name[k]);
        }
        crank_json_close(j);
    }
    crank_json_close(j);
}

static void write_camera(crank_json *j, const crank_scene *scene)
{
    if (!scene->has_camera && scene->preset == NULL) {
        crank_json_null(j, "camera");
        return;
    }
    crank_json_open(j, "camera", '{');
    if (scene->has_camera) {
        write_numbers(j, "from", scene->from, 3);
        write_numbers(j, "to", scene->to, 3);
    } else {
        crank_json_string(j, "preset", scene->preset);
    }
    crank_json_close(j);
}

static void write_scene(const crank_scene *scene, crank_text *out)
{
    crank_json writer = {.put = put, .to = out, .digits = DIGITS, .tight = true};
    crank_json *j = &writer;
    crank_json_open(j, NULL, '{');
    crank_json_int(j, "dimension", scene->dimension);
    write_numbers(j, "up", scene->up, 3);
    write_number(j, "size", scene->size);
    write_number(j, "scale", scene->scale);
    write_numbers(j, "center", scene->center, 3);
    crank_json_open(j, "bodies", '[');
    for (int i = 0; i < scene->body_count; i++) {
        write_body(j, &scene->body[i], i);
    }
    crank_json_close(j);
    crank_json_open(j, "joints", '[');
    for (int i = 0; i < scene->joint_count; i++) {
        write_joint(j, &scene->joint[i], scene->dimension);
    }
    crank_json_close(j);
    crank_json_open(j, "forces", '[');
    for (int i = 0; i < scene->force_count; i++) {
        write_force(j, &scene->force[i]);
    }
    crank_json_close(j);
    crank_json_open(j, "lines", '[');
    for (int i = 0; i < scene->line_count; i++) {
        write_line(j, &scene->line[i]);
    }
    crank_json_close(j);
    crank_json_open(j, "traces", '[');
    for (int i = 0; i < scene->trace_count; i++) {
        write_trace(j, &scene->trace[i]);
    }
    crank_json_close(j);
    write_panels(j, "plots", scene->plot_count, scene->plot);
    write_panels(j, "phase", scene->phase_count, scene->phase);
    write_camera(j, scene);
    if (scene->follow >= 0) {
        crank_json_int(j, "follow", scene->follow);
    } else {
        crank_json_null(j, "follow");
    }
    crank_json_close(j);
}

crank_status crank_model_keep_scene(crank_model *model, const crank_scene *scene,
                                    crank_error *err)
{
    crank_text text = {0};
    write_scene(scene, &text);
    model->scene = text.failed || text.data == NULL
                       ? NULL
                       : crank_store_copy(&model->store, text.data, text.length);
    crank_text_free(&text);
    return model->scene != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "the scene");
}
