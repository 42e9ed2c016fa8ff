/* chain.c - the chain rule of joint coordinates. For a link i on the way to a body b, with V, A
 * before (1) and behind (2) the link, theory (7.68),
 *
 *     dV_b/dq_i = D_i - V_b x S_i,                 D_i = V_1 x S_i
 *     dA_b/dq_i = E_i - V_b x D_i - A_b x S_i,     E_i = V_1 x D_i + A_1 x S_i
 *     dA_b/dv_i = G_i - V_b x S_i,                 G_i = (V_1 + V_2) x S_i
 * so that of a function with gradients f_P (virtual displacements), f_V and f_A, theory (7.69),
 *     f_q = S_i.g_0 + D_i.g_1 + E_i.g_2,   f_v = S_i.g_1 + G_i.g_2,   f_v' = S_i.g_2
 *     g_0 = f_P + V_b x* f_V + A_b x* f_A,   g_1 = f_V + V_b x* f_A,   g_2 = f_A
 * where (g_0, g_1, g_2) is the same for all links, and of several bodies just their sum.
 * Derivatives by a quaternion are those by virtual rotations times 2 q* o.
 *
 * Behind a ball bodies move along with its point P and do not turn: what is before it moves
 * them by d = dP, and (g_0, g_1, g_2) becomes that of a function of P with the gradients by
 * place, speed and acceleration that are its last three numbers each; of a force behind it only
 * what acts at P goes on, (P x f, f), theory (7.72). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <math.h>
#include <string.h>

/* ---- gradients ---- */

/* six numbers (translation, rotation in body axes) of nv ones */
static void widen(crank_body_kind kind, const double *from, double to[6])
{
    const int translations = crank_body_translations(kind);
    memset(to, 0, 6 * sizeof *to);
    if (from == NULL) {
        return;
    }
    memcpy(to, from, (size_t)translations * sizeof *to);
    if (kind == CRANK_BODY_SPATIAL) {
        memcpy(to + 3, from + 3, 3 * sizeof *to);
    } else if (kind == CRANK_BODY_PLANAR) {
        to[5] = from[2];
    }
}

/* by virtual displacements: p' = Z v */
static void widen_position(const crank_body_state *state, const double *from, double to[6])
{
    if (from == NULL || state->kind != CRANK_BODY_SPATIAL) {
        widen(state->kind, from, to);
        return;
    }
    const double *q = state->q, *g = from + 3;
    memcpy(to, from, 3 * sizeof *to);
    to[3] = 0.5 * (-q[1] * g[0] + q[0] * g[1] + q[3] * g[2] - q[2] * g[3]);
    to[4] = 0.5 * (-q[2] * g[0] - q[3] * g[1] + q[0] * g[2] + q[1] * g[3]);
    to[5] = 0.5 * (-q[3] * g[0] + q[2] * g[1] - q[1] * g[2] + q[0] * g[3]);
}

void crank_tree_widen(const crank_tree *tree, const crank_by_body *by, double g[CRANK_GRADIENT])
{
    const crank_body_state *state = &tree->s->state[by->body];
    widen_position(state, by->p, g);
    widen(state->kind, by->v, g + 6);
    widen(state->kind, by->a, g + 12);
}

/* What moves a point or a body: V and A of what carries it, its place from O, its velocity. */
typedef struct carried {
    const double *V, *A, *c, *speed;
} carried;

/* f_P, f_V, f_A of gradients by place, speed and acceleration, and by rotations (turn, in the
 * world): x' = v_O + omega x c, x'' = a_O + alpha x c + omega x x'; rotations R^T omega,
 * R^T alpha */
static void lower(const carried *by, const double *g[3], double turn[3][3], double G[3][6])
{
    const double *omega = by->V, *alpha = by->A, *a = g[2];
    double x[3], v[3], t[3], fP[6], fV[6], fA[6];
    memcpy(x, g[0], sizeof x);
    memcpy(v, g[1], sizeof v);
    crank_cross3(t, a, omega);
    crank_add3(v, 1.0, t);
    crank_cross3(t, a, alpha);
    crank_add3(x, 1.0, t);
    crank_cross3(t, v, omega);
    crank_add3(x, 1.0, t);

    crank_cross3(fP, by->c, x);
    crank_add3(fP, 1.0, turn[0]);
    crank_cross3(t, turn[1], omega);
    crank_add3(fP, 1.0, t);
    crank_cross3(t, turn[2], alpha);
    crank_add3(fP, 1.0, t);
    memcpy(fP + 3, x, sizeof x);

    crank_cross3(fV, by->c, v);
    crank_add3(fV, 1.0, turn[1]);
    crank_cross3(t, by->speed, a);
    crank_add3(fV, 1.0, t);
    memcpy(fV + 3, v, sizeof v);

    crank_cross3(fA, by->c, a);
    crank_add3(fA, 1.0, turn[2]);
    memcpy(fA + 3, a, 3 * sizeof *fA);

    memcpy(G[0], fP, sizeof fP);
    crank_add_cross_force(G[0], by->V, fV);
    crank_add_cross_force(G[0], by->A, fA);
    memcpy(G[1], fV, sizeof fV);
    crank_add_cross_force(G[1], by->V, fA);
    memcpy(G[2], fA, sizeof fA);
}

void crank_tree_lower(const crank_tree *tree, int body, const double g[CRANK_GRADIENT],
                      double G[3][6])
{
    const crank_body_state *state = &tree->s->state[body];
    const crank_tree_value *at = &tree->body[body];
    if (tree->stage) { /* f_A alone */
        double moment[3];
        crank_mat3_times(moment, state->R, g + 15);
        crank_cross3(G[2], at->c, g + 12);
        crank_add3(G[2], 1.0, moment);
        memcpy(G[2] + 3, g + 12, 3 * sizeof *g);
        return;
    }
    const carried by = {at->V, at->A, at->c, state->v};
    const double *place[3] = {g, g + 6, g + 12};
    double turn[3][3];
    for (int k = 0; k < 3; k++) {
        crank_mat3_times(turn[k], state->R, g + 6 * k + 3);
    }
    lower(&by, place, turn, G);
}

/* ---- past balls ---- */

void crank_tree_pass_force(const crank_tree *tree, int l, double F[6])
{
    if (tree->shape->link[l].apart) {
        crank_cross3(F, tree->link[l].P, F + 3);
    }
}

void crank_tree_pass_gradient(const crank_tree *tree, int l, double G[3][6])
{
    const crank_link *link = &tree->shape->link[l];
    if (!link->apart) {
        return;
    }
    const crank_tree_value *on = &tree->body[tree->shape->body[link->body].parent];
    const crank_link_value *at = &tree->link[l];
    if (tree->stage) {
        crank_cross3(G[2], at->P, G[2] + 3);
        return;
    }
    const carried by = {on->V, on->A, at->P, at->in[0] + 3};
    double turn[3][3] = {{0.0}}, g[3][3];
    const double *place[3] = {g[0], g[1], g[2]};
    for (int k = 0; k < 3; k++) {
        memcpy(g[k], G[k] + 3, sizeof g[k]);
    }
    lower(&by, place, turn, G);
}

/* ---- entries ---- */

void crank_tree_by_quaternion(const double *q, const double turn[3], double out[4])
{
    const double f = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    out[0] = -f * (q[1] * turn[0] + q[2] * turn[1] + q[3] * turn[2]);
    out[1] = f * (q[0] * turn[0] - q[3] * turn[1] + q[2] * turn[2]);
    out[2] = f * (q[3] * turn[0] + q[0] * turn[1] - q[1] * turn[2]);
    out[3] = f * (-q[2] * turn[0] + q[1] * turn[1] + q[0] * turn[2]);
}

void crank_tree_fill_positions(const crank_tree *tree, int l, int row, double factor,
                               const double by[3], crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const int column = tree->column_p + link->p;
    if (link->kind != CRANK_LINK_BALL) {
        crank_fill_add(fill, row, column, factor * by[0]);
        return;
    }
    double out[4];
    crank_tree_by_quaternion(tree->link[l].q, by, out);
    crank_fill_row(fill, row, column, 4, factor, out);
}

/* of a link with one coordinate, all derivatives */
static inline void fill_single(const crank_tree *tree, int l, int row, double factor,
                               const double G[3][6], crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const crank_link_value *at = &tree->link[l];
    const double *S = at->S[0];
    const double q =
        crank_dot6(S, G[0]) + crank_dot6(at->D[0], G[1]) + crank_dot6(at->E[0], G[2]);
    const double v = crank_dot6(S, G[1]) + crank_dot6(at->G[0], G[2]), a = crank_dot6(S, G[2]);
    crank_fill_add(fill, row, tree->column_p + link->p, factor * q);
    crank_fill_add(fill, row, tree->column_v + link->v, factor * v);
    crank_fill_add(fill, row, tree->column_a + link->v, factor * a);
}

static void fill_link(const crank_tree *tree, int l, int row, double factor,
                      const double G[3][6], int depth, crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const crank_link_value *at = &tree->link[l];
    double q[3], v[3], a[3];
    if (link->nv == 1 && depth == 2 && !tree->stage) {
        fill_single(tree, l, row, factor, G, fill);
        return;
    }
    for (int k = 0; k < link->nv; k++) {
        if (!tree->stage) {
            q[k] = crank_dot6(at->S[k], G[0]);
            q[k] += depth > 0 ? crank_dot6(at->D[k], G[1]) : 0.0;
            q[k] += depth > 1 ? crank_dot6(at->E[k], G[2]) : 0.0;
            v[k] = depth > 0 ? crank_dot6(at->S[k], G[1]) : 0.0;
            v[k] += depth > 1 ? crank_dot6(at->G[k], G[2]) : 0.0;
        }
        a[k] = depth > 1 ? crank_dot6(at->S[k], G[2]) : 0.0;
    }
    if (!tree->stage) {
        crank_tree_fill_positions(tree, l, row, factor, q, fill);
    }
    if (!tree->stage && depth > 0) {
        crank_fill_row(fill, row, tree->column_v + link->v, link->nv, factor, v);
    }
    if (depth > 1) {
        crank_fill_row(fill, row, tree->column_a + link->v, link->nv, factor, a);
    }
}

void crank_tree_fill_path(const crank_tree *tree, int row, double factor, double G[3][6],
                          int depth, crank_path path, crank_fill *fill)
{
    for (int l = path.from; l != path.to; l = tree->shape->link[l].before) {
        fill_link(tree, l, row, factor, (const double(*)[6])G, depth, fill);
        if (tree->shape->link[l].apart) {
            crank_tree_pass_gradient(tree, l, G);
        }
    }
}

/* ---- functions of crank_chain ---- */

static void force(const crank_coordinates *c, int body, double factor, const double *J,
                  double *k)
{
    crank_tree *tree = crank_tree_of(c);
    double *load = tree->body[body].load;
    const int nv = tree->s->body[body].nv;
    (void)k; /* crank_tree_end_rows */
    for (int i = 0; i < nv; i++) {
        load[i] += factor * J[i];
    }
}

static void load(const crank_coordinates *c, int body, double factor, const double *J)
{
    crank_tree_value *on = &crank_tree_of(c)->body[body];
    const int nv = crank_tree_of(c)->s->body[body].nv;
    for (int i = 0; i < nv; i++) {
        const double term = factor * J[i];
        on->load[i] += term;
        on->size[i] += fabs(term);
    }
}

static void rate(const crank_coordinates *c, int body, double factor, const double *J,
                 double *row)
{
    const crank_tree *tree = crank_tree_of(c);
    double F[6];
    crank_tree_wrench(tree, body, J, F);
    for (int l = tree->shape->body[body].last; l >= 0; l = tree->shape->link[l].before) {
        const crank_link *link = &tree->shape->link[l];
        for (int k = 0; k < link->nv; k++) {
            row[link->v + k] += factor * crank_dot6(tree->link[l].S[k], F);
        }
        crank_tree_pass_force(tree, l, F);
    }
}

static void fill_row(const crank_coordinates *c, int row, double factor,
                     const crank_by_body *by, crank_fill *fill)
{
    crank_tree *tree = crank_tree_of(c);
    const int depth = by->a != NULL ? 2 : by->v != NULL ? 1 : 0;
    double g[CRANK_GRADIENT], G[3][6];
    crank_tree_widen(tree, by, g);
    if (by->v != NULL || tree->stage) {
        crank_tree_vanish_add(tree, row, factor, g);
    }
    crank_tree_lower(tree, by->body, g, G);
    crank_tree_fill_path(tree, row, factor, G, depth,
                         (crank_path){tree->shape->body[by->body].last, -1}, fill);
}

static void fill_force(const crank_coordinates *c, int body, double factor, const double *J,
                       int column, crank_fill *fill)
{
    const crank_tree *tree = crank_tree_of(c);
    double F[6];
    crank_tree_wrench(tree, body, J, F);
    for (int l = tree->shape->body[body].last; l >= 0; l = tree->shape->link[l].before) {
        const crank_link *link = &tree->shape->link[l];
        for (int k = 0; k < link->nv; k++) {
            crank_fill_add(fill, tree->row_d + link->v + k, column,
                           factor * crank_dot6(tree->link[l].S[k], F));
        }
        crank_tree_pass_force(tree, l, F);
    }
}

const crank_chain crank_tree_chain = {force,    load,       rate,
                                      fill_row, fill_force, crank_tree_fill_force_by};
