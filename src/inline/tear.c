/* tear.c - how a block is solved: some unknowns are taken as known (torn), the others follow
 * from them one by one, and equations that are left over are the residuals of Newton's
 * iteration on the torn ones, theory (13.4) [EO94].
 *
 * Greedy: an equation with one unknown left, in which that is linear, gives it. Where there is
 * none, a small linear system in what is left that one of its unknowns tears is solved in
 * closed form, theory (13.5); else that unknown is torn by which most others become known, above all
 * those that equations are not linear in.
 *
 * What an unknown is multiplied by may vanish in the run unless it is a number; the safe way
 * divides by numbers alone. The rule of a step x = h x' + old(x) gives x and never x': nothing
 * is divided by h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

#include "base/then.h"

#include <btf.h>
#include <math.h>
#include <string.h>

enum { NEVER, MAYBE, ALWAYS }; /* can an equation be solved for an unknown? */
enum {
    MOST_LINEAR = 60,
    CANDIDATES = 64, /* unknowns of a linear system; looked at as torn */
    ALL_BELOW = 300,
    LINEAR_BELOW = 500
};

typedef struct work {
    crank_inline *in;
    crank_inline_block *block;
    crank_inline_tearing *out;
    int least; /* MAYBE or ALWAYS */
    bool own;
    int n;
    int *start, *column; /* by equations: local unknowns */
    signed char *solvable;
    int *row_start, *row, *row_entry; /* by unknowns: local equations, and which entry */
    int *left;                        /* equations: unknowns that are not known yet */
    bool *known, *used;
    bool *kept; /* equations: residuals, whatever they could give */
    bool *bent; /* unknowns: some equation is not linear in it and the others at once */
    int *ready, ready_count; /* equations with one unknown left */
    /* what would follow */
    int *stamp_unknown, *stamp_equation, *would_left, stamp;
    int *path_unknown, *path_equation, path_count;
    bool *mask; /* equations that count; all true outside of linear systems */
    crank_error *err;
} work;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "tearing a block");
}

/* ---- the block ---- */

static crank_inline_equation *equation_of(const work *w, int e)
{
    return &w->in->equation[w->block->equation[e]];
}

static crank_ex symbol_of(const work *w, int u)
{
    return w->in->unknown[w->block->unknown[u]].symbol;
}

/* does ex contain unknowns of the block? */
static bool contains_unknowns(const work *w, crank_ex ex)
{
    crank_ex symbols[64];
    const int count = crank_ex_symbols(w->in->flat->pool, ex, symbols, 64);
    for (int k = 0; k < count && k < 64; k++) {
        const int u = crank_inline_unknown_of(w->in, symbols[k]);
        if (u >= 0 && w->in->local[u] >= 0) {
            return true;
        }
    }
    return count > 64;
}

static signed char can_solve(const work *w, const crank_inline_equation *q, int unknown)
{
    double number;
    crank_ex slope = -1;
    const int u = w->in->local[unknown];
    if (q->kind == CRANK_INLINE_CHOICE) {
        return NEVER;
    }
    if (q->kind == CRANK_INLINE_STATE) {
        return q->unknown == unknown ? ALWAYS : NEVER;
    }
    if (crank_ex_isolate(w->in->flat->pool, q->ex, w->in->unknown[unknown].symbol, &slope) <
        0) {
        w->bent[u] = true;
        return NEVER;
    }
    if (crank_ex_is_number(w->in->flat->pool, slope, &number)) {
        return ALWAYS;
    }
    w->bent[u] = w->bent[u] || contains_unknowns(w, slope);
    return MAYBE;
}

static bool take_room(work *w, int entries)
{
    crank_store *store = &w->in->flat->store;
    const size_t n = (size_t)w->n, all = (size_t)entries;
    w->start = crank_store_take(store, n + 1, sizeof(int));
    w->column = crank_store_take(store, all, sizeof(int));
    w->solvable = crank_store_take(store, all, 1);
    w->row_start = crank_store_take(store, n + 2, sizeof(int));
    w->row = crank_store_take(store, all, sizeof(int));
    w->row_entry = crank_store_take(store, all, sizeof(int));
    w->left = crank_store_take(store, n, sizeof(int));
    w->known = crank_store_take(store, n, sizeof(bool));
    w->used = crank_store_take(store, n, sizeof(bool));
    w->bent = crank_store_take(store, n, sizeof(bool));
    w->kept = crank_store_take(store, n, sizeof(bool));
    w->ready = crank_store_take(store, all + n, sizeof(int));
    w->stamp_unknown = crank_store_take(store, n, sizeof(int));
    w->stamp_equation = crank_store_take(store, n, sizeof(int));
    w->would_left = crank_store_take(store, n, sizeof(int));
    w->path_unknown = crank_store_take(store, n + 1, sizeof(int));
    w->path_equation = crank_store_take(store, n + 1, sizeof(int));
    w->mask = crank_store_take(store, n, sizeof(bool));
    w->out->item = crank_store_take(store, n, sizeof *w->out->item);
    w->out->torn = crank_store_take(store, n, sizeof(int));
    w->out->residual = crank_store_take(store, n, sizeof(int));
    return !store->failed;
}

static crank_status take_block(work *w)
{
    int entries = 0, used = 0;
    for (int e = 0; e < w->n; e++) {
        entries += equation_of(w, e)->column_count;
    }
    if (!take_room(w, entries)) {
        return no_memory(w->err);
    }
    for (int e = 0; e < w->n; e++) {
        const crank_inline_equation *q = equation_of(w, e);
        for (int k = 0; k < q->column_count; k++) {
            const int u = w->in->local[q->column[k]];
            if (u >= 0) {
                w->column[used] = u;
                w->solvable[used++] = can_solve(w, q, q->column[k]);
                w->row_start[u + 2]++;
            }
        }
        w->start[e + 1] = used;
        w->left[e] = used - w->start[e];
        w->mask[e] = true;
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
    return CRANK_OK;
}

/* ---- what follows ---- */

/* the unknown of e that is left, and the entry */
static int last_of(const work *w, int e, bool would, int *entry)
{
    for (int k = w->start[e]; k < w->start[e + 1]; k++) {
        const int u = w->column[k];
        if (!w->known[u] && (!would || w->stamp_unknown[u] != w->stamp)) {
            *entry = k;
            return u;
        }
    }
    return -1;
}

/* How many would be known if u were; in path, in their order. */
static int follow(work *w, int u)
{
    w->stamp++;
    w->path_count = 0;
    w->path_unknown[w->path_count] = u;
    w->path_equation[w->path_count++] = -1;
    w->stamp_unknown[u] = w->stamp;
    for (int i = 0; i < w->path_count; i++) {
        const int v = w->path_unknown[i];
        for (int at = w->row_start[v]; at < w->row_start[v + 1]; at++) {
            const int e = w->row[at];
            if (w->used[e] || !w->mask[e]) {
                continue;
            }
            if (w->stamp_equation[e] != w->stamp) {
                w->stamp_equation[e] = w->stamp;
                w->would_left[e] = w->left[e];
            }
            int entry = 0;
            if (--w->would_left[e] != 1) {
                continue;
            }
            const int next = last_of(w, e, true, &entry);
            if (next >= 0 && w->solvable[entry] >= w->least) {
                w->stamp_unknown[next] = w->stamp;
                w->path_unknown[w->path_count] = next;
                w->path_equation[w->path_count++] = e;
            }
        }
    }
    return w->path_count;
}

static void make_known(work *w, int u)
{
    w->known[u] = true;
    for (int at = w->row_start[u]; at < w->row_start[u + 1]; at++) {
        const int e = w->row[at];
        if (--w->left[e] == 1 && !w->used[e]) {
            w->ready[w->ready_count++] = e;
        }
    }
}

/* unknown u from equation e */
static void add_item(work *w, int u, int e)
{
    crank_pool *p = w->in->flat->pool;
    const crank_inline_equation *q = equation_of(w, e);
    crank_inline_item *item = &w->out->item[w->out->item_count++];
    double number;
    *item = (crank_inline_item){.unknown = w->block->unknown[u],
                                .equation = w->block->equation[e],
                                .ex = -1,
                                .pivot = -1};
    if (q->kind == CRANK_INLINE_MODEL) {
        crank_ex slope = -1;
        item->ex = crank_ex_isolate(p, q->ex, symbol_of(w, u), &slope);
        if (!crank_ex_is_number(p, slope, &number)) {
            item->pivot = slope;
            w->out->pivot_count++;
        }
    }
    w->used[e] = true;
    make_known(w, u);
}

/* all that follows from what is known */
static void settle(work *w)
{
    while (w->ready_count > 0) {
        const int e = w->ready[--w->ready_count];
        int entry = 0;
        if (w->used[e] || w->left[e] != 1) {
            continue;
        }
        const int u = last_of(w, e, false, &entry);
        if (w->solvable[entry] >= w->least) {
            add_item(w, u, e);
        }
    }
}

/* ---- linear systems within ---- */

/* Does the slope contain h alone, and is it no zero for h = 0? */
static bool is_lasting(const work *w, crank_ex slope)
{
    crank_pool *p = w->in->flat->pool;
    crank_ex symbol[2];
    const crank_ex zero = crank_ex_number(p, 0.0);
    double number = 0.0;
    const int count = crank_ex_symbols(p, slope, symbol, 2);
    if (count == 1 && symbol[0] == w->in->h) {
        slope = crank_ex_substitute(p, slope, 1, &w->in->h, &zero);
    }
    return count <= 1 && crank_ex_is_number(p, slope, &number) && fabs(number) > 0.0;
}

/* The residual e with all of the path put into it, an expression of the first one; -1: none. */
static crank_ex put_together(work *w, int e)
{
    crank_flat *flat = w->in->flat;
    crank_pool *p = flat->pool;
    const size_t count = (size_t)w->path_count;
    crank_ex *symbol = crank_store_take(&flat->store, 2 * count, sizeof *symbol);
    if (symbol == NULL) {
        return -1;
    }
    crank_ex *value = symbol + count;
    for (int i = 1; i < w->path_count; i++) {
        const crank_inline_equation *q = equation_of(w, w->path_equation[i]);
        crank_ex slope = -1;
        symbol[i - 1] = symbol_of(w, w->path_unknown[i]);
        const crank_ex ex = crank_ex_isolate(p, q->ex, symbol[i - 1], &slope);
        value[i - 1] = crank_ex_substitute(p, ex, i - 1, symbol, value);
    }
    return crank_ex_substitute(p, equation_of(w, e)->ex, w->path_count - 1, symbol, value);
}

/* Closed form of the system of equations that the mask has, torn by u, whose path is there. */
static bool solve_linear(work *w, int u, int residual)
{
    crank_pool *p = w->in->flat->pool;
    const crank_ex ex = put_together(w, residual);
    crank_ex slope = -1;
    const crank_ex value = ex >= 0 ? crank_ex_isolate(p, ex, symbol_of(w, u), &slope) : -1;
    if (value < 0 || (!is_lasting(w, slope) && w->least == ALWAYS)) {
        return false;
    }
    const bool lasting = is_lasting(w, slope);
    crank_inline_item *item = &w->out->item[w->out->item_count++];
    *item = (crank_inline_item){.unknown = w->block->unknown[u],
                                .ex = value,
                                .pivot = lasting ? -1 : slope,
                                .equation = w->block->equation[residual]};
    w->out->pivot_count += !lasting;
    w->used[residual] = true;
    make_known(w, u);
    for (int i = 1; i < w->path_count; i++) {
        add_item(w, w->path_unknown[i], w->path_equation[i]);
    }
    return true;
}

static bool is_linear(const work *w, int count, const int *equation, const int *unknown)
{
    const crank_inline *in = w->in;
    crank_ex symbol[MOST_LINEAR];
    for (int i = 0; i < count; i++) {
        symbol[i] = symbol_of(w, unknown[i]);
    }
    for (int i = 0; i < count; i++) {
        const crank_inline_equation *q = equation_of(w, equation[i]);
        if (q->kind == CRANK_INLINE_CHOICE || (q->kind == CRANK_INLINE_STATE && in->coupled) ||
            (q->kind == CRANK_INLINE_MODEL &&
             !crank_ex_is_affine(in->flat->pool, q->ex, count, symbol))) {
            return false;
        }
    }
    return true;
}

/* One unknown from which all the others of the system follow; solved if there is one. */
static bool try_system(work *w, int count, const int *equation, const int *unknown)
{
    bool solved = false;
    if (count > MOST_LINEAR || !is_linear(w, count, equation, unknown)) {
        return false;
    }
    memset(w->mask, 0, (size_t)w->n * sizeof *w->mask);
    for (int i = 0; i < count; i++) {
        w->mask[equation[i]] = true;
    }
    for (int i = 0; i < count && !solved; i++) {
        if (follow(w, unknown[i]) != count) {
            continue;
        }
        int residual = -1;
        for (int k = 0; k < count; k++) {
            bool taken = false;
            for (int j = 1; j < w->path_count; j++) {
                taken = taken || w->path_equation[j] == equation[k];
            }
            residual = taken ? residual : equation[k];
        }
        solved = residual >= 0 && solve_linear(w, unknown[i], residual);
    }
    for (int e = 0; e < w->n; e++) {
        w->mask[e] = true;
    }
    return solved;
}

/* What is left, sorted: a linear system of it that needs nothing else. *found; *solved: it was
 * torn by one unknown. */
static crank_status find_system(work *w, bool *solved)
{
    crank_store *store = &w->in->flat->store;
    const size_t n = (size_t)w->n;
    int *number = crank_store_take(store, n, sizeof *number);
    int *unknown = crank_store_take(store, n, sizeof *unknown);
    int *equation = crank_store_take(store, n, sizeof *equation);
    int *start = crank_store_take(store, 2 * (n + 1), sizeof *start);
    int *row = crank_store_take(store, 2 * (size_t)w->start[w->n], sizeof *row);
    int *match = crank_store_take(store, 3 * (n + 1), sizeof *match);
    int *space = crank_store_take(store, 5 * (n + 1), sizeof *space);
    int unknowns = 0, equations = 0;
    double effort = 0.0;
    *solved = false;
    if (store->failed) {
        return no_memory(w->err);
    }
    for (int u = 0; u < w->n; u++) {
        number[u] = w->known[u] ? -1 : unknowns;
        if (!w->known[u]) {
            unknown[unknowns++] = u;
        }
    }
    for (int e = 0; e < w->n; e++) {
        if (w->used[e] || w->left[e] == 0) {
            continue;
        }
        equation[equations] = e;
        start[equations + 1] = start[equations];
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            if (number[w->column[k]] >= 0) {
                row[start[equations + 1]++] = number[w->column[k]];
            }
        }
        equations++;
    }
    if (btf_maxtrans(unknowns, equations, start, row, 0.0, &effort, match, space) < unknowns) {
        return CRANK_OK;
    }
    int *start2 = start + n + 1, *row2 = row + w->start[w->n], *order = match + n + 1,
        *limit = match + 2 * (n + 1);
    for (int j = 0; j < unknowns; j++) {
        start2[j + 1] = start2[j];
        for (int k = start[match[j]]; k < start[match[j] + 1]; k++) {
            row2[start2[j + 1]++] = row[k];
        }
    }
    const int blocks = btf_strongcomp(unknowns, start2, row2, NULL, order, limit, space);
    /* the first one needs nothing else */
    const int size = blocks > 0 ? limit[1] : 0;
    if (size < 2 || size > MOST_LINEAR) {
        return CRANK_OK;
    }
    int of_equation[MOST_LINEAR], of_unknown[MOST_LINEAR];
    int derivatives = 0;
    for (int i = 0; i < size; i++) { /* derivatives first: they are what is torn with a rule */
        const int u = unknown[order[i]];
        of_equation[i] = equation[match[order[i]]];
        of_unknown[i] = u;
        if (w->in->unknown[w->block->unknown[u]].previous >= 0) {
            of_unknown[i] = of_unknown[derivatives];
            of_unknown[derivatives++] = u;
        }
    }
    *solved = try_system(w, size, of_equation, of_unknown);
    return CRANK_OK;
}

/* ---- torn unknowns ---- */

/* One that no equation gives, and that is torn sooner or later; -1: none. */
static int find_needed(const work *w)
{
    for (int u = 0; u < w->n; u++) {
        bool given = w->known[u];
        for (int at = w->row_start[u]; at < w->row_start[u + 1] && !given; at++) {
            given = !w->used[w->row[at]] && w->solvable[w->row_entry[at]] >= w->least;
        }
        if (!given) {
            return u;
        }
    }
    return -1;
}

/* What follows from u, above all what equations are not linear in: once all of that is known a
 * linear system is left. */
static long worth(work *w, int u)
{
    const int gain = follow(w, u);
    int bent = 0;
    for (int i = 0; i < w->path_count; i++) {
        bent += w->bent[w->path_unknown[i]];
    }
    return (long)bent * (w->n + 1) + gain;
}

/* of many unknowns only those that occur most are looked at */
static int choose_torn(work *w)
{
    long most = 0;
    const int needed = find_needed(w);
    if (needed >= 0) {
        return needed;
    }
    int best = -1, least_rows = 0, looked = 0;
    if (w->n > ALL_BELOW) {
        for (int u = 0; u < w->n; u++) {
            const int rows = w->row_start[u + 1] - w->row_start[u];
            least_rows = !w->known[u] && rows > least_rows ? rows : least_rows;
        }
    }
    while (best < 0 && least_rows >= 0) {
        for (int u = 0; u < w->n && looked < (w->n > ALL_BELOW ? CANDIDATES : w->n); u++) {
            if (w->known[u] || w->row_start[u + 1] - w->row_start[u] < least_rows) {
                continue;
            }
            const long gain = worth(w, u);
            looked++;
            if (gain > most) {
                best = u;
                most = gain;
            }
        }
        least_rows--;
    }
    return best;
}

/* The equation that is matched with u becomes a residual: what is left can be matched. A rule
 * x = h x' + old(x) gives x; if it is matched with x', that of x is taken. */
static void keep_own(work *w, int u)
{
    const crank_inline *in = w->in;
    const int unknown = w->block->unknown[u];
    const crank_inline_equation *q = equation_of(w, u); /* blocks list both alike (sort.c) */
    const int e =
        q->kind == CRANK_INLINE_STATE && q->unknown != unknown ? in->local[q->unknown] : u;
    if (e >= 0 && !w->used[e]) {
        w->used[e] = w->kept[e] = true;
    }
}

static crank_status tear_block(work *w)
{
    crank_status status = CRANK_OK;
    int before = -1;
    for (int e = 0; e < w->n; e++) {
        if (w->left[e] == 1) {
            w->ready[w->ready_count++] = e;
        }
    }
    for (;;) {
        bool solved = false;
        settle(w);
        const int left = w->n - w->out->item_count - w->out->torn_count;
        if (left == 0 || status != CRANK_OK) {
            break;
        }
        if (left <= LINEAR_BELOW && left != before) {
            before = left;
            status = find_system(w, &solved);
        }
        if (!solved && status == CRANK_OK) {
            const int u = choose_torn(w);
            w->out->torn[w->out->torn_count++] = w->block->unknown[u];
            if (w->own) {
                keep_own(w, u);
            }
            make_known(w, u);
        }
    }
    int residuals = 0;
    for (int e = 0; e < w->n; e++) {
        if (!w->used[e] || w->kept[e]) {
            w->out->residual[residuals++] = w->block->equation[e];
        }
    }
    return status;
}

/* in all unknowns of the block at once */
static bool is_block_linear(const work *w)
{
    crank_flat *flat = w->in->flat;
    bool linear = true;
    for (int e = 0; e < w->n && linear; e++) {
        const crank_inline_equation *q = equation_of(w, e);
        const int count = w->start[e + 1] - w->start[e];
        crank_ex *symbol = crank_store_take(&flat->store, (size_t)count, sizeof *symbol);
        if (symbol == NULL) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            symbol[k] = symbol_of(w, w->column[w->start[e] + k]);
        }
        linear = q->kind != CRANK_INLINE_MODEL ||
                 crank_ex_is_affine(flat->pool, q->ex, count, symbol);
    }
    return linear;
}

crank_status crank_inline_tear(crank_inline *in, crank_inline_block *block, bool safe, bool own,
                               crank_inline_tearing *out, crank_error *err)
{
    work w = {.in = in,
              .block = block,
              .out = out,
              .least = safe ? ALWAYS : MAYBE,
              .own = own,
              .n = block->size,
              .err = err};
    *out = (crank_inline_tearing){0};
    for (int i = 0; i < block->size; i++) {
        in->local[block->unknown[i]] = i;
    }
    crank_status status = take_block(&w);
    if (status == CRANK_OK) {
        block->linear = is_block_linear(&w);
        status = tear_block(&w);
    }
    for (int i = 0; i < block->size; i++) {
        in->local[block->unknown[i]] = -1;
    }
    return status == CRANK_OK ? crank_flat_status(in->flat, err) : status;
}
