/* scale.h - what is small: the one place that knows sizes of unknowns and of rows. theory,
 * 3.11.
 *
 * An unknown is small beside its size, a row beside the terms that it is the sum of. Sizes come
 * from the model (lengths, times, masses) and from what has been seen on the way; never from
 * present values alone, which may be zero. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_SCALE_H
#define CRANK_SRC_EOM_SCALE_H

#include "base/archive.h"
#include "base/arena.h"
#include "base/tolerance.h"
#include "eom/eom.h"

/* Unknowns from first to last - 1. */
typedef struct crank_scale_run {
    int first, last, group;
    bool known;
} crank_scale_run;

typedef struct crank_scale {
    const crank_eom *eom;
    /* n: the size of an unknown if nothing has been seen yet; 1 where the model does not
     * tell */
    double *unit;
    bool *known; /* n: the model tells */
    /* largest |x|/unit so far of the unknowns of a group; of known ones at least 1 */
    double level[2][CRANK_GROUPS];
    double first[CRANK_GROUPS]; /* levels by the forces at the start */
    double *row;                /* m: work */
    /* unknowns side by side of one level: a group is made of one or several (room for n) */
    int run_count;
    crank_scale_run *run;
} crank_scale;

void crank_scale_layout(crank_scale *scale, crank_arena *arena);
/* Units, and nothing seen yet. jacobian, k (the differential rows; NULL: not known, and x need
 * not be consistent): at the point x where the motion starts. */
void crank_scale_measure(crank_scale *scale, const double *jacobian, const double *x,
                         const double *k);
/* Nothing has been seen yet. */
void crank_scale_forget(crank_scale *scale);
/* x has been seen. */
void crank_scale_see(crank_scale *scale, const double *x);
/* The largest |delta_j| over the size of its unknown; NaN does not count. */
double crank_scale_change(const crank_scale *scale, const double *delta);
/* size (m) = sum_j |dk_i/dx_j| max(|x_j|, unit_j), of unknowns whose units are not known
 * max(|x_j|, other): rounding of k_i is a few eps of it. */
void crank_scale_rows(const crank_scale *scale, const double *jacobian, const double *x,
                      double other, double *size);
/* The same at the point of the last Jacobian, with terms that its entries do not tell
 * (eom->terms): what rounding of rows is measured by. */
void crank_scale_terms(const crank_scale *scale, const double *jacobian, const double *x,
                       double *size);
void crank_scale_archive(crank_scale *scale, crank_archive *archive);

/* Sizes of unknowns of a group over their units; nothing but zero seen, or numbers that do not
 * have the digits (DBL_MIN/DBL_EPSILON): 1. */
static inline double crank_scale_units(const crank_scale *scale, bool known, int g)
{
    const double level = scale->level[known][g];
    return level > 1e-292 ? level : 1.0;
}

/* The size of unknown j of group g. */
static inline double crank_scale_size(const crank_scale *scale, int g, int j)
{
    return scale->unit[j] * crank_scale_units(scale, scale->known[j], g);
}

/* What residuals of all m rows are compared with, from Jacobian values: of mechanisms sum_j
 * |dk_i/dx_j| max(|x_j|, unit_j), balances of forces with the inertia of bodies, else 1 + sum_j
 * |dk_i/dx_j| |x_j|. */
void crank_eom_row_scale(const crank_eom *eom, const double *values, const double *x,
                         double *scale);

/* The natural unit of unknown j, without what scale->unit knows of multipliers; 1 where the
 * model does not tell. */
double crank_scale_unit(const crank_eom *eom, int j, bool *known);

/* A time of the motion: the natural one of a mechanism, or in which its velocities and
 * accelerations at x lead as far as its units are; 0 where nothing tells. */
double crank_scale_time(const crank_eom *eom, const double *x);

#endif
