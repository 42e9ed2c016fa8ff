/* rotor.c - inertia that moves with a coordinate of a joint, theory (7.44), where that
 * coordinate is one of the tree: an entry of the diagonal of the mass matrix, theory (7.76),
 *
 *     d_i = S_i.F_i + J_i v_i',   M_ii = S_i^T I S_i + J_i,   D_i = S_i^T U_i + J_i
 * in place of efforts that couple the motions of both bodies, so that recursions know all
 * inertia. Joints with two slides or turns, and those that close loops, keep efforts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/tree.h"

#include <string.h>

/* the only link of its kind, -1: there are several, or something else moves along with it */
static int link_of(const crank_tree_shape *shape, const crank_rotor *rotor)
{
    const crank_link_kind kind = rotor->turns ? CRANK_LINK_TURN : CRANK_LINK_SLIDE;
    const int i = rotor->joint >= 0 ? shape->hung[rotor->joint] : -1;
    int found = -1, others = 0;
    if (i < 0 || shape->body[i].led >= 0) {
        return -1;
    }
    for (int l = shape->body[i].first; l < shape->body[i].first + shape->body[i].count; l++) {
        const bool fits = shape->link[l].kind == kind && found < 0;
        found = fits ? l : found;
        others += fits ? 0 : 1;
        if (!fits && (shape->link[l].kind == kind || shape->link[l].kind == CRANK_LINK_BALL)) {
            return -1;
        }
    }
    return others <= 1 ? found : -1;
}

void crank_tree_take_rotors(crank_builder *b)
{
    int gone = 0; /* efforts so far */
    for (int i = 0; i < b->rotor.count; i++) {
        const crank_rotor *rotor = &b->rotor.item[i];
        const int link = link_of(b->tree, rotor);
        if (link < 0) {
            continue;
        }
        const int at = rotor->effort - gone, behind = b->effort.count - at - rotor->count;
        b->tree->link[link].rotor += rotor->inertia;
        memmove(b->effort.item + at, b->effort.item + at + rotor->count,
                (size_t)behind * sizeof *b->effort.item);
        b->effort.count -= rotor->count;
        gone += rotor->count;
    }
    b->rotor.count = 0; /* efforts have other numbers now */
}
