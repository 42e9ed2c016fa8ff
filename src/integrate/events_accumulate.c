/* events_accumulate.c - events without end (Zeno): intervals between zeros of one function that
 * shrink geometrically until time no longer resolves them. theory 8.5.
 *
 * After m intervals d_1 > d_2 > ... > d_m each is about q = (d_m/d_1)^(1/(m-1)) of the one
 * before, and the rest of them takes
 *     r = d_m q / (1 - q)                                                          theory (8.7)
 * (Aitken). The run ends once r is nothing beside the time that has passed. Equal intervals
 * have no such limit, however short they are, and shrinking ones may grow again as long as
 * their limit is not reached. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include <float.h>
#include <math.h>

/* intervals that must have shrunk, and to which part of the first */
enum { LEAST = 8 };
static const double least_part = 1e-3;
/* multiples of round-off in t: what the rest may take, and intervals that are not resolved */
static const double rest_limit = 1e4, tiny_limit = 64.0;

void crank_events_forget(crank_event_times *times)
{
    *times = (crank_event_times){.last = (double)NAN, .interval = (double)NAN};
}

static bool has_shrunk(const crank_event_times *s)
{
    return s->shrunk >= LEAST && s->interval <= least_part * s->first;
}

/* (8.7) and q */
static double time_left(const crank_event_times *s, double *ratio)
{
    *ratio = pow(s->interval / s->first, 1.0 / s->shrunk);
    return s->interval * *ratio / (1.0 - *ratio);
}

static crank_status fail(const crank_integrator *it, const crank_event_state *e, int i,
                         crank_error *err)
{
    const crank_event_times *s = &e->times[i];
    double ratio = 0.0;
    const double left = time_left(s, &ratio);
    return crank_fail(
        err, CRANK_EEVENTS,
        "event \"%s\" accumulates at t = %.10g: %d intervals since t = %.6g, each "
        "%.3g of the one before, the last %.2g s; end the run at this event or keep "
        "the bodies together there",
        e->events.name[i], it->t + left, s->shrunk + 1, s->since, ratio, s->interval);
}

crank_status crank_events_note(const crank_integrator *it, crank_event_state *e, int i,
                               crank_error *err)
{
    crank_event_times *s = &e->times[i];
    const double interval = it->t - s->last, before = s->interval;
    const double unit = DBL_EPSILON * fmax(fabs(it->t), it->t - e->t_start);
    if (!(interval < before)) { /* the first one, or none that shrinks */
        s->shrunk = 0;
        s->first = interval;
        s->since = s->last;
    } else {
        s->shrunk++;
    }
    s->last = it->t;
    s->interval = interval;
    s->tiny = interval <= tiny_limit * unit ? s->tiny + 1 : 0;
    double ratio = 0.0;
    if (has_shrunk(s) && time_left(s, &ratio) + interval <= rest_limit * unit) {
        return fail(it, e, i, err);
    }
    return s->tiny < LEAST
               ? CRANK_OK
               : crank_fail(
                     err, CRANK_EEVENTS,
                     "event \"%s\" repeats at t = %.10g: %d times at intervals of less than "
                     "%.2g s, which time does not resolve; end the run at this event",
                     e->events.name[i], it->t, s->tiny, tiny_limit * unit);
}

crank_status crank_events_fail_barrier(const crank_integrator *it, const crank_event_state *e,
                                       int i, crank_error *err)
{
    return has_shrunk(&e->times[i])
               ? fail(it, e, i, err)
               : crank_fail(
                     err, CRANK_EEVENTS,
                     "event \"%s\": the motion does not leave the obstacle of t = %.10g on "
                     "the side it came from, but rests there or goes on through it; end the "
                     "run at this event or keep the bodies together there",
                     e->events.name[i], it->t);
}
