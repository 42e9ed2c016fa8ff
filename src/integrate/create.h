/* create.h - an integrator on a problem, for those who have one: run/, tests.
 *
 *     crank_integrator_create("radau", problem, &options, &it, &err);
 *     crank_integrator_start(it, t0, x0, t_end, &err);
 *     crank_integrator_solve_to(it, 10.0, &err);
 *     x = crank_integrator_state(it); */
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
/* (Re)starts at a consistent point. t_end bounds the steps: no step passes it. */
crank_status crank_integrator_start(crank_integrator *integrator, double t0, const double *x0,
                                    double t_end, crank_error *err);
/* One accepted step, ending at t_end at the latest. What went wrong at its end is reported by
 * the next call. */
crank_status crank_integrator_step(crank_integrator *integrator, crank_error *err);
/* Steps until t is reached or passed, or an event is met; then interpolate. */
crank_status crank_integrator_solve_to(crank_integrator *integrator, double t,
                                       crank_error *err);
/* Before start. A step that meets a zero is made again so that it ends there, theory
 * (8.1), (8.3), (8.4), (8.6), (8.7). EEVENTS from a step: events accumulate, or a
 * barrier (events.h) is not left. */
crank_status crank_integrator_set_events(crank_integrator *integrator,
                                         const crank_events *events, crank_error *err);
/* Steps end where these change; before start. */
crank_status crank_integrator_set_switches(crank_integrator *integrator,
                                           const crank_switches *switches, crank_error *err);
/* Steps do not pass these unseen; before start. */
crank_status crank_integrator_set_features(crank_integrator *integrator,
                                           const crank_features *features, crank_error *err);
/* Goes on from the present time at another consistent state x (after an event: velocities and
 * parameters may have jumped). Counters go on; functions that are zero here count again once
 * they have left zero, to whichever side. Also without events. */
crank_status crank_integrator_restart(crank_integrator *integrator, const double *x,
                                      crank_error *err);
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
/* Into an integrator that was made as the saved one was (same model, options and initial
 * values) and started. It then continues bit for bit as the saved one would. EFILE: the data
 * are damaged or of another build or model; the integrator must then be destroyed. */
crank_status crank_integrator_load(crank_integrator *integrator, const void *data, size_t size,
                                   crank_error *err);

#endif
