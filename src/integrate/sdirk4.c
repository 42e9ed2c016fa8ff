/* sdirk4.c - singly diagonally implicit Runge-Kutta methods of order 4 with five stages for
 * E(x,t) x' = k(x,t) with m >= n rows: stiffly accurate, L-stable, with an embedded formula of
 * order 3, theory 4.13. sdirk416 (gamma = 1/4) and sdirk415 (gamma = 4/15) of [HW96, IV.6], as
 * [Neg98, 4.2, 4.5] uses them.
 *
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i),   X_i = x + Z_i,  i = 1 ... 5
 *     G_i = sum_{j<i} alpha_ij Z_j,   alpha = (A - gamma I) A^-1               theory (4.44)
 *     x_new = x + Z_5
 *
 * The error estimate is the difference to the embedded formula, times the matrix' inverse,
 * theory (4.45). Stages: dirk.c; rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/dirk.h"

#include "base/then.h"

#include <math.h>

enum { STAGES = 5 };

/* the stages, and the error: (b - bhat) A^-1 */
typedef struct tableau {
    crank_dirk_tableau stages;
    double error[STAGES];
} tableau;

static const tableau of_416 = {
    .stages.stages = STAGES,
    .stages.inverse = 4.0,
    .stages.c = {1.0 / 4.0, 3.0 / 4.0, 11.0 / 20.0, 1.0 / 2.0, 1.0},
    .stages.g = {{0.0},
                 {2.0},
                 {42.0 / 25.0, -4.0 / 25.0},
                 {89.0 / 68.0, -25.0 / 136.0, 15.0 / 136.0},
                 {-37.0 / 12.0, -103.0 / 24.0, 275.0 / 8.0, -85.0 / 3.0}},
    .error = {23.0 / 6.0, 17.0 / 12.0, -125.0 / 4.0, 85.0 / 3.0, 1.0}};

static const tableau of_415 = {
    .stages.stages = STAGES,
    .stages.inverse = 15.0 / 4.0,
    .stages.c = {4.0 / 15.0, 23.0 / 30.0, 17.0 / 30.0, 707.0 / 1931.0, 1.0},
    .stages.g = {{0.0},
                 {15.0 / 8.0},
                 {1577061.0 / 922880.0, -23427.0 / 115360.0},
                 {647163682356923881.0 / 2414496535205978880.0,
                  -593512117011179.0 / 3245291041943520.0,
                  559907973726451.0 / 1886325418129671.0},
                 {724545451.0 / 796538880.0, -830832077.0 / 267298560.0, 30957577.0 / 2509272.0,
                  -69863904375173.0 / 6212571137048.0}},
    .error = {-7752107607.0 / 11393456128.0, 17881415427.0 / 11470078208.0,
              -2433277665.0 / 179459416.0, 96203066666797.0 / 6212571137048.0, 1.0}};

/* Extrapolated slopes are off by their difference to those of one stage less; this many times
 * as much is a jump. */
static const double of_unsure = 10.0;

typedef struct sdirk4 {
    crank_dirk dirk;
    const double *error;
} sdirk4;

/* X = part[i] Z_i */
static void combine(const crank_integrator *it, crank_dirk *s, const double *part)
{
    for (int j = 0; j < it->n; j++) {
        s->X[j] = 0.0;
        for (int i = 0; i < STAGES; i++) {
            s->X[j] += part[i] * s->Z[i][j];
        }
    }
}

/* base.work = S part[i] Z_i; and of_slope S gamma h K_0 */
static crank_status filter(crank_integrator *it, crank_dirk *s, const double *part,
                           double of_slope, crank_error *err)
{
    const double shift = s->usual->inverse / it->h;
    combine(it, s, part);
    for (int j = 0; j < it->n; j++) {
        s->X[j] *= shift;
    }
    return crank_dirk_filter(it, s, of_slope, err);
}

/* part: gamma h times the polynomial through the slopes K_i of the first of these stages, where
 * the step begins, by the Z_i */
static void extrapolate(const crank_dirk_tableau *of, int count, double *part)
{
    static const int stage[] = {0, 1, 2, 4};
    double of_slope[STAGES] = {0.0};
    for (int i = 0; i < count; i++) {
        const double c = of->c[stage[i]];
        double product = 1.0;
        for (int k = 0; k < count; k++) {
            product *= k == i ? 1.0 : of->c[stage[k]] / (of->c[stage[k]] - c);
        }
        of_slope[stage[i]] = product;
    }
    for (int k = 0; k < STAGES; k++) {
        part[k] = of_slope[k];
        for (int i = k + 1; i < STAGES; i++) {
            part[k] -= of_slope[i] * of->g[i][k];
        }
    }
}

/* of unknowns with rates: others would have in it what Newton's iteration and the correction
 * leave, times fast rates */
static double size_of(crank_integrator *it, crank_dirk *s)
{
    for (int j = 0; j < it->n; j++) {
        s->base.work[j] = crank_integrator_is_differential(it, j) ? s->base.work[j] : 0.0;
    }
    return crank_integrator_norm(it, 1, s->base.work, it->h);
}

/* (4.46) without S, of the unknowns that jump: S of problems that iterate themselves is one more
 * stage. */
static crank_status suspect(crank_integrator *it, crank_dirk *s, const double *begin,
                            const double *unsure, bool *jumps, crank_error *err)
{
    const crank_problem *p = it->problem;
    const double length = it->h / s->usual->inverse;
    double *jump = s->base.work;
    *jumps = true;
    if (p->advance == NULL || p->rates == NULL) {
        return CRANK_OK;
    }
    const crank_status status =
        p->rates(it->problem, it->t, it->x, s->base.common.k0, s->slope, err);
    combine(it, s, begin);
    for (int j = 0; j < it->n; j++) {
        jump[j] = length * s->slope[j] - s->X[j];
    }
    combine(it, s, unsure);
    for (int j = 0; j < it->n; j++) {
        jump[j] = fabs(jump[j]) > of_unsure * fabs(s->X[j]) ? jump[j] : 0.0;
    }
    *jumps = size_of(it, s) > 1.0;
    return status;
}

/* *size becomes that of (4.46), where it holds. begin, unsure: parts of the Z_i. */
static crank_status judge(crank_integrator *it, crank_dirk *s, const double *begin,
                          const double *unsure, double *size, crank_error *err)
{
    double missing[STAGES];
    for (int i = 0; i < STAGES; i++) {
        missing[i] = -begin[i];
    }
    crank_status status = filter(it, s, missing, 1.0, err);
    const double jump = status == CRANK_OK ? size_of(it, s) : 0.0;
    if (jump > 1.0) {
        status = filter(it, s, unsure, 0.0, err);
        *size = status == CRANK_OK && jump > of_unsure * size_of(it, s) ? jump : *size;
    }
    return status;
}

/* All stages lie behind a jump of rates before the first of them: of what they are off nothing
 * is in (4.45), but in the slope where the step begins, theory (4.46). Steps that follow do not
 * see what is solved for here. */
static crank_status judge_begin(crank_integrator *it, crank_dirk *s, double *size,
                                crank_error *err)
{
    crank_problem *p = it->problem;
    double begin[STAGES], unsure[STAGES];
    bool jumps;
    extrapolate(s->usual, 4, begin);
    extrapolate(s->usual, 3, unsure);
    for (int i = 0; i < STAGES; i++) {
        unsure[i] -= begin[i];
    }
    crank_status status = suspect(it, s, begin, unsure, &jumps, err);
    if (status != CRANK_OK || !jumps) {
        return status;
    }
    if (p->aside != NULL) {
        p->aside(p, true);
    }
    status = judge(it, s, begin, unsure, size, err);
    if (p->aside != NULL) {
        p->aside(p, false);
    }
    return status;
}

/* theory (4.45) */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_dirk *s = it->state;
    crank_status status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    CRANK_THEN(status, filter(it, s, ((const sdirk4 *)it->state)->error, 0.0, err));
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    if (a->size <= 1.0) {
        CRANK_THEN(status, judge_begin(it, s, &a->size, err));
    }
    return status;
}

static const crank_implicit_kind kind = CRANK_DIRK_KIND(STAGES, 4, estimate);

static void layout(sdirk4 *s, crank_arena *arena, const crank_integrator *it, const tableau *of)
{
    crank_dirk_layout(&s->dirk, &kind, &of->stages, &of->stages, arena, it);
    s->error = of->error;
}

static void layout_416(void *state, crank_arena *arena, const crank_integrator *it)
{
    layout(state, arena, it, &of_416);
}

static void layout_415(void *state, crank_arena *arena, const crank_integrator *it)
{
    layout(state, arena, it, &of_415);
}

/* For a first step h^2 x''/2 from the slopes of its first and last stage. */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_dirk *s = it->state;
    const crank_dirk_tableau *of = s->usual;
    const double *last = of->g[STAGES - 1], part = of->inverse / (2.0 * (1.0 - of->c[0]));
    for (int j = 0; j < it->n; j++) {
        double change = s->Z[STAGES - 1][j] - s->Z[0][j];
        for (int i = 0; i < STAGES - 1; i++) {
            change -= last[i] * s->Z[i][j];
        }
        s->X[j] = part * change;
    }
    crank_dirk_accept(it, s, a->size, s->X);
}

static const double nodes_416[2] = {0.25, 0.75}, nodes_415[2] = {4.0 / 15.0, 23.0 / 30.0};

const crank_method crank_method_sdirk416 =
    CRANK_DIRK_METHOD("sdirk416", nodes_416, sdirk4, layout_416, accept, crank_one_step_settle);
const crank_method crank_method_sdirk415 =
    CRANK_DIRK_METHOD("sdirk415", nodes_415, sdirk4, layout_415, accept, crank_one_step_settle);
