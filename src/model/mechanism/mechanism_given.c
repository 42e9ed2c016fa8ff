/* mechanism_given.c - parameters and inputs of a mechanism file and of its assemblies.
 *
 * Definitions are evaluated when they are first needed. An expression that meets one without a
 * value is put off until that one is done; what waits is kept on a stack of our own (no
 * recursion), on which a cycle shows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "model/mechanism/mechanism_read.h"
#include "model/model.h"

#include "base/blame.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 512, OBJECT = 128 };

int crank_given_find(const crank_reading *r, const crank_scope *scope, const char *name)
{
    char full[NAME];
    if (strchr(name, '.') != NULL) {
        return -1; /* what an assembly has inside stays there */
    }
    const int length = snprintf(full, sizeof full, "%s%s", scope->instance->prefix, name);
    return length >= 0 && length < NAME ? crank_index_find(&r->given_names, full) : -1;
}

static crank_status check_name(crank_reading *r, const crank_node *key, bool input)
{
    if (!crank_name_is_plain(key->text)) {
        return crank_fail_node(r->err, CRANK_EMODEL, key,
                               "%s \"%.80s\": not a name: a letter, then letters, digits and _",
                               input ? "input" : "parameter", key->text);
    }
    if (crank_name_is_reserved(key->text)) {
        return crank_fail_node(r->err, CRANK_EMODEL, key, "the name \"%.80s\" is reserved",
                               key->text);
    }
    return CRANK_OK;
}

static crank_status fail_twice(crank_reading *r, const crank_given *first,
                               const crank_node *key)
{
    char line[160];
    return crank_fail_node(r->err, CRANK_EMODEL, key,
                           "\"%.80s\" is given twice, first as %s in %s", key->text,
                           first->input ? "an input" : "a parameter",
                           crank_reading_line(line, sizeof line, first->key, key));
}

crank_status crank_given_declare(crank_reading *r, const crank_scope *scope,
                                 const crank_node *mapping, bool input,
                                 const crank_node *overrides, const crank_scope *outer)
{
    for (int i = 0; i < mapping->count; i++) {
        const crank_node *key = mapping->key[i];
        const crank_status status = check_name(r, key, input);
        if (status != CRANK_OK) {
            return status;
        }
        const int other = crank_given_find(r, scope, key->text);
        if (other >= 0) {
            return fail_twice(r, &r->given[other], key);
        }
        r->given = crank_store_grow(r->store, r->given, r->given_count, &r->given_capacity,
                                    sizeof *r->given);
        const char *name =
            crank_store_print(r->store, "%s%s", scope->instance->prefix, key->text);
        if (r->given == NULL || name == NULL ||
            !crank_index_add(&r->given_names, r->store, name, r->given_count)) {
            return crank_reading_no_memory(r);
        }
        crank_given *given = &r->given[r->given_count++];
        *given = (crank_given){
            .name = name, .key = key, .node = mapping->item[i], .scope = scope, .input = input};
        given->switched = !input && crank_model_varies(r->m->options, name);
        const crank_node *override =
            overrides != NULL ? crank_node_find(overrides, key->text) : NULL;
        if (override != NULL) {
            given->node = override;
            given->scope = outer;
        }
        const int setting = crank_index_find(&r->settings, name);
        if (setting >= 0) {
            given->node = NULL;
            given->setting = r->m->options->settings[setting].value;
            r->setting_used[setting] = true;
        }
    }
    return CRANK_OK;
}

/* ---- values ---- */

static const char *object_of(const crank_given *given, char *text)
{
    (void)snprintf(text, OBJECT, "%s \"%.80s\"",
                   given->setting != NULL ? "setting"
                   : given->input         ? "input"
                                          : "parameter",
                   given->name);
    return text;
}

static crank_status fail_cycle(crank_reading *r, int depth, int again)
{
    char text[300] = "";
    size_t used = 0;
    int first = 0;
    while (r->stack[first] != again) {
        first++;
    }
    for (int i = first; i < depth && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%.40s -> ",
                                 r->given[r->stack[i]].name);
    }
    const crank_given *given = &r->given[again];
    return crank_fail_node(
        r->err, CRANK_EMODEL, given->key, "%s \"%.80s\": cyclic definition: %s%.40s",
        given->input ? "input" : "parameter", given->name, text, given->name);
}

/* evaluates one unless it depends on *missing */
static crank_status evaluate(crank_reading *r, int i, int *missing)
{
    crank_given *given = &r->given[i];
    char object[OBJECT];
    const crank_site site = {r, given->scope, object_of(given, object), NULL};
    const crank_node *node = given->node;
    const char *text = node != NULL ? node->text : given->setting;
    if (node != NULL && (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node))) {
        return crank_site_fail(&site, node, "%s where an expression is expected",
                               crank_node_describe(node));
    }
    crank_ex value = 0;
    const crank_status status =
        crank_scope_try(&site, node, text, given->input ? CRANK_USE_INPUT : CRANK_USE_CONSTANTS,
                        NULL, &value, missing);
    if (status != CRANK_OK || *missing >= 0) {
        return status;
    }
    double number = 0.0;
    if (!given->input && !crank_switched_start(r, value, &number)) {
        return crank_site_fail(&site, node, "the value is not finite");
    }
    given->value = value;
    given->state = 2;
    if (given->switched) {
        crank_switched_bake(r, value);
        return crank_switched_add(r, given, number);
    }
    return CRANK_OK;
}

crank_status crank_given_evaluate(crank_reading *r, int i)
{
    if (r->given_count > r->stack_capacity) {
        r->stack_capacity = 2 * r->given_count;
        r->stack = crank_store_take(r->store, (size_t)r->stack_capacity, sizeof *r->stack);
        if (r->stack == NULL) {
            return crank_reading_no_memory(r);
        }
    }
    int depth = 0;
    r->stack[depth++] = i;
    r->given[i].state = 1;
    while (depth > 0) {
        int missing = -1;
        const crank_status status = evaluate(r, r->stack[depth - 1], &missing);
        if (status != CRANK_OK) {
            return r->given[r->stack[depth - 1]].setting != NULL
                       ? crank_blame_caller(r->err, status)
                       : status;
        }
        if (missing < 0) {
            depth--;
        } else if (r->given[missing].state == 1) {
            return fail_cycle(r, depth, missing);
        } else {
            r->given[missing].state = 1;
            r->stack[depth++] = missing;
        }
    }
    return CRANK_OK;
}
