/* dae_flatten_events.c - events of an equations or dae file in a flat DAE:
 *
 *     when: f                 a relation f > 0, frozen; the event is where it changes
 *     set: {p: e}             p is discrete:   p = if event then e else pre(p)
 *     reset: {x: e}           reinit(x, e) at the event
 *     message, stop           actions at the event
 *
 * In e parameters have the values before. An impact, and a reset of velocities that are coupled
 * by constraints or by the mass matrix, is an impulse, theory (8.8), and refused here. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae_flatten.h"
#include "model/events.h"

#include <string.h>

typedef struct work {
    const crank_equations *e;
    crank_flat *flat;
    int *discrete;          /* switched parameters: the variable, -1: a number */
    int size;               /* of what follows */
    crank_ex *now, *before; /* parameters that vary: p and pre(p), or numbers; others -1 */
    crank_error *err;
} work;

static crank_status no_memory(const work *w)
{
    return crank_fail(w->err, CRANK_EMEM, "flat equations");
}

static crank_flat_place place_of(const crank_node *node)
{
    return (crank_flat_place){node->line, node->column};
}

/* ---- parameters ---- */

static crank_status make_discrete(work *w)
{
    const crank_equations *e = w->e;
    crank_store *store = &w->flat->store;
    w->discrete = crank_store_take(store, (size_t)e->switched_count, sizeof *w->discrete);
    for (int k = 0; k < e->switched_count && w->discrete != NULL; k++) {
        const crank_definition *d = &e->definition[e->name[e->switched[k]].index];
        const char *name = crank_store_print(store, "parameter.%s", d->name);
        w->discrete[k] =
            d->by_event && name != NULL ? crank_flat_add_variable(w->flat, name) : -1;
        if (d->by_event && w->discrete[k] >= 0) {
            crank_flat_variable *x = &w->flat->variable[w->discrete[k]];
            x->place = place_of(d->key);
            x->role = CRANK_FLAT_DISCRETE;
            x->made = true;
            x->start = e->switched_start[k];
            (void)crank_flat_before(w->flat, w->discrete[k]);
        }
    }
    w->size = crank_pool_size(w->flat->pool);
    w->now = crank_store_take(store, (size_t)w->size, sizeof *w->now);
    w->before = crank_store_take(store, (size_t)w->size, sizeof *w->before);
    if (store->failed) {
        return no_memory(w);
    }
    memset(w->now, -1, (size_t)w->size * sizeof *w->now);
    memset(w->before, -1, (size_t)w->size * sizeof *w->before);
    for (int k = 0; k < e->switched_count; k++) {
        const crank_flat_variable *list = w->flat->variable;
        const int j = w->discrete[k];
        w->now[e->switched[k]] = j >= 0 ? list[j].symbol : e->switched_start[k];
        w->before[e->switched[k]] = j >= 0 ? list[list[j].before].symbol : e->switched_start[k];
    }
    if (e->switched_count > 0) {
        crank_flat_substitute(w->flat, w->size, w->now);
    }
    return CRANK_OK;
}

static crank_ex value_of(const work *w, const crank_action_record *a)
{
    return crank_flat_replace(w->flat, a->value, w->size, w->before);
}

/* ---- velocities ---- */

/* Does a jump of this velocity leave the others alone? */
static bool is_alone(const crank_equations *e, int v)
{
    bool alone = e->count[CRANK_LAMBDA] + e->count[CRANK_MU] == 0;
    for (int k = 0; k < e->mass.count; k++) {
        const crank_entry *m = &e->mass.entry[k];
        alone = alone && !((m->row == v) != (m->column == v));
    }
    return alone;
}

static crank_status refuse(const work *w, const crank_event_record *r,
                           const crank_action_record *a)
{
    return crank_fail_node(w->err, CRANK_EREFUSED, a->key,
                           "event \"%.60s\": %s is an impulse, which inlined methods do not "
                           "know",
                           r->name,
                           a->kind == CRANK_ACTION_IMPACT
                               ? "an impact"
                               : "a reset of velocities that others go with");
}

/* the flat variable that a reset gives its value; -1: refused */
static int target_of(const work *w, crank_ex target)
{
    const crank_equations *e = w->e;
    if (crank_ex_symbol_name(e->pool, target) == NULL || target >= e->name_count ||
        (e->name[target].kind == (int)CRANK_V && !is_alone(e, e->name[target].index))) {
        return -1;
    }
    for (int j = 0; j < w->flat->variable_count; j++) {
        if (w->flat->variable[j].symbol == target) {
            return j;
        }
    }
    return -1;
}

/* ---- events ---- */

/* The relation of an event; *happens: where it changes as asked for. */
static crank_status add_relation(const work *w, const crank_event_record *r, crank_ex *happens)
{
    crank_flat *flat = w->flat;
    crank_pool *p = flat->pool;
    const char *name = crank_store_print(&flat->store, "event.%s", r->name);
    const int j = name != NULL ? crank_flat_add_variable(flat, name) : -1;
    crank_flat_event *event = crank_flat_add_event(flat);
    if (j < 0 || event == NULL) {
        return no_memory(w);
    }
    flat->variable[j].type = CRANK_FLAT_BOOLEAN;
    flat->variable[j].role = CRANK_FLAT_DISCRETE;
    flat->variable[j].made = true;
    flat->variable[j].place = place_of(r->key);
    const int before = crank_flat_before(flat, j);
    if (before < 0) {
        return no_memory(w);
    }
    event->name = crank_store_copy(&flat->store, r->name, strlen(r->name));
    event->place = place_of(r->key);
    event->when = crank_flat_replace(flat, r->when, w->size, w->now);
    event->relation = j;
    const crank_ex now = flat->variable[j].symbol, then = flat->variable[before].symbol;
    const crank_ex rises =
        crank_ex_call(p, CRANK_EX_AND, now, crank_ex_call(p, CRANK_EX_NOT, then, 0, 0), 0);
    const crank_ex falls =
        crank_ex_call(p, CRANK_EX_AND, then, crank_ex_call(p, CRANK_EX_NOT, now, 0, 0), 0);
    *happens = r->direction > 0   ? rises
               : r->direction < 0 ? falls
                                  : crank_ex_call(p, CRANK_EX_OR, rises, falls, 0);
    return CRANK_OK;
}

/* a message, a failure or the end of the run */
static crank_status add_message(const work *w, const crank_event_record *r,
                                const crank_action_record *a, crank_ex happens)
{
    crank_flat *flat = w->flat;
    crank_flat_event *event = crank_flat_add_event(flat);
    crank_flat_action *action = event != NULL ? crank_flat_add_action(flat, event) : NULL;
    if (action == NULL) {
        return no_memory(w);
    }
    event->name = crank_store_copy(&flat->store, r->name, strlen(r->name));
    event->place = place_of(r->key);
    event->condition = happens;
    action->failure = a->kind == CRANK_ACTION_FAIL;
    action->goes_on = a->kind == CRANK_ACTION_MESSAGE;
    action->message = a->kind == CRANK_ACTION_STOP ? "stop" : a->node->text;
    return CRANK_OK;
}

static crank_status add_update(const work *w, int variable, crank_ex value, crank_ex condition,
                               const crank_node *key)
{
    crank_flat_update *u = crank_flat_add_update(w->flat);
    if (u == NULL) {
        return no_memory(w);
    }
    *u = (crank_flat_update){
        .variable = variable, .value = value, .condition = condition, .place = place_of(key)};
    return CRANK_OK;
}

/* p = if this event then e else (what the events before say) */
static crank_status add_set(const work *w, const crank_action_record *a, crank_ex happens)
{
    crank_flat *flat = w->flat;
    const int j = w->discrete[a->parameter];
    crank_status status = CRANK_OK;
    int k = 0;
    while (k < flat->update_count &&
           (flat->update[k].variable != j || flat->update[k].condition >= 0)) {
        k++;
    }
    if (k == flat->update_count) {
        status = add_update(w, j, flat->variable[flat->variable[j].before].symbol, -1, a->key);
    }
    if (status == CRANK_OK) {
        flat->update[k].value = crank_ex_call(flat->pool, CRANK_EX_IF, happens, value_of(w, a),
                                              flat->update[k].value);
    }
    return status;
}

static crank_status add_event(const work *w, const crank_event_record *r)
{
    crank_ex happens = -1;
    crank_status status = add_relation(w, r, &happens);
    for (int k = 0; k < r->action_count && status == CRANK_OK; k++) {
        const crank_action_record *a = &r->action[k];
        switch (a->kind) {
        case CRANK_ACTION_IMPACT:
            return refuse(w, r, a);
        case CRANK_ACTION_RESET: {
            const int j = target_of(w, a->target);
            if (j < 0) {
                return refuse(w, r, a);
            }
            status = add_update(w, j, value_of(w, a), happens, a->key);
            break;
        }
        case CRANK_ACTION_SET:
            status = add_set(w, a, happens);
            break;
        case CRANK_ACTION_STOP:
        case CRANK_ACTION_MESSAGE:
        case CRANK_ACTION_FAIL:
            status = add_message(w, r, a, happens);
            break;
        }
    }
    return status;
}

crank_status crank_equations_flatten_events(const crank_equations *e, crank_flat *flat,
                                            crank_error *err)
{
    work w = {.e = e, .flat = flat, .err = err};
    crank_status status = make_discrete(&w);
    for (int i = 0; i < e->event_count && status == CRANK_OK; i++) {
        status = add_event(&w, &e->event[i]);
    }
    return status;
}
