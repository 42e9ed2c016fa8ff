/* build_resolve.c - what the names in expressions of the user stand for. Joints and forces give
 * theirs (build_names.c) and are built when they are asked for, and so are constraints of the
 * file whose multipliers are asked for; quantities of bodies are made in build_bodies.c,
 * reactions in build_reactions.c. Of a coordinate or another function y of positions
 *     y_rate = dy/dt,   y_acceleration = d^2 y/dt^2 */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include "base/suggest.h"
#include "mechanics/forces/force.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int k = 0;
    while (k < 3 && strncmp(name, kinds[k], strlen(kinds[k])) != 0) {
        k++;
    }
    if (k == 3) {
        return false;
    }
    const char *object = name + strlen(kinds[k]);
    *kind = k;
    *item = -1;
    for (size_t n = strlen(object); n > 0 && *item < 0; n--) {
        if (object[n] == '.') { /* the longest name: points stand behind a body's */
            *quantity = object + n + 1;
            *item = crank_index_find_part(index[k], object, n);
        }
    }
    return *item >= 0;
}

/* "; did you mean "angle"?" (one of the first names) or "; it has angle, angle_rate"
 * after a quantity that there is not */
static void hint_quantity(const char *wanted, const char *const *names, int proposed, int count,
                          char *text, size_t size)
{
    const char *near = crank_suggest(wanted, names, proposed);
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

enum { MOST_NAMES = 32, MOST_MADE = 8 };

/* y_acceleration of the quantities y, y_rate among the first `given` names; where the next one
 * would stand */
static int add_accelerations(const char **out, int given, char made[MOST_MADE][64])
{
    int count = given;
    for (int i = 0; i + 1 < given && count - given < MOST_MADE && count < MOST_NAMES; i++) {
        const size_t length = strlen(out[i]);
        if (strncmp(out[i], out[i + 1], length) == 0 &&
            strcmp(out[i + 1] + length, "_rate") == 0) {
            char *text = made[count - given];
            (void)snprintf(text, sizeof made[0], "%.40s_acceleration", out[i]);
            out[count++] = text;
        }
    }
    return count;
}

/* after a quantity that joint or force does not give: what it gives, with what is made when
 * asked for; error path only, so that looking at all names is fine */
static void hint_owned(const crank_builder *b, const char *name, int joint,
                       const char *quantity, char *text, size_t size)
{
    static const char *const planar[] = {"fx", "fy", "tz"};
    static const char *const spatial[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
    const char *own[MOST_NAMES] = {NULL};
    char made[MOST_MADE][64];
    const size_t head = (size_t)(strrchr(name, '.') - name) + 1;
    int count = 0;
    for (int i = 0; i < b->name.count && count < MOST_NAMES; i++) {
        if (strncmp(b->name.item[i].name, name, head) == 0) {
            own[count++] = b->name.item[i].name + head;
        }
    }
    count = add_accelerations(own, count, made);
    const int proposed = count; /* reactions are too short for that: fz is no fx */
    const int components = b->mechanism->dimension == 2 ? 3 : 6;
    for (int k = 0; joint >= 0 && b->reaction[joint].given && k < components; k++) {
        if (count < MOST_NAMES) {
            own[count++] = components == 3 ? planar[k] : spatial[k];
        }
    }
    hint_quantity(quantity, own, proposed, count, text, size);
}

/* Where a wrong name stands: in the expression that is looked at, or in an intermediate. */
static crank_build_label place_of(const crank_builder *b, const char *name,
                                  const crank_build_label *label)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < m->written_count; i++) {
        if (strcmp(crank_ex_symbol_name(b->pool, m->written[i].symbol), name) == 0) {
            return crank_build_label_of("let", m->written[i].let, m->written[i].node);
        }
    }
    return *label;
}

static crank_ex refuse(crank_builder *b, const char *name, int kind, int item,
                       const char *quantity, const char *reason, const crank_build_label *asks,
                       crank_error *err)
{
    const crank_build_label own = place_of(b, name, asks), *label = &own;
    static const char *const kinds[3] = {"body", "joint", "force"};
    static const char *const planar_names[] = {
        "x", "y", "angle", "vx", "vy", "rate", "ax", "ay", "angle_acceleration"};
    static const char *const point_names[] = {"x", "y", "vx", "vy", "ax", "ay"};
    static const char *const spatial_names[] = {
        "x",       "y",       "z",        "vx",       "vy",       "vz",   "ax",    "ay",
        "az",      "wx",      "wy",       "wz",       "dwx",      "dwy",  "dwz",   "omega_x",
        "omega_y", "omega_z", "domega_x", "domega_y", "domega_z", "roll", "pitch", "yaw"};
    char hint[300] = "";
    if (kind > 0) {
        hint_owned(b, name, kind == 1 ? item : -1, quantity, hint, sizeof hint);
    } else if (reason == NULL) {
        const bool planar = b->mechanism->dimension == 2;
        const char *dot = strchr(quantity, '.'); /* of a point: x ... az */
        const bool point = dot != NULL || b->mechanism->body[item].point;
        const int count = point ? (planar ? 6 : 9) : planar ? 9 : 24;
        hint_quantity(dot != NULL ? dot + 1 : quantity,
                      !planar ? spatial_names
                      : point ? point_names
                              : planar_names,
                      count, count, hint, sizeof hint);
    }
    (void)crank_fail_node(err, CRANK_EMODEL, label->place,
                          "%s: %s \"%.60s\" has no quantity \"%.40s\"%s%s%s", label->text,
                          kinds[kind], name_of(b->mechanism, kind, item), quantity,
                          reason != NULL ? ": " : "", reason != NULL ? reason : "", hint);
    return -1;
}

/* y of y_rate and y_acceleration: a quantity given by the joint or force, of positions; -1:
 * none. *order: how often it is differentiated */
static crank_ex find_base(crank_builder *b, const char *name, int *order)
{
    static const char *const ending[2] = {"_rate", "_acceleration"};
    const size_t length = strlen(name);
    for (int k = 0; k < 2; k++) {
        const size_t cut = strlen(ending[k]);
        if (length <= cut || strcmp(name + length - cut, ending[k]) != 0) {
            continue;
        }
        for (int i = 0; i < b->name.count; i++) {
            const char *other = b->name.item[i].name;
            if (strlen(other) == length - cut && strncmp(other, name, length - cut) == 0 &&
                crank_build_is_geometry(b, b->name.item[i].ex)) {
                *order = k + 1;
                return b->name.item[i].ex;
            }
        }
    }
    return -1;
}

/* what a joint or force that is built gives when asked: rates, accelerations, reactions; -1 in
 * *out: nothing of this name */
static crank_status derive_quantity(crank_builder *b, const char *name, int kind, int item,
                                    const char *quantity, crank_ex *out, crank_error *err)
{
    const crank_owner owner = {kind == 1 ? CRANK_OWNER_JOINT : CRANK_OWNER_FORCE, item};
    int order = 0;
    *out = find_base(b, name, &order);
    crank_status status = CRANK_OK;
    if (*out < 0 && kind == 1) {
        return crank_build_reaction(b, item, quantity, out, err);
    }
    for (; order > 0 && status == CRANK_OK; order--) {
        status = crank_build_differentiate(b, owner, *out, out, err);
    }
    return status;
}

/* lambda.NAME or mu.NAME; -1 in *out: it is neither */
static crank_status find_multiplier(crank_builder *b, const char *name, crank_ex *out,
                                    crank_error *err)
{
    *out = -1;
    return strncmp(name, "lambda.", 7) == 0
               ? crank_build_multiplier(b, "lambda", name + 7, out, err)
           : strncmp(name, "mu.", 3) == 0 ? crank_build_multiplier(b, "mu", name + 3, out, err)
                                          : CRANK_OK;
}

/* The length between the ends of a force and its rate, which are known before its law is: two
 * forces may each read the other's length, and one of them the other's force. -1: none. */
static crank_ex find_length(crank_builder *b, int force, const char *quantity)
{
    const crank_record *record = &b->mechanism->force[force];
    const bool rate = strcmp(quantity, "length_rate") == 0;
    crank_force_way way = {0};
    int square = -1;
    if (b->inside->force_stage[force] == CRANK_BUILD_DONE ||
        (!rate && strcmp(quantity, "length") != 0) || !crank_force_has_length(record) ||
        crank_force_distance(b, record, &way, &square, NULL) != CRANK_OK) {
        return -1;
    }
    return rate ? way.rate : way.y;
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
    crank_ex multiplier = -1;
    if (find_multiplier(b, name, &multiplier, err) != CRANK_OK || multiplier >= 0) {
        return multiplier >= 0 ? multiplier : -1;
    }
    if (!split(b, name, &kind, &item, &quantity)) {
        const crank_build_label own = place_of(b, name, label);
        (void)crank_fail_node(err, CRANK_EMODEL, own.place, "%s: \"%.80s\" has no meaning here",
                              own.text, name);
        return -1;
    }
    const char *reason = NULL;
    if (kind == 0) {
        const crank_ex ex = crank_build_body_quantity(b, item, quantity, &reason);
        return ex >= 0 ? ex : refuse(b, name, kind, item, quantity, reason, label, err);
    }
    const crank_ex length = kind == 2 ? find_length(b, item, quantity) : -1;
    if (length >= 0) {
        return length;
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
    if (found.kind == CRANK_SYMBOL_NAMED) {
        return found.index;
    }
    if (stage == CRANK_BUILD_NOW) {
        return refuse(b, name, kind, item, quantity,
                      "it is defined in a circle, it needs what asks for it", label, err);
    }
    crank_ex derived = -1;
    if (derive_quantity(b, name, kind, item, quantity, &derived, err) != CRANK_OK) {
        return -1;
    }
    return derived >= 0 ? derived : refuse(b, name, kind, item, quantity, NULL, label, err);
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
