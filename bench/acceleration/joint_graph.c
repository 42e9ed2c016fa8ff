/* joint_graph.c - orders of small profile, see joint_graph.h.
 *
 * From a node at the end of the graph (the last level of levels from the last level, while
 * there are more of them [GL81, 4.3]) and from the other end: King's order takes, of all
 * neighbours of numbered nodes, the one that brings in the fewest new ones [Kin70]; that of
 * Cuthill and McKee [CM69] level by level, nodes of few edges first. Each also from behind,
 * which never makes the envelope larger for the latter [GL81, 4.4]. The one with the least work
 * is taken, the first of equal ones: the given order first. */
// SPDX-License-Identifier: BSD-3-Clause
#include "joint_graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const crank_joint_graph *g;
    int *queue, *level, *place, *best;
    bool *front; /* a neighbour of a numbered node */
    long least;
} walk;

static int degree(const crank_joint_graph *g, int i)
{
    return g->start[i + 1] - g->start[i];
}

crank_envelope crank_joint_graph_measure(const crank_joint_graph *g, const int *place)
{
    crank_envelope e = {0};
    for (int i = 0; i < g->n; i++) {
        int first = place[i];
        for (int k = g->start[i]; k < g->start[i + 1]; k++) {
            const int other = place[g->other[k]];
            first = other < first ? other : first;
        }
        const long beta = place[i] - first;
        e.bandwidth = (int)beta > e.bandwidth ? (int)beta : e.bandwidth;
        e.profile += beta;
        e.work += beta * (beta + 3);
    }
    e.work /= 2;
    return e;
}

/* nodes that root reaches, level by level, into the queue; how many */
static int find_levels(walk *w, int root)
{
    const crank_joint_graph *g = w->g;
    int count = 1;
    for (int i = 0; i < g->n; i++) {
        w->level[i] = -1;
    }
    w->queue[0] = root;
    w->level[root] = 0;
    for (int at = 0; at < count; at++) {
        const int i = w->queue[at];
        for (int k = g->start[i]; k < g->start[i + 1]; k++) {
            if (w->level[g->other[k]] < 0) {
                w->level[g->other[k]] = w->level[i] + 1;
                w->queue[count++] = g->other[k];
            }
        }
    }
    return count;
}

/* the node of fewest edges in the last level from root */
static int far_end(walk *w, int root, int *height)
{
    const int count = find_levels(w, root);
    int best = w->queue[count - 1];
    *height = w->level[best];
    for (int at = count - 1; at >= 0 && w->level[w->queue[at]] == *height; at--) {
        best = degree(w->g, w->queue[at]) < degree(w->g, best) ? w->queue[at] : best;
    }
    return best;
}

static int find_end(walk *w, int root)
{
    for (int before = -1, height;;) {
        const int end = far_end(w, root, &height);
        if (height <= before) {
            return root;
        }
        before = height;
        root = end;
    }
}

/* new nodes that the next one would bring in; by levels: its place in these, then its edges */
static long price(const walk *w, int i, bool king)
{
    const crank_joint_graph *g = w->g;
    long fresh = 0;
    if (!king) {
        return (long)w->level[i] * g->n + degree(g, i);
    }
    for (int k = g->start[i]; k < g->start[i + 1]; k++) {
        const int other = g->other[k];
        fresh += !w->front[other];
    }
    return fresh;
}

/* numbers from `next` on those that root reaches; the number behind them */
static int number(walk *w, int root, bool king, int next)
{
    const crank_joint_graph *g = w->g;
    const int end = next + find_levels(w, root);
    int waiting = 1; /* in the queue: neighbours of numbered nodes, as they were met */
    w->queue[0] = root;
    w->front[root] = true;
    for (; next < end; next++) {
        int best = 0;
        for (int at = 1; at < waiting; at++) { /* the first of equal ones */
            best = price(w, w->queue[at], king) < price(w, w->queue[best], king) ? at : best;
        }
        const int i = w->queue[best];
        memmove(w->queue + best, w->queue + best + 1,
                (size_t)(--waiting - best) * sizeof *w->queue);
        w->place[i] = next;
        for (int k = g->start[i]; k < g->start[i + 1]; k++) {
            if (!w->front[g->other[k]]) {
                w->front[g->other[k]] = true;
                w->queue[waiting++] = g->other[k];
            }
        }
    }
    return end;
}

static void judge(walk *w)
{
    const long work = crank_joint_graph_measure(w->g, w->place).work;
    if (work < w->least) {
        w->least = work;
        memcpy(w->best, w->place, (size_t)w->g->n * sizeof *w->best);
    }
}

/* from one end of every part of the graph, or the other */
static void try_order(walk *w, bool king, bool other_end)
{
    const int n = w->g->n;
    int next = 0, height;
    for (int i = 0; i < n; i++) {
        w->place[i] = -1;
        w->front[i] = false;
    }
    for (int i = 0; i < n; i++) {
        if (w->place[i] < 0) {
            const int end = find_end(w, i), other = far_end(w, end, &height);
            next = number(w, other_end ? other : end, king, next);
        }
    }
    judge(w);
    for (int i = 0; i < n; i++) {
        w->place[i] = n - 1 - w->place[i];
    }
    judge(w);
}

bool crank_joint_graph_order(const crank_joint_graph *g, int *place)
{
    const size_t n = (size_t)g->n + 1;
    walk w = {.g = g, .best = place};
    w.queue = malloc(3 * n * sizeof *w.queue);
    w.front = malloc(n * sizeof *w.front);
    const bool fine = w.queue != NULL && w.front != NULL;
    for (int i = 0; i < g->n; i++) {
        place[i] = i;
    }
    if (fine) {
        w.level = w.queue + n;
        w.place = w.level + n;
        w.least = crank_joint_graph_measure(g, place).work;
        for (int kind = 0; kind < 4; kind++) {
            try_order(&w, kind < 2, kind % 2 == 1);
        }
    }
    free(w.queue);
    free(w.front);
    return fine;
}
