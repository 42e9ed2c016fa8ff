/* bindings.h - what the files of the extension share. Only CPython's limited API is used, so that
 * one library serves Python 3.11 and all later ones.
 *
 * While the library works, the interpreter is free (enter, leave). Messages and callbacks take it
 * back; what they raise is kept in the call and raised when the library has returned. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BINDINGS_H
#define CRANK_BINDINGS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <crank/crank.h>

/* what the module owns */
typedef struct module_state {
    PyObject *error;   /* crankmbs.Error */
    PyObject *warning; /* crankmbs.CrankWarning */
    PyTypeObject *model, *run, *table, *array;
} module_state;

/* of an instance of one of the module's types; NULL with an exception */
module_state *state_of(PyObject *self);

/* ---- call.c: a call of the library ---- */

typedef struct call {
    module_state *module;
    PyThreadState *thread;          /* not NULL: the interpreter is free */
    PyObject *type, *value, *trace; /* what a callback raised first */
    double asked;                   /* when signals were looked at last, s */
} call;

void call_enter(call *c);
/* Takes the interpreter back; raises what was kept, or status with err: false. */
bool call_leave(call *c, crank_status status, const crank_error *err);
/* Messages of the library become warnings; user is a call. */
crank_log call_log(call *c);
/* Looks for Ctrl-C a few times a second; user is a call. */
crank_status call_stop(void *user, crank_error *err);

/* ---- convert.c ---- */

/* A list of names and values as the library takes them, from a dict of str to str. */
typedef struct settings {
    crank_setting *item;
    int count;
} settings;

/* dict: NULL or None is empty. The texts live as long as the dict is left alone. */
bool settings_take(settings *out, PyObject *dict);
void settings_free(settings *list);
/* UTF-8 of str or None (NULL); false with an exception */
bool text_or_none(PyObject *object, const char **out);
/* a str of the library's text; None for NULL */
PyObject *text_object(const char *text);

/* ---- array.c: doubles of somebody else, by the buffer protocol ---- */

/* A view of rows doubles (columns == 0), or of rows x columns, row by row; keeps owner alive. */
PyObject *array_view(module_state *module, const double *values, Py_ssize_t rows,
                     Py_ssize_t columns, PyObject *owner);
/* The same of doubles of its own, made by malloc, which it frees. */
PyObject *array_take(module_state *module, double *values, Py_ssize_t rows, Py_ssize_t columns);

/* ---- the types, a file each ---- */

PyTypeObject *array_type(PyObject *module);
PyTypeObject *model_type(PyObject *module);
PyTypeObject *run_type(PyObject *module);
PyTypeObject *table_type(PyObject *module);

const crank_model *model_of(PyObject *model); /* NULL with an exception: it is none */
PyObject *model_wrap(module_state *module, crank_model *model);
PyObject *table_wrap(module_state *module, crank_table *table);

/* module-level functions, one table a file: {NULL} at their ends */
extern PyMethodDef model_functions[], run_functions[], solve_functions[], table_functions[];

#endif
