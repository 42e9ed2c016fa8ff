/* ode_reach.c - stages of half-explicit methods: the algebraic unknowns from the constraints on
 * velocity level at the point to which the stage leads, theory (9.11).
 *
 *     y_a = from + share y'(t, y, z):    0 = F(z) = (d(t, y, z), (gI, h)(t_a, y_a) / share)
 *
 * F_z differs from the matrix of (9.2) by gI_v, h_v at y_a in place of y. Where accelerations
 * are among z these are stage entries of y_a: the matrix is exact. Elsewhere that of y is the
 * preconditioner A of an iteration along minimal residuals [EES83, GCR],
 *     w = A^-1 F,   P = A^-1 F_z:    z -= <w, P w> / <P w, P w> w,  P w orthogonal to those
 *                                    before,
 * with one more evaluation at y_a for each P w, in units of z. P = I + O(share), and its order
 * is the number of constraints: one or two iterations as a rule. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "formulate/ode.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 20, MAX_WAYS = 40 };
/* increment relative to its group after which the next one of Newton's iteration is
 * round-off */
static const double small_enough = 1e-9;
/* of velocities ahead, relative: less than that is no move. Rounding of theirs, over share, is
 * what accelerations of such stages are off. */
static const double rounding = 3.6e-15; /* 16 DBL_EPSILON */
/* of what a way takes off the residual, that no way before does: less is rounding */
static const double of_own = 1e-6;

/* ---- the point ahead ---- */

/* Rows and stage entries there, of the z behind algebraic.k. reach.stays: velocities are those
 * of the last call but for rounding. */
static crank_status look_ahead(crank_ode *s, const crank_reach *ask, const double *x,
                               crank_error *err)
{
    crank_ode_reach *reach = &s->reach;
    const int v = s->eom->column[CRANK_V], behind = s->eom->column[CRANK_V + 1];
    double size = 0.0, moved = 0.0;
    const crank_status status = crank_ode_rates(s, ask->t, x, reach->rate, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int j = 0; j < s->eom->n; j++) {
        const bool algebraic = crank_stage_unknown(s->eom, j) >= 0;
        const double point = algebraic ? x[j] : ask->from[j] + ask->share * reach->rate[j];
        if (j >= v && j < behind) {
            size = fmax(size, fabs(point) / s->psf->scale.unit[j]);
            moved = fmax(moved, fabs(point - reach->point[j]) / s->psf->scale.unit[j]);
        }
        reach->point[j] = point;
    }
    reach->stays = moved <= rounding * size;
    s->psf->statistics.constraint_evaluations++;
    return crank_eom_evaluate_stage(s->eom, &s->algebraic.entries, ask->t_ahead, reach->point,
                                    reach->k, reach->values, s->algebraic.work, err);
}

/* algebraic.delta = -F; d: its rows, or zero where they hold */
static void load(crank_ode *s, const crank_reach *ask, bool d)
{
    const crank_eom *eom = s->eom;
    const int gII = eom->row[CRANK_ROW_GII], gI = eom->row[CRANK_ROW_GI];
    double *delta = s->algebraic.delta;
    for (int i = 0; i < gII; i++) {
        delta[i] = d ? -s->algebraic.k[i] : 0.0;
    }
    for (int i = 0; i < eom->sizes.lambda + eom->sizes.mu; i++) { /* gI h as gII hI */
        delta[gII + i] = -s->reach.k[gI + i] / ask->share;
    }
}

/* gI_v, h_v at the point ahead */
static void take_entries(crank_ode *s)
{
    const crank_stage_entries *entries = &s->algebraic.entries;
    const int gII = s->eom->row[CRANK_ROW_GII], gI = s->eom->row[CRANK_ROW_GI];
    for (int e = 0; e < entries->count && s->reach.exact; e++) {
        if (entries->row[e] >= gII && entries->row[e] < gI) {
            s->algebraic.values[e] = s->reach.values[e];
        }
    }
}

/* ---- along residuals ---- */

static double unit_of(const crank_ode *s, int i)
{
    return s->psf->scale.unit[crank_stage_column(s->eom, i)];
}

static double product(const crank_ode *s, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < s->algebraic.square.n; i++) {
        const double unit = unit_of(s, i);
        sum += (a[i] / unit) * (b[i] / unit);
    }
    return sum;
}

static void add(int n, double factor, const double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        b[i] += factor * a[i];
    }
}

/* delta = factor way, applied */
static void go(crank_ode *s, double factor, const double *way, double *x)
{
    for (int i = 0; i < s->algebraic.square.n; i++) {
        s->algebraic.delta[i] = factor * way[i];
    }
    crank_algebraic_apply(&s->algebraic, x);
}

/* What the last way, of those kept so far, was worth, reach.residual being what is left behind
 * it: both orthogonal to those before, and z by as much as is right. A way that is made of
 * those before but for rounding is gone as it is, and begins a new list. How many there are. */
static int shorten(crank_ode *s, int kept, double *x)
{
    crank_ode_reach *reach = &s->reach;
    const int n = s->algebraic.square.n;
    double *way = reach->way + (long)kept * n, *gain = reach->gain + (long)kept * n;
    for (int i = 0; i < n; i++) {
        gain[i] = way[i] - reach->residual[i];
    }
    const double whole = product(s, gain, gain);
    memcpy(s->reach.whole, way, (size_t)n * sizeof *way);
    for (int l = 0; l < kept; l++) {
        const double *other = reach->gain + (long)l * n;
        const double part = product(s, gain, other) / product(s, other, other);
        add(n, -part, other, gain);
        add(n, -part, reach->way + (long)l * n, way);
    }
    const double size = product(s, gain, gain);
    if (!(size > of_own * of_own * whole)) {
        return 0;
    }
    go(s, -1.0, s->reach.whole, x);
    memcpy(reach->residual, s->reach.whole, (size_t)n * sizeof *way); /* before the way */
    const double factor = product(s, reach->residual, gain) / size;
    go(s, factor, way, x);
    add(n, -factor, gain, reach->residual);
    return (kept + 1) % CRANK_REACH_WAYS;
}

/* z of x until gI and h hold ahead, with the factors at hand; d holds */
static crank_status follow(crank_ode *s, const crank_reach *ask, double *x, crank_error *err)
{
    crank_ode_reach *reach = &s->reach;
    const int n = s->algebraic.square.n;
    const size_t bytes = (size_t)n * sizeof(double);
    int kept = 0;
    for (int k = 0; k < MAX_WAYS; k++) {
        const crank_status status = look_ahead(s, ask, x, err);
        if (status != CRANK_OK || (k > 0 && reach->stays)) {
            return status;
        }
        load(s, ask, false);
        crank_algebraic_square_again(&s->algebraic);
        memcpy(reach->residual, s->algebraic.delta, bytes);
        if (!isfinite(crank_algebraic_relative_size(&s->algebraic, x))) {
            return CRANK_RETRY;
        }
        kept = k > 0 ? shorten(s, kept, x) : 0;
        memcpy(reach->way + (long)kept * n, reach->residual, bytes);
        go(s, 1.0, reach->residual, x);
    }
    return CRANK_RETRY;
}

/* ---- the stage ---- */

static crank_status fail(double t, crank_error *err)
{
    return crank_fail(err, CRANK_RETRY,
                      "the iteration for accelerations and multipliers of the stage at t = "
                      "%.10g does not converge",
                      t);
}

crank_status crank_ode_reach_stage(crank_problem *base, const crank_reach *ask, double *x,
                                   double *xdot, crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    crank_algebraic *a = &s->algebraic;
    const bool constrained = s->eom->sizes.lambda + s->eom->sizes.mu > 0;
    if (!constrained) {
        return base->derivative(base, ask->t, x, xdot, err);
    }
    s->quick.known = false;
    for (int i = 0; i < MAX_NEWTON; i++) {
        a->statistics->evaluations++;
        crank_status status = crank_eom_evaluate_stage(s->eom, &a->entries, ask->t, x, a->k,
                                                       a->values, a->work, err);
        CRANK_THEN(status, look_ahead(s, ask, x, err));
        if (status != CRANK_OK) {
            return status;
        }
        const bool stays = s->reach.stays;
        take_entries(s);
        load(s, ask, true);
        status = crank_algebraic_square_solve(a, ask->t, x, err);
        if (status != CRANK_OK) {
            return status;
        }
        crank_algebraic_apply(a, x);
        const double size = crank_algebraic_relative_size(a, x);
        if (!s->reach.exact) {
            status = follow(s, ask, x, err);
        }
        if (status != CRANK_OK || !isfinite(size)) {
            return status < CRANK_OK ? status : fail(ask->t, err);
        }
        if (s->eom->stage_linear || size <= small_enough || (i > 0 && stays)) {
            crank_ode_quick_see(s, ask->t);
            return crank_ode_rates(s, ask->t, x, xdot, err);
        }
    }
    return fail(ask->t, err);
}

/* ---- create ---- */

/* Rows gII, hI contain z by way of carried accelerations alone, and the dynamic rows are
 * these. */
static bool is_exact(const crank_ode *s)
{
    const crank_eom *eom = s->eom;
    const crank_stage_entries *entries = &s->algebraic.entries;
    const int gII = eom->row[CRANK_ROW_GII], gI = eom->row[CRANK_ROW_GI],
              dyn = eom->row[CRANK_ROW_DYN];
    for (int i = 0; i < entries->unknowns; i++) {
        const bool carried = eom->carried[crank_stage_column(eom, i)];
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            const int row = entries->row[e];
            if (!carried && ((row >= gII && row < gI) || row >= dyn)) {
                return false;
            }
        }
    }
    return eom->mass_is_identity;
}

static void layout(crank_ode *s, crank_arena *arena)
{
    crank_ode_reach *reach = &s->reach;
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n, unknowns = (size_t)s->algebraic.entries.unknowns,
                 entries = (size_t)s->algebraic.entries.count;
    reach->k = crank_arena_take(arena, (size_t)eom->m + entries + 1, sizeof(double));
    reach->values = reach->k != NULL ? reach->k + eom->m : NULL; /* as algebraic.values */
    reach->point = crank_arena_take(arena, n, sizeof(double));
    reach->rate = crank_arena_take(arena, n, sizeof(double));
    reach->residual = crank_arena_take(arena, unknowns, sizeof(double));
    const size_t ways = reach->exact ? 0 : CRANK_REACH_WAYS;
    reach->whole = crank_arena_take(arena, unknowns, sizeof(double));
    reach->way = crank_arena_take(arena, ways * unknowns, sizeof(double));
    reach->gain = crank_arena_take(arena, ways * unknowns, sizeof(double));
}

crank_status crank_ode_reach_create(crank_ode *s, crank_error *err)
{
    if (s->eom->sizes.s > 0 || s->eom->dae != NULL) {
        return CRANK_OK;
    }
    s->reach.exact = is_exact(s);
    layout(s, &s->reach.arena);
    if (!crank_arena_allocate(&s->reach.arena)) {
        return crank_fail(err, CRANK_EMEM, "half-explicit stages of %d unknowns", s->eom->n);
    }
    layout(s, &s->reach.arena);
    return CRANK_OK;
}

void crank_ode_reach_destroy(crank_ode *s)
{
    crank_arena_free(&s->reach.arena);
}
