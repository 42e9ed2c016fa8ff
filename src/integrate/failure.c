/* failure.c - why no step succeeds, as far as is known: what methods with an error test say
 * when they end a run. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"

#include <math.h>

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
