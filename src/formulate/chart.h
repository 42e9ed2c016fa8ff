/* chart.h - redundant coordinates of rotations by axes of their own: theory (3.12).
 *
 * A body's orientation is a quaternion, four positions for three velocities and a norm n. As
 * the body turns, so do the components that make good pivots, although nothing else changes. So
 * the sparse decomposition counts changes of such a group by
 *
 *     dp = T dz,  T = [Z of its velocities, dn/dp], made orthonormal
 *
 * and its kinematic rows by T^T. In z the norm is one axis, its row has one entry, and the
 * others are the axes of the velocities: g_p T is the Jacobian of the velocity level, and
 * pivots of both levels last as long. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CHART_H
#define CRANK_SRC_CHART_H

#include "base/archive.h"
#include "eom/eom.h"

typedef struct crank_chart crank_chart;

/* A group are the positions of a normalisation n that stand in no other and whose rates come
 * from velocities of their own, one fewer than they are. *out NULL: the eom has none. */
crank_status crank_chart_create(const crank_eom *eom, crank_chart **out, crank_error *err);
void crank_chart_destroy(crank_chart *chart);

/* T^T J T of a Jacobian: its pattern and values, which crank_chart_update fills. */
const crank_pattern *crank_chart_pattern(const crank_chart *chart);
const double *crank_chart_values(const crank_chart *chart);
/* T at the point of this Jacobian, and the values in it. */
void crank_chart_update(crank_chart *chart, const double *jacobian);
/* From now on updates take the axes of another chart of the same eom, which it must not
 * outlive, each moved along the norm's axis so that the norm stays one axis: changes of p count
 * by the other chart's axes, theory (2.31). Kinematic rows are of no use then. */
void crank_chart_follow(crank_chart *chart, const crank_chart *other);
/* Units and weights (n) of z: those of x, in groups the largest. */
void crank_chart_measure(const crank_chart *chart, const double *unit, const double *weight,
                         double *unit_z, double *weight_z);

/* Kinematic rows of r (m) in axes of the groups, to their places (-1: none) in out. */
void crank_chart_place(const crank_chart *chart, const double *r, const int *place,
                       double *out);
/* delta (n) in place: from z to x. */
void crank_chart_columns(const crank_chart *chart, double *delta);
/* Rotations by the positions of a group, three numbers each, become those by its axes; column:
 * the first of the positions. Positions of no group stay. */
void crank_chart_turn(const crank_chart *chart, int column, double (*turn)[3]);

/* Checkpoints. */
void crank_chart_archive(crank_chart *chart, crank_archive *archive);

#endif
