/* bdf.h - the state of the BDF method: bdf.c (one step), bdf_newton.c (corrector), bdf_order.c
 * (coefficients, error, order and step size), bdf_rows.c (rows between steps).
 *
 * Numbers of arrays count from 0, orders from 1: phi[i] is the i-th modified divided
 * difference, scaled to the last step. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BDF_H
#define CRANK_SRC_BDF_H

#include "integrate/integrator.h"

enum {
    CRANK_BDF_ORDER = 6,
    CRANK_BDF_DIFFERENCES = CRANK_BDF_ORDER + 2,
    CRANK_BDF_UNTESTED = 3
};

/* what a step is off, by some of the unknowns, at its order and at the orders around it */
typedef struct crank_bdf_verdict {
    const double *weight; /* n: in norms; 0: others */
    double error;         /* of the step, in all unknowns */
    int order;            /* of the next step */
    double estimate, below, here;
    double magnification; /* of all unknowns to these */
} crank_bdf_verdict;

typedef struct crank_bdf {
    double *phi;                       /* DIFFERENCES x n */
    double *predicted, *slope;         /* n: x and x' by extrapolation */
    double *x, *xdot;                  /* n: iterates */
    double *e, *delta;                 /* n: x - predicted; scratch */
    double *row, *row_slope;           /* n: polynomial at a row */
    double *k, *residual;              /* m */
    double *weight;                    /* n: of unknowns in norms, for the step that is tried */
    double *error_weight;              /* the same in the error test, as they are, */
    double *follow_weight;             /* and of those that follow from the others */
    double *rated_weight;              /* n: the first less the second, of index 2 */
    double *weight_of_some;            /* n: error_weight where it is not that of all */
    unsigned char *kind;               /* n: the problem's scaling, or UNTESTED */
    double *counts, *counts_following; /* n: 1 in error_weight, follow_weight, or 0 */
    /* coefficients, theory (4.24), (4.25), (4.28) */
    double psi[CRANK_BDF_DIFFERENCES], alpha[CRANK_BDF_DIFFERENCES],
        beta[CRANK_BDF_DIFFERENCES], sigma[CRANK_BDF_DIFFERENCES], gamma[CRANK_BDF_DIFFERENCES];
    double cj, ck;                    /* x' = slope + cj (x - predicted); factor of the error */
    int max_order, order, order_used; /* of the next step; of the last one, 0: none yet */
    int equal_steps;                  /* of equal size and order */
    double h_used;                    /* last step */
    bool starting;                    /* order and step grow with every step */
    /* the error test failed: no longer steps before a higher order was looked at */
    bool cautious;
    /* corrector */
    double cj_factored;   /* of the factors at hand */
    double rate;          /* of convergence; > 1: not known */
    double rate_distance; /* in time, from where the matrix was made to where that was seen */
    double newton_tolerance;
    double least_rtol; /* of all unknowns, from the start */
    int reused;        /* accepted steps on this Jacobian */
    double t_updated;  /* where it was made, or updated to */
    bool at_row;       /* the iteration is for a row */
    bool need_jacobian, need_factor, jacobian_fresh;
    int error_failures;        /* of this step */
    crank_bdf_verdict verdict; /* on this step */
    int following;             /* unknowns that are tested by what the others are off */
    bool index_2;              /* all of them are of index 2, the others of none */
} crank_bdf;

static inline double *crank_bdf_phi(const crank_integrator *it, int i)
{
    const crank_bdf *s = it->state;
    return s->phi + (long)i * it->n;
}

/* bdf_order.c */
/* Coefficients for a step h at the order, differences scaled to it. */
void crank_bdf_begin(crank_integrator *it, crank_bdf *s);
/* Undoes it after a failure. */
void crank_bdf_restore(crank_integrator *it, crank_bdf *s);
void crank_bdf_predict(crank_integrator *it, crank_bdf *s);
/* Of the next step to this one, at the order s->order, or that of a verdict. */
double crank_bdf_ratio(const crank_integrator *it, const crank_bdf *s);
double crank_bdf_promise(const crank_integrator *it, const crank_bdf_verdict *v);
/* After an accepted step: order and step size of the next one; differences take in the new
 * point. */
void crank_bdf_choose(crank_integrator *it, crank_bdf *s);
void crank_bdf_update(crank_integrator *it, crank_bdf *s);

/* bdf_error.c */
/* Is unknown j algebraic: does it follow from those with rates? */
bool crank_bdf_follows(const crank_integrator *it, int j);
/* Weights of norms for a step h; what they are made of, at a start. */
void crank_bdf_weigh(const crank_integrator *it, crank_bdf *s);
void crank_bdf_list_weights(const crank_integrator *it, crank_bdf *s);
/* crank_integrator_norm of one vector, with these weights */
double crank_bdf_norm(const crank_integrator *it, const double *weight, const double *z);
/* of the sum of its squares */
double crank_bdf_root(const crank_integrator *it, double sum);
/* The norm of z + sign phi_i, which is in s->delta then. */
double crank_bdf_norm_with(crank_integrator *it, crank_bdf *s, const double *weight,
                           const double *z, double sign, int i);
/* Error over the tolerance; s->verdict. */
crank_status crank_bdf_error(crank_integrator *it, crank_bdf *s, double *error,
                             crank_error *err);

/* bdf_newton.c */
crank_status crank_bdf_prepare(crank_integrator *it, crank_bdf *s, double t, const double *x,
                               crank_error *err);
/* CRANK_RETRY: did not converge. */
crank_status crank_bdf_correct(crank_integrator *it, crank_bdf *s, crank_error *err);

/* bdf_rows.c */
void crank_bdf_interpolate(const crank_integrator *it, double t, double *x);
crank_status crank_bdf_refine_row(crank_integrator *it, double t, double *x, crank_error *err);

#endif
