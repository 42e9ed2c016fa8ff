/* solve.h - what solve.c (rows, events, points) and functions.c (functions of the caller)
 * share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_OCTAVE_SOLVE_H
#define CRANK_OCTAVE_SOLVE_H

#include "bindings.h"

typedef struct rows {
    double *values; /* t, the values, the number of an event */
    size_t count, room;
} rows;

typedef struct solution {
    call *c;
    /* equations of the caller, NULL: a model; f, M, g, and G or the Jacobian */
    const mxArray *equations, *function, *mass, *constraint, *derivative;
    int n, constraints;
    crank_dae *dae;
    crank_motion *motion; /* one of them, or none */
    char wrong[100];      /* what the first wrong value was */
    /* events of the caller: a function of (t, y) */
    const mxArray *watch;
    crank_events watched;
    const double *terminal;
    double *y; /* its argument */
    int columns;
    bool dense, stopped; /* points within steps; by the output function */
    double begin;        /* of the last step */
    rows rows, events, between;
} solution;

/* t of the run's time, which may go backwards */
double solution_time(const solution *s, double t);
/* The values of a row from those of the run: of motions p, v, lambda from its unknowns. */
void solution_values(const solution *s, const double *from, double *to);
/* Hands the caller's event function to the run. */
void solution_watch(solution *s);

/* function(in[1], ...) through crank_guard; what it throws is kept: false. in is freed but for the
 * function. */
bool guarded(call *c, int count, mxArray **in, const mxArray *function, mxArray **value);

/* the caller's functions, user: a solution */
crank_status function_evaluate(double t, const double *y, double *k, void *user);
crank_status function_dae_mass(double t, const double *y, double *E, void *user);
crank_status function_jacobian(double t, const double *y, double *J, void *user);
crank_status function_force(double t, const double *p, const double *v, double *f, void *user);
crank_status function_mass(double t, const double *p, const double *v, double *M, void *user);
crank_status function_constraint(double t, const double *p, const double *v, double *g,
                                 void *user);
crank_status function_gradient(double t, const double *p, const double *v, double *G,
                               void *user);

#endif
