/* compare_details.c - errors in detail: the largest one, when and in which column, relative and
 * mean errors; a line for each run and group of columns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text);

    return length > width ? length : width;
}

static void print_value(double value, bool last)
{
    if (isnan(value)) {
        (void)printf(" %10s", "-");
    } else {
        (void)printf(" %10.3e", value);
    }
    (void)fputs(last ? "\n" : "", stdout);
}

static const char *column_name(const comparison *c, const compared_error *e)
{
    return e->column >= 0 ? c->columns.item[e->column].name : "-";
}

static void print_run(const comparison *c, int method, int tolerance, const int width[2])
{
    const compared_run *run = comparison_run(c, method, tolerance);
    char text[TOLERANCE_TEXT];

    for (int group = 0; group < COMPARED_GROUPS && run->outcome == RUN_DONE; group++) {
        const compared_error *e = &run->error[group];
        if (e->count > 0) {
            (void)printf("  %-*s %6s  %-10s %-*s %8lld %12.6g", width[0], c->methods[method],
                         tolerance_text(c->tolerances[tolerance], text),
                         compared_group_name(group), width[1], column_name(c, e),
                         (long long)e->count, e->t);
            print_value(e->largest, false);
            print_value(e->relative, false);
            print_value(e->mean, false);
            print_value(e->rms, true);
        }
    }
}

void comparison_print_errors(const comparison *c)
{
    int width[2] = {(int)strlen("method"), (int)strlen("column")};

    for (int i = 0; i < c->method_count; i++) {
        width[0] = wider(width[0], c->methods[i]);
        for (int k = 0; k < c->tolerance_count; k++) {
            const compared_run *run = comparison_run(c, i, k);
            for (int group = 0; group < COMPARED_GROUPS && run->outcome == RUN_DONE; group++) {
                width[1] = wider(width[1], column_name(c, &run->error[group]));
            }
        }
    }
    (void)printf("\nerrors in detail: D = largest |x - X|, reached at t* in the column; D/|X|; "
                 "sqrt(sum D_i^2)/n; sqrt(sum D_i^2/n)\n");
    (void)printf("  %-*s %6s  %-10s %-*s %8s %12s %10s %10s %10s %10s\n", width[0], "method",
                 "tol", "group", width[1], "column", "n", "t*", "D", "relative", "mean", "rms");
    for (int i = 0; i < c->method_count; i++) {
        for (int k = 0; k < c->tolerance_count; k++) {
            print_run(c, i, k, width);
        }
    }
}
