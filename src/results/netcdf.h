/* netcdf.h - netCDF-4 files: HDF5 with dimension scales, as the netCDF user's guide describes
 * the format, written piece by piece.
 *
 * Attributes _Netcdf4Dimid and REFERENCE_LIST, DIMENSION_LIST are what tells readers (netCDF,
 * xarray, Octave, MATLAB) which axis of an array is which dimension. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_NETCDF_H
#define CRANK_SRC_NETCDF_H

#include <crank/base.h>

typedef struct crank_netcdf crank_netcdf;

typedef enum crank_netcdf_type {
    CRANK_NETCDF_DOUBLE, /* fill value NaN */
    CRANK_NETCDF_INT,
    CRANK_NETCDF_CHAR /* bytes of a text; with two dimensions of one each, filled with zeros */
} crank_netcdf_type;

typedef struct crank_netcdf_variable {
    const char *name;
    crank_netcdf_type type;
    int dimensions;          /* 1 or 2 */
    int dimension[2];        /* numbers from crank_netcdf_dimension */
    const char *unit;        /* NULL or "": none */
    const char *about;       /* long_name; NULL or "": none */
    const char *coordinates; /* names of those that belong to it; NULL: none */
} crank_netcdf_variable;

/* Another file of that name is replaced when this one is closed well. *out is NULL on
 * failure. */
crank_status crank_netcdf_create(const char *path, crank_netcdf **out, crank_error *err);
/* A dimension with its values (NULL: none); returns its number, -1: failed. */
int crank_netcdf_dimension(crank_netcdf *f, const char *name, int64_t length,
                           const double *values, const char *unit, const char *about);
/* A variable; returns its number, -1: failed. */
int crank_netcdf_define(crank_netcdf *f, const crank_netcdf_variable *variable);
/* A text about the file (variable -1) or a variable. */
void crank_netcdf_note(crank_netcdf *f, int variable, const char *name, const char *text);
/* Numbers that a variable of whole numbers can have, and their meanings, words. */
void crank_netcdf_flags(crank_netcdf *f, int variable, int count, const int *values,
                        const char *meanings);
/* Entries first .. first + count - 1 of the first dimension, all of the second. */
void crank_netcdf_put(crank_netcdf *f, int variable, int64_t first, int64_t count,
                      const void *values);
/* Failures of all calls so far are told here; then the file is removed. */
crank_status crank_netcdf_close(crank_netcdf *f, bool keep, crank_error *err);

#endif
