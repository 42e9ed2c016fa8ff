/* crank.c - one model by one method of crank, measured as the peers are (sundials.c):
 *
 *     peers_crank MODEL METHOD RTOL REPEAT REFERENCE [--compile] [--set NAME=VALUE]...
 *         [--option NAME=VALUE]...
 *     peers_crank --methods
 *
 * METHOD may be a peer on crank's own equations: ida-ggl, cvode-ode, radau5-index2 (own.h).
 *
 * Options of the model's `simulate:` section apply, those of --option after them. The columns
 * of REFERENCE are found by name among the unknowns; the reference of the multipliers follows
 * from its positions and velocities by crank_eom_initialize. The time is that of the steps:
 * reading, initial values and crank_run_formulate do not count. Prints one line of JSON. */
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.h"
#include "own.h"
#include "processor.h"
#include "reference.h"

#include <crank/crank.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 32 };
static const double LONG = 1; /* s; runs are not repeated beyond */

typedef struct request {
    const char *model;
    const char *method;
    own_peer *peer;   /* NULL: crank itself */
    const char *form; /* of a peer's equations */
    double rtol;
    int repeat;
    bool compile;
    int settings, options;
    crank_setting setting[SETTINGS], option[SETTINGS];
} request;

typedef struct measured {
    double seconds, error[3];
    long steps, evaluations;
    char text[480];
} measured;

static _Noreturn void stop(const crank_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static crank_setting split(char *text)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        fprintf(stderr, "%s: NAME=VALUE is needed\n", text);
        exit(2);
    }
    *equals = 0;
    return (crank_setting){text, equals + 1};
}

static request read_arguments(int argc, char **argv)
{
    request r = {.model = argv[1], .rtol = strtod(argv[3], NULL), .repeat = atoi(argv[4])};
    r.peer = own_find(argv[2], &r.form);
    r.method = r.peer ? own_method(r.form) : argv[2];
    for (int i = 6; i < argc; i++) {
        if (strcmp(argv[i], "--compile") == 0)
            r.compile = true;
        else if (strcmp(argv[i], "--set") == 0 && i + 1 < argc && r.settings < SETTINGS)
            r.setting[r.settings++] = split(argv[++i]);
        else if (strcmp(argv[i], "--option") == 0 && i + 1 < argc && r.options < SETTINGS)
            r.option[r.options++] = split(argv[++i]);
        else {
            fprintf(stderr, "%s is not known here\n", argv[i]);
            exit(2);
        }
    }
    return r;
}

/* A run of the model; tolerances before the options that are given. */
static crank_run *open_run(const request *r, const crank_model *model, double t_end)
{
    crank_run_options o = crank_run_options_default();
    crank_setting all[SETTINGS + 2];
    crank_run *run = NULL;
    crank_error err = {0};
    char tolerance[40];
    snprintf(tolerance, sizeof tolerance, "%.17g", r->rtol);
    all[0] = (crank_setting){"rtol", tolerance};
    all[1] = (crank_setting){"atol", tolerance};
    memcpy(all + 2, r->option, (size_t)r->options * sizeof *all);
    o.method = r->method;
    o.options = all;
    o.option_count = r->options + 2;
    o.t_end = t_end;
    if (crank_run_open_model(model, &o, &run, &err) != CRANK_OK)
        stop(&err);
    return run;
}

/* indices of the reference's columns in x */
static int *find_columns(const crank_eom *eom, const reference *exact)
{
    int *column = take(exact->columns, sizeof *column);
    for (int i = 0; i < exact->columns; i++) {
        int j = 0;
        while (j < crank_eom_unknowns(eom) &&
               strcmp(crank_eom_column_name(eom, j), exact->names[i]) != 0)
            j++;
        if (j == crank_eom_unknowns(eom)) {
            fprintf(stderr, "the model has no unknown \"%s\"\n", exact->names[i]);
            exit(1);
        }
        column[i] = j;
    }
    return column;
}

/* exact (count x n): the reference as states of the model, multipliers found */
static double *exact_states(crank_run *run, const reference *exact, const int *column)
{
    crank_eom *eom = crank_run_eom(run);
    const int n = crank_eom_unknowns(eom);
    double *states = numbers(exact->count * n);
    crank_fixing *fixing = take(n, sizeof *fixing);
    crank_initial_options options = crank_initial_options_default();
    options.fixing = fixing;
    options.multipliers = true;
    for (int j = 0; j < n; j++)
        fixing[j] = CRANK_FREE;
    for (int i = 0; i < exact->columns; i++)
        fixing[column[i]] = CRANK_PREFERRED;
    for (int k = 0; k < exact->count; k++) {
        double *x = states + k * n;
        memcpy(x, crank_run_get_beginning(run).given, (size_t)n * sizeof *x);
        for (int i = 0; i < exact->columns; i++)
            x[column[i]] = exact->values[k * exact->columns + i];
        crank_initial_report report;
        crank_error err = {0};
        if (crank_eom_initialize(eom, exact->times[k], x, &options, &report, (crank_log){0},
                                 &err) != CRANK_OK)
            stop(&err);
    }
    free(fixing);
    return states;
}

static void add_errors(crank_eom *eom, const double *x, const double *exact, double error[3])
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(eom);
    const crank_group group[3] = {CRANK_P, CRANK_V, CRANK_LAMBDA};
    const int count[3] = {sizes.p, sizes.v, sizes.lambda + sizes.mu};
    for (int i = 0; i < 3; i++) {
        const int first = crank_eom_column(eom, group[i]);
        error[i] = fmax(error[i], largest_error(x + first, exact + first, count[i]));
    }
}

/* Rows at the times of the reference; returns how many were reached. */
static int advance(crank_run *run, const reference *exact, double *rows, measured *out)
{
    const int n = crank_eom_unknowns(crank_run_eom(run));
    crank_error err = {0};
    crank_status status = CRANK_OK;
    int reached = 0;
    const double begin = processor_seconds();
    while (status == CRANK_OK && reached < exact->count) {
        status = crank_run_advance(run, exact->times[reached], &err);
        memcpy(rows + reached * n, crank_run_state(run), (size_t)n * sizeof *rows);
        reached += status == CRANK_OK;
    }
    out->seconds = fmin(out->seconds, processor_seconds() - begin);
    const crank_statistics statistics = crank_integrator_statistics(crank_run_integrator(run));
    out->steps = (long)statistics.steps;
    out->evaluations = (long)statistics.evaluations;
    snprintf(out->text, sizeof out->text, "%s", status == CRANK_OK ? "" : err.text);
    for (char *c = out->text; *c; c++)
        *c = *c == '"' || *c == '\\' ? '\'' : *c;
    return reached;
}

static int advance_peer(crank_run *run, const request *r, const reference *exact, double *rows,
                        measured *out)
{
    own_run peer = {0};
    crank_error err = {0};
    if (crank_run_start(run, &err) != CRANK_OK)
        stop(&err);
    r->peer(&(own_task){run, r->form, r->rtol, exact->count, exact->times, rows}, &peer);
    out->seconds = fmin(out->seconds, peer.seconds);
    out->steps = peer.steps;
    out->evaluations = peer.evaluations;
    snprintf(out->text, sizeof out->text, "%s", peer.text);
    return peer.reached;
}

static void integrate(const request *r, crank_run *run, const reference *exact,
                      const double *states, measured *out)
{
    crank_eom *eom = crank_run_eom(run);
    const int n = crank_eom_unknowns(eom);
    double *rows = numbers(exact->count * n);
    crank_error err = {0};
    if (crank_run_formulate(run, &err) != CRANK_OK)
        stop(&err);
    const int reached =
        r->peer ? advance_peer(run, r, exact, rows, out) : advance(run, exact, rows, out);
    for (int i = 0; i < 3; i++)
        out->error[i] = reached == exact->count ? 0 : HUGE_VAL;
    for (int i = 0; i < reached; i++)
        add_errors(eom, rows + i * n, states + i * n, out->error);
    free(rows);
}

static void run(const request *r, const reference *exact, measured *out)
{
    crank_model_options reading = crank_model_options_default();
    reading.settings = r->setting;
    reading.setting_count = r->settings;
    reading.compile = r->compile;
    crank_model *model = NULL;
    crank_error err = {0};
    if (crank_model_read(r->model, &reading, &model, &err) != CRANK_OK)
        stop(&err);
    const double t_end = exact->times[exact->count - 1];
    crank_run *first = open_run(r, model, t_end);
    crank_eom *eom = crank_run_eom(first);
    const int n = crank_eom_unknowns(eom);
    int *column = find_columns(eom, exact);
    double *states = exact_states(first, exact, column), *x0 = numbers(n);
    memcpy(x0, crank_run_get_beginning(first).given, (size_t)n * sizeof *x0);
    crank_initial_options initial = crank_initial_options_default();
    initial.fixing = crank_model_fixing(crank_run_model(first));
    initial.multipliers = true;
    crank_initial_report report;
    if (crank_eom_initialize(eom, 0, x0, &initial, &report, (crank_log){0}, &err) != CRANK_OK)
        stop(&err);
    out->seconds = HUGE_VAL;
    const double begin = processor_seconds();
    for (int i = 0; i == 0 || (i < r->repeat && processor_seconds() - begin < LONG); i++) {
        crank_run *run = i == 0 ? first : open_run(r, model, t_end);
        crank_run_set_beginning(run, x0);
        integrate(r, run, exact, states, out);
        crank_run_close(run);
    }
    free(states);
    free(column);
    free(x0);
    crank_model_destroy(model);
}

static void print_number(const char *name, double value)
{
    if (isfinite(value))
        printf("\"%s\": %.6g, ", name, value);
    else
        printf("\"%s\": null, ", name);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--methods") == 0) {
        const char *name, *help;
        for (int i = 0; crank_method_describe(i, &name, &help); i++)
            printf("%s\n", name);
        return 0;
    }
    if (argc < 6) {
        fprintf(stderr, "usage: %s MODEL METHOD RTOL REPEAT REFERENCE [...]\n", argv[0]);
        return 2;
    }
    const request r = read_arguments(argc, argv);
    reference exact = reference_read(argv[5]);
    measured out = {0};
    run(&r, &exact, &out);
    printf("{\"seconds\": %.6g, \"steps\": %ld, \"evaluations\": %ld, ", out.seconds, out.steps,
           out.evaluations);
    print_number("position", out.error[0]);
    print_number("velocity", out.error[1]);
    print_number("multiplier", out.error[2]);
    printf("\"text\": \"%s\"}\n", out.text);
    reference_free(&exact);
    return 0;
}
