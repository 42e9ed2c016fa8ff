/* eoms.c - the small models of eoms.h, by dual numbers: v + sum d_j eps_j. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eoms.h"

#include "check.h"

#include <math.h>
#include <string.h>

/* ---- dual numbers ---- */

static test_dual constant(double v)
{
    return (test_dual){.v = v};
}

static test_dual combine(double v, double a, const test_dual *x, double b, const test_dual *y)
{
    test_dual z = {.v = v};
    for (int j = 0; j < TEST_WIDTH; j++) {
        z.d[j] = a * x->d[j] + b * y->d[j];
    }
    return z;
}

static test_dual add(test_dual x, test_dual y)
{
    return combine(x.v + y.v, 1.0, &x, 1.0, &y);
}

static test_dual sub(test_dual x, test_dual y)
{
    return combine(x.v - y.v, 1.0, &x, -1.0, &y);
}

static test_dual mul(test_dual x, test_dual y)
{
    return combine(x.v * y.v, y.v, &x, x.v, &y);
}

static test_dual over(test_dual x, test_dual y)
{
    return combine(x.v / y.v, 1.0 / y.v, &x, -x.v / (y.v * y.v), &y);
}

static test_dual times(double a, test_dual x)
{
    return combine(a * x.v, a, &x, 0.0, &x);
}

static test_dual sine(test_dual x)
{
    return combine(sin(x.v), cos(x.v), &x, 0.0, &x);
}

static test_dual cosine(test_dual x)
{
    return combine(cos(x.v), -sin(x.v), &x, 0.0, &x);
}

/* ---- callbacks common to all models ---- */

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    const test_supply *s = user;
    test_dual X[TEST_WIDTH], K[2 * TEST_WIDTH];
    for (int j = 0; j < s->n; j++) {
        X[j] = constant(x[j]);
    }
    s->rows(user, t, X, K);
    for (int i = 0; i < s->m; i++) {
        k[i] = K[i].v;
    }
    return s->fail;
}

static crank_status jacobian(double t, const double *x, const double *vdot, double *values,
                             void *user)
{
    const test_supply *s = user;
    test_dual X[TEST_WIDTH], K[2 * TEST_WIDTH], M[TEST_WIDTH];
    for (int j = 0; j < s->n; j++) {
        X[j] = constant(x[j]);
        X[j].d[j] = 1.0;
    }
    s->rows(user, t, X, K);
    if (vdot != NULL && s->mass != NULL) {
        s->mass(user, t, X, M);
        for (int i = 0; i < s->nv; i++) {
            for (int j = 0; j < s->nv; j++) {
                K[s->dynamic + i] = sub(K[s->dynamic + i], times(vdot[j], M[i + j * s->nv]));
            }
        }
    }
    for (int j = 0; j < s->n; j++) {
        for (int i = 0; i < s->m; i++) {
            values[i + j * s->m] = K[i].d[j];
        }
    }
    return CRANK_OK;
}

static crank_status mass(double t, const double *x, double *values, void *user)
{
    const test_supply *s = user;
    test_dual X[TEST_WIDTH], M[TEST_WIDTH];
    for (int j = 0; j < s->n; j++) {
        X[j] = constant(x[j]);
    }
    s->mass(user, t, X, M);
    for (int i = 0; i < s->nv * s->nv; i++) {
        values[i] = M[i].v;
    }
    return CRANK_OK;
}

static crank_status initial(double t, const double *x, double *conditions, void *user)
{
    const test_supply *s = user;
    s->conditions(user, t, x, conditions);
    return CRANK_OK;
}

/* Completes the definition with what all models share, and makes the eom. */
static crank_eom *create(crank_eom_definition *d, test_supply *s)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    const crank_eom_sizes *z = &d->sizes;
    s->n = z->w + z->lambda + z->mu + z->r + z->v + z->s + z->p;
    s->m = s->n + 2 * z->lambda + z->mu + z->e + z->n;
    s->nv = z->v;
    s->dynamic = s->m - z->p - z->v;
    d->levels = s->levels;
    d->sizes.initial = s->initial;
    d->initial = s->initial > 0 ? initial : NULL;
    d->evaluate = evaluate;
    d->jacobian = s->no_jacobian ? NULL : jacobian;
    d->mass = s->mass != NULL ? mass : NULL;
    d->user = s;
    assert_true(s->n <= TEST_WIDTH && s->m <= 2 * TEST_WIDTH);
    const crank_status status = crank_eom_create(d, s->log, &eom, &err);
    CHECK_OK(status, err);
    return eom;
}

/* ---- pendulum ---- */

static void pendulum_rows(const void *user, double t, const test_dual *x, test_dual *k)
{
    const test_pendulum *data = user;
    const test_dual l = x[0], *v = x + 1, *p = x + 3;
    const test_dual pp = add(mul(p[0], p[0]), mul(p[1], p[1]));
    const test_dual vv = add(mul(v[0], v[0]), mul(v[1], v[1]));
    int i = 0;
    (void)t;
    k[i++] = sub(times(2.0, sub(vv, times(data->g, p[1]))), times(4.0 / data->m, mul(pp, l)));
    k[i++] = times(2.0, add(mul(p[0], v[0]), mul(p[1], v[1])));
    if (data->invariant) {
        k[i++] = sub(add(times(0.5 * data->m, vv), times(data->m * data->g, p[1])),
                     constant(data->energy));
    }
    k[i++] = sub(pp, constant(data->L * data->L));
    k[i++] = times(-2.0, mul(p[0], l));
    k[i++] = sub(times(-2.0, mul(p[1], l)), constant(data->m * data->g));
    k[i++] = v[0];
    k[i++] = v[1];
}

static void pendulum_mass(const void *user, double t, const test_dual *x, test_dual *M)
{
    const test_pendulum *data = user;
    (void)t;
    (void)x;
    M[0] = M[3] = constant(data->m);
    M[1] = M[2] = constant(0.0);
}

test_pendulum test_pendulum_default(void)
{
    return (test_pendulum){.m = 1.0, .L = 1.0, .g = 13.75};
}

crank_eom *test_pendulum_create(test_pendulum *data)
{
    static const char *const p[] = {"x", "y"}, *const v[] = {"vx", "vy"},
                             *const g[] = {"length"};
    static const char *const e[] = {"energy"};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1, .e = data->invariant ? 1 : 0};
    d.mass_kind = CRANK_MASS_FULL_CONSTANT;
    d.autonomous = true;
    d.names[CRANK_P] = p;
    d.names[CRANK_V] = v;
    d.names[CRANK_LAMBDA] = g;
    d.invariant_names = e;
    data->supply.rows = pendulum_rows;
    data->supply.mass = pendulum_mass;
    return create(&d, &data->supply);
}

void test_pendulum_start(const test_pendulum *data, double angle, double speed, double *x)
{
    const double L = data->L;
    x[3] = L * sin(angle);
    x[4] = -L * cos(angle);
    x[1] = speed * cos(angle);
    x[2] = speed * sin(angle);
    x[0] = data->m * (speed * speed - data->g * x[4]) / (2.0 * L * L);
}

/* ---- slider crank ---- */

static void slider_crank_mass(const void *user, double t, const test_dual *x, test_dual *M)
{
    const test_slider_crank *c = user;
    const test_dual *p = x + c->rows + 2;
    (void)t;
    M[0] = constant((c->m1 + c->m2) * c->l1 * c->l1);
    M[1] = M[2] = times(-c->m2 * c->l1 * c->l2, cosine(add(p[0], p[1])));
    M[3] = constant(c->m2 * c->l2 * c->l2);
}

static void slider_crank_rows(const void *user, double t, const test_dual *x, test_dual *k)
{
    const test_slider_crank *c = user;
    const int nl = c->rows;
    const test_dual *v = x + nl, *p = x + nl + 2;
    const test_dual G[2] = {times(c->l1, cosine(p[0])), times(-c->l2, cosine(p[1]))};
    const double a = c->m2 * c->l1 * c->l2;
    const test_dual s12 = sine(add(p[0], p[1]));
    test_dual l = constant(0.0), f[2], M[4];
    for (int i = 0; i < nl; i++) {
        l = add(l, times(c->factor[i], x[i]));
    }
    f[0] = sub(times(-(c->m1 + c->m2) * c->g * c->l1, cosine(p[0])),
               times(a, mul(mul(v[1], v[1]), s12)));
    f[1] = sub(times(c->m2 * c->g * c->l2, cosine(p[1])), times(a, mul(mul(v[0], v[0]), s12)));
    f[0] = sub(f[0], mul(G[0], l));
    f[1] = sub(f[1], mul(G[1], l));
    slider_crank_mass(user, t, x, M);
    const test_dual det = sub(mul(M[0], M[3]), mul(M[1], M[2]));
    const test_dual v1 = over(sub(mul(M[3], f[0]), mul(M[2], f[1])), det);
    const test_dual v2 = over(sub(mul(M[0], f[1]), mul(M[1], f[0])), det);
    const test_dual g = sub(times(c->l1, sine(p[0])), times(c->l2, sine(p[1])));
    const test_dual gI = add(mul(G[0], v[0]), mul(G[1], v[1]));
    test_dual gII = add(mul(G[0], v1), mul(G[1], v2));
    gII = sub(gII, times(c->l1, mul(sine(p[0]), mul(v[0], v[0]))));
    gII = add(gII, times(c->l2, mul(sine(p[1]), mul(v[1], v[1]))));
    for (int i = 0; i < nl; i++) {
        k[i] = times(c->factor[i], gII);
        k[nl + i] = times(c->factor[i], gI);
        k[2 * nl + i] = add(times(c->factor[i], g), constant(c->offset[i]));
    }
    memcpy(&k[3 * nl], f, sizeof f);
    memcpy(&k[3 * nl + 2], v, 2 * sizeof *v);
}

test_slider_crank test_slider_crank_default(void)
{
    return (test_slider_crank){
        .m1 = 1.0, .m2 = 1.8, .l1 = 1.0, .l2 = 3.0, .g = 9.81, .rows = 1, .factor = {1.0}};
}

crank_eom *test_slider_crank_create(test_slider_crank *data)
{
    static const char *const g[] = {"loop", "loop2", "loop3", "loop4"};
    static const char *const p[] = {"phi1", "phi2"}, *const v[] = {"omega1", "omega2"};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = data->rows};
    d.mass_kind = CRANK_MASS_FULL;
    d.autonomous = true;
    d.names[CRANK_P] = p;
    d.names[CRANK_V] = v;
    d.names[CRANK_LAMBDA] = g;
    data->supply.rows = slider_crank_rows;
    data->supply.mass = slider_crank_mass;
    return create(&d, &data->supply);
}

void test_slider_crank_start(const test_slider_crank *data, double *x)
{
    memset(x, 0, ((size_t)data->rows + 4) * sizeof *x);
    x[0] = -17.658;
}

/* ---- skate ---- */

static void skate_rows(const void *user, double t, const test_dual *x, test_dual *k)
{
    const test_skate *c = user;
    const test_dual mu = x[0], *v = x + 1, *p = x + 4;
    const test_dual H[2] = {times(-1.0, sine(p[2])), cosine(p[2])};
    const test_dual turned = sub(times(-1.0, mul(cosine(p[2]), v[0])), mul(sine(p[2]), v[1]));
    (void)t;
    /* rows: hI, h, dyn, kin */
    k[2] = sub(constant(c->m * c->g * sin(c->slope)), mul(H[0], mu));
    k[3] = times(-1.0, mul(H[1], mu));
    k[4] = constant(0.0);
    k[0] = add(times(1.0 / c->m, add(mul(H[0], k[2]), mul(H[1], k[3]))), mul(turned, v[2]));
    k[1] = add(mul(H[0], v[0]), mul(H[1], v[1]));
    memcpy(k + 5, v, 3 * sizeof *v);
}

static void skate_mass(const void *user, double t, const test_dual *x, test_dual *M)
{
    const test_skate *c = user;
    (void)t;
    (void)x;
    for (int i = 0; i < 9; i++) {
        M[i] = constant(i % 4 != 0 ? 0.0 : i == 8 ? c->J : c->m);
    }
}

test_skate test_skate_default(void)
{
    return (test_skate){.m = 1.0, .J = 0.2, .g = 9.81, .slope = 0.3, .omega = 1.5};
}

crank_eom *test_skate_create(test_skate *data)
{
    static const char *const p[] = {"x", "y", "phi"}, *const v[] = {"vx", "vy", "omega"};
    static const char *const h[] = {"blade"};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 3, .v = 3, .mu = 1};
    d.mass_kind = CRANK_MASS_FULL_CONSTANT;
    d.autonomous = true;
    d.names[CRANK_P] = p;
    d.names[CRANK_V] = v;
    d.names[CRANK_MU] = h;
    data->supply.rows = skate_rows;
    data->supply.mass = skate_mass;
    return create(&d, &data->supply);
}

/* phi = omega t, speed u along the blade: u' = a cos(phi), a = g sin(slope), so u = a/omega
 * sin(phi); across the blade m u omega = -a m sin(phi) - mu. */
void test_skate_exact(const test_skate *data, double t, double *x)
{
    const double a = data->g * sin(data->slope), w = data->omega, phi = w * t;
    const double u = a / w * sin(phi);
    x[0] = -data->m * (u * w + a * sin(phi));
    x[1] = u * cos(phi);
    x[2] = u * sin(phi);
    x[3] = w;
    x[4] = a / (2.0 * w * w) * sin(phi) * sin(phi);
    x[5] = a / (2.0 * w * w) * (phi - 0.5 * sin(2.0 * phi));
    x[6] = phi;
}

/* ---- academic example ---- */

static void academic_rows(const void *user, double t, const test_dual *x, test_dual *k)
{
    const test_dual w = x[0], *l = x + 1, *r = x + 3, *v = x + 5, *s = x + 8, *p = x + 10;
    const test_dual T = constant(t), ratio = over(s[1], p[2]);
    test_dual a[3], sd[2], sdd[2];
    (void)user;
    a[0] = sub(times(-2.0, p[1]), mul(add(sub(ratio, T), s[0]), l[0]));
    a[1] = sub(add(add(times(2.0, v[0]), p[1]), w), times(2.0, mul(p[1], l[1])));
    a[2] = sub(add(add(r[0], mul(r[1], p[2])), mul(add(mul(s[0], ratio), s[0]), l[0])),
               times(2.0, mul(p[2], l[1])));
    sd[0] = over(sub(v[0], mul(s[0], v[2])), p[2]);
    sd[1] = sub(v[0], v[2]);
    sdd[0] = over(sub(sub(a[0], mul(s[0], a[2])), times(2.0, mul(sd[0], v[2]))), p[2]);
    sdd[1] = sub(a[0], a[2]);
    k[0] = add(w, times(2.0, p[2]));
    k[1] = add(add(mul(sdd[0], s[1]), times(2.0, mul(sd[0], sd[1]))), mul(s[0], sdd[1]));
    k[1] = sub(sub(k[1], times(2.0, v[0])), mul(T, a[0]));
    k[2] = times(
        2.0, add(add(mul(v[1], v[1]), mul(v[2], v[2])), add(mul(p[1], a[1]), mul(p[2], a[2]))));
    k[3] = sub(sub(add(mul(sd[0], s[1]), mul(s[0], sd[1])), p[0]), mul(T, v[0]));
    k[4] = times(2.0, add(mul(p[1], v[1]), mul(p[2], v[2])));
    k[5] = sub(mul(s[0], p[2]), p[0]);
    k[6] = sub(sub(p[0], s[1]), p[2]);
    k[7] = sub(mul(s[0], s[1]), mul(T, p[0]));
    k[8] = sub(add(mul(p[1], p[1]), mul(p[2], p[2])), constant(1.0));
    k[9] = times(2.0, p[1]);
    k[10] = sub(constant(-2.0), times(2.0, s[0]));
    memcpy(k + 11, a, sizeof a);
    memcpy(k + 14, v, 3 * sizeof *v);
}

test_academic test_academic_default(void)
{
    return (test_academic){0};
}

crank_eom *test_academic_create(test_academic *data)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 3, .v = 3, .r = 2, .w = 1, .s = 2, .lambda = 2};
    data->supply.rows = academic_rows;
    return create(&d, &data->supply);
}

void test_academic_exact(double t, double *x)
{
    const double c = cos(t), s = sin(t);
    const double exact[13] = {-2.0 * c,          c, -t, -2.0 * c, -4.0 * t - t * t,
                              c - (1.0 + t) * s, c, -s, 1.0 + t,  t * c,
                              (1.0 + t) * c,     s, c};
    memcpy(x, exact, sizeof exact);
}
