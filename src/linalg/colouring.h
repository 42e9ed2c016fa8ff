/* colouring.h - groups of columns that share no row, so that one difference serves a whole
 * group. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LINALG_COLOURING_H
#define CRANK_SRC_LINALG_COLOURING_H

#include <crank/base.h>

/* colour[j] (one per column, 0 .. *count-1) such that two columns of one colour have no row
 * in common. Allocates and frees workspace. */
crank_status crank_colouring(const crank_pattern *pattern, int *colour, int *count,
                             crank_error *err);

#endif
