/* explicit_variables.c - variables that an equation gives by itself, y = e, are put into the other
 * equations, theory (11.6): what is left are states and what must be solved for. Expressions
 * are shared, so that nothing grows, and a kink or jump of e is no constraint that would have
 * to be differentiated.
 *
 * Variables with a derivative or a fixed start stay. Of variables that depend on each other in
 * a circle one stays: a search depth first leaves out the one that closes it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <string.h>

typedef struct work {
    crank_flat *flat;
    int *map, size; /* crank_flat_map */
    int *equation;  /* variables: the equation that gives it, -1: none */
    crank_ex *value;
    signed char *state; /* variables: 0 new, 1 open, 2 done */
    int *stack;
} work;

/* y = e or e = y, of a variable that may go and has no equation yet */
static void find_candidate(work *w, int i)
{
    crank_flat *flat = w->flat;
    const crank_ex side[2] = {flat->equation[i].left, flat->equation[i].right};
    for (int k = 0; k < 2; k++) {
        const int place = crank_ex_symbol_name(flat->pool, side[k]) != NULL && side[k] < w->size
                              ? w->map[side[k]]
                              : -1;
        const crank_flat_variable *x = place >= 0 ? &flat->variable[place / 2] : NULL;
        if (x != NULL && place % 2 == 0 && x->role == CRANK_FLAT_UNKNOWN && x->rate < 0 &&
            !x->fixed && w->equation[place / 2] < 0 &&
            !crank_ex_depends(flat->pool, side[1 - k], x->symbol)) {
            w->equation[place / 2] = i;
            w->value[place / 2] = side[1 - k];
            return;
        }
    }
}

/* A candidate in the value of i that is new; -1: none. *circle: one that is open. */
static int next_of(work *w, int i, bool *circle)
{
    crank_ex own[64], *symbols = own;
    const int count = crank_ex_symbols(w->flat->pool, w->value[i], own, 64);
    *circle = false;
    if (count > 64) {
        symbols = crank_store_take(&w->flat->store, (size_t)count, sizeof *symbols);
        if (symbols == NULL) {
            return -1;
        }
        (void)crank_ex_symbols(w->flat->pool, w->value[i], symbols, count);
    }
    for (int k = 0; k < count; k++) {
        const int place = symbols[k] < w->size ? w->map[symbols[k]] : -1;
        const int j = place >= 0 ? place / 2 : -1;
        if (j >= 0 && w->equation[j] >= 0 && w->state[j] == 1) {
            *circle = true;
            return -1;
        }
        if (j >= 0 && w->equation[j] >= 0 && w->state[j] == 0) {
            return j;
        }
    }
    return -1;
}

static void search(work *w, int first)
{
    int depth = 0;
    w->stack[depth++] = first;
    w->state[first] = 1;
    while (depth > 0) {
        bool circle = false;
        const int i = w->stack[depth - 1], j = next_of(w, i, &circle);
        if (circle) {
            w->equation[i] = -1; /* it stays, and is solved for */
        }
        if (j >= 0 && !circle) {
            w->state[j] = 1;
            w->stack[depth++] = j;
        } else {
            w->state[i] = 2;
            depth--;
        }
    }
}

static crank_status take_out(work *w, crank_error *err)
{
    crank_flat *flat = w->flat;
    int kept = 0, circle = -1;
    bool *gone = crank_store_take(&flat->store, (size_t)flat->equation_count, sizeof *gone);
    if (gone == NULL) {
        return crank_flat_status(flat, err);
    }
    for (int j = 0; j < flat->variable_count; j++) {
        if (w->equation[j] >= 0) {
            gone[w->equation[j]] = true;
            flat->variable[j].role = CRANK_FLAT_ELIMINATED;
            flat->variable[j].value = w->value[j];
        }
    }
    for (int i = 0; i < flat->equation_count; i++) {
        if (!gone[i]) {
            flat->equation[kept++] = flat->equation[i];
        }
    }
    flat->equation_count = kept;
    return crank_flat_eliminate(flat, &circle, err);
}

crank_status crank_flat_put_explicit(crank_flat *flat, crank_error *err)
{
    const size_t n = (size_t)flat->variable_count;
    work w = {.flat = flat, .size = crank_pool_size(flat->pool)};
    w.map = crank_flat_map(flat);
    w.equation = crank_store_take(&flat->store, n, sizeof *w.equation);
    w.value = crank_store_take(&flat->store, n, sizeof *w.value);
    w.state = crank_store_take(&flat->store, n, sizeof *w.state);
    w.stack = crank_store_take(&flat->store, n, sizeof *w.stack);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    memset(w.equation, -1, n * sizeof *w.equation);
    for (int i = 0; i < flat->equation_count; i++) {
        find_candidate(&w, i);
    }
    for (int j = 0; j < flat->variable_count; j++) {
        if (w.equation[j] >= 0 && w.state[j] == 0) {
            search(&w, j);
        }
    }
    return take_out(&w, err);
}
