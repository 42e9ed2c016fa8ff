/* curve.c - a point P of the second body on a curve C(s) of the first: with d = P - C(s) in the
 * carrier's axes and the tangent T = C'(s)
 *     c = T.d = 0 (foot point),   g = n_k.d = 0 across the curve.
 * In the plane n = (-T_y, T_x). In space n_1 = T x k, n_2 = T x n_1 with a fixed vector k,
 * which must not be parallel to T anywhere: of some directions that one is taken to which the
 * tangents near the start stay most transverse (for a plane curve its normal, if it is an
 * axis). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/contact.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL,
     "the body that carries the curve, and the other"},
    {"at", CRANK_SHAPE_END, false, NULL,
     "the point of the second body at the start ({first, second}: second counts); default: its "
     "origin"},
    {"curve", CRANK_SHAPE_EXPRESSIONS, true, "s",
     "components of the curve, expressions of s, in axes of the first body from its origin"},
    {"start", CRANK_SHAPE_NUMBER, true, NULL, "s at the start, or near it"},
    CRANK_KEYS_END,
};

static const double directions[][3] = {
    {0, 0, 1}, {0, 1, 0},  {1, 0, 0}, {0, 1, 1},  {0, 1, -1}, {1, 0, 1}, {-1, 0, 1},
    {1, 1, 0}, {-1, 1, 0}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
enum { DIRECTIONS = sizeof directions / sizeof directions[0], SAMPLES = 101 };
static const double range = 10.0; /* of s, to both sides of the start */

/* The direction to which the sampled tangents are most transverse. */
static int choose_direction(const crank_contact *c, const crank_ex T[3])
{
    double worst[DIRECTIONS];
    for (int i = 0; i < DIRECTIONS; i++) {
        worst[i] = 1.0;
    }
    for (int n = 0; n < SAMPLES; n++) {
        double s[2] = {c->start[0] + range * (2.0 * n / (SAMPLES - 1) - 1.0), 0.0}, t[3];
        double cross[3];
        if (!crank_contact_evaluate(c, T, s, t) || !(crank_norm3(t) > 0.0)) {
            continue;
        }
        for (int i = 0; i < DIRECTIONS; i++) {
            crank_cross3(cross, t, directions[i]);
            worst[i] = fmin(worst[i],
                            crank_norm3(cross) / (crank_norm3(t) * crank_norm3(directions[i])));
        }
    }
    int best = 0;
    for (int i = 1; i < DIRECTIONS; i++) {
        if (worst[i] > worst[best] + 1e-6) {
            best = i;
        }
    }
    return best;
}

static crank_status build_spatial(const crank_contact *c, const crank_ex T[3],
                                  const crank_ex d[3], crank_error *err)
{
    static const char *const row[2] = {"contact along the first normal",
                                       "contact along the second normal"};
    const double *k = directions[choose_direction(c, T)];
    crank_ex fixed[3], n[2][3];
    for (int i = 0; i < 3; i++) {
        fixed[i] = crank_ex_number(c->pool, k[i]);
    }
    crank_contact_cross(c, T, fixed, n[0]);
    crank_contact_cross(c, T, n[0], n[1]);
    crank_status status = CRANK_OK;
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        double size;
        status = crank_contact_size(c, "curve", "normal", n[i], &size, err);
        CRANK_THEN(status, crank_contact_row(c, n[i], d, size, row[i], NULL, err));
    }
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const int *between = crank_record_find(record, "between")->index;
    const crank_field *curve = crank_record_find(record, "curve");
    crank_contact c;
    crank_ex C[3], T[3], P[3], d[3];
    double size;
    crank_status status = crank_contact_begin(&c, b, record, owner, 1, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (curve->count != c.dimension) {
        return crank_build_fail(record, "curve", err, "%d components are given, %d needed",
                                curve->count, c.dimension);
    }
    status = crank_contact_resolve(&c, "curve", 0, C, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_marker at = crank_joint_second_point(b, record, between[1]);
    crank_contact_derivative(&c, C, 0, T);
    crank_joint_in_axes(b, between[0], at, P);
    crank_contact_difference(&c, P, C, d);
    status = crank_contact_size(&c, "curve", "tangent", T, &size, err);
    CRANK_THEN(status, crank_build_contact_row(b, owner, crank_contact_dot(&c, T, d), err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, between[0], between[1], at,
                               (crank_marker){.body = -1});
    crank_build_draw_at(b, owner, between[0], at, NULL, 0.0);
    crank_contact_draw(&c, C, 0, between[0]);
    crank_contact_measure(&c, C, 0);
    if (c.dimension == 3) {
        return build_spatial(&c, T, d, err);
    }
    const crank_ex n[3] = {crank_ex_neg(c.pool, T[1]), T[0], 0};
    return crank_contact_row(&c, n, d, size, "contact", NULL, err);
}

const crank_joint_type crank_joint_curve = {
    {"curve", "a point of the second body stays on a curve of the first", keys, 5},
    build,
    "point",
    0};
