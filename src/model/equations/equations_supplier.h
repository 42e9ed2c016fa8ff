/* equations_supplier.h - the inside of what evaluates an equations file: equations_eom.c,
 * equations_events.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EQUATIONS_SUPPLIER_H
#define CRANK_SRC_EQUATIONS_SUPPLIER_H

#include "base/arena.h"
#include "eom/split.h"
#include "model/equations/equations.h"
#include "model/watch.h"

enum { CRANK_EQUATIONS_POINTS = 4 }; /* evaluated together: the three stages of Radau fit */

typedef enum crank_program_name {
    CRANK_PROGRAM_ALL,
    CRANK_PROGRAM_ALGEBRAIC,
    CRANK_PROGRAM_DIFFERENTIAL,
    CRANK_PROGRAM_JACOBIAN,
    CRANK_PROGRAM_MASS,
    CRANK_PROGRAM_TIME, /* dk/dt */
    CRANK_PROGRAM_INITIAL,
    CRANK_PROGRAM_OUTPUTS,
    CRANK_PROGRAM_STAGE,
    CRANK_PROGRAM_EVENTS,
    CRANK_PROGRAM_ACTIONS,
    CRANK_PROGRAM_TABLES, /* their arguments */
    CRANK_PROGRAMS
} crank_program_name;

typedef struct crank_program {
    int inputs, outputs;
    crank_tape *tape; /* one of these two */
    crank_compiled_fn *run;
} crank_program;

struct crank_equations_supplier {
    crank_eom *eom;
    bool shared; /* programs are another's: crank_equations_share */
    crank_program program[CRANK_PROGRAMS];
    crank_compiled *compiled; /* NULL: tapes */
    crank_arena arena;
    /* what the program of a stage computes behind the rows */
    crank_stage_entries stage_entries;
    bool *stage_constant;
    int switched_count;
    double *parameter,
        *parameter_start;            /* those that events set: present values, at the start */
    double *in;                      /* (1 + n + switched_count) x points, and n_v */
    double *work;                    /* registers of the tapes */
    double *rows;                    /* m */
    double *held;                    /* values of the invariants e, n */
    double *noted;                   /* the same, before an event */
    double *out;                     /* of the stage's program */
    double *action;                  /* of the actions' program */
    int action_values, action_rates; /* of it; then derivatives */
    int derivative_count;            /* of rates of actions by velocities */
    const int *derivative_row, *derivative_column;
    crank_watches watches; /* store, if not shared; items */
    double *watched;       /* of the tables' program */
    bool *told;
    crank_split *split; /* of states: which constraints are redundant; NULL: there are none */
    bool shares;        /* some are, and rows show the smallest multipliers */
};

/* All values of a program at a point. */
void crank_equations_run(crank_equations_supplier *self, crank_program_name name, double t,
                         const double *x, double *values);

#endif
