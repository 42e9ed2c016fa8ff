/* disjoint.h - disjoint sets of 0 .. count-1: which are connected? parent[i] = i at first. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DISJOINT_H
#define CRANK_SRC_DISJOINT_H

#include <stdbool.h>

static inline int crank_disjoint_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]]; /* path halving */
        i = parent[i];
    }
    return i;
}

/* false: a and b were connected already. */
static inline bool crank_disjoint_join(int *parent, int a, int b)
{
    const int p = crank_disjoint_root(parent, a), q = crank_disjoint_root(parent, b);
    parent[p] = q;
    return p != q;
}

#endif
