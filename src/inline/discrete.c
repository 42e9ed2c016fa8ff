/* discrete.c - unknowns that are no Reals, updates in the order of use, and assertions.
 *
 * A Boolean, Integer or enumeration that an equation gives by itself, b = e, is put in the place
 * of its name; where pre(b) is used it is a discrete variable with an update, theory (11.9).
 * Updates that depend on each other are sorted. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- whole numbers ---- */

/* By node of the pool: is it a whole number whatever its symbols are? NULL: out of memory. */
static bool *find_wholes(crank_flat *flat, const int *map)
{
    const crank_pool *p = flat->pool;
    const int size = crank_pool_size(p);
    bool *whole = crank_store_take(&flat->store, (size_t)size, sizeof *whole);
    for (crank_ex e = 0; e < size && whole != NULL; e++) {
        const crank_ex a = crank_ex_get_operand(p, e, 0), b = crank_ex_get_operand(p, e, 1),
                       c = crank_ex_get_operand(p, e, 2);
        double number = 0.0;
        switch ((int)crank_ex_get_op(p, e)) {
        case CRANK_EX_NUMBER:
            whole[e] = crank_ex_is_number(p, e, &number) && number == floor(number);
            break;
        case CRANK_EX_SYMBOL:
            whole[e] = map[e] >= 0 && map[e] % 2 == 0 &&
                       flat->variable[map[e] / 2].type != CRANK_FLAT_REAL;
            break;
        case CRANK_EX_NEG:
        case CRANK_EX_ABS:
            whole[e] = whole[a];
            break;
        case CRANK_EX_ADD:
        case CRANK_EX_MUL:
        case CRANK_EX_MIN:
        case CRANK_EX_MAX:
            whole[e] = whole[a] && whole[b];
            break;
        case CRANK_EX_POW:
            whole[e] = whole[a] && crank_ex_is_number(p, b, &number) && number >= 0.0 &&
                       number == floor(number);
            break;
        case CRANK_EX_IF:
            whole[e] = whole[b] && whole[c];
            break;
        case CRANK_EX_FLOOR:
        case CRANK_EX_CEIL:
        case CRANK_EX_SIGN:
        case CRANK_EX_LT:
        case CRANK_EX_LE:
        case CRANK_EX_EQ:
        case CRANK_EX_NE:
        case CRANK_EX_AND:
        case CRANK_EX_OR:
        case CRANK_EX_NOT:
            whole[e] = true;
            break;
        default:
            break;
        }
    }
    return whole;
}

/* ---- b = e ---- */

/* b = e, or e = b, of a variable that is no Real, or is declared discrete */
static int defines(const crank_flat *flat, const int *map, const bool *updated,
                   const bool *whole, const crank_flat_equation *q, crank_ex *value)
{
    const crank_ex side[2] = {q->left, q->right};
    for (int k = 0; k < 2; k++) {
        const int place = crank_ex_symbol_name(flat->pool, side[k]) != NULL ? map[side[k]] : -1;
        const crank_flat_variable *x =
            place >= 0 && place % 2 == 0 ? &flat->variable[place / 2] : NULL;
        if (x != NULL && !x->made && !updated[place / 2] && x->role != CRANK_FLAT_ELIMINATED &&
            (x->type != CRANK_FLAT_REAL || x->role == CRANK_FLAT_DISCRETE) &&
            (x->type != CRANK_FLAT_INTEGER || whole[side[1 - k]])) {
            *value = side[1 - k];
            return place / 2;
        }
    }
    return -1;
}

/* What is declared discrete is not the value of something that varies all the time. */
static crank_status check_constant(crank_flat *flat, const int *map, int j, crank_ex value,
                                   const crank_flat_equation *q, crank_error *err)
{
    const int count = crank_ex_symbols(flat->pool, value, NULL, 0);
    crank_ex *symbols = crank_store_take(&flat->store, (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return crank_flat_status(flat, err);
    }
    (void)crank_ex_symbols(flat->pool, value, symbols, count);
    for (int k = 0; k < count; k++) {
        const int place = map[symbols[k]];
        const crank_flat_variable *y = place >= 0 ? &flat->variable[place / 2] : NULL;
        const bool varies = y != NULL ? place % 2 == 1 || (y->type == CRANK_FLAT_REAL &&
                                                           y->role == CRANK_FLAT_UNKNOWN)
                                      : symbols[k] == flat->t;
        if (varies) {
            return crank_fail_at(err, CRANK_EMODEL, q->place.line, q->place.column,
                                 "\"%.80s\" is discrete, and %.80s is not: set it in `when`, "
                                 "or leave `discrete` out",
                                 flat->variable[j].name,
                                 crank_ex_symbol_name(flat->pool, symbols[k]));
        }
    }
    return CRANK_OK;
}

/* an equation leaves the record, as a value or an update */
static crank_status take_out(crank_flat *flat, const int *map, int j, crank_ex value,
                             const crank_flat_equation *q, crank_error *err)
{
    crank_flat_variable *x = &flat->variable[j];
    const crank_status status =
        x->type == CRANK_FLAT_REAL ? check_constant(flat, map, j, value, q, err) : CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    if (x->before < 0) {
        x->role = CRANK_FLAT_ELIMINATED;
        x->value = value;
        return CRANK_OK;
    }
    crank_flat_update *u = crank_flat_add_update(flat);
    if (u == NULL) {
        return crank_flat_status(flat, err);
    }
    x->role = CRANK_FLAT_DISCRETE;
    u->variable = j;
    u->value = value;
    u->place = q->place;
    return CRANK_OK;
}

static crank_status put_into_equations(crank_flat *flat, crank_error *err)
{
    const int *map = crank_flat_map(flat);
    const bool *whole = map != NULL ? find_wholes(flat, map) : NULL;
    bool *updated =
        crank_store_take(&flat->store, (size_t)flat->variable_count, sizeof *updated);
    int kept = 0, circle = -1;
    if (map == NULL || updated == NULL || whole == NULL) {
        return crank_flat_status(flat, err);
    }
    for (int i = 0; i < flat->update_count; i++) {
        updated[flat->update[i].variable] = flat->update[i].condition < 0;
    }
    for (int i = 0; i < flat->equation_count; i++) {
        crank_ex value = -1;
        const int j = defines(flat, map, updated, whole, &flat->equation[i], &value);
        if (j < 0) {
            flat->equation[kept++] = flat->equation[i];
            continue;
        }
        updated[j] = true;
        const crank_status status = take_out(flat, map, j, value, &flat->equation[i], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    flat->equation_count = kept;
    for (int j = 0; j < flat->variable_count; j++) {
        const crank_flat_variable *x = &flat->variable[j];
        if (x->role == CRANK_FLAT_UNKNOWN && x->type != CRANK_FLAT_REAL) {
            return crank_fail_at(err, CRANK_EMODEL, x->place.line, x->place.column,
                                 "\"%.80s\" is no Real, and no equation %.40s = ... gives it%s",
                                 x->name, x->name,
                                 x->type == CRANK_FLAT_INTEGER
                                     ? " a whole number; integer() makes one of a Real"
                                     : "");
        }
        if (x->role == CRANK_FLAT_DISCRETE && !x->made && !updated[j]) {
            return crank_fail_at(err, CRANK_EMODEL, x->place.line, x->place.column,
                                 "\"%.80s\" is discrete, and no equation and no `when` gives "
                                 "it a value: make it a parameter, or set it",
                                 x->name);
        }
    }
    const crank_status status = crank_flat_eliminate(flat, &circle, err);
    if (circle >= 0) {
        const crank_flat_variable *x = &flat->variable[circle];
        return crank_fail_at(
            err, CRANK_EMODEL, x->place.line, x->place.column,
            "\"%.80s\" depends on itself without a relation or pre() between: not supported",
            x->name);
    }
    return status;
}

/* ---- the order of updates ---- */

typedef struct order {
    crank_flat *flat;
    int *of;            /* variables: the update that sets it, -1: none */
    int *map, size;     /* crank_flat_map */
    signed char *state; /* updates: 0 new, 1 open, 2 done */
    int *stack, *next, *first;
    crank_ex **symbols;
    int *symbol_count;
    crank_flat_update *sorted;
    int count;
} order;

static bool open_update(order *o, int u, int depth)
{
    const crank_flat_update *own = &o->flat->update[u];
    const int count = crank_ex_symbols(o->flat->pool, own->value, NULL, 0);
    o->symbols[u] = crank_store_take(&o->flat->store, (size_t)count + 1, sizeof(crank_ex));
    if (o->symbols[u] == NULL) {
        return false;
    }
    o->symbol_count[u] = crank_ex_symbols(o->flat->pool, own->value, o->symbols[u], count);
    o->state[u] = 1;
    o->stack[depth] = u;
    o->next[depth] = 0;
    return true;
}

/* depth first; the update in a circle, -1: none, -2: out of memory */
static int visit(order *o, int root)
{
    int depth = 0;
    if (!open_update(o, root, 0)) {
        return -2;
    }
    while (depth >= 0) {
        const int u = o->stack[depth];
        if (o->next[depth] == o->symbol_count[u]) {
            o->state[u] = 2;
            o->sorted[o->count++] = o->flat->update[u];
            depth--;
            continue;
        }
        const crank_ex symbol = o->symbols[u][o->next[depth]++];
        const int place = symbol < o->size ? o->map[symbol] : -1;
        const int v = place >= 0 && place % 2 == 0 ? o->of[place / 2] : -1;
        if (v >= 0 && o->state[v] == 1) {
            return v;
        }
        if (v >= 0 && o->state[v] == 0 && !open_update(o, v, ++depth)) {
            return -2;
        }
    }
    return -1;
}

static crank_status sort_updates(crank_flat *flat, crank_error *err)
{
    const size_t updates = (size_t)flat->update_count + 1;
    order o = {.flat = flat, .size = crank_pool_size(flat->pool), .map = crank_flat_map(flat)};
    crank_store *store = &flat->store;
    o.of = crank_store_take(store, (size_t)flat->variable_count + 1, sizeof *o.of);
    o.state = crank_store_take(store, updates, sizeof *o.state);
    o.stack = crank_store_take(store, updates, sizeof *o.stack);
    o.next = crank_store_take(store, updates, sizeof *o.next);
    o.symbols = crank_store_take(store, updates, sizeof *o.symbols);
    o.symbol_count = crank_store_take(store, updates, sizeof *o.symbol_count);
    o.sorted = crank_store_take(store, updates, sizeof *o.sorted);
    if (store->failed || o.map == NULL) {
        return crank_flat_status(flat, err);
    }
    memset(o.of, -1, (size_t)flat->variable_count * sizeof *o.of);
    for (int i = 0; i < flat->update_count; i++) {
        if (flat->update[i].condition < 0) {
            o.of[flat->update[i].variable] = i;
        }
    }
    for (int i = 0; i < flat->update_count; i++) {
        const int circle = o.state[i] == 0 ? visit(&o, i) : -1;
        if (circle == -2) {
            return crank_flat_status(flat, err);
        }
        if (circle >= 0) {
            const crank_flat_update *u = &flat->update[circle];
            return crank_fail_at(err, CRANK_EMODEL, u->place.line, u->place.column,
                                 "\"%.80s\" depends on itself at events: not supported; use "
                                 "pre() for the value before",
                                 flat->variable[u->variable].name);
        }
    }
    if (flat->update_count > 0) { /* else there are no updates at all, not even their place */
        memcpy(flat->update, o.sorted, (size_t)flat->update_count * sizeof *o.sorted);
    }
    return CRANK_OK;
}

/* ---- assertions ---- */

/* a symbol that changes between events; NULL: none */
static const char *changing(crank_flat *flat, const int *map, crank_ex ex)
{
    const int count = crank_ex_symbols(flat->pool, ex, NULL, 0);
    crank_ex *symbols = crank_store_take(&flat->store, (size_t)count + 1, sizeof *symbols);
    if (symbols == NULL) {
        return NULL;
    }
    (void)crank_ex_symbols(flat->pool, ex, symbols, count);
    for (int k = 0; k < count; k++) {
        const int place = map[symbols[k]];
        if (place < 0 || place % 2 == 1 ||
            flat->variable[place / 2].role != CRANK_FLAT_DISCRETE) {
            return crank_ex_symbol_name(flat->pool, symbols[k]);
        }
    }
    return NULL;
}

/* Where a condition ceases to hold the run ends, or a warning is told. Its relations are frozen
 * like all others, so that looking at events is enough. */
static crank_status watch_assertions(crank_flat *flat, crank_error *err)
{
    const int *map = crank_flat_map(flat);
    for (int i = 0; i < flat->assertion_count && map != NULL; i++) {
        const crank_flat_assertion *a = &flat->assertion[i];
        double number = 0.0;
        if (crank_ex_is_number(flat->pool, a->condition, &number)) {
            if (number == 0.0 && !a->warning) {
                return crank_fail_at(err, CRANK_EMODEL, a->place.line, a->place.column,
                                     "assert: %.200s", a->message);
            }
            continue;
        }
        const char *name = a->at_events ? NULL : changing(flat, map, a->condition);
        if (name != NULL) {
            return crank_fail_at(err, CRANK_EMODEL, a->place.line, a->place.column,
                                 "assert: the condition cannot be watched, since \"%.60s\" "
                                 "stands in == or noEvent(): not supported",
                                 name);
        }
        crank_flat_event *e = crank_flat_add_event(flat);
        crank_flat_action *action = e != NULL ? crank_flat_add_action(flat, e) : NULL;
        if (action == NULL) {
            return crank_flat_status(flat, err);
        }
        e->name = crank_store_print(&flat->store, "assert.line%d.%d",
                                    a->place.line % CRANK_FLAT_LINES, flat->event_count);
        e->condition = crank_ex_call(flat->pool, CRANK_EX_NOT, a->condition, 0, 0);
        e->place = a->place;
        action->message = a->message;
        action->failure = !a->warning;
        action->goes_on = a->warning;
    }
    return crank_flat_status(flat, err);
}

crank_status crank_flat_resolve_discrete(crank_flat *flat, crank_error *err)
{
    crank_status status = put_into_equations(flat, err);
    if (status == CRANK_OK) {
        status = sort_updates(flat, err);
    }
    return status == CRANK_OK ? watch_assertions(flat, err) : status;
}
