/* mechanism_fields.c - mappings by their table of keys, and the values of keys by their
 * shape. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "linalg/rotation.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 64, MOST_CURVES = 100 };

int crank_keys_count(const crank_key_spec *keys)
{
    int count = 0;
    while (keys[count].name != NULL) {
        count++;
    }
    return count;
}

static double *take_numbers(const crank_site *site, int count, crank_field *field)
{
    field->count = count;
    field->number = crank_store_take(site->r->store, (size_t)count, sizeof *field->number);
    return field->number;
}

static crank_status read_number_list(const crank_site *site, const crank_node *node,
                                     crank_field *field)
{
    const int count = node->kind == CRANK_NODE_SEQUENCE ? node->count : 1;
    if (take_numbers(site, count, field) == NULL) {
        return crank_reading_no_memory(site->r);
    }
    return node->kind == CRANK_NODE_SEQUENCE
               ? crank_read_numbers(site, node, count, field->number)
               : crank_scope_number(site, node, field->number);
}

/* ---- ends ---- */

static crank_status read_local_ends(const crank_site *site, const crank_node *node,
                                    bool direction, crank_ends *out)
{
    crank_field field[2] = {{0}};
    crank_status status = crank_fields_read(site, node, node, crank_keys_ends, NULL, field);
    if (status != CRANK_OK || field[0].number == NULL || field[1].number == NULL) {
        return status;
    }
    out->local = true;
    memcpy(out->first, field[0].number, sizeof out->first);
    memcpy(out->second, field[1].number, sizeof out->second);
    if (direction) {
        status = crank_normalise(site, field[0].node, 3, out->first, "the direction");
    }
    return status == CRANK_OK && direction
               ? crank_normalise(site, field[1].node, 3, out->second, "the direction")
               : status;
}

static crank_status read_ends(const crank_site *site, const crank_node *node, crank_shape shape,
                              crank_ends *out)
{
    crank_status status = CRANK_OK;
    if (node->kind == CRANK_NODE_MAPPING) {
        return read_local_ends(site, node, shape == CRANK_SHAPE_AXIS, out);
    }
    if (shape == CRANK_SHAPE_ENDS) {
        status = crank_check_list(site, node, 2, "two points");
        if (status == CRANK_OK) {
            status = crank_read_point(site, node->item[0], out->first);
        }
        return status == CRANK_OK ? crank_read_point(site, node->item[1], out->second) : status;
    }
    status = shape == CRANK_SHAPE_AXIS ? crank_read_direction(site, node, out->first)
                                       : crank_read_point(site, node, out->first);
    memcpy(out->second, out->first, sizeof out->second);
    return status;
}

/* what is fixed in the world moves with an assembly, also if it is given in "body axes" of the
 * ground */
static void move_ground(const crank_instance *instance, const crank_key_spec *keys, int count,
                        crank_field *field)
{
    const int *between = NULL;
    for (int k = 0; k < count; k++) {
        if (keys[k].shape == CRANK_SHAPE_BODIES && field[k].node != NULL) {
            between = field[k].index;
        }
    }
    for (int k = 0; between != NULL && k < count; k++) {
        crank_ends *ends = &field[k].ends;
        for (int i = 0; i < 2 && ends->local; i++) {
            double *end = i == 0 ? ends->first : ends->second;
            if (between[i] < 0 && keys[k].shape == CRANK_SHAPE_AXIS) {
                crank_pose_direction(instance, end, end);
            } else if (between[i] < 0) {
                crank_pose_point(instance, end, end);
            }
        }
    }
}

/* ---- expressions ---- */

static crank_status read_expressions(const crank_site *site, const crank_node *node,
                                     const char *locals, int count, crank_ex *out)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_node *item = node->kind == CRANK_NODE_SEQUENCE ? node->item[i] : node;
        status = crank_scope_expression(site, item, locals, &out[i]);
    }
    return status;
}

static crank_status read_expression_list(const crank_site *site, const crank_node *node,
                                         const crank_key_spec *key, crank_field *field)
{
    if (key->shape == CRANK_SHAPE_EXPRESSION && node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node, "%s where an expression is expected",
                               crank_node_describe(node));
    }
    field->count = field->width = node->kind == CRANK_NODE_SEQUENCE ? node->count : 1;
    field->ex = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->ex);
    if (field->ex == NULL) {
        return crank_reading_no_memory(site->r);
    }
    return read_expressions(site, node, key->words, field->count, field->ex);
}

static crank_status read_curves(const crank_site *site, const crank_node *node,
                                const crank_key_spec *key, crank_field *field)
{
    crank_status status = crank_check_list(site, node, 0, "lists of expressions");
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = crank_check_list(site, node->item[i], i > 0 ? field->width : 0, "expressions");
        field->width = node->item[i]->count;
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (node->count > MOST_CURVES || field->width > MOST_CURVES) {
        return crank_site_fail(site, node, "more than %d expressions or lists of them",
                               MOST_CURVES);
    }
    field->count = field->width * node->count;
    field->ex = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->ex);
    if (field->ex == NULL) {
        return crank_reading_no_memory(site->r);
    }
    for (int i = 0; status == CRANK_OK && i < node->count; i++) {
        status = read_expressions(site, node->item[i], key->words, field->width,
                                  field->ex + i * field->width);
    }
    return status;
}

/* ---- bodies and joints ---- */

static crank_status read_reference(const crank_site *site, const crank_node *node,
                                   crank_section section, int *out)
{
    const char *name = NULL;
    const char *word = crank_section_word[section];
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_site_fail(site, node, "%s where the name of a %s is expected",
                               crank_node_describe(node), word);
    }
    const crank_status status = crank_scope_text(site, node, &name);
    if (status != CRANK_OK) {
        return status;
    }
    *out = -1;
    if (section == CRANK_SECTION_BODIES && strcmp(name, "ground") == 0) {
        return CRANK_OK;
    }
    *out = crank_scope_find(site->r, site->scope, section, name);
    if (*out >= 0) {
        return CRANK_OK;
    }
    char hint[240];
    return crank_site_fail(
        site, node, "there is no %s \"%.80s\"%s", word, name,
        crank_scope_hint(site->r, site->scope, section, name, hint, sizeof hint));
}

static crank_status read_references(const crank_site *site, const crank_node *node,
                                    const crank_key_spec *key, crank_field *field)
{
    const bool bodies = key->shape == CRANK_SHAPE_BODIES || key->shape == CRANK_SHAPE_BODY;
    const bool one = key->shape == CRANK_SHAPE_BODY || key->shape == CRANK_SHAPE_JOINT;
    const crank_section section = bodies ? CRANK_SECTION_BODIES : CRANK_SECTION_JOINTS;
    crank_status status = CRANK_OK;
    if (!one) {
        status = crank_check_list(site, node, bodies ? 2 : 0,
                                  bodies ? "two names of bodies" : "names of joints");
    }
    if (status != CRANK_OK) {
        return status;
    }
    field->count = one ? 1 : node->count;
    field->index = crank_store_take(site->r->store, (size_t)field->count, sizeof *field->index);
    if (field->index == NULL) {
        return crank_reading_no_memory(site->r);
    }
    for (int i = 0; i < field->count && status == CRANK_OK; i++) {
        status = read_reference(site, one ? node : node->item[i], section, &field->index[i]);
    }
    if (status == CRANK_OK && bodies && !one && field->index[0] == field->index[1]) {
        const char *name =
            field->index[0] < 0 ? "ground" : site->r->items[section].item[field->index[0]].name;
        return crank_site_fail(
            site, node, "both ends are on body \"%.80s\"; name two different bodies", name);
    }
    return status;
}

/* ---- by shape ---- */

static crank_status read_geometry(const crank_site *site, const crank_node *node,
                                  crank_shape shape, crank_field *field)
{
    const int counts[] = {
        [CRANK_SHAPE_DIRECTIONS] = 6, [CRANK_SHAPE_ORIENTATION] = 4, [CRANK_SHAPE_PLANE] = 6};
    const crank_instance *instance = site->scope->instance;
    const bool listed = shape == CRANK_SHAPE_DIRECTIONS || shape == CRANK_SHAPE_ORIENTATION ||
                        shape == CRANK_SHAPE_PLANE;
    double *number = take_numbers(site, listed ? counts[shape] : 3, field);
    crank_status status = CRANK_OK;
    if (number == NULL) {
        return crank_reading_no_memory(site->r);
    }
    if (shape == CRANK_SHAPE_POINT) {
        return crank_read_point(site, node, number);
    }
    if (shape == CRANK_SHAPE_DIRECTION) {
        return crank_read_direction(site, node, number);
    }
    if (shape == CRANK_SHAPE_ORIENTATION) {
        double own[4] = {1.0, 0.0, 0.0, 0.0};
        status = crank_read_orientation(site, node, own);
        crank_quaternion_multiply(number, instance->q, own);
        return status;
    }
    if (shape == CRANK_SHAPE_DIRECTIONS) {
        status = crank_check_list(site, node, 2, "two directions");
        for (int i = 0; i < 2 && status == CRANK_OK; i++) {
            status = crank_read_direction(site, node->item[i], number + 3 * i);
        }
        return status;
    }
    if (shape == CRANK_SHAPE_PLANE) {
        crank_field part[2] = {{0}};
        status = crank_fields_read(site, node, node, crank_keys_plane, NULL, part);
        for (int i = 0; i < 2 && status == CRANK_OK && part[i].number != NULL; i++) {
            memcpy(number + 3 * i, part[i].number, 3 * sizeof *number);
        }
        return status;
    }
    status = crank_read_vector(site, node, number);
    if (shape == CRANK_SHAPE_MOTION) {
        crank_pose_direction(instance, number, number);
    }
    return status;
}

static crank_status read_field(const crank_site *site, const crank_node *node,
                               const crank_key_spec *key, crank_field *field)
{
    bool flag = false;
    crank_status status = CRANK_OK;
    field->node = node;
    switch (key->shape) {
    case CRANK_SHAPE_NUMBER:
    case CRANK_SHAPE_WHOLE:
    case CRANK_SHAPE_FLAG:
        if (take_numbers(site, 1, field) == NULL) {
            return crank_reading_no_memory(site->r);
        }
        if (key->shape == CRANK_SHAPE_FLAG) {
            status = crank_read_flag(site, node, &flag);
            field->number[0] = flag ? 1.0 : 0.0;
            return status;
        }
        return key->shape == CRANK_SHAPE_WHOLE ? crank_read_whole(site, node, field->number)
                                               : crank_scope_number(site, node, field->number);
    case CRANK_SHAPE_WORD:
        return crank_read_word(site, node, key->words, &field->word);
    case CRANK_SHAPE_NUMBERS:
        return read_number_list(site, node, field);
    case CRANK_SHAPE_VECTOR:
    case CRANK_SHAPE_POINT:
    case CRANK_SHAPE_DIRECTION:
    case CRANK_SHAPE_DIRECTIONS:
    case CRANK_SHAPE_ORIENTATION:
    case CRANK_SHAPE_PLANE:
    case CRANK_SHAPE_MOTION:
        return read_geometry(site, node, key->shape, field);
    case CRANK_SHAPE_END:
    case CRANK_SHAPE_ENDS:
    case CRANK_SHAPE_AXIS:
        return read_ends(site, node, key->shape, &field->ends);
    case CRANK_SHAPE_EXPRESSION:
    case CRANK_SHAPE_EXPRESSIONS:
        return read_expression_list(site, node, key, field);
    case CRANK_SHAPE_CURVES:
        return read_curves(site, node, key, field);
    case CRANK_SHAPE_BODY:
    case CRANK_SHAPE_BODIES:
    case CRANK_SHAPE_JOINT:
    case CRANK_SHAPE_JOINTS:
        return read_references(site, node, key, field);
    case CRANK_SHAPE_TABLE:
        return crank_read_table(site, node, key->words, &field->table);
    case CRANK_SHAPE_INERTIA:
    case CRANK_SHAPE_SOLID:
    case CRANK_SHAPE_PARTS:
    case CRANK_SHAPE_FILE:
    case CRANK_SHAPE_FILES:
    case CRANK_SHAPE_TEXT:
    case CRANK_SHAPE_COLOR:
    case CRANK_SHAPE_BAR:
    case CRANK_SHAPE_SHAPES:
    case CRANK_SHAPE_PANELS:
    case CRANK_SHAPE_CAMERA:
    case CRANK_SHAPE_ACTIONS:
    case CRANK_SHAPE_POINTS:
    case CRANK_SHAPE_SECTION:
        break; /* read by who asks for them */
    }
    return CRANK_OK;
}

/* ---- mappings ---- */

static const crank_key_spec *find_key(const crank_key_spec *keys, const char *name)
{
    for (; keys->name != NULL; keys++) {
        if (strcmp(keys->name, name) == 0) {
            return keys;
        }
    }
    return NULL;
}

crank_status crank_fields_check(const crank_site *site, const crank_node *mapping,
                                const crank_key_spec *keys, const char *skip)
{
    for (int i = 0; i < mapping->count; i++) {
        const crank_node *key = mapping->key[i];
        if ((skip != NULL && strcmp(skip, key->text) == 0) ||
            find_key(keys, key->text) != NULL) {
            continue;
        }
        const char *names[MOST_KEYS] = {NULL};
        int count = 0;
        for (; count < MOST_KEYS && keys[count].name != NULL; count++) {
            names[count] = keys[count].name;
        }
        char hint[240];
        crank_reading_hint(hint, sizeof hint, key->text, names, count);
        return crank_site_fail(site, key, "unknown key \"%.80s\"%s", key->text, hint);
    }
    return CRANK_OK;
}

crank_status crank_fields_read(const crank_site *site, const crank_node *key,
                               const crank_node *mapping, const crank_key_spec *keys,
                               const char *skip, crank_field *field)
{
    const bool empty = crank_node_is_empty(mapping);
    if (!empty && mapping->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(site, mapping, "%s where a mapping is expected",
                               crank_node_describe(mapping));
    }
    crank_status status = empty ? CRANK_OK : crank_fields_check(site, mapping, keys, skip);
    const int count = crank_keys_count(keys);
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        const crank_node *node = empty ? NULL : crank_node_find(mapping, keys[k].name);
        field[k] = (crank_field){0};
        if (node == NULL && keys[k].required) {
            return crank_site_fail(site, key, "\"%s\" is missing", keys[k].name);
        }
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s%s", site->key != NULL ? site->key : "",
                       site->key != NULL ? ", " : "", keys[k].name);
        const crank_site own = {site->r, site->scope, site->object, path};
        status = node != NULL ? read_field(&own, node, &keys[k], &field[k]) : CRANK_OK;
    }
    if (status == CRANK_OK) {
        move_ground(site->scope->instance, keys, count, field);
    }
    return status;
}
