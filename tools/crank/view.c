/* view.c - "crank view": a result as a page that shows it move, a picture or a film; a study as
 * a page. */
// SPDX-License-Identifier: BSD-3-Clause
#include "files.h"
#include "film.h"
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
    film_request film;
    bool quiet;
} view_arguments;

// clang-format off
static const argument arguments[] = {
    {"-o", "FILE.html", ARGUMENT_TEXT, offsetof(view_arguments, out),
     "the page, -: standard output; with --picture FILE.svg or FILE.png"},
    {"--picture", "T", ARGUMENT_REAL, offsetof(view_arguments, film.time),
     "write a picture of the mechanism at this time instead of a page"},
    {"--film", "FILE.webm", ARGUMENT_TEXT, offsetof(view_arguments, film.film),
     "write a film instead, by ffmpeg; FILE%04d.png: its frames"},
    {"--fps", "N", ARGUMENT_COUNT, offsetof(view_arguments, film.fps),
     "frames a second of the film; default: 25"},
    {"--speed", "R", ARGUMENT_REAL, offsetof(view_arguments, film.speed),
     "simulated seconds for each second of the film; default: as the page plays"},
    {"--width", "PIXELS", ARGUMENT_COUNT, offsetof(view_arguments, film.width),
     "of picture and film; default: 1280"},
    {"--height", "PIXELS", ARGUMENT_COUNT, offsetof(view_arguments, film.height),
     "of picture and film; default: 720"},
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
    .synopsis = "crank view RESULT {-o FILE.html | --picture T -o FILE.svg | --film FILE.webm} "
                "[options]",
    .summary = "Writes one HTML file that shows the result move, with plots; it needs no "
               "network. Or a\n"
               "picture at a time (SVG, PNG), or a film. RESULT is what crank run --out wrote, "
               "in any\n"
               "format; - is CSV from standard input; or a study that crank sweep wrote.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(view_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static bool draws_page(const view_arguments *a)
{
    return a->film.film == NULL && isnan(a->film.time);
}

/* What is for pages only. */
static int check_picture(messages *m, const view_arguments *a)
{
    if (a->frames > 0 || a->only.count > 0 || !isnan(a->limit)) {
        tell_error(m, "--frames, --only and --limit are for pages");
        return CODE_USAGE;
    }
    return -1;
}

static int check_arguments(messages *m, const view_arguments *a)
{
    int code = film_check(m, &a->film, a->out);

    if (code < 0 && !draws_page(a)) {
        code = check_picture(m, a);
    }
    if (code >= 0) {
        return code;
    }
    if (a->out == NULL && a->film.film == NULL) {
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
    const char *out = a->film.film != NULL ? a->film.film : a->out;
    if (!is_standard_output(out) && !is_device(out) &&
        is_same_file(out, a->positional.item[0])) {
        tell_error(m, "%s would replace the result; choose another name", out);
        return CODE_USAGE;
    }
    return draws_page(a) ? page_check(m, "-o", a->out) : -1;
}

static int write_result(messages *m, const view_arguments *a, const page_request *request)
{
    return draws_page(a) ? page_write_result(m, a->positional.item[0], request)
                         : film_write_result(m, a->positional.item[0], request, &a->film);
}

static int view_study(messages *m, const view_arguments *a, const page_request *request)
{
    if (!draws_page(a) || a->model != NULL || a->only.count > 0 || a->frames > 0) {
        tell_error(m,
                   "%s is a study of many runs: it has a page, with --title and --limit; "
                   "--picture, --film, --model, --only and --frames are for results of one run",
                   a->positional.item[0]);
        return CODE_USAGE;
    }
    return page_write_study(m, a->positional.item[0], request);
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

    if (crank_study_table_is(a->positional.item[0])) {
        return view_study(m, a, &request);
    }
    if (a->model == NULL) {
        return write_result(m, a, &request);
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
        code = session_check_output(&s, a->out != NULL ? "-o" : "--film",
                                    a->out != NULL ? a->out : a->film.film);
        code = code < 0 ? write_result(m, a, &request) : code;
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
