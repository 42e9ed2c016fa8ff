/* equations_events.c - events of an equations file: parameters that they set, functions,
 * actions.
 *
 * Parameters that events set stay symbols in all expressions and are inputs of the programs.
 * The rate of an impact is the time derivative of `when` along p' = Z v and s', theory (8.9);
 * it and what is reset must be affine in v, whose factors are the rows of (8.8). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations_supplier.h"
#include "model/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT = 160 };

static const double unchanged =
    1e-12; /* of an invariant, relative: rounding of an elastic impact */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "events of the model");
}

/* ---- parameters that events set ---- */

crank_ex crank_equations_at_start(const crank_equations *e, crank_ex ex)
{
    return e->switched_count == 0 ? ex
                                  : crank_ex_substitute(e->pool, ex, e->switched_count,
                                                        e->switched, e->switched_start);
}

static bool mark_switched(void *user, const crank_node *event, const crank_node *key)
{
    crank_equations *e = user;
    const crank_name *name = crank_names_find(e, key->text);
    (void)event;
    if (name != NULL && name->kind == CRANK_NAME_PARAMETER) {
        e->definition[name->index].switched = e->definition[name->index].by_event = true;
    }
    return true;
}

crank_status crank_equations_find_switched(crank_equations *e, crank_error *err)
{
    const crank_node *section = crank_node_find(e->document->root, "events");
    const size_t most = (size_t)e->definition_count;
    e->switched = crank_store_take(e->store, most, sizeof *e->switched);
    e->switched_start = crank_store_take(e->store, most, sizeof *e->switched_start);
    if (e->store->failed) {
        return no_memory(err);
    }
    for (int i = 0;
         section != NULL && section->kind == CRANK_NODE_MAPPING && i < section->count; i++) {
        (void)crank_event_find_switched(section->key[i], section->item[i], mark_switched, e);
    }
    for (int i = 0; i < e->definition_count; i++) {
        crank_definition *d = &e->definition[i];
        d->switched = d->switched || (d->kind == CRANK_NAME_PARAMETER &&
                                      crank_model_varies(e->options, d->name));
    }
    return CRANK_OK;
}

/* ---- reading ---- */

static crank_status read_expression(void *user, const crank_node *node, const char *object,
                                    crank_ex *out, crank_error *err)
{
    return crank_read_expression(user, node, CRANK_USE_IN_OUTPUTS, object, out, err);
}

static void bake(void *user, crank_ex ex)
{
    crank_definitions_bake(user, ex);
}

static crank_status read_parameter(void *user, const crank_node *key, const char *object,
                                   int *out, crank_error *err)
{
    const crank_equations *e = user;
    const crank_name *name = crank_names_find(e, key->text);
    if (name != NULL && name->kind == CRANK_NAME_PARAMETER) {
        const crank_ex symbol = e->definition[name->index].symbol;
        for (*out = 0; e->switched[*out] != symbol; (*out)++) {
        }
        return CRANK_OK;
    }
    const char *near =
        name == NULL ? crank_names_suggest(e, key->text, CRANK_USE_PARAMETERS) : NULL;
    const bool velocity =
        name != NULL && (name->kind == (int)CRANK_V || name->kind == (int)CRANK_R);
    return crank_fail_node(err, CRANK_EMODEL, key, "%s: \"%.80s\" is no parameter%s%s%s",
                           object, key->text,
                           near != NULL   ? "; did you mean \""
                           : velocity     ? "; write reset: {"
                           : name != NULL ? ": only parameters can be set"
                                          : "",
                           near != NULL ? near
                           : velocity   ? key->text
                                        : "",
                           near != NULL ? "\"?"
                           : velocity   ? ": }"
                                        : "");
}

crank_status crank_equations_read_events(crank_equations *e, crank_error *err)
{
    const crank_events_reader reader = {.store = e->store,
                                        .pool = e->pool,
                                        .user = e,
                                        .expression = read_expression,
                                        .bake = bake,
                                        .parameter = read_parameter};
    return crank_events_read(&reader, crank_node_find(e->document->root, "events"), &e->event,
                             &e->event_count, err);
}

/* ---- functions and rates ---- */

typedef struct making {
    crank_equations *e;
    const crank_hidden *hidden;
    const crank_rows *rows;
    crank_ex *symbols, *directions; /* one per name */
    int capacity;
} making;

/* accelerations become unknowns, if carried, or their expressions */
static crank_ex without_accelerations(const making *m, crank_ex ex)
{
    const crank_equations *e = m->e;
    const int found = crank_ex_symbols(e->pool, ex, m->symbols, m->capacity);
    int count = 0;
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[m->symbols[k]];
        if (name->kind == CRANK_NAME_ACCELERATION) {
            m->symbols[count] = m->symbols[k];
            m->directions[count++] = m->hidden->vdot[name->index];
        }
    }
    return count > 0 ? crank_ex_substitute(e->pool, ex, count, m->symbols, m->directions) : ex;
}

/* kinds of names that an expression contains, as bits */
static int kinds_of(const making *m, crank_ex ex)
{
    const int found = crank_ex_symbols(m->e->pool, ex, m->symbols, m->capacity);
    int kinds = 0;
    for (int k = 0; k < found; k++) {
        kinds |= 1 << m->e->name[m->symbols[k]].kind;
    }
    return kinds;
}

/* d/dt of an expression of p, s and t */
static crank_ex rate_of(const making *m, crank_ex ex)
{
    const crank_equations *e = m->e;
    const int found = crank_ex_symbols(e->pool, ex, m->symbols, m->capacity);
    int count = 0;
    for (int k = 0; k < found; k++) {
        const crank_name *name = &e->name[m->symbols[k]];
        if (name->kind == CRANK_NAME_PARAMETER) {
            continue;
        }
        m->symbols[count] = m->symbols[k];
        m->directions[count++] = name->kind == (int)CRANK_P   ? m->hidden->pdot[name->index]
                                 : name->kind == (int)CRANK_S ? m->hidden->sdot[name->index]
                                                              : crank_ex_number(e->pool, 1.0);
    }
    return crank_ex_directional(e->pool, ex, count, m->symbols, m->directions);
}

static crank_status check_when(const making *m, crank_event_record *r, crank_error *err)
{
    r->when = without_accelerations(m, r->when);
    const int kinds = kinds_of(m, r->when);
    if ((kinds & ~CRANK_USE_PARAMETERS) == 0) {
        return crank_fail_node(err, CRANK_EMODEL, r->node,
                               "event \"%.80s\", when: it is constant between events and never "
                               "passes zero; let it depend on t or on variables",
                               r->name);
    }
    return CRANK_OK;
}

static crank_status make_impact(const making *m, const crank_event_record *r,
                                crank_action_record *a, crank_error *err)
{
    const int kinds = kinds_of(m, r->when);
    if ((kinds & ~CRANK_USE_POSITION_LEVEL) != 0 || (kinds & CRANK_USE_P) == 0) {
        return crank_fail_node(
            err, CRANK_EMODEL, a->key,
            "event \"%.80s\", impact: `when` must be a distance, of positions%s; "
            "reset gives velocities new values",
            r->name, (kinds & CRANK_USE_P) != 0 ? " and t only" : "");
    }
    a->target = rate_of(m, r->when);
    return CRANK_OK;
}

static crank_status check_target(const making *m, const crank_event_record *r,
                                 const crank_action_record *a, crank_error *err)
{
    const crank_equations *e = m->e;
    const int kinds = kinds_of(m, a->target);
    const crank_name *name = crank_names_find(e, a->key->text);
    const bool variable = crank_ex_symbol_name(e->pool, a->target) != NULL;
    if (kinds == 1 << CRANK_R && variable) {
        return CRANK_OK;
    }
    const char *reason = NULL;
    if (name != NULL && name->kind == (int)CRANK_P) {
        reason = "a position cannot jump; velocities and dynamic variables can be reset";
    } else if (name != NULL && name->kind == CRANK_NAME_PARAMETER) {
        reason = "it is a parameter; use set";
    } else if ((kinds & CRANK_USE_V) == 0) {
        reason = "it is no velocity; velocities and dynamic variables can be reset";
    } else if ((kinds & ~CRANK_USE_VELOCITY_LEVEL) != 0) {
        reason = "an expression that is reset contains velocities, positions and t only";
    }
    for (int j = 0; j < e->count[CRANK_V] && reason == NULL; j++) {
        const crank_ex part =
            crank_ex_derivative(e->pool, a->target, e->variable[CRANK_V][j].symbol);
        if ((kinds_of(m, part) & CRANK_USE_V) != 0) {
            reason = "it is not linear in the velocities";
        }
    }
    return reason == NULL ? CRANK_OK
                          : crank_fail_node(err, CRANK_EMODEL, a->key,
                                            "event \"%.80s\", reset \"%.60s\": %s", r->name,
                                            a->key->text, reason);
}

static crank_status make_records(const making *m, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < m->e->event_count && status == CRANK_OK; i++) {
        crank_event_record *r = &m->e->event[i];
        status = check_when(m, r, err);
        for (int k = 0; k < r->action_count && status == CRANK_OK; k++) {
            crank_action_record *a = &r->action[k];
            a->value = a->value >= 0 ? without_accelerations(m, a->value) : -1;
            status = a->kind == CRANK_ACTION_IMPACT  ? make_impact(m, r, a, err)
                     : a->kind == CRANK_ACTION_RESET ? check_target(m, r, a, err)
                                                     : CRANK_OK;
        }
    }
    return status;
}

/* ---- what is evaluated ---- */

/* user: making; the target of a reset that is a variable r */
static int column_of(const void *user, crank_ex target)
{
    const making *m = user;
    const crank_equations *e = m->e;
    for (int i = 0; i < e->count[CRANK_R]; i++) {
        if (e->variable[CRANK_R][i].symbol == target) {
            return m->rows->eom->column[CRANK_R] + i;
        }
    }
    return -1;
}

/* derivatives of the rates by velocities, row by row; lists NULL: they are counted */
static int list_derivatives(const making *m, const crank_event_lists *lists, int *row,
                            int *column, crank_ex *ex)
{
    const crank_equations *e = m->e;
    int count = 0;
    for (int i = 0; i < lists->rate_count; i++) {
        const int found = crank_ex_symbols(e->pool, lists->rate[i], m->symbols, m->capacity);
        for (int k = 0; k < found; k++) {
            const crank_name *name = &e->name[m->symbols[k]];
            if (name->kind != (int)CRANK_V) {
                continue;
            }
            if (ex != NULL) {
                row[count] = i;
                column[count] = name->index;
                ex[count] = crank_ex_derivative(e->pool, lists->rate[i], m->symbols[k]);
            }
            count++;
        }
    }
    return count;
}

/* values, rates, derivatives: one program */
static crank_status fill_rows(const making *m, crank_model *model,
                              const crank_event_lists *lists, crank_rows *rows,
                              crank_error *err)
{
    crank_equations *e = m->e;
    const int count = list_derivatives(m, lists, NULL, NULL, NULL);
    const int before = lists->value_count + lists->rate_count;
    rows->when = crank_store_take(e->store, (size_t)e->event_count, sizeof *rows->when);
    rows->action =
        crank_store_take(e->store, (size_t)before + (size_t)count, sizeof *rows->action);
    int *row = crank_store_take(&model->store, (size_t)count, sizeof *row);
    int *column = crank_store_take(&model->store, (size_t)count, sizeof *column);
    if (e->store->failed || model->store.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < e->event_count; i++) {
        rows->when[i] = e->event[i].when;
    }
    memcpy(rows->action, lists->value, (size_t)lists->value_count * sizeof *rows->action);
    memcpy(rows->action + lists->value_count, lists->rate,
           (size_t)lists->rate_count * sizeof *rows->action);
    (void)list_derivatives(m, lists, row, column, rows->action + before);
    rows->when_count = e->event_count;
    rows->action_count = before + count;
    rows->derivative_count = count;
    rows->derivative_row = row;
    rows->derivative_column = column;
    return crank_pool_status(e->pool) == CRANK_OK ? CRANK_OK : no_memory(err);
}

static bool moves(const void *user, crank_ex symbol)
{
    const crank_equations *e = user;
    return symbol >= e->name_count || e->name[symbol].kind != CRANK_NAME_PARAMETER;
}

crank_status crank_equations_make_events(crank_model *model, crank_equations *e,
                                         const crank_hidden *hidden, crank_rows *rows,
                                         crank_error *err)
{
    making m = {.e = e, .hidden = hidden, .rows = rows, .capacity = e->name_count};
    crank_event_lists lists;
    if (e->event_count == 0) {
        return CRANK_OK;
    }
    m.symbols = crank_store_take(e->store, (size_t)m.capacity, sizeof *m.symbols);
    m.directions = crank_store_take(e->store, (size_t)m.capacity, sizeof *m.directions);
    if (e->store->failed) {
        return no_memory(err);
    }
    crank_status status = make_records(&m, err);
    CRANK_THEN(status, crank_event_set_create(model, e->store, e->event, e->event_count,
                                              e->switched_count, column_of, &m, &lists, err));
    CRANK_THEN(status, crank_event_set_mark_of_time(model, e->store, e->pool, e->t, e->event,
                                                    moves, e, err));
    CRANK_THEN(status, fill_rows(&m, model, &lists, rows, err));
    /* without memory expressions seem to contain nothing */
    return crank_pool_status(e->pool) == CRANK_OK ? status : no_memory(err);
}

/* ---- evaluation ---- */

static crank_status functions(void *self, double t, const double *x, double *values,
                              crank_error *err)
{
    (void)err;
    crank_equations_run(self, CRANK_PROGRAM_EVENTS, t, x, values);
    return CRANK_OK;
}

static crank_status actions(void *self, double t, const double *x, double *value, double *rate,
                            double *gradient, crank_error *err)
{
    crank_equations_supplier *s = self;
    const int nv = s->eom->sizes.v;
    const int values = s->action_values, rates = s->action_rates;
    (void)err;
    crank_equations_run(s, CRANK_PROGRAM_ACTIONS, t, x, s->action);
    memcpy(value, s->action, (size_t)values * sizeof *value);
    memcpy(rate, s->action + values, (size_t)rates * sizeof *rate);
    memset(gradient, 0, (size_t)rates * (size_t)nv * sizeof *gradient);
    for (int i = 0; i < s->derivative_count; i++) {
        gradient[(size_t)s->derivative_row[i] * (size_t)nv + (size_t)s->derivative_column[i]] =
            s->action[values + rates + i];
    }
    return CRANK_OK;
}

/* Values e and n as they are, without what is held. */
static crank_status invariants(void *self, double t, const double *x, bool after,
                               crank_error *err)
{
    crank_equations_supplier *s = self;
    const crank_eom *eom = s->eom;
    const int ne = eom->sizes.e, count = ne + eom->sizes.n;
    if (count == 0) {
        return CRANK_OK;
    }
    crank_equations_run(s, CRANK_PROGRAM_ALGEBRAIC, t, x, s->rows);
    for (int i = 0; i < count; i++) {
        const int row = i < ne ? eom->row[CRANK_ROW_E] + i : eom->row[CRANK_ROW_N] + i - ne;
        const double value = s->rows[row], before = s->noted[i];
        if (!isfinite(value)) {
            return crank_fail_place(err, CRANK_ENOTFINITE, crank_eom_row_place(eom, row),
                                    "an invariant is not finite at t = %.10g", t);
        }
        if (after && fabs(value - before) > unchanged * (fabs(value) + fabs(before))) {
            s->held[i] = value;
        }
        s->noted[i] = value;
    }
    return CRANK_OK;
}

void crank_equations_connect_events(crank_model *model, crank_equations_supplier *supplier)
{
    struct crank_event_set *set = model->events;
    if (set == NULL) {
        return;
    }
    supplier->action_values = set->value_count;
    supplier->action_rates = set->row_count;
    set->functions = functions;
    set->actions = actions;
    set->invariants = invariants;
}

void crank_equations_rewind(crank_equations_supplier *self)
{
    memcpy(self->parameter, self->parameter_start,
           (size_t)self->switched_count * sizeof *self->parameter);
}
