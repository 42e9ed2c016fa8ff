/* gmkssol.h - data of the formulation gmkssol, shared by its files: gmkssol.c (checks,
 * creation), gmkssol_system.c (rows, Jacobian, linear algebra), gmkssol_selectors.c (SVD of G,
 * selectors, singularity monitor), gmkssol_correct.c (corrections onto the constraints, step
 * limit of forced systems), gmkssol_archive.c (checkpoints).
 *
 * Letters: G = dg/dp (nl x np), D = diag(row_scale), D^-1 G = U diag(sigma) V^T, U = [U1 U2],
 * V = [V1 V2] split after the rank r. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_GMKSSOL_H
#define CRANK_SRC_GMKSSOL_H

#include "base/arena.h"
#include "formulate/formulate.h"
#include "formulate/singular.h"

enum { CRANK_GMKSSOL_BATCH = 3 }; /* points whose rows are evaluated together */
/* A point shares Jacobian and selectors with the same point after its correction. */
static const double crank_gmkssol_slack = 1e-4;

typedef struct crank_gmkssol {
    crank_problem base; /* first: the object is used through it */
    crank_arena arena;
    crank_eom *eom;
    crank_options options;
    crank_log log;
    crank_statistics statistics;
    bool *differential, *tested;
    unsigned char *group, *scaling;

    int nl, nr, np;    /* multipliers, force element states, positions = velocities */
    int rank, freedom; /* r (-1: not known yet), np - r */
    /* first rows of the regularised system; gII is the first */
    int row_fix, row_gI, row_g, row_b, row_a, row_v;

    /* mass matrix */
    double *mass;    /* on the eom's pattern */
    double *mass_lu; /* np x np factors; np inverses if M is diagonal */
    int *mass_pivot;
    bool mass_known;      /* constant M was factored */
    bool mass_decomposed; /* the factors belong to decomposed_t, decomposed_x */
    bool mass_singular;   /* the last factorisation found a zero */

    /* one point: rows, accelerations, Jacobian */
    double *rows; /* eom rows, BATCH points */
    double *acceleration;
    double *jacobian; /* dk/dx on the eom's pattern, at decomposed_t, decomposed_x */
    double *J;        /* n x n, regularised, at the prepared point */

    /* decomposition of G at decomposed_t, decomposed_x */
    bool decomposed;
    double decomposed_t, *decomposed_x;
    double *row_scale;              /* nl: largest entry of G's row so far */
    double *block, *sigma, *U, *VT; /* block: scratch */
    double *K;                      /* r x r: U1^T D^-1 gII_lambda D U1, factored */
    int *K_pivot;
    double *algebraic_scale; /* rows of the eom: 1 + sum |J_ij| |x_j| */
    double *work;
    int work_size;

    /* selectors, frozen between updates, and the last accepted point */
    double *S_l;   /* U1^T D^-1, r x nl */
    double *S_fix; /* U2^T D^-1, (nl - r) x nl */
    double *S_p;   /* V2^T, (np - r) x np */
    bool selectors_due;
    bool selectors_fresh; /* they come from the decomposition above */
    bool warned;
    int steps_since;  /* accepted steps since the last update */
    double alignment; /* smallest cosine between S_p and ker G at the prepared point */
    double accepted_t, *accepted_x;
    double largest_move; /* of a position in one step of a forced system */

    /* monitor: smallest singular value over its largest value so far; before: before a jump */
    double largest;
    crank_singular singular, before;

    crank_solver *solver; /* sigma E - J, n x n, by shifts */
    double *k, *point, *delta, *reduced, *nearby, *noise;
} crank_gmkssol;

/* gmkssol_system.c */
/* M at (t, x), factored; y := M^-1 y with these factors. */
crank_status crank_gmkssol_mass(crank_gmkssol *s, double t, const double *x, crank_error *err);
void crank_gmkssol_mass_solve(const crank_gmkssol *s, double *y);
crank_status crank_gmkssol_evaluate(crank_problem *base, int count, const double *t,
                                    const double *x, double *k, crank_error *err);
crank_status crank_gmkssol_rates(crank_problem *base, double t, const double *x,
                                 const double *k, double *xdot, crank_error *err);
crank_status crank_gmkssol_lead(crank_problem *base, double t, const double *x, const double *y,
                                double *out, crank_error *err);
crank_status crank_gmkssol_prepare(crank_problem *base, double t, const double *x,
                                   const double *xdot, crank_error *err);
crank_status crank_gmkssol_factor(crank_problem *base, int count, const double *sigma_real,
                                  const double *sigma_imag, crank_error *err);
crank_status crank_gmkssol_solve(crank_problem *base, int i, const double *r_real,
                                 const double *r_imag, double *delta_real, double *delta_imag,
                                 crank_error *err);

/* gmkssol_selectors.c */
/* Jacobian, SVD of G and (once the rank is known) K at (t, x), unless they are there already
 * for a point that differs by less than slack times the size of each group of unknowns. */
crank_status crank_gmkssol_decompose(crank_gmkssol *s, double t, const double *x, double slack,
                                     crank_error *err);
crank_status crank_gmkssol_multiplier_matrix(crank_gmkssol *s, crank_error *err);
/* Rank of G from the decomposition: found at the start, required later. */
void crank_gmkssol_find_rank(crank_gmkssol *s);
crank_status crank_gmkssol_check_rank(crank_gmkssol *s, crank_error *err);
/* Names of the constraints that take part in left singular vector k. */
void crank_gmkssol_explain(const crank_gmkssol *s, int k, char *text, size_t size);
/* S_p, S_l, S_fix from the decomposition. */
void crank_gmkssol_select(crank_gmkssol *s);
/* After a preparation at t: the monitor's ratio and slope, the age of the selectors. */
crank_status crank_gmkssol_monitor(crank_gmkssol *s, double t, crank_error *err);
crank_status crank_gmkssol_step_limit(crank_problem *base, double t, double *h,
                                      crank_error *err);
bool crank_gmkssol_singular_ahead(crank_problem *base, double t, double *zero);
crank_status crank_gmkssol_land(crank_problem *base, double t, double *x, const double *xdot,
                                crank_error *err);
double crank_gmkssol_regularity(const crank_problem *base);
void crank_gmkssol_landed(crank_problem *base, bool passed, double zero);

/* gmkssol_correct.c */
crank_status crank_gmkssol_complete(crank_problem *base, double t, double *x, crank_error *err);
void crank_gmkssol_update_noise(crank_gmkssol *s, const double *x);
crank_status crank_gmkssol_correct(crank_problem *base, double t, double *x, crank_error *err);
/* Shortens a step without degrees of freedom so that Newton's iteration can follow. */
crank_status crank_gmkssol_forced_limit(crank_gmkssol *s, double t, double *h,
                                        crank_error *err);

/* gmkssol_archive.c */
void crank_gmkssol_archive(crank_problem *base, crank_archive *archive);

#endif
