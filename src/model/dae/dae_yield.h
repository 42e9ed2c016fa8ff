/* dae_yield.h - unknowns that follow states of reinit. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_YIELD_H
#define CRANK_SRC_DAE_YIELD_H

#include "eom/eom.h"

/* fixing: unknowns that are CRANK_FREE follow anyway; held: those that reinit has set, and
 * discrete ones. yielding: fixing, with as many more of them free as the constraints on what is
 * held determine. */
crank_status crank_dae_find_yielding(crank_eom *eom, double t, const double *x,
                                     const crank_fixing *fixing, const bool *held,
                                     crank_fixing *yielding, crank_error *err);

#endif
