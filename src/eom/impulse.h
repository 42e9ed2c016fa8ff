/* impulse.h - velocities after an impulse, as at an impact. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_IMPULSE_H
#define CRANK_SRC_EOM_IMPULSE_H

#include "eom/eom.h"

/* What an impulse must bring about: rows N of N (v+ - v-) = change. */
typedef struct crank_impulse {
    int count;
    const double *row;    /* count x n_v, row by row */
    const double *change; /* count */
    /* n_lambda + n_mu: what the method has left of gI and h, not counted as contradiction */
    const double *drift;
    int contradicted; /* found: a row that cannot be met; count: a constraint; -1: none */
} crank_impulse;

/* Moves the velocities of x (n) by the impulse of theory (8.8), so that the constraints of the
 * velocity level hold and the rows get their change. With a contradiction x stays as it is.
 * Allocates. */
crank_status crank_eom_impulse(crank_eom *eom, double t, double *x, crank_impulse *impulse,
                               crank_error *err);

#endif
