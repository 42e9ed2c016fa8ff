/* explicit_stages.c - stages of an explicit Runge-Kutta method, its error estimate and its
 * continuous extension.
 *
 *     X_i = x + h sum_{j<i} a_ij K_j,    K_i = x'(t + c_i h, X_i)                  theory (9.6)
 *     err = h sum e_j K_j;  8(5,3): err_5^2/sqrt(err_5^2 + 0.01 err_3^2)           theory (9.7),
 *     or the root alone, where err_3 rises as no motion does that steps resolve        (9.8)
 *     x(t + theta h) = x + theta (D_1 + (1 - theta)(D_2 + theta (D_3 + ...)))
 *     D_1 = x_1 - x,  D_2 = h K_0 - D_1,  D_3 = 2 D_1 - h (K_0 + K_s),
 *     D_i = h sum d_ij K_j                                                         theory (9.9)
 * [HNW93, II.4-6, II.10]. Each K costs a solve for the algebraic unknowns. A row whose defect h
 * (f - x') is beyond the tolerance, theory (9.10), is the end of a shorter step instead. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

#include <math.h>
#include <string.h>

/* unknowns that are added up together */
enum { FOUR = 4 };
/* steps that lead to a row, at most */
enum { MOST_PARTS = 16 };
/* part of the tolerance by which a row may be off, so that it does not show beside errors of
 * steps: steep forces magnify it */
static const double unseen = 0.1;
/* of the estimate of order 3 beside that of order 5, theory (9.7) */
static const double low_weight = 0.01;
/* growth of err_3/h^4 from step to step, at most, of motions that steps resolve: exp(2.5) */
static const double resolved = 12.0;

/* one unknown of combine */
static inline void combine_one(int count, const double *factor, const long *offset,
                               const double *K, const double *x, double *out)
{
    const double *end = factor + count;
    double sum = x != NULL ? *x : 0.0;
    for (; factor + 4 <= end; factor += 4, offset += 4) {
        sum += (factor[0] * K[offset[0]] + factor[1] * K[offset[1]]) +
               (factor[2] * K[offset[2]] + factor[3] * K[offset[3]]);
    }
    for (; factor < end; factor++, offset++) {
        sum += *factor * K[*offset];
    }
    *out = sum;
}

/* out = h sum_j a_j K_j over the differential unknowns, plus x unless that is NULL */
static void combine(const crank_explicit *s, const crank_terms *a, const double *K, double h,
                    const double *x, double *out)
{
    double factor[CRANK_MOST_TERMS];
    const double *number = s->number + a->first;
    const long *offset = s->offset + a->first;
    for (int j = 0; j < a->count; j += FOUR) { /* there is room for four more numbers */
        for (int l = 0; l < FOUR; l++) {
            factor[j + l] = h * number[j + l];
        }
    }
    for (int r = 0; r < s->run_count; r++) {
        int i = s->first[r];
        for (; i + 2 * FOUR <= s->last[r]; i += 2 * FOUR) {
            crank_explicit_add_eight(a->count, factor, offset, K + i, x != NULL ? x + i : NULL,
                                     out + i);
        }
        for (; i + FOUR <= s->last[r]; i += FOUR) {
            crank_explicit_add_four(a->count, factor, offset, K + i, x != NULL ? x + i : NULL,
                                    out + i);
        }
        if (i + 1 < s->last[r] && s->last[r] - s->first[r] >= FOUR) { /* the last four again */
            i = s->last[r] - FOUR;
            crank_explicit_add_four(a->count, factor, offset, K + i, x != NULL ? x + i : NULL,
                                    out + i);
            continue;
        }
        for (; i < s->last[r]; i++) {
            combine_one(a->count, factor, offset, K + i, x != NULL ? x + i : NULL, out + i);
        }
    }
}

static void list_terms(crank_explicit *s, int count, const double *a, int n, crank_terms *out)
{
    *out = (crank_terms){.first = s->number_count};
    for (int j = 0; j < count; j++) {
        if (a[j] != 0.0) {
            s->number[s->number_count] = a[j];
            s->offset[s->number_count++] = (long)j * n;
            out->count++;
        }
    }
}

void crank_explicit_list_terms(crank_explicit *s, int n)
{
    const crank_tableau *b = s->tableau;
    const int all = b->stages + b->end_estimates;
    if (s->number_count > 0) {
        return; /* they do not change */
    }
    for (int i = 0; i < b->width; i++) {
        list_terms(s, i, b->A + (long)i * b->width, n, &s->row[i]);
    }
    for (int i = 1; i < b->stages && b->ahead != NULL; i++) {
        list_terms(s, i, b->ahead + (long)i * b->stages, n, &s->ahead[i]);
    }
    list_terms(s, all, b->estimate, n, &s->estimate);
    if (b->estimate_low != NULL) {
        list_terms(s, all, b->estimate_low, n, &s->estimate_low);
    }
    for (int i = 0; i < b->dense_rows; i++) {
        list_terms(s, b->width, b->dense + (long)i * b->width, n, &s->dense[i]);
    }
}

/* K_i at s->X of the step from (t, x), whose algebraic unknowns let the velocities of another
 * point hold, theory (9.11) */
static crank_status reach_ahead(const crank_integrator *it, crank_explicit *s, int i, double t,
                                double h, const double *x, double *K, crank_error *err)
{
    const crank_tableau *b = s->tableau;
    const double *row = b->ahead + (long)i * b->stages;
    double c = 0.0;
    for (int j = 0; j <= i; j++) {
        c += row[j];
    }
    memcpy(s->from, x, (size_t)it->n * sizeof *x);
    combine(s, &s->ahead[i], K, h, x, s->from);
    return it->problem->reach(
        it->problem,
        &(crank_reach){
            .t = t + b->c[i] * h, .t_ahead = t + c * h, .share = h * row[i], .from = s->from},
        s->X, K + (long)i * it->n, err);
}

/* stage i of the step from (t, x) into s->X and K_i */
static crank_status evaluate_stage(const crank_integrator *it, crank_explicit *s, int i,
                                   double t, double h, const double *x, double *K,
                                   crank_error *err)
{
    const crank_tableau *b = s->tableau;
    combine(s, &s->row[i], K, h, x, s->X);
    if (b->ahead != NULL && i < b->stages) {
        return reach_ahead(it, s, i, t, h, x, K, err);
    }
    return it->problem->derivative(it->problem, t + b->c[i] * h, s->X, K + (long)i * it->n,
                                   err);
}

crank_status crank_explicit_stages(crank_integrator *it, crank_explicit *s, crank_error *err)
{
    const crank_tableau *b = s->tableau;
    const size_t bytes = (size_t)it->n * sizeof(double);
    crank_status status = CRANK_OK;
    memcpy(s->K, s->rate, bytes);
    memcpy(s->X, it->x, bytes); /* the guess of the algebraic unknowns */
    for (int i = 1; i < b->stages && status == CRANK_OK; i++) {
        status = evaluate_stage(it, s, i, it->t, it->h, it->x, s->K, err);
        it->statistics.solves++;
    }
    memcpy(s->end, s->X, bytes);
    combine(s, &s->row[b->stages], s->K, it->h, it->x, s->end);
    return status;
}

/* theory (9.7), of a step of length h with the rates s->K, over it->scale; its two parts, the
 * second one 0 if there is none: s->high, s->low */
static double error_size(const crank_integrator *it, crank_explicit *s, double h)
{
    combine(s, &s->estimate, s->K, h, NULL, s->work);
    double size = s->high = crank_integrator_norm(it, 1, s->work, h);
    s->low = 0.0;
    if (s->tableau->estimate_low != NULL && size > 0.0) {
        combine(s, &s->estimate_low, s->K, h, NULL, s->work);
        s->low = crank_integrator_norm(it, 1, s->work, h);
        size *= size / sqrt(size * size + low_weight * s->low * s->low);
    }
    return isfinite(size) ? size : (double)INFINITY;
}

/* of the derivatives of order four and six, over the tolerance */
static crank_rough roughness(const crank_explicit *s, double h)
{
    const double h4 = h * h * h * h;
    return (crank_rough){.fourth = s->low / h4, .sixth = s->high / (h4 * h * h)};
}

/* The error of a step with a corner in it, where the fourth derivative rises as no motion makes
 * it that the steps resolve, and not because the motion becomes faster, theory (9.8); 0: there
 * is nothing of the kind. In the first steps that is not known. */
static double surprise(const crank_explicit *s, double h)
{
    const crank_rough now = roughness(s, h), *before = s->rough;
    const double most = fmax(before[0].fourth, before[1].fourth);
    const bool faster = now.sixth * before[0].fourth > before[0].sixth * now.fourth &&
                        now.sixth * before[1].fourth > before[1].sixth * now.fourth;
    return before[1].fourth >= 0.0 && now.fourth > resolved * most && !faster
               ? sqrt(s->high * s->high + low_weight * s->low * s->low)
               : 0.0;
}

void crank_explicit_remember(crank_explicit *s, double h)
{
    s->rough[1] = s->rough[0];
    s->rough[0] = roughness(s, h);
}

crank_status crank_explicit_estimate(crank_integrator *it, crank_explicit *s, double *size,
                                     crank_error *err)
{
    const crank_tableau *b = s->tableau;
    if (b->end_estimates) {
        it->statistics.solves++;
        const crank_status status = it->problem->derivative(
            it->problem, it->t + it->h, s->end, s->K + (long)b->stages * it->n, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    for (int j = 0; j < it->n; j++) {
        s->work[j] = fmax(fabs(it->x[j]), fabs(s->end[j]));
    }
    crank_integrator_set_scale(it, s->work);
    *size = fmax(error_size(it, s, it->h), 1e-10);
    const double corner = surprise(s, it->h);
    *size = corner > 1.0 ? fmax(*size, corner) : *size;
    return CRANK_OK;
}

double crank_explicit_error_at_start(crank_integrator *it, crank_explicit *s)
{
    crank_integrator_set_scale(it, it->x);
    return error_size(it, s, it->h);
}

/* the last stage and the end of the step are two points at the same time */
double crank_explicit_stiffness(const crank_integrator *it, const crank_explicit *s)
{
    const double *other = s->K_accepted + (long)(s->tableau->stages - 1) * it->n;
    for (int j = 0; j < it->n; j++) {
        s->work[j] = s->rate[j] - other[j];
    }
    const double rates = crank_integrator_norm(it, 1, s->work, 1.0);
    for (int j = 0; j < it->n; j++) {
        s->work[j] = it->x[j] - s->X[j];
    }
    const double points = crank_integrator_norm(it, 1, s->work, 1.0);
    return points > 0.0 ? (it->t - it->t_old) * rates / points : 0.0;
}

double crank_explicit_motion(const crank_integrator *it, const crank_explicit *s, double *moved)
{
    for (int j = 0; j < it->n; j++) {
        s->work[j] = s->rate[j] - s->K_accepted[j];
    }
    const double rates = crank_integrator_norm(it, 1, s->work, 1.0);
    for (int j = 0; j < it->n; j++) {
        s->work[j] = it->x[j] - s->begin[j];
    }
    *moved = crank_integrator_norm(it, 1, s->work, 1.0);
    return *moved > 0.0 ? (it->t - it->t_old) * rates / *moved : 0.0;
}

/* Algebraic unknowns at theta, between those of the step's ends: what the solve at a point
 * begins with. Those of another point may lead to another foot of a contact. */
static void guess(const crank_integrator *it, const crank_explicit *s, double theta, double *x)
{
    for (int j = 0; j < it->n; j++) {
        x[j] = s->begin[j] + theta * (it->x[j] - s->begin[j]);
    }
}

/* the further stages of the last accepted step, once a row is asked for */
static bool extend(const crank_integrator *it, crank_explicit *s)
{
    const crank_tableau *b = s->tableau;
    const double h = it->t - it->t_old;
    crank_status status = CRANK_OK;
    if (s->extended) {
        return true;
    }
    for (int i = b->stages + 1; i < b->width && status == CRANK_OK; i++) {
        guess(it, s, b->c[i], s->X);
        status = evaluate_stage(it, s, i, it->t_old, h, s->begin, s->K_accepted, NULL);
    }
    s->extended = status == CRANK_OK;
    return s->extended;
}

/* z = D + factor z, with its derivative by theta; change: of the factor, +1 or -1 */
static inline void nest(double D, double factor, double change, double *z, double *slope)
{
    *slope = change * *z + factor * *slope;
    *z = D + factor * *z;
}

/* D_4 and on of theory (9.9), once for all rows of a step */
static void find_D(const crank_integrator *it, crank_explicit *s)
{
    const crank_tableau *b = s->tableau;
    const double h = it->t - it->t_old;
    for (int row = 0; row < b->dense_rows && !s->D_known; row++) {
        combine(s, &s->dense[row], s->K_accepted, h, NULL, s->D + (long)row * it->n);
    }
    s->D_known = true;
}

/* theory (9.9), from the inside out; s->end takes h x' */
static void evaluate_dense(const crank_integrator *it, crank_explicit *s, double theta,
                           double *x)
{
    const crank_tableau *b = s->tableau;
    const double h = it->t - it->t_old, rest = 1.0 - theta;
    const double *K0 = s->K_accepted, *Ks = s->K_accepted + (long)b->stages * it->n;
    const int last = b->dense_rows - 1;
    double *slope = s->end; /* free between steps */
    find_D(it, s);
    for (int r = 0; r < s->run_count; r++) {
        for (int j = s->first[r]; j < s->last[r]; j++) {
            const double D1 = it->x[j] - s->begin[j], D2 = h * K0[j] - D1,
                         D3 = 2.0 * D1 - h * (K0[j] + Ks[j]);
            double z = s->D[(long)last * it->n + j], rate = 0.0;
            for (int row = last - 1; row >= 0; row--) { /* D_4 times rest, D_5 times theta */
                const bool even = row % 2 == 0;
                nest(s->D[(long)row * it->n + j], even ? theta : rest, even ? 1.0 : -1.0, &z,
                     &rate);
            }
            nest(D3, rest, -1.0, &z, &rate);
            nest(D2, theta, 1.0, &z, &rate);
            nest(D1, rest, -1.0, &z, &rate);
            nest(s->begin[j], theta, 1.0, &z, &rate);
            x[j] = z;
            slope[j] = rate;
        }
    }
}

/* Is the defect of the extension at the row, with the rates s->work there, so small that it does
 * not show beside errors of steps? */
static bool is_accurate(const crank_integrator *it, const crank_explicit *s)
{
    const double h = it->t - it->t_old;
    for (int r = 0; r < s->run_count; r++) {
        for (int j = s->first[r]; j < s->last[r]; j++) {
            if (!(fabs(h * s->work[j] - s->end[j]) <= unseen * it->scale[j])) {
                return false;
            }
        }
    }
    return true;
}

/* A step of length h from (t, x), x' in the first column of s->K, with the algebraic unknowns
 * of its last stage; *size: its error. */
static crank_status step_again(const crank_integrator *it, crank_explicit *s, double t,
                               double h, double *x, double *size)
{
    const crank_tableau *b = s->tableau;
    crank_problem *p = it->problem;
    const size_t bytes = (size_t)it->n * sizeof *x;
    crank_status status = CRANK_OK;
    memcpy(s->X, x, bytes);
    for (int i = 1; i < b->stages && status == CRANK_OK; i++) {
        status = evaluate_stage(it, s, i, t, h, x, s->K, NULL);
    }
    memcpy(s->end, s->X, bytes);
    combine(s, &s->row[b->stages], s->K, h, x, s->end);
    if (status == CRANK_OK && b->end_estimates) {
        status = p->derivative(p, t + h, s->end, s->K + (long)b->stages * it->n, NULL);
    }
    memcpy(x, s->end, bytes);
    *size = status == CRANK_OK ? error_size(it, s, h) : 0.0;
    return status;
}

/* x at t by so many steps from the beginning of the last one; K, X, end and work are free
 * between steps. *size: their largest error. */
static crank_status steps_to(const crank_integrator *it, crank_explicit *s, double t, int parts,
                             double *x, double *size)
{
    crank_problem *p = it->problem;
    const double h = (t - it->t_old) / parts;
    crank_status status = CRANK_OK;
    memcpy(x, s->begin, (size_t)it->n * sizeof *x);
    memcpy(s->K, s->K_accepted, (size_t)it->n * sizeof *s->K);
    *size = 0.0;
    for (int i = 0; i < parts && status == CRANK_OK; i++) {
        const double from = it->t_old + i * h;
        double own = 0.0;
        status = i > 0 ? p->derivative(p, from, x, s->K, NULL) : CRANK_OK;
        status = status == CRANK_OK ? step_again(it, s, from, h, x, &own) : status;
        *size = fmax(*size, own);
    }
    return status;
}

/* x at t by a step that ends there, or by several: a step of another length across a kink may
 * be off by more than the one that was accepted. false: a stage cannot be evaluated. */
static bool step_to(const crank_integrator *it, crank_explicit *s, double t, double *x)
{
    double size = (double)INFINITY;
    crank_status status = CRANK_OK;
    for (int parts = 1; parts <= MOST_PARTS && !(size <= 1.0) && status == CRANK_OK;
         parts *= 2) {
        status = steps_to(it, s, t, parts, x, &size);
    }
    return status == CRANK_OK;
}

/* the extension at t into x, its rates into s->work; false: it cannot be evaluated */
static bool extend_to(const crank_integrator *it, crank_explicit *s, double t, double *x)
{
    crank_problem *p = it->problem;
    const double theta = (t - it->t_old) / (it->t - it->t_old);
    if (!extend(it, s)) {
        return false;
    }
    guess(it, s, theta, x);
    evaluate_dense(it, s, theta, x);
    return p->derivative(p, t, x, s->work, NULL) == CRANK_OK;
}

void crank_explicit_interpolate(const crank_integrator *it, double t, double *x)
{
    crank_explicit *s = it->state;
    crank_problem *p = it->problem;
    if (extend_to(it, s, t, x) && is_accurate(it, s)) {
        return;
    }
    if (step_to(it, s, t, x) && p->derivative(p, t, x, s->work, NULL) == CRANK_OK) {
        return;
    }
    if (!extend_to(it, s, t, x)) {
        x[0] = (double)NAN;
    }
}
