/* implicit.c - implicit one-step methods: when the matrix of Newton's iteration is made
 * anew, step sizes, the first step, what is done at the end of a step. Rules of RADAU5
 * [HW96, IV.8], theory 4.2, 4.5, 4.7. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/implicit.h"

#include "base/blame.h"
#include "integrate/controller.h"
#include "integrate/stepper.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Steps stay below this part of one that Newton's iteration failed at on a fresh Jacobian,
 * and grow up to this part of one that it is expected to fail at; the former limit grows
 * again with each accepted step. */
static const double part_of_failing = 0.7, limit_growth = 1.05;

/* the tolerance of Newton's iteration: rounding over rtol, at least, and at most */
static const double above_rounding = 10.0, loosest = 0.03;
/* the first step: part of the time in which the state changes by its own size, or by this part
 * of a tolerance; part of the interval at most; part of itself if its error is too large */
static const double of_change = 0.01, least_size = 1e-3, of_span = 1e-3, first_rejected = 0.1;
/* error of the step before that the predictive controller believes at least */
static const double least_error = 1e-2;

/* contraction up to which a Jacobian is kept, and one that brings a decomposition of the
 * constraints, by which step ends are corrected, theory 4.5 */
static const double kept_jacobian = 0.01, kept_decomposition = 0.001;

/* accepted steps on one Jacobian: the singularity monitor must not sleep */
enum { MAX_REUSE = 20 };

void crank_implicit_layout(crank_implicit *c, crank_arena *arena, const crank_integrator *it)
{
    c->k0 = crank_arena_take(arena, (size_t)it->m, sizeof(double));
    c->rows = crank_arena_take(arena, (size_t)it->m, sizeof(double));
    c->end = crank_arena_take(arena, it->problem->arrive != NULL ? (size_t)it->n : 0,
                              sizeof(double));
    const size_t own = it->problem->advance != NULL ? 3 * (size_t)it->n : 0;
    c->old = crank_arena_take(arena, own, sizeof(double));
    c->rate = crank_arena_take(arena, own, sizeof(double));
}

/* ---- start ---- */

/* Does it decompose the constraints wherever it makes a Jacobian? */
static bool decomposes(const crank_problem *p)
{
    return p->constraints != NULL && p->arrive == NULL;
}

void crank_implicit_reset(const crank_integrator *it, crank_implicit *c)
{
    const crank_options *o = &it->options;
    const double rtol = it->rtol_used[0];
    c->newton_tolerance =
        o->newton_tolerance > 0.0
            ? o->newton_tolerance
            : fmax(above_rounding * o->rounding_unit / rtol, fmin(loosest, sqrt(rtol)));
    c->reuse = o->jacobian_reuse != 0.0  ? o->jacobian_reuse
               : decomposes(it->problem) ? kept_decomposition
                                         : kept_jacobian;
    c->first = c->need_jacobian = c->need_factor = true;
    c->jacobian_fresh = c->need_k0 = false;
    c->reused = 0;
    c->eta = 1.0;
    c->known = 0.0;
    c->judged_fresh = false;
    c->h_old = 1.0;
    c->h_limit = (double)INFINITY;
    c->error_accepted = 0.0;
}

crank_status crank_implicit_filter(crank_integrator *it, crank_implicit *c, const double *r,
                                   const double *s, double *out, crank_error *err)
{
    crank_problem *p = it->problem;
    for (int i = 0; i < it->m; i++) {
        c->rows[i] = !p->differential[i] ? 0.0 : s != NULL ? r[i] + s[i] : r[i];
    }
    return p->solve(p, 0, c->rows, NULL, out, NULL, err);
}

/* 1 % of the time in which the state would change by its own size; x' from one solve with a
 * large shift */
static crank_status first_step(crank_integrator *it, crank_implicit *c, double *rate,
                               crank_error *err)
{
    crank_problem *p = it->problem;
    const double span = it->t_end - it->t, tiny = 1e-6 * span, shift = 1.0 / tiny, none = 0.0;
    it->h = of_span * span;
    crank_status status = p->factor(p, 1, &shift, &none, err);
    if (status > CRANK_OK) {
        return CRANK_OK;
    }
    if (status == CRANK_OK) {
        status = crank_implicit_filter(it, c, c->k0, NULL, rate, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const double speed = crank_integrator_norm(it, 1, rate, it->h) * shift;
    const double size = crank_integrator_norm(it, 1, it->x, it->h);
    if (speed > 0.0 && isfinite(speed)) {
        it->h = fmin(it->h, of_change * fmax(size, least_size) / speed);
    }
    it->h = fmax(it->h, 1e-12 * fmax(fabs(it->t), span));
    return CRANK_OK;
}

crank_status crank_implicit_start(crank_integrator *it, crank_implicit *c, double *rate,
                                  crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = p->evaluate(p, 1, &it->t, it->x, c->k0, err);
    it->origin = crank_hash(it->origin, c->k0, (size_t)it->m * sizeof *c->k0);
    if (status == CRANK_OK && !(it->options.h_start > 0.0)) {
        status = crank_implicit_prepare(it, c, err);
        status = status == CRANK_OK ? first_step(it, c, rate, err) : status;
    }
    return status;
}

/* ---- before Newton's iteration ---- */

crank_status crank_implicit_prepare(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    crank_problem *p = it->problem;
    double t = it->t;
    const double *x = c->kind->place != NULL ? c->kind->place(it, &t) : it->x;
    const crank_status status = p->prepare(p, t, x, c->kind->slope(it), err);
    c->need_jacobian = status != CRANK_OK;
    c->need_factor = true;
    c->jacobian_fresh = status == CRANK_OK;
    c->reused = 0;
    return status;
}

/* the right-hand side at the last accepted point, if it was not available at once */
static crank_status complete_point(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    crank_error reason;
    crank_error_clear(&reason);
    const crank_status status =
        it->problem->evaluate(it->problem, 1, &it->t, it->x, c->k0, &reason);
    if (status > CRANK_OK) {
        return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                          "the equations cannot be evaluated at t = %.10g: %s", it->t,
                          reason.text);
    }
    if (status < CRANK_OK && err != NULL) {
        *err = reason;
    }
    c->need_k0 = false;
    return status;
}

crank_status crank_implicit_begin(crank_integrator *it, crank_error *err)
{
    crank_implicit *c = it->state;
    const crank_status status = c->need_k0 ? complete_point(it, c, err) : CRANK_OK;
    return status == CRANK_OK && c->need_jacobian ? crank_implicit_prepare(it, c, err) : status;
}

crank_status crank_implicit_look(crank_integrator *it, crank_error *err)
{
    return crank_implicit_prepare(it, it->state, err);
}

void crank_implicit_invalidate(crank_integrator *it)
{
    crank_implicit *c = it->state;
    c->need_jacobian = c->need_factor = true;
}

crank_status crank_implicit_ready(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_implicit *c = it->state;
    (void)a;
    crank_status status = c->need_jacobian ? crank_implicit_prepare(it, c, err) : CRANK_OK;
    if (status == CRANK_OK && (c->need_factor || it->h != c->h_factored)) {
        status = c->kind->factor(it, err);
        c->need_factor = status != CRANK_OK;
        c->h_factored = it->h;
    }
    return status;
}

/* ---- step size ---- */

void crank_implicit_undo(crank_integrator *it)
{
    crank_implicit *c = it->state;
    if (it->failures == 1) {
        c->h_failed = (double)INFINITY;
    }
    if (it->failures > 0 && c->jacobian_fresh && isinf(c->h_failed)) {
        c->h_failed = c->h_tried;
    }
    /* the iteration of an attempt that saw nothing says nothing of the next one's */
    c->eta = it->unseen ? 1.0 : c->eta;
    c->need_factor = true;
    c->need_jacobian = !c->jacobian_fresh || it->options.newton_matrix != 0;
}

/* by the rules of RADAU5 the classical step carries a factor that falls with the number of
 * iterations */
double crank_implicit_new_step(const crank_integrator *it, const crank_implicit *c, double size,
                               bool accepted)
{
    const crank_options *o = &it->options;
    const double iterations = c->iterations, limit = o->newton_max;
    const double usual = o->control_rules == CRANK_RULES_RADAU5
                             ? o->safety * (2.0 * limit + 1.0) / (2.0 * limit + iterations)
                             : o->safety;
    return it->h / crank_control_predictive(o, c->kind->power, usual, size,
                                            accepted ? c->error_accepted : 0.0,
                                            c->h_accepted / it->h);
}

double crank_implicit_shorter(crank_integrator *it, const crank_attempt *a)
{
    const crank_implicit *c = it->state;
    return c->first ? first_rejected * it->h : crank_implicit_new_step(it, c, a->size, false);
}

/* whether Jacobian and factors are kept is decided by contraction and step ratio [HW96,
 * IV.8] */
static void choose_reuse(crank_integrator *it, crank_implicit *c, double h_new)
{
    const crank_options *o = &it->options;
    const double ratio = h_new / it->h;
    c->need_jacobian = !(c->theta <= c->reuse) || c->reused >= MAX_REUSE;
    if (!c->need_jacobian && ratio >= o->keep_low && ratio <= o->keep_high) {
        h_new = it->h;
    } else {
        c->need_factor = true;
    }
    c->reused++;
    c->jacobian_fresh = false;
    it->h = h_new;
}

void crank_implicit_lengthen(crank_integrator *it, crank_implicit *c, double size)
{
    const bool radau5 = it->options.control_rules == CRANK_RULES_RADAU5;
    double h_new = crank_implicit_new_step(it, c, size, true);
    if (radau5) {
        h_new = it->rejected ? fmin(h_new, it->h) : h_new;
        if (it->failures > 0) {
            c->h_limit = part_of_failing * c->h_failed;
        }
        h_new = fmin(h_new, fmax(1.0, part_of_failing * c->reach) * it->h);
        h_new = fmin(h_new, c->h_limit);
        c->h_limit *= limit_growth;
    }
    c->error_accepted = radau5 ? fmax(least_error, size) : size;
    c->h_accepted = c->h_old = it->h;
    c->first = false;
    choose_reuse(it, c, h_new);
}

/* ---- the end of a step ---- */

static crank_status correct(crank_integrator *it, crank_implicit *c, bool last,
                            crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = CRANK_OK;
    const bool arrived = p->arrive != NULL;
    const bool corrected = it->options.final_correction && p->constraints != NULL && !arrived;
    if (arrived) {
        memcpy(it->x, c->end, (size_t)it->n * sizeof *it->x);
    }
    if (corrected && p->held != NULL) {
        /* Redundant constraints have their rank at consistent points only: first by the
         * decomposition that is there, as far as it goes. */
        status = p->constraints->correct(p, it->t, it->x, err);
    }
    if (status >= CRANK_OK && c->need_jacobian && !last && it->options.newton_matrix == 0) {
        status = crank_implicit_prepare(it, c, err);
    }
    if (status < CRANK_OK || !corrected) {
        return status < CRANK_OK ? status
                                 : CRANK_OK; /* outside the domain: the next step tries again */
    }
    status = p->constraints->correct(p, it->t, it->x, err);
    if (status > CRANK_OK) {
        status = p->prepare(p, it->t, it->x, c->kind->slope(it), err);
        c->need_factor = true;
        status = status == CRANK_OK ? p->constraints->correct(p, it->t, it->x, err) : status;
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

crank_status crank_implicit_correct(crank_integrator *it, crank_implicit *c, bool last,
                                    crank_error *err)
{
    const crank_statistics *counted = it->problem->statistics;
    const long before = counted->selector_updates;
    const crank_status status = correct(it, c, last, err);
    c->reselected = counted->selector_updates != before;
    return status;
}

crank_status crank_implicit_conclude(crank_integrator *it, crank_implicit *c, bool last,
                                     bool wanted, crank_error *err)
{
    crank_problem *p = it->problem;
    bool changed = false;
    crank_integrator_set_scale(it, it->x);
    crank_status status = crank_stepper_tell(it, last, &changed, err);
    c->need_jacobian = c->need_jacobian || changed;
    c->need_k0 = status > CRANK_OK;
    if (status != CRANK_OK || (last && !wanted)) {
        return status;
    }
    status = p->evaluate(p, 1, &it->t, it->x, c->k0, err);
    c->need_k0 = status > CRANK_OK;
    return status;
}

/* ---- checkpoints ---- */

void crank_implicit_archive(const crank_integrator *it, crank_implicit *c, crank_archive *a)
{
    bool *const flags[] = {&c->need_jacobian, &c->need_factor,  &c->jacobian_fresh, &c->need_k0,
                           &c->first,         &c->judged_fresh, &c->reselected};
    double *const values[] = {&c->newton_tolerance,
                              &c->eta,
                              &c->theta,
                              &c->failed_size,
                              &c->h_factored,
                              &c->h_old,
                              &c->h_accepted,
                              &c->h_tried,
                              &c->h_failed,
                              &c->h_limit,
                              &c->error_accepted,
                              &c->known,
                              &c->reuse};
    crank_archive_doubles(a, c->k0, (size_t)it->m);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_int(a, &c->iterations, 0, INT_MAX / 2);
    crank_archive_int(a, &c->reused, 0, INT_MAX / 2);
}
