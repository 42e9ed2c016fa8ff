/* sparse.h - one real sparse matrix by KLU: solver.h for callers outside formulations, who have
 * values of their own. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SPARSE_H
#define CRANK_SRC_SPARSE_H

#include "linalg/solver.h"

#include <string.h>

typedef crank_solver crank_sparse;

/* Copies the pattern (compressed columns) and analyses it. CRANK_RETRY: structurally
 * singular. */
static inline crank_status crank_sparse_create(int n, const int *start, const int *row,
                                               crank_sparse **out, crank_error *err)
{
    return crank_solver_create(&(crank_solver_setup){.wish = CRANK_LINALG_KLU,
                                                     .n = n,
                                                     .start = start,
                                                     .row = row,
                                                     .shifts = 1,
                                                     .real = true},
                               out, err);
}

static inline void crank_sparse_destroy(crank_sparse *s)
{
    crank_solver_destroy(s);
}

/* CRANK_RETRY: numerically singular. */
static inline crank_status crank_sparse_factor(crank_sparse *s, const double *values,
                                               crank_error *err)
{
    memcpy(crank_solver_values(s, 0, false), values,
           (size_t)crank_solver_entries(s) * sizeof *values);
    return crank_solver_factor(s, 0, err);
}

static inline void crank_sparse_solve(crank_sparse *s, double *b)
{
    crank_solver_solve(s, 0, b, NULL, b, NULL);
}

#endif
