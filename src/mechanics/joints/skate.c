/* skate.c - a knife edge of the second body moves along itself only, seen from the first body:
 * the velocity of its point across blade and normal vanishes,
 *     (n x blade).c' = (blade.t_1) (t_2.c)' - (blade.t_2) (t_1.c)' = 0,   t_1 x t_2 = n
 * Products with directions of the first body are coordinates seen from it. The height is not
 * kept: it is the quantity `height`. In planar models n is z. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the body with the ice, and the skate"},
    {"at", CRANK_SHAPE_END, false, NULL,
     "the point of the blade at the start ({first, second}: second counts); default: the "
     "second "
     "body's origin"},
    {"axis", CRANK_SHAPE_AXIS, true, NULL,
     "direction of the blade, fixed in the second body ({first, second}: second counts)"},
    {"plane", CRANK_SHAPE_PLANE, false, NULL,
     "{at: a point, normal: }, fixed in the first body; it does not hold the blade's height (a "
     "`planar` joint does); not in planar models"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *field = crank_record_find(record, "plane");
    crank_pool *pool = crank_build_pool(b);
    bool planar = crank_joint_in_plane(b);
    if (planar == (field != NULL)) {
        return crank_build_fail(record, planar ? "plane" : NULL, err,
                                planar ? "the model is planar: leave the plane out"
                                       : "the key `plane` is missing: {at: , normal: }");
    }
    crank_status status =
        crank_joint_needs_rotation(b, record, between, "give it an inertia", err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_joint_plane plane;
    if (planar) {
        const double origin[3] = {0.0, 0.0, 0.0};
        const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
        plane = (crank_joint_plane){.at = crank_build_point(b, between[0], origin),
                                    .t = {crank_build_direction(b, between[0], x),
                                          crank_build_direction(b, between[0], y)}};
    } else {
        plane = crank_joint_make_plane(b, field->number, between[0]);
    }
    crank_marker at = crank_joint_second_point(b, record, between[1]), blade[2];
    crank_vector d = crank_vector_between(plane.at, at);
    crank_build_ends(b, &crank_record_find(record, "axis")->ends, between, false, blade);
    if (!planar) {
        double n[3], e[3], c[3];
        crank_joint_world(b, plane.n, n);
        crank_joint_world(b, blade[1], e);
        crank_cross3(c, n, e);
        if (crank_norm3(c) < 1e-6 && !crank_joint_turns_free(b, between[0]) &&
            !crank_joint_turns_free(b, between[1])) {
            return crank_build_fail(record, "axis", err, "the blade is normal to the plane");
        }
        int height = crank_build_product(b, crank_vector_of(plane.n), d);
        crank_build_coordinate(b, owner, "height", crank_build_value(b, height));
    }
    crank_ex part[2];
    for (int k = 0; k < 2; k++) {
        int along =
            crank_build_product(b, crank_vector_of(plane.t[k]), crank_vector_of(blade[1]));
        int across = crank_build_product(b, crank_vector_of(plane.t[1 - k]), d);
        part[k] = crank_ex_mul(pool, crank_build_value(b, along), crank_build_rate(b, across));
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at, blade[1]);
    double along[3];
    crank_joint_world(b, blade[1], along);
    crank_build_draw_at(b, owner, between[0], at, along, 0.0);
    return crank_build_nonholonomic(b, owner, crank_ex_sub(pool, part[0], part[1]),
                                    "sliding across the blade", NULL, err);
}

const crank_joint_type crank_joint_skate = {
    {"skate", "a knife edge that moves along itself only", keys, 5}, build, "point", 0};
