/* point_driver.c - a point of a body prescribed in time: e_i.P - path_i(t) = 0 along all world
 * axes, or along.P - is(t) = 0 along one direction. Its power -lambda path'(t), which is
 * supplied (energy.c), is a result. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"body", CRANK_SHAPE_BODY, true, NULL, "the driven body"},
    {"at", CRANK_SHAPE_POINT, false, NULL,
     "point of the body in world axes at the start; the body's origin if not given"},
    {"local", CRANK_SHAPE_VECTOR, false, NULL,
     "the same in body axes from the body's origin, instead of `at`"},
    {"path", CRANK_SHAPE_EXPRESSIONS, false, NULL,
     "where the point is in the world, one expression of t for each axis"},
    {"along", CRANK_SHAPE_DIRECTION, false, NULL,
     "or only its coordinate along this world direction, with `is` or `table`"},
    {"is", CRANK_SHAPE_EXPRESSION, false, NULL, "that coordinate, an expression of t"},
    {"table", CRANK_SHAPE_TABLE, false, "spline|extrapolate",
     "that coordinate, from (t, value)"},
    CRANK_KEYS_END,
};

/* direction.P - value = 0 */
static crank_status drive(crank_builder *b, crank_owner owner, crank_marker point,
                          const double direction[3], crank_ex value, crank_ex *lambda,
                          crank_error *err)
{
    const int along = crank_build_product(
        b, crank_vector_of(crank_build_direction(b, -1, direction)), crank_vector_of(point));
    const crank_ex g = crank_ex_sub(crank_build_pool(b), crank_build_value(b, along), value);
    const crank_row_name name = crank_joint_row_name("drive along", direction);
    return crank_build_holonomic(b, owner, g, name.text, lambda, err);
}

static crank_status drive_path(crank_builder *b, const crank_record *record, crank_owner owner,
                               crank_marker point, crank_error *err)
{
    const crank_field *path = crank_record_find(record, "path");
    const int dimension = crank_build_mechanism(b)->dimension;
    if (path->count != dimension) {
        return crank_build_fail(record, "path", err, "%d components where %d are expected",
                                path->count, dimension);
    }
    crank_pool *pool = crank_build_pool(b);
    crank_ex power = crank_ex_number(pool, 0.0);
    crank_status status = CRANK_OK;
    for (int i = 0; i < dimension && status == CRANK_OK; i++) {
        double e[3] = {0.0, 0.0, 0.0};
        crank_ex value, lambda;
        e[i] = 1.0;
        status = crank_joint_given(b, record, "path", i, &value, err);
        CRANK_THEN(status, drive(b, owner, point, e, value, &lambda, err));
        if (status == CRANK_OK) {
            const crank_ex rate = crank_ex_derivative(pool, value, crank_build_mechanism(b)->t);
            power = crank_ex_sub(pool, power, crank_ex_mul(pool, lambda, rate));
        }
    }
    if (status == CRANK_OK) { /* the efforts are the components of its reaction */
        crank_build_name(b, "joint", record->name, "power", power, true);
    }
    return status;
}

static crank_status drive_along(crank_builder *b, const crank_record *record, crank_owner owner,
                                crank_marker point, crank_error *err)
{
    const crank_field *along = crank_record_find(record, "along");
    crank_ex value, lambda;
    crank_status status = crank_joint_prescribed(b, record, &value, err);
    CRANK_THEN(status, drive(b, owner, point, along->number, value, &lambda, err));
    if (status == CRANK_OK) {
        crank_joint_drive_results(b, record, "", "N", lambda, value);
    }
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int body = crank_record_find(record, "body")->index[0];
    const bool path = crank_record_find(record, "path") != NULL;
    const bool along = crank_record_find(record, "along") != NULL;
    if (body < 0) {
        return crank_build_fail(record, "body", err, "the ground cannot be driven");
    }
    if (path == along) {
        return crank_build_fail(record, path ? "along" : NULL, err,
                                "a point driver needs one of `path` and `along`");
    }
    if (path && (crank_record_find(record, "is") != NULL ||
                 crank_record_find(record, "table") != NULL)) {
        return crank_build_fail(record, "path", err, "`is` and `table` go with `along`");
    }
    crank_marker point;
    const crank_status status = crank_build_own_point(b, record, body, &point, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, -1, body, point, (crank_marker){.body = -1});
    crank_build_draw_at(b, owner, -1, point, NULL, 0.0);
    return path ? drive_path(b, record, owner, point, err)
                : drive_along(b, record, owner, point, err);
}

const crank_joint_type crank_joint_point_driver = {
    {"point_driver", "prescribes where a point of a body is, as a function of time", keys, 5},
    build,
    "point",
    0};
