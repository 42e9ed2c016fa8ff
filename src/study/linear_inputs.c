/* linear_inputs.c - what parameters and inputs change, and what columns show: by differences,
 * since both are what a file says (slope.h).
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
#include "study/slope.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double part = 1e-3; /* of a size: what steps begin with */
static const double seen = 1e-6; /* of what all states do to a column: what counts beside it */
/* looks for a step of an input by which rows change, in thousands at most; after UNSEEN that
 * change nothing the input counts as one that does not act: what rounding has swallowed (1e-16) and
 * a thousandth of it */
enum { MEASURES = 16, UNSEEN = 6 };

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

/* What steps of an input begin with: its value may be zero, or too small to be seen, and so says
 * nothing of its size. Longer until rows change by a part of their terms, or cannot be had. */
static crank_status measure(crank_run *run, crank_linear_channel *c, double *k,
                            crank_error *err)
{
    double h = c->h, changed = 0.0;
    crank_status status = try_step(run, c, h, k, &changed, err);
    for (int i = 0; i < MEASURES && status == CRANK_OK && changed < 0.1 * part &&
                    (changed > 0.0 || i < UNSEEN);
         i++) {
        h *= changed > 0.0 ? fmin(part / changed, 1.0 / part) : 1.0 / part;
        status = try_step(run, c, h, k, &changed, err);
        c->h = changed > 0.0 ? h : c->h;
    }
    return status;
}

typedef struct rows_at {
    crank_run *run;
    crank_linear_channel *channel;
} rows_at;

/* All rows where the channel has moved by s. */
static crank_status evaluate_rows(void *user, double s, double *values, crank_error *err)
{
    const rows_at *at = user;
    if (s == 0.0) {
        return crank_eom_evaluate(at->run->eom, at->run->t_start, at->run->x, values, err);
    }
    variant v;
    crank_status status =
        crank_blame_caller(err, open_variant(at->run, at->channel, s, &v, err));
    CRANK_THEN(status,
               crank_eom_evaluate(v.run->eom, at->run->t_start, at->run->x, values, err));
    close_variant(&v);
    return status;
}

void crank_linear_name_slope(const crank_slope *s, const char *what, const char *by, char *text,
                             size_t size)
{
    (void)snprintf(text, size, "%.80s by %.60s: %.4g to the one side, %.4g to the other", what,
                   by, s->side[1], s->side[0]);
}

/* What has no derivative is told of the first that has none. */
static void tell(crank_linear_channels *list, const crank_slope *s, const char *what,
                 const char *by)
{
    if (s->rough >= 0 && list->rough[0] == '\0') {
        crank_linear_name_slope(s, what, by, list->rough, sizeof list->rough);
    }
}

const char *crank_linear_row_name(const crank_eom *eom, int row)
{
    static const crank_group of[CRANK_ROW_GROUPS] = {
        [CRANK_ROW_D] = CRANK_W,       [CRANK_ROW_G] = CRANK_LAMBDA,
        [CRANK_ROW_GI] = CRANK_LAMBDA, [CRANK_ROW_GII] = CRANK_LAMBDA,
        [CRANK_ROW_H] = CRANK_MU,      [CRANK_ROW_HI] = CRANK_MU,
        [CRANK_ROW_B] = CRANK_R,       [CRANK_ROW_DYN] = CRANK_V,
        [CRANK_ROW_C] = CRANK_S,       [CRANK_ROW_KIN] = CRANK_P};
    int group = 0;
    while (row >= eom->row[group + 1]) {
        group++;
    }
    int column = eom->column[of[group]] + row - eom->row[group];
    const int v = column - (eom->column[CRANK_W + 1] - eom->sizes.v);
    if (group == CRANK_ROW_D && v >= 0 && eom->carried[column]) {
        column = eom->column[CRANK_V] + v; /* a balance, by its velocity */
    }
    return column < eom->n ? crank_eom_column_name(eom, column) : "a row";
}

/* c->h, c->ku; k: room for 2 m */
static crank_status differentiate(crank_run *run, crank_linear_channel *c, double *k,
                                  crank_linear_channels *list, crank_error *err)
{
    crank_eom *eom = run->eom;
    const crank_eom_parts *parts = eom->parts;
    const double time = parts != NULL && parts->time > 0.0 ? parts->time : 1.0;
    rows_at at = {run, c};
    crank_slope s = {
        .count = eom->m, .at = evaluate_rows, .user = &at, .size = eom->work_scale};
    c->h = part * (c->value == 0.0 ? 1.0 : fabs(c->value)) / pow(time, c->order);
    crank_status status = crank_eom_evaluate(eom, run->t_start, run->x, k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, run->t_start, run->x, NULL,
                                                   eom->work_values, err));
    if (status == CRANK_OK) {
        crank_eom_row_scale(eom, eom->work_values, run->x, eom->work_scale);
        status = measure(run, c, k, err);
    }
    s.h = c->h;
    CRANK_THEN(status, crank_slope_find(&s, c->ku, err));
    if (status == CRANK_OK) {
        tell(list, &s, s.rough >= 0 ? crank_linear_row_name(eom, s.rough) : "", c->name);
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
                                        : differentiate(run, c, k, list, err);
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

/* columns where unknowns move by s dx, and the channel (NULL: none) by s */
typedef struct columns_at {
    crank_run *run;
    const int *column;
    int count;
    double *dx;
    crank_linear_channel *channel;
    double *x, *values; /* n, columns */
    const double
        *least; /* count: derivatives to both sides that differ by less are one; NULL: 0 */
    crank_linear_channels *list; /* where what has none is told; NULL: it is not */
    bool rough;                  /* there was one that has none */
} columns_at;

static crank_status evaluate_columns(void *user, double s, double *values, crank_error *err)
{
    const columns_at *w = user;
    crank_run *run = w->run;
    variant other = {0};
    crank_status status = CRANK_OK;
    for (int j = 0; j < run->eom->n; j++) {
        w->x[j] = run->x[j] + s * w->dx[j];
    }
    if (w->channel != NULL && s != 0.0) {
        status = open_variant(run, w->channel, s, &other, err);
    }
    crank_state *state = other.run != NULL ? other.run->model_state : run->model_state;
    CRANK_THEN(status, crank_state_columns(state, run->t_start, w->x, w->values, err));
    for (int i = 0; i < w->count && status == CRANK_OK; i++) {
        values[i] = w->values[w->column[i]];
    }
    close_variant(&other);
    return status;
}

/* to (count) = derivatives of the columns */
static crank_status show(columns_at *w, const char *by, double *to, crank_error *err)
{
    crank_run *run = w->run;
    double reach = 0.0; /* how far the longest unknown moves, in sizes */
    for (int j = run->eom->column[CRANK_R]; j < run->eom->n; j++) {
        const double size = fmax(crank_eom_unit(run->eom, j), fabs(run->x[j]));
        reach = fmax(reach, fabs(w->dx[j]) / size);
    }
    crank_slope s = {.count = w->count, .at = evaluate_columns, .user = w, .least = w->least};
    s.h = reach > 0.0 ? part / reach : part;
    s.h = w->channel != NULL ? fmin(s.h, w->channel->h) : s.h;
    const crank_status status = crank_slope_find(&s, to, err);
    w->rough = s.rough >= 0;
    if (status == CRANK_OK && w->list != NULL && w->rough) {
        tell(w->list, &s, crank_run_column_name(run, w->column[s.rough]), by);
    }
    return status;
}

static crank_status show_state(columns_at *at, crank_linear_work *w, double *zeta, int j,
                               crank_linear *out, crank_error *err)
{
    zeta[j] = 1.0;
    crank_status status = crank_linear_follow(w, zeta, NULL, at->dx, NULL, err);
    zeta[j] = 0.0;
    CRANK_THEN(status,
               show(at, out->state_name[j], out->C + (size_t)j * (size_t)at->count, err));
    return status;
}

/* The matrix C. A column is the sum of what all states do to it: what has no derivative is told
 * where it is more than a part of that, once all are known. */
static crank_status show_states(columns_at *at, crank_linear_work *w, double *zeta,
                                crank_linear *out, crank_error *err)
{
    const size_t n = (size_t)w->states, q = (size_t)at->count;
    double *size = calloc(n + 2 * q + 1, sizeof *size), *most = size + n, *least = most + q;
    bool *rough = calloc(n + 1, sizeof *rough);
    crank_linear_channels *list = at->list;
    at->list = NULL;
    crank_status status =
        size != NULL && rough != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "outputs");
    for (size_t j = 0; j < n && status == CRANK_OK; j++) {
        const int column = crank_linear_column(w, w->state[j]);
        size[j] = fmax(w->unit[column], fabs(w->x[column]));
        status = show_state(at, w, zeta, (int)j, out, err);
        rough[j] = at->rough;
        for (size_t i = 0; i < q; i++) {
            most[i] = fmax(most[i], fabs(out->C[i + j * q]) * size[j]);
        }
    }
    at->list = list;
    at->least = least;
    for (size_t j = 0; j < n && status == CRANK_OK; j++) {
        for (size_t i = 0; i < q; i++) {
            least[i] = seen * most[i] / size[j];
        }
        if (rough[j]) {
            status = show_state(at, w, zeta, (int)j, out, err);
        }
    }
    at->least = NULL;
    free(size);
    free(rough);
    return status;
}

crank_status crank_linear_outputs(crank_run *run, crank_linear_work *w,
                                  const crank_linear_options *o, crank_linear_channels *inputs,
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
        columns_at s = {.run = run,
                        .column = column,
                        .count = o->output_count,
                        .dx = dx,
                        .x = room,
                        .values = dx + n,
                        .list = inputs};
        if (q > 0) {
            CRANK_THEN(status, show_states(&s, w, zeta, out, err));
        }
        for (int j = 0; j < inputs->count && q > 0 && status == CRANK_OK; j++) {
            crank_linear_channel *c = &inputs->item[j];
            status = crank_linear_follow(w, zeta, c->ku, dx, NULL, err);
            s.channel = c;
            CRANK_THEN(status, show(&s, c->name, out->D + (size_t)j * q, err));
        }
    }
    free(room);
    free(column);
    return status;
}
