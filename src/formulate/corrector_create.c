/* corrector_create.c - which unknowns and rows of the eom the corrector has, and its creation.
 *
 *     unknowns   w but carried accelerations, lambda, mu, r, v, s, p; eta for g and n
 *     rows       d but balances, gI, h, c, g, n; b, balances (or v'), p'
 * without those of prescribed coordinates: p, v, lambda, eta, their constraint, balance and p'.
 * A multiplier that something else reads (the work of a drive) stays, with its balance as
 * row. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "base/then.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool crank_corrector_is_wanted(const crank_options *o)
{
    return o->formalism != CRANK_FORMALISM_AUTO || o->jacobian != CRANK_JACOBIAN_AUTO ||
           o->derivatives > CRANK_DERIVATIVES_ANALYTIC;
}

/* ---- accelerations ---- */

/* v' = a carried, for all velocities or for none */
static crank_status find_accelerations(crank_corrector *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int dyn = eom->row[CRANK_ROW_DYN], w = eom->column[CRANK_W];
    int carried = 0;
    for (int k = 0; k < eom->sizes.v; k++) {
        s->mass.column[k] = -1;
        s->mass.balance[k] = dyn + k;
    }
    for (int i = 0; i < eom->sizes.w; i++) {
        s->velocity_of[i] = -1;
        for (int e = J->start[w + i]; eom->carried[w + i] && e < J->start[w + i + 1]; e++) {
            const int k = J->row[e] - dyn;
            if (k >= 0 && k < eom->sizes.v) {
                s->mass.column[k] = w + i;
                s->mass.balance[k] = eom->row[CRANK_ROW_D] + i;
                s->velocity_of[i] = k;
                carried++;
            }
        }
    }
    s->mass.carried = carried > 0;
    return carried == 0 || carried == eom->sizes.v
               ? CRANK_OK
               : crank_fail(
                     err, CRANK_EREFUSED,
                     "%d of %d accelerations are carried: the formalism option needs all "
                     "or none (accelerations=carry)",
                     carried, eom->sizes.v);
}

/* ---- rows and columns ---- */

static bool is_taken(const crank_corrector *s, int row)
{
    const crank_eom *eom = s->eom;
    const bool carried = row < eom->row[CRANK_ROW_GII] && s->velocity_of[row] >= 0;
    const bool hidden = row >= eom->row[CRANK_ROW_GII] && row < eom->row[CRANK_ROW_GI];
    const bool invariant = row >= eom->row[CRANK_ROW_E] && row < eom->row[CRANK_ROW_C];
    return !carried && !hidden && !invariant;
}

/* what is left out for prescribed coordinates: columns and rows of the eom that are set */
static void leave_out(const crank_corrector *s, bool *column, bool *row)
{
    const crank_eom *eom = s->eom;
    for (int k = 0; k < eom->sizes.v && s->mass.carried; k++) {
        column[s->mass.column[k]] = true;
    }
    for (int i = 0; i < s->channels.count; i++) {
        const crank_channel *c = &s->channels.item[i];
        column[c->p] = column[c->v] = true;
        column[eom->column[CRANK_LAMBDA] + c->constraint] = !c->read;
        row[eom->row[CRANK_ROW_G] + c->constraint] = true;
        row[eom->row[CRANK_ROW_GI] + c->constraint] = true;
        row[eom->row[CRANK_ROW_DYN] + c->velocity] = !c->read;
        row[eom->row[CRANK_ROW_KIN] + c->position] = true;
    }
}

static bool is_stabilised(const crank_corrector *s, int eta)
{
    const int lambda = s->eom->sizes.lambda;
    for (int i = 0; i < s->channels.count && eta < lambda; i++) {
        if (s->channels.item[i].constraint == eta) {
            return false;
        }
    }
    return true;
}

static void list_columns(crank_corrector *s, const bool *out)
{
    const crank_eom *eom = s->eom;
    const int lambda = eom->sizes.lambda;
    int used = 0;
    for (int j = 0; j < eom->n; j++) {
        s->place[j] = out[j] ? -1 : used;
        if (!out[j]) {
            s->column[used++] = j;
        }
    }
    s->extra = 0;
    for (int i = 0; i < s->direct->extra; i++) {
        if (is_stabilised(s, i)) {
            s->column[used++] = -1;
            s->eta[s->extra] = i;
            s->eta_row[s->extra++] =
                i < lambda ? eom->row[CRANK_ROW_G] + i : eom->row[CRANK_ROW_N] + i - lambda;
        }
    }
    s->base.n = s->base.m = used;
}

/* A balance takes the row of its v', with the other sign: d = M a - f. That of a prescribed
 * velocity whose multiplier is read is an algebraic row. */
static void list_rows(crank_corrector *s, const bool *out)
{
    const crank_eom *eom = s->eom;
    int next = 0;
    for (int i = 0; i < eom->m; i++) {
        s->target[i] = is_taken(s, i) && !out[i] ? next++ : -1;
        s->sign[i] = 1.0;
        if (s->target[i] >= 0) {
            s->differential[s->target[i]] = i >= eom->row[CRANK_ROW_B];
        }
    }
    for (int i = 0; i < eom->sizes.p; i++) {
        s->row_p[i] = s->target[eom->row[CRANK_ROW_KIN] + i];
    }
    for (int i = 0; i < eom->sizes.r; i++) {
        s->row_r[i] = s->target[eom->row[CRANK_ROW_B] + i];
    }
    for (int k = 0; k < eom->sizes.v; k++) {
        const int dyn = eom->row[CRANK_ROW_DYN] + k;
        s->row_v[k] = s->target[dyn];
        if (s->mass.carried) {
            s->target[s->mass.balance[k]] = s->target[dyn];
            s->target[dyn] = -1;
            s->sign[s->mass.balance[k]] = -1.0;
        }
    }
    for (int i = 0; i < s->channels.count; i++) {
        const crank_channel *c = &s->channels.item[i];
        s->mass.free[c->velocity] = -1;
        if (c->read) { /* no rate of its own; M v' of the others is in it */
            s->row_v[c->velocity] = -1;
        }
    }
}

static void number_velocities(crank_corrector *s)
{
    s->mass.n = 0;
    for (int k = 0; k < s->eom->sizes.v; k++) {
        s->mass.held[k] = s->mass.free[k] < 0;
        s->mass.free[k] = s->mass.held[k] ? -1 : s->mass.n++;
    }
}

/* ---- F_y' ---- */

static void add_lead(crank_corrector *s, bool fill, int row, int column, int entry, double sign)
{
    if (fill) {
        s->lead[s->lead_count] = (crank_corrector_lead){
            .row = row, .column = column, .entry = entry, .sign = sign, .slot = -1};
    }
    s->lead_count++;
}

/* rows by the acceleration of velocity k: balances, and those that read it */
static void list_acceleration(crank_corrector *s, int k, bool fill)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = s->mass.carried ? &eom->jacobian_pattern : &eom->mass_pattern;
    const int v = s->place[eom->column[CRANK_V] + k];
    const int j = s->mass.carried ? s->mass.column[k] : k;
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        const int row = s->mass.carried ? J->row[e] : eom->row[CRANK_ROW_DYN] + J->row[e];
        const int other = s->mass.carried
                              ? (row < eom->row[CRANK_ROW_GII] ? s->velocity_of[row] : -1)
                              : J->row[e];
        if (s->target[row] < 0) {
            continue;
        }
        const bool balance = other >= 0 && s->mass.free[other] >= 0;
        s->reads[row] = s->reads[row] || !balance;
        s->reads_any = s->reads_any || !balance;
        if (!s->explicit) {
            add_lead(s, fill, s->target[row], v, e, s->mass.carried ? -s->sign[row] : 1.0);
            s->differential[s->target[row]] = true;
        }
    }
}

static void list_lead(crank_corrector *s, bool fill)
{
    const crank_eom *eom = s->eom;
    s->lead_count = 0;
    for (int i = 0; i < eom->sizes.p; i++) {
        if (s->row_p[i] >= 0) {
            add_lead(s, fill, s->row_p[i], s->place[eom->column[CRANK_P] + i], -1, 1.0);
        }
    }
    for (int i = 0; i < eom->sizes.r; i++) {
        add_lead(s, fill, s->row_r[i], s->place[eom->column[CRANK_R] + i], -1, 1.0);
    }
    for (int k = 0; k < eom->sizes.v; k++) {
        if (s->mass.free[k] < 0) {
            continue;
        }
        list_acceleration(s, k, fill);
        if (s->explicit) {
            add_lead(s, fill, s->row_v[k], s->place[eom->column[CRANK_V] + k], -1, 1.0);
        }
    }
}

/* ---- memory ---- */

static void layout_names(crank_corrector *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, all = n + (size_t)s->direct->extra;
    const size_t nv = (size_t)eom->sizes.v, np = (size_t)eom->sizes.p;
    s->column = crank_arena_take(arena, all, sizeof(int));
    s->eta = crank_arena_take(arena, (size_t)s->direct->extra, sizeof(int));
    s->eta_row = crank_arena_take(arena, (size_t)s->direct->extra, sizeof(int));
    s->velocity_of = crank_arena_take(arena, (size_t)eom->sizes.w, sizeof(int));
    s->place = crank_arena_take(arena, n, sizeof(int));
    s->target = crank_arena_take(arena, m, sizeof(int));
    s->sign = crank_arena_take(arena, m, sizeof(double));
    s->reads = crank_arena_take(arena, m, sizeof(bool));
    s->differential = crank_arena_take(arena, all, sizeof(bool));
    s->tested = crank_arena_take(arena, all, sizeof(bool));
    s->group = crank_arena_take(arena, all, 1);
    s->scaling = crank_arena_take(arena, all, 1);
    s->row_p = crank_arena_take(arena, np, sizeof(int));
    s->row_v = crank_arena_take(arena, nv, sizeof(int));
    s->row_r = crank_arena_take(arena, (size_t)eom->sizes.r, sizeof(int));
    s->mass.free = crank_arena_take(arena, nv, sizeof(int));
    s->mass.held = crank_arena_take(arena, nv, sizeof(bool));
    s->mass.column = crank_arena_take(arena, nv, sizeof(int));
    s->mass.balance = crank_arena_take(arena, nv, sizeof(int));
    s->lead = crank_arena_take(arena, (size_t)s->lead_room, sizeof *s->lead);
}

/* Does the pattern follow values? Where derivatives of entries by drives are kept it does not,
 * for these have others. */
static bool sees(const crank_corrector *s)
{
    return s->derivatives == CRANK_DERIVATIVES_ESTIMATED ||
           (s->derivatives == CRANK_DERIVATIVES_ANALYTIC && !s->extended);
}

static void layout(crank_corrector *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n, all = n + (size_t)s->direct->extra,
                 inputs = 3 * (size_t)s->channels.count, ns = (size_t)eom->sizes.s;
    const bool estimated = s->derivatives == CRANK_DERIVATIVES_ESTIMATED, seen = sees(s);
    double **const of_problem[] = {
        &s->rate, &s->accepted_rate, &s->shown_x, &s->y, &s->step, &s->f0, &s->f1, &s->noise};
    layout_names(s, arena);
    for (size_t i = 0; i < sizeof of_problem / sizeof *of_problem; i++) {
        *of_problem[i] = crank_arena_take(arena, all, sizeof(double));
    }
    s->full = crank_arena_take(arena, n, sizeof(double));
    s->rows = crank_arena_take(arena, (size_t)eom->m, sizeof(double));
    s->vdot = crank_arena_take(arena, (size_t)eom->sizes.v, sizeof(double));
    s->shown = crank_arena_take(arena, n, sizeof(double));
    s->direct_x = crank_arena_take(arena, all, sizeof(double));
    s->u_jacobian = crank_arena_take(arena, inputs, sizeof(double));
    s->u_now = crank_arena_take(arena, inputs, sizeof(double));
    s->contact = crank_arena_take(arena, ns * ns, sizeof(double));
    s->multiplier = crank_arena_take(arena, ns, sizeof(double));
    s->pivot = crank_arena_take(arena, ns, sizeof(int));
    s->line =
        crank_arena_take(arena, estimated ? CRANK_CORRECTOR_LINE * all : 0, sizeof(double));
    s->change = crank_arena_take(arena, estimated ? all * all : 0, sizeof(double));
    s->seen = crank_arena_take(arena, seen ? all * all : 0, 1);
    s->seen = seen ? s->seen : NULL;
    s->row_size = crank_arena_take(arena, seen ? all : 0, sizeof(double));
    s->column_part = crank_arena_take(arena, seen ? all : 0, sizeof(double));
}

/* F_y' has no more entries than the Jacobian and M */
static int count_lead_room(const crank_eom *eom)
{
    return eom->jacobian_pattern.start[eom->n] + eom->mass_pattern.start[eom->sizes.v] +
           eom->sizes.p + eom->sizes.r + eom->sizes.v;
}

/* ---- creation ---- */

static crank_status refuse(const crank_corrector *s, crank_error *err)
{
    if (s->options.jacobian == CRANK_JACOBIAN_EXTENDED &&
        s->options.formalism == CRANK_FORMALISM_RESIDUAL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "jacobian=extended needs formalism=explicit: derivatives of M by "
                          "drives would be needed in the residual one");
    }
    return CRANK_OK;
}

static crank_status choose(crank_corrector *s, crank_error *err)
{
    const size_t n = (size_t)s->eom->n + 1, m = (size_t)s->eom->m + 1;
    bool *column = calloc(n, sizeof *column), *row = calloc(m, sizeof *row);
    crank_status status = column != NULL && row != NULL
                              ? find_accelerations(s, err)
                              : crank_fail(err, CRANK_EMEM, "rows of the corrector");
    if (status == CRANK_OK) {
        leave_out(s, column, row);
        list_columns(s, column);
        list_rows(s, row);
        number_velocities(s);
        list_lead(s, true);
    }
    free(column);
    free(row);
    return status;
}

static void describe(crank_corrector *s)
{
    const crank_direct *d = s->direct;
    for (int j = 0; j < s->base.n; j++) {
        const int from =
            s->column[j] >= 0 ? s->column[j] : s->eom->n + s->eta[j - (s->base.n - s->extra)];
        s->tested[j] = d->tested[from];
        s->group[j] = d->group[from];
        s->scaling[j] = d->scaling[from];
    }
    s->base.differential = s->differential;
    s->base.tested = s->tested;
    s->base.group = s->group;
    s->base.scaling = s->scaling;
    s->unknowns = crank_corrector_unknowns;
    s->unknowns.count = s->eom->n;
    s->unknowns.column = s->column;
    s->base.unknowns = &s->unknowns;
    if (d->base.complete == NULL) {
        s->base.complete = NULL;
    }
}

static crank_status fill(crank_corrector *s, double t0, const double *x0, crank_error *err)
{
    crank_status status = refuse(s, err);
    CRANK_THEN(status,
               crank_channels_create(&s->channels, s->eom, t0, x0, s->direct->jacobian, err));
    s->lead_room = count_lead_room(s->eom);
    layout(s, &s->arena);
    if (status == CRANK_OK && !crank_arena_allocate(&s->arena)) {
        status = crank_fail(err, CRANK_EMEM, "corrector of %d unknowns", s->eom->n);
    }
    if (status != CRANK_OK) {
        return status;
    }
    layout(s, &s->arena);
    s->shown_t = s->rate_t = (double)NAN;
    CRANK_THEN(status, choose(s, err));
    CRANK_THEN(status, crank_corrector_mass_create(s, err));
    if (status != CRANK_OK) {
        return status;
    }
    describe(s);
    /* what readers of accelerations have is a sum of several entries */
    s->scan_due =
        s->seen != NULL && (s->derivatives == CRANK_DERIVATIVES_ESTIMATED || !s->reads_any);
    memcpy(s->full, x0, (size_t)s->eom->n * sizeof *x0);
    status = crank_corrector_mass_check(s, t0, err);
    memcpy(s->full, x0, (size_t)s->eom->n * sizeof *x0);
    CRANK_THEN(status, crank_corrector_make_matrix(s, err));
    return status;
}

crank_status crank_corrector_create(crank_problem *direct, const crank_options *options,
                                    double t0, const double *x0, crank_problem **out,
                                    crank_error *err)
{
    crank_corrector *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) {
        direct->destroy(direct);
        return crank_fail(err, CRANK_EMEM, "corrector");
    }
    s->direct = (crank_direct *)direct;
    s->eom = s->direct->eom;
    s->options = *options;
    s->extended = options->jacobian == CRANK_JACOBIAN_EXTENDED;
    s->explicit = options->formalism == CRANK_FORMALISM_EXPLICIT || s->extended;
    s->derivatives = options->derivatives == CRANK_DERIVATIVES_AUTO ? CRANK_DERIVATIVES_ANALYTIC
                                                                    : options->derivatives;
    s->base = crank_corrector_problem;
    s->base.name = direct->name;
    s->base.eom = s->eom;
    s->base.statistics = &s->statistics;
    if (s->explicit && !s->extended) {
        s->base.refresh = NULL;
    }
    const crank_status status = fill(s, t0, x0, err);
    if (status != CRANK_OK) {
        s->base.destroy(&s->base);
        return status;
    }
    *out = &s->base;
    return CRANK_OK;
}
