/* cost.c - which coordinates are cheaper, estimated before any equation is made: thousands of
 * instructions of an iteration of Newton's method, theory (7.78),
 *
 *     absolute   280 a body in space, 27 in the plane, points 27 and 18
 *     joint    15 + 0.06 n_i^2 for each coordinate with n_i coordinates up to it, and for each
 *                constraint that is left, with the longest way
 * measured by psf-radau on chains of 10 to 80 bodies (docs/performance.md): matrices are sparse
 * in absolute coordinates and full along the ways of the tree in joint ones. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/assembly.h"
#include "mechanics/joint/tree.h"

static double absolute_cost(const crank_builder *b)
{
    static const double of[] = {[CRANK_BODY_SPATIAL] = 280.0,
                                [CRANK_BODY_PLANAR] = 27.0,
                                [CRANK_BODY_POINT] = 27.0,
                                [CRANK_BODY_PLANAR_POINT] = 18.0};
    double cost = 0.0;
    for (int i = 0; i < b->mechanism->body_count; i++) {
        cost += of[b->kind[i]];
    }
    return cost;
}

/* n: coordinates that are coupled */
static double coupled(double n)
{
    return 15.0 + 0.06 * n * n;
}

static double joint_cost(const crank_builder *b, int *way)
{
    const crank_tree_shape *shape = b->tree;
    double cost = 0.0;
    int longest = 0;
    for (int l = 0; l < shape->link_count; l++) { /* links before have smaller numbers */
        const crank_link *link = &shape->link[l];
        const int before = link->before >= 0 ? way[link->before] : 0;
        way[l] = before + link->nv;
        for (int k = 1; k <= link->nv; k++) {
            cost += coupled(before + k);
        }
        longest = way[l] > longest ? way[l] : longest;
    }
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_constraint *row = &b->holonomic.item[i];
        const bool gone = crank_tree_replaces(b, row) && shape->hung[row->owner.index] >= 0;
        cost += gone ? 0.0 : coupled(longest);
    }
    return cost;
}

crank_status crank_assembly_is_cheaper(crank_builder *b, bool *cheaper, crank_error *err)
{
    *cheaper = false;
    const crank_status status = crank_tree_choose(b, err);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_tree_shape *shape = b->tree;
    int *way = crank_store_take(b->store, (size_t)shape->link_count, sizeof *way);
    if (way == NULL) {
        return crank_fail(err, CRANK_EMEM, "the tree of the mechanism");
    }
    *cheaper = joint_cost(b, way) < absolute_cost(b);
    return CRANK_OK;
}
