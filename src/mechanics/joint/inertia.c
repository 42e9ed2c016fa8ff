/* inertia.c - inertias about O, and the mass matrix by composite bodies, theory (7.73): I_i of
 * all that hangs behind link i,
 *
 *     F = I_i S_i,   M_ij = M_ji = S_j.F  for links j before i,  F past balls as in chain.c
 *     M_ii = S_i.F + J_i of a rotor                                             theory (7.76)
 * Behind a ball all moves along with its point P: the links before it see a mass m at P. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/articulated.h"
#include "mechanics/joint/spatial.h"

#include <string.h>

/* of a mass at c */
static void add_point(crank_inertia *I, double m, const double c[3])
{
    I->m += m;
    crank_add3(I->h, m, c);
    I->J[0] += m * (c[1] * c[1] + c[2] * c[2]);
    I->J[1] -= m * c[0] * c[1];
    I->J[2] -= m * c[0] * c[2];
    I->J[3] += m * (c[0] * c[0] + c[2] * c[2]);
    I->J[4] -= m * c[1] * c[2];
    I->J[5] += m * (c[0] * c[0] + c[1] * c[1]);
}

void crank_inertia_of(const crank_tree *tree, int i, const double c[3], crank_inertia *I)
{
    const crank_body *body = &tree->s->body[i];
    const double *R = tree->s->state[i].R;
    memset(I, 0, sizeof *I);
    add_point(I, body->mass, c);
    if (body->kind == CRANK_BODY_PLANAR) {
        I->J[5] += body->inertia[8];
    } else if (body->kind == CRANK_BODY_SPATIAL) {
        double RJ[9];
        crank_mat3_multiply(RJ, R, body->inertia);
        I->J[0] += crank_dot3(RJ, R);
        I->J[1] += crank_dot3(RJ, R + 3);
        I->J[2] += crank_dot3(RJ, R + 6);
        I->J[3] += crank_dot3(RJ + 3, R + 3);
        I->J[4] += crank_dot3(RJ + 3, R + 6);
        I->J[5] += crank_dot3(RJ + 6, R + 6);
    }
}

/* the body before gets what hangs on it */
static void hand_on(const crank_tree *tree, int i, crank_inertia *all)
{
    const crank_tree_body *body = &tree->shape->body[i];
    const crank_inertia *I = &all[i];
    crank_inertia *on = &all[body->parent];
    if (body->count > 0 && tree->shape->link[body->first].apart) {
        add_point(on, I->m, tree->link[body->first].P);
        return;
    }
    on->m += I->m;
    crank_add3(on->h, 1.0, I->h);
    crank_add6(on->J, 1.0, I->J);
}

/* F = I S: moment J omega + h x v, force m v - h x omega */
static void momentum(const crank_inertia *I, const double S[6], double F[6])
{
    const double *w = S, *v = S + 3, *J = I->J;
    F[0] = J[0] * w[0] + J[1] * w[1] + J[2] * w[2] + I->h[1] * v[2] - I->h[2] * v[1];
    F[1] = J[1] * w[0] + J[3] * w[1] + J[4] * w[2] + I->h[2] * v[0] - I->h[0] * v[2];
    F[2] = J[2] * w[0] + J[4] * w[1] + J[5] * w[2] + I->h[0] * v[1] - I->h[1] * v[0];
    F[3] = I->m * v[0] - I->h[1] * w[2] + I->h[2] * w[1];
    F[4] = I->m * v[1] - I->h[2] * w[0] + I->h[0] * w[2];
    F[5] = I->m * v[2] - I->h[0] * w[1] + I->h[1] * w[0];
}

double crank_inertia_along(const crank_inertia *I, const double S[6])
{
    double F[6];
    momentum(I, S, F);
    return crank_dot6(S, F);
}

static void fill_mass_row(const crank_tree *tree, int l, int k, double F[6], crank_fill *fill)
{
    const crank_link *link = &tree->shape->link[l];
    const int d = tree->row_d, a = tree->column_a, own = link->v + k;
    for (int i = 0; i < link->nv; i++) {
        crank_fill_add(fill, d + link->v + i, a + own,
                       crank_dot6(tree->link[l].S[i], F) + link->rotor);
    }
    for (int j = l; link->before >= 0;) {
        crank_tree_pass_force(tree, j, F);
        j = tree->shape->link[j].before;
        const crank_link *other = &tree->shape->link[j];
        for (int i = 0; i < other->nv; i++) {
            const double M = crank_dot6(tree->link[j].S[i], F);
            crank_fill_add(fill, d + other->v + i, a + own, M);
            crank_fill_add(fill, d + own, a + other->v + i, M);
        }
        if (other->before < 0) {
            break;
        }
    }
}

void crank_inertia_set(const crank_tree *tree, crank_inertia *all)
{
    for (int i = 0; i < tree->shape->body_count; i++) {
        crank_inertia_of(tree, i, tree->body[i].c, &all[i]);
    }
}

void crank_inertia_compose(const crank_tree *tree, crank_inertia *all)
{
    const crank_tree_shape *shape = tree->shape;
    for (int k = shape->body_count - 1; k >= 0; k--) {
        if (shape->body[shape->order[k]].parent >= 0) {
            hand_on(tree, shape->order[k], all);
        }
    }
}

void crank_inertia_fill(const crank_tree *tree, const crank_inertia *all, crank_fill *fill)
{
    const crank_tree_shape *shape = tree->shape;
    for (int l = 0; l < shape->link_count; l++) {
        const crank_link *link = &shape->link[l];
        for (int k = 0; k < link->nv; k++) {
            double F[6];
            momentum(&all[link->body], tree->link[l].S[k], F);
            fill_mass_row(tree, l, k, F, fill);
        }
    }
}
