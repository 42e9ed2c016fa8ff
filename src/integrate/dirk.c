/* dirk.c - see dirk.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/dirk.h"

#include "base/then.h"

#include <math.h>
#include <string.h>

/* ---- stages ---- */

/* K_0; NULL: not known. Steps made again for a row begin where the last one did. */
static const double *slope_of(const crank_integrator *it)
{
    const crank_dirk *s = it->state;
    const bool again = it->x == s->base.ends.begin;
    const bool known = again ? s->begin_known : s->end_known;
    return !known ? NULL : again ? s->slope_begin : s->slope_end;
}

static const crank_dirk_tableau *tableau_of(const crank_integrator *it)
{
    const crank_dirk *s = it->state;
    return slope_of(it) != NULL ? s->usual : s->without;
}

/* A first step of translated code has no step behind it to go on from: along K_0, then along the
 * stage before. Z = 0 is no guess there: with it K_i = -G_i / (gamma h), a slope to the other side,
 * where equations in x' begin. Problems without it iterate on x alone and begin at Z = 0. */
static void predict_first(crank_integrator *it, int i)
{
    crank_dirk *s = it->state;
    const bool *held = it->problem->held;
    const double *c = tableau_of(it)->c, *K = slope_of(it);
    const double length = c[i] * it->h, part = i > 0 && c[i - 1] > 0.0 ? c[i] / c[i - 1] : 0.0;
    for (int j = 0; j < it->n; j++) {
        if (held == NULL || !held[j]) {
            s->Z[i][j] = i > 0 ? part * s->Z[i - 1][j] : K != NULL ? length * K[j] : 0.0;
        }
    }
}

void crank_dirk_predict(crank_integrator *it, int i)
{
    crank_dirk *s = it->state;
    s->stage = i;
    crank_one_step_predict(it, &s->base, it->t + tableau_of(it)->c[i] * it->h, s->Z[i]);
    if (s->base.common.first && it->problem->advance != NULL &&
        it->options.newton_start != CRANK_START_ZERO) {
        predict_first(it, i);
    }
}

/* K_i = (Z_i - G_i) / (gamma h) */
static void find_slope(const crank_integrator *it, const crank_dirk *s, int i,
                       double *restrict slope)
{
    const crank_dirk_tableau *tableau = tableau_of(it);
    const double *K = slope_of(it);
    const double shift = tableau->inverse / it->h, reach = tableau->a[i] * it->h;
    for (int j = 0; j < it->n; j++) {
        slope[j] = reach != 0.0 ? reach * K[j] : 0.0;
    }
    for (int k = 0; k < i; k++) {
        const double carry = tableau->g[i][k];
        for (int j = 0; j < it->n; j++) {
            slope[j] += carry * s->Z[k][j];
        }
    }
    for (int j = 0; j < it->n; j++) {
        slope[j] = shift * (s->Z[i][j] - slope[j]);
    }
}

void crank_dirk_place_stages(crank_integrator *it, double *t)
{
    crank_dirk *s = it->state;
    *t = it->t + tableau_of(it)->c[s->stage] * it->h;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + s->Z[s->stage][j];
    }
    find_slope(it, s, s->stage, s->slope);
}

crank_status crank_dirk_increment(crank_integrator *it, const double *t, crank_error *err)
{
    crank_dirk *s = it->state;
    crank_problem *p = it->problem;
    const double part = s->base.part, at = tableau_of(it)->c[s->stage];
    crank_status status = p->lead(p, *t, s->X, s->slope, s->lead, err);
    for (int i = 0; i < it->m && status == CRANK_OK; i++) {
        s->lead[i] = s->base.common.k[i] - s->lead[i];
    }
    for (int i = 0; i < it->m && part > 0.0; i++) {
        s->lead[i] -= (1.0 - at * part) * s->base.residual[i];
    }
    CRANK_THEN(status, p->solve(p, 0, s->lead, NULL, s->base.common.increment, NULL, err));
    return status;
}

void crank_dirk_add(crank_integrator *it)
{
    crank_dirk *s = it->state;
    for (int j = 0; j < it->n; j++) {
        s->Z[s->stage][j] += s->base.common.increment[j];
    }
}

/* X = gamma h K + (x + G) */
void crank_dirk_rule(crank_integrator *it, double *h, double *old, double *xdot)
{
    const crank_dirk *s = it->state;
    *h = it->h / tableau_of(it)->inverse;
    for (int j = 0; j < it->n; j++) {
        xdot[j] = s->slope[j];
        old[j] = s->X[j] - *h * s->slope[j];
    }
}

void crank_dirk_take(crank_integrator *it, const double *xdot)
{
    crank_dirk *s = it->state;
    (void)xdot; /* follows from Z */
    for (int j = 0; j < it->n; j++) {
        s->Z[s->stage][j] = s->X[j] - it->x[j];
    }
}

crank_status crank_dirk_factor(crank_integrator *it, crank_error *err)
{
    const double shift = tableau_of(it)->inverse / it->h, none = 0.0;
    return it->problem->factor(it->problem, 1, &shift, &none, err);
}

crank_status crank_dirk_filter(crank_integrator *it, crank_dirk *s, double part,
                               crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = p->lead(p, it->t, it->x, s->X, s->lead, err);
    for (int i = 0; i < it->m && part != 0.0; i++) {
        s->lead[i] += part * s->base.common.k0[i];
    }
    CRANK_THEN(status,
               crank_implicit_filter(it, &s->base.common, s->lead, NULL, s->base.work, err));
    return status;
}

/* ---- start ---- */

void crank_dirk_layout(crank_dirk *s, const crank_implicit_kind *kind,
                       const crank_dirk_tableau *usual, const crank_dirk_tableau *without,
                       crank_arena *arena, const crank_integrator *it)
{
    const size_t n = (size_t)it->n;
    const int last = usual->stages - 1;
    s->usual = usual;
    s->without = without;
    crank_one_step_layout(&s->base, kind, arena, it);
    for (int i = 0; i < last; i++) {
        s->Z[i] = crank_arena_take(arena, n, sizeof(double));
    }
    s->Z[last] = s->base.common.step;
    s->X = s->base.common.stage = crank_arena_take(arena, n, sizeof(double));
    s->slope = crank_arena_take(arena, n, sizeof(double));
    s->slope_end = crank_arena_take(arena, usual != without ? n : 0, sizeof(double));
    s->slope_begin = crank_arena_take(arena, usual != without ? n : 0, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)it->m, sizeof(double));
}

void crank_dirk_reset(crank_integrator *it)
{
    crank_dirk *s = it->state;
    crank_one_step_reset(it);
    s->end_known = s->begin_known = false;
}

/* Rates are those of p, v, r: enough where the others have none, that is, where rows are
 * algebraic. */
static bool has_rates(const crank_integrator *it)
{
    const crank_problem *p = it->problem;
    bool algebraic = false, others = false;
    for (int i = 0; i < it->m; i++) {
        algebraic = algebraic || !p->differential[i];
    }
    for (int j = 0; j < it->n; j++) {
        others = others || !crank_integrator_is_differential(it, j);
    }
    return p->rates != NULL && (algebraic || !others);
}

crank_status crank_dirk_take_rates(crank_integrator *it, crank_error *err)
{
    crank_dirk *s = it->state;
    crank_problem *p = it->problem;
    double *slope = s->slope;
    if (!has_rates(it)) {
        return CRANK_OK;
    }
    memset(slope, 0, (size_t)it->n * sizeof *slope);
    const crank_status status = p->rates(p, it->t, it->x, s->base.common.k0, slope, err);
    bool known = status == CRANK_OK;
    for (int j = 0; j < it->n; j++) {
        known = known && isfinite(slope[j]);
    }
    if (known) {
        memcpy(s->slope_end, slope, (size_t)it->n * sizeof *slope);
        s->end_known = true;
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

crank_status crank_dirk_start(crank_integrator *it, crank_error *err)
{
    const crank_dirk *s = it->state;
    const crank_status status = crank_one_step_start(it, err);
    return status != CRANK_OK || s->usual == s->without ? status
                                                        : crank_dirk_take_rates(it, err);
}

/* ---- the end of a step ---- */

void crank_dirk_end(const crank_integrator *it, double *x)
{
    const crank_dirk *s = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + s->base.common.step[j];
    }
}

/* K_s is not evaluated where the next step begins: fast rates would magnify what the end is
 * off. */
void crank_dirk_accept(crank_integrator *it, crank_dirk *s, double size, const double *bend)
{
    if (s->usual != s->without) {
        double *slope = s->slope_begin;
        find_slope(it, s, s->usual->stages - 1, slope);
        s->slope_begin = s->slope_end;
        s->slope_end = slope;
        s->begin_known = s->end_known;
        s->end_known = true;
    }
    crank_one_step_accept(it, &s->base, size, bend);
}

void crank_dirk_archive(crank_integrator *it, crank_archive *a)
{
    crank_dirk *s = it->state;
    crank_one_step_archive(it, a);
    if (s->usual == s->without) {
        return;
    }
    crank_archive_doubles(a, s->slope_end, (size_t)it->n);
    crank_archive_doubles(a, s->slope_begin, (size_t)it->n);
    crank_archive_flag(a, &s->end_known);
    crank_archive_flag(a, &s->begin_known);
}
