/* form.h - a problem as 0 = F(t, y, y'): the stabilised index-2 form of Gear, Gupta and
 * Leimkuhler,
 *
 *     q' = v - G^T mu,  M v' = f - G^T lambda,  0 = G v + g_t,  0 = g,
 *         y = [q v lambda mu]
 *
 * or the index-1 form q' = v, M v' = f - G^T lambda, 0 = G v' + c, y = [q v lambda]. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_FORM_H
#define BENCH_FORM_H

#include "mechanics.h"

enum { BLOCKS = 12 };

/* entries of a block and where they stand among the matrix's values */
typedef struct block {
    const places *at;
    int row, column;
    bool transposed;
    int *position;
} block;

typedef struct dae_form {
    mechanics *problem;
    bool ggl;
    int n, blocks;
    block block[BLOCKS];
    places unit;
    double *values, *g;
    int nonzeros, *start, *row; /* pattern by columns; dense: start is NULL */
} dae_form;

void form_create(dae_form *form, mechanics *problem, bool ggl, bool sparse);
void form_destroy(dae_form *form);
void form_residual(dae_form *form, double t, const double *y, const double *yp, double *r);
/* dF/dy + cj dF/dy': values on the pattern by columns, or a full matrix. */
void form_jacobian(dae_form *form, double t, double cj, const double *y, const double *yp,
                   double *out);

#endif
