/* array.h - the derivative array: F = E x' - k and its time derivatives, theory (10.7). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_ARRAY_H
#define CRANK_SRC_DAE_ARRAY_H

#include "dae/procedure.h"

/* Fills strangeness; the search begins with nu = 0 and ends at nu = last. p: after a complete
 * run on all equations. */
crank_status crank_dae_hypothesis(const crank_dae_procedure *p, int last,
                                  crank_dae_strangeness *strangeness, crank_error *err);

#endif
