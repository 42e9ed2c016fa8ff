/* solver_dense.c - LU with partial pivoting of rows divided by their largest entries, behind
 * solver.h. Rows of constraints do not know of the step size, others do: only the division
 * makes them comparable. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/arena.h"
#include "linalg/dense.h"
#include "linalg/solver_type.h"

#include <stdlib.h>
#include <string.h>

typedef struct dense {
    crank_arena arena;
    double *pair; /* 2 n */
    struct {
        double *A;     /* n x n, pairs if complex: factors */
        double *scale; /* n: one over the largest entry of each row */
        int *pivot;
    } shift[CRANK_MAX_SHIFTS];
} dense;

static void layout(const crank_solver *s, dense *d, crank_arena *arena)
{
    const size_t n = (size_t)s->n;
    d->pair = crank_arena_take(arena, 2 * n, sizeof(double));
    for (int i = 0; i < s->shifts; i++) {
        d->shift[i].A = crank_arena_take(arena, (s->real ? 1 : 2) * n * n, sizeof(double));
        d->shift[i].scale = crank_arena_take(arena, n, sizeof(double));
        d->shift[i].pivot = crank_arena_take(arena, n, sizeof(int));
    }
}

static crank_status create(crank_solver *s, crank_error *err)
{
    dense *d = s->own = calloc(1, sizeof *d);
    if (d != NULL) {
        layout(s, d, &d->arena);
    }
    if (d == NULL || !crank_arena_allocate(&d->arena)) {
        return crank_fail(err, CRANK_EMEM, "dense matrix of %d rows", s->n);
    }
    layout(s, d, &d->arena);
    return CRANK_OK;
}

static void destroy(crank_solver *s)
{
    dense *d = s->own;
    if (d != NULL) {
        crank_arena_free(&d->arena);
        free(d);
    }
}

static void fill_full(const crank_solver *s, int stride, const double *values,
                      const double *scale, double *A)
{
    for (int j = 0; j < s->n; j++) {
        const long first = (long)stride * j * s->n;
        for (int k = 0; k < s->n && stride == 1; k++) {
            A[first + k] = values[first + k] * scale[k];
        }
        for (int k = 0; k < s->n && stride == 2; k++) {
            A[first + 2 * k] = values[first + 2 * k] * scale[k];
            A[first + 2 * k + 1] = values[first + 2 * k + 1] * scale[k];
        }
    }
}

static void fill_sparse(const crank_solver *s, int stride, const double *values,
                        const double *scale, double *A)
{
    memset(A, 0, (size_t)stride * (size_t)s->n * (size_t)s->n * sizeof *A);
    for (int j = 0; j < s->n; j++) {
        double *column = A + (long)stride * j * s->n;
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            const int k = s->row[e];
            for (int part = 0; part < stride; part++) {
                column[stride * k + part] = values[stride * e + part] * scale[k];
            }
        }
    }
}

static crank_status factor(crank_solver *s, int i, const double *values, crank_error *err)
{
    dense *d = s->own;
    const int stride = crank_solver_stride(s, i), n = s->n;
    double *A = d->shift[i].A, *scale = d->shift[i].scale;
    int *pivot = d->shift[i].pivot;
    bool regular = crank_solver_row_sizes(s, i, values, scale);
    for (int k = 0; k < n && regular; k++) {
        scale[k] = 1.0 / scale[k];
    }
    if (regular) {
        (s->start == NULL ? fill_full : fill_sparse)(s, stride, values, scale, A);
        regular =
            stride == 1 ? crank_lu_factor(n, A, n, pivot) : crank_zlu_factor(n, A, n, pivot);
    }
    return regular ? CRANK_OK
                   : crank_fail(err, CRANK_RETRY, "a matrix of %d rows is singular", n);
}

static void solve(crank_solver *s, int i, const double *b, double *x)
{
    const dense *d = s->own;
    for (int k = 0; k < s->n; k++) {
        x[k] = b[k] * d->shift[i].scale[k];
    }
    crank_lu_solve(s->n, d->shift[i].A, s->n, d->shift[i].pivot, x);
}

static void solve_complex(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag)
{
    const dense *d = s->own;
    const double *scale = d->shift[i].scale;
    double *z = d->pair;
    for (int k = 0; k < s->n; k++) {
        z[2 * k] = b_real[k] * scale[k];
        z[2 * k + 1] = b_imag[k] * scale[k];
    }
    crank_zlu_solve(s->n, d->shift[i].A, s->n, d->shift[i].pivot, z);
    for (int k = 0; k < s->n; k++) {
        x_real[k] = z[2 * k];
        x_imag[k] = z[2 * k + 1];
    }
}

static void solve_transposed(crank_solver *s, int i, double *b)
{
    const dense *d = s->own;
    crank_lu_solve_transposed(s->n, d->shift[i].A, s->n, d->shift[i].pivot, b);
    for (int k = 0; k < s->n; k++) {
        b[k] *= d->shift[i].scale[k];
    }
}

const crank_solver_type crank_solver_dense = {
    .name = "dense",
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_complex = solve_complex,
    .solve_transposed = solve_transposed,
};
