/* integrate.h - what a run integrates with, to be looked at: crank_run_integrator has it once
 * crank_run_formulate has made it. The run leads it.
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
/* Those of them that tell of single steps, which may be asked for before and after each. */
typedef struct crank_step_counts {
    int64_t rejected; /* attempts */
    int64_t newton_iterations, jacobians, jacobian_updates;
} crank_step_counts;
CRANK_API crank_step_counts crank_integrator_counts(const crank_integrator *integrator);
/* The matrix of Newton's iteration as it is now, until the next step; false: the formulation
 * does not tell. */
CRANK_API bool crank_integrator_pattern(const crank_integrator *integrator,
                                        crank_newton_pattern *out);
/* Size of the error estimate of the last accepted step in units of the tolerance; NaN: no step
 * yet, or it led across a singular position. */
CRANK_API double crank_integrator_last_error(const crank_integrator *integrator);

/* The events at the end of the last step: per function 1 (it rises through zero), -1 (it falls)
 * or 0; NULL: none. crank_run_happen does what the model says to them. */
CRANK_API const signed char *crank_integrator_events(const crank_integrator *integrator);

/* ---- checkpoints: everything that decides how the integration goes on, of integrator, problem
 * and eom ---- */

/* For crank_run_load; *data (size bytes) is the caller's to free(). Between steps only. Changes
 * nothing: a run that is saved on its way goes on as one that is not. The bytes are meant for
 * the same build of crank on the same kind of machine. */
CRANK_API crank_status crank_integrator_save(crank_integrator *integrator, void **data,
                                             size_t *size, crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
