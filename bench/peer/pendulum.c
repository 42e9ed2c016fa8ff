/* pendulum.c - models/pendulum/pendulum.yaml by hand:  x'' = -2 x lambda,  y'' = -grav - 2 y
 * lambda, x^2 + y^2 = 1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <string.h>

static const double grav = 13.75;
static const double start_q[2] = {0, -1}, start_v[2] = {5.24411510858424, 0};

static void place(mechanics *self, double t, const double *q)
{
    (void)t;
    memcpy(self->own, q, 2 * sizeof *q);
}

static void mass_values(const mechanics *self, double *values)
{
    (void)self;
    values[0] = values[1] = 1;
}

static void force(const mechanics *self, const double *v, double *f)
{
    (void)self, (void)v;
    f[0] = 0;
    f[1] = -grav;
}

static void no_values(const mechanics *self, const double *v, double *values)
{
    (void)self, (void)v, (void)values;
}

static void no_force_q(const mechanics *self, const double *v, const double *a, double *values)
{
    (void)self, (void)v, (void)a, (void)values;
}

static void constraint(const mechanics *self, double *g)
{
    const double *q = self->own;
    g[0] = q[0] * q[0] + q[1] * q[1] - 1;
}

static void jacobian_values(const mechanics *self, double *values)
{
    const double *q = self->own;
    values[0] = 2 * q[0];
    values[1] = 2 * q[1];
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    (void)self;
    c[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    (void)self;
    values[0] = 2 * v[0];
    values[1] = 2 * v[1];
}

static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    (void)self;
    values[0] = values[1] = 2 * mu[0];
}

static void third(const mechanics *self, const double *v, double *values)
{
    (void)self, (void)v;
    values[0] = values[1] = 0;
}

mechanics *pendulum_create(void)
{
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "pendulum",
                        .nq = 2,
                        .nl = 1,
                        .t_end = 1000,
                        .diagonal = true,
                        .q0 = start_q,
                        .v0 = start_v,
                        .mass = places_make(2),
                        .jacobian = places_make(2),
                        .hessian = places_make(2),
                        .own = numbers(2),
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = no_force_q,
                        .force_v_values = no_values,
                        .constraint = constraint,
                        .jacobian_values = jacobian_values,
                        .curvature = curvature,
                        .curvature_rows = curvature_rows,
                        .curvature_sum = curvature_sum,
                        .third = third};
    for (int i = 0; i < 2; i++) {
        self->mass.row[i] = self->mass.column[i] = i;
        self->hessian.row[i] = self->hessian.column[i] = i;
        self->jacobian.column[i] = i;
    }
    return self;
}
