/* tableau_radau.h - coefficients of the 3-stage Radau IIA method of order 5 and of the
 * transformation T^-1 A^-1 T = diag(gamma, [alpha -beta; beta alpha]) [HW96, IV.8]. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TABLEAU_RADAU_H
#define CRANK_SRC_TABLEAU_RADAU_H

extern const double crank_radau_c[3];
extern const double crank_radau_A[3][3];
extern const double crank_radau_inverse[3][3]; /* A^-1 */
extern const double crank_radau_T[3][3];
extern const double crank_radau_TI[3][3]; /* T^-1 */
extern const double crank_radau_gamma, crank_radau_alpha, crank_radau_beta;
/* error estimate: weights of the stages, gamma times e of theory (4.13) */
extern const double crank_radau_estimate[3];

#endif
