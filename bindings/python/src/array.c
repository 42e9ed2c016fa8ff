/* array.c - arrays of doubles that others read without copying, by the buffer protocol:
 * memoryview(array), numpy.asarray(array). They cannot be written to, and keep what owns the
 * numbers alive. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <stdlib.h>
#include <string.h>

typedef struct array {
    PyObject_HEAD double *own; /* freed with the array; NULL: owner has them */
    const double *values;
    PyObject *owner;
    int dimensions;
    Py_ssize_t shape[2], stride[2];
} array;

static PyObject *make(module_state *module, const double *values, Py_ssize_t rows,
                      Py_ssize_t columns)
{
    array *a = object_new(module->array);
    if (a != NULL) {
        a->values = values;
        a->dimensions = columns > 0 ? 2 : 1;
        a->shape[0] = rows;
        a->shape[1] = columns;
        a->stride[0] = (Py_ssize_t)sizeof(double) * (columns > 0 ? columns : 1);
        a->stride[1] = (Py_ssize_t)sizeof(double);
    }
    return (PyObject *)a;
}

PyObject *array_view(module_state *module, const double *values, Py_ssize_t rows,
                     Py_ssize_t columns, PyObject *owner)
{
    PyObject *self = make(module, values, rows, columns);
    if (self != NULL) {
        ((array *)self)->owner = Py_NewRef(owner);
    }
    return self;
}

PyObject *array_take(module_state *module, double *values, Py_ssize_t rows, Py_ssize_t columns)
{
    PyObject *self = make(module, values, rows, columns);
    if (self == NULL) {
        free(values);
    } else {
        ((array *)self)->own = values;
    }
    return self;
}

PyObject *array_copy(module_state *module, const double *values, Py_ssize_t rows,
                     Py_ssize_t columns)
{
    const size_t count = (size_t)rows * (size_t)(columns > 0 ? columns : 1);
    double *own = malloc((count + 1) * sizeof *own);
    if (own == NULL) {
        return PyErr_NoMemory();
    }
    if (count > 0) {
        memcpy(own, values, count * sizeof *own);
    }
    return array_take(module, own, rows, columns);
}

static void destroy(PyObject *self)
{
    array *a = (array *)self;
    free(a->own);
    Py_XDECREF(a->owner);
    object_free(self);
}

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    array *a = (array *)self;
    static const double nothing = 0.0;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "results cannot be written to; copy them");
        return -1;
    }
    const Py_ssize_t count = a->shape[0] * (a->dimensions == 2 ? a->shape[1] : 1);
    /* a buffer has no constant pointers; it is read-only all the same */
    union {
        const double *constant;
        void *plain;
    } values = {a->values != NULL ? a->values : &nothing};
    view->buf = values.plain;
    view->obj = Py_NewRef(self);
    view->len = count * (Py_ssize_t)sizeof(double);
    view->readonly = 1;
    view->itemsize = (Py_ssize_t)sizeof(double);
    static char format[] = "d"; /* CPython's type has no const */
    view->format = (flags & PyBUF_FORMAT) != 0 ? format : NULL;
    view->ndim = a->dimensions;
    view->shape = a->shape;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? a->stride : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

static Py_ssize_t length(PyObject *self)
{
    return ((array *)self)->shape[0];
}

PyTypeObject *array_type(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, destroy},
        {Py_bf_getbuffer, get_buffer},
        {Py_sq_length, length},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "crankmbs._crank.Array",
        .basicsize = sizeof(array),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
