/* table.c - results: columns without copying, files, pages. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

typedef struct table {
    PyObject_HEAD crank_table *table;
} table;

PyObject *table_wrap(module_state *module, crank_table *made)
{
    table *self = object_new(module->table);
    if (self == NULL) {
        crank_table_destroy(made);
        return NULL;
    }
    self->table = made;
    return (PyObject *)self;
}

const crank_table *table_of(PyObject *object)
{
    module_state *module = PyType_GetModuleState(Py_TYPE(object));
    if (module == NULL || Py_TYPE(object) != module->table) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "a result is needed");
        return NULL;
    }
    return ((table *)object)->table;
}

static PyObject *read_table(PyObject *module, PyObject *arguments)
{
    call c = {.module = PyModule_GetState(module)};
    const char *path = NULL;
    crank_table *made = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "s", &path)) {
        return NULL;
    }
    call_enter(&c);
    const crank_status status = crank_table_read(path, &made, &err);
    return call_leave(&c, status, &err) ? table_wrap(c.module, made) : NULL;
}

static PyObject *get_names(PyObject *self, void *nothing)
{
    const crank_table *t = ((table *)self)->table;
    (void)nothing;
    return texts_object(t->columns, (const char *const *)t->names);
}

static PyObject *get_units(PyObject *self, void *nothing)
{
    const crank_table *t = ((table *)self)->table;
    (void)nothing;
    return texts_object(t->columns, (const char *const *)t->units);
}

static PyObject *get_descriptions(PyObject *self, void *nothing)
{
    const crank_table *t = ((table *)self)->table;
    (void)nothing;
    return texts_object(t->columns, (const char *const *)t->descriptions);
}

static PyObject *get_title(PyObject *self, void *nothing)
{
    (void)nothing;
    return text_object(((table *)self)->table->title);
}

static PyObject *get_method(PyObject *self, void *nothing)
{
    (void)nothing;
    return text_object(((table *)self)->table->method);
}

static PyObject *column(PyObject *self, PyObject *arguments)
{
    const crank_table *t = ((table *)self)->table;
    int j = 0;
    if (!PyArg_ParseTuple(arguments, "i", &j)) {
        return NULL;
    }
    if (j < 0 || j >= t->columns) {
        PyErr_SetString(PyExc_IndexError, "there is no such column");
        return NULL;
    }
    return array_view(state_of(self), t->values + (size_t)j * (size_t)t->rows, t->rows, 0,
                      self);
}

static PyObject *write_table(PyObject *self, PyObject *arguments)
{
    call c = {.module = state_of(self)};
    const char *path = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "s", &path)) {
        return NULL;
    }
    call_enter(&c);
    const crank_status status = crank_table_write(((table *)self)->table, path, &err);
    return call_leave(&c, status, &err) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *write_page(PyObject *self, PyObject *arguments)
{
    call c = {.module = state_of(self)};
    crank_page page = crank_page_default();
    const char *path = NULL;
    crank_error err = {0};
    if (!PyArg_ParseTuple(arguments, "sz", &path, &page.template_path)) {
        return NULL;
    }
    call_enter(&c);
    const crank_status status =
        crank_page_write(&page, ((table *)self)->table, path, NULL, &err);
    return call_leave(&c, status, &err) ? Py_NewRef(Py_None) : NULL;
}

static void destroy(PyObject *self)
{
    crank_table_destroy(((table *)self)->table);
    object_free(self);
}

PyMethodDef table_functions[] = {
    {"read_table", read_table, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *table_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"column", column, METH_VARARGS, NULL},
        {"write", write_table, METH_VARARGS, NULL},
        {"write_page", write_page, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyGetSetDef properties[] = {
        {"names", get_names, NULL, NULL, NULL},
        {"units", get_units, NULL, NULL, NULL},
        {"descriptions", get_descriptions, NULL, NULL, NULL},
        {"title", get_title, NULL, NULL, NULL},
        {"method", get_method, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, destroy},
        {Py_tp_methods, methods},
        {Py_tp_getset, properties},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "crankmbs._crank.Table",
        .basicsize = sizeof(table),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
