/* parallel_axes.c - a2 stays parallel to a1; the bodies may move apart. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"axis", CRANK_SHAPE_AXIS, true, NULL, "direction that both bodies share"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    crank_joint_frame f = {.between = crank_record_find(record, "between")->index};
    crank_status status =
        crank_joint_needs_rotation(b, record, f.between, "leave the joint out", err);
    if (status != CRANK_OK) {
        return status;
    }
    const crank_field *axis = crank_record_find(record, "axis");
    f.axes = crank_joint_make_axes(b, record, axis, f.between, !axis->ends.local);
    crank_build_frames(b, owner, NULL, f.axes.a, f.axes.u);
    crank_build_reaction_point(b, owner, f.between[0], f.between[1],
                               crank_build_local_point(b, f.between[1], origin), f.axes.a[0]);
    for (int k = 0; k < 2; k++) {
        f.at[k] = crank_build_local_point(b, f.between[k], origin);
    }
    crank_build_draw(b, owner, f.at, f.axes.a, 0.0);
    crank_build_coordinate(b, owner, "angle", crank_joint_angle(b, &f));
    return crank_joint_rotations(b, owner, &f, false, err);
}

const crank_joint_type crank_joint_parallel_axes = {
    {"parallel_axes", "a direction of the second body stays parallel to one of the first", keys,
     3},
    build,
    "none",
    0};
