/* psf_correct.c - pulls a point back onto all constraint levels with the decomposition at hand.
 *
 *     x += P1 RC^-1 Q_C k_C(x) until the increments are round-off                      theory (3.9)
 * The free unknowns stay (unit selectors), so the correction is of the size of the constraint residuals and
 * does not touch the error that was controlled. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30 };
static const double least_rate =
    0.05; /* with an older matrix: groups converge at different rates */
static const double left_out_tolerance =
    1e-6; /* residual of redundant rows, relative to their terms */

/* largest change relative to the largest unknown that its group has had so far */
static double relative_size(crank_psf *s, const double *x, const double *delta)
{
    double largest = 0.0;
    for (int j = 0; j < s->base.n; j++) {
        double *size = &s->size[s->group[j]];
        *size = fmax(*size, fabs(x[j]));
    }
    for (int j = 0; j < s->base.n; j++) {
        const double size = s->size[s->group[j]];
        if (delta[j] != 0.0) {
            largest = fmax(largest, size > 0.0 ? fabs(delta[j]) / size : 1.0);
        }
    }
    return largest;
}

/* corrections of the size of round-off, up to a factor */
static bool is_rounding(const crank_psf *s, const double *delta, double factor)
{
    for (int j = 0; j < s->base.n; j++) {
        if (!(fabs(delta[j]) <= factor * (s->noise[j] + DBL_EPSILON * s->size[s->group[j]]))) {
            return false;
        }
    }
    return true;
}

/* Redundant rows are left out of the correction. They hold as well as the others, or they are not
 * redundant any more. k: rows at the corrected point. */
static crank_status check_left_out(crank_psf *s, crank_error *err)
{
    const crank_eom *eom = s->setup.eom;
    for (int i = eom->row[CRANK_ROW_GI]; i < s->setup.algebraic_rows; i++) {
        const bool invariant = i >= eom->row[CRANK_ROW_E] && i < eom->row[CRANK_ROW_C];
        if (!invariant && !(fabs(s->k[i]) <= left_out_tolerance * (1.0 + s->row_size[i]))) {
            char name[160];
            return crank_fail(
                err, CRANK_ERANK_CHANGED,
                "the rank of the constraints changed: %s was redundant and is violated now "
                "(residual %.1e)",
                crank_eom_row_name(eom, i, name, sizeof name), s->k[i]);
        }
    }
    return CRANK_OK;
}

crank_status crank_psf_correct(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    crank_eom *eom = s->setup.eom;
    const bool fresh = t == s->prepared_t;
    double last = (double)INFINITY,
           before_last = last; /* with an old matrix sizes may fall in pairs */
    double slowest =
        fresh ? 0.0 : least_rate; /* a fresh matrix contracts by the first increment */
    bool converged = s->setup.algebraic_rows == 0;
    memcpy(s->point, x, (size_t)eom->n * sizeof *x);
    for (int i = 0; i < MAX_CORRECTIONS && !converged; i++) {
        const crank_status status =
            eom->supplier.evaluate(eom->self, 1, &t, s->point, CRANK_ALGEBRAIC, s->k, err);
        s->statistics.constraint_evaluations++;
        if (status != CRANK_OK) {
            return status;
        }
        s->reduction->project(s->reduction, s->k, s->delta);
        const double size = relative_size(s, s->point, s->delta);
        slowest = i == 0 && fresh ? fmax(size, 1e-8) : slowest;
        const double rate = i > 0 ? fmax(size / last, slowest) : fresh ? slowest : 1.0;
        const bool stalled = i > 1 && !(size < 0.9 * fmax(last, before_last));
        if (!isfinite(size) || (stalled && !is_rounding(s, s->delta, fresh ? 1e3 : 30.0))) {
            break;
        }
        for (int j = 0; j < eom->n && !stalled; j++) {
            s->point[j] += s->delta[j];
        }
        converged = stalled || size * rate <= 0.25 * DBL_EPSILON;
        before_last = last;
        last = size;
    }
    if (!converged) {
        return crank_fail(err, CRANK_RETRY,
                          "the correction onto the constraints does not converge");
    }
    if (s->reduction->state.redundant) {
        const crank_status status = check_left_out(s, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    memcpy(x, s->point, (size_t)eom->n * sizeof *x);
    return CRANK_OK;
}
