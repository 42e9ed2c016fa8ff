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
    crank_run *motion;
    int64_t limit;
    compared_run *run; /* NULL: only the time is asked for */
    double *values;    /* of the next point; NULL: errors at the steps */
    double *step[2];   /* values and reference at the end of a step */
    int *columns;      /* of the model, of what is compared */
    double began, seconds;
} stepping;

/* ---- what is noted on the way ---- */

/* Processor time of this thread: what else the machine does hardly counts. */
static double processor_seconds(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static crank_status note_point(crank_run *motion, void *user, crank_error *err)
{
    stepping *w = user;
    const int count = w->plan->columns->count;
    const double *row = crank_run_values(motion, err);

    for (int i = 0; i < count && row != NULL; i++) {
        *w->values++ = row[w->columns[i]];
    }
    return row != NULL ? CRANK_OK : CRANK_ESTOP_EQUATIONS;
}

/* The error at the end of a step; the start has none. */
static crank_status note_step(crank_run *motion, void *user, crank_error *err)
{
    stepping *w = user;
    const double t = crank_run_time(motion);
    const double *row = t > w->plan->t_start ? crank_run_values(motion, err) : NULL;

    if (!(t > w->plan->t_start)) {
        return CRANK_OK;
    }
    for (int i = 0; i < w->plan->columns->count && row != NULL; i++) {
        w->step[0][i] = row[w->columns[i]];
    }
    if (row != NULL && compare_reference_at(w->plan->reference, w->plan, t, w->step[1])) {
        compared_errors_add(w->plan, t, w->step[0], w->step[1], w->run->error);
    }
    return row != NULL ? CRANK_OK : CRANK_ESTOP_EQUATIONS;
}

static void note_largest(double *largest, double value)
{
    *largest = value > *largest || isnan(value) ? value : *largest;
}

static crank_status note_drift(stepping *w, double t, crank_error *err)
{
    const run_plan *plan = w->plan;
    const double share = (t - plan->t_start) / (plan->t_end - plan->t_start);
    const int bin = (int)fmin(share * DRIFT_BINS, DRIFT_BINS - 1);
    crank_statistics *c = &w->run->statistics;
    drift *d = &w->run->drift;
    double residual[LEVELS];

    const crank_status status = crank_eom_residuals(
        crank_run_eom(w->motion), t, crank_integrator_state(crank_run_integrator(w->motion)),
        residual, err);
    if (status == CRANK_OK) {
        d->t[bin] = t;
        for (int level = 0; level < LEVELS; level++) {
            note_largest(&d->residual[level][bin], residual[level]);
        }
        note_largest(&c->max_residual_position, residual[0]);
        note_largest(&c->max_residual_velocity, residual[1]);
        note_largest(&c->max_residual_acceleration, residual[2]);
    }
    return status;
}

static void show_progress(const stepping *w, double t)
{
    static const double period = 0.1; /* s */
    run_plan *plan = w->plan;
    const double now = plan->progress ? clock_seconds() : 0.0;

    if (!plan->progress || now - plan->drawn < period) {
        return;
    }
    (void)fprintf(stderr, "\r\033[K%s, t %.4g of %.4g s", plan->label, t, plan->t_end);
    (void)fflush(stderr);
    plan->messages->progress_shown = true;
    plan->drawn = now;
}

static crank_status before_step(crank_run *motion, void *user, crank_error *err)
{
    stepping *w = user;

    (void)motion;
    w->began = processor_seconds();
    return interrupted() ? crank_fail(err, CRANK_EINTERRUPTED, "interrupted") : CRANK_OK;
}

static crank_status after_step(crank_run *motion, void *user, crank_error *err)
{
    stepping *w = user;
    const double t = crank_run_reached(motion);

    w->seconds += processor_seconds() - w->began;
    show_progress(w, t);
    if (w->run == NULL) {
        return CRANK_OK;
    }
    if (w->plan->steps != NULL && !step_list_add(w->plan->steps, t)) {
        return crank_fail(err, CRANK_EMEM, "steps of the reference");
    }
    return note_drift(w, t, err);
}

static crank_status happen(crank_run *motion, void *user, crank_error *err)
{
    stepping *w = user;
    crank_event_outcome outcome;
    const double began = processor_seconds();
    const crank_status status = crank_run_happen(motion, &outcome, err);

    w->seconds += processor_seconds() - began;
    return status == CRANK_OK && outcome.stop && crank_run_reached(motion) < w->plan->t_end
               ? crank_fail(err, CRANK_ESTOP_OUTPUT,
                            "%.200s ends the run at t = %.10g; compare with --t-end before it",
                            outcome.text, crank_run_reached(motion))
               : status;
}

static crank_status advance(stepping *w, crank_error *err)
{
    const bool at_steps = w->run != NULL && w->values == NULL;
    crank_run_rows points = {.steps = at_steps,
                             .times = at_steps ? NULL : w->plan->points,
                             .count = w->run != NULL ? w->plan->point_count : 0};
    const crank_run_visitor visitor = {.before = before_step,
                                       .after = after_step,
                                       .row = at_steps ? note_step : note_point,
                                       .event = happen,
                                       .user = w};
    const double began = processor_seconds();
    const crank_status status = crank_run_start(w->motion, err);

    w->seconds += processor_seconds() - began;
    return status == CRANK_OK ? crank_run_visit(w->motion, &points, &visitor, err) : status;
}

/* ---- set-up ---- */

/* A run of the model by this method with this tolerance; what the file says of tolerances does
 * not count. */
static crank_status open_run(stepping *w, const char *method, double tolerance,
                             crank_error *err)
{
    static const char *const plain[] = {
        "atol_p",      "atol_v",     "atol_r",      "atol_w",     "atol_s",
        "atol_lambda", "atol_mu",    "atol_length", "atol_angle", "atol_speed",
        "atol_spin",   "atol_force", "atol_torque", "atol_energy"};
    enum { PLAIN = (int)(sizeof plain / sizeof plain[0]) };
    const setting_list *given = &w->plan->arguments->model.options;
    crank_run_options options = crank_run_options_default();
    char text[40];

    crank_setting *all = calloc((size_t)given->count + PLAIN + 2, sizeof *all);
    if (all == NULL) {
        return crank_fail(err, CRANK_EMEM, "options of a run");
    }
    (void)snprintf(text, sizeof text, "%.17g", tolerance);
    all[0] = (crank_setting){"rtol", text};
    all[1] = (crank_setting){"atol", text};
    for (int i = 0; i < PLAIN; i++) {
        all[2 + i] = (crank_setting){plain[i], "0"};
    }
    for (int i = 0; i < given->count; i++) {
        all[2 + PLAIN + i] = given->item[i];
    }
    options.method = method;
    options.options = all;
    options.option_count = given->count + PLAIN + 2;
    options.t_end = w->plan->t_end;
    const crank_status status = crank_run_open_model(w->plan->model, &options, &w->motion, err);
    free(all);
    return status;
}

/* A run that nobody limits is given up some time: others wait. */
static void set_limit(const stepping *w)
{
    const setting_list *given = &w->plan->arguments->model.options;
    crank_options *o = crank_run_settled(w->motion);
    bool asked = o->max_steps > 0;

    for (int i = 0; i < given->count; i++) {
        asked = asked || strcmp(given->item[i].name, "max_steps") == 0;
    }
    if (w->limit >= 0) {
        o->max_steps = w->limit;
    } else if (!asked) {
        o->max_steps = STEPS_AT_MOST;
    }
}

static crank_status prepare(stepping *w, const char *method, double tolerance, crank_error *err)
{
    crank_status status = open_run(w, method, tolerance, err);

    if (status == CRANK_OK) {
        set_limit(w);
        status = crank_run_formulate(w->motion, err);
    }
    if (status == CRANK_OK) {
        w->columns = compared_columns_find(w->plan->columns, crank_run_model(w->motion));
        status =
            w->columns != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "columns of a run");
    }
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        w->step[i] = calloc((size_t)w->plan->columns->count + 1, sizeof *w->step[i]);
        status =
            w->step[i] != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "columns of a run");
    }
    return status;
}

static void clean_up(stepping *w)
{
    crank_run_close(w->motion);
    free(w->columns);
    free(w->step[0]);
    free(w->step[1]);
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
    compared_errors_clear(run->error);
    for (size_t i = 0; i < count && values != NULL; i++) {
        values[i] = (double)NAN;
    }
}

/* Counters of the integrator, residuals and time of what was measured here. */
static void take_statistics(compared_run *run, const stepping *w)
{
    const crank_statistics measured = run->statistics;

    run->statistics = crank_integrator_statistics(crank_run_integrator(w->motion));
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
    run->status = prepare(&w, method, tolerance, &err);
    if (run->status != CRANK_OK) {
        run->outcome = interrupted() ? RUN_MISSING : RUN_REFUSED;
        (void)snprintf(run->text, sizeof run->text, "%s", failure_text(run->status, &err));
        clean_up(&w);
        return;
    }
    run->status = advance(&w, &err);
    run->t_reached = crank_run_reached(w.motion);
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
        if (prepare(&w, method, tolerance, NULL) == CRANK_OK && advance(&w, NULL) == CRANK_OK) {
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
