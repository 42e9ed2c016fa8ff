/* structure.h - the parts of the structure report. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_STRUCTURE_H
#define CRANK_SRC_EOM_STRUCTURE_H

#include "eom/eom.h"
#include "eom/minimum_norm.h"

enum { CRANK_STRUCTURE_DENSE = 600 }; /* unknowns up to which singular values are computed */

/* The rows of A that are independent of the rows before them, in the given order (of two
 * equal rows the later one is dependent). Rows of A have norm one or zero. kept (rows):
 * independent; reason (rows): for dependent rows the earlier row that contributes most, -1
 * if the row vanishes. */
crank_status crank_independent_rows_dense(const crank_min_matrix *A, double tolerance,
                                          bool *kept, int *reason, int *rank, crank_error *err);
/* The same by sparse elimination; the first own rows must be solvable for the first own
 * columns, and smallest (may be NULL) receives the smallest pivot. */
crank_status crank_independent_rows_sparse(const crank_min_matrix *A, double tolerance, int own,
                                           bool *kept, int *reason, int *rank, double *smallest,
                                           crank_error *err);

/* The block of an eom's Jacobian with the rows that have a place (m, -1: left out), 0 ..
 * rows-1, over the listed columns. norm (rows): of the rows, which are divided by it. Rows
 * below 1e-10 of the largest (and of 1) are set to zero, with norm 1. false: out of memory. */
bool crank_structure_block(const crank_eom *eom, const double *values, const int *place,
                           int rows, const int *column, int columns, crank_min_matrix *A,
                           double *norm);

/* The same for rows first .. last-1 over columns begin .. end-1; place (m) and list (n) are work. */
typedef struct crank_range {
    int first, last, begin, end;
} crank_range;
crank_status crank_structure_range(const crank_eom *eom, const double *values,
                                   crank_range range, int *place, int *list, double *norm,
                                   crank_min_matrix *A, crank_error *err);

/* Divides rows and columns by roots of their largest entries, repeatedly: near one afterwards.
 * row, column: work. */
void crank_structure_equilibrate(crank_min_matrix *A, double *row, double *column);

/* Do mass, forces and constraints determine the carried accelerations? *column: the first that
 * they leave open, -1 if there is none (or none is carried). values: of the Jacobian. */
crank_status crank_structure_motion(const crank_eom *eom, const double *values, int *column,
                                    crank_error *err);

#endif
