/* scale.c - natural units of unknowns, and the sizes of what has been seen. theory
 * (3.19)-(3.22).
 *
 *     positions:      L, or 1 for angles and quaternions;    velocities: L/T, 1/T;
 *                     accelerations: L/T^2, 1/T^2
 *     multipliers:    min_d F_d / |df_d/dlambda_i|,   F_d = sum_a |M_da| unit_a:
 *                     what balances the inertia of a body
 * with the length L and the time T of the mechanism (crank_eom_parts; without gravity, and at
 * rest in the file, T is that of velocities, accelerations and forces that balance each other
 * where the motion starts). Equations of motion of other kinds do not say what their unknowns
 * are: there the unit is 1 and the size is what has been seen, except for multipliers, whose
 * forces are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/scale.h"

#include <math.h>
#include <string.h>

/* sqrt(DBL_MIN/DBL_EPSILON): squares of slower rates, units of accelerations, do not have the
 * digits that rounding is measured by; they are zero */
static const double slowest = 1e-146;

void crank_scale_layout(crank_scale *scale, crank_arena *arena)
{
    const size_t n = (size_t)scale->eom->n;
    scale->unit = crank_arena_take(arena, n, sizeof *scale->unit);
    scale->known = crank_arena_take(arena, n, sizeof *scale->known);
    scale->row = crank_arena_take(arena, (size_t)scale->eom->m, sizeof *scale->row);
    scale->run = crank_arena_take(arena, n, sizeof *scale->run);
}

static void list_runs(crank_scale *scale)
{
    const crank_eom *eom = scale->eom;
    scale->run_count = 0;
    for (int g = 0; g < CRANK_GROUPS; g++) {
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            if (j == eom->column[g] || scale->known[j] != scale->known[j - 1]) {
                scale->run[scale->run_count++] =
                    (crank_scale_run){.first = j, .group = g, .known = scale->known[j]};
            }
            scale->run[scale->run_count - 1].last = j + 1;
        }
    }
}

/* with this time; 0: not known */
static double unit_of(const crank_eom *eom, int j, double time, bool *known)
{
    const crank_eom_parts *parts = eom->parts;
    const int p = j - eom->column[CRANK_P], v = j - eom->column[CRANK_V];
    const int a = j - eom->column[CRANK_W + 1] + eom->sizes.v;
    *known = false;
    if (parts == NULL) {
        return 1.0;
    }
    if (p >= 0) {
        *known = parts->position_kind[p] != 0;
        return parts->position_kind[p] == 't' ? parts->length : 1.0;
    }
    const bool velocity = v >= 0 && v < eom->sizes.v;
    const bool acceleration = a >= 0 && a < eom->sizes.v && eom->carried[j];
    if (!velocity && !acceleration) {
        return 1.0;
    }
    const char kind = parts->velocity_kind[velocity ? v : a];
    const double rate = time > 0.0 ? 1.0 / time : 1.0;
    *known = time > 0.0 && kind != 0;
    return (kind == 't' ? parts->length : 1.0) * (velocity ? rate : rate * rate);
}

double crank_scale_unit(const crank_eom *eom, int j, bool *known)
{
    return unit_of(eom, j, eom->parts != NULL ? eom->parts->time : 0.0, known);
}

double crank_eom_unit(const crank_eom *eom, int column)
{
    bool known;
    return crank_scale_unit(eom, column, &known);
}

double crank_scale_time(const crank_eom *eom, const double *x)
{
    const crank_eom_parts *parts = eom->parts;
    const int v = eom->column[CRANK_V], a = eom->column[CRANK_W + 1] - eom->sizes.v;
    double rate = 0.0;
    if (parts == NULL || parts->time > 0.0) {
        return parts != NULL ? parts->time : 0.0;
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const double unit = parts->velocity_kind[i] == 't' ? parts->length : 1.0;
        const bool carried = a >= eom->column[CRANK_W] && eom->carried[a + i];
        rate = fmax(rate, fabs(x[v + i]) / unit);
        rate = fmax(rate, carried ? sqrt(fabs(x[a + i]) / unit) : 0.0);
    }
    return rate > slowest && isfinite(rate) ? 1.0 / rate : 0.0;
}

static bool is_multiplier(const crank_eom *eom, int j)
{
    return j >= eom->column[CRANK_LAMBDA] && j < eom->column[CRANK_MU + 1];
}

/* is row i a balance of forces: among the rows d where accelerations are carried, else a
 * dynamic row? */
static bool is_balance(const crank_eom *eom, int i)
{
    const int d = i - eom->row[CRANK_ROW_D];
    return d < eom->sizes.w ? eom->carried != NULL && eom->carried[eom->column[CRANK_W] + d]
                            : i >= eom->row[CRANK_ROW_DYN] && i < eom->row[CRANK_ROW_KIN];
}

/* the smallest force that a multiplier could balance, over what its balances have in
 * scale->row; INFINITY: none */
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

/* F (m, added to the balances of a mechanism): sum over accelerations of |M_da| unit_a. Bodies
 * without mass are moved by the others: they have the largest of these, lengths and angles
 * apart. */
static void weigh_inertia(const crank_eom *eom, const double *jacobian, double time, double *F)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    const int balance = eom->row[CRANK_ROW_D] + first - eom->column[CRANK_W];
    double most[2] = {0.0, 0.0}; /* of rotations, of translations */
    for (int i = 0; i < eom->sizes.v; i++) {
        bool known;
        const double unit = unit_of(eom, first + i, time, &known);
        double *largest = &most[eom->parts->velocity_kind[i] == 't'];
        for (int e = J->start[first + i]; e < J->start[first + i + 1]; e++) {
            const int row = J->row[e];
            if (is_balance(eom, row)) {
                F[row] += fabs(jacobian[e]) * unit;
            }
            if (row >= balance && row < balance + eom->sizes.v) { /* v' = a is none */
                *largest = fmax(*largest, fabs(jacobian[e]) * unit);
            }
        }
    }
    most[0] = most[0] > 0.0 ? most[0] : most[1] * eom->parts->length;
    most[1] = most[1] > 0.0 ? most[1] : most[0] / eom->parts->length;
    for (int i = 0; i < eom->sizes.v; i++) {
        double *row = &F[balance + i];
        *row = *row > 0.0 ? *row : most[eom->parts->velocity_kind[i] == 't'];
    }
}

/* multipliers of a mechanism, and auxiliary variables that are forces, balance inertia */
static void measure_forces(crank_scale *scale, const double *jacobian, double time)
{
    const crank_eom *eom = scale->eom;
    memset(scale->row, 0, (size_t)eom->m * sizeof *scale->row);
    weigh_inertia(eom, jacobian, time, scale->row);
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_MU + 1]; j++) {
        const double force =
            eom->carried[j] ? (double)INFINITY : least_force(scale, jacobian, j);
        if (isfinite(force)) {
            scale->unit[j] = force;
            scale->known[j] = time > 0.0;
        }
    }
}

/* The largest rate sqrt(F/(m u)) of forces F, multipliers and auxiliary ones, that balance each
 * other in the rows of bodies: the accelerations that they would cause. What is left of them at
 * rest is rounding and tells nothing. */
static double rate_of_forces(crank_scale *scale, const double *jacobian, const double *x)
{
    const crank_eom *eom = scale->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    const int balance = eom->row[CRANK_ROW_D] + first - eom->column[CRANK_W];
    double rate = 0.0;
    memset(scale->row, 0, (size_t)eom->m * sizeof *scale->row);
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_MU + 1]; j++) {
        for (int e = J->start[j]; e < J->start[j + 1] && !eom->carried[j]; e++) {
            scale->row[J->row[e]] += fabs(jacobian[e] * x[j]);
        }
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        const double unit = eom->parts->velocity_kind[i] == 't' ? eom->parts->length : 1.0;
        for (int e = J->start[first + i]; e < J->start[first + i + 1]; e++) {
            const double inertia = fabs(jacobian[e]);
            if (J->row[e] == balance + i && inertia > 0.0) {
                rate = fmax(rate, sqrt(scale->row[balance + i] / (inertia * unit)));
            }
        }
    }
    return rate > slowest && isfinite(rate) ? rate : 0.0;
}

/* of the motion at x, where it starts */
static double time_of_start(crank_scale *scale, const double *jacobian, const double *x)
{
    const crank_eom *eom = scale->eom;
    const double time = crank_scale_time(eom, x);
    if (eom->parts == NULL || eom->parts->time > 0.0 || eom->carried == NULL) {
        return time;
    }
    const double rate = rate_of_forces(scale, jacobian, x);
    return rate > 0.0 && !(time * rate <= 1.0 && time > 0.0) ? 1.0 / rate : time;
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
    const double natural = eom->parts != NULL ? eom->parts->time : 0.0;
    const double time = k != NULL ? time_of_start(scale, jacobian, x) : natural;
    for (int j = 0; j < eom->n; j++) {
        scale->unit[j] = unit_of(eom, j, time, &scale->known[j]);
    }
    if (eom->parts != NULL) {
        measure_forces(scale, jacobian, time);
    }
    crank_scale_rows(scale, jacobian, x, 0.0, scale->row);
    for (int i = eom->row[CRANK_ROW_DYN]; i < eom->row[CRANK_ROW_KIN]; i++) {
        scale->row[i] += k != NULL ? fabs(k[i]) : 0.0;
    }
    memset(scale->first, 0, sizeof scale->first);
    scale->first[CRANK_LAMBDA] = first_level(scale, jacobian, CRANK_LAMBDA);
    scale->first[CRANK_MU] = first_level(scale, jacobian, CRANK_MU);
    list_runs(scale);
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
    for (int r = 0; r < scale->run_count; r++) {
        const crank_scale_run *run = &scale->run[r];
        double *at = &scale->level[run->known][run->group], level = *at;
        for (int j = run->first; j < run->last; j++) {
            const double now = fabs(x[j]) / scale->unit[j];
            level = now > level ? now : level;
        }
        *at = level;
    }
}

double crank_scale_change(const crank_scale *scale, const double *delta)
{
    double largest = 0.0;
    for (int r = 0; r < scale->run_count; r++) {
        const crank_scale_run *run = &scale->run[r];
        const double units = crank_scale_units(scale, run->known, run->group);
        for (int j = run->first; j < run->last; j++) {
            const double part = fabs(delta[j]) / (scale->unit[j] * units);
            largest = part > largest ? part : largest;
        }
    }
    return largest;
}

/* Constraints that the unknowns keep by themselves (a hinge beside another one in joint
 * coordinates) have no gradient, or rounding for one: what they measure has a size all the
 * same, L^power, and its rates; of expressions, power < 0, only those without gradient are
 * given one. rate: 1/T. */
static void raise_constraints(const crank_eom *eom, double rate, double *size)
{
    static const int row[] = {CRANK_ROW_G, CRANK_ROW_GI, CRANK_ROW_GII};
    const crank_eom_parts *parts = eom->parts;
    for (int i = 0; i < eom->sizes.lambda; i++) {
        const int power = parts->constraint_power[i];
        double least = power <= 0 ? 1.0 : pow(parts->length, power);
        for (int level = 0; level < 3; level++, least *= rate) {
            double *at = &size[eom->row[row[level]] + i];
            *at = power >= 0 || *at == 0.0 ? fmax(*at, least) : *at;
        }
    }
    for (int i = 0; i < eom->sizes.mu; i++) {
        double *h = &size[eom->row[CRANK_ROW_H] + i], *hI = &size[eom->row[CRANK_ROW_HI] + i];
        *h = *h == 0.0 ? rate : *h;
        *hI = *hI == 0.0 ? rate * rate : *hI;
    }
}

void crank_scale_rows(const crank_scale *scale, const double *jacobian, const double *x,
                      double other, double *size)
{
    const crank_eom *eom = scale->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    memset(size, 0, (size_t)eom->m * sizeof *size);
    for (int j = 0; j < eom->n; j++) {
        const double least = is_multiplier(eom, j) ? 0.0
                             : scale->known[j]     ? scale->unit[j]
                                                   : other;
        const double value = fmax(fabs(x[j]), least);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            size[J->row[e]] += fabs(jacobian[e]) * value;
        }
    }
    if (eom->parts != NULL && eom->parts->constraints_vanish) {
        const int v = eom->column[CRANK_V];
        const double unit = eom->parts->velocity_kind[0] == 't' ? eom->parts->length : 1.0;
        raise_constraints(eom, scale->known[v] ? scale->unit[v] / unit : other, size);
    }
}

/* Differences round by the rows that they are taken of, which may be larger than all terms of
 * the derivative: a pendulum at rest, level. Sizes are those that eom->noise is relative to. */
static void add_differences(const crank_eom *eom, double *size)
{
    const double *rounding = eom->hidden_rounding;
    const int g = eom->row[CRANK_ROW_G], gI = eom->row[CRANK_ROW_GI],
              gII = eom->row[CRANK_ROW_GII], h = eom->row[CRANK_ROW_H],
              hI = eom->row[CRANK_ROW_HI];
    for (int i = 0; i < eom->sizes.lambda; i++) {
        size[gII + i] += (rounding[CRANK_GII_OF_G] * size[g + i] +
                          rounding[CRANK_GII_OF_GI] * size[gI + i]) /
                         eom->noise;
        size[gI + i] += rounding[CRANK_GI_OF_G] * size[g + i] / eom->noise;
    }
    for (int i = 0; i < eom->sizes.mu; i++) {
        size[hI + i] += rounding[CRANK_HI_OF_H] * size[h + i] / eom->noise;
    }
}

void crank_scale_terms(const crank_scale *scale, const double *jacobian, const double *x,
                       double *size)
{
    const double *terms = scale->eom->terms;
    crank_scale_rows(scale, jacobian, x, 0.0, size);
    for (int i = 0; i < scale->eom->m && terms != NULL; i++) {
        size[i] += terms[i];
    }
    if (scale->eom->hidden_rounding != NULL) {
        add_differences(scale->eom, size);
    }
}

void crank_eom_row_scale(const crank_eom *eom, const double *values, const double *x,
                         double *scale)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const bool bodies = eom->parts != NULL;
    for (int i = 0; i < eom->m; i++) {
        scale[i] = bodies ? 0.0 : 1.0;
    }
    const double time = bodies ? eom->parts->time : 0.0; /* x may be far from any motion */
    if (bodies) {
        weigh_inertia(eom, values, time, scale);
    }
    for (int j = 0; j < eom->n; j++) {
        bool known;
        const double unit = unit_of(eom, j, time, &known);
        const double least = bodies && !is_multiplier(eom, j) ? unit : 0.0;
        const double size = fmax(fabs(x[j]), least);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            scale[J->row[e]] += fabs(values[e]) * size;
        }
    }
    if (bodies && eom->parts->constraints_vanish) {
        raise_constraints(eom, time > 0.0 ? 1.0 / time : 1.0, scale);
    }
    for (int i = 0; i < eom->m; i++) {
        scale[i] = scale[i] > 0.0 ? scale[i] : 1.0; /* depends on nothing */
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
    list_runs(scale);
}
