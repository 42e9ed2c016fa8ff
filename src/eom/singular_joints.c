/* singular_joints.c - the joints at which constraints lose rank, for messages.
 *
 * With V = [gI_v; h_v], rows of norm one over velocities in natural units, the left singular
 * vector u of the smallest singular value is the combination of rows that is about to vanish,
 * V^T u = 0: forces of joints that hold each other. Which row an elimination comes to last is a
 * matter of its order, u is not. It is found by inverse iteration with V V^T over the
 * independent rows,
 *     u <- (V^T)^+ V^+ u,
 * whose values are separated as the squares of the singular values, so that a few steps do. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 5 };

static const double near = 0.05; /* singular values of more: no row is about to vanish */
static const double part = 0.5;  /* of the largest weight: joints that are named */

/* u (rows of V), its singular value in *sigma */
static crank_status find_vector(crank_nearby *w, const crank_min_matrix *V, double *sigma,
                                crank_error *err)
{
    crank_min_solver solver = {0};
    crank_status status = crank_min_solver_create(V, CRANK_STEP_TOLERANCE, &solver, err);
    for (int i = 0; i < V->rows; i++) {
        const double golden = (i + 1) * 0.6180339887498949; /* its fractions look random */
        w->r[i] = 0.5 + golden - floor(golden);
    }
    for (int k = 0; k < ITERATIONS && status == CRANK_OK; k++) {
        double sum = 0.0;
        for (int i = 0; i < V->rows; i++) {
            sum += w->r[i] * w->r[i];
        }
        for (int i = 0; i < V->rows; i++) {
            w->r[i] /= -sqrt(sum); /* steps solve V y = -r */
        }
        *sigma = pow(sum, -0.25);
        status = crank_min_solver_step(&solver, w->r, 0.0, w->y, err);
        CRANK_THEN(status, crank_row_combination(V, w->y, w->r, err));
    }
    crank_min_solver_destroy(&solver);
    return status;
}

/* w->norm: weights of joints; the largest one, or 0 */
static double weigh(crank_nearby *w, const int *place)
{
    const crank_eom_parts *parts = w->eom->parts;
    double most = 0.0;
    memset(w->norm, 0, (size_t)parts->joint_count * sizeof *w->norm);
    for (int i = 0; i < w->eom->sizes.lambda + w->eom->sizes.mu; i++) {
        const int joint = parts->constraint_joint[i];
        if (place[i] >= 0 && joint >= 0) {
            w->norm[joint] = hypot(w->norm[joint], w->r[place[i]]);
            most = fmax(most, w->norm[joint]);
        }
    }
    return most;
}

static crank_status find(crank_nearby *w, bool *marked, bool *found, crank_error *err)
{
    crank_min_matrix V = {0}, I = {0};
    double sigma = 1.0;
    int rank = 0;
    crank_status status = crank_nearby_velocity_rows(w, &V, &rank, err);
    if (status == CRANK_OK && !crank_structure_independent(&V, w->kept, rank, w->place, &I)) {
        status = crank_fail(err, CRANK_EMEM, "%d independent rows", rank);
    }
    CRANK_THEN(status, find_vector(w, &I, &sigma, err));
    const double most = status == CRANK_OK && sigma < near ? weigh(w, w->place) : 0.0;
    for (int j = 0; j < w->eom->parts->joint_count; j++) {
        marked[j] = most > 0.0 && w->norm[j] > part * most;
        *found = *found || marked[j];
    }
    crank_min_free(&I);
    crank_min_free(&V);
    return status;
}

bool crank_eom_singular_joints(crank_eom *eom, const double *jacobian, char *text, size_t size)
{
    crank_error ignored = {0};
    crank_nearby w;
    bool found = false;
    if (eom->parts == NULL || eom->sizes.lambda + eom->sizes.mu == 0) {
        return false;
    }
    crank_status status = crank_nearby_create(&w, eom, &ignored);
    bool *marked = calloc((size_t)eom->parts->joint_count + 1, sizeof *marked);
    status = marked != NULL ? status : CRANK_EMEM;
    if (status == CRANK_OK) {
        memcpy(w.values, jacobian,
               (size_t)eom->jacobian_pattern.start[eom->n] * sizeof *jacobian);
        status = find(&w, marked, &found, &ignored);
    }
    if (status == CRANK_OK && found) {
        int count =
            0; /* joints come before constraints by expressions, which say what they are */
        for (int j = 0; j < eom->parts->joint_count; j++) {
            count += marked[j] && strncmp(eom->parts->joint_text[j], "joint ", 6) == 0 ? 1 : 0;
        }
        (void)snprintf(text, size, "%s", count > 1 ? "joints " : count == 1 ? "joint " : "");
        crank_structure_append_joints(eom, marked, text, size);
    }
    free(marked);
    crank_nearby_free(&w);
    return status == CRANK_OK && found;
}
