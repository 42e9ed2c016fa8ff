/* bdf.c - backward differentiation formulas of orders 1 to 5 (6 on request) for E(x,t) x' =
 * k(x,t) with m >= n rows: hooks of stepper.h. Variable step and order with fixed leading
 * coefficient, as in DASSL [BCP96, 5.2], theory 4.11; coefficients, error and order in
 * bdf_order.c, the corrector in bdf_newton.c.
 *
 * Unknowns of higher index enter norms with powers of the step size (problem.h, scaling):
 * the error of a multiplier of index 3 grows like h^-2 times that of the positions. Points
 * are pulled onto all constraint levels where the formulation can do that; the differences
 * take in the corrected point. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include "integrate/controller.h"
#include "integrate/stepper.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* accepted steps on one Jacobian, unless the options say; fewer where singular positions are
 * watched for, since each is a look */
enum { MAX_REUSE = 20, MAX_REUSE_WATCHED = 10 };
/* failures of the error test in a row of one step, before order 1 */
enum { FAILURES_TO_ORDER_1 = 3 };
/* highest order if none is asked for: order 6 is hardly stable */
enum { USUAL_ORDER = 5 };

/* Error of the iteration that is accepted, over the tolerance: that of DASSL where points
 * are corrected afterwards. Where they are not, it would look like a high derivative and
 * keep order and step small. */
static const double newton_tolerance[2] = {0.01, 0.33};

/* of the tolerance: by what the state moves in the first step */
static const double first_move = 0.5;

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_bdf *s = state;
    const size_t n = (size_t)it->n, m = (size_t)it->m;
    s->phi = crank_arena_take(arena, CRANK_BDF_DIFFERENCES * n, sizeof(double));
    s->predicted = crank_arena_take(arena, n, sizeof(double));
    s->slope = crank_arena_take(arena, n, sizeof(double));
    s->x = crank_arena_take(arena, n, sizeof(double));
    s->xdot = crank_arena_take(arena, n, sizeof(double));
    s->e = crank_arena_take(arena, n, sizeof(double));
    s->delta = crank_arena_take(arena, n, sizeof(double));
    s->row = crank_arena_take(arena, n, sizeof(double));
    s->row_slope = crank_arena_take(arena, n, sizeof(double));
    s->weight = crank_arena_take(arena, n, sizeof(double));
    s->weight_of_some = crank_arena_take(arena, n, sizeof(double));
    s->follow_weight = crank_arena_take(arena, n, sizeof(double));
    s->rated_weight = crank_arena_take(arena, n, sizeof(double));
    s->kind = crank_arena_take(arena, n, sizeof *s->kind);
    s->counts = crank_arena_take(arena, n, sizeof(double));
    s->counts_following = crank_arena_take(arena, n, sizeof(double));
    s->k = crank_arena_take(arena, m, sizeof(double));
    s->residual = crank_arena_take(arena, m, sizeof(double));
}

/* ---- an attempt ---- */

static crank_status look(crank_integrator *it, crank_error *err)
{
    return crank_bdf_prepare(it, it->state, it->t, it->x, err);
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_bdf *s = it->state;
    a->shorter = 0.25;
    crank_bdf_weigh(it, s);
    crank_bdf_begin(it, s);
    crank_bdf_predict(it, s);
    crank_status status = crank_bdf_correct(it, s, err);
    status = status == CRANK_OK ? crank_bdf_error(it, s, &a->size, err) : status;
    if (status < CRANK_OK) {
        crank_bdf_restore(it, s);
    }
    return status;
}

static void undo(crank_integrator *it)
{
    crank_bdf *s = it->state;
    crank_bdf_restore(it, s);
    s->starting = false;
    if (it->options.jacobian == CRANK_JACOBIAN_AUTO) {
        s->need_jacobian = s->need_jacobian || it->failures > 0;
    } else { /* the next step size decides, and whether it converges */
        s->jacobian_fresh = false;
    }
}

static double shorter(crank_integrator *it, const crank_attempt *a)
{
    crank_bdf *s = it->state;
    (void)a;
    s->cautious = true;
    s->error_failures++;
    s->order = s->error_failures < FAILURES_TO_ORDER_1 ? s->verdict.order : 1;
    return it->h * crank_control_rejected(0.9 * crank_bdf_ratio(it, s), s->error_failures);
}

/* ---- acceptance ---- */

/* onto all constraint levels; the differences take in the corrected point */
static crank_status correct_point(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    if (!it->options.final_correction || p->constraints == NULL) {
        return CRANK_OK;
    }
    crank_status status = p->constraints->correct(p, it->t, it->x, err);
    if (status > CRANK_OK) {
        status = p->prepare(p, it->t, it->x, s->xdot, err);
        s->need_factor = true;
        status = status == CRANK_OK ? p->constraints->correct(p, it->t, it->x, err) : status;
    }
    for (int j = 0; j < it->n; j++) {
        s->e[j] += it->x[j] - s->x[j];
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

static void find_end(const crank_integrator *it, double *x)
{
    memcpy(x, ((const crank_bdf *)it->state)->x, (size_t)it->n * sizeof *x);
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_bdf *s = it->state;
    (void)a;
    memcpy(it->x, s->x, (size_t)it->n * sizeof *it->x);
    crank_bdf_choose(it, s);
}

static int most_reuse(const crank_integrator *it)
{
    const crank_options *o = &it->options;
    if (o->jacobian_steps > 0) {
        return o->jacobian_steps;
    }
    return o->jacobian != CRANK_JACOBIAN_AUTO ? INT_MAX
           : it->problem->constraints != NULL ? MAX_REUSE_WATCHED
                                              : MAX_REUSE;
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    crank_bdf *s = it->state;
    bool changed = false;
    (void)a;
    crank_status status = correct_point(it, s, err);
    crank_bdf_update(it, s);
    if (status == CRANK_OK) {
        status = crank_stepper_tell(it, last, &changed, err);
    }
    s->reused++;
    s->need_jacobian = changed || s->reused >= most_reuse(it);
    s->jacobian_fresh = false;
    s->error_failures = 0;
    return status;
}

/* ---- start ---- */

/* x' at the start, of p, v, r: from the rates, or from one solve with a large shift, which
 * is x'/shift up to terms of its square; the others start from a standstill. */
static crank_status first_derivative(crank_integrator *it, crank_bdf *s, crank_error *err)
{
    crank_problem *p = it->problem;
    const double shift = 1e6 / (it->t_end - it->t), none = 0.0;
    memset(s->slope, 0, (size_t)it->n * sizeof *s->slope);
    crank_status status = p->evaluate(p, 1, &it->t, it->x, s->k, err);
    if (status == CRANK_OK) {
        it->origin = crank_hash(it->origin, s->k, (size_t)it->m * sizeof *s->k);
        status = p->prepare(p, it->t, it->x, NULL, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    s->need_jacobian = false;
    it->t_looked = it->t;
    if (p->rates != NULL) {
        status = p->rates(p, it->t, it->x, s->k, s->slope, err);
        return status > CRANK_OK ? CRANK_OK : status; /* M singular: from a standstill */
    }
    status = p->factor(p, 1, &shift, &none, err);
    for (int i = 0; i < it->m; i++) {
        s->residual[i] = p->differential[i] ? s->k[i] : 0.0;
    }
    status =
        status == CRANK_OK ? p->solve(p, 0, s->residual, NULL, s->slope, NULL, err) : status;
    for (int j = 0; j < it->n; j++) {
        s->slope[j] = crank_integrator_is_differential(it, j) ? shift * s->slope[j] : 0.0;
    }
    return status;
}

/* the state moves by half the tolerance over the first step */
static void first_step(crank_integrator *it, const crank_bdf *s)
{
    it->h = it->options.h_start;
    if (!(it->h > 0.0)) {
        it->h = 1e-3 * (it->t_end - it->t);
        const double rate = crank_integrator_norm(it, 1, s->slope, it->h);
        it->h = rate * it->h > first_move ? first_move / rate : it->h;
    }
    it->h = fmax(it->h, 1e3 * it->options.rounding_unit * fabs(it->t)); /* time resolves it */
    crank_integrator_clip_step(it);
}

/* Where no row is algebraic all unknowns have rates, where nothing else is tested none has:
 * then all are tested as they are. */
static void count_following(const crank_integrator *it, crank_bdf *s)
{
    const crank_problem *p = it->problem;
    int following = 0, others = 0, algebraic = 0;
    s->index_2 = true;
    for (int j = 0; j < it->n; j++) {
        const bool follows = p->tested[j] && crank_bdf_follows(it, j);
        following += follows;
        others += p->tested[j] && !follows;
        s->index_2 = s->index_2 && (!p->tested[j] || p->scaling[j] == (follows ? 1 : 0));
    }
    for (int i = 0; i < it->m; i++) {
        algebraic += !p->differential[i];
    }
    s->following = others > 0 && algebraic > 0 ? following : 0;
}

static void reset(crank_integrator *it)
{
    crank_bdf *s = it->state;
    const crank_options *o = &it->options;
    const bool corrected = o->final_correction && it->problem->constraints != NULL;
    s->newton_tolerance =
        o->newton_tolerance > 0.0 ? o->newton_tolerance : newton_tolerance[corrected];
    s->least_rtol = it->rtol_used[0];
    for (int j = 1; j < it->n; j++) {
        s->least_rtol = fmin(s->least_rtol, it->rtol_used[j]);
    }
    count_following(it, s);
    crank_bdf_list_weights(it, s);
    const bool all = (s->following == 0 || s->index_2) && it->problem->held == NULL;
    s->error_weight = all ? s->weight : s->weight_of_some;
    s->max_order = o->max_order > 0 ? o->max_order : USUAL_ORDER;
    s->order = 1;
    s->order_used = s->equal_steps = s->reused = 0;
    s->h_used = 0.0;
    s->starting = s->need_jacobian = s->need_factor = true;
    s->jacobian_fresh = s->cautious = false;
    s->error_failures = 0;
    s->rate = 100.0;
    s->rate_distance = 0.0;
    s->t_updated = it->t;
    s->cj_factored = 1.0;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_bdf *s = it->state;
    const crank_status status = first_derivative(it, s, err);
    if (status != CRANK_OK) {
        return status;
    }
    first_step(it, s);
    s->psi[0] = it->h;
    memset(s->phi, 0, CRANK_BDF_DIFFERENCES * (size_t)it->n * sizeof *s->phi);
    memcpy(crank_bdf_phi(it, 0), it->x, (size_t)it->n * sizeof *it->x);
    for (int j = 0; j < it->n; j++) {
        crank_bdf_phi(it, 1)[j] = it->h * s->slope[j];
    }
    return CRANK_OK;
}

static void invalidate(crank_integrator *it)
{
    crank_bdf *s = it->state;
    s->need_jacobian = s->need_factor = true;
}

/* ---- checkpoints ---- */

static const int most = INT_MAX / 2; /* of what is counted on */

static void archive_coefficients(crank_bdf *s, crank_archive *a)
{
    double *const tables[] = {s->psi, s->alpha, s->beta, s->sigma, s->gamma};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        crank_archive_doubles(a, tables[i], CRANK_BDF_DIFFERENCES);
    }
    crank_archive_double(a, &s->cj);
    crank_archive_double(a, &s->ck);
    crank_archive_int(a, &s->order, 1, CRANK_BDF_ORDER);
    crank_archive_int(a, &s->order_used, 0, CRANK_BDF_ORDER);
    crank_archive_int(a, &s->equal_steps, 0, CRANK_BDF_ORDER + 2);
}

/* What one attempt leaves to the next and to rows. Predictions, iterates and residuals are
 * filled anew before they are read, but for the slope, by which a look at singular positions
 * prepares. */
static void archive(crank_integrator *it, crank_archive *a)
{
    crank_bdf *s = it->state;
    const size_t n = (size_t)it->n;
    bool *const flags[] = {&s->starting, &s->cautious, &s->need_jacobian, &s->need_factor,
                           &s->jacobian_fresh};
    double *const values[] = {&s->h_used,        &s->cj_factored,      &s->rate,
                              &s->rate_distance, &s->newton_tolerance, &s->t_updated};
    crank_archive_doubles(a, s->phi, CRANK_BDF_DIFFERENCES * n);
    crank_archive_doubles(a, s->slope, n);
    archive_coefficients(s, a);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_int(a, &s->reused, 0, most);
    crank_archive_int(a, &s->error_failures, 0, most);
}

const crank_method crank_method_bdf = {
    .name = "bdf",
    .max_order = CRANK_BDF_ORDER,
    .looks_rarely = true,
    .takes_residuals = true,
    .state_size = sizeof(crank_bdf),
    .layout = layout,
    .reset = reset,
    .start = start,
    .look = look,
    .attempt = attempt,
    .undo = undo,
    .shorter = shorter,
    .end = find_end,
    .accept = accept,
    .settle = settle,
    .interpolate = crank_bdf_interpolate,
    .refine_row = crank_bdf_refine_row,
    .invalidate = invalidate,
    .archive = archive,
};
