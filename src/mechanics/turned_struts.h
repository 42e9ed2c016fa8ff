/* turned_struts.h - cylinders that would start inside out. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TURNED_STRUTS_H
#define CRANK_SRC_TURNED_STRUTS_H

#include "mechanics/system.h"

/* How many cylinders have a negative length at x. */
int crank_system_inside_out(const crank_system *s, double t, const double *x);
/* Turns both bodies of cylinder i by half a turn about the pivots at which they hang; false: it
 * is not inside out at x, or a body may not turn. given: angles end in the turn nearest to it. */
bool crank_system_turn_out(const crank_system *s, int i, double t, const double *given,
                           const crank_fixing *fixing, double *x);
void crank_system_warn_inside_out(const crank_system *s, double t, const double *x,
                                  crank_log log);

#endif
