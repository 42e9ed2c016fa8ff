/* hht.c - the formula of Hilber, Hughes and Taylor [NROS07] for E(x,t) x' = k(x,t) with m >= n
 * rows, theory 4.16: order 2, A-stable, fast motions are damped.
 *
 *     E K_1 = (1 + alpha) k(X) - alpha k(x),   X = x + Z,   x_new = x + Z
 *     Z = h ((1 - gamma) K_0 + gamma K_1),     gamma = 1/2 - alpha
 *
 * which is the stage E (Z - G)/(gamma (1 + alpha) h) = k(X) of dirk.c with
 *     G = h ((1 - gamma) K_0 - alpha gamma E^-1 k(x))
 * Algebraic rows hold at the end of the step: on index3 it is the method of multibody codes.
 * The error estimate is that of the trapezoidal rule. Where there are no rates to begin with,
 * the first step is one of implicit Euler. Rows and starting values: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/dirk.h"

#include <math.h>
#include <string.h>

/* the strongest damping that is usual */
static const double alpha = -0.3, gamma_ = 0.8;
static const crank_dirk_tableau usual = {
    .stages = 1, .inverse = 1.0 / (0.8 * 0.7), .c = {1.0}, .a = {1.0}};
static const crank_dirk_tableau euler = {.stages = 1, .inverse = 1.0, .c = {1.0}};

/* dirk.slope_end is G/h of the next step */
typedef struct hht {
    crank_dirk dirk;
    double *K; /* n: K_0 */
} hht;

/* K_1 of the step that is tried */
static double slope_of(const hht *s, int j, double h)
{
    const double Z = s->dirk.Z[0][j] / h;
    return s->dirk.end_known ? (Z - (1.0 - gamma_) * s->K[j]) / gamma_ : Z;
}

/* theory (4.52), (4.53) */
static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    hht *s = it->state;
    crank_dirk *d = &s->dirk;
    crank_status status = crank_one_step_find_jump(it, &d->base, &a->jumping, err);
    for (int j = 0; j < it->n; j++) {
        const double K = slope_of(s, j, it->h);
        d->X[j] = d->end_known ? 0.5 * usual.inverse * (s->K[j] - K) : -0.5 * K;
    }
    if (status == CRANK_OK) {
        status = crank_dirk_filter(it, d, d->end_known ? 0.0 : 0.5, err);
    }
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, d->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static const crank_implicit_kind kind = CRANK_DIRK_KIND(1, 2, estimate);

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    hht *s = state;
    crank_dirk_layout(&s->dirk, &kind, &usual, &euler, arena, it);
    s->K = crank_arena_take(arena, (size_t)it->n, sizeof(double));
}

/* slope_end, E^-1 k where the next step begins, becomes G/h */
static void mix(const crank_integrator *it, hht *s)
{
    double *slope = s->dirk.slope_end;
    for (int j = 0; j < it->n; j++) {
        slope[j] = (1.0 - gamma_) * s->K[j] - alpha * gamma_ * slope[j];
    }
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    hht *s = it->state;
    const crank_status status = crank_dirk_start(it, err);
    if (status == CRANK_OK && s->dirk.end_known) {
        memcpy(s->K, s->dirk.slope_end, (size_t)it->n * sizeof *s->K);
        mix(it, s);
    }
    return status;
}

/* For a first step h^2 x''/2 is Z - h K_0. */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    hht *s = it->state;
    crank_dirk *d = &s->dirk;
    const bool known = d->end_known;
    for (int j = 0; j < it->n; j++) {
        const double K = slope_of(s, j, it->h);
        d->X[j] = known ? d->Z[0][j] - it->h * s->K[j] : 0.0;
        s->K[j] = K;
    }
    crank_dirk_accept(it, d, a->size, d->X);
    d->base.common.need_factor = d->base.common.need_factor || !known; /* another matrix */
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    hht *s = it->state;
    crank_status status = crank_one_step_settle(it, a, last, err);
    if (status == CRANK_OK && !last && !s->dirk.base.common.need_k0) {
        status = crank_dirk_take_rates(it, err);
    }
    mix(it, s);
    return status;
}

static void archive(crank_integrator *it, crank_archive *a)
{
    crank_dirk_archive(it, a);
    crank_archive_doubles(a, ((hht *)it->state)->K, (size_t)it->n);
}

const crank_method crank_method_hht = {
    .name = "hht",
    .one_step = true,
    .state_size = sizeof(hht),
    .layout = layout,
    .reset = crank_dirk_reset,
    .start = start,
    .begin = crank_implicit_begin,
    .look = crank_implicit_look,
    .ready = crank_implicit_ready,
    .attempt = crank_implicit_attempt,
    .undo = crank_implicit_undo,
    .shorter = crank_implicit_shorter,
    .end = crank_dirk_end,
    .accept = accept,
    .settle = settle,
    .interpolate = crank_one_step_interpolate,
    .row_error = crank_one_step_row_error,
    .refine_row = crank_one_step_refine_row,
    .invalidate = crank_implicit_invalidate,
    .archive = archive,
};
