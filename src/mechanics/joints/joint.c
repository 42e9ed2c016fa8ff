/* joint.c - axes, rows, coordinates and drives that joints share, see joint.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"
#include "base/then.h"

#include "linalg/rotation.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* unit vectors that differ by less are one axis, given with the digits that files have */
static const double same_axis = 1e-6;

void crank_joint_world(const crank_builder *b, crank_marker m, double out[3])
{
    if (m.body < 0) {
        memcpy(out, m.u, sizeof m.u);
    } else {
        crank_mat3_times(out, crank_build_body(b, m.body)->R, m.u);
    }
}

double crank_joint_rounding(const crank_builder *b, const crank_marker at[2])
{
    double size = 0.0;
    for (int k = 0; k < 2; k++) {
        size += crank_norm3(at[k].u);
        size += at[k].body >= 0 ? crank_norm3(crank_build_body(b, at[k].body)->x) : 0.0;
    }
    return 64.0 * DBL_EPSILON * size;
}

/* The part of v across a unit axis, made a unit vector; false: there is none. */
static bool make_across(double out[3], const double v[3], const double axis[3])
{
    memcpy(out, v, 3 * sizeof *out);
    crank_add3(out, -crank_dot3(v, axis), axis);
    double length = crank_norm3(out);
    if (length < 1e-3) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        out[k] /= length;
    }
    return true;
}

/* u in the first body, turned by the shortest rotation that leads its axis to that in the
 * second:
 * n = a x c, u + n x u + n x (n x u)/(1 + a.c). Of opposite axes u itself. */
static void turn_along(double out[3], const double u[3], const double a[3], const double c[3])
{
    double n[3], once[3], twice[3];
    const double cosine = crank_dot3(a, c);
    crank_cross3(n, a, c);
    crank_cross3(once, n, u);
    crank_cross3(twice, n, once);
    memcpy(out, u, 3 * sizeof *out);
    if (1.0 + cosine > same_axis) {
        crank_add3(out, 1.0, once);
        crank_add3(out, 1.0 / (1.0 + cosine), twice);
    }
}

/* u and w of both bodies by their own axes (those of the ground are the file's): the same for the
 * same axis, also if it was computed for one of them and a rounding error would choose another
 * world axis for u; else those that the shortest turn from axis to axis leads into each other. */
static void make_local_triads(const crank_builder *b, const crank_record *record,
                              const int between[2], crank_joint_axes *axes)
{
    double a[2][3], u[2][3], w[3];
    for (int k = 0; k < 2; k++) {
        crank_build_in_own_axes(record, axes->a[k], a[k]);
    }
    for (int k = 0; k < 2; k++) {
        if (crank_joint_in_plane(b)) {
            const double across[3] = {-a[k][1], a[k][0], 0.0};
            memcpy(u[k], across, sizeof u[k]);
        } else if (k == 0) {
            crank_build_perpendicular(a[0], u[0], w);
        } else {
            turn_along(w, u[0], a[0], a[1]);
            if (!make_across(u[1], w, a[1])) { /* rounding */
                crank_build_perpendicular(a[1], u[1], w);
            }
        }
        crank_cross3(w, a[k], u[k]);
        axes->u[k] = crank_build_own_direction(b, record, between[k], u[k]);
        axes->w[k] = crank_build_own_direction(b, record, between[k], w);
    }
}

/* u of the first body at the start and, if axes are not parallel yet, what is nearest to it. */
static void make_standing_triads(const crank_builder *b, const crank_record *record,
                                 const int between[2], crank_joint_axes *axes)
{
    double a[2][3], u[2][3], w[3];
    crank_joint_world(b, axes->a[0], a[0]);
    crank_joint_world(b, axes->a[1], a[1]);
    if (crank_joint_in_plane(b)) {
        u[0][0] = -a[0][1];
        u[0][1] = a[0][0];
        u[0][2] = 0.0;
    } else {
        crank_build_across(record, a[0], u[0]);
    }
    if (!make_across(u[1], u[0], a[1])) {
        crank_build_across(record, a[1], u[1]);
    }
    for (int k = 0; k < 2; k++) {
        crank_cross3(w, a[k], u[k]);
        axes->u[k] = crank_build_direction(b, between[k], u[k]);
        axes->w[k] = crank_build_direction(b, between[k], w);
    }
}

crank_joint_axes crank_joint_make_axes(const crank_builder *b, const crank_record *record,
                                       const crank_field *field, const int between[2],
                                       bool stands)
{
    const double x[3] = {1.0, 0.0, 0.0};
    const crank_marker ground = crank_build_own_direction(b, record, -1, x);
    crank_joint_axes axes;
    if (field != NULL) {
        crank_build_ends(b, &field->ends, between, false, axes.a);
    } else {
        for (int k = 0; k < 2; k++) {
            axes.a[k] = stands ? crank_build_direction(b, between[k], ground.u)
                               : crank_build_own_direction(b, record, between[k], x);
        }
    }
    if (!stands && (field == NULL || field->ends.local)) {
        make_local_triads(b, record, between, &axes);
    } else {
        make_standing_triads(b, record, between, &axes);
    }
    crank_joint_world(b, axes.a[0], axes.axis);
    crank_joint_world(b, axes.u[0], axes.across[0]);
    crank_joint_world(b, axes.w[0], axes.across[1]);
    return axes;
}

/* The key `turned`: both triads are the same where the second body is turned against the first
 * by R, so that a_2 = R^T a_1, u_2 = R^T u_1. */
static crank_status turn_triads(const crank_builder *b, const crank_record *record,
                                const crank_field *axis, crank_joint_frame *f, crank_error *err)
{
    const double *file = record->axes;
    const double back[4] = {file[0], -file[1], -file[2], -file[3]};
    double q[4], R[9], a[3], c[3], u[3], w[3], v[3];
    crank_build_in_own_axes(record, f->axes.a[0], a);
    crank_build_in_own_axes(record, f->axes.a[1], c);
    if (crank_joint_in_plane(b) || !f->local || (axis != NULL && !axis->ends.local)) {
        return crank_build_fail(record, "turned", err,
                                "`turned` is for spatial models, with points and axes by "
                                "`first` and `second`");
    }
    crank_quaternion_multiply(q, back, f->turned->number); /* not moved with an assembly */
    crank_quaternion_matrix(R, q);
    crank_mat3_transposed_times(v, R, a);
    crank_add3(v, -1.0, c);
    if (axis != NULL && crank_norm3(v) > same_axis) {
        return crank_build_fail(record, "axis", err,
                                "`first` and `second` are not one axis where the second body "
                                "is turned as `turned` says");
    }
    crank_build_perpendicular(a, u, w);
    const double *const own[3] = {a, u, w};
    crank_marker *const first[3] = {&f->axes.a[0], &f->axes.u[0], &f->axes.w[0]};
    crank_marker *const second[3] = {&f->axes.a[1], &f->axes.u[1], &f->axes.w[1]};
    for (int k = 0; k < 3; k++) {
        crank_mat3_transposed_times(v, R, own[k]);
        *second[k] = crank_build_own_direction(b, record, f->between[1], v);
        *first[k] = crank_build_own_direction(b, record, f->between[0], own[k]);
    }
    crank_joint_world(b, f->axes.a[0], f->axes.axis);
    crank_joint_world(b, f->axes.u[0], f->axes.across[0]);
    crank_joint_world(b, f->axes.w[0], f->axes.across[1]);
    return CRANK_OK;
}

crank_row_name crank_joint_row_name(const char *what, const double direction[3])
{
    int largest = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(direction[k]) > fabs(direction[largest]) + 1e-9) {
            largest = k;
        }
    }
    double sign = direction[largest] < 0.0 ? -1.0 : 1.0;
    const double positive[3] = {sign * direction[0], sign * direction[1], sign * direction[2]};
    crank_row_name name;
    char text[48];
    crank_build_direction_name(positive, text, sizeof text);
    snprintf(name.text, sizeof name.text, "%s %s", what, text);
    return name;
}

bool crank_joint_can_turn(const crank_builder *b, const int between[2])
{
    const crank_mechanism *m = crank_build_mechanism(b);
    return !(between[0] >= 0 && m->body[between[0]].point) &&
           !(between[1] >= 0 && m->body[between[1]].point);
}

crank_status crank_joint_needs_rotation(const crank_builder *b, const crank_record *record,
                                        const int between[2], const char *remedy,
                                        crank_error *err)
{
    const crank_mechanism *m = crank_build_mechanism(b);
    for (int k = 0; k < 2; k++) {
        if (between[k] >= 0 && m->body[between[k]].point) {
            return crank_build_fail(record, "between", err,
                                    "body \"%s\" is a point mass, which has no orientation "
                                    "that a %s joint could hold; %s",
                                    m->body[between[k]].name, record->type->name, remedy);
        }
    }
    return CRANK_OK;
}

crank_status crank_joint_coincide(crank_builder *b, crank_owner owner, const crank_marker at[2],
                                  crank_error *err)
{
    static const char *const row[3] = {"translation along x", "translation along y",
                                       "translation along z"};
    crank_build_pins(b, owner);
    for (int k = 0; k < (crank_joint_in_plane(b) ? 2 : 3); k++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[k] = 1.0;
        int y = crank_build_product(b, crank_vector_of(crank_build_direction(b, -1, e)),
                                    crank_vector_between(at[0], at[1]));
        crank_status status = crank_build_row(b, owner, y, 0.0, row[k], NULL, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

crank_status crank_joint_flat(crank_builder *b, crank_owner owner, crank_marker direction,
                              const double world[3], const crank_marker at[2], crank_error *err)
{
    crank_row_name name = crank_joint_row_name("translation along", world);
    int y =
        crank_build_product(b, crank_vector_of(direction), crank_vector_between(at[0], at[1]));
    return crank_build_row(b, owner, y, 0.0, name.text, NULL, err);
}

bool crank_joint_turns_free(const crank_builder *b, int body)
{
    return body >= 0 && crank_build_mechanism(b)->body[body].orientation_fixing == CRANK_FREE;
}

static bool position_is_free(const crank_builder *b, int body)
{
    return body >= 0 && crank_build_mechanism(b)->body[body].position_fixing == CRANK_FREE;
}

/* Axes more than a right angle apart become parallel the wrong way round. */
static crank_status check_side(const crank_builder *b, const crank_record *record,
                               const crank_joint_frame *f, crank_error *err)
{
    double first[3], second[3];
    crank_joint_world(b, f->axes.a[0], first);
    crank_joint_world(b, f->axes.a[1], second);
    const double cosine = crank_dot3(first, second);
    if (cosine >= 0.0 || crank_joint_turns_free(b, f->between[0]) ||
        crank_joint_turns_free(b, f->between[1])) {
        return CRANK_OK;
    }
    return crank_build_fail(
        record, "axis", err,
        "at the start the axes of the two bodies are %.0f deg apart: the joint "
        "would close the wrong way round; turn a body or reverse one of the axes",
        57.295779513082323 * acos(fmax(cosine, -1.0)));
}

crank_status crank_joint_begin(crank_builder *b, const crank_record *record, crank_owner owner,
                               const crank_field *axis, const char *remedy,
                               crank_joint_frame *f, crank_error *err)
{
    f->between = crank_record_find(record, "between")->index;
    if (remedy != NULL) {
        crank_status status = crank_joint_needs_rotation(b, record, f->between, remedy, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    const crank_ends *at = &crank_record_find(record, "at")->ends;
    f->local = at->local;
    for (int k = 0; k < 2; k++) {
        const double turn = f->between[k] < 0 ? crank_quaternion_angle(record->axes) : 0.0;
        f->turn += k == 0 ? turn : -turn;
    }
    crank_build_ends(b, at, f->between, true, f->at);
    const bool guess =
        crank_joint_turns_free(b, f->between[0]) || crank_joint_turns_free(b, f->between[1]);
    const bool given = axis != NULL ? axis->ends.local : at->local;
    f->axes = crank_joint_make_axes(b, record, axis, f->between,
                                    !given || (f->no_turn && !guess && f->turned == NULL));
    if (f->turned != NULL) {
        const crank_status status = turn_triads(b, record, axis, f, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    const bool aligned = remedy != NULL || (axis == NULL && crank_joint_in_plane(b));
    crank_build_frames(b, owner, f->at, aligned ? f->axes.a : NULL, f->axes.u);
    crank_build_reaction_point(b, owner, f->between[0], f->between[1], f->at[1],
                               axis != NULL ? f->axes.a[0] : (crank_marker){.body = -1});
    crank_build_draw(b, owner, f->at, axis != NULL ? f->axes.a : NULL, 0.0);
    const bool parallel = remedy != NULL && axis != NULL && !crank_joint_in_plane(b);
    return parallel ? check_side(b, record, f, err) : CRANK_OK;
}

crank_status crank_joint_on_line(crank_builder *b, crank_owner owner,
                                 const crank_joint_frame *f, crank_error *err)
{
    crank_status status =
        crank_joint_flat(b, owner, f->axes.u[0], f->axes.across[0], f->at, err);
    if (status == CRANK_OK && !crank_joint_in_plane(b)) {
        status = crank_joint_flat(b, owner, f->axes.w[0], f->axes.across[1], f->at, err);
    }
    return status;
}

/* The angle between the bodies that makes their axes parallel is kept. */
static crank_status planar_rotation(crank_builder *b, crank_owner owner,
                                    const crank_joint_frame *f, crank_error *err)
{
    int y = crank_build_angle(b, f->between[0], f->between[1]);
    double a[3], c[3], normal[3];
    crank_joint_world(b, f->axes.a[0], a);
    crank_joint_world(b, f->axes.a[1], c);
    crank_cross3(normal, c, a); /* the second body must turn by this to be aligned */
    double constant = crank_build_start_value(b, y) + atan2(normal[2], crank_dot3(a, c));
    return crank_build_row(b, owner, y, constant, "rotation about z", NULL, err);
}

crank_status crank_joint_rotations(crank_builder *b, crank_owner owner,
                                   const crank_joint_frame *f, bool no_turn, crank_error *err)
{
    const crank_joint_axes *axes = &f->axes;
    if (crank_joint_in_plane(b)) {
        return no_turn ? planar_rotation(b, owner, f, err) : CRANK_OK;
    }
    const crank_marker one[3] = {axes->u[0], axes->w[0], axes->u[0]};
    const crank_marker other[3] = {axes->a[1], axes->a[1], axes->w[1]};
    const double *about[3] = {axes->across[1], axes->across[0], axes->axis};
    for (int k = 0; k < (no_turn ? 3 : 2); k++) {
        crank_row_name name = crank_joint_row_name("rotation about", about[k]);
        int y = crank_build_product(b, crank_vector_of(one[k]), crank_vector_of(other[k]));
        crank_status status = crank_build_row(b, owner, y, 0.0, name.text, NULL, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

crank_status crank_joint_cylinder(crank_builder *b, const crank_record *record,
                                  crank_owner owner, const char *rotor, crank_ex *angle,
                                  crank_ex *length, crank_error *err)
{
    crank_joint_frame f = {.turned = crank_record_find(record, "turned")};
    crank_status status = crank_joint_begin(b, record, owner, crank_record_find(record, "axis"),
                                            "use point_on_line", &f, err);
    CRANK_THEN(status, crank_joint_on_line(b, owner, &f, err));
    CRANK_THEN(status, crank_joint_rotations(b, owner, &f, false, err));
    if (status == CRANK_OK) {
        *angle = crank_joint_angle(b, &f);
        *length = crank_joint_length(b, f.axes.a[0], &f);
        crank_build_coordinate(b, owner, "angle", *angle);
        crank_build_coordinate(b, owner, "length", *length);
        if (f.local) {
            crank_build_slides(b, owner);
        }
        status =
            crank_build_rotor(b, record, owner, rotor, true, crank_joint_turning(b, &f), err);
    }
    return status;
}

crank_ex crank_joint_angle(crank_builder *b, const crank_joint_frame *f)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_joint_axes *axes = &f->axes;
    if (crank_joint_in_plane(b)) {
        int y = crank_build_angle(b, f->between[0], f->between[1]);
        const double start = f->local ? f->turn : crank_build_start_value(b, y);
        return crank_ex_sub(pool, crank_build_value(b, y), crank_ex_number(pool, start));
    }
    int cosine =
        crank_build_product(b, crank_vector_of(axes->u[0]), crank_vector_of(axes->u[1]));
    int sine = crank_build_product(b, crank_vector_of(axes->w[0]), crank_vector_of(axes->u[1]));
    return crank_build_turning_angle(b, crank_build_value(b, sine),
                                     crank_build_value(b, cosine));
}

crank_ex crank_joint_turning(crank_builder *b, const crank_joint_frame *f)
{
    return crank_build_rate(b, crank_joint_in_plane(b)
                                   ? crank_build_angle(b, f->between[0], f->between[1])
                                   : crank_build_turn(b, crank_vector_of(f->axes.a[0]),
                                                      f->between[0], f->between[1]));
}

crank_ex crank_joint_length(crank_builder *b, crank_marker direction,
                            const crank_joint_frame *f)
{
    crank_pool *pool = crank_build_pool(b);
    int y = crank_build_product(b, crank_vector_of(direction),
                                crank_vector_between(f->at[0], f->at[1]));
    double start = f->local ? 0.0 : crank_build_start_value(b, y);
    if (fabs(start) < crank_joint_rounding(b, f->at)) {
        start = 0.0;
    }
    return crank_ex_sub(pool, crank_build_value(b, y), crank_ex_number(pool, start));
}

void crank_joint_drive_results(crank_builder *b, const crank_record *record, const char *suffix,
                               const char *unit, crank_ex lambda, crank_ex value)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex effort = crank_ex_neg(pool, lambda);
    const crank_ex rate = crank_ex_derivative(pool, value, crank_build_mechanism(b)->t);
    char name[64];
    (void)snprintf(name, sizeof name, "effort%s", suffix);
    crank_build_name(b, "joint", record->name, name, effort, true);
    crank_build_unit(b, unit);
    (void)snprintf(name, sizeof name, "power%s", suffix);
    crank_build_name(b, "joint", record->name, name, crank_ex_mul(pool, effort, rate), true);
}

crank_status crank_joint_drive(crank_builder *b, const crank_record *record, crank_owner owner,
                               const char *key, const char *quantity, crank_ex coordinate,
                               crank_error *err)
{
    if (crank_record_find(record, key) == NULL) {
        return CRANK_OK;
    }
    crank_ex value, lambda;
    crank_status status = crank_joint_given(b, record, key, 0, &value, err);
    if (status != CRANK_OK) {
        return status;
    }
    char row[64];
    snprintf(row, sizeof row, "drive of %s", quantity);
    status = crank_build_holonomic(
        b, owner, crank_ex_sub(crank_build_pool(b), coordinate, value), row, &lambda, err);
    if (status == CRANK_OK) { /* drive_angle: effort_angle */
        crank_build_start_driven(b, owner, quantity, coordinate, value);
        const bool angle = strncmp(quantity, "angle", 5) == 0;
        crank_joint_drive_results(b, record, key + strlen("drive"), angle ? "N m" : "N", lambda,
                                  value);
    }
    return status;
}

crank_status crank_joint_other(crank_builder *b, const crank_record *record, int joint,
                               const char *quantity, crank_ex *out, crank_error *err)
{
    const crank_record *other = &crank_build_mechanism(b)->joint[joint];
    *out = crank_build_find_coordinate(b, joint, quantity);
    if (*out >= 0) {
        return CRANK_OK;
    }
    char list[160];
    const bool none = crank_build_coordinate_list(b, joint, list, sizeof list)[0] == '\0';
    if (quantity != NULL || none) {
        return crank_build_fail(record, "joints", err,
                                "joint \"%.80s\" (%s) has no coordinate%s%s%s%s%s", other->name,
                                other->type->name, quantity != NULL ? " \"" : "",
                                quantity != NULL ? quantity : "", quantity != NULL ? "\"" : "",
                                none ? "" : "; it has ", list);
    }
    return crank_build_fail(record, "joints", err,
                            "joint \"%s\" (%s) has not exactly one coordinate; write the "
                            "relation under `holonomic`",
                            other->name, other->type->name);
}

crank_marker crank_joint_second_point(const crank_builder *b, const crank_record *record,
                                      int body)
{
    const crank_field *at = crank_record_find(record, "at");
    const double origin[3] = {0.0, 0.0, 0.0};
    const double *own = at == NULL ? origin : at->ends.second;
    return at != NULL && !at->ends.local ? crank_build_point(b, body, own)
                                         : crank_build_local_point(b, body, own);
}

void crank_joint_in_axes(crank_builder *b, int carrier, crank_marker point, crank_ex out[3])
{
    const double origin[3] = {0.0, 0.0, 0.0};
    crank_vector d = crank_vector_between(crank_build_local_point(b, carrier, origin), point);
    for (int k = 0; k < crank_build_mechanism(b)->dimension; k++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[k] = 1.0;
        crank_vector axis = crank_vector_of(crank_build_local_direction(b, carrier, e));
        out[k] = crank_build_value(b, crank_build_product(b, axis, d));
    }
}

crank_joint_plane crank_joint_make_plane(const crank_builder *b, const double number[6],
                                         int first)
{
    crank_joint_plane plane;
    const double *n = number + 3;
    double other[3];
    if (crank_joint_in_plane(b)) {
        plane.tangent[0][0] = n[1];
        plane.tangent[0][1] = -n[0];
        plane.tangent[0][2] = 0.0;
    } else {
        crank_build_perpendicular(n, plane.tangent[0], other);
    }
    crank_cross3(plane.tangent[1], n, plane.tangent[0]);
    plane.at = crank_build_point(b, first, number);
    plane.n = crank_build_direction(b, first, n);
    plane.t[0] = crank_build_direction(b, first, plane.tangent[0]);
    plane.t[1] = crank_build_direction(b, first, plane.tangent[1]);
    return plane;
}

crank_status crank_joint_begin_rolling(crank_builder *b, const crank_record *record,
                                       crank_owner owner, crank_joint_contact *k,
                                       crank_error *err)
{
    k->between = crank_record_find(record, "between")->index;
    k->radius = crank_record_find(record, "radius")->number[0];
    crank_status status =
        crank_joint_needs_rotation(b, record, k->between, "give it an inertia", err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!(k->radius > 0.0)) {
        return crank_build_fail(record, "radius", err, "the radius is %g, it must be positive",
                                k->radius);
    }
    const double *plane = crank_record_find(record, "plane")->number;
    crank_marker centre = crank_joint_second_point(b, record, k->between[1]);
    k->plane = crank_joint_make_plane(b, plane, k->between[0]);
    crank_vector d = crank_vector_between(k->plane.at, centre);
    k->height = crank_build_product(b, crank_vector_of(k->plane.n), d);
    for (int i = 0; i < crank_build_mechanism(b)->dimension - 1; i++) {
        k->along[i] = crank_build_product(b, crank_vector_of(k->plane.t[i]), d);
    }
    if (!(crank_build_start_value(b, k->height) > 0.0) && !position_is_free(b, k->between[0]) &&
        !position_is_free(b, k->between[1])) {
        return crank_build_fail(record, "plane", err,
                                "the centre is at the height %g above the plane; it must be "
                                "positive (turn the normal around?)",
                                crank_build_start_value(b, k->height));
    }
    crank_build_reaction_point(b, owner, k->between[0], k->between[1], centre, k->plane.n);
    crank_build_draw_at(b, owner, k->between[0], centre, NULL, k->radius);
    return CRANK_OK;
}

void crank_joint_name_push(crank_builder *b, const crank_record *record, crank_ex lambda)
{
    crank_build_name(b, "joint", record->name, "push",
                     crank_ex_neg(crank_build_pool(b), lambda), true);
}

/* ---- drivers ---- */

/* A corner would be a jump of the velocity, which only an infinite force can make. */
static crank_status check_corners(crank_builder *b, const crank_record *record, const char *key,
                                  crank_ex value, crank_error *err)
{
    const crank_ex t = crank_build_mechanism(b)->t;
    const crank_table_data *table = NULL;
    double jump = 0.0, at = 0.0;
    const crank_ex argument =
        crank_ex_find_corner(crank_build_pool(b), value, &table, &jump, &at);
    if (argument < 0) {
        return CRANK_OK;
    }
    static const char remedy[] =
        "\"interpolation: spline\" does not, also with \"outside: hold\"";
    return table == NULL
               ? crank_build_fail(record, key, err,
                                  "the driven velocity would jump by %.4g at t = %.6g; %s",
                                  jump, at, remedy)
               : crank_build_fail(record, key, err,
                                  "the slope of table \"%.80s\" jumps by %.4g at %s%.6g, and "
                                  "the driven velocity would with it; %s",
                                  table->name, jump, argument == t ? "t = " : "its point ", at,
                                  remedy);
}

crank_status crank_joint_given(crank_builder *b, const crank_record *record, const char *key,
                               int i, crank_ex *out, crank_error *err)
{
    const crank_field *field = crank_record_find(record, key);
    const crank_status status =
        crank_build_resolve(b, record, field, field->ex[i], 0, NULL, NULL, out, err);
    return status == CRANK_OK ? check_corners(b, record, key, *out, err) : status;
}

crank_status crank_joint_prescribed(crank_builder *b, const crank_record *record, crank_ex *out,
                                    crank_error *err)
{
    const crank_field *is = crank_record_find(record, "is");
    const crank_field *table = crank_record_find(record, "table");
    if ((is == NULL) == (table == NULL)) {
        return crank_build_fail(record, is != NULL ? "table" : NULL, err,
                                "a %s needs one of `is` and `table`", record->type->name);
    }
    if (is != NULL) {
        return crank_joint_given(b, record, "is", 0, out, err);
    }
    *out = crank_build_table(b, &table->table, crank_build_mechanism(b)->t);
    return check_corners(b, record, "table", *out, err);
}

/* ---- joints that couple others ---- */

crank_status crank_joint_effort(crank_builder *b, const crank_record *record, crank_owner owner,
                                crank_ex g, const char *row, const char *unit, crank_error *err)
{
    crank_ex lambda;
    const crank_status status = crank_build_holonomic(b, owner, g, row, &lambda, err);
    if (status == CRANK_OK) {
        crank_build_name(b, "joint", record->name, "effort",
                         crank_ex_neg(crank_build_pool(b), lambda), true);
        crank_build_unit(b, unit);
    }
    return status;
}
