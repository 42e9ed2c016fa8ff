/* led.c - bodies that a joint leads in time: they have no links, and carry their tree as a
 * ground does that moves. With the origin at r(t), the heading psi(t) about z and the arm c =
 * -R u_2 from the origin to the centre of mass, which is the point O of its tree,
 *
 *     V = (psi' z, r' + psi' z x c),   A = (psi'' z, a - psi' z x V_v)     theory (7.63)
 *     a = r'' + psi'' z x c - psi'^2 c_across
 * All derivatives by coordinates are those of a tree on such a ground, since V and A before a
 * link are in them, theory (7.68). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include "mechanics/law.h"

#include <math.h>
#include <string.h>

crank_status crank_tree_led_create(crank_tree *tree, crank_builder *b, crank_error *err)
{
    const size_t count = (size_t)b->led.count;
    crank_store *store = &tree->s->store;
    double *height = crank_store_take(store, count, sizeof *height);
    crank_ex *ex = crank_store_take(b->store, CRANK_LED_NUMBERS * count, sizeof *ex);
    tree->led_value = crank_store_take(store, CRANK_LED_NUMBERS * count, sizeof(double));
    if (store->failed || b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "joint coordinates of the mechanism");
    }
    for (size_t i = 0; i < count; i++) {
        height[i] = b->led.item[i].height;
        memcpy(ex + CRANK_LED_NUMBERS * i, b->led.item[i].ex, sizeof b->led.item[i].ex);
    }
    tree->led_count = b->led.count;
    tree->led_height = height;
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, CRANK_LED_NUMBERS * b->led.count, ex,
                                                 &tree->led, err);
}

bool crank_tree_led_share(crank_tree *tree)
{
    tree->led_value = crank_store_take(
        &tree->s->store, CRANK_LED_NUMBERS * (size_t)tree->led_count, sizeof(double));
    return tree->led_value != NULL || tree->led_count == 0;
}

void crank_tree_lead(crank_tree *tree, double t, const double *x)
{
    if (tree->led_count > 0) {
        crank_expressions_evaluate(tree->led, tree->s, t, x, tree->led_value);
    }
}

void crank_tree_led_place(const crank_tree *tree, const crank_tree_body *body, double P[3],
                          double q[4])
{
    const double *value = tree->led_value + (size_t)CRANK_LED_NUMBERS * (size_t)body->led;
    static const double z[3] = {0.0, 0.0, 1.0};
    P[0] = value[0];
    P[1] = value[1];
    P[2] = tree->led_height[body->led];
    crank_quaternion_of_axis(q, z, value[2]);
}

void crank_tree_led_move(const crank_tree *tree, const crank_tree_body *body, const double P[3],
                         crank_tree_value *at)
{
    const double *value = tree->led_value + (size_t)CRANK_LED_NUMBERS * (size_t)body->led;
    const double w = value[5], dw = value[8], c[2] = {at->O[0] - P[0], at->O[1] - P[1]};
    const double v[2] = {value[3] - w * c[1], value[4] + w * c[0]};
    const double a[2] = {value[6] - dw * c[1] - w * w * c[0],
                         value[7] + dw * c[0] - w * w * c[1]};
    const double V[6] = {0.0, 0.0, w, v[0], v[1], 0.0};
    const double A[6] = {0.0, 0.0, dw, a[0] + w * v[1], a[1] - w * v[0], 0.0};
    memcpy(at->V, V, sizeof V);
    memcpy(at->A, A, sizeof A);
}
