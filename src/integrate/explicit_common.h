/* explicit_common.h - what explicit methods with projection share (dopri8, dopri5, adams):
 * start and first step, the projection of its end, rates there, the notice of stiffness.
 * theory, 9.1. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EXPLICIT_COMMON_H
#define CRANK_SRC_EXPLICIT_COMMON_H

#include "integrate/integrator.h"

/* What the projection moves is error, too: more than the tolerance is not accepted. By more
 * than this multiple of it the end moves only where a constraint jumps or another branch was
 * met. */
extern const double crank_explicit_largest_move;

/* signs of stiffness along the way */
typedef struct crank_stiffness {
    int stiff_signs, calm_signs;
    bool told;
} crank_stiffness;

/* Rates at the start, from x as it is given. X: n, work. */
crank_status crank_explicit_start(crank_integrator *it, double *X, double *rate,
                                  crank_error *err);
/* it->h for a method of that order from the sizes of x, x' and, by an Euler step, x'' [HNW93,
 * II.4]. X, work: n. */
crank_status crank_explicit_first_step(crank_integrator *it, int order, const double *rate,
                                       double *X, double *work, crank_error *err);
/* end onto all constraint levels and invariants with the decomposition at hand; *moved: by how
 * much, over the tolerance. work: n. */
crank_status crank_explicit_project(crank_integrator *it, double t, double *end, double *work,
                                    double *moved, crank_error *err);
/* Statuses of a projection that a shorter step may mend. */
bool crank_explicit_mends(crank_status status);
/* After an accepted step: the problem is told, rates at the new point. */
crank_status crank_explicit_settle(crank_integrator *it, double *rate, bool last,
                                   crank_error *err);
/* One step's sign of stiffness, or none; told once after 15 signs. */
void crank_explicit_note_stiffness(crank_integrator *it, crank_stiffness *s, bool sign);
void crank_explicit_archive_stiffness(crank_stiffness *s, crank_archive *archive);

#endif
