/* hdf5_read.c - reads HDF5 results of crank (see hdf5.h), of runs that ended, go on or were
 * killed.
 *
 * Sizes are compared with what the file stores before memory is taken for them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "results/hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ATTEMPTS =
        /* to read what is just being written; libhdf5's 100 take minutes where it is damaged */
    12,
    PACKED_MAX = 2000, /* bytes per compressed byte: deflate reaches 1032 */
    BLOCK_VALUES = 1 << 17
};
static const uint64_t chunk_limit = (uint64_t)1 << 28; /* bytes */

static crank_status damaged(const char *path, const char *what, crank_error *err)
{
    (void)crank_fail(err, CRANK_ESYNTAX, "%.200s: is no result of crank, or damaged: %s", path,
                     what);
    return CRANK_ESYNTAX;
}

/* ---- opening ---- */

/* Byte 11 of such files has a mark while they are written in SWMR mode; a writer that is killed
 * leaves it. */
static bool is_marked(const char *path)
{
    unsigned char start[12] = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = fd >= 0 ? read(fd, start, sizeof start) : 0;

    if (fd >= 0) {
        (void)close(fd);
    }
    return count == sizeof start && start[8] >= 3 && (start[11] & 4) != 0;
}

static crank_status open_file(crank_hdf5_reader *r, crank_error *err)
{
    struct stat info;

    if (access(r->path, R_OK) != 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", r->path,
                          strerror(errno));
    }
    if (stat(r->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: is empty", r->path);
    }
    const hid_t list = crank_hdf5_access();
    if (is_marked(r->path) && H5Pset_metadata_read_attempts(list, ATTEMPTS) >= 0) {
        r->file = H5Fopen(r->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list);
        r->incomplete = r->file >= 0;
    }
    if (r->file < 0 && !is_marked(r->path)) { /* closed by now, if not before */
        r->file = H5Fopen(r->path, H5F_ACC_RDONLY, list);
    }
    const crank_status status =
        r->file >= 0 ? CRANK_OK : crank_hdf5_fail(r->path, "open as HDF5", err);
    (void)H5Pclose(list);
    return status;
}

static bool is_dataset(hid_t file, const char *name)
{
    H5O_info_t info;
    return H5Lexists(file, name, H5P_DEFAULT) > 0 &&
           H5Oget_info_by_name(file, name, &info, H5P_DEFAULT) >= 0 &&
           info.type == H5O_TYPE_DATASET;
}

/* Rows that are complete, as the writer says. Asked for before the dataset is opened: a run
 * that goes on may write more in between, never less. */
static crank_status count_rows(crank_hdf5_reader *r, crank_error *err)
{
    int64_t rows = INT64_MAX;

    if (is_dataset(r->file, CRANK_HDF5_ROWS)) {
        const hid_t set = H5Dopen2(r->file, CRANK_HDF5_ROWS, H5P_DEFAULT);
        const hid_t space = H5Dget_space(set);
        const bool good =
            H5Sget_simple_extent_npoints(space) == 1 &&
            H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rows) >= 0;
        (void)H5Sclose(space);
        (void)H5Dclose(set);
        if (!good || rows < 0) {
            return damaged(r->path, CRANK_HDF5_ROWS, err);
        }
    }
    r->rows = (uint64_t)rows;
    return CRANK_OK;
}

/* How many rows are best read at a time; false: the chunks are too large to be honest. */
static bool find_band(crank_hdf5_reader *r)
{
    const hid_t list = H5Dget_create_plist(r->values);
    hsize_t chunk[2] = {1, 1};
    bool good = list >= 0;

    if (good && H5Pget_layout(list) == H5D_CHUNKED) {
        good = H5Pget_chunk(list, 2, chunk) == 2 && chunk[0] > 0 && chunk[1] > 0 &&
               chunk[0] <= chunk_limit / sizeof(double) / chunk[1];
    }
    if (list >= 0) {
        (void)H5Pclose(list);
    }
    const size_t columns = (size_t)r->columns;
    const size_t fit = columns < BLOCK_VALUES ? BLOCK_VALUES / columns : 1;
    const size_t high = good ? (size_t)chunk[0] : 1;
    r->band = fit > high ? fit / high * high : high;
    r->band = r->band <= chunk_limit / sizeof(double) / columns ? r->band : 1;
    return good;
}

static crank_status look_at_values(crank_hdf5_reader *r, crank_error *err)
{
    hsize_t size[2] = {0, 0};

    const crank_status status = count_rows(r, err);
    if (status != CRANK_OK) {
        return status;
    }
    r->values = is_dataset(r->file, CRANK_HDF5_VALUES)
                    ? H5Dopen2(r->file, CRANK_HDF5_VALUES, H5P_DEFAULT)
                    : H5I_INVALID_HID;
    if (r->values < 0) {
        return damaged(r->path, "it has no dataset values", err);
    }
    const hid_t space = H5Dget_space(r->values), type = H5Dget_type(r->values);
    const bool good = H5Sget_simple_extent_ndims(space) == 2 &&
                      H5Sget_simple_extent_dims(space, size, NULL) == 2 && size[1] >= 1 &&
                      size[1] <= INT_MAX && H5Tget_class(type) == H5T_FLOAT;
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    if (!good) {
        return damaged(r->path, "values is no matrix of numbers", err);
    }
    r->columns = (int)size[1];
    r->rows = r->rows == INT64_MAX ? size[0] : r->rows;
    if (r->rows > size[0]) {
        return damaged(r->path, CRANK_HDF5_ROWS, err);
    }
    const uint64_t stored = H5Dget_storage_size(r->values);
    if (!find_band(r) || r->rows > UINT64_MAX / sizeof(double) / size[1] ||
        r->rows * size[1] * sizeof(double) / PACKED_MAX > stored) {
        return damaged(r->path, "values has more rows than the file can hold", err);
    }
    return CRANK_OK;
}

crank_status crank_hdf5_open(crank_hdf5_reader *r, const char *path, crank_error *err)
{
    *r = (crank_hdf5_reader){.path = path, .file = H5I_INVALID_HID, .values = H5I_INVALID_HID};
    const crank_status status = open_file(r, err);
    return status == CRANK_OK ? look_at_values(r, err) : status;
}

void crank_hdf5_close(crank_hdf5_reader *r)
{
    if (r->file >= 0) {
        (void)H5Fclose(r->file); /* and all that is open in it */
    }
    r->values = r->file = H5I_INVALID_HID;
}

/* ---- content ---- */

crank_status crank_hdf5_get_rows(const crank_hdf5_reader *r, uint64_t first, size_t count,
                                 double *rows, crank_error *err)
{
    const hsize_t from[2] = {first, 0}, size[2] = {count, (hsize_t)r->columns};
    const hid_t space = H5Dget_space(r->values);
    const hid_t memory = H5Screate_simple(2, size, NULL);
    const bool good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
        H5Dread(r->values, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows) >= 0;
    const crank_status status =
        good ? CRANK_OK : crank_hdf5_fail(r->path, "read its values", err);
    (void)H5Sclose(memory);
    (void)H5Sclose(space);
    return status;
}

/* All texts of a dataset in one piece, each of *width bytes; *texts is the caller's to free. */
static crank_status get_texts(const crank_hdf5_reader *r, const char *name, int count,
                              char **texts, size_t *width, crank_error *err)
{
    const hid_t set = H5Dopen2(r->file, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const uint64_t stored = set >= 0 ? H5Dget_storage_size(set) : 0;
    crank_status status = CRANK_OK;

    *texts = NULL;
    *width = 0;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
        *width = H5Tget_size(type);
    }
    if (*width == 0 || count < 1 || H5Sget_simple_extent_npoints(space) != count ||
        *width > stored / (size_t)count) {
        status = damaged(r->path, name, err);
    } else if ((*texts = malloc(*width * (size_t)count)) == NULL) {
        status = crank_fail(err, CRANK_EMEM, "%.200s: %s", r->path, name);
    } else if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *texts) < 0) {
        status = crank_hdf5_fail(r->path, "read its texts", err);
    }
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Dclose(set);
    return status;
}

crank_status crank_hdf5_get_names(const crank_hdf5_reader *r, const char *name, char **texts,
                                  crank_error *err)
{
    char *all = NULL;
    size_t width = 0;

    if (!is_dataset(r->file, name)) {
        return damaged(r->path, name, err);
    }
    crank_status status = get_texts(r, name, r->columns, &all, &width, err);
    for (int j = 0; j < r->columns && status == CRANK_OK; j++) {
        status = crank_table_set(&texts[j], r->path, all + (size_t)j * width, width, err);
    }
    free(all);
    return status;
}

static crank_status read_info(const crank_hdf5_reader *r, crank_table *table, crank_error *err)
{
    static const char *const names[] = {CRANK_HDF5_TITLE, CRANK_HDF5_MODEL, CRANK_HDF5_METHOD,
                                        CRANK_HDF5_SCENE};
    char **to[] = {&table->title, &table->model, &table->method, &table->scene};
    crank_status status = CRANK_OK;

    for (int i = 0; i < 4 && status == CRANK_OK; i++) {
        char *text = NULL;
        size_t width = 0;
        if (!is_dataset(r->file, names[i])) {
            continue;
        }
        status = get_texts(r, names[i], 1, &text, &width, err);
        CRANK_THEN(status, crank_table_set(to[i], r->path, text, width, err));
        free(text);
    }
    return status;
}

static crank_status read_values(const crank_hdf5_reader *r, crank_table *table,
                                crank_error *err)
{
    crank_status status = crank_table_take_values(table, r->path, r->rows, err);
    const size_t left = (size_t)table->rows;
    const size_t most = r->band < left ? r->band : left;
    double *rows = malloc((most * (size_t)r->columns + 1) * sizeof *rows);

    if (status == CRANK_OK && rows == NULL) {
        status = crank_fail(err, CRANK_EMEM, "%.200s: table", r->path);
    }
    for (size_t i = 0; i < left && status == CRANK_OK; i += most) {
        const size_t count = left - i < most ? left - i : most;
        status = crank_hdf5_get_rows(r, i, count, rows, err);
        if (status == CRANK_OK) {
            crank_table_put_rows(table, (int)i, (int)count, rows);
        }
    }
    free(rows);
    return status;
}

crank_status crank_hdf5_read(const char *path, crank_table *table, crank_error *err)
{
    crank_hdf5_quiet quiet;
    crank_hdf5_reader r;

    crank_hdf5_quiet_begin(&quiet);
    crank_status status = crank_hdf5_open(&r, path, err);
    if (status != CRANK_OK && r.file >= 0 && !is_dataset(r.file, CRANK_HDF5_VALUES) &&
        H5Aexists(r.file, "Conventions") > 0) { /* netCDF is HDF5, too */
        crank_hdf5_close(&r);
        crank_hdf5_quiet_end(&quiet, CRANK_OK);
        return crank_netcdf_read(path, table, err);
    }
    CRANK_THEN(status, crank_table_take(table, path, r.columns, err));
    CRANK_THEN(status, crank_hdf5_get_names(&r, CRANK_HDF5_NAMES, table->names, err));
    CRANK_THEN(status, crank_hdf5_get_names(&r, CRANK_HDF5_UNITS, table->units, err));
    CRANK_THEN(status,
               crank_hdf5_get_names(&r, CRANK_HDF5_DESCRIPTIONS, table->descriptions, err));
    CRANK_THEN(status, read_info(&r, table, err));
    CRANK_THEN(status, read_values(&r, table, err));
    table->incomplete = r.incomplete;
    crank_hdf5_close(&r);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}
