/* psf_correct.c - pulls a point back onto all constraint levels with the decomposition at hand.
 *
 *     x += P1 RC^-1 Q_C k_C(x) until the increments are round-off                 theory (3.10)
 * The free unknowns stay (unit selectors), so the correction is of the size of the constraint
 * residuals and does not touch the error that was controlled. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include "base/then.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30, COMPLETIONS = 3, CROSSING = 3 };
static const double least_rate =
    0.05; /* with an older matrix: groups converge at different rates */
static const double swallowed_rate =
    0.1; /* increments below rounding that fall by less are made of it */
static const double left_out_tolerance =
    /* residual of redundant rows, relative to their terms: rounding times the worst
     * condition */
    1e-9;
static const double left_out_rounding =
    1e-13; /* more than this asks for a new choice of rows at this point */

/* Corrections of the size of round-off, up to a factor. The estimate of a single unknown may be
 * small by chance, so that of its whole group counts. */
static bool is_rounding(const crank_psf *s, const double *delta, double factor)
{
    const double *unit = s->scale.unit;
    double noise[CRANK_GROUPS] = {0.0};
    for (int j = 0; j < s->base.n; j++) {
        noise[s->group[j]] = fmax(noise[s->group[j]], s->noise[j] / unit[j]);
    }
    for (int j = 0; j < s->base.n; j++) {
        const int g = s->group[j];
        const double rounding =
            unit[j] * noise[g] + DBL_EPSILON * crank_scale_size(&s->scale, g, j);
        if (!(fabs(delta[j]) <= factor * rounding)) {
            return false;
        }
    }
    return true;
}

/* Redundant rows are left out of the correction. They hold as well as the others, or they are
 * not redundant any more, or the rows kept are nearly dependent here: then the choice of rows
 * is too old, CRANK_RETRY. */
static crank_status check_left_out(crank_psf *s, double t, crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    double *row_size = s->scale.row;
    bool old = false;
    crank_scale_rows(&s->scale, s->jacobian, s->point, 1.0, row_size);
    s->statistics.constraint_evaluations++;
    const crank_status status =
        eom->supplier.evaluate(eom->self, 1, &t, s->point, CRANK_ALGEBRAIC, s->k, err);
    for (int i = eom->row[CRANK_ROW_GI]; i < s->setup.algebraic_rows && status == CRANK_OK;
         i++) {
        const double size = row_size[i];
        const bool invariant = i >= eom->row[CRANK_ROW_E] && i < eom->row[CRANK_ROW_C];
        if (!invariant && !(fabs(s->k[i]) <= left_out_tolerance * size)) {
            char name[160];
            return crank_fail(
                err, CRANK_ERANK_CHANGED,
                "the rank of the constraints changed: %s was redundant and is violated now "
                "(residual %.1e)",
                crank_eom_row_name(eom, i, name, sizeof name), s->k[i]);
        }
        old = old || (!invariant && fabs(s->k[i]) > left_out_rounding * size);
    }
    if (status == CRANK_OK && old && t != s->prepared_t) {
        return crank_fail(err, CRANK_RETRY, "redundant rows left out do not hold to rounding");
    }
    return status;
}

/* Iterations by which a decomposition of another point must be done, or one of this point is
 * better: a Jacobian and its elimination cost about as many. */
enum { PATIENCE = 8 };

/* How an iteration is made: with which decomposition, is it that of this point, on which
 * levels. */
typedef struct way {
    crank_reduction *by;
    bool fresh, accelerations;
} way;

/* s->delta at s->point: of all levels, or of positions and velocities alone */
static crank_status find_increment(crank_psf *s, const way *w, double t, crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    const crank_status status =
        eom->supplier.evaluate(eom->self, 1, &t, s->point, CRANK_ALGEBRAIC, s->k, err);
    s->statistics.constraint_evaluations++;
    if (status != CRANK_OK) {
        return status;
    }
    if (!w->accelerations) {
        memset(s->k, 0, (size_t)eom->row[CRANK_ROW_GI] * sizeof *s->k);
    }
    w->by->project(w->by, s->k, s->delta);
    if (!w->accelerations) {
        memset(s->delta, 0, (size_t)eom->column[CRANK_R] * sizeof *s->delta);
    }
    return CRANK_OK;
}

/* What a decomposition of this time contracts by, about: the way from its point, which may be a
 * predicted one, relative to the sizes of unknowns. */
static double way_from_prepared(crank_psf *s, const way *w)
{
    double largest = 0.0;
    if (w->by != s->reduction) {
        return 0.0; /* made at this point */
    }
    for (int j = s->setup.eom->column[CRANK_V]; j < s->base.n; j++) {
        const double size = crank_scale_size(&s->scale, s->group[j], j);
        const double part = fabs(s->point[j] - s->prepared_x[j]) / size;
        largest = part > largest ? part : largest;
    }
    return largest;
}

/* x += delta */
static void add(int n, const double *restrict delta, double *restrict x)
{
    for (int j = 0; j < n; j++) {
        x[j] += delta[j];
    }
}

/* iterates on s->point; CRANK_RETRY: no convergence */
static crank_status iterate(crank_psf *s, const way *w, double t, crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    const bool fresh = w->fresh;
    double last = (double)INFINITY,
           before_last = last; /* with an old matrix sizes may fall in pairs */
    double slowest = fresh ? way_from_prepared(s, w) : least_rate;
    bool converged = s->setup.algebraic_rows == 0;
    for (int i = 0; i < MAX_CORRECTIONS && !converged; i++) {
        const crank_status status = find_increment(s, w, t, err);
        if (status != CRANK_OK) {
            return status;
        }
        crank_scale_see(&s->scale, s->point);
        const double size = crank_scale_change(&s->scale, s->delta);
        /* a fresh matrix contracts by the first increment, too */
        slowest = i == 0 && fresh ? fmax(fmax(size, slowest), 1e-8) : slowest;
        const double rate = i > 0 ? fmax(size / last, slowest) : fresh ? slowest : 1.0;
        /* what forces that joints of a tree take swallow of an increment comes back in the
         * next one, smaller than rounding and as slowly as it likes */
        const bool swallowed =
            eom->terms != NULL && rate > swallowed_rate && is_rounding(s, s->delta, 1.0);
        const bool stalled = i > 1 && (!(size < 0.9 * fmax(last, before_last)) || swallowed);
        const bool slow = !w->accelerations && !fresh && i > 0 &&
                          size * pow(rate, PATIENCE) > 0.25 * DBL_EPSILON;
        if (!isfinite(size) || slow ||
            (stalled && !is_rounding(s, s->delta, fresh ? 1e3 : 30.0))) {
            break;
        }
        if (!stalled) {
            add(eom->n, s->delta, s->point);
        }
        converged = stalled || size * rate <= 0.25 * DBL_EPSILON;
        before_last = last;
        last = size;
    }
    return converged ? CRANK_OK
                     : crank_fail(err, CRANK_RETRY,
                                  "the correction onto the constraints does not converge");
}

/* Multipliers of rows that are left out take their values at the start. If each kept what it
 * has when its row is left out, the part that no equation determines would grow from one
 * exchange of rows to the next. */
static void release_left_out(crank_psf *s)
{
    const crank_eom *eom = s->setup.eom;
    const bool *fixed = s->reduction->state.fixed;
    for (int j = eom->column[CRANK_LAMBDA]; j < eom->column[CRANK_R] && fixed != NULL; j++) {
        s->point[j] =
            fixed[j] ? s->first_multiplier[j - eom->column[CRANK_LAMBDA]] : s->point[j];
    }
}

/* s->delta at a point: of the acceleration level, the others are taken to hold */
static crank_status find_accelerations(crank_psf *s, double t, const double *point,
                                       crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    const crank_window *window = &s->setup.window[CRANK_WINDOW_ACCELERATION];
    const crank_status status =
        eom->supplier.evaluate(eom->self, 1, &t, point, CRANK_ALGEBRAIC, s->k, err);
    s->statistics.constraint_evaluations++;
    if (status != CRANK_OK) {
        return status;
    }
    for (int r = 0; r < s->setup.algebraic_rows; r++) {
        s->k[r] = r >= window->row && r < window->row_end ? s->k[r] : 0.0;
    }
    s->reduction->project(s->reduction, s->k, s->delta);
    return CRANK_OK;
}

/* Rows of the acceleration level may have edges where multipliers change their signs (friction
 * under load), and the decomposition that of the wrong side. Newton's own iteration on that
 * level, a decomposition for each increment, from x to s->point, theory (3.10). */
static crank_status cross_edge(crank_psf *s, double t, const double *x, crank_error *err)
{
    const size_t bytes = (size_t)s->base.n * sizeof *x;
    crank_status status = CRANK_OK;
    memcpy(s->point, x, bytes);
    release_left_out(s);
    memcpy(s->across, s->point, bytes);
    for (int i = 0; i < CROSSING && status == CRANK_OK; i++) {
        status = find_accelerations(s, t, s->across, err);
        for (int j = 0; j < s->setup.eom->column[CRANK_R] && status == CRANK_OK; j++) {
            s->across[j] += s->delta[j];
        }
        CRANK_THEN(status, s->base.prepare(&s->base, t, s->across, NULL, err));
    }
    memcpy(s->point, s->across, bytes);
    return status;
}

crank_status crank_psf_correct(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    memcpy(s->point, x, (size_t)base->n * sizeof *x);
    release_left_out(s);
    const way all = {s->reduction, t == s->prepared_t, true};
    crank_status status = iterate(s, &all, t, err);
    if (status == CRANK_RETRY && all.fresh && cross_edge(s, t, x, err) == CRANK_OK) {
        status = iterate(s, &all, t, err);
    }
    if (status == CRANK_OK && s->reduction->state.redundant) {
        status = check_left_out(s, t, err);
    }
    if (status == CRANK_OK) {
        memcpy(x, s->point, (size_t)base->n * sizeof *x);
    }
    return status;
}

crank_status crank_psf_recover(crank_psf *s, crank_reduction *by, bool fresh, double t,
                               double *x, crank_error *err)
{
    const way positions_and_velocities = {by, fresh, false};
    memcpy(s->point, x, (size_t)s->base.n * sizeof *x);
    crank_status status = iterate(s, &positions_and_velocities, t, err);
    if (status == CRANK_OK && s->reduction->state.redundant) {
        status = check_left_out(s, t, err);
    }
    if (status == CRANK_OK) {
        memcpy(x, s->point, (size_t)s->base.n * sizeof *x);
    }
    return status;
}

/* The rows of the acceleration level are linear in lambda and mu, and mostly in w: a few steps
 * with the prepared decomposition, without a test, because rounding may be large at such
 * points. */
crank_status crank_psf_complete(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    memcpy(s->point, x, (size_t)base->n * sizeof *x);
    for (int i = 0; i < COMPLETIONS; i++) {
        const crank_status status = find_accelerations(s, t, s->point, err);
        if (status != CRANK_OK) {
            return status;
        }
        add(base->n, s->delta, s->point);
    }
    if (crank_first_not_finite(base->n, s->point) >= 0) {
        return crank_fail(err, CRANK_RETRY, "the multipliers are not determined at t = %g", t);
    }
    memcpy(x, s->point, (size_t)base->n * sizeof *x);
    return CRANK_OK;
}
