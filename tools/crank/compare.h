/* compare.h - "crank compare": what its parts share.
 *
 * Methods x tolerances on one model. Errors are those of result columns, the same for every
 * method: with reference values X at the points t_1 .. t_K (by default the end alone) the error
 * of a group of columns is
 *
 *     max over points and columns of |x - X| / (1 + |X|).
 *
 * With --at-steps the points are the ends of the run's own accepted steps, and X is
 * interpolated there. Other measures: compare_errors.c.
 *
 * Groups: positions, velocities, multipliers (or reactions of joints), and others (dynamic,
 * auxiliary and contact variables). Multipliers of redundant constraints are not unique and are
 * left out. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_COMPARE_H
#define CRANK_TOOLS_COMPARE_H

#include "session.h"

enum {
    COMPARED_POSITION,
    COMPARED_VELOCITY,
    COMPARED_MULTIPLIER,
    COMPARED_OTHER,
    COMPARED_GROUPS
};
enum { LEVELS = 3 }; /* position, velocity, acceleration */

typedef struct compare_arguments {
    model_arguments model;
    const char *methods, *tols, *reference, *norm, *csv, *json, *plot, *drift;
    double t_end;
    int points, repeat;
    bool errors, at_steps;
    text_list only;
} compare_arguments;

/* ---- compare_columns.c: what is compared ---- */

typedef struct compared_column {
    char *name;
    int group;
    int column; /* of the model that was asked; others may have it elsewhere */
} compared_column;

typedef struct compared_columns {
    int count;
    compared_column *item;
    int of_group[COMPARED_GROUPS]; /* how many */
    int not_unique;                /* multipliers left out */
    char first_not_unique[80];
    bool not_examined; /* too many unknowns to ask which multipliers are unique */
} compared_columns;

/* Columns of an initialised session that match one of the patterns (none: all unknowns and
 * reactions). -1, or the exit code after telling the mistake. */
int compared_columns_choose(compared_columns *c, session *s, const text_list *patterns);
void compared_columns_free(compared_columns *c);
/* Where the columns stand in this model; NULL: no memory, or one is not there. The caller's to
 * free(). */
int *compared_columns_find(const compared_columns *c, const crank_model *model);
/* "position" ... */
const char *compared_group_name(int group);
/* Of the constraints. */
const char *compared_level_name(bool dae, int level);

/* ---- compare_run.c: one run ---- */

enum { DRIFT_BINS = 120 };

/* Largest residual of each level in equal intervals of time, at the ends of steps. */
typedef struct drift {
    double t[DRIFT_BINS]; /* of the last step in the interval; NaN: none ends there */
    double residual[LEVELS][DRIFT_BINS];
} drift;

typedef enum run_outcome { RUN_MISSING, RUN_DONE, RUN_FAILED, RUN_REFUSED } run_outcome;

/* Of one group of columns; compare_errors.c. NaN: not known, or nothing to compare. */
typedef struct compared_error {
    double scaled;   /* largest norm of (x - X)/(1 + |X|) */
    double largest;  /* D: of x - X */
    double t;        /* where it is reached */
    int column;      /* that differs most there; -1: none, or norm rms */
    double relative; /* D/|X(t*)|; NaN where X is zero */
    double mean;     /* sqrt(sum D_i^2)/n */
    double rms;      /* sqrt(sum D_i^2/n) */
    double squares;  /* sum D_i^2 */
    int64_t count;   /* n */
} compared_error;

typedef struct compared_run {
    run_outcome outcome;
    crank_status status;
    char text[MESSAGE_SIZE]; /* why it failed or was refused */
    double t_reached;
    double seconds; /* of the processor, for the integration */
    compared_error error[COMPARED_GROUPS];
    crank_statistics statistics;
    double growth
        [LEVELS]; /* p of a drift that grows as t^p; NaN: it does not, or not clearly so */
    drift drift;
} compared_run;

/* Times, growing. */
typedef struct step_list {
    double *t;
    int count, room;
} step_list;

/* What all runs have in common. */
typedef struct run_plan {
    const compare_arguments *arguments;
    const compared_columns *columns;
    const crank_model *model; /* that all of them share */
    double t_start, t_end;
    int point_count;
    double *points; /* rising, the last is t_end */
    bool at_steps;  /* errors at the ends of steps; points are those of the reference */
    bool rms;       /* the norm over the columns of a group; else the largest */
    const struct compare_reference *reference;
    step_list *steps; /* not NULL: ends of steps are noted here */
    messages *messages;
    bool progress;   /* a terminal sees it */
    double drawn;    /* clock, s, when the progress line was */
    char label[120]; /* what it says before the time */
} run_plan;

/* Runs the method with rtol = atol = tolerance; limit > 0: steps at most, 0: no limit, -1:
 * max_steps, or 500 000. values (points x columns) get what was reached, NaN elsewhere; NULL:
 * errors are measured at the ends of steps. After a signal the outcome is RUN_MISSING. */
void compared_run_do(compared_run *run, run_plan *plan, const char *method, double tolerance,
                     int64_t limit, double *values);
/* The median of the seconds that a run takes which is done; repeats it as asked for, without
 * --repeat more often the less it takes. */
double compared_run_time(const compared_run *run, run_plan *plan, const char *method,
                         double tolerance);

/* ---- compare_errors.c ---- */

void compared_errors_clear(compared_error error[COMPARED_GROUPS]);
/* Takes in the values and the reference of all columns at one time. NaN in the reference: not
 * compared. */
void compared_errors_add(const run_plan *plan, double t, const double *values,
                         const double *reference, compared_error error[COMPARED_GROUPS]);
/* Of all points. */
void compared_errors(const run_plan *plan, const double *values, const double *reference,
                     compared_error error[COMPARED_GROUPS]);

/* ---- compare_reference.c ---- */

enum { CHECKS = 3 }; /* methods that are run to their end as checks, at most */

typedef struct compare_reference {
    const char *path; /* of the file; NULL: made */
    double *values;   /* points x columns; NaN: not known */
    const char *method, *check;
    double tolerance, check_tolerance;
    bool checked;
    double agreement[COMPARED_GROUPS];     /* of reference and check; NaN: not known */
    double interpolation[COMPARED_GROUPS]; /* what it is off between its points, about */
    /* checks that ended elsewhere, by more than the tightest tolerance that is compared: their
     * methods, and by how much */
    int contradiction_count;
    const char *contradiction[CHECKS];
    double contradicted_by[CHECKS];
    int missing; /* columns that the file has not */
    char first_missing[80];
} compare_reference;

/* The points: of the file, if one is given, else equal intervals. Settles t_end. -1, or the
 * exit code. */
int compare_reference_open(compare_reference *r, run_plan *plan, session *s);
/* Makes the values if they are not there. tightest: of the tolerances. -1, or the exit code. */
int compare_reference_make(compare_reference *r, run_plan *plan, double tightest);
void compare_reference_free(compare_reference *r);

/* ---- compare_interpolate.c: --at-steps ---- */

/* Values of all columns at t; false: it has none there. */
bool compare_reference_at(const compare_reference *r, const run_plan *plan, double t,
                          double *values);
/* Fills interpolation. */
void compare_reference_estimate(compare_reference *r, const run_plan *plan);
bool step_list_add(step_list *list, double t); /* false: no memory */
/* The points become the start, the ends of these steps and points between them. */
bool compare_reference_refine(run_plan *plan, const step_list *steps);

/* ---- compare.c: all runs ---- */

typedef struct comparison {
    const compare_arguments *arguments;
    session session;    /* the model as its file has it, with consistent initial values */
    crank_model *model; /* with no method's wishes */
    compared_columns columns;
    run_plan plan;
    compare_reference reference;
    int method_count, tolerance_count;
    const char **methods;
    char *method_texts; /* what they point into, if they were given */
    double *tolerances;
    compared_run *runs; /* methods x tolerances */
    double fastest;     /* s, of all complete runs; NaN: none */
    bool level[LEVELS]; /* there are constraints of this level */
    bool dae; /* levels 0, 1, 2 and above are no positions, velocities, accelerations */
} comparison;

const compared_run *comparison_run(const comparison *c, int method, int tolerance);
/* Of a run's time to the fastest; NaN: no complete run. */
double comparison_ratio(const comparison *c, const compared_run *run);
/* The error, or the agreement of the references where the error is smaller: then *resolved is
 * false. */
double comparison_error(const comparison *c, const compared_run *run, int group,
                        bool *resolved);

/* ---- compare_table.c, compare_files.c, compare_json.c: what was found ---- */

enum { TOLERANCE_TEXT = 24 };
/* "1e-06", written into text; returns text. */
const char *tolerance_text(double tolerance, char text[TOLERANCE_TEXT]);
void comparison_print(const comparison *c); /* to standard output */
/* When and where errors are largest, relative and mean errors. */
void comparison_print_errors(const comparison *c);
/* The same and the table as JSON; -1, or the exit code. */
int comparison_write_json(const comparison *c, messages *m, const char *path);
/* Writes what was asked for; -1, or the exit code. */
int comparison_write_files(const comparison *c, messages *m);

#endif
