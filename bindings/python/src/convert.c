/* convert.c - texts, lists and settings between Python and the library; new objects. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <stdlib.h>

bool text_or_none(PyObject *object, const char **out)
{
    *out = NULL;
    if (object == NULL || object == Py_None) {
        return true;
    }
    *out = PyUnicode_AsUTF8AndSize(object, NULL);
    return *out != NULL;
}

PyObject *text_object(const char *text)
{
    return text != NULL ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

void list_add(PyObject **list, PyObject *item)
{
    if (*list != NULL && (item == NULL || PyList_Append(*list, item) < 0)) {
        Py_CLEAR(*list);
    }
    Py_XDECREF(item);
}

PyObject *texts_object(int count, const char *const *texts)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count; i++) {
        list_add(&list, text_object(texts[i]));
    }
    return list;
}

const char **texts_take(PyObject *list, int *count, const char *what)
{
    const Py_ssize_t length = PyList_Check(list) ? PyList_Size(list) : 0;
    const char **texts = calloc((size_t)length + 1, sizeof *texts);
    bool good = texts != NULL && PyList_Check(list);
    for (Py_ssize_t i = 0; i < length && good; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        good = texts[i] != NULL;
    }
    if (!good) {
        PyErr_Format(PyExc_TypeError, "%s are a list of str", what);
        free(texts);
        return NULL;
    }
    *count = (int)length;
    return texts;
}

void *object_new(PyTypeObject *type)
{
    const allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

bool settings_take(settings *out, PyObject *dict)
{
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t place = 0;
    *out = (settings){0};
    if (dict == NULL || dict == Py_None) {
        return true;
    }
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "settings are a dict of str to str");
        return false;
    }
    out->item = calloc((size_t)PyDict_Size(dict) + 1, sizeof *out->item);
    if (out->item == NULL) {
        PyErr_NoMemory();
        return false;
    }
    while (PyDict_Next(dict, &place, &key, &value)) {
        crank_setting *item = &out->item[out->count++];
        if (!text_or_none(key, &item->name) || !text_or_none(value, &item->value) ||
            item->name == NULL || item->value == NULL) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_TypeError, "settings are a dict of str to str");
            }
            settings_free(out);
            return false;
        }
    }
    return true;
}

void settings_free(settings *list)
{
    free(list->item);
    *list = (settings){0};
}
