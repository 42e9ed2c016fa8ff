/* build_names.c - named quantities: those that joints and forces give, and those of bodies, which are made when an
 * expression of the user asks for them:
 *
 *     body.NAME.x    value of the product of world direction x and the point at the body's origin; vx its rate, ax
 *                    its acceleration
 *     body.NAME.wx   rate of the turn about world direction x, dwx its acceleration
 *     body.NAME.q0   component of the orientation, in outputs only
 *     planar: angle, rate, angle_acceleration of the body's angle */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- giving names ---- */

void crank_build_name(crank_builder *b, const char *kind, const char *object,
                      const char *quantity, crank_ex e, bool in_results)
{
    const char *name = crank_store_print(b->store, "%s.%s.%s", kind, object, quantity);
    if (name == NULL ||
        !CRANK_BUILD_PUSH(
            b, b->name,
            (crank_named_quantity){.name = name, .ex = e, .in_results = in_results})) {
        b->failed = true;
        return;
    }
    const crank_ex symbol = crank_ex_find_symbol(b->pool, name);
    if (symbol >= 0 && crank_build_symbol(b, symbol).kind == CRANK_SYMBOL_OTHER) {
        crank_build_set_symbol(b, symbol, CRANK_SYMBOL_NAMED, e);
    }
}

void crank_build_coordinate(crank_builder *b, crank_owner owner, const char *quantity,
                            crank_ex e)
{
    crank_build_inside *inside = b->inside;
    const bool joint = owner.kind == CRANK_OWNER_JOINT;
    const crank_mechanism *m = b->mechanism;
    const char *object = joint ? m->joint[owner.index].name : m->force[owner.index].name;
    const char *kept = crank_store_copy(b->store, quantity, strlen(quantity));
    const char *rate = crank_store_print(b->store, "%s_rate", quantity);
    if (kept == NULL || rate == NULL) {
        b->failed = true;
        return;
    }
    crank_build_name(b, joint ? "joint" : "force", object, kept, e, true);
    crank_build_name(b, joint ? "joint" : "force", object, rate,
                     crank_build_time_derivative(b, e), true);
    if (!joint) {
        return;
    }
    const int index = b->coordinate.count;
    if (CRANK_BUILD_PUSH(b, b->coordinate,
                         (crank_named_quantity){.name = kept, .ex = e, .in_results = true}) &&
        CRANK_BUILD_PUSH(b, b->coordinate_owner, owner.index) &&
        CRANK_BUILD_PUSH(b, inside->coordinate_before, inside->last_coordinate[owner.index])) {
        inside->last_coordinate[owner.index] = index;
    }
}

void crank_build_reaction_point(crank_builder *b, crank_owner owner, int first, int second,
                                crank_marker at, crank_marker axis)
{
    if (owner.kind == CRANK_OWNER_JOINT) {
        b->reaction[owner.index] = (crank_reaction){
            .given = true, .first = first, .second = second, .at = at, .axis = axis};
    }
}

crank_ex crank_build_turning_angle(crank_builder *b, crank_ex sine, crank_ex cosine)
{
    crank_pool *pool = b->pool;
    static const double start[3] = {0.0, 1.0, 0.0};
    crank_ex reference[3];
    const int memory = b->memory.count;
    for (int i = 0; i < 3; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "#k%d", memory + i);
        reference[i] = crank_ex_symbol(pool, name);
        crank_build_set_symbol(b, reference[i], CRANK_SYMBOL_MEMORY, memory + i);
        (void)CRANK_BUILD_PUSH(b, b->memory, start[i]);
    }
    b->memory_count = b->memory.count;
    const crank_ex c = reference[1];
    const crank_ex s = reference[2];
    const crank_ex up =
        crank_ex_sub(pool, crank_ex_mul(pool, sine, c), crank_ex_mul(pool, cosine, s));
    const crank_ex along =
        crank_ex_add(pool, crank_ex_mul(pool, cosine, c), crank_ex_mul(pool, sine, s));
    const crank_ex angle =
        crank_ex_add(pool, reference[0], crank_ex_call(pool, CRANK_EX_ATAN2, up, along, 0));
    (void)CRANK_BUILD_PUSH(b, b->angle, (crank_turning_angle){.ex = angle, .memory = memory});
    return angle;
}

crank_ex crank_build_table(crank_builder *b, const crank_table_data *table, crank_ex argument)
{
    return crank_ex_table(b->pool, table->rows, table->x, table->y, argument);
}

/* ---- asking for what was built before ---- */

/* a joint that must be there now; what goes wrong is kept for the end of the build in progress */
static bool ensure_joint(crank_builder *b, int joint)
{
    crank_build_inside *inside = b->inside;
    crank_error err = {0};
    if (inside->joint_stage[joint] == CRANK_BUILD_NOW) {
        return true; /* it asks for itself: what it has so far */
    }
    const crank_status status = crank_build_joint(b, joint, &err);
    if (status != CRANK_OK && inside->status == CRANK_OK) {
        inside->status = status;
        inside->error = err;
    }
    return status == CRANK_OK;
}

crank_ex crank_build_find_coordinate(crank_builder *b, int joint, const char *quantity)
{
    const crank_build_inside *inside = b->inside;
    if (!ensure_joint(b, joint)) {
        return -1;
    }
    const int last = inside->last_coordinate[joint];
    if (quantity == NULL) {
        return last >= 0 && inside->coordinate_before.item[last] < 0
                   ? b->coordinate.item[last].ex
                   : -1;
    }
    for (int i = last; i >= 0; i = inside->coordinate_before.item[i]) {
        if (strcmp(b->coordinate.item[i].name, quantity) == 0) {
            return b->coordinate.item[i].ex;
        }
    }
    return -1;
}

const char *crank_build_coordinate_list(crank_builder *b, int joint, char *text, size_t size)
{
    const crank_build_inside *inside = b->inside;
    int which[8], count = 0; /* linked from the last one back */
    size_t used = 0;
    text[0] = '\0';
    for (int i = inside->last_coordinate[joint]; i >= 0 && count < 8;
         i = inside->coordinate_before.item[i]) {
        which[count++] = i;
    }
    while (count-- > 0 && used < size) {
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"", used > 0 ? ", " : "",
                                 b->coordinate.item[which[count]].name);
    }
    return text;
}

int crank_build_find_multipliers(crank_builder *b, int joint, const char *prefix,
                                 crank_ex *multiplier, int capacity)
{
    const crank_build_inside *inside = b->inside;
    int count = 0;
    if (!ensure_joint(b, joint)) {
        return 0;
    }
    for (int i = inside->last_row[joint]; i >= 0; i = inside->row_before.item[i]) {
        if (strncmp(b->holonomic.item[i].row, prefix, strlen(prefix)) == 0) {
            if (count < capacity) {
                multiplier[count] = b->holonomic.item[i].multiplier;
            }
            count++;
        }
    }
    return count;
}

crank_ex crank_build_find_multiplier(crank_builder *b, int joint, const char *row)
{
    const crank_build_inside *inside = b->inside;
    if (!ensure_joint(b, joint)) {
        return -1;
    }
    for (int i = inside->last_row[joint]; i >= 0; i = inside->row_before.item[i]) {
        if (strcmp(b->holonomic.item[i].row, row) == 0) {
            return b->holonomic.item[i].multiplier;
        }
    }
    return -1;
}

/* ---- quantities of bodies ---- */

crank_ex crank_build_body_quantity(crank_builder *b, int body, const char *quantity,
                                   const char **reason)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    static const char *const names[5][3] = {{"x", "y", "z"},
                                            {"vx", "vy", "vz"},
                                            {"ax", "ay", "az"},
                                            {"wx", "wy", "wz"},
                                            {"dwx", "dwy", "dwz"}};
    const bool planar = b->mechanism->dimension == 2;
    const bool turns = b->kind[body] == CRANK_BODY_SPATIAL;
    for (int i = 0; i < (planar ? 2 : 3); i++) {
        crank_marker axis = {.body = -1};
        axis.u[i] = 1.0;
        for (int row = 0; row < (turns ? 5 : 3); row++) {
            if (strcmp(quantity, names[row][i]) != 0) {
                continue;
            }
            const int primitive =
                row < 3 ? crank_build_product(
                              b, crank_vector_of(axis),
                              crank_vector_of(crank_build_local_point(b, body, origin)))
                        : crank_build_turn(b, axis, -1, body);
            return row == 0               ? crank_build_value(b, primitive)
                   : row == 1 || row == 3 ? crank_build_rate(b, primitive)
                                          : crank_build_acceleration(b, primitive);
        }
    }
    if (b->kind[body] == CRANK_BODY_PLANAR) {
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
    }
    if (turns && quantity[0] == 'q' && quantity[1] >= '0' && quantity[1] <= '3' &&
        quantity[2] == '\0') {
        char name[32];
        const int index = 4 * body + (quantity[1] - '0');
        (void)snprintf(name, sizeof name, "#q%d", index);
        const crank_ex symbol = crank_ex_symbol(b->pool, name);
        crank_build_set_symbol(b, symbol, CRANK_SYMBOL_Q, index);
        return symbol;
    }
    if (b->mechanism->body[body].point && strchr("qw", quantity[0]) != NULL) {
        *reason = "it is a point mass and does not turn";
    }
    return -1;
}

/* ---- what a full name stands for ---- */

typedef struct named_list {
    const crank_mechanism *m;
    int kind; /* 0 body, 1 joint, 2 force */
} named_list;

static const char *name_of(const named_list *list, int item)
{
    return list->kind == 0   ? list->m->body[item].name
           : list->kind == 1 ? list->m->joint[item].name
                             : list->m->force[item].name;
}

static bool same_name(const void *wanted, const void *user, int item)
{
    return strcmp(wanted, name_of(user, item)) == 0;
}

static bool index_names(crank_builder *b)
{
    crank_build_inside *inside = b->inside;
    crank_build_index *const index[3] = {&inside->body, &inside->joint, &inside->force};
    const crank_mechanism *m = b->mechanism;
    const int count[3] = {m->body_count, m->joint_count, m->force_count};
    for (int kind = 0; kind < 3 && !inside->indexed; kind++) {
        const named_list list = {m, kind};
        for (int i = 0; i < count[kind]; i++) {
            if (!crank_build_index_add(index[kind], crank_hash_text(name_of(&list, i)), i)) {
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
    const crank_build_index *const index[3] = {&b->inside->body, &b->inside->joint,
                                               &b->inside->force};
    const char *last = strrchr(name, '.');
    for (int k = 0; k < 3 && last != NULL; k++) {
        const size_t head = strlen(kinds[k]);
        if (strncmp(name, kinds[k], head) != 0 || last < name + head) {
            continue;
        }
        const size_t length = (size_t)(last - name) - head;
        char *object = malloc(length + 1);
        if (object == NULL) {
            b->failed = true;
            return false;
        }
        memcpy(object, name + head, length);
        object[length] = '\0';
        const named_list list = {b->mechanism, k};
        *kind = k;
        *quantity = last + 1;
        *item =
            crank_build_index_find(index[k], crank_hash_text(object), same_name, object, &list);
        free(object);
        return *item >= 0;
    }
    return false;
}

/* "; did you mean "angle"?" or "; it has angle, angle_rate" after a quantity that there is not */
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
    const named_list list = {b->mechanism, kind};
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
                          kinds[kind], name_of(&list, item), quantity,
                          reason != NULL ? ": " : "", reason != NULL ? reason : "", hint);
    return -1;
}

crank_ex crank_build_quantity(crank_builder *b, const char *name,
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
        const crank_ex ex = crank_build_body_quantity(b, item, quantity, &reason);
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

crank_status crank_build_resolve_at(crank_builder *b, const crank_build_label *label,
                                    crank_ex ex, int locals, const crank_ex *local,
                                    const crank_ex *value, crank_ex *out, crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    crank_ex *replacement = malloc(((size_t)count + 1) * sizeof *replacement);
    b->failed = b->failed || replacement == NULL;
    crank_status status = crank_build_memory(b, err);
    int replaced = 0;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        crank_ex by = -1;
        for (int k = 0; k < locals && by < 0; k++) {
            by = local[k] == symbol[i] ? value[k] : -1;
        }
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (by < 0 && s.kind == CRANK_SYMBOL_NAMED) {
            by = s.index;
        } else if (by < 0 && s.kind == CRANK_SYMBOL_OTHER) {
            by = crank_build_quantity(b, crank_ex_symbol_name(b->pool, symbol[i]), label, err);
            if (by < 0) {
                status = crank_build_memory(b, NULL);
                status = status != CRANK_OK                       ? crank_build_memory(b, err)
                         : err != NULL && err->status != CRANK_OK ? err->status
                                                                  : CRANK_EMODEL;
                break;
            }
            crank_build_set_symbol(b, symbol[i], CRANK_SYMBOL_NAMED, by);
        }
        if (by >= 0) {
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
    crank_error none;
    crank_build_label label = {0};
    const crank_node *place = field != NULL && field->node != NULL ? field->node : record->key;
    (void)snprintf(label.text, sizeof label.text, "%s \"%.80s\"",
                   crank_build_record_kind(record), record->name);
    label.place = place;
    return crank_build_resolve_at(b, &label, ex, locals, local, value, out,
                                  err != NULL ? err : &none);
}
