/* scene_apply.c - what `view:` says, added to the scene of a model; and the size of a scene.
 *
 * The size is the diagonal of the box around all points of joints and forces, centres of mass,
 * shapes and lines at the start; of mechanisms without what the view adds. The scale, by which
 * glyphs are drawn, is smaller where there are many small bodies: six times how far they reach
 * on average. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/index.h"
#include "base/suggest.h"
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"
#include "model/view/scene.h"

#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the box ---- */

void crank_scene_extend(crank_scene_box *box, const double point[3])
{
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        box->low[i] = box->any ? fmin(box->low[i], point[i]) : point[i];
        box->high[i] = box->any ? fmax(box->high[i], point[i]) : point[i];
    }
    box->any = true;
}

void crank_scene_place(const crank_scene_body *body, const double at[3], double out[3])
{
    crank_mat3_times(out, body->R, at);
    crank_add3(out, 1.0, body->x);
}

static void extend_local(crank_scene_box *box, const crank_scene_body *b, const double at[3])
{
    double world[3];
    crank_scene_place(b, at, world);
    crank_scene_extend(box, world);
}

/* the box of a shape in its own axes */
static void limits_of(const crank_scene_shape *s, double low[3], double high[3])
{
    const bool round = s->kind != CRANK_SOLID_BOX;
    const double r = s->size[0];
    const double half = s->kind == CRANK_SOLID_SPHERE    ? r
                        : s->kind == CRANK_SOLID_CAPSULE ? 0.5 * s->size[1] + r
                        : s->kind == CRANK_SOLID_RING    ? s->size[1]
                        : round                          ? 0.5 * s->size[1]
                                                         : 0.5 * s->size[2];
    const double high_of[3] = {round ? r : 0.5 * s->size[0], round ? r : 0.5 * s->size[1],
                               half};
    for (int i = 0; i < 3; i++) {
        high[i] = s->kind == CRANK_SOLID_MESH ? s->mesh->high[i] : high_of[i];
        low[i] = s->kind == CRANK_SOLID_MESH ? s->mesh->low[i] : -high_of[i];
    }
}

void crank_scene_extend_body(crank_scene_box *box, const crank_scene_body *body)
{
    for (int k = 0; k < body->shape_count; k++) {
        const crank_scene_shape *s = &body->shape[k];
        if (s->kind == CRANK_SOLID_TUBE) {
            extend_local(box, body, s->end[0]);
            extend_local(box, body, s->end[1]);
            continue;
        }
        double low[3], high[3], R[9];
        limits_of(s, low, high);
        crank_quaternion_matrix(R, s->orientation);
        for (int corner = 0; corner < 8; corner++) {
            const double own[3] = {corner & 1 ? low[0] : high[0], corner & 2 ? low[1] : high[1],
                                   corner & 4 ? low[2] : high[2]};
            double at[3];
            crank_mat3_times(at, R, own);
            crank_add3(at, 1.0, s->at);
            extend_local(box, body, at);
        }
    }
}

void crank_scene_measure(crank_scene *scene, const crank_scene_box *box, double reach)
{
    static const double many = 6.0;
    double edge[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 && box->any; i++) {
        edge[i] = box->high[i] - box->low[i];
        scene->center[i] = 0.5 * (box->high[i] + box->low[i]);
    }
    const double size = crank_norm3(edge);
    scene->size = size > 0.0 && isfinite(size) ? size : 1.0;
    scene->scale = reach > 0.0 ? fmin(scene->size, many * reach) : scene->size;
    for (int i = 0; i < scene->body_count; i++) {
        for (int k = 0; k < scene->body[i].shape_count; k++) {
            crank_scene_shape *s = &scene->body[i].shape[k];
            const double radius =
                s->kind == CRANK_SOLID_SPHERE ? CRANK_SCENE_BALL : CRANK_SCENE_TUBE;
            if ((s->kind == CRANK_SOLID_TUBE || s->kind == CRANK_SOLID_SPHERE) &&
                s->size[0] == 0.0) {
                s->size[0] = radius * scene->scale;
            }
        }
    }
}

/* ---- names ---- */

typedef struct applying {
    crank_scene *scene;
    const crank_view *view;
    const crank_scene_columns *columns;
    crank_store *store;
    crank_index column, body;
    crank_error *err;
} applying;

static crank_status no_memory(const applying *a)
{
    return crank_fail(a->err, CRANK_EMEM, "the scene");
}

static crank_status index_names(applying *a)
{
    for (int i = 0; i < a->columns->count; i++) {
        const char *name = a->columns->name[i];
        if (crank_index_find(&a->column, name) >= 0) {
            if (strncmp(name, "view.", 5) == 0) {
                return crank_fail_node(a->err, CRANK_EMODEL, a->view->node,
                                       "view: the result has two columns \"%.100s\"; name the "
                                       "part of the view otherwise",
                                       name);
            }
            continue;
        }
        if (!crank_index_add(&a->column, a->store, name, i)) {
            return no_memory(a);
        }
    }
    for (int i = 0; i < a->scene->body_count; i++) {
        if (!crank_index_add(&a->body, a->store, a->scene->body[i].name, i)) {
            return no_memory(a);
        }
    }
    return CRANK_OK;
}

static crank_status fail_body(const applying *a, const crank_node *node, const char *where)
{
    const size_t count = (size_t)a->scene->body_count;
    const char **names = malloc((count + 1) * sizeof *names);
    char hint[240] = "";
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = a->scene->body[i].name;
    }
    if (names != NULL && count > 0) {
        (void)crank_reading_hint(hint, sizeof hint, node->text, names, (int)count);
    }
    free(names);
    return crank_fail_node(a->err, CRANK_EMODEL, node, "%s: there is no body \"%.80s\"%s",
                           where, node->text, hint);
}

static crank_status check_panels(const applying *a, const char *key, int count,
                                 const crank_view_panel *panel)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < panel[i].count; k++) {
            const char *name = panel[i].name[k];
            if (strcmp(name, "time") == 0 || crank_index_find(&a->column, name) >= 0) {
                continue;
            }
            char hint[240];
            return crank_fail_node(a->err, CRANK_EMODEL, panel[i].node[k],
                                   "view, %s: the result has no column \"%.80s\"%s", key, name,
                                   crank_reading_hint(hint, sizeof hint, name, a->columns->name,
                                                      a->columns->count));
        }
    }
    return CRANK_OK;
}

/* * stands for any letters */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* ---- bodies ---- */

static double start_of(const applying *a, const crank_view_value *v)
{
    if (v->column == NULL) {
        return v->number;
    }
    const int i = crank_index_find(&a->column, v->column);
    return i >= 0 && a->columns->start != NULL ? a->columns->start[i] : (double)NAN;
}

/* where a body for drawing is at the start */
static void place_body(const applying *a, crank_scene_body *b)
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    static const double z[3] = {0.0, 0.0, 1.0};
    for (int i = 0; i < 3; i++) {
        b->x[i] = start_of(a, &b->pose[i]);
    }
    if (b->placed[CRANK_POSE_ANGLE]) {
        crank_quaternion_of_axis(q, z, start_of(a, &b->pose[CRANK_POSE_ANGLE]));
    } else if (b->placed[CRANK_POSE_Q0]) {
        for (int i = 0; i < 4; i++) {
            q[i] = start_of(a, &b->pose[CRANK_POSE_Q0 + i]);
        }
    }
    crank_quaternion_matrix(b->R, q);
}

static void dress_body(crank_scene_body *b, const crank_scene_body *from)
{
    b->color = from->color != NULL ? from->color : b->color;
    b->opacity = from->opacity > 0.0 ? from->opacity : b->opacity;
    b->hide = from->hide || b->hide;
    if (from->has_shapes) {
        b->has_shapes = true;
        b->shape_count = from->shape_count;
        b->shape = from->shape;
    }
}

static crank_status add_body(applying *a, const crank_scene_body *from)
{
    static const crank_scene_shape ball = {
        .kind = CRANK_SOLID_SPHERE, .orientation = {1.0, 0.0, 0.0, 0.0}, .guessed = true};
    crank_scene_body *b = &a->scene->body[a->scene->body_count];
    *b = *from;
    b->part = a->scene->body_count;
    if (!b->has_shapes && !b->hide) {
        b->shape = crank_store_take(a->store, 1, sizeof *b->shape);
        if (b->shape == NULL) {
            return no_memory(a);
        }
        b->shape[b->shape_count++] = ball;
    }
    place_body(a, b);
    return crank_index_add(&a->body, a->store, b->name, a->scene->body_count++) ? CRANK_OK
                                                                                : no_memory(a);
}

static crank_status apply_body(applying *a, const crank_scene_body *from, int own_bodies)
{
    crank_scene *scene = a->scene;
    const int found = crank_index_find(&a->body, from->name);
    bool posed = false;
    int matched = 0;
    for (int i = 0; i < CRANK_POSES; i++) {
        posed = posed || from->placed[i];
    }
    if (found >= 0 && found < own_bodies) {
        if (posed) {
            return crank_fail_node(a->err, CRANK_EMODEL, from->key,
                                   "view, body \"%.80s\": it is a body of the model, which "
                                   "says where it is; leave x, y, z, angle and q out",
                                   from->name);
        }
        dress_body(&scene->body[found], from);
        return CRANK_OK;
    }
    if (posed || strcmp(from->name, "ground") == 0) {
        return add_body(a, from);
    }
    for (int i = 0; strchr(from->name, '*') != NULL && i < own_bodies; i++) {
        if (matches(from->name, scene->body[i].name)) {
            dress_body(&scene->body[i], from);
            matched++;
        }
    }
    if (matched > 0) {
        return CRANK_OK;
    }
    if (own_bodies > 0) {
        return fail_body(a, from->key, "view");
    }
    return crank_fail_node(a->err, CRANK_EMODEL, from->key,
                           "view, body \"%.80s\": nothing says where it is; give x, y, z, "
                           "angle or q",
                           from->name);
}

/* ---- all of it ---- */

static crank_status apply_names(applying *a, crank_view_trace *trace)
{
    const crank_node *follow = a->view->follow;
    for (int i = 0; i < a->view->trace_count; i++) {
        trace[i] = a->view->trace[i];
        if (trace[i].node != NULL) {
            trace[i].body = crank_index_find(&a->body, trace[i].body_name);
            if (trace[i].body < 0) {
                return fail_body(a, trace[i].node, "view, traces");
            }
        }
    }
    if (follow != NULL) {
        a->scene->follow = crank_index_find(&a->body, follow->text);
        if (a->scene->follow < 0) {
            return fail_body(a, follow, "view, follow");
        }
    }
    return CRANK_OK;
}

static void apply_camera(crank_scene *scene, const crank_view *view)
{
    if (view->has_up) {
        const double size = crank_norm3(view->up);
        for (int i = 0; i < 3; i++) {
            scene->up[i] = view->up[i] / size;
        }
    }
    scene->preset = view->preset;
    scene->has_camera = view->has_camera;
    memcpy(scene->from, view->from, sizeof scene->from);
    memcpy(scene->to, view->to, sizeof scene->to);
    if (view->has_plots) {
        scene->plot_count = view->plot_count;
        scene->plot = view->plot;
    }
    scene->phase_count = view->phase_count;
    scene->phase = view->phase;
    scene->line_count = view->line_count;
    scene->line = view->line;
}

crank_status crank_scene_apply(crank_scene *scene, const crank_view *view,
                               const crank_scene_columns *columns, crank_store *store,
                               crank_scene_box *box, crank_error *err)
{
    crank_error own = {0};
    applying a = {.scene = scene,
                  .view = view,
                  .columns = columns,
                  .store = store,
                  .err = err != NULL ? err : &own};
    const int own_bodies = scene->body_count;
    crank_status status = index_names(&a);
    CRANK_THEN(status, check_panels(&a, "plots", view->plot_count, view->plot));
    CRANK_THEN(status, check_panels(&a, "phase", view->phase_count, view->phase));
    for (int i = 0; i < view->body_count && status == CRANK_OK; i++) {
        status = apply_body(&a, &view->body[i], own_bodies);
    }
    crank_view_trace *trace = crank_store_take(store, (size_t)view->trace_count, sizeof *trace);
    CRANK_THEN(status, trace != NULL ? apply_names(&a, trace) : no_memory(&a));
    if (status != CRANK_OK) {
        return status;
    }
    apply_camera(scene, view);
    scene->trace_count = view->trace_count;
    scene->trace = trace;
    if (own_bodies > 0) {
        return CRANK_OK; /* what is around a mechanism does not count for its size */
    }
    for (int i = 0; i < scene->body_count; i++) {
        crank_scene_extend(box, scene->body[i].x);
        crank_scene_extend_body(box, &scene->body[i]);
    }
    for (int i = 0; i < view->line_count; i++) {
        for (int k = 0; k < view->line[i].count; k++) {
            const crank_view_value *p = view->line[i].point[k];
            const double at[3] = {start_of(&a, &p[0]), start_of(&a, &p[1]),
                                  start_of(&a, &p[2])};
            crank_scene_extend(box, at);
        }
    }
    return CRANK_OK;
}
