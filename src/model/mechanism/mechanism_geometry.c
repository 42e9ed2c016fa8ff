/* mechanism_geometry.c - vectors, points, directions and rotations of a mechanism file.
 *
 * Vectors of planar models have two numbers, the third is zero. World points and directions are
 * moved with the assembly that they stand in. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

crank_status crank_read_vector(const crank_site *site, const crank_node *node, double out[3])
{
    out[2] = 0.0;
    if (site->r->m->dimension == 2 && node->kind == CRANK_NODE_SEQUENCE && node->count == 3) {
        return crank_site_fail(site, node,
                               "3 entries where 2 are expected: the model is planar; axes "
                               "along z are left out");
    }
    return crank_read_numbers(site, node, site->r->m->dimension, out);
}

/* Makes a unit vector; what: "the axis", for the message. */
static crank_status normalise(const crank_site *site, const crank_node *node, int count,
                              double *vector, const char *what)
{
    double norm = 0.0;
    for (int i = 0; i < count; i++) {
        norm = hypot(norm, vector[i]);
    }
    if (!(norm > 0.0)) {
        return crank_site_fail(site, node, "%s is zero; give one of any other length", what);
    }
    for (int i = 0; i < count; i++) {
        vector[i] /= norm;
    }
    return CRANK_OK;
}

crank_status crank_read_direction(const crank_site *site, const crank_node *node, double out[3])
{
    const crank_status status = crank_read_vector(site, node, out);
    return status == CRANK_OK ? normalise(site, node, 3, out, "the direction") : status;
}

static crank_status read_direction(const crank_site *site, const crank_node *node,
                                   double out[3])
{
    const crank_status status = crank_read_direction(site, node, out);
    crank_pose_direction(site->scope->instance, out, out);
    return status;
}

static crank_status read_point(const crank_site *site, const crank_node *node, double out[3])
{
    const crank_status status = crank_read_vector(site, node, out);
    crank_pose_point(site->scope->instance, out, out);
    return status;
}

/* ---- rotations ---- */

/* [w, x, y, z] or {axis: , angle: }, in planar models an angle; not moved with an assembly */
crank_status crank_read_orientation(const crank_site *site, const crank_node *node,
                                    double out[4])
{
    crank_status status = CRANK_OK;
    double axis[3] = {0.0, 0.0, 1.0}, angle = 0.0;
    const bool planar = site->r->m->dimension == 2;
    if (planar && node->kind != CRANK_NODE_SCALAR) {
        return crank_site_fail(site, node,
                               "%s where an angle is expected: planar models turn about z",
                               crank_node_describe(node));
    }
    if (node->kind == CRANK_NODE_SEQUENCE) {
        status = crank_read_numbers(site, node, 4, out);
        return status == CRANK_OK ? normalise(site, node, 4, out, "the quaternion") : status;
    }
    if (node->kind == CRANK_NODE_MAPPING) {
        crank_field field[2];
        status = crank_fields_read(site, node, node, crank_keys_turn, NULL, field);
        if (status == CRANK_OK) {
            memcpy(axis, field[0].number, sizeof axis);
            angle = field[1].number[0];
            status = normalise(site, field[0].node, 3, axis, "the axis");
        }
    } else if (planar) {
        status = crank_scope_number(site, node, &angle);
    } else {
        status = crank_site_fail(site, node,
                                 "%s where [w, x, y, z] or {axis: , angle: } is expected",
                                 crank_node_describe(node));
    }
    crank_quaternion_of_axis(out, axis, angle);
    return status;
}

/* ---- ends ---- */

static crank_status read_local_ends(const crank_site *site, const crank_node *node,
                                    bool direction, crank_ends *out)
{
    crank_field field[2] = {{0}};
    crank_status status = crank_fields_read(site, node, node, crank_keys_ends, NULL, field);
    if (status != CRANK_OK || field[0].number == NULL || field[1].number == NULL) {
        return status;
    }
    out->local = true;
    memcpy(out->first, field[0].number, sizeof out->first);
    memcpy(out->second, field[1].number, sizeof out->second);
    if (direction) {
        status = normalise(site, field[0].node, 3, out->first, "the direction");
    }
    return status == CRANK_OK && direction
               ? normalise(site, field[1].node, 3, out->second, "the direction")
               : status;
}

crank_status crank_read_ends(const crank_site *site, const crank_node *node, crank_shape shape,
                             crank_ends *out)
{
    crank_status status = CRANK_OK;
    if (node->kind == CRANK_NODE_MAPPING) {
        return read_local_ends(site, node, shape == CRANK_SHAPE_AXIS, out);
    }
    if (shape == CRANK_SHAPE_ENDS) {
        if (node->kind == CRANK_NODE_SEQUENCE && node->count > 0 &&
            node->item[0]->kind == CRANK_NODE_SCALAR) {
            return crank_site_fail(site, node,
                                   "one point where two are expected, one on each body: [[x, "
                                   "...], [x, ...]] or {first: , second: }");
        }
        status = crank_check_list(site, node, 2, "two points");
        if (status == CRANK_OK) {
            status = read_point(site, node->item[0], out->first);
        }
        return status == CRANK_OK ? read_point(site, node->item[1], out->second) : status;
    }
    status = shape == CRANK_SHAPE_AXIS ? read_direction(site, node, out->first)
                                       : read_point(site, node, out->first);
    memcpy(out->second, out->first, sizeof out->second);
    return status;
}

void crank_move_ground(const crank_instance *instance, const crank_key_spec *keys, int count,
                       crank_field *field)
{
    const int *between = NULL;
    for (int k = 0; k < count; k++) {
        if (keys[k].shape == CRANK_SHAPE_BODIES && field[k].node != NULL) {
            between = field[k].index;
        }
    }
    for (int k = 0; between != NULL && k < count; k++) {
        crank_ends *ends = &field[k].ends;
        for (int i = 0; i < 2 && ends->local; i++) {
            double *end = i == 0 ? ends->first : ends->second;
            if (between[i] < 0 && keys[k].shape == CRANK_SHAPE_DIRECTIONS) {
                double *other = field[k].number + (i == 0 ? 3 : 0);
                crank_pose_direction(instance, end, end);
                crank_pose_direction(instance, other, other);
            } else if (between[i] < 0 && keys[k].shape == CRANK_SHAPE_AXIS) {
                crank_pose_direction(instance, end, end);
            } else if (between[i] < 0) {
                crank_pose_point(instance, end, end);
            }
        }
    }
}

/* ---- by shape ---- */

crank_status crank_read_geometry(const crank_site *site, const crank_node *node,
                                 crank_shape shape, crank_field *field)
{
    const int counts[] = {
        [CRANK_SHAPE_DIRECTIONS] = 6, [CRANK_SHAPE_ORIENTATION] = 4, [CRANK_SHAPE_PLANE] = 6};
    const crank_instance *instance = site->scope->instance;
    const bool listed = shape == CRANK_SHAPE_DIRECTIONS || shape == CRANK_SHAPE_ORIENTATION ||
                        shape == CRANK_SHAPE_PLANE;
    double *number = crank_field_numbers(site, listed ? counts[shape] : 3, field);
    crank_status status = CRANK_OK;
    if (number == NULL) {
        return crank_reading_no_memory(site->r);
    }
    if (shape == CRANK_SHAPE_POINT) {
        return read_point(site, node, number);
    }
    if (shape == CRANK_SHAPE_DIRECTION) {
        return read_direction(site, node, number);
    }
    if (shape == CRANK_SHAPE_ORIENTATION) {
        double own[4] = {1.0, 0.0, 0.0, 0.0};
        status = crank_read_orientation(site, node, own);
        crank_quaternion_multiply(number, instance->q, own);
        return status;
    }
    if (shape == CRANK_SHAPE_DIRECTIONS && node->kind == CRANK_NODE_MAPPING) {
        status = crank_read_ends(site, node, CRANK_SHAPE_AXIS, &field->ends);
        memcpy(number, field->ends.first, 3 * sizeof *number);
        memcpy(number + 3, field->ends.second, 3 * sizeof *number);
        return status;
    }
    if (shape == CRANK_SHAPE_DIRECTIONS) {
        status = crank_check_list(site, node, 2, "two directions");
        for (int i = 0; i < 2 && status == CRANK_OK; i++) {
            status = read_direction(site, node->item[i], number + 3 * i);
        }
        return status;
    }
    if (shape == CRANK_SHAPE_PLANE) {
        crank_field part[2] = {{0}};
        status = crank_fields_read(site, node, node, crank_keys_plane, NULL, part);
        for (int i = 0; i < 2 && status == CRANK_OK && part[i].number != NULL; i++) {
            memcpy(number + 3 * i, part[i].number, 3 * sizeof *number);
        }
        return status;
    }
    status = crank_read_vector(site, node, number);
    if (shape == CRANK_SHAPE_MOTION) {
        crank_pose_direction(instance, number, number);
    }
    return status;
}
