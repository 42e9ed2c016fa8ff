/* view_values.c - pieces of `view:`: numbers, vectors, colours, and expressions that become
 * columns of results. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"
#include "model/view/view.h"

#include "linalg/rotation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 32, OBJECT = 160 };

crank_status crank_view_no_memory(const crank_view_work *w)
{
    return crank_fail(w->err, CRANK_EMEM, "reading the view");
}

static const char *label(char *text, size_t size, const char *object, const char *key)
{
    (void)snprintf(text, size, "%s%s%s", object, key != NULL ? ", " : "",
                   key != NULL ? key : "");
    return text;
}

crank_status crank_view_fail(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, const char *format, ...)
{
    char text[400], where[OBJECT];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) {
        text[0] = '\0';
    }
    va_end(arguments);
    return crank_fail_node(w->err, CRANK_EMODEL, node, "%s: %s",
                           label(where, sizeof where, object, key), text);
}

crank_status crank_view_keys(const crank_view_work *w, const crank_node *node,
                             const char *object, const crank_key_spec *keys)
{
    const char *names[MOST_KEYS];
    int count = 0;
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_view_fail(w, node, object, NULL, "%s where a mapping is expected",
                               crank_node_describe(node));
    }
    for (; keys[count].name != NULL && count < MOST_KEYS; count++) {
        names[count] = keys[count].name;
    }
    for (int i = 0; i < node->count; i++) {
        int k = 0;
        while (k < count && strcmp(names[k], node->key[i]->text) != 0) {
            k++;
        }
        if (k == count) {
            char hint[240];
            return crank_view_fail(
                w, node->key[i], object, NULL, "unknown key \"%.80s\"%s", node->key[i]->text,
                crank_reading_hint(hint, sizeof hint, node->key[i]->text, names, count));
        }
    }
    for (int k = 0; k < count; k++) {
        if (keys[k].required && crank_node_find(node, names[k]) == NULL) {
            return crank_view_fail(w, node, object, NULL, "\"%s\" is missing", names[k]);
        }
    }
    return CRANK_OK;
}

crank_status crank_view_list(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, int least, int most)
{
    if (node->kind == CRANK_NODE_SEQUENCE && node->count >= least && node->count <= most) {
        return CRANK_OK;
    }
    char wanted[40] = "";
    if (least == most) {
        (void)snprintf(wanted, sizeof wanted, " of %d", least);
    } else if (most < 1000) {
        (void)snprintf(wanted, sizeof wanted, " of %d to %d", least, most);
    } else if (least > 0) {
        (void)snprintf(wanted, sizeof wanted, " of at least %d", least);
    }
    if (node->kind == CRANK_NODE_SEQUENCE) {
        return crank_view_fail(w, node, object, key, "a list of %d where one%s is expected",
                               node->count, wanted);
    }
    return crank_view_fail(w, node, object, key, "%s where a list%s is expected",
                           crank_node_describe(node), wanted);
}

crank_status crank_view_number(const crank_view_work *w, const crank_node *node,
                               const char *object, const char *key, double *out)
{
    char where[OBJECT];
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_view_fail(w, node, object, key, "%s where a number is expected",
                               crank_node_describe(node));
    }
    return w->reader->number(w->reader->user, node, label(where, sizeof where, object, key),
                             out, w->err);
}

crank_status crank_view_vector(const crank_view_work *w, const crank_node *node,
                               const char *object, const char *key, double out[3])
{
    crank_status status =
        crank_view_list(w, node, object, key, w->reader->dimension == 3 ? 3 : 2, 3);
    out[2] = 0.0;
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = crank_view_number(w, node->item[i], object, key, &out[i]);
    }
    return status;
}

crank_status crank_view_orientation(const crank_view_work *w, const crank_node *node,
                                    const char *object, const char *key, double out[4])
{
    double axis[3] = {0.0, 0.0, 1.0}, angle = 0.0;
    crank_status status = CRANK_OK;
    if (node->kind == CRANK_NODE_SEQUENCE) {
        status = crank_view_list(w, node, object, key, 4, 4);
        for (int i = 0; i < 4 && status == CRANK_OK; i++) {
            status = crank_view_number(w, node->item[i], object, key, &out[i]);
        }
        const double size = hypot(hypot(out[0], out[1]), hypot(out[2], out[3]));
        if (status == CRANK_OK && !(size > 1e-100 && size < 1e100)) {
            return crank_view_fail(w, node, object, key, "its length is %g", size);
        }
        for (int i = 0; i < 4 && status == CRANK_OK; i++) {
            out[i] /= size;
        }
        return status;
    }
    if (node->kind == CRANK_NODE_MAPPING) {
        char where[OBJECT];
        status =
            crank_view_keys(w, node, label(where, sizeof where, object, key), crank_keys_turn);
        CRANK_THEN(status,
                   crank_view_vector(w, crank_node_find(node, "axis"), object, key, axis));
        const double size = crank_norm3(axis);
        if (status == CRANK_OK && !(size > 1e-100 && size < 1e100)) {
            return crank_view_fail(w, node, object, key, "the axis has the length %g", size);
        }
        for (int i = 0; i < 3; i++) {
            axis[i] /= size;
        }
        node = crank_node_find(node, "angle");
    }
    if (status == CRANK_OK && node != NULL) {
        status = crank_view_number(w, node, object, key, &angle);
    }
    crank_quaternion_of_axis(out, axis, angle);
    return status;
}

/* ---- colours ---- */

// clang-format off
static const struct { const char *name, *code; } colors[] = {
    {"black", "#000000"}, {"green", "#008000"}, {"silver", "#c0c0c0"}, {"gray", "#808080"},
     {"grey", "#808080"}, {"white", "#ffffff"},
    {"maroon", "#800000"}, {"red", "#ff0000"}, {"purple", "#800080"}, {"fuchsia", "#ff00ff"},
    {"lime", "#00ff00"}, {"olive", "#808000"}, {"yellow", "#ffff00"}, {"navy", "#000080"},
     {"blue", "#0000ff"},
    {"teal", "#008080"}, {"aqua", "#00ffff"}, {"orange", "#ffa500"}, {"brown", "#a52a2a"},
     {"pink", "#ffc0cb"},
    {"gold", "#ffd700"},
};
// clang-format on
enum { COLORS = sizeof colors / sizeof colors[0] };

crank_status crank_view_color(const crank_view_work *w, const crank_node *node,
                              const char *object, const char **out)
{
    const char *names[COLORS];
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_view_fail(w, node, object, "color",
                               "%s where \"#rrggbb\" or the name of a colour is expected%s",
                               crank_node_describe(node),
                               crank_node_is_empty(node) ? " (# begins a comment: put it in "
                                                           "quotes)"
                                                         : "");
    }
    if (strlen(node->text) == 7 && node->text[0] == '#' &&
        strspn(node->text + 1, "0123456789abcdefABCDEF") == 6) {
        *out = node->text;
        return CRANK_OK;
    }
    for (int i = 0; i < COLORS; i++) {
        names[i] = colors[i].name;
        if (strcmp(node->text, names[i]) == 0) {
            *out = colors[i].code;
            return CRANK_OK;
        }
    }
    char hint[400];
    return crank_view_fail(
        w, node, object, "color", "\"%.40s\" is not a colour%s", node->text,
        node->text[0] == '#'
            ? "; six hexadecimal digits follow the #"
            : crank_reading_hint(hint, sizeof hint, node->text, names, COLORS));
}

crank_status crank_view_opacity(const crank_view_work *w, const crank_node *node,
                                const char *object, double *out)
{
    const crank_status status = crank_view_number(w, node, object, "opacity", out);
    return status != CRANK_OK || (*out > 0.0 && *out <= 1.0)
               ? status
               : crank_view_fail(w, node, object, "opacity",
                                 "%g, must be more than 0 and at most 1", *out);
}

crank_status crank_view_flag(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, bool *out)
{
    const char *text = node->kind == CRANK_NODE_SCALAR ? node->text : "";
    *out = strcmp(text, "true") == 0;
    return *out || strcmp(text, "false") == 0
               ? CRANK_OK
               : crank_view_fail(w, node, object, key, "%s where true or false is expected",
                                 crank_node_describe(node));
}

/* ---- expressions ---- */

crank_status crank_view_expression(const crank_view_work *w, const crank_node *node,
                                   const char *object, const char *key, const char *column,
                                   const char *unit, crank_view_value *out)
{
    const crank_view_reader *r = w->reader;
    crank_view *v = w->view;
    char where[OBJECT];
    crank_ex ex = -1;
    *out = (crank_view_value){0};
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_view_fail(w, node, object, key, "%s where an expression is expected",
                               crank_node_describe(node));
    }
    const crank_status status =
        r->expression(r->user, node, label(where, sizeof where, object, key), &ex, w->err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_ex symbol;
    const bool number = crank_ex_is_number(r->pool, ex, &out->number);
    if (!number && crank_ex_symbols(r->pool, ex, &symbol, 1) == 0) {
        out->number = (double)NAN; /* such as 1/0, which stays as it is */
    }
    if (number || isnan(out->number)) {
        return isfinite(out->number)
                   ? CRANK_OK
                   : crank_view_fail(w, node, object, key, "the value is not finite");
    }
    out->column = r->column != NULL ? r->column(r->user, ex) : NULL;
    if (out->column != NULL) {
        return CRANK_OK;
    }
    out->column = crank_store_copy(r->store, column, strlen(column));
    v->column = crank_store_grow(r->store, v->column, v->column_count, &v->column_capacity,
                                 sizeof *v->column);
    if (v->column == NULL || out->column == NULL) {
        return crank_view_no_memory(w);
    }
    v->column[v->column_count++] =
        (crank_view_column){.name = out->column, .unit = unit, .ex = ex, .node = node};
    return CRANK_OK;
}
