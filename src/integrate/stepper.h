/* stepper.h - one accepted step, for every method: what stepper.c does and what it asks of a
 * method.
 *
 * A method attempts a step of size it->h and says its error; whether that is accepted, how
 * long the next attempt is, what counts as a failure and when to give up is decided here.
 * The hooks of a method, in the order of their calls (`crank_method` in integrator.h, where
 * those that may be NULL are named):
 *
 *     start    state of the method at it->t, it->x, then the first step size
 *     begin    before each attempt, with the step clipped to h_max and t_stop
 *     look     prepare the problem at the present: its monitor of singular positions asks
 *     ready    with the step as long as singular positions allow; may make the step itself,
 *              across such a position
 *     attempt  the step: its end in the method's own memory, its error over the tolerance
 *     end      x at the end of the attempt
 *     undo     the attempt counts for nothing: it was not possible (it->failures > 0), or its
 *              error was too large
 *     shorter  the step size after an error that was too large
 *     accept   it->x becomes the end of the step; what must be kept of it; it->h
 *     settle   it->t is there, too: correction, the problem is told, rates or right-hand
 *              sides, if not yet known the next step size it->h */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STEPPER_H
#define CRANK_SRC_STEPPER_H

#include "integrate/integrator.h"

/* The method at the present state, with nothing learnt before but what the problem knows. */
crank_status crank_stepper_start(crank_integrator *it, crank_error *err);
/* One accepted step. A failure behind it is kept for the next call (it->stopped). */
crank_status crank_stepper_step(crank_integrator *it, crank_error *err);
/* it->x is the end of an accepted step at time `end`, with an error of that size over the
 * tolerance (NAN: not known). */
void crank_stepper_advance(crank_integrator *it, double end, double size);

/* For hooks: tells the problem that a step ended here; *changed: its matrix is due. */
crank_status crank_stepper_tell(crank_integrator *it, bool last, bool *changed,
                                crank_error *err);

#endif
