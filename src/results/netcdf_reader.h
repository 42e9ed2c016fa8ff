/* netcdf_reader.h - what readers of runs and of studies in netCDF-4 share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_NETCDF_READER_H
#define CRANK_SRC_NETCDF_READER_H

#include "results/hdf5.h"

enum { CRANK_NETCDF_NAME = 1024 };

typedef struct crank_netcdf_reader {
    crank_hdf5_quiet quiet;
    hid_t file;
    const char *path;
    hsize_t links;
    char first[CRANK_NETCDF_NAME]; /* the dimension */
    haddr_t place;                 /* of it in the file */
    hsize_t rows;
    int columns; /* arrays of numbers over it alone, itself among them */
    bool study;  /* it is the run */
} crank_netcdf_reader;

/* crank_netcdf_end also after a failure. */
crank_status crank_netcdf_open(crank_netcdf_reader *r, const char *path, crank_error *err);
void crank_netcdf_end(crank_netcdf_reader *r, crank_status status);
/* All columns over the first dimension, title, model and method into the zeroed table. */
crank_status crank_netcdf_take(const crank_netcdf_reader *r, crank_table *table,
                               crank_error *err);
/* Variable number i, -1: not one; in the order of the file where that is known. name:
 * CRANK_NETCDF_NAME characters. */
hid_t crank_netcdf_set(const crank_netcdf_reader *r, hsize_t i, char *name);
/* Is its first axis the first dimension? */
bool crank_netcdf_is_over(const crank_netcdf_reader *r, hid_t set);
/* An attribute that is one text of fixed or variable length. */
crank_status crank_netcdf_text(const crank_netcdf_reader *r, hid_t object, const char *name,
                               char **to, crank_error *err);
crank_status crank_netcdf_damaged(const crank_netcdf_reader *r, const char *what,
                                  crank_error *err);

#endif
