/* compare_json.c - the comparison as JSON (docs/formats.md, "Comparisons as JSON"). */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A text, in quotes. */
static void write_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20) {
            (void)fprintf(file, "\\u%04x", c);
        } else {
            (void)fprintf(file, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
    }
    (void)fputc('"', file);
}

/* "name": value, null where there is none; before: what stands before it. */
static void write_number(FILE *file, const char *before, const char *name, double value)
{
    (void)fprintf(file, "%s\"%s\": ", before, name);
    if (isfinite(value)) {
        (void)fprintf(file, "%.9g", value);
    } else {
        (void)fputs("null", file);
    }
}

static void write_reference(FILE *file, const comparison *c)
{
    const compare_reference *r = &c->reference;
    const char *before = "";

    (void)fputs("  \"reference\": {\"by\": ", file);
    write_text(file, r->path != NULL ? r->path : r->method);
    if (r->path == NULL) {
        write_number(file, ", ", "tolerance", r->tolerance);
        (void)fputs(", \"check\": ", file);
        write_text(file, r->checked ? r->check : "");
        (void)fprintf(file, ", \"contradictions\": %d", r->contradiction_count);
    }
    (void)fputs(", \"known_to\": {", file);
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (c->columns.of_group[group] > 0) {
            write_number(file, before, compared_group_name(group), r->agreement[group]);
            before = ", ";
        }
    }
    (void)fputs("}, \"interpolated_to\": {", file);
    before = "";
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (c->columns.of_group[group] > 0) {
            const double known = c->plan.at_steps ? r->interpolation[group] : (double)NAN;
            write_number(file, before, compared_group_name(group), known);
            before = ", ";
        }
    }
    (void)fputs("}},\n", file);
}

static void write_error(FILE *file, const comparison *c, const compared_run *run, int group,
                        bool first)
{
    const compared_error *e = &run->error[group];
    bool resolved;

    (void)comparison_error(c, run, group, &resolved);
    (void)fprintf(file, "%s\n      \"%s\": {", first ? "" : ",", compared_group_name(group));
    write_number(file, "", "error", e->scaled);
    (void)fprintf(file, ", \"resolved\": %s, \"column\": ", resolved ? "true" : "false");
    if (e->column >= 0) {
        write_text(file, c->columns.item[e->column].name);
    } else {
        (void)fputs("null", file);
    }
    write_number(file, ", ", "time", e->t);
    write_number(file, ", ", "largest", e->largest);
    write_number(file, ", ", "relative", e->relative);
    write_number(file, ", ", "mean", e->mean);
    write_number(file, ", ", "rms", e->rms);
    (void)fprintf(file, ", \"points\": %lld}", (long long)e->count);
}

static void write_statistics(FILE *file, const compared_run *run)
{
    const char *name, *before = "";
    char value[64];

    (void)fputs(", \"statistics\": {", file);
    for (int i = 0; crank_statistics_entry(&run->statistics, i, &name, value, sizeof value);
         i++) {
        if (strcmp(name, "seconds") != 0) {
            const char *shown = strchr(value, 'n') != NULL ? "null" : value; /* nan, inf */
            (void)fprintf(file, "%s\"%s\": %s", before, name, shown);
            before = ", ";
        }
    }
    (void)fputc('}', file);
}

static void write_run(FILE *file, const comparison *c, int method, int tolerance, bool first)
{
    const compared_run *run = comparison_run(c, method, tolerance);
    const bool refused = run->outcome == RUN_REFUSED;
    bool first_group = true;

    (void)fprintf(file, "%s\n    {\"method\": ", first ? "" : ",");
    write_text(file, c->methods[method]);
    write_number(file, ", ", "tolerance", refused ? (double)NAN : c->tolerances[tolerance]);
    (void)fprintf(file, ", \"status\": \"%s\", \"message\": ",
                  refused ? "EREFUSED" : crank_status_name(run->status));
    write_text(file, run->text);
    write_number(file, ", ", "t_reached", refused ? (double)NAN : run->t_reached);
    write_number(file, ", ", "seconds", run->outcome == RUN_DONE ? run->seconds : (double)NAN);
    write_number(file, ", ", "ratio", comparison_ratio(c, run));
    if (!refused) {
        write_statistics(file, run);
    }
    (void)fputs(", \"errors\": {", file);
    for (int group = 0; group < COMPARED_GROUPS && run->outcome == RUN_DONE; group++) {
        if (run->error[group].count > 0) {
            write_error(file, c, run, group, first_group);
            first_group = false;
        }
    }
    (void)fputs("}}", file);
}

static void write_all(FILE *file, const comparison *c)
{
    bool first = true;

    (void)fputs("{\n  \"problem\": ", file);
    write_text(file, crank_model_title(c->session.model));
    write_number(file, ",\n", "t_start", c->plan.t_start);
    write_number(file, ", ", "t_end", c->plan.t_end);
    (void)fprintf(file, ", \"at\": \"%s\", \"norm\": \"%s\",\n",
                  c->plan.at_steps ? "steps" : "points", c->plan.rms ? "rms" : "max");
    write_reference(file, c);
    (void)fputs("  \"runs\": [", file);
    for (int i = 0; i < c->method_count; i++) {
        for (int k = 0; k < c->tolerance_count; k++) {
            if (comparison_run(c, i, k)->outcome != RUN_MISSING) {
                write_run(file, c, i, k, first);
                first = false;
            }
        }
    }
    (void)fputs("\n  ]\n}\n", file);
}

int comparison_write_json(const comparison *c, messages *m, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        tell_error(m, "%s: cannot write: %s", path, strerror(errno));
        return CODE_FAILED;
    }
    write_all(file, c);
    const bool written = fflush(file) == 0 && ferror(file) == 0;
    const int reason = errno;
    if (fclose(file) != 0 || !written) {
        tell_error(m, "%s: cannot write: %s", path, strerror(written ? errno : reason));
        return CODE_FAILED;
    }
    return -1;
}
