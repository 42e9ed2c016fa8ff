/* rolling_sphere.c - sphere that rolls on a plane of the first body without slipping, theory
 * (7.22) with rho = -r n:
 *     n.(c - P) = r,    (t_k.c)' - r omega.(n x t_k) = 0,   n x t_1 = t_2, n x t_2 = -t_1
 * Products with directions of the first body are coordinates seen from it, so that their rates
 * are relative velocities: the plane may move. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the body with the plane, and the sphere"},
    {"radius", CRANK_SHAPE_NUMBER, true, NULL, "of the sphere, m"},
    {"at", CRANK_SHAPE_END, false, NULL,
     "the centre at the start ({first, second}: second counts); default: the sphere's origin"},
    {"plane", CRANK_SHAPE_PLANE, true, NULL,
     "{at: a point, normal: towards the sphere}, fixed in the first body"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    crank_joint_contact k;
    crank_status status = crank_joint_begin_rolling(b, record, owner, &k, err);
    if (status == CRANK_OK) {
        crank_ex lambda = -1;
        status = crank_build_row(b, owner, k.height, k.radius, "contact", &lambda, err);
        if (status == CRANK_OK) {
            crank_joint_name_push(b, record, lambda);
        }
    }
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        /* n x t_1 = t_2, n x t_2 = -t_1 */
        int turn =
            crank_build_turn(b, crank_vector_of(k.plane.t[1 - i]), k.between[0], k.between[1]);
        crank_ex factor = crank_ex_number(pool, i == 0 ? -k.radius : k.radius);
        crank_ex h = crank_ex_add(pool, crank_build_rate(b, k.along[i]),
                                  crank_ex_mul(pool, factor, crank_build_rate(b, turn)));
        crank_row_name name = crank_joint_row_name("rolling along", k.plane.tangent[i]);
        status = crank_build_nonholonomic(b, owner, h, name.text, NULL, err);
    }
    return status;
}

const crank_joint_type crank_joint_rolling_sphere = {
    {"rolling_sphere", "a sphere rolls on a plane of the first body without slipping", keys, 3},
    build,
    "wheel",
    0};
