/* dirk.h - diagonally implicit Runge-Kutta methods: stages one after the other, all with the
 * matrix E/(gamma h) - J. A method is its tableau and its error estimate (sdirk2.c, sdirk4.c,
 * trapezoidal.c).
 *
 *     X_i = x + Z_i,   G_i = a_i h K_0 + sum_{j<i} g_ij Z_j,   x_new = x + Z_s
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i)                            theory (4.34)
 *
 * K_0: the slope where the step begins, which is K_s = (Z_s - G_s) / (gamma h) of the step
 * before; of a first step the rates. Where there are none (mass matrices may be singular)
 * another tableau answers that does not ask for it; some methods never do. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DIRK_H
#define CRANK_SRC_DIRK_H

#include "integrate/one_step.h"

enum { CRANK_DIRK_STAGES = 5 }; /* at most */

typedef struct crank_dirk_tableau {
    int stages;
    double inverse; /* 1/gamma */
    double c[CRANK_DIRK_STAGES];
    double a[CRANK_DIRK_STAGES];
    double g[CRANK_DIRK_STAGES][CRANK_DIRK_STAGES];
} crank_dirk_tableau;

/* The state of a method. */
typedef struct crank_dirk {
    crank_one_step base;
    /* of the same size; one and the same: K_0 is not asked for */
    const crank_dirk_tableau *usual, *without;
    int stage;                    /* that is iterated */
    double *Z[CRANK_DIRK_STAGES]; /* n: stages; the last is the step */
    double *X, *slope;            /* n: x + Z, x' there */
    double *lead;                 /* m: E times a vector */
    /* n: x' at the end and the beginning of the last step; not known where steps start anew */
    double *slope_end, *slope_begin;
    bool end_known, begin_known;
} crank_dirk;

/* The two tables of a method: crank_implicit_kind and crank_method. */
// clang-format off
#define CRANK_DIRK_KIND(STAGES, POWER, ESTIMATE)                                               \
    {                                                                                          \
        .systems = STAGES, .together = 1, .power = POWER, .predict = crank_dirk_predict,       \
        .place_stages = crank_dirk_place_stages, .rule = crank_dirk_rule,                      \
        .take = crank_dirk_take, .increment = crank_dirk_increment,                            \
        .add = crank_dirk_add, .estimate = ESTIMATE, .factor = crank_dirk_factor,              \
        .slope = crank_one_step_slope                                                          \
    }
#define CRANK_DIRK_METHOD(NAME, NODES, STATE, LAYOUT, ACCEPT, SETTLE)                          \
    {                                                                                          \
        .name = NAME, .one_step = true, .nodes = NODES, .state_size = sizeof(STATE),           \
        .layout = LAYOUT, .reset = crank_dirk_reset, .start = crank_dirk_start,                \
        .begin = crank_implicit_begin, .look = crank_implicit_look,                            \
        .ready = crank_implicit_ready, .attempt = crank_implicit_attempt,                      \
        .undo = crank_implicit_undo, .shorter = crank_implicit_shorter,                        \
        .end = crank_dirk_end, .accept = ACCEPT, .settle = SETTLE,                             \
        .interpolate = crank_one_step_interpolate, .row_error = crank_one_step_row_error,      \
        .refine_row = crank_one_step_refine_row, .invalidate = crank_implicit_invalidate,      \
        .archive = crank_dirk_archive                                                          \
    }
// clang-format on

/* Hooks of implicit.h. */
void crank_dirk_predict(crank_integrator *it, int i);
void crank_dirk_place_stages(crank_integrator *it, double *t);
void crank_dirk_rule(crank_integrator *it, double *h, double *old, double *xdot);
void crank_dirk_take(crank_integrator *it, const double *xdot);
crank_status crank_dirk_increment(crank_integrator *it, const double *t, crank_error *err);
void crank_dirk_add(crank_integrator *it);
crank_status crank_dirk_factor(crank_integrator *it, crank_error *err);

/* Hooks of stepper.h, and of checkpoints. */
void crank_dirk_reset(crank_integrator *it);
crank_status crank_dirk_start(crank_integrator *it, crank_error *err);
void crank_dirk_end(const crank_integrator *it, double *x);
void crank_dirk_archive(crank_integrator *it, crank_archive *a);

/* Parts of the others. */
void crank_dirk_layout(crank_dirk *s, const crank_implicit_kind *kind,
                       const crank_dirk_tableau *usual, const crank_dirk_tableau *without,
                       crank_arena *arena, const crank_integrator *it);
/* base.work = S s->X gamma h, S of theory (4.39), with part times E K_0 = k added to E s->X */
crank_status crank_dirk_filter(crank_integrator *it, crank_dirk *s, double part,
                               crank_error *err);
/* K_0 becomes E^-1 k0, where there are rates of all unknowns that have them; else it stays. */
crank_status crank_dirk_take_rates(crank_integrator *it, crank_error *err);
/* K_s becomes K_0 of the next step; bend as for crank_one_step_accept. */
void crank_dirk_accept(crank_integrator *it, crank_dirk *s, double size, const double *bend);

#endif
