/* features.h - steps that do not pass narrow parts of the equations unseen: theory 8.8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INTEGRATE_FEATURES_H
#define CRANK_SRC_INTEGRATE_FEATURES_H

#include "integrate/integrator.h"

/* The method starts (again): nothing is known of the way here. */
void crank_features_start(crank_integrator *it);
/* Has the attempt, which is about to be accepted, passed one? Then it->h is where it has to
 * end, as far as is known. Otherwise its end is where the next step begins. */
bool crank_features_passed(crank_integrator *it);
/* An attempt of length h was rejected: knots of tables in time count, if it contained one. The
 * next one's length, which was to be `shorter`. */
double crank_features_reject(crank_integrator *it, double h, double shorter);
/* How far the proposed step may go for the next knot; INFINITY: none bounds it. */
double crank_features_left(crank_integrator *it);
void crank_features_archive(crank_integrator *it, crank_archive *a);
void crank_features_destroy(crank_feature_state *s);

#endif
