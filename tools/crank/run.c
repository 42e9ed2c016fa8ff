/* run.c - "crank run": reads a model, makes its initial values consistent, integrates, writes
 * rows.
 *
 * Rows that do not fall on the end of a step are interpolated. A run that stops early ends with
 * a row at the time it reached, so that the result says where that is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "describe.h"
#include "progress.h"
#include "rows.h"
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_POINTS = 200 };

typedef struct run_arguments {
    model_arguments model;
    double t_end, every;
    int points;
    bool steps;
    text_list only;
    const char *out, *stats;
} run_arguments;

// clang-format off
static const argument arguments[] = {
    {"--method", "M", ARGUMENT_TEXT, offsetof(model_arguments, method), "formulation and integrator, see below"},
    {"--t-end", "T", ARGUMENT_REAL, offsetof(run_arguments, t_end), "end time, s"},
    {"--rtol", "R", ARGUMENT_TEXT, offsetof(model_arguments, rtol), "relative tolerance"},
    {"--atol", "A", ARGUMENT_TEXT, offsetof(model_arguments, atol), "absolute tolerance"},
    {"--every", "DT", ARGUMENT_REAL, offsetof(run_arguments, every), "a row every DT seconds, and one at the end"},
    {"--points", "N", ARGUMENT_COUNT, offsetof(run_arguments, points), "rows at N equal intervals; default 200"},
    {"--steps", NULL, ARGUMENT_FLAG, offsetof(run_arguments, steps), "a row per accepted step"},
    MODEL_ARGUMENTS,
    {"--only", "PATTERN", ARGUMENT_LIST, offsetof(run_arguments, only), "columns to write, with * ? [...]; may be repeated"},
    {"--out", "FILE.csv", ARGUMENT_TEXT, offsetof(run_arguments, out), "the result; default: standard output"},
    {"--stats", "FILE.json", ARGUMENT_TEXT, offsetof(run_arguments, stats), "counters, times and residuals of the run"},
};
// clang-format on

static void more_help(void)
{
    (void)printf(
        "\nMethods (--method, or simulate: method: in the model; default psf-radau):\n");
    print_methods();
    (void)printf("\nOptions (--option, or simulate: in the model):\n");
    print_options();
}

static const usage run_usage = {
    .synopsis = "crank run MODEL [options]",
    .summary =
        "Simulates a model and writes its trajectory as CSV. What the command line says goes\n"
        "before what the model's simulate: section says.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
    .more_help = more_help,
};

/* What a run consists of. */
typedef struct run {
    const run_arguments *arguments;
    session session;
    rows rows;
    double t_end, t_reached;
    crank_problem *problem;
    crank_integrator *integrator;
    double *x; /* n, between steps */
    progress progress;
    double seconds; /* of the integration */
} run;

/* ---- before the model is read ---- */

static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), more = strlen(ending);

    return length > more && strcmp(path + length - more, ending) == 0;
}

static bool is_device(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static bool is_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static int check_arguments(const run_arguments *a)
{
    messages m = {0};
    const int kinds = (isnan(a->every) ? 0 : 1) + (a->points > 0 ? 1 : 0) + (a->steps ? 1 : 0);

    if (kinds > 1) {
        tell_error(&m, "--every, --points and --steps exclude each other");
        return CODE_USAGE;
    }
    if (!isnan(a->every) && !(a->every > 0.0)) {
        tell_error(&m, "--every %g: must be positive", a->every);
        return CODE_USAGE;
    }
    if (!is_standard_output(a->out) && !has_ending(a->out, ".csv") && !is_device(a->out)) {
        tell_error(&m, "--out %s: the format of results is .csv", a->out);
        return CODE_USAGE;
    }
    if (!is_standard_output(a->stats) && !has_ending(a->stats, ".json") &&
        !is_device(a->stats)) {
        tell_error(&m, "--stats %s: the format of statistics is .json", a->stats);
        return CODE_USAGE;
    }
    if (is_standard_output(a->out) && a->stats != NULL && is_standard_output(a->stats)) {
        tell_error(&m,
                   "rows and statistics cannot both go to standard output; say --out FILE.csv");
        return CODE_USAGE;
    }
    return -1;
}

/* ---- times and rows ---- */

static int set_times(run *r)
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

static int set_rows(run *r)
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

static int set_up(run *r)
{
    session *s = &r->session;
    crank_error err = {0};
    crank_status status = session_initialize(s, &err);

    if (status == CRANK_OK && interrupted()) {
        status = CRANK_EINTERRUPTED;
    }
    if (status == CRANK_OK) {
        session_tell_moved(s);
        status = crank_model_set_invariants(s->model, s->t_start, s->x, &err);
    }
    if (status == CRANK_OK) {
        status = crank_formulate(s->formulation, s->eom, &s->options, s->t_start, s->x,
                                 message_log(&s->messages), &r->problem, &err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(s->integrator, r->problem, &s->options, &r->integrator,
                                         &err);
    }
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    r->x = calloc((size_t)s->n + 1, sizeof *r->x);
    if (r->x == NULL) {
        tell_error(&s->messages, "out of memory");
        return CODE_FAILED;
    }
    return session_interrupted(s);
}

/* ---- statistics ---- */

static crank_statistics collect(const run *r)
{
    crank_statistics statistics = {0};

    if (r->integrator != NULL) {
        statistics = crank_integrator_statistics(r->integrator);
    }
    statistics.seconds = r->seconds;
    statistics.max_residual_position = r->rows.residual[0];
    statistics.max_residual_velocity = r->rows.residual[1];
    statistics.max_residual_acceleration = r->rows.residual[2];
    return statistics;
}

static int write_statistics(run *r, crank_status status, int64_t row_count, const char *message)
{
    const session *s = &r->session;
    const crank_statistics statistics = collect(r);
    crank_run_record record = crank_run_record_default();
    crank_error err = {0};

    if (r->arguments->stats == NULL) {
        return -1;
    }
    record.model = s->path;
    record.method = s->method;
    record.formulation = s->formulation;
    record.integrator = s->integrator;
    record.t_start = s->t_start;
    record.t_end = r->t_end;
    record.t_reached = r->t_reached;
    record.rows = row_count;
    record.status = status;
    record.message = message;
    if (crank_statistics_write(r->arguments->stats, &record, &statistics, &err) != CRANK_OK) {
        tell_error(&r->session.messages, "%s", err.text);
        return CODE_FAILED;
    }
    return -1;
}

/* Can the statistics be written? Leaves a file that exists as it is: whether the result can be
 * written is not known yet. */
static int probe_statistics(run *r)
{
    const char *path = r->arguments->stats;

    if (is_standard_output(path)) {
        return -1;
    }
    const bool fresh = access(path, F_OK) != 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        tell_error(&r->session.messages, "%s: cannot write: %s", path, strerror(errno));
        return CODE_FAILED;
    }
    (void)close(file);
    if (fresh) {
        (void)unlink(path);
    }
    return -1;
}

static void summarize(run *r, int64_t row_count)
{
    session *s = &r->session;
    messages *m = &s->messages;
    const crank_statistics c = collect(r);

    tell_note(m, "%s, %s: t = %g to %g, %lld steps, %lld rejected, %.3g s", s->path, s->method,
              s->t_start, r->t_reached, (long long)c.steps,
              (long long)c.rejected_error + (long long)c.rejected_convergence, c.seconds);
    tell_note(m, "largest residuals of rows: position %.2g, velocity %.2g, acceleration %.2g",
              c.max_residual_position, c.max_residual_velocity, c.max_residual_acceleration);
    if (c.invariants_dropped > 0) {
        tell_note(m, "invariants could not be enforced in %lld steps",
                  (long long)c.invariants_dropped);
    }
    if (c.singular_passages > 0) {
        tell_note(m, "%lld singular positions passed", (long long)c.singular_passages);
    }
    if (warnings_hidden(m) > 0) {
        tell_note(m, "%d more warnings", warnings_hidden(m));
    }
    if (!is_standard_output(r->arguments->out)) {
        tell_note(m, "%lld rows in %s", (long long)row_count, r->arguments->out);
    }
    if (!is_standard_output(r->arguments->stats)) {
        tell_note(m, "statistics in %s", r->arguments->stats);
    }
}

/* ---- the loop ---- */

/* Rows of the step that has just ended at t with state x. */
static crank_status rows_of_step(run *r, double t, const double *x, crank_error *err)
{
    rows *grid = &r->rows;
    const bool finished = crank_integrator_finished(r->integrator);
    crank_status status = CRANK_OK;

    if (grid->kind == ROWS_STEPS) {
        return rows_write(grid, t, x, err);
    }
    while (grid->next <= grid->count && status == CRANK_OK) {
        const double due = rows_time(grid, grid->next);
        if (due > t && !finished) {
            break;
        }
        if (due < t) {
            status = crank_integrator_interpolate(r->integrator, due, r->x, err);
            status = status == CRANK_OK ? rows_write(grid, due, r->x, err) : status;
        } else {
            status = rows_write(grid, t, x, err);
        }
        grid->next++;
    }
    return status;
}

static crank_status integrate(run *r, crank_error *err)
{
    session *s = &r->session;
    crank_status status = rows_write(&r->rows, s->t_start, s->x, err);

    r->rows.next = 1;
    if (status != CRANK_OK || !(r->t_end > s->t_start)) {
        return status;
    }
    status = crank_integrator_start(r->integrator, s->t_start, s->x, r->t_end, err);
    while (status == CRANK_OK && !crank_integrator_finished(r->integrator)) {
        if (interrupted()) {
            return crank_fail(err, CRANK_EINTERRUPTED, "interrupted");
        }
        status = crank_integrator_step(r->integrator, err);
        if (status != CRANK_OK) {
            break;
        }
        const double t = crank_integrator_time(r->integrator);
        r->t_reached = t;
        status = rows_of_step(r, t, crank_integrator_state(r->integrator), err);
        if (status == CRANK_OK) {
            status = crank_recorder_poll(r->rows.recorder, err);
        }
        progress_update(&r->progress, &s->messages, t,
                        crank_integrator_last_step(r->integrator));
    }
    return status;
}

/* The row that says where the run stopped. */
static void write_last_row(run *r, crank_status status)
{
    if (status == CRANK_OK || status == CRANK_EFILE || !(r->t_reached > r->rows.last)) {
        return;
    }
    (void)rows_write(&r->rows, r->t_reached, crank_integrator_state(r->integrator), NULL);
}

static int finish(run *r, crank_status status, const crank_error *err)
{
    messages *m = &r->session.messages;
    const int64_t row_count = crank_recorder_rows(r->rows.recorder);
    const char *message = status != CRANK_OK ? failure_text(status, err) : NULL;
    crank_error closing = {0};

    if (status != CRANK_OK) {
        tell_error(m, "stopped at t = %.10g: %s%s", r->t_reached, message,
                   failure_remedy(status));
    }
    if (r->rows.not_finite > 0) {
        tell_error(m, "warning: %lld rows hold values that are not finite, first in column %s",
                   (long long)r->rows.not_finite,
                   crank_model_column_name(r->session.model, r->rows.not_finite_column));
    }
    const crank_status closed = rows_close(&r->rows, &closing);
    if (closed != CRANK_OK && status == CRANK_OK) {
        status = closed;
        message = failure_text(closed, &closing);
        tell_error(m, "%s", message);
    }
    if (write_statistics(r, status, row_count, message) >= 0) {
        return CODE_FAILED;
    }
    summarize(r, row_count);
    return status == CRANK_OK ? CODE_DONE : CODE_FAILED;
}

/* Would the result replace a file that the model is made of? */
static int check_overwriting(run *r)
{
    struct stat out, file;
    const char *path = r->arguments->out, *name = NULL;

    if (is_standard_output(path) || stat(path, &out) != 0 || !S_ISREG(out.st_mode)) {
        return -1;
    }
    for (int i = 0; (name = crank_model_file(r->session.model, i)) != NULL; i++) {
        if (stat(name, &file) == 0 && file.st_dev == out.st_dev && file.st_ino == out.st_ino) {
            tell_error(&r->session.messages,
                       "--out %s: the model is made of this file; choose another name", path);
            return CODE_USAGE;
        }
    }
    return -1;
}

static int simulate(run *r)
{
    messages *m = &r->session.messages;
    const char *out = r->arguments->out;
    const bool to_stdout = is_standard_output(out);
    crank_error err = {0};

    const int refused = check_overwriting(r);
    if (refused >= 0) {
        return refused;
    }
    if (probe_statistics(r) >= 0) { /* before the result of an earlier run is cut */
        return CODE_FAILED;
    }
    if (rows_open(&r->rows, out, &err) != CRANK_OK) {
        tell_error(m, "%s", err.text);
        return CODE_FAILED;
    }
    /* says "interrupted" until the end */
    if (!is_standard_output(r->arguments->stats) &&
        write_statistics(r, CRANK_EINTERRUPTED, 0, "not finished") >= 0) {
        return CODE_FAILED;
    }
    progress_begin(&r->progress, m, to_stdout && isatty(STDOUT_FILENO) != 0, r->session.t_start,
                   r->t_end);
    const double began = clock_seconds();
    const crank_status status = integrate(r, &err);
    r->seconds = clock_seconds() - began;
    progress_end(&r->progress, m);
    write_last_row(r, status);
    return finish(r, status, &err);
}

static int run_model(const run_arguments *a)
{
    run r = {.arguments = a};

    interruption_watch();
    int code = session_open(&r.session, &a->model);
    code = code < 0 ? set_times(&r) : code;
    code = code < 0 ? set_rows(&r) : code;
    code = code < 0 ? set_up(&r) : code;
    if (code >= 0 && interrupted()) {
        (void)write_statistics(&r, CRANK_EINTERRUPTED, 0, "interrupted before the first step");
    }
    code = code < 0 ? simulate(&r) : code;
    crank_integrator_destroy(r.integrator);
    crank_problem_destroy(r.problem);
    rows_free(&r.rows);
    session_close(&r.session);
    free(r.x);
    return code;
}

int run_main(int argc, char **argv)
{
    run_arguments a = {0};
    int code = arguments_parse(&run_usage, argc, argv, &a);

    code = code < 0 ? check_arguments(&a) : code;
    code = code < 0 ? run_model(&a) : code;
    arguments_free(&run_usage, &a);
    return code;
}
