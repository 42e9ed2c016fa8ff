/* one_step.h - implicit one-step methods that leave to the next step nothing but its
 * beginning: what follows from the last step ends (rows, starting values), and constraints
 * that jump. A method says what its stages are and its error (implicit.h). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ONE_STEP_H
#define CRANK_SRC_ONE_STEP_H

#include "integrate/implicit.h"

typedef struct crank_ends {
    /* n each: where the last step began, the step before it, and that before; differences of
     * orders 2 to 4 */
    double *begin, *before, *earlier, *bend, *twist, *change;
    const double *end;                      /* it->x */
    double t, h;                            /* of the end; length of the last step */
    double h_before, h_earlier, h_earliest; /* of the steps before; 0: none */
} crank_ends;

/* The state of a method that leaves nothing else to its next step begins with this. */
typedef struct crank_one_step {
    crank_implicit common;
    crank_ends ends;
    double *work; /* n */
    /* Of a step made again for a row, where velocities follow from positions: its part of the
     * step (0: no such step), and k of algebraic rows (m) where it begins, theory (4.12). */
    double part;
    double *residual;
} crank_one_step;

/* Hooks of stepper.h, and of rows and checkpoints. */
void crank_one_step_reset(crank_integrator *it);
crank_status crank_one_step_start(crank_integrator *it, crank_error *err);
crank_status crank_one_step_settle(crank_integrator *it, const crank_attempt *a, bool last,
                                   crank_error *err);
void crank_one_step_interpolate(const crank_integrator *it, double t, double *x);
void crank_one_step_row_error(const crank_integrator *it, double t, double *off);
crank_status crank_one_step_refine_row(crank_integrator *it, double t, double *x,
                                       crank_error *err);
void crank_one_step_archive(crank_integrator *it, crank_archive *a);

/* Parts of the others. */
void crank_one_step_layout(crank_one_step *s, const crank_implicit_kind *kind,
                           crank_arena *arena, const crank_integrator *it);
/* kind->slope */
const double *crank_one_step_slope(crank_integrator *it);
/* Starting values at t, from it->x: by the cubic, or zero. */
void crank_one_step_predict(const crank_integrator *it, const crank_one_step *s, double t,
                            double *Z);
/* In an attempt whose stages are known, with k at the end as it was iterated: *column is an
 * unknown that a constraint moves by more than its rate does, -1: none. */
crank_status crank_one_step_find_jump(crank_integrator *it, crank_one_step *s, int *column,
                                      crank_error *err);
/* it->x becomes the end of the step; bend: n, h^2 x''/2, for the first step. */
void crank_one_step_accept(crank_integrator *it, crank_one_step *s, double size,
                           const double *bend);

#endif
