/* psf_turn.c - singular positions that a step has led across, which the monitor of pivots
 * (psf_monitor.c) cannot see between two looks: rank_turn.h, theory 3.8.
 *
 * Explicit methods ask at the end of a step that they try: it is taken shorter until it ends
 * before the position, whose pivots the monitor then sees fall. Implicit methods ask behind it;
 * points within the step are projected onto the constraints to find out where it was. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <math.h>

static crank_turn_point point_at(const crank_psf *s, double t, const double *x)
{
    const bool glanced = s->glance != NULL && s->glance_t == t;
    return (crank_turn_point){t, x, glanced ? t : s->prepared_t,
                              glanced ? s->glance : s->jacobian, s->reduction->state.fixed};
}

crank_status crank_psf_turn_fail(const crank_psf *s, crank_error *err)
{
    char name[200];
    const crank_status loss =
        crank_rank_turn_loss(&s->turn, s->passed_t, false, s->passed_at, err);
    if (loss != CRANK_OK) {
        return loss;
    }
    return crank_fail(
        err, CRANK_ESINGULAR,
        "singular position: the rank of the constraints drops at %s; it was passed "
        "at t = %.6g",
        crank_rank_turn_name(&s->turn, s->passed_at, name, sizeof name), s->passed_t);
}

crank_status crank_psf_turn_accepted(crank_psf *s, double t, const double *x, bool last,
                                     bool *changed, crank_error *err)
{
    const crank_turn_point point = point_at(s, t, x);
    double zero = t;
    int at = -1;
    char name[200];
    s->turn_projected = false;
    const crank_turn_found found = crank_rank_turn_accepted(&s->turn, &point, last, &zero, &at);
    if (s->turn_projected && changed != NULL) {
        *changed = true; /* the decomposition is that of another point */
    }
    if (found != CRANK_TURN_PASSED) {
        return CRANK_OK;
    }
    if (s->setup.options.singular == CRANK_SINGULAR_PASS) {
        const crank_turn_point behind = point_at(s, t, x);
        crank_singular before = s->singular;
        before.slope = -fabs(before.slope);
        crank_rank_turn_go_on(&s->turn, &behind);
        crank_singular_pass(&s->singular, &before, zero,
                            crank_rank_turn_name(&s->turn, at, name, sizeof name),
                            &s->setup.log);
        s->statistics.singular_passages++;
        return CRANK_OK;
    }
    s->passed_t = zero;
    s->passed_at = at;
    return crank_psf_turn_fail(s, err);
}

crank_status crank_psf_turn_try(crank_psf *s, double t, const double *x, crank_error *err)
{
    const crank_turn_point point = point_at(s, t, x);
    double zero = t;
    int at = -1;
    s->turn_projected = false;
    const crank_turn_found found = crank_rank_turn_try(&s->turn, &point, &zero, &at);
    if (s->turn_projected) { /* the decomposition is that of another point */
        const crank_status status = s->base.prepare(&s->base, t, x, NULL, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    switch (found) {
    case CRANK_TURN_TRIED:
        return crank_fail(err, CRANK_RETRY,
                          "the rank of the constraints drops in the step to t = %.10g", t);
    case CRANK_TURN_PASSED:
        s->passed_t = zero;
        s->passed_at = at;
        return crank_fail(err, CRANK_RETRY, "the rank of the constraints dropped at t = %.10g",
                          zero);
    case CRANK_TURN_NONE:
    case CRANK_TURN_LOOKED:
        break;
    }
    return CRANK_OK;
}

crank_status crank_psf_turn_glance(crank_psf *s, double t, const double *x, crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    if (!crank_rank_turn_needs_jacobian(&s->turn)) {
        s->glance_t = t;
        return crank_psf_turn_try(s, t, x, err);
    }
    s->statistics.jacobians++;
    const crank_status status = eom->supplier.jacobian(eom->self, t, x, NULL, s->glance, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (crank_first_not_finite(eom->jacobian_pattern.start[eom->n], s->glance) >= 0) {
        return crank_fail(err, CRANK_RETRY, "the Jacobian is not finite at t = %.10g", t);
    }
    s->glance_t = t;
    return crank_psf_turn_try(s, t, x, err);
}

crank_status crank_psf_turn_go_on(crank_psf *s, double t, const double *x, bool looked,
                                  bool last, crank_error *err)
{
    const crank_turn_point point = point_at(s, t, x);
    if (!looked && s->prepared_t != t) { /* on an earlier decomposition */
        return crank_psf_turn_accepted(s, t, x, last, NULL, err);
    }
    crank_rank_turn_go_on(&s->turn, &point);
    return CRANK_OK;
}

crank_status crank_psf_turn_ahead(crank_psf *s, double t, const double *x, double way,
                                  crank_error *err)
{
    const double reach = crank_rank_turn_straight(&s->turn, x);
    double zero = t;
    int at = -1;
    return reach > way && crank_rank_turn_ahead(&s->turn, t, x, reach, &zero, &at) &&
                   at <= CRANK_TURN_LOOSE && zero - t > way
               ? crank_rank_turn_loss(&s->turn, zero, true, at, err)
               : CRANK_OK;
}

/* A decomposition of its own for a point within a step. */
static void project(void *self, double t, double *x)
{
    crank_psf *s = self;
    s->turn_projected = true;
    if (s->base.prepare(&s->base, t, x, NULL, NULL) == CRANK_OK) {
        (void)crank_psf_correct(&s->base, t, x, NULL);
    }
    s->prepared_t = (double)NAN;
}

crank_status crank_psf_turn_create(crank_psf *s, crank_error *err)
{
    const crank_reduction_state *state = &s->reduction->state;
    const int rows = s->setup.eom->sizes.lambda + s->setup.eom->sizes.mu;
    if (!(s->setup.options.singular_threshold > 0.0)) {
        return CRANK_OK;
    }
    s->turn.projection = (crank_turn_projection){s, project};
    s->turn.unit = s->scale.unit;
    s->turn.closest = s->setup.options.singular_threshold;
    return crank_rank_turn_create(&s->turn, s->setup.eom, s->jacobian, &s->mass,
                                  state->redundant ? state->rank[CRANK_WINDOW_VELOCITY] : rows,
                                  state->fixed, err);
}
