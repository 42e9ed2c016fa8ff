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

/* unknowns that are added up together */
enum { FOUR = 4 };

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

/* x_p and x'_p of so many unknowns from j on; the sums stay in registers */
static inline void predict(const crank_bdf *s, int n, int j, int count)
{
    double sum[FOUR] = {0.0}, rate[FOUR] = {0.0};
    const double *phi = s->phi + j;
    for (int i = 0; i <= s->order; i++, phi += n) {
        const double gamma = s->gamma[i];
        for (int l = 0; l < count; l++) {
            sum[l] += phi[l];
            rate[l] += gamma * phi[l];
        }
    }
    for (int l = 0; l < count; l++) {
        s->predicted[j + l] = sum[l];
        s->slope[j + l] = rate[l];
    }
}

void crank_bdf_predict(crank_integrator *it, crank_bdf *s)
{
    int j = 0;
    for (; j + FOUR <= it->n; j += FOUR) {
        predict(s, it->n, j, FOUR);
    }
    for (; j < it->n; j++) {
        predict(s, it->n, j, 1);
    }
}

/* The order above is looked at only after as many equal steps as its error needs. */
static void consider_raising(crank_integrator *it, crank_bdf *s, int most)
{
    const int k = s->order;
    if (k >= most || k + 1 >= s->equal_steps || k != s->order_used) {
        return;
    }
    memcpy(s->delta, s->e, (size_t)it->n * sizeof *s->e);
    const double size = crank_bdf_norm_with(it, s, s->delta, -1.0, k + 1);
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

/* phi_i += phi_i+1 from the highest on, phi_k += e */
static inline void add_up(const crank_bdf *s, int k, int n, int j, int count)
{
    double sum[FOUR] = {0.0}, *phi = s->phi + (long)k * n + j;
    for (int l = 0; l < count; l++) {
        sum[l] = s->e[j + l];
    }
    for (int i = k; i >= 0; i--, phi -= n) {
        for (int l = 0; l < count; l++) {
            sum[l] += phi[l];
            phi[l] = sum[l];
        }
    }
}

void crank_bdf_update(crank_integrator *it, crank_bdf *s)
{
    const int k = s->order_used;
    const size_t bytes = (size_t)it->n * sizeof(double);
    if (k < s->max_order) {
        memcpy(crank_bdf_phi(it, k + 1), s->e, bytes);
    }
    int j = 0;
    for (; j + FOUR <= it->n; j += FOUR) {
        add_up(s, k, it->n, j, FOUR);
    }
    for (; j < it->n; j++) {
        add_up(s, k, it->n, j, 1);
    }
    const bool *held = it->problem->held;
    for (j = 0; j < it->n && held != NULL; j++) {
        for (int i = 0; i < CRANK_BDF_DIFFERENCES && held[j]; i++) {
            crank_bdf_phi(it, i)[j] = i == 0 ? it->x[j] : 0.0;
        }
    }
}
