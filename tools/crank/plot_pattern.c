/* plot_pattern.c - "crank plot FILE --pattern": entries of Newton's matrix as points, and below
 * them those of the groups of columns that are differenced together, one column a group, as
 * figures 3 to 5 of Arnold, Fuchs and Fuehrer (2006). FILE is written by crank run
 * --pattern. */
// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"

#include <math.h>
#include <stdlib.h>

/* rows downwards */
static void add_entries(figure *f, const crank_table *table, const int column[3], bool groups)
{
    const size_t rows = (size_t)table->rows;
    double *x = figure_keep(f, rows + 1, sizeof *x), *y = figure_keep(f, rows + 1, sizeof *y);
    crank_panel *panel = figure_panel(f, 1);
    crank_curve *curve = panel != NULL ? figure_curve(f) : NULL;

    if (x == NULL || y == NULL || curve == NULL) {
        f->failed = true;
        return;
    }
    const double *group = table->values + (size_t)column[2] * rows;
    for (size_t i = 0; i < rows; i++) {
        const double at = table->values[(size_t)column[1] * rows + i];
        x[i] = !groups ? at : group[i] > 0.0 ? group[i] : (double)NAN;
        y[i] = -table->values[(size_t)column[0] * rows + i];
    }
    panel->y_label = groups ? "- row, by groups" : "- row, by columns";
    *curve = (crank_curve){.count = table->rows, .x = x, .y = y, .draw = CRANK_DRAW_POINTS};
}

static double most_of(const crank_table *table, int column)
{
    double most = 0.0;

    for (int i = 0; i < table->rows; i++) {
        most = fmax(most, table->values[(size_t)column * (size_t)table->rows + (size_t)i]);
    }
    return most;
}

int plot_pattern(messages *m, const plot_arguments *a, figure *f)
{
    static const char *const names[] = {"row", "column", "group"};
    const char *path = a->positional.item[0];
    crank_table *table = NULL;
    crank_error err = {0};
    int column[3], code = -1;

    if (crank_table_read(path, &table, &err) != CRANK_OK) {
        tell_error(m, "%s", err.text);
        return CODE_FAILED;
    }
    for (int i = 0; i < 3 && code < 0; i++) {
        column[i] = crank_table_find(table, names[i]);
        if (column[i] < 0) {
            tell_error(m, "%s has no column %s: it is not of crank run --pattern", path,
                       names[i]);
            code = CODE_USAGE;
        }
    }
    if (code < 0) {
        const double groups = most_of(table, column[2]);
        f->plot.x_label = figure_text(f, "column (%g entries), group (%g of them)",
                                      (double)table->rows, groups);
        add_entries(f, table, column, false);
        if (groups > 0.0) {
            add_entries(f, table, column, true);
        }
        plot_arguments tall = *a;
        tall.height = a->height > 0 ? a->height : 400 * f->plot.panel_count + 100;
        code = figure_write(m, &tall, f);
    }
    crank_table_destroy(table);
    return code;
}
