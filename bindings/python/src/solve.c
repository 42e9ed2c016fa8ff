/* solve.c - equations that Python functions evaluate, E(t, y) y' = k(t, y), by crank/dae.h: rows,
 * events and points between steps as arrays. Functions are those of solve.py, which return
 * buffers of as many doubles as are needed; what they raise ends the run and comes back. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 7 }; /* within a step, for dense output */

typedef struct rows {
    double *values; /* t, y (n), of events also the number */
    size_t count, room;
    int width;
} rows;

typedef struct solution {
    call call;
    PyObject *fun, *mass, *jac, *events;
    int n, event_count;
    long calls;
    const int *terminal; /* occurrences of an event that end the run; 0: none */
    int *seen;
    const char **event_names;
    bool dense;
    double begin; /* of the last step */
    crank_dae *dae;
    rows rows, found, between;
} solution;

static void keep_exception(call *c)
{
    if (c->type == NULL) {
        PyErr_Fetch(&c->type, &c->value, &c->trace);
    } else {
        PyErr_Clear();
    }
}

/* out (count) = function(t, y) */
static crank_status ask(solution *s, PyObject *function, double t, const double *y, int count,
                        double *out)
{
    const PyGILState_STATE gil = PyGILState_Ensure();
    Py_buffer view = {0};
    crank_status status = CRANK_ESTOP_EQUATIONS;
    double *copy = s->call.type == NULL ? malloc((size_t)s->n * sizeof *copy) : NULL;
    PyObject *point = NULL, *value = NULL;
    if (copy != NULL) {
        memcpy(copy, y, (size_t)s->n * sizeof *copy);
        point = array_take(s->call.module, copy, s->n, 0);
    }
    value = point != NULL ? PyObject_CallFunction(function, "dO", t, point) : NULL;
    if (value != NULL && PyObject_GetBuffer(value, &view, PyBUF_C_CONTIGUOUS) == 0) {
        if (view.len == (Py_ssize_t)((size_t)count * sizeof *out)) {
            memcpy(out, view.buf, (size_t)view.len);
            status = CRANK_OK;
        } else {
            PyErr_SetString(PyExc_ValueError, "a function returned another number of values");
        }
        PyBuffer_Release(&view);
    }
    Py_XDECREF(point);
    Py_XDECREF(value);
    if (PyErr_Occurred()) {
        keep_exception(&s->call);
    }
    PyGILState_Release(gil);
    return status;
}

static crank_status evaluate(double t, const double *y, double *k, void *user)
{
    solution *s = user;
    s->calls++;
    return ask(s, s->fun, t, y, s->n, k);
}

static crank_status mass(double t, const double *y, double *E, void *user)
{
    solution *s = user;
    return ask(s, s->mass, t, y, s->n * s->n, E);
}

static crank_status jacobian(double t, const double *y, double *J, void *user)
{
    solution *s = user;
    return ask(s, s->jac, t, y, s->n * s->n, J);
}

static crank_status watch(void *user, double t, const double *x, double *values,
                          crank_error *err)
{
    solution *s = user;
    const crank_status status =
        ask(s, s->events, crank_dae_time(s->dae, t), x, s->event_count, values);
    return status == CRANK_OK ? status : crank_fail(err, status, "an event function failed");
}

/* ---- rows ---- */

static crank_status store(rows *r, double t, const double *y, int n, double last,
                          crank_error *err)
{
    if (r->count == r->room) {
        const size_t room = 2 * r->room + 64;
        double *longer = realloc(r->values, room * (size_t)r->width * sizeof *longer);
        if (longer == NULL) {
            return crank_fail(err, CRANK_EMEM, "rows");
        }
        r->values = longer;
        r->room = room;
    }
    double *row = r->values + r->count++ * (size_t)r->width;
    row[0] = t;
    memcpy(row + 1, y, (size_t)n * sizeof *y);
    if (r->width > n + 1) {
        row[n + 1] = last;
    }
    return CRANK_OK;
}

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    return store(&s->rows, crank_dae_time(s->dae, crank_run_time(run)), crank_run_state(run),
                 s->n, 0.0, err);
}

static crank_status note_begin(crank_run *run, void *user, crank_error *err)
{
    (void)err;
    ((solution *)user)->begin = crank_run_reached(run);
    return CRANK_OK;
}

/* points of the last step at which a polynomial through them is well determined */
static crank_status take_between(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    const double end = crank_run_reached(run), begin = s->begin;
    crank_status status = CRANK_OK;
    for (int i = 0; i <= NODES && s->dense && status == CRANK_OK; i++) {
        const double at = 0.5 - 0.5 * cos(acos(-1.0) * i / NODES);
        const double t = i == NODES ? end : begin + at * (end - begin);
        status = crank_run_look(run, t, err);
        if (status == CRANK_OK) {
            status = store(&s->between, crank_dae_time(s->dae, t), crank_run_state(run), s->n,
                           0.0, err);
        }
    }
    return status;
}

static crank_status happen(void *user, const signed char *happened, double t, const double *x,
                           bool *stop, crank_error *err)
{
    solution *s = user;
    crank_status status = CRANK_OK;
    for (int i = 0; i < s->event_count && status == CRANK_OK; i++) {
        if (happened[i] != 0) {
            status = store(&s->found, crank_dae_time(s->dae, t), x, s->n, i, err);
            s->seen[i]++;
            *stop = *stop || (s->terminal[i] > 0 && s->seen[i] >= s->terminal[i]);
        }
    }
    return status;
}

static PyObject *array_of(solution *s, rows *r)
{
    double *values = r->values != NULL ? r->values : malloc(sizeof *values);
    r->values = NULL;
    return array_take(s->call.module, values, (Py_ssize_t)r->count, r->width);
}

/* ---- the call ---- */

typedef struct request {
    Py_buffer y0, atol, matrix, times, index, direction, terminal;
    double t0, t_end, rtol;
    const char *method;
    settings options;
} request;

static const void *taken(const Py_buffer *view)
{
    return view->obj != NULL ? view->buf : NULL;
}

static crank_status lead(solution *s, const request *q, crank_run **run, crank_error *err)
{
    crank_dae_definition d = crank_dae_definition_default();
    crank_run_options o = crank_run_options_default();
    const char **name = calloc((size_t)s->event_count + 1, sizeof *name);
    for (int i = 0; i < s->event_count && name != NULL; i++) {
        name[i] = "event";
    }
    const crank_events events = {.count = s->event_count,
                                 .evaluate = watch,
                                 .name = name,
                                 .direction = taken(&q->direction),
                                 .user = s};
    crank_run_rows due = {.steps = q->times.obj == NULL, .times = taken(&q->times)};
    const crank_run_visitor visitor = {
        .before = note_begin, .after = take_between, .row = take_row, .user = s};
    d.n = s->n;
    d.evaluate = evaluate;
    d.mass = s->mass != Py_None ? mass : NULL;
    d.mass_matrix = taken(&q->matrix);
    d.jacobian = s->jac != Py_None ? jacobian : NULL;
    d.index = taken(&q->index);
    d.rtol = q->rtol;
    d.atol = taken(&q->atol);
    d.user = s;
    o.method = q->method;
    o.options = q->options.item;
    o.option_count = q->options.count;
    o.log = call_log(&s->call);
    o.stop = call_stop;
    o.stop_user = &s->call;
    o.events = s->event_count > 0 ? &events : NULL;
    o.happen = happen;
    due.count = due.times != NULL ? q->times.len / (Py_ssize_t)sizeof(double) : 0;
    crank_status status =
        name == NULL ? crank_fail(err, CRANK_EMEM, "events")
                     : crank_dae_create(&d, q->t0, q->t_end, q->y0.buf, o.log, &s->dae, err);
    if (status == CRANK_OK) {
        status = crank_dae_open(s->dae, &o, run, err);
    }
    if (status == CRANK_OK) {
        status = crank_run_visit(*run, &due, &visitor, err);
    }
    s->event_names = name; /* outlive the run */
    return status;
}

static PyObject *answer(solution *s, crank_run *run, crank_status status,
                        const crank_error *err)
{
    const crank_dae_report *r = crank_dae_get_report(s->dae);
    crank_statistics counters = {0};
    if (crank_run_integrator(run) != NULL) {
        counters = crank_integrator_statistics(crank_run_integrator(run));
    }
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:l,s:L,s:L,s:i,s:O,s:O,s:z,s:z,s:s}", "rows", array_of(s, &s->rows),
        "events", array_of(s, &s->found), "between", array_of(s, &s->between), "nfev", s->calls,
        "njev", (long long)counters.jacobians, "nlu", (long long)counters.factorizations,
        "index", r->index, "consistent", r->consistent ? Py_True : Py_False, "stopped",
        crank_run_stopped(run) ? Py_True : Py_False, "error",
        status != CRANK_OK ? err->text : NULL, "status",
        status != CRANK_OK ? crank_status_name(status) : NULL, "method",
        crank_run_get_method(run).name);
}

static void release(solution *s, request *q, crank_run *run)
{
    crank_run_close(run);
    crank_dae_destroy(s->dae);
    free(s->rows.values);
    free(s->found.values);
    free(s->between.values);
    free(s->seen);
    free(s->event_names);
    Py_buffer *const views[] = {&q->y0,    &q->atol,      &q->matrix,  &q->times,
                                &q->index, &q->direction, &q->terminal};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        PyBuffer_Release(views[i]);
    }
    settings_free(&q->options);
}

/* solve_dae(fun, mass, matrix, jac, events, direction, terminal, t0, t_end, y0, times, rtol, atol,
 * index, method, options, dense): see solve.py; buffers and None */
static PyObject *solve_dae(PyObject *module, PyObject *a)
{
    solution s = {.call = {.module = PyModule_GetState(module)}};
    request q = {0};
    PyObject *options = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    PyObject *out = NULL;
    int dense = 0;
    if (!PyArg_ParseTuple(a, "OOz*OOz*z*ddy*z*dy*z*zOp", &s.fun, &s.mass, &q.matrix, &s.jac,
                          &s.events, &q.direction, &q.terminal, &q.t0, &q.t_end, &q.y0,
                          &q.times, &q.rtol, &q.atol, &q.index, &q.method, &options, &dense)) {
        return NULL;
    }
    s.n = (int)(q.y0.len / (Py_ssize_t)sizeof(double));
    s.event_count = (int)(q.terminal.len / (Py_ssize_t)sizeof(int));
    s.terminal = q.terminal.buf;
    s.dense = dense != 0;
    s.rows.width = s.between.width = s.n + 1;
    s.found.width = s.n + 2;
    s.seen = calloc((size_t)s.event_count + 1, sizeof *s.seen);
    if (s.seen != NULL && settings_take(&q.options, options)) {
        call_enter(&s.call);
        const crank_status status = lead(&s, &q, &run, &err);
        const bool raised = s.call.type != NULL;
        /* a run that fails part of the way has its rows */
        const bool good = call_leave(
            &s.call, run != NULL && !raised && status != CRANK_EARG ? CRANK_OK : status, &err);
        out = good ? answer(&s, run, status, &err) : NULL;
    }
    release(&s, &q, run);
    return out;
}

PyMethodDef solve_functions[] = {
    {"solve_dae", solve_dae, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
