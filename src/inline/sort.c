/* sort.c - the union of model and discretisation in the order of its solution: matched and
 * sorted into strong components by SuiteSparse's BTF [Duf81] [DR78], theory (11.5). */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

#include "base/then.h"

#include <btf.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "sorting equations");
}

/* Can equation q have its k-th unknown as partner? The rule of a step can have x alone: so the
 * pairs are those of h = 0, too. */
static bool can_match(const crank_inline_equation *q, int k)
{
    return q->kind == CRANK_INLINE_MODEL ||
           (q->kind == CRANK_INLINE_STATE ? q->column[k] == q->unknown : k % 2 == 0);
}

static crank_status match(crank_inline *in, crank_error *err)
{
    crank_store *store = &in->flat->store;
    const size_t m = (size_t)in->equation_count, n = (size_t)in->unknown_count;
    int entries = 0, used = 0;
    for (int e = 0; e < in->equation_count; e++) {
        entries += in->equation[e].column_count;
    }
    int *start = crank_store_take(store, m + 1, sizeof *start);
    int *row = crank_store_take(store, (size_t)entries, sizeof *row);
    in->matched = crank_store_take(store, n, sizeof *in->matched);
    int *work = crank_store_take(store, 5 * (m + 1), sizeof *work);
    double effort = 0.0;
    if (store->failed) {
        return no_memory(err);
    }
    for (int e = 0; e < in->equation_count; e++) {
        const crank_inline_equation *q = &in->equation[e];
        for (int k = 0; k < q->column_count; k++) {
            if (can_match(q, k)) {
                row[used++] = q->column[k];
            }
        }
        start[e + 1] = used;
    }
    const int rank =
        m == n ? btf_maxtrans((int)n, (int)m, start, row, 0.0, &effort, in->matched, work) : -1;
    return rank == (int)n ? CRANK_OK
                          : crank_fail(err, CRANK_EREFUSED,
                                       "%d equations, %d unknowns of the discretised system "
                                       "do not fit",
                                       (int)m, (int)n);
}

static crank_status fill_block(const crank_inline *in, const int *unknown, int size,
                               crank_inline_block *b, crank_error *err)
{
    crank_store *store = &in->flat->store;
    b->size = size;
    b->unknown = crank_store_take(store, (size_t)size, sizeof *b->unknown);
    b->equation = crank_store_take(store, (size_t)size, sizeof *b->equation);
    if (store->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < size; i++) {
        b->unknown[i] = unknown[i];
        b->equation[i] = in->matched[unknown[i]];
    }
    return CRANK_OK;
}

/* Pivots that may pass zero are worth their risk where they leave half of the unknowns that those
 * of one sign leave; these where they leave fewer than numbers do. */
static crank_status choose_way(crank_inline *in, crank_inline_block *block, crank_error *err)
{
    crank_inline_tearing *torn = &block->torn, *safe = &block->safe, fair = {0};
    crank_status status = crank_inline_tear(in, block, CRANK_INLINE_ANY_PIVOT, torn, err);
    if (status != CRANK_OK || torn->pivot_count == 0 || block->size == 1) {
        return status;
    }
    status = crank_inline_tear(in, block, CRANK_INLINE_SAFE_PIVOT, safe, err);
    if (torn->torn_count < safe->torn_count) {
        CRANK_THEN(status, crank_inline_tear(in, block, CRANK_INLINE_SIGNED_PIVOT, &fair, err));
        if (2 * torn->torn_count > fair.torn_count) {
            *torn = fair;
        }
    }
    block->has_safe = torn->torn_count < safe->torn_count && torn->pivot_count > 0;
    if (torn->torn_count >= safe->torn_count) {
        *torn = *safe;
    }
    return status;
}

crank_status crank_inline_sort(crank_inline *in, crank_error *err)
{
    crank_store *store = &in->flat->store;
    crank_status status = match(in, err);
    int entries = 0;
    if (status != CRANK_OK) {
        return status;
    }
    const size_t n = (size_t)in->unknown_count;
    for (int e = 0; e < in->equation_count; e++) {
        entries += in->equation[e].column_count;
    }
    int *start = crank_store_take(store, n + 1, sizeof *start);
    int *row = crank_store_take(store, (size_t)entries, sizeof *row);
    int *order = crank_store_take(store, n, sizeof *order);
    int *limit = crank_store_take(store, n + 1, sizeof *limit);
    int *work = crank_store_take(store, 4 * (n + 1), sizeof *work);
    if (store->failed) {
        return no_memory(err);
    }
    /* column j: the unknowns in the equation that is matched with unknown j */
    for (int j = 0; j < in->unknown_count; j++) {
        const crank_inline_equation *q = &in->equation[in->matched[j]];
        start[j + 1] = start[j];
        for (int k = 0; k < q->column_count; k++) {
            row[start[j + 1]++] = q->column[k];
        }
    }
    in->block_count = btf_strongcomp((int)n, start, row, NULL, order, limit, work);
    in->block = crank_store_take(store, (size_t)in->block_count, sizeof *in->block);
    in->local = crank_store_take(store, n, sizeof *in->local);
    status = store->failed ? no_memory(err) : CRANK_OK;
    for (int j = 0; j < in->unknown_count && status == CRANK_OK; j++) {
        in->local[j] = -1;
    }
    for (int b = 0; b < in->block_count && status == CRANK_OK; b++) {
        crank_inline_block *block = &in->block[b];
        status = fill_block(in, order + limit[b], limit[b + 1] - limit[b], block, err);
        CRANK_THEN(status, choose_way(in, block, err));
    }
    return status;
}

crank_status crank_inline_translate(crank_flat *flat, bool coupled, crank_inline *out,
                                    crank_error *err)
{
    *out = (crank_inline){.flat = flat, .coupled = coupled};
    out->h = crank_ex_symbol(flat->pool, "h#");
    crank_status status = crank_inline_reduce_index(out, err);
    CRANK_THEN(status, crank_inline_choose_states(out, err));
    CRANK_THEN(status, crank_inline_find_told(out, err));
    CRANK_THEN(status, crank_inline_sort(out, err));
    return status == CRANK_OK ? crank_flat_status(flat, err) : status;
}
