/* linear.h - the linearised motion of an eom at a point: linear.c (states), linear_inputs.c
 * (parameters and columns), linear_write.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_LINEAR_H
#define CRANK_SRC_STUDY_LINEAR_H

#include "base/store.h"
#include "eom/eom.h"
#include "linalg/singular.h"
#include "study/basis.h"
#include "study/slope.h"

#include <crank/study.h>

/* A part of the Jacobian as a dense matrix. */
typedef struct crank_linear_work {
    crank_store store;
    crank_eom *eom;
    double t;
    const double *x;
    double *k, *values, *mass; /* at (t, x) */
    double *unit;              /* n: natural sizes of unknowns */
    int *mass_pivot;
    int np, nv, nr, ns, ny; /* ny: w, lambda, mu */
    int z;                  /* np + nv + nr: p, v, r in this order */
    double *Y_solve;        /* pseudo-inverse of [d; gII; hI] over y: ny x ny */
    double *S_solve;        /* of c over s: ns x ns */
    crank_basis position, velocity;
    /* of positions, of velocities: dependent ones, and their constraints, decomposed */
    int *dependent[2];
    crank_singular level[2];
    int states;
    int *state; /* states: numbers in z */
    /* linear_steady.c: on a steady motion; in axes that are led along; its turn */
    bool steady, leads;
    double Omega[3];
    double unsteady_by;                  /* over what may be; of: */
    char unsteady[CRANK_DIRECTION_TEXT]; /* what changes most, and by how much */
} crank_linear_work;

/* At (t, x), which must outlive it. Free also on failure. */
crank_status crank_linear_prepare(crank_eom *eom, double t, const double *x,
                                  crank_linear_work *w, crank_error *err);
void crank_linear_release(crank_linear_work *w);
/* What follows from changes of the states (zeta, states) and of all rows by something else
 * (extra, m; NULL: nothing): all unknowns (dx, n) on the constraints, and the rates of the
 * states (rates, states; may be NULL). */
crank_status crank_linear_follow(crank_linear_work *w, const double *zeta, const double *extra,
                                 double *dx, double *rates, crank_error *err);
/* The run is at its point, with its model; CRANK_ESINGULAR: in a singular position. */
crank_status crank_linear_begin(crank_run *run, crank_error *err);
/* The column of the eom of number i of z. */
int crank_linear_column(const crank_linear_work *w, int i);

/* linear_steady.c: is the point one of a steady motion, and which? Then: what its axes take
 * from the rates (p, v) of a change dx. */
crank_status crank_linear_find_steady(crank_linear_work *w, crank_error *err);
/* Of states that are there: does it stay steady? fastest: the largest eigenvalue. */
crank_status crank_linear_judge_course(crank_linear_work *w, double fastest, crank_error *err);
void crank_linear_lead(const crank_linear_work *w, const double *dx, double *rates_p,
                       double *rates_v);

/* P (3 x 3): across the axis about which an inertia J = a + d n n^T is symmetric, P = 1 - n n^T; 0
 * if it is a ball's, 1 if it has no such axis. */
void crank_across_symmetry(const double J[9], double P[9]);

/* turned.c: bodies that turned far. */
crank_status crank_turned_find(crank_eom *eom, double t, const double *from, const double *to,
                               crank_equilibrium *out, crank_error *err);

/* linear_leader.c: by mode, the column of the eom that it is mostly in, and what rounding makes of
 * its eigenvalue. */
crank_status crank_linear_find_leaders(crank_linear_work *w, const crank_linear *linear,
                                       int *columns, double *rounding, crank_error *err);
/* The same of a change of all unknowns (motion: n complex numbers), with the values of M. */
crank_status crank_linear_name_motion(const crank_linear_work *w, const double *mass,
                                      const double *motion, int *column, crank_error *err);
/* linear_corner.c: the first equation that has no derivative at the point along some state, with
 * those to both sides; text "": none. */
crank_status crank_linear_find_corner(crank_linear_work *w, char *text, size_t size,
                                      crank_error *err);
/* linear_inputs.c: what moves the model from outside: a parameter, or a derivative of an
 * input. */
typedef struct crank_linear_channel {
    const char *input, *name; /* name: with a prime for each order */
    int order;
    bool parameter, moves; /* moves: an input of the file, else it is set */
    double value, h;       /* the longest step of differences */
    double *ku;            /* m: derivatives of the rows */
} crank_linear_channel;

typedef struct crank_linear_channels {
    crank_store store;
    int count;
    crank_linear_channel *item;
    char rough[CRANK_ROUGH_TEXT]; /* the first that has no derivative; "": none */
} crank_linear_channels;

/* All that the options ask for, with those derivatives that act; list->rough. Free also on failure. */
crank_status crank_linear_channels_find(crank_run *run, const crank_linear_options *options,
                                        crank_linear_channels *list, crank_error *err);
void crank_linear_channels_free(crank_linear_channels *list);
/* What a row is about; "... by ...: 2e5 to the one side, 0 to the other". */
const char *crank_linear_row_name(const crank_eom *eom, int row);
void crank_linear_name_slope(const crank_slope *s, const char *what, const char *by, char *text,
                             size_t size);
/* C and D by differences of the columns. */
crank_status crank_linear_outputs(crank_run *run, crank_linear_work *w,
                                  const crank_linear_options *options,
                                  crank_linear_channels *inputs, crank_linear *out,
                                  crank_error *err);

#endif
