/* switches.h - conditions of a model that depend on time alone, between the model and the
 * integrator: theory 8.7. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SWITCHES_H
#define CRANK_SRC_SWITCHES_H

#include <crank/base.h>

#include <float.h>
#include <math.h>

typedef struct crank_switches {
    int count;
    bool once; /* each changes at most once, whatever the interval */
    /* The last ones of count change where the second derivative of a table in t jumps. */
    int bends;
    /* values (count): constant between switches; behind them (bends) those derivatives */
    void (*evaluate)(void *user, double t, double *values);
    /* From now on the equations see times between low and high only: those outside as the
     * nearer of them. */
    void (*window)(void *user, double low, double high);
    /* At a switch, with the window before it (after false) and then the one behind: moves the
     * velocities of x as constraints that have changed ask for; positions cannot jump. */
    crank_status (*cross)(void *user, double t, double *x, bool after, crank_error *err);
    void *user;
} crank_switches;

/* Where a run that starts at t looks whether something switches there: one so close has passed. */
static inline double crank_switches_behind(double t, double t_end)
{
    static const double at_start = 1e-13; /* of the time left */
    return t + fmax(8.0 * DBL_EPSILON * fabs(t), at_start * (t_end - t));
}

#endif
