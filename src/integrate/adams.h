/* adams.h - the state of the Adams method: adams.c (one step), adams_order.c (coefficients,
 * error, order and step size, rows between steps).
 *
 * Numbers of arrays count from 0, orders from 1: phi[i] is the i-th modified divided difference
 * of x'. Differences and distances of an attempt stand beside those of the last accepted step,
 * so that a failure has nothing to undo. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ADAMS_H
#define CRANK_SRC_ADAMS_H

#include "integrate/explicit_common.h"

enum { CRANK_ADAMS_ORDER = 12, CRANK_ADAMS_DIFFERENCES = CRANK_ADAMS_ORDER + 2 };

typedef struct crank_adams {
    int first;       /* differential unknown: those before it are algebraic */
    double *phi;     /* DIFFERENCES x n: at it->t */
    double *next;    /* the same, extrapolated to the end of the attempt; then corrected */
    double *X, *f;   /* n: predicted end, x' there */
    double *e, *end; /* n: f - extrapolated x'; corrected and projected end */
    double *begin;   /* n: where the last accepted step began */
    double *rate;    /* n: x' at it->x */
    double *work;    /* n */
    /* coefficients of the attempt, theory (9.17) - (9.19) */
    double alpha[CRANK_ADAMS_DIFFERENCES], beta[CRANK_ADAMS_DIFFERENCES],
        sigma[CRANK_ADAMS_DIFFERENCES], g[CRANK_ADAMS_DIFFERENCES];
    double h_made; /* step and order that they are for; order 0: none */
    int order_made;
    double psi_next[CRANK_ADAMS_DIFFERENCES]; /* end of the attempt - t_n-i */
    double psi[CRANK_ADAMS_DIFFERENCES];      /* the same of the last accepted step */
    int equal_next, equal_steps;              /* of equal length, with the attempt; so far */
    double h_used;                            /* last accepted step; 0: none yet */
    int max_order, order, order_used; /* of the next step; of the last one, 0: none yet */
    bool starting;                    /* order and step grow with every step */
    int error_failures;               /* in this step */
    /* error of this step at its order and at the order below */
    int order_new;
    double estimate, error_below, error_here;
    /* projection */
    bool need_prepare,
        elsewhere;     /* no decomposition at hand; it belongs to a step that failed */
    double moved;      /* by it, over the tolerance */
    int reused, spent; /* accepted steps on this decomposition; what its age cost */
    crank_stiffness stiffness;
} crank_adams;

/* adams_order.c */
/* A step it->h at the order: coefficients, s->X, s->next. */
void crank_adams_predict(crank_integrator *it, crank_adams *s);
/* Error over the tolerance; s->e; notes a lower order that would do. */
double crank_adams_error(crank_integrator *it, crank_adams *s);
/* s->end, before the projection. */
void crank_adams_correct(crank_integrator *it, crank_adams *s);
/* After an accepted step with the rates s->rate at its end: the differences take them in. */
void crank_adams_update(crank_integrator *it, crank_adams *s);
/* Order and step size of the next step; moved: by how much the projection did, over the
 * tolerance. */
void crank_adams_choose(crank_integrator *it, crank_adams *s, double moved);
/* Of the next step to this one, at the order s->order with the error s->estimate. */
double crank_adams_ratio(const crank_integrator *it, const crank_adams *s);
/* Do the two points at the end of the step, predicted and corrected, tell that stability bounds
 * it? */
bool crank_adams_is_stiff(crank_integrator *it, const crank_adams *s);
void crank_adams_interpolate(const crank_integrator *it, double t, double *x);

#endif
