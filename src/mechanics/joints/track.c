/* track.c - a frame that moves along a curve of the plan: a body, mostly without mass, whose
 * origin is at r(s(t)) and whose x axis is the tangent there, at a constant height,
 *
 *     P = (r(s), height),   x2 = r'(s)/|r'(s)|,   z2 = z     theory (7.37)
 * six rheonomic constraints. Vehicles hang on such frames (free.c), so that their coordinates
 * are small. In joint coordinates the frame has no unknowns: it is led (joint/led.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"body", CRANK_SHAPE_BODY, true, NULL,
     "the frame: a body whose origin moves along the curve, x axis ahead, z axis up"},
    {"path", CRANK_SHAPE_EXPRESSIONS, true, "s",
     "plan of the curve, [x, y] in world axes, expressions of s; its tangent and curvature "
     "are continuous"},
    {"along", CRANK_SHAPE_EXPRESSION, true, NULL,
     "s of the frame, an expression of t with a continuous rate"},
    {"height", CRANK_SHAPE_NUMBER, false, NULL, "z of the curve; 0 if not given"},
    CRANK_JOINT_TREE,
    CRANK_KEYS_END,
};

enum { POINTS = 400 };

/* [x, y] of s, and along both their derivatives by it */
static crank_status find_path(crank_builder *b, const crank_record *record, crank_ex s,
                              crank_ex place[2], crank_ex tangent[2], crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_field *path = crank_record_find(record, "path");
    const crank_ex local = crank_ex_symbol(pool, "s");
    crank_status status = CRANK_OK;
    if (path->count != 2) {
        return crank_build_fail(record, "path", err, "%d components where 2 are expected",
                                path->count);
    }
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        const crank_ex slope = crank_ex_derivative(pool, path->ex[i], local);
        status =
            crank_build_resolve(b, record, path, path->ex[i], 1, &local, &s, &place[i], err);
        CRANK_THEN(status, crank_build_resolve(b, record, path, slope, 1, &local, &s,
                                               &tangent[i], err));
    }
    return status;
}

/* the rows; value, tangent: expressions of t */
static crank_status lead(crank_builder *b, const crank_record *record, crank_owner owner,
                         const crank_ex place[2], const crank_ex tangent[2], crank_error *err)
{
    static const double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    static const double origin[3] = {0.0, 0.0, 0.0};
    crank_pool *pool = crank_build_pool(b);
    const int body = crank_record_find(record, "body")->index[0];
    const crank_field *height = crank_record_find(record, "height");
    const double level = height != NULL ? height->number[0] : 0.0;
    const crank_vector P = crank_vector_of(crank_build_local_point(b, body, origin));
    const crank_vector ahead = crank_vector_of(crank_build_local_direction(b, body, e[0]));
    const crank_vector left = crank_vector_of(crank_build_local_direction(b, body, e[1]));
    crank_vector world[3];
    crank_status status = CRANK_OK;
    for (int i = 0; i < 3; i++) {
        world[i] = crank_vector_of(crank_build_local_direction(b, -1, e[i]));
    }
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        const crank_ex y = crank_build_value(b, crank_build_product(b, world[i], P));
        const crank_row_name name = crank_joint_row_name("drive along", e[i]);
        status = crank_build_holonomic(b, owner, crank_ex_sub(pool, y, place[i]), name.text,
                                       NULL, err);
    }
    CRANK_THEN(status, crank_build_row(b, owner, crank_build_product(b, world[2], P), level,
                                       "translation along z", NULL, err));
    CRANK_THEN(status, crank_build_row(b, owner, crank_build_product(b, world[2], left), 0.0,
                                       "rotation about x", NULL, err));
    CRANK_THEN(status, crank_build_row(b, owner, crank_build_product(b, world[2], ahead), 0.0,
                                       "rotation about y", NULL, err));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex x = crank_build_value(b, crank_build_product(b, world[0], ahead));
    const crank_ex y = crank_build_value(b, crank_build_product(b, world[1], ahead));
    const crank_ex size =
        crank_ex_call(pool, CRANK_EX_SQRT,
                      crank_ex_add(pool, crank_ex_mul(pool, tangent[0], tangent[0]),
                                   crank_ex_mul(pool, tangent[1], tangent[1])),
                      0, 0);
    const crank_ex off = crank_ex_sub(pool, crank_ex_mul(pool, tangent[0], y),
                                      crank_ex_mul(pool, tangent[1], x));
    crank_build_led(b, owner, body, place, tangent, level);
    return crank_build_holonomic(b, owner, crank_ex_div(pool, off, size), "rotation about z",
                                 NULL, err);
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const int body = crank_record_find(record, "body")->index[0];
    crank_ex s, place[2], tangent[2];
    crank_status status = CRANK_OK;
    if (body < 0) {
        return crank_build_fail(record, "body", err, "the ground cannot be led along a track");
    }
    const int between[2] = {-1, body};
    status = crank_joint_needs_rotation(b, record, between, "use point_driver", err);
    CRANK_THEN(status, crank_joint_given(b, record, "along", 0, &s, err));
    CRANK_THEN(status, find_path(b, record, s, place, tangent, err));
    if (status != CRANK_OK) {
        return status;
    }
    const crank_marker at[2] = {crank_build_local_point(b, -1, origin),
                                crank_build_local_point(b, body, origin)};
    crank_build_frames(b, owner, at, NULL, NULL);
    crank_build_reaction_point(b, owner, -1, body, at[1], (crank_marker){.body = -1});
    crank_build_draw_at(b, owner, -1, at[1], NULL, 0.0);
    return lead(b, record, owner, place, tangent, err);
}

const crank_joint_type crank_joint_track = {
    {"track", "a frame is led along a curve of the plan, its x axis ahead", keys, 3},
    build,
    "none",
    0};
