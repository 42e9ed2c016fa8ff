/* study.c - what is asked about a model besides its motion (crank/study.h): where it rests, how it
 * vibrates, how it does with other parameters. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>
#include <stdlib.h>

/* ---- of a run, at its beginning ---- */

static PyObject *directions(int count, char text[][CRANK_DIRECTION_TEXT])
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count && i < CRANK_FREE_DIRECTIONS; i++) {
        list_add(&list, text_object(text[i]));
    }
    return list;
}

PyObject *run_find_equilibrium(PyObject *object, PyObject *nothing)
{
    run_object *self = (run_object *)object;
    crank_equilibrium e;
    crank_error err = {0};
    (void)nothing;
    if (!run_begin(self) ||
        !run_end(self, crank_run_find_equilibrium(self->run, NULL, &e, &err), &err)) {
        return NULL;
    }
    return Py_BuildValue(
        "{s:d,s:i,s:O,s:O,s:s,s:O,s:s,s:i,s:d,s:s,s:N,s:N,s:N,s:N,s:d}", "residual", e.residual,
        "iterations", e.iterations, "given", e.given ? Py_True : Py_False, "relaxed",
        e.relaxed ? Py_True : Py_False, "stability", crank_stability_word(e.stability),
        "damped", e.damped ? Py_True : Py_False, "undamped", e.damped ? "" : e.undamped,
        "freedom", e.freedom, "smallest", e.smallest, "direction", e.direction, "free",
        directions(e.free_count, e.free_text), "held", directions(e.held_count, e.held_text),
        "slides", directions(e.slide_count, e.slide_text), "turned",
        directions(e.turned_count, e.turned_text), "creep", e.creep);
}

/* matrices lie column by column: arrays of columns x rows, which the package turns round */
static PyObject *matrix(module_state *module, const double *values, int rows, int columns)
{
    return array_copy(module, values, columns, rows > 0 ? rows : 1);
}

static PyObject *describe_linear(module_state *module, const crank_linear *l)
{
    PyObject *leaders = PyList_New(0);
    const int n = l->states;
    for (int k = 0; k < n; k++) {
        list_add(&leaders, text_object(l->leader[k]));
    }
    return Py_BuildValue(
        "{s:(iii),s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:O,s:s,s:s,s:s}",
        "sizes", n, l->inputs, l->outputs, "states", texts_object(n, l->state_name), "inputs",
        texts_object(l->inputs, l->input_name), "outputs",
        texts_object(l->outputs, l->output_name), "A", matrix(module, l->A, n, n), "B",
        matrix(module, l->B, n, l->inputs), "C", matrix(module, l->C, l->outputs, n), "D",
        matrix(module, l->D, l->outputs, l->inputs), "real", array_copy(module, l->real, n, 0),
        "imag", array_copy(module, l->imag, n, 0), "frequency",
        array_copy(module, l->frequency, n, 0), "damping", array_copy(module, l->damping, n, 0),
        "modes", matrix(module, l->modes, 2 * n, n), "leaders", leaders, "steady",
        l->steady ? Py_True : Py_False, "unsteady", l->unsteady, "rough", l->rough, "corner",
        l->corner);
}

/* linearize(inputs, outputs, path): path not None: written there, too */
PyObject *run_linearize(PyObject *object, PyObject *arguments)
{
    run_object *self = (run_object *)object;
    PyObject *inputs = NULL, *outputs = NULL, *out = NULL;
    const char *path = NULL;
    crank_linear_options options = crank_linear_options_default();
    crank_linear l;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "OOz", &inputs, &outputs, &path)) {
        return NULL;
    }
    const char **in = texts_take(inputs, &options.input_count, "inputs");
    const char **of = in != NULL ? texts_take(outputs, &options.output_count, "outputs") : NULL;
    options.inputs = in;
    options.outputs = of;
    if (of != NULL && run_begin(self)) {
        crank_status status = crank_run_linearize(self->run, &options, &l, &err);
        const bool found = status == CRANK_OK;
        if (found && path != NULL) {
            status = crank_linear_write(&l, path, &err);
        }
        if (run_end(self, status, &err)) {
            out = describe_linear(self->call.module, &l);
        }
        if (found) {
            crank_linear_free(&l);
        }
    }
    free(in);
    free(of);
    return out;
}

/* ---- sweeps ---- */

typedef struct sweep {
    call call;
    crank_study *study;
    crank_study_order order;
    crank_study_progress progress;
    int64_t missing; /* members; -1: another process writes the result */
    crank_status status;
    crank_error err;
} sweep;

static bool stop(void *user)
{
    return call_stop(&((sweep *)user)->call, NULL) != CRANK_OK;
}

/* Runs what is not done yet, and writes the result once nothing is missing. */
static void work(void *user)
{
    sweep *s = user;
    const char *out = s->order.out;
    s->status = crank_study_open(s->study, &s->err);
    if (s->status == CRANK_OK) {
        s->status = crank_study_work(s->study, &s->order, &s->progress, &s->err);
    }
    if (s->status == CRANK_OK) {
        s->status = crank_study_missing(s->study, out, &s->missing, &s->err);
    }
    if (s->status == CRANK_OK && s->missing == 0) {
        s->status = crank_study_merge(s->study, out, &s->missing, &s->err);
    }
    if (s->status == CRANK_OK && s->missing == 0) {
        s->status = crank_study_remove_logs(s->study, out, &s->err);
    }
}

typedef crank_status add_fn(crank_study *study, const char *a, const char *b, crank_error *err);

/* pairs of texts of a list, one by one to the study */
static crank_status add_pairs(sweep *s, PyObject *list, add_fn *add)
{
    crank_status status = CRANK_OK;
    for (Py_ssize_t i = 0; i < PyList_Size(list) && status == CRANK_OK; i++) {
        const char *a = NULL, *b = NULL;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss", &a, &b)) {
            return CRANK_EARG;
        }
        status = add(s->study, a, b, &s->err);
    }
    return status;
}

/* sweep(path, is_study, vary, keep, sampling, count, seed, rows, limit, set, options, method,
 * t_end, model, compile, out, threads, shard, shards): vary and keep are lists of pairs of texts;
 * sampling None: the file's, or grid. -> (done, count, failed, slow, before, missing) */
static PyObject *sweep_study(PyObject *module, PyObject *arguments)
{
    sweep s = {.call = {.module = PyModule_GetState(module)},
               .order = crank_study_order_default()};
    crank_run_options o = crank_run_options_default();
    settings set = {0}, names = {0};
    PyObject *vary = NULL, *keep = NULL, *given = NULL, *chosen = NULL;
    const char *path = NULL, *sampling = NULL;
    long long count = 0;
    unsigned long long seed = 0;
    int is_study = 0, rows = 0, compile = 0;
    double limit = 0.0;
    if (!PyArg_ParseTuple(arguments, "spO!O!zLKidOOzdzpsiii", &path, &is_study, &PyList_Type,
                          &vary, &PyList_Type, &keep, &sampling, &count, &seed, &rows, &limit,
                          &given, &chosen, &o.method, &o.t_end, &o.model, &compile,
                          &s.order.out, &s.order.threads, &s.order.shard, &s.order.shards)) {
        return NULL;
    }
    if (!settings_take(&set, given) || !settings_take(&names, chosen)) {
        settings_free(&set);
        return NULL;
    }
    o.compile = compile != 0;
    o.settings = set.item;
    o.setting_count = set.count;
    o.options = names.item;
    o.option_count = names.count;
    o.log = call_log(&s.call);
    s.order.stop = stop;
    s.order.user = &s;
    s.status = is_study ? crank_study_read(path, &o, &s.study, &s.err)
                        : crank_study_create(path, &o, &s.study, &s.err);
    settings_free(&set);
    settings_free(&names);
    if (s.status == CRANK_OK) {
        s.status = add_pairs(&s, vary, crank_study_vary);
    }
    if (s.status == CRANK_OK && (!is_study || sampling != NULL)) {
        s.status = crank_study_sample(s.study, sampling != NULL ? sampling : "grid", count,
                                      (uint64_t)seed, &s.err);
    }
    if (s.status == CRANK_OK) {
        s.status = add_pairs(&s, keep, crank_study_keep);
    }
    if (s.status == CRANK_OK) {
        if (rows > 0) {
            crank_study_set_rows(s.study, rows);
        }
        if (limit > 0.0) {
            crank_study_set_limit(s.study, limit);
        }
        call_enter(&s.call);
        call_apart(&s.call, work, &s);
    }
    const bool wrong_pair = s.call.thread == NULL && PyErr_Occurred() != NULL;
    const bool good = !wrong_pair && call_leave(&s.call, s.status, &s.err);
    crank_study_destroy(s.study);
    const crank_study_progress *p = &s.progress;
    return good ? Py_BuildValue("LLLLLL", (long long)p->done, (long long)p->count,
                                (long long)p->failed, (long long)p->slow, (long long)p->before,
                                (long long)s.missing)
                : NULL;
}

/* read_study(path) -> dict: members [(name, unit, values)], factors (how many of them behind the
 * first), reasons, columns [(name, unit)], kept, time, values (columns * kept x rows) */
static PyObject *read_study(PyObject *module, PyObject *arguments)
{
    call c = {.module = PyModule_GetState(module)};
    crank_study_table *t = NULL;
    crank_error err = {0};
    const char *path = NULL;
    if (!PyArg_ParseTuple(arguments, "s", &path)) {
        return NULL;
    }
    call_enter(&c);
    if (!call_leave(&c, crank_study_table_read(path, INFINITY, &t, &err), &err)) {
        return NULL;
    }
    const crank_table *m = t->members;
    PyObject *columns = PyList_New(0), *members = PyList_New(0);
    for (int i = 0; i < t->column_count; i++) {
        list_add(&columns, Py_BuildValue("sz", t->columns[i].name, t->columns[i].unit));
    }
    for (int j = 0; j < m->columns; j++) {
        const double *values = m->values + (size_t)j * (size_t)m->rows;
        list_add(&members, Py_BuildValue("szN", m->names[j], m->units[j],
                                         array_copy(c.module, values, m->rows, 0)));
    }
    const bool courses = t->column_count > 0 && t->rows > 0;
    PyObject *out = Py_BuildValue(
        "{s:N,s:i,s:N,s:z,s:N,s:i,s:N,s:N}", "members", members, "factors", t->factors,
        "reasons", texts_object(m->rows, (const char *const *)t->reasons), "command",
        t->command, "columns", columns, "kept", t->members_kept, "time",
        array_copy(c.module, t->time, courses ? t->rows : 0, 0), "values",
        array_copy(c.module, t->values,
                   courses ? (Py_ssize_t)t->column_count * t->members_kept : 0,
                   courses ? t->rows : 1));
    crank_study_table_destroy(t);
    return out;
}

static PyObject *write_study_page(PyObject *module, PyObject *arguments)
{
    call c = {.module = PyModule_GetState(module)};
    crank_page page = crank_page_default();
    crank_study_table *t = NULL;
    crank_error err = {0};
    const char *path = NULL, *to = NULL;
    if (!PyArg_ParseTuple(arguments, "ssz", &path, &to, &page.template_path)) {
        return NULL;
    }
    call_enter(&c);
    crank_status status = crank_study_table_read(path, INFINITY, &t, &err);
    if (status == CRANK_OK) {
        status = crank_page_write_study(&page, t, to, NULL, &err);
    }
    crank_study_table_destroy(t);
    return call_leave(&c, status, &err) ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef study_functions[] = {
    {"sweep", sweep_study, METH_VARARGS, NULL},
    {"read_study", read_study, METH_VARARGS, NULL},
    {"write_study_page", write_study_page, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
