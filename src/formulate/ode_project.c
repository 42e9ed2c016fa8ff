/* ode_project.c - the end of a step onto g, gI, h with the factors of a stage, which are made
 * there anyway.
 *
 *     F_z dz = -(0, g, 0):     dp = Z M^-1 f_dyn,z dz
 *     F_z dz = -(0, gI, h):    dv =   M^-1 f_dyn,z dz                              theory (9.5)
 * gII and hI contain z by way of v' = M^-1 f_dyn alone, so that G dp = -g and gI_v dv = -gI:
 * Newton's iteration along M^-1 G^T, that is, the shortest way in the metric of M. It is used
 * where rows are independent, there are neither contact variables nor invariants e, and Z is
 * constant or the supplier knows how positions move along velocities (quaternions, which then
 * are made unit ones again); elsewhere psf projects with its decomposition. That is also made
 * at the first two steps, where the monitor of singular positions asks for it, and wherever the
 * pivot of a multiplier has fallen far below its largest value or risen above that at the last
 * decomposition. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "formulate/ode.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 8, FIRST_LOOKS = 2, REST = 10, SEVERAL = 3 };
/* pivots of multipliers, squares of what is left of a row, below this part of their largest
 * value let psf look, and those above this multiple of that at its last look, unless REST steps
 * have not passed since */
static const double look_below = 0.005, look_above = 4.0;
/* Between two stages a and b q(t) is down a line to zero and up again if it fell to a, or rises
 * from b, by (a + b)/gap; a part of that is a sign, because the line is bent. Where a gap is
 * more than this part of the way between looks nobody has seen such slopes; then it is a sign
 * if one of a and b is well below the other. */
static const double sign_of_zero = 0.5, wide = 1.0 / 3.0, well_below = 0.6;
/* parts of the way to a singular position forecast by pivots which one step may take: if the
 * forecast recedes, and else, and with the steeper of the last two falls; nearby psf looks and
 * has its own forecast */
static const double approach_receding = 0.6, approach_other = 0.3, approach_steeper = 0.5;
/* Forecasts by pivots that shorten a step to this part of the last one let psf look, too. That
 * costs about as much as a step (four-bars, spinning top), and may spare three; shortened by
 * less, the step is as good as psf's. */
static const double much_shorter = 0.25;
/* change of G, relative, over that of positions */
static const double curvature = 10.0;
/* of inertias that projections take larger than they are */
static const double heavy_factor = 100.0;
/* increments of this multiple of rounding are none */
static const double rounding_factor = 4.0;

void crank_ode_quick_restart(crank_ode *s)
{
    crank_ode_quick *quick = &s->quick;
    const size_t bytes = crank_ode_multipliers(s->eom) * sizeof(double);
    quick->chosen = quick->look_due = quick->known = false;
    quick->looks = quick->blind = 0;
    crank_singular_reset(&quick->monitor);
    crank_singular_reset(&quick->before);
    memset(quick->most, 0, bytes);
    memset(quick->most_at_look, 0, bytes);
}

/* Of the least pivot, relative. Pivots are squares of what is left of a row: the root falls
 * like the sine of the angle that is missing to the singular position; that angle itself is the
 * better q(t). */
static double ratio_of(double least)
{
    return asin(sqrt(fmin(least, 1.0)));
}

void crank_ode_quick_see(crank_ode *s, double t)
{
    crank_ode_quick *quick = &s->quick;
    if (!quick->possible || s->algebraic.square.ready == NULL) {
        return;
    }
    const double *inverse =
        crank_recorded_inverse_pivots(s->algebraic.square.ready) + s->eom->column[CRANK_LAMBDA];
    const size_t count = crank_ode_multipliers(s->eom);
    double largest = 1.0;
    for (size_t i = 0; i < count; i++) {
        const double part = quick->most[i] * fabs(inverse[i]);
        largest = part > largest ? part : largest;
    }
    const double least = 1.0 / largest;
    quick->lowest = least < quick->lowest ? least : quick->lowest;
    if (quick->stages == CRANK_ODE_STAGES) {
        quick->dropped += quick->dropped < INT_MAX;
        return;
    }
    int k = quick->stages++;
    for (; k > 0 && quick->stage[k - 1] > t; k--) {
        quick->stage[k] = quick->stage[k - 1];
        quick->least[k] = quick->least[k - 1];
    }
    quick->stage[k] = t;
    quick->least[k] = least;
}

/* Stages at several times since the last look: else its monitor knows little of the way, and
 * psf had better look. */
static bool has_seen_steps_inside(const crank_ode_quick *quick)
{
    int inside = 0;
    for (int k = 0; k < quick->stages; k++) {
        const double before = k > 0 ? quick->stage[k - 1] : quick->before.t;
        inside += quick->stage[k] > before && quick->stage[k] < quick->monitor.t;
    }
    return inside >= SEVERAL;
}

/* between the last two looks, by the ends and the lowest stage: is it worth a closer look? */
static bool may_have_fallen(const crank_ode_quick *quick, double fall)
{
    const bool first = isnan(quick->before.t); /* where q is largest, for all that is known */
    const double a = first ? ratio_of(1.0) : quick->before.ratio, b = quick->monitor.ratio;
    const double lowest = fmin(b, ratio_of(quick->lowest));
    return lowest < well_below * fmax(a, b) ||
           fall * (quick->monitor.t - quick->before.t) > sign_of_zero * (a + b);
}

/* the same, by what neighbouring stages saw */
static bool may_have_passed(const crank_ode_quick *quick)
{
    const crank_singular *now = &quick->monitor, *before = &quick->before;
    double t = before->t, a = before->ratio, fall = -fmin(before->slope, before->slope_before);
    fall = fall > 0.0 ? fall : 0.0; /* NaN: not known */
    if (!may_have_fallen(quick, fall)) {
        return false;
    }
    if (isnan(t) || quick->dropped > 0 || !has_seen_steps_inside(quick)) {
        return true;
    }
    for (int k = 0; k <= quick->stages; k++) {
        const bool last = k == quick->stages, behind = k + 1 < quick->stages;
        const double next = last ? now->t : quick->stage[k],
                     b = last ? now->ratio : ratio_of(quick->least[k]);
        if (!(next > t)) {
            a = fmin(a, b); /* the same place again */
            continue;
        }
        const double later = behind ? quick->stage[k + 1] : now->t,
                     c = behind ? ratio_of(quick->least[k + 1]) : now->ratio;
        const double rise = !last && later > next ? (c - b) / (later - next) : 0.0;
        const bool unseen = next - t > wide * (now->t - before->t);
        if (fmax(fall, rise) * (next - t) > sign_of_zero * (a + b) ||
            (unseen && fmin(a, b) < well_below * fmax(a, b))) {
            return true;
        }
        fall = fmax(0.0, (a - b) / (next - t));
        t = next;
        a = b;
    }
    return false;
}

static bool is_forecast(const crank_ode *s, double t)
{
    const crank_singular *monitor = &s->quick.monitor;
    return s->quick.possible && s->psf->setup.options.singular_threshold > 0.0 &&
           t == monitor->t && monitor->slope < 0.0;
}

/* of a step towards a singular position forecast by pivots. A fall that pauses may go on as
 * fast as it was before; fmin takes the other where one is NaN */
static double forecast_length(const crank_singular *monitor)
{
    const double approach =
        monitor->zero > monitor->zero_before ? approach_receding : approach_other;
    const double steeper = fmin(monitor->slope, monitor->slope_before);
    return fmin(approach * (monitor->zero - monitor->t),
                -approach_steeper * monitor->ratio / steeper);
}

bool crank_ode_quick_look(crank_ode *s, double t)
{
    crank_ode_quick *quick = &s->quick;
    const size_t count = crank_ode_multipliers(s->eom);
    /* the last one counts: what psf saw at the end of a step that was not accepted does not */
    bool due = s->algebraic.square.ready == NULL || quick->looks < FIRST_LOOKS ||
               quick->look_due || s->psf->singular.t > t;
    bool grown = false;
    double least = 1.0;
    quick->glance = false;
    if (t < quick->monitor.t) { /* the step was not accepted */
        quick->monitor = quick->before;
    } else if (s->algebraic.square.ready != NULL) {
        const double *inverse = crank_recorded_inverse_pivots(s->algebraic.square.ready) +
                                s->eom->column[CRANK_LAMBDA];
        for (size_t i = 0; i < count; i++) {
            const double pivot = 1.0 / fabs(inverse[i]);
            quick->most[i] = pivot > quick->most[i] ? pivot : quick->most[i];
            least = pivot < least * quick->most[i] ? pivot / quick->most[i] : least;
            grown = grown || pivot > look_above * quick->most_at_look[i];
        }
        quick->before = quick->monitor;
        crank_singular_look(&quick->monitor, t, ratio_of(least));
        const bool passed = may_have_passed(quick);
        quick->glance = passed && has_seen_steps_inside(quick);
        due = due || (passed && !quick->glance);
    }
    quick->stages = quick->dropped = 0;
    quick->lowest = 1.0;
    quick->blind += quick->blind < REST;
    /* what would shorten the next steps by much is left to psf, which knows whether it is
     * singular there */
    const bool shorter = is_forecast(s, t) && forecast_length(&quick->monitor) <
                                                  much_shorter * (t - quick->before.t);
    due = due || least < look_below || ((shorter || grown) && quick->blind >= REST);
    if (due) {
        quick->looks += quick->looks < FIRST_LOOKS;
        quick->look_due = false;
        quick->blind = 0;
        memcpy(quick->most_at_look, quick->most, count * sizeof(double));
    }
    return due;
}

/* Pivots in a fixed order may vanish where nothing is singular. Where psf has looked, too, its
 * forecast counts. */
void crank_ode_quick_limit(crank_ode *s, double t, double *h)
{
    crank_singular *monitor = &s->quick.monitor;
    if (is_forecast(s, t) && s->psf->singular.t != t) {
        crank_singular_shorten(monitor, t, monitor->zero, forecast_length(monitor), h);
    }
}

/* largest |x| in units; NaN stays */
static double largest(int n, const double *x, const double *unit)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        const double part = fabs(x[i]) / unit[i];
        size = part <= size ? size : part;
    }
    return size;
}

/* the size of a group's unknowns in their units, and what is rounding in it */
static double group_size(crank_ode *s, int group, double *rounding)
{
    const crank_scale *scale = &s->psf->scale;
    const int first = s->eom->column[group], count = s->eom->column[group + 1] - first;
    const double size = fmax(scale->level[false][group], scale->level[true][group]);
    const double noise = s->psf->base.noise != NULL
                             ? largest(count, s->psf->noise + first, scale->unit + first)
                             : 0.0;
    *rounding = rounding_factor * (DBL_EPSILON * size + noise);
    return size > DBL_MIN ? size : 1.0;
}

/* step (v) = M^-1 f_dyn,z dz with s->algebraic.delta = the constraints' part of the right
 * side */
static crank_status solve_step(crank_ode *s, double *step, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int dyn = eom->row[CRANK_ROW_DYN];
    memset(step, 0, (size_t)eom->sizes.v * sizeof *step);
    crank_recorded_solve(s->algebraic.square.ready, s->algebraic.delta);
    for (int e = 0; e < s->algebraic.rate_count; e++) {
        const crank_algebraic_term *term = &s->algebraic.rate[e];
        if (term->row >= dyn) {
            step[term->row - dyn] +=
                s->algebraic.values[term->entry] * s->algebraic.delta[term->column];
        }
    }
    return eom->stage_accelerations ? CRANK_OK : crank_ode_solve_mass(s, step, err);
}

/* right side: minus the rows from g or gI on for gII, from h on for hI (-1: zero) */
static void load(crank_ode *s, int holonomic, int nonholonomic)
{
    const crank_eom *eom = s->eom;
    const int gII = eom->row[CRANK_ROW_GII], hI = eom->row[CRANK_ROW_HI];
    memset(s->algebraic.delta, 0, (size_t)s->algebraic.square.n * sizeof *s->algebraic.delta);
    for (int i = 0; i < eom->sizes.lambda; i++) {
        s->algebraic.delta[gII + i] = -s->algebraic.k[holonomic + i];
    }
    for (int i = 0; i < eom->sizes.mu && nonholonomic >= 0; i++) {
        s->algebraic.delta[hI + i] = -s->algebraic.k[nonholonomic + i];
    }
}

/* p of x along velocities; its change in units */
static double move(crank_ode *s, double *x, const double *step)
{
    const crank_eom *eom = s->eom;
    const crank_ode_quick *quick = &s->quick;
    const size_t bytes = (size_t)eom->sizes.p * sizeof *x;
    double *p = x + eom->column[CRANK_P], *change = quick->force;
    if (quick->moves) {
        memcpy(change, p, bytes);
        eom->supplier.move(eom->self, x, step);
        for (int i = 0; i < eom->sizes.p; i++) {
            change[i] = p[i] - change[i];
        }
    } else {
        memset(change, 0, bytes);
        for (int e = 0; e < quick->term_count; e++) {
            const crank_algebraic_term *term = &quick->term[e];
            change[term->row] += term->value * step[term->column];
        }
        for (int i = 0; i < eom->sizes.p; i++) {
            p[i] += change[i];
        }
    }
    return largest(eom->sizes.p, change, s->psf->scale.unit + eom->column[CRANK_P]);
}

/* increments of p and v at the point of s->algebraic.k, added to it; their sizes in units */
static crank_status step_back(crank_ode *s, double t, double *x, double *by_p, double *by_v,
                              crank_error *err)
{
    const crank_eom *eom = s->eom;
    crank_ode_quick *quick = &s->quick;
    double *step = quick->step, *v = x + eom->column[CRANK_V];
    crank_status status =
        eom->stage_accelerations ? CRANK_OK : crank_ode_update_mass(s, t, x, err);
    load(s, eom->row[CRANK_ROW_G], -1);
    CRANK_THEN(status, solve_step(s, step, err));
    if (status == CRANK_OK) {
        *by_p = move(s, x, step);
        load(s, eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_H]);
        status = solve_step(s, step, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    *by_v = largest(eom->sizes.v, step, s->psf->scale.unit + eom->column[CRANK_V]);
    for (int i = 0; i < eom->sizes.v; i++) {
        v[i] += step[i];
    }
    return CRANK_OK;
}

crank_status crank_ode_quick_correct(crank_ode *s, double t, double *x, crank_error *err)
{
    crank_ode_quick *quick = &s->quick;
    double *point = quick->point, round_p, round_v;
    const size_t bytes = (size_t)s->eom->n * sizeof *x;
    crank_scale_see(&s->psf->scale, x);
    const double size_p = group_size(s, CRANK_P, &round_p);
    const double size_v = group_size(s, CRANK_V, &round_v);
    double distance = 0.0; /* of the point from that of the factors, relative */
    bool converged = false, fresh = false;
    memcpy(point, x, bytes);
    if (quick->moves) { /* onto n = 0 to begin with */
        memset(quick->step, 0, (size_t)s->eom->sizes.v * sizeof *quick->step);
        s->eom->supplier.move(s->eom->self, point, quick->step);
    }
    quick->known = false;
    for (int i = 0; i < MAX_CORRECTIONS && !converged; i++) {
        s->psf->statistics.constraint_evaluations++;
        crank_status status =
            crank_eom_evaluate_stage(s->eom, &s->algebraic.entries, t, point, s->algebraic.k,
                                     s->algebraic.values, s->algebraic.work, err);
        if (status == CRANK_OK && !fresh) {
            for (int e = 0; e < s->eom->stage_heavy_count; e++) {
                s->algebraic.values[s->eom->stage_heavy[e]] *= heavy_factor;
            }
            status = crank_algebraic_square_factor(&s->algebraic) ? CRANK_OK : CRANK_RETRY;
            fresh = true;
            distance = 0.0;
        }
        double by_p = 0.0, by_v = 0.0;
        CRANK_THEN(status, step_back(s, t, point, &by_p, &by_v, err));
        if (status != CRANK_OK || !isfinite(by_p) || !isfinite(by_v)) {
            return status < CRANK_OK ? status : CRANK_RETRY;
        }
        const double rate = curvature * distance;
        converged = by_p <= round_p && (by_v <= round_v || by_v * rate <= round_v);
        distance += by_p / size_p;
        const double next = curvature * distance * (by_p / size_p + by_v / size_v);
        fresh = next <= DBL_EPSILON;
    }
    if (!converged) {
        return CRANK_RETRY;
    }
    const crank_status status = crank_ode_solve_stage(s, t, point, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(x, point, bytes);
    memcpy(quick->known_x, point, bytes);
    quick->known_t = t;
    quick->known = true;
    return CRANK_OK;
}

/* ---- create ---- */

void crank_ode_quick_create(crank_ode *s)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    crank_ode_quick *quick = &s->quick;
    const crank_options *options = &s->psf->setup.options;
    const int kin = eom->row[CRANK_ROW_KIN];
    quick->moves = eom->supplier.move != NULL && !eom->kinematics_constant;
    quick->possible =
        (s->algebraic.square.general != NULL || s->algebraic.square.symmetric != NULL) &&
        !s->psf->reduction->state.redundant && eom->sizes.s == 0 &&
        (quick->moves || (eom->kinematics_constant && eom->sizes.n == 0)) &&
        (eom->sizes.e == 0 || !options->invariants);
    quick->idle = s->algebraic.square.n == 0 && eom->sizes.n == 0 && eom->sizes.e == 0;
    quick->term_count = 0;
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_V + 1]; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (J->row[e] >= kin) {
                quick->term[quick->term_count++] = (crank_algebraic_term){
                    J->row[e] - kin, j - eom->column[CRANK_V], e, s->psf->jacobian[e]};
            }
        }
    }
    crank_ode_quick_restart(s);
}
