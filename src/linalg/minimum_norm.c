/* minimum_norm.c - y of smallest norm that minimises |A y + r|, or damped after Levenberg.
 *
 * Small A: singular value decomposition. Large A: sparse LU of A itself if it is square and
 * regular, else of
 *     [ alpha I  A^T ] [ y ]   [  0 ]
 *     [ A         0  ] [ z ] = [ -r ],  any alpha > 0,                     [GVL13, 5.6]
 * (-damping^2/alpha I in place of 0) for the rows that a sparse elimination finds independent;
 * that all of them are is tried first. Rows that depend on others but for rounding may pass for
 * independent ones, behind a small pivot: then a little damping decides what they move. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/minimum_norm.h"
#include "base/then.h"

#include "linalg/dense.h"
#include "linalg/rowspace.h"
#include "linalg/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double largest_inverse = 1e13; /* of a matrix taken as regular */
static const double least_damping =
    1.5e-8;                       /* sqrt(u): its square is rounding of rows of norm 1 */
static const double alpha = 1e-5; /* makes the inverse below about 1/sigma, not 1/sigma^2 */

enum { DENSE_COLUMNS = 400, DENSE_ROWS = 800 };

bool crank_min_is_dense(const crank_min_matrix *A)
{
    return A->columns <= DENSE_COLUMNS && A->rows <= DENSE_ROWS;
}

/* ---- dense ---- */

static void copy_dense(const crank_min_matrix *A, double *to)
{
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            to[(size_t)A->row[q] + (size_t)j * (size_t)A->rows] = A->values[q];
        }
    }
}

/* Decomposes A; destroy *s in any case. */
static crank_status decompose(const crank_min_matrix *A, double tolerance, bool vectors,
                              crank_singular *s, crank_error *err)
{
    crank_status status = crank_singular_create(A->rows, A->columns, vectors, s, err);
    if (status == CRANK_OK) {
        copy_dense(A, s->A);
        status = crank_singular_decompose(s, err);
    }
    if (status == CRANK_OK) {
        crank_singular_count(s, s->count > 0 ? tolerance * s->sigma[0] : 0.0);
    }
    return status;
}

/* Of a square A: do all singular values count? Without them, at a tenth of the cost, from
 *     sigma_n / sigma_1 = 1 / (|A^-1| |A|) >= 1 / (|A^-1|_F |A|_F)         [GVL13, 2.6]
 * with a factor of two for rounding, which A^-1 has by its condition. false: perhaps not. */
static crank_status surely_regular(const crank_min_matrix *A, double rank_tolerance,
                                   bool *regular, crank_error *err)
{
    const size_t n = (size_t)A->columns;
    double *LU = calloc(n * n + n, sizeof *LU), *x = LU + n * n;
    int *pivot = calloc(n, sizeof *pivot);
    *regular = false;
    if (LU == NULL || pivot == NULL) {
        free(LU);
        free(pivot);
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", A->rows);
    }
    copy_dense(A, LU);
    double size = 0.0, inverse = 0.0; /* Frobenius norms, squared */
    for (int q = 0; q < A->start[n]; q++) {
        size += A->values[q] * A->values[q];
    }
    if (crank_lu_factor(A->columns, LU, A->columns, pivot)) {
        for (size_t j = 0; j < n; j++) {
            memset(x, 0, n * sizeof *x);
            x[j] = 1.0;
            crank_lu_solve(A->columns, LU, A->columns, pivot, x);
            for (size_t i = 0; i < n; i++) {
                inverse += x[i] * x[i];
            }
        }
        *regular = 2.0 * rank_tolerance * sqrt(size) * sqrt(inverse) < 1.0;
    }
    free(LU);
    free(pivot);
    return CRANK_OK;
}

crank_status crank_dense_null(const crank_min_matrix *A, double rank_tolerance, int *rank,
                              double *null, double *ratio, crank_error *err)
{
    crank_singular s;
    const size_t n = (size_t)A->columns;
    bool regular = false;
    crank_status status = CRANK_OK;
    if (A->rows == A->columns && n > 0 && ratio == NULL) {
        status = surely_regular(A, rank_tolerance, &regular, err);
    }
    if (status != CRANK_OK || regular) {
        *rank = A->columns;
        if (null != NULL) {
            memset(null, 0, n * sizeof *null);
        }
        return status;
    }
    status = decompose(A, rank_tolerance, null != NULL, &s, err);
    *rank = s.rank;
    if (ratio != NULL) {
        *ratio = s.rank > 0 ? s.sigma[s.rank - 1] / s.sigma[0] : 1.0;
    }
    for (size_t j = 0; null != NULL && status == CRANK_OK && j < n; j++) {
        null[j] = 0.0;
        for (size_t k = (size_t)s.rank; k < n; k++) {
            null[j] += s.VT[k + j * n] * s.VT[k + j * n];
        }
    }
    crank_singular_destroy(&s);
    return status;
}

/* ---- sparse ---- */

void crank_min_free(crank_min_matrix *A)
{
    free(A->start);
    free(A->row);
    free(A->values);
    *A = (crank_min_matrix){0};
}

bool crank_min_allocate(crank_min_matrix *A, int rows, int columns, size_t entries)
{
    *A = (crank_min_matrix){.rows = rows, .columns = columns};
    A->start = calloc((size_t)columns + 2, sizeof *A->start);
    A->row = calloc(entries + 1, sizeof *A->row);
    A->values = calloc(entries + 1, sizeof *A->values);
    if (A->start == NULL || A->row == NULL || A->values == NULL) {
        crank_min_free(A);
        return false;
    }
    return true;
}

bool crank_min_transpose(const crank_min_matrix *A, crank_min_matrix *T)
{
    const int entries = A->start[A->columns];
    if (!crank_min_allocate(T, A->columns, A->rows, (size_t)entries)) {
        return false;
    }
    int *place = T->start + 1; /* one behind: after the sort these are the starts */
    for (int q = 0; q < entries; q++) {
        place[A->row[q] + 1]++;
    }
    for (int i = 0; i < A->rows; i++) {
        place[i + 1] += place[i];
    }
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            const int to = place[A->row[q]]++;
            T->row[to] = j;
            T->values[to] = A->values[q];
        }
    }
    return true;
}

/* Factors the square A. *out is NULL if A is singular: if its inverse, seen through a right
 * side of arbitrary signs, exceeds limit. */
static crank_status factor(const crank_min_matrix *A, double limit, crank_solver **out,
                           crank_error *err)
{
    crank_error ignored;
    crank_solver *lu = NULL;
    *out = NULL;
    double *b = malloc(((size_t)A->columns + 1) * sizeof *b);
    if (b == NULL) {
        return crank_fail(err, CRANK_EMEM, "factors of %d unknowns", A->columns);
    }
    const crank_solver_setup setup = {.wish = CRANK_LINALG_KLU,
                                      .n = A->columns,
                                      .start = A->start,
                                      .row = A->row,
                                      .shifts = 1,
                                      .real = true};
    crank_status status = crank_solver_create(&setup, &lu, &ignored);
    if (status == CRANK_OK) {
        memcpy(crank_solver_values(lu, 0, false), A->values,
               (size_t)A->start[A->columns] * sizeof *A->values);
        status = crank_solver_factor(lu, 0, &ignored);
    }
    bool regular = status == CRANK_OK;
    if (regular) {
        for (int i = 0; i < A->columns; i++) {
            b[i] = (i * 7L + i / 3) % 5 < 2 ? 1.0 : -1.0;
        }
        crank_solver_solve(lu, 0, b, NULL, b, NULL);
        for (int i = 0; i < A->columns; i++) {
            regular = regular && fabs(b[i]) <= limit;
        }
    }
    free(b);
    if (!regular) {
        crank_solver_destroy(lu);
        lu = NULL;
    }
    if (status < 0) {
        return crank_fail(err, status, "factors of %d unknowns", A->columns);
    }
    *out = lu;
    return CRANK_OK;
}

crank_status crank_sparse_regular(const crank_min_matrix *A, bool *regular, crank_error *err)
{
    crank_solver *lu = NULL;
    const crank_status status =
        A->columns > 0 ? factor(A, largest_inverse, &lu, err) : CRANK_OK;
    *regular = A->columns == 0 || lu != NULL;
    crank_solver_destroy(lu);
    return status;
}

/* [alpha I  A^T; A  -shift I] */
static crank_status augment(const crank_min_matrix *A, double shift, crank_min_matrix *K,
                            crank_error *err)
{
    const int n = A->columns, m = A->rows, entries = A->start[n];
    crank_min_matrix T;
    if (!crank_min_transpose(A, &T)) {
        return crank_fail(err, CRANK_EMEM, "matrix of %d rows", m);
    }
    if (!crank_min_allocate(K, n + m, n + m, 2 * (size_t)entries + (size_t)(n + m))) {
        crank_min_free(&T);
        return crank_fail(err, CRANK_EMEM, "matrix of %d unknowns", n + m);
    }
    int count = 0;
    for (int j = 0; j < n; j++) {
        K->row[count] = j;
        K->values[count++] = alpha;
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            K->row[count] = n + A->row[q];
            K->values[count++] = A->values[q];
        }
        K->start[j + 1] = count;
    }
    for (int i = 0; i < m; i++) {
        for (int q = T.start[i]; q < T.start[i + 1]; q++) {
            K->row[count] = T.row[q];
            K->values[count++] = T.values[q];
        }
        if (shift > 0.0) {
            K->row[count] = n + i;
            K->values[count++] = -shift;
        }
        K->start[n + i + 1] = count;
    }
    crank_min_free(&T);
    return CRANK_OK;
}

/* kept = the rows of A with a place in keep. */
static bool copy_rows(const crank_min_matrix *A, const int *keep, int rows,
                      crank_min_matrix *kept)
{
    int entries = 0;
    if (!crank_min_allocate(kept, rows, A->columns, (size_t)A->start[A->columns])) {
        return false;
    }
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            if (keep[A->row[q]] >= 0) {
                kept->row[entries] = keep[A->row[q]];
                kept->values[entries++] = A->values[q];
            }
        }
        kept->start[j + 1] = entries;
    }
    return true;
}

crank_status crank_min_rowspace(const crank_min_matrix *A, double tolerance, int own,
                                bool natural, crank_rowspace **out, int *rank, crank_error *err)
{
    crank_min_matrix T = {0}; /* A by rows */
    double *one = malloc(((size_t)A->rows + 1) * sizeof *one);
    *out = NULL;
    if (one == NULL || !crank_min_transpose(A, &T)) {
        free(one);
        return crank_fail(err, CRANK_EMEM, "elimination of %d rows", A->rows);
    }
    for (int i = 0; i < A->rows; i++) {
        one[i] = 1.0;
    }
    crank_status status =
        crank_rowspace_create(A->rows, A->columns, T.start, T.row, own, own, natural, out, err);
    if (status == CRANK_OK) {
        *rank = crank_rowspace_eliminate(*out, T.values, one, NULL, tolerance, 1.0);
        status = *rank >= 0 ? CRANK_OK
                            : crank_fail(err, CRANK_EMEM, "elimination of %d rows", A->rows);
    }
    crank_min_free(&T);
    free(one);
    return status;
}

/* The independent rows of A, by elimination; keep[i] is the row's new number or -1. */
static crank_status drop_dependent_rows(const crank_min_matrix *A, double tolerance,
                                        crank_min_matrix *kept, int *keep, crank_error *err)
{
    crank_rowspace *space = NULL;
    int rank = 0, count = 0;
    crank_status status = crank_min_rowspace(A, tolerance, 0, false, &space, &rank, err);
    for (int i = 0; i < A->rows && status == CRANK_OK; i++) {
        keep[i] = crank_rowspace_pivot(space)[i] >= 0 ? count++ : -1;
    }
    if (status == CRANK_OK && !copy_rows(A, keep, rank, kept)) {
        status = crank_fail(err, CRANK_EMEM, "elimination of %d rows", A->rows);
    }
    crank_rowspace_destroy(space);
    return status;
}

/* b := K^-1 b for K = [alpha I A^T; A -damping^2/alpha I]. *solved is false if K is
 * singular. */
static crank_status solve_augmented(const crank_min_matrix *A, double damping, double limit,
                                    double *b, bool *solved, crank_error *err)
{
    crank_min_matrix K = {0};
    crank_solver *lu = NULL;
    *solved = false;
    crank_status status = augment(A, damping * damping / alpha, &K, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = factor(&K, limit, &lu, err);
    if (lu != NULL) {
        crank_solver_solve(lu, 0, b, NULL, b, NULL);
        *solved = true;
    }
    crank_solver_destroy(lu);
    crank_min_free(&K);
    return status;
}

crank_status crank_row_combination(const crank_min_matrix *A, const double *target, double *c,
                                   crank_error *err)
{
    bool solved;
    double *b = calloc((size_t)A->rows + (size_t)A->columns + 1, sizeof *b);
    if (b == NULL) {
        return crank_fail(err, CRANK_EMEM, "combination of %d rows", A->rows);
    }
    memcpy(b, target, (size_t)A->columns * sizeof *b);
    crank_status status = solve_augmented(A, 0.0, (double)INFINITY, b, &solved, err);
    if (status == CRANK_OK && !solved) {
        status = crank_fail(err, CRANK_EDECOMPOSITION, "%d rows are not independent", A->rows);
    }
    memcpy(c, b + A->columns, (size_t)A->rows * sizeof *c);
    free(b);
    return status;
}

/* y for the rows of A that have a place in keep (NULL: all). r has r_rows entries. */
static crank_status solve_rows(const crank_min_matrix *A, const double *r, int r_rows,
                               const int *keep, double damping, double *y, bool *solved,
                               crank_error *err)
{
    double *b = calloc((size_t)A->rows + (size_t)A->columns + 1, sizeof *b);
    *solved = false;
    if (b == NULL) {
        return crank_fail(err, CRANK_EMEM, "step of %d unknowns", A->columns);
    }
    for (int i = 0; i < r_rows; i++) {
        const int to = keep != NULL ? keep[i] : i;
        if (to >= 0) {
            b[A->columns + to] = -r[i];
        }
    }
    const double limit = keep != NULL ? (double)INFINITY : largest_inverse;
    const crank_status status = solve_augmented(A, damping, limit, b, solved, err);
    if (*solved) {
        memcpy(y, b, (size_t)A->columns * sizeof *y);
    }
    free(b);
    return status;
}

static crank_status solve_square(const crank_min_matrix *A, const double *r, double *y,
                                 bool *solved, crank_error *err)
{
    crank_solver *lu = NULL;
    const crank_status status = factor(A, largest_inverse, &lu, err);
    *solved = lu != NULL;
    if (*solved) {
        for (int i = 0; i < A->rows; i++) {
            y[i] = -r[i];
        }
        crank_solver_solve(lu, 0, y, NULL, y, NULL);
        crank_solver_destroy(lu);
    }
    return status;
}

static crank_status solve_sparse(const crank_min_matrix *A, const double *r,
                                 double rank_tolerance, double damping, double *y,
                                 crank_error *err)
{
    bool solved = false;
    crank_status status = CRANK_OK;
    if (A->rows == A->columns && damping == 0.0) {
        status = solve_square(A, r, y, &solved, err);
    }
    if (status == CRANK_OK && !solved) {
        status = solve_rows(A, r, A->rows, NULL, damping, y, &solved, err);
    }
    if (status != CRANK_OK || solved) {
        return status;
    }
    crank_min_matrix kept = {0};
    int *keep = calloc((size_t)A->rows + 1, sizeof *keep);
    if (keep == NULL) {
        return crank_fail(err, CRANK_EMEM, "elimination of %d rows", A->rows);
    }
    status = drop_dependent_rows(A, rank_tolerance, &kept, keep, err);
    if (status == CRANK_OK && kept.start != NULL) {
        status = solve_rows(&kept, r, A->rows, keep, damping, y, &solved, err);
        if (status == CRANK_OK && !solved) {
            status = solve_rows(&kept, r, A->rows, keep, fmax(damping, least_damping), y,
                                &solved, err);
        }
    }
    if (status == CRANK_OK && !solved) {
        status =
            crank_fail(err, CRANK_EDECOMPOSITION,
                       "constraints of %d unknowns: the independent ones cannot be told apart",
                       A->columns);
    }
    crank_min_free(&kept);
    free(keep);
    return status;
}

/* ---- both ---- */

crank_status crank_min_solver_create(const crank_min_matrix *A, double rank_tolerance,
                                     crank_min_solver *s, crank_error *err)
{
    *s = (crank_min_solver){.A = A, .rank_tolerance = rank_tolerance};
    return crank_min_is_dense(A) ? decompose(A, rank_tolerance, true, &s->singular, err)
                                 : CRANK_OK;
}

void crank_min_solver_create_sparse(const crank_min_matrix *A, double rank_tolerance,
                                    crank_min_solver *s)
{
    *s = (crank_min_solver){.A = A, .rank_tolerance = rank_tolerance, .sparse = true};
}

void crank_min_solver_destroy(crank_min_solver *s)
{
    crank_singular_destroy(&s->singular);
    *s = (crank_min_solver){0};
}

crank_status crank_min_solver_step(const crank_min_solver *s, const double *r, double damping,
                                   double *y, crank_error *err)
{
    const crank_min_matrix *A = s->A;
    if (!s->sparse && crank_min_is_dense(A)) {
        crank_singular_step(&s->singular, r, damping, y);
        return CRANK_OK;
    }
    memset(y, 0, (size_t)A->columns * sizeof *y);
    return A->rows == 0 || A->columns == 0
               ? CRANK_OK
               : solve_sparse(A, r, s->rank_tolerance, damping, y, err);
}

crank_status crank_minimum_norm(const crank_min_matrix *A, const double *r,
                                double rank_tolerance, double damping, double *y,
                                crank_error *err)
{
    crank_min_solver s;
    crank_status status = crank_min_solver_create(A, rank_tolerance, &s, err);
    CRANK_THEN(status, crank_min_solver_step(&s, r, damping, y, err));
    crank_min_solver_destroy(&s);
    return status;
}
