/* netcdf_read.c - reads a run from a netCDF-4 file, crank's own or another program's: its first
 * dimension is the first column, every array of numbers over it alone another, in the order of
 * the file. Studies, whose first dimension is the run, are refused: netcdf_study.c reads them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/netcdf_reader.h"

#include "base/then.h"

#include <errno.h>
#include <hdf5_hl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_TEXT = 1 << 26 };

typedef crank_netcdf_reader reader;

crank_status crank_netcdf_damaged(const reader *r, const char *what, crank_error *err)
{
    return crank_fail(err, CRANK_ESYNTAX, "%.200s: is no result in netCDF-4, or damaged: %s",
                      r->path, what);
}

static crank_status open_file(reader *r, crank_error *err)
{
    struct stat info;
    if (access(r->path, R_OK) != 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", r->path,
                          strerror(errno));
    }
    if (stat(r->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0) {
        return crank_fail(err, CRANK_EFILE, "%.200s: is empty", r->path);
    }
    H5G_info_t group;
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r->file < 0) {
        return crank_hdf5_fail(r->path, "open as netCDF-4", err);
    }
    if (H5Gget_info(r->file, &group) < 0) {
        return crank_netcdf_damaged(r, "its list of variables", err);
    }
    r->links = group.nlinks;
    return CRANK_OK;
}

hid_t crank_netcdf_set(const reader *r, hsize_t i, char *name)
{
    ssize_t length = H5Lget_name_by_idx(r->file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name,
                                        CRANK_NETCDF_NAME, H5P_DEFAULT);
    if (length < 0) {
        length = H5Lget_name_by_idx(r->file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                    CRANK_NETCDF_NAME, H5P_DEFAULT);
    }
    return length > 0 && length < CRANK_NETCDF_NAME ? H5Dopen2(r->file, name, H5P_DEFAULT) : -1;
}

/* Its length if it is one row of numbers; false if not. */
static bool is_column(hid_t set, hsize_t *length)
{
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const H5T_class_t kind = H5Tget_class(type);
    const bool good = H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, length, NULL) == 1 &&
                      (kind == H5T_FLOAT || kind == H5T_INTEGER);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    return good;
}

static haddr_t place_of(hid_t object)
{
    H5O_info_t info;
    return H5Oget_info(object, &info) >= 0 ? info.addr : HADDR_UNDEF;
}

static herr_t is_scale(hid_t set, unsigned axis, hid_t scale, void *user)
{
    (void)set;
    (void)axis;
    return place_of(scale) == *(const haddr_t *)user ? 1 : 0;
}

bool crank_netcdf_is_over(const reader *r, hid_t set)
{
    haddr_t place = r->place;
    return H5Aexists(set, "DIMENSION_LIST") > 0 &&
           H5DSiterate_scales(set, 0, NULL, is_scale, &place) > 0;
}

static crank_status look(reader *r, crank_error *err)
{
    char name[CRANK_NETCDF_NAME];
    for (hsize_t i = 0; i < r->links; i++) {
        hsize_t length = 0;
        const hid_t set = crank_netcdf_set(r, i, name);
        if (set >= 0 && r->first[0] == '\0' && H5DSis_scale(set) > 0 &&
            is_column(set, &length)) {
            memcpy(r->first, name, sizeof name);
            r->place = place_of(set);
            r->rows = length;
            r->columns = 1;
        } else if (set >= 0 && r->first[0] != '\0' && is_column(set, &length) &&
                   crank_netcdf_is_over(r, set)) {
            r->columns++;
        }
        if (set >= 0) {
            (void)H5Dclose(set);
        }
    }
    return r->columns == 0 ? crank_netcdf_damaged(r, "it has no dimension with values", err)
                           : CRANK_OK;
}

crank_status crank_netcdf_text(const reader *r, hid_t object, const char *name, char **to,
                               crank_error *err)
{
    if (H5Aexists(object, name) <= 0) {
        return CRANK_OK;
    }
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const size_t size = H5Tget_size(type);
    crank_status status = CRANK_OK;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        if (H5Aread(attribute, type, &text) >= 0 && text != NULL) {
            status = crank_table_set(to, r->path, text, strlen(text), err);
            (void)H5free_memory(text);
        }
    } else if (H5Tget_class(type) == H5T_STRING && size < LONGEST_TEXT) {
        char *text = calloc(size + 1, 1);
        status = text == NULL ? crank_fail(err, CRANK_EMEM, "%.200s", r->path) : CRANK_OK;
        if (status == CRANK_OK && H5Aread(attribute, type, text) >= 0) {
            status = crank_table_set(to, r->path, text, size, err);
        }
        free(text);
    }
    (void)H5Tclose(type);
    (void)H5Aclose(attribute);
    return status;
}

static crank_status take_scene(const reader *r, crank_table *table, crank_error *err)
{
    crank_status status = CRANK_OK;
    if (H5Lexists(r->file, CRANK_HDF5_SCENE, H5P_DEFAULT) <= 0) {
        return CRANK_OK;
    }
    const hid_t set = H5Dopen2(r->file, CRANK_HDF5_SCENE, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t length = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) == 1 && length > 0 &&
        length < LONGEST_TEXT) {
        char *text = malloc((size_t)length);
        status = text == NULL ? crank_fail(err, CRANK_EMEM, "%.200s", r->path) : CRANK_OK;
        if (status == CRANK_OK &&
            H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0) {
            status = crank_table_set(&table->scene, r->path, text, (size_t)length, err);
        }
        free(text);
    }
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Dclose(set);
    return status;
}

static crank_status take_column(const reader *r, hid_t set, const char *name,
                                crank_table *table, int column, crank_error *err)
{
    double *values = table->values + (size_t)column * (size_t)table->rows;
    crank_status status =
        crank_table_set(&table->names[column], r->path, name, strlen(name), err);
    CRANK_THEN(status, crank_netcdf_text(r, set, "units", &table->units[column], err));
    CRANK_THEN(status,
               crank_netcdf_text(r, set, "long_name", &table->descriptions[column], err));
    if (status == CRANK_OK && table->rows > 0 &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        status = crank_netcdf_damaged(r, name, err);
    }
    return status;
}

static crank_status take_columns(const reader *r, crank_table *table, crank_error *err)
{
    char name[CRANK_NETCDF_NAME];
    crank_status status = CRANK_OK;
    int column = 1;
    for (hsize_t i = 0; i < r->links && status == CRANK_OK; i++) {
        hsize_t length = 0;
        const hid_t set = crank_netcdf_set(r, i, name);
        const bool first = strcmp(name, r->first) == 0;
        if (set >= 0 && is_column(set, &length) && length == r->rows &&
            (first || (column < r->columns && crank_netcdf_is_over(r, set)))) {
            status = take_column(r, set, name, table, first ? 0 : column++, err);
        }
        if (set >= 0) {
            (void)H5Dclose(set);
        }
    }
    return status != CRANK_OK || column == r->columns
               ? status
               : crank_netcdf_damaged(r, "its variables", err);
}

crank_status crank_netcdf_open(reader *r, const char *path, crank_error *err)
{
    struct stat info;
    *r = (reader){.file = H5I_INVALID_HID, .path = path};
    crank_hdf5_quiet_begin(&r->quiet);
    crank_status status = open_file(r, err);
    CRANK_THEN(status, look(r, err));
    r->study = strcmp(r->first, "run") == 0;
    if (status == CRANK_OK && (r->rows > INT_MAX || stat(path, &info) != 0 ||
                               r->rows * 4 > (uint64_t)info.st_size * 2000)) {
        status = crank_netcdf_damaged(r, "its number of rows",
                                      err); /* deflate packs 1032 times at most */
    }
    return status;
}

crank_status crank_netcdf_take(const reader *r, crank_table *table, crank_error *err)
{
    crank_status status = crank_table_take(table, r->path, r->columns, err);
    CRANK_THEN(status, crank_table_take_values(table, r->path, r->rows, err));
    CRANK_THEN(status, take_columns(r, table, err));
    CRANK_THEN(status, crank_netcdf_text(r, r->file, "title", &table->title, err));
    CRANK_THEN(status, crank_netcdf_text(r, r->file, CRANK_HDF5_MODEL, &table->model, err));
    CRANK_THEN(status, crank_netcdf_text(r, r->file, CRANK_HDF5_METHOD, &table->method, err));
    return status;
}

void crank_netcdf_end(reader *r, crank_status status)
{
    if (r->file >= 0) {
        (void)H5Fclose(r->file);
    }
    crank_hdf5_quiet_end(&r->quiet, status);
}

crank_status crank_netcdf_read(const char *path, crank_table *table, crank_error *err)
{
    reader r;
    crank_status status = crank_netcdf_open(&r, path, err);
    if (status == CRANK_OK && r.study) {
        status = crank_fail(err, CRANK_EARG,
                            "%.200s: is a study of %llu runs, of which crank view makes a "
                            "page and crank convert a table; results of single runs are read "
                            "here",
                            path, (unsigned long long)r.rows);
    }
    CRANK_THEN(status, crank_netcdf_take(&r, table, err));
    CRANK_THEN(status, take_scene(&r, table, err));
    crank_netcdf_end(&r, status);
    return status;
}
