/* auto.c - the integrator that chooses: explicit of order 8 where that is cheaper, else Radau IIA.
 *
 * A step of either method is a step of this one; the two share time, state and weights, and each has its own state
 * and problem (problem.h, alternatives). The change is made at the beginning of a step, so that rows of the last one
 * are still interpolated by the method that made it.
 *
 * It begins with the explicit method. Once steps look bounded by stability, or are rejected again and again, the other
 * one makes a trial of some steps on the way, and stays if it takes less work for the time it covers,
 *
 *     work = evaluations                                            explicit: each with its linear solution
 *     work = evaluations / 2 + 10 (Jacobians + factorisations)      Radau,                               theory (9.17)
 *
 * else the first one goes on, and waits longer until the next trial. From Radau the way back is tried now and then.
 * No clock is read: the same model gives the same steps on every machine. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"
#include "integrate/radau.h"

#include <limits.h>
#include <math.h>

enum { CALM, STIFF };
/* Steps of a trial, whose later half counts, and of one where steps were bounded by stability, so that fast motions must
 * die out first. They are given up after HOPELESS or TRIAL steps if the later half of these took `hopeless` times the work. */
enum { TRIAL = 12, LONG = 40, HOPELESS = 4 };
/* steps over which the work of a method that stays is measured */
enum { WINDOW = 16 };
/* signs of stiffness that ask for a trial, with fewer than CALM_SIGNS steps without one in a row */
enum { SIGNS = 20, CALM_SIGNS = 6 };
/* first waits for a trial of the other method; each that failed makes them four times as long */
enum { WAIT_CALM = 100, WAIT_STIFF = 1000, WAIT_MOST = 1000000 };
/* h |eigenvalue| from which a trial may pay: stability bounds steps at 6, but accuracy of the fast motions, which
 * Radau damps, does so earlier */
static const double suspicious = 0.7, hopeless = 3.0;
/* h |eigenvalue| at which steps count as bounded by stability; the estimate sees a part of it */
static const double bounding = 2.5;

typedef struct crank_auto {
    crank_explicit calm;
    crank_radau stiff;
    int tested[2];       /* columns that count in norms */
    bool change;         /* due before the next step */
    bool failed;         /* the explicit method could not go on: no way back to it */
    bool trial;          /* the method in use has not won yet */
    int length;          /* of the trial */
    int steps;           /* since the change, or since the last window ended */
    int wait[2], left;   /* steps until the other is tried: next time, still */
    int signs, no_signs; /* of stiffness, */
    int strong;          /* and those beyond `bounding` */
    double began;        /* when the method in use took over */
    double rate[2];      /* work per time, when last measured */
    double window_t, window_work;
    int64_t rejected; /* rejected attempts before the step */
} crank_auto;

/* What the two methods see differently, while one of them works. */
typedef struct outside {
    const crank_method *method;
    crank_problem *problem;
    int m, tested;
} outside;

static const crank_method *const both_methods[2] = {&crank_method_dopri8, &crank_method_radau};

static crank_problem *problem_of(const crank_integrator *it, int which)
{
    const crank_alternatives *both = it->problem->alternatives;
    return which == STIFF ? both->stiff : both->calm;
}

static outside enter(crank_integrator *it, int which)
{
    crank_auto *s = it->state;
    const outside kept = {it->method, it->problem, it->m, it->tested};
    it->problem = problem_of(it, which);
    it->method = both_methods[which];
    it->state = which == STIFF ? (void *)&s->stiff : (void *)&s->calm;
    it->m = it->problem->m;
    it->tested = s->tested[which];
    return kept;
}

static void leave(crank_integrator *it, crank_auto *s, outside kept)
{
    it->method = kept.method;
    it->problem = kept.problem;
    it->state = s;
    it->m = kept.m;
    it->tested = kept.tested;
}

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_auto *s = state;
    for (int which = CALM; which <= STIFF; which++) {
        crank_integrator seen = *it;
        seen.problem = problem_of(it, which);
        if (seen.problem == NULL) {
            continue;
        }
        seen.m = seen.problem->m;
        both_methods[which]->layout(which == STIFF ? (void *)&s->stiff : (void *)&s->calm,
                                    arena, &seen);
        s->tested[which] = 0;
        for (int j = 0; j < it->n; j++) {
            s->tested[which] += seen.problem->tested[j];
        }
    }
}

/* ---- work ---- */

/* theory (9.17) */
static double work(const crank_integrator *it, int which)
{
    const crank_statistics *c = problem_of(it, which)->statistics;
    return which == CALM ? (double)c->evaluations
                         : 0.5 * (double)c->evaluations +
                               10.0 * (double)(c->jacobians + c->factorizations);
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

/* ---- begin and change ---- */

/* From the present state on by this method. */
static crank_status begin(crank_integrator *it, crank_auto *s, int which, crank_error *err)
{
    it->problem->alternatives->stiff_now = which == STIFF;
    const outside kept = enter(it, which);
    if (it->problem->restart != NULL) {
        it->problem->restart(it->problem);
    }
    crank_integrator_take_tolerances(it);
    crank_integrator_set_scale(it, it->x);
    const crank_status status = it->method->start(it, err);
    leave(it, s, kept);
    open_window(it, s, which);
    s->change = false;
    s->began = it->t;
    s->steps = s->signs = s->no_signs = s->strong = 0;
    return status;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_alternatives *both = it->problem->alternatives;
    s->failed = both->calm == NULL;
    s->trial = false;
    s->wait[CALM] = WAIT_CALM;
    s->wait[STIFF] = WAIT_STIFF;
    s->left = 0;
    if (it->problem->log != NULL) {
        crank_log_write(it->problem->log, CRANK_INFO, "auto: %s", both->reason);
    }
    return begin(it, s, s->failed ? STIFF : CALM, err);
}

/* The other method takes over; the mark of the start stays that of the run's. */
static crank_status change(crank_integrator *it, crank_auto *s, crank_error *err)
{
    const uint64_t origin = it->origin;
    const double h = it->h;
    const int to = it->problem->alternatives->stiff_now ? CALM : STIFF;
    const crank_status status = begin(it, s, to, err);
    it->origin = origin;
    it->h = to == STIFF ? fmax(h, it->h) : fmin(h, it->h);
    return status;
}

static void tell(const crank_integrator *it, double t, bool stiff, const char *why)
{
    const crank_alternatives *both = it->problem->alternatives;
    if (it->problem->log != NULL) {
        crank_log_write(it->problem->log, CRANK_INFO, "auto: %s-%s from t = %.6g on, %s",
                        stiff ? both->stiff->name : both->calm->name,
                        stiff ? both->stiff_integrator : both->calm_integrator, t, why);
    }
}

/* ---- whether to change ---- */

/* Signs that the explicit method may not be the right one: close to its stability, or attempts rejected. */
static void look_for_signs(crank_integrator *it, crank_auto *s)
{
    const crank_statistics *c = &it->statistics;
    const bool rejected = c->rejected_error + c->rejected_convergence > s->rejected;
    const outside kept = enter(it, CALM);
    const double size = crank_explicit_stiffness(it, &s->calm);
    leave(it, s, kept);
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
            s->wait[other] = s->wait[other] < WAIT_MOST / 4 ? 4 * s->wait[other] : WAIT_MOST;
        } else {
            s->left = s->wait[which];
            tell(it, s->began, which == STIFF, "which takes less work here");
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

static crank_status step_of(crank_integrator *it, crank_auto *s, crank_error *err)
{
    const outside kept = enter(it, it->problem->alternatives->stiff_now ? STIFF : CALM);
    const crank_status status = it->method->step(it, err);
    leave(it, s, kept);
    return status;
}

/* Reasons for which the explicit method gives up and the other one may yet go on. */
static bool is_worth_another_try(crank_status status)
{
    return status == CRANK_ESTEP_TOO_SMALL || status == CRANK_ESTOP_EQUATIONS;
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    const crank_alternatives *both = it->problem->alternatives;
    const crank_statistics *c = &it->statistics;
    crank_status status = s->change ? change(it, s, err) : CRANK_OK;
    s->rejected = c->rejected_error + c->rejected_convergence;
    status = status == CRANK_OK ? step_of(it, s, err) : status;
    if (is_worth_another_try(status) && !both->stiff_now) {
        tell(it, it->t, true, "because the explicit method cannot go on");
        s->failed = true;
        s->trial = false;
        status = change(it, s, err);
        status = status == CRANK_OK ? step_of(it, s, err) : status;
    }
    if (status != CRANK_OK || s->failed) {
        return status;
    }
    if (s->trial) {
        judge_trial(it, s, both->stiff_now ? STIFF : CALM);
    } else {
        judge(it, s, both->stiff_now ? STIFF : CALM);
    }
    return CRANK_OK;
}

static void interpolate(const crank_integrator *it, double t, double *x)
{
    crank_auto *s = it->state;
    const int which = it->problem->alternatives->stiff_now ? STIFF : CALM;
    crank_integrator seen = *it;
    seen.problem = problem_of(it, which);
    seen.method = both_methods[which];
    seen.state = which == STIFF ? (void *)&s->stiff : (void *)&s->calm;
    seen.m = seen.problem->m;
    seen.tested = s->tested[which];
    seen.method->interpolate(&seen, t, x);
}

/* The method in use goes on. */
static crank_status restart(crank_integrator *it, crank_error *err)
{
    crank_auto *s = it->state;
    return begin(it, s, it->problem->alternatives->stiff_now ? STIFF : CALM, err);
}

static crank_status rewind_step(crank_integrator *it, bool jumped, crank_error *err)
{
    crank_auto *s = it->state;
    const outside kept = enter(it, it->problem->alternatives->stiff_now ? STIFF : CALM);
    const crank_status status = crank_integrator_rewind(it, jumped, err);
    leave(it, s, kept);
    return status;
}

static void invalidate(crank_integrator *it)
{
    crank_auto *s = it->state;
    const outside kept = enter(it, it->problem->alternatives->stiff_now ? STIFF : CALM);
    it->method->invalidate(it);
    leave(it, s, kept);
}

static void archive(crank_integrator *it, crank_archive *a)
{
    crank_auto *s = it->state;
    int *const counts[] = {&s->steps, &s->wait[CALM], &s->wait[STIFF], &s->length,
                           &s->left,  &s->signs,      &s->no_signs,    &s->strong};
    crank_archive_flag(a, &it->problem->alternatives->stiff_now);
    crank_archive_flag(a, &s->change);
    crank_archive_flag(a, &s->failed);
    crank_archive_flag(a, &s->trial);
    for (int i = 0; i < 8; i++) {
        crank_archive_int(a, counts[i], 0, INT_MAX);
    }
    crank_archive_doubles(a, s->rate, 2);
    crank_archive_double(a, &s->began);
    crank_archive_double(a, &s->window_t);
    crank_archive_double(a, &s->window_work);
    for (int which = CALM; which <= STIFF; which++) {
        if (problem_of(it, which) != NULL) {
            const outside kept = enter(it, which);
            it->method->archive(it, a);
            leave(it, s, kept);
        }
    }
}

static const char *const idle[] = {"max_order", NULL};

const crank_method crank_method_auto = {
    .name = "auto",
    .passes_singular = true,
    .one_step = true,
    .idle = idle,
    .state_size = sizeof(crank_auto),
    .layout = layout,
    .start = start,
    .restart = restart,
    .rewind = rewind_step,
    .step = step,
    .interpolate = interpolate,
    .invalidate = invalidate,
    .archive = archive,
};
