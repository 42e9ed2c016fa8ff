/* rack_and_pinion.c - a pinion moves a rack: length = radius angle, from the start on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"joints", CRANK_SHAPE_JOINTS, true, NULL,
     "the pinion's joint, which has an angle, and the rack's, which has a length"},
    {"radius", CRANK_SHAPE_NUMBER, true, NULL,
     "of the pinion, m; negative: the rack moves backwards"},
    CRANK_JOINT_ROTOR("rotor",
                      "inertia J that turns n times as fast as the pinion: J n^2 along "
                      "its angle"),
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *joints = crank_record_find(record, "joints");
    double radius = crank_record_find(record, "radius")->number[0];
    crank_pool *pool = crank_build_pool(b);
    crank_ex angle, length;
    if (joints->count != 2) {
        return crank_build_fail(record, "joints", err,
                                "two joints are needed: the pinion's and the rack's");
    }
    if (!(radius < 0.0 || radius > 0.0)) {
        return crank_build_fail(record, "radius", err, "the radius is %g, it must not be zero",
                                radius);
    }
    crank_status status = crank_joint_other(b, record, joints->index[0], "angle", &angle, err);
    if (status == CRANK_OK) {
        status = crank_joint_other(b, record, joints->index[1], "length", &length, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_ex g =
        crank_ex_sub(pool, length, crank_ex_mul(pool, crank_ex_number(pool, radius), angle));
    crank_build_draw_pair(b, owner, joints->index, radius < 0.0 ? -radius : radius);
    status = crank_build_rotor(b, record, owner, "rotor", true,
                               crank_build_time_derivative(b, angle), err);
    return status == CRANK_OK
               ? crank_joint_effort(b, record, owner, g, "rolling of the pinion", "N", err)
               : status;
}

const crank_joint_type crank_joint_rack_and_pinion = {
    {"rack_and_pinion", "a turning pinion moves a sliding rack", keys, 5},
    build,
    "gear",
    CRANK_RELATES};
