/* direct_project.c - index2 with step ends projected onto all levels: the cheaper of the two
 * implicit parts of auto.
 *
 *     p' = Z v,  M v' = f - G^T lambda,  r' = b,  0 = d, gI, h     at stages      theory (2.9)
 *     0 = g, gI, h, n, then w, lambda, mu from 0 = d, gII, hI      at step ends   theory (9.15)
 *
 * Norms n of quaternions are integrals of p' = Z v: stages leave them by errors of the step.
 *
 * Stages need no decomposition of the constraints, and their multipliers, which are of lower
 * order, do not leave the step. The projection, the look for singular positions and what is
 * remembered of them are those of ode, which explicit steps before and behind use, too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <string.h>

static crank_problem *keeper_of(crank_problem *base)
{
    return &((crank_direct *)base)->keeper->base;
}

/* A look is due where the keeper's monitor of singular positions asks for one. */
static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const crank_status status = crank_direct_problem.prepare(base, t, x, xdot, err);
    return status == CRANK_OK && xdot != NULL && s->keeper->quick.look_due
               ? keeper_of(base)->prepare(keeper_of(base), t, x, xdot, err)
               : status;
}

/* with factors made there, whatever was prepared last */
static crank_status correct(crank_problem *base, double t, double *x, crank_error *err)
{
    ((crank_direct *)base)->keeper->quick.chosen = true;
    return keeper_of(base)->constraints->correct(keeper_of(base), t, x, err);
}

/* What the completion of an end leaves of the right-hand sides there: they are linear in what it
 * finds, from rows d, gII, hI, which are zero then. Where dynamic rows of a stage are v' they are
 * M v' here. */
static void keep_rows(crank_direct *s, double t, const double *end)
{
    const crank_ode *keeper = s->keeper;
    const crank_eom *eom = s->eom;
    const double *k = keeper->algebraic.k;
    const int dynamic = eom->row[CRANK_ROW_DYN];
    s->end_t = (double)NAN;
    if (!keeper->quick.known || !eom->stage_linear) {
        return;
    }
    memcpy(s->rows, k, (size_t)eom->m * sizeof *s->rows);
    memset(s->rows, 0, (size_t)eom->row[CRANK_ROW_GI] * sizeof *s->rows);
    if (eom->stage_accelerations) {
        if (crank_mass_update(&s->mass, t, end, NULL) != CRANK_OK) {
            return;
        }
        crank_mass_multiply(&s->mass, k + dynamic, s->rows + dynamic);
    }
    s->end_t = t;
    memcpy(s->end, end, (size_t)s->base.n * sizeof *end);
    crank_direct_combine(s, end, s->rows, s->end_rows);
}

/* The first evaluation of a step is that of the last one's end. */
static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    const crank_direct *s = (const crank_direct *)base;
    if (count == 1 && *t == s->end_t && memcmp(x, s->end, (size_t)base->n * sizeof *x) == 0) {
        memcpy(k, s->end_rows, (size_t)base->m * sizeof *k);
        return CRANK_OK;
    }
    return crank_direct_problem.evaluate(base, count, t, x, k, err);
}

static crank_status step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    return keeper_of(base)->constraints->step_limit(keeper_of(base), t, h, err);
}

/* The look follows the projection, whose factors it is for; where that failed psf looks. */
static crank_status arrive(crank_problem *base, double t, const double *x, const double *xdot,
                           double *end, crank_error *err)
{
    crank_ode *keeper = ((crank_direct *)base)->keeper;
    memcpy(end, x, (size_t)base->n * sizeof *x);
    crank_status status = correct(base, t, end, err);
    keep_rows((crank_direct *)base, t, end);
    keeper->quick.look_due = keeper->quick.look_due || !keeper->quick.chosen;
    status =
        status == CRANK_OK ? keeper->base.prepare(&keeper->base, t, end, xdot, err) : status;
    const bool shorter = status == CRANK_ESINGULAR || status == CRANK_ERANK_CHANGED ||
                         status == CRANK_ERANK_MISMATCH;
    return shorter ? CRANK_RETRY : status;
}

static void restart(crank_problem *base)
{
    crank_direct *s = (crank_direct *)base;
    s->prepared_t = s->end_t = (double)NAN;
    crank_direct_noise_forget(s);
    keeper_of(base)->course->restart(keeper_of(base));
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    return keeper_of(base)->course->accepted(keeper_of(base), t, x, changed, err);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = correct,
                                                      .step_limit = step_limit};

bool crank_direct_is_projectable(const crank_ode *keeper)
{
    const crank_options *options = &keeper->psf->setup.options;
    return keeper->quick.possible && keeper->eom->dae == NULL && options->final_correction &&
           keeper->eom->sizes.v > 0;
}

void crank_direct_project(crank_direct *s)
{
    s->end_t = (double)NAN;
    s->base.evaluate = evaluate;
    s->base.prepare = prepare;
    s->base.arrive = arrive;
    s->base.complete = NULL;
    s->base.course = &course;
    s->base.constraints = &constraints;
}
