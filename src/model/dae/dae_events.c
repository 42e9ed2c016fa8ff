/* dae_events.c - events of a `crank: dae` file: where an expression passes zero, variables get
 * new values, the run stops.
 *
 * What is reset must leave the constraints satisfied: variables whose derivatives are in the
 * equations keep their values unless they are reset, too; the others follow from the
 * constraints. Parameters are numbers and cannot be set: a variable k with k' = 0 can be
 * reset. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae_supply.h"
#include "model/events.h"

#include <float.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "events of the model");
}

/* ---- reading ---- */

static crank_status read_expression(void *user, const crank_node *node, const char *object,
                                    crank_ex *out, crank_error *err)
{
    return crank_read_expression(user, node, CRANK_USE_GIVEN | CRANK_USE_P | CRANK_USE_OUTPUTS,
                                 object, out, err);
}

static void bake(void *user, crank_ex ex)
{
    crank_definitions_bake(user, ex);
}

static crank_status read_parameter(void *user, const crank_node *key, const char *object,
                                   int *out, crank_error *err)
{
    (void)user;
    *out = -1;
    return crank_fail_node(err, CRANK_EMODEL, key,
                           "%s: a dae file's parameters are numbers; make \"%.60s\" a variable "
                           "with %.60s' = 0 and reset it",
                           object, key->text, key->text);
}

static int variable_of(const crank_equations *e, crank_ex target)
{
    return crank_ex_symbol_name(e->pool, target) != NULL && target < e->name_count &&
                   e->name[target].kind == CRANK_P
               ? e->name[target].index
               : -1;
}

static crank_status check(const crank_equations *e, const crank_event_record *r,
                          crank_error *err)
{
    if (crank_ex_symbols(e->pool, r->when, NULL, 0) == 0) {
        return crank_fail_node(err, CRANK_EMODEL, r->node,
                               "event \"%.80s\", when: it is constant and never passes zero; "
                               "let it depend on t or on variables",
                               r->name);
    }
    for (int k = 0; k < r->action_count; k++) {
        const crank_action_record *a = &r->action[k];
        if (a->kind == CRANK_ACTION_IMPACT) {
            return crank_fail_node(err, CRANK_EMODEL, a->key,
                                   "event \"%.80s\": an impact is for mechanisms; reset gives "
                                   "variables new values",
                                   r->name);
        }
        if (a->kind == CRANK_ACTION_RESET && variable_of(e, a->target) < 0) {
            return crank_fail_node(err, CRANK_EMODEL, a->key,
                                   "event \"%.80s\", reset \"%.60s\": not a variable", r->name,
                                   a->key->text);
        }
    }
    return CRANK_OK;
}

crank_status crank_dae_read_events(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const crank_events_reader reader = {.store = e->store,
                                        .pool = e->pool,
                                        .user = e,
                                        .expression = read_expression,
                                        .bake = bake,
                                        .parameter = read_parameter};
    crank_status status = crank_events_read(
        &reader, crank_node_find(e->document->root, "events"), &e->event, &e->event_count, err);
    for (int i = 0; i < e->event_count && status == CRANK_OK; i++) {
        status = check(e, &e->event[i], err);
    }
    return status == CRANK_OK && crank_pool_status(e->pool) != CRANK_OK ? no_memory(err)
                                                                        : status;
}

/* ---- evaluation ---- */

static crank_status functions(void *self, double t, const double *x, double *values,
                              crank_error *err)
{
    (void)err;
    const crank_dae_supplier *s = self;
    const crank_dae_discrete *d = s->discrete;
    crank_dae_run(self, CRANK_DAE_TAPE_EVENTS, t, x, values);
    /* They fall where a relation ceases to be what it is. Zero is on one of the sides: what
     * rests there and then jumps (floor) has an event. */
    for (int i = 0; d != NULL && i < d->event_count; i++) {
        const int r = d->event_relation[i];
        if (r >= 0) {
            const bool holds = x[d->relation[r].column] > 0.5;
            const double own = d->relation[r].at_end ? t - s->t_end : values[i],
                         z = (holds ? own : -own) + s->band[r];
            values[i] = z == 0.0 && holds == d->relation[r].or_equal ? DBL_MIN : z;
        }
    }
    return CRANK_OK;
}

static crank_status actions(void *self, double t, const double *x, double *value, double *rate,
                            double *gradient, crank_error *err)
{
    (void)rate, (void)gradient, (void)err;
    crank_dae_run(self, CRANK_DAE_TAPE_ACTIONS, t, x, value);
    crank_dae_forget(self);
    return CRANK_OK;
}

/* ---- set-up ---- */

static int column_of(const void *user, crank_ex target)
{
    return variable_of(user, target);
}

/* discrete variables stand still between events */
static bool moves(const void *user, crank_ex symbol)
{
    const crank_dae_file *file = user;
    const int j = variable_of(&file->e, symbol);
    return j < 0 || file->discrete == NULL || !file->discrete->discrete[j];
}

crank_status crank_dae_make_events(crank_model *model, crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    crank_event_lists lists;
    if (e->event_count == 0) {
        return CRANK_OK;
    }
    crank_status status = crank_event_set_create(model, e->store, e->event, e->event_count, 0,
                                                 column_of, e, &lists, err);
    CRANK_THEN(status, crank_event_set_mark_of_time(model, e->store, e->pool, e->t, e->event,
                                                    moves, file, err));
    if (status != CRANK_OK) {
        return status;
    }
    file->when = crank_store_take(e->store, (size_t)e->event_count, sizeof *file->when);
    if (file->when == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < e->event_count; i++) {
        file->when[i] = e->event[i].when;
    }
    file->action_count = lists.value_count;
    file->action = lists.value;
    return CRANK_OK;
}

void crank_dae_connect_events(crank_model *model)
{
    if (model->events != NULL) {
        model->events->functions = functions;
        model->events->actions = actions;
        const crank_dae_supplier *s = model->eom->self;
        model->events->iterate = s->discrete != NULL ? crank_dae_iterate : NULL;
    }
}
