/* csv_read.c - reads CSV results back: a line of names, then rows of numbers.
 *
 * The whole file is read into memory; lines are counted, then parsed in place. A last line
 * without its newline is what a killed run of another program leaves: it is left out and the
 * table says so. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.h"
#include "base/sink.h"
#include "base/then.h"
#include "results/csv.h"
#include "results/format.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

crank_status crank_csv_load(const char *path, char **text, size_t *length, crank_error *err)
{
    crank_status status = crank_file_load(path, CRANK_FILE_INPUT, SIZE_MAX, text, length, err);

    if (status == CRANK_OK && *length == 0) {
        status = crank_fail(err, CRANK_ESYNTAX, "%s: is empty", path);
    }
    return status;
}

int crank_csv_count_fields(const char *text)
{
    int count = 1;
    bool quoted = false;

    for (const char *c = text; *c != '\0' && (quoted || *c != '\n'); c++) {
        quoted = *c == '"' ? !quoted : quoted;
        count += !quoted && *c == ',' && count < INT_MAX ? 1 : 0;
    }
    return count;
}

/* Unquotes the field at *cursor in place, ends it by a zero and moves *cursor behind it.
 * separator receives what ended it: ',', '\n' or 0. */
static char *take_field(char **cursor, char *separator)
{
    char *in = *cursor, *out = *cursor, *field = *cursor;
    bool quoted = *in == '"';

    in += quoted ? 1 : 0;
    while (*in != '\0' && (quoted || (*in != ',' && *in != '\n' && *in != '\r'))) {
        if (quoted && *in == '"') {
            if (in[1] != '"') {
                quoted = false;
                in++;
                continue;
            }
            in++;
        }
        *out++ = *in++;
    }
    if (*in == '\r' && in[1] == '\n') {
        in++;
    }
    *separator = *in;
    *cursor = *in == '\0' ? in : in + 1;
    *out = '\0';
    return field;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (const char *c = strchr(text, '\n'); c != NULL; c = strchr(c + 1, '\n')) {
        count++;
    }
    return count;
}

static crank_status read_names(crank_table *table, char **cursor, int *line, const char *path,
                               crank_error *err)
{
    char separator = ',';
    crank_status status = CRANK_OK;

    for (int j = 0; j < table->columns && status == CRANK_OK; j++) {
        const char *name = take_field(cursor, &separator);
        if (separator == '\0') {
            return crank_fail_at(err, CRANK_ESYNTAX, 1, 0, "%s: the line of names has no end",
                                 path);
        }
        for (const char *c = name; *c != '\0'; c++) {
            *line += *c == '\n' ? 1 : 0;
        }
        status = crank_table_set(&table->names[j], path, name, strlen(name), err);
    }
    return status;
}

/* One row; its line ends in a newline. */
static crank_status read_row(crank_table *table, char **cursor, int line, double *row,
                             const char *path, crank_error *err)
{
    char separator = ',';
    const char *start = *cursor;

    for (int j = 0; j < table->columns; j++) {
        const int place = (int)(*cursor - start) + 1;
        char *end;
        if (separator != ',') {
            return crank_fail_at(err, CRANK_ESYNTAX, line, place,
                                 "%s: %d values, the line of names has %d", path, j,
                                 table->columns);
        }
        const char *field = take_field(cursor, &separator);
        row[j] = strtod(field, &end);
        if (end == field || *end != '\0') {
            return crank_fail_at(err, CRANK_ESYNTAX, line, place,
                                 "%s: column \"%.80s\": \"%.40s\" is not a number", path,
                                 table->names[j], field);
        }
    }
    if (separator == ',') {
        return crank_fail_at(err, CRANK_ESYNTAX, line, (int)(*cursor - start) + 1,
                             "%s: more values than the %d names", path, table->columns);
    }
    return CRANK_OK;
}

/* Rows that the text can hold: a value and what follows it take two bytes. */
static size_t most_rows(const crank_table *table, const char *text)
{
    const size_t lines = count_lines(text);
    const size_t fit = strlen(text) / (2 * (size_t)table->columns);
    return lines < fit ? lines : fit;
}

static crank_status read_rows(crank_table *table, char *cursor, int line, const char *path,
                              crank_error *err)
{
    const size_t lines = count_lines(cursor), limit = most_rows(table, cursor);
    const size_t columns = (size_t)table->columns;
    double *rows = calloc((limit + 1) * columns, sizeof *rows); /* one more, to fail in */
    size_t count = 0;
    crank_status status = CRANK_OK;

    if (rows == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s: %zu rows", path, limit);
    }
    for (size_t i = 0; i < lines && status == CRANK_OK; i++, line++) {
        if (*cursor == '\n' || *cursor == '\r') {
            cursor = strchr(cursor, '\n') + 1; /* an empty line */
            continue;
        }
        status = read_row(table, &cursor, line, rows + count * columns, path, err);
        count++;
    }
    if (status == CRANK_OK) {
        table->incomplete = *cursor != '\0';
        status = crank_table_take_values(table, path, count, err);
    }
    if (status == CRANK_OK) {
        crank_table_put_rows(table, 0, table->rows, rows);
    }
    free(rows);
    return status;
}

static crank_status parse(crank_table *table, char *text, const char *path, crank_error *err)
{
    int line = 2;

    crank_status status = crank_table_take(table, path, crank_csv_count_fields(text), err);
    CRANK_THEN(status, read_names(table, &text, &line, path, err));
    CRANK_THEN(status, read_rows(table, text, line, path, err));
    return status;
}

crank_status crank_csv_read(const char *path, crank_table *table, crank_error *err)
{
    char *text = NULL;
    size_t length = 0;
    crank_c_locale locale;

    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "%s: table", path);
    }
    crank_status status = crank_csv_load(path, &text, &length, err);
    CRANK_THEN(status, parse(table, text, path, err));
    crank_c_locale_leave(&locale);
    free(text);
    return status;
}
