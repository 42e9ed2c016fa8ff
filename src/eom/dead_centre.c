/* dead_centre.c - the drive that is at a dead centre.
 *
 * At a dead centre a drive asks for motions without bound: with V = [gI_v; h_v], rows of norm
 * one over velocities in natural units, the smallest z with V z = e_d is the motion for a unit
 * of the drive's row d alone, and |z| grows as one over the way that is left. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* |z|: nearer than 1/50 rad to a dead centre, as initial_speed.c */
static const double out_of_proportion = 50.0;

/* The drive with the largest |z|, -1: none is out of proportion. */
static crank_status find(crank_nearby *w, const crank_min_matrix *V, int *drive,
                         crank_error *err)
{
    crank_min_solver solver = {0};
    double most = out_of_proportion;
    crank_status status = crank_min_solver_create(V, CRANK_STEP_TOLERANCE, &solver, err);
    for (int i = 0; i < w->eom->sizes.lambda && status == CRANK_OK; i++) {
        double sum = 0.0;
        if (!crank_initial_is_drive(w->eom, i)) {
            continue;
        }
        memset(w->r, 0, (size_t)V->rows * sizeof *w->r);
        w->r[i] = -1.0;
        status = crank_min_solver_step(&solver, w->r, 0.0, w->y, err);
        for (int l = 0; l < V->columns && status == CRANK_OK; l++) {
            sum += w->y[l] * w->y[l];
        }
        if (status == CRANK_OK && sqrt(sum) > most) {
            most = sqrt(sum);
            *drive = i;
        }
    }
    crank_min_solver_destroy(&solver);
    return status;
}

bool crank_eom_find_dead_centre(crank_eom *eom, double t, const double *x, char *text,
                                size_t size)
{
    const crank_eom_parts *parts = eom->parts;
    crank_error ignored = {0};
    crank_nearby w;
    crank_min_matrix V = {0};
    int drive = -1;
    if (parts == NULL || eom->sizes.lambda == 0) {
        return false;
    }
    const crank_range velocity = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                  eom->column[CRANK_V], eom->column[CRANK_S]};
    crank_status status = crank_nearby_create(&w, eom, &ignored);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, x, NULL, w.values, &ignored));
    CRANK_THEN(status, crank_structure_range(eom, w.values, velocity, w.place, w.list, w.norm,
                                             w.scale, &V, &ignored));
    CRANK_THEN(status, find(&w, &V, &drive, &ignored));
    crank_min_free(&V);
    crank_nearby_free(&w);
    if (status == CRANK_OK && drive >= 0) {
        const int joint = parts->constraint_joint[drive];
        (void)snprintf(text, size, "%s%.80s", parts->joint_links[joint] ? "the drive of " : "",
                       parts->joint_text[joint]);
    }
    return status == CRANK_OK && drive >= 0;
}
