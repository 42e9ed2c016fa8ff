/* sdirk2.c - singly diagonally implicit Runge-Kutta method of order 2 for E(x,t) x' = k(x,t)
 * with m >= n rows [Ale77]: two stages, stiffly accurate, L-stable, theory 4.12.
 *
 *     gamma = 1 - 1/sqrt(2):   gamma |  gamma                       X_i = x + Z_i
 *                                 1  | 1-gamma  gamma               x_new = x + Z_2
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i)                       theory (4.31)
 *     G_1 = 0,  G_2 = (1-gamma)/gamma Z_1
 *
 * stage by stage by Newton's iteration with one real matrix E/(gamma h) - J. The error estimate
 * is of order 3, asymptotically right, from k at the beginning and both stages, theory (4.33).
 * Rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/one_step.h"

#include <math.h>

/* with r = sqrt(2): gamma = 1 - r/2, 1/gamma = 2 + r */
static const double inverse = 3.4142135623730950488;
static const double carry = 2.4142135623730950488; /* (1-gamma)/gamma = 1 + r */
static const double c[2] = {0.29289321881345247560, 1.0};
/* theory (4.33): r/6 of k at the beginning, -(13/3 + 3r), (4 + 2r)/3 of the stages; then
 * -1/(6 gamma^2), 1/(6 gamma) of the stages */
static const double of_k = 0.23570226039551584147,
                    third[2] = {-8.5759740204526184797, 2.2761423749153966992},
                    second[2] = {-1.9428090415820633659, 0.56903559372884917480};

typedef struct sdirk2 {
    crank_one_step base;
    int stage;         /* that is iterated */
    double *Z[2];      /* n: stages; the second is the step */
    double *X, *slope; /* n: x + Z, x' there */
    double *lead;      /* m: E times a vector */
} sdirk2;

/* ---- stages ---- */

static crank_status increment(crank_integrator *it, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_problem *p = it->problem;
    const double *Z = s->Z[s->stage], t = it->t + c[s->stage] * it->h, shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + Z[j];
        s->slope[j] = shift * (s->stage == 0 ? Z[j] : Z[j] - carry * s->Z[0][j]);
    }
    crank_status status = p->evaluate(p, 1, &t, s->X, s->base.k, err);
    status = status == CRANK_OK ? p->lead(p, t, s->X, s->slope, s->lead, err) : status;
    for (int i = 0; i < it->m && status == CRANK_OK; i++) {
        s->lead[i] = s->base.k[i] - s->lead[i];
    }
    return status == CRANK_OK
               ? p->solve(p, 0, s->lead, NULL, s->base.common.increment, NULL, err)
               : status;
}

static void add_increment(crank_integrator *it)
{
    sdirk2 *s = it->state;
    for (int j = 0; j < it->n; j++) {
        s->Z[s->stage][j] += s->base.common.increment[j];
    }
}

static crank_status factor(crank_integrator *it, crank_error *err)
{
    const double shift = inverse / it->h, none = 0.0;
    return it->problem->factor(it->problem, 1, &shift, &none, err);
}

/* Both stages; what is judged by the iteration is judged by the worse one. */
static crank_status solve_stages(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_implicit *common = &s->base.common;
    double theta = 0.0, reach = (double)INFINITY;
    int iterations = 0;
    crank_status status = CRANK_OK;
    for (s->stage = 0; s->stage < 2 && status == CRANK_OK; s->stage++) {
        crank_one_step_predict(it, &s->base, it->t + c[s->stage] * it->h, s->Z[s->stage]);
        status = crank_newton(it, common, err);
        a->shorter = common->shorter;
        theta = fmax(theta, common->theta);
        reach = fmin(reach, common->reach);
        iterations = iterations > common->iterations ? iterations : common->iterations;
    }
    common->theta = theta;
    common->reach = reach;
    common->iterations = iterations;
    return status;
}

static const crank_implicit_kind kind = {.together = 1,
                                         .power = 3,
                                         .increment = increment,
                                         .add = add_increment,
                                         .solve = solve_stages,
                                         .factor = factor,
                                         .slope = crank_one_step_slope};

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    sdirk2 *s = state;
    const size_t n = (size_t)it->n;
    crank_one_step_layout(&s->base, &kind, arena, it);
    s->Z[0] = crank_arena_take(arena, n, sizeof(double));
    s->Z[1] = s->base.common.step;
    s->X = crank_arena_take(arena, n, sizeof(double));
    s->slope = crank_arena_take(arena, n, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)it->m, sizeof(double));
}

/* theory (4.33): two solutions with the matrix of the stages */
static crank_status estimate(crank_integrator *it, sdirk2 *s, double *size, crank_error *err)
{
    crank_problem *p = it->problem;
    const double *Y = s->Z[0], *Z = s->Z[1];
    for (int j = 0; j < it->n; j++) {
        s->X[j] = (third[0] * Y[j] + third[1] * Z[j]) / it->h;
    }
    crank_status status = p->lead(p, it->t, it->x, s->X, s->lead, err);
    for (int i = 0; i < it->m; i++) {
        s->lead[i] += of_k * s->base.common.k0[i];
    }
    status = status == CRANK_OK
                 ? crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err)
                 : status;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = inverse / it->h * (s->base.work[j] - second[0] * Y[j] - second[1] * Z[j]);
    }
    status = status == CRANK_OK ? p->lead(p, it->t, it->x, s->X, s->lead, err) : status;
    status = status == CRANK_OK
                 ? crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err)
                 : status;
    *size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    *size = isfinite(*size) ? fmax(*size, 1e-10) : (double)INFINITY;
    return status;
}

/* ---- a step ---- */

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_status status = solve_stages(it, a, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    status = status == CRANK_OK ? estimate(it, s, &a->size, err) : status;
    a->blunt = status > CRANK_OK || a->jumping >= 0;
    a->size = a->blunt ? (double)INFINITY : a->size;
    return status > CRANK_OK ? CRANK_OK : status;
}

static void find_end(const crank_integrator *it, double *x)
{
    const sdirk2 *s = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + s->base.common.step[j];
    }
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    sdirk2 *s = it->state;
    for (int j = 0; j < it->n; j++) { /* h^2 x''/2 */
        s->X[j] = carry * (s->Z[1][j] - inverse * s->Z[0][j]);
    }
    crank_one_step_accept(it, &s->base, a->size, s->X);
}

static const double nodes[2] = {0.29289321881345247560, 0.29289321881345247560}; /* c */

const crank_method crank_method_sdirk2 = {
    .name = "sdirk2",
    .one_step = true,
    .nodes = nodes,
    .state_size = sizeof(sdirk2),
    .layout = layout,
    .reset = crank_one_step_reset,
    .start = crank_one_step_start,
    .begin = crank_implicit_begin,
    .look = crank_implicit_look,
    .ready = crank_implicit_ready,
    .attempt = attempt,
    .undo = crank_implicit_undo,
    .shorter = crank_implicit_shorter,
    .end = find_end,
    .accept = accept,
    .settle = crank_one_step_settle,
    .interpolate = crank_one_step_interpolate,
    .row_error = crank_one_step_row_error,
    .refine_row = crank_one_step_refine_row,
    .invalidate = crank_implicit_invalidate,
    .archive = crank_one_step_archive,
};
