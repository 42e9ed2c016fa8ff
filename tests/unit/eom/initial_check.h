/* initial_check.h - what the tests of initial values share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_INITIAL_CHECK_H
#define CRANK_TESTS_INITIAL_CHECK_H

#include "check.h"
#include "eoms.h"

static const crank_log no_log = {0};

static inline crank_status initialize(crank_eom *eom, double t, double *x,
                                      const crank_fixing *fixing, crank_initial_report *report,
                                      crank_error *err)
{
    crank_initial_options o = crank_initial_options_default();
    o.fixing = fixing;
    return crank_eom_initialize(eom, t, x, &o, report, no_log, err);
}

static inline void check_all_levels(crank_eom *eom, double t, const double *x, double tolerance)
{
    double residual[3];
    crank_error err;
    CHECK_OK(crank_eom_residuals(eom, t, x, residual, &err), err);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(residual[i], 0.0, tolerance);
    }
}

#endif
