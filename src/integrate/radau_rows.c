/* radau_rows.c - rows between steps.
 *
 * Between the ends of a step, which are of order 5, the collocation polynomial q of theory
 * (4.8) is of order 3. What its stages are off follows from the error estimate, and the step
 * end before tells the fourth derivative, theory (4.9): with theta = 1 + s,
 *     x(theta) = x_new + q(s) + kappa(theta) err + omega(theta) D,
 *         kappa = 3/4 gamma theta (1 - theta)(1 - 2 theta),
 *         omega = theta (theta - c_1)(theta - c_2)(theta - 1),   D: x is x_before at its time
 * of order 4, for all unknowns; those that constraints determine are corrected afterwards. No
 * slope at a step end enters: where equations are stiff E x' = k makes noise of errors far
 * below the tolerance. The step end before that one tells how far this is off, theory (4.10); a
 * row for which that is too far is the end of a shorter step. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <math.h>
#include <string.h>

void crank_radau_keep_begin(const crank_integrator *it, crank_radau *s)
{
    double *oldest = s->earlier;
    s->earlier = s->before;
    s->before = s->begin;
    s->begin = oldest;
    memcpy(s->begin, it->x, (size_t)it->n * sizeof *s->begin);
    s->h_earlier = s->common.first ? 0.0 : s->h_before;
    s->h_before = s->common.first ? 0.0 : it->t - it->t_old;
}

/* ---- the polynomial ---- */

/* weights of the Newton coefficients, of the error estimate and of the mismatch at the
 * beginning, theory (4.9) */
typedef struct place {
    double k1, k2, k3, kappa, fade, omega;
} place;

static place find_place(double theta)
{
    const double c1 = crank_radau_c[0], c2 = crank_radau_c[1], at = theta - 1.0;
    return (place){.k1 = at,
                   .k2 = at * (theta - c2),
                   .k3 = at * (theta - c2) * (theta - c1),
                   .kappa =
                       0.75 * crank_radau_gamma * theta * (1.0 - theta) * (1.0 - 2.0 * theta),
                   .fade = 1.0 - theta,
                   .omega = theta * (theta - c1) * (theta - c2) * at};
}

/* the cubic through both ends and the corrected stages, from it->x */
static double cubic(const place *at, const double *K, int n, double estimate, double mismatch)
{
    return at->k1 * K[0] + at->k2 * K[n] + at->k3 * K[2 * (long)n] + at->kappa * estimate +
           at->fade * mismatch;
}

/* the polynomial of one unknown */
typedef struct curve {
    const double *K;
    double estimate, mismatch, D;
    double D_estimate; /* D as the estimate tells it */
} curve;

/* The step began at s->begin, the polynomial where the correction of its end has moved that to:
 * the mismatch fades. In the first step D follows from the estimate, which is right for
 * unknowns whose own equation was discretised. */
static curve find_curve(const crank_integrator *it, const crank_radau *s, const place *begin,
                        const place *before, int j)
{
    curve c = {.K = s->polynomial + j, .estimate = s->estimate[j]};
    c.D_estimate = -2.5 * crank_radau_gamma * c.estimate;
    c.mismatch = s->begin[j] - it->x[j] - cubic(begin, c.K, it->n, c.estimate, 0.0);
    c.D = s->h_before > 0.0
              ? (s->before[j] - it->x[j] - cubic(before, c.K, it->n, c.estimate, c.mismatch)) /
                    before->omega
              : c.D_estimate;
    return c;
}

static double value(const curve *c, const place *at, int n)
{
    return cubic(at, c->K, n, c->estimate, c->mismatch) + at->omega * c->D;
}

static double place_before(const crank_radau *s)
{
    return s->h_before > 0.0 ? -s->h_before / s->common.h_old : -1.0;
}

static void find_row(const crank_integrator *it, const crank_radau *s, double theta, double *x)
{
    const place row = find_place(theta), begin = find_place(0.0),
                before = find_place(place_before(s));
    for (int j = 0; j < it->n; j++) {
        const curve c = find_curve(it, s, &begin, &before, j);
        x[j] = it->x[j] + value(&c, &row, it->n);
    }
}

/* With final_correction off rows stay as published: the collocation polynomial alone. */
void crank_radau_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_radau *s = it->state;
    const double at = (t - it->t) / s->common.h_old;
    if (it->options.final_correction && !it->jumped) {
        find_row(it, s, 1.0 + at, x);
        return;
    }
    crank_radau_polynomial(it, s, at, x);
    for (int j = 0; j < it->n; j++) {
        x[j] += it->x[j];
    }
    if (it->jumped) {
        crank_jump_value(it, &s->jump, t, x);
    }
}

/* ---- how far it is off ---- */

/* bound of |omega| within the step: 0.01825 at theta = 0.86 */
static const double omega_most = 0.0185;

/* kappa, with what it changes in D so that the step end before stays where it is */
static double bent(const place *at, const place *before)
{
    return at->kappa - before->kappa / before->omega * at->omega;
}

/* What the polynomial is off, over what it misses the step end `earlier` by (h_earlier > 0) or
 * what the two values of D differ by, theory (4.10): if that is due to the next derivative, or
 * to what the error estimate is off. */
static double reach_back(const crank_radau *s, double theta)
{
    const double before_at = place_before(s),
                 earlier_at = before_at - s->h_earlier / s->common.h_old;
    const place row = find_place(theta), before = find_place(before_at),
                earlier = find_place(earlier_at);
    if (!(s->h_before > 0.0)) {
        return omega_most;
    }
    if (!(s->h_earlier > 0.0)) {
        const double change = 2.5 * crank_radau_gamma - before.kappa / before.omega;
        return fmax(fabs(row.omega), fabs(bent(&row, &before) / change));
    }
    const double next =
        row.omega * (theta - before_at) / (earlier.omega * (earlier_at - before_at));
    return fmax(fabs(next), fabs(bent(&row, &before) / bent(&earlier, &before)));
}

/* theory (4.10) */
void crank_radau_row_error(const crank_integrator *it, double t, double *off)
{
    const crank_radau *s = it->state;
    const double before_at = place_before(s),
                 earlier_at = before_at - s->h_earlier / s->common.h_old;
    const place begin = find_place(0.0), before = find_place(before_at),
                earlier = find_place(earlier_at);
    const double part = reach_back(s, 1.0 + (t - it->t) / s->common.h_old);
    for (int j = 0; j < it->n; j++) {
        const curve c = find_curve(it, s, &begin, &before, j);
        double missed = !(s->h_before > 0.0) ? c.D : c.D - c.D_estimate;
        if (s->h_earlier > 0.0) {
            missed = s->earlier[j] - it->x[j] - value(&c, &earlier, it->n);
        }
        off[j] = part * missed;
    }
}

/* ---- a step that ends at the row ---- */

/* Part of a step below which unknowns of higher-index parts are not taken from a shorter step,
 * and no such step is made where points are not corrected onto the constraints: rounding, or
 * what the beginning is off on levels that are not enforced, would be divided by its length,
 * and the interpolated row is that near to the beginning. */
static const double too_short = 0.01;

/* An integrator that makes the last step again, but only to t; it shares all work space. */
static crank_integrator step_again(const crank_integrator *it, crank_radau *s, double t)
{
    crank_integrator again = *it;
    again.state = s;
    again.x = s->begin;
    again.t = it->t_old;
    again.h = t - it->t_old;
    again.options.newton_updates = 0;
    again.failures = 0;
    s->common.eta = 1.0;
    return again;
}

/* A step of the length theta h divides by it what Newton's iteration leaves in positions, and
 * what positions are off where it begins, if velocities follow from them: so that they are
 * found as well as in the whole step the iteration goes on to theta times its tolerance, and
 * residuals at the beginning fade over the whole step, theory (4.12). */
static crank_status spare_rates(crank_integrator *again, crank_radau *s, double theta,
                                crank_error *err)
{
    crank_problem *p = again->problem;
    const int power = crank_integrator_power_of_rates(again);
    s->fades = power > 0 && p->constraints == NULL;
    if (!s->fades) {
        return CRANK_OK;
    }
    s->common.newton_tolerance *= pow(theta, power);
    const crank_status status = p->evaluate(p, 1, &again->t, again->x, s->residual, err);
    for (int i = 0; i < again->m; i++) {
        s->residual[i] = p->differential[i] ? 0.0 : s->residual[i];
    }
    return status;
}

static crank_status try_row(crank_integrator *again, crank_radau *s, const crank_radau *last,
                            const crank_integrator *it, crank_error *err)
{
    const int n = it->n;
    const double theta = again->h / last->common.h_old;
    for (int i = 0; i < 3; i++) {
        double *Y = s->Y + (long)i * n;
        find_row(it, last, theta * crank_radau_c[i], Y);
        for (int j = 0; j < n; j++) {
            Y[j] -= s->begin[j];
        }
    }
    crank_radau_transform(n, s->Y, s->Z);
    crank_status status = crank_radau_factor(again, err);
    status = status == CRANK_OK ? spare_rates(again, s, theta, err) : status;
    return status == CRANK_OK ? crank_newton(again, &s->common, err) : status;
}

/* Algebraic unknowns of higher-index parts follow from the others, or stay as interpolated; but
 * the first step begins on all constraint levels, as all steps do that are corrected onto
 * them. */
static void take_row(const crank_integrator *it, const crank_radau *s, bool consistent,
                     bool near, const double *x, double *row)
{
    for (int j = 0; j < it->n; j++) {
        const bool found = consistent || crank_integrator_is_differential(it, j);
        const bool kept = it->problem->scaling[j] > 0 && (near || !found);
        row[j] = kept ? x[j] : s->begin[j] + s->Y[2 * it->n + j];
    }
}

crank_status crank_radau_refine_row(crank_integrator *it, double t, double *x, crank_error *err)
{
    crank_radau *last = it->state;
    const bool consistent = !(last->h_before > 0.0) || it->problem->constraints != NULL;
    const bool near = t - it->t_old < too_short * last->common.h_old;
    if (!(t > it->t_old) || (near && !consistent)) {
        return CRANK_RETRY;
    }
    crank_radau s = *last;
    crank_integrator again = step_again(it, &s, t);
    crank_status status =
        last->common.reselected ? CRANK_RETRY : try_row(&again, &s, last, it, err);
    last->common.need_factor = true;
    it->statistics = again.statistics;
    if (status > CRANK_OK) { /* the matrix may be too old, or from elsewhere */
        s = *last;
        again = step_again(it, &s, t);
        again.options.newton_max = CRANK_ROW_ITERATIONS;
        last->common.need_jacobian = true;
        status = it->problem->prepare(it->problem, again.t, again.x, NULL, err);
        status = status == CRANK_OK ? try_row(&again, &s, last, it, err) : status;
        it->statistics = again.statistics;
    }
    if (status != CRANK_OK) {
        return status;
    }
    double *row = s.error; /* free between steps */
    take_row(it, &s, consistent, near, x, row);
    status = crank_integrator_finish_row(it, t, row, err);
    if (status == CRANK_OK) {
        memcpy(x, row, (size_t)it->n * sizeof *x);
    }
    return status;
}
