/* results.h - trajectories and statistics on disk: recorders and readers of CSV, HDF5, MAT and
 * netCDF files, statistics as JSON.
 *
 * The format follows from the ending of the path: .csv; .h5 or .hdf5; .mat (version 4, the
 * layout that Modelica tools read); .nc (netCDF-4). Values read back bit for bit from all. In CSV numbers
 * have 17 significant digits and always a decimal point, whatever the locale (a NaN loses its
 * sign and payload there). A process that is killed leaves every row that was flushed: CSV
 * files hold whole lines but for the last one, which SIGKILL may cut and readers leave out;
 * HDF5 files are written in SWMR mode; MAT and netCDF files are made at the end from a row log beside
 * them (RESULT.mat.rows), which survives and can be read like a result. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_RESULTS_H
#define CRANK_RESULTS_H

#include <crank/base.h>
#include <crank/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_column {
    const char *name;        /* "body.rod.x" */
    const char *unit;        /* "m", "rad", "1"; NULL or "": not known */
    const char *description; /* one line; NULL or "": none */
} crank_column;

/* What a result says of itself. Texts are UTF-8, NULL: left out. CSV has no place for it. */
typedef struct crank_result_info {
    size_t size;         /* set by crank_result_info_default */
    const char *title;   /* of the model */
    const char *model;   /* path as given */
    const char *method;  /* "psf-radau" */
    const char *scene;   /* how the model looks: JSON of crank_model_scene */
    const char *version; /* of crank; set by default */
} crank_result_info;

CRANK_API crank_result_info crank_result_info_default(void);

/* ---- writing rows ---- */

typedef struct crank_recorder crank_recorder;

/* Can results be written to such a path (NULL and "-": standard output, as CSV)? EARG with the
 * known endings if not. Devices and pipes get CSV. Does not touch the file. */
CRANK_API crank_status crank_recorder_check(const char *path, crank_error *err);
/* Opens path for writing (an existing file is replaced) and writes what comes before the rows.
 * EARG if columns or texts do not fit into the format, EFILE with the path and the system's
 * reason if it cannot be written, or another process writes it. *out is NULL
 * on failure. info may be NULL. A closed pipe is reported only if the process ignores SIGPIPE;
 * otherwise the signal ends it. */
CRANK_API crank_status crank_recorder_create(const char *path, int column_count,
                                             const crank_column *columns,
                                             const crank_result_info *info,
                                             crank_recorder **out, crank_error *err);
/* Continues the result of a run that was stopped or killed: its first `rows` rows are kept, the
 * others removed. Columns must be those it was created with; mark: crank_recorder_mark of the
 * rows that are kept, to see that they are still those, or NULL. EFILE if the file is missing,
 * has fewer rows or others, or another process writes it; EARG if it is standard output, a
 * device or has other columns. */
CRANK_API crank_status crank_recorder_reopen(const char *path, int64_t rows,
                                             const uint64_t *mark, int column_count,
                                             const crank_column *columns,
                                             const crank_result_info *info,
                                             crank_recorder **out, crank_error *err);
/* One row (column_count values). Buffered; reaches the file within a second of the next call of
 * write or poll. Does not allocate (libhdf5 does). After a failure every later call returns
 * EFILE. */
CRANK_API crank_status crank_recorder_write(crank_recorder *recorder, const double *values,
                                            crank_error *err);
/* Hands buffered rows to the system if that was last done a second ago; cheap. */
CRANK_API crank_status crank_recorder_poll(crank_recorder *recorder, crank_error *err);
/* Hands all buffered rows to the system now; with sync also to the disk. */
CRANK_API crank_status crank_recorder_flush(crank_recorder *recorder, bool sync,
                                            crank_error *err);
/* A hash of all rows so far, also of those that were kept if their mark was given. */
CRANK_API uint64_t crank_recorder_mark(const crank_recorder *recorder);
CRANK_API int64_t
crank_recorder_rows(const crank_recorder *recorder); /* in the result so far */
/* Flushes, closes and frees; the status tells whether everything arrived. NULL is fine. */
CRANK_API crank_status crank_recorder_close(crank_recorder *recorder, crank_error *err);

/* ---- reading rows ---- */

typedef struct crank_table {
    int columns;
    int rows;
    char **names;        /* columns */
    char **units;        /* columns; "": not known */
    char **descriptions; /* columns; "": none */
    double *values;      /* rows x columns, column-major: column j starts at values + j*rows */
    bool incomplete; /* the file's last row was cut off, or the run that wrote it was killed */
    char *title, *model, *method, *scene; /* as crank_result_info; NULL: not there */
} crank_table;

/* Reads a result of any format ("-": CSV from standard input; otherwise by ending, .rows: a row
 * log; else by its first bytes), also while it is being written. MAT files may be of other
 * tools. Errors of CSV files carry line and column. Free with crank_table_destroy; *out is NULL
 * on failure. */
CRANK_API crank_status crank_table_read(const char *path, crank_table **out, crank_error *err);
CRANK_API void crank_table_destroy(crank_table *table);
CRANK_API int crank_table_find(const crank_table *table,
                               const char *name); /* -1: no such column */
/* The row nearest to t (NaN: the last one), of several at one time the last; *found: its time.
 * -1: no rows, or no column time. */
CRANK_API int crank_table_row_at(const crank_table *table, double t, double *found);
/* Writes a table as a result, in the format of the path's ending. */
CRANK_API crank_status crank_table_write(const crank_table *table, const char *path,
                                         crank_error *err);
/* The one of count names that name is most likely a misspelling of; NULL if none is near. */
CRANK_API const char *crank_nearest_name(const char *name, const char *const *names, int count);

/* ---- reading studies ---- */

/* What crank sweep has written (FILE.nc). */
typedef struct crank_study_column {
    char *name, *unit, *description; /* unit and description: NULL, not known */
} crank_study_column;
typedef struct crank_study_table {
    /* a row a member: run, the factors, status, rows, what is kept of the whole run */
    crank_table *members;
    int factors;    /* columns behind `run` that are varied */
    char **reasons; /* of members: why they ended; "": as they should */
    char *command;  /* runs a member, once its factors are set; NULL: not known */
    /* columns kept over time, of the first members: values[(k*members_kept + i)*rows + row] */
    int column_count, rows, members_kept;
    crank_study_column *columns;
    double *time, *values; /* rows; behind the last row of a member NaN */
    char *time_unit;
} crank_study_table;

/* Is the file a study, not the result of one run? */
CRANK_API bool crank_study_table_is(const char *path);
/* most: numbers over time that are read at most, members_kept follows (INFINITY: all). Free with
 * crank_study_table_destroy; *out is NULL on failure. */
CRANK_API crank_status crank_study_table_read(const char *path, double most,
                                              crank_study_table **out, crank_error *err);
CRANK_API void crank_study_table_destroy(crank_study_table *table);

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

#ifdef __cplusplus
}
#endif

#endif
