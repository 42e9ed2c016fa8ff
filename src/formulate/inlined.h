/* inlined.h - what the files of translated equations as a problem share: inlined.c, whose steps
 * the translated code makes, and inlined_ode.c, which gives x' = f(t, x) of the same code to the
 * integrators' own iterations. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINED_PROBLEM_H
#define CRANK_SRC_INLINED_PROBLEM_H

#include "base/arena.h"
#include "eom/inlined.h"
#include "linalg/solver.h"
#include "problem/problem.h"

/* a solution at (t, x) */
typedef struct crank_inlined_end {
    bool known;
    double t, *x, *xdot, *full;
} crank_inlined_end;

typedef struct crank_inlined_problem {
    crank_problem base;
    crank_problem_unknowns unknowns;
    crank_inlined *single, *stages; /* stages: three at once, or NULL */
    crank_statistics statistics;
    crank_inlined_counts told; /* that statistics have */
    crank_arena arena;
    crank_log log;
    bool *flags; /* differential, tested */
    unsigned char *group, *scaling;
    double sigma;
    bool fallen; /* the log was told of blocks solved whole */
    bool known;  /* t, x, xdot and full are a solution */
    double t;
    double *x, *xdot, *old, *other, *other_rate, *scale; /* n */
    double *rate;         /* n: x' of the last step, or as it was placed: the guess of others */
    double *full, *aside; /* unknowns of the eom: of (t, x); of a point on the way */
    crank_inlined_end last, before_last; /* where steps have ended */
    double absolute, relative, iteration;
    /* apart: a row is being made; what the last step has left: t, x, xdot, rate, scale, full */
    bool apart, known_before;
    double *before;
    /* inline-ode (inlined_ode.c): matrices of x' = f(t, x) */
    crank_solver *solver;
    double *jacobian, *point, *slope; /* n x n by columns; n */
} crank_inlined_problem;

/* inlined_ode.c: in the place of the functions that make steps. */
crank_status crank_inlined_use_standard(crank_inlined_problem *s, crank_error *err);

#endif
