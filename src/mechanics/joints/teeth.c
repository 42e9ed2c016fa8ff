/* teeth.c - two wheels touch at a point P along a line n, both fixed in the body C that carries
 * the wheels: spur, helical, bevel, hypoid and worm gears in space alike. The points of the
 * wheels that are at P move alike along n, theory (7.35),
 *     h = n.(v_2(P) - v_1(P)) = 0,   v_k(P) = v_k + omega_k x (P - x_k)
 * so that the multiplier is the force of the teeth, along n at P, on wheels and bearings. Seen
 * from C, with its axes e_i and x_k the wheels' origins,
 *     n.v_k(P) = (n.(x_k - P))' + sum_i e_i.omega_k e_i.((P - x_k) x n)
 * where C's own motion drops out of the difference. The turns of the wheels are related by
 * their rates alone: which teeth meet is not stated. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the first and the second wheel"},
    {"carrier", CRANK_SHAPE_BODY, false, NULL,
     "the body that carries both wheels, in which point and line are fixed; the ground if not "
     "given"},
    {"at", CRANK_SHAPE_POINT, false, NULL,
     "where the pitch surfaces touch, in world axes at the start"},
    {"local", CRANK_SHAPE_VECTOR, false, NULL,
     "the same in axes of the carrier from its origin, instead of `at`"},
    {"line", CRANK_SHAPE_DIRECTION, true, NULL,
     "line of action, in world axes at the start: along it teeth push the second wheel"},
    CRANK_KEYS_END,
};

/* n.v(P) of a wheel, seen from the carrier */
static crank_ex speed(crank_builder *b, int carrier, int wheel, crank_marker P, crank_marker n)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    crank_pool *pool = crank_build_pool(b);
    const crank_vector d =
        crank_vector_between(P, crank_build_local_point(b, wheel, origin)); /* x - P */
    crank_ex sum = crank_build_rate(b, crank_build_product(b, crank_vector_of(n), d));
    crank_vector axis[3];
    crank_ex arm[3]; /* x - P */
    for (int i = 0; i < 3; i++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[i] = 1.0;
        axis[i] = crank_vector_of(crank_build_local_direction(b, carrier, e));
        arm[i] = crank_build_value(b, crank_build_product(b, axis[i], d));
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const crank_ex lever = crank_ex_sub(
            pool, crank_ex_mul(pool, arm[k], crank_ex_number(pool, n.u[j])),
            crank_ex_mul(pool, arm[j], crank_ex_number(pool, n.u[k]))); /* (P - x) x n */
        const int turn = crank_build_turn(b, axis[i], carrier, wheel);
        sum = crank_ex_add(pool, sum, crank_ex_mul(pool, lever, crank_build_rate(b, turn)));
    }
    return sum;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *body = crank_record_find(record, "carrier");
    const int carrier = body != NULL ? body->index[0] : -1;
    crank_pool *pool = crank_build_pool(b);
    crank_marker P;
    crank_ex mu;
    if (crank_record_find(record, "at") == NULL && crank_record_find(record, "local") == NULL) {
        return crank_build_fail(record, NULL, err, "\"at\" is missing");
    }
    crank_status status =
        crank_joint_needs_rotation(b, record, between, "give it an inertia", err);
    CRANK_THEN(status, crank_build_own_point(b, record, carrier, &P, err));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_marker n =
        crank_build_direction(b, carrier, crank_record_find(record, "line")->number);
    const crank_marker centre[2] = {crank_build_local_point(b, between[0], origin),
                                    crank_build_local_point(b, between[1], origin)};
    crank_build_reaction_point(b, owner, between[0], between[1], centre[1],
                               (crank_marker){.body = -1});
    crank_build_draw(b, owner, centre, NULL, 0.0);
    const crank_ex h = crank_ex_sub(pool, speed(b, carrier, between[1], P, n),
                                    speed(b, carrier, between[0], P, n));
    status = crank_build_nonholonomic(b, owner, h, "contact of teeth", &mu, err);
    if (status == CRANK_OK) {
        crank_build_name(b, "joint", record->name, "effort", crank_ex_neg(pool, mu), true);
        crank_build_unit(b, "N");
    }
    return status;
}

const crank_joint_type crank_joint_teeth = {
    {"teeth", "teeth of two wheels in space, which press on each other and on the bearings",
     keys, 3},
    build,
    "gear",
    0};
