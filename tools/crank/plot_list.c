/* plot_list.c - "crank plot RESULT --list": the columns of a result, a line each; rows within a
 * range of time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"

#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, WIDEST = 40 };

int plot_keep_window(messages *m, const char *path, crank_table *table, double from, double to)
{
    const size_t rows = (size_t)table->rows;
    size_t kept = 0;

    if (isnan(from) && isnan(to)) {
        return -1;
    }
    bool *inside = calloc(rows > 0 ? rows : 1, sizeof *inside);
    if (inside == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    for (size_t i = 0; i < rows; i++) {
        inside[i] = !(table->values[i] < from) && !(table->values[i] > to);
        kept += inside[i] ? 1 : 0;
    }
    if (kept == 0) {
        tell_error(m, "%s has no rows in the range asked for; %s goes from %g to %g", path,
                   table->names[0], rows > 0 ? table->values[0] : 0.0,
                   rows > 0 ? table->values[rows - 1] : 0.0);
        free(inside);
        return CODE_USAGE;
    }
    double *next = table->values;
    for (int j = 0; j < table->columns; j++) {
        const double *column = table->values + (size_t)j * rows;
        for (size_t i = 0; i < rows; i++) {
            if (inside[i]) {
                *next++ = column[i];
            }
        }
    }
    table->rows = (int)kept;
    free(inside);
    return -1;
}

/* What is drawn does not go with --list; -1, or the exit code after telling so. */
static int check(messages *m, const plot_arguments *a)
{
    const bool numbers = !isnan(a->y_from) || !isnan(a->y_to) || a->width > 0 || a->height > 0;
    const bool texts = a->out != NULL || a->gnuplot != NULL || a->x != NULL ||
                       a->title != NULL || a->draw != NULL || a->with.count > 0;
    const bool flags = a->log_x || a->log_y || a->equal || a->history || a->residuals ||
                       a->work_precision || a->scaling;

    if (numbers || texts || flags) {
        tell_error(m, "--list draws nothing: it goes with a result, names of columns, --from "
                      "and --to only");
        return CODE_USAGE;
    }
    return -1;
}

/* Marks the columns that the names and patterns after the file stand for; all without any. */
static int choose(messages *m, const text_list *given, const crank_table *table, bool *chosen)
{
    for (int j = 0; j < table->columns; j++) {
        chosen[j] = given->count == 1;
    }
    for (int i = 1; i < given->count; i++) {
        bool any = false;
        for (int j = 0; j < table->columns; j++) {
            const bool match = name_matches(given->item[i], table->names[j]);
            chosen[j] = chosen[j] || match;
            any = any || match;
        }
        if (!any) {
            return tell_no_column(m, given->item[0], given->item[i], table->columns,
                                  (const char *const *)table->names);
        }
    }
    return -1;
}

/* Least and greatest finite value as texts; "-" where there is none. */
static void range(const crank_table *table, int column, char low_text[NUMBER],
                  char high_text[NUMBER])
{
    const double *values = table->values + (size_t)column * (size_t)table->rows;
    double low = (double)INFINITY, high = -(double)INFINITY;

    for (int i = 0; i < table->rows; i++) {
        low = isfinite(values[i]) && values[i] < low ? values[i] : low;
        high = isfinite(values[i]) && values[i] > high ? values[i] : high;
    }
    (void)snprintf(low_text, NUMBER, low <= high ? "%.6g" : "-", low);
    (void)snprintf(high_text, NUMBER, low <= high ? "%.6g" : "-", high);
}

/* Width of a column of texts: that of the widest, within bounds. */
static int width_of(char **texts, const bool *chosen, int count, const char *heading)
{
    size_t width = strlen(heading);

    for (int j = 0; j < count; j++) {
        width = chosen[j] && texts[j] != NULL && strlen(texts[j]) > width ? strlen(texts[j])
                                                                          : width;
    }
    return width < WIDEST ? (int)width : WIDEST;
}

static void print(const crank_table *table, const bool *chosen)
{
    const int name_width = width_of(table->names, chosen, table->columns, "name");
    const int unit_width = width_of(table->units, chosen, table->columns, "unit");
    char low[NUMBER], high[NUMBER];

    (void)printf("%-*s  %-*s  %12s  %12s\n", name_width, "name", unit_width, "unit", "least",
                 "greatest");
    for (int j = 0; j < table->columns; j++) {
        if (!chosen[j]) {
            continue;
        }
        const char *unit = table->units[j], *about = table->descriptions[j];
        range(table, j, low, high);
        (void)printf("%-*s  %-*s  %12s  %12s%s%s\n", name_width, table->names[j], unit_width,
                     unit != NULL && unit[0] != '\0' ? unit : "-", low, high,
                     about != NULL && about[0] != '\0' ? "  " : "", about != NULL ? about : "");
    }
}

int plot_list(messages *m, const plot_arguments *a)
{
    const char *path = a->positional.item[0];
    crank_table *table;
    crank_error err = {0};
    int code = check(m, a);

    if (code >= 0) {
        return code;
    }
    if (crank_table_read(path, &table, &err) != CRANK_OK) {
        tell_file_error(m, path, &err);
        return CODE_FAILED;
    }
    if (table->incomplete) {
        tell_error(m, "warning: %s: its run did not end, or its last row is cut off", path);
    }
    bool *chosen = calloc((size_t)table->columns + 1, sizeof *chosen);
    if (chosen == NULL) {
        tell_error(m, "out of memory");
        code = CODE_FAILED;
    }
    NEXT(code, choose(m, &a->positional, table, chosen));
    NEXT(code, plot_keep_window(m, path, table, a->from, a->to));
    if (code < 0) {
        print(table, chosen);
    }
    free(chosen);
    crank_table_destroy(table);
    return code < 0 ? CODE_DONE : code;
}
