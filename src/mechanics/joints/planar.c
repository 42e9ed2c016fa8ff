/* planar.c - a plane of the second body slides and turns on one of the first: n2 parallel to
 * n1, n1.(P2 - P1) = 0. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axis", CRANK_SHAPE_AXIS, true, NULL, "normal of the plane"},
    CRANK_JOINT_TURNED,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_joint_frame f = {.turned = crank_record_find(record, "turned")};
    crank_status status = crank_joint_begin(b, record, owner, crank_record_find(record, "axis"),
                                            "use point_in_plane", &f, err);
    CRANK_THEN(status, crank_joint_flat(b, owner, f.axes.a[0], f.axes.axis, f.at, err));
    CRANK_THEN(status, crank_joint_rotations(b, owner, &f, false, err));
    if (status == CRANK_OK) {
        crank_build_coordinate(b, owner, "angle", crank_joint_angle(b, &f));
        crank_build_coordinate(b, owner, "length1", crank_joint_length(b, f.axes.u[0], &f));
        crank_build_coordinate(b, owner, "length2", crank_joint_length(b, f.axes.w[0], &f));
    }
    return status;
}

const crank_joint_type crank_joint_planar = {
    {"planar", "the bodies slide and turn on a common plane", keys, 3}, build, "plane", 0};
