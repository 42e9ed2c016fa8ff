/* andrews.c - Andrews' squeezing mechanism, models/andrews/andrews.yaml by hand. Coordinates
 * beta, theta, gamma, phi, delta, omega, eps. */
// SPDX-License-Identifier: BSD-3-Clause
#include "rotating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPS, COORDINATES };

static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705,
                    m6 = 0.00706, m7 = 0.05498;
static const double i1 = 2.194e-6, i2 = 4.41e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5,
                    i6 = 5.667e-7, i7 = 1.912e-5;
static const double xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, c0 = 4530,
                    l0 = 0.07785, mom = 0.033;
static const double da = 0.0115, rr = 0.007, ra = 0.00092, sa = 0.01874, sb = 0.01043,
                    sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228,
                    ub = 0.00449, zt = 0.04;
static const double rod_e = 0.02 - 0.01421, rod_z = 0.02 - 0.01421; /* e - ea, zf - fa */

static const double start_q[COORDINATES] = {
    -0.0617138900142764496358948458001, 0,
    0.455279819163070380255912382449,   0.222668390165885884674473185609,
    0.487364979543842550225598953530,   -0.222668390165885884674473185609,
    1.23054744454982119249735015568};
static const double start_v[COORDINATES] = {0};

static const rotating_vector vectors[] = {
    {0, BETA, -1, 0.007, 0},     {1, BETA, -1, 0.007, 0},     {2, BETA, -1, 0.007, 0},
    {0, BETA, THETA, -0.028, 0}, {1, BETA, THETA, -0.028, 0}, {2, BETA, THETA, -0.028, 0},
    {0, GAMMA, -1, 0, 0.035},    {1, PHI, DELTA, 0, 0.02},    {1, DELTA, -1, -0.04, 0},
    {2, OMEGA, EPS, -0.02, 0},   {2, EPS, -1, 0, 0.04}};
enum { VECTORS = sizeof vectors / sizeof *vectors };
static const double constants[6] = {0.03635, -0.03273, 0.06934, 0.00227, 0.06934, 0.00227};

typedef struct andrews {
    rotating loops; /* first, for rotating_attach */
    double turned[2 * VECTORS], q[COORDINATES];
    double sin_theta, cos_theta, sin_phi, cos_phi, sin_omega, cos_omega;
    double spring_x, spring_y; /* from the lever's hinge to the spring's end D */
} andrews;

static const int mass_place[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {3, 3}, {3, 4},
                                    {4, 3}, {4, 4}, {5, 5}, {5, 6}, {6, 5}, {6, 6}};
static const int force_q_place[][2] = {{0, 1}, {1, 1}, {2, 2}, {3, 3}, {4, 3}, {5, 5}, {6, 5}};
static const int force_v_place[][2] = {{0, 0}, {0, 1}, {1, 0}, {3, 4}, {4, 3},
                                       {4, 4}, {5, 6}, {6, 5}, {6, 6}};

static void place(mechanics *self, double t, const double *q)
{
    andrews *own = self->own;
    (void)t;
    memcpy(own->q, q, sizeof own->q);
    rotating_place(&own->loops);
    own->sin_theta = sin(q[THETA]);
    own->cos_theta = cos(q[THETA]);
    own->sin_phi = sin(q[PHI]);
    own->cos_phi = cos(q[PHI]);
    own->sin_omega = sin(q[OMEGA]);
    own->cos_omega = cos(q[OMEGA]);
    /* vector 6 is the lever (0, 0.035) turned by gamma */
    const double cosine = own->turned[13] / 0.035, sine = -own->turned[12] / 0.035;
    own->spring_x = sd * cosine + sc * sine;
    own->spring_y = sd * sine - sc * cosine;
}

static void mass_values(const mechanics *self, double *m)
{
    const andrews *own = self->own;
    m[0] = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * own->cos_theta + da * da) + i1 + i2;
    m[1] = m[2] = m2 * (da * da - da * rr * own->cos_theta) + i2;
    m[3] = m2 * da * da + i2;
    m[4] = m3 * (sa * sa + sb * sb) + i3;
    m[5] = m4 * rod_e * rod_e + i4;
    m[6] = m[7] = m4 * (rod_e * rod_e + zt * rod_e * own->sin_phi) + i4;
    m[8] = m4 * (zt * zt + 2 * zt * rod_e * own->sin_phi + rod_e * rod_e) +
           m5 * (ta * ta + tb * tb) + i4 + i5;
    m[9] = m6 * rod_z * rod_z + i6;
    m[10] = m[11] = m6 * (rod_z * rod_z - u * rod_z * own->sin_omega) + i6;
    m[12] = m6 * (rod_z * rod_z - 2 * u * rod_z * own->sin_omega + u * u) +
            m7 * (ua * ua + ub * ub) + i6 + i7;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const andrews *own = self->own;
    const double k1 = m2 * da * rr * own->sin_theta, k2 = m4 * zt * rod_e * own->cos_phi,
                 k3 = m6 * u * rod_z * own->cos_omega;
    const double x = xb + own->spring_x - xc, y = yb + own->spring_y - yc;
    f[0] = mom - k1 * v[THETA] * (v[THETA] + 2 * v[BETA]);
    f[1] = k1 * v[BETA] * v[BETA];
    f[2] = -c0 * (1 - l0 / sqrt(x * x + y * y)) * (-x * own->spring_y + y * own->spring_x);
    f[3] = k2 * v[DELTA] * v[DELTA];
    f[4] = -k2 * v[PHI] * (v[PHI] + 2 * v[DELTA]);
    f[5] = -k3 * v[EPS] * v[EPS];
    f[6] = k3 * v[OMEGA] * (v[OMEGA] + 2 * v[EPS]);
}

static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const andrews *own = self->own;
    const double k1 = m2 * da * rr, k2 = m4 * zt * rod_e, k3 = m6 * u * rod_z;
    const double x = xb + own->spring_x - xc, y = yb + own->spring_y - yc;
    const double length = sqrt(x * x + y * y), along = -x * own->spring_y + y * own->spring_x;
    values[0] = k1 * (own->sin_theta * (2 * a[0] + a[1]) +
                      own->cos_theta * v[THETA] * (v[THETA] + 2 * v[BETA]));
    values[1] = k1 * (own->sin_theta * a[0] - own->cos_theta * v[BETA] * v[BETA]);
    values[2] = c0 * (l0 / (length * length * length) * along * along +
                      (1 - l0 / length) *
                          (own->spring_x * own->spring_x + own->spring_y * own->spring_y -
                           x * own->spring_x - y * own->spring_y));
    values[3] = k2 * (own->cos_phi * a[4] + own->sin_phi * v[DELTA] * v[DELTA]);
    values[4] = k2 * (own->cos_phi * (a[3] + 2 * a[4]) -
                      own->sin_phi * v[PHI] * (v[PHI] + 2 * v[DELTA]));
    values[5] = -k3 * (own->cos_omega * a[6] + own->sin_omega * v[EPS] * v[EPS]);
    values[6] = -k3 * (own->cos_omega * (a[5] + 2 * a[6]) -
                       own->sin_omega * v[OMEGA] * (v[OMEGA] + 2 * v[EPS]));
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const andrews *own = self->own;
    const double k1 = 2 * m2 * da * rr * own->sin_theta,
                 k2 = 2 * m4 * zt * rod_e * own->cos_phi,
                 k3 = 2 * m6 * u * rod_z * own->cos_omega;
    values[0] = k1 * v[THETA];
    values[1] = k1 * (v[THETA] + v[BETA]);
    values[2] = -k1 * v[BETA];
    values[3] = -k2 * v[DELTA];
    values[4] = k2 * (v[PHI] + v[DELTA]);
    values[5] = k2 * v[PHI];
    values[6] = k3 * v[EPS];
    values[7] = -k3 * (v[OMEGA] + v[EPS]);
    values[8] = -k3 * v[OMEGA];
}

mechanics *andrews_create(void)
{
    andrews *own = take(1, sizeof *own);
    own->loops = (rotating){VECTORS, 0, 6, vectors, NULL, constants, own->turned, own->q};
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "andrews",
                        .nq = COORDINATES,
                        .nl = 6,
                        .t_end = 0.03,
                        .band = 5,
                        .q0 = start_q,
                        .v0 = start_v,
                        .mass = places_listed(mass_place, 13),
                        .force_q = places_listed(force_q_place, 7),
                        .force_v = places_listed(force_v_place, 9),
                        .own = own,
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = force_q_values,
                        .force_v_values = force_v_values};
    rotating_attach(self);
    return self;
}
