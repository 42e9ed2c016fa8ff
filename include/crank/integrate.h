/* integrate.h - what a run integrates with, in detail: crank_run_integrator has it once
 * crank_run_formulate has made it.
 *
 *     crank_integrator_start(it, t0, x0, t_end, &err);
 *     crank_integrator_solve_to(it, 10.0, &err);
 *     x = crank_integrator_state(it);
 *
 * Nothing allocates after start (the sparse linear algebra does where it changes its pivots:
 * counted in the statistics as analyses and pivot_searches). One integrator is used by one
 * thread at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_INTEGRATE_H
#define CRANK_INTEGRATE_H

#include <crank/events.h>
#include <crank/options.h>
#include <crank/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_integrator crank_integrator;

/* Tolerances per unknown instead of those of the options (copied); before start. */
CRANK_API crank_status crank_integrator_set_tolerances(crank_integrator *integrator,
                                                       const double *rtol, const double *atol,
                                                       crank_error *err);
/* (Re)starts at a consistent point. t_end bounds the steps: no step passes it. */
CRANK_API crank_status crank_integrator_start(crank_integrator *integrator, double t0,
                                              const double *x0, double t_end, crank_error *err);
/* One accepted step, ending at t_end at the latest. What went wrong at its end is reported by
 * the next call. */
CRANK_API crank_status crank_integrator_step(crank_integrator *integrator, crank_error *err);
/* Steps until t is reached or passed, or an event is met; then interpolate. */
CRANK_API crank_status crank_integrator_solve_to(crank_integrator *integrator, double t,
                                                 crank_error *err);
/* Called at the start and after every accepted step; may interpolate. Anything but CRANK_OK
 * ends the run. */
typedef crank_status crank_output_fn(crank_integrator *integrator, void *user);
/* Steps to the end with output after each step. ESTOP_OUTPUT: output ended the run, which may
 * be continued. */
CRANK_API crank_status crank_integrator_run(crank_integrator *integrator,
                                            crank_output_fn *output, void *user,
                                            crank_error *err);
CRANK_API bool crank_integrator_finished(
    const crank_integrator *integrator); /* t_end reached, and all is well there */
CRANK_API double crank_integrator_time(const crank_integrator *integrator);
CRANK_API double crank_integrator_last_step(const crank_integrator *integrator); /* size, s */
/* The unknowns of the eom. */
CRANK_API const double *crank_integrator_state(const crank_integrator *integrator);
/* x at t in the last step or at its end, as results have it: as accurate as steps are, and
 * corrected onto the constraints; by formulations that do not correct, multipliers and
 * accelerations belong to the motion. With final_correction off, what the method's polynomial
 * says. */
CRANK_API crank_status crank_integrator_interpolate(crank_integrator *integrator, double t,
                                                    double *x, crank_error *err);
CRANK_API crank_statistics crank_integrator_statistics(const crank_integrator *integrator);
/* The matrix of Newton's iteration as it is now, until the next step; false: the formulation
 * does not tell. */
CRANK_API bool crank_integrator_pattern(const crank_integrator *integrator,
                                        crank_newton_pattern *out);
/* Size of the error estimate of the last accepted step in units of the tolerance; NaN: no step
 * yet, or it led across a singular position. */
CRANK_API double crank_integrator_last_error(const crank_integrator *integrator);

/* ---- events: zeros of functions of (t, x) along the motion ---- */

/* Before start. A step that meets a zero is made again so that it ends there, theory
 * (8.1)-(8.3), (8.5), (8.6). EEVENTS from a step:
 * events accumulate, or a barrier (events.h) is not left. */
CRANK_API crank_status crank_integrator_set_events(crank_integrator *integrator,
                                                   const crank_events *events,
                                                   crank_error *err);
/* The events at the end of the last step: per function 1 (it rises through zero), -1 (it falls)
 * or 0; NULL: none. The run may simply go on, or from another state:
 * crank_integrator_restart. */
CRANK_API const signed char *crank_integrator_events(const crank_integrator *integrator);
/* Goes on from the present time at another consistent state x (after an event: velocities and
 * parameters may have jumped). Counters go on; functions that are zero here count again once
 * they have left zero, to whichever side. Also without events. */
CRANK_API crank_status crank_integrator_restart(crank_integrator *integrator, const double *x,
                                                crank_error *err);

/* ---- checkpoints: everything that decides how the integration goes on, of integrator, problem
 * and eom ---- */

/* *data (size bytes) is the caller's to free(). Between steps only. Changes nothing: a run that
 * is saved on its way goes on as one that is not. The bytes are meant for the same build of
 * crank on the same kind of machine. */
CRANK_API crank_status crank_integrator_save(crank_integrator *integrator, void **data,
                                             size_t *size, crank_error *err);
/* Into an integrator that was made as the saved one was (same model, options and initial
 * values) and started. It then continues bit for bit as the saved one would. EFILE: the data
 * are damaged or of another build or model; the integrator must then be destroyed. */
CRANK_API crank_status crank_integrator_load(crank_integrator *integrator, const void *data,
                                             size_t size, crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
