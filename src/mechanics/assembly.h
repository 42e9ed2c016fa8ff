/* assembly.h - start values of a mechanism in joint coordinates.
 *
 * What the file says of the start is of bodies: where they are, what may be moved, conditions.
 * So the mechanism is assembled in absolute coordinates, by a system of its own with all joints
 * as constraints, and joint coordinates are read from where the bodies came to. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ASSEMBLY_H
#define CRANK_SRC_ASSEMBLY_H

#include "mechanics/system.h"

typedef struct crank_assembly crank_assembly;

/* Are joint coordinates of a builder that has run estimated to be cheaper? (joint/cost.c) */
crank_status crank_assembly_is_cheaper(crank_builder *b, bool *cheaper, crank_error *err);
/* Chooses the tree of a builder that has run and of which everything is resolved, makes the
 * absolute system, and takes the tree's constraints out of the builder, whose next system is in
 * joint coordinates. */
crank_status crank_assembly_create(crank_builder *b, crank_assembly **out, crank_error *err);
void crank_assembly_destroy(crank_assembly *a); /* accepts NULL */
/* One of its own for a system that shares its equations; belongs to it. */
crank_status crank_assembly_share(const crank_assembly *from, crank_system *s,
                                  crank_error *err);
/* Unknowns of s (which has an assembly) from consistent start values at t. */
crank_status crank_assembly_find(crank_system *s, double t, double *x,
                                 crank_initial_report *report, crank_log log, crank_error *err);
/* Velocities of x, consistent at positions of a row: crank_system_roll_again, from the start that
 * was found last. */
crank_status crank_assembly_roll(crank_system *s, double t, double *x, crank_error *err);
/* Its unknowns: start values, those found last, and what may be moved. */
crank_eom *crank_assembly_values(const crank_assembly *a, const double **given,
                                 const double **found, const crank_fixing **fixing);

#endif
