/* view.c - "crank view": a result as a page that shows it move. */
// SPDX-License-Identifier: BSD-3-Clause
#include "files.h"
#include "page.h"
#include "session.h"

#include <math.h>
#include <string.h>

typedef struct view_arguments {
    text_list positional;
    const char *out, *model, *title;
    setting_list settings;
    text_list only;
    int frames;
    double limit;
    bool quiet;
} view_arguments;

// clang-format off
static const argument arguments[] = {
    {"-o", "FILE.html", ARGUMENT_TEXT, offsetof(view_arguments, out),
     "the page; -: standard output"},
    {"--model", "MODEL", ARGUMENT_TEXT, offsetof(view_arguments, model),
     "the model, for the scene of results that have none (CSV)"},
    {"--set", "NAME=VALUE", ARGUMENT_PAIRS, offsetof(view_arguments, settings),
     "a parameter of the model; may be repeated"},
    {"--title", "T", ARGUMENT_TEXT, offsetof(view_arguments, title),
     "title of the page; default: that of the model"},
    {"--frames", "N", ARGUMENT_COUNT, offsetof(view_arguments, frames),
     "at most N rows, evenly chosen; default: all"},
    {"--only", "PATTERN", ARGUMENT_LIST, offsetof(view_arguments, only),
     "columns besides those that move the bodies, with * ? [...]; may be repeated"},
    {"--limit", "MB", ARGUMENT_REAL, offsetof(view_arguments, limit),
     "size of the page at most; default 60"},
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(view_arguments, quiet),
     "warnings and errors only"},
};
// clang-format on

static const usage view_usage = {
    .synopsis = "crank view RESULT -o FILE.html [options]",
    .summary = "Writes one HTML file that shows the result move, with plots; it needs no "
               "network. RESULT\n"
               "is what crank run --out wrote, in any format; - is CSV from standard input.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(view_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static int check_arguments(messages *m, const view_arguments *a)
{
    if (a->out == NULL) {
        tell_error(m, "no page to write; say -o FILE.html");
        return CODE_USAGE;
    }
    if (a->frames == 1) {
        tell_error(m, "--frames 1: a page needs at least 2, the first and the last row");
        return CODE_USAGE;
    }
    if (!isnan(a->limit) && !(a->limit > 0.0 && a->limit <= 1e6)) {
        tell_error(m, "--limit %g: must be positive, at most 1e6", a->limit);
        return CODE_USAGE;
    }
    if (a->settings.count > 0 && a->model == NULL) {
        tell_error(m, "--set needs --model");
        return CODE_USAGE;
    }
    if (!is_standard_output(a->out) && !is_device(a->out) &&
        is_same_file(a->out, a->positional.item[0])) {
        tell_error(m, "-o %s: the page would replace the result; choose another name", a->out);
        return CODE_USAGE;
    }
    return page_check(m, "-o", a->out);
}

static int view(messages *m, const view_arguments *a)
{
    page_request request = {
        .path = a->out,
        .title = a->title,
        .frames = a->frames,
        .megabytes = a->limit,
        .only = &a->only,
        .scene_from_names = true,
        .note = true,
    };

    if (a->model == NULL) {
        return page_write_result(m, a->positional.item[0], &request);
    }
    const char *model = a->model;
    const model_arguments of_model = {
        .positional = {.count = 1, .item = &model}, .settings = a->settings, .quiet = a->quiet};
    crank_error err = {0};
    session s;
    const crank_run_options options = session_begin(&s, &of_model);
    int code = session_opened(&s, crank_run_open(s.path, &options, &s.run, &err), &err);
    if (code < 0) {
        request.model = s.model;
        request.model_path = a->model;
        code = session_check_output(&s, "-o", a->out);
        code = code < 0 ? page_write_result(m, a->positional.item[0], &request) : code;
    }
    session_close(&s);
    return code;
}

int view_main(int argc, char **argv)
{
    view_arguments a = {0};
    int code = arguments_parse(&view_usage, argc, argv, &a);
    messages m = {.quiet = a.quiet};

    code = code < 0 ? check_arguments(&m, &a) : code;
    if (code < 0) {
        code = view(&m, &a);
        code = code < 0 ? CODE_DONE : code;
    }
    arguments_free(&view_usage, &a);
    return code;
}
