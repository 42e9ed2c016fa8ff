/* cost.c - which coordinates are cheaper, estimated before any equation is made by counting,
 * theory (7.79): in units of an unknown of absolute coordinates
 *
 *     absolute   1 for each velocity and each constraint
 *     joint      2.25 (of planar bodies 3.5) + 0.002 n_i^2 for each coordinate with n_i
 *                coordinates up to it, 4.5 + 0.002 n_i^2 for each constraint that is left, with
 *                the longest way
 * A link costs the same recursions in space and in the plane, where the unknowns that it saves
 * are cheaper: three a body and no quaternion. A constraint that is left has gradients along
 * both its ways to the ground, and multipliers and projections besides.
 * More constraints than velocities are redundant for certain; in absolute coordinates that
 * takes the dearer methods: then joint ones are taken. So they are where a track leads bodies:
 * what rolls and turns along with a frame moves little beside it, but for spins that are
 * coordinates by themselves. The numbers are chosen on random mechanisms (docs/performance.md). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/assembly.h"
#include "mechanics/joint/tree.h"

static int velocities(const crank_builder *b)
{
    int count = 0;
    for (int i = 0; i < b->mechanism->body_count; i++) {
        count += crank_body_velocities(b->kind[i]);
    }
    return count;
}

/* of a coordinate of a body in space and in the plane, of a constraint */
static const double spatial = 2.25, planar = 3.5, constraint = 4.5;

/* n: coordinates that are coupled */
static double coupled(double n)
{
    return 0.002 * n * n;
}

static double of_coordinate(const crank_builder *b, int body)
{
    const crank_body_kind kind = b->kind[body];
    return kind == CRANK_BODY_PLANAR || kind == CRANK_BODY_PLANAR_POINT ? planar : spatial;
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
            cost += of_coordinate(b, link->body) + coupled(before + k);
        }
        longest = way[l] > longest ? way[l] : longest;
    }
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_constraint *row = &b->holonomic.item[i];
        const bool gone = crank_tree_replaces(b, row) && shape->hung[row->owner.index] >= 0;
        cost += gone ? 0.0 : constraint + coupled(longest);
    }
    return cost + b->nonholonomic.count * (constraint + coupled(longest));
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
    bool led = false;
    for (int i = 0; i < shape->body_count; i++) {
        led = led || shape->body[i].led >= 0;
    }
    const int unknowns = velocities(b), rows = b->holonomic.count + b->nonholonomic.count;
    *cheaper = led || rows > unknowns || joint_cost(b, way) < unknowns + rows;
    return CRANK_OK;
}
