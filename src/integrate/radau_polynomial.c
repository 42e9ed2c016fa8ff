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
    double *slope = s->node_slope + (CRANK_RADAU_NODES - 1) * (long)n, *rate = s->error;
    const size_t older = CRANK_RADAU_NODES - 1;
    memmove(s->node_t, s->node_t + 1, older * sizeof *s->node_t);
    memmove(s->node_x, s->node_x + n, older * (size_t)n * sizeof *s->node_x);
    memmove(s->node_slope, s->node_slope + n, older * (size_t)n * sizeof *s->node_slope);
    s->node_t[older] = it->t;
    memcpy(s->node_x + older * (size_t)n, it->x, (size_t)n * sizeof *it->x);
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

/* weights of the values and slopes of the nodes at t, and of the derivative there, theory (4.11) */
typedef struct weights {
    double value[CRANK_RADAU_NODES], slope[CRANK_RADAU_NODES];
    double value_rate[CRANK_RADAU_NODES], slope_rate[CRANK_RADAU_NODES];
} weights;

static weights find_weights(int count, const double *node, double t)
{
    weights w;
    for (int i = 0; i < count; i++) {
        double l = 1.0, derivative = 0.0,
               logarithmic = 0.0; /* l_i(t), l_i'(t_i), l_i'/l_i at t */
        for (int k = 0; k < count; k++) {
            if (k != i) {
                l *= (t - node[k]) / (node[i] - node[k]);
                derivative += 1.0 / (node[i] - node[k]);
                logarithmic += 1.0 / (t - node[k]);
            }
        }
        const double linear = 1.0 - 2.0 * (t - node[i]) * derivative, square = l * l;
        w.value[i] = linear * square;
        w.slope[i] = (t - node[i]) * square;
        w.value_rate[i] = 2.0 * square * (linear * logarithmic - derivative);
        w.slope_rate[i] = square * (1.0 + 2.0 * (t - node[i]) * logarithmic);
    }
    return w;
}

void crank_radau_hermite(const crank_integrator *it, const crank_radau *s, int count, double t,
                         double *x, double *xdot)
{
    const int n = it->n, first = CRANK_RADAU_NODES - count;
    const double *node_x = s->node_x + (long)first * n,
                 *node_slope = s->node_slope + (long)first * n;
    const weights w = find_weights(count, s->node_t + first, t);
    for (int j = 0; j < n; j++) {
        if (!crank_integrator_is_differential(it, j)) {
            continue;
        }
        const double base = node_x[(count - 1) * (long)n + j]; /* values' weights add up to 1 */
        double value = base, rate = 0.0;
        for (int i = 0; i < count; i++) {
            const double y = node_x[(long)i * n + j] - base,
                         slope = node_slope[(long)i * n + j];
            value += w.value[i] * y + w.slope[i] * slope;
            rate += w.value_rate[i] * y + w.slope_rate[i] * slope;
        }
        if (x != NULL) {
            x[j] = value;
        }
        if (xdot != NULL) {
            xdot[j] = rate;
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
    if (it->jumped) {
        crank_jump_value(it, &s->jump, t, x);
    } else if (s->nodes == CRANK_RADAU_NODES && it->options.final_correction) {
        crank_radau_hermite(it, s, CRANK_RADAU_NODES, t, x, NULL);
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
