/* failure.c - why no step succeeds, as far as is known: what methods with an error test say
 * when they end a run. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"

#include <math.h>
#include <stdio.h>

/* of an unknown that runs away like 1/(t* - t): its growth in a step, a part of itself; what a
 * step is over t where it is nothing but rounding; its size over that at which its relative
 * tolerance and its absolute one are the same */
static const double grown = 0.01, nothing = 1e-12, beyond = 1e3;

crank_status crank_integrator_give_up(crank_integrator *it, crank_status status,
                                      crank_error *err)
{
    crank_problem *p = it->problem;
    crank_error reason = {0};
    double none = 0.0;
    if (p->constraints != NULL) { /* methods that keep a decomposition look here only now */
        (void)p->prepare(p, it->t, it->x, NULL, NULL);
    }
    if (p->constraints == NULL ||
        p->constraints->step_limit(p, it->t, &none, &reason) != CRANK_ESINGULAR) {
        return status;
    }
    if (err != NULL) {
        *err = reason;
    }
    return CRANK_ESINGULAR;
}

/* Are the constraints that hold at (t, x) violated at once after t? */
static bool constraints_jump(crank_integrator *it)
{
    crank_problem *p = it->problem;
    double before[3], after[3];
    const double later = it->t + 1e-13 * fmax(fabs(it->t), it->t_end - it->t);
    return p->report != NULL &&
           p->report->residuals(p, it->t, it->x, before, NULL) == CRANK_OK &&
           p->report->residuals(p, later, it->x, after, NULL) == CRANK_OK &&
           after[0] > 1e-8 + 10.0 * before[0];
}

/* The unknown that runs away: in the last step, which is rounding of t, it has grown by more
 * than a part of itself, and it is beyond what its absolute tolerance covers. -1: none. */
static int running_away(crank_integrator *it)
{
    double *before = it->output_work, most = grown;
    int found = -1;
    if (!(it->t > it->t_old) || it->t - it->t_old > nothing * fabs(it->t)) {
        return -1;
    }
    it->method->interpolate(it, it->t_old, before);
    for (int j = 0; j < it->n; j++) {
        const double size = fabs(it->x[j]), growth = (size - fabs(before[j])) / size;
        const bool asked = crank_problem_column(it->problem, j) >= 0;
        if (asked && it->rtol[j] * size > beyond * it->atol[j] && growth > most) {
            most = growth;
            found = j;
        }
    }
    return found;
}

/* the step size vanished */
static crank_status too_small(crank_integrator *it, crank_error *err)
{
    const crank_problem *p = it->problem;
    const int jumping = it->jumping;
    const char *outside = it->outside.text;
    const bool named = jumping >= 0 && p->report != NULL;
    if (jumping >= 0 || constraints_jump(it)) {
        return crank_fail(
            err, CRANK_ESTOP_EQUATIONS,
            "%s jump%s at t = %.10g: a constraint (a drive?) is not continuous there",
            named ? p->report->unknown_name(p, jumping) : "positions", named ? "s" : "", it->t);
    }
    char away[160] = "";
    const int j = outside[0] == '\0' && p->report != NULL ? running_away(it) : -1;
    if (j >= 0) {
        (void)snprintf(away, sizeof away, "%.100s has no bound there (%.1e)",
                       p->report->unknown_name(p, j), it->x[j]);
        outside = away;
    }
    crank_fail(err, CRANK_ESTEP_TOO_SMALL,
               "the step size %.3g became too small at t = %.10g%s%s", it->h, it->t,
               outside[0] != '\0' ? ": " : "", outside);
    return crank_integrator_give_up(it, CRANK_ESTEP_TOO_SMALL, err);
}

crank_status crank_integrator_check_limits(crank_integrator *it, crank_error *err)
{
    const crank_options *o = &it->options;
    if (o->max_steps > 0 && it->attempts >= o->max_steps) {
        it->attempts = 0;
        return crank_fail(err, CRANK_EMAX_STEPS,
                          "more than max_steps = %lld steps at t = %.10g",
                          (long long)o->max_steps, it->t);
    }
    it->attempts++;
    it->statistics.attempts++;
    if (0.1 * fabs(it->h) <= fabs(it->t) * o->rounding_unit || !(it->h > 0.0)) {
        return too_small(it, err);
    }
    return CRANK_OK;
}
