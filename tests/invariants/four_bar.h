/* four_bar.h - rockers on the ground, coupled by bars: the N-four-bar mechanism and the
 * parallelogram with a third link, as equations files. All links are uniform, 1 kg, rockers 1 m
 * long. They start upright, with their tops moving at 1 m/s.
 *
 * While the rockers stay parallel the angle a of each obeys a'' = k sin a. At a = pi/2 + i pi
 * all links are in line, and the rank of the constraints drops. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_INVARIANTS_FOUR_BAR_H
#define CRANK_TESTS_INVARIANTS_FOUR_BAR_H

#include <crank/model.h>

typedef enum four_bar_kind {
    FOUR_BAR_CHAIN,  /* count bars of 1 m between count + 1 rockers */
    FOUR_BAR_COUPLER /* one bar of 1 m on count + 1 rockers: redundant from count = 2 on */
} four_bar_kind;

/* Reads and initialises; the caller destroys the model. x: n start values, to be freed. */
crank_state *four_bar_create(four_bar_kind kind, int count, crank_accelerations accelerations,
                             double **x);
/* k above */
double four_bar_gravity(four_bar_kind kind, int count);
/* Angle and its rate at t, by a fine integration of the pendulum. */
void four_bar_exact(double k, double t, double *a, double *rate);
/* Columns of the angle and its rate of a rocker among the unknowns. */
int four_bar_angle(const crank_eom *eom, int rocker);
int four_bar_rate(const crank_eom *eom, int rocker);

#endif
