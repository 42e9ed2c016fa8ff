/* own.h - peers on crank's own equations: IDA, CVODE and ARKODE of SUNDIALS, RADAU5 and DASPK
 * of R's deSolve, each on the very right-hand sides, analytic Jacobians and patterns, compiled
 * or not, that crank's methods have of any model.
 *
 * A peer is called CODE-FORM. Forms ggl, index2 and index1 are the rows of crank's direct
 * formulations (own_rows.h); ode is the underlying ordinary differential equation
 * (own_ode.h). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_OWN_H
#define BENCH_OWN_H

#include <crank/crank.h>

#include <stdbool.h>

/* What is asked for. */
typedef struct own_task {
    crank_run *run; /* formulated and started by own_method */
    const char *form;
    double rtol;
    int count; /* rows */
    const double *times;
    double *rows; /* count x crank_eom_unknowns */
} own_task;

/* What came of it. */
typedef struct own_run {
    int reached; /* rows filled */
    double seconds;
    long steps, evaluations, jacobians;
    char text[160]; /* why fewer were reached than asked for */
} own_run;

typedef void own_peer(const own_task *task, own_run *out);

/* The peer of a name, with the form in it; NULL: it is the name of none. */
own_peer *own_find(const char *name, const char **form);
/* The method of crank whose equations a form has. */
const char *own_method(const char *form);

#ifdef BENCH_SUNDIALS
own_peer own_ida;                /* own_ida.c */
own_peer own_cvode, own_arkode4, /* own_sundials.c */
    own_arkode5;
#endif
own_peer own_radau5; /* own_radau5.c */
own_peer own_daspk,  /* own_daspk.c: dense factors */
    own_daspk_klu;   /* GMRES, with sparse factors as its preconditioner */

#endif
