/* solver.h - the third waist: square linear systems of one pattern, for several shifts.
 *
 *     A_i x = b,   i < shifts,   A_i real or complex, all with the same pattern
 *
 * Formulations write the values of sigma_i E - J into the solver, factor and solve by the index
 * i of the shift; which solver answers they cannot tell. Each solver is one file with a table
 * (solver_type.h) and one line in the list of solver.c: dense LU, the recorded elimination,
 * KLU, banded LU. Elimination along a tree is for matrices that have one, and nobody asks for
 * it.
 *
 * Nothing allocates after create but the choice of new pivots, which is counted: by KLU always,
 * by the recorded elimination where it is large or not reserved. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SOLVER_H
#define CRANK_SRC_SOLVER_H

#include "linalg/recursion.h"

#include <crank/options.h>

enum { CRANK_MAX_SHIFTS = 4 };

/* Unknowns from which on matrices are sparse, if nothing else is asked for: the one place that
 * knows. Measured by `bench/run switch`, docs/performance.md. */
enum { CRANK_SPARSE_FROM = 8 };

typedef struct crank_solver crank_solver;

typedef struct crank_solver_setup {
    crank_linear_algebra wish; /* auto, dense, sparse, or one solver */
    int n;
    /* Compressed columns, copied; rows in any order, each place once. NULL: a full matrix,
     * column by column, which dense LU takes alone. */
    const int *start, *row;
    int shifts;       /* 1 to CRANK_MAX_SHIFTS */
    bool real;        /* no shift is complex */
    bool short_lived; /* the pattern is given up after some ten factorisations */
    bool reserve;     /* small matrices: room for every choice of pivots is made at create */
    /* Some rows are minus the balances of a tree, or NULL: columns are those of the recursion,
     * rows by this map from its own (-1: not there). Its values at a call of factor are those
     * of the matrix; both must outlive the solver. */
    const crank_recursion *recursion;
    const crank_recursion_values *recursion_values;
    const int *recursion_row;
} crank_solver_setup;

/* Is a matrix of n unknowns sparse, by size or by request? */
bool crank_solver_is_sparse(crank_linear_algebra wish, int n);

/* The option's word: "sparse" for auto, too. */
const char *crank_solver_word(crank_linear_algebra wish);
/* Would a sparse matrix of n unknowns, short-lived or not, be that of KLU, whose first
 * factorisation costs much more than later ones? */
bool crank_solver_is_klu(crank_linear_algebra wish, int n, bool short_lived);

/* CRANK_RETRY: structurally singular. *out is NULL on failure. */
crank_status crank_solver_create(const crank_solver_setup *setup, crank_solver **out,
                                 crank_error *err);
void crank_solver_destroy(crank_solver *s);
/* "dense", "recorded", "klu", "banded", "tree" */
const char *crank_solver_name(const crank_solver *s);
/* Does factor read the values of a recursion? */
bool crank_solver_reads_recursion(const crank_solver *s);
/* of the pattern */
int crank_solver_entries(const crank_solver *s);

/* A full matrix: it has n rows from now on, at most as many as at create. */
void crank_solver_set_rows(crank_solver *s, int n);

/* Where the values of A_i go, by entry of the pattern; complex ones as pairs. They stay as they
 * are until they are written again; factors are those of the last call of factor. */
double *crank_solver_values(crank_solver *s, int i, bool complex_values);
/* Factors A_i. CRANK_RETRY: numerically singular. */
crank_status crank_solver_factor(crank_solver *s, int i, crank_error *err);
/* x = A_i^-1 b; x may be b. Imaginary parts are NULL where A_i is real. */
void crank_solver_solve(crank_solver *s, int i, const double *b_real, const double *b_imag,
                        double *x_real, double *x_imag);
/* b := A_i^-T b, A_i real. */
void crank_solver_solve_transposed(crank_solver *s, int i, double *b);
/* How often pivots were chosen instead of kept; dense and banded LU choose them always, which
 * does not count. NULL: 0. */
int64_t crank_solver_pivot_searches(const crank_solver *s);

/* Checkpoints: values and what pivots follow from; factors are made anew when loading, with the
 * same bits. */
void crank_solver_archive(crank_solver *s, crank_archive *archive);

#endif
