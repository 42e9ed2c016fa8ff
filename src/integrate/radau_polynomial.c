/* radau_polynomial.c - starting values and slopes.
 *
 * The collocation polynomial of the last step, in Newton form; s > 0 extrapolates [HW96, IV.8]:
 *     q(s), s = (t - t_new)/h:  q(0) = 0,  q(c_i - 1) = Y_i - Y_3                 theory (4.8)
 * Rows between steps: radau_rows.c. */
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

/* ---- before a jump ---- */

/* The end of a step becomes a node, with its slope. That of the polynomial is right for
 * unknowns whose own equation was discretised, not for dependent ones; E x' = k is right for
 * all, but noisy for stiff ones. So the latter is taken where the two differ by no more than
 * the tolerance. */
void crank_radau_store_node(crank_integrator *it, crank_radau *s)
{
    crank_problem *p = it->problem;
    const int n = it->n;
    double *slope = s->node_slope + n, *rate = s->error;
    memcpy(s->node_slope, slope, (size_t)n * sizeof *slope);
    memcpy(slope, crank_radau_end_derivative(it, s), (size_t)n * sizeof *slope);
    memcpy(rate, slope, (size_t)n * sizeof *rate);
    const bool known = p->rates(p, it->t, it->x, s->common.k0, rate, NULL) == CRANK_OK;
    for (int j = 0; j < n && known; j++) {
        if (s->common.h_old * fabs(rate[j] - slope[j]) <= 20.0 * it->scale[j]) {
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
    if (s->common.first) {
        return NULL;
    }
    for (int j = 0; j < n; j++) {
        s->xdot[j] = (K[j] + a * (K[n + j] + b * K[2 * n + j])) / s->common.h_old;
    }
    return s->xdot;
}
