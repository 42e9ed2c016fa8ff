/* solve.c - motions in the way of the interpreter's own solvers: rows at times or steps, events
 * beside them, the caller's among these, an output function on the way; of model files, or of equations of motion that the
 * caller's functions evaluate:
 *
 *     p' = v,  M(t, p, v) v' = f(t, p, v) - G^T lambda,  0 = g(t, p),  G = dg/dp             */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct solution {
    call *c;
    /* equations of the caller */
    const mxArray *equations, *M, *f, *g, *G;
    int n, constraints;
    crank_eom *eom;
    char wrong[100]; /* what the first wrong value was */
    /* events of the caller: a function of (t, y) */
    const mxArray *watch;
    crank_events watched;
    const double *terminal;
    double *y; /* its argument */
    /* rows and events: t, then the values; of events also the number, at last */
    int columns;
    double *rows, *events;
    size_t row_count, row_room, event_count, event_room;
} solution;

/* ---- functions of the caller ---- */

/* function(in[1], ...) through crank_guard; what it throws is kept: false. in is freed but for the
 * function. */
static bool guarded(call *c, int count, mxArray **in, const mxArray *function, mxArray **value)
{
    mxArray *out[2] = {NULL, NULL};
    in[0] = mxDuplicateArray(function);
    const bool failed =
        mexCallMATLAB(2, out, count, in, "crank_guard") != 0 || !mxIsEmpty(out[1]);
    if (failed && c->thrown == NULL) {
        c->thrown = out[1];
    } else {
        mxDestroyArray(out[1]);
    }
    for (int i = 0; i < count; i++) {
        mxDestroyArray(in[i]);
    }
    *value = out[0];
    return !failed;
}

/* out (count) = function(t, a, b); b: NULL is left out. */
static crank_status ask(solution *s, const mxArray *function, double t, const double *a,
                        const double *b, int count, double *out)
{
    mxArray *in[4] = {NULL, mxCreateDoubleScalar(t), matrix_of(s->n, 1, a),
                      b != NULL ? matrix_of(s->n, 1, b) : NULL};
    mxArray *value = NULL;
    if (!guarded(s->c, b != NULL ? 4 : 3, in, function, &value)) {
        return CRANK_ESTOP_EQUATIONS;
    }
    const size_t found =
        mxIsDouble(value) && !mxIsComplex(value) ? (size_t)mxGetNumberOfElements(value) : 0;
    if (found == (size_t)count) {
        memcpy(out, mxGetPr(value), found * sizeof *out);
    } else if (s->wrong[0] == '\0') {
        (void)snprintf(s->wrong, sizeof s->wrong,
                       "a function returned %zu real numbers where %d are needed", found,
                       count);
    }
    mxDestroyArray(value);
    return found == (size_t)count ? CRANK_OK : CRANK_ESTOP_EQUATIONS;
}

/* G by central differences of g where the caller has none: column by column */
static crank_status gradient(solution *s, double t, const double *p, double *out)
{
    const size_t n = (size_t)s->n, m = (size_t)s->constraints;
    if (s->G != NULL) {
        return ask(s, s->G, t, p, NULL, s->n * s->constraints, out);
    }
    double *q = mxCalloc(n + 2 * m, sizeof *q), *ahead = q + n, *behind = ahead + m;
    crank_status status = CRANK_OK;
    memcpy(q, p, n * sizeof *q);
    for (size_t j = 0; j < n && status == CRANK_OK; j++) {
        const double step = 6e-6 * (1.0 + fabs(p[j]));
        q[j] = p[j] + step;
        status = ask(s, s->g, t, q, NULL, s->constraints, ahead);
        q[j] = p[j] - step;
        if (status == CRANK_OK) {
            status = ask(s, s->g, t, q, NULL, s->constraints, behind);
        }
        q[j] = p[j];
        for (size_t i = 0; i < m; i++) {
            out[i + j * m] = (ahead[i] - behind[i]) / (2.0 * step);
        }
    }
    mxFree(q);
    return status;
}

/* x = [lambda v p], k = [.. g .. f_dyn f_kin] */
static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    solution *s = user;
    const int n = s->n, m = s->constraints;
    const double *lambda = x, *v = x + m, *p = v + n;
    double *force = k + crank_eom_row(s->eom, CRANK_ROW_DYN);
    crank_status status = ask(s, s->f, t, p, v, n, force);
    memcpy(k + crank_eom_row(s->eom, CRANK_ROW_KIN), v, (size_t)n * sizeof *k);
    if (status != CRANK_OK || m == 0) {
        return status;
    }
    double *G = mxCalloc((size_t)n * (size_t)m, sizeof *G);
    status = ask(s, s->g, t, p, NULL, m, k + crank_eom_row(s->eom, CRANK_ROW_G));
    if (status == CRANK_OK) {
        status = gradient(s, t, p, G);
    }
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        for (int i = 0; i < m; i++) {
            force[j] -= G[i + j * m] * lambda[i];
        }
    }
    mxFree(G);
    return status;
}

static crank_status evaluate_mass(double t, const double *x, double *values, void *user)
{
    solution *s = user;
    const double *v = x + s->constraints, *p = v + s->n;
    if (mxIsDouble(s->M)) {
        memcpy(values, mxGetPr(s->M), (size_t)s->n * (size_t)s->n * sizeof *values);
        return CRANK_OK;
    }
    return ask(s, s->M, t, p, v, s->n * s->n, values);
}

static crank_status open_equations(solution *s, crank_error *err)
{
    const mxArray *e = s->equations, *p = field(e, "p"), *v = field(e, "v");
    crank_eom_definition d = crank_eom_definition_default();
    crank_run_options options = crank_run_options_default();
    call *c = s->c;
    s->M = field(e, "M");
    s->f = field(e, "f");
    s->g = field(e, "g");
    s->G = field(e, "G");
    s->n = (int)mxGetNumberOfElements(p);
    s->constraints = (int)number_field(e, "constraints", 0.0);
    d.sizes = (crank_eom_sizes){.p = s->n, .v = s->n, .lambda = s->constraints};
    d.levels = CRANK_LEVELS_POSITION;
    d.evaluate = evaluate;
    d.mass = s->M != NULL ? evaluate_mass : NULL;
    d.mass_kind = s->M != NULL && mxIsDouble(s->M) ? CRANK_MASS_FULL_CONSTANT : CRANK_MASS_FULL;
    d.user = s;
    crank_status status = crank_eom_create(&d, (crank_log){0}, &s->eom, err);
    if (status != CRANK_OK) {
        return status;
    }
    double *x = mxCalloc((size_t)(2 * s->n + s->constraints), sizeof *x);
    memcpy(x + s->constraints, mxGetPr(v), (size_t)s->n * sizeof *x);
    memcpy(x + s->constraints + s->n, mxGetPr(p), (size_t)s->n * sizeof *x);
    options.method = text_field(c->request, "method");
    options.t_end = number_field(c->request, "t_end", NAN);
    options.option_count = settings_field(c->request, "options", &options.options);
    options.stop = interruption_stop;
    options.events = c->events;
    options.happen = c->happen;
    return crank_run_open_eom(s->eom, number_field(c->request, "t_start", 0.0), x, &options,
                              &c->run, err);
}

/* ---- rows and events ---- */

static crank_status store(double **rows, size_t *count, size_t *room, const double *values,
                          int columns, crank_error *err)
{
    if (*count == *room) {
        const size_t more = 2 * *room + 64;
        double *longer = realloc(*rows, more * (size_t)columns * sizeof *longer);
        if (longer == NULL) {
            return crank_fail(err, CRANK_EMEM, "rows");
        }
        *rows = longer;
        *room = more;
    }
    memcpy(*rows + *count * (size_t)columns, values, (size_t)columns * sizeof *values);
    *count += 1;
    return CRANK_OK;
}

/* The values of a row: of equations the unknowns. */
static const double *present(const solution *s, crank_error *err)
{
    return s->eom != NULL ? crank_run_state(s->c->run) : crank_run_values(s->c->run, err);
}

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    const mxArray *output = field(s->c->request, "output");
    const double *values = present(s, err);
    if (values == NULL) {
        return err->status;
    }
    double *row = mxCalloc((size_t)s->columns + 1, sizeof *row);
    row[0] = crank_run_time(run);
    memcpy(row + 1, values, (size_t)s->columns * sizeof *row);
    crank_status status =
        store(&s->rows, &s->row_count, &s->row_room, row, s->columns + 1, err);
    if (status == CRANK_OK && output != NULL) {
        mxArray *in[4] = {NULL, mxCreateDoubleScalar(row[0]), matrix_of(s->columns, 1, row + 1),
                          mxCreateString("")};
        mxArray *value = NULL;
        if (!guarded(s->c, 4, in, output, &value)) {
            status = crank_fail(err, CRANK_ESTOP_OUTPUT, "the output function failed");
        } else if (!mxIsEmpty(value) && mxGetScalar(value) != 0.0) {
            status = crank_fail(err, CRANK_ESTOP_OUTPUT, "stopped by the output function");
        }
    }
    mxFree(row);
    return status;
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
    const double *values = status == CRANK_OK ? present(s, err) : NULL;
    double *row = mxCalloc((size_t)s->columns + 2, sizeof *row);
    row[0] = crank_run_time(run);
    for (int i = 0; i < count && values != NULL && status == CRANK_OK; i++) {
        if (happened != NULL && happened[i] != 0) {
            memcpy(row + 1, values, (size_t)s->columns * sizeof *row);
            row[s->columns + 1] = 1.0 + (i < own ? i + s->watched.count : i - own);
            status =
                store(&s->events, &s->event_count, &s->event_room, row, s->columns + 2, err);
        }
    }
    mxFree(row);
    if (values == NULL && status == CRANK_OK) {
        return err->status;
    }
    return status == CRANK_OK ? crank_run_happen(run, &outcome, err) : status;
}

/* ---- events of the caller ---- */

/* values = watch(t, y); y: the columns of a model, or [p; v] */
static crank_status evaluate_events(void *user, double t, const double *x, double *values,
                                    crank_error *err)
{
    solution *s = user;
    crank_run *run = s->c->run;
    const int size = s->eom != NULL ? 2 * s->n : crank_run_column_count(run);
    mxArray *value = NULL;
    if (s->y == NULL) {
        s->y = mxCalloc((size_t)size + 1, sizeof *s->y);
    }
    if (s->eom != NULL) {
        memcpy(s->y, x + s->constraints + s->n, (size_t)s->n * sizeof *x);
        memcpy(s->y + s->n, x + s->constraints, (size_t)s->n * sizeof *x);
    } else {
        const crank_status status =
            crank_state_columns(crank_run_model_state(run), t, x, s->y, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    mxArray *in[3] = {NULL, mxCreateDoubleScalar(t), matrix_of(size, 1, s->y)};
    if (!guarded(s->c, 3, in, s->watch, &value)) {
        return crank_fail(err, CRANK_ESTOP_EQUATIONS, "the event function failed");
    }
    const size_t count = (size_t)s->watched.count;
    const size_t found =
        mxIsDouble(value) && !mxIsComplex(value) ? mxGetNumberOfElements(value) : 0;
    if (found == count) {
        memcpy(values, mxGetPr(value), count * sizeof *values);
    } else if (s->wrong[0] == '\0') {
        (void)snprintf(s->wrong, sizeof s->wrong,
                       "the event function returned %zu real numbers where %zu are needed",
                       found, count);
    }
    mxDestroyArray(value);
    return found == count ? CRANK_OK : crank_fail(err, CRANK_ESTOP_EQUATIONS, "%s", s->wrong);
}

static crank_status happen(void *user, const signed char *happened, double t, const double *x,
                           bool *stop, crank_error *err)
{
    const solution *s = user;
    (void)t;
    (void)x;
    (void)err;
    for (int i = 0; i < s->watched.count; i++) {
        *stop = *stop || (happened[i] != 0 && s->terminal[i] != 0.0);
    }
    return CRANK_OK;
}

/* request.watch: a function; request.watch_direction, watch_terminal: as many numbers as it has
 * values. */
static void watch_events(solution *s)
{
    const mxArray *request = s->c->request, *direction = field(request, "watch_direction");
    s->watch = field(request, "watch");
    if (s->watch == NULL) {
        return;
    }
    const size_t count = mxGetNumberOfElements(direction);
    const char **name = mxCalloc(count + 1, sizeof *name);
    signed char *sense = mxCalloc(count + 1, sizeof *sense);
    for (size_t i = 0; i < count; i++) {
        const double d = mxGetPr(direction)[i];
        name[i] = "Events";
        sense[i] = (signed char)((d > 0.0) - (d < 0.0));
    }
    s->terminal = mxGetPr(field(request, "watch_terminal"));
    s->watched = (crank_events){(int)count, evaluate_events, name, sense, NULL, s};
    s->c->events = &s->watched;
    s->c->happen = happen;
}

/* rows x columns, from rows one after the other */
static mxArray *transposed(size_t rows, int columns, const double *values)
{
    mxArray *matrix = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
    double *to = mxGetPr(matrix);
    for (size_t i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            to[i + (size_t)j * rows] = values[i * (size_t)columns + (size_t)j];
        }
    }
    return matrix;
}

static crank_status go(solution *s, crank_error *err)
{
    call *c = s->c;
    const mxArray *times = field(c->request, "times");
    const crank_run_visitor visitor = {.row = take_row, .event = take_event, .user = s};
    crank_run_rows rows = {.steps = times == NULL};
    crank_status status = crank_run_initialize(c->run, err);
    if (times != NULL) {
        rows.times = mxGetPr(times);
        rows.count = (int64_t)mxGetNumberOfElements(times);
    }
    s->columns = s->eom != NULL ? crank_eom_unknowns(s->eom) : crank_run_column_count(c->run);
    if (status == CRANK_OK) {
        status = crank_run_visit(c->run, &rows, &visitor, err);
    }
    if (status == CRANK_OK && crank_run_stopped(c->run) && s->row_count > 0 &&
        s->rows[(s->row_count - 1) * ((size_t)s->columns + 1)] != crank_run_time(c->run)) {
        status = take_row(c->run, s, err); /* where an event has stopped it */
    }
    mxArray *names = mxCreateCellMatrix(1, (mwSize)s->columns);
    for (int i = 0; i < s->columns; i++) {
        mxSetCell(names, (mwIndex)i, mxCreateString(crank_run_column_name(c->run, i)));
    }
    answer_set(c, "names", names);
    answer_set(c, "rows", transposed(s->row_count, s->columns + 1, s->rows));
    answer_set(c, "events", transposed(s->event_count, s->columns + 2, s->events));
    answer_number(c, "constraints", s->constraints);
    answer_text(c, "method", crank_run_get_method(c->run).name);
    return status;
}

crank_status command_solve(call *c, crank_error *err)
{
    solution s = {.c = c, .equations = field(c->request, "equations")};
    watch_events(&s);
    crank_status status = s.equations != NULL ? open_equations(&s, err) : open_run(c, err);
    if (status == CRANK_OK) {
        status = go(&s, err);
    }
    if (s.wrong[0] != '\0') {
        status = crank_fail(err, CRANK_ESTOP_EQUATIONS, "%s", s.wrong);
    }
    free(s.rows);
    free(s.events);
    if (s.eom != NULL) { /* the run does not own it, and goes first */
        crank_run_close(c->run);
        c->run = NULL;
        crank_eom_destroy(s.eom);
    }
    return status;
}
