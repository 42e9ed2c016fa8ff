/* events.c - event functions of an integrator: which of them are zero where a run starts
 * (again), theory 8.4, and what callers see. Steps: events_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include "integrate/stepper.h"
#include "integrate/switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of the interval between events: the first step of methods that must find their order */
static const double first_part = 0.1;
/* of the step before the event: the first step of the others, so that it is not rejected as a
 * rule */
static const double safety = 0.8;
/* of its size in the step before: what a change of the state at an event may leave of a zero */
static const double moved = 1e-6;
/* round-off of a value over the change that perturbed unknowns make */
const double crank_event_noise_factor = 4.0;

/* ---- values ---- */

crank_status crank_events_evaluate(crank_event_state *e, double t, const double *x,
                                   double *values, crank_error *err)
{
    crank_problem *p = e->problem;
    crank_status status =
        p->unknowns != NULL ? p->unknowns->expand(p, t, x, e->given, err) : CRANK_OK;
    if (status == CRANK_OK) {
        status = e->events.evaluate(e->events.user, t, p->unknowns != NULL ? e->given : x,
                                    values, err);
    }
    for (int i = 0; i < e->events.count && status == CRANK_OK; i++) {
        if (!isfinite(values[i])) {
            return crank_fail(err, CRANK_RETRY, "event \"%s\" is not finite at t = %.10g",
                              e->events.name[i], t);
        }
    }
    return status;
}

crank_status crank_events_evaluate_states(crank_event_state *e, double t, const double *x,
                                          double *values, crank_error *err)
{
    crank_problem *p = e->problem;
    if (p->unknowns == NULL || p->unknowns->expand_states == NULL) {
        return crank_events_evaluate(e, t, x, values, err);
    }
    crank_status status = p->unknowns->expand_states(p, t, x, e->given, err);
    if (status == CRANK_OK) {
        status = e->events.evaluate(e->events.user, t, e->given, values, NULL);
    }
    for (int i = 0; i < e->events.count && status == CRANK_OK; i++) {
        status = e->of_states[i] && !isfinite(values[i]) ? CRANK_RETRY : CRANK_OK;
    }
    return status > CRANK_OK ? crank_events_evaluate(e, t, x, values, err) : status;
}

crank_status crank_events_undefined(double t, const crank_error *reason, crank_error *err)
{
    const crank_error why = *reason;
    return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                      "events cannot be evaluated from t = %.10g on%s%s", t,
                      why.text[0] != '\0' ? ": " : "", why.text);
}

/* Is function i zero at the present state? located: it had its event here, in another state.
 * What brings that onto the constraints may move it a little; how far a barrier is passed does
 * not matter. */
static bool is_zero(const crank_event_state *e, int i, bool located)
{
    const double size = fabs(e->value[i]), noise = crank_event_noise_factor * e->noise[i];
    const bool passed = e->barrier[i] && crank_event_sign(e->value[i]) != e->came[i];
    return size <= noise || (e->leaving[i] && size <= e->rest[i] + noise) ||
           (located && (passed || size <= moved * e->size[i]));
}

/* Which functions are zero at the present state, and the signs of the others. reported: zeros
 * of these are as located. */
static crank_status take_values(crank_integrator *it, crank_event_state *e,
                                const signed char *reported, crank_error *err)
{
    crank_error reason = {0};
    const crank_status status = crank_events_evaluate(e, it->t, it->x, e->value, &reason);
    if (status != CRANK_OK) {
        if (status > CRANK_OK) {
            return crank_events_undefined(it->t, &reason, err);
        }
        if (err != NULL) {
            *err = reason;
        }
        return status;
    }
    crank_events_measure_noise(it, e, e->value);
    for (int i = 0; i < e->events.count; i++) {
        const bool located = reported != NULL && reported[i] != 0;
        e->before[i] = (double)NAN;
        e->resting[i] = false;
        const bool zero = is_zero(e, i, located);
        if (!zero || !(located || e->leaving[i])) {
            e->came[i] = 0;
        }
        e->leaving[i] = zero;
        e->rest[i] = 2.0 * fabs(e->value[i]) + crank_event_noise_factor * e->noise[i];
        e->side[i] = zero ? 0 : (signed char)crank_event_sign(e->value[i]);
        /* a barrier touched without its event: the direction tells from where */
        if (zero && e->barrier[i] && e->came[i] == 0) {
            e->came[i] = (signed char)-e->direction[i];
        }
        e->guarded[i] = e->barrier[i] && e->came[i] != 0;
    }
    memset(e->happened, 0, (size_t)e->events.count);
    e->any = e->fresh = e->awaits = false;
    return CRANK_OK;
}

/* ---- from another state ---- */

/* The method starts at the present state, with a step of about the length h: no longer, if it
 * must find its order first. */
static crank_status start_anew(crank_integrator *it, double h, crank_error *err)
{
    const crank_method *method = it->method;
    const uint64_t origin = it->origin;
    it->t_old = it->t;
    it->last_error = (double)NAN;
    it->jumped = false;
    it->outside = (crank_error){0};
    it->stopped = CRANK_OK;
    crank_integrator_set_scale(it, it->x);
    if (it->problem->course != NULL) {
        it->problem->course->restart(it->problem);
    }
    const crank_status status =
        method->restart != NULL ? method->restart(it, err) : crank_stepper_start(it, err);
    it->origin = origin; /* the mark of the run's start */
    if (status == CRANK_OK && h > 0.0) {
        it->h = method->one_step ? h : fmin(it->h, first_part * h);
    }
    return status;
}

/* the next event may be as far away as the last one was */
static double expected_step(const crank_integrator *it)
{
    const crank_event_state *e = it->events;
    const bool after_event = e != NULL && e->t_event == it->t && e->interval > 0.0;
    return after_event ? safety * fmin(e->h_whole, e->interval) : it->h;
}

crank_status crank_events_start_anew(crank_integrator *it, crank_error *err)
{
    return start_anew(it, expected_step(it), err);
}

/* Functions that had a side and are on the other one now, though no step leads across zero.
 * Those that have come to zero from their side keep it: the next step tells whether they cross,
 * as it would without the switch. */
static crank_status find_jumped(crank_integrator *it, crank_event_state *e, crank_error *err)
{
    for (int i = 0; i < e->events.count; i++) {
        e->sign[i] = e->side[i];
        e->found[i] = e->leaving[i];
    }
    const crank_status status = take_values(it, e, NULL, err);
    for (int i = 0; i < e->events.count && status == CRANK_OK; i++) {
        const int side = e->side[i];
        if (side == 0 && e->sign[i] != 0 && !e->found[i]) {
            e->side[i] = e->sign[i];
            e->leaving[i] = e->guarded[i] = false;
            e->came[i] = 0;
        }
        if (e->sign[i] != 0 && side == -e->sign[i] &&
            (e->direction[i] == 0 || e->direction[i] == side)) {
            e->happened[i] = (signed char)side;
            e->came[i] = e->sign[i];
            e->any = true;
            it->statistics.events++;
        }
    }
    e->awaits = e->any;
    return status;
}

crank_status crank_events_start_behind(crank_integrator *it, double h, crank_error *err)
{
    const crank_status status = start_anew(it, safety * h, err);
    return status == CRANK_OK && it->events != NULL ? find_jumped(it, it->events, err) : status;
}

bool crank_events_tell(crank_integrator *it)
{
    const bool told = it->events != NULL && it->events->awaits;
    if (told) {
        it->events->awaits = false;
    }
    return told;
}

/* Are all algebraic unknowns of index 1, so that a correction finds them? */
static bool are_corrected(const crank_integrator *it)
{
    const crank_problem *p = it->problem;
    bool index_1 = p->constraints != NULL;
    for (int j = 0; j < it->n && index_1; j++) {
        index_1 = crank_integrator_is_differential(it, j) || p->scaling[j] == 0;
    }
    return index_1;
}

/* Without velocities (a general DAE) unknowns that constraints determine may jump. */
static bool may_jump(const crank_integrator *it)
{
    bool any = false;
    for (int j = 0; j < it->n && !any; j++) {
        any = it->problem->group[j] == CRANK_V;
    }
    return !any && it->problem->constraints != NULL;
}

/* algebraic unknowns of a point of the problem from the others */
static crank_status complete(crank_integrator *it, bool all, double *row, crank_error *err)
{
    crank_problem *p = it->problem;
    if (p->derivative != NULL && !all) {
        return p->derivative(p, it->t, row, it->output_work, err);
    }
    if (all || are_corrected(it)) {
        const crank_status status = p->prepare(p, it->t, row, NULL, err);
        return status == CRANK_OK ? p->constraints->correct(p, it->t, row, err) : status;
    }
    return p->constraints == NULL && p->complete != NULL ? p->complete(p, it->t, row, err)
                                                         : CRANK_RETRY;
}

crank_status crank_integrator_follow(crank_integrator *it, double *x, crank_error *err)
{
    crank_problem *p = it->problem;
    const crank_problem_unknowns *own = p->unknowns;
    const bool all = may_jump(it);
    double *row = it->row;
    crank_status status = it->switches != NULL ? crank_switches_cross(it, x, err) : CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    if (own != NULL) {
        status = own->reduce(p, it->t, x, row, err);
    } else {
        memcpy(row, x, (size_t)it->n * sizeof *x);
    }
    status = status == CRANK_OK ? complete(it, all, row, err) : status;
    if (own != NULL) {
        return status == CRANK_OK ? own->expand(p, it->t, row, x, err) : status;
    }
    for (int j = 0; j < it->n && status == CRANK_OK; j++) {
        x[j] = !all && crank_integrator_is_differential(it, j) ? x[j] : row[j];
    }
    return status;
}

crank_status crank_integrator_restart(crank_integrator *it, const double *x, crank_error *err)
{
    if (!it->started) {
        return crank_fail(err, CRANK_EARG, "crank_integrator_start was not called");
    }
    crank_status status = crank_integrator_take(it, x, err);
    if (status == CRANK_OK && it->switches != NULL) { /* parameters may have changed */
        crank_switches_start(it);
    }
    status = status == CRANK_OK ? start_anew(it, expected_step(it), err) : status;
    return status == CRANK_OK && it->events != NULL
               ? take_values(it, it->events, it->events->happened, err)
               : status;
}

/* ---- what callers see ---- */

crank_status crank_events_start(crank_integrator *it, crank_error *err)
{
    crank_event_state *e = it->events;
    const size_t count = (size_t)e->events.count;
    memset(e->leaving, 0, count * sizeof *e->leaving);
    memset(e->came, 0, count);
    for (size_t i = 0; i < count; i++) {
        crank_events_forget(&e->times[i]);
    }
    e->t_start = e->t_event = it->t;
    e->interval = e->h_whole = e->h_before = 0.0;
    return take_values(it, e, NULL, err);
}

static void layout(const crank_integrator *it, crank_event_state *e, crank_arena *arena)
{
    const size_t count = (size_t)e->events.count, n = (size_t)it->n, real = sizeof(double);
    signed char **const signs[] = {&e->direction, &e->happened, &e->side,
                                   &e->came,      &e->sign,     &e->found};
    double **const values[] = {&e->value, &e->now,  &e->end,    &e->noise,
                               &e->rest,  &e->size, &e->before, &e->last};
    bool **const flags[] = {&e->leaving, &e->barrier,   &e->guarded, &e->resting,
                            &e->of_time, &e->of_states, &e->open};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        *signs[k] = crank_arena_take(arena, count, 1);
    }
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        *values[k] = crank_arena_take(arena, count, real);
    }
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        *flags[k] = crank_arena_take(arena, count, sizeof(bool));
    }
    e->times = crank_arena_take(arena, count, sizeof *e->times);
    e->x = crank_arena_take(arena, n, real);
    e->work = crank_arena_take(arena, n, real);
    e->gap = crank_arena_take(arena, n, real);
    e->past = crank_arena_take(arena, n, real);
    e->given = crank_arena_take(arena, (size_t)crank_problem_given(it->problem), real);
    e->values = crank_arena_take(arena, CRANK_EVENT_POINTS * count, real);
    e->copy = crank_arena_take(arena, it->arena.size, 1);
}

static crank_status check_events(const crank_integrator *it, const crank_events *events,
                                 crank_error *err)
{
    if (it->started) {
        return crank_fail(err, CRANK_EARG, "events are set before crank_integrator_start");
    }
    if (events->count < 0 ||
        (events->count > 0 && (events->evaluate == NULL || events->name == NULL))) {
        return crank_fail(err, CRANK_EARG, "%d events need a function and names",
                          events->count);
    }
    for (int i = 0; i < events->count; i++) {
        const int direction = events->direction != NULL ? events->direction[i] : 0;
        if (events->name[i] == NULL || direction < -1 || direction > 1) {
            return crank_fail(err, CRANK_EARG,
                              "event %d has no name, or a direction %d other than -1, 0, 1",
                              i + 1, direction);
        }
    }
    return CRANK_OK;
}

crank_status crank_integrator_set_events(crank_integrator *it, const crank_events *events,
                                         crank_error *err)
{
    const crank_status status = check_events(it, events, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_events_destroy(it->events);
    it->events = NULL;
    if (events->count == 0) {
        return CRANK_OK;
    }
    crank_event_state *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d events", events->count);
    }
    e->events = *events;
    e->problem = it->problem;
    layout(it, e, &e->arena);
    if (!crank_arena_allocate(&e->arena)) {
        free(e);
        return crank_fail(err, CRANK_EMEM, "%d events", events->count);
    }
    layout(it, e, &e->arena);
    for (int i = 0; i < events->count; i++) {
        e->direction[i] = (signed char)(events->direction != NULL ? events->direction[i] : 0);
        e->barrier[i] = events->barrier != NULL && events->barrier[i];
        e->of_time[i] = events->of_time != NULL && events->of_time[i];
        e->any_of_time = e->any_of_time || e->of_time[i];
        e->of_states[i] = events->of_states != NULL && events->of_states[i];
    }
    it->events = e;
    return CRANK_OK;
}

const signed char *crank_integrator_events(const crank_integrator *it)
{
    return it->events != NULL && it->events->any ? it->events->happened : NULL;
}

void crank_integrator_leave_events(crank_integrator *it)
{
    if (it->events != NULL) {
        it->events->any = false;
    }
}

void crank_events_destroy(crank_event_state *e)
{
    if (e != NULL) {
        crank_arena_free(&e->arena);
        free(e);
    }
}
