/* values.c - what a run has: its parts, its present state, columns by name. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "eom/eom.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

double crank_run_reached(const crank_run *run)
{
    return run->started ? crank_integrator_time(run->integrator) : run->t_start;
}

bool crank_run_finished(const crank_run *run)
{
    return run->stopped || (run->started ? crank_integrator_finished(run->integrator)
                                         : run->t_start >= run->t_end);
}

bool crank_run_stopped(const crank_run *run)
{
    return run->stopped;
}

double crank_run_time(const crank_run *run)
{
    return run->t;
}

const double *crank_run_state(const crank_run *run)
{
    return run->state;
}

const crank_model *crank_run_model(const crank_run *run)
{
    return run->model;
}

crank_state *crank_run_model_state(crank_run *run)
{
    return run->model_state;
}

crank_eom *crank_run_eom(crank_run *run)
{
    return run->eom;
}

crank_options *crank_run_settled(crank_run *run)
{
    return &run->options;
}

crank_run_method crank_run_get_method(const crank_run *run)
{
    return (crank_run_method){run->method, run->formulation, run->integrator_name};
}

crank_run_beginning crank_run_get_beginning(const crank_run *run)
{
    return (crank_run_beginning){
        .t = run->t_start, .given = run->given, .x = run->x, .report = &run->initial};
}

crank_run_assembly crank_run_get_assembly(const crank_run *run)
{
    const crank_model *model = run->model;
    crank_run_assembly out = {.eom = run->eom,
                              .n = run->n,
                              .given = run->given,
                              .found = run->x,
                              .fixing = model != NULL ? crank_model_fixing(model) : NULL};
    if (model != NULL && model->functions->assembly != NULL) {
        out.eom =
            model->functions->assembly(run->eom->self, &out.given, &out.found, &out.fixing);
        out.n = crank_eom_unknowns(out.eom);
    }
    return out;
}

double crank_run_end(const crank_run *run)
{
    return run->t_end;
}

crank_integrator *crank_run_integrator(crank_run *run)
{
    return run->integrator;
}

const crank_problem *crank_run_problem(const crank_run *run)
{
    return run->problem;
}
/* ---- values ---- */

int crank_run_column_count(const crank_run *run)
{
    return run->columns;
}

const char *crank_run_column_name(const crank_run *run, int column)
{
    if (column < 0 || column >= run->columns) {
        return NULL;
    }
    return run->model != NULL ? crank_model_column_name(run->model, column)
                              : crank_eom_column_name(run->eom, column);
}

int crank_run_find(const crank_run *run, const char *name)
{
    for (int j = 0; j < run->columns; j++) {
        if (strcmp(crank_run_column_name(run, j), name) == 0) {
            return j;
        }
    }
    return -1;
}

const double *crank_run_values(crank_run *run, crank_error *err)
{
    if (run->model == NULL) {
        return run->state;
    }
    if (!run->row_known) {
        run->row_known =
            crank_run_initialize(run, err) == CRANK_OK &&
            crank_state_columns(run->model_state, run->t, run->state, run->row, err) ==
                CRANK_OK &&
            crank_state_check_columns(run->model_state, run->t, run->row, err) == CRANK_OK;
    }
    return run->row_known ? run->row : NULL;
}

double crank_run_value(crank_run *run, const char *name)
{
    const int column = crank_run_find(run, name);
    const double *values = column >= 0 ? crank_run_values(run, NULL) : NULL;
    return values != NULL ? values[column] : (double)NAN;
}
