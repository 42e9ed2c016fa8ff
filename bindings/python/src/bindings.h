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
#include <stdatomic.h>

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
    atomic_bool raised;             /* there is such a thing */
    bool apart;                     /* the library works in other threads than the caller's */
    double asked;                   /* when signals were looked at last, s */
} call;

void call_enter(call *c);
/* Takes the interpreter back; raises what was kept, or status with err: false. */
bool call_leave(call *c, crank_status status, const crank_error *err);
/* Messages of the library become warnings; user is a call. */
crank_log call_log(call *c);
/* Looks for Ctrl-C a few times a second; user is a call. */
crank_status call_stop(void *user, crank_error *err);

/* Does the work in a thread of its own, while the caller's looks for Ctrl-C: for work in many
 * threads. Between enter and leave. */
void call_apart(call *c, void (*work)(void *), void *argument);
/* Keeps the exception that a callback has raised, if it is the first. */
void call_keep(call *c);

/* ---- convert.c ---- */

/* Appends an item, which it takes over; a list that fails is given up: NULL. */
void list_add(PyObject **list, PyObject *item);
/* A list of count texts; None for NULL among them. */
PyObject *texts_object(int count, const char *const *texts);
/* The texts of a list, to be freed; NULL with an exception. They live as long as the list. */
const char **texts_take(PyObject *list, int *count, const char *what);

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
/* A new instance of one of the module's types, all zero, and the end of one. */
void *object_new(PyTypeObject *type);
void object_free(PyObject *self);

/* ---- array.c: doubles of somebody else, by the buffer protocol ---- */

/* A view of rows doubles (columns == 0), or of rows x columns, row by row; keeps owner alive. */
PyObject *array_view(module_state *module, const double *values, Py_ssize_t rows,
                     Py_ssize_t columns, PyObject *owner);
/* The same of doubles of its own, made by malloc, which it frees. */
PyObject *array_take(module_state *module, double *values, Py_ssize_t rows, Py_ssize_t columns);
/* The same of a copy of count doubles. */
PyObject *array_copy(module_state *module, const double *values, Py_ssize_t rows,
                     Py_ssize_t columns);

/* ---- the types, a file each ---- */

/* an instance of the type of runs */
typedef struct run_object {
    PyObject_HEAD crank_run *run;
    PyObject *model; /* kept alive */
    call call;       /* the library's messages come here, during calls */
    bool busy;       /* a call is under way */
} run_object;

/* A call for the run: it is there, and no other call is under way; else false with an exception. */
bool run_begin(run_object *self);
bool run_end(run_object *self, crank_status status, const crank_error *err);
/* study.c: methods of runs */
PyObject *run_find_equilibrium(PyObject *self, PyObject *nothing);
PyObject *run_linearize(PyObject *self, PyObject *arguments);

PyTypeObject *array_type(PyObject *module);
PyTypeObject *model_type(PyObject *module);
PyTypeObject *run_type(PyObject *module);
PyTypeObject *table_type(PyObject *module);

const crank_model *model_of(PyObject *model); /* NULL with an exception: it is none */
const crank_table *table_of(PyObject *table); /* the same */
PyObject *model_wrap(module_state *module, crank_model *model);
PyObject *table_wrap(module_state *module, crank_table *table);

/* module-level functions, one table a file: {NULL} at their ends */
extern PyMethodDef model_functions[], rollout_functions[], run_functions[], solve_functions[],
    study_functions[], table_functions[];

#endif
