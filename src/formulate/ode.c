/* ode.c - the equations of motion as an ordinary differential equation for explicit integrators.
 *
 *     y = (p, v, r):   y' = (Z v, M^-1 f, b)  with  w, lambda, mu, s  from  0 = d, gII, hI, c      theory (9.1)
 *
 * whose solutions stay on the constraints g, gI, h and the invariants e, n if they begin there; discretised, they
 * drift off, so that each accepted step ends with the projection of psf, which also watches for singular positions
 * and chooses independent rows where constraints are redundant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/ode.h"

#include <stdlib.h>
#include <string.h>

/* from this many algebraic unknowns on sparse is faster than dense */
enum { SPARSE_FROM = 12 };

static crank_problem *inner(crank_problem *base)
{
    return &((crank_ode *)base)->psf->base;
}

static void count(crank_ode *s)
{
    s->statistics = s->psf->statistics;
    if (s->square.sparse != NULL) {
        s->statistics.analyses++;
        s->statistics.pivot_searches += crank_sparse_pivot_searches(s->square.sparse);
    }
}

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    return inner(base)->evaluate(inner(base), count, t, x, k, err);
}

static crank_status derivative(crank_problem *base, double t, double *x, double *xdot,
                               crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    const crank_eom *eom = s->eom;
    const crank_status status = crank_ode_solve_stage(s, t, x, err);
    count(s);
    if (status != CRANK_OK) {
        return status;
    }
    memset(xdot, 0, (size_t)eom->column[CRANK_R] * sizeof *xdot);
    memset(xdot + eom->column[CRANK_S], 0, (size_t)eom->sizes.s * sizeof *xdot);
    return inner(base)->rates(inner(base), t, x, s->k, xdot, err);
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    const crank_status status = inner(base)->prepare(inner(base), t, x, xdot, err);
    count((crank_ode *)base);
    return status;
}

static crank_status correct(crank_problem *base, double t, double *x, crank_error *err)
{
    const crank_status status = inner(base)->correct(inner(base), t, x, err);
    count((crank_ode *)base);
    return status;
}

static void restart(crank_problem *base)
{
    inner(base)->restart(inner(base));
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    return inner(base)->accepted(inner(base), t, x, changed, err);
}

static crank_status step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    return inner(base)->step_limit(inner(base), t, h, err);
}

static crank_status residuals(crank_problem *base, double t, const double *x,
                              double residual[3], crank_error *err)
{
    return crank_eom_residuals(((crank_ode *)base)->eom, t, x, residual, err);
}

static const char *unknown_name(const crank_problem *base, int j)
{
    return crank_eom_column_name(((const crank_ode *)base)->eom, j);
}

static void archive(crank_problem *base, crank_archive *a)
{
    crank_ode *s = (crank_ode *)base;
    crank_psf_archive(inner(base), a);
    if (s->square.sparse != NULL) {
        crank_archive_doubles(a, s->square.values, (size_t)s->square.start[s->square.n]);
        crank_sparse_archive(s->square.sparse, a, s->square.values, NULL);
    }
    count(s);
}

static void destroy(crank_problem *base)
{
    crank_ode *s = (crank_ode *)base;
    if (s == NULL) {
        return;
    }
    if (s->psf != NULL) {
        s->psf->base.destroy(&s->psf->base);
    }
    crank_ode_square_destroy(&s->square);
    crank_stage_entries_destroy(&s->entries);
    crank_arena_free(&s->arena);
    free(s);
}

/* ---- create ---- */

static void layout(crank_ode *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const bool whole = eom->supplier.stage == NULL;
    s->tested = crank_arena_take(arena, (size_t)eom->n, sizeof(bool));
    s->k = crank_arena_take(arena, (size_t)eom->m, sizeof(double));
    s->values = crank_arena_take(arena, (size_t)s->entries.count, sizeof(double));
    s->work = crank_arena_take(arena, whole ? (size_t)eom->jacobian_pattern.start[eom->n] : 0,
                               sizeof(double));
    s->delta = crank_arena_take(arena, (size_t)s->entries.unknowns, sizeof(double));
}

/* psf on the same eom. Redundant rows are left out one by one, which its sparse realisation does; then it is made
 * anew, and only that is told. */
static crank_status create_psf(crank_ode *s, const crank_options *options, double t0,
                               const double *x0, crank_log log, crank_error *err)
{
    crank_problem *made = NULL;
    crank_error reason = {0};
    crank_status status = crank_psf_create(s->eom, options, t0, x0, (crank_log){0}, &made, err);
    s->psf = (crank_psf *)made;
    if (status != CRANK_OK || !s->psf->reduction->state.redundant) {
        return status;
    }
    crank_options sparse = *options;
    sparse.linear_algebra = CRANK_LINALG_SPARSE;
    made->destroy(made);
    status = options->linear_algebra == CRANK_LINALG_DENSE
                 ? CRANK_EREFUSED
                 : crank_psf_create(s->eom, &sparse, t0, x0, log, &made, &reason);
    s->psf = status == CRANK_OK ? (crank_psf *)made : NULL;
    if (status == CRANK_EMEM) {
        return crank_fail(err, CRANK_EMEM, "%s", reason.text);
    }
    return status == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EREFUSED,
                            "constraints are redundant, which ode can do with sparse linear "
                            "algebra only%s%s; or use psf-radau",
                            reason.text[0] != '\0' ? ": " : "", reason.text);
}

static void describe(crank_ode *s)
{
    const crank_eom *eom = s->eom;
    const crank_problem *psf = &s->psf->base;
    for (int j = 0; j < eom->n; j++) {
        s->tested[j] = j >= eom->column[CRANK_R] && crank_stage_unknown(eom, j) < 0;
    }
    s->base = (crank_problem){.name = "ode",
                              .n = psf->n,
                              .m = psf->m,
                              .differential = psf->differential,
                              .tested = s->tested,
                              .group = psf->group,
                              .scaling = psf->scaling,
                              .noise = psf->noise,
                              .path_column = psf->path_column,
                              .path_row = psf->path_row,
                              .path_count = psf->path_count,
                              .statistics = &s->statistics,
                              .log = &s->psf->setup.log,
                              .evaluate = evaluate,
                              .derivative = derivative,
                              .prepare = prepare,
                              .correct = correct,
                              .restart = restart,
                              .accepted = accepted,
                              .step_limit = step_limit,
                              .residuals = residuals,
                              .unknown_name = unknown_name,
                              .archive = archive,
                              .destroy = destroy};
}

crank_status crank_ode_create(crank_eom *eom, const crank_options *options, double t0,
                              const double *x0, crank_log log, crank_problem **out,
                              crank_error *err)
{
    *out = NULL;
    if (!eom->has_acceleration_level) {
        return crank_fail(err, CRANK_EREFUSED,
                          "ode needs the acceleration level gII, hI of the constraints");
    }
    crank_ode *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->eom = eom;
    crank_status status = create_psf(s, options, t0, x0, log, err);
    if (status == CRANK_OK) {
        status = crank_stage_entries_create(eom, &eom->jacobian_pattern, &s->entries, err);
    }
    if (status == CRANK_OK) {
        const crank_linear_algebra wish = options->linear_algebra;
        const bool large = wish == CRANK_LINALG_AUTO && s->entries.unknowns >= SPARSE_FROM;
        status = crank_ode_square_create(s, wish == CRANK_LINALG_SPARSE || large, err);
    }
    layout(s, &s->arena);
    if (status == CRANK_OK && !crank_arena_allocate(&s->arena)) {
        status = crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status > CRANK_OK ? crank_fail(err, CRANK_ERANK_MISMATCH,
                                              "the acceleration level does not determine w, "
                                              "lambda and mu (mass matrix or d_w singular?)")
                                 : status;
    }
    layout(s, &s->arena);
    s->psf->setup.log = s->psf->reduction->setup.log = log;
    describe(s);
    count(s);
    *out = &s->base;
    return CRANK_OK;
}
