/* revolute_spherical.c - rod without mass on a hinge of the first body and a ball joint of the
 * second:
 * (P2 - P1).(P2 - P1) = L^2 and a1.(P2 - P1) = constant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"at", CRANK_SHAPE_ENDS, true, NULL,
     "the rod's ends: a point of the hinge's axis, and the ball joint on the second body"},
    {"axis", CRANK_SHAPE_DIRECTION, true, NULL, "of the hinge, fixed in the first body"},
    {"length", CRANK_SHAPE_NUMBER, false, NULL, "of the rod, m; default: as at the start"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *length = crank_record_find(record, "length");
    const double *axis = crank_record_find(record, "axis")->number;
    crank_marker at[2], a = crank_build_direction(b, between[0], axis);
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    crank_vector d = crank_vector_between(at[0], at[1]);
    int square = crank_build_product(b, d, d);
    int along = crank_build_product(b, crank_vector_of(a), d);
    double start = crank_build_start_value(b, square);
    double height = crank_build_start_value(b, along);
    double L = length != NULL ? length->number[0] : sqrt(start);
    const bool apart = sqrt(start) > crank_joint_rounding(b, at);
    if (!(L > 0.0) || !apart) {
        return crank_build_fail(record, length != NULL && apart ? "length" : "at", err,
                                "the rod's length is %g, it must be positive", apart ? L : 0.0);
    }
    if (!(height * height < (1.0 - 1e-12) * fmin(L * L, start))) {
        return crank_build_fail(
            record, "axis", err,
            "the rod lies along the hinge's axis; it must stand away from it");
    }
    crank_status status = crank_build_row(b, owner, square, L * L, "distance", NULL, err);
    if (status == CRANK_OK) {
        crank_row_name name = crank_joint_row_name("translation along", axis);
        status = crank_build_row(b, owner, along, height, name.text, NULL, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at[1], a);
    crank_build_draw(b, owner, at,
                     (const crank_marker[2]){a, crank_build_direction(b, between[1], axis)},
                     0.0);
    /* the angle from where the rod stands at the start: u along its part across the axis */
    double u[3], w[3], p[2][3];
    for (int k = 0; k < 2; k++) {
        crank_joint_world(b, at[k], p[k]);
        if (between[k] >= 0) {
            crank_add3(p[k], 1.0, crank_build_body(b, between[k])->x);
        }
    }
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k] - height * axis[k];
    }
    double size = crank_norm3(u);
    for (int k = 0; k < 3; k++) {
        u[k] /= size;
    }
    crank_cross3(w, axis, u);
    crank_vector u1 = crank_vector_of(crank_build_direction(b, between[0], u));
    crank_vector w1 = crank_vector_of(crank_build_direction(b, between[0], w));
    crank_ex cosine = crank_build_value(b, crank_build_product(b, u1, d));
    crank_ex sine = crank_build_value(b, crank_build_product(b, w1, d));
    crank_build_coordinate(b, owner, "angle", crank_build_turning_angle(b, sine, cosine));
    return CRANK_OK;
}

const crank_joint_type crank_joint_revolute_spherical = {
    {"revolute_spherical",
     "a rod without mass: a hinge on the first body, a ball on the second", keys, 3},
    build,
    "link",
    CRANK_IS_ROD};
