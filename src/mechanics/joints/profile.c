/* profile.c - two smooth outlines touch in the plane, as cam and follower do. In axes of the
 * first body, with the outlines C_1(s1) and P_2 = o + Q C_2(s2) (o: origin of the second body,
 * Q: rotation by the angle between them), d = P_2 - C_1, tangents T_1 = C_1', T_2 = Q C_2',
 * normal n = (-T_1y, T_1x):
 *     c_1 = n.T_2 = 0 (parallel tangents),   c_2 = T_1.d = 0,   g = n.d = 0
 * Regular where the curvatures differ, D = n.T_2'/|T_2|^2 - n.T_1'/|T_1|^2. As bodies do not
 * overlap beside the point where they touch, the second is on the side of n where D > 0, of -n
 * where D < 0: its force along n there, times the sign of D, is `push`. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/contact.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"profiles", CRANK_SHAPE_CURVES, true, "s1|s2",
     "[[x(s1), y(s1)], [x(s2), y(s2)]]: outlines in axes of each body from its origin"},
    {"start", CRANK_SHAPE_NUMBERS, true, NULL,
     "[s1, s2] of the touching points at the start, or near them"},
    CRANK_KEYS_END,
};

/* out = Q a */
static void rotate(const crank_contact *c, crank_ex angle, const crank_ex a[3], crank_ex out[3])
{
    crank_pool *pool = c->pool;
    crank_ex co = crank_ex_call(pool, CRANK_EX_COS, angle, 0, 0);
    crank_ex si = crank_ex_call(pool, CRANK_EX_SIN, angle, 0, 0);
    out[0] = crank_ex_sub(pool, crank_ex_mul(pool, co, a[0]), crank_ex_mul(pool, si, a[1]));
    out[1] = crank_ex_add(pool, crank_ex_mul(pool, si, a[0]), crank_ex_mul(pool, co, a[1]));
}

/* n.T'/|T|^2: how the outline bends towards n */
static crank_ex bend(const crank_contact *c, const crank_ex n[3], const crank_ex T[3],
                     const crank_ex change[3])
{
    return crank_ex_div(c->pool, crank_contact_dot(c, n, change), crank_contact_dot(c, T, T));
}

/* `push`, from the multiplier of n.d/size; T, change: tangents and their derivatives by the
 * parameters, in axes of the first body */
static void give_push(const crank_contact *c, const crank_ex n[3], crank_ex T[2][3],
                      crank_ex change[2][3], double size, crank_ex lambda)
{
    crank_pool *pool = c->pool;
    const crank_ex D =
        crank_ex_sub(pool, bend(c, n, T[1], change[1]), bend(c, n, T[0], change[0]));
    const crank_ex side = crank_ex_call(pool, CRANK_EX_SIGN, D, 0, 0);
    const crank_ex length =
        crank_ex_call(pool, CRANK_EX_SQRT, crank_contact_dot(c, n, n), 0, 0);
    const crank_ex along = crank_ex_mul(pool, crank_ex_number(pool, -1.0 / size),
                                        crank_ex_mul(pool, length, lambda));
    crank_build_name(c->b, "joint", c->record->name, "push", crank_ex_mul(pool, side, along),
                     true);
}

static crank_status build_rows(const crank_contact *c, const int between[2], crank_ex C[2][3],
                               crank_error *err)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    crank_builder *b = c->b;
    crank_ex angle = crank_build_value(b, crank_build_angle(b, between[0], between[1]));
    crank_ex T[2][3], bends[2][3], o[3], Q[3], d[3], T2[3], bends2[3], lambda = -1;
    double size, other;
    for (int k = 0; k < 2; k++) {
        crank_contact_derivative(c, C[k], k, T[k]);
        crank_contact_derivative(c, T[k], k, bends[k]);
    }
    crank_marker second = crank_build_local_point(b, between[1], origin);
    crank_joint_in_axes(b, between[0], second, o);
    rotate(c, angle, C[1], Q);
    rotate(c, angle, T[1], T2);
    rotate(c, angle, bends[1], bends2);
    for (int k = 0; k < 2; k++) {
        d[k] = crank_ex_sub(c->pool, crank_ex_add(c->pool, o[k], Q[k]), C[0][k]);
    }
    const crank_ex n[3] = {crank_ex_neg(c->pool, T[0][1]), T[0][0], 0};
    crank_status status =
        crank_contact_size(c, "profiles", "tangent of the first profile", T[0], &size, err);
    CRANK_THEN(status, crank_contact_size(c, "profiles", "tangent of the second profile", T[1],
                                          &other, err));
    CRANK_THEN(status, crank_build_contact_row(b, c->owner, crank_contact_dot(c, n, T2), err));
    CRANK_THEN(status,
               crank_build_contact_row(b, c->owner, crank_contact_dot(c, T[0], d), err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, c->owner, between[0], between[1], second,
                               (crank_marker){.body = -1});
    crank_marker touching[2];
    for (int k = 0; k < 2; k++) {
        double own[3];
        const bool known = crank_contact_evaluate(c, C[k], c->start, own);
        touching[k] = crank_build_local_point(b, between[k], known ? own : origin);
    }
    crank_build_draw(b, c->owner, touching, NULL, 0.0);
    for (int k = 0; k < 2; k++) {
        crank_contact_draw(c, C[k], k, between[k]);
        crank_contact_measure(c, C[k], k);
    }
    status = crank_contact_row(c, n, d, size, "contact", &lambda, err);
    if (status == CRANK_OK) {
        crank_ex tangent[2][3] = {{T[0][0], T[0][1], 0}, {T2[0], T2[1], 0}};
        crank_ex change[2][3] = {{bends[0][0], bends[0][1], 0}, {bends2[0], bends2[1], 0}};
        give_push(c, n, tangent, change, size, lambda);
    }
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *profiles = crank_record_find(record, "profiles");
    crank_contact c;
    crank_ex C[2][3];
    crank_status status = crank_joint_needs_rotation(b, record, between, "use curve", err);
    CRANK_THEN(status, crank_contact_begin(&c, b, record, owner, 2, err));
    if (status != CRANK_OK) {
        return status;
    }
    if (profiles->count != 4 || profiles->width != 2) {
        return crank_build_fail(record, "profiles", err,
                                "two profiles with two components each are needed");
    }
    for (int k = 0; k < 2; k++) {
        status = crank_contact_resolve(&c, "profiles", 2 * k, C[k], err);
        if (status != CRANK_OK) {
            return status;
        }
        for (int i = 0; i < 2; i++) {
            if (crank_ex_depends(c.pool, C[k][i], c.s[1 - k])) {
                return crank_build_fail(
                    record, "profiles", err,
                    "the first profile is an expression of s1, the second one of s2");
            }
        }
    }
    return build_rows(&c, between, C, err);
}

const crank_joint_type crank_joint_profile = {
    {"profile", "smooth outlines of two bodies touch each other", keys, 2}, build, "point", 0};
