/* angle.h - the smallest problem: the pendulum of eoms.h in one angle, for tests of what
 * integrators ask of a problem whose unknowns are fewer than those of its eom.
 *
 *     omega' = -g/L sin(phi),   phi' = omega                 x = [omega | phi]
 *     expand:  lambda, vx, vy, x, y of phi, L omega          test_pendulum_start
 *     reduce:  phi = atan2(x, -y),  omega = (x vy - y vx) / L^2
 *
 * It has nothing else: no constraints, no rates, no names. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_ANGLE_H
#define CRANK_TESTS_ANGLE_H

#include "eoms.h"

#include "base/archive.h"
#include "problem/problem.h"

#include <complex.h>
#include <math.h>

enum { ANGLE_SHIFTS = 2 };

typedef struct angle {
    crank_problem base;
    crank_problem_unknowns unknowns;
    crank_statistics statistics;
    const test_pendulum *data;
    double slope; /* d omega'/d phi at the prepared point */
    double sigma[2 * ANGLE_SHIFTS];
    bool lost; /* expand says CRANK_RETRY */
} angle;

static inline crank_status angle_evaluate(crank_problem *base, int count, const double *t,
                                          const double *x, double *k, crank_error *err)
{
    const angle *s = (const angle *)base;
    (void)t;
    (void)err;
    for (int i = 0; i < count; i++) {
        k[2 * i] = -s->data->g / s->data->L * sin(x[2 * i + 1]);
        k[2 * i + 1] = x[2 * i];
    }
    return CRANK_OK;
}

static inline crank_status angle_lead(crank_problem *base, double t, const double *x,
                                      const double *y, double *out, crank_error *err)
{
    (void)base;
    (void)t;
    (void)x;
    (void)err;
    out[0] = y[0];
    out[1] = y[1];
    return CRANK_OK;
}

static inline crank_status angle_prepare(crank_problem *base, double t, const double *x,
                                         const double *xdot, crank_error *err)
{
    angle *s = (angle *)base;
    (void)t;
    (void)xdot;
    (void)err;
    s->statistics.jacobians++;
    s->slope = -s->data->g / s->data->L * cos(x[1]);
    return CRANK_OK;
}

static inline crank_status angle_factor(crank_problem *base, int count, const double *real,
                                        const double *imag, crank_error *err)
{
    angle *s = (angle *)base;
    (void)err;
    assert_true(count <= ANGLE_SHIFTS);
    for (int i = 0; i < count; i++) {
        s->sigma[2 * i] = real[i];
        s->sigma[2 * i + 1] = imag[i];
    }
    return CRANK_OK;
}

/* [sigma, -slope; -1, sigma] delta = r */
static inline crank_status angle_solve(crank_problem *base, int i, const double *r_real,
                                       const double *r_imag, double *delta_real,
                                       double *delta_imag, crank_error *err)
{
    const angle *s = (const angle *)base;
    const double complex sigma = s->sigma[2 * i] + (double complex)I * s->sigma[2 * i + 1];
    double complex r[2];
    (void)err;
    for (int j = 0; j < 2; j++) {
        r[j] = r_real[j] + (double complex)I * (r_imag != NULL ? r_imag[j] : 0.0);
    }
    const double complex determinant = sigma * sigma - s->slope;
    const double complex delta[2] = {(sigma * r[0] + s->slope * r[1]) / determinant,
                                     (r[0] + sigma * r[1]) / determinant};
    for (int j = 0; j < 2; j++) {
        delta_real[j] = creal(delta[j]);
        if (delta_imag != NULL) {
            delta_imag[j] = cimag(delta[j]);
        }
    }
    return CRANK_OK;
}

static inline crank_status angle_derivative(crank_problem *base, double t, double *x,
                                            double *xdot, crank_error *err)
{
    return angle_evaluate(base, 1, &t, x, xdot, err);
}

static inline crank_status angle_expand(crank_problem *base, double t, const double *x,
                                        double *out, crank_error *err)
{
    angle *s = (angle *)base;
    if (s->lost) {
        return crank_fail(err, CRANK_RETRY, "the angle is lost at t = %g", t);
    }
    test_pendulum_start(s->data, x[1], s->data->L * x[0], out);
    return CRANK_OK;
}

static inline crank_status angle_reduce(crank_problem *base, double t, const double *x,
                                        double *out, crank_error *err)
{
    const double L = ((const angle *)base)->data->L;
    (void)t;
    if (!(fabs(hypot(x[3], x[4]) - L) <= 1e-6 * L)) {
        return crank_fail(err, CRANK_RETRY, "the point is not on the circle");
    }
    out[0] = (x[3] * x[2] - x[4] * x[1]) / (L * L);
    out[1] = atan2(x[3], -x[4]);
    return CRANK_OK;
}

static inline void angle_archive(crank_problem *base, crank_archive *a)
{
    angle *s = (angle *)base;
    crank_archive_statistics(a, &s->statistics);
    crank_archive_double(a, &s->slope);
    crank_archive_doubles(a, s->sigma, 2 * (size_t)ANGLE_SHIFTS);
}

static inline void angle_destroy(crank_problem *base)
{
    (void)base;
}

/* s must not move. */
static inline void angle_create(angle *s, const test_pendulum *data, bool is_explicit)
{
    static const bool yes[2] = {true, true};
    static const unsigned char group[2] = {CRANK_V, CRANK_P}, none[2] = {0, 0};
    static const int column[2] = {1, 3}; /* vx, x */
    *s = (angle){.data = data};
    s->unknowns = (crank_problem_unknowns){
        .count = 5, .column = column, .expand = angle_expand, .reduce = angle_reduce};
    s->base = (crank_problem){.name = "angle",
                              .n = 2,
                              .m = 2,
                              .differential = yes,
                              .tested = yes,
                              .group = group,
                              .scaling = none,
                              .statistics = &s->statistics,
                              .evaluate = angle_evaluate,
                              .prepare = angle_prepare,
                              .lead = is_explicit ? NULL : angle_lead,
                              .factor = is_explicit ? NULL : angle_factor,
                              .solve = is_explicit ? NULL : angle_solve,
                              .destroy = angle_destroy,
                              .unknowns = &s->unknowns,
                              .derivative = is_explicit ? angle_derivative : NULL,
                              .archive = angle_archive};
}

#endif
