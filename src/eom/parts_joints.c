/* parts_joints.c - joints in reports: how many loops they form, how far each of them is open.
 *
 * A residual of a holonomic constraint is divided by the norm of its gradient over the
 * translations of one body (the larger of the two): a length; constraints on rotations alone by
 * the norm over those: an angle. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops ---- */

/* Every joint connects the bodies that its constraints touch, and ground if there is only one
 * of them. */
int crank_structure_loops(const crank_eom *eom, const double *values)
{
    const crank_eom_parts *parts = eom->parts;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_GI], rows = eom->sizes.lambda + eom->sizes.mu;
    if (parts == NULL || parts->loops >= 0) {
        return parts == NULL ? -1 : parts->loops;
    }
    const int bodies = parts->body_count, joints = parts->joint_count;
    int *parent = malloc(((size_t)bodies + 1) * sizeof *parent);
    int *touched = calloc(2 * (size_t)joints + 1, sizeof *touched); /* first body + 1; last */
    int loops = parent == NULL || touched == NULL ? -1 : 0;
    for (int i = 0; i <= bodies && loops >= 0; i++) {
        parent[i] = i; /* the last one: ground */
    }
    for (int i = 0; i < eom->sizes.v && loops >= 0; i++) {
        const int j = eom->column[CRANK_V] + i, body = parts->velocity_body[i];
        for (int q = pattern->start[j]; body >= 0 && q < pattern->start[j + 1]; q++) {
            const int row = pattern->row[q] - first;
            const int joint = row >= 0 && row < rows ? parts->constraint_joint[row] : -1;
            if (joint < 0 || !parts->joint_links[joint] || values[q] == 0.0) {
                continue;
            }
            int *of = touched + 2 * (ptrdiff_t)joint;
            if (of[0] == 0) {
                of[0] = of[1] = body + 1;
            } else if (body + 1 > of[1]) { /* velocities come body by body */
                loops += !crank_disjoint_join(parent, of[0] - 1, body);
                of[1] = body + 1;
            }
        }
    }
    for (int joint = 0; joint < joints && loops >= 0; joint++) {
        if (touched[2 * joint] > 0 && touched[2 * joint] == touched[2 * joint + 1]) {
            loops += !crank_disjoint_join(parent, touched[2 * joint] - 1, bodies);
        }
    }
    free(parent);
    free(touched);
    return loops;
}

/* ---- gaps ---- */

/* Squared norms of a row of gI or h over the translations and the rotations of the body where
 * each is largest. */
typedef struct row_size {
    double t, r;           /* of the body at hand */
    double most_t, most_r; /* of all */
    int body;
} row_size;

static void close_body(row_size *s)
{
    s->most_t = fmax(s->most_t, s->t);
    s->most_r = fmax(s->most_r, s->r);
    s->t = s->r = 0.0;
}

/* rows rows of the Jacobian from first on */
static void measure_rows(const crank_eom *eom, const double *values, int first, int rows,
                         row_size *size)
{
    const crank_eom_parts *parts = eom->parts;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i, body = parts->velocity_body[i];
        for (int q = pattern->start[j]; body >= 0 && q < pattern->start[j + 1]; q++) {
            const int row = pattern->row[q] - first;
            if (row < 0 || row >= rows) {
                continue;
            }
            if (size[row].body != body) {
                close_body(&size[row]);
                size[row].body = body;
            }
            double *sum = parts->velocity_kind[i] == 't' ? &size[row].t : &size[row].r;
            *sum += values[q] * values[q];
        }
    }
    for (int i = 0; i < rows; i++) {
        close_body(&size[i]);
    }
}

/* The angle by which a row is off, from its value and its derivative by rotation: a product of
 * unit vectors is the sine of an angle, with the cosine for derivative (but for the rounding of
 * norms); others are taken as linear. */
static double angle_of(double residual, double slope)
{
    const bool sine = fabs(residual * residual + slope * slope - 1.0) < 1e-2;
    return sine ? atan2(residual, slope) : residual / slope;
}

/* The length by which a row is off, from its value and its derivative by translation: of
 * d.d - L^2 the derivative is 2 d. */
static double length_of(double residual, double slope, int power)
{
    const double square = 0.25 * slope * slope - residual; /* L^2 */
    return power == 2 && square >= 0.0 ? residual / (0.5 * slope + sqrt(square))
                                       : residual / slope;
}

void crank_structure_gaps(const crank_eom *eom, const double *values, const double *residual,
                          crank_gap *gap)
{
    const crank_eom_parts *parts = eom->parts;
    row_size *size = calloc((size_t)eom->sizes.lambda + 1, sizeof *size);
    memset(gap, 0, (size_t)parts->joint_count * sizeof *gap);
    if (size != NULL) {
        measure_rows(eom, values, eom->row[CRANK_ROW_GI], eom->sizes.lambda, size);
        for (int i = 0; i < eom->sizes.lambda; i++) {
            const int joint = parts->constraint_joint[i];
            if (joint < 0) {
                continue;
            }
            if (size[i].most_t > 0.0) {
                gap[joint].distance =
                    hypot(gap[joint].distance, length_of(residual[i], sqrt(size[i].most_t),
                                                         parts->constraint_power[i]));
            } else if (size[i].most_r > 0.0) {
                gap[joint].angle =
                    hypot(gap[joint].angle, angle_of(residual[i], sqrt(size[i].most_r)));
            }
        }
    }
    free(size);
}

int crank_structure_widest(const crank_eom *eom, const crank_gap *gap)
{
    const double lever = eom->parts->length;
    double most = 0.0;
    int widest = -1;
    for (int i = 0; i < eom->parts->joint_count; i++) {
        const double size = hypot(gap[i].distance, lever * gap[i].angle);
        if (size > 0.0 &&
            size >= (1.0 - 1e-3) * most) { /* of equal ones the last closes the loop */
            most = fmax(size, most);
            widest = i;
        }
    }
    return widest;
}

const char *crank_structure_gap_text(crank_gap gap, double lever, char *text, size_t size)
{
    const double turned = lever * gap.angle;
    if (gap.distance > 1e-3 * turned && turned > 1e-3 * gap.distance) {
        (void)snprintf(text, size, "%.3g and an angle of %.3g rad", gap.distance, gap.angle);
    } else if (turned > gap.distance) {
        (void)snprintf(text, size, "an angle of %.3g rad", gap.angle);
    } else {
        (void)snprintf(text, size, "%.3g", gap.distance);
    }
    return text;
}
