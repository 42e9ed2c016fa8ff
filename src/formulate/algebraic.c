/* algebraic.c - the algebraic unknowns z = (w, lambda, mu, s) at a stage of an explicit method,
 * or at a row.
 *
 *     F_z delta = -F(z),   F = (d, gII, hI, c),   z += delta                       theory (9.2)
 *     (b, f_dyn)(z + delta) = (b, f_dyn)(z) + (b, f_dyn)_z delta                   theory (9.3)
 * Where all is linear in z one iteration does, and the rows are evaluated once. Elsewhere
 * (friction that depends on normal forces, contact variables) Newton's iteration goes on until
 * the next increment would be round-off, or a small part of the tolerance. Multipliers of
 * redundant rows have the values that psf gives them, their rows are left out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/algebraic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 20 };
/* increment, relative to the largest unknown of its group, after which the next one would be
 * round-off */
static const double small_enough = 1e-9;
/* part of rtol that may be left of the unknowns when the iteration ends before; increments that
 * become so much smaller are on the quadratic way */
static const double of_tolerance = 1e-3, quadratic = 0.1;
/* numbers below, in their units, do not have the digits for that: they are zero */
static const double no_digits = DBL_MIN / 1e-9;
/* terms of a row that are rounded, at most, and iterations after which that is looked at */
static const double rounding_factor = 16.0;
enum { PATIENCE = 4 };
/* multiples of the accuracy of rows that are made by differences */
static const double noise_factor = 30.0;

/* largest increment relative to the size of its unknown, also as it is now; NaN stays */
double crank_algebraic_relative_size(const crank_algebraic *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_scale *scale = s->scale;
    const int groups[] = {CRANK_W, CRANK_LAMBDA, CRANK_MU, CRANK_S};
    double largest = 0.0;
    for (int i = 0; i < 4; i++) {
        const int g = groups[i];
        double size[2] = {scale->level[false][g], scale->level[true][g]};
        double change[2] = {0.0, 0.0};
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            const int known = scale->known[j];
            const double part = fabs(s->delta[crank_stage_unknown(eom, j)]) / scale->unit[j];
            size[known] = fmax(size[known], fabs(x[j]) / scale->unit[j]);
            change[known] = part <= change[known] ? change[known] : part;
        }
        for (int known = 0; known < 2; known++) {
            const double relative =
                change[known] / (size[known] > no_digits ? size[known] : 1.0);
            largest = relative <= largest ? largest : relative;
        }
    }
    return largest;
}

/* the largest |x|/unit of a group */
static double group_size(const crank_algebraic *s, int group, const double *x)
{
    double size = 0.0;
    for (int j = s->eom->column[group]; j < s->eom->column[group + 1]; j++) {
        size = fmax(size, fabs(x[j]) / s->scale->unit[j]);
    }
    return size;
}

/* Are the rows at z no more than rounding of their terms F_z z, with the largest z of each
 * group? Then no increment tells anything: forces that balance each other leave accelerations
 * that are all rounding, of no size that increments could be compared with. */
static bool is_rounding(const crank_algebraic *s, const double *x)
{
    const crank_eom *eom = s->eom;
    double *size = s->delta; /* loaded afterwards */
    memset(size, 0, (size_t)s->entries.unknowns * sizeof *size);
    for (int g = 0; g < CRANK_GROUPS; g++) {
        const double most = group_size(s, g, x);
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            const int i = crank_stage_unknown(eom, j);
            if (i < 0) {
                continue;
            }
            for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
                const int r = crank_stage_equation(eom, s->entries.row[e]);
                if (r >= 0) {
                    size[r] += fabs(s->values[e]) * most * s->scale->unit[j];
                }
            }
        }
    }
    const int acceleration = eom->row[CRANK_ROW_GI];
    for (int r = 0; r < s->entries.unknowns; r++) {
        const bool contact = r >= acceleration; /* it has other terms, too, and a size */
        const int row = contact ? eom->row[CRANK_ROW_C] + (r - acceleration) : r;
        const double limit = contact ? small_enough : rounding_factor * DBL_EPSILON;
        if (!(fabs(s->k[row]) <= limit * size[r])) {
            return false;
        }
    }
    return true;
}

/* z += delta, and the differential rows with it */
void crank_algebraic_apply(crank_algebraic *s, double *x)
{
    const crank_eom *eom = s->eom;
    const int before_r = eom->column[CRANK_R];
    for (int i = 0; i < before_r; i++) {
        x[i] += s->delta[i];
    }
    for (int i = 0; i < eom->sizes.s; i++) {
        x[eom->column[CRANK_S] + i] += s->delta[before_r + i];
    }
    for (int e = 0; e < s->rate_count; e++) {
        const crank_algebraic_term *term = &s->rate[e];
        s->k[term->row] += s->values[term->entry] * s->delta[term->column];
    }
}

/* Is what the next increment would be, size (size/before)^2 on the quadratic way, small enough?
 * theory (9.2) */
static bool is_near(const crank_algebraic *s, double size, double before)
{
    const double ratio = size / before;
    return ratio <= quadratic && size * ratio * ratio <= of_tolerance * s->rtol;
}

crank_status crank_algebraic_solve(crank_algebraic *s, double t, double *x, crank_error *err)
{
    crank_eom *eom = s->eom;
    const int acceleration = eom->row[CRANK_ROW_GI];
    double before = 0.0;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        s->statistics->evaluations++;
        crank_status status =
            crank_eom_evaluate_stage(eom, &s->entries, t, x, s->k, s->values, s->work, err);
        if (status != CRANK_OK || s->square.n == 0 || (i >= PATIENCE && is_rounding(s, x))) {
            return status;
        }
        for (int r = 0; r < acceleration; r++) {
            s->delta[r] = -s->k[r];
        }
        for (int r = 0; r < eom->sizes.s; r++) {
            s->delta[acceleration + r] = -s->k[eom->row[CRANK_ROW_C] + r];
        }
        status = crank_algebraic_square_solve(s, t, x, err);
        if (status != CRANK_OK) {
            return status;
        }
        crank_algebraic_apply(s, x);
        if (eom->stage_linear) {
            return CRANK_OK;
        }
        const double size = crank_algebraic_relative_size(s, x);
        if (size <= fmax(small_enough, noise_factor * eom->noise) ||
            (i > 0 && is_near(s, size, before))) {
            return CRANK_OK;
        }
        before = size;
        if (!isfinite(size)) {
            break;
        }
    }
    return crank_fail(
        err, CRANK_RETRY,
        "the iteration for accelerations and multipliers does not converge at t = "
        "%.10g",
        t);
}

/* ---- create ---- */

static void layout(crank_algebraic *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const bool whole = eom->supplier.stage == NULL;
    const size_t entries = (size_t)s->entries.count;
    s->k = crank_arena_take(arena, (size_t)eom->m + entries + 1, sizeof(double));
    s->values = s->k != NULL ? s->k + eom->m : NULL; /* behind the rows: equations_eom.c */
    s->work = crank_arena_take(arena, whole ? (size_t)eom->jacobian_pattern.start[eom->n] : 0,
                               sizeof(double));
    s->delta = crank_arena_take(arena, (size_t)s->entries.unknowns, sizeof(double));
    s->rate = crank_arena_take(arena, entries, sizeof *s->rate);
}

/* the stage entries of differential rows */
static void list_rates(crank_algebraic *s)
{
    s->rate_count = 0;
    for (int i = 0; i < s->entries.unknowns; i++) {
        for (int e = s->entries.start[i]; e < s->entries.start[i + 1]; e++) {
            if (crank_stage_equation(s->eom, s->entries.row[e]) < 0) {
                s->rate[s->rate_count++] = (crank_algebraic_term){s->entries.row[e], i, e, 0.0};
            }
        }
    }
}

crank_status crank_algebraic_create(crank_algebraic *s, crank_linear_algebra wish, double t0,
                                    const double *x0, crank_error *err)
{
    crank_error reason = {0};
    const crank_status status =
        crank_stage_entries_create(s->eom, &s->eom->jacobian_pattern, &s->entries, err);
    if (status != CRANK_OK) {
        return status;
    }
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "system of %d accelerations and multipliers",
                          s->entries.unknowns);
    }
    layout(s, &s->arena);
    if (s->entries.unknowns == 0) {
        return CRANK_OK;
    }
    list_rates(s);
    const bool fine = crank_algebraic_once(wish) && !crank_algebraic_redundant(s) &&
                      x0 != NULL &&
                      crank_eom_evaluate_stage(s->eom, &s->entries, t0, x0, s->k, s->values,
                                               s->work, &reason) == CRANK_OK;
    return crank_algebraic_square_create(s, wish, fine ? s->values : NULL, err);
}

void crank_algebraic_destroy(crank_algebraic *s)
{
    crank_algebraic_square_destroy(&s->square);
    crank_stage_entries_destroy(&s->entries);
    crank_arena_free(&s->arena);
}

void crank_algebraic_archive(crank_algebraic *s, crank_archive *archive)
{
    if (s->square.solver != NULL) {
        crank_solver_archive(s->square.solver, archive);
    }
}
