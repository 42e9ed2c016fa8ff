/* parts.c - bodies and joints in reports: which body a motion belongs to and what it is like,
 * and whether bodies have mass. Everything follows from crank_eom_parts (eom.h) and the
 * Jacobian. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double small = 1e-8; /* relative part of a motion that is rounding */

/* ---- public ---- */

int crank_eom_bodies(const crank_eom *eom)
{
    return eom->parts != NULL ? eom->parts->body_count : 0;
}

const char *crank_eom_body_text(const crank_eom *eom, int body)
{
    return body >= 0 && body < crank_eom_bodies(eom) ? eom->parts->body_text[body] : "?";
}

double crank_eom_extent(const crank_eom *eom, const double *x)
{
    const crank_eom_parts *parts = eom->parts;
    double size = parts != NULL ? parts->length : 0.0;
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0};
    int body = -1, component = 0, bodies = 0;
    for (int i = 0; parts != NULL && i < eom->sizes.p; i++) {
        component = parts->position_body[i] == body ? component + 1 : 0;
        bodies += parts->position_body[i] == body ? 0 : 1;
        body = parts->position_body[i];
        if (parts->position_kind[i] == 't' && component < 3) {
            const double at = x[eom->column[CRANK_P] + i];
            low[component] = bodies > 1 ? fmin(low[component], at) : at;
            high[component] = bodies > 1 ? fmax(high[component], at) : at;
        }
    }
    for (int k = 0; k < 3; k++) {
        size = hypot(size, high[k] - low[k]);
    }
    return size;
}

void crank_body_move_at(const crank_eom *eom, int first, const double *from, const double *to,
                        double *distance, double *angle)
{
    const crank_eom_parts *parts = eom->parts;
    double cosine = 0.0, sine = 0.0, n = 0.0;
    double q0[4], q1[4];
    int components = 0;
    *distance = *angle = 0.0;
    for (int i = first; i < eom->sizes.p; i++) {
        if (parts->position_body[i] != parts->position_body[first]) {
            break;
        }
        const int j = eom->column[CRANK_P] + i;
        if (parts->position_kind[i] == 't') {
            *distance = hypot(*distance, to[j] - from[j]);
        } else if (parts->position_kind[i] == 'a') {
            *angle = fabs(to[j] - from[j]);
        } else if (components < 4) {
            q0[components] = from[j];
            q1[components++] = to[j];
        }
    }
    if (components == 4) { /* of q0* q1: real part, and norm of the vector part */
        for (int i = 0; i < 4; i++) {
            cosine += q0[i] * q1[i];
            n += q0[i] * q0[i];
        }
        for (int i = 0; i < 4; i++) {
            sine = hypot(sine, q1[i] - cosine / n * q0[i]);
        }
        *angle = 2.0 * atan2(sine, fabs(cosine) / sqrt(n));
    }
}

static const double visible = 1e-9; /* above round-off of corrections */

void crank_eom_body_move(const crank_eom *eom, int body, const double *from, const double *to,
                         double *distance, double *angle)
{
    *distance = *angle = 0.0;
    for (int i = 0; eom->parts != NULL && i < eom->sizes.p; i++) {
        if (eom->parts->position_body[i] == body) {
            crank_body_move_at(eom, i, from, to, distance, angle);
            *distance = *distance > visible * eom->parts->length ? *distance : 0.0;
            *angle = *angle > visible ? *angle : 0.0;
            return;
        }
    }
}

int crank_eom_position_body(const crank_eom *eom, int i)
{
    return eom->parts != NULL ? eom->parts->position_body[i] : -1;
}

const char *crank_eom_constraint_joint(const crank_eom *eom, int i, const char **direction)
{
    const crank_eom_parts *parts = eom->parts;
    const int joint = parts != NULL ? parts->constraint_joint[i] : -1;
    *direction = joint >= 0 ? parts->constraint_row[i] : NULL;
    return joint >= 0 ? parts->joint_text[joint] : NULL;
}

const char *crank_eom_constraint_text(const crank_eom *eom, int i, char *text, size_t size)
{
    const char *own = eom->constraint_text != NULL ? eom->constraint_text[i] : NULL;
    if (own != NULL) {
        (void)snprintf(text, size, "%s", own);
    } else {
        (void)snprintf(text, size, "%s \"%s\"",
                       i < eom->sizes.lambda ? "holonomic" : "nonholonomic",
                       eom->constraint_name[i]);
    }
    return text;
}

/* ---- directions ---- */

/* "z" if the direction is an axis (either way), else NULL. */
static const char *axis_of(const double d[3])
{
    static const char *const names[] = {"x", "y", "z"};
    const double size = crank_norm3(d);
    for (int i = 0; i < 3; i++) {
        if (fabs(d[i]) >= (1.0 - 1e-10) * size) {
            return names[i];
        }
    }
    return NULL;
}

/* A component as text; rounding counts as zero. */
static double rounded(double value)
{
    return fabs(value) < 5e-4 ? 0.0 : value;
}

/* "z" or "(0.71, 0.71, 0)", of which the first component that is not zero is positive. */
static void name_direction(const double d[3], char *text, size_t size)
{
    const char *axis = axis_of(d);
    double norm = crank_norm3(d);
    if (axis != NULL) {
        (void)snprintf(text, size, "%s", axis);
        return;
    }
    for (int i = 2; i >= 0; i--) {
        norm = fabs(d[i]) > 1e-3 * fabs(norm) ? copysign(norm, d[i]) : norm;
    }
    (void)snprintf(text, size, "(%.3g, %.3g, %.3g)", rounded(d[0] / norm), rounded(d[1] / norm),
                   rounded(d[2] / norm));
}

/* The part of a motion that a body has. */
typedef struct body_motion {
    int body;
    int translations, rotations; /* numbers of components: 3 and 3, planar 2 and 1 */
    double t[3], r[3];           /* world axes, over the mechanism's length; body axes */
} body_motion;

/* A component of a motion, translations over the mechanism's length. */
static double part_of(const crank_eom_parts *parts, const double *direction, int i)
{
    return parts != NULL && parts->velocity_kind[i] == 't' ? direction[i] / parts->length
                                                           : direction[i];
}

static body_motion motion_of(const crank_eom *eom, int body, const double *direction)
{
    const crank_eom_parts *parts = eom->parts;
    body_motion m = {.body = body};
    for (int i = 0; i < eom->sizes.v; i++) {
        if (parts->velocity_body[i] == body && parts->velocity_kind[i] == 't' &&
            m.translations < 3) {
            m.t[m.translations++] = part_of(parts, direction, i);
        } else if (parts->velocity_body[i] == body && m.rotations < 3) {
            m.r[m.rotations++] = direction[i];
        }
    }
    return m;
}

/* The body's quaternion; false: it has none. */
static bool orientation_of(const crank_eom *eom, const double *x, int body, double q[4])
{
    int count = 0;
    for (int i = 0; x != NULL && i < eom->sizes.p && count < 4; i++) {
        if (eom->parts->position_body[i] == body && eom->parts->position_kind[i] == 'q') {
            q[count++] = x[eom->column[CRANK_P] + i];
        }
    }
    return count == 4;
}

static void describe_motion(const crank_eom *eom, const double *x, const body_motion *m,
                            char *text, size_t size)
{
    char name[80];
    double q[4], world[3];
    if (crank_norm3(m->r) <= small * crank_norm3(m->t)) {
        name_direction(m->t, name, sizeof name);
        (void)snprintf(text, size, "translation along %s", name);
        return;
    }
    if (m->rotations == 1) {
        (void)snprintf(text, size, "rotation");
        return;
    }
    const bool known = orientation_of(eom, x, m->body, q);
    memcpy(world, m->r, sizeof world);
    if (known) {
        double R[9];
        crank_quaternion_matrix(R, q);
        crank_mat3_times(world, R, m->r);
    }
    name_direction(world, name, sizeof name);
    const char *own = axis_of(m->r);
    if (known && axis_of(world) == NULL && own != NULL) {
        (void)snprintf(text, size, "rotation about its own %s axis", own);
    } else {
        (void)snprintf(text, size, "rotation about %s%s", name, known ? "" : " of its axes");
    }
    const double along = crank_dot3(world, m->t); /* a screw: translation along the axis */
    const double t = crank_norm3(m->t), r = crank_norm3(m->r);
    if (known && t > small * r && fabs(along) > small * t * r) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, " with translation along %s", name);
    }
}

const char *crank_structure_direction(const crank_eom *eom, const double *x,
                                      const double *direction, char *text, size_t size)
{
    const crank_eom_parts *parts = eom->parts;
    int strongest = 0;
    double most = 0.0;
    for (int i = 0; i < eom->sizes.v; i++) {
        const double part = fabs(part_of(parts, direction, i));
        if ((parts == NULL || parts->velocity_body[i] >= 0) && part > most) {
            strongest = i;
            most = part;
        }
    }
    if (parts == NULL || parts->velocity_body[strongest] < 0) {
        (void)snprintf(text, size, "%s",
                       crank_eom_column_name(eom, eom->column[CRANK_V] + strongest));
        return text;
    }
    const int body = parts->velocity_body[strongest];
    const body_motion motion = motion_of(eom, body, direction);
    char what[160];
    describe_motion(eom, x, &motion, what, sizeof what);
    (void)snprintf(text, size, "%s: %s", parts->body_text[body], what);
    int others = 0, last = body;
    for (int i = 0; i < eom->sizes.v; i++) { /* bodies that go with it */
        const int other = parts->velocity_body[i];
        if (other >= 0 && other != body && other != last &&
            fabs(part_of(parts, direction, i)) > small * most) {
            const size_t used = strlen(text);
            last = other;
            if (others++ < 2) {
                (void)snprintf(text + used, size - used, "%s%s", others == 1 ? ", with " : ", ",
                               parts->body_text[other]);
            }
        }
    }
    if (others > 2) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, " and %d more", others - 2);
    }
    return text;
}

/* ---- mass ---- */

/* Entry (i, j) of the mass matrix: velocities i and j, whose accelerations are carried. */
static double mass_entry(const crank_eom *eom, const double *values, int i, int j)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
        if (pattern->row[q] == eom->row[CRANK_ROW_D] + i - eom->column[CRANK_W]) {
            return values[q];
        }
    }
    return 0.0;
}

/* A direction without inertia, of a symmetric matrix; returns the rank. */
static int null_of(const double J[3][3], double null[3])
{
    double largest = 0.0, cross = 0.0, determinant = 0.0, scaled[3][3];
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(J[i / 3][i % 3]));
    }
    if (!(largest > 0.0)) {
        return 0;
    }
    for (int i = 0; i < 9; i++) {
        scaled[i / 3][i % 3] = J[i / 3][i % 3] / largest;
    }
    for (int i = 0; i < 3; i++) {
        const double *a = scaled[(i + 1) % 3], *b = scaled[(i + 2) % 3];
        double c[3];
        crank_cross3(c, a, b);
        if (crank_norm3(c) > cross) {
            cross = crank_norm3(c);
            memcpy(null, c, sizeof c);
            determinant = crank_dot3(scaled[i], c);
        }
    }
    return cross < 1e-10 ? 1 : fabs(determinant) < 1e-10 * cross ? 2 : 3;
}

bool crank_structure_massless(const crank_eom *eom, const double *values, int body, char *text,
                              size_t size)
{
    const crank_eom_parts *parts = eom->parts;
    double J[3][3] = {{0.0}}, null[3] = {0.0, 0.0, 0.0}, mass = 0.0;
    int turn[3], rotations = 0, translations = 0, velocity = -1;
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_LAMBDA]; j++) {
        velocity += eom->carried[j] ? 1 : 0;
        if (!eom->carried[j] || velocity >= eom->sizes.v ||
            parts->velocity_body[velocity] != body) {
            continue;
        }
        if (parts->velocity_kind[velocity] == 't') {
            translations++;
            mass = fmax(mass, fabs(mass_entry(eom, values, j, j)));
        } else if (rotations < 3) {
            turn[rotations++] = j;
        }
    }
    if (translations == 0) { /* in joint coordinates: its joint's, not the body's own */
        return false;
    }
    for (int i = 0; i < rotations; i++) {
        for (int j = 0; j < rotations; j++) {
            J[i][j] = mass_entry(eom, values, turn[i], turn[j]);
        }
    }
    const int rank = rotations == 1   ? (J[0][0] != 0.0 ? 3 : 0)
                     : rotations == 0 ? 3
                                      : null_of((const double(*)[3])J, null);
    const char *name = parts->body_text[body];
    char axis[80];
    if (!(mass > 0.0)) {
        (void)snprintf(text, size, "%s has no mass%s", name,
                       rotations > 0 && rank == 3 ? ", but inertia" : "");
    } else if (rank == 0) {
        (void)snprintf(text, size, "%s has no inertia", name);
    } else if (rank == 1) {
        (void)snprintf(text, size, "%s has inertia about one axis only", name);
    } else if (rank == 2) {
        name_direction(null, axis, sizeof axis);
        (void)snprintf(text, size, "%s has no inertia about %s of its axes", name, axis);
    }
    return !(mass > 0.0) || rank < 3;
}
