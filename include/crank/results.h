/* results.h - trajectories and statistics on disk: a CSV recorder, the CSV reader, statistics
 * as JSON.
 *
 * Numbers are written with 17 significant digits, so that they read back bit for bit, and
 * always with a decimal point whatever the locale. Files hold complete lines at any moment. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_RESULTS_H
#define CRANK_RESULTS_H

#include <crank/base.h>
#include <crank/statistics.h>

/* ---- writing rows ---- */

typedef struct crank_recorder crank_recorder;

/* Opens path for writing (an existing file is replaced; NULL: standard output) and writes the
 * line of names. EFILE with the path and the system's reason if that fails. *out is NULL on
 * failure. A closed pipe is reported only if the process ignores SIGPIPE; otherwise the signal
 * ends it. */
CRANK_API crank_status crank_recorder_create(const char *path, int column_count,
                                             const char *const *names, crank_recorder **out,
                                             crank_error *err);
/* One row (column_count values). Buffered; reaches the file within a second of the next call of
 * write or poll. Does not allocate. After a failure every later call returns EFILE. */
CRANK_API crank_status crank_recorder_write(crank_recorder *recorder, const double *values,
                                            crank_error *err);
/* Hands buffered rows to the system if that was last done a second ago; cheap. */
CRANK_API crank_status crank_recorder_poll(crank_recorder *recorder, crank_error *err);
/* Hands all buffered rows to the system now. */
CRANK_API crank_status crank_recorder_flush(crank_recorder *recorder, crank_error *err);
CRANK_API int64_t crank_recorder_rows(const crank_recorder *recorder); /* written so far */
/* Flushes, closes and frees; the status tells whether everything arrived. NULL is fine. */
CRANK_API crank_status crank_recorder_close(crank_recorder *recorder, crank_error *err);

/* ---- reading rows ---- */

typedef struct crank_table {
    int columns;
    int rows;
    char **names;    /* columns */
    double *values;  /* rows x columns, column-major: column j starts at values + j*rows */
    bool incomplete; /* the file's last line was cut off and has been left out */
} crank_table;

/* Reads a CSV file with a line of names ("-": standard input). Errors carry line and column.
 * Free with crank_table_destroy; *out is NULL on failure. */
CRANK_API crank_status crank_table_read(const char *path, crank_table **out, crank_error *err);
CRANK_API void crank_table_destroy(crank_table *table);
CRANK_API int crank_table_find(const crank_table *table,
                               const char *name); /* -1: no such column */
/* The one of count names that name is most likely a misspelling of; NULL if none is near. */
CRANK_API const char *crank_nearest_name(const char *name, const char *const *names, int count);

/* ---- statistics ---- */

typedef struct crank_run_record {
    size_t size;                          /* set by crank_run_record_default */
    const char *model;                    /* path or name */
    const char *method;                   /* as asked for, such as "geoms" */
    const char *formulation, *integrator; /* what that stands for; NULL: left out */
    double t_start, t_end;                /* asked for, s */
    double t_reached;                     /* s; less than t_end if the run stopped */
    int64_t rows;                         /* written */
    crank_status status;                  /* of the run */
    const char *message;                  /* why it stopped; NULL: left out */
} crank_run_record;

CRANK_API crank_run_record crank_run_record_default(void);
/* One flat JSON object: what the record says, then every entry of the statistics. Numbers that
 * are not finite become null. path "-": standard output. */
CRANK_API crank_status crank_statistics_write(const char *path, const crank_run_record *record,
                                              const crank_statistics *statistics,
                                              crank_error *err);

#endif
