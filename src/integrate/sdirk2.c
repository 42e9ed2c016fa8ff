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

#include "base/then.h"

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

static void predict(crank_integrator *it, int i)
{
    sdirk2 *s = it->state;
    s->stage = i;
    crank_one_step_predict(it, &s->base, it->t + c[i] * it->h, s->Z[i]);
}

static void place_stages(crank_integrator *it, double *t)
{
    sdirk2 *s = it->state;
    const double *Z = s->Z[s->stage], shift = inverse / it->h;
    *t = it->t + c[s->stage] * it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + Z[j];
        s->slope[j] = shift * (s->stage == 0 ? Z[j] : Z[j] - carry * s->Z[0][j]);
    }
}

static crank_status increment(crank_integrator *it, const double *t, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_problem *p = it->problem;
    crank_status status = p->lead(p, *t, s->X, s->slope, s->lead, err);
    for (int i = 0; i < it->m && status == CRANK_OK; i++) {
        s->lead[i] = s->base.common.k[i] - s->lead[i];
    }
    CRANK_THEN(status, p->solve(p, 0, s->lead, NULL, s->base.common.increment, NULL, err));
    return status;
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

/* theory (4.33): two solutions with the matrix of the stages */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_problem *p = it->problem;
    const double *Y = s->Z[0], *Z = s->Z[1];
    crank_status status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int j = 0; j < it->n; j++) {
        s->X[j] = (third[0] * Y[j] + third[1] * Z[j]) / it->h;
    }
    status = p->lead(p, it->t, it->x, s->X, s->lead, err);
    for (int i = 0; i < it->m; i++) {
        s->lead[i] += of_k * s->base.common.k0[i];
    }
    CRANK_THEN(status,
               crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err));
    for (int j = 0; j < it->n; j++) {
        s->X[j] = inverse / it->h * (s->base.work[j] - second[0] * Y[j] - second[1] * Z[j]);
    }
    CRANK_THEN(status, p->lead(p, it->t, it->x, s->X, s->lead, err));
    CRANK_THEN(status,
               crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err));
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static const crank_implicit_kind kind = {.systems = 2,
                                         .together = 1,
                                         .power = 3,
                                         .predict = predict,
                                         .place_stages = place_stages,
                                         .increment = increment,
                                         .add = add_increment,
                                         .estimate = estimate,
                                         .factor = factor,
                                         .slope = crank_one_step_slope};

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    sdirk2 *s = state;
    const size_t n = (size_t)it->n;
    crank_one_step_layout(&s->base, &kind, arena, it);
    s->Z[0] = crank_arena_take(arena, n, sizeof(double));
    s->Z[1] = s->base.common.step;
    s->X = s->base.common.stage = crank_arena_take(arena, n, sizeof(double));
    s->slope = crank_arena_take(arena, n, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)it->m, sizeof(double));
}

/* ---- a step ---- */

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
    .attempt = crank_implicit_attempt,
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
