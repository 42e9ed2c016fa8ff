/* run.c - the front door: reads a model, settles the options, makes what integrates it. See
 * crank/run.h.
 *
 * How accelerations are treated must be known when a model is made, so a model whose method
 * asks for another treatment is made again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"
#include "base/then.h"

#include "base/blame.h"
#include "base/options.h"
#include "model/features.h"
#include "model/model.h"
#include "model/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char default_method[] = "psf-radau";

crank_run_options crank_run_options_default(void)
{
    return (crank_run_options){.size = sizeof(crank_run_options), .t_end = (double)NAN};
}

/* ---- what the caller asks for ---- */

static bool copy_text(crank_store *store, const char **text)
{
    if (*text != NULL) {
        *text = crank_store_copy(store, *text, strlen(*text));
        return *text != NULL;
    }
    return true;
}

static bool copy_settings(crank_store *store, const crank_setting **list, int count)
{
    crank_setting *copy = crank_store_take(store, (size_t)count + 1, sizeof *copy);
    bool good = copy != NULL;
    for (int i = 0; i < count && good; i++) {
        copy[i] = (*list)[i];
        good = copy_text(store, &copy[i].name) && copy_text(store, &copy[i].value);
    }
    *list = copy;
    return good;
}

static crank_status begin(const crank_run_options *options, crank_run **out, crank_error *err)
{
    const crank_run_options defaults = crank_run_options_default();
    *out = NULL;
    if (options != NULL && options->size != sizeof *options) {
        return crank_fail(err, CRANK_EARG, "run options: not made by their default function");
    }
    crank_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    run->asked = options != NULL ? *options : defaults;
    crank_run_options *a = &run->asked;
    if (!copy_text(&run->store, &a->method) ||
        !copy_settings(&run->store, &a->settings, a->setting_count) ||
        !copy_settings(&run->store, &a->options, a->option_count)) {
        crank_run_close(run);
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    *out = run;
    return CRANK_OK;
}

/* ---- options ---- */

static crank_status blame_line(crank_error *err, crank_status status, int line, int column)
{
    if (err != NULL && status != CRANK_OK) {
        err->line = line;
        err->column = column;
    }
    return status;
}

static crank_status resolve_method(crank_run *run, const crank_simulate *file, crank_error *err)
{
    const char *in_file = file != NULL ? file->method : NULL;
    const bool given = run->asked.method != NULL;
    run->method = given ? run->asked.method : in_file != NULL ? in_file : default_method;
    run->options = crank_options_default();
    const crank_status status = crank_method_resolve(run->method, &run->formulation,
                                                     &run->integrator_name, &run->options, err);
    return given          ? crank_blame_caller(err, status)
           : file != NULL ? blame_line(err, status, file->method_line, file->method_column)
                          : status;
}

static crank_status take_file_options(crank_run *run, const crank_simulate *file,
                                      crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < file->option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &file->options[i];
        if (run->asked.method != NULL &&
            !crank_option_is_of(option->name, run->formulation, run->integrator_name)) {
            if (!run->told) {
                crank_log_write(&run->asked.log, CRANK_INFO,
                                "simulate: %s is left out, %s does not have it", option->name,
                                run->method);
            }
            continue;
        }
        status = crank_options_set(&run->options, option->name, option->value, err);
        status = blame_line(err, status, file->option_line[i], 0);
    }
    run->told = true;
    return status == CRANK_OK ? crank_options_check(&run->options, err) : status;
}

/* defaults < method < file < caller; before the file is known as far as that goes */
static crank_status settle(crank_run *run, const crank_simulate *file, crank_error *err)
{
    crank_status status = resolve_method(run, file, err);
    if (status == CRANK_OK && file != NULL) {
        status = take_file_options(run, file, err);
    }
    for (int i = 0; i < run->asked.option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &run->asked.options[i];
        status = crank_blame_caller(
            err, crank_options_set(&run->options, option->name, option->value, err));
    }
    return status == CRANK_OK && file != NULL
               ? crank_blame_caller(err, crank_options_check(&run->options, err))
               : status;
}

/* ---- the model ---- */

/* EREFUSED by whoever asks for what is refused; file: NULL if it is not known yet */
static crank_status blame_refusal(const crank_run *run, const crank_simulate *file,
                                  crank_status status, crank_error *err)
{
    const crank_run_options *a = &run->asked;
    const bool asked =
        file != NULL ? a->method != NULL || a->option_count > 0 || a->compile
                     : run->options.accelerations != CRANK_ACCELERATIONS_AUTO || a->compile;
    if (status != CRANK_EREFUSED) {
        return status;
    }
    return asked ? crank_blame_caller(err, status)
           : file != NULL && err != NULL && err->line == 0
               ? blame_line(err, status, file->method_line, file->method_column)
               : status;
}

/* What the caller set makes a model wrong that is right without it. */
static crank_status blame_settings(const crank_run *run, const char *path,
                                   const crank_model_options *options, crank_status status,
                                   crank_error *err)
{
    crank_model_options plain = *options;
    crank_model *model = NULL;
    plain.settings = NULL;
    plain.setting_count = 0;
    plain.log = (crank_log){0};
    if (status != CRANK_EMODEL || err == NULL || err->given || run->asked.setting_count == 0 ||
        crank_model_read(path, &plain, &model, NULL) != CRANK_OK) {
        return status;
    }
    crank_model_destroy(model);
    char text[sizeof err->text];
    const crank_setting *last = &run->asked.settings[run->asked.setting_count - 1];
    const int line = err->line;
    memcpy(text, err->text, sizeof text);
    (void)crank_fail(err, status, "with %.60s = %.60s%s: %.*s (line %d of the file)",
                     last->name, last->value, run->asked.setting_count > 1 ? " and others" : "",
                     (int)sizeof text - 200, text, line);
    return crank_blame_caller(err, status);
}

static crank_status read_model(crank_run *run, const char *path, crank_error *err)
{
    crank_model_options options = crank_model_options_default();
    options.settings = run->asked.settings;
    options.setting_count = run->asked.setting_count;
    options.accelerations = run->options.accelerations;
    options.compile = run->asked.compile;
    options.log = run->asked.log;
    crank_status status = crank_model_read(path, &options, &run->made, err);
    status = blame_settings(run, path, &options, status, err);
    run->model = run->made;
    return blame_refusal(run, NULL, status, err);
}

/* Once more, as the run asks for it: with its settings behind those that a model of the caller
 * has. */
static crank_status remake_model(crank_run *run, crank_error *err)
{
    const crank_model_options *before = &run->model->options;
    const int more = run->made == NULL ? run->asked.setting_count : 0;
    const size_t count = (size_t)before->setting_count + (size_t)more;
    crank_setting *settings = crank_store_take(&run->store, count, sizeof *settings);
    if (settings == NULL) {
        return crank_fail(err, CRANK_EMEM, "a run");
    }
    for (int i = 0; i < before->setting_count; i++) {
        settings[i] = before->settings[i];
    }
    for (int i = 0; i < more; i++) {
        settings[before->setting_count + i] = run->asked.settings[i];
    }
    crank_model_options options = *before;
    options.settings = settings;
    options.setting_count = (int)count;
    options.accelerations = run->options.accelerations;
    options.compile = before->compile || run->asked.compile;
    options.log = run->asked.log;
    crank_model *made = NULL;
    crank_status status = crank_model_remake(run->model, &options, &made, err);
    status = blame_refusal(run, crank_model_simulate(run->model), status, err);
    if (status == CRANK_OK) {
        crank_model_destroy(run->made);
        run->model = run->made = made;
        status = settle(run, crank_model_simulate(run->model), err);
    }
    return status;
}

/* Are accelerations treated in another way than the method asks for? When a model is made, auto
 * leaves it to the file. */
static bool treats_otherwise(const crank_run *run)
{
    const crank_simulate *file = crank_model_simulate(run->model);
    const crank_accelerations asked = run->model->options.accelerations,
                              wish = run->options.accelerations;
    crank_options scratch = crank_options_default();
    for (int i = 0; i < file->option_count; i++) {
        if (strcmp(file->options[i].name, "accelerations") == 0) {
            (void)crank_options_set(&scratch, "accelerations", file->options[i].value, NULL);
        }
    }
    return wish != CRANK_ACCELERATIONS_AUTO &&
           wish != (asked != CRANK_ACCELERATIONS_AUTO ? asked : scratch.accelerations);
}

/* The model as the run asks for it, and its options. */
static crank_status settle_model(crank_run *run, crank_error *err)
{
    const crank_run_options *a = &run->asked;
    const crank_status status = settle(run, crank_model_simulate(run->model), err);
    const bool more = run->made == NULL &&
                      (a->setting_count > 0 || (a->compile && !run->model->options.compile));
    return status == CRANK_OK && (more || treats_otherwise(run)) ? remake_model(run, err)
                                                                 : status;
}

/* ---- open ---- */

static crank_status make_room(crank_run *run, const double *x0, crank_error *err)
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

static crank_status take_state(crank_run *run, crank_error *err)
{
    run->model = crank_state_model(run->model_state);
    run->eom = crank_state_eom(run->model_state);
    const crank_simulate *file = crank_model_simulate(run->model);
    run->t_start = file->t_start;
    run->t_end = isnan(run->asked.t_end) ? file->t_end : run->asked.t_end;
    return make_room(run, crank_state_start(run->model_state), err);
}

static crank_status open_model(crank_run *run, crank_error *err)
{
    crank_status status = settle_model(run, err);
    CRANK_THEN(status, crank_state_create(run->model, &run->model_state, err));
    return status == CRANK_OK ? take_state(run, err) : status;
}

static crank_status close_failed(crank_run **run, crank_status status)
{
    if (status != CRANK_OK) {
        crank_run_close(*run);
        *run = NULL;
    }
    return status;
}

crank_status crank_run_open(const char *path, const crank_run_options *options, crank_run **out,
                            crank_error *err)
{
    crank_status status = begin(options, out, err);
    if (status == CRANK_OK) {
        status = settle(*out, NULL, err); /* as far as the caller goes */
    }
    CRANK_THEN(status, read_model(*out, path, err));
    CRANK_THEN(status, open_model(*out, err));
    return close_failed(out, status);
}

crank_status crank_run_open_model(const crank_model *model, const crank_run_options *options,
                                  crank_run **out, crank_error *err)
{
    crank_status status = begin(options, out, err);
    if (status == CRANK_OK) {
        (*out)->model = model;
        status = open_model(*out, err);
    }
    return close_failed(out, status);
}

crank_status crank_run_open_eom(crank_eom *eom, double t0, const double *x0,
                                const crank_run_options *options, crank_run **out,
                                crank_error *err)
{
    crank_status status = begin(options, out, err);
    crank_run *run = *out;
    if (status == CRANK_OK && isnan(run->asked.t_end)) {
        status = crank_fail(err, CRANK_EARG, "the end time of the run is missing");
    }
    if (status == CRANK_OK) {
        run->eom = eom;
        run->t_start = t0;
        run->t_end = run->asked.t_end;
        status = settle(run, NULL, err);
    }
    status = status == CRANK_OK ? make_room(run, x0, err) : status;
    return close_failed(out, status);
}

void crank_run_close(crank_run *run)
{
    if (run != NULL) {
        crank_integrator_destroy(run->integrator);
        crank_problem_destroy(run->problem);
        crank_state_destroy(run->model_state);
        crank_model_destroy(run->made);
        crank_store_free(&run->store);
        free(run);
    }
}

/* ---- set-up ---- */

/* The file is as it was: what does not fit is the value. */
static crank_status blame_setting(const char *name, double value, crank_status status,
                                  crank_error *err)
{
    crank_error why = {0};
    if (err != NULL && status == CRANK_EMODEL && !err->given) {
        why = *err;
        (void)crank_fail(err, status, "\"%.80s\" set to %.10g: %.*s", name, value,
                         (int)sizeof why.text - 120, why.text);
        err->line = why.line; /* where it leads to that */
        err->column = why.column;
    }
    return crank_blame_caller(err, status);
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
    return status == CRANK_OK ? take_state(run, err) : blame_setting(name, value, status, err);
}

crank_status crank_run_initialize(crank_run *run, crank_error *err)
{
    crank_initial_options options = crank_initial_options_default();
    if (run->initialized) {
        return CRANK_OK;
    }
    run->initial = (crank_initial_report){.consistent = true, .largest_column = -1};
    crank_status status = CRANK_OK;
    if (run->options.check_initial) {
        options.fixing = run->model != NULL ? crank_model_fixing(run->model) : NULL;
        status = crank_eom_initialize(run->eom, run->t_start, run->x, &options, &run->initial,
                                      run->asked.log, err);
    } else {
        status = crank_eom_warn_loads(run->eom, run->t_start, run->x, run->asked.log, err);
    }
    run->initialized = status == CRANK_OK;
    memcpy(run->state, run->x, (size_t)run->n * sizeof *run->state);
    run->row_known = false;
    return status;
}

/* Do formulation and integrator accept the model with what its file alone asks for? */
static bool is_file_accepted(const crank_run *run)
{
    crank_run plain = *run;
    crank_problem *problem = NULL;
    crank_integrator *integrator = NULL;
    plain.asked.method = NULL;
    plain.asked.option_count = 0;
    crank_status status = settle(&plain, crank_model_simulate(run->model), NULL);
    if (status == CRANK_OK) {
        status = crank_formulate(plain.formulation, run->eom, &plain.options, run->t_start,
                                 run->x, (crank_log){0}, &problem, NULL);
    }
    CRANK_THEN(status, crank_integrator_create(plain.integrator_name, problem, &plain.options,
                                               &integrator, NULL));
    crank_integrator_destroy(integrator);
    crank_problem_destroy(problem);
    return status == CRANK_OK;
}

static crank_status blame(const crank_run *run, crank_status status, crank_error *err)
{
    const bool refused = status == CRANK_EREFUSED || status == CRANK_EREDUNDANT_ACCELERATION ||
                         status == CRANK_EREDUNDANT_VELOCITY ||
                         status == CRANK_EREDUNDANT_POSITION;
    const bool asked = run->asked.method != NULL || run->asked.option_count > 0;
    const bool caller = refused && asked && run->model != NULL && is_file_accepted(run);
    return caller || status == CRANK_EARG ? crank_blame_caller(err, status) : status;
}

crank_status crank_run_formulate(crank_run *run, crank_error *err)
{
    if (run->integrator != NULL) {
        return CRANK_OK;
    }
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
    CRANK_THEN(status, crank_integrator_create(run->integrator_name, run->problem,
                                               &run->options, &run->integrator, err));
    const crank_events events =
        run->model != NULL ? crank_state_events(run->model_state) : (crank_events){0};
    if (status == CRANK_OK && events.count > 0) {
        status = crank_integrator_set_events(run->integrator, &events, err);
    }
    if (status == CRANK_OK && run->model != NULL) {
        const crank_switches switches = crank_state_switches(run->model_state);
        const crank_features features = crank_state_features(run->model_state);
        status = crank_integrator_set_switches(run->integrator, &switches, err);
        CRANK_THEN(status, crank_integrator_set_features(run->integrator, &features, err));
    }
    return blame(run, status, err);
}

crank_status crank_run_start(crank_run *run, crank_error *err)
{
    if (run->started) {
        return CRANK_OK;
    }
    crank_status status = crank_run_formulate(run, err);
    CRANK_THEN(status,
               crank_integrator_start(run->integrator, run->t_start, run->x, run->t_end, err));
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

/* ---- asking ---- */

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

void crank_run_set_beginning(crank_run *run, const double *x)
{
    memcpy(run->x, x, (size_t)run->n * sizeof *x);
    memcpy(run->state, x, (size_t)run->n * sizeof *x);
    run->initialized = true;
    run->row_known = false;
}

double crank_run_end(const crank_run *run)
{
    return run->t_end;
}

void crank_run_set_end(crank_run *run, double t_end)
{
    run->t_end = run->started ? run->t_end : t_end;
}

crank_integrator *crank_run_integrator(crank_run *run)
{
    return run->integrator;
}

const crank_problem *crank_run_problem(const crank_run *run)
{
    return run->problem;
}
