/* gear.c - two hinges turn in a fixed ratio: angle_b = ratio angle_a, from the start on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"joints", CRANK_SHAPE_JOINTS, true, NULL,
     "two joints with an angle, [a, b]; each angle is relative to the joint's first body, so "
     "that the hinges of a planetary gear have its carrier as first body"},
    {"ratio", CRANK_SHAPE_NUMBER, true, NULL, "angle of b per angle of a, not zero"},
    CRANK_JOINT_ROTOR("rotor", "inertia J that turns n times as fast as joint a: J n^2 along "
                               "its angle"),
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *joints = crank_record_find(record, "joints");
    double ratio = crank_record_find(record, "ratio")->number[0];
    crank_pool *pool = crank_build_pool(b);
    crank_ex angle[2];
    if (joints->count != 2 || joints->index[0] == joints->index[1]) {
        return crank_build_fail(record, "joints", err, "a gear couples two different joints");
    }
    if (!(ratio < 0.0 || ratio > 0.0)) {
        return crank_build_fail(record, "ratio", err, "the ratio is %g, it must not be zero",
                                ratio);
    }
    for (int k = 0; k < 2; k++) {
        crank_status status =
            crank_joint_other(b, record, joints->index[k], "angle", &angle[k], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    crank_ex g = crank_ex_sub(pool, angle[1],
                              crank_ex_mul(pool, crank_ex_number(pool, ratio), angle[0]));
    crank_build_draw_pair(b, owner, joints->index, 0.0);
    const crank_status status = crank_build_rotor(
        b, record, owner, "rotor", true, crank_build_time_derivative(b, angle[0]), err);
    return status == CRANK_OK
               ? crank_joint_effort(b, record, owner, g, "ratio of angles", "N m", err)
               : status;
}

const crank_joint_type crank_joint_gear = {
    {"gear",
     "two hinges turn in a fixed ratio; it exerts torques only, no force of teeth on bearings",
     keys, 5},
    build,
    "gear"};
