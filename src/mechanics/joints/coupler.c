/* coupler.c - linear coupling of joint coordinates: sum factor_k
 * coordinate_k = offset. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"joints", CRANK_SHAPE_JOINTS, true, NULL, "joints with one coordinate each"},
    {"factors", CRANK_SHAPE_NUMBERS, true, NULL, "one for each joint"},
    {"offset", CRANK_SHAPE_NUMBER, false, NULL,
     "what the sum of factors times coordinates is; 0 if not given"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *joints = crank_record_find(record, "joints");
    const crank_field *factors = crank_record_find(record, "factors");
    crank_pool *pool = crank_build_pool(b);
    if (joints->count != factors->count) {
        return crank_build_fail(record, "factors", err,
                                "there are %d joints and %d factors: each joint needs one",
                                joints->count, factors->count);
    }
    const crank_field *offset = crank_record_find(record, "offset");
    crank_ex g = crank_ex_number(pool, offset != NULL ? -offset->number[0] : 0.0);
    bool nonzero = false;
    for (int k = 0; k < joints->count; k++) {
        crank_ex coordinate;
        crank_status status =
            crank_joint_other(b, record, joints->index[k], NULL, &coordinate, err);
        if (status != CRANK_OK) {
            return status;
        }
        nonzero = nonzero || factors->number[k] < 0.0 || factors->number[k] > 0.0;
        g = crank_ex_add(
            pool, g, crank_ex_mul(pool, crank_ex_number(pool, factors->number[k]), coordinate));
    }
    if (!nonzero) {
        return crank_build_fail(record, "factors", err, "all factors are zero");
    }
    return crank_joint_effort(b, record, owner, g, "coupling", NULL, err);
}

const crank_joint_type crank_joint_coupler = {
    {"coupler", "a linear relation between joint coordinates", keys, 5},
    build,
    "none",
    CRANK_RELATES};
