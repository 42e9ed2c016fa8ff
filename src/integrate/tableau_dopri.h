/* tableau_dopri.h - explicit Runge-Kutta methods of Dormand and Prince with their continuous
 * extensions.
 *
 *     X_i = x + h sum_{j<i} a_ij K_j,  K_i = f(t + c_i h, X_i),  i < stages     theory (9.6)
 *     x_1 = x + h sum b_j K_j,  b = row `stages` of A,  K_stages = f(t + h, x_1)
 *     rows of A behind it: further stages of the continuous extension           theory (9.9) */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TABLEAU_DOPRI_H
#define CRANK_SRC_TABLEAU_DOPRI_H

#include <stdbool.h>

typedef struct crank_tableau {
    int order, stages;
    int width;          /* stages, the end, further stages */
    int dense_rows;     /* of the continuous extension, besides the three that all have */
    bool end_estimates; /* the error estimate needs K_stages */
    double stable;      /* h |eigenvalue| from which steps are bounded by stability, */
    double swing;       /* and where eigenvalues are imaginary; 0: not looked for */
    const double *A;    /* width x width, by rows, zero from the diagonal on */
    const double *c;    /* width */
    const double *estimate, *estimate_low; /* stages + 1; low NULL: one estimate */
    const double *dense;                   /* dense_rows x width */
    const double *ahead; /* stages x stages: of half-explicit methods, theory (9.11); or NULL */
} crank_tableau;

extern const double crank_herk5_ahead[6][6]; /* tableau_herk.c */
extern const crank_tableau crank_tableau_dopri5, crank_tableau_dopri8, crank_tableau_herk5;

#endif
