/* split.h - constraints split into independent and dependent ones, for what looks at the
 * multipliers that dependent ones leave open.
 *
 * With W = [gI_v; h_v], multipliers are determined up to the null space of W^T. Independent
 * rows I with pivot columns P and dependent rows D are found by sparse elimination; null
 * vectors are
 *     nu_D free,   W_IP^T nu_I = -W_DP^T nu_D                                     theory (7.26)
 * */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_SPLIT_H
#define CRANK_SRC_EOM_SPLIT_H

#include "base/archive.h"
#include "base/store.h"
#include "eom/eom.h"
#include "linalg/rowspace.h"
#include "linalg/solver.h"

/* W by rows and its split */
typedef struct crank_split {
    crank_store store;
    int rows, columns, unknowns; /* unknowns: of the eom */
    int *start, *column;
    int *source; /* index into the Jacobian's values */
    /* rows: the first of those that are components of one vector; NULL: none */
    const int *group;
    int *members; /* of the group that begins with a row */
    double *jacobian, *values, *scale;
    double *unit; /* columns: natural sizes of velocities, in which W is taken */
    /* rows: what they are at least where unknowns keep constraints by themselves and leave them
     * no gradient; 0: not known */
    double *natural;
    crank_rowspace *space;
    const int *pivot; /* rows: -1 dependent */
    int rank;
    int *place;       /* columns: position among the pivots, -1: none */
    int *independent; /* rank: rows, in the order of their pivots' positions */
    int square_rank;  /* of the square, when it was built */
    int *square_start, *square_row, *square_source;
    crank_solver *square; /* W_IP, columns as rows: its transpose is stored */
    double *side;
    bool redundant; /* where it was asked last */
    /* rows: natural sizes, multipliers, residual, direction, its image, gradient; eom->n */
    double *size, *lambda, *residual, *direction, *image, *gradient, *shared;
} crank_split;

/* Keeps group. */
crank_status crank_split_create(const crank_eom *eom, const int *group, crank_split **out,
                                crank_error *err);
void crank_split_destroy(crank_split *w); /* accepts NULL */
/* The split at (t, x): w->redundant. */
crank_status crank_split_find(crank_split *w, crank_eom *eom, double t, const double *x,
                              crank_error *err);
/* nu of the dependent rows made a null vector. */
void crank_split_complete(crank_split *w, double *nu);
/* x, where it was asked last, with the multipliers of least norm among those that redundant
 * constraints leave open; x itself where there are none (split_share.c). */
const double *crank_split_share(crank_split *w, const crank_eom *eom, const double *x);
/* Checkpoints: what one question leaves to the next. */
void crank_split_archive(crank_split *w, crank_archive *archive);

/* Arrays of split_share.c, in the store. */
void crank_share_layout(crank_split *w);

#endif
