/* articulated.h - inertias of bodies and of what hangs on them, for explicit methods: composite
 * (inertia.c) and articulated (articulated.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ARTICULATED_H
#define CRANK_SRC_ARTICULATED_H

#include "mechanics/joint/tree.h"

/* About a point: mass, first moments, xx, xy, xz, yy, yz, zz of the inertia tensor. */
typedef struct crank_inertia {
    double m, h[3], J[6];
} crank_inertia;

/* inertia.c: of body i whose centre of mass is at c from the point. */
void crank_inertia_of(const crank_tree *tree, int i, const double c[3], crank_inertia *I);
/* About O, of all bodies, one by one; then of all that hangs on each, as one rigid body. */
void crank_inertia_set(const crank_tree *tree, crank_inertia *all);
void crank_inertia_compose(const crank_tree *tree, crank_inertia *all);
/* S^T I S of a motion. */
double crank_inertia_along(const crank_inertia *I, const double S[6]);
/* The mass matrix into rows d, by composite inertias. */
void crank_inertia_fill(const crank_tree *tree, const crank_inertia *all, crank_fill *fill);

/* of a link with one coordinate: U, D^-1, u; of a ball the coupling of moments and
 * accelerations of its point, the inverse inertia about it, u */
typedef struct crank_articulated {
    double U[9], inverse[6], u[3];
} crank_articulated;

/* moment = A alpha + B a, force = B^T alpha + C a about the point of a body; A, C symmetric:
 * xx, xy, xz, yy, yz, zz */
typedef struct crank_articulated_inertia {
    double A[6], B[9], C[6];
} crank_articulated_inertia;

typedef struct crank_articulation {
    crank_articulated *link;
    crank_articulated_inertia *inertia; /* bodies */
    double (*f)[6];                     /* bodies: (moment, force); then (alpha, a) */
    double (*r)[3];                     /* bodies: their point from that of the body before */
    /* velocities that are prescribed: their links do not give way; NULL: none */
    const bool *held;
    int weak; /* the first link, from the tips, without anything to push against; -1: none */
} crank_articulation;

bool crank_articulation_take(crank_store *store, const crank_tree_shape *shape,
                             crank_articulation *a);
/* At the states of now; false: a link has nothing to push against. */
bool crank_articulated_factor(const crank_tree *tree, crank_articulation *a);
/* The same, and every pivot is more than rounding of what all that hangs behind its link has as
 * one rigid body: a massless body that only holds others may pass the first by chance. */
bool crank_articulated_is_regular(const crank_tree *tree, crank_articulation *a);
/* What failed, by the name of the body. */
crank_status crank_articulated_fail(const crank_tree *tree, const crank_articulation *a,
                                    crank_error *err);
/* y = M^-1 r in the coordinates of these bodies: whole trees, from the ground on. */
void crank_articulated_solve(const crank_tree *tree, crank_articulation *a, const int *body,
                             int count, const double *r, double *y);

#endif
