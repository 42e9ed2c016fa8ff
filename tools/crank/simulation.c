/* simulation.c - see simulation.h.
 *
 * Rows that do not fall on the end of a step are interpolated. A run that stops early ends with
 * a row at the time it reached, so that the result says where that is. Where an event happens,
 * there is a row before it and, if it changed anything, another one after it with the same
 * time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 200 };
/* Degrees of freedom are counted by dense linear algebra: of models with more unknowns that
 * would take longer than a reader of the summary expects. */
enum { FREEDOM_LIMIT = 200 };

/* ---- times and rows ---- */

static int set_times(simulation *r)
{
    session *s = &r->session;
    const bool given = !isnan(r->arguments->t_end);

    r->t_end = given ? r->arguments->t_end : s->simulate->t_end;
    r->t_reached = s->t_start;
    if (r->t_end >= s->t_start) {
        return -1;
    }
    if (given) {
        tell_error(&s->messages, "--t-end %g lies before the start time %g", r->t_end,
                   s->t_start);
        return CODE_USAGE;
    }
    crank_error err = {0};
    (void)crank_fail(&err, CRANK_ETIME,
                     s->simulate->has_t_end ? "simulate: t_end = %g lies before t_start = %g"
                                            : "simulate: t_end (%g unless given) lies before "
                                              "t_start = %g; give t_end",
                     r->t_end, s->t_start);
    tell_file_error(&s->messages, s->path, &err);
    return CODE_MODEL;
}

static int set_rows(simulation *r)
{
    const run_arguments *a = r->arguments;
    const crank_simulate *simulate = r->session.simulate;
    const bool given = a->steps || a->points > 0 || !isnan(a->every);
    const double every = given ? (isnan(a->every) ? 0.0 : a->every) : simulate->every;
    const int points = given ? a->points : simulate->points;
    rows *grid = &r->rows;

    grid->kind = a->steps ? ROWS_STEPS : ROWS_GRID;
    grid->t_start = r->session.t_start;
    grid->t_end = r->t_end;
    grid->every = every;
    grid->count = points > 0 ? points : DEFAULT_POINTS;
    if (every > 0.0) {
        /* a last interval shorter than rounding is none */
        const double count = ceil((r->t_end - grid->t_start) / every * (1.0 - 1e-12));
        if (!(count < 1e12) || !(grid->t_start + every > grid->t_start)) {
            tell_error(&r->session.messages, "a row every %g s from %g to %g would be too many",
                       every, grid->t_start, r->t_end);
            return given ? CODE_USAGE : CODE_MODEL;
        }
        grid->count = (int64_t)count;
    }
    return rows_choose(grid, &r->session, &a->only);
}

/* ---- set-up ---- */

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
    crank_structure_report report = {0};
    int freedom = -1;

    if (s->n <= FREEDOM_LIMIT && !s->messages.quiet &&
        crank_eom_structure(s->eom, s->t_start, s->x, s->options->rank_tolerance, &report,
                            NULL) == CRANK_OK) {
        freedom = session_is_dae(s) ? report.freedom_position : report.freedom_velocity;
    }
    crank_structure_report_free(&report);
    return freedom;
}

static int set_up(simulation *r)
{
    session *s = &r->session;
    crank_error err = {0};
    crank_status status = initialize(r, &err);

    if (status == CRANK_OK && interrupted()) {
        status = CRANK_EINTERRUPTED;
    }
    if (status == CRANK_OK) {
        if (r->resumed == NULL) {
            session_tell_moved(s);
        }
        crank_run_set_end(s->run, r->t_end);
        status = crank_run_formulate(s->run, &err);
        r->integrator = crank_run_integrator(s->run);
    }
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    r->freedom = count_freedom(s);
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

int simulation_prepare(simulation *r)
{
    int code = set_times(r);

    code = code < 0 ? set_rows(r) : code;
    return code < 0 ? set_up(r) : code;
}

void simulation_free(simulation *r)
{
    rows_free(&r->rows);
    checkpoint_free(&r->saved);
    temporary_result_remove(&r->temporary);
    session_close(&r->session);
    run_events_free(&r->events);
}

crank_statistics simulation_statistics(const simulation *r)
{
    const double *residual = r->rows.state.residual;
    crank_statistics statistics = {0};

    if (r->integrator != NULL) {
        statistics = crank_integrator_statistics(r->integrator);
    }
    statistics.seconds = r->seconds;
    statistics.max_residual_position = residual[0];
    statistics.max_residual_velocity = residual[1];
    statistics.max_residual_acceleration = residual[2];
    return statistics;
}

/* ---- the loop ---- */

/* The row at t, in the last step or at its end. */
static crank_status write_row(simulation *r, double t, crank_error *err)
{
    crank_run *run = r->session.run;
    const crank_status status = crank_run_look(run, t, err);

    return status == CRANK_OK ? rows_write(&r->rows, t, crank_run_state(run), err) : status;
}

/* Rows of the step that has just ended at t. */
static crank_status rows_of_step(simulation *r, double t, crank_error *err)
{
    rows *grid = &r->rows;
    const bool finished = crank_integrator_finished(r->integrator);
    crank_status status = CRANK_OK;

    if (grid->kind == ROWS_STEPS) {
        return write_row(r, t, err);
    }
    while (grid->state.next <= grid->count && status == CRANK_OK) {
        const double due = rows_time(grid, grid->state.next);
        if (due > t && !finished) {
            break;
        }
        status = write_row(r, due < t ? due : t, err);
        grid->state.next++;
    }
    return status;
}

/* One step; what it took is noted for its rows. */
static crank_status take_step(simulation *r, crank_error *err)
{
    const crank_statistics before = crank_integrator_statistics(r->integrator);
    const crank_status status = crank_run_step(r->session.run, err);
    const crank_statistics after = crank_integrator_statistics(r->integrator);
    double *step = r->rows.state.step;

    if (status == CRANK_OK) {
        step[STEP_SIZE] = crank_integrator_last_step(r->integrator);
        step[STEP_NEWTON] = (double)(after.newton_iterations - before.newton_iterations);
        step[STEP_REJECTED] =
            (double)(after.rejected_error - before.rejected_error) +
            (double)(after.rejected_convergence - before.rejected_convergence);
        step[STEP_ERROR] = crank_integrator_last_error(r->integrator);
    }
    return status;
}

/* The first row and the first checkpoint; the integrator is started. Of a run that is
 * continued, all that is done. */
static crank_status begin(simulation *r, crank_error *err)
{
    session *s = &r->session;

    if (r->resumed != NULL) {
        return CRANK_OK;
    }
    crank_status status = rows_write(&r->rows, s->t_start, s->x, err);
    r->rows.state.next = 1;
    if (status == CRANK_OK && r->t_end > s->t_start) {
        status = crank_run_start(s->run, err);
        if (status == CRANK_OK && r->arguments->checkpoint != NULL) {
            status = saving_write(r, err); /* shows at once whether it can be written */
        }
    }
    return status;
}

/* What happens at the end of the step, with rows before and after. */
static crank_status happen(simulation *r, double t, crank_error *err)
{
    session *s = &r->session;
    rows *grid = &r->rows;
    crank_event_outcome outcome;
    crank_status status = CRANK_OK;

    if (grid->state.last != t) {
        status = write_row(r, t, err);
    }
    if (status == CRANK_OK) {
        status = run_events_apply(&r->events, s, &outcome, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    run_events_tell(&r->events, &s->messages, t, &outcome);
    if (outcome.changed) {
        grid->state.energy.jumping = true;
        status = rows_write(grid, t, crank_run_state(s->run), err);
        grid->state.energy.jumping = false;
    }
    return status;
}

/* Steps until the end, a failure, a signal or an event that ends the run. */
static crank_status advance(simulation *r, crank_error *err)
{
    session *s = &r->session;
    crank_status status = CRANK_OK;

    while (status == CRANK_OK && !crank_run_finished(s->run)) {
        if (interrupted()) {
            return crank_fail(err, CRANK_EINTERRUPTED, "interrupted");
        }
        status = take_step(r, err);
        if (status != CRANK_OK) {
            break;
        }
        const double t = crank_integrator_time(r->integrator);
        r->t_reached = t;
        status = rows_of_step(r, t, err);
        if (status == CRANK_OK && crank_run_happened(s->run)) {
            status = happen(r, t, err);
        }
        if (status == CRANK_OK) {
            status = crank_recorder_poll(r->rows.recorder, err);
        }
        if (status == CRANK_OK && !crank_run_finished(s->run)) {
            status = saving_poll(r, err);
        }
        progress_update(&r->progress, &s->messages, t,
                        crank_integrator_last_step(r->integrator),
                        crank_recorder_rows(r->rows.recorder));
    }
    return status;
}

/* The row that says where the run stopped. It is no row of the run: a resumed one writes over
 * it. */
static void write_last_row(simulation *r, crank_status status)
{
    if (status == CRANK_OK || status == CRANK_EFILE || !(r->t_reached > r->rows.state.last)) {
        return;
    }
    if (write_row(r, r->t_reached, NULL) != CRANK_OK) {
        (void)rows_write(&r->rows, r->t_reached, crank_integrator_state(r->integrator), NULL);
    }
}

crank_status simulation_integrate(simulation *r, crank_error *err)
{
    const double before = r->resumed != NULL ? r->resumed->seconds : 0.0;

    r->began = clock_seconds() - before;
    crank_status status = begin(r, err);
    if (status == CRANK_OK && r->t_end > r->session.t_start) {
        status = advance(r, err);
    }
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
