/* partition_runs.h - models opened and run by methods on independent coordinates, for tests. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_PARTITION_RUNS_H
#define CRANK_TESTS_PARTITION_RUNS_H

#include "check.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

static inline crank_state *open_model(const char *text, bool is_path,
                                      crank_accelerations accelerations)
{
    crank_state *model = NULL;
    crank_error err = {0};
    crank_model_options options = crank_model_options_default();
    options.accelerations = accelerations;
    CHECK_OK(is_path ? one_state_read(text, &options, &model, &err)
                     : one_state_read_text("m", text, strlen(text), &options, &model, &err),
             err);
    return model;
}

static inline void start(crank_state *model, double *x)
{
    crank_eom *eom = crank_state_eom(model);
    crank_initial_options initial = crank_initial_options_default();
    crank_error err = {0};
    assert_true(crank_eom_unknowns(eom) <= RUN_MAX);
    memcpy(x, crank_state_start(model), (size_t)crank_eom_unknowns(eom) * sizeof *x);
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, &initial, NULL, (crank_log){0}, &err), err);
}

static inline bool is_path(const char *text)
{
    return strncmp(text, "crank:", 6) != 0;
}

static inline crank_statistics run_model(const char *text, const char *method,
                                         const crank_options *options, double t_end, double *x)
{
    crank_state *model = open_model(text, is_path(text), CRANK_ACCELERATIONS_CARRY);
    start(model, x);
    const crank_statistics s = run_whole(method, crank_state_eom(model), options, t_end, x);
    one_state_close(model);
    return s;
}

static inline double distance(const crank_eom *eom, const double *a, const double *b)
{
    double largest = 0.0;
    for (int j = eom->column[CRANK_R]; j < eom->n; j++) {
        largest = fmax(largest, fabs(a[j] - b[j]));
    }
    return largest;
}

#endif
