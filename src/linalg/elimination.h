/* elimination.h - small sparse systems: LU whose pivots are searched once and whose operations are then repeated.
 *
 * search chooses pivots for few entries [Mar57] among those that are large enough in their columns, and records which
 * products make each entry of the factors. repeat goes through this record with other values: no search, no list, no
 * row scaling. For matrices that are factored often, of up to CRANK_ELIMINATION_ROWS rows; sparse.c decides. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ELIMINATION_H
#define CRANK_SRC_ELIMINATION_H

#include "base/archive.h"

enum { CRANK_ELIMINATION_ROWS = 128, CRANK_ELIMINATION_RESERVED = 32 };

typedef struct crank_elimination crank_elimination;

/* Keeps pointers to the pattern (compressed columns). stride: doubles per entry, 1 real, 2 complex. reserve: search does not
 * allocate, up to CRANK_ELIMINATION_RESERVED rows. NULL: out of memory. */
crank_elimination *crank_elimination_create(int n, const int *start, const int *row, int stride,
                                            bool reserve);
void crank_elimination_destroy(crank_elimination *e);

/* Chooses pivots and factors. CRANK_RETRY: singular; EMEM. */
crank_status crank_elimination_search(crank_elimination *e, const double *values);
/* Factors with the pivots of the last search. false: they are bad for these values. */
bool crank_elimination_repeat(crank_elimination *e, const double *values);
/* x may be b. */
void crank_elimination_solve(const crank_elimination *e, const double *b, double *x);
void crank_elimination_solve_transposed(const crank_elimination *e, double *b);
/* Complex: real and imaginary parts, step doubles apart. */
void crank_elimination_solve_complex(const crank_elimination *e, int step, const double *b_real,
                                     const double *b_imag, double *x_real, double *x_imag);

/* Checkpoints, when factored: what decides later whether pivots are kept, besides the pivots. */
void crank_elimination_archive(crank_elimination *e, crank_archive *archive);

#endif
