/* rows.h - which rows a run writes, and the writing of one: columns chosen, residuals noted. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_ROWS_H
#define CRANK_TOOLS_ROWS_H

#include "session.h"

typedef enum rows_kind { ROWS_GRID, ROWS_STEPS } rows_kind;

typedef struct rows {
    rows_kind kind;
    double t_start, t_end;
    double every;  /* s; 0: count equal intervals */
    int64_t count; /* intervals of the grid */
    int64_t next;  /* number of the next row on the grid */
    session *session;
    crank_recorder *recorder;
    int column_count; /* of the model */
    double *values;   /* column_count */
    int chosen_count;
    int *chosen;           /* chosen_count, columns of the model */
    double *row;           /* 1 + chosen_count */
    double last;           /* time of the last row written; NaN: none */
    double residual[3];    /* largest over all rows: position, velocity, acceleration */
    int64_t not_finite;    /* rows with a value that is not finite */
    int not_finite_column; /* the first such, of the model */
} rows;

/* Chooses the columns that match one of the patterns (none: all). -1, or the exit code. */
int rows_choose(rows *r, session *s, const text_list *patterns);
/* Opens the result (NULL or "-": standard output). */
crank_status rows_open(rows *r, const char *path, crank_error *err);
/* Closes it; the status tells whether all rows arrived. */
crank_status rows_close(rows *r, crank_error *err);
void rows_free(rows *r);

/* Time of row i on the grid; the last is t_end exactly. */
double rows_time(const rows *r, int64_t i);
crank_status rows_write(rows *r, double t, const double *x, crank_error *err);

#endif
