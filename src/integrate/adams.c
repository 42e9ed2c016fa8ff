/* adams.c - Adams formulas of orders 1 to 12 with projection: hooks of stepper.h. Predict,
 * evaluate, correct, project, evaluate: variable step and order after [SG75], theory 9.5;
 * coefficients, error and order in adams_order.c.
 *
 * The end of a step is projected onto all constraint levels and invariants with the
 * decomposition of an earlier step as long as that converges; the rates at the projected end
 * are what the differences take in, so that they belong to motions that satisfy the
 * constraints. What it cost: two evaluations, and a decomposition every few steps. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/adams.h"

#include "integrate/controller.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* accepted steps on one decomposition: each is a look for singular positions */
enum { MAX_REUSE = 10 };
/* Evaluations of the constraints, beyond those that a decomposition on the spot would have
 * taken, after which a new one pays: it costs as much as 5 to 12 of them. */
enum { FRESH = 2, ENOUGH = 8 };
/* failures of the error test in a row of one step, before order 1 */
enum { FAILURES_TO_ORDER_1 = 3 };

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_adams *s = state;
    const size_t n = (size_t)it->n;
    double **const tables[] = {&s->phi, &s->next};
    double **const vectors[] = {&s->X, &s->f, &s->e, &s->end, &s->begin, &s->rate, &s->work};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        *tables[i] = crank_arena_take(arena, CRANK_ADAMS_DIFFERENCES * n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = crank_arena_take(arena, n, sizeof(double));
    }
}

/* ---- decompositions ---- */

/* *looked: a decomposition was made, which serves further steps, and the monitor of singular
 * positions had a look. Else the problem has cheaper means and wants to be asked again at
 * the next step. */
static crank_status prepare(crank_integrator *it, crank_adams *s, double t, const double *x,
                            const double *rate, bool *looked, crank_error *err)
{
    const crank_statistics *statistics = it->problem->statistics;
    const int64_t before = statistics->predecompositions;
    const crank_status status = it->problem->prepare(it->problem, t, x, rate, err);
    *looked = statistics->predecompositions > before;
    s->need_prepare = status != CRANK_OK || !*looked;
    it->t_looked = *looked ? t : it->t_looked;
    s->reused = s->spent = 0;
    return status;
}

/* s->end onto the constraints, with a decomposition made there if the one at hand will not
 * do */
static crank_status project(crank_integrator *it, crank_adams *s, double *moved,
                            crank_error *err)
{
    const double t = crank_integrator_step_end(it);
    crank_status status = CRANK_RETRY;
    *moved = 0.0;
    if (!s->need_prepare && s->reused < MAX_REUSE && s->spent < ENOUGH) {
        const int64_t before = it->problem->statistics->constraint_evaluations;
        status = crank_explicit_project(it, t, s->end, s->work, moved, err);
        s->spent += (int)(it->problem->statistics->constraint_evaluations - before) - FRESH;
    }
    if (status > CRANK_OK) {
        status = prepare(it, s, t, s->end, s->f, &s->elsewhere, err);
        status = status == CRANK_OK ? crank_explicit_project(it, t, s->end, s->work, moved, err)
                                    : status;
    }
    return status;
}

/* ---- an attempt ---- */

/* after a failure the monitor looks at the present again; what is wrong there the prediction
 * says */
static crank_status begin(crank_integrator *it, crank_error *err)
{
    crank_adams *s = it->state;
    if (!s->elsewhere) {
        return CRANK_OK;
    }
    const crank_status status = prepare(it, s, it->t, it->x, s->rate, &s->elsewhere, err);
    s->elsewhere = false;
    return status > CRANK_OK ? CRANK_OK : status;
}

static crank_status look(crank_integrator *it, crank_error *err)
{
    crank_adams *s = it->state;
    bool looked = false;
    return prepare(it, s, it->t, it->x, s->rate, &looked, err);
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_adams *s = it->state;
    crank_problem *p = it->problem;
    crank_adams_predict(it, s);
    it->statistics.solves++;
    s->moved = 0.0;
    a->shorter = 0.25;
    crank_status status = p->derivative(p, crank_integrator_step_end(it), s->X, s->f, err);
    if (status != CRANK_OK) {
        return status;
    }
    a->size = crank_adams_error(it, s);
    if (!isfinite(a->size)) {
        a->shorter = 0.1;
        return CRANK_RETRY;
    }
    if (a->size > 1.0) {
        return CRANK_OK;
    }
    crank_adams_correct(it, s);
    status = project(it, s, &s->moved, err);
    if (crank_explicit_mends(status) || !(s->moved <= crank_explicit_largest_move)) {
        return CRANK_RETRY;
    }
    a->size = fmax(a->size, s->moved);
    return status;
}

static void undo(crank_integrator *it)
{
    ((crank_adams *)it->state)->starting = false;
}

static double shorter(crank_integrator *it, const crank_attempt *a)
{
    crank_adams *s = it->state;
    s->estimate = fmax(s->estimate, a->size);
    s->error_failures++;
    s->order = s->error_failures < FAILURES_TO_ORDER_1 ? s->order_new : 1;
    return it->h * crank_control_rejected(crank_adams_ratio(it, s), s->error_failures);
}

static void find_end(const crank_integrator *it, double *x)
{
    memcpy(x, ((const crank_adams *)it->state)->end, (size_t)it->n * sizeof *x);
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_adams *s = it->state;
    const size_t bytes = (size_t)it->n * sizeof(double);
    (void)a;
    memcpy(s->begin, it->x, bytes);
    memcpy(it->x, s->end, bytes);
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    crank_adams *s = it->state;
    (void)a;
    const crank_status status = crank_explicit_settle(it, s->rate, last, err);
    if (status != CRANK_OK) {
        memcpy(s->rate, s->f, (size_t)it->n * sizeof *s->rate); /* for rows of this step */
    }
    crank_adams_update(it, s);
    crank_adams_choose(it, s, s->moved);
    if (!s->stiffness.told) {
        crank_explicit_note_stiffness(it, &s->stiffness, crank_adams_is_stiff(it, s));
    }
    s->error_failures = 0;
    s->elsewhere = false;
    s->reused++;
    return status;
}

/* ---- start ---- */

static void reset(crank_integrator *it)
{
    crank_adams *s = it->state;
    const size_t n = (size_t)it->n;
    s->first = 0;
    while (s->first < it->n && !crank_integrator_is_differential(it, s->first)) {
        s->first++;
    }
    s->max_order = it->options.max_order > 0 ? it->options.max_order : CRANK_ADAMS_ORDER;
    s->order = 1;
    s->order_made = s->order_used = s->equal_steps = s->reused = s->spent = 0;
    s->error_failures = 0;
    s->h_used = 0.0;
    s->starting = true;
    s->need_prepare = s->elsewhere = false;
    s->stiffness = (crank_stiffness){0};
    memset(s->phi, 0, CRANK_ADAMS_DIFFERENCES * n * sizeof *s->phi);
    memset(s->next, 0, CRANK_ADAMS_DIFFERENCES * n * sizeof *s->next);
    memcpy(s->begin, it->x, n * sizeof *s->begin);
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_adams *s = it->state;
    const crank_status status = crank_explicit_start(it, s->X, s->rate, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(s->phi, s->rate, (size_t)it->n * sizeof *s->phi);
    return it->options.h_start > 0.0
               ? CRANK_OK
               : crank_explicit_first_step(it, 2, s->rate, s->X, s->work, err);
}

static void invalidate(crank_integrator *it)
{
    ((crank_adams *)it->state)->need_prepare = true;
}

/* checkpoints of the Adams method: what one attempt at a step leaves to the next and to rows
 * between steps. Coefficients, predictions and the differences of an attempt are filled anew
 * before they are read. */
static void archive(crank_integrator *it, crank_archive *a)
{
    crank_adams *s = it->state;
    const size_t n = (size_t)it->n;
    const int most = INT_MAX / 2; /* of what is counted on */
    bool *const flags[] = {&s->starting, &s->need_prepare, &s->elsewhere};
    crank_archive_doubles(a, s->phi, CRANK_ADAMS_DIFFERENCES * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->rate, n);
    crank_archive_doubles(a, s->psi, CRANK_ADAMS_DIFFERENCES);
    crank_archive_int(a, &s->order, 1, CRANK_ADAMS_ORDER);
    crank_archive_int(a, &s->order_used, 0, CRANK_ADAMS_ORDER);
    crank_archive_int(a, &s->equal_steps, 0, CRANK_ADAMS_DIFFERENCES);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    crank_archive_double(a, &s->h_used);
    crank_archive_int(a, &s->reused, 0, most);
    crank_archive_int(a, &s->spent, -most, most);
    crank_archive_int(a, &s->error_failures, 0, most);
    crank_explicit_archive_stiffness(&s->stiffness, a);
    s->order_made = a->loading ? 0 : s->order_made;
}

/* of Newton's iteration and of other step controls */
const crank_method crank_method_adams = {
    .name = "adams",
    .max_order = CRANK_ADAMS_ORDER,
    .looks_rarely = true,
    .is_explicit = true,
    .state_size = sizeof(crank_adams),
    .layout = layout,
    .reset = reset,
    .start = start,
    .begin = begin,
    .look = look,
    .attempt = attempt,
    .undo = undo,
    .shorter = shorter,
    .end = find_end,
    .accept = accept,
    .settle = settle,
    .interpolate = crank_adams_interpolate,
    .invalidate = invalidate,
    .archive = archive,
};
