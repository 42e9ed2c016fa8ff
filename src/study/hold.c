/* hold.c - see hold.h. Rates D are linear in velocities: their rows are read off the columns of
 * results, one velocity after the other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/hold.h"

#include "base/then.h"
#include "model/model.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double needless = 1e-9; /* of the peak: a force that is none */
enum { HALVINGS = 200 };

/* ---- the law ---- */

/* per level of one: (F_c + (F_s - F_c) exp(-(v/v_s)^2)) tanh(v/slip), theory (7.42) */
static double dry(const crank_eom_friction *f, double rate)
{
    const double part = rate / f->stribeck;
    return (f->moving + (f->still - f->moving) * exp(-part * part)) * tanh(rate / f->slip);
}

/* Where the dry law is largest: it rises over some slips, and falls with stribeck if at all. */
static double peak_rate(const crank_eom_friction *f)
{
    static const double golden = 0.6180339887498949;
    double low = 0.0, high = 20.0 * fmax(f->slip, f->stribeck);
    if (!(f->still > f->moving)) {
        return 20.0 * fmax(f->slip, f->still < f->moving ? f->stribeck : 0.0);
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-12 * high; i++) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (dry(f, a) < dry(f, b)) {
            low = a;
        } else {
            high = b;
        }
    }
    return low + 0.5 * (high - low);
}

double crank_hold_peak(const crank_eom_friction *f, double load)
{
    return load * dry(f, peak_rate(f));
}

double crank_hold_rate(const crank_eom_friction *f, double load, double force)
{
    double low = 0.0, high = peak_rate(f);
    for (int i = 0; i < HALVINGS && high - low > 1e-15 * high; i++) {
        const double middle = low + 0.5 * (high - low);
        if (load * dry(f, middle) + f->viscous * middle < fabs(force)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return copysign(low + 0.5 * (high - low), force);
}

/* ---- which there are ---- */

/* how large a force at a joint is: what moves the heaviest body over the natural length and
 * time */
static double natural_force(const crank_eom_parts *parts)
{
    double mass = 0.0;
    for (int i = 0; i < parts->body_count; i++) {
        mass = fmax(mass, parts->body_mass[i]);
    }
    const double time = parts->time > 0.0 ? parts->time : 1.0;
    const double force = mass * parts->length / (time * time);
    return force > 0.0 ? force : 1.0;
}

/* Of the smallest norm are forces in the ratio of squared units: frictions that act on one
 * motion shall share in the ratio of what they can hold, as they do at one rate. */
static void share(crank_hold *hold)
{
    double most = 0.0;
    for (int i = 0; i < hold->count; i++) {
        most = fmax(most, hold->unit[i]);
    }
    for (int i = 0; i < hold->count; i++) {
        hold->unit[i] = sqrt(hold->unit[i] * most);
    }
}

crank_status crank_hold_create(crank_run *run, crank_hold *hold, crank_error *err)
{
    const crank_eom_parts *parts = run->eom->parts;
    const int all = parts != NULL && run->model != NULL ? parts->friction_count : 0;
    crank_store *store = &hold->store;
    *hold = (crank_hold){.run = run};
    const crank_status status = crank_tread_create(run, &hold->treads, err);
    const size_t rows = (size_t)all + 2 * (size_t)hold->treads.all;
    if (status != CRANK_OK || rows == 0) {
        return status;
    }
    hold->friction = crank_store_take(store, (size_t)all, sizeof *hold->friction);
    hold->rate = crank_store_take(store, (size_t)all, sizeof *hold->rate);
    hold->load = crank_store_take(store, (size_t)all, sizeof *hold->load);
    hold->scale = crank_store_take(store, (size_t)all, sizeof *hold->scale);
    hold->unit = crank_store_take(store, (size_t)all, sizeof *hold->unit);
    hold->D = crank_store_take(store, rows * ((size_t)run->eom->sizes.v + 1), sizeof *hold->D);
    hold->speed = crank_store_take(store, rows, sizeof *hold->speed);
    hold->x = crank_store_take(store, (size_t)run->eom->n, sizeof *hold->x);
    hold->values = crank_store_take(store, (size_t)run->columns, sizeof *hold->values);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "%d frictions", all);
    }
    for (int i = 0; i < all; i++) {
        const crank_eom_friction *f = &parts->friction[i];
        const int own = hold->count, rate = crank_run_find(run, f->rate);
        if (rate < 0 || !(fmax(f->still, f->moving) > 0.0)) {
            continue;
        }
        hold->friction[own] = f;
        hold->rate[own] = rate;
        hold->load[own] = f->load != NULL ? crank_run_find(run, f->load) : -1;
        hold->scale[own] = f->scale != NULL ? crank_run_find(run, f->scale) : -1;
        hold->unit[own] =
            crank_hold_peak(f, 1.0) * (f->load != NULL ? natural_force(parts) : 1.0);
        hold->count++;
    }
    hold->all = hold->count;
    share(hold);
    return CRANK_OK;
}

void crank_hold_destroy(crank_hold *hold)
{
    crank_tread_destroy(&hold->treads);
    crank_store_free(&hold->store);
}

void crank_hold_all(crank_hold *hold)
{
    hold->count = hold->all;
    crank_tread_set(&hold->treads, -1, true);
}

void crank_hold_release(crank_hold *hold, int i)
{
    if (i >= hold->all) {
        crank_tread_set(&hold->treads, i - hold->all, false);
        return;
    }
    hold->count = i < 0 ? 0 : hold->count - 1;
    if (i >= 0) { /* it changes places with the last */
        const int last = hold->count, rate = hold->rate[i], load = hold->load[i];
        const int scale = hold->scale[i];
        const crank_eom_friction *friction = hold->friction[i];
        const double unit = hold->unit[i];
        hold->friction[i] = hold->friction[last];
        hold->rate[i] = hold->rate[last];
        hold->load[i] = hold->load[last];
        hold->scale[i] = hold->scale[last];
        hold->unit[i] = hold->unit[last];
        hold->friction[last] = friction;
        hold->rate[last] = rate;
        hold->load[last] = load;
        hold->scale[last] = scale;
        hold->unit[last] = unit;
    }
}

/* ---- rows ---- */

static crank_status show(crank_hold *hold, double t, crank_error *err)
{
    return crank_state_columns(hold->run->model_state, t, hold->x, hold->values, err);
}

/* Does velocity j belong to a body whose motion friction f sees? */
static bool is_seen(const crank_eom_parts *parts, const crank_eom_friction *f, int j)
{
    return parts->body_inertia == NULL || f->body[0] == CRANK_FRICTION_ANY ||
           parts->velocity_body[j] == f->body[0] || parts->velocity_body[j] == f->body[1];
}

static crank_status gradients(void *user, double t, const double *x, double *D,
                              crank_error *err)
{
    crank_hold *hold = user;
    const crank_eom *eom = hold->run->eom;
    const int v = eom->column[CRANK_V], count = eom->sizes.v;
    memcpy(hold->x, x, (size_t)eom->n * sizeof *x);
    memset(hold->x + v, 0, (size_t)count * sizeof *x);
    memset(D, 0, (size_t)hold->count * (size_t)count * sizeof *D);
    crank_status status = show(hold, t, err);
    double *still = D + (long)hold->count * count; /* rates of what is driven */
    for (int i = 0; i < hold->count && status == CRANK_OK; i++) {
        still[i] = hold->values[hold->rate[i]];
    }
    for (int j = 0; j < count && status == CRANK_OK; j++) {
        bool seen = false;
        for (int i = 0; i < hold->count && !seen; i++) {
            seen = is_seen(eom->parts, hold->friction[i], j);
        }
        if (!seen) {
            continue;
        }
        hold->x[v + j] = 1.0;
        status = show(hold, t, err);
        hold->x[v + j] = 0.0;
        for (int i = 0; i < hold->count && status == CRANK_OK; i++) {
            D[(long)i * count + j] = hold->values[hold->rate[i]] - still[i];
        }
    }
    return status;
}

crank_statics_holds crank_hold_rows(crank_hold *hold)
{
    return (crank_statics_holds){hold->count, hold->unit, hold, gradients, hold->treads.held};
}

/* ---- what was found ---- */

static double scale_of(const crank_hold *hold, int i)
{
    return hold->scale[i] >= 0 ? fmax(hold->values[hold->scale[i]], 0.0) : 1.0;
}

static double load_of(const crank_hold *hold, int i)
{
    return hold->load[i] >= 0 ? hold->values[hold->load[i]] : 1.0;
}

crank_status crank_hold_judge(crank_hold *hold, const crank_statics *s, crank_overload *over,
                              crank_error *err)
{
    *over = (crank_overload){.which = -1, .load = 1.0, .idle = hold->treads.count == 0};
    memcpy(hold->x, s->x, (size_t)s->eom->n * sizeof *hold->x);
    const crank_status status = show(hold, s->t, err);
    for (int i = 0; i < hold->count && status == CRANK_OK; i++) {
        const crank_eom_friction *f = hold->friction[i];
        const double needed = fabs(s->x[s->eom->n + i]);
        const double peak = scale_of(hold, i) * crank_hold_peak(f, load_of(hold, i));
        over->idle = over->idle && needed <= needless * fmax(peak, hold->unit[i]);
        if (needed >= over->load * peak && needed > needless * hold->unit[i]) {
            over->load = peak > 0.0 ? needed / peak : (double)INFINITY;
            over->which = i;
            (void)snprintf(over->text, sizeof over->text,
                           "%.80s slides: it would have to hold %.4g %s, and holds %.4g",
                           f->text, needed, f->turns ? "N m" : "N", peak);
        }
    }
    const int tread = status == CRANK_OK ? crank_tread_judge(&hold->treads, hold->values,
                                                             &over->load, over->text)
                                         : -1;
    over->which = tread >= 0 ? hold->all + tread : over->which;
    return status;
}

/* rows of D behind those of friction */
static double *tread_rows(const crank_hold *hold)
{
    return hold->D + (long)hold->all * hold->run->eom->sizes.v;
}

/* Velocities of the guess: each rate as its own law says, along constraints. */
static crank_status guess(crank_hold *hold, crank_statics *s, crank_error *err)
{
    memcpy(hold->x, s->x, (size_t)s->eom->n * sizeof *hold->x);
    crank_status status = show(hold, s->t, err);
    for (int i = 0; i < hold->all && status == CRANK_OK; i++) {
        /* the rate is against the force; what was let go does not slide at a rest */
        const double scale = scale_of(hold, i);
        hold->speed[i] = i < hold->count && scale > 0.0
                             ? -crank_hold_rate(hold->friction[i], load_of(hold, i),
                                                s->x[s->eom->n + i] / scale)
                             : 0.0;
    }
    const int count = hold->count;
    hold->count = hold->all;
    CRANK_THEN(status, gradients(hold, s->t, s->x, hold->D, err));
    hold->count = count;
    int rows = hold->all;
    if (status == CRANK_OK) {
        rows += crank_tread_rates(&hold->treads, s, hold->values, tread_rows(hold),
                                  hold->speed + rows);
    }
    if (status == CRANK_OK) {
        status = (rows > hold->all ? crank_creep_steady : crank_creep_guess)(s, rows, hold->D,
                                                                             hold->speed, err);
    }
    return status;
}

/* "it holds 4 of 5 N, creeping at 1e-4 m/s" */
static void tell(crank_equilibrium *out, const char *text, bool turns, const double force[2],
                 double rate)
{
    char *to = out->held_text[out->held_count];
    if (out->held_count++ >= CRANK_FREE_DIRECTIONS) {
        return;
    }
    const int used = snprintf(to, CRANK_DIRECTION_TEXT, "%.80s holds %.4g of %.4g %s, ", text,
                              force[0], force[1], turns ? "N m" : "N");
    char *rest = to + used;
    if (used > 0 && used < CRANK_DIRECTION_TEXT && isfinite(rate)) {
        (void)snprintf(rest, CRANK_DIRECTION_TEXT - (size_t)used, "creeping at %.3g %s", rate,
                       turns ? "rad/s" : "m/s");
    } else if (used > 0 && used < CRANK_DIRECTION_TEXT) {
        (void)snprintf(rest, CRANK_DIRECTION_TEXT - (size_t)used,
                       "creeping at a rate that was not found");
    }
}

crank_status crank_hold_creep(crank_hold *hold, crank_statics *s, crank_equilibrium *out,
                              crank_error *err)
{
    bool found = false;
    crank_status status = guess(hold, s, err);
    CRANK_THEN(status, crank_creep_find(s, &found, err));
    memcpy(hold->x, s->x, (size_t)s->eom->n * sizeof *hold->x);
    CRANK_THEN(status, show(hold, s->t, err));
    out->held_count = 0;
    for (int i = 0; i < hold->count && status == CRANK_OK; i++) {
        const crank_eom_friction *f = hold->friction[i];
        const double rate = fabs(hold->values[hold->rate[i]]), load = load_of(hold, i);
        const double scale = scale_of(hold, i);
        const double force[2] = {found ? scale * (load * dry(f, rate) + f->viscous * rate)
                                       : fabs(s->x[s->eom->n + i]),
                                 scale * crank_hold_peak(f, load)};
        out->creep = fmax(out->creep, rate / f->slip);
        tell(out, f->text, f->turns, force, found ? rate : (double)NAN);
    }
    const crank_tread *treads = &hold->treads;
    for (int i = 0; i < treads->all && status == CRANK_OK; i++) {
        const double force[2] = {crank_tread_force(treads, i, hold->values),
                                 crank_tread_peak(treads, i, hold->values)};
        const double rate =
            crank_tread_speed(treads, i, tread_rows(hold), s->x + s->eom->column[CRANK_V]);
        if (treads->holds[i] && force[0] > needless * force[1]) {
            out->creep = fmax(out->creep, rate / treads->tread[i].slow);
            tell(out, treads->tread[i].text, false, force, found ? rate : (double)NAN);
        }
    }
    return status;
}
