/* bdf_rows.c - rows between steps.
 *
 * The polynomial q through the last step ends, as many as the order of the last step has, and
 * where that is not enough (stiff forces magnify what it is off) the point x that the equations
 * give with its slope, theory (4.33):
 *     E(x) (q' + cj (x - q)) = k(x)
 * the corrector of a step, at the row and with the factors at hand: stiff parts are solved for,
 * the others stay. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <math.h>
#include <string.h>

/* as accurate as the corrector is where points are not corrected afterwards */
static const double newton_tolerance = 0.01;

/* q and, unless slope is NULL, q' at t */
static void evaluate(const crank_integrator *it, const crank_bdf *s, double t, double *x,
                     double *slope)
{
    const double distance = t - it->t;
    double c = 1.0, dc = 0.0, ratio = distance / s->psi[0], step = s->psi[0];
    memcpy(x, crank_bdf_phi(it, 0), (size_t)it->n * sizeof *x);
    if (slope != NULL) {
        memset(slope, 0, (size_t)it->n * sizeof *slope);
    }
    for (int i = 1; i <= s->order_used; i++) {
        const double *phi = crank_bdf_phi(it, i);
        dc = dc * ratio + c / step;
        c *= ratio;
        ratio = (distance + s->psi[i - 1]) / s->psi[i];
        step = s->psi[i];
        for (int j = 0; j < it->n; j++) {
            x[j] += c * phi[j];
        }
        for (int j = 0; j < it->n && slope != NULL; j++) {
            slope[j] += dc * phi[j];
        }
    }
}

void crank_bdf_interpolate(const crank_integrator *it, double t, double *x)
{
    evaluate(it, it->state, t, x, NULL);
}

/* The corrector at the row; x' there by q. Flags of the next step stay as they are. */
static crank_status correct_at(crank_integrator *it, double t, crank_bdf *s, crank_error *err)
{
    crank_integrator at_row = *it;
    at_row.state = s;
    at_row.h = it->t - it->t_old;
    crank_bdf_weigh(&at_row, s);
    at_row.h = t - it->t;
    s->newton_tolerance = fmin(s->newton_tolerance, newton_tolerance);
    s->rate = 100.0;
    s->need_jacobian =
        false; /* none is made: what is at hand does, or the caller has made one */
    s->jacobian_fresh = s->at_row = true;
    s->cj = s->need_factor ? s->cj : s->cj_factored;
    const crank_status status = crank_bdf_correct(&at_row, s, err);
    it->statistics = at_row.statistics;
    return status;
}

/* With the matrix at hand; if that will not do, with one made here, which makes that of the
 * next step due. */
crank_status crank_bdf_refine_row(crank_integrator *it, double t, double *x, crank_error *err)
{
    crank_bdf *last = it->state;
    crank_bdf s = *last;
    s.predicted = s.row;
    s.slope = s.row_slope;
    evaluate(it, last, t, s.predicted, s.slope);
    crank_status status = CRANK_RETRY;
    if (!last->need_jacobian) {
        status = correct_at(it, t, &s, err);
        last->need_factor = last->need_factor || s.cj_factored != last->cj_factored;
    }
    if (status > CRANK_OK) {
        status = it->problem->prepare(it->problem, t, s.predicted, NULL, err);
        last->need_jacobian = last->need_factor = true;
        s.need_factor = true;
        status = status == CRANK_OK ? correct_at(it, t, &s, err) : status;
    }
    if (status == CRANK_OK) {
        status = crank_integrator_finish_row(it, t, s.x, err);
    }
    if (status == CRANK_OK) {
        memcpy(x, s.x, (size_t)it->n * sizeof *x);
    }
    return status;
}
