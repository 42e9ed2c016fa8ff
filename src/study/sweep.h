/* sweep.h - the inside of a study: sweep.c (the object), sweep_read.c (study files),
 * sweep_member.c (one run), sweep_log.c (what workers leave), sweep_work.c (threads),
 * sweep_merge.c (netCDF). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_SWEEP_H
#define CRANK_SRC_STUDY_SWEEP_H

#include "study/design.h"

#include <crank/study.h>

typedef enum crank_kept {
    CRANK_KEPT_FINAL,
    CRANK_KEPT_MINIMUM,
    CRANK_KEPT_MAXIMUM,
    CRANK_KEPT_INTEGRAL,
    CRANK_KEPT_COLUMNS
} crank_kept;
extern const char *const crank_kept_word[5];

typedef struct crank_kept_column {
    crank_kept kind;
    const char *name;
    int column; /* of the model */
} crank_kept_column;

struct crank_study {
    crank_store store;
    const char *path; /* of the model */
    crank_run_options options;
    crank_design design;
    int kept_count, kept_capacity;
    crank_kept_column *kept; /* open: those of all rows come last */
    int scalars, columns;    /* of them, once open */
    int intervals;
    double limit;
    crank_model *model; /* NULL: not open */
    int64_t rows;       /* of the common times */
    double t_start, t_end;
    uint64_t mark; /* of all that results depend on: other logs are refused */
};

/* What is known of a member: scalars, then rows x columns (row by row). */
typedef struct crank_member {
    int64_t index;
    int status;
    int64_t rows;
    char reason[256];
    double *values; /* scalars + study->rows * columns */
} crank_member;

static inline size_t crank_member_size(const crank_study *s)
{
    return (size_t)s->scalars + (size_t)s->rows * (size_t)s->columns;
}

/* sweep_member.c: runs member->index to its end, whatever that is. CRANK_EINTERRUPTED: stop was
 * true, nothing is known; EMEM. run: just opened. */
crank_status crank_member_run(const crank_study *s, crank_run *run,
                              const crank_study_order *order, crank_member *member,
                              crank_error *err);

/* ---- sweep_log.c ---- */

/* Where members are in the logs beside a result. */
typedef struct crank_log_place {
    int file; /* -1: in none */
    int64_t offset;
} crank_log_place;
typedef struct crank_logs {
    int count, capacity;
    char **path;
    int *fd;
    crank_log_place *place; /* by member */
    int64_t found, failed, slow;
    size_t longest; /* reason */
} crank_logs;
/* Finds all of them and scans them. EFILE: one is of another study. Close also on failure. */
crank_status crank_logs_open(const crank_study *s, const char *out, crank_logs *logs,
                             crank_error *err);
void crank_logs_close(crank_logs *logs);
/* The member at that place. EFILE: it cannot be read. */
crank_status crank_logs_read(const crank_study *s, const crank_logs *logs, int64_t index,
                             crank_member *member, crank_error *err);
/* Opens the log of a shard to append, claimed; cut to its last whole record. -1: err tells. */
int crank_log_begin(const crank_study *s, const crank_study_order *order, crank_error *err);
/* One record in one go. */
crank_status crank_log_append(const crank_study *s, int fd, const crank_member *member,
                              crank_error *err);

#endif
