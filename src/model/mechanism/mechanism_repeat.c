/* mechanism_repeat.c - assemblies and repeats: the same text again, under other names and
 * numbers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32, MOST_TIMES = 2000000 }; /* MOST_TIMES: of all repeats together */

/* ---- assemblies ---- */

static crank_status check_assembly(const crank_site *site, const crank_node *node,
                                   const crank_source *source)
{
    const crank_instance *around = site->scope->instance;
    if (around->depth >= DEEPEST) {
        return crank_site_fail(site, node, "more than %d assemblies deep", DEEPEST);
    }
    for (const crank_instance *i = around; i != NULL; i = i->outer) {
        if (i->source == source) {
            return crank_site_fail(site, node, "\"%.120s\" uses itself", node->text);
        }
    }
    return CRANK_OK;
}

/* the pose of an assembly in the world; what is not given is that of the file around it */
static void set_pose(crank_instance *instance, const crank_field *at,
                     const crank_field *orientation)
{
    const crank_instance *around = instance->outer;
    crank_pose_set(instance, at->node != NULL ? at->number : around->x,
                   orientation->node != NULL ? orientation->number : around->q);
}

/* the fields of an assembly, in the order of crank_keys_assembly */
enum { USE, AT, ORIENTATION, PARAMETERS, VELOCITY, SPIN, RATE };

/* its motion at the start, beside that of the file around it */
static crank_status set_motion(const crank_site *site, crank_instance *instance,
                               const crank_field *field)
{
    const crank_instance *around = instance->outer;
    const bool planar = site->r->m->dimension == 2;
    const crank_field *wrong = planar ? &field[SPIN] : &field[RATE];
    if (wrong->node != NULL) {
        return crank_site_fail(site, wrong->node, "%s",
                               planar ? "planar models have the rate of the angle, \"rate\""
                                      : "spatial models have \"angular_velocity\"");
    }
    instance->moves = around->moves || field[VELOCITY].node != NULL ||
                      field[SPIN].node != NULL || field[RATE].node != NULL;
    instance->turns = around->turns || field[SPIN].node != NULL || field[RATE].node != NULL;
    crank_pose_velocity(around, instance->x, instance->velocity);
    for (int i = 0; i < 3; i++) {
        instance->velocity[i] += field[VELOCITY].node != NULL ? field[VELOCITY].number[i] : 0.0;
        instance->spin[i] =
            around->spin[i] + (field[SPIN].node != NULL ? field[SPIN].number[i] : 0.0);
    }
    instance->spin[2] += field[RATE].node != NULL ? field[RATE].number[0] : 0.0;
    return CRANK_OK;
}

static crank_status collect_assembly(crank_reading *r, const crank_scope *scope,
                                     const crank_node *key, const crank_node *node)
{
    char object[128];
    crank_site site = {r, scope, "assemblies", NULL};
    const char *own = NULL;
    crank_status status = crank_scope_text(&site, key, &own);
    if (status != CRANK_OK) {
        return status;
    }
    (void)snprintf(object, sizeof object, "assembly \"%s%.80s\"", scope->instance->prefix, own);
    site.object = object;
    if (!crank_name_is_plain(own)) {
        return crank_site_fail(&site, key, "not a name: a letter, then letters, digits and _");
    }
    crank_instance *instance = crank_store_take(r->store, 1, sizeof *instance);
    const char *prefix = crank_store_print(r->store, "%s%s.", scope->instance->prefix, own);
    if (instance == NULL || prefix == NULL) {
        return crank_reading_no_memory(r);
    }
    if (crank_index_find(&r->assemblies, prefix) >= 0) {
        return crank_site_fail(&site, key, "the name is given twice");
    }
    if (r->assemblies.count >= MOST_TIMES) {
        return crank_site_fail(&site, key, "more than %d assemblies", MOST_TIMES);
    }
    if (!crank_index_add(&r->assemblies, r->store, prefix, r->assemblies.count)) {
        return crank_reading_no_memory(r);
    }
    crank_field field[8];
    status = crank_fields_read(&site, key, node, crank_keys_assembly, NULL, field);
    const crank_source *source = NULL;
    const crank_node *use = status == CRANK_OK ? field[USE].node : NULL;
    const crank_site use_site = {r, scope, object, "use"};
    CRANK_THEN(status, crank_source_open(&use_site, use, &source));
    CRANK_THEN(status, check_assembly(&use_site, use, source));
    const crank_node *overrides = status == CRANK_OK ? field[PARAMETERS].node : NULL;
    if (overrides != NULL && crank_node_is_empty(overrides)) {
        overrides = NULL;
    }
    if (overrides != NULL && overrides->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(&site, overrides,
                               "parameters: %s where a mapping of names is expected",
                               crank_node_describe(overrides));
    }
    if (status != CRANK_OK) {
        return status;
    }
    *instance = (crank_instance){.outer = scope->instance,
                                 .source = source,
                                 .prefix = prefix,
                                 .depth = scope->instance->depth + 1};
    set_pose(instance, &field[AT], &field[ORIENTATION]);
    status = set_motion(&site, instance, field);
    CRANK_THEN(status, crank_collect(r, instance, overrides, scope));
    return status;
}

crank_status crank_collect_assemblies(crank_reading *r, const crank_scope *scope,
                                      const crank_node *node)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = collect_assembly(r, scope, node->key[i], node->item[i]);
    }
    return status;
}

/* ---- repeats ---- */

static crank_status read_whole(const crank_site *site, const crank_node *mapping,
                               const char *key, int *out)
{
    const crank_site own = {site->r, site->scope, site->object, key};
    const crank_node *node = crank_node_find(mapping, key);
    double value = 0.0;
    if (node == NULL) {
        return CRANK_OK;
    }
    const crank_status status = crank_read_whole(&own, node, &value);
    if (status == CRANK_OK) {
        *out = (int)value;
    }
    return status;
}

/* the name of the index: of nothing else in the file */
static crank_status read_index(const crank_site *site, const crank_node *mapping,
                               const char **out)
{
    const crank_node *node = crank_node_find(mapping, "index");
    *out = "i";
    if (node != NULL) {
        if (node->kind != CRANK_NODE_SCALAR || !crank_name_is_plain(node->text)) {
            return crank_site_fail(site, node, "index: not a name");
        }
        *out = node->text;
    }
    if (crank_name_is_reserved(*out)) {
        return crank_site_fail(site, node, "index: the name \"%s\" is reserved", *out);
    }
    bool taken = crank_given_find(site->r, site->scope, *out) >= 0;
    for (const crank_scope *s = site->scope; s != NULL; s = s->outer) {
        taken = taken || (s->index != NULL && strcmp(s->index, *out) == 0);
    }
    return taken
               ? crank_site_fail(site, node != NULL ? node : mapping,
                                 "index: the name \"%.80s\" is already in use; choose another",
                                 *out)
               : CRANK_OK;
}

static crank_status collect_repeat(crank_reading *r, const crank_scope *scope,
                                   const crank_node *node)
{
    const crank_site site = {r, scope, "repeat", NULL};
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(&site, node, "%s where a mapping is expected",
                               crank_node_describe(node));
    }
    int count = -1, from = 1;
    const char *index = NULL;
    crank_status status = crank_fields_check(&site, node, crank_keys_repeat, NULL);
    CRANK_THEN(status, read_whole(&site, node, "count", &count));
    CRANK_THEN(status, read_whole(&site, node, "from", &from));
    CRANK_THEN(status, read_index(&site, node, &index));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *place = crank_node_find(node, "count");
    if (place == NULL) {
        return crank_site_fail(&site, node, "\"count\" is missing");
    }
    if (count < 0 || count > MOST_TIMES) {
        return crank_site_fail(&site, place, "count: %d, must be from 0 to %d", count,
                               MOST_TIMES);
    }
    if (scope->depth >= DEEPEST) {
        return crank_site_fail(&site, node, "more than %d repeats deep", DEEPEST);
    }
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        crank_scope *inner = crank_store_take(r->store, 1, sizeof *inner);
        if (++r->repetitions > MOST_TIMES) {
            return crank_site_fail(&site, node, "more than %d repetitions in all", MOST_TIMES);
        }
        if (inner == NULL) {
            return crank_reading_no_memory(r);
        }
        *inner = (crank_scope){.instance = scope->instance,
                               .source = scope->source,
                               .outer = scope,
                               .index = index,
                               .value = (double)from + i,
                               .depth = scope->depth + 1};
        status = crank_collect_sections(r, inner, node);
    }
    return status;
}

crank_status crank_collect_repeats(crank_reading *r, const crank_scope *scope,
                                   const crank_node *node)
{
    if (node->kind != CRANK_NODE_SEQUENCE) {
        return collect_repeat(r, scope, node);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = collect_repeat(r, scope, node->item[i]);
    }
    return status;
}
