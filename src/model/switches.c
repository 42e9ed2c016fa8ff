/* switches.c - see switches.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/switches.h"

#include "eom/impulse.h"
#include "eom/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct crank_switch_set {
    crank_tape *tape;                  /* of t and the parameters */
    int count, bends, parameter_count; /* bends: the last ones of count */
    bool once;
};

struct crank_switch_work {
    double *in, *registers;
    double *values;       /* of conditions and bends, at two times */
    double *before, *now; /* m: rows on both sides of a switch */
};

/* relative residual of the position level behind a switch, over twice that before */
static const double position_tolerance = 1e-8;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "conditions of the model");
}

crank_status crank_model_keep_switches(crank_model *model, crank_pool *pool, crank_ex t,
                                       int count, const crank_ex *parameters, crank_error *err)
{
    bool once = true;
    int bends = 0;
    const int found = crank_ex_switches(pool, t, count, parameters, NULL, 0, &bends, &once);
    const int values = found + bends;
    if (found == 0) {
        return CRANK_OK;
    }
    crank_ex *list = calloc((size_t)values + (size_t)count + 1, sizeof *list);
    struct crank_switch_set *s = crank_store_take(&model->store, 1, sizeof *s);
    if (list == NULL || s == NULL) {
        free(list);
        return no_memory(err);
    }
    crank_ex *inputs = list + values;
    inputs[0] = t;
    for (int i = 0; i < count; i++) {
        inputs[1 + i] = parameters[i];
    }
    (void)crank_ex_switches(pool, t, count, parameters, list, found, &bends, &once);
    *s = (struct crank_switch_set){
        .count = found, .bends = bends, .parameter_count = count, .once = once};
    model->switches = s;
    const crank_status status =
        crank_tape_create(pool, 1 + count, inputs, values, list, &s->tape, err);
    free(list);
    return status;
}

void crank_model_free_switches(crank_model *model)
{
    if (model->switches != NULL) {
        crank_tape_destroy(model->switches->tape);
    }
}

crank_status crank_switch_work_create(crank_state *state, crank_error *err)
{
    const struct crank_switch_set *s = state->model->switches;
    crank_store *store = &state->store;
    if (s == NULL) {
        return CRANK_OK;
    }
    struct crank_switch_work *w = crank_store_take(store, 1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    w->in = crank_store_take(store, 1 + (size_t)s->parameter_count, sizeof *w->in);
    w->registers =
        crank_store_take(store, (size_t)crank_tape_work_size(s->tape, 1), sizeof(double));
    w->values = crank_store_take(store, 2 * (size_t)(s->count + s->bends), sizeof *w->values);
    w->before = crank_store_take(store, (size_t)state->eom->m, sizeof(double));
    w->now = crank_store_take(store, (size_t)state->eom->m, sizeof(double));
    state->switches = w;
    return store->failed ? no_memory(err) : CRANK_OK;
}

static void evaluate(void *user, double t, double *values)
{
    const crank_state *state = user;
    const struct crank_switch_set *s = state->model->switches;
    struct crank_switch_work *w = state->switches;
    w->in[0] = t;
    if (s->parameter_count > 0) {
        double *start;
        memcpy(w->in + 1, state->model->functions->parameters(state->eom->self, &start),
               (size_t)s->parameter_count * sizeof *w->in);
    }
    crank_tape_evaluate(s->tape, 1, w->in, 1 + s->parameter_count, values, s->count + s->bends,
                        w->registers);
}

static void window(void *user, double low, double high)
{
    crank_eom *eom = ((crank_state *)user)->eom;
    eom->window = (crank_window_of_time){isfinite(low) || isfinite(high), low, high};
}

void crank_state_start_behind(crank_state *state, double t, double t_end)
{
    const struct crank_switch_set *s = state->model->switches;
    const struct crank_switch_work *w = state->switches;
    const double behind = crank_switches_behind(t, t_end);
    if (s == NULL) {
        return;
    }
    double *before = w->values, *after = w->values + s->count + s->bends;
    evaluate(state, t, before);
    evaluate(state, behind, after);
    const bool jumps =
        isfinite(behind) && memcmp(before, after, (size_t)s->count * sizeof *before) != 0;
    window(state, jumps ? behind : -(double)INFINITY, (double)INFINITY);
}

/* Positions that constraints do not allow any more. */
static crank_status check_positions(crank_eom *eom, const struct crank_switch_work *w, double t,
                                    const double *x, crank_error *err)
{
    const crank_status status =
        crank_eom_evaluate_jacobian(eom, t, x, NULL, eom->work_values, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(eom, eom->work_values, x, eom->work_scale);
    for (int i = eom->row[CRANK_ROW_C]; i < eom->row[CRANK_ROW_B]; i++) {
        const double limit = position_tolerance * eom->work_scale[i] + 2.0 * fabs(w->before[i]);
        if (!(fabs(w->now[i]) <= limit)) {
            char name[160];
            return crank_fail_place(err, CRANK_ESTOP_EQUATIONS, crank_eom_row_place(eom, i),
                                    "%s jumps at t = %.10g: a constraint (a drive?) is not "
                                    "continuous there",
                                    crank_eom_row_name(eom, i, name, sizeof name), t);
        }
    }
    return CRANK_OK;
}

/* Constraints that do not contain what has switched are the same to the bit; where those of the
 * velocity level are not, an impulse moves the velocities, theory (8.8). */
static crank_status cross(void *user, double t, double *x, bool after, crank_error *err)
{
    crank_state *state = user;
    crank_eom *eom = state->eom;
    struct crank_switch_work *w = state->switches;
    double *rows = after ? w->now : w->before;
    bool moved = false, pushed = false;
    if (eom->dae != NULL) {
        return CRANK_OK;
    }
    crank_status status = crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALGEBRAIC, rows, err);
    if (status != CRANK_OK || !after) {
        return status;
    }
    const int first = eom->row[CRANK_ROW_GI], last = first + eom->sizes.lambda + eom->sizes.mu;
    for (int i = first; i < eom->row[CRANK_ROW_B]; i++) {
        const bool same = w->now[i] == w->before[i];
        moved = moved || !same;
        pushed = pushed || (!same && i < last);
    }
    status = moved ? check_positions(eom, w, t, x, err) : CRANK_OK;
    if (status == CRANK_OK && pushed) {
        crank_impulse impulse = {.drift = w->before + first};
        status = crank_eom_impulse(eom, t, x, &impulse, err);
        if (status == CRANK_OK && impulse.contradicted >= 0) {
            status = crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                "at t = %.10g constraints change so that they contradict each "
                                "other on velocity level",
                                t);
        }
    }
    return status;
}

crank_switches crank_state_switches(crank_state *state)
{
    const struct crank_switch_set *s = state->model->switches;
    return s == NULL ? (crank_switches){0}
                     : (crank_switches){.count = s->count,
                                        .once = s->once,
                                        .bends = s->bends,
                                        .evaluate = evaluate,
                                        .window = window,
                                        .cross = cross,
                                        .user = state};
}
