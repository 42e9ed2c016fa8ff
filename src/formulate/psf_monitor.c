/* psf_monitor.c - what psf learns from its decompositions: how near a singular position is,
 * which unknowns make good pivots, how large round-off is. theory, chapter 3.
 *
 * A singular position shows in the smallest pivot of the position and velocity rows, relative
 * to its largest value so far: singular.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* choice of pivots: unknowns slower than 1/slow_ratio of the fastest weigh less, down to
 * least_weight */
static const double slow_ratio = 30.0, least_weight = 0.03;

/* smallest pivot of position and velocity rows relative to its largest value so far */
static double find_ratio(crank_psf *s)
{
    double ratio = (double)INFINITY;
    for (int w = CRANK_WINDOW_VELOCITY; w <= CRANK_WINDOW_POSITION; w++) {
        const double size = s->reduction->state.smallest[w];
        if (isfinite(size)) {
            s->largest[w] = fmax(s->largest[w], size);
            ratio = fmin(ratio, size / s->largest[w]);
        }
    }
    return ratio;
}

void crank_psf_update_monitor(crank_psf *s, double t, bool watched)
{
    s->ratio = find_ratio(s);
    if (watched) {
        crank_singular_look(&s->singular, t, s->ratio);
    }
}

double crank_psf_regularity(const crank_problem *base)
{
    return ((const crank_psf *)base)->ratio;
}

/* Coordinates that hardly move (elastic deformations) are poor dependent unknowns: they would
 * be found as small differences of large ones. So pivots are weighted by the motion seen so
 * far, within a factor. The published choice does not weight. */
void crank_psf_update_weights(crank_psf *s, const double *x, const double *xdot)
{
    const crank_eom *eom = s->setup.eom;
    const int first[2] = {eom->column[CRANK_V], eom->column[CRANK_S]};
    const int end[2] = {eom->column[CRANK_S], eom->n};
    if (xdot == NULL || s->bound ||
        s->setup.options.selector_source == CRANK_SELECTOR_NEWTON_MATRIX) {
        return;
    }
    for (int part = 0; part < 2; part++) {
        const double *speed = part == 0 ? x : xdot;
        double fastest = 0.0;
        for (int j = first[part]; j < end[part]; j++) {
            s->motion[j] = fmax(s->motion[j], fabs(speed[j]) / s->scale.unit[j]);
            fastest = fmax(fastest, s->motion[j]);
        }
        for (int j = first[part]; j < end[part] && fastest > 0.0; j++) {
            s->weight[j] = fmax(fmin(slow_ratio * s->motion[j] / fastest, 1.0), least_weight);
        }
    }
}

/* What rounding the terms of the constraints, eps |J| |x|, does to the unknowns that they
 * determine: with stiff forces, 1e-16 in a position may be 1e-9 in a multiplier. No tolerance
 * can be met below that. */
void crank_psf_update_noise(crank_psf *s, const double *x)
{
    const crank_eom *eom = s->setup.eom;
    crank_scale_terms(&s->scale, s->jacobian, x, s->row_size);
    for (int j = 0; j < s->base.n; j++) {
        s->noise[j] = 0.0;
    }
    for (int signs = 0; signs < 2; signs++) { /* all alike they may cancel, theory 4.2 */
        for (int i = 0; i < s->base.m; i++) { /* hidden levels may come from differences */
            const bool hidden = i >= eom->row[CRANK_ROW_GII] && i < eom->row[CRANK_ROW_H];
            const double golden = (i + 1) * 0.6180339887498949; /* its fractions look random */
            const double sign = signs == 1 && golden - floor(golden) < 0.5 ? -1.0 : 1.0;
            s->k[i] =
                sign * (hidden ? fmax(DBL_EPSILON, eom->noise) : DBL_EPSILON) * s->row_size[i];
        }
        s->reduction->project(s->reduction, s->k, s->delta);
        for (int j = 0; j < s->base.n; j++) {
            s->noise[j] = fmax(s->noise[j], fabs(s->delta[j]));
        }
    }
}

/* names of the rows behind the smallest pivot */
static void name_rows(crank_psf *s, char *text, size_t size)
{
    const crank_reduction_state *state = &s->reduction->state;
    const bool velocity =
        state->smallest[CRANK_WINDOW_VELOCITY] / s->largest[CRANK_WINDOW_VELOCITY] <
        state->smallest[CRANK_WINDOW_POSITION] / s->largest[CRANK_WINDOW_POSITION];
    s->reduction->explain(s->reduction,
                          velocity ? CRANK_WINDOW_VELOCITY : CRANK_WINDOW_POSITION, text, size);
}

crank_status crank_psf_step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const crank_options *options = &s->setup.options;
    if (!isnan(s->passed_t)) {
        return crank_psf_turn_fail(s, err);
    }
    if (*h == 0.0 && s->prepared_t == t) {
        s->singular.ratio = s->ratio; /* seen at the end, without rates */
    }
    const double asked = *h;
    const crank_status status = crank_singular_limit(&s->singular, options, t, h);
    if (status != CRANK_ESINGULAR) {
        return status;
    }
    char rows[240] = "", remark[CRANK_SINGULAR_TEXT];
    if (!crank_eom_singular_joints(s->setup.eom, s->jacobian, rows, sizeof rows)) {
        name_rows(s, rows, sizeof rows);
    }
    return crank_fail(err, CRANK_ESINGULAR,
                      "singular %s: the rank of the constraints drops at %s%s",
                      s->setup.eom->dae != NULL ? "point" : "position", rows,
                      crank_singular_remark(&s->singular, options, "pivot", asked, remark));
}

bool crank_psf_singular_ahead(crank_problem *base, double t, double *zero)
{
    crank_psf *s = (crank_psf *)base;
    return crank_singular_ahead(&s->singular, &s->setup.options, t, zero);
}

crank_status crank_psf_land(crank_problem *base, double t, double *x, const double *xdot,
                            crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    s->before = s->singular;
    const crank_status status = base->prepare(base, t, x, xdot, err);
    if (status != CRANK_OK || !crank_singular_behind(&s->singular, &s->before)) {
        return CRANK_RETRY;
    }
    return crank_psf_correct(base, t, x, err) == CRANK_OK ? CRANK_OK : CRANK_RETRY;
}

void crank_psf_landed(crank_problem *base, bool passed, double zero)
{
    crank_psf *s = (crank_psf *)base;
    char rows[240] = "";
    if (!passed) {
        s->singular = s->before;
        return;
    }
    name_rows(s, rows, sizeof rows);
    crank_rank_turn_restart(&s->turn);
    crank_singular_pass(&s->singular, &s->before, zero, rows, &s->setup.log);
    s->statistics.singular_passages++;
}
