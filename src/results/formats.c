/* formats.c - the table of formats of result files, and which one a path asks for. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.h"
#include "results/format.h"

#include "base/file.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new format is a line here; CSV, which has no mark of its own, is what the others are
 * not. */
static const crank_format *const formats[] = {
    &crank_format_hdf5,    &crank_format_mat, &crank_format_netcdf,
    &crank_format_row_log, &crank_format_csv,
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static const crank_format *find_ending(const char *path)
{
    for (int i = 0; i < FORMATS; i++) {
        for (int j = 0; formats[i]->endings[j] != NULL; j++) {
            if (crank_path_ends_in(path, formats[i]->endings[j])) {
                return formats[i];
            }
        }
    }
    return NULL;
}

static bool is_stream(const char *path)
{
    struct stat info;
    return path == NULL || strcmp(path, "-") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

const crank_format *crank_format_to_write(const char *path, crank_error *err)
{
    char list[120] = "";

    if (is_stream(path)) {
        return &crank_format_csv;
    }
    const crank_format *format = find_ending(path);
    if (format != NULL && format->create != NULL) {
        return format;
    }
    for (int i = 0; i < FORMATS; i++) {
        for (int j = 0; formats[i]->create != NULL && formats[i]->endings[j] != NULL; j++) {
            const size_t used = strlen(list);
            (void)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                           formats[i]->endings[j]);
        }
    }
    (void)crank_fail(err, CRANK_EARG,
                     "%.200s: the ending of a result's name tells its format; known are %s",
                     path, list);
    return NULL;
}

const crank_format *crank_format_to_read(const char *path)
{
    unsigned char start[CRANK_FORMAT_START];

    if (is_stream(path)) {
        return &crank_format_csv;
    }
    const crank_format *format = find_ending(path);
    if (format != NULL) {
        return format;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, start, sizeof start) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    for (int i = 0; i < FORMATS && length > 0; i++) {
        format = formats[i];
        if (format != NULL && format->recognise(start, (size_t)length)) {
            return format;
        }
    }
    return &crank_format_csv;
}

const char *crank_text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

crank_status crank_head_compare(const crank_result_head *head, const char *path, int count,
                                char *const *names, crank_error *err)
{
    if (count != head->column_count) {
        return crank_fail(err, CRANK_EARG, "%.200s: has %d columns, the run has %d", path,
                          count, head->column_count);
    }
    for (int j = 0; j < count; j++) {
        if (strcmp(names[j], head->columns[j].name) != 0) {
            return crank_fail(err, CRANK_EARG,
                              "%.200s: column %d is %.80s, in the run it is %.80s", path, j + 1,
                              names[j], head->columns[j].name);
        }
    }
    return CRANK_OK;
}

uint64_t crank_row_mark(uint64_t mark, int count, const double *row)
{
    for (int j = 0; j < count; j++) {
        const double value = isnan(row[j]) ? (double)NAN : row[j]; /* NaN is NaN */
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        mark = crank_hash_word(crank_hash_word(mark, bits), bits >> 32);
    }
    return mark;
}

crank_status crank_rows_compare(const crank_result_head *head, const char *path, int64_t rows,
                                crank_rows_read_fn *read, void *from, crank_error *err)
{
    enum { BLOCK = 1 << 14 }; /* values */
    const size_t columns = (size_t)head->column_count;
    const size_t most = columns < BLOCK ? BLOCK / columns : 1;
    double *row = head->mark != NULL ? malloc(most * columns * sizeof *row) : NULL;
    uint64_t mark = CRANK_HASH_START;
    crank_status status = CRANK_OK;

    if (head->mark == NULL || row == NULL) {
        return head->mark == NULL
                   ? CRANK_OK
                   : crank_fail(err, CRANK_EMEM, "rows of %d columns", head->column_count);
    }
    for (size_t i = 0; i < (size_t)rows && status == CRANK_OK; i += most) {
        const size_t left = (size_t)rows - i, count = left < most ? left : most;
        status = read(from, i, count, row, err);
        for (size_t k = 0; k < count && status == CRANK_OK; k++) {
            mark = crank_row_mark(mark, head->column_count, row + k * columns);
        }
    }
    free(row);
    return status != CRANK_OK || mark == *head->mark
               ? status
               : crank_fail(err, CRANK_EFILE,
                            "%.200s: its first %lld rows are not those that the run wrote: the "
                            "file was changed, or is of another run; start the run anew",
                            path, (long long)rows);
}
