/* model_file.c - reads a model file and writes its trajectory as CSV on standard output: what
 * `crank run MODEL --points 10` does, without its messages: model_file MODEL.yaml */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <stdio.h>

enum { POINTS = 10, MOST = 200 }; /* intervals; unknowns and columns at most */

typedef struct run {
    crank_model *model;
    crank_problem *problem;
    crank_integrator *it;
    double x[MOST], row[MOST];
} run;

/* consistent start, formulation, integrator; options: the method's, then those of the file */
static crank_status set_up(run *r, crank_error *err)
{
    const crank_simulate *simulate = crank_model_simulate(r->model);
    const double t = simulate->t_start;
    const char *method = simulate->method != NULL ? simulate->method : "psf-radau";
    const char *formulation, *integrator;
    const crank_log silent = {0};
    crank_eom *eom = crank_model_eom(r->model);
    crank_options o = crank_options_default();
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    crank_status status = crank_method_resolve(method, &formulation, &integrator, &o, err);
    for (int i = 0; i < simulate->option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &simulate->options[i];
        status = crank_options_set(&o, option->name, option->value, err);
    }
    for (int j = 0; j < crank_eom_unknowns(eom); j++) {
        r->x[j] = crank_model_start(r->model)[j];
    }
    initial.fixing = crank_model_fixing(r->model);
    if (status == CRANK_OK) {
        status = crank_eom_initialize(eom, t, r->x, &initial, &report, silent, err);
    }
    if (status == CRANK_OK) {
        status = crank_model_set_invariants(r->model, t, r->x, err);
    }
    if (status == CRANK_OK) {
        status = crank_formulate(formulation, eom, &o, t, r->x, silent, &r->problem, err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(integrator, r->problem, &o, &r->it, err);
    }
    const crank_events events = crank_model_events(r->model);
    if (status == CRANK_OK && events.count > 0) {
        status = crank_integrator_set_events(r->it, &events, err);
    }
    return status == CRANK_OK ? crank_integrator_start(r->it, t, r->x, simulate->t_end, err)
                              : status;
}

/* one step; before it, what the file says about events at its beginning; *ended: one of them ends the run */
static crank_status step(run *r, bool *ended, crank_error *err)
{
    const signed char *happened = crank_integrator_events(r->it);
    crank_event_outcome outcome = {0};
    crank_status status = CRANK_OK;
    if (happened != NULL) {
        const double t = crank_integrator_time(r->it);
        for (int j = 0; j < crank_eom_unknowns(crank_model_eom(r->model)); j++) {
            r->x[j] = crank_integrator_state(r->it)[j];
        }
        status = crank_model_apply_events(r->model, happened, t, r->x, &outcome, err);
    }
    if (status == CRANK_OK && outcome.changed) {
        status = crank_integrator_restart(r->it, r->x, err);
    }
    *ended = outcome.stop;
    return status == CRANK_OK && !*ended ? crank_integrator_step(r->it, err) : status;
}

static crank_status write_rows(run *r, crank_error *err)
{
    const double t0 = crank_model_simulate(r->model)->t_start;
    const double span = crank_model_simulate(r->model)->t_end - t0;
    const int columns = crank_model_column_count(r->model);
    crank_column column[MOST] = {{.name = "time", .unit = "s"}};
    crank_recorder *csv = NULL;
    bool ended = false;
    for (int j = 0; j < columns; j++) {
        column[j + 1].name = crank_model_column_name(r->model, j);
    }
    crank_status status = crank_recorder_create(NULL, columns + 1, column, NULL, &csv, err);
    for (int i = 0; i <= POINTS && status == CRANK_OK; i++) {
        const double t = r->row[0] = t0 + span * i / POINTS;
        while (status == CRANK_OK && crank_integrator_time(r->it) < t && !ended) {
            status = step(r, &ended, err);
        }
        if (ended) {
            break;
        }
        status = status ? status : crank_integrator_interpolate(r->it, t, r->x, err);
        status = status ? status : crank_model_columns(r->model, t, r->x, r->row + 1, err);
        status = status ? status : crank_recorder_write(csv, r->row, err);
    }
    const crank_status closed = crank_recorder_close(csv, status ? NULL : err);
    return status ? status : closed;
}

int main(int argc, char **argv)
{
    const crank_model_options options = crank_model_options_default();
    run r = {0};
    crank_error err = {0};
    if (argc != 2) {
        (void)fprintf(stderr, "usage: model_file MODEL.yaml\n");
        return 2;
    }
    crank_status status = crank_model_read(argv[1], &options, &r.model, &err);
    if (status == CRANK_OK && (crank_eom_unknowns(crank_model_eom(r.model)) > MOST ||
                               crank_model_column_count(r.model) >= MOST)) {
        status = crank_fail(&err, CRANK_EARG, "more than %d unknowns or columns", MOST);
    }
    status = status ? status : set_up(&r, &err);
    status = status ? status : write_rows(&r, &err);
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s:%d:%d: %s\n", argv[1], err.line, err.column, err.text);
    }
    crank_integrator_destroy(r.it);
    crank_problem_destroy(r.problem);
    crank_model_destroy(r.model);
    return status == CRANK_OK ? 0 : 1;
}
