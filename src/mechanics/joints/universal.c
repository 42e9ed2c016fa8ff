/* universal.c - P2 = P1 and a1.a2 = 0: a cross with one arm in each body.
 *
 * angle1, of the cross about a1: a2 in the axes u1 = a2 at the start and w1 = a1 x u1 of the
 * first body; angle2, of the second body about a2: a1 in the axes u2 = a1 at the start and w2 =
 * a2 x u2 of the second body, in which it turns backwards. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axes", CRANK_SHAPE_DIRECTIONS, true, NULL,
     "arms of the cross: the axis in the first body and that in the second, perpendicular"},
    CRANK_KEYS_END,
};

static crank_ex product(crank_builder *b, crank_marker m, crank_marker n)
{
    return crank_build_value(b, crank_build_product(b, crank_vector_of(m), crank_vector_of(n)));
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const double *a = crank_record_find(record, "axes")->number, *c = a + 3;
    crank_pool *pool = crank_build_pool(b);
    crank_status status = crank_joint_needs_rotation(b, record, between, "use spherical", err);
    if (status != CRANK_OK) {
        return status;
    }
    if (fabs(crank_dot3(a, c)) > 1e-6) {
        return crank_build_fail(
            record, "axes", err,
            "the axes must be perpendicular, but their angle has the cosine %.6g",
            crank_dot3(a, c));
    }
    crank_marker at[2];
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    status = crank_joint_coincide(b, owner, at, err);
    if (status != CRANK_OK) {
        return status;
    }
    double w1[3], w2[3];
    crank_cross3(w1, a, c);
    crank_cross3(w2, c, a);
    crank_marker a1 = crank_build_direction(b, between[0], a);
    crank_marker u1 = crank_build_direction(b, between[0], c);
    crank_marker a2 = crank_build_direction(b, between[1], c);
    crank_marker u2 = crank_build_direction(b, between[1], a);
    crank_row_name name = crank_joint_row_name("rotation about", w1);
    int y = crank_build_product(b, crank_vector_of(a1), crank_vector_of(a2));
    status = crank_build_row(b, owner, y, 0.0, name.text, NULL, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at[1], a2);
    crank_build_frames(b, owner, at, NULL, NULL);
    crank_build_draw(b, owner, at, (const crank_marker[2]){a1, a2}, 0.0);
    crank_ex sine1 = product(b, crank_build_direction(b, between[0], w1), a2);
    crank_ex sine2 = product(b, crank_build_direction(b, between[1], w2), a1);
    crank_build_coordinate(b, owner, "angle1",
                           crank_build_turning_angle(b, sine1, product(b, u1, a2)));
    crank_build_coordinate(
        b, owner, "angle2",
        crank_build_turning_angle(b, crank_ex_neg(pool, sine2), product(b, u2, a1)));
    return CRANK_OK;
}

const crank_joint_type crank_joint_universal = {
    {"universal", "a cross: the bodies turn about one axis in each", keys, 3},
    build,
    "universal"};
