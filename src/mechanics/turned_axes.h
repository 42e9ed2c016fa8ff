/* turned_axes.h - joints whose axes would start the wrong way round. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TURNED_AXES_H
#define CRANK_SRC_TURNED_AXES_H

#include "mechanics/system.h"

/* The name of a joint whose axes are antiparallel at x; NULL: there is none. */
const char *crank_system_turned_axes(const crank_system *s, double t, const double *x);
/* Bodies that such joints have turned round stand at x as at `given` relative to what holds
 * them, the others as they are at x; false: nothing can be turned back. good: a flag for each
 * body, work. */
bool crank_system_turn_back(const crank_system *s, double t, const double *given,
                            const crank_fixing *fixing, double *x, bool *good);

#endif
