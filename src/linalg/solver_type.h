/* solver_type.h - the other side of solver.h: what a solver has to say of itself.
 * docs/develop/linear-solver.md. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SOLVER_TYPE_H
#define CRANK_SRC_SOLVER_TYPE_H

#include "linalg/solver.h"

/* values are those of the pattern, pairs if s->shift[i] is complex. */
typedef struct crank_solver_type {
    const char *name;
    /* Everything behind s->own; on failure destroy is called. CRANK_RETRY: structurally
     * singular, or, of the tree, another solver costs less. */
    crank_status (*create)(crank_solver *s, crank_error *err);
    void (*destroy)(crank_solver *s); /* s->own may be NULL or half built */
    /* Factors of shift i, with pivots chosen for these values. CRANK_RETRY: singular. */
    crank_status (*factor)(crank_solver *s, int i, const double *values, crank_error *err);
    /* The same with the pivots of the last factor; false: they are bad for these values, factor
     * follows. NULL: pivots are always chosen anew. */
    bool (*repeat)(crank_solver *s, int i, const double *values);
    void (*solve)(crank_solver *s, int i, const double *b, double *x);
    void (*solve_complex)(crank_solver *s, int i, const double *b_real, const double *b_imag,
                          double *x_real, double *x_imag);
    void (*solve_transposed)(crank_solver *s, int i, double *b);
    /* What repeat depends on besides the values that pivots were chosen for; NULL: nothing. */
    void (*archive)(crank_solver *s, int i, crank_archive *archive);
} crank_solver_type;

typedef struct crank_solver_shift {
    bool complex_values;
    bool factored;
    bool repeated;    /* with the pivots of earlier values, since these were chosen */
    double *values;   /* of the caller */
    double *searched; /* those that pivots were chosen for; types with repeat alone */
} crank_solver_shift;

struct crank_solver {
    const crank_solver_type *type;
    int n, entries, shifts;
    int most;         /* rows, at create */
    int *start, *row; /* NULL: full */
    bool real, reserve;
    crank_solver_shift shift[CRANK_MAX_SHIFTS];
    int64_t pivot_searches;
    const crank_solver_setup *setup; /* while it is created */
    void *own;                       /* of the type */
};

extern const crank_solver_type crank_solver_dense, crank_solver_recorded, crank_solver_klu,
    crank_solver_banded, crank_solver_tree;

/* doubles of a value: 1 real, 2 complex */
static inline int crank_solver_stride(const crank_solver *s, int i)
{
    return s->shift[i].complex_values ? 2 : 1;
}

/* The largest |entry| (of complex ones: part) of each row into size (n). false: a row is zero,
 * or not finite. */
bool crank_solver_row_sizes(const crank_solver *s, int i, const double *values, double *size);

#endif
