/* pattern.h - "crank run --pattern": the pattern of Newton's matrix as a table that
 * "crank plot --pattern" draws: row, column and group (from 1) of each entry; group 0: the
 * column is not differenced. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_PATTERN_H
#define CRANK_TOOLS_PATTERN_H

#include "simulation.h"

/* As it is at the end of the run; without the argument nothing. -1, or the exit code after
 * telling what is wrong. */
int pattern_write(simulation *r);

#endif
