/* branches.h - inside of the solver "tree" (solver_tree.c): a matrix with the balances of a
 * tree (recursion.h) among its rows, cut into
 *
 *     local rows and columns of each link   p, v and what else only its own rows know
 *     balances and accelerations            by recursion
 *     a border                              all else: multipliers, loops, variables of forces;
 *                                           forces of pairs, unknowns of its own
 *
 * branches.c (which is which, and what the elimination costs), branches_kernel.h (elimination
 * and solutions, real and complex: branches_real.c, branches_complex.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BRANCHES_H
#define CRANK_SRC_BRANCHES_H

#include "base/arena.h"
#include "linalg/recursion.h"
#include "linalg/solver_type.h"

/* local columns of a link, at most */
enum { CRANK_BRANCH_LOCAL = 12 };

/* Local columns of a link with their rows, and where its numbers are. */
typedef struct crank_branch {
    int local;       /* how many, from `first` on */
    int first;       /* in row, column, kind */
    int entry;       /* first entry in crank_branches.own */
    int row;         /* of its first balance, in the matrix */
    size_t number;   /* first of its numbers (crank_branch_numbers) */
    size_t constant; /* first of its doubles */
} crank_branch;

/* An entry of the matrix in a row i and a column j, whatever these count. */
typedef struct crank_branch_entry {
    int entry, i, j;
} crank_branch_entry;

/* Factors of a shift: numbers are real or pairs. */
typedef struct crank_branch_factors {
    double *number;   /* of links */
    double *constant; /* of links: directions */
    double *pair;     /* motion x width, of pairs */
    double *reach;    /* n x edge: the tree by border columns, then by forces of pairs */
    double *border;   /* edge x edge, rows scaled, factored */
    double *scale;    /* edge: of these rows */
    double *across;   /* entries of its rows in columns of the tree */
    int *border_pivot;
} crank_branch_factors;

typedef struct crank_branches {
    crank_arena arena;
    const crank_recursion *recursion;
    const crank_recursion_values *values; /* the caller's */
    int n, motion;
    bool pushes;          /* some link is pushed */
    crank_branch *branch; /* recursion->count */
    int locals;
    int *row, *column; /* locals: of the matrix */
    int *kind;         /* locals: component of p, 4 + that of v, -1: another */
    size_t numbers, constants;
    /* entries: of local rows and columns of each link (j from `local` on: a), of columns of the
     * border (i: row of the matrix), of rows of the border (j: column), of both */
    int own_count, down_count, across_count, corner_count;
    crank_branch_entry *own, *down, *across, *corner;
    int border, *border_row, *border_column;
    int push_count, *push; /* links with forces of pairs on them */
    int *pair_push;        /* by pair: number among them */
    int edge;              /* border and forces of pairs */
    double work;           /* multiplications of a factorisation and its solutions */
    double dense;          /* those of another that takes entries as they are, at least */
    crank_branch_factors factors[CRANK_MAX_SHIFTS];
    /* of the last elimination: the smallest part that is left of a pivot, of its terms if
     * nothing were eliminated behind it */
    double quality;
    /* numbers, work: K, B, C of links, K of all behind them; forces, motions; accelerations and
     * local ones; n twice */
    double *K, *B, *C, *all, *f, *y, *u, *z, *b, *x;
} crank_branches;

/* The parts of a matrix. CRANK_RETRY: it is not made like this. *out is NULL on failure. */
crank_status crank_branches_create(const crank_solver_setup *setup, crank_branches **out,
                                   crank_error *err);
void crank_branches_destroy(crank_branches *t);

/* Factors of shift i from values of entries. false: a pivot is zero or not finite. Then b :=
 * its solution; both n numbers. */
bool crank_branches_factor_real(crank_branches *t, int i, const double *values);
bool crank_branches_factor_complex(crank_branches *t, int i, const double *values);
void crank_branches_solve_real(crank_branches *t, int i, double *b);
void crank_branches_solve_complex(crank_branches *t, int i, double *b);

/* Places of a link's numbers, from its first one on: directions T (nv x width), G (nv x width)
 * = Pi^-1 g, H (nv x width) the same of the body before; forces KT, CT (nv x motion), KQ, CQ
 * (local x motion); Pi^-1 (nv x nv), g Q (nv x local); X (local x nv), inverse
 * of the local rows (local x local). */
typedef struct crank_branch_numbers {
    size_t T, G, H, KT, CT, KQ, CQ, inverse, gQ, X, own, end;
} crank_branch_numbers;

static inline crank_branch_numbers crank_branch_places(const crank_recursion_link *link,
                                                       int motion, int local)
{
    const size_t nv = (size_t)link->nv, m = (size_t)motion, w = 3 * m, q = (size_t)local;
    const size_t pushed = link->pushed ? 1 : 0;
    crank_branch_numbers at = {.T = 0};
    at.G = at.T + nv * w;
    at.H = at.G + nv * w;
    at.KT = at.H + pushed * nv * w;
    at.CT = at.KT + nv * m;
    at.KQ = at.CT + pushed * nv * m;
    at.CQ = at.KQ + q * m;
    at.inverse = at.CQ + pushed * q * m;
    at.gQ = at.inverse + nv * nv;
    at.X = at.gQ + nv * q;
    at.own = at.X + q * nv;
    at.end = at.own + q * q;
    return at;
}

/* Its doubles: S (nv x motion), Q (local x width); apart: P, pass (9 x width). */
static inline size_t crank_branch_Q(const crank_recursion_link *link, int motion)
{
    return (size_t)link->nv * (size_t)motion;
}

static inline size_t crank_branch_pass(const crank_recursion_link *link, int motion, int local)
{
    return crank_branch_Q(link, motion) + 3 * (size_t)local * (size_t)motion;
}

static inline size_t crank_branch_constants(const crank_recursion_link *link, int motion,
                                            int local)
{
    return crank_branch_pass(link, motion, local) + (link->apart ? 3 + 27 * (size_t)motion : 0);
}

#endif
