/* mat_write.c - writes a MAT file (see mat.h) from a row log or a table, in constant memory. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/mat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- limits ---- */

static size_t description_length(const crank_column *c)
{
    return strlen(crank_text_or_empty(c->description)) + strlen(crank_text_or_empty(c->unit)) +
           3; /* " [" and "]" */
}

/* Lengths of the text matrices; at least 1, since some tools stumble over empty ones. */
static void find_lengths(const crank_result_head *head, size_t *name, size_t *description)
{
    *name = 1;
    *description = 1;
    for (int j = 0; j < head->column_count; j++) {
        const size_t n = strlen(head->columns[j].name);
        const size_t d = description_length(&head->columns[j]);
        *name = n > *name ? n : *name;
        *description = d > *description ? d : *description;
    }
}

static crank_status check(const char *path, const crank_result_head *head, crank_error *err)
{
    size_t name, description;
    const crank_result_info *info = &head->info;
    const char *texts[] = {info->title, info->model, info->method, info->scene};
    const size_t count = (size_t)head->column_count;

    find_lengths(head, &name, &description);
    if (name > INT32_MAX / count || description > INT32_MAX / count) {
        return crank_fail(
            err, CRANK_EARG,
            "%.200s: %d names and descriptions of up to %zu bytes do not fit into "
            "a MAT file of version 4; write .h5",
            path, head->column_count, name > description ? name : description);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strlen(crank_text_or_empty(texts[i])) > INT32_MAX) {
            return crank_fail(
                err, CRANK_EARG,
                "%.200s: a text of more than 2 GB does not fit into a MAT file of "
                "version 4; write .h5",
                path);
        }
    }
    return CRANK_OK;
}

/* ---- the MAT file ---- */

static void put_header(crank_sink *sink, int type, size_t rows, size_t columns,
                       const char *name)
{
    const crank_mat_header header = {.type = type,
                                     .rows = (int32_t)rows,
                                     .columns = (int32_t)columns,
                                     .name_length = (int32_t)strlen(name) + 1};
    crank_sink_append(sink, &header, sizeof header);
    crank_sink_append(sink, name, strlen(name) + 1);
}

static void put_padded(crank_sink *sink, size_t used, size_t length)
{
    for (size_t i = used; i < length; i++) {
        crank_sink_append(sink, "", 1);
    }
}

static void put_class(crank_sink *sink)
{
    static const char lines[4][12] = {"Atrajectory", "1.1        ", "           ",
                                      "binTrans   "};
    put_header(sink, CRANK_MAT_TEXT, 4, 11, "Aclass");
    for (int column = 0; column < 11; column++) {
        for (int line = 0; line < 4; line++) {
            crank_sink_append(sink, &lines[line][column], 1);
        }
    }
}

/* A description that ends in a bracket gets an empty unit, so that its end is not taken for
 * one. */
static void put_description(crank_sink *sink, const crank_column *c, size_t length)
{
    const char *text = crank_text_or_empty(c->description);
    const char *unit = crank_text_or_empty(c->unit);
    const size_t end = strlen(text);
    size_t used = end;

    crank_sink_append(sink, text, end);
    if (unit[0] != '\0' || (end > 0 && text[end - 1] == ']')) {
        const char *open = end > 0 ? " [" : "[";
        crank_sink_append(sink, open, strlen(open));
        crank_sink_append(sink, unit, strlen(unit));
        crank_sink_append(sink, "]", 1);
        used += strlen(open) + strlen(unit) + 1;
    }
    put_padded(sink, used, length);
}

static void put_names(crank_sink *sink, const crank_result_head *head)
{
    const size_t count = (size_t)head->column_count;
    size_t name, description;

    find_lengths(head, &name, &description);
    put_header(sink, CRANK_MAT_TEXT, name, count, "name");
    for (size_t j = 0; j < count; j++) {
        const size_t length = strlen(head->columns[j].name);
        crank_sink_append(sink, head->columns[j].name, length);
        put_padded(sink, length, name);
    }
    put_header(sink, CRANK_MAT_TEXT, description, count, "description");
    for (size_t j = 0; j < count; j++) {
        put_description(sink, &head->columns[j], description);
    }
    put_header(sink, CRANK_MAT_INT32, CRANK_MAT_INFO, count, "dataInfo");
    for (size_t j = 0; j < count; j++) {
        const int32_t entry[CRANK_MAT_INFO] = {j == 0 ? 0 : 2, (int32_t)j + 1, 0, -1};
        crank_sink_append(sink, entry, sizeof entry);
    }
}

/* Rows first .. first + count - 1. */
static crank_status put_data(crank_sink *sink, const crank_logged_rows *from, size_t columns,
                             crank_error *err)
{
    enum { BLOCK = 1 << 14 };
    const size_t most = columns < BLOCK ? BLOCK / columns : 1;
    double *rows = calloc(most * columns, sizeof *rows);
    double ends[2] = {0.0, 0.0};
    crank_status status = CRANK_OK;

    if (rows == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s: rows of %zu columns", sink->path, columns);
    }
    for (int i = 0; i < 2 && from->rows > 0 && status == CRANK_OK; i++) {
        status = crank_logged_rows_get(from, i == 0 ? 0 : from->rows - 1, 1, rows, err);
        ends[i] = rows[0];
    }
    put_header(sink, CRANK_MAT_DOUBLE, 1, 2, "data_1");
    crank_sink_append(sink, ends, sizeof ends);
    put_header(sink, CRANK_MAT_DOUBLE, columns, (size_t)from->rows, "data_2");
    for (uint64_t i = 0; i < from->rows && status == CRANK_OK && sink->error == 0; i += most) {
        const size_t count = from->rows - i < most ? (size_t)(from->rows - i) : most;
        status = crank_logged_rows_get(from, i, count, rows, err);
        crank_sink_append(sink, rows, count * columns * sizeof *rows);
    }
    free(rows);
    return status;
}

static void put_text(crank_sink *sink, const char *name, const char *text)
{
    if (text != NULL) {
        put_header(sink, CRANK_MAT_TEXT, 1, strlen(text), name);
        crank_sink_append(sink, text, strlen(text));
    }
}

static crank_status write_file(const char *path, const char *temporary,
                               const crank_result_head *head, const crank_logged_rows *from,
                               crank_error *err)
{
    crank_sink sink = {.fd = -1};
    crank_status status = crank_sink_open(&sink, temporary, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK) {
        put_class(&sink);
        put_names(&sink, head);
        status = put_data(&sink, from, (size_t)head->column_count, err);
    }
    if (status == CRANK_OK) {
        put_text(&sink, CRANK_MAT_TITLE, head->info.title);
        put_text(&sink, CRANK_MAT_MODEL, head->info.model);
        put_text(&sink, CRANK_MAT_METHOD, head->info.method);
        put_text(&sink, CRANK_MAT_SCENE, head->info.scene);
        put_text(&sink, CRANK_MAT_VERSION, head->info.version);
        status = crank_sink_sync(&sink, err);
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    status = status != CRANK_OK ? status : closed;
    if (status == CRANK_OK && rename(temporary, path) != 0) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: cannot be renamed to %.200s: %s",
                            temporary, path, strerror(errno));
    }
    if (status != CRANK_OK) {
        (void)unlink(temporary);
    }
    return status;
}

static bool is_mat(const unsigned char *start, size_t length)
{
    static const char first[] = "Aclass";
    return length >= sizeof(crank_mat_header) + sizeof first &&
           memcmp(start + sizeof(crank_mat_header), first, sizeof first) == 0;
}

static const crank_logged_kind mat = {"a MAT file of version 4", check, write_file};
CRANK_LOGGED_FUNCTIONS(mat)

const crank_format crank_format_mat = {
    .name = "MAT",
    .endings = {".mat"},
    .recognise = is_mat,
    .create = create_mat,
    .reopen = reopen_mat,
    .write = crank_logged_write,
    .flush = crank_logged_flush,
    .close = crank_logged_close,
    .write_table = write_table_mat,
    .read = crank_mat_read,
};
