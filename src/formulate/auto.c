/* auto.c - two formulations of one motion, between which the integrator auto changes.
 *
 * calm: ode, for an explicit method with projection, which is fastest where nothing is stiff;
 * stiff: psf, which takes any model. Both keep all constraint levels, so that a run may pass
 * from one to the other at the end of any step. Where ode refuses a model, or an option asks
 * for what only psf has, psf is used from the start.
 *
 * What one of them has learnt of singular positions the other one must not forget: it may be
 * called right before one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "formulate/ode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct crank_auto_problem {
    crank_problem base;
    crank_alternatives both;
    crank_log log;
    double regular[CRANK_WINDOWS]; /* smallest pivots of psf's windows at the start */
} crank_auto_problem;

static crank_problem *in_use(const crank_problem *base)
{
    const crank_alternatives *both = base->alternatives;
    return both->stiff_now ? both->stiff : both->calm;
}

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    crank_problem *p = in_use(base);
    return p->evaluate(p, count, t, x, k, err);
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_problem *p = in_use(base);
    return p->prepare(p, t, x, xdot, err);
}

static crank_status correct(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_problem *p = in_use(base);
    return p->constraints->correct(p, t, x, err);
}

static crank_status step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    crank_problem *p = in_use(base);
    return p->constraints->step_limit(p, t, h, err);
}

/* after a passage, which only psf makes */
static crank_status complete(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_problem *p = base->alternatives->stiff;
    return p->complete(p, t, x, err);
}

static bool ahead(crank_problem *base, double t, double *zero)
{
    crank_problem *p = base->alternatives->stiff;
    return p->passage->ahead(p, t, zero);
}

static crank_status land(crank_problem *base, double t, double *x, const double *xdot,
                         crank_error *err)
{
    crank_problem *p = base->alternatives->stiff;
    return p->passage->land(p, t, x, xdot, err);
}

static void landed(crank_problem *base, bool passed, double zero)
{
    crank_problem *p = base->alternatives->stiff;
    p->passage->landed(p, passed, zero);
}

static double regularity(const crank_problem *base)
{
    const crank_problem *p = base->alternatives->stiff;
    return p->passage->regularity(p);
}

static void restart(crank_problem *base)
{
    crank_problem *const both[] = {base->alternatives->calm, base->alternatives->stiff};
    for (int i = 0; i < 2; i++) {
        if (both[i] != NULL) {
            both[i]->course->restart(both[i]);
        }
    }
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_problem *p = in_use(base);
    return p->course->accepted(p, t, x, changed, err);
}

/* Pivots so far, and the forecast made of them, stay: after a plain restart the present ones,
 * however small, would be taken for regular. */
static void take_over(crank_problem *base)
{
    const crank_auto_problem *s = (const crank_auto_problem *)base;
    crank_psf *stiff = (crank_psf *)s->both.stiff, *calm = ((crank_ode *)s->both.calm)->psf;
    crank_psf *now = s->both.stiff_now ? stiff : calm,
              *before = s->both.stiff_now ? calm : stiff;
    double largest[CRANK_WINDOWS];
    memcpy(largest, now->largest, sizeof largest);
    in_use(base)->course->restart(in_use(base));
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        now->largest[w] = now == stiff ? fmax(largest[w], s->regular[w]) : largest[w];
    }
    now->singular = before->singular;
    now->passed_t = before->passed_t;
    now->passed_at = before->passed_at;
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = correct,
                                                      .step_limit = step_limit};
static const crank_problem_passage passage = {
    .ahead = ahead, .land = land, .landed = landed, .regularity = regularity};

static void archive(crank_problem *base, crank_archive *a)
{
    crank_problem *calm = base->alternatives->calm, *stiff = base->alternatives->stiff;
    if (calm != NULL) {
        calm->archive(calm, a);
    }
    stiff->archive(stiff, a);
}

static void destroy(crank_problem *base)
{
    crank_problem_destroy(base->alternatives->calm);
    crank_problem_destroy(base->alternatives->stiff);
    free(base);
}

/* The choice in one line. */
static void explain(crank_auto_problem *s, const crank_eom *eom, const crank_options *options,
                    const char *refusal)
{
    const crank_eom_sizes *n = &eom->sizes;
    const int levels = n->lambda + n->mu + (eom->dae != NULL ? n->n : 0);
    if (s->both.calm == NULL) {
        (void)snprintf(s->both.reason, sizeof s->both.reason, "psf-%s, because %.*s",
                       s->both.stiff_integrator, (int)sizeof s->both.reason - 40, refusal);
        return;
    }
    (void)snprintf(
        s->both.reason, sizeof s->both.reason,
        "ode-%s, explicit with projection, until psf-%s takes less work (%d unknown%s, "
        "%d constraint%s, rtol %g)",
        s->both.calm_integrator, s->both.stiff_integrator, eom->n, eom->n == 1 ? "" : "s",
        levels, levels == 1 ? "" : "s", options->rtol);
}

/* What ode can do with these options, or why not. Memory that is not there is a failure. */
static crank_status create_calm(crank_auto_problem *s, crank_eom *eom,
                                const crank_options *options, double t0, const double *x0,
                                crank_error *err)
{
    crank_error reason = {0};
    if (options->singular == CRANK_SINGULAR_PASS) {
        crank_fail(&reason, CRANK_EREFUSED, "singular=pass needs psf-radau");
    } else if (crank_ode_create("ode", eom, options, t0, x0, (crank_log){0}, &s->both.calm,
                                &reason) == CRANK_EMEM) {
        return crank_fail(err, CRANK_EMEM, "%s", reason.text);
    }
    explain(s, eom, options, reason.text);
    return CRANK_OK;
}

crank_status crank_auto_create(const char *name, crank_eom *eom, const crank_options *options,
                               double t0, const double *x0, crank_log log, crank_problem **out,
                               crank_error *err)
{
    (void)name;
    *out = NULL;
    crank_auto_problem *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->base.alternatives = &s->both;
    s->log = log;
    s->both.calm_integrator = "dopri8";
    s->both.stiff_integrator = "radau";
    crank_status status =
        crank_psf_create("psf", eom, options, t0, x0, log, &s->both.stiff, err);
    CRANK_THEN(status, create_calm(s, eom, options, t0, x0, err));
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status;
    }
    const crank_problem *p = s->both.stiff;
    const crank_reduction_state *start = &((const crank_psf *)p)->reduction->state;
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        s->regular[w] = isfinite(start->smallest[w]) ? start->smallest[w] : 0.0;
    }
    s->both.stiff_now = s->both.calm == NULL;
    s->both.take_over = s->both.calm != NULL ? take_over : NULL;
    s->base = (crank_problem){.name = "auto",
                              .eom = eom,
                              .n = p->n,
                              .m = p->m,
                              .differential = p->differential,
                              .tested = p->tested,
                              .group = p->group,
                              .scaling = p->scaling,
                              .noise = p->noise,
                              .held = p->held,
                              .statistics = p->statistics,
                              .alternatives = &s->both,
                              .log = &s->log,
                              .evaluate = evaluate,
                              .prepare = prepare,
                              .destroy = destroy,
                              .course = &course,
                              .constraints = &constraints,
                              .passage = &passage,
                              .report = &crank_formulate_report,
                              .complete = complete,
                              .archive = archive};
    *out = &s->base;
    return CRANK_OK;
}
