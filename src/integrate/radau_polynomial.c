/* radau_polynomial.c - starting values and rows between steps.
 *
 * The collocation polynomial of the last step, in Newton form; s > 0 extrapolates [HW96, IV.8]:
 *     q(s), s = (t - t_new)/h:  q(0) = 0,  q(c_i - 1) = Y_i - Y_3                 theory (4.5)
 * Between the ends of the step, which are of order 5, it is of order 3. What its stages are off follows from the
 * error estimate, and the step end before tells the fourth derivative, theory (4.11): with theta = 1 + s,
 *     x(theta) = x_new + q(s) + kappa(theta) err + omega(theta) D,   kappa = 3/4 gamma theta (1 - theta)(1 - 2 theta),
 *     omega = theta (theta - c_1)(theta - c_2)(theta - 1),           D: x is x_before at its time
 * of order 4, for all unknowns; those that constraints determine are corrected afterwards. No slope at a step end
 * enters: where equations are stiff E x' = k makes noise of errors far below the tolerance. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <math.h>
#include <string.h>

void crank_radau_store_polynomial(const crank_integrator *it, crank_radau *s)
{
    const double c1 = crank_radau_c[0], c2 = crank_radau_c[1];
    const int n = it->n;
    for (int j = 0; j < n; j++) {
        const double y1 = s->Y[j], y2 = s->Y[n + j], y3 = s->Y[2 * n + j];
        const double k1 = (y2 - y3) / (c2 - 1.0), a = (y1 - y2) / (c1 - c2);
        const double k2 = (a - k1) / (c1 - 1.0);
        s->polynomial[j] = k1;
        s->polynomial[n + j] = k2;
        s->polynomial[2 * n + j] = k2 - (a - y1 / c1) / c2;
    }
}

void crank_radau_polynomial(const crank_integrator *it, const crank_radau *s, double at,
                            double *y)
{
    const double a = at - (crank_radau_c[1] - 1.0), b = at - (crank_radau_c[0] - 1.0);
    const double *K = s->polynomial;
    const int n = it->n;
    for (int j = 0; j < n; j++) {
        y[j] = at * (K[j] + a * (K[n + j] + b * K[2 * n + j]));
    }
}

void crank_radau_keep_begin(const crank_integrator *it, crank_radau *s)
{
    double *oldest = s->before;
    s->before = s->begin;
    s->begin = oldest;
    memcpy(s->begin, it->x, (size_t)it->n * sizeof *s->begin);
    s->h_before = s->first ? 0.0 : it->t - it->t_old;
}

/* ---- rows between steps ---- */

/* weights of the Newton coefficients, of the error estimate and of the mismatch at the beginning, theory (4.11) */
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

/* The step began at s->begin, the polynomial where the correction of its end has moved that to: the mismatch fades. In
 * the first step D follows from the estimate, which is right for unknowns whose own equation was discretised. */
static void find_row(const crank_integrator *it, const crank_radau *s, double theta, double *x)
{
    const int n = it->n;
    const bool alone = !(s->h_before > 0.0);
    const place row = find_place(theta), begin = find_place(0.0),
                before = find_place(alone ? -1.0 : -s->h_before / s->h_old);
    for (int j = 0; j < n; j++) {
        const double *K = s->polynomial + j;
        const double estimate = s->estimate[j];
        const double mismatch = s->begin[j] - it->x[j] - cubic(&begin, K, n, estimate, 0.0);
        const double D =
            alone ? -2.5 * crank_radau_gamma * estimate
                  : (s->before[j] - it->x[j] - cubic(&before, K, n, estimate, mismatch)) /
                        before.omega;
        x[j] = it->x[j] + cubic(&row, K, n, estimate, mismatch) + row.omega * D;
    }
}

/* With final_correction off rows stay as published: the collocation polynomial alone. */
void crank_radau_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_radau *s = it->state;
    const double at = (t - it->t) / s->h_old;
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

/* ---- before a jump ---- */

/* The end of a step becomes a node, with its slope. That of the polynomial is right for unknowns whose own
 * equation was discretised, not for dependent ones; E x' = k is right for all, but noisy for stiff ones. So
 * the latter is taken where the two differ by no more than the tolerance. */
void crank_radau_store_node(crank_integrator *it, crank_radau *s)
{
    crank_problem *p = it->problem;
    const int n = it->n;
    double *slope = s->node_slope + n, *rate = s->error;
    memcpy(s->node_slope, slope, (size_t)n * sizeof *slope);
    memcpy(slope, crank_radau_end_derivative(it, s), (size_t)n * sizeof *slope);
    memcpy(rate, slope, (size_t)n * sizeof *rate);
    const bool known = p->rates(p, it->t, it->x, s->k0, rate, NULL) == CRANK_OK;
    for (int j = 0; j < n && known; j++) {
        if (s->h_old * fabs(rate[j] - slope[j]) <= 20.0 * it->scale[j]) {
            slope[j] = rate[j];
        }
    }
    s->nodes = !known ? 0 : s->nodes < CRANK_RADAU_NODES ? s->nodes + 1 : CRANK_RADAU_NODES;
}

void crank_radau_hermite(const crank_integrator *it, const crank_radau *s, double t, double *x,
                         double *xdot)
{
    const int n = it->n;
    const double h = it->t - it->t_old, a = (t - it->t) / h, b = 1.0 + a; /* b = 0: begin */
    for (int j = 0; j < n; j++) {
        if (!crank_integrator_is_differential(it, j)) {
            continue;
        }
        const double chord = it->x[j] - s->begin[j], first = h * s->node_slope[j] - chord,
                     last = h * s->node_slope[n + j] - chord;
        x[j] = it->x[j] + a * (chord + b * (a * first + b * last));
        xdot[j] = (chord + a * (a + 2.0 * b) * first + b * (2.0 * a + b) * last) / h;
    }
}

/* x' at the end of the last step */
const double *crank_radau_end_derivative(const crank_integrator *it, crank_radau *s)
{
    const double a = 1.0 - crank_radau_c[1], b = 1.0 - crank_radau_c[0];
    const double *K = s->polynomial;
    const int n = it->n;
    if (s->first) {
        return NULL;
    }
    for (int j = 0; j < n; j++) {
        s->xdot[j] = (K[j] + a * (K[n + j] + b * K[2 * n + j])) / s->h_old;
    }
    return s->xdot;
}
