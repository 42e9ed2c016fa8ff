/* hull.c - the convex hull of points in space, point by point: the triangles that a new point
 * sees are taken away, and cones from it over the edges around them put in their place. What
 * lies in a triangle's plane up to rounding is not seen. However rounding decides, the surface
 * stays closed: each edge of a triangle that goes away belongs to another that goes, or gets a
 * new one. Method: M. Kallay, The complexity of incremental convex hull algorithms,
 * Inf. Process. Lett. 19 (1984) 197. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/hull.h"

#include "base/grow.h"
#include "linalg/rotation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct face {
    int corner[3];
    double normal[3], offset; /* outwards, of length one: outside is normal . x > offset */
} face;

typedef struct work {
    const double (*p)[3];
    double small; /* rounding of a distance */
    face *face;
    int count, capacity;
    int (*edge)[2]; /* around what is seen */
    int edges, edge_capacity;
} work;

static bool add_face(work *w, int a, int b, int c)
{
    face *faces = crank_grow(w->face, w->count, &w->capacity, sizeof *faces);
    if (faces == NULL) {
        return false;
    }
    w->face = faces;
    face *f = &w->face[w->count++];
    double u[3], v[3];
    *f = (face){.corner = {a, b, c}};
    for (int i = 0; i < 3; i++) {
        u[i] = w->p[b][i] - w->p[a][i];
        v[i] = w->p[c][i] - w->p[a][i];
    }
    crank_cross3(f->normal, u, v);
    const double length = crank_norm3(f->normal);
    for (int i = 0; i < 3 && length > 0.0; i++) {
        f->normal[i] /= length; /* a needle's is zero: it sees nothing */
    }
    f->offset = crank_dot3(f->normal, w->p[a]);
    return true;
}

static double above(const work *w, const face *f, int point)
{
    return crank_dot3(f->normal, w->p[point]) - f->offset;
}

/* The point farthest from a point, a line or a plane through those given;
 * -1: none is away from it. */
static int farthest(const work *w, int points, int given, const int at[3])
{
    int best = -1;
    double most = w->small, u[3] = {0.0, 0.0, 0.0}, n[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 && given >= 2; i++) {
        u[i] = w->p[at[1]][i] - w->p[at[0]][i];
    }
    if (given == 3) {
        double v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = w->p[at[2]][i] - w->p[at[0]][i];
        }
        crank_cross3(n, u, v);
    }
    const double length = given == 3 ? crank_norm3(n) : crank_norm3(u);
    for (int k = 0; k < points; k++) {
        double d[3], across[3];
        for (int i = 0; i < 3; i++) {
            d[i] = w->p[k][i] - w->p[at[0]][i];
        }
        crank_cross3(across, u, d);
        const double far = given == 1   ? crank_norm3(d)
                           : given == 2 ? crank_norm3(across) / length
                                        : fabs(crank_dot3(n, d)) / length;
        if (far > most) {
            most = far;
            best = k;
        }
    }
    return best;
}

/* the first four; *flat: all points lie in a plane */
static bool begin(work *w, int points, bool *flat)
{
    int at[4] = {0, 0, 0, 0};
    *flat = true;
    for (int given = 1; given < 4; given++) {
        at[given] = farthest(w, points, given, at);
        if (at[given] < 0) {
            return true;
        }
    }
    *flat = false;
    if (!add_face(w, at[0], at[1], at[2])) {
        return false;
    }
    if (above(w, &w->face[0], at[3]) > 0.0) { /* it has to be inside */
        const int other = at[1];
        at[1] = at[2];
        at[2] = other;
    }
    w->count = 0;
    return add_face(w, at[0], at[1], at[2]) && add_face(w, at[0], at[3], at[1]) &&
           add_face(w, at[1], at[3], at[2]) && add_face(w, at[2], at[3], at[0]);
}

/* an edge of a seen triangle, unless its neighbour is seen, too: then that edge, which runs the
 * other way, goes */
static bool meet_edge(work *w, int a, int b)
{
    for (int k = 0; k < w->edges; k++) {
        if (w->edge[k][0] == b && w->edge[k][1] == a) {
            memcpy(w->edge[k], w->edge[--w->edges], sizeof w->edge[k]);
            return true;
        }
    }
    void *grown = crank_grow(w->edge, w->edges, &w->edge_capacity, sizeof *w->edge);
    if (grown == NULL) {
        return false;
    }
    w->edge = grown;
    w->edge[w->edges][0] = a;
    w->edge[w->edges++][1] = b;
    return true;
}

static bool add_point(work *w, int point)
{
    int kept = 0;
    w->edges = 0;
    for (int k = 0; k < w->count; k++) {
        const face f = w->face[k];
        if (!(above(w, &f, point) > w->small)) {
            w->face[kept++] = f;
            continue;
        }
        for (int i = 0; i < 3; i++) {
            if (!meet_edge(w, f.corner[i], f.corner[(i + 1) % 3])) {
                return false;
            }
        }
    }
    w->count = kept;
    for (int k = 0; k < w->edges; k++) {
        if (!add_face(w, w->edge[k][0], w->edge[k][1], point)) {
            return false;
        }
    }
    return true;
}

bool crank_hull(int points, const double (*p)[3], int (**triangle)[3], int *count)
{
    enum { ROUNDINGS = 64 }; /* of the largest coordinate: products of three, and their sums */
    work w = {.p = p};
    double size = 0.0;
    bool flat = true;
    for (int k = 0; k < points; k++) {
        for (int i = 0; i < 3; i++) {
            size = fmax(size, fabs(p[k][i]));
        }
    }
    w.small = ROUNDINGS * DBL_EPSILON * size;
    bool fine = points < 4 || begin(&w, points, &flat);
    for (int k = 0; k < points && fine && !flat; k++) {
        fine = add_point(&w, k);
    }
    *count = flat ? 0 : w.count;
    *triangle = malloc(((size_t)*count + 1) * sizeof **triangle);
    fine = fine && *triangle != NULL;
    for (int k = 0; k < *count && fine; k++) {
        memcpy((*triangle)[k], w.face[k].corner, sizeof **triangle);
    }
    if (!fine) {
        free(*triangle);
        *triangle = NULL;
    }
    free(w.face);
    free(w.edge);
    return fine;
}
