/* own_rows.h - the equations that crank's direct forms integrate, for peers:
 *
 *     0 = F(t, x, x') = E(x, t) x' - k(x, t),    dF/dx + c dF/dx' = c E + d(E x')/dx - dk/dx
 *
 * ggl (the stabilised index-2 form of Gear, Gupta and Leimkuhler), index2 or index1: the same
 * k, E, analytic Jacobian and pattern as crank's own integrators have of any model, compiled or
 * not. crank's looks at steps (levels, ranks, jumps) are left out.
 *
 * Algebraic unknowns are for peers to leave out of their error tests, as the manuals of IDA and
 * DASPK advise for index 2, and weigh little in Newton's test, by an absolute tolerance of one
 * (without any IDA takes up to a fifth more or fewer steps). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_OWN_ROWS_H
#define BENCH_OWN_ROWS_H

#include "own.h"

#include "formulate/direct.h"

#include <stdlib.h>

typedef struct own_rows {
    crank_direct *form;
    int n;
    double *led;      /* work */
    bool *kind;       /* of unknowns: are they differential? */
    double *atol;     /* absolute tolerances */
    double *x, *xdot; /* at the start */
    double t, h_max;  /* the start; h_max 0: none */
} own_rows;

/* Ends the program where the run's equations are not such rows. */
void own_rows_open(own_rows *s, crank_run *run, double rtol);
void own_rows_close(own_rows *s);

/* 0; 1: a shorter step may do; -1: final */
int own_rows_residual(own_rows *s, double t, const double *x, const double *xdot, double *out);
/* E and d(E x')/dx - dk/dx there: form->lead and form->rest, compressed by columns
 * (form->start, form->row). */
int own_rows_prepare(own_rows *s, double t, const double *x, const double *xdot);
int own_answer(crank_status status);

#endif
