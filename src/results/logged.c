/* logged.c - rows into a file that can only be made at the end (see logged.h): they go into a
 * row log beside it (FILE.mat.rows, see row_log.h). At the end the file is made from it under
 * another name, renamed, and the log removed: at any moment a complete log or a complete file
 * exists. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/logged.h"
#include "base/then.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct logged_file {
    const crank_logged_kind *kind;
    crank_sink log;
    char *path, *log_path, *temporary;
    size_t row_size;
    int64_t rows;
} logged_file;

/* ---- files ---- */

static void free_file(logged_file *file)
{
    (void)crank_sink_close(&file->log, NULL);
    free(file->path);
    free(file->log_path);
    free(file->temporary);
    free(file);
}

static crank_status make_file(const crank_logged_kind *kind, const char *path,
                              const crank_result_head *head, logged_file **out,
                              crank_error *err)
{
    struct stat info;

    *out = NULL;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        (void)crank_fail(err, CRANK_EFILE, "%.200s: cannot write: %s", path, strerror(EISDIR));
        return CRANK_EFILE;
    }
    const crank_status status = kind->check(path, head, err);
    if (status != CRANK_OK) {
        return status;
    }
    logged_file *file = calloc(1, sizeof *file);
    if (file != NULL) {
        file->kind = kind;
        file->log.fd = -1;
        file->row_size = (size_t)head->column_count * sizeof(double);
        file->path = strdup(path);
        file->log_path = crank_path_extend(path, ".rows");
        file->temporary = crank_path_extend(path, ".part");
    }
    *out = file;
    if (file == NULL || file->path == NULL || file->log_path == NULL ||
        file->temporary == NULL) {
        (void)crank_fail(err, CRANK_EMEM, "recorder of %d columns", head->column_count);
        return CRANK_EMEM;
    }
    return CRANK_OK;
}

static size_t log_capacity(const logged_file *file)
{
    return file->row_size > CRANK_SINK_CAPACITY ? file->row_size : CRANK_SINK_CAPACITY;
}

/* An old file goes: it would pass for the result of this run if that were killed. */
static crank_status finish_open(logged_file *file, crank_status status, void **out,
                                crank_error *err)
{
    *out = NULL;
    if (status == CRANK_OK && unlink(file->path) != 0 && errno != ENOENT) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: cannot be replaced: %s", file->path,
                            strerror(errno));
    }
    if (status == CRANK_OK) {
        *out = file;
    } else if (file != NULL) {
        free_file(file);
    }
    return status;
}

crank_status crank_logged_create(const crank_logged_kind *kind, const char *path,
                                 const crank_result_head *head, void **out, crank_error *err)
{
    logged_file *file;
    crank_status status = make_file(kind, path, head, &file, err);

    CRANK_THEN(status, crank_sink_open(&file->log, file->log_path, log_capacity(file), err));
    if (status == CRANK_OK) {
        status = crank_row_log_begin(&file->log, head, err);
        if (status != CRANK_OK) {
            (void)unlink(file->log_path);
        }
    }
    return finish_open(file, status, out, err);
}

/* The row log of a file that a run has finished. */
static crank_status make_log(logged_file *file, const crank_result_head *head, crank_error *err)
{
    crank_sink sink = {.fd = -1};
    crank_table *table = NULL;
    double *row = malloc(file->row_size);

    crank_status status = crank_table_read(file->path, &table, err);
    CRANK_THEN(status, crank_head_compare(head, file->path, table->columns, table->names, err));
    CRANK_THEN(status,
               row != NULL
                   ? crank_sink_open(&sink, file->temporary, CRANK_SINK_CAPACITY, err)
                   : crank_fail(err, CRANK_EMEM, "row of %d columns", head->column_count));
    CRANK_THEN(status, crank_row_log_begin(&sink, head, err));
    for (int i = 0; status == CRANK_OK && i < table->rows; i++) {
        crank_table_get_rows(table, i, 1, row);
        crank_sink_append(&sink, row, file->row_size);
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    status = status != CRANK_OK ? status : closed;
    if (status == CRANK_OK && rename(file->temporary, file->log_path) != 0) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: cannot write: %s", file->log_path,
                            strerror(errno));
    }
    free(row);
    crank_table_destroy(table);
    return status;
}

static crank_status read_rows(void *log, uint64_t first, size_t count, double *rows,
                              crank_error *err)
{
    return crank_row_log_read(log, first, count, rows, err);
}

static crank_status compare_log(const logged_file *file, const crank_result_head *head,
                                int64_t rows, uint64_t *start, crank_error *err)
{
    crank_row_log log;
    crank_status status = crank_row_log_open(&log, file->log_path, err);

    for (int j = 0; status == CRANK_OK && j < head->column_count; j++) {
        if (log.head.column_count != head->column_count ||
            strcmp(log.columns[j].name, head->columns[j].name) != 0) {
            status =
                crank_fail(err, CRANK_EARG, "%.200s: its columns differ from those of the run",
                           file->log_path);
        }
    }
    if (status == CRANK_OK && log.rows < (uint64_t)rows) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: has %llu rows, %lld are to be kept",
                            file->log_path, (unsigned long long)log.rows, (long long)rows);
    }
    CRANK_THEN(status, crank_rows_compare(head, file->log_path, rows, read_rows, &log, err));
    *start = log.start;
    crank_row_log_close(&log);
    return status;
}

crank_status crank_logged_reopen(const crank_logged_kind *kind, const char *path,
                                 const crank_result_head *head, int64_t rows, void **out,
                                 crank_error *err)
{
    logged_file *file;
    uint64_t start = 0;
    crank_status status = make_file(kind, path, head, &file, err);

    const bool made = status == CRANK_OK && access(file->log_path, F_OK) != 0;
    if (made) {
        status = make_log(file, head, err);
    }
    if (status == CRANK_OK) {
        status = compare_log(file, head, rows, &start, err);
        if (status != CRANK_OK && made) {
            (void)unlink(file->log_path); /* the file stays as it is */
        }
    }
    CRANK_THEN(status, crank_sink_reopen(&file->log, file->log_path, log_capacity(file), err));
    if (status == CRANK_OK) {
        file->log.record_start = (size_t)start;
        file->log.record_size = file->row_size;
        file->rows = rows;
        status = crank_sink_cut(&file->log, start + (uint64_t)rows * file->row_size, err);
    }
    return finish_open(file, status, out, err);
}

static crank_status too_long(const logged_file *file, crank_error *err)
{
    return crank_fail(err, CRANK_EFILE, "%.200s: %s holds at most %d rows; write .h5",
                      file->path, file->kind->name, INT32_MAX);
}

crank_status crank_logged_write(void *data, const double *values, crank_error *err)
{
    logged_file *file = data;

    if (file->rows == INT32_MAX) {
        return too_long(file, err);
    }
    char *out = crank_sink_reserve(&file->log, file->row_size);
    if (out == NULL) {
        return crank_sink_flush(&file->log, err); /* tells the failure */
    }
    memcpy(out, values, file->row_size);
    file->log.used += file->row_size;
    file->rows++;
    return CRANK_OK;
}

crank_status crank_logged_flush(void *data, bool sync, crank_error *err)
{
    logged_file *file = data;
    return sync ? crank_sink_sync(&file->log, err) : crank_sink_flush(&file->log, err);
}

static crank_status convert(const logged_file *file, crank_error *err)
{
    crank_row_log log;
    crank_status status = crank_row_log_open(&log, file->log_path, err);

    if (status == CRANK_OK && log.rows > INT32_MAX) {
        status = too_long(file, err);
    }
    if (status == CRANK_OK) {
        const crank_logged_rows from = {.log = &log, .rows = log.rows};
        status = file->kind->write(file->path, file->temporary, &log.head, &from, err);
    }
    crank_row_log_close(&log);
    return status;
}

/* After a failure the log stays: it holds all rows that arrived. It is given up last: others
 * would cut it. */
crank_status crank_logged_close(void *data, bool failed, crank_error *err)
{
    logged_file *file = data;
    crank_error own = {0};

    crank_status status = crank_sink_flush(&file->log, err);
    if (status == CRANK_OK && !failed) {
        status = convert(file, &own);
        if (status == CRANK_OK) {
            (void)unlink(file->log_path);
        } else {
            (void)crank_fail(err, status, "%.300s; the rows are kept in %.150s", own.text,
                             file->log_path);
        }
    }
    free_file(file);
    return status;
}

crank_status crank_logged_write_table(const crank_logged_kind *kind, const char *path,
                                      const crank_result_head *head, const crank_table *table,
                                      crank_error *err)
{
    const crank_logged_rows from = {.table = table, .rows = (uint64_t)table->rows};
    logged_file *file;
    crank_status status = make_file(kind, path, head, &file, err);

    CRANK_THEN(status, kind->write(path, file->temporary, head, &from, err));
    if (file != NULL) {
        free_file(file);
    }
    return status;
}

crank_status crank_logged_rows_get(const crank_logged_rows *from, uint64_t first, size_t count,
                                   double *rows, crank_error *err)
{
    if (from->log != NULL) {
        return crank_row_log_read(from->log, first, count, rows, err);
    }
    crank_table_get_rows(from->table, (int)first, (int)count, rows);
    return CRANK_OK;
}
