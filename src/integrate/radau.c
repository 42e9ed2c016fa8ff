/* radau.c - Radau IIA with three stages, order 5, for E(x,t) x' = k(x,t) with m >= n rows.
 *
 * Stages X_i = x + Y_i, transformed Z = (T^-1 x I) Y, simplified Newton    [HW96, IV.8], [Ste06, 5.1]
 *     F_i = E(X_i) sum_j (A^-1)_ij Y_j / h - k(X_i)                       theory (4.2)
 *     (gamma/h E - J) dZ_1 = -(T^-1 F)_1                                  theory (4.3)
 *     ((alpha + i beta)/h E - J) (dZ_2 + i dZ_3) = -(T^-1 F)_2 - i (T^-1 F)_3
 * x_new = x + Y_3. Estimate: (gamma/h E - J) err = k(x) + E(x) sum_i e_i Y_i / h on differential rows,
 * zero on algebraic ones, which all stages satisfy                        theory (4.6)
 * Step control: radau_control.c. Rows between steps: radau_rows.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include <math.h>
#include <string.h>

/* Steps stay below this part of one that Newton's iteration failed at on a fresh Jacobian, and grow up to this part of
 * one that it is expected to fail at; the former limit grows again with each accepted step. */
static const double part_of_failing = 0.7, limit_growth = 1.05;

/* accepted steps on one Jacobian: the singularity monitor must not sleep */
enum { MAX_REUSE = 20 };

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_radau *s = state;
    const int n = it->n, m = it->m;
    s->Y = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->Z = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->dZ = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->X = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->K = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->F = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->k0 = crank_arena_take(arena, (size_t)m, sizeof(double));
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

/* whether Jacobian and factors are kept is decided by contraction and step ratio [HW96, IV.8] */
static void choose_reuse(crank_integrator *it, crank_radau *s, double h_new)
{
    const crank_options *o = &it->options;
    const double ratio = h_new / it->h;
    s->need_jacobian = !(s->theta <= o->jacobian_reuse) || s->reused >= MAX_REUSE;
    if (!s->need_jacobian && ratio >= o->keep_low && ratio <= o->keep_high) {
        h_new = it->h;
    } else {
        s->need_factor = true;
    }
    s->reused++;
    s->jacobian_fresh = false;
    it->h = h_new;
}

/* the new point is pulled onto all constraint levels; a new Jacobian is used if one is due */
static crank_status finish_point(crank_integrator *it, crank_radau *s, bool last,
                                 crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = CRANK_OK;
    if (s->need_jacobian && !last && it->options.newton_matrix == 0) {
        status = crank_radau_prepare(it, s, err);
    }
    if (status < CRANK_OK || !it->options.final_correction || p->correct == NULL) {
        return status < CRANK_OK ? status
                                 : CRANK_OK; /* outside the domain: the next step tries again */
    }
    status = p->correct(p, it->t, it->x, err);
    if (status > CRANK_OK) {
        status = p->prepare(p, it->t, it->x, crank_radau_end_derivative(it, s), err);
        s->need_factor = true;
        status = status == CRANK_OK ? p->correct(p, it->t, it->x, err) : status;
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

static void clip_step(crank_integrator *it, crank_radau *s)
{
    const double before = it->h;
    crank_integrator_clip_step(it);
    s->need_factor = s->need_factor || it->h != before;
}

crank_status crank_radau_conclude(crank_integrator *it, crank_radau *s, bool last,
                                  crank_error *err)
{
    crank_problem *p = it->problem;
    bool changed = false;
    crank_status status = CRANK_OK;
    crank_integrator_set_scale(it, it->x);
    const bool nodes = it->options.singular == CRANK_SINGULAR_PASS && p->rates != NULL;
    if (p->accepted != NULL) {
        status = p->accepted(p, it->t, it->x, last ? NULL : &changed, err);
        s->need_jacobian = s->need_jacobian || changed;
    }
    if (status != CRANK_OK || (last && !nodes)) {
        return status;
    }
    if (status == CRANK_OK) {
        status = p->evaluate(p, 1, &it->t, it->x, s->k0, err);
        s->need_k0 = status > CRANK_OK;
    }
    if (status == CRANK_OK && nodes) {
        crank_radau_store_node(it, s);
    } else {
        s->nodes = 0;
    }
    return status < CRANK_OK ? status : CRANK_OK;
}

/* everything between the acceptance of a step and the next one; a failure here leaves the step standing
 * and is reported by the next call */
static crank_status settle(crank_integrator *it, crank_radau *s, bool last, crank_error *err)
{
    const crank_status status = finish_point(it, s, last, err);
    crank_integrator_set_scale(it, it->x);
    return status == CRANK_OK ? crank_radau_conclude(it, s, last, err) : status;
}

/* the right-hand side at the last accepted point, if it could not be had at once */
static crank_status complete_point(crank_integrator *it, crank_radau *s, crank_error *err)
{
    if (!s->need_k0) {
        return CRANK_OK;
    }
    crank_error reason = {0};
    const crank_status status =
        it->problem->evaluate(it->problem, 1, &it->t, it->x, s->k0, &reason);
    if (status > CRANK_OK) {
        return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                          "the equations cannot be evaluated at t = %.10g: %s", it->t,
                          reason.text);
    }
    if (status < CRANK_OK && err != NULL) {
        *err = reason;
    }
    s->need_k0 = false;
    return status;
}

static crank_status accept(crank_integrator *it, crank_radau *s, double size)
{
    const bool radau5 = it->options.control_rules == CRANK_RULES_RADAU5;
    it->statistics.steps++;
    double h_new = crank_radau_new_step(it, s, size, true);
    if (radau5 && s->rejected) {
        h_new = fmin(h_new, it->h);
    }
    if (radau5) {
        if (s->failures > 0) {
            s->h_limit = part_of_failing * s->h_failed;
        }
        h_new = fmin(h_new, fmax(1.0, part_of_failing * s->reach) * it->h);
        h_new = fmin(h_new, s->h_limit);
        s->h_limit *= limit_growth;
    }
    it->last_error = size;
    crank_radau_keep_begin(it, s);
    memcpy(s->estimate, s->error, (size_t)it->n * sizeof *s->estimate);
    s->error_accepted = radau5 ? fmax(1e-2, size) : size;
    s->h_accepted = s->h_old = it->h;
    it->t_old = it->t;
    it->jumped = false;
    it->t = crank_integrator_step_end(it);
    for (int j = 0; j < it->n; j++) {
        it->x[j] += s->Y[2 * it->n + j];
    }
    crank_radau_store_polynomial(it, s);
    s->first = s->rejected = false;
    s->failures = 0;
    s->jumping = -1;
    choose_reuse(it, s, h_new);
    it->stopped = settle(it, s, crank_integrator_finished(it), &it->stop_reason);
    return CRANK_OK;
}

static crank_status newton_failure(crank_integrator *it, crank_radau *s, crank_error *err)
{
    it->statistics.rejected_convergence++;
    s->failures++;
    s->rejected = true;
    s->need_factor = true;
    s->need_jacobian = !s->jacobian_fresh || it->options.newton_matrix != 0;
    if (s->failures == 1) {
        s->h_failed = (double)INFINITY;
    }
    if (s->jacobian_fresh && isinf(s->h_failed)) {
        s->h_failed = s->h_tried;
    }
    it->problem->newton_failed(it->problem);
    if (it->options.failures_max > 0 && s->failures >= it->options.failures_max) {
        crank_fail(err, CRANK_ENEWTON,
                   "Newton's iteration failed %d times in a row at t = %.10g, h = %.3g",
                   s->failures, it->t, it->h);
        return crank_integrator_give_up(it, CRANK_ENEWTON, err);
    }
    return CRANK_OK;
}

/* matrix for the current point, and the step as long as singular positions allow; positive: treat as a
 * Newton failure */
static crank_status ready_matrix(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = CRANK_OK;
    if (s->need_jacobian) {
        status = crank_radau_prepare(it, s, err);
    }
    if (status == CRANK_OK && p->step_limit != NULL) {
        const double before = it->h;
        status = p->step_limit(p, it->t, &it->h, err);
        if (status > CRANK_OK) {
            status = crank_radau_prepare(it, s, err);
            status = status == CRANK_OK ? p->step_limit(p, it->t, &it->h, err) : status;
        }
        if (it->h != before) {
            s->need_factor = true;
            crank_radau_predict(it, s);
        }
    }
    return status;
}

/* Everything before Newton's iteration. *jumped: the step is done, across a singular position. Positive: treat as a
 * Newton failure. */
static crank_status ready_factors(crank_integrator *it, crank_radau *s, bool *jumped,
                                  crank_error *err)
{
    clip_step(it, s);
    crank_radau_predict(it, s);
    crank_status status = ready_matrix(it, s, err);
    if (status == CRANK_OK) {
        status = crank_radau_jump(it, s, jumped, err);
    }
    if (status == CRANK_OK && !*jumped && s->need_jacobian) { /* a jump failed */
        status = crank_radau_prepare(it, s, err);
    }
    if (status == CRANK_OK && !*jumped && s->need_factor) {
        status = crank_radau_factor(it, s, err);
    }
    return status;
}

static crank_status iterate(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_error reason = {0};
    crank_status status = crank_integrator_check_limits(it, s->jumping, err);
    if (status != CRANK_OK) {
        return status;
    }
    s->h_tried = it->h;
    status = crank_radau_newton(it, s, &reason);
    it->outside = status > CRANK_OK ? reason : (crank_error){0};
    if (status < CRANK_OK && err != NULL) {
        *err = reason;
    }
    return status;
}

/* Accepts the stages that Newton's iteration found, or shortens the step. */
static crank_status judge(crank_integrator *it, crank_radau *s, bool *accepted,
                          crank_error *err)
{
    double size = 0.0;
    int jumping = -1;
    crank_status status = crank_radau_find_defect(it, s, &jumping, err);
    if (status == CRANK_OK) {
        status = crank_radau_estimate_error(it, s, &size, err);
    }
    *accepted = status == CRANK_OK && size < 1.0 && jumping < 0;
    if (status < CRANK_OK || *accepted) {
        return *accepted ? accept(it, s, size) : status;
    }
    it->statistics.rejected_error++;
    s->failures = 0;
    s->jumping = jumping >= 0 ? jumping : s->jumping;
    it->h = s->first || jumping >= 0 || status > CRANK_OK
                ? 0.1 * it->h
                : crank_radau_new_step(it, s, size, false);
    s->rejected = true;
    s->need_factor = true;
    s->need_jacobian = !s->jacobian_fresh || it->options.newton_matrix != 0;
    return CRANK_OK;
}

static crank_status step(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    crank_status status = complete_point(it, s, err);
    bool done = false;
    while (status == CRANK_OK && !done) {
        status = ready_factors(it, s, &done, err);
        if (status < CRANK_OK || done) {
            break;
        }
        if (status == CRANK_OK) {
            status = iterate(it, s, err);
        } else {
            it->h *= 0.5;
        }
        if (status == CRANK_OK) {
            status = judge(it, s, &done, err);
        } else if (status > CRANK_OK) {
            status = newton_failure(it, s, err);
        }
    }
    return status;
}

/* 1 % of the time in which the state would change by its own size; x' from one solve with a large shift */
static crank_status first_step(crank_integrator *it, crank_radau *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const double span = it->t_end - it->t, tiny = 1e-6 * span, shift = 1.0 / tiny, none = 0.0;
    it->h = 1e-3 * span;
    crank_status status = p->factor(p, 1, &shift, &none, err);
    if (status > CRANK_OK) {
        return CRANK_OK;
    }
    memset(s->lead, 0, (size_t)it->m * sizeof *s->lead);
    if (status == CRANK_OK) {
        status = crank_radau_solve_estimate(it, s, s->k0, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const double rate = crank_integrator_norm(it, 1, s->error, it->h) * shift;
    const double size = crank_integrator_norm(it, 1, it->x, it->h);
    if (rate > 0.0 && isfinite(rate)) {
        it->h = fmin(it->h, 0.01 * fmax(size, 1e-3) / rate);
    }
    it->h = fmax(it->h, 1e-12 * fmax(fabs(it->t), span));
    return CRANK_OK;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    const crank_options *o = &it->options;
    crank_problem *p = it->problem;
    const double rtol = it->rtol_used[0];
    s->newton_tolerance = o->newton_tolerance > 0.0
                              ? o->newton_tolerance
                              : fmax(10.0 * o->rounding_unit / rtol, fmin(0.03, sqrt(rtol)));
    s->first = s->need_jacobian = s->need_factor = true;
    s->rejected = s->jacobian_fresh = s->need_k0 = false;
    s->failures = s->reused = 0;
    s->nodes = 0;
    s->jump.failed_t = (double)NAN;
    s->jump.longest = (double)INFINITY;
    s->eta = 1.0;
    s->h_old = 1.0;
    s->h_limit = (double)INFINITY;
    s->jumping = -1;
    s->error_accepted = 0.0;
    it->h = o->h_start;
    bool changed = false;
    const bool done = it->t >= it->t_end;
    crank_status status = p->accepted != NULL
                              ? p->accepted(p, it->t, it->x, done ? NULL : &changed, err)
                              : CRANK_OK;
    if (done) {
        return status;
    }
    if (status == CRANK_OK) {
        status = p->evaluate(p, 1, &it->t, it->x, s->k0, err);
        it->origin = crank_hash(it->origin, s->k0, (size_t)it->m * sizeof *s->k0);
    }
    if (status == CRANK_OK && !(o->h_start > 0.0)) {
        status = crank_radau_prepare(it, s, err);
        if (status == CRANK_OK) {
            status = first_step(it, s, err);
        }
    }
    return status > CRANK_OK ? crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                          "the equations cannot be evaluated at the start")
                             : status;
}

static void invalidate(crank_integrator *it)
{
    crank_radau *s = it->state;
    s->need_jacobian = s->need_factor = true;
}

const crank_method crank_method_radau = {
    .name = "radau",
    .transforms_tolerances = true,
    .passes_singular = true,
    .one_step = true,
    .state_size = sizeof(crank_radau),
    .layout = layout,
    .start = start,
    .step = step,
    .interpolate = crank_radau_interpolate,
    .row_error = crank_radau_row_error,
    .refine_row = crank_radau_refine_row,
    .invalidate = invalidate,
    .archive = crank_radau_archive,
};
