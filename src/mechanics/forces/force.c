/* force.c - a force at a point of a body, by expressions of its components.
 *
 * World axes: effort F_i along e_i.P, the product of a fixed direction and the point. Body
 * axes: along the slide (R u_i).P', the velocity of the point along a direction that turns with
 * the body. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/force.h"

#include <string.h>

static const crank_key_spec keys[] = {
    {"body", CRANK_SHAPE_BODY, true, NULL, "the body on which it acts"},
    {"at", CRANK_SHAPE_POINT, false, NULL,
     "point of the body in world axes at the start; the body's origin if not given"},
    {"local", CRANK_SHAPE_VECTOR, false, NULL,
     "the same in body axes from the body's origin, instead of `at`"},
    {"force", CRANK_SHAPE_EXPRESSIONS, true, NULL, "components, one for each axis"},
    {"axes", CRANK_SHAPE_WORD, false, "world|body",
     "axes of the components; world if not given"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const char *const name[3] = {"fx", "fy", "fz"};
    const crank_field *force = crank_record_find(record, "force");
    const crank_field *axes = crank_record_find(record, "axes");
    const int body = crank_record_find(record, "body")->index[0];
    const int dimension = crank_force_in_plane(b) ? 2 : 3;
    const bool turning = axes != NULL && strcmp(axes->word, "body") == 0;
    if (body < 0) {
        return crank_build_fail(record, "body", err, "a force on the ground has no effect");
    }
    if (force->count != dimension) {
        return crank_build_fail(record, "force", err, "%d components where %d are expected",
                                force->count, dimension);
    }
    crank_marker at;
    crank_status status = crank_force_point(b, record, body, &at, err);
    if (status == CRANK_OK && turning) {
        status = crank_force_needs_rotation(b, record, "axes", body, err);
    }
    for (int i = 0; i < dimension && status == CRANK_OK; i++) {
        double e[3] = {0.0, 0.0, 0.0};
        crank_ex component = -1;
        e[i] = 1.0;
        status =
            crank_force_expression(b, record, "force", i, NULL, NULL, NULL, &component, err);
        if (status != CRANK_OK) {
            break;
        }
        const crank_vector direction =
            crank_vector_of(crank_build_local_direction(b, turning ? body : -1, e));
        const int along = turning ? crank_build_slide(b, direction, crank_vector_of(at))
                                  : crank_build_product(b, direction, crank_vector_of(at));
        crank_build_supplied(b, owner,
                             crank_force_mul(b, component, crank_build_rate(b, along)));
        crank_force_name(b, record, name[i], component);
        status = crank_build_effort(b, owner, along, component, err);
    }
    return status;
}

const crank_force_type crank_force_type_force = {
    {"force", "force at a point, by expressions", keys, 5}, build, "arrow", 0};
