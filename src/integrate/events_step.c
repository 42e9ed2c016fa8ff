/* events_step.c - steps that end at zeros of event functions, for every method. theory, chapter
 * 8.
 *
 * Before each step the integrator is copied, with all that the method remembers. If the step
 * meets a wanted zero (events_find.c), the copy is put back and the step made again up to the
 * zero; its time is then corrected by the secant of the functions' values at the ends of such
 * steps, theory (8.3), so that the dense output's error does not count. Rows between are those
 * of the step that was made last. What the problem has learnt on the way is not undone: it is
 * prepared anew. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include "integrate/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* steps made again for one zero, and for one that is jumped over; zeros and failed approaches
 * in one step, per function and more */
enum { APPROACHES = 12, BISECTIONS = 60, ROUNDS = 4 };
/* multiples of round-off in t: the last correction, events at the same time, the shortest
 * step */
static const double last_correction = 4.0, same_time = 16.0, shortest = 64.0;
/* how far beyond the time at which the dense output has changed its sign the zero may be, of
 * the step */
static const double beyond = 0.5;
/* a step made so much shorter by an event leaves the method without a useful past */
static const double too_short = 1e-3;
/* of a function's values around its zero: one that is larger there jumps over it */
static const double jump = 0.01;

/* ---- the step made again ---- */

static void keep(crank_integrator *it, crank_event_state *e)
{
    e->kept = *it;
    memcpy(e->past, it->x, (size_t)it->n * sizeof *it->x);
    e->part = it->problem->alternatives != NULL ? it->problem->alternatives->now : 0;
    crank_arena_save(&it->arena, e->copy);
}

/* Counters go on; the step that is undone is not counted among the accepted ones, nor for the
 * limit on steps. */
static void put_back(crank_integrator *it, crank_event_state *e)
{
    const crank_statistics statistics = it->statistics;
    *it = e->kept;
    it->statistics = statistics;
    it->statistics.steps--;
    it->statistics.event_steps++;
    if (it->problem->alternatives != NULL) {
        it->problem->alternatives->now = e->part;
    }
    crank_arena_load(&it->arena, e->copy);
}

crank_status crank_integrator_rewind(crank_integrator *it, bool jumped, crank_error *err)
{
    crank_problem *p = it->problem;
    bool changed = false;
    crank_status status = CRANK_OK;
    if (jumped) { /* the position is ahead again */
        p->statistics->singular_passages--;
        p->course->restart(p);
    }
    if (p->course != NULL) {
        status = p->course->accepted(p, it->t, it->x, &changed, err);
    }
    /* the monitor of singular positions looks at the present again; implicit one-step methods
     * prepare before they ask it */
    const bool prepares = it->method->one_step && !it->method->is_explicit;
    if (status == CRANK_OK && !prepares &&
        (p->constraints != NULL || it->method->is_explicit)) {
        status = p->prepare(p, it->t, it->x, NULL, err);
    }
    it->method->invalidate(it);
    return status > CRANK_OK ? CRANK_OK : status; /* the step itself says what is wrong */
}

/* The step again, up to `end`; it may end before. */
static crank_status step_again(crank_integrator *it, crank_event_state *e, double end,
                               crank_error *err)
{
    const bool jumped = it->jumped;
    put_back(it, e);
    crank_status status = it->method->rewind != NULL ? it->method->rewind(it, jumped, err)
                                                     : crank_integrator_rewind(it, jumped, err);
    if (status == CRANK_OK) {
        it->t_stop = end;
        it->h = end - it->t;
        status = crank_stepper_step(it, err);
        it->t_stop = it->t_bound;
    }
    return status;
}

/* ---- towards a zero ---- */

/* Round-off in t, seen from the step. */
static double unit_of(const crank_event_state *e, double t)
{
    return DBL_EPSILON * fmax(fabs(t), fmax(fabs(e->kept.t), e->h_whole));
}

/* largest value of function i at the points looked at */
static double size_of(const crank_event_state *e, int i)
{
    double size = 0.0;
    for (int point = 0; point < e->points; point++) {
        size = fmax(size, fabs(crank_event_values(e, point)[i]));
    }
    return size;
}

/* Where the zero of the motion that steps make is looked for, and what is known of it. */
typedef struct approach {
    double before, after; /* it lies between them */
    bool after_known;     /* by a step, not by the dense output */
    double t, value;      /* of the last step; NAN: none yet */
    double slope, change; /* change: last correction of t */
    double size;          /* of the function in the step, */
    double around;        /* and the largest of its values at before and after */
    double value_before, value_after;
    double next;
    int steps;
} approach;

/* Half the interval in which the function jumps over zero; false: it is as short as it can be,
 * behind the jump. */
static bool bisect(approach *a, double t, int sense, double unit)
{
    a->next = a->after_known ? 0.5 * (a->before + a->after) : a->after;
    if (a->after - a->before > 2.0 * unit) {
        return true;
    }
    a->next = a->after;
    return crank_event_sign(a->value) != sense && t != a->after;
}

/* The next time from the value at the last one, theory (8.3); false: the zero is found. */
static bool correct(approach *a, double t, double value, int sense, double unit)
{
    const double secant = (value - a->value) / (t - a->t), before = a->change;
    if (isfinite(secant) && sense * secant > 0.0) {
        a->slope = secant;
    }
    a->t = t;
    a->value = value;
    a->steps++;
    if (crank_event_sign(value) == sense) {
        a->after = t;
        a->after_known = true;
        a->value_after = fabs(value);
    } else {
        a->before = t;
        a->value_before = fabs(value);
    }
    a->around = fmax(a->value_before, a->value_after);
    const bool sound = sense * a->slope > 0.0;
    a->next = t - value / a->slope;
    a->change = fabs(a->next - t);
    const bool slow = a->steps >= APPROACHES / 2;
    if (slow && a->around > jump * a->size) {
        return bisect(a, t, sense, unit);
    }
    const bool noise = slow && a->change > 0.5 * before;
    if (value == 0.0 || (sound && (noise || a->change <= last_correction * unit))) {
        return false;
    }
    if (!(a->next > a->before && a->next < a->after)) {
        a->next = a->after_known ? 0.5 * (a->before + a->after) : a->after;
    }
    return fabs(a->next - t) > unit && a->after - a->before > 2.0 * unit;
}

/* Steps from the beginning again, towards a zero. *reached: the last one ends at it. Otherwise
 * it ended before, or the motion does not cross zero. */
static crank_status approach_zero(crank_integrator *it, crank_event_state *e,
                                  const crank_event_zero *zero, bool *reached, crank_error *err)
{
    const double unit = unit_of(e, zero->t), least = e->kept.t + shortest * unit;
    const double furthest = zero->beyond + beyond * (zero->beyond - e->kept.t);
    approach a = {.before = e->kept.t,
                  .after = fmin(it->t_bound, furthest),
                  .t = (double)NAN,
                  .value = (double)NAN,
                  .slope = zero->slope,
                  .change = (double)INFINITY,
                  .size = size_of(e, zero->function),
                  .next = zero->t};
    for (int k = 0; k < (a.around > jump * a.size ? BISECTIONS : APPROACHES); k++) {
        const double next = fmin(fmax(a.next, least), it->t_bound);
        /* what would be left is no step */
        const double end = it->t_bound - next < shortest * unit ? it->t_bound : next;
        *reached = end == it->t && k > 0;
        if (*reached) {
            return CRANK_OK;
        }
        crank_status status = step_again(it, e, end, err);
        if (status != CRANK_OK || it->t != end) {
            return status;
        }
        status = crank_events_evaluate(e, it->t, it->x, e->now, err);
        if (status < CRANK_OK) {
            return status;
        }
        if (status > CRANK_OK) { /* behind the zero they need not be defined */
            a.after = end;
            a.after_known = true;
            a.next = 0.5 * (a.before + a.after);
            continue;
        }
        const double value = e->now[zero->function];
        if (crank_event_sign(value) == -zero->sense && end >= a.after) {
            return CRANK_OK;
        }
        *reached = !correct(&a, end, value, zero->sense, unit);
        if (*reached) {
            return CRANK_OK;
        }
    }
    *reached = a.steps > 0 && a.t == it->t;
    return CRANK_OK;
}

/* ---- what happened ---- */

/* Functions that are zero at the end of the step together with the one that it was made for:
 * e->found. */
static void find_companions(crank_integrator *it, crank_event_state *e,
                            const crank_event_zero *zero)
{
    const double unit = unit_of(e, it->t), h = it->t - it->t_old;
    const double width = fmax(1e-3 * h, fmin(h, 1e3 * unit));
    memset(e->found, 0, (size_t)e->events.count);
    e->found[zero->function] = (signed char)zero->sense;
    crank_events_measure_noise(it, e, e->now);
    crank_events_find_gap(it, e);
    if (crank_events_sample(it, e, fmax(it->t - width, it->t_old), false, e->end, NULL) !=
        CRANK_OK) {
        return;
    }
    const int i = zero->function;
    const double slope = (e->now[i] - e->end[i]) / width;
    double away = slope != 0.0 ? fabs(e->now[i] / slope) : 0.0;
    away = same_time * unit + fmin(2.0 * away, 1e-3 * h);
    for (int j = 0; j < e->events.count; j++) {
        const double change = e->now[j] - e->end[j];
        const double limit =
            fabs(change) / width * away + crank_event_noise_factor * e->noise[j];
        const int sense = crank_event_sign(change);
        const double before = fabs(e->end[j]) > limit ? e->end[j] : e->side[j];
        const bool left = !e->leaving[j] || fabs(e->end[j]) > e->rest[j];
        if (j != i && fabs(e->now[j]) <= limit && sense != 0 && left &&
            crank_event_sign(before) == -sense &&
            (e->direction[j] == 0 || e->direction[j] == sense)) {
            e->found[j] = (signed char)sense;
        }
    }
}

/* The step stands. found: what happened at its end, NULL: nothing. values: there. */
static void commit(const crank_integrator *it, crank_event_state *e, const signed char *found,
                   const double *values)
{
    e->any = found != NULL;
    for (int i = 0; i < e->events.count; i++) {
        e->happened[i] = found != NULL ? found[i] : 0;
        if (e->happened[i] != 0) {
            e->side[i] = found[i];
            e->came[i] = (signed char)-found[i];
            e->size[i] = size_of(e, i);
            e->rest[i] = 2.0 * fabs(values[i]) + crank_event_noise_factor * e->noise[i];
            e->leaving[i] = e->rest[i] <= jump * e->size[i]; /* else it jumped, and has left */
            e->guarded[i] = false;
        } else if (e->sign[i] != 0) {
            e->side[i] = e->sign[i];
            e->leaving[i] = e->guarded[i] = false;
            e->came[i] = 0;
        }
    }
    memcpy(e->before, e->value, (size_t)e->events.count * sizeof *values);
    memcpy(e->value, values, (size_t)e->events.count * sizeof *values);
    e->h_before = it->t - it->t_old;
}

static crank_status note_events(crank_integrator *it, crank_event_state *e, crank_error *err)
{
    crank_status status = CRANK_OK;
    e->interval = it->t - e->t_event;
    e->t_event = it->t;
    e->fresh = it->t - it->t_old < too_short * e->h_whole;
    for (int i = 0; i < e->events.count; i++) {
        if (e->happened[i] != 0) {
            it->statistics.events++;
            const crank_status noted = crank_events_note(it, e, i, err);
            status = status == CRANK_OK ? noted : status;
        }
    }
    return status;
}

/* ---- one step ---- */

/* Looks into the step that was made. *zero: a wanted one, in functions that are not marked in
 * done. *until: as far as functions could be evaluated. */
static crank_status examine(crank_integrator *it, crank_event_state *e, const signed char *done,
                            crank_event_zero *zero, double *until, crank_error *err)
{
    crank_error reason = {0};
    const crank_status looked = crank_events_look(it, e, until, &reason);
    crank_status status = looked;
    if (looked >= CRANK_OK) {
        status = crank_events_find(it, e, done, zero, &reason);
        if (status > CRANK_OK) { /* a hole in the domain, between points that have values */
            return crank_events_undefined(it->t_old, &reason, err);
        }
    }
    if (status == CRANK_OK && zero->function < 0 && zero->through < 0) {
        status = looked;
    }
    if (status != CRANK_OK && err != NULL) {
        *err = reason;
    }
    return status;
}

/* No function can be evaluated behind `until`: the step is made again, half as far as the next
 * point that was tried. */
static crank_status retreat(crank_integrator *it, crank_event_state *e, double until,
                            crank_error *err)
{
    const crank_error reason = *err;
    const double begin = e->kept.t, least = shortest * unit_of(e, it->t);
    double end = until > begin ? until : begin + 0.25 * (it->t - begin) / CRANK_EVENT_PARTS;
    if (end - begin < least) {
        end = begin + 0.5 * (it->t - begin);
    }
    if (end - begin < least) {
        put_back(it, e);
        return crank_events_undefined(begin, &reason, err);
    }
    return step_again(it, e, end, err);
}

/* The zero as the end of the step, and those that come with it. *done: the step stands. */
static crank_status end_at(crank_integrator *it, crank_event_state *e, crank_event_zero *zero,
                           bool *done, crank_error *err)
{
    crank_event_zero other = {.function = -1};
    double until = 0.0;
    *done = false;
    for (int k = 0; k <= e->events.count; k++) {
        bool reached = false;
        crank_status status = approach_zero(it, e, zero, &reached, err);
        if (status != CRANK_OK || !reached) {
            return status;
        }
        find_companions(it, e, zero);
        status = examine(it, e, e->found, &other, &until, err);
        if (status < CRANK_OK) {
            return status;
        }
        if (other.function < 0) {
            *done = true;
            commit(it, e, e->found, e->now);
            return note_events(it, e, err);
        }
        *zero = other; /* the steps' own motion meets another one before */
    }
    return CRANK_OK;
}

/* A function that has come to zero where the run ends: no step tells whether it passes, and it
 * counts (a clock that ticks at that time). */
static void find_at_end(const crank_integrator *it, crank_event_state *e, const double *end,
                        crank_event_zero *zero)
{
    if (it->t < it->t_end) {
        return;
    }
    crank_events_measure_noise(it, e, end);
    for (int i = 0; i < e->events.count && zero->function < 0; i++) {
        const int side = crank_event_sign(e->sign[i]);
        if (side != 0 && fabs(end[i]) <= crank_event_noise_factor * e->noise[i] &&
            e->direction[i] != side && fabs(crank_event_values(e, 0)[i]) > fabs(end[i])) {
            *zero = (crank_event_zero){.function = i, .sense = -side, .t = it->t};
        }
    }
}

/* Functions that are apart from zero as long as nothing happens have not passed it unseen: from
 * rounding of zero to the other side. */
static crank_status check_sides(const crank_integrator *it, const crank_event_state *e,
                                crank_error *err)
{
    for (int i = 0; i < e->events.count && e->events.apart; i++) {
        if (e->direction[i] < 0 && e->side[i] < 0) {
            return crank_fail(err, CRANK_EEVENTS,
                              "event \"%s\" happens before t = %.10g where it is not resolved: "
                              "what the last event has set lets it leave zero by no more than "
                              "rounding; let the model come to rest there, or end the run by "
                              "terminate()",
                              e->events.name[i], it->t);
        }
    }
    return CRANK_OK;
}

/* The step as it is. zero: one that could not be approached. If functions have their signs of
 * before at the end, the dense output was wrong and there is none; if not, it is told late
 * rather than not at all. */
static crank_status conclude(crank_integrator *it, crank_event_state *e,
                             const crank_event_zero *zero, crank_error *err)
{
    const double *end = crank_event_values(e, e->points - 1);
    crank_event_zero last = {.function = -1};
    if (zero->function < 0) {
        find_at_end(it, e, end, &last);
    }
    if (last.function >= 0) {
        memcpy(e->now, end, (size_t)e->events.count * sizeof *end);
        find_companions(it, e, &last);
        commit(it, e, e->found, e->now);
        return note_events(it, e, err);
    }
    if (zero->function < 0) {
        commit(it, e, NULL, end);
        return check_sides(it, e, err);
    }
    for (int i = 0; i < e->events.count; i++) {
        const int sign = crank_event_sign(end[i]);
        e->sign[i] = sign != 0 ? (signed char)sign : e->sign[i];
    }
    if (e->sign[zero->function] != zero->sense) {
        commit(it, e, NULL, end);
        return check_sides(it, e, err);
    }
    memcpy(e->now, end, (size_t)e->events.count * sizeof *end);
    find_companions(it, e, zero);
    commit(it, e, e->found, e->now);
    return note_events(it, e, err);
}

crank_status crank_events_step(crank_integrator *it, crank_error *err)
{
    crank_event_state *e = it->events;
    crank_error reason = {0};
    crank_status status = e->fresh ? crank_events_start_anew(it, err) : CRANK_OK;
    e->fresh = false;
    if (status != CRANK_OK) {
        return status;
    }
    keep(it, e);
    status = crank_stepper_step(it, err);
    e->h_whole = it->t - e->kept.t;
    for (int round = 0; status == CRANK_OK; round++) {
        crank_event_zero zero = {.function = -1};
        double until = 0.0;
        bool done = false;
        status = examine(it, e, NULL, &zero, &until, &reason);
        if (status > CRANK_OK) {
            status = retreat(it, e, until, &reason);
        } else if (status == CRANK_OK && zero.through >= 0) {
            put_back(it, e);
            status = crank_events_fail_barrier(it, e, zero.through, &reason);
        } else if (status == CRANK_OK && zero.function >= 0 && round < ROUNDS) {
            status = end_at(it, e, &zero, &done, &reason);
        } else if (status == CRANK_OK) {
            status = conclude(it, e, &zero, &reason);
            done = true;
        }
        if (status != CRANK_OK && err != NULL) {
            *err = reason;
        }
        if (done) {
            break;
        }
    }
    return status;
}
