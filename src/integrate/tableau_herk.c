/* tableau_herk.c - a half-explicit Runge-Kutta method of order 5: the stages of [DP80] with the
 * constraints on velocity level at points ahead of them, theory (9.11).
 *
 * The first stage has the multipliers of the acceleration level. The others let points
 *     x + h sum_{j<=i} ahead_ij K_j
 * hold, the last of which is the end of the step. This class of methods is [Mur97]'s; these
 * coefficients follow from the order conditions for mechanisms of the step (up to order 5), of
 * its error estimate and of its continuous extension (up to order 4) with the points ahead at
 * 5/8, 1/2, 4/5, 1/25 and 1 of the step; tests/unit/integrate/test_tableau_herk.c checks all of
 * them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/tableau_dopri.h"

// clang-format off
const double crank_herk5_ahead[6][6] = {
    {0.0},
    {-45.0 / 128.0, 125.0 / 128.0},
    {1.0 / 42.0, 5.0 / 28.0, 25.0 / 84.0},
    {-586.0 / 1695.0, 512.0 / 565.0, 896.0 / 8475.0, 378.0 / 2825.0},
    {10579017.0 / 30500000.0, -31496.0 / 38125.0, 27060072.0 / 50515625.0,
     -3414879.0 / 15250000.0, 335457369.0 / 1616500000.0},
    {0.091145833333333333333, 0.0, 0.44923629829290206649, 0.65104166666666666667,
     -0.32237617924528301887, 0.13095238095238095238},};
// clang-format on
