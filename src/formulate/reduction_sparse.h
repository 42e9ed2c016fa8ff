/* reduction_sparse.h - the sparse realisation's data: sparse_select.c chooses rows and builds
 * the square patterns, reduction_sparse.c fills, factors and solves, sparse_archive.c saves and
 * loads.
 *
 * Selectors are unit rows: every dependent coordinate is the pivot of a constraint, the
 * kinematic and dynamic rows of the others are kept. The square systems are
 *     newton:      [ C ; S (sigma D + B) ]            theory (3.11)
 *     projection:  [ C ; unit rows of the free unknowns ]
 * with C the independent algebraic rows. Multipliers of dependent constraints get unit rows,
 * too: they keep their values. Invariants are left out of the projection and bordered: theory
 * (3.13). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_REDUCTION_SPARSE_H
#define CRANK_SRC_REDUCTION_SPARSE_H

#include "formulate/chart.h"
#include "formulate/reduction.h"
#include "linalg/rowspace.h"

/* A constraint window by rows: which Jacobian entries it consists of. */
typedef struct crank_sparse_window {
    int rows, columns, first_row, first_column;
    int *start, *column; /* compressed rows */
    int *source;         /* index into the Jacobian's values */
    double *values, *scale;
    crank_rowspace *space;
} crank_sparse_window;

/* A square matrix assembled from Jacobian and leading entries through maps. */
typedef struct crank_square {
    int *start, *row;
    int *place;    /* m: row of the square that a row of k has become, -1 left out */
    int *unit;     /* n: row of the square that is a unit row for this column, -1 */
    int *jacobian; /* per entry: index into the Jacobian's values, -1 none */
    /* per entry: differential row whose leading value enters, -1 none, -2 the number 1 */
    int *lead;
    int special_count, *special; /* the entries with a leading value or the number 1 */
    crank_solver *matrix;        /* of these values */
} crank_square;

typedef struct crank_sparse_reduction {
    crank_reduction base;
    int n, mC, mD, entries;        /* entries: capacity of the squares */
    crank_sparse_window window[2]; /* velocity, position */
    double *lead;                  /* mD: diagonal of E */
    /* Of the last decompose. With a chart all columns and kinematic rows are those in its axes:
     * pattern and values of the Jacobian, units and weights of the unknowns; NULL: as they
     * are. */
    crank_chart *chart;
    const crank_pattern *pattern;
    const double *jacobian, *unit, *weight;
    double *chart_unit, *chart_weight; /* n */
    crank_recursion_values *turned;    /* the tree in its axes, NULL: there is none */
    bool due, built;
    bool newton_due;         /* the Newton matrix is to be analysed before it is factored */
    int64_t searches_before; /* pivot searches of matrices that are gone */
    bool *kept;              /* m: algebraic row takes part */
    bool *fixed;             /* n: multiplier of a dependent constraint */
    bool *dependent;         /* n: pivot of a constraint */
    crank_square newton, projection;
    double *vector; /* n */
    /* invariants: reduced gradients and the free columns they determine */
    int invariants;       /* rows e in use (window) */
    double *gradient;     /* n x invariants: e' with constraints eliminated, on free columns */
    double *eliminated;   /* n x invariants: the same, earlier ones eliminated */
    int *invariant_pivot; /* per row: free column, -1 dropped */
    double *border;       /* invariants x invariants, factored */
    int *border_pivot;
    double *border_rhs;
} crank_sparse_reduction;

/* Rows are measured by their largest entry so far. */
void crank_sparse_scale_rows(crank_sparse_reduction *s);
/* The constraint eliminations; preference < 1 keeps earlier pivots that are good enough. */
crank_status crank_sparse_eliminate(crank_sparse_reduction *s, double preference, bool first,
                                    crank_error *err);
/* Numbers the rows of both squares for the current choice, and factors the projection. The
 * Newton matrix waits until it is wanted: explicit methods never do. */
crank_status crank_sparse_build(crank_sparse_reduction *s, crank_error *err);
crank_status crank_sparse_windows_create(crank_sparse_reduction *s, crank_error *err);
/* The pattern of a numbered square and its solver. */
crank_status crank_sparse_analyse(crank_sparse_reduction *s, crank_square *square, bool newton,
                                  crank_error *err);
/* Fills and factors the matrix of shift i. */
crank_status crank_square_factor(const crank_sparse_reduction *s, crank_square *square, int i,
                                 double re, double im, crank_error *err);
/* the pattern of a square and its maps, from place and unit */
void crank_square_write(const crank_sparse_reduction *s, crank_square *square);
/* its matrix; newton: for all shifts, else real */
crank_status crank_square_create(const crank_sparse_reduction *s, crank_square *square,
                                 bool newton, crank_error *err);
void crank_square_destroy(crank_square *square);

/* Checkpoints. */
void crank_sparse_reduction_archive(crank_reduction *base, crank_archive *archive);

#endif
