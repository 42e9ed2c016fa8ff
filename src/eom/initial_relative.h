/* initial_relative.h - changes of velocities as relative motions along a tree of bodies. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_INITIAL_RELATIVE_H
#define CRANK_SRC_EOM_INITIAL_RELATIVE_H

#include "eom/initial.h"

/* What an equation asks of a body and all that it carries: the derivative by their common
 * twist, and the sizes of the terms that forces and torques in it are the sum of. */
typedef struct crank_wrench {
    int equation;
    double g[6], size[2];
} crank_wrench;

struct crank_relative {
    int bodies;
    int *parent;              /* bodies; -1: it moves against the ground */
    int *order;               /* bodies: parents before those that they carry */
    int *first;               /* bodies: its first velocity, among v; -1: none */
    int *count;               /* bodies: its velocities */
    int *begin, *end;         /* bodies: its wrenches */
    int *child, *sibling;     /* bodies: those that it carries, as a list */
    int *slot;                /* equations: wrench of the body at hand */
    double (*at)[3], (*R)[9]; /* bodies: centre of mass, from a point amid all; orientation */
    double (*M)[36];          /* bodies: inertia of all that it carries, at that point */
    double (*P)[36];          /* bodies: its twist, by steps y of its velocities */
    double (*twist)[6];       /* bodies: work */
    crank_wrench *wrench;
    int wrenches, room;
    /* the tree at work */
    int edges;
    int *edge[2], *edge_rows; /* edges: bodies (ground: the last number), constraints */
    int *group;               /* bodies + 1: disjoint sets */
    int *next, *heads;        /* 2 edges, bodies + 1: neighbours */
    bool *in_tree;            /* edges */
    bool *held;               /* bodies: by the ground, in more than half their freedoms */
    bool *mounted;            /* bodies: on bushings on what rests, and that */
    bool *known;              /* bodies: work */
    crank_arena arena;
};

/* y += f x */
static inline void crank_add6(double y[6], double f, const double x[6])
{
    for (int i = 0; i < 6; i++) {
        y[i] += f * x[i];
    }
}

/* Where bodies are at w->x. */
void crank_relative_read_places(const crank_initial *w, crank_relative *t);
/* Number of translations among the velocities of a body. */
int crank_relative_translations(const crank_initial *w, int body);
/* The twist of a body that has the velocity number i alone. */
void crank_relative_own_twist(const crank_initial *w, int body, int i, double twist[6]);
/* Adds the velocities that a body has by its twist. */
void crank_relative_add_velocities(const crank_initial *w, int body, double *x);

/* initial_tree.c: parent and order. */
void crank_initial_grow_tree(const crank_initial *w, crank_relative *t);
/* The same of what carries bodies of whose velocities nothing is given. */
void crank_initial_grow_carriers(const crank_initial *w, crank_relative *t);

#endif
