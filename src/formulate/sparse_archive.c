/* sparse_archive.c - checkpoints of the sparse realisation.
 *
 * Squares are stored as the numbering of their rows and their solver; patterns and analysis
 * follow from the numbering as they did before, since each depends on nothing else. None of
 * that counts in the statistics. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_sparse.h"

#include <string.h>

/* loading: every row of the square must come from one row or one unit row, else there is no
 * such matrix */
static bool is_numbering(const crank_sparse_reduction *s, const crank_square *square)
{
    double *taken = s->vector; /* n, scratch */
    memset(taken, 0, (size_t)s->n * sizeof *taken);
    for (int i = 0; i < s->base.setup.eom->m; i++) {
        if (square->place[i] >= 0) {
            taken[square->place[i]] += 1.0;
        }
    }
    for (int j = 0; j < s->n; j++) {
        if (square->unit[j] >= 0) {
            taken[square->unit[j]] += 1.0;
        }
    }
    for (int j = 0; j < s->n; j++) {
        if (taken[j] != 1.0) {
            return false;
        }
    }
    return true;
}

static void build_matrix(crank_sparse_reduction *s, crank_square *square, bool newton,
                         crank_archive *a)
{
    crank_error err = {0};
    crank_status status = CRANK_EFILE;
    crank_solver_destroy(square->matrix);
    square->matrix = NULL;
    if (is_numbering(s, square)) {
        crank_square_write(s, square);
        status = crank_square_create(s, square, newton, &err);
    }
    if (status == CRANK_EMEM) {
        crank_archive_fail(a, CRANK_EMEM, "%s", err.text);
    } else if (status != CRANK_OK) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the checkpoint is damaged: its choice of rows is singular");
    }
}

static void archive_square(crank_sparse_reduction *s, crank_square *square, bool newton,
                           crank_archive *a)
{
    bool present = square->matrix != NULL;
    crank_archive_flag(a, &present);
    crank_archive_ints(a, square->place, (size_t)s->base.setup.eom->m, -1, s->n - 1);
    crank_archive_ints(a, square->unit, (size_t)s->n, -1, s->n - 1);
    if (!crank_archive_fine(a)) {
        return;
    }
    if (!present) { /* its analysis failed: the next decomposition builds it */
        crank_solver_destroy(square->matrix);
        square->matrix = NULL;
        return;
    }
    if (a->loading) {
        build_matrix(s, square, newton, a);
    }
    if (!crank_archive_fine(a)) {
        return;
    }
    crank_solver_archive(square->matrix, a);
}

void crank_sparse_reduction_archive(crank_reduction *base, crank_archive *a)
{
    crank_sparse_reduction *s = (crank_sparse_reduction *)base;
    const size_t n = (size_t)s->n, invariants = (size_t)s->invariants;
    crank_archive_check(a, "sparse algebraic rows", s->mC);
    crank_archive_check(a, "differential rows", s->mD);
    crank_archive_check(a, "invariants", s->invariants);
    crank_reduction_archive_state(base, a);
    for (int w = 0; w < 2; w++) {
        crank_archive_doubles(a, s->window[w].scale, (size_t)s->window[w].rows);
        crank_rowspace_archive(s->window[w].space, a);
    }
    crank_archive_doubles(a, s->lead, (size_t)s->mD);
    crank_archive_flag(a, &s->due);
    crank_archive_flag(a, &s->built);
    crank_archive_flag(a, &s->newton_due);
    crank_archive_count(a, &s->searches_before);
    crank_archive_flags(a, s->kept, (size_t)base->setup.eom->m);
    crank_archive_flags(a, s->fixed, n);
    crank_archive_flags(a, s->dependent, n);
    crank_archive_doubles(a, s->gradient, n * invariants);
    crank_archive_ints(a, s->invariant_pivot, invariants, -1, s->n - 1);
    if (s->chart != NULL) {
        crank_chart_archive(s->chart, a);
        crank_archive_doubles(a, s->chart_unit, n);
        crank_archive_doubles(a, s->chart_weight, n);
        if (s->turned != NULL) {
            crank_recursion_archive(base->setup.eom->recursion, s->turned, a);
        }
    }
    archive_square(s, &s->projection, false, a);
    archive_square(s, &s->newton, true, a);
    if (s->built &&
        (s->projection.matrix == NULL || (s->newton.matrix == NULL && !s->newton_due))) {
        crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: matrices are missing");
    }
}
