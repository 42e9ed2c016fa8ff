/* recorder.c - rows of numbers into a file of any format: how old buffered rows may get, and
 * what happens after a failure. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.h"
#include "base/hash.h"
#include "base/then.h"
#include "results/format.h"

#include <stdlib.h>
#include <string.h>

static const double flush_period = 1.0; /* s */

struct crank_recorder {
    const crank_format *format;
    void *file;
    int columns;
    int64_t rows;
    uint64_t mark;
    double flushed;      /* time of the last flush, s */
    crank_error failure; /* the first; its status is CRANK_OK before */
};

crank_result_info crank_result_info_default(void)
{
    return (crank_result_info){.size = sizeof(crank_result_info), .version = crank_version()};
}

crank_status crank_recorder_check(const char *path, crank_error *err)
{
    return crank_format_to_write(path, err) != NULL ? CRANK_OK : CRANK_EARG;
}

static crank_status make_head(crank_result_head *head, int column_count,
                              const crank_column *columns, const crank_result_info *info,
                              crank_error *err)
{
    if (column_count < 1) {
        return crank_fail(err, CRANK_EARG, "a result needs at least one column, not %d",
                          column_count);
    }
    if (info != NULL && info->size != sizeof *info) {
        return crank_fail(err, CRANK_EARG, "result info not made by crank_result_info_default");
    }
    for (int j = 0; j < column_count; j++) {
        if (columns[j].name == NULL) {
            return crank_fail(err, CRANK_EARG, "column %d of a result has no name", j + 1);
        }
    }
    *head = (crank_result_head){.column_count = column_count, .columns = columns};
    head->info = info != NULL ? *info : crank_result_info_default();
    const char **texts[] = {&head->info.title, &head->info.model, &head->info.method,
                            &head->info.scene, &head->info.version};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = *texts[i] != NULL && **texts[i] != '\0' ? *texts[i] : NULL;
    }
    return CRANK_OK;
}

/* rows < 0: a new file */
static crank_status open_recorder(const char *path, int64_t rows, const crank_result_head *head,
                                  crank_recorder **out, crank_error *err)
{
    const crank_format *format = crank_format_to_write(path, err);

    if (format == NULL) {
        return CRANK_EARG;
    }
    crank_recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) {
        return crank_fail(err, CRANK_EMEM, "recorder of %d columns", head->column_count);
    }
    recorder->format = format;
    recorder->flushed = crank_clock_seconds();
    recorder->columns = head->column_count;
    recorder->rows = rows < 0 ? 0 : rows;
    recorder->mark = head->mark != NULL ? *head->mark : CRANK_HASH_START;
    const crank_status status = rows < 0
                                    ? format->create(path, head, &recorder->file, err)
                                    : format->reopen(path, head, rows, &recorder->file, err);
    if (status != CRANK_OK) {
        free(recorder);
        return status;
    }
    *out = recorder;
    return CRANK_OK;
}

crank_status crank_recorder_create(const char *path, int column_count,
                                   const crank_column *columns, const crank_result_info *info,
                                   crank_recorder **out, crank_error *err)
{
    crank_result_head head = {0};

    *out = NULL;
    const crank_status status = make_head(&head, column_count, columns, info, err);
    return status == CRANK_OK ? open_recorder(path, -1, &head, out, err) : status;
}

crank_status crank_recorder_reopen(const char *path, int64_t rows, const uint64_t *mark,
                                   int column_count, const crank_column *columns,
                                   const crank_result_info *info, crank_recorder **out,
                                   crank_error *err)
{
    crank_result_head head = {0};

    *out = NULL;
    const crank_status status = make_head(&head, column_count, columns, info, err);
    if (status == CRANK_OK && rows < 0) {
        return crank_fail(err, CRANK_EARG, "%.200s: cannot keep %lld rows",
                          crank_text_or_empty(path), (long long)rows);
    }
    head.mark = mark;
    return status == CRANK_OK ? open_recorder(path, rows, &head, out, err) : status;
}

/* Keeps a first failure, and tells it. */
static crank_status note(crank_recorder *recorder, crank_status status, crank_error *err)
{
    if (status != CRANK_OK && err != NULL) {
        *err = recorder->failure;
    }
    return status;
}

static crank_status flush(crank_recorder *recorder, bool sync)
{
    recorder->flushed = crank_clock_seconds();
    return recorder->format->flush(recorder->file, sync, &recorder->failure);
}

crank_status crank_recorder_write(crank_recorder *recorder, const double *values,
                                  crank_error *err)
{
    crank_status status = recorder->failure.status;

    CRANK_THEN(status, recorder->format->write(recorder->file, values, &recorder->failure));
    if (status == CRANK_OK) {
        recorder->rows++;
        recorder->mark = crank_row_mark(recorder->mark, recorder->columns, values);
        return crank_recorder_poll(recorder, err);
    }
    return note(recorder, status, err);
}

crank_status crank_recorder_poll(crank_recorder *recorder, crank_error *err)
{
    crank_status status = recorder->failure.status;

    if (status == CRANK_OK && crank_clock_seconds() - recorder->flushed >= flush_period) {
        status = flush(recorder, false);
    }
    return note(recorder, status, err);
}

crank_status crank_recorder_flush(crank_recorder *recorder, bool sync, crank_error *err)
{
    crank_status status = recorder->failure.status;

    CRANK_THEN(status, flush(recorder, sync));
    return note(recorder, status, err);
}

int64_t crank_recorder_rows(const crank_recorder *recorder)
{
    return recorder->rows;
}

uint64_t crank_recorder_mark(const crank_recorder *recorder)
{
    return recorder->mark;
}

crank_status crank_recorder_close(crank_recorder *recorder, crank_error *err)
{
    if (recorder == NULL) {
        return CRANK_OK;
    }
    crank_status status = recorder->failure.status;
    const bool failed = status != CRANK_OK;
    const crank_status closed =
        recorder->format->close(recorder->file, failed, failed ? NULL : &recorder->failure);
    status = note(recorder, failed ? status : closed, err);
    free(recorder);
    return status;
}
