/* hdf5.h - results as HDF5 files, what writer and reader share.
 *
 *     /values         rows x columns of doubles, in compressed chunks; its attributes names,
 *                     units, descriptions
 *     /row_count      rows that are complete; a killed run may leave more in /values,
 *                     which are not
 *     /names /units /descriptions   a text per column
 *     /model_title /model_file /method /scene /crank_version   texts; left out where not known
 *
 * Texts are UTF-8, of fixed length, filled with zeros. Only attributes are marked as UTF-8,
 * where they are more than ASCII: Octave loads no file with datasets that are. Files are
 * written in SWMR mode: others may read while the run goes on, and after it was killed. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_HDF5_H
#define CRANK_SRC_HDF5_H

#include "results/format.h"

#include <hdf5.h>

#define CRANK_HDF5_VALUES       "values"
#define CRANK_HDF5_ROWS         "row_count"
#define CRANK_HDF5_NAMES        "names"
#define CRANK_HDF5_UNITS        "units"
#define CRANK_HDF5_DESCRIPTIONS "descriptions"
#define CRANK_HDF5_TITLE        "model_title"
#define CRANK_HDF5_MODEL        "model_file"
#define CRANK_HDF5_METHOD       "method"
#define CRANK_HDF5_SCENE        "scene"
#define CRANK_HDF5_VERSION      "crank_version"

/* libhdf5 prints its errors unless told otherwise; in this thread it is quiet from begin to
 * end. After a failure it stays so: a damaged file leaves it with things that it cannot close,
 * of which it would complain at the process's end. */
typedef struct crank_hdf5_quiet {
    H5E_auto2_t print;
    void *user;
} crank_hdf5_quiet;

void crank_hdf5_quiet_begin(crank_hdf5_quiet *quiet);
void crank_hdf5_quiet_end(const crank_hdf5_quiet *quiet, crank_status status);
/* EFILE with the path, what was tried and the reason of the library's last failure; to be
 * called at once. */
crank_status crank_hdf5_fail(const char *path, const char *doing, crank_error *err);
/* How files are opened: locks where the file system has them. Negative: failed. */
hid_t crank_hdf5_access(void);

/* The disk that a file is written to. */
typedef struct crank_hdf5_disk {
    int fd;    /* -1: closed */
    int error; /* errno of the first failure, 0: none; nothing is written after it */
} crank_hdf5_disk;

/* Files opened with this access list report to `report`, which outlives them. */
bool crank_hdf5_set_disk(hid_t access, crank_hdf5_disk *report);

/* A result being written. */
typedef struct crank_hdf5_file {
    hid_t file, values, rows_place;
    crank_hdf5_disk disk;
    char *path, *temporary;
    int columns;
    uint64_t rows;   /* in the file */
    size_t band;     /* rows that the buffer holds */
    size_t buffered; /* rows in it */
    double *buffer;
} crank_hdf5_file;

/* Rows of a chunk: 64 KiB, less in narrow results, so that flushing a few rows does not cost
 * much. */
size_t crank_hdf5_band(int columns);
/* Fills the empty file and starts SWMR mode. */
crank_status crank_hdf5_make(crank_hdf5_file *file, const crank_result_head *head,
                             crank_error *err);
/* How values are to be opened: the cache holds two bands, so that each chunk is compressed once
 * unless a flush comes between. */
hid_t crank_hdf5_values_access(const crank_hdf5_file *file);
/* false: failed, to be told by crank_hdf5_failure at once. append leaves the rows to the
 * library, hand_over gives them to the system. */
bool crank_hdf5_put_row_count(const crank_hdf5_file *file);
bool crank_hdf5_start(const crank_hdf5_file *file);
bool crank_hdf5_append(crank_hdf5_file *file);
bool crank_hdf5_hand_over(crank_hdf5_file *file);
crank_status crank_hdf5_failure(const crank_hdf5_file *file, crank_error *err);

/* A result being read. */
typedef struct crank_hdf5_reader {
    hid_t file, values;
    const char *path; /* the caller's */
    uint64_t rows;
    int columns;
    size_t band;     /* rows that are best read together */
    bool incomplete; /* its writer has not closed it */
} crank_hdf5_reader;

/* close also after a failure. */
crank_status crank_hdf5_open(crank_hdf5_reader *r, const char *path, crank_error *err);
void crank_hdf5_close(crank_hdf5_reader *r);
crank_status crank_hdf5_get_rows(const crank_hdf5_reader *r, uint64_t first, size_t count,
                                 double *rows, crank_error *err);
/* One text per column into the table's array. */
crank_status crank_hdf5_get_names(const crank_hdf5_reader *r, const char *name, char **texts,
                                  crank_error *err);

#endif
