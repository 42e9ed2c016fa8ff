/* point_on_line.c - a point of the second body on a line of the first: across_k.(P2 - P1) =
 * 0. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"at", CRANK_SHAPE_END, true, NULL,
     "the point of the second body, through which the line goes at the start; or {first: a "
     "point of the line, second: the point}"},
    {"axis", CRANK_SHAPE_AXIS, true, NULL,
     "direction of the line, fixed in the first body ({first, second}: first counts)"},
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
    crank_build_coordinate(b, owner, "length", crank_joint_length(b, f.axes.a[0], &f));
    return crank_joint_on_line(b, owner, &f, err);
}

const crank_joint_type crank_joint_point_on_line = {
    {"point_on_line", "a point of the second body stays on a line of the first", keys, 5},
    build,
    "point",
    0};
