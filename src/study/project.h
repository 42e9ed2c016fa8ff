/* project.h - positions of an eom moved along velocities. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_PROJECT_H
#define CRANK_SRC_STUDY_PROJECT_H

#include "eom/eom.h"

/* Positions of x to p + Z step (v), and from there onto n = 0. values: of the Jacobian at x or
 * near it. */
crank_status crank_project_move(crank_eom *eom, double t, const double *values,
                                const double *step, double *x, crank_error *err);

#endif
