/* every_format.h - what tests of results in all formats share: the names of files, one for each
 * ending, and results of two columns whose rows are known. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_EVERY_FORMAT_H
#define CRANK_TESTS_EVERY_FORMAT_H

#include "scratch.h"

#include <crank/results.h>

static const char *const files[] = {"a.csv", "a.h5", "a.hdf5", "a.mat", "a.nc"};
enum { FILES = sizeof files / sizeof files[0] };

static const crank_column two[] = {{.name = "time", .unit = "s"}, {.name = "x", .unit = "m"}};

static inline bool is_csv(const char *name)
{
    return strstr(name, ".csv") != NULL;
}

/* Is the file made at the end, from a row log? */
static inline bool is_logged(const char *name)
{
    return strstr(name, ".mat") != NULL || strstr(name, ".nc") != NULL;
}

static inline crank_recorder *create(const scratch *s, int columns, const crank_column *column,
                                     const crank_result_info *info)
{
    crank_error err = {0};
    crank_recorder *recorder;
    CHECK_OK(crank_recorder_create(s->path, columns, column, info, &recorder, &err), err);
    return recorder;
}

static inline void put(crank_recorder *recorder, const double *row)
{
    crank_error err = {0};
    CHECK_OK(crank_recorder_write(recorder, row, &err), err);
}

static inline void finish(crank_recorder *recorder)
{
    crank_error err = {0};
    CHECK_OK(crank_recorder_close(recorder, &err), err);
}

static inline crank_table *read_path(const char *path)
{
    crank_error err = {0};
    crank_table *table;
    CHECK_OK(crank_table_read(path, &table, &err), err);
    return table;
}

/* row i of a result of two columns */
static inline void put_rows(crank_recorder *recorder, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        put(recorder, (double[]){i, 1.0 / (i + 3)});
    }
}

static inline void check_rows(const crank_table *table, int count)
{
    assert_int_equal(table->rows, count);
    for (int i = 0; i < count; i++) {
        assert_true(table->values[i] == i);
        assert_true(table->values[count + i] == 1.0 / (i + 3));
    }
}

#endif
