/* tolerance.h - when a pivot or a singular value is zero, once for all. Rows and columns of the
 * matrix are of size one (eom/scale.h). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TOLERANCE_H
#define CRANK_SRC_TOLERANCE_H

/* Decisions: rows are dependent if what is left of one is below this part of the largest.
 * Rounding leaves 1e-16 times the condition of the rows before it, regular mechanisms have
 * pivots above 1e-6. The default of the option rank_tolerance. */
#define CRANK_RANK_TOLERANCE 1e-8
/* Steps towards a solution: directions below are left out. Weaker than the former, since a step
 * along a weak direction is tried and judged by the residual, while one that is left out may be
 * what the solution needs. The same where a small mass still is a mass. */
#define CRANK_STEP_TOLERANCE 1e-10

#endif
