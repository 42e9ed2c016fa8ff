/* solver_klu.c - KLU [DP10] behind solver.h: one ordering for all shifts, pivots of each of its
 * own. Values are refactored with the same pivots, which allocates nothing; if these have grown
 * bad they are chosen anew. The only file that speaks to KLU, whose prototypes lack const: the
 * cast lives here. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/solver_type.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* refactored pivots are dropped for new ones when entries have grown by more than this */
static const double largest_growth = 1e6;

typedef struct klu {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric[CRANK_MAX_SHIFTS];
    bool complex_numeric[CRANK_MAX_SHIFTS]; /* the kind of numeric */
    double *pair;                           /* 2 n: work */
} klu;

static crank_status create(crank_solver *s, crank_error *err)
{
    klu *k = s->own = calloc(1, sizeof *k);
    if (k != NULL) {
        k->pair = malloc(2 * ((size_t)s->n + 1) * sizeof *k->pair);
    }
    if (k == NULL || k->pair == NULL) {
        return crank_fail(err, CRANK_EMEM, "sparse matrix of %d rows", s->n);
    }
    klu_defaults(&k->common);
    k->common.tol = 0.1; /* the diagonal is preferred down to this part of the largest entry */
    k->common.maxwork = 100.0; /* of the matching, in passes: without end it is quadratic */
    k->symbolic = klu_analyze(s->n, s->start, s->row, &k->common);
    if (k->symbolic != NULL) {
        return CRANK_OK;
    }
    return k->common.status == KLU_OUT_OF_MEMORY
               ? crank_fail(err, CRANK_EMEM, "analysis of a sparse matrix of %d rows", s->n)
               : crank_fail(err, CRANK_RETRY, "a matrix of %d rows is structurally singular",
                            s->n);
}

static void drop(klu *k, int i)
{
    if (k->complex_numeric[i]) {
        klu_z_free_numeric(&k->numeric[i], &k->common);
    } else {
        klu_free_numeric(&k->numeric[i], &k->common);
    }
}

static void destroy(crank_solver *s)
{
    klu *k = s->own;
    if (k == NULL) {
        return;
    }
    for (int i = 0; i < s->shifts; i++) {
        drop(k, i);
    }
    klu_free_symbolic(&k->symbolic, &k->common);
    free(k->pair);
    free(k);
}

/* KLU does not write to the values; its prototypes only lack the const */
static double *writable(const double *values)
{
    union {
        const double *from;
        double *to;
    } cast = {.from = values};
    return cast.to;
}

/* no pivot is zero or not finite */
static bool has_pivots(klu *k, int i)
{
    const int fine = k->complex_numeric[i] ? klu_z_rcond(k->symbolic, k->numeric[i], &k->common)
                                           : klu_rcond(k->symbolic, k->numeric[i], &k->common);
    return fine && k->common.rcond > 0.0 && isfinite(k->common.rcond);
}

/* entries have not grown much against those of the matrix */
static bool has_not_grown(crank_solver *s, klu *k, int i, double *values)
{
    const int fine =
        k->complex_numeric[i]
            ? klu_z_rgrowth(s->start, s->row, values, k->symbolic, k->numeric[i], &k->common)
            : klu_rgrowth(s->start, s->row, values, k->symbolic, k->numeric[i], &k->common);
    return fine && k->common.rgrowth * largest_growth > 1.0;
}

static bool repeat(crank_solver *s, int i, const double *given)
{
    klu *k = s->own;
    double *values = writable(given);
    const int fine =
        k->complex_numeric[i]
            ? klu_z_refactor(s->start, s->row, values, k->symbolic, k->numeric[i], &k->common)
            : klu_refactor(s->start, s->row, values, k->symbolic, k->numeric[i], &k->common);
    return fine && k->common.status == KLU_OK && has_pivots(k, i) &&
           has_not_grown(s, k, i, values);
}

static crank_status factor(crank_solver *s, int i, const double *given, crank_error *err)
{
    klu *k = s->own;
    double *values = writable(given);
    drop(k, i);
    k->complex_numeric[i] = s->shift[i].complex_values;
    k->numeric[i] = k->complex_numeric[i]
                        ? klu_z_factor(s->start, s->row, values, k->symbolic, &k->common)
                        : klu_factor(s->start, s->row, values, k->symbolic, &k->common);
    if (k->numeric[i] != NULL && has_pivots(k, i)) {
        return CRANK_OK;
    }
    return k->common.status == KLU_OUT_OF_MEMORY
               ? crank_fail(err, CRANK_EMEM, "factors of a sparse matrix of %d rows", s->n)
               : crank_fail(err, CRANK_RETRY, "a sparse matrix of %d rows is singular", s->n);
}

static void solve(crank_solver *s, int i, const double *b, double *x)
{
    klu *k = s->own;
    if (x != b) {
        memcpy(x, b, (size_t)s->n * sizeof *x);
    }
    (void)klu_solve(k->symbolic, k->numeric[i], s->n, 1, x, &k->common);
}

static void solve_complex(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag)
{
    klu *k = s->own;
    for (int j = 0; j < s->n; j++) {
        k->pair[2 * j] = b_real[j];
        k->pair[2 * j + 1] = b_imag[j];
    }
    (void)klu_z_solve(k->symbolic, k->numeric[i], s->n, 1, k->pair, &k->common);
    for (int j = 0; j < s->n; j++) {
        x_real[j] = k->pair[2 * j];
        x_imag[j] = k->pair[2 * j + 1];
    }
}

static void solve_transposed(crank_solver *s, int i, double *b)
{
    klu *k = s->own;
    (void)klu_tsolve(k->symbolic, k->numeric[i], s->n, 1, b, &k->common);
}

const crank_solver_type crank_solver_klu = {
    .name = "klu",
    .create = create,
    .destroy = destroy,
    .factor = factor,
    .repeat = repeat,
    .solve = solve,
    .solve_complex = solve_complex,
    .solve_transposed = solve_transposed,
};
