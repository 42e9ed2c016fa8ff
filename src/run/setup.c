/* setup.c - a run before its first step: values set by name, consistent initial values,
 * formulation, integrator; or from a checkpoint. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/then.h"
#include "eom/eom.h"
#include "model/features.h"
#include "model/switches.h"

#include <math.h>
#include <string.h>

crank_status crank_run_make_room(crank_run *run, const double *x0, crank_error *err)
{
    run->n = crank_eom_unknowns(run->eom);
    run->columns = run->model != NULL ? crank_model_column_count(run->model) : run->n;
    const size_t n = (size_t)run->n;
    run->given = crank_store_take(&run->store, n + 1, sizeof *run->given);
    run->x = crank_store_take(&run->store, n + 1, sizeof *run->x);
    run->state = crank_store_take(&run->store, n + 1, sizeof *run->state);
    run->row = crank_store_take(&run->store, (size_t)run->columns + 1, sizeof *run->row);
    if (run->given == NULL || run->x == NULL || run->state == NULL || run->row == NULL) {
        return crank_fail(err, CRANK_EMEM, "a run of %d unknowns", run->n);
    }
    memcpy(run->given, x0, n * sizeof *x0);
    memcpy(run->x, x0, n * sizeof *x0);
    memcpy(run->state, x0, n * sizeof *x0);
    run->t = run->t_start;
    return CRANK_OK;
}

crank_status crank_run_take_state(crank_run *run, crank_error *err)
{
    run->model = crank_state_model(run->model_state);
    run->eom = crank_state_eom(run->model_state);
    const crank_simulate *file = crank_model_simulate(run->model);
    run->t_start = file->t_start;
    run->t_end = isnan(run->asked.t_end) ? file->t_end : run->asked.t_end;
    return crank_run_make_room(run, crank_state_start(run->model_state), err);
}

crank_status crank_run_set(crank_run *run, const char *name, double value, crank_error *err)
{
    if (run->model == NULL) {
        return crank_fail(err, CRANK_EARG, "setting \"%.80s\": equations in C have no names",
                          name);
    }
    if (run->initialized) {
        return crank_fail(err, CRANK_EARG,
                          "setting \"%.80s\": the run has begun; open another one", name);
    }
    const crank_status status = crank_state_set(run->model_state, name, value, NULL, err);
    return status == CRANK_OK ? crank_run_take_state(run, err)
                              : crank_run_blame_setting(name, value, status, err);
}

/* Start values of models that have them in other unknowns. */
static crank_status assemble(crank_run *run, bool *done, crank_error *err)
{
    *done = run->model != NULL && run->model->functions->assemble != NULL;
    return *done ? run->model->functions->assemble(run->eom->self, run->t_start, run->x,
                                                   &run->initial, run->asked.log, err)
                 : CRANK_OK;
}

/* what the supplier asks of the run */
static void tell_supplier(const crank_run *run)
{
    const crank_eom_supplier *supplier = &run->eom->supplier;
    const crank_options *o = &run->options;
    if (supplier->tolerate != NULL) {
        supplier->tolerate(run->eom->self, o->rtol, o->atol_p > 0.0 ? o->atol_p : o->atol);
    }
    if (supplier->end != NULL) {
        supplier->end(run->eom->self, run->t_end);
    }
}

/* Consistent values from run->x; run->state: where a search that fails has come to. */
static crank_status find_start(crank_run *run, crank_error *err)
{
    const crank_model *model = run->model;
    crank_initial_options options = crank_initial_options_default();
    bool assembled = false;
    crank_status status = assemble(run, &assembled, err);
    crank_initial_report *report = assembled ? NULL : &run->initial;
    const crank_log log = assembled ? (crank_log){0} : run->asked.log;
    tell_supplier(run);
    options.fixing = model != NULL ? crank_model_fixing(model) : NULL;
    options.reached = run->state;
    if (status != CRANK_OK) {
        return status;
    }
    return model != NULL && model->functions->find_start != NULL
               ? model->functions->find_start(run->eom->self, run->t_start, run->x,
                                              options.fixing, options.reached, report, log, err)
               : crank_eom_initialize(run->eom, run->t_start, run->x, &options, report, log,
                                      err);
}

/* Equations of callers have nothing that says how good their start is: positions and velocities
 * that are moved beyond the tolerances are told. run->given: the start as it was given. */
static void tell_moved(const crank_run *run)
{
    const crank_eom *eom = run->eom;
    double most = 1.0;
    int moved = -1;
    for (int j = 0; j < run->n; j++) {
        const bool is_state = (j >= eom->column[CRANK_V] && j < eom->column[CRANK_V + 1]) ||
                              (j >= eom->column[CRANK_P] && j < eom->column[CRANK_P + 1]);
        const double change = fabs(run->x[j] - run->given[j]) /
                              (run->options.atol + run->options.rtol * fabs(run->given[j]));
        if (is_state && change > most) {
            most = change;
            moved = j;
        }
    }
    if (moved >= 0) {
        crank_log_write(&run->asked.log, CRANK_WARNING,
                        "the start was not consistent: the largest change is that of %s, from "
                        "%g to %g",
                        crank_eom_column_name(eom, moved), run->given[moved], run->x[moved]);
    }
}

crank_status crank_run_initialize(crank_run *run, crank_error *err)
{
    if (run->initialized) {
        return CRANK_OK;
    }
    run->initial = (crank_initial_report){.consistent = true, .largest_column = -1};
    if (run->model != NULL) {
        crank_state_start_behind(run->model_state, run->t_start, run->t_end);
    }
    memcpy(run->state, run->x, (size_t)run->n * sizeof *run->state);
    const crank_status status =
        run->options.check_initial
            ? find_start(run, err)
            : crank_eom_warn_loads(run->eom, run->t_start, run->x, run->asked.log, err);
    run->initialized = status == CRANK_OK;
    if (status == CRANK_OK) {
        memcpy(run->state, run->x, (size_t)run->n * sizeof *run->state);
    }
    if (status == CRANK_OK && run->model == NULL) {
        tell_moved(run);
    }
    run->row_known = false;
    return status;
}

void crank_run_begin_where_search_ended(crank_run *run)
{
    crank_run_set_beginning(run, run->state);
}

/* the problem at consistent values */
static crank_status formulate(crank_run *run, crank_error *err)
{
    crank_status status = crank_run_initialize(run, err);
    if (status == CRANK_OK && run->model != NULL) {
        status = crank_state_begin(run->model_state, run->t_start, run->x, err);
    }
    if (status == CRANK_OK) {
        crank_problem_destroy(run->problem); /* of an attempt that failed */
        run->problem = NULL;
        status = crank_formulate(run->formulation, run->eom, &run->options, run->t_start,
                                 run->x, run->asked.log, &run->problem, err);
    }
    return status;
}

crank_status crank_run_formulate(crank_run *run, crank_error *err)
{
    crank_error own = {0};
    err = err != NULL ? err : &own;
    if (run->integrator != NULL) {
        return CRANK_OK;
    }
    crank_status status = formulate(run, err);
    if (status == CRANK_EREFUSED && run->model != NULL && run->model->options.inlined &&
        run->eom->inlined != NULL) {
        status = crank_run_fall_back(run, err);
        CRANK_THEN(status, formulate(run, err));
    }
    CRANK_THEN(status, crank_integrator_create(run->integrator_name, run->problem,
                                               &run->options, &run->integrator, err));
    CRANK_THEN(status, crank_run_set_events(run, err));
    if (status == CRANK_OK && run->model != NULL) {
        const crank_switches switches = crank_state_switches(run->model_state);
        const crank_features features = crank_state_features(run->model_state);
        status = crank_integrator_set_switches(run->integrator, &switches, err);
        CRANK_THEN(status, crank_integrator_set_features(run->integrator, &features, err));
    }
    return crank_run_blame_refused(run, status, err);
}

/* columns that must have values at the start */
static crank_status check_columns(crank_run *run, crank_error *err)
{
    const crank_model *model = run->model;
    if (model == NULL || model->must_have == NULL) {
        return CRANK_OK;
    }
    double *values = crank_store_take(&run->store, (size_t)model->column_count, sizeof *values);
    const crank_status status =
        values != NULL
            ? crank_state_columns(run->model_state, run->t_start, run->x, values, err)
            : crank_fail(err, CRANK_EMEM, "values at the start");
    return status == CRANK_OK
               ? crank_state_check_columns(run->model_state, run->t_start, values, err)
               : status;
}

crank_status crank_run_start(crank_run *run, crank_error *err)
{
    if (run->started) {
        return CRANK_OK;
    }
    crank_status status = crank_run_formulate(run, err);
    if (status == CRANK_OK) {
        tell_supplier(run);
    }
    CRANK_THEN(status,
               crank_integrator_start(run->integrator, run->t_start, run->x, run->t_end, err));
    CRANK_THEN(status, check_columns(run, err));
    CRANK_THEN(status, crank_eom_look(run->eom, run->t_start, run->x, &run->asked.log, err));
    run->started = status == CRANK_OK;
    return status;
}

crank_status crank_run_load(crank_run *run, const void *data, size_t size, crank_error *err)
{
    crank_status status = crank_run_start(run, err);
    CRANK_THEN(status, crank_integrator_load(run->integrator, data, size, err));
    return status == CRANK_OK ? crank_run_look(run, crank_integrator_time(run->integrator), err)
                              : status;
}

void crank_run_set_beginning(crank_run *run, const double *x)
{
    memmove(run->x, x, (size_t)run->n * sizeof *x);
    memmove(run->state, x, (size_t)run->n * sizeof *x);
    run->initialized = true;
    run->rests = false;
    run->row_known = false;
}
