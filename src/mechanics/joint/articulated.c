/* articulated.c - y = M^-1 r without M: articulated bodies (Featherstone: Rigid Body Dynamics
 * Algorithms, 2008, chapter 7), theory (7.61). Inwards, with the inertia I of a body and all
 * that hangs on it by joints that give way,
 *
 *     U = I S,   D = S^T U,   I -> I - U D^-1 U^T  goes on to the body before
 *     u = r - S^T f,   f -> f + U D^-1 u
 * and outwards  y = D^-1 (u - U^T a),   a -> a + S y.  Forces f go past balls as in chain.c,
 * and behind them a is that of P alone; I - U D^-1 U^T acts at P already. O(N) for the inertias
 * and for each right-hand side. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/spatial.h"

#include <string.h>

/* a pivot below this part of the terms that it is the sum of has lost all but rounding */
static const double vanishing = 1e-10;

/* ---- inertias ---- */

/* (J, h x; -h x, m) */
static void set_matrix(const crank_inertia *I, double M[6][6])
{
    const double *h = I->h, *J = I->J;
    const double full[6][6] = {
        {J[0], J[1], J[2], 0.0, -h[2], h[1]}, {J[1], J[3], J[4], h[2], 0.0, -h[0]},
        {J[2], J[4], J[5], -h[1], h[0], 0.0}, {0.0, h[2], -h[1], I->m, 0.0, 0.0},
        {-h[2], 0.0, h[0], 0.0, I->m, 0.0},   {h[1], -h[0], 0.0, 0.0, 0.0, I->m}};
    memcpy(M, full, sizeof full);
}

/* the inverse of a symmetric matrix of 3 by its cofactors; false: a pivot vanishes */
static bool invert3(const double D[3][3], double out[3][3])
{
    double c[3][3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int l = 0; l < 3; l++) {
            const int m = (l + 1) % 3, n = (l + 2) % 3;
            c[l][i] = D[j][m] * D[k][n] - D[j][n] * D[k][m];
        }
    }
    const double det = D[0][0] * c[0][0] + D[0][1] * c[1][0] + D[0][2] * c[2][0];
    const double size = D[0][0] * D[1][1] * D[2][2];
    for (int i = 0; i < 9; i++) {
        out[i / 3][i % 3] = c[i / 3][i % 3] / det;
    }
    return det > vanishing * size && size > 0.0;
}

/* U, D^-1; I without what the link gives way to. false: it has no inertia to push against */
static bool give_way(int nv, double S[3][6], double I[6][6], crank_articulated *at)
{
    double D[3][3] = {{0.0}}, W[3][6];
    bool fine = true;
    for (int k = 0; k < nv; k++) {
        double size = 0.0;
        for (int i = 0; i < 6; i++) {
            at->U[k][i] = crank_dot6(I[i], S[k]);
            for (int j = 0; j < 6; j++) {
                size += fabs(S[k][i] * I[i][j] * S[k][j]);
            }
        }
        for (int l = 0; l < nv; l++) {
            D[k][l] = crank_dot6(S[l], at->U[k]);
        }
        fine = fine && D[k][k] > vanishing * size;
    }
    if (nv == 1) {
        at->inverse[0][0] = 1.0 / D[0][0];
    } else {
        fine = invert3((const double(*)[3])D, at->inverse) && fine;
    }
    for (int k = 0; k < nv; k++) {
        memset(W[k], 0, sizeof W[k]);
        for (int l = 0; l < nv; l++) {
            crank_add6(W[k], at->inverse[k][l], at->U[l]);
        }
    }
    for (int k = 0; k < nv; k++) {
        for (int i = 0; i < 6; i++) {
            crank_add6(I[i], -at->U[k][i], W[k]);
        }
    }
    return fine;
}

bool crank_articulated_factor(const crank_tree *tree, const crank_inertia *own,
                              crank_articulation *a)
{
    const crank_tree_shape *shape = tree->shape;
    bool fine = true;
    for (int i = 0; i < shape->body_count; i++) {
        set_matrix(&own[i], a->inertia[i]);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        const crank_tree_body *body = &shape->body[i];
        for (int l = body->first + body->count - 1; l >= body->first; l--) {
            if (a->held != NULL && a->held[shape->link[l].v]) {
                memset(&a->link[l], 0, sizeof a->link[l]);
                continue;
            }
            fine = give_way(shape->link[l].nv, tree->link[l].S, a->inertia[i], &a->link[l]) &&
                   fine;
        }
        for (int r = 0; r < 6 && body->parent >= 0; r++) {
            crank_add6(a->inertia[body->parent][r], 1.0, a->inertia[i][r]);
        }
    }
    return fine;
}

/* ---- right-hand sides ---- */

static void push_body(const crank_tree *tree, crank_articulation *a, int i, const double *r)
{
    const crank_tree_body *body = &tree->shape->body[i];
    double *f = a->f[i];
    for (int l = body->first + body->count - 1; l >= body->first; l--) {
        const crank_link *link = &tree->shape->link[l];
        crank_articulated *at = &a->link[l];
        for (int k = 0; k < link->nv; k++) {
            at->u[k] = r[link->v + k] - crank_dot6(tree->link[l].S[k], f);
        }
        for (int k = 0; k < link->nv; k++) {
            double w = 0.0;
            for (int m = 0; m < link->nv; m++) {
                w += at->inverse[k][m] * at->u[m];
            }
            crank_add6(f, w, at->U[k]);
        }
        crank_tree_pass_force(tree, l, f);
    }
    if (body->parent >= 0) {
        crank_add6(a->f[body->parent], 1.0, f);
    }
}

static void move_body(const crank_tree *tree, crank_articulation *a, int i, double *y)
{
    const crank_tree_body *body = &tree->shape->body[i];
    double *acceleration = a->f[i]; /* f has been handed on */
    if (body->parent >= 0) {
        memcpy(acceleration, a->f[body->parent], sizeof a->f[i]);
    } else {
        memset(acceleration, 0, sizeof a->f[i]);
    }
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const crank_articulated *at = &a->link[l];
        double left[3];
        if (link->apart) {
            double t[3];
            crank_cross3(t, acceleration, tree->link[l].P);
            crank_add3(acceleration + 3, 1.0, t);
            memset(acceleration, 0, sizeof t);
        }
        for (int k = 0; k < link->nv; k++) {
            left[k] = at->u[k] - crank_dot6(at->U[k], acceleration);
        }
        for (int k = 0; k < link->nv; k++) {
            double w = 0.0;
            for (int m = 0; m < link->nv; m++) {
                w += at->inverse[k][m] * left[m];
            }
            y[link->v + k] = w;
        }
        for (int k = 0; k < link->nv; k++) {
            crank_add6(acceleration, y[link->v + k], tree->link[l].S[k]);
        }
    }
}

void crank_articulated_solve(const crank_tree *tree, crank_articulation *a, const int *body,
                             int count, const double *r, double *y)
{
    for (int k = 0; k < count; k++) {
        memset(a->f[body[k]], 0, sizeof a->f[body[k]]);
    }
    for (int k = count - 1; k >= 0; k--) {
        push_body(tree, a, body[k], r);
    }
    for (int k = 0; k < count; k++) {
        move_body(tree, a, body[k], y);
    }
}

bool crank_articulation_take(crank_store *store, const crank_tree_shape *shape,
                             crank_articulation *a)
{
    const size_t bodies = (size_t)shape->body_count;
    a->link = crank_store_take(store, (size_t)shape->link_count, sizeof *a->link);
    a->inertia = crank_store_take(store, bodies, sizeof *a->inertia);
    a->f = crank_store_take(store, bodies, sizeof *a->f);
    return !store->failed;
}
