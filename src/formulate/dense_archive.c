/* dense_archive.c - checkpoints of the dense realisation: what one call leaves to the next; the
 * rest is scratch. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include <limits.h>

/* the decomposition of the algebraic rows */
static void archive_decomposition(crank_dense *d, crank_archive *a)
{
    const size_t n = (size_t)d->n, mC = (size_t)d->mC, mD = (size_t)d->mD;
    crank_archive_doubles(a, d->row_scale, mC);
    for (int w = 0; w < CRANK_WINDOW_INVARIANT && d->method != CRANK_BY_LU; w++) {
        const crank_window *window = &d->base.setup.window[w];
        const size_t rows = (size_t)(window->row_end - window->row);
        const size_t columns = (size_t)(window->column_end - window->column);
        const bool plane = d->method == CRANK_BY_PLANE;
        crank_archive_doubles(a, d->Q[w], plane ? 0 : rows * rows);
        crank_archive_doubles(a, d->VT[w], crank_dense_turned(d, w) ? columns * columns : 0);
        crank_archive_flags(a, d->left_out + window->row, plane ? rows : 0);
        crank_archive_int(a, &d->turned_rank[w], 0, (int)rows);
    }
    crank_archive_int(a, &d->rC, 0, d->mC < d->n ? d->mC : d->n);
    crank_archive_ints(a, d->pivot_row, mC, 0, d->mC - 1);
    crank_archive_ints(a, d->pivot_column, mC, 0, d->n - 1);
    crank_archive_ints(a, d->pivot_window, mC, 0, CRANK_WINDOWS - 1);
    crank_archive_flags(a, d->row_used, mC);
    crank_archive_flags(a, d->previous_columns, n);
    crank_archive_int(a, &d->free_count, 0, d->n - d->rC);
    crank_archive_ints(a, d->free_column, n, 0, d->n - 1);
    crank_archive_doubles(a, d->RC, mC * n);
    crank_archive_doubles(a, d->LC, mC * mC);
    crank_archive_doubles(a, d->LB, mD * mC);
    crank_archive_doubles(a, d->LD, mD * mC);
    crank_archive_doubles(a, d->VB, mD * n);
    crank_archive_doubles(a, d->VD, mD * n);
    crank_archive_doubles(a, d->lead_scale, mD);
}

static void archive_factors(crank_dense *d, crank_archive *a)
{
    crank_archive_int(a, &d->shift_count, 0, CRANK_MAX_SHIFTS);
    crank_archive_flag(a, &d->factored);
    if (d->factored && (d->free_count > d->mD || !crank_archive_fine(a))) {
        crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: factors without room");
        d->factored = false;
    }
    for (int i = 0; i < d->shift_count && d->factored; i++) {
        crank_dense_shift *shift = &d->shift[i];
        crank_archive_flag(a, &shift->complex_shift);
        const int stride = shift->complex_shift ? 2 : 1;
        crank_archive_doubles(a, shift->L,
                              (size_t)stride * (size_t)d->free_count * (size_t)d->rC);
    }
    if (d->factored) {
        crank_solver_set_rows(d->solver, d->free_count);
        crank_solver_archive(d->solver, a);
    }
}

void crank_dense_archive(crank_reduction *base, crank_archive *a)
{
    crank_dense *d = (crank_dense *)base;
    crank_archive_check(a, "dense algebraic rows", d->mC);
    crank_archive_check(a, "differential rows", d->mD);
    crank_archive_check(a, "decomposition", d->method);
    crank_reduction_archive_state(base, a);
    archive_decomposition(d, a);
    crank_archive_flag(a, &d->selector_due);
    crank_archive_int(a, &d->selector_failures, 0, INT_MAX);
    crank_archive_ints(a, d->selector, (size_t)d->n, 0, d->mD > 0 ? d->mD - 1 : 0);
    crank_archive_doubles(a, d->S, d->combines ? (size_t)d->n * (size_t)d->mD : 0);
    crank_archive_flags(a, d->fixed, d->method == CRANK_BY_PLANE ? (size_t)d->n : 0);
    archive_factors(d, a);
}
