/* reactions_groups.c - constraints of a joint that are components of one vector: what it exerts
 * does not depend on the directions along which it is written.
 *
 * Rows of one joint belong together that are, but for what is given, one primitive of the same
 * kind with as many points in it: distances along directions that are orthogonal, cosines of
 * directions. So do its rows of velocities. All others stand alone. Theory (7.27). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <math.h>
#include <stdlib.h>

enum { ALONE = -1, VELOCITIES = -2 };

static bool has_point(const crank_vector *v)
{
    return v->count > 0 && v->marker[0].point;
}

/* a number for the kind of a primitive and its points */
static int class_of(const crank_primitive *y)
{
    const int points = y->kind == CRANK_ANGLE || y->kind == CRANK_TURN
                           ? 0
                           : (int)has_point(&y->a) + (int)has_point(&y->b);
    return 3 * (int)y->kind + points;
}

/* the primitive that an expression is the sum of with what is given; -1: none */
static int alone_in(crank_builder *b, crank_ex ex)
{
    int count = 0, found = -1, many = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    for (int i = 0; symbol != NULL && i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        double factor = 0.0;
        if (s.kind == CRANK_SYMBOL_VALUE) {
            const crank_ex slope = crank_ex_derivative(b->pool, ex, symbol[i]);
            const bool one = crank_ex_is_number(b->pool, slope, &factor) && fabs(factor) == 1.0;
            found = one ? s.index : -1;
            many++;
        }
    }
    free(symbol);
    return many == 1 ? found : -1;
}

static int class_of_row(crank_builder *b, const crank_constraint *c)
{
    const int y = c->primitive >= 0 ? c->primitive : alone_in(b, c->ex);
    return y >= 0 ? class_of(&b->primitive.item[y]) : ALONE;
}

crank_status crank_reactions_group(crank_reactions *r, crank_builder *b, crank_store *store,
                                   crank_error *err)
{
    const int holonomic = b->holonomic.count, rows = holonomic + b->nonholonomic.count;
    const int joints = b->mechanism->joint_count;
    r->group = crank_store_take(store, (size_t)rows, sizeof *r->group);
    int *class = crank_store_take(b->store, (size_t)rows, sizeof *class);
    int *before = crank_store_take(b->store, (size_t)rows, sizeof *before);
    int *last = crank_store_take(b->store, (size_t)joints, sizeof *last);
    if (store->failed || b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "shares of reactions");
    }
    for (int i = 0; i < joints; i++) {
        last[i] = -1;
    }
    for (int i = 0; i < rows; i++) {
        const crank_constraint *c =
            i < holonomic ? &b->holonomic.item[i] : &b->nonholonomic.item[i - holonomic];
        r->group[i] = i;
        if (c->owner.kind != CRANK_OWNER_JOINT) {
            continue;
        }
        class[i] = i < holonomic ? class_of_row(b, c) : VELOCITIES;
        before[i] = last[c->owner.index];
        last[c->owner.index] = i;
        for (int k = before[i]; k >= 0 && class[i] != ALONE; k = before[k]) {
            r->group[i] = class[k] == class[i] ? r->group[k] : r->group[i];
        }
    }
    return crank_build_memory(b, err);
}
