/* singular.h - A = U diag(sigma) VT of a small dense matrix as an object, and what is read from
 * it: rank, gap, and damped steps of smallest norm. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LINALG_SINGULAR_H
#define CRANK_SRC_LINALG_SINGULAR_H

#include <crank/base.h>

#include "base/arena.h"

typedef struct crank_singular {
    int rows, columns, count; /* count: of singular values, the smaller of the two */
    double *A;      /* rows x columns, column-major: filled by the caller, destroyed */
    double *sigma;  /* count, falling */
    double *U, *VT; /* rows x rows, columns x columns; NULL: not wanted */
    int rank;       /* of singular values that count */
    double gap; /* smallest that counts / largest that does not; INFINITY if there is none */
    double *work;
    int work_size;
    crank_arena arena;
} crank_singular; /* {0} is empty */

/* Room, with A = 0. Destroy also on failure. */
crank_status crank_singular_create(int rows, int columns, bool vectors, crank_singular *s,
                                   crank_error *err);
void crank_singular_destroy(crank_singular *s);
/* Decomposes A as the caller has filled it; rank and gap are not set. */
crank_status crank_singular_decompose(crank_singular *s, crank_error *err);
/* rank and gap: singular values above limit count. */
void crank_singular_count(crank_singular *s, double limit);
/* y of smallest norm that minimises |A y + r|^2 + damping^2 |y|^2, of the singular values that
 * count:  y = - sum_k  v_k sigma_k / (sigma_k^2 + damping^2) u_k^T r    [Lev44], [GVL13,
 * 5.5] */
void crank_singular_step(const crank_singular *s, const double *r, double damping, double *y);

#endif
