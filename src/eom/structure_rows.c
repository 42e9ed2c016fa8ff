/* structure_rows.c - which rows of a matrix depend on the rows before them.
 *
 * Dense: Gram-Schmidt in the given order, each row orthogonalised twice [GVL13, 5.2.8]; with
 * A = R^T Q by rows, the coefficients of a dependent row follow from R. Its tolerance is
 * raised, if need be, until it keeps no more rows than there are singular values above the
 * tolerance. Sparse: elimination row by row (linalg/rowspace.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include "linalg/rowspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each halves the logarithms of what is out of balance: 1e-12 becomes 0.9. */
enum { EQUILIBRATIONS = 8 };

/* Rows this small (cos of a right angle, a difference of equal numbers) are rounding, not
 * constraints. */
static const double vanishing = 1e-10;

/* Lever arms this small are, too: differences of coordinates, each rounded to 1e-16 of how far
 * from the origin it is. */
static const double lever = 1e-12;

/* In joint coordinates a row may be a small multiple of others: one of three components along
 * axes of the world, of a plane loop that is turned by little. What rounding (1e-16) and
 * differences of rows (1e-8, structure_degenerate.c) leave of it must not be blown up to ranks
 * (1e-8 and, study/, 1e-11) and bends (1e-5): rows are divided by this part of their natural
 * size, at least. */
static const double cancelled = 1e-2;

/* Divides rows by their norms, or by part of what is natural to them; those below least (rows)
 * vanish: they become zero, with norm 1. */
static void normalise_rows(crank_min_matrix *A, double *norm, const double *least,
                           const double *at_least)
{
    for (int i = 0; i < A->rows; i++) {
        norm[i] = norm[i] > least[i] ? fmax(norm[i], at_least[i]) : 0.0;
    }
    for (int q = 0; q < A->start[A->columns]; q++) {
        const double size = norm[A->row[q]];
        A->values[q] = size > 0.0 ? A->values[q] / size : 0.0;
    }
    for (int i = 0; i < A->rows; i++) {
        norm[i] = norm[i] > 0.0 ? norm[i] : 1.0;
    }
}

/* lambda + mu: the constraint that a row is of, on any level; -1: none */
static int constraint_of(const crank_eom *eom, int row)
{
    static const crank_row_group group[] = {CRANK_ROW_GII, CRANK_ROW_GI, CRANK_ROW_G,
                                            CRANK_ROW_HI, CRANK_ROW_H};
    for (int i = 0; i < 5; i++) {
        const int number = row - eom->row[group[i]];
        const bool slip = i >= 3;
        if (number >= 0 && number < (slip ? eom->sizes.mu : eom->sizes.lambda)) {
            return number + (slip ? eom->sizes.lambda : 0);
        }
    }
    return -1;
}

double crank_structure_cancelled(const crank_eom *eom, int row)
{
    const crank_eom_parts *parts = eom->parts;
    const int constraint =
        parts != NULL && parts->constraints_vanish ? constraint_of(eom, row) : -1;
    return constraint >= 0 && parts->constraint_power[constraint] >= 0
               ? cancelled * crank_structure_natural(eom, row)
               : 0.0;
}

double crank_structure_natural(const crank_eom *eom, int row)
{
    const crank_eom_parts *parts = eom->parts;
    const double L = parts->length, least = fmin(1.0, L * L);
    const int constraint = constraint_of(eom, row);
    const int power = constraint >= 0 ? parts->constraint_power[constraint] : -1;
    return power < 0 ? least : power == 0 ? 1.0 : power == 1 ? L : L * L;
}

/* v: of a velocity, or of an acceleration that is carried (number: of a row d, or a column w);
 * -1: neither */
static int velocity_of(const crank_eom *eom, int number, int first)
{
    const int own = eom->sizes.w - eom->sizes.v; /* carried ones come last */
    const bool carried = own >= 0 && number >= own && number < eom->sizes.w &&
                         eom->carried[eom->column[CRANK_W] + number];
    const bool plain = number >= first && number < first + eom->sizes.v;
    return carried ? number - own : plain ? number - first : -1;
}

bool crank_structure_is_rounding(const crank_eom *eom, int row, int column, double value)
{
    const int force = column - eom->column[CRANK_LAMBDA];
    const bool transposed = force >= 0 && force < eom->sizes.lambda + eom->sizes.mu;
    if (eom->parts == NULL) {
        return false;
    }
    const int constraint = transposed ? force : constraint_of(eom, row);
    const int velocity = transposed ? velocity_of(eom, row, eom->row[CRANK_ROW_DYN])
                                    : velocity_of(eom, column, eom->column[CRANK_V]);
    if (constraint < 0 || velocity < 0) {
        return false;
    }
    const double unit = eom->parts->velocity_kind[velocity] == 't' ? eom->parts->length : 1.0;
    const int nl = eom->sizes.lambda;
    const int of = constraint < nl ? eom->row[CRANK_ROW_GI] + constraint
                                   : eom->row[CRANK_ROW_H] + constraint - nl;
    return fabs(value) * unit < lever * crank_structure_natural(eom, of);
}

/* least (rows): what rows must exceed; size (rows): what they are divided by, at least */
static void find_least(const crank_eom *eom, const int *place, const crank_min_matrix *A,
                       const double *norm, double *least, double *size)
{
    double largest = 1.0;
    for (int i = 0; i < A->rows; i++) {
        largest = fmax(largest, norm[i]);
    }
    for (int i = 0; i < A->rows; i++) {
        least[i] = vanishing * largest;
        size[i] = 0.0;
    }
    for (int i = 0; i < eom->m && eom->parts != NULL; i++) {
        if (place[i] >= 0) {
            least[place[i]] = vanishing * crank_structure_natural(eom, i);
            size[place[i]] = crank_structure_cancelled(eom, i);
        }
    }
}

/* Is the unknown of a column a translation of a body? */
static bool is_translation(const crank_eom *eom, int column)
{
    if (eom->parts == NULL) {
        return false;
    }
    if (column >= eom->column[CRANK_P]) {
        return eom->parts->position_kind[column - eom->column[CRANK_P]] == 't';
    }
    const bool velocity = column >= eom->column[CRANK_V] && column < eom->column[CRANK_S];
    return velocity && eom->parts->velocity_kind[column - eom->column[CRANK_V]] == 't';
}

/* Multiplies the columns of translations by the mechanism's length. */
static void balance_lengths(const crank_eom *eom, const int *column, crank_min_matrix *A,
                            double *scale)
{
    for (int l = 0; l < A->columns; l++) {
        scale[l] = is_translation(eom, column[l]) ? eom->parts->length : 1.0;
        for (int q = A->start[l]; q < A->start[l + 1]; q++) {
            A->values[q] *= scale[l];
        }
    }
}

bool crank_structure_block(const crank_eom *eom, const double *values, const int *place,
                           int rows, const int *column, int columns, crank_min_matrix *A,
                           double *norm, double *scale)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    size_t entries = 0;
    for (int l = 0; l < columns; l++) {
        entries += (size_t)(pattern->start[column[l] + 1] - pattern->start[column[l]]);
    }
    if (!crank_min_allocate(A, rows, columns, entries)) {
        return false;
    }
    int count = 0;
    for (int l = 0; l < columns; l++) {
        for (int q = pattern->start[column[l]]; q < pattern->start[column[l] + 1]; q++) {
            const int i = place[pattern->row[q]];
            if (i >= 0 && values[q] != 0.0) {
                A->row[count] = i;
                A->values[count++] = values[q];
            }
        }
        A->start[l + 1] = count;
    }
    double *least = malloc((2 * (size_t)rows + 1) * sizeof *least);
    if (least == NULL) {
        crank_min_free(A);
        return false;
    }
    if (scale != NULL) {
        balance_lengths(eom, column, A, scale);
    }
    memset(norm, 0, (size_t)rows * sizeof *norm);
    for (int q = 0; q < count; q++) {
        norm[A->row[q]] = hypot(norm[A->row[q]], A->values[q]);
    }
    find_least(eom, place, A, norm, least, least + rows);
    normalise_rows(A, norm, least, least + rows);
    free(least);
    return true;
}

crank_status crank_structure_range(const crank_eom *eom, const double *values,
                                   crank_range range, int *place, int *list, double *norm,
                                   double *scale, crank_min_matrix *A, crank_error *err)
{
    const int rows = range.last - range.first, columns = range.end - range.begin;
    for (int i = 0; i < eom->m; i++) {
        place[i] = i >= range.first && i < range.last ? i - range.first : -1;
    }
    for (int j = 0; j < columns; j++) {
        list[j] = range.begin + j;
    }
    return crank_structure_block(eom, values, place, rows, list, columns, A, norm, scale)
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "block of %d rows", rows);
}

void crank_structure_equilibrate(crank_min_matrix *A, double *row, double *column,
                                 double *total)
{
    for (int pass = 0; pass < EQUILIBRATIONS; pass++) {
        memset(row, 0, (size_t)A->rows * sizeof *row);
        for (int j = 0; j < A->columns; j++) {
            column[j] = 0.0;
            for (int q = A->start[j]; q < A->start[j + 1]; q++) {
                const double size = fabs(A->values[q]);
                row[A->row[q]] = fmax(row[A->row[q]], size);
                column[j] = fmax(column[j], size);
            }
        }
        for (int j = 0; j < A->columns; j++) {
            if (total != NULL && column[j] > 0.0) {
                total[j] /= sqrt(column[j]);
            }
            for (int q = A->start[j]; q < A->start[j + 1]; q++) {
                const double product = row[A->row[q]] * column[j];
                A->values[q] = product > 0.0 ? A->values[q] / sqrt(product) : 0.0;
            }
        }
    }
}

/* ---- dense ---- */

typedef struct sweep {
    int rows, columns;
    double *A;  /* columns x rows: row i of the matrix is column i here */
    double *Q;  /* columns x (rows + 1): orthonormal, one per kept row; then the row at hand */
    double *R;  /* rows x rows */
    double *c;  /* rows: components of the row at hand */
    int *which; /* rows: kept row behind each vector of Q */
    crank_arena arena;
} sweep;

static void layout(sweep *s, crank_arena *arena)
{
    const size_t m = (size_t)s->rows, n = (size_t)s->columns;
    s->A = crank_arena_take(arena, n * m, sizeof(double));
    s->Q = crank_arena_take(arena, n * (m + 1), sizeof(double));
    s->R = crank_arena_take(arena, m * m, sizeof(double));
    s->c = crank_arena_take(arena, m, sizeof(double));
    s->which = crank_arena_take(arena, m, sizeof(int));
}

/* Takes the components along the first count vectors off z (twice) and notes them in c. */
static double orthogonalise(sweep *s, double *z, int count)
{
    memset(s->c, 0, (size_t)s->rows * sizeof *s->c);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const double *q = s->Q + (size_t)k * (size_t)s->columns;
            double product = 0.0;
            for (int j = 0; j < s->columns; j++) {
                product += q[j] * z[j];
            }
            for (int j = 0; j < s->columns; j++) {
                z[j] -= product * q[j];
            }
            s->c[k] += product;
        }
    }
    double norm = 0.0;
    for (int j = 0; j < s->columns; j++) {
        norm = hypot(norm, z[j]);
    }
    return norm;
}

/* Solves R a = c in place; the kept row with the largest coefficient, or -1. */
static int strongest(sweep *s, int count)
{
    int best = -1;
    double size = 1e-12;
    for (int k = count - 1; k >= 0; k--) {
        s->c[k] /= s->R[k + k * s->rows];
        for (int l = 0; l < k; l++) {
            s->c[l] -= s->R[l + k * s->rows] * s->c[k];
        }
    }
    for (int k = 0; k < count; k++) {
        if (fabs(s->c[k]) > size) {
            size = fabs(s->c[k]);
            best = s->which[k];
        }
    }
    return best;
}

static int sweep_rows(sweep *s, double tolerance, bool *kept, int *reason)
{
    const size_t n = (size_t)s->columns;
    int count = 0;
    for (int i = 0; i < s->rows; i++) {
        double *z = s->Q + (size_t)count * n;
        memcpy(z, s->A + (size_t)i * n, n * sizeof *z);
        const double norm = orthogonalise(s, z, count);
        kept[i] = norm > tolerance;
        reason[i] = -1;
        if (!kept[i]) {
            reason[i] = strongest(s, count);
            continue;
        }
        for (int j = 0; j < s->columns; j++) {
            z[j] /= norm;
        }
        memcpy(s->R + (size_t)count * (size_t)s->rows, s->c, (size_t)count * sizeof *s->c);
        s->R[count + count * s->rows] = norm;
        s->which[count++] = i;
    }
    return count;
}

crank_status crank_independent_rows_dense(const crank_min_matrix *A, double tolerance,
                                          bool *kept, int *reason, int *rank, crank_error *err)
{
    sweep s = {.rows = A->rows, .columns = A->columns};
    crank_status status = crank_dense_null(A, tolerance, rank, NULL, NULL, err);
    if (status != CRANK_OK) {
        return status;
    }
    layout(&s, &s.arena);
    if (!crank_arena_allocate(&s.arena)) {
        return crank_fail(err, CRANK_EMEM, "orthogonalisation of %d rows", A->rows);
    }
    layout(&s, &s.arena);
    for (int j = 0; j < A->columns; j++) {
        for (int q = A->start[j]; q < A->start[j + 1]; q++) {
            s.A[j + A->row[q] * A->columns] = A->values[q];
        }
    }
    double bar = tolerance;
    int count = sweep_rows(&s, bar, kept, reason);
    while (count > *rank && bar < 0.1) {
        bar *= 10.0;
        count = sweep_rows(&s, bar, kept, reason);
    }
    *rank = count;
    crank_arena_free(&s.arena);
    return CRANK_OK;
}

/* ---- sparse ---- */

crank_status crank_independent_rows_sparse(const crank_min_matrix *A, double tolerance, int own,
                                           bool *kept, int *reason, int *rank, double *smallest,
                                           crank_error *err)
{
    crank_rowspace *space = NULL;
    const crank_status status = crank_min_rowspace(A, tolerance, own, true, &space, rank, err);
    for (int i = 0; i < A->rows && status == CRANK_OK; i++) {
        kept[i] = crank_rowspace_pivot(space)[i] >= 0;
        reason[i] = kept[i] ? -1 : crank_rowspace_reason(space)[i];
    }
    if (status == CRANK_OK && smallest != NULL) {
        int row;
        const double size = crank_rowspace_smallest(space, &row);
        *smallest = row >= 0 ? fmin(size, 1.0) : 1.0;
    }
    crank_rowspace_destroy(space);
    return status;
}
