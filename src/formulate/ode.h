/* ode.h - the object behind the formulation ode: ode.c (the problem), ode_stage.c (algebraic unknowns at a stage). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ODE_H
#define CRANK_SRC_ODE_H

#include "eom/stage.h"
#include "formulate/psf.h"
#include "linalg/sparse.h"

/* The square system of a stage, dense or sparse: rows d, gII, hI, c, columns w, lambda, mu, s. */
typedef struct crank_ode_square {
    int n;
    crank_sparse *sparse; /* NULL: dense */
    int *start, *row;     /* its pattern */
    int *place;           /* per stage entry: into values, -1: a differential row */
    int *diagonal;        /* n: of multipliers, into values; -1 */
    double *values;       /* n x n, or per entry of the pattern */
    int *pivot;
} crank_ode_square;

typedef struct crank_ode {
    crank_problem base;
    crank_psf *psf; /* corrections onto the constraints, singular positions, redundant rows */
    crank_eom *eom;
    crank_statistics statistics; /* those of psf, and of the stages */
    crank_arena arena;
    crank_stage_entries entries;
    crank_ode_square square;
    bool *tested;
    double *k, *values, *work, *delta;
} crank_ode;

/* Patterns and memory of the square system. */
crank_status crank_ode_square_create(crank_ode *s, bool sparse, crank_error *err);
void crank_ode_square_destroy(crank_ode_square *square);
/* The algebraic unknowns of x, and the differential rows of s->k there. */
crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err);

#endif
