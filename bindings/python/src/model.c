/* model.c - models: read from files, texts and drafts; what they are made of. Constant, so that
 * threads share them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <stdlib.h>
#include <string.h>

typedef struct model {
    PyObject_HEAD crank_model *model;
} model;

/* what models are made with; the lists are freed by request_free */
typedef struct request {
    crank_model_options options;
    settings set;
    const char **vary;
} request;

static void request_free(request *r)
{
    settings_free(&r->set);
    free(r->vary);
}

static bool take_vary(request *r, PyObject *names)
{
    if (names == NULL || names == Py_None) {
        return true;
    }
    r->vary = texts_take(names, &r->options.vary_count, "names of vary");
    if (r->vary == NULL) {
        return false;
    }
    r->options.vary = r->vary;
    return true;
}

/* "joint", "absolute", "auto", as in files; NULL: the file's */
static bool take_coordinates(request *r, call *c, const char *text)
{
    crank_options options = crank_options_default();
    crank_error err = {0};
    if (text != NULL) {
        const crank_status status = crank_options_set(&options, "coordinates", text, &err);
        if (!call_leave(c, status, &err)) {
            return false;
        }
        r->options.coordinates = options.coordinates;
    }
    return true;
}

static bool request_take(request *r, call *c, PyObject *set, const char *name,
                         const char *coordinates, int compile, PyObject *vary)
{
    r->options = crank_model_options_default();
    r->options.model = name;
    r->options.compile = compile != 0;
    r->options.log = call_log(c);
    if (!settings_take(&r->set, set) || !take_vary(r, vary) ||
        !take_coordinates(r, c, coordinates)) {
        return false;
    }
    r->options.settings = r->set.item;
    r->options.setting_count = r->set.count;
    return true;
}

PyObject *model_wrap(module_state *module, crank_model *made)
{
    model *self = object_new(module->model);
    if (self == NULL) {
        crank_model_destroy(made);
        return NULL;
    }
    self->model = made;
    return (PyObject *)self;
}

const crank_model *model_of(PyObject *object)
{
    module_state *module = PyType_GetModuleState(Py_TYPE(object));
    if (module == NULL || Py_TYPE(object) != module->model) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "a model is needed");
        return NULL;
    }
    return ((model *)object)->model;
}

/* read_model(path, text, set, model, coordinates, compile, vary): text not None is the file's
 * content, path its name then */
static PyObject *read_model(PyObject *module, PyObject *arguments)
{
    call c = {.module = PyModule_GetState(module)};
    const char *path = NULL, *text = NULL, *name = NULL, *coordinates = NULL;
    Py_ssize_t length = 0;
    PyObject *set = NULL, *vary = NULL;
    int compile = 0;
    request r = {0};
    crank_model *made = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "sz#OzzpO", &path, &text, &length, &set, &name,
                          &coordinates, &compile, &vary)) {
        return NULL;
    }
    if (!request_take(&r, &c, set, name, coordinates, compile, vary)) {
        request_free(&r);
        return NULL;
    }
    call_enter(&c);
    const crank_status status = text != NULL ? crank_model_read_text(path, text, (size_t)length,
                                                                     &r.options, &made, &err)
                                             : crank_model_read(path, &r.options, &made, &err);
    request_free(&r);
    if (!call_leave(&c, status, &err)) {
        crank_model_destroy(made);
        return NULL;
    }
    return model_wrap(c.module, made);
}

/* draft_model(kind, entries, set, vary): entries is a list of (place, value) */
static PyObject *draft_model(PyObject *module, PyObject *arguments)
{
    call c = {.module = PyModule_GetState(module)};
    const char *kind = NULL, *place = NULL, *value = NULL, *coordinates = NULL;
    PyObject *entries = NULL, *set = NULL, *vary = NULL;
    request r = {0};
    crank_model *made = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "sO!OzO", &kind, &PyList_Type, &entries, &set,
                          &coordinates, &vary)) {
        return NULL;
    }
    crank_draft *draft = crank_draft_create(kind);
    bool good = draft != NULL && request_take(&r, &c, set, NULL, coordinates, 0, vary);
    for (Py_ssize_t i = 0; good && i < PyList_Size(entries); i++) {
        good = PyArg_ParseTuple(PyList_GetItem(entries, i), "ss", &place, &value) != 0;
        if (good) {
            crank_draft_set(draft, place, value);
        }
    }
    if (good) {
        call_enter(&c);
        const crank_status status = crank_draft_model(draft, &r.options, &made, &err);
        good = call_leave(&c, status, &err);
    } else if (draft == NULL) {
        PyErr_NoMemory();
    }
    request_free(&r);
    crank_draft_destroy(draft);
    if (!good) {
        crank_model_destroy(made);
        return NULL;
    }
    return model_wrap(c.module, made);
}

/* ---- what a model is made of ---- */

static PyObject *parameters(PyObject *self, PyObject *nothing)
{
    const crank_model *m = ((model *)self)->model;
    const crank_parameter *p = NULL;
    PyObject *list = PyList_New(0);
    (void)nothing;
    for (int i = 0; list != NULL && (p = crank_model_parameter(m, i)) != NULL; i++) {
        PyObject *item =
            Py_BuildValue("sdO", p->name, p->value, p->in_place ? Py_True : Py_False);
        list_add(&list, item);
    }
    return list;
}

static PyObject *columns(PyObject *self, PyObject *nothing)
{
    const crank_model *m = ((model *)self)->model;
    PyObject *list = PyList_New(0);
    (void)nothing;
    for (int i = 0; list != NULL && i < crank_model_column_count(m); i++) {
        PyObject *item =
            Py_BuildValue("sss", crank_model_column_name(m, i), crank_model_column_unit(m, i),
                          crank_model_column_description(m, i));
        list_add(&list, item);
    }
    return list;
}

static PyObject *simulate(PyObject *self, PyObject *nothing)
{
    const crank_simulate *s = crank_model_simulate(((model *)self)->model);
    (void)nothing;
    return Py_BuildValue("{s:d,s:d,s:d,s:i,s:z}", "t_start", s->t_start, "t_end", s->t_end,
                         "every", s->every, "points", s->points, "method", s->method);
}

static PyObject *scene(PyObject *self, PyObject *nothing)
{
    call c = {.module = state_of(self)};
    crank_error err = {0};
    char *text = NULL;
    (void)nothing;
    const crank_status status = crank_model_scene(((model *)self)->model, &text, &err);
    PyObject *out = call_leave(&c, status, &err) ? text_object(text) : NULL;
    free(text);
    return out;
}

static PyObject *get_title(PyObject *self, void *nothing)
{
    (void)nothing;
    return text_object(crank_model_title(((model *)self)->model));
}

static PyObject *get_kind(PyObject *self, void *nothing)
{
    (void)nothing;
    return text_object(crank_model_kind(((model *)self)->model));
}

static void destroy(PyObject *self)
{
    crank_model_destroy(((model *)self)->model);
    object_free(self);
}

PyMethodDef model_functions[] = {
    {"read_model", read_model, METH_VARARGS, NULL},
    {"draft_model", draft_model, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *model_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"parameters", parameters, METH_NOARGS, NULL},
        {"columns", columns, METH_NOARGS, NULL},
        {"simulate", simulate, METH_NOARGS, NULL},
        {"scene", scene, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyGetSetDef properties[] = {
        {"title", get_title, NULL, NULL, NULL},
        {"kind", get_kind, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, destroy},
        {Py_tp_methods, methods},
        {Py_tp_getset, properties},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "crankmbs._crank.Model",
        .basicsize = sizeof(model),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
