/* articulated.c - y = M^-1 r without M: articulated bodies (Featherstone: Rigid Body Dynamics
 * Algorithms, 2008, chapter 7), theory (7.74). Inwards, with the inertia I of a body and all
 * that hangs on it by joints that give way,
 *
 *     U = I S,   D = S^T U,   I -> I - U D^-1 U^T  goes on to the body before
 *     u = r - S^T f,   f -> f + U D^-1 u;     rotors are part of D alone, theory (7.76),
 * and outwards  y = D^-1 (u - U^T a),   a -> a + S y.  All of a body is about the point P of
 * its joint, where a turn is (axis, 0) and nothing cancels however long a chain is; on the way
 * to the point of the body before, r away, theory (7.75),
 *     C,   B' = B + r x C,   A' = A - B r x + r x B'^T,      moment' = moment + r x force
 * Behind a ball all moves along with P: A, B and the moment vanish. O(N) for the inertias and
 * for each right-hand side. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/spatial.h"

#include <string.h>

/* a pivot below this part of the terms that it is the sum of has lost all but rounding */
static const double vanishing = 1e-10;

/* y = M x, M symmetric */
static inline void times_symmetric(double y[3], const double M[6], const double x[3])
{
    y[0] = M[0] * x[0] + M[1] * x[1] + M[2] * x[2];
    y[1] = M[1] * x[0] + M[3] * x[1] + M[4] * x[2];
    y[2] = M[2] * x[0] + M[4] * x[1] + M[5] * x[2];
}

/* M += f a b^T, of which it is known to be symmetric */
static inline void add_symmetric(double M[6], double f, const double a[3])
{
    const double x = f * a[0], y = f * a[1];
    M[0] += x * a[0];
    M[1] += x * a[1];
    M[2] += x * a[2];
    M[3] += y * a[1];
    M[4] += y * a[2];
    M[5] += f * a[2] * a[2];
}

/* ---- inertias ---- */

/* of a link with one coordinate */
static inline const double *axis_of(const crank_tree *tree, int l)
{
    const bool turn = tree->shape->link[l].kind == CRANK_LINK_TURN;
    return tree->link[l].S[0] + (turn ? 0 : 3);
}

/* its point from O: that of its joint, or its centre of mass */
static const double *point_of(const crank_tree *tree, int i)
{
    const crank_tree_body *body = &tree->shape->body[i];
    return body->count > 0 ? tree->link[body->first].P : tree->body[i].c;
}

static void begin_body(const crank_tree *tree, int i, crank_articulation *a)
{
    const crank_tree_value *at = &tree->body[i];
    const int parent = tree->shape->body[i].parent;
    const double *P = point_of(tree, i);
    const double c[3] = {at->c[0] - P[0], at->c[1] - P[1], at->c[2] - P[2]};
    crank_articulated_inertia *out = &a->inertia[i];
    crank_inertia I;
    crank_inertia_of(tree, i, c, &I);
    memcpy(out->A, I.J, sizeof out->A);
    const double B[9] = {0.0, -I.h[2], I.h[1], I.h[2], 0.0, -I.h[0], -I.h[1], I.h[0], 0.0};
    memcpy(out->B, B, sizeof B);
    const double C[6] = {I.m, 0.0, 0.0, I.m, 0.0, I.m};
    memcpy(out->C, C, sizeof C);
    for (int k = 0; k < 3 && parent >= 0; k++) {
        a->r[i][k] = P[k] - point_of(tree, parent)[k];
    }
}

/* one direction: a turn about the axis s through P, perhaps as a screw, or a slide along it.
 * false: there is no inertia to push against */
static bool give_way(const crank_link *link, const double s[3], crank_articulated_inertia *I,
                     crank_articulated *at)
{
    double *moment = at->U, *force = at->U + 3;
    double D, size;
    if (link->kind == CRANK_LINK_TURN) {
        double along[3];
        times_symmetric(moment, I->A, s);
        crank_mat3_transposed_times(force, I->B, s);
        if (link->lead != 0.0) {
            crank_mat3_times(along, I->B, s);
            crank_add3(moment, link->lead, along);
            times_symmetric(along, I->C, s);
            crank_add3(force, link->lead, along);
        }
        D = crank_dot3(s, moment) + link->lead * crank_dot3(s, force);
        size = s[0] * s[0] * (I->A[0] + link->lead * link->lead * I->C[0]) +
               s[1] * s[1] * (I->A[3] + link->lead * link->lead * I->C[3]) +
               s[2] * s[2] * (I->A[5] + link->lead * link->lead * I->C[5]);
    } else {
        crank_mat3_times(moment, I->B, s);
        times_symmetric(force, I->C, s);
        D = crank_dot3(s, force);
        size = s[0] * s[0] * I->C[0] + s[1] * s[1] * I->C[3] + s[2] * s[2] * I->C[5];
    }
    D += link->rotor;
    size += link->rotor;
    const double inverse = 1.0 / D;
    at->inverse[0] = inverse;
    add_symmetric(I->A, -inverse, moment);
    add_symmetric(I->C, -inverse, force);
    for (int i = 0; i < 3; i++) {
        crank_add3(I->B + 3 * i, -inverse * moment[i], force);
    }
    return D > vanishing * size;
}

/* the inverse of a symmetric matrix by its cofactors; false: a pivot vanishes */
static bool invert(const double M[6], double out[6])
{
    const double c[6] = {M[3] * M[5] - M[4] * M[4], M[2] * M[4] - M[1] * M[5],
                         M[1] * M[4] - M[2] * M[3], M[0] * M[5] - M[2] * M[2],
                         M[1] * M[2] - M[0] * M[4], M[0] * M[3] - M[1] * M[1]};
    const double det = M[0] * c[0] + M[1] * c[1] + M[2] * c[2], size = M[0] * M[3] * M[5];
    for (int i = 0; i < 6; i++) {
        out[i] = c[i] / det;
    }
    return det > vanishing * size && size > 0.0;
}

/* a ball: C - B^T A^-1 B is left, at P */
static bool give_way_ball(crank_articulated_inertia *I, crank_articulated *at)
{
    const bool fine = invert(I->A, at->inverse);
    double W[9]; /* columns of A^-1 B, as rows */
    memcpy(at->U, I->B, sizeof at->U);
    for (int j = 0; j < 3; j++) {
        const double column[3] = {I->B[j], I->B[3 + j], I->B[6 + j]};
        times_symmetric(W + 3 * j, at->inverse, column);
    }
    static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const double column[3] = {I->B[i], I->B[3 + i], I->B[6 + i]};
            I->C[place[i][j]] -= crank_dot3(column, W + 3 * j);
        }
    }
    memset(I->A, 0, sizeof I->A);
    memset(I->B, 0, sizeof I->B);
    return fine;
}

/* the body before gets what is left */
static void hand_on(const crank_articulated_inertia *I, const double r[3],
                    crank_articulated_inertia *on)
{
    const double C[9] = {I->C[0], I->C[1], I->C[2], I->C[1], I->C[3],
                         I->C[4], I->C[2], I->C[4], I->C[5]};
    double B[9], G[9], H[9];      /* rows: r x (row of B), r x (row of B') */
    for (int j = 0; j < 3; j++) { /* columns of r x C */
        B[j] = I->B[j] + r[1] * C[6 + j] - r[2] * C[3 + j];
        B[3 + j] = I->B[3 + j] + r[2] * C[j] - r[0] * C[6 + j];
        B[6 + j] = I->B[6 + j] + r[0] * C[3 + j] - r[1] * C[j];
    }
    for (int i = 0; i < 9; i += 3) {
        crank_cross3(G + i, r, I->B + i);
        crank_cross3(H + i, r, B + i);
    }
    on->A[0] += I->A[0] + G[0] + H[0];
    on->A[1] += I->A[1] + G[1] + H[3];
    on->A[2] += I->A[2] + G[2] + H[6];
    on->A[3] += I->A[3] + G[4] + H[4];
    on->A[4] += I->A[4] + G[5] + H[7];
    on->A[5] += I->A[5] + G[8] + H[8];
    for (int k = 0; k < 9; k++) {
        on->B[k] += B[k];
    }
    crank_add6(on->C, 1.0, I->C);
}

bool crank_articulated_factor(const crank_tree *tree, crank_articulation *a)
{
    const crank_tree_shape *shape = tree->shape;
    a->weak = -1;
    for (int i = 0; i < shape->body_count; i++) {
        begin_body(tree, i, a);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        const crank_tree_body *body = &shape->body[i];
        crank_articulated_inertia *I = &a->inertia[i];
        for (int l = body->first + body->count - 1; l >= body->first; l--) {
            if (a->held != NULL && a->held[shape->link[l].v]) {
                memset(&a->link[l], 0, sizeof a->link[l]);
                continue;
            }
            const crank_link_kind kind = shape->link[l].kind;
            const bool gives =
                kind == CRANK_LINK_BALL
                    ? give_way_ball(I, &a->link[l])
                    : give_way(&shape->link[l], axis_of(tree, l), I, &a->link[l]);
            a->weak = a->weak < 0 && !gives ? l : a->weak;
        }
        if (body->parent >= 0) {
            hand_on(I, a->r[i], &a->inertia[body->parent]);
        }
    }
    return a->weak < 0;
}

crank_status crank_articulated_fail(const crank_tree *tree, const crank_articulation *a,
                                    crank_error *err)
{
    return a->weak >= 0
               ? crank_fail(err, CRANK_RETRY, "%s has no inertia along its joint",
                            crank_eom_body_text(tree->s->eom, tree->shape->link[a->weak].body))
               : crank_fail(err, CRANK_RETRY, "a body has no inertia along its joint");
}

/* D of a link, or of a ball the least moment of inertia that A^-1 tells */
static double least_pivot(const crank_link *link, const crank_articulated *at)
{
    const double *i = at->inverse;
    return 1.0 / (link->kind == CRANK_LINK_BALL ? i[0] + i[3] + i[5] : i[0]);
}

bool crank_articulated_is_regular(const crank_tree *tree, crank_articulation *a)
{
    bool fine = crank_articulated_factor(tree, a);
    crank_inertia_set(tree, tree->inertia);
    crank_inertia_compose(tree, tree->inertia);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        double own = link->rotor;
        for (int k = 0; k < link->nv; k++) {
            own += crank_inertia_along(&tree->inertia[link->body], tree->link[l].S[k]);
        }
        fine = fine && least_pivot(link, &a->link[l]) > vanishing * own;
    }
    return fine;
}

/* ---- right-hand sides ---- */

/* along the link: moment about the axis, or force, or both */
static inline double take(const crank_tree *tree, int l, const double f[6])
{
    const crank_link *link = &tree->shape->link[l];
    const double *s = axis_of(tree, l);
    return link->kind == CRANK_LINK_TURN ? crank_dot3(s, f) + link->lead * crank_dot3(s, f + 3)
                                         : crank_dot3(s, f + 3);
}

/* u of a ball is in world axes, r and y are in those of its body */
static void push_ball(const crank_tree *tree, const crank_link *link, crank_articulated *at,
                      const double *r, double f[6])
{
    const double *R = tree->s->state[link->body].R;
    double w[3], t[3];
    crank_mat3_times(at->u, R, r + link->v);
    crank_add3(at->u, -1.0, f);
    times_symmetric(w, at->inverse, at->u);
    crank_mat3_transposed_times(t, at->U, w);
    memset(f, 0, 3 * sizeof *f);
    crank_add3(f + 3, 1.0, t);
}

static void push_body(const crank_tree *tree, crank_articulation *a, int i, const double *r)
{
    const crank_tree_body *body = &tree->shape->body[i];
    double *f = a->f[i];
    for (int l = body->first + body->count - 1; l >= body->first; l--) {
        const crank_link *link = &tree->shape->link[l];
        crank_articulated *at = &a->link[l];
        if (link->kind == CRANK_LINK_BALL) {
            push_ball(tree, link, at, r, f);
            continue;
        }
        at->u[0] = r[link->v] - take(tree, l, f);
        crank_add6(f, at->inverse[0] * at->u[0], at->U);
    }
    if (body->parent >= 0) {
        double moment[3], *on = a->f[body->parent];
        crank_cross3(moment, a->r[i], f + 3);
        crank_add6(on, 1.0, f);
        crank_add3(on, 1.0, moment);
    }
}

/* before a ball nothing turns: alpha is zero there, or does not count */
static void move_ball(const crank_tree *tree, const crank_link *link,
                      const crank_articulated *at, double acceleration[6], double *y)
{
    const double *R = tree->s->state[link->body].R;
    double left[3], t[3];
    crank_mat3_times(t, at->U, acceleration + 3);
    for (int k = 0; k < 3; k++) {
        left[k] = at->u[k] - t[k];
    }
    times_symmetric(acceleration, at->inverse, left);
    crank_mat3_transposed_times(y + link->v, R, acceleration);
}

static void move_body(const crank_tree *tree, crank_articulation *a, int i, double *y)
{
    const crank_tree_body *body = &tree->shape->body[i];
    double *acceleration = a->f[i]; /* f has been handed on */
    memset(acceleration, 0, sizeof a->f[i]);
    if (body->parent >= 0) {
        crank_cross3(acceleration + 3, a->f[body->parent], a->r[i]);
        crank_add6(acceleration, 1.0, a->f[body->parent]);
    }
    for (int l = body->first; l < body->first + body->count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const crank_articulated *at = &a->link[l];
        if (link->kind == CRANK_LINK_BALL) {
            move_ball(tree, link, at, acceleration, y);
            continue;
        }
        const double *s = axis_of(tree, l);
        y[link->v] = at->inverse[0] * (at->u[0] - crank_dot6(at->U, acceleration));
        if (link->kind == CRANK_LINK_TURN) {
            crank_add3(acceleration, y[link->v], s);
            crank_add3(acceleration + 3, link->lead * y[link->v], s);
        } else {
            crank_add3(acceleration + 3, y[link->v], s);
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
    a->r = crank_store_take(store, bodies, sizeof *a->r);
    a->weak = -1;
    return !store->failed;
}
