/* compare_run.c - one run of a comparison: values at the points, residuals at the steps, time.
 *
 * Time is the processor's for the calls that start and step the integrator, not for what is
 * measured between them. A drift r(t) of a level grows as t^p if its maxima over intervals of
 * equal length in log t, over the last 49/50 of the time, lie on a line in logarithmic axes: p
 * is the slope of the least-squares line. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS_AT_MOST = 500000 };

typedef struct stepping {
    run_plan *plan;
    session session;
    crank_integrator *integrator; /* of the session's run */
    int64_t limit;
    compared_run *run; /* NULL: only the time is asked for */
    double *values;
    int next;     /* point */
    int *columns; /* of the model, of what is compared */
    double t, seconds;
} stepping;

/* ---- what is noted at a step ---- */

static crank_status note_columns(stepping *w, crank_error *err)
{
    const int count = w->plan->columns->count;
    double *values = w->values + (size_t)w->next * (size_t)count;
    const double *row = crank_run_values(w->session.run, err);

    for (int i = 0; i < count && row != NULL; i++) {
        values[i] = row[w->columns[i]];
    }
    return row != NULL ? CRANK_OK : CRANK_ESTOP_EQUATIONS;
}

static crank_status note_points(stepping *w, crank_error *err)
{
    const run_plan *plan = w->plan;
    const bool finished = crank_integrator_finished(w->integrator);
    crank_status status = CRANK_OK;

    while (w->next < plan->point_count && status == CRANK_OK) {
        const double due = plan->points[w->next];
        if (due > w->t && !finished) {
            break;
        }
        const double at = due < w->t ? due : w->t;
        status = crank_run_look(w->session.run, at, err);
        status = status == CRANK_OK ? note_columns(w, err) : status;
        w->next++;
    }
    return status;
}

static void note_largest(double *largest, double value)
{
    *largest = value > *largest || isnan(value) ? value : *largest;
}

static crank_status note_drift(stepping *w, const double *x, crank_error *err)
{
    const run_plan *plan = w->plan;
    const double share = (w->t - plan->t_start) / (plan->t_end - plan->t_start);
    const int bin = (int)fmin(share * DRIFT_BINS, DRIFT_BINS - 1);
    crank_statistics *c = &w->run->statistics;
    drift *d = &w->run->drift;
    double residual[LEVELS];

    const crank_status status = crank_eom_residuals(w->session.eom, w->t, x, residual, err);
    if (status == CRANK_OK) {
        d->t[bin] = w->t;
        for (int level = 0; level < LEVELS; level++) {
            note_largest(&d->residual[level][bin], residual[level]);
        }
        note_largest(&c->max_residual_position, residual[0]);
        note_largest(&c->max_residual_velocity, residual[1]);
        note_largest(&c->max_residual_acceleration, residual[2]);
    }
    return status;
}

static void show_progress(stepping *w)
{
    static const double period = 0.1; /* s */
    run_plan *plan = w->plan;
    const double now = plan->progress ? clock_seconds() : 0.0;

    if (!plan->progress || now - plan->drawn < period) {
        return;
    }
    (void)fprintf(stderr, "\r\033[K%s, t %.4g of %.4g s", plan->label, w->t, plan->t_end);
    (void)fflush(stderr);
    plan->messages->progress_shown = true;
    plan->drawn = now;
}

/* ---- the loop ---- */

/* Processor time of this thread: what else the machine does hardly counts. */
static double processor_seconds(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static crank_status start(stepping *w, crank_error *err)
{
    const double began = processor_seconds();
    const crank_status status = crank_run_start(w->session.run, err);

    w->seconds += processor_seconds() - began;
    return status;
}

static crank_status happen(stepping *w, crank_error *err)
{
    crank_event_outcome outcome;
    const double began = processor_seconds();
    const crank_status status = crank_run_happen(w->session.run, &outcome, err);

    w->seconds += processor_seconds() - began;
    return status == CRANK_OK && outcome.stop && !crank_integrator_finished(w->integrator)
               ? crank_fail(err, CRANK_ESTOP_OUTPUT,
                            "%.200s ends the run at t = %.10g; compare with --t-end before it",
                            outcome.text, w->t)
               : status;
}

static crank_status advance(stepping *w, crank_error *err)
{
    crank_status status = start(w, err);

    while (status == CRANK_OK && !crank_integrator_finished(w->integrator)) {
        if (interrupted()) {
            return crank_fail(err, CRANK_EINTERRUPTED, "interrupted");
        }
        const double began = processor_seconds();
        status = crank_run_step(w->session.run, err);
        w->seconds += processor_seconds() - began;
        if (status == CRANK_OK) {
            w->t = crank_integrator_time(w->integrator);
            show_progress(w);
        }
        if (status == CRANK_OK && w->run != NULL) {
            const double *x = crank_integrator_state(w->integrator);
            status = note_drift(w, x, err);
            status = status == CRANK_OK ? note_points(w, err) : status;
        }
        if (status == CRANK_OK && crank_run_happened(w->session.run)) {
            status = happen(w, err);
        }
    }
    return status;
}

/* ---- set-up ---- */

/* Opens the model for this method and tolerance; what the file says of tolerances does not
 * count. -1, or an exit code:
 * the reason is in kept. */
static int open_session(stepping *w, const char *method, double tolerance, char *kept)
{
    static const char *const plain[] = {
        "atol_p=0",      "atol_v=0",     "atol_r=0",      "atol_w=0",     "atol_s=0",
        "atol_lambda=0", "atol_mu=0",    "atol_length=0", "atol_angle=0", "atol_speed=0",
        "atol_spin=0",   "atol_force=0", "atol_torque=0", "atol_energy=0"};
    enum { PLAIN = (int)(sizeof plain / sizeof plain[0]) };
    model_arguments a = w->plan->arguments->model;
    char text[40];

    (void)snprintf(text, sizeof text, "%.17g", tolerance);
    a.method = method;
    a.rtol = text;
    a.atol = text;
    a.quiet = true;
    a.kept = kept;
    const text_list given = a.options;
    a.options.item = calloc((size_t)given.count + PLAIN, sizeof *a.options.item);
    if (a.options.item == NULL) {
        (void)snprintf(kept, MESSAGE_SIZE, "out of memory");
        return CODE_FAILED;
    }
    memcpy(a.options.item, plain, sizeof plain);
    for (int i = 0; i < given.count; i++) {
        a.options.item[PLAIN + i] = given.item[i];
    }
    a.options.count = given.count + PLAIN;
    const int code = session_open(&w->session, &a);
    free(a.options.item);
    return code;
}

/* A run that nobody limits is given up some time: others wait. */
static void set_limit(stepping *w)
{
    const text_list *given = &w->plan->arguments->model.options;
    crank_options *o = w->session.options;
    bool asked = o->max_steps > 0;

    for (int i = 0; i < given->count; i++) {
        asked = asked || strncmp(given->item[i], "max_steps=", strlen("max_steps=")) == 0;
    }
    if (w->limit >= 0) {
        o->max_steps = w->limit;
    } else if (!asked) {
        o->max_steps = STEPS_AT_MOST;
    }
}

static int prepare(stepping *w, const char *method, double tolerance, char *kept)
{
    session *s = &w->session;
    crank_error err = {0};
    int code = open_session(w, method, tolerance, kept);

    if (code >= 0) {
        return code;
    }
    set_limit(w);
    crank_run_set_end(s->run, w->plan->t_end);
    const crank_status status = crank_run_formulate(s->run, &err);
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    w->integrator = crank_run_integrator(s->run);
    w->t = s->t_start;
    w->columns = compared_columns_find(w->plan->columns, s->model);
    if (w->columns == NULL) {
        (void)snprintf(kept, MESSAGE_SIZE, "out of memory");
        return CODE_FAILED;
    }
    return -1;
}

static void clean_up(stepping *w)
{
    session_close(&w->session);
    free(w->columns);
}

/* ---- growth ---- */

/* Maxima of a level over intervals of equal length in log t; 0: nothing there. */
static void maxima(const drift *d, int level, double t_start, double t_end, double *y,
                   int intervals)
{
    const double from = log((t_end - t_start) / 50.0), to = log(t_end - t_start);

    memset(y, 0, (size_t)intervals * sizeof *y);
    for (int i = 0; i < DRIFT_BINS; i++) {
        const double x = log(d->t[i] - t_start);
        if (x >= from && d->residual[level][i] > 0.0) {
            const int k = (int)fmin((x - from) / (to - from) * intervals, intervals - 1);
            y[k] = fmax(y[k], d->residual[level][i]);
        }
    }
}

static int occupied(const drift *d)
{
    int count = 0;

    for (int i = 0; i < DRIFT_BINS; i++) {
        count += isnan(d->t[i]) ? 0 : 1;
    }
    return count;
}

/* p of r ~ t^p; NaN unless there are enough steps, the line fits and the residual is more than
 * round-off and grows by much. */
static double growth(const drift *d, int level, double t_start, double t_end)
{
    enum { INTERVALS = 12, LEAST = 8 };
    static const double seen = 1e-12, grown = 8.0, fits = 0.95;
    double y[INTERVALS], first = 0.0, last = 0.0;
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, syy = 0.0;

    maxima(d, level, t_start, t_end, y, INTERVALS);
    for (int k = 0; k < INTERVALS; k++) {
        if (y[k] > 0.0) {
            const double u = log(50.0) * (k + 0.5) / INTERVALS, v = log(y[k]);
            first = first > 0.0 ? first : y[k];
            last = y[k];
            n += 1.0;
            sx += u;
            sy += v;
            sxx += u * u;
            sxy += u * v;
            syy += v * v;
        }
    }
    const double xx = n * sxx - sx * sx, xy = n * sxy - sx * sy, yy = n * syy - sy * sy;
    const bool clear = occupied(d) >= DRIFT_BINS / 2 && n >= LEAST && last > seen &&
                       last > grown * first && xy * xy > fits * xx * yy;
    return clear ? xy / xx : (double)NAN;
}

/* ---- a run ---- */

static void clear_run(compared_run *run, const run_plan *plan, double *values)
{
    const size_t count = (size_t)plan->point_count * (size_t)plan->columns->count;

    *run = (compared_run){.t_reached = plan->t_start};
    for (int i = 0; i < DRIFT_BINS; i++) {
        run->drift.t[i] = (double)NAN;
    }
    for (int level = 0; level < LEVELS; level++) {
        run->growth[level] = (double)NAN;
    }
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        run->error[group] = (double)NAN;
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)NAN;
    }
}

/* Counters of the integrator, residuals and time of what was measured here. */
static void take_statistics(compared_run *run, const stepping *w)
{
    const crank_statistics measured = run->statistics;

    run->statistics = crank_integrator_statistics(w->integrator);
    run->statistics.seconds = w->seconds;
    run->statistics.max_residual_position = measured.max_residual_position;
    run->statistics.max_residual_velocity = measured.max_residual_velocity;
    run->statistics.max_residual_acceleration = measured.max_residual_acceleration;
}

void compared_run_do(compared_run *run, run_plan *plan, const char *method, double tolerance,
                     int64_t limit, double *values)
{
    stepping w = {.plan = plan, .run = run, .limit = limit, .values = values};
    crank_error err = {0};

    clear_run(run, plan, values);
    if (prepare(&w, method, tolerance, run->text) >= 0) {
        run->outcome = interrupted() ? RUN_MISSING : RUN_REFUSED;
        clean_up(&w);
        return;
    }
    run->status = advance(&w, &err);
    run->t_reached = w.t;
    run->seconds = w.seconds;
    take_statistics(run, &w);
    if (run->status == CRANK_OK) {
        run->outcome = RUN_DONE;
        for (int level = 0; level < LEVELS; level++) {
            run->growth[level] = growth(&run->drift, level, plan->t_start, plan->t_end);
        }
    } else {
        run->outcome = run->status == CRANK_EINTERRUPTED ? RUN_MISSING : RUN_FAILED;
        (void)snprintf(run->text, sizeof run->text, "%s", failure_text(run->status, &err));
    }
    clean_up(&w);
}

/* ---- time ---- */

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static int repeats(const compared_run *run, int asked)
{
    if (asked > 0) {
        return asked;
    }
    return run->seconds < 0.02 ? 5 : run->seconds < 0.2 ? 3 : 1;
}

double compared_run_time(const compared_run *run, run_plan *plan, const char *method,
                         double tolerance)
{
    const int count = repeats(run, plan->arguments->repeat);
    double *seconds = calloc((size_t)count, sizeof *seconds);
    double median = run->seconds;
    int done = 1;

    if (seconds == NULL) {
        return median;
    }
    seconds[0] = run->seconds;
    while (done < count && !interrupted()) {
        stepping w = {.plan = plan, .limit = -1};
        char kept[MESSAGE_SIZE];
        if (prepare(&w, method, tolerance, kept) < 0 && advance(&w, NULL) == CRANK_OK) {
            seconds[done] = w.seconds;
        } else {
            seconds[done] = (double)INFINITY; /* a signal came, or memory is short */
        }
        done++;
        clean_up(&w);
    }
    qsort(seconds, (size_t)done, sizeof *seconds, by_size);
    median = seconds[(done - 1) / 2];
    free(seconds);
    return median;
}

void compared_errors(const compared_columns *c, int point_count, const double *values,
                     const double *reference, double error[COMPARED_GROUPS])
{
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        error[group] = (double)NAN;
    }
    for (int k = 0; k < point_count; k++) {
        for (int i = 0; i < c->count; i++) {
            const size_t at = (size_t)k * (size_t)c->count + (size_t)i;
            double *largest = &error[c->item[i].group];
            if (!isnan(reference[at])) {
                const double e = isfinite(values[at]) ? fabs(values[at] - reference[at]) /
                                                            (1.0 + fabs(reference[at]))
                                                      : (double)INFINITY;
                *largest = isnan(*largest) || e > *largest ? e : *largest;
            }
        }
    }
}
