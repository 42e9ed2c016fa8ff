/* switches.c - steps that end where the equations jump with time alone, theory 8.7.
 *
 * Conditions in t (and parameters) are looked at along the step that is about to be made, which
 * costs no evaluation of the equations. If one changes between the neighbouring times a < b,
 * the step ends at b, and until then the equations see no time behind a; the method starts
 * again at b. So each step lies in one branch, its ends included. Knots of tables are passed
 * where they are quiet (switches_bends.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/switches.h"

#include "integrate/create.h"
#include "integrate/events.h"
#include "integrate/switches_bends.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a step is looked at up to this multiple of its proposed length */
static const double reach = 1.01;
/* of constraints that still hold behind a switch, relative */
static const double most_left = 1e-8;
/* times at which conditions that may change more than once are looked at */
enum { SAMPLES = 64, BISECTIONS = 200 };

struct crank_switch_state {
    crank_switches given;
    double low, high; /* what the equations see */
    double at;        /* the next switch, INFINITY: none up to `seen` */
    double seen;      /* as far as was looked ahead */
    double h;         /* proposed, before it was shortened for that */
    bool due;         /* the last step ended at it */
    double *x;        /* the eom's unknowns */
    double *before;   /* count: values in the present window, at its end of those passed */
    double *now;      /* count + bends: scratch */
    crank_bends bends;
};

crank_status crank_integrator_set_switches(crank_integrator *it, const crank_switches *switches,
                                           crank_error *err)
{
    const size_t count = (size_t)switches->count;
    if (count == 0) {
        return CRANK_OK;
    }
    crank_switch_state *s = calloc(1, sizeof *s);
    const size_t given = (size_t)crank_problem_given(it->problem),
                 own = 2 * count + (size_t)switches->bends + given;
    double *values = calloc(own + crank_bends_size(it, switches), sizeof *values);
    if (s == NULL || values == NULL) {
        free(s);
        free(values);
        return crank_fail(err, CRANK_EMEM, "%d conditions", switches->count);
    }
    *s = (crank_switch_state){.given = *switches,
                              .before = values,
                              .now = values + count,
                              .x = values + own - given,
                              .at = (double)INFINITY};
    crank_bends_layout(&s->bends, it, switches, values + own);
    it->switches = s;
    return CRANK_OK;
}

void crank_switches_destroy(crank_switch_state *s)
{
    if (s != NULL) {
        free(s->before);
        free(s);
    }
}

static void see(crank_switch_state *s, double low, double high)
{
    s->low = low;
    s->high = high;
    s->given.window(s->given.user, low, high);
}

/* Have the conditions at t other values than in the present window? */
static bool differs(crank_switch_state *s, double t)
{
    s->given.evaluate(s->given.user, t, s->now);
    return memcmp(s->now, s->before, (size_t)s->given.count * sizeof *s->now) != 0;
}

void crank_switches_start(crank_integrator *it)
{
    crank_switch_state *s = it->switches;
    const double behind = crank_switches_behind(it->t, it->t_end);
    double low = s->at == it->t || s->low == it->t ? it->t : -(double)INFINITY;
    if (it->t == it->t_start) {
        crank_bends_start(&s->bends);
    }
    s->due = false;
    s->at = (double)INFINITY;
    s->seen = it->t;
    s->given.evaluate(s->given.user, it->t, s->before);
    if (differs(s, behind)) {
        memcpy(s->before, s->now, (size_t)s->given.count * sizeof *s->now);
        low = behind;
    }
    see(s, low, (double)INFINITY);
    it->t_stop = it->t_bound = it->t_end;
}

crank_status crank_switches_cross(crank_integrator *it, double *x, crank_error *err)
{
    const crank_switches *given = &it->switches->given;
    const bool due = it->switches->due;
    crank_status status = due ? given->cross(given->user, it->t, x, false, err) : CRANK_OK;
    crank_switches_start(it);
    if (status == CRANK_OK && due) {
        status = given->cross(given->user, it->t, x, true, err);
    }
    return status > CRANK_OK ? crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                          "the equations cannot be evaluated behind the switch "
                                          "at t = %.10g",
                                          it->t)
                             : status;
}

/* The first change within (from, to]: neighbouring times, or as good as that. */
static bool find(crank_switch_state *s, double from, double to, double *a, double *b)
{
    const int samples = s->given.once ? 1 : SAMPLES;
    bool found = false;
    *a = *b = from;
    for (int i = 1; i <= samples && !found; i++) {
        *a = *b;
        *b = i == samples ? to : from + (to - from) * i / samples;
        found = differs(s, *b);
    }
    const double least = DBL_EPSILON * DBL_EPSILON * (to - from);
    for (int i = 0; i < BISECTIONS && found && *b - *a > least; i++) {
        const double middle = *a + 0.5 * (*b - *a);
        if (!(middle > *a && middle < *b)) {
            break;
        }
        if (differs(s, middle)) {
            *b = middle;
        } else {
            *a = middle;
        }
    }
    return found;
}

/* What constraints of the position level (of a DAE: all) leave over at the present state. */
static double left_over(crank_integrator *it)
{
    crank_problem *p = it->problem;
    double residual[3] = {0.0};
    const bool known = p->report != NULL && p->report->residuals != NULL &&
                       p->report->residuals(p, it->t, it->x, residual, NULL) == CRANK_OK;
    return known ? residual[0] : 0.0;
}

/* The equations go on behind the switch: what follows from the others, then the method anew. A
 * formulation that cannot tell what follows goes on if nothing that it contains has jumped. */
static crank_status pass(crank_integrator *it, crank_error *err)
{
    crank_switch_state *s = it->switches;
    const double h = s->h, before = left_over(it);
    const bool knot =
        !it->method->one_step && crank_bends_alone(&s->bends, &s->given, s->high, s->at);
    double *x = s->x;
    if (knot) {
        crank_bends_arrive(it, &s->bends);
    }
    memcpy(x, crank_integrator_state(it), (size_t)crank_problem_given(it->problem) * sizeof *x);
    const crank_status status = crank_integrator_follow(it, x, err);
    if (status > CRANK_OK && left_over(it) > most_left + 2.0 * before) {
        return crank_fail(
            err, CRANK_ESTOP_EQUATIONS,
            "the constraints jump at t = %.10g, and %s cannot tell which unknowns "
            "follow: use psf-radau",
            it->t, it->problem->name);
    }
    crank_status taken = status < CRANK_OK ? status : crank_integrator_take(it, x, err);
    taken = taken == CRANK_OK ? crank_events_start_behind(it, h, err) : taken;
    if (knot && taken == CRANK_OK) {
        crank_bends_leave(it, &s->bends);
    }
    return taken;
}

/* Up to the end of the step that is about to be made; conditions that change once, of the
 * run. */
static void look_ahead(crank_integrator *it, crank_switch_state *s)
{
    const double end = s->given.once ? it->t_end : fmin(it->t_end, it->t + reach * it->h);
    const size_t count = (size_t)s->given.count;
    double from = fmax(fmax(it->t, s->low), s->seen), a = from, b = from;
    bool found = end > from && find(s, from, end, &a, &b);
    while (found && crank_bends_may_pass(&s->bends, &s->given, a, b)) {
        memcpy(s->before, s->bends.behind, count * sizeof *s->before);
        from = b;
        found = end > from && find(s, from, end, &a, &b);
    }
    s->seen = found ? (double)INFINITY : end; /* nothing behind it matters before it */
    s->at = found ? b : (double)INFINITY;
    see(s, s->low, found ? a : (double)INFINITY);
}

crank_status crank_switches_begin_step(crank_integrator *it, crank_error *err)
{
    crank_switch_state *s = it->switches;
    const crank_status status = s->due ? pass(it, err) : CRANK_OK;
    if (status != CRANK_OK || (it->events != NULL && it->events->awaits)) {
        return status;
    }
    if (!(s->seen >= it->t + it->h || s->seen >= it->t_end)) {
        look_ahead(it, s);
    }
    s->h = it->h;
    it->t_stop = it->t_bound = fmin(it->t_end, s->at);
    return CRANK_OK;
}

/* Knots in a rejected attempt are not quiet. */
void crank_switches_reject(crank_integrator *it, double h)
{
    crank_switch_state *s = it->switches;
    crank_bends *b = &s->bends;
    const double from = fmax(it->t, s->low), to = fmin(it->t + h, s->high);
    const size_t bytes = (size_t)s->given.count * sizeof *s->before;
    if (b->quiet == 0 || !(to > from)) {
        return;
    }
    (void)crank_bends_alone(b, &s->given, from, to);
    if (memcmp(b->before, b->behind, bytes) == 0) {
        return;
    }
    memcpy(s->before, b->before, bytes);
    b->quiet = 0;
    s->seen = from;
    look_ahead(it, s);
    it->t_bound = fmin(it->t_end, s->at);
    it->t_stop = fmin(it->t_stop, it->t_bound);
}

void crank_switches_end_step(crank_integrator *it)
{
    it->switches->due = it->t == it->switches->at;
}

bool crank_integrator_at_switch(const crank_integrator *it)
{
    return it->switches != NULL && it->switches->due;
}

crank_status crank_integrator_pass_switch(crank_integrator *it, crank_error *err)
{
    const crank_status status = it->switches->due ? pass(it, err) : CRANK_OK;
    (void)crank_events_tell(it); /* the caller sees them now */
    return status;
}

void crank_switches_archive(crank_integrator *it, crank_archive *a)
{
    crank_switch_state *s = it->switches;
    if (s == NULL) {
        return;
    }
    double *const values[] = {&s->low, &s->high, &s->at, &s->seen, &s->h};
    crank_archive_check(a, "conditions", s->given.count);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_flag(a, &s->due);
    crank_archive_doubles(a, s->before, (size_t)s->given.count);
    crank_bends_archive(&s->bends, a);
    if (a->loading) {
        see(s, s->low, s->high);
    }
}
