/* solve.c - motions in the way of the interpreter's own solvers: rows at times or steps, events
 * beside them, an output function on the way, points within steps for crank_deval. Of model
 * files, of the caller's equations M(t, y) y' = f(t, y) (crank/dae.h), or of equations of motion
 * (crank/motion.h); functions.c asks the caller's functions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- equations of the caller ---- */

static void take_options(const solution *s, crank_run_options *options)
{
    const call *c = s->c;
    *options = crank_run_options_default();
    options->method = text_field(c->request, "method");
    options->t_end = number_field(c->request, "t_end", NAN);
    options->option_count = settings_field(c->request, "options", &options->options);
    options->log = call_log(s->c);
    options->stop = interruption_stop;
    options->events = c->events;
    options->happen = c->happen;
}

static crank_status open_motion(solution *s, crank_error *err)
{
    const mxArray *e = s->equations;
    crank_motion_definition d = crank_motion_definition_default();
    crank_run_options options;
    d.n = s->n = (int)mxGetNumberOfElements(field(e, "p"));
    d.constraints = s->constraints = (int)number_field(e, "constraints", 0.0);
    d.mass_matrix = s->mass != NULL && mxIsDouble(s->mass) ? mxGetPr(s->mass) : NULL;
    d.mass = s->mass != NULL && d.mass_matrix == NULL ? function_mass : NULL;
    d.force = function_force;
    d.constraint = function_constraint;
    d.gradient = s->derivative != NULL ? function_gradient : NULL;
    d.user = s;
    take_options(s, &options);
    crank_status status = crank_motion_create(&d, &s->motion, err);
    if (status == CRANK_OK) {
        status = crank_motion_open(s->motion, number_field(s->c->request, "t_start", 0.0),
                                   mxGetPr(field(e, "p")), mxGetPr(field(e, "v")), &options,
                                   &s->c->run, err);
    }
    return status;
}

static crank_status open_dae(solution *s, crank_error *err)
{
    const mxArray *e = s->equations, *y = field(e, "y");
    crank_dae_definition d = crank_dae_definition_default();
    crank_run_options options;
    d.n = s->n = (int)mxGetNumberOfElements(y);
    d.evaluate = function_evaluate;
    d.mass_matrix = s->mass != NULL && mxIsDouble(s->mass) ? mxGetPr(s->mass) : NULL;
    d.mass = s->mass != NULL && d.mass_matrix == NULL ? function_dae_mass : NULL;
    d.jacobian = s->derivative != NULL ? function_jacobian : NULL;
    d.rtol = number_field(e, "rtol", d.rtol);
    d.atol = mxGetPr(field(e, "atol"));
    d.user = s;
    take_options(s, &options);
    crank_status status =
        crank_dae_create(&d, number_field(s->c->request, "t_start", 0.0), options.t_end,
                         mxGetPr(y), options.log, &s->dae, err);
    if (status == CRANK_OK) {
        status = crank_dae_open(s->dae, &options, &s->c->run, err);
    }
    if (status == CRANK_OK) {
        const crank_dae_report *r = crank_dae_get_report(s->dae);
        answer_number(s->c, "index", r->index);
        answer_set(s->c, "consistent", mxCreateLogicalScalar(r->consistent));
    }
    return status;
}

double solution_time(const solution *s, double t)
{
    return s->dae != NULL ? crank_dae_time(s->dae, t) : t;
}

/* ---- rows and events ---- */

/* t, the values that a row has, and the number of an event */
static crank_status store(solution *s, rows *r, int number, crank_error *err)
{
    const size_t width = (size_t)s->columns + 2;
    const double *values =
        s->equations != NULL ? crank_run_state(s->c->run) : crank_run_values(s->c->run, err);
    if (values == NULL) {
        return err->status;
    }
    if (r->count == r->room) {
        const size_t more = 2 * r->room + 64;
        double *longer = realloc(r->values, more * width * sizeof *longer);
        if (longer == NULL) {
            return crank_fail(err, CRANK_EMEM, "rows");
        }
        r->values = longer;
        r->room = more;
    }
    double *row = r->values + r->count++ * width;
    row[0] = solution_time(s, crank_run_time(s->c->run));
    solution_values(s, values, row + 1);
    row[width - 1] = number;
    return CRANK_OK;
}

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    const mxArray *output = field(s->c->request, "output");
    const crank_status status = store(s, &s->rows, 0, err);
    (void)run;
    if (status != CRANK_OK || output == NULL) {
        return status;
    }
    const double *row = s->rows.values + (s->rows.count - 1) * ((size_t)s->columns + 2);
    mxArray *in[4] = {NULL, mxCreateDoubleScalar(row[0]), matrix_of(s->columns, 1, row + 1),
                      mxCreateString("")};
    mxArray *value = NULL;
    if (!guarded(s->c, 4, in, output, &value)) {
        return crank_fail(err, CRANK_ESTOP_OUTPUT, "the output function failed");
    }
    s->stopped = !mxIsEmpty(value) && mxGetScalar(value) != 0.0;
    mxDestroyArray(value);
    return s->stopped ? crank_fail(err, CRANK_ESTOP_OUTPUT, "stopped by the output function")
                      : CRANK_OK;
}

static crank_status note_begin(crank_run *run, void *user, crank_error *err)
{
    (void)err;
    ((solution *)user)->begin = crank_run_reached(run);
    return CRANK_OK;
}

static crank_status take_point(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    (void)run;
    return store(s, &s->between, 0, err);
}

static crank_status take_between(crank_run *run, void *user, crank_error *err)
{
    const solution *s = user;
    return s->dense ? crank_run_sample(run, s->begin, take_point, user, err) : CRANK_OK;
}

/* The model's events, and the caller's, which have the first numbers. */
static crank_status take_event(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    crank_event_outcome outcome;
    crank_state *state = crank_run_model_state(run);
    const int own = state != NULL ? crank_state_events(state).count : 0;
    const int count = own + s->watched.count;
    const signed char *happened = crank_integrator_events(crank_run_integrator(run));
    crank_status status = crank_run_look(run, crank_run_reached(run), err);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        if (happened != NULL && happened[i] != 0) {
            const int number = 1 + (i < own ? i + s->watched.count : i - own);
            status = store(s, &s->events, number, err);
        }
    }
    return status == CRANK_OK ? crank_run_happen(run, &outcome, err) : status;
}

/* ---- the call ---- */

static mxArray *matrix_of_rows(const solution *s, const rows *r)
{
    const size_t width = (size_t)s->columns + 2, count = r->count;
    mxArray *matrix = mxCreateDoubleMatrix((mwSize)count, (mwSize)width, mxREAL);
    double *to = mxGetPr(matrix);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < width; j++) {
            to[i + j * count] = r->values[i * width + j];
        }
    }
    return matrix;
}

static mxArray *names_of(const solution *s)
{
    mxArray *names = mxCreateCellMatrix(1, (mwSize)s->columns);
    for (int i = 0; i < s->columns; i++) {
        const int from = s->motion == NULL ? i
                         : i < s->n        ? s->constraints + s->n + i
                         : i < 2 * s->n    ? s->constraints + i - s->n
                                           : i - 2 * s->n;
        mxSetCell(names, (mwIndex)i, mxCreateString(crank_run_column_name(s->c->run, from)));
    }
    return names;
}

static crank_status go(solution *s, crank_error *err)
{
    call *c = s->c;
    const mxArray *times = field(c->request, "times");
    const crank_run_visitor visitor = {.before = note_begin,
                                       .after = take_between,
                                       .row = take_row,
                                       .event = take_event,
                                       .user = s};
    crank_run_rows due = {.steps = times == NULL};
    crank_status status = s->dae == NULL ? crank_run_initialize(c->run, err) : CRANK_OK;
    if (times != NULL) {
        due.times = mxGetPr(times);
        due.count = (int64_t)mxGetNumberOfElements(times);
    }
    s->columns = s->motion != NULL ? 2 * s->n + s->constraints
                 : s->dae != NULL  ? s->n
                                   : crank_run_column_count(c->run);
    if (status == CRANK_OK) {
        status = crank_run_visit(c->run, &due, &visitor, err);
    }
    const size_t width = (size_t)s->columns + 2;
    if (status == CRANK_OK && crank_run_stopped(c->run) && s->rows.count > 0 &&
        s->rows.values[(s->rows.count - 1) * width] !=
            solution_time(s, crank_run_time(c->run))) {
        status = take_row(c->run, s, err); /* where an event has stopped it */
    }
    answer_set(c, "names", names_of(s));
    answer_set(c, "rows", matrix_of_rows(s, &s->rows));
    answer_set(c, "events", matrix_of_rows(s, &s->events));
    answer_set(c, "between", matrix_of_rows(s, &s->between));
    answer_number(c, "points", CRANK_STEP_POINTS);
    answer_number(c, "constraints", s->constraints);
    answer_text(c, "method", crank_run_get_method(c->run).name);
    return s->stopped && c->thrown == NULL ? CRANK_OK : status; /* as asked for */
}

crank_status command_solve(call *c, crank_error *err)
{
    solution s = {.c = c,
                  .equations = field(c->request, "equations"),
                  .dense = flag_field(c->request, "dense")};
    s.function = field(s.equations, "f");
    s.mass = field(s.equations, "M");
    s.constraint = field(s.equations, "g");
    s.derivative = field(s.equations, "G");
    solution_watch(&s);
    crank_status status = s.equations == NULL               ? open_run(c, err)
                          : field(s.equations, "y") != NULL ? open_dae(&s, err)
                                                            : open_motion(&s, err);
    if (status == CRANK_OK) {
        status = go(&s, err);
    }
    if (status != CRANK_OK && c->thrown == NULL && s.wrong[0] != '\0') {
        (void)crank_fail(err, status, "%s", s.wrong);
    }
    crank_run_close(c->run);
    c->run = NULL;
    crank_dae_destroy(s.dae);
    crank_motion_destroy(s.motion);
    free(s.rows.values);
    free(s.events.values);
    free(s.between.values);
    return status;
}

/* request: between (rows of one step: t and values), t (times): values there, a column each */
crank_status command_between(call *c, crank_error *err)
{
    const mxArray *times = field(c->request, "times"), *values = field(c->request, "values"),
                  *at = field(c->request, "at");
    (void)err;
    const int n = (int)(mxGetNumberOfElements(values) / CRANK_STEP_POINTS);
    const size_t count = mxGetNumberOfElements(at);
    mxArray *out = mxCreateDoubleMatrix((mwSize)n, (mwSize)count, mxREAL);
    for (size_t i = 0; i < count; i++) {
        crank_between(n, mxGetPr(times), mxGetPr(values), mxGetPr(at)[i],
                      mxGetPr(out) + i * (size_t)n);
    }
    answer_set(c, "values", out);
    return CRANK_OK;
}
