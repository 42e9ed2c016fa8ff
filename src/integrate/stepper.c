/* stepper.c - runs, and one accepted step of any method: limits, attempts, rejections,
 * failures, acceptance. See stepper.h.
 *
 *     clip to t_stop and to knots of tables that count; prepare;
 *         limit before singular positions; attempt
 *     error <= 1: accept, settle          else: undo, a shorter step by the method's controller
 *     a narrow part of the equations was passed unseen: undo, a step that ends in it
 *     not possible: undo, a step shorter by a factor that the attempt names, up to
 *         failures_max times in a row with a step no longer than the last one made, or behind a
 *         start than the one that the method chooses there */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/stepper.h"

#include "base/blame.h"
#include "base/clock.h"
#include "integrate/events.h"
#include "integrate/features.h"
#include "integrate/switches.h"

#include <math.h>
#include <string.h>

/* part of the way to a singular position, as foreseen, that steps may cover before the next
 * look */
static const double blind = 0.25;
/* of the step, where the error says nothing about the one that would do */
static const double blunt = 0.1;
/* a step that would end right before a knot ends there, as before t_stop */
static const double close_by = 1.0001;

/* ---- start ---- */

crank_status crank_stepper_tell(crank_integrator *it, bool last, bool *changed,
                                crank_error *err)
{
    crank_problem *p = it->problem;
    *changed = false;
    return p->course != NULL ? p->course->accepted(p, it->t, it->x, last ? NULL : changed, err)
                             : CRANK_OK;
}

crank_status crank_stepper_start(crank_integrator *it, crank_error *err)
{
    const crank_method *method = it->method;
    const bool done = it->t >= it->t_end;
    crank_error reason = {0};
    bool changed = false;
    if (method->step != NULL) { /* made of others, which come here */
        return method->start(it, err);
    }
    crank_features_start(it);
    it->rejected = it->unseen = false;
    it->failures = it->stuck = 0;
    it->jumping = -1;
    it->t_looked = it->t;
    it->ends_looked[0] = it->ends_looked[1] = (double)NAN;
    it->h = it->options.h_start;
    method->reset(it);
    crank_status status = crank_stepper_tell(it, done, &changed, &reason);
    if (status == CRANK_OK && !done) {
        status = method->start(it, &reason);
    }
    it->h_first = it->h;
    if (status > CRANK_OK && !done) {
        (void)crank_fail_at(err, CRANK_ESTOP_EQUATIONS, reason.line, reason.column,
                            "the equations cannot be evaluated at the start%s%s",
                            reason.text[0] != '\0' ? ": " : "", reason.text);
        if (err != NULL) {
            memcpy(err->file, reason.file, sizeof err->file);
        }
        return CRANK_ESTOP_EQUATIONS;
    }
    if (status < CRANK_OK && err != NULL) {
        *err = reason;
    }
    return status;
}

/* ---- before an attempt ---- */

/* the step no longer than h_max, and up to t_stop if that is as good as reached, or in two
 * equal steps */
static void clip(crank_integrator *it)
{
    const double stop = it->t_stop - it->t,
                 knot = it->features != NULL ? crank_features_left(it) : (double)INFINITY,
                 left = fmin(stop, knot);
    crank_integrator_clip_step(it);
    if (it->h * close_by >= knot) {
        it->h = fmin(it->h, knot);
    } else if (it->method->spreads_end && it->h < left && 2.0 * it->h > left) {
        it->h = 0.5 * left;
    }
}

/* The step as long as singular positions allow, with a look at the present where the problem
 * asks for one. Methods that prepare rarely ask the forecast for a longer step first; what
 * they cannot see there, the attempt says. */
static crank_status limit(crank_integrator *it, crank_error *err)
{
    crank_problem *p = it->problem;
    const bool rarely = it->method->looks_rarely;
    const double since = it->t - it->t_looked;
    double h = it->h;
    if (p->constraints == NULL) {
        return CRANK_OK;
    }
    if (rarely) {
        h = fmax(h, (it->t + h - it->t_looked) / blind - since);
    }
    crank_status status = p->constraints->step_limit(p, it->t, &h, err);
    if (status == CRANK_OK && !rarely) {
        it->h = h;
        return CRANK_OK;
    }
    if (status > CRANK_OK) {
        status = it->method->look(it, err);
    }
    status = status == CRANK_OK ? p->constraints->step_limit(p, it->t, &it->h, err) : status;
    return rarely && status > CRANK_OK ? CRANK_OK : status;
}

static crank_status make_ready(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    const crank_method *method = it->method;
    clip(it);
    crank_status status = method->begin != NULL ? method->begin(it, err) : CRANK_OK;
    status = status == CRANK_OK ? limit(it, err) : status;
    return status == CRANK_OK && method->ready != NULL ? method->ready(it, a, err) : status;
}

/* ---- after it ---- */

void crank_stepper_advance(crank_integrator *it, double end, double size)
{
    it->statistics.steps++;
    it->last_error = size;
    it->t_old = it->t;
    it->t = end;
    it->jumped = it->rejected = it->unseen = false;
    it->failures = it->stuck = 0;
    it->jumping = -1;
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    const double end = crank_integrator_step_end(it);
    it->method->accept(it, a);
    crank_stepper_advance(it, end, a->size);
    it->stopped = it->method->settle(it, a, crank_integrator_finished(it), &it->stop_reason);
    crank_integrator_set_scale(it, it->x);
}

static void reject(crank_integrator *it, const crank_attempt *a)
{
    it->statistics.rejected_error++;
    it->failures = it->stuck = 0;
    it->jumping = a->jumping >= 0 ? a->jumping : it->jumping;
    it->method->undo(it);
    const double h = it->h;
    it->h = a->blunt ? blunt * it->h : it->method->shorter(it, a);
    it->h = it->features != NULL ? crank_features_reject(it, h, it->h) : it->h;
    it->rejected = true;
    if (it->switches != NULL) {
        crank_switches_reject(it, h);
    }
}

/* The step has passed something unseen, at it->h. */
static void end_before(crank_integrator *it)
{
    const double h = it->h;
    it->statistics.rejected_error++;
    it->failures = it->stuck = 0;
    it->unseen = true;
    it->method->undo(it);
    it->h = h;
    it->rejected = true;
}

/* The step was not possible: what was found out on the way is in it->outside. */
static crank_status fail(crank_integrator *it, const crank_attempt *a, crank_error *err)
{
    const int most = it->method->is_explicit ? 0 : it->options.failures_max;
    const double last = it->t > it->t_old ? it->t - it->t_old : it->h_first;
    const char *outside = it->outside.text;
    const double h = it->h;
    it->statistics.rejected_convergence++;
    it->failures++;
    it->stuck += it->h <= last ? 1 : 0;
    it->method->undo(it);
    it->h *= a->shorter;
    it->rejected = true;
    if (it->switches != NULL) {
        crank_switches_reject(it, h);
    }
    if (!it->method->is_explicit && it->problem->newton_failed != NULL) {
        it->problem->newton_failed(it->problem);
    }
    if (most == 0 || it->stuck < most) {
        return CRANK_OK;
    }
    crank_fail(err, CRANK_ENEWTON,
               "Newton's iteration failed %d times in a row at t = %.10g, h = %.3g%s%s",
               it->failures, it->t, it->h, outside[0] != '\0' ? ": " : "", outside);
    return crank_integrator_give_up(it, CRANK_ENEWTON, err);
}

/* ---- the step ---- */

/* Positive: the step must be shorter, by a->shorter. */
static crank_status try_step(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_error reason;
    crank_error_clear(&reason);
    crank_status status = make_ready(it, a, &reason);
    if (status == CRANK_OK && !a->done) {
        status = crank_integrator_check_limits(it, &reason);
        status = status == CRANK_OK ? it->method->attempt(it, a, &reason) : status;
    }
    if (status > CRANK_OK) {
        it->outside = reason;
    } else if (status == CRANK_OK) {
        crank_error_clear(&it->outside);
    } else if (err != NULL) {
        *err = reason;
    }
    return status;
}

crank_status crank_stepper_step(crank_integrator *it, crank_error *err)
{
    if (it->method->step != NULL) {
        return it->method->step(it, err);
    }
    crank_status status = CRANK_OK;
    for (bool done = false; status == CRANK_OK && !done;) {
        crank_attempt a = {.shorter = 0.5, .jumping = -1};
        status = try_step(it, &a, err);
        if (status > CRANK_OK) {
            status = fail(it, &a, err);
        } else if (status == CRANK_OK && !a.done) {
            done = a.size <= (it->once > 0.0 ? it->once : 1.0);
            if (!done) {
                reject(it, &a);
            } else if (it->features != NULL && crank_features_passed(it)) {
                end_before(it);
                done = false;
            } else {
                accept(it, &a);
            }
        }
        done = done || a.done;
        status = status == CRANK_OK && !done && it->once > 0.0 ? CRANK_RETRY : status;
    }
    if (status == CRANK_OK && it->stopped == CRANK_OK) {
        it->stopped = crank_integrator_show(it, &it->stop_reason);
    }
    return status;
}

/* ---- runs ---- */

crank_status crank_integrator_start(crank_integrator *it, double t0, const double *x0,
                                    double t_end, crank_error *err)
{
    if (!isfinite(t0) || !isfinite(t_end)) {
        return crank_fail(err, CRANK_EARG, "start %g and end time %g must be finite", t0,
                          t_end);
    }
    if (t_end < t0) {
        return crank_fail(err, CRANK_ETIME, "the end time %g lies before the start time %g",
                          t_end, t0);
    }
    it->t = it->t_old = it->t_start = t0;
    const crank_status taken = crank_integrator_take(it, x0, err);
    if (taken != CRANK_OK) {
        return taken;
    }
    it->t_end = it->t_stop = it->t_bound = t_end;
    it->last_error = (double)NAN;
    it->jumped = false;
    it->attempts = 0;
    it->outside = (crank_error){0};
    it->stopped = CRANK_OK;
    it->origin = crank_hash(CRANK_HASH_START, &t0, sizeof t0);
    it->origin =
        crank_hash(it->origin, x0, (size_t)crank_problem_given(it->problem) * sizeof *x0);
    crank_integrator_take_tolerances(it);
    it->started = true;
    if (it->problem->course != NULL) {
        it->problem->course->restart(it->problem);
    }
    crank_integrator_set_scale(it, it->x);
    if (it->switches != NULL) {
        crank_switches_start(it);
    }
    const crank_status status = crank_stepper_start(it, err);
    return status == CRANK_OK && it->events != NULL ? crank_events_start(it, err) : status;
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_status status = it->switches != NULL ? crank_switches_begin_step(it, err) : CRANK_OK;
    if (status != CRANK_OK || crank_events_tell(it)) {
        return status;
    }
    status = it->events == NULL ? crank_stepper_step(it, err) : crank_events_step(it, err);
    if (status == CRANK_OK && it->switches != NULL) {
        crank_switches_end_step(it);
    }
    return status;
}

crank_status crank_integrator_step(crank_integrator *it, crank_error *err)
{
    if (!it->started) {
        return crank_fail(err, CRANK_EARG, "crank_integrator_start was not called");
    }
    if (it->stopped != CRANK_OK) {
        if (err != NULL) {
            *err = it->stop_reason;
        }
        return it->stopped;
    }
    if (it->shown->status != CRANK_OK) {
        if (err != NULL) {
            *err = it->shown->reason;
        }
        return it->shown->status;
    }
    if (crank_integrator_finished(it)) {
        return CRANK_OK;
    }
    const double begin = crank_clock_seconds();
    const crank_status status = step(it, err);
    it->statistics.seconds += crank_clock_seconds() - begin;
    return status;
}

crank_status crank_integrator_solve_to(crank_integrator *it, double t, crank_error *err)
{
    if (!it->started) {
        return crank_fail(err, CRANK_EARG, "crank_integrator_start was not called");
    }
    if (isnan(t)) {
        return crank_fail(err, CRANK_EARG, "the time to solve to is not a number");
    }
    while (it->t < t && !crank_integrator_finished(it)) {
        const crank_status status = crank_integrator_step(it, err);
        if (status != CRANK_OK || crank_integrator_events(it) != NULL) {
            return status;
        }
    }
    return it->t >= it->t_end ? crank_integrator_step(it, err) : CRANK_OK; /* its end counts */
}

bool crank_integrator_finished(const crank_integrator *it)
{
    return it->t >= it->t_end && it->stopped == CRANK_OK;
}
