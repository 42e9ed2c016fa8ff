/* recorded.h - LU of a square sparse matrix whose elimination is recorded: pivots are chosen,
 * and from then on the elimination is a list of places in one array, without searches,
 *
 *     A = L U,   l_ik = a_ik / a_kk,   a_ij := a_ij - l_ik a_kj,   u_kj = a_kj    theory (3.18)
 *
 * Pivots are chosen in one of two ways.
 *
 * Once for all, on the diagonal, with the values at hand at creation (recorded_diagonal.c): the
 * order is that of least degree among acceptable pivots [Dav06, 7.1]. In the symmetric form (A
 * = A^T in every bit) only one half is computed, A = L D L^T. Unknowns with constant entries
 * alone are eliminated once for all. Suits [M J^T; J 0] with M definite, and triangular parts,
 * whose pivots are ones; a matrix that needs pivots off the diagonal is refused.
 *
 * Among all entries, for few products [Mar57], and anew where they have become bad
 * (recorded_search.c): for any small matrix that is factored often, real or complex;
 * solver_recorded.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RECORDED_H
#define CRANK_SRC_RECORDED_H

#include "base/archive.h"

enum { CRANK_RECORDED_RESERVED = 32 };

typedef struct crank_recorded crank_recorded;

/* What is known of A at creation. */
typedef enum crank_recorded_form {
    CRANK_RECORDED_ANY,
    CRANK_RECORDED_SYMMETRIC, /* and always, in every bit: half of it is computed */
    CRANK_RECORDED_DEFINITE   /* any order is stable */
} crank_recorded_form;

/* Pivots on the diagonal. Entries (row[e], column[e]), each place once; those with a negative
 * row are none of A's. constant: entries whose values never change; NULL: none. CRANK_RETRY: no
 * such pivots, or A is not symmetric though asked for, or the elimination takes so much
 * arithmetic that dense blocks are better. */
crank_status crank_recorded_create(int n, int count, const int *row, const int *column,
                                   const double *values, const bool *constant,
                                   crank_recorded_form form, crank_recorded **out,
                                   crank_error *err);
/* Pivots among all entries, by search. Keeps pointers to the pattern (compressed columns).
 * stride: doubles per entry, 1 real, 2 complex. reserve: search does not allocate, up to
 * CRANK_RECORDED_RESERVED rows. NULL: out of memory. */
crank_recorded *crank_recorded_create_searching(int n, const int *start, const int *row,
                                                int stride, bool reserve);
void crank_recorded_destroy(crank_recorded *r);

/* Chooses pivots and factors. CRANK_RETRY: singular; EMEM. */
crank_status crank_recorded_search(crank_recorded *r, const double *values);
/* values: per entry of create. false: the pivots are not good for these: lost in cancellation
 * or not finite, or A is not symmetric; by search, multipliers have grown. */
bool crank_recorded_factor(crank_recorded *r, const double *values);
/* x = A^-1 b; x may be b. Pivots on the diagonal: crank_recorded_solve, in place. */
void crank_recorded_solve(const crank_recorded *r, double *b);
void crank_recorded_solve_from(const crank_recorded *r, const double *b, double *x);
/* By search: b := A^-T b; complex, real and imaginary parts apart. */
void crank_recorded_solve_transposed(const crank_recorded *r, double *b);
void crank_recorded_solve_complex(const crank_recorded *r, const double *b_real,
                                  const double *b_imag, double *x_real, double *x_imag);
/* By unknown: one over its pivot. */
const double *crank_recorded_inverse_pivots(const crank_recorded *r);

/* Checkpoints, by search and when factored: what decides later whether pivots are kept, besides
 * the pivots. */
void crank_recorded_archive(crank_recorded *r, crank_archive *archive);

#endif
