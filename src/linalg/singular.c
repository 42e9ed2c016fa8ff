/* singular.c - singular values of a small dense matrix and what is read from them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/singular.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static void layout(crank_singular *s, bool vectors, crank_arena *arena)
{
    const size_t m = (size_t)s->rows, n = (size_t)s->columns;
    s->A = crank_arena_take(arena, m * n, sizeof(double));
    s->sigma = crank_arena_take(arena, (size_t)s->count, sizeof(double));
    s->U = vectors ? crank_arena_take(arena, m * m, sizeof(double)) : NULL;
    s->VT = vectors ? crank_arena_take(arena, n * n, sizeof(double)) : NULL;
    s->work = crank_arena_take(arena, (size_t)s->work_size, sizeof(double));
}

crank_status crank_singular_create(int rows, int columns, bool vectors, crank_singular *s,
                                   crank_error *err)
{
    const bool empty = rows == 0 || columns == 0;
    *s = (crank_singular){.rows = rows, .columns = columns, .gap = (double)INFINITY};
    s->count = rows < columns ? rows : columns;
    s->work_size = empty ? 0 : crank_svd_work_size(rows, columns);
    layout(s, vectors, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "singular values of a %d x %d matrix", rows,
                          columns);
    }
    layout(s, vectors, &s->arena);
    return CRANK_OK;
}

void crank_singular_destroy(crank_singular *s)
{
    crank_arena_free(&s->arena);
    *s = (crank_singular){0};
}

static void identity(int n, double *A)
{
    for (int i = 0; i < n; i++) {
        A[(size_t)i * ((size_t)n + 1)] = 1.0;
    }
}

crank_status crank_singular_decompose(crank_singular *s, crank_error *err)
{
    if (s->count == 0) {
        if (s->U != NULL) {
            identity(s->rows, s->U);
            identity(s->columns, s->VT);
        }
        return CRANK_OK;
    }
    if (!crank_svd(s->rows, s->columns, s->A, s->rows, s->sigma, s->U, s->VT, s->work,
                   s->work_size)) {
        return crank_fail(err, CRANK_EDECOMPOSITION,
                          "singular values of a %d x %d matrix were not found: an entry is not "
                          "finite",
                          s->rows, s->columns);
    }
    return CRANK_OK;
}

void crank_singular_count(crank_singular *s, double limit)
{
    s->rank = 0;
    while (s->rank < s->count && s->sigma[s->rank] > limit) {
        s->rank++;
    }
    s->gap = s->rank == 0 || s->rank == s->count || !(s->sigma[s->rank] > 0.0)
                 ? (double)INFINITY
                 : s->sigma[s->rank - 1] / s->sigma[s->rank];
}

void crank_singular_step(const crank_singular *s, const double *r, double damping, double *y)
{
    const size_t m = (size_t)s->rows, n = (size_t)s->columns;
    memset(y, 0, n * sizeof *y);
    for (int k = 0; k < s->rank; k++) {
        double part = 0.0;
        for (size_t i = 0; i < m; i++) {
            part += s->U[i + (size_t)k * m] * r[i];
        }
        part *= s->sigma[k] / (s->sigma[k] * s->sigma[k] + damping * damping);
        for (size_t j = 0; j < n; j++) {
            y[j] -= part * s->VT[(size_t)k + j * n];
        }
    }
}
