/* mechanism_given.c - definitions of a mechanism file and of its assemblies: parameters and
 * inputs, intermediates and outputs.
 *
 * Definitions are evaluated when they are first needed. An expression that meets one without a
 * value is put off until that one is done; what waits is kept on a stack of our own (no
 * recursion), on which a cycle shows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/then.h"
#include "model/mechanism/mechanism_read.h"
#include "model/model.h"

#include "base/blame.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 512, OBJECT = 128 };

static int find_in(const crank_reading *r, const crank_instance *instance, const char *name)
{
    char full[NAME];
    if (strchr(name, '.') != NULL) {
        return -1; /* what an assembly has inside stays there */
    }
    const int length = snprintf(full, sizeof full, "%s%s", instance->prefix, name);
    return length >= 0 && length < NAME ? crank_index_find(&r->given_names, full) : -1;
}

int crank_given_find(const crank_reading *r, const crank_scope *scope, const char *name)
{
    return find_in(r, scope->instance, name);
}

int crank_given_see(const crank_reading *r, const crank_scope *scope, const char *name)
{
    int found = -1;
    for (const crank_instance *i = scope->instance; i != NULL && found < 0; i = i->outer) {
        found = find_in(r, i, name);
    }
    return found;
}

const char *crank_given_word(crank_given_kind kind)
{
    static const char *const words[] = {"parameter", "input", "let", "output"};
    return words[kind];
}

static crank_status check_name(crank_reading *r, const crank_node *key, crank_given_kind kind)
{
    if (!crank_name_is_plain(key->text)) {
        return crank_fail_node(r->err, CRANK_EMODEL, key,
                               "%s \"%.80s\": not a name: a letter, then letters, digits and _",
                               crank_given_word(kind), key->text);
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
                           first->kind == CRANK_GIVEN_INPUT ? "an input" : "a parameter",
                           crank_reading_line(line, sizeof line, first->key, key));
}

/* a definition more; NULL: out of memory */
static crank_given *add(crank_reading *r, crank_given given)
{
    r->given = crank_store_grow(r->store, r->given, r->given_count, &r->given_capacity,
                                sizeof *r->given);
    if (r->given == NULL) {
        return NULL;
    }
    r->given[r->given_count] = given;
    return &r->given[r->given_count++];
}

crank_status crank_given_add_item(crank_reading *r, crank_item *item, crank_given_kind kind)
{
    item->given = r->given_count;
    return add(r, (crank_given){.kind = kind,
                                .name = item->name,
                                .key = item->key,
                                .node = item->node,
                                .scope = item->scope}) != NULL
               ? CRANK_OK
               : crank_reading_no_memory(r);
}

crank_status crank_given_declare(crank_reading *r, const crank_scope *scope,
                                 const crank_node *mapping, crank_given_kind kind,
                                 const crank_node *overrides, const crank_scope *outer)
{
    for (int i = 0; i < mapping->count; i++) {
        const crank_node *key = mapping->key[i];
        const crank_status status = check_name(r, key, kind);
        if (status != CRANK_OK) {
            return status;
        }
        const int other = crank_given_find(r, scope, key->text);
        if (other >= 0) {
            return fail_twice(r, &r->given[other], key);
        }
        const char *name =
            crank_store_print(r->store, "%s%s", scope->instance->prefix, key->text);
        if (name == NULL || !crank_index_add(&r->given_names, r->store, name, r->given_count)) {
            return crank_reading_no_memory(r);
        }
        crank_given *given = add(r, (crank_given){.kind = kind,
                                                  .name = name,
                                                  .key = key,
                                                  .node = mapping->item[i],
                                                  .scope = scope});
        if (given == NULL) {
            return crank_reading_no_memory(r);
        }
        given->switched =
            kind == CRANK_GIVEN_PARAMETER && crank_model_varies(r->m->options, name);
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
                   given->setting != NULL ? "setting" : crank_given_word(given->kind),
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
    return crank_fail_node(r->err, CRANK_EMODEL, given->key,
                           "%s \"%.80s\": cyclic definition: %s%.40s",
                           crank_given_word(given->kind), given->name, text, given->name);
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
    static const crank_use use[] = {CRANK_USE_CONSTANTS, CRANK_USE_INPUT, CRANK_USE_ANYTHING,
                                    CRANK_USE_RESULTS};
    crank_ex value = 0;
    crank_status status = node != NULL ? crank_scope_text(&site, node, &text) : CRANK_OK;
    const crank_given *outer = r->defining;
    r->defining = given->kind == CRANK_GIVEN_LET && node != NULL ? given : NULL;
    CRANK_THEN(status,
               crank_scope_try(&site, node, text, use[given->kind], NULL, &value, missing));
    r->defining = outer;
    if (status != CRANK_OK || *missing >= 0) {
        return status;
    }
    double number = 0.0;
    if (crank_ex_is_undefined(r->pool, value) ||
        (given->kind == CRANK_GIVEN_PARAMETER && !crank_switched_start(r, value, &number))) {
        return crank_site_fail(&site, node, "the value is not finite");
    }
    given->value = given->kind == CRANK_GIVEN_INPUT
                       ? crank_model_nudge(r->m->options, r->pool, r->m->t, given->name, value)
                       : value;
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
    const int below = r->stack_depth; /* braces of a definition may need others */
    if (r->given[i].state == 1) {
        return fail_cycle(r, below, i);
    }
    r->stack[r->stack_depth++] = i;
    r->given[i].state = 1;
    while (r->stack_depth > below) {
        int missing = -1;
        const int top = r->stack[r->stack_depth - 1];
        const crank_status status = evaluate(r, top, &missing);
        if (status != CRANK_OK) {
            return r->given[top].setting != NULL ? crank_blame_caller(r->err, status) : status;
        }
        if (missing < 0) {
            r->stack_depth--;
        } else if (r->given[missing].state == 1) {
            return fail_cycle(r, r->stack_depth, missing);
        } else {
            r->given[missing].state = 1;
            r->stack[r->stack_depth++] = missing;
        }
    }
    return CRANK_OK;
}
