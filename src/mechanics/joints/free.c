/* free.c - six coordinates of the second body in the axes of the first, without a constraint
 * but along axes that are held: for springs, expressions and results; in joint coordinates they
 * are the unknowns (Cardan angles).
 *
 *     P2 = P1 + R1 (x, y, z),     R2 = R1 Rz(yaw) Rx(roll) Ry(pitch)     theory (7.36)
 * so that a wheelset may turn about its axle y as often as it likes; at roll +-90 deg yaw and
 * pitch have no values. With M_ij = i1.j2 of the axes of both bodies
 *     tan yaw = -M_xy/M_yy,   tan pitch = -M_zx/M_zz,   sin roll = M_zy */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    CRANK_JOINT_AT,
    {"hold_x", CRANK_SHAPE_FLAG, false, NULL,
     "true: x stays zero, along the x axis of the first body"},
    {"hold_y", CRANK_SHAPE_FLAG, false, NULL, "the same of y"},
    {"hold_z", CRANK_SHAPE_FLAG, false, NULL, "the same of z"},
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static bool is_held(const crank_record *record, int axis)
{
    static const char *const key[3] = {"hold_x", "hold_y", "hold_z"};
    const crank_field *field = crank_record_find(record, key[axis]);
    return field != NULL && field->number[0] != 0.0;
}

/* M_ij */
static int cosine(crank_builder *b, const crank_marker axis[3][2], int i, int j)
{
    return crank_build_product(b, crank_vector_of(axis[i][0]), crank_vector_of(axis[j][1]));
}

static void make_angles(crank_builder *b, crank_owner owner, const crank_marker axis[3][2])
{
    crank_pool *pool = crank_build_pool(b);
    enum { X, Y, Z };
    crank_ex M[3][3];
    for (int i = 0; i < 9; i++) {
        M[i / 3][i % 3] = crank_build_value(b, cosine(b, axis, i / 3, i % 3));
    }
    const crank_ex level =
        crank_ex_call(pool, CRANK_EX_SQRT,
                      crank_ex_add(pool, crank_ex_mul(pool, M[Z][X], M[Z][X]),
                                   crank_ex_mul(pool, M[Z][Z], M[Z][Z])),
                      0, 0);
    crank_build_coordinate(b, owner, "yaw",
                           crank_build_turning_angle(b, crank_ex_neg(pool, M[X][Y]), M[Y][Y]));
    crank_build_coordinate(b, owner, "roll",
                           crank_ex_call(pool, CRANK_EX_ATAN2, M[Z][Y], level, 0));
    crank_build_coordinate(b, owner, "pitch",
                           crank_build_turning_angle(b, crank_ex_neg(pool, M[Z][X]), M[Z][Z]));
    crank_build_cosine_pole(b, owner, cosine(b, axis, Z, Y),
                            "where roll is 90 deg, and yaw and pitch have no values");
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const char *const name[3] = {"x", "y", "z"};
    const int *between = crank_record_find(record, "between")->index;
    crank_marker at[2], axis[3][2];
    crank_status status =
        crank_joint_needs_rotation(b, record, between, "it has no coordinates", err);
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    for (int i = 0; i < 6; i++) {
        axis[i / 2][i % 2] = crank_build_own_direction(b, record, between[i % 2], axes[i / 2]);
    }
    for (int i = 0; i < 3 && status == CRANK_OK; i++) {
        const int y = crank_build_product(b, crank_vector_of(axis[i][0]),
                                          crank_vector_between(at[0], at[1]));
        crank_build_coordinate(b, owner, name[i], crank_build_value(b, y));
        if (is_held(record, i)) {
            const crank_row_name row = crank_joint_row_name("translation along", axes[i]);
            status = crank_build_row(b, owner, y, 0.0, row.text, NULL, err);
        }
    }
    if (status != CRANK_OK) {
        return status;
    }
    make_angles(b, owner, (const crank_marker(*)[2])axis);
    crank_build_frames(b, owner, at, axis[0], axis[1]);
    crank_build_reaction_point(b, owner, between[0], between[1], at[1], axis[0][0]);
    crank_build_draw(b, owner, at, NULL, 0.0);
    return CRANK_OK;
}

const crank_joint_type crank_joint_free = {
    {"free", "coordinates of a body relative to another one, without a constraint", keys, 3},
    build,
    "none",
    CRANK_RELATES};
