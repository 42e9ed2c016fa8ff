/* radau_polynomial.c - dense output and starting values: the collocation polynomial of the last step.
 *
 *     q(s), s = (t - t_new)/h:  q(0) = 0,  q(c_i - 1) = Y_i - Y_3                 theory (4.5)
 * kept in Newton form; s > 0 extrapolates into the next step [HW96, IV.8]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

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

void crank_radau_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_radau *s = it->state;
    crank_radau_polynomial(it, s, (t - it->t) / s->h_old, x);
    for (int j = 0; j < it->n; j++) {
        x[j] += it->x[j];
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
