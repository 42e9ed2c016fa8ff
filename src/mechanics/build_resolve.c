/* build_resolve.c - what the names in expressions of the user stand for. Joints and forces give
 * theirs (build_names.c) and are built when they are asked for; quantities of bodies are made
 * here:
 *
 *     body.NAME.x    value of the product of world direction x and the point at the body's origin; vx its rate, ax
 *                    its acceleration
 *     body.NAME.wx   rate of the turn about world direction x, dwx its acceleration
 *     body.NAME.q0   component of the orientation, in outputs only
 *     planar: angle, rate, angle_acceleration of the body's angle */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- quantities of bodies ---- */

/* along or about a world axis; -1: the name is none of these */
static crank_ex axis_quantity(crank_builder *b, int body, const char *quantity)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    static const char *const names[5][3] = {{"x", "y", "z"},
                                            {"vx", "vy", "vz"},
                                            {"ax", "ay", "az"},
                                            {"wx", "wy", "wz"},
                                            {"dwx", "dwy", "dwz"}};
    const int directions = b->mechanism->dimension == 2 ? 2 : 3;
    const int rows = b->kind[body] == CRANK_BODY_SPATIAL ? 5 : 3;
    int row = 0, i = 0; /* names[row][i]: row by row */
    while (row < rows && strcmp(quantity, names[row][i]) != 0) {
        i++;
        if (i == directions) {
            i = 0;
            row++;
        }
    }
    if (row == rows) {
        return -1;
    }
    crank_marker axis = {.body = -1};
    axis.u[i] = 1.0;
    const int primitive =
        row < 3 ? crank_build_product(b, crank_vector_of(axis),
                                      crank_vector_of(crank_build_local_point(b, body, origin)))
                : crank_build_turn(b, crank_vector_of(axis), -1, body);
    return row == 0               ? crank_build_value(b, primitive)
           : row == 1 || row == 3 ? crank_build_rate(b, primitive)
                                  : crank_build_acceleration(b, primitive);
}

/* of the angle of a planar body; -1: the name is none of these */
static crank_ex angle_quantity(crank_builder *b, int body, const char *quantity)
{
    const int angle = crank_build_angle(b, -1, body);
    if (strcmp(quantity, "angle") == 0) {
        return crank_build_value(b, angle);
    }
    if (strcmp(quantity, "rate") == 0) {
        return crank_build_rate(b, angle);
    }
    if (strcmp(quantity, "angle_acceleration") == 0) {
        return crank_build_acceleration(b, angle);
    }
    return -1;
}

/* q0 ... q3 of a spatial body; -1: the name is none of these */
static crank_ex orientation_quantity(crank_builder *b, int body, const char *quantity)
{
    if (quantity[0] != 'q' || quantity[1] < '0' || quantity[1] > '3' || quantity[2] != '\0') {
        return -1;
    }
    char name[32];
    const int index = 4 * body + (quantity[1] - '0');
    (void)snprintf(name, sizeof name, "#q%d", index);
    const crank_ex symbol = crank_ex_symbol(b->pool, name);
    crank_build_set_symbol(b, symbol, CRANK_SYMBOL_Q, index);
    return symbol;
}

/* -1: the body has no quantity of that name, *reason may say why */
static crank_ex body_quantity(crank_builder *b, int body, const char *quantity,
                              const char **reason)
{
    crank_ex ex = axis_quantity(b, body, quantity);
    if (ex < 0 && b->kind[body] == CRANK_BODY_PLANAR) {
        ex = angle_quantity(b, body, quantity);
    } else if (ex < 0 && b->kind[body] == CRANK_BODY_SPATIAL) {
        ex = orientation_quantity(b, body, quantity);
    }
    if (ex < 0 && b->mechanism->body[body].point && strchr("qw", quantity[0]) != NULL) {
        *reason = "it is a point mass and does not turn";
    }
    return ex;
}

/* ---- what a full name stands for ---- */

static const char *name_of(const crank_mechanism *m, int kind, int item)
{
    return kind == 0   ? m->body[item].name
           : kind == 1 ? m->joint[item].name
                       : m->force[item].name;
}

static bool index_names(crank_builder *b)
{
    crank_build_inside *inside = b->inside;
    crank_index *const index[3] = {&inside->body, &inside->joint, &inside->force};
    const crank_mechanism *m = b->mechanism;
    const int count[3] = {m->body_count, m->joint_count, m->force_count};
    for (int kind = 0; kind < 3 && !inside->indexed; kind++) {
        for (int i = 0; i < count[kind]; i++) {
            if (!crank_index_add(index[kind], b->store, name_of(m, kind, i), i)) {
                b->failed = true;
                return false;
            }
        }
    }
    inside->indexed = true;
    return true;
}

/* "joint.knee.angle" into kind and item; false: it has another form, or no such object */
static bool split(crank_builder *b, const char *name, int *kind, int *item,
                  const char **quantity)
{
    static const char *const kinds[3] = {"body.", "joint.", "force."};
    const crank_index *const index[3] = {&b->inside->body, &b->inside->joint,
                                         &b->inside->force};
    const char *last = strrchr(name, '.');
    for (int k = 0; k < 3 && last != NULL; k++) {
        const size_t head = strlen(kinds[k]);
        if (strncmp(name, kinds[k], head) != 0 || last < name + head) {
            continue;
        }
        *kind = k;
        *quantity = last + 1;
        *item = crank_index_find_part(index[k], name + head, (size_t)(last - name) - head);
        return *item >= 0;
    }
    return false;
}

/* "; did you mean "angle"?" or "; it has angle, angle_rate" after a quantity that there is
 * not */
static void hint_quantity(const char *wanted, const char *const *names, int count, char *text,
                          size_t size)
{
    const char *near = crank_suggest(wanted, names, count);
    size_t used = 0;
    text[0] = '\0';
    if (near != NULL) {
        (void)snprintf(text, size, "; did you mean \"%s\"?", near);
        return;
    }
    for (int i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "; it has ",
                                 names[i]);
    }
}

/* what a joint or force gives; error path only, so that looking at all names is fine */
static int quantities_of(const crank_builder *b, const char *name, const char **out, int most)
{
    const size_t head = (size_t)(strrchr(name, '.') - name) + 1;
    int count = 0;
    for (int i = 0; i < b->name.count && count < most; i++) {
        if (strncmp(b->name.item[i].name, name, head) == 0) {
            out[count++] = b->name.item[i].name + head;
        }
    }
    return count;
}

static bool is_reaction(const char *quantity)
{
    return (quantity[0] == 'f' || quantity[0] == 't') && quantity[1] >= 'x' &&
           quantity[1] <= 'z' && quantity[2] == '\0';
}

static crank_ex refuse(crank_builder *b, const char *name, int kind, int item,
                       const char *reason, const crank_build_label *label, crank_error *err)
{
    static const char *const kinds[3] = {"body", "joint", "force"};
    static const char *const planar_names[] = {
        "x", "y", "angle", "vx", "vy", "rate", "ax", "ay", "angle_acceleration"};
    static const char *const spatial_names[] = {"x",  "y",  "z",   "vx",  "vy",
                                                "vz", "ax", "ay",  "az",  "wx",
                                                "wy", "wz", "dwx", "dwy", "dwz"};
    const char *quantity = strrchr(name, '.') + 1;
    char hint[200] = "";
    if (kind == 1 && reason == NULL && is_reaction(quantity)) {
        reason = "reactions are columns of the result, expressions cannot use them";
    } else if (kind > 0) {
        const char *own[32] = {NULL};
        const int count = quantities_of(b, name, own, 32);
        hint_quantity(quantity, own, count, hint, sizeof hint);
    } else if (reason == NULL) {
        const bool planar = b->mechanism->dimension == 2;
        hint_quantity(quantity, planar ? planar_names : spatial_names, planar ? 9 : 15, hint,
                      sizeof hint);
    }
    (void)crank_fail_node(err, CRANK_EMODEL, label->place,
                          "%s: %s \"%.60s\" has no quantity \"%.40s\"%s%s%s", label->text,
                          kinds[kind], name_of(b->mechanism, kind, item), quantity,
                          reason != NULL ? ": " : "", reason != NULL ? reason : "", hint);
    return -1;
}

/* what "body.NAME.x" or another full name stands for; label: who asks; -1: err says why */
static crank_ex find_quantity(crank_builder *b, const char *name,
                              const crank_build_label *label, crank_error *err)
{
    int kind = -1;
    int item = -1;
    const char *quantity = NULL;
    if (!index_names(b)) {
        (void)crank_build_memory(b, err);
        return -1;
    }
    if (!split(b, name, &kind, &item, &quantity)) {
        (void)crank_fail_node(err, CRANK_EMODEL, label->place,
                              "%s: \"%.80s\" has no meaning here", label->text, name);
        return -1;
    }
    const char *reason = NULL;
    if (kind == 0) {
        const crank_ex ex = body_quantity(b, item, quantity, &reason);
        return ex >= 0 ? ex : refuse(b, name, kind, item, reason, label, err);
    }
    const crank_ex symbol = crank_ex_symbol(b->pool, name);
    const unsigned char stage =
        kind == 1 ? b->inside->joint_stage[item] : b->inside->force_stage[item];
    if (stage == CRANK_BUILD_NOT) { /* gives its names to the symbols that wait for them */
        const crank_status status =
            kind == 1 ? crank_build_joint(b, item, err) : crank_build_force(b, item, err);
        if (status != CRANK_OK) {
            return -1;
        }
    }
    const crank_symbol found = crank_build_symbol(b, symbol);
    return found.kind == CRANK_SYMBOL_NAMED
               ? found.index
               : refuse(b, name, kind, item,
                        stage == CRANK_BUILD_NOW
                            ? "it is defined in a circle, it needs what asks for it"
                            : NULL,
                        label, err);
}

/* ---- expressions of the user ---- */

/* what a symbol stands for; -1: it stays as it is */
static crank_status replace(crank_builder *b, const crank_build_label *label, crank_ex symbol,
                            int locals, const crank_ex *local, const crank_ex *value,
                            crank_ex *by, crank_error *err)
{
    *by = -1;
    for (int k = 0; k < locals && *by < 0; k++) {
        *by = local[k] == symbol ? value[k] : -1;
    }
    const crank_symbol s = crank_build_symbol(b, symbol);
    if (*by >= 0 || (s.kind != CRANK_SYMBOL_NAMED && s.kind != CRANK_SYMBOL_OTHER)) {
        return CRANK_OK;
    }
    if (s.kind == CRANK_SYMBOL_NAMED) {
        *by = s.index;
        return CRANK_OK;
    }
    *by = find_quantity(b, crank_ex_symbol_name(b->pool, symbol), label, err);
    if (*by >= 0) {
        crank_build_set_symbol(b, symbol, CRANK_SYMBOL_NAMED, *by);
        return CRANK_OK;
    }
    const crank_status memory = crank_build_memory(b, err);
    if (memory != CRANK_OK) {
        return memory;
    }
    return err != NULL && err->status != CRANK_OK ? err->status : CRANK_EMODEL;
}

crank_status crank_build_resolve_at(crank_builder *b, const crank_build_label *label,
                                    crank_ex ex, int locals, const crank_ex *local,
                                    const crank_ex *value, crank_ex *out, crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    crank_ex *replacement = malloc(((size_t)count + 1) * sizeof *replacement);
    if (symbol == NULL || replacement == NULL) {
        free(symbol);
        free(replacement);
        b->failed = true;
        return crank_build_memory(b, err);
    }
    crank_status status = crank_build_memory(b, err);
    int replaced = 0;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        crank_ex by = -1;
        status = replace(b, label, symbol[i], locals, local, value, &by, err);
        if (status == CRANK_OK && by >= 0) {
            symbol[replaced] = symbol[i];
            replacement[replaced++] = by;
        }
    }
    if (status == CRANK_OK) {
        *out = crank_ex_substitute(b->pool, ex, replaced, symbol, replacement);
        status = crank_build_memory(b, err);
    }
    free(symbol);
    free(replacement);
    return status;
}

crank_status crank_build_resolve(crank_builder *b, const crank_record *record,
                                 const crank_field *field, crank_ex ex, int locals,
                                 const crank_ex *local, const crank_ex *value, crank_ex *out,
                                 crank_error *err)
{
    crank_error none = {0};
    const crank_node *place = field != NULL && field->node != NULL ? field->node : record->key;
    const crank_build_label label =
        crank_build_label_of(crank_build_record_kind(record), record->name, place);
    return crank_build_resolve_at(b, &label, ex, locals, local, value, out,
                                  err != NULL ? err : &none);
}
