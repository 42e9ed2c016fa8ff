/* eliminate.c - variables that are known by an expression of others leave the equations. Values
 * are made free of other eliminated variables depth first, with a stack of their own. Where the
 * derivative of such a variable occurs, that of its expression takes its place:
 *
 *     x = v(y, t):     x' = v_y y' + v_t */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <string.h>

typedef struct work {
    crank_flat *flat;
    int size;           /* of by: nodes of the pool at the beginning */
    int *map;           /* crank_flat_map */
    crank_ex *by;       /* by symbol: the value that takes its place, -1: none */
    signed char *state; /* variables: 0 new, 1 open, 2 done */
    int *stack;
    crank_ex *symbols;
    int symbol_capacity;
} work;

/* symbols of an expression, in w->symbols */
static int symbols_of(work *w, crank_ex ex)
{
    const int count = crank_ex_symbols(w->flat->pool, ex, NULL, 0);
    if (count > w->symbol_capacity) {
        w->symbols = crank_store_take(&w->flat->store, 2 * (size_t)count, sizeof *w->symbols);
        w->symbol_capacity = w->symbols != NULL ? 2 * count : 0;
    }
    return w->symbols != NULL
               ? crank_ex_symbols(w->flat->pool, ex, w->symbols, w->symbol_capacity)
               : 0;
}

/* an eliminated variable in the value of another one that is not done; -1: none */
static int missing(work *w, int i, int *open)
{
    const int count = symbols_of(w, w->flat->variable[i].value);
    *open = -1;
    for (int k = 0; k < count; k++) {
        const int place = w->symbols[k] < w->size ? w->map[w->symbols[k]] : -1;
        const int j = place >= 0 ? place / 2 : -1;
        if (j < 0 || w->flat->variable[j].role != CRANK_FLAT_ELIMINATED) {
            continue;
        }
        if (w->state[j] == 1) {
            *open = j;
            return j;
        }
        if (w->state[j] == 0) {
            return j;
        }
    }
    return -1;
}

/* the derivative of a value without eliminated variables; rates are made where needed */
static crank_ex rate_of(work *w, crank_ex value)
{
    crank_flat *flat = w->flat;
    const int count = symbols_of(w, value);
    crank_ex *directions = crank_store_take(&flat->store, (size_t)count, sizeof *directions);
    int used = 0;
    if (directions == NULL) {
        return value;
    }
    for (int k = 0; k < count; k++) {
        const crank_ex symbol = w->symbols[k];
        const int place = symbol < w->size ? w->map[symbol] : -1;
        if (symbol == flat->t) {
            w->symbols[used] = symbol;
            directions[used++] = crank_ex_number(flat->pool, 1.0);
        } else if (place >= 0 && place % 2 == 0 &&
                   flat->variable[place / 2].role == CRANK_FLAT_UNKNOWN) {
            w->symbols[used] = symbol;
            directions[used++] = crank_flat_rate(flat, place / 2);
        }
    }
    return crank_ex_directional(flat->pool, value, used, w->symbols, directions);
}

static void finish(work *w, int i)
{
    crank_flat_variable *x = &w->flat->variable[i];
    x->value = crank_flat_replace(w->flat, x->value, w->size, w->by);
    w->by[x->symbol] = x->value;
    if (x->rate >= 0 && x->rate < w->size) {
        w->by[x->rate] = rate_of(w, x->value);
    }
    w->state[i] = 2;
}

/* depth first; the open ones on the stack */
static int settle(work *w, int first)
{
    int depth = 0;
    w->stack[depth++] = first;
    w->state[first] = 1;
    while (depth > 0) {
        int open = -1;
        const int i = w->stack[depth - 1], j = missing(w, i, &open);
        if (open >= 0) {
            return open;
        }
        if (j < 0) {
            finish(w, i);
            depth--;
        } else {
            w->state[j] = 1;
            w->stack[depth++] = j;
        }
    }
    return -1;
}

crank_status crank_flat_eliminate(crank_flat *flat, int *circle, crank_error *err)
{
    const size_t count = (size_t)flat->variable_count;
    work w = {.flat = flat, .size = crank_pool_size(flat->pool)};
    *circle = -1;
    w.map = crank_flat_map(flat);
    w.by = crank_store_take(&flat->store, (size_t)w.size, sizeof *w.by);
    w.state = crank_store_take(&flat->store, count, sizeof *w.state);
    w.stack = crank_store_take(&flat->store, count, sizeof *w.stack);
    if (w.map == NULL || w.by == NULL || w.state == NULL || w.stack == NULL) {
        return crank_flat_status(flat, err);
    }
    memset(w.by, -1, (size_t)w.size * sizeof *w.by);
    for (int i = 0; i < flat->variable_count; i++) {
        if (flat->variable[i].role == CRANK_FLAT_ELIMINATED && w.state[i] == 0) {
            *circle = settle(&w, i);
            if (*circle >= 0) {
                return crank_fail(err, CRANK_EMODEL, "\"%.80s\" is defined by itself",
                                  flat->variable[*circle].name);
            }
        }
    }
    crank_flat_substitute(flat, w.size, w.by);
    return crank_flat_status(flat, err);
}
