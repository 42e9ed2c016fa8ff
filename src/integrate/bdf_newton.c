/* bdf_newton.c - the corrector: E(x) (x'_p + cj (x - x_p)) = k(x), theory (4.25), by simplified
 * Newton iterations
 *     (cj E - J) delta = k(x) - E(x) x',    x += theta delta
 * with factors that may belong to another step size: theta = 2 / (1 + cj/cj_factored) makes up
 * for it on the differential rows [BCP96, 5.2.2]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <math.h>

/* factors are made anew if cj has changed by more than this part of their sum [BCP96, 5.2.2] */
static const double factor_band = 0.25;
/* contraction that is no convergence */
static const double worst_rate = 0.9;
/* a rate by which no increment is small */
static const double unknown_rate = 100.0;
/* iterations with one matrix by the rules of DASSL [BCP96, 5.2.2] */
enum { DASSL_ITERATIONS = 4 };

crank_status crank_bdf_prepare(crank_integrator *it, crank_bdf *s, double t, const double *x,
                               crank_error *err)
{
    crank_problem *p = it->problem;
    const crank_status status = p->prepare(p, t, x, s->slope, err);
    s->need_factor = true;
    if (status == CRANK_OK) {
        s->need_jacobian = false;
        s->jacobian_fresh = true;
        s->reused = 0;
        s->t_updated = t;
        it->t_looked = t;
    }
    return status;
}

/* at the prediction; redundant constraints have their rank at consistent points only, and so at
 * the last one */
static crank_status prepare(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    return it->problem->held != NULL
               ? crank_bdf_prepare(it, s, it->t, it->x, err)
               : crank_bdf_prepare(it, s, it->t + it->h, s->predicted, err);
}

static crank_status factor(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    const double none = 0.0;
    const crank_status status = it->problem->factor(it->problem, 1, &s->cj, &none, err);
    if (status == CRANK_OK) {
        s->cj_factored = s->cj;
        s->need_factor = false;
        s->rate = unknown_rate;
    }
    return status;
}

/* The Jacobian stays, but for what is cheap to follow: the step size, M, drives, theory
 * (2.27), (2.28). */
static crank_status update(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    crank_status status = p->refresh != NULL ? p->refresh(p, t, s->predicted, err) : CRANK_OK;
    it->statistics.jacobian_updates++;
    s->t_updated = t;
    status = status == CRANK_OK ? factor(it, s, err) : status;
    return status;
}

static crank_status ready(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    const double low = (1.0 - factor_band) / (1.0 + factor_band);
    const double ratio = s->cj / s->cj_factored;
    const bool drastic = !(ratio >= low && ratio <= 1.0 / low);
    const crank_jacobian_strategy strategy = it->options.jacobian;
    s->need_jacobian =
        s->need_jacobian || (drastic && !s->need_factor && strategy == CRANK_JACOBIAN_FULL);
    const crank_status status = s->need_jacobian ? prepare(it, s, err) : CRANK_OK;
    if (status != CRANK_OK || !(s->need_factor || drastic)) {
        return status;
    }
    return s->need_factor || strategy < CRANK_JACOBIAN_PARTITIONED ? factor(it, s, err)
                                                                   : update(it, s, err);
}

/* k - E x' at an iterate */
static crank_status residual(crank_integrator *it, crank_bdf *s, const double *x,
                             const double *xdot, crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    if (p->residual != NULL) {
        return p->residual(p, t, x, xdot, s->residual, err);
    }
    crank_status status = p->evaluate(p, 1, &t, x, s->k, err);
    if (status == CRANK_OK) {
        status = p->lead(p, t, x, xdot, s->residual, err);
    }
    const double *restrict k = s->k;
    double *restrict left = s->residual;
    for (int i = 0, m = status == CRANK_OK ? it->m : 0; i < m; i++) {
        left[i] = k[i] - left[i];
    }
    return status;
}

/* x += d, e += d, x' += cj d with d = theta delta; the norm of d, added up as in
 * crank_bdf_norm */
static double add_increment(const crank_integrator *it, const crank_bdf *s, double theta)
{
    const double *restrict delta = s->delta, *restrict weight = s->weight, cj = s->cj;
    double *restrict x = s->x, *restrict e = s->e, *restrict xdot = s->xdot;
    double even = 0.0, odd = 0.0, last = 0.0;
    int j = 0;
    for (const int n = it->n; j + 1 < n; j += 2) {
        const double c = delta[j] * theta, d = delta[j + 1] * theta, a = c * weight[j],
                     b = d * weight[j + 1];
        x[j] += c, x[j + 1] += d;
        e[j] += c, e[j + 1] += d;
        xdot[j] += cj * c, xdot[j + 1] += cj * d;
        even += a * a;
        odd += b * b;
    }
    if (j < it->n) {
        const double d = delta[j] * theta;
        x[j] += d;
        e[j] += d;
        xdot[j] += cj * d;
        last = d * weight[j];
    }
    return crank_bdf_root(it, even + odd + last * last);
}

/* the same from the prediction, with e = 0 */
static double add_first(const crank_integrator *it, const crank_bdf *s, double theta)
{
    const double *restrict delta = s->delta, *restrict weight = s->weight, cj = s->cj;
    const double *restrict predicted = s->predicted, *restrict slope = s->slope;
    double *restrict x = s->x, *restrict e = s->e, *restrict xdot = s->xdot;
    double even = 0.0, odd = 0.0, last = 0.0;
    int j = 0;
    for (const int n = it->n; j + 1 < n; j += 2) {
        const double c = delta[j] * theta, d = delta[j + 1] * theta, a = c * weight[j],
                     b = d * weight[j + 1];
        x[j] = predicted[j] + c, x[j + 1] = predicted[j + 1] + d;
        e[j] = 0.0 + c, e[j + 1] = 0.0 + d;
        xdot[j] = slope[j] + cj * c, xdot[j + 1] = slope[j + 1] + cj * d;
        even += a * a;
        odd += b * b;
    }
    if (j < it->n) {
        const double d = delta[j] * theta;
        x[j] = predicted[j] + d;
        e[j] = 0.0 + d;
        xdot[j] = slope[j] + cj * d;
        last = d * weight[j];
    }
    return crank_bdf_root(it, even + odd + last * last);
}

/* one iteration; *size: the norm of its increment */
static crank_status iterate_once(crank_integrator *it, crank_bdf *s, bool first, double *size,
                                 crank_error *err)
{
    crank_problem *p = it->problem;
    const double theta = 2.0 / (1.0 + s->cj / s->cj_factored);
    crank_status status = first ? residual(it, s, s->predicted, s->slope, err)
                                : residual(it, s, s->x, s->xdot, err);
    if (status != CRANK_OK) {
        return status;
    }
    it->statistics.newton_iterations++;
    it->statistics.solves++;
    status = p->solve(p, 0, s->residual, NULL, s->delta, NULL, err);
    if (status == CRANK_OK) {
        *size = first ? add_first(it, s, theta) : add_increment(it, s, theta);
        if (it->options.error_norm == CRANK_NORM_MAX) {
            *size = theta * crank_bdf_norm(it, s->weight, s->delta);
        }
    }
    return status;
}

/* The norm of x is hardly more than 1/rtol: mostly it need not be known. */
static bool is_rounding(const crank_integrator *it, const crank_bdf *s, double size)
{
    const double unit = 100.0 * it->options.rounding_unit;
    return size * s->least_rtol <= 10.0 * unit &&
           size <= unit * crank_bdf_norm(it, s->weight, s->predicted);
}

/* What factors of another step size leave of an increment, c = |cj - cj'|/(cj + cj') of it, c^2
 * of the next, ...: c/(1 - c), theory (4.26). The rate is that of steps before, whose factors
 * may have been their own. Where points are not corrected the iteration goes further anyway. */
static double left_by_factors(const crank_integrator *it, const crank_bdf *s)
{
    if (!it->options.final_correction || it->problem->constraints == NULL) {
        return 0.0;
    }
    return 0.5 * fabs(s->cj - s->cj_factored) / fmin(s->cj, s->cj_factored);
}

/* What judges the first increment: contraction grows with the distance to where the matrix was
 * made, theory (4.27). The step that made it there tells nothing. By DASSL's rules the rate is
 * that of the last iteration. */
static double aged_rate(const crank_integrator *it, const crank_bdf *s, double distance)
{
    if (it->options.jacobian == CRANK_JACOBIAN_FULL) {
        return s->rate;
    }
    return s->rate_distance > 0.0 ? s->rate * fmax(1.0, distance / s->rate_distance)
                                  : unknown_rate;
}

/* Unknowns that are not extrapolated come by the first increment, however exact the matrix is:
 * it says nothing of those that follow. */
static bool has_held(const crank_integrator *it, const crank_bdf *s)
{
    const bool *held = it->problem->held;
    bool moved = false;
    for (int j = 0; j < it->n && held != NULL && !moved; j++) {
        moved = held[j] && s->delta[j] != 0.0;
    }
    return moved;
}

/* A matrix of this point and this step contracts what is small: where it does not, rounding is
 * left, of rows whose terms are larger than the unknowns (in joint coordinates a slide of zero
 * far from the origin). */
static bool is_exact(const crank_bdf *s)
{
    return s->jacobian_fresh && s->cj == s->cj_factored;
}

static crank_status iterate(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    const double distance = fabs(it->t + it->h - it->t_looked);
    const int most =
        it->options.jacobian == CRANK_JACOBIAN_AUTO || it->options.newton_max < DASSL_ITERATIONS
            ? it->options.newton_max
            : DASSL_ITERATIONS;
    double first = 0.0;
    int base = 0; /* the increment that later ones are compared with */
    for (int i = 0; i < most; i++) {
        double size = 0.0;
        const crank_status status = iterate_once(it, s, i == 0, &size, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (!isfinite(size)) {
            return CRANK_RETRY;
        }
        if (is_rounding(it, s, size)) {
            return CRANK_OK;
        }
        base = i == 0 && has_held(it, s) ? 1 : base;
        if (i < base) {
            continue;
        }
        if (i == base) {
            first = size;
        } else {
            const double ratio = size / first;
            const double contraction = i - base > 1 ? pow(ratio, 1.0 / (i - base)) : ratio;
            if (contraction > worst_rate) {
                return is_exact(s) && fmax(first, size) <= s->newton_tolerance ? CRANK_OK
                                                                               : CRANK_RETRY;
            }
            s->rate = contraction / (1.0 - contraction);
            s->rate_distance = distance;
        }
        const double rate =
            fmax(i == base ? aged_rate(it, s, distance) : s->rate, left_by_factors(it, s));
        if (rate * size <= s->newton_tolerance) {
            return CRANK_OK;
        }
    }
    return CRANK_RETRY;
}

/* Would the matrix be another if it followed the step size and drives? */
static bool is_behind(const crank_integrator *it, const crank_bdf *s)
{
    const crank_jacobian_strategy strategy = it->options.jacobian;
    return (strategy >= CRANK_JACOBIAN_PARTITIONED && s->cj != s->cj_factored) ||
           (strategy == CRANK_JACOBIAN_EXTENDED && s->t_updated != it->t + it->h);
}

/* The problem iterates itself: x = x'/cj + (x_p - x'_p/cj), theory (13.7). */
static crank_status advance(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    const double t = it->t + it->h, h = 1.0 / s->cj;
    const crank_stages stages = {.count = 1,
                                 .t = &t,
                                 .h = &h,
                                 .old = s->delta,
                                 .x = s->x,
                                 .xdot = s->xdot,
                                 .scale = it->scale,
                                 .absolute = it->atol_used[0],
                                 .relative = s->least_rtol,
                                 .tolerance = s->newton_tolerance,
                                 .precise = it->t_stop < it->t_bound};
    for (int j = 0; j < it->n; j++) {
        s->delta[j] = s->predicted[j] - h * s->slope[j];
        s->x[j] = s->predicted[j];
        s->xdot[j] = s->slope[j];
    }
    const crank_status status = it->problem->advance(it->problem, &stages, err);
    for (int j = 0; j < it->n; j++) {
        s->e[j] = s->x[j] - s->predicted[j];
    }
    return status;
}

/* Once more with an old matrix that follows what is cheap, then with a new one, and with one of
 * a larger pattern. */
crank_status crank_bdf_correct(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    if (p->advance != NULL) {
        return advance(it, s, err);
    }
    crank_status status = ready(it, s, err);
    status = status == CRANK_OK ? iterate(it, s, err) : status;
    if (status > CRANK_OK && !s->jacobian_fresh && is_behind(it, s)) {
        status = update(it, s, err);
        status = status == CRANK_OK ? iterate(it, s, err) : status;
    }
    for (int i = 0; i < 2 && status > CRANK_OK; i++) {
        if (s->jacobian_fresh && (s->at_row || p->doubts == NULL || !p->doubts(p))) {
            break;
        }
        s->need_jacobian = true;
        status = ready(it, s, err);
        status = status == CRANK_OK ? iterate(it, s, err) : status;
    }
    return status;
}
