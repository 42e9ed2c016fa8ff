/* logged.h - formats whose files need the number of rows before the rows, or the columns one by
 * one: rows go into a log until the end. MAT and netCDF are such. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LOGGED_H
#define CRANK_SRC_LOGGED_H

#include "results/row_log.h"

/* Where the rows of the file come from: a log, or a table. */
typedef struct crank_logged_rows {
    const crank_row_log *log; /* or NULL */
    const crank_table *table;
    uint64_t rows;
} crank_logged_rows;

crank_status crank_logged_rows_get(const crank_logged_rows *from, uint64_t first, size_t count,
                                   double *rows, crank_error *err);

typedef struct crank_logged_kind {
    const char *name; /* "a MAT file of version 4" */
    /* EARG if names and texts do not fit. */
    crank_status (*check)(const char *path, const crank_result_head *head, crank_error *err);
    /* Writes under the temporary name and renames when it is complete. */
    crank_status (*write)(const char *path, const char *temporary,
                          const crank_result_head *head, const crank_logged_rows *from,
                          crank_error *err);
} crank_logged_kind;

/* What format.h asks for. */
crank_status crank_logged_create(const crank_logged_kind *kind, const char *path,
                                 const crank_result_head *head, void **out, crank_error *err);
crank_status crank_logged_reopen(const crank_logged_kind *kind, const char *path,
                                 const crank_result_head *head, int64_t rows, void **out,
                                 crank_error *err);
crank_status crank_logged_write(void *file, const double *values, crank_error *err);
crank_status crank_logged_flush(void *file, bool sync, crank_error *err);
crank_status crank_logged_close(void *file, bool failed, crank_error *err);
/* Straight from memory: the table may come from the very log that lies beside the file. */
crank_status crank_logged_write_table(const crank_logged_kind *kind, const char *path,
                                      const crank_result_head *head, const crank_table *table,
                                      crank_error *err);

/* The functions of a format of that kind, for its table. */
#define CRANK_LOGGED_FUNCTIONS(kind)                                                           \
    static crank_status create_##kind(const char *path, const crank_result_head *head,         \
                                      void **out, crank_error *err)                            \
    {                                                                                          \
        return crank_logged_create(&(kind), path, head, out, err);                             \
    }                                                                                          \
    static crank_status reopen_##kind(const char *path, const crank_result_head *head,         \
                                      int64_t rows, void **out, crank_error *err)              \
    {                                                                                          \
        return crank_logged_reopen(&(kind), path, head, rows, out, err);                       \
    }                                                                                          \
    static crank_status write_table_##kind(const char *path, const crank_result_head *head,    \
                                           const crank_table *table, crank_error *err)         \
    {                                                                                          \
        return crank_logged_write_table(&(kind), path, head, table, err);                      \
    }

#endif
