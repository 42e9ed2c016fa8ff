/* reactions_split.h - constraints split into independent and dependent ones, for what looks at
 * the multipliers that dependent ones leave open: reactions_unique.c, reactions_share.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_REACTIONS_SPLIT_H
#define CRANK_SRC_REACTIONS_SPLIT_H

#include "mechanics/output.h"

#include "linalg/rowspace.h"
#include "linalg/solver.h"

/* W by rows and its split */
struct crank_uniqueness {
    crank_store store;
    int rows, columns, unknowns; /* unknowns: of the eom */
    int *start, *column;
    int *source;      /* index into the Jacobian's values */
    const int *group; /* rows: crank_reactions */
    int *members;     /* of the group that begins with a row */
    double *jacobian, *values, *scale;
    crank_rowspace *space;
    const int *pivot; /* rows: -1 dependent */
    int rank;
    int *place;       /* columns: position among the pivots, -1: none */
    int *independent; /* rank: rows, in the order of their pivots' positions */
    int square_rank;  /* of the square, when it was built */
    int *square_start, *square_row, *square_source;
    crank_solver *square; /* W_IP, columns as rows: its transpose is stored */
    double *point, *side, *reaction;
    bool redundant; /* where it was asked last */
    /* rows: natural sizes, multipliers, residual, direction, its image, gradient; eom->n */
    double *size, *lambda, *residual, *direction, *image, *gradient, *shared;
};

/* nu of the dependent rows made a null vector: W_IP^T nu_I = -W_DP^T nu_D, theory (7.26). */
void crank_split_complete(crank_uniqueness *w, double *nu);

/* Arrays of reactions_share.c, in the store. */
void crank_share_layout(crank_uniqueness *w);

#endif
