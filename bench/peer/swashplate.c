/* swashplate.c - models/swashplate/equations.yaml by hand. Coordinates: the angles of flywheel
 * p and plate q, the heights z_i of three pistons at the angles a_i,
 *
 *     J_wheel p'' = -T,  J_plate q'' = T,  m z_i'' = -load z_i' - k_i z_i,
 *         T = kt (p - q) + dt (p' - q')
 *     0 = z_i + r cos(a_i - q)
 *
 * with G^T lambda taken from the right sides. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <math.h>
#include <string.h>

enum { WHEEL, PLATE, PISTON, PISTONS = 3, COORDINATES = PISTON + PISTONS };

static const double piston = 0.2, wheel = 0.02, plate = 2e-4, stiffness = 5e3, damping = 2,
                    load = 300, speed = 100, circle = 0.05;
static const double spring[PISTONS] = {12e3, 4e3, 4e3};

typedef struct swashplate {
    double q0[COORDINATES], v0[COORDINATES], at[PISTONS], reach;
    double q[COORDINATES], sine[PISTONS], cosine[PISTONS]; /* r sin, r cos(a_i - q) */
} swashplate;

static void place(mechanics *self, double t, const double *q)
{
    swashplate *own = self->own;
    (void)t;
    memcpy(own->q, q, sizeof own->q);
    for (int i = 0; i < PISTONS; i++) {
        own->sine[i] = own->reach * sin(own->at[i] - q[PLATE]);
        own->cosine[i] = own->reach * cos(own->at[i] - q[PLATE]);
    }
}

static void mass_values(const mechanics *self, double *values)
{
    (void)self;
    values[WHEEL] = wheel;
    values[PLATE] = plate;
    for (int i = 0; i < PISTONS; i++)
        values[PISTON + i] = piston;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const swashplate *own = self->own;
    const double torque =
        stiffness * (own->q[WHEEL] - own->q[PLATE]) + damping * (v[WHEEL] - v[PLATE]);
    f[WHEEL] = -torque;
    f[PLATE] = torque;
    for (int i = 0; i < PISTONS; i++)
        f[PISTON + i] = -load * v[PISTON + i] - spring[i] * own->q[PISTON + i];
}

/* of the coupling, then of the pistons; force_v has the same */
static const int force_place[][2] = {
    {WHEEL, WHEEL},   {WHEEL, PLATE},           {PLATE, WHEEL},          {PLATE, PLATE},
    {PISTON, PISTON}, {PISTON + 1, PISTON + 1}, {PISTON + 2, PISTON + 2}};
static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    (void)self, (void)v, (void)a;
    values[0] = values[3] = stiffness;
    values[1] = values[2] = -stiffness;
    memcpy(values + 4, spring, sizeof spring);
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    (void)self, (void)v;
    values[0] = values[3] = damping;
    values[1] = values[2] = -damping;
    values[4] = values[5] = values[6] = load;
}

static void constraint(const mechanics *self, double *g)
{
    const swashplate *own = self->own;
    for (int i = 0; i < PISTONS; i++)
        g[i] = own->q[PISTON + i] + own->cosine[i];
}

/* by plate and piston, for each row */
static const int jacobian_place[][2] = {{0, PLATE},      {0, PISTON}, {1, PLATE},
                                        {1, PISTON + 1}, {2, PLATE},  {2, PISTON + 2}};
static void jacobian_values(const mechanics *self, double *values)
{
    const swashplate *own = self->own;
    for (int i = 0; i < PISTONS; i++) {
        values[2 * i] = own->sine[i];
        values[2 * i + 1] = 1;
    }
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    const swashplate *own = self->own;
    for (int i = 0; i < PISTONS; i++)
        c[i] = -own->cosine[i] * v[PLATE] * v[PLATE];
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    const swashplate *own = self->own;
    for (int i = 0; i < PISTONS; i++) {
        values[2 * i] = -own->cosine[i] * v[PLATE];
        values[2 * i + 1] = 0;
    }
}

static const int hessian_place[][2] = {{PLATE, PLATE}};
static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    const swashplate *own = self->own;
    values[0] = 0;
    for (int i = 0; i < PISTONS; i++)
        values[0] -= mu[i] * own->cosine[i];
}

static void third(const mechanics *self, const double *v, double *values)
{
    const swashplate *own = self->own;
    for (int i = 0; i < PISTONS; i++) {
        values[2 * i] = -own->sine[i] * v[PLATE] * v[PLATE];
        values[2 * i + 1] = 0;
    }
}

#define LISTED(PLACES) places_listed(PLACES, sizeof PLACES / sizeof *PLACES)

mechanics *swashplate_create(void)
{
    const double pi = acos(-1);
    swashplate *own = take(1, sizeof *own);
    own->reach = circle * tan(pi / 9);
    own->v0[WHEEL] = own->v0[PLATE] = speed;
    for (int i = 0; i < PISTONS; i++) {
        own->at[i] = i + 1 < PISTONS ? 2 * pi * (i + 1) / PISTONS : 0;
        own->q0[PISTON + i] = -own->reach * cos(own->at[i]);
        own->v0[PISTON + i] = -own->reach * speed * sin(own->at[i]);
    }
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "swashplate",
                        .nq = COORDINATES,
                        .nl = PISTONS,
                        .t_end = 0.5,
                        .diagonal = true,
                        .band = PISTONS - 1,
                        .q0 = own->q0,
                        .v0 = own->v0,
                        .mass = places_diagonal(COORDINATES),
                        .force_q = LISTED(force_place),
                        .force_v = LISTED(force_place),
                        .jacobian = LISTED(jacobian_place),
                        .hessian = LISTED(hessian_place),
                        .own = own,
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = force_q_values,
                        .force_v_values = force_v_values,
                        .constraint = constraint,
                        .jacobian_values = jacobian_values,
                        .curvature = curvature,
                        .curvature_rows = curvature_rows,
                        .curvature_sum = curvature_sum,
                        .third = third};
    return self;
}
