/* gmkssol_selectors.c - the singular value decomposition of G = dg/dp and what follows from it:
 *
 *     D^-1 G = U Sigma V^T,   S_p = V2^T,   S_l = U1^T D^-1,   S_fix = U2^T D^-1
 *
 * the rank and its changes, the age of the selectors, and the singularity monitor: the smallest
 * singular value, relative to its largest value so far, is followed and extrapolated linearly,
 * so that steps end before a singular position instead of jumping over it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/scale.h"
#include "formulate/gmkssol.h"

#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* rows may be dependent at consistent points only: more rank is believed from this value on */
static const double rank_rise = 1e-3;
/* cosine below which selectors are renewed before their time */
static const double old_selectors = 0.1;

/* D^-1 G into s->block; D: largest entry of each row so far, so that a row that vanishes is
 * seen. D has a floor: rows of nothing but round-off must stay below the rank tolerance. */
static void scaled_constraints(crank_gmkssol *s)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_G], nl = s->nl;
    const double floor = fmin(1.0, 10.0 * DBL_EPSILON / s->options.rank_tolerance);
    double largest = 0.0;
    memset(s->block, 0, (size_t)nl * (size_t)s->np * sizeof *s->block);
    for (int j = 0; j < s->np; j++) {
        const int column = eom->column[CRANK_P] + j;
        for (int k = pattern->start[column]; k < pattern->start[column + 1]; k++) {
            const int i = pattern->row[k] - first;
            if (i >= 0 && i < nl) {
                s->block[i + (long)j * nl] = s->jacobian[k];
                s->row_scale[i] = fmax(s->row_scale[i], fabs(s->jacobian[k]));
                largest = fmax(largest, s->row_scale[i]);
            }
        }
    }
    for (int i = 0; i < nl; i++) {
        s->row_scale[i] = fmax(s->row_scale[i], floor * largest);
        const double scale = s->row_scale[i] > 0.0 ? s->row_scale[i] : 1.0;
        s->row_scale[i] = scale;
        for (int j = 0; j < s->np; j++) {
            s->block[i + (long)j * nl] /= scale;
        }
    }
}

/* accelerations at (t, x), with which the Jacobian of a state-dependent M is asked for */
static crank_status accelerations(crank_gmkssol *s, double t, const double *x, crank_error *err)
{
    crank_status status = crank_gmkssol_mass(s, t, x, err);
    s->mass_decomposed = status == CRANK_OK;
    if (status != CRANK_OK || s->eom->mass_is_identity || crank_eom_mass_constant(s->eom)) {
        return status;
    }
    s->statistics.evaluations++;
    status = crank_eom_evaluate_rows(s->eom, 1, &t, x, CRANK_DIFFERENTIAL, s->rows, err);
    if (status == CRANK_OK) {
        memcpy(s->acceleration, s->rows + s->eom->row[CRANK_ROW_DYN],
               (size_t)s->np * sizeof *s->acceleration);
        crank_gmkssol_mass_solve(s, s->acceleration);
    }
    return status;
}

/* is (t, x) the decomposed point, up to slack times the size of each group? */
static bool is_decomposed(const crank_gmkssol *s, double t, const double *x, double slack)
{
    const crank_eom *eom = s->eom;
    bool near = s->decomposed && t == s->decomposed_t;
    for (int g = 0; g < CRANK_GROUPS && near; g++) {
        double size = 0.0, change = 0.0;
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            size = fmax(size, fabs(x[j]));
            change = fmax(change, fabs(x[j] - s->decomposed_x[j]));
        }
        near = change <= slack * size;
    }
    return near;
}

crank_status crank_gmkssol_decompose(crank_gmkssol *s, double t, const double *x, double slack,
                                     crank_error *err)
{
    if (is_decomposed(s, t, x, slack)) {
        return CRANK_OK;
    }
    s->decomposed = false;
    crank_status status = accelerations(s, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    s->statistics.jacobians++;
    status = crank_eom_evaluate_jacobian(s->eom, t, x, s->acceleration, s->jacobian, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(s->eom, s->jacobian, x, s->algebraic_scale);
    if (s->nl > 0) {
        scaled_constraints(s);
        s->selectors_fresh = false;
        if (!crank_svd(s->nl, s->np, s->block, s->nl, s->sigma, s->U, s->VT, s->work,
                       s->work_size)) {
            return crank_fail(
                err, CRANK_EDECOMPOSITION,
                "the singular value decomposition of the constraints failed at t = %g", t);
        }
        status = s->rank >= 0 ? crank_gmkssol_multiplier_matrix(s, err) : CRANK_OK;
    }
    s->decomposed = status == CRANK_OK;
    s->decomposed_t = t;
    memcpy(s->decomposed_x, x, (size_t)s->eom->n * sizeof *x);
    return status;
}

/* K = U1^T D^-1 gII_lambda D U1, where gII_lambda = -G M^-1 G^T */
crank_status crank_gmkssol_multiplier_matrix(crank_gmkssol *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_GII], nl = s->nl, r = s->rank;
    memset(s->K, 0, (size_t)r * (size_t)r * sizeof *s->K);
    for (int j = 0; j < nl; j++) {
        const int column = eom->column[CRANK_LAMBDA] + j;
        memset(s->reduced, 0, (size_t)r * sizeof *s->reduced);
        for (int k = pattern->start[column]; k < pattern->start[column + 1]; k++) {
            const int i = pattern->row[k] - first;
            for (int l = 0; l < r && i >= 0 && i < nl; l++) {
                s->reduced[l] += s->U[i + (long)l * nl] * s->jacobian[k] / s->row_scale[i];
            }
        }
        for (int c = 0; c < r; c++) {
            const double factor = s->row_scale[j] * s->U[j + (long)c * nl];
            for (int l = 0; l < r; l++) {
                s->K[l + (long)c * r] += s->reduced[l] * factor;
            }
        }
    }
    if (!crank_lu_factor(r, s->K, r, s->K_pivot)) {
        return crank_fail(
            err, CRANK_ERANK_MISMATCH,
            "the multipliers are not determined: G M^-1 G^T has a lower rank than G (%d)", r);
    }
    return CRANK_OK;
}

static int small_side(const crank_gmkssol *s)
{
    return s->nl < s->np ? s->nl : s->np;
}

void crank_gmkssol_find_rank(crank_gmkssol *s)
{
    s->rank = 0;
    const double tolerance =
        s->nl > 0 ? s->options.rank_tolerance * fmax(s->sigma[0], 1.0) : 0.0;
    for (int i = 0; i < small_side(s) && s->sigma[i] > tolerance; i++) {
        s->rank++;
    }
    s->freedom = s->np - s->rank;
}

void crank_gmkssol_explain(const crank_gmkssol *s, int k, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < s->nl; i++) {
        const size_t used = strlen(text);
        if (fabs(s->U[i + (long)k * s->nl]) > 0.3 && used + 8 < size) {
            char name[120];
            crank_eom_row_name(s->eom, s->eom->row[CRANK_ROW_G] + i, name, sizeof name);
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? " with " : "", name);
        }
    }
}

crank_status crank_gmkssol_check_rank(crank_gmkssol *s, crank_error *err)
{
    const double unit = fmax(s->sigma[0], 1.0);
    const int r = s->rank;
    const bool falls = r > 0 && !(s->sigma[r - 1] > s->options.rank_tolerance * unit);
    const bool rises = r < small_side(s) && s->sigma[r] > rank_rise * unit;
    if (!falls && !rises) {
        return CRANK_OK;
    }
    char rows[240];
    crank_gmkssol_explain(s, falls ? r - 1 : r, rows, sizeof rows);
    return crank_fail(err, CRANK_ERANK_CHANGED,
                      "the rank of the constraints %s %d at t = %g: %s",
                      falls ? "falls below" : "exceeds", r, s->decomposed_t, rows);
}

void crank_gmkssol_select(crank_gmkssol *s)
{
    const int nl = s->nl, np = s->np, r = s->rank, fixed = nl - r;
    for (int i = 0; i < nl; i++) {
        for (int k = 0; k < r; k++) {
            s->S_l[k + (long)i * r] = s->U[i + (long)k * nl] / s->row_scale[i];
        }
        for (int k = 0; k < fixed; k++) {
            s->S_fix[k + (long)i * fixed] = s->U[i + (long)(r + k) * nl] / s->row_scale[i];
        }
    }
    for (int j = 0; j < np; j++) {
        for (int k = 0; k < s->freedom; k++) {
            s->S_p[k + (long)j * s->freedom] =
                r > 0 ? s->VT[r + k + (long)j * np] : (k == j ? 1.0 : 0.0);
        }
    }
    s->statistics.selector_updates++;
    s->selectors_fresh = true;
    s->selectors_due = false;
    s->steps_since = 0;
}

/* smallest cosine between S_p and the present ker G: the smallest singular value of S_p V2 */
static bool measure_alignment(crank_gmkssol *s)
{
    const int np = s->np, f = s->freedom, r = s->rank;
    s->alignment = 1.0;
    if (s->selectors_fresh || f == 0 || r == 0) {
        return true;
    }
    double *W = s->block, *sigma = s->reduced;
    memset(W, 0, (size_t)f * (size_t)f * sizeof *W);
    for (int k = 0; k < np; k++) {
        for (int j = 0; j < f; j++) {
            const double factor = s->VT[r + j + (long)k * np];
            for (int i = 0; i < f; i++) {
                W[i + (long)j * f] += s->S_p[i + (long)k * f] * factor;
            }
        }
    }
    if (!crank_svd(f, f, W, f, sigma, NULL, NULL, s->work, s->work_size)) {
        return false;
    }
    s->alignment = sigma[f - 1];
    return true;
}

crank_status crank_gmkssol_monitor(crank_gmkssol *s, double t, crank_error *err)
{
    if (s->nl == 0 || s->rank == 0) {
        return CRANK_OK;
    }
    const double smallest = s->sigma[s->rank - 1];
    s->largest = fmax(s->largest, smallest);
    crank_singular_look(&s->singular, t, smallest / s->largest);
    if (!measure_alignment(s)) {
        return crank_fail(err, CRANK_EDECOMPOSITION,
                          "the selectors cannot be compared at t = %g", t);
    }
    if (s->alignment < old_selectors && s->options.selector_period >= 0) {
        s->selectors_due = true;
    } else if (s->alignment < old_selectors && !s->warned) {
        s->warned = true;
        crank_log_write(
            &s->log, CRANK_WARNING,
            "t = %g: the constant selectors (selector_period=-1) are nearly useless here; "
            "selector_period=0 renews them",
            t);
    }
    return CRANK_OK;
}

crank_status crank_gmkssol_step_limit(crank_problem *base, double t, double *h,
                                      crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const double threshold = s->options.singular_threshold;
    if (s->options.selector_period < 0 && s->alignment <= threshold) {
        return crank_fail(
            err, CRANK_ESINGULAR,
            "the constant selectors do not complete the constraints any more at t = %g; "
            "use selector_period=0",
            s->singular.t);
    }
    const double asked = *h;
    const crank_status status = crank_singular_limit(&s->singular, &s->options, t, h);
    if (status == CRANK_ESINGULAR) {
        char rows[240], remark[CRANK_SINGULAR_TEXT];
        crank_gmkssol_explain(s, s->rank - 1, rows, sizeof rows);
        return crank_fail(
            err, CRANK_ESINGULAR,
            "singular position: the rank of the constraints drops at %s%s", rows,
            crank_singular_remark(&s->singular, &s->options, "singular value", asked, remark));
    }
    return status == CRANK_OK && s->freedom == 0 ? crank_gmkssol_forced_limit(s, t, h, err)
                                                 : status;
}

bool crank_gmkssol_singular_ahead(crank_problem *base, double t, double *zero)
{
    const crank_gmkssol *s = (const crank_gmkssol *)base;
    return s->options.selector_period >= 0 &&
           crank_singular_ahead(&s->singular, &s->options, t, zero);
}

double crank_gmkssol_regularity(const crank_problem *base)
{
    const crank_gmkssol *s = (const crank_gmkssol *)base;
    return s->sigma[s->rank - 1];
}

crank_status crank_gmkssol_land(crank_problem *base, double t, double *x, const double *xdot,
                                crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    s->before = s->singular;
    const crank_status status = base->prepare(base, t, x, xdot, err);
    if (status != CRANK_OK || !crank_singular_behind(&s->singular, &s->before)) {
        return CRANK_RETRY;
    }
    return crank_gmkssol_correct(base, t, x, err) == CRANK_OK ? CRANK_OK : CRANK_RETRY;
}

void crank_gmkssol_landed(crank_problem *base, bool passed, double zero)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    if (!passed) {
        s->singular = s->before;
        return;
    }
    char rows[240];
    crank_gmkssol_explain(s, s->rank - 1, rows, sizeof rows);
    crank_singular_pass(&s->singular, &s->before, zero, rows, &s->log);
    s->statistics.singular_passages++;
    s->selectors_due = true;
}
