/* events.c - events of a mechanism: functions, values of actions, and the rates that velocities
 * give.
 *
 * Rates (d/dt of `when` of an impact, what is reset) are affine in the rates y_i' = J_i v of
 * primitives: with q = sum_i q_i y_i' + ..., the row of theory (8.8) is sum_i q_i J_i.
 * Parameters that events set are memory of the system, as reference angles are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/events.h"
#include "base/then.h"

#include "mechanics/build_inside.h"

#include <stdlib.h>
#include <string.h>

struct crank_mechanism_events {
    bool shared;                          /* made by crank_mechanism_events_share */
    crank_expressions *function, *action; /* action: values, rates, derivatives of rates */
    double *out;                          /* of action */
    int value_count, rate_count, derivative_count;
    int *row, *primitive; /* of the derivatives */
};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "events of the mechanism");
}

/* ---- expressions ---- */

/* kinds of symbols that an expression contains, as bits */
static unsigned kinds_of(crank_builder *b, crank_ex ex)
{
    int count = 0;
    unsigned kinds = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    for (int i = 0; symbol != NULL && i < count; i++) {
        kinds |= 1u << crank_build_symbol(b, symbol[i]).kind;
    }
    b->failed = b->failed || symbol == NULL;
    free(symbol);
    return kinds;
}

enum {
    POSITIONS = 1 << CRANK_SYMBOL_TIME | 1 << CRANK_SYMBOL_VALUE | 1 << CRANK_SYMBOL_S |
                1 << CRANK_SYMBOL_MEMORY,
    RATES = 1 << CRANK_SYMBOL_RATE
};

/* Memory is constant unless angles stand in it together with values. */
static crank_status check_when(crank_builder *b, const crank_event_record *r, crank_error *err)
{
    return (kinds_of(b, r->when) & ~(1u << CRANK_SYMBOL_MEMORY)) != 0
               ? CRANK_OK
               : crank_fail_node(
                     err, CRANK_EMODEL, r->node,
                     "event \"%.80s\", when: it is constant between events and never "
                     "passes zero; let it depend on t or on the motion",
                     r->name);
}

static crank_status make_impact(crank_builder *b, const crank_event_record *r,
                                crank_action_record *a, crank_error *err)
{
    const unsigned kinds = kinds_of(b, r->when);
    const crank_owner nobody = {CRANK_OWNER_EQUATION, b->equation_count};
    if ((kinds & ~(unsigned)POSITIONS) != 0 || (kinds & 1u << CRANK_SYMBOL_VALUE) == 0) {
        return crank_fail_node(
            err, CRANK_EMODEL, a->key,
            "event \"%.80s\", impact: `when` must be a distance, of positions "
            "and t only; reset gives velocities new values",
            r->name);
    }
    return crank_build_differentiate(b, nobody, r->when, &a->target, err);
}

/* derivatives of a rate by y_i' contain no rates */
static bool is_affine(crank_builder *b, crank_ex ex)
{
    int count = 0;
    bool affine = true;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    for (int i = 0; symbol != NULL && i < count; i++) {
        if (crank_build_symbol(b, symbol[i]).kind == CRANK_SYMBOL_RATE) {
            const crank_ex part = crank_ex_derivative(b->pool, ex, symbol[i]);
            affine = affine && (kinds_of(b, part) & RATES) == 0;
        }
    }
    free(symbol);
    return affine;
}

static crank_status check_target(crank_builder *b, const crank_event_record *r,
                                 const crank_action_record *a, crank_error *err)
{
    const unsigned kinds = kinds_of(b, a->target);
    const char *reason = NULL;
    if (kinds == 1u << CRANK_SYMBOL_R && crank_ex_symbol_name(b->pool, a->target) != NULL) {
        return CRANK_OK;
    }
    if ((kinds & RATES) == 0 && (kinds & 1u << CRANK_SYMBOL_VALUE) != 0) {
        reason = "a position cannot jump; velocities and dynamic variables can be reset";
    } else if ((kinds & RATES) == 0) {
        reason = "it is no velocity; velocities and dynamic variables can be reset, parameters "
                 "set";
    } else if ((kinds & ~(unsigned)(POSITIONS | RATES)) != 0) {
        reason = "an expression that is reset contains velocities, positions and t only";
    } else if (!is_affine(b, a->target)) {
        reason = "it is not linear in the velocities";
    }
    return reason == NULL ? CRANK_OK
                          : crank_fail_node(err, CRANK_EMODEL, a->key,
                                            "event \"%.80s\", reset \"%.60s\": %s", r->name,
                                            a->key->text, reason);
}

static crank_status resolve(crank_builder *b, const crank_event_record *r,
                            const crank_node *place, crank_ex *ex, crank_error *err)
{
    const crank_build_label label = crank_build_label_of("event", r->name, place);
    return *ex < 0 ? CRANK_OK : crank_build_resolve_at(b, &label, *ex, 0, NULL, NULL, ex, err);
}

static crank_status resolve_action(crank_builder *b, const crank_event_record *r,
                                   crank_action_record *a, crank_error *err)
{
    crank_status status = resolve(b, r, a->node, &a->value, err);
    CRANK_THEN(status, resolve(b, r, a->key, &a->target, err));
    if (status != CRANK_OK) {
        return status;
    }
    return a->kind == CRANK_ACTION_IMPACT  ? make_impact(b, r, a, err)
           : a->kind == CRANK_ACTION_RESET ? check_target(b, r, a, err)
                                           : CRANK_OK;
}

crank_status crank_mechanism_events_resolve(crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_error own = {0};
    crank_status status = CRANK_OK;
    err = err != NULL ? err : &own;
    for (int i = 0; i < m->event_count && status == CRANK_OK; i++) {
        crank_event_record *r = &m->event[i];
        status = resolve(b, r, r->node, &r->when, err);
        CRANK_THEN(status, check_when(b, r, err));
        for (int k = 0; k < r->action_count && status == CRANK_OK; k++) {
            status = resolve_action(b, r, &r->action[k], err);
        }
    }
    /* without memory expressions seem to contain nothing */
    return status == CRANK_OK || b->failed ? crank_build_memory(b, err) : status;
}

/* ---- what is evaluated ---- */

typedef struct making {
    crank_builder *b;
    const crank_system *s;
} making;

/* the target of a reset that is a variable r */
static int column_of(const void *user, crank_ex target)
{
    const making *m = user;
    const crank_symbol symbol = crank_build_symbol(m->b, target);
    return symbol.kind == CRANK_SYMBOL_R ? m->s->eom->column[CRANK_R] + symbol.index : -1;
}

/* derivatives of the rates by y_i', row by row; e->row NULL: they are counted */
static void list_derivatives(crank_mechanism_events *e, crank_builder *b,
                             const crank_event_lists *lists, crank_ex *ex)
{
    e->derivative_count = 0;
    for (int i = 0; i < lists->rate_count; i++) {
        int count = 0;
        crank_ex *symbol = crank_build_symbols(b, lists->rate[i], &count);
        for (int k = 0; symbol != NULL && k < count; k++) {
            const crank_symbol s = crank_build_symbol(b, symbol[k]);
            if (s.kind != CRANK_SYMBOL_RATE) {
                continue;
            }
            if (ex != NULL) {
                e->row[e->derivative_count] = i;
                e->primitive[e->derivative_count] = s.index;
                ex[e->derivative_count] =
                    crank_ex_derivative(b->pool, lists->rate[i], symbol[k]);
            }
            e->derivative_count++;
        }
        free(symbol);
    }
}

static crank_status make_expressions(crank_mechanism_events *e, crank_model *model,
                                     crank_builder *b, const crank_event_lists *lists,
                                     crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const int before = lists->value_count + lists->rate_count;
    list_derivatives(e, b, lists, NULL);
    const size_t derivatives = (size_t)e->derivative_count;
    const size_t all = (size_t)before + derivatives;
    crank_ex *when = crank_store_take(b->store, (size_t)m->event_count, sizeof *when);
    crank_ex *ex = crank_store_take(b->store, all, sizeof *ex);
    e->row = crank_store_take(&model->store, derivatives, sizeof *e->row);
    e->primitive = crank_store_take(&model->store, derivatives, sizeof *e->primitive);
    e->out = crank_store_take(&model->store, all, sizeof *e->out);
    if (b->store->failed || model->store.failed) {
        return no_memory(err);
    }
    e->value_count = lists->value_count;
    e->rate_count = lists->rate_count;
    for (int i = 0; i < m->event_count; i++) {
        when[i] = m->event[i].when;
    }
    for (int i = 0; i < before; i++) {
        ex[i] = i < lists->value_count ? lists->value[i] : lists->rate[i - lists->value_count];
    }
    list_derivatives(e, b, lists, ex + before);
    crank_status status = crank_build_memory(b, err);
    CRANK_THEN(status, crank_expressions_create(b, m->event_count, when, &e->function, err));
    return status == CRANK_OK && all > 0
               ? crank_expressions_create(b, (int)all, ex, &e->action, err)
               : status;
}

/* ---- evaluation ---- */

static crank_status functions(void *self, double t, const double *x, double *values,
                              crank_error *err)
{
    crank_system *s = self;
    (void)err;
    crank_system_point(s, t, x);
    crank_expressions_evaluate(s->events->function, s, t, x, values);
    return CRANK_OK;
}

static crank_status actions(void *self, double t, const double *x, double *value, double *rate,
                            double *gradient, crank_error *err)
{
    crank_system *s = self;
    const crank_mechanism_events *e = s->events;
    const int nv = s->eom->sizes.v;
    const double *derivative = e->out + e->value_count + e->rate_count;
    (void)err;
    crank_system_point(s, t, x);
    crank_expressions_evaluate(e->action, s, t, x, e->out);
    memcpy(value, e->out, (size_t)e->value_count * sizeof *value);
    memcpy(rate, e->out + e->value_count, (size_t)e->rate_count * sizeof *rate);
    memset(gradient, 0, (size_t)e->rate_count * (size_t)nv * sizeof *gradient);
    for (int i = 0; i < e->derivative_count; i++) {
        const crank_primitive *p = &s->primitive[e->primitive[i]];
        const double *J = s->local[e->primitive[i]].J;
        double *row = gradient + (size_t)e->row[i] * (size_t)nv;
        for (int k = 0; k < p->bodies; k++) {
            crank_coordinates_rate(&s->coordinates, p->body[k], derivative[i], J + p->v0[k],
                                   row);
        }
    }
    return CRANK_OK;
}

crank_status crank_mechanism_events_share(const crank_mechanism_events *from, crank_system *s,
                                          crank_error *err)
{
    crank_mechanism_events *e = malloc(sizeof *e);
    if (e == NULL) {
        return no_memory(err);
    }
    *e = *from;
    e->shared = true;
    s->events = e; /* which destroys it */
    const int all = e->value_count + e->rate_count + e->derivative_count;
    e->out = crank_store_take(&s->store, (size_t)all, sizeof *e->out);
    return e->out != NULL ? CRANK_OK : no_memory(err);
}

crank_status crank_mechanism_events_create(crank_model *model, crank_builder *b,
                                           crank_system *s, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const making places = {b, s};
    crank_event_lists lists;
    if (m->event_count == 0) {
        return CRANK_OK;
    }
    crank_mechanism_events *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return no_memory(err);
    }
    s->events = e;
    crank_status status =
        crank_event_set_create(model, b->store, m->event, m->event_count, m->switched_count,
                               column_of, &places, &lists, err);
    CRANK_THEN(status, make_expressions(e, model, b, &lists, err));
    if (status != CRANK_OK) {
        return status;
    }
    struct crank_event_set *set = model->events;
    set->functions = functions;
    set->actions = actions;
    return CRANK_OK;
}

void crank_mechanism_events_destroy(crank_mechanism_events *e)
{
    if (e != NULL && !e->shared) {
        crank_expressions_destroy(e->function);
        crank_expressions_destroy(e->action);
    }
    free(e);
}
