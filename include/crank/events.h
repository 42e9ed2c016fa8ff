/* events.h - what models and integrators say to each other about events: zeros of functions of
 * (t, x). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_EVENTS_H
#define CRANK_EVENTS_H

#include <crank/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_events {
    int count;
    /* values (count) at (t, x), smooth between events. x: the unknowns of the eom. May not
     * allocate. CRANK_RETRY, or a value that is not finite: not here; steps then end before. */
    crank_status (*evaluate)(void *user, double t, const double *x, double *values,
                             crank_error *err);
    const char *const *name;      /* count, for messages; outlives the integrator */
    const signed char *direction; /* count: 1 only where it rises, -1 only where it falls, 0
                                     both; NULL: all 0; copied */
    /* count: after a restart the motion must go back to the side it came from (impact); if it
     * does not, or bounces too weakly to be seen, the run ends with CRANK_EEVENTS instead of
     * going on through the obstacle; also where it starts at zero and leaves in its direction.
     * NULL: none; copied */
    const bool *barrier;
    void *user;
    /* count: functions of t alone that may pass zero more than once, which steps do not follow;
     * NULL: none is known; copied */
    const bool *of_time;
    /* count: functions of t, states and what does not move between events, which an integrator
     * knows within its steps; NULL: none is known; copied */
    const bool *of_states;
    /* Unknowns of a group have nothing in common (variables of a DAE with units of their own), and
     * functions that are zero are away from it by more than rounding: what is near zero is known
     * as well as it was large in the last step. */
    bool apart;
} crank_events;

#ifdef __cplusplus
}
#endif

#endif
