/* convert.c - "crank convert": a result in another format, whole or some of its columns; a study
 * as the table of its members. */
// SPDX-License-Identifier: BSD-3-Clause
#include "columns.h"
#include "files.h"

#include <stdlib.h>
#include <string.h>

typedef struct convert_arguments {
    text_list positional, only;
    bool quiet;
} convert_arguments;

// clang-format off
static const argument arguments[] = {
    {"--only", "PATTERN", ARGUMENT_LIST, offsetof(convert_arguments, only),
     "columns to keep, with * ? [...]; may be repeated; the first column is always kept"},
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(convert_arguments, quiet),
     "say nothing unless something is wrong"},
};
// clang-format on

static const usage convert_usage = {
    .synopsis = "crank convert RESULT OTHER [options]",
    .summary =
        "Writes the result RESULT once more, in the format that the ending of OTHER tells:\n"
        ".csv, .h5, .hdf5, .mat or .nc. RESULT may also be a row log (.rows) that a killed\n"
        "run has left; - is CSV from standard input, or to standard output. A study that "
        "crank\n"
        "sweep wrote becomes a table with a row for each of its members.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(convert_arguments, positional),
    .positional_min = 2,
    .positional_max = 2,
};

static void swap(char **texts, int to, int from)
{
    char *spare = texts[to];
    texts[to] = texts[from];
    texts[from] = spare;
}

/* Moves the columns that are kept to the front, in their order; the others are freed with the
 * table. */
static void move_columns(crank_table *table, const bool *kept)
{
    const size_t rows = (size_t)table->rows;
    int count = 0;

    for (int j = 0; j < table->columns; j++) {
        if (!kept[j]) {
            continue;
        }
        swap(table->names, count, j);
        swap(table->units, count, j);
        swap(table->descriptions, count, j);
        if (count != j) {
            memcpy(table->values + (size_t)count * rows, table->values + (size_t)j * rows,
                   rows * sizeof *table->values);
        }
        count++;
    }
    table->columns = count;
}

static int write_table(messages *m, crank_table *table, const convert_arguments *a)
{
    const int columns = table->columns;
    const char *from = a->positional.item[0], *to = a->positional.item[1];
    bool *kept = calloc((size_t)columns, sizeof *kept);
    crank_error err = {0};

    if (kept == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    int code = columns_choose(m, &a->only, columns, (const char *const *)table->names, kept);
    if (code < 0) {
        kept[0] = true;
        move_columns(table, kept);
        const crank_status status = crank_table_write(table, to, &err);
        code = status == CRANK_OK ? CODE_DONE : CODE_FAILED;
        if (status != CRANK_OK) {
            tell_error(m, "%s", failure_text(status, &err));
        } else if (table->incomplete) {
            tell_note(m, "%s: its run did not end; %d complete rows", from, table->rows);
        }
        table->columns = columns; /* so that all are freed */
    }
    free(kept);
    return code;
}

static int convert_study(messages *m, const convert_arguments *a)
{
    crank_study_table *study;
    crank_error err = {0};
    const crank_status status =
        crank_study_table_read(a->positional.item[0], 0.0, &study, &err);
    if (status != CRANK_OK) {
        tell_file_error(m, a->positional.item[0], &err);
        return CODE_FAILED;
    }
    const int code = write_table(m, study->members, a);
    crank_study_table_destroy(study);
    return code;
}

static int convert(messages *m, const convert_arguments *a)
{
    const char *from = a->positional.item[0], *to = a->positional.item[1];
    crank_table *table;
    crank_error err = {0};

    crank_status status = crank_recorder_check(to, &err);
    if (status != CRANK_OK) {
        tell_error(m, "%s", failure_text(status, &err));
        return CODE_USAGE;
    }
    if (!is_standard_output(to) && !is_device(to) && is_same_file(from, to)) {
        tell_error(m, "%s and %s are the same file", from, to);
        return CODE_USAGE;
    }
    if (crank_study_table_is(from)) {
        return convert_study(m, a);
    }
    status = crank_table_read(from, &table, &err);
    if (status != CRANK_OK) {
        tell_file_error(m, from, &err);
        return CODE_FAILED;
    }
    const int code = write_table(m, table, a);
    crank_table_destroy(table);
    return code;
}

int convert_main(int argc, char **argv)
{
    convert_arguments a = {0};
    int code = arguments_parse(&convert_usage, argc, argv, &a);

    if (code < 0) {
        messages m = {.quiet = a.quiet};
        code = convert(&m, &a);
    }
    arguments_free(&convert_usage, &a);
    return code;
}
