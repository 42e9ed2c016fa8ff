/* events_apply.c - what the file says about events is done: parameters switch, velocities jump.
 *
 * All values are found first, at the state before. Then parameters and variables r get theirs,
 * velocities, where anything asks for it, the smallest change that meets constraints and
 * prescriptions together, theory (8.8)-(8.10), and w, lambda, mu follow from them: the
 * formulation of a run finds them, or crank_state_find_multipliers. Positions stay: a parameter
 * whose new value breaks a constraint of the position level is refused. Invariants that have
 * changed are kept at their new value. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/impulse.h"
#include "eom/scale.h"
#include "model/events.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* scaled residual of the position level after parameters switched, over twice what the method
 * had left before */
static const double position_tolerance = 1e-8;

typedef struct crank_event_set event_set;

/* what happens at one time */
typedef struct jump {
    crank_state *state;
    const event_set *s;
    struct crank_event_work *w;
    double *parameter; /* present values */
    double t, *x;
    int rows; /* prescribed rates */
    bool switched;
    bool moved, pushed; /* by that: constraints, those of the velocity level */
    crank_event_outcome *outcome;
    size_t used; /* characters of outcome->text */
    bool listed; /* an action of the event at hand stands there */
} jump;

static void tell(jump *j, const char *format, ...) CRANK_PRINTF(2, 3);

static void tell(jump *j, const char *format, ...)
{
    char *text = j->outcome->text;
    const size_t size = sizeof j->outcome->text;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + j->used, size - j->used, format, arguments);
    va_end(arguments);
    j->used += length > 0 ? (size_t)length : 0;
    j->used = j->used < size ? j->used : size - 1;
}

/* ": " before the first action of an event, ", " between actions */
static const char *mark(jump *j)
{
    const char *text = j->listed ? ", " : ": ";
    j->listed = true;
    return text;
}

/* ---- what is asked for ---- */

static crank_status fail_value(const jump *j, int event, const char *what, double value,
                               const char *wanted, crank_error *err)
{
    return crank_fail_place(err, CRANK_EMODEL, j->s->event[event].place,
                            "event \"%.80s\": %s is %g at t = %.10g, must be %s",
                            j->s->name[event], what, value, j->t, wanted);
}

static crank_status fail_twice(const jump *j, int event, const char *name, crank_error *err)
{
    return crank_fail_place(err, CRANK_EMODEL, j->s->event[event].place,
                            "event \"%.80s\": \"%.60s\" gets two values at t = %.10g, since "
                            "another event happens at the same time",
                            j->s->name[event], name, j->t);
}

/* a parameter or a variable r; place: in chosen */
static crank_status give(const jump *j, int event, const char *name, double value, int place,
                         double *to, crank_error *err)
{
    bool *chosen = &j->w->chosen[place];
    if (*chosen && *to != value) {
        return fail_twice(j, event, name, err);
    }
    *chosen = true;
    *to = value;
    return CRANK_OK;
}

/* a rate of velocities that changes */
static void prescribe(jump *j, int event, const crank_event_action *a, double change)
{
    struct crank_event_work *w = j->w;
    const size_t nv = (size_t)j->state->eom->sizes.v;
    memcpy(w->row + (size_t)j->rows * nv, w->gradient + (size_t)a->row * nv,
           nv * sizeof *w->row);
    w->row_name[j->rows] = j->s->name[event];
    w->change[j->rows++] = change;
}

static crank_status ask(jump *j, int event, const crank_event_action *a, crank_error *err)
{
    const double value = a->value >= 0 ? j->w->value[a->value] : 0.0;
    const double rate = a->row >= 0 ? j->w->rate[a->row] : 0.0;
    char what[96];
    (void)snprintf(what, sizeof what, "the value of \"%.60s\"", a->name);
    if (!isfinite(value) || !isfinite(rate)) {
        return fail_value(j, event,
                          !isfinite(rate)                  ? "the rate"
                          : a->kind == CRANK_ACTION_IMPACT ? "the restitution"
                                                           : what,
                          isfinite(value) ? rate : value, "finite", err);
    }
    switch (a->kind) {
    case CRANK_ACTION_IMPACT:
        if (value < 0.0) {
            return fail_value(j, event, "the restitution", value, "0 or more", err);
        }
        prescribe(j, event, a, -(1.0 + value) * rate); /* (8.9) */
        tell(j, "%simpact from %.6g to %.6g", mark(j), rate, -value * rate);
        return CRANK_OK;
    case CRANK_ACTION_RESET:
        tell(j, "%s%.60s = %.6g", mark(j), a->name, value);
        if (a->column >= 0) {
            return give(j, event, a->name, value, j->s->parameter_count + a->column,
                        &j->x[a->column], err);
        }
        prescribe(j, event, a, value - rate); /* (8.10) */
        return CRANK_OK;
    case CRANK_ACTION_SET:
        j->switched = true;
        tell(j, "%s%.60s = %.6g", mark(j), a->name, value);
        return give(j, event, a->name, value, a->parameter, &j->parameter[a->parameter], err);
    case CRANK_ACTION_STOP:
        j->outcome->stop = true;
        tell(j, "%sstop", mark(j));
        return CRANK_OK;
    case CRANK_ACTION_MESSAGE:
        tell(j, "%s%s", mark(j), a->name);
        return CRANK_OK;
    case CRANK_ACTION_FAIL:
        return crank_fail_place(err, CRANK_ESTOP_EQUATIONS, j->s->event[event].place,
                                "at t = %.10g: %.300s", j->t, a->name);
    }
    return CRANK_OK;
}

/* ---- doing it ---- */

/* What setting parameters has done to constraints of the position and velocity level: rows that
 * do not contain them are the same to the bit. */
static crank_status compare_rows(jump *j, crank_error *err)
{
    const crank_eom *eom = j->state->eom;
    const double *now = j->w->residual, *before = j->w->residual_before;
    const int first = eom->row[CRANK_ROW_GI], last = first + eom->sizes.lambda + eom->sizes.mu;
    const crank_status status = crank_eom_evaluate_rows(j->state->eom, 1, &j->t, j->x,
                                                        CRANK_ALGEBRAIC, j->w->residual, err);
    for (int i = first; i < eom->row[CRANK_ROW_B] && status == CRANK_OK; i++) {
        const bool same = now[i] == before[i];
        j->moved = j->moved || !same;
        j->pushed = j->pushed || (!same && i < last);
    }
    return status;
}

/* Do the positions hold with the new parameters? */
static crank_status check_positions(const jump *j, crank_error *err)
{
    crank_eom *eom = j->state->eom;
    const double *now = j->w->residual, *before = j->w->residual_before,
                 *scale = eom->work_scale;
    const crank_status status =
        crank_eom_evaluate_jacobian(eom, j->t, j->x, NULL, eom->work_values, err);
    int worst = -1;
    double most = 0.0;
    if (status == CRANK_OK) {
        crank_eom_row_scale(eom, eom->work_values, j->x, eom->work_scale);
    }
    for (int i = eom->row[CRANK_ROW_C]; i < eom->row[CRANK_ROW_B] && status == CRANK_OK; i++) {
        const double left = fabs(now[i]) / scale[i];
        if (!(left <= position_tolerance + 2.0 * fabs(before[i]) / scale[i]) &&
            (worst < 0 || !(left <= most))) {
            worst = i;
            most = left;
        }
    }
    if (status != CRANK_OK || worst < 0) {
        return status;
    }
    char name[160];
    return crank_fail_place(
        err, CRANK_EMODEL, crank_eom_row_place(eom, worst),
        "%.200s: %s does not hold with the new parameters (relative residual %.1e): positions "
        "cannot jump; set the value that the parameter has at this place, or use a force in "
        "place of the constraint",
        j->outcome->text, crank_eom_row_name(eom, worst, name, sizeof name), most);
}

static crank_status push(const jump *j, crank_error *err)
{
    const struct crank_event_work *w = j->w;
    crank_impulse impulse = {
        .count = j->rows, .row = w->row, .change = w->change, .drift = w->drift};
    const crank_status status = crank_eom_impulse(j->state->eom, j->t, j->x, &impulse, err);
    if (status != CRANK_OK || impulse.contradicted < 0) {
        return status;
    }
    /* without new parameters the constraints agree with each other */
    const int row =
        j->pushed || j->rows == 0 ? impulse.contradicted : impulse.contradicted % j->rows;
    return row < j->rows
               ? crank_fail(
                     err, CRANK_EMODEL,
                     "event \"%.80s\" at t = %.10g: constraints, or other prescriptions, "
                     "do not let the velocities change as it says (%.200s)",
                     w->row_name[row], j->t, j->outcome->text)
               : crank_fail(err, CRANK_EMODEL,
                            "%.200s: the constraints contradict each other on velocity level "
                            "with the new parameters",
                            j->outcome->text);
}

/* A general DAE: what is reset, and variables with derivatives, stay as they are; the others
 * follow. */
static crank_status settle(const jump *j, crank_error *err)
{
    crank_eom *eom = j->state->eom;
    crank_error detail = {0};
    crank_initial_options options = crank_initial_options_default();
    crank_fixing *fixing = malloc((size_t)eom->n * sizeof *fixing);
    if (fixing == NULL) {
        return crank_fail(err, CRANK_EMEM, "events of the model");
    }
    for (int i = 0; i < eom->n; i++) {
        fixing[i] = j->state->model->fixing[i] == CRANK_FREE && !j->w->chosen[i] ? CRANK_FREE
                                                                                 : CRANK_FIXED;
    }
    options.fixing = fixing;
    options.max_change = 0.0;
    const crank_status status =
        crank_eom_initialize(eom, j->t, j->x, &options, NULL, (crank_log){0}, &detail);
    free(fixing);
    return status == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EMODEL,
                            "%.200s: this breaks constraints at t = %.10g; reset "
                            "other variables with it: %.200s",
                            j->outcome->text, j->t, detail.text);
}

static crank_status fail_not_finite(const crank_event_outcome *outcome, double t,
                                    crank_status status, crank_error *err)
{
    return status > 0
               ? crank_fail(err, CRANK_ENOTFINITE,
                            "%.200s: not finite at t = %.10g after the jump", outcome->text, t)
               : status;
}

/* Velocities jump only where they are told to, or where constraints have changed. */
static crank_status change(jump *j, crank_error *err)
{
    if (j->state->eom->dae != NULL) {
        return settle(j, err);
    }
    crank_status status = j->switched ? compare_rows(j, err) : CRANK_OK;
    if (status == CRANK_OK && j->moved) {
        status = check_positions(j, err);
    }
    if (status == CRANK_OK && (j->pushed || j->rows > 0)) {
        status = push(j, err);
    }
    if (status == CRANK_OK && j->s->invariants != NULL) {
        status = j->s->invariants(j->state->eom->self, j->t, j->x, true, err);
    }
    return fail_not_finite(j->outcome, j->t, status, err);
}

crank_status crank_state_find_multipliers(crank_state *state, double t, double *x,
                                          const crank_event_outcome *outcome, crank_error *err)
{
    return state->eom->dae != NULL
               ? CRANK_OK
               : fail_not_finite(outcome, t, crank_eom_find_multipliers(state->eom, t, x, err),
                                 err);
}

/* ---- the public functions ---- */

static crank_status evaluate(void *user, double t, const double *x, double *values,
                             crank_error *err)
{
    const crank_state *state = user;
    const event_set *s = state->model->events;
    const crank_window_of_time window = state->eom->window;
    state->eom->window.set = false; /* events of time happen at their time */
    const crank_status status = s->functions(state->eom->self, t, x, values, err);
    state->eom->window = window;
    for (int i = 0; i < s->count && status == CRANK_OK; i++) {
        if (!isfinite(values[i])) {
            return crank_fail_place(err, CRANK_RETRY, s->event[i].place,
                                    "event \"%.80s\": `when` is not finite at t = %.10g",
                                    s->name[i], t);
        }
    }
    return status;
}

crank_events crank_state_events(crank_state *state)
{
    const event_set *s = state->model->events;
    return s == NULL ? (crank_events){0}
                     : (crank_events){.count = s->count,
                                      .apart = s->iterate != NULL,
                                      .evaluate = evaluate,
                                      .name = s->name,
                                      .direction = s->direction,
                                      .barrier = s->barrier,
                                      .of_time = s->of_time,
                                      .of_states = s->of_states,
                                      .user = state};
}

static bool changes_any(const event_set *s, const signed char *happened)
{
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < s->event[i].action_count && happened[i] != 0; k++) {
            if (s->event[i].action[k].kind <= CRANK_ACTION_SET) {
                return true;
            }
        }
    }
    return false;
}

/* what is known before anything changes: values, invariants, and what the method has left of
 * the constraints */
static crank_status prepare(jump *j, const signed char *happened, crank_error *err)
{
    const event_set *s = j->s;
    struct crank_event_work *w = j->w;
    void *self = j->state->eom->self;
    crank_status status = CRANK_OK;
    memset(w->chosen, 0,
           ((size_t)s->parameter_count + (size_t)j->state->eom->n) * sizeof *w->chosen);
    if (s->value_count > 0) {
        status = s->actions(self, j->t, j->x, w->value, w->rate, w->gradient, err);
    }
    if (status == CRANK_OK && s->invariants != NULL) {
        status = s->invariants(self, j->t, j->x, false, err);
    }
    if (status == CRANK_OK && j->state->eom->dae == NULL && changes_any(s, happened)) {
        crank_eom *eom = j->state->eom;
        status = crank_eom_evaluate_rows(eom, 1, &j->t, j->x, CRANK_ALGEBRAIC,
                                         w->residual_before, err);
        memcpy(w->drift, w->residual_before + eom->row[CRANK_ROW_GI],
               ((size_t)eom->sizes.lambda + (size_t)eom->sizes.mu) * sizeof *w->drift);
    }
    return status > 0 ? crank_fail(err, CRANK_ENOTFINITE,
                                   "not finite before the event at t = %.10g", j->t)
                      : status;
}

crank_status crank_state_change_at_events(crank_state *state, const signed char *happened,
                                          double t, double *x, crank_event_outcome *outcome,
                                          crank_error *err)
{
    crank_error own = {0};
    jump j = {.state = state,
              .s = state->model->events,
              .w = state->events,
              .t = t,
              .x = x,
              .outcome = outcome};
    err = err != NULL ? err : &own;
    *outcome = (crank_event_outcome){0};
    if (j.s == NULL) {
        return CRANK_OK;
    }
    if (state->model->functions->parameters != NULL) {
        double *start;
        j.parameter = state->model->functions->parameters(state->eom->self, &start);
    }
    crank_status status = prepare(&j, happened, err);
    for (int i = 0; i < j.s->count && status == CRANK_OK; i++) {
        const crank_event *e = &j.s->event[i];
        if (happened[i] == 0) {
            continue;
        }
        j.listed = false;
        tell(&j, "%sevent \"%.80s\"", j.used > 0 ? "; " : "", j.s->name[i]);
        for (int k = 0; k < e->action_count && status == CRANK_OK; k++) {
            const crank_action_kind kind = e->action[k].kind;
            status = ask(&j, i, &e->action[k], err);
            outcome->changed = outcome->changed || kind <= CRANK_ACTION_SET;
        }
    }
    if (status == CRANK_OK && outcome->changed) {
        status = change(&j, err);
    }
    if (status == CRANK_OK && j.s->iterate != NULL) {
        status = j.s->iterate(state->eom->self, happened, t, x, outcome, err);
    }
    return status;
}

crank_status crank_state_apply_events(crank_state *state, const signed char *happened, double t,
                                      double *x, crank_event_outcome *outcome, crank_error *err)
{
    crank_status status = crank_state_change_at_events(state, happened, t, x, outcome, err);
    if (status == CRANK_OK && outcome->changed) {
        status = crank_state_find_multipliers(state, t, x, outcome, err);
    }
    return status;
}
