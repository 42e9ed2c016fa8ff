/* mechanism_initial.c - `initial:` of a mechanism file: expressions that are zero at the start,
 * and under `joints` coordinates of joints with their rates, {knee: {angle: 30 deg}}, or guesses of
 * coordinates, {knee: {angle: 30 deg, free: true}}. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "model/mechanism/mechanism_read.h"

#include <stdio.h>
#include <string.h>

enum { OBJECT = 128 };

bool crank_initial_is_joints(crank_section section, const crank_node *key)
{
    return section == CRANK_SECTION_INITIAL && strcmp(key->text, "joints") == 0;
}

/* ---- coordinates of joints ---- */

static crank_status read_coordinate(const crank_site *site, const crank_node *key,
                                    const crank_node *node, int joint, bool guess,
                                    crank_initial_joint *out)
{
    const crank_site own = {site->r, site->scope, site->object, key->text};
    *out = (crank_initial_joint){
        .joint = joint, .quantity = key->text, .guess = guess, .key = key};
    return crank_scope_number(&own, node, &out->value);
}

static crank_status fail_twice(const crank_site *site, const crank_node *key,
                               const crank_node *first)
{
    char line[160];
    return crank_site_fail(site, key, "\"%.40s\" is given twice, first in %s", key->text,
                           crank_reading_line(line, sizeof line, first, key));
}

/* what was said of this coordinate before; NULL: nothing */
static crank_initial_joint *find_given(crank_mechanism *m, int joint, const char *quantity)
{
    for (int k = 0; k < m->initial_joint_count; k++) {
        crank_initial_joint *other = &m->initial_joint[k];
        if (other->joint == joint && strcmp(other->quantity, quantity) == 0) {
            return other;
        }
    }
    return NULL;
}

static bool is_free(const crank_node *key)
{
    return strcmp(key->text, "free") == 0;
}

/* `free: true` of a joint: its coordinates are guesses. */
static crank_status read_guess(const crank_site *site, const crank_node *node, bool *guess)
{
    crank_status status = CRANK_OK;
    *guess = false;
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        if (is_free(node->key[i])) {
            const crank_site own = {site->r, site->scope, site->object, "free"};
            status = crank_read_flag(&own, node->item[i], guess);
        }
    }
    return status;
}

/* all that is said of one joint */
static crank_status read_joint(crank_reading *r, const crank_scope *scope,
                               const crank_node *key, const crank_node *node, int *capacity)
{
    crank_mechanism *m = r->m;
    char object[OBJECT], hint[300];
    const crank_site above = {r, scope, "initial, joints", NULL};
    const char *name = NULL;
    crank_status status = crank_scope_text(&above, key, &name);
    if (status != CRANK_OK) {
        return status;
    }
    const int joint = crank_scope_find(r, scope, CRANK_SECTION_JOINTS, name);
    if (joint < 0) {
        crank_scope_hint(r, scope, CRANK_SECTION_JOINTS, NULL, name, hint, sizeof hint);
        return crank_site_fail(&above, key, "no joint has the name \"%.80s\"%s", name, hint);
    }
    (void)snprintf(object, sizeof object, "initial, joint \"%.80s\"", name);
    const crank_site site = {r, scope, object, NULL};
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(&site, node, "%s where {coordinate: value} is expected",
                               crank_node_describe(node));
    }
    bool guess;
    status = read_guess(&site, node, &guess);
    if (status == CRANK_OK && guess && node->count == 1) {
        return crank_site_fail(&site, node,
                               "free: without an angle or a length it says nothing");
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        if (is_free(node->key[i])) {
            continue;
        }
        crank_initial_joint *other = find_given(m, joint, node->key[i]->text);
        const bool included = strchr(m->joint[joint].name, '.') == NULL; /* not assembled */
        if (other != NULL &&
            (!included || (other->key->file == NULL) == (node->key[i]->file == NULL))) {
            return fail_twice(&site, node->key[i], other->key);
        }
        if (other != NULL) { /* the file that is run goes before those that it includes */
            status =
                node->key[i]->file == NULL
                    ? read_coordinate(&site, node->key[i], node->item[i], joint, guess, other)
                    : CRANK_OK;
            continue;
        }
        m->initial_joint = crank_store_grow(r->store, m->initial_joint, m->initial_joint_count,
                                            capacity, sizeof *m->initial_joint);
        if (m->initial_joint == NULL) {
            return crank_reading_no_memory(r);
        }
        status = read_coordinate(&site, node->key[i], node->item[i], joint, guess,
                                 &m->initial_joint[m->initial_joint_count++]);
    }
    return status;
}

static crank_status read_joints(crank_reading *r, const crank_item *item, int *capacity)
{
    crank_status status = CRANK_OK;
    if (item->node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(r->err, CRANK_EMODEL, item->node,
                               "initial, joints: %s where a mapping of joints is expected",
                               crank_node_describe(item->node));
    }
    for (int i = 0; i < item->node->count && status == CRANK_OK; i++) {
        status = read_joint(r, item->scope, item->node->key[i], item->node->item[i], capacity);
    }
    return status;
}

/* ---- all of it ---- */

crank_status crank_read_initial(crank_reading *r)
{
    crank_mechanism *m = r->m;
    const crank_items *items = &r->items[CRANK_SECTION_INITIAL];
    crank_status status = CRANK_OK;
    int capacity = 0;
    m->initial = crank_store_take(r->store, (size_t)items->count, sizeof *m->initial);
    if (m->initial == NULL) {
        return crank_reading_no_memory(r);
    }
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        const crank_item *item = &items->item[i];
        char object[OBJECT];
        if (crank_initial_is_joints(CRANK_SECTION_INITIAL, item->key)) {
            status = read_joints(r, item, &capacity);
            continue;
        }
        (void)snprintf(object, sizeof object, "initial \"%.100s\"", item->name);
        const crank_site site = {r, item->scope, object, NULL};
        crank_expression_record *x = &m->initial[m->initial_count++];
        *x = (crank_expression_record){
            .name = item->name, .key = item->key, .node = item->node, .symbol = -1};
        status = crank_scope_expression(&site, item->node, NULL, &x->ex);
    }
    return status;
}
