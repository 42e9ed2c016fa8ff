/* joint_graph.h - the order of blocks of a symmetric matrix whose factors keep its envelope:
 * few places between the first entry of each row and the diagonal [Neg98].
 *
 *     beta_i = max{i - j: B_ij != 0, j < i},   bandwidth max beta_i,   profile sum beta_i,
 *     work  1/2 sum beta_i (beta_i + 3)
 *
 * Of G M^-1 G^T the blocks are joints, with an edge where two of them share a body. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BENCH_JOINT_GRAPH_H
#define CRANK_BENCH_JOINT_GRAPH_H

#include <stdbool.h>

/* Neighbours of node i: other[start[i]] .. other[start[i + 1] - 1], itself not among them. */
typedef struct crank_joint_graph {
    int n;
    const int *start, *other;
} crank_joint_graph;

typedef struct crank_envelope {
    int bandwidth;
    long profile, work; /* of blocks */
} crank_envelope;

/* place (n): where each node stands. */
crank_envelope crank_joint_graph_measure(const crank_joint_graph *g, const int *place);
/* The order of least work of those of Cuthill and McKee [CM69] and King [Kin70] from both ends
 * of the graph, and of the given one. false: out of memory. */
bool crank_joint_graph_order(const crank_joint_graph *g, int *place);

#endif
