/* subject.h - a model file with consistent initial values, for tests that integrate it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SUBJECT_H
#define CRANK_TESTS_SUBJECT_H

#include "check.h"
#include "one_state.h"

#include <crank/model.h>

#include <math.h>
#include <stdlib.h>

#define MODEL(directory, file) "models/" directory "/" file ".yaml"

typedef struct subject {
    crank_state *model;
    crank_eom *eom;
    double *x0, *x;
    int n;
    double t0, t_end;
} subject;

static inline subject open_subject(const char *path, crank_accelerations accelerations)
{
    subject s = {0};
    crank_error err = {0};
    crank_model_options options = crank_model_options_default();
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    options.accelerations = accelerations;
    CHECK_OK(one_state_read(path, &options, &s.model, &err), err);
    s.eom = crank_state_eom(s.model);
    s.n = crank_eom_unknowns(s.eom);
    s.t0 = crank_model_simulate(crank_state_model(s.model))->t_start;
    s.t_end = crank_model_simulate(crank_state_model(s.model))->t_end;
    s.x0 = calloc(2 * (size_t)s.n, sizeof *s.x0);
    assert_non_null(s.x0);
    s.x = s.x0 + s.n;
    memcpy(s.x0, crank_state_start(s.model), (size_t)s.n * sizeof *s.x0);
    initial.fixing = crank_model_fixing(crank_state_model(s.model));
    CHECK_OK(crank_eom_initialize(s.eom, s.t0, s.x0, &initial, &report, (crank_log){0}, &err),
             err);
    CHECK_OK(crank_state_begin(s.model, s.t0, s.x0, &err), err);
    return s;
}

static inline void close_subject(subject *s)
{
    one_state_close(s->model);
    free(s->x0);
}

/* largest difference of positions and velocities, relative to 1 + |x| */
static inline double distance(const subject *s, const double *x, const double *y)
{
    double largest = 0.0;
    for (int j = crank_eom_column(s->eom, CRANK_V); j < s->n; j++) {
        largest = fmax(largest, fabs(x[j] - y[j]) / (1.0 + fabs(y[j])));
    }
    return largest;
}

#endif
