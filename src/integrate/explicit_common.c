/* explicit_common.c - what explicit methods with projection share: see explicit_common.h and
 * theory, 9.1, 9.3. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit_common.h"

#include "integrate/stepper.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const double crank_explicit_largest_move = 100.0;

/* signs of stiffness in a row that are reported, and signs of calm that end the row [HNW93,
 * II.10] */
enum { STIFF_SIGNS = 15, CALM_SIGNS = 6 };

/* changes over tolerances, in the whole time, below which nothing can be said about the first
 * step [HNW93, II.4] */
static const double unmeasurable = 1e-5;

/* ---- start ---- */

crank_status crank_explicit_start(crank_integrator *it, double *X, double *rate,
                                  crank_error *err)
{
    crank_problem *p = it->problem;
    crank_status status = p->prepare(p, it->t, it->x, NULL, err);
    if (status == CRANK_OK) {
        memcpy(X, it->x, (size_t)it->n * sizeof *X);
        status = p->derivative(p, it->t, X, rate, err); /* x itself stays as it is given */
        it->origin = crank_hash(it->origin, rate, (size_t)it->n * sizeof *rate);
    }
    return status;
}

crank_status crank_explicit_first_step(crank_integrator *it, int order, const double *rate,
                                       double *X, double *work, crank_error *err)
{
    const double span = it->t_end - it->t;
    const double size = crank_integrator_norm(it, 1, it->x, 1.0);
    const double speed = crank_integrator_norm(it, 1, rate, 1.0);
    const bool known = size > unmeasurable && speed * span > unmeasurable;
    const double period = known ? size / speed : span; /* in which x changes by its own size */
    double h = known ? 0.01 * period : 1e-6 * span;
    h = fmin(h, span);
    for (int j = 0; j < it->n; j++) { /* the rates of algebraic unknowns are zero */
        X[j] = it->x[j] + h * rate[j];
    }
    const crank_status status = it->problem->derivative(it->problem, it->t + h, X, work, err);
    it->h = h;
    if (status != CRANK_OK) {
        return status < CRANK_OK ? status : CRANK_OK;
    }
    for (int j = 0; j < it->n; j++) {
        work[j] -= rate[j];
    }
    const double bend = crank_integrator_norm(it, 1, work, 1.0) / h * period * period;
    const double fastest = fmax(speed * period, bend);
    const double longer =
        fastest <= DBL_EPSILON ? 1e-3 * h : period * pow(0.01 / fastest, 1.0 / order);
    it->h = fmin(fmin(100.0 * h, longer), span);
    return CRANK_OK;
}

/* ---- the step ---- */

crank_status crank_explicit_project(crank_integrator *it, double t, double *end, double *work,
                                    double *moved, crank_error *err)
{
    crank_problem *p = it->problem;
    *moved = 0.0;
    if (!it->options.final_correction || p->constraints == NULL) {
        return CRANK_OK;
    }
    memcpy(work, end, (size_t)it->n * sizeof *work);
    const crank_status status = p->constraints->correct(p, t, end, err);
    for (int j = 0; j < it->n; j++) {
        work[j] -= end[j];
    }
    *moved = status == CRANK_OK ? crank_integrator_norm(it, 1, work, it->h) : 0.0;
    return status;
}

bool crank_explicit_mends(crank_status status)
{
    return status > CRANK_OK || status == CRANK_ESINGULAR || status == CRANK_ERANK_CHANGED ||
           status == CRANK_ERANK_MISMATCH;
}

crank_status crank_explicit_settle(crank_integrator *it, double *rate, bool last,
                                   crank_error *err)
{
    crank_problem *p = it->problem;
    bool changed = false;
    crank_status status = crank_stepper_tell(it, last, &changed, err);
    if (status == CRANK_OK) {
        it->statistics.solves++;
        status = p->derivative(p, it->t, it->x, rate, err);
    }
    if (status > CRANK_OK) {
        crank_error reason = *err;
        return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                          "the equations cannot be evaluated at t = %.10g: %s", it->t,
                          reason.text);
    }
    return status;
}

/* ---- stiffness ---- */

void crank_explicit_note_stiffness(crank_integrator *it, crank_stiffness *s, bool sign)
{
    if (sign) {
        s->calm_signs = 0;
        s->stiff_signs++;
    } else if (++s->calm_signs >= CALM_SIGNS) {
        s->stiff_signs = s->calm_signs = 0;
    }
    if (s->stiff_signs >= STIFF_SIGNS) {
        s->told = true;
        if (it->problem->log != NULL) {
            crank_log_write(it->problem->log, CRANK_WARNING,
                            "t = %.6g: the equations are stiff for %s, whose steps are bounded "
                            "by stability here; psf-radau takes longer ones",
                            it->t, it->method->name);
        }
    }
}

void crank_explicit_archive_stiffness(crank_stiffness *s, crank_archive *a)
{
    crank_archive_flag(a, &s->told);
    crank_archive_int(a, &s->stiff_signs, 0, INT_MAX / 2);
    crank_archive_int(a, &s->calm_signs, 0, INT_MAX / 2);
}
