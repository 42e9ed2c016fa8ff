/* minimum_norm.h - least-squares solution of smallest norm, dense or sparse. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LINALG_MINIMUM_NORM_H
#define CRANK_SRC_LINALG_MINIMUM_NORM_H

#include <crank/base.h>

#include "linalg/rowspace.h"
#include "linalg/singular.h"

/* Compressed columns. */
typedef struct crank_min_matrix {
    int rows, columns;
    int *start, *row;
    double *values;
} crank_min_matrix;

/* Room for entries, set to zero; false: out of memory. */
bool crank_min_allocate(crank_min_matrix *A, int rows, int columns, size_t entries);
void crank_min_free(crank_min_matrix *A);
/* T = A^T: A by rows. Allocates T. */
bool crank_min_transpose(const crank_min_matrix *A, crank_min_matrix *T);

/* Steps with one A, for any number of right-hand sides and dampings. Dense (SVD, made once) for
 * small A, else sparse (factors made with each step).
 *
 * damping = 0: the y of smallest norm among those that minimise |A y + r|; damping > 0: the y
 * that minimises |A y + r|^2 + damping^2 |y|^2. Rows of A should have norms near 1 (or be
 * zero); singular values below rank_tolerance times the largest count as zero. Where rows
 * depend on each other and contradict each other the sparse solver meets some of them, instead
 * of none. */
typedef struct crank_min_solver {
    const crank_min_matrix *A;
    double rank_tolerance;
    bool sparse; /* whatever the size */
    crank_singular singular;
} crank_min_solver;

/* Keeps a pointer to A, which must not change. Destroy also on failure. */
crank_status crank_min_solver_create(const crank_min_matrix *A, double rank_tolerance,
                                     crank_min_solver *s, crank_error *err);
/* Sparse also for small A: for few steps with an A that is mostly regular. */
void crank_min_solver_create_sparse(const crank_min_matrix *A, double rank_tolerance,
                                    crank_min_solver *s);
void crank_min_solver_destroy(crank_min_solver *s);
crank_status crank_min_solver_step(const crank_min_solver *s, const double *r, double damping,
                                   double *y, crank_error *err);
/* One step: the three together. */
crank_status crank_minimum_norm(const crank_min_matrix *A, const double *r,
                                double rank_tolerance, double damping, double *y,
                                crank_error *err);

/* Rank of A by its singular values; null (columns, may be NULL) receives the sum over null
 * vectors of the squared components: zero where the system determines the unknown. ratio
 * (may be NULL): smallest singular value that counts / largest one, 1 if A is empty. */
crank_status crank_dense_null(const crank_min_matrix *A, double rank_tolerance, int *rank,
                              double *null, double *ratio, crank_error *err);

/* The combination c of A's rows (independent ones) that comes closest to target: min |A^T c
 * - target|. */
crank_status crank_row_combination(const crank_min_matrix *A, const double *target, double *c,
                                   crank_error *err);

/* Is the square sparse A regular to working precision? */
crank_status crank_sparse_regular(const crank_min_matrix *A, bool *regular, crank_error *err);

bool crank_min_is_dense(const crank_min_matrix *A); /* small enough for the SVD */

/* A's rows eliminated in sparse form: independent rows and their pivots. The first own rows
 * find pivots among the first own columns; natural: in the given order where it matters.
 * Destroy *out also on failure. */
crank_status crank_min_rowspace(const crank_min_matrix *A, double tolerance, int own,
                                bool natural, crank_rowspace **out, int *rank,
                                crank_error *err);

#endif
