/* convert.c - texts and lists of settings between Python and the library. */
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
