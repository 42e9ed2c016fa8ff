/* sparse.c - KLU, or the recorded elimination, behind sparse.h. KLU's prototypes lack const: the casts live here and
 * nowhere else. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse.h"

#include "linalg/elimination.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* refactored pivots are dropped for new ones when entries have grown by more than this */
static const double largest_growth = 1e6;

struct crank_sparse {
    int n;
    int *start, *row;
    double *pair; /* 2 n: work */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *real, *complex_values;
    crank_elimination *small[2]; /* instead of KLU: real, complex; NULL: not needed yet */
    bool often, ready[2];        /* they are used; are factored */
    /* of the real and the complex factorisation: values at the last choice of pivots, and whether other values
     * have been factored with them since */
    double *searched[2];
    bool refactored[2];
    int64_t pivot_searches;
};

static size_t value_count(const crank_sparse *s, bool complex_values)
{
    return (complex_values ? 2 : 1) * (size_t)s->start[s->n];
}

/* without analysis */
static crank_sparse *create(int n, const int *start, const int *row)
{
    crank_sparse *s = calloc(1, sizeof *s);
    const size_t entries = (size_t)start[n];
    if (s == NULL) {
        return NULL;
    }
    s->n = n;
    s->start = malloc((size_t)(n + 1) * sizeof *s->start);
    s->row = malloc((entries + 1) * sizeof *s->row);
    s->pair = malloc(2 * (size_t)(n + 1) * sizeof *s->pair);
    if (s->start == NULL || s->row == NULL || s->pair == NULL) {
        crank_sparse_destroy(s);
        return NULL;
    }
    memcpy(s->start, start, (size_t)(n + 1) * sizeof *start);
    memcpy(s->row, row, entries * sizeof *row);
    klu_defaults(&s->common);
    s->common.tol = 0.1; /* the diagonal is preferred down to this part of the largest entry */
    s->common.maxwork = 100.0; /* of the matching, in passes: without end it is quadratic */
    return s;
}

crank_status crank_sparse_create(int n, const int *start, const int *row, crank_sparse **out,
                                 crank_error *err)
{
    *out = NULL;
    crank_sparse *s = create(n, start, row);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "sparse matrix of %d rows", n);
    }
    s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    if (s->symbolic == NULL) {
        const bool memory = s->common.status == KLU_OUT_OF_MEMORY;
        crank_sparse_destroy(s);
        return memory ? crank_fail(err, CRANK_EMEM, "analysis of a sparse matrix of %d rows", n)
                      : crank_fail(err, CRANK_RETRY,
                                   "a matrix of %d rows is structurally singular", n);
    }
    *out = s;
    return CRANK_OK;
}

crank_status crank_sparse_create_often(int n, const int *start, const int *row, bool reserve,
                                       crank_sparse **out, crank_error *err)
{
    if (n > CRANK_ELIMINATION_ROWS) {
        return crank_sparse_create(n, start, row, out, err);
    }
    crank_sparse *s = create(n, start, row);
    *out = NULL;
    for (int kind = 0; kind < 2 && s != NULL && reserve; kind++) {
        s->small[kind] = crank_elimination_create(n, s->start, s->row, kind + 1, true);
        s->searched[kind] = malloc(value_count(s, kind) * sizeof(double) + sizeof(double));
        if (s->small[kind] == NULL || s->searched[kind] == NULL) {
            crank_sparse_destroy(s);
            s = NULL;
        }
    }
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "sparse matrix of %d rows", n);
    }
    s->often = true;
    *out = s;
    return CRANK_OK;
}

void crank_sparse_destroy(crank_sparse *s)
{
    if (s == NULL) {
        return;
    }
    klu_free_numeric(&s->real, &s->common);
    klu_z_free_numeric(&s->complex_values, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    crank_elimination_destroy(s->small[0]);
    crank_elimination_destroy(s->small[1]);
    free(s->searched[0]);
    free(s->searched[1]);
    free(s->start);
    free(s->row);
    free(s->pair);
    free(s);
}

/* no pivot is zero or not finite, and entries have not grown much against those of the matrix */
static bool acceptable(crank_sparse *s, double *values, klu_numeric *object,
                       bool complex_values)
{
    int fine = complex_values ? klu_z_rcond(s->symbolic, object, &s->common)
                              : klu_rcond(s->symbolic, object, &s->common);
    if (!fine || !(s->common.rcond > 0.0) || !isfinite(s->common.rcond)) {
        return false;
    }
    fine = complex_values
               ? klu_z_rgrowth(s->start, s->row, values, s->symbolic, object, &s->common)
               : klu_rgrowth(s->start, s->row, values, s->symbolic, object, &s->common);
    return fine && s->common.rgrowth * largest_growth > 1.0;
}

static bool refactor(crank_sparse *s, klu_numeric *object, double *values, bool complex_values)
{
    if (s->often) {
        return crank_elimination_repeat(s->small[complex_values], values);
    }
    const int fine =
        complex_values
            ? klu_z_refactor(s->start, s->row, values, s->symbolic, object, &s->common)
            : klu_refactor(s->start, s->row, values, s->symbolic, object, &s->common);
    return fine && s->common.status == KLU_OK;
}

static crank_status refuse(const crank_sparse *s, crank_error *err)
{
    return s->common.status == KLU_OUT_OF_MEMORY
               ? crank_fail(err, CRANK_EMEM, "factors of a sparse matrix of %d rows", s->n)
               : crank_fail(err, CRANK_RETRY, "a sparse matrix of %d rows is singular", s->n);
}

static crank_status search_small(crank_sparse *s, const double *values, int kind)
{
    if (s->small[kind] == NULL) {
        s->small[kind] = crank_elimination_create(s->n, s->start, s->row, kind + 1, false);
    }
    const crank_status status =
        s->small[kind] != NULL ? crank_elimination_search(s->small[kind], values) : CRANK_EMEM;
    s->ready[kind] = status == CRANK_OK;
    s->common.status = status == CRANK_EMEM ? KLU_OUT_OF_MEMORY : KLU_OK;
    return status;
}

/* new pivots; CRANK_RETRY: singular */
static crank_status search(crank_sparse *s, klu_numeric **object, double *values,
                           bool complex_values, crank_error *err)
{
    if (s->often && search_small(s, values, complex_values) == CRANK_OK) {
        return CRANK_OK;
    }
    if (s->often) {
        return refuse(s, err);
    }
    *object = complex_values ? klu_z_factor(s->start, s->row, values, s->symbolic, &s->common)
                             : klu_factor(s->start, s->row, values, s->symbolic, &s->common);
    return *object != NULL ? CRANK_OK : refuse(s, err);
}

/* for checkpoints; false: out of memory */
static bool keep_searched(crank_sparse *s, const double *values, bool complex_values)
{
    const size_t bytes = value_count(s, complex_values) * sizeof *values;
    double **kept = &s->searched[complex_values];
    if (*kept == NULL) {
        *kept = malloc(bytes > 0 ? bytes : sizeof **kept);
    }
    if (*kept != NULL && bytes > 0) {
        memcpy(*kept, values, bytes);
    }
    s->refactored[complex_values] = false;
    return *kept != NULL;
}

static bool is_factored(const crank_sparse *s, bool complex_values)
{
    return s->often         ? s->ready[complex_values]
           : complex_values ? s->complex_values != NULL
                            : s->real != NULL;
}

static void drop(crank_sparse *s, bool complex_values)
{
    s->ready[complex_values] = false;
    if (complex_values) {
        klu_z_free_numeric(&s->complex_values, &s->common);
    } else {
        klu_free_numeric(&s->real, &s->common);
    }
}

static crank_status factor(crank_sparse *s, klu_numeric **object, double *values,
                           bool complex_values, crank_error *err)
{
    if (is_factored(s, complex_values)) {
        if (refactor(s, *object, values, complex_values) &&
            (s->often || acceptable(s, values, *object, complex_values))) {
            s->refactored[complex_values] = true;
            return CRANK_OK;
        }
        drop(s, complex_values);
    }
    if (!keep_searched(s, values, complex_values)) {
        return crank_fail(err, CRANK_EMEM, "values of a sparse matrix of %d rows", s->n);
    }
    s->pivot_searches++;
    const crank_status status = search(s, object, values, complex_values, err);
    if (status != CRANK_OK || s->often) {
        return status;
    }
    const int fine = complex_values ? klu_z_rcond(s->symbolic, *object, &s->common)
                                    : klu_rcond(s->symbolic, *object, &s->common);
    return fine && s->common.rcond > 0.0 && isfinite(s->common.rcond)
               ? CRANK_OK
               : crank_fail(err, CRANK_RETRY, "a sparse matrix of %d rows is singular", s->n);
}

int64_t crank_sparse_pivot_searches(const crank_sparse *s)
{
    return s != NULL ? s->pivot_searches : 0;
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

crank_status crank_sparse_factor(crank_sparse *s, const double *values, crank_error *err)
{
    return factor(s, &s->real, writable(values), false, err);
}

crank_status crank_sparse_factor_complex(crank_sparse *s, const double *values,
                                         crank_error *err)
{
    return factor(s, &s->complex_values, writable(values), true, err);
}

void crank_sparse_solve(crank_sparse *s, double *b)
{
    if (s->often) {
        crank_elimination_solve(s->small[0], b, b);
        return;
    }
    (void)klu_solve(s->symbolic, s->real, s->n, 1, b, &s->common);
}

void crank_sparse_solve_transposed(crank_sparse *s, double *b)
{
    if (s->often) {
        crank_elimination_solve_transposed(s->small[0], b);
        return;
    }
    (void)klu_tsolve(s->symbolic, s->real, s->n, 1, b, &s->common);
}

void crank_sparse_solve_complex(crank_sparse *s, double *b)
{
    if (s->often) {
        crank_elimination_solve_complex(s->small[1], 2, b, b + 1, b, b + 1);
        return;
    }
    (void)klu_z_solve(s->symbolic, s->complex_values, s->n, 1, b, &s->common);
}

void crank_sparse_solve_from(crank_sparse *s, const double *b, double *x)
{
    if (s->often) {
        crank_elimination_solve(s->small[0], b, x);
        return;
    }
    if (x != b) {
        memcpy(x, b, (size_t)s->n * sizeof *x);
    }
    crank_sparse_solve(s, x);
}

void crank_sparse_solve_parts(crank_sparse *s, const double *b_real, const double *b_imag,
                              double *x_real, double *x_imag)
{
    if (s->often) {
        crank_elimination_solve_complex(s->small[1], 1, b_real, b_imag, x_real, x_imag);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        s->pair[2 * i] = b_real[i];
        s->pair[2 * i + 1] = b_imag[i];
    }
    crank_sparse_solve_complex(s, s->pair);
    for (int i = 0; i < s->n; i++) {
        x_real[i] = s->pair[2 * i];
        x_imag[i] = s->pair[2 * i + 1];
    }
}

/* Choice of pivots and refactorisation overwrite all numbers, so that doing both once leaves what any sequence of
 * refactorisations left. */
static void archive_factors(crank_sparse *s, klu_numeric **object, const double *values,
                            bool complex_values, crank_archive *a)
{
    bool *refactored = &s->refactored[complex_values];
    bool present = is_factored(s, complex_values);
    crank_archive_flag(a, &present);
    if (!present) {
        return;
    }
    if (a->loading && !keep_searched(s, values, complex_values)) {
        crank_archive_fail(a, CRANK_EMEM, "values of a sparse matrix of %d rows", s->n);
        return;
    }
    crank_archive_doubles(a, s->searched[complex_values], value_count(s, complex_values));
    crank_archive_flag(a, refactored);
    const bool search_again = a->loading && crank_archive_fine(a);
    const crank_status status =
        search_again ? search(s, object, s->searched[complex_values], complex_values, NULL)
                     : CRANK_OK;
    if (s->often && status == CRANK_OK && crank_archive_fine(a)) {
        crank_elimination_archive(s->small[complex_values], a);
    }
    if (!search_again || !crank_archive_fine(a)) {
        return;
    }
    if (status == CRANK_EMEM) {
        crank_archive_fail(a, CRANK_EMEM, "factors of a sparse matrix of %d rows", s->n);
    } else if (status != CRANK_OK ||
               (*refactored && !refactor(s, *object, writable(values), complex_values))) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the checkpoint is damaged: a matrix in it is singular");
    }
}

void crank_sparse_archive(crank_sparse *s, crank_archive *a, const double *values,
                          const double *pairs)
{
    crank_archive_check(a, "rows of a matrix", s->n);
    crank_archive_check(a, "entries of a matrix", s->start[s->n]);
    crank_archive_count(a, &s->pivot_searches);
    if (a->loading) { /* whatever was factored before */
        drop(s, false);
        drop(s, true);
    }
    archive_factors(s, &s->real, values, false, a);
    if (pairs != NULL) {
        archive_factors(s, &s->complex_values, pairs, true, a);
    }
}
