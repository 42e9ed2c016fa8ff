/* distance.c - rigid rod without mass: (P2 - P1).(P2 - P1) = L^2, which pushes its ends apart
 * with the effort -2 L lambda. A length that changes with time is driven: |P2 - P1| - L(t) = 0;
 * then effort -lambda and power -lambda L'(t) are results. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

#include <math.h>

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"at", CRANK_SHAPE_ENDS, true, NULL, "the rod's ends on the first and on the second body"},
    {"length", CRANK_SHAPE_EXPRESSION, false, NULL,
     "of the rod, m; default: as at the start. An expression of t, with a continuous rate, "
     "drives it, as a cylinder does"},
    CRANK_KEYS_END,
};

/* positive, where the motion begins */
static crank_status check_length(const crank_builder *b, const crank_record *record, bool given,
                                 double L, crank_error *err)
{
    return L > 0.0 ? CRANK_OK
                   : crank_build_fail(record, given ? "length" : "at", err,
                                      "the rod's length is %g, it must be positive (points "
                                      "that stay together: use %s)",
                                      L, crank_joint_in_plane(b) ? "revolute" : "spherical");
}

static crank_status drive(crank_builder *b, const crank_record *record, crank_owner owner,
                          int square, crank_ex length, crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex distance =
        crank_ex_call(pool, CRANK_EX_SQRT, crank_build_value(b, square), 0, 0);
    const double start = crank_build_start(b, length);
    crank_ex lambda;
    crank_status status = isnan(start) ? CRANK_OK : check_length(b, record, true, start, err);
    CRANK_THEN(status, crank_build_holonomic(b, owner, crank_ex_sub(pool, distance, length),
                                             "drive of length", &lambda, err));
    if (status == CRANK_OK) {
        crank_joint_drive_results(b, record, "", "N", lambda, length);
    }
    return status;
}

/* As long as at the start. While that is looked for it is no constraint. */
static crank_status find_length(crank_builder *b, const crank_record *record, crank_owner owner,
                                int square, double rounding, double *L, crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex distance =
        crank_ex_call(pool, CRANK_EX_SQRT, crank_build_value(b, square), 0, 0);
    const crank_ex length = crank_build_at_start(b, owner, distance);
    const char *loose = crank_build_loose(b, owner);
    if (loose != NULL) {
        return crank_build_fail(
            record, NULL, err,
            "\"length\" is not given, and nothing else says where body "
            "\"%.80s\" stands at the start, by which it could be told; give "
            "the length, or the body a position",
            loose);
    }
    if (crank_ex_is_number(pool, length, L)) {
        *L = *L > rounding ? *L : 0.0; /* equal points */
    }
    return CRANK_OK;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *given = crank_record_find(record, "length");
    crank_pool *pool = crank_build_pool(b);
    crank_marker at[2];
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    crank_vector d = crank_vector_between(at[0], at[1]);
    int y = crank_build_product(b, d, d);
    crank_build_reaction_point(b, owner, between[0], between[1], at[1],
                               (crank_marker){.body = -1});
    crank_build_draw(b, owner, at, NULL, 0.0);
    double L = 0.0;
    crank_ex length = -1, lambda = crank_ex_number(pool, 0.0);
    crank_status status =
        given != NULL ? crank_joint_given(b, record, "length", 0, &length, err)
                      : find_length(b, record, owner, y, crank_joint_rounding(b, at), &L, err);
    if (status == CRANK_OK && given != NULL && !crank_ex_is_number(pool, length, &L)) {
        return drive(b, record, owner, y, length, err);
    }
    if (status == CRANK_OK && (given != NULL || !crank_build_seeks(b))) {
        status = check_length(b, record, given != NULL, L, err);
        CRANK_THEN(status, crank_build_row(b, owner, y, L * L, "distance", &lambda, err));
    }
    if (status == CRANK_OK) {
        crank_build_name(b, "joint", record->name, "effort",
                         crank_ex_mul(pool, crank_ex_number(pool, -2.0 * L), lambda), false);
    }
    return status;
}

const crank_joint_type crank_joint_distance = {
    {"distance", "a rod without mass between two points, rigid or of a driven length", keys, 5},
    build,
    "link",
    CRANK_IS_ROD};
