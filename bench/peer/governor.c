/* governor.c - stiff flyball governor, models/flyball-governor/equations.yaml by hand.
 * Coordinates psi, s, x1, z1, x2, z2: the angle of the shaft, the height of the slider, the
 * balls as seen from their hinges in the plane that turns with the shaft. M is diagonal; of it
 * the inertia J(x, z) about the shaft changes. Constraints (x^2 + z^2 - L^2)/2 of the rods.
 *
 * Springs: d = (x/2, L + z/2 - s) from slider to rod, l = |d|, n = d/l, P = F n, F = K (l -
 * rest) + C n.d',
 *     A = dP/dd = F/l (1 - n n^T) + n (K n + C/l (d' - n n.d'))^T,    dP/dd' = C n n^T. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <math.h>
#include <string.h>

enum { PSI, S, X1, Z1, X2, Z2, COORDINATES, RODS = 2 };

static const double grav = 9.81, ball = 5, rod = 0.3, slider = 3, length = 1, thickness = 0.01,
                    edge = 0.1, offset = 0.05, stiffness = 8e5, damping = 4e4, rest = 0.5;

typedef struct governor {
    double q0[COORDINATES], v0[COORDINATES];
    double inertia, weight, j0, jxx, jx, jzz; /* as in the model */
    double q[COORDINATES];
    double jx_at[RODS], jz_at[RODS];    /* dJ/dx, dJ/dz */
    double l[RODS], nx[RODS], nz[RODS]; /* springs */
} governor;

static void place(mechanics *self, double t, const double *q)
{
    governor *own = self->own;
    (void)t;
    memcpy(own->q, q, sizeof own->q);
    for (int i = 0; i < RODS; i++) {
        const double x = q[X1 + 2 * i], z = q[Z1 + 2 * i];
        const double dx = 0.5 * x, dz = length + 0.5 * z - q[S];
        own->jx_at[i] = own->jxx * x + own->jx;
        own->jz_at[i] = own->jzz * z;
        own->l[i] = sqrt(dx * dx + dz * dz);
        own->nx[i] = dx / own->l[i];
        own->nz[i] = dz / own->l[i];
    }
}

static void mass_values(const mechanics *self, double *values)
{
    const governor *own = self->own;
    const double *q = own->q;
    values[PSI] = own->j0 + 0.5 * own->jxx * (q[X1] * q[X1] + q[X2] * q[X2]) +
                  own->jx * (q[X1] + q[X2]) + 0.5 * own->jzz * (q[Z1] * q[Z1] + q[Z2] * q[Z2]);
    values[S] = slider;
    for (int i = X1; i < COORDINATES; i++)
        values[i] = own->inertia;
}

static double spring(const governor *own, int i, const double *v, double *along)
{
    *along = own->nx[i] * 0.5 * v[X1 + 2 * i] + own->nz[i] * (0.5 * v[Z1 + 2 * i] - v[S]);
    return stiffness * (own->l[i] - rest) + damping * *along;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const governor *own = self->own;
    const double square = 0.5 * v[PSI] * v[PSI];
    f[PSI] = 0;
    f[S] = -slider * grav;
    for (int i = 0; i < RODS; i++) {
        const int x = X1 + 2 * i, z = Z1 + 2 * i;
        double along;
        const double tension = spring(own, i, v, &along);
        f[PSI] -= v[PSI] * (own->jx_at[i] * v[x] + own->jz_at[i] * v[z]);
        f[S] += tension * own->nz[i];
        f[x] = own->jx_at[i] * square - 0.5 * tension * own->nx[i];
        f[z] = own->jz_at[i] * square - 0.5 * tension * own->nz[i] - own->weight;
    }
}

/* of rod i in force_q and force_v: by row and column; beyond them (s, s), and (psi, psi) in
 * force_v */
#define OF_ROD(X, Z)                                                                           \
    {PSI, X}, {PSI, Z}, {X, X}, {X, Z}, {X, S}, {Z, X}, {Z, Z}, {Z, S}, {S, X},                \
    {                                                                                          \
        S, Z                                                                                   \
    }
#define BY_SHAFT(X, Z)                                                                         \
    {X, PSI},                                                                                  \
    {                                                                                          \
        Z, PSI                                                                                 \
    }
enum { OF_ROD_COUNT = 10 };
static const int force_q_place[][2] = {OF_ROD(X1, Z1), OF_ROD(X2, Z2), {S, S}};
static const int force_v_place[][2] = {OF_ROD(X1, Z1),   OF_ROD(X2, Z2),   {S, S},
                                       BY_SHAFT(X1, Z1), BY_SHAFT(X2, Z2), {PSI, PSI}};
enum {
    FORCE_Q = sizeof force_q_place / sizeof *force_q_place,
    FORCE_V = sizeof force_v_place / sizeof *force_v_place
};

/* entries (x, x) to (s, z) of one spring from its 2 x 2 matrix, by rows */
static void spread(const double m[4], double *values, double *slider_entry)
{
    values[2] += 0.25 * m[0];
    values[3] = 0.25 * m[1];
    values[4] = -0.5 * m[1];
    values[5] = 0.25 * m[2];
    values[6] += 0.25 * m[3];
    values[7] = -0.5 * m[3];
    values[8] = -0.5 * m[2];
    values[9] = -0.5 * m[3];
    *slider_entry += m[3];
}

static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const governor *own = self->own;
    const double square = 0.5 * v[PSI] * v[PSI];
    values[RODS * OF_ROD_COUNT] = 0;
    for (int i = 0; i < RODS; i++) {
        double *out = values + i * OF_ROD_COUNT, along;
        const double n[2] = {own->nx[i], own->nz[i]};
        const double rate[2] = {0.5 * v[X1 + 2 * i], 0.5 * v[Z1 + 2 * i] - v[S]};
        const double over = spring(own, i, v, &along) / own->l[i];
        double m[4];
        for (int r = 0; r < 2; r++)
            for (int c = 0; c < 2; c++)
                m[2 * r + c] =
                    over * ((r == c) - n[r] * n[c]) +
                    n[r] * (stiffness * n[c] + damping / own->l[i] * (rate[c] - n[c] * along));
        out[0] = own->jx_at[i] * a[PSI] + own->jxx * v[X1 + 2 * i] * v[PSI];
        out[1] = own->jz_at[i] * a[PSI] + own->jzz * v[Z1 + 2 * i] * v[PSI];
        out[2] = -own->jxx * square;
        out[6] = -own->jzz * square;
        spread(m, out, values + RODS * OF_ROD_COUNT);
    }
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const governor *own = self->own;
    double *beyond = values + RODS * OF_ROD_COUNT;
    beyond[0] = beyond[5] = 0;
    for (int i = 0; i < RODS; i++) {
        double *out = values + i * OF_ROD_COUNT;
        const double nx = own->nx[i], nz = own->nz[i];
        const double m[4] = {damping * nx * nx, damping * nx * nz, damping * nz * nx,
                             damping * nz * nz};
        out[0] = own->jx_at[i] * v[PSI];
        out[1] = own->jz_at[i] * v[PSI];
        out[2] = out[6] = 0;
        spread(m, out, beyond);
        beyond[1 + 2 * i] = -out[0];
        beyond[2 + 2 * i] = -out[1];
        beyond[5] += own->jx_at[i] * v[X1 + 2 * i] + own->jz_at[i] * v[Z1 + 2 * i];
    }
}

static void constraint(const mechanics *self, double *g)
{
    const double *q = ((const governor *)self->own)->q;
    g[0] = 0.5 * (q[X1] * q[X1] + q[Z1] * q[Z1] - length * length);
    g[1] = 0.5 * (q[X2] * q[X2] + q[Z2] * q[Z2] - length * length);
}

static void jacobian_values(const mechanics *self, double *values)
{
    memcpy(values, ((const governor *)self->own)->q + X1, 4 * sizeof *values);
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    (void)self;
    c[0] = v[X1] * v[X1] + v[Z1] * v[Z1];
    c[1] = v[X2] * v[X2] + v[Z2] * v[Z2];
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    (void)self;
    memcpy(values, v + X1, 4 * sizeof *values);
}

static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    (void)self;
    values[0] = values[1] = mu[0];
    values[2] = values[3] = mu[1];
}

static void third(const mechanics *self, const double *v, double *values)
{
    (void)self, (void)v;
    memset(values, 0, 4 * sizeof *values);
}

static governor *make_own(void)
{
    governor *own = take(1, sizeof *own);
    const double across = rod * (length * length + thickness * thickness) / 12,
                 along = rod * thickness * thickness / 6, pi = acos(-1.0);
    own->inertia = ball + rod / 3 + rod * thickness * thickness / (12 * length * length);
    own->weight = (ball + rod / 2) * grav;
    own->j0 = along + slider * edge * edge / 6 + 2 * (ball + rod) * offset * offset;
    own->jxx = 2 * ball + rod / 2 + 2 * across / (length * length);
    own->jx = (2 * ball + rod) * offset;
    own->jzz = 2 * along / (length * length);
    own->q0[S] = 0.5;
    own->q0[X1] = own->q0[X2] = length * cos(pi / 6);
    own->q0[Z1] = own->q0[Z2] = -length * sin(pi / 6);
    own->v0[PSI] = 2 * pi;
    return own;
}

mechanics *governor_create(void)
{
    static const int jacobian_place[][2] = {{0, X1}, {0, Z1}, {1, X2}, {1, Z2}};
    static const int hessian_place[][2] = {{X1, X1}, {Z1, Z1}, {X2, X2}, {Z2, Z2}};
    governor *own = make_own();
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "flyball-governor",
                        .nq = COORDINATES,
                        .nl = RODS,
                        .t_end = 10,
                        .diagonal = true,
                        .varying = true,
                        .q0 = own->q0,
                        .v0 = own->v0,
                        .mass = places_diagonal(COORDINATES),
                        .force_q = places_listed(force_q_place, FORCE_Q),
                        .force_v = places_listed(force_v_place, FORCE_V),
                        .jacobian = places_listed(jacobian_place, 4),
                        .hessian = places_listed(hessian_place, 4),
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
