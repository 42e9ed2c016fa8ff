/* rows.c - rows of the eom in joint coordinates:
 *
 *     d     S_i . F_i + J_i v_i'       recursive Newton-Euler, theory (7.67), rotors (7.76)
 *     dyn   v' = w,   kin   p' = v, of quaternions 1/2 q o omega,   n   (q.q - 1)/2 */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/compiled.h"
#include "mechanics/joint/spatial.h"

#include <string.h>

static void differential_rows(const crank_tree *tree, const double *x, double *k)
{
    const double *p = x + tree->column_p, *v = x + tree->column_v;
    memcpy(k + tree->row_dyn, x + tree->column_a, (size_t)tree->shape->nv * sizeof *k);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        double *kin = k + tree->row_kin + link->p;
        if (link->kind != CRANK_LINK_BALL) {
            kin[0] = v[link->v];
            continue;
        }
        const double *o = v + link->v, omega[4] = {0.0, 0.5 * o[0], 0.5 * o[1], 0.5 * o[2]};
        crank_quaternion_multiply(kin, p + link->p, omega);
    }
}

void crank_tree_differential(crank_system *s, double t, const double *x, double *k)
{
    (void)t;
    differential_rows(crank_tree_of(&s->coordinates), x, k);
}

bool crank_tree_row_states(crank_system *s, double t, const double *x)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    const bool stage = tree->stage && !tree->explicit; /* M is made of states of all bodies */
    if (tree->program == NULL || tree->interpret || stage) {
        crank_tree_states(s, t, x);
        return false;
    }
    crank_tree_compiled_states(tree, t, x, tree->stage && tree->links);
    return true;
}

void crank_tree_rows_of(const crank_system *s, const double *x, double *k)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    differential_rows(tree, x, k);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const double *q = x + tree->column_p + link->p;
        if (link->n >= 0) {
            k[tree->row_n + link->n] =
                0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0);
        }
    }
    for (int i = 0; i < tree->shape->body_count; i++) {
        memset(tree->body[i].load, 0, sizeof tree->body[i].load);
    }
}

void crank_tree_end_rows(const crank_system *s, double *k)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    if (tree->compiled_point) {
        crank_tree_compiled_rows(tree, k);
        return;
    }
    crank_tree_sum_loads(tree);
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        for (int i = 0; i < link->nv; i++) { /* rows dyn are accelerations */
            k[tree->row_d + link->v + i] =
                crank_dot6(tree->link[l].S[i], tree->body[link->body].F) +
                link->rotor * k[tree->row_dyn + link->v + i];
        }
    }
}
