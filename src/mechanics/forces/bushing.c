/* bushing.c - elastic element between two bodies with stiffness and damping in all directions.
 *
 * Axes a_1, a_2, a_3 are fixed in the first body, b_1, b_2, b_3 in the second; at the start
 * they are the same.
 *     displacements  u_i = a_i . (P2 - P1)
 *     rotations      r = 1/2 sum_j a_j x b_j in the axes a: r_1 = (a_3.b_2 - a_2.b_3)/2 and cyclically,
 *                    that is sin(theta) n for a turn by theta about n
 * Both are functions of dot products, which do not change when both bodies move together; the
 * forces are minus the derivatives of V = sum k u^2/2 + sum k r^2/2 (and of the like for
 * damping), so that action equals reaction in forces and moments exactly and the elastic part
 * is conservative for rotations of any size. Planar: the change of the angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/force.h"

#include "linalg/rotation.h"

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the first and the second body"},
    {"at", CRANK_SHAPE_END, true, NULL, "where it is at the start, or its two ends"},
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL,
     "of its axes in the world at the start; world axes if not given"},
    {"stiffness", CRANK_SHAPE_NUMBERS, true, NULL,
     "[x, y, z, about x, about y, about z]; planar: [x, y, angle]"},
    {"damping", CRANK_SHAPE_NUMBERS, false, NULL, "the same order; 0 if not given"},
    CRANK_FORCE_END};

typedef struct bushing {
    const crank_record *record;
    crank_owner owner;
    const int *between;
    crank_marker at[2];
    crank_marker axis[2][3]; /* a_i and b_i */
} bushing;

/* stiffness and damping against y, whose energies are stated and which gets a name */
static crank_status resist(crank_builder *b, const bushing *u, crank_ex y, double k, double c,
                           const char *name, crank_error *err)
{
    const crank_ex rate = crank_build_time_derivative(b, y);
    const crank_ex damp = crank_force_scale(b, c, rate);
    const crank_ex force = crank_force_add(b, crank_force_scale(b, k, y), damp);
    crank_build_potential(b, u->owner, crank_force_scale(b, 0.5 * k, crank_force_mul(b, y, y)));
    crank_build_dissipated(b, u->owner, crank_force_mul(b, damp, rate));
    crank_force_name(b, u->record, name, y);
    return crank_build_effort_along(b, u->owner, y, crank_force_scale(b, -1.0, force), err);
}

static crank_ex dot(crank_builder *b, const bushing *u, int i, int j)
{
    return crank_build_value(b, crank_build_product(b, crank_vector_of(u->axis[0][i]),
                                                    crank_vector_of(u->axis[1][j])));
}

/* r_i of the header; planar: the angle since the start */
static crank_ex rotation(crank_builder *b, const bushing *u, int i)
{
    if (crank_force_in_plane(b)) {
        const int angle = crank_build_angle(b, u->between[0], u->between[1]);
        return crank_force_sub(b, crank_build_value(b, angle),
                               crank_force_constant(b, crank_build_start_value(b, angle)));
    }
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return crank_force_scale(b, 0.5, crank_force_sub(b, dot(b, u, k, j), dot(b, u, j, k)));
}

/* columns of the rotation matrix of a unit quaternion */
static void make_axes(crank_builder *b, bushing *u, const crank_field *orientation)
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const double *q = orientation != NULL ? orientation->number : none;
    double R[9];
    crank_quaternion_matrix(R, q);
    for (int i = 0; i < 3; i++) {
        const double column[3] = {R[i], R[3 + i], R[6 + i]};
        for (int k = 0; k < 2; k++) {
            u->axis[k][i] = crank_build_direction(b, u->between[k], column);
        }
    }
}

static crank_status check_numbers(const crank_record *record, const char *key, int wanted,
                                  crank_error *err)
{
    const crank_field *field = crank_record_find(record, key);
    if (field == NULL) {
        return CRANK_OK;
    }
    if (field->count != wanted) {
        return crank_build_fail(record, key, err, "%d entries where %d are expected",
                                field->count, wanted);
    }
    for (int i = 0; i < wanted; i++) {
        if (!(field->number[i] >= 0.0)) {
            return crank_build_fail(record, key, err, "entry %d is %g, must be zero or more",
                                    i + 1, field->number[i]);
        }
    }
    return CRANK_OK;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const char *const spatial[6] = {"x", "y", "z", "rx", "ry", "rz"};
    static const char *const planar[3] = {"x", "y", "angle"};
    const int axes = crank_build_mechanism(b)->dimension;
    const int entries = axes == 2 ? 3 : 6;
    const crank_field *damping = crank_record_find(record, "damping");
    bushing u = {.record = record,
                 .owner = owner,
                 .between = crank_record_find(record, "between")->index};
    crank_status status = check_numbers(record, "stiffness", entries, err);
    if (status == CRANK_OK) {
        status = check_numbers(record, "damping", entries, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const double *k = crank_record_find(record, "stiffness")->number;
    crank_build_ends(b, &crank_record_find(record, "at")->ends, u.between, true, u.at);
    crank_build_draw(b, owner, u.at, NULL, 0.0);
    make_axes(b, &u, crank_record_find(record, "orientation"));
    for (int i = 0; i < entries && status == CRANK_OK; i++) {
        const double c = damping != NULL ? damping->number[i] : 0.0;
        const bool turn = i >= axes;
        if (k[i] == 0.0 && c == 0.0) {
            continue;
        }
        for (int j = 0; j < 2 && turn && status == CRANK_OK; j++) {
            status = crank_force_needs_rotation(b, record, "between", u.between[j], err);
        }
        if (status != CRANK_OK) {
            break;
        }
        const crank_ex y =
            turn ? rotation(b, &u, i - axes)
                 : crank_build_value(
                       b, crank_build_product(b, crank_vector_of(u.axis[0][i]),
                                              crank_vector_between(u.at[0], u.at[1])));
        status = resist(b, &u, y, k[i], c, axes == 2 ? planar[i] : spatial[i], err);
    }
    return status;
}

const crank_force_type crank_force_type_bushing = {
    {"bushing", "elastic element in all directions", keys, 5}, build, "bushing"};
