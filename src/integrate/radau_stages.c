/* radau_stages.c - stages of Radau IIA: starting values and increments of Newton's iteration
 * (newton.c) on the transformed stages, theory (4.2), (4.3). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

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
    if (s->common.first || it->options.newton_start == CRANK_START_ZERO) {
        memset(s->Y, 0, 3 * (size_t)n * sizeof *s->Y);
        memset(s->Z, 0, 3 * (size_t)n * sizeof *s->Z);
        return;
    }
    for (int i = 0; i < 3; i++) {
        crank_radau_polynomial(it, s, crank_radau_c[i] * it->h / s->common.h_old,
                               s->Y + (long)i * n);
    }
    const bool *held = it->problem->held;
    for (int j = 0; j < n; j++) {
        if (held != NULL && held[j]) {
            s->Y[j] = s->Y[n + j] = s->Y[2 * n + j] = 0.0;
        }
    }
    crank_radau_transform(n, s->Y, s->Z);
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
            add(m, crank_radau_c[i] * it->h / s->common.h_old - 1.0, s->residual,
                s->K + (long)i * m);
        }
    }
    if (status == CRANK_OK) {
        combine(m, crank_radau_TI[0], s->K, s->F);
    }
    return status;
}

/* one increment dZ of the transformed stages */
static crank_status increment(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    crank_problem *p = it->problem;
    const long n = it->n, m = it->m;
    crank_status status = stage_residuals(it, s, err);
    if (status == CRANK_OK) {
        status = p->solve(p, 0, s->F, NULL, s->dZ, NULL, err);
    }
    if (status == CRANK_OK) {
        status = p->solve(p, 1, s->F + m, s->F + 2 * m, s->dZ + n, s->dZ + 2 * n, err);
    }
    return status;
}

static void add_increment(crank_integrator *it)
{
    crank_radau *s = it->state;
    add(3 * it->n, 1.0, s->dZ, s->Z);
    combine(it->n, crank_radau_T[0], s->Z, s->Y);
}

crank_status crank_radau_factor(crank_integrator *it, crank_error *err)
{
    const double re[2] = {crank_radau_gamma / it->h, crank_radau_alpha / it->h};
    const double im[2] = {0.0, crank_radau_beta / it->h};
    return it->problem->factor(it->problem, 2, re, im, err);
}

static const double *stage(crank_integrator *it, int i)
{
    crank_radau *s = it->state;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + s->Y[(long)i * it->n + j];
    }
    return s->X;
}

static const double *end_of_step(crank_integrator *it)
{
    return stage(it, 2);
}

/* the Newton matrix at x_k, or at an extrapolated stage */
static const double *place(crank_integrator *it, double *t)
{
    const crank_radau *s = it->state;
    const int i = s->common.first || it->options.newton_start == CRANK_START_ZERO
                      ? 0
                      : it->options.newton_matrix;
    if (i == 0) {
        return it->x;
    }
    *t += crank_radau_c[i - 1] * it->h;
    return stage(it, i - 1);
}

static const double *slope(crank_integrator *it)
{
    return crank_radau_end_derivative(it, it->state);
}

const crank_implicit_kind crank_radau_kind = {.together = 3,
                                              .power = 4,
                                              .increment = increment,
                                              .add = add_increment,
                                              .factor = crank_radau_factor,
                                              .iterate = end_of_step,
                                              .place = place,
                                              .slope = slope};
