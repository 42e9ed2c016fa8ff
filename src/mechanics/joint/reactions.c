/* reactions.c - what a joint of the tree exerts: all that the bodies behind it take more than
 * other joints and forces give them, theory (7.76),
 *
 *     R_i = F_i = sum over bodies behind (M a - applied + J^T lambda)
 * and, of multipliers alone, sum J^T lambda: what redundant constraints leave open. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"
#include "mechanics/law.h"

#include <string.h>

/* forces of laws' multipliers on all bodies become loads */
static void add_laws(crank_tree *tree, double t, const double *x)
{
    const crank_system *s = tree->s;
    for (int i = 0; i < s->law_count; i++) {
        crank_law_reaction(s->law[i], s, t, x, tree->force);
    }
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < s->body[i].nv; k++) {
            tree->body[i].load[k] -= tree->force[i][k];
        }
        memset(tree->force[i], 0, sizeof tree->force[i]);
    }
}

crank_status crank_tree_reactions(crank_system *s, double t, const double *x,
                                  bool multipliers_alone, crank_error *err)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    if (!multipliers_alone) {
        tree->interpret = true;
        const crank_status status = crank_system_evaluate(
            s, 1, &t, x, CRANK_DIFFERENTIAL | CRANK_ALGEBRAIC, tree->k, err);
        tree->interpret = false;
        return status;
    }
    for (int i = 0; i < s->body_count; i++) {
        memset(tree->body[i].load, 0, sizeof tree->body[i].load);
    }
    crank_system_constraints(s, &(crank_wanted){.x = x, .k = tree->k});
    add_laws(tree, t, x);
    crank_tree_sum_loads(tree);
    return CRANK_OK;
}

void crank_tree_reaction(const crank_system *s, int joint, int target, double *sum)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    const int body = tree->shape->hung[joint];
    if (body < 0) {
        return;
    }
    const crank_body_state *state = &s->state[target];
    const double sign = body == target ? 1.0 : -1.0;
    const double *F = tree->body[body].F;
    double moment[3], arm[3], turned[3];
    for (int k = 0; k < 3; k++) { /* both bodies are of one tree and have its O */
        arm[k] = state->x[k] - tree->body[body].O[k];
    }
    crank_cross3(moment, F + 3, arm);
    crank_add3(moment, 1.0, F);
    const int translations = crank_body_translations(state->kind);
    for (int k = 0; k < translations; k++) {
        sum[k] += sign * F[3 + k];
    }
    if (state->kind == CRANK_BODY_SPATIAL) {
        crank_mat3_transposed_times(turned, state->R, moment);
        crank_add3(sum + 3, sign, turned);
    } else if (state->kind == CRANK_BODY_PLANAR) {
        sum[2] += sign * moment[2];
    }
}
