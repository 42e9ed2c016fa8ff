/* table.c - results in memory: read and written through the formats. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"
#include "base/then.h"
#include "results/format.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static crank_status no_memory(const char *path, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "%.200s: table", path);
}

/* ---- being read ---- */

crank_status crank_table_take(crank_table *table, const char *path, int columns,
                              crank_error *err)
{
    const size_t count = (size_t)columns;

    table->columns = columns;
    table->names = calloc(count, sizeof *table->names);
    table->units = calloc(count, sizeof *table->units);
    table->descriptions = calloc(count, sizeof *table->descriptions);
    if (table->names == NULL || table->units == NULL || table->descriptions == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s: names of %d columns", path, columns);
    }
    return CRANK_OK;
}

crank_status crank_table_set(char **text, const char *path, const char *from, size_t length,
                             crank_error *err)
{
    const size_t used = strnlen(from, length);

    free(*text);
    *text = malloc(used + 1);
    if (*text == NULL) {
        return no_memory(path, err);
    }
    memcpy(*text, from, used);
    (*text)[used] = '\0';
    return CRANK_OK;
}

crank_status crank_table_take_values(crank_table *table, const char *path, uint64_t rows,
                                     crank_error *err)
{
    const size_t columns = (size_t)table->columns;

    if (rows > INT_MAX || rows > SIZE_MAX / sizeof(double) / columns - 1) {
        return crank_fail(err, CRANK_ESYNTAX, "%.200s: %llu rows of %d columns are too many",
                          path, (unsigned long long)rows, table->columns);
    }
    table->rows = (int)rows;
    table->values = malloc(((size_t)rows * columns + 1) * sizeof *table->values);
    if (table->values == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s: %llu rows of %d columns", path,
                          (unsigned long long)rows, table->columns);
    }
    return CRANK_OK;
}

void crank_table_put_rows(crank_table *table, int first, int count, const double *rows)
{
    const size_t columns = (size_t)table->columns, height = (size_t)table->rows;

    for (size_t j = 0; j < columns; j++) {
        double *column = table->values + j * height + (size_t)first;
        for (size_t i = 0; i < (size_t)count; i++) {
            column[i] = rows[i * columns + j];
        }
    }
}

void crank_table_get_rows(const crank_table *table, int first, int count, double *rows)
{
    const size_t columns = (size_t)table->columns, height = (size_t)table->rows;

    for (size_t i = 0; i < (size_t)count; i++) {
        for (size_t j = 0; j < columns; j++) {
            rows[i * columns + j] = table->values[j * height + (size_t)first + i];
        }
    }
}

static crank_status fill_texts(crank_table *table, const char *path, crank_error *err)
{
    crank_status status = CRANK_OK;

    for (int j = 0; j < table->columns && status == CRANK_OK; j++) {
        char **texts[] = {&table->names[j], &table->units[j], &table->descriptions[j]};
        for (int k = 0; k < 3 && status == CRANK_OK; k++) {
            status = *texts[k] == NULL ? crank_table_set(texts[k], path, "", 0, err) : CRANK_OK;
        }
    }
    return status;
}

crank_status crank_table_read(const char *path, crank_table **out, crank_error *err)
{
    struct stat info;

    *out = NULL;
    if (strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot read: %s", path, strerror(EISDIR));
    }
    crank_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return no_memory(path, err);
    }
    crank_status status = crank_format_to_read(path)->read(path, table, err);
    CRANK_THEN(status, fill_texts(table, path, err));
    if (status != CRANK_OK) {
        crank_table_destroy(table);
        return status;
    }
    *out = table;
    return CRANK_OK;
}

static void free_texts(char **texts, int count)
{
    for (int j = 0; texts != NULL && j < count; j++) {
        free(texts[j]);
    }
    free(texts);
}

void crank_table_destroy(crank_table *table)
{
    if (table == NULL) {
        return;
    }
    free_texts(table->names, table->columns);
    free_texts(table->units, table->columns);
    free_texts(table->descriptions, table->columns);
    free(table->values);
    free(table->title);
    free(table->model);
    free(table->method);
    free(table->scene);
    free(table);
}

int crank_table_find(const crank_table *table, const char *name)
{
    for (int j = 0; j < table->columns; j++) {
        if (strcmp(table->names[j], name) == 0) {
            return j;
        }
    }
    return -1;
}

/* ---- writing ---- */

static crank_status write_rows(const crank_result_head *head, const crank_table *table,
                               const char *path, double *row, crank_error *err)
{
    crank_recorder *recorder;
    crank_status status = crank_recorder_create(path, head->column_count, head->columns,
                                                &head->info, &recorder, err);

    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < table->rows && status == CRANK_OK; i++) {
        crank_table_get_rows(table, i, 1, row);
        status = crank_recorder_write(recorder, row, err);
    }
    const crank_status closed = crank_recorder_close(recorder, status == CRANK_OK ? err : NULL);
    return status != CRANK_OK ? status : closed;
}

crank_status crank_table_write(const crank_table *table, const char *path, crank_error *err)
{
    const crank_format *format = crank_format_to_write(path, err);

    if (format == NULL) {
        return CRANK_EARG;
    }
    if (table->columns < 1) {
        return crank_fail(err, CRANK_EARG, "a result needs at least one column, not %d",
                          table->columns);
    }
    crank_column *columns = calloc((size_t)table->columns, sizeof *columns);
    double *row = calloc((size_t)table->columns, sizeof *row);
    crank_status status = CRANK_OK;
    if (columns == NULL || row == NULL) {
        status = no_memory(path != NULL ? path : "standard output", err);
    } else {
        for (int j = 0; j < table->columns; j++) {
            columns[j] = (crank_column){.name = table->names[j],
                                        .unit = table->units[j],
                                        .description = table->descriptions[j]};
        }
        crank_result_head head = {.column_count = table->columns,
                                  .columns = columns,
                                  .info = crank_result_info_default()};
        head.info.title = table->title;
        head.info.model = table->model;
        head.info.method = table->method;
        head.info.scene = table->scene;
        status = format->write_table != NULL ? format->write_table(path, &head, table, err)
                                             : write_rows(&head, table, path, row, err);
    }
    free(columns);
    free(row);
    return status;
}

const char *crank_nearest_name(const char *name, const char *const *names, int count)
{
    return crank_suggest(name, names, count);
}

int crank_table_row_at(const crank_table *table, double t, double *found)
{
    const int time = crank_table_find(table, "time");
    int row = -1;
    for (int i = 0; i < table->rows && time >= 0; i++) {
        const double at = table->values[(size_t)time * (size_t)table->rows + (size_t)i];
        if (row < 0 || isnan(t) || fabs(at - t) <= fabs(*found - t)) {
            row = i;
            *found = at;
        }
    }
    return row;
}
