/* solver_tree.c - matrices with balances of forces along a tree (recursion.h) behind solver.h:
 * eliminated from the tips to the root, O(N) for N links, theory 3.13, with a border for all
 * that is not of the tree.
 *
 * There is one order of pivots and no other, so that eliminations are tried: the solution x of
 * A x = b with the sizes of rows as b is that of a matrix nearby, |A x - b| <= omega (|A| |x| +
 * |b|) row by row [OP64]. Without a border that is done once, and again when less is left of
 * the terms of a pivot than before. Where omega is not small (slender bodies far away from O,
 * whose inertia about it is mostly that of a point), solutions are refined by their residuals
 * from then on, x += A^-1 (b - A x). Where that does not do (freedoms without inertia, matrices
 * of very long steps), pivots are chosen by another solver, which counts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/branches.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sqrt(DBL_EPSILON): half of all digits, with which Newton's iteration still converges as with
 * all of them */
static const double largest_error = 1.5e-8;

/* pivots may lose as many digits again before an elimination is tried again */
static const double look_again = 10.0;

typedef struct tree {
    crank_branches *branches;
    crank_solver *other; /* NULL: it was never needed */
    bool refines, given_up;
    double known; /* quality of pivots with which eliminations are known to be accurate */
    bool by_other[CRANK_MAX_SHIFTS];
    double *b, *x, *r; /* 2 n: pairs, work */
    double *size[2];   /* n: of rows; of the terms of rows */
} tree;

/* ---- creation ---- */

static crank_status create(crank_solver *s, crank_error *err)
{
    tree *t = s->own = calloc(1, sizeof *t);
    const size_t n = (size_t)s->n + 1;
    if (t != NULL) {
        t->b = malloc(2 * n * sizeof *t->b);
        t->x = malloc(2 * n * sizeof *t->x);
        t->r = malloc(2 * n * sizeof *t->r);
        t->size[0] = malloc(n * sizeof(double));
        t->size[1] = malloc(n * sizeof(double));
        t->known = (double)INFINITY;
    }
    if (t == NULL || t->b == NULL || t->x == NULL || t->r == NULL || t->size[0] == NULL ||
        t->size[1] == NULL) {
        return crank_fail(err, CRANK_EMEM, "tree of a matrix of %d rows", s->n);
    }
    const crank_status status = crank_branches_create(s->setup, &t->branches, err);
    return status == CRANK_OK && !(t->branches->work < t->branches->dense) ? CRANK_RETRY
                                                                           : status;
}

static void destroy(crank_solver *s)
{
    tree *t = s->own;
    if (t == NULL) {
        return;
    }
    crank_branches_destroy(t->branches);
    crank_solver_destroy(t->other);
    free(t->b);
    free(t->x);
    free(t->r);
    free(t->size[0]);
    free(t->size[1]);
    free(t);
}

/* ---- with pivots ---- */

/* pivots are always chosen anew: results depend on nothing but the values */
static crank_status factor_other(crank_solver *s, int i, const double *values, crank_error *err)
{
    tree *t = s->own;
    const bool complex_values = s->shift[i].complex_values;
    if (t->other == NULL) {
        const crank_solver_setup setup = {.wish = CRANK_LINALG_SPARSE,
                                          .n = s->n,
                                          .start = s->start,
                                          .row = s->row,
                                          .shifts = s->shifts,
                                          .real = s->real,
                                          .short_lived = true};
        const crank_status status = crank_solver_create(&setup, &t->other, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    t->other->shift[i].factored = false;
    memcpy(crank_solver_values(t->other, i, complex_values), values,
           (size_t)(s->entries * (complex_values ? 2 : 1)) * sizeof *values);
    s->pivot_searches++;
    t->by_other[i] = true;
    return crank_solver_factor(t->other, i, err);
}

/* ---- along the tree ---- */

static void solve_branches(crank_solver *s, int i, double *b)
{
    tree *t = s->own;
    if (s->shift[i].complex_values) {
        crank_branches_solve_complex(t->branches, i, b);
    } else {
        crank_branches_solve_real(t->branches, i, b);
    }
}

static inline double size_of(int stride, const double *x)
{
    return stride == 1 ? fabs(x[0]) : fabs(x[0]) + fabs(x[1]);
}

/* b -= A x, size += |A| |x| */
static void multiply(const crank_solver *s, int stride, const double *values, const double *x,
                     double *b, double *size)
{
    for (int j = 0; j < s->n; j++) {
        const double *at = x + stride * j, largest = size_of(stride, at);
        for (int e = s->start[j]; e < s->start[j + 1]; e++) {
            const double *A = values + (long)stride * e;
            double *out = b + stride * s->row[e];
            size[s->row[e]] += size_of(stride, A) * largest;
            if (stride == 1) {
                out[0] -= A[0] * at[0];
            } else {
                out[0] -= A[0] * at[0] - A[1] * at[1];
                out[1] -= A[0] * at[1] + A[1] * at[0];
            }
        }
    }
}

/* b := x with A x = b; refined by its residual where that is known to be needed */
static void solve_along(crank_solver *s, int i, const double *values, double *b)
{
    tree *t = s->own;
    const int stride = crank_solver_stride(s, i);
    const size_t count = (size_t)(stride * s->n);
    if (!t->refines) {
        solve_branches(s, i, b);
        return;
    }
    memcpy(t->r, b, count * sizeof *b);
    solve_branches(s, i, b);
    multiply(s, stride, values, b, t->r, t->size[0]);
    solve_branches(s, i, t->r);
    for (size_t k = 0; k < count; k++) {
        b[k] += t->r[k];
    }
}

/* theory (3.30) */
static bool is_accurate(crank_solver *s, int i, const double *values)
{
    tree *t = s->own;
    const int stride = crank_solver_stride(s, i);
    double *size = t->size[1];
    if (!crank_solver_row_sizes(s, i, values, t->size[0])) {
        return false;
    }
    for (int k = 0; k < s->n; k++) {
        t->b[stride * k] = size[k] = k % 2 == 0 ? t->size[0][k] : -t->size[0][k];
        size[k] = fabs(size[k]);
        if (stride == 2) {
            t->b[2 * k + 1] = 0.0;
        }
    }
    memcpy(t->x, t->b, (size_t)(stride * s->n) * sizeof *t->x);
    solve_along(s, i, values, t->x);
    multiply(s, stride, values, t->x, t->b, size);
    for (int k = 0; k < s->n; k++) {
        if (!(size_of(stride, t->b + stride * k) <= largest_error * size[k])) {
            return false;
        }
    }
    return true;
}

/* from now on with refinement, if without it is not enough */
static bool becomes_accurate(crank_solver *s, int i, const double *values)
{
    tree *t = s->own;
    if (is_accurate(s, i, values)) {
        return true;
    }
    const bool refined = t->refines;
    t->refines = true;
    return !refined && is_accurate(s, i, values);
}

static crank_status factor(crank_solver *s, int i, const double *values, crank_error *err)
{
    tree *t = s->own;
    if (!t->given_up) {
        const bool fine = s->shift[i].complex_values
                              ? crank_branches_factor_complex(t->branches, i, values)
                              : crank_branches_factor_real(t->branches, i, values);
        const double quality = t->branches->quality;
        t->by_other[i] = false;
        if (fine && t->branches->edge == 0 && quality >= t->known) {
            return CRANK_OK;
        }
        if (fine && becomes_accurate(s, i, values)) {
            t->known = quality / look_again;
            return CRANK_OK;
        }
        t->given_up = true;
    }
    return factor_other(s, i, values, err);
}

static void solve(crank_solver *s, int i, const double *b, double *x)
{
    tree *t = s->own;
    if (t->by_other[i]) {
        crank_solver_solve(t->other, i, b, NULL, x, NULL);
        return;
    }
    if (x != b) {
        memcpy(x, b, (size_t)s->n * sizeof *x);
    }
    solve_along(s, i, s->shift[i].values, x);
}

static void solve_complex(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag)
{
    tree *t = s->own;
    if (t->by_other[i]) {
        crank_solver_solve(t->other, i, b_real, b_imag, x_real, x_imag);
        return;
    }
    for (int j = 0; j < s->n; j++) {
        t->b[2 * j] = b_real[j];
        t->b[2 * j + 1] = b_imag[j];
    }
    solve_along(s, i, s->shift[i].values, t->b);
    for (int j = 0; j < s->n; j++) {
        x_real[j] = t->b[2 * j];
        x_imag[j] = t->b[2 * j + 1];
    }
}

/* There is no transposed recursion: those who need one get pivots. */
static void solve_transposed(crank_solver *s, int i, double *b)
{
    tree *t = s->own;
    if (!t->by_other[i] && factor_other(s, i, s->shift[i].values, NULL) != CRANK_OK) {
        for (int j = 0; j < s->n; j++) {
            b[j] = (double)NAN;
        }
        return;
    }
    crank_solver_solve_transposed(t->other, i, b);
}

/* ---- checkpoints ---- */

/* Factors belong to values of the recursion that may be gone: they are stored. */
static void archive(crank_solver *s, int i, crank_archive *a)
{
    tree *t = s->own;
    const crank_branches *branches = t->branches;
    const crank_branch_factors *f = &branches->factors[i];
    const size_t stride = (size_t)crank_solver_stride(s, i), n = (size_t)s->n,
                 edge = (size_t)branches->edge;
    bool by_other = t->by_other[i];
    crank_archive_flag(a, &t->refines);
    crank_archive_flag(a, &t->given_up);
    crank_archive_double(a, &t->known);
    crank_archive_flag(a, &by_other);
    crank_archive_count(a, &s->pivot_searches); /* loading is none */
    const int64_t searches = s->pivot_searches;
    if (by_other) {
        if (a->loading && crank_archive_fine(a) && !t->by_other[i] &&
            factor_other(s, i, s->shift[i].values, NULL) != CRANK_OK) {
            crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: a singular matrix");
        }
        s->pivot_searches = searches;
        return;
    }
    t->by_other[i] = false;
    crank_archive_doubles(a, f->number, stride * branches->numbers);
    crank_archive_doubles(a, f->constant, branches->constants);
    crank_archive_doubles(a, f->pair,
                          3 * (size_t)(branches->motion * branches->motion) *
                              (size_t)branches->recursion->pair_count);
    crank_archive_doubles(a, f->reach, stride * n * edge);
    crank_archive_doubles(a, f->border, stride * edge * edge);
    crank_archive_doubles(a, f->scale, edge);
    crank_archive_doubles(a, f->across, stride * (size_t)branches->across_count);
    crank_archive_ints(a, f->border_pivot, edge, 0, branches->edge);
}

const crank_solver_type crank_solver_tree = {
    .name = "tree",
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .solve = solve,
    .solve_complex = solve_complex,
    .solve_transposed = solve_transposed,
    .archive = archive,
};
