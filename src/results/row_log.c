/* row_log.c - see row_log.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/row_log.h"
#include "base/then.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "row logs and MAT files are written as they lie in memory, little-endian"
#endif

static const char mark[16] = {'c', 'r', 'a', 'n', 'k', ' ', 'r', 'o',
                              'w', ' ', 'l', 'o', 'g', ' ', '1', '\n'};

enum {
    FIXED_SIZE = 32, /* before the texts */
    INFO_TEXTS = 5,
    COLUMN_TEXTS = 3,
    TEXT_SIZE_MIN = 4
};
static const uint32_t absent = 0xffffffff;

static bool is_row_log(const unsigned char *start, size_t length)
{
    return length >= sizeof mark && memcmp(start, mark, sizeof mark) == 0;
}

/* ---- writing ---- */

static void info_texts(const crank_result_info *info, const char *texts[INFO_TEXTS])
{
    texts[0] = info->title;
    texts[1] = info->model;
    texts[2] = info->method;
    texts[3] = info->scene;
    texts[4] = info->version;
}

static uint64_t text_size(const char *text)
{
    return text == NULL ? TEXT_SIZE_MIN : TEXT_SIZE_MIN + strlen(text) + 1;
}

static void put_text(crank_sink *sink, const char *text)
{
    if (text == NULL) {
        crank_sink_append(sink, &absent, sizeof absent);
        return;
    }
    const uint32_t length = (uint32_t)strlen(text);
    crank_sink_append(sink, &length, sizeof length);
    crank_sink_append(sink, text, (size_t)length + 1);
}

crank_status crank_row_log_begin(crank_sink *sink, const crank_result_head *head,
                                 crank_error *err)
{
    const char *info[INFO_TEXTS];
    uint64_t size = FIXED_SIZE;

    info_texts(&head->info, info);
    for (int i = 0; i < INFO_TEXTS; i++) {
        size += text_size(info[i]);
    }
    for (int j = 0; j < head->column_count; j++) {
        const crank_column *c = &head->columns[j];
        size += text_size(c->name) + text_size(c->unit) + text_size(c->description);
    }
    const uint64_t start = (size + 7) / 8 * 8;
    if (start > UINT32_MAX) {
        return crank_fail(err, CRANK_EARG, "%.200s: more than 4 GB of names and texts",
                          sink->path);
    }
    const uint32_t counts[2] = {(uint32_t)head->column_count, 0};
    sink->record_start = (size_t)start;
    sink->record_size = (size_t)head->column_count * sizeof(double);
    crank_sink_append(sink, mark, sizeof mark);
    crank_sink_append(sink, &start, sizeof start);
    crank_sink_append(sink, counts, sizeof counts);
    for (int i = 0; i < INFO_TEXTS; i++) {
        put_text(sink, info[i]);
    }
    for (int j = 0; j < head->column_count; j++) {
        put_text(sink, head->columns[j].name);
        put_text(sink, head->columns[j].unit);
        put_text(sink, head->columns[j].description);
    }
    crank_sink_append(sink, (const char[8]){0}, (size_t)(start - size));
    return crank_sink_flush(sink, err);
}

/* ---- reading ---- */

bool crank_read_at(int fd, uint64_t from, void *to, size_t size)
{
    size_t done = 0;

    while (done < size) {
        const ssize_t count = pread(fd, (char *)to + done, size - done, (off_t)(from + done));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            errno = count == 0 ? 0 : errno;
            return false;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static crank_status unreadable(const crank_row_log *log, crank_error *err)
{
    (void)crank_fail(err, CRANK_EFILE, "%.200s: cannot read: %s", log->path,
                     errno != 0 ? strerror(errno) : "the file ends too early");
    return CRANK_EFILE;
}

static crank_status damaged(const crank_row_log *log, const char *what, crank_error *err)
{
    (void)crank_fail(err, CRANK_ESYNTAX, "%.200s: is no row log of crank, or damaged: %s",
                     log->path, what);
    return CRANK_ESYNTAX;
}

/* The text at *place; NULL if it is not there. false: it does not end before the limit. */
static bool take_text(const crank_row_log *log, size_t *place, size_t limit, const char **text)
{
    uint32_t length;

    *text = NULL;
    if (limit - *place < sizeof length) {
        return false;
    }
    memcpy(&length, log->texts + *place, sizeof length);
    *place += sizeof length;
    if (length == absent) {
        return true;
    }
    if (limit - *place <= length || log->texts[*place + length] != '\0') {
        return false;
    }
    *text = log->texts + *place;
    *place += (size_t)length + 1;
    return true;
}

static crank_status take_texts(crank_row_log *log, size_t size, crank_error *err)
{
    size_t place = 0;
    const char *info[INFO_TEXTS];
    bool good = true;

    for (int i = 0; i < INFO_TEXTS && good; i++) {
        good = take_text(log, &place, size, &info[i]);
    }
    for (int j = 0; j < log->head.column_count && good; j++) {
        crank_column *c = &log->columns[j];
        good = take_text(log, &place, size, &c->name) && c->name != NULL &&
               take_text(log, &place, size, &c->unit) &&
               take_text(log, &place, size, &c->description);
    }
    if (!good) {
        return damaged(log, "its texts do not end", err);
    }
    log->head.info = crank_result_info_default();
    log->head.info.title = info[0];
    log->head.info.model = info[1];
    log->head.info.method = info[2];
    log->head.info.scene = info[3];
    log->head.info.version = info[4];
    return CRANK_OK;
}

static crank_status read_head(crank_row_log *log, uint64_t size, crank_error *err)
{
    unsigned char fixed[FIXED_SIZE];
    uint32_t columns;

    if (size < sizeof fixed) {
        return damaged(log, "it ends too early", err);
    }
    if (!crank_read_at(log->fd, 0, fixed, sizeof fixed)) {
        return unreadable(log, err);
    }
    memcpy(&log->start, fixed + 16, sizeof log->start);
    memcpy(&columns, fixed + 24, sizeof columns);
    if (!is_row_log(fixed, sizeof fixed)) {
        return damaged(log, "it begins otherwise", err);
    }
    if (log->start < sizeof fixed || log->start % 8 != 0 || log->start > size) {
        return damaged(log, "it ends before its first row", err);
    }
    const size_t texts = (size_t)log->start - sizeof fixed;
    if (columns < 1 || columns > texts / (size_t)(COLUMN_TEXTS * TEXT_SIZE_MIN) ||
        columns > INT32_MAX) {
        return damaged(log, "its number of columns is wrong", err);
    }
    log->texts = malloc(texts);
    log->columns = calloc(columns, sizeof *log->columns);
    if (log->texts == NULL || log->columns == NULL) {
        (void)crank_fail(err, CRANK_EMEM, "%.200s: %u columns", log->path, (unsigned)columns);
        return CRANK_EMEM;
    }
    if (!crank_read_at(log->fd, sizeof fixed, log->texts, texts)) {
        return unreadable(log, err);
    }
    log->head.column_count = (int)columns;
    log->head.columns = log->columns;
    return take_texts(log, texts, err);
}

crank_status crank_row_log_open(crank_row_log *log, const char *path, crank_error *err)
{
    struct stat info;

    *log = (crank_row_log){.path = path};
    log->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (log->fd < 0 || fstat(log->fd, &info) != 0) {
        (void)crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", path, strerror(errno));
        return CRANK_EFILE;
    }
    const uint64_t size = (uint64_t)info.st_size;
    const crank_status status = read_head(log, size, err);
    if (status == CRANK_OK) {
        const uint64_t row = (uint64_t)log->head.column_count * sizeof(double);
        log->rows = (size - log->start) / row;
        log->cut = (size - log->start) % row != 0;
    }
    return status;
}

void crank_row_log_close(crank_row_log *log)
{
    if (log->fd >= 0) {
        (void)close(log->fd);
    }
    free(log->texts);
    free(log->columns);
    *log = (crank_row_log){.fd = -1};
}

crank_status crank_row_log_read(const crank_row_log *log, uint64_t first, size_t count,
                                double *rows, crank_error *err)
{
    const size_t row = (size_t)log->head.column_count * sizeof *rows;
    return crank_read_at(log->fd, log->start + first * row, rows, count * row)
               ? CRANK_OK
               : unreadable(log, err);
}

/* ---- as a table ---- */

static crank_status set_text(char **to, const char *path, const char *from, crank_error *err)
{
    return from != NULL ? crank_table_set(to, path, from, strlen(from), err) : CRANK_OK;
}

static crank_status read_texts(crank_table *table, const crank_row_log *log, crank_error *err)
{
    const crank_result_info *info = &log->head.info;
    const char *path = log->path;
    crank_status status = crank_table_take(table, path, log->head.column_count, err);

    for (int j = 0; j < table->columns && status == CRANK_OK; j++) {
        const crank_column *c = &log->columns[j];
        status = set_text(&table->names[j], path, c->name, err);
        CRANK_THEN(status, set_text(&table->units[j], path, c->unit, err));
        CRANK_THEN(status, set_text(&table->descriptions[j], path, c->description, err));
    }
    const char *from[] = {info->title, info->model, info->method, info->scene};
    char **to[] = {&table->title, &table->model, &table->method, &table->scene};
    for (int i = 0; i < 4 && status == CRANK_OK; i++) {
        status = set_text(to[i], path, from[i], err);
    }
    return status;
}

static crank_status read_values(crank_table *table, const crank_row_log *log, crank_error *err)
{
    enum { BLOCK = 1 << 17 };
    const size_t columns = (size_t)table->columns;
    const size_t most = columns < BLOCK ? BLOCK / columns : 1;
    double *rows = malloc(most * columns * sizeof *rows);
    crank_status status = crank_table_take_values(table, log->path, log->rows, err);

    if (status == CRANK_OK && rows == NULL) {
        status = crank_fail(err, CRANK_EMEM, "%.200s: table", log->path);
    }
    for (size_t i = 0; i < (size_t)table->rows && status == CRANK_OK; i += most) {
        const size_t left = (size_t)table->rows - i;
        const size_t count = left < most ? left : most;
        status = crank_row_log_read(log, i, count, rows, err);
        if (status == CRANK_OK) {
            crank_table_put_rows(table, (int)i, (int)count, rows);
        }
    }
    free(rows);
    return status;
}

static crank_status read_table(const char *path, crank_table *table, crank_error *err)
{
    crank_row_log log;
    crank_status status = crank_row_log_open(&log, path, err);

    CRANK_THEN(status, read_texts(table, &log, err));
    CRANK_THEN(status, read_values(table, &log, err));
    table->incomplete = true; /* a run that ended would have removed it */
    crank_row_log_close(&log);
    return status;
}

const crank_format crank_format_row_log = {
    .name = "row log",
    .endings = {".rows"},
    .recognise = is_row_log,
    .read = read_table,
};
