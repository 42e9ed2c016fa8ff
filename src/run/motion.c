/* motion.c - steps, events, rows and values of a run. See crank/run.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/blame.h"
#include "base/then.h"
#include "eom/eom.h"
#include "integrate/create.h"
#include "model/events.h"

#include <math.h>
#include <string.h>

double crank_run_reached(const crank_run *run)
{
    return run->started ? crank_integrator_time(run->integrator) : run->t_start;
}

bool crank_run_finished(const crank_run *run)
{
    return run->stopped || (run->started ? crank_integrator_finished(run->integrator)
                                         : run->t_start >= run->t_end);
}

bool crank_run_stopped(const crank_run *run)
{
    return run->stopped;
}

double crank_run_time(const crank_run *run)
{
    return run->t;
}

/* ---- steps and events ---- */

crank_status crank_run_look(crank_run *run, double t, crank_error *err)
{
    crank_status status = CRANK_OK;
    if (run->started) {
        status = crank_integrator_interpolate(run->integrator, t, run->state, err);
    } else if (t != run->t) {
        status =
            crank_fail(err, CRANK_EARG, "the run has not started: it is at t = %.10g", run->t);
    }
    if (status != CRANK_EARG) {
        run->t = t;
        run->row_known = false;
    }
    return status;
}

const double *crank_run_state(const crank_run *run)
{
    return run->state;
}

/* Next to a pole the step size vanishes, matrices lose their digits, numbers overflow. */
static bool may_be_pole(crank_status status)
{
    static const crank_status ends[] = {
        CRANK_ESTEP_TOO_SMALL, CRANK_ENEWTON,       CRANK_ESINGULAR,      CRANK_EDECOMPOSITION,
        CRANK_ENOTFINITE,      CRANK_EINCONSISTENT, CRANK_ESTOP_EQUATIONS};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (status == ends[i]) {
            return true;
        }
    }
    return false;
}

/* the force at whose pole the run ends, or the table at whose end, friction that locks, or what
 * lost its inertia: tolerances would not help */
static crank_status explain(const crank_run *run, crank_status status, crank_error *err)
{
    crank_error reason = {0};
    const double t = crank_integrator_time(run->integrator);
    const double *x = crank_integrator_state(run->integrator);
    const bool unexplained = status == CRANK_ESTEP_TOO_SMALL || status == CRANK_ENEWTON;
    if (status == CRANK_ESTOP_EQUATIONS && err != NULL && err->line > 0) {
        return status; /* it is told what */
    }
    if ((!may_be_pole(status) || (crank_eom_find_pole(run->eom, t, x, &reason) == CRANK_OK &&
                                  crank_eom_find_lock(run->eom, t, x, &reason) == CRANK_OK)) &&
        (!unexplained || crank_eom_find_loss(run->eom, t, x, &reason) == CRANK_OK)) {
        return status;
    }
    if (err != NULL) {
        *err = reason;
    }
    return reason.status;
}

crank_status crank_run_step(crank_run *run, crank_error *err)
{
    crank_status status = crank_run_start(run, err);
    if (status == CRANK_OK && !crank_run_finished(run)) {
        status = explain(run, crank_integrator_step(run->integrator, err), err);
        CRANK_THEN(status, crank_eom_look(run->eom, crank_integrator_time(run->integrator),
                                          crank_integrator_state(run->integrator),
                                          &run->asked.log, err));
    }
    return status;
}

bool crank_run_happened(const crank_run *run)
{
    return run->started && !run->stopped && crank_integrator_events(run->integrator) != NULL;
}

/* w, lambda, mu of the state that events have changed: by the formulation, or where that cannot
 * tell, as at a start */
static crank_status follow(crank_run *run, double t, const crank_event_outcome *outcome,
                           crank_error *err)
{
    const crank_status status = crank_integrator_follow(run->integrator, run->state, err);
    return status > CRANK_OK
               ? crank_state_find_multipliers(run->model_state, t, run->state, outcome, err)
               : status;
}

crank_status crank_run_happen(crank_run *run, crank_event_outcome *outcome, crank_error *err)
{
    crank_integrator *it = run->integrator;
    *outcome = (crank_event_outcome){0};
    if (!crank_run_happened(run)) {
        return crank_fail(err, CRANK_EARG, "no event has happened at the end of the last step");
    }
    const double t = crank_integrator_time(it);
    memcpy(run->state, crank_integrator_state(it), (size_t)run->n * sizeof *run->state);
    run->t = t;
    run->row_known = false;
    crank_status status = crank_state_change_at_events(
        run->model_state, crank_integrator_events(it), t, run->state, outcome, err);
    if (status == CRANK_OK && outcome->changed) {
        status = follow(run, t, outcome, err);
    }
    if (status == CRANK_OK && outcome->stop) {
        run->stopped = true;
    } else if (status == CRANK_OK && outcome->changed && !crank_integrator_finished(it)) {
        status = crank_integrator_restart(it, run->state, err);
    }
    crank_integrator_leave_events(it);
    return status;
}

crank_status crank_run_advance(crank_run *run, double t, crank_error *err)
{
    crank_status status = crank_run_start(run, err);
    if (status == CRANK_OK && !(t >= run->t)) {
        return crank_fail(err, CRANK_EARG,
                          "the run is at t = %.10g and cannot go back to %.10g", run->t, t);
    }
    while (status == CRANK_OK && !run->stopped && crank_run_reached(run) <= t) {
        crank_event_outcome outcome;
        if (crank_run_happened(run)) {
            status = crank_run_happen(run, &outcome, err);
        } else if (!crank_run_finished(run) &&
                   (crank_run_reached(run) < t || crank_run_reached(run) >= run->t_end)) {
            status = crank_run_step(run, err); /* at the end: why it is not finished */
        } else {
            break;
        }
    }
    if (status == CRANK_OK && !run->stopped) {
        status = crank_run_look(run, fmin(t, crank_run_reached(run)), err);
    }
    return status;
}

/* ---- to the end, with rows ---- */

enum { DEFAULT_INTERVALS = 200 };

crank_status crank_run_divide(const crank_run *run, double every, int64_t intervals,
                              crank_run_rows *rows, crank_error *err)
{
    const bool given = every > 0.0 || intervals > 0;
    const crank_simulate *file =
        run->model != NULL && !given ? crank_model_simulate(run->model) : NULL;
    every = file != NULL ? file->every : every;
    intervals = file != NULL ? file->points : intervals;
    *rows = (crank_run_rows){.t = run->t, .every = every};
    rows->count = intervals > 0 ? intervals : DEFAULT_INTERVALS;
    if (run->t_end < run->t) {
        const crank_status status = crank_fail(
            err, CRANK_ETIME, "the end time %g lies before the start time %g%s", run->t_end,
            run->t,
            file != NULL && !file->has_t_end && isnan(run->asked.t_end) ? "; give t_end" : "");
        return isnan(run->asked.t_end) ? status : crank_blame_caller(err, status);
    }
    if (every > 0.0) {
        /* a last interval shorter than rounding is none */
        const double count = ceil((run->t_end - run->t) / every * (1.0 - 1e-12));
        if (!(count < 1e12) || !(run->t + every > run->t)) {
            const crank_status status =
                crank_fail(err, CRANK_ETIME, "a row every %g s from %g to %g would be too many",
                           every, run->t, run->t_end);
            return given ? crank_blame_caller(err, status) : status;
        }
        rows->count = (int64_t)count;
    }
    rows->count = run->t_end > run->t ? rows->count : 0;
    return CRANK_OK;
}

/* of row i; the last one is at the end exactly */
static double time_of_row(const crank_run *run, const crank_run_rows *r, int64_t i)
{
    if (r->times != NULL) {
        return r->times[i];
    }
    return i >= r->count    ? run->t_end
           : r->every > 0.0 ? r->t + (double)i * r->every
                            : r->t + (run->t_end - r->t) * (double)i / (double)r->count;
}

/* those that are due at the end of the last step, or before the first */
static crank_status visit_rows(crank_run *run, crank_run_rows *r, const crank_run_visitor *v,
                               crank_error *err)
{
    const double t = crank_run_reached(run);
    const int64_t last = r->times != NULL ? r->count - 1 : r->count;
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && (r->steps || r->next <= last)) {
        const double due = r->steps ? t : time_of_row(run, r, r->next);
        if (due > t && !(run->started && crank_integrator_finished(run->integrator))) {
            break;
        }
        status = crank_run_look(run, fmin(due, t), err);
        if (v->row != NULL) {
            CRANK_THEN(status, v->row(run, v->user, err));
        }
        r->next++;
        if (r->steps) {
            break;
        }
    }
    return status;
}

static crank_status visit(crank_run_visit_fn *fn, crank_run *run, const crank_run_visitor *v,
                          crank_error *err)
{
    return fn != NULL ? fn(run, v->user, err) : CRANK_OK;
}

static crank_status visit_event(crank_run *run, const crank_run_visitor *v, crank_error *err)
{
    crank_event_outcome outcome;
    return v->event != NULL ? v->event(run, v->user, err)
                            : crank_run_happen(run, &outcome, err);
}

crank_status crank_run_visit(crank_run *run, crank_run_rows *rows,
                             const crank_run_visitor *visitor, crank_error *err)
{
    crank_status status = crank_run_initialize(run, err);
    if (status == CRANK_OK && (!rows->steps || rows->next == 0)) {
        status = visit_rows(run, rows, visitor, err);
    }
    if (!crank_run_finished(run)) {
        CRANK_THEN(status, crank_run_start(run, err));
    }
    while (status == CRANK_OK && (!crank_run_finished(run) || crank_run_happened(run))) {
        if (!crank_run_happened(run)) {
            status = visit(visitor->before, run, visitor, err);
            CRANK_THEN(status, crank_run_step(run, err));
            CRANK_THEN(status, visit(visitor->after, run, visitor, err));
            CRANK_THEN(status, visit_rows(run, rows, visitor, err));
        }
        if (status == CRANK_OK && crank_run_happened(run)) {
            status = visit_event(run, visitor, err);
        }
    }
    return status;
}

/* ---- values ---- */

int crank_run_column_count(const crank_run *run)
{
    return run->columns;
}

const char *crank_run_column_name(const crank_run *run, int column)
{
    if (column < 0 || column >= run->columns) {
        return NULL;
    }
    return run->model != NULL ? crank_model_column_name(run->model, column)
                              : crank_eom_column_name(run->eom, column);
}

int crank_run_find(const crank_run *run, const char *name)
{
    for (int j = 0; j < run->columns; j++) {
        if (strcmp(crank_run_column_name(run, j), name) == 0) {
            return j;
        }
    }
    return -1;
}

const double *crank_run_values(crank_run *run, crank_error *err)
{
    if (run->model == NULL) {
        return run->state;
    }
    if (!run->row_known) {
        run->row_known = crank_run_initialize(run, err) == CRANK_OK &&
                         crank_state_columns(run->model_state, run->t, run->state, run->row,
                                             err) == CRANK_OK;
    }
    return run->row_known ? run->row : NULL;
}

double crank_run_value(crank_run *run, const char *name)
{
    const int column = crank_run_find(run, name);
    const double *values = column >= 0 ? crank_run_values(run, NULL) : NULL;
    return values != NULL ? values[column] : (double)NAN;
}
