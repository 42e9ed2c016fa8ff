/* gmkssol_correct.c - pulls a point back onto g = 0, gI = 0, gII = 0 by the smallest changes of
 * p, v and lambda, with the singular value decomposition D^-1 G = U Sigma V^T of the last
 * decomposed point:
 *
 *     dp = -V1 Sigma^-1 U1^T D^-1 g
 *     dv = -V1 Sigma^-1 U1^T D^-1 (gI + gI_p dp)
 *     dlambda = -D U1 K^-1 U1^T D^-1 (gII + gII_p dp + gII_v dv)
 *     K = U1^T D^-1 gII_lambda D U1
 *
 * repeated until the residuals are round-off. Where that converges slowly the decomposition is
 * renewed at the present iterate; the selectors and the Newton matrix of the step are not
 * touched by this. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/gmkssol.h"

#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 12, MAX_HALVINGS = 20 };
static const double slow = 0.1; /* contraction from which a new decomposition pays */
/* Newton's residual is squared by a step with the Jacobian of the point itself: from a residual
 * this small one step reaches round-off, with a factor of 1000 to spare */
static const double certain = 4e-10;

/* y (r) = U1^T D^-1 rows */
static void reduce(const crank_gmkssol *s, const double *rows, double *y)
{
    for (int k = 0; k < s->rank; k++) {
        double sum = 0.0;
        for (int i = 0; i < s->nl; i++) {
            sum += s->U[i + (long)k * s->nl] * rows[i] / s->row_scale[i];
        }
        y[k] = sum;
    }
}

/* out (np) = -V1 Sigma^-1 U1^T D^-1 rows */
static void smallest_change(crank_gmkssol *s, const double *rows, double *out)
{
    reduce(s, rows, s->reduced);
    for (int j = 0; j < s->np; j++) {
        double sum = 0.0;
        for (int k = 0; k < s->rank; k++) {
            sum -= s->VT[k + (long)j * s->np] * s->reduced[k] / s->sigma[k];
        }
        out[j] = sum;
    }
}

/* k += dk/dx delta over the columns of one group, algebraic rows */
static void add_group(crank_gmkssol *s, crank_group group, double *k)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int j = eom->column[group]; j < eom->column[group + 1]; j++) {
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            k[pattern->row[e]] += s->jacobian[e] * s->delta[j];
        }
    }
}

/* delta from the residuals k, which are used up */
static void project(crank_gmkssol *s, double *k)
{
    const crank_eom *eom = s->eom;
    memset(s->delta, 0, (size_t)eom->n * sizeof *s->delta);
    smallest_change(s, k + eom->row[CRANK_ROW_G], s->delta + eom->column[CRANK_P]);
    add_group(s, CRANK_P, k);
    smallest_change(s, k + eom->row[CRANK_ROW_GI], s->delta + eom->column[CRANK_V]);
    add_group(s, CRANK_V, k);
    reduce(s, k + eom->row[CRANK_ROW_GII], s->reduced);
    crank_lu_solve(s->rank, s->K, s->rank, s->K_pivot, s->reduced);
    double *multiplier = s->delta + eom->column[CRANK_LAMBDA];
    for (int i = 0; i < s->nl; i++) {
        double sum = 0.0;
        for (int l = 0; l < s->rank; l++) {
            sum -= s->U[i + (long)l * s->nl] * s->reduced[l];
        }
        multiplier[i] = s->row_scale[i] * sum;
    }
}

/* What rounding the terms of the constraints, eps |J| |x|, does to p, v and lambda: near a
 * singular position 1e-16 in a position is 1e-16/sigma^2 and more in a multiplier. */
void crank_gmkssol_update_noise(crank_gmkssol *s, const double *x)
{
    const crank_pattern *J = &s->eom->jacobian_pattern;
    memset(s->rows, 0, (size_t)s->eom->m * sizeof *s->rows);
    for (int j = 0; j < s->base.n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            s->rows[J->row[e]] += DBL_EPSILON * fabs(s->jacobian[e] * x[j]);
        }
    }
    project(s, s->rows);
    for (int j = 0; j < s->base.n; j++) {
        s->noise[j] = fabs(s->delta[j]);
    }
}

/* largest residual of g, gI, gII relative to its row */
static double largest_residual(const crank_gmkssol *s, const double *k)
{
    static const crank_row_group groups[] = {CRANK_ROW_GII, CRANK_ROW_GI, CRANK_ROW_G};
    double largest = 0.0;
    for (int g = 0; g < 3; g++) {
        const int first = s->eom->row[groups[g]];
        for (int i = first; i < first + s->nl; i++) {
            const double size = fabs(k[i]) / s->algebraic_scale[i];
            largest = size <= largest ? largest : size; /* NaN stays */
        }
    }
    return largest;
}

crank_status crank_gmkssol_correct(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const size_t bytes = (size_t)base->n * sizeof *x;
    const double floor = fmax(1e3 * DBL_EPSILON, 10.0 * s->eom->noise);
    const bool fresh =
        s->decomposed && t == s->decomposed_t && memcmp(x, s->decomposed_x, bytes) == 0;
    double last = (double)INFINITY;
    memcpy(s->point, x, bytes);
    for (int i = 0; i < MAX_CORRECTIONS; i++) {
        crank_status status =
            crank_eom_evaluate_rows(s->eom, 1, &t, s->point, CRANK_ALGEBRAIC, s->k, err);
        s->statistics.constraint_evaluations++;
        if (status != CRANK_OK) {
            return status;
        }
        const double size = largest_residual(s, s->k);
        const bool stalled = i > 0 && !(size < 0.5 * last);
        if (!isfinite(size)) {
            break;
        }
        if (size <= 2.0 * DBL_EPSILON || (stalled && size <= floor)) {
            memcpy(x, s->point, bytes);
            return CRANK_OK;
        }
        if (!s->decomposed || (i > 0 && size > slow * last)) {
            status = crank_gmkssol_decompose(s, t, s->point, 0.0, err);
            if (status != CRANK_OK) {
                return status;
            }
        }
        project(s, s->k);
        for (int j = 0; j < base->n; j++) {
            s->point[j] += s->delta[j];
        }
        if (i == 0 && fresh && size <= certain) {
            memcpy(x, s->point, bytes);
            return CRANK_OK;
        }
        last = size;
    }
    return crank_fail(err, CRANK_RETRY,
                      "the correction onto the constraints does not converge");
}

/* lambda alone, from gII = 0 at the decomposed point */
crank_status crank_gmkssol_complete(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const crank_eom *eom = s->eom;
    for (int i = 0; i < 2; i++) { /* the second time for rounding */
        const crank_status status =
            crank_eom_evaluate_rows(s->eom, 1, &t, x, CRANK_ALGEBRAIC, s->k, err);
        if (status != CRANK_OK) {
            return status;
        }
        memset(s->k + eom->row[CRANK_ROW_G], 0, (size_t)s->nl * sizeof *s->k);
        memset(s->k + eom->row[CRANK_ROW_GI], 0, (size_t)s->nl * sizeof *s->k);
        project(s, s->k);
        for (int j = 0; j < base->n; j++) {
            x[j] += s->delta[j];
        }
    }
    return CRANK_OK;
}

static double largest_entry(int n, const double *y)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fabs(y[i]) <= largest ? largest : fabs(y[i]); /* NaN stays */
    }
    return largest;
}

/* Without degrees of freedom no error estimate bounds the step, but Newton's iteration must not
 * fall into another branch of the constraints: at t + h it starts near p + h v + h^2/2 a, and
 * its first change has to be small against this move, or smaller still against the largest move
 * so far. */
crank_status crank_gmkssol_forced_limit(crank_gmkssol *s, double t, double *h, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int p = eom->column[CRANK_P], v = eom->column[CRANK_V], np = s->np;
    const double *x = s->accepted_x;
    if (!s->decomposed || t != s->accepted_t) {
        return CRANK_OK;
    }
    crank_status status = crank_gmkssol_mass(s, t, x, err);
    if (status == CRANK_OK) {
        status = crank_eom_evaluate_rows(s->eom, 1, &t, x, CRANK_DIFFERENTIAL, s->rows, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    double *a = s->acceleration;
    memcpy(a, s->rows + eom->row[CRANK_ROW_DYN], (size_t)np * sizeof *a);
    crank_gmkssol_mass_solve(s, a);
    for (int halvings = 0; halvings < MAX_HALVINGS; halvings++) {
        const double end = t + *h;
        memcpy(s->point, x, (size_t)s->base.n * sizeof *x);
        for (int j = 0; j < np; j++) {
            s->delta[j] = *h * (x[v + j] + 0.5 * *h * a[j]);
            s->point[p + j] += s->delta[j];
            s->point[v + j] += *h * a[j];
        }
        const double move = largest_entry(np, s->delta);
        s->statistics.constraint_evaluations++;
        status = crank_eom_evaluate_rows(s->eom, 1, &end, s->point, CRANK_ALGEBRAIC, s->k, err);
        if (status < 0) {
            return status;
        }
        smallest_change(s, s->k + eom->row[CRANK_ROW_G], s->delta);
        if (status == CRANK_OK &&
            largest_entry(np, s->delta) <= 0.1 * move + 0.01 * s->largest_move) {
            s->largest_move = fmax(s->largest_move, move);
            break;
        }
        *h *= 0.5;
    }
    return CRANK_OK;
}
