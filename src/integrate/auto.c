/* auto.c - the integrator that chooses: explicit of order 8 where that is cheaper, else Radau
 * IIA.
 *
 * A step of either method is a step of this one; the two share time, state and weights, and
 * each has its own state and problem (problem.h, alternatives). The change is made at the
 * beginning of a step, so that rows of the last one are still interpolated by the method that
 * made it.
 *
 * It begins with the explicit method. Once steps look bounded by stability, or are rejected
 * again and again, the other one makes a trial of some steps on the way, and stays if it takes
 * less work for the time it covers,
 *
 *     work = evaluations                                            explicit: each with its linear solution
 *     work = evaluations / 2 + 10 (Jacobians + factorisations)      Radau,        theory (9.17)
 *
 * else the first one goes on, and waits longer until the next trial. From Radau the way back is
 * tried now and then. Where one of them fails the other one goes on (auto_parts.c).
 * No clock is read: the same model gives the same steps on every machine. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/auto.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CALM = CRANK_AUTO_CALM, STIFF = CRANK_AUTO_STIFF };
/* Steps of a trial, whose later half counts, and of one where steps were bounded by stability,
 * so that fast motions must die out first. They are given up after HOPELESS or TRIAL steps if
 * the later half of these took `hopeless` times the work. */
enum { TRIAL = 12, LONG = 40, HOPELESS = 4 };
/* steps over which the work of a method that stays is measured */
enum { WINDOW = 16 };
/* signs of stiffness that ask for a trial, with fewer than CALM_SIGNS steps without one in a
 * row */
enum { SIGNS = 20, CALM_SIGNS = 6 };
/* first waits for a trial of the other method; each that failed makes them four times as
 * long */
enum { WAIT_CALM = 100, WAIT_STIFF = 1000, WAIT_MOST = 1000000, WAIT_GROWTH = 4 };
/* h |eigenvalue| from which a trial may pay: stability bounds steps at 6, but accuracy of the
 * fast motions, which Radau damps, does so earlier */
static const double suspicious = 0.7, hopeless = 3.0;
/* h |eigenvalue| at which steps count as bounded by stability; the estimate sees a part of
 * it */
static const double bounding = 2.5;

/* the work of Radau in evaluations of the explicit method, theory (9.17): one evaluation; a
 * Jacobian or a factorisation */
static const double of_evaluation = 0.5, of_matrix = 10.0;

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_auto *s = state;
    s->row = crank_arena_take(arena, (size_t)it->n, sizeof(double));
    for (int which = CALM; which <= STIFF; which++) {
        crank_integrator seen = *it;
        seen.problem = crank_auto_problem_of(it, which);
        if (seen.problem == NULL) {
            continue;
        }
        seen.m = seen.problem->m;
        crank_auto_methods[which]->layout(which == STIFF ? (void *)&s->stiff : (void *)&s->calm,
                                          arena, &seen);
        s->tested[which] = 0;
        for (int j = 0; j < it->n; j++) {
            s->tested[which] += seen.problem->tested[j];
        }
    }
}

/* ---- work ---- */

/* theory (9.17), so far */
static double work(const crank_integrator *it, int which)
{
    const crank_statistics *c = crank_auto_problem_of(it, which)->statistics;
    return which == CALM ? (double)c->evaluations
                         : of_evaluation * (double)c->evaluations +
                               of_matrix * (double)(c->jacobians + c->factorizations);
}

static void open_window(crank_integrator *it, crank_auto *s, int which)
{
    s->window_t = it->t;
    s->window_work = work(it, which);
}

static void close_window(crank_integrator *it, crank_auto *s, int which)
{
    s->rate[which] = (work(it, which) - s->window_work) / (it->t - s->window_t);
}

/* ---- start ---- */

/* This part, or the other one if it cannot start here. */
static crank_status begin(crank_integrator *it, crank_auto *s, int which, crank_error *err)
{
    const uint64_t origin = it->origin;
    crank_error reason = {0};
    const crank_status status = crank_auto_begin(it, s, which, true, &reason);
    if (status != CRANK_OK && crank_auto_may_replace(it, s, status)) {
        it->origin = origin;
        return crank_auto_replace(it, s, true, &reason, err);
    }
    if (status != CRANK_OK && err != NULL) {
        *err = reason;
    }
    return status;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_alternatives *both = it->problem->alternatives;
    s->failed = both->calm == NULL;
    s->failed_t[CALM] = s->failed_t[STIFF] = (double)NAN;
    s->trial = s->replaced = false;
    s->wait[CALM] = WAIT_CALM;
    s->wait[STIFF] = WAIT_STIFF;
    s->left = 0;
    s->window_work = s->work_seen = 0.0;
    if (it->problem->log != NULL) {
        crank_log_write(it->problem->log, CRANK_INFO, "auto: %s", both->reason);
    }
    return begin(it, s, s->failed ? STIFF : CALM, err);
}

/* ---- whether to change ---- */

/* Signs that the explicit method may not be the right one: close to its stability, or attempts
 * rejected. */
static void look_for_signs(crank_integrator *it, crank_auto *s)
{
    const crank_statistics *c = &it->statistics;
    const bool rejected = c->rejected_error + c->rejected_convergence > s->rejected;
    const crank_auto_outside kept = crank_auto_enter(it, CALM);
    const double size = crank_explicit_stiffness(it, &s->calm);
    crank_auto_leave(it, s, kept);
    const bool sign = rejected || size > suspicious;
    s->no_signs = sign ? 0 : s->no_signs + 1;
    if (s->no_signs >= CALM_SIGNS) {
        s->signs = s->strong = 0;
    }
    s->signs += sign;
    s->strong += size > bounding;
}

static void judge_trial(crank_integrator *it, crank_auto *s, int which)
{
    const int other = which == CALM ? STIFF : CALM;
    s->steps++;
    const bool last = s->steps == s->length;
    const int early = s->length == TRIAL ? HOPELESS : TRIAL;
    if (last || s->steps == early) {
        close_window(it, s, which);
        s->change = s->rate[which] > (last ? 1.0 : hopeless) * s->rate[other];
    }
    if (s->steps == early / 2 || s->steps == s->length / 2) {
        open_window(it, s, which);
    }
    if (last || s->change) {
        if (s->change) {
            s->left = s->wait[other];
            s->wait[other] = s->wait[other] < WAIT_MOST / WAIT_GROWTH
                                 ? WAIT_GROWTH * s->wait[other]
                                 : WAIT_MOST;
        } else {
            s->left = s->wait[which];
            crank_auto_tell(it, s->began, which, "which takes less work here");
        }
        s->trial = false;
        s->steps = 0;
    }
}

/* Of a method that stays: its work, and whether it is time to try the other one. */
static void judge(crank_integrator *it, crank_auto *s, int which)
{
    if (s->steps == 0) {
        open_window(it, s, which);
    } else if (s->steps % WINDOW == 0) {
        close_window(it, s, which);
        open_window(it, s, which);
    }
    s->steps++;
    s->left -= s->left > 0;
    if (which == CALM) {
        look_for_signs(it, s);
    }
    const bool bounded = which == CALM && 2 * s->strong >= s->signs;
    const bool due = which == STIFF || s->signs >= SIGNS;
    if (due && s->left == 0 && s->steps > WINDOW) {
        s->change = s->trial = true;
        s->length = bounded ? LONG : TRIAL;
    }
}

/* ---- the step ---- */

/* Before the step: the change that is due. If the part that is to take over cannot, the present
 * one goes on. */
static crank_status prepare(crank_integrator *it, crank_auto *s, crank_error *err)
{
    if (s->broken && crank_auto_may_replace(it, s, CRANK_ESTOP_EQUATIONS)) {
        return crank_auto_replace(it, s, false, &s->reason, err);
    }
    s->broken = false;
    return s->change ? crank_auto_change(it, s, err) : CRANK_OK;
}

/* The last step stands, but what follows failed; behind the end nothing does, but a singular
 * position may have been passed. */
static void look_behind(crank_integrator *it, crank_auto *s)
{
    const bool passed = it->stopped == CRANK_ESINGULAR && it->t >= it->t_end;
    if (it->stopped != CRANK_OK && !passed && crank_auto_may_replace(it, s, it->stopped)) {
        s->broken = true;
        s->reason = it->stop_reason;
        it->stopped = CRANK_OK;
    }
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_statistics *c = &it->statistics;
    crank_error first = {0}, second = {0};
    s->window_work += work(it, crank_auto_in_use(it)) - s->work_seen; /* rows do not count */
    crank_status status = prepare(it, s, &first);
    s->rejected = c->rejected_error + c->rejected_convergence;
    status = status == CRANK_OK ? crank_auto_step_of_part(it, s, &first) : status;
    if (status != CRANK_OK && crank_auto_may_replace(it, s, status)) {
        const crank_status before = status;
        status = crank_auto_replace(it, s, false, &first, &second);
        status = status == CRANK_OK ? crank_auto_step_of_part(it, s, &second) : status;
        /* of two failures that which names rows is reported, else that of the part which has come
         * here */
        if (status == CRANK_OK || status == CRANK_EMEM || status == CRANK_EMAX_STEPS ||
            (status == CRANK_ESINGULAR && before != CRANK_ESINGULAR)) {
            first = second;
        } else {
            status = before;
        }
    }
    if (status != CRANK_OK) {
        if (err != NULL) {
            *err = first;
        }
        return status;
    }
    crank_auto_tell_replaced(it, s);
    look_behind(it, s);
    s->work_seen = work(it, crank_auto_in_use(it));
    if (s->failed || s->broken) {
        return CRANK_OK;
    }
    if (s->trial) {
        judge_trial(it, s, crank_auto_in_use(it));
    } else {
        judge(it, s, crank_auto_in_use(it));
    }
    return CRANK_OK;
}

static void interpolate(const crank_integrator *it, double t, double *x)
{
    crank_integrator seen = *it;
    (void)crank_auto_enter(&seen, crank_auto_in_use(it));
    seen.method->interpolate(&seen, t, x);
    if (isfinite(x[0])) { /* else it cannot be said */
        return;
    }
    seen = *it;
    if (crank_auto_make_row(&seen, t, x, NULL) != CRANK_OK) {
        x[0] = (double)NAN;
    }
}

static void row_error(const crank_integrator *it, double t, double *off)
{
    crank_integrator seen = *it;
    (void)crank_auto_enter(&seen, crank_auto_in_use(it));
    memset(off, 0, (size_t)it->n * sizeof *off);
    if (seen.method->row_error != NULL) {
        seen.method->row_error(&seen, t, off);
    }
}

static crank_status refine_row(crank_integrator *it, double t, double *x, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_auto_outside kept = crank_auto_enter(it, crank_auto_in_use(it));
    const crank_status status =
        it->method->refine_row != NULL ? it->method->refine_row(it, t, x, err) : CRANK_RETRY;
    crank_auto_leave(it, s, kept);
    return status;
}

/* The method in use goes on. */
static crank_status restart(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    return begin(it, s, crank_auto_in_use(it), err);
}

static crank_status rewind_step(crank_integrator *it, bool jumped, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_auto_outside kept = crank_auto_enter(it, crank_auto_in_use(it));
    const crank_status status = crank_integrator_rewind(it, jumped, err);
    crank_auto_leave(it, s, kept);
    return status;
}

static void invalidate(crank_integrator *it)
{
    crank_auto *s = it->state;
    const crank_auto_outside kept = crank_auto_enter(it, crank_auto_in_use(it));
    it->method->invalidate(it);
    crank_auto_leave(it, s, kept);
}

static void archive(crank_integrator *it, crank_archive *a)
{
    crank_auto *s = it->state;
    int *const counts[] = {&s->steps, &s->wait[CALM], &s->wait[STIFF], &s->length,
                           &s->left,  &s->signs,      &s->no_signs,    &s->strong};
    crank_archive_flag(a, &it->problem->alternatives->stiff_now);
    crank_archive_flag(a, &s->change);
    crank_archive_flag(a, &s->broken);
    crank_archive_flag(a, &s->replaced);
    crank_archive_error(a, &s->reason);
    crank_archive_flag(a, &s->failed);
    crank_archive_doubles(a, s->failed_t, 2);
    crank_archive_flag(a, &s->trial);
    for (int i = 0; i < 8; i++) {
        crank_archive_int(a, counts[i], 0, INT_MAX);
    }
    crank_archive_doubles(a, s->rate, 2);
    crank_archive_double(a, &s->began);
    crank_archive_double(a, &s->window_t);
    crank_archive_double(a, &s->window_work);
    crank_archive_double(a, &s->work_seen);
    for (int which = CALM; which <= STIFF; which++) {
        if (crank_auto_problem_of(it, which) != NULL) {
            const crank_auto_outside kept = crank_auto_enter(it, which);
            it->method->archive(it, a);
            crank_auto_leave(it, s, kept);
        }
    }
}

const crank_method crank_method_auto = {
    .name = "auto",
    .passes_singular = true,
    .one_step = true,
    .state_size = sizeof(crank_auto),
    .layout = layout,
    .start = start,
    .restart = restart,
    .rewind = rewind_step,
    .step = step,
    .interpolate = interpolate,
    .row_error = row_error,
    .refine_row = refine_row,
    .make_row = crank_auto_make_row,
    .invalidate = invalidate,
    .archive = archive,
};
