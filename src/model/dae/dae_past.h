/* dae_past.h - unknowns that translated code iterates on, at the last ends of steps, and from
 * these what they will be: where iterations begin. Polynomials of degree 0 to PAST - 1 through
 * the last points, in Lagrange's form; of each unknown that degree by which its last values
 * would have been foretold best, theory (13.8). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_PAST_H
#define CRANK_SRC_DAE_PAST_H

#include "base/archive.h"

#include <stdbool.h>

enum { CRANK_DAE_PAST = 5 };

typedef struct crank_dae_past {
    int n;
    const int *unknown;       /* n: which they are, in vectors of all */
    int count;                /* of points */
    double t[CRANK_DAE_PAST]; /* newest first, as are */
    double *z;                /* points x n */
    double *missed; /* degrees x n: by how much, over the sum of the factors' sizes; negative:
                       not known */
} crank_dae_past;

/* false: out of memory. Keeps a pointer to unknown. */
bool crank_dae_past_init(crank_dae_past *p, int n, const int *unknown);
void crank_dae_past_free(crank_dae_past *p);
void crank_dae_past_clear(crank_dae_past *p);
/* all (unknowns) holds at t; what is known of t and later is forgotten. */
void crank_dae_past_add(crank_dae_past *p, double t, const double *all);
/* Into v (unknowns): values at t. */
void crank_dae_past_guess(const crank_dae_past *p, double t, double *v);
void crank_dae_past_archive(crank_dae_past *p, crank_archive *a);

#endif
