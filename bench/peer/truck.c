/* truck.c - the truck over a hump, models/truck/equations.yaml by hand, in its nine
 * coordinates: rear wheel 0; chassis 1 and angle 2; front wheel 3; cabin 4 and angle 5; loading
 * area 6 (along), 7 and angle 8.
 *
 * A spring from end to end is (X, Z), of length L. With u_j = X X_j + Z Z_j (X_j = dX/dq_j), P
 * = X X' + Z Z':
 *     Q_j = -n u_j,  n = k + fN/L + d P/L^2
 *     dn/dq_k = -fN u_k/L^3 + d (X_k X' + Z_k Z' + X X_kk v_k + Z Z_kk v_k)/L^2 - 2 d P u_k/L^4
 *     dQ_j/dq_k = -dn/dq_k u_j - n (X_k X_j + Z_k Z_j + [j = k] (X X_jj + Z Z_jj)),
 *         dQ_j/dv_k = -d u_k u_j/L^2 */
// SPDX-License-Identifier: BSD-3-Clause
#include "rotating.h"

#include <math.h>
#include <string.h>

enum { COORDINATES = 9, SPRINGS = 5, MOST = 5 };

static const double masses[COORDINATES] = {1450, 3335,  14313, 600,  1100,
                                           948,  11515, 11515, 33000};
static const double weights[COORDINATES] = {1450, 3335, 0, 600, 1100, 0, 0, 11515, 0};
static const double grav = 9.81, speed = 15, a12 = -2.06, a23 = 2.44;
static const double k10 = 4400000, d10 = 600, f10 = -2329145.162, k30 = 2200000, d30 = 300,
                    f30 = -1147434.838;
static const double start_v[COORDINATES] = {0};

/* constraints: along, up */
static const rotating_vector vectors[] = {{0, 2, -1, -3.07, 0.15}, {0, 8, -1, 1.61, 0.75}};
static const rotating_line lines[] = {{0, 6, -1}, {1, 1, 1}, {1, 7, -1}};
static const double constants[2] = {0, 0};

/* an end: coordinates along, up and of the angle (-1: none), its place on the body */
typedef struct end {
    int along, up, angle;
    double a, h;
} end;
typedef struct spring {
    end first, second;
    double offset, stiffness, damping, nominal;
} spring;

static const spring springs[SPRINGS] = {
    {{-1, 0, -1, 0, 0}, {-1, 1, 2, -2.06, -1.34}, 2.06, 824700, 21593, -246872.662},
    {{-1, 3, -1, 0, 0}, {-1, 1, 2, 2.44, -1.34}, -2.44, 271100, 38537, -84924.838},
    {{-1, 1, 2, 1.94, 0}, {-1, 4, 5, -0.8, 0}, 2.74, 135700, 12218, -127842.88235294},
    {{-1, 1, 2, 3.64, 0}, {-1, 4, 5, 0.9, 0}, 2.74, 135700, 12218, -127208.11764706},
    {{-1, 1, 2, 0.98, 0}, {6, 7, 8, 2.44, 0}, 0, 900000, 38500, -854905.94111111}};

/* a spring at a position: its coordinates with first and second derivatives of X and Z */
typedef struct stretched {
    int count, coordinate[MOST];
    double dx[MOST], dz[MOST], dxx[MOST], dzz[MOST], along[MOST];
    double x, z, square;
} stretched;

typedef struct truck {
    rotating loops; /* first, for rotating_attach */
    double q0[COORDINATES], q[COORDINATES], turned[4];
    double sine[COORDINATES], cosine[COORDINATES]; /* of the angles */
    double u1, u3, u1_rate, u3_rate;               /* the road under the wheels */
    stretched spring[SPRINGS];
} truck;

static void attach(const truck *own, const end *at, double sign, stretched *out)
{
    if (at->along >= 0) {
        out->x += sign * own->q[at->along];
        out->coordinate[out->count] = at->along;
        out->dx[out->count++] = sign;
    }
    out->z += sign * own->q[at->up];
    out->coordinate[out->count] = at->up;
    out->dz[out->count++] = sign;
    if (at->angle < 0)
        return;
    const double sine = own->sine[at->angle], cosine = own->cosine[at->angle];
    const double x = sign * (at->a * cosine - at->h * sine),
                 z = sign * (at->a * sine + at->h * cosine);
    const int k = out->count++;
    out->coordinate[k] = at->angle;
    out->x += x;
    out->z += z;
    out->dx[k] = -z;
    out->dz[k] = x;
    out->dxx[k] = -x;
    out->dzz[k] = -z;
}

static void road(double t, double delay, double *height, double *rate)
{
    const double s = t > delay ? t - delay : 0, fifth = 0.001 * s * s * s * s * s * exp(-s);
    *height = fifth * s;
    *rate = fifth * (6 - s);
}

static void place(mechanics *self, double t, const double *q)
{
    truck *own = self->own;
    memcpy(own->q, q, sizeof own->q);
    rotating_place(&own->loops);
    for (int i = 2; i < COORDINATES; i += 3) {
        own->sine[i] = sin(q[i]);
        own->cosine[i] = cos(q[i]);
    }
    road(t, (a23 - a12 + 2) / speed, &own->u1, &own->u1_rate);
    road(t, 2 / speed, &own->u3, &own->u3_rate);
    for (int i = 0; i < SPRINGS; i++) {
        stretched *s = &own->spring[i];
        *s = (stretched){.x = springs[i].offset};
        attach(own, &springs[i].first, -1, s);
        attach(own, &springs[i].second, 1, s);
        s->square = s->x * s->x + s->z * s->z;
        for (int k = 0; k < s->count; k++)
            s->along[k] = s->x * s->dx[k] + s->z * s->dz[k];
    }
}

static void mass_values(const mechanics *self, double *values)
{
    (void)self;
    memcpy(values, masses, sizeof masses);
}

static void force(const mechanics *self, const double *v, double *f)
{
    const truck *own = self->own;
    for (int i = 0; i < COORDINATES; i++)
        f[i] = -grav * weights[i];
    f[0] += -k10 * (own->q[0] - own->u1) - d10 * (v[0] - own->u1_rate) - f10;
    f[3] += -k30 * (own->q[3] - own->u3) - d30 * (v[3] - own->u3_rate) - f30;
    for (int i = 0; i < SPRINGS; i++) {
        const stretched *s = &own->spring[i];
        double p = 0;
        for (int k = 0; k < s->count; k++)
            p += s->along[k] * v[s->coordinate[k]];
        const double n = springs[i].stiffness + springs[i].nominal / sqrt(s->square) +
                         springs[i].damping * p / s->square;
        for (int k = 0; k < s->count; k++)
            f[s->coordinate[k]] -= n * s->along[k];
    }
}

/* -dQ/dq of one spring, by columns */
static double *spring_q(const spring *at, const stretched *s, const double *v, double *values)
{
    double x_rate = 0, z_rate = 0;
    for (int k = 0; k < s->count; k++) {
        x_rate += s->dx[k] * v[s->coordinate[k]];
        z_rate += s->dz[k] * v[s->coordinate[k]];
    }
    const double square = s->square, length = sqrt(square), p = s->x * x_rate + s->z * z_rate;
    const double n = at->stiffness + at->nominal / length + at->damping * p / square;
    for (int k = 0; k < s->count; k++) {
        const double rate = v[s->coordinate[k]];
        const double bent = s->x * s->dxx[k] + s->z * s->dzz[k];
        const double dn =
            -at->nominal * s->along[k] / (length * square) +
            at->damping * ((s->dx[k] * x_rate + s->dz[k] * z_rate + bent * rate) / square -
                           2 * p * s->along[k] / (square * square));
        for (int j = 0; j < s->count; j++)
            *values++ = dn * s->along[j] +
                        n * (s->dx[k] * s->dx[j] + s->dz[k] * s->dz[j] + (j == k ? bent : 0));
    }
    return values;
}

static void force_q_values(const mechanics *self, const double *v, const double *a,
                           double *values)
{
    const truck *own = self->own;
    (void)a;
    *values++ = k10;
    *values++ = k30;
    for (int i = 0; i < SPRINGS; i++)
        values = spring_q(&springs[i], &own->spring[i], v, values);
}

static void force_v_values(const mechanics *self, const double *v, double *values)
{
    const truck *own = self->own;
    (void)v;
    *values++ = d10;
    *values++ = d30;
    for (int i = 0; i < SPRINGS; i++) {
        const stretched *s = &own->spring[i];
        for (int k = 0; k < s->count; k++) {
            const double factor = springs[i].damping * s->along[k] / s->square;
            for (int j = 0; j < s->count; j++)
                *values++ = factor * s->along[j];
        }
    }
}

/* tyres, then all pairs of coordinates of each spring, by columns */
static places spring_places(const truck *own)
{
    int count = 2;
    for (int i = 0; i < SPRINGS; i++)
        count += own->spring[i].count * own->spring[i].count;
    places list = places_make(count);
    list.row[1] = list.column[1] = 3;
    int at = 2;
    for (int i = 0; i < SPRINGS; i++)
        for (int k = 0; k < own->spring[i].count; k++)
            for (int j = 0; j < own->spring[i].count; j++, at++) {
                list.row[at] = own->spring[i].coordinate[j];
                list.column[at] = own->spring[i].coordinate[k];
            }
    return list;
}

mechanics *truck_create(void)
{
    const double q0[COORDINATES] = {0.5, 2, 0, 0.5, 2.9, 0, -3.07 + 1.61, 2 + 0.15 + 0.75, 0};
    truck *own = take(1, sizeof *own);
    memcpy(own->q0, q0, sizeof q0);
    own->loops = (rotating){2, 3, 2, vectors, lines, constants, own->turned, own->q};
    mechanics *self = take(1, sizeof *self);
    *self = (mechanics){.name = "truck",
                        .nq = COORDINATES,
                        .nl = 2,
                        .t_end = 20,
                        .diagonal = true,
                        .band = 1,
                        .q0 = own->q0,
                        .v0 = start_v,
                        .mass = places_diagonal(COORDINATES),
                        .own = own,
                        .place = place,
                        .mass_values = mass_values,
                        .force = force,
                        .force_q_values = force_q_values,
                        .force_v_values = force_v_values};
    rotating_attach(self);
    place(self, 0, own->q0);
    self->force_q = spring_places(own);
    self->force_v = spring_places(own);
    return self;
}
