/* meeting.h - runs that meet events, for tests: a body that falls, a pendulum in Cartesian
 * coordinates, functions of them.
 *
 *     meeting m = {.count = 1, .function = {height}, .name = {"floor"}, .direction = {-1}};
 *     meeting_begin(&m, "psf-radau", meeting_fall(), tolerance, x0, t_end);
 *     meeting_next(&m)           (steps until an event or the end)
 *     meeting_end(&m); */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_MEETING_H
#define CRANK_TESTS_MEETING_H

#include "check.h"

#include "integrate/create.h"

#include <stdio.h>

enum { MEETING_FUNCTIONS = 4 };

typedef double meeting_fn(double t, const double *x);

typedef struct meeting {
    int count;
    meeting_fn *function[MEETING_FUNCTIONS];
    const char *name[MEETING_FUNCTIONS];
    signed char direction[MEETING_FUNCTIONS];
    bool barrier[MEETING_FUNCTIONS];
    crank_status refuse; /* what evaluate returns behind refuse_t */
    double refuse_t;
    double h_max; /* 0: none. Steps know nothing of functions of time alone */
    int evaluated;
    int64_t max_steps; /* 0: no limit */
    /* set by begin */
    crank_eom *eom;
    crank_problem *problem;
    crank_integrator *it;
    crank_error err;
} meeting;

static inline crank_status meeting_evaluate(void *user, double t, const double *x,
                                            double *values, crank_error *err)
{
    meeting *m = user;
    m->evaluated++;
    for (int i = 0; i < m->count; i++) {
        values[i] = m->function[i](t, x);
    }
    return m->refuse != CRANK_OK && t > m->refuse_t
               ? crank_fail(err, m->refuse, "refused behind t = %g", m->refuse_t)
               : CRANK_OK;
}

static const double meeting_gravity = 9.81;

static inline crank_status meeting_falling(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = -meeting_gravity;
    k[1] = x[0];
    return CRANK_OK;
}

/* x = [v | y], v' = -g */
static inline crank_eom *meeting_fall(void)
{
    crank_eom *eom = NULL;
    crank_error err = {0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes.p = d.sizes.v = 1;
    d.evaluate = meeting_falling;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* eom becomes the meeting's; the status is of the call that failed or of the start */
static inline crank_status meeting_try(meeting *m, const char *method, crank_eom *eom,
                                       double tolerance, const double *x0, double t_end)
{
    const char *formulation = NULL, *integrator = NULL;
    crank_options options = crank_options_default();
    m->eom = eom;
    CHECK_OK(crank_method_resolve(method, &formulation, &integrator, &options, &m->err),
             m->err);
    options.rtol = options.atol = tolerance;
    options.max_steps = m->max_steps;
    options.h_max = m->h_max;
    CHECK_OK(crank_formulate(formulation, eom, &options, 0.0, x0, (crank_log){0}, &m->problem,
                             &m->err),
             m->err);
    CHECK_OK(crank_integrator_create(integrator, m->problem, &options, &m->it, &m->err),
             m->err);
    const crank_events events = {.count = m->count,
                                 .evaluate = meeting_evaluate,
                                 .name = m->name,
                                 .direction = m->direction,
                                 .barrier = m->barrier,
                                 .user = m};
    const crank_status status =
        m->count > 0 ? crank_integrator_set_events(m->it, &events, &m->err) : CRANK_OK;
    return status == CRANK_OK ? crank_integrator_start(m->it, 0.0, x0, t_end, &m->err) : status;
}

static inline void meeting_begin(meeting *m, const char *method, crank_eom *eom,
                                 double tolerance, const double *x0, double t_end)
{
    CHECK_OK(meeting_try(m, method, eom, tolerance, x0, t_end), m->err);
}

/* to the next event; NULL: the end */
static inline const signed char *meeting_next(meeting *m)
{
    CHECK_OK(crank_integrator_solve_to(m->it, (double)INFINITY, &m->err), m->err);
    return crank_integrator_events(m->it);
}

static inline void meeting_end(meeting *m)
{
    crank_integrator_destroy(m->it);
    crank_problem_destroy(m->problem);
    crank_eom_destroy(m->eom);
}

/* the fall: v' = -g from (v, y) at t = 0 is at height `to` for the last time at */
static inline double meeting_fall_time(double v, double y, double to)
{
    return (v + sqrt(v * v + 2.0 * meeting_gravity * (y - to))) / meeting_gravity;
}

static inline double meeting_height(double t, const double *x)
{
    (void)t;
    return x[1];
}

/* complete elliptic integral K(k), by the arithmetic-geometric mean */
static inline double meeting_elliptic(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    while (fabs(a - b) > 1e-15) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 3.14159265358979323846 / (2.0 * a);
}

#endif
