/* scale.c - natural units of unknowns, and the sizes of what has been seen. theory (3.16)-(3.19).
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

/* the smallest force that a multiplier could balance, over what its balances have in scale->row; INFINITY: none */
static double least_force(const crank_scale *scale, const double *jacobian, int j)
{
    const crank_pattern *J = &scale->eom->jacobian_pattern;
    double least = (double)INFINITY;
    for (int e = J->start[j]; e < J->start[j + 1]; e++) {
        const double force = scale->row[J->row[e]];
        if (is_balance(scale->eom, J->row[e]) && force > 0.0 && jacobian[e] != 0.0) {
            least = fmin(least, force / fabs(jacobian[e]));
        }
    }
    return least;
}

/* sum over accelerations: |M_da| unit_a, of the bodies of a mechanism */
static void weigh_inertia(crank_scale *scale, const double *jacobian)
{
    const crank_eom *eom = scale->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    memset(scale->row, 0, (size_t)eom->m * sizeof *scale->row);
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_W + 1]; j++) {
        for (int e = J->start[j]; e < J->start[j + 1] && eom->carried[j]; e++) {
            scale->row[J->row[e]] += fabs(jacobian[e]) * scale->unit[j];
        }
    }
}

/* Multipliers of a mechanism balance inertia; where a body has none, other multipliers. */
static void measure_multipliers(crank_scale *scale, const double *jacobian)
{
    const crank_eom *eom = scale->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const bool timed = eom->parts->time > 0.0;
    const int first = eom->column[CRANK_LAMBDA], end = eom->column[CRANK_MU + 1];
    weigh_inertia(scale, jacobian);
    for (int j = first; j < end; j++) {
        scale->unit[j] = 0.0;
    }
    for (bool any = true; any;) {
        any = false;
        for (int j = first; j < end; j++) {
            const double force = scale->unit[j] > 0.0 ? (double)INFINITY
                                                      : least_force(scale, jacobian, j);
            if (isfinite(force)) {
                scale->unit[j] = force;
                scale->known[j] = timed;
                any = true;
            }
        }
        for (int j = first; j < end && any; j++) {
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                double *row = &scale->row[J->row[e]];
                *row = *row > 0.0 ? *row : fabs(jacobian[e]) * scale->unit[j];
            }
        }
    }
    for (int j = first; j < end; j++) {
        scale->unit[j] = scale->unit[j] > 0.0 ? scale->unit[j] : 1.0;
    }
}

/* the largest multiplier, in units, that would balance what acts at the start */
static double first_level(const crank_scale *scale, const double *jacobian, int group)
{
    const crank_eom *eom = scale->eom;
    double level = 0.0;
    for (int j = eom->column[group]; j < eom->column[group + 1]; j++) {
        const double force = least_force(scale, jacobian, j);
        level = isfinite(force) ? fmax(level, force / scale->unit[j]) : level;
    }
    return level;
}

void crank_scale_measure(crank_scale *scale, const double *jacobian, const double *x,
                         const double *k)
{
    const crank_eom *eom = scale->eom;
    crank_scale_units(eom, scale->unit, scale->known);
    if (eom->parts != NULL && eom->carried != NULL) {
        measure_multipliers(scale, jacobian);
    }
    crank_scale_rows(scale, jacobian, x, 0.0, scale->row);
    for (int i = eom->row[CRANK_ROW_DYN]; i < eom->row[CRANK_ROW_KIN]; i++) {
        scale->row[i] += k != NULL ? fabs(k[i]) : 0.0;
    }
    memset(scale->first, 0, sizeof scale->first);
    scale->first[CRANK_LAMBDA] = first_level(scale, jacobian, CRANK_LAMBDA);
    scale->first[CRANK_MU] = first_level(scale, jacobian, CRANK_MU);
    crank_scale_forget(scale);
}

void crank_scale_forget(crank_scale *scale)
{
    for (int g = 0; g < CRANK_GROUPS; g++) {
        scale->level[false][g] = scale->first[g];
        scale->level[true][g] = fmax(scale->first[g], 1.0);
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
    crank_archive_doubles(archive, scale->first, CRANK_GROUPS);
    crank_archive_doubles(archive, scale->level[0], CRANK_GROUPS);
    crank_archive_doubles(archive, scale->level[1], CRANK_GROUPS);
}
