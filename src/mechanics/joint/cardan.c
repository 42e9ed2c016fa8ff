/* cardan.c - balls and free bodies with Cardan angles, and joints `free`: three turns in a row.
 * At cos b = 0 of the second one the first and the third turn about the same axis and do not
 * say which of them moves: theory (7.64). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/tree.h"

#include <math.h>

/* rates are this much larger than the angular velocity, one over it: digits are lost by then */
static const double locked = 1e-4;

bool crank_tree_is_cardan(const crank_tree_shape *shape, int body)
{
    const crank_tree_body *at = &shape->body[body];
    int turns = 0;
    for (int l = at->first; l < at->first + at->count; l++) {
        turns += shape->link[l].kind == CRANK_LINK_TURN ? 1 : 0;
    }
    return turns == 3;
}

crank_status crank_tree_accepted(const crank_system *s, double t, const double *x,
                                 crank_error *err)
{
    const crank_tree *tree = crank_tree_of(&s->coordinates);
    const crank_tree_shape *shape = tree->shape;
    for (int i = 0; i < shape->body_count && shape->cardan; i++) {
        const int second = shape->body[i].first + shape->body[i].count - 2;
        if (crank_tree_is_cardan(shape, i) &&
            fabs(cos(x[tree->column_p + shape->link[second].p])) < locked) {
            return crank_fail(
                err, CRANK_ESTOP_EQUATIONS,
                shape->body[i].six
                    ? "%s: the angles of its joint are singular at t = %.6g (roll is a right "
                      "angle); use tree: cut at that joint, or coordinates=absolute"
                    : "%s: its Cardan angles are singular at t = %.6g (the second one is "
                      "a right angle); use orientation=quaternion",
                s->eom->parts->body_text[i], t);
        }
    }
    return CRANK_OK;
}
