/* load_loop.h - the loop from loads of joints through forces that read them back to the loads.
 *
 * Accelerations and multipliers y = (w, lambda, mu) solve K y = b, rows (d, gII, hI). With
 * K = K_0 + F, K_0 with the forces of the constraints alone and F what other forces take from
 * the multipliers R that they read, the loads of K_0 y = b come back as
 *
 *     y_R = (I - P)^-1 (K_0^-1 b)_R,     P = -(K_0^-1 F)_RR                       theory (7.56)
 *
 * P is the gain of the loop; for one friction it is coefficient * dN/dF. Redundant constraints
 * and their multipliers are taken out. For mechanisms, which carry their accelerations; it
 * allocates, and is for what is done once. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_LOAD_LOOP_H
#define CRANK_SRC_EOM_LOAD_LOOP_H

#include "eom/structure.h"

typedef struct crank_load_loop {
    crank_eom *eom;
    crank_arena arena;
    double *values;
    int *place, *list;      /* m, n */
    double *norm, *columns; /* m, n + m */
    bool *kept;             /* lambda + mu */
    int *reason;            /* the same */
    int *number;            /* n: rows and columns of K_0, -1: left out */
    bool *read;             /* lambda + mu: something reads it */
    int *load;              /* the same: R, those that something depends on */
    double *force;          /* w: of one multiplier, that of its constraint */
    double *total, *work;   /* 2n, 4n: scales of columns; rows and columns */
    double *y;              /* n */
    double *x, *k;          /* n, m: without what reads multipliers */
    int size, loads;        /* of K_0, of R */
    crank_min_matrix V, T;  /* constraints over velocities, and by rows */
    crank_min_matrix K;     /* K_0, then the columns of F */
    double *gain;           /* R x R: P */
} crank_load_loop;

/* Does anything read a multiplier? */
bool crank_load_loop_exists(const crank_eom *eom);
/* With the constraints at (t, x). Destroy also on failure. */
crank_status crank_load_loop_create(crank_load_loop *loop, crank_eom *eom, double t,
                                    const double *x, crank_error *err);
void crank_load_loop_destroy(crank_load_loop *loop);
/* loads, load and gain at (t, x); R may be empty. CRANK_RETRY: K_0 is singular. */
crank_status crank_load_loop_find(crank_load_loop *loop, double t, const double *x,
                                  crank_error *err);
/* x of the loop := x with the accelerations and multipliers that there would be if nothing read
 * these. */
crank_status crank_load_loop_unload(crank_load_loop *loop, double t, const double *x,
                                    crank_error *err);

#endif
