/* revolute.c - hinge: P2 = P1 and a2 parallel to a1, or in the plane P2 = P1 alone. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axis", CRANK_SHAPE_AXIS, false, NULL, "direction of the hinge; not in planar models"},
    {"drive", CRANK_SHAPE_EXPRESSION, false, NULL,
     "angle as an expression of t, with a continuous rate"},
    CRANK_JOINT_ROTOR("rotor", CRANK_ROTOR_TURNS),
    CRANK_JOINT_TURNED,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *axis = crank_record_find(record, "axis");
    bool planar = crank_joint_in_plane(b);
    if (planar == (axis != NULL)) {
        return crank_build_fail(record, planar ? "axis" : NULL, err,
                                planar
                                    ? "hinges of planar models turn about z: leave the axis out"
                                    : "the key `axis` is missing: direction of the hinge");
    }
    /* a point mass in the plane has no angle: only with a drive or a rotor does it need one */
    const bool drive = crank_record_find(record, "drive") != NULL;
    bool angle_needed = !planar || drive || crank_record_find(record, "rotor") != NULL;
    crank_joint_frame f = {.turned = crank_record_find(record, "turned")};
    crank_status status = crank_joint_begin(
        b, record, owner, axis,
        angle_needed
            ? planar ? drive ? "leave the drive out" : "leave the rotor out" : "use spherical"
            : NULL,
        &f, err);
    CRANK_THEN(status, crank_joint_coincide(b, owner, f.at, err));
    CRANK_THEN(status, crank_joint_rotations(b, owner, &f, false, err));
    if (status != CRANK_OK || !crank_joint_can_turn(b, f.between)) {
        return status;
    }
    crank_ex angle = crank_joint_angle(b, &f);
    crank_build_coordinate(b, owner, "angle", angle);
    status =
        crank_build_rotor(b, record, owner, "rotor", true, crank_joint_turning(b, &f), err);
    CRANK_THEN(status, crank_joint_drive(b, record, owner, "drive", "angle", angle, err));
    return status;
}

const crank_joint_type crank_joint_revolute = {
    {"revolute", "a hinge: the bodies turn about one axis", keys, 5},
    build,
    "hinge",
    CRANK_TURNS | CRANK_ALIGNS};
