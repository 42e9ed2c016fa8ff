/* models.c - see models.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "invariants/models.h"

#include "check.h"
#include "eom/eom.h"

static const double gravity = 13.75;

static crank_eom *create(const crank_eom_definition *d)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    CHECK_OK(crank_eom_create(d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* ---- pendulum: rows gII gI e g dyn dyn kin kin ---- */

static crank_status pendulum_rows(double t, const double *x, double *k, void *user)
{
    const energy_pendulum *c = user;
    const double *v = x + 1, *p = x + 3;
    const double vv = v[0] * v[0] + v[1] * v[1], pp = p[0] * p[0] + p[1] * p[1];
    (void)t;
    k[0] = 2.0 * (vv - gravity * p[1]) - 4.0 * pp * x[0];
    k[1] = 2.0 * (p[0] * v[0] + p[1] * v[1]);
    k[2] = 0.5 * vv + gravity * p[1] - c->energy;
    k[3] = pp - 1.0;
    k[4] = -2.0 * p[0] * x[0];
    k[5] = -2.0 * p[1] * x[0] - gravity;
    k[6] = v[0];
    k[7] = v[1];
    return CRANK_OK;
}

static crank_status pendulum_jacobian(double t, const double *x, const double *vdot,
                                      double *values, void *user)
{
    const double l = x[0], *v = x + 1, *p = x + 3, g = gravity;
    const double J[5][8] = {
        {-4.0 * (p[0] * p[0] + p[1] * p[1]), 0.0, 0.0, 0.0, -2.0 * p[0], -2.0 * p[1], 0.0, 0.0},
        {4.0 * v[0], 2.0 * p[0], v[0], 0.0, 0.0, 0.0, 1.0, 0.0},
        {4.0 * v[1], 2.0 * p[1], v[1], 0.0, 0.0, 0.0, 0.0, 1.0},
        {-8.0 * p[0] * l, 2.0 * v[0], 0.0, 2.0 * p[0], -2.0 * l, 0.0, 0.0, 0.0},
        {-2.0 * g - 8.0 * p[1] * l, 2.0 * v[1], g, 2.0 * p[1], 0.0, -2.0 * l, 0.0, 0.0}};
    (void)t;
    (void)vdot;
    (void)user;
    memcpy(values, J, sizeof J);
    return CRANK_OK;
}

crank_eom *energy_pendulum_create(energy_pendulum *data)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1, .e = 1};
    d.evaluate = pendulum_rows;
    d.jacobian = pendulum_jacobian;
    d.autonomous = true;
    d.user = data;
    return create(&d);
}

double energy_pendulum_energy(const double *x)
{
    return 0.5 * (x[1] * x[1] + x[2] * x[2]) + gravity * x[4];
}

void energy_pendulum_start(energy_pendulum *data, double angle, double speed, double *x)
{
    x[3] = sin(angle);
    x[4] = -cos(angle);
    x[1] = speed * cos(angle);
    x[2] = speed * sin(angle);
    x[0] = 0.5 * (speed * speed - gravity * x[4]);
    data->energy = energy_pendulum_energy(x);
}

/* ---- planet: rows e e dyn dyn kin kin ---- */

static crank_status planet_rows(double t, const double *x, double *k, void *user)
{
    const planet *c = user;
    const double *v = x, *p = x + 2, r = hypot(p[0], p[1]);
    (void)t;
    k[0] = 0.5 * (v[0] * v[0] + v[1] * v[1]) - 1.0 / r - c->energy;
    k[1] = p[0] * v[1] - p[1] * v[0] - c->momentum;
    k[2] = -p[0] / (r * r * r);
    k[3] = -p[1] / (r * r * r);
    k[4] = v[0];
    k[5] = v[1];
    return CRANK_OK;
}

static crank_status planet_jacobian(double t, const double *x, const double *vdot,
                                    double *values, void *user)
{
    const double *v = x, *p = x + 2, r = hypot(p[0], p[1]), c = 1.0 / (r * r * r),
                 q = 3.0 * c / (r * r);
    const double J[4][6] = {{v[0], -p[1], 0.0, 0.0, 1.0, 0.0},
                            {v[1], p[0], 0.0, 0.0, 0.0, 1.0},
                            {p[0] * c, v[1], q * p[0] * p[0] - c, q * p[0] * p[1], 0.0, 0.0},
                            {p[1] * c, -v[0], q * p[0] * p[1], q * p[1] * p[1] - c, 0.0, 0.0}};
    (void)t;
    (void)vdot;
    (void)user;
    memcpy(values, J, sizeof J);
    return CRANK_OK;
}

crank_eom *planet_create(planet *data)
{
    static const char *const names[] = {"energy", "momentum"};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .e = 2};
    d.evaluate = planet_rows;
    d.jacobian = planet_jacobian;
    d.invariant_names = names;
    d.user = data;
    return create(&d);
}

void planet_start(planet *data, double distance, double speed, double *x)
{
    x[0] = x[3] = 0.0;
    x[1] = speed;
    x[2] = distance;
    data->energy = 0.5 * speed * speed - 1.0 / distance;
    data->momentum = distance * speed;
}

/* ---- slider crank: rows d d | gII.. | gI.. | g.. | dyn dyn | kin kin; m1 = 1, m2 = 1.8, l1
 * = 1, g = 9.81 ---- */

static crank_status crank_rows(double t, const double *x, double *k, void *user)
{
    const carried_crank *c = user;
    const int nl = c->rows;
    const double *w = x, *v = x + 2 + nl, *p = v + 2, l2 = c->l2, a = 1.8 * l2,
                 s = sin(p[0] + p[1]);
    const double off = -a * cos(p[0] + p[1]), G[2] = {cos(p[0]), -l2 * cos(p[1])};
    double l = 0.0;
    (void)t;
    for (int i = 0; i < nl; i++) {
        l += c->factor[i] * x[2 + i];
    }
    k[0] = 2.8 * w[0] + off * w[1] + 2.8 * 9.81 * cos(p[0]) + a * v[1] * v[1] * s + G[0] * l;
    k[1] = off * w[0] + a * l2 * w[1] - a * 9.81 * cos(p[1]) + a * v[0] * v[0] * s + G[1] * l;
    const double gII =
        G[0] * w[0] + G[1] * w[1] - sin(p[0]) * v[0] * v[0] + l2 * sin(p[1]) * v[1] * v[1];
    for (int i = 0; i < nl; i++) {
        k[2 + i] = c->factor[i] * gII;
        k[2 + nl + i] = c->factor[i] * (G[0] * v[0] + G[1] * v[1]);
        k[2 + 2 * nl + i] = c->factor[i] * (sin(p[0]) - l2 * sin(p[1]));
    }
    memcpy(k + 2 + 3 * nl, w, 2 * sizeof *w);
    memcpy(k + 4 + 3 * nl, v, 2 * sizeof *v);
    return CRANK_OK;
}

crank_eom *carried_crank_create(carried_crank *data)
{
    static const char *const loops[] = {"loop", "loop2", "loop3", "loop4"};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .w = 2, .lambda = data->rows};
    d.evaluate = crank_rows; /* the Jacobian by differences */
    d.names[CRANK_LAMBDA] = loops;
    d.user = data;
    crank_eom *eom = create(&d);
    eom->carried[0] = eom->carried[1] = true;
    return eom;
}

/* M w = f - G^T lambda, G w = 0 with p = v = 0: lambda = -17.658 for every l2, w from both
 * rows */
void carried_crank_start(const carried_crank *data, double *x)
{
    const double l2 = data->l2, G[2] = {1.0, -l2}, M[3] = {2.8, -1.8 * l2, 1.8 * l2 * l2};
    const double f[2] = {-2.8 * 9.81, 1.8 * l2 * 9.81}, det = M[0] * M[2] - M[1] * M[1];
    const double Mf[2] = {(M[2] * f[0] - M[1] * f[1]) / det, (M[0] * f[1] - M[1] * f[0]) / det};
    const double MG[2] = {(M[2] * G[0] - M[1] * G[1]) / det, (M[0] * G[1] - M[1] * G[0]) / det};
    const double l = (G[0] * Mf[0] + G[1] * Mf[1]) / (G[0] * MG[0] + G[1] * MG[1]);
    memset(x, 0, ((size_t)data->rows + 6) * sizeof *x);
    x[0] = Mf[0] - MG[0] * l;
    x[1] = Mf[1] - MG[1] * l;
    x[2] = l / data->factor[0];
}
