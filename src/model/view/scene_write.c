/* scene_write.c - a scene as JSON in one line, docs/develop/page.md. Numbers have nine significant digits or fewer and always a
 * decimal point; texts are escaped so that they cannot end a script element of HTML. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.h"
#include "model/view/scene.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 9 };

/* ---- values ---- */

static void write_string(crank_text *out, const char *text)
{
    if (text == NULL) {
        crank_text_append(out, "null");
    } else {
        crank_text_append_json(out, text);
    }
}

static void write_number(crank_text *out, double value)
{
    char text[CRANK_NUMBER_TEXT];
    const double shown = isfinite(value) ? value + 0.0 : 0.0;
    crank_text_append(out, "%s", crank_number_print(text, sizeof text, shown, DIGITS));
}

static void write_numbers(crank_text *out, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        crank_text_append(out, i > 0 ? "," : "[");
        write_number(out, value[i]);
    }
    crank_text_append(out, "]");
}

static void write_value(crank_text *out, const crank_view_value *value)
{
    if (value->column != NULL) {
        write_string(out, value->column);
    } else {
        write_number(out, value->number);
    }
}

static void write_values(crank_text *out, const crank_view_value value[3])
{
    for (int i = 0; i < 3; i++) {
        crank_text_append(out, i > 0 ? "," : "[");
        write_value(out, &value[i]);
    }
    crank_text_append(out, "]");
}

/* ,"key": */
static void write_key(crank_text *out, const char *key)
{
    crank_text_append(out, ",\"%s\":", key);
}

/* ---- bodies ---- */

static void write_mesh(crank_text *out, const crank_mesh *mesh)
{
    write_key(out, "vertices");
    write_numbers(out, &mesh->vertex[0][0], 3 * mesh->vertex_count);
    write_key(out, "triangles");
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        crank_text_append(out, "%s%d", i > 0 ? "," : "[", mesh->triangle[i / 3][i % 3]);
    }
    crank_text_append(out, "]");
}

static void write_shape(crank_text *out, const crank_scene_shape *s)
{
    static const char *const kinds[] = {"box",    "cylinder", "cone", "capsule",
                                        "sphere", "tube",     "mesh"};
    crank_text_append(out, "{\"kind\":\"%s\"", kinds[s->kind]);
    if (s->kind == CRANK_SOLID_BOX) {
        write_key(out, "size");
        write_numbers(out, s->size, 3);
    } else if (s->kind == CRANK_SOLID_MESH) {
        write_mesh(out, s->mesh);
    } else {
        write_key(out, "radius");
        write_number(out, s->size[0]);
    }
    if (s->kind >= CRANK_SOLID_CYLINDER && s->kind <= CRANK_SOLID_CAPSULE) {
        write_key(out, "length");
        write_number(out, s->size[1]);
    }
    if (s->kind == CRANK_SOLID_TUBE) {
        write_key(out, "from");
        write_numbers(out, s->end[0], 3);
        write_key(out, "to");
        write_numbers(out, s->end[1], 3);
    }
    if (s->at[0] != 0.0 || s->at[1] != 0.0 || s->at[2] != 0.0) {
        write_key(out, "at");
        write_numbers(out, s->at, 3);
    }
    if (s->kind != CRANK_SOLID_TUBE && s->orientation[0] != 1.0) {
        write_key(out, "orientation");
        write_numbers(out, s->orientation, 4);
    }
    if (s->color != NULL) {
        write_key(out, "color");
        write_string(out, s->color);
    }
    crank_text_append(out, s->guessed ? ",\"guessed\":true}" : "}");
}

static void write_body(crank_text *out, const crank_scene_body *b)
{
    static const char *const names[CRANK_POSES] = {"x",  "y",  "z",  "angle",
                                                   "q0", "q1", "q2", "q3"};
    const char *separator = "";
    crank_text_append(out, "{\"name\":");
    write_string(out, b->name);
    crank_text_append(out, ",\"pose\":{");
    for (int i = 0; i < CRANK_POSES; i++) {
        if (b->placed[i]) {
            crank_text_append(out, "%s\"%s\":", separator, names[i]);
            write_value(out, &b->pose[i]);
            separator = ",";
        }
    }
    crank_text_append(out, "},\"center\":");
    write_numbers(out, b->center, 3);
    write_key(out, "color");
    write_string(out, b->color);
    crank_text_append(out, ",\"shapes\":[");
    for (int i = 0; i < b->shape_count && !b->hide; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_shape(out, &b->shape[i]);
    }
    crank_text_append(out, "]}");
}

/* ---- joints and forces ---- */

static void write_place(crank_text *out, const char *name, const char *type, const char *glyph,
                        const int body[2], const double point[2][3])
{
    crank_text_append(out, "{\"name\":");
    write_string(out, name);
    write_key(out, "type");
    write_string(out, type);
    write_key(out, "glyph");
    write_string(out, glyph);
    crank_text_append(out, ",\"bodies\":[%d,%d],\"points\":[", body[0], body[1]);
    write_numbers(out, point[0], 3);
    crank_text_append(out, ",");
    write_numbers(out, point[1], 3);
    crank_text_append(out, "]");
}

/* "joint.NAME.fx" ... of three components; planar: those that it has */
static void write_components(crank_text *out, const char *joint, const char *components)
{
    for (int i = 0; i < 3; i++) {
        const char c = components[2 * i + 1];
        crank_text_append(out, i > 0 ? "," : "[");
        if (c == '-') {
            crank_text_append(out, "null");
        } else { /* names of joints are letters, digits, _ and . */
            crank_text_append(out, "\"joint.%s.%c%c\"", joint, components[2 * i], c);
        }
    }
    crank_text_append(out, "]");
}

static void write_joint(crank_text *out, const crank_scene_joint *j, int dimension)
{
    write_place(out, j->name, j->type, j->glyph, j->body, j->point);
    write_key(out, "axes");
    if (j->has_axis) {
        crank_text_append(out, "[");
        write_numbers(out, j->axis[0], 3);
        crank_text_append(out, ",");
        write_numbers(out, j->axis[1], 3);
        crank_text_append(out, "]");
    } else {
        crank_text_append(out, "null");
    }
    if (j->radius > 0.0) {
        write_key(out, "radius");
        write_number(out, j->radius);
    }
    write_key(out, "reaction");
    if (!j->has_reaction) {
        crank_text_append(out, "null}");
        return;
    }
    crank_text_append(out, "{\"force\":");
    write_components(out, j->name, dimension == 2 ? "fxfyf-" : "fxfyfz");
    write_key(out, "torque");
    write_components(out, j->name, dimension == 2 ? "t-t-tz" : "txtytz");
    crank_text_append(out, ",\"on\":1,\"axes\":\"%s\"", j->joint_axes ? "joint" : "world");
    if (j->joint_axes) {
        write_key(out, "frame");
        write_numbers(out, j->frame, 4);
    }
    crank_text_append(out, "}}");
}

static void write_force(crank_text *out, const crank_scene_force *f)
{
    write_place(out, f->name, f->type, f->glyph, f->body, f->point);
    write_key(out, "value");
    write_string(out, f->value);
    write_key(out, "components");
    if (f->component[0] != NULL || f->component[2] != NULL) {
        for (int i = 0; i < 3; i++) {
            crank_text_append(out, i > 0 ? "," : "[");
            write_string(out, f->component[i]);
        }
        crank_text_append(out, "]");
    } else {
        crank_text_append(out, "null");
    }
    write_key(out, "direction");
    if (f->has_direction) {
        write_numbers(out, f->direction, 3);
    } else {
        crank_text_append(out, "null");
    }
    crank_text_append(out, ",\"direction_in\":\"%s\"", f->in_body ? "body" : "world");
    if (f->radius > 0.0) {
        write_key(out, "radius");
        write_number(out, f->radius);
    }
    crank_text_append(out, "}");
}

/* ---- lines, traces, plots ---- */

static void write_line(crank_text *out, const crank_view_line *line)
{
    crank_text_append(out, "{\"name\":");
    write_string(out, line->name);
    crank_text_append(out, ",\"points\":[");
    for (int i = 0; i < line->count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_values(out, line->point[i]);
    }
    crank_text_append(out, "],\"color\":");
    write_string(out, line->color);
    write_key(out, "width");
    if (line->width > 0.0) {
        write_number(out, line->width);
    } else {
        crank_text_append(out, "null");
    }
    crank_text_append(out, ",\"spring\":%s}", line->spring ? "true" : "false");
}

static void write_trace(crank_text *out, const crank_view_trace *trace)
{
    crank_text_append(out, "{\"name\":");
    write_string(out, trace->name);
    if (trace->body >= 0) {
        crank_text_append(out, ",\"body\":%d", trace->body);
    }
    write_key(out, "point");
    write_values(out, trace->point);
    write_key(out, "color");
    write_string(out, trace->color);
    crank_text_append(out, "}");
}

static void write_panels(crank_text *out, const char *key, int count,
                         const crank_view_panel *panel)
{
    crank_text_append(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        crank_text_append(out, i > 0 ? ",[" : "[");
        for (int k = 0; k < panel[i].count; k++) {
            crank_text_append(out, k > 0 ? "," : "");
            write_string(out, panel[i].name[k]);
        }
        crank_text_append(out, "]");
    }
    crank_text_append(out, "]");
}

static void write_camera(crank_text *out, const crank_scene *scene)
{
    write_key(out, "camera");
    if (scene->has_camera) {
        crank_text_append(out, "{\"from\":");
        write_numbers(out, scene->from, 3);
        write_key(out, "to");
        write_numbers(out, scene->to, 3);
        crank_text_append(out, "}");
    } else if (scene->preset != NULL) {
        crank_text_append(out, "{\"preset\":\"%s\"}", scene->preset);
    } else {
        crank_text_append(out, "null");
    }
}

void crank_scene_write(const crank_scene *scene, crank_text *out)
{
    crank_text_append(out, "{\"dimension\":%d,\"up\":", scene->dimension);
    write_numbers(out, scene->up, 3);
    write_key(out, "size");
    write_number(out, scene->size);
    write_key(out, "scale");
    write_number(out, scene->scale);
    write_key(out, "center");
    write_numbers(out, scene->center, 3);
    crank_text_append(out, ",\"bodies\":[");
    for (int i = 0; i < scene->body_count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_body(out, &scene->body[i]);
    }
    crank_text_append(out, "],\"joints\":[");
    for (int i = 0; i < scene->joint_count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_joint(out, &scene->joint[i], scene->dimension);
    }
    crank_text_append(out, "],\"forces\":[");
    for (int i = 0; i < scene->force_count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_force(out, &scene->force[i]);
    }
    crank_text_append(out, "],\"lines\":[");
    for (int i = 0; i < scene->line_count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_line(out, &scene->line[i]);
    }
    crank_text_append(out, "],\"traces\":[");
    for (int i = 0; i < scene->trace_count; i++) {
        crank_text_append(out, i > 0 ? "," : "");
        write_trace(out, &scene->trace[i]);
    }
    crank_text_append(out, "]");
    write_panels(out, "plots", scene->plot_count, scene->plot);
    write_panels(out, "phase", scene->phase_count, scene->phase);
    write_camera(out, scene);
    if (scene->follow >= 0) {
        crank_text_append(out, ",\"follow\":%d}", scene->follow);
    } else {
        crank_text_append(out, ",\"follow\":null}");
    }
}

crank_status crank_model_keep_scene(crank_model *model, const crank_scene *scene,
                                    crank_error *err)
{
    crank_text text = {0};
    crank_scene_write(scene, &text);
    model->scene = text.failed || text.data == NULL
                       ? NULL
                       : crank_store_copy(&model->store, text.data, text.length);
    crank_text_free(&text);
    return model->scene != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "the scene");
}
