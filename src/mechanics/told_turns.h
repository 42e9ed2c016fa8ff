/* told_turns.h - in which turns dependent angles in space start. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANICS_TOLD_TURNS_H
#define CRANK_SRC_MECHANICS_TOLD_TURNS_H

#include "mechanics/system.h"

typedef struct crank_told_turns crank_told_turns;

/* Finds what constraints and conditions tell of continued angles, for s->told_turns; NULL:
 * nothing. */
crank_status crank_told_turns_create(crank_system *s, crank_builder *b, crank_error *err);
void crank_told_turns_destroy(crank_told_turns *turns); /* accepts NULL */
/* At the point whose states are at hand: by how many turns angles are to go on, false: none is.
 * g: work, angle_count; turns: angle_count, those that nothing tells stay as they are. */
bool crank_told_turns_find(crank_system *s, double t, const double *x, double *g,
                           double *turns);

#endif
