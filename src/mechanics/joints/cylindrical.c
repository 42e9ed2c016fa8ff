/* cylindrical.c - a2 on the line of a1: turns about and slides along one axis. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axis", CRANK_SHAPE_AXIS, true, NULL, "direction of turning and sliding"},
    {"drive_angle", CRANK_SHAPE_EXPRESSION, false, NULL, "angle as an expression of t"},
    {"drive_length", CRANK_SHAPE_EXPRESSION, false, NULL, "length as an expression of t"},
    CRANK_JOINT_ROTOR("rotor_angle", CRANK_ROTOR_TURNS),
    CRANK_JOINT_ROTOR("rotor_length", CRANK_ROTOR_SLIDES),
    CRANK_JOINT_TURNED,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_ex angle, length;
    crank_status status =
        crank_joint_cylinder(b, record, owner, "rotor_angle", &angle, &length, err);
    CRANK_THEN(status, crank_build_rotor(b, record, owner, "rotor_length", false,
                                         crank_build_time_derivative(b, length), err));
    CRANK_THEN(status, crank_joint_drive(b, record, owner, "drive_angle", "angle", angle, err));
    CRANK_THEN(status,
               crank_joint_drive(b, record, owner, "drive_length", "length", length, err));
    return status;
}

const crank_joint_type crank_joint_cylindrical = {
    {"cylindrical", "the bodies turn about and slide along one axis", keys, 3},
    build,
    "cylinder",
    CRANK_TURNS | CRANK_ALIGNS};
