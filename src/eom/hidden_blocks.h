/* hidden_blocks.h - Jacobian blocks of hidden constraints, put together from those of the
 * given rows. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_HIDDEN_BLOCKS_H
#define CRANK_SRC_EOM_HIDDEN_BLOCKS_H

#include "eom/flow.h"

typedef struct crank_hidden_blocks {
    const crank_eom *eom; /* set by the owner */
    double *G;            /* nl x np */
    double *Z;            /* np x nv */
    double *A;            /* (nl + nm) x nv: [gI_v; h_v] */
    double *Y;            /* nv x (nw + nl + nm): M^-1 (f_dyn)_y */
    double *B;            /* (nl + nm) x (nw + nl + nm) */
    double *cp;           /* ns x np */
    double *gs;           /* nl x ns */
} crank_hidden_blocks;

void crank_hidden_blocks_layout(crank_hidden_blocks *blocks, crank_arena *arena);
/* Overwrites gI_v (unless flow->from_velocity) and (gII, hI) by (w, lambda, mu) in values,
 * with the factors of M and c_s in flow. */
void crank_hidden_blocks_fill(crank_hidden_blocks *blocks, const crank_flow *flow,
                              double *values);

#endif
