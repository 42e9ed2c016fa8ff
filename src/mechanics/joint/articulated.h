/* articulated.h - inertias of bodies and of what hangs on them, for explicit methods: composite
 * (inertia.c) and articulated (articulated.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ARTICULATED_H
#define CRANK_SRC_ARTICULATED_H

#include "mechanics/joint/tree.h"

/* About O: mass, first moments, xx, xy, xz, yy, yz, zz of the inertia tensor. */
typedef struct crank_inertia {
    double m, h[3], J[6];
} crank_inertia;

/* inertia.c: of all bodies, one by one; then of all that hangs on each, as one rigid body. */
void crank_inertia_set(const crank_tree *tree, crank_inertia *all);
void crank_inertia_compose(const crank_tree *tree, crank_inertia *all);
/* The mass matrix into rows d, by composite inertias. */
void crank_inertia_fill(const crank_tree *tree, const crank_inertia *all, crank_fill *fill);

/* of a link */
typedef struct crank_articulated {
    double U[3][6], inverse[3][3], u[3];
} crank_articulated;

typedef struct crank_articulation {
    crank_articulated *link;
    double (*inertia)[6][6], (*f)[6]; /* bodies */
    const bool
        *held; /* velocities that are prescribed: their links do not give way; NULL: none */
} crank_articulation;

bool crank_articulation_take(crank_store *store, const crank_tree_shape *shape,
                             crank_articulation *a);
/* From inertias of the single bodies; false: a link has nothing to push against. */
bool crank_articulated_factor(const crank_tree *tree, const crank_inertia *own,
                              crank_articulation *a);
/* y = M^-1 r in the coordinates of these bodies: whole trees, from the ground on. */
void crank_articulated_solve(const crank_tree *tree, crank_articulation *a, const int *body,
                             int count, const double *r, double *y);

#endif
