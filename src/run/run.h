/* run.h - the object behind the front door: run.c (reading, options, set-up), motion.c (steps,
 * events, rows, values), table.c (a run to its end). model.c reads files of any kind. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_H
#define CRANK_SRC_RUN_H

#include <crank/run.h>

#include "base/store.h"
#include "integrate/create.h"

struct crank_run {
    crank_run_options asked;  /* by the caller; texts are copied */
    crank_store store;        /* of these texts */
    const crank_model *model; /* the caller's or made; NULL: equations in C */
    crank_model *made;        /* by the run itself, with what it asks for; NULL: none */
    crank_state *model_state; /* NULL: equations in C */
    crank_eom *eom;
    crank_options options; /* settled */
    const char *method, *formulation, *integrator_name;
    double t_start, t_end;
    int n, columns;
    double *given, *x;   /* n: start as written, and consistent */
    double *state, *row; /* n, columns: at time t */
    crank_initial_report initial;
    crank_problem *problem;
    crank_integrator *integrator;
    double t;
    bool initialized, started, stopped; /* stopped: by an event */
    bool row_known;                     /* row is of (t, state) */
    bool told;                          /* which options of the file were left out */
};

/* NULL before crank_run_formulate. */
const crank_problem *crank_run_problem(const crank_run *run);

#endif
