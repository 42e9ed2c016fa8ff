/* functions.c - functions of the caller as the library's callbacks: equations and events. */
// SPDX-License-Identifier: BSD-3-Clause
#include "solve.h"

#include <stdio.h>
#include <string.h>

bool guarded(call *c, int count, mxArray **in, const mxArray *function, mxArray **value)
{
    mxArray *out[2] = {NULL, NULL};
    in[0] = mxDuplicateArray(function);
    const bool failed =
        mexCallMATLAB(2, out, count, in, "crank_guard") != 0 || !mxIsEmpty(out[1]);
    if (failed && c->thrown == NULL) {
        c->thrown = out[1];
    } else {
        mxDestroyArray(out[1]);
    }
    for (int i = 0; i < count; i++) {
        mxDestroyArray(in[i]);
    }
    *value = out[0];
    return !failed;
}

/* out (count) = function(t, a, b), a and b of n values; b: NULL is left out. what: "a function" */
static crank_status ask(solution *s, const mxArray *function, double t, int n, const double *a,
                        const double *b, int count, double *out, const char *what)
{
    mxArray *in[4] = {NULL, mxCreateDoubleScalar(t), matrix_of(n, 1, a),
                      b != NULL ? matrix_of(n, 1, b) : NULL};
    mxArray *value = NULL;
    if (s->c->thrown != NULL || !guarded(s->c, b != NULL ? 4 : 3, in, function, &value)) {
        return CRANK_ESTOP_EQUATIONS;
    }
    const size_t found = mxIsDouble(value) && !mxIsComplex(value) && !mxIsSparse(value)
                             ? (size_t)mxGetNumberOfElements(value)
                             : 0;
    if (found == (size_t)count) {
        memcpy(out, mxGetPr(value), found * sizeof *out);
    } else if (s->wrong[0] == '\0') {
        (void)snprintf(s->wrong, sizeof s->wrong,
                       "%s returned %zu real numbers where %d are needed", what, found, count);
    }
    mxDestroyArray(value);
    return found == (size_t)count ? CRANK_OK : CRANK_ESTOP_EQUATIONS;
}

/* ---- M(t, y) y' = f(t, y) ---- */

crank_status function_evaluate(double t, const double *y, double *k, void *user)
{
    solution *s = user;
    return ask(s, s->function, t, s->n, y, NULL, s->n, k, "the function");
}

crank_status function_dae_mass(double t, const double *y, double *E, void *user)
{
    solution *s = user;
    return ask(s, s->mass, t, s->n, y, NULL, s->n * s->n, E, "Mass");
}

crank_status function_jacobian(double t, const double *y, double *J, void *user)
{
    solution *s = user;
    return ask(s, s->derivative, t, s->n, y, NULL, s->n * s->n, J, "Jacobian");
}

/* ---- equations of motion ---- */

crank_status function_force(double t, const double *p, const double *v, double *f, void *user)
{
    solution *s = user;
    return ask(s, s->function, t, s->n, p, v, s->n, f, "f");
}

crank_status function_mass(double t, const double *p, const double *v, double *M, void *user)
{
    solution *s = user;
    return ask(s, s->mass, t, s->n, p, v, s->n * s->n, M, "M");
}

crank_status function_constraint(double t, const double *p, const double *v, double *g,
                                 void *user)
{
    solution *s = user;
    return ask(s, s->constraint, t, s->n, p, v, s->constraints, g, "g");
}

crank_status function_gradient(double t, const double *p, const double *v, double *G,
                               void *user)
{
    solution *s = user;
    return ask(s, s->derivative, t, s->n, p, v, s->constraints * s->n, G, "G");
}

void solution_values(const solution *s, const double *from, double *to)
{
    const double *p, *v, *lambda;
    if (s->motion == NULL) {
        memcpy(to, from, (size_t)s->columns * sizeof *to);
        return;
    }
    const size_t n = (size_t)s->n;
    crank_motion_split(s->motion, from, &p, &v, &lambda);
    memcpy(to, p, n * sizeof *to);
    memcpy(to + n, v, n * sizeof *to);
    memcpy(to + 2 * n, lambda, (size_t)s->constraints * sizeof *to);
}

/* ---- events ---- */

/* values = watch(t, y); y: the columns of a model, y of equations, or [p; v] */
static crank_status evaluate_events(void *user, double t, const double *x, double *values,
                                    crank_error *err)
{
    solution *s = user;
    crank_run *run = s->c->run;
    const bool model = s->equations == NULL;
    const int size = model ? crank_run_column_count(run) : s->motion != NULL ? 2 * s->n : s->n;
    crank_status status = CRANK_OK;
    if (s->y == NULL) {
        s->y = mxCalloc((size_t)(size + s->constraints) + 1, sizeof *s->y);
    }
    if (model) {
        status = crank_state_columns(crank_run_model_state(run), t, x, s->y, err);
    } else if (s->motion != NULL) {
        solution_values(s, x, s->y);
    } else {
        memcpy(s->y, x, (size_t)size * sizeof *x);
    }
    if (status != CRANK_OK) {
        return status;
    }
    status = ask(s, s->watch, solution_time(s, t), size, s->y, NULL, s->watched.count, values,
                 "the event function");
    return status == CRANK_OK
               ? status
               : crank_fail(err, status, "%s",
                            s->wrong[0] != '\0' ? s->wrong : "the event function failed");
}

static crank_status happen(void *user, const signed char *happened, double t, const double *x,
                           bool *stop, crank_error *err)
{
    const solution *s = user;
    (void)t;
    (void)x;
    (void)err;
    for (int i = 0; i < s->watched.count; i++) {
        *stop = *stop || (happened[i] != 0 && s->terminal[i] != 0.0);
    }
    return CRANK_OK;
}

/* request.watch: a function; request.watch_direction, watch_terminal: as many numbers as it has
 * values. */
void solution_watch(solution *s)
{
    const mxArray *request = s->c->request, *direction = field(request, "watch_direction");
    s->watch = field(request, "watch");
    if (s->watch == NULL) {
        return;
    }
    const size_t count = mxGetNumberOfElements(direction);
    const char **name = mxCalloc(count + 1, sizeof *name);
    signed char *sense = mxCalloc(count + 1, sizeof *sense);
    for (size_t i = 0; i < count; i++) {
        const double d = mxGetPr(direction)[i];
        name[i] = "Events";
        sense[i] = (signed char)((d > 0.0) - (d < 0.0));
    }
    s->terminal = mxGetPr(field(request, "watch_terminal"));
    s->watched = (crank_events){.count = (int)count,
                                .evaluate = evaluate_events,
                                .name = name,
                                .direction = sense,
                                .user = s};
    s->c->events = &s->watched;
    s->c->happen = happen;
}
