/* gyroscope.c - models/gyroscope-loop/equations.yaml by hand. Coordinates phi, theta, psi:
 * outer gimbal, the rotor's axis from the vertical, rotor. With s, c of theta, the inertia
 * about the vertical J = C + B s^2 + E c^2 and the rotor's I about its axis
 *
 *     M = [J 0 I c; 0 N 0; I c 0 I],     T = v^T M v/2,     V = w c
 *     f = (s theta' (I psi' - 2 (B - E) c phi'), s ((B - E) c phi'^2 - I phi' psi' + w),
 *          I s theta' phi')
 *     g = u s + az c + ay,    u = ax sin phi - ay cos phi */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <math.h>

enum { PHI, THETA, PSI, COORDINATES };

static const double rod = 0.3, arm = 0.2, grav = 9.81, rotor = 1.5e-3;
static const double ax = 0.25, ay = -0.3, az = 0.05, inertia_c = 1.2e-3;
static const double start_q[] = {0, 1.57079632679489661923, 0}, start_v[] = {3, 15, 200};

typedef struct gyroscope {
    double s, c, u, u_phi;              /* at the position */
    double b, e, n, difference, weight; /* as above; b - e */
} gyroscope;

static void place(mechanics *self, double t, const double *q)
{
    gyroscope *own = self->own;
    const double sine = sin(q[PHI]), cosine = cos(q[PHI]);
    (void)t;
    own->s = sin(q[THETA]);
    own->c = cos(q[THETA]);
    own->u = ax * sine - ay * cosine;
    own->u_phi = ax * cosine + ay * sine;
}

static const int mass_place[][2] = {
    {PHI, PHI}, {THETA, THETA}, {PSI, PSI}, {PHI, PSI}, {PSI, PHI}};
static void mass_values(const mechanics *self, double *values)
{
    const gyroscope *own = self->own;
    values[0] = inertia_c + own->b * own->s * own->s + own->e * own->c * own->c;
    values[1] = own->n;
    values[2] = rotor;
    values[3] = values[4] = rotor * own->c;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const gyroscope *own = self->own;
    const double by = own->difference * own->c;
    f[PHI] = own->s * v[THETA] * (rotor * v[PSI] - 2 * by * v[PHI]);
    f[THETA] = own->s * (v[PHI] * (by * v[PHI] - rotor * v[PSI]) + own->weight);
    f[PSI] = rotor * own->s * v[THETA] * v[PHI];
}

static const int force_q_place[][2] = {{PHI, THETA}, {THETA, THETA}, {PSI, THETA}};
static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const gyroscope *own = self->own;
    const double s = own->s, c = own->c, twice = own->difference * (c * c - s * s);
    values[0] = 2 * own->difference * s * c * a[PHI] - rotor * s * a[PSI] +
                v[THETA] * (2 * twice * v[PHI] - rotor * c * v[PSI]);
    values[1] = -v[PHI] * (twice * v[PHI] - rotor * c * v[PSI]) - own->weight * c;
    values[2] = -rotor * (s * a[PHI] + c * v[THETA] * v[PHI]);
}

static const int force_v_place[][2] = {{PHI, PHI},   {PHI, THETA}, {PHI, PSI},  {THETA, PHI},
                                       {THETA, PSI}, {PSI, PHI},   {PSI, THETA}};
static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const gyroscope *own = self->own;
    const double twice = 2 * own->difference * own->s * own->c, turn = rotor * own->s;
    values[0] = twice * v[THETA];
    values[1] = twice * v[PHI] - turn * v[PSI];
    values[2] = -turn * v[THETA];
    values[3] = -twice * v[PHI] + turn * v[PSI];
    values[4] = turn * v[PHI];
    values[5] = -turn * v[THETA];
    values[6] = -turn * v[PHI];
}

static void constraint(const mechanics *self, double *g)
{
    const gyroscope *own = self->own;
    g[0] = own->u * own->s + az * own->c + ay;
}

static const int jacobian_place[][2] = {{0, PHI}, {0, THETA}};
static void jacobian_values(const mechanics *self, double *values)
{
    const gyroscope *own = self->own;
    values[0] = own->u_phi * own->s;
    values[1] = own->u * own->c - az * own->s;
}

/* g,qq by phi phi, phi theta, theta theta */
static void second(const gyroscope *own, double h[3])
{
    h[0] = -own->u * own->s;
    h[1] = own->u_phi * own->c;
    h[2] = -own->u * own->s - az * own->c;
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    double h[3];
    second(self->own, h);
    values[0] = h[0] * v[PHI] + h[1] * v[THETA];
    values[1] = h[1] * v[PHI] + h[2] * v[THETA];
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    double along[2];
    curvature_rows(self, v, along);
    c[0] = along[0] * v[PHI] + along[1] * v[THETA];
}

static const int hessian_place[][2] = {{PHI, PHI}, {PHI, THETA}, {THETA, PHI}, {THETA, THETA}};
static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    double h[3];
    second(self->own, h);
    values[0] = mu[0] * h[0];
    values[1] = values[2] = mu[0] * h[1];
    values[3] = mu[0] * h[2];
}

static void third(const mechanics *self, const double *v, double *values)
{
    const gyroscope *own = self->own;
    const double squares = v[PHI] * v[PHI] + v[THETA] * v[THETA], both = 2 * v[PHI] * v[THETA];
    values[0] = -own->u_phi * own->s * squares - own->u * own->c * both;
    values[1] = -own->u * own->c * squares - own->u_phi * own->s * both +
                az * own->s * v[THETA] * v[THETA];
}

#define LISTED(PLACES) places_listed(PLACES, sizeof PLACES / sizeof *PLACES)

mechanics *gyroscope_create(void)
{
    gyroscope *own = take(1, sizeof *own);
    const double of_rod = rod * arm * arm / 3;
    own->b = 4e-4 + 8e-4 + of_rod;
    own->e = 9e-4 + rotor;
    own->n = 5e-4 + 8e-4 + of_rod;
    own->difference = own->b - own->e;
    own->weight = rod * grav * arm / 2;
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "gyroscope-loop",
                        .nq = COORDINATES,
                        .nl = 1,
                        .t_end = 0.6,
                        .q0 = start_q,
                        .v0 = start_v,
                        .mass = LISTED(mass_place),
                        .force_q = LISTED(force_q_place),
                        .force_v = LISTED(force_v_place),
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
