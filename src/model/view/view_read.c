/* view_read.c - the `view:` section: bodies, lines, traces, plots, camera. Names of columns and
 * bodies are checked when all of them are known (scene_apply.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/index.h"
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"
#include "model/view/view.h"

#include <stdio.h>
#include <string.h>

enum { OBJECT = 128, COLUMN = 256, MOST = 100000 };
static const char *const top = "view";

/* the mapping of names under a key; NULL: absent or empty */
static crank_status find_names(const crank_view_work *w, const char *key,
                               const crank_node **out)
{
    const crank_node *node = crank_node_find(w->view->node, key);
    *out = NULL;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_view_fail(w, node, top, key, "%s where a mapping of names is expected",
                               crank_node_describe(node));
    }
    *out = node;
    return CRANK_OK;
}

/* bodies, lines and traces share the names of columns */
static crank_status take_name(const crank_view_work *w, crank_index *names,
                              const crank_node *key, const char *object)
{
    if (!crank_name_is_plain(key->text)) {
        return crank_view_fail(w, key, object, NULL,
                               "not a name: a letter, then letters, digits and _");
    }
    if (strlen(key->text) > 80) {
        return crank_view_fail(w, key, object, NULL, "a name of more than 80 letters");
    }
    if (crank_index_find(names, key->text) >= 0) {
        return crank_view_fail(w, key, object, NULL,
                               "another body, line or trace of the view has this name");
    }
    return crank_index_add(names, w->reader->store, key->text, 0) ? CRANK_OK
                                                                  : crank_view_no_memory(w);
}

/* ---- bodies ---- */

static crank_status read_pose(const crank_view_work *w, const crank_node *node,
                              const char *object, crank_scene_body *b)
{
    static const char *const keys[] = {"x", "y", "z", "angle"};
    char column[COLUMN];
    crank_status status = CRANK_OK;
    for (int i = 0; i < 4 && status == CRANK_OK; i++) {
        const crank_node *value = crank_node_find(node, keys[i]);
        b->placed[i] = value != NULL;
        (void)snprintf(column, sizeof column, "view.%s.%s", b->name, keys[i]);
        if (value != NULL) {
            status = crank_view_expression(w, value, object, keys[i], column,
                                           i == CRANK_POSE_ANGLE ? "rad" : "m", &b->pose[i]);
        }
    }
    const crank_node *q = crank_node_find(node, "q");
    if (status != CRANK_OK || q == NULL) {
        return status;
    }
    if (b->placed[CRANK_POSE_ANGLE]) {
        return crank_view_fail(w, q, object, "q", "and \"angle\": one of them is enough");
    }
    status = crank_view_list(w, q, object, "q", 4, 4);
    for (int i = 0; i < 4 && status == CRANK_OK; i++) {
        b->placed[CRANK_POSE_Q0 + i] = true;
        (void)snprintf(column, sizeof column, "view.%s.q%d", b->name, i);
        status = crank_view_expression(w, q->item[i], object, "q", column, "1",
                                       &b->pose[CRANK_POSE_Q0 + i]);
    }
    return status;
}

static crank_status read_body(const crank_view_work *w, crank_index *names,
                              const crank_node *key, const crank_node *node,
                              crank_scene_body *b)
{
    char object[OBJECT];
    (void)snprintf(object, sizeof object, "view, body \"%.80s\"", key->text);
    *b = (crank_scene_body){.name = key->text, .key = key, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    crank_status status = crank_view_keys(w, node, object, crank_keys_view_body);
    static const char *const pose[] = {"x", "y", "z", "angle", "q"};
    bool posed = false;
    for (int i = 0; status == CRANK_OK && i < 5; i++) {
        posed = posed || crank_node_find(node, pose[i]) != NULL;
    }
    if (status == CRANK_OK && posed) {
        status = take_name(w, names, key, object);
    }
    if (status == CRANK_OK && posed) {
        status = read_pose(w, node, object, b);
    }
    const crank_node *color = status == CRANK_OK ? crank_node_find(node, "color") : NULL;
    const crank_node *hide = status == CRANK_OK ? crank_node_find(node, "hide") : NULL;
    const crank_node *shapes = status == CRANK_OK ? crank_node_find(node, "shapes") : NULL;
    const crank_node *opacity = status == CRANK_OK ? crank_node_find(node, "opacity") : NULL;
    if (color != NULL) {
        status = crank_view_color(w, color, object, &b->color);
    }
    if (status == CRANK_OK && opacity != NULL) {
        status = crank_view_opacity(w, opacity, object, &b->opacity);
    }
    if (status == CRANK_OK && hide != NULL) {
        status = crank_view_flag(w, hide, object, "hide", &b->hide);
    }
    if (status == CRANK_OK && shapes != NULL) {
        status = crank_view_shapes(w, shapes, object, b);
    }
    w->view->spatial = w->view->spatial || b->placed[CRANK_POSE_Z] || b->placed[CRANK_POSE_Q0];
    return status;
}

/* ---- lines and traces ---- */

/* two or three expressions; number: of the point in its line, 0: it has none */
static crank_status read_point(const crank_view_work *w, const crank_node *node,
                               const char *object, const char *key, const char *name,
                               int number, crank_view_value out[3])
{
    crank_status status =
        crank_view_list(w, node, object, key, w->reader->dimension == 3 ? 3 : 2, 3);
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        char column[COLUMN], digits[16] = "";
        if (number > 0) {
            (void)snprintf(digits, sizeof digits, "%d", number);
        }
        (void)snprintf(column, sizeof column, "view.%.80s.%c%s", name, "xyz"[i], digits);
        status = crank_view_expression(w, node->item[i], object, key, column, "m", &out[i]);
    }
    w->view->spatial = w->view->spatial || (status == CRANK_OK && node->count == 3);
    return status;
}

static crank_status read_line(const crank_view_work *w, const crank_node *key,
                              const crank_node *node, const char *object, crank_view_line *line)
{
    line->name = key->text;
    line->body = -1;
    crank_status status = crank_view_keys(w, node, object, crank_keys_view_line);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *points = crank_node_find(node, "points");
    const crank_node *width = crank_node_find(node, "width");
    const crank_node *color = crank_node_find(node, "color");
    const crank_node *spring = crank_node_find(node, "spring");
    status = crank_view_list(w, points, object, "points", 2, MOST);
    if (status == CRANK_OK) {
        line->count = points->count;
        line->point =
            crank_store_take(w->reader->store, (size_t)line->count, sizeof *line->point);
        status = line->point != NULL ? CRANK_OK : crank_view_no_memory(w);
    }
    for (int i = 0; i < line->count && status == CRANK_OK; i++) {
        status =
            read_point(w, points->item[i], object, "points", line->name, i + 1, line->point[i]);
    }
    if (status == CRANK_OK && width != NULL) {
        status = crank_view_number(w, width, object, "width", &line->width);
        if (status == CRANK_OK && !(line->width > 0.0)) {
            return crank_view_fail(w, width, object, "width", "%g, must be positive",
                                   line->width);
        }
    }
    if (status == CRANK_OK && color != NULL) {
        status = crank_view_color(w, color, object, &line->color);
    }
    return status == CRANK_OK && spring != NULL
               ? crank_view_flag(w, spring, object, "spring", &line->spring)
               : status;
}

static crank_status read_trace(const crank_view_work *w, const crank_node *key,
                               const crank_node *node, const char *object,
                               crank_view_trace *trace)
{
    trace->name = key->text;
    trace->body = -1;
    crank_status status = crank_view_keys(w, node, object, crank_keys_view_trace);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *body = crank_node_find(node, "body");
    const crank_node *point = crank_node_find(node, "point");
    const crank_node *color = crank_node_find(node, "color");
    if (body == NULL && point == NULL) {
        return crank_view_fail(w, node, object, NULL, "\"body\" or \"point\" is missing");
    }
    if (body != NULL) {
        if (body->kind != CRANK_NODE_SCALAR || crank_node_is_empty(body)) {
            return crank_view_fail(w, body, object, "body",
                                   "%s where the name of a body is expected",
                                   crank_node_describe(body));
        }
        trace->node = body;
        trace->body_name = body->text;
        double at[3] = {0.0, 0.0, 0.0};
        status = point != NULL ? crank_view_vector(w, point, object, "point", at) : CRANK_OK;
        for (int i = 0; i < 3; i++) {
            trace->point[i].number = at[i];
        }
    } else {
        status = read_point(w, point, object, "point", trace->name, 0, trace->point);
    }
    return status == CRANK_OK && color != NULL
               ? crank_view_color(w, color, object, &trace->color)
               : status;
}

static crank_status read_bodies(const crank_view_work *w, crank_index *names)
{
    crank_view *v = w->view;
    const crank_node *node = NULL;
    crank_status status = find_names(w, "bodies", &node);
    if (status != CRANK_OK || node == NULL) {
        return status;
    }
    v->body_count = node->count;
    v->body = crank_store_take(w->reader->store, (size_t)node->count, sizeof *v->body);
    if (v->body == NULL) {
        return crank_view_no_memory(w);
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = read_body(w, names, node->key[i], node->item[i], &v->body[i]);
    }
    return status;
}

static crank_status read_lines(const crank_view_work *w, crank_index *names)
{
    crank_view *v = w->view;
    const crank_node *node = NULL;
    crank_status status = find_names(w, "lines", &node);
    if (status != CRANK_OK || node == NULL) {
        return status;
    }
    v->line_count = node->count;
    v->line = crank_store_take(w->reader->store, (size_t)node->count, sizeof *v->line);
    if (v->line == NULL) {
        return crank_view_no_memory(w);
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        char object[OBJECT];
        (void)snprintf(object, sizeof object, "view, line \"%.80s\"", node->key[i]->text);
        status = take_name(w, names, node->key[i], object);
        CRANK_THEN(status, read_line(w, node->key[i], node->item[i], object, &v->line[i]));
    }
    return status;
}

static crank_status read_traces(const crank_view_work *w, crank_index *names)
{
    crank_view *v = w->view;
    const crank_node *node = NULL;
    crank_status status = find_names(w, "traces", &node);
    if (status != CRANK_OK || node == NULL) {
        return status;
    }
    v->trace_count = node->count;
    v->trace = crank_store_take(w->reader->store, (size_t)node->count, sizeof *v->trace);
    if (v->trace == NULL) {
        return crank_view_no_memory(w);
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        char object[OBJECT];
        (void)snprintf(object, sizeof object, "view, trace \"%.80s\"", node->key[i]->text);
        status = take_name(w, names, node->key[i], object);
        CRANK_THEN(status, read_trace(w, node->key[i], node->item[i], object, &v->trace[i]));
    }
    return status;
}

/* ---- plots ---- */

static crank_status read_panel(const crank_view_work *w, const crank_node *node,
                               const char *key, bool pair, crank_view_panel *panel)
{
    const bool one = node->kind == CRANK_NODE_SCALAR && !pair;
    crank_status status =
        one ? CRANK_OK : crank_view_list(w, node, top, key, pair ? 2 : 1, pair ? 2 : MOST);
    if (status != CRANK_OK) {
        return status;
    }
    panel->count = one ? 1 : node->count;
    panel->name = crank_store_take(w->reader->store, (size_t)panel->count, sizeof *panel->name);
    panel->node = crank_store_take(w->reader->store, (size_t)panel->count, sizeof *panel->node);
    if (panel->name == NULL || panel->node == NULL) {
        return crank_view_no_memory(w);
    }
    for (int i = 0; i < panel->count; i++) {
        const crank_node *name = one ? node : node->item[i];
        if (name->kind != CRANK_NODE_SCALAR || crank_node_is_empty(name)) {
            return crank_view_fail(w, name, top, key,
                                   "%s where the name of a column is expected",
                                   crank_node_describe(name));
        }
        panel->name[i] = name->text;
        panel->node[i] = name;
    }
    return CRANK_OK;
}

static crank_status read_panels(const crank_view_work *w, const char *key, bool pair,
                                bool *given, int *count, crank_view_panel **out)
{
    const crank_node *node = crank_node_find(w->view->node, key);
    if (node == NULL) {
        return CRANK_OK;
    }
    crank_status status = crank_view_list(w, node, top, key, 0, MOST);
    if (status != CRANK_OK) {
        return status;
    }
    *given = true;
    *count = node->count;
    *out = crank_store_take(w->reader->store, (size_t)node->count, sizeof **out);
    status = *out != NULL ? CRANK_OK : crank_view_no_memory(w);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = read_panel(w, node->item[i], key, pair, &(*out)[i]);
    }
    return status;
}

/* ---- camera ---- */

static crank_status read_camera(const crank_view_work *w, const crank_node *node)
{
    static const char *const presets[] = {"iso", "front", "top", "side"};
    crank_view *v = w->view;
    if (node->kind == CRANK_NODE_MAPPING) {
        crank_status status = crank_view_keys(w, node, "view, camera", crank_keys_camera);
        CRANK_THEN(status, crank_view_vector(w, crank_node_find(node, "from"), "view, camera",
                                             "from", v->from));
        CRANK_THEN(status, crank_view_vector(w, crank_node_find(node, "to"), "view, camera",
                                             "to", v->to));
        if (status == CRANK_OK && v->from[0] == v->to[0] && v->from[1] == v->to[1] &&
            v->from[2] == v->to[2]) {
            return crank_view_fail(w, node, top, "camera", "\"from\" and \"to\" are the same");
        }
        v->has_camera = true;
        return status;
    }
    const char *text = node->kind == CRANK_NODE_SCALAR ? node->text : "";
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, presets[i]) == 0) {
            v->preset = presets[i];
            return CRANK_OK;
        }
    }
    if (text[0] == '\0') {
        return crank_view_fail(w, node, top, "camera",
                               "%s where a word or {from: , to: } is expected",
                               crank_node_describe(node));
    }
    char hint[160];
    return crank_view_fail(w, node, top, "camera", "\"%.40s\" is not known%s", text,
                           crank_reading_hint(hint, sizeof hint, text, presets, 4));
}

static crank_status read_up(const crank_view_work *w, const crank_node *node)
{
    crank_view *v = w->view;
    const crank_status status = crank_view_vector(w, node, top, "up", v->up);
    v->has_up = true;
    return status != CRANK_OK || v->up[0] != 0.0 || v->up[1] != 0.0 || v->up[2] != 0.0
               ? status
               : crank_view_fail(w, node, top, "up", "zero has no direction");
}

crank_status crank_title_read(const crank_node *node, const char **out, crank_error *err)
{
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_SCALAR) {
        return crank_fail_node(err, CRANK_EMODEL, node, "title: %s where text is expected",
                               crank_node_describe(node));
    }
    *out = node->text;
    return CRANK_OK;
}

crank_status crank_view_read(const crank_view_reader *reader, const crank_node *node,
                             crank_view **out, crank_error *err)
{
    crank_error own = {0};
    crank_index names = {0};
    crank_view_work w = {.reader = reader, .err = err != NULL ? err : &own};
    *out = NULL;
    if (crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    w.view = crank_store_take(reader->store, 1, sizeof *w.view);
    if (w.view == NULL) {
        return crank_view_no_memory(&w);
    }
    w.view->node = node;
    w.view->spatial = reader->dimension == 3;
    crank_status status = crank_view_keys(&w, node, top, crank_keys_view);
    const crank_node *up = status == CRANK_OK ? crank_node_find(node, "up") : NULL;
    const crank_node *camera = status == CRANK_OK ? crank_node_find(node, "camera") : NULL;
    if (up != NULL) {
        status = read_up(&w, up);
    }
    if (status == CRANK_OK && camera != NULL) {
        status = read_camera(&w, camera);
    }
    w.view->follow = status == CRANK_OK ? crank_node_find(node, "follow") : NULL;
    if (w.view->follow != NULL &&
        (w.view->follow->kind != CRANK_NODE_SCALAR || crank_node_is_empty(w.view->follow))) {
        return crank_view_fail(&w, w.view->follow, top, "follow",
                               "%s where the name of a body is expected",
                               crank_node_describe(w.view->follow));
    }
    CRANK_THEN(status, read_panels(&w, "plots", false, &w.view->has_plots, &w.view->plot_count,
                                   &w.view->plot));
    CRANK_THEN(status, read_panels(&w, "phase", true, &w.view->has_phase, &w.view->phase_count,
                                   &w.view->phase));
    CRANK_THEN(status, read_bodies(&w, &names));
    CRANK_THEN(status, read_lines(&w, &names));
    CRANK_THEN(status, read_traces(&w, &names));
    *out = w.view;
    return status;
}
