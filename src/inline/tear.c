/* tear.c - how a block is solved: some unknowns are taken as known (torn), the others follow
 * from them one by one or as linear systems, and equations that are left over are the residuals
 * of Newton's iteration on the torn ones, theory (13.4) [EO94].
 *
 * That unknown is torn by which most others become known, linear systems within what is then left
 * (tear_linear.c) included. Which of the many are looked at so: derivatives of states, since
 * x = h x' + old(x) gives x and never x'; unknowns that no equation gives; and those from which
 * most others follow one by one.
 *
 * In large blocks nothing is tried: the equation that is matched with a torn unknown is a
 * residual, so that nothing is followed through a long chain, and time is linear in the size. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/tear.h"

#include "base/then.h"

#include <string.h>

enum { LARGE = 1000, BEST = 24, LOOKED_AT = 200 };

static void add_items(crank_tear *w)
{
    for (int i = 0; i < w->path.count; i++) {
        crank_inline_item *item = &w->out->item[w->out->item_count++];
        *item = crank_tear_item(w, w->path.unknown[i], w->path.equation[i]);
        w->out->pivot_count += item->pivot >= 0;
    }
    w->path.count = 0;
}

static void tear_unknown(crank_tear *w, int u)
{
    w->out->torn[w->out->torn_count++] = w->block->unknown[u];
    crank_tear_know(w, &w->now, u);
}

/* What the model says is torn, and where its residual is. */
static crank_status tear_told(crank_tear *w)
{
    for (int e = 0; e < w->n; e++) {
        const int number = crank_tear_equation(w, e)->tear - 1;
        const crank_flat_tear *t = number >= 0 ? &w->in->flat->tear[number] : NULL;
        const int unknown = number >= 0 ? w->in->told[number] : -1,
                  u = unknown >= 0 ? w->in->local[unknown] : -1;
        if (u < 0) {
            continue;
        }
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            if (t->kind == CRANK_FLAT_LINRESIDUE && w->column[k] == u && w->slope[k] < 0) {
                return crank_fail_at(
                    w->err, CRANK_EMODEL, t->place.line, t->place.column,
                    "linresidue(%.60s): the equation is not linear in it; use residue()",
                    crank_ex_symbol_name(w->in->flat->pool, t->symbol));
            }
        }
        if (t->kind == CRANK_FLAT_RESIDUE && !w->now.known[u]) {
            w->now.used[e] = w->residual[e] = true;
            tear_unknown(w, u);
        }
    }
    return CRANK_OK;
}

static bool is_never(const crank_tear *w, int u)
{
    return w->in->unknown[w->block->unknown[u]].never;
}

static void find_residuals(crank_tear *w)
{
    int residuals = 0;
    for (int e = 0; e < w->n; e++) {
        if (!w->now.used[e] || w->residual[e]) {
            w->out->residual[residuals++] = w->block->equation[e];
        }
    }
}

/* ---- small blocks ---- */

/* What would be known with u, one by one. */
static int follow(crank_tear *w, int u)
{
    crank_tear_copy(w, &w->trial, &w->now);
    crank_tear_know(w, &w->trial, u);
    crank_tear_settle(w, &w->trial, w->least, NULL);
    return w->trial.count - w->now.count;
}

/* With linear systems, too; of equal ones that from which more follows that equations are not
 * linear in, or, of curved ones alone, the other way round. */
static crank_status weigh(crank_tear *w, int u, long *worth)
{
    crank_status status = CRANK_OK;
    int before = -1, bent = 0;
    (void)follow(w, u);
    while (status == CRANK_OK && w->trial.count < w->n && w->trial.count > before) {
        before = w->trial.count;
        status = crank_tear_solve_linear(w, &w->trial, false);
        crank_tear_settle(w, &w->trial, w->least, NULL);
    }
    for (int v = 0; v < w->n; v++) {
        const bool counts = w->curved_first ? w->curved[v] : w->bent[v];
        bent += counts && w->trial.known[v] && !w->now.known[v];
    }
    const long all = w->trial.count - w->now.count;
    *worth = w->curved_first ? bent * (w->n + 1L) + all : all * (w->n + 1L) + bent;
    return status;
}

/* x' of a state whose rule is in the block, or without an equation that gives it */
static bool is_natural(const crank_tear *w, int u)
{
    const crank_inline_unknown *x = &w->in->unknown[w->block->unknown[u]];
    if (x->previous >= 0 && w->in->local[x->previous] >= 0 &&
        w->in->unknown[x->previous].old >= 0) {
        return true;
    }
    for (int at = w->row_start[u]; at < w->row_start[u + 1]; at++) {
        if (!w->now.used[w->row[at]] && w->solvable[w->row_entry[at]] >= w->least) {
            return false;
        }
    }
    return true;
}

/* into list: what is looked at; their number */
static int find_candidates(crank_tear *w, int *list, int *gain)
{
    int count = 0, best = 0;
    bool any = false;
    for (int u = 0; u < w->n; u++) {
        any = any || (!w->now.known[u] && !is_never(w, u));
    }
    for (int u = 0; u < w->n; u++) {
        if (w->now.known[u] || (any && is_never(w, u))) {
            continue;
        }
        if (is_natural(w, u)) {
            if (count < LOOKED_AT) {
                list[BEST + count++] = u;
            }
            continue;
        }
        const int found = follow(w, u);
        int k = best < BEST ? best++ : found > gain[BEST - 1] ? BEST - 1 : BEST;
        for (; k < BEST && k > 0 && gain[k - 1] < found; k--) {
            gain[k] = gain[k - 1];
            list[k] = list[k - 1];
        }
        if (k < BEST) {
            gain[k] = found;
            list[k] = u;
        }
    }
    memmove(list + best, list + BEST, (size_t)count * sizeof *list);
    return best + count;
}

static crank_status choose_torn(crank_tear *w, int *torn)
{
    int list[BEST + LOOKED_AT] = {0}, gain[BEST] = {0};
    const int count = find_candidates(w, list, gain);
    long most = -1;
    crank_status status = CRANK_OK;
    *torn = list[0];
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        long worth = 0;
        status = weigh(w, list[i], &worth);
        if (worth > most || (worth == most && list[i] < *torn)) {
            most = worth;
            *torn = list[i];
        }
    }
    return status;
}

static crank_status tear_small(crank_tear *w)
{
    crank_status status = CRANK_OK;
    for (;;) {
        crank_tear_settle(w, &w->now, w->least, &w->path);
        add_items(w);
        if (w->now.count == w->n || status != CRANK_OK) {
            break;
        }
        const int before = w->now.count;
        status = crank_tear_solve_linear(w, &w->now, true);
        if (w->now.count == before && status == CRANK_OK) {
            int u = -1;
            status = choose_torn(w, &u);
            tear_unknown(w, u);
        }
    }
    find_residuals(w);
    return status;
}

/* ---- large blocks ---- */

/* Derivatives of states in their order, then all others: each that does not follow is torn, and
 * its own equation is a residual. */
static void tear_large(crank_tear *w)
{
    bool *kept = w->trial.known; /* equations: residuals */
    for (int pass = 0; pass < 2; pass++) {
        for (int u = 0; u < w->n; u++) {
            crank_tear_settle(w, &w->now, w->least, &w->path);
            add_items(w);
            if (w->now.known[u] || (pass == 0 && (is_never(w, u) || !is_natural(w, u))) ||
                w->now.used[u]) {
                continue;
            }
            w->now.used[u] = kept[u] = true;
            tear_unknown(w, u);
        }
    }
    for (int u = 0; u < w->n; u++) { /* those whose own equation gave another one */
        if (!w->now.known[u]) {
            tear_unknown(w, u);
            crank_tear_settle(w, &w->now, w->least, &w->path);
            add_items(w);
        }
    }
    for (int e = 0; e < w->n; e++) {
        w->now.used[e] = w->now.used[e] && !kept[e];
    }
    find_residuals(w);
}

/* in all unknowns of the block at once */
static bool is_block_linear(const crank_tear *w)
{
    for (int e = 0; e < w->n; e++) {
        for (int k = w->start[e]; k < w->start[e + 1]; k++) {
            if (crank_tear_equation(w, e)->kind == CRANK_INLINE_MODEL &&
                (w->slope[k] < 0 || w->mixed_start[k + 1] > w->mixed_start[k])) {
                return false;
            }
        }
    }
    return true;
}

static crank_status tear(crank_inline *in, crank_inline_block *block,
                         crank_inline_pivots pivots, bool curved_first,
                         crank_inline_tearing *out, crank_error *err)
{
    static const int least[] = {[CRANK_INLINE_ANY_PIVOT] = CRANK_TEAR_MAYBE,
                                [CRANK_INLINE_SIGNED_PIVOT] = CRANK_TEAR_LIKELY,
                                [CRANK_INLINE_SAFE_PIVOT] = CRANK_TEAR_ALWAYS};
    crank_tear w = {.in = in,
                    .block = block,
                    .out = out,
                    .least = least[pivots],
                    .curved_first = curved_first,
                    .n = block->size,
                    .err = err};
    *out = (crank_inline_tearing){0};
    for (int i = 0; i < block->size; i++) {
        in->local[block->unknown[i]] = i;
    }
    crank_status status = crank_tear_open(&w);
    if (status == CRANK_OK) {
        block->linear = is_block_linear(&w);
        status = tear_told(&w);
    }
    if (status == CRANK_OK) {
        if (w.n > LARGE) {
            tear_large(&w);
        } else {
            status = tear_small(&w);
        }
    }
    for (int i = 0; i < block->size; i++) {
        in->local[block->unknown[i]] = -1;
    }
    return status == CRANK_OK ? crank_flat_status(in->flat, err) : status;
}

/* By pivots of one sign in two orders: that which leaves fewer. */
crank_status crank_inline_tear(crank_inline *in, crank_inline_block *block,
                               crank_inline_pivots pivots, crank_inline_tearing *out,
                               crank_error *err)
{
    crank_inline_tearing other;
    crank_status status = tear(in, block, pivots, false, out, err);
    if (status == CRANK_OK && pivots == CRANK_INLINE_SIGNED_PIVOT) {
        status = tear(in, block, pivots, true, &other, err);
        *out = other.torn_count < out->torn_count ? other : *out;
    }
    return status;
}
