/* radau_control.c - error estimate, theory (4.6), and step size, theory (4.7), (4.8).
 *
 * Two sets of rules. radau5: the classical step carries a factor that falls with the number of Newton
 * iterations, the predictive formula [Gus94] may only shorten it, after a rejection the step does not
 * grow, and a failing first estimate is filtered once more [HW96, IV.8]. published: the plain formulas,
 * which reproduce the counters of [Ste06, tables 5.8, 5.9]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <math.h>

/* err = (gamma/h E - J)^-1 [k(x) + E(x) sum e_i Y_i / h]; k: right-hand side at x or filtered */
crank_status crank_radau_solve_estimate(crank_integrator *it, crank_radau *s, const double *k,
                                        crank_error *err)
{
    crank_problem *p = it->problem;
    for (int r = 0; r < it->m; r++) {
        s->F[r] = p->differential[r] ? k[r] + s->lead[r] : 0.0;
    }
    return p->solve(p, 0, s->F, NULL, s->error, NULL, err);
}

/* size of the estimate; a value that is not finite is an error without bound (fmax would drop it) */
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
        status = crank_radau_solve_estimate(it, s, s->k0, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    *size = estimate_size(it, s);
    const bool filter = it->options.control_rules == CRANK_RULES_RADAU5;
    if (*size < 1.0 || isinf(*size) || !filter || !(s->first || s->rejected)) {
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
        status = crank_radau_solve_estimate(it, s, s->K, err);
        *size = estimate_size(it, s);
    }
    return status;
}

/* h_new after an error of the given size; accepted steps may use the predictive formula */
double crank_radau_new_step(const crank_integrator *it, const crank_radau *s, double size,
                            bool accepted)
{
    const crank_options *o = &it->options;
    const bool radau5 = o->control_rules == CRANK_RULES_RADAU5;
    const double iterations = s->iterations, limit = o->newton_max;
    const double factor_classical =
        radau5 ? o->safety * (2.0 * limit + 1.0) / (2.0 * limit + iterations) : o->safety;
    double shrink = pow(size, 0.25) / factor_classical;
    if (accepted && o->controller == CRANK_CONTROL_PREDICTIVE && s->error_accepted > 0.0) {
        const double predictive =
            s->h_accepted / it->h * pow(size * size / s->error_accepted, 0.25) / o->safety;
        shrink = radau5 ? fmax(shrink, predictive) : predictive;
    }
    shrink = fmax(1.0 / o->growth_max, fmin(1.0 / o->growth_min, shrink));
    return it->h / shrink;
}
