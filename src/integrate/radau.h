/* radau.h - the state of the Radau IIA method. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RADAU_H
#define CRANK_SRC_RADAU_H

#include "integrate/implicit.h"
#include "integrate/jump.h"

/* step ends with their slopes kept, from which a jump is guessed */
enum { CRANK_RADAU_NODES = 2 };

typedef struct crank_radau {
    crank_implicit common;
    /* arrays: n per stage unless said otherwise */
    double *Y, *Z, *dZ, *X; /* 3n: shifted stages, transformed, increments, stages */
    double *K, *F;          /* 3m: right-hand sides, transformed residuals */
    double *lead;           /* m */
    double *error, *xdot;   /* n */
    double *polynomial;     /* 3n: Newton coefficients of the last step */
    /* rows between steps: n each */
    double *begin, *before,
        *earlier;     /* where the last step began, the step before it, and that before */
    double *estimate; /* of the last step's error */
    /* m: of algebraic rows where the last step began, if they fade in a step that ends at a
     * row */
    double *residual;
    bool fades;
    double h_before, h_earlier; /* lengths of the two steps before it, 0: none */
    /* singular: pass */
    double *node_slope; /* nodes x n: x' at s->begin and at it->x */
    int nodes;          /* that are in use, the last ones */
    crank_jump jump;
} crank_radau;

/* radau_polynomial.c */
void crank_radau_store_polynomial(const crank_integrator *it, crank_radau *s);
void crank_radau_polynomial(const crank_integrator *it, const crank_radau *s, double at,
                            double *y);
/* Hermite's cubic through the last two step ends at t, which is none of them: its values into
 * x, its derivative into xdot, for differential unknowns; the others are left alone. */
void crank_radau_hermite(const crank_integrator *it, const crank_radau *s, double t, double *x,
                         double *xdot);
void crank_radau_store_node(crank_integrator *it, crank_radau *s);
const double *crank_radau_end_derivative(const crank_integrator *it,
                                         crank_radau *s); /* NULL: no step yet */

/* radau_rows.c */
/* Before it->x becomes the end of an accepted step. */
void crank_radau_keep_begin(const crank_integrator *it, crank_radau *s);
void crank_radau_interpolate(const crank_integrator *it, double t, double *x);
void crank_radau_row_error(const crank_integrator *it, double t, double *off);
crank_status crank_radau_refine_row(crank_integrator *it, double t, double *x,
                                    crank_error *err);

/* radau.c: the stages. Z of stages Y; 3n each */
void crank_radau_transform(int n, const double *Y, double *Z);
void crank_radau_predict(crank_integrator *it, crank_radau *s);
crank_status crank_radau_factor(crank_integrator *it, crank_error *err);

/* radau_defect.c, after Newton's iteration: *column is an unknown that does not move as its
 * rate says, -1: none. */
crank_status crank_radau_find_defect(crank_integrator *it, crank_radau *s, int *column,
                                     crank_error *err);

/* radau.c: everything between an accepted and corrected point and the next step */
crank_status crank_radau_conclude(crank_integrator *it, crank_radau *s, bool last,
                                  crank_error *err);

/* radau_jump.c: across a singular position, if there is one ahead and the motion is smooth
 * enough. */
crank_status crank_radau_jump(crank_integrator *it, crank_radau *s, bool *jumped,
                              crank_error *err);

#endif
