/* state.c - what changes in a run of a model: an eom of its own, which shares the model's equations, start values, work
 * space of events. The model itself stays as it is, so that threads can run it at the same time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/events.h"

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
    if (status == CRANK_OK) {
        status = model->functions->share(model, state->eom, err);
    }
    return status == CRANK_OK && model->events != NULL ? crank_event_work_create(state, err)
                                                       : status;
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
        crank_eom_destroy(state->eom);
        crank_store_free(&state->store);
        free(state);
    }
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
