/* run.c - runs of models: to a time, step by step, to the end with rows; values by name,
 * checkpoints. One thread at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef run_object run;

/* ---- calls ---- */

bool run_begin(run *self)
{
    if (self->busy) {
        PyErr_SetString(
            PyExc_RuntimeError,
            "the run is in use: one thread at a time, and not from its own callbacks");
        return false;
    }
    if (self->run == NULL) {
        PyErr_SetString(PyExc_ValueError, "the run is closed");
        return false;
    }
    self->busy = true;
    call_enter(&self->call);
    return true;
}

bool run_end(run *self, crank_status status, const crank_error *err)
{
    const bool good = call_leave(&self->call, status, err);
    self->busy = false;
    return good;
}

static PyObject *none(bool good)
{
    return good ? Py_NewRef(Py_None) : NULL;
}

/* open_run(model, method, set, options, t_end, compile) */
static PyObject *open_run(PyObject *module, PyObject *arguments)
{
    module_state *state = PyModule_GetState(module);
    PyObject *model = NULL, *set = NULL, *chosen = NULL;
    crank_run_options options = crank_run_options_default();
    settings parameters = {0}, names = {0};
    crank_error err = {0};
    int compile = 0;
    if (!PyArg_ParseTuple(arguments, "OzOOdp", &model, &options.method, &set, &chosen,
                          &options.t_end, &compile)) {
        return NULL;
    }
    const crank_model *of = model_of(model);
    run *self = of != NULL ? object_new(state->run) : NULL;
    if (self == NULL) {
        return NULL;
    }
    self->model = Py_NewRef(model);
    self->call.module = state;
    bool good = settings_take(&parameters, set) && settings_take(&names, chosen);
    if (good) {
        options.settings = parameters.item;
        options.setting_count = parameters.count;
        options.options = names.item;
        options.option_count = names.count;
        options.compile = compile != 0;
        options.log = call_log(&self->call);
        options.stop = call_stop;
        options.stop_user = &self->call;
        self->busy = true;
        call_enter(&self->call);
        const crank_status status = crank_run_open_model(of, &options, &self->run, &err);
        good = run_end(self, status, &err);
    }
    settings_free(&parameters);
    settings_free(&names);
    if (!good) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static PyObject *initialize(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    crank_error err = {0};
    (void)nothing;
    return run_begin(self) ? none(run_end(self, crank_run_initialize(self->run, &err), &err))
                           : NULL;
}

/* begin_from(table, t): at the row nearest to t (NaN: the last one) instead of at the start */
static PyObject *begin_from(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    PyObject *rows = NULL;
    crank_error err = {0};
    double t = 0.0, found = 0.0;
    if (!PyArg_ParseTuple(arguments, "Od", &rows, &t)) {
        return NULL;
    }
    const crank_table *table = table_of(rows);
    if (table == NULL || !run_begin(self)) {
        return NULL;
    }
    const int row = crank_table_row_at(table, t, &found);
    return none(run_end(self,
                        row >= 0
                            ? crank_run_begin_from(self->run, table, row, &err)
                            : crank_fail(&err, CRANK_EARG, "there are no rows with a time"),
                        &err));
}

static PyObject *advance(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    crank_error err = {0};
    double t = 0.0;
    if (!PyArg_ParseTuple(arguments, "d", &t) || !run_begin(self)) {
        return NULL;
    }
    return none(run_end(self, crank_run_advance(self->run, t, &err), &err));
}

/* one step, with what happens at its end; the state there is the present one */
static crank_status step_through(crank_run *r, crank_error *err)
{
    crank_event_outcome outcome;
    crank_status status = crank_run_step(r, err);
    if (status == CRANK_OK) {
        status = crank_run_happened(r) ? crank_run_happen(r, &outcome, err)
                                       : crank_run_look(r, crank_run_reached(r), err);
    }
    return status;
}

static PyObject *step(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    crank_error err = {0};
    (void)nothing;
    return run_begin(self) ? none(run_end(self, step_through(self->run, &err), &err)) : NULL;
}

static PyObject *set(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    const char *name = NULL;
    crank_error err = {0};
    double value = 0.0;
    if (!PyArg_ParseTuple(arguments, "sd", &name, &value) || !run_begin(self)) {
        return NULL;
    }
    return none(run_end(self, crank_run_set(self->run, name, value, &err), &err));
}

/* ---- to the end ---- */

/* times: numbers of a buffer of doubles, rising; false with an exception */
static bool take_times(PyObject *object, Py_buffer *view, crank_run_rows *rows)
{
    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        return false;
    }
    if (view->itemsize != (Py_ssize_t)sizeof(double) || view->format == NULL ||
        strcmp(view->format, "d") != 0 || view->ndim != 1 || view->len == 0) {
        PyErr_SetString(PyExc_TypeError, "times are an array of doubles");
        return false;
    }
    rows->times = view->buf;
    rows->count = view->len / view->itemsize;
    return true;
}

/* The rows until a failure go with its exception, as `table`. */
static void attach(module_state *module, crank_table *made)
{
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *object = table_wrap(module, made);
    if (object == NULL || PyObject_SetAttrString(value, "table", object) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(object);
    PyErr_Restore(type, value, trace);
}

/* record(every, points, times, steps): rows as files have them */
static PyObject *record(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    PyObject *times = NULL;
    Py_buffer view = {0};
    double every = 0.0;
    int points = 0, steps = 0;
    crank_run_rows rows = {0};
    crank_table *made = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "diOp", &every, &points, &times, &steps)) {
        return NULL;
    }
    if ((times != Py_None && !take_times(times, &view, &rows)) || !run_begin(self)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    crank_status status = CRANK_OK;
    if (rows.times == NULL) {
        status = crank_run_divide(self->run, every, points, &rows, &err);
    }
    rows.steps = steps != 0;
    rows.events = rows.times == NULL;
    if (status == CRANK_OK) {
        status = crank_run_record_rows(self->run, &rows, &made, &err);
    }
    const bool good = run_end(self, status, &err);
    PyBuffer_Release(&view);
    if (!good && made != NULL) {
        attach(self->call.module, made);
    }
    return good ? table_wrap(self->call.module, made) : NULL;
}

/* ---- values ---- */

static PyObject *values(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    crank_error err = {0};
    (void)nothing;
    if (!run_begin(self)) {
        return NULL;
    }
    const double *row = crank_run_values(self->run, &err);
    return run_end(self, row != NULL ? CRANK_OK : err.status, &err)
               ? array_copy(self->call.module, row, crank_run_column_count(self->run), 0)
               : NULL;
}

static PyObject *find(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    const char *name = NULL;
    if (!PyArg_ParseTuple(arguments, "s", &name) || !run_begin(self)) {
        return NULL;
    }
    const int column = crank_run_find(self->run, name);
    return run_end(self, CRANK_OK, NULL) ? PyLong_FromLong(column) : NULL;
}

/* the unknowns at the present time */
static PyObject *state(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    (void)nothing;
    crank_error err = {0};
    if (!run_begin(self) || !run_end(self, crank_run_initialize(self->run, &err), &err)) {
        return NULL;
    }
    return array_copy(self->call.module, crank_run_state(self->run),
                      crank_eom_unknowns(crank_run_eom(self->run)), 0);
}

static PyObject *statistics(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    PyObject *list = PyList_New(0);
    crank_statistics counters = {0};
    const char *name = NULL;
    char text[64];
    (void)nothing;
    if (self->run != NULL && crank_run_integrator(self->run) != NULL) {
        counters = crank_integrator_statistics(crank_run_integrator(self->run));
    }
    for (int i = 0;
         list != NULL && crank_statistics_entry(&counters, i, &name, text, sizeof text); i++) {
        PyObject *item = Py_BuildValue("ss", name, text);
        list_add(&list, item);
    }
    return list;
}

/* where it is: (time, reached, end, finished, stopped) */
static PyObject *where(PyObject *object, PyObject *nothing)
{
    const run *self = (run *)object;
    (void)nothing;
    if (self->run == NULL) {
        PyErr_SetString(PyExc_ValueError, "the run is closed");
        return NULL;
    }
    return Py_BuildValue("dddOO", crank_run_time(self->run), crank_run_reached(self->run),
                         crank_run_end(self->run),
                         crank_run_finished(self->run) ? Py_True : Py_False,
                         crank_run_stopped(self->run) ? Py_True : Py_False);
}

static PyObject *method(PyObject *object, PyObject *nothing)
{
    const run *self = (run *)object;
    (void)nothing;
    return self->run != NULL ? text_object(crank_run_get_method(self->run).name)
                             : text_object(NULL);
}

/* ---- checkpoints ---- */

static PyObject *save(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    crank_error err = {0};
    void *data = NULL;
    size_t size = 0;
    (void)nothing;
    if (!run_begin(self)) {
        return NULL;
    }
    crank_status status = crank_run_start(self->run, &err);
    if (status == CRANK_OK) {
        status = crank_integrator_save(crank_run_integrator(self->run), &data, &size, &err);
    }
    PyObject *out =
        run_end(self, status, &err) ? PyBytes_FromStringAndSize(data, (Py_ssize_t)size) : NULL;
    free(data);
    return out;
}

static PyObject *load(PyObject *object, PyObject *arguments)
{
    run *self = (run *)object;
    const char *data = NULL;
    Py_ssize_t size = 0;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "y#", &data, &size) || !run_begin(self)) {
        return NULL;
    }
    crank_status status = crank_run_load(self->run, data, (size_t)size, &err);
    if (status == CRANK_OK) {
        status = crank_run_look(self->run, crank_run_reached(self->run), &err);
    }
    return none(run_end(self, status, &err));
}

/* ---- the type ---- */

static PyObject *close_run(PyObject *object, PyObject *nothing)
{
    run *self = (run *)object;
    (void)nothing;
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the run is in use");
        return NULL;
    }
    crank_run_close(self->run);
    self->run = NULL;
    return Py_NewRef(Py_None);
}

static void destroy(PyObject *object)
{
    run *self = (run *)object;
    crank_run_close(self->run);
    Py_XDECREF(self->model);
    object_free(object);
}

PyMethodDef run_functions[] = {
    {"open_run", open_run, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *run_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"begin_from", begin_from, METH_VARARGS, NULL},
        {"find_equilibrium", run_find_equilibrium, METH_NOARGS, NULL},
        {"linearize", run_linearize, METH_VARARGS, NULL},
        {"initialize", initialize, METH_NOARGS, NULL},
        {"advance", advance, METH_VARARGS, NULL},
        {"step", step, METH_NOARGS, NULL},
        {"set", set, METH_VARARGS, NULL},
        {"record", record, METH_VARARGS, NULL},
        {"values", values, METH_NOARGS, NULL},
        {"find", find, METH_VARARGS, NULL},
        {"state", state, METH_NOARGS, NULL},
        {"statistics", statistics, METH_NOARGS, NULL},
        {"where", where, METH_NOARGS, NULL},
        {"method", method, METH_NOARGS, NULL},
        {"save", save, METH_NOARGS, NULL},
        {"load", load, METH_VARARGS, NULL},
        {"close", close_run, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, destroy},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "crankmbs._crank.Run",
        .basicsize = sizeof(run),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
