/* linear_inputs.c - what parameters change, and what columns show: by differences, since both
 * are what a file says. Central differences of fourth order. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/blame.h"
#include "base/then.h"
#include "model/model.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double part = 1e-3; /* of a size: steps of differences of fourth order */
/* f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/(12 h) */
static const int steps[4] = {-2, -1, 1, 2};
static const double weights[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};

static double value_of(const crank_run *run, const char *name)
{
    for (int i = 0; i < run->model->parameter_count; i++) {
        if (strcmp(run->model->parameter[i].name, name) == 0) {
            return run->model->parameter[i].value;
        }
    }
    return 0.0;
}

/* A run of the same model in which the name has another value. */
static crank_status open_other(const crank_run *run, const char *name, double value,
                               crank_run **out, crank_error *err)
{
    crank_run_options o = run->asked;
    o.settings = NULL; /* they are in the model */
    o.setting_count = 0;
    o.log = (crank_log){0};
    crank_status status = crank_run_open_model(run->model, &o, out, err);
    CRANK_THEN(status, crank_run_set(*out, name, value, err));
    if (status == CRANK_OK &&
        ((*out)->eom->n != run->eom->n || (*out)->eom->m != run->eom->m)) {
        status = crank_fail(err, CRANK_EREFUSED,
                            "input %.80s: it changes the number of unknowns", name);
    }
    CRANK_THEN(status, crank_state_begin((*out)->model_state, run->t_start, run->x, err));
    return status;
}

static double step_of(double value)
{
    return part * fmax(fabs(value), value == 0.0 ? 1.0 : 0.0);
}

crank_status crank_linear_by_input(crank_run *run, const char *name, double *ku,
                                   crank_error *err)
{
    const int m = run->eom->m;
    const double value = value_of(run, name), h = step_of(value);
    double *k = malloc((size_t)m * sizeof *k);
    crank_status status = k != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "an input");
    memset(ku, 0, (size_t)m * sizeof *ku);
    for (int s = 0; s < 4 && status == CRANK_OK; s++) {
        crank_run *other = NULL;
        status =
            crank_blame_caller(err, open_other(run, name, value + steps[s] * h, &other, err));
        CRANK_THEN(status, crank_eom_evaluate(other->eom, run->t_start, run->x, k, err));
        for (int i = 0; i < m && status == CRANK_OK; i++) {
            ku[i] += weights[s] * k[i] / h;
        }
        crank_run_close(other);
    }
    free(k);
    return status;
}

static crank_status find_columns(const crank_run *run, const crank_linear_options *o,
                                 int *column, crank_error *err)
{
    for (int i = 0; i < o->output_count; i++) {
        column[i] = crank_run_find(run, o->outputs[i]);
        if (column[i] < 0) {
            return crank_blame_caller(err, crank_fail(err, CRANK_EARG,
                                                      "output: the model has no column %.80s",
                                                      o->outputs[i]));
        }
    }
    return CRANK_OK;
}

typedef struct shower {
    crank_run *run;
    const int *column;
    int count;
    double *x, *values;
} shower;

/* to (count) = derivatives of the columns along dx, where name (NULL: none) changes with it by
 * one */
static crank_status show(const shower *w, const double *dx, const char *name, double *to,
                         crank_error *err)
{
    crank_run *run = w->run;
    const int n = run->eom->n;
    double reach = 0.0; /* how far the longest unknown moves, in sizes */
    for (int j = 0; j < n; j++) {
        const double size = fmax(crank_eom_unit(run->eom, j), fabs(run->x[j]));
        reach = j >= run->eom->column[CRANK_R] ? fmax(reach, fabs(dx[j]) / size) : reach;
    }
    const double value = name != NULL ? value_of(run, name) : 0.0;
    double h = reach > 0.0 ? part / reach : part;
    h = name != NULL ? fmin(h, step_of(value)) : h;
    crank_status status = CRANK_OK;
    memset(to, 0, (size_t)w->count * sizeof *to);
    for (int s = 0; s < 4 && status == CRANK_OK; s++) {
        crank_run *other = NULL;
        for (int j = 0; j < n; j++) {
            w->x[j] = run->x[j] + steps[s] * h * dx[j];
        }
        if (name != NULL) {
            status = open_other(run, name, value + steps[s] * h, &other, err);
        }
        crank_state *state = other != NULL ? other->model_state : run->model_state;
        CRANK_THEN(status, crank_state_columns(state, run->t_start, w->x, w->values, err));
        for (int i = 0; i < w->count && status == CRANK_OK; i++) {
            to[i] += weights[s] * w->values[w->column[i]] / h;
        }
        crank_run_close(other);
    }
    return status;
}

crank_status crank_linear_outputs(crank_run *run, crank_linear_work *w,
                                  const crank_linear_options *o, const double *KU,
                                  crank_linear *out, crank_error *err)
{
    const size_t n = (size_t)run->eom->n, q = (size_t)o->output_count;
    double *room = calloc(2 * n + (size_t)run->columns + (size_t)w->states + 1, sizeof *room);
    int *column = calloc(q + 1, sizeof *column);
    crank_status status =
        room != NULL && column != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "outputs");
    CRANK_THEN(status, find_columns(run, o, column, err));
    if (status == CRANK_OK) {
        double *dx = room + n, *zeta = dx + n + run->columns;
        const shower s = {run, column, o->output_count, room, dx + n};
        for (int j = 0; j < w->states && q > 0 && status == CRANK_OK; j++) {
            zeta[j] = 1.0;
            status = crank_linear_follow(w, zeta, NULL, dx, NULL, err);
            zeta[j] = 0.0;
            CRANK_THEN(status, show(&s, dx, NULL, out->C + (size_t)j * q, err));
        }
        for (int j = 0; j < o->input_count && q > 0 && status == CRANK_OK; j++) {
            status = crank_linear_follow(w, zeta, KU + (size_t)j * (size_t)run->eom->m, dx,
                                         NULL, err);
            CRANK_THEN(status, show(&s, dx, o->inputs[j], out->D + (size_t)j * q, err));
        }
    }
    free(room);
    free(column);
    return status;
}
