/* adams_order.c - Adams formulas of variable step and order in modified divided differences:
 * coefficients, prediction, correction, error estimate, choice of order and step, rows between
 * steps [SG75, 5-7; HNW93, III.5].
 *
 * With step ends t_n, t_n-1, ... and psi_i = t_n+1 - t_n-i,
 *     phi_i = psi_0 ... psi_i-1 x'[t_n, ..., t_n-i],   phi*_i = beta_i phi_i
 *         (scaled to the new step)
 * give, at order k, the predictor, the extrapolated differences and the corrector of order k +
 * 1
 *     X = x + h sum_{i<k} g_i phi*_i,   phiX_i = phi*_i + phiX_i+1,
 *         x = X + h g_k (f(X) - phiX_0)  theory (9.17), (9.18)
 * The error of the step is that of the corrector of order k, theory (9.19). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/adams.h"

#include "integrate/controller.h"

#include <math.h>
#include <string.h>

/* error constants |gamma*_k| of Adams correctors on equal steps */
static const double star[CRANK_ADAMS_ORDER + 2] = {1.0,
                                                   0.5,
                                                   1.0 / 12.0,
                                                   1.0 / 24.0,
                                                   19.0 / 720.0,
                                                   3.0 / 160.0,
                                                   863.0 / 60480.0,
                                                   275.0 / 24192.0,
                                                   33953.0 / 3628800.0,
                                                   8183.0 / 1036800.0,
                                                   3250433.0 / 479001600.0,
                                                   4671.0 / 788480.0,
                                                   13695779093.0 / 2615348736000.0,
                                                   2224234463.0 / 475517952000.0};

/* h |eigenvalue| up to which orders 1 to 4 are stable on the negative real axis; stiffness
 * keeps the order there */
static const double stable[] = {2.0, 2.4, 1.92, 1.4};
enum { STABLE = sizeof stable / sizeof *stable };
static const double near_stable = 0.75; /* part of it from which a step counts as bounded */

static double *row_of(const crank_integrator *it, double *table, int i)
{
    return table + (long)i * it->n;
}

/* ---- coefficients ---- */

/* g_i = c_i1, where c_0q = 1/q, c_1q = 1/(q(q+1)), c_iq = c_i-1,q - alpha_i-1 c_i-1,q+1 */
static void integrate_coefficients(crank_adams *s, int k)
{
    double c[CRANK_ADAMS_DIFFERENCES + 1] = {0.0};
    s->g[0] = 1.0;
    for (int q = 1; q <= k; q++) {
        c[q] = 1.0 / (q * (q + 1.0));
    }
    s->g[1] = c[1];
    for (int i = 2; i <= k; i++) {
        for (int q = 1; q <= k + 1 - i; q++) {
            c[q] -= s->alpha[i - 1] * c[q + 1];
        }
        s->g[i] = c[1];
    }
}

/* Once all steps that matter are equal they stay as they are. */
static void begin(const crank_integrator *it, crank_adams *s)
{
    const int k = s->order, most = s->order_used + 2;
    const double h = it->h;
    s->equal_next = h == s->h_used ? s->equal_steps + 1 : 1;
    s->equal_next = s->equal_next < most ? s->equal_next : most;
    if (h == s->h_made && k == s->order_made && s->equal_next > k) {
        return;
    }
    s->h_made = h;
    s->order_made = k;
    s->sigma[0] = s->beta[0] = 1.0;
    for (int i = 0; i < k; i++) {
        s->psi_next[i] = i == 0 ? h : s->psi[i - 1] + h;
        s->alpha[i] = h / s->psi_next[i];
        s->sigma[i + 1] = (i + 1) * s->alpha[i] * s->sigma[i];
        if (i > 0) {
            s->beta[i] =
                i < s->equal_next ? 1.0 : s->beta[i - 1] * s->psi_next[i - 1] / s->psi[i - 1];
        }
    }
    integrate_coefficients(s, k);
}

/* ---- a step ---- */

void crank_adams_predict(crank_integrator *it, crank_adams *s)
{
    const long n = it->n;
    const double h = it->h;
    begin(it, s);
    memcpy(s->X, it->x, (size_t)n * sizeof *s->X);
    for (int j = s->first; j < n; j++) {
        double above = 0.0, sum = 0.0;
        for (int i = s->order - 1; i >= 0; i--) {
            const double scaled = s->beta[i] * s->phi[i * n + j];
            sum += s->g[i] * scaled;
            s->next[i * n + j] = above += scaled;
        }
        s->X[j] += h * sum;
    }
}

/* |e + next_i| */
static double norm_with(const crank_integrator *it, crank_adams *s, int i)
{
    const double *next = row_of(it, s->next, i);
    for (int j = s->first; j < it->n; j++) {
        s->work[j] = s->e[j] + next[j];
    }
    return crank_integrator_norm(it, 1, s->work, it->h);
}

double crank_adams_error(crank_integrator *it, crank_adams *s)
{
    const int k = s->order;
    const double h = it->h;
    for (int j = s->first; j < it->n; j++) {
        s->e[j] = s->f[j] - s->next[j];
    }
    const double size = h * crank_integrator_norm(it, 1, s->e, h);
    s->error_here = s->estimate = size * s->sigma[k] * star[k];
    s->error_below = (double)INFINITY;
    s->order_new = k;
    if (k > 1) {
        s->error_below = h * s->sigma[k - 1] * star[k - 1] * norm_with(it, s, k - 1);
        double compared = 2.0 * s->error_below;
        if (k > 2) {
            const double twice = h * s->sigma[k - 2] * star[k - 2] * norm_with(it, s, k - 2);
            compared = fmax(s->error_below, twice);
        }
        if (compared <= s->error_here) {
            s->order_new = k - 1;
            s->estimate = s->error_below;
        }
    }
    return size * (s->g[k - 1] - s->g[k]);
}

void crank_adams_correct(crank_integrator *it, crank_adams *s)
{
    const double factor = it->h * s->g[s->order];
    memcpy(s->end, s->X, (size_t)it->n * sizeof *s->end);
    for (int j = s->first; j < it->n; j++) {
        s->end[j] += factor * s->e[j];
    }
}

void crank_adams_update(crank_integrator *it, crank_adams *s)
{
    const int k = s->order;
    double *last = row_of(it, s->next, k), *beyond = row_of(it, s->next, k + 1);
    const double *before = row_of(it, s->phi, k);
    for (int j = s->first; j < it->n; j++) {
        last[j] = s->rate[j] - s->next[j];
        beyond[j] = last[j] - before[j]; /* the next difference, if steps are equal */
    }
    for (int i = 0; i < k; i++) {
        double *next = row_of(it, s->next, i);
        for (int j = s->first; j < it->n; j++) {
            next[j] += last[j];
        }
    }
    double *phi = s->phi;
    s->phi = s->next;
    s->next = phi;
    memcpy(s->psi, s->psi_next, (size_t)k * sizeof *s->psi);
    s->equal_steps = s->equal_next;
}

/* ---- order and step size ---- */

double crank_adams_ratio(const crank_integrator *it, const crank_adams *s)
{
    return crank_control_ratio(&it->options, s->order, s->estimate, 1e-10);
}

/* The order above is looked at only after as many equal steps as its error needs. */
static void consider_raising(crank_integrator *it, crank_adams *s)
{
    const int k = s->order_used;
    if (k >= s->max_order || k + 1 > s->equal_steps) {
        return;
    }
    const double above = s->h_used * star[k + 1] *
                         crank_integrator_norm(it, 1, row_of(it, s->phi, k + 1), s->h_used);
    if (k > 1 && s->error_below <= fmin(s->error_here, above)) {
        s->order_new = k - 1;
        s->estimate = s->error_below;
    } else if (above < (k > 1 ? 1.0 : 0.5) * s->error_here) {
        s->order_new = k + 1;
        s->estimate = above;
    }
}

void crank_adams_choose(crank_integrator *it, crank_adams *s, double moved)
{
    const int k = s->order;
    s->h_used = it->h;
    s->order_used = k;
    if (s->order_new < k || k == s->max_order || moved > 0.5) {
        s->starting = false;
    }
    if (s->starting) {
        s->order = k + 1;
        it->h *= 2.0;
        return;
    }
    if (s->order_new == k) {
        consider_raising(it, s);
    }
    s->order = s->order_new;
    s->estimate = fmax(s->estimate, moved);
    it->h *= crank_control_steady(crank_adams_ratio(it, s));
}

/* theory (9.14), with the predicted and the corrected point */
bool crank_adams_is_stiff(crank_integrator *it, const crank_adams *s)
{
    const int k = s->order_used;
    if (k > STABLE) {
        return false;
    }
    for (int j = s->first; j < it->n; j++) {
        s->work[j] = s->rate[j] - s->f[j];
    }
    const double rates = crank_integrator_norm(it, 1, s->work, 1.0);
    for (int j = s->first; j < it->n; j++) {
        s->work[j] = it->x[j] - s->X[j];
    }
    const double points = crank_integrator_norm(it, 1, s->work, 1.0);
    return points > 0.0 && s->h_used * rates > near_stable * stable[k - 1] * points;
}

/* ---- rows between steps ---- */

/* the polynomial through the rates at the last step ends, integrated from it->t to it->t +
 * distance, theory (9.20) */
static void integrate_from_end(const crank_integrator *it, const crank_adams *s,
                               double distance, double *x)
{
    const int k = s->order_used + 1;
    double c[CRANK_ADAMS_DIFFERENCES + 1], g[CRANK_ADAMS_DIFFERENCES], before = 0.0;
    for (int q = 1; q <= k; q++) {
        c[q] = 1.0 / q;
    }
    g[0] = 1.0;
    for (int i = 1; i < k; i++) {
        const double gamma = (distance + before) / s->psi[i - 1],
                     eta = distance / s->psi[i - 1];
        for (int q = 1; q <= k - i; q++) {
            c[q] = gamma * c[q] - eta * c[q + 1];
        }
        g[i] = c[1];
        before = s->psi[i - 1];
    }
    for (int j = s->first; j < it->n; j++) {
        x[j] = 0.0;
    }
    for (int i = k - 1; i >= 0; i--) {
        const double *phi = row_of(it, s->phi, i);
        for (int j = s->first; j < it->n; j++) {
            x[j] += distance * g[i] * phi[j];
        }
    }
    for (int j = s->first; j < it->n; j++) {
        x[j] += it->x[j];
    }
}

/* The polynomial ends at it->x; where it begins, it differs from s->begin by what correction
 * and projection moved. That difference fades along the step, so that rows are continuous, and
 * their rates. */
void crank_adams_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_adams *s = it->state;
    const double h = it->t - it->t_old, theta = (t - it->t_old) / h, rest = 1.0 - theta;
    const double fade = rest * rest * (1.0 + 2.0 * theta);
    integrate_from_end(it, s, -h, s->work);
    integrate_from_end(it, s, t - it->t, x);
    for (int j = 0; j < it->n; j++) {
        if (j < s->first || !crank_integrator_is_differential(it, j)) { /* a guess */
            x[j] = s->begin[j] + theta * (it->x[j] - s->begin[j]);
        } else {
            x[j] += fade * (s->begin[j] - s->work[j]);
        }
    }
    if (it->problem->derivative(it->problem, t, x, s->work, NULL) != CRANK_OK) {
        x[0] = (double)NAN;
    }
}
