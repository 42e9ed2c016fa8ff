/* partition_recover.c - dependent positions and velocities of points whose independent ones are
 * given, theory (3.10), [Neg98, 2.3]: Newton's iteration with the decomposition of the prepared
 * point or, where that contracts slowly, of the point itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/partition.h"

#include "base/then.h"

#include <math.h>
#include <string.h>

/* Distance in time of a decomposition that is tried: part of one that was too far, multiple of
 * one that did. */
static const double shorter = 0.5, longer = 2.0;

void crank_recovery_layout(crank_partition *s, crank_arena *arena)
{
    s->recovery.jacobian = crank_arena_take(
        arena, (size_t)s->eom->jacobian_pattern.start[s->eom->n], sizeof(double));
    s->recovery.point = crank_arena_take(arena, (size_t)s->eom->n, sizeof(double));
}

crank_status crank_recovery_create(crank_partition *s, crank_error *err)
{
    crank_recovery *r = &s->recovery;
    crank_psf *psf = s->psf;
    crank_reduction_setup setup = psf->reduction->setup;
    setup.statistics = &r->statistics;
    setup.log = (crank_log){0};
    setup.recursion = NULL; /* that of psf's Jacobian, not of the one here */
    const crank_status status = s->plane
                                    ? crank_reduction_dense_create(&setup, &r->reduction, err)
                                    : crank_reduction_sparse_create(&setup, &r->reduction, err);
    if (status != CRANK_OK) {
        return status;
    }
    (s->plane ? crank_reduction_dense_follow : crank_reduction_sparse_follow)(r->reduction,
                                                                              psf->reduction);
    return r->reduction->decompose(r->reduction, psf->jacobian,
                                   s->eom->mass_is_identity ? NULL : psf->mass.values, true,
                                   err);
}

/* The decomposition of the point itself, which is off the constraints by what is to be
 * recovered: redundant rows may look independent there, and a shorter step leads nearer. */
static crank_status renew(crank_partition *s, double t, const double *point, crank_error *err)
{
    crank_recovery *r = &s->recovery;
    s->psf->statistics.predecompositions++;
    crank_status status = crank_eom_evaluate_jacobian(s->eom, t, point, NULL, r->jacobian, err);
    CRANK_THEN(status, r->reduction->decompose(
                           r->reduction, r->jacobian,
                           s->eom->mass_is_identity ? NULL : s->psf->mass.values, false, err));
    r->t = status == CRANK_OK ? t : (double)NAN;
    return status == CRANK_ERANK_CHANGED ? CRANK_RETRY : status;
}

/* by the decomposition of another time, the prepared one or the last of here, whichever is
 * nearer; CRANK_RETRY: one of this point is better */
static crank_status try_nearest(crank_partition *s, double t, double *point, crank_error *err)
{
    crank_recovery *r = &s->recovery;
    crank_psf *psf = s->psf;
    const double far = fabs(t - psf->prepared_t), near = fabs(t - r->t);
    const bool own = near < far; /* NaN: none */
    const double distance = own ? near : far;
    if (distance > r->reach) {
        return CRANK_RETRY;
    }
    const crank_status status = crank_psf_recover(psf, own ? r->reduction : psf->reduction,
                                                  distance == 0.0, t, point, err);
    r->reach = status == CRANK_OK ? fmax(r->reach, longer * distance)
               : distance > 0.0   ? shorter * distance
                                  : r->reach;
    return status;
}

crank_status crank_partition_recover(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_partition *s = (crank_partition *)base;
    crank_psf *psf = s->psf;
    double *point = s->recovery.point;
    if (!s->eliminates) {
        return crank_psf_correct(&psf->base, t, x, err);
    }
    memcpy(point, s->guess, (size_t)s->column * sizeof *x);
    memcpy(point + s->column, x, (size_t)base->n * sizeof *x);
    crank_status status = try_nearest(s, t, point, err);
    if (status > CRANK_OK && t != psf->prepared_t) {
        status = renew(s, t, point, err);
        CRANK_THEN(status, crank_psf_recover(psf, s->recovery.reduction, true, t, point, err));
    }
    if (status == CRANK_OK) {
        memcpy(x, point + s->column, (size_t)base->n * sizeof *x);
    }
    return status;
}
