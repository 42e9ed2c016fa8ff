/* session.c - see session.h.
 *
 * Options: the library's defaults, then those that the method's name stands for, then the model
 * file's, then the command line's. How accelerations are treated must be known when the model
 * is read, so a file that turns out to ask for another treatment is read again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_method[] = "psf-radau";
static const double visible_change =
    1e-9; /* relative to 1 + |x|, or to a row's scale: above round-off of corrections */

/* "name=value" into its parts; they live in one copy of the text, at setting->name. */
static int split(session *s, const char *option, const char *text, crank_setting *setting)
{
    const char *equals = strchr(text, '=');

    if (equals == NULL || equals == text) {
        tell_error(&s->messages, "%s %s: must be NAME=VALUE", option, text);
        return CODE_USAGE;
    }
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL) {
        tell_error(&s->messages, "out of memory");
        return CODE_FAILED;
    }
    memcpy(copy, text, strlen(text) + 1);
    copy[equals - text] = '\0';
    *setting = (crank_setting){.name = copy, .value = copy + (equals - text) + 1};
    return -1;
}

static void free_setting(crank_setting *setting)
{
    char *copy;

    memcpy(&copy, &setting->name, sizeof copy); /* made by split */
    free(copy);
    *setting = (crank_setting){0};
}

static int set_option(session *s, const char *name, const char *value)
{
    crank_error err = {0};

    if (crank_options_set(&s->options, name, value, &err) != CRANK_OK) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_USAGE;
    }
    return -1;
}

static int command_line_options(session *s, const model_arguments *a)
{
    int code = a->rtol != NULL ? set_option(s, "rtol", a->rtol) : -1;

    if (code < 0 && a->atol != NULL) {
        code = set_option(s, "atol", a->atol);
    }
    for (int i = 0; i < a->options.count && code < 0; i++) {
        crank_setting option = {0};
        code = split(s, "--option", a->options.item[i], &option);
        if (code < 0) {
            code = set_option(s, option.name, option.value);
        }
        free_setting(&option);
    }
    return code;
}

static int file_options(session *s)
{
    const crank_simulate *simulate = s->simulate;
    crank_error err = {0};

    for (int i = 0; i < simulate->option_count; i++) {
        const crank_setting *option = &simulate->options[i];
        if (crank_options_set(&s->options, option->name, option->value, &err) != CRANK_OK) {
            err.line = simulate->option_line[i];
            tell_file_error(&s->messages, s->path, &err);
            return CODE_MODEL;
        }
    }
    return -1;
}

/* Appends the known methods to the text of an error. */
static void list_methods(crank_error *err)
{
    const char *name, *help;

    for (int i = 0; crank_method_describe(i, &name, &help); i++) {
        const size_t used = strlen(err->text);
        (void)snprintf(err->text + used, sizeof err->text - used, "%s%s",
                       i > 0 ? ", " : "; known are ", name);
    }
}

static int resolve_method(session *s, const model_arguments *a)
{
    const char *in_file = s->simulate != NULL ? s->simulate->method : NULL;
    crank_error err = {0};

    s->method_given = a->method != NULL;
    s->method = a->method != NULL ? a->method : in_file != NULL ? in_file : default_method;
    s->options = crank_options_default();
    if (crank_method_resolve(s->method, &s->formulation, &s->integrator, &s->options, &err) ==
        CRANK_OK) {
        return -1;
    }
    if (strstr(err.text, "did you mean") == NULL) {
        list_methods(&err);
    }
    if (s->method_given) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_USAGE;
    }
    err.line = s->simulate != NULL ? s->simulate->method_line : 0;
    err.column = s->simulate != NULL ? s->simulate->method_column : 0;
    tell_file_error(&s->messages, s->path, &err);
    return CODE_MODEL;
}

static int settle_options(session *s, const model_arguments *a)
{
    crank_error err = {0};
    int code = resolve_method(s, a);

    if (code < 0 && s->simulate != NULL) {
        code = file_options(s);
        if (code < 0 && crank_options_check(&s->options, &err) != CRANK_OK) {
            tell_file_error(&s->messages, s->path, &err);
            return CODE_MODEL;
        }
    }
    if (code < 0) {
        code = command_line_options(s, a);
    }
    if (code < 0 && s->simulate != NULL && crank_options_check(&s->options, &err) != CRANK_OK) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_USAGE;
    }
    return code;
}

static int read_model(session *s, const model_arguments *a, crank_accelerations accelerations)
{
    crank_model_options options = crank_model_options_default();
    crank_error err = {0};
    /* before the file is known only the command line asks for something */
    const bool asked = s->simulate == NULL ? accelerations != CRANK_ACCELERATIONS_AUTO
                                           : s->method_given || a->options.count > 0;
    const crank_simulate file = s->simulate != NULL ? *s->simulate : (crank_simulate){0};

    options.settings = s->settings;
    options.setting_count = a->settings.count;
    options.accelerations = accelerations;
    options.compile = a->compile;
    options.log = message_log(&s->messages);
    crank_model_destroy(s->model);
    s->model = NULL;
    s->eom = NULL;
    s->simulate = NULL;
    s->method = a->method; /* one from the file has gone with the model */
    const crank_status status = crank_model_read(s->path, &options, &s->model, &err);
    if (status != CRANK_OK && strncmp(err.text, "setting \"", strlen("setting \"")) == 0) {
        tell_error(&s->messages, "--set: %s", err.text); /* the reader's name for it */
        return CODE_USAGE;
    }
    if (status == CRANK_EREFUSED && err.line == 0 && !asked) {
        err.line = file.method_line;
        err.column = file.method_column;
    }
    if (status != CRANK_OK) {
        const int code = session_fail(s, status, &err);
        if (status == CRANK_EREFUSED && (asked || a->compile)) {
            return CODE_USAGE;
        }
        return status == CRANK_EFILE && !interrupted() ? CODE_MODEL : code;
    }
    s->eom = crank_model_eom(s->model);
    s->simulate = crank_model_simulate(s->model);
    return -1;
}

/* How the reader treats accelerations when it is asked for asked: `auto` leaves it to the file.
 * */
static crank_accelerations treatment(const session *s, crank_accelerations asked)
{
    crank_options scratch = crank_options_default();

    for (int i = 0; i < s->simulate->option_count; i++) {
        if (strcmp(s->simulate->options[i].name, "accelerations") == 0) {
            (void)crank_options_set(&scratch, "accelerations", s->simulate->options[i].value,
                                    NULL);
        }
    }
    return asked != CRANK_ACCELERATIONS_AUTO ? asked : scratch.accelerations;
}

static int read_and_settle(session *s, const model_arguments *a)
{
    int code = settle_options(s, a); /* as far as the command line goes */
    const crank_accelerations first = s->options.accelerations;

    if (code < 0) {
        code = read_model(s, a, first);
    }
    if (code < 0) {
        code = settle_options(s, a);
    }
    if (code < 0 && s->options.accelerations != CRANK_ACCELERATIONS_AUTO &&
        s->options.accelerations != treatment(s, first)) {
        code = read_model(s, a, s->options.accelerations);
        code = code < 0 ? settle_options(s, a) : code; /* texts of the new model */
    }
    return code;
}

static int begin(session *s, const model_arguments *a)
{
    *s = (session){.path = a->positional.item[0],
                   .messages = {.quiet = a->quiet, .kept = a->kept},
                   .changed = a->method != NULL || a->options.count > 0};
    s->settings = calloc((size_t)a->settings.count + 1, sizeof *s->settings);
    int code = s->settings == NULL ? CODE_FAILED : -1;
    for (int i = 0; i < a->settings.count && code < 0; i++) {
        code = split(s, "--set", a->settings.item[i], &s->settings[i]);
    }
    return code;
}

int session_analyse(session *s, const model_arguments *a, char **text, bool *fine)
{
    crank_model_options options = crank_model_options_default();
    crank_error ignored = {0};
    const int code = begin(s, a);

    *text = NULL;
    if (code < 0) {
        options.settings = s->settings;
        options.setting_count = a->settings.count;
        (void)crank_model_analyse(s->path, &options, text, fine, &ignored);
    }
    return code;
}

int session_open(session *s, const model_arguments *a)
{
    int code = begin(s, a);
    if (code < 0) {
        code = read_and_settle(s, a);
    }
    code = code < 0 ? session_interrupted(s) : code;
    if (code >= 0) {
        return code;
    }
    s->n = crank_eom_unknowns(s->eom);
    s->t_start = s->simulate->t_start;
    s->given = calloc((size_t)s->n + 1, sizeof *s->given);
    s->x = calloc((size_t)s->n + 1, sizeof *s->x);
    if (s->given == NULL || s->x == NULL) {
        tell_error(&s->messages, "out of memory");
        return CODE_FAILED;
    }
    memcpy(s->given, crank_model_start(s->model), (size_t)s->n * sizeof *s->given);
    memcpy(s->x, s->given, (size_t)s->n * sizeof *s->x);
    return -1;
}

void session_close(session *s)
{
    crank_model_destroy(s->model);
    for (crank_setting *setting = s->settings; setting != NULL && setting->name != NULL;
         setting++) {
        free_setting(setting);
    }
    free(s->settings);
    free(s->given);
    free(s->x);
    *s = (session){0};
}

crank_status session_initialize(session *s, crank_error *err)
{
    crank_initial_options options = crank_initial_options_default();

    options.fixing = crank_model_fixing(s->model);
    if (!s->options.check_initial) {
        s->initial = (crank_initial_report){.consistent = true, .largest_column = -1};
        return CRANK_OK;
    }
    return crank_eom_initialize(s->eom, s->t_start, s->x, &options, &s->initial,
                                message_log(&s->messages), err);
}

crank_status session_formulate(session *s, crank_problem **problem,
                               crank_integrator **integrator, crank_error *err)
{
    crank_status status = crank_model_set_invariants(s->model, s->t_start, s->x, err);

    if (status == CRANK_OK) {
        status = crank_formulate(s->formulation, s->eom, &s->options, s->t_start, s->x,
                                 message_log(&s->messages), problem, err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(s->integrator, *problem, &s->options, integrator, err);
    }
    const crank_events events = crank_model_events(s->model);
    return status == CRANK_OK && events.count > 0
               ? crank_integrator_set_events(*integrator, &events, err)
               : status;
}

static int failure_code(const session *s, crank_status status)
{
    switch ((int)status) {
    case CRANK_EARG:
        return CODE_USAGE;
    case CRANK_EREFUSED:
    case CRANK_EREDUNDANT_ACCELERATION:
    case CRANK_EREDUNDANT_VELOCITY:
    case CRANK_EREDUNDANT_POSITION:
        return session_file_accepted(s) ? CODE_USAGE : CODE_MODEL;
    case CRANK_EMEM:
    case CRANK_EFILE:
    case CRANK_ECOMPILE:
    case CRANK_EINTERRUPTED:
    case CRANK_EINTERNAL:
        return CODE_FAILED;
    default:
        return CODE_MODEL;
    }
}

int session_interrupted(session *s)
{
    if (!interrupted()) {
        return -1;
    }
    tell_error(&s->messages, "interrupted before the first step");
    return CODE_FAILED;
}

int session_fail(session *s, crank_status status, crank_error *err)
{
    if (interrupted()) {
        return session_interrupted(s);
    }
    err->status = status;
    tell_file_error(&s->messages, s->path, err);
    return failure_code(s, status);
}

bool session_file_accepted(const session *s)
{
    session plain = {.eom = s->eom, .simulate = s->simulate};
    crank_problem *problem = NULL;
    crank_integrator *integrator = NULL;

    if (!s->changed || s->eom == NULL) {
        return false;
    }
    plain.method = s->simulate->method != NULL ? s->simulate->method : default_method;
    plain.options = crank_options_default();
    crank_status status = crank_method_resolve(plain.method, &plain.formulation,
                                               &plain.integrator, &plain.options, NULL);
    for (int i = 0; i < s->simulate->option_count && status == CRANK_OK; i++) {
        status = crank_options_set(&plain.options, s->simulate->options[i].name,
                                   s->simulate->options[i].value, NULL);
    }
    if (status == CRANK_OK) {
        status = crank_formulate(plain.formulation, s->eom, &plain.options, s->t_start, s->x,
                                 (crank_log){0}, &problem, NULL);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(plain.integrator, problem, &plain.options, &integrator,
                                         NULL);
    }
    crank_integrator_destroy(integrator);
    crank_problem_destroy(problem);
    return status == CRANK_OK;
}

bool session_is_dae(const session *s)
{
    return strcmp(crank_model_kind(s->model), "dae") == 0;
}

bool session_was_consistent(const session *s)
{
    /* guesses of algebraic variables stand in constraints of every level */
    return session_most_moved(s) < 0 &&
           (session_is_dae(s) || (s->initial.residual[0] <= visible_change &&
                                  s->initial.residual[1] <= visible_change));
}

bool session_moved(const session *s, int column)
{
    const crank_fixing *fixing = crank_model_fixing(s->model);
    const double change = s->x[column] - s->given[column];

    return (fixing == NULL || fixing[column] != CRANK_FREE) &&
           !(fabs(change) <= visible_change * (1.0 + fabs(s->given[column])));
}

int session_most_moved(const session *s)
{
    double most = 0.0;
    int column = -1;

    for (int j = 0; j < s->n; j++) {
        const double change = fabs(s->x[j] - s->given[j]) / (1.0 + fabs(s->given[j]));
        if (session_moved(s, j) && !(change <= most)) {
            most = change;
            column = j;
        }
    }
    return column;
}

enum { SHOWN = 6 }; /* initial values that are told one by one */

/* Bodies that were moved, and whether velocities changed; unknowns of bodies have other names than a file gives. */
static int tell_bodies(session *s)
{
    int moved = 0;

    for (int i = 0; i < crank_eom_bodies(s->eom); i++) {
        double distance, angle;
        crank_eom_body_move(s->eom, i, s->given, s->x, &distance, &angle);
        if (distance + angle > 1e-9 && moved++ < SHOWN) {
            tell_note(&s->messages, "start of %s moved by %.3g and turned by %.3g rad",
                      crank_eom_body_text(s->eom, i), distance, angle);
        }
    }
    const int first = crank_eom_column(s->eom, CRANK_V);
    for (int j = first; j < first + crank_eom_get_sizes(s->eom).v; j++) {
        if (session_moved(s, j)) {
            tell_note(&s->messages, "start velocities changed; see crank init");
            break;
        }
    }
    return moved;
}

void session_tell_moved(session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int v = crank_eom_column(s->eom, CRANK_V), p = crank_eom_column(s->eom, CRANK_P);
    const bool bodies = crank_eom_bodies(s->eom) > 0;
    int moved = bodies ? tell_bodies(s) : 0;

    for (int j = 0; j < s->n; j++) {
        const bool of_body = (j >= v && j < v + sizes.v) || (j >= p && j < p + sizes.p);
        if (!(bodies && of_body) && session_moved(s, j) && moved++ < SHOWN) {
            tell_note(&s->messages, "initial value of %s moved from %.9g to %.9g (%+.3g)",
                      crank_eom_column_name(s->eom, j), s->given[j], s->x[j],
                      s->x[j] - s->given[j]);
        }
    }
    if (moved > SHOWN) {
        tell_note(&s->messages, "%d more initial values moved; see crank init", moved - SHOWN);
    }
}

int session_check_output(session *s, const char *option, const char *path)
{
    const char *name = s->path;

    if (is_standard_output(path) || is_device(path)) {
        return -1;
    }
    for (int i = 0; name != NULL; i++) {
        if (is_same_file(path, name)) {
            tell_error(&s->messages,
                       "%s %s: the model is made of this file; choose another name", option,
                       path);
            return CODE_USAGE;
        }
        name = crank_model_file(s->model, i);
    }
    return -1;
}
