/* point_in_plane.c - a point of the second body in a plane of the first: n1.(P2 - P1) = 0. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"at", CRANK_SHAPE_END, true, NULL,
     "the point of the second body, through which the plane goes at the start; or {first: a "
     "point of the plane, second: the point}"},
    {"axis", CRANK_SHAPE_AXIS, true, NULL,
     "normal of the plane, fixed in the first body ({first, second}: first counts)"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_joint_frame f = {0};
    crank_status status =
        crank_joint_begin(b, record, owner, crank_record_find(record, "axis"), NULL, &f, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_coordinate(b, owner, "length1", crank_joint_length(b, f.axes.u[0], &f));
    crank_build_coordinate(b, owner, "length2", crank_joint_length(b, f.axes.w[0], &f));
    return crank_joint_flat(b, owner, f.axes.a[0], f.axes.axis, f.at, err);
}

const crank_joint_type crank_joint_point_in_plane = {
    {"point_in_plane", "a point of the second body stays in a plane of the first", keys, 3},
    build,
    "point",
    0};
