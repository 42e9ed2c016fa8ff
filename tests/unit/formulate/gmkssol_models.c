/* gmkssol_models.c - the models of gmkssol_models.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "gmkssol_models.h"

#include "check.h"

/* Mass 2 led along a circle: g = (x - sin t, y - cos t); r' = x. Exact: r = 1 - cos t.
 * x = [l1 l2 | r | vx vy | x y] */
static crank_status led_rows(double t, const double *x, double *k, void *user)
{
    const double m = 2.0, ax = -x[0] / m, ay = -9.81 - x[1] / m;
    const double rows[] = {ax + sin(t),   ay + cos(t),   x[3] - cos(t), x[4] + sin(t),
                           x[5] - sin(t), x[6] - cos(t), x[5],          m * ax,
                           m * ay,        x[3],          x[4]};
    (void)user;
    memcpy(k, rows, sizeof rows);
    return CRANK_OK;
}

static crank_status led_mass(double t, const double *x, double *values, void *user)
{
    (void)t;
    (void)x;
    (void)user;
    values[0] = values[1] = 2.0;
    return CRANK_OK;
}

crank_eom *gmkssol_led_create(void)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .r = 1, .lambda = 2};
    d.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    d.evaluate = led_rows;
    d.mass = led_mass;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

void gmkssol_led_exact(double t, double *x)
{
    const double exact[] = {
        2.0 * sin(t), 2.0 * (cos(t) - 9.81), 1.0 - cos(t), cos(t), -sin(t), sin(t), cos(t)};
    memcpy(x, exact, sizeof exact);
}

/* Four-bar linkage with bars 1, 3, 2.5 and ground 3, crank angle driven by 2 t, M = I.
 * x = [l1 l2 l3 | va vb vc | a b c] */
static crank_status four_bar_rows(double t, const double *x, double *k, void *user)
{
    const double length[] = {1.0, 3.0, -2.5}, *v = x + 3, *p = x + 6;
    double acceleration[3], *gII = k, *gI = k + 3, *g = k + 6, *dynamic = k + 9;
    (void)user;
    for (int j = 0; j < 3; j++) {
        const double c = length[j] * cos(p[j]), s = length[j] * sin(p[j]);
        acceleration[j] = s * x[0] - c * x[1] - (j == 0 ? x[2] : 0.0);
        dynamic[j] = acceleration[j];
        dynamic[3 + j] = v[j];
    }
    g[0] = -3.0;
    g[1] = gI[0] = gI[1] = gII[0] = gII[1] = 0.0;
    for (int j = 0; j < 3; j++) {
        const double c = length[j] * cos(p[j]), s = length[j] * sin(p[j]);
        g[0] += c;
        g[1] += s;
        gI[0] -= s * v[j];
        gI[1] += c * v[j];
        gII[0] -= s * acceleration[j] + c * v[j] * v[j];
        gII[1] += c * acceleration[j] - s * v[j] * v[j];
    }
    g[2] = p[0] - 2.0 * t;
    gI[2] = v[0] - 2.0;
    gII[2] = acceleration[0];
    return CRANK_OK;
}

crank_eom *gmkssol_four_bar_create(void)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 3, .v = 3, .lambda = 3};
    d.evaluate = four_bar_rows;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* rocker angle c and coupler angle b on the branch with the coupler joint above the ground */
void gmkssol_four_bar_exact(double t, double *p)
{
    const double x = 3.0 - cos(2.0 * t), y = -sin(2.0 * t), d = hypot(x, y);
    /* triangle over the diagonal from the crank's end to the rocker's foot: sides 3 and 2.5 */
    const double angle = acos((9.0 + d * d - 6.25) / (6.0 * d));
    p[0] = 2.0 * t;
    p[1] = atan2(y, x) + angle;
    p[2] = atan2(sin(p[0]) + 3.0 * sin(p[1]), cos(p[0]) + 3.0 * cos(p[1]) - 3.0);
}

/* Two oscillators, one of them stiff and strongly damped: y1'' = -y1, y2'' = -1e6 (y2 - y1) -
 * 2e3 y2' */
crank_status gmkssol_oscillators_rows(double t, const double *x, double *k, void *user)
{
    const double *v = x, *p = x + 2;
    const double rows[] = {-p[0], -1e6 * (p[1] - p[0]) - 2e3 * v[1], v[0], v[1]};
    (void)t;
    (void)user;
    memcpy(k, rows, sizeof rows);
    return CRANK_OK;
}

/* the same with p' = Z v; factor is Z's diagonal */
crank_status gmkssol_scaled_rows(double t, const double *x, double *k, void *user)
{
    const double factor = *(const double *)user;
    (void)t;
    k[0] = -x[1];
    k[1] = factor * x[0];
    return CRANK_OK;
}

/* Mass 1 with g = (x, c (t) y): c is zero, round-off, or rises from zero after t = 1 */
static crank_status fading_rows(double t, const double *x, double *k, void *user)
{
    const gmkssol_fading kind = *(const gmkssol_fading *)user;
    const double late = fmax(0.0, t - 1.0);
    const double c = kind == GMKSSOL_RISING      ? late * late * late
                     : kind == GMKSSOL_ROUND_OFF ? 1e-16
                                                 : 0.0;
    const double c1 = kind == GMKSSOL_RISING ? 3.0 * late * late : 0.0,
                 c2 = kind == GMKSSOL_RISING ? 6.0 * late : 0.0;
    const double *v = x + 2, *p = x + 4, ax = -x[0], ay = -c * x[1];
    const double rows[] = {ax,   c2 * p[1] + 2.0 * c1 * v[1] + c * ay,
                           v[0], c1 * p[1] + c * v[1],
                           p[0], c * p[1],
                           ax,   ay,
                           v[0], v[1]};
    memcpy(k, rows, sizeof rows);
    return CRANK_OK;
}

crank_eom *gmkssol_fading_create(gmkssol_fading *kind)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 2};
    d.evaluate = fading_rows;
    d.user = kind;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

crank_eom *gmkssol_plain_create(crank_eom_evaluate_fn *evaluate, int positions, void *user)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = positions, .v = positions};
    d.evaluate = evaluate;
    d.user = user;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}
