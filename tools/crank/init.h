/* init.h - what "crank init" and "crank equilibrium" share: start values and how they moved. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_INIT_H
#define CRANK_TOOLS_INIT_H

#include "session.h"

/* A table of the start values as given and as found; word: what they are now, "consistent". */
crank_status print_start(session *s, const char *word, bool all, crank_error *err);
/* Start values are of bodies, whatever the coordinates of a run. NULL: out of memory; else to
 * be freed after the run. */
crank_setting *in_absolute_coordinates(crank_run_options *options);

#endif
