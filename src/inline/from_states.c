/* from_states.c - expressions of what states give by assignments alone, as the speed of a shaft
 * behind a gear. Events that look at such values within steps need no solution of the equations
 * there.
 *
 * Assignments of all blocks stand in the order of use: what is needed is marked from the last one
 * to the first, and put in from the first one to the last. Long expressions are left as they
 * are: a solution has their value at the end of each step anyway. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

#include <string.h>

/* assignments in one expression, at most */
enum { MOST = 32 };

typedef struct work {
    const crank_inline *in;
    crank_store *store;
    int size;     /* of by: nodes of the pool at the beginning */
    crank_ex *by; /* symbols: what takes their place; -1: nothing does */
    int *length;  /* unknowns: assignments in it; 0: a state; -1: not known */
    bool *needed; /* unknowns */
    crank_ex *symbols;
    int symbol_capacity;
} work;

/* symbols of an expression, in w->symbols; -1: out of memory */
static int symbols_of(work *w, crank_ex ex)
{
    crank_pool *pool = w->in->flat->pool;
    const int count = crank_ex_symbols(pool, ex, NULL, 0);
    if (count > w->symbol_capacity) {
        w->symbols = crank_store_take(w->store, 2 * (size_t)count, sizeof *w->symbols);
        w->symbol_capacity = w->symbols != NULL ? 2 * count : 0;
    }
    return w->symbols != NULL || count == 0
               ? crank_ex_symbols(pool, ex, w->symbols, w->symbol_capacity)
               : -1;
}

static void need(work *w, crank_ex ex)
{
    const int count = symbols_of(w, ex);
    for (int k = 0; k < count; k++) {
        const int u = crank_inline_unknown_of(w->in, w->symbols[k]);
        if (u >= 0) {
            w->needed[u] = true;
        }
    }
}

/* Is it of time, states and what does not move between events? Its assignments, -1: it is not. */
static int length_of(work *w, crank_ex ex, const bool *method)
{
    const int count = symbols_of(w, ex);
    int length = 0;
    for (int k = 0; k < count && length >= 0; k++) {
        const int u = crank_inline_unknown_of(w->in, w->symbols[k]);
        const bool own = u >= 0 ? w->length[u] >= 0 : !method[w->symbols[k]];
        length = own ? length + (u >= 0 ? w->length[u] : 0) : -1;
    }
    return count >= 0 && length <= MOST ? length : -1;
}

static void put_in(work *w, const crank_inline_item *item, const bool *method)
{
    const int u = item->unknown;
    const bool plain = item->system == NULL && item->pivot < 0 && item->ex >= 0;
    if (!w->needed[u] || w->length[u] >= 0 || !plain) {
        return;
    }
    const int length = length_of(w, item->ex, method);
    if (length >= 0 && length < MOST) {
        w->by[w->in->unknown[u].symbol] =
            crank_flat_replace(w->in->flat, item->ex, w->size, w->by);
        w->length[u] = length + 1;
    }
}

/* h and old(x) are of the method's rule */
static bool *mark_rule(const work *w)
{
    const crank_inline *in = w->in;
    bool *method = crank_store_take(w->store, (size_t)w->size, sizeof *method);
    if (method != NULL) {
        method[in->h] = true;
        for (int u = 0; u < in->unknown_count; u++) {
            if (in->unknown[u].old >= 0) {
                method[in->unknown[u].old] = true;
            }
        }
    }
    return method;
}

static bool open_work(work *w)
{
    const crank_inline *in = w->in;
    const size_t unknowns = (size_t)in->unknown_count;
    w->by = crank_store_take(w->store, (size_t)w->size, sizeof *w->by);
    w->length = crank_store_take(w->store, unknowns, sizeof *w->length);
    w->needed = crank_store_take(w->store, unknowns, sizeof *w->needed);
    if (w->store->failed) {
        return false;
    }
    memset(w->by, -1, (size_t)w->size * sizeof *w->by);
    for (int u = 0; u < in->unknown_count; u++) {
        w->length[u] = in->unknown[u].old >= 0 ? 0 : -1;
    }
    for (int g = 0; g < in->group_count; g++) { /* some of these are states, others follow */
        for (int c = 0; c < in->group[g].columns; c++) {
            w->length[in->group[g].unknown[c]] = -1;
        }
    }
    return true;
}

crank_status crank_inline_from_states(const crank_inline *in, int count, crank_ex *ex,
                                      bool *given, crank_error *err)
{
    work w = {.in = in, .store = &in->flat->store, .size = crank_pool_size(in->flat->pool)};
    const bool *method = open_work(&w) ? mark_rule(&w) : NULL;
    if (method == NULL) {
        return crank_fail(err, CRANK_EMEM, "what states give");
    }
    for (int i = 0; i < count; i++) {
        need(&w, ex[i]);
    }
    for (int b = in->block_count - 1; b >= 0; b--) {
        const crank_inline_tearing *t = &in->block[b].torn;
        for (int i = t->item_count - 1; i >= 0; i--) {
            if (w.needed[t->item[i].unknown] && t->item[i].ex >= 0) {
                need(&w, t->item[i].ex);
            }
        }
    }
    for (int b = 0; b < in->block_count; b++) {
        const crank_inline_tearing *t = &in->block[b].torn;
        for (int i = 0; i < t->item_count; i++) {
            put_in(&w, &t->item[i], method);
        }
    }
    for (int i = 0; i < count; i++) {
        given[i] = length_of(&w, ex[i], method) >= 0;
        ex[i] = given[i] ? crank_flat_replace(in->flat, ex[i], w.size, w.by) : ex[i];
    }
    return crank_flat_status(in->flat, err);
}
