/* rollout.c - many runs of one model, each with parameters of its own, in several threads
 * (crank_run_each); of each the wanted columns at common times. A run that fails or ends early
 * leaves NaN behind its last row, and its reason. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct member {
    crank_status status;
    bool set; /* its parameters could be set */
    crank_error err;
} member;

typedef struct rollout {
    call call;
    const crank_model *model;
    crank_run_options options;
    int count, threads;
    const char **names, **outputs;
    int name_count, output_count;
    const double *values, *times; /* count x name_count; rows */
    int64_t rows;
    double *out; /* output_count x count x rows */
    member *members;
    crank_status status;
    crank_error err;
} rollout;

/* where the rows of one run go */
typedef struct place {
    rollout *all;
    int run;
    int64_t row;
    const int *column;
} place;

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    place *p = user;
    const rollout *r = p->all;
    const double *values = crank_run_values(run, err);
    for (int k = 0; k < r->output_count && values != NULL; k++) {
        r->out[((int64_t)k * r->count + p->run) * r->rows + p->row] = values[p->column[k]];
    }
    p->row++;
    return values != NULL ? CRANK_OK : err->status;
}

static crank_status lead(rollout *r, crank_run *run, int i, int *column, crank_error *err)
{
    place p = {.all = r, .run = i, .column = column};
    const crank_run_visitor visitor = {.row = take_row, .user = &p};
    crank_run_rows rows = {.times = r->times, .count = r->rows};
    crank_status status = CRANK_OK;
    for (int j = 0; j < r->name_count && status == CRANK_OK; j++) {
        status = crank_run_set(run, r->names[j],
                               r->values[(size_t)i * (size_t)r->name_count + (size_t)j], err);
    }
    r->members[i].set = status == CRANK_OK;
    for (int k = 0; k < r->output_count; k++) {
        column[k] = crank_run_find(run, r->outputs[k]);
        if (column[k] < 0) {
            return crank_fail(err, CRANK_EARG, "the model has no column %.80s", r->outputs[k]);
        }
    }
    return status == CRANK_OK ? crank_run_visit(run, &rows, &visitor, err) : status;
}

static crank_status each(crank_run *run, int i, void *user, crank_error *err)
{
    rollout *r = user;
    member *m = &r->members[i];
    int *column = malloc(((size_t)r->output_count + 1) * sizeof *column);
    m->status = column != NULL ? lead(r, run, i, column, &m->err)
                               : crank_fail(&m->err, CRANK_EMEM, "a run");
    free(column);
    if (m->status == CRANK_EINTERRUPTED || m->status == CRANK_EMEM) {
        *err = m->err;
        return m->status;
    }
    return CRANK_OK;
}

static void work(void *user)
{
    rollout *r = user;
    bool any = r->count == 0;
    r->status = crank_run_each(r->model, &r->options, r->count, r->threads, each, r, &r->err);
    for (int i = 0; i < r->count; i++) {
        any = any || r->members[i].set;
    }
    if (!any && r->status == CRANK_OK) { /* nothing could be set: the caller's mistake */
        r->status = r->members[0].status;
        r->err = r->members[0].err;
    }
}

static PyObject *answer(const rollout *r, PyObject *values)
{
    PyObject *statuses = PyList_New(0), *messages = PyList_New(0);
    for (int i = 0; i < r->count; i++) {
        const member *m = &r->members[i];
        const bool good = m->status == CRANK_OK;
        const char *text = m->err.text[0] != '\0' ? m->err.text : crank_status_text(m->status);
        list_add(&statuses, text_object(crank_status_name(m->status)));
        list_add(&messages, text_object(good ? "" : text));
    }
    return Py_BuildValue("NNN", values, statuses, messages);
}

/* rollout(model, names, values, outputs, times, count, method, options, t_end, threads):
 * values: count x names, times: doubles -> (outputs * count x times, statuses, messages) */
static PyObject *roll_out(PyObject *module, PyObject *arguments)
{
    rollout r = {.call = {.module = PyModule_GetState(module)},
                 .options = crank_run_options_default()};
    PyObject *model = NULL, *names = NULL, *outputs = NULL, *chosen = NULL, *out = NULL;
    Py_buffer values = {0}, times = {0};
    settings options = {0};
    if (!PyArg_ParseTuple(arguments, "OOy*Oy*izOdi", &model, &names, &values, &outputs, &times,
                          &r.count, &r.options.method, &chosen, &r.options.t_end, &r.threads)) {
        return NULL;
    }
    r.model = model_of(model);
    r.names = r.model != NULL ? texts_take(names, &r.name_count, "names of parameters") : NULL;
    r.outputs = r.names != NULL ? texts_take(outputs, &r.output_count, "outputs") : NULL;
    r.values = values.buf;
    r.times = times.buf;
    r.rows = times.len / (Py_ssize_t)sizeof(double);
    const size_t size = (size_t)r.output_count * (size_t)r.count * (size_t)r.rows;
    if (r.outputs != NULL && settings_take(&options, chosen)) {
        r.out = malloc((size + 1) * sizeof *r.out);
        r.members = calloc((size_t)r.count + 1, sizeof *r.members);
        if (r.out == NULL || r.members == NULL) {
            PyErr_NoMemory();
        }
    }
    if (!PyErr_Occurred()) {
        for (size_t k = 0; k < size; k++) {
            r.out[k] = (double)NAN;
        }
        r.options.options = options.item;
        r.options.option_count = options.count;
        r.options.log = call_log(&r.call);
        r.options.stop = call_stop;
        r.options.stop_user = &r.call;
        call_enter(&r.call);
        call_apart(&r.call, work, &r);
        if (call_leave(&r.call, r.status, &r.err)) {
            double *own = r.out;
            r.out = NULL;
            out = answer(&r, array_take(r.call.module, own,
                                        (Py_ssize_t)r.output_count * r.count, r.rows));
        }
    }
    free(r.out);
    free(r.members);
    free(r.names);
    free(r.outputs);
    settings_free(&options);
    PyBuffer_Release(&values);
    PyBuffer_Release(&times);
    return out;
}

PyMethodDef rollout_functions[] = {
    {"rollout", roll_out, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
