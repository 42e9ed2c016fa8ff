/* run.h - an eom, its problem and an integrator in one, for tests that integrate. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_RUN_H
#define CRANK_TESTS_RUN_H

#include "check.h"

#include "integrate/create.h"

#include <stdio.h>

enum { RUN_MAX = 400 };

typedef struct run {
    crank_problem *problem;
    crank_integrator *it;
    crank_error err;
    crank_status status; /* of the last call */
    char log[480];       /* last message */
    int messages;
} run;

static inline void run_message(crank_level level, const char *text, void *user)
{
    run *r = user;
    (void)level;
    strncpy(r->log, text, sizeof r->log - 1);
    r->messages++;
}

/* formulate, create, start; the status tells how far it came. method: "psf-bdf", or "psf" for
 * psf-radau */
static inline crank_status run_try(run *r, const char *method, crank_eom *eom,
                                   const crank_options *options, double t0, const double *x0,
                                   double t_end)
{
    *r = (run){0};
    const crank_log log = {.write = run_message, .user = r};
    const char *dash = strrchr(method, '-');
    crank_options own = *options;
    own.tolerance_transform = /* Radau's */
        own.tolerance_transform ||
        (dash != NULL && strcmp(dash, "-radau") != 0 && strcmp(dash, "-auto") != 0);
    char formulation[40];
    (void)snprintf(formulation, sizeof formulation, "%.*s",
                   (int)(dash != NULL ? (size_t)(dash - method) : strlen(method)), method);
    r->status = crank_formulate(formulation, eom, &own, t0, x0, log, &r->problem, &r->err);
    if (r->status == CRANK_OK) {
        r->status = crank_integrator_create(dash != NULL ? dash + 1 : "radau", r->problem, &own,
                                            &r->it, &r->err);
    }
    if (r->status == CRANK_OK) {
        r->status = crank_integrator_start(r->it, t0, x0, t_end, &r->err);
    }
    return r->status;
}

static inline void run_begin(run *r, const char *method, crank_eom *eom,
                             const crank_options *options, double t0, const double *x0,
                             double t_end)
{
    CHECK_OK(run_try(r, method, eom, options, t0, x0, t_end), r->err);
}

/* to the end or to the failure */
static inline crank_status run_to_end(run *r)
{
    r->status = crank_integrator_solve_to(r->it, (double)INFINITY, &r->err);
    return r->status;
}

static inline void run_end(run *r)
{
    crank_integrator_destroy(r->it);
    crank_problem_destroy(r->problem);
    r->it = NULL;
    r->problem = NULL;
}

/* the whole way; x in and out; statistics come back */
static inline crank_statistics run_whole(const char *method, crank_eom *eom,
                                         const crank_options *options, double t_end, double *x)
{
    run r;
    run_begin(&r, method, eom, options, 0.0, x, t_end);
    CHECK_OK(run_to_end(&r), r.err);
    memcpy(x, crank_integrator_state(r.it), (size_t)crank_problem_given(r.problem) * sizeof *x);
    const crank_statistics statistics = crank_integrator_statistics(r.it);
    run_end(&r);
    return statistics;
}

static inline crank_options run_tolerance(double tolerance)
{
    crank_options options = crank_options_default();
    options.rtol = options.atol = tolerance;
    return options;
}

/* steps of size h and nothing else: no error test can fail, Newton goes to round-off */
static inline crank_options run_fixed_step(double h)
{
    crank_options options = crank_options_default();
    options.rtol = options.atol = 1.0;
    options.tolerance_transform = false;
    options.h_start = options.h_max = h;
    options.newton_tolerance = 1e-17;
    options.newton_max = 50;
    options.jacobian_reuse = -1.0;
    options.singular_threshold = 0.0; /* its look-ahead may shorten steps */
    return options;
}

#endif
