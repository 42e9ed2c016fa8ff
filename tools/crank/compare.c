/* compare.c - "crank compare": methods and tolerances on one model, against one reference. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include "describe.h"
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT(member) offsetof(compare_arguments, member)

static const char default_tolerances[] = "1e-4:1e-8";
enum { TOLERANCES = 64 }; /* at most */

// clang-format off
static const argument arguments[] = {
    {"--methods", "A,B,...", ARGUMENT_TEXT, AT(methods),
     "what is compared; default: all that take the model"},
    {"--tols", "LIST", ARGUMENT_TEXT, AT(tols),
     "rtol = atol: 1e-4,1e-6, or by powers of ten 1e-3:1e-10; default: 1e-4:1e-8"},
    {"--t-end", "T", ARGUMENT_REAL, AT(t_end), "end time, s"},
    {"--reference", "FILE", ARGUMENT_TEXT, AT(reference),
     "a result to compare with; default: made, by a tighter run that a second method checks"},
    {"--points", "N", ARGUMENT_COUNT, AT(points),
     "errors at N points, the last at the end; default: 1"},
    {"--at-steps", NULL, ARGUMENT_FLAG, AT(at_steps),
     "errors at the ends of each run's steps; the reference is interpolated there"},
    {"--norm", "max|rms", ARGUMENT_TEXT, AT(norm),
     "over the columns of a group: the largest error, or the root mean square; default: max"},
    {"--errors", NULL, ARGUMENT_FLAG, AT(errors),
     "also prints when and where errors are largest, relative and mean errors"},
    {"--only", "PATTERN", ARGUMENT_LIST, AT(only),
     "columns to compare, with * ? [...]; may be repeated"},
    {"--repeat", "N", ARGUMENT_COUNT, AT(repeat),
     "times are the median of N runs; default: 1 to 5, the shorter the more"},
    {"--csv", "FILE.csv", ARGUMENT_TEXT, AT(csv),
     "the table, for crank plot --work-precision and other programs"},
    {"--json", "FILE.json", ARGUMENT_TEXT, AT(json), "all that is printed, for programs"},
    {"--plot", "FILE.svg", ARGUMENT_TEXT, AT(plot),
     "picture: time against error, a curve for each method"},
    {"--drift", "FILE.svg", ARGUMENT_TEXT, AT(drift),
     "picture: residuals of the constraints over time, at the middle tolerance"},
    MODEL_ARGUMENTS,
};
// clang-format on

static void more_help(void)
{
    (void)printf("\nMethods:\n");
    print_methods();
}

static const usage compare_usage = {
    .synopsis = "crank compare MODEL [options]",
    .summary = "Runs a model with several methods and tolerances. Prints what each reaches and "
               "costs,\n"
               "how far it leaves the constraints, and why those that fail do.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
    .more_help = more_help,
};

/* ---- lists on the command line ---- */

static int bad_tolerances(messages *m, const char *text)
{
    tell_error(m,
               "--tols %s: must be numbers between 1e-14 and 1 with commas between them, or a "
               "range such as 1e-3:1e-10",
               text);
    return CODE_USAGE;
}

/* A tolerance at *text, which ends in one of the ends; moves *text behind that. */
static bool read_tolerance(const char **text, const char *ends, double *value, char *end)
{
    char *behind;

    *value = strtod(*text, &behind);
    if (behind == *text || !(*value >= 1e-14 && *value <= 1.0) ||
        (*behind != '\0' && strchr(ends, *behind) == NULL)) {
        return false;
    }
    *end = *behind;
    *text = behind + (*behind != '\0' ? 1 : 0);
    return true;
}

/* first, first/10, ... down to last, or the other way round. */
static void fill_range(comparison *c, double first, double last)
{
    const double decades = floor(fabs(log10(last / first)) + 1e-6);
    const double sign = last < first ? -1.0 : 1.0;

    for (int i = 0; i <= (int)decades; i++) {
        char text[32]; /* 1e-7, not 1e-7 with rounding errors */
        (void)snprintf(text, sizeof text, "%.12e", first * pow(10.0, sign * i));
        c->tolerances[c->tolerance_count++] = strtod(text, NULL);
    }
}

static int read_tolerances(comparison *c, messages *m)
{
    const char *given = c->arguments->tols != NULL ? c->arguments->tols : default_tolerances;
    const char *text = given;
    char end = ',';

    c->tolerances = calloc(TOLERANCES, sizeof *c->tolerances);
    if (c->tolerances == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    while (end == ',') {
        double value, last;
        if (c->tolerance_count == TOLERANCES) {
            tell_error(m, "--tols: more than %d tolerances", (int)TOLERANCES);
            return CODE_USAGE;
        }
        if (!read_tolerance(&text, c->tolerance_count == 0 ? ",:" : ",", &value, &end)) {
            return bad_tolerances(m, given);
        }
        if (end == ':') {
            if (!read_tolerance(&text, "", &last, &end)) {
                return bad_tolerances(m, given);
            }
            fill_range(c, value, last);
            return -1;
        }
        c->tolerances[c->tolerance_count++] = value;
    }
    return -1;
}

static int count_methods(void)
{
    const char *name, *help;
    int count = 0;

    while (crank_method_describe(count, &name, &help)) {
        count++;
    }
    return count;
}

/* Another name for a method that is in the list is described by that method's name:
 * "index1-bdf, as others call it", "ode-adams: ...". */
static bool is_alias(const char *help)
{
    const size_t length = strcspn(help, ",:");
    const char *name, *other;

    for (int i = 0; crank_method_describe(i, &name, &other); i++) {
        if (strlen(name) == length && strncmp(name, help, length) == 0) {
            return true;
        }
    }
    return false;
}

static int check_method(const comparison *c, messages *m, const char *name)
{
    const char *formulation, *integrator;
    crank_options options = crank_options_default();
    crank_error err = {0};

    if (crank_method_resolve(name, &formulation, &integrator, &options, &err) != CRANK_OK) {
        tell_error(m, "--methods: %s (crank methods lists them)", err.text);
        return CODE_USAGE;
    }
    for (int i = 0; i < c->method_count; i++) {
        if (c->methods[i] != NULL && strcmp(c->methods[i], name) == 0) {
            tell_error(m, "--methods: %s is named twice", name);
            return CODE_USAGE;
        }
    }
    return -1;
}

/* The names between commas, in a copy of the text. */
static int split_methods(comparison *c, messages *m, const char *given)
{
    char *next = c->method_texts;
    int code = -1;

    memcpy(next, given, strlen(given) + 1);
    while (next != NULL && code < 0) {
        char *comma = strchr(next, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (next[0] == '\0') {
            tell_error(m, "--methods %s: must be names with commas between them", given);
            return CODE_USAGE;
        }
        code = check_method(c, m, next);
        c->methods[c->method_count++] = next;
        next = comma != NULL ? comma + 1 : NULL;
    }
    return code;
}

static int read_methods(comparison *c, messages *m)
{
    const char *given = c->arguments->methods, *name, *help;
    const size_t length = given != NULL ? strlen(given) : 0;

    c->methods = calloc((size_t)count_methods() + length + 1, sizeof *c->methods);
    c->method_texts = calloc(length + 1, 1);
    if (c->methods == NULL || c->method_texts == NULL) {
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    if (given != NULL) {
        return split_methods(c, m, given);
    }
    for (int i = 0; crank_method_describe(i, &name, &help); i++) {
        if (!is_alias(help)) {
            c->methods[c->method_count++] = name;
        }
    }
    return -1;
}

/* ---- what the files are called ---- */

static int check_file(comparison *c, messages *m, const char *option, const char *path,
                      const char *ending)
{
    crank_error err = {0};

    if (path == NULL) {
        return -1;
    }
    if (strcmp(path, "-") == 0) {
        tell_error(m, "%s needs a file: the table goes to standard output", option);
        return CODE_USAGE;
    }
    if (!has_ending(path, ending) && !is_device(path)) {
        tell_error(m, "%s %s: the format is %s", option, path, ending);
        return CODE_USAGE;
    }
    if (is_same_file(path, c->arguments->model.positional.item[0]) ||
        (c->arguments->reference != NULL && is_same_file(path, c->arguments->reference))) {
        tell_error(m, "%s %s: the comparison reads this file; choose another name", option,
                   path);
        return CODE_USAGE;
    }
    if (probe_writing(path, &err) != CRANK_OK) {
        tell_error(m, "%s", err.text);
        return CODE_FAILED;
    }
    return -1;
}

static int check_arguments(comparison *c, messages *m)
{
    const compare_arguments *a = c->arguments;

    for (int i = 0; i < a->model.options.count; i++) {
        const crank_setting *option = &a->model.options.item[i];
        if (strcmp(option->name, "rtol") == 0) {
            tell_error(m, "--option rtol=%s: tolerances are given by --tols", option->value);
            return CODE_USAGE;
        }
    }
    if (a->norm != NULL && strcmp(a->norm, "max") != 0 && strcmp(a->norm, "rms") != 0) {
        tell_error(m, "--norm %s: must be max or rms", a->norm);
        return CODE_USAGE;
    }
    if (a->at_steps && a->points > 0) {
        tell_error(m, "--at-steps and --points: errors are at one or the other");
        return CODE_USAGE;
    }
    int code = read_tolerances(c, m);
    NEXT(code, read_methods(c, m));
    NEXT(code, check_file(c, m, "--csv", a->csv, ".csv"));
    NEXT(code, check_file(c, m, "--json", a->json, ".json"));
    NEXT(code, check_file(c, m, "--plot", a->plot, ".svg"));
    NEXT(code, check_file(c, m, "--drift", a->drift, ".svg"));
    if (code < 0 && a->plot != NULL && a->drift != NULL && !is_device(a->plot) &&
        is_same_file(a->plot, a->drift)) {
        tell_error(m, "--plot and --drift are two pictures; give them two names");
        code = CODE_USAGE;
    }
    return code;
}

static int check_overwriting(comparison *c)
{
    const compare_arguments *a = c->arguments;
    int code = session_check_output(&c->session, "--csv", a->csv);

    NEXT(code, session_check_output(&c->session, "--json", a->json));
    NEXT(code, session_check_output(&c->session, "--plot", a->plot));
    NEXT(code, session_check_output(&c->session, "--drift", a->drift));
    return code;
}

/* ---- runs ---- */

const compared_run *comparison_run(const comparison *c, int method, int tolerance)
{
    return &c->runs[(size_t)method * (size_t)c->tolerance_count + (size_t)tolerance];
}

double comparison_ratio(const comparison *c, const compared_run *run)
{
    return run->outcome == RUN_DONE && c->fastest > 0.0 ? run->seconds / c->fastest
                                                        : (double)NAN;
}

double comparison_error(const comparison *c, const compared_run *run, int group, bool *resolved)
{
    const double error = run->outcome == RUN_DONE ? run->error[group].scaled : (double)NAN;
    const double known = fmax(c->reference.agreement[group], c->reference.interpolation[group]);

    *resolved = !(error <= known) || !(known > 0.0);
    return *resolved ? error : known;
}

static double tightest(const comparison *c)
{
    double least = c->tolerances[0];

    for (int i = 1; i < c->tolerance_count; i++) {
        least = fmin(least, c->tolerances[i]);
    }
    return least;
}

/* All tolerances of a method, until it refuses or a signal comes. */
static void run_method(comparison *c, int method, double *values)
{
    const char *name = c->methods[method];
    run_plan *plan = &c->plan;

    for (int i = 0; i < c->tolerance_count && !interrupted(); i++) {
        compared_run *run = &c->runs[(size_t)method * (size_t)c->tolerance_count + (size_t)i];
        const double tolerance = c->tolerances[i];
        (void)snprintf(plan->label, sizeof plan->label, "run %d of %d: %s, %.0e",
                       method * c->tolerance_count + i + 1,
                       c->method_count * c->tolerance_count, name, tolerance);
        compared_run_do(run, plan, name, tolerance, -1, plan->at_steps ? NULL : values);
        if (run->outcome == RUN_REFUSED) {
            return;
        }
        if (run->outcome == RUN_DONE) {
            if (!plan->at_steps) {
                compared_errors(plan, values, c->reference.values, run->error);
            }
            run->seconds = compared_run_time(run, plan, name, tolerance);
            c->fastest =
                run->seconds < c->fastest || isnan(c->fastest) ? run->seconds : c->fastest;
        }
    }
}

static int run_all(comparison *c)
{
    messages *m = &c->session.messages;
    const size_t count = (size_t)c->plan.point_count * (size_t)c->columns.count;
    double *values = calloc(count + 1, sizeof *values);

    c->runs = calloc((size_t)c->method_count * (size_t)c->tolerance_count, sizeof *c->runs);
    if (values == NULL || c->runs == NULL) {
        free(values);
        tell_error(m, "out of memory");
        return CODE_FAILED;
    }
    c->fastest = (double)NAN;
    for (int i = 0; i < c->method_count; i++) {
        run_method(c, i, values);
    }
    free(values);
    clear_progress(m);
    return -1;
}

static int count_runs(const comparison *c, run_outcome outcome)
{
    int count = 0;

    for (int i = 0; i < c->method_count * c->tolerance_count; i++) {
        count += c->runs[i].outcome == outcome ? 1 : 0;
    }
    return count;
}

/* ---- all of it ---- */

static int open_model(comparison *c)
{
    session *s = &c->session;
    crank_error err = {0};
    crank_run_options options = session_begin(s, &c->arguments->model);
    options.t_end = c->arguments->t_end;
    int code = session_opened(s, crank_run_open(s->path, &options, &s->run, &err), &err);

    if (code >= 0) {
        return code;
    }
    crank_model_options of_model = crank_model_options_default();
    of_model.settings = options.settings;
    of_model.setting_count = options.setting_count;
    of_model.compile = options.compile;
    crank_status status = crank_run_initialize(s->run, &err);
    THEN(status, crank_model_remake(s->model, &of_model, &c->model, &err));
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    code = session_interrupted(s);
    if (code < 0) {
        session_tell_moved(s);
        code = check_overwriting(c);
    }
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    c->level[0] = sizes.s + sizes.lambda + sizes.n > 0;
    c->level[1] = sizes.lambda + sizes.mu + sizes.e > 0;
    c->level[2] = sizes.w + sizes.lambda + sizes.mu > 0;
    c->dae = session_is_dae(s);
    if (c->dae) {
        c->level[1] = c->level[2] = c->level[0];
    }
    if (code < 0 && c->arguments->drift != NULL && !c->level[0] && !c->level[1] &&
        !c->level[2]) {
        tell_error(&s->messages, "--drift: the model has no constraints to drift from");
        return CODE_USAGE;
    }
    NEXT(code, compared_columns_choose(&c->columns, s, &c->arguments->only));
    return code;
}

static int report(comparison *c)
{
    messages *m = &c->session.messages;
    const int done = count_runs(c, RUN_DONE), failed = count_runs(c, RUN_FAILED);
    int code = CODE_DONE;

    if (done + failed + count_runs(c, RUN_REFUSED) > 0) {
        comparison_print(c);
        if (c->arguments->errors || c->arguments->at_steps) {
            comparison_print_errors(c);
        }
        code = comparison_write_files(c, m) < 0 ? CODE_DONE : CODE_FAILED;
    }
    if (interrupted()) {
        tell_error(m, "interrupted: %d of %d runs are finished", done + failed,
                   c->method_count * c->tolerance_count);
        return CODE_FAILED;
    }
    if (done == 0) {
        tell_error(m, "no run reached the end time");
        return CODE_FAILED;
    }
    return code;
}

static int compare(comparison *c)
{
    messages early = {.quiet = c->arguments->model.quiet};
    run_plan *plan = &c->plan;
    int code = check_arguments(c, &early);

    NEXT(code, open_model(c));
    *plan =
        (run_plan){.arguments = c->arguments,
                   .columns = &c->columns,
                   .model = c->model,
                   .at_steps = c->arguments->at_steps,
                   .rms = c->arguments->norm != NULL && strcmp(c->arguments->norm, "rms") == 0,
                   .reference = &c->reference,
                   .messages = &c->session.messages,
                   .progress = !early.quiet && isatty(STDERR_FILENO) != 0};
    NEXT(code, compare_reference_open(&c->reference, plan, &c->session));
    NEXT(code, compare_reference_make(&c->reference, plan, tightest(c)));
    NEXT(code, run_all(c));
    NEXT(code, report(c));
    return code;
}

static void comparison_free(comparison *c)
{
    compare_reference_free(&c->reference);
    compared_columns_free(&c->columns);
    session_close(&c->session);
    crank_model_destroy(c->model);
    free(c->plan.points);
    free(c->methods);
    free(c->method_texts);
    free(c->tolerances);
    free(c->runs);
}

int compare_main(int argc, char **argv)
{
    compare_arguments a = {0};
    int code = arguments_parse(&compare_usage, argc, argv, &a);

    if (code < 0) {
        comparison c = {.arguments = &a};
        interruption_watch();
        code = compare(&c);
        comparison_free(&c);
    }
    arguments_free(&compare_usage, &a);
    return code;
}
