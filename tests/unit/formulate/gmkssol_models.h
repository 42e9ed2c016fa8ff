/* gmkssol_models.h - small models for the tests of gmkssol that are not in eoms.h: systems
 * without degrees of freedom, without constraints, and with constraints of changing rank.
 * Create functions fail the running test if the eom cannot be made. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_GMKSSOL_MODELS_H
#define CRANK_TESTS_GMKSSOL_MODELS_H

#include <crank/eom.h>

/* Mass 2 led along a circle: g = (x - sin t, y - cos t); r' = x.
 * x = [l1 l2 | r | vx vy | x y] */
crank_eom *gmkssol_led_create(void);
void gmkssol_led_exact(double t, double *x);

/* Four-bar linkage with bars 1, 3, 2.5 and ground 3, crank angle driven by 2 t, M = I.
 * x = [l1 l2 l3 | va vb vc | a b c] */
crank_eom *gmkssol_four_bar_create(void);
void gmkssol_four_bar_exact(double t, double *p); /* positions on the upper branch */

/* Mass 1 with g = (x, c(t) y): c is zero, round-off, or rises from zero after t = 1.
 * x = [l1 l2 | vx vy | x y]; kind must outlive the eom */
typedef enum gmkssol_fading { GMKSSOL_ZERO, GMKSSOL_ROUND_OFF, GMKSSOL_RISING } gmkssol_fading;
crank_eom *gmkssol_fading_create(gmkssol_fading *kind);

/* No constraints, M = I, x = [v | p]. */
crank_eom *gmkssol_plain_create(crank_eom_evaluate_fn *evaluate, int positions, void *user);
/* y1'' = -y1, y2'' = -1e6 (y2 - y1) - 2e3 y2' */
crank_eom_evaluate_fn gmkssol_oscillators_rows;
/* p' = factor v, v' = -p; user: factor */
crank_eom_evaluate_fn gmkssol_scaled_rows;

#endif
