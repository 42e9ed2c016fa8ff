/* controller.c - step sizes from errors.
 *
 *     classical   h_new = h f err^(-1/q)                                      theory (4.15)
 *     predictive  h_new = h s (h/h_before) (err_before / err^2)^(1/q)     theory (4.16) [Gus94]
 *     explicit    h_new = h s err^(-1/q + 0.75 beta) err_before^beta          theory (9.13)
 *                 beta = 0.2/q                                               [HW96, IV.2]
 *     of order k  h_new = h (2 err + least)^(-1/(k + 1)), by steps of 2      theory (4.29)
 *                                                                            [BCP96, 5.2]
 *
 * f: the safety factor s, made smaller by a method where it is known that the step was hard
 * (radau.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/controller.h"

#include <math.h>

/* beta q, and its part in the first exponent, theory (9.13) */
static const double memory = 0.2, memory_part = 0.75;
/* theory (4.29): the factor on the estimate, and the safety for which it is meant */
static const double doubtful = 2.0, usual = 0.9;
/* methods that remember steps double theirs or keep it, or multiply it by something between
 * these */
static const double twice = 2.0, shortest = 0.5, longest = 0.9;
/* after a failed error test: by something from here to `longest` */
static const double rejected = 0.25;

double crank_control_predictive(const crank_options *o, double power, double safety,
                                double size, double before, double ratio)
{
    const double exponent = 1.0 / power;
    const bool radau5 = o->control_rules == CRANK_RULES_RADAU5;
    double shrink = pow(size, exponent) / safety;
    if (o->controller == CRANK_CONTROL_PREDICTIVE && before > 0.0) {
        const double predictive = ratio * pow(size * size / before, exponent) / o->safety;
        shrink = radau5 ? fmax(shrink, predictive) : predictive;
    }
    return fmax(1.0 / o->growth_max, fmin(1.0 / o->growth_min, shrink));
}

double crank_control_explicit(const crank_options *o, double power, double size, double before,
                              bool after_rejection)
{
    const bool predictive = before > 0.0 && o->controller == CRANK_CONTROL_PREDICTIVE;
    const double beta = predictive ? memory / power : 0.0;
    double factor = o->safety * pow(size, memory_part * beta - 1.0 / power);
    if (beta > 0.0) {
        factor *= pow(before, beta);
    }
    factor = fmin(o->growth_max, fmax(o->growth_min, factor));
    return after_rejection ? fmin(factor, 1.0) : factor;
}

double crank_control_ratio(const crank_options *o, int order, double estimate, double least)
{
    return o->safety / usual * pow(doubtful * estimate + least, -1.0 / (order + 1));
}

double crank_control_steady(double ratio)
{
    return ratio >= twice ? twice : ratio > 1.0 ? 1.0 : fmax(shortest, fmin(longest, ratio));
}

double crank_control_rejected(double ratio, int rejections)
{
    return rejections > 1 ? rejected : fmax(rejected, fmin(longest, ratio));
}
