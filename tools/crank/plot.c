/* plot.c - "crank plot": columns of a result against time, or against each other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plot_arguments {
    text_list positional;
    const char *out, *x, *title;
    bool log_x, log_y, equal;
} plot_arguments;

// clang-format off
static const argument arguments[] = {
    {"-o", "FILE.svg", ARGUMENT_TEXT, offsetof(plot_arguments, out), "the picture; -: standard output"},
    {"--x", "NAME", ARGUMENT_TEXT, offsetof(plot_arguments, x), "horizontal axis; default: the first column, time"},
    {"--log-x", NULL, ARGUMENT_FLAG, offsetof(plot_arguments, log_x), "logarithmic horizontal axis"},
    {"--log-y", NULL, ARGUMENT_FLAG, offsetof(plot_arguments, log_y), "logarithmic vertical axis"},
    {"--equal", NULL, ARGUMENT_FLAG, offsetof(plot_arguments, equal), "the same unit on both axes, for paths in the plane"},
    {"--title", "T", ARGUMENT_TEXT, offsetof(plot_arguments, title), "title of the picture"},
};
// clang-format on

static const usage plot_usage = {
    .synopsis = "crank plot RESULT.csv NAMES... -o FILE.svg [options]",
    .summary =
        "Draws columns of a result as an SVG file. NAMES are column names or patterns with\n"
        "* ? [...]; RESULT.csv may be - for standard input.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(plot_arguments, positional),
    .positional_min = 2,
    .positional_max = 10000,
};

static int no_column(messages *m, const crank_table *table, const char *path, const char *name)
{
    const char *const *names = (const char *const *)table->names;
    const char *near = crank_nearest_name(name, names, table->columns);

    if (near != NULL) {
        tell_error(m, "%s has no column %s, did you mean %s", path, name, near);
    } else {
        tell_error(m, "%s has no column %s; it has %d, from %s to %s", path, name,
                   table->columns, names[0], names[table->columns - 1]);
    }
    return CODE_USAGE;
}

/* Marks the columns that each name or pattern asks for. */
static int choose(messages *m, const crank_table *table, const plot_arguments *a, int x,
                  bool *chosen)
{
    for (int i = 1; i < a->positional.count; i++) {
        const char *pattern = a->positional.item[i];
        const int exact = crank_table_find(table, pattern);
        bool any = exact >= 0;
        if (exact >= 0) {
            chosen[exact] = true;
        }
        for (int j = 0; j < table->columns && exact < 0; j++) {
            if (j != x && name_matches(pattern, table->names[j])) {
                chosen[j] = true;
                any = true;
            }
        }
        if (!any) {
            return no_column(m, table, a->positional.item[0], pattern);
        }
    }
    return -1;
}

static int draw(messages *m, const crank_table *table, const plot_arguments *a, int x,
                const bool *chosen, crank_curve *curves)
{
    crank_plot plot = crank_plot_default();
    crank_error err = {0};
    const size_t rows = (size_t)table->rows;

    for (int j = 0; j < table->columns; j++) {
        if (chosen[j]) {
            curves[plot.curve_count++] = (crank_curve){
                .label = table->names[j],
                .count = table->rows,
                .x = table->values + (size_t)x * rows,
                .y = table->values + (size_t)j * rows,
            };
        }
    }
    plot.curves = curves;
    plot.title = a->title;
    plot.x_label = table->names[x];
    plot.y_label = plot.curve_count == 1 ? curves[0].label : NULL;
    plot.log_x = a->log_x;
    plot.log_y = a->log_y;
    plot.equal_axes = a->equal;
    const crank_status status = crank_plot_write_svg(&plot, a->out, &err);
    if (status != CRANK_OK) {
        tell_error(m, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    return CODE_DONE;
}

static int plot_table(messages *m, const crank_table *table, const plot_arguments *a)
{
    const int x = a->x != NULL ? crank_table_find(table, a->x) : 0;

    if (x < 0) {
        return no_column(m, table, a->positional.item[0], a->x);
    }
    bool *chosen = calloc((size_t)table->columns, sizeof *chosen);
    crank_curve *curves = calloc((size_t)table->columns, sizeof *curves);
    int code = CODE_FAILED;
    if (chosen == NULL || curves == NULL) {
        tell_error(m, "out of memory");
    } else {
        code = choose(m, table, a, x, chosen);
        code = code < 0 ? draw(m, table, a, x, chosen, curves) : code;
    }
    free(chosen);
    free(curves);
    return code;
}

static int plot_file(messages *m, const plot_arguments *a)
{
    const char *path = a->positional.item[0];
    crank_table *table;
    crank_error err = {0};

    if (a->out == NULL) {
        tell_error(m, "no picture to write; say -o FILE.svg");
        return CODE_USAGE;
    }
    const char *dot = strrchr(a->out, '.');
    if (strcmp(a->out, "-") != 0 && (dot == NULL || strcmp(dot, ".svg") != 0)) {
        tell_error(m, "-o %s: the format of pictures is .svg", a->out);
        return CODE_USAGE;
    }
    if (crank_table_read(path, &table, &err) != CRANK_OK) {
        tell_file_error(m, path, &err);
        return CODE_FAILED;
    }
    if (table->incomplete) {
        tell_error(m, "warning: %s: the last line is cut off and has been left out", path);
    }
    const int code = plot_table(m, table, a);
    crank_table_destroy(table);
    return code;
}

int plot_main(int argc, char **argv)
{
    plot_arguments a = {0};
    messages m = {0};
    int code = arguments_parse(&plot_usage, argc, argv, &a);

    if (code < 0) {
        code = plot_file(&m, &a);
    }
    arguments_free(&plot_usage, &a);
    return code;
}
