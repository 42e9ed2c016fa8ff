/* comparison.c - reads tables of comparisons: CSV with columns of text beside numbers.
 *
 * The file is read whole and cut into cells in place: a line of names, then rows of as many
 * cells, separated by commas, quoted where they hold commas, quotes or line breaks. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "results/csv.h"

#include <crank/report.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 10000 };

/* Where reading stands; line and column count from 1 and are those of the cell. */
typedef struct reader {
    const char *path;
    char *next;
    int line, cell_line, cell;
    char end; /* what ended the cell: ',', '\n' or 0 */
} reader;

static crank_status fail_here(const reader *r, crank_error *err, const char *what)
{
    return crank_fail_at(err, CRANK_ESYNTAX, r->cell_line, 0, "%s: cell %d: %s", r->path,
                         r->cell, what);
}

/* Cuts the next cell out, unquoted in place. */
static crank_status take_cell(reader *r, const char **cell, crank_error *err)
{
    char *in = r->next, *out = r->next;
    const bool quoted = *in == '"';
    bool open = quoted;

    *cell = out;
    r->cell++;
    r->cell_line = r->line;
    in += quoted ? 1 : 0;
    while (open) {
        if (*in == '\0') {
            return fail_here(r, err, "the quote does not end");
        }
        r->line += *in == '\n' ? 1 : 0;
        if (*in == '"' && in[1] != '"') {
            open = false;
        } else {
            in += *in == '"' ? 1 : 0;
            *out++ = *in;
        }
        in++;
    }
    while (*in != '\0' && *in != ',' && *in != '\n' && !(*in == '\r' && in[1] == '\n')) {
        if (quoted || *in == '"') {
            return fail_here(
                r, err, "a quote inside the cell; quote all of it and double those inside");
        }
        *out++ = *in++;
    }
    in += *in == '\r' ? 1 : 0;
    r->end = *in;
    r->line += *in == '\n' ? 1 : 0;
    r->next = *in == '\0' ? in : in + 1;
    *out = '\0';
    return CRANK_OK;
}

static crank_status read_names(crank_comparison *table, reader *r, crank_error *err)
{
    for (int j = 0; j < table->columns; j++) {
        const crank_status status = take_cell(r, &table->names[j], err);
        if (status != CRANK_OK) {
            return status;
        }
        if (table->names[j][0] == '\0') {
            return fail_here(r, err, "a column without a name");
        }
        for (int i = 0; i < j; i++) {
            if (strcmp(table->names[i], table->names[j]) == 0) {
                return fail_here(r, err, "a name that an earlier column has");
            }
        }
    }
    return CRANK_OK;
}

static crank_status read_row(crank_comparison *table, reader *r, crank_error *err)
{
    const size_t first = (size_t)table->rows * (size_t)table->columns;

    r->cell = 0;
    for (int j = 0; j < table->columns; j++) {
        const char **cell = &table->cells[first + (size_t)j];
        const crank_status status = take_cell(r, cell, err);
        if (status != CRANK_OK) {
            return status;
        }
        if ((r->end == ',') != (j + 1 < table->columns)) {
            return crank_fail_at(err, CRANK_ESYNTAX, r->cell_line, 0,
                                 "%s: %s cells than the %d columns", r->path,
                                 r->end == ',' ? "more" : "fewer", table->columns);
        }
        double *value = &table->values[first + (size_t)j];
        if (!crank_number_parse(*cell, value)) {
            *value = (double)NAN;
        }
    }
    table->rows++;
    return CRANK_OK;
}

static crank_status read_rows(crank_comparison *table, reader *r, size_t length,
                              crank_error *err)
{
    const size_t most =
        length / (size_t)table->columns + 1; /* a cell is a character at least */
    crank_status status = CRANK_OK;

    if (most > INT_MAX) {
        return crank_fail(err, CRANK_ESYNTAX, "%s: too long", r->path);
    }
    table->cells = calloc(most * (size_t)table->columns, sizeof *table->cells);
    table->values = calloc(most * (size_t)table->columns, sizeof *table->values);
    if (table->cells == NULL || table->values == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s: %zu rows", r->path, most);
    }
    while (*r->next != '\0' && status == CRANK_OK) {
        status = read_row(table, r, err);
    }
    if (status == CRANK_OK && table->rows == 0) {
        status = crank_fail(err, CRANK_ESYNTAX, "%s: has no rows", r->path);
    }
    return status;
}

static crank_status read_table(const char *path, crank_comparison *table, crank_error *err)
{
    size_t length = 0;
    crank_status status = crank_csv_load(path, &table->text, &length, err);

    if (status != CRANK_OK) {
        return status;
    }
    const bool mark = /* spreadsheets write it */
        length >= 3 && memcmp(table->text, "\xef\xbb\xbf", 3) == 0;
    reader r = {.path = path, .next = table->text + (mark ? 3 : 0), .line = 1};
    table->columns = crank_csv_count_fields(r.next);
    if (table->columns > MOST_COLUMNS) {
        return crank_fail(err, CRANK_ESYNTAX, "%s: %d columns; at most %d", path,
                          table->columns, MOST_COLUMNS);
    }
    table->names = calloc((size_t)table->columns, sizeof *table->names);
    if (table->names == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s: %d columns", path, table->columns);
    }
    status = read_names(table, &r, err);
    return status == CRANK_OK ? read_rows(table, &r, length, err) : status;
}

crank_status crank_comparison_read(const char *path, crank_comparison **out, crank_error *err)
{
    crank_comparison *table = calloc(1, sizeof *table);

    *out = NULL;
    if (table == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", path);
    }
    const crank_status status = read_table(path, table, err);
    if (status != CRANK_OK) {
        crank_comparison_destroy(table);
        return status;
    }
    *out = table;
    return CRANK_OK;
}

void crank_comparison_destroy(crank_comparison *table)
{
    if (table != NULL) {
        free(table->text);
        free(table->names);
        free(table->cells);
        free(table->values);
        free(table);
    }
}

int crank_comparison_find(const crank_comparison *table, const char *name)
{
    for (int j = 0; j < table->columns; j++) {
        if (strcmp(table->names[j], name) == 0) {
            return j;
        }
    }
    return -1;
}
