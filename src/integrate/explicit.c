/* explicit.c - embedded explicit Runge-Kutta methods with projection: the step, its control and its start.
 *
 *     stages (9.4), error estimate (9.5), then the end of the step is projected onto all constraint levels and
 *     invariants; the rates there begin the next step and end the continuous extension (9.6)
 *     h_new = h min(growth_max, max(growth_min, safety err^(-1/q + 0.75 beta) err_before^beta))   theory (9.7)
 * with beta = 0.2/q (controller: predictive) or 0 [HNW93, II.4; HW96, IV.2]; first step after [HNW93, II.4]. A method
 * is a tableau: dopri5, dopri8. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

#include <math.h>
#include <string.h>

static void layout(crank_explicit *s, crank_arena *arena, const crank_integrator *it)
{
    const size_t n = (size_t)it->n, width = (size_t)s->tableau->width;
    s->K = crank_arena_take(arena, width * n, sizeof(double));
    s->K_accepted = crank_arena_take(arena, width * n, sizeof(double));
    s->X = crank_arena_take(arena, n, sizeof(double));
    s->end = crank_arena_take(arena, n, sizeof(double));
    s->begin = crank_arena_take(arena, n, sizeof(double));
    s->rate = crank_arena_take(arena, n, sizeof(double));
    s->work = crank_arena_take(arena, n, sizeof(double));
}

static void layout_dopri5(void *state, crank_arena *arena, const crank_integrator *it)
{
    ((crank_explicit *)state)->tableau = &crank_tableau_dopri5;
    layout(state, arena, it);
}

static void layout_dopri8(void *state, crank_arena *arena, const crank_integrator *it)
{
    ((crank_explicit *)state)->tableau = &crank_tableau_dopri8;
    layout(state, arena, it);
}

/* ---- step size ---- */

static double new_step(const crank_integrator *it, const crank_explicit *s, double size,
                       bool accepted)
{
    const crank_options *o = &it->options;
    const double q = s->tableau->order;
    const double beta = accepted && o->controller == CRANK_CONTROL_PREDICTIVE ? 0.2 / q : 0.0;
    double factor = o->safety * pow(size, 0.75 * beta - 1.0 / q);
    if (beta > 0.0) {
        factor *= pow(s->error_accepted, beta);
    }
    factor = fmin(o->growth_max, fmax(o->growth_min, factor));
    if (accepted && s->rejected) {
        factor = fmin(factor, 1.0);
    }
    return it->h * factor;
}

/* last step, or shortened so that the next one can end at t_end */
static void clip_step(crank_integrator *it)
{
    const double left = it->t_stop - it->t;
    crank_integrator_clip_step(it);
    if (it->h < left && it->t + 2.0 * it->h > it->t_stop) {
        it->h = 0.5 * left;
    }
}

/* ---- the end of a step ---- */

/* s->end onto the constraints, with a decomposition made there; *moved: by how much, over the tolerance */
static crank_status project(crank_integrator *it, crank_explicit *s, double t, double *moved,
                            crank_error *err)
{
    const double *rate = s->K + (long)(s->tableau->stages - 1) * it->n;
    *moved = 0.0;
    const crank_status status = it->problem->prepare(it->problem, t, s->end, rate, err);
    return status != CRANK_OK ? status
                              : crank_explicit_project(it, t, s->end, s->work, moved, err);
}

static void accept(crank_integrator *it, crank_explicit *s, double size)
{
    const size_t bytes = (size_t)it->n * sizeof(double);
    const double h_new = new_step(it, s, size, true);
    it->statistics.steps++;
    it->last_error = size;
    s->error_accepted = fmax(size, 1e-4);
    memcpy(s->begin, it->x, bytes);
    memcpy(it->x, s->end, bytes);
    it->t_old = it->t;
    it->t = crank_integrator_step_end(it);
    it->h = h_new;
    double *accepted = s->K;
    s->K = s->K_accepted;
    s->K_accepted = accepted;
    s->rejected = false;
    it->outside = (crank_error){0};
    it->stopped = crank_explicit_settle(it, s->rate, &it->stop_reason);
    if (it->stopped == CRANK_OK) {
        memcpy(s->K_accepted + (long)s->tableau->stages * it->n, s->rate, bytes);
        if (!s->stiffness.told) {
            const bool sign = crank_explicit_stiffness(it, s) > s->tableau->stable;
            crank_explicit_note_stiffness(it, &s->stiffness, sign);
        }
    }
    s->extended = s->tableau->width == s->tableau->stages + 1;
    crank_integrator_set_scale(it, it->x);
}

/* ---- the step ---- */

/* Positive: the step must be shorter (it->h is). */
static crank_status attempt(crank_integrator *it, crank_explicit *s, double *size,
                            crank_error *err)
{
    double moved = 0.0;
    crank_error *reason = &it->outside;
    *reason = (crank_error){0};
    crank_status status = crank_explicit_stages(it, s, reason);
    if (status == CRANK_OK) {
        status = crank_explicit_estimate(it, s, size, reason);
    }
    if (status == CRANK_OK && !(*size <= 1.0)) {
        it->statistics.rejected_error++;
        it->h = isfinite(*size) ? new_step(it, s, *size, false) : 0.1 * it->h;
        return CRANK_RETRY;
    }
    bool shorter = status > CRANK_OK;
    if (status == CRANK_OK) {
        status = project(it, s, crank_integrator_step_end(it), &moved, reason);
        shorter = crank_explicit_mends(status) || !(moved <= crank_explicit_largest_move);
        s->elsewhere = shorter || moved > 1.0;
    }
    if (!shorter && moved > 1.0) {
        it->statistics.rejected_error++;
        it->h = new_step(it, s, moved, false);
        return CRANK_RETRY;
    }
    *size = fmax(*size, moved);
    if (shorter) {
        it->statistics.rejected_convergence++;
        it->h *= 0.25;
        return CRANK_RETRY;
    }
    if (status != CRANK_OK && err != NULL) {
        *err = *reason;
    }
    return status;
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_explicit *s = it->state;
    for (;;) {
        double size = 0.0;
        crank_status status = crank_integrator_check_limits(it, -1, err);
        if (status == CRANK_OK) {
            clip_step(it);
            status = crank_explicit_limit_step(it, s->rate, err);
        }
        if (status == CRANK_OK) {
            status = attempt(it, s, &size, err);
        }
        if (status == CRANK_OK) {
            accept(it, s, size);
            return CRANK_OK;
        }
        if (status < CRANK_OK) {
            return status;
        }
        s->rejected = true;
        if (s->elsewhere) { /* the monitor of singular positions looks at the present again */
            s->elsewhere = false;
            status = it->problem->prepare(it->problem, it->t, it->x, s->rate, err);
            if (status < CRANK_OK) {
                return status;
            }
        }
    }
}

/* ---- start ---- */

static void find_runs(crank_integrator *it, crank_explicit *s)
{
    s->run_count = 0;
    for (int j = 0; j < it->n; j++) {
        if (!crank_integrator_is_differential(it, j)) {
            continue;
        }
        if (s->run_count > 0 && s->last[s->run_count - 1] == j) {
            s->last[s->run_count - 1] = j + 1;
        } else if (s->run_count < CRANK_EXPLICIT_RUNS) {
            s->first[s->run_count] = j;
            s->last[s->run_count++] = j + 1;
        }
    }
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_explicit *s = it->state;
    bool done = false;
    find_runs(it, s);
    s->extended = s->rejected = s->elsewhere = false;
    s->stiffness = (crank_stiffness){0};
    s->error_accepted = 1e-4;
    it->h = it->options.h_start;
    memcpy(s->begin, it->x, (size_t)it->n * sizeof *s->begin);
    const crank_status status = crank_explicit_start(it, s->X, s->rate, &done, err);
    if (status != CRANK_OK || done || it->options.h_start > 0.0) {
        return status;
    }
    return crank_explicit_first_step(it, s->tableau->order, s->rate, s->X, s->work, err);
}

/* every step prepares anew */
static void invalidate(crank_integrator *it)
{
    (void)it;
}

const crank_method crank_method_dopri5 = {
    .name = "dopri5",
    .is_explicit = true,
    .one_step = true,
    .state_size = sizeof(crank_explicit),
    .layout = layout_dopri5,
    .start = start,
    .step = step,
    .interpolate = crank_explicit_interpolate,
    .invalidate = invalidate,
    .archive = crank_explicit_archive,
};

const crank_method crank_method_dopri8 = {
    .name = "dopri8",
    .is_explicit = true,
    .one_step = true,
    .state_size = sizeof(crank_explicit),
    .layout = layout_dopri8,
    .start = start,
    .step = step,
    .interpolate = crank_explicit_interpolate,
    .invalidate = invalidate,
    .archive = crank_explicit_archive,
};
