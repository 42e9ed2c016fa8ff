/* reactions.c - what a joint of the tree exerts: all that the bodies behind it take more than
 * other joints and forces give them, theory (7.77),
 *
 *     R_i = F_i = sum over bodies behind (M a - applied + J^T lambda)
 * less what a rotor on its coordinate takes, whose effort -J v' is no reaction, theory (7.76),
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

/* along the coordinate S.F = -J v': nothing is left for the joint. A pure torque, or a force
 * through the point of the joint; rows dyn are accelerations */
static void leave_out_rotors(crank_tree *tree)
{
    for (int l = 0; l < tree->shape->link_count; l++) {
        const crank_link *link = &tree->shape->link[l];
        const double effort = link->rotor * tree->k[tree->row_dyn + link->v];
        const double *S = tree->link[l].S[0];
        double *F = tree->body[link->body].F, moment[3];
        if (link->kind == CRANK_LINK_TURN) {
            crank_add3(F, effort, S);
        } else if (link->kind == CRANK_LINK_SLIDE) {
            crank_cross3(moment, tree->link[l].P, S + 3);
            crank_add3(F, effort, moment);
            crank_add3(F + 3, effort, S + 3);
        }
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
        leave_out_rotors(tree);
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
