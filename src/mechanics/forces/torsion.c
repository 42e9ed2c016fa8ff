/* torsion.c - rotational spring and damper: on the angle of a joint, or of two bodies about an
 * axis.
 *
 * The torque T = k (angle - angle0) + preload + c angle', or a law of angle and rate, or a
 * table, acts against a growing angle: effort -T along the angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/forces/force.h"

static const crank_key_spec keys[] = {
    {"joint", CRANK_SHAPE_JOINT, false, NULL, "the joint whose angle it acts on, or `between`"},
    {"coordinate", CRANK_SHAPE_WORD, false, "angle|angle1|angle2",
     "which angle of a joint that has several angles"},
    {"between", CRANK_SHAPE_BODIES, false, NULL, "the first and the second body"},
    {"axis", CRANK_SHAPE_DIRECTION, false, NULL,
     "with `between`: axis of the angle at the start (not in planar models)"},
    {"stiffness", CRANK_SHAPE_NUMBER, false, NULL, "torque per angle"},
    {"damping", CRANK_SHAPE_NUMBER, false, NULL,
     "torque per rate of the angle; 0 if not given"},
    {"angle", CRANK_SHAPE_NUMBER, false, NULL,
     "angle without torque but the preload; the angle at the start if not given"},
    {"preload", CRANK_SHAPE_NUMBER, false, NULL,
     "with `stiffness`: torque at that angle, against a growing one; 0 if not given"},
    {"law", CRANK_SHAPE_EXPRESSION, false, "angle|rate",
     "torque against a growing angle as an expression of `angle` and `rate`, instead of "
     "`stiffness`"},
    {"table", CRANK_SHAPE_TABLE, false, "monotone|hold",
     "angles and torques, instead of `stiffness`"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const char *const place[] = {"joint", "between", NULL};
    crank_force_way way = {0};
    crank_ex torque = -1;
    const bool joint = crank_record_find(record, "joint") != NULL;
    crank_status status = crank_force_one_of(record, place, err);
    CRANK_THEN(status, crank_force_only(record, "coordinate", joint, "\"joint\"", err));
    CRANK_THEN(status, crank_force_only(record, "axis", !joint && !crank_force_in_plane(b),
                                        "\"between\" in models of dimension 3", err));
    CRANK_THEN(status, joint ? crank_force_joint(b, record, &way, err)
                             : crank_force_angle(b, record, &way, err));
    if (status == CRANK_OK && !way.angle) {
        status = crank_build_fail(record, "joint", err,
                                  "its coordinate is not an angle; \"type: spring\" acts on "
                                  "lengths");
    }
    CRANK_THEN(status, crank_force_spring(b, record, owner, &way, "angle", &torque, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_force_name(b, record, "angle", way.y);
    crank_force_name(b, record, "angle_rate", way.rate);
    crank_force_name(b, record, "torque", torque);
    return crank_build_effort_along_rate(b, owner, way.rate, crank_force_scale(b, -1.0, torque),
                                         err);
}

const crank_force_type crank_force_type_torsion = {
    {"torsion", "rotational spring and damper", keys, 5}, build, "torque", 0};
