/* run.c - "crank run": reads a model, makes its initial values consistent, integrates, writes
 * rows, statistics and a page, tells what it did. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run.h"

#include "describe.h"
#include "page.h"
#include "summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// clang-format off
static const argument arguments[] = {
    {"--method", "M", ARGUMENT_TEXT, offsetof(model_arguments, method),
     "formulation and integrator, see below"},
    {"--t-end", "T", ARGUMENT_REAL, offsetof(run_arguments, t_end), "end time, s"},
    {"--rtol", "R", ARGUMENT_TEXT, offsetof(model_arguments, rtol), "relative tolerance"},
    {"--atol", "A", ARGUMENT_TEXT, offsetof(model_arguments, atol), "absolute tolerance"},
    {"--every", "DT", ARGUMENT_REAL, offsetof(run_arguments, every),
     "a row every DT seconds, and one at the end"},
    {"--points", "N", ARGUMENT_COUNT, offsetof(run_arguments, points),
     "rows at N equal intervals; default 200"},
    {"--steps", NULL, ARGUMENT_FLAG, offsetof(run_arguments, steps), "a row per accepted step"},
    MODEL_ARGUMENTS,
    {"--only", "PATTERN", ARGUMENT_LIST, offsetof(run_arguments, only),
     "columns to write, with * ? [...]; may be repeated"},
    {"--out", "FILE", ARGUMENT_TEXT, offsetof(run_arguments, out),
     "the result: .csv, .h5 or .mat; default: CSV to standard output"},
    {"--stats", "FILE.json", ARGUMENT_TEXT, offsetof(run_arguments, stats),
     "counters, times and residuals of the run"},
    {"--html", "FILE.html", ARGUMENT_TEXT, offsetof(run_arguments, html),
     "a page that shows the result move"},
    {"--watch", NULL, ARGUMENT_FLAG, offsetof(run_arguments, watch),
     "run again when the model changes; the page reloads itself"},
    {"--checkpoint", "FILE", ARGUMENT_TEXT, offsetof(run_arguments, checkpoint),
     "what crank resume continues from if the run is stopped"},
    {"--checkpoint-every", "S", ARGUMENT_REAL, offsetof(run_arguments, checkpoint_every),
     "seconds of computing between checkpoints; default 60"},
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

const usage run_usage = {
    .synopsis = "crank run MODEL [options]",
    .summary =
        "Simulates a model and writes its trajectory. What the command line says goes before\n"
        "what the model's simulate: section says.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
    .more_help = more_help,
};

/* ---- before the model is read ---- */

static int check_rows(messages *m, const run_arguments *a)
{
    const int kinds = (isnan(a->every) ? 0 : 1) + (a->points > 0 ? 1 : 0) + (a->steps ? 1 : 0);

    if (kinds > 1) {
        tell_error(m, "--every, --points and --steps exclude each other");
        return CODE_USAGE;
    }
    if (!isnan(a->every) && !(a->every > 0.0)) {
        tell_error(m, "--every %g: must be positive", a->every);
        return CODE_USAGE;
    }
    return -1;
}

static int check_outputs(messages *m, const run_arguments *a)
{
    crank_error err = {0};

    if (!is_standard_output(a->out) && crank_recorder_check(a->out, &err) != CRANK_OK) {
        tell_error(m, "--out %s", err.text);
        return CODE_USAGE;
    }
    if (!is_standard_output(a->stats) && !has_ending(a->stats, ".json") &&
        !is_device(a->stats)) {
        tell_error(m, "--stats %s: the format of statistics is .json", a->stats);
        return CODE_USAGE;
    }
    if (is_standard_output(a->out) && a->html == NULL && a->stats != NULL &&
        is_standard_output(a->stats)) {
        tell_error(m,
                   "rows and statistics cannot both go to standard output; say --out FILE.csv");
        return CODE_USAGE;
    }
    if (a->html != NULL && strcmp(a->html, "-") == 0) {
        tell_error(m, "--html needs a file; crank view RESULT -o - writes to standard output");
        return CODE_USAGE;
    }
    if (a->html != NULL && a->out != NULL &&
        (is_standard_output(a->out) || is_device(a->out))) {
        tell_error(m,
                   "--html reads the result again, which %s does not allow; leave --out "
                   "away or name a file",
                   a->out);
        return CODE_USAGE;
    }
    return a->html != NULL ? page_check(m, "--html", a->html) : -1;
}

/* Two outputs under one name, or under two names of one file? */
static int check_distinct(messages *m, const run_arguments *a)
{
    const struct {
        const char *option, *path;
    } output[] = {{"--out", a->out}, {"--stats", a->stats}, {"--html", a->html}};

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const char *one = output[j].path, *other = output[i].path;
            if (!is_standard_output(one) && !is_standard_output(other) && !is_device(one) &&
                is_same_file(one, other)) {
                tell_error(m, "%s %s and %s %s are the same file; choose another name",
                           output[j].option, one, output[i].option, other);
                return CODE_USAGE;
            }
        }
    }
    return -1;
}

/* Does a run that writes to `path` use this file, or one of those that it writes beside it for
 * a time? */
static bool is_used(const char *path, const char *file)
{
    static const char *const beside[] = {"", ".rows", ".part", ".version.svg"};
    const size_t length = path != NULL ? strlen(path) : 0;

    for (size_t i = 0; i < sizeof beside / sizeof beside[0] && length > 0; i++) {
        if (strncmp(file, path, length) == 0 && strcmp(file + length, beside[i]) == 0) {
            return true;
        }
    }
    return path != NULL && is_same_file(path, file);
}

static int check_checkpoint(messages *m, const run_arguments *a)
{
    const char *others[] = {a->out, a->stats, a->html, a->model.positional.item[0]};

    if (a->checkpoint == NULL) {
        if (!isnan(a->checkpoint_every)) {
            tell_error(m, "--checkpoint-every needs --checkpoint FILE");
            return CODE_USAGE;
        }
        return -1;
    }
    if (!isnan(a->checkpoint_every) && !(a->checkpoint_every >= 0.0)) {
        tell_error(m, "--checkpoint-every %g: must not be negative", a->checkpoint_every);
        return CODE_USAGE;
    }
    if (is_standard_output(a->out) || is_device(a->out)) {
        tell_error(m, "--checkpoint needs --out FILE: rows on %s cannot be continued",
                   is_standard_output(a->out) ? "standard output" : a->out);
        return CODE_USAGE;
    }
    if (a->watch) {
        tell_error(m, "--checkpoint and --watch exclude each other");
        return CODE_USAGE;
    }
    if (strcmp(a->checkpoint, "-") == 0 || a->checkpoint[0] == '\0') {
        tell_error(m, "--checkpoint needs the name of a file");
        return CODE_USAGE;
    }
    for (int i = 0; i < 4; i++) {
        if (is_used(others[i], a->checkpoint)) {
            tell_error(m,
                       "--checkpoint %s: the run uses this file already; choose another name",
                       a->checkpoint);
            return CODE_USAGE;
        }
    }
    return -1;
}

static int check_arguments(const run_arguments *a)
{
    messages m = {.quiet = a->model.quiet};
    int code = check_rows(&m, a);

    code = code < 0 ? check_checkpoint(&m, a) : code;
    code = code < 0 ? check_outputs(&m, a) : code;
    code = code < 0 ? check_distinct(&m, a) : code;
    if (code < 0 && a->watch && a->html == NULL) {
        tell_error(&m, "--watch refreshes a page; say --html FILE.html");
        return CODE_USAGE;
    }
    return code;
}

int run_arguments_read(run_arguments *a, int argc, char **argv)
{
    *a = (run_arguments){0};
    const int code = arguments_parse(&run_usage, argc, argv, a);
    a->argc = argc;
    a->argv = argv;
    return code < 0 ? check_arguments(a) : code;
}

void run_arguments_free(run_arguments *a)
{
    arguments_free(&run_usage, a);
}

/* ---- before the first step ---- */

static int check_overwriting(simulation *r)
{
    const run_arguments *a = r->arguments;
    int code = session_check_output(&r->session, "--out", a->out);

    code = code < 0 ? session_check_output(&r->session, "--stats", a->stats) : code;
    return code < 0 ? session_check_output(&r->session, "--html", a->html) : code;
}

/* Can everything be written? Before the result of an earlier run is cut. */
static crank_status probe_outputs(simulation *r, crank_error *err)
{
    const run_arguments *a = r->arguments;
    crank_status status = CRANK_OK;

    if (!is_standard_output(a->stats)) {
        status = probe_writing(a->stats, err);
    }
    if (status == CRANK_OK && a->checkpoint != NULL) {
        status = checkpoint_check(a->checkpoint, err);
    }
    if (status == CRANK_OK && a->html != NULL) {
        status = probe_writing(a->html, err);
    }
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
    if (status == CRANK_OK) {
        status = rows_open(&r->rows, r->result, r->resumed != NULL ? r->resumed->row_count : -1,
                           err);
    }
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
    status = status == CRANK_OK ? open_result(r, &err) : status;
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

/* ---- after the last ---- */

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
        tell_error(m, "stopped at t = %.10g: %s%s%s", r->t_reached, failure_text(status, err),
                   failure_remedy(status), place);
    }
    if (state->not_finite > 0) {
        m->warnings++;
        tell_error(m, "warning: %lld rows hold values that are not finite, first in column %s",
                   (long long)state->not_finite,
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
                   r->t_end, r->t_reached);
    const crank_status status = simulation_integrate(r, &err);
    return finish(r, order, status, &err);
}

int run_once(const run_order *order)
{
    const run_arguments *a = order->arguments;
    simulation r = {.arguments = a, .resumed = order->resumed};

    int code = session_open(&r.session, &a->model);
    if (r.session.model != NULL) {
        watched_model(order->files, r.session.model);
    }
    if (code >= 0) {
        watched_file(order->files, r.session.messages.named);
    }
    code = code < 0 ? saving_prepare(&r) : code;
    code = code < 0 ? simulation_prepare(&r) : code;
    if (code >= 0 && interrupted()) {
        (void)summary_write_statistics(&r, CRANK_EINTERRUPTED, 0,
                                       "interrupted before the first step");
    }
    code = code < 0 ? open_outputs(&r) : code;
    code = code < 0 ? simulate(&r, order) : code;
    simulation_free(&r);
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
