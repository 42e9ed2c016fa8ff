/* auto_parts.c - the parts of the integrator auto, and how one takes the place of another.
 *
 * Where one part cannot go on, another one does from the last accepted step, the safe one
 * first; all must fail at the same place before the run ends. A row that the part of a step
 * cannot make is the end of a run of another part from the step's beginning; the step itself
 * stands, and the next one is that part's. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/auto.h"

#include "integrate/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANGES_TOLD = 3 };
enum { CALM = CRANK_PART_CALM, STIFF = CRANK_PART_STIFF, SAFE = CRANK_PART_SAFE };

const crank_method *const crank_auto_methods[CRANK_PARTS] = {
    &crank_method_dopri8, &crank_method_radau, &crank_method_radau};

crank_problem *crank_auto_problem_of(const crank_integrator *it, int which)
{
    return it->problem->alternatives->part[which];
}

void *crank_auto_state_of(crank_auto *s, int which)
{
    void *const states[CRANK_PARTS] = {&s->calm, &s->stiff, &s->safe};
    return states[which];
}

int crank_auto_other(const crank_integrator *it, const crank_auto *s, int which)
{
    const bool cheap = crank_auto_problem_of(it, STIFF) != NULL && !s->unsure;
    return which != CALM ? CALM : cheap ? STIFF : SAFE;
}

crank_auto_outside crank_auto_enter(crank_integrator *it, int which)
{
    crank_auto *s = it->state;
    const crank_auto_outside kept = {it->method, it->problem, it->m, it->tested, it->runs};
    it->problem = crank_auto_problem_of(it, which);
    it->method = crank_auto_methods[which];
    it->state = crank_auto_state_of(s, which);
    it->m = it->problem->m;
    it->tested = s->tested[which];
    it->runs = s->runs[which];
    return kept;
}

void crank_auto_leave(crank_integrator *it, crank_auto *s, crank_auto_outside kept)
{
    it->method = kept.method;
    it->problem = kept.problem;
    it->state = s;
    it->m = kept.m;
    it->tested = kept.tested;
    it->runs = kept.runs;
}

void crank_auto_tell(crank_integrator *it, double t, int which, const char *why)
{
    const crank_alternatives *all = it->problem->alternatives;
    it->statistics.method_changes++;
    if (it->problem->log != NULL && it->statistics.method_changes <= CHANGES_TOLD) {
        crank_log_write(it->problem->log, CRANK_INFO, "auto: %s-%s%s from t = %.6g on, %s",
                        all->part[which]->name, all->integrator[which],
                        which == STIFF ? ", projected," : "", t, why);
    }
}

/* ---- begin and change ---- */

crank_status crank_auto_begin(crank_integrator *it, crank_auto *s, int which, bool fresh,
                              crank_error *err)
{
    crank_alternatives *all = it->problem->alternatives;
    const uint64_t origin = it->origin;
    const int before = all->now;
    all->now = which;
    if (!fresh) {
        all->take_over(it->problem, before);
    }
    const crank_auto_outside kept = crank_auto_enter(it, which);
    if (fresh && it->problem->course != NULL) {
        it->problem->course->restart(it->problem);
    }
    crank_integrator_take_tolerances(it);
    crank_integrator_set_scale(it, it->x);
    const crank_status status = crank_stepper_start(it, err);
    crank_auto_leave(it, s, kept);
    it->origin = fresh ? it->origin : origin;
    s->change = s->broken = false;
    s->began = it->t;
    s->steps = s->signs = s->no_signs = s->strong = s->bounded = s->clear = 0;
    return status;
}

crank_status crank_auto_begin_with(crank_integrator *it, crank_auto *s, int which, double h,
                                   crank_error *err)
{
    const double asked = it->options.h_start;
    it->options.h_start = h;
    const crank_status status = crank_auto_begin(it, s, which, false, err);
    it->options.h_start = asked;
    return status;
}

void crank_auto_resume(crank_integrator *it, crank_auto *s, int which,
                       const crank_integrator *kept)
{
    const crank_statistics statistics = it->statistics;
    *it = *kept;
    it->statistics = statistics;
    it->problem->alternatives->now = which;
    const crank_auto_outside outside = crank_auto_enter(it, which);
    crank_integrator_take_tolerances(it);
    crank_integrator_set_scale(it, it->x);
    crank_auto_leave(it, s, outside);
}

crank_status crank_auto_change(crank_integrator *it, crank_auto *s, crank_error *err)
{
    const double h = it->h;
    const int to = crank_auto_other(it, s, crank_auto_in_use(it));
    if (to != CALM) {
        return crank_auto_begin_with(it, s, to, h, err);
    }
    const crank_status status = crank_auto_begin(it, s, to, false, err);
    it->h = fmin(h, it->h);
    return status;
}

/* ---- after a failure ---- */

crank_status crank_auto_step_of_part(crank_integrator *it, crank_auto *s, crank_error *err)
{
    const crank_auto_outside kept = crank_auto_enter(it, crank_auto_in_use(it));
    const crank_status status = crank_stepper_step(it, err);
    crank_auto_leave(it, s, kept);
    return status;
}

/* not for what the user, the machine or the other part's equations decide all the same */
static bool is_failure_of_method(crank_status status)
{
    switch ((int)status) {
    case CRANK_EINCONSISTENT:
    case CRANK_EREDUNDANT_ACCELERATION:
    case CRANK_EREDUNDANT_VELOCITY:
    case CRANK_EREDUNDANT_POSITION:
    case CRANK_ERANK_CHANGED:
    case CRANK_ERANK_MISMATCH:
    case CRANK_ESINGULAR:
    case CRANK_EDECOMPOSITION:
    case CRANK_ENEWTON:
    case CRANK_ESTEP_TOO_SMALL:
    case CRANK_ESTOP_EQUATIONS:
    case CRANK_ESTOP_MASS:
    case CRANK_ESTOP_JACOBIAN:
    case CRANK_ENOTFINITE:
        return true;
    default:
        return false;
    }
}

/* the first that has not failed here and is not the one in use; -1: none */
static int find_substitute(const crank_integrator *it, const crank_auto *s)
{
    static const int order[CRANK_PARTS] = {SAFE, CALM, STIFF};
    for (int i = 0; i < CRANK_PARTS; i++) {
        const int part = order[i];
        if (part != crank_auto_in_use(it) && crank_auto_problem_of(it, part) != NULL &&
            s->failed_t[part] != it->t) {
            return part;
        }
    }
    return -1;
}

bool crank_auto_may_replace(const crank_integrator *it, const crank_auto *s,
                            crank_status status)
{
    return is_failure_of_method(status) && find_substitute(it, s) >= 0;
}

/* Of the time, at least: steps may have vanished. */
static const double shortest = 1e-12;

/* The first step is no longer than the last accepted one: what the part stumbled over may lie
 * right ahead. */
crank_status crank_auto_replace(crank_integrator *it, crank_auto *s, bool fresh,
                                const crank_error *reason, crank_error *err)
{
    const int from = crank_auto_in_use(it), to = find_substitute(it, s);
    const double last = it->t - it->t_old;
    s->replaced = true;
    s->replaced_part = from;
    s->reason = *reason;
    s->failed_t[from] = it->t;
    s->failed = s->failed || from == CALM;
    s->unsure = s->unsure || from == STIFF;
    s->trial = false;
    s->left = s->wait[to];
    const crank_status status = crank_auto_begin(it, s, to, fresh, err);
    if (!fresh && last > 0.0) {
        const double least = shortest * fmax(fabs(it->t), it->t_end - it->t);
        it->h = fmin(it->h, fmax(last, least));
    }
    return status;
}

void crank_auto_tell_replaced(crank_integrator *it, crank_auto *s)
{
    const int now = crank_auto_in_use(it), before = s->replaced_part;
    char why[sizeof s->reason.text + 80];
    if (s->replaced) {
        (void)snprintf(why, sizeof why, "because %s-%s cannot go on: %s",
                       crank_auto_problem_of(it, before)->name,
                       crank_auto_methods[before]->name, s->reason.text);
        crank_auto_tell(it, s->began, now, why);
        s->replaced = false;
    }
}

/* ---- rows ---- */

/* An integrator of part `which` alone that goes from the beginning of the last step to t, in
 * memory of its own. */
static crank_integrator run_inside(const crank_integrator *it, int which, double t)
{
    crank_auto *s = it->state;
    crank_integrator run = *it;
    (void)crank_auto_enter(&run, which);
    run.x = s->row;
    run.t = run.t_old = it->t_old;
    run.t_end = run.t_stop = t;
    run.events = NULL;
    run.stopped = CRANK_OK;
    run.outside = (crank_error){0};
    run.attempts = 0;
    run.jumped = false;
    return run;
}

/* tolerances and norms of the part in use; what the equations remember is the present again */
static void return_from_inside(crank_integrator *it, crank_auto *s)
{
    bool changed = false;
    const crank_auto_outside kept = crank_auto_enter(it, crank_auto_in_use(it));
    crank_problem *p = it->problem;
    crank_integrator_take_tolerances(it);
    crank_integrator_set_scale(it, it->x);
    (void)p->course->accepted(p, it->t, it->x, &changed, NULL);
    crank_auto_leave(it, s, kept);
}

crank_status crank_auto_make_row(crank_integrator *it, double t, double *x, crank_error *err)
{
    crank_auto *s = it->state;
    crank_alternatives *all = it->problem->alternatives;
    const int of = crank_auto_in_use(it), by = of == SAFE ? CALM : SAFE;
    if (crank_auto_problem_of(it, by) == NULL || it->jumped) {
        return CRANK_EREFUSED;
    }
    if (of == CALM) {
        memcpy(s->row, s->calm.begin, (size_t)it->n * sizeof *s->row);
    } else {
        const crank_auto_outside kept = crank_auto_enter(it, of);
        it->method->interpolate(it, it->t_old, s->row);
        crank_auto_leave(it, s, kept);
    }
    all->now = by;
    all->take_over(it->problem, of);
    all->now = of;
    crank_integrator run = run_inside(it, by, t);
    crank_integrator_take_tolerances(&run);
    crank_integrator_set_scale(&run, run.x);
    crank_status status = run.t < t ? crank_stepper_start(&run, err) : CRANK_OK;
    while (status == CRANK_OK && run.t < t) {
        status = run.stopped == CRANK_OK ? crank_stepper_step(&run, err) : run.stopped;
    }
    memcpy(x, run.x, (size_t)it->n * sizeof *x);
    return_from_inside(it, s);
    s->broken = true;
    crank_fail(&s->reason, CRANK_ESTOP_EQUATIONS, "it has no row at t = %.10g", t);
    return status;
}
