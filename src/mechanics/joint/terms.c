/* terms.c - what the rows d of joint coordinates are the sum of, for what rounding does to them.
 *
 * Forces that joints of the tree take are not in d_i = S_i.F_i at the end, but they are summed:
 * a door that hangs on its hinge has a moment of 1e-16 about it. Absolute coordinates see such
 * forces as multipliers; here the sizes of all loads are carried inwards as F is,
 *     |d_i| = |S_i| . sum |F_b|,   |F| = (|R| |m| + |c| x |f|, |f|)                theory (7.67)
 * where products of sizes are added. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/tree.h"

#include <math.h>
#include <string.h>

/* out += |a| x f without signs */
static void add_cross_size(double out[3], const double a[3], const double f[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] += fabs(a[j]) * f[k] + fabs(a[k]) * f[j];
    }
}

/* of the loads on a body, about O */
static void wrench_size(const crank_tree *tree, int body, double out[6])
{
    const crank_body_state *state = &tree->s->state[body];
    const double *size = tree->body[body].size;
    memset(out, 0, 6 * sizeof *out);
    memcpy(out + 3, size, (size_t)crank_body_translations(state->kind) * sizeof *out);
    for (int i = 0; i < 3 && state->kind == CRANK_BODY_SPATIAL; i++) {
        for (int j = 0; j < 3; j++) {
            out[i] += fabs(state->R[3 * i + j]) * size[3 + j];
        }
    }
    out[2] += state->kind == CRANK_BODY_PLANAR ? size[2] : 0.0;
    add_cross_size(out, tree->body[body].c, out + 3);
}

void crank_tree_sum_terms(crank_tree *tree)
{
    const crank_tree_shape *shape = tree->shape;
    for (int i = 0; i < shape->body_count; i++) {
        wrench_size(tree, i, tree->behind[i]);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        const crank_tree_body *body = &shape->body[i];
        double *size = tree->behind[i];
        for (int l = body->first; l < body->first + body->count; l++) {
            for (int n = 0; n < shape->link[l].nv; n++) {
                double *term = &tree->terms[tree->row_d + shape->link[l].v + n];
                *term = 0.0;
                for (int c = 0; c < 6; c++) {
                    *term += fabs(tree->link[l].S[n][c]) * size[c];
                }
            }
        }
        if (body->count > 0 && shape->link[body->first].apart) { /* (P x f, f) goes on */
            memset(size, 0, 3 * sizeof *size);
            add_cross_size(size, tree->link[body->first].P, size + 3);
        }
        for (int c = 0; c < 6 && body->parent >= 0; c++) {
            tree->behind[body->parent][c] += size[c];
        }
    }
}
