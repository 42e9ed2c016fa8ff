/* mechanism_table.c - tables of two columns: in the model file, or in a CSV file with or
 * without a line of names.
 *
 * Columns are separated by commas, semicolons or blanks; lines that are empty or begin with #
 * are left out. The first column must rise from row to row; rows are counted from 1 without the
 * line of names. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static crank_status take(const crank_site *site, int rows, crank_table_data *out)
{
    out->rows = 0;
    out->x = crank_store_take(site->r->store, (size_t)rows, sizeof *out->x);
    out->y = crank_store_take(site->r->store, (size_t)rows, sizeof *out->y);
    return out->x != NULL && out->y != NULL ? CRANK_OK : crank_reading_no_memory(site->r);
}

/* appends a row; file: for messages, empty if the table stands in the model file */
static crank_status add_row(const crank_site *site, const crank_node *node, const char *file,
                            double x, double y, crank_table_data *out)
{
    const int row = out->rows + 1;
    const char *separator = file[0] != '\0' ? ": " : "";
    if (!isfinite(x) || !isfinite(y)) {
        return crank_site_fail(site, node, "%.160s%srow %d: the value is not finite", file,
                               separator, row);
    }
    if (row > 1 && !(x > out->x[row - 2])) {
        return crank_site_fail(site, node,
                               "%.160s%srow %d: the first column must rise, and %g follows %g",
                               file, separator, row, x, out->x[row - 2]);
    }
    out->x[row - 1] = x;
    out->y[row - 1] = y;
    out->rows = row;
    return CRANK_OK;
}

static crank_status check_rows(const crank_site *site, const crank_node *node, const char *file,
                               const crank_table_data *table)
{
    if (table->rows < 2) {
        return crank_site_fail(site, node, "%.160s%s%d rows, a table needs at least 2", file,
                               file[0] != '\0' ? ": " : "", table->rows);
    }
    return CRANK_OK;
}

static crank_status read_list(const crank_site *site, const crank_node *node,
                              crank_table_data *out)
{
    crank_status status = take(site, node->count, out);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const crank_node *row = node->item[i];
        double pair[2] = {0.0, 0.0};
        status = crank_read_numbers(site, row, 2, pair);
        if (status == CRANK_OK) {
            status = add_row(site, row, "", pair[0], pair[1], out);
        }
    }
    return status == CRANK_OK ? check_rows(site, node, "", out) : status;
}

/* cuts the next field out of a line; NULL: none left */
static char *next_field(char **at)
{
    char *start = *at + strspn(*at, " \t");
    if (*start == '\0') {
        return NULL;
    }
    char *end = start + strcspn(start, ",; \t");
    char *next = end + strspn(end, " \t");
    next += *next == ',' || *next == ';';
    *end = '\0';
    *at = next;
    return start;
}

static crank_status read_line(const crank_site *site, const crank_node *node, const char *file,
                              char *line, bool first, crank_table_data *out)
{
    double value[2] = {0.0, 0.0};
    char *at = line;
    for (int i = 0; i < 2; i++) {
        const char *field = next_field(&at);
        if (field == NULL) {
            return crank_site_fail(site, node, "%.160s: row %d: two columns are expected", file,
                                   out->rows + 1);
        }
        if (!crank_number_parse(field, &value[i])) {
            const char *second = i == 0 && first ? next_field(&at) : NULL;
            if (second != NULL && !crank_number_parse(second, &value[1])) {
                return CRANK_OK; /* a line of names */
            }
            return crank_site_fail(site, node, "%.160s: row %d: \"%.40s\" is not a number",
                                   file, out->rows + 1, field);
        }
    }
    if (next_field(&at) != NULL) {
        return crank_site_fail(site, node, "%.160s: row %d: two columns are expected", file,
                               out->rows + 1);
    }
    return add_row(site, node, file, value[0], value[1], out);
}

crank_status crank_read_table(const crank_site *site, const crank_node *node,
                              crank_table_data *out)
{
    if (node->kind == CRANK_NODE_SEQUENCE) {
        return read_list(site, node, out);
    }
    const char *file = NULL;
    char *text = NULL;
    size_t length = 0;
    crank_status status = crank_file_read(site, node, &file, &text, &length);
    if (status != CRANK_OK) {
        return status;
    }
    if (memchr(text, '\0', length) != NULL) {
        return crank_site_fail(site, node, "%.160s: not a text file: it holds zero bytes",
                               file);
    }
    int lines = 1;
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    status = take(site, lines, out);
    bool first = true;
    const size_t mark = strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* of UTF-8 */
    for (char *line = text + mark; line != NULL && status == CRANK_OK;) {
        char *end = strchr(line, '\n');
        char *next = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
        line[strcspn(line, "\r")] = '\0';
        const char *content = line + strspn(line, " \t");
        if (*content != '\0' && *content != '#') {
            status = read_line(site, node, file, line, first, out);
            first = false;
        }
        line = next;
    }
    return status == CRANK_OK ? check_rows(site, node, file, out) : status;
}
