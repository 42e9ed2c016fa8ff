/* run.c - the front door: opens a run of a model with the options settled, leads it step by
 * step through events to its end, with rows on the way. See crank/run.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/blame.h"
#include "base/options.h"
#include "base/then.h"
#include "eom/eom.h"
#include "model/events.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char default_method[] = "auto";
/* round-off of t: a row so close to a switch is at it */
static const double same_time = 8.0;

/* ---- options ---- */

static crank_status resolve_method(crank_run *run, const crank_simulate *file, crank_error *err)
{
    const char *in_file = file != NULL ? file->method : NULL;
    const bool given = run->asked.method != NULL;
    run->method = given ? run->asked.method : in_file != NULL ? in_file : default_method;
    run->options = crank_options_default();
    const crank_status status = crank_method_resolve(run->method, &run->formulation,
                                                     &run->integrator_name, &run->options, err);
    if (status == CRANK_OK && run->fallen_back) {
        run->formulation = "psf";
    }
    return given ? crank_blame_caller(err, status)
           : file != NULL
               ? crank_run_blame_line(err, status, file->method_line, file->method_column)
               : status;
}

static crank_status take_file_options(crank_run *run, const crank_simulate *file,
                                      crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < file->option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &file->options[i];
        if (run->asked.method != NULL &&
            !crank_option_is_of(option->name, run->formulation, run->integrator_name)) {
            if (!run->told) {
                crank_log_write(&run->asked.log, CRANK_INFO,
                                "simulate: %s is left out, %s does not have it", option->name,
                                run->method);
            }
            continue;
        }
        status = crank_options_set(&run->options, option->name, option->value, err);
        status = crank_run_blame_line(err, status, file->option_line[i], 0);
    }
    run->told = true;
    return status == CRANK_OK ? crank_options_check(&run->options, err) : status;
}

crank_status crank_run_settle(crank_run *run, const crank_simulate *file, crank_error *err)
{
    crank_status status = resolve_method(run, file, err);
    if (status == CRANK_OK && file != NULL) {
        status = take_file_options(run, file, err);
    }
    for (int i = 0; i < run->asked.option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &run->asked.options[i];
        status = crank_blame_caller(
            err, crank_options_set(&run->options, option->name, option->value, err));
    }
    return status == CRANK_OK && file != NULL
               ? crank_blame_caller(err, crank_options_check(&run->options, err))
               : status;
}

/* ---- the model ---- */

static crank_status read_model(crank_run *run, const char *path, crank_error *err)
{
    crank_model_options options = crank_model_options_default();
    options.settings = run->asked.settings;
    options.setting_count = run->asked.setting_count;
    options.accelerations = run->options.accelerations;
    options.coordinates = run->options.coordinates;
    options.orientation = run->options.orientation;
    options.compile = run->asked.compile;
    options.inlined = crank_run_is_inlined(run);
    options.model = run->asked.model;
    options.library = run->asked.library;
    options.log = run->asked.log;
    crank_status status = crank_model_read(path, &options, &run->made, err);
    status = crank_run_blame_settings(run, path, &options, status, err);
    run->model = run->made;
    return crank_run_blame_refusal(run, NULL, status, err);
}

/* ---- open ---- */

static crank_status open_model(crank_run *run, crank_error *err)
{
    crank_status status = crank_run_settle_model(run, err);
    CRANK_THEN(status, crank_state_create(run->model, &run->model_state, err));
    return status == CRANK_OK ? crank_run_take_state(run, err) : status;
}

static crank_status close_failed(crank_run **run, crank_status status)
{
    if (status != CRANK_OK) {
        crank_run_close(*run);
        *run = NULL;
    }
    return status;
}

crank_status crank_run_open(const char *path, const crank_run_options *options, crank_run **out,
                            crank_error *err)
{
    crank_status status = crank_run_begin(options, out, err);
    if (status == CRANK_OK) {
        status = crank_run_settle(*out, NULL, err); /* as far as the caller goes */
    }
    CRANK_THEN(status, read_model(*out, path, err));
    CRANK_THEN(status, open_model(*out, err));
    return close_failed(out, status);
}

crank_status crank_run_open_model(const crank_model *model, const crank_run_options *options,
                                  crank_run **out, crank_error *err)
{
    crank_status status = crank_run_begin(options, out, err);
    if (status == CRANK_OK) {
        (*out)->model = model;
        status = open_model(*out, err);
    }
    return close_failed(out, status);
}

crank_status crank_run_open_eom(crank_eom *eom, double t0, const double *x0,
                                const crank_run_options *options, crank_run **out,
                                crank_error *err)
{
    crank_status status = crank_run_begin(options, out, err);
    crank_run *run = *out;
    if (status == CRANK_OK && isnan(run->asked.t_end)) {
        status = crank_fail(err, CRANK_EARG, "the end time of the run is missing");
    }
    if (status == CRANK_OK && run->asked.t_end < t0) {
        status = crank_fail(err, CRANK_ETIME, "the end time %g lies before the start time %g",
                            run->asked.t_end, t0);
    }
    if (status == CRANK_OK) {
        run->eom = eom;
        run->t_start = t0;
        run->t_end = run->asked.t_end;
        status = crank_run_settle(run, NULL, err);
    }
    status = status == CRANK_OK ? crank_run_make_room(run, x0, err) : status;
    return close_failed(out, status);
}

void crank_run_close(crank_run *run)
{
    if (run != NULL) {
        crank_integrator_destroy(run->integrator);
        crank_problem_destroy(run->problem);
        crank_state_destroy(run->model_state);
        crank_model_destroy(run->made);
        crank_store_free(&run->store);
        free(run);
    }
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

bool crank_run_look_where_stopped(crank_run *run, crank_status status, bool *unbounded)
{
    const crank_integrator *it = run->integrator;
    char drive[160];
    *unbounded = false;
    if (status == CRANK_OK || !run->started) {
        return false;
    }
    const double t = crank_run_reached(run);
    *unbounded = status == CRANK_ESINGULAR &&
                 crank_eom_find_dead_centre(run->eom, t, crank_integrator_state(it), drive,
                                            sizeof drive);
    if (!*unbounded && crank_run_look(run, t, NULL) != CRANK_OK) {
        memcpy(run->state, crank_integrator_state(it), (size_t)run->n * sizeof *run->state);
        run->t = t;
        run->row_known = false;
    }
    return !*unbounded;
}

/* What the equations say of the end of the last step; its state may cost a solution. */
static crank_status look(crank_run *run, crank_error *err)
{
    const crank_integrator *it = run->integrator;
    const double *x = crank_eom_looks_at_state(run->eom) ? crank_integrator_state(it) : NULL;
    return crank_eom_look(run->eom, crank_integrator_time(it), x, &run->asked.log, err);
}

crank_status crank_run_step(crank_run *run, crank_error *err)
{
    crank_status status = crank_run_start(run, err);
    if (run->asked.stop != NULL) {
        CRANK_THEN(status, run->asked.stop(run->asked.stop_user, err));
    }
    if (status == CRANK_OK && !crank_run_finished(run)) {
        status = crank_run_explain(run, crank_integrator_step(run->integrator, err), err);
        CRANK_THEN(status, look(run, err));
        CRANK_THEN(status, crank_run_look_for_lock(run, err));
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
    crank_status status = crank_run_change_at_events(run, t, outcome, err);
    if (status == CRANK_OK && outcome->changed) {
        status = follow(run, t, outcome, err);
    }
    if (status == CRANK_OK && outcome->stop) {
        run->stopped = true;
    } else if (status == CRANK_OK && outcome->changed && !crank_integrator_finished(it)) {
        status = crank_integrator_restart(it, run->state, err);
    }
    if (status == CRANK_ERANK_CHANGED || status == CRANK_ESINGULAR) {
        crank_run_explain_event(run, err);
    }
    crank_integrator_leave_events(it);
    return status;
}

/* The row at t, at most the end of the last step. At a switch that is the one behind it, but
 * for the end of the run, and for events at the same time, which tell before from after. */
static crank_status look_behind(crank_run *run, double t, crank_error *err)
{
    crank_integrator *it = run->integrator;
    const double reached = crank_run_reached(run);
    const double size =
        fmax(fabs(reached), fabs(run->t_start)); /* rows are counted from there */
    const bool there = run->started && t >= reached - same_time * DBL_EPSILON * size;
    crank_status status = CRANK_OK;
    if (there && crank_integrator_at_switch(it) && !crank_run_finished(run) &&
        !crank_run_happened(run)) {
        status = crank_run_explain(run, crank_integrator_pass_switch(it, err), err);
    }
    if (status != CRANK_OK || !there || crank_integrator_last_step(it) > 0.0) {
        return status == CRANK_OK ? crank_run_look(run, t, err) : status;
    }
    status = crank_run_look(run, reached, err); /* nothing before it is known any more */
    run->t = t;
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
        status = look_behind(run, fmin(t, crank_run_reached(run)), err);
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
        status = r->steps ? crank_run_look(run, t, err) : look_behind(run, fmin(due, t), err);
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

/* What happens at the end of the last step, with rows before it, unless the last row was
 * there, and after it. */
static crank_status happen_between_rows(crank_run *run, const crank_run_visitor *v,
                                        crank_error *err)
{
    const double t = crank_run_reached(run);
    crank_event_outcome outcome = {0};
    crank_status status = CRANK_OK;
    if (v->row != NULL && run->t != t) {
        status = crank_run_look(run, t, err);
        CRANK_THEN(status, v->row(run, v->user, err));
    }
    CRANK_THEN(status, crank_run_happen(run, &outcome, err));
    return status == CRANK_OK && outcome.changed ? visit(v->row, run, v, err) : status;
}

static crank_status visit_event(crank_run *run, const crank_run_rows *rows,
                                const crank_run_visitor *v, crank_error *err)
{
    crank_event_outcome outcome;
    return v->event != NULL ? v->event(run, v->user, err)
           : rows->events   ? happen_between_rows(run, v, err)
                            : crank_run_happen(run, &outcome, err);
}

/* times of rows that are given must rise */
static crank_status check_times(const crank_run_rows *rows, crank_error *err)
{
    for (int64_t i = 0; i < rows->count && rows->times != NULL; i++) {
        const double t = rows->times[i], before = i > 0 ? rows->times[i - 1] : -DBL_MAX;
        if (!(t >= before && isfinite(t))) {
            return crank_blame_caller(
                err, crank_fail(err, CRANK_EARG,
                                "times of rows must rise: %g follows %g, number %lld", t,
                                before, (long long)i + 1));
        }
    }
    return CRANK_OK;
}

crank_status crank_run_visit(crank_run *run, crank_run_rows *rows,
                             const crank_run_visitor *visitor, crank_error *err)
{
    crank_status status = check_times(rows, err);
    /* who integrates says what is open in the first row, too */
    CRANK_THEN(status, crank_run_formulate(run, err));
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
            status = visit_event(run, rows, visitor, err);
        }
    }
    if (status == CRANK_OK && run->started) { /* what rows of the last step have seen */
        status = look(run, err);
    }
    return status;
}
