/* compare_table.c - the comparison as text: what was compared with what, then a block of lines
 * for each method. Columns are as wide as their cells. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, COLUMNS = 16, CELL = 16 };

typedef struct cells {
    int count;
    char text[COLUMNS][CELL];
} cells;

/* ---- long sentences ---- */

/* Prints words, with an indentation on further lines; at is where the cursor stands. */
static void print_wrapped(const char *text, int at, int indent)
{
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (at > indent && at + 1 + length > WIDTH) {
            (void)printf("\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            (void)putchar(' ');
            at++;
        }
        (void)printf("%.*s", length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    (void)putchar('\n');
}

static void print_labelled(const char *label, const char *format, ...) CRANK_PRINTF(2, 3);

/* "label     sentence" */
static void print_labelled(const char *label, const char *format, ...)
{
    enum { INDENT = 11 };
    char text[800];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)printf("%-*s", INDENT, label);
    print_wrapped(text, INDENT, INDENT);
}

/* ---- cells ---- */

const char *tolerance_text(double tolerance, char text[TOLERANCE_TEXT])
{
    (void)snprintf(text, TOLERANCE_TEXT, "%.0e", tolerance);
    if (!(fabs(strtod(text, NULL) - tolerance) <= 1e-9 * tolerance)) {
        (void)snprintf(text, TOLERANCE_TEXT, "%.3g", tolerance);
    }
    return text;
}

static void add(cells *row, const char *format, ...) CRANK_PRINTF(2, 3);

static void add(cells *row, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vsnprintf(row->text[row->count++], CELL, format, list);
    va_end(list);
}

static void add_count(cells *row, int64_t count)
{
    if (count < 1000000) {
        add(row, "%d", (int)count);
    } else {
        add(row, "%.4gM", (double)count / 1e6);
    }
}

static void add_error(cells *row, const comparison *c, const compared_run *run, int group)
{
    bool resolved;
    const double error = comparison_error(c, run, group, &resolved);

    if (isnan(error)) {
        add(row, "-");
    } else {
        add(row, resolved ? "%.1e" : "<%.0e", error);
    }
}

static void add_ratio(cells *row, double ratio)
{
    if (isnan(ratio)) {
        add(row, "-");
    } else {
        add(row, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
    }
}

static cells heading(const comparison *c)
{
    static const char *const errors[COMPARED_GROUPS] = {"pos", "vel", "mult", "other"};
    static const char *const mechanical[LEVELS] = {"pos", "vel", "acc"};
    static const char *const general[LEVELS] = {"lev 0", "lev 1", "lev 2"};
    const char *const *drifts = c->dae ? general : mechanical;
    static const char *const counters[] = {"steps", "rej", "evals", "Jac", "fact", "Newton"};
    cells row = {0};

    add(&row, "tol");
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (c->columns.of_group[group] > 0) {
            add(&row, "%s", errors[group]);
        }
    }
    for (int i = 0; i < 6; i++) {
        add(&row, "%s", counters[i]);
    }
    add(&row, "time");
    for (int level = 0; level < LEVELS; level++) {
        if (c->level[level]) {
            add(&row, "%s", drifts[level]);
        }
    }
    return row;
}

static cells line_of(const comparison *c, const compared_run *run, double tolerance)
{
    const crank_statistics *s = &run->statistics;
    const double residual[LEVELS] = {s->max_residual_position, s->max_residual_velocity,
                                     s->max_residual_acceleration};
    char text[TOLERANCE_TEXT];
    cells row = {0};

    add(&row, "%s", tolerance_text(tolerance, text));
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (c->columns.of_group[group] > 0) {
            add_error(&row, c, run, group);
        }
    }
    add_count(&row, s->steps);
    add_count(&row, s->rejected_error + s->rejected_convergence);
    add_count(&row, s->evaluations);
    add_count(&row, s->jacobians);
    add_count(&row, s->factorizations);
    add_count(&row, s->newton_iterations);
    add_ratio(&row, comparison_ratio(c, run));
    for (int level = 0; level < LEVELS; level++) {
        if (c->level[level]) {
            add(&row, "%.0e", residual[level]);
        }
    }
    return row;
}

static void widen(int *width, const cells *row)
{
    for (int i = 0; i < row->count; i++) {
        const int length = (int)strlen(row->text[i]);
        width[i] = length > width[i] ? length : width[i];
    }
}

static void find_widths(const comparison *c, int *width)
{
    cells row = heading(c);

    widen(width, &row);
    for (int k = 0; k < c->tolerance_count; k++) {
        char text[TOLERANCE_TEXT];
        const int length = (int)strlen(tolerance_text(c->tolerances[k], text));
        width[0] = length > width[0] ? length : width[0];
    }
    for (int i = 0; i < c->method_count; i++) {
        for (int k = 0; k < c->tolerance_count; k++) {
            const compared_run *run = comparison_run(c, i, k);
            if (run->outcome == RUN_DONE) {
                row = line_of(c, run, c->tolerances[k]);
                widen(width, &row);
            }
        }
    }
}

static void print_line(const cells *row, const int *width)
{
    for (int i = 0; i < row->count; i++) {
        (void)printf(i == 0 ? "  %*s" : " %*s", width[i], row->text[i]);
    }
    (void)putchar('\n');
}

/* What the columns are of, above the names of the first errors and residuals. */
static void print_head(const comparison *c, const int *width)
{
    const cells row = heading(c);
    int residuals = row.count, between = 0; /* first column of them */

    for (int level = 0; level < LEVELS; level++) {
        residuals -= c->level[level] ? 1 : 0;
    }
    for (int i = 2; i < residuals; i++) {
        between += 1 + width[i];
    }
    (void)printf("  %*s %*s", width[0], "", width[1], "error");
    if (residuals < row.count) {
        (void)printf("%*s %*s", between, "", width[residuals], "drift");
    }
    (void)putchar('\n');
    print_line(&row, width);
}

/* ---- what it is about ---- */

static void print_reference(const comparison *c)
{
    const compare_reference *r = &c->reference;
    char text[200] = "", tolerance[2][TOLERANCE_TEXT];
    size_t used = 0;

    if (r->path != NULL) {
        print_labelled("reference",
                       "%s; its accuracy is not known, errors below it say nothing", r->path);
        if (r->missing > 0) {
            print_labelled("", "it lacks %d of %d columns, such as %s", r->missing,
                           c->columns.count, r->first_missing);
        }
        return;
    }
    tolerance_text(r->tolerance, tolerance[0]);
    if (!r->checked) {
        print_labelled("reference", "%s at %s; no second run checks it", r->method,
                       tolerance[0]);
        return;
    }
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (!isnan(r->agreement[group])) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.0e",
                                     used > 0 ? ", " : "", compared_group_name(group),
                                     r->agreement[group]);
        }
    }
    tolerance_text(r->check_tolerance, tolerance[1]);
    print_labelled("reference", "%s at %s; %s at %s %s %s", r->method, tolerance[0], r->check,
                   tolerance[1],
                   r->contradiction_count < CHECKS ? "agrees to" : "comes nearest, to", text);
    for (int i = 0; i < r->contradiction_count; i++) {
        print_labelled("", "NOT CONFIRMED: %s at %s ends elsewhere, by %.0e",
                       r->contradiction[i], tolerance[0], r->contradicted_by[i]);
    }
}

/* the largest error of a run; NaN: it is not complete */
static double largest_error(const compared_run *run)
{
    double largest = run->outcome == RUN_DONE ? 0.0 : (double)NAN;

    for (int group = 0; group < COMPARED_GROUPS; group++) {
        const double error = run->error[group].scaled;
        largest = error > largest ? error : largest;
    }
    return largest;
}

/* Methods that do not come nearer to the reference as the tolerance falls: they approach
 * something else. */
static void print_elsewhere(const comparison *c)
{
    static const double nearer = 0.5, above = 1e3; /* of the error; over the tolerance */
    char text[200] = "";
    size_t used = 0;
    int tight = 0, loose = 0, count = 0;

    for (int k = 1; k < c->tolerance_count; k++) {
        tight = c->tolerances[k] < c->tolerances[tight] ? k : tight;
        loose = c->tolerances[k] > c->tolerances[loose] ? k : loose;
    }
    for (int i = 0; i < c->method_count; i++) {
        const double last = largest_error(comparison_run(c, i, tight));
        const double first = largest_error(comparison_run(c, i, loose));
        /* ten times the tolerance is too near to tell */
        if (c->tolerances[tight] < 0.05 * c->tolerances[loose] && last >= nearer * first &&
            last > above * c->tolerances[tight]) {
            count++;
            if (used + 40 < sizeof text) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%.0e)",
                                         used > 0 ? ", " : "", c->methods[i], last);
            }
        }
    }
    if (count > 0) {
        print_labelled("disagree",
                       "%d %s not come nearer to the reference as the tolerance falls: %s%s",
                       count, count == 1 ? "method does" : "methods do", text,
                       used + 40 < sizeof text ? "" : ", ...");
        print_labelled("", "one side is wrong, and errors say nothing until it is known which; "
                           "steps that pass");
        print_labelled("", "something unseen are found by --option h_max=..., theory 8.8");
    }
}

/* Are there errors that the two references cannot tell from zero? */
static void print_unresolved(const comparison *c)
{
    int count = 0;

    for (int i = 0; i < c->method_count * c->tolerance_count; i++) {
        for (int group = 0; group < COMPARED_GROUPS; group++) {
            bool resolved = true;
            (void)comparison_error(c, &c->runs[i], group, &resolved);
            count += resolved ? 0 : 1;
        }
    }
    if (count > 0) {
        print_labelled(
            "", "errors marked < (%d) are not resolved: smaller than what the two agree to%s",
            count, c->plan.at_steps ? ", or cubics are off by" : "");
    }
}

static void print_measure(const comparison *c)
{
    const run_plan *plan = &c->plan;
    const char *norm = plan->rms ? "largest root mean square over the columns of (x - X) / "
                                   "(1 + |X|)"
                                 : "largest |x - X| / (1 + |X|)";
    char text[200] = "";
    size_t used = 0;

    if (!plan->at_steps && plan->point_count > 1) {
        print_labelled("error", "%s at %d points, X the reference", norm, plan->point_count);
    } else if (!plan->at_steps) {
        print_labelled("error", "%s at the end, X the reference", norm);
    } else {
        for (int group = 0; group < COMPARED_GROUPS; group++) {
            if (c->columns.of_group[group] > 0) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.0e",
                                         used > 0 ? ", " : "", compared_group_name(group),
                                         c->reference.interpolation[group]);
            }
        }
        print_labelled("error",
                       "%s at the steps, X the reference, by cubics through four of its %d "
                       "points, which are off by %s",
                       norm, plan->point_count, text);
    }
}

static void print_subject(const comparison *c)
{
    const run_plan *plan = &c->plan;
    const compared_columns *columns = &c->columns;

    print_labelled("model", "%s, %.6g to %.6g s, %d columns compared",
                   crank_model_title(c->session.model), plan->t_start, plan->t_end,
                   columns->count);
    print_reference(c);
    print_unresolved(c);
    print_elsewhere(c);
    print_measure(c);
    print_labelled("time", "of the processor for the integration, 1 is the fastest run; noisy");
    if (c->level[0] || c->level[1] || c->level[2]) {
        print_labelled("drift", "largest scaled residual of the constraints at the steps");
    }
    if (columns->not_unique > 0) {
        print_labelled("left out",
                       "%d multipliers or reactions that are not unique, such as %s",
                       columns->not_unique, columns->first_not_unique);
    }
    if (columns->not_examined) {
        print_labelled("note", "whether the multipliers are unique was not examined");
    }
}

/* ---- methods ---- */

static void print_failure(const compared_run *run, double tolerance, int width)
{
    char text[MESSAGE_SIZE + 120], shown[TOLERANCE_TEXT];

    (void)snprintf(text, sizeof text, "stopped at t = %.6g after %lld steps: %s%s",
                   run->t_reached, (long long)run->statistics.steps, run->text,
                   failure_remedy(run->status));
    (void)printf("  %*s ", width, tolerance_text(tolerance, shown));
    print_wrapped(text, width + 3, width + 3);
}

static void print_growth(const comparison *c, const compared_run *run, double tolerance)
{
    char text[TOLERANCE_TEXT];
    bool any = false;

    for (int level = 0; level < LEVELS; level++) {
        if (run->outcome == RUN_DONE && c->level[level] && !isnan(run->growth[level])) {
            if (any) {
                (void)fputs(", ", stdout);
            } else {
                (void)printf("  drift at %s: ", tolerance_text(tolerance, text));
            }
            (void)printf("%s grows as t^%.2f", compared_level_name(c->dae, level),
                         run->growth[level]);
            any = true;
        }
    }
    if (any) {
        (void)putchar('\n');
    }
}

static void print_method(const comparison *c, int method, const int *width)
{
    const run_outcome first = comparison_run(c, method, 0)->outcome;

    if (first == RUN_MISSING || first == RUN_REFUSED) {
        return;
    }
    (void)printf("%s\n", c->methods[method]);
    for (int k = 0; k < c->tolerance_count; k++) {
        const compared_run *run = comparison_run(c, method, k);
        if (run->outcome == RUN_DONE) {
            const cells row = line_of(c, run, c->tolerances[k]);
            print_line(&row, width);
        } else if (run->outcome == RUN_FAILED) {
            print_failure(run, c->tolerances[k], width[0]);
        }
    }
    for (int k = 0; k < c->tolerance_count; k++) {
        print_growth(c, comparison_run(c, method, k), c->tolerances[k]);
    }
}

static bool refuses(const comparison *c, int method, const char *reason)
{
    const compared_run *run = comparison_run(c, method, 0);

    return run->outcome == RUN_REFUSED && strcmp(run->text, reason) == 0;
}

/* "a, b, c:" of all methods from this one on that refuse for this reason. */
static void print_names(const comparison *c, int method, const char *reason)
{
    int at = printf("  %s", c->methods[method]);

    for (int k = method + 1; k < c->method_count; k++) {
        if (refuses(c, k, reason)) {
            (void)putchar(',');
            if (at + 3 + (int)strlen(c->methods[k]) > WIDTH) {
                (void)fputs("\n ", stdout);
                at = 0;
            }
            at += 1 + printf(" %s", c->methods[k]);
        }
    }
    (void)fputs(":\n    ", stdout);
}

/* Those that do not take the model, together where the reason is the same. */
static void print_refused(const comparison *c)
{
    bool any = false;

    for (int i = 0; i < c->method_count; i++) {
        const char *reason = comparison_run(c, i, 0)->text;
        bool first = refuses(c, i, reason);
        for (int k = 0; k < i && first; k++) {
            first = !refuses(c, k, reason);
        }
        if (first) {
            (void)fputs(any ? "" : "refused\n", stdout);
            any = true;
            print_names(c, i, reason);
            print_wrapped(reason, 4, 4);
        }
    }
}

void comparison_print(const comparison *c)
{
    int width[COLUMNS] = {0};

    print_subject(c);
    find_widths(c, width);
    (void)putchar('\n');
    print_head(c, width);
    for (int i = 0; i < c->method_count; i++) {
        print_method(c, i, width);
    }
    print_refused(c);
}
