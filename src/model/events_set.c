/* events_set.c - the events of a model, from their records: what crank_state_apply_events
 * needs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/events.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "events of the model");
}

/* the action of a record; its expressions are added to the lists */
static crank_event_action make_action(crank_model *model, const crank_action_record *a,
                                      int (*column)(const void *user, crank_ex target),
                                      const void *user, crank_event_lists *lists)
{
    crank_event_action out = {
        .kind = a->kind, .value = -1, .row = -1, .column = -1, .parameter = a->parameter};
    const bool text = a->kind == CRANK_ACTION_MESSAGE || a->kind == CRANK_ACTION_FAIL;
    const char *name = text ? a->node->text : a->key->text;
    out.name = crank_model_keep_text(model, name);
    if (a->value >= 0) {
        out.value = lists->value_count;
        lists->value[lists->value_count++] = a->value;
    }
    if (a->kind == CRANK_ACTION_RESET) {
        out.column = column(user, a->target);
    }
    if (a->target >= 0 && out.column < 0) {
        out.row = lists->rate_count;
        lists->rate[lists->rate_count++] = a->target;
    }
    return out;
}

crank_status crank_event_set_create(crank_model *model, crank_store *reading,
                                    const crank_event_record *record, int count,
                                    int parameter_count,
                                    int (*column)(const void *user, crank_ex target),
                                    const void *user, crank_event_lists *lists,
                                    crank_error *err)
{
    crank_store *store = &model->store;
    struct crank_event_set *s = crank_store_take(store, 1, sizeof *s);
    size_t actions = 0;
    for (int i = 0; i < count; i++) {
        actions += (size_t)record[i].action_count;
    }
    *lists = (crank_event_lists){0};
    lists->value = crank_store_take(reading, actions, sizeof *lists->value);
    lists->rate = crank_store_take(reading, actions, sizeof *lists->rate);
    if (s == NULL || reading->failed) {
        return no_memory(err);
    }
    s->count = count;
    s->event = crank_store_take(store, (size_t)count, sizeof *s->event);
    s->name = crank_store_take(store, (size_t)count, sizeof *s->name);
    s->direction = crank_store_take(store, (size_t)count, sizeof *s->direction);
    s->barrier = crank_store_take(store, (size_t)count, sizeof *s->barrier);
    s->of_time = crank_store_take(store, (size_t)count, sizeof *s->of_time);
    s->of_states = crank_store_take(store, (size_t)count, sizeof *s->of_states);
    crank_event_action *next = crank_store_take(store, actions, sizeof *next);
    if (store->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < count; i++) {
        const crank_event_record *r = &record[i];
        const char *file =
            r->key->file != NULL ? crank_model_keep_text(model, r->key->file) : NULL;
        s->name[i] = crank_model_keep_text(model, r->name);
        s->direction[i] = r->direction;
        s->event[i] = (crank_event){.place = {r->key->line, r->key->column, file},
                                    .action_count = r->action_count,
                                    .action = next};
        for (int k = 0; k < r->action_count; k++) {
            s->barrier[i] = s->barrier[i] || r->action[k].kind == CRANK_ACTION_IMPACT;
            *next++ = make_action(model, &r->action[k], column, user, lists);
        }
    }
    s->value_count = lists->value_count;
    s->row_count = lists->rate_count;
    s->parameter_count = parameter_count;
    if (store->failed) {
        return no_memory(err);
    }
    model->events = s;
    return CRANK_OK;
}

crank_status crank_event_set_mark_of_time(crank_model *model, crank_store *reading,
                                          crank_pool *pool, crank_ex t,
                                          const crank_event_record *record,
                                          bool (*moves)(const void *user, crank_ex symbol),
                                          const void *user, crank_error *err)
{
    struct crank_event_set *s = model->events;
    for (int i = 0; i < s->count; i++) {
        const int count = crank_ex_symbols(pool, record[i].when, NULL, 0);
        crank_ex *symbol = crank_store_take(reading, (size_t)count + 1, sizeof *symbol);
        if (symbol == NULL) {
            return no_memory(err);
        }
        bool own = crank_ex_depends(pool, record[i].when, t);
        (void)crank_ex_symbols(pool, record[i].when, symbol, count);
        for (int k = 0; k < count && own; k++) {
            own = symbol[k] == t || !moves(user, symbol[k]);
        }
        const crank_ex slope = own ? crank_ex_derivative(pool, record[i].when, t) : t;
        s->of_time[i] =
            own && (crank_ex_depends(pool, slope, t) || crank_ex_is_value(pool, slope, 0.0));
    }
    return CRANK_OK;
}

crank_status crank_event_work_create(crank_state *state, crank_error *err)
{
    const struct crank_event_set *set = state->model->events;
    const crank_eom *eom = state->eom;
    crank_store *store = &state->store;
    const size_t rows = (size_t)set->row_count, nv = (size_t)eom->sizes.v, m = (size_t)eom->m,
                 constraints = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    struct crank_event_work *w = crank_store_take(store, 1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    w->value = crank_store_take(store, (size_t)set->value_count, sizeof *w->value);
    w->rate = crank_store_take(store, rows, sizeof *w->rate);
    w->change = crank_store_take(store, rows, sizeof *w->change);
    w->gradient = crank_store_take(store, rows * nv, sizeof *w->gradient);
    w->row = crank_store_take(store, rows * nv, sizeof *w->row);
    w->row_name = crank_store_take(store, rows, sizeof *w->row_name);
    w->residual = crank_store_take(store, m, sizeof *w->residual);
    w->residual_before = crank_store_take(store, m, sizeof *w->residual_before);
    w->drift = crank_store_take(store, constraints, sizeof *w->drift);
    w->chosen = crank_store_take(store, (size_t)set->parameter_count + (size_t)eom->n,
                                 sizeof *w->chosen);
    state->events = w;
    return store->failed ? no_memory(err) : CRANK_OK;
}
