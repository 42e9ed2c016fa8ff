/* recorded.c - pivots on the diagonal, behind recorded.h: where products and entries belong;
 * creation and memory. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "linalg/recorded_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

static int find(const int *list, int from, int to, int what)
{
    for (int e = from; e < to; e++) {
        if (list[e] == what) {
            return e;
        }
    }
    return -1;
}

/* of entry (i, j) in W; in the symmetric form also that of (j, i) */
static int place_of(const crank_recorded *r, int i, int j)
{
    const crank_recorded_order *o = &r->order;
    if (i == j) {
        return i;
    }
    const bool lower = o->step[i] > o->step[j];
    if (lower || r->symmetric) {
        const int k = lower ? o->step[j] : o->step[i];
        return o->n + find(o->l, o->l_start[k], o->l_start[k + 1], lower ? i : j);
    }
    const int k = o->step[i], offset = o->n + o->l_start[o->n];
    return offset + find(o->u, o->u_start[k], o->u_start[k + 1], j);
}

static void place_targets(crank_recorded *r)
{
    const crank_recorded_order *o = &r->order;
    long at = 0;
    for (int k = 0; k < o->n; k++) {
        for (int a = o->l_start[k]; a < o->l_start[k + 1]; a++) {
            r->l_of[a] = o->pivot[k];
            if (r->symmetric) {
                for (int b = a + 1; b < o->l_start[k + 1]; b++) {
                    r->target[at++] = place_of(r, o->l[a], o->l[b]);
                }
                continue;
            }
            const int same = find(o->u, o->u_start[k], o->u_start[k + 1], o->l[a]);
            r->across[a] = same < 0 ? -1 : o->n + o->l_start[o->n] + same;
            for (int b = o->u_start[k]; b < o->u_start[k + 1]; b++) {
                r->target[at++] = place_of(r, o->l[a], o->u[b]);
            }
        }
    }
}

/* Which entries go where. CRANK_RETRY: not symmetric. */
static crank_status place_entries(crank_recorded *r, int count, const int *row,
                                  const int *column, const double *values, const bool *constant)
{
    const crank_recorded_order *o = &r->order;
    int *upper = malloc(((size_t)r->slots + 1) *
                        sizeof *upper); /* by place: the entry above the diagonal */
    if (upper == NULL) {
        return CRANK_EMEM;
    }
    for (int e = 0; e < r->slots; e++) {
        upper[e] = -1;
    }
    for (int e = 0; e < count; e++) {
        const int i = row[e], j = column[e];
        if (i >= 0 && r->symmetric && o->step[i] < o->step[j]) {
            upper[place_of(r, i, j)] = e;
        } else if (i >= 0) {
            r->load[r->load_count++] = (struct crank_recorded_source){e, place_of(r, i, j), e};
        }
    }
    bool fine = true;
    for (int e = 0; e < r->load_count && r->symmetric; e++) {
        struct crank_recorded_source *from = &r->load[e];
        if (from->place >= o->n) {
            from->mirror = upper[from->place];
            fine = fine && from->mirror >= 0 && values[from->mirror] == values[from->entry];
        }
    }
    free(upper);
    int kept = 0;
    for (int e = 0; e < r->load_count; e++) {
        const struct crank_recorded_source from = r->load[e];
        if (constant != NULL && constant[from.entry] && constant[from.mirror]) {
            r->W_constant[from.place] = values[from.entry];
            continue;
        }
        r->load[kept] = from;
        if (from.place < o->n) { /* changes places with the first behind the diagonal */
            r->load[kept] = r->load[r->on_diagonal];
            r->load[r->on_diagonal++] = from;
        }
        kept++;
    }
    r->load_count = kept;
    return fine ? CRANK_OK : CRANK_RETRY;
}

/* L and U have the same pattern, in the same order */
static bool is_symmetric(const crank_recorded_order *o)
{
    const size_t size = (size_t)o->n + 1, entries = (size_t)o->l_start[o->n];
    return memcmp(o->l_start, o->u_start, size * sizeof(int)) == 0 &&
           (entries == 0 || memcmp(o->l, o->u, entries * sizeof(int)) == 0);
}

static crank_status allocate(crank_recorded *r, int count, crank_error *err)
{
    const crank_recorded_order *o = &r->order;
    const size_t lower = (size_t)o->l_start[o->n], upper = (size_t)o->u_start[o->n];
    r->slots = o->n + (int)lower + (r->symmetric ? 0 : (int)upper);
    r->load = calloc((size_t)count + 1, sizeof *r->load);
    r->l_of = calloc(lower + 1, sizeof(int));
    r->W_constant = calloc((size_t)r->slots + 1, sizeof(double));
    r->size_constant = calloc((size_t)o->n + 1, sizeof(double));
    r->target = calloc((size_t)o->operations + 1, sizeof(int));
    r->across = calloc(lower + 1, sizeof(int));
    r->W = calloc((size_t)r->slots + 1, sizeof(double));
    r->size = calloc((size_t)o->n + 1, sizeof(double));
    return r->load != NULL && r->l_of != NULL && r->W_constant != NULL &&
                   r->size_constant != NULL && r->target != NULL && r->across != NULL &&
                   r->W != NULL && r->size != NULL
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", o->n);
}

/* ---- create ---- */

crank_status crank_recorded_create(int n, int count, const int *row, const int *column,
                                   const double *values, const bool *constant,
                                   crank_recorded_form form, crank_recorded **out,
                                   crank_error *err)
{
    *out = NULL;
    crank_recorded *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", n);
    }
    r->symmetric = form == CRANK_RECORDED_SYMMETRIC;
    r->stride = 1;
    crank_status status =
        crank_recorded_order_find(n, count, row, column, values, constant, form, &r->order);
    if (status == CRANK_OK && r->symmetric && !is_symmetric(&r->order)) {
        status = CRANK_RETRY;
    }
    CRANK_THEN(status, allocate(r, count, err));
    if (status == CRANK_OK) {
        place_targets(r);
        status = place_entries(r, count, row, column, values, constant);
    }
    if (status == CRANK_OK && !crank_recorded_do_constant_steps(r)) {
        status = CRANK_RETRY;
    }
    if (status == CRANK_OK && !crank_recorded_factor(r, values)) {
        status = CRANK_RETRY;
    }
    if (status != CRANK_OK) {
        crank_recorded_destroy(r);
        return status == CRANK_EMEM
                   ? crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", n)
                   : status;
    }
    *out = r;
    return CRANK_OK;
}

void crank_recorded_destroy(crank_recorded *r)
{
    if (r == NULL) {
        return;
    }
    crank_recorded_order_destroy(&r->order);
    free(r->load);
    free(r->l_of);
    free(r->W_constant);
    free(r->size_constant);
    free(r->target);
    free(r->across);
    free(r->W);
    free(r->size);
    crank_recorded_free_searching(r);
    free(r);
}
