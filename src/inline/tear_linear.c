/* tear_linear.c - linear systems among what is left of a block, theory (13.5): what is left is
 * matched and sorted again [DR78], with entries alone that are there for h = 0, and a component that
 * needs nothing else and is linear in all its unknowns at once is solved without iteration:
 * in closed form where all its unknowns follow from one of them, else as a system of its own.
 * Whether its matrix is regular tear_regular.c tells. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/tear.h"

#include "base/grow.h"

#include <btf.h>

enum { MOST_LINEAR = 200, MOST_TORN = 40, MOST_CLOSED = 60 };

typedef crank_tear_component component;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "tearing a block");
}

/* ---- is it linear? ---- */

/* in all unknowns at once: slopes are free of them. place: what is in it. */
static bool is_linear(const crank_tear *w, component *c, const int *place)
{
    c->certain = true;
    for (int i = 0; i < c->size; i++) {
        const int e = c->equation[i];
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            if (place[w->column[k]] < 0) {
                continue;
            }
            if (w->slope[k] < 0) {
                return false;
            }
            for (int q = w->mixed_start[k]; q < w->mixed_start[k + 1]; q++) {
                if (place[w->mixed[q]] >= 0) {
                    return false;
                }
            }
            c->certain = c->certain && w->certain[k];
        }
    }
    return c->certain || w->least < CRANK_TEAR_ALWAYS;
}

/* ---- how it is solved ---- */

/* Pairs of the component in w->inner, once what s knows is; how many are torn. */
static int tear_component(crank_tear *w, const crank_tear_state *known, const component *c)
{
    crank_tear_state *s = &w->inside;
    crank_tear_path *path = &w->inner;
    int torn = 0;
    crank_tear_copy(w, s, known);
    for (int e = 0; e < w->n; e++) {
        s->used[e] = true;
    }
    for (int i = 0; i < c->size; i++) {
        s->used[c->equation[i]] = false;
        if (s->left[c->equation[i]] == 1) {
            s->ready[s->ready_count++] = c->equation[i];
        }
    }
    path->count = 0;
    for (;;) {
        crank_tear_settle(w, s, CRANK_TEAR_ALWAYS, path);
        if (path->count == c->size) {
            return torn;
        }
        /* that from which most follow, derivatives first: they are what a rule needs */
        int best = -1, most = -2 * w->n - 1;
        for (int i = 0; i < c->size; i++) {
            const int u = c->unknown[i];
            if (s->known[u]) {
                continue;
            }
            const crank_inline_unknown *x = &w->in->unknown[w->block->unknown[u]];
            const bool rate = x->previous >= 0;
            const int begin = path->count, before = s->count;
            crank_tear_know(w, s, u);
            crank_tear_settle(w, s, CRANK_TEAR_ALWAYS, path);
            const int gain = 2 * (s->count - before) + rate + (x->first ? 4 * w->n : 0) -
                             (x->never ? 2 * w->n : 0);
            while (path->count > begin) { /* and back */
                path->count--;
                s->used[path->equation[path->count]] = false;
                const int v = path->unknown[path->count];
                s->known[v] = false;
                for (int at = w->row_start[v]; at < w->row_start[v + 1]; at++) {
                    s->left[w->row[at]]++;
                }
            }
            s->known[u] = false;
            for (int at = w->row_start[u]; at < w->row_start[u + 1]; at++) {
                s->left[w->row[at]]++;
            }
            s->count = before;
            if (gain > most) {
                most = gain;
                best = u;
            }
        }
        path->unknown[path->count] = best;
        path->equation[path->count++] = -1;
        crank_tear_know(w, s, best);
        torn++;
    }
}

/* equations of the component that the path does not use */
static int find_residuals(const crank_tear *w, const component *c, int *residual)
{
    int count = 0;
    for (int i = 0; i < c->size; i++) {
        if (!w->inside.used[c->equation[i]]) {
            residual[count++] = c->equation[i];
        }
    }
    return count;
}

/* The residual with all of the path put into it, an expression of the first one; -1: none. */
static crank_ex put_together(crank_tear *w, int residual)
{
    crank_flat *flat = w->in->flat;
    crank_pool *p = flat->pool;
    const crank_tear_path *path = &w->inner;
    const size_t count = (size_t)path->count;
    crank_ex *symbol = crank_store_take(&flat->store, 2 * count, sizeof *symbol);
    if (symbol == NULL) {
        return -1;
    }
    crank_ex *value = symbol + count;
    for (int i = 1; i < path->count; i++) {
        const crank_inline_equation *q = crank_tear_equation(w, path->equation[i]);
        crank_ex slope = -1;
        symbol[i - 1] = crank_tear_symbol(w, path->unknown[i]);
        const crank_ex ex = crank_ex_isolate(p, q->ex, symbol[i - 1], &slope);
        value[i - 1] = crank_ex_substitute(p, ex, i - 1, symbol, value);
    }
    return crank_ex_substitute(p, crank_tear_equation(w, residual)->ex, path->count - 1, symbol,
                               value);
}

static bool has_rule(const crank_tear *w, const component *c)
{
    bool rule = false;
    for (int i = 0; i < c->size; i++) {
        rule = rule || crank_tear_equation(w, c->equation[i])->kind == CRANK_INLINE_STATE;
    }
    return rule;
}

/* From one unknown, theory (13.5): its value, and the slope. -1: none. */
static crank_ex find_closed(crank_tear *w, int residual, crank_ex *slope)
{
    const crank_ex ex = put_together(w, residual);
    return ex >= 0 ? crank_ex_isolate(w->in->flat->pool, ex,
                                      crank_tear_symbol(w, w->inner.unknown[0]), slope)
                   : -1;
}

/* Statements of w->out. */
static bool write_closed(crank_tear *w, const component *c, int residual)
{
    const crank_tear_path *path = &w->inner;
    const int u = path->unknown[0];
    crank_ex slope = -1;
    const crank_ex value = find_closed(w, residual, &slope);
    if (value < 0) {
        return false;
    }
    w->out->item[w->out->item_count++] =
        (crank_inline_item){.unknown = w->block->unknown[u],
                            .ex = value,
                            .pivot = c->certain ? -1 : slope,
                            .equation = w->block->equation[residual]};
    w->out->pivot_count += !c->certain;
    for (int i = 1; i < path->count; i++) {
        w->out->item[w->out->item_count++] =
            crank_tear_item(w, path->unknown[i], path->equation[i]);
    }
    return true;
}

/* A system of its own. */
static bool write_system(crank_tear *w, const component *c, int torn, const int *residual)
{
    crank_store *store = &w->in->flat->store;
    const size_t size = (size_t)c->size;
    crank_inline_tearing *t = crank_store_take(store, 1, sizeof *t);
    if (t == NULL) {
        return false;
    }
    t->item = crank_store_take(store, size, sizeof *t->item);
    t->torn = crank_store_take(store, (size_t)torn, sizeof *t->torn);
    t->residual = crank_store_take(store, (size_t)torn, sizeof *t->residual);
    if (store->failed) {
        return false;
    }
    for (int i = 0; i < w->inner.count; i++) {
        const int u = w->inner.unknown[i], e = w->inner.equation[i];
        if (e < 0) {
            t->torn[t->torn_count++] = w->block->unknown[u];
        } else {
            t->item[t->item_count++] = crank_tear_item(w, u, e);
        }
    }
    for (int i = 0; i < torn; i++) {
        t->residual[i] = w->block->equation[residual[i]];
    }
    t->certain = c->certain;
    w->out->pivot_count += !c->certain;
    w->out->item[w->out->item_count++] = (crank_inline_item){
        .unknown = t->torn[0], .ex = -1, .pivot = -1, .equation = t->residual[0], .system = t};
    return true;
}

/* Do all follow from one of them? */
static bool is_closed(const crank_tear *w, const component *c, int torn)
{
    return torn == 1 && w->inner.equation[0] < 0 && c->size <= MOST_CLOSED &&
           !(w->in->coupled && has_rule(w, c));
}

/* *solved: statements are there */
static bool write_component(crank_tear *w, const component *c, bool *solved)
{
    int residual[MOST_LINEAR];
    const int torn = tear_component(w, &w->now, c);
    *solved = torn <= MOST_TORN && find_residuals(w, c, residual) == torn;
    if (!*solved) {
        return true;
    }
    if (torn == 0) { /* from outside */
        for (int i = 0; i < w->inner.count; i++) {
            w->out->item[w->out->item_count++] =
                crank_tear_item(w, w->inner.unknown[i], w->inner.equation[i]);
        }
        return true;
    }
    if (is_closed(w, c, torn) && write_closed(w, c, residual[0])) {
        return true;
    }
    *solved = c->size < w->n; /* else it is the block */
    return !*solved || write_system(w, c, torn, residual);
}

/* Is it solved in closed form by a pivot of one sign? The same one is looked at once. */
static crank_status judge_pivot(crank_tear *w, const crank_tear_state *s, const component *c,
                                bool *good)
{
    const uint64_t key = crank_tear_key(c);
    int residual[MOST_LINEAR];
    for (int i = 0; i < w->pivoted_count; i++) {
        if (w->pivoted[i].key == key) {
            *good = w->pivoted[i].regular;
            return CRANK_OK;
        }
    }
    crank_tear_judged *more =
        crank_store_grow(&w->in->flat->store, w->pivoted, w->pivoted_count,
                         &w->pivoted_capacity, sizeof *w->pivoted);
    if (more == NULL) {
        return no_memory(w->err);
    }
    const int torn = tear_component(w, s, c);
    crank_ex slope = -1;
    *good = torn == 0 || (is_closed(w, c, torn) && find_residuals(w, c, residual) == 1 &&
                          find_closed(w, residual[0], &slope) >= 0 &&
                          crank_ex_sign(w->in->flat->pool, slope, 1, &w->in->h) != 0);
    w->pivoted = more;
    w->pivoted[w->pivoted_count++] = (crank_tear_judged){key, *good};
    return CRANK_OK;
}

/* Is it solved without iteration? Its equations need nothing else that is unknown. */
static crank_status accepts(crank_tear *w, const crank_tear_state *s, component *c, bool *good)
{
    int *place = w->space;
    bool closed = true;
    *good = c->size <= MOST_LINEAR;
    for (int i = 0; i < c->size; i++) {
        place[c->unknown[i]] = i;
    }
    for (int i = 0; i < c->size && closed && *good; i++) {
        for (int k = w->start[c->equation[i]]; k < w->start[c->equation[i] + 1]; k++) {
            closed = closed && (s->known[w->column[k]] || place[w->column[k]] >= 0);
        }
    }
    *good = *good && closed && is_linear(w, c, place);
    for (int i = 0; i < c->size; i++) {
        place[c->unknown[i]] = -1;
    }
    const crank_status status = *good ? crank_tear_judge(w, c, good) : CRANK_OK;
    return *good && !c->certain && w->least == CRANK_TEAR_LIKELY && status == CRANK_OK
               ? judge_pivot(w, s, c, good)
               : status;
}

/* ---- what is left, sorted ---- */

typedef struct search {
    int unknowns, equations;
    int *number, *unknown, *equation; /* in what is left, and back */
    int *start, *row, *match, *order, *limit, *work;
} search;

static bool take_search(crank_tear *w, search *q)
{
    const size_t n = (size_t)w->n + 1, entries = (size_t)w->start[w->n] + 1;
    if (w->space == NULL) { /* once a block: place (see judge), then what a search has */
        w->space = crank_store_take(&w->in->flat->store, 13 * n + entries, sizeof(int));
        for (int u = 0; u < w->n && w->space != NULL; u++) {
            w->space[u] = -1;
        }
    }
    if (w->space == NULL) {
        return false;
    }
    int *at = w->space + n;
    int **const parts[] = {&q->number, &q->unknown, &q->equation, &q->start,
                           &q->match,  &q->order,   &q->limit};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i] = at;
        at += n;
    }
    q->work = at;
    q->row = at + 5 * n;
    return true;
}

/* entries of equations that can be solved for an unknown, for h = 0 */
static void fill_search(const crank_tear *w, const crank_tear_state *s, search *q)
{
    q->unknowns = q->equations = 0;
    q->start[0] = 0;
    for (int u = 0; u < w->n; u++) {
        q->number[u] = s->known[u] ? -1 : q->unknowns;
        if (!s->known[u]) {
            q->unknown[q->unknowns++] = u;
        }
    }
    for (int e = 0; e < w->n; e++) {
        if (s->used[e] || s->left[e] == 0) {
            continue;
        }
        int used = q->start[q->equations];
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            if (q->number[w->column[k]] >= 0 && w->slope[k] >= 0 && w->at_rest[k] &&
                (w->certain[k] || w->least < CRANK_TEAR_ALWAYS)) {
                q->row[used++] = q->number[w->column[k]];
            }
        }
        q->equation[q->equations++] = e;
        q->start[q->equations] = used;
    }
}

/* column j: unknowns of the equation that unknown j is matched with; q->match: equations */
static int sort_search(const crank_tear *w, search *q)
{
    double effort = 0.0;
    (void)btf_maxtrans(q->unknowns, q->equations, q->start, q->row, 0.0, &effort, q->match,
                       q->work);
    q->start[0] = 0;
    for (int j = 0; j < q->unknowns; j++) {
        int used = q->start[j];
        const int e = q->match[j] >= 0 ? q->equation[q->match[j]] : -1;
        q->match[j] = e;
        for (int k = e >= 0 ? w->start[e] : 0; e >= 0 && k < w->start[e + 1]; k++) {
            if (q->number[w->column[k]] >= 0) {
                q->row[used++] = q->number[w->column[k]];
            }
        }
        q->start[j + 1] = used;
    }
    return btf_strongcomp(q->unknowns, q->start, q->row, NULL, q->order, q->limit, q->work);
}

static void take_component(const crank_tear *w, crank_tear_state *s, const component *c)
{
    for (int i = 0; i < c->size; i++) {
        s->used[c->equation[i]] = true;
    }
    for (int i = 0; i < c->size; i++) {
        crank_tear_know(w, s, c->unknown[i]);
    }
}

crank_status crank_tear_solve_linear(crank_tear *w, crank_tear_state *s, bool record)
{
    search q;
    if (!take_search(w, &q)) {
        return no_memory(w->err);
    }
    fill_search(w, s, &q);
    const int count = sort_search(w, &q);
    crank_status status = CRANK_OK;
    for (int b = 0; b < count && status == CRANK_OK; b++) {
        int unknown[MOST_LINEAR], equation[MOST_LINEAR];
        component c = {
            .size = q.limit[b + 1] - q.limit[b], .unknown = unknown, .equation = equation};
        bool good = c.size <= MOST_LINEAR;
        for (int i = 0; i < c.size && good; i++) {
            const int j = q.order[q.limit[b] + i];
            unknown[i] = q.unknown[j];
            equation[i] = q.match[j];
            good = equation[i] >= 0;
        }
        status = good ? accepts(w, s, &c, &good) : CRANK_OK;
        if (good && record && status == CRANK_OK && !write_component(w, &c, &good)) {
            status = no_memory(w->err);
        }
        if (good && status == CRANK_OK) {
            take_component(w, s, &c);
        }
    }
    return status;
}
