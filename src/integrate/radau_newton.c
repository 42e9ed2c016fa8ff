/* radau_newton.c - the simplified Newton iteration on the transformed stages, theory (4.2)-(4.4), with
 * the convergence tests of RADAU5 [HW96, IV.8]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* out_i = sum_j A_ij in_j: vectors of length n, three of each; A by rows; out may not be in */
static void combine(int n, const double *A, const double *restrict in, double *restrict out)
{
    const double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5], g = A[6], h = A[7],
                 i = A[8];
    const double *restrict y = in + n, *restrict z = in + 2 * (long)n;
    double *restrict v = out + n, *restrict w = out + 2 * (long)n;
    for (int j = 0; j < n; j++) {
        out[j] = a * in[j] + b * y[j] + c * z[j];
        v[j] = d * in[j] + e * y[j] + f * z[j];
        w[j] = g * in[j] + h * y[j] + i * z[j];
    }
}

/* out += factor a */
static void add(int n, double factor, const double *restrict a, double *restrict out)
{
    for (int j = 0; j < n; j++) {
        out[j] += factor * a[j];
    }
}

void crank_radau_transform(int n, const double *Y, double *Z)
{
    combine(n, crank_radau_TI[0], Y, Z);
}

void crank_radau_predict(crank_integrator *it, crank_radau *s)
{
    const int n = it->n;
    if (s->first || it->options.newton_start == CRANK_START_ZERO) {
        memset(s->Y, 0, 3 * (size_t)n * sizeof *s->Y);
        memset(s->Z, 0, 3 * (size_t)n * sizeof *s->Z);
        return;
    }
    for (int i = 0; i < 3; i++) {
        crank_radau_polynomial(it, s, crank_radau_c[i] * it->h / s->h_old, s->Y + (long)i * n);
    }
    const bool *held = it->problem->held;
    for (int j = 0; j < n; j++) {
        if (held != NULL && held[j]) {
            s->Y[j] = s->Y[n + j] = s->Y[2 * n + j] = 0.0;
        }
    }
    crank_radau_transform(n, s->Y, s->Z);
}

/* Increments that no longer fall are round-off if they are tiny beside x, or if they are below what the
 * error test sees and a shorter step did not make them smaller. */
static bool is_rounding(const crank_integrator *it, crank_radau *s, double size)
{
    const bool tiny = size <= 1e3 * DBL_EPSILON * crank_integrator_norm(it, 1, it->x, it->h);
    const bool rounding =
        tiny || (size < 1.0 && s->failures > 0 && size > 0.5 * s->failed_size);
    s->failed_size = size;
    return rounding;
}

/* right-hand sides -(T^-1 F) into s->F, from the stages Y */
static crank_status stage_residuals(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const int n = it->n, m = it->m;
    double t[3];
    for (int i = 0; i < 3; i++) {
        t[i] = it->t + crank_radau_c[i] * it->h;
        double *X = s->X + (long)i * n;
        memcpy(X, it->x, (size_t)n * sizeof *X);
        add(n, 1.0, s->Y + (long)i * n, X);
    }
    crank_status status = p->evaluate(p, 3, t, s->X, s->K, err);
    double *slopes = s->dZ; /* free until the systems are solved */
    combine(n, crank_radau_inverse[0], s->Y, slopes);
    for (int j = 0; j < 3 * n; j++) {
        slopes[j] /= it->h;
    }
    for (int i = 0; i < 3 && status == CRANK_OK; i++) {
        status = p->lead(p, t[i], s->X + (long)i * n, slopes + (long)i * n, s->lead, err);
        add(m, -1.0, s->lead, s->K + (long)i * m);
        if (s->fades) { /* theory (4.26) */
            add(m, crank_radau_c[i] * it->h / s->h_old - 1.0, s->residual, s->K + (long)i * m);
        }
    }
    if (status == CRANK_OK) {
        combine(m, crank_radau_TI[0], s->K, s->F);
    }
    return status;
}

static void add_increment(crank_integrator *it, crank_radau *s)
{
    add(3 * it->n, 1.0, s->dZ, s->Z);
    combine(it->n, crank_radau_T[0], s->Z, s->Y);
}

crank_status crank_radau_factor(crank_integrator *it, crank_radau *s, crank_error *err)
{
    const double re[2] = {crank_radau_gamma / it->h, crank_radau_alpha / it->h};
    const double im[2] = {0.0, crank_radau_beta / it->h};
    const crank_status status = it->problem->factor(it->problem, 2, re, im, err);
    s->need_factor = status != CRANK_OK;
    return status;
}

/* the Newton matrix at x_k, or at an extrapolated stage */
crank_status crank_radau_prepare(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const int stage = s->first || it->options.newton_start == CRANK_START_ZERO
                          ? 0
                          : it->options.newton_matrix;
    double t = it->t;
    const double *x = it->x;
    if (stage > 0) {
        t += crank_radau_c[stage - 1] * it->h;
        for (int j = 0; j < it->n; j++) {
            s->X[j] = it->x[j] + s->Y[(long)(stage - 1) * it->n + j];
        }
        x = s->X;
    }
    const crank_status status = p->prepare(p, t, x, crank_radau_end_derivative(it, s), err);
    s->need_jacobian = status != CRANK_OK;
    s->need_factor = true;
    s->jacobian_fresh = status == CRANK_OK;
    s->reused = 0;
    return status;
}

/* convergence too slow with this matrix: a new one at the current iterate, if allowed */
static bool update_matrix(crank_integrator *it, crank_radau *s, int *updates, crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    if (*updates >= it->options.newton_updates) {
        return false;
    }
    (*updates)++;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + s->Y[2 * it->n + j];
    }
    s->jacobian_fresh = false; /* it does not belong to x_k: prepared anew after a rejection */
    return p->prepare(p, t, s->X, crank_radau_end_derivative(it, s), err) == CRANK_OK &&
           crank_radau_factor(it, s, err) == CRANK_OK;
}

/* one increment dZ of the transformed stages */
static crank_status increment(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const long n = it->n, m = it->m;
    crank_status status = stage_residuals(it, s, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = p->solve(p, 0, s->F, NULL, s->dZ, NULL, err);
    if (status == CRANK_OK) {
        status = p->solve(p, 1, s->F + m, s->F + 2 * m, s->dZ + n, s->dZ + 2 * n, err);
    }
    it->statistics.solves++;
    it->statistics.newton_iterations++;
    s->iterations++;
    return status;
}

typedef struct history {
    double size, ratio;   /* of the last increment, to the one before */
    double first, second; /* sizes of the first and the second increment */
    double left;          /* after the first: the sum of the later ones */
    double tolerance;
} history;

/* From the second increment on: contraction theta, and the error predicted for the last admissible
 * iteration over the tolerance, theory (4.4). At least one: too slow; INFINITY: diverging. */
static double predict_error(const crank_integrator *it, crank_radau *s, double size, history *h)
{
    const int limit = it->options.newton_max;
    const double ratio = size / h->size;
    s->theta = s->iterations == 2 ? ratio : sqrt(ratio * h->ratio);
    h->ratio = ratio;
    if (it->options.control_rules == CRANK_RULES_RADAU5 && s->iterations == 2 &&
        s->theta < 2.0) {
        s->theta =
            fmin(s->theta, 0.9); /* multipliers lag one iteration behind: too early to judge */
        return 0.0;
    }
    return s->theta < 0.99 ? s->theta / (1.0 - s->theta) * size *
                                 pow(s->theta, limit - 1 - s->iterations) / h->tolerance
                           : (double)INFINITY;
}

static double shortening(const crank_integrator *it, const crank_radau *s, double predicted)
{
    const double exponent = 4.0 + it->options.newton_max - 1 - s->iterations;
    return isfinite(predicted) ? 0.8 * pow(fmax(1e-4, fmin(20.0, predicted)), -1.0 / exponent)
                               : 0.5;
}

/* After convergence: the step times this would be the longest that converges in time, theory (4.20). The first
 * increment says little, see predict_error, so two more are needed. */
static double find_reach(const crank_integrator *it, const crank_radau *s, const history *h)
{
    const int limit = it->options.newton_max;
    if (s->iterations < 3) {
        return (double)INFINITY;
    }
    const double theta = pow(h->size / h->second, 1.0 / (s->iterations - 2));
    const double predicted =
        theta / (1.0 - theta) * h->second * pow(theta, limit - 2) / h->tolerance;
    return theta < 1.0 ? pow(predicted, -1.0 / (4.0 + 2.0 * (limit - 1))) : 0.0;
}

static history begin(const crank_integrator *it, crank_radau *s)
{
    const double *noise = it->problem->noise;
    const double floor_size =
        noise != NULL ? 3.0 * crank_integrator_norm(it, 1, noise, it->h) : 0.0;
    s->eta = pow(fmax(s->eta, it->options.rounding_unit), 0.8);
    s->theta = fabs(it->options.jacobian_reuse);
    s->iterations = 0;
    s->reach = (double)INFINITY;
    return (history){.tolerance = fmax(s->newton_tolerance, fmin(0.1, floor_size))};
}

static void note_size(const crank_integrator *it, const crank_radau *s, double size, history *h)
{
    const bool later = s->iterations > 1;
    h->size = fmax(size, it->options.rounding_unit);
    h->first = later ? h->first : h->size;
    h->second = s->iterations == 2 ? h->size : h->second;
    h->left = later ? h->left + size : 0.0;
}

/* CRANK_RETRY: not converged, it->h is already shortened. eta becomes what judges the first increment of the next step:
 * where equations are linear level by level the iteration ends after a few increments, and their mean contraction
 * says nothing of what the first one leaves, theory (4.25). */
crank_status crank_radau_newton(crank_integrator *it, crank_radau *s, crank_error *err)
{
    const bool radau5 = it->options.control_rules == CRANK_RULES_RADAU5;
    history h = begin(it, s);
    int updates = 0;
    while (s->iterations < it->options.newton_max) {
        const crank_status status = increment(it, s, err);
        const double size =
            status == CRANK_OK ? crank_integrator_norm(it, 3, s->dZ, it->h) : 0.0;
        if (status != CRANK_OK || !isfinite(size)) {
            it->h *= 0.5;
            return status < CRANK_OK ? status : CRANK_RETRY;
        }
        const bool judged = s->iterations > 1 && s->iterations < it->options.newton_max;
        const double predicted = judged ? predict_error(it, s, size, &h) : 0.0;
        if (predicted >= 1.0 && radau5 && is_rounding(it, s, size)) {
            add_increment(it, s);
            return CRANK_OK;
        }
        if (predicted >= 1.0 && update_matrix(it, s, &updates, err)) {
            s->iterations = 0; /* the slow increment is discarded */
            continue;
        }
        if (predicted >= 1.0) {
            it->h *= shortening(it, s, predicted);
            return CRANK_RETRY;
        }
        s->eta = judged ? s->theta / (1.0 - s->theta) : s->eta;
        note_size(it, s, size, &h);
        add_increment(it, s);
        if (s->eta * size <= h.tolerance) {
            s->reach = find_reach(it, s, &h);
            s->eta = fmax(s->eta, h.left / h.first);
            return CRANK_OK;
        }
    }
    it->h *= 0.5;
    return CRANK_RETRY;
}
