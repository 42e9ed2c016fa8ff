/* sdirk2.c - singly diagonally implicit Runge-Kutta method of order 2 for E(x,t) x' = k(x,t)
 * with m >= n rows, of stage order 2 [HS96]: the slope K_0 where the step begins, then two
 * implicit stages, trapezoidal rule and BDF of order 2, stiffly accurate, L-stable, theory
 * 4.12.
 *
 *     gamma = 1 - 1/sqrt(2),  w = sqrt(2)/4:
 *          0    |                                          X_i = x + Z_i
 *       2 gamma | gamma  gamma                             x_new = x + Z_2
 *          1    |   w      w    gamma                      K_0 of the next step: K_2
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i)                            theory (4.34)
 *     G_1 = gamma h K_0,  G_2 = w/gamma Z_1
 *
 * The error estimate is of order 3, asymptotically right, theory (4.39). Where there are no
 * rates to begin with, the first step has the two stages of [Ale77], with the same matrix,
 * theory (4.36). Stages: dirk.c; rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/dirk.h"

#include "base/then.h"

#include <math.h>

/* with r = sqrt(2): gamma = 1 - r/2, 1/gamma = 2 + r, 2 gamma = 2 - r, w/gamma = (1 + r)/2 */
static const double inverse = 3.4142135623730950488;
static const crank_dirk_tableau usual = {.stages = 2,
                                         .inverse = 3.4142135623730950488,
                                         .c = {0.58578643762690495120, 1.0},
                                         .a = {0.29289321881345247560, 0.0},
                                         .g = {[1] = {1.2071067811865475244}}};
/* without a slope: (1-gamma)/gamma = 1 + r */
static const crank_dirk_tableau without = {.stages = 2,
                                           .inverse = 3.4142135623730950488,
                                           .c = {0.29289321881345247560, 1.0},
                                           .g = {[1] = {2.4142135623730950488}}};
/* theory (4.39): the error of a step is this part of h^3 x''', (3 - 2r)/(3r) */
static const double error_part = 0.040440114519880804;
static const double of_old = 1.2071067811865475244; /* theory (4.40): w/gamma */
/* theory (4.41): r/3 of h K_0, -1/(6 gamma^2), 2/3 of the stages */
static const double of_slope = 0.47140452079103168293,
                    of_stage[2] = {-1.9428090415820633659, 0.66666666666666666667};
/* theory (4.42): r/6 of k at the beginning, -(13/3 + 3r), (4 + 2r)/3 of the stages; then
 * -1/(6 gamma^2), 1/(6 gamma) of the stages */
static const double of_k = 0.23570226039551584147,
                    third[2] = {-8.5759740204526184797, 2.2761423749153966992},
                    second[2] = {-1.9428090415820633659, 0.56903559372884917480};

/* theory (4.39), from the point before */
static crank_status estimate_usual(crank_integrator *it, crank_dirk *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], *before = s->base.ends.begin;
    const double c = usual.c[0], r = s->base.ends.h / it->h;
    const double of_before = 1.0 / (r * (r + c) * (1.0 + r)),
                 of_first = 1.0 / (c * (1.0 - c) * (r + c)),
                 of_second = 1.0 / ((1.0 + r) * (1.0 - c));
    const double points_off =
        error_part * (r * r * r * of_before + of_second) - c * c * c / 12.0 * of_first;
    const double part = inverse / it->h * error_part / (1.0 / 6.0 + points_off);
    for (int j = 0; j < it->n; j++) {
        s->X[j] =
            part * (of_before * (it->x[j] - before[j]) - of_first * Y[j] + of_second * Z[j]);
    }
    return crank_dirk_filter(it, s, 0.0, err);
}

/* What K_0 is off, theory (4.40), in unknowns with rates: others would have in it what
 * Newton's iteration and the correction leave, times fast rates. */
static crank_status judge_slope(crank_integrator *it, crank_dirk *s, double *size,
                                crank_error *err)
{
    for (int j = 0; j < it->n; j++) {
        s->X[j] = of_old * s->slope_end[j];
    }
    const crank_status status = crank_dirk_filter(it, s, -of_old, err);
    for (int j = 0; j < it->n; j++) {
        s->base.work[j] = crank_integrator_is_differential(it, j) ? s->base.work[j] : 0.0;
    }
    *size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    return status;
}

/* theory (4.41), from slopes */
static crank_status estimate_first(crank_integrator *it, crank_dirk *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = shift * (of_stage[0] * Y[j] + of_stage[1] * Z[j]);
    }
    return crank_dirk_filter(it, s, inverse * of_slope, err);
}

/* theory (4.42) */
static crank_status estimate_without(crank_integrator *it, crank_dirk *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = (third[0] * Y[j] + third[1] * Z[j]) / it->h;
    }
    crank_status status = crank_dirk_filter(it, s, of_k, err);
    for (int j = 0; j < it->n; j++) {
        s->X[j] = shift * (s->base.work[j] - second[0] * Y[j] - second[1] * Z[j]);
    }
    CRANK_THEN(status, crank_dirk_filter(it, s, 0.0, err));
    return status;
}

/* Where an error that is too large is that of K_0, rates have jumped since: the step is made
 * again without it. */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_dirk *s = it->state;
    const bool first = s->base.common.first, known = s->end_known;
    double of_slope_alone = 0.0;
    crank_status status = crank_one_step_find_jump(it, &s->base, &a->jumping, err);
    CRANK_THEN(status, !known  ? estimate_without(it, s, err)
                       : first ? estimate_first(it, s, err)
                               : estimate_usual(it, s, err));
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    if (known && !first) {
        CRANK_THEN(status, judge_slope(it, s, &of_slope_alone, err));
        s->end_known = !(of_slope_alone > fmax(1.0, a->size));
        a->size = isnan(a->size) ? a->size : fmax(a->size, of_slope_alone);
    }
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static const crank_implicit_kind kind = CRANK_DIRK_KIND(2, 3, estimate);

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_dirk_layout(state, &kind, &usual, &without, arena, it);
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_dirk *s = it->state;
    const double *Y = s->Z[0], *Z = s->Z[1], c = usual.c[0];
    double *bend = s->X; /* h^2 x''/2 of a first step */
    for (int j = 0; j < it->n; j++) {
        bend[j] = s->end_known ? (Z[j] - Y[j] / c) / (1.0 - c)
                               : without.g[1][0] * (Z[j] - inverse * Y[j]);
    }
    crank_dirk_accept(it, s, a->size, bend);
}

static const double nodes[2] = {0.58578643762690495120, 0.58578643762690495120};

const crank_method crank_method_sdirk2 =
    CRANK_DIRK_METHOD("sdirk2", nodes, crank_dirk, layout, accept, crank_one_step_settle);
