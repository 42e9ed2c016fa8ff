/* radau_error.c - the error estimate, theory (4.6):
 *     err = (gamma/h E - J)^-1 [k(x) + E(x) sum e_i Y_i / h]
 * By the rules of RADAU5 a failing first estimate is filtered once more [HW96, IV.8];
 * published: the plain formula, which reproduces the counters of [Ste06, tables 5.8, 5.9]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <math.h>

/* size of the estimate; a value that is not finite is an error without bound (fmax would
 * drop it) */
static double estimate_size(const crank_integrator *it, const crank_radau *s)
{
    const double size = crank_integrator_norm(it, 1, s->error, it->h);
    return isfinite(size) ? fmax(size, 1e-10) : (double)INFINITY;
}

crank_status crank_radau_estimate_error(crank_integrator *it, crank_radau *s, double *size,
                                        crank_error *err)
{
    crank_problem *p = it->problem;
    const double *e = crank_radau_estimate;
    const int n = it->n;
    for (int j = 0; j < n; j++) {
        s->dZ[j] = (e[0] * s->Y[j] + e[1] * s->Y[n + j] + e[2] * s->Y[2 * n + j]) / it->h;
    }
    crank_status status = p->lead(p, it->t, it->x, s->dZ, s->lead, err);
    if (status == CRANK_OK) {
        status = crank_implicit_filter(it, &s->common, s->common.k0, s->lead, s->error, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    *size = estimate_size(it, s);
    const bool filter = it->options.control_rules == CRANK_RULES_RADAU5;
    if (*size < 1.0 || isinf(*size) || !filter || !(s->common.first || it->rejected)) {
        return CRANK_OK;
    }
    /* stiff parts: once more with k at the corrected point [HW96, (8.20)] */
    for (int j = 0; j < n; j++) {
        s->X[j] = it->x[j] + s->error[j];
    }
    status = p->evaluate(p, 1, &it->t, s->X, s->K, err);
    if (status > CRANK_OK) {
        return CRANK_OK; /* outside the domain: the first estimate stands */
    }
    if (status == CRANK_OK) {
        status = crank_implicit_filter(it, &s->common, s->K, s->lead, s->error, err);
        *size = estimate_size(it, s);
    }
    return status;
}
