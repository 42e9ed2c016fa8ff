/* flow.c - hidden constraints by differences along the motion.
 *
 * Through (t, x) goes the curve
 *     p(tau) = p + tau p' + tau^2/2 p'',  v(tau) = v + tau v',
 *     c(p(tau), s(tau), t + tau) = const,
 *     p' = f_kin,  v' = M^-1 f_dyn,  p'' = d f_kin/d tau,
 * which agrees with the motion as far as the first two derivatives of g and the first of h
 * see it:
 *     gI = d g/d tau,  gII = d2 g/d tau2 (or d gI/d tau),  hI = d h/d tau,       theory (1.8)
 * all at tau = 0.
 *
 * Central differences of order 6 on 7 points. With T the time in which the state changes by
 * about its size, tau = 0.01 T makes truncation and rounding of the second derivative about
 * 1e-11 of the size of the terms. The formulas of order 4 on the inner points tell whether
 * the step suits the functions (a fast drive, say); if not it is shortened. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/flow.h"

#include "eom/scale.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double step_fraction = 0.01;
static const double agreement = 1e-7;       /* between the orders 6 and 4 */
static const double singular_ratio = 1e-13; /* of pivots */

enum { SHORTER_STEPS = 3, NEWTON_STEPS = 12 };

void crank_flow_layout(crank_flow *flow, crank_arena *arena)
{
    const crank_eom *eom = flow->eom;
    const crank_eom_sizes *z = &eom->sizes;
    const size_t np = (size_t)z->p, nv = (size_t)z->v, ns = (size_t)z->s;
    const size_t nl = (size_t)z->lambda, nm = (size_t)z->mu;
    const size_t full = crank_eom_mass_diagonal(eom) ? 0 : nv * nv;
    const size_t mass =
        eom->mass_pattern.start != NULL ? (size_t)eom->mass_pattern.start[nv] : 0;
    flow->x = crank_arena_take(arena, (size_t)eom->n, sizeof(double));
    flow->k = crank_arena_take(arena, (size_t)eom->m, sizeof(double));
    flow->vdot = crank_arena_take(arena, nv, sizeof(double));
    flow->pdot = crank_arena_take(arena, np, sizeof(double));
    flow->pddot = crank_arena_take(arena, np, sizeof(double));
    flow->mass_values = crank_arena_take(arena, mass, sizeof(double));
    flow->mass_full = crank_arena_take(arena, full, sizeof(double));
    flow->mass_pivot = crank_arena_take(arena, nv, sizeof(int));
    flow->cs = crank_arena_take(arena, ns * ns, sizeof(double));
    flow->cs_step = crank_arena_take(arena, ns, sizeof(double));
    flow->cs_pivot = crank_arena_take(arena, ns, sizeof(int));
    flow->gI = crank_arena_take(arena, nl, sizeof(double));
    flow->gII = crank_arena_take(arena, nl, sizeof(double));
    flow->hI = crank_arena_take(arena, nm, sizeof(double));
    flow->low = crank_arena_take(arena, 2 * nl + nm, sizeof(double));
}

/* LU; false also if the pivots say that the matrix is singular to working precision. */
static bool factor(int n, double *A, int *pivot)
{
    double largest = 0.0, smallest = (double)INFINITY;
    if (!crank_lu_factor(n, A, n, pivot)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        const double size = fabs(A[i + i * n]);
        largest = fmax(largest, size);
        smallest = fmin(smallest, size);
    }
    return n == 0 || smallest > singular_ratio * largest;
}

static crank_status factor_mass(crank_flow *flow, double t, const double *x, crank_error *err)
{
    const crank_eom *eom = flow->eom;
    const crank_pattern *pattern = &eom->mass_pattern;
    const int nv = eom->sizes.v;
    if (eom->mass_is_identity) {
        return CRANK_OK;
    }
    const crank_status status = flow->mass(flow->self, t, x, flow->mass_values, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!crank_eom_mass_diagonal(eom)) {
        memset(flow->mass_full, 0, (size_t)nv * (size_t)nv * sizeof *flow->mass_full);
        for (int j = 0; j < nv; j++) {
            for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
                flow->mass_full[pattern->row[k] + j * nv] = flow->mass_values[k];
            }
        }
        if (!factor(nv, flow->mass_full, flow->mass_pivot)) {
            return crank_fail(
                err, CRANK_EREFUSED,
                "the mass matrix is singular at t = %g: supply gII and hI (levels = "
                "CRANK_LEVELS_ALL), they cannot be made by differences",
                t);
        }
        return CRANK_OK;
    }
    for (int j = 0; j < nv; j++) {
        if (flow->mass_values[j] == 0.0) {
            return crank_fail(err, CRANK_EREFUSED,
                              "the mass of %s is zero at t = %g: supply gII and hI (levels = "
                              "CRANK_LEVELS_ALL), they cannot be made by differences",
                              crank_eom_column_name(eom, eom->column[CRANK_V] + j), t);
        }
    }
    return CRANK_OK;
}

void crank_flow_mass_solve(const crank_flow *flow, double *y)
{
    const crank_eom *eom = flow->eom;
    if (eom->mass_is_identity) {
        return;
    }
    if (crank_eom_mass_diagonal(eom)) {
        for (int j = 0; j < eom->sizes.v; j++) {
            y[j] /= flow->mass_values[j];
        }
        return;
    }
    crank_lu_solve(eom->sizes.v, flow->mass_full, eom->sizes.v, flow->mass_pivot, y);
}

/* c_s by central differences, and its factors. */
static crank_status factor_contact(crank_flow *flow, double t, const double *x,
                                   crank_error *err)
{
    const crank_eom *eom = flow->eom;
    const int ns = eom->sizes.s, s = eom->column[CRANK_S], c = eom->row[CRANK_ROW_C];
    memcpy(flow->x, x, (size_t)eom->n * sizeof *x);
    for (int j = 0; j < ns; j++) {
        const double size = cbrt(DBL_EPSILON) * fmax(fabs(x[s + j]), 1.0);
        for (int side = 0; side < 2; side++) {
            flow->x[s + j] = side == 0 ? x[s + j] + size : x[s + j] - size;
            const crank_status status = flow->evaluate(flow->self, t, flow->x, flow->k, err);
            if (status != CRANK_OK) {
                return status;
            }
            for (int i = 0; i < ns; i++) {
                double *entry = &flow->cs[i + j * ns];
                *entry = side == 0 ? flow->k[c + i] : (*entry - flow->k[c + i]) / (2.0 * size);
            }
        }
        flow->x[s + j] = x[s + j];
    }
    if (!factor(ns, flow->cs, flow->cs_pivot)) {
        return crank_fail(
            err, CRANK_EREDUNDANT_POSITION,
            "the contact equations do not determine %s ... at t = %g (c_s is singular)",
            crank_eom_column_name(eom, s), t);
    }
    return CRANK_OK;
}

crank_status crank_flow_prepare(crank_flow *flow, double t, const double *x, const double *k,
                                crank_error *err)
{
    const crank_eom *eom = flow->eom;
    memcpy(flow->vdot, k + eom->row[CRANK_ROW_DYN], (size_t)eom->sizes.v * sizeof *k);
    crank_status status = factor_mass(flow, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_flow_mass_solve(flow, flow->vdot);
    return eom->sizes.s > 0 ? factor_contact(flow, t, x, err) : CRANK_OK;
}

/* The state at tau on the curve, s still that of x. */
static void move(crank_flow *flow, const double *x, double tau, bool second)
{
    const crank_eom *eom = flow->eom;
    const int p = eom->column[CRANK_P], v = eom->column[CRANK_V];
    memcpy(flow->x, x, (size_t)eom->n * sizeof *x);
    for (int i = 0; i < eom->sizes.p; i++) {
        const double bend = second ? 0.5 * tau * flow->pddot[i] : 0.0;
        flow->x[p + i] += tau * (flow->pdot[i] + bend);
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        flow->x[v + i] += tau * flow->vdot[i];
    }
}

/* Rows at tau, with s such that c keeps its value. */
static crank_status evaluate_at(crank_flow *flow, double t, const double *x, const double *k,
                                double tau, crank_error *err)
{
    const crank_eom *eom = flow->eom;
    const int ns = eom->sizes.s, s = eom->column[CRANK_S], c = eom->row[CRANK_ROW_C];
    double previous = (double)INFINITY;
    move(flow, x, tau, true);
    for (int iteration = 0;; iteration++) {
        const crank_status status = flow->evaluate(flow->self, t + tau, flow->x, flow->k, err);
        if (status != CRANK_OK || ns == 0 || iteration == NEWTON_STEPS) {
            return status;
        }
        for (int i = 0; i < ns; i++) {
            flow->cs_step[i] = flow->k[c + i] - k[c + i];
        }
        crank_lu_solve(ns, flow->cs, ns, flow->cs_pivot, flow->cs_step);
        double size = 0.0;
        for (int i = 0; i < ns; i++) {
            size = fmax(size, fabs(flow->cs_step[i]) / (1.0 + fabs(flow->x[s + i])));
        }
        if (!(size > DBL_EPSILON && size < previous)) {
            return CRANK_OK;
        }
        previous = size;
        for (int i = 0; i < ns; i++) {
            flow->x[s + i] -= flow->cs_step[i];
        }
    }
}

/* p'' = d f_kin/d tau, order 4. */
static crank_status second_derivative(crank_flow *flow, double t, const double *x, double step,
                                      crank_error *err)
{
    static const double place[4] = {1.0, -1.0, 2.0, -2.0};
    static const double weight[4] = {8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0};
    const crank_eom *eom = flow->eom;
    const int np = eom->sizes.p, kin = eom->row[CRANK_ROW_KIN];
    memset(flow->pddot, 0, (size_t)np * sizeof *flow->pddot);
    for (int l = 0; l < 4; l++) {
        move(flow, x, place[l] * step, false);
        const crank_status status =
            flow->evaluate(flow->self, t + place[l] * step, flow->x, flow->k, err);
        if (status != CRANK_OK) {
            return status;
        }
        for (int i = 0; i < np; i++) {
            flow->pddot[i] += weight[l] / step * flow->k[kin + i];
        }
    }
    return CRANK_OK;
}

/* Adds one stencil point to results of order 6 and 4. */
static void add_point(crank_flow *flow, const double *k, double step, const double w1[2],
                      const double w2[2])
{
    const crank_eom *eom = flow->eom;
    const int nl = eom->sizes.lambda, nm = eom->sizes.mu;
    const double *g = k + eom->row[CRANK_ROW_G], *gI = k + eom->row[CRANK_ROW_GI];
    const double *h = k + eom->row[CRANK_ROW_H];
    double *low = flow->low;
    for (int i = 0; i < nl; i++) {
        const double first = g[i] / step;
        const double second = flow->from_velocity ? gI[i] / step : first / step;
        const double *w = flow->from_velocity ? w1 : w2;
        flow->gI[i] += w1[0] * first;
        low[i] += w1[1] * first;
        flow->gII[i] += w[0] * second;
        low[nl + i] += w[1] * second;
    }
    for (int i = 0; i < nm; i++) {
        flow->hI[i] += w1[0] * h[i] / step;
        low[2 * nl + i] += w1[1] * h[i] / step;
    }
}

/* Do the orders agree? Where units are not known rows are of size one. */
static bool step_suits(const crank_flow *flow)
{
    const int nl = flow->eom->sizes.lambda, nm = flow->eom->sizes.mu;
    double worst = 0.0, size = flow->eom->parts != NULL ? 0.0 : 1.0;
    for (int i = 0; i < 2 * nl + nm; i++) {
        const double high = i < nl       ? flow->gI[i]
                            : i < 2 * nl ? flow->gII[i - nl]
                                         : flow->hI[i - 2 * nl];
        worst = fmax(worst, fabs(high - flow->low[i]));
        size = fmax(size, fabs(high));
    }
    return worst <= agreement * size;
}

static crank_status differentiate(crank_flow *flow, double t, const double *x, const double *k,
                                  double step, crank_error *err)
{
    /* place; first derivative of order 6 and 4; second derivative of order 6 and 4 */
    static const double stencil[7][5] = {
        {0.0, 0.0, 0.0, -490.0 / 180.0, -30.0 / 12.0},
        {1.0, 45.0 / 60.0, 8.0 / 12.0, 270.0 / 180.0, 16.0 / 12.0},
        {-1.0, -45.0 / 60.0, -8.0 / 12.0, 270.0 / 180.0, 16.0 / 12.0},
        {2.0, -9.0 / 60.0, -1.0 / 12.0, -27.0 / 180.0, -1.0 / 12.0},
        {-2.0, 9.0 / 60.0, 1.0 / 12.0, -27.0 / 180.0, -1.0 / 12.0},
        {3.0, 1.0 / 60.0, 0.0, 2.0 / 180.0, 0.0},
        {-3.0, -1.0 / 60.0, 0.0, 2.0 / 180.0, 0.0},
    };
    const size_t nl = (size_t)flow->eom->sizes.lambda, nm = (size_t)flow->eom->sizes.mu;
    const crank_status status = second_derivative(flow, t, x, 0.1 * step, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(flow->gI, 0, nl * sizeof(double));
    memset(flow->gII, 0, nl * sizeof(double));
    memset(flow->hI, 0, nm * sizeof(double));
    memset(flow->low, 0, (2 * nl + nm) * sizeof(double));
    add_point(flow, k, step, stencil[0] + 1, stencil[0] + 3);
    for (int l = 1; l < 7; l++) {
        const crank_status point = evaluate_at(flow, t, x, k, stencil[l][0] * step, err);
        if (point != CRANK_OK) {
            return point;
        }
        add_point(flow, flow->k, step, stencil[l] + 1, stencil[l] + 3);
    }
    return CRANK_OK;
}

/* Rounding of differences with that step: eps times the sum of the weights' sizes. */
static void note_rounding(crank_flow *flow, double step)
{
    const double first = 110.0 / 60.0 * DBL_EPSILON / step;
    const double second = 1088.0 / 180.0 * DBL_EPSILON / (step * step);
    flow->rounding[CRANK_GI_OF_G] = flow->from_velocity ? 0.0 : first;
    flow->rounding[CRANK_GII_OF_G] = flow->from_velocity ? 0.0 : second;
    flow->rounding[CRANK_GII_OF_GI] = flow->from_velocity ? first : 0.0;
    flow->rounding[CRANK_HI_OF_H] = first;
}

/* what a change of unknown j is compared with */
static double size_of(const crank_eom *eom, int j, double x)
{
    bool known;
    const double unit = crank_scale_unit(eom, j, &known);
    return known ? fmax(unit, fabs(x)) : unit + fabs(x);
}

/* Time in which p and v change by about their size, at most the natural one, or 1 where the
 * model does not tell. */
static double time_scale(const crank_flow *flow, const double *x)
{
    const crank_eom *eom = flow->eom;
    const int p = eom->column[CRANK_P], v = eom->column[CRANK_V];
    const bool natural = eom->parts != NULL && eom->parts->time > 0.0;
    double rate = natural ? 1.0 / eom->parts->time : 1.0;
    for (int i = 0; i < eom->sizes.p; i++) {
        rate = fmax(rate, fabs(flow->pdot[i]) / size_of(eom, p + i, x[p + i]));
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        rate = fmax(rate, fabs(flow->vdot[i]) / size_of(eom, v + i, x[v + i]));
    }
    return 1.0 / rate;
}

crank_status crank_flow_levels(crank_flow *flow, double t, const double *x, const double *k,
                               crank_error *err)
{
    const crank_eom *eom = flow->eom;
    memcpy(flow->pdot, k + eom->row[CRANK_ROW_KIN], (size_t)eom->sizes.p * sizeof *k);
    double step = step_fraction * time_scale(flow, x);
    for (int attempt = 0;; attempt++) {
        const crank_status status = differentiate(flow, t, x, k, step, err);
        note_rounding(flow, step);
        if (status < 0 ||
            (status == CRANK_OK && (step_suits(flow) || attempt == SHORTER_STEPS))) {
            return status;
        }
        if (attempt == SHORTER_STEPS) {
            return status;
        }
        step *= 0.125;
    }
}
