/* dae_flat_events.c - events and discrete variables of a flat DAE as records of dae_discrete.h:
 * relations that are watched, what is set at events and in which order, messages. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_fill.h"

#include "model/events.h"

/* ---- events ---- */

/* Events of numbers never happen. */
static bool is_watched(const crank_dae_fill *w, const crank_flat_event *e)
{
    return e->when >= 0 && crank_ex_symbols(w->flat->pool, e->when, NULL, 0) > 0;
}

crank_status crank_dae_fill_events(crank_dae_fill *w)
{
    crank_equations *e = &w->file->e;
    const crank_flat *flat = w->flat;
    crank_dae_discrete *d = w->file->discrete;
    const size_t count = (size_t)flat->event_count;
    e->event = crank_store_take(w->store, count, sizeof *e->event);
    d->event_relation = crank_store_take(w->store, count, sizeof *d->event_relation);
    d->relation = crank_store_take(w->store, count, sizeof *d->relation);
    d->function = crank_store_take(w->store, count, sizeof *d->function);
    for (int i = 0; i < flat->event_count && !w->store->failed; i++) {
        const crank_flat_event *from = &flat->event[i];
        const bool relation = from->relation >= 0;
        if (is_watched(w, from)) {
            d->event_relation[e->event_count] = relation ? d->relation_count : -1;
            e->event[e->event_count++] =
                (crank_event_record){.name = from->name,
                                     .key = crank_dae_fill_node(w, from->place, from->name),
                                     .node = crank_dae_fill_node(w, from->place, from->name),
                                     .direction = relation ? -1 : from->direction,
                                     .when = from->when};
        }
        if (relation) {
            d->function[d->relation_count] = from->when;
            d->relation[d->relation_count++] = (crank_dae_relation){
                .column = w->number[from->relation],
                .or_equal = from->or_equal,
                .clock = from->clock,
                .at_end = from->at_end,
                .place = {from->place.line % CRANK_FLAT_LINES, from->place.column,
                          crank_flat_file_of(flat, from->place)}};
        }
    }
    d->event_count = e->event_count;
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

/* ---- discrete variables ---- */

/* the variable that a reinit sets: itself, or the one that it is equal to */
static crank_status reinit_target(const crank_dae_fill *w, const crank_flat_update *u,
                                  int *column, crank_ex *value)
{
    crank_pool *p = w->flat->pool;
    const crank_flat_variable *x = &w->flat->variable[u->variable];
    const crank_ex negative = x->value >= 0 && crank_ex_get_op(p, x->value) == CRANK_EX_NEG
                                  ? crank_ex_get_operand(p, x->value, 0)
                                  : -1;
    const crank_ex symbol = negative >= 0 ? negative : x->value;
    *column = w->number[u->variable];
    *value = u->value;
    if (*column < 0 && crank_ex_symbol_name(p, symbol) != NULL &&
        symbol < w->file->e.name_count && w->file->e.name[symbol].kind == CRANK_P) {
        *column = w->file->e.name[symbol].index;
        *value = negative >= 0 ? crank_ex_neg(p, u->value) : u->value;
    }
    return *column >= 0
               ? CRANK_OK
               : crank_fail_at(w->err, CRANK_EMODEL, u->place.line, u->place.column,
                               "reinit: \"%.80s\" is no state, an equation gives it", x->name);
}

static crank_place place_in_file(const crank_flat *flat, crank_flat_place place)
{
    return (crank_place){place.line % CRANK_FLAT_LINES, place.column,
                         crank_flat_file_of(flat, place)};
}

static void add_messages(crank_dae_fill *w, crank_ex *condition)
{
    crank_dae_discrete *d = w->file->discrete;
    for (int i = 0; i < w->flat->event_count; i++) {
        const crank_flat_event *e = &w->flat->event[i];
        for (int k = 0; k < e->action_count; k++) {
            condition[d->message_count] = e->condition;
            d->message[d->message_count++] =
                (crank_dae_message){.text = e->action[k].message,
                                    .place = place_in_file(w->flat, e->place),
                                    .failure = e->action[k].failure,
                                    .goes_on = e->action[k].goes_on};
        }
    }
}

static void add_befores(crank_dae_fill *w, crank_ex *value)
{
    crank_dae_discrete *d = w->file->discrete;
    for (int i = 0; i < w->flat->variable_count; i++) {
        const crank_flat_variable *x = &w->flat->variable[i];
        if (x->before >= 0) {
            value[d->before_count] = x->role == CRANK_FLAT_ELIMINATED ? x->value : x->symbol;
            d->before_column[d->before_count] = w->number[x->before];
            d->before_made[d->before_count++] = x->made;
        }
    }
}

crank_status crank_dae_fill_updates(crank_dae_fill *w)
{
    const crank_flat *flat = w->flat;
    crank_dae_discrete *d = w->file->discrete;
    const size_t updates = (size_t)flat->update_count, variables = (size_t)flat->variable_count;
    size_t messages = 0;
    for (int i = 0; i < flat->event_count; i++) {
        messages += (size_t)flat->event[i].action_count;
    }
    d->update =
        crank_store_take(w->store, 2 * updates + messages + variables, sizeof *d->update);
    d->update_column = crank_store_take(w->store, updates, sizeof *d->update_column);
    d->reinit_column = crank_store_take(w->store, updates, sizeof *d->reinit_column);
    d->reinit_place = crank_store_take(w->store, updates, sizeof *d->reinit_place);
    d->message = crank_store_take(w->store, messages, sizeof *d->message);
    d->before_column = crank_store_take(w->store, variables, sizeof *d->before_column);
    d->before_made = crank_store_take(w->store, variables, sizeof *d->before_made);
    const size_t n = (size_t)w->file->e.count[CRANK_P];
    d->algebraic = crank_store_take(w->store, n, sizeof *d->algebraic);
    d->discrete = crank_store_take(w->store, n, sizeof *d->discrete);
    if (w->store->failed) {
        return crank_dae_fill_no_memory(w);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < flat->update_count; i++) {
        if (flat->update[i].condition < 0) {
            d->update_column[d->update_count] = w->number[flat->update[i].variable];
            d->update[d->update_count++] = flat->update[i].value;
        } else {
            d->reinit_count++;
        }
    }
    int next = 0;
    crank_ex *reinit = d->update + d->update_count;
    for (int i = 0; i < flat->update_count && status == CRANK_OK; i++) {
        if (flat->update[i].condition >= 0) {
            reinit[next] = flat->update[i].condition;
            d->reinit_place[next] = place_in_file(flat, flat->update[i].place);
            status = reinit_target(w, &flat->update[i], &d->reinit_column[next],
                                   &reinit[d->reinit_count + next]);
            next++;
        }
    }
    add_messages(w, reinit + 2 * d->reinit_count);
    add_befores(w, reinit + 2 * d->reinit_count + d->message_count);
    for (int i = 0; i < flat->variable_count; i++) {
        if (w->number[i] >= 0) {
            d->discrete[w->number[i]] = flat->variable[i].role == CRANK_FLAT_DISCRETE;
        }
    }
    d->at_start = flat->at_start >= 0 ? w->number[flat->at_start] : -1;
    return status;
}
