/* solve.c - equations that Python functions evaluate: E(t, y) y' = k(t, y) by crank/dae.h, and
 * equations of motion by crank/motion.h. Rows, events and points between steps as arrays.
 * Functions are those of solve.py, which return buffers of as many doubles as are needed; what
 * they raise ends the run and comes back. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <stdlib.h>
#include <string.h>

typedef struct rows {
    double *values; /* t, the unknowns, of events also the number */
    size_t count, room;
} rows;

typedef struct solution {
    call call;
    PyObject *fun, *mass, *jac; /* of motions: the forces, M, G */
    PyObject *constraint;       /* of motions: g, or None */
    PyObject *events;
    int n, constraints; /* unknowns of the functions; of motions n positions, n velocities */
    int width;          /* unknowns in a row: y, or p, v, lambda */
    int event_count;
    long calls;
    const int *terminal; /* occurrences of an event that end the run; 0: none */
    int *seen;
    const char **event_names;
    bool dense;
    double begin; /* of the last step */
    crank_dae *dae;
    crank_motion *motion; /* one of them */
    rows rows, found, between;
} solution;

/* ---- functions ---- */

static PyObject *point_of(const solution *s, const double *values)
{
    return values != NULL ? array_copy(s->call.module, values, s->n, 0) : Py_NewRef(Py_None);
}

/* out (count) = function(t, a, b); b NULL: None */
static crank_status ask(solution *s, PyObject *function, double t, const double *a,
                        const double *b, int count, double *out)
{
    const PyGILState_STATE gil = PyGILState_Ensure();
    Py_buffer view = {0};
    crank_status status = CRANK_ESTOP_EQUATIONS;
    PyObject *value = NULL;
    if (s->call.type == NULL) {
        value = PyObject_CallFunction(function, "dNN", t, point_of(s, a), point_of(s, b));
    }
    if (value != NULL && PyObject_GetBuffer(value, &view, PyBUF_C_CONTIGUOUS) == 0) {
        if (view.len == (Py_ssize_t)((size_t)count * sizeof *out)) {
            memcpy(out, view.buf, (size_t)view.len);
            status = CRANK_OK;
        } else {
            PyErr_SetString(PyExc_ValueError, "a function returned another number of values");
        }
        PyBuffer_Release(&view);
    }
    Py_XDECREF(value);
    if (PyErr_Occurred()) {
        call_keep(&s->call);
    }
    PyGILState_Release(gil);
    return status;
}

static crank_status evaluate(double t, const double *y, double *k, void *user)
{
    solution *s = user;
    s->calls++;
    return ask(s, s->fun, t, y, NULL, s->n, k);
}

static crank_status mass(double t, const double *y, double *E, void *user)
{
    solution *s = user;
    return ask(s, s->mass, t, y, NULL, s->n * s->n, E);
}

static crank_status jacobian(double t, const double *y, double *J, void *user)
{
    solution *s = user;
    return ask(s, s->jac, t, y, NULL, s->n * s->n, J);
}

static crank_status force(double t, const double *p, const double *v, double *f, void *user)
{
    solution *s = user;
    s->calls++;
    return ask(s, s->fun, t, p, v, s->n, f);
}

static crank_status motion_mass(double t, const double *p, const double *v, double *M,
                                void *user)
{
    solution *s = user;
    return ask(s, s->mass, t, p, v, s->n * s->n, M);
}

static crank_status constraint(double t, const double *p, const double *v, double *g,
                               void *user)
{
    solution *s = user;
    return ask(s, s->constraint, t, p, v, s->constraints, g);
}

static crank_status gradient(double t, const double *p, const double *v, double *G, void *user)
{
    solution *s = user;
    return ask(s, s->jac, t, p, v, s->constraints * s->n, G);
}

static double time_of(const solution *s, double t)
{
    return s->dae != NULL ? crank_dae_time(s->dae, t) : t;
}

static crank_status watch(void *user, double t, const double *x, double *values,
                          crank_error *err)
{
    solution *s = user;
    const double *a = x, *b = NULL, *lambda;
    if (s->motion != NULL) {
        crank_motion_split(s->motion, x, &a, &b, &lambda);
    }
    const crank_status status = ask(s, s->events, time_of(s, t), a, b, s->event_count, values);
    return status == CRANK_OK ? status : crank_fail(err, status, "an event function failed");
}

/* ---- rows ---- */

/* t, x and of events the number */
static crank_status store(solution *s, rows *r, double t, const double *x, int number,
                          crank_error *err)
{
    const size_t width = (size_t)s->width + (r == &s->found ? 2 : 1);
    if (r->count == r->room) {
        const size_t room = 2 * r->room + 64;
        double *longer = realloc(r->values, room * width * sizeof *longer);
        if (longer == NULL) {
            return crank_fail(err, CRANK_EMEM, "rows");
        }
        r->values = longer;
        r->room = room;
    }
    double *row = r->values + r->count++ * width;
    row[0] = time_of(s, t);
    if (s->motion != NULL) {
        const size_t n = (size_t)s->n, of_n = n * sizeof *row;
        const double *p, *v, *lambda;
        crank_motion_split(s->motion, x, &p, &v, &lambda);
        memcpy(row + 1, p, of_n);
        memcpy(row + 1 + n, v, of_n);
        memcpy(row + 1 + 2 * n, lambda, (size_t)s->constraints * sizeof *row);
    } else {
        memcpy(row + 1, x, (size_t)s->n * sizeof *row);
    }
    if (r == &s->found) {
        row[s->width + 1] = number;
    }
    return CRANK_OK;
}

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    solution *s = user;
    return store(s, &s->rows, crank_run_time(run), crank_run_state(run), 0, err);
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
    return store(s, &s->between, crank_run_time(run), crank_run_state(run), 0, err);
}

static crank_status take_between(crank_run *run, void *user, crank_error *err)
{
    const solution *s = user;
    return s->dense ? crank_run_sample(run, s->begin, take_point, user, err) : CRANK_OK;
}

static crank_status happen(void *user, const signed char *happened, double t, const double *x,
                           bool *stop, crank_error *err)
{
    solution *s = user;
    crank_status status = CRANK_OK;
    for (int i = 0; i < s->event_count && status == CRANK_OK; i++) {
        if (happened[i] != 0) {
            status = store(s, &s->found, t, x, i, err);
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
    return array_take(s->call.module, values, (Py_ssize_t)r->count,
                      s->width + (r == &s->found ? 2 : 1));
}

/* ---- the call ---- */

/* what is asked for; buffers may be missing */
typedef struct request {
    Py_buffer start, velocities, atol, matrix, times, index, direction, terminal;
    double t0, t_end, rtol;
    const char *method;
    PyObject *chosen;
    settings options;
    crank_run_options run;
    crank_events events;
    crank_run *opened;
    int dense;
} request;

static const void *taken(const Py_buffer *view)
{
    return view->obj != NULL ? view->buf : NULL;
}

static crank_status open_dae(solution *s, request *q, crank_error *err)
{
    crank_dae_definition d = crank_dae_definition_default();
    d.n = s->n;
    d.evaluate = evaluate;
    d.mass = s->mass != Py_None ? mass : NULL;
    d.mass_matrix = taken(&q->matrix);
    d.jacobian = s->jac != Py_None ? jacobian : NULL;
    d.index = taken(&q->index);
    d.rtol = q->rtol;
    d.atol = taken(&q->atol);
    d.user = s;
    const crank_status status =
        crank_dae_create(&d, q->t0, q->t_end, q->start.buf, q->run.log, &s->dae, err);
    return status == CRANK_OK ? crank_dae_open(s->dae, &q->run, &q->opened, err) : status;
}

static crank_status open_motion(solution *s, request *q, crank_error *err)
{
    crank_motion_definition d = crank_motion_definition_default();
    d.n = s->n;
    d.constraints = s->constraints;
    d.mass = s->mass != Py_None ? motion_mass : NULL;
    d.mass_matrix = taken(&q->matrix);
    d.force = force;
    d.constraint = s->constraint != Py_None ? constraint : NULL;
    d.gradient = s->jac != Py_None ? gradient : NULL;
    d.user = s;
    q->run.t_end = q->t_end;
    crank_status status = crank_motion_create(&d, &s->motion, err);
    if (status == CRANK_OK) {
        status = crank_motion_open(s->motion, q->t0, q->start.buf, q->velocities.buf, &q->run,
                                   &q->opened, err);
    }
    return status;
}

/* to the end; q->opened is not NULL where a run was begun */
static crank_status lead(solution *s, request *q, bool motion, crank_error *err)
{
    crank_run_rows due = {.steps = q->times.obj == NULL, .times = taken(&q->times)};
    const crank_run_visitor visitor = {
        .before = note_begin, .after = take_between, .row = take_row, .user = s};
    for (int i = 0; i < s->event_count; i++) {
        s->event_names[i] = "event";
    }
    q->events = (crank_events){.count = s->event_count,
                               .evaluate = watch,
                               .name = s->event_names,
                               .direction = taken(&q->direction),
                               .user = s};
    q->run = crank_run_options_default();
    q->run.method = q->method;
    q->run.options = q->options.item;
    q->run.option_count = q->options.count;
    q->run.log = call_log(&s->call);
    q->run.stop = call_stop;
    q->run.stop_user = &s->call;
    q->run.events = s->event_count > 0 ? &q->events : NULL;
    q->run.happen = happen;
    due.count = due.times != NULL ? q->times.len / (Py_ssize_t)sizeof(double) : 0;
    const crank_status status = motion ? open_motion(s, q, err) : open_dae(s, q, err);
    return status == CRANK_OK ? crank_run_visit(q->opened, &due, &visitor, err) : status;
}

static PyObject *answer(solution *s, crank_run *run, crank_status status,
                        const crank_error *err)
{
    const crank_initial_report *begun = crank_run_get_beginning(run).report;
    const crank_dae_report *r = s->dae != NULL ? crank_dae_get_report(s->dae) : NULL;
    const bool consistent = r != NULL ? r->consistent : begun != NULL && begun->consistent;
    crank_statistics counters = {0};
    if (crank_run_integrator(run) != NULL) {
        counters = crank_integrator_statistics(crank_run_integrator(run));
    }
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:l,s:L,s:L,s:i,s:O,s:O,s:z,s:z,s:s}", "rows", array_of(s, &s->rows),
        "events", array_of(s, &s->found), "between", array_of(s, &s->between), "nfev", s->calls,
        "njev", (long long)counters.jacobians, "nlu", (long long)counters.factorizations,
        "index", r != NULL ? r->index : 3, "consistent", consistent ? Py_True : Py_False,
        "stopped", crank_run_stopped(run) ? Py_True : Py_False, "error",
        status != CRANK_OK ? err->text : NULL, "status",
        status != CRANK_OK ? crank_status_name(status) : NULL, "method",
        crank_run_get_method(run).name);
}

static void release(solution *s, request *q)
{
    crank_run_close(q->opened);
    crank_dae_destroy(s->dae);
    crank_motion_destroy(s->motion);
    free(s->rows.values);
    free(s->found.values);
    free(s->between.values);
    free(s->seen);
    free(s->event_names);
    Py_buffer *const views[] = {&q->start, &q->velocities, &q->atol,      &q->matrix,
                                &q->times, &q->index,      &q->direction, &q->terminal};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        PyBuffer_Release(views[i]);
    }
    settings_free(&q->options);
}

static PyObject *solve(solution *s, request *q, bool motion)
{
    crank_error err = {0};
    PyObject *out = NULL;
    s->n = (int)(q->start.len / (Py_ssize_t)sizeof(double));
    s->width = motion ? 2 * s->n + s->constraints : s->n;
    s->event_count = (int)(q->terminal.len / (Py_ssize_t)sizeof(int));
    s->terminal = q->terminal.buf;
    s->dense = q->dense != 0;
    s->seen = calloc((size_t)s->event_count + 1, sizeof *s->seen);
    s->event_names = calloc((size_t)s->event_count + 1, sizeof *s->event_names);
    if (s->seen == NULL || s->event_names == NULL) {
        PyErr_NoMemory();
    } else if (settings_take(&q->options, q->chosen)) {
        call_enter(&s->call);
        const crank_status status = lead(s, q, motion, &err);
        /* a run that fails part of the way has its rows */
        const bool under_way =
            q->opened != NULL && !atomic_load(&s->call.raised) && status != CRANK_EARG;
        out = call_leave(&s->call, under_way ? CRANK_OK : status, &err)
                  ? answer(s, q->opened, status, &err)
                  : NULL;
    }
    release(s, q);
    return out;
}

/* solve_dae(fun, mass, matrix, jac, events, direction, terminal, t0, t_end, y0, times, rtol, atol,
 * index, method, options, dense): see solve.py; buffers and None */
static PyObject *solve_dae(PyObject *module, PyObject *a)
{
    solution s = {.call = {.module = PyModule_GetState(module)}};
    request q = {0};
    return PyArg_ParseTuple(a, "OOz*OOz*z*ddy*z*dy*z*zOp", &s.fun, &s.mass, &q.matrix, &s.jac,
                            &s.events, &q.direction, &q.terminal, &q.t0, &q.t_end, &q.start,
                            &q.times, &q.rtol, &q.atol, &q.index, &q.method, &q.chosen,
                            &q.dense)
               ? solve(&s, &q, false)
               : NULL;
}

/* solve_eom(f, M, matrix, g, G, constraints, events, direction, terminal, t0, t_end, p0, v0, times,
 * method, options, dense) */
static PyObject *solve_eom(PyObject *module, PyObject *a)
{
    solution s = {.call = {.module = PyModule_GetState(module)}};
    request q = {0};
    return PyArg_ParseTuple(a, "OOz*OOiOz*z*ddy*y*z*zOp", &s.fun, &s.mass, &q.matrix,
                            &s.constraint, &s.jac, &s.constraints, &s.events, &q.direction,
                            &q.terminal, &q.t0, &q.t_end, &q.start, &q.velocities, &q.times,
                            &q.method, &q.chosen, &q.dense)
               ? solve(&s, &q, true)
               : NULL;
}

/* between(times, values, t): of CRANK_STEP_POINTS points of a step the values at t */
static PyObject *between(PyObject *module, PyObject *a)
{
    Py_buffer times = {0}, values = {0};
    PyObject *out = NULL;
    double t = 0.0;
    if (!PyArg_ParseTuple(a, "y*y*d", &times, &values, &t)) {
        return NULL;
    }
    const Py_ssize_t n = values.len / (CRANK_STEP_POINTS * (Py_ssize_t)sizeof(double));
    double *own = malloc(((size_t)n + 1) * sizeof *own);
    if (times.len != CRANK_STEP_POINTS * (Py_ssize_t)sizeof *own || own == NULL) {
        PyErr_SetString(PyExc_ValueError, "a step has other points");
        free(own);
    } else {
        crank_between((int)n, times.buf, values.buf, t, own);
        out = array_take(PyModule_GetState(module), own, n, 0);
    }
    PyBuffer_Release(&times);
    PyBuffer_Release(&values);
    return out;
}

PyMethodDef solve_functions[] = {
    {"solve_dae", solve_dae, METH_VARARGS, NULL},
    {"solve_eom", solve_eom, METH_VARARGS, NULL},
    {"between", between, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
