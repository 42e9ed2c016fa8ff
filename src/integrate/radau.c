/* radau.c - Radau IIA with three stages, order 5, for E(x,t) x' = k(x,t) with m >= n rows.
 *
 * Stages X_i = x + Y_i, transformed Z = (T^-1 x I) Y, simplified Newton [HW96, IV.8],
 * [Ste06, 5.1]
 *     F_i = E(X_i) sum_j (A^-1)_ij Y_j / h - k(X_i)                       theory (4.2)
 *     (gamma/h E - J) dZ_1 = -(T^-1 F)_1                                  theory (4.3)
 *     ((alpha + i beta)/h E - J) (dZ_2 + i dZ_3) = -(T^-1 F)_2 - i (T^-1 F)_3
 * x_new = x + Y_3. Estimate: (gamma/h E - J) err = k(x) + E(x) sum_i e_i Y_i / h on
 * differential rows, zero on algebraic ones, which all stages satisfy theory (4.13).
 * Newton's iteration and step control: implicit.h; rows: radau_rows.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "base/then.h"
#include "integrate/tableau_radau.h"

#include <math.h>
#include <string.h>

/* ---- stages ---- */

/* out_i = sum_j A_ij in_j: vectors of length n, three of each; A by rows; out may not be in */
static void combine(int n, const double *A, const double *restrict in, double *restrict out)
{
    const double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5], g = A[6], h = A[7],
                 i = A[8];
    const double *restrict y = in + n, *restrict z = in + 2 * (long)n;
    double *restrict v = out + n, *restrict w = out + 2 * (long)n;
    for (int j = 0; j < n; j++) {
        out[j] = a * in[j] + b * y[j] + c * z[j];
        v[j] = d * in[j] + e * y[j] + f * z[j];
        w[j] = g * in[j] + h * y[j] + i * z[j];
    }
}

/* in += factor change, then as combine */
static void add_and_combine(int n, const double *A, double factor,
                            const double *restrict change, double *restrict in,
                            double *restrict out)
{
    const double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5], g = A[6], h = A[7],
                 i = A[8];
    double *restrict y = in + n, *restrict z = in + 2 * (long)n;
    double *restrict v = out + n, *restrict w = out + 2 * (long)n;
    const double *restrict q = change + n, *restrict r = change + 2 * (long)n;
    for (int j = 0; j < n; j++) {
        const double first = in[j] + factor * change[j], second = y[j] + factor * q[j],
                     third = z[j] + factor * r[j];
        in[j] = first;
        y[j] = second;
        z[j] = third;
        out[j] = a * first + b * second + c * third;
        v[j] = d * first + e * second + f * third;
        w[j] = g * first + h * second + i * third;
    }
}

/* out = a + b */
static void add_to(int n, const double *a, const double *b, double *restrict out)
{
    for (int j = 0; j < n; j++) {
        out[j] = a[j] + b[j];
    }
}

/* rates = sum_j A_ij Y_j / h, as combine */
static void find_slopes(int n, const double *restrict Y, double h, double *restrict rates)
{
    const double *A = crank_radau_inverse[0];
    const double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5], g = A[6], k = A[7],
                 l = A[8];
    const double *restrict y = Y + n, *restrict z = Y + 2 * (long)n;
    double *restrict v = rates + n, *restrict w = rates + 2 * (long)n;
    for (int j = 0; j < n; j++) {
        rates[j] = (a * Y[j] + b * y[j] + c * z[j]) / h;
        v[j] = (d * Y[j] + e * y[j] + f * z[j]) / h;
        w[j] = (g * Y[j] + k * y[j] + l * z[j]) / h;
    }
}

/* in -= out, then as combine */
static void subtract_and_combine(int n, const double *A, double *restrict in,
                                 double *restrict out)
{
    const double a = A[0], b = A[1], c = A[2], d = A[3], e = A[4], f = A[5], g = A[6], h = A[7],
                 i = A[8];
    double *restrict y = in + n, *restrict z = in + 2 * (long)n;
    double *restrict v = out + n, *restrict w = out + 2 * (long)n;
    for (int j = 0; j < n; j++) {
        const double first = in[j] - out[j], second = y[j] - v[j], third = z[j] - w[j];
        in[j] = first;
        y[j] = second;
        z[j] = third;
        out[j] = a * first + b * second + c * third;
        v[j] = d * first + e * second + f * third;
        w[j] = g * first + h * second + i * third;
    }
}

/* out -= a */
static void subtract(int n, const double *restrict a, double *restrict out)
{
    for (int j = 0; j < n; j++) {
        out[j] -= a[j];
    }
}

/* out += factor a */
static void add(int n, double factor, const double *restrict a, double *restrict out)
{
    for (int j = 0; j < n; j++) {
        out[j] += factor * a[j];
    }
}

void crank_radau_transform(int n, const double *Y, double *Z)
{
    combine(n, crank_radau_TI[0], Y, Z);
}

void crank_radau_predict(crank_integrator *it, crank_radau *s)
{
    const int n = it->n;
    if (s->common.first || it->options.newton_start == CRANK_START_ZERO) {
        memset(s->Y, 0, 3 * (size_t)n * sizeof *s->Y);
        memset(s->Z, 0, 3 * (size_t)n * sizeof *s->Z);
        return;
    }
    for (int i = 0; i < 3; i++) {
        crank_radau_polynomial(it, s, crank_radau_c[i] * it->h / s->common.h_old,
                               s->Y + (long)i * n);
    }
    const bool *held = it->problem->held;
    for (int j = 0; j < n; j++) {
        if (held != NULL && held[j]) {
            s->Y[j] = s->Y[n + j] = s->Y[2 * n + j] = 0.0;
        }
    }
    crank_radau_transform(n, s->Y, s->Z);
}

static void place_stages(crank_integrator *it, double *t)
{
    crank_radau *s = it->state;
    const int n = it->n;
    for (int i = 0; i < 3; i++) {
        t[i] = it->t + crank_radau_c[i] * it->h;
        add_to(n, it->x, s->Y + (long)i * n, s->X + (long)i * n);
    }
}

/* right-hand sides -(T^-1 F) into s->F, from the stages Y */
static crank_status stage_residuals(crank_integrator *it, crank_radau *s, const double *t,
                                    crank_error *err)
{
    crank_problem *p = it->problem;
    const int n = it->n, m = it->m;
    crank_status status = CRANK_OK;
    double *slopes = s->dZ; /* free until the systems are solved */
    find_slopes(n, s->Y, it->h, slopes);
    for (int i = 0; i < 3 && status == CRANK_OK; i++) {
        status =
            p->lead(p, t[i], s->X + (long)i * n, slopes + (long)i * n, s->F + (long)i * m, err);
        if (s->fades) { /* theory (4.12) */
            subtract(m, s->F + (long)i * m, s->K + (long)i * m);
            memset(s->F + (long)i * m, 0, (size_t)m * sizeof *s->F);
            add(m, crank_radau_c[i] * it->h / s->common.h_old - 1.0, s->residual,
                s->K + (long)i * m);
        }
    }
    if (status == CRANK_OK) {
        subtract_and_combine(m, crank_radau_TI[0], s->K, s->F);
    }
    return status;
}

/* one increment dZ of the transformed stages */
static crank_status increment(crank_integrator *it, const double *t, crank_error *err)
{
    crank_radau *s = it->state;
    crank_problem *p = it->problem;
    const long n = it->n, m = it->m;
    crank_status status = stage_residuals(it, s, t, err);
    CRANK_THEN(status, p->solve(p, 0, s->F, NULL, s->dZ, NULL, err));
    CRANK_THEN(status, p->solve(p, 1, s->F + m, s->F + 2 * m, s->dZ + n, s->dZ + 2 * n, err));
    return status;
}

static void add_increment(crank_integrator *it)
{
    crank_radau *s = it->state;
    add_and_combine(it->n, crank_radau_T[0], 1.0, s->dZ, s->Z, s->Y);
}

/* X_i = h sum a_ij X'_j + x */
static void rule(crank_integrator *it, double *h, double *old, double *xdot)
{
    const crank_radau *s = it->state;
    const int n = it->n;
    find_slopes(n, s->Y, it->h, xdot);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            h[3 * i + j] = it->h * crank_radau_A[i][j];
        }
        memcpy(old + (long)i * n, it->x, (size_t)n * sizeof *old);
    }
}

static void take(crank_integrator *it, const double *xdot)
{
    crank_radau *s = it->state;
    const int n = it->n;
    (void)xdot; /* follows from Y */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < n; j++) {
            s->Y[i * n + j] = s->X[i * n + j] - it->x[j];
        }
    }
    crank_radau_transform(n, s->Y, s->Z);
}

crank_status crank_radau_factor(crank_integrator *it, crank_error *err)
{
    const double re[2] = {crank_radau_gamma / it->h, crank_radau_alpha / it->h};
    const double im[2] = {0.0, crank_radau_beta / it->h};
    return it->problem->factor(it->problem, 2, re, im, err);
}

static const double *stage(crank_integrator *it, int i)
{
    crank_radau *s = it->state;
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + s->Y[(long)i * it->n + j];
    }
    return s->X;
}

/* the Newton matrix at x_k, or at an extrapolated stage */
static const double *place(crank_integrator *it, double *t)
{
    const crank_radau *s = it->state;
    const int i = s->common.first || it->options.newton_start == CRANK_START_ZERO
                      ? 0
                      : it->options.newton_matrix;
    if (i == 0) {
        return it->x;
    }
    *t += crank_radau_c[i - 1] * it->h;
    return stage(it, i - 1);
}

static const double *slope(crank_integrator *it)
{
    return crank_radau_end_derivative(it, it->state);
}

/* ---- its error, theory (4.13) ----
 *
 * By the rules of RADAU5 a failing first estimate is filtered once more [HW96, IV.8], and one
 * from a projected beginning, which stiff parts have not yet followed;
 * published: the plain formula, which reproduces the counters of [Ste06, tables 5.8, 5.9]. */

/* size of the estimate; a value that is not finite is an error without bound (fmax would
 * drop it) */
static double estimate_size(const crank_integrator *it, const crank_radau *s)
{
    const double size = crank_integrator_norm(it, 1, s->error, it->h);
    return isfinite(size) ? fmax(size, 1e-10) : (double)INFINITY;
}

static crank_status estimate_error(crank_integrator *it, crank_radau *s, double *size,
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
    const bool off_course = s->common.first || it->rejected || p->arrive != NULL;
    if (*size < 1.0 || isinf(*size) || !filter || !off_course) {
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

static crank_status estimate(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_radau *s = it->state;
    crank_status status = crank_radau_find_defect(it, s, &a->jumping, err);
    CRANK_THEN(status, estimate_error(it, s, &a->size, err));
    return status;
}

static const crank_implicit_kind kind = {.systems = 1,
                                         .together = 3,
                                         .power = 4,
                                         .place_stages = place_stages,
                                         .rule = rule,
                                         .take = take,
                                         .increment = increment,
                                         .add = add_increment,
                                         .estimate = estimate,
                                         .factor = crank_radau_factor,
                                         .place = place,
                                         .slope = slope};

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_radau *s = state;
    const int n = it->n, m = it->m;
    crank_implicit_layout(&s->common, arena, it);
    s->common.kind = &kind;
    s->Y = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->Z = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->dZ = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->common.increment = s->dZ;
    s->X = s->common.stage = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->K = s->common.k = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->F = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)m, sizeof(double));
    s->error = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->xdot = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->polynomial = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->begin = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->before = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->earlier = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->estimate = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->residual = crank_arena_take(arena, (size_t)m, sizeof(double));
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        s->node_slope = crank_arena_take(arena, CRANK_RADAU_NODES * (size_t)n, sizeof(double));
        crank_jump_layout(&s->jump, arena, n, m);
    }
}

/* ---- a step ---- */

static crank_status begin(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    if (it->options.newton_matrix != 0) { /* it is made at an extrapolated stage */
        crank_radau_predict(it, s);
    }
    return crank_implicit_begin(it, err);
}

static crank_status ready(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_radau *s = it->state;
    crank_radau_predict(it, s);
    const crank_status status = crank_radau_jump(it, s, &a->done, err);
    return status == CRANK_OK && !a->done ? crank_implicit_ready(it, a, err) : status;
}

static void find_end(const crank_integrator *it, double *x)
{
    const crank_radau *s = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + s->Y[2 * it->n + j];
    }
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_radau *s = it->state;
    crank_radau_keep_begin(it, s);
    memcpy(s->estimate, s->error, (size_t)it->n * sizeof *s->estimate);
    for (int j = 0; j < it->n; j++) {
        it->x[j] += s->Y[2 * it->n + j];
    }
    crank_radau_store_polynomial(it, s);
    crank_implicit_lengthen(it, &s->common, a->size);
}

crank_status crank_radau_conclude(crank_integrator *it, crank_radau *s, bool last,
                                  crank_error *err)
{
    const bool nodes =
        it->options.singular == CRANK_SINGULAR_PASS && it->problem->rates != NULL;
    const crank_status status = crank_implicit_conclude(it, &s->common, last, nodes, err);
    if (status == CRANK_OK && nodes) {
        crank_radau_store_node(it, s);
    } else {
        s->nodes = 0;
    }
    return status < CRANK_OK ? status : CRANK_OK;
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    crank_radau *s = it->state;
    (void)a;
    const crank_status status = crank_implicit_correct(it, &s->common, last, err);
    return status == CRANK_OK ? crank_radau_conclude(it, s, last, err) : status;
}

/* ---- start ---- */

static void reset(crank_integrator *it)
{
    crank_radau *s = it->state;
    crank_implicit_reset(it, &s->common);
    s->nodes = 0;
    s->jump.failed_t = (double)NAN;
    s->jump.longest = (double)INFINITY;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    return crank_implicit_start(it, &s->common, s->error, err);
}

/* ---- checkpoints ---- */

/* What one step leaves to the next and to rows between steps: stages, increments and residuals
 * (Y, Z, dZ, X, K, F, lead, error, xdot) are filled anew before they are read. */
static void archive(crank_integrator *it, crank_archive *a)
{
    crank_radau *s = it->state;
    const size_t n = (size_t)it->n;
    crank_archive_check(a, "step ends", CRANK_RADAU_NODES);
    crank_archive_doubles(a, s->polynomial, 3 * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->before, n);
    crank_archive_doubles(a, s->earlier, n);
    crank_archive_doubles(a, s->estimate, n);
    crank_archive_double(a, &s->h_before);
    crank_archive_double(a, &s->h_earlier);
    crank_archive_int(a, &s->nodes, 0, CRANK_RADAU_NODES);
    crank_implicit_archive(it, &s->common, a);
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        crank_archive_doubles(a, s->node_slope, CRANK_RADAU_NODES * n);
        crank_jump_archive(&s->jump, it->n, a);
    }
}

const crank_method crank_method_radau = {
    .name = "radau",
    .transforms_tolerances = true,
    .passes_singular = true,
    .one_step = true,
    .nodes = crank_radau_c,
    .state_size = sizeof(crank_radau),
    .layout = layout,
    .reset = reset,
    .start = start,
    .begin = begin,
    .look = crank_implicit_look,
    .ready = ready,
    .attempt = crank_implicit_attempt,
    .undo = crank_implicit_undo,
    .shorter = crank_implicit_shorter,
    .end = find_end,
    .accept = accept,
    .settle = settle,
    .interpolate = crank_radau_interpolate,
    .row_error = crank_radau_row_error,
    .refine_row = crank_radau_refine_row,
    .invalidate = crank_implicit_invalidate,
    .archive = archive,
};
