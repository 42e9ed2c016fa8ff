/* mechanism_events.c - `events:` of a mechanism file, and parameters that events set.
 *
 * Such a parameter stays a symbol in expressions. Where the file wants a number, its start
 * value is meant in start values and in `simulate:`; everywhere else the number holds for the
 * whole run, and the parameter is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "model/events.h"
#include "model/mechanism/mechanism_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MARKED = 100000 };

/* ---- parameters that events set ---- */

typedef struct marking {
    crank_reading *r;
    const crank_scope *scope;
} marking;

static bool mark(void *user, const crank_node *event, const crank_node *key)
{
    const marking *m = user;
    const int i = crank_given_find(m->r, m->scope, key->text);
    (void)event;
    if (i >= 0 && m->r->given[i].kind == CRANK_GIVEN_PARAMETER) {
        m->r->given[i].switched = m->r->given[i].by_event = true;
    }
    return true;
}

void crank_switched_mark(crank_reading *r, const crank_scope *scope, const crank_node *mapping)
{
    marking m = {r, scope};
    if (++r->marked > MOST_MARKED) { /* by aliases: refused when the repeats are collected */
        return;
    }
    const crank_node *section =
        mapping->kind == CRANK_NODE_MAPPING ? crank_node_find(mapping, "events") : NULL;
    for (int i = 0;
         section != NULL && section->kind == CRANK_NODE_MAPPING && i < section->count; i++) {
        (void)crank_event_find_switched(section->key[i], section->item[i], mark, &m);
    }
    const crank_node *repeat =
        mapping->kind == CRANK_NODE_MAPPING ? crank_node_find(mapping, "repeat") : NULL;
    if (repeat != NULL && repeat->kind == CRANK_NODE_SEQUENCE) {
        for (int i = 0; i < repeat->count; i++) {
            crank_switched_mark(r, scope, repeat->item[i]);
        }
    } else if (repeat != NULL) {
        crank_switched_mark(r, scope, repeat);
    }
}

/* with the start values of parameters that events set */
static crank_ex at_start(const crank_reading *r, crank_ex ex)
{
    const crank_mechanism *m = r->m;
    for (int i = m->switched_count - 1; i >= 0; i--) {
        const crank_ex start = crank_ex_number(r->pool, m->switched[i].start);
        ex = crank_ex_substitute(r->pool, ex, 1, &m->switched[i].symbol, &start);
    }
    return ex;
}

bool crank_switched_start(const crank_reading *r, crank_ex ex, double *out)
{
    return crank_ex_is_number(r->pool, at_start(r, ex), out);
}

void crank_switched_bake(crank_reading *r, crank_ex ex)
{
    for (int i = 0; i < r->m->switched_count; i++) {
        crank_switched *s = &r->m->switched[i];
        s->baked = s->baked || crank_ex_depends(r->pool, ex, s->symbol);
    }
}

crank_status crank_switched_add(crank_reading *r, crank_given *given, double start)
{
    crank_mechanism *m = r->m;
    const char *name = crank_store_print(r->store, "#parameter %s", given->name);
    m->switched = crank_store_grow(r->store, m->switched, m->switched_count,
                                   &r->switched_capacity, sizeof *m->switched);
    if (name == NULL || m->switched == NULL) {
        return crank_reading_no_memory(r);
    }
    given->value = crank_ex_symbol(r->pool, name); /* no user's name has a # */
    m->switched[m->switched_count++] = (crank_switched){.name = given->name,
                                                        .symbol = given->value,
                                                        .start = start,
                                                        .by_event = given->by_event};
    return CRANK_OK;
}

/* Is a number of this site used at the start only? */
static bool is_of_start(const crank_site *site)
{
    static const char *const keys[] = {"position", "orientation",      "angle",
                                       "velocity", "angular_velocity", "rate"};
    const char *object = site->object != NULL ? site->object : "";
    const char *key = site->key != NULL ? site->key : "";
    const size_t length = strcspn(key, ",");
    if (strncmp(object, "simulate", 8) == 0 || strncmp(object, "setting", 7) == 0 ||
        strncmp(object, "initial", 7) == 0) {
        return true;
    }
    if (strncmp(object, "dynamic", 7) == 0 || strncmp(object, "auxiliary", 9) == 0) {
        return strcmp(key, "start") == 0;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strncmp(object, "body ", 5) == 0 && strlen(keys[i]) == length &&
            strncmp(key, keys[i], length) == 0) {
            return true;
        }
    }
    return false;
}

crank_status crank_scope_constant(const crank_site *site, const crank_node *node, crank_ex ex,
                                  double *out)
{
    const crank_mechanism *m = site->r->m;
    for (int i = 0; i < m->switched_count && !is_of_start(site); i++) {
        if (m->switched[i].by_event &&
            crank_ex_depends(site->r->pool, ex, m->switched[i].symbol)) {
            return crank_site_fail(
                site, node,
                "this number holds for the whole run, but an event sets parameter \"%.80s\"; "
                "use another parameter here, or state it where expressions may stand (`law` of "
                "a force, its `scale`, `holonomic`)",
                m->switched[i].name);
        }
    }
    crank_switched_bake(site->r, ex);
    return crank_switched_start(site->r, ex, out) && isfinite(*out)
               ? CRANK_OK
               : crank_site_fail(site, node, "the value is not finite");
}

/* ---- events ---- */

static crank_status read_expression(void *user, const crank_node *node, const char *object,
                                    crank_ex *out, crank_error *err)
{
    const marking *m = user;
    const crank_site site = {m->r, m->scope, object, NULL};
    (void)err; /* that of the reading */
    return crank_scope_result(&site, node, out);
}

static void bake(void *user, crank_ex ex)
{
    const marking *m = user;
    crank_switched_bake(m->r, ex);
}

static crank_status read_parameter(void *user, const crank_node *key, const char *object,
                                   int *out, crank_error *err)
{
    const marking *m = user;
    crank_reading *r = m->r;
    const crank_site site = {r, m->scope, object, NULL};
    const int given = crank_given_find(r, m->scope, key->text);
    (void)err;
    if (given < 0 || r->given[given].kind == CRANK_GIVEN_INPUT) {
        const bool variable =
            crank_scope_find(r, m->scope, CRANK_SECTION_DYNAMIC, key->text) >= 0 ||
            strchr(key->text, '.') != NULL;
        return crank_site_fail(&site, key, "\"%.80s\" is no parameter of this file%s",
                               key->text,
                               given >= 0 ? ": it is an input; let it depend on a parameter"
                               : variable ? "; reset gives velocities and variables new values"
                                          : "");
    }
    const crank_status status =
        r->given[given].state == 0 ? crank_given_evaluate(r, given) : CRANK_OK;
    *out = -1;
    for (int i = 0; i < r->m->switched_count && status == CRANK_OK; i++) {
        *out = r->m->switched[i].symbol == r->given[given].value ? i : *out;
    }
    return status;
}

crank_status crank_read_events(crank_reading *r)
{
    const crank_items *items = &r->items[CRANK_SECTION_EVENTS];
    crank_status status = CRANK_OK;
    r->m->event = crank_store_take(r->store, (size_t)items->count, sizeof *r->m->event);
    r->m->event_count = items->count;
    if (r->m->event == NULL) {
        return crank_reading_no_memory(r);
    }
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        const crank_item *item = &items->item[i];
        marking m = {r, item->scope};
        const crank_events_reader reader = {.store = r->store,
                                            .pool = r->pool,
                                            .user = &m,
                                            .expression = read_expression,
                                            .bake = bake,
                                            .parameter = read_parameter};
        status = crank_event_read(&reader, item->name, item->key, item->node, &r->m->event[i],
                                  r->err);
    }
    return status;
}
