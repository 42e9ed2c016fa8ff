/* bdf_order.c - backward differentiation formulas of variable step and order in the form with
 * fixed leading coefficient: coefficients, prediction, error estimate, choice of order and step
 * [BCP96, 5.2].
 *
 * With step ends t_n, t_n-1, ... and psi_i = t_n+1 - t_n-i, the modified divided differences
 *     phi_i = psi_0 ... psi_i-1 x[t_n, ..., t_n-i],      phi*_i = beta_i phi_i
 *         (scaled to the new step)
 * give the predictor and, with alpha_s = -sum 1/j, the corrector
 *     x_p = sum phi*_i,   x'_p = sum gamma_i phi*_i,                              theory (4.24)
 *     x' = x'_p + cj (x - x_p),   cj = -alpha_s / h                               theory (4.25)
 * The error of a step is ck |x - x_p|, theory (4.28), those at neighbouring orders come from
 * the differences at hand; the step follows from them by theory (4.29). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include "integrate/controller.h"

#include <math.h>
#include <string.h>

/* errors below do not make steps longer, theory (4.29) */
static const double least_estimate = 1e-4;

void crank_bdf_begin(crank_integrator *it, crank_bdf *s)
{
    const int k = s->order;
    const double h = it->h;
    const bool same = h == s->h_used && k == s->order_used;
    const int most = s->order_used + 2;
    s->equal_steps = same ? s->equal_steps + 1 : 1;
    s->equal_steps = s->equal_steps < most ? s->equal_steps : most;
    if (k + 1 >= s->equal_steps) {
        double reach = h;
        s->beta[0] = s->alpha[0] = s->sigma[0] = 1.0;
        s->gamma[0] = 0.0;
        for (int i = 1; i <= k; i++) {
            const double before = s->psi[i - 1];
            s->psi[i - 1] = reach;
            s->beta[i] = s->beta[i - 1] * s->psi[i - 1] / before;
            reach = before + h;
            s->alpha[i] = h / reach;
            s->sigma[i] = i * s->sigma[i - 1] * s->alpha[i];
            s->gamma[i] = s->gamma[i - 1] + s->alpha[i - 1] / h;
        }
        s->psi[k] = reach;
    }
    double fixed = 0.0, variable = 0.0;
    for (int i = 0; i < k; i++) {
        fixed -= 1.0 / (i + 1);
        variable -= s->alpha[i];
    }
    s->cj = -fixed / h;
    s->ck = fmax(fabs(s->alpha[k] + fixed - variable), s->alpha[k]);
    for (int i = s->equal_steps; i <= k; i++) {
        double *phi = crank_bdf_phi(it, i);
        for (int j = 0; j < it->n; j++) {
            phi[j] *= s->beta[i];
        }
    }
}

void crank_bdf_restore(crank_integrator *it, crank_bdf *s)
{
    for (int i = s->equal_steps; i <= s->order; i++) {
        double *phi = crank_bdf_phi(it, i);
        for (int j = 0; j < it->n; j++) {
            phi[j] /= s->beta[i];
        }
    }
    for (int i = 1; i <= s->order; i++) {
        s->psi[i - 1] = s->psi[i] - it->h;
    }
    s->h_used = 0.0; /* the next attempt has coefficients of its own */
}

/* k is a constant where it is called: coefficients and sums stay in registers */
static inline void predict(const crank_bdf *s, int n, int k)
{
    const double *restrict phi = s->phi;
    double *restrict predicted = s->predicted, *restrict slope = s->slope;
    double gamma[CRANK_BDF_ORDER + 1];
    for (int i = 0; i <= k; i++) {
        gamma[i] = s->gamma[i];
    }
    for (int j = 0; j < n; j++) {
        double sum = 0.0, rate = 0.0;
        for (int i = 0; i <= k; i++) {
            const double difference = phi[(long)i * n + j];
            sum += difference;
            rate += gamma[i] * difference;
        }
        predicted[j] = sum;
        slope[j] = rate;
    }
}

void crank_bdf_predict(crank_integrator *it, crank_bdf *s)
{
    switch (s->order) {
    case 1:
        predict(s, it->n, 1);
        break;
    case 2:
        predict(s, it->n, 2);
        break;
    case 3:
        predict(s, it->n, 3);
        break;
    case 4:
        predict(s, it->n, 4);
        break;
    case 5:
        predict(s, it->n, 5);
        break;
    default:
        predict(s, it->n, CRANK_BDF_ORDER);
        break;
    }
}

/* The order above is looked at only after as many equal steps as its error needs. */
static void consider_raising(crank_integrator *it, crank_bdf *s, int most)
{
    const int k = s->order;
    if (k >= most || k + 1 >= s->equal_steps || k != s->order_used) {
        return;
    }
    const double size = crank_bdf_norm_with(it, s, s->e, -1.0, k + 1);
    const double above = size / (k + 2), error_above = size;
    if (k > 1 && s->error_below <= fmin(s->error_here, error_above)) {
        s->order_new = k - 1;
        s->estimate = s->error_below / k;
    } else if (error_above < (k > 1 ? 1.0 : 0.5) * s->error_here) {
        s->order_new = k + 1;
        s->estimate = above;
    }
}

double crank_bdf_ratio(const crank_integrator *it, const crank_bdf *s)
{
    return crank_control_ratio(&it->options, s->order, s->magnification * s->estimate,
                               least_estimate);
}

void crank_bdf_choose(crank_integrator *it, crank_bdf *s)
{
    const int k = s->order, most = s->max_order;
    if (s->order_new < k || k == most) {
        s->starting = false;
    }
    if (!s->starting && s->order_new == k) {
        consider_raising(it, s, most);
    }
    s->h_used = it->h;
    s->order_used = k;
    if (s->starting) {
        s->order = k + 1;
        it->h *= 2.0;
        return;
    }
    s->order = s->order_new;
    const double factor = crank_control_steady(crank_bdf_ratio(it, s));
    s->cautious = s->cautious && s->equal_steps <= k + 1 && s->order <= k;
    it->h *= s->cautious ? fmin(1.0, factor) : factor;
}

/* phi_i += phi_i+1 from the highest on, phi_k += e, phi_k+1 = e if that is kept; k as above */
static inline void add_up(const crank_bdf *s, int n, int k, bool next)
{
    const double *restrict e = s->e;
    double *restrict phi = s->phi;
    if (next) {
        memcpy(phi + (long)(k + 1) * n, e, (size_t)n * sizeof *e);
    }
    for (int j = 0; j < n; j++) {
        double sum = e[j];
        for (int i = k; i >= 0; i--) {
            sum += phi[(long)i * n + j];
            phi[(long)i * n + j] = sum;
        }
    }
}

static void add_differences(const crank_bdf *s, int n, int k, bool next)
{
    switch (k) {
    case 1:
        add_up(s, n, 1, next);
        break;
    case 2:
        add_up(s, n, 2, next);
        break;
    case 3:
        add_up(s, n, 3, next);
        break;
    case 4:
        add_up(s, n, 4, next);
        break;
    case 5:
        add_up(s, n, 5, next);
        break;
    default:
        add_up(s, n, CRANK_BDF_ORDER, next);
        break;
    }
}

void crank_bdf_update(crank_integrator *it, crank_bdf *s)
{
    add_differences(s, it->n, s->order_used, s->order_used < s->max_order);
    const bool *held = it->problem->held;
    for (int j = 0; j < it->n && held != NULL; j++) {
        for (int i = 0; i < CRANK_BDF_DIFFERENCES && held[j]; i++) {
            crank_bdf_phi(it, i)[j] = i == 0 ? it->x[j] : 0.0;
        }
    }
}
