/* plot_result.c - columns of one or several results as panels.
 *
 * Each panel shows some names. Where all its columns have the same unit, the vertical axis
 * tells it, and the name as well if it is the only one; otherwise the legend does. Of several
 * results the same names stand side by side, and each result has dashes of its own. */
// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"

#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const char *path;
    const char *label; /* in the legend */
    crank_table *table;
    int x; /* column of the horizontal axis */
} source;

typedef struct sources {
    int count;
    source *item;
} sources;

/* Names of a panel, in the order in which they are drawn. */
typedef struct name_list {
    int count;
    const char **item;
} name_list;

static bool holds(const name_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->item[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static int open_source(messages *m, const plot_arguments *a, source *s)
{
    crank_error err = {0};

    if (crank_table_read(s->path, &s->table, &err) != CRANK_OK) {
        tell_file_error(m, s->path, &err);
        return CODE_FAILED;
    }
    if (s->table->incomplete) {
        tell_error(m, "warning: %s: its run did not end, or its last row is cut off", s->path);
    }
    s->x = a->x != NULL ? crank_table_find(s->table, a->x) : 0;
    if (s->x < 0) {
        return tell_no_column(m, s->path, a->x, s->table->columns,
                              (const char *const *)s->table->names);
    }
    return plot_keep_window(m, s->path, s->table, a->from, a->to);
}

static int open_sources(messages *m, const plot_arguments *a, figure *f, sources *all)
{
    bool distinct = true;
    char name[256];

    all->item = figure_keep(f, (size_t)a->with.count + 1, sizeof *all->item);
    if (all->item == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    for (int i = 0; i <= a->with.count; i++) {
        source *s = &all->item[all->count++];
        s->path = i == 0 ? a->positional.item[0] : a->with.item[i - 1];
        s->label = figure_text(f, "%s", file_stem(s->path, name, sizeof name));
        for (int k = 0; k < i; k++) {
            distinct = distinct && strcmp(all->item[k].label, s->label) != 0;
        }
        const int code = open_source(m, a, s);
        if (code >= 0) {
            return code;
        }
    }
    for (int i = 0; i < all->count && !distinct; i++) {
        all->item[i].label = all->item[i].path;
    }
    return -1;
}

/* Adds the names that a name or pattern stands for. */
static int choose(messages *m, const sources *all, const char *pattern, name_list *list)
{
    bool any = false;

    for (int s = 0; s < all->count; s++) {
        const crank_table *table = all->item[s].table;
        const int exact = crank_table_find(table, pattern);
        for (int j = 0; j < table->columns; j++) {
            const bool chosen =
                exact >= 0 ? j == exact
                           : j != all->item[s].x && name_matches(pattern, table->names[j]);
            if (chosen && !holds(list, table->names[j])) {
                list->item[list->count++] = table->names[j];
            }
            any = any || chosen;
        }
        if (exact < 0 && strpbrk(pattern, "*?[") == NULL && any) {
            tell_error(m, "warning: %s has no column %s", all->item[s].path, pattern);
        }
    }
    if (!any) {
        const crank_table *first = all->item[0].table;
        return tell_no_column(m, all->item[0].path, pattern, first->columns,
                              (const char *const *)first->names);
    }
    return -1;
}

/* "x [m]"; "x" if the unit is not known or one. */
static const char *with_unit(figure *f, const char *name, const char *unit)
{
    if (unit == NULL || unit[0] == '\0' || strcmp(unit, "1") == 0) {
        return name;
    }
    return figure_text(f, "%s%s[%s]", name, name[0] != '\0' ? " " : "", unit);
}

/* A column without what a step cannot say: in rows that no step leads to, step.* are zero. */
static const double *column_values(figure *f, const crank_table *table, int j)
{
    const size_t rows = (size_t)table->rows;
    const double *column = table->values + (size_t)j * rows;
    const int size = crank_table_find(table, "step.size");

    if (strncmp(table->names[j], "step.", 5) != 0 || size < 0) {
        return column;
    }
    double *copy = figure_keep(f, rows, sizeof *copy);
    for (size_t i = 0; i < rows && copy != NULL; i++) {
        copy[i] = table->values[(size_t)size * rows + i] == 0.0 ? (double)NAN : column[i];
    }
    return copy != NULL ? copy : column;
}

static void warn_of_negative(messages *m, const source *s, int j)
{
    const crank_table *table = s->table;
    int count = 0;

    for (int i = 0; i < table->rows; i++) {
        count += table->values[(size_t)j * (size_t)table->rows + (size_t)i] < 0.0 ? 1 : 0;
    }
    if (count > 0) {
        tell_error(m,
                   "warning: %s: %d negative values of %s have no place on a logarithmic axis",
                   s->path, count, table->names[j]);
    }
}

static void label_panel(figure *f, const sources *all, const name_list *list,
                        crank_panel *panel, const char *const *units)
{
    bool same = true;
    int k = 0;

    for (int i = 1; i < list->count; i++) {
        same = same && strcmp(units[i], units[0]) == 0;
    }
    panel->y_label = list->count == 1 ? with_unit(f, list->item[0], units[0])
                     : same           ? with_unit(f, "", units[0])
                                      : NULL;
    panel->y_label =
        panel->y_label != NULL && panel->y_label[0] == '\0' ? NULL : panel->y_label;
    for (int i = 0; i < list->count; i++) {
        const char *name = with_unit(f, list->item[i], same ? "" : units[i]);
        for (int s = 0; s < all->count; s++) {
            crank_curve *curve = figure_last_curve(f, k);
            if (crank_table_find(all->item[s].table, list->item[i]) < 0) {
                continue;
            }
            curve->label = all->count == 1 ? (list->count == 1 ? panel->y_label : name)
                           : list->count == 1
                               ? all->item[s].label
                               : figure_text(f, "%s, %s", name, all->item[s].label);
            k++;
        }
    }
}

/* One panel with the names of the list. */
static void add_panel(messages *m, const sources *all, const name_list *list, bool log,
                      figure *f)
{
    crank_panel *panel = figure_panel(f, list->count * all->count);
    const char **units = figure_keep(f, (size_t)list->count, sizeof *units);

    if (panel == NULL || units == NULL) {
        return;
    }
    panel->log_y = log;
    for (int i = 0; i < list->count; i++) {
        units[i] = "";
        for (int s = 0; s < all->count; s++) {
            const source *from = &all->item[s];
            const int j = crank_table_find(from->table, list->item[i]);
            if (j < 0) {
                continue;
            }
            crank_curve *curve = figure_curve(f);
            curve->count = from->table->rows;
            curve->x = from->table->values + (size_t)from->x * (size_t)from->table->rows;
            curve->y = column_values(f, from->table, j);
            if (all->count > 1) {
                curve->form = s + 1;
            }
            units[i] = units[i][0] == '\0' ? from->table->units[j] : units[i];
            if (log) {
                warn_of_negative(m, from, j);
            }
        }
    }
    label_panel(f, all, list, panel, units);
}

static bool starts_panel(const char *text)
{
    return strcmp(text, "/") == 0 || strcmp(text, "/log") == 0;
}

/* The panels of the command line: names between "/" and "/log". */
static int add_named(messages *m, const plot_arguments *a, const sources *all, name_list *list,
                     figure *f)
{
    const text_list *given = &a->positional;
    bool log = a->log_y;

    for (int i = 1; i < given->count; i++) {
        const bool start = starts_panel(given->item[i]);
        if (start && list->count > 0) {
            add_panel(m, all, list, log, f);
            list->count = 0;
        }
        if (start) {
            if (i + 1 == given->count || starts_panel(given->item[i + 1])) {
                tell_error(m, "a panel without names: %s is followed by none", given->item[i]);
                return CODE_USAGE;
            }
            log = a->log_y || strcmp(given->item[i], "/log") == 0;
            continue;
        }
        const int code = choose(m, all, given->item[i], list);
        if (code >= 0) {
            return code;
        }
    }
    if (list->count > 0) {
        add_panel(m, all, list, log, f);
    }
    return -1;
}

/* One panel with at most three columns that every run of crank records. */
static int add_recorded(messages *m, const sources *all, const char *const *names, int count,
                        bool log, figure *f)
{
    const char *item[3];
    const name_list list = {.count = count, .item = item};

    for (int s = 0; s < all->count; s++) {
        for (int i = 0; i < count; i++) {
            item[i] = names[i];
            if (crank_table_find(all->item[s].table, names[i]) < 0) {
                tell_error(
                    m,
                    "%s has no column %s; crank run records it unless --only leaves it out: "
                    "run again without --only, or with --only '%.*s.*' too",
                    all->item[s].path, names[i], (int)strcspn(names[i], "."), names[i]);
                return CODE_USAGE;
            }
        }
    }
    add_panel(m, all, &list, log, f);
    return -1;
}

static int add_history(messages *m, const sources *all, figure *f)
{
    static const char *const names[] = {"step.size", "step.newton", "step.rejected",
                                        "step.error"};
    static const char *const titles[] = {"step size [s]", "Newton iterations",
                                         "rejected attempts", "error / tolerance"};
    int code = -1;

    for (int i = 0; i < 4 && code < 0; i++) {
        code = add_recorded(m, all, &names[i], 1, i == 0 || i == 3, f);
        if (code >= 0 || f->failed) {
            break;
        }
        crank_panel *panel = &f->panels[f->plot.panel_count - 1];
        panel->y_label = titles[i];
        if (all->count == 1) {
            figure_last_curve(f, 0)->label = titles[i];
        }
    }
    return code;
}

static int add_residuals(messages *m, const sources *all, figure *f)
{
    static const char *const names[] = {"residual.position", "residual.velocity",
                                        "residual.acceleration"};
    static const char *const levels[] = {"residual.level0", "residual.level1",
                                         "residual.level2"};
    const bool dae = crank_table_find(all->item[0].table, levels[0]) >= 0;
    const int code = add_recorded(m, all, dae ? levels : names, 3, true, f);

    if (code < 0 && !f->failed) {
        f->panels[f->plot.panel_count - 1].y_label = "residual";
    }
    return code;
}

static int fill(messages *m, const plot_arguments *a, const sources *all, figure *f)
{
    name_list list = {0};
    size_t most = 0;

    for (int s = 0; s < all->count; s++) {
        most += (size_t)all->item[s].table->columns;
    }
    list.item = figure_keep(f, most, sizeof *list.item);
    int code = list.item != NULL ? add_named(m, a, all, &list, f) : -1;
    if (code < 0 && a->history) {
        code = add_history(m, all, f);
    }
    if (code < 0 && a->residuals) {
        code = add_residuals(m, all, f);
    }
    const source *first = &all->item[0];
    f->plot.x_label =
        with_unit(f, first->table->names[first->x], first->table->units[first->x]);
    f->plot.log_x = a->log_x;
    f->plot.equal_axes = a->equal;
    f->plot.summary = first->table->title;
    return code;
}

int plot_result(messages *m, const plot_arguments *a, figure *f)
{
    sources all = {0};
    int code = open_sources(m, a, f, &all);

    if (code < 0) {
        code = fill(m, a, &all, f);
    }
    if (code < 0) {
        code = figure_write(m, a, f);
    }
    for (int s = 0; s < all.count; s++) {
        crank_table_destroy(all.item[s].table);
    }
    return code;
}
