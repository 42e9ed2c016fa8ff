/* auto.c - the integrator that chooses: explicit of order 8 where that is cheaper, else Radau
 * IIA.
 *
 * A step of either method is a step of this one; the two share time, state and weights, and
 * each has its own state and problem (problem.h, alternatives). The change is made at the
 * beginning of a step, so that rows of the last one are still interpolated by the method that
 * made it.
 *
 * It begins with the explicit method. Once some steps in a row end at the bound of stability,
 * or many look as if they were near it or are rejected, the other one makes a trial of some
 * steps on the way, and stays if it takes less work for the time it covers,
 *
 *     work = evaluations                               explicit: each with its linear solution
 *     work = evaluations / 2 + 10 (Jacobians + factorisations)      Radau,        theory (9.16)
 *
 * else the first one goes on, and waits longer until the next trial. From Radau the way back is
 * tried now and then. Where one of them fails the other one goes on (auto_parts.c).
 * No clock is read: the same model gives the same steps on every machine. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/auto.h"

#include "base/blame.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CALM = CRANK_PART_CALM, STIFF = CRANK_PART_STIFF, SAFE = CRANK_PART_SAFE };
/* Steps of a trial, whose later half counts, and of one after steps in a row at the bound of
 * stability, where fast motions must die out first. They are given up after HOPELESS or TRIAL
 * steps if the later half of these took `hopeless` times the work, but for long ones whose steps
 * still grow `growing` times in that half: they wait for fast motions to die out. */
enum { TRIAL = 12, LONG = 40, HOPELESS = 4 };
/* steps over which the work of a method that stays is measured */
enum { WINDOW = 16 };
/* signs of stiffness that ask for a trial, with fewer than CALM_SIGNS steps without one in a
 * row */
enum { SIGNS = 20, CALM_SIGNS = 6 };
/* steps in a row at the bound of stability that ask for one at once */
enum { BOUNDED = 4 };
/* Steps before a probe, over its cost in steps (crank_alternatives.probe): of what was done so
 * far a probe that promises nothing takes a quarter where stability may bound steps, and a
 * sixteenth elsewhere. */
enum { BEFORE_BOUNDED = 4, BEFORE = 16 };
/* Waits for the next trial of the other method: each that failed makes them four times as long,
 * a probe whose error was too large twice as long. */
enum { WAIT_CALM = 16, WAIT_STIFF = 1000, WAIT_MOST = 1000000 };
enum { WAIT_GROWTH = 4, PROBE_GROWTH = 2 };
/* h |eigenvalue| from which a probe may pay: stability bounds steps at 6, but accuracy of the
 * fast motions, which Radau damps, does so earlier */
static const double suspicious = 0.3, hopeless = 3.0, growing = 2.0;
/* h |eigenvalue| at which stability may bound steps; the estimate sees a part of it */
static const double bounding = 2.5;
/* the same where it sees all of it, nearly: one such step may be chance */
static const double at_bound = 5.0;
/* Rate of the fastest motion that is possible over that of the motion which is made, from which
 * on steps above `bounding` are clearly those of stiffness: Radau's could be so many times
 * longer, of which its lower order takes some back. */
static const double aside = 8.0;
/* Such steps in a row that ask for a probe, over its cost in steps; after each that fails twice
 * as many. */
static const double clear_share = 0.5;
/* Where steps are not bounded by stability errors of fast motions bound them. Radau, which
 * damps these, must then begin with a step so many times longer: its steps cost about twice as
 * much, and their errors are larger at the same tolerance. Nothing is lost where that fails. */
static const double promise = 2.5;

/* the work of Radau in evaluations of the explicit method, theory (9.16): one evaluation; a
 * Jacobian or a factorisation */
static const double of_evaluation = 0.5, of_matrix = 10.0;

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_auto *s = state;
    s->row = crank_arena_take(arena, (size_t)it->n, sizeof(double));
    for (int which = 0; which < CRANK_PARTS; which++) {
        crank_integrator seen = *it;
        seen.problem = crank_auto_problem_of(it, which);
        if (seen.problem == NULL) {
            continue;
        }
        seen.m = seen.problem->m;
        crank_auto_methods[which]->layout(crank_auto_state_of(s, which), arena, &seen);
        s->runs[which].list =
            crank_arena_take(arena, (size_t)it->n, sizeof *s->runs[which].list);
        if (s->runs[which].list != NULL) {
            crank_integrator_list_runs(seen.problem, &s->runs[which]);
        }
        s->tested[which] = 0;
        for (int j = 0; j < it->n; j++) {
            s->tested[which] += seen.problem->tested[j];
        }
    }
}

/* ---- work ---- */

/* theory (9.16), so far */
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
    s->window_h = it->t - it->t_old;
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
    const crank_alternatives *all = it->problem->alternatives;
    s->failed = all->part[CALM] == NULL;
    for (int which = 0; which < CRANK_PARTS; which++) {
        s->failed_t[which] = (double)NAN;
        s->wait[which] = which == CALM ? WAIT_CALM : WAIT_STIFF;
    }
    s->trial = s->probe = s->early = s->replaced = s->unsure = false;
    s->left = s->clear = 0;
    s->clear_asked = (int)ceil(clear_share * all->probe);
    s->clear_time = s->clear_work = 0.0;
    s->window_work = s->window_h = s->work_seen = s->bounded_work = s->bounded_t = 0.0;
    s->replaced_part = CALM;
    if (it->problem->log != NULL && s->failed) { /* the explicit part is what is expected */
        crank_log_write(it->problem->log, CRANK_INFO, "auto: %s", all->reason);
    }
    return begin(it, s, s->failed ? SAFE : CALM, err);
}

/* ---- whether to change ---- */

/* What is fast is not what moves: the motion itself is slow, or below the tolerance, theory
 * 9.4. */
static bool is_clear(crank_integrator *it, crank_auto *s, double size)
{
    double moved = 0.0;
    if (!(size > bounding)) {
        return false;
    }
    const double motion = crank_explicit_motion(it, &s->calm, &moved);
    return moved < 1.0 || size > aside * motion;
}

static void count_clear(crank_integrator *it, crank_auto *s, bool clear)
{
    if (!clear) {
        s->clear = 0;
        s->clear_time = s->clear_work = 0.0;
        return;
    }
    s->clear++;
    s->clear_time += it->t - it->t_old;
    s->clear_work += work(it, CALM) - s->work_begun;
}

/* Signs that the explicit method may not be the right one: close to its stability, or attempts
 * rejected. */
static void look_for_signs(crank_integrator *it, crank_auto *s)
{
    const crank_statistics *c = &it->statistics;
    const bool rejected = c->rejected_error + c->rejected_convergence > s->rejected;
    const double size = s->calm.size;
    const crank_auto_outside kept = crank_auto_enter(it, CALM);
    const bool clear = is_clear(it, s, size);
    crank_auto_leave(it, s, kept);
    count_clear(it, s, clear);
    const bool sign = rejected || size > suspicious;
    s->no_signs = sign ? 0 : s->no_signs + 1;
    if (s->no_signs >= CALM_SIGNS) {
        s->signs = s->strong = 0;
    }
    s->signs += sign;
    s->strong += size > bounding;
    if (s->steps == 1 || !(size > at_bound)) {
        s->bounded = 0;
        s->bounded_t = it->t;
        s->bounded_work = work(it, CALM);
        return;
    }
    s->bounded++;
}

/* Half of the signs say so; but accurate steps of order 8 may be as long at loose
 * tolerances. */
static bool may_be_bounded(const crank_auto *s)
{
    return 2 * s->strong >= s->signs;
}

/* What a trial of the other method is measured by, if steps in a row were bounded. */
static void measure_bounded(crank_integrator *it, crank_auto *s)
{
    if (s->bounded >= BOUNDED) {
        s->rate[CALM] = (work(it, CALM) - s->bounded_work) / (it->t - s->bounded_t);
    } else if (s->early) {
        s->rate[CALM] = s->clear_work / s->clear_time;
    }
}

/* A trial has failed, this method goes on. */
static void wait_longer(crank_auto *s, int which, int times)
{
    s->wait[which] = s->wait[which] < WAIT_MOST / times ? times * s->wait[which] : WAIT_MOST;
    s->left = s->wait[which];
}

static void ask_for_more(crank_auto *s)
{
    s->clear = 0;
    s->clear_asked = s->clear_asked < WAIT_MOST / 2 ? 2 * s->clear_asked : WAIT_MOST;
}

static void judge_trial(crank_integrator *it, crank_auto *s, int which)
{
    const int other = crank_auto_other(it, s, which);
    s->steps++;
    const bool last = s->steps == s->length;
    const int early = s->length == TRIAL ? HOPELESS : TRIAL;
    const double h = it->t - it->t_old;
    if (last || s->steps == early) {
        const bool grows = !last && s->length == LONG && h >= growing * s->window_h;
        close_window(it, s, which);
        s->change = s->rate[which] > (last ? 1.0 : hopeless) * s->rate[other] && !grows;
    }
    if (s->steps == early / 2 || s->steps == s->length / 2) {
        open_window(it, s, which);
    }
    if (last || s->change) {
        if (s->change) {
            wait_longer(s, other, WAIT_GROWTH);
            ask_for_more(s);
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
    const bool at_once = which == CALM && s->bounded >= BOUNDED;
    s->early = which == CALM && !at_once && s->clear >= s->clear_asked;
    const bool due = which != CALM || s->signs >= SIGNS;
    const int probe = it->problem->alternatives->probe;
    const int least = which != CALM       ? WINDOW
                      : may_be_bounded(s) ? BEFORE_BOUNDED * probe
                                          : BEFORE * probe;
    if (s->left == 0 && (at_once || s->early || (due && s->steps > least))) {
        measure_bounded(it, s);
        s->change = s->trial = true;
        s->length = at_once || s->early ? LONG : TRIAL;
        s->probe = which == CALM && !at_once;
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
    return s->change && !s->probe ? crank_auto_change(it, s, err) : CRANK_OK;
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

/* The first step of a trial, long (where stability may bound explicit steps, as long as these)
 * and with an error that the controller would have aimed at, or not at all: then the explicit
 * method goes on from the same point as if nothing had been. */
static crank_status probe(crank_integrator *it, crank_auto *s, crank_error *err)
{
    const crank_integrator kept = *it;
    const int other = crank_auto_other(it, s, CALM);
    s->probe = false;
    const bool early = s->early;
    const double h = early || may_be_bounded(s) ? it->h : promise * it->h;
    crank_status status = crank_auto_begin_with(it, s, other, h, err);
    if (status == CRANK_OK) {
        const crank_radau *radau = crank_auto_state_of(s, other);
        it->once = pow(it->options.safety, radau->common.kind->power);
        status = crank_auto_step_of_part(it, s, err);
        it->once = 0.0;
    }
    if (status == CRANK_OK || status == CRANK_EMEM) {
        return status;
    }
    const bool far = it->failures > 0; /* not even Newton's iteration converged */
    crank_auto_resume(it, s, CALM, &kept);
    s->trial = s->change = false;
    if (early) {
        ask_for_more(s);
    } else {
        wait_longer(s, CALM, far ? WAIT_GROWTH : PROBE_GROWTH);
    }
    return crank_auto_step_of_part(it, s, err);
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_statistics *c = &it->statistics;
    crank_error first, second;
    crank_error_clear(&first);
    crank_error_clear(&second);
    const double of_rows = work(it, crank_auto_in_use(it)) - s->work_seen;
    s->window_work += of_rows; /* they do not count */
    s->bounded_work += of_rows;
    s->work_begun = work(it, crank_auto_in_use(it));
    crank_status status = prepare(it, s, &first);
    s->rejected = c->rejected_error + c->rejected_convergence;
    if (status == CRANK_OK) {
        status = s->probe ? probe(it, s, &first) : crank_auto_step_of_part(it, s, &first);
    }
    crank_status told = status;
    while (status != CRANK_OK && crank_auto_may_replace(it, s, status)) {
        status = crank_auto_replace(it, s, false, &first, &second);
        status = status == CRANK_OK ? crank_auto_step_of_part(it, s, &second) : status;
        /* of several failures that which names rows is reported, else that of the part which
         * has come here */
        if (status == CRANK_OK || status == CRANK_EMEM || status == CRANK_EMAX_STEPS ||
            (status == CRANK_ESINGULAR && told != CRANK_ESINGULAR)) {
            first = second;
            told = status;
        }
    }
    status = told;
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

/* The integrator as one of the part in use alone, for who reads it; without its texts. */
static void see_part(const crank_integrator *it, crank_integrator *seen)
{
    memcpy(seen, it, offsetof(crank_integrator, outside));
    (void)crank_auto_enter(seen, crank_auto_in_use(it));
}

static void interpolate(const crank_integrator *it, double t, double *x)
{
    crank_integrator seen;
    see_part(it, &seen);
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
    crank_integrator seen;
    see_part(it, &seen);
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
    int *const counts[] = {&s->steps,  &s->wait[CALM], &s->wait[STIFF], &s->wait[SAFE],
                           &s->length, &s->left,       &s->signs,       &s->no_signs,
                           &s->strong, &s->bounded,    &s->clear,       &s->clear_asked};
    crank_archive_int(a, &it->problem->alternatives->now, 0, CRANK_PARTS - 1);
    crank_archive_int(a, &s->replaced_part, 0, CRANK_PARTS - 1);
    crank_archive_flag(a, &s->unsure);
    crank_archive_flag(a, &s->change);
    crank_archive_flag(a, &s->broken);
    crank_archive_flag(a, &s->replaced);
    crank_archive_error(a, &s->reason);
    crank_archive_flag(a, &s->failed);
    crank_archive_doubles(a, s->failed_t, CRANK_PARTS);
    crank_archive_flag(a, &s->trial);
    crank_archive_flag(a, &s->probe);
    crank_archive_flag(a, &s->early);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        crank_archive_int(a, counts[i], 0, INT_MAX);
    }
    crank_archive_doubles(a, s->rate, CRANK_PARTS);
    crank_archive_double(a, &s->began);
    crank_archive_double(a, &s->bounded_t);
    crank_archive_double(a, &s->bounded_work);
    crank_archive_double(a, &s->clear_time);
    crank_archive_double(a, &s->clear_work);
    crank_archive_double(a, &s->window_t);
    crank_archive_double(a, &s->window_h);
    crank_archive_double(a, &s->window_work);
    crank_archive_double(a, &s->work_seen);
    for (int which = 0; which < CRANK_PARTS; which++) {
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
