/* dae_iterate.c - what a flat DAE with discrete variables does at an event, theory (11.10).
 *
 *     with pre(m) held:   m, relations and algebraic unknowns in turn, until nothing changes
 *     states of reinit;   pre(m) := m, again until nothing changes
 *
 * A relation whose function is zero, but for its band, rounding and what the method's own error
 * moves it by, keeps the value that the event has given it, unless it leaves zero to the other
 * side: then it changes at once, if it gets further than its band there. Where it does not (a
 * ball whose bounces have become too small) it keeps its value; should it then go on to the side
 * it came from, an event is missing, and the run says so. Where values go round in a circle the
 * relations in it are searched for values that fit (a mixed system: diodes, switches). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae_supply.h"
#include "model/dae/dae_yield.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 200,    /* event iterations at one time */
    TURNS = 3,       /* a relation changes by its slope at most so often at one time */
    SEARCH_MOST = 12 /* relations in a circle: 2^12 tries */
};
/* slopes below this beside the size of the function in the time of the run are rounding */
static const double slope_rounding = 1e-12;

typedef struct work {
    crank_dae_supplier *s;
    const crank_dae_discrete *d;
    double t, *x;
    bool starting; /* the start is looked for: nothing is an edge, clocks stand still */
    const crank_fixing *fixing;
    crank_event_outcome *outcome;
    crank_error *err;
} work;

static bool is_true(double value)
{
    return value > 0.5;
}

/* values of the relations' functions */
static void find_functions(const work *w)
{
    crank_dae_run(w->s, CRANK_DAE_TAPE_RELATIONS, w->t, w->x, w->s->function);
    for (int i = 0; i < w->d->relation_count; i++) {
        w->s->function[i] = w->d->relation[i].at_end ? w->t - w->s->t_end : w->s->function[i];
    }
}

static void find_updates(const work *w)
{
    crank_dae_run(w->s, CRANK_DAE_TAPE_UPDATES, w->t, w->x, w->s->update);
}

/* ---- one pass ---- */

/* updates in their order: each sees those before it */
static bool update(const work *w)
{
    const crank_dae_discrete *d = w->d;
    bool any = false, again = d->update_count > 0;
    for (int pass = 0; again && pass <= d->update_count; pass++) {
        again = false;
        find_updates(w);
        for (int i = 0; i < d->update_count; i++) {
            double *x = &w->x[d->update_column[i]];
            if (*x != w->s->update[i] && !(isnan(*x) && isnan(w->s->update[i]))) {
                *x = w->s->update[i];
                again = any = true;
            }
        }
    }
    return any;
}

/* relations by their functions; near zero they keep their values */
static bool relate(const work *w)
{
    const crank_dae_discrete *d = w->d;
    bool any = false;
    find_functions(w);
    for (int i = 0; i < d->relation_count; i++) {
        const crank_dae_relation *r = &d->relation[i];
        const double z = w->s->function[i];
        const bool holds = (w->starting && r->clock) ? false : r->or_equal ? z >= 0.0 : z > 0.0;
        double *x = &w->x[r->column];
        if ((w->starting || !(fabs(z) <= w->s->width[i])) && is_true(*x) != holds) {
            *x = holds ? 1.0 : 0.0;
            any = true;
        }
    }
    return any;
}

/* pre(m) := m; made: only of what the model does not name */
static bool remember(const work *w, bool made)
{
    const crank_dae_discrete *d = w->d;
    const int first = d->update_count + 2 * d->reinit_count + d->message_count;
    bool any = false;
    find_updates(w);
    for (int i = 0; i < d->before_count; i++) {
        double *x = &w->x[d->before_column[i]];
        const double value = w->s->update[first + i];
        if ((d->before_made[i] || !made) && *x != value) {
            *x = value;
            any = true;
        }
    }
    return any;
}

static crank_status find_others(const work *w, const crank_fixing *fixing, crank_error *detail)
{
    crank_initial_options options = crank_initial_options_default();
    options.fixing = fixing;
    options.max_change = 0.0;
    crank_dae_forget(w->s);
    return crank_eom_initialize(w->s->eom, w->t, w->x, &options, NULL, (crank_log){0}, detail);
}

/* Algebraic unknowns follow from memory and states; where states of reinit contradict others
 * (of a pendulum in Cartesian coordinates), these follow, too, theory (11.14). */
static crank_status settle(const work *w)
{
    crank_error detail = {0}, ignored = {0};
    crank_dae_supplier *s = w->s;
    const crank_eom_supplier supplier = s->eom->supplier;
    s->eom->supplier.initial = NULL; /* conditions of the start do not hold any more */
    memcpy(s->before, w->x, (size_t)s->n * sizeof *w->x);
    crank_status status = find_others(w, w->fixing, &detail);
    if (status != CRANK_OK && s->reset) {
        memcpy(w->x, s->before, (size_t)s->n * sizeof *w->x);
        crank_dae_forget(s);
        status = crank_dae_find_yielding(s->eom, w->t, w->x, w->fixing, s->held_fast,
                                         s->yielding, &ignored);
        CRANK_THEN(status, find_others(w, s->yielding, &ignored));
    }
    s->eom->supplier = supplier;
    return status == CRANK_OK ? CRANK_OK
                              : crank_fail(w->err, CRANK_EMODEL,
                                           "the event at t = %.10g leaves no values of the "
                                           "unknowns that satisfy the equations: %.300s",
                                           w->t, detail.text);
}

/* ---- with pre(m) held ---- */

/* Discrete variables and unknowns together. *agreed: nothing changes any more. */
static crank_status agree(const work *w, int rounds, bool *agreed)
{
    crank_status status = CRANK_OK;
    *agreed = false;
    for (int k = 0; k < rounds && status == CRANK_OK && !*agreed; k++) {
        const bool updated = update(w);
        if (updated || k == 0) {
            status = settle(w);
        }
        if (status == CRANK_OK) {
            const bool related = relate(w);
            *agreed = !related && !updated && k > 0;
            if (related) {
                (void)update(w);
                status = settle(w);
            }
        }
    }
    return status;
}

/* Relations that go round in a circle: all values of them are tried. */
static crank_status search(const work *w, bool *agreed)
{
    const crank_dae_discrete *d = w->d;
    double *start = w->s->trial;
    int list[SEARCH_MOST], count = 0;
    const size_t size = (size_t)w->s->n * sizeof *start;
    memcpy(start, w->x, size);
    memset(w->s->turn, 0, (size_t)d->relation_count * sizeof *w->s->turn);
    for (int k = 0; k < 2 * SEARCH_MOST + 4; k++) { /* which ones? */
        for (int i = 0; i < d->relation_count; i++) {
            w->s->was[i] = w->x[d->relation[i].column];
        }
        (void)update(w);
        crank_status status = settle(w);
        if (status == CRANK_OK) {
            (void)relate(w);
        } else {
            break;
        }
        for (int i = 0; i < d->relation_count; i++) {
            w->s->turn[i] += w->s->was[i] != w->x[d->relation[i].column];
        }
    }
    for (int i = 0; i < d->relation_count; i++) {
        if (w->s->turn[i] > 0 && count == SEARCH_MOST) {
            return CRANK_OK;
        }
        if (w->s->turn[i] > 0) {
            list[count++] = d->relation[i].column;
        }
    }
    for (int code = 0; code < 1 << count && !*agreed; code++) {
        crank_error ignored = {0};
        work trial = *w;
        trial.err = &ignored;
        memcpy(w->x, start, size);
        for (int k = 0; k < count; k++) {
            w->x[list[k]] = (code >> k & 1) != 0 ? 1.0 : 0.0;
        }
        (void)update(&trial);
        *agreed = settle(&trial) == CRANK_OK && !relate(&trial) && !update(&trial);
    }
    return CRANK_OK;
}

static crank_status fail_circle(const work *w)
{
    return crank_fail(w->err, CRANK_EMODEL,
                      "at t = %.10g relations and discrete variables change each other without "
                      "end; no values of them agree with the equations",
                      w->t);
}

/* ---- messages and states ---- */

static crank_status tell(const work *w)
{
    const crank_dae_discrete *d = w->d;
    const double *holds = w->s->update + d->update_count + 2 * d->reinit_count;
    find_updates(w);
    for (int i = 0; i < d->message_count; i++) {
        const crank_dae_message *m = &d->message[i];
        const bool now = is_true(holds[i]), begins = now && !w->s->held[i];
        w->s->held[i] = now;
        if (!begins) {
            continue;
        }
        if (m->failure) {
            return crank_fail_place(w->err, CRANK_ESTOP_EQUATIONS, m->place,
                                    "at t = %.10g: %.300s", w->t, m->text);
        }
        const size_t used = strlen(w->outcome->text), size = sizeof w->outcome->text;
        (void)snprintf(w->outcome->text + used, size - used, "%s%.200s", used > 0 ? "; " : "",
                       m->text);
        w->outcome->stop = w->outcome->stop || !m->goes_on;
    }
    return CRANK_OK;
}

/* reinit, once for all that begin now */
static crank_status reset_states(const work *w, bool *any)
{
    const crank_dae_discrete *d = w->d;
    const double *condition = w->s->update + d->update_count,
                 *value = condition + d->reinit_count;
    *any = false;
    find_updates(w);
    for (int i = 0; i < d->reinit_count; i++) {
        const int j = d->reinit_column[i];
        if (!is_true(condition[i])) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            if (d->reinit_column[k] == j && is_true(condition[k]) && value[k] != value[i]) {
                return crank_fail_place(w->err, CRANK_EMODEL, d->reinit_place[i],
                                        "at t = %.10g this reinit sets to %.10g what the one "
                                        "of line %d sets to %.10g; use elsewhen",
                                        w->t, value[i], d->reinit_place[k].line, value[k]);
            }
        }
        w->x[j] = value[i];
        w->s->fixing[j] = CRANK_FIXED;
        w->s->held_fast[j] = w->s->reset = *any = true;
    }
    return CRANK_OK;
}

/* ---- leaving zero ---- */

/* The slope of relation i's function by the time at which it has gone as far as its width with
 * the slope that it has now, s->slope; NAN: not known. */
static double find_slope_behind(const work *w, int i)
{
    crank_dae_supplier *s = w->s;
    const double *rate = s->in + 1 + s->n;
    const double dt = s->width[i] / fabs(s->slope[i]);
    crank_error ignored = {0};
    work later = *w;
    later.x = s->trial;
    later.t = w->t + dt;
    later.err = &ignored;
    for (int j = 0; j < s->n; j++) {
        s->trial[j] = w->x[j] + (w->d->discrete[j] ? 0.0 : dt * rate[j]);
    }
    if (settle(&later) != CRANK_OK ||
        crank_dae_find_rates(s, later.t, later.x, &ignored) != CRANK_OK) {
        return (double)NAN;
    }
    crank_dae_run(s, CRANK_DAE_TAPE_SLOPES, later.t, later.x, s->was);
    return s->was[i];
}

/* Would something be set if relation i ceased to hold and held again, or the other way round? */
static bool is_waited_for(const work *w, int i)
{
    crank_dae_supplier *s = w->s;
    const double *condition = s->update + w->d->update_count;
    double *r = &s->trial[w->d->relation[i].column];
    work again = *w;
    again.x = s->trial;
    memcpy(s->trial, w->x, (size_t)s->n * sizeof *s->trial);
    *r = 1.0 - *r;
    (void)update(&again);
    (void)remember(&again, false);
    *r = 1.0 - *r;
    (void)update(&again);
    find_updates(&again);
    bool any = false;
    for (int k = 0; k < w->d->reinit_count; k++) {
        any = any || is_true(condition[k]);
    }
    return any;
}

/* Relations at zero that leave it to the other side change now, where their slope tells that
 * they do: it changes by less than itself on the way, theory (11.12), or it grows there and is
 * what the event has made of it (friction that breaks loose). *chatters: one that turns round
 * whatever value it has. */
static bool turn(const work *w, int *chatters)
{
    const crank_dae_discrete *d = w->d;
    crank_dae_supplier *s = w->s;
    crank_error ignored = {0};
    bool any = false;
    if (crank_dae_find_rates(s, w->t, w->x, &ignored) != CRANK_OK) {
        return false;
    }
    find_functions(w);
    crank_dae_run(s, CRANK_DAE_TAPE_SLOPES, w->t, w->x, s->slope);
    for (int i = 0; i < d->relation_count; i++) {
        const crank_dae_relation *r = &d->relation[i];
        double *x = &w->x[r->column];
        const double slope = s->slope[i];
        const bool rounding = !(fabs(slope) > slope_rounding * s->slope_size[i]);
        s->slope_size[i] = fmax(s->slope_size[i], fabs(slope));
        if (!(fabs(s->function[i]) <= s->width[i]) || rounding || r->clock ||
            is_true(*x) == (slope > 0.0)) {
            continue;
        }
        (void)crank_dae_find_rates(s, w->t, w->x, &ignored);
        const double behind = find_slope_behind(w, i);
        const bool back = behind * slope < 0.0,
                   made = !(fabs(slope - s->slope_before[i]) <= 0.5 * fabs(slope));
        if (back || (!made && fabs(behind - slope) > fabs(slope))) {
            s->stays[i] = back && is_waited_for(w, i);
            continue;
        }
        if (s->turn[i] >= TURNS) {
            *chatters = i;
            return false;
        }
        *x = slope > 0.0 ? 1.0 : 0.0;
        s->turn[i]++;
        any = true;
    }
    return any;
}

crank_status crank_dae_look_at_stays(crank_dae_supplier *s, double t, const double *x,
                                     crank_error *err)
{
    const crank_dae_discrete *d = s->discrete;
    bool any = false;
    for (int i = 0; d != NULL && i < d->relation_count; i++) {
        any = any || s->stays[i];
    }
    if (!any) {
        return CRANK_OK;
    }
    crank_dae_run(s, CRANK_DAE_TAPE_RELATIONS, t, x, s->function);
    for (int i = 0; i < d->relation_count; i++) {
        const crank_dae_relation *r = &d->relation[i];
        const double z = is_true(x[r->column]) ? s->function[i] : -s->function[i];
        if (s->stays[i] && z > 2.0 * s->width[i]) {
            return crank_fail_place(
                err, CRANK_EEVENTS, r->place,
                "events of this relation accumulate before t = %.10g: what is set there lets "
                "it leave zero by less than is resolved, and it comes back; let the model come "
                "to rest, or end the run there by terminate()",
                t);
        }
    }
    return CRANK_OK;
}

/* ---- all of it ---- */

static crank_status fail_chatter(const work *w, int i)
{
    return crank_fail_place(w->err, CRANK_EEVENTS, w->d->relation[i].place,
                            "at t = %.10g this relation chatters: while it holds the equations "
                            "make it cease to, and while it does not they make it hold; give "
                            "it a hysteresis by pre(), or make the equations continuous there",
                            w->t);
}

static crank_status iterate(const work *w)
{
    const crank_dae_discrete *d = w->d;
    crank_status status = CRANK_OK;
    memset(w->s->turn, 0, (size_t)d->relation_count * sizeof *w->s->turn);
    for (int round = 0; round < ROUNDS && status == CRANK_OK; round++) {
        bool agreed = false;
        status = agree(w, 2 * d->relation_count + 4, &agreed);
        if (status == CRANK_OK && !agreed) {
            status = search(w, &agreed);
            memset(w->s->turn, 0, (size_t)d->relation_count * sizeof *w->s->turn);
        }
        if (status == CRANK_OK && !agreed) {
            return fail_circle(w);
        }
        CRANK_THEN(status, tell(w));
        if (status != CRANK_OK) {
            return status;
        }
        bool reset = false;
        int chatters = -1;
        status = reset_states(w, &reset);
        if (status != CRANK_OK) {
            return status;
        }
        if (!remember(w, false) && !reset && !turn(w, &chatters)) {
            return chatters < 0 ? CRANK_OK : fail_chatter(w, chatters);
        }
    }
    return status == CRANK_OK ? fail_circle(w) : status;
}

/* Where is a relation zero? Within its band, what settling moves it by, and rounding of t. */
static crank_status find_widths(const work *w)
{
    const crank_dae_discrete *d = w->d;
    crank_dae_supplier *s = w->s;
    crank_error ignored = {0};
    work quiet = *w;
    quiet.err = &ignored;
    find_functions(w);
    memcpy(s->was, s->function, (size_t)d->relation_count * sizeof *s->was);
    memcpy(s->trial, w->x, (size_t)s->n * sizeof *s->trial);
    const bool settled = settle(&quiet) == CRANK_OK;
    find_functions(w);
    const bool rates = crank_dae_find_rates(s, w->t, w->x, &ignored) == CRANK_OK;
    if (rates) {
        crank_dae_run(s, CRANK_DAE_TAPE_SLOPES, w->t, w->x, s->slope);
    }
    const double length = s->t_end < DBL_MAX ? fabs(s->t_end) : 1.0,
                 time_rounding = 64.0 * DBL_EPSILON * fmax(fabs(w->t), length);
    for (int i = 0; i < d->relation_count; i++) {
        const double moved = settled ? fabs(s->function[i] - s->was[i]) : 0.0;
        const double slope = rates && isfinite(s->slope[i]) ? fabs(s->slope[i]) : 0.0;
        s->width[i] = 2.0 * s->band[i] + 2.0 * moved + time_rounding * slope;
        s->slope_size[i] = fmax(s->slope_size[i], slope);
        s->slope_before[i] = rates ? s->slope[i] : (double)NAN;
    }
    memcpy(w->x, s->trial, (size_t)s->n * sizeof *s->trial);
    return CRANK_OK;
}

/* algebraic unknowns free, the others held */
static void find_fixing(crank_dae_supplier *s)
{
    for (int j = 0; j < s->n; j++) {
        s->fixing[j] = s->discrete->algebraic[j] ? CRANK_FREE : CRANK_FIXED;
        s->held_fast[j] = s->discrete->discrete[j];
    }
    s->reset = false;
}

crank_status crank_dae_iterate(void *self, const signed char *happened, double t, double *x,
                               crank_event_outcome *outcome, crank_error *err)
{
    crank_dae_supplier *s = self;
    const crank_dae_discrete *d = s->discrete;
    work w = {.s = s, .d = d, .t = t, .x = x, .outcome = outcome, .err = err};
    bool any = false;
    for (int i = 0; i < d->event_count; i++) {
        any = any || (happened[i] != 0 && d->event_relation[i] >= 0);
    }
    if (!any) {
        return CRANK_OK;
    }
    find_fixing(s);
    w.fixing = s->fixing;
    memcpy(s->given, x, (size_t)s->n * sizeof *x);
    memset(s->stays, 0, (size_t)d->relation_count * sizeof *s->stays);
    crank_status status = find_widths(&w);
    (void)remember(&w, false); /* pre() of what changes between events */
    for (int i = 0; i < d->event_count; i++) {
        const int r = happened[i] != 0 ? d->event_relation[i] : -1;
        if (r >= 0) {
            x[d->relation[r].column] = is_true(x[d->relation[r].column]) ? 0.0 : 1.0;
        }
    }
    CRANK_THEN(status, iterate(&w));
    if (status == CRANK_OK && memcmp(s->given, x, (size_t)s->n * sizeof *x) != 0) {
        outcome->changed = true;
    }
    return status;
}

/* ---- the start ---- */

/* Clocks whose first tick is the start itself. */
static void start_clocks(const work *w)
{
    const crank_dae_discrete *d = w->d;
    find_functions(w);
    for (int i = 0; i < d->relation_count; i++) {
        if (d->relation[i].clock && fabs(w->s->function[i]) <= w->s->width[i]) {
            w->x[d->relation[i].column] = 1.0;
        }
    }
}

crank_status crank_dae_find_start(void *self, double t, double *x, const crank_fixing *fixing,
                                  double *reached, crank_initial_report *report, crank_log log,
                                  crank_error *err)
{
    crank_dae_supplier *s = self;
    const crank_dae_discrete *d = s->discrete;
    crank_event_outcome outcome = {0};
    work w = {.s = s,
              .d = d,
              .t = t,
              .x = x,
              .starting = true,
              .fixing = fixing,
              .outcome = &outcome,
              .err = err};
    crank_status status = CRANK_OK;
    bool changes = true;
    for (int j = 0; j < s->n; j++) { /* discrete variables are found here */
        s->fixing[j] = d->discrete[j] ? CRANK_FIXED : fixing[j];
    }
    w.fixing = fixing = s->fixing;
    if (d->at_start >= 0) {
        x[d->at_start] = 1.0;
    }
    memset(s->held, 0, (size_t)d->message_count * sizeof *s->held);
    memset(s->slope_size, 0, (size_t)d->relation_count * sizeof *s->slope_size);
    memset(s->stays, 0, (size_t)d->relation_count * sizeof *s->stays);
    memcpy(s->given, x, (size_t)s->n * sizeof *x);
    for (int k = 0; k < ROUNDS && status == CRANK_OK && changes; k++) {
        crank_initial_options options = crank_initial_options_default();
        options.fixing = fixing;
        options.reached = reached;
        for (int j = 0; j < s->n && k > 0; j++) { /* from where the file starts */
            x[j] = fixing[j] == CRANK_FREE ? x[j] : s->given[j];
        }
        status = crank_eom_initialize(s->eom, t, x, &options, report, log, err);
        if (status != CRANK_OK) {
            return status;
        }
        changes = relate(&w);
        changes = update(&w) || changes;
        changes = remember(&w, true) || changes;
        (void)update(&w);
        for (int i = 0; i < s->n; i++) { /* discrete variables go on */
            s->given[i] = d->discrete[i] ? x[i] : s->given[i];
        }
    }
    if (status == CRANK_OK && changes) {
        return fail_circle(&w);
    }
    w.starting = false;
    CRANK_THEN(status, tell(&w));
    if (status != CRANK_OK) {
        return status;
    }
    if (d->at_start >= 0) {
        x[d->at_start] = 0.0;
    }
    find_fixing(s);
    w.fixing = s->fixing;
    (void)remember(&w, false);
    status = find_widths(&w);
    start_clocks(&w);
    CRANK_THEN(status, iterate(&w));
    return status;
}
