/* motion.h - equations of motion of C callers in their plainest form,
 *
 *     p' = v,   M(t, p, v) v' = f(t, p, v) - G(t, p)^T lambda,   0 = g(t, p),   G = dg/dp,
 *
 * by functions for f, g and, if they are known, M and G:
 *
 *     crank_motion_definition d = crank_motion_definition_default();
 *     d.n = 2, d.constraints = 1, d.force = weight, d.constraint = circle;
 *     crank_motion_create(&d, &motion, &err);
 *     crank_motion_open(motion, 0.0, p0, v0, &options, &run, &err);  // crank/run.h from here on
 *     ...
 *     crank_run_close(run);
 *     crank_motion_destroy(motion);
 *
 * Hidden constraints come by differences; all levels hold at every row. For other kinds of
 * unknowns, patterns and Jacobians there is crank/eom.h. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_MOTION_H
#define CRANK_MOTION_H

#include <crank/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out = M (n x n by columns), f (n), g (constraints) or G (constraints x n by columns) at
 * (t, p, v); of g and G v is NULL. CRANK_RETRY: outside the domain, a shorter step may help;
 * negative: stop. */
typedef crank_status crank_motion_fn(double t, const double *p, const double *v, double *out,
                                     void *user);

typedef struct crank_motion_definition {
    size_t size; /* set by crank_motion_definition_default */
    int n;       /* positions, and velocities */
    int constraints;
    const double *mass_matrix; /* M, if it is constant (copied), */
    crank_motion_fn *mass;     /* or else this; both NULL: the unit matrix */
    crank_motion_fn *force;
    crank_motion_fn *constraint; /* needed if there are constraints */
    crank_motion_fn *gradient;   /* NULL: by central differences, which cost digits */
    void *user;
} crank_motion_definition;

typedef struct crank_motion crank_motion;

CRANK_API crank_motion_definition crank_motion_definition_default(void);
CRANK_API crank_status crank_motion_create(const crank_motion_definition *definition,
                                           crank_motion **out, crank_error *err);
CRANK_API void crank_motion_destroy(crank_motion *motion);
/* A run from (t0, p, v) on, made consistent; t_end must be given, method NULL: auto. The motion
 * must outlive it. */
CRANK_API crank_status crank_motion_open(crank_motion *motion, double t0, const double *p,
                                         const double *v, const crank_run_options *options,
                                         crank_run **out, crank_error *err);
/* The parts of a run's unknowns x (crank_run_state): pointers into it. */
CRANK_API void crank_motion_split(const crank_motion *motion, const double *x, const double **p,
                                  const double **v, const double **lambda);

#ifdef __cplusplus
}
#endif

#endif
