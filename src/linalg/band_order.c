/* band_order.c - rows and columns in the order of Cuthill and McKee [CM69] on the graph that
 * has both as nodes and the entries as edges [RS06], theory 3.12.
 *
 * Level by level from a node at the end of the graph [GL81, 4.3], nodes of few edges first;
 * rows and columns are numbered each in the order in which they are met. Rows need not belong
 * to columns of the same number: no matching is asked for, and the band is narrow wherever the
 * graph is long and thin, as that of a chain of bodies. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/band_order.h"

#include <stdlib.h>
#include <string.h>

/* rows are nodes 0 to n - 1, columns n to 2 n - 1 */
typedef struct graph {
    int n;
    const int *start, *row; /* of columns: their rows */
    int *row_start, *column;
    int *queue, *level; /* 2 n */
    bool *done;         /* 2 n: numbered */
} graph;

typedef struct neighbour {
    int degree, node;
} neighbour;

static int degree_of(const graph *g, int node)
{
    return node < g->n ? g->row_start[node + 1] - g->row_start[node]
                       : g->start[node - g->n + 1] - g->start[node - g->n];
}

static int neighbour_of(const graph *g, int node, int k)
{
    return node < g->n ? g->n + g->column[g->row_start[node] + k]
                       : g->row[g->start[node - g->n] + k];
}

/* Nodes that root reaches, level by level, into the queue; how many. level: of these, until it
 * is forgotten. */
static int find_levels(graph *g, int root)
{
    int count = 1;
    g->queue[0] = root;
    g->level[root] = 0;
    for (int at = 0; at < count; at++) {
        const int node = g->queue[at];
        for (int k = 0; k < degree_of(g, node); k++) {
            const int other = neighbour_of(g, node, k);
            if (g->level[other] < 0) {
                g->level[other] = g->level[node] + 1;
                g->queue[count++] = other;
            }
        }
    }
    return count;
}

/* The node of fewest edges in the last level, and from there again, while that makes more
 * levels. */
static int find_end(graph *g, int root)
{
    for (int before = -1;;) {
        const int count = find_levels(g, root), height = g->level[g->queue[count - 1]];
        int best = g->queue[count - 1];
        for (int at = count - 1; at >= 0 && g->level[g->queue[at]] == height; at--) {
            const int node = g->queue[at];
            best = degree_of(g, node) < degree_of(g, best) ? node : best;
        }
        for (int at = 0; at < count; at++) {
            g->level[g->queue[at]] = -1;
        }
        if (height <= before) {
            return root;
        }
        before = height;
        root = best;
    }
}

static int compare(const void *a, const void *b)
{
    const neighbour *p = a, *q = b;
    return p->degree != q->degree ? (p->degree > q->degree) - (p->degree < q->degree)
                                  : (p->node > q->node) - (p->node < q->node);
}

/* numbers the nodes that root reaches */
static void number(graph *g, int root, neighbour *list, crank_band *band, int *rows,
                   int *columns)
{
    int count = 1;
    g->queue[0] = root;
    g->done[root] = true;
    for (int at = 0; at < count; at++) {
        const int node = g->queue[at];
        int found = 0;
        if (node < g->n) {
            band->row_place[node] = (*rows)++;
        } else {
            band->column_place[node - g->n] = (*columns)++;
        }
        for (int k = 0; k < degree_of(g, node); k++) {
            const int other = neighbour_of(g, node, k);
            if (!g->done[other]) {
                g->done[other] = true;
                list[found++] = (neighbour){degree_of(g, other), other};
            }
        }
        qsort(list, (size_t)found, sizeof *list, compare);
        for (int k = 0; k < found; k++) {
            g->queue[count++] = list[k].node;
        }
    }
}

static void list_rows(graph *g)
{
    const int n = g->n;
    for (int e = 0; e < g->start[n]; e++) {
        g->row_start[g->row[e] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        g->row_start[i + 1] += g->row_start[i];
    }
    for (int j = n - 1; j >= 0; j--) { /* fills each row from its end */
        for (int e = g->start[j]; e < g->start[j + 1]; e++) {
            g->column[--g->row_start[g->row[e] + 1]] = j;
        }
    }
    memmove(g->row_start, g->row_start + 1, (size_t)n * sizeof *g->row_start);
    g->row_start[n] = g->start[n];
}

/* The other end first exchanges lower and upper; few diagonals below make less fill. */
static void measure(int n, const int *start, const int *row, crank_band *band)
{
    band->lower = band->upper = 0;
    for (int j = 0; j < n; j++) {
        for (int e = start[j]; e < start[j + 1]; e++) {
            const int below = band->row_place[row[e]] - band->column_place[j];
            band->lower = below > band->lower ? below : band->lower;
            band->upper = -below > band->upper ? -below : band->upper;
        }
    }
    if (band->lower > band->upper) {
        const int lower = band->lower;
        band->lower = band->upper;
        band->upper = lower;
        for (int k = 0; k < n; k++) {
            band->row_place[k] = n - 1 - band->row_place[k];
            band->column_place[k] = n - 1 - band->column_place[k];
        }
    }
}

bool crank_band_order(int n, const int *start, const int *row, crank_band *band)
{
    const size_t nodes = 2 * (size_t)n + 1;
    graph g = {.n = n, .start = start, .row = row};
    neighbour *list = calloc(nodes, sizeof *list);
    g.row_start = calloc((size_t)n + 1, sizeof *g.row_start);
    g.column = calloc((size_t)start[n] + 1, sizeof *g.column);
    g.queue = calloc(nodes, sizeof *g.queue);
    g.level = calloc(nodes, sizeof *g.level);
    g.done = calloc(nodes, sizeof *g.done);
    const bool fine = list != NULL && g.row_start != NULL && g.column != NULL &&
                      g.queue != NULL && g.level != NULL && g.done != NULL;
    if (fine) {
        int rows = 0, columns = 0;
        list_rows(&g);
        memset(g.level, -1, nodes * sizeof *g.level);
        for (int node = 0; node < 2 * n; node++) {
            if (!g.done[node]) {
                number(&g, find_end(&g, node), list, band, &rows, &columns);
            }
        }
        measure(n, start, row, band);
    }
    free(list);
    free(g.row_start);
    free(g.column);
    free(g.queue);
    free(g.level);
    free(g.done);
    return fine;
}
