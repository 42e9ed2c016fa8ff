/* build_relations.c - coordinates that gears, racks, couplers and screws tell by others.
 *
 *     sum_k factor_k coordinate_k = offset
 * With all coordinates but one known (by `initial`, by a drive, by bodies that the file places on
 * both sides, by another relation) the walk along joints (build_place.c) puts what hangs at the
 * last one where it belongs, however many turns away: a search would have to wind it up in space,
 * where bodies do not know how often they have turned. Joints within loops begin where these
 * close, and relations between them are left to the search, theory (5.5), (5.10); in the plane
 * all are, since angles are unknowns there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "mechanics/build_inside.h"
#include "mechanics/build_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* numbers of coordinates: 2 joint for its angle, 2 joint + 1 for its length */
typedef struct relations {
    crank_builder *b;
    bool *known;   /* coordinates */
    double *value; /* coordinates */
    int *group;    /* bodies, the ground */
} relations;

static bool has(crank_builder *b, int coordinate)
{
    return crank_build_find_coordinate(b, coordinate / 2,
                                       coordinate % 2 == 0 ? "angle" : "length") >= 0;
}

/* The angle or the length of a joint that has one of them alone; -1: another joint. */
static int only_coordinate(crank_builder *b, int joint)
{
    const bool one = crank_build_find_coordinate(b, joint, NULL) >= 0;
    return one && has(b, 2 * joint)       ? 2 * joint
           : one && has(b, 2 * joint + 1) ? 2 * joint + 1
                                          : -1;
}

/* What a joint relates: coordinates and their factors, as many as returned; 0: nothing. */
static int read_relation(crank_builder *b, int joint, int *coordinate, double *factor,
                         double *offset)
{
    static const double two_pi = 6.283185307179586;
    const crank_record *r = &b->mechanism->joint[joint];
    const crank_field *joints = crank_record_find(r, "joints");
    const crank_field *given = crank_record_find(r, "offset");
    const char *type = r->type->name;
    const bool gear = strcmp(type, "gear") == 0, rack = strcmp(type, "rack_and_pinion") == 0;
    *offset = given != NULL ? given->number[0] : 0.0;
    if (strcmp(type, "screw") == 0) {
        coordinate[0] = 2 * joint;
        coordinate[1] = 2 * joint + 1;
        factor[0] = -crank_record_find(r, "pitch")->number[0] / two_pi;
        factor[1] = 1.0;
        return 2;
    }
    if (gear || rack) {
        coordinate[0] = 2 * joints->index[0];
        coordinate[1] = 2 * joints->index[1] + (rack ? 1 : 0);
        factor[0] = -crank_record_find(r, gear ? "ratio" : "radius")->number[0];
        factor[1] = 1.0;
        return has(b, coordinate[0]) && has(b, coordinate[1]) ? 2 : 0;
    }
    int count = strcmp(type, "coupler") == 0 ? joints->count : 0;
    for (int k = 0; k < count; k++) {
        coordinate[k] = only_coordinate(b, joints->index[k]);
        factor[k] = crank_record_find(r, "factors")->number[k];
        count = coordinate[k] >= 0 ? count : 0;
    }
    return count;
}

/* ---- what is known ---- */

static bool stands(const crank_builder *b, int body)
{
    const crank_body_record *r = body >= 0 ? &b->mechanism->body[body] : NULL;
    return r == NULL ||
           (r->position_fixing != CRANK_FREE && r->orientation_fixing != CRANK_FREE);
}

static double *place_of(crank_builder *b, int coordinate)
{
    crank_joint_place *p = &b->place[coordinate / 2];
    return coordinate % 2 == 0 ? &p->turn[0] : &p->length[0];
}

static void note(relations *of, int coordinate, double value)
{
    if (coordinate >= 0 && isfinite(value)) {
        of->known[coordinate] = true;
        of->value[coordinate] = value;
    }
}

/* Do other joints lead from one of its bodies to the other? */
static bool is_in_loop(const relations *of, int joint)
{
    const crank_mechanism *m = of->b->mechanism;
    for (int i = 0; i <= m->body_count; i++) {
        of->group[i] = i;
    }
    int root[2] = {-1, -2};
    for (int j = 0; j < m->joint_count; j++) {
        const crank_joint_place *p = &of->b->place[j];
        if (p->given && j != joint) {
            (void)crank_disjoint_join(of->group,
                                      p->at[0].body < 0 ? m->body_count : p->at[0].body,
                                      p->at[1].body < 0 ? m->body_count : p->at[1].body);
        }
    }
    for (int k = 0; k < 2; k++) {
        const int body = of->b->place[joint].at[k].body;
        root[k] = crank_disjoint_root(of->group, body < 0 ? m->body_count : body);
    }
    return root[0] == root[1];
}

/* Does an expression read nothing but what an angle is made of? */
static bool reads_alone(crank_builder *b, crank_ex ex, crank_ex angle)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    bool alone = symbol != NULL && count > 0;
    for (int i = 0; i < count && alone; i++) {
        alone = crank_ex_depends(b->pool, angle, symbol[i]);
    }
    free(symbol);
    return alone;
}

/* c (angle - value) = 0 of a hinge, whose angle is known then. */
static void take_condition(relations *of, crank_ex ex, int joint,
                           const crank_turning_angle *angle)
{
    crank_builder *b = of->b;
    char name[32]; /* the reference that it is continued from */
    (void)snprintf(name, sizeof name, "#k%d", angle->memory);
    const crank_ex reference = crank_ex_find_symbol(b->pool, name);
    double c = 0.0;
    if (reference < 0 || is_in_loop(of, joint) ||
        !crank_ex_is_number(b->pool, crank_ex_derivative(b->pool, ex, reference), &c)) {
        return;
    }
    const double value = crank_build_start(b, angle->ex) - crank_build_start(b, ex) / c;
    note(of, 2 * joint, value);
    if (isfinite(value)) {
        *place_of(b, 2 * joint) = value;
    }
}

/* Conditions of `initial` that give an angle, as coordinates of joints there do. */
static void find_condition(relations *of, crank_ex ex)
{
    crank_builder *b = of->b;
    for (int j = 0; j < b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &b->place[j];
        const bool hinge = p->given && p->aligned && !p->told;
        const crank_ex angle = hinge ? crank_build_find_coordinate(b, j, "angle") : -1;
        for (int i = 0; i < b->angle.count && angle >= 0; i++) {
            if (b->angle.item[i].ex == angle && reads_alone(b, ex, angle)) {
                take_condition(of, ex, j, &b->angle.item[i]);
            }
        }
    }
}

static void find_known(relations *of)
{
    crank_builder *b = of->b;
    const crank_mechanism *m = b->mechanism;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_joint_place *p = &b->place[j];
        const int only = p->given && p->aligned ? only_coordinate(b, j) : -1;
        if (only < 0) {
            continue;
        }
        if (p->told) {
            note(of, only, *place_of(b, only));
        } else if (stands(b, p->at[0].body) && stands(b, p->at[1].body)) {
            const crank_ex ex = crank_build_find_coordinate(b, j, NULL);
            note(of, only, crank_build_start(b, ex));
        }
    }
    for (int i = 0; i < m->initial_joint_count; i++) {
        const crank_initial_joint *given = &m->initial_joint[i];
        const int turns = strcmp(given->quantity, "angle") == 0    ? 0
                          : strcmp(given->quantity, "length") == 0 ? 1
                                                                   : -1;
        if (turns >= 0) {
            note(of, 2 * given->joint + turns, *place_of(b, 2 * given->joint + turns));
        }
    }
    for (int i = 0; i < b->condition.count; i++) {
        find_condition(of, b->condition.item[i].ex);
    }
}

/* ---- what they tell ---- */

/* Does a joint relate a coordinate that is not known to known ones? */
static bool tell(relations *of, int joint, int *coordinate, double *factor)
{
    crank_builder *b = of->b;
    double rest;
    int open = -1, opened = 0;
    const int count = read_relation(b, joint, coordinate, factor, &rest);
    for (int k = 0; k < count; k++) {
        if (!of->known[coordinate[k]]) {
            open = k;
            opened++;
        } else {
            rest -= factor[k] * of->value[coordinate[k]];
        }
    }
    if (opened != 1 || factor[open] == 0.0) {
        return false;
    }
    const int at = coordinate[open] / 2;
    if (!b->place[at].given || !b->place[at].aligned || is_in_loop(of, at)) {
        return false;
    }
    note(of, coordinate[open], rest / factor[open]);
    if (of->known[coordinate[open]]) {
        *place_of(b, coordinate[open]) = of->value[coordinate[open]];
    }
    return of->known[coordinate[open]];
}

void crank_build_relate(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    const size_t count = 2 * (size_t)m->joint_count;
    size_t most = 2;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_field *joints = crank_record_find(&m->joint[j], "joints");
        most = joints != NULL && (size_t)joints->count > most ? (size_t)joints->count : most;
    }
    relations of = {.b = b,
                    .known = crank_store_take(b->store, count, sizeof *of.known),
                    .value = crank_store_take(b->store, count, sizeof *of.value),
                    .group =
                        crank_store_take(b->store, (size_t)m->body_count + 1, sizeof(int))};
    int *coordinate = crank_store_take(b->store, most, sizeof *coordinate);
    double *factor = crank_store_take(b->store, most, sizeof *factor);
    if (m->dimension != 3 || b->store->failed) {
        return;
    }
    find_known(&of);
    for (bool more = true; more;) {
        more = false;
        for (int j = 0; j < m->joint_count; j++) {
            more = tell(&of, j, coordinate, factor) || more;
        }
    }
}
