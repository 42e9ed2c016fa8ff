/* events_set.c - the events of a model, from their records: what crank_model_apply_events needs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/events.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "events of the model");
}

static bool take_sizes(crank_model *model, struct crank_event_set *s)
{
    crank_store *store = &model->store;
    const size_t rows = (size_t)s->row_count, nv = (size_t)model->eom->sizes.v;
    const size_t parameters = (size_t)s->parameter_count, n = (size_t)model->eom->n;
    s->parameter = crank_store_take(store, parameters, sizeof *s->parameter);
    s->value = crank_store_take(store, (size_t)s->value_count, sizeof *s->value);
    s->rate = crank_store_take(store, rows, sizeof *s->rate);
    s->change = crank_store_take(store, rows, sizeof *s->change);
    s->gradient = crank_store_take(store, rows * nv, sizeof *s->gradient);
    s->row = crank_store_take(store, rows * nv, sizeof *s->row);
    s->row_name = crank_store_take(store, rows, sizeof *s->row_name);
    s->residual = crank_store_take(store, (size_t)model->eom->m, sizeof *s->residual);
    s->drift =
        crank_store_take(store, (size_t)model->eom->sizes.lambda + (size_t)model->eom->sizes.mu,
                         sizeof *s->drift);
    s->residual_before =
        crank_store_take(store, (size_t)model->eom->m, sizeof *s->residual_before);
    s->chosen = crank_store_take(store, parameters + n, sizeof *s->chosen);
    return !store->failed;
}

/* the action of a record; its expressions are added to the lists */
static crank_event_action make_action(crank_model *model, const crank_action_record *a,
                                      int (*column)(const void *user, crank_ex target),
                                      const void *user, crank_event_lists *lists)
{
    crank_event_action out = {
        .kind = a->kind, .value = -1, .row = -1, .column = -1, .parameter = a->parameter};
    const char *name = a->kind == CRANK_ACTION_MESSAGE ? a->node->text : a->key->text;
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
    if (store->failed || !take_sizes(model, s)) {
        return no_memory(err);
    }
    model->events = s;
    return CRANK_OK;
}
