/* table.c - tables of two columns: in the model file, or in a CSV file with or without a line
 * of names. See table.h.
 *
 * Columns are separated by commas, semicolons or blanks; lines that are empty or begin with #
 * are left out. The first column must rise from row to row; rows are counted from 1 without the
 * line of names. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/table.h"

#include "base/number.h"
#include "base/suggest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    const crank_table_reader *reader;
    const char *file; /* for messages; empty if the table stands in the model file */
    crank_table_data *out;
} reading;

static crank_status fail(const reading *r, const crank_node *node, const char *format, ...)
    CRANK_PRINTF(3, 4);
static crank_status fail(const reading *r, const crank_node *node, const char *format, ...)
{
    char text[300], whole[500];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(whole, sizeof whole, "%.160s%s%s", r->file, r->file[0] != '\0' ? ": " : "",
                   text);
    return r->reader->fail(r->reader->self, node, whole);
}

/* ---- rows ---- */

static crank_status take(const reading *r, int rows)
{
    r->out->rows = 0;
    r->out->x = crank_store_take(r->reader->store, (size_t)rows, sizeof *r->out->x);
    r->out->y = crank_store_take(r->reader->store, (size_t)rows, sizeof *r->out->y);
    return r->out->x != NULL && r->out->y != NULL ? CRANK_OK
                                                  : r->reader->no_memory(r->reader->self);
}

static crank_status add_row(const reading *r, const crank_node *node, double x, double y)
{
    crank_table_data *out = r->out;
    const int row = out->rows + 1;
    if (!isfinite(x) || !isfinite(y)) {
        return fail(r, node, "row %d: the value is not finite", row);
    }
    if (row > 1 && !(x > out->x[row - 2])) {
        return fail(r, node, "row %d: the first column must rise, and %g follows %g", row, x,
                    out->x[row - 2]);
    }
    out->x[row - 1] = x;
    out->y[row - 1] = y;
    out->rows = row;
    return CRANK_OK;
}

static crank_status read_list(const reading *r, const crank_node *node)
{
    const crank_table_reader *reader = r->reader;
    crank_status status = take(r, node->count);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const crank_node *row = node->item[i];
        double pair[2] = {0.0, 0.0};
        if (row->kind != CRANK_NODE_SEQUENCE) {
            return fail(r, row, "%s where a list of numbers is expected",
                        crank_node_describe(row));
        }
        if (row->count != 2) {
            return fail(r, row, "%d entries where 2 are expected", row->count);
        }
        for (int k = 0; k < 2 && status == CRANK_OK; k++) {
            status = reader->number(reader->self, row->item[k], &pair[k]);
        }
        if (status == CRANK_OK) {
            status = add_row(r, row, pair[0], pair[1]);
        }
    }
    return status;
}

/* ---- CSV ---- */

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

static crank_status read_line(const reading *r, const crank_node *node, char *line, bool first)
{
    double value[2] = {0.0, 0.0};
    const int row = r->out->rows + 1;
    char *at = line;
    for (int i = 0; i < 2; i++) {
        const char *field = next_field(&at);
        if (field == NULL) {
            return fail(r, node, "row %d: two columns are expected", row);
        }
        if (!crank_number_parse(field, &value[i])) {
            const char *second = i == 0 && first ? next_field(&at) : NULL;
            if (second != NULL && !crank_number_parse(second, &value[1])) {
                return CRANK_OK; /* a line of names */
            }
            return fail(r, node, "row %d: \"%.40s\" is not a number", row, field);
        }
    }
    if (next_field(&at) != NULL) {
        return fail(r, node, "row %d: two columns are expected", row);
    }
    return add_row(r, node, value[0], value[1]);
}

static crank_status read_file(reading *r, const crank_node *node)
{
    char *text = NULL;
    size_t length = 0;
    crank_status status = r->reader->load(r->reader->self, node, &r->file, &text, &length);
    if (status != CRANK_OK) {
        return status;
    }
    if (memchr(text, '\0', length) != NULL) {
        return fail(r, node, "not a text file: it holds zero bytes");
    }
    int lines = 1;
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    status = take(r, lines);
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
            status = read_line(r, node, line, first);
            first = false;
        }
        line = next;
    }
    return status;
}

/* ---- how it goes between and beyond its points ---- */

static const struct {
    const char *name;
    crank_interpolation value;
} interpolations[] = {
    {"spline", CRANK_SPLINE}, {"monotone", CRANK_MONOTONE}, {"linear", CRANK_LINEAR}};
static const struct {
    const char *name;
    crank_outside value;
} outsides[] = {{"error", CRANK_NOT_OUTSIDE},
                {"hold", CRANK_HOLD},
                {"repeat", CRANK_REPEAT},
                {"extrapolate", CRANK_EXTRAPOLATE}};
enum {
    INTERPOLATIONS = sizeof interpolations / sizeof *interpolations,
    OUTSIDES = sizeof outsides / sizeof *outsides
};

static bool set_word(crank_table_way *way, const char *word)
{
    for (int i = 0; i < INTERPOLATIONS; i++) {
        if (strcmp(interpolations[i].name, word) == 0) {
            way->interpolation = interpolations[i].value;
            return true;
        }
    }
    for (int i = 0; i < OUTSIDES; i++) {
        if (strcmp(outsides[i].name, word) == 0) {
            way->outside = outsides[i].value;
            return true;
        }
    }
    return false;
}

crank_table_way crank_table_way_of(const char *words)
{
    crank_table_way way = {CRANK_SPLINE, CRANK_EXTRAPOLATE};
    char word[32];
    while (words != NULL && *words != '\0') {
        const int length = (int)strcspn(words, "|");
        (void)snprintf(word, sizeof word, "%.*s", length, words);
        (void)set_word(&way, word);
        words += length + (words[length] == '|');
    }
    return way;
}

/* one of the words of a key */
static crank_status read_way(const reading *r, const crank_node *node, const char *key,
                             const char *words)
{
    char list[80];
    size_t used = 0;
    const bool scalar = node->kind == CRANK_NODE_SCALAR;
    for (const char *w = words; scalar && *w != '\0';) {
        const size_t length = strcspn(w, "|");
        if (strlen(node->text) == length && strncmp(node->text, w, length) == 0) {
            (void)set_word(&r->out->way, node->text);
            return CRANK_OK;
        }
        w += length + (w[length] == '|');
    }
    for (const char *w = words; used + 2 < sizeof list && *w != '\0'; w++) {
        used += (size_t)snprintf(list + used, sizeof list - used, *w == '|' ? ", " : "%c", *w);
    }
    return fail(r, node, "%s: %s%.80s%s is none of %s", key, scalar ? "\"" : "",
                scalar ? node->text : crank_node_describe(node), scalar ? "\"" : "", list);
}

/* the mapping's own keys; *points, *file: what holds the rows */
static crank_status read_keys(const reading *r, const crank_node *node,
                              const crank_node **points, const crank_node **file)
{
    static const char *const names[] = {"points", "file", "interpolation", "outside"};
    crank_status status = CRANK_OK;
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const char *key = node->key[i]->text;
        const crank_node *value = node->item[i];
        if (strcmp(key, "points") == 0) {
            *points = value;
        } else if (strcmp(key, "file") == 0) {
            *file = value;
        } else if (strcmp(key, "interpolation") == 0) {
            status = read_way(r, value, key, CRANK_TABLE_INTERPOLATIONS);
        } else if (strcmp(key, "outside") == 0) {
            status = read_way(r, value, key, CRANK_TABLE_OUTSIDES);
            r->out->outside_given = true;
        } else {
            const char *near = crank_suggest(key, names, 4);
            status =
                fail(r, node->key[i], "unknown key \"%.80s\"%s%s%s", key,
                     near != NULL ? "; did you mean \"" : "; known are points, file, ",
                     near != NULL ? near : "interpolation, outside", near != NULL ? "\"?" : "");
        }
    }
    if (status == CRANK_OK && (*points == NULL) == (*file == NULL)) {
        status = fail(r, *points != NULL ? *file : node,
                      "a table needs one of \"points\" and \"file\"");
    }
    return status;
}

/* ---- what the rows must be ---- */

/* The first and the last value are the same but for rounding of what made them. */
static crank_status close_period(const reading *r, const crank_node *node)
{
    crank_table_data *t = r->out;
    const double last = t->y[t->rows - 1];
    double low = last, high = last;
    for (int i = 0; i < t->rows; i++) {
        low = fmin(low, t->y[i]);
        high = fmax(high, t->y[i]);
    }
    if (fabs(last - t->y[0]) > 1e-12 * (high - low)) {
        return fail(r, node,
                    "row %d: a table that repeats must end with the value it begins with, %g, "
                    "not %g",
                    t->rows, t->y[0], last);
    }
    t->y[t->rows - 1] = t->y[0];
    return CRANK_OK;
}

/* a spline that swings out between its points */
static crank_status check_range(const reading *r, const crank_node *node)
{
    const crank_table_data *t = r->out;
    crank_table_swing swing;
    char text[400];
    double *data =
        crank_store_take(r->reader->store, crank_tabulated_size(t->rows), sizeof *data);
    if (data == NULL) {
        return r->reader->no_memory(r->reader->self);
    }
    crank_tabulated_fit(t->way, t->rows, t->x, t->y, data);
    if (crank_table_find_swing(t, data, &swing)) {
        const int i = swing.piece;
        (void)snprintf(text, sizeof text,
                       "%.160s%sbetween its points [%.6g, %.6g] and [%.6g, %.6g] the spline "
                       "goes from %.4g to %.4g; \"interpolation: monotone\" stays between them",
                       r->file, r->file[0] != '\0' ? ": " : "", t->x[i], t->y[i], t->x[i + 1],
                       t->y[i + 1], swing.range[0], swing.range[1]);
        r->reader->warn(r->reader->self, node, text);
    }
    return CRANK_OK;
}

crank_status crank_model_table_read(const crank_table_reader *reader, const crank_node *node,
                                    crank_table_way usual, crank_table_data *out)
{
    reading r = {reader, "", out};
    const crank_node *points = NULL, *file = NULL;
    crank_status status = CRANK_OK;
    *out = (crank_table_data){.way = usual};
    if (node->kind == CRANK_NODE_MAPPING) {
        status = read_keys(&r, node, &points, &file);
    } else if (node->kind == CRANK_NODE_SEQUENCE) {
        points = node;
    } else {
        file = node;
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_node *rows = points != NULL ? points : file;
    if (points != NULL && points->kind != CRANK_NODE_SEQUENCE) {
        return fail(&r, points, "%s where a list of pairs is expected",
                    crank_node_describe(points));
    }
    status = points != NULL ? read_list(&r, points) : read_file(&r, file);
    if (status == CRANK_OK && out->rows < 2) {
        status = fail(&r, rows, "%d rows, a table needs at least 2", out->rows);
    }
    if (status == CRANK_OK && out->way.outside == CRANK_REPEAT) {
        status = close_period(&r, rows);
    }
    return status == CRANK_OK && out->way.interpolation == CRANK_SPLINE ? check_range(&r, rows)
                                                                        : status;
}

void crank_model_table_warn(const crank_log *log, crank_pool *pool, crank_ex g, crank_ex t,
                            const char *what)
{
    const crank_table_data *table = NULL;
    double jump = 0.0, at = 0.0;
    const crank_ex argument = crank_ex_find_corner(pool, g, &table, &jump, &at);
    if (argument >= 0 && table != NULL &&
        (argument == t || table->way.interpolation == CRANK_LINEAR)) {
        crank_log_write(log, CRANK_WARNING,
                        "%s: the slope of table \"%.80s\" jumps by %.4g at %s%.6g, and "
                        "velocities with it, without an impact that is told; \"interpolation: "
                        "spline\" does not",
                        what, table->name, jump, argument == t ? "t = " : "its point ", at);
    }
}
