/* mechanics.h - the problems that peers of crank are measured on, written by hand as a user of
 * theirs would.
 *
 *     M(q) q'' = f(q, q', t) - G(q)^T lambda,   0 = g(q, t),   G = dg/dq,  g_t constant
 *
 * Values of matrices stand in the order of a list of places (row, column), in which a place may
 * occur twice: values at one place are added. After place(t, q) all functions speak of that
 * position. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_MECHANICS_H
#define BENCH_MECHANICS_H

#include "memory.h"

#include <stdbool.h>

typedef struct places {
    int count;
    int *row, *column;
} places;

typedef struct mechanics mechanics;
struct mechanics {
    const char *name;
    int nq, nl;
    double t_end;
    bool diagonal;                 /* M is diagonal */
    bool varying;                  /* and changes with q */
    int mass_band;                 /* else its half bandwidth; 0: full */
    int band;                      /* half bandwidth of G M^-1 G^T */
    const double *q0, *v0;         /* consistent start */
    const double *rate;            /* nl: g_t, or NULL for zero */
    places mass, force_q, force_v; /* nq x nq: M, d(M a - f)/dq, -df/dv */
    places jacobian;               /* nl x nq: G and what has its pattern */
    places hessian;                /* nq x nq: sum_i mu_i g_i,qq */
    void *own;

    void (*place)(mechanics *self, double t, const double *q);
    void (*mass_values)(const mechanics *self, double *values);
    void (*force)(const mechanics *self, const double *v, double *f);
    void (*force_q_values)(const mechanics *self, const double *v, const double *a,
                           double *values);
    void (*force_v_values)(const mechanics *self, const double *v, double *values);
    void (*constraint)(const mechanics *self, double *g);
    void (*jacobian_values)(const mechanics *self, double *values);
    void (*curvature)(const mechanics *self, const double *v, double *c); /* v^T g_i,qq v */
    void (*curvature_rows)(const mechanics *self, const double *v,
                           double *values); /* g_i,qq v, on the places of G */
    void (*curvature_sum)(const mechanics *self, const double *mu, double *values);
    void (*third)(const mechanics *self, const double *v,
                  double *values);    /* d(v^T g_i,qq v)/dq, on the places of G */
    void (*release)(mechanics *self); /* what own points to; may be NULL */
};

/* NULL: no such problem. size: loops of four-bar, rods of free-chain; others ignore it. */
mechanics *mechanics_create(const char *name, int size);
void mechanics_destroy(mechanics *self);

mechanics *pendulum_create(void);
mechanics *andrews_create(void);
mechanics *elastic_create(void);
mechanics *truck_create(void);
mechanics *four_bar_create(int loops);
mechanics *governor_create(void);
mechanics *spinning_top_create(void);
mechanics *free_chain_create(int rods);
mechanics *universal_pendulum_create(void);
mechanics *stewart_platform_create(void);
mechanics *gyroscope_create(void);
mechanics *swashplate_create(void);

places places_make(int count);
places places_listed(const int (*pairs)[2], int count); /* row, column */
places places_diagonal(int count);
void places_free(places *list);

#endif
