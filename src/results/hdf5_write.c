/* hdf5_write.c - the datasets of a result in HDF5 (see hdf5.h), and rows into them.
 *
 * Rows are gathered to bands of chunks. A flush writes what is there, then, when that has
 * reached the system, the number of complete rows: whoever reads believes that number. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/claim.h"
#include "base/then.h"
#include "results/hdf5.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_COLUMNS = 1024, /* at most */
    CHUNK_VALUES = 8192,  /* 64 KiB */
    CHUNK_ROWS = 256,     /* at most */
    BAND_VALUES = 1 << 18 /* 2 MiB, if more than a row */
};
static const unsigned compression = 2;

static size_t chunk_columns(int columns)
{
    return columns < CHUNK_COLUMNS ? (size_t)columns : CHUNK_COLUMNS;
}

size_t crank_hdf5_band(int columns)
{
    const size_t fit = CHUNK_VALUES / chunk_columns(columns);
    const size_t band = (size_t)columns < BAND_VALUES ? BAND_VALUES / (size_t)columns : 1;
    const size_t rows = fit < band ? fit : band;
    return rows < CHUNK_ROWS ? rows : CHUNK_ROWS;
}

crank_status crank_hdf5_failure(const crank_hdf5_file *file, crank_error *err)
{
    if (file->disk.error == 0) {
        return crank_hdf5_fail(file->path, "write", err);
    }
    return crank_fail(err, CRANK_EFILE, "%.200s: cannot write: %s", file->path,
                      crank_claim_reason(file->disk.error));
}

/* ---- texts ---- */

static bool is_ascii(const char *texts, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)texts[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

static hid_t text_type(size_t width, H5T_cset_t set)
{
    const hid_t type = H5Tcopy(H5T_C_S1);

    if (type >= 0 && (H5Tset_size(type, width) < 0 || H5Tset_cset(type, set) < 0)) {
        (void)H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static bool put_attribute(hid_t on, const char *name, hid_t space, const char *texts,
                          size_t width, size_t count)
{
    const hid_t type =
        text_type(width, is_ascii(texts, width * count) ? H5T_CSET_ASCII : H5T_CSET_UTF8);
    const hid_t attribute = H5Acreate2(on, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, texts) >= 0;

    if (good) { /* otherwise these calls would clear the reason */
        (void)H5Aclose(attribute);
        (void)H5Tclose(type);
    }
    return good;
}

/* count texts of equal width as a dataset of the file and, if on is valid, as its attribute;
 * count 0: one text, a scalar. */
static bool put_texts(hid_t file, hid_t on, const char *name, const char *texts, size_t width,
                      size_t count)
{
    const hsize_t size = count;
    const hid_t type = text_type(width, H5T_CSET_ASCII);
    const hid_t space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t set =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = set >= 0 &&
                      H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0 &&
                      (on < 0 || put_attribute(on, name, space, texts, width, count));

    if (good) {
        (void)H5Dclose(set);
        (void)H5Sclose(space);
        (void)H5Tclose(type);
    }
    return good;
}

static const char *column_text(const crank_column *c, int which)
{
    return crank_text_or_empty(which == 0 ? c->name : which == 1 ? c->unit : c->description);
}

static crank_status put_columns(const crank_hdf5_file *file, const crank_result_head *head,
                                int which, crank_error *err)
{
    static const char *const places[] = {CRANK_HDF5_NAMES, CRANK_HDF5_UNITS,
                                         CRANK_HDF5_DESCRIPTIONS};
    const size_t count = (size_t)head->column_count;
    size_t width = 1;

    for (size_t j = 0; j < count; j++) {
        const size_t length = strlen(column_text(&head->columns[j], which)) + 1;
        width = length > width ? length : width;
    }
    char *texts = width <= INT_MAX / count ? calloc(count, width) : NULL;
    if (texts == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s: %zu %s of up to %zu bytes", file->path,
                          count, places[which], width);
    }
    for (size_t j = 0; j < count; j++) {
        const char *text = column_text(&head->columns[j], which);
        memcpy(texts + j * width, text, strlen(text) + 1);
    }
    const crank_status status =
        put_texts(file->file, file->values, places[which], texts, width, count)
            ? CRANK_OK
            : crank_hdf5_failure(file, err);
    free(texts);
    return status;
}

static crank_status put_info(const crank_hdf5_file *file, const crank_result_info *info,
                             crank_error *err)
{
    const struct {
        const char *place, *text;
    } texts[] = {
        {CRANK_HDF5_TITLE, info->title},     {CRANK_HDF5_MODEL, info->model},
        {CRANK_HDF5_METHOD, info->method},   {CRANK_HDF5_SCENE, info->scene},
        {CRANK_HDF5_VERSION, info->version},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = texts[i].text;
        if (text != NULL && text[0] != '\0' &&
            !put_texts(file->file, H5I_INVALID_HID, texts[i].place, text, strlen(text) + 1,
                       0)) {
            return crank_hdf5_failure(file, err);
        }
    }
    return CRANK_OK;
}

/* ---- the datasets ---- */

hid_t crank_hdf5_values_access(const crank_hdf5_file *file)
{
    const size_t columns = (size_t)file->columns;
    const size_t cache = 2 * file->band * (columns + CHUNK_COLUMNS) * sizeof(double);
    const size_t slots = 100 * (columns / CHUNK_COLUMNS + 1) + 1;
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);

    return H5Pset_chunk_cache(access, slots, cache, 1.0) >= 0 ? access : H5I_INVALID_HID;
}

static bool make_values(crank_hdf5_file *file)
{
    const size_t columns = (size_t)file->columns;
    const hsize_t size[2] = {0, columns}, limit[2] = {H5S_UNLIMITED, columns};
    const hsize_t chunk[2] = {file->band, chunk_columns(file->columns)};
    const double nothing = (double)NAN;
    const hid_t space = H5Screate_simple(2, size, limit);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t access = crank_hdf5_values_access(file);
    const bool good = H5Pset_chunk(create, 2, chunk) >= 0 &&
                      H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &nothing) >= 0 &&
                      H5Pset_shuffle(create) >= 0 && H5Pset_deflate(create, compression) >= 0 &&
                      access >= 0;
    file->values = good ? H5Dcreate2(file->file, CRANK_HDF5_VALUES, H5T_IEEE_F64LE, space,
                                     H5P_DEFAULT, create, access)
                        : H5I_INVALID_HID;
    (void)H5Pclose(access);
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    return file->values >= 0;
}

bool crank_hdf5_put_row_count(const crank_hdf5_file *file)
{
    const int64_t rows = (int64_t)file->rows;
    return H5Dwrite(file->rows_place, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rows) >=
           0;
}

static bool make_row_count(crank_hdf5_file *file)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);

    file->rows_place = H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY) >= 0
                           ? H5Dcreate2(file->file, CRANK_HDF5_ROWS, H5T_STD_I64LE, space,
                                        H5P_DEFAULT, create, H5P_DEFAULT)
                           : H5I_INVALID_HID;
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    return file->rows_place >= 0 && crank_hdf5_put_row_count(file);
}

bool crank_hdf5_start(const crank_hdf5_file *file)
{
    return H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0 &&
           H5Fstart_swmr_write(file->file) >= 0 && file->disk.error == 0;
}

crank_status crank_hdf5_make(crank_hdf5_file *file, const crank_result_head *head,
                             crank_error *err)
{
    if (!make_values(file) || !make_row_count(file)) {
        return crank_hdf5_failure(file, err);
    }
    crank_status status = CRANK_OK;
    for (int which = 0; which < 3 && status == CRANK_OK; which++) {
        status = put_columns(file, head, which, err);
    }
    CRANK_THEN(status, put_info(file, &head->info, err));
    return status == CRANK_OK && !crank_hdf5_start(file) ? crank_hdf5_failure(file, err)
                                                         : status;
}

/* ---- rows ---- */

bool crank_hdf5_append(crank_hdf5_file *file)
{
    const hsize_t columns = (hsize_t)file->columns;
    const hsize_t from[2] = {file->rows, 0}, count[2] = {file->buffered, columns};
    const hsize_t size[2] = {file->rows + file->buffered, columns};

    if (file->buffered == 0) {
        return true;
    }
    if (H5Dset_extent(file->values, size) < 0) {
        return false;
    }
    const hid_t space = H5Dget_space(file->values);
    const hid_t memory = H5Screate_simple(2, count, NULL);
    const bool good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
        H5Dwrite(file->values, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, file->buffer) >=
            0;
    if (good) { /* otherwise these calls would clear the reason */
        (void)H5Sclose(memory);
        (void)H5Sclose(space);
        file->rows += file->buffered;
        file->buffered = 0;
    }
    return good && file->disk.error == 0;
}

bool crank_hdf5_hand_over(crank_hdf5_file *file)
{
    return crank_hdf5_append(file) && H5Dflush(file->values) >= 0 && file->disk.error == 0 &&
           crank_hdf5_put_row_count(file) && H5Dflush(file->rows_place) >= 0 &&
           file->disk.error == 0;
}
