/* differences.c - Jacobian values by central differences, one pair of evaluations a colour.
 *
 *     dk_i/dx_j ~ (k_i(x + delta) - k_i(x - delta)) / (2 delta_j),
 *     delta_j = cbrt(eps) max(|x_j|, unit_j)
 *
 * for all columns j of one colour at once (no two of them share a row). Central differences
 * cost twice as much as one-sided ones, but their error, eps^(2/3) or about 4e-11, stays
 * below the tolerance of rank decisions (1e-8), where the 1.5e-8 of one-sided differences
 * would hide redundant constraints. Where one side lies outside the model's domain, the
 * other one is used with the point itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/differences.h"

#include "linalg/colouring.h"

#include <float.h>
#include <math.h>
#include <string.h>

double crank_difference_step(double x, double unit)
{
    const double step = cbrt(DBL_EPSILON) * fmax(fabs(x), unit);
    const volatile double moved = x + step;
    return moved - x;
}

void crank_differences_layout(crank_differences *d, crank_arena *arena)
{
    const crank_eom *eom = d->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, nv = (size_t)eom->sizes.v;
    const size_t mass =
        eom->mass_pattern.start != NULL ? (size_t)eom->mass_pattern.start[nv] : 0;
    d->colour_start = crank_arena_take(arena, n + 1, sizeof(int));
    d->order = crank_arena_take(arena, n, sizeof(int));
    d->x = crank_arena_take(arena, n, sizeof(double));
    d->step = crank_arena_take(arena, n, sizeof(double));
    d->k[0] = crank_arena_take(arena, m, sizeof(double));
    d->k[1] = crank_arena_take(arena, m, sizeof(double));
    d->base = crank_arena_take(arena, m, sizeof(double));
    d->mass_values = crank_arena_take(arena, mass, sizeof(double));
}

crank_status crank_differences_colour(crank_differences *d, crank_error *err)
{
    const int n = d->eom->n;
    int *colour = d->order; /* turned into the order in place below */
    const crank_status status =
        crank_colouring(&d->eom->jacobian_pattern, colour, &d->colours, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(d->colour_start, 0, ((size_t)n + 1) * sizeof(int));
    for (int j = 0; j < n; j++) {
        d->colour_start[colour[j] + 1]++;
    }
    for (int c = 0; c < d->colours; c++) {
        d->colour_start[c + 1] += d->colour_start[c];
    }
    /* d->step serves as room for the sorted columns: they are integers below 2^31, exact as
     * doubles */
    for (int j = 0; j < n; j++) {
        d->step[d->colour_start[colour[j]]++] = j;
    }
    for (int c = d->colours; c > 0; c--) {
        d->colour_start[c] = d->colour_start[c - 1];
    }
    d->colour_start[0] = 0;
    for (int j = 0; j < n; j++) {
        d->order[j] = (int)d->step[j];
    }
    return CRANK_OK;
}

void crank_differences_by_columns(crank_differences *d)
{
    d->colours = d->eom->n;
    for (int j = 0; j < d->eom->n; j++) {
        d->order[j] = d->colour_start[j] = j;
    }
    d->colour_start[d->eom->n] = d->eom->n;
}

/* k at d->x, with M vdot taken off the dynamic rows where M varies. */
static crank_status evaluate(crank_differences *d, double t, const double *x,
                             const double *vdot, double *k, crank_error *err)
{
    const crank_eom *eom = d->eom;
    crank_status status = d->evaluate(d->self, t, x, k, err);
    if (status != CRANK_OK || vdot == NULL || eom->mass_is_identity ||
        crank_eom_mass_constant(eom)) {
        return status;
    }
    status = d->mass(d->self, t, x, d->mass_values, err);
    if (status == CRANK_OK) {
        crank_eom_subtract_mass(eom, d->mass_values, vdot, k);
    }
    return status;
}

/* Quotients of the columns of colour c: (upper - lower) / width, width in units of the step. */
static void fill(const crank_differences *d, int c, const double *upper, const double *lower,
                 double width, double *values)
{
    const crank_pattern *pattern = &d->eom->jacobian_pattern;
    for (int l = d->colour_start[c]; l < d->colour_start[c + 1]; l++) {
        const int j = d->order[l];
        for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
            const int i = pattern->row[q];
            if (d->wanted == NULL || d->wanted[i]) {
                values[q] = (upper[i] - lower[i]) / (width * d->step[j]);
            }
        }
    }
}

/* Moves the columns of colour c by sign times their steps. */
static void shift(crank_differences *d, int c, const double *x, double sign)
{
    for (int l = d->colour_start[c]; l < d->colour_start[c + 1]; l++) {
        const int j = d->order[l];
        d->x[j] = x[j] + sign * d->step[j];
    }
}

/* Columns of colour c at the border of the domain: one side failed. */
static crank_status fill_one_sided(crank_differences *d, int c, const crank_status side[2],
                                   double *values)
{
    if (side[0] != CRANK_OK && side[1] != CRANK_OK) {
        return side[0];
    }
    const bool above = side[0] == CRANK_OK;
    fill(d, c, above ? d->k[0] : d->base, above ? d->base : d->k[1], 1.0, values);
    return CRANK_OK;
}

crank_status crank_differences_jacobian(crank_differences *d, double t, const double *x,
                                        const double *vdot, double *values, crank_error *err)
{
    bool has_base = false;
    for (int j = 0; j < d->eom->n; j++) {
        d->step[j] = crank_difference_step(x[j], d->unit != NULL ? d->unit[j] : 1.0);
    }
    memcpy(d->x, x, (size_t)d->eom->n * sizeof *x);
    for (int c = 0; c < d->colours; c++) {
        crank_status side[2], status = CRANK_OK;
        for (int i = 0; i < 2; i++) {
            shift(d, c, x, i == 0 ? 1.0 : -1.0);
            side[i] = evaluate(d, t, d->x, vdot, d->k[i], err);
            if (side[i] < 0) {
                return side[i];
            }
        }
        shift(d, c, x, 0.0);
        if (side[0] == CRANK_OK && side[1] == CRANK_OK) {
            fill(d, c, d->k[0], d->k[1], 2.0, values);
            continue;
        }
        if (!has_base) {
            status = evaluate(d, t, x, vdot, d->base, err);
        }
        has_base = true;
        if (status == CRANK_OK) {
            status = fill_one_sided(d, c, side, values);
        }
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}
