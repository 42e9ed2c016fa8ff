/* torque.c - a torque on a body, or between two bodies, by expressions of its components:
 * effort along the turn a.(omega_2 - omega_1) about a direction a fixed in the world or in the
 * (second) body; planar: along the angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/force.h"

#include <string.h>

static const crank_key_spec keys[] = {
    {"body", CRANK_SHAPE_BODY, false, NULL, "the body on which it acts, or `between`"},
    {"between", CRANK_SHAPE_BODIES, false, NULL,
     "the torque acts on the second body, the opposite one on the first"},
    {"torque", CRANK_SHAPE_EXPRESSIONS, true, NULL,
     "components about each axis; planar: one expression"},
    {"axes", CRANK_SHAPE_WORD, false, "world|body",
     "axes of the components: of the world or of the (second) body; world if not given (not "
     "in planar models)"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const char *const place[] = {"body", "between", NULL};
    static const char *const name[3] = {"tx", "ty", "tz"};
    const crank_field *between = crank_record_find(record, "between");
    const crank_field *torque = crank_record_find(record, "torque");
    const crank_field *axes = crank_record_find(record, "axes");
    const bool planar = crank_force_in_plane(b);
    const bool turning = axes != NULL && strcmp(axes->word, "body") == 0;
    const int wanted = planar ? 1 : 3;
    int body[2] = {-1, -1};
    crank_status status = crank_force_one_of(record, place, err);
    if (status == CRANK_OK) {
        status = crank_force_only(record, "axes", !planar, "models of dimension 3", err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (torque->count != wanted) {
        return crank_build_fail(record, "torque", err, "%d components where %d %s expected",
                                torque->count, wanted, planar ? "is" : "are");
    }
    if (between != NULL) {
        body[0] = between->index[0];
        body[1] = between->index[1];
    } else {
        body[1] = crank_record_find(record, "body")->index[0];
        if (body[1] < 0) {
            return crank_build_fail(record, "body", err,
                                    "a torque on the ground has no effect");
        }
    }
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        status = crank_force_needs_rotation(b, record, between != NULL ? "between" : "body",
                                            body[i], err);
    }
    static const double origin[3] = {0.0, 0.0, 0.0};
    crank_build_draw_at(b, owner, body[0], crank_build_local_point(b, body[1], origin), NULL,
                        0.0);
    for (int i = 0; i < wanted && status == CRANK_OK; i++) {
        double e[3] = {0.0, 0.0, 0.0};
        crank_ex component = -1;
        e[i] = 1.0;
        status =
            crank_force_expression(b, record, "torque", i, NULL, NULL, NULL, &component, err);
        if (status != CRANK_OK) {
            break;
        }
        const crank_marker axis = crank_build_local_direction(b, turning ? body[1] : -1, e);
        const int along = planar ? crank_build_angle(b, body[0], body[1])
                                 : crank_build_turn(b, crank_vector_of(axis), body[0], body[1]);
        crank_build_supplied(b, owner,
                             crank_force_mul(b, component, crank_build_rate(b, along)));
        crank_force_name(b, record, planar ? "tz" : name[i], component);
        status = crank_build_effort(b, owner, along, component, err);
    }
    return status;
}

const crank_force_type crank_force_type_torque = {
    {"torque", "torque on a body or between two, by expressions", keys, 5}, build, "torque", 0};
