/* auto.c - formulations of one motion, between which the integrator auto changes.
 *
 * calm: ode, for an explicit method with projection, which is fastest where nothing is stiff;
 * stiff: index2 with the projection of ode at step ends, where that applies (direct_project.c);
 * safe: psf, which takes any model. All of them keep all constraint levels, so that a run may
 * pass from one to the other at the end of any step. Where ode refuses a model, or an option
 * asks for what only psf has, psf is used from the start.
 *
 * What one of them has learnt of singular positions the others must not forget: they may be
 * called right before one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "formulate/direct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALM = CRANK_PART_CALM, STIFF = CRANK_PART_STIFF, SAFE = CRANK_PART_SAFE };

typedef struct crank_auto_problem {
    crank_problem base;
    crank_alternatives both;
    crank_log log;
    double regular[CRANK_WINDOWS]; /* smallest pivots of psf's windows at the start */
} crank_auto_problem;

static crank_problem *in_use(const crank_problem *base)
{
    return base->alternatives->part[base->alternatives->now];
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
    crank_problem *p = base->alternatives->part[SAFE];
    return p->complete(p, t, x, err);
}

static bool ahead(crank_problem *base, double t, double *zero)
{
    crank_problem *p = base->alternatives->part[SAFE];
    return p->passage->ahead(p, t, zero);
}

static crank_status land(crank_problem *base, double t, double *x, const double *xdot,
                         crank_error *err)
{
    crank_problem *p = base->alternatives->part[SAFE];
    return p->passage->land(p, t, x, xdot, err);
}

static void landed(crank_problem *base, bool passed, double zero)
{
    crank_problem *p = base->alternatives->part[SAFE];
    p->passage->landed(p, passed, zero);
}

static double regularity(const crank_problem *base)
{
    const crank_problem *p = base->alternatives->part[SAFE];
    return p->passage->regularity(p);
}

static void restart(crank_problem *base)
{
    for (int i = 0; i < CRANK_PARTS; i++) {
        crank_problem *p = base->alternatives->part[i];
        if (p != NULL) {
            p->course->restart(p);
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
static void take_over(crank_problem *base, int before_part)
{
    const crank_auto_problem *s = (const crank_auto_problem *)base;
    if (s->both.now != SAFE && before_part != SAFE) {
        return; /* they share the ode, which goes on */
    }
    crank_psf *safe = (crank_psf *)s->both.part[SAFE],
              *calm = ((crank_ode *)s->both.part[CALM])->psf;
    crank_psf *now = s->both.now == SAFE ? safe : calm,
              *before = before_part == SAFE ? safe : calm;
    double largest[CRANK_WINDOWS];
    const crank_singular singular = before->singular;
    const double passed_t = before->passed_t;
    const int passed_at = before->passed_at;
    memcpy(largest, now->largest, sizeof largest);
    in_use(base)->course->restart(in_use(base));
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        now->largest[w] = now == safe ? fmax(largest[w], s->regular[w]) : largest[w];
    }
    now->singular = singular;
    now->passed_t = passed_t;
    now->passed_at = passed_at;
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = correct,
                                                      .step_limit = step_limit};
static const crank_problem_passage passage = {
    .ahead = ahead, .land = land, .landed = landed, .regularity = regularity};

static void archive(crank_problem *base, crank_archive *a)
{
    for (int i = 0; i < CRANK_PARTS; i++) {
        crank_problem *p = base->alternatives->part[i];
        if (p != NULL) {
            p->archive(p, a);
        }
    }
}

static void destroy(crank_problem *base)
{
    crank_problem_destroy(base->alternatives->part[STIFF]); /* it uses the calm one */
    crank_problem_destroy(base->alternatives->part[CALM]);
    crank_problem_destroy(base->alternatives->part[SAFE]);
    free(base);
}

/* What ode and index2 can do with these options, or why not. Memory that is not there is a
 * failure. */
static crank_status create_others(crank_auto_problem *s, crank_eom *eom,
                                  const crank_options *options, double t0, const double *x0,
                                  crank_error *err)
{
    crank_error reason = {0};
    if (options->singular == CRANK_SINGULAR_PASS) {
        crank_fail(&reason, CRANK_EREFUSED, "singular=pass needs psf-radau");
    } else if (crank_ode_create("ode", eom, options, t0, x0, (crank_log){0},
                                &s->both.part[CALM], &reason) == CRANK_EMEM) {
        return crank_fail(err, CRANK_EMEM, "%s", reason.text);
    }
    crank_ode *calm = (crank_ode *)s->both.part[CALM];
    if (calm != NULL && crank_direct_is_projectable(calm) &&
        crank_direct_create_projected(calm, options, t0, x0, &s->both.part[STIFF], err) ==
            CRANK_EMEM) {
        return CRANK_EMEM;
    }
    if (calm == NULL) {
        (void)snprintf(s->both.reason, sizeof s->both.reason, "psf-%s, because %.*s",
                       s->both.integrator[SAFE], (int)sizeof s->both.reason - 40, reason.text);
    }
    return CRANK_OK;
}

/* Explicit steps that the first attempt of Radau costs, with its matrices: 4.4 on the spinning
 * top, 1.4 on the rolling disc, 33 on a chain of 100 bodies, whose pivots KLU searches for. */
enum { PROBE = 4, PROBE_KLU = 32 };

static int cost_of_probe(const crank_auto_problem *s, const crank_options *options)
{
    const bool cheap = s->both.part[STIFF] != NULL;
    const int n = s->both.part[cheap ? STIFF : SAFE]->n;
    return crank_solver_is_klu(options->linear_algebra, n, !cheap) ? PROBE_KLU : PROBE;
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
    s->both.integrator[CALM] = "dopri8";
    s->both.integrator[STIFF] = s->both.integrator[SAFE] = "radau";
    crank_status status =
        crank_psf_create("psf", eom, options, t0, x0, log, &s->both.part[SAFE], err);
    CRANK_THEN(status, create_others(s, eom, options, t0, x0, err));
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status;
    }
    const crank_problem *p = s->both.part[SAFE];
    const crank_reduction_state *start = &((const crank_psf *)p)->reduction->state;
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        s->regular[w] = isfinite(start->smallest[w]) ? start->smallest[w] : 0.0;
    }
    s->both.now = s->both.part[CALM] != NULL ? CALM : SAFE;
    s->both.probe = cost_of_probe(s, options);
    s->both.take_over = s->both.part[CALM] != NULL ? take_over : NULL;
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
