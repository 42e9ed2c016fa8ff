/* energy_drift.h - how far the energy of a swinging pendulum leaves its first value, with it as
 * an invariant that is enforced or only reported. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_ENERGY_DRIFT_H
#define CRANK_TESTS_ENERGY_DRIFT_H

#include "eoms.h"
#include "order/run.h"

#include <math.h>

static inline double energy_drift(const char *method, bool enforced)
{
    test_pendulum data = test_pendulum_default();
    double x[5], largest = 0.0;
    test_pendulum_start(&data, 0.4, 2.0, x);
    data.invariant = true;
    data.energy = 0.5 * data.m * (x[1] * x[1] + x[2] * x[2]) + data.m * data.g * x[4];
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-5);
    options.invariants = enforced;
    run r;
    run_begin(&r, method, eom, &options, 0.0, x, 50.0);
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        const double *y = crank_integrator_state(r.it);
        const double energy =
            0.5 * data.m * (y[1] * y[1] + y[2] * y[2]) + data.m * data.g * y[4];
        largest = fmax(largest, fabs(energy - data.energy));
    }
    run_end(&r);
    crank_eom_destroy(eom);
    return largest;
}

#endif
