/* scale.c - natural units of unknowns, and the sizes of what has been seen. theory (3.15)-(3.17).
 *
 *     positions:      L, or 1 for angles and quaternions;    velocities: L/T, 1/T;    accelerations: L/T^2, 1/T^2
 *     multipliers:    min_d F_d / |df_d/dlambda_i|,   F_d = sum_a |M_da| unit_a: what balances the inertia of a body
 * with the length L and the time T of the mechanism (crank_eom_parts). Equations of motion of other kinds do not say what
 * their unknowns are: there the unit is 1 and the size is what has been seen, except for multipliers, whose forces are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/scale.h"

#include <math.h>
#include <string.h>

void crank_scale_layout(crank_scale *scale, crank_arena *arena)
{
    const size_t n = (size_t)scale->eom->n;
    scale->unit = crank_arena_take(arena, n, sizeof *scale->unit);
    scale->known = crank_arena_take(arena, n, sizeof *scale->known);
    scale->row = crank_arena_take(arena, (size_t)scale->eom->m, sizeof *scale->row);
}

void crank_scale_units(const crank_eom *eom, double *unit, bool *known)
{
    const crank_eom_parts *parts = eom->parts;
    for (int j = 0; j < eom->n; j++) {
        unit[j] = 1.0;
        known[j] = false;
    }
    if (parts == NULL) {
        return;
    }
    const bool timed = parts->time > 0.0;
    const double L = parts->length, rate = timed ? 1.0 / parts->time : 1.0;
    for (int i = 0; i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i;
        known[j] = parts->position_kind[i] != 0;
        unit[j] = parts->position_kind[i] == 't' ? L : 1.0;
    }
    const int accelerations = eom->column[CRANK_W + 1] - eom->sizes.v;
    for (int i = 0; i < eom->sizes.v; i++) {
        const int v = eom->column[CRANK_V] + i, a = accelerations + i;
        known[v] = timed && parts->velocity_kind[i] != 0;
        unit[v] = parts->velocity_kind[i] == 't' ? L * rate : rate;
        if (eom->carried != NULL && a >= eom->column[CRANK_W] && eom->carried[a]) {
            known[a] = known[v];
            unit[a] = unit[v] * rate;
        }
    }
}

/* is row i a balance of forces: among the rows d where accelerations are carried, else a dynamic row? */
static bool is_balance(const crank_eom *eom, int i)
{
    const int d = i - eom->row[CRANK_ROW_D];
    return d < eom->sizes.w ? eom->carried != NULL && eom->carried[eom->column[CRANK_W] + d]
                            : i >= eom->row[CRANK_ROW_DYN] && i < eom->row[CRANK_ROW_KIN];
}

/* rows with a multiplier are balances; the smallest force that it could balance is its unit */
static void measure_multiplier(crank_scale *scale, const double *jacobian, int j)
{
    const crank_pattern *J = &scale->eom->jacobian_pattern;
    double unit = (double)INFINITY;
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        const int i = J->row[e];
        if (is_balance(scale->eom, i) && scale->row[i] > 0.0 && jacobian[e] != 0.0) {
            unit = fmin(unit, scale->row[i] / fabs(jacobian[e]));
        }
    }
    scale->known[j] = isfinite(unit);
    scale->unit[j] = scale->known[j] ? unit : 1.0;
}

void crank_scale_measure(crank_scale *scale, const double *jacobian, const double *x,
                         const double *k)
{
    const crank_eom *eom = scale->eom;
    crank_scale_units(eom, scale->unit, scale->known);
    crank_scale_rows(scale, jacobian, x, 0.0, scale->row);
    for (int i = eom->row[CRANK_ROW_DYN]; i < eom->row[CRANK_ROW_KIN]; i++) {
        scale->row[i] += fabs(k[i]);
    }
    for (int j = eom->column[CRANK_LAMBDA]; j < eom->column[CRANK_MU + 1]; j++) {
        measure_multiplier(scale, jacobian, j);
    }
    crank_scale_forget(scale);
}

void crank_scale_forget(crank_scale *scale)
{
    for (int g = 0; g < CRANK_GROUPS; g++) {
        scale->level[false][g] = 0.0;
        scale->level[true][g] = 1.0;
    }
}

void crank_scale_see(crank_scale *scale, const double *x)
{
    const crank_eom *eom = scale->eom;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            double *level = &scale->level[scale->known[j]][g];
            const double now = fabs(x[j]) / scale->unit[j];
            *level = now > *level ? now : *level;
        }
    }
}

void crank_scale_rows(const crank_scale *scale, const double *jacobian, const double *x,
                      double other, double *size)
{
    const crank_eom *eom = scale->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    memset(size, 0, (size_t)eom->m * sizeof *size);
    for (int j = 0; j < eom->n; j++) {
        const bool multiplier =
            j >= eom->column[CRANK_LAMBDA] && j < eom->column[CRANK_MU + 1];
        const double least = multiplier ? 0.0 : scale->known[j] ? scale->unit[j] : other;
        const double value = fmax(fabs(x[j]), least);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            size[J->row[e]] += fabs(jacobian[e]) * value;
        }
    }
}

void crank_scale_archive(crank_scale *scale, crank_archive *archive)
{
    crank_archive_doubles(archive, scale->unit, (size_t)scale->eom->n);
    for (int j = 0; j < scale->eom->n; j++) {
        crank_archive_flag(archive, &scale->known[j]);
    }
    crank_archive_doubles(archive, scale->level[0], CRANK_GROUPS);
    crank_archive_doubles(archive, scale->level[1], CRANK_GROUPS);
}
