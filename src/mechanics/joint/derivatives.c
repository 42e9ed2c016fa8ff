/* derivatives.c - derivatives of the balance of forces in joint coordinates, d_i = S_i.F_i.
 *
 * Changes of the force on a body by the motion of a body are collected as blocks of six rows,
 * which become rows about O of (g_0, g_1, g_2), chain.c. Blocks of a body on itself are summed
 * inwards: the composite of all that hangs behind a joint, theory (7.70),
 *     d_i by link j:  S_i^T C_k (g_0, g_1, g_2 of j),   k the outer one of i and j
 * whose part by accelerations is the mass matrix by composite bodies (Walker and Orin, 1982).
 * Where j is not behind i, S_i turns with j: S_j.(S_i x* F_i) is added. Forces between two
 * bodies act on links that are on the way to both as blocks of the last common body; other
 * links are gone through one by one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <stdlib.h>
#include <string.h>

/* the first column of blocks that counts */
static inline int first_column(const crank_tree *tree)
{
    return tree->stage ? 12 : 0;
}

/* ---- at the beginning: rows of links and bodies themselves ---- */

static void prepare_link(crank_link_value *at, int nv)
{
    double both[6], turned[6];
    memcpy(both, at->in[0], sizeof both);
    crank_add6(both, 1.0, at->out);
    for (int k = 0; k < nv; k++) {
        crank_cross_motion(at->D[k], at->in[0], at->S[k]);
        crank_cross_motion(at->G[k], both, at->S[k]);
        crank_cross_motion(at->E[k], at->in[0], at->D[k]);
        crank_cross_motion(turned, at->in[1], at->S[k]);
        crank_add6(at->E[k], 1.0, turned);
    }
}

void crank_tree_fill_kinematics(const crank_tree *tree, int l, crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const int kin = tree->row_kin + link->p, p = tree->column_p + link->p,
              v = tree->column_v + link->v;
    for (int k = 0; k < link->nv; k++) {
        crank_fill_add(fill, tree->row_dyn + link->v + k, tree->column_a + link->v + k, 1.0);
    }
    if (link->kind != CRANK_LINK_BALL) {
        crank_fill_add(fill, kin, v, 1.0);
        return;
    }
    const double *q = tree->link[l].q;
    double by_q[4][4], by_omega[4][3];
    crank_quaternion_product_matrices(q, tree->link[l].omega, by_q, by_omega);
    for (int i = 0; i < 4; i++) {
        crank_fill_row(fill, kin + i, p, 4, 0.5, by_q[i]);
        crank_fill_row(fill, kin + i, v, 3, 0.5, by_omega[i]);
    }
    crank_fill_row(fill, tree->row_n + link->n, p, 4, 1.0, q);
}

void crank_tree_begin_blocks(crank_tree *tree)
{
    const int bodies = tree->shape->body_count;
    for (int i = 0; i < bodies; i++) {
        memset(tree->body[i].load, 0, sizeof tree->body[i].load);
        memset(tree->body[i].size, 0, sizeof tree->body[i].size);
    }
    memset(tree->touched, 0, (size_t)bodies * sizeof *tree->touched);
    for (int i = 0; i < tree->pairs->count; i++) {
        memset(tree->change[i], 0, sizeof tree->change[i]);
    }
    tree->call = 0;
    crank_tree_vanish_begin(tree);
}

void crank_tree_fill(const crank_system *s, crank_fill *fill)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    for (int l = 0; l < tree->shape->link_count; l++) {
        prepare_link(&tree->link[l], tree->shape->link[l].nv);
        crank_tree_fill_kinematics(tree, l, fill);
    }
    crank_tree_begin_blocks(tree);
}

/* ---- forces by motions ---- */

/* the last body on the ways from the ground to both, -1: none */
static int common_body(const crank_tree_shape *shape, int a, int b)
{
    for (int i = a; i >= 0; i = shape->body[i].parent) {
        for (int j = b; j >= 0; j = shape->body[j].parent) {
            if (i == j) {
                return i;
            }
        }
    }
    return -1;
}

static int find_pair(crank_tree *tree, int body, int by)
{
    crank_tree_pairs *pairs = tree->pairs;
    for (int i = pairs->count - 1; i >= 0; i--) {
        if (pairs->item[i].body == body && pairs->item[i].by == by) {
            return i;
        }
    }
    crank_tree_pair *item =
        crank_grow(pairs->item, pairs->count, &pairs->capacity, sizeof *item);
    if (item == NULL) {
        return -1;
    }
    pairs->item = item;
    crank_tree_block *change =
        realloc(tree->change, ((size_t)pairs->count + 1) * sizeof *change);
    if (change == NULL) {
        return -1;
    }
    tree->change = change;
    memset(change[pairs->count], 0, sizeof *change);
    item[pairs->count] =
        (crank_tree_pair){.body = body, .by = by, .common = common_body(tree->shape, body, by)};
    return pairs->count++;
}

/* while additions are recorded: what the next call means; -2: out of memory */
static int note_call(crank_tree *tree, int body, int by)
{
    crank_tree_calls *calls = &tree->pairs->calls[tree->stage];
    if (tree->call < calls->count) {
        return calls->item[tree->call++];
    }
    int *item = crank_grow(calls->item, calls->count, &calls->capacity, sizeof *item);
    if (item == NULL) {
        return -2;
    }
    calls->item = item;
    int pair = -1;
    if (body != by) {
        pair = find_pair(tree, body, by);
        if (pair < 0) {
            return -2;
        }
    }
    item[calls->count++] = pair;
    tree->call++;
    return pair;
}

/* rows of a block along v of a body; others are zero */
static const int row_of[][6] = {[CRANK_BODY_SPATIAL] = {0, 1, 2, 3, 4, 5},
                                [CRANK_BODY_PLANAR] = {0, 1, 5},
                                [CRANK_BODY_POINT] = {0, 1, 2},
                                [CRANK_BODY_PLANAR_POINT] = {0, 1}};

void crank_tree_fill_force_by(const crank_coordinates *c, int body,
                              const crank_force_change *change, const crank_by_body *by,
                              crank_fill *fill)
{
    crank_tree *tree = crank_tree_of(c);
    const crank_body *on = &tree->s->body[body];
    const int pair = fill->recording ? note_call(tree, body, by->body)
                                     : tree->pairs->calls[tree->stage].item[tree->call++];
    if (pair < -1) {
        fill->failed = true;
        return;
    }
    double(*block)[CRANK_GRADIENT] = pair >= 0 ? tree->change[pair] : tree->own[body];
    if (pair < 0 && !tree->touched[body]) {
        memset(block, 0, sizeof(crank_tree_block));
        tree->touched[body] = true;
    }
    double g[CRANK_GRADIENT], turned[CRANK_GRADIENT];
    if (change->J != NULL) {
        crank_tree_widen(tree, by, g);
    }
    for (int i = 0; i < on->nv; i++) {
        double *row = block[row_of[on->kind][i]];
        if (change->J != NULL) {
            const double f = change->factor * change->J[i];
            for (int j = first_column(tree); j < CRANK_GRADIENT; j++) {
                row[j] += f * g[j];
            }
        }
        if (change->K != NULL && !tree->stage) {
            const crank_by_body turn = {.body = by->body, .p = change->K + i * change->stride};
            crank_tree_widen(tree, &turn, turned);
            for (int j = 0; j < 6; j++) {
                row[j] += change->effort * turned[j];
            }
        }
    }
}

/* ---- at the end ---- */

/* rows along v of a body by a body become rows about O */
static void lower_block(const crank_tree *tree, int body, int by, crank_tree_block block)
{
    const crank_body_state *state = &tree->s->state[body];
    const double *R = state->R, *c = tree->body[body].c;
    const crank_body *on = &tree->s->body[body];
    crank_tree_block low = {{0.0}};
    for (int i = 0; i < on->nv; i++) {
        const int r = row_of[on->kind][i];
        crank_tree_lower(tree, by, block[r], (double(*)[6])low[r]);
    }
    for (int j = first_column(tree); j < CRANK_GRADIENT; j++) {
        const double f[3] = {low[0][j], low[1][j], low[2][j]},
                     m[3] = {low[3][j], low[4][j], low[5][j]};
        double moment[3], turned[3];
        crank_cross3(moment, c, f);
        crank_mat3_times(turned, R, m);
        for (int i = 0; i < 3; i++) {
            block[i][j] = moment[i] + turned[i];
            block[3 + i][j] = f[i];
        }
    }
}

/* Inertia, theory (7.71): behind it turned loads, which are those of inertia, too. About O
 *     by displacements  (c x (e x f), e x f),      f = m x''
 *     by velocities    (K e + c x f_e, f_e),    K e = omega x (2 J - tr J) e,  f_e = 2 m e x x'
 * for rotations e; displacements and velocities of O change nothing. By accelerations I. */
static void add_inertia(const crank_tree *tree, int i, crank_tree_block block)
{
    const crank_inertia *I = &tree->inertia[i];
    const crank_body_state *state = &tree->s->state[i];
    const crank_tree_value *at = &tree->body[i];
    const double m = I->m, *c = at->c, *h = I->h, *J = I->J, *o = at->V;
    /* 2 J - tr J about the centre of mass, (J_O without that of a mass at c) */
    const double cc = crank_dot3(c, c), trace = J[0] + J[3] + J[5] - 2.0 * m * cc;
    const double K[3][3] = {{2.0 * (J[0] - m * (cc - c[0] * c[0])) - trace,
                             2.0 * (J[1] + m * c[0] * c[1]), 2.0 * (J[2] + m * c[0] * c[2])},
                            {2.0 * (J[1] + m * c[0] * c[1]),
                             2.0 * (J[3] - m * (cc - c[1] * c[1])) - trace,
                             2.0 * (J[4] + m * c[1] * c[2])},
                            {2.0 * (J[2] + m * c[0] * c[2]), 2.0 * (J[4] + m * c[1] * c[2]),
                             2.0 * (J[5] - m * (cc - c[2] * c[2])) - trace}};
    const double full[6][6] = {
        {J[0], J[1], J[2], 0.0, -h[2], h[1]}, {J[1], J[3], J[4], h[2], 0.0, -h[0]},
        {J[2], J[4], J[5], -h[1], h[0], 0.0}, {0.0, h[2], -h[1], m, 0.0, 0.0},
        {-h[2], 0.0, h[0], 0.0, m, 0.0},      {h[1], -h[0], 0.0, 0.0, 0.0, m}};
    for (int j = 0; j < 3; j++) {
        double e[3] = {0.0, 0.0, 0.0}, f[3], moment[3], turned[3];
        e[j] = m;
        crank_cross3(f, e, state->a);
        crank_cross3(moment, c, f);
        for (int r = 0; r < 3; r++) {
            block[r][j] += moment[r];
            block[3 + r][j] += f[r];
        }
        e[j] = 2.0 * m;
        crank_cross3(f, e, state->v);
        crank_cross3(moment, c, f);
        crank_cross3(turned, o, K[j]); /* K is symmetric */
        for (int r = 0; r < 3; r++) {
            block[r][6 + j] += moment[r] + turned[r];
            block[3 + r][6 + j] += f[r];
        }
    }
    for (int r = 0; r < 6; r++) {
        crank_add6(block[r] + 12, 1.0, full[r]);
    }
}

/* F = (R m + c x f, f) turns with its body: R m moves with rotations, c with displacements */
static void add_turned_load(const crank_tree *tree, int body, crank_tree_block block)
{
    const crank_tree_value *at = &tree->body[body];
    const double *f = at->wrench + 3, *c = at->c;
    double m[3], t[3], u[3];
    crank_cross3(t, c, f);
    for (int i = 0; i < 3; i++) {
        m[i] = at->wrench[i] - t[i];
    }
    for (int j = 0; j < 3; j++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[j] = 1.0;
        crank_cross3(t, e, m); /* turned by e: e x m + (e x c) x f */
        crank_cross3(u, e, c);
        double w[3];
        crank_cross3(w, u, f);
        crank_cross3(u, e, f); /* moved by e: e x f */
        for (int i = 0; i < 3; i++) {
            block[i][j] += t[i] + w[i];
            block[i][3 + j] += u[i];
        }
    }
}

/* rows of forces past a link; load (NULL: none): the force that moves along with P */
static void pass_rows(const crank_tree *tree, int l, const double *load, crank_tree_block block)
{
    const double *P = tree->link[l].P;
    if (!tree->shape->link[l].apart) {
        return;
    }
    for (int j = first_column(tree); j < CRANK_GRADIENT; j++) {
        const double f[3] = {block[3][j], block[4][j], block[5][j]};
        double moment[3];
        crank_cross3(moment, P, f);
        for (int i = 0; i < 3; i++) {
            block[i][j] = moment[i];
        }
    }
    for (int i = 0; i < 3 && load != NULL; i++) { /* d(P x f) = dP x f */
        double e[3] = {0.0, 0.0, 0.0}, by_P[3];
        e[i] = 1.0;
        crank_cross3(by_P, load, e);
        crank_add3(block[i] + 3, 1.0, by_P);
    }
}

static void pass_gradients(const crank_tree *tree, int l, crank_tree_block block)
{
    for (int i = 0; i < 6 && tree->shape->link[l].apart; i++) {
        crank_tree_pass_gradient(tree, l, (double(*)[6])block[i]);
    }
}

/* S^T block */
static void combine(const crank_tree *tree, const double S[6], const crank_tree_block block,
                    double G[3][6])
{
    double *g = G[0];
    if (tree->stage) {
        memset(g + 12, 0, 6 * sizeof *g);
        for (int i = 0; i < 6; i++) {
            crank_add6(g + 12, S[i], block[i] + 12);
        }
        return;
    }
    memset(g, 0, CRANK_GRADIENT * sizeof *g);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < CRANK_GRADIENT; j++) {
            g[j] += S[i] * block[i][j];
        }
    }
}

static void fill_pair_row(const crank_tree *tree, int l, crank_tree_block block,
                          crank_path columns, crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    for (int k = 0; k < link->nv; k++) {
        double G[3][6];
        combine(tree, tree->link[l].S[k], (const double(*)[CRANK_GRADIENT])block, G);
        crank_tree_fill_path(tree, tree->row_d + link->v + k, 1.0, G, 2, columns, fill);
    }
}

/* Rows of links before the common body have columns of all links; others of links behind it,
 * too; what is left is a block of the common body. */
static void fill_pair(crank_tree *tree, int i, bool kept, crank_fill *fill)
{
    const crank_tree_pair *pair = &tree->pairs->item[i];
    double(*block)[CRANK_GRADIENT] = tree->change[i];
    const crank_tree_shape *shape = tree->shape;
    const int middle = pair->common >= 0 ? shape->body[pair->common].last : -1;
    const int from = shape->body[pair->by].last;
    lower_block(tree, pair->body, pair->by, block);
    if (kept) {
        crank_tree_keep_pair(tree, i, (const double(*)[CRANK_GRADIENT])block);
    }
    for (int l = shape->body[pair->body].last; l != middle; l = shape->link[l].before) {
        fill_pair_row(tree, l, block, (crank_path){from, -1}, fill);
        pass_rows(tree, l, NULL, block);
    }
    if (pair->common < 0) {
        return;
    }
    crank_tree_block rest;
    memcpy(rest, block, sizeof rest);
    for (int l = middle; l >= 0 && from != middle; l = shape->link[l].before) {
        fill_pair_row(tree, l, rest, (crank_path){from, middle}, fill);
        pass_rows(tree, l, NULL, rest);
    }
    for (int l = from; l != middle; l = shape->link[l].before) {
        pass_gradients(tree, l, block);
    }
    for (int r = 0; r < 6; r++) {
        for (int j = first_column(tree); j < CRANK_GRADIENT; j++) {
            tree->own[pair->common][r][j] += block[r][j];
        }
    }
}

static void fill_pairs(crank_tree *tree, bool kept, crank_fill *fill)
{
    for (int i = 0; i < tree->pairs->count; i++) {
        fill_pair(tree, i, kept, fill);
    }
}

/* changes of forces go past a link */
static void pass_columns(const crank_tree *tree, int l, int count, double q[3][6],
                         double v[3][6], double a[3][6])
{
    for (int k = 0; k < count && tree->shape->link[l].apart; k++) {
        crank_tree_pass_force(tree, l, a[k]);
        if (!tree->stage) {
            crank_tree_pass_force(tree, l, q[k]);
            crank_tree_pass_force(tree, l, v[k]);
        }
    }
}

/* columns of a link with one coordinate in rows of the links before it, up to the first ball;
 * the link from which on others are to be gone through, -1: none */
static int fill_single_columns(const crank_tree *tree, int l, double q[6], double v[6],
                               double a[6], crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    int j = link->before;
    for (; j >= 0 && tree->shape->link[j].nv == 1; j = tree->shape->link[j].before) {
        const double *S = tree->link[j].S[0];
        const int d = tree->row_d + tree->shape->link[j].v;
        crank_fill_add(fill, d, tree->column_p + link->p, crank_dot6(S, q));
        crank_fill_add(fill, d, tree->column_v + link->v, crank_dot6(S, v));
        crank_fill_add(fill, d, tree->column_a + link->v, crank_dot6(S, a));
    }
    return j;
}

/* columns of link l in rows of the links before it */
static void fill_columns(const crank_tree *tree, int l, const crank_tree_block C,
                         crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const crank_link_value *at = &tree->link[l];
    double q[3][6], v[3][6], a[3][6];
    for (int k = 0; k < link->nv; k++) {
        for (int i = 0; i < 6; i++) {
            a[k][i] = crank_dot6(C[i] + 12, at->S[k]);
            if (!tree->stage) {
                q[k][i] = crank_dot6(C[i], at->S[k]) + crank_dot6(C[i] + 6, at->D[k]) +
                          crank_dot6(C[i] + 12, at->E[k]);
                v[k][i] = crank_dot6(C[i] + 6, at->S[k]) + crank_dot6(C[i] + 12, at->G[k]);
            }
        }
    }
    pass_columns(tree, l, link->nv, q, v, a);
    const int from = link->nv == 1 && !tree->stage
                         ? fill_single_columns(tree, l, q[0], v[0], a[0], fill)
                         : link->before;
    for (int j = from; j >= 0; j = tree->shape->link[j].before) {
        const crank_link *row = &tree->shape->link[j];
        for (int i = 0; i < row->nv; i++) {
            const double *S = tree->link[j].S[i];
            const int d = tree->row_d + row->v + i;
            double by_q[3], by_v[3], by_a[3];
            for (int k = 0; k < link->nv; k++) {
                by_a[k] = crank_dot6(S, a[k]);
                by_q[k] = tree->stage ? 0.0 : crank_dot6(S, q[k]);
                by_v[k] = tree->stage ? 0.0 : crank_dot6(S, v[k]);
            }
            if (!tree->stage) {
                crank_tree_fill_positions(tree, l, d, 1.0, by_q, fill);
                crank_fill_row(fill, d, tree->column_v + link->v, link->nv, 1.0, by_v);
            }
            crank_fill_row(fill, d, tree->column_a + link->v, link->nv, 1.0, by_a);
        }
        pass_columns(tree, j, link->nv, q, v, a);
    }
}

static void fill_composites(const crank_tree *tree, crank_fill *fill)
{
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const crank_tree_block *C = (const crank_tree_block *)&tree->own[link->body];
        const bool thin = crank_tree_is_thin(&tree->s->body[link->body]);
        for (int k = 0; k < link->nv; k++) {
            const double *S = tree->link[l].S[k];
            double G[3][6];
            combine(tree, S, *C, G);
            if (thin) {
                crank_tree_clear_massless(*C, S, G[2]);
            }
            if (!tree->stage) {
                crank_add_cross_force(G[0], S, tree->body[link->body].F);
            }
            crank_tree_fill_path(tree, tree->row_d + link->v + k, 1.0, G, 2,
                                 (crank_path){l, -1}, fill);
        }
        if (link->rotor > 0.0 && !tree->stage) { /* there it is part of M */
            crank_fill_add(fill, tree->row_d + link->v, tree->column_a + link->v, link->rotor);
        }
        fill_columns(tree, l, *C, fill);
    }
}

/* the block of a body becomes part of that of the body before it */
static void hand_on(crank_tree *tree, int i)
{
    const crank_tree_body *body = &tree->shape->body[i];
    crank_tree_block block;
    memcpy(block, tree->own[i], sizeof block);
    if (body->count > 0) {
        pass_rows(tree, body->first, tree->stage ? NULL : tree->body[i].F + 3, block);
        pass_gradients(tree, body->first, block);
    }
    for (int r = 0; r < 6; r++) {
        for (int j = first_column(tree); j < CRANK_GRADIENT; j++) {
            tree->own[body->parent][r][j] += block[r][j];
        }
    }
}

void crank_tree_fill_blocks(crank_tree *tree, crank_fill *fill)
{
    const crank_tree_shape *shape = tree->shape;
    if (!tree->stage) {
        crank_inertia_set(tree, tree->inertia);
    }
    for (int i = 0; i < shape->body_count; i++) {
        if (tree->touched[i]) {
            lower_block(tree, i, i, tree->own[i]);
        } else {
            memset(tree->own[i], 0, sizeof tree->own[i]);
        }
        if (!tree->stage) {
            if (!fill->laws_alone) {
                add_inertia(tree, i, tree->own[i]);
            }
            add_turned_load(tree, i, tree->own[i]);
        }
    }
    const bool kept = tree->s->eom->recursion_wanted && !tree->stage && !fill->recording;
    if (kept) {
        crank_tree_keep_blocks(tree);
    }
    fill_pairs(tree, kept, fill);
    for (int k = shape->body_count - 1; k >= 0; k--) {
        if (shape->body[shape->order[k]].parent >= 0) {
            hand_on(tree, shape->order[k]);
        }
    }
    fill_composites(tree, fill);
}

void crank_tree_end_fill(const crank_system *s, crank_fill *fill)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    crank_tree_sum_loads(tree);
    crank_tree_sum_terms(tree);
    crank_tree_fill_blocks(tree, fill);
    if (!fill->recording) {
        crank_tree_vanish_clear(tree, fill->values);
    }
}
