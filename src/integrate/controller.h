/* controller.h - step sizes from errors, for all methods. Errors are over the tolerance. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CONTROLLER_H
#define CRANK_SRC_CONTROLLER_H

#include "integrate/integrator.h"

/* After an error that falls with this power of the step size: this step over the next one.
 * safety: the safety factor. before: error of the last accepted step, ratio: its length over
 * this one's; before 0: not to be used. */
double crank_control_predictive(const crank_options *o, double power, double safety,
                                double size, double before, double ratio);
/* The same for explicit methods; before: as above. after_rejection: the step does not grow. */
double crank_control_explicit(const crank_options *o, double power, double size, double before,
                              bool after_rejection);

/* Formulas of variable order. Factor of the next step that an error estimate asks for, of a
 * formula of that order; least: added to it. */
double crank_control_ratio(const crank_options *o, int order, double estimate, double least);
/* The factor that is taken after an accepted step: steps are doubled, kept or shortened. */
double crank_control_steady(double ratio);
/* The same after the first rejection in a step, and after the others. */
double crank_control_rejected(double ratio, int rejections);

#endif
