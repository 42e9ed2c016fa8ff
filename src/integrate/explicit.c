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

/* What the projection moves is error, too: more than the tolerance is not accepted. By more than this multiple of it
 * the end moves only where a constraint jumps or another branch was met. */
static const double largest_move = 100.0;
/* signs of stiffness in a row that are told, and signs of calm that end the row [HNW93, II.10] */
enum { STIFF_SIGNS = 15, CALM_SIGNS = 6 };

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
    const double left = it->t_end - it->t;
    crank_integrator_clip_step(it);
    if (it->h < left && it->t + 2.0 * it->h > it->t_end) {
        it->h = 0.5 * left;
    }
}

/* ---- the end of a step ---- */

/* Statuses of a projection that a shorter step may mend. */
static bool mends(crank_status status)
{
    return status > CRANK_OK || status == CRANK_ESINGULAR || status == CRANK_ERANK_CHANGED ||
           status == CRANK_ERANK_MISMATCH;
}

/* s->end onto the constraints; *moved: by how much, over the tolerance */
static crank_status project(crank_integrator *it, crank_explicit *s, double t, double *moved,
                            crank_error *err)
{
    crank_problem *p = it->problem;
    const size_t bytes = (size_t)it->n * sizeof(double);
    const double *rate = s->K + (long)(s->tableau->stages - 1) * it->n;
    *moved = 0.0;
    crank_status status = p->prepare(p, t, s->end, rate, err);
    if (status != CRANK_OK || !it->options.final_correction) {
        return status;
    }
    memcpy(s->work, s->end, bytes);
    status = p->correct(p, t, s->end, err);
    for (int j = 0; j < it->n; j++) {
        s->work[j] -= s->end[j];
    }
    *moved = status == CRANK_OK ? crank_integrator_norm(it, 1, s->work, it->h) : 0.0;
    return status;
}

static void look_for_stiffness(crank_integrator *it, crank_explicit *s)
{
    if (s->told_stiff) {
        return;
    }
    if (crank_explicit_stiffness(it, s) > s->tableau->stable) {
        s->calm_signs = 0;
        s->stiff_signs++;
    } else if (++s->calm_signs >= CALM_SIGNS) {
        s->stiff_signs = s->calm_signs = 0;
    }
    if (s->stiff_signs >= STIFF_SIGNS) {
        s->told_stiff = true;
        if (it->problem->log != NULL) {
            crank_log_write(it->problem->log, CRANK_WARNING,
                            "t = %.6g: the equations are stiff for %s, whose steps are bounded "
                            "by stability here; psf-radau takes longer ones",
                            it->t, it->method->name);
        }
    }
}

/* rates at the new point: the first stage of the next step */
static crank_status settle(crank_integrator *it, crank_explicit *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const bool last = crank_integrator_finished(it);
    bool changed = false;
    crank_status status = p->accepted(p, it->t, it->x, last ? NULL : &changed, err);
    if (status == CRANK_OK) {
        it->statistics.solves++;
        status = p->derivative(p, it->t, it->x, s->rate, err);
    }
    if (status > CRANK_OK) {
        crank_error reason = *err;
        return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                          "the equations cannot be evaluated at t = %.10g: %s", it->t,
                          reason.text);
    }
    return status;
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
    it->stopped = settle(it, s, &it->stop_reason);
    if (it->stopped == CRANK_OK) {
        memcpy(s->K_accepted + (long)s->tableau->stages * it->n, s->rate, bytes);
        look_for_stiffness(it, s);
    }
    s->extended = s->tableau->width == s->tableau->stages + 1;
    crank_integrator_set_scale(it, it->x);
}

/* ---- the step ---- */

/* the step as long as singular positions allow */
static crank_status limit_step(crank_integrator *it, crank_explicit *s, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = p->step_limit(p, it->t, &it->h, err);
    if (status > CRANK_OK) {
        status = p->prepare(p, it->t, it->x, s->rate, err);
        status = status == CRANK_OK ? p->step_limit(p, it->t, &it->h, err) : status;
    }
    return status;
}

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
        shorter = mends(status) || !(moved <= largest_move);
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
            status = limit_step(it, s, err);
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

/* from the sizes of x, x' and, by an Euler step, x'' [HNW93, II.4] */
static crank_status first_step(crank_integrator *it, crank_explicit *s, crank_error *err)
{
    const double span = it->t_end - it->t;
    const double size = crank_integrator_norm(it, 1, it->x, 1.0);
    const double speed = crank_integrator_norm(it, 1, s->rate, 1.0);
    double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
    h = fmin(h, span);
    memcpy(s->X, it->x, (size_t)it->n * sizeof *s->X);
    for (int r = 0; r < s->run_count; r++) {
        for (int j = s->first[r]; j < s->last[r]; j++) {
            s->X[j] += h * s->rate[j];
        }
    }
    const crank_status status =
        it->problem->derivative(it->problem, it->t + h, s->X, s->work, err);
    it->h = h;
    if (status != CRANK_OK) {
        return status < CRANK_OK ? status : CRANK_OK;
    }
    for (int j = 0; j < it->n; j++) {
        s->work[j] -= s->rate[j];
    }
    const double fastest = fmax(speed, crank_integrator_norm(it, 1, s->work, 1.0) / h);
    const double longer =
        fastest <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / fastest, 1.0 / s->tableau->order);
    it->h = fmin(fmin(100.0 * h, longer), span);
    return CRANK_OK;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_explicit *s = it->state;
    crank_problem *p = it->problem;
    find_runs(it, s);
    s->extended = s->rejected = s->elsewhere = s->told_stiff = false;
    s->stiff_signs = s->calm_signs = 0;
    s->error_accepted = 1e-4;
    it->h = it->options.h_start;
    memcpy(s->begin, it->x, (size_t)it->n * sizeof *s->begin);
    bool changed = false;
    const bool done = it->t >= it->t_end;
    crank_status status = p->accepted(p, it->t, it->x, done ? NULL : &changed, err);
    if (status == CRANK_OK && !done) {
        status = p->prepare(p, it->t, it->x, NULL, err);
    }
    if (status == CRANK_OK && !done) {
        memcpy(s->X, it->x, (size_t)it->n * sizeof *s->X);
        status =
            p->derivative(p, it->t, s->X, s->rate, err); /* x itself stays as it is given */
        it->origin = crank_hash(it->origin, s->rate, (size_t)it->n * sizeof *s->rate);
    }
    if (status == CRANK_OK && !done && !(it->options.h_start > 0.0)) {
        status = first_step(it, s, err);
    }
    return status > CRANK_OK ? crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                          "the equations cannot be evaluated at the start")
                             : status;
}

/* every step prepares anew */
static void invalidate(crank_integrator *it)
{
    (void)it;
}

static const char *const idle[] = {"control_rules",   "keep_low",
                                   "keep_high",       "max_order",
                                   "newton_max",      "newton_tolerance",
                                   "newton_start",    "newton_matrix",
                                   "newton_updates",  "jacobian_reuse",
                                   "differential",    "failures_max",
                                   "selector_source", NULL};

const crank_method crank_method_dopri5 = {
    .name = "dopri5",
    .is_explicit = true,
    .idle = idle,
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
    .idle = idle,
    .state_size = sizeof(crank_explicit),
    .layout = layout_dopri8,
    .start = start,
    .step = step,
    .interpolate = crank_explicit_interpolate,
    .invalidate = invalidate,
    .archive = crank_explicit_archive,
};
