/* recursion.h - a matrix of balances of forces along a tree, as motions and forces of its links
 * instead of entries: what solver_tree.c eliminates from the tips to the root.
 *
 * Links i have unknowns p_i, v_i, a_i and balances d_i. What moves them sums up on the way from
 * the root, y_i = y_j + T_i, j the link before i,
 *
 *     T_i = (S, D, E) p_i + (0, S, G) v_i + (0, 0, S) a_i,    of p_i of a quaternion: turn p_i
 *     d_i = S_i.f_i + (S_i x* F_i).(first third of y_i) + rotor a_i
 *     f_i = K_i y_i + B_i y_j + sum over pairs (i, k) of K_ik y_k
 *           + sum over the links k behind i of (f_k + C_k y_k)
 *
 * with K_i of the forces on its body by its own motion, B_i by that of the body before it (by
 * motions y_j of the last link of that) and C_k of forces on the body before k by the motion of
 * k's; theory (7.69), (7.70). F_i x* is given as `turned`. A ball on a body stands apart: what
 * is behind it sees y_j as the motion of its point P alone, and hands back what acts there,
 *
 *     y_j -> pass y_j (place, speed, acceleration of P),   f = (m, f') -> (P x f', f'),
 *     and P x F' changes with P.                                                theory (7.72)
 *
 * Motions are (omega, velocity at O), in the plane the three of them that are not zero. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RECURSION_H
#define CRANK_SRC_RECURSION_H

#include "base/archive.h"

typedef struct crank_recursion_link {
    int before;   /* link towards the root, smaller than its own number; -1: none */
    int parent;   /* the last link of the body before, -1: none */
    int nv, np;   /* 1 and 1, or 3 and 4 */
    bool first;   /* of its body */
    bool apart;   /* a first one: a ball on a body */
    bool pushed;  /* there are B and C of its body, whose last link it is or is before */
    int row;      /* of its balances, among the rows of the eom */
    int p, v, a;  /* columns */
    double rotor; /* of one with nv 1: d_i has this times a_i, too */
} crank_recursion_link;

/* Forces on one body by the motion of another that is not its neighbour, as loops have them. */
typedef struct crank_recursion_pair {
    int on, by; /* last links of their bodies */
} crank_recursion_pair;

typedef struct crank_recursion {
    int count;
    int motion; /* numbers of a motion: 6, in the plane 3 */
    const crank_recursion_link *link;
    int pair_count;
    const crank_recursion_pair *pair;
} crank_recursion;

/* Of a link; K, B and C are zero but for the last link of a body. Those of pairs, K alone, are
 * behind those of the links. */
typedef struct crank_recursion_values {
    double S[3][6], D[3][6], E[3][6], G[3][6];
    double turned[3][6]; /* S x* F */
    double turn[4][3];
    double P[3], load[3]; /* of a ball that stands apart: load F' */
    double K[6][18];
    double B[6][18], C[6][18]; /* pushed */
    double pass[9][18];        /* apart */
} crank_recursion_values;

/* Can elimination along the tree cost less than one of the entries, which knows all links on
 * the way from the root? By multiplications, without what else a matrix has. */
bool crank_recursion_may_pay(const crank_recursion *r);
/* How many values there are. */
static inline size_t crank_recursion_size(const crank_recursion *r)
{
    return (size_t)r->count + (size_t)r->pair_count;
}
/* Values of all links; those that are not used by a link stay. */
void crank_recursion_copy(const crank_recursion *r, const crank_recursion_values *from,
                          crank_recursion_values *to);
void crank_recursion_archive(const crank_recursion *r, crank_recursion_values *values,
                             crank_archive *archive);

#endif
