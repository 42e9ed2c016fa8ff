/* rows_error.c - how accurate rows between steps are, beside the steps: for check_rows.py.
 *
 *     rows_error MODEL METHOD TOLERANCE REFERENCE T_END [NAME=VALUE ...]
 *
 * Runs the model by METHOD with rtol = atol = TOLERANCE, and beside it a second copy by the
 * method REFERENCE with a thousandth of it. At every step end, and at places between, both are
 * compared in all columns of the model:
 *
 *     error = |x - reference| / (1 + largest |reference| of the column)
 *
 * Prints a line per kind of column: its name, the largest error at steps, the largest between,
 * the column of the latter and the time. Kinds are the groups of unknowns (p, v, r, s, w,
 * lambda, mu) and, of outputs, their units. Multipliers that are not unique are left out, and
 * flags that say which are: one within the tolerance of its change may be the other.
 * NAME=VALUE are options of both runs. Exit status 1: a run failed; 3: the method refuses the
 * model. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include <crank/crank.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double inside[] = {1e-4, 0.04, 0.25, 0.5, 0.75, 0.96};
enum { INSIDE = sizeof inside / sizeof *inside };
static const double tighter = 1e-3;

typedef struct run {
    crank_run *run;
    crank_integrator *it;
    double *columns;
    int events; /* so far */
} run;

typedef struct column {
    const char *name;
    char kind[24];
    bool unique;
    double size;              /* largest reference */
    double at_steps, between; /* largest differences */
    double when;              /* of the latter */
} column;

/* what the file says of tolerances and singular positions does not count */
static crank_status set_options(crank_options *o, double tolerance, char **settings,
                                crank_error *err)
{
    static const char *const kinds[] = {"p",      "v",     "r",      "w",     "s",
                                        "lambda", "mu",    "length", "angle", "speed",
                                        "spin",   "force", "torque", "energy"};
    char name[64];
    crank_status status = CRANK_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == CRANK_OK; i++) {
        (void)snprintf(name, sizeof name, "atol_%s", kinds[i]);
        status = crank_options_set(o, name, "0", err);
    }
    o->rtol = o->atol = tolerance;
    o->singular = CRANK_SINGULAR_STOP;
    for (char **s = settings; *s != NULL && status == CRANK_OK; s++) {
        const char *value = strchr(*s, '=');
        (void)snprintf(name, sizeof name, "%.*s", value != NULL ? (int)(value - *s) : 0, *s);
        status = crank_options_set(o, name, value != NULL ? value + 1 : "", err);
    }
    return status;
}

static crank_status set_up(run *r, const char *path, const char *method, double tolerance,
                           double t_end, char **settings, crank_error *err)
{
    crank_run_options options = crank_run_options_default();
    options.method = method;
    options.t_end = t_end;
    crank_status status = crank_run_open(path, &options, &r->run, err);
    if (status == CRANK_OK) {
        status = set_options(crank_run_settled(r->run), tolerance, settings, err);
    }
    if (status == CRANK_OK) {
        status = crank_run_start(r->run, err);
    }
    if (status == CRANK_OK) {
        r->it = crank_run_integrator(r->run);
        r->columns = malloc((size_t)crank_run_column_count(r->run) * sizeof *r->columns);
        status = r->columns == NULL ? CRANK_EMEM : CRANK_OK;
    }
    return status;
}

static void tear_down(run *r)
{
    crank_run_close(r->run);
    free(r->columns);
}

/* one step; before it, what the file says about events at its beginning */
static crank_status step(run *r, crank_error *err)
{
    crank_event_outcome outcome = {0};
    crank_status status = CRANK_OK;
    if (crank_run_happened(r->run)) {
        status = crank_run_happen(r->run, &outcome, err);
        r->events++;
    }
    return status == CRANK_OK ? crank_run_step(r->run, err) : status;
}

static crank_status row(run *r, double t, crank_error *err)
{
    const crank_status status = crank_run_look(r->run, t, err);
    const double *values = status == CRANK_OK ? crank_run_values(r->run, err) : NULL;
    if (values != NULL) {
        memcpy(r->columns, values, (size_t)crank_run_column_count(r->run) * sizeof *values);
    }
    return status == CRANK_OK && values == NULL ? CRANK_ESTOP_EQUATIONS : status;
}

/* Differences at t, which lies in the last step of a. Between an event of the one and the same
 * event of the other there is nothing to compare. */
static crank_status compare(run *a, run *b, double t, bool at_step, column *c, crank_error *err)
{
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && crank_integrator_time(b->it) < t &&
           !crank_run_stopped(b->run)) {
        status = step(b, err);
    }
    if (status != CRANK_OK || crank_run_stopped(b->run) || a->events != b->events) {
        return status;
    }
    status = row(a, t, err);
    if (status == CRANK_OK) {
        status = row(b, t, err);
    }
    for (int j = 0; j < crank_run_column_count(a->run) && status == CRANK_OK; j++) {
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
    const crank_model *model = crank_run_model(r->run);
    const crank_eom *eom = crank_run_eom(r->run);
    const crank_problem *p = crank_run_problem(r->run);
    for (int i = 0; i < crank_run_column_count(r->run); i++) {
        const char *unit = crank_model_column_unit(model, i);
        c[i].name = crank_run_column_name(r->run, i);
        c[i].unique = strstr(c[i].name, ".unique.") == NULL;
        (void)snprintf(c[i].kind, sizeof c[i].kind, "%s", unit[0] != '\0' ? unit : "-");
        for (int j = 0; j < crank_eom_unknowns(eom); j++) {
            if (strcmp(c[i].name, crank_eom_column_name(eom, j)) == 0) {
                (void)snprintf(c[i].kind, sizeof c[i].kind, "%s", group[p->group[j]]);
                c[i].unique = p->held == NULL || !p->held[j];
            }
        }
    }
}

/* Components of a vector have its size: what is judged does not depend on axes. */
static void share_sizes(int count, column *c)
{
    for (int i = 0; i + 2 < count; i++) {
        const size_t length = strlen(c[i].name);
        const bool vector = length > 1 && c[i].name[length - 1] == 'x' &&
                            strncmp(c[i + 1].name, c[i].name, length - 1) == 0 &&
                            strcmp(c[i + 1].name + length - 1, "y") == 0 &&
                            strncmp(c[i + 2].name, c[i].name, length - 1) == 0 &&
                            strcmp(c[i + 2].name + length - 1, "z") == 0;
        if (vector) {
            const double size = fmax(c[i].size, fmax(c[i + 1].size, c[i + 2].size));
            c[i].size = c[i + 1].size = c[i + 2].size = size;
        }
    }
}

static void print(const run *r, column *c)
{
    const int count = crank_run_column_count(r->run);
    share_sizes(count, c);
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
        if (status != CRANK_OK || crank_run_stopped(a->run)) {
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
        c = calloc((size_t)crank_run_column_count(a.run), sizeof *c);
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
