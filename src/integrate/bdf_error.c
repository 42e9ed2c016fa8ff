/* bdf_error.c - what a BDF step is off: weights, norms, the error test and the errors at the
 * orders below.
 *
 * Unknowns with rates of their own are off by c_k (x - x_p), theory (4.28). Algebraic ones y
 * (multipliers, contact variables, auxiliary ones) have none: they follow from the others, and
 * are off by what these are off,
 *     d = c_k (c_j E - J)^-1 c_j E (x - x_p)      zero on algebraic rows          theory (4.30)
 * with the factors of the corrector. Their y - y_p says nothing of it: it stays where y jumps
 * and with stiff forces it has the changes of E_k(h) = O(h^k) with every change of order and
 * step size. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <math.h>
#include <string.h>

bool crank_bdf_follows(const crank_integrator *it, int j)
{
    return !crank_integrator_is_differential(it, j) && it->problem->scaling[j] == 0;
}

/* Those of higher-index parts (problem.h, scaling) enter with powers of the step size and as
 * they are. Unknowns of which some part is in no equation (held) are not extrapolated and not
 * tested. */
void crank_bdf_weigh(const crank_integrator *it, crank_bdf *s)
{
    const crank_problem *p = it->problem;
    const double part_of_time = it->h / it->time;
    const double power[] = {1.0, part_of_time, part_of_time * part_of_time};
    double *restrict weight = s->weight;
    for (int j = 0, n = it->n; j < n; j++) {
        weight[j] = p->tested[j] ? power[p->scaling[j]] / it->scale[j] : 0.0;
    }
    for (int j = 0; j < it->n && s->error_weight != weight; j++) {
        const bool held = p->held != NULL && p->held[j];
        const bool follows = s->following > 0 && crank_bdf_follows(it, j);
        s->error_weight[j] = held || follows ? 0.0 : weight[j];
        s->follow_weight[j] = !held && follows ? weight[j] : 0.0;
    }
}

/* option error_norm: max; a NaN stays one */
static double largest_part(const crank_integrator *it, const double *weight, const double *z)
{
    double largest = 0.0;
    for (int j = 0; j < it->n && !isnan(largest); j++) {
        const double part = fabs(z[j] * weight[j]);
        largest = part <= largest ? largest : part;
    }
    return largest;
}

double crank_bdf_norm(const crank_integrator *it, const double *weight, const double *z)
{
    if (it->options.error_norm == CRANK_NORM_MAX) {
        return largest_part(it, weight, z);
    }
    double even = 0.0, odd = 0.0; /* two sums at a time */
    int j = 0;
    for (const int n = it->n - 3; j < n; j += 4) {
        const double a = z[j] * weight[j], b = z[j + 1] * weight[j + 1],
                     c = z[j + 2] * weight[j + 2], d = z[j + 3] * weight[j + 3];
        even += a * a;
        odd += b * b;
        even += c * c;
        odd += d * d;
    }
    if (j + 1 < it->n) {
        const double a = z[j] * weight[j], b = z[j + 1] * weight[j + 1];
        even += a * a;
        odd += b * b;
    }
    const double last = it->n % 2 == 1 ? z[it->n - 1] * weight[it->n - 1] : 0.0;
    return sqrt((even + odd + last * last) / (it->tested > 0 ? it->tested : 1));
}

double crank_bdf_norm_with(crank_integrator *it, crank_bdf *s, double *z, double sign, int i)
{
    const double *phi = crank_bdf_phi(it, i);
    for (int j = 0; j < it->n; j++) {
        z[j] += sign * phi[j];
    }
    return crank_bdf_norm(it, s->error_weight, z);
}

/* The norm of what algebraic unknowns are off if the others are by e, theory (4.30); factors of
 * a neighbouring step size do. */
static crank_status follow(crank_integrator *it, crank_bdf *s, double *size, crank_error *err)
{
    crank_problem *p = it->problem;
    *size = 0.0;
    if (s->following == 0) {
        return CRANK_OK;
    }
    crank_status status = p->lead(p, it->t + it->h, s->x, s->e, s->residual, err);
    for (int i = 0; i < it->m; i++) {
        s->residual[i] *= s->cj_factored;
    }
    it->statistics.solves++;
    status =
        status == CRANK_OK ? p->solve(p, 0, s->residual, NULL, s->delta, NULL, err) : status;
    *size = status == CRANK_OK ? crank_bdf_norm(it, s->follow_weight, s->delta) : 0.0;
    return status == CRANK_OK && !isfinite(*size) ? CRANK_RETRY : status;
}

/* Errors at the orders around are those of unknowns with rates, and what follows from them
 * grows alike: s->magnification, theory (4.31). */
crank_status crank_bdf_error(crank_integrator *it, crank_bdf *s, double *error,
                             crank_error *err)
{
    const int k = s->order;
    const double size = crank_bdf_norm(it, s->error_weight, s->e);
    double followed = 0.0;
    const crank_status status = follow(it, s, &followed, err);
    s->magnification = size > 0.0 ? hypot(1.0, followed / size) : 1.0;
    *error = s->ck * hypot(size, followed);
    s->estimate = s->sigma[k] * size;
    s->error_here = (k + 1) * s->estimate;
    s->error_below = (double)INFINITY;
    s->order_new = k;
    if (k > 1) {
        memcpy(s->delta, s->e, (size_t)it->n * sizeof *s->e);
        const double below = s->sigma[k - 1] * crank_bdf_norm_with(it, s, s->delta, 1.0, k);
        s->error_below = k * below;
        double compared = 2.0 * s->error_below;
        if (k > 2) {
            const double twice =
                (k - 1) * s->sigma[k - 2] * crank_bdf_norm_with(it, s, s->delta, 1.0, k - 1);
            compared = fmax(s->error_below, twice);
        }
        if (compared <= s->error_here) {
            s->order_new = k - 1;
            s->estimate = below;
        }
    }
    return status;
}
