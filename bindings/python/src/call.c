/* call.c - calls of the library: the interpreter is let go and taken back, statuses become
 * exceptions, messages warnings, Ctrl-C the end of a run. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <pthread.h>
#include <time.h>

static const double look_every = 0.1; /* s, for Ctrl-C */

void call_enter(call *c)
{
    c->thread = PyEval_SaveThread();
}

void call_keep(call *c)
{
    if (c->type == NULL) {
        PyErr_Fetch(&c->type, &c->value, &c->trace);
        atomic_store(&c->raised, true);
    } else {
        PyErr_Clear();
    }
}

/* An instance of crankmbs.Error with what the library says. */
static void raise_status(const module_state *module, crank_status status,
                         const crank_error *err)
{
    const char *text = err->text[0] != '\0' ? err->text : crank_status_text(status);
    PyObject *value = PyObject_CallFunction(module->error, "sssiiO", text,
                                            crank_status_name(status), err->file, err->line,
                                            err->column, err->given ? Py_True : Py_False);
    if (value != NULL) {
        PyErr_SetObject(module->error, value);
        Py_DECREF(value);
    }
}

bool call_leave(call *c, crank_status status, const crank_error *err)
{
    if (c->thread != NULL) {
        PyEval_RestoreThread(c->thread);
        c->thread = NULL;
    }
    if (c->type != NULL) {
        PyErr_Restore(c->type, c->value, c->trace);
        c->type = c->value = c->trace = NULL;
        atomic_store(&c->raised, false);
        return false;
    }
    if (status == CRANK_EMEM) {
        PyErr_NoMemory();
    } else if (status != CRANK_OK) {
        raise_status(c->module, status, err);
    }
    return status == CRANK_OK;
}

/* the library may call from threads of its own */
static void warn(crank_level level, const char *text, void *user)
{
    call *c = user;
    if (level == CRANK_WARNING) {
        const PyGILState_STATE gil = PyGILState_Ensure();
        if (c->type == NULL && PyErr_WarnEx(c->module->warning, text, 2) < 0) {
            call_keep(c);
        }
        PyGILState_Release(gil);
    }
}

crank_log call_log(call *c)
{
    return (crank_log){.write = warn, .user = c};
}

/* Signals are handled; what that raises is kept. */
static void look(call *c)
{
    const PyGILState_STATE gil = PyGILState_Ensure();
    if (c->type == NULL && PyErr_CheckSignals() < 0) {
        call_keep(c);
    }
    PyGILState_Release(gil);
}

crank_status call_stop(void *user, crank_error *err)
{
    call *c = user;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (!c->apart && !(seconds - c->asked < look_every)) {
        c->asked = seconds;
        look(c);
    }
    return atomic_load(&c->raised) ? crank_fail(err, CRANK_EINTERRUPTED, "interrupted")
                                   : CRANK_OK;
}

typedef struct errand {
    void (*work)(void *);
    void *argument;
    atomic_bool done;
} errand;

static void *run_errand(void *user)
{
    errand *e = user;
    e->work(e->argument);
    atomic_store(&e->done, true);
    return NULL;
}

void call_apart(call *c, void (*work)(void *), void *argument)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    errand e = {.work = work, .argument = argument};
    pthread_t thread;
    c->apart = true;
    if (pthread_create(&thread, NULL, run_errand, &e) != 0) {
        c->apart = false; /* the system has no more */
        work(argument);
        return;
    }
    while (!atomic_load(&e.done)) {
        (void)nanosleep(&pause, NULL);
        look(c);
    }
    (void)pthread_join(thread, NULL);
    c->apart = false;
}
