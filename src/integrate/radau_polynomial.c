/* radau_polynomial.c - starting values and dense output.
 *
 * The collocation polynomial of the last step, in Newton form; s > 0 extrapolates [HW96, IV.8]:
 *     q(s), s = (t - t_new)/h:  q(0) = 0,  q(c_i - 1) = Y_i - Y_3                 theory (4.5)
 * It is of order 3 inside the step but of order 5 at its end, where it also has the right derivative (1 is
 * a node). Three step ends with both give rows of the order of the method, theory (4.11):
 *     x(t) = sum_i (1 - 2 (t - t_i) l_i'(t_i)) l_i(t)^2 x_i + (t - t_i) l_i(t)^2 x_i'
 * for the differential unknowns; the others follow by the correction onto the constraints. */
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

/* The end of a step becomes a node, with its slope. That of the polynomial is right for unknowns whose own
 * equation was discretised, not for dependent ones; E x' = k is right for all, but noisy for stiff ones. So
 * the latter is taken where the two differ by no more than the tolerance. */
void crank_radau_store_node(crank_integrator *it, crank_radau *s)
{
    crank_problem *p = it->problem;
    const int n = it->n;
    double *slope = s->node_slope + 2 * (long)n, *rate = s->error;
    memmove(s->node_t, s->node_t + 1, 2 * sizeof *s->node_t);
    memmove(s->node_x, s->node_x + n, 2 * (size_t)n * sizeof *s->node_x);
    memmove(s->node_slope, s->node_slope + n, 2 * (size_t)n * sizeof *s->node_slope);
    s->node_t[2] = it->t;
    memcpy(s->node_x + 2 * (long)n, it->x, (size_t)n * sizeof *it->x);
    memcpy(slope, crank_radau_end_derivative(it, s), (size_t)n * sizeof *slope);
    memcpy(rate, slope, (size_t)n * sizeof *rate);
    const bool known = p->rates(p, it->t, it->x, s->k0, rate, NULL) == CRANK_OK;
    for (int j = 0; j < n && known; j++) {
        if (s->h_old * fabs(rate[j] - slope[j]) <= 20.0 * it->scale[j]) {
            slope[j] = rate[j];
        }
    }
    s->nodes = !known ? 0 : s->nodes < 3 ? s->nodes + 1 : 3;
}

/* Hermite interpolation over the last three step ends, theory (4.11) */
static void hermite(const crank_integrator *it, const crank_radau *s, double t, double *x)
{
    const int n = it->n;
    double value[3], slope[3];
    for (int i = 0; i < 3; i++) {
        double l = 1.0, derivative = 0.0;
        for (int k = 0; k < 3; k++) {
            if (k != i) {
                l *= (t - s->node_t[k]) / (s->node_t[i] - s->node_t[k]);
                derivative += 1.0 / (s->node_t[i] - s->node_t[k]);
            }
        }
        value[i] = (1.0 - 2.0 * (t - s->node_t[i]) * derivative) * l * l;
        slope[i] = (t - s->node_t[i]) * l * l;
    }
    for (int j = 0; j < n; j++) {
        const int g = it->problem->group[j];
        if (g == CRANK_R || g == CRANK_V || g == CRANK_P) {
            const double base =
                s->node_x[2 * (long)n + j]; /* the weights of values add up to 1 */
            x[j] = base;
            for (int i = 0; i < 3; i++) {
                x[j] += value[i] * (s->node_x[(long)i * n + j] - base) +
                        slope[i] * s->node_slope[(long)i * n + j];
            }
        }
    }
}

/* With final_correction off rows stay as published: the collocation polynomial alone. */
void crank_radau_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_radau *s = it->state;
    crank_radau_polynomial(it, s, (t - it->t) / s->h_old, x);
    for (int j = 0; j < it->n; j++) {
        x[j] += it->x[j];
    }
    if (s->nodes == 3 && it->options.final_correction) {
        hermite(it, s, t, x);
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
