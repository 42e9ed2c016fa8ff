/* tree_matrix.h - matrices sigma E - J of an eom as formulations have them, and how well they
 * are solved. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_TREE_MATRIX_H
#define CRANK_TESTS_TREE_MATRIX_H

#include "check.h"
#include "eom/eom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum form {
    INDEX1,     /* d gII hI | c | b dyn kin */
    STABILISED, /* d gI h | c g n | b dyn kin, eta for g and n */
    PROJECTION, /* d gII hI | c, unit rows for r, v and p */
    FORMS
} form;

typedef struct matrix {
    int n, entries, capacity;
    int *start, *row, *target; /* target: m of the eom */
    double *lead, *rest;
} matrix;

static inline int add(matrix *A, int row, double lead, double rest)
{
    if (A->entries == A->capacity) {
        A->capacity = 2 * A->capacity + 64;
        A->row = realloc(A->row, (size_t)A->capacity * sizeof *A->row);
        A->lead = realloc(A->lead, (size_t)A->capacity * sizeof *A->lead);
        A->rest = realloc(A->rest, (size_t)A->capacity * sizeof *A->rest);
        assert_non_null(A->row);
        assert_non_null(A->lead);
        assert_non_null(A->rest);
    }
    A->row[A->entries] = row;
    A->lead[A->entries] = lead;
    A->rest[A->entries] = rest;
    return A->entries++;
}

static inline bool is_taken(const crank_eom *eom, form kind, int row)
{
    int g = 0;
    while (row >= eom->row[g + 1]) {
        g++;
    }
    if (g == CRANK_ROW_D || g == CRANK_ROW_C) {
        return true;
    }
    if (g == CRANK_ROW_GII || g == CRANK_ROW_HI) {
        return kind != STABILISED;
    }
    if (g == CRANK_ROW_GI || g == CRANK_ROW_H || g == CRANK_ROW_G || g == CRANK_ROW_N) {
        return kind == STABILISED;
    }
    return g >= CRANK_ROW_B && kind != PROJECTION;
}

/* unknown of a differential row, for E and unit rows */
static inline int unknown_of(const crank_eom *eom, int row)
{
    static const int of[][2] = {
        {CRANK_ROW_B, CRANK_R}, {CRANK_ROW_DYN, CRANK_V}, {CRANK_ROW_KIN, CRANK_P}};
    for (int k = 0; k < 3; k++) {
        if (row >= eom->row[of[k][0]] && row < eom->row[of[k][0] + 1]) {
            return eom->column[of[k][1]] + row - eom->row[of[k][0]];
        }
    }
    return -1;
}

static inline void number_rows(const crank_eom *eom, form kind, matrix *A)
{
    int next = 0;
    A->target = calloc((size_t)eom->m, sizeof *A->target);
    for (int i = 0; i < eom->m; i++) {
        A->target[i] = is_taken(eom, kind, i) ? next++ : -1;
    }
    A->n = next;
    for (int i = 0; i < eom->m && kind == PROJECTION; i++) {
        A->n += unknown_of(eom, i) >= 0;
    }
    A->start = calloc((size_t)A->n + 1, sizeof *A->start);
}

/* eta moves positions along the gradients of g and n */
static inline void add_eta(const crank_eom *eom, const double *J, matrix *A)
{
    const int groups[2] = {CRANK_ROW_G, CRANK_ROW_N};
    int column = eom->n;
    for (int g = 0; g < 2; g++) {
        for (int i = eom->row[groups[g]]; i < eom->row[groups[g] + 1]; i++, column++) {
            A->start[column] = A->entries;
            for (int p = 0; p < eom->sizes.p; p++) {
                const int j = eom->column[CRANK_P] + p;
                for (int e = eom->jacobian_pattern.start[j];
                     e < eom->jacobian_pattern.start[j + 1]; e++) {
                    if (eom->jacobian_pattern.row[e] == i) {
                        (void)add(A, A->target[eom->row[CRANK_ROW_KIN] + p], 0.0, J[e]);
                    }
                }
            }
        }
    }
    A->start[column] = A->entries;
    assert_int_equal(column, A->n);
}

static inline void make(const crank_eom *eom, form kind, const double *J, matrix *A)
{
    int unit = 0;
    *A = (matrix){0};
    number_rows(eom, kind, A);
    for (int i = 0; i < eom->m; i++) {
        unit += A->target[i] >= 0;
    }
    for (int j = 0; j < eom->n; j++) {
        int lead = -1;
        A->start[j] = A->entries;
        for (int i = eom->row[CRANK_ROW_B]; i < eom->m; i++) {
            lead = unknown_of(eom, i) == j ? i : lead;
        }
        for (int e = eom->jacobian_pattern.start[j]; e < eom->jacobian_pattern.start[j + 1];
             e++) {
            const int row = eom->jacobian_pattern.row[e];
            if (A->target[row] >= 0) {
                (void)add(A, A->target[row], row == lead ? 1.0 : 0.0, -J[e]);
                lead = row == lead ? -1 : lead;
            }
        }
        if (lead >= 0) {
            (void)add(A, kind == PROJECTION ? unit++ : A->target[lead], 1.0, 0.0);
        }
    }
    A->start[eom->n] = A->entries;
    if (kind == STABILISED) {
        add_eta(eom, J, A);
    } else {
        assert_int_equal(A->n, eom->n);
    }
}

static inline void release(matrix *A)
{
    free(A->start);
    free(A->row);
    free(A->target);
    free(A->lead);
    free(A->rest);
}

/* the largest |A x - b| / (|A| |x| + |b|) of a row */
static inline double backward_error(const matrix *A, const double *pair, const double *b,
                                    const double *x)
{
    double *rest = calloc(3 * (size_t)A->n, sizeof *rest), worst = 0.0;
    assert_non_null(rest);
    for (int j = 0; j < A->n; j++) {
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            double *at = rest + 3 * (long)A->row[e];
            const double *a = pair + 2 * (long)e, *y = x + 2 * (long)j;
            at[0] += a[0] * y[0] - a[1] * y[1];
            at[1] += a[0] * y[1] + a[1] * y[0];
            at[2] += hypot(a[0], a[1]) * hypot(y[0], y[1]);
        }
    }
    for (int i = 0; i < A->n; i++) {
        const double *at = rest + 3 * (long)i, *c = b + 2 * (long)i;
        worst = fmax(worst, hypot(at[0] - c[0], at[1] - c[1]) / (at[2] + hypot(c[0], c[1])));
    }
    free(rest);
    return worst;
}

#endif
