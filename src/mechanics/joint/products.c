/* products.c - entries of the balances of forces of a compiled tree, theory (7.82): products of
 * each link's directions i with those of the links j on the way from it to the ground, as row
 * and as column. What is by q and by v is made side by side, what is by v' once for both, for
 * the mass matrix is symmetric; slides on nothing but slides move nothing that turns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/compiled.h"

#include "mechanics/joint/emit.h"
#include "mechanics/joint/spatial.h"

/* ---- sums of a direction ---- */

/* out = I m, six numbers, each of which is so far from the one before */
static inline void momentum(const double *I, const double *m, int stride, double *out)
{
    const double *h = I + EMIT_H, *J = I + EMIT_J;
    const double w[3] = {m[0], m[stride], m[2 * stride]},
                 v[3] = {m[3 * stride], m[4 * stride], m[5 * stride]};
    out[0] = J[0] * w[0] + J[1] * w[1] + J[2] * w[2] + h[1] * v[2] - h[2] * v[1];
    out[stride] = J[1] * w[0] + J[3] * w[1] + J[4] * w[2] + h[2] * v[0] - h[0] * v[2];
    out[2 * stride] = J[2] * w[0] + J[4] * w[1] + J[5] * w[2] + h[0] * v[1] - h[1] * v[0];
    out[3 * stride] = I[0] * v[0] + w[1] * h[2] - w[2] * h[1];
    out[4 * stride] = I[0] * v[1] + w[2] * h[0] - w[0] * h[2];
    out[5 * stride] = I[0] * v[2] + w[0] * h[1] - w[1] * h[0];
}

/* out += B m, of which counts the rotation; every second number */
static inline void add_B(const double *I, const double *m, double *out)
{
    const double *U = I + EMIT_U, *p = I + EMIT_P, w[3] = {m[0], m[2], m[4]};
    out[0] += U[0] * w[0] + U[1] * w[1] + U[2] * w[2];
    out[2] += U[3] * w[0] + U[4] * w[1] + U[5] * w[2];
    out[4] += U[6] * w[0] + U[7] * w[1] + U[8] * w[2];
    out[6] += 2.0 * (w[1] * p[2] - w[2] * p[1]);
    out[8] += 2.0 * (w[2] * p[0] - w[0] * p[2]);
    out[10] += 2.0 * (w[0] * p[1] - w[1] * p[0]);
}

/* out = rotation of B^T S = (U^T s_w + 2 p x s_v, 0) */
static inline void set_rotation(const double *I, const double *S, double *out)
{
    const double *U = I + EMIT_U, *p = I + EMIT_P;
    double moment[3];
    crank_cross3(moment, p, S + 3);
    for (int i = 0; i < 3; i++) {
        out[i] = U[i] * S[0] + U[3 + i] * S[1] + U[6 + i] * S[2] + 2.0 * moment[i];
    }
}

/* I S, B^T S; I E + B D + S x* F, I G + B S */
static void make_sums(const double *I, double *at)
{
    const double *S = at + EMIT_DIRECTION;
    double *by_q = at + EMIT_BY_SUMS, *by_v = by_q + 1, turned[6] = {0.0};
    momentum(I, S, 1, at + EMIT_INERTIA);
    set_rotation(I, S, at + EMIT_INERTIA + 6);
    momentum(I, at, 2, by_q);
    add_B(I, at + 12, by_q);
    momentum(I, at + 1, 2, by_v);
    add_B(I, at + 13, by_v);
    crank_add_cross_force(turned, S, I + EMIT_F);
    for (int i = 0; i < 6; i++) {
        by_q[2 * i] += turned[i];
    }
}

/* what is by q of a ball: by the components of its quaternion */
static void turn_sums(const double *q, double *at)
{
    for (int i = 0; i < EMIT_DIRECTION; i += 2) {
        const double turn[3] = {at[i], at[EMIT_DERIVATIVE + i], at[2 * EMIT_DERIVATIVE + i]};
        double by[4];
        crank_tree_by_quaternion(q, turn, by);
        for (int c = 0; c < 4; c++) {
            at[c * EMIT_DERIVATIVE + i] = by[c];
        }
    }
}

static void make_all_sums(const crank_tree *tree, double *w)
{
    const crank_tree_shape *shape = tree->shape;
    const double *composite = w + (ptrdiff_t)EMIT_DERIVATIVE * shape->np;
    for (int l = 0; l < shape->link_count; l++) {
        const crank_link *link = &shape->link[l];
        double *at = w + (ptrdiff_t)EMIT_DERIVATIVE * link->p;
        for (int k = 0; k < link->nv; k++) {
            make_sums(composite + (ptrdiff_t)EMIT_COMPOSITE * link->body,
                      at + (ptrdiff_t)EMIT_DERIVATIVE * k);
        }
        if (link->kind == CRANK_LINK_BALL) {
            turn_sums(tree->link[l].q, at);
        }
    }
}

/* ---- pairs of directions ---- */

/* d_i by q and v of j: (E_j, G_j).I S_i + (D_j, S_j).B^T S_i */
static inline void by_before(const double *i, const double *j, double out[2])
{
    const double *r = i + EMIT_INERTIA;
    for (int c = 0; c < 2; c++, j++) {
        out[c] = r[0] * j[0] + r[1] * j[2] + r[2] * j[4] + r[3] * j[6] + r[4] * j[8] +
                 r[5] * j[10] + r[6] * j[12] + r[7] * j[14] + r[8] * j[16];
    }
}

/* d_j by q and v of i, which is behind it */
static inline void by_behind(const double *j, const double *i, double out[2])
{
    const double *S = j + EMIT_DIRECTION;
    i += EMIT_BY_SUMS;
    for (int c = 0; c < 2; c++, i++) {
        out[c] =
            S[0] * i[0] + S[1] * i[2] + S[2] * i[4] + S[3] * i[6] + S[4] * i[8] + S[5] * i[10];
    }
}

/* the same where j does not turn */
static inline void by_behind_straight(const double *j, const double *i, double out[2])
{
    const double *S = j + EMIT_DIRECTION;
    i += EMIT_BY_SUMS;
    for (int c = 0; c < 2; c++, i++) {
        out[c] = S[3] * i[6] + S[4] * i[8] + S[5] * i[10];
    }
}

/* by accelerations */
static inline double mass(const double *i, const double *j)
{
    return crank_dot6(i + EMIT_INERTIA, j + EMIT_DIRECTION);
}

static inline double mass_straight(const double *i, const double *j)
{
    return crank_dot3(i + EMIT_INERTIA + 3, j + EMIT_DIRECTION + 3);
}

/* ---- a ball's columns: 4 by q, 3 by v, 3 by v' ---- */

enum { BALL = 10 };

static inline void by_ball_before(const double *i, const double *j, double out[BALL])
{
    for (int c = 0; c < 4; c++, j += EMIT_DERIVATIVE) {
        double both[2];
        by_before(i, j, both);
        out[c] = both[0];
        if (c < 3) {
            out[4 + c] = both[1];
            out[7 + c] = mass(i, j);
        }
    }
}

/* of a ball l itself: rows by itself and by slides before it, then rows of these by it */
static double *fill_ball(const crank_tree *tree, const crank_tree_products *p, int l,
                         double *out)
{
    const crank_link *link = tree->shape->link;
    const double *i = p->w + (ptrdiff_t)EMIT_DERIVATIVE * link[l].p;
    for (int k = 0; k < 3; k++) {
        const double *row = i + (ptrdiff_t)EMIT_DERIVATIVE * k;
        by_ball_before(row, i, out);
        out += BALL;
        for (int j = link[l].before; j >= 0; j = link[j].before, out += 3) {
            const double *by = p->w + (ptrdiff_t)EMIT_DERIVATIVE * link[j].p;
            by_before(row, by, out);
            out[2] = mass(row, by);
        }
    }
    for (int j = link[l].before; j >= 0; j = link[j].before, out += BALL) {
        const double *row = p->w + (ptrdiff_t)EMIT_DERIVATIVE * link[j].p;
        for (int c = 0; c < 4; c++) {
            const double *by = i + (ptrdiff_t)EMIT_DERIVATIVE * c;
            double both[2];
            by_behind(row, by, both);
            out[c] = both[0];
            if (c < 3) {
                out[4 + c] = both[1];
                out[7 + c] = mass(by, row);
            }
        }
    }
    return out;
}

/* ---- a link with one coordinate ---- */

/* rows of a ball j by a link i behind it; as: (d_i by v' of j) */
static inline void by_behind_ball(const double *j, const double *i, const double as[3],
                                  double out[9])
{
    for (int k = 0; k < 3; k++, j += EMIT_DERIVATIVE, out += 3) {
        by_behind(j, i, out);
        out[2] = as[k];
    }
}

static double *fill_single(const crank_tree *tree, const crank_tree_products *p, int l,
                           double *row)
{
    const crank_link *link = tree->shape->link;
    const double *i = p->w + (ptrdiff_t)EMIT_DERIVATIVE * link[l].p;
    double *column = row + p->way[l];
    if (link[l].rotor > 0.0) { /* as in derivatives.c: behind the row */
        *column++ = link[l].rotor;
    }
    by_before(i, i, row);
    row[2] = mass(i, i);
    row += 3;
    for (int j = link[l].before; j >= 0; j = link[j].before) {
        const double *by = p->w + (ptrdiff_t)EMIT_DERIVATIVE * link[j].p;
        if (p->still[j]) {
            row[0] = row[1] = 0.0;
            row[2] = column[2] = mass_straight(i, by);
            by_behind_straight(by, i, column);
        } else if (link[j].nv == 1) {
            by_before(i, by, row);
            row[2] = column[2] = mass(i, by);
            by_behind(by, i, column);
        } else {
            by_ball_before(i, by, row);
            by_behind_ball(by, i, row + 7, column);
            row += BALL;
            column += 9;
            continue;
        }
        row += 3;
        column += 3;
    }
    return column;
}

void crank_tree_products_fill(const crank_tree *tree, const crank_tree_products *p,
                              crank_fill *fill)
{
    make_all_sums(tree, p->w);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const double *end = tree->shape->link[l].nv == 1 ? fill_single(tree, p, l, p->value)
                                                         : fill_ball(tree, p, l, p->value);
        crank_fill_next(fill, (int)(end - p->value), 1.0, p->value);
    }
}

/* ---- creation ---- */

bool crank_tree_products_create(crank_tree *tree, int size, crank_tree_products *out)
{
    const crank_tree_shape *shape = tree->shape;
    crank_store *store = &tree->s->store;
    const size_t links = (size_t)shape->link_count + 1;
    int most = 0;
    *out = (crank_tree_products){.size = size,
                                 .w = crank_store_take(store, (size_t)size, sizeof *out->w),
                                 .way = crank_store_take(store, links, sizeof *out->way),
                                 .still = crank_store_take(store, links, sizeof *out->still)};
    if (store->failed || size == 0) {
        return false;
    }
    for (int l = 0; l < shape->link_count; l++) { /* links before have smaller numbers */
        const crank_link *link = &shape->link[l];
        const int j = link->before, before = j >= 0 ? out->way[j] : 0;
        out->way[l] = before + link->np + 2 * link->nv;
        out->still[l] = link->kind == CRANK_LINK_SLIDE && (j < 0 || out->still[j]);
        const int all = link->nv * out->way[l] + (link->np + 2 * link->nv) * before + 1;
        most = all > most ? all : most;
    }
    out->value = crank_store_take(store, (size_t)most, sizeof *out->value);
    return !store->failed;
}
