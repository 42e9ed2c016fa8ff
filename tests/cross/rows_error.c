/* rows_error.c - how accurate rows between steps are, beside the steps: for check_rows.py.
 *
 *     rows_error MODEL METHOD TOLERANCE REFERENCE T_END [NAME=VALUE ...]
 *
 * Runs the model by METHOD with rtol = atol = TOLERANCE, and beside it a second copy by the method REFERENCE
 * with a thousandth of it. At every step end, and at places between, both are compared in all columns of the model:
 *
 *     error = |x - reference| / (1 + largest |reference| of the column)
 *
 * Prints a line per kind of column: its name, the largest error at steps, the largest between, the column of the
 * latter and the time. Kinds are the groups of unknowns (p, v, r, s, w, lambda, mu) and, of outputs, their units.
 * Multipliers that are not unique are left out. NAME=VALUE are options of both runs. Exit status 1: a run failed; 3: the
 * method refuses the model. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double inside[] = {1e-4, 0.04, 0.25, 0.5, 0.75, 0.96};
enum { INSIDE = sizeof inside / sizeof *inside };
static const double tighter = 1e-3;

typedef struct run {
    crank_model *model;
    crank_problem *problem;
    crank_integrator *it;
    double *x, *columns;
    int events; /* so far */
    bool ended;
} run;

typedef struct column {
    const char *name;
    char kind[24];
    bool unique;
    double size;              /* largest reference */
    double at_steps, between; /* largest differences */
    double when;              /* of the latter */
} column;

static crank_status set_up(run *r, const char *path, const char *method, double tolerance,
                           double t_end, char **settings, crank_error *err)
{
    const crank_model_options options = crank_model_options_default();
    const crank_log silent = {0};
    const char *formulation = NULL, *integrator = NULL;
    crank_options o = crank_options_default();
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    crank_status status = crank_model_read(path, &options, &r->model, err);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_simulate *simulate = crank_model_simulate(r->model);
    const double t = simulate->t_start;
    crank_eom *eom = crank_model_eom(r->model);
    const size_t n = (size_t)crank_eom_unknowns(eom),
                 columns = (size_t)crank_model_column_count(r->model);
    r->x = malloc(n * sizeof *r->x);
    r->columns = malloc(columns * sizeof *r->columns);
    if (r->x == NULL || r->columns == NULL) {
        return crank_fail(err, CRANK_EMEM, "rows");
    }
    memcpy(r->x, crank_model_start(r->model), n * sizeof *r->x);
    status = crank_method_resolve(method, &formulation, &integrator, &o, err);
    for (int i = 0; i < simulate->option_count && status == CRANK_OK; i++) {
        const crank_setting *option = &simulate->options[i];
        if (strncmp(option->name, "atol", 4) != 0 && strcmp(option->name, "singular") != 0) {
            status = crank_options_set(&o, option->name, option->value, err);
        }
    }
    for (char **s = settings; *s != NULL && status == CRANK_OK; s++) {
        char name[64] = "";
        const char *value = strchr(*s, '=');
        if (value != NULL) {
            (void)snprintf(name, sizeof name, "%.*s", (int)(value - *s), *s);
        }
        status = crank_options_set(&o, name, value != NULL ? value + 1 : "", err);
    }
    o.rtol = o.atol = tolerance;
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
    return status == CRANK_OK ? crank_integrator_start(r->it, t, r->x, t_end, err) : status;
}

static void tear_down(run *r)
{
    crank_integrator_destroy(r->it);
    crank_problem_destroy(r->problem);
    crank_model_destroy(r->model);
    free(r->x);
    free(r->columns);
}

/* one step; before it, what the file says about events at its beginning */
static crank_status step(run *r, crank_error *err)
{
    const signed char *happened = crank_integrator_events(r->it);
    crank_event_outcome outcome = {0};
    crank_status status = CRANK_OK;
    if (happened != NULL) {
        const double t = crank_integrator_time(r->it);
        memcpy(r->x, crank_integrator_state(r->it),
               (size_t)crank_eom_unknowns(crank_model_eom(r->model)) * sizeof *r->x);
        status = crank_model_apply_events(r->model, happened, t, r->x, &outcome, err);
        r->events++;
    }
    if (status == CRANK_OK && outcome.changed) {
        status = crank_integrator_restart(r->it, r->x, err);
    }
    r->ended = outcome.stop;
    return status == CRANK_OK && !r->ended ? crank_integrator_step(r->it, err) : status;
}

static crank_status row(run *r, double t, crank_error *err)
{
    const crank_status status = crank_integrator_interpolate(r->it, t, r->x, err);
    return status == CRANK_OK ? crank_model_columns(r->model, t, r->x, r->columns, err)
                              : status;
}

/* Differences at t, which lies in the last step of a. Between an event of the one and the same event of the other there
 * is nothing to compare. */
static crank_status compare(run *a, run *b, double t, bool at_step, column *c, crank_error *err)
{
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && crank_integrator_time(b->it) < t && !b->ended) {
        status = step(b, err);
    }
    if (status != CRANK_OK || b->ended || a->events != b->events) {
        return status;
    }
    status = row(a, t, err);
    if (status == CRANK_OK) {
        status = row(b, t, err);
    }
    for (int j = 0; j < crank_model_column_count(a->model) && status == CRANK_OK; j++) {
        const double difference = fabs(a->columns[j] - b->columns[j]);
        c[j].size = fmax(c[j].size, fabs(b->columns[j]));
        double *largest = at_step ? &c[j].at_steps : &c[j].between;
        if (!(difference <= *largest)) {
            *largest = difference;
            c[j].when = at_step ? c[j].when : t;
        }
    }
    return status;
}

static void name_kinds(const run *r, column *c)
{
    static const char *const group[CRANK_GROUPS] = {
        [CRANK_P] = "p", [CRANK_V] = "v",           [CRANK_R] = "r",  [CRANK_S] = "s",
        [CRANK_W] = "w", [CRANK_LAMBDA] = "lambda", [CRANK_MU] = "mu"};
    const crank_problem *p = r->problem;
    const crank_eom *eom = crank_model_eom(r->model);
    for (int i = 0; i < crank_model_column_count(r->model); i++) {
        const char *unit = crank_model_column_unit(r->model, i);
        c[i].name = crank_model_column_name(r->model, i);
        c[i].unique = true;
        (void)snprintf(c[i].kind, sizeof c[i].kind, "%s", unit[0] != '\0' ? unit : "-");
        for (int j = 0; j < crank_eom_unknowns(eom); j++) {
            if (strcmp(c[i].name, crank_eom_column_name(eom, j)) == 0) {
                (void)snprintf(c[i].kind, sizeof c[i].kind, "%s", group[p->group[j]]);
                c[i].unique = p->held == NULL || !p->held[j];
            }
        }
    }
}

static void print(const run *r, const column *c)
{
    const int count = crank_model_column_count(r->model);
    for (int i = 0; i < count; i++) {
        double at_steps = 0.0, between = 0.0;
        int worst = i;
        bool first = c[i].unique;
        for (int j = 0; j < count && first; j++) {
            if (!c[j].unique || strcmp(c[j].kind, c[i].kind) != 0) {
                continue;
            }
            first = j >= i;
            at_steps = fmax(at_steps, c[j].at_steps / (1.0 + c[j].size));
            if (!(c[j].between / (1.0 + c[j].size) <= between)) {
                between = c[j].between / (1.0 + c[j].size);
                worst = j;
            }
        }
        if (first) {
            (void)printf("%s\t%.4e\t%.4e\t%s\t%.12g\n", c[i].kind, at_steps, between,
                         c[worst].name, c[worst].when);
        }
    }
}

static crank_status measure(run *a, run *b, column *c, crank_error *err)
{
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && !crank_integrator_finished(a->it)) {
        status = step(a, err);
        if (status != CRANK_OK || a->ended) {
            return status;
        }
        const double t = crank_integrator_time(a->it), h = crank_integrator_last_step(a->it);
        for (int i = 0; i < INSIDE && status == CRANK_OK; i++) {
            status = compare(a, b, t - h * (1.0 - inside[i]), false, c, err);
        }
        status = status == CRANK_OK ? compare(a, b, t, true, c, err) : status;
    }
    return status;
}

int main(int argc, char **argv)
{
    run a = {0}, b = {0};
    crank_error err = {0};
    if (argc < 6) {
        (void)fprintf(stderr, "usage: rows_error MODEL METHOD TOLERANCE REFERENCE T_END "
                              "[NAME=VALUE ...]\n");
        return 2;
    }
    const double tolerance = strtod(argv[3], NULL), t_end = strtod(argv[5], NULL);
    crank_status status = set_up(&a, argv[1], argv[2], tolerance, t_end, argv + 6, &err);
    column *c = NULL;
    if (status == CRANK_OK) {
        status = set_up(&b, argv[1], argv[4], tighter * tolerance, t_end, argv + 6, &err);
    }
    if (status == CRANK_OK) {
        c = calloc((size_t)crank_model_column_count(a.model), sizeof *c);
        status = c == NULL ? CRANK_EMEM : CRANK_OK;
    }
    if (status == CRANK_OK) {
        name_kinds(&a, c);
        status = measure(&a, &b, c, &err);
        print(&a, c);
        (void)printf("steps %lld\n", (long long)crank_integrator_statistics(a.it).steps);
    }
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s by %s: %s\n", argv[1], argv[2], err.text);
    }
    free(c);
    tear_down(&a);
    tear_down(&b);
    return status == CRANK_OK ? 0 : status == CRANK_EREFUSED ? 3 : 1;
}
