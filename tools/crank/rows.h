/* rows.h - the rows of a result: which columns they have, where they go, what is noted of them.
 *
 * After the model's columns come those of the run: step.size, step.newton, step.rejected,
 * step.error and step.jacobian of the step that the row lies in (0 in the first row: no step
 * leads there), then residual.position, residual.velocity and residual.acceleration of the
 * row. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_ROWS_H
#define CRANK_TOOLS_ROWS_H

#include "session.h"

enum {
    STEP_SIZE,
    STEP_NEWTON,
    STEP_REJECTED,
    STEP_ERROR,
    STEP_JACOBIAN,
    STEP_COLUMNS,
    RUN_COLUMNS = STEP_COLUMNS + 3
};

/* What the energies of the rows add up to. With the work that dampers took and drives gave, the
 * sum is constant and its change is an error; without, it is kinetic + potential (or the
 * model's output `energy`). */
typedef struct rows_energy {
    int kinetic, potential, dissipated, supplied; /* columns of the model; -1: none */
    double first, last;                           /* sums of the first and the last row */
    double change;                                /* largest |sum - first - jumped| */
    double size;                                  /* largest of the terms */
    double jumped; /* by events, of a balance; other sums vary anyway */
    bool jumping;  /* the next row comes after an event */
} rows_energy;

/* What changes from row to row; a checkpoint holds it. */
typedef struct rows_state {
    double last;               /* time of the last row written; NaN: none */
    double step[STEP_COLUMNS]; /* of the last step */
    double residual[3];        /* largest over all rows: position, velocity, acceleration */
    int64_t not_finite;        /* rows with a value that is not finite */
    int64_t not_finite_column; /* the first such, of the model */
    rows_energy energy;
} rows_state;

typedef struct rows {
    crank_run_rows due;
    session *session;
    crank_recorder *recorder;
    int column_count; /* of the model */
    double *values;   /* column_count + RUN_COLUMNS, of the last row */
    int chosen_count;
    int *chosen;   /* chosen_count, columns of the model or of the run */
    double *row;   /* 1 + chosen_count, the last that was written */
    uint64_t kept; /* crank_recorder_mark of the rows of the run that is continued */
    rows_state state;
} rows;

/* Chooses the columns that match one of the patterns (none: all). -1, or the exit code. */
int rows_choose(rows *r, session *s, const text_list *patterns);
/* Opens the result (NULL or "-": standard output). kept >= 0: continues one, of which so many
 * rows are kept, those with the mark r->kept. */
crank_status rows_open(rows *r, const char *path, int64_t kept, crank_error *err);
/* Closes it; the status tells whether all rows arrived. */
crank_status rows_close(rows *r, crank_error *err);
void rows_free(rows *r);

/* Residuals, energy and values that are not finite, of the row in `values` at time t. */
void rows_note(rows *r, double t);

#endif
