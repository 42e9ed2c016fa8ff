/* ode_stage.c - the algebraic unknowns z = (w, lambda, mu, s) at a stage of an explicit method.
 *
 *     F_z delta = -F(z),   F = (d, gII, hI, c),   z += delta                                    theory (9.2)
 *     (b, f_dyn)(z + delta) = (b, f_dyn)(z) + (b, f_dyn)_z delta                                theory (9.3)
 * Where all is linear in z one iteration does, and the rows are evaluated once. Elsewhere (friction that depends on
 * normal forces, contact variables) Newton's iteration goes on until the next increment would be round-off.
 * Multipliers of redundant rows have the values that psf gives them, their rows are left out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/ode.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_ITERATIONS = 20 };
/* increment, relative to the largest unknown of its group, after which the next one would be round-off */
static const double small_enough = 1e-9;
/* numbers below, in their units, do not have the digits for that: they are zero */
static const double no_digits = DBL_MIN / 1e-9;
/* multiples of the accuracy of rows that are made by differences */
static const double noise_factor = 30.0;

/* largest increment relative to the size of its unknown, also as it is now; NaN stays */
static double relative_size(const crank_ode *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_scale *scale = &s->psf->scale;
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

/* z += delta, and the differential rows with it */
static void apply(crank_ode *s, double *x)
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
        const crank_ode_term *term = &s->rate[e];
        s->k[term->row] += s->values[term->entry] * s->delta[term->column];
    }
}

crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err)
{
    crank_eom *eom = s->eom;
    const double enough =
        small_enough >= noise_factor * eom->noise ? small_enough : noise_factor * eom->noise;
    const int acceleration = eom->row[CRANK_ROW_GI];
    s->quick.known = false;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        s->psf->statistics.evaluations++;
        crank_status status =
            crank_eom_evaluate_stage(eom, &s->entries, t, x, s->k, s->values, s->work, err);
        if (status != CRANK_OK || s->square.n == 0) {
            return status;
        }
        for (int r = 0; r < acceleration; r++) {
            s->delta[r] = -s->k[r];
        }
        for (int r = 0; r < eom->sizes.s; r++) {
            s->delta[acceleration + r] = -s->k[eom->row[CRANK_ROW_C] + r];
        }
        status = crank_ode_square_solve(s, t, x, err);
        if (status != CRANK_OK) {
            return status;
        }
        apply(s, x);
        if (eom->stage_linear) {
            return CRANK_OK;
        }
        const double size = relative_size(s, x);
        if (size <= enough) {
            return CRANK_OK;
        }
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

crank_status crank_ode_update_mass(crank_ode *s, double t, const double *x, crank_error *err)
{
    crank_mass *mass = &s->psf->mass;
    const bool known = mass->known && crank_eom_mass_constant(s->eom);
    const crank_status status = crank_mass_update(mass, t, x, err);
    if (s->mass != NULL && status == CRANK_OK && !(known && s->mass_ready)) {
        s->mass_ready = crank_frozen_factor(s->mass, mass->values);
    }
    return status;
}

crank_status crank_ode_solve_mass(crank_ode *s, double *a, crank_error *err)
{
    if (s->mass == NULL || !s->mass_ready) {
        return crank_mass_solve(&s->psf->mass, a, err);
    }
    crank_frozen_solve(s->mass, a);
    return CRANK_OK;
}
