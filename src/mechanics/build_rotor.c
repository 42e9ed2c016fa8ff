/* build_rotor.c - what moves with a coordinate q of a joint besides the bodies: the rotor of a
 * motor behind a gear, of inertia J about its axis, which turns n times as fast,
 *
 *     T = J (n q')^2/2,     effort -J n^2 q'' along q                             theory (7.44)
 * As accelerations are unknowns, J n^2 times the rates of q by both bodies' velocities, twice,
 * is a true part of the mass matrix: methods, impacts and energies have it as that of bodies.
 * Where q is a coordinate of a tree, J n^2 is its alone (joint/rotor.c).
 * The rotor's mass, its turning with the bodies and its gyroscopic torques are not in it, as is
 * usual where the ratio is large (MuJoCo's armature). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <stdio.h>

/* whose coordinate it is, -1: no joint's */
static int joint_of(const crank_record *record, crank_owner owner)
{
    const crank_field *field = crank_record_find(record, "joint");
    if (owner.kind == CRANK_OWNER_JOINT) {
        return owner.index;
    }
    return field != NULL ? field->index[0] : -1;
}

crank_status crank_build_rotor(crank_builder *b, const crank_record *record, crank_owner owner,
                               const char *key, bool turns, crank_ex rate, crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_field *field = crank_record_find(record, key);
    if (field == NULL) {
        return CRANK_OK;
    }
    const double inertia = field->number[0], ratio = field->number[1];
    if (!(inertia >= 0.0)) {
        return crank_build_fail(record, key, err, "the inertia is %g, must be zero or more",
                                inertia);
    }
    if (!(ratio < 0.0 || ratio > 0.0)) {
        return crank_build_fail(record, key, err, "the ratio is %g, it must not be zero",
                                ratio);
    }
    const double whole = inertia * ratio * ratio;
    const crank_ex square = crank_ex_mul(pool, rate, rate);
    crank_build_kinetic(b, owner,
                        crank_ex_mul(pool, crank_ex_number(pool, 0.5 * whole), square));
    const crank_ex effort =
        crank_ex_mul(pool, crank_ex_number(pool, -whole), crank_build_time_derivative(b, rate));
    char name[64];
    (void)snprintf(name, sizeof name, "%s_effort", key);
    crank_build_name(b, owner.kind == CRANK_OWNER_JOINT ? "joint" : "force", record->name, name,
                     effort, true);
    crank_build_unit(b, turns ? "N m" : "N");
    crank_rotor rotor = {.joint = joint_of(record, owner),
                         .turns = turns,
                         .inertia = whole,
                         .effort = b->effort.count};
    const crank_status status = crank_build_effort_along_rate(b, owner, rate, effort, err);
    rotor.count = b->effort.count - rotor.effort;
    if (status == CRANK_OK) {
        (void)CRANK_BUILD_PUSH(b, b->rotor, rotor);
    }
    return status == CRANK_OK ? crank_build_memory(b, err) : status;
}
