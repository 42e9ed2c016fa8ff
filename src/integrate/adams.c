/* adams.c - Adams formulas of orders 1 to 12 with projection: one step. Predict, evaluate, correct, project, evaluate:
 * variable step and order after [SG75], theory 9.5; coefficients, error and order in adams_order.c.
 *
 * The end of a step is projected onto all constraint levels and invariants with the decomposition of an earlier step as
 * long as that converges; the rates at the projected end are what the differences take in, so that they belong to motions
 * that satisfy the constraints. What it cost: two evaluations, and a decomposition every few steps. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/adams.h"

#include <math.h>
#include <string.h>

/* accepted steps on one decomposition: each is a look for singular positions */
enum { MAX_REUSE = 10 };
/* Evaluations of the constraints, beyond those that a decomposition on the spot would have taken, after which a new one
 * pays: it costs as much as 5 to 12 of them. */
enum { FRESH = 2, ENOUGH = 8 };
/* part of the way to a singular position, as foreseen, that steps may cover before the next look */
static const double blind = 0.25;
/* failures of the error test in a row of one step, before order 1 */
enum { FAILURES_TO_ORDER_1 = 3 };

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_adams *s = state;
    const size_t n = (size_t)it->n;
    double **const tables[] = {&s->phi, &s->next};
    double **const vectors[] = {&s->X, &s->f, &s->e, &s->end, &s->begin, &s->rate, &s->work};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        *tables[i] = crank_arena_take(arena, CRANK_ADAMS_DIFFERENCES * n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = crank_arena_take(arena, n, sizeof(double));
    }
}

/* ---- decompositions ---- */

/* *looked: a decomposition was made, which serves further steps, and the monitor of singular positions had a look. Else
 * the problem has cheaper means and wants to be asked again at the next step. */
static crank_status prepare(crank_integrator *it, crank_adams *s, double t, const double *x,
                            const double *rate, bool *looked, crank_error *err)
{
    const crank_statistics *statistics = it->problem->statistics;
    const int64_t before = statistics->predecompositions;
    const crank_status status = it->problem->prepare(it->problem, t, x, rate, err);
    *looked = statistics->predecompositions > before;
    s->need_prepare = status != CRANK_OK || !*looked;
    s->t_prepared = *looked ? t : s->t_prepared;
    s->reused = s->spent = 0;
    return status;
}

/* The step as long as singular positions allow. Decompositions are rare, so that the forecast from the last one is asked
 * for a longer step first. */
static crank_status limit_step(crank_integrator *it, crank_adams *s, crank_error *err)
{
    crank_problem *p = it->problem;
    bool looked = false;
    double ahead =
        fmax(it->h, (it->t + it->h - s->t_prepared) / blind - (it->t - s->t_prepared));
    crank_status status = p->step_limit(p, it->t, &ahead, err);
    if (status > CRANK_OK) {
        status = prepare(it, s, it->t, it->x, s->rate, &looked, err);
    }
    return status == CRANK_OK ? p->step_limit(p, it->t, &it->h, err) : status;
}

/* s->end onto the constraints, with a decomposition made there if the one at hand will not do */
static crank_status project(crank_integrator *it, crank_adams *s, double *moved,
                            crank_error *err)
{
    const double t = crank_integrator_step_end(it);
    crank_status status = CRANK_RETRY;
    *moved = 0.0;
    if (!s->need_prepare && s->reused < MAX_REUSE && s->spent < ENOUGH) {
        const int64_t before = it->problem->statistics->constraint_evaluations;
        status = crank_explicit_project(it, t, s->end, s->work, moved, err);
        s->spent += (int)(it->problem->statistics->constraint_evaluations - before) - FRESH;
    }
    if (status > CRANK_OK) {
        status = prepare(it, s, t, s->end, s->f, &s->elsewhere, err);
        status = status == CRANK_OK ? crank_explicit_project(it, t, s->end, s->work, moved, err)
                                    : status;
    }
    return status;
}

/* ---- failures ---- */

static crank_status cannot_evaluate(crank_integrator *it, crank_adams *s, double factor)
{
    it->statistics.rejected_convergence++;
    it->h *= factor;
    s->starting = false;
    return CRANK_RETRY;
}

static crank_status error_failed(crank_integrator *it, crank_adams *s, double least)
{
    it->statistics.rejected_error++;
    s->starting = false;
    s->estimate = fmax(s->estimate, least);
    s->failures++;
    if (s->failures == 1) {
        s->order = s->order_new;
        it->h *= fmax(0.25, fmin(0.9, crank_adams_ratio(it, s)));
    } else {
        s->order = s->failures < FAILURES_TO_ORDER_1 ? s->order_new : 1;
        it->h *= 0.25;
    }
    return CRANK_RETRY;
}

/* ---- the step ---- */

static void accept(crank_integrator *it, crank_adams *s, double size, double moved)
{
    const size_t bytes = (size_t)it->n * sizeof(double);
    it->statistics.steps++;
    it->last_error = fmax(size, moved);
    memcpy(s->begin, it->x, bytes);
    memcpy(it->x, s->end, bytes);
    it->t_old = it->t;
    it->t = crank_integrator_step_end(it);
    it->outside = (crank_error){0};
    it->stopped = crank_explicit_settle(it, s->rate, &it->stop_reason);
    if (it->stopped != CRANK_OK) {
        memcpy(s->rate, s->f, bytes); /* for rows of this step */
    }
    crank_adams_update(it, s);
    crank_adams_choose(it, s, moved);
    if (!s->stiffness.told) {
        crank_explicit_note_stiffness(it, &s->stiffness, crank_adams_is_stiff(it, s));
    }
    s->failures = 0;
    s->elsewhere = false;
    s->reused++;
    crank_integrator_set_scale(it, it->x);
}

/* CRANK_RETRY: the step must be shorter (it->h is) */
static crank_status attempt(crank_integrator *it, crank_adams *s, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_error *reason = &it->outside;
    double moved = 0.0;
    *reason = (crank_error){0};
    crank_adams_predict(it, s);
    it->statistics.solves++;
    crank_status status = p->derivative(p, crank_integrator_step_end(it), s->X, s->f, reason);
    if (status > CRANK_OK) {
        return cannot_evaluate(it, s, 0.25);
    }
    const double size = status == CRANK_OK ? crank_adams_error(it, s) : 0.0;
    if (!isfinite(size)) {
        return cannot_evaluate(it, s, 0.1);
    }
    if (size > 1.0) {
        return error_failed(it, s, size);
    }
    if (status == CRANK_OK) {
        crank_adams_correct(it, s);
        status = project(it, s, &moved, reason);
    }
    if (crank_explicit_mends(status) || !(moved <= crank_explicit_largest_move)) {
        return cannot_evaluate(it, s, 0.25);
    }
    if (moved > 1.0) {
        return error_failed(it, s, moved);
    }
    if (status == CRANK_OK) {
        accept(it, s, size, moved);
    } else if (err != NULL) {
        *err = *reason;
    }
    return status;
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_adams *s = it->state;
    crank_status status = CRANK_RETRY;
    while (status > CRANK_OK) {
        status = crank_integrator_check_limits(it, -1, err);
        if (status == CRANK_OK && s->elsewhere) { /* the monitor looks at the present again */
            status = prepare(it, s, it->t, it->x, s->rate, &s->elsewhere, err);
            s->elsewhere = false;
        }
        if (status >= CRANK_OK) {
            crank_integrator_clip_step(it);
            status = limit_step(it, s, err);
        }
        if (status >= CRANK_OK) { /* outside the domain: the prediction says so */
            status = attempt(it, s, err);
        }
    }
    return status;
}

/* ---- start ---- */

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_adams *s = it->state;
    const size_t n = (size_t)it->n;
    bool done = false;
    s->first = 0;
    while (s->first < it->n && !crank_integrator_is_differential(it, s->first)) {
        s->first++;
    }
    s->max_order = it->options.max_order > 0 ? it->options.max_order : CRANK_ADAMS_ORDER;
    s->order = 1;
    s->order_made = s->order_used = s->equal_steps = s->failures = s->reused = s->spent = 0;
    s->h_used = 0.0;
    s->t_prepared = it->t;
    s->starting = true;
    s->need_prepare = s->elsewhere = false;
    s->stiffness = (crank_stiffness){0};
    it->h = it->options.h_start;
    memset(s->phi, 0, CRANK_ADAMS_DIFFERENCES * n * sizeof *s->phi);
    memset(s->next, 0, CRANK_ADAMS_DIFFERENCES * n * sizeof *s->next);
    memcpy(s->begin, it->x, n * sizeof *s->begin);
    crank_status status = crank_explicit_start(it, s->X, s->rate, &done, err);
    if (status != CRANK_OK || done) {
        return status;
    }
    memcpy(s->phi, s->rate, n * sizeof *s->phi);
    return it->options.h_start > 0.0
               ? CRANK_OK
               : crank_explicit_first_step(it, 2, s->rate, s->X, s->work, err);
}

static void invalidate(crank_integrator *it)
{
    ((crank_adams *)it->state)->need_prepare = true;
}

/* of Newton's iteration and of other step controls */
const crank_method crank_method_adams = {
    .name = "adams",
    .is_explicit = true,
    .state_size = sizeof(crank_adams),
    .layout = layout,
    .start = start,
    .step = step,
    .interpolate = crank_adams_interpolate,
    .invalidate = invalidate,
    .archive = crank_adams_archive,
};
