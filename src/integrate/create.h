/* create.h - an integrator on a problem, for those who have one: run/, tests, benchmarks. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INTEGRATE_CREATE_H
#define CRANK_SRC_INTEGRATE_CREATE_H

#include <crank/integrate.h>

#include "base/features.h"
#include "base/switches.h"
#include "problem/problem.h"

/* Copies options, keeps a pointer to problem (which must outlive it). */
crank_status crank_integrator_create(const char *integrator, crank_problem *problem,
                                     const crank_options *options, crank_integrator **out,
                                     crank_error *err);
void crank_integrator_destroy(crank_integrator *integrator);
/* Steps end where these change; before start. */
crank_status crank_integrator_set_switches(crank_integrator *integrator,
                                           const crank_switches *switches, crank_error *err);
/* Steps do not pass these unseen; before start. */
crank_status crank_integrator_set_features(crank_integrator *integrator,
                                           const crank_features *features, crank_error *err);
/* The equations, or the velocities, have changed at the present time, and a restart follows:
 * the algebraic unknowns of x (those of the eom) from the others, by the formulation.
 * CRANK_RETRY: it cannot tell, x is unchanged. */
crank_status crank_integrator_follow(crank_integrator *integrator, double *x, crank_error *err);
/* Did the last step end where conditions in time alone change, so that the state is the one
 * before? Then pass goes behind, as the next step would: the state is the one after, and no
 * earlier time can be interpolated. */
bool crank_integrator_at_switch(const crank_integrator *integrator);
crank_status crank_integrator_pass_switch(crank_integrator *integrator, crank_error *err);
/* What happened at the end of the last step is dealt with: crank_integrator_events has none. */
void crank_integrator_leave_events(crank_integrator *integrator);

#endif
