/* apply_events.h - events of a model at a state, for the tests of this directory. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_APPLY_EVENTS_H
#define CRANK_TESTS_APPLY_EVENTS_H

#include "read_model.h"

static inline crank_event_outcome apply(crank_state *model, const signed char *happened,
                                        double t, double *x)
{
    crank_event_outcome outcome;
    crank_error err = {0};
    const crank_status status = crank_state_apply_events(model, happened, t, x, &outcome, &err);
    CHECK_OK(status, err);
    return outcome;
}

static inline void fail_to_apply(crank_state *model, const signed char *happened, double *x,
                                 crank_status expected, const char *says)
{
    crank_event_outcome outcome;
    crank_error err = {0};
    const crank_status status =
        crank_state_apply_events(model, happened, 0.0, x, &outcome, &err);
    CHECK_STATUS(status, expected);
    CHECK_CONTAINS(err.text, says);
}

static inline double *start_of(crank_state *model)
{
    const size_t n = (size_t)crank_eom_unknowns(crank_state_eom(model));
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    memcpy(x, crank_state_start(model), n * sizeof *x);
    return x;
}

static inline void check_residuals(crank_state *model, double t, const double *x)
{
    double residual[3];
    crank_error err = {0};
    CHECK_OK(crank_eom_residuals(crank_state_eom(model), t, x, residual, &err), err);
    for (int level = 0; level < 3; level++) {
        CHECK_NEAR(residual[level], 0.0, 1e-12);
    }
}

#endif
