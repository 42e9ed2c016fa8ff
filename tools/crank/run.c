/* run.c - "crank run": opens a run of the model, tells what its initial values became, goes to
 * its end, writes rows, statistics and a page, tells what it did.
 *
 * A run that stops early ends with a row at the time it reached, so that the result says where
 * that is. Where an event happens, there is a row before it and, if it changed anything,
 * another one after it with the same time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "from.h"
#include "page.h"
#include "pattern.h"
#include "still.h"
#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- before the first step ---- */

static int set_rows(simulation *r)
{
    const run_arguments *a = r->arguments;
    session *s = &r->session;
    crank_error err = {0};
    const crank_status status =
        crank_run_divide(s->run, a->every, a->points, &r->rows.due, &err);

    r->rows.due.steps = a->steps;
    if (status != CRANK_OK && err.given) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_USAGE;
    }
    return status != CRANK_OK ? session_fail(s, status, &err)
                              : rows_choose(&r->rows, s, &a->only);
}

/* A resumed run has the initial values of the one that it continues, to the last bit. */
static crank_status initialize(simulation *r, crank_error *err)
{
    session *s = &r->session;
    const crank_status status = crank_run_initialize(s->run, err);

    if (status != CRANK_OK || r->resumed == NULL) {
        return status;
    }
    if (r->resumed->n != s->n) {
        return crank_fail(err, CRANK_EFILE,
                          "the checkpoint holds %lld unknowns, the model has %d",
                          (long long)r->resumed->n, s->n);
    }
    crank_run_set_beginning(s->run, r->resumed->x);
    return CRANK_OK;
}

/* For the summary: at the start, before the equations have seen a motion. -1: not known. */
static int count_freedom(session *s)
{
    int freedom = -1;

    if (!s->messages.quiet &&
        crank_eom_freedom(s->eom, s->t_start, s->x, s->options->rank_tolerance, &freedom,
                          NULL) != CRANK_OK) {
        freedom = -1;
    }
    return freedom;
}

static int set_up(simulation *r)
{
    session *s = &r->session;
    crank_error err = {0};
    crank_status status = initialize(r, &err);

    THEN(status, interrupted() ? CRANK_EINTERRUPTED : CRANK_OK);
    if (status == CRANK_OK && r->resumed == NULL && r->arguments->from == NULL &&
        r->arguments->placed == NULL) {
        session_tell_moved(s);
    }
    THEN(status, crank_run_formulate(s->run, &err));
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    session_show(s); /* another formulation may have taken over, with a model of its own */
    r->freedom = count_freedom(s);
    if (session_stands_still(s, r->freedom)) {
        tell_note(&s->messages, "%s %s", still_text, still_remedy);
    }
    if (!run_events_prepare(&r->events, s)) {
        tell_error(&s->messages, "out of memory");
        return CODE_FAILED;
    }
    if (r->resumed != NULL && saving_restore(r, &err) != CRANK_OK) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_FAILED;
    }
    return session_interrupted(s);
}

static int check_overwriting(simulation *r)
{
    const run_arguments *a = r->arguments;
    int code = session_check_output(&r->session, "--out", a->out);

    NEXT(code, session_check_output(&r->session, "--stats", a->stats));
    NEXT(code, session_check_output(&r->session, "--html", a->html));
    NEXT(code, session_check_output(&r->session, "--pattern", a->pattern));
    return code;
}

/* Can everything be written? Before the result of an earlier run is cut. */
static crank_status probe_outputs(simulation *r, crank_error *err)
{
    const run_arguments *a = r->arguments;
    crank_status status =
        is_standard_output(a->stats) ? CRANK_OK : probe_writing(a->stats, err);

    THEN(status, a->checkpoint != NULL ? checkpoint_check(a->checkpoint, err) : CRANK_OK);
    THEN(status, a->html != NULL ? probe_writing(a->html, err) : CRANK_OK);
    THEN(status, a->pattern != NULL ? probe_writing(a->pattern, err) : CRANK_OK);
    return status;
}

static crank_status open_result(simulation *r, crank_error *err)
{
    const run_arguments *a = r->arguments;
    crank_status status = CRANK_OK;

    r->result = a->out;
    if (a->out == NULL && a->html != NULL) {
        status = temporary_result_make(&r->temporary, err);
        r->result = r->temporary.path;
    }
    THEN(status,
         rows_open(&r->rows, r->result, r->resumed != NULL ? r->resumed->row_count : -1, err));
    return status;
}

static int open_outputs(simulation *r)
{
    crank_error err = {0};
    const int refused = check_overwriting(r);

    if (refused >= 0) {
        return refused;
    }
    crank_status status = probe_outputs(r, &err);
    THEN(status, open_result(r, &err));
    if (status != CRANK_OK) {
        tell_error(&r->session.messages, "%s", err.text);
        return CODE_FAILED;
    }
    /* says "interrupted" until the end */
    if (!is_standard_output(r->arguments->stats)) {
        return summary_write_statistics(r, CRANK_EINTERRUPTED,
                                        crank_recorder_rows(r->rows.recorder), "not finished");
    }
    return -1;
}

/* ---- the way ---- */

/* Columns of the model, then those of the run; those that are wanted are recorded. */
static crank_status write_state(simulation *r, double t, const double *x, crank_error *err)
{
    session *s = &r->session;
    rows *to = &r->rows;
    double *of_run = to->values + to->column_count;

    crank_status status = crank_state_columns(s->state, t, x, to->values, err);
    if (!r->ending) {
        THEN(status, crank_state_check_columns(s->state, t, to->values, err));
    }
    if (status == CRANK_OK) {
        status = crank_eom_residuals_near(s->eom, t, x, of_run + STEP_COLUMNS, err);
        if (status != CRANK_OK && r->ending) { /* where nothing can be evaluated: as before */
            memcpy(of_run + STEP_COLUMNS, to->state.residual, sizeof to->state.residual);
            status = CRANK_OK;
        }
    }
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(of_run, to->state.step, sizeof to->state.step);
    to->row[0] = t;
    for (int j = 0; j < to->chosen_count; j++) {
        to->row[j + 1] = to->values[to->chosen[j]];
    }
    rows_note(to, t);
    return crank_recorder_write(to->recorder, to->row, err);
}

static crank_status write_row(crank_run *run, void *user, crank_error *err)
{
    ((simulation *)user)->counted = false;
    return write_state(user, crank_run_time(run), crank_run_state(run), err);
}

/* What was computed is kept, if it is time for that. */
static crank_status before_step(crank_run *run, void *user, crank_error *err)
{
    simulation *r = user;
    const crank_integrator *it = crank_run_integrator(run);

    if (interrupted()) {
        return crank_fail(err, CRANK_EINTERRUPTED, "interrupted");
    }
    progress_update(&r->progress, &r->session.messages, crank_run_reached(run),
                    crank_integrator_last_step(it), crank_recorder_rows(r->rows.recorder));
    if (!r->counted) {
        r->before = crank_integrator_counts(it);
    }
    const crank_status status = crank_recorder_poll(r->rows.recorder, err);
    if (status != CRANK_OK || r->arguments->checkpoint == NULL) {
        return status;
    }
    /* the first one shows at once whether it can be written */
    return r->save_due > 0.0 ? saving_poll(r, err) : saving_write(r, err);
}

/* What the step took is noted for its rows. */
static crank_status after_step(crank_run *run, void *user, crank_error *err)
{
    simulation *r = user;
    const crank_integrator *it = crank_run_integrator(run);
    const crank_step_counts *before = &r->before, after = crank_integrator_counts(it);
    double *step = r->rows.state.step;

    (void)err;
    step[STEP_SIZE] = crank_integrator_last_step(it);
    step[STEP_NEWTON] = (double)(after.newton_iterations - before->newton_iterations);
    step[STEP_REJECTED] = (double)(after.rejected - before->rejected);
    step[STEP_ERROR] = crank_integrator_last_error(it);
    step[STEP_JACOBIAN] = after.jacobians > before->jacobians                 ? 2.0
                          : after.jacobian_updates > before->jacobian_updates ? 1.0
                                                                              : 0.0;
    r->before = after; /* those of the next step, unless rows or events add to them */
    r->counted = true;
    return CRANK_OK;
}

/* What happens at the end of the step, with rows before and after. */
static crank_status happen(crank_run *run, void *user, crank_error *err)
{
    simulation *r = user;
    rows_state *state = &r->rows.state;
    const double t = crank_run_reached(run);
    crank_event_outcome outcome;
    crank_status status = CRANK_OK;

    r->counted = false;
    if (state->last != t) {
        status = crank_run_look(run, t, err);
        THEN(status, write_row(run, r, err));
    }
    THEN(status, run_events_apply(&r->events, &r->session, &outcome, err));
    if (status != CRANK_OK) {
        return status;
    }
    run_events_tell(&r->events, &r->session.messages, t, &outcome);
    if (outcome.changed) {
        state->energy.jumping = true;
        status = write_row(run, r, err);
        state->energy.jumping = false;
    }
    return status;
}

/* The row that says where the run stopped. It is no row of the run: a resumed one writes over
 * it. */
static void write_last_row(simulation *r, crank_status status)
{
    crank_run *run = r->session.run;

    if (status != CRANK_EFILE && crank_run_look_where_stopped(run, status, &r->unbounded) &&
        crank_run_time(run) > r->rows.state.last) {
        r->ending = true;
        (void)write_row(run, r, NULL);
    }
}

/* To the end, or to where it stops; begins or continues. */
static crank_status integrate(simulation *r, crank_error *err)
{
    const crank_run_visitor visitor = {.before = before_step,
                                       .after = after_step,
                                       .row = write_row,
                                       .event = happen,
                                       .user = r};

    r->began = clock_seconds() - (r->resumed != NULL ? r->resumed->seconds : 0.0);
    const crank_status status = crank_run_visit(r->session.run, &r->rows.due, &visitor, err);
    r->seconds = clock_seconds() - r->began;
    progress_end(&r->progress, &r->session.messages);
    if (status == CRANK_EINTERRUPTED && r->arguments->checkpoint != NULL) {
        crank_error failure = {0};
        r->resumable = saving_write(r, &failure) == CRANK_OK;
        if (!r->resumable) {
            tell_error(&r->session.messages, "%s", failure.text);
        }
    }
    write_last_row(r, status);
    return status;
}

/* ---- after the last step ---- */

crank_statistics simulation_statistics(const simulation *r)
{
    const double *residual = r->rows.state.residual;
    crank_statistics statistics = {0};

    if (r->session.run != NULL && crank_run_integrator(r->session.run) != NULL) {
        statistics = crank_integrator_statistics(crank_run_integrator(r->session.run));
    }
    statistics.seconds = r->seconds;
    statistics.max_residual_position = residual[0];
    statistics.max_residual_velocity = residual[1];
    statistics.max_residual_acceleration = residual[2];
    return statistics;
}

static int write_page(simulation *r, const run_order *order)
{
    const page_request request = {.path = r->arguments->html,
                                  .version = order->page_version,
                                  .model = r->session.model,
                                  .model_path = r->session.path,
                                  .method = r->session.method.name};

    return page_write_result(&r->session.messages, r->result, &request);
}

/* Tells why the run stopped, if it did; closes the result. Returns the status of both, with its
 * sentence. */
static crank_status close_result(simulation *r, crank_status status, crank_error *err)
{
    messages *m = &r->session.messages;
    const rows_state *state = &r->rows.state;
    crank_error closing = {0};
    char place[sizeof err->file + 40] = "";

    if (status != CRANK_OK && err->line > 0) {
        (void)snprintf(place, sizeof place, " (%s:%d:%d)",
                       err->file[0] != '\0' ? err->file : r->session.path, err->line,
                       err->column);
    }
    if (status != CRANK_OK) {
        tell_error(m, "stopped at t = %.10g: %s%s%s", crank_run_reached(r->session.run),
                   failure_text(status, err), failure_remedy(status), place);
    }
    if (r->unbounded && crank_run_reached(r->session.run) > state->last) {
        tell_note(m, "the last row is at t = %.10g; forces have no bound where it stopped",
                  state->last);
    }
    if (state->not_finite > 0) {
        m->warnings++;
        tell_error(m, "warning: %lld row%s values that are not finite, first in column %s",
                   (long long)state->not_finite, state->not_finite == 1 ? " holds" : "s hold",
                   crank_model_column_name(r->session.model, (int)state->not_finite_column));
    }
    const crank_status closed = rows_close(&r->rows, &closing);
    if (closed != CRANK_OK && status == CRANK_OK) {
        *err = closing;
        tell_error(m, "%s", failure_text(closed, err));
        return closed;
    }
    return status;
}

static int finish(simulation *r, const run_order *order, crank_status status, crank_error *err)
{
    const int64_t row_count = crank_recorder_rows(r->rows.recorder);
    int code = CODE_DONE;
    bool page = false;

    status = close_result(r, status, err);
    if (summary_write_statistics(r, status, row_count,
                                 status != CRANK_OK ? failure_text(status, err) : NULL) >= 0) {
        code = CODE_FAILED;
    }
    if (pattern_write(r) >= 0) {
        code = CODE_FAILED;
    }
    if (r->arguments->html != NULL && status != CRANK_EFILE) {
        page = write_page(r, order) < 0;
        code = page ? code : CODE_FAILED;
    }
    if (status == CRANK_OK && code == CODE_DONE) {
        saving_remove(r);
    }
    summary_tell(r, status, row_count, page);
    return status == CRANK_OK ? code : CODE_FAILED;
}

static int simulate(simulation *r, const run_order *order)
{
    const bool to_terminal = is_standard_output(r->result) && isatty(STDOUT_FILENO) != 0;
    crank_error err = {0};

    progress_begin(&r->progress, &r->session.messages, to_terminal, r->session.t_start,
                   crank_run_end(r->session.run), crank_run_reached(r->session.run));
    const crank_status status = integrate(r, &err);
    return finish(r, order, status, &err);
}

static void close_simulation(simulation *r)
{
    rows_free(&r->rows);
    checkpoint_free(&r->saved);
    temporary_result_remove(&r->temporary);
    session_close(&r->session);
    run_events_free(&r->events);
}

int run_once(const run_order *order)
{
    const run_arguments *a = order->arguments;
    simulation r = {.arguments = a, .resumed = order->resumed};

    crank_run_options options = session_begin(&r.session, &a->model);
    crank_error err = {0};
    options.t_end = a->t_end;
    int code = session_opened(
        &r.session, crank_run_open(r.session.path, &options, &r.session.run, &err), &err);
    if (r.session.model != NULL) {
        watched_model(order->files, r.session.model);
    }
    if (code >= 0) {
        watched_file(order->files, r.session.messages.named);
    }
    NEXT(code, saving_prepare(&r));
    NEXT(code, session_begin_from(&r.session, a->from));
    NEXT(code, session_begin_placed(&r.session, a->placed));
    NEXT(code, set_rows(&r));
    NEXT(code, set_up(&r));
    if (code >= 0 && interrupted()) {
        (void)summary_write_statistics(&r, CRANK_EINTERRUPTED, 0,
                                       "interrupted before the first step");
    }
    NEXT(code, open_outputs(&r));
    NEXT(code, simulate(&r, order));
    close_simulation(&r);
    return code;
}

static int run_again(void *user, int64_t version, watched *files)
{
    const run_order order = {.arguments = user, .page_version = version, .files = files};

    return run_once(&order);
}

int run_main(int argc, char **argv)
{
    run_arguments a;
    int code = run_arguments_read(&a, argc, argv);

    if (code < 0) {
        messages m = {.quiet = a.model.quiet};
        const run_order order = {.arguments = &a};
        interruption_watch();
        code = a.watch ? watch_loop(&m, a.model.positional.item[0], a.html, run_again, &a)
                       : run_once(&order);
    }
    run_arguments_free(&a);
    return code;
}
