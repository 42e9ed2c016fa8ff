/* turned_axes.h - joints whose axes would start the wrong way round. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TURNED_AXES_H
#define CRANK_SRC_TURNED_AXES_H

#include "mechanics/system.h"

/* How many joints have axes that are antiparallel at x, or bodies half a turn off though they let
 * nothing turn; *name: of the first, if there is one. */
int crank_system_turned_axes(const crank_system *s, double t, const double *x,
                             const char **name);
/* Bodies that such joints have turned round stand at x as at `given` relative to what holds
 * them, the others as they are at x; false: nothing can be turned back. good: a flag for each
 * body, work. */
bool crank_system_turn_back(const crank_system *s, double t, const double *given,
                            const crank_fixing *fixing, double *x, bool *good);
/* The axes of such joints agree at x: of what is given nothing has moved; what hangs together
 * with one body of a hinge is turned about one, or the second, of two axes across it. false:
 * nothing can be turned. Work, for each body and the ground: group, held. */
bool crank_system_turn_groups(const crank_system *s, double t, const crank_fixing *fixing,
                              bool second, double *x, int *group, bool *held);

#endif
