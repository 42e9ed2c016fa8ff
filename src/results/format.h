/* format.h - what a format of result files must provide. A format is a file or two and a line
 * in formats.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FORMAT_H
#define CRANK_SRC_FORMAT_H

#include <crank/results.h>

/* What comes before the rows. Texts of columns and info may be NULL. */
typedef struct crank_result_head {
    int column_count;
    const crank_column *columns;
    crank_result_info info;
    const uint64_t *mark; /* of the rows that are kept when a run goes on; NULL: not known */
} crank_result_head;

typedef struct crank_format {
    const char *name;       /* "HDF5" */
    const char *endings[3]; /* ".h5"; NULL behind the last */
    /* Are these the first bytes of such a file? */
    bool (*recognise)(const unsigned char *start, size_t length);
    /* Opens the file and writes what comes before the rows; *out is NULL on failure. NULL:
     * cannot be written. */
    crank_status (*create)(const char *path, const crank_result_head *head, void **out,
                           crank_error *err);
    /* Goes on behind the first `rows` rows. */
    crank_status (*reopen)(const char *path, const crank_result_head *head, int64_t rows,
                           void **out, crank_error *err);
    /* After a failure only close is called. */
    crank_status (*write)(void *file, const double *values, crank_error *err);
    crank_status (*flush)(void *file, bool sync, crank_error *err);
    /* failed: a call before did; what can be kept is kept. Frees in any case. */
    crank_status (*close)(void *file, bool failed, crank_error *err);
    /* A whole table at once; NULL: create, write, close. */
    crank_status (*write_table)(const char *path, const crank_result_head *head,
                                const crank_table *table, crank_error *err);
    /* Fills the zeroed table. */
    crank_status (*read)(const char *path, crank_table *table, crank_error *err);
} crank_format;

extern const crank_format crank_format_csv, crank_format_hdf5, crank_format_mat,
    crank_format_netcdf, crank_format_row_log;

crank_status crank_csv_read(const char *path, crank_table *table, crank_error *err);
crank_status crank_hdf5_read(const char *path, crank_table *table, crank_error *err);
crank_status crank_mat_read(const char *path, crank_table *table, crank_error *err);
crank_status crank_netcdf_read(const char *path, crank_table *table, crank_error *err);

enum { CRANK_FORMAT_START = 32 }; /* bytes that recognise looks at */

/* The format to write path in; NULL with a message if there is none. */
const crank_format *crank_format_to_write(const char *path, crank_error *err);
/* The format that the file is in, by its ending, or else by its first bytes. */
const crank_format *crank_format_to_read(const char *path);

/* "", if NULL */
const char *crank_text_or_empty(const char *text);
/* Are the names those of the head? EARG with the first that differs if not. */
crank_status crank_head_compare(const crank_result_head *head, const char *path, int count,
                                char *const *names, crank_error *err);

/* Goes on with a row. */
uint64_t crank_row_mark(uint64_t mark, int count, const double *row);
/* Reads rows first .. first + count - 1; is called for one block after the other. */
typedef crank_status crank_rows_read_fn(void *from, uint64_t first, size_t count, double *rows,
                                        crank_error *err);
/* Are the first rows of the file those that have head->mark? EFILE if not. */
crank_status crank_rows_compare(const crank_result_head *head, const char *path, int64_t rows,
                                crank_rows_read_fn *read, void *from, crank_error *err);

/* ---- tables being read ---- */

/* Arrays of texts for the columns; what is not set is "" in the end. */
crank_status crank_table_take(crank_table *table, const char *path, int columns,
                              crank_error *err);
/* A copy of length bytes (up to the first zero), into one of the table's texts. */
crank_status crank_table_set(char **text, const char *path, const char *from, size_t length,
                             crank_error *err);
/* Room for the values; EMEM, or ESYNTAX if there are too many to count. */
crank_status crank_table_take_values(crank_table *table, const char *path, uint64_t rows,
                                     crank_error *err);
/* Rows as they stand in files, into the table's columns and out of them. */
void crank_table_put_rows(crank_table *table, int first, int count, const double *rows);
void crank_table_get_rows(const crank_table *table, int first, int count, double *rows);

#endif
