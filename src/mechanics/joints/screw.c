/* screw.c - cylindrical with length = pitch angle/(2 pi). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axis", CRANK_SHAPE_AXIS, true, NULL, "direction of the screw"},
    {"pitch", CRANK_SHAPE_NUMBER, true, NULL,
     "length per turn, m; positive: a right-handed screw"},
    CRANK_JOINT_ROTOR("rotor", CRANK_ROTOR_TURNS),
    CRANK_JOINT_TURNED,
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

double crank_joint_lead(const crank_record *record)
{
    static const double two_pi = 6.283185307179586;
    return crank_record_find(record, "pitch")->number[0] / two_pi;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    crank_ex angle, length;
    crank_status status = crank_joint_cylinder(b, record, owner, "rotor", &angle, &length, err);
    if (status != CRANK_OK) {
        return status;
    }
    const double lead = crank_joint_lead(record);
    crank_ex g =
        crank_ex_sub(pool, length, crank_ex_mul(pool, crank_ex_number(pool, lead), angle));
    return crank_build_holonomic(b, owner, g, "thread", NULL, err);
}

const crank_joint_type crank_joint_screw = {
    {"screw", "the bodies turn about an axis and move along it, by the pitch in each turn",
     keys, 3},
    build,
    "screw",
    CRANK_TURNS | CRANK_ALIGNS};
