/* prismatic.c - slider: no relative rotation, P2 on the line through P1 along a1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axis", CRANK_SHAPE_AXIS, true, NULL, "direction of sliding"},
    {"drive", CRANK_SHAPE_EXPRESSION, false, NULL,
     "length as an expression of t, with a continuous rate"},
    CRANK_JOINT_ROTOR("rotor", CRANK_ROTOR_SLIDES),
    CRANK_JOINT_TURNED,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_joint_frame f = {.no_turn = true, .turned = crank_record_find(record, "turned")};
    crank_status status = crank_joint_begin(b, record, owner, crank_record_find(record, "axis"),
                                            "use point_on_line", &f, err);
    CRANK_THEN(status, crank_joint_on_line(b, owner, &f, err));
    CRANK_THEN(status, crank_joint_rotations(b, owner, &f, true, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_ex length = crank_joint_length(b, f.axes.a[0], &f);
    crank_build_coordinate(b, owner, "length", length);
    if (f.local) {
        crank_build_slides(b, owner);
    }
    status = crank_build_rotor(b, record, owner, "rotor", false,
                               crank_build_time_derivative(b, length), err);
    CRANK_THEN(status, crank_joint_drive(b, record, owner, "drive", "length", length, err));
    return status;
}

const crank_joint_type crank_joint_prismatic = {
    {"prismatic", "a slider: the bodies move along one axis and do not turn", keys, 5},
    build,
    "slider",
    CRANK_ALIGNS};
