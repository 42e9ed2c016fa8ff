/* blame.c - who must mend what failed: the file, or the caller, by what he asks for beside it;
 * and what is behind a step that fails. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/blame.h"
#include "base/then.h"
#include "eom/eom.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

/* a lock is looked for once in so many steps, where more than one part in so many failed */
enum { LOOK_STEPS = 1000, FAILED_PART = 4 };

crank_status crank_run_blame_line(crank_error *err, crank_status status, int line, int column)
{
    if (err != NULL && status != CRANK_OK) {
        err->line = line;
        err->column = column;
    }
    return status;
}

crank_status crank_run_blame_refusal(const crank_run *run, const crank_simulate *file,
                                     crank_status status, crank_error *err)
{
    const crank_run_options *a = &run->asked;
    const bool asked =
        file != NULL ? a->method != NULL || a->option_count > 0 || a->compile
                     : run->options.accelerations != CRANK_ACCELERATIONS_AUTO ||
                           run->options.coordinates != CRANK_COORDINATES_DEFAULT ||
                           run->options.orientation != CRANK_ORIENTATION_AUTO || a->compile;
    if (status != CRANK_EREFUSED) {
        return status;
    }
    return asked ? crank_blame_caller(err, status)
           : file != NULL && err != NULL && err->line == 0
               ? crank_run_blame_line(err, status, file->method_line, file->method_column)
               : status;
}

crank_status crank_run_blame_settings(const crank_run *run, const char *path,
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

crank_status crank_run_blame_setting(const char *name, double value, crank_status status,
                                     crank_error *err)
{
    if (err != NULL && status == CRANK_EMODEL && !err->given) {
        const crank_error why = *err;
        (void)crank_fail(err, status, "\"%.80s\" set to %.10g: %.*s", name, value,
                         (int)sizeof why.text - 120, why.text);
        err->line = why.line; /* where it leads to that */
        err->column = why.column;
    }
    return crank_blame_caller(err, status);
}

/* Do formulation and integrator accept the model with what its file alone asks for? */
static bool is_file_accepted(const crank_run *run)
{
    crank_run plain = *run;
    crank_problem *problem = NULL;
    crank_integrator *integrator = NULL;
    plain.asked.method = NULL;
    plain.asked.option_count = 0;
    crank_status status = crank_run_settle(&plain, crank_model_simulate(run->model), NULL);
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

crank_status crank_run_blame_refused(const crank_run *run, crank_status status,
                                     crank_error *err)
{
    const bool refused = status == CRANK_EREFUSED || status == CRANK_EREDUNDANT_ACCELERATION ||
                         status == CRANK_EREDUNDANT_VELOCITY ||
                         status == CRANK_EREDUNDANT_POSITION;
    const bool asked = run->asked.method != NULL || run->asked.option_count > 0;
    const bool caller = refused && asked && run->model != NULL && is_file_accepted(run);
    return caller || status == CRANK_EARG ? crank_blame_caller(err, status) : status;
}

/* Next to a pole the step size vanishes, matrices lose their digits, numbers overflow. */
static bool may_be_pole(crank_status status)
{
    static const crank_status ends[] = {
        CRANK_ESTEP_TOO_SMALL, CRANK_ENEWTON,       CRANK_ESINGULAR,      CRANK_EDECOMPOSITION,
        CRANK_ENOTFINITE,      CRANK_EINCONSISTENT, CRANK_ESTOP_EQUATIONS};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (status == ends[i]) {
            return true;
        }
    }
    return false;
}

/* A row that was redundant is violated: any of those that it went with at the start may be the
 * one to mend, so all of them are named. */
static crank_status explain_rank(const crank_run *run, crank_status status, crank_error *err)
{
    static const char changed[] = "the rank of the constraints changed: ";
    const char *row = status != CRANK_OK && err != NULL ? strstr(err->text, changed) : NULL;
    const char *open = row != NULL ? strchr(row, '"') : NULL;
    const char *close = open != NULL ? strchr(open + 1, '"') : NULL;
    if (close == NULL) {
        return status;
    }
    crank_structure_report report = {0};
    char name[160];
    const size_t length = (size_t)(close + 1 - open);
    const double t = crank_integrator_time(run->integrator);
    const char *found = NULL;
    if (length >= sizeof name ||
        crank_eom_structure(run->eom, run->t_start, run->x, run->options.rank_tolerance,
                            &report, NULL) != CRANK_OK) {
        return status;
    }
    memcpy(name, open, length);
    name[length] = '\0';
    for (int i = 0; i < report.redundant_count && found == NULL; i++) {
        const char *text = report.redundant_text != NULL ? report.redundant_text[i] : NULL;
        found = text != NULL && strstr(text, name) != NULL ? text : NULL;
    }
    if (found != NULL) {
        status =
            crank_fail(err, CRANK_ERANK_CHANGED,
                       "%sat the start %.300s; from t = %.10g on they contradict each other",
                       changed, found, t);
    }
    crank_structure_report_free(&report);
    return status;
}

/* A drive at a dead centre is named, where there is one. */
static crank_status explain_singular(const crank_run *run, crank_error *err)
{
    char drive[160];
    const double t = crank_integrator_time(run->integrator);
    const double *x = crank_integrator_state(run->integrator);
    if (err != NULL && crank_eom_find_dead_centre(run->eom, t, x, drive, sizeof drive)) {
        const size_t used = strlen(err->text);
        (void)snprintf(err->text + used, sizeof err->text - used,
                       "; %s leads to a dead centre, from where it cannot lead on", drive);
    }
    return CRANK_ESINGULAR;
}

crank_status crank_run_explain(const crank_run *run, crank_status status, crank_error *err)
{
    if (status == CRANK_OK) {
        return CRANK_OK;
    }
    crank_error reason = {0};
    const double t = crank_integrator_time(run->integrator);
    const double *x = crank_integrator_state(run->integrator);
    const bool unexplained = status == CRANK_ESTEP_TOO_SMALL || status == CRANK_ENEWTON;
    if (status == CRANK_ESTOP_EQUATIONS && err != NULL && err->line > 0) {
        return status; /* the message says what */
    }
    if ((!may_be_pole(status) || (crank_eom_find_pole(run->eom, t, x, &reason) == CRANK_OK &&
                                  crank_eom_find_lock(run->eom, t, x, &reason) == CRANK_OK)) &&
        (!unexplained || crank_eom_find_loss(run->eom, t, x, &reason) == CRANK_OK)) {
        return status == CRANK_ESINGULAR ? explain_singular(run, err)
                                         : explain_rank(run, status, err);
    }
    if (err != NULL) {
        *err = reason;
    }
    return reason.status;
}

void crank_run_explain_event(const crank_run *run, crank_error *err)
{
    const signed char *happened = crank_integrator_events(run->integrator);
    const crank_events events =
        run->model_state != NULL ? crank_state_events(run->model_state) : (crank_events){0};
    const char *name = NULL;
    for (int i = 0; i < events.count && happened != NULL && name == NULL; i++) {
        name = happened[i] != 0 && events.name != NULL ? events.name[i] : NULL;
    }
    if (err != NULL && name != NULL) {
        const size_t used = strlen(err->text);
        (void)snprintf(
            err->text + used, sizeof err->text - used,
            ", by event \"%.80s\": events may not switch constraints on or off; let a "
            "force hold what is to be held, or an auxiliary variable",
            name);
    }
}

crank_status crank_run_look_for_lock(const crank_run *run, crank_error *err)
{
    const crank_eom_parts *parts = run->eom->parts;
    if (parts == NULL || parts->reader_count == 0) {
        return CRANK_OK;
    }
    const crank_statistics s = crank_integrator_statistics(run->integrator);
    const int64_t failed = s.rejected_error + s.rejected_convergence;
    return s.steps % LOOK_STEPS == 0 && failed * FAILED_PART > s.steps
               ? crank_eom_find_lock(run->eom, crank_integrator_time(run->integrator),
                                     crank_integrator_state(run->integrator), err)
               : CRANK_OK;
}
