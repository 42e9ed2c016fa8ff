/* tyre.c - vertical spring and damper of a wheel on a road, a height over x (3D: x, y) and t.
 * Vertical is z, in planar models y.
 *
 *     deflection  delta = radius + road(x, t) - height of the wheel's centre
 *     force        F = max(k p + c p', 0),  p = max(delta, 0)
 *                  upwards on the body: never pulls
 *     lift: false  F = k delta + c delta'                         can pull: linear, the wheel
 *                                                                 cannot leave the road
 * the first with rounded corners: that of p over `smoothing`, that of F, if c is not 0, over
 * 1e-3 k p. The force is vertical, also where the road slopes; what a moving or sloping road
 * does, F road', is supplied work. Stored is k delta^2/2 or k p^2/2. Forces along the road, by
 * slip, are those of tyre_slip.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/tyre.h"
#include "base/then.h"

#include <math.h>
#include <string.h>

static const crank_key_spec keys[] = {
    {"body", CRANK_SHAPE_BODY, true, NULL, "the body on which it acts"},
    {"at", CRANK_SHAPE_POINT, false, NULL,
     "centre of the wheel in world axes at the start; the body's origin if not given"},
    {"local", CRANK_SHAPE_VECTOR, false, NULL,
     "the same in body axes from the body's origin, instead of `at`"},
    {"stiffness", CRANK_SHAPE_NUMBER, true, NULL, "force per deflection"},
    {"damping", CRANK_SHAPE_NUMBER, false, NULL,
     "force per rate of the deflection; 0 if not given"},
    {"radius", CRANK_SHAPE_NUMBER, false, NULL,
     "height of the centre over the road without load; 0 if not given"},
    {"road", CRANK_SHAPE_EXPRESSION, false, "x|y",
     "height of the road as an expression of `x`, t and in 3D `y`; 0 if not given"},
    {"table", CRANK_SHAPE_TABLE, false, "monotone|hold",
     "x and height of the road, instead of `road`"},
    {"lift", CRANK_SHAPE_FLAG, false, NULL,
     "false: the road can pull, so that the wheel does not leave it, without `axis`; true if "
     "not given"},
    {"smoothing", CRANK_SHAPE_NUMBER, false, NULL,
     "deflection over which contact begins; if not given 1e-3 of that under the "
     "weight of the heaviest body, or, without gravity, 1e-4 of the radius, or of bodies' "
     "size"},
    CRANK_TYRE_SLIP_KEYS,
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

static crank_ex coordinate(crank_builder *b, crank_marker at, int axis)
{
    double e[3] = {0.0, 0.0, 0.0};
    e[axis] = 1.0;
    const crank_marker direction = crank_build_local_direction(b, -1, e);
    return crank_build_value(
        b, crank_build_product(b, crank_vector_of(direction), crank_vector_of(at)));
}

/* value: where the wheel is, x and (planar: x again) y */
static crank_status find_road(crank_builder *b, const crank_record *record, crank_marker at,
                              crank_ex value[2], crank_ex *road, crank_error *err)
{
    const crank_field *table = crank_record_find(record, "table");
    const bool given = crank_record_find(record, "road") != NULL;
    const bool planar = crank_force_in_plane(b);
    const crank_ex x = coordinate(b, at, 0);
    value[0] = x;
    value[1] = planar ? x : coordinate(b, at, 1);
    *road = crank_force_constant(b, 0.0);
    if (given && table != NULL) {
        return crank_build_fail(record, "table", err,
                                "both \"road\" and \"table\" are given, only one is possible");
    }
    if (table != NULL) {
        *road = crank_build_table(b, &table->table, x);
    }
    return given ? crank_force_expression(b, record, "road", 0, "x", planar ? NULL : "y", value,
                                          road, err)
                 : CRANK_OK;
}

/* Deflection over which contact begins: nothing that depends on velocities, which are other
 * ones for an observer who travels with the vehicle. */
static crank_status find_smoothing(const crank_builder *b, const crank_record *record,
                                   double *eps, crank_error *err)
{
    const double k = crank_force_number(record, "stiffness", 0.0);
    const double radius = crank_force_number(record, "radius", 0.0);
    const double size = radius > 0.0 ? radius : crank_build_natural_length(b);
    const double weight = crank_build_weight(b);
    *eps =
        crank_force_number(record, "smoothing", weight > 0.0 ? 1e-3 * weight / k : 1e-4 * size);
    return *eps > 0.0
               ? CRANK_OK
               : crank_build_fail(record, NULL, err,
                                  "\"smoothing\" is missing: without weight, radius and "
                                  "other bodies nothing tells over which deflection contact "
                                  "begins");
}

/* the force with lift-off, and the deflection that counts */
static crank_ex lifting(crank_builder *b, const crank_record *record, double eps,
                        crank_ex delta, crank_ex *counts)
{
    const double k = crank_force_number(record, "stiffness", 0.0);
    const double c = crank_force_number(record, "damping", 0.0);
    const crank_ex p = crank_force_positive(b, delta, crank_force_constant(b, eps));
    const crank_ex elastic = crank_force_scale(b, k, p);
    const crank_ex whole = crank_force_add(
        b, elastic, crank_force_scale(b, c, crank_build_standing_derivative(b, p)));
    *counts = p;
    return c == 0.0 ? elastic
                    : crank_force_positive(b, whole, crank_force_scale(b, 2e-3, elastic));
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int body = crank_record_find(record, "body")->index[0];
    const int up = crank_force_in_plane(b) ? 1 : 2;
    const double k = crank_force_number(record, "stiffness", 0.0);
    const double c = crank_force_number(record, "damping", 0.0);
    const bool lift = crank_force_number(record, "lift", 1.0) != 0.0;
    crank_marker at;
    crank_ex road = -1, place[2];
    crank_status status = crank_force_point(b, record, body, &at, err);
    if (status == CRANK_OK && body < 0) {
        status = crank_build_fail(record, "body", err, "a tyre on the ground has no effect");
    }
    CRANK_THEN(status, crank_force_check(record, "stiffness", false, err));
    CRANK_THEN(status, crank_force_check(record, "damping", true, err));
    CRANK_THEN(status, crank_force_check(record, "smoothing", false, err));
    CRANK_THEN(status, crank_force_only(record, "smoothing", lift, "\"lift: true\"", err));
    CRANK_THEN(status, crank_tyre_check_slip(b, record, lift, err));
    double eps = 0.0;
    if (status == CRANK_OK && lift) {
        status = find_smoothing(b, record, &eps, err);
    }
    CRANK_THEN(status, find_road(b, record, at, place, &road, err));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex height = coordinate(b, at, up);
    const crank_ex radius = crank_force_constant(b, crank_force_number(record, "radius", 0.0));
    const crank_ex delta = crank_force_sub(b, crank_force_add(b, radius, road), height);
    const crank_ex rate = crank_build_standing_derivative(b, delta);
    crank_ex counts = delta;
    crank_ex force =
        crank_force_add(b, crank_force_scale(b, k, delta), crank_force_scale(b, c, rate));
    if (lift) {
        force = lifting(b, record, eps, delta, &counts);
    }
    const crank_ex stored = crank_force_scale(b, k, crank_force_mul(b, counts, counts));
    const crank_ex storing = crank_force_scale(
        b, k, crank_force_mul(b, counts, crank_build_time_derivative(b, counts)));
    const crank_ex potential = crank_force_scale(b, 0.5, stored);
    const crank_ex by_time =
        crank_ex_derivative(crank_build_pool(b), potential, crank_build_mechanism(b)->t);
    crank_build_potential(b, owner, potential);
    crank_build_dissipated(b, owner,
                           crank_force_sub(b, crank_force_mul(b, force, rate), storing));
    crank_build_supplied(
        b, owner,
        crank_force_sub(b, crank_force_mul(b, force, crank_build_time_derivative(b, road)),
                        by_time)); /* which is counted with the potential */
    double z[3] = {0.0, 0.0, 0.0};
    z[up] = 1.0;
    crank_build_draw_at(b, owner, -1, at, z, crank_force_number(record, "radius", 0.0));
    crank_build_draw_road(b, record->name, at, place, road);
    crank_force_name(b, record, "deflection", delta);
    crank_force_name(b, record, "force", force);
    status = crank_build_effort_along(b, owner, height, force, err);
    CRANK_THEN(status, crank_tyre_slip(b, record, owner, at, crank_force_sub(b, height, road),
                                       force, err));
    return status;
}

const crank_force_type crank_force_type_tyre = {
    {"tyre", "spring and damper of a wheel on a road, with slip forces", keys, 5},
    build,
    "contact",
    0};
