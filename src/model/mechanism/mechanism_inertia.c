/* mechanism_inertia.c - inertia of a body: from a tensor about any point in any axes, or from a
 * homogeneous solid.
 *
 *     I = R T R^T - m (d.d E - d d^T),  d from the centre of mass to the point of T
 *         (parallel axes)
 * with R from the tensor's axes to body axes. A tensor of a real body is symmetric, its
 * principal values are not negative, and none exceeds the sum of the others: I_1 + I_2 - I_3 =
 * 2 int x_3^2 dm. The principal values are found by the trigonometric solution of the
 * characteristic equation of a symmetric 3x3 matrix. Solids: int over the volume, with their
 * axis along z (a planar rod: x) or along what `along` says. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "linalg/rotation.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double tolerance = 1e-6; /* published data are rounded */

/* ---- checks ---- */

/* principal values of a symmetric matrix, rising */
static void principal_values(const double I[9], double value[3])
{
    const double mean = (I[0] + I[4] + I[8]) / 3.0;
    const double a = I[0] - mean, b = I[4] - mean, c = I[8] - mean;
    const double d = I[1], e = I[5], f = I[2];
    const double p = sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0);
    if (!(p > 0.0)) {
        value[0] = value[1] = value[2] = mean;
        return;
    }
    const double det =
        a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f); /* of I - mean E */
    const double ratio = det / (2.0 * p * p * p);
    const double angle = acos(ratio < -1.0 ? -1.0 : ratio > 1.0 ? 1.0 : ratio) / 3.0;
    value[2] = mean + 2.0 * p * cos(angle);
    value[0] = mean + 2.0 * p * cos(angle + 2.0 * pi / 3.0);
    value[1] = 3.0 * mean - value[0] - value[2];
}

crank_status crank_check_inertia(const crank_site *site, const crank_node *node,
                                 double inertia[9])
{
    static const char *const axis = "xyz";
    double largest = 0.0, value[3], unit[9];
    for (int i = 0; i < 9; i++) {
        if (!isfinite(inertia[i])) {
            return crank_site_fail(site, node, "about the centre of mass it is not finite");
        }
        largest = fmax(largest, fabs(inertia[i]));
    }
    if (site->r->m->dimension == 2) {
        return inertia[8] >= 0.0
                   ? CRANK_OK
                   : crank_site_fail(site, node,
                                     "about the centre of mass it is %g, must not be negative",
                                     inertia[8]);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const double a = inertia[3 * i + j], b = inertia[3 * j + i];
            if (!(fabs(a - b) <= tolerance * largest)) {
                return crank_site_fail(site, node, "not symmetric: I_%c%c = %g and I_%c%c = %g",
                                       axis[j], axis[i], b, axis[i], axis[j], a);
            }
            inertia[3 * i + j] = inertia[3 * j + i] = 0.5 * (a + b);
        }
    }
    for (int i = 0; i < 9; i++) {
        unit[i] = largest > 0.0 ? inertia[i] / largest : 0.0;
    }
    principal_values(unit, value); /* of numbers whose cubes are finite */
    const bool negative = value[0] < -tolerance;
    /* about one axis alone: a rotor, whose other inertia is counted with what bears it */
    const bool axial = value[1] <= tolerance;
    const bool violated = !axial && value[0] + value[1] - value[2] < -tolerance;
    for (int i = 0; i < 3; i++) {
        value[i] *= largest;
    }
    if (negative) {
        return crank_site_fail(site, node,
                               "about the centre of mass the principal moments are %g, %g, %g, "
                               "must not be negative",
                               value[0], value[1], value[2]);
    }
    if (violated) {
        return crank_site_fail(site, node,
                               "the principal moments %g, %g, %g violate the triangle "
                               "inequality: %g + %g < %g, which no body can have",
                               value[0], value[1], value[2], value[0], value[1], value[2]);
    }
    return CRANK_OK;
}

/* ---- tensors ---- */

/* three principal values, or three rows; planar: one number */
static crank_status read_tensor(const crank_site *site, const crank_node *node, double out[9])
{
    memset(out, 0, 9 * sizeof *out);
    if (site->r->m->dimension == 2) {
        return crank_scope_number(site, node, &out[8]);
    }
    if (node->kind != CRANK_NODE_SEQUENCE || node->count != 3) {
        return crank_site_fail(site, node,
                               "%s where [Ixx, Iyy, Izz] or three rows are expected",
                               node->kind == CRANK_NODE_SEQUENCE ? "a list of another length"
                                                                 : crank_node_describe(node));
    }
    crank_status status = CRANK_OK;
    if (node->item[0]->kind == CRANK_NODE_SEQUENCE) {
        for (int i = 0; i < 3 && status == CRANK_OK; i++) {
            status = crank_read_numbers(site, node->item[i], 3, out + 3 * i);
        }
        return status;
    }
    for (int i = 0; i < 3 && status == CRANK_OK; i++) {
        status = crank_scope_number(site, node->item[i], &out[4 * i]);
    }
    return status;
}

/* I = R I R^T */
static void turn(const double q[4], double I[9])
{
    double R[9], half[9], transposed[9];
    crank_quaternion_matrix(R, q);
    for (int i = 0; i < 9; i++) {
        transposed[i] = R[3 * (i % 3) + i / 3];
    }
    crank_mat3_multiply(half, R, I);
    crank_mat3_multiply(I, half, transposed);
}

/* from a point to the centre of mass */
static void shift(double mass, const double d[3], double I[9])
{
    const double square = crank_dot3(d, d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I[3 * i + j] -= mass * ((i == j ? square : 0.0) - d[i] * d[j]);
        }
    }
}

crank_status crank_read_inertia(const crank_site *site, const crank_body_record *b,
                                const crank_node *node, double inertia[9])
{
    if (node->kind != CRANK_NODE_MAPPING) {
        return read_tensor(site, node, inertia);
    }
    crank_status status = crank_fields_check(site, node, crank_keys_inertia, NULL);
    const crank_node *tensor = crank_node_find(node, "tensor");
    const crank_node *axes = crank_node_find(node, "axes");
    const crank_node *about = crank_node_find(node, "about");
    if (status == CRANK_OK && tensor == NULL) {
        return crank_site_fail(site, node, "\"tensor\" is missing");
    }
    if (status == CRANK_OK && axes != NULL && site->r->m->dimension == 2) {
        return crank_site_fail(site, axes, "\"axes\" has no meaning in a planar model");
    }
    if (status == CRANK_OK) {
        status = read_tensor(site, tensor, inertia);
    }
    if (status == CRANK_OK && axes != NULL) {
        double q[4];
        status = crank_read_orientation(site, axes, q);
        if (status == CRANK_OK) {
            turn(q, inertia);
        }
    }
    if (status == CRANK_OK && about != NULL) {
        double d[3];
        status = crank_read_vector(site, about, d);
        if (status == CRANK_OK) {
            crank_add3(d, -1.0, b->center);
            shift(b->mass, d, inertia);
        }
    }
    return status;
}

/* ---- solids ---- */

/* the lengths of a solid, all positive */
static crank_status read_lengths(const crank_site *site, const crank_node *node, int count,
                                 double *out)
{
    crank_status status = count == 1 && node->kind == CRANK_NODE_SCALAR
                              ? crank_scope_number(site, node, out)
                              : crank_read_numbers(site, node, count, out);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        if (!(out[i] > 0.0)) {
            status = crank_site_fail(site, node, "length %g, must be positive", out[i]);
        }
    }
    return status;
}

/* volume and moments of mass 1 about x, y, z */
static double solid(const char *name, bool planar, const double *a, double I[3])
{
    const double r = a[0], h = a[1];
    double volume = 0.0;
    if (strcmp(name, "box") == 0) {
        volume = a[0] * a[1] * a[2];
        I[0] = (a[1] * a[1] + a[2] * a[2]) / 12.0;
        I[1] = (a[0] * a[0] + a[2] * a[2]) / 12.0;
        I[2] = (a[0] * a[0] + a[1] * a[1]) / 12.0;
    } else if (strcmp(name, "cylinder") == 0) {
        volume = pi * r * r * h;
        I[0] = I[1] = (3.0 * r * r + h * h) / 12.0;
        I[2] = 0.5 * r * r;
    } else if (strcmp(name, "sphere") == 0) {
        volume = 4.0 / 3.0 * pi * r * r * r;
        I[0] = I[1] = I[2] = 0.4 * r * r;
    } else if (strcmp(name, "capsule") ==
               0) { /* cylinder and two half spheres, off by h/2 + 3r/8 */
        const double cylinder = pi * r * r * h, sphere = 4.0 / 3.0 * pi * r * r * r;
        volume = cylinder + sphere;
        I[0] = I[1] = (cylinder * (3.0 * r * r + h * h) / 12.0 +
                       sphere * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r)) /
                      volume;
        I[2] = (0.5 * cylinder + 0.4 * sphere) * r * r / volume;
    } else if (strcmp(name, "cone") == 0) {
        volume = pi * r * r * h / 3.0;
        I[0] = I[1] = 3.0 / 80.0 * (4.0 * r * r + h * h);
        I[2] = 0.3 * r * r;
    } else { /* rod */
        volume = r;
        I[0] = planar ? 0.0 : r * r / 12.0;
        I[1] = r * r / 12.0;
        I[2] = planar ? r * r / 12.0 : 0.0;
    }
    return volume;
}

/* The inertia of a body of revolution about `along`, and how it is turned there.
 *     I = I_across (E - a a^T) + I_own a a^T */
static crank_status read_along(const crank_site *site, const char *name, const crank_node *node,
                               double q[4], double I[9])
{
    const crank_site own = {site->r, site->scope, site->object, "along"};
    if (strcmp(name, "box") == 0 || strcmp(name, "sphere") == 0) {
        return crank_site_fail(&own, node, "a %s has no axis", name);
    }
    double a[3];
    const crank_status status = crank_read_direction(&own, node, a);
    if (status != CRANK_OK) {
        return status;
    }
    const int k = site->r->m->dimension == 2 && strcmp(name, "rod") == 0 ? 0 : 2;
    const double across = I[4], own_axis = I[4 * k];
    double from[3] = {0.0, 0.0, 0.0}, about[3];
    from[k] = 1.0;
    crank_cross3(about, from, a);
    const double sine = crank_norm3(about);
    for (int i = 0; i < 3 && sine > 0.0; i++) {
        about[i] /= sine;
    }
    if (sine == 0.0) { /* as it is, or half a turn about an axis across */
        about[(k + 1) % 3] = 1.0;
    }
    crank_quaternion_of_axis(q, about, atan2(sine, crank_dot3(from, a)));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double square = a[i] * a[j];
            I[3 * i + j] = across * ((i == j ? 1.0 : 0.0) - square) + own_axis * square;
        }
    }
    return CRANK_OK;
}

/* the solid's node among `along`; EMODEL unless there is just one */
static crank_status find_solid(const crank_site *site, const crank_node *node, int *out)
{
    int count = 0;
    for (int i = 0; i < node->count; i++) {
        if (strcmp(node->key[i]->text, "along") != 0) {
            *out = i;
            count++;
        }
    }
    return count == 1 ? CRANK_OK
                      : crank_site_fail(site, node, "%d solids where one is expected", count);
}

crank_status crank_read_solid(const crank_site *site, const crank_node *node,
                              crank_body_record *b, double *volume, double unit_inertia[9])
{
    const bool planar = site->r->m->dimension == 2;
    double length[3] = {0.0, 0.0, 1.0}, moment[3];
    int which = 0;
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(site, node, "%s where {box: [a, b, c]} or another is expected",
                               crank_node_describe(node));
    }
    crank_status status = crank_fields_check(site, node, crank_keys_solid, NULL);
    if (status == CRANK_OK) {
        status = find_solid(site, node, &which);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const char *name = node->key[which]->text;
    const crank_node *value = node->item[which], *along = crank_node_find(node, "along");
    const bool one = strcmp(name, "sphere") == 0 || strcmp(name, "rod") == 0;
    const bool box = strcmp(name, "box") == 0;
    const bool flat = box && planar && value->kind == CRANK_NODE_SEQUENCE && value->count == 2;
    const crank_site own = {site->r, site->scope, site->object, name};
    status = read_lengths(&own, value, one ? 1 : box && !flat ? 3 : 2, length);
    if (status != CRANK_OK) {
        return status;
    }
    b->solid = name;
    memcpy(b->solid_size, length, sizeof b->solid_size);
    b->solid_size[2] = flat ? 0.0 : length[2];
    b->solid_turn[0] = 1.0;
    *volume = solid(name, planar, length, moment);
    memset(unit_inertia, 0, 9 * sizeof *unit_inertia);
    for (int i = 0; i < 3; i++) {
        unit_inertia[4 * i] = moment[i];
    }
    if (along != NULL) {
        status = read_along(site, name, along, b->solid_turn, unit_inertia);
    }
    return status;
}
