/* universal.c - P2 = P1 and a1.a2 = 0: a cross with one arm in each body.
 *
 * angle1, of the cross about a1: a2 in the axes u1 = a2 at the start and w1 = a1 x u1 of the
 * first body; angle2, of the second body about a2: a1 in the axes u2 = a1 at the start and w2 =
 * a2 x u2 of the second body, in which it turns backwards. With axes in the bodies u1 and u2
 * are what is left of a2 and a1, read in axes of the other body, across a1 and a2: these arms
 * themselves, where the axes of the bodies are parallel, if they are perpendicular there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include "base/then.h"
#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"axes", CRANK_SHAPE_DIRECTIONS, true, NULL,
     "arms of the cross: the axis in the first body and that in the second; perpendicular, in "
     "axes of the world. By {first: , second: }, in axes of the bodies, they need not be: the "
     "joint turns the bodies until they are"},
    CRANK_JOINT_ROTOR("rotor_angle1", CRANK_ROTOR_TURNS),
    CRANK_JOINT_ROTOR("rotor_angle2", CRANK_ROTOR_TURNS),
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static crank_ex product(crank_builder *b, crank_marker m, crank_marker n)
{
    return crank_build_value(b, crank_build_product(b, crank_vector_of(m), crank_vector_of(n)));
}

/* a1, a2: arms in their bodies; u1, u2: the other arm there, where the angles are zero */
typedef struct arms {
    crank_marker a[2], u[2], w[2];
} arms;

/* of unit vectors */
static const double perpendicular = 1e-6;

/* x: what is left of it across a, of length one; returns how long it was. */
static double leave_across(double x[3], const double a[3])
{
    crank_add3(x, -crank_dot3(x, a), a);
    const double size = crank_norm3(x);
    for (int i = 0; i < 3 && size > 0.0; i++) {
        x[i] /= size;
    }
    return size;
}

/* left: of the second arm across the first */
static crank_status refuse(const crank_record *record, bool local, double cosine,
                           const double left[3], double size, crank_error *err)
{
    if (local) {
        return crank_build_fail(
            record, "axes", err,
            "the axes have the same components in axes of the two bodies, which "
            "leaves open how these stand to each other: give them by two "
            "directions of the world, or turn the axes of one of the bodies");
    }
    return size <= perpendicular
               ? crank_build_fail(record, "axes", err,
                                  "the axes must be perpendicular, but they are parallel")
               : crank_build_fail(
                     record, "axes", err,
                     "the axes must be perpendicular, but their angle has the cosine "
                     "%.6g; with the first one as it is, [%.6g, %.6g, %.6g] is "
                     "perpendicular",
                     cosine, left[0], left[1], left[2]);
}

static crank_marker direction(const crank_builder *b, const crank_record *record, int body,
                              const double v[3], bool local)
{
    return local ? crank_build_own_direction(b, record, body, v)
                 : crank_build_direction(b, body, v);
}

static crank_status find_arms(const crank_builder *b, const crank_record *record,
                              const int between[2], arms *out, crank_error *err)
{
    const crank_field *axes = crank_record_find(record, "axes");
    const bool local = axes->ends.local;
    double arm[2][3];
    for (int k = 0; k < 2; k++) { /* of the ground in axes of the file, as those of a body */
        const double *given = local && k == 0 ? axes->ends.first
                              : local         ? axes->ends.second
                                              : axes->number + 3 * k;
        crank_marker m = {.body = local ? between[k] : 0, .u = {given[0], given[1], given[2]}};
        crank_build_in_own_axes(record, m, arm[k]);
    }
    const double cosine = crank_dot3(arm[0], arm[1]);
    const bool across = fabs(cosine) <= perpendicular;
    double rest[2][3];
    for (int k = 0; k < 2; k++) {
        memcpy(rest[k], arm[1 - k], sizeof rest[k]);
        const double size = across ? 1.0 : leave_across(rest[k], arm[k]);
        if (!across && (!local || size <= perpendicular)) {
            return refuse(record, local, cosine, rest[0], size, err);
        }
    }
    for (int k = 0; k < 2; k++) {
        double w[3];
        crank_cross3(w, arm[k], rest[k]);
        out->a[k] = direction(b, record, between[k], arm[k], local);
        out->u[k] = direction(b, record, between[k], rest[k], local);
        out->w[k] = direction(b, record, between[k], w, local);
    }
    return CRANK_OK;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const bool local = crank_record_find(record, "axes")->ends.local;
    crank_pool *pool = crank_build_pool(b);
    crank_marker at[2];
    arms r;
    crank_status status = crank_joint_needs_rotation(b, record, between, "use spherical", err);
    CRANK_THEN(status, find_arms(b, record, between, &r, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    const crank_marker first[2] = {r.a[0], r.u[1]}, second[2] = {r.u[0], r.a[1]};
    crank_build_frames(b, owner, at, local ? first : NULL, local ? second : NULL);
    status = crank_joint_coincide(b, owner, at, err);
    if (status != CRANK_OK) {
        return status;
    }
    double normal[3];
    crank_joint_world(b, r.w[0], normal);
    const crank_row_name name = crank_joint_row_name("rotation about", normal);
    const int y = crank_build_product(b, crank_vector_of(r.a[0]), crank_vector_of(r.a[1]));
    status = crank_build_row(b, owner, y, 0.0, name.text, NULL, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at[1], r.a[1]);
    crank_build_draw(b, owner, at, r.a, 0.0);
    const crank_ex sine1 = product(b, r.w[0], r.a[1]), sine2 = product(b, r.w[1], r.a[0]);
    const crank_ex angle1 = crank_build_turning_angle(b, sine1, product(b, r.u[0], r.a[1]));
    const crank_ex angle2 =
        crank_build_turning_angle(b, crank_ex_neg(pool, sine2), product(b, r.u[1], r.a[0]));
    crank_build_coordinate(b, owner, "angle1", angle1);
    crank_build_coordinate(b, owner, "angle2", angle2);
    status = crank_build_rotor(b, record, owner, "rotor_angle1", true,
                               crank_build_time_derivative(b, angle1), err);
    CRANK_THEN(status, crank_build_rotor(b, record, owner, "rotor_angle2", true,
                                         crank_build_time_derivative(b, angle2), err));
    return status;
}

const crank_joint_type crank_joint_universal = {
    {"universal", "a cross: the bodies turn about one axis in each", keys, 3},
    build,
    "universal",
    0};
