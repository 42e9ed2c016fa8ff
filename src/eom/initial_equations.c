/* initial_equations.c - the equations for consistent initial values: which of them belong to
 * which level, their residuals, derivatives and scales.
 *
 * Level 0: c, g, n; level 1: gI, h, e; level 2: d, gII, hI. Invariants count only if their
 * value is given (invariants_absolute); otherwise the model keeps whatever value the start
 * has. An extra condition belongs to the highest level whose unknowns it depends on, found
 * by moving unknowns a little, many at once first, at the start and at a point beside it where
 * nothing is along an axis; its derivatives are central differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/differences.h"
#include "eom/initial.h"
#include "eom/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ten times the error of central differences, eps^(2/3) */
static const double difference_noise = 4e-10;
static const double probe = 0.01; /* relative change that tells what a condition depends on */

const char *crank_initial_name(const crank_initial *w, int equation, char *text, size_t size)
{
    if (equation < w->algebraic) {
        return crank_eom_row_name(w->eom, equation, text, size);
    }
    if (equation >= w->algebraic + w->conditions) {
        const crank_tie_row *row = &w->tie[equation - w->algebraic - w->conditions];
        (void)snprintf(text, size, "%s", w->eom->parts->tie_text[row->tie]);
        return text;
    }
    (void)snprintf(text, size, "initial condition \"%s\"",
                   w->eom->initial_name[equation - w->algebraic]);
    return text;
}

static bool row_counts(const crank_initial *w, int row)
{
    const crank_eom *eom = w->eom;
    const bool invariant = (row >= eom->row[CRANK_ROW_E] && row < eom->row[CRANK_ROW_C]) ||
                           (row >= eom->row[CRANK_ROW_N] && row < eom->row[CRANK_ROW_B]);
    const bool acceleration = row >= eom->row[CRANK_ROW_GII] && row < eom->row[CRANK_ROW_GI];
    return !(invariant && !eom->invariants_absolute) &&
           !(acceleration && (!w->options.multipliers || !eom->has_acceleration_level));
}

static int column_level(const crank_eom *eom, int column)
{
    return column >= eom->column[CRANK_S]   ? 0
           : column >= eom->column[CRANK_V] ? 1
           : column >= eom->column[CRANK_R] ? -1
                                            : 2;
}

/* What conditions depend on among unknowns first .. last-1, which are moved together: where
 * nothing changes, none of them matters. Models of thousands of bodies have conditions on a
 * few. w->trial is the point, w->side[0] its conditions. */
static crank_status probe_range(crank_initial *w, int first, int last, bool outside,
                                crank_error *err)
{
    crank_eom *eom = w->eom;
    const int ni = w->conditions;
    bool known, any = false;
    memcpy(w->found + first, w->trial + first, (size_t)(last - first) * sizeof *w->trial);
    for (int j = first; j < last; j++) { /* by different moves, which do not cancel */
        const double share = last - first > 1 ? 0.75 + 0.25 * crank_initial_number(1, j) : 1.0;
        w->trial[j] += share * probe * (crank_scale_unit(eom, j, &known) + fabs(w->trial[j]));
    }
    const crank_status moved =
        eom->supplier.initial(eom->self, w->t, w->trial, w->side[1], err);
    memcpy(w->trial + first, w->found + first, (size_t)(last - first) * sizeof *w->trial);
    if (moved < 0) {
        return moved;
    }
    for (int i = 0; i < ni; i++) {
        const bool touch =
            moved > 0 ? last - first > 1 || outside : !(w->side[0][i] == w->side[1][i]);
        any = any || touch;
        if (touch && last - first == 1) {
            int *level = &w->level[w->algebraic + i];
            w->touches[i + first * ni] = true;
            *level = column_level(eom, first) > *level ? column_level(eom, first) : *level;
        }
    }
    if (!any || last - first == 1) {
        return CRANK_OK;
    }
    const int middle = first + (last - first) / 2;
    const crank_status status = probe_range(w, first, middle, outside, err);
    return status == CRANK_OK ? probe_range(w, middle, last, outside, err) : status;
}

/* What conditions depend on, seen from the point w->trial, which stays; outside: do they depend
 * on an unknown that leads out of their domain? */
static crank_status probe_conditions(crank_initial *w, bool outside, crank_error *err)
{
    crank_eom *eom = w->eom;
    const crank_status status =
        eom->supplier.initial(eom->self, w->t, w->trial, w->side[0], err);
    return status == CRANK_OK && eom->n > 0 ? probe_range(w, 0, eom->n, outside, err) : status;
}

crank_status crank_initial_levels(crank_initial *w, crank_error *err)
{
    crank_eom *eom = w->eom;
    const size_t ni = (size_t)w->conditions, n = (size_t)eom->n;
    for (int i = 0; i < w->algebraic; i++) {
        w->level[i] = row_counts(w, i) ? crank_eom_row_level(eom, i) : -1;
    }
    if (ni == 0) {
        return CRANK_OK;
    }
    memset(w->level + w->algebraic, 0, ni * sizeof *w->level);
    memset(w->touches, 0, ni * n * sizeof *w->touches);
    memcpy(w->trial, w->x, n * sizeof *w->x);
    const crank_status status = probe_conditions(w, true, err);
    for (int j = 0; j < eom->n; j++) { /* starts are often special: along an axis, at rest */
        bool known;
        const double size = crank_scale_unit(eom, j, &known) + fabs(w->x[j]);
        w->trial[j] = w->x[j] + probe * size * crank_initial_number(0, j);
    }
    if (status == CRANK_OK) {
        crank_error ignored = {0}; /* it may be outside the domain, which tells nothing */
        (void)probe_conditions(w, false, &ignored);
    }
    return status;
}

crank_status crank_initial_evaluate(crank_initial *w, const double *x, crank_error *err)
{
    crank_eom *eom = w->eom;
    crank_status status = crank_eom_evaluate_rows(eom, 1, &w->t, x, CRANK_ALGEBRAIC, w->k, err);
    if (status == CRANK_OK) {
        memcpy(w->residual, w->k, (size_t)w->algebraic * sizeof *w->k);
        if (w->conditions > 0) {
            status = eom->supplier.initial(eom->self, w->t, x, w->residual + w->algebraic, err);
            for (int i = 0; i < w->conditions && w->lifted > 0.0; i++) {
                w->residual[w->algebraic + i] -= w->lifted * w->lift[i];
            }
        }
        crank_initial_tie_residuals(w, x, w->residual + w->algebraic + w->conditions);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const int bad = crank_first_not_finite(w->equations, w->residual);
    if (bad >= 0) {
        char name[160];
        return crank_fail_place(err, CRANK_RETRY, crank_initial_place(w, bad),
                                "%s is not finite at t = %g",
                                crank_initial_name(w, bad, name, sizeof name), w->t);
    }
    return CRANK_OK;
}

/* Derivatives that are errors of differences, eps^(2/3) of the largest of their row, are none:
 * steps would follow them. */
static void drop_noise(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const int ni = w->conditions;
    bool known;
    for (int i = 0; i < ni; i++) {
        double largest = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < eom->n; j++) {
                double *derivative = &w->condition_values[i + j * ni];
                if (!w->touches[i + j * ni]) {
                    continue;
                }
                const double size =
                    fabs(*derivative) * fmax(fabs(w->x[j]), crank_scale_unit(eom, j, &known));
                if (pass == 0) {
                    largest = fmax(largest, size);
                } else if (size <= difference_noise * largest) {
                    *derivative = 0.0;
                }
            }
        }
    }
}

/* w->units: the sizes that conditions measure unknowns by. Those of motions are never the
 * present values alone, which a condition may ask to vanish: beside the natural ones a velocity
 * counts with the fastest of all, an acceleration with the terms of its balance of forces, to
 * which it is determined. w->scale: of rows. */
static void size_motion(crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int v = eom->column[CRANK_V], a = eom->column[CRANK_W + 1] - eom->sizes.v;
    const int balance = eom->row[CRANK_ROW_D] + a - eom->column[CRANK_W];
    double fastest = 1.0; /* in natural units, as rows are measured */
    bool known;
    for (int i = 0; i < eom->sizes.v; i++) {
        fastest = fmax(fastest, fabs(w->x[v + i]) / crank_scale_unit(eom, v + i, &known));
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        w->units.unit[v + i] = fastest * crank_scale_unit(eom, v + i, &known);
        w->units.known[v + i] = eom->parts->velocity_kind[i] != 0;
        if (a < eom->column[CRANK_W] || !eom->carried[a + i]) {
            continue;
        }
        double *unit = &w->units.unit[a + i];
        *unit = crank_scale_unit(eom, a + i, &known);
        w->units.known[a + i] = eom->parts->velocity_kind[i] != 0;
        for (int q = J->start[a + i]; q < J->start[a + i + 1]; q++) {
            const double inertia = fabs(w->values[q]);
            if (J->row[q] == balance + i && inertia > 0.0) {
                *unit = fmax(*unit, w->scale[balance + i] / inertia);
            }
        }
    }
}

static crank_status linearise_conditions(crank_initial *w, crank_error *err)
{
    crank_eom *eom = w->eom;
    const int ni = w->conditions;
    memcpy(w->trial, w->x, (size_t)eom->n * sizeof *w->x);
    if (eom->parts != NULL) { /* sizes of multipliers: a reaction that vanishes has one */
        crank_scale_measure(&w->units, w->values, w->x, NULL);
        size_motion(w);
    }
    for (int j = 0; j < eom->n; j++) {
        bool touched = false;
        for (int i = 0; i < ni; i++) {
            touched = touched || w->touches[i + j * ni];
        }
        if (!touched) {
            continue;
        }
        bool known;
        const double unit = crank_scale_unit(eom, j, &known);
        const double step = crank_difference_step(w->x[j], unit);
        for (int side = 0; side < 2; side++) {
            w->trial[j] = side == 0 ? w->x[j] + step : w->x[j] - step;
            const crank_status status =
                eom->supplier.initial(eom->self, w->t, w->trial, w->side[side], err);
            if (status != CRANK_OK) {
                return status;
            }
        }
        w->trial[j] = w->x[j];
        for (int i = 0; i < ni; i++) {
            const double derivative = (w->side[0][i] - w->side[1][i]) / (2.0 * step);
            w->condition_values[i + j * ni] = derivative;
            const bool sized = eom->parts != NULL && w->units.known[j];
            /* one that is zero in the end was of the size that it had */
            const double least = sized                ? w->units.unit[j]
                                 : eom->parts != NULL ? fabs(w->given[j])
                                                      : 0.0;
            w->scale[w->algebraic + i] += fabs(derivative) * fmax(fabs(w->x[j]), least);
        }
    }
    for (int k = 0; k < w->ties; k++) {
        const crank_tie_row *row = &w->tie[k];
        for (int i = 0; i < row->count; i++) {
            w->scale[w->algebraic + ni + k] +=
                fabs(row->factor[i]) * w->units.unit[row->column[i]];
        }
    }
    drop_noise(w);
    return CRANK_OK;
}

crank_status crank_initial_linearise(crank_initial *w, crank_error *err)
{
    const crank_status status =
        crank_eom_evaluate_jacobian(w->eom, w->t, w->x, NULL, w->values, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(w->eom, w->values, w->x, w->k); /* k is free again, and long enough */
    memcpy(w->scale, w->k, (size_t)w->algebraic * sizeof *w->scale);
    for (int i = w->algebraic; i < w->equations; i++) {
        w->scale[i] = w->eom->parts != NULL ? 0.0 : 1.0;
    }
    const crank_status conditions = w->conditions > 0 ? linearise_conditions(w, err) : CRANK_OK;
    for (int i = w->algebraic; i < w->equations; i++) {
        w->scale[i] = w->scale[i] > 0.0 ? w->scale[i] : 1.0; /* depends on nothing */
    }
    return conditions;
}

double crank_initial_excess(const crank_initial *w, int level, int *worst)
{
    double excess = 0.0;
    *worst = -1;
    for (int i = 0; i < w->equations; i++) {
        if (!crank_initial_is_in(w, i, level)) {
            continue;
        }
        const double relative =
            fabs(w->residual[i]) / (w->scale[i] * crank_initial_tolerance(w, i));
        if (relative > excess || *worst < 0) {
            excess = relative;
            *worst = i;
        }
    }
    return excess;
}
