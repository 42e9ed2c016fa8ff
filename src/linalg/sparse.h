/* sparse.h - square sparse systems: one pattern, analysed once; a real and a complex factorisation. By KLU [DP10], where
 * both share the ordering, or, if small and factored often, by elimination.h. The only file that speaks to KLU is sparse.c.
 *
 * After the first factorisation values are refactored with the same pivots, which allocates nothing; if
 * pivots have grown bad they are chosen anew. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SPARSE_H
#define CRANK_SRC_SPARSE_H

#include "base/archive.h"

typedef struct crank_sparse crank_sparse;

/* Copies the pattern (compressed columns) and analyses it. */
crank_status crank_sparse_create(int n, const int *start, const int *row, crank_sparse **out,
                                 crank_error *err);
/* The same for a matrix that is factored again and again; reserve: later calls do not allocate if it is small. */
crank_status crank_sparse_create_often(int n, const int *start, const int *row, bool reserve,
                                       crank_sparse **out, crank_error *err);
void crank_sparse_destroy(crank_sparse *s);

/* CRANK_RETRY: numerically singular. Complex values and vectors are pairs (re, im). */
crank_status crank_sparse_factor(crank_sparse *s, const double *values, crank_error *err);
crank_status crank_sparse_factor_complex(crank_sparse *s, const double *values,
                                         crank_error *err);
/* How often pivots were chosen (which allocates) instead of kept. */
int64_t crank_sparse_pivot_searches(const crank_sparse *s);
void crank_sparse_solve(crank_sparse *s, double *b);
void crank_sparse_solve_transposed(crank_sparse *s, double *b);
void crank_sparse_solve_complex(crank_sparse *s, double *b);
/* The same from b to x, which may be the same, with real and imaginary parts apart. */
void crank_sparse_solve_from(crank_sparse *s, const double *b, double *x);
void crank_sparse_solve_parts(crank_sparse *s, const double *b_real, const double *b_imag,
                              double *x_real, double *x_imag);

/* Checkpoints: the factorisations, made anew when loading, with the same pivots and bits: from the values of the
 * last choice of pivots, which are kept here for that purpose, and those factored last, which the caller has kept
 * (pairs NULL: there is no complex factorisation). The pattern is that of create. */
void crank_sparse_archive(crank_sparse *s, crank_archive *archive, const double *values,
                          const double *pairs);

#endif
