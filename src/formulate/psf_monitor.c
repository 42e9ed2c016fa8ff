/* psf_monitor.c - what psf learns from its decompositions: how near a singular position is, which unknowns
 * make good pivots, how large round-off is. theory, chapter 3.
 *
 * A singular position shows in the smallest pivot of the position and velocity rows, relative to its largest
 * value so far: it is reached when that falls below a threshold, and steps are shortened so that they end
 * before its linear extrapolation vanishes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* choice of pivots: unknowns slower than 1/slow_ratio of the fastest weigh less, down to least_weight */
static const double slow_ratio = 30.0, least_weight = 0.03;

/* smallest pivot of position and velocity rows relative to its largest value so far, and its slope */
void crank_psf_update_monitor(crank_psf *s, double t)
{
    double ratio = (double)INFINITY;
    for (int w = CRANK_WINDOW_VELOCITY; w <= CRANK_WINDOW_POSITION; w++) {
        const double size = s->reduction->state.smallest[w];
        if (isfinite(size)) {
            s->largest[w] = fmax(s->largest[w], size);
            ratio = fmin(ratio, size / s->largest[w]);
        }
    }
    if (t != s->prepared_t) {
        s->slope = isfinite(s->ratio) ? (ratio - s->ratio) / (t - s->prepared_t) : (double)NAN;
    }
    s->ratio = ratio;
}

/* Coordinates that hardly move (elastic deformations) are poor dependent unknowns: they would be found as
 * small differences of large ones. So pivots are weighted by the motion seen so far, within a factor. The
 * published choice does not weight. */
void crank_psf_update_weights(crank_psf *s, const double *x, const double *xdot)
{
    const crank_eom *eom = s->setup.eom;
    const int first[2] = {eom->column[CRANK_V], eom->column[CRANK_S]};
    const int end[2] = {eom->column[CRANK_S], eom->n};
    if (xdot == NULL || s->setup.options.selector_source == CRANK_SELECTOR_NEWTON_MATRIX) {
        return;
    }
    for (int part = 0; part < 2; part++) {
        const double *speed = part == 0 ? x : xdot;
        double fastest = 0.0;
        for (int j = first[part]; j < end[part]; j++) {
            s->motion[j] = fmax(s->motion[j], fabs(speed[j]));
            fastest = fmax(fastest, s->motion[j]);
        }
        for (int j = first[part]; j < end[part] && fastest > 0.0; j++) {
            s->weight[j] = fmax(fmin(slow_ratio * s->motion[j] / fastest, 1.0), least_weight);
        }
    }
}

/* What rounding the terms of the constraints, eps |J| |x|, does to the unknowns that they determine: with
 * stiff forces, 1e-16 in a position may be 1e-9 in a multiplier. No tolerance can be met below that. */
void crank_psf_update_noise(crank_psf *s, const double *x)
{
    const crank_pattern *J = &s->setup.eom->jacobian_pattern;
    memset(s->row_size, 0, (size_t)s->base.m * sizeof *s->row_size);
    for (int j = 0; j < s->base.n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            s->row_size[J->row[e]] += fabs(s->jacobian[e] * x[j]);
        }
    }
    const crank_eom *eom = s->setup.eom;
    for (int i = 0; i < s->base.m; i++) { /* hidden levels may come from differences */
        const bool hidden = i >= eom->row[CRANK_ROW_GII] && i < eom->row[CRANK_ROW_H];
        s->k[i] = (hidden ? fmax(DBL_EPSILON, eom->noise) : DBL_EPSILON) * s->row_size[i];
    }
    s->reduction->project(s->reduction, s->k, s->noise);
    for (int j = 0; j < s->base.n; j++) {
        s->noise[j] = fabs(s->noise[j]);
    }
}

static crank_status singular_error(crank_psf *s, crank_error *err)
{
    char rows[240] = "";
    int window = CRANK_WINDOW_POSITION;
    const crank_reduction_state *state = &s->reduction->state;
    if (state->smallest[CRANK_WINDOW_VELOCITY] / s->largest[CRANK_WINDOW_VELOCITY] <
        state->smallest[window] / s->largest[window]) {
        window = CRANK_WINDOW_VELOCITY;
    }
    s->reduction->explain(s->reduction, window, rows, sizeof rows);
    return crank_fail(err, CRANK_ESINGULAR,
                      "singular position: the rank of the constraints drops at %s "
                      "(smallest pivot %.1e of its largest value)",
                      rows, s->ratio);
}

crank_status crank_psf_step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const double threshold = s->setup.options.singular_threshold;
    const bool below = s->ratio <= threshold;
    if (!(threshold > 0.0)) {
        return CRANK_OK; /* not watched */
    }
    if (s->setup.options.singular == CRANK_SINGULAR_PASS) {
        s->statistics.singular_passages += below && !s->below;
        s->below = below;
        return CRANK_OK;
    }
    if (below) {
        return singular_error(s, err);
    }
    if (s->slope < 0.0) {
        const double zero =
            s->prepared_t - s->ratio / s->slope; /* where the pivot would vanish */
        if (t + *h > zero && s->prepared_t < t) {
            return CRANK_RETRY; /* the monitor must look again first */
        }
        if (t + *h > zero) {
            *h = fmin(*h, 0.5 * fmax(zero - t, 0.0) + 0.1 * threshold / -s->slope);
        }
    }
    return CRANK_OK;
}
