/* row_log.h - the row log: what a result says of itself, then raw rows. A MAT file is made from
 * one at the end of a run; a run that is killed leaves it.
 *
 *     bytes 0..15   "crank row log 1\n"
 *     8 bytes       where the rows begin, a multiple of 8
 *     4 + 4 bytes   number of columns, zero
 *     texts         title, model, method, scene, version; then name, unit, description
 *                   of every column. Each is its length in 4 bytes, its bytes, a zero; length
 *                   0xffffffff alone: not there
 *     zeros         up to where the rows begin
 *     rows          doubles; a row that is cut does not count
 *
 * All numbers are little-endian. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROW_LOG_H
#define CRANK_SRC_ROW_LOG_H

#include "base/sink.h"
#include "results/format.h"

/* A log being read. */
typedef struct crank_row_log {
    int fd;
    const char *path; /* for messages; the caller's */
    char *texts;
    crank_column *columns;
    crank_result_head head; /* points into texts and columns */
    uint64_t start, rows;
    bool cut; /* the last row is not complete */
} crank_row_log;

/* Writes what comes before the rows to the sink that was just opened, and tells it about the
 * rows. */
crank_status crank_row_log_begin(crank_sink *sink, const crank_result_head *head,
                                 crank_error *err);
/* close also after a failure. */
crank_status crank_row_log_open(crank_row_log *log, const char *path, crank_error *err);
void crank_row_log_close(crank_row_log *log);
/* Rows first .. first + count - 1; they must be there. */
crank_status crank_row_log_read(const crank_row_log *log, uint64_t first, size_t count,
                                double *rows, crank_error *err);

/* size bytes of the file from there on; false: errno tells, 0 if the file ends before. */
bool crank_read_at(int fd, uint64_t from, void *to, size_t size);

#endif
