/* sweep.c - "crank sweep": a study of many runs, here or as one part of many, continued where
 * an earlier one was stopped. */
// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include "files.h"
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sweep_arguments {
    model_arguments model;
    setting_list vary;
    const char *sample, *out, *shard, *html;
    int count, seed, points, threads;
    double t_end, limit;
    text_list final, minimum, maximum, integral, columns;
    bool merge;
} sweep_arguments;

#define AT(member) offsetof(sweep_arguments, member)
// clang-format off
static const argument arguments[] = {
    {"--sweep", "NAME=RANGE", ARGUMENT_PAIRS, AT(vary),
     "vary a parameter or start value: from:to:count, from:to or a,b,c; may be repeated"},
    {"--sample", "S", ARGUMENT_TEXT, AT(sample), "grid (default), list, latin or sobol"},
    {"--count", "N", ARGUMENT_COUNT, AT(count), "points of latin and sobol"},
    {"--seed", "N", ARGUMENT_COUNT, AT(seed), "of latin and sobol; default 0"},
    {"--final", "COLUMN", ARGUMENT_LIST, AT(final), "keep its last value; may be repeated"},
    {"--minimum", "COLUMN", ARGUMENT_LIST, AT(minimum), "keep its smallest value"},
    {"--maximum", "COLUMN", ARGUMENT_LIST, AT(maximum), "keep its largest value"},
    {"--integral", "COLUMN", ARGUMENT_LIST, AT(integral), "keep its integral over time"},
    {"--columns", "COLUMN", ARGUMENT_LIST, AT(columns), "keep all its rows"},
    {"--points", "N", ARGUMENT_COUNT, AT(points), "rows at N equal intervals"},
    {"--t-end", "T", ARGUMENT_REAL, AT(t_end), "end time, s"},
    {"--method", "M", ARGUMENT_TEXT, offsetof(model_arguments, method), "see crank methods"},
    {"--rtol", "R", ARGUMENT_PAIR, offsetof(model_arguments, options), "relative tolerance"},
    {"--atol", "A", ARGUMENT_PAIR, offsetof(model_arguments, options), "absolute tolerance"},
    {"--time-limit", "S", ARGUMENT_REAL, AT(limit), "seconds of computing that a run may take"},
    {"--threads", "N", ARGUMENT_COUNT, AT(threads), "default: as many as there are processors"},
    {"--shard", "I/N", ARGUMENT_TEXT, AT(shard),
     "members I, I + N, ... alone; default: the task of a job array (SLURM_ARRAY_TASK_*)"},
    {"--merge", NULL, ARGUMENT_FLAG, AT(merge),
     "write the result of what is there, run nothing"},
    {"-o", "FILE.nc", ARGUMENT_TEXT, AT(out), "the result, netCDF-4; logs are beside it"},
    {"--out", "FILE.nc", ARGUMENT_TEXT, AT(out), "the same"},
    {"--html", "FILE.html", ARGUMENT_TEXT, AT(html),
     "a page of the result: scatter, parallel coordinates, members; as crank view makes it"},
    MODEL_ARGUMENTS,
};
// clang-format on

static const usage sweep_usage = {
    .synopsis = "crank sweep STUDY|MODEL [options] -o FILE.nc",
    .summary = "Runs a model many times with other parameters and start values, as a study "
               "file or the\n"
               "options say, and writes what is kept of each run. Stopped or killed, the same "
               "command\n"
               "goes on where it was.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

typedef struct sweep {
    messages messages;
    const sweep_arguments *a;
    crank_study *study;
    crank_study_order order;
    bool terminal;
    double told; /* seconds */
} sweep;

/* ---- the study ---- */

/* Is it a study file? By its first key. */
static bool is_study(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool study = false;

    for (int i = 0; file != NULL && i < 200 && fgets(line, sizeof line, file) != NULL; i++) {
        if (strncmp(line, "crank:", 6) == 0) {
            study = strstr(line, "study") != NULL;
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return study;
}

static crank_status keep(sweep *s, const char *kind, const text_list *list, crank_error *err)
{
    crank_status status = CRANK_OK;

    for (int i = 0; i < list->count && status == CRANK_OK; i++) {
        status = crank_study_keep(s->study, kind, list->item[i], err);
    }
    return status;
}

static crank_status apply(sweep *s, bool from_file, crank_error *err)
{
    const sweep_arguments *a = s->a;
    crank_status status = CRANK_OK;

    for (int i = 0; i < a->vary.count && status == CRANK_OK; i++) {
        status = crank_study_vary(s->study, a->vary.item[i].name, a->vary.item[i].value, err);
    }
    if (!from_file || a->sample != NULL) {
        THEN(status, crank_study_sample(s->study, a->sample != NULL ? a->sample : "grid",
                                        a->count, (uint64_t)a->seed, err));
    }
    THEN(status, keep(s, "final", &a->final, err));
    THEN(status, keep(s, "minimum", &a->minimum, err));
    THEN(status, keep(s, "maximum", &a->maximum, err));
    THEN(status, keep(s, "integral", &a->integral, err));
    THEN(status, keep(s, "columns", &a->columns, err));
    if (a->points > 0) {
        crank_study_set_rows(s->study, a->points);
    }
    if (!isnan(a->limit)) {
        crank_study_set_limit(s->study, a->limit);
    }
    return status;
}

static int fail(sweep *s, const char *path, crank_status status, crank_error *err)
{
    err->status = status;
    if (err->given || status == CRANK_EARG) {
        tell_error(&s->messages, "%s", err->text);
        return CODE_USAGE;
    }
    if (status == CRANK_EINTERRUPTED) {
        tell_error(&s->messages, "interrupted; the same command goes on from here");
        return CODE_FAILED;
    }
    tell_file_error(&s->messages, path, err);
    return status == CRANK_EMODEL || status == CRANK_ESYNTAX || status == CRANK_EREFUSED
               ? CODE_MODEL
               : CODE_FAILED;
}

static int open_study(sweep *s)
{
    const sweep_arguments *a = s->a;
    const char *path = a->model.positional.item[0];
    const bool from_file = is_study(path);
    if (from_file && a->sample == NULL && (a->count > 0 || a->seed > 0)) {
        tell_error(&s->messages,
                   "--count and --seed stand with --sample: the study file says how "
                   "its points are chosen");
        return CODE_USAGE;
    }
    crank_run_options o = crank_run_options_default();
    crank_error err = {0};

    o.method = a->model.method;
    o.model = a->model.model;
    o.library = a->model.library;
    o.settings = a->model.settings.item;
    o.setting_count = a->model.settings.count;
    o.options = a->model.options.item;
    o.option_count = a->model.options.count;
    o.compile = a->model.compile;
    o.t_end = a->t_end;
    o.log = message_log(&s->messages);
    crank_status status = from_file ? crank_study_read(path, &o, &s->study, &err)
                                    : crank_study_create(path, &o, &s->study, &err);
    THEN(status, apply(s, from_file, &err));
    THEN(status, crank_study_open(s->study, &err));
    if (status == CRANK_OK) {
        return -1;
    }
    const int code = fail(s, path, status, &err);
    return status == CRANK_EFILE ? CODE_MODEL : code; /* as everywhere: nothing was begun */
}

/* ---- which part ---- */

static bool read_part(const char *text, int *shard, int *shards)
{
    char *end = NULL;
    const long first = strtol(text, &end, 10);
    const long all = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    *shard = (int)first;
    *shards = (int)all;
    return *end == '\0' && first >= 1 && first <= all && all < 1000000;
}

/* the task of a job array; false: there is none, or it makes no sense */
static bool read_task(int *shard, int *shards)
{
    const char *id = getenv("SLURM_ARRAY_TASK_ID"), *count = getenv("SLURM_ARRAY_TASK_COUNT");
    const char *min = getenv("SLURM_ARRAY_TASK_MIN"), *step = getenv("SLURM_ARRAY_TASK_STEP");

    if (id == NULL || count == NULL || min == NULL) {
        return false;
    }
    const int by = step != NULL && atoi(step) > 0 ? atoi(step) : 1;
    *shard = (atoi(id) - atoi(min)) / by + 1;
    *shards = atoi(count);
    return *shard >= 1 && *shard <= *shards;
}

static int find_part(sweep *s)
{
    if (s->a->shard == NULL) {
        (void)read_task(&s->order.shard, &s->order.shards);
        return -1;
    }
    if (read_part(s->a->shard, &s->order.shard, &s->order.shards)) {
        return -1;
    }
    tell_error(&s->messages, "--shard %s: I/N with 1 <= I <= N", s->a->shard);
    return CODE_USAGE;
}

/* ---- work ---- */

static bool stop(void *user)
{
    (void)user;
    return interrupted();
}

static void progress(const crank_study_progress *p, void *user)
{
    sweep *s = user;
    const int64_t here = p->done - p->before, rest = p->count - p->done;

    if (s->messages.quiet || !s->terminal || (rest > 0 && p->seconds - s->told < 0.5)) {
        return;
    }
    s->told = p->seconds;
    const double to_go = here > 0 ? p->seconds / (double)here * (double)rest : 0.0;
    (void)fprintf(stderr, "\r\033[K%lld of %lld, %lld failed, %lld slow, %.0f:%02.0f to go",
                  (long long)p->done, (long long)p->count, (long long)p->failed,
                  (long long)p->slow, floor(to_go / 60.0), fmod(to_go, 60.0));
    s->messages.progress_shown = true;
}

static int finish(sweep *s)
{
    const char *out = s->order.out;
    crank_error err = {0};
    int64_t missing = 0;

    crank_status status = crank_study_missing(s->study, out, &missing, &err);
    if (status == CRANK_OK && missing > 0 && !s->a->merge) {
        tell_note(&s->messages, "%s: %lld of %lld members are left to other shards", out,
                  (long long)missing, (long long)crank_study_count(s->study));
        return CODE_DONE;
    }
    THEN(status, crank_study_merge(s->study, out, &missing, &err));
    if (status == CRANK_OK && missing < 0) {
        tell_note(&s->messages, "%s: another shard writes it", out);
        return CODE_DONE;
    }
    if (status == CRANK_OK && missing == 0) {
        status = crank_study_remove_logs(s->study, out, &err);
    }
    if (status != CRANK_OK) {
        return fail(s, out, status, &err);
    }
    tell_note(&s->messages, "%s: %lld members%s", out, (long long)crank_study_count(s->study),
              missing > 0 ? ", some not run (status -1)" : "");
    const page_request request = {.path = s->a->html, .note = true};
    const int code =
        request.path != NULL ? page_write_study(&s->messages, out, &request) : CODE_DONE;
    return code < 0 ? CODE_DONE : code;
}

static int work(sweep *s)
{
    crank_study_progress p = {0};
    crank_error err = {0};
    const crank_status status = crank_study_work(s->study, &s->order, &p, &err);

    clear_progress(&s->messages);
    if (status != CRANK_OK) {
        return fail(s, s->order.out, status, &err);
    }
    tell_note(&s->messages, "%lld members, %lld of them done before, %lld failed, %lld slow",
              (long long)p.count, (long long)p.before, (long long)p.failed, (long long)p.slow);
    return -1;
}

static int check_arguments(sweep *s)
{
    const sweep_arguments *a = s->a;
    crank_error err = {0};

    if (a->out == NULL || !has_ending(a->out, ".nc")) {
        tell_error(&s->messages, "say where to write the result: -o FILE.nc");
        return CODE_USAGE;
    }
    if (!isnan(a->limit) && !(a->limit > 0.0)) {
        tell_error(&s->messages, "--time-limit %g: must be positive", a->limit);
        return CODE_USAGE;
    }
    if (a->html != NULL) {
        const int code = page_check(&s->messages, "--html", a->html);
        if (code >= 0) {
            return code;
        }
    }
    if (probe_writing(a->out, &err) != CRANK_OK) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_FAILED;
    }
    return -1;
}

int sweep_main(int argc, char **argv)
{
    sweep_arguments a = {0};
    sweep s = {.a = &a, .order = crank_study_order_default()};
    int code = arguments_parse(&sweep_usage, argc, argv, &a);

    s.messages.quiet = a.model.quiet;
    if (code < 0) {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        interruption_watch();
        s.terminal = isatty(STDERR_FILENO) != 0;
        s.order.out = a.out;
        s.order.threads = a.threads > 0 ? a.threads : processors > 0 ? (int)processors : 1;
        s.order.stop = stop;
        s.order.progress = progress;
        s.order.user = &s;
    }
    NEXT(code, check_arguments(&s));
    NEXT(code, find_part(&s));
    NEXT(code, open_study(&s));
    NEXT(code, a.merge ? -1 : work(&s));
    NEXT(code, finish(&s));
    crank_study_destroy(s.study);
    arguments_free(&sweep_usage, &a);
    return code;
}
