/* csv_write.c - rows of numbers as CSV (RFC 4180 quoting of names, "%.17g" numbers).
 *
 * Rows are formatted into a buffer that holds whole lines only, so that a run that is stopped
 * leaves a readable file. To go on, the file is cut behind the last row that is kept; its lines
 * are counted block by block. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "base/sink.h"
#include "base/then.h"
#include "results/format.h"
#include "results/row_log.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER_LENGTH = 26 }; /* -1.7976931348623157e+308, a separator and the terminator */

typedef struct csv_file {
    crank_sink sink;
    locale_t c_locale;
    int columns;
} csv_file;

/* Rows of a file that is to be continued. */
typedef struct lines {
    const csv_file *file;
    FILE *stream;
    char *line;
    size_t room;
} lines;

static bool is_csv(const unsigned char *start, size_t length)
{
    return memchr(start, '\0', length) == NULL;
}

/* ---- the line of names ---- */

/* A name as a CSV field; quoted only where it must be. */
static size_t field_size(const char *name)
{
    return 2 * strlen(name) + 3;
}

static size_t write_field(char *out, const char *name)
{
    size_t length = 0;

    if (name[0] != '\0' && strpbrk(name, ",\"\r\n") == NULL) {
        length = strlen(name);
        memcpy(out, name, length);
        return length;
    }
    out[length++] = '"';
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '"') {
            out[length++] = '"';
        }
        out[length++] = *c;
    }
    out[length++] = '"';
    return length;
}

static size_t names_size(const crank_result_head *head)
{
    size_t size = 0;

    for (int j = 0; j < head->column_count; j++) {
        size += field_size(head->columns[j].name);
    }
    return size;
}

/* Into the empty buffer; its length. */
static size_t format_names(const csv_file *file, const crank_result_head *head)
{
    char *out = file->sink.data;
    size_t length = 0;

    for (int j = 0; j < head->column_count; j++) {
        length += write_field(out + length, head->columns[j].name);
        out[length++] = j + 1 < head->column_count ? ',' : '\n';
    }
    return length;
}

/* ---- lines of numbers ---- */

/* "%.17g" of a whole number below 1e15, digit by digit; its length, 0: it is none. Many columns
 * are zero, or whole. */
static size_t format_whole(double value, char *out)
{
    char digits[20];
    size_t count = 0, length = 0;
    int64_t rest = fabs(value) < 1e15 ? (int64_t)fabs(value) : -1;
    if ((double)rest != fabs(value)) {
        return 0;
    }
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (signbit(value)) {
        out[length++] = '-';
    }
    while (count > 0) {
        out[length++] = digits[--count];
    }
    return length;
}

/* Into room for NUMBER_LENGTH characters a number; their length. */
static size_t format_row(const csv_file *file, const double *values, char *out)
{
    const locale_t previous = uselocale(file->c_locale);
    size_t length = 0;

    for (int j = 0; j < file->columns; j++) {
        size_t written = format_whole(values[j], out + length);
        written = written > 0 ? written : crank_number_print_17(out + length, values[j]);
        if (written == 0 && isnan(values[j])) {
            memcpy(out + length, "nan", written = 3);
        } else if (written == 0) {
            written = (size_t)snprintf(out + length, NUMBER_LENGTH, "%.17g", values[j]);
        }
        length += written;
        out[length++] = j + 1 < file->columns ? ',' : '\n';
    }
    (void)uselocale(previous);
    return length;
}

/* ---- opening ---- */

static crank_status close_file(void *data, bool failed, crank_error *err)
{
    csv_file *file = data;

    (void)failed; /* the sink writes nothing after a failure */
    const crank_status status = crank_sink_close(&file->sink, err);
    if (file->c_locale != (locale_t)0) {
        freelocale(file->c_locale);
    }
    free(file);
    return status;
}

static crank_status make_file(const char *path, const crank_result_head *head, bool existing,
                              csv_file **out, crank_error *err)
{
    const size_t names = names_size(head);
    const size_t row = (size_t)head->column_count * NUMBER_LENGTH;
    const size_t longest = names > row ? names : row;
    const size_t capacity = longest > CRANK_SINK_CAPACITY ? longest : CRANK_SINK_CAPACITY;

    csv_file *file = calloc(1, sizeof *file);
    *out = file;
    if (file == NULL) {
        (void)crank_fail(err, CRANK_EMEM, "recorder of %d columns", head->column_count);
        return CRANK_EMEM;
    }
    file->sink.fd = -1;
    file->columns = head->column_count;
    file->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (file->c_locale == (locale_t)0) {
        (void)crank_fail(err, CRANK_EMEM, "number format");
        return CRANK_EMEM;
    }
    return existing ? crank_sink_reopen(&file->sink, path, capacity, err)
                    : crank_sink_open(&file->sink, path, capacity, err);
}

static crank_status finish_open(csv_file *file, crank_status status, void **out)
{
    *out = NULL;
    if (status == CRANK_OK) {
        *out = file;
    } else if (file != NULL) {
        (void)close_file(file, true, NULL);
    }
    return status;
}

static crank_status create(const char *path, const crank_result_head *head, void **out,
                           crank_error *err)
{
    csv_file *file;
    crank_status status = make_file(path, head, false, &file, err);

    if (status == CRANK_OK) {
        file->sink.used = format_names(file, head);
        status = crank_sink_flush(&file->sink, err);
    }
    return finish_open(file, status, out);
}

/* ---- going on ---- */

/* Bytes read, less than size only at the end; -1: errno tells */
static ssize_t read_block(int fd, char *to, size_t size)
{
    size_t done = 0;

    while (done < size) {
        const ssize_t count = read(fd, to + done, size - done);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return count == 0 ? (ssize_t)done : -1;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return (ssize_t)done;
}

static crank_status unreadable(const crank_sink *sink, crank_error *err)
{
    return crank_fail(err, CRANK_EFILE, "%.200s: cannot read: %s", sink->path, strerror(errno));
}

static crank_status compare_names(csv_file *file, const crank_result_head *head,
                                  crank_error *err)
{
    const size_t length = format_names(file, head);
    char *found = malloc(length + 1);

    if (found == NULL) {
        return crank_fail(err, CRANK_EMEM, "recorder of %d columns", head->column_count);
    }
    const ssize_t count = read_block(file->sink.fd, found, length);
    const bool equal = count == (ssize_t)length && memcmp(found, file->sink.data, length) == 0;
    free(found);
    if (count < 0) {
        return unreadable(&file->sink, err);
    }
    return equal ? CRANK_OK
                 : crank_fail(err, CRANK_EARG,
                              "%.200s: its line of names differs from the columns of the run",
                              file->sink.path);
}

/* *end: where the row ends, of the file that stands behind its line of names. */
static crank_status find_row(csv_file *file, int64_t rows, off_t *end, crank_error *err)
{
    int64_t found = 0;

    *end = lseek(file->sink.fd, 0, SEEK_CUR);
    while (found < rows) {
        const ssize_t count = read_block(file->sink.fd, file->sink.data, CRANK_SINK_CAPACITY);
        if (count < 0) {
            return unreadable(&file->sink, err);
        }
        if (count == 0) {
            return crank_fail(err, CRANK_EFILE, "%.200s: has %lld rows, %lld are to be kept",
                              file->sink.path, (long long)found, (long long)rows);
        }
        const char *c = file->sink.data;
        const char *stop = c + count;
        while (found < rows && c < stop) {
            const char *newline = memchr(c, '\n', (size_t)(stop - c));
            c = newline != NULL ? newline + 1 : stop;
            found += newline != NULL ? 1 : 0;
        }
        *end += c - file->sink.data;
    }
    return CRANK_OK;
}

/* The lines that follow, as rows. */
static crank_status read_lines(void *from, uint64_t first, size_t count, double *rows,
                               crank_error *err)
{
    lines *l = from;
    const locale_t previous = uselocale(l->file->c_locale);
    bool good = true;

    for (size_t i = 0; i < count && good; i++) {
        good = getline(&l->line, &l->room, l->stream) > 0;
        char *field = l->line;
        for (int j = 0; j < l->file->columns && good; j++) {
            char *end;
            *rows++ = strtod(field, &end);
            good = end != field && *end == (j + 1 < l->file->columns ? ',' : '\n');
            field = end + 1;
        }
        if (!good) {
            (void)crank_fail(err, CRANK_EFILE, "%.200s: row %llu is not one that a run wrote",
                             l->file->sink.path, (unsigned long long)(first + i + 1));
        }
    }
    (void)uselocale(previous);
    return good ? CRANK_OK : CRANK_EFILE;
}

/* Those behind the line of names. */
static crank_status compare_rows(const csv_file *file, const crank_result_head *head,
                                 int64_t rows, crank_error *err)
{
    const size_t names = format_names(file, head);
    lines l = {.file = file, .stream = fopen(file->sink.path, "re")};

    const bool good = l.stream != NULL && fseek(l.stream, (long)names, SEEK_SET) == 0;
    const crank_status status =
        good ? crank_rows_compare(head, file->sink.path, rows, read_lines, &l, err)
             : unreadable(&file->sink, err);
    if (l.stream != NULL) {
        (void)fclose(l.stream);
    }
    free(l.line);
    return status;
}

static crank_status reopen(const char *path, const crank_result_head *head, int64_t rows,
                           void **out, crank_error *err)
{
    csv_file *file;
    off_t end = 0;
    crank_status status = make_file(path, head, true, &file, err);

    if (status == CRANK_OK && !(file->sink.regular && file->sink.owned)) {
        status = crank_fail(err, CRANK_EARG,
                            "%.200s: is no file on a disk, so that a run cannot go on there",
                            file->sink.path);
    }
    CRANK_THEN(status, compare_names(file, head, err));
    CRANK_THEN(status, find_row(file, rows, &end, err));
    CRANK_THEN(status, compare_rows(file, head, rows, err));
    CRANK_THEN(status, crank_sink_cut(&file->sink, (uint64_t)end, err));
    return finish_open(file, status, out);
}

/* ---- rows ---- */

static crank_status write_row(void *data, const double *values, crank_error *err)
{
    csv_file *file = data;
    crank_sink *sink = &file->sink;
    char *out = crank_sink_reserve(sink, (size_t)file->columns * NUMBER_LENGTH);

    if (out == NULL) {
        return crank_sink_flush(sink, err); /* tells the failure */
    }
    sink->used += format_row(file, values, out);
    return CRANK_OK;
}

static crank_status flush(void *data, bool sync, crank_error *err)
{
    csv_file *file = data;
    return sync ? crank_sink_sync(&file->sink, err) : crank_sink_flush(&file->sink, err);
}

const crank_format crank_format_csv = {
    .name = "CSV",
    .endings = {".csv"},
    .recognise = is_csv,
    .create = create,
    .reopen = reopen,
    .write = write_row,
    .flush = flush,
    .close = close_file,
    .read = crank_csv_read,
};
