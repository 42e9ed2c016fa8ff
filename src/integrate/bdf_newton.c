/* bdf_newton.c - the corrector: E(x) (x'_p + cj (x - x_p)) = k(x), theory (4.24), by simplified
 * Newton iterations
 *     (cj E - J) delta = k(x) - E(x) x',    x += theta delta
 * with factors that may belong to another step size: theta = 2 / (1 + cj/cj_factored) makes up
 * for it on the differential rows [BCP96, 5.2.2]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <math.h>
#include <string.h>

/* factors are made anew if cj has changed by more than this part of their sum [BCP96, 5.2.2] */
static const double factor_band = 0.25;
/* contraction that is no convergence */
static const double worst_rate = 0.9;
/* a rate by which no increment is small */
static const double unknown_rate = 100.0;

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

static crank_status ready(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const double none = 0.0, low = (1.0 - factor_band) / (1.0 + factor_band);
    const double ratio = s->cj / s->cj_factored;
    crank_status status = s->need_jacobian ? prepare(it, s, err) : CRANK_OK;
    if (status != CRANK_OK || !(s->need_factor || !(ratio >= low && ratio <= 1.0 / low))) {
        return status;
    }
    status = p->factor(p, 1, &s->cj, &none, err);
    if (status == CRANK_OK) {
        s->cj_factored = s->cj;
        s->need_factor = false;
        s->rate = unknown_rate;
    }
    return status;
}

/* one iteration: the increment in delta */
static crank_status increment(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    crank_status status = p->evaluate(p, 1, &t, s->x, s->k, err);
    if (status == CRANK_OK) {
        status = p->lead(p, t, s->x, s->xdot, s->residual, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < it->m; i++) {
        s->residual[i] = s->k[i] - s->residual[i];
    }
    it->statistics.newton_iterations++;
    it->statistics.solves++;
    status = p->solve(p, 0, s->residual, NULL, s->delta, NULL, err);
    const double theta = 2.0 / (1.0 + s->cj / s->cj_factored);
    for (int j = 0; j < it->n && status == CRANK_OK; j++) {
        s->delta[j] *= theta;
        s->x[j] += s->delta[j];
        s->e[j] += s->delta[j];
        s->xdot[j] += s->cj * s->delta[j];
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
 * of the next, ...: c/(1 - c), theory (4.25). The rate is that of steps before, whose factors
 * may have been their own. Where points are not corrected the iteration goes further anyway. */
static double left_by_factors(const crank_integrator *it, const crank_bdf *s)
{
    if (!it->options.final_correction || it->problem->constraints == NULL) {
        return 0.0;
    }
    return 0.5 * fabs(s->cj - s->cj_factored) / fmin(s->cj, s->cj_factored);
}

/* What judges the first increment: contraction grows with the distance to where the matrix was
 * made, theory (4.26). The step that made it there tells nothing. */
static double aged_rate(const crank_bdf *s, double distance)
{
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

static crank_status iterate(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    const size_t bytes = (size_t)it->n * sizeof(double);
    const double distance = fabs(it->t + it->h - it->t_looked);
    double first = 0.0;
    int base = 0; /* the increment that later ones are compared with */
    memcpy(s->x, s->predicted, bytes);
    memcpy(s->xdot, s->slope, bytes);
    memset(s->e, 0, bytes);
    for (int i = 0; i < it->options.newton_max; i++) {
        const crank_status status = increment(it, s, err);
        if (status != CRANK_OK) {
            return status;
        }
        const double size = crank_bdf_norm(it, s->weight, s->delta);
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
            const double contraction = pow(size / first, 1.0 / (i - base));
            if (contraction > worst_rate) {
                return CRANK_RETRY;
            }
            s->rate = contraction / (1.0 - contraction);
            s->rate_distance = distance;
        }
        const double rate =
            fmax(i == base ? aged_rate(s, distance) : s->rate, left_by_factors(it, s));
        if (rate * size <= s->newton_tolerance) {
            return CRANK_OK;
        }
    }
    return CRANK_RETRY;
}

crank_status crank_bdf_correct(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_status status = ready(it, s, err);
    status = status == CRANK_OK ? iterate(it, s, err) : status;
    if (status > CRANK_OK && !s->jacobian_fresh) { /* an old matrix: once more with a new one */
        s->need_jacobian = true;
        status = ready(it, s, err);
        status = status == CRANK_OK ? iterate(it, s, err) : status;
    }
    return status;
}
