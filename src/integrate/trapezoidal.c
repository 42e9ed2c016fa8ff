/* trapezoidal.c - the trapezoidal rule for E(x,t) x' = k(x,t) with m >= n rows, theory 4.15:
 * order 2, A-stable, no damping of fast motions. On positions and velocities it is Newmark's
 * formula with beta = 1/4, gamma = 1/2 [Neg98, 4.1].
 *
 *     E(X) (Z - G) / (h/2) = k(X),   X = x + Z,   G = h/2 K_0,   x_new = x + Z
 *
 * The error estimate is the difference to the implicit Euler step with the same slopes,
 * h/2 (K_0 - K_1), times the matrix' inverse. Where there are no rates to begin with, the first
 * step is one of implicit Euler. The stage: dirk.c; rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/dirk.h"

#include <math.h>

static const crank_dirk_tableau usual = {.stages = 1, .inverse = 2.0, .c = {1.0}, .a = {0.5}};
static const crank_dirk_tableau euler = {.stages = 1, .inverse = 1.0, .c = {1.0}};

/* theory (4.52), (4.53) */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_dirk *s = it->state;
    const double *Z = s->Z[0], *K = s->slope_end;
    crank_status status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    for (int j = 0; j < it->n; j++) {
        s->X[j] = s->end_known ? 2.0 * (K[j] - Z[j] / it->h) : -0.5 * Z[j] / it->h;
    }
    if (status == CRANK_OK) {
        status = crank_dirk_filter(it, s, s->end_known ? 0.0 : 0.5, err);
    }
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static const crank_implicit_kind kind = CRANK_DIRK_KIND(1, 2, estimate);

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_dirk_layout(state, &kind, &usual, &euler, arena, it);
}

/* For a first step h^2 x''/2 is Z - h K_0. */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_dirk *s = it->state;
    const bool known = s->end_known;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = known ? s->Z[0][j] - it->h * s->slope_end[j] : 0.0;
    }
    crank_dirk_accept(it, s, a->size, s->X);
    s->base.common.need_factor = s->base.common.need_factor || !known; /* another matrix */
}

/* Slopes where the next step begins are rates there: K_1 of unknowns that constraints determine
 * would keep what it is off, with alternating signs, until their rows are selected. */
static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    const crank_dirk *s = it->state;
    const crank_status status = crank_one_step_settle(it, a, last, err);
    return status != CRANK_OK || last || s->base.common.need_k0
               ? status
               : crank_dirk_take_rates(it, err);
}

const crank_method crank_method_trapezoidal =
    CRANK_DIRK_METHOD("trapezoidal", NULL, crank_dirk, layout, accept, settle);
