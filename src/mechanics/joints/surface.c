/* surface.c - a point P of the second body on a surface S(s1, s2) of the first: with d = P - S
 * in the carrier's axes
 *     c_k = S_k.d = 0 (foot point),   g = (S_1 x S_2).d = 0,   S_k = dS/ds_k. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/contact.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL,
     "the body that carries the surface, and the other"},
    {"at", CRANK_SHAPE_END, false, NULL,
     "the point of the second body at the start ({first, second}: second counts); default: its "
     "origin"},
    {"surface", CRANK_SHAPE_EXPRESSIONS, true, "s1|s2",
     "[x, y, z] of the surface, expressions of s1 and s2, in axes of the first body from its "
     "origin"},
    {"start", CRANK_SHAPE_NUMBERS, true, NULL, "[s1, s2] at the start, or near it"},
    CRANK_KEYS_END,
};

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    crank_contact c;
    crank_ex S[3], T[2][3], n[3], P[3], d[3];
    double size;
    crank_status status = crank_contact_begin(&c, b, record, owner, 2, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (crank_record_find(record, "surface")->count != 3) {
        return crank_build_fail(record, "surface", err, "%d components are given, 3 needed",
                                crank_record_find(record, "surface")->count);
    }
    status = crank_contact_resolve(&c, "surface", 0, S, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_marker at = crank_joint_second_point(b, record, between[1]);
    crank_joint_in_axes(b, between[0], at, P);
    crank_contact_difference(&c, P, S, d);
    crank_contact_derivative(&c, S, 0, T[0]);
    crank_contact_derivative(&c, S, 1, T[1]);
    crank_contact_cross(&c, T[0], T[1], n);
    status = crank_contact_size(&c, "surface", "normal", n, &size, err);
    for (int k = 0; k < 2 && status == CRANK_OK; k++) {
        status = crank_build_contact_row(b, owner, crank_contact_dot(&c, T[k], d), err);
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at,
                               (crank_marker){.body = -1});
    crank_build_draw_at(b, owner, between[0], at, NULL, 0.0);
    for (int k = 0; k < 2; k++) { /* its lines through the start */
        crank_contact_draw(&c, S, k, between[0]);
        crank_contact_measure(&c, S, k);
    }
    return status == CRANK_OK ? crank_contact_row(&c, n, d, size, "contact", NULL, err)
                              : status;
}

const crank_joint_type crank_joint_surface = {
    {"surface", "a point of the second body stays on a surface of the first", keys, 3},
    build,
    "point",
    0};
