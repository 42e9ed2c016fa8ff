/* inverse.h - parts of "crank inverse" (inverse.c) that stand alone: inverse_share.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_INVERSE_H
#define CRANK_TOOLS_INVERSE_H

#include "command.h"

#include <stddef.h>

/* tau of the least norm with T^T tau = lambda; T: motors x drives, entries of all apart by
 * stride, as those of lambda and tau. Returns what is left over, relative to lambda: 0, unless
 * T has not the rank of the drives. */
double inverse_least_norm(int motors, int drives, const double *T, const double *lambda,
                          double *tau, size_t stride);
/* Degrees of freedom that the drives leave, which is said. */
int inverse_find_freedom(messages *m, crank_run *run);

#endif
