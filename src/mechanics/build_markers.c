/* build_markers.c - points and directions fixed in bodies, from world axes at the start or from
 * the user's body axes. A marker of a body is R^T (point - x), from the centre of mass; of the
 * ground it is the point itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include "base/number.h"
#include "linalg/rotation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of R, of what it is multiplied with and of the sum, at most */
static const double rounding = 16.0 * DBL_EPSILON;

/* R^T a without what is rounding of sums of numbers of these sizes: a joint on a rod's axis has
 * no lever about it, in whatever unit of length, and patterns are the same in all. */
static crank_marker in_body_axes(const crank_builder *b, int body, const double a[3],
                                 const double size[3])
{
    const double *R = crank_build_body(b, body)->R;
    crank_marker marker = {.body = body, .point = false};
    for (int i = 0; i < 3; i++) {
        const double u = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
        const double terms =
            fabs(R[i]) * size[0] + fabs(R[3 + i]) * size[1] + fabs(R[6 + i]) * size[2];
        marker.u[i] = fabs(u) > rounding * terms ? u : 0.0;
    }
    return marker;
}

crank_marker crank_build_direction(const crank_builder *b, int body, const double world[3])
{
    const double size[3] = {fabs(world[0]), fabs(world[1]), fabs(world[2])};
    return body < 0 ? (crank_marker){.body = body, .u = {world[0], world[1], world[2]}}
                    : in_body_axes(b, body, world, size);
}

crank_marker crank_build_point(const crank_builder *b, int body, const double world[3])
{
    const crank_body_state *state = crank_build_body(b, body);
    const bool planar = b->mechanism->dimension == 2;
    const double arm[3] = {world[0] - state->x[0], world[1] - state->x[1],
                           planar ? world[2] : world[2] - state->x[2]};
    const double *x = state->x;
    const double size[3] = {fabs(world[0]) + fabs(x[0]), fabs(world[1]) + fabs(x[1]),
                            fabs(world[2]) + (planar ? 0.0 : fabs(x[2]))};
    crank_marker marker =
        body < 0 ? crank_build_direction(b, body, world) : in_body_axes(b, body, arm, size);
    marker.point = true;
    return marker;
}

crank_marker crank_build_local_direction(const crank_builder *b, int body,
                                         const double local[3])
{
    (void)b;
    return (crank_marker){.body = body, .u = {local[0], local[1], local[2]}};
}

crank_marker crank_build_own_direction(const crank_builder *b, const crank_record *record,
                                       int body, const double own[3])
{
    double R[9], world[3];
    if (body >= 0 && !b->mechanism->body[body].point) {
        return crank_build_local_direction(b, body, own);
    }
    crank_quaternion_matrix(R, record->axes);
    crank_mat3_times(world, R, own);
    return crank_build_direction(b, body, world);
}

void crank_build_in_own_axes(const crank_record *record, crank_marker m, double own[3])
{
    double R[9];
    memcpy(own, m.u, sizeof m.u);
    if (m.body < 0) {
        crank_quaternion_matrix(R, record->axes);
        crank_mat3_transposed_times(own, R, m.u);
    }
}

crank_marker crank_build_local_point(const crank_builder *b, int body, const double local[3])
{
    static const double zero[3] = {0.0, 0.0, 0.0};
    const double *c = body < 0 ? zero : b->mechanism->body[body].center;
    return (crank_marker){
        .body = body, .point = true, .u = {local[0] - c[0], local[1] - c[1], local[2] - c[2]}};
}

crank_status crank_build_own_point(const crank_builder *b, const crank_record *record, int body,
                                   crank_marker *out, crank_error *err)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const crank_field *at = crank_record_find(record, "at");
    const crank_field *local = crank_record_find(record, "local");
    if (at != NULL && local != NULL) {
        return crank_build_fail(record, "local", err,
                                "both \"at\" and \"local\" are given, only one is possible");
    }
    *out = at != NULL
               ? crank_build_point(b, body, at->number)
               : crank_build_local_point(b, body, local != NULL ? local->number : origin);
    return CRANK_OK;
}

void crank_build_ends(const crank_builder *b, const crank_ends *ends, const int between[2],
                      bool point, crank_marker out[2])
{
    for (int i = 0; i < 2; i++) {
        const double *at = i == 0 ? ends->first : ends->second;
        if (ends->local) {
            out[i] = point ? crank_build_local_point(b, between[i], at)
                           : crank_build_local_direction(b, between[i], at);
        } else {
            out[i] = point ? crank_build_point(b, between[i], at)
                           : crank_build_direction(b, between[i], at);
        }
    }
}

crank_vector crank_vector_of(crank_marker a)
{
    return (crank_vector){.count = 1, .marker = {a}};
}

crank_vector crank_vector_between(crank_marker from, crank_marker to)
{
    return (crank_vector){.count = 2, .marker = {to, from}};
}

void crank_build_perpendicular(const double axis[3], double first[3], double second[3])
{
    /* the axis of coordinates after the nearest one, or the one after that if it is more at
     * right angles; which of equal ones is nearest must not depend on rounding */
    int nearest = 0;
    for (int i = 1; i < 3; i++) {
        nearest = fabs(axis[i]) > fabs(axis[nearest]) + rounding ? i : nearest;
    }
    int k = (nearest + 1) % 3;
    k = fabs(axis[(k + 1) % 3]) < fabs(axis[k]) - rounding ? (k + 1) % 3 : k;
    double norm = 0.0;
    for (int i = 0; i < 3; i++) {
        first[i] = (i == k ? 1.0 : 0.0) - axis[k] * axis[i];
        norm += first[i] * first[i];
    }
    norm = sqrt(norm);
    for (int i = 0; i < 3; i++) {
        first[i] /= norm;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int l = (i + 2) % 3;
        second[i] = axis[j] * first[l] - axis[l] * first[j];
    }
}

void crank_build_across(const crank_record *record, const double axis[3], double across[3])
{
    double R[9], own[3], first[3], second[3];
    crank_quaternion_matrix(R, record->axes);
    crank_mat3_transposed_times(own, R, axis);
    crank_build_perpendicular(own, first, second);
    crank_mat3_times(across, R, first);
}

void crank_build_direction_name(const double direction[3], char *text, size_t size)
{
    static const char *const axis[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        const double others = fabs(direction[(i + 1) % 3]) + fabs(direction[(i + 2) % 3]);
        if (others < 1e-9 * fabs(direction[i])) {
            (void)snprintf(text, size, "%s%s", direction[i] < 0.0 ? "-" : "", axis[i]);
            return;
        }
    }
    char number[3][CRANK_NUMBER_TEXT];
    for (int i = 0; i < 3; i++) {
        const double rounded = round(direction[i] * 100.0) / 100.0;
        (void)crank_number_print(number[i], sizeof number[i], rounded + 0.0, 3);
    }
    (void)snprintf(text, size, "(%s, %s, %s)", number[0], number[1], number[2]);
}
