/* whole_turns.h - in which turns planar bodies start where loops leave that open. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_WHOLE_TURNS_H
#define CRANK_SRC_WHOLE_TURNS_H

#include "mechanics/system.h"

#include <crank/eom.h>

/* From a start x that was found: angles of planar bodies, of which the file does not say how they
 * stand, turn by whole turns where torsion springs would begin wound otherwise. */
crank_status crank_system_turn_whole(crank_system *s, double t, double *x,
                                     const crank_initial_options *options, crank_error *err);

#endif
