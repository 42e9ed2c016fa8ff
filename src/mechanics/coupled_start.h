/* coupled_start.h - what hangs behind a torsion spring starts untwisted. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_COUPLED_START_H
#define CRANK_SRC_COUPLED_START_H

#include "mechanics/system.h"

/* Takes the torsion springs of the builder, after it has placed bodies. */
crank_status crank_system_take_couplings(crank_system *s, crank_builder *b, crank_error *err);
/* x: consistent start values, found from `given` with these options. Where a torsion spring is
 * twisted, what hangs behind it and of which nothing is given is turned, if it can be. turned: only
 * positions are consistent; has any been turned? NULL: all is consistent. */
crank_status crank_system_untwist(crank_system *s, double t, const double *given, double *x,
                                  const crank_initial_options *options, bool *turned,
                                  crank_log log, crank_error *err);

#endif
