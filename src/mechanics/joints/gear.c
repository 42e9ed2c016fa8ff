/* gear.c - two hinges turn in a fixed ratio: angle_b = ratio angle_a, from the start on. Teeth
 * relate angles seen from what carries both wheels: hinges without a body in common are
 * reported. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "mechanics/joints/joint.h"

#include <stdlib.h>
#include <string.h>

static const crank_key_spec keys[] = {
    {"joints", CRANK_SHAPE_JOINTS, true, NULL,
     "two joints with an angle, [a, b]; each angle is relative to the joint's first body, so "
     "that the hinges of a planetary gear have its carrier as first body"},
    {"ratio", CRANK_SHAPE_NUMBER, true, NULL, "angle of b per angle of a, not zero"},
    CRANK_JOINT_ROTOR("rotor", "inertia J that turns n times as fast as joint a: J n^2 along "
                               "its angle"),
    CRANK_KEYS_END,
};

/* Which bodies move as one, those that are welded; [body_count]: the ground. malloc'ed. */
static int *weld(const crank_mechanism *m)
{
    int *one = malloc(((size_t)m->body_count + 1) * sizeof *one);
    for (int i = 0; i <= m->body_count && one != NULL; i++) {
        one[i] = i;
    }
    for (int j = 0; j < m->joint_count && one != NULL; j++) {
        if (crank_record_has(&m->joint[j], CRANK_WELDS)) {
            const int *between = crank_record_find(&m->joint[j], "between")->index;
            (void)crank_disjoint_join(one, between[0] >= 0 ? between[0] : m->body_count,
                                      between[1] >= 0 ? between[1] : m->body_count);
        }
    }
    return one;
}

static bool share_body(const crank_mechanism *m, const int *a, const int *c, int *one)
{
    bool share = false;
    for (int k = 0; k < 4; k++) {
        const int x = a[k / 2] >= 0 ? a[k / 2] : m->body_count;
        const int y = c[k % 2] >= 0 ? c[k % 2] : m->body_count;
        share = share || crank_disjoint_root(one, x) == crank_disjoint_root(one, y);
    }
    return share;
}

/* False: out of memory. */
static bool warn_apart(const crank_mechanism *m, const crank_record *record, const int joint[2])
{
    const crank_record *a = &m->joint[joint[0]], *c = &m->joint[joint[1]];
    const crank_field *first = crank_record_find(a, "between");
    const crank_field *second = crank_record_find(c, "between");
    if (first == NULL || second == NULL) {
        return true;
    }
    int *one = weld(m);
    if (one != NULL && !share_body(m, first->index, second->index, one)) {
        const int carrier[2] = {first->index[0], second->index[0]};
        crank_log_write(&m->options->log, CRANK_WARNING,
                        "gear \"%.80s\": its hinges have no body in common: the angle of "
                        "\"%.80s\" is counted from \"%.80s\", that of \"%.80s\" from "
                        "\"%.80s\"; teeth that meet need both hinges on what carries both "
                        "wheels",
                        record->name, a->name,
                        carrier[0] >= 0 ? m->body[carrier[0]].name : "ground", c->name,
                        carrier[1] >= 0 ? m->body[carrier[1]].name : "ground");
    }
    free(one);
    return one != NULL;
}

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
    if (!warn_apart(crank_build_mechanism(b), record, joints->index)) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
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
    "gear",
    CRANK_RELATES};
