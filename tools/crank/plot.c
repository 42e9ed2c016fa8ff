/* plot.c - "crank plot": columns of results, the history of the steps, comparisons of
 * methods. */
// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"

#include "files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(plot_arguments, member)

// clang-format off
static const argument arguments[] = {
    {"-o", "FILE.svg", ARGUMENT_TEXT, AT(out), "the picture; -: standard output"},
    {"--gnuplot", "FILE.gp", ARGUMENT_TEXT, AT(gnuplot),
     "the same plot as a gnuplot script with its data"},
    {"--x", "NAME", ARGUMENT_TEXT, AT(x), "horizontal axis; default: the first column, time"},
    {"--with", "RESULT", ARGUMENT_LIST, AT(with),
     "draw the names of this result too; may be repeated"},
    {"--from", "T", ARGUMENT_REAL, AT(from), "rows from this time on"},
    {"--to", "T", ARGUMENT_REAL, AT(to), "rows up to this time"},
    {"--y-from", "Y", ARGUMENT_REAL, AT(y_from), "lower end of the vertical axes"},
    {"--y-to", "Y", ARGUMENT_REAL, AT(y_to), "upper end of the vertical axes"},
    {"--log-x", NULL, ARGUMENT_FLAG, AT(log_x), "logarithmic horizontal axis"},
    {"--log-y", NULL, ARGUMENT_FLAG, AT(log_y), "logarithmic vertical axes"},
    {"--equal", NULL, ARGUMENT_FLAG, AT(equal),
     "the same unit on both axes, for paths in the plane"},
    {"--draw", "HOW", ARGUMENT_TEXT, AT(draw),
     "lines, points or both; default: lines, and points where they are few"},
    {"--history", NULL, ARGUMENT_FLAG, AT(history),
     "panels of step size, Newton iterations, rejected attempts, error"},
    {"--residuals", NULL, ARGUMENT_FLAG, AT(residuals),
     "a panel of the residuals of the constraints"},
    {"--work-precision", NULL, ARGUMENT_FLAG, AT(work_precision),
     "FILE is a table of methods: cost against error"},
    {"--scaling", NULL, ARGUMENT_FLAG, AT(scaling),
     "FILE is a table of methods: cost against size"},
    {"--pattern", NULL, ARGUMENT_FLAG, AT(pattern),
     "FILE is of crank run --pattern: entries of Newton's matrix, and groups of columns"},
    {"--list", NULL, ARGUMENT_FLAG, AT(list),
     "draw nothing: list the columns (those named, or all) with unit and range"},
    {"--title", "T", ARGUMENT_TEXT, AT(title), "title of the picture"},
    {"--width", "PIXELS", ARGUMENT_COUNT, AT(width), "of the picture; default: 800"},
    {"--height", "PIXELS", ARGUMENT_COUNT, AT(height),
     "of the picture; default: as the panels need"},
};
// clang-format on

static const usage plot_usage = {
    .synopsis = "crank plot RESULT [NAMES... [/ NAMES...]...] -o FILE.svg [options]",
    .summary =
        "Draws columns of a result as an SVG file. NAMES are column names or patterns with\n"
        "* ? [...]; / starts a new panel below, /log one with a logarithmic axis. RESULT may\n"
        "be - for CSV from standard input.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = AT(positional),
    .positional_min = 1,
    .positional_max = 10000,
};

void *figure_keep(figure *f, size_t count, size_t size)
{
    void **larger = realloc(f->kept, (size_t)(f->kept_count + 1) * sizeof *larger);
    void *memory = larger != NULL ? calloc(count > 0 ? count : 1, size) : NULL;

    f->kept = larger != NULL ? larger : f->kept;
    if (memory == NULL) {
        f->failed = true;
        return NULL;
    }
    f->kept[f->kept_count++] = memory;
    return memory;
}

const char *figure_text(figure *f, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = length >= 0 ? figure_keep(f, (size_t)length + 1, 1) : NULL;
    if (text == NULL) {
        return "";
    }
    va_start(list, format);
    (void)vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

crank_panel *figure_panel(figure *f, int room)
{
    crank_curve *curves = figure_keep(f, (size_t)room, sizeof *curves);
    const int p = f->plot.panel_count;

    if (curves == NULL || p == CRANK_PLOT_PANELS) {
        f->failed = true;
        return NULL;
    }
    f->plot.panel_count++;
    f->curves[p] = curves;
    f->panels[p] = crank_panel_default();
    f->panels[p].curves = curves;
    return &f->panels[p];
}

crank_curve *figure_last_curve(figure *f, int k)
{
    return &f->curves[f->plot.panel_count - 1][k];
}

crank_curve *figure_curve(figure *f)
{
    crank_curve *curve = figure_last_curve(f, f->panels[f->plot.panel_count - 1].curve_count++);

    curve->draw = f->draw;
    return curve;
}

void figure_look(crank_curve *curve, int n)
{
    enum { LOOKS = 8 }; /* colours, and forms of points */

    curve->colour = n;
    curve->form = n + (n - 1) / LOOKS;
}

void figure_free(figure *f)
{
    for (int i = 0; i < f->kept_count; i++) {
        free(f->kept[i]);
    }
    free(f->kept);
}

static bool is_one_file(const char *out, const char *other)
{
    return out != NULL && other != NULL && !is_standard_output(out) && !is_device(out) &&
           is_same_file(out, other);
}

/* Would a picture replace what is drawn, or the other picture? */
static int check_overwriting(messages *m, const plot_arguments *a)
{
    for (int i = 0; i <= a->with.count; i++) {
        const char *read = i == 0 ? a->positional.item[0] : a->with.item[i - 1];
        if (is_one_file(a->out, read) || is_one_file(a->gnuplot, read)) {
            tell_error(m, "%s is what is drawn; choose another name for the picture", read);
            return CODE_USAGE;
        }
    }
    if (is_one_file(a->out, a->gnuplot)) {
        tell_error(m, "-o and --gnuplot write two files; give them two names");
        return CODE_USAGE;
    }
    return -1;
}

/* Mistakes that show without the file. */
static int check(messages *m, const plot_arguments *a, crank_draw *draw)
{
    static const char *const kinds[] = {"", "lines", "points", "both"};
    const bool comparison = a->work_precision || a->scaling || a->pattern;

    if (a->out == NULL && a->gnuplot == NULL) {
        tell_error(m, "no picture to write; say -o FILE.svg, or --list to see the columns");
        return CODE_USAGE;
    }
    if (a->out != NULL && !is_standard_output(a->out) && !has_ending(a->out, ".svg") &&
        !is_device(a->out)) {
        tell_error(m, "-o %s: the format of pictures is .svg", a->out);
        return CODE_USAGE;
    }
    for (int i = 1; a->draw != NULL && i < 4; i++) {
        *draw = strcmp(a->draw, kinds[i]) == 0 ? (crank_draw)i : *draw;
    }
    if (a->draw != NULL && *draw == CRANK_DRAW_AUTO) {
        tell_error(m, "--draw %s: say lines, points or both", a->draw);
        return CODE_USAGE;
    }
    if (a->work_precision + a->scaling + a->pattern > 1) {
        tell_error(m, "--work-precision, --scaling and --pattern are different pictures");
        return CODE_USAGE;
    }
    if (comparison && (a->history || a->residuals || a->with.count > 0 || a->equal ||
                       !isnan(a->from) || !isnan(a->to) || a->x != NULL)) {
        tell_error(m, "--x, --with, --from, --to, --equal, --history and --residuals are for "
                      "results, not for tables of methods and patterns");
        return CODE_USAGE;
    }
    if (!comparison && a->positional.count < 2 && !a->history && !a->residuals) {
        tell_error(m, "no columns to draw; name some (--list shows them), or say --history or "
                      "--residuals");
        return CODE_USAGE;
    }
    return -1;
}

int figure_write(messages *m, const plot_arguments *a, figure *f)
{
    crank_error err = {0};
    crank_status status = CRANK_OK;

    if (f->failed) {
        tell_error(m,
                   f->plot.panel_count == CRANK_PLOT_PANELS ? "more than %d panels"
                                                            : "out of memory (%d panels)",
                   f->plot.panel_count);
        return CODE_FAILED;
    }
    f->plot.panels = f->panels;
    f->plot.title = a->title;
    f->plot.width = a->width;
    f->plot.height = a->height;
    for (int p = 0; p < f->plot.panel_count; p++) {
        f->panels[p].y_low = a->y_from;
        f->panels[p].y_high = a->y_to;
    }
    if (a->out != NULL) {
        status = crank_plot_write_svg(&f->plot, a->out, &err);
    }
    if (status == CRANK_OK && a->gnuplot != NULL) {
        status = crank_plot_write_gnuplot(&f->plot, a->gnuplot, &err);
    }
    if (status != CRANK_OK) {
        tell_error(m, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    return CODE_DONE;
}

static int plot(messages *m, const plot_arguments *a)
{
    figure f = {.plot = crank_plot_default()};
    int code = check(m, a, &f.draw);

    NEXT(code, check_overwriting(m, a));
    if (code >= 0) {
        return code;
    }
    if (a->work_precision || a->scaling) {
        code = plot_comparison(m, a, &f);
    } else if (a->pattern) {
        code = plot_pattern(m, a, &f);
    } else {
        code = plot_result(m, a, &f);
    }
    figure_free(&f);
    return code;
}

int plot_main(int argc, char **argv)
{
    plot_arguments a = {0};
    messages m = {0};
    int code = arguments_parse(&plot_usage, argc, argv, &a);

    if (code < 0) {
        code = a.list ? plot_list(&m, &a) : plot(&m, &a);
    }
    arguments_free(&plot_usage, &a);
    return code;
}
