/* module.c - crankmbs._crank: the library for Python. The package crankmbs is written on it; what
 * this module has takes and gives plain things (str, float, tuples) and decides nothing. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

module_state *state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

static PyObject *version(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return text_object(crank_version());
}

/* [(name, description)]: methods and aliases */
static PyObject *methods(PyObject *module, PyObject *nothing)
{
    PyObject *list = PyList_New(0);
    const char *name = NULL, *help = NULL;
    (void)module;
    (void)nothing;
    for (int i = 0; list != NULL && crank_method_describe(i, &name, &help); i++) {
        PyObject *item = Py_BuildValue("ss", name, help);
        list_add(&list, item);
    }
    return list;
}

/* [(name, range and default, explanation)] of all options */
static PyObject *options(PyObject *module, PyObject *nothing)
{
    PyObject *list = PyList_New(0);
    const char *name = NULL, *help = NULL;
    char range[240];
    (void)module;
    (void)nothing;
    for (int i = 0;
         list != NULL && crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        PyObject *item = Py_BuildValue("sss", name, range, help);
        list_add(&list, item);
    }
    return list;
}

/* set_exceptions(Error, CrankWarning): those that the package has */
static PyObject *set_exceptions(PyObject *module, PyObject *arguments)
{
    module_state *state = PyModule_GetState(module);
    PyObject *error = NULL, *warning = NULL;
    if (!PyArg_ParseTuple(arguments, "OO", &error, &warning)) {
        return NULL;
    }
    Py_XDECREF(state->error);
    Py_XDECREF(state->warning);
    state->error = Py_NewRef(error);
    state->warning = Py_NewRef(warning);
    return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, NULL},
    {"methods", methods, METH_NOARGS, NULL},
    {"options", options, METH_NOARGS, NULL},
    {"set_exceptions", set_exceptions, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    state->error = Py_NewRef(PyExc_RuntimeError);
    state->warning = Py_NewRef(PyExc_RuntimeWarning);
    state->array = array_type(module);
    state->model = model_type(module);
    state->run = run_type(module);
    state->table = table_type(module);
    PyTypeObject *const types[] = {state->array, state->model, state->run, state->table};
    PyMethodDef *const tables[] = {model_functions, rollout_functions, run_functions,
                                   solve_functions, study_functions,   table_functions};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i] == NULL || PyModule_AddType(module, types[i]) < 0) {
            return -1;
        }
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            return -1;
        }
    }
    return PyModule_AddIntConstant(module, "STEP_POINTS", CRANK_STEP_POINTS);
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->error);
    Py_VISIT(state->warning);
    Py_VISIT(state->array);
    Py_VISIT(state->model);
    Py_VISIT(state->run);
    Py_VISIT(state->table);
    return 0;
}

static int clear(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->error);
    Py_CLEAR(state->warning);
    Py_CLEAR(state->array);
    Py_CLEAR(state->model);
    Py_CLEAR(state->run);
    Py_CLEAR(state->table);
    return 0;
}

/* an interpreter that ends frees modules that its collector did not clear */
static void release(void *module)
{
    (void)clear(module);
}

PyMODINIT_FUNC PyInit__crank(void);

PyMODINIT_FUNC PyInit__crank(void)
{
    static PyModuleDef_Slot slots[] = {
        {Py_mod_exec, execute},
        {0, NULL},
    };
    static struct PyModuleDef definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "crankmbs._crank",
        .m_size = sizeof(module_state),
        .m_methods = functions,
        .m_slots = slots,
        .m_traverse = traverse,
        .m_clear = clear,
        .m_free = release,
    };
    return PyModuleDef_Init(&definition);
}
