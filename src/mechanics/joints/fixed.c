/* fixed.c - weld: P2 = P1 and no relative rotation. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN, CRANK_JOINT_AT, CRANK_JOINT_TURNED, CRANK_JOINT_TREE, CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_joint_frame f = {.no_turn = true, .turned = crank_record_find(record, "turned")};
    crank_status status =
        crank_joint_begin(b, record, owner, NULL,
                          crank_joint_in_plane(b) ? "use revolute" : "use spherical", &f, err);
    if (status == CRANK_OK) {
        status = crank_joint_coincide(b, owner, f.at, err);
    }
    return status == CRANK_OK ? crank_joint_rotations(b, owner, &f, true, err) : status;
}

const crank_joint_type crank_joint_fixed = {
    {"fixed", "a weld: the bodies move as one, as they stand at the start", keys, 5},
    build,
    "weld",
    CRANK_WELDS};
