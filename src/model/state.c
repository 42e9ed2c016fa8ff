/* state.c - what changes in a run of a model: an eom of its own, which shares the model's
 * equations, start values, work space of events. The model itself stays as it is, so that
 * threads can run it at the same time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"
#include "base/then.h"
#include "model/events.h"
#include "model/features.h"
#include "model/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "a state of the model");
}

static crank_status fill(crank_state *state, crank_error *err)
{
    const crank_model *model = state->model;
    const size_t n = (size_t)model->eom->n;
    state->start = crank_store_take(&state->store, n, sizeof *state->start);
    if (state->start == NULL) {
        return no_memory(err);
    }
    memcpy(state->start, model->start, n * sizeof *state->start);
    crank_status status = crank_eom_share(model->eom, &state->eom, err);
    CRANK_THEN(status, model->functions->share(model, state->eom, err));
    CRANK_THEN(status, crank_switch_work_create(state, err));
    CRANK_THEN(status, crank_feature_work_create(state, err));
    return status == CRANK_OK && model->events != NULL ? crank_event_work_create(state, err)
                                                       : status;
}

static void release(crank_state *state)
{
    crank_eom_destroy(state->eom);
    crank_store_free(&state->store);
    crank_model_destroy(state->own);
}

crank_status crank_state_create(const crank_model *model, crank_state **out, crank_error *err)
{
    crank_error own = {0};
    crank_state *state = calloc(1, sizeof *state);
    err = err != NULL ? err : &own;
    *out = NULL;
    if (state == NULL) {
        return no_memory(err);
    }
    state->model = model;
    const crank_status status = fill(state, err);
    if (status != CRANK_OK) {
        crank_state_destroy(state);
        return status;
    }
    *out = state;
    return CRANK_OK;
}

void crank_state_destroy(crank_state *state)
{
    if (state != NULL) {
        release(state);
        free(state);
    }
}

/* ---- values by name ---- */

static crank_setting *find_setting(const crank_state *state, const char *name)
{
    for (int i = 0; i < state->setting_count; i++) {
        if (strcmp(state->setting[i].name, name) == 0) {
            return &state->setting[i];
        }
    }
    return NULL;
}

/* text: of the value */
static crank_status note(crank_state *state, const char *name, const char *text,
                         crank_error *err)
{
    crank_store *store = &state->store;
    crank_setting *s = find_setting(state, name);
    if (s == NULL && state->setting_count == state->setting_capacity) {
        const int capacity = 2 * state->setting_capacity + 4;
        crank_setting *more = crank_store_take(store, (size_t)capacity, sizeof *more);
        for (int i = 0; i < state->setting_count && more != NULL; i++) {
            more[i] = state->setting[i];
        }
        state->setting = more != NULL ? more : state->setting;
        state->setting_capacity = more != NULL ? capacity : state->setting_capacity;
    }
    const crank_setting added = {crank_store_copy(store, name, strlen(name)),
                                 crank_store_copy(store, text, strlen(text))};
    if (store->failed) {
        return no_memory(err);
    }
    s = s != NULL ? s : &state->setting[state->setting_count++];
    *s = added;
    return CRANK_OK;
}

/* A model of its own, with what the shared one was made with, all that was set, and one
 * more. */
static crank_status remake(crank_state *state, const crank_setting *last, crank_error *err)
{
    crank_model_options options = state->model->options;
    const int before = options.setting_count, more = state->setting_count;
    crank_setting *all =
        crank_store_take(&state->store, (size_t)before + (size_t)more + 1, sizeof *all);
    crank_state made = {0};
    if (all == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < before + more; i++) {
        all[i] = i < before ? options.settings[i] : state->setting[i - before];
    }
    all[before + more] = *last;
    options.settings = all;
    options.setting_count = before + more + 1;
    crank_status status = crank_model_remake(state->model, &options, &made.own, err);
    made.model = made.own;
    CRANK_THEN(status, fill(&made, err));
    release(status == CRANK_OK ? state : &made);
    if (status == CRANK_OK) {
        *state = made; /* what was set is in its model */
    }
    return status;
}

/* Start values of equations are unknowns as they are; the analysis of a general DAE depends on
 * its own. */
static bool set_start(crank_state *state, const char *name, double value)
{
    const crank_model *model = state->model;
    for (int i = 0; i < model->variable_columns && state->eom->dae == NULL; i++) {
        if (strcmp(model->column_name[i], name) == 0) {
            state->start[model->source[i]] = value;
            return true;
        }
    }
    return false;
}

/* Are those that are given by parameters that vary still numbers? */
static crank_status check_following(const crank_model *model, const double *varied,
                                    crank_error *err)
{
    if (model->following == NULL) {
        return CRANK_OK;
    }
    const size_t count = (size_t)model->following_count;
    const size_t work = (size_t)crank_tape_work_size(model->following, 1);
    double *values = calloc(count + work + 1, sizeof *values);
    crank_status status = values != NULL ? CRANK_OK : no_memory(err);
    if (status == CRANK_OK) {
        crank_tape_evaluate(model->following, 1, varied, model->varied_count, values,
                            model->following_count, values + count);
    }
    for (size_t i = 0; i < count && status == CRANK_OK; i++) {
        status =
            isfinite(values[i])
                ? CRANK_OK
                : crank_fail(err, CRANK_EMODEL, "parameter \"%.80s\": the value is not finite",
                             model->following_name[i]);
    }
    free(values);
    return status;
}

/* *done: false, if it is nothing that can be changed as it is */
static crank_status set_in_place(crank_state *state, const char *name, double value, bool *done,
                                 crank_error *err)
{
    const crank_model *model = state->model;
    for (int i = 0; i < model->parameter_count; i++) {
        const crank_parameter *p = &model->parameter[i];
        if (p->in_place && strcmp(p->name, name) == 0) {
            double *start;
            double *present = model->functions->parameters(state->eom->self, &start);
            const int place = model->parameter_place[i];
            const double before = present[place];
            present[place] = value;
            const crank_status status = check_following(model, present, err);
            present[place] = status == CRANK_OK ? value : before;
            start[place] = status == CRANK_OK ? value : start[place];
            *done = true;
            return status;
        }
    }
    *done = set_start(state, name, value);
    return CRANK_OK;
}

crank_status crank_state_set(crank_state *state, const char *name, double value, bool *remade,
                             crank_error *err)
{
    crank_error own = {0};
    char text[CRANK_NUMBER_TEXT];
    bool made = false, in_place = false;
    err = err != NULL ? err : &own;
    crank_status status =
        isfinite(value)
            ? CRANK_OK
            : crank_fail(err, CRANK_EARG, "setting \"%.80s\": the value is not finite", name);
    const crank_setting setting = {name, crank_number_print(text, sizeof text, value, 17)};
    CRANK_THEN(status, set_in_place(state, name, value, &in_place, err));
    if (status == CRANK_OK && in_place) {
        status = note(state, name, setting.value, err);
    } else if (status == CRANK_OK) {
        status = remake(state, &setting, err);
        made = status == CRANK_OK;
    }
    if (remade != NULL) {
        *remade = made;
    }
    return status;
}

const crank_model *crank_state_model(const crank_state *state)
{
    return state->model;
}

crank_eom *crank_state_eom(crank_state *state)
{
    return state->eom;
}

const double *crank_state_start(const crank_state *state)
{
    return state->start;
}

crank_status crank_state_begin(crank_state *state, double t, const double *x, crank_error *err)
{
    const crank_model_functions *f = state->model->functions;
    return f->begin != NULL ? f->begin(state->eom->self, t, x, err) : CRANK_OK;
}

crank_status crank_state_columns(crank_state *state, double t, const double *x, double *values,
                                 crank_error *err)
{
    return state->model->functions->columns(state->model, state->eom->self, t, x, values, err);
}

crank_status crank_state_check_columns(const crank_state *state, double t, const double *values,
                                       crank_error *err)
{
    const crank_model *model = state->model;
    for (int k = model->variable_columns; k < model->column_count && model->must_have != NULL;
         k++) {
        if (!isfinite(values[k])) {
            return crank_fail_place(
                err, CRANK_ESTOP_EQUATIONS, model->must_have[k - model->variable_columns],
                "\"%.80s\" is %s at t = %.10g: its equation divides by zero, or leaves the "
                "domain of a function",
                model->column_name[k], isnan(values[k]) ? "no number" : "infinite", t);
        }
    }
    return CRANK_OK;
}
