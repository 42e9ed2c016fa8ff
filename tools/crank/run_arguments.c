/* run_arguments.c - the arguments of "crank run", and what they must not say together. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run.h"

#include "describe.h"
#include "files.h"
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
static const argument arguments[] = {
    {"--method", "M", ARGUMENT_TEXT, offsetof(model_arguments, method),
     "formulation and integrator, see below"},
    {"--from", "RESULT[@T]", ARGUMENT_TEXT, offsetof(run_arguments, from),
     "begin at a row of a result (its last one, or that at T), as crank equilibrium writes"},
    {"--positions-from", "RESULT[@T]", ARGUMENT_TEXT, offsetof(run_arguments, placed),
     "the same with its positions; velocities and the time are those of the model's start"},
    {"--t-end", "T", ARGUMENT_REAL, offsetof(run_arguments, t_end), "end time, s"},
    {"--rtol", "R", ARGUMENT_PAIR, offsetof(model_arguments, options), "relative tolerance"},
    {"--atol", "A", ARGUMENT_PAIR, offsetof(model_arguments, options), "absolute tolerance"},
    {"--every", "DT", ARGUMENT_REAL, offsetof(run_arguments, every),
     "a row every DT seconds, and one at the end"},
    {"--points", "N", ARGUMENT_COUNT, offsetof(run_arguments, points),
     "rows at N equal intervals; default 200"},
    {"--steps", NULL, ARGUMENT_FLAG, offsetof(run_arguments, steps), "a row per accepted step"},
    MODEL_ARGUMENTS,
    {"--only", "PATTERN", ARGUMENT_LIST, offsetof(run_arguments, only),
     "columns to write, with * ? [...]; may be repeated"},
    {"--out", "FILE", ARGUMENT_TEXT, offsetof(run_arguments, out),
     "the result: .csv, .h5, .mat or .nc; default: CSV to standard output"},
    {"-o", "FILE", ARGUMENT_TEXT, offsetof(run_arguments, out), "the same"},
    {"--stats", "FILE.json", ARGUMENT_TEXT, offsetof(run_arguments, stats),
     "counters, times and residuals of the run"},
    {"--pattern", "FILE.csv", ARGUMENT_TEXT, offsetof(run_arguments, pattern),
     "entries of Newton's matrix and groups of columns, of ggl-bdf"},
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
    (void)printf("\nMethods (--method, or simulate: method: in the model; default auto):\n");
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

    if (a->from != NULL && a->placed != NULL) {
        tell_error(m, "--from and --positions-from exclude each other");
        return CODE_USAGE;
    }
    if (!is_standard_output(a->out) && crank_recorder_check(a->out, &err) != CRANK_OK) {
        tell_error(m, "--out %s", err.text);
        return CODE_USAGE;
    }
    if (a->pattern != NULL && !has_ending(a->pattern, ".csv")) {
        tell_error(m, "--pattern %s: the format of patterns is .csv", a->pattern);
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
    } output[] = {{"--out", a->out},
                  {"--stats", a->stats},
                  {"--html", a->html},
                  {"--pattern", a->pattern}};

    for (int i = 0; i < 4; i++) {
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
    const char *others[] = {a->out, a->stats, a->html, a->pattern, a->model.positional.item[0]};

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
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
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
