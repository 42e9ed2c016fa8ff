/* linear_inputs.c - what parameters and inputs change, and what columns show: by differences,
 * since both are what a file says. Central differences of fourth order.
 *
 * An input u that drives lead by stands in constraints, g(p, u(t)) = 0, whose hidden levels
 * have u' and u'': these are inputs of their own then, theory (12.13), named u' and u''. They are
 * found with u + h (t - t0)^i/i! in place of u. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/blame.h"
#include "base/number.h"
#include "base/then.h"
#include "eom/scale.h"
#include "model/model.h"
#include "run/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double part = 1e-3; /* of a size: steps of differences of fourth order */
/* looks for the size of an input, in parts of ten, then in thousands */
enum { MEASURES = 16 };
/* longer steps after which an input that changes nothing counts as one that does not act: what
 * rounding has swallowed (1e-16) and a thousandth of it */
enum { UNSEEN = 6 };
/* f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/(12 h): pair after pair, so that what does not
 * change has none */
enum { POINTS = 4 };
static const int steps[POINTS] = {1, -1, 2, -2};
static const double weights[POINTS] = {8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0, -1.0 / 12.0};

/* Adds value s of the formula to the derivative; before (count): of the points before. */
static void add_point(int s, int count, const double *value, double h, double *before,
                      double *derivative)
{
    for (int i = 0; i < count && s % 2 == 0; i++) {
        before[i] = value[i];
    }
    for (int i = 0; i < count && s % 2 == 1; i++) {
        derivative[i] += weights[s] * ((before[i] - value[i]) / h);
    }
}

/* A run of the same model in which an input or a parameter is another one. */
typedef struct variant {
    crank_model *model; /* of its own; NULL: none */
    crank_run *run;
} variant;

static void close_variant(variant *v)
{
    crank_run_close(v->run);
    crank_model_destroy(v->model);
    *v = (variant){0};
}

/* How the model of the run is made, with what was set in place; the list is to be freed. */
static crank_status present_options(const crank_run *run, crank_model_options *made,
                                    crank_setting **list, crank_error *err)
{
    const crank_state *state = run->model_state;
    const size_t before = (size_t)run->model->options.setting_count,
                 more = (size_t)state->setting_count;
    *made = run->model->options;
    *list = calloc(before + more + 1, sizeof **list);
    if (*list == NULL) {
        return crank_fail(err, CRANK_EMEM, "settings");
    }
    for (size_t i = 0; i < before + more; i++) {
        (*list)[i] = i < before ? made->settings[i] : state->setting[i - before];
    }
    made->settings = *list;
    made->setting_count = (int)(before + more);
    return CRANK_OK;
}

/* Moves the channel by that much. found: NULL, or is it an input of the file? */
static crank_status open_variant(const crank_run *run, crank_linear_channel *c, double by,
                                 variant *out, crank_error *err)
{
    crank_run_options o = run->asked;
    crank_model_options made;
    crank_setting *list = NULL;
    const crank_nudge nudge = {c->input, c->order, by, run->t_start, &c->moves, &c->value};
    *out = (variant){0};
    o.settings = NULL; /* they are in the model */
    o.setting_count = 0;
    o.log = (crank_log){0};
    crank_status status = present_options(run, &made, &list, err);
    const bool remade = c->moves || run->model_state->setting_count > 0;
    if (status == CRANK_OK && remade) {
        made.nudge = c->moves ? &nudge : NULL;
        status = crank_model_remake(run->model, &made, &out->model, err);
    }
    free(list);
    CRANK_THEN(status,
               crank_run_open_model(remade ? out->model : run->model, &o, &out->run, err));
    if (status == CRANK_OK && !c->moves) {
        status = crank_run_set(out->run, c->input, c->value + by, err);
    }
    if (status == CRANK_OK &&
        (out->run->eom->n != run->eom->n || out->run->eom->m != run->eom->m)) {
        status = crank_fail(err, CRANK_EREFUSED,
                            "input %.80s: it changes the number of unknowns", c->input);
    }
    CRANK_THEN(status, crank_state_begin(out->run->model_state, run->t_start, run->x, err));
    return status;
}

/* ---- inputs ---- */

/* Is it a parameter, or else an input of the file, and what is its value? */
static crank_status classify(const crank_run *run, crank_linear_channel *c, crank_error *err)
{
    for (int i = 0; i < run->model->parameter_count; i++) {
        if (strcmp(run->model->parameter[i].name, c->input) == 0) {
            c->parameter = true;
            c->value = run->model->parameter[i].value;
            for (int k = 0; k < run->model_state->setting_count; k++) {
                const crank_setting *set = &run->model_state->setting[k];
                if (strcmp(set->name, c->input) == 0) {
                    (void)crank_number_parse(set->value, &c->value);
                }
            }
            return CRANK_OK;
        }
    }
    crank_model_options made;
    crank_setting *list = NULL;
    const crank_nudge nudge = {c->input, 0, 0.0, run->t_start, &c->moves, &c->value};
    crank_model *model = NULL;
    crank_status status = present_options(run, &made, &list, err);
    made.nudge = &nudge;
    CRANK_THEN(status, crank_model_remake(run->model, &made, &model, err));
    free(list);
    c->value = isfinite(c->value) ? c->value : 0.0; /* a function of time has sizes of one */
    crank_model_destroy(model);
    return status;
}

/* How much rows change from k to now, over the terms that they are sums of. Energies, on which
 * nothing depends, do not count: they may consist of the input alone. */
static double change(const crank_eom *eom, const double *k, const double *now)
{
    const int b = eom->row[CRANK_ROW_B];
    const int work = eom->parts != NULL ? b + eom->parts->first_work : b + eom->sizes.r;
    double most = 0.0;
    for (int i = 0; i < eom->m; i++) {
        if (i >= work && i < b + eom->sizes.r) {
            continue;
        }
        most = now[i] != k[i] ? fmax(most, fabs(now[i] - k[i]) / eom->work_scale[i]) : most;
    }
    return most;
}

/* *changed: by a step of the input, over the terms of rows; NAN: the model cannot be made so */
static crank_status try_step(crank_run *run, crank_linear_channel *c, double by, double *k,
                             double *changed, crank_error *err)
{
    variant v;
    *changed = (double)NAN;
    crank_status status = open_variant(run, c, by, &v, err);
    CRANK_THEN(status,
               crank_eom_evaluate(v.run->eom, run->t_start, run->x, k + run->eom->m, err));
    if (status == CRANK_OK) {
        *changed = change(run->eom, k, k + run->eom->m);
    }
    close_variant(&v);
    return status == CRANK_EMEM ? status : CRANK_OK;
}

/* Do rows change by half as much with half the step, but for rounding? */
static crank_status is_straight(crank_run *run, crank_linear_channel *c, double by, double *k,
                                double *changed, bool *straight, crank_error *err)
{
    double half;
    crank_status status = try_step(run, c, by, k, changed, err);
    CRANK_THEN(status, try_step(run, c, 0.5 * by, k, &half, err));
    *straight = status == CRANK_OK &&
                fabs(*changed - 2.0 * half) <= part * part * *changed + 16.0 * DBL_EPSILON;
    return status;
}

/* The step of an input, whose value may be zero, or too small to be seen, and so says nothing of
 * its size: shorter until rows follow it in a straight line, then longer while they do and
 * change by less than a part of their terms. */
static crank_status measure(crank_run *run, crank_linear_channel *c, double *k,
                            crank_error *err)
{
    crank_eom *eom = run->eom;
    const double first = c->h;
    double changed = 0.0;
    bool straight = false;
    crank_status status = crank_eom_evaluate(eom, run->t_start, run->x, k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, run->t_start, run->x, NULL,
                                                   eom->work_values, err));
    if (status == CRANK_OK) {
        crank_eom_row_scale(eom, eom->work_values, run->x, eom->work_scale);
    }
    for (int i = 0; i < MEASURES && status == CRANK_OK && !straight; i++) {
        c->h *= i == 0 ? 1.0 : 0.1;
        status = is_straight(run, c, c->h, k, &changed, &straight, err);
    }
    if (!straight) {
        c->h = first; /* what is wrong there is told */
        return status;
    }
    double h = c->h;
    for (int i = 0; i < MEASURES && status == CRANK_OK && straight && changed < 0.1 * part &&
                    (changed > 0.0 || i < UNSEEN);
         i++) {
        h *= changed > 0.0 ? fmin(part / changed, 1.0 / part) : 1.0 / part;
        status = is_straight(run, c, h, k, &changed, &straight, err);
        c->h = straight && changed > 0.0 ? h : c->h;
    }
    return status;
}

/* c->h, c->ku; k: room for 2 m */
static crank_status differentiate(crank_run *run, crank_linear_channel *c, double *k,
                                  crank_error *err)
{
    const crank_eom_parts *parts = run->eom->parts;
    const double time = parts != NULL && parts->time > 0.0 ? parts->time : 1.0;
    c->h = part * (c->value == 0.0 ? 1.0 : fabs(c->value)) / pow(time, c->order);
    crank_status status = measure(run, c, k, err);
    for (int s = 0; s < POINTS && status == CRANK_OK; s++) {
        variant v;
        status = crank_blame_caller(err, open_variant(run, c, steps[s] * c->h, &v, err));
        CRANK_THEN(status, crank_eom_evaluate(v.run->eom, run->t_start, run->x, k, err));
        if (status == CRANK_OK) {
            add_point(s, run->eom->m, k, c->h, k + run->eom->m, c->ku);
        }
        close_variant(&v);
    }
    return status;
}

static bool acts(const crank_linear_channel *c, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (c->ku[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* A parameter has no rates that could act; one that moves constraints would need them. */
static crank_status check_parameter(const crank_run *run, const crank_linear_channel *c,
                                    crank_error *err)
{
    const crank_eom *eom = run->eom;
    if (!c->parameter || eom->dae != NULL ||
        !acts(c, eom->row[CRANK_ROW_G], eom->row[CRANK_ROW_G + 1])) {
        return CRANK_OK;
    }
    return crank_blame_caller(
        err, crank_fail(err, CRANK_EREFUSED,
                        "input %.80s: constraints contain it, so that its rates act on the "
                        "motion, too, which a parameter does not have; declare it under "
                        "\"inputs:\"",
                        c->input));
}

crank_status crank_linear_channels_find(crank_run *run, const crank_linear_options *o,
                                        crank_linear_channels *list, crank_error *err)
{
    const size_t m = (size_t)run->eom->m, most = 3 * (size_t)o->input_count;
    *list = (crank_linear_channels){0};
    list->item = crank_store_take(&list->store, most + 1, sizeof *list->item);
    double *all = crank_store_take(&list->store, m * (most + 2), sizeof *all);
    if (list->store.failed) {
        return crank_fail(err, CRANK_EMEM, "inputs");
    }
    double *k = all + m * most;
    crank_status status = CRANK_OK;
    for (int i = 0; i < o->input_count && status == CRANK_OK; i++) {
        crank_linear_channel kind = {.input = o->inputs[i]};
        status = crank_blame_caller(err, classify(run, &kind, err));
        for (int order = 0; order < (kind.moves ? 3 : 1) && status == CRANK_OK; order++) {
            crank_linear_channel *c = &list->item[list->count];
            *c = kind;
            c->order = order;
            c->ku = all + m * (size_t)list->count;
            memset(c->ku, 0, m * sizeof *c->ku);
            c->name = crank_store_print(&list->store, "%s%s", c->input, &"''"[2 - order]);
            status = list->store.failed ? crank_fail(err, CRANK_EMEM, "inputs")
                                        : differentiate(run, c, k, err);
            CRANK_THEN(status, check_parameter(run, c, err));
            list->count += order == 0 || acts(c, 0, run->eom->m) ? 1 : 0;
        }
    }
    return status;
}

void crank_linear_channels_free(crank_linear_channels *list)
{
    crank_store_free(&list->store);
}

/* ---- outputs ---- */

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
    double *x, *values, *shown; /* n, columns, 2 count */
} shower;

/* to (count) = derivatives of the columns along dx, where the channel (NULL: none) changes with
 * it by one */
static crank_status show(const shower *w, const double *dx, crank_linear_channel *c, double *to,
                         crank_error *err)
{
    crank_run *run = w->run;
    const int n = run->eom->n;
    double reach = 0.0; /* how far the longest unknown moves, in sizes */
    for (int j = 0; j < n; j++) {
        const double size = fmax(crank_eom_unit(run->eom, j), fabs(run->x[j]));
        reach = j >= run->eom->column[CRANK_R] ? fmax(reach, fabs(dx[j]) / size) : reach;
    }
    double h = reach > 0.0 ? part / reach : part;
    h = c != NULL ? fmin(h, c->h) : h;
    crank_status status = CRANK_OK;
    memset(to, 0, (size_t)w->count * sizeof *to);
    for (int s = 0; s < POINTS && status == CRANK_OK; s++) {
        variant other = {0};
        for (int j = 0; j < n; j++) {
            w->x[j] = run->x[j] + steps[s] * h * dx[j];
        }
        if (c != NULL) {
            status = open_variant(run, c, steps[s] * h, &other, err);
        }
        crank_state *state = other.run != NULL ? other.run->model_state : run->model_state;
        CRANK_THEN(status, crank_state_columns(state, run->t_start, w->x, w->values, err));
        for (int i = 0; i < w->count && status == CRANK_OK; i++) {
            w->shown[i] = w->values[w->column[i]];
        }
        if (status == CRANK_OK) {
            add_point(s, w->count, w->shown, h, w->shown + w->count, to);
        }
        close_variant(&other);
    }
    return status;
}

crank_status crank_linear_outputs(crank_run *run, crank_linear_work *w,
                                  const crank_linear_options *o, crank_linear_channels *inputs,
                                  crank_linear *out, crank_error *err)
{
    const size_t n = (size_t)run->eom->n, q = (size_t)o->output_count;
    double *room =
        calloc(2 * n + (size_t)run->columns + (size_t)w->states + 2 * q + 1, sizeof *room);
    int *column = calloc(q + 1, sizeof *column);
    crank_status status =
        room != NULL && column != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "outputs");
    CRANK_THEN(status, find_columns(run, o, column, err));
    if (status == CRANK_OK) {
        double *dx = room + n, *zeta = dx + n + run->columns;
        const shower s = {run, column, o->output_count, room, dx + n, zeta + w->states};
        for (int j = 0; j < w->states && q > 0 && status == CRANK_OK; j++) {
            zeta[j] = 1.0;
            status = crank_linear_follow(w, zeta, NULL, dx, NULL, err);
            zeta[j] = 0.0;
            CRANK_THEN(status, show(&s, dx, NULL, out->C + (size_t)j * q, err));
        }
        for (int j = 0; j < inputs->count && q > 0 && status == CRANK_OK; j++) {
            crank_linear_channel *c = &inputs->item[j];
            status = crank_linear_follow(w, zeta, c->ku, dx, NULL, err);
            CRANK_THEN(status, show(&s, dx, c, out->D + (size_t)j * q, err));
        }
    }
    free(room);
    free(column);
    return status;
}
