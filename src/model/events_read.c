/* events_read.c - the section `events:` as records, for model files of any kind:
 *
 *     floor:
 *       when: y - radius
 *       direction: falling
 *       actions:
 *         - impact: 0.8
 *         - reset: {v: -0.9*v}
 *         - set: {stiffness: 2*k0}
 *         - message: touches the floor
 *         - stop
 *
 * One action needs no list. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/events.h"
#include "model/keys.h"
#include "model/mechanism/mechanism_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT = 160 };

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the events");
}

/* ---- places of the actions ---- */

/* The i-th item of `actions`, which may also be a single one; NULL past the end. */
static const crank_node *item_of(const crank_node *actions, int i)
{
    if (actions == NULL || (actions->kind != CRANK_NODE_SEQUENCE && i > 0)) {
        return NULL;
    }
    if (actions->kind != CRANK_NODE_SEQUENCE) {
        return actions;
    }
    return i < actions->count ? actions->item[i] : NULL;
}

/* Actions that an item stands for: a reset or set of three names are three. */
static int count_actions(const crank_node *item)
{
    int count = 0;
    if (item->kind != CRANK_NODE_MAPPING) {
        return 1;
    }
    for (int i = 0; i < item->count; i++) {
        const crank_node *value = item->item[i];
        count += value->kind == CRANK_NODE_MAPPING ? value->count : 1;
    }
    return count;
}

bool crank_event_find_switched(const crank_node *key, const crank_node *node,
                               crank_events_found_fn *found, void *user)
{
    const crank_node *actions =
        node->kind == CRANK_NODE_MAPPING ? crank_node_find(node, "actions") : NULL;
    for (int i = 0; item_of(actions, i) != NULL; i++) {
        const crank_node *item = item_of(actions, i);
        const crank_node *set =
            item->kind == CRANK_NODE_MAPPING ? crank_node_find(item, "set") : NULL;
        for (int k = 0; set != NULL && set->kind == CRANK_NODE_MAPPING && k < set->count; k++) {
            if (!found(user, key, set->key[k])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- actions ---- */

typedef struct reading {
    const crank_events_reader *reader;
    crank_event_record *event;
    char object[OBJECT];
} reading;

/* 'event "floor", impact' */
static const char *part(const reading *r, const char *word, char *text)
{
    (void)snprintf(text, OBJECT, "%.140s, %s", r->object, word);
    return text;
}

static crank_status read_expression(const reading *r, const crank_node *node,
                                    const char *object, crank_ex *out, crank_error *err)
{
    const crank_events_reader *reader = r->reader;
    double value = 0.0;
    const crank_status status = reader->expression(reader->user, node, object, out, err);
    if (status == CRANK_OK && crank_ex_symbols(reader->pool, *out, NULL, 0) == 0 &&
        !(crank_ex_is_number(reader->pool, *out, &value) && isfinite(value))) {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: the value is not finite", object);
    }
    return status;
}

static crank_action_record *add(const reading *r, crank_action_kind kind, const crank_node *key,
                                const crank_node *node)
{
    crank_action_record *a = &r->event->action[r->event->action_count++];
    *a = (crank_action_record){
        .kind = kind, .key = key, .node = node, .target = -1, .value = -1, .parameter = -1};
    return a;
}

static crank_status read_impact(const reading *r, const crank_node *key, const crank_node *node,
                                crank_error *err)
{
    char object[OBJECT];
    double value = 0.0;
    crank_action_record *a = add(r, CRANK_ACTION_IMPACT, key, node);
    const crank_status status =
        read_expression(r, node, part(r, "impact", object), &a->value, err);
    if (status == CRANK_OK) {
        r->reader->bake(r->reader->user, a->value);
    }
    if (status == CRANK_OK && crank_ex_is_number(r->reader->pool, a->value, &value) &&
        !(value >= 0.0)) {
        return crank_fail_node(
            err, CRANK_EMODEL, node,
            "%s: the restitution is %g; 0 (nothing springs back) to 1 "
            "(nothing is lost) is usual, negative values go through the wall",
            object, value);
    }
    return status;
}

/* {name: expression} of reset and set */
static crank_status read_values(const reading *r, bool set, const crank_node *node,
                                crank_error *err)
{
    const crank_events_reader *reader = r->reader;
    char object[OBJECT];
    crank_status status = CRANK_OK;
    part(r, set ? "set" : "reset", object);
    if (node->kind != CRANK_NODE_MAPPING || node->count == 0) {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: %s where {%s} is expected", object,
                               node->kind == CRANK_NODE_MAPPING ? "nothing"
                                                                : crank_node_describe(node),
                               set ? "parameter: value" : "velocity: value");
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        crank_action_record *a =
            add(r, set ? CRANK_ACTION_SET : CRANK_ACTION_RESET, node->key[i], node->item[i]);
        status = set ? reader->parameter(reader->user, node->key[i], object, &a->parameter, err)
                     : read_expression(r, node->key[i], object, &a->target, err);
        CRANK_THEN(status, read_expression(r, node->item[i], object, &a->value, err));
    }
    return status;
}

static crank_status read_message(const reading *r, const crank_node *key,
                                 const crank_node *node, crank_error *err)
{
    if (node->kind != CRANK_NODE_SCALAR || node->text[0] == '\0') {
        return crank_fail_node(
            err, CRANK_EMODEL, node, "%s, message: %s where a text is expected", r->object,
            node->kind == CRANK_NODE_SCALAR ? "nothing" : crank_node_describe(node));
    }
    (void)add(r, CRANK_ACTION_MESSAGE, key, node);
    return CRANK_OK;
}

/* one item of the list: `stop`, or a mapping whose keys are actions */
static crank_status read_item(const reading *r, const crank_node *item, crank_error *err)
{
    char object[OBJECT];
    crank_status status = CRANK_OK;
    part(r, "actions", object);
    if (item->kind == CRANK_NODE_SCALAR && strcmp(item->text, "stop") == 0) {
        (void)add(r, CRANK_ACTION_STOP, item, item);
        return CRANK_OK;
    }
    if (item->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(err, CRANK_EMODEL, item,
                               "%s: %s%.60s%s where an action is expected: stop, impact: , "
                               "reset: {}, set: {} or message: ",
                               object, crank_node_describe(item),
                               item->kind == CRANK_NODE_SCALAR ? " " : "",
                               item->kind == CRANK_NODE_SCALAR ? item->text : "");
    }
    status = crank_keys_check("action", object, item, err);
    for (int i = 0; i < item->count && status == CRANK_OK; i++) {
        const crank_node *key = item->key[i], *node = item->item[i];
        if (strcmp(key->text, "impact") == 0) {
            status = read_impact(r, key, node, err);
        } else if (strcmp(key->text, "message") == 0) {
            status = read_message(r, key, node, err);
        } else if (strcmp(key->text, "stop") == 0) {
            status =
                crank_fail_node(err, CRANK_EMODEL, key,
                                "%s: stop has no value; write the word alone, - stop", object);
        } else {
            status = read_values(r, key->text[0] == 's', node, err);
        }
    }
    return status;
}

/* a target or parameter that gets two values at once */
static crank_status check_twice(const reading *r, crank_error *err)
{
    const crank_event_record *e = r->event;
    for (int i = 0; i < e->action_count; i++) {
        for (int k = 0; k < i; k++) {
            const crank_action_record *a = &e->action[i], *b = &e->action[k];
            const bool same = a->kind == b->kind &&
                              (a->kind == CRANK_ACTION_IMPACT || a->kind == CRANK_ACTION_STOP ||
                               (a->kind == CRANK_ACTION_SET && a->parameter == b->parameter) ||
                               (a->kind == CRANK_ACTION_RESET && a->target == b->target));
            if (same) {
                return crank_fail_node(err, CRANK_EMODEL, a->key,
                                       "%s: %s\"%.60s\" is given twice, first in line %d",
                                       r->object,
                                       a->kind == CRANK_ACTION_SET     ? "set of "
                                       : a->kind == CRANK_ACTION_RESET ? "reset of "
                                                                       : "",
                                       a->key->text, b->key->line);
            }
        }
    }
    return CRANK_OK;
}

static crank_status read_actions(const reading *r, const crank_node *node, crank_error *err)
{
    size_t count = 0;
    crank_status status = CRANK_OK;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    for (int i = 0; item_of(node, i) != NULL; i++) {
        count += (size_t)count_actions(item_of(node, i));
    }
    r->event->action = crank_store_take(r->reader->store, count, sizeof *r->event->action);
    if (r->event->action == NULL) {
        return no_memory(err);
    }
    for (int i = 0; item_of(node, i) != NULL && status == CRANK_OK; i++) {
        status = read_item(r, item_of(node, i), err);
    }
    return status == CRANK_OK ? check_twice(r, err) : status;
}

/* ---- events ---- */

static crank_status read_direction(const reading *r, const crank_node *node, crank_error *err)
{
    static const char *const words[] = {"falling", "both", "rising"};
    if (node == NULL) {
        return CRANK_OK;
    }
    for (int i = 0; i < 3; i++) {
        if (node->kind == CRANK_NODE_SCALAR && strcmp(node->text, words[i]) == 0) {
            r->event->direction = (signed char)(i - 1);
            return CRANK_OK;
        }
    }
    return crank_fail_node(err, CRANK_EMODEL, node,
                           "%s, direction: %s%.60s%s where falling, rising or both is expected",
                           r->object, node->kind == CRANK_NODE_SCALAR ? "\"" : "",
                           node->kind == CRANK_NODE_SCALAR ? node->text
                                                           : crank_node_describe(node),
                           node->kind == CRANK_NODE_SCALAR ? "\"" : "");
}

/* Are all derivatives zero? Then it is a sign, floor or if between numbers, which jumps and has
 * no zero to be found. */
static bool is_stepped(crank_pool *pool, crank_ex ex, const crank_ex *symbol, int count)
{
    bool stepped = true;
    for (int i = 0; i < count && stepped; i++) {
        stepped = crank_ex_is_value(pool, crank_ex_derivative(pool, ex, symbol[i]), 0.0);
    }
    return stepped;
}

static crank_status read_when(const reading *r, crank_error *err)
{
    char object[OBJECT];
    crank_event_record *e = r->event;
    crank_pool *pool = r->reader->pool;
    const crank_status status =
        read_expression(r, e->node, part(r, "when", object), &e->when, err);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex_op op = crank_ex_get_op(pool, e->when);
    if (op >= CRANK_EX_LT && op <= CRANK_EX_NOT) {
        return crank_fail_node(err, CRANK_EMODEL, e->node,
                               "%s: a comparison does not pass zero; write left - right, and "
                               "the direction",
                               object);
    }
    const int count = crank_ex_symbols(pool, e->when, NULL, 0);
    if (count == 0) {
        return crank_fail_node(err, CRANK_EMODEL, e->node,
                               "%s: it is constant and never passes zero; let it depend on t "
                               "or on variables",
                               object);
    }
    crank_ex *symbol = crank_store_take(r->reader->store, (size_t)count, sizeof *symbol);
    if (symbol == NULL) {
        return no_memory(err);
    }
    (void)crank_ex_symbols(pool, e->when, symbol, count);
    if (is_stepped(pool, e->when, symbol, count) && crank_pool_status(pool) == CRANK_OK) {
        return crank_fail_node(err, CRANK_EMODEL, e->node,
                               "%s: it jumps between constant values and does not pass zero; "
                               "write what its sign depends on",
                               object);
    }
    return CRANK_OK;
}

crank_status crank_event_read(const crank_events_reader *reader, const char *name,
                              const crank_node *key, const crank_node *node,
                              crank_event_record *out, crank_error *err)
{
    reading r = {.reader = reader, .event = out};
    (void)snprintf(r.object, sizeof r.object, "event \"%.80s\"", name);
    *out = (crank_event_record){.name = name, .key = key};
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(err, CRANK_EMODEL, crank_node_is_empty(node) ? key : node,
                               "%s: %s where {when: , direction: , actions: } is expected",
                               r.object, crank_node_describe(node));
    }
    crank_status status = crank_keys_check("event", r.object, node, err);
    out->node = crank_node_find(node, "when");
    if (status == CRANK_OK && out->node == NULL) {
        return crank_fail_node(err, CRANK_EMODEL, key,
                               "%s: \"when\" is missing, the expression that passes zero",
                               r.object);
    }
    CRANK_THEN(status, read_when(&r, err));
    CRANK_THEN(status, read_direction(&r, crank_node_find(node, "direction"), err));
    return status == CRANK_OK ? read_actions(&r, crank_node_find(node, "actions"), err)
                              : status;
}

crank_status crank_events_read(const crank_events_reader *reader, const crank_node *section,
                               crank_event_record **out, int *count, crank_error *err)
{
    crank_status status = CRANK_OK;
    *count = 0;
    if (section == NULL || crank_node_is_empty(section)) {
        return CRANK_OK;
    }
    if (section->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(err, CRANK_EMODEL, section,
                               "events: %s where a mapping of names is expected",
                               crank_node_describe(section));
    }
    *out = crank_store_take(reader->store, (size_t)section->count, sizeof **out);
    if (*out == NULL) {
        return no_memory(err);
    }
    *count = section->count;
    for (int i = 0; i < section->count && status == CRANK_OK; i++) {
        if (!crank_name_is_plain(section->key[i]->text)) {
            return crank_fail_node(
                err, CRANK_EMODEL, section->key[i],
                "event \"%.80s\": not a name: a letter, then letters, digits and _",
                section->key[i]->text);
        }
        status = crank_event_read(reader, section->key[i]->text, section->key[i],
                                  section->item[i], &(*out)[i], err);
    }
    return status;
}
