/* rows.c - the state at any time within the last step, as results have it.
 *
 * The method interpolates and estimates what that is off; where that is beyond the tolerance it
 * makes the row by a step that ends there (refine). Then the row is pulled onto all constraint
 * levels, or, by formulations that have no such correction, its algebraic unknowns are found
 * from the others. Where these turn out to be others than the interpolated ones by more than
 * the tolerance, or, in forms of higher index, would be others if the rest were off as
 * estimated, stiff forces magnify what the interpolation is off: such rows are refined, too.
 * Where algebraic unknowns are eliminated rates tell of that. theory 4.3. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"

#include <math.h>
#include <string.h>

/* corrections of rows near a singular position that are accepted, over the tolerance */
static const double branch_limit = 10.0;
/* distance of the points, over the step, from which the slope of an interpolation is taken */
static const double slope_part = 1e-3;

static double tolerance(const crank_integrator *it, const double *x, int j)
{
    return it->atol[j] + it->rtol[j] * fabs(x[j]);
}

/* largest difference of differential unknowns over the user's tolerance */
static double distance(const crank_integrator *it, const double *x, const double *y)
{
    double largest = 0.0;
    for (int j = 0; j < it->n; j++) {
        if (crank_integrator_is_differential(it, j)) {
            const double size = fabs(x[j] - y[j]) / tolerance(it, it->x, j);
            largest = size <= largest ? largest : size; /* NaN stays */
        }
    }
    return largest;
}

/* In a step across a singular position every row gets a decomposition of its own. Near the
 * position the correction amplifies rounding or leads to another branch: then p, v, r stay as
 * the smooth motion has them, theory 4.10, and only w, lambda, mu follow from the acceleration
 * level. */
void crank_integrator_correct_near_singular(crank_integrator *it, double t, double *x,
                                            crank_error *err)
{
    crank_problem *p = it->problem;
    double *corrected = it->output_work;
    memcpy(corrected, x, (size_t)it->n * sizeof *x);
    it->method->invalidate(it);
    if (p->prepare(p, t, x, NULL, err) != CRANK_OK) {
        return;
    }
    if (p->constraints->correct(p, t, corrected, err) == CRANK_OK &&
        distance(it, x, corrected) <= branch_limit) {
        memcpy(x, corrected, (size_t)it->n * sizeof *x);
    } else {
        (void)p->complete(p, t, x, err);
    }
}

/* Onto all constraint levels with the decomposition at hand; if that is too old for this point,
 * with a new one, made where the row was, which costs the next step its matrix. */
static crank_status correct(crank_integrator *it, double t, double *x, crank_error *err)
{
    crank_problem *p = it->problem;
    if (it->jumped) {
        crank_integrator_correct_near_singular(it, t, x, err);
        return CRANK_OK;
    }
    memcpy(it->output_work, x, (size_t)it->n * sizeof *x);
    crank_status status = p->constraints->correct(p, t, x, err);
    if (status > CRANK_OK) {
        memcpy(x, it->output_work, (size_t)it->n * sizeof *x);
        it->method->invalidate(it);
        status = p->prepare(p, t, x, NULL, err);
        status = status == CRANK_OK ? p->constraints->correct(p, t, x, err) : status;
    }
    return status > CRANK_OK
               ? crank_fail(err, CRANK_EINCONSISTENT,
                            "the row at t = %.10g cannot be corrected onto the constraints", t)
               : status;
}

crank_status crank_integrator_finish_row(crank_integrator *it, double t, double *x,
                                         crank_error *err)
{
    crank_problem *p = it->problem;
    if (p->constraints != NULL) {
        return correct(it, t, x, err);
    }
    const crank_status status = p->complete != NULL ? p->complete(p, t, x, err) : CRANK_OK;
    return status > CRANK_OK ? CRANK_OK : status; /* not determined: as discretised */
}

/* How far algebraic unknowns of the row are from the interpolated ones, over tolerance or
 * round-off, without the factor that error tests give it: a refined row is taken only where it
 * is nearer, so that one too many costs time alone. Those of higher-index parts (scaling) were
 * found to what the error test asks for, no better. At most 1: they agree. NaN is far. */
static double mismatch(const crank_integrator *it, const double *row)
{
    const crank_problem *p = it->problem;
    double most = 0.0;
    for (int j = 0; j < it->n; j++) {
        if (crank_integrator_is_differential(it, j) || (p->held != NULL && p->held[j]) ||
            crank_problem_column(p, j) < 0) {
            continue;
        }
        double limit = tolerance(it, row, j);
        limit = p->noise != NULL ? fmax(limit, p->noise[j]) : limit;
        if (p->scaling[j] > 0) {
            limit =
                fmax(limit, it->scale[j] * pow((it->t - it->t_old) / it->time, -p->scaling[j]));
        }
        const double part = fabs(row[j] - it->interpolated[j]) / limit;
        most = part <= most ? most : isnan(part) ? (double)INFINITY : part;
    }
    return most;
}

/* Is that no more than the tolerance, or round-off? */
static bool is_within(const crank_integrator *it, int j, double off)
{
    const crank_problem *p = it->problem;
    const double noise = p->noise != NULL ? crank_noise_factor * p->noise[j] : 0.0;
    const double size = fmax(fabs(it->x[j]), fabs(it->row[j]));
    return fabs(off) <= fmax(it->atol[j] + it->rtol[j] * size, noise);
}

/* Algebraic unknown of a higher-index part, which the error test hardly sees and rows find from
 * the others. */
static bool is_slack(const crank_integrator *it, int j)
{
    const crank_problem *p = it->problem;
    return p->constraints == NULL && p->complete != NULL && p->scaling[j] > 0 &&
           crank_problem_column(p, j) >= 0 && !crank_integrator_is_differential(it, j);
}

/* Is the interpolated row within the tolerance, as estimated? Algebraic unknowns that the
 * correction finds do not count. */
static bool is_accurate(const crank_integrator *it)
{
    const crank_problem *p = it->problem;
    for (int j = 0; j < it->n; j++) {
        const bool found = p->constraints != NULL && p->scaling[j] == 0 &&
                           !crank_integrator_is_differential(it, j);
        if (crank_problem_column(p, j) >= 0 && !found && !is_slack(it, j) &&
            !is_within(it, j, it->row_off[j])) {
            return false;
        }
    }
    return true;
}

/* Would the row have other algebraic unknowns of higher-index parts, by more than the
 * tolerance, if the others were where the estimate has them? */
static bool is_magnified(crank_integrator *it, double t)
{
    const int n = it->n;
    int slack = 0;
    while (slack < n && !is_slack(it, slack)) {
        slack++;
    }
    if (slack >= n) {
        return false;
    }
    memcpy(it->refined, it->interpolated, (size_t)it->n * sizeof *it->refined);
    for (int j = 0; j < n; j++) {
        it->refined[j] += crank_integrator_is_differential(it, j) ? it->row_off[j] : 0.0;
    }
    bool magnified = crank_integrator_finish_row(it, t, it->refined, NULL) != CRANK_OK;
    for (int j = slack; j < n && !magnified; j++) {
        magnified = is_slack(it, j) && !is_within(it, j, it->refined[j] - it->row[j]);
    }
    return magnified;
}

/* Do the rates at the point (t, x) of the interpolation, times the step, differ from its slope
 * by more than the tolerance? Where equations are not stiff they differ by a few times what the
 * row is off, at most a tenth of that; stiff forces magnify it, which steps damp. */
static bool has_other_rates(crank_integrator *it, double t, const double *x)
{
    crank_problem *p = it->problem;
    const double h = it->t - it->t_old, apart = slope_part * h;
    memset(it->row_rate, 0, (size_t)it->n * sizeof *it->row_rate);
    bool other = p->evaluate(p, 1, &t, x, it->row_k, NULL) != CRANK_OK ||
                 p->rates(p, t, x, it->row_k, it->row_rate, NULL) != CRANK_OK;
    it->method->interpolate(it, t - apart, it->refined);
    it->method->interpolate(it, t + apart, it->output_work);
    for (int j = 0; j < it->n && !other; j++) {
        const double moved = (it->output_work[j] - it->refined[j]) / (2.0 * slope_part);
        other = crank_integrator_is_differential(it, j) &&
                !is_within(it, j, moved - h * it->row_rate[j]);
    }
    return other;
}

/* Tells for problems without the algebraic unknowns that would, theory (4.11). What the slope is
 * off and what stiff forces make of the value may cancel somewhere in a step; at its ends,
 * where values are right, it does not. */
static bool is_stiff(crank_integrator *it, double t)
{
    if (it->row_rate == NULL) {
        return false;
    }
    if (has_other_rates(it, t, it->row)) {
        return true;
    }
    if (it->ends_looked[0] != it->t_old || it->ends_looked[1] != it->t) {
        it->ends_looked[0] = it->t_old;
        it->ends_looked[1] = it->t;
        it->ends_stiff = has_other_rates(it, it->t, it->x);
        if (!it->ends_stiff) {
            it->method->interpolate(it, it->t_old, it->row_begin);
            it->ends_stiff = has_other_rates(it, it->t_old, it->row_begin);
        }
    }
    return it->ends_stiff;
}

/* The interpolated point cannot be corrected: it is too far from the constraints, or so far
 * that redundant ones have another rank there, or led to a singular position beside the motion
 * (the pole of a surface's parameters). */
static bool has_no_row(crank_status status)
{
    return status == CRANK_EINCONSISTENT || status == CRANK_ERANK_CHANGED ||
           status == CRANK_ERANK_MISMATCH || status == CRANK_ESINGULAR;
}

/* The row by a step that ends there, of which later steps see nothing. */
static crank_status refine(crank_integrator *it, double t, double *x)
{
    crank_problem *p = it->problem;
    if (p->aside != NULL) {
        p->aside(p, true);
    }
    const crank_status status = it->method->refine_row(it, t, x, NULL);
    if (p->aside != NULL) {
        p->aside(p, false);
    }
    return status;
}

/* it->row, interpolated, into what results have. Of a row that is accurate enough but for its
 * algebraic unknowns, and a refined one, that is taken in which these are nearer to the step's:
 * what the beginning of the step is off, within the tolerance, a very short step may magnify,
 * too. */
static crank_status settle_row(crank_integrator *it, double t, crank_error *err)
{
    const crank_method *method = it->method;
    const size_t bytes = (size_t)it->n * sizeof *it->row;
    const bool known = method->row_error != NULL;
    bool refinable = method->refine_row != NULL && !it->jumped;
    if (refinable && known) {
        method->row_error(it, t, it->row_off);
        if (!is_accurate(it)) {
            if (refine(it, t, it->row) == CRANK_OK) {
                return CRANK_OK;
            }
            refinable = false;
        }
    }
    memcpy(it->interpolated, it->row, bytes);
    const crank_status status = crank_integrator_finish_row(it, t, it->row, err);
    if (!refinable || (status != CRANK_OK && !has_no_row(status))) {
        return status;
    }
    const bool magnified =
        status == CRANK_OK && known && (is_magnified(it, t) || is_stiff(it, t));
    const double of_row =
        magnified || status != CRANK_OK ? (double)INFINITY : mismatch(it, it->row);
    if (of_row <= 1.0) {
        return status;
    }
    memcpy(it->refined, it->interpolated, bytes);
    if (refine(it, t, it->refined) == CRANK_OK && mismatch(it, it->refined) < of_row) {
        memcpy(it->row, it->refined, bytes);
        return CRANK_OK;
    }
    return status;
}

crank_status crank_integrator_interpolate(crank_integrator *it, double t, double *x,
                                          crank_error *err)
{
    if (!it->started) {
        return crank_fail(err, CRANK_EARG, "crank_integrator_start was not called");
    }
    if (!(t >= it->t_old && t <= it->t)) {
        return crank_fail(err, CRANK_EARG, "t = %g is outside the last step [%g, %g]", t,
                          it->t_old, it->t);
    }
    const bool final = it->options.final_correction;
    crank_status status = CRANK_OK;
    if (t == it->t) {
        memcpy(it->row, it->x, (size_t)it->n * sizeof *it->row);
        if (final && it->problem->constraints == NULL) {
            status = crank_integrator_finish_row(it, t, it->row, err);
        }
        const crank_status given =
            crank_integrator_give(it, t, it->row, x, status == CRANK_OK ? err : NULL);
        return status != CRANK_OK ? status : given;
    }
    it->method->interpolate(it, t, it->row);
    for (int j = 0; j < it->n; j++) {
        if (!isfinite(it->row[j])) {
            return crank_fail(err, CRANK_ENOTFINITE, "the row at t = %.10g is not finite", t);
        }
    }
    status = final ? settle_row(it, t, err) : CRANK_OK;
    if (has_no_row(status) && it->method->make_row != NULL &&
        it->method->make_row(it, t, it->row, NULL) == CRANK_OK) {
        status = CRANK_OK;
    }
    const crank_status given =
        crank_integrator_give(it, t, it->row, x, status == CRANK_OK ? err : NULL);
    return status != CRANK_OK ? status : given;
}
