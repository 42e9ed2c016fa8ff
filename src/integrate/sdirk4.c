/* sdirk4.c - singly diagonally implicit Runge-Kutta methods of order 4 with five stages for
 * E(x,t) x' = k(x,t) with m >= n rows: stiffly accurate, L-stable, with an embedded formula of
 * order 3, theory 4.13. sdirk416 (gamma = 1/4) and sdirk415 (gamma = 4/15) of [HW96, IV.6], as
 * [Neg98, 4.2, 4.5] uses them.
 *
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i),   X_i = x + Z_i,  i = 1 ... 5
 *     G_i = sum_{j<i} alpha_ij Z_j,   alpha = (A - gamma I) A^-1               theory (4.43)
 *     x_new = x + Z_5
 *
 * stage by stage by Newton's iteration with one real matrix E/(gamma h) - J. The error estimate
 * is the difference to the embedded formula, times the matrix' inverse, theory (4.44). Rows,
 * starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/one_step.h"

#include "base/then.h"

#include <math.h>

enum { STAGES = 5 };

typedef struct tableau {
    double inverse; /* 1/gamma */
    double c[STAGES];
    double alpha[STAGES][STAGES - 1];
    double error[STAGES]; /* (b - bhat) A^-1 */
} tableau;

static const tableau of_416 = {
    .inverse = 4.0,
    .c = {1.0 / 4.0, 3.0 / 4.0, 11.0 / 20.0, 1.0 / 2.0, 1.0},
    .alpha = {{0.0},
              {2.0},
              {42.0 / 25.0, -4.0 / 25.0},
              {89.0 / 68.0, -25.0 / 136.0, 15.0 / 136.0},
              {-37.0 / 12.0, -103.0 / 24.0, 275.0 / 8.0, -85.0 / 3.0}},
    .error = {23.0 / 6.0, 17.0 / 12.0, -125.0 / 4.0, 85.0 / 3.0, 1.0}};

static const tableau of_415 = {
    .inverse = 15.0 / 4.0,
    .c = {4.0 / 15.0, 23.0 / 30.0, 17.0 / 30.0, 707.0 / 1931.0, 1.0},
    .alpha = {{0.0},
              {15.0 / 8.0},
              {1577061.0 / 922880.0, -23427.0 / 115360.0},
              {647163682356923881.0 / 2414496535205978880.0,
               -593512117011179.0 / 3245291041943520.0, 559907973726451.0 / 1886325418129671.0},
              {724545451.0 / 796538880.0, -830832077.0 / 267298560.0, 30957577.0 / 2509272.0,
               -69863904375173.0 / 6212571137048.0}},
    .error = {-7752107607.0 / 11393456128.0, 17881415427.0 / 11470078208.0,
              -2433277665.0 / 179459416.0, 96203066666797.0 / 6212571137048.0, 1.0}};

typedef struct sdirk4 {
    crank_one_step base;
    const tableau *tableau;
    int stage;         /* that is iterated */
    double *Z[STAGES]; /* n: stages; the last is the step */
    double *X, *slope; /* n: x + Z, x' there */
    double *lead;      /* m: E times a vector */
} sdirk4;

/* ---- stages ---- */

static void predict(crank_integrator *it, int i)
{
    sdirk4 *s = it->state;
    s->stage = i;
    crank_one_step_predict(it, &s->base, it->t + s->tableau->c[i] * it->h, s->Z[i]);
}

static void place_stages(crank_integrator *it, double *t)
{
    sdirk4 *s = it->state;
    const double *Z = s->Z[s->stage], *alpha = s->tableau->alpha[s->stage];
    const double shift = s->tableau->inverse / it->h;
    *t = it->t + s->tableau->c[s->stage] * it->h;
    for (int j = 0; j < it->n; j++) {
        double G = 0.0;
        for (int i = 0; i < s->stage; i++) {
            G += alpha[i] * s->Z[i][j];
        }
        s->X[j] = it->x[j] + Z[j];
        s->slope[j] = shift * (Z[j] - G);
    }
}

static crank_status increment(crank_integrator *it, const double *t, crank_error *err)
{
    sdirk4 *s = it->state;
    crank_problem *p = it->problem;
    const double part = s->base.part, at = s->tableau->c[s->stage];
    crank_status status = p->lead(p, *t, s->X, s->slope, s->lead, err);
    for (int i = 0; i < it->m && status == CRANK_OK; i++) {
        s->lead[i] = s->base.common.k[i] - s->lead[i];
    }
    for (int i = 0; i < it->m && part > 0.0; i++) {
        s->lead[i] -= (1.0 - at * part) * s->base.residual[i];
    }
    CRANK_THEN(status, p->solve(p, 0, s->lead, NULL, s->base.common.increment, NULL, err));
    return status;
}

static void add_increment(crank_integrator *it)
{
    sdirk4 *s = it->state;
    for (int j = 0; j < it->n; j++) {
        s->Z[s->stage][j] += s->base.common.increment[j];
    }
}

static crank_status factor(crank_integrator *it, crank_error *err)
{
    const sdirk4 *s = it->state;
    const double shift = s->tableau->inverse / it->h, none = 0.0;
    return it->problem->factor(it->problem, 1, &shift, &none, err);
}

/* theory (4.44) */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    sdirk4 *s = it->state;
    crank_problem *p = it->problem;
    const double *part = s->tableau->error, shift = s->tableau->inverse / it->h;
    crank_status status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    for (int j = 0; j < it->n; j++) {
        double sum = 0.0;
        for (int i = 0; i < STAGES; i++) {
            sum += part[i] * s->Z[i][j];
        }
        s->X[j] = shift * sum;
    }
    CRANK_THEN(status, p->lead(p, it->t, it->x, s->X, s->lead, err));
    CRANK_THEN(status,
               crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err));
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static const crank_implicit_kind kind = {.systems = STAGES,
                                         .together = 1,
                                         .power = 4,
                                         .predict = predict,
                                         .place_stages = place_stages,
                                         .increment = increment,
                                         .add = add_increment,
                                         .estimate = estimate,
                                         .factor = factor,
                                         .slope = crank_one_step_slope};

static void layout(void *state, crank_arena *arena, const crank_integrator *it,
                   const tableau *of)
{
    sdirk4 *s = state;
    const size_t n = (size_t)it->n;
    crank_one_step_layout(&s->base, &kind, arena, it);
    s->tableau = of;
    for (int i = 0; i < STAGES - 1; i++) {
        s->Z[i] = crank_arena_take(arena, n, sizeof(double));
    }
    s->Z[STAGES - 1] = s->base.common.step;
    s->X = s->base.common.stage = crank_arena_take(arena, n, sizeof(double));
    s->slope = crank_arena_take(arena, n, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)it->m, sizeof(double));
}

static void layout_416(void *state, crank_arena *arena, const crank_integrator *it)
{
    layout(state, arena, it, &of_416);
}

static void layout_415(void *state, crank_arena *arena, const crank_integrator *it)
{
    layout(state, arena, it, &of_415);
}

/* ---- a step ---- */

static void find_end(const crank_integrator *it, double *x)
{
    const sdirk4 *s = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + s->base.common.step[j];
    }
}

/* For a first step h^2 x''/2 from the slopes of its first and last stage. */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    sdirk4 *s = it->state;
    const tableau *of = s->tableau;
    const double *last = of->alpha[STAGES - 1], part = of->inverse / (2.0 * (1.0 - of->c[0]));
    for (int j = 0; j < it->n; j++) {
        double change = s->Z[STAGES - 1][j] - s->Z[0][j];
        for (int i = 0; i < STAGES - 1; i++) {
            change -= last[i] * s->Z[i][j];
        }
        s->X[j] = part * change;
    }
    crank_one_step_accept(it, &s->base, a->size, s->X);
}

static const double nodes_416[2] = {0.25, 0.75}, nodes_415[2] = {4.0 / 15.0, 23.0 / 30.0};

#define METHOD(NAME, LAYOUT, NODES)                                                            \
    {                                                                                          \
        .name = NAME, .one_step = true, .nodes = NODES, .state_size = sizeof(sdirk4),          \
        .layout = LAYOUT, .reset = crank_one_step_reset, .start = crank_one_step_start,        \
        .begin = crank_implicit_begin, .look = crank_implicit_look,                            \
        .ready = crank_implicit_ready, .attempt = crank_implicit_attempt,                      \
        .undo = crank_implicit_undo, .shorter = crank_implicit_shorter, .end = find_end,       \
        .accept = accept, .settle = crank_one_step_settle,                                     \
        .interpolate = crank_one_step_interpolate, .row_error = crank_one_step_row_error,      \
        .refine_row = crank_one_step_refine_row, .invalidate = crank_implicit_invalidate,      \
        .archive = crank_one_step_archive                                                      \
    }

const crank_method crank_method_sdirk416 = METHOD("sdirk416", layout_416, nodes_416);
const crank_method crank_method_sdirk415 = METHOD("sdirk415", layout_415, nodes_415);
