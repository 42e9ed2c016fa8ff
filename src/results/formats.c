/* formats.c - the table of formats of result files, and which one a path asks for. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/format.h"

#include "base/file.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new format is a line here; CSV, which has no mark of its own, is what the others are
 * not. */
static const crank_format *const formats[] = {
    &crank_format_hdf5,
    &crank_format_mat,
    &crank_format_row_log,
    &crank_format_csv,
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

crank_status crank_row_differs(const char *path, int64_t rows, crank_error *err)
{
    return crank_fail(
        err, CRANK_EFILE,
        "%.200s: row %lld is not the one that the run wrote: the file was changed, "
        "or is of another run; start the run anew",
        path, (long long)rows);
}

crank_status crank_row_compare(const crank_result_head *head, const char *path, int64_t rows,
                               const double *found, crank_error *err)
{
    for (int j = 0; j < head->column_count; j++) {
        if (found[j] != head->last[j] && !(isnan(found[j]) && isnan(head->last[j]))) {
            return crank_row_differs(path, rows, err);
        }
    }
    return CRANK_OK;
}
