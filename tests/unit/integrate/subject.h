/* subject.h - a model file with consistent initial values, for tests that integrate it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SUBJECT_H
#define CRANK_TESTS_SUBJECT_H

#include "check.h"

#include <crank/run.h>

#include <math.h>
#include <stdlib.h>

#define MODEL(directory, file) "models/" directory "/" file ".yaml"

typedef struct subject {
    crank_run *run;
    crank_state *model;
    crank_eom *eom;
    double *x0, *x;
    int n;
    double t0, t_end;
} subject;

static inline subject open_subject(const char *path, crank_accelerations accelerations)
{
    static const char *const words[] = {"auto", "eliminate", "carry"};
    const crank_setting option = {"accelerations", words[accelerations]};
    crank_run_options options = crank_run_options_default();
    subject s = {0};
    crank_error err = {0};
    options.options = &option;
    options.option_count = 1;
    CHECK_OK(crank_run_open(path, &options, &s.run, &err), err);
    CHECK_OK(crank_run_initialize(s.run, &err), err);
    const crank_run_beginning start = crank_run_get_beginning(s.run);
    s.model = crank_run_model_state(s.run);
    s.eom = crank_run_eom(s.run);
    s.n = crank_eom_unknowns(s.eom);
    s.t0 = start.t;
    s.t_end = crank_run_end(s.run);
    s.x0 = calloc(2 * (size_t)s.n, sizeof *s.x0);
    assert_non_null(s.x0);
    s.x = s.x0 + s.n;
    memcpy(s.x0, start.x, (size_t)s.n * sizeof *s.x0);
    CHECK_OK(crank_state_begin(s.model, s.t0, s.x0, &err), err);
    return s;
}

static inline void close_subject(subject *s)
{
    crank_run_close(s->run);
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
