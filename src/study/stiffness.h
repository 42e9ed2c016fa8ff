/* stiffness.h - the stiffness of a mechanism at rest over the motions that its constraints
 * leave. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_STIFFNESS_H
#define CRANK_SRC_STUDY_STIFFNESS_H

#include "study/statics.h"

#include <crank/study.h>

/* Stability, freedom, smallest, direction and free directions, at the rest s->x. */
crank_status crank_stiffness_examine(crank_statics *s, crank_equilibrium *out,
                                     crank_error *err);

/* stability.c: the same at the run's beginning by its linearised motion, which goes before;
 * left as it is (`damped` false) where that is too large or not determined. */
void crank_stability_examine(crank_run *run, crank_equilibrium *out);

#endif
