/* events_calm.c - which event functions may cross zero within a step whose ends are known, where
 * values inside are costly: explicit methods evaluate the equations for each of them, translated
 * equations are solved for what is no state. theory 8.1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include <math.h>

/* of the distance from zero: changes that are calm */
static const double calm_part = 0.5;
/* of the change in a step: what the middle may be off the line between the ends; a parabola has
 * no vertex inside up to a quarter */
static const double straight_part = 0.125;

bool crank_events_are_costly(const crank_integrator *it)
{
    const crank_alternatives *both = it->problem->alternatives;
    const crank_problem_unknowns *own = it->problem->unknowns;
    return it->method->is_explicit || (own != NULL && own->costly) ||
           (both != NULL && both->now == CRANK_PART_CALM);
}

/* Does function i move away from zero, in this step and the one before? */
static bool goes_away(const crank_event_state *e, int i, double end)
{
    const int sign = crank_event_sign(end);
    return sign * e->before[i] >= 0.0 && sign * e->value[i] > sign * e->before[i] &&
           sign * end > sign * e->value[i];
}

/* Is function i, which is end there, so far from zero that it moved by less than half of that in
 * this step and, for its length, in the one before; or on its way from zero, or at rest there as
 * when it was looked at? Then no looks inside are made where they are costly. */
static bool is_calm(const crank_event_state *e, int i, double end, double ratio)
{
    const double begin = e->value[i], size = fabs(end),
                 reach = calm_part * (size < fabs(begin) ? size : fabs(begin));
    const bool far = fabs(end - begin) <= reach &&
                     fabs(begin - e->before[i]) * ratio <= reach; /* NaN: not known */
    return e->leaving[i] ? e->resting[i] && !crank_event_has_left(e, i, end)
                         : far || goes_away(e, i, end);
}

bool crank_events_find_open(const crank_integrator *it, crank_event_state *e)
{
    const double ratio = (it->t - it->t_old) / e->h_before;
    bool any = false;
    e->open_states = true;
    for (int i = 0; i < e->events.count; i++) {
        e->open[i] = !is_calm(e, i, e->last[i], ratio);
        any = any || e->open[i];
        e->open_states = e->open_states && (!e->open[i] || e->of_states[i]);
    }
    return any;
}

bool crank_events_may_be_straight(const crank_event_state *e)
{
    bool may = true;
    for (int i = 0; i < e->events.count && may; i++) {
        may = !(e->open[i] && e->barrier[i] && e->leaving[i]);
    }
    return may;
}

bool crank_events_are_straight(const crank_event_state *e)
{
    const double *begin = crank_event_values(e, 0), *middle = crank_event_values(e, 1),
                 *end = crank_event_values(e, 2);
    bool straight = true;
    for (int i = 0; i < e->events.count && straight; i++) {
        const double change = fabs(end[i] - begin[i]), size = fabs(end[i]),
                     bend = fabs(middle[i] - 0.5 * (begin[i] + end[i])),
                     reach = calm_part * (size < fabs(begin[i]) ? size : fabs(begin[i]));
        const bool stays = change <= reach && fabs(middle[i] - begin[i]) <= reach,
                   leaves = crank_event_has_left(e, i, middle[i]) &&
                            crank_event_has_left(e, i, end[i]),
                   goes = bend <= straight_part * change;
        straight = !e->open[i] || (e->leaving[i] ? leaves && goes : stays || goes);
    }
    return straight;
}
