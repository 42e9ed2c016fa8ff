/* hdf5_record.c - rows into an HDF5 file (see hdf5.h): opening, going on, closing.
 *
 * To go on, what is kept of the old file is copied to a new one, which takes its place.
 * Flushing chunks that are not full leaves holes in the file; where these make up most of it,
 * it is copied in the same way at the end. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/claim.h"
#include "base/then.h"
#include "results/hdf5.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double waste_limit = 0.5; /* of the file, and a megabyte */

static bool is_hdf5(const unsigned char *start, size_t length)
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return length >= sizeof mark && memcmp(start, mark, sizeof mark) == 0;
}

/* ---- opening and closing ---- */

static void free_file(crank_hdf5_file *file)
{
    if (file->file >= 0) {
        (void)H5Fclose(file->file);
    }
    free(file->path);
    free(file->temporary);
    free(file->buffer);
    free(file);
}

static crank_status take_memory(crank_hdf5_file *file, const char *path, crank_error *err)
{
    file->path = strdup(path);
    file->temporary = crank_path_extend(path, ".part");
    file->buffer = malloc(file->band * (size_t)file->columns * sizeof *file->buffer);
    if (file->path == NULL || file->temporary == NULL || file->buffer == NULL) {
        return crank_fail(err, CRANK_EMEM, "recorder of %d columns", file->columns);
    }
    return CRANK_OK;
}

/* An empty file at `place`. */
static hid_t create_at(const char *place, crank_hdf5_disk *disk)
{
    const hid_t access = crank_hdf5_access();
    const hid_t file = crank_hdf5_set_disk(access, disk)
                           ? H5Fcreate(place, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                           : H5I_INVALID_HID;

    if (file >= 0) { /* otherwise the call would clear the reason */
        (void)H5Pclose(access);
    }
    return file;
}

/* temporary: under that name */
static crank_status make_file(const char *path, int columns, bool temporary,
                              crank_hdf5_file **out, crank_error *err)
{
    crank_hdf5_file *file = calloc(1, sizeof *file);
    struct stat info;

    *out = file;
    if (file == NULL) {
        return crank_fail(err, CRANK_EMEM, "recorder of %d columns", columns);
    }
    *file = (crank_hdf5_file){.file = H5I_INVALID_HID,
                              .values = H5I_INVALID_HID,
                              .rows_place = H5I_INVALID_HID,
                              .columns = columns,
                              .band = crank_hdf5_band(columns)};
    const crank_status status = take_memory(file, path, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot write: %s", path, strerror(EISDIR));
    }
    file->file = create_at(temporary ? file->temporary : path, &file->disk);
    return file->file >= 0 ? CRANK_OK : crank_hdf5_failure(file, err);
}

static crank_status finish_open(crank_hdf5_file *file, crank_status status, void **out)
{
    *out = status == CRANK_OK ? file : NULL;
    if (status != CRANK_OK && file != NULL) {
        free_file(file);
    }
    return status;
}

static crank_status create(const char *path, const crank_result_head *head, void **out,
                           crank_error *err)
{
    crank_hdf5_quiet quiet;
    crank_hdf5_file *file;

    crank_hdf5_quiet_begin(&quiet);
    crank_status status = make_file(path, head->column_count, false, &file, err);
    if (status == CRANK_OK) {
        status = crank_hdf5_make(file, head, err);
        if (status != CRANK_OK) {
            (void)unlink(path); /* nothing could open it */
        }
    }
    status = finish_open(file, status, out);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}

static bool copy_objects(hid_t from, hid_t to)
{
    static const char *const names[] = {
        CRANK_HDF5_VALUES, CRANK_HDF5_ROWS,   CRANK_HDF5_NAMES,  CRANK_HDF5_UNITS,
        CRANK_HDF5_TITLE,  CRANK_HDF5_MODEL,  CRANK_HDF5_METHOD, CRANK_HDF5_DESCRIPTIONS,
        CRANK_HDF5_SCENE,  CRANK_HDF5_VERSION};
    bool good = true;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && good; i++) {
        good = H5Lexists(from, names[i], H5P_DEFAULT) <= 0 ||
               H5Ocopy(from, names[i], to, names[i], H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    return good;
}

static crank_status read_rows(void *old, uint64_t first, size_t count, double *rows,
                              crank_error *err)
{
    return crank_hdf5_get_rows(old, first, count, rows, err);
}

static crank_status compare(crank_hdf5_reader *old, const crank_result_head *head, int64_t rows,
                            crank_error *err)
{
    char **names = calloc((size_t)old->columns, sizeof *names);
    crank_status status =
        names != NULL ? crank_hdf5_get_names(old, CRANK_HDF5_NAMES, names, err)
                      : crank_fail(err, CRANK_EMEM, "names of %d columns", old->columns);

    CRANK_THEN(status, crank_head_compare(head, old->path, old->columns, names, err));
    if (status == CRANK_OK && old->rows < (uint64_t)rows) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: has %llu rows, %lld are to be kept",
                            old->path, (unsigned long long)old->rows, (long long)rows);
    }
    for (int j = 0; names != NULL && j < old->columns; j++) {
        free(names[j]);
    }
    free(names);
    return status == CRANK_OK ? crank_rows_compare(head, old->path, rows, read_rows, old, err)
                              : status;
}

/* The first rows of the old result, in the new file, ready for more. */
static bool keep_rows(crank_hdf5_file *file, const crank_hdf5_reader *old, int64_t rows)
{
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)file->columns};
    const hid_t access = crank_hdf5_values_access(file);

    bool good = copy_objects(old->file, file->file);
    file->rows = (uint64_t)rows;
    file->values = good ? H5Dopen2(file->file, CRANK_HDF5_VALUES, access) : H5I_INVALID_HID;
    file->rows_place = H5Dopen2(file->file, CRANK_HDF5_ROWS, H5P_DEFAULT);
    good = good && file->values >= 0 && file->rows_place >= 0 &&
           H5Dset_extent(file->values, size) >= 0 && crank_hdf5_put_row_count(file) &&
           crank_hdf5_start(file);
    if (good) {
        (void)H5Pclose(access);
    }
    return good;
}

static crank_status reopen(const char *path, const crank_result_head *head, int64_t rows,
                           void **out, crank_error *err)
{
    crank_hdf5_quiet quiet;
    crank_hdf5_reader old = {.file = H5I_INVALID_HID, .values = H5I_INVALID_HID};
    crank_hdf5_file *file = NULL;
    const int claim = crank_claim_open(path, O_RDONLY);

    crank_hdf5_quiet_begin(&quiet);
    crank_status status = CRANK_OK;
    if (claim < 0 || !crank_claim(claim, false)) { /* libhdf5 wants to share it */
        status = crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", path,
                            crank_claim_reason(errno));
    }
    CRANK_THEN(status, crank_hdf5_open(&old, path, err));
    CRANK_THEN(status, compare(&old, head, rows, err));
    CRANK_THEN(status, make_file(path, head->column_count, true, &file, err));
    if (status == CRANK_OK && !keep_rows(file, &old, rows)) {
        status = crank_hdf5_failure(file, err);
    }
    crank_hdf5_close(&old);
    if (status == CRANK_OK && rename(file->temporary, path) != 0) {
        status = crank_fail(err, CRANK_EFILE, "%.200s: cannot be replaced: %s", path,
                            strerror(errno));
    }
    if (status != CRANK_OK && file != NULL) {
        (void)unlink(file->temporary);
    }
    if (claim >= 0) {
        (void)close(claim);
    }
    status = finish_open(file, status, out);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}

/* ---- rows ---- */

/* A buffer that is not full ends at a chunk's end the next time, so that chunks are written
 * once. */
static size_t room(const crank_hdf5_file *file)
{
    return file->band - (size_t)(file->rows % file->band);
}

static crank_status write_row(void *data, const double *values, crank_error *err)
{
    crank_hdf5_file *file = data;
    const size_t columns = (size_t)file->columns;
    crank_hdf5_quiet quiet;

    memcpy(file->buffer + file->buffered * columns, values, columns * sizeof *values);
    file->buffered++;
    if (file->buffered < room(file)) {
        return CRANK_OK;
    }
    crank_hdf5_quiet_begin(&quiet);
    const crank_status status =
        crank_hdf5_append(file) ? CRANK_OK : crank_hdf5_failure(file, err);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}

static crank_status flush(void *data, bool sync, crank_error *err)
{
    crank_hdf5_file *file = data;
    crank_hdf5_quiet quiet;

    crank_hdf5_quiet_begin(&quiet);
    bool good = crank_hdf5_hand_over(file);
    if (good && sync && fsync(file->disk.fd) != 0) {
        file->disk.error = errno;
        good = false;
    }
    const crank_status status = good ? CRANK_OK : crank_hdf5_failure(file, err);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}

/* ---- the end ---- */

static bool is_wasteful(const crank_hdf5_file *file)
{
    hsize_t size = 0;
    const hsize_t used = H5Dget_storage_size(file->values);

    return H5Fget_filesize(file->file, &size) >= 0 && size > used + (1 << 20) &&
           (double)(size - used) > waste_limit * (double)size;
}

/* Without the holes. The file is complete already, so a failure costs only disk space. */
static void squeeze(const crank_hdf5_file *file)
{
    const hid_t from = H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    crank_hdf5_disk disk;
    const hid_t to = create_at(file->temporary, &disk);
    bool good = from >= 0 && to >= 0 && copy_objects(from, to);

    good = (to < 0 || H5Fclose(to) >= 0) && disk.error == 0 && good;
    if (from >= 0) {
        (void)H5Fclose(from);
    }
    if (!good || rename(file->temporary, file->path) != 0) {
        (void)unlink(file->temporary);
    }
}

static crank_status close_file(void *data, bool failed, crank_error *err)
{
    crank_hdf5_file *file = data;
    crank_hdf5_quiet quiet;

    crank_hdf5_quiet_begin(&quiet);
    crank_status status =
        failed || crank_hdf5_hand_over(file) ? CRANK_OK : crank_hdf5_failure(file, err);
    const bool holes = status == CRANK_OK && !failed && is_wasteful(file);
    const hid_t id = file->file;
    file->file = H5I_INVALID_HID;
    if ((H5Fclose(id) < 0 || file->disk.error != 0) && status == CRANK_OK) {
        status = crank_hdf5_failure(file, err);
    }
    if (holes && status == CRANK_OK) {
        squeeze(file);
    }
    free_file(file);
    crank_hdf5_quiet_end(&quiet, status);
    return status;
}

const crank_format crank_format_hdf5 = {
    .name = "HDF5",
    .endings = {".h5", ".hdf5"},
    .recognise = is_hdf5,
    .create = create,
    .reopen = reopen,
    .write = write_row,
    .flush = flush,
    .close = close_file,
    .read = crank_hdf5_read,
};
