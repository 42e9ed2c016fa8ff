/* basis.h - motions that rows of constraints leave: independent columns, and the others by
 * them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_BASIS_H
#define CRANK_SRC_STUDY_BASIS_H

#include <crank/base.h>

typedef struct crank_basis {
    int columns, rank, free; /* free = columns - rank */
    int *independent;        /* free: columns, rising */
    double *N; /* columns x free: motions; the rows of independent columns are the identity */
} crank_basis;

/* W (rows x columns, column-major, destroyed): constraints; unit (columns): sizes of the
 * columns, by which rank and choice are free of units. Rows are divided by their norms, or by
 * least (rows) if that is more; pivots below tolerance are none. Destroy also on failure. */
crank_status crank_basis_create(int rows, int columns, double *W, const double *unit,
                                const double *least, double tolerance, crank_basis *b,
                                crank_error *err);
void crank_basis_destroy(crank_basis *b);

#endif
