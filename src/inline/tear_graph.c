/* tear_graph.c - the pattern of a block for tearing, see tear.h: which equations give which
 * unknowns, by what these are multiplied, and what follows from what is known. What an unknown is
 * multiplied by may vanish in the run unless it is a number. The rule of a step
 * x = h x' + old(x) gives x and never x': nothing is divided by h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/tear.h"

#include "base/grow.h"

#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "tearing a block");
}

crank_inline_equation *crank_tear_equation(const crank_tear *w, int e)
{
    return &w->in->equation[w->block->equation[e]];
}

crank_ex crank_tear_symbol(const crank_tear *w, int u)
{
    return w->in->unknown[w->block->unknown[u]].symbol;
}

/* ---- entries ---- */

/* unknowns of the block in the slope of entry k; is it of h and given values alone? */
static bool look_at_slope(crank_tear *w, int k, int *capacity)
{
    const crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    const int count = crank_ex_symbols(p, w->slope[k], NULL, 0);
    crank_ex *symbols = crank_store_take(&in->flat->store, (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return false;
    }
    (void)crank_ex_symbols(p, w->slope[k], symbols, count);
    int used = w->mixed_start[k];
    w->certain[k] = true;
    for (int i = 0; i < count; i++) {
        const int u = crank_inline_unknown_of(in, symbols[i]);
        w->certain[k] = w->certain[k] && u < 0 && symbols[i] != in->flat->t;
        if (u >= 0 && in->local[u] >= 0) {
            int *more =
                crank_store_grow(&in->flat->store, w->mixed, used, capacity, sizeof *w->mixed);
            if (more == NULL) {
                return false;
            }
            w->mixed = more;
            w->mixed[used++] = in->local[u];
        }
    }
    w->mixed_start[k + 1] = used;
    return true;
}

/* entry k, of equation q and the unknown */
static bool look_at_entry(crank_tear *w, const crank_inline_equation *q, int unknown, int k,
                          int *capacity)
{
    crank_pool *p = w->in->flat->pool;
    const int u = w->in->local[unknown];
    double number;
    w->slope[k] = -1;
    w->mixed_start[k + 1] = w->mixed_start[k];
    if (q->kind != CRANK_INLINE_MODEL) {
        const bool rule = q->kind == CRANK_INLINE_STATE;
        w->solvable[k] = rule && q->unknown == unknown ? CRANK_TEAR_ALWAYS : CRANK_TEAR_NEVER;
        w->at_rest[k] = rule ? q->unknown == unknown : w->in->unknown[unknown].old >= 0;
        w->certain[k] = rule;
        w->slope[k] = rule ? crank_ex_derivative(p, q->ex, w->in->unknown[unknown].symbol) : -1;
        return true;
    }
    w->at_rest[k] = true;
    if (crank_ex_isolate(p, q->ex, w->in->unknown[unknown].symbol, &w->slope[k]) < 0) {
        w->slope[k] = -1;
        w->bent[u] = w->curved[u] = true;
        return true;
    }
    if (crank_ex_is_number(p, w->slope[k], &number)) {
        w->solvable[k] = CRANK_TEAR_ALWAYS;
        w->certain[k] = true;
        return true;
    }
    w->solvable[k] =
        crank_ex_sign(p, w->slope[k], 1, &w->in->h) != 0 ? CRANK_TEAR_LIKELY : CRANK_TEAR_MAYBE;
    const bool good = look_at_slope(w, k, capacity);
    w->bent[u] = w->bent[u] || w->mixed_start[k + 1] > w->mixed_start[k];
    return good;
}

/* ---- the block ---- */

static void take_state(crank_store *store, crank_tear_state *s, size_t n, size_t entries)
{
    s->known = crank_store_take(store, n, sizeof(bool));
    s->used = crank_store_take(store, n, sizeof(bool));
    s->left = crank_store_take(store, n, sizeof(int));
    s->ready = crank_store_take(store, entries + n, sizeof(int));
}

static void take_path(crank_store *store, crank_tear_path *path, size_t n)
{
    path->unknown = crank_store_take(store, n + 1, sizeof(int));
    path->equation = crank_store_take(store, n + 1, sizeof(int));
}

static bool take_room(crank_tear *w, int entries)
{
    crank_store *store = &w->in->flat->store;
    const size_t n = (size_t)w->n, all = (size_t)entries;
    w->start = crank_store_take(store, n + 1, sizeof(int));
    w->column = crank_store_take(store, all, sizeof(int));
    w->solvable = crank_store_take(store, all, 1);
    w->slope = crank_store_take(store, all, sizeof *w->slope);
    w->mixed_start = crank_store_take(store, all + 1, sizeof(int));
    w->certain = crank_store_take(store, all, sizeof(bool));
    w->at_rest = crank_store_take(store, all, sizeof(bool));
    w->row_start = crank_store_take(store, n + 2, sizeof(int));
    w->row = crank_store_take(store, all, sizeof(int));
    w->row_entry = crank_store_take(store, all, sizeof(int));
    w->residual = crank_store_take(store, n, sizeof(bool));
    w->bent = crank_store_take(store, n, sizeof(bool));
    w->curved = crank_store_take(store, n, sizeof(bool));
    take_state(store, &w->now, n, all);
    take_state(store, &w->trial, n, all);
    take_state(store, &w->inside, n, all);
    take_path(store, &w->path, n);
    take_path(store, &w->inner, n);
    w->out->item = crank_store_take(store, n, sizeof *w->out->item);
    w->out->torn = crank_store_take(store, n, sizeof(int));
    w->out->residual = crank_store_take(store, n, sizeof(int));
    return !store->failed;
}

static void sort_by_unknowns(crank_tear *w)
{
    for (int k = 0; k < w->start[w->n]; k++) {
        w->row_start[w->column[k] + 2]++;
    }
    for (int u = 0; u < w->n; u++) {
        w->row_start[u + 2] += w->row_start[u + 1];
    }
    for (int e = 0; e < w->n; e++) {
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            const int at = w->row_start[w->column[k] + 1]++;
            w->row[at] = e;
            w->row_entry[at] = k;
        }
    }
}

crank_status crank_tear_open(crank_tear *w)
{
    int entries = 0, used = 0, capacity = 0;
    for (int e = 0; e < w->n; e++) {
        entries += crank_tear_equation(w, e)->column_count;
    }
    if (!take_room(w, entries)) {
        return no_memory(w->err);
    }
    for (int e = 0; e < w->n; e++) {
        const crank_inline_equation *q = crank_tear_equation(w, e);
        for (int k = 0; k < q->column_count; k++) {
            const int u = w->in->local[q->column[k]];
            if (u < 0) {
                continue;
            }
            w->column[used] = u;
            if (!look_at_entry(w, q, q->column[k], used++, &capacity)) {
                return no_memory(w->err);
            }
        }
        w->start[e + 1] = used;
        w->now.left[e] = used - w->start[e];
        if (w->now.left[e] == 1) {
            w->now.ready[w->now.ready_count++] = e;
        }
    }
    sort_by_unknowns(w);
    return CRANK_OK;
}

/* ---- what follows ---- */

void crank_tear_copy(const crank_tear *w, crank_tear_state *to, const crank_tear_state *from)
{
    const size_t n = (size_t)w->n;
    memcpy(to->known, from->known, n * sizeof *to->known);
    memcpy(to->used, from->used, n * sizeof *to->used);
    memcpy(to->left, from->left, n * sizeof *to->left);
    to->count = from->count;
    to->ready_count = 0;
}

void crank_tear_know(const crank_tear *w, crank_tear_state *s, int u)
{
    s->known[u] = true;
    s->count++;
    for (int at = w->row_start[u]; at < w->row_start[u + 1]; at++) {
        const int e = w->row[at];
        if (--s->left[e] == 1 && !s->used[e]) {
            s->ready[s->ready_count++] = e;
        }
    }
}

void crank_tear_settle(const crank_tear *w, crank_tear_state *s, int least,
                       crank_tear_path *path)
{
    while (s->ready_count > 0) {
        const int e = s->ready[--s->ready_count];
        if (s->used[e] || s->left[e] != 1) {
            continue;
        }
        int k = w->start[e];
        while (s->known[w->column[k]]) {
            k++;
        }
        if (w->solvable[k] < least) {
            continue;
        }
        if (path != NULL) {
            path->unknown[path->count] = w->column[k];
            path->equation[path->count++] = e;
        }
        s->used[e] = true;
        crank_tear_know(w, s, w->column[k]);
    }
}

crank_inline_item crank_tear_item(const crank_tear *w, int u, int e)
{
    crank_pool *p = w->in->flat->pool;
    const crank_inline_equation *q = crank_tear_equation(w, e);
    crank_inline_item item = {.unknown = w->block->unknown[u],
                              .equation = w->block->equation[e],
                              .ex = -1,
                              .pivot = -1};
    double number;
    if (q->kind == CRANK_INLINE_MODEL) {
        crank_ex slope = -1;
        item.ex = crank_ex_isolate(p, q->ex, crank_tear_symbol(w, u), &slope);
        item.pivot = crank_ex_is_number(p, slope, &number) ? -1 : slope;
    }
    return item;
}
