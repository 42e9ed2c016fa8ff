/* rolling_start.h - wheels on tyres that start rolling. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROLLING_START_H
#define CRANK_SRC_ROLLING_START_H

#include "mechanics/system.h"

/* Takes the wheels of the builder. */
crank_status crank_system_take_wheels(crank_system *s, crank_builder *b, crank_error *err);
/* x: consistent start values, found with these options. Wheels of whose angular velocity
 * nothing is given roll, where they can. */
crank_status crank_system_roll(crank_system *s, double t, double *x,
                               const crank_initial_options *options, crank_error *err);
/* x: consistent at other positions than own, consistent start values. Wheels that roll at own
 * and of whose angular velocity fixing gives nothing roll at x. */
crank_status crank_system_roll_again(crank_system *s, double t, const double *own, double *x,
                                     const crank_fixing *fixing, crank_error *err);

#endif
