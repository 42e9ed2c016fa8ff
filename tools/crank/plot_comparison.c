/* plot_comparison.c - tables of methods: cost against error (work and precision), or against
 * size.
 *
 * One curve for each method, one panel for each problem, variable and cost; a problem that is
 * the only one is the title. Exponents of cost ~ size^p are slopes of the least-squares line
 * through the logarithms, from the geometric middle of the sizes on (below it what does not
 * depend on the size may dominate), or of all if that leaves fewer than two. */
// SPDX-License-Identifier: BSD-3-Clause
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOTED_POINTS = 40 };

typedef struct comparison {
    const char *path;
    crank_comparison *table;
    int x, method, problem, variable, rtol; /* columns; -1: not there */
    bool scaling;
    bool problems; /* more than one */
} comparison;

static const char *cell(const comparison *c, int row, int column)
{
    return column < 0
               ? ""
               : c->table->cells[(size_t)row * (size_t)c->table->columns + (size_t)column];
}

static double value(const comparison *c, int row, int column)
{
    return c->table->values[(size_t)row * (size_t)c->table->columns + (size_t)column];
}

static bool same(const comparison *c, int row, int other, int column)
{
    return strcmp(cell(c, row, column), cell(c, other, column)) == 0;
}

static bool same_panel(const comparison *c, int row, int other)
{
    return same(c, row, other, c->problem) && same(c, row, other, c->variable);
}

/* Number of the method among all, from 1, so that it looks the same in every panel. */
static int method_number(const comparison *c, int row)
{
    int number = 1;

    for (int i = 0; i < c->table->rows && !same(c, i, row, c->method); i++) {
        bool first = true;
        for (int k = 0; k < i && first; k++) {
            first = !same(c, k, i, c->method);
        }
        number += first ? 1 : 0;
    }
    return number;
}

/* A number, or nothing: the method did not get there. */
static int check_numbers(messages *m, const comparison *c, int column)
{
    for (int i = 0; i < c->table->rows; i++) {
        const char *text = cell(c, i, column);
        const bool nan = strcmp(text, "nan") == 0 || strcmp(text, "NaN") == 0;
        if (text[0] != '\0' && !nan && isnan(value(c, i, column))) {
            tell_error(m, "%s: row %d: %s is %s, which is not a number", c->path, i + 1,
                       c->table->names[column], text);
            return CODE_FAILED;
        }
    }
    return -1;
}

typedef struct pair {
    double x, y;
    const char *note;
} pair;

static int by_x(const void *a, const void *b)
{
    const double left = ((const pair *)a)->x, right = ((const pair *)b)->x;

    return (left > right) - (left < right);
}

/* Slope of log y over log x of the points with x >= from; NaN if there are no two. */
static double slope_from(const crank_curve *curve, double from)
{
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;

    for (int i = 0; i < curve->count; i++) {
        if (curve->x[i] >= from && curve->y[i] > 0.0) {
            const double x = log(curve->x[i] / from), y = log(curve->y[i]);
            n += 1.0;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
    }
    const double spread = n * sxx - sx * sx;
    return spread > 1e-12 * n * sxx ? (n * sxy - sx * sy) / spread : (double)NAN;
}

static double exponent(const crank_curve *curve)
{
    double low = INFINITY, high = 0.0;

    for (int i = 0; i < curve->count; i++) {
        if (curve->x[i] > 0.0 && curve->y[i] > 0.0) {
            low = fmin(low, curve->x[i]);
            high = fmax(high, curve->x[i]);
        }
    }
    if (!(low < high)) {
        return (double)NAN;
    }
    const double upper = slope_from(curve, sqrt(low) * sqrt(high) * (1.0 - 1e-12));
    return isnan(upper) ? slope_from(curve, low) : upper;
}

/* The curve of the method of a row, with the rows of its panel. */
static void add_method(const comparison *c, figure *f, int row, int y, bool noted)
{
    const int rows = c->table->rows;
    crank_curve *curve = figure_curve(f);
    pair *pairs = figure_keep(f, (size_t)rows, sizeof *pairs);
    double *xs = figure_keep(f, (size_t)rows, sizeof *xs);
    double *ys = figure_keep(f, (size_t)rows, sizeof *ys);
    const char **notes = figure_keep(f, (size_t)rows, sizeof *notes);

    if (pairs == NULL || xs == NULL || ys == NULL || notes == NULL) {
        return;
    }
    for (int i = row; i < rows; i++) {
        if (same_panel(c, i, row) && same(c, i, row, c->method)) {
            pairs[curve->count++] =
                (pair){value(c, i, c->x), value(c, i, y), cell(c, i, c->rtol)};
        }
    }
    if (c->scaling) {
        qsort(pairs, (size_t)curve->count, sizeof *pairs, by_x);
    }
    for (int i = 0; i < curve->count; i++) {
        xs[i] = pairs[i].x;
        ys[i] = pairs[i].y;
        notes[i] = noted ? pairs[i].note : NULL;
    }
    curve->x = xs;
    curve->y = ys;
    curve->notes = notes;
    curve->label = cell(c, row, c->method);
    figure_look(curve, method_number(c, row));
    curve->draw = f->draw == CRANK_DRAW_AUTO ? CRANK_DRAW_BOTH : f->draw;
    const double slope = c->scaling ? exponent(curve) : (double)NAN;
    if (!isnan(slope)) {
        curve->label = figure_text(f, "%s, exponent %.2f", curve->label, slope);
    }
}

/* Lines of slope 1 and 2 from the cheapest point of the smallest size, as far as the data
 * go. */
static void add_guides(figure *f, crank_panel *panel)
{
    double x0 = INFINITY, y0 = INFINITY, x1 = 0.0, y1 = 0.0;
    const int curves = panel->curve_count;

    for (int k = 0; k < curves; k++) {
        const crank_curve *curve = &panel->curves[k];
        for (int i = 0; i < curve->count; i++) {
            const double x = curve->x[i], y = curve->y[i];
            if (x > 0.0 && y > 0.0) {
                y0 = x < x0 || (x == x0 && y < y0) ? y : y0;
                x0 = fmin(x0, x);
                x1 = fmax(x1, x);
                y1 = fmax(y1, y);
            }
        }
    }
    for (int slope = 1; slope <= 2 && x1 > x0 && y1 > y0; slope++) {
        crank_curve *guide = figure_curve(f);
        double *points = figure_keep(f, 4, sizeof *points);
        const char **notes = figure_keep(f, 2, sizeof *notes);
        if (points == NULL || notes == NULL) {
            return;
        }
        const double end = fmin(x1, x0 * pow(y1 / y0, 1.0 / slope));
        points[0] = x0;
        points[1] = end;
        points[2] = y0;
        points[3] = y0 * pow(end / x0, slope);
        notes[1] = slope == 1 ? "N" : "N\xc2\xb2";
        *guide = (crank_curve){
            .count = 2, .x = points, .y = points + 2, .notes = notes, .draw = CRANK_DRAW_GUIDE};
    }
}

/* The panel of the problem and variable of a row, with costs y. */
static void add_panel(const comparison *c, figure *f, int row, int y)
{
    const int rows = c->table->rows;
    const char *problem = c->problems ? cell(c, row, c->problem) : "",
               *variable = cell(c, row, c->variable);
    crank_panel *panel = figure_panel(f, rows + 2);
    int points = 0;

    if (panel == NULL) {
        return;
    }
    for (int i = row; i < rows; i++) {
        points += same_panel(c, i, row) ? 1 : 0;
    }
    panel->log_y = true;
    panel->y_label = figure_text(f, "%s%s%s%s%s", problem, problem[0] != '\0' ? ": " : "",
                                 c->table->names[y], variable[0] != '\0' ? ", " : "", variable);
    for (int i = row; i < rows; i++) {
        bool first = same_panel(c, i, row);
        for (int k = row; k < i && first; k++) {
            first = !(same_panel(c, k, row) && same(c, k, i, c->method));
        }
        if (first) {
            add_method(c, f, i, y, points <= NOTED_POINTS && c->rtol >= 0);
        }
    }
    if (c->scaling) {
        add_guides(f, panel);
    }
}

static int add_costs(messages *m, const comparison *c, figure *f, int y)
{
    const int code = check_numbers(m, c, y);

    for (int i = 0; i < c->table->rows && code < 0; i++) {
        bool first = true;
        for (int k = 0; k < i && first; k++) {
            first = !same_panel(c, k, i);
        }
        if (first) {
            add_panel(c, f, i, y);
        }
    }
    return code;
}

static int find(messages *m, const comparison *c, const char *name)
{
    const int column = crank_comparison_find(c->table, name);

    if (column < 0) {
        (void)tell_no_column(m, c->path, name, c->table->columns, c->table->names);
    }
    return column;
}

/* The costs that are named, or the first of the usual ones. */
static int choose_costs(messages *m, const plot_arguments *a, const comparison *c, figure *f)
{
    static const char *const usual[] = {"seconds", "ratio", "evaluations", "steps"};
    const int named = a->positional.count - 1;

    for (int i = 0; i < 4 && named == 0; i++) {
        const int y = crank_comparison_find(c->table, usual[i]);
        if (y >= 0) {
            return add_costs(m, c, f, y);
        }
    }
    if (named == 0) {
        tell_error(
            m, "%s has no column seconds, ratio, evaluations or steps; name the costs to draw",
            c->path);
        return CODE_USAGE;
    }
    for (int i = 1; i <= named; i++) {
        const int y = find(m, c, a->positional.item[i]);
        const int code = y < 0 ? CODE_USAGE : add_costs(m, c, f, y);
        if (code >= 0) {
            return code;
        }
    }
    return -1;
}

static int fill(messages *m, const plot_arguments *a, comparison *c, figure *f)
{
    c->scaling = a->scaling;
    c->method = find(m, c, "method");
    c->x = c->method >= 0 ? find(m, c, c->scaling ? "size" : "error") : -1;
    c->problem = crank_comparison_find(c->table, "problem");
    c->variable = crank_comparison_find(c->table, "variable");
    c->rtol = c->scaling ? -1 : crank_comparison_find(c->table, "rtol");
    for (int i = 1; i < c->table->rows; i++) {
        c->problems = c->problems || !same(c, i, 0, c->problem);
    }
    if (c->x < 0) {
        return CODE_USAGE;
    }
    int code = check_numbers(m, c, c->x);
    if (code < 0) {
        code = choose_costs(m, a, c, f);
    }
    f->plot.log_x = true;
    f->plot.x_label = c->scaling ? "size N" : "error";
    return code;
}

int plot_comparison(messages *m, const plot_arguments *a, figure *f)
{
    comparison c = {.path = a->positional.item[0]};
    crank_error err = {0};

    if (crank_comparison_read(c.path, &c.table, &err) != CRANK_OK) {
        tell_file_error(m, c.path, &err);
        return CODE_FAILED;
    }
    int code = fill(m, a, &c, f);
    if (code < 0) {
        plot_arguments titled = *a;
        if (a->title == NULL && !c.problems && c.table->rows > 0 && c.problem >= 0) {
            titled.title = cell(&c, 0, c.problem);
        }
        code = figure_write(m, &titled, f);
    }
    crank_comparison_destroy(c.table);
    return code;
}
