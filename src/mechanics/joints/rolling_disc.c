/* rolling_disc.c - thin disc or wheel that rolls on a plane of the first body without slipping,
 * theory (7.21), (7.22).
 *
 * Centre c, axis a, plane through P with normal n and tangents t_k; sigma = sqrt(1 - (n.a)^2):
 *     n.(c - P) - r sigma = 0
 *     (t_k.c)' - (r/sigma) omega.(n x t_k) + (r/sigma) (n.a) (t_k.a)' = 0
 * with omega relative to the first body; products with its directions are coordinates seen from
 * it, so that the plane may move. In planar models a is z, sigma = 1, and the one tangent has n
 * x t = -z. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the body with the plane, and the wheel"},
    {"radius", CRANK_SHAPE_NUMBER, true, NULL, "of the wheel, m"},
    {"axis", CRANK_SHAPE_AXIS, false, NULL,
     "of the wheel ({first, second}: second counts); not in planar models"},
    {"at", CRANK_SHAPE_END, false, NULL,
     "the centre at the start ({first, second}: second counts); default: the wheel's origin"},
    {"plane", CRANK_SHAPE_PLANE, true, NULL,
     "{at: a point, normal: towards the wheel}, fixed in the first body"},
    CRANK_KEYS_END,
};

static crank_status build_planar(crank_builder *b, const crank_record *record,
                                 crank_owner owner, const crank_joint_contact *k,
                                 crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    crank_row_name name = crank_joint_row_name("rolling along", k->plane.tangent[0]);
    int angle = crank_build_angle(b, k->between[0], k->between[1]);
    crank_ex h = crank_ex_add(
        pool, crank_build_rate(b, k->along[0]),
        crank_ex_mul(pool, crank_ex_number(pool, k->radius), crank_build_rate(b, angle)));
    crank_ex lambda = -1;
    crank_status status =
        crank_build_row(b, owner, k->height, k->radius, "contact", &lambda, err);
    if (status == CRANK_OK) {
        crank_joint_name_push(b, record, lambda);
        status = crank_build_nonholonomic(b, owner, h, name.text, NULL, err);
    }
    return status;
}

static crank_status build_spatial(crank_builder *b, const crank_record *record,
                                  crank_owner owner, const crank_joint_contact *k,
                                  crank_marker axis, crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    crank_vector a = crank_vector_of(axis);
    crank_ex r = crank_ex_number(pool, k->radius), one = crank_ex_number(pool, 1.0);
    const int cosine = crank_build_product(b, crank_vector_of(k->plane.n), a);
    crank_ex na = crank_build_value(b, cosine);
    crank_ex sigma = crank_ex_call(pool, CRANK_EX_SQRT,
                                   crank_ex_sub(pool, one, crank_ex_mul(pool, na, na)), 0, 0);
    crank_ex g =
        crank_ex_sub(pool, crank_build_value(b, k->height), crank_ex_mul(pool, r, sigma));
    crank_ex lambda = -1;
    crank_status status = crank_build_holonomic(b, owner, g, "contact", &lambda, err);
    if (status == CRANK_OK) {
        crank_joint_name_push(b, record, lambda);
    }
    crank_build_cosine_pole(b, owner, cosine,
                            "a singular position: the wheel lies flat, and the point where it "
                            "touches has no place");
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        int turn = crank_build_turn(b, crank_vector_of(k->plane.t[1 - i]), k->between[0],
                                    k->between[1]);
        int ta = crank_build_product(b, crank_vector_of(k->plane.t[i]), a);
        crank_ex spin = crank_build_rate(b, turn); /* omega.(n x t_1), -omega.(n x t_2) */
        crank_ex part = crank_ex_sub(pool, crank_ex_mul(pool, na, crank_build_rate(b, ta)),
                                     i == 0 ? spin : crank_ex_neg(pool, spin));
        crank_ex h = crank_ex_add(pool, crank_build_rate(b, k->along[i]),
                                  crank_ex_mul(pool, crank_ex_div(pool, r, sigma), part));
        crank_row_name name = crank_joint_row_name("rolling along", k->plane.tangent[i]);
        status = crank_build_nonholonomic(b, owner, h, name.text, NULL, err);
    }
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *field = crank_record_find(record, "axis");
    bool planar = crank_joint_in_plane(b);
    if (planar == (field != NULL)) {
        return crank_build_fail(record, planar ? "axis" : NULL, err,
                                planar
                                    ? "wheels of planar models turn about z: leave the axis out"
                                    : "the key `axis` is missing: the wheel's axis");
    }
    crank_joint_contact k;
    crank_status status = crank_joint_begin_rolling(b, record, owner, &k, err);
    if (status == CRANK_OK && planar) {
        static const double z[3] = {0.0, 0.0, 1.0};
        crank_build_draw_at(b, owner, k.between[0],
                            crank_joint_second_point(b, record, k.between[1]), z, k.radius);
        return build_planar(b, record, owner, &k, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_marker axis[2];
    double a[3], n[3], c[3];
    crank_build_ends(b, &field->ends, k.between, false, axis);
    crank_joint_world(b, axis[1], a);
    crank_joint_world(b, k.plane.n, n);
    crank_cross3(c, n, a);
    if (crank_norm3(c) < 1e-6 && !crank_joint_turns_free(b, k.between[0]) &&
        !crank_joint_turns_free(b, k.between[1])) {
        return crank_build_fail(record, "axis", err,
                                "the wheel lies flat: its axis is normal to the plane");
    }
    crank_build_draw_at(b, owner, k.between[0],
                        crank_joint_second_point(b, record, k.between[1]), a, k.radius);
    return build_spatial(b, record, owner, &k, axis[1], err);
}

const crank_joint_type crank_joint_rolling_disc = {
    {"rolling_disc", "a thin wheel rolls on a plane of the first body without slipping", keys,
     5},
    build,
    "wheel",
    0};
