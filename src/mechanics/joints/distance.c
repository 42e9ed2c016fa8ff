/* distance.c - rigid rod without mass: (P2 - P1).(P2 - P1) = L^2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include <math.h>

static const crank_key_spec keys[] = {
    CRANK_JOINT_BETWEEN,
    {"at", CRANK_SHAPE_ENDS, true, NULL, "the rod's ends on the first and on the second body"},
    {"length", CRANK_SHAPE_NUMBER, false, NULL,
     "of the rod, m, constant; default: as at the start. One that changes with time is a "
     "`prismatic` joint with `drive` between two bodies, or a `holonomic` equation of the "
     "file"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *length = crank_record_find(record, "length");
    crank_marker at[2];
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    crank_vector d = crank_vector_between(at[0], at[1]);
    int y = crank_build_product(b, d, d);
    double L = length != NULL ? length->number[0] : sqrt(crank_build_start_value(b, y));
    if (length == NULL && L <= crank_joint_rounding(b, at)) { /* equal points */
        L = 0.0;
    }
    if (!(L > 0.0)) {
        return crank_build_fail(
            record, length != NULL ? "length" : "at", err,
            "the rod's length is %g, it must be positive (points that stay together: use %s)",
            L, crank_joint_in_plane(b) ? "revolute" : "spherical");
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at[1],
                               (crank_marker){.body = -1});
    crank_build_draw(b, owner, at, NULL, 0.0);
    return crank_build_row(b, owner, y, L * L, "distance", NULL, err);
}

const crank_joint_type crank_joint_distance = {
    {"distance", "a rigid rod without mass between two points", keys, 5}, build, "link"};
