/* switches.h - steps that end where the equations jump with time alone: theory 8.7. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INTEGRATE_SWITCHES_H
#define CRANK_SRC_INTEGRATE_SWITCHES_H

#include "integrate/integrator.h"

/* Values of the conditions at the start, where a switch at the very start has passed. */
void crank_switches_start(crank_integrator *it);
/* At a switch (else as start): the equations of behind it, and x (of the eom) as they ask for;
 * multipliers are left as they are. */
crank_status crank_switches_cross(crank_integrator *it, double *x, crank_error *err);
/* Before a step: what is due since the last one ended at a switch, and how far it may go. */
crank_status crank_switches_begin_step(crank_integrator *it, crank_error *err);
/* An attempt of length h from the present time was rejected, and it->h is the next one's. */
void crank_switches_reject(crank_integrator *it, double h);
/* After it. */
void crank_switches_end_step(crank_integrator *it);
void crank_switches_archive(crank_integrator *it, crank_archive *a);
void crank_switches_destroy(crank_switch_state *s);

#endif
