/* netcdf_record.c - a run as a netCDF-4 file: its first column, the time, is the dimension,
 * every other column a variable over it; what the result says of itself are attributes of the
 * file.
 *
 * Columns are written one by one, so that rows are logged until the end (logged.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "results/hdf5.h"
#include "results/logged.h"
#include "results/netcdf.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 }; /* values that are read at a time */

/* Names that HDF5 can have: no slashes, not ".", and no two the same. */
static crank_status check(const char *path, const crank_result_head *head, crank_error *err)
{
    for (int j = 0; j < head->column_count; j++) {
        const char *name = head->columns[j].name;
        if (strchr(name, '/') != NULL || strcmp(name, ".") == 0) {
            return crank_fail(err, CRANK_EARG,
                              "%.200s: netCDF has no names like %.80s; write .h5", path, name);
        }
    }
    return CRANK_OK;
}

static void describe(crank_netcdf *f, const crank_result_info *info)
{
    crank_netcdf_note(f, -1, "Conventions", "CF-1.8");
    crank_netcdf_note(f, -1, "title", info->title);
    crank_netcdf_note(f, -1, CRANK_HDF5_MODEL, info->model);
    crank_netcdf_note(f, -1, CRANK_HDF5_METHOD, info->method);
    crank_netcdf_note(f, -1, CRANK_HDF5_VERSION, info->version);
}

/* The scene is longer than attributes should be. As an array of characters, since Octave loads
 * no file with texts of other kinds. */
static void put_scene(crank_netcdf *f, const char *scene)
{
    const int64_t length = scene != NULL ? (int64_t)strlen(scene) : 0;
    if (length == 0) {
        return;
    }
    const int letters = crank_netcdf_dimension(f, "scene_length", length, NULL, NULL, NULL);
    const crank_netcdf_variable about = {.name = CRANK_HDF5_SCENE,
                                         .type = CRANK_NETCDF_CHAR,
                                         .dimensions = 1,
                                         .dimension = {letters},
                                         .about = "how the model looks, JSON"};
    const int text = letters >= 0 ? crank_netcdf_define(f, &about) : -1;
    if (text >= 0) {
        crank_netcdf_put(f, text, 0, length, scene);
    }
}

/* The times, all of them, which the dimension wants at once. */
static crank_status read_times(const crank_logged_rows *from, size_t columns, double *row,
                               size_t most, double *times, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (uint64_t i = 0; i < from->rows && status == CRANK_OK; i += most) {
        const size_t left = (size_t)(from->rows - i), count = left < most ? left : most;
        status = crank_logged_rows_get(from, i, count, row, err);
        for (size_t k = 0; k < count && status == CRANK_OK; k++) {
            times[i + k] = row[k * columns];
        }
    }
    return status;
}

static crank_status put_columns(crank_netcdf *f, const crank_logged_rows *from, size_t columns,
                                double *row, size_t most, crank_error *err)
{
    double *column = row + most * columns;
    crank_status status = CRANK_OK;
    for (uint64_t i = 0; i < from->rows && status == CRANK_OK; i += most) {
        const size_t left = (size_t)(from->rows - i), count = left < most ? left : most;
        status = crank_logged_rows_get(from, i, count, row, err);
        for (size_t j = 1; j < columns && status == CRANK_OK; j++) {
            for (size_t k = 0; k < count; k++) {
                column[k] = row[k * columns + j];
            }
            crank_netcdf_put(f, (int)j - 1, (int64_t)i, (int64_t)count, column);
        }
    }
    return status;
}

static void define_columns(crank_netcdf *f, const crank_result_head *head, int time)
{
    for (int j = 1; j < head->column_count; j++) {
        const crank_column *c = &head->columns[j];
        (void)crank_netcdf_define(f, &(crank_netcdf_variable){.name = c->name,
                                                              .type = CRANK_NETCDF_DOUBLE,
                                                              .dimensions = 1,
                                                              .dimension = {time},
                                                              .unit = c->unit,
                                                              .about = c->description});
    }
}

static crank_status write_file(const char *path, const char *temporary,
                               const crank_result_head *head, const crank_logged_rows *from,
                               crank_error *err)
{
    const size_t columns = (size_t)head->column_count;
    const size_t most = columns < BLOCK ? BLOCK / columns : 1;
    double *row = malloc((most * (columns + 1) + (size_t)from->rows + 1) * sizeof *row);
    crank_netcdf *f = NULL;
    (void)temporary; /* it has one of its own */
    crank_status status = row != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "%.200s", path);
    double *times = row != NULL ? row + most * (columns + 1) : NULL;
    CRANK_THEN(status, read_times(from, columns, row, most, times, err));
    CRANK_THEN(status, crank_netcdf_create(path, &f, err));
    if (status == CRANK_OK) {
        const crank_column *t = &head->columns[0];
        describe(f, &head->info);
        const int time = crank_netcdf_dimension(f, t->name, (int64_t)from->rows, times, t->unit,
                                                t->description);
        define_columns(f, head, time);
        status = put_columns(f, from, columns, row, most, err);
        put_scene(f, head->info.scene);
    }
    if (f != NULL) {
        const crank_status closed =
            crank_netcdf_close(f, status == CRANK_OK, status == CRANK_OK ? err : NULL);
        status = status != CRANK_OK ? status : closed;
    }
    free(row);
    return status;
}

/* By its ending alone: its first bytes are those of HDF5. */
static bool is_netcdf(const unsigned char *start, size_t length)
{
    (void)start;
    (void)length;
    return false;
}

static const crank_logged_kind netcdf = {"a netCDF file", check, write_file};
CRANK_LOGGED_FUNCTIONS(netcdf)

const crank_format crank_format_netcdf = {
    .name = "netCDF",
    .endings = {".nc"},
    .recognise = is_netcdf,
    .create = create_netcdf,
    .reopen = reopen_netcdf,
    .write = crank_logged_write,
    .flush = crank_logged_flush,
    .close = crank_logged_close,
    .write_table = write_table_netcdf,
    .read = crank_netcdf_read,
};
