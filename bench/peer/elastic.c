/* elastic.c - slider crank with an elastic rod,
 * models/elastic-slider-crank/elastic-slider-crank.yaml by hand. Coordinates phi1, phi2, x3,
 * q1, q2, q3, q4; constraints rod_y, rod_x, drive. The Coriolis term of phi2 that the model
 * writes with products q_i' q_j' vanishes identically and is left out.
 *
 * Values of dense 7 x 7 matrices stand by columns. Products with rho L1 have names that start
 * with r. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <math.h>
#include <string.h>

enum { PHI1, PHI2, X3, Q1, Q2, Q3, Q4, COORDINATES };
#define AT(row, column) (values[(column)*COORDINATES + (row)])

static const double mass2 = 0.151104, mass3 = 0.075552, l1 = 0.15, l2 = 0.3, j1 = 0.002727,
                    j2 = 0.0045339259, young = 2e11, width = 0.008, height = 0.008, rho = 7870,
                    speed = 150, pi7 = 3.1415927;

typedef struct elastic {
    double q0[COORDINATES], v0[COORDINATES], rate[3];
    double fm, fk, k11, k22;           /* as in the model */
    double b13, b14, b24;              /* the model's B times rho */
    double r1_3, r1_4, r2_1;           /* c1_3, c1_4, c2_1 times rho L1 */
    double c12_3, c12_4, c21_1, c21_2; /* the model's c times rho */
    double half;                       /* L1 L2 M2/2 */
    double q[COORDINATES], t;
    double s1, c1, s2, c2, s, c; /* of phi1, phi2, phi1 - phi2 */
} elastic;

static void place(mechanics *self, double t, const double *q)
{
    elastic *own = self->own;
    memcpy(own->q, q, sizeof own->q);
    own->t = t;
    own->s1 = sin(q[PHI1]);
    own->c1 = cos(q[PHI1]);
    own->s2 = sin(q[PHI2]);
    own->c2 = cos(q[PHI2]);
    own->s = own->s1 * own->c2 - own->c1 * own->s2;
    own->c = own->c1 * own->c2 + own->s1 * own->s2;
}

static void mass_values(const mechanics *self, double *values)
{
    const elastic *own = self->own;
    const double *q = own->q, fm = own->fm;
    memset(values, 0, COORDINATES * COORDINATES * sizeof *values);
    const double stretch = own->r1_3 * q[Q3] + own->r1_4 * q[Q4];
    AT(0, 0) = j1 + mass2 * l1 * l1;
    AT(0, 1) = AT(1, 0) = own->half * own->c + own->s * own->r2_1 * q[Q1] + own->c * stretch;
    AT(0, 3) = AT(3, 0) = own->c * own->r2_1;
    AT(0, 5) = AT(5, 0) = -own->s * own->r1_3;
    AT(0, 6) = AT(6, 0) = -own->s * own->r1_4;
    AT(1, 1) = j2 +
               fm * (q[Q1] * q[Q1] / 2 + q[Q2] * q[Q2] / 2 + 8 * q[Q3] * q[Q3] +
                     2 * q[Q3] * q[Q4] + 2 * q[Q4] * q[Q4]) +
               2 * (own->c12_3 * q[Q3] + own->c12_4 * q[Q4]);
    AT(1, 3) = AT(3, 1) = own->c21_1 - q[Q3] * own->b13 - q[Q4] * own->b14;
    AT(1, 4) = AT(4, 1) = own->c21_2 - q[Q4] * own->b24;
    AT(1, 5) = AT(5, 1) = q[Q1] * own->b13;
    AT(1, 6) = AT(6, 1) = q[Q1] * own->b14 + q[Q2] * own->b24;
    AT(2, 2) = mass3;
    AT(3, 3) = AT(4, 4) = fm / 2;
    AT(5, 5) = 8 * fm;
    AT(5, 6) = AT(6, 5) = fm;
    AT(6, 6) = 2 * fm;
}

static void force(const mechanics *self, const double *v, double *f)
{
    const elastic *own = self->own;
    const double *q = own->q, fm = own->fm, s = own->s, c = own->c;
    const double w1 = v[PHI1] * v[PHI1], w2 = v[PHI2] * v[PHI2], bend = own->r2_1 * q[Q1];
    const double stretch = own->r1_3 * q[Q3] + own->r1_4 * q[Q4];
    f[0] = w2 * (-own->half * s - s * stretch + c * bend) -
           2 * v[PHI2] * (c * (own->r1_3 * v[Q3] + own->r1_4 * v[Q4]) + s * own->r2_1 * v[Q1]);
    f[1] = w1 * (own->half * s + s * stretch - c * bend) -
           2 * v[PHI2] *
               (own->c12_3 * v[Q3] + own->c12_4 * v[Q4] +
                fm * (v[Q1] * q[Q1] / 2 + v[Q2] * q[Q2] / 2 + v[Q3] * (8 * q[Q3] + q[Q4]) +
                      v[Q4] * (q[Q3] + 2 * q[Q4])));
    f[2] = 0;
    f[3] = w2 * fm * q[Q1] / 2 + w1 * s * own->r2_1 +
           2 * v[PHI2] * (own->b13 * v[Q3] + own->b14 * v[Q4]) - own->k11 * q[Q1];
    f[4] = w2 * fm * q[Q2] / 2 + 2 * v[PHI2] * own->b24 * v[Q4] - own->k22 * q[Q2];
    f[5] = w2 * (fm * (8 * q[Q3] + q[Q4]) + own->c12_3) + w1 * c * own->r1_3 -
           2 * v[PHI2] * own->b13 * v[Q1] - own->fk * (16 * q[Q3] - 8 * q[Q4]) / 3;
    f[6] = w2 * (fm * (q[Q3] + 2 * q[Q4]) + own->c12_4) + w1 * c * own->r1_4 -
           2 * v[PHI2] * (own->b14 * v[Q1] + own->b24 * v[Q2]) -
           own->fk * (-8 * q[Q3] + 7 * q[Q4]) / 3;
}

/* d(M a)/dq */
static void mass_q(const elastic *own, const double *a, double *values)
{
    const double *q = own->q, fm = own->fm, s = own->s, c = own->c;
    const double stretch = own->r1_3 * q[Q3] + own->r1_4 * q[Q4];
    const double d01 = -own->half * s + c * own->r2_1 * q[Q1] - s * stretch,
                 d03 = -s * own->r2_1, d05 = -c * own->r1_3, d06 = -c * own->r1_4;
    AT(0, PHI1) = d01 * a[1] + d03 * a[3] + d05 * a[5] + d06 * a[6];
    AT(0, Q1) = s * own->r2_1 * a[1];
    AT(0, Q3) = c * own->r1_3 * a[1];
    AT(0, Q4) = c * own->r1_4 * a[1];
    AT(1, PHI1) = d01 * a[0];
    AT(1, Q1) = s * own->r2_1 * a[0] + fm * q[Q1] * a[1] + own->b13 * a[5] + own->b14 * a[6];
    AT(1, Q2) = fm * q[Q2] * a[1] + own->b24 * a[6];
    AT(1, Q3) = c * own->r1_3 * a[0] + (fm * (16 * q[Q3] + 2 * q[Q4]) + 2 * own->c12_3) * a[1] -
                own->b13 * a[3];
    AT(1, Q4) = c * own->r1_4 * a[0] + (fm * (2 * q[Q3] + 4 * q[Q4]) + 2 * own->c12_4) * a[1] -
                own->b14 * a[3] - own->b24 * a[4];
    AT(3, PHI1) = d03 * a[0];
    AT(3, Q3) = -own->b13 * a[1];
    AT(3, Q4) = -own->b14 * a[1];
    AT(4, Q4) = -own->b24 * a[1];
    AT(5, PHI1) = d05 * a[0];
    AT(5, Q1) = own->b13 * a[1];
    AT(6, PHI1) = d06 * a[0];
    AT(6, Q1) = own->b14 * a[1];
    AT(6, Q2) = own->b24 * a[1];
}

static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const elastic *own = self->own;
    const double *q = own->q, fm = own->fm, s = own->s, c = own->c;
    const double w1 = v[PHI1] * v[PHI1], w2 = v[PHI2] * v[PHI2], bend = own->r2_1 * q[Q1];
    const double stretch = own->r1_3 * q[Q3] + own->r1_4 * q[Q4];
    memset(values, 0, COORDINATES * COORDINATES * sizeof *values);
    mass_q(own, a, values);
    AT(0, PHI1) -=
        w2 * (-own->half * c - c * stretch - s * bend) -
        2 * v[PHI2] * (-s * (own->r1_3 * v[Q3] + own->r1_4 * v[Q4]) + c * own->r2_1 * v[Q1]);
    AT(0, Q1) -= w2 * c * own->r2_1;
    AT(0, Q3) += w2 * s * own->r1_3;
    AT(0, Q4) += w2 * s * own->r1_4;
    AT(1, PHI1) -= w1 * (own->half * c + c * stretch + s * bend);
    AT(1, Q1) += w1 * c * own->r2_1 + v[PHI2] * fm * v[Q1];
    AT(1, Q2) += v[PHI2] * fm * v[Q2];
    AT(1, Q3) -= w1 * s * own->r1_3 - 2 * v[PHI2] * fm * (8 * v[Q3] + v[Q4]);
    AT(1, Q4) -= w1 * s * own->r1_4 - 2 * v[PHI2] * fm * (v[Q3] + 2 * v[Q4]);
    AT(3, PHI1) -= w1 * c * own->r2_1;
    AT(3, Q1) -= w2 * fm / 2 - own->k11;
    AT(4, Q2) -= w2 * fm / 2 - own->k22;
    AT(5, PHI1) += w1 * s * own->r1_3;
    AT(5, Q3) -= 8 * w2 * fm - 16 * own->fk / 3;
    AT(5, Q4) -= w2 * fm + 8 * own->fk / 3;
    AT(6, PHI1) += w1 * s * own->r1_4;
    AT(6, Q3) -= w2 * fm + 8 * own->fk / 3;
    AT(6, Q4) -= 2 * w2 * fm - 7 * own->fk / 3;
    for (int row = 0; row < COORDINATES; row++) /* they depend on phi1 - phi2 */
        AT(row, PHI2) = -AT(row, PHI1);
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const elastic *own = self->own;
    const double *q = own->q, fm = own->fm, s = own->s, c = own->c;
    const double w1 = 2 * v[PHI1], w2 = 2 * v[PHI2], bend = own->r2_1 * q[Q1];
    const double stretch = own->r1_3 * q[Q3] + own->r1_4 * q[Q4];
    memset(values, 0, COORDINATES * COORDINATES * sizeof *values);
    AT(0, PHI2) = -w2 * (-own->half * s - s * stretch + c * bend) +
                  2 * (c * (own->r1_3 * v[Q3] + own->r1_4 * v[Q4]) + s * own->r2_1 * v[Q1]);
    AT(0, Q1) = w2 * s * own->r2_1;
    AT(0, Q3) = w2 * c * own->r1_3;
    AT(0, Q4) = w2 * c * own->r1_4;
    AT(1, PHI1) = -w1 * (own->half * s + s * stretch - c * bend);
    AT(1, PHI2) = 2 * (own->c12_3 * v[Q3] + own->c12_4 * v[Q4] +
                       fm * (v[Q1] * q[Q1] / 2 + v[Q2] * q[Q2] / 2 +
                             v[Q3] * (8 * q[Q3] + q[Q4]) + v[Q4] * (q[Q3] + 2 * q[Q4])));
    AT(1, Q1) = w2 * fm * q[Q1] / 2;
    AT(1, Q2) = w2 * fm * q[Q2] / 2;
    AT(1, Q3) = w2 * (own->c12_3 + fm * (8 * q[Q3] + q[Q4]));
    AT(1, Q4) = w2 * (own->c12_4 + fm * (q[Q3] + 2 * q[Q4]));
    AT(3, PHI1) = -w1 * s * own->r2_1;
    AT(3, PHI2) = -w2 * fm * q[Q1] / 2 - 2 * (own->b13 * v[Q3] + own->b14 * v[Q4]);
    AT(3, Q3) = -w2 * own->b13;
    AT(3, Q4) = -w2 * own->b14;
    AT(4, PHI2) = -w2 * fm * q[Q2] / 2 - 2 * own->b24 * v[Q4];
    AT(4, Q4) = -w2 * own->b24;
    AT(5, PHI1) = -w1 * c * own->r1_3;
    AT(5, PHI2) = -w2 * (fm * (8 * q[Q3] + q[Q4]) + own->c12_3) + 2 * own->b13 * v[Q1];
    AT(5, Q1) = w2 * own->b13;
    AT(6, PHI1) = -w1 * c * own->r1_4;
    AT(6, PHI2) = -w2 * (fm * (q[Q3] + 2 * q[Q4]) + own->c12_4) +
                  2 * (own->b14 * v[Q1] + own->b24 * v[Q2]);
    AT(6, Q1) = w2 * own->b14;
    AT(6, Q2) = w2 * own->b24;
}

static const int jacobian_place[][2] = {{0, PHI1}, {0, PHI2}, {0, Q4}, {1, PHI1},
                                        {1, PHI2}, {1, X3},   {1, Q4}, {2, PHI1}};
enum { ENTRIES = 8 };
static const int hessian_place[][2] = {{PHI1, PHI1}, {PHI2, PHI2}, {PHI2, Q4}, {Q4, PHI2}};

static void constraint(const mechanics *self, double *g)
{
    const elastic *own = self->own;
    const double length = l2 + own->q[Q4];
    g[0] = l1 * own->s1 + length * own->s2;
    g[1] = own->q[X3] - l1 * own->c1 - length * own->c2;
    g[2] = own->q[PHI1] - speed * own->t;
}

static void jacobian_values(const mechanics *self, double *values)
{
    const elastic *own = self->own;
    const double length = l2 + own->q[Q4];
    const double entries[ENTRIES] = {l1 * own->c1,     length * own->c2,
                                     own->s2,          l1 * own->s1,
                                     length * own->s2, 1,
                                     -own->c2,         1};
    memcpy(values, entries, sizeof entries);
}

static void curvature(const mechanics *self, const double *v, double *c)
{
    const elastic *own = self->own;
    const double length = l2 + own->q[Q4], w1 = l1 * v[PHI1] * v[PHI1],
                 w2 = length * v[PHI2] * v[PHI2], mixed = 2 * v[PHI2] * v[Q4];
    c[0] = -own->s1 * w1 - own->s2 * w2 + own->c2 * mixed;
    c[1] = own->c1 * w1 + own->c2 * w2 + own->s2 * mixed;
    c[2] = 0;
}

static void curvature_rows(const mechanics *self, const double *v, double *values)
{
    const elastic *own = self->own;
    const double length = l2 + own->q[Q4];
    const double entries[ENTRIES] = {-l1 * own->s1 * v[PHI1],
                                     -length * own->s2 * v[PHI2] + own->c2 * v[Q4],
                                     own->c2 * v[PHI2],
                                     l1 * own->c1 * v[PHI1],
                                     length * own->c2 * v[PHI2] + own->s2 * v[Q4],
                                     0,
                                     own->s2 * v[PHI2],
                                     0};
    memcpy(values, entries, sizeof entries);
}

static void curvature_sum(const mechanics *self, const double *mu, double *values)
{
    const elastic *own = self->own;
    values[0] = l1 * (-mu[0] * own->s1 + mu[1] * own->c1);
    values[1] = (l2 + own->q[Q4]) * (-mu[0] * own->s2 + mu[1] * own->c2);
    values[2] = values[3] = mu[0] * own->c2 + mu[1] * own->s2;
}

static void third(const mechanics *self, const double *v, double *values)
{
    const elastic *own = self->own;
    const double length = l2 + own->q[Q4], w1 = l1 * v[PHI1] * v[PHI1], w2 = v[PHI2] * v[PHI2],
                 mixed = 2 * v[PHI2] * v[Q4];
    const double entries[ENTRIES] = {-own->c1 * w1,
                                     -length * own->c2 * w2 - own->s2 * mixed,
                                     -own->s2 * w2,
                                     -own->s1 * w1,
                                     -length * own->s2 * w2 + own->c2 * mixed,
                                     0,
                                     own->c2 * w2,
                                     0};
    memcpy(values, entries, sizeof entries);
}

static void set_constants(elastic *own)
{
    const double area = width * height, fb = rho * area * l2, slender = height / l2;
    own->fm = rho * area * l2;
    own->fk = young * area / l2;
    own->k11 = own->fk * pow(pi7, 4) / 24 * slender * slender;
    own->k22 = own->fk * 2 * pow(pi7, 4) / 3 * slender * slender;
    own->b13 = -16 * fb / pow(pi7, 3);
    own->b14 = fb * (8 / pow(pi7, 3) - 1 / pi7);
    own->b24 = fb / (2 * pi7);
    own->r1_3 = l1 * 2 * fb / 3;
    own->r1_4 = l1 * fb / 6;
    own->r2_1 = l1 * 2 / pi7 * fb;
    own->c12_3 = l2 * fb / 3;
    own->c12_4 = l2 * fb / 6;
    own->c21_1 = l2 * fb / pi7;
    own->c21_2 = -l2 * fb / (2 * pi7);
    own->half = l1 * l2 * mass2 / 2;
    const double stretch = 1.69327969e-5, stretch_rate = -2.68938672e-6;
    const double q0[COORDINATES] = {0, 0, l1 + l2 + stretch, 0, 0, 1.03339863e-5, stretch},
                 v0[COORDINATES] = {speed,         -speed * l1 / (l2 + stretch),
                                    stretch_rate,  0.444896105,
                                    4.63434311e-3, -1.78591076e-6,
                                    stretch_rate};
    memcpy(own->q0, q0, sizeof q0);
    memcpy(own->v0, v0, sizeof v0);
    own->rate[2] = -speed;
}

static places dense(void)
{
    places list = places_make(COORDINATES * COORDINATES);
    for (int i = 0; i < list.count; i++) {
        list.row[i] = i % COORDINATES;
        list.column[i] = i / COORDINATES;
    }
    return list;
}

mechanics *elastic_create(void)
{
    elastic *own = take(1, sizeof *own);
    set_constants(own);
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "elastic-slider-crank",
                        .nq = COORDINATES,
                        .nl = 3,
                        .t_end = 0.1,
                        .band = 2,
                        .q0 = own->q0,
                        .v0 = own->v0,
                        .rate = own->rate,
                        .mass = dense(),
                        .force_q = dense(),
                        .force_v = dense(),
                        .jacobian = places_listed(jacobian_place, ENTRIES),
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
