/* spring.c - spring and damper along the line between two points, d = P2 - P1, L = sqrt(d.d),
 * or along the length L of a joint.
 *
 * The tension T = k (L - L0) + preload + c L', or a law of length and rate, or a table, acts
 * along L:
 * effort -T along L, that is -T/(2 L) along the primitive d.d. A spring of rest length zero has
 * the effort -k/2 and needs no direction. Others have none where their ends meet: a spring that
 * starts there does not pull in that point. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/forces/force.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, false, NULL, "the first and the second body, or `joint`"},
    {"at", CRANK_SHAPE_ENDS, false, NULL, "with `between`: the end on each body"},
    {"joint", CRANK_SHAPE_JOINT, false, NULL, "the joint whose length it acts on"},
    {"coordinate", CRANK_SHAPE_WORD, false, "length|length1|length2",
     "which length of a joint that has several lengths"},
    {"stiffness", CRANK_SHAPE_NUMBER, false, NULL, "tension per elongation"},
    {"damping", CRANK_SHAPE_NUMBER, false, NULL,
     "tension per rate of the length; 0 if not given"},
    {"length", CRANK_SHAPE_NUMBER, false, NULL,
     "length without tension but the preload; the distance at the start if not given"},
    {"preload", CRANK_SHAPE_NUMBER, false, NULL,
     "with `stiffness`: tension at that length, < 0 pushes; 0 if not given"},
    {"law", CRANK_SHAPE_EXPRESSION, false, "length|rate",
     "tension as an expression of `length` and `rate`, instead of `stiffness`"},
    {"table", CRANK_SHAPE_TABLE, false, "monotone|hold",
     "lengths and tensions, instead of `stiffness`"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

/* no tension at length zero: effort -k/2 along d.d for every direction */
static bool is_central(const crank_record *record)
{
    return crank_record_find(record, "stiffness") != NULL &&
           crank_force_number(record, "length", 1.0) == 0.0 &&
           crank_force_number(record, "preload", 0.0) == 0.0 &&
           crank_force_number(record, "damping", 0.0) == 0.0;
}

static crank_status build_along_joint(crank_builder *b, const crank_record *record,
                                      crank_owner owner, crank_error *err)
{
    crank_force_way way = {0};
    crank_ex force = -1;
    crank_status status = crank_force_joint(b, record, &way, err);
    if (status == CRANK_OK && way.angle) {
        status =
            crank_build_fail(record, "joint", err,
                             "its coordinate is an angle; \"type: torsion\" acts on angles");
    }
    CRANK_THEN(status, crank_force_spring(b, record, owner, &way, "length", &force, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_force_name(b, record, "length", way.y);
    crank_force_name(b, record, "length_rate", way.rate);
    crank_force_name(b, record, "force", force);
    return crank_build_effort_along_rate(b, owner, way.rate, crank_force_scale(b, -1.0, force),
                                         err);
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_force_way way = {0};
    int square = -1;
    crank_ex tension = -1;
    static const char *const place[] = {"joint", "between", NULL};
    const bool joint = crank_record_find(record, "joint") != NULL;
    crank_status status = crank_force_one_of(record, place, err);
    CRANK_THEN(status, crank_force_only(record, "coordinate", joint, "\"joint\"", err));
    CRANK_THEN(status, crank_force_only(record, "at", !joint, "\"between\"", err));
    if (status == CRANK_OK && joint) {
        return build_along_joint(b, record, owner, err);
    }
    CRANK_THEN(status, crank_force_distance(b, record, &way, &square, err));
    CRANK_THEN(status, crank_force_check(record, "length", true, err));
    CRANK_THEN(status, crank_force_spring(b, record, owner, &way, "length", &tension, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_force_name(b, record, "length", way.y);
    crank_force_name(b, record, "length_rate", way.rate);
    crank_force_name(b, record, "force", tension);
    if (is_central(record)) {
        const double stiffness = crank_force_number(record, "stiffness", 0.0);
        return crank_build_effort(b, owner, square, crank_force_constant(b, -0.5 * stiffness),
                                  err);
    }
    crank_force_length_pole(b, record, square);
    return crank_build_effort_along(b, owner, way.y, crank_force_scale(b, -1.0, tension), err);
}

const crank_force_type crank_force_type_spring = {
    {"spring", "spring and damper between two points, or along the length of a joint", keys, 5},
    build,
    "spring",
    0};
