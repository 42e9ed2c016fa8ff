/* pencil.h - the linearised motion of a large model as a sparse pencil, and its shifted inverse:
 * x -> (J - sigma E)^-1 E x, theory (12.15). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_PENCIL_H
#define CRANK_SRC_STUDY_PENCIL_H

#include "linalg/solver.h"
#include "study/linear.h"

typedef struct crank_pencil {
    crank_linear_work at; /* point, Jacobian and steady motion; nothing dense */
    double sigma;
    int n;
    int *place;     /* m: row of the square system, or -1 */
    double *mass;   /* of M */
    double *weight; /* n: one over the size of p, v, r; 0 of what follows from these */
    double *norm;   /* rows n: |n_p|^2, 0: nothing */
    double *work;   /* n */
    /* what leads along, by colours: columns of a body have different ones */
    int colours;
    int *colour, *body, *next; /* n: -1: none; of a column; its next column in the same body */
    int *first;                /* by body: its first column */
    double *lead;              /* colours x (p + v): rates by that colour */
    int *start, *row;          /* J - sigma E, compressed columns */
    double *entry;
    double soft; /* by how much constraints yield, in natural units: 0, or dependent ones */
    double *part, *step, *given, *back, *other; /* rows n; n each */
    crank_solver *solver;
} crank_pencil;

/* At (t, x), which must outlive it; sigma: the shift. CRANK_EREFUSED: neither a rest nor a
 * steady motion, or a general DAE.
 * Destroy also on failure. */
crank_status crank_pencil_create(crank_eom *eom, double t, const double *x, double sigma,
                                 crank_pencil *out, crank_error *err);
void crank_pencil_destroy(crank_pencil *p);
/* out = (J - sigma E)^-1 E x, on the invariants n of positions, without energies, which nothing
 * depends on. */
void crank_pencil_apply(crank_pencil *p, const double *x, double *out);
/* x . y in natural units */
double crank_pencil_dot(const crank_pencil *p, const double *x, const double *y);

#endif
