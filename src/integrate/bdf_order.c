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

/* one term of (4.24) */
static inline void add_term(bool there, double gamma, const double *phi, double sum[2])
{
    if (there) {
        sum[0] += *phi;
        sum[1] += gamma * *phi;
    }
}

/* k is a constant where it is called, and the terms stand one by one, so that they are known
 * when the loop over unknowns is compiled: coefficients and sums stay in registers */
static inline void predict(int n, int k, const double *restrict phi, const double *g,
                           double *restrict predicted, double *restrict slope)
{
    const double g1 = g[1], g2 = g[2], g3 = g[3], g4 = g[4], g5 = g[5], g6 = g[6];
    const long row = n;
    for (int j = 0; j < n; j++) {
        double sum[2] = {0.0 + phi[j], 0.0}; /* gamma_0 = 0 */
        add_term(k >= 1, g1, &phi[row + j], sum);
        add_term(k >= 2, g2, &phi[2 * row + j], sum);
        add_term(k >= 3, g3, &phi[3 * row + j], sum);
        add_term(k >= 4, g4, &phi[4 * row + j], sum);
        add_term(k >= 5, g5, &phi[5 * row + j], sum);
        add_term(k >= 6, g6, &phi[6 * row + j], sum);
        predicted[j] = sum[0];
        slope[j] = sum[1];
    }
}

void crank_bdf_predict(crank_integrator *it, crank_bdf *s)
{
    switch (s->order) {
    case 1:
        predict(it->n, 1, s->phi, s->gamma, s->predicted, s->slope);
        break;
    case 2:
        predict(it->n, 2, s->phi, s->gamma, s->predicted, s->slope);
        break;
    case 3:
        predict(it->n, 3, s->phi, s->gamma, s->predicted, s->slope);
        break;
    case 4:
        predict(it->n, 4, s->phi, s->gamma, s->predicted, s->slope);
        break;
    case 5:
        predict(it->n, 5, s->phi, s->gamma, s->predicted, s->slope);
        break;
    default:
        predict(it->n, CRANK_BDF_ORDER, s->phi, s->gamma, s->predicted, s->slope);
        break;
    }
}

/* The order above is looked at only after as many equal steps as its error needs. */
static void consider_raising(crank_integrator *it, crank_bdf *s, int most)
{
    const int k = s->order;
    crank_bdf_verdict *v = &s->verdict;
    if (k >= most || k + 1 >= s->equal_steps || k != s->order_used) {
        return;
    }
    const double size = crank_bdf_norm_with(it, s, v->weight, s->e, -1.0, k + 1);
    const double above = size / (k + 2), error_above = size;
    if (k > 1 && v->below <= fmin(v->here, error_above)) {
        v->order = k - 1;
        v->estimate = v->below / k;
    } else if (error_above < (k > 1 ? 1.0 : 0.5) * v->here) {
        v->order = k + 1;
        v->estimate = above;
    }
}

double crank_bdf_promise(const crank_integrator *it, const crank_bdf_verdict *v)
{
    return crank_control_ratio(&it->options, v->order, v->magnification * v->estimate,
                               least_estimate);
}

double crank_bdf_ratio(const crank_integrator *it, const crank_bdf *s)
{
    const crank_bdf_verdict *v = &s->verdict;
    return crank_control_ratio(&it->options, s->order, v->magnification * v->estimate,
                               least_estimate);
}

void crank_bdf_choose(crank_integrator *it, crank_bdf *s)
{
    const int k = s->order, most = s->max_order;
    if (s->verdict.order < k || k == most) {
        s->starting = false;
    }
    if (!s->starting && s->verdict.order == k) {
        consider_raising(it, s, most);
    }
    s->h_used = it->h;
    s->order_used = k;
    if (s->starting) {
        s->order = k + 1;
        it->h *= 2.0;
        return;
    }
    s->order = s->verdict.order;
    const double factor = crank_control_steady(crank_bdf_ratio(it, s));
    s->cautious = s->cautious && s->equal_steps <= k + 1 && s->order <= k;
    it->h *= s->cautious ? fmin(1.0, factor) : factor;
}

/* two unknowns of a row */
static inline void add_pair(bool there, double *phi, double *even, double *odd)
{
    if (there) {
        *even += phi[0];
        *odd += phi[1];
        phi[0] = *even;
        phi[1] = *odd;
    }
}

/* phi_i += phi_i+1 from the highest on, phi_k += e; k as above */
static inline void add_up(int n, int k, const double *e, double *phi)
{
    const long row = n;
    int j = 0;
    for (; j + 1 < n; j += 2) {
        double even = e[j], odd = e[j + 1];
        add_pair(k >= 6, &phi[6 * row + j], &even, &odd);
        add_pair(k >= 5, &phi[5 * row + j], &even, &odd);
        add_pair(k >= 4, &phi[4 * row + j], &even, &odd);
        add_pair(k >= 3, &phi[3 * row + j], &even, &odd);
        add_pair(k >= 2, &phi[2 * row + j], &even, &odd);
        add_pair(k >= 1, &phi[row + j], &even, &odd);
        add_pair(true, &phi[j], &even, &odd);
    }
    double sum = j < n ? e[j] : 0.0;
    for (int i = k; i >= 0 && j < n; i--) {
        sum += phi[i * row + j];
        phi[i * row + j] = sum;
    }
}

static void add_differences(int n, int k, const double *e, double *phi)
{
    switch (k) {
    case 1:
        add_up(n, 1, e, phi);
        break;
    case 2:
        add_up(n, 2, e, phi);
        break;
    case 3:
        add_up(n, 3, e, phi);
        break;
    case 4:
        add_up(n, 4, e, phi);
        break;
    case 5:
        add_up(n, 5, e, phi);
        break;
    default:
        add_up(n, CRANK_BDF_ORDER, e, phi);
        break;
    }
}

void crank_bdf_update(crank_integrator *it, crank_bdf *s)
{
    const int k = s->order_used;
    if (k < s->max_order) {
        memcpy(crank_bdf_phi(it, k + 1), s->e, (size_t)it->n * sizeof *s->e);
    }
    add_differences(it->n, k, s->e, s->phi);
    const bool *held = it->problem->held;
    for (int j = 0; j < it->n && held != NULL; j++) {
        for (int i = 0; i < CRANK_BDF_DIFFERENCES && held[j]; i++) {
            crank_bdf_phi(it, i)[j] = i == 0 ? it->x[j] : 0.0;
        }
    }
}
