/* events_find.c - zeros of event functions within the last step, on its dense output. theory
 * 8.1, 8.2.
 *
 * Functions are looked at at the beginning, at PARTS equal parts and, where three values of one
 * sign suggest by their parabola that it comes close to zero between them, there too. A change
 * of sign between neighbours is a zero, which the Illinois method [DJ71] encloses. A function
 * that was zero at the beginning has no sign there: unless it rests there, it is followed
 * outwards, from very close points on, until it exceeds round-off. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* parabolas that stay above this part of the values they go through are no reason to look */
static const double dip_depth = 0.3;
/* no look closer to another one than this part of the step */
static const double dip_width = 1e-5;
/* of the step: where looks for functions that leave zero begin, and their ratio */
static const double probe_first = 1e-12, probe_ratio = 4.0;
/* of the step: distance of the values whose difference is the slope */
static const double slope_width = 1e-3;
/* of the values around a zero: what is close enough to it where values are costly */
static const double nearly = 1e-4;
enum { ITERATIONS = 100, PATTERNS = 3 };

crank_status crank_events_sample(crank_integrator *it, crank_event_state *e, double t,
                                 bool states, double *values, crank_error *err)
{
    if (t == it->t) {
        return crank_events_evaluate(e, t, it->x, values, err);
    }
    const double part = (it->t - t) / (it->t - it->t_old);
    it->method->interpolate(it, t, e->x);
    for (int j = 0; j < it->n; j++) {
        e->x[j] += part * e->gap[j];
        if (!isfinite(e->x[j])) {
            return crank_fail(err, CRANK_RETRY,
                              "the motion at t = %.10g cannot be interpolated", t);
        }
    }
    return states ? crank_events_evaluate_states(e, t, e->x, values, err)
                  : crank_events_evaluate(e, t, e->x, values, err);
}

/* What the correction of the end has moved, the dense output misses at the beginning: a bounce
 * that is weaker would not be seen. The gap is closed linearly, theory (8.1). Explicit methods
 * have none. */
void crank_events_find_gap(crank_integrator *it, crank_event_state *e)
{
    memset(e->gap, 0, (size_t)it->n * sizeof *e->gap);
    if (it->method->is_explicit) {
        return;
    }
    const double *begin = crank_arena_copied(&it->arena, e->copy, it->x);
    it->method->interpolate(it, it->t_old, e->x);
    for (int j = 0; j < it->n; j++) {
        const double gap = begin[j] - e->x[j];
        e->gap[j] = isfinite(gap) ? gap : 0.0;
    }
}

/* Is its value within a step one of an iteration of translated equations? */
static bool is_solved_for(const crank_event_state *e, int i)
{
    const crank_problem_unknowns *own = e->problem->unknowns;
    return own != NULL && own->costly && !e->of_states[i];
}

/* a point more, behind those before it; status as of the evaluation. Functions that are not open
 * have the values of the end where the others need no solution. */
static crank_status add(crank_integrator *it, crank_event_state *e, double t, crank_error *err)
{
    double *values = crank_event_values(e, e->points);
    const crank_status status = crank_events_sample(it, e, t, e->open_states, values, err);
    if (status == CRANK_OK) {
        for (int i = 0; i < e->events.count && e->open_states; i++) {
            values[i] = e->open[i] ? values[i] : e->last[i];
        }
        e->t[e->points++] = t;
    }
    return status;
}

/* the point added last becomes number `at` */
static void move_last(crank_event_state *e, int at)
{
    const int count = e->events.count, last = e->points - 1;
    const double t = e->t[last];
    memcpy(e->end, crank_event_values(e, last), (size_t)count * sizeof *e->end);
    for (int k = last; k > at; k--) {
        e->t[k] = e->t[k - 1];
        memcpy(crank_event_values(e, k), crank_event_values(e, k - 1),
               (size_t)count * sizeof *e->end);
    }
    e->t[at] = t;
    memcpy(crank_event_values(e, at), e->end, (size_t)count * sizeof *e->end);
}

/* Must functions that were zero at the beginning be followed outwards? What rests at zero at all
 * other points (friction that sticks) need not. */
static bool any_leaves(crank_event_state *e)
{
    bool leaves = false;
    for (int i = 0; i < e->events.count; i++) {
        bool left = e->points == 1; /* nothing is known */
        for (int k = 1; k < e->points; k++) {
            left = left || crank_event_has_left(e, i, crank_event_values(e, k)[i]);
        }
        e->resting[i] = e->leaving[i] && !left;
        leaves = leaves || (e->leaving[i] && left);
    }
    return leaves;
}

/* Points close to the beginning, before all others, until all functions have left zero. Where
 * they have no values, others tell. */
static crank_status probe(crank_integrator *it, crank_event_state *e, crank_error *err)
{
    const double h = it->t - it->t_old, least = 8.0 * DBL_EPSILON * fabs(it->t);
    bool all = !any_leaves(e);
    crank_status status = CRANK_OK;
    double part = probe_first / probe_ratio;
    int points = 1;
    for (int k = 0; k < CRANK_EVENT_PROBES && !all; k++) {
        part *= probe_ratio;
        if (part >= 1.0 / CRANK_EVENT_PARTS) {
            break;
        }
        if (part * h < least) {
            continue;
        }
        status = add(it, e, it->t_old + part * h, err);
        if (status != CRANK_OK) {
            break;
        }
        move_last(e, points++);
        all = true;
        for (int i = 0; i < e->events.count; i++) {
            all = all && (!e->leaving[i] || e->resting[i] ||
                          crank_event_has_left(e, i, crank_event_values(e, points - 1)[i]));
        }
    }
    return status < CRANK_OK ? status : CRANK_OK;
}

/* Does function i seem to come close to zero between the points j - 1 and j + 1, and where? */
static bool dips(const crank_event_state *e, int i, int j, double *where)
{
    const double a = crank_event_values(e, j - 1)[i], b = crank_event_values(e, j)[i],
                 c = crank_event_values(e, j + 1)[i];
    const int sign = crank_event_sign(a);
    if (sign == 0 || crank_event_sign(b) != sign || crank_event_sign(c) != sign) {
        return false;
    }
    const double left = e->t[j] - e->t[j - 1], right = e->t[j + 1] - e->t[j];
    const double slope_left = (b - a) / left, slope_right = (c - b) / right;
    const double curvature = (slope_right - slope_left) / (left + right); /* half of it */
    const double slope = (slope_left * right + slope_right * left) / (left + right);
    if (!(sign * curvature > 0.0)) {
        return false;
    }
    const double offset = -0.5 * slope / curvature,
                 lowest = sign * (b - 0.25 * slope * slope / curvature);
    *where = e->t[j] + offset;
    return offset > -left && offset < right &&
           lowest < dip_depth * fmin(fabs(a), fmin(fabs(b), fabs(c)));
}

static crank_status look_into_dips(crank_integrator *it, crank_event_state *e, crank_error *err)
{
    const double near = dip_width * (it->t - it->t_old);
    int looks = 0;
    for (int i = 0; i < e->events.count; i++) {
        for (int j = 1; j + 1 < e->points && looks < CRANK_EVENT_DIPS && e->open[i];) {
            double t = 0.0;
            if (!dips(e, i, j, &t) || fabs(t - e->t[j]) < near || t - e->t[j - 1] < near ||
                e->t[j + 1] - t < near) {
                j++;
                continue;
            }
            const int at = t < e->t[j] ? j : j + 1;
            const crank_status status = add(it, e, t, err);
            if (status < CRANK_OK) {
                return status;
            }
            looks++;
            if (status > CRANK_OK) {
                j++;
                continue;
            }
            move_last(e, at);
            j = at > 1 ? at - 1 : 1; /* the finer neighbours are looked at again */
        }
    }
    return CRANK_OK;
}

/* Behind the last point there are no values at `bad`: one more point as near to the edge as can
 * be. */
static crank_status find_edge(crank_integrator *it, crank_event_state *e, double bad,
                              crank_error *err)
{
    const int last = e->points;
    double good = e->t[last - 1];
    while (bad - good > 4.0 * DBL_EPSILON * fmax(fabs(good), fabs(bad))) {
        const double t = good + 0.5 * (bad - good);
        const crank_status status = crank_events_sample(it, e, t, false, e->end, err);
        if (status < CRANK_OK) {
            return status;
        }
        if (status > CRANK_OK) {
            bad = t;
            continue;
        }
        good = e->t[last] = t;
        memcpy(crank_event_values(e, last), e->end, (size_t)e->events.count * sizeof *e->end);
        e->points = last + 1;
    }
    return CRANK_OK;
}

/* Where looks are costly: at the end, and in the middle if some functions are open there; *done:
 * that tells enough, theory 8.1. */
static crank_status look_shortly(crank_integrator *it, crank_event_state *e, bool may,
                                 bool *done, crank_error *err)
{
    const size_t bytes = (size_t)e->events.count * sizeof *e->last;
    e->open_states = false;
    memset(e->open, 1, (size_t)e->events.count * sizeof *e->open);
    if (!may || !crank_events_are_costly(it)) {
        return CRANK_OK;
    }
    crank_status status = add(it, e, it->t, err);
    *done = status < CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(e->last, crank_event_values(e, 1), bytes);
    *done = !crank_events_find_open(it, e);
    if (*done || !crank_events_may_be_straight(e)) {
        e->points = *done ? 2 : 1;
        return CRANK_OK;
    }
    e->points = 1;
    crank_events_find_gap(it, e);
    if (add(it, e, it->t_old + 0.5 * (it->t - it->t_old), NULL) == CRANK_OK) {
        e->t[e->points] = it->t;
        memcpy(crank_event_values(e, e->points++), e->last, bytes);
        *done = crank_events_are_straight(e);
        (void)any_leaves(e); /* what rests */
    }
    e->points = *done ? e->points : 1;
    return CRANK_OK;
}

crank_status crank_events_look(crank_integrator *it, crank_event_state *e, double *until,
                               crank_error *err)
{
    const double h = it->t - it->t_old;
    e->points = 1;
    e->t[0] = *until = it->t_old;
    memcpy(crank_event_values(e, 0), e->value, (size_t)e->events.count * sizeof *e->value);
    double turn = (double)NAN;
    crank_status status = crank_events_look_ahead(it, e, &turn, err);
    if (status != CRANK_OK) {
        return status;
    }
    bool done = false;
    status = look_shortly(it, e, isnan(turn), &done, err);
    if (done) {
        *until = it->t;
        return status;
    }
    crank_events_find_gap(it, e);
    double t = it->t;
    for (int part = 1; part <= CRANK_EVENT_PARTS && status == CRANK_OK; part++) {
        t = part == CRANK_EVENT_PARTS ? it->t : it->t_old + h * part / CRANK_EVENT_PARTS;
        if (turn < t && turn > e->t[e->points - 1]) {
            status = add(it, e, turn, err);
        }
        status = status == CRANK_OK ? add(it, e, t, err) : status;
    }
    crank_error reason = {0}; /* the first one that is only bad stays in err */
    crank_status looked = status >= CRANK_OK ? probe(it, e, &reason) : status;
    looked = status > CRANK_OK && looked == CRANK_OK ? find_edge(it, e, t, &reason) : looked;
    looked = looked == CRANK_OK ? look_into_dips(it, e, &reason) : looked;
    if (looked < CRANK_OK && status >= CRANK_OK) {
        status = looked;
        *err = reason;
    }
    *until = e->t[e->points - 1];
    return status;
}

/* The zero of function i between a and b, where its values have different signs; nearly, where
 * each value is solved for: steps that end there find the time, and begin at the slope of the
 * last two values then. */
static crank_status enclose(crank_integrator *it, crank_event_state *e, int i, double a,
                            double at_a, double b, double at_b, double *zero, double *slope,
                            crank_error *err)
{
    const double enough = is_solved_for(e, i) ? nearly * fmin(fabs(at_a), fabs(at_b)) : 0.0;
    double t_before = a, before = at_a;
    int stuck = 0; /* > 0: b stays, < 0: a stays */
    for (int k = 0; k < ITERATIONS; k++) {
        const double width = b - a, least = DBL_EPSILON * fmax(fabs(a), fabs(b));
        if (width <= 2.0 * least || at_b == 0.0) {
            break;
        }
        double t = stuck > 2 || stuck < -2 ? a + 0.5 * width : b - at_b * width / (at_b - at_a);
        t = fmin(b - least, fmax(a + least, t));
        const crank_status status = crank_events_sample(it, e, t, e->of_states[i], e->end, err);
        if (status != CRANK_OK) {
            return status;
        }
        const double value = e->end[i];
        if (fabs(value) <= enough) {
            *slope = (value - before) / (t - t_before);
            *zero = t;
            return CRANK_OK;
        }
        t_before = t;
        before = value;
        if (crank_event_sign(value) == crank_event_sign(at_a)) {
            a = t;
            at_a = value;
            stuck = stuck > 0 ? stuck + 1 : 1;
            at_b *= stuck > 1 ? 0.5 : 1.0;
        } else {
            b = t;
            at_b = value;
            stuck = stuck < 0 ? stuck - 1 : -1;
            at_a *= stuck < -1 ? 0.5 : 1.0;
        }
    }
    *zero = b;
    return CRANK_OK;
}

/* Has function i at the points j and k the values of the zero that is known, which is between
 * them? Then it is another relation of the same quantity. */
static bool is_same(const crank_event_state *e, int i, int j, int k,
                    const crank_event_zero *zero)
{
    const double *a = crank_event_values(e, j), *b = crank_event_values(e, k);
    const int known = zero->function;
    return known >= 0 && a[known] == a[i] && b[known] == b[i];
}

/* the slope of function i at t, by a difference to the left if there is room */
static crank_status find_slope(crank_integrator *it, crank_event_state *e, int i, double t,
                               double *slope, crank_error *err)
{
    const double width = slope_width * (it->t - it->t_old);
    const double a = t - width > it->t_old ? t - width : t, b = a < t ? t : t + width;
    crank_status status = crank_events_sample(it, e, a, e->of_states[i], e->end, err);
    const double at_a = e->end[i];
    if (status == CRANK_OK) {
        status = crank_events_sample(it, e, b, e->of_states[i], e->end, err);
    }
    *slope = (e->end[i] - at_a) / (b - a);
    return status;
}

/* The zero of i between the points last and j, if it is earlier than the one known. */
static crank_status locate(crank_integrator *it, crank_event_state *e, int i, int last, int j,
                           crank_event_zero *zero, crank_error *err)
{
    const double before = crank_event_values(e, last)[i], after = crank_event_values(e, j)[i];
    double t = before == 0.0 ? e->t[last] : e->t[j], slope = (double)NAN;
    if (is_same(e, i, last, j, zero)) {
        return CRANK_OK;
    }
    crank_status status =
        crank_event_sign(before) * crank_event_sign(after) < 0
            ? enclose(it, e, i, e->t[last], before, e->t[j], after, &t, &slope, err)
            /* it is zero there, or was within rounding of it and has not been seen before its
             * change */
            : CRANK_OK;
    if (status != CRANK_OK || (zero->function >= 0 && !(t < zero->t))) {
        return status;
    }
    if (!(slope * crank_event_sign(after) > 0.0)) {
        status = find_slope(it, e, i, t, &slope, err);
    }
    *zero = (crank_event_zero){.function = i,
                               .sense = crank_event_sign(after),
                               .t = t,
                               .slope = slope,
                               .beyond = e->t[j],
                               .through = -1};
    return status;
}

static bool is_wanted(const crank_event_state *e, int i, int sense)
{
    return e->direction[i] == 0 || e->direction[i] == sense;
}

/* the last point before j at which i had the sign */
static int point_before(const crank_event_state *e, int i, int j, int sign)
{
    while (j > 1 && crank_event_sign(crank_event_values(e, j - 1)[i]) != sign) {
        j--;
    }
    return j - 1;
}

/* Is i marked in done, or has it the values of one that is, at both ends of the step? Then it
 * is zero where that is: the other way round, which another event may wait for, would be a
 * wave of the dense output. */
static bool is_done(const crank_event_state *e, const signed char *done, int i)
{
    const double *begin = crank_event_values(e, 0), *end = crank_event_values(e, e->points - 1);
    bool is = false;
    for (int k = 0; k < e->events.count && done != NULL && !is; k++) {
        is = done[k] != 0 && begin[k] == begin[i] && end[k] == end[i];
    }
    return is;
}

crank_status crank_events_find(crank_integrator *it, crank_event_state *e,
                               const signed char *done, crank_event_zero *zero,
                               crank_error *err)
{
    zero->function = zero->through = -1;
    for (int i = 0; i < e->events.count; i++) {
        e->sign[i] = e->leaving[i] ? 0 : e->side[i];
    }
    for (int j = 1; j < e->points && zero->function < 0; j++) {
        for (int i = 0; i < e->events.count; i++) {
            const double value = crank_event_values(e, j)[i];
            const int sign = crank_event_sign(value), before = crank_event_sign(e->sign[i]);
            const bool counts =
                before != 0 || !e->leaving[i] || crank_event_has_left(e, i, value);
            if (sign == 0 || sign == before || !counts) {
                continue;
            }
            if (before != 0 && is_wanted(e, i, sign) && !is_done(e, done, i)) {
                const int last = point_before(e, i, j, before);
                const crank_status status = locate(it, e, i, last, j, zero, err);
                if (status != CRANK_OK) {
                    return status;
                }
                continue;
            }
            e->sign[i] = (signed char)sign;
            if (before == 0 && e->guarded[i] && sign != e->came[i]) {
                zero->through = i;
                return CRANK_OK;
            }
        }
    }
    return CRANK_OK;
}

static void take_changes(crank_event_state *e, const double *values)
{
    for (int i = 0; i < e->events.count; i++) {
        e->noise[i] = fmax(e->noise[i], fabs(e->end[i] - values[i]));
    }
}

/* largest unknowns of groups, as they are and in tolerances */
typedef struct sizes {
    double plain[CRANK_GROUPS], in_tolerances[CRANK_GROUPS];
} sizes;

static sizes find_sizes(const crank_integrator *it)
{
    sizes s = {{0.0}, {0.0}};
    for (int j = 0; j < it->n; j++) {
        const int g = it->problem->group[j];
        s.plain[g] = fmax(s.plain[g], fabs(it->x[j]));
        s.in_tolerances[g] = fmax(s.in_tolerances[g], fabs(it->x[j]) / it->atol[j]);
    }
    return s;
}

/* Round-off in unknown j: since those near zero are not known better than others, of the size
 * of its group, or of its own in the last step, theory (8.5); and what the problem knows of it. */
static double rounding_of(const crank_integrator *it, const crank_event_state *e,
                          const sizes *s, int j)
{
    const crank_problem *p = it->problem;
    const int g = p->group[j];
    const double group = fmin(it->atol[j] * s->in_tolerances[g], s->plain[g]), /* NaN: plain */
        size = e->events.apart ? fmax(fabs(it->x[j]), fabs(e->past[j])) : group;
    return fmax(DBL_EPSILON * size, p->noise != NULL ? p->noise[j] : 0.0);
}

void crank_events_measure_noise(const crank_integrator *it, crank_event_state *e,
                                const double *values)
{
    const int n = it->n;
    const sizes of_groups = find_sizes(it);
    memset(e->noise, 0, (size_t)e->events.count * sizeof *e->noise);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        for (int j = 0; j <= n; j++) {
            const double golden = (j + 1) * (pattern + 1) * 0.6180339887498949;
            const double sign = pattern > 0 && golden - floor(golden) < 0.5 ? -4.0 : 4.0;
            if (j < n) {
                e->work[j] = it->x[j] + sign * rounding_of(it, e, &of_groups, j);
            } else if (crank_events_evaluate(e, it->t * (1.0 + sign * DBL_EPSILON), e->work,
                                             e->end, NULL) == CRANK_OK) {
                take_changes(e,
                             values); /* else the edge of the domain: other directions tell */
            }
        }
    }
}
