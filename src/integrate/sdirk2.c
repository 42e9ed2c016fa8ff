/* sdirk2.c - singly diagonally implicit Runge-Kutta method of order 2 for E(x,t) x' = k(x,t)
 * with m >= n rows, of stage order 2 [HS96]: the slope K_0 where the step begins, then two
 * implicit stages, trapezoidal rule and BDF of order 2, stiffly accurate, L-stable, theory
 * 4.12.
 *
 *     gamma = 1 - 1/sqrt(2),  w = sqrt(2)/4:
 *          0    |                                          X_i = x + Z_i
 *       2 gamma | gamma  gamma                             x_new = x + Z_2
 *          1    |   w      w    gamma                      K_0 of the next step: K_2
 *     E(X_i) (Z_i - G_i) / (gamma h) = k(X_i)                            theory (4.33)
 *     G_1 = gamma h K_0,  G_2 = w/gamma Z_1
 *
 * stage by stage by Newton's iteration with one real matrix E/(gamma h) - J. The error estimate
 * is of order 3, asymptotically right, theory (4.38). A run begins with the rates; where there
 * are none (mass matrices may be singular) its first step has the two stages of [Ale77], with
 * the same matrix, theory (4.35). Rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/one_step.h"

#include "base/then.h"

#include <math.h>
#include <string.h>

/* with r = sqrt(2): gamma = 1 - r/2, 1/gamma = 2 + r */
static const double gamma_ = 0.29289321881345247560, inverse = 3.4142135623730950488;

/* where the first stage is, and G_2 as part of Z_1 */
typedef struct formula {
    double c, carry;
} formula;
/* 2 gamma = 2 - r, w/gamma = (1 + r)/2; without a slope (1-gamma)/gamma = 1 + r */
static const formula usual = {0.58578643762690495120, 1.2071067811865475244},
                     without = {0.29289321881345247560, 2.4142135623730950488};
/* theory (4.38): the error of a step is this part of h^3 x''', (3 - 2r)/(3r) */
static const double error_part = 0.040440114519880804;
static const double of_old = 1.2071067811865475244; /* theory (4.39): w/gamma */
/* theory (4.40): r/3 of h K_0, -1/(6 gamma^2), 2/3 of the stages */
static const double of_slope = 0.47140452079103168293,
                    of_stage[2] = {-1.9428090415820633659, 0.66666666666666666667};
/* theory (4.41): r/6 of k at the beginning, -(13/3 + 3r), (4 + 2r)/3 of the stages; then
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
    /* n: x' at the end and the beginning of the last step; not known where steps start anew */
    double *slope_end, *slope_begin;
    bool end_known, begin_known;
} sdirk2;

/* ---- stages ---- */

/* K_0; NULL: not known. Steps made again for a row begin where the last one did. */
static const double *slope_of(const crank_integrator *it)
{
    const sdirk2 *s = it->state;
    const bool again = it->x == s->base.ends.begin;
    const bool known = again ? s->begin_known : s->end_known;
    return !known ? NULL : again ? s->slope_begin : s->slope_end;
}

static formula formula_of(const crank_integrator *it)
{
    return slope_of(it) != NULL ? usual : without;
}

static double time_of(const crank_integrator *it, int i)
{
    return it->t + (i == 0 ? formula_of(it).c : 1.0) * it->h;
}

static void predict(crank_integrator *it, int i)
{
    sdirk2 *s = it->state;
    s->stage = i;
    crank_one_step_predict(it, &s->base, time_of(it, i), s->Z[i]);
}

static void place_stages(crank_integrator *it, double *t)
{
    sdirk2 *s = it->state;
    const double *Z = s->Z[s->stage], *K = slope_of(it), shift = inverse / it->h;
    const double carry = formula_of(it).carry, reach = gamma_ * it->h;
    *t = time_of(it, s->stage);
    for (int j = 0; j < it->n; j++) {
        const double G = s->stage == 1 ? carry * s->Z[0][j] : K != NULL ? reach * K[j] : 0.0;
        s->X[j] = it->x[j] + Z[j];
        s->slope[j] = shift * (Z[j] - G);
    }
}

static crank_status increment(crank_integrator *it, const double *t, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_problem *p = it->problem;
    const double part = s->base.part, at = s->stage == 0 ? formula_of(it).c : 1.0;
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

/* work = S s->X gamma h, S of theory (4.38), with part times E K_0 = k added to E s->X */
static crank_status filter(crank_integrator *it, sdirk2 *s, double part, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = p->lead(p, it->t, it->x, s->X, s->lead, err);
    for (int i = 0; i < it->m; i++) {
        s->lead[i] += part * s->base.common.k0[i];
    }
    CRANK_THEN(status,
               crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err));
    return status;
}

/* theory (4.38), from the point before */
static crank_status estimate_usual(crank_integrator *it, sdirk2 *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], *before = s->base.ends.begin;
    const double c = usual.c, r = s->base.ends.h / it->h;
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
    return filter(it, s, 0.0, err);
}

/* What K_0 is off, theory (4.39), in unknowns with rates: others would have in it what
 * Newton's iteration and the correction leave, times fast rates. */
static crank_status judge_slope(crank_integrator *it, sdirk2 *s, double *size, crank_error *err)
{
    for (int j = 0; j < it->n; j++) {
        s->X[j] = of_old * s->slope_end[j];
    }
    const crank_status status = filter(it, s, -of_old, err);
    for (int j = 0; j < it->n; j++) {
        s->base.work[j] = crank_integrator_is_differential(it, j) ? s->base.work[j] : 0.0;
    }
    *size = status == CRANK_OK ? crank_integrator_norm(it, 1, s->base.work, it->h) : 0.0;
    return status;
}

/* theory (4.40), from slopes */
static crank_status estimate_first(crank_integrator *it, sdirk2 *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = shift * (of_stage[0] * Y[j] + of_stage[1] * Z[j]);
    }
    return filter(it, s, inverse * of_slope, err);
}

/* theory (4.41) */
static crank_status estimate_without(crank_integrator *it, sdirk2 *s, crank_error *err)
{
    const double *Y = s->Z[0], *Z = s->Z[1], shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = (third[0] * Y[j] + third[1] * Z[j]) / it->h;
    }
    crank_status status = filter(it, s, of_k, err);
    for (int j = 0; j < it->n; j++) {
        s->X[j] = shift * (s->base.work[j] - second[0] * Y[j] - second[1] * Z[j]);
    }
    CRANK_THEN(status, filter(it, s, 0.0, err));
    return status;
}

/* Where an error that is too large is that of K_0, rates have jumped since: the step is made
 * again without it. */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    sdirk2 *s = it->state;
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
    s->slope_end = crank_arena_take(arena, n, sizeof(double));
    s->slope_begin = crank_arena_take(arena, n, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)it->m, sizeof(double));
}

static void reset(crank_integrator *it)
{
    sdirk2 *s = it->state;
    crank_one_step_reset(it);
    s->end_known = s->begin_known = false;
}

/* Rates are those of p, v, r: enough where the others have none, that is, where rows are
 * algebraic. */
static bool has_rates(const crank_integrator *it)
{
    const crank_problem *p = it->problem;
    bool algebraic = false, others = false;
    for (int i = 0; i < it->m; i++) {
        algebraic = algebraic || !p->differential[i];
    }
    for (int j = 0; j < it->n; j++) {
        others = others || !crank_integrator_is_differential(it, j);
    }
    return p->rates != NULL && (algebraic || !others);
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    sdirk2 *s = it->state;
    crank_problem *p = it->problem;
    crank_status status = crank_one_step_start(it, err);
    if (status != CRANK_OK || !has_rates(it)) {
        return status;
    }
    memset(s->slope_end, 0, (size_t)it->n * sizeof *s->slope_end);
    status = p->rates(p, it->t, it->x, s->base.common.k0, s->slope_end, err);
    s->end_known = status == CRANK_OK;
    for (int j = 0; j < it->n; j++) {
        s->end_known = s->end_known && isfinite(s->slope_end[j]);
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

/* ---- a step ---- */

static void find_end(const crank_integrator *it, double *x)
{
    const sdirk2 *s = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + s->base.common.step[j];
    }
}

/* h^2 x''/2 of a first step */
static void find_bend(const sdirk2 *s, bool known, int n, double *bend)
{
    const double *Y = s->Z[0], *Z = s->Z[1], c = usual.c;
    for (int j = 0; j < n; j++) {
        bend[j] =
            known ? (Z[j] - Y[j] / c) / (1.0 - c) : without.carry * (Z[j] - inverse * Y[j]);
    }
}

/* K_2 becomes K_0 of the next step. It is not evaluated where that begins: fast rates would
 * magnify what the end is off. */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    sdirk2 *s = it->state;
    const double carry = formula_of(it).carry, shift = inverse / it->h;
    double *slope = s->slope_begin;
    for (int j = 0; j < it->n; j++) {
        slope[j] = shift * (s->Z[1][j] - carry * s->Z[0][j]);
    }
    find_bend(s, s->end_known, it->n, s->X);
    s->slope_begin = s->slope_end;
    s->slope_end = slope;
    s->begin_known = s->end_known;
    s->end_known = true;
    crank_one_step_accept(it, &s->base, a->size, s->X);
}

static void archive(crank_integrator *it, crank_archive *a)
{
    sdirk2 *s = it->state;
    crank_one_step_archive(it, a);
    crank_archive_doubles(a, s->slope_end, (size_t)it->n);
    crank_archive_doubles(a, s->slope_begin, (size_t)it->n);
    crank_archive_flag(a, &s->end_known);
    crank_archive_flag(a, &s->begin_known);
}

static const double nodes[2] = {0.58578643762690495120, 0.58578643762690495120};

const crank_method crank_method_sdirk2 = {
    .name = "sdirk2",
    .one_step = true,
    .nodes = nodes,
    .state_size = sizeof(sdirk2),
    .layout = layout,
    .reset = reset,
    .start = start,
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
    .archive = archive,
};
