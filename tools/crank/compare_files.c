/* compare_files.c - the comparison for programs and as pictures: a table of methods
 * (docs/formats.md, "Tables of comparisons"), work and precision drawn from it, and the drift
 * over time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include "files.h"
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

/* A cell of text, in quotes where it needs them. */
static void write_text(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', file);
        }
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

/* A cell with a comma before it; empty where there is no value. */
static void write_number(FILE *file, double value)
{
    if (isnan(value)) {
        (void)fputc(',', file);
    } else {
        (void)fprintf(file, ",%.6g", value);
    }
}

/* Entries of the statistics, their names or values; seconds are given as a ratio only. */
static void write_statistics(FILE *file, const compared_run *run, bool names)
{
    const char *name;
    char value[64];

    for (int i = 0; crank_statistics_entry(&run->statistics, i, &name, value, sizeof value);
         i++) {
        if (strcmp(name, "seconds") != 0) {
            (void)fprintf(file, ",%s", names ? name : run->outcome == RUN_REFUSED ? "" : value);
        }
    }
}

static void write_head(FILE *file, const comparison *c)
{
    (void)fputs("problem,method,rtol,variable,error,resolved,ratio", file);
    (void)fputs(",error_column,error_time,error_largest,error_relative,error_mean,error_rms,"
                "error_points",
                file);
    write_statistics(file, &c->runs[0], true);
    for (int level = 0; level < LEVELS; level++) {
        (void)fprintf(file, ",growth_%s", compared_level_name(c->dae, level));
    }
    (void)fputs(",t_reached,status,message\n", file);
}

/* Of a run that reached the end; compare_errors.c. */
static void write_details(FILE *file, const comparison *c, const compared_run *run, int group)
{
    const compared_error *e = &run->error[group];

    if (run->outcome != RUN_DONE || e->count == 0) {
        (void)fputs(",,,,,,,", file);
        return;
    }
    (void)fputc(',', file);
    if (e->column >= 0) {
        write_text(file, c->columns.item[e->column].name);
    }
    (void)fprintf(file, ",%.17g", e->t);
    write_number(file, e->largest);
    write_number(file, e->relative);
    write_number(file, e->mean);
    write_number(file, e->rms);
    (void)fprintf(file, ",%lld", (long long)e->count);
}

static void write_row(FILE *file, const comparison *c, int method, int tolerance, int group)
{
    const compared_run *run = comparison_run(c, method, tolerance);
    const bool refused = run->outcome == RUN_REFUSED;
    char text[TOLERANCE_TEXT];
    bool resolved;
    const double error = comparison_error(c, run, group, &resolved);

    write_text(file, crank_model_title(c->session.model));
    (void)fputc(',', file);
    write_text(file, c->methods[method]);
    (void)fputc(',', file);
    if (!refused) {
        (void)fputs(tolerance_text(c->tolerances[tolerance], text), file);
    }
    (void)fprintf(file, ",%s", compared_group_name(group));
    write_number(file, error);
    (void)fprintf(file, ",%s", isnan(error) ? "" : resolved ? "yes" : "no");
    write_number(file, comparison_ratio(c, run));
    write_details(file, c, run, group);
    write_statistics(file, run, false);
    for (int level = 0; level < LEVELS; level++) {
        write_number(file, refused ? (double)NAN : run->growth[level]);
    }
    write_number(file, refused ? (double)NAN : run->t_reached);
    (void)fprintf(file, ",%s,", refused ? "EREFUSED" : crank_status_name(run->status));
    write_text(file, run->text);
    (void)fputc('\n', file);
}

/* drawn: of which methods; NULL: all */
static void write_rows(FILE *file, const comparison *c, const bool *drawn)
{
    write_head(file, c);
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        for (int i = 0; i < c->method_count && c->columns.of_group[group] > 0; i++) {
            for (int k = 0; k < c->tolerance_count; k++) {
                if (comparison_run(c, i, k)->outcome != RUN_MISSING &&
                    (drawn == NULL || drawn[i])) {
                    write_row(file, c, i, k, group);
                }
            }
        }
    }
}

static int write_csv(const comparison *c, messages *m, const char *path, const bool *drawn)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        tell_error(m, "%s: cannot write: %s", path, strerror(errno));
        return CODE_FAILED;
    }
    write_rows(file, c, drawn);
    const bool written = fflush(file) == 0 && ferror(file) == 0;
    const int reason = errno;
    if (fclose(file) != 0 || !written) {
        tell_error(m, "%s: cannot write: %s", path, strerror(written ? errno : reason));
        return CODE_FAILED;
    }
    return -1;
}

/* ---- pictures ---- */

static plot_arguments picture(const char *path, const char *title)
{
    return (plot_arguments){.out = path,
                            .title = title,
                            .from = (double)NAN,
                            .to = (double)NAN,
                            .y_from = (double)NAN,
                            .y_to = (double)NAN};
}

enum { FEW = 8 }; /* curves that a reader can tell apart */

/* Is method i better to look at than j: does it reach the end with more tolerances, or with as
 * many in less time? */
static bool goes_before(const comparison *c, int i, int j)
{
    int done[2] = {0};
    double seconds[2] = {0};

    for (int k = 0; k < c->tolerance_count; k++) {
        const compared_run *run[2] = {comparison_run(c, i, k), comparison_run(c, j, k)};
        for (int side = 0; side < 2; side++) {
            done[side] += run[side]->outcome == RUN_DONE ? 1 : 0;
            seconds[side] += run[side]->outcome == RUN_DONE ? run[side]->seconds : 0.0;
        }
    }
    return done[0] != done[1]         ? done[0] > done[1]
           : seconds[0] != seconds[1] ? seconds[0] < seconds[1]
                                      : i < j;
}

/* Those that were asked for; of all there are the best few. */
static void choose_drawn(const comparison *c, messages *m, bool *drawn)
{
    const bool all = c->arguments->methods != NULL || c->method_count <= FEW;

    for (int i = 0; i < c->method_count; i++) {
        int before = 0;
        for (int j = 0; j < c->method_count && !all; j++) {
            before += j != i && goes_before(c, j, i) ? 1 : 0;
        }
        drawn[i] = before < FEW;
    }
    if (!all) {
        tell_note(m,
                  "the pictures show %d of %d methods, those that reach the end in the "
                  "shortest time; --methods names others",
                  (int)FEW, c->method_count);
    }
}

/* Of a picture with panels that are not too low for its curves. */
static int height_for(const comparison *c, int panels)
{
    enum { LOW = 230, HIGH = 330 };

    return panels * (c->arguments->methods != NULL && c->method_count > FEW ? HIGH : LOW);
}

static int groups_of(const comparison *c)
{
    int count = 0;

    for (int group = 0; group < COMPARED_GROUPS; group++) {
        count += c->columns.of_group[group] > 0 ? 1 : 0;
    }
    return count;
}

/* Drawn as crank plot --work-precision draws the file. */
static int draw_work(const comparison *c, messages *m, const char *path, const bool *drawn)
{
    figure f = {.plot = crank_plot_default()};
    plot_arguments a = picture(path, NULL);
    temporary_result table = {0};
    crank_error err = {0};
    int code = -1;

    if (temporary_result_make(&table, &err) != CRANK_OK) {
        tell_error(m, "%s", err.text);
        return CODE_FAILED;
    }
    const char *name[] = {table.path};
    a.positional = (text_list){.count = 1, .item = name};
    a.work_precision = true;
    code = write_csv(c, m, table.path, drawn);
    a.height = height_for(c, groups_of(c));
    if (code < 0) {
        code = plot_comparison(m, &a, &f);
    }
    figure_free(&f);
    temporary_result_remove(&table);
    return code == CODE_DONE ? -1 : code;
}

/* The curve of a run on one level. */
static void add_drift(figure *f, const comparison *c, int method, const compared_run *run,
                      int level)
{
    crank_curve *curve = figure_curve(f);
    double *x = figure_keep(f, DRIFT_BINS, sizeof *x);
    double *y = figure_keep(f, DRIFT_BINS, sizeof *y);

    if (x == NULL || y == NULL) {
        return;
    }
    for (int i = 0; i < DRIFT_BINS; i++) {
        if (!isnan(run->drift.t[i])) {
            x[curve->count] = run->drift.t[i];
            y[curve->count++] = run->drift.residual[level][i];
        }
    }
    curve->x = x;
    curve->y = y;
    curve->label =
        f->plot.panel_count == 1 ? c->methods[method] : NULL; /* one legend for all */
    figure_look(curve, f->panels[f->plot.panel_count - 1].curve_count);
    curve->draw = CRANK_DRAW_LINES;
}

static int draw_drift(const comparison *c, messages *m, const char *path, const bool *drawn)
{
    const int k = c->tolerance_count / 2;
    figure f = {.plot = crank_plot_default()};
    plot_arguments a = picture(path, NULL);
    char text[TOLERANCE_TEXT];

    for (int level = 0; level < LEVELS; level++) {
        crank_panel *panel = c->level[level] ? figure_panel(&f, c->method_count) : NULL;
        if (panel == NULL) {
            continue;
        }
        panel->log_y = true;
        panel->y_label = compared_level_name(c->dae, level);
        for (int i = 0; i < c->method_count; i++) {
            const compared_run *run = comparison_run(c, i, k);
            if (drawn[i] && (run->outcome == RUN_DONE || run->outcome == RUN_FAILED)) {
                add_drift(&f, c, i, run, level);
            }
        }
    }
    a.title = figure_text(&f, "%s: residuals of the constraints, tolerance %s",
                          crank_model_title(c->session.model),
                          tolerance_text(c->tolerances[k], text));
    a.height = height_for(c, f.plot.panel_count);
    f.plot.x_label = "time in s";
    const int code = figure_write(m, &a, &f);
    figure_free(&f);
    return code == CODE_DONE ? -1 : code;
}

int comparison_write_files(const comparison *c, messages *m)
{
    const compare_arguments *a = c->arguments;
    bool *drawn = calloc((size_t)c->method_count + 1, sizeof *drawn);
    int code = drawn != NULL ? -1 : CODE_FAILED;

    if (code < 0 && (a->plot != NULL || a->drift != NULL)) {
        choose_drawn(c, m, drawn);
    }
    if (a->csv != NULL && code < 0) {
        code = write_csv(c, m, a->csv, NULL);
    }
    if (a->json != NULL && code < 0) {
        code = comparison_write_json(c, m, a->json);
    }
    if (a->plot != NULL && code < 0) {
        code = draw_work(c, m, a->plot, drawn);
    }
    if (a->drift != NULL && code < 0) {
        code = draw_drift(c, m, a->drift, drawn);
    }
    free(drawn);
    return code;
}
