/* partition_columns.h - the Newton matrix of independent coordinates, column by column in
 * threads; theory (2.33). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PARTITION_COLUMNS_H
#define CRANK_SRC_PARTITION_COLUMNS_H

#include "formulate/reduction_sparse.h"

typedef struct crank_columns crank_columns;

/* Of a sparse decomposition without invariants, which it must not outlive. */
crank_status crank_columns_create(const crank_reduction *reduction, int threads,
                                  crank_columns **out, crank_error *err);
void crank_columns_destroy(crank_columns *columns); /* accepts NULL */
/* After a decomposition. */
crank_status crank_columns_make(crank_columns *columns, crank_error *err);
/* As those of a reduction. */
crank_status crank_columns_factor(crank_columns *columns, int count, const double *sigma_real,
                                  const double *sigma_imag, crank_error *err);
void crank_columns_solve(crank_columns *columns, int i, const double *r_real,
                         const double *r_imag, double *delta_real, double *delta_imag);

#endif
