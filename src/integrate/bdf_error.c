/* bdf_error.c - what a BDF step is off: weights, norms, the error test and the errors at the
 * orders below.
 *
 * Unknowns with rates of their own are off by c_k (x - x_p), theory (4.28). Algebraic ones y
 * (multipliers, contact variables, auxiliary ones) have none: they follow from the others, and
 * are off by what these are off,
 *     d = c_k (c_j E - J)^-1 c_j E (x - x_p)      zero on algebraic rows          theory (4.30)
 * with the factors of the corrector. Their y - y_p says nothing of it: it stays where y jumps,
 * and with stiff forces, and at higher index, it has the changes of E_k(h) = O(h^k) with every
 * change of order and step size. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <math.h>

bool crank_bdf_follows(const crank_integrator *it, int j)
{
    return !crank_integrator_is_differential(it, j);
}

/* Those of higher-index parts (problem.h, scaling) enter with powers of the step size, those of
 * index 2 as they are. Unknowns of which some part is in no equation (held) are not extrapolated
 * and not tested. */
void crank_bdf_list_weights(const crank_integrator *it, crank_bdf *s)
{
    const crank_problem *p = it->problem;
    for (int j = 0; j < it->n; j++) {
        const bool held = p->held != NULL && p->held[j];
        const bool follows = s->following > 0 && crank_bdf_follows(it, j);
        s->kind[j] = p->tested[j] ? p->scaling[j] : CRANK_BDF_UNTESTED;
        s->counts[j] = held || (follows && !s->index_2) ? 0.0 : 1.0;
        s->counts_following[j] = !held && follows ? 1.0 : 0.0;
    }
}

void crank_bdf_weigh(const crank_integrator *it, crank_bdf *s)
{
    const double part_of_time = it->h / it->time;
    const double power[] = {1.0, part_of_time, part_of_time * part_of_time, 0.0};
    const unsigned char *restrict kind = s->kind;
    const double *restrict scale = it->scale;
    double *restrict weight = s->weight;
    const int n = it->n;
    for (int j = 0; j < n; j++) {
        weight[j] = power[kind[j]] / scale[j];
    }
    if (s->error_weight != s->weight) {
        const double *restrict counts = s->counts, *restrict following = s->counts_following;
        double *restrict error_weight = s->error_weight, *restrict follow_weight =
                                                             s->follow_weight;
        for (int j = 0; j < n; j++) {
            error_weight[j] = weight[j] * counts[j];
            follow_weight[j] = weight[j] * following[j];
        }
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

double crank_bdf_root(const crank_integrator *it, double sum)
{
    return sqrt(sum / (it->tested > 0 ? it->tested : 1));
}

double crank_bdf_norm(const crank_integrator *it, const double *weight, const double *z)
{
    if (it->options.error_norm == CRANK_NORM_MAX) {
        return largest_part(it, weight, z);
    }
    double even = 0.0, odd = 0.0; /* two sums at a time */
    int j = 0;
    for (const int n = it->n; j + 1 < n; j += 2) {
        const double a = z[j] * weight[j], b = z[j + 1] * weight[j + 1];
        even += a * a;
        odd += b * b;
    }
    const double last = j < it->n ? z[j] * weight[j] : 0.0;
    return crank_bdf_root(it, even + odd + last * last);
}

double crank_bdf_norm_with(crank_integrator *it, crank_bdf *s, const double *weight,
                           const double *z, double sign, int i)
{
    const double *phi = crank_bdf_phi(it, i);
    for (int j = 0; j < it->n; j++) {
        s->delta[j] = z[j] + sign * phi[j];
    }
    return crank_bdf_norm(it, weight, s->delta);
}

/* size: norms of e, e + phi_k and, where k > 2, e + phi_k + phi_k-1, in one pass */
static void find_norms(crank_integrator *it, crank_bdf *s, const double *restrict weight,
                       double size[3])
{
    const int k = s->order;
    if (k == 1 || it->options.error_norm == CRANK_NORM_MAX) {
        size[0] = crank_bdf_norm(it, weight, s->e);
        size[1] = k > 1 ? crank_bdf_norm_with(it, s, weight, s->e, 1.0, k) : 0.0;
        size[2] = k > 2 ? crank_bdf_norm_with(it, s, weight, s->delta, 1.0, k - 1) : 0.0;
        return;
    }
    const double *restrict e = s->e, *restrict phi = crank_bdf_phi(it, k),
                           *restrict before = crank_bdf_phi(it, k - 1);
    double sum[3][2] = {{0.0}}, last[3] = {0.0}; /* as in crank_bdf_norm */
    int j = 0;
    for (const int n = it->n; j + 1 < n; j += 2) {
        for (int l = 0; l < 2; l++) {
            const double one = e[j + l], two = one + phi[j + l], three = two + before[j + l];
            const double w = weight[j + l];
            sum[0][l] += one * w * (one * w);
            sum[1][l] += two * w * (two * w);
            sum[2][l] += three * w * (three * w);
        }
    }
    if (j < it->n) {
        last[0] = e[j] * weight[j];
        last[1] = (e[j] + phi[j]) * weight[j];
        last[2] = (e[j] + phi[j] + before[j]) * weight[j];
    }
    for (int i = 0; i < 3; i++) {
        size[i] = crank_bdf_root(it, sum[i][0] + sum[i][1] + last[i] * last[i]);
    }
}

/* The norm of what algebraic unknowns are off if the others are by e, theory (4.30); factors of
 * a neighbouring step size do. */
static crank_status follow(crank_integrator *it, crank_bdf *s, double *size, crank_error *err)
{
    crank_problem *p = it->problem;
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

/* By unknowns with these weights. */
static crank_bdf_verdict judge(crank_integrator *it, crank_bdf *s, const double *weight,
                               double *own)
{
    const int k = s->order;
    double size[3];
    find_norms(it, s, weight, size);
    crank_bdf_verdict v = {.weight = weight,
                           .error = s->ck * size[0],
                           .order = k,
                           .estimate = s->sigma[k] * size[0],
                           .below = (double)INFINITY,
                           .magnification = 1.0};
    v.here = (k + 1) * v.estimate;
    if (k > 1) {
        const double below = s->sigma[k - 1] * size[1];
        v.below = k * below;
        double compared = 2.0 * v.below;
        if (k > 2) {
            compared = fmax(v.below, (k - 1) * s->sigma[k - 2] * size[2]);
        }
        if (compared <= v.here) {
            v.order = k - 1;
            v.estimate = below;
        }
    }
    *own = size[0];
    return v;
}

/* Errors at the orders around are those of unknowns with rates, and what follows from them, off
 * by so much, grows alike: theory (4.31), (4.32). */
static void magnify(const crank_bdf *s, double own, double followed, crank_bdf_verdict *v)
{
    v->error = s->ck * (followed > 0.0 ? hypot(own, followed) : own);
    v->magnification = followed > 0.0 && own > 0.0 ? hypot(1.0, followed / own) : 1.0;
}

/* Multipliers of index 2 are tested as they are while steps and orders stay or grow by that.
 * Where not, what they follow from may tell another story. */
static crank_status judge_again(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    double own, followed;
    for (int j = 0; j < it->n; j++) {
        s->follow_weight[j] = s->error_weight[j] * s->counts_following[j];
        s->rated_weight[j] = s->error_weight[j] - s->follow_weight[j];
    }
    crank_bdf_verdict other = judge(it, s, s->rated_weight, &own);
    const crank_status status = follow(it, s, &followed, err);
    if (status != CRANK_OK || !(own > 0.0)) {
        return status;
    }
    magnify(s, own, followed, &other);
    const crank_bdf_verdict *v = &s->verdict;
    const bool saves = v->error > 1.0 && other.error <= 1.0;
    if (saves ||
        (other.error < v->error && crank_bdf_promise(it, &other) > crank_bdf_promise(it, v))) {
        s->verdict = other;
    }
    return CRANK_OK;
}

crank_status crank_bdf_error(crank_integrator *it, crank_bdf *s, double *error,
                             crank_error *err)
{
    crank_bdf_verdict *v = &s->verdict;
    double own, followed;
    crank_status status = CRANK_OK;
    *v = judge(it, s, s->error_weight, &own);
    if (s->following > 0 && !s->index_2) {
        status = follow(it, s, &followed, err);
        magnify(s, own, followed, v);
    } else if (s->following > 0 &&
               (v->error > 1.0 || v->order < s->order || crank_bdf_promise(it, v) < 1.0)) {
        status = judge_again(it, s, err);
    }
    *error = v->error;
    return status;
}
