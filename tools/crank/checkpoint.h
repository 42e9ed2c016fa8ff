/* checkpoint.h - the file from which "crank resume" continues a run: how the run was called,
 * what its model was made of, where its rows and its integration stood.
 *
 * The file: a line that names it, the version of its format, the length of what follows, the
 * parts, and the FNV-1a hash of all before it. Numbers are in the machine's order: it is meant
 * for the machine that wrote it. A file is replaced only by a complete one that has reached the
 * disk. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_CHECKPOINT_H
#define CRANK_TOOLS_CHECKPOINT_H

#include "rows.h"

/* A file that the model is made of, as it was when the model was read. */
typedef struct checkpoint_file {
    char *path;
    int64_t size;
    uint64_t hash;
} checkpoint_file;

typedef struct checkpoint {
    char *version;    /* of crank */
    uint64_t program; /* hash of its executable; 0: not known */
    char *directory;  /* that the run was started in; paths are relative to it */
    int64_t argument_count;
    char **argument; /* of the run's command line, the first is "run" */
    int64_t file_count;
    checkpoint_file *file; /* the model's own first */
    int64_t n;
    double *x; /* n, initial values */
    double t_reached, seconds;
    int64_t row_count; /* in the result */
    uint64_t mark;     /* of them */
    rows_state rows;
    int64_t next_row; /* of crank_run_rows */
    int64_t event_count;
    int64_t *happened; /* event_count: how often each event did */
    int64_t told;      /* events that were told */
    int64_t size;
    unsigned char *data; /* size, of the integrator */
} checkpoint;

/* Can a checkpoint be written to path? EFILE if not, or if there is something else than a
 * checkpoint. */
crank_status checkpoint_check(const char *path, crank_error *err);
crank_status checkpoint_write(const checkpoint *c, const char *path, crank_error *err);
/* Removes it, and what a killed run may have left of one. */
void checkpoint_remove(const char *path);
/* Fills *c, which checkpoint_free frees, also after a failure. */
crank_status checkpoint_read(checkpoint *c, const char *path, crank_error *err);
void checkpoint_free(checkpoint *c);
/* Hash of the running program's executable; 0: not known. */
uint64_t checkpoint_program(void);
/* Size and hash of the file at file->path. EFILE if it is no file or cannot be read. */
crank_status checkpoint_file_read(checkpoint_file *file, crank_error *err);

#endif
