/* spherical.c - ball joint: P2 = P1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_joint_frame f = {0};
    crank_status status = crank_joint_begin(b, record, owner, NULL, NULL, &f, err);
    return status == CRANK_OK ? crank_joint_coincide(b, owner, f.at, err) : status;
}

const crank_joint_type crank_joint_spherical = {
    {"spherical", "a ball joint: two points stay together", keys, 3}, build, "ball", 0};
